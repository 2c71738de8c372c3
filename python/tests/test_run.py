# SPDX-License-Identifier: Apache-2.0
import threading
import warnings

import numpy as np
import pytest

import tensix
from tensix.testing import assert_bit_exact, ulp_error

SQUARE = """
.dst fp32
.tile
A = 0
.rept 32
    sfpload  L0, A, 3, 3
    sfpmul   L1, L0, L0, 0
    sfpnop
    sfpstore L1, A, 3, 3
A = A + 2
.endr
"""
ADD = """
.dst fp32
.inputs 2
.tile
A = 0
.rept 32
    sfpload  L0, A, 3, 3
    sfpload  L1, A + 64, 3, 3
    sfpadd   L2, L0, L1, 0
    sfpnop
    sfpstore L2, A, 3, 3
A = A + 2
.endr
"""
# Reads Dst, which strict mode finds unwritten: tile 4 is no input.
UNWRITTEN = ".dst fp32\n.tile\nsfpload L0, 256, 3, 3\nsfpstore L0, 0, 3, 3\n"


@pytest.fixture(scope="module", params=["bh", "wh"])
def square(request):
    return tensix.Program.from_asm(SQUARE, request.param)


@pytest.fixture
def eighths(rng):
    """Numbers whose squares and sums FP32 has exactly."""
    return lambda *shape: (rng.integers(-2048, 2048, shape) / 8).astype(np.float32)


@pytest.mark.parametrize("shape", [
    (1024,), (1,), (1023,), (1025,), (3, 5, 7), (100, 100), (64, 1024), (), (0,), (4, 0, 2),
])
@pytest.mark.parametrize("engine", ["fast", "reference"])
def test_shapes(square, eighths, shape, engine):
    x = eighths(*shape)
    y = tensix.run(square, x, engine=engine)
    assert_bit_exact(y, np.asarray(x * x))


def test_layout_tiles(eighths):
    """A kernel that moves data between elements sees 32x32 blocks: transpose by columns."""
    # Only the upper left 4 x 2 lanes of each tile are copied over: Dst rows 0..3, even columns.
    program = tensix.Program.from_asm(
        ".dst fp32\n.tile\nsfpload L0, 0, 3, 3\nsfpmov L1, L0, 1\nsfpstore L1, 0, 3, 3\n", "bh"
    )  # SFPMOV Mod1 1 negates
    x = np.abs(eighths(2, 70, 40)) + 1
    expected = x.copy()
    for top in range(0, 70, 32):
        for left in range(0, 40, 32):
            # SFPLOAD 0: rows 0..3 of face 0, its eight even columns (kernel.h, tx_dst_place).
            expected[:, top : top + 4, left : left + 16 : 2] *= -1
    for engine in "fast", "reference":
        assert_bit_exact(tensix.run(program, x, layout="tiles", engine=engine), expected)


def test_two_inputs(eighths):
    a, b = eighths(50, 50), eighths(50, 50)
    for arch in "bh", "wh":
        program = tensix.Program.from_asm(ADD, arch)
        assert_bit_exact(tensix.run(program, a, b), a + b)


def test_kernels_of_the_project(kernels):
    x = np.linspace(-80, 80, 5000, dtype=np.float32)
    with np.errstate(all="ignore"):
        want = {
            "relu.s": (np.maximum(x, 0), 0), "exp.s": (np.exp(x.astype(float)), 1),
            "reciprocal.s": (1 / x.astype(float), 1),
        }  # as the heads of the kernels say: exact, 1 ULP, 0.75 ULP before rounding
    for name, (expected, ulp) in want.items():
        y = tensix.run(kernels / name, x, arch="bh")
        assert ulp_error(y, expected).max() <= ulp, name


def test_log_against_mpmath(kernels):
    import mpmath

    x = np.geomspace(1e-30, 1e30, 400).astype(np.float32)
    y = tensix.run(kernels / "log.s", x, arch="bh")
    with mpmath.workprec(100):
        expected = [float(mpmath.log(mpmath.mpf(float(v)))) for v in x]
    assert ulp_error(y, expected).max() <= 2  # examples/kernels/log.s states its accuracy


