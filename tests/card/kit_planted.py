#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kit_planted.py TENSIX [CHIP...]: every other value of every rule is given to the emulated card,
one at a time and then several at once, and the kit's report must name exactly those.
$TENSIX_KIT_DATA has the kit's data. With --some N only N of them."""

import argparse
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "kit"))
from tensix_kit import judge as j  # noqa: E402
from tensix_kit import questions  # noqa: E402
from tensix_kit.emulated import Emulator  # noqa: E402
from tensix_kit.words import Chip  # noqa: E402


def result_of(emulator, chip, rules, each):
    """What a card with these readings answers: to all about rules, and to each so many others."""
    known = [q for q in questions.all_questions(Chip.of(chip)) if q.danger < 2 and not q.timing]
    ruled = [q.name for q in known if any(r.rule for r in q.readings)]
    names = ruled + [q.name for q in known if q.name not in ruled][::each]
    answers = emulator.answers(chip, names, rules)
    entries = {
        n: {"state": "answered", "words": w} if w is not None else {"state": "timeout"}
        for n, w in answers.items()
    }
    return {"card": {"chip": chip}, "hash": "0" * 64, "questions": entries}


def others(chip):
    """Each value of each rule that is no default and has a question on the chip."""
    found = {}
    for question in questions.all_questions(Chip.of(chip)):
        for reading in question.readings[1:]:
            if reading.rule:
                found[reading.rule] = None
    return list(found)


def check(emulator, chip, rules, each=1):
    """Whether the report names exactly the rules."""
    judgement = j.judge(result_of(emulator, chip, rules, each), emulator)
    named = sorted(f"{n}={v}" for n, v in judgement.others().items())
    left = [n for n, v in judgement.verdicts.items() if v.state in (j.DIFFERS, j.CONTRADICTS)]
    conflicts = [n for n, r in judgement.rules.items() if r["conflict"]]
    good = named == sorted(rules) and not left and not conflicts
    print(
        f"{'ok' if good else 'not ok'} {chip} {' '.join(rules)}"
        + ("" if good else f": named {named}, left {left[:5]}, conflicts {conflicts}"),
        flush=True,
    )
    return good


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tensix")
    parser.add_argument("chips", nargs="*", default=["bh", "wh"])
    parser.add_argument("--some", type=int, default=0)
    parser.add_argument("--many", type=int, default=4, help="sets of several rules a chip")
    parser.add_argument(
        "--each", type=int, default=1, help="of questions about no rule, each so many"
    )
    given = parser.parse_args()
    emulator = Emulator(given.tensix)
    random_ = random.Random(39)
    done = bad = 0
    start = time.monotonic()
    for chip in given.chips or ["bh", "wh"]:
        single = others(chip)
        if given.some:
            single = random_.sample(single, min(given.some, len(single)))
        sets = [[rule] for rule in single]
        for _ in range(0 if given.some else given.many):
            several = {}
            for rule in random_.sample(single, min(5, len(single))):
                several.setdefault(rule.split("=")[0], rule)
            sets.append(sorted(several.values()))
        for rules in sets:
            done += 1
            bad += not check(emulator, chip, rules, given.each)
    print(f"{done} plantings, {bad} not found exactly, {time.monotonic() - start:.0f} s")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
