# SPDX-License-Identifier: Apache-2.0
"""shadow_check.py FUNCTION KERNEL JSON: shadow execution once more, with fractions.

The steps of a report are read as a program; from the emulator's results alone every exact value,
own error, error so far, share and the guilty step are computed and compared with the report."""
import json
import re
import struct
import sys
from decimal import Decimal, getcontext
from fractions import Fraction

getcontext().prec = 60
LEAST = Fraction(2) ** -126


def number(word):
    return Fraction(struct.unpack("<f", struct.pack("<I", word))[0])


def unit(v):
    """One unit in the last place of FP32 at v."""
    if abs(v) < LEAST:
        return Fraction(2) ** -149
    v = abs(v)
    e = v.numerator.bit_length() - v.denominator.bit_length()
    return Fraction(2) ** ((e if v >= Fraction(2) ** e else e - 1) - 23)


def apart(a, b):
    """a - b, less what lies between zero and the least normal number, where no number is."""
    gap = LEAST - Fraction(2) ** -149

    def place(v):
        return (1 if v > 0 else -1) * max(abs(v) - gap, 0)

    return a - b if a * b > 0 else place(a) - place(b)


def function(name, x):
    return 1 / x if name == "recip" else Fraction(Decimal(float(x)).exp())


def given(kernel):
    """LRegs that .init leaves: .loadi and sfpconfig."""
    regs, last = {"L9": Fraction(0), "L10": Fraction(1)}, {}
    for line in open(kernel):
        m = re.match(r"\.loadi\s+(L\d+),\s*float\(([^)]*)\)", line)
        if m and m[2] != "inf":
            last[m[1]] = regs[m[1]] = number(struct.unpack("<I", struct.pack(
                "<f", float(m[2])))[0])
        m = re.match(r"\s+sfpconfig\s+(1[1-4]), 0, 0", line)
        if m:
            regs["L" + m[1]] = last["L0"]
    return regs


# Neither a sum, a product, a move nor a power of two.
AS_IT_IS = {"sfpload", "sfploadi", "sfparecip", "sfpstochrnd", "sfpnot", "sfpsetman", "sfpshft"}


def program(steps, regs):
    """Each step: where its operands come from (a step, or a number) and what it makes of them."""
    made, out = {}, []

    def value(reg):
        return made.get(reg, regs.get(reg))

    for i, step in enumerate(steps):
        name, rest = step["instruction"].split(" ", 1)
        ops = rest.split(",")
        hw = number(int(step["result"], 16))
        if name in ("sfpstochrnd", "sfpshft"):  # sign and magnitude, two's complement
            word = int(step["result"], 16)
            hw = Fraction((word & 0x7FFFFFFF) * (-1 if word >> 31 else 1)
                          if name == "sfpstochrnd" else word - (word >> 31 << 32))
        if name in AS_IT_IS:
            assert step["taken"] in ("as it is", "constant", "input"), step
            out.append((hw, [], lambda hw=hw: hw))
        elif name in ("sfpmad", "sfpmul", "sfpadd"):
            a, b, c = {"sfpmad": lambda: (ops[1], ops[2], ops[3]),
                       "sfpmul": lambda: (ops[1], ops[2], "L9"),
                       "sfpadd": lambda: ("L10", ops[1], ops[2])}[name]()
            mode = int(ops[-1], 0)
            sa, sc = -1 if mode & 1 else 1, -1 if mode & 2 else 1
            out.append((hw, [value(a), value(b), value(c)],
                        lambda x, y, z, sa=sa, sc=sc: sa * x * y + sc * z))
        elif name == "sfpaddi":
            k = number((int(ops[1], 0) & 0xFFFF) << 16)
            out.append((hw, [value(ops[0])], lambda x, k=k: x + k))
        elif name == "sfpcast":
            word = int(steps[value(ops[1])]["result"], 16)
            whole = Fraction((word & 0x7FFFFFFF) * (-1 if word >> 31 else 1))
            out.append((hw, [], lambda whole=whole: whole))
        elif name == "sfpstore":
            out.append((hw, [value(ops[0])], lambda x: x))
        else:
            if name == "sfpiadd":
                hw = number(int(step["result"], 16))
            assert name in ("sfpsetexp", "sfpsetsgn", "sfpor", "sfpiadd", "sfpmov"), name
            source = value(ops[0] if name == "sfpor" else ops[1])
            before = out[source][0] if isinstance(source, int) else source
            factor = hw / before
            top, bottom = abs(factor.numerator), factor.denominator
            assert top & (top - 1) == 0 and bottom & (bottom - 1) == 0, step
            out.append((hw, [source], lambda x, factor=factor: x * factor))
        if name != "sfpstore":
            made[ops[0]] = i
    return out


def run(steps, emulated):
    """Values where the first steps are as the emulator has them and the others exact."""
    values = []
    for i, (hw, args, rule) in enumerate(steps):
        operands = [values[a] if isinstance(a, int) else a for a in args]
        values.append(hw if i < emulated else rule(*operands))
    return values


def close(told, mine):
    return abs(told - float(mine)) <= 1e-7 + 1e-9 * abs(float(mine))


def element(name, regs, one):
    steps = program(one["steps"], regs)
    exact = run(steps, 0)
    got = steps[-1][0]
    want = function(name, number(int(one["inputs"][0], 16)))
    before, shares = exact[-1], []
    assert one["got"] == one["steps"][-1]["result"]
    for i, (hw, args, rule) in enumerate(steps):
        told = one["steps"][i]
        own = rule(*[steps[a][0] if isinstance(a, int) else a for a in args])
        after = run(steps, i + 1)[-1]
        shares.append(apart(after, before))
        before = after
        assert abs(Fraction(told["exact"]) - exact[i]) <= abs(exact[i]) * Fraction(1, 10**11), told
        mine = apart(hw, own) / unit(own)
        assert close(told["own_ulp"], mine), (told, float(mine))
        assert close(told["ulp"], apart(hw, exact[i]) / unit(exact[i])), told
        assert close(told["share_ulp"], shares[i] / unit(want)), (told, float(shares[i]))
    assert close(one["error_ulp"], apart(got, want) / unit(want)), one["error_ulp"]
    assert close(one["method_ulp"], apart(exact[-1], want) / unit(want)), one["method_ulp"]
    most = max(range(len(steps)), key=lambda i: abs(shares[i]))
    if max(abs(apart(exact[-1], want)), abs(shares[most])) <= unit(want) / 1024:
        assert one["guilty"] is None, one["guilty"]
    elif abs(apart(exact[-1], want)) > abs(shares[most]):
        assert one["guilty"] == "method", one["guilty"]
    else:
        assert one["guilty"] == one["steps"][most], (one["guilty"], one["steps"][most])
    return len(steps)


def main():
    report = json.load(open(sys.argv[3]))
    regs = given(sys.argv[2])
    counts = [element(sys.argv[1], regs, one) for one in report["elements"]]
    assert counts and min(counts) > 5, counts
    print(len(counts), "elements,", sum(counts), "steps")


main()
