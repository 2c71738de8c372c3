#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""hardware_places.py [DIRECTORY]: where hardware is said outside src and isa.

Lists every line of lab, cli, card, door and python/tensix that takes an instruction word apart or
puts one together by shifts and masks, or states an address of the chip. None is right: the library
has tx_core_decode, tx_mop_expand, tx_row_field, tx_row_put, tx_tile_place, tx_tile_register and
tx_arch_fact. What stays is in hardware_places.txt, one line each: a path, a part of the line, why.
"""

import re
import sys
from pathlib import Path

FOLDERS = ("lab", "cli", "card", "door", "python/tensix")
# Written from the tables by scripts, or read by nobody but a browser.
SKIPPED = ("python/tensix/_",)
PATTERNS = (
    ("an address of a tile", r"0[xX][fF]{2}[bBeE][0-9a-fA-F]{4}[048cC][uU]?\b"),
    ("an address of a chip's controller", r"0x(?:1F[CEF]|800[34])[0-9A-F]{4,5}[uU]?\b"),
    ("a field of a RISC-V word", r"(?:& *(?:0x7[Ff]|127|0x707[Ff])\b[uU]?|>> *(?:7|15) *& *"
     r"(?:31|0x1[fF])[uU]?\b|\(\w+, (?:7|15|20), 5\)|\(\w+, 12, 3\)|== *0x(?:63|6F|67|23|2F|0F|33)"
     r"\b|0x1[fF][uU]? *<< *(?:7|15|20)\b)"),
    ("a RISC-V word", r"<< *(?:15|20) *\|.*<< *7 *\|"),
    ("a field of an instruction word", r"\b(?:word|words\[\w+\]|insn|raw)\b *(?:>> *\d+ *)?& *"
     r"(?!0x(?:[78]0*[fF0]{7}|[fF]{4}0000)[uU]?\b)(?:0x[0-9a-fA-F]+|\d\d+)[uU]?\b|"
     r"\b(?:word|insn) *>> *(?!31\b|8 *\*)\d+|\b(?:opcode|insn|id)\w* *<< *24\b"),
    ("where the registers of a tile begin", r"\b255[uU]? *<< *24\b"),
    ("an offset of a register", r"\b(?:NIU|STREAM|NOC|CSR|CFG|DEBUG|WALL|RESET|ARC|TDMA|MAILBOX|"
     r"COUNTERS?|TILE|WINDOW|UNIT)\w* *= *(?:\(int\))?0[xX]"),
)


def code(text):
    """The text without comments and without what stands in quotes, line by line."""
    text = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)
    return re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)


def lines(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix not in (".c", ".h", ".cpp", ".hpp", ".py") or name.startswith(SKIPPED):
                continue
            text = path.read_text(encoding="utf-8")
            if path.suffix == ".py":
                text = re.sub(r'"""(?s:.*?)"""', lambda m: "\n" * m.group().count("\n"), text)
                text = re.sub(r"#.*", "", text)
            for number, line in enumerate(code(text).splitlines(), 1):
                yield name, number, line


def allowed(root):
    """[(path, part, reason)] and the lines of the list that say too little."""
    entries, bad = [], []
    text = (root / "scripts/hardware_places.txt").read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), 1):
        if line and not line.startswith("#"):
            parts = [part.strip() for part in line.split(" ;; ")]
            if len(parts) != 3 or len(parts[2]) < 12:
                bad.append(f"scripts/hardware_places.txt:{number}: path ;; part of the line ;; why")
            else:
                entries.append(tuple(parts))
    return entries, bad


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    entries, bad = allowed(root)
    used = set()
    for name, number, line in lines(root):
        for what, pattern in PATTERNS:
            if re.search(pattern, line) is None:
                continue
            entry = next((e for e in entries if e[0] == name and e[1] in line), None)
            if entry is None:
                bad.append(f"{name}:{number}: {what}: {line.strip()}")
            used.add(entry)
            break
    for entry in entries:
        if entry not in used:
            bad.append(f"scripts/hardware_places.txt: {entry[0]} ;; {entry[1]}: no such line")
    for text in bad:
        print(text)
    print(f"hardware outside src and isa: {len(entries)} places with a reason, {len(bad)} others")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
