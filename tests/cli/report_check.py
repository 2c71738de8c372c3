# SPDX-License-Identifier: Apache-2.0
"""report_check.py FUNCTION X.npy Y.npy JSON: every figure of a sweep's report once more, with
mpmath, from inputs and from results that tensix run gave; the worst inputs one by one."""
import array
import json
import math
import struct
import sys

import mpmath

mpmath.mp.prec = 128
LEAST = mpmath.mpf(2) ** -126
TOP = mpmath.mpf(2) ** 128
FUNCTIONS = {
    "exp": mpmath.exp,
    "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)),
    "gelu": lambda x: x * mpmath.erfc(-x / mpmath.sqrt(2)) / 2,
    "recip": lambda x: 1 / x,
}
# At -Inf, -0, +0, Inf.
ENDS = {"exp": (0.0, 1.0, 1.0, math.inf), "sigmoid": (0.0, 0.5, 0.5, 1.0),
        "gelu": (0.0, 0.0, 0.0, math.inf), "recip": (0.0, -math.inf, math.inf, 0.0)}


def load(path):
    data = open(path, "rb").read()
    head = 10 + struct.unpack("<H", data[8:10])[0]
    values = array.array("f")
    values.frombytes(data[head:])
    return values


def unit(v):
    """2^(max(exponent, -126) - 23)"""
    return mpmath.mpf(2) ** (max(mpmath.frexp(v)[1] - 1, -126) - 23) if v else LEAST * 2 ** -23


def rounded(v):
    """To 24 bits, ties to even."""
    u = unit(v)
    q = v / u
    low = mpmath.floor(q)
    up = q - low > 0.5 or (q - low == 0.5 and int(low) % 2 == 1)
    return (low + (1 if up else 0)) * u


def value(name, x):
    """The function where denormals are zeros, unrounded; and whether it is below the range."""
    if math.isnan(x):
        return math.nan, False
    if math.isinf(x) or abs(x) < float(LEAST):
        place = (0 if x < 0 else 3) if math.isinf(x) else 1 if math.copysign(1, x) < 0 else 2
        return ENDS[name][place], False
    if name != "recip" and x > 1000:
        return (1.0, False) if name == "sigmoid" else (mpmath.mpf(x) if name == "gelu" and
                                                       x < 1e38 else
                                                       FUNCTIONS[name](mpmath.mpf(x)), False)
    if name != "recip" and x < -1000:
        return mpmath.mpf(0), True
    return FUNCTIONS[name](mpmath.mpf(x)), False


def apart(a, b):
    """How far apart two numbers are, less what lies between zero and the least normal number."""
    crossed = (a != 0) + (b != 0) if a * b <= 0 else 0
    return abs(a - b) - crossed * (LEAST - LEAST * 2 ** -23)


def judge(name, x, y):
    """Error in ULP (None: mismatch), from the unrounded value, outcome."""
    v, below = value(name, x)
    if isinstance(v, float) and not math.isfinite(v):
        want = v
    else:
        v = mpmath.mpf(v)
        want = rounded(v) if v else v
        if abs(want) < LEAST:
            below, v, want = below or v != 0, mpmath.mpf(0), mpmath.mpf(0)
        elif abs(want) >= TOP:
            want = math.inf if want > 0 else -math.inf
    if math.isnan(y) or (isinstance(want, float) and math.isnan(want)):
        same = math.isnan(y) and isinstance(want, float) and math.isnan(want)
        undefined = isinstance(want, float) and math.isnan(want)
        return (0, None, "exact") if same else (None, None,
                                                "undefined" if undefined else "mismatch")
    if math.isinf(y) or isinstance(want, float):
        return (0, None, "exact") if want == y else (None, None, "overflow")
    got = mpmath.mpf(y)
    denormal = got != 0 and abs(got) < LEAST
    got = mpmath.mpf(0) if denormal else got
    u = unit(want)
    ulp = apart(got, want) / u
    outcome = "inexact"
    if ulp == 0:
        outcome = "unflushed" if denormal else "flushed" if below else "exact"
    elif got == 0:
        outcome = "zeroed"
    return ulp, apart(got, v) / u, outcome


def main():
    name, xs, ys = sys.argv[1], load(sys.argv[2]), load(sys.argv[3])
    report = json.load(open(sys.argv[4]))
    assert len(xs) == len(ys) >= 20000
    all_ulps, far, outcomes = [], 0, {}
    for x, y in zip(xs, ys):
        ulp, distance, outcome = judge(name, x, y)
        all_ulps.append(ulp)
        outcomes[outcome] = outcomes.get(outcome, 0) + 1
        far = max(far, distance or 0)
    finite = sorted(u for u in all_ulps if u is not None)
    accuracy = report["accuracy"]
    mean = float(sum(finite) / len(finite))
    edges = ((0, 0, "0"), (0, 1, "<=1"), (1, 3, "<=3"), (3, 10, "<=10"), (10, math.inf, ">10"))
    bands = {label: sum(u == 0 if label == "0" else low < u <= high for u in finite)
             for low, high, label in edges}
    checks = {
        "compared": accuracy["compared"] == len(xs),
        "exact": accuracy["exact"] == bands["0"],
        "mismatched": accuracy["mismatched"] == len(xs) - len(finite),
        "max": accuracy["max_ulp"] == float(finite[-1]),
        "mean": abs(accuracy["mean_ulp"] - mean) <= 1e-3,
        "unrounded": accuracy["max_ulp_unrounded"] == float(mpmath.floor(far * 1024) / 1024),
        "bands": report["bands"] == bands,
        "outcomes": {k: v for k, v in report["outcomes"].items() if v} == outcomes,
    }
    for part, figure in report["percentiles"].items():
        at = max(math.ceil(float(part[1:]) / 100 * len(finite) - 1e-9) - 1, 0)
        checks[part] = figure <= finite[at] <= figure * (1 + 1 / 128)
    worst = accuracy["worst"]
    for one in worst:
        ulp = all_ulps[one["element"]]
        checks["worst %d" % one["element"]] = ulp is not None and float(ulp) == one["ulp"]
    checks["the worst"] = [one["ulp"] for one in worst] == \
        [float(u) for u in reversed(finite[-len(worst):])]
    bad = [k for k, good in checks.items() if not good]
    if bad or len(worst) < 50:
        sys.exit(f"{bad}: {len(worst)} {float(finite[-1])} {mean} {float(far)} {bands} {outcomes}")
    print(len(xs), "inputs,", len(checks), "figures")


main()
