#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""chip_places.py [DIRECTORY]: the tests in src, lab, cli and door of which chip it is.

A chip is a row of isa/chip.def: code asks for a trait or a number of that table (CHIP_HAS,
NUMBER_OF, tx_arch_fact), or takes the chip's column of another table (chip_column). What compares
with a chip's name instead, or carries the answer about as a flag, is listed. What remains is in
chip_places.txt, at most ten places: a path, a part of the line, why.
"""

import re
import sys
from pathlib import Path

FOLDERS = ("src", "lab", "cli", "door")
MOST = 10
CHIP = r"(?:TX_WORMHOLE|TX_BLACKHOLE)"
TESTS = tuple(re.compile(test) for test in (
    rf"[=!]= *{CHIP}\b",
    rf"\b{CHIP} *[=!]=",
    rf">> *{CHIP}\b|[=&]= *1[uU]* << *{CHIP}\b|& *\(?1[uU]* << *{CHIP}\b",
    r"\b\w*is_(?:bh|wh|blackhole|wormhole)\b *\(",
    r"(?:\.|->)(?:is_)?(?:bh|wh|blackhole|wormhole)\b",
    r"\bconst bool (?:is_)?(?:bh|wh|blackhole|wormhole)\b *=",
))


def code(text):
    text = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)
    return re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    reasons, others, count = [], [], 0
    for line in (root / "scripts/chip_places.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            reasons.append(tuple(part.strip() for part in line.split(" ;; ")))
    bad = [f"scripts/chip_places.txt: {r}" for r in reasons if len(r) != 3 or len(r[2]) < 12]
    used = set()
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in (".c", ".h", ".cpp"):
                continue
            name = path.relative_to(root).as_posix()
            for number, line in enumerate(code(path.read_text(encoding="utf-8")).splitlines(), 1):
                if not any(test.search(line) for test in TESTS):
                    continue
                reason = next((r for r in reasons if r[0] == name and r[1] in line), None)
                if reason is None:
                    others.append(f"{name}:{number}: {line.strip()}")
                used.add(reason)
                count += reason is not None
    bad += [f"scripts/chip_places.txt: {r[0]} ;; {r[1]}: no such line"
            for r in reasons if r not in used]
    if count > MOST:
        bad.append(f"scripts/chip_places.txt: {count} places, at most {MOST} may be")
    for text in others + bad:
        print(text)
    print(f"tests of the chip: {count} with a reason, {len(others)} others")
    return 1 if others or bad else 0


if __name__ == "__main__":
    sys.exit(main())
