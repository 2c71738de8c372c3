#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""disagreements.py TENSIX [--check] [--kept]: writes docs/disagreements.md, the points on which
documents, the vendor's simulator, kernels and this emulator differ and that a card can decide, from
isa/evidence.def (`tensix isa --json`), the kit's questions and tests/card/kit_simulator.tsv.
Answers under each rule come from the emulated card; --kept takes them from the page as it is, which
is quick. $TENSIX_KIT_DATA has the kit's data."""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "disagreements.md"
SIMULATOR = ROOT / "tests" / "card" / "kit_simulator.tsv"
sys.path.insert(0, str(ROOT / "kit"))

HEAD = """# Disagreements
<!-- Written by scripts/disagreements.py. -->

Where documents, the vendor's simulator, shipping kernels and this emulator differ, or where
nothing public says what happens, and what a card would have to answer. Each point has a question of
the kit ([kit.md](kit.md)): `tensix-kit run result.json --only NAME`, then `tensix-kit report
result.json`. Its program is told in two lines, what runs and what is read: Blackhole's where it has
the question. The first reading is what the emulator does by default; behind each reading stands
what a card answers that has it. What the vendor's simulator says was measured. The ids are those of
[evidence.md](evidence.md) and of the specification in [spec/](spec/README.md). No card has answered
any of them yet.
"""
SHOWN = 4  # words of an answer
DECIDED = re.compile(r"^- (.*): answers `.*$")


def words(values, start=0):
    part = " ".join(f"{w:08x}" for w in values[start : start + SHOWN])
    return part + (" ..." if len(values) > start + SHOWN else "")


def asked(chip_of, all_questions):
    """Questions with alternatives, by name, and the chips that they are for."""
    found = {}
    for chip in ("bh", "wh"):
        for question in all_questions(chip_of(chip)):
            if question.readings:
                found.setdefault(question.name, (question, []))[1].append(chip)
    return found


def measured(tensix, questions):
    """What the emulated card answers under each reading that is one of its rules: name and label to
    the place of the first word in which readings differ, and the words there."""
    from tensix_kit.emulated import Emulator

    emulator, found = Emulator(tensix), {}
    for chip in ("bh", "wh"):
        mine = [(n, q) for n, (q, chips) in questions.items() if chips[0] == chip]
        mine = [(n, q) for n, q in mine if q.readings[0].rule]
        sets = [
            ([] if number == 0 else [reading.rule], [name])
            for name, question in mine
            for number, reading in enumerate(question.readings)
        ]
        emulator.gather(chip, sets)
        for name, question in mine:
            answers = [
                emulator.answers(chip, [name], [] if number == 0 else [r.rule])[name]
                for number, r in enumerate(question.readings)
            ]
            at = next(n for n, row in enumerate(zip(*answers)) if len(set(row)) > 1)
            for reading, answer in zip(question.readings, answers):
                found[name, reading.label] = f"answers `{words(answer, at)}` from word {at} on"
    return found


def kept():
    """The same as the page has it already."""
    found, name = {}, None
    for line in PAGE.read_text().splitlines():
        if line.startswith("### "):
            name = line[5:].split("`")[0]
        elif DECIDED.match(line):
            label, _, text = line[2:].partition(": ")
            found[name, label.strip("*")] = text
    return found


def decides(reading, name, by_rule):
    """What a card answers that has the reading."""
    if reading.rule is not None:
        return by_rule.get((name, reading.label), "not measured")
    if reading.answer == "timeout":
        return "no answer in time"
    if reading.answer is not None:
        return f"answers `{words(list(reading.answer))}`"
    return "any other answer" if reading.label == "something else" else "an answer of that kind"


def simulator():
    """Chip and question to what the vendor's simulator says."""
    found = {}
    for line in SIMULATOR.read_text().splitlines():
        if line and not line.startswith("#"):
            chip, question, said = line.split("\t")[:3]
            found[chip, question] = said
    return found


def said_by_simulator(name, chips, table):
    said = [(chip, table.get((chip, name), "not asked")) for chip in chips]
    if len({text for _, text in said}) == 1:
        return said[0][1]
    return "; ".join(f"{chip}: {text}" for chip, text in said)


def entry(name, question, chips, program, evidence, by_rule, table):
    yield f"### `{name}` ({', '.join(chips)})\n"
    yield f"{question.text}\n"
    runs = program[0] or "(nothing: the state behind a reset)"
    yield f"```text\n{runs}\nread: {program[1]}\n```\n"
    for number, reading in enumerate(question.readings):
        label = f"**{reading.label}**" if number == 0 else reading.label
        yield f"- {label}: {decides(reading, name, by_rule)}"
    yield f"- the vendor's simulator: {said_by_simulator(name, chips, table)}"
    for i in dict.fromkeys(question.about):
        yield f"- {i}: {evidence[i]['source']}" if i in evidence else f"- {i} of the specification"
    yield ""


def page(tensix, by_rule):
    out = subprocess.run([tensix, "isa", "--json"], check=True, capture_output=True, text=True)
    evidence = {e["id"]: e for e in json.loads(out.stdout)["evidence"]}
    from tensix_kit import listing
    from tensix_kit.questions import all_questions
    from tensix_kit.words import Chip

    questions = asked(Chip.of, all_questions)
    by_rule = measured(tensix, questions) if by_rule is None else by_rule
    programs = {}
    for chip in ("bh", "wh"):
        mine = [q for q, chips in questions.values() if chips[0] == chip]
        programs.update(listing.programs(tensix, Chip.of(chip), mine))
    lines, groups, table = [HEAD], {}, simulator()
    for name, (question, chips) in questions.items():
        groups.setdefault(question.group, []).append((name, question, chips))
    lines.append(f"{len(questions)} questions in {len(groups)} groups.\n")
    for group, members in groups.items():
        lines.append(f"## {group[0].upper()}{group[1:]}\n")
        for name, question, chips in sorted(members, key=lambda m: m[0]):
            lines += entry(name, question, chips, programs[name], evidence, by_rule, table)
    return "\n".join(lines).rstrip() + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tensix")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--kept", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if "TENSIX_KIT_DATA" not in os.environ:
            subprocess.run(
                [sys.executable, str(ROOT / "scripts" / "kit_data.py"), given.tensix, folder],
                check=True,
            )
            os.environ["TENSIX_KIT_DATA"] = folder
        text = page(given.tensix, kept() if given.kept else None)
    if given.check:
        if PAGE.read_text() != text:
            print(
                "docs/disagreements.md is not what scripts/disagreements.py writes", file=sys.stderr
            )
            return 1
        return 0
    PAGE.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
