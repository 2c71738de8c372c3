# SPDX-License-Identifier: Apache-2.0
"""Instruction words from the encodings of spec/unpack.md 2, pack.md 2 and matrix-unit.md 4.

Written by hand on purpose: recipes.py must not ask the assembler that the library has.
"""

UNPACK, MATH, PACK = 0, 1, 2            # threads
A, B, AB, PACKERS = 1, 2, 3, 4          # CntSetMask: both unpackers, packers


def op(opcode, *fields):
    """fields: (value, lowest bit)."""
    word = opcode << 24
    for value, bit in fields:
        word |= value << bit
    return word


# ---- unpackers ----

def unpacr(which, z0=0, z1=0, y0=0, y1=0, valid=1):
    mode = y1 << 6 | z1 << 4 | y0 << 2 | z0
    return op(0x42, (which, 23), (mode, 15), (1, 7), (valid, 6), (1, 0))


def clear_and_hand_over(chip, which):
    """UNPACR_NOP: zeros, data valid; two instructions on Wormhole."""
    if chip == "bh":
        return [op(0x43, (which, 23), (1, 8), (1, 0))]
    return [op(0x43, (which, 23), (1, 0)), op(0x43, (which, 23), (7, 0))]


# ---- address counters ----

def setadc(units, channel, dimension, value):
    return op(0x50, (units, 21), (channel, 20), ("XYZW".index(dimension), 18), (value, 0))


def setadcxx(units, end, begin=0):
    return op(0x5E, (units, 21), (end, 10), (begin, 0))


def _pair(opcode, units, a1=0, b1=0, a0=0, b0=0, mask=0):
    return op(opcode, (units, 21), (b1, 15), (a1, 12), (b0, 9), (a0, 6), (mask, 0))


def setadcxy(units, y1=0, x1=0, y0=0, x0=0, mask=11):
    return _pair(0x51, units, x1, y1, x0, y0, mask)


def setadczw(units, w1=0, z1=0, w0=0, z0=0, mask=15):
    return _pair(0x54, units, z1, w1, z0, w0, mask)


def incadcxy(units, y0=0, x0=0, y1=0, x1=0):
    return _pair(0x52, units, x1, y1, x0, y0)


def incadczw(units, w0=0, z0=0, w1=0, z1=0):
    return _pair(0x55, units, z1, w1, z0, w0)


def addrcrxy(units, y0=0, mask=2):
    return _pair(0x53, units, 0, 0, 0, y0, mask)


def addrcrzw(units, w0=0, mask=2):
    return _pair(0x56, units, 0, 0, 0, w0, mask)


# ---- synchronisation and configuration ----

BLOCK_SYNC, BLOCK_PACK, BLOCK_CFG, BLOCK_MATH = 1 << 1, 1 << 2, 1 << 7, 1 << 6
BLOCK_SFPU = 1 << 8
WAIT_THCON, WAIT_UNPACK0 = 1, 2


def wait_math(chip):
    return 1 << (4 if chip == "bh" else 7)


def wait_pack(chip):
    return 1 << 3 if chip == "bh" else 0x78


def stallwait(block, conditions):
    return op(0xA2, (block, 15), (conditions, 0))


def seminit(semaphore, most, value=0):
    return op(0xA3, (most, 20), (value, 16), (1 << semaphore, 2))


def sempost(semaphore):
    return op(0xA4, (1 << semaphore, 2))


def semget(semaphore):
    return op(0xA5, (1 << semaphore, 2))


def semwait_above_zero(semaphore, block):
    return op(0xA6, (block, 15), (1 << semaphore, 2), (1, 0))


def setc16(register, value):
    return op(0xB2, (register, 16), (value, 0))


def set_gpr(gpr, value):
    """SETDMAREG, immediate form: both halves."""
    return [op(0x45, (value & 0xFFFF, 8), (2 * gpr, 0)),
            op(0x45, (value >> 16, 8), (2 * gpr + 1, 0))]


def adddmareg(result, a, b):
    return op(0x58, (result, 12), (b, 6), (a, 0))


def muldmareg(result, a, b):
    return op(0x5A, (result, 12), (b, 6), (a, 0))


def wrcfg(gpr, word):
    return op(0xB0, (gpr, 16), (word, 0))


def cfgshiftmask(word):
    """Blackhole: the thread's scratch word is added to a word of configuration."""
    return op(0xB8, (1, 23), (3, 20), (31, 15), (3, 8), (word, 0))


