#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/functions_table.py TENSIX [FUNCTION...]: the 28 functions of tt-metal #57292.

Writes a kernel for BF16 by `tensix fit --form`, or takes one of examples/kernels/unary, gives it to
`tensix opt`, sweeps what comes out over all inputs, and writes the table between the marks of
docs/find.md, with what the vendor's kernels take on a card. With names, prints the rows of these
functions alone. `--check` compares with the table that is there instead, as `make campaign
ONLY=functions` does: no kernel may be longer by more than a cycle a row, or less exact.
Takes some twenty minutes.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "find.md"
UNARY = ROOT / "examples" / "kernels" / "unary"
MARKS = ("<!-- functions: written by scripts/functions_table.py -->", "<!-- functions: end -->")
WIDE = "bf16:-65536:65536"
FINITE = "bf16:-3.39e38:3.39e38"
# Function, form on Blackhole and Wormhole ("": a kernel of examples, None: none is known), domain,
# and what #57292 says of the vendor's kernel on a p150b: cycles a tile, largest error in ULP.
FUNCTIONS = (
    ("abs", "", "", "bf16", 47.1, 0),
    ("sign", "", "", "bf16", 90.1, 0),
    ("floor", "", "", "bf16", 238.1, 0),
    ("ceil", "", "", "bf16", 198.1, 0),
    ("trunc", "", "", "bf16", 190.1, 0),
    ("round", "", "", "bf16", 95.1, 0),
    ("recip", "arecip+newton:1", "poly:3", "bf16", 327.1, 1),
    ("sqrt", "poly:1", "poly:1", "bf16", 562.1, 1),
    ("rsqrt", "poly:1", "poly:1", "bf16", 626.1, 1),
    ("cbrt", "poly:1", "poly:1", "bf16", 622.1, 1),
    ("exp", "poly:2", "poly:2", "bf16", 371.1, 1),
    ("exp2", "poly:2", "poly:2", "bf16", 430.1, 1),
    ("expm1", "poly:3", "poly:3", "bf16", 487.1, 1),
    ("log", "poly:3", "poly:3", "bf16", 679.1, 2),
    ("log1p", "poly:3", "poly:3", "bf16", 506.1, 1),
    ("tanh", "poly:7", "poly:7", "bf16", 375.1, 2),
    ("sigmoid", "arecip+newton:0", "poly:2", "bf16", 447.0, 2),
    ("silu", "poly:2", "poly:2", "bf16", 859.1, 1),
    ("gelu", "poly:7", "poly:7", "bf16", 1519.1, 2),
    ("softplus", "poly:4", "poly:4", "bf16", 559.1, 1),
    ("sin", "poly:5", "poly:5", WIDE, 370, 1),
    ("cos", "poly:4", "poly:4", WIDE, 375, 1),
    ("tan", "poly:5", "poly:5", WIDE, 395, 2),
    ("atan", "poly:7", "poly:7", "bf16", 443, 2),
    ("erf", "poly:5", "poly:5", "bf16", 626.1, 2),
    ("erfc", None, None, "bf16", 879.1, 1),
    ("erfinv", None, None, "bf16", 567.1, 1),
    ("i0", "poly:4", "poly:4", "bf16", 1191.1, 2),
)
CHIPS = ("bh", "wh")


def run(command, *arguments):
    result = subprocess.run([command, *map(str, arguments)], capture_output=True, text=True,
                            check=False)
    if result.returncode not in (0, 1) or not result.stdout.strip():
        sys.exit(f"{' '.join(map(str, arguments))}: {result.stderr.strip()}")
    return json.loads(result.stdout)


def mismatched(tensix, kernel, chip, function, domain):
    """Inputs for which one of result and reference is no number and the other is another thing."""
    swept = run(tensix, "sweep", kernel, "--arch", chip, "--domain", domain, "--json",
                "--no-progress", "--reference", function)
    return swept["accuracy"]["mismatched"]


