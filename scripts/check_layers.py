#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Who may include whom: layers, each of which sees only those before it (CONTRIBUTING.md).

A folder under src includes itself and folders before it in ORDER; no file lies loose in src. The
tables in isa/ are data and open to all of src. A room of lab includes rooms before it in ROOMS and
public headers, of which those of libtensix-lab are built on those of libtensix. What is in
include/tensix-internal is for src, for rooms that compare engines, and for tests; its bench.h is
for room bench and the command. Otherwise the command sees public headers only. An include that
resolves to nothing is a failure too.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ORDER = (
    "base isa num riscv fmt asm state sem scalar matrix unpack pack pipe front fast noc tile dram "
    "chip host api"
).split()
# The rooms of lab/, each on the ones before it.
ROOMS = (
    "base page isa reference engine data kernel vectors flow lint "
    "shadow expand profile run sweep form fit schedule opt front tile order chiprun silicon race "
    "explain past gdb trace debug bench lsp"
).split()
# What is not installed, and the rooms that may see it: comparison of engines, and compilation.
INTERNAL = ROOT / "include" / "tensix-internal"
COMPARES = ("engine", "vectors", "fit")
# The project's own measurements: no user of the libraries needs them, the command shows them.
MEASURES = "tensix-internal/bench.h"
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def files(folder, *endings):
    return sorted(p for e in endings for p in (ROOT / folder).rglob("*" + e))


def includes(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        found = INCLUDE.match(line)
        if found:
            yield number, found.group(1) == '"', found.group(2)


def layer(path):
    """The layer of a file under src, or None."""
    try:
        parts = path.relative_to(ROOT / "src").parts
    except ValueError:
        return None
    return parts[0] if len(parts) > 1 else ""


def resolve(name, folders):
    for folder in folders:
        path = (folder / name).resolve()
        if path.is_file():
            return path
    return None


def check_src(problem):
    for path in files("src", ".c", ".h"):
        own = layer(path)
        if own not in ORDER:
            problem(path, 1, f'folder "src/{own}" has no place in the order of layers')
            continue
        for number, quoted, name in includes(path):
            if not quoted:
                target = resolve(name, [ROOT / "src", ROOT])
                if target is not None:
                    problem(path, number, f"<{name}> is ours: use quotes")
                continue
            target = resolve(name, [path.parent, ROOT / "src", ROOT, ROOT / "include"])
            if target is None:
                problem(path, number, f'"{name}" does not exist')
                continue
            other = layer(target)
            if other is None:
                if target.parent not in (ROOT / "isa", ROOT / "include" / "tensix", INTERNAL):
                    problem(path, number, f'"{name}" is outside src, isa and include')
            elif other not in ORDER or ORDER.index(other) > ORDER.index(own):
                problem(path, number, f"{own} may not include {other} ({name})")


def check_lab(problem):
    """A room includes itself, rooms before it and public headers."""
    for path in files("lab", ".c", ".h"):
        own = path.relative_to(ROOT / "lab").parts[0]
        if own not in ROOMS:
            problem(path, 1, f"room lab/{own} has no place in the order of rooms")
            continue
        for number, quoted, name in includes(path):
            if not quoted:
                if name.startswith("tensix") and not (ROOT / "include" / name).is_file():
                    problem(path, number, f"{name} is no public header")
                elif name == MEASURES and own == "bench":
                    pass
                elif name.startswith("tensix-internal/") and own not in COMPARES:
                    problem(path, number, f"{name} is for {' and '.join(COMPARES)} alone")
                continue
            target = resolve(name, [ROOT / "lab"])
            if target is None:
                problem(path, number, f'"{name}" is no file of a room')
                continue
            other = target.relative_to(ROOT / "lab").parts[0]
            if ROOMS.index(other) > ROOMS.index(own):
                problem(path, number, f"{own} may not include {other} ({name})")


def check_public(problem):
    """Public headers include public ones; those of libtensix none of libtensix-lab."""
    for path in files("include", ".c", ".h", ".hpp"):
        own = path.relative_to(ROOT / "include").parts[0]
        for number, quoted, name in includes(path):
            if name.startswith("tensix-internal/"):
                problem(path, number, f"{name} is not installed")
            elif name.startswith("tensix-lab/") and own != "tensix-lab" and path.name != "bench.h":
                problem(path, number, f"{own} may not include {name}")
            elif name.startswith(("tensix/", "tensix-lab/")):
                if not (ROOT / "include" / name).is_file():
                    problem(path, number, f"{name} is no public header")
            elif quoted and resolve(name, [path.parent]) is None:
                problem(path, number, f'"{name}": include sees public headers only')
            elif not quoted and resolve(name, [ROOT / "src", ROOT / "lab", ROOT]) is not None:
                problem(path, number, f"<{name}>: include sees public headers only")


def check_command(problem):
    """Files of cli and public headers."""
    for path in files("cli", ".c", ".h"):
        for number, quoted, name in includes(path):
            if name == MEASURES:
                pass
            elif name.startswith("tensix-internal/"):
                problem(path, number, f"{name}: cli sees public headers only")
            elif name.startswith(("tensix/", "tensix-lab/")):
                if not (ROOT / "include" / name).is_file():
                    problem(path, number, f"{name} is no public header")
            elif name == "card/run.h":
                pass  # tensix card is the door to that room
            elif quoted and resolve(name, [path.parent, ROOT / "cli"]) is None:
                problem(path, number, f'"{name}": cli sees public headers only')
            elif not quoted and resolve(name, [ROOT / "src", ROOT / "lab", ROOT]) is not None:
                problem(path, number, f"<{name}>: cli sees public headers only")


def check_door(problem):
    """The door and the card are users of libtensix like any other: public headers, their own."""
    for path in files("door", ".c", ".h") + files("card", ".c", ".h"):
        for number, quoted, name in includes(path):
            if path.name in ("order.c", "order.h") and name == "tensix-lab/order.h":
                continue
            if path.name == "used.c" and name == "tensix-lab/card.h":
                continue  # it loads the lab library where that is asked for
            if quoted and name == "../door/order.h":
                continue
            if quoted and resolve(name, [path.parent]) is None:
                problem(path, number, f'"{name}": door and card see public headers only')
            elif name.startswith("tensix-lab/") or (
                not quoted and resolve(name, [ROOT / "src", ROOT / "lab", ROOT]) is not None
            ):
                problem(path, number, f"<{name}>: door and card see libtensix's public headers")


def check_documents(problem):
    """CONTRIBUTING.md says the order of folders, and its walks go through files that exist."""
    path = ROOT / "CONTRIBUTING.md"
    text = path.read_text(encoding="utf-8")
    if f"`{' '.join(ORDER)}`" not in re.sub(r"\s+", " ", text):
        problem(path, 1, "the order of folders under src is another")
    walks = re.search(r"## Five walks\n(.*?)\n## ", text, re.DOTALL)
    for name in re.findall(r"`((?:src|lab|cli|isa|scripts)/[^` ]+)`", walks.group(1)):
        if not (ROOT / name).exists():
            problem(path, 1, f"no file {name}, which a walk goes through")


def main():
    count = 0

    def problem(path, number, text):
        nonlocal count
        count += 1
        print(f"{path.relative_to(ROOT)}:{number}: {text}")

    check_src(problem)
    check_lab(problem)
    check_public(problem)
    check_command(problem)
    check_door(problem)
    check_documents(problem)
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
