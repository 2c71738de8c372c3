# SPDX-License-Identifier: Apache-2.0
"""The programs of examples/tiles on both chips, by the commands that their heads print.

    examples.py TENSIX EXAMPLES [--report]

Expected bytes come from model.py. --report prints the errors beside float64 that
examples/README.md states. One line a check, "ok" or "not ok"; status 1 where one is not.
"""
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import model as m  # noqa: E402

RANDOM = np.random.default_rng(16)
failed = 0


def say(name, good, why=""):
    global failed
    failed += not good
    print(("ok " if good else "not ok ") + name + (": " + why if why and not good else ""))


def bf16(low=-8, high=8, shape=(32, 32)):
    """Random BF16 patterns, all bits of the fraction in use."""
    e = RANDOM.integers(127 + low, 127 + high, shape)
    return m.ints(RANDOM.integers(0, 2, shape) << 15 | e << 7 | RANDOM.integers(0, 128, shape))


def uniform(low, high, shape=(32, 32), random=RANDOM):
    """BF16 patterns of numbers that are evenly distributed."""
    return m.ints(random.uniform(low, high, shape).astype(np.float32).view(np.uint32)) >> 16


def store(name, x, kind=m.BF16):
    if kind == "uint32":
        np.save(name, x.astype(np.uint32))
    elif kind in (m.INT32, m.INT8):
        np.save(name, m.number(x, kind).astype(np.int32 if kind == m.INT32 else np.int8))
    else:
        np.save(name, m.number(x, kind).astype(np.float32))


def load(name, kind=m.BF16):
    data = np.load(name)
    if kind == m.INT32:
        return m.sm32(data.astype(np.int64))
    if kind == "uint32":
        return m.ints(data)
    return m.ints(data.view(np.uint32)) >> (0 if kind == m.FP32 else 16)


def head_command(path):
    """The command in the comment at the head of a program."""
    lines = []
    for line in open(path, encoding="utf-8"):
        if not line.startswith("#"):
            break
        lines.append(line[1:].strip())
    text = re.sub(r"\\\n", " ", "\n".join(lines))
    return re.search(r"^tensix run .*$", text, re.M).group(0)


class Example:
    """One program: its inputs are written, its command is run, its outputs are read."""

    def __init__(self, tensix, examples, name):
        self.tensix, self.examples, self.name = tensix, examples, name
        self.path = os.path.join(examples, "tiles", name)
        self.cycles = 0     # of .tile, of the latest run

    def run(self, arch, inputs, output, kind=m.BF16, equ=None, kinds=None):
        """The patterns that come out; equ sets constants of the text."""
        label = " ".join([self.name, arch] + ["%s=%s" % item for item in (equ or {}).items()])
        with tempfile.TemporaryDirectory() as work:
            here = os.getcwd()
            os.chdir(work)
            try:
                shutil.copytree(os.path.join(self.examples, "tiles"), "examples/tiles")
                self.edit(equ or {})
                for name, x in inputs.items():
                    store(name + ".npy", x, (kinds or {}).get(name, m.BF16))
                command = head_command(self.path).replace("--arch bh", "--arch " + arch)
                command = command.replace("tensix", self.tensix, 1)
                done = subprocess.run(command, shell=True, capture_output=True, text=True)
                cycles = re.search(r"^cycles .*?(\d+) \(init (\d+)\)$", done.stdout, re.M)
                self.cycles = int(cycles.group(1)) - int(cycles.group(2)) if cycles else 0
                clean = re.search(r"^findings *none$", done.stdout, re.M) is not None
                say(label + ": runs, no finding", done.returncode == 0 and clean,
                    (done.stderr + done.stdout[-400:]).replace("\n", "|"))
                return label, load(output + ".npy", kind) if done.returncode == 0 else None
            finally:
                os.chdir(here)

    def edit(self, equ):
        path = os.path.join("examples", "tiles", self.name)
        text = open(path, encoding="utf-8").read()
        for name, value in equ.items():
            text, count = re.subn(r"(?m)^\.equ %s, .*$" % name, ".equ %s, %s" % (name, value), text)
            assert count == 1, name
        open(path, "w", encoding="utf-8").write(text)

    def check(self, arch, inputs, want, output, **more):
        label, got = self.run(arch, inputs, output, **more)
        if got is not None and got.shape != want.shape:
            say(label, False, "shape %s, not %s" % (got.shape, want.shape))
        elif got is not None:
            differ = [tuple(place) for place in np.argwhere(got != want)]
            say(label, not differ, differ and "%d differ, first at %s: %x, not %x" % (
                len(differ), differ[0], got[differ[0]], want[differ[0]]))
        return got


def style(arch, wide=False):
    return m.Style(True, wide, arch == "wh")


