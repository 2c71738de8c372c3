#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""House rules that a compiler does not see. Each check states its rule."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
C = {".c", ".h", ".cpp", ".hpp"}
CODE = {"src", "lab", "cli", "door", "card"}
SCRIPT = {".py", ".sh", ".cmake", ".bats"}
# Tables may be long and wide: one row is one line.
TABLE = {".def"}
PROSE = {".md", ".txt", ".1", ".3", ".s", ".json", ".in", ".yml"}
MAX_LINES = 700
MAX_COLUMNS = 100
MAX_ALIKE = 9  # files of src, lab, cli, door and card that have a static function of one name
MAX_COMMAND = 6430  # lines of cli/ and its table, without texts: what a command does is in lab/

# Written in pieces, so that this file passes its own checks.
UNFINISHED = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "X" + "XX"]) + r")\b")
MACHINE_PATH = re.compile(
    r"(?<![\w./$}{-])/(" + "|".join(["wo" + "rk", "ho" + "me", "ro" + "ot", "Us" + "ers"]) + r")/\w"
)
CHIP_IF = re.compile(
    r"^\s*#\s*(if|ifdef|ifndef|elif)\b.*"
    r"(blackhole|wormhole|(\b|_)(bh|wh)(\b|_)|TT_ARCH|ARCH_NAME)",
    re.IGNORECASE,
)
TOP_BYTE = re.compile(r">>\s*24u?\b|0xff000000", re.IGNORECASE)
NUMBER = re.compile(r"([=!<>]=|\bcase)\s*(0x[0-9a-f]+|\d+)u?\b", re.IGNORECASE)
OPCODE_TEST = re.compile(r"opcode\s*\)?\s*([=!<>]=)\s*(0x|\d)|switch\s*\(.*opcode", re.IGNORECASE)
# 0x70..0x9f without 0x7f, which is the bias of an exponent more often than an opcode.
OPCODE_LITERAL = re.compile(r"([=!]=|\bcase)\s*0x(7[0-9a-e]|[89][0-9a-f])u?\b", re.IGNORECASE)
COMMENT = re.compile(r"/\*.*?\*/|//.*")
# Outside src an instruction word is taken apart and built by the names of its fields.
WORD = r"\bword\w*(\[[^]]*\])?\)?\s*"
TAKEN_APART = re.compile(
    WORD + r"(>>\s*24|>>\s*\d+u?\s*&\s*(15|31|63|0xf)|&\s*~?0xf{1,3}0*u?\b)|0xff000000",
    re.IGNORECASE,
)
BUILT = re.compile(
    r"opcode\w*\s*<<|(\b|>|\.)(v[abcd]|reg|mode)\)?\s*<<\s*(4|8|12|16|20|24)\b"
    # Not 0x7f...... nor 0x80......: numbers more often than instructions.
    r"|\b0x(7[0-9a-e]|8[1-9a-f]|9[0-9])[0-9a-f]{6}u?\b"
    # In a text that is assembled, too.
    r"|\.word 0x[0-9a-f]",
    re.IGNORECASE,
)
NAMED = re.compile(
    r"\bstrn?(case)?(cmp|str)\([^;]*(\bmnemonic\b|(row|insn)(s\[\w+\])?->(id|name|macro)\b"
    r"|->(reads|writes|belief)\b)"
)
SPELLED = re.compile(r'\b(str|mem)n?(case)?cmp\([^;]*"(TTI?_|TT_OP_|SFP)\w*"', re.IGNORECASE)
# A modifier has names (tensix/isa_modes.h): where it is compared, and where bits of it are taken.
MODE = re.compile(
    r"(->|\.)mode\)?\s*([=!<>]=|[<>]|&|>>)\s*\(?~?(0x[0-9a-f]+|\d+)u?\b(?!\) [=!]= TX_MOD_)",
    re.IGNORECASE)
