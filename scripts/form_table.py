#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/form_table.py TENSIX [SECONDS]: the results of `tensix fit --form` for twelve functions.

Writes each kernel, searches its constants for so many seconds (default 2), sweeps it, and writes
the table between the marks of docs/find.md and the pictures docs/pictures/find-{light,dark}.svg:
cycles of a tile against the largest error, of both chips, BF16 and FP32. Kernels for BF16 are swept
over all numbers of the domain, those for FP32 over every 4099th. Takes some ten minutes.
"""

import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "find.md"
MARKS = ("<!-- forms: written by scripts/form_table.py -->", "<!-- forms: end -->")
# Function, domain of the search and the sweep, forms for BF16, forms for FP32. Domains leave out
# what the head of each kernel says it does not do: results below the least normal number.
FUNCTIONS = (
    ("exp", "-87:88.5", ("poly:2", "poly:3"), ("poly:4", "poly:5", "poly:6")),
    ("exp2", "-126:127.9", ("poly:2", "poly:3", "poly:4"), ("poly:5", "poly:6", "poly:7")),
    ("log", "1e-37:1e38", ("poly:3", "poly:4", "poly:5"), ("poly:7", "poly:9", "poly:11")),
    ("log2", "1e-37:1e38", ("poly:3", "poly:4", "poly:5"), ("poly:7", "poly:9")),
    ("recip", "1e-37:1e37", ("poly:3", "poly:4", "arecip+newton:1"),
     ("poly:7", "poly:9", "arecip+newton:3")),
    ("sqrt", "1e-37:1e38", ("poly:1", "poly:2"), ("poly:3", "poly:5")),
    ("rsqrt", "1e-37:1e38", ("poly:1", "poly:2"), ("poly:3", "poly:5")),
    ("tanh", "-16:16", ("poly:5", "poly:7", "poly:9", "rational:2,2"),
     ("rational:4,4", "poly:5", "poly:7")),
    ("sigmoid", "-87:87", ("poly:2", "poly:3"), ("poly:4", "poly:6")),
    ("softplus", "-87:87", ("poly:4", "poly:5"), ("poly:8", "poly:10")),
    ("sinh", "-88:88", ("poly:3", "poly:5"), ("poly:5", "poly:6")),
    ("sin", "-100:100", ("poly:5", "poly:7"), ("poly:7", "poly:9")),
)
CHIPS = ("bh", "wh")


def run(command, *arguments):
    result = subprocess.run([command, *map(str, arguments)], capture_output=True, text=True)
    if result.returncode not in (0, 1) or not result.stdout.strip():
        return None, result.stderr.strip()
    return json.loads(result.stdout), ""


def measure(tensix, work, seconds, function, domain, form, chip, dst):
    kernel = Path(work) / f"{function}.s"
    where = f"{dst}:{domain}"
    fitted, why = run(tensix, "fit", "--form", form, "--reference", function, "--arch", chip,
                      "--dst", dst, "--domain", where, "--time", seconds, "--objective",
                      "unrounded", "-o", kernel, "--json",
                      *(("--stride", 4099) if dst == "fp32" else ()))
    if fitted is None:
        print(f"{function} {form} {chip} {dst}: {why}", file=sys.stderr)
        return None
    swept, why = run(tensix, "sweep", kernel, "--domain", where, "--json", "--no-progress",
                     *(("--stride", 4099) if dst == "fp32" else ()))
    accuracy = swept["accuracy"]
    assert not swept["findings"] and not accuracy["mismatched"], (function, form, chip, dst)
    row = (function, dst, form, chip, round(swept["cycles_per_tile"]),
           accuracy["max_ulp_unrounded"], accuracy["mean_ulp"])
    print(*row, flush=True)
    return row


def best(rows):
    """Those to which no other of the same function, format and chip is equal or better in both."""
    return {r for r in rows if not any(
        o != r and (o[0], o[1], o[3]) == (r[0], r[1], r[3]) and o[4] <= r[4] and o[5] <= r[5] and
        (o[4], o[5]) != (r[4], r[5]) for o in rows)}


def table(rows):
    out = ["| function | Dst | form | cycles a tile, BH | max ULP, BH | cycles a tile, WH | "
           "max ULP, WH |", "|---|---|---|---|---|---|---|"]
    front = best(rows)
    for function, dst, form in dict.fromkeys((r[0], r[1], r[2]) for r in rows):
        cells = []
        for chip in CHIPS:
            found = [r for r in rows if r[:4] == (function, dst, form, chip)]
            for r in found:
                mark = "**" if r in front else ""
                cells += [f"{mark}{r[4]}{mark}", f"{mark}{r[5]:.3f}{mark}"]
            cells += [] if found else ["-", "-"]
        out.append(f"| {function} | {dst} | `{form}` | " + " | ".join(cells) + " |")
    return "\n".join(out) + "\n"


# ---- the picture: a panel for each function, cycles to the right, error upwards ----

THEMES = {
    "light": ("#ffffff", "#1f2328", "#59636e", "#d1d9e0", ("#0969da", "#bc4c00")),
    "dark": ("#0d1117", "#f0f6fc", "#9198a1", "#3d444d", ("#4493f8", "#f0883e")),
}
COLUMNS, WIDE, HIGH, LEFT, TOP, GAP = 4, 230, 150, 56, 66, 52


def ticks(low, high):
    step = next(s for s in (100, 200, 500, 1000, 2000) if (high - low) / s <= 4)
    return range(math.ceil(low / step) * step, math.floor(high / step) * step + 1, step)


def panel(out, rows, function, x0, y0, colours):
    _, text, soft, line, chips = colours
    mine = [r for r in rows if r[0] == function]
    low, high = 0, max(r[4] for r in mine) * 1.08
    floor, top = 0.3, max(30, max(r[5] for r in mine) * 1.5)
    span = math.log(top / floor)

    def x(cycles):
        return x0 + (cycles - low) / (high - low) * WIDE

    def y(ulp):
        return y0 + HIGH - math.log(max(ulp, floor) / floor) / span * HIGH

    out.append(f'<text x="{x0}" y="{y0 - 9}" font-weight="600" fill="{text}">{function}</text>')
    for cycles in ticks(low, high):
        out.append(f'<path d="M{x(cycles):.1f} {y0}v{HIGH}" stroke="{line}"/>'
                   f'<text x="{x(cycles):.1f}" y="{y0 + HIGH + 15}" text-anchor="middle" '
                   f'fill="{soft}">{cycles}</text>')
    ulp = 0.5
    for ulp in (0.5, 1, 10, 100, 1000, 10000, 100000, 1000000):
        if ulp <= top:
            out.append(f'<path d="M{x0} {y(ulp):.1f}h{WIDE}" stroke="{line}"/>'
                       f'<text x="{x0 - 6}" y="{y(ulp) + 4:.1f}" text-anchor="end" '
                       f'fill="{soft}">{ulp:g}</text>')
    for chip, colour in zip(CHIPS, chips):
        for dst in ("bf16", "fp32"):
            points = sorted((r[4], r[5]) for r in best(mine) if r[3] == chip and r[1] == dst)
            if len(points) > 1:
                path = "L".join(f"{x(a):.1f} {y(b):.1f}" for a, b in points)
                dash = ' stroke-dasharray="4 3"' if chip == "wh" else ""
                out.append(f'<path d="M{path}" fill="none" stroke="{colour}" '
                           f'stroke-width="1.5"{dash}/>')
            for r in mine:
                if r[3] == chip and r[1] == dst:
                    out.append(mark(x(r[4]), y(r[5]), dst, colour, colours[0], chip))


def mark(x, y, dst, colour, ground, chip):
    # The chips' points are often the same: Wormhole's is a ring around Blackhole's.
    size, fill = (3.2, colour) if chip == "bh" else (5.6, "none")
    if dst == "bf16":
        return (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size}" fill="{fill}" stroke="{colour}" '
                f'stroke-width="1.5"/>')
    return (f'<rect x="{x - size:.1f}" y="{y - size:.1f}" width="{2 * size}" height="{2 * size}" '
            f'fill="{fill}" stroke="{colour}" stroke-width="1.5"/>')


def legend(out, colours):
    x = LEFT
    for dst, chip, label in (("bf16", "bh", "BF16, Blackhole"), ("bf16", "wh", "BF16, Wormhole"),
                             ("fp32", "bh", "FP32, Blackhole"), ("fp32", "wh", "FP32, Wormhole")):
        out.append(mark(x + 6, 20, dst, colours[4][CHIPS.index(chip)], colours[0], chip))
        out.append(f'<text x="{x + 18}" y="24" fill="{colours[1]}">{label}</text>')
        x += 150


def picture(rows, theme):
    colours = THEMES[theme]
    functions = list(dict.fromkeys(r[0] for r in rows))
    lines = -(-len(functions) // COLUMNS)
    width = LEFT + COLUMNS * (WIDE + GAP)
    height = TOP + lines * (HIGH + GAP) + 8
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
           f'width="{width}" height="{height}" font-family="sans-serif" font-size="12">',
           "<title>Cycles of a tile against the largest error in ULP</title>",
           f'<rect width="{width}" height="{height}" fill="{colours[0]}"/>']
    legend(out, colours)
    out.append(f'<text x="{width - 12}" y="24" text-anchor="end" fill="{colours[2]}">largest error '
               "in ULP of the format, over cycles of a tile</text>")
    for i, function in enumerate(functions):
        panel(out, rows, function, LEFT + i % COLUMNS * (WIDE + GAP),
              TOP + i // COLUMNS * (HIGH + GAP), colours)
    return "\n".join(out + ["</svg>"]) + "\n"


def main():
    tensix, seconds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2
    rows = []
    with tempfile.TemporaryDirectory() as work:
        for function, domain, narrow, wide in FUNCTIONS:
            for dst, forms in (("bf16", narrow), ("fp32", wide)):
                for form in forms:
                    for chip in CHIPS:
                        if chip == "bh" or not form.startswith("arecip"):
                            rows.append(measure(tensix, work, seconds, function, domain, form,
                                                chip, dst))
    rows = [r for r in rows if r is not None]
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(MARKS[0] + "\n")
    PAGE.write_text(before + MARKS[0] + "\n" + table(rows) + MARKS[1] + rest.split(MARKS[1])[1],
                    encoding="utf-8")
    for theme in THEMES:
        (PAGE.parent / "pictures" / f"find-{theme}.svg").write_text(picture(rows, theme),
                                                                    encoding="utf-8")


if __name__ == "__main__":
    main()
