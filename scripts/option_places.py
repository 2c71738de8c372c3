#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""option_places.py [DIRECTORY]: the places that know an option, at most two each.

The row of cli/commands.def is one, and the commands' own code that reads the member another:
cli/cmd_*.c, and what several of them share (machine.c, tile_options.c, tile_run.c). Every other
file of cli that reads it is one more, and every list outside the table: a script that makes
pages, a completion, the build. Prose is none: what a manual page or a document explains at
length. Options whose value goes where the row says (FIELD, LISTS, CALLS) need no reading.
"""

import re
import sys
from functools import lru_cache
from pathlib import Path

from insn_places import code, functions

MOST = 2
OWN = ("cmd_", "machine.c", "tile_options.c", "tile_run.c")


def table(root):
    """[(command, option, member, set)] of OPTION and TAKE rows, in the table's order."""
    text = (root / "cli/commands.def").read_text(encoding="utf-8")
    rows = []
    for kind, command, first, second in re.findall(
            r"^(OPTION|FIELD|LISTS|CALLS|TAKE|TAKE_AS)\((\w+), (\w+)(?:, (\w+))?", text, re.M):
        if kind == "TAKE":
            rows.append((command, second, None))
        elif kind == "TAKE_AS":
            rows.append((command, text_of_take_as(text, command, first, second), None))
        else:
            rows.append((command, first, first if kind == "OPTION" else None))
    return rows


def text_of_take_as(text, command, shared, row):
    found = re.search(rf"^TAKE_AS\({command}, {shared}, {row}, (\w+)", text, re.M)
    return found.group(1) if found else row


@lru_cache(maxsize=None)
def bodies(root):
    """(file, functions that take a command's struct or hold one) of cli/."""
    return [(path.relative_to(root).as_posix(),
             [body for _, body in functions(code(path.read_text(encoding="utf-8")))])
            for path in sorted((root / "cli").rglob("*.[ch]"))]


@lru_cache(maxsize=None)
def texts(root):
    files = [root / "scripts/command_pages.py", *(root / "cli").glob("[!c]*.[ch]"),
             *(root / "cmake").glob("*.cmake"), *(root / "completions").glob("*")]
    return [(path, path.read_text(encoding="utf-8")) for path in files if path.is_file()]


def readers(root, command, member):
    """The files that read a command's member: from a struct NAME_args, or a member of that type."""
    found = set()
    for path, all_of_it in bodies(root):
        for body in all_of_it:
            if member not in body:
                continue
            names = re.findall(rf"\bstruct {command}_args \*(?:const )?(\w+)", body)
            ways = [rf"\b{name}->{member}\b" for name in names]
            ways += [rf"(?:\.|->){command}\.{member}\b"]
            if any(re.search(way, body) for way in ways):
                found.add(path)
    return found


def listed(root, option):
    """Lists outside the table that have the option."""
    long = option.replace("_", "-")
    return [path.relative_to(root).as_posix() for path, text in texts(root)
            if not path.name.startswith(OWN) and re.search(rf"[\"']--{long}[\"' =]", text)]


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
    counts = {}
    for command, option, member in table(root):
        files = sorted(readers(root, command, member)) if member else []
        others = [file for file in files if not Path(file).name.startswith(OWN)]
        where = ["row"] + (["use"] if len(files) > len(others) else []) + others
        where += listed(root, option)
        counts[len(where)] = counts.get(len(where), 0) + 1
        if len(where) > MOST:
            print(f"{command} --{option.replace('_', '-')}: {len(where)}: {', '.join(where)}")
    total = sum(counts.values())
    print(f"{total} options: " + ", ".join(f"{counts[n]} in {n}" for n in sorted(counts)))
    return 1 if any(n > MOST for n in counts) else 0


if __name__ == "__main__":
    sys.exit(main())
