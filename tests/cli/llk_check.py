#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Inputs of examples/llk_style's kernels, and what they must give, in Python's numbers.

llk_check.py inputs writes in-NAME-N.npy; llk_check.py NAME judges out.npy and run.json.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "interop"))

from numbers_ import N, anything, f32, inputs, int32_all, load, save, signed, uint16  # noqa: E402


def absdiff(a, b):
    """The absolute value of the least 32-bit integer is itself."""
    difference = signed(a - b)
    return signed(abs(difference))


def column_sum(values):
    """Of a tile of 32 rows: in its first row; the rest is not judged."""
    return [sum(values[c::32]) for c in range(32)]


FLOATS = ("f", lambda chance: [f32(chance.uniform(-10, 10)) for _ in range(N)])
CONDITIONS = ("f", lambda chance: [
    0.0 if i % 3 == 0 else f32(chance.uniform(-5, 5)) for i in range(N)])
KERNELS = {
    "absdiff": [int32_all, int32_all],
    "select": [CONDITIONS, anything, anything],
    "affine": [FLOATS],
    "column_sum": [FLOATS],
    "widen": [uint16],
}


def arrays(name):
    return [inputs(kind, 7 + number) for number, kind in enumerate(KERNELS[name])]


def write_inputs():
    for name in KERNELS:
        for number, (code, values) in enumerate(arrays(name)):
            save(f"in-{name}-{number}.npy", code, values)


def expected(name, values):
    if name == "absdiff":
        return [absdiff(a, b) for a, b in zip(*values)]
    if name == "select":
        return [a if c != 0 else b for c, a, b in zip(*values)]
    if name == "affine":
        # 0.75 x is exact in a double, and so is the difference: one rounding to FP32.
        return [f32(0.75 * x - 2.0) for x in values[0]]
    if name == "widen":
        return [float(x) for x in values[0]]
    result = []
    for start in range(0, N, 1024):
        tile = values[0][start : start + 1024]
        result += column_sum(tile) + [None] * 992
    return result


def main():
    name = sys.argv[1]
    if name == "inputs":
        write_inputs()
        return 0
    values = [values for _, values in arrays(name)]
    out = load("out.npy")
    wrong = [
        (i, got, want)
        for i, (got, want) in enumerate(zip(out, expected(name, values)))
        if want is not None and abs(got - want) > (1e-4 if name == "column_sum" else 0)
    ]
    with open("run.json", encoding="utf-8") as file:
        findings = json.load(file)["findings"]
    if len(out) != N or wrong or findings:
        print(f"{name}: {len(wrong)} of {N} are wrong, first {wrong[:2]}; findings {findings}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
