# SPDX-License-Identifier: Apache-2.0
"""measure, find_gaps, cycles, run_l1, evaluate, run_tile: what runs once, and what it says."""

import math
import struct

import numpy as np
import pytest

import tensix

# RISC-V by hand, encodings of the manual: lui a0, 0x20; li a1, 42; sw a1, 0(a0); ebreak
A, B, OUT = 0x10000, 0x18000, 0x20000  # examples/tiles/matmul.s
STORE42 = [0x00020537, 0x02A00593, 0x00B52023, 0x00100073]
LOOP = [0x00150513, 0xFFDFF06F]  # addi a0, a0, 1; j -4


def test_measure(kernels):
    x = np.linspace(-3, 3, 2000, dtype=np.float32).reshape(40, 50)
    done = tensix.measure(kernels / "exp.s", x, arch="bh", reference="exp", jobs=2)
    same = tensix.run(kernels / "exp.s", x, arch="bh")
    assert done.output.shape == x.shape and done.output.dtype == np.float32
    assert np.array_equal(done.output.view(np.uint32), same.view(np.uint32))
    # ULP by the definition of docs/cli.md, against exp of the C library in double.
    right = np.exp(x.astype(np.float64))
    unit = 2.0 ** (np.floor(np.log2(right)) - 23)
    assert done.accuracy["compared"] == 2000
    assert abs(done.accuracy["max_ulp"] - np.max(np.abs(done.output - right) / unit)) <= 0.5
    assert done.findings == [] and done.report["tiles"] == 2
    assert done.report["inputs"][0]["file"] == "array 0"


def test_measure_against_an_array(kernels):
    x = np.float32([-1, 2, 3])
    assert tensix.measure(kernels / "relu.s", x, arch="wh",
                          reference=np.float32([0, 2, 3])).accuracy["exact"] == 3
    off = tensix.measure(kernels / "relu.s", x, arch="wh", reference=np.float32([0, 2, 3.0000002]))
    assert (off.accuracy["exact"], off.accuracy["max_ulp"]) == (2, 1.0)
    assert off.accuracy["worst"][0]["element"] == 2
    none = tensix.measure(kernels / "relu.s", x, arch="wh")
    assert none.accuracy is None and none.output.tolist() == [0, 2, 3]


def test_measure_patterns_and_gaps(kernels):
    patterns = np.array([0x3FC0, 0xC000], np.uint16)  # 1.5, -2
    done = tensix.measure(kernels / "relu.s", patterns, arch="bh", payload="bf16", gaps="seed=3")
    assert done.output.tolist() == [1.5, 0.0]
    # Pauses are in the cycles: as many idle ones as each=1..1 puts before the words of .tile.
    words = len(tensix.Program.from_file(kernels / "relu.s", "bh").words)
    plain, paused = (tensix.measure(kernels / "relu.s", np.ones(1024, np.float32), arch="bh",
                                    gaps=gaps).report["tile_total"]["cycles"]
                     for gaps in ("", "each=1..1"))
    assert plain < paused <= plain + words
    with pytest.raises(tensix.InputError, match="gaps"):
        tensix.measure(kernels / "relu.s", patterns, arch="bh", payload="bf16", gaps="often")
    with pytest.raises(ValueError, match="layout: 'rows' is none of flat, tiles"):
        tensix.measure(kernels / "relu.s", patterns, arch="bh", layout="rows")
    with pytest.raises(TypeError, match="reference: a name or an array"):
        tensix.measure(kernels / "relu.s", patterns, arch="bh", reference=np.exp)