def measure(tensix, work, row, chip):
    """None, or cycles as written, cycles behind opt, largest error in ULP, how many numbers miss
    (their result is no number, or should be none), and how many infinities and NaN do."""
    function, domain = row[0], row[3]
    form = row[1 if chip == "bh" else 2]
    kernel, fast = Path(work) / f"{function}.s", Path(work) / f"{function}.fast.s"
    if form is None:
        return None
    if form:
        run(tensix, "fit", "--form", form, "--reference", function, "--arch", chip, "--dst",
            "bf16", "--domain", domain, "--time", 6, "--restarts", 1, "-o", kernel, "--json")
    else:
        kernel = UNARY / f"{function}.s"
    made = run(tensix, "opt", kernel, "--arch", chip, "--time", 15, "-o", fast, "--json")
    swept = run(tensix, "sweep", fast, "--arch", chip, "--domain", domain, "--json",
                "--no-progress", "--reference", function)
    assert not swept["findings"], (function, chip)
    misses = mismatched(tensix, fast, chip, function, FINITE if domain == "bf16" else domain)
    return (made["cycles_before"], made["cycles"], swept["accuracy"]["max_ulp"], misses,
            swept["accuracy"]["mismatched"] - misses)


def is_better(result, vendor, most):
    return result is not None and result[1] <= vendor and result[2] <= most and result[3] == 0


def cells(result, vendor, most):
    if result is None:
        return "-", "-"
    mark = "**" if is_better(result, vendor, most) else ""
    misses = f", {result[3]} miss" if result[3] else ""
    return f"{mark}{result[1]}{mark} ({result[0]})", f"{mark}{result[2]:.0f}{mark}{misses}"


def specials(found):
    """What becomes of infinities and NaN, of which the errors say nothing."""
    parts = []
    for chip, name in zip(CHIPS, ("Blackhole", "Wormhole")):
        several = [f"{row} {results[chip][4]}" for row, results in found
                   if results[chip] is not None and results[chip][4]]
        parts.append(f"on {name} " + (", ".join(several) or "none"))
    return ("Of the 256 infinities and NaN among the inputs these functions give others than their "
            "references: " + "; ".join(parts) + ".")


def line(row, results):
    bh, wh = (cells(result, row[4], row[5]) for result in results)
    form = "-" if row[1] is None else f"`{row[1]}`" if row[1] else f"`unary/{row[0]}.s`"
    form += f"; WH `{row[2]}`" if row[2] != row[1] else ""
    return (f"| {row[0]} | {form} | {row[4]:.0f} | {row[5]} | {bh[0]} | {bh[1]} | {wh[0]} | "
            f"{wh[1]} |")


def table(lines, better, found):
    head = ["| function | form | vendor, BH: cycles | ULP | BH: cycles (before `opt`) | ULP "
            "| WH: cycles (before `opt`) | ULP |", "|---|---|---|---|---|---|---|---|"]
    return "\n".join([MARKS[0], *head, *lines, "",
                      f"On Blackhole {better[0]} of {len(FUNCTIONS)} take no more cycles than the "
                      f"vendor's kernel at no larger error; on Wormhole {better[1]} do, beside "
                      "the figures of Blackhole, as the vendor has no such kernels there. "
                      "*N miss*: so many numbers give an infinity or NaN, or should.",
                      specials(found),
                      MARKS[1]])


def known():
    """{function: [(cycles, ULP) or None for each chip]} of the table in docs/find.md"""
    found = {}
    text = PAGE.read_text(encoding="ascii")
    for row in text[text.index(MARKS[0]):text.index(MARKS[1])].split("\n"):
        parts = [part.strip().replace("*", "") for part in row.split("|")]
        if len(parts) == 10 and re.match(r"\d", parts[3]):
            found[parts[1]] = [
                None if parts[at] == "-"
                else (int(parts[at].split()[0]), int(parts[at + 1].split(",")[0]))
                for at in (5, 7)]
    return found


def main():
    tensix, *names = sys.argv[1:]
    check = "--check" in names
    names = [name for name in names if name != "--check"]
    lines, better, worse, measured = [], [0, 0], 0, []
    before = known() if check else {}
    with tempfile.TemporaryDirectory() as work:
        for row in FUNCTIONS:
            if names and row[0] not in names:
                continue
            results = [measure(tensix, work, row, chip) for chip in CHIPS]
            lines.append(line(row, results))
            measured.append((row[0], dict(zip(CHIPS, results))))
            print(lines[-1], flush=True)
            for at, result in enumerate(results):
                better[at] += is_better(result, row[4], row[5])
                was = before.get(row[0], [None, None])[at]
                if was is not None and (result[1] > was[0] + 32 or result[2] > was[1]):
                    print(f"{row[0]}, {CHIPS[at]}: {result[1:3]} where docs/find.md has {was}")
                    worse += 1
    if not names and not check:
        text = PAGE.read_text(encoding="ascii")
        start, end = text.index(MARKS[0]), text.index(MARKS[1]) + len(MARKS[1])
        PAGE.write_text(text[:start] + table(lines, better, measured) + text[end:],
                        encoding="ascii")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
