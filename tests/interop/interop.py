#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The vendor's SFPU kernels through the vendor's entry points: recorded, run, and judged.

    interop.py --llk DIR [--tensix COMMAND] [--work DIR] [--arch bh wh] [--only WORD] [--details]
               [--no-macro] [--page FILE]

DIR is a checkout of tenstorrent/tt-llk. For each chip the parameterisations of table_*.py become
functions of one driver, as an author of tt-llk would write them; tensix record makes kernels of
them, tensix run runs them on 4,096 inputs, and the results are compared with the function or the
integer operation, stated in Python. The exit status is 1 where less is right than the table's
targets say.
"""

import argparse
import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path

import table_float
import table_int
import table_tile
from numbers_ import N, bits, cut, f32, inputs, load, save

CHIPS = {"bh": "tt_llk_blackhole", "wh": "tt_llk_wormhole_b0"}
TARGETS = {"bh": 455 / 460, "wh": 445 / 460}  # of the parameterisations record and run
HERE = Path(__file__).resolve().parent
ROWS = table_float.ROWS + table_int.ROWS + table_tile.ROWS
# Headers that ckernel_sfpu.h does not bring.
MORE = ["add_top_row", "cdf", "polyval", "reduce_custom", "rsqrt_compat", "welfords"]


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--llk", required=True, type=Path)
    parser.add_argument("--tensix", default=str(HERE.parent.parent / "build" / "tensix"))
    parser.add_argument("--work", type=Path, default=Path("/tmp/tensix-interop"))
    parser.add_argument("--arch", nargs="+", choices=CHIPS, default=list(CHIPS))
    parser.add_argument("--only", default="")
    parser.add_argument("--details", action="store_true")
    parser.add_argument("--no-macro", action="store_true", help="skip the comparison without them")
    parser.add_argument("--page", type=Path, help="write the table, Markdown")
    return parser.parse_args()


def call(command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


# ---- record ----


def key(row):
    return f"{row.header}.{row.name}"


def write_driver(rows, path, chip):
    lines = ["#include <array>"]
    lines.append('#include "llk_math_common.h"')
    for kind in ("unary", "binary", "ternary"):
        lines.append(f'#include "llk_math_eltwise_{kind}_sfpu_params.h"')
    lines += ['#include "llk_math_welfords_sfpu.h"', '#include "llk_math_welfords_sfpu_params.h"']
    lines += [f'#include "sfpu/ckernel_sfpu_{name}.h"' for name in MORE]
    lines += ["using namespace ckernel;", "using namespace ckernel::sfpu;"]
    listed = []
    where = {}
    for number, row in enumerate(rows):
        where[len(lines) + 1] = where[len(lines) + 2] = row
        lines.append(f"void init_{number}() {{ {row.init} }}")
        lines.append(f"void tile_{number}() {{ {row.tile} }}")
        listed.append(f"{key(row)} --init init_{number} --tile tile_{number} --dst {row.dst} "
                      f"--inputs {len(row.ins)} --output {row.out}")
    (path / "driver.cpp").write_text("\n".join(lines) + "\n", encoding="ascii")
    (path / "list.txt").write_text("\n".join(listed) + "\n", encoding="ascii")
    return where


def record(options, rows, chip, path, defines):
    """{key: error} of what was not recorded; the others are in path."""
    errors = {}
    path.mkdir(parents=True, exist_ok=True)
    for spill in (False, True):
        left = [row for row in rows if row.spill == spill]
        while left:
            where = write_driver(left, path, chip)
            done = call([options.tensix, "record", str(path / "driver.cpp"), "--arch", chip,
                         "--list", str(path / "list.txt"), "-o", str(path),
                         "-I", str(options.llk / CHIPS[chip] / "common" / "inc")]
                        + defines + (["--spill"] if spill else []))
            broken = re.search(r"driver\.cpp:(\d+): (.*)", done.stderr)
            if done.returncode == 0 or not broken or int(broken[1]) not in where:
                for name, text in re.findall(r"list\.txt:\d+: ([\w.-]+): (.*)", done.stderr):
                    errors[name] = text
                if done.returncode != 0 and not errors:
                    sys.exit(f"interop: {done.stderr.strip()}")
                break
            row = where[int(broken[1])]
            errors[key(row)] = broken[2]
            left = [r for r in left if r is not row]
    return errors


# ---- run ----


def prepare(row):
    """Inputs as the kernel's Dst has them."""
    arrays = []
    for number, kind in enumerate(row.ins):
        code, values = inputs(kind, 1000 + number)
        if code == "f":
            narrow = row.dst == "bf16" or (row.dst != "fp32" and number == 0)
            values = [cut(v) if narrow else f32(v) for v in values]
        arrays.append((code, values))
    return arrays


