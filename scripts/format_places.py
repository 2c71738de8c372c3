#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""format_places.py [DIRECTORY]: the homes that what a data format means has, at most six each.

The row in isa/data_formats.def, the conversions in src/fmt, unpackers, packers, the fast engine and
arrays in files (lab/data) are a home each. Every other function of src, lab, cli, door and card
that names the format is one more and is listed; benchmarks, which measure named formats, are none,
nor are the tests. Comments and text in quotes count for nothing.
"""

import re
import sys
from pathlib import Path

from insn_places import code, functions

MOST = 6
HOMES = {
    "row": r"isa/",
    "conversions": r"src/fmt/",
    "unpackers": r"src/unpack/",
    "packers": r"src/pack/",
    "override": r"src/fast/",
    "arrays": r"lab/data/",
}
FOLDERS = ("src", "lab", "cli", "door", "card")
SKIPPED = ("lab/bench/",)


def formats(root):
    text = (root / "isa/data_formats.def").read_text(encoding="utf-8")
    return re.findall(r"^DATA_FORMAT\((\w+),", text, re.MULTILINE)


def places(root):
    found = {name: {"isa/data_formats.def": None} for name in formats(root)}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            where = path.relative_to(root).as_posix()
            if path.suffix not in (".c", ".h", ".def") or where.startswith(SKIPPED):
                continue
            for function, body in functions(code(path.read_text(encoding="utf-8"))):
                for name in set(re.findall(r"\b(?:TX_)?FORMAT_(\w+)\b", body)) & set(found):
                    found[name].setdefault(f"{where}: {function}")
    return found


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
    many = 0
    for name, where in places(root).items():
        homes = [home for home, start in HOMES.items() if any(re.match(start, p) for p in where)]
        others = [p for p in where if not any(re.match(s, p) for s in HOMES.values())]
        many += len(homes) + len(others) > MOST
        print(f"{name}: {len(homes) + len(others)}: {', '.join(homes + others)}")
    return 1 if many else 0


if __name__ == "__main__":
    sys.exit(main())