def rdcfg(gpr, word):
    return op(0xB1, (gpr, 16), (word, 0))


def reg2flop(gpr, word):
    """Wormhole: one word of the THCON configuration, which begins at word 52."""
    return op(0x48, (1, 22), (word - 52, 6), (gpr, 0))


def rmwcib(word, bit, bits, value):
    """Some bits of a byte of configuration, as tt-llk's cfg_reg_rmw_tensix changes them."""
    at = bit % 8
    return op(0xB3 + bit // 8, (((1 << bits) - 1) << at, 16), (value << at, 8), (word, 0))


NOP = op(0x02)
DMANOP = op(0x60)


# ---- the vector unit ----

LREG_INT32, LREG_INT8 = 4, 5            # Mod0


def sfpload(register, mod, address):
    """Four rows, even columns or, where address has bit 1, odd ones; address modifier 0."""
    return op(0x70, (register, 20), (mod, 16), (address, 0))


def sfpstore(register, mod, address):
    return op(0x72, (register, 20), (mod, 16), (address, 0))


# ---- the Matrix Unit ----

class Math:
    """AddrMod has two bits at 15 on Wormhole, three at 14 on Blackhole; pools have it at 15."""

    def __init__(self, chip):
        self.chip, self.at = chip, 14 if chip == "bh" else 15

    def _arithmetic(self, opcode, mod, dst, a, b, *more):
        return op(opcode, (b, 23), (a, 22), (mod, self.at), (dst, 0), *more)

    def mvmul(self, mod=0, dst=0, a=0, b=0):
        return self._arithmetic(0x26, mod, dst, a, b)

    def elw(self, kind, mod=0, dst=0, a=0, b=0, row=0, column=0):
        opcode = {"mul": 0x27, "add": 0x28, "sub": 0x30}[kind]
        return self._arithmetic(opcode, mod, dst, a, b, (row, 20), (column, 19))

    def pool(self, kind, mod=0, dst=0, a=0, b=0):
        opcode = {"max": 0x33, "sum": 0x34}[kind]
        return op(opcode, (b, 23), (a, 22), (1, 19), (mod, 15), (dst, 0))

    def mova2d(self, src, dst, mod=0, low=0):
        """Eight rows."""
        return op(0x12, (low, 23), (src, 17), (mod, self.at), (2, 12), (dst, 0))

    def movd2b(self, src, dst, rows, low=0, mod=0):
        return op(0x0A, (low, 23), (src, 17), (mod, self.at), (2 if rows == 4 else 0, 12), (dst, 0))

    def movb2d(self, src, dst, low=0, mod=0):
        """Four rows."""
        four = 13 if self.chip == "bh" else 14
        return op(0x13, (low, 23), (src, 17), (mod, self.at), (1, four), (dst, 0))

    def movb2d_wide(self, src, dst, column=0, four=0, eight=0, mod=0):
        """Four rows, or one row to eight; column 0 for all columns."""
        low = 11 if self.chip == "bh" else 12
        bits = column | eight << 1 | four << 2
        return op(0x13, (src, 17), (mod, self.at), (bits, low), (dst, 0))

    def movd2a(self, src, dst, mod=0):
        """Four rows."""
        return op(0x08, (src, 17), (mod, self.at), (2, 12), (dst, 0))

    def movb2a(self, a, b, mod=0):
        """Four rows."""
        return op(0x0B, (a, 17), (mod, self.at), (2, 12), (b, 0))

    def zeroacc_all(self):
        return op(0x10, (3, 19))

    def zeroacc_row(self, row):
        return op(0x10, (row, 0))

    def zerosrc_a(self):
        """The Matrix Unit's bank of SrcA."""
        return op(0x11, (1, 3), (1, 0))


TRNSPSRCB = op(0x16)


def setrwc(a=0, b=0, select="", dst=0, srcb=0, carry=""):
    """a, b: banks to hand back; select, carry: of "ABDF" and "ABD"."""
    bits = sum({"A": 1, "B": 2, "D": 4, "F": 8}[c] for c in select)
    bits |= sum({"A": 1 << 18, "B": 1 << 19, "D": 1 << 20}[c] for c in carry)
    return op(0x37, (b, 23), (a, 22), (dst, 14), (srcb, 10), (bits, 0))


# ---- packers ----

def pacr(mask, mod=0, last=0, flush=0, strided=0, concat=0):
    return op(0x41, (strided, 17), (mod, 15), (mask, 8), (concat, 4), (flush, 1), (last, 0))
