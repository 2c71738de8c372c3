#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""disagreements.py TENSIX [--check]: writes docs/disagreements.md, the points on which documents,
the vendor's simulator, kernels and this emulator differ and that a card can decide, from
isa/evidence.def (`tensix isa --json`) and the kit's questions. $TENSIX_KIT_DATA has its data."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "disagreements.md"
sys.path.insert(0, str(ROOT / "kit"))

HEAD = """# Disagreements
<!-- Written by scripts/disagreements.py from isa/evidence.def and kit/. -->

Where documents, the vendor's simulator, shipping kernels and this emulator differ, or where
nothing public says what happens, and what a card would have to answer. Each point has a question of
the kit ([kit.md](kit.md)), which is the program: `tensix-kit run result.json --only NAME`, then
`tensix-kit report result.json`. The first alternative is what the emulator does by default; the ids
are those of [evidence.md](evidence.md), where the sources stand in full. No card has
answered any of them yet.
"""


def cell(text):
    return text.replace("|", "\\\\|").replace("\n", " ")


def asked(chip_of, all_questions):
    """Questions with alternatives, by name, and the chips that they are for."""
    found = {}
    for chip in ("bh", "wh"):
        for question in all_questions(chip_of(chip)):
            if question.readings:
                found.setdefault(question.name, (question, []))[1].append(chip)
    return found


def page(tensix):
    out = subprocess.run([tensix, "isa", "--json"], check=True, capture_output=True, text=True)
    evidence = {e["id"]: e for e in json.loads(out.stdout)["evidence"]}
    from tensix_kit.questions import all_questions
    from tensix_kit.words import Chip

    questions = asked(Chip.of, all_questions)
    lines = [HEAD]
    groups = {}
    for name, (question, chips) in questions.items():
        groups.setdefault(question.group, []).append((name, question, chips))
    lines.append(f"{len(questions)} questions in {len(groups)} groups.\n")
    for group, members in groups.items():
        lines += [
            f"## {group[0].upper()}{group[1:]}\n",
            "| question | asks | alternatives | who says what | chips |",
            "|---|---|---|---|---|",
        ]
        for name, question, chips in sorted(members, key=lambda m: m[0]):
            labels = [r.label for r in question.readings]
            sources = "; ".join(
                dict.fromkeys(
                    (
                        f"{i}: {evidence[i]['source']}"
                        if i in evidence
                        else f"{i} of the specification"
                    )
                    for i in question.about
                )
            )
            lines.append(
                "| "
                + " | ".join(
                    [
                        f"`{name}`",
                        cell(question.text),
                        cell("; ".join(f"**{t}**" if n == 0 else t for n, t in enumerate(labels))),
                        cell(sources),
                        " ".join(chips),
                    ]
                )
                + " |"
            )
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tensix")
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if "TENSIX_KIT_DATA" not in os.environ:
            subprocess.run(
                [sys.executable, str(ROOT / "scripts" / "kit_data.py"), given.tensix, folder],
                check=True,
            )
            os.environ["TENSIX_KIT_DATA"] = folder
        text = page(given.tensix)
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
