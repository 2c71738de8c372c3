#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What tensix opt makes of the vendor's SFPU kernels, recorded through the vendor's entry points.

    opt_table.py --llk DIR [--tensix COMMAND] [--work DIR] [--arch bh wh] [--only WORD]
                 [--time SECONDS] [--most N] [--dst FORMAT...] [--sample N]

DIR is a checkout of tenstorrent/tt-llk. Records the parameterisations of table_float.py and
table_int.py with these formats of Dst, at most N of each header and format, gives each to tensix
opt, and compares what it writes with the recording: on all inputs where that is one tile of 16
bits, else on 10,000,000 random ones. Prints a line for each, the reasons of those that stay, and
how many kernels pass on all chips: what comes out is equal, and shorter. The exit status is 1
where one differs, or less than 80 % pass.
"""

import argparse
import collections
import json
import sys
from pathlib import Path

from interop import CHIPS, ROWS, call, key, record

HERE = Path(__file__).resolve().parent
# Formats of 16 bits. Inputs of all formats are patterns of bits, which bf16 and fp32 have all.
NARROW = ("bf16", "uint16")
LEAST = 0.8  # of the kernels pass on all chips


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--llk", required=True, type=Path)
    parser.add_argument("--tensix", default=str(HERE.parent.parent / "build" / "tensix"))
    parser.add_argument("--work", type=Path, default=Path("/tmp/tensix-opt"))
    parser.add_argument("--arch", nargs="+", choices=CHIPS, default=list(CHIPS))
    parser.add_argument("--only", default="")
    parser.add_argument("--time", default="2")
    parser.add_argument("--most", type=int, default=4)
    parser.add_argument("--dst", nargs="+", default=["fp32"])
    parser.add_argument("--sample", type=int, default=10_000_000)
    return parser.parse_args()


def chosen(options):
    count = collections.Counter()
    for row in ROWS:
        if row.dst in options.dst and options.only in key(row) and not row.whole:
            count[row.header, row.dst] += 1
            if count[row.header, row.dst] <= options.most:
                yield row


def equal(options, row, kernel, fast):
    narrow = row.dst in NARROW
    command = [options.tensix, "compare", str(kernel), str(fast), "--domain",
               "x".join(["bf16" if narrow else "fp32"] * len(row.ins))]
    if len(row.ins) != 1 or not narrow:
        command += ["--sample", str(options.sample)]
    return call(command).returncode == 0


def one(options, row, kernel):
    """(cycles before, cycles after, why it stays)"""
    fast = kernel.with_suffix(".fast.s")
    done = call([options.tensix, "opt", str(kernel), "--time", options.time, "--sample", "1000",
                 "-o", str(fast), "--json"])
    try:
        report = json.loads(done.stdout)
    except json.JSONDecodeError:
        return None, None, done.stderr.strip() or "no output"
    if "error" in report:
        return None, None, report["error"]["message"]
    if report["kept"] is None:
        if not equal(options, row, kernel, fast):
            return report["cycles_before"], report["cycles"], "DIFFERS"
    return report["cycles_before"], report["cycles"], report["kept"]


def chip_table(options, chip):
    """The kernels that pass; how many differ."""
    path = options.work / chip
    rows = list(chosen(options))
    errors = record(options, rows, chip, path, [])
    reasons = collections.Counter()
    passed, differ, composed = set(), 0, 0
    for row in rows:
        if key(row) in errors:
            reasons[f"not recorded: {errors[key(row)]}"] += 1
            continue
        before, after, kept = one(options, row, path / f"{key(row)}.s")
        differ += kept == "DIFFERS"
        composed += kept is None or kept.startswith("what is found")
        reasons[kept or "shorter"] += 1
        if kept is None:
            passed.add((key(row), row.dst))
        print(f"| {key(row)} | {row.dst} | {chip} | {before} | {after} | {kept or ''} |",
              flush=True)
    print(f"\n{chip}: {len(rows)} kernels, {len(passed)} shorter, {composed} composed, "
          f"{differ} differ")
    for reason, count in reasons.most_common():
        print(f"{count:5}  {reason}")
    return passed, differ


def main():
    options = parse()
    results = [chip_table(options, chip) for chip in options.arch]
    whole = len(list(chosen(options)))
    both = len(set.intersection(*[passed for passed, _ in results]))
    differ = sum(differ for _, differ in results)
    print(f"\n{both} of {whole} kernels ({100 * both / whole:.1f} %) pass on "
          f"{' and '.join(options.arch)}, {differ} differ")
    return 1 if differ != 0 or both < LEAST * whole else 0


if __name__ == "__main__":
    sys.exit(main())
