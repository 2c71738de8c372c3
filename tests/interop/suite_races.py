# SPDX-License-Identifier: Apache-2.0
"""Races of tt-llk's own tests: suite_races.py --kit DIR [--build DIR] [--chip bh|wh] [-k REGEX].

For tests that suite.py has run with --images, and that passed: each of their programs runs again by
tensix tile run --races. Printed are how many tests have no race, how many have doubts that are open
and no other race, which tile run counts and passes, how many have races that lab/race/doubts.def
explains and that fail, how many have another, and which these are. Status 1: more than one test in
twenty has a race that nothing explains.
"""

import argparse
import collections
import json
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import suite

CYCLES = 3000000


def run(tensix, chip, work, row):
    """(races, what did not run) of a test."""
    found = []
    for variant in row.get("variants", []):
        if "image" not in variant or not Path(variant["image"]).exists():
            continue
        words = shlex.split(suite.replay(tensix, chip, work, variant))
        words += ["--max-cycles", str(CYCLES), "--races", "--json"]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        answer = json.loads(done.stdout) if done.stdout else {}
        if "races" not in answer:
            return [], answer.get("error", {}).get("message", "no answer")
        found += answer["races"]["races"]
    return found, None


def line(race):
    places = [f"{p.get('core', p.get('thread'))} {p['instruction']} {p['source']}"
              for p in race["places"]]  # fmt: skip
    return f"{race['state']}: {places[0]} and {places[1]}"


def one_chip(args, chip):
    """Prints the tests of a chip; returns whether they are well."""
    work = args.kit / f"llk/{chip}-on"
    rows = suite.read_rows(work / "door.jsonl")
    tests = [
        t
        for t in sorted(rows)
        if suite.outcome(rows[t]) == "passed"
        and re.search(args.k, t)
        and any(Path(v.get("image", "")).is_file() for v in rows[t].get("variants", []))
    ]
    with ThreadPoolExecutor(args.jobs) as pool:
        done = list(pool.map(lambda t: run(args.tensix, chip, work, rows[t]), tests))
    kinds = collections.Counter()
    doubts = collections.Counter()
    for test, (found, wrong) in zip(tests, done):
        others = [race for race in found if race["doubt"] is None]
        fails = any(not race["open"] for race in found)
        kinds["not run" if wrong else "other" if others else "fails" if fails else
              "open" if found else "none"] += 1  # fmt: skip
        doubts.update({(race["doubt"], race["open"]) for race in found if race["doubt"]})
        for race in others:
            print(f"{chip} {test}: {line(race)}")
        if wrong:
            print(f"{chip} {test}: not run: {wrong[:200]}")
    ran = sum(kinds.values()) - kinds["not run"]
    print(f"{chip}: {ran} tests, {kinds['none']} without a race, {kinds['open']} with open doubts, "
          f"{kinds['fails']} with races that are explained, {kinds['other']} with others, "
          f"{kinds['not run']} not run")  # fmt: skip
    for (name, is_open), count in doubts.most_common():
        print(f"{chip}: {count} tests: {name}{', open' if is_open else ''}")
    return ran > 0 and 20 * kinds["other"] <= ran


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kit", type=Path, required=True)
    parser.add_argument("--build", type=Path, default=Path("build"))
    parser.add_argument("--chip", choices=sorted(suite.CHIPS))
    parser.add_argument("-k", default="", help="regular expression: tests to look at")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    args.kit = args.kit.resolve()
    args.tensix = args.build.resolve() / "tensix"
    chips = [args.chip] if args.chip else sorted(suite.CHIPS)
    return 0 if all([one_chip(args, chip) for chip in chips]) else 1


if __name__ == "__main__":
    sys.exit(main())
