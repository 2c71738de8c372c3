#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes include/tensix/chip/*.def, the macros and names of ckernel_ops.h and the forms in which
record.h writes words, the rows that sfpi.hpp asks, and include/tensix/isa_names.h and isa_modes.h,
the tables' names as enums, and facts.h, from isa/*.def.

The preprocessor cannot define macros from a table, so that this file does. The result is checked
in; with --check nothing is written, and the exit status tells whether it is current.
"""

import re
import sys
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CHIPS = {"BH": "blackhole", "WH": "wormhole"}
OUT = ROOT / "include" / "tensix" / "chip"
NAMES = ROOT / "include" / "tensix" / "isa_names.h"
MODES = ROOT / "include" / "tensix" / "isa_modes.h"
FACTS_FILE = ROOT / "include" / "tensix" / "facts.h"
MODES_HEAD = """/*
 * What isa/modes.def calls the values of modifiers, and of other fields that select: the operands'
 * names that an instruction has for itself. One that is a flag is its bit, one of several that
 * exclude each other the value of their bits.
 */
#ifndef TENSIX_ISA_MODES_H
#define TENSIX_ISA_MODES_H
"""
NAMES_HEAD = """/*
 * The names of the tables as enums, for programs that compare: instructions, behaviours, operands,
 * fields. A number stays what it is while the name is there.
 */
#ifndef TENSIX_ISA_NAMES_H
#define TENSIX_ISA_NAMES_H

