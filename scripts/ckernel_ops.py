#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes include/tensix/chip/*.def, the macros and names of ckernel_ops.h and the forms in which
record.h writes words, from isa/*.def.

The preprocessor cannot define macros from a table, so that this file does. The result is checked
in; with --check nothing is written, and the exit status tells whether it is current.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CHIPS = {"BH": "blackhole", "WH": "wormhole"}
OUT = ROOT / "include" / "tensix" / "chip"


def table(name):
    text = (ROOT / "isa" / name).read_text(encoding="ascii")
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)


def on_chip(chips, chip):
    return chips in ("BOTH", chip)


def ops(chip):
    """(macro, opcode, [(field, lsb, width)]) in order of opcode."""
    macros = {}
    entry = re.compile(
        r'^MNEMONIC\((\w+), "\w+", "(\w+)", (0x\w+), \w+\)'
        r"|^FORM(?:_P|_SHARED)?\((\w+), (\w+), 0x\w+, 0x\w+, \(([^;]*?)\)(?=\)\n|,\s*\()",
        re.M,
    )
    for found in entry.finditer(table("mnemonics.def")):
        if found.group(1):
            macros[found.group(1)] = found.group(2), int(found.group(3), 0)
        elif on_chip(found.group(5), chip):
            fields = re.findall(r"F\((\w+), (\d+), (\d+), \w+\)", found.group(6))
            yield *macros[found.group(4)], fields


def ops_text(chip):
    for macro, opcode, fields in ops(chip):
        names = ", ".join(name for name, _, _ in fields)
        call = f"({names})" if fields else ""
        parts = "".join(f" + TX_FIELD({name}, {lsb}, {width})" for name, lsb, width in fields)
        yield f"#define TT_OP_{macro}{call} (UINT32_C({opcode << 24:#010x}){parts})"
        for prefix in "TT", "TTI":
            yield f"#define {prefix}_{macro}{call} TX_RECORD(TT_OP_{macro}{call})"


def forms_text(chip):
    """{name, opcode, {{lsb, width} of each field}}: how a word is written as a macro."""
    for macro, opcode, fields in ops(chip):
        places = ", ".join(f"{{{lsb}, {width}}}" for _, lsb, width in fields)
        yield f'{{"{macro}", {opcode:#04x}, {len(fields)}, {{{places or "{0, 0}"}}}}},'


def constants(chip):
    """{group: [(name, value)]}; the group of a plain name is its namespace."""
    groups = {}
    entry = re.compile(r'^CONSTANT\((\w+), "(?:(\w+)::)?(\w+)", (\w+)\)', re.M)
    for chips, group, name, value in entry.findall(table("constants.def")):
        if on_chip(chips, chip):
            plain = "sfpi" if name.startswith(("SFP", "CREG_")) else "ckernel"
            groups.setdefault(group or plain, []).append((name, value))
    return groups


def config(chip):
    """(name, word, lsb, width), and the word of each further name of ruling R18."""
    entry = re.compile(r"^(?:THREAD_)?CFG\((\w+), (\w+), (\d+), (\d+), (\d+)\)", re.M)
    for chips, name, word, lsb, width in entry.findall(table("config.def")):
        if on_chip(chips, chip):
            yield name, int(word), int(lsb), int(width)


def names_text(chip):
    yield "#ifdef __cplusplus"
    for group, names in constants(chip).items():
        if group in ("sfpi", "ckernel"):
            yield f"namespace {group} {{"
            for name, value in names:
                yield f"constexpr std::uint32_t {name} = {value};"
            yield "}"
        elif group.startswith("InstrMod"):
            listed = ", ".join(f"{name} = {value}" for name, value in names)
            yield f"namespace ckernel {{ enum {group} {{ {listed} }}; }}"
        else:
            yield f"namespace ckernel {{ struct {group} {{"
            for name, value in names:
                yield f"static constexpr std::uint32_t {name} = {value};"
            yield "}; }"
    yield "#else"
    for group, names in constants(chip).items():
        prefix = "" if group in ("sfpi", "ckernel") else group + "_"
        yield "enum { " + ", ".join(f"{prefix}{name} = {value}" for name, value in names) + " };"
    yield "#endif"
    for name, word, lsb, width in config(chip):
        yield f"#define {name}_ADDR32 {word}"
        yield f"#define {name}_SHAMT {lsb}"
        yield f"#define {name}_MASK {((1 << width) - 1) << lsb:#x}u"
        yield f"#define {name}_RMW {name}_ADDR32, {name}_SHAMT, {name}_MASK"


def main():
    stale = 0
    for chip, long_name in CHIPS.items():
        for kind, lines in (
            ("ops", ops_text(chip)),
            ("names", names_text(chip)),
            ("forms", forms_text(chip)),
        ):
            path = OUT / f"{long_name}_{kind}.def"
            head = "/* SPDX-License-Identifier: Apache-2.0 */\n"
            head += "/* Written by scripts/ckernel_ops.py from isa/. */\n"
            text = head + "\n".join(lines) + "\n"
            if "--check" not in sys.argv[1:]:
                path.write_text(text, encoding="ascii")
            elif not path.is_file() or path.read_text(encoding="ascii") != text:
                print(f"{path.relative_to(ROOT)} is not current: run scripts/ckernel_ops.py")
                stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main())