# A set of modifiers at its bit, and a modifier cut to its four bits.
MODE_KEPT = re.compile(r">> [\w>.-]*mode\b|\bmode & 15u\b", re.IGNORECASE)
# An error is a value (lab/base/error.h), not a text in a buffer that the caller lends.
LENT = re.compile(r"\bchar (message\[[^]]*\]|\*message, size_t \w+)[,)]")
# What each of them must find.
SAMPLES = (
    (LENT, "static bool run(int tile, char message[400])"), (LENT, "char *message, size_t size);"),
    (TAKEN_APART, "op = word >> 24;"), (TAKEN_APART, "index = words[i] >> 14 & 31;"),
    (TAKEN_APART, "word & 0xff0u"), (BUILT, "(uint32_t)insn->opcode << 24"),
    (BUILT, "word | (uint32_t)o->vd << 4"), (BUILT, "blackhole(0x99000001u, a)"),
    (BUILT, '".word 0x41000000\\n"'),
    (NAMED, 'strcmp(event->row->mnemonic, "SFPNOP") == 0'),
    (NAMED, 'strncmp(row->id, "SFPCAST", 7)'), (NAMED, 'strcmp(insn->name, "sfpmov")'),
    (NAMED, 'strstr(op->row->reads, "VB")'), (SPELLED, 'strncmp(text, "SFPMAD", 6) == 0'),
    (SPELLED, 'strcasecmp(name, "sfpmad") == 0'),
    (MODE, "if (op->mode == 2) {"), (MODE, "(o->mode & 8u) != 0"), (MODE, "o->mode >> 1 & 3"),
    (MODE, "event->operands->mode <= 2"), (MODE, "(op->mode & ~4u) == X"),
    (MODE, "x->op->mode >= 14"),
)


STATIC = re.compile(
    r"^static (?:inline )?(?:const )?(?:struct |enum |unsigned |signed )*\w+[ *]+(\w+)\(", re.M
)


def listed():
    """Files git knows or would take; without git, all but build directories."""
    try:
        out = subprocess.run(
            ["git", "ls-files", "-co", "--exclude-standard", "-z"],
            cwd=ROOT, capture_output=True, check=True,
        ).stdout.decode()
        names = [n for n in out.split("\0") if n]
    except (OSError, subprocess.CalledProcessError):
        names = [
            str(p.relative_to(ROOT))
            for p in ROOT.rglob("*")
            if not p.relative_to(ROOT).parts[0].startswith("build")
            and ".git" not in p.relative_to(ROOT).parts
        ]
    return sorted(p for p in (ROOT / n for n in names) if p.is_file())


def is_script(path, text):
    return path.suffix in SCRIPT or text.startswith("#!") or path.name == "CMakeLists.txt"


def check_everywhere(lines):
    for number, line in enumerate(lines, 1):
        if not line.isascii():
            yield number, "only ASCII"
        if UNFINISHED.search(line):
            yield number, "unfinished work belongs in an issue or is finished"
        if MACHINE_PATH.search(line):
            yield number, "a path of one machine"
        if line != line.rstrip():
            yield number, "blanks at the end of the line"


def check_code(lines, tabs_allowed):
    """SPDX first (behind #!), short files, short lines."""
    head = lines[:2] if lines and lines[0].startswith("#!") else lines[:1]
    if not any("SPDX-License-Identifier: Apache-2.0" in line for line in head):
        yield 1, "the first line is the SPDX line"
    # What a script writes, nobody reads from end to end.
    written = any("Written by scripts/" in line for line in lines[:3])
    if len(lines) > MAX_LINES and not written:
        yield len(lines), f"more than {MAX_LINES} lines: cut the file"
    for number, line in enumerate(lines, 1):
        if len(line) > MAX_COLUMNS:
            yield number, f"more than {MAX_COLUMNS} columns"
        if "\t" in line and not tabs_allowed:
            yield number, "tab"


def check_chips(lines):
    """Chips differ by data and by folder, never by #if (rule 5)."""
    for number, line in enumerate(lines, 1):
        if CHIP_IF.search(line) and not re.search(r"_H\s*$", line):
            yield number, "#if on a chip"


def check_opcodes(relative, lines):
    """Opcode numbers stand in isa/*.def and are read by src/isa alone (rule 1)."""
    numerics = relative.parts[:2] in (("src", "num"), ("src", "fmt"), ("lab", "base"))
    for number, line in enumerate(lines, 1):
        code = COMMENT.sub("", line)
        found = (
            OPCODE_TEST.search(code)
            or (TOP_BYTE.search(code) and NUMBER.search(code) and not numerics)
            or (OPCODE_LITERAL.search(code) and not numerics)
        )
        if found:
            yield number, "an opcode is tested by number outside isa/ and src/isa"


def check_words(lines):
    """Instructions, behaviours and operands are compared as enums, fields have names (rule 1)."""
    for number, line in enumerate(lines, 1):
        code = COMMENT.sub("", line)
        if TAKEN_APART.search(code) or BUILT.search(code):
            yield number, "a bit place of an instruction outside isa/: tx_row_field, tx_row_put"
        if NAMED.search(code) or SPELLED.search(code):
            yield number, "a name or a set is compared as text: tensix/isa_names.h has enums"


def check_modes(lines):
    """Values of modifiers have the names of isa/modes.def."""
    for number, line in enumerate(lines, 1):
        if MODE.search(MODE_KEPT.sub("", COMMENT.sub("", line))):
            yield number, "a modifier is compared with a number: tensix/isa_modes.h has names"