#include <stdint.h>
"""


NAMES_WORD = """
/* The instruction of a word, whether its chip has it or not; and an instruction with operands 0. */
#define TX_INSN_OF(word) ((enum tx_insn_id)((uint32_t)(word) >> 24))
#define TX_INSN_WORD(insn) ((uint32_t)(insn) << 24)
"""
NAMES_SET = """
/* A set of operands: TX_SET(VB) | TX_SET(VC). */
#define TX_SET(operand) (UINT64_C(1) << TX_OPERAND_##operand)
#define TX_SET_LREGS (TX_SET(L16) | (TX_SET(L16) - 1)) /* L0..L16, bit n = Ln */
"""


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


def plain_constants():
    entry = re.compile(r'^CONSTANT\((\w+), "([\w:]+)", (\w+)\)', re.M)
    for chips, name, value in entry.findall(table("constants.def")):
        yield chips, name, int(value, 0)


def mode_constants():
    """The names that modes.def gives to values of fields."""
    entry = re.compile(
        r'^MODE(?:_WITH)?\(\w+, (\w+),(?: 0x\w+,)? \w+, \d+, (\d+), "[^"]*",'
        r'\s+((?:"[^"]*"\s*)+),', re.M
    )
    for chips, value, texts in entry.findall(table("modes.def")):
        for name in "".join(re.findall(r'"([^"]*)"', texts)).split():
            yield chips, name, int(value)


def constants(chip):
    """{group: [(name, value)]}; the group of a plain name is its namespace."""
    groups = {}
    for chips, full, value in [*plain_constants(), *mode_constants()]:
        group, _, name = full.rpartition("::")
        plain = "sfpi" if name.startswith(("SFP", "CREG_")) else "ckernel"
        names = groups.setdefault(group or plain, [])
        if on_chip(chips, chip) and (name, value) not in names:
            names.append((name, value))
    return {group: names for group, names in groups.items() if names}


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
            if group == "semaphore":  # the bit of a semaphore's number
                yield "static constexpr std::uint16_t t6_sem(std::uint8_t index)"
                yield "{ return std::uint16_t(1u << index); }"
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


def enum_text(comment, tag, entries):
    yield ""
    yield f"/* {comment} */"
    yield f"enum {tag} {{"
    lines = [f"    {name} = {value}" for name, value in entries]
    yield ",\n".join(lines)
    yield "};"


def opcodes():
    entry = re.compile(r'^MNEMONIC\((\w+), "\w+", "\w+", (0x\w+), \w+\)', re.M)
    return dict(entry.findall(table("mnemonics.def")))


def row_numbers():
    """{name without chip: number}; the number is opcode and lowest modifier value."""
    numbers, opcode = {}, opcodes()
    for row in rows():
        name = re.sub("_(WH|BH)$", "", row["id"])
        lowest = row["modes"] & -row["modes"]
        number = int(opcode[row["insn"]], 0) << 8 | lowest.bit_length() - 1
        if numbers.setdefault(name, number) != number:
            sys.exit(f"isa.def: {name} begins with another modifier value on the other chip")
    if len(set(numbers.values())) != len(numbers):
        sys.exit("isa.def: two behaviours begin with one modifier value")
    return numbers


def rows():
    names = ("id", "insn", "chips", "format", "modes", "legal", "unit", "latency", "body", "guard",
             "implied", "reads", "belief", "writes", "outside")
    for text in re.findall(r"^ROW\((.*?\")\)$", table("isa.def"), re.M | re.S):
        row = dict(zip(names, (part.strip() for part in text.split(","))))
        row["modes"] = 0xFFFF if row["modes"] == "ANY" else int(row["modes"], 0)
        yield row


UNITS = ("LOAD", "STORE", "MAD", "SIMPLE", "ROUND", "FRONT")
PLACES = ("MOD", "VA", "VB", "VC", "VD", "IMM", "MIRROR", "LOAD")


def set_text(text):
    tokens = text.replace("L0_3", "L0|L1|L2|L3")
    tokens = tokens.replace("L0_7", "|".join(f"L{n}" for n in range(8)))
    return "0" if text == "0" else " | ".join(f"TX_SET({t.strip()})" for t in tokens.split("|"))


def rows_text(chip):
    """What stands in front of the vector unit and in it, as sfpi/words.hpp takes it."""
    formats = dict(re.findall(r"^FORMAT\((\w+),\s*(.*?)\)$", table("formats.def"), re.M | re.S))
    for row in rows():
        if not on_chip(row["chips"], chip) or row["unit"] not in UNITS:
            continue
        fields = {name: f"{{{lsb}, {width}}}" for name, lsb, width in
                  re.findall(r"\bF\((\w+), (\d+), (\d+)\)", formats[row["format"]])}
        belief = row["reads"] if row["belief"] == "SAME" else row["belief"]
        name = re.sub("_(WH|BH)$", "", row["id"])
        guarded = "false" if row["guard"] == "FREE" else "true"
        yield (f"{{TX_ROW_{name}, {row['modes']:#06x}, TX_UNIT_{row['unit']}, {row['latency']}, "
               f"TX_IMPLIED_{row['implied']}, {guarded},")
        yield f" {set_text(row['reads'])},"
        yield f" {set_text(row['writes'])},"
        yield f" {set_text(belief)},"
        yield " {" + ", ".join(fields.get(name, "{0, 0}") for name in PLACES) + "}},"


def isa_names_text():
    insns = {"NONE": 0, **opcodes()}
    yield NAMES_HEAD.rstrip("\n")
    yield from enum_text("Instructions of both chips, by their opcode.", "tx_insn_id",
                         [(f"TX_INSN_{name}", value) for name, value in insns.items()])
    yield NAMES_WORD.rstrip("\n")
    yield from enum_text(
        "Behaviours: the rows of isa.def without the chip at their end.", "tx_row_id",
        [(f"TX_ROW_{name}", f"{value:#06x}") for name, value in row_numbers().items()])
    entry = re.compile(r'^OPERAND\((\w+), (\d+), "[^"]*"\)$', re.M)
    yield from enum_text(
        "What rows read and write, as the number of the bit: see TX_SET. isa/operands.def.",
        "tx_operand",
        [(f"TX_OPERAND_{name}", bit) for name, bit in entry.findall(table("operands.def"))])
    yield NAMES_SET.rstrip("\n")
    entry = re.compile(r"^FIELD\((\w+), (\d+)\)$", re.M)
    yield from enum_text(
        "Fields of an instruction word as the hardware reads them: isa/formats.def.", "tx_fld",
        [(f"TX_FLD_{name}", number) for name, number in entry.findall(table("fields.def"))])
    yield from enum_text(
        "Instructions of the RISC-V cores, by the bits that tell them apart: isa/riscv.def.",
        "tx_core_insn_id", [("TX_CORE_INSN_NONE", 0), *core_insns()])
    yield ""
    yield "#endif"


def core_insns():
    """(name, number): major opcode, funct3 and the upper twelve bits side by side, plus one."""
    entry = re.compile(r'^RISCV\((\w+), "[^"]*", (0x\w+), ', re.M)
    for name, match in entry.findall(table("riscv.def")):
        word = int(match, 0)
        yield f"TX_CORE_INSN_{name}", (
            f"{1 + (word >> 2 & 31 | (word >> 12 & 7) << 5 | word >> 20 << 8):#07x}")


FACTS_HEAD = """/*
 * What isa/ says of the chips outside their instructions, one number each: sizes, rates, traits
 * (isa/chip.def), addresses of regions and registers. tx_arch_fact gives the number of a chip. The
 * value of a name comes from its letters, so that it stays what it is.
 */