def run(options, row, path):
    """(error or None, inputs, outputs, findings)"""
    arrays = prepare(row)
    command = [options.tensix, "run", str(path / f"{key(row)}.s"), "--json"] + row.run
    for number, (code, values) in enumerate(arrays):
        name = path / f"in{number}.npy"
        save(name, code, values)
        command += ["--in", str(name)]
    if row.out_dst:
        command += ["--out-dst", row.out_dst]
    out = path / f"{key(row)}.npy"
    done = call(command + ["--out", str(out)])
    try:
        report = json.loads(done.stdout)
    except json.JSONDecodeError:
        return done.stderr.strip() or "no output", arrays, None, []
    if "error" in report:
        return report["error"]["message"], arrays, None, []
    return None, arrays, load(out), report["findings"]


def lint(options, row, path):
    done = call([options.tensix, "lint", str(path / f"{key(row)}.s")])
    counts = re.findall(r": (\d+) hazards, (\d+) other findings?, (\d+) superfluous", done.stdout)
    return tuple(map(int, counts[-1])) if counts else (0, 0, 0)


# ---- judge ----


def close(got, expected, tol):
    if tol is None:
        if isinstance(expected, float) or isinstance(got, float):
            return bits(got) == bits(float(expected))
        return got == expected
    if math.isinf(expected) or math.isnan(expected):
        return got == expected or (math.isnan(got) and math.isnan(expected))
    return abs(got - expected) <= tol[1] + tol[0] * abs(expected)


def expectations(row, arrays):
    values = [array for _, array in arrays]
    if not row.whole:
        return [row.ref(*element) for element in zip(*values)]
    result = []
    for start in range(0, N, 1024):
        result += row.ref([v[start : start + 1024] for v in values])
    return result


def judge(row, arrays, out):
    """(right, judged, worst difference, its place)"""
    expected = expectations(row, arrays)
    patterns = memoryview(out.tobytes()).cast("I") if row.view else None
    right = judged = 0
    worst, place = 0.0, None
    dropped = 0
    for i, want in enumerate(expected):
        got = row.view(patterns[i]) if row.view else out[i]
        if want is None:
            continue
        judged += 1
        if isinstance(want, tuple) and want[0] == "dropout":
            dropped += got == 0
            good = got == 0 or close(got, want[1], row.tol)
        elif callable(want):
            good = want(got)
        else:
            good = close(got, want, row.tol)
        right += good
        if not good and place is None:
            place = (i, tuple(a[1][i] for a in arrays), got, want)
        if isinstance(want, (int, float)) and math.isfinite(got) and math.isfinite(want):
            worst = max(worst, abs(got - want) / max(1.0, abs(want)))
    if dropped and abs(dropped / judged - expected[0][2]) > 0.05:
        right = 0
    return right, judged, worst, place


def measure(options, chip, rows, path, defines=()):
    errors = record(options, rows, chip, path, list(defines))
    results = {}
    for row in rows:
        entry = {"row": row, "error": errors.get(key(row))}
        if entry["error"] is None:
            entry["error"], arrays, out, entry["findings"] = run(options, row, path)
            entry["lint"] = lint(options, row, path)
            entry["recorded"] = True
        if entry["error"] is None:
            entry["right"], entry["judged"], entry["worst"], entry["place"] = judge(
                row, arrays, out)
            entry["bytes"] = out.tobytes()
        results[key(row)] = entry
    return results


def is_right(entry):
    return entry["error"] is None and entry["right"] == entry["judged"]


def named(findings):
    """Findings by the rule they are about, or their kind where no rule is."""
    return sorted({f.get("rule") or f["category"] for f in findings})


def report(options, chip, results):
    """(parameterisations, recorded and run, misses that nobody explains)"""
    headers = {}
    for entry in results.values():
        headers.setdefault(entry["row"].header, []).append(entry)
    print(f"\n{chip}\n| header | parameterisations | record | run | right | findings | hazards |"
          " other lint | largest difference |\n|---|---|---|---|---|---|---|---|---|")
    total = [0] * 7
    for header in sorted(headers):
        entries = headers[header]
        ran = [e for e in entries if e["error"] is None]
        counts = [len(entries), sum("recorded" in e for e in entries), len(ran),
                  sum(map(is_right, ran)), sum(bool(e["findings"]) for e in ran),
                  sum(e["lint"][0] > 0 for e in ran), sum(sum(e["lint"][1:]) > 0 for e in ran)]
        total = [a + b for a, b in zip(total, counts)]
        worst = max((e["worst"] for e in ran), default=0.0)
        print(f"| {header} | " + " | ".join(map(str, counts)) + f" | {worst:.2g} |")
    print("| all | " + " | ".join(map(str, total)) + " | |")
    unexplained = 0
    for name, e in results.items():
        if e["error"] is not None:
            print(f"  {chip} {name}: {e['error']}")
        elif not is_right(e):
            print(f"  {chip} {name}: {e['right']} of {e['judged']}; first {e['place']}; "
                  f"{e['row'].why or 'NOT EXPLAINED'}")
        elif options.details:
            print(f"  {chip} {name}: right, {e['worst']:.2g}, findings "
                  f"{', '.join(named(e['findings'])) or 'none'}, lint {e['lint']}")
        unexplained += not is_right(e) and not e["row"].why
    return total[0], total[2], unexplained


