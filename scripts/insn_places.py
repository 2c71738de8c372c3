#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""insn_places.py [DIRECTORY]: the homes of the meaning of each of ten instructions, at most four.

A row in isa/, a body in src/sem (or exec_whole.c, where it works on all lanes), a primitive in
src/num, an override in src/fast and its time in src/pipe are a home each. Every other function
whose code names the instruction, or something that is there for its sake alone (WORDS), is one more
and is listed. What goes by a table of isa/ without naming an instruction is none. Comments count
for nothing, nor does text in quotes that is no mnemonic, nor the encodings, the names of values,
prose, printing, tests and what is generated.
"""

import re
import sys
from pathlib import Path

# What is there for one instruction only, beside its mnemonic; at any time.
WORDS = {
    "SFPMAD": r"FAST_MAD|sem_term",
    "SFPADDI": r"sem_term",
    "SFPMULI": r"sem_term",
    "SFPSWAP": r"FAST_ORDER|FAST_EXCHANGED|swap_(?:order|decide|min_lanes)",
    "SFPSHFT2": r"shft2_\w+|whole_moves|FAST_ROTATE|FAST_SHIFT1",
    "SFPTRANSP": r"whole_moves|FAST_TRANSPOSE",
    "SFPARECIP": r"FAST_RECIP|fp32_arecip\w*",
    "SFPLUT": r"FAST_TERMS|lut_of|lut8_to_fp32",
    "SFPABS": "",
    "SFPSTOCHRND": r"stochrnd_\w+|fp32_stochrnd_\w+|sm32_stochrnd_\w+",
}
MOST = 4
HOMES = {
    "row": r"isa/",
    "body": r"src/sem/|src/pipe/exec_whole",
    "primitive": r"src/num/",
    "override": r"src/fast/",
    "time": r"src/pipe/(?!exec_whole)",
}
FILES = ["src/**/*.[ch]", "lab/**/*.[ch]", "cli/**/*.[ch]", "include/**/*.h", "include/**/*.hpp",
         "isa/isa.def", "isa/checks.def", "isa/moves.def", "isa/multiply_add.def", "isa/reals.def",
         "isa/tables.def", "isa/exchanges.def", "isa/equivalents.def"]
SKIPPED = ("include/tensix/chip/", "include/tensix/isa_names.h", "include/tensix/facts.h",
           "include/tensix/llk/",
           "cli/bench", "src/asm/", "cli/print/", "cli/trace", "lab/trace/", "cli/cmd_", "include/")


def code(text):
    """Without comments and strings, of the same number of lines."""
    def blank(found):
        return "\n" * found.group(0).count("\n") + " "
    text = re.sub(r"/\*.*?\*/|//[^\n]*", blank, text, flags=re.S)
    return re.sub(r'"(?!SFP\w+")(?:\\.|[^"\\\n])*"', '""', text)


def functions(text):
    """(name, its lines): a definition begins at the left and ends with a brace there."""
    name, lines = None, []
    for line in text.split("\n"):
        if name is None:
            found = re.match(r"(?:[A-Za-z_][\w \t*]*?)\b(\w+)\s*\([^;]*$", line)
            table = re.match(r"[A-Za-z_][\w \t*]*?\b(\w+)(?:\[[^;]*\])+ = \{$", line)
            macro = re.match(r"SEM_BODY\((\w+)\)", line)
            if macro or table or found:
                name, lines = (macro or table or found).group(1), [line]
                continue
            if line.startswith(("#define", "ROW(", "ON(", "MOVE(", "TERMS", "REAL(", "TABLE(",
                                  "EXCHANGE", "SAME_AS(")):
                yield line.split("(")[0].split()[-1], line
            elif re.match(r"\s*(EACH_LANE|GROUPS)\(", line):
                yield line.strip(), line
        else:
            lines.append(line)
            if line.startswith("}"):
                yield name, "\n".join(lines)
                name = None


# What each of them begins with. Most files know none, and to take a file apart takes long.
KEYS = {insn.lower() for insn in WORDS} | {
    re.match(r"\w+", word).group().lower()
    for words in WORDS.values() if words for word in re.split(r"\|(?![^(]*\))", words)
}


def knows(text):
    low = text.lower()
    return any(key in low for key in KEYS)


def places(root):
    found = {insn: {} for insn in WORDS}
    for pattern in FILES:
        for path in sorted(root.glob(pattern)):
            name = str(path.relative_to(root))
            if name.startswith(SKIPPED):
                continue
            table = name.startswith("isa/")
            text = path.read_text(encoding="utf-8")
            if not knows(text):
                continue
            for function, body in functions(code(text)):
                if not knows(body):
                    continue
                low = body.lower()
                for insn, words in WORDS.items():
                    if insn.lower() not in low and (table or not words):
                        continue
                    start = r"(?:(?:TX_)?(?:INSN|ROWID|ROW|MOD)_|sem_|whole_|SEM_BODY\()?"
                    own = rf"{start}{insn}(?!FP32|24|I\b)\w*"
                    if re.search(rf"\b{own}\b", body, re.I) or (
                            words and not table and re.search(rf"\b(?:{words})\b", body)):
                        where = name if table else f"{name}: {function}"
                        found[insn].setdefault(where, None)
    return found


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
    many = 0
    for insn, where in places(root).items():
        homes = [name for name, start in HOMES.items() if any(re.match(start, p) for p in where)]
        others = [p for p in where if not any(re.match(s, p) for s in HOMES.values())]
        many += len(homes) + len(others) > MOST
        print(f"{insn}: {len(homes) + len(others)}: {', '.join(homes + others)}")
    return 1 if many else 0


if __name__ == "__main__":
    sys.exit(main())
