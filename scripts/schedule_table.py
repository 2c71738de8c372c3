#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What tensix schedule finds for the straight lines of tests/schedule, and what is done by hand.

schedule_table.py TENSIX [--time SECONDS] [--write]: the table of docs/find.md. Without --write it
is compared with the one that stands there, time and steps aside, and a difference is a failure.
How far the search comes where it does not end is a matter of the machine, and not compared.
"""

import argparse
import json
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "find.md"
HEAD = "| kernel | chip | by hand | found | bound | optimal | cycles a tile | steps | seconds |"
RULE = "|---|---|---|---|---|---|---|---|---|"


def cases():
    for line in (ROOT / "tests" / "schedule" / "hand.tsv").read_text().splitlines():
        if not line.startswith("#"):
            name, chips, hand = line.split("\t")
            for chip in chips.split(","):
                yield name, chip, int(hand)


def row(tensix, name, chip, hand, limit):
    command = [tensix, "schedule", ROOT / "tests" / "schedule" / f"{name}.s", "--arch", chip,
               "--time", str(limit), "--json"]
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.monotonic() - start
    found = json.loads(done.stdout)
    if done.returncode != 0:
        return f"| {name} | {chip} | {hand} | none | | no | | | {seconds:.1f} |"
    return (f"| {name} | {chip} | {hand} | {found['ii']} | {found['bound']} | "
            f"{'yes' if found['optimal'] else 'no'} | {found['cycles']} | {found['nodes']} | "
            f"{seconds:.1f} |")


def settled(line):
    """What does not depend on the machine's load: all of it only where the search was exact."""
    cells = [cell.strip() for cell in line.split("|")[1:-1]]
    return cells[:7] if cells[5] == "yes" else cells[:3]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tensix")
    parser.add_argument("--time", type=int, default=60)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    rows = []
    for name, chip, hand in cases():
        rows.append(row(args.tensix, name, chip, hand, args.time))
        print(rows[-1], flush=True)
    page = PAGE.read_text(encoding="utf-8")
    there = re.search(re.escape(f"{HEAD}\n{RULE}\n") + r"((?:\|.*\n)*)", page)
    optimal = sum(settled(line)[5:6] == ["yes"] for line in rows)
    print(f"{len(rows)} schedules, {optimal} optimal")
    if args.write:
        new = page[:there.start(1)] + "".join(line + "\n" for line in rows) + page[there.end(1):]
        PAGE.write_text(new, encoding="utf-8")
        return 0
    before = {tuple(settled(line)) for line in there.group(1).splitlines()}
    other = [line for line in rows if tuple(settled(line)) not in before]
    for line in other:
        print(f"not in docs/find.md: {line}")
    return 1 if other else 0


if __name__ == "__main__":
    sys.exit(main())
