#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/bound.py TENSIX [FUNCTION...]: errors that no coefficients of a form can undercut.

For each of ten functions writes the kernel for BF16 (`tensix fit --form`, coefficients searched for
six seconds), runs it on Blackhole over all inputs in FP32 without its last rounding, once as it is
and once with each coefficient moved, which gives the result as a linear function of them. Then a
linear programme (glpsol of GLPK, Debian's glpk-utils) decides for which E there are real numbers
in place of the coefficients with which each result rounds to a number of BF16 at most E ULP from
the exact value. What is printed is the least such E, to 0.001, beside the error that was found: it
leaves out only what FP32 rounds on the way, and that coefficients are stored in some format. The
exit status is 1 where a bound is above what was found.
Needs numpy, mpmath and glpsol.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import mpmath
import numpy as np

FUNCTIONS = {
    "exp": ("poly:2", -87, 88.5, mpmath.exp),
    "exp2": ("poly:2", -126, 127.5, lambda x: mpmath.mpf(2) ** x),
    "expm1": ("poly:3", -87, 88, mpmath.expm1),
    "sqrt": ("poly:1", 1e-37, 3e38, mpmath.sqrt),
    "rsqrt": ("poly:1", 1e-37, 3e38, lambda x: 1 / mpmath.sqrt(x)),
    "cbrt": ("poly:1", 1e-37, 3e38, mpmath.cbrt),
    "tanh": ("poly:7", 1e-37, 20, mpmath.tanh),
    "erf": ("poly:5", 1e-37, 20, mpmath.erf),
    "sin": ("poly:5", -65536, 65536, mpmath.sin),
    "cos": ("poly:4", -65536, 65536, mpmath.cos),
}


def run(command, *arguments):
    done = subprocess.run([command, *map(str, arguments)], capture_output=True, text=True,
                          check=False)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr.strip())
    return done.stdout


def plain(text):
    """The kernel in FP32, without the rounding to BF16."""
    text = text.replace(".dst bf16", ".dst fp32")
    return re.sub(r"sfpstochrnd (L\d), (L\d), L\d, 0, 1, 0", r"sfpmov \1, \2, 0", text)


def results(tensix, work, text, inputs):
    np.save(work / "x.npy", inputs)
    (work / "k.s").write_text(text, encoding="ascii")
    run(tensix, "run", work / "k.s", "--arch", "bh", "--dst", "fp32", "--in", work / "x.npy",
        "--out", work / "y.npy")
    return np.load(work / "y.npy").astype(np.float64).ravel()[:inputs.size]


def beside(value, kind):
    """A number of this format a little further from zero."""
    bits = {"bf16": 8, "fp16": 11}.get(kind, 24)
    significand, exponent = np.frexp(value)
    step = 2.0 ** -8 if bits > 8 else 2.0 ** -7
    moved = significand + np.copysign(step, significand)
    return float(np.ldexp(np.round(moved * 2.0 ** bits) / 2.0 ** bits, exponent))


def linear(tensix, work, text, inputs):
    """(results, their slopes by each coefficient); NaN where a result is held at 1"""
    base = results(tensix, work, plain(text), inputs)
    held = np.abs(base) == 1
    slopes = []
    for match in re.finditer(r"^\.free \w+ = float\(([^)]*)\) in (\w+)", text, re.M):
        value = float(np.float32(float(match[1])))
        moved = beside(value, match[2])
        other = text[:match.start(1)] + f"{moved:.9g}" + text[match.end(1):]
        made = results(tensix, work, plain(other), inputs)
        held |= np.abs(made) == 1
        slopes.append((made - base) / (moved - value))
    slopes = np.array(slopes).T
    slopes[held] = np.nan
    return base, slopes


def places(exact):
    """ULP of BF16, of the binade of each exact value."""
    return 2.0 ** (np.floor(np.log2(np.abs(exact))) - 7)


def bounds(exact, ulp, error):
    """What may be rounded so that a result is at most error ULP from the exact value."""
    low, high = exact - error * ulp, exact + error * ulp
    first, last = np.ceil(low / ulp), np.floor(high / ulp)
    return np.where(first <= last, (first - 0.5) * ulp, np.inf), \
        np.where(first <= last, (last + 0.5) * ulp, -np.inf)


