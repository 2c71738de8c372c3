#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What tensix opt makes of the vendor's SFPU kernels, recorded through the vendor's entry points.

    opt_table.py --llk DIR [--tensix COMMAND] [--work DIR] [--arch bh wh] [--only WORD]
                 [--time SECONDS] [--most N] [--dst FORMAT]

DIR is a checkout of tenstorrent/tt-llk. Records the parameterisations of table_float.py and
table_int.py with this format of Dst, at most N of each header, gives each to tensix opt, compares
what it writes with the recording, and prints a line for each and the reasons of those that stay.
The exit status is 1 where one differs.
"""

import argparse
import collections
import json
import sys
from pathlib import Path

from interop import CHIPS, ROWS, call, key, record

HERE = Path(__file__).resolve().parent


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--llk", required=True, type=Path)
    parser.add_argument("--tensix", default=str(HERE.parent.parent / "build" / "tensix"))
    parser.add_argument("--work", type=Path, default=Path("/tmp/tensix-opt"))
    parser.add_argument("--arch", nargs="+", choices=CHIPS, default=list(CHIPS))
    parser.add_argument("--only", default="")
    parser.add_argument("--time", default="2")
    parser.add_argument("--most", type=int, default=4)
    parser.add_argument("--dst", default="fp32")
    return parser.parse_args()


def chosen(options):
    count = collections.Counter()
    for row in ROWS:
        if row.dst == options.dst and options.only in key(row) and not row.whole:
            count[row.header] += 1
            if count[row.header] <= options.most:
                yield row


def one(options, kernel, inputs):
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
        domain = "x".join([options.dst] * inputs)
        same = call([options.tensix, "compare", str(kernel), str(fast), "--domain", domain,
                     "--sample", "2000"])
        if same.returncode != 0:
            return report["cycles_before"], report["cycles"], "DIFFERS"
    return report["cycles_before"], report["cycles"], report["kept"]


def chip_table(options, chip):
    path = options.work / chip
    rows = list(chosen(options))
    errors = record(options, rows, chip, path, [])
    reasons = collections.Counter()
    shorter = composed = differ = 0
    for row in rows:
        if key(row) in errors:
            reasons["not recorded"] += 1
            continue
        before, after, kept = one(options, path / f"{key(row)}.s", len(row.ins))
        differ += kept == "DIFFERS"
        shorter += kept is None
        composed += kept is None or kept.startswith("what is found")
        reasons[kept or "shorter"] += 1
        print(f"| {key(row)} | {chip} | {before} | {after} | {kept or ''} |", flush=True)
    print(f"\n{chip}: {len(rows)} kernels, {shorter} shorter, {composed} scheduled, "
          f"{differ} differ")
    for reason, count in reasons.most_common():
        print(f"{count:5}  {reason}")
    return differ


def main():
    options = parse()
    return 1 if sum([chip_table(options, chip) for chip in options.arch]) != 0 else 0


if __name__ == "__main__":
    sys.exit(main())