def test_progress_of_runs(kernels):
    x = np.zeros(1024 * 1000, np.float32)
    for call in (tensix.run, tensix.measure):
        for engine in ("fast", "reference"):
            seen = []
            call(kernels / "relu.s", x[:1024 * 60], arch="bh", engine=engine,
                 progress=lambda *n: seen.append(n))
            assert seen[0] == (0, 60) and seen[-1] == (60, 60) and sorted(seen) == seen
            with pytest.raises(tensix.Cancelled):
                call(kernels / "relu.s", x, arch="bh", engine=engine, progress=lambda *_: False)
            with pytest.raises(ZeroDivisionError):
                call(kernels / "relu.s", x, arch="bh", engine=engine, jobs=2,
                     progress=lambda *_: 1 // 0)


def test_find_gaps(kernels):
    """docs/cli.md: a pause of 1 before the next SFPLOADMACRO; an ordinary kernel has none."""
    found = tensix.find_gaps(kernels / "macro" / "recip_fp32_l16.s", arch="bh", most=1, budget=400)
    assert found and [gap.cycles for gap in found.gaps] == [1]
    source = (kernels / "macro" / "recip_fp32_l16.s").read_text().splitlines()
    assert "loadmacro" in source[found.gaps[0].line - 1].lower()
    none = tensix.find_gaps(kernels / "relu.s", np.ones(5, np.float32), arch="bh", most=1)
    assert not none and none.gaps == [] and none.trials > 0
    seen = []
    with pytest.raises(tensix.Cancelled):
        tensix.find_gaps(kernels / "exp.s", arch="bh", most=3, budget=10**6,
                         progress=lambda *n: seen.append(n) or len(seen) < 3)
    assert seen[0] == (0, 10**6) and len(seen) == 3


def test_cycles(kernels):
    where = tensix.cycles(kernels / "exp.s", arch="bh")
    x = np.zeros(1024, np.float32)
    assert where["tile_cycles"] == tensix.run(kernels / "exp.s", x, arch="bh",
                                              full_output=True).cycles
    assert where["row_cycles"] * 32 == where["tile_cycles"] and "stall-bound" in where["bound"]
    # 1024 elements through 32 lanes.
    assert where["sub_units"]["load"] % 32 == 0 and where["sub_units"]["store"] == 32


def lanes_of(profile):
    """Each as long as the run."""
    for lane in profile["lanes"]:
        assert lane["works"] + lane["waits"] + lane["idle"] == profile["cycles"]
    return {lane["lane"]: lane for lane in profile["lanes"]}


def test_profile(kernels, root):
    where = tensix.profile(kernels / "exp.s", arch="bh")
    assert where["cycles"] == tensix.cycles(kernels / "exp.s", arch="bh")["tile_cycles"]
    assert where["bound"] == "vector" and set(lanes_of(where)) == {"T1", "Vector"}
    tile = (np.ones((32, 32), np.float32), "bf16")
    product = tensix.profile(root / "examples/tiles/matmul.s", {0x10000: tile, 0x18000: tile},
                             arch="bh")
    assert {"T0", "T1", "T2", "Unpack 0", "Matrix", "Pack 0"} <= set(lanes_of(product))
    done = tensix.run_tile({"t1": STORE42}, arch="bh", profile=True)
    assert done.report["profile"]["cycles"] == done.cycles
    assert lanes_of(done.report["profile"])["core t1"]["works"] == 4


def test_from_l1_to_l1(root):
    """A tile times another one: small integers, whose sums are exact in every order."""
    rng = np.random.default_rng(1)
    a, b = (rng.integers(-2, 3, (32, 32)).astype(np.float32) for _ in range(2))
    matmul = root / "examples" / "tiles" / "matmul.s"
    done = tensix.run_l1(matmul, {A: (a, "bf16"), B: (b, "bf16")}, {OUT: ("bf16", (32, 32))},
                         arch="bh")
    assert np.array_equal(done.outputs[OUT], a @ b) and done.cycles > 0 and done.findings == []
    with pytest.raises(tensix.InputError, match="multiple of 16"):
        tensix.run_l1(matmul, {8: b"12"}, {}, arch="bh")
    with pytest.raises(TypeError, match="l1 0x10: bytes, .array, format. or a file is wanted"):
        tensix.run_l1(matmul, {16: 5}, {}, arch="wh")


def test_bytes_of_l1():
    """16 bytes from 0x10000 to 0x20000, by the Scalar Unit."""
    source = """
        .arch bh
        ttsetdmareg 0, 0x1000, 0, 2
        ttsetdmareg 0, 0x2000, 0, 4
        ttloadind 0, 6, 0, 8, 1
        ttflushdma 1
        ttstoreind 1, 0, 0, 6, 0, 8, 2
    """
    done = tensix.run_l1(tensix.Program.from_asm(source), {0x10000: struct.pack("<4I", 5, 6, 7, 8)},
                         {0x20000: "uint32:4:rows"})
    assert done.outputs[0x20000].tolist() == [5, 6, 7, 8]


def test_evaluate():
    done = tensix.evaluate("sfpmad L2,L0,L1,L9,0", arch="bh", L0=1.5, L1=np.float32(3))
    assert list(done.changed) == ["L2"] and (done["L2"] == 4.5).all() and done.cycles == 2
    assert done.changed["L2"].before.tolist() == [0] * 32
    lanes = tensix.evaluate("sfpiadd L1,L0,-5,5", arch="wh", L0=[1, 2, -3])
    assert lanes.changed["L1"].integers[:4].tolist() == [-4, -3, -8, -4]
    more = tensix.evaluate("setdmareg 0,5,0,8; sfpnop", arch="bh", thread=2, set={"GPR4": 7})
    assert more.changed["GPR4"].before.tolist() == [7] and more.changed["GPR4"].after[0] == 5
    assert more.report["instructions"] == 2
    assert tensix.evaluate("sfpnop", arch="bh").changed == {}
    with pytest.raises(tensix.InputError, match="Q9"):
        tensix.evaluate("sfpnop", arch="bh", Q9=1)
    with pytest.raises(ValueError, match="L0: a value does not fit"):
        tensix.evaluate("sfpnop", arch="bh", L0=2**32)
    with pytest.raises(tensix.LabError) as stopped:
        tensix.evaluate("sfpload L0,0,3,3", arch="bh", strict=True)
    assert not isinstance(stopped.value, tensix.InputError)


def test_evaluate_with_l1():
    done = tensix.evaluate("sfpnop", arch="bh", l1={0x2000: (np.float32([1.5, -2]), "bf16:rows")},
                           l1_out={0x2000: "bf16:2:rows"})
    assert done.l1[0x2000].tolist() == [1.5, -2.0]


def test_run_tile_races():
    store = [0x00030537, 0x00052303, 0x00652223, 0x0000006F]  # lui, lw, sw 4(x10), for ever
    done = tensix.run_tile({"t0": store, "t1": store}, arch="bh", poke={0x30000: 7}, races=True,
                           witness=True, budget=5)
    (race,) = done.report["races"]["races"]
    assert race["state"] == "L1 from 0x30000 on"
    assert {p["core"] for p in race["places"]} == {"t0", "t1"}
    assert race["trials"] == 5 and race["delays"] is None
    alone = tensix.run_tile({"t0": store}, arch="bh", poke={0x30000: 7}, races=True)
    assert alone.report["races"]["races"] == []


def test_run_tile():
    done = tensix.run_tile({"t1": STORE42}, arch="bh", l1_out={0x20000: "uint32:1:rows"})
    assert done.outputs[0x20000].tolist() == [42] and done.findings == []
    assert list(done.cores) == ["t1"] and done.cores["t1"].state == "paused"
    assert done.cores["t1"].instructions == 4 and 4 <= done.cycles < 1000
    ended = tensix.run_tile({"T1": bytes(np.uint32(STORE42))}, arch="wh", until={0x20000: 42})
    assert ended.cycles < 1000
    with pytest.raises(tensix.LabError, match="00020000 is 0000002a, not 0000002b"):
        tensix.run_tile({"t1": STORE42}, arch="bh", until={0x20000: 43})
    with pytest.raises(ValueError, match="programs: 't9' is none of the cores b, t0, t1, t2, nc"):
        tensix.run_tile({"t9": STORE42}, arch="bh")
    with pytest.raises(tensix.Cancelled):
        tensix.run_tile({"t0": LOOP}, arch="bh", max_cycles=10**9, until={0x20000: 1},
                        progress=lambda done, total: done == 0)


def test_run_tile_pokes():
    """lui a0, 0x20; lw a1, 16(a0); addi a1, a1, 1; sw a1, 0(a0); ebreak"""
    program = [0x00020537, 0x01052583, 0x00158593, 0x00B52023, 0x00100073]
    done = tensix.run_tile({"b": program}, arch="bh", poke={0x20010: 7},
                           l1_out={0x20000: "uint32:1:rows"})
    assert done.outputs[0x20000].tolist() == [8]
    given = tensix.run_tile({"b": program}, arch="bh", l1={0x20010: struct.pack("<I", 9)},
                            l1_out={0x20000: "uint32:1:rows"})
    assert given.outputs[0x20000].tolist() == [10]
    assert math.isclose(given.cycles, done.cycles, rel_tol=0.5)
