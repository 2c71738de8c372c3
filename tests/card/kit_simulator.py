#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kit_simulator.py TENSIX RESULT... [--write]: what the vendor's simulator says to the kit's
questions that have alternatives is what tests/card/kit_simulator.tsv has, and its other answers are
the emulator's. A row whose answer is not the default names the ruling that knows of it. --write
writes the rows of these results' chips, and keeps the rulings. $TENSIX_KIT_DATA has the kit's
data."""

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "kit"))
from tensix_kit import judge as j  # noqa: E402
from tensix_kit import page, result  # noqa: E402
from tensix_kit.emulated import Emulator  # noqa: E402
from tensix_kit.words import Chip  # noqa: E402

TABLE = Path(__file__).with_name("kit_simulator.tsv")
HEAD = """\
# What the vendor's simulator answers to the questions of the kit that have alternatives: the
# reading that it fits, or how it ended the process. Written by tests/card/kit_simulator.py --write.
# The last column is the ruling by which an answer that is not the default one is known.
# chip\tquestion\tsimulator\truling
"""


def rows():
    found = {}
    for line in TABLE.read_text(encoding="ascii").splitlines() if TABLE.exists() else []:
        if line and not line.startswith("#"):
            chip, question, said, ruling = (line + "\t").split("\t")[:4]
            found[chip, question] = (said, ruling)
    return found


def said_of(verdict):
    if verdict.state == j.LOST:
        return "ends: " + re.sub(r"^\[\d+\] ERROR: ", "", verdict.said)
    if verdict.state == j.TIMEOUT or verdict.state == j.MISSING:
        return verdict.state
    return " or ".join(verdict.supports) or "another answer"


def differs(verdict):
    return (
        verdict.state in (j.DIFFERS, j.CONTRADICTS, j.TIMEOUT, j.MISSING)
        or page.against_default(verdict)
    )


def known(chip, question, ruling):
    """Whether the ruling is one of the evidence or one that the question names."""
    return ruling in chip.evidence or ruling in question.about


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tensix")
    parser.add_argument("results", nargs="+")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    table, wrong, new = rows(), [], {}
    emulator = Emulator(given.tensix)
    for path in given.results:
        judgement = j.judge(result.read(path), emulator)
        chip = Chip.of(judgement.data["card"]["chip"])
        lost = unlike = agree = 0
        for name, verdict in judgement.verdicts.items():
            lost += verdict.state == j.LOST
            agree += verdict.state != j.LOST and not differs(verdict)
            said, ruling = table.get((chip.name, name), (None, ""))
            if verdict.question.readings:
                new[chip.name, name] = (said_of(verdict), ruling)
                if said != said_of(verdict):
                    wrong.append(f"{chip.name} {name}: {said_of(verdict)}, the table has {said}")
            if not differs(verdict):
                continue
            unlike += 1
            if not known(chip, verdict.question, ruling):
                wrong.append(f"{chip.name} {name}: {said_of(verdict)}, and no ruling knows of it")
        gone = [q for c, q in table if c == chip.name and q not in judgement.verdicts]
        wrong += [f"{chip.name} {name}: it was not asked" for name in gone]
        print(
            f"{chip.name}: {len(judgement.verdicts)} questions, {agree} as the emulator, "
            f"{unlike} not, {lost} ended the process"
        )
    if given.write:
        chips = {chip for chip, _ in new}
        new.update({key: row for key, row in table.items() if key[0] not in chips})
        lines = ["\t".join((*key, *row)).rstrip() for key, row in sorted(new.items())]
        TABLE.write_text(HEAD + "\n".join(lines) + "\n", encoding="ascii")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