def programme(slopes, low, high, base, scale):
    """Coefficients' moves that keep all these results within, and the room that is left."""
    lines = ["Maximize", " room: r", "Subject To"]
    for i in range(len(base)):
        terms = " ".join(f"{s / scale[i]:+.12e} x{k}" for k, s in enumerate(slopes[i]))
        lines.append(f" l{i}: {terms} - 1 r >= {(low[i] - base[i]) / scale[i]:.12e}")
        lines.append(f" h{i}: {terms} + 1 r <= {(high[i] - base[i]) / scale[i]:.12e}")
    lines += ["Bounds", " -1e6 <= r <= 10"]
    lines += [f" x{k} free" for k in range(slopes.shape[1])] + ["End", ""]
    with tempfile.TemporaryDirectory() as work:
        path = Path(work)
        (path / "p.lp").write_text("\n".join(lines), encoding="ascii")
        run("glpsol", "--lp", path / "p.lp", "-w", path / "out", "--tmlim", 60)
        text = (path / "out").read_text(encoding="ascii")
    columns = [float(line.split()[3]) for line in text.split("\n") if line.startswith("j ")]
    names = ["r"] + [f"x{k}" for k in range(slopes.shape[1])]
    order = list(dict.fromkeys(re.findall(r"\b(?:r|x\d+)\b", " ".join(lines[1:4]))))
    values = dict(zip(order, columns))
    return np.array([values[name] for name in names[1:]]), values["r"]


def feasible(base, slopes, exact, ulp, error):
    low, high = bounds(exact, ulp, error)
    if np.any(low > high):
        return False
    chosen = set(np.linspace(0, base.size - 1, 60).astype(int))
    while True:
        rows = np.array(sorted(chosen))
        move, room = programme(slopes[rows], low[rows], high[rows], base[rows], ulp[rows])
        if room < -1e-5:
            return False
        value = base + slopes @ move
        beyond = np.maximum(low - value, value - high) / ulp
        worst = [int(i) for i in np.argsort(-beyond)[:40] if beyond[i] > 1e-4]
        if not worst or set(worst) <= chosen:
            return True
        chosen |= set(worst)


def least(tensix, work, name):
    form, first, last, function = FUNCTIONS[name]
    kernel = work / "f.s"
    fitted = json.loads(run(tensix, "fit", "--form", form, "--reference", name, "--arch", "bh",
                            "--dst", "bf16", "--domain", f"bf16:{first}:{last}", "--time", 6,
                            "--restarts", 1, "--objective", "unrounded", "-o", kernel, "--json"))
    every = (np.arange(65536, dtype=np.uint32) << 16).view(np.float32)
    with np.errstate(invalid="ignore"):
        inputs = every[(every >= first) & (every <= last) & (np.abs(every) >= 1.2e-38)]
    padded = np.resize(inputs, -(-inputs.size // 1024) * 1024).astype(np.float32)
    base, slopes = linear(tensix, work, kernel.read_text(encoding="ascii"), padded)
    mpmath.mp.prec = 200
    exact = np.array([float(function(mpmath.mpf(float(x)))) for x in inputs])
    normal = (np.abs(exact) >= 2.0 ** -126) & (np.abs(exact) < 2.0 ** 128 - 2.0 ** 119)
    normal &= np.isfinite(base[:inputs.size]) & np.isfinite(slopes[:inputs.size]).all(axis=1)
    exact, base, slopes = exact[normal], base[:inputs.size][normal], slopes[:inputs.size][normal]
    ulp = places(exact)
    low, high = 0.49, 16.0
    while high - low > 1e-3:
        middle = (low + high) / 2
        if feasible(base, slopes, exact, ulp, middle):
            high = middle
        else:
            low = middle
    return form, slopes.shape[1], low, fitted["after"]["max_ulp_unrounded"]


def main():
    tensix, *names = sys.argv[1:]
    print("| function | form | coefficients | no coefficients are better than | found |")
    print("|---|---|---|---|---|")
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in names or FUNCTIONS:
            form, count, bound, found = least(tensix, Path(folder), name)
            print(f"| {name} | `{form}` | {count} | {bound:.3f} | {found:.3f} |", flush=True)
            wrong += bound > found + 0.002
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
