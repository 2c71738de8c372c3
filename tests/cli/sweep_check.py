# SPDX-License-Identifier: Apache-2.0
"""sweep_check.py FUNCTION PRECISION LEAST CSV JSON: the figures of a sweep once more, from the
inputs and results of its CSV (one input a line), with fractions and decimals of 60 digits."""
import csv
import json
import math
import struct
import sys
from decimal import Decimal, getcontext
from fractions import Fraction

getcontext().prec = 60
getcontext().Emin, getcontext().Emax = -10**9, 10**9


def fp32(text):
    """The CSV has the shortest decimals that read back as FP32."""
    return struct.unpack("f", struct.pack("f", float(text)))[0]


def function(name, x):
    """The value as a fraction; inf where it is far beyond every format, 0 where far below."""
    if name == "exp":
        return math.inf if x > 1000 else Fraction(0) if x < -1000 else Fraction(Decimal(x).exp())
    if name == "sqrt":
        return Fraction(Decimal(x).sqrt())
    if name == "recip":
        return 1 / Fraction(x)
    if name == "square":
        return Fraction(x) ** 2
    assert name == "identity"
    return Fraction(x)


def exponent(v):
    """floor(log2 |v|)"""
    v = abs(v)
    e = v.numerator.bit_length() - v.denominator.bit_length()
    return e if v >= Fraction(2) ** e else e - 1


def rounded(v, p):
    unit = Fraction(2) ** (exponent(v) - p + 1)
    return round(v / unit) * unit  # round() goes to even


def special(name, x):
    """What the function is at zeros, infinities, NaN and outside of its domain; None elsewhere."""
    if math.isnan(x) or (name == "sqrt" and x < 0):
        return math.nan
    if name == "exp":
        return math.inf if x == math.inf else 0.0 if x == -math.inf else None
    if x == 0:
        return math.copysign(math.inf, x) if name == "recip" else 0.0
    if math.isinf(x):
        return 0.0 if name == "recip" else x * x if name == "square" else x
    return None


def apart(a, b, gap):
    """How far apart two numbers are, less what lies between zero and the least normal number."""
    crossed = (a != 0) + (b != 0) if a * b <= 0 else 0
    return abs(a - b) - crossed * gap


def judge(name, p, least, x, y):
    """ulp (None: mismatch), error before rounding in ULP, outcome."""
    if abs(x) < 2.0**least:
        x = math.copysign(0.0, x)
    raw = special(name, x)
    below = False
    if raw is None:
        raw = function(name, x)
        want = raw if raw == math.inf or raw == 0 else rounded(raw, p)
        top = (2 - Fraction(2) ** (1 - p)) * Fraction(2) ** 127
        below = want != math.inf and want < Fraction(2) ** least and -want < Fraction(2) ** least
        if below:
            raw = want = Fraction(0)
        elif abs(want) > top:
            want = math.inf if want > 0 else -math.inf
    else:
        want = raw
    if math.isnan(want) or math.isnan(y):
        same = math.isnan(want) and math.isnan(y)
        other = "undefined" if math.isnan(want) else "mismatch"
        return (0, None, "exact") if same else (None, None, other)
    if math.isinf(want) or math.isinf(y):
        return (0, None, "exact") if want == y else (None, None, "overflow")
    got = Fraction(y)
    if got != 0 and abs(got) < Fraction(2) ** least:
        got = Fraction(0)
    unit = Fraction(2) ** ((exponent(want) if want != 0 else least) - p + 1)
    gap = Fraction(2) ** least - Fraction(2) ** (least - p + 1)  # no number of the format is there
    ulp = apart(got, want, gap) / unit
    if ulp == 0:
        outcome = "unflushed" if y != got else "flushed" if below else "exact"
        return 0, apart(got, raw, gap) / unit, outcome
    return ulp, apart(got, raw, gap) / unit, "zeroed" if got == 0 else "inexact"


def main():
    name, p, least = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    lines = list(csv.DictReader(open(sys.argv[4])))
    report = json.load(open(sys.argv[5]))
    ulps, outcomes, far, breaks, before = [], {}, Fraction(0), 0, None
    for n, line in enumerate(lines):
        x, y = fp32(line["x"]), fp32(line["y"])
        ulp, distance, outcome = judge(name, p, least, x, y)
        told = None if line["ulp_error"] == "nan" else float(line["ulp_error"])
        if (told is None) != (ulp is None) or line["outcome"] != outcome or (
                ulp is not None and abs(told - float(ulp)) > 1e-8 * float(ulp)):
            sys.exit(f"line {n + 2}: {line}: {ulp} {outcome}")
        ulps.append(ulp)
        outcomes[outcome] = outcomes.get(outcome, 0) + 1
        far = max(far, distance or Fraction(0))
        here = None if math.isnan(x) or math.isnan(y) else (x, y)
        if before and here and here[0] > before[0] and here[1] < before[1]:
            breaks += 1
        before = here
    finite = sorted(u for u in ulps if u is not None)
    bands = {"0": sum(u == 0 for u in finite), "<=1": sum(0 < u <= 1 for u in finite),
             "<=3": sum(1 < u <= 3 for u in finite), "<=10": sum(3 < u <= 10 for u in finite),
             ">10": sum(u > 10 for u in finite)}
    accuracy = report["accuracy"]
    checks = {
        "compared": accuracy["compared"] == len(lines),
        "mismatched": accuracy["mismatched"] == len(ulps) - len(finite),
        "max": abs(accuracy["max_ulp"] - float(finite[-1])) <= 1e-12 * float(finite[-1]),
        "mean": math.isclose(accuracy["mean_ulp"], float(sum(finite) / len(finite)),
                             rel_tol=1e-9, abs_tol=1e-3),
        "unrounded": accuracy["max_ulp_unrounded"] == math.floor(far * 1024) / 1024,
        "bands": report["bands"] == bands,
        "outcomes": {k: v for k, v in report["outcomes"].items() if v} == outcomes,
    }
    if name in ("exp", "sqrt", "identity") and "monotony_breaks" in report:
        checks["monotony"] = report["monotony_breaks"] == breaks
    for part, figure in report["percentiles"].items():
        exact = finite[max(math.ceil(float(part[1:]) / 100 * len(finite) - 1e-9) - 1, 0)]
        # a gap of 2^-126 is lost where it is taken from a number that is much larger
        checks[part] = figure * (1 - 1e-15) <= exact <= figure * (1 + 1 / 128)
    for one in accuracy["worst"]:
        x, y = fp32(one["inputs"][0]["text"]), fp32(one["got"]["text"])
        ulp = float(judge(name, p, least, x, y)[0])
        checks["worst " + one["inputs"][0]["text"]] = ulp == one["ulp"]
    bad = [k for k, good in checks.items() if not good]
    if bad:
        mean = float(sum(finite) / len(finite))
        sys.exit(f"{bad}: {float(finite[-1])} {mean} {float(far)} {bands} {outcomes} {breaks}")
    print(len(lines), "inputs,", len(checks), "figures")


main()
