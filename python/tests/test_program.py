# SPDX-License-Identifier: Apache-2.0
import inspect
import re

import numpy as np
import pytest

import tensix


def test_words_and_text():
    # The worked example of docs/tour.md.
    program = tensix.Program.from_asm("sfpmad L4,L1,L2,L3,0\nsfpnop", "bh")
    assert program.words == [0x84012340, 0x8F000000] and program.init == []
    assert program.disassemble() == "sfpmad L4,L1,L2,L3,0\nsfpnop"
    assert program.disassemble(macros=True) == "TTI_SFPMAD(1, 2, 3, 4, 0)\nTTI_SFPNOP()"
    assert tensix.disassemble(0x84012340, "bh") == "sfpmad L4,L1,L2,L3,0"
    assert tensix.disassemble(0xFF000000, "bh") == ".word 0xff000000"
    assert "2 words" in repr(program)


def test_from_words():
    program = tensix.Program.from_words(
        np.array([0x84012340], np.uint32), "wh", init=[0x8F000000], dst="bf16", inputs=2, output=1
    )
    assert (program.words, program.init) == ([0x84012340], [0x8F000000])
    assert (program.arch, program.dst, program.inputs, program.output) == (
        "wormhole_b0", "bf16", 2, 1)


def test_from_file(kernels, tmp_path):
    program = tensix.Program.from_file(kernels / "reciprocal.s")
    assert (program.arch, program.dst, program.reference) == ("blackhole", "fp32", "recip")
    assert program.title == "1/x through SFPARECIP and Newton"
    assert not program.threaded
    path = tmp_path / "words.hex"
    path.write_text("84012340\n8f000000\n")
    assert tensix.Program.from_file(path, "bh").words == [0x84012340, 0x8F000000]
    with pytest.raises(ValueError, match="does not name its chip"):
        tensix.Program.from_file(path)
    with pytest.raises(ValueError, match="states .arch blackhole, arch is wormhole_b0"):
        tensix.Program.from_file(kernels / "reciprocal.s", "wh")


def test_include(tmp_path):
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "a.inc").write_text('.include "b.inc"\n')
    (tmp_path / "lib" / "b.inc").write_text("sfpnop\n.if BLACKHOLE\nsfpnop\n.endif\n")
    kernel = tmp_path / "k.s"
    kernel.write_text('.include "lib/a.inc"\nsfpnop\n')
    assert len(tensix.Program.from_file(kernel, "bh").words) == 3
    assert len(tensix.Program.from_file(kernel, "wh").words) == 2
    (tmp_path / "lib" / "b.inc").write_text("\nsfpmda\n")
    with pytest.raises(tensix.AssemblyError, match=r"lib/b\.inc:2:1: there is no instruction"):
        tensix.Program.from_file(kernel, "bh")
    with pytest.raises(tensix.AssemblyError, match="belongs into a file"):
        tensix.Program.from_asm('.include "a.inc"', "bh")
    for name, message in (("gone.inc", r"gone\.inc: No such file"), ("../x", "without '..'"),
                          ("/etc/passwd", "without '..'"), ("lib", "directory")):
        kernel.write_text(f'.include "{name}"')
        with pytest.raises(tensix.AssemblyError, match=message) as caught:
            tensix.Program.from_file(kernel, "bh")
        assert (caught.value.line, caught.value.column) == (1, 10)


def test_errors_say_where():
    with pytest.raises(tensix.AssemblyError) as caught:
        tensix.Program.from_asm("sfpnop\n  sfpmda L4,L1,L2,L3,0\n", "bh", name="k.s")
    error = caught.value
    assert (error.line, error.column, error.source) == (2, 3, "  sfpmda L4,L1,L2,L3,0")
    assert "k.s:2:3: there is no instruction 'sfpmda'" in str(error)
    assert str(error).endswith("^~~~~~")


