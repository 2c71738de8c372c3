# SPDX-License-Identifier: Apache-2.0
"""Words of RISC-V, as far as questions about cores need them (RISC-V Instruction Set Manual)."""

ZERO, RA, T0, T1, T2, A0, A1, A2, A3 = 0, 1, 5, 6, 7, 10, 11, 12, 13


def r_type(opcode, f3, f7, rd, rs1, rs2):
    return f7 << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | rd << 7 | opcode


def i_type(opcode, f3, rd, rs1, imm):
    return (imm & 0xFFF) << 20 | rs1 << 15 | f3 << 12 | rd << 7 | opcode


def s_type(f3, rs1, rs2, imm):
    return ((imm & 0xFFF) >> 5) << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | (imm & 31) << 7 | 0x23


def li(rd, value):
    """Two words that load any constant."""
    upper = (value + 0x800) >> 12 & 0xFFFFF
    return [upper << 12 | rd << 7 | 0x37, i_type(0x13, 0, rd, rd, value)]


def load(f3, rd, rs1, offset=0):
    return i_type(0x03, f3, rd, rs1, offset)


LB, LH, LW, LBU, LHU = 0, 1, 2, 4, 5
SB, SH, SW = 0, 1, 2
RETURN = i_type(0x67, 0, ZERO, RA, 0)
NOP = i_type(0x13, 0, ZERO, ZERO, 0)
FENCE = 0x0FF0000F
EBREAK = 0x00100073


def settled(chip):
    """What lets stores come before whatever follows: Wormhole keeps the order and has no fence."""
    return [FENCE] if chip.blackhole else []



# name: funct3, funct7 of OP
BASE = {
    "add": (0, 0),
    "sub": (0, 0x20),
    "sll": (1, 0),
    "slt": (2, 0),
    "sltu": (3, 0),
    "xor": (4, 0),
    "srl": (5, 0),
    "sra": (5, 0x20),
    "or": (6, 0),
    "and": (7, 0),
    "mul": (0, 1),
    "mulh": (1, 1),
    "mulhsu": (2, 1),
    "mulhu": (3, 1),
    "div": (4, 1),
    "divu": (5, 1),
    "rem": (6, 1),
    "remu": (7, 1),
}
BITS = {
    "sh1add": (2, 0x10),
    "sh2add": (4, 0x10),
    "sh3add": (6, 0x10),
    "andn": (7, 0x20),
    "orn": (6, 0x20),
    "xnor": (4, 0x20),
    "max": (6, 5),
    "maxu": (7, 5),
    "min": (4, 5),
    "minu": (5, 5),
    "rol": (1, 0x30),
    "ror": (5, 0x30),
}
# name: funct3, immediate of OP-IMM
ONE_OPERAND = {
    "clz": (1, 0x600),
    "ctz": (1, 0x601),
    "cpop": (1, 0x602),
    "sext.b": (1, 0x604),
    "sext.h": (1, 0x605),
    "orc.b": (5, 0x287),
    "rev8": (5, 0x698),
}


def csr_read(rd, number):
    return i_type(0x73, 2, rd, ZERO, number)


def branch(f3, rs1, rs2, offset):
    return (
        (offset >> 12 & 1) << 31
        | (offset >> 5 & 63) << 25
        | rs2 << 20
        | rs1 << 15
        | f3 << 12
        | (offset >> 1 & 15) << 8
        | (offset >> 11 & 1) << 7
        | 0x63
    )
