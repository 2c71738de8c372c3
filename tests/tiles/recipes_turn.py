# SPDX-License-Identifier: Apache-2.0
"""transpose_dest of 32-bit data, which the unpacker has put into Dst. Moves carry sixteen bits or
TF32, so that the halves of a datum go one after the other, and a high half damages the low one."""
import model as m
import numpy as np
import words as w
from rig import (
    IN0, MATH_BEGIN, OUT, RANDOM, SEMAPHORE, UNPACK_BEGIN, Kind, math_config, math_done,
    pack_config, pack_tile, unpack_config,
)

PLACES = (0, 4, 8, 12)
SWAPPED = (0, 2, 1, 3)                  # where a face goes when the tile is turned as a whole


def source_a(format):
    """ALU_FORMAT_SPEC_REG0_SrcA."""
    return w.rmwcib(1, 17, 4, format)


def fp32_enabled(value):
    return w.rmwcib(1, 29, 1, value)


def turn(math, face, low=0):
    """A face's halves to SrcB, turned there."""
    return [math.movd2b(16 + i, 16 * face + i, 4, low=low) for i in PLACES] + [w.TRNSPSRCB]


def low_halves(math, to):
    """From SrcA, face by face, to where the high halves are by now."""
    return [math.mova2d(16 * face + i, 16 * to[face] + i, low=1) for face in range(4)
            for i in (0, 8)]


def by_formats(chip, math, to):
    """tt-metal #43757: SrcA says BF16 for low halves, TF32 for high ones. Blackhole's low halves go
    back with Fp32_enabled clear (tt-llk #449), and its banks have no say in the format."""
    words = [w.setc16(2, 1)] if chip == "bh" else []
    words += [w.rmwcib(2, 0, 1, 1), fp32_enabled(1), source_a(m.BF16)]
    for face in range(4):
        words += turn(math, face, low=1) + [math.movb2a(16 * face + i, 16 + i) for i in PLACES]
    words.append(source_a(m.TF32))
    for face in (0, 3):
        words += turn(math, face) + [math.movb2d(16 + i, 16 * face + i) for i in PLACES]
    if to == SWAPPED:
        # Face 0's low halves make room in SrcA for face 1's high ones.
        words += [source_a(m.FP32)] + ([fp32_enabled(0)] if chip == "bh" else [])
        words += [math.mova2d(i, i, low=1) for i in (0, 8)]
        words += [fp32_enabled(1), source_a(m.TF32)]
        words += turn(math, 1) + [math.movb2a(i, 16 + i) for i in PLACES]
        words += turn(math, 2) + [math.movb2d(16 + i, 16 + i) for i in PLACES]
        words += [math.mova2d(i, 32 + i) for i in (0, 8)]
    else:
        for face in (1, 2):
            words += turn(math, face) + [math.movb2d(16 + i, 16 * face + i) for i in PLACES]
    words += [source_a(m.FP32)] + ([fp32_enabled(0)] if chip == "bh" else [])
    words += low_halves(math, to)[2 if to == SWAPPED else 0:]
    words += [fp32_enabled(1)] + ([w.setc16(2, 0)] if chip == "bh" else [])
    return words + [w.rmwcib(2, 0, 1, 0)]


def by_bit_11(chip, math, to):
    """tt-llk 36b092e, integers: 16-bit Dst is the upper half of the 32-bit one."""
    words = [w.rmwcib(2, 0, 1, 1)] + ([fp32_enabled(0)] if chip == "bh" else [])

    def high(a, face):
        return [math.mova2d(a + i, 16 * face + i) for i in (0, 8)]

    def low(face):
        return [math.movb2d(16 + i, 16 * face + i, low=1) for i in PLACES]

    def kept(a):
        return [math.movb2a(a + i, 16 + i) for i in PLACES]

    pairs = ((0, 0), (1, 2), (3, 3)) if to == SWAPPED else ((0, 0), (1, 1), (2, 2), (3, 3))
    for one, other in pairs:
        if one != other:
            words += turn(math, one) + kept(0) + turn(math, one, low=1) + kept(16)
        words += turn(math, other) + kept(32) + turn(math, other, low=1)
        if one != other:
            words += high(0, other)
        words += high(32, one) + low(one)
        if one != other:
            words += [math.mova2d(16 + i, 16 * other + i, low=1) for i in (0, 8)]
    return words + ([fp32_enabled(1)] if chip == "bh" else []) + [w.rmwcib(2, 0, 1, 0)]


def transpose_dst32(vectors, chip):
    math = w.Math(chip)
    for name, source, moves in (("FP32", m.FP32, by_formats), ("INT32", m.INT32, by_formats),
                                ("INT32, bit 11", m.INT32, by_bit_11)):
        kind = Kind(name, source, source, True, source, source)
        for to in (SWAPPED, (0, 1, 2, 3)):
            sign = RANDOM.integers(0, 2, 1024) << 31
            data = m.ints(sign | RANDOM.integers(1 << 23, 255 << 23, 1024))
            faces = data.reshape(4, 16, 16).transpose(0, 2, 1)
            turned = np.stack([faces[to[face]] for face in range(4)]).reshape(-1)
            config = dict(unpack_config(kind), **math_config(kind))
            config.update(pack_config(chip, kind), **{
                "SRCA_SET_SetOvrdWithAddr": 0, "THCON_SEC0_REG2_Unpack_if_sel_cntx0": 1,
                "UNP0_ADDR_CTRL_ZW_REG_1_Zstride": 1024})
            if moves is by_bit_11:
                config.update({"DBG_FEATURE_DISABLE": 1 << 11, "ALU_ACC_CTRL_Fp32_enabled": 1,
                               "ALU_ACC_CTRL_INT8_math_enabled": 1})
            unpack = UNPACK_BEGIN + [w.seminit(SEMAPHORE + 1, 2)]
            unpack += [w.unpacr(0, z0=1, z1=1, valid=0)] * 4
            unpack += [w.stallwait(w.BLOCK_SYNC, w.WAIT_UNPACK0), w.sempost(SEMAPHORE + 1)]
            unpack += w.clear_and_hand_over(chip, 0) + w.clear_and_hand_over(chip, 1)
            valid = (0x80 | 0x100) if chip == "bh" else (0x400 | 0x800)
            words = MATH_BEGIN + [w.semwait_above_zero(SEMAPHORE + 1, w.BLOCK_MATH),
                                  w.stallwait(w.BLOCK_MATH, valid)]
            words += moves(chip, math, to) + [w.setrwc(a=1, b=1, select="ABD")]
            vectors.add("transpose in Dst, %s, %s" % (
                "whole" if to == SWAPPED else "face by face", name), chip, config,
                [unpack, words + math_done(chip), pack_tile(chip)],
                {IN0: m.encode(data, source)}, {OUT: m.encode(turned, source)})


RECIPES = (transpose_dst32,)
