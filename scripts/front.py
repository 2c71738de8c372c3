#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/front.py TENSIX FUNCTION [options]: which kernels of a function nothing beats in both.

For each form writes the kernel (`tensix fit --form`, its search begun where a linear programme has
the best coefficients, if glpsol is there), gives it to `tensix opt`, and sweeps what comes out over
all of BF16 in the domain. Prints a row for each: cycles of a tile as written and behind opt, the
largest error in ULP from the unrounded function, and the bound of the form's coefficients. Rows in
bold are the front: no other one is as short and as exact, and better in one of the two. With
--cycles N, or --error ULP, the last line is the most exact kernel of at most N cycles, or the
shortest of at most that error.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

FORMS = "poly:1 poly:2 poly:3 poly:4 poly:5 poly:7 poly:9 rational:2,2 arecip+newton:0 " \
    "arecip+newton:1"


def run(command, *arguments):
    """What it prints as JSON; None where it refuses."""
    done = subprocess.run([command, *map(str, arguments), "--json"], capture_output=True,
                          text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"front: {' '.join(map(str, arguments))}: {done.stderr.strip()}")
    made = json.loads(done.stdout) if done.stdout.strip() else {}
    return None if "error" in made or not made else made


def point(args, work, form):
    """(form, cycles as written, cycles, error, bound), or None where the function has no such"""
    kernel, fast = work / "k.s", work / "fast.s"
    chosen = ("--arch", args.arch, "--domain", args.domain)
    fitted = run(args.tensix, "fit", "--form", form, "--reference", args.function, "--dst", "bf16",
                 *chosen, "--time", args.time, "--restarts", 1, "--objective", "unrounded",
                 "--bound", "--no-progress", "-o", kernel)
    if fitted is None or "constants" not in fitted:
        return None
    made = run(args.tensix, "opt", kernel, "--arch", args.arch, "--time", args.opt, "-o", fast)
    swept = run(args.tensix, "sweep", fast, *chosen, "--reference", args.function, "--no-progress")
    return (form, made["cycles_before"], made["cycles"], swept["accuracy"]["max_ulp_unrounded"],
            fitted["bound"])


def beaten(one, points):
    return any(p[2] <= one[2] and p[3] <= one[3] and (p[2] < one[2] or p[3] < one[3])
               for p in points)


def best_of(args, points):
    if args.cycles is not None:
        able = [p for p in points if p[2] <= args.cycles]
        return min(able, key=lambda p: (p[3], p[2]), default=None)
    able = [p for p in points if p[3] <= args.error]
    return min(able, key=lambda p: (p[2], p[3]), default=None)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("tensix")
    parser.add_argument("function")
    parser.add_argument("--arch", default="bh")
    parser.add_argument("--domain", default="bf16")
    parser.add_argument("--forms", default=FORMS, help="separated by spaces")
    parser.add_argument("--time", type=int, default=6, help="seconds for a form's coefficients")
    parser.add_argument("--opt", type=int, default=15, help="seconds for a form's schedule")
    parser.add_argument("--cycles", type=int)
    parser.add_argument("--error", type=float)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        points = [p for form in args.forms.split() if (p := point(args, Path(work), form))]
    if not points:
        sys.exit(f"front: {args.function} has none of these forms")
    print("| form | cycles as written | cycles | max ULP | no coefficients are better than |")
    print("|---|---|---|---|---|")
    for p in sorted(points, key=lambda p: (p[2], p[3])):
        mark = "" if beaten(p, points) else "**"
        bound = "-" if p[4] is None else f"{p[4]:.3f}"
        print(f"| `{p[0]}` | {p[1]} | {mark}{p[2]}{mark} | {mark}{p[3]:.3f}{mark} | {bound} |")
    if args.cycles is not None or args.error is not None:
        best = best_of(args, points)
        print("none" if best is None else f"{best[0]}: {best[2]} cycles, {best[3]:.3f} ULP")
        return 0 if best is not None else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