def check_errors(lines):
    """Functions of lab fill in a struct txl_error."""
    for number, line in enumerate(lines, 1):
        if LENT.search(line):
            yield number, "a buffer for a message is lent: fill in a struct txl_error"


def check_campaigns(lines):
    """A row of docs/evidence.md's campaigns says which commit was measured."""
    inside = False
    for number, line in enumerate(lines, 1):
        if line.startswith("| command | date | commit |"):
            inside = True
        elif not line.startswith("|"):
            inside = False
        elif inside and not line.startswith("|---"):
            if not re.match(r"\|.*\| \d{4}-\d\d-\d\d \d\d:\d\d \| [0-9a-f]{7} \|", line):
                yield number, "a campaign without its commit"


def check_evidence(lines):
    """A file of tests or scripts that docs/evidence.md names is one that git has; what a row quotes
    beside such a file stands in it."""
    there = {str(p.relative_to(ROOT)) for p in listed()}
    named = re.compile(r"`((?:tests|scripts)/[\w/.-]+\.(?:sh|py|c|h|cpp|s|txt|bats))`")
    quoted = re.compile(r'(?:`([\w/.-]+/[\w.-]+)`)|"([^"]+)"')
    for number, line in enumerate(lines, 1):
        for name in named.findall(line):
            if name not in there:
                yield number, f"there is no {name}"
        text = None
        for name, words in quoted.findall(line.rsplit(" | ", 1)[-1]):
            if name:
                text = (ROOT / name).read_text(encoding="utf-8") if name in there else None
            elif text is not None and words not in text:
                yield number, f"nothing there is called {words}"


def problems(path):
    relative = path.relative_to(ROOT)
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        if path.suffix in C | SCRIPT | TABLE | PROSE:
            yield 1, "not text"
        return
    lines = text.split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    elif lines and path.suffix in C | SCRIPT | TABLE:
        yield len(lines), "no end of line at the end"
    script = is_script(path, text)
    if path.suffix in C | TABLE | PROSE or script or path.name == "Makefile":
        yield from check_everywhere(lines)
    if path.suffix in C or script:
        yield from check_code(lines, tabs_allowed=path.suffix in {".sh", ".bats"})
    elif path.suffix in TABLE:
        yield from (p for p in check_code(lines[:1], False) if "SPDX" in p[1])
    if relative.name == "evidence.md":
        yield from check_campaigns(lines)
        yield from check_evidence(lines)
    # ckernel_ops.h is where a user's macro chooses the chip, as with the vendor's headers; kernels
    # for the tile's cores are compiled for one.
    kernels = relative.parts[:2] in {("examples", "llk_style"), ("bench", "silicon")}
    if path.suffix in C and path.name != "ckernel_ops.h" and not kernels:
        yield from check_chips(lines)
    if path.suffix in C and relative.parts[:2] != ("src", "isa"):
        if relative.parts[0] in ("src", "lab", "cli", "include"):
            yield from check_opcodes(relative, lines)
            if relative.parts[:2] != ("lab", "base"):  # modes of files
                yield from check_modes(lines)
        if relative.parts[0] == "lab":
            yield from check_errors(lines)
        # isa_names.h and facts.h are written from isa/.
        written = path.name in ("isa_names.h", "facts.h")
        if relative.parts[0] in ("lab", "cli", "include") and not written:
            yield from check_words(lines)


def main():
    count = 0
    for rule, sample in SAMPLES:
        if not rule.search(sample):
            sys.exit(f"check_style: does not find {sample}")
    command = 0
    statics = {}
    for path in listed():
        if path.suffix == ".c" and path.relative_to(ROOT).parts[0] in CODE:
            for name in set(STATIC.findall(path.read_text(encoding="utf-8"))):
                statics.setdefault(name, []).append(path)
        for number, text in problems(path):
            count += 1
            print(f"{path.relative_to(ROOT)}:{number}: {text}")
        # Its examples, and the sentences of its table, are text.
        if path.relative_to(ROOT).parts[0] == "cli" and path.name != "examples.def":
            command += sum(not line.startswith('    "') or path.name != "commands.def"
                           for line in path.read_text(encoding="utf-8").splitlines())
    for name, paths in statics.items():
        if len(paths) > MAX_ALIKE:
            count += 1
            print(f"{paths[-1].relative_to(ROOT)}: {len(paths)} files have a static {name}: "
                  "a name that can be found begins with a word of its file")
    if command > MAX_COMMAND:
        count += 1
        print(f"cli: {command} lines, more than {MAX_COMMAND}: what a command does belongs to lab/")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