@pytest.mark.parametrize("call, message", [
    (lambda: tensix.Program.from_words([1, "2"], "bh"), "word 1 is '2', no integer"),
    (lambda: tensix.Program.from_words([2**32], "bh"), "word 0 is 4294967296"),
    (lambda: tensix.Program.from_words("abc", "bh"), "not str"),
    (lambda: tensix.Program.from_words(7, "bh"), "int is no list"),
    (lambda: tensix.Program.from_words([1], "bh", init=[-1]), "init: word 0 is -1"),
    (lambda: tensix.Program.from_words([1], "bh", dst="x"), "dst: 'x'"),
    (lambda: tensix.Program.from_words([1], "bh", inputs=99), "inputs"),
    (lambda: tensix.Program.from_words([1], None), "arch: a chip is wanted"),
    (lambda: tensix.Program.from_asm(5, "bh"), "source: int is no text"),
    (lambda: tensix.Program.record(lambda r: None, None), "arch: a chip is wanted"),
    (lambda: tensix.Program.record(lambda r: None, "bh", tile="x"), "tile, include"),
    (lambda: tensix.Program.record(lambda r: None, "bh", init="x"), "init: a function"),
    (lambda: tensix.Program.record("x.cpp", "bh", init=lambda r: None), "init: the name"),
    (lambda: tensix.Program.record(lambda r: None, "bh", title='"'), "title: .* quote"),
    (lambda: tensix.disassemble(-1, "bh"), "word 0 is -1"),
])
def test_refusals(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()


# ---- recorded functions ----


def negate(r):
    for row in range(0, 64, 2):
        r.TTI_SFPLOAD(0, 0, 3, row)
        r.TTI_SFPMOV(lreg_c=0, lreg_dest=1, imm12_math=0, instr_mod1=1)
        r.TTI_SFPSTORE(1, 0, 3, row)


def test_recorded_function():
    program = tensix.Program.record(negate, "bh", dst="fp32", title="negate")
    assert program.name == "negate" and program.title == "negate"
    x = np.arange(1, 1001, dtype=np.float32)
    assert np.array_equal(tensix.run(program, x), -x)
    assert np.array_equal(tensix.run(negate, x, arch="wh"), -x)
    file, line = program.source_of(program.words[1])
    assert file == __file__
    assert line == inspect.getsourcelines(negate)[1] + 3
    assert program.source_of(0x12345678) is None


def test_recorder():
    recorder = tensix.Recorder("bh")
    recorder.SFPMAD(1, 2, 3, 4, 0)  # lreg_src_a, b, c, lreg_dest, instr_mod1 (mnemonics.tsv)
    recorder.word(0x8F000000)
    recorder.asm("sfpmad L4,L1,L2,L3,0\nsfpnop")
    assert recorder.words == [0x84012340, 0x8F000000] * 2
    assert recorder.TT_OP_SFPNOP() == 0x8F000000  # a value, not emitted
    assert len(recorder.words) == 4
    for call, message in (
        (lambda: recorder.TTI_SFPMAD(1, 2, 3, 4, 16), "SFPMAD: instr_mod1 is 16, outside 0 .. 15"),
        (lambda: recorder.TTI_SFPMAD(1, 2, 3, 4), "operand instr_mod1 is missing"),
        (lambda: recorder.TTI_SFPMAD(1, 2, 3, 4, 5, 6), "5 operands"),
        (lambda: recorder.TTI_SFPMAD(1, 2, 3, 4, instr_mod2=0), "no operand 'instr_mod2'"),
        (lambda: recorder.TTI_SFPMAD(1, 2, 3, 4, 0, lreg_dest=1), "5 operands|twice"),
        (lambda: recorder.TTI_SFPMAD(1, 2, 3, 4, lreg_dest=1), "given twice"),
        (lambda: recorder.TTI_SFPMAD(1.0, 2, 3, 4, 0), "lreg_src_a is 1.0, no integer"),
    ):
        with pytest.raises((TypeError, ValueError), match=message):
            call()
    with pytest.raises(AttributeError, match="blackhole has no instruction TTI_NOTHING"):
        recorder.TTI_NOTHING()
    with pytest.raises(AttributeError, match="wormhole_b0 has no instruction TTI_SFPARECIP"):
        tensix.Recorder("wh").TTI_SFPARECIP(0, 0, 0, 0)
    assert len(recorder.words) == 4


def test_init_function():
    program = tensix.Program.record(
        lambda r: r.asm("sfpstore L0,0,3,3"), "bh", init=lambda r: r.asm("sfploadi L0,0x3f80,0"),
        dst="fp32",
    )
    assert len(program.init) == 1 and len(program.words) == 1
    assert tensix.run(program, np.zeros(1, np.float32)).tolist() == [1.0]


def test_encodings_of_the_table(root, rng):
    """Every macro of both chips with random operands, against the table of the vendor's fields."""
    checked = 0
    for line in (root / "tests" / "data" / "mnemonics.tsv").read_text().splitlines():
        if line.startswith("#"):
            continue
        chip, _, opcode, fields, macro = (line.split("\t") + [""] * 5)[:5]
        name, _, parameters = macro.rstrip(")").partition("(")
        places = {}
        for field in filter(None, fields.split(", ")):
            operand, _, place = field.partition("=")
            found = re.fullmatch(r"[^@]*@(\d+):(\d+)(\{.*)?", place)
            if found:
                places[operand] = int(found[1]), int(found[2])
        wanted = list(filter(None, parameters.split(", ")))
        if not name or not places.keys() >= set(wanted):
            continue  # SFPLOADMACRO's register in two pieces, fields without place
        for _ in range(20):
            word, values = int(opcode, 16) << 24, []
            for lsb, width in (places[operand] for operand in wanted):
                values.append(int(rng.integers(0, 1 << width)))
                word |= values[-1] << lsb
            recorder = tensix.Recorder(chip)
            getattr(recorder, "TTI_" + name)(*values)
            assert recorder.words == [word], line
            checked += 1
    assert checked > 20 * 180


def test_record_a_source(root):
    import shutil

    if shutil.which("c++") is None:
        pytest.skip("no C++ compiler")
    source = root / "examples" / "llk_style" / "relu.cpp"
    program = tensix.Program.record(source, "bh", tile="kernel")
    listing = (root / "tests" / "data" / "llk_style" / "relu-bh.hex").read_text()
    words = [int(line.split()[0], 16) for line in listing.splitlines()
             if line.strip() and not line.startswith("#")]
    assert program.words == words
    x = np.linspace(-3, 3, 1000, dtype=np.float32)
    assert np.array_equal(tensix.run(program, x), np.maximum(x, 0))
    again = tensix.Program.record(
        source, "bh", tile="kernel", dst="bf16", inputs=1, title="again", define=["UNUSED=1"],
        include=[root / "include"], compiler="c++", standard="gnu++17",
    )
    assert (again.words, again.dst, again.title) == (words, "bf16", "again")
    with pytest.raises(tensix.InputError, match="no_such"):
        tensix.Program.record(source, "bh", tile="no_such")