#ifndef TENSIX_FACTS_H
#define TENSIX_FACTS_H

#include <tensix/base.h>

#ifdef __cplusplus
extern "C" {
#endif
"""
FACTS_TAIL = """
/* What a chip has no register for, and what no chip has. */
#define TX_FACT_NONE UINT32_MAX
TX_API uint32_t tx_arch_fact(enum tx_arch arch, enum tx_fact fact);

#ifdef __cplusplus
}
#endif

#endif"""
# table, macro, prefix of the name, comment
FACTS = (
    ("chip.def", "NUMBER|TRAIT", "", "sizes, rates, traits"),
    ("riscv_regions.def", "REGION", "AT_", "where regions of a core's addresses begin"),
    ("riscv_regions.def", "REGION", "END_", "where they end"),
    ("tile.def", "TILE_REGISTER", "TILE_", "addresses of registers of the tile"),
    ("noc.def", "NOC_FIELD|NOC_REGISTER", "NIU_", "offsets of registers of a network interface"),
    ("noc.def", "NOC_COUNTER", "NIU_COUNTER_", "and of its counters"),
    ("noc.def", "NOC_FACT", "NOC_", "facts of the networks"),
    ("overlay.def", "STREAM_REGISTER", "STREAM_", "offsets of registers of a stream"),
)


def facts_text():
    yield FACTS_HEAD.rstrip("\n")
    chips = re.findall(r"^CHIP\((\w+),", table("chip.def"), re.M)
    yield ""
    yield "/* The first and the last chip. */"
    yield f"#define TX_ARCH_FIRST TX_{chips[0]}"
    yield f"#define TX_ARCH_LAST TX_{chips[-1]}"
    entries, seen = [], {}
    for name, macros, prefix, _ in FACTS:
        for fact in re.findall(rf"^(?:{macros})\((\w+),", table(name), re.M):
            fact = f"TX_FACT_{prefix}{fact}"
            value = zlib.crc32(fact.encode()) & 0x7FFFFFFF
            if seen.setdefault(value, fact) != fact or (fact, value) in entries:
                sys.exit(f"isa: {fact} and {seen[value]} have one number")
            entries.append((fact, f"{value:#010x}"))
    yield from enum_text(
        "By table: isa/chip.def, riscv_regions.def, tile.def, noc.def, overlay.def.", "tx_fact",
        entries)
    yield FACTS_TAIL


def mode_names():
    """(mnemonic, name, value), a name of both chips once."""
    entry = re.compile(
        r'^MODE(?:_WITH)?\((\w+), \w+,(?: 0x\w+,)? \w+, \d+, (\d+), "(\w+)",', re.M)
    found = {}
    for insn, value, name in entry.findall(table("modes.def")):
        if found.setdefault((insn, name), value) != value:
            sys.exit(f"modes.def: {name} of {insn} has two values")
    return [(insn, name, value) for (insn, name), value in found.items()]


def isa_modes_text():
    yield MODES_HEAD.rstrip("\n")
    yield from enum_text(
        "The field is the one that modes.def names, MOD for most; values are of both chips.",
        "tx_mod", [(f"TX_MOD_{insn}_{name}", value) for insn, name, value in mode_names()])
    yield ""
    yield "#endif"


def outputs():
    for chip, long_name in CHIPS.items():
        for kind, lines in (
            ("ops", ops_text(chip)),
            ("names", names_text(chip)),
            ("forms", forms_text(chip)),
            ("rows", rows_text(chip)),
        ):
            yield OUT / f"{long_name}_{kind}.def", lines
    yield NAMES, isa_names_text()
    yield MODES, isa_modes_text()
    yield FACTS_FILE, facts_text()


def main():
    stale = 0
    for path, lines in outputs():
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