def test_every_kernel_same_on_both_engines(kernels, rng):
    checked = 0
    for path in sorted(kernels.rglob("*.s")):
        for arch in "bh", "wh":
            try:
                program = tensix.Program.from_file(path, arch)
            except (ValueError, tensix.TensixError):
                continue  # for the other chip
            integer = (program.dst or "").startswith(("int", "uint"))
            data = [
                rng.integers(0 if program.dst[0] == "u" else -100, 100, 3000).astype(np.int32)
                if integer
                else rng.standard_normal(3000).astype(np.float32)
                for _ in range(program.inputs)
            ]
            auto = tensix.run(program, *data, findings="ignore", full_output=True, seed=5)
            plain = tensix.run(
                program, *data, findings="ignore", full_output=True, seed=5, engine="reference"
            )
            assert_bit_exact(auto.output, plain.output)
            assert (auto.init, auto.tile) == (plain.init, plain.tile)
            assert {(f.rule, f.word) for f in auto.findings} == {
                (f.rule, f.word) for f in plain.findings
            }
            checked += auto.engine == "fast"
    assert checked > 30


def test_full_output(kernels):
    x = np.ones(2000, np.float32)
    done = tensix.run(kernels / "reciprocal.s", x, full_output=True)
    assert done.engine == "fast" and done.reason == "" and done.tiles == 2
    assert done.cycles == 480  # as the head of the kernel says
    assert done.init.instructions == 1  # .loadi of infinity, whose low half is zero
    assert done.findings == [] and done.trace == []


def test_trace(square):
    x = np.full(10, 3, np.float32)
    done = tensix.run(square, x, trace=True, out=x)  # in place: the trace is of what was there
    issued = [e for e in done.trace if e.kind == "issue" and "sfpload " in e.instruction]
    assert len(issued) == 32
    first = next(e for e in done.trace if e.kind == "write_lreg" and e.place == 1)
    # Lane i of Dst row 0: the even columns of the first row, elements 0, 2, 4, 6, 8, then nothing.
    assert np.array(first.values[:8], np.uint32).view(np.float32).tolist() == [9.0] * 5 + [0.0] * 3


def test_jobs(kernels, rng):
    x = rng.standard_normal(100_000).astype(np.float32)
    for name in "dropout.s", "fp32_to_bf16_stochastic.s", "exp.s":
        for engine in "auto", "reference":
            part = x[: 20 * 1024] if engine == "reference" else x
            options = {"arch": "bh", "seed": 7, "engine": engine, "full_output": True,
                       "findings": "ignore"}
            one = tensix.run(kernels / name, part, jobs=1, **options)
            many = tensix.run(kernels / name, part, jobs=5, **options)
            assert_bit_exact(many.output, one.output)
            assert many.notes == one.notes
            assert [(f.rule, f.word, f.count) for f in many.findings] == [
                (f.rule, f.word, f.count) for f in one.findings
            ]