def compare_macro(options, chip, rows, results, path):
    """The same kernels without SFPLOADMACRO; how many that differ nobody explains."""
    chosen = [row for row in rows if row.macro]
    other = measure(options, chip, chosen, path, ["-D", "DISABLE_SFPLOADMACRO"])
    equal = unexplained = 0
    for row in chosen:
        a, b = results[key(row)], other[key(row)]
        a["plain"] = "another Dst"
        if a["error"] or b["error"]:
            print(f"  {chip} {key(row)} without SFPLOADMACRO: {b['error'] or a['error']}")
            unexplained += 1
        elif a["bytes"] == b["bytes"]:
            equal += 1
            a["plain"] = "equal"
        else:
            right = "" if is_right(b) else f"; first {b['place']}"
            print(f"  {chip} {key(row)} without SFPLOADMACRO: another Dst; right in {b['right']} "
                  f"of {b['judged']}, with it in {a['right']}{right}; "
                  f"{row.plain_why or 'NOT EXPLAINED'}")
            unexplained += not row.plain_why
    print(f"{chip}: with SFPLOADMACRO and without: {equal} of {len(chosen)} kernels equal in Dst")
    return unexplained


# ---- the page ----

BY_HAND = "## Races in tt-llk's own tests"  # from here on the page is left as it is


def cells(entry, note):
    """right, findings, lint, without SFPLOADMACRO: of one chip, in a table."""
    if entry is None:
        return ["-"] * 4
    if entry["error"] is not None:
        state = "not run" if "recorded" in entry else "not recorded"
        return [state + note(entry["error"]), "", "", ""]
    row = entry["row"]
    right = str(entry["judged"])
    if not is_right(entry):
        right = f"{entry['right']} of {right}{note(row.why)}"
    plain = entry.get("plain", "")
    return [right, " ".join(named(entry["findings"])), "/".join(map(str, entry["lint"])),
            plain + (note(row.plain_why) if plain not in ("", "equal") else "")]


def write_page(path, title, chips):
    """chips: {chip: results}; every parameterisation is a line, every sentence a note."""
    notes = []

    def note(text):
        if text not in notes:
            notes.append(text)
        return f" [{notes.index(text) + 1}](#notes)"

    names = list(dict.fromkeys(name for results in chips.values() for name in results))
    head = ["parameterisation"]
    for chip in chips:
        head += [f"{chip}: right", "findings", "lint", "without macros"]
    lines = ["<!-- SPDX-License-Identifier: Apache-2.0 -->", f"# {title}", "",
             "Written by `tests/interop/interop.py --page`; [evidence](evidence.md) says what it "
             "means. *right*: results that are,", "of those that the kernel gives; one number "
             "where all are, *not recorded* or *not run* where there are none.",
             "*findings*: of `tensix run`, by rule. *lint*: hazards, other findings, superfluous "
             "SFPNOPs. *without macros*: the same kernel", "with DISABLE_SFPLOADMACRO, compared "
             "in Dst.", "",
             "| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    for name in names:
        row = [name]
        for results in chips.values():
            row += cells(results.get(name), note)
        lines.append("| " + " | ".join(row) + " |")
    lines += ["", "## Notes", ""]
    lines += [f"{i + 1}. {text}." for i, text in enumerate(notes)]
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    lines += [""] + before[before.find(BY_HAND) :].splitlines() if BY_HAND in before else []
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def without_row(options, chip):
    """Headers of the checkout that the table does not know."""
    folder = options.llk / CHIPS[chip] / "common" / "inc" / "sfpu"
    there = {path.stem.removeprefix("ckernel_sfpu_") for path in folder.glob("ckernel_sfpu_*.h")}
    return sorted(there - {row.header for row in ROWS if chip in row.chips})


def main():
    options = parse()
    if not (options.llk / CHIPS["bh"]).is_dir():
        sys.exit(f"interop: {options.llk} is no checkout of tt-llk")
    commit = call(["git", "-C", str(options.llk), "rev-parse", "--short", "HEAD"]).stdout.strip()
    print(f"tt-llk {commit or 'of no known commit'}")
    status = 0
    chips = {}
    for chip in options.arch:
        missing = without_row(options, chip)
        if missing:
            status = 1
            print(f"{chip}: the table has no row for {', '.join(missing)}")
        rows = [r for r in ROWS if chip in r.chips and options.only in key(r)]
        path = options.work / chip
        results = chips[chip] = measure(options, chip, rows, path)
        count, ran, unexplained = report(options, chip, results)
        if not options.no_macro:
            unexplained += compare_macro(options, chip, rows, results,
                                         options.work / f"{chip}-plain")
        if ran < TARGETS[chip] * count or unexplained:
            status = 1
            print(f"{chip}: {ran} of {count} run, {unexplained} misses are not explained")
    if options.page is not None:
        write_page(options.page, f"The SFPU kernels of tt-llk {commit}, one by one", chips)
    return status


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C")
    sys.exit(main())