def packed(dst, wide=False, target=m.BF16):
    """What the packer makes of Dst, element by element."""
    return m.late(m.early(dst, wide, m.BF16), m.BF16, target)


def moves(example, report):
    x, y = bf16(-60, 60), bf16(-60, 60)
    x[3, :4] = [0, 0x7F80, 0xFF80, 0x0080]
    for arch in ("bh", "wh"):
        example("datacopy.s").check(arch, {"x": x}, x, "y")
        example("transpose.s").check(arch, {"x": x}, x.T, "y")
        near, other = bf16(-3, 3), bf16(-3, 3)
        example("accumulate.s").check(arch, {"x": near, "sum": other},
                                      m.l1_add(other, near, m.BF16), "y")
        # BFP8 as the host makes it is what the model makes of the numbers that fit it.
        exponents, data = m.assemble_bfp8(m.faces(y))
        there = m.unfaces(m.bfp8_to_bf16(data, np.repeat(exponents, 16)))
        example("bfp8.s").check(arch, {"x": there}, there, "y")


def eltwise(example, report):
    a, b = bf16(-6, 6), bf16(-6, 6)
    for arch in ("bh", "wh"):
        how = style(arch)
        left, right = m.operand(a, m.BF16), m.operand(b, m.BF16)
        want = packed(m.elwadd(left, right, how))
        example("add.s").check(arch, {"a": a, "b": b}, want, "c")
        for operation in range(3):
            for which in range(4):
                spread = m.broadcast(right, which)
                if operation < 2:
                    dst = m.elwadd(left, spread, how, subtract=operation == 1)
                else:
                    dst = np.zeros((32, 32), np.int64)
                    for phase in range(4):
                        dst = m.elwmul(dst, left, spread, phase, how)
                example("eltwise.s").check(arch, {"a": a, "b": b}, packed(dst), "c",
                                           equ={"OPERATION": operation, "BROADCAST": which})


def layouts(example, report):
    rows, tiles = bf16(-60, 60), bf16(-60, 60, (32, 64))
    long = bf16(-60, 60, (32, 128))
    for arch in ("bh", "wh"):
        example("tilize.s").check(arch, {"x": rows}, rows, "y")
        example("untilize.s").check(arch, {"x": tiles}, tiles, "y")
        example("mop.s").check(arch, {"x": rows}, rows, "y")
        one, four = example("datacopy.s"), example("double_buffer.s")
        one.check(arch, {"x": rows}, rows, "y")
        four.check(arch, {"x": long}, long, "y")
        say("double_buffer.s %s: %d cycles for four tiles, one takes %d" % (
            arch, four.cycles, one.cycles), 0 < four.cycles < 3 * one.cycles)


def reduces(example, report):
    x = bf16(-4, 4)
    for arch in ("bh", "wh"):
        how = style(arch)
        for operation, scale in ((0, 0x3F80), (0, 0x3D00), (1, 0x3F80)):
            row = np.full((32, 32), scale)
            b = tuple(p[:1, :16] for p in m.operand(row, m.BF16))
            dst = np.zeros((32, 32), np.int64)
            for j in (0, 16):
                sums, most = np.zeros((1, 16), np.int64), None
                for i in (0, 16):
                    a = tuple(p[i:i + 16, j:j + 16] for p in m.operand(x, m.BF16))
                    most = m.gmpool(a, how, most)
                    for phase in range(4):
                        sums = m.mvmul(sums, b, a, phase, how)
                dst[0, j:j + 16] = most if operation else sums[0]
            example("reduce.s").check(arch, {"x": x, "row": row}, packed(dst), "y",
                                      equ={"OPERATION": operation})


def integers(example, report):
    sign = RANDOM.integers(0, 2, (2, 32, 32)) << 31
    size = RANDOM.choice([0, 1, 77, 0x40000000, 0x7FFFFFFF], (2, 32, 32))
    x, old = np.where(size, sign | size, 0)
    small = m.ints(RANDOM.integers(-127, 128, (32, 32)))
    words = m.ints(RANDOM.integers(0, 1 << 32, 16))
    check = 0
    for word in words:
        check = (check << 4 & 0xFFFFFFFF | check >> 28) ^ int(word)
    results = [words.sum(), check, (words > 0x80000000).sum(),
               ((words >> 16) * (words & 0xFFFF)).sum()]
    for arch in ("bh", "wh"):
        example("accumulate_int32.s").check(
            arch, {"x": x, "sum": old}, m.l1_add(old, x, m.INT32), "y", kind=m.INT32,
            kinds={"x": m.INT32, "sum": m.INT32})
        number = small.astype(np.float32).view(np.uint32)
        example("int8_to_bf16.s").check(
            arch, {"x": np.where(small < 0, 128 - small, small)}, m.ints(number) >> 16, "y",
            kinds={"x": m.INT8})
        example("scalar.s").check(arch, {"x": words}, m.ints([r & 0xFFFFFFFF for r in results]),
                                  "y", kind="uint32", kinds={"x": "uint32"})