def test_64_threads_with_a_machine_each(kernels, rng):
    x = rng.standard_normal(4096).astype(np.float32)
    expected = {
        engine: tensix.run(kernels / "exp.s", x, arch="bh", engine=engine).view(np.uint32)
        for engine in ("fast", "reference")
    }
    assert np.array_equal(*expected.values())
    start = threading.Barrier(64)
    wrong = []

    def work(number):
        start.wait()
        engine = "fast" if number % 2 else "reference"
        try:
            y = tensix.run(kernels / "exp.s", x, arch="bh", engine=engine)
            if not np.array_equal(y.view(np.uint32), expected[engine]):
                wrong.append(number)
            with tensix.Machine("wh" if number % 3 else "bh") as machine:
                machine.lreg[0] = float(number)
                machine.run("sfpmul L1,L0,L0,0\nsfpnop")
                if not (machine.lreg[1].view(np.float32) == number * number).all():
                    wrong.append(number)
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(64)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_one_kernel_from_many_threads(square, eighths):
    ready = tensix.Kernel(square)
    data = [eighths(3000) for _ in range(16)]
    results = [None] * 16

    def work(i):
        results[i] = ready(data[i])

    threads = [threading.Thread(target=work, args=(i,)) for i in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for x, y in zip(data, results):
        assert_bit_exact(y, x * x)


@pytest.mark.parametrize("engine", ["fast", "reference"])
def test_closing_amid_calls(square, eighths, engine):
    """A call that has begun ends well; a later one is refused."""
    ready = tensix.Kernel(square, engine=engine)
    x = eighths(4096)
    wrong = []

    def work():
        try:
            for _ in range(300):
                assert_bit_exact(ready(x), x * x)
        except tensix.ClosedError:
            pass
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    ready(x)
    ready.close()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_fault_leaves_the_process_well(square, eighths):
    bad = tensix.Program.from_asm(UNWRITTEN, square.arch)
    x = eighths(5000)
    for _ in range(3):
        with pytest.raises(tensix.UnpredictableValue, match="tile 0") as caught:
            tensix.run(bad, x, strict=True)
        assert caught.value.finding.section == "tile"
        assert_bit_exact(tensix.run(square, x, strict=True), x * x)


def test_unsupported_word_is_a_fault():
    # Nobody has published what it does.
    program = tensix.Program.from_asm("ttrareb", "bh")
    with pytest.raises(tensix.Unsupported, match="tile 0"):
        tensix.run(program, np.zeros(4, np.float32))


def test_fault_in_init():
    program = tensix.Program.from_asm(".init\nsfpload L0,0,3,3\n.tile\nsfpnop\n", "bh")
    with pytest.raises(tensix.UnpredictableValue) as caught:
        tensix.Kernel(program, strict=True)(np.zeros(4, np.float32))
    assert caught.value.finding.section == "init"


def test_findings_are_told():
    program = tensix.Program.from_asm(UNWRITTEN, "bh")
    x = np.zeros(4, np.float32)
    with pytest.warns(tensix.FindingWarning, match="UnpredictableValue") as record:
        tensix.run(program, x)
    assert record[0].filename == __file__
    with pytest.raises(tensix.FindingError, match="UnpredictableValue"):
        tensix.run(program, x, findings="raise")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tensix.run(program, x, findings="ignore")
    done = tensix.run(program, x, findings="ignore", full_output=True)
    (finding,) = done.findings
    assert finding.section == "tile" and finding.line == 3
    assert "sfpload L0,256,3,3, line 3" in str(finding)


def test_out(square, eighths):
    x = eighths(40, 40)
    out = np.zeros((40, 40), np.float32)
    assert tensix.run(square, x, out=out) is out
    assert_bit_exact(out, x * x)


@pytest.mark.parametrize("engine", ["fast", "reference"])
def test_in_place_and_overlapping(square, eighths, engine):
    x = eighths(50, 100)
    kept = x.copy()
    tensix.run(square, x, out=x, engine=engine)
    assert_bit_exact(x, kept * kept)
    whole = eighths(40_000)
    kept = whole.copy()
    tensix.run(square, whole[:-500], out=whole[500:], engine=engine)
    assert_bit_exact(whole[500:], kept[:-500] ** 2)


def test_no_inputs():
    # L10 is 1.0 in every lane.
    program = tensix.Program.from_asm(
        ".inputs 0\n.dst fp32\n" + "".join(
            f"sfpstore L10,{a},3,3\n" for a in range(0, 64, 2)), "bh")
    for layout in "flat", "tiles":
        for engine in "auto", "reference":
            out = np.zeros((3, 700), np.float32)
            tensix.run(program, out=out, layout=layout, engine=engine)
            assert (out == 1).all()
    with pytest.raises(ValueError, match="out: .* takes no arrays"):
        tensix.run(program)


def test_memory_goes_with_the_kernel(square):
    import gc
    import weakref

    gc.disable()
    try:
        ready = tensix.Kernel(square)
        ready(np.zeros(3000, np.float32))
        gone = weakref.ref(ready), weakref.ref(ready._fast), weakref.ref(ready._fast._opened)
        del ready
        assert [part() for part in gone] == [None] * 3
    finally:
        gc.enable()


def test_dtypes(square):
    for dtype in "f2", "f4", "f8":
        x = np.array([1.5, -2, 0.25], dtype)
        assert tensix.run(square, x).tolist() == [2.25, 4, 0.0625]
    y = tensix.run(square, np.array([0x3FC0, 0xC000], np.uint16), payload="bf16")
    assert y.tolist() == [2.25, 4]
    y = tensix.run(square, np.array([0x3FC0], np.uint16).view("V2"), payload="bf16")
    assert y.tolist() == [2.25]
    y = tensix.run(square, np.array([1.5, -2], np.float32), dst="fp32", out_dst="fp32")
    assert y.tolist() == [2.25, 4]


def test_integers():
    # SFPIADD Mod1 4: VD = VC + VD without flags; SFPLOAD Mod0 4: INT32.
    text = ".dst int32\n.tile\n" + "".join(
        f"sfpload L0,{a},4,3\nsfpiadd L0,L0,100,5\nsfpstore L0,{a},4,3\n"
        for a in range(0, 64, 2)
    )
    program = tensix.Program.from_asm(text, "bh")
    x = np.arange(0, 2000, 7, dtype=np.int64)
    y = tensix.run(program, x)
    assert y.dtype == np.int32
    assert np.array_equal(y, x + 100)


def test_other_format_out(kernels):
    x = np.array([1.0, -3.0, 100.0, 2.0**20], np.float32)
    path = kernels / "fp32_to_int32.s"
    plain = tensix.Program.from_asm(path.read_text().replace(".out ", "# "), "bh")
    results = [
        tensix.run(path, x, arch="bh", engine=engine, full_output=True)  # .out
        for engine in ("fast", "reference")
    ] + [tensix.run(plain, x, out_dst="int32-sm", full_output=True)]
    for done in results:
        assert done.output.dtype == np.int32 and done.output.tolist() == [1, -3, 100, 2**20]
    assert [done.engine for done in results] == ["fast", "reference", "fast"]
    # Sign and magnitude, read as the float that has these bits.
    bits = tensix.run(path, x, arch="bh", out_dst="fp32").view(np.uint32)
    assert bits.tolist() == [1, 0x80000003, 100, 2**20]


def test_carry():
    """.tile adds 1 to L1 and stores it: a counter of tiles where state is carried."""
    text = ".dst fp32\n.tile\nsfpadd L1,L1,L10,0\nsfpnop\nsfpstore L1,0,3,3\n"
    program = tensix.Program.from_asm(text, "bh")
    x = np.zeros(3 * 1024, np.float32)
    assert tensix.run(program, x, carry=True)[::1024].tolist() == [1, 2, 3]
    assert tensix.run(program, x)[::1024].tolist() == [1, 1, 1]
    with pytest.raises(tensix.UnsupportedError, match="carried"):
        tensix.run(program, x, carry=True, engine="fast")


def test_config_and_thread():
    # RWCs by address modifier 2 of the issuing thread: each store goes two rows further.
    text = ".dst fp32\n.tile\n" + "sfpload L0,0,3,3\nsfpmov L0,L0,1\nsfpstore L0,0,3,2\n" * 32
    program = tensix.Program.from_asm(text, "bh")
    x = np.arange(1, 1025, dtype=np.float32)
    for thread in 0, 1, 2:
        y = tensix.run(
            program, x, thread=thread, config={"ADDR_MOD_DST_SEC2_DestIncr": 2}
        )
        assert_bit_exact(y, -x)


def test_threaded_program():
    text = """.dst fp32
.thread 1
sfpload L0,0,3,3
sfpmov L1,L0,1
sfpstore L1,0,3,3
.thread 2
ttnop
"""
    done = tensix.run(
        tensix.Program.from_asm(text, "bh"), np.ones(1, np.float32), full_output=True
    )
    assert done.engine == "reference" and "three threads" in done.reason
    assert done.output.tolist() == [-1]


def test_closed(square):
    with tensix.Kernel(square) as ready:
        ready(np.zeros(3, np.float32))
    with pytest.raises(tensix.ClosedError, match="kernel"):
        ready(np.zeros(3, np.float32))
    ready.close()


FLOATS = np.ones((4, 4), np.float32)


@pytest.mark.parametrize("arrays, options, message", [
    ((), {}, r"arrays: .* takes 1, got 0"),
    ((FLOATS, FLOATS), {}, r"arrays: .* takes 1, got 2"),
    ((FLOATS.astype(np.int32),), {}, "array 0: dtype int32 does not go with Dst format fp32"),
    ((FLOATS.astype(np.uint16),), {}, "payload= says"),
    ((FLOATS.astype(complex),), {}, "array 0: dtype complex128"),
    ((FLOATS.astype(bool),), {}, "array 0: dtype bool"),
    ((np.array(["a"]),), {}, "array 0: dtype <U1"),
    ((np.array([None]),), {}, "array 0: dtype object"),
    ((FLOATS.astype(">f4"),), {}, "array 0: dtype >f4 has another byte order"),
    ((np.frombuffer(b"x" * 17, np.uint8)[1:].view(np.float32),), {}, "array 0: not aligned"),
    (([1.0, 2.0],), {}, "array 0: list is no array"),
    ((np.ma.masked_array([1.0, 2.0], [True, False]),), {}, "array 0: a masked array"),
    ((None,), {}, "array 0: NoneType is no array"),
    ((FLOATS,), {"layout": "rows"}, "layout: 'rows'"),
    ((FLOATS,), {"engine": "quick"}, "engine: 'quick'"),
    ((FLOATS,), {"findings": "print"}, "findings: 'print'"),
    ((FLOATS,), {"dst": "fp64"}, "dst: 'fp64'"),
    ((FLOATS,), {"dst": 5}, "dst: 5"),
    ((FLOATS,), {"seed": -1}, "seed: word 0 is -1"),
    ((FLOATS,), {"seed": 1 << 32}, "seed"),
    ((FLOATS,), {"thread": 3}, "thread: 3"),
    ((FLOATS,), {"jobs": 0}, "jobs: 0"),
    ((FLOATS,), {"config": {"NOTHING": 1}}, "no field NOTHING"),
    ((FLOATS,), {"config": {"ADDR_MOD_DST_SEC2_DestIncr": 1 << 20}}, "does not fit"),
    ((FLOATS,), {"rules": ["x=y"]}, "rules: 'x=y'"),
    ((FLOATS,), {"strict": True, "engine": "fast"}, "engine: .*strict"),
    ((FLOATS,), {"out": np.zeros(16, np.float32)}, "out: float32 "),
    ((FLOATS,), {"out": np.zeros((4, 4), np.float64)}, "out: float64"),
    ((FLOATS,), {"out": np.zeros((4, 8), np.float32)[:, ::2]}, "out: not C-contiguous"),
    ((FLOATS,), {"out": np.broadcast_to(np.float32(0), (4, 4))}, "out: "),
    ((FLOATS,), {"arch": "wh"}, "arch: wh, but the kernel is for blackhole"),
    ((FLOATS.astype(np.uint16),), {"payload": "fp99"}, "'fp99' is no format"),
    ((FLOATS.astype(np.uint16),), {"payload": "int16"}, "does not go with Dst"),
    ((np.ones(3, np.int64) << 40,), {"dst": "int32"}, "does not fit into Dst format int32"),
    ((np.full(3, 40000),), {"dst": "int16"}, "40000 does not fit into Dst format int16"),
    ((FLOATS,), {"dst": "int32"}, "which takes integers"),
])
def test_refusals(arrays, options, message):
    program = tensix.Program.from_asm(SQUARE, "bh")
    with pytest.raises((TypeError, ValueError, KeyError, tensix.TensixError), match=message):
        tensix.run(program, *arrays, **options)
    assert tensix.run(program, FLOATS).sum() == 16  # and all is well


ABSOLUTE = """
    sfpload L0,0,3,3
    sfpsetcc L0,0,0
    sfpmov L0,L0,1
    sfpencc 0,0
    sfpstore L0,0,3,3
"""


def rows(text):
    return "\n".join(text.replace("@", str(a)) for a in range(0, 64, 2))


@pytest.mark.parametrize("arch", ["bh", "wh"])
@pytest.mark.parametrize("engine", ["fast", "reference"])
def test_integer_formats(arch, engine):
    same = tensix.Program.from_asm(rows("sfpload L0,@,4,3\nsfpstore L0,@,4,3"), arch)
    half = tensix.Program.from_asm(rows("sfpload L0,@,6,3\nsfpstore L0,@,6,3"), arch)
    for program, dst, kind in ((same, "int32", np.int32), (same, "int32-sm", np.int32),
                               (same, "uint32", np.uint32), (half, "int16", np.int16),
                               (half, "int16-sm", np.int16), (half, "uint16", np.uint16),
                               (half, "uint16-dst32", np.uint16)):
        least, most = np.iinfo(kind).min + (2 if dst.endswith("-sm") else 0), np.iinfo(kind).max
        x = np.array([least, most, 0, 1, most - 1, least + 1] * 400, kind)
        done = tensix.Kernel(program, dst=dst, engine=engine).run(x)
        assert done.output.dtype == kind and np.array_equal(done.output, x), dst
        assert done.findings == []
        with pytest.raises(ValueError, match=f"does not fit into Dst format {dst}"):
            tensix.run(program, np.array([int(most) + 1]), dst=dst)
    wrong = tensix.Program.from_asm(rows("sfpload L0,@,4,3\nsfpcast L0,L0,0"), arch)
    x = np.arange(1024, dtype=np.int32)
    found = tensix.Kernel(wrong, dst="int32", findings="ignore", engine=engine).run(x).findings
    assert [f.rule for f in found] == ["E-INT"] * len(found) and found
    cast = tensix.Program.from_asm(rows("sfpload L0,@,6,3\nsfpcast L0,L0,0\nsfpstore L0,@,3,3"),
                                   arch)
    done = tensix.Kernel(cast, dst="uint16-dst32", out_dst="fp32").run(x.astype(np.uint16))
    assert np.array_equal(done.output, x.astype(np.float32)) and done.findings == []


@pytest.mark.parametrize("arch", ["bh", "wh"])
def test_start(arch):
    x = np.tile(np.array([-1, -1, 2, 2], np.float32), 256)
    plain = tensix.Program.from_asm(ABSOLUTE, arch)
    vendor = tensix.Program.from_asm(".start vendor" + ABSOLUTE, arch)
    assert (plain.start, vendor.start) == (None, "vendor")
    right = tensix.Kernel(vendor).run(x)
    assert right.output[:4].tolist() == [1, -1, 2, 2] and right.findings == []
    wrong = tensix.Kernel(plain, findings="ignore").run(x)
    assert wrong.output[:4].tolist() == [1, -1, -2, 2]
    assert [f.rule for f in wrong.findings] == ["E-CC"]
    assert tensix.Kernel(plain, start="vendor").run(x).findings == []
    words = tensix.Program.from_words(plain.words, arch, start="vendor")
    assert tensix.Kernel(words).run(x).findings == []
    assert tensix.Program.record(lambda t: t.TTI_SFPNOP(), arch).start == "vendor"
    machine = tensix.Machine(arch, start="vendor")
    machine.run("sfpsetcc L0,0,0")
    assert machine.findings == []
    with pytest.raises(ValueError, match="start: 'x' is neither vendor nor reset"):
        tensix.Kernel(plain, start="x")


def test_read_only_out():
    out = np.zeros((4, 4), np.float32)
    out.flags.writeable = False
    with pytest.raises(ValueError, match="out: read-only"):
        tensix.run(tensix.Program.from_asm(SQUARE, "bh"), FLOATS, out=out)


def test_other_shape():
    with pytest.raises(ValueError, match=r"array 1: shape \(4,\), but array 0 has \(4, 4\)"):
        tensix.run(tensix.Program.from_asm(ADD, "bh"), FLOATS, FLOATS[0])


@pytest.mark.parametrize("kernel, error", [(5, TypeError), (None, TypeError),
                                           ("no/such/file.s", OSError)])
def test_no_kernel(kernel, error):
    with pytest.raises(error):
        tensix.run(kernel, FLOATS, arch="bh")


def test_kernel_that_does_not_say_its_chip(kernels):
    with pytest.raises(tensix.AssemblyError, match="chip is not known"):
        tensix.run(kernels / "relu.s", FLOATS)