def stated_errors(examples):
    """The table of matmul64.s in examples/README.md: of phases and WIDE two figures."""
    with open(os.path.join(examples, "README.md"), encoding="utf-8") as file:
        rows = re.findall(r"^\| ([1-4]) \([A-Za-z0-9]+\) \|(.*)\|$", file.read(), re.M)
    stated = {}
    for phases, cells in rows:
        figures = [cell.strip() for cell in cells.split("|")]
        stated[int(phases), 0], stated[int(phases), 1] = figures[:2], figures[2:]
    return stated


def check_error(label, stated, error):
    """Three significant digits of the largest error and of the root mean square."""
    found = ["%.3g" % error.max(), "%.3g" % np.sqrt((error**2).mean())]
    say("%s: errors as stated" % label, [float(x) for x in found] == [float(x) for x in stated],
        "%s, stated %s" % (found, stated))


def matmuls(example, report):
    stated = stated_errors(example("matmul64.s").examples)
    own = np.random.default_rng(64)         # the figures of README.md are of these numbers
    for name, n, choices in (("matmul.s", 32, (0,)), ("matmul_relu.s", 32, (0,)),
                             ("matmul64.s", 64, (0, 1))):
        random = own if n == 64 else RANDOM
        a, b = (uniform(-1, 1, (n, n), random) for _ in range(2))
        exact = m.number(a, m.BF16) @ m.number(b, m.BF16)
        for arch in ("bh", "wh"):
            for fidelity in (4,) if name == "matmul_relu.s" else (1, 2, 3, 4):
                for wide in choices:
                    how = style(arch, bool(wide))
                    dst = m.matmul(m.operand(a, m.BF16), m.operand(b, m.BF16), range(fidelity), how)
                    want = packed(dst, bool(wide))
                    if name == "matmul_relu.s":
                        want = np.where(want >> 15, 0, want)
                    equ = {"FIDELITY": fidelity}
                    if len(choices) > 1:
                        equ["WIDE"] = wide
                    got = example(name).check(arch, {"a": a, "b": b}, want, "c", equ=equ)
                    if got is None or n != 64:
                        continue
                    error = np.abs(m.number(got, m.BF16) - exact)
                    check_error("%s %s %s" % (name, arch, equ), stated[fidelity, wide], error)
                    if report:
                        print("   %s %s %s: largest %.4f, root mean square %.5f of %.3f" % (
                            name, arch, equ, error.max(), np.sqrt((error**2).mean()),
                            np.sqrt((exact**2).mean())))


def close(example, label, got, exact, error, report):
    """Within what the program's head states, absolute or relative to each number."""
    if got is None:
        return
    most = np.abs(m.number(got, m.BF16) - exact).max() if error[1] == "absolute" else (
        np.abs(m.number(got, m.BF16) / exact - 1).max())
    say("%s: error at most %g" % (label, error[0]), most <= error[0], "%g" % most)
    if report:
        print("   %s: largest error %.4f, %s" % (label, most, error[1]))


def functions(example, report):
    a, b, bias = uniform(-1, 1), uniform(-1, 1), uniform(-2, 2)
    x, ones = uniform(-4, 4), np.full((32, 32), 0x3F80)
    x[0] = uniform(-80, 80, 32)
    phi = np.vectorize(lambda v: 0.5 * (1 + math.erf(v / math.sqrt(2))))
    linear = m.number(a, m.BF16) @ m.number(b, m.BF16) + m.number(bias, m.BF16)[0]
    e = np.exp(m.number(x, m.BF16))
    for arch in ("bh", "wh"):
        done = example("matmul_bias_gelu.s").run(arch, {"a": a, "b": b, "bias": bias}, "c")
        close(example, *done, linear * phi(linear), (0.025, "absolute"), report)
        label, got = example("softmax.s").run(arch, {"x": x, "ones": ones}, "y")
        exact = e / e.sum(axis=1, keepdims=True)
        seen = exact > 1e-30
        close(example, label, None if got is None else got[seen], exact[seen], (0.02, "relative"),
              report)


def main(argv):
    tensix, examples = os.path.abspath(argv[0]), os.path.abspath(argv[1])
    report = "--report" in argv
    seen = set()

    def example(name):
        seen.add(name)
        return Example(tensix, examples, name)

    for part in (moves, layouts, reduces, integers, functions, eltwise,
                 matmuls):
        part(example, report)
    there = {n for n in os.listdir(os.path.join(examples, "tiles")) if n.endswith(".s")}
    say("every program is checked", seen == there, str(sorted(seen ^ there)))
    print("%d failed" % failed)
    return failed != 0


sys.exit(main(sys.argv[1:]))
