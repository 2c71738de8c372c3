# SPDX-License-Identifier: Apache-2.0
"""Recipes of integers: sums and maxima of rows and of a whole tile, where INT32 in Dst becomes INT8
on its way back to SrcB; tilize, untilize and faces of 32-bit data that never pass through SrcA."""
import model as m
import numpy as np
import words as w
from rig import (
    IN0, INT8, INT8_32, OUT, RANDOM, SEMAPHORE, UNPACK_BEGIN, WH_SECTIONS, Kind, Tiles,
    math_config, out, pack_config, pack_tile, unpack_config, zeros,
)


# ---- reduce of INT8 (llk_math_reduce.h, is_int_fpu_en) ----

def to_int8_words(chip, row):
    """The vector unit takes four rows of INT32 and stores them as INT8, which lie in the 16-bit
    view of Dst; FP16A_FORCE has MOVD2B read that view."""
    busy = 1 << (11 if chip == "bh" else 14)
    words = [w.stallwait(w.BLOCK_SFPU, w.wait_math(chip))]
    for columns in (row, row + 2):
        words += [w.sfpload(0, w.LREG_INT32, columns), w.sfpstore(0, w.LREG_INT8, columns)]
    return words + [w.stallwait(w.BLOCK_MATH, busy), w.setc16(FP16A_FORCE[chip], 1)]


FP16A_FORCE = {"wh": 56, "bh": 55}


def to_int8(row):
    """A row of Dst as operands: sign, the low ten bits, and 16 for an exponent, even of 0 (C.7)."""
    value = m.from_sm32(row)
    return (value < 0).astype(np.int64), np.full(16, 16), np.abs(value) & 0x3FF


def as_upper_half(sign, exponent, magnitude):
    """INT8 in the 16-bit view (sign, ten bits, exponent of five), read as the upper half of a
    32-bit datum, whose order is sign, seven bits of fraction, exponent of eight (C.3)."""
    half = sign << 15 | magnitude << 5 | exponent
    return half >> 15 << 31 | (half & 0xFF) << 23 | (half >> 8 & 0x7F) << 16


def reduce_row(vectors, chip):
    from recipes import (
        REDUCE_MODIFIERS, edge_masks, kept, one, pool, pool_words, reduce_stream, start,
    )
    math = w.Math(chip)
    turn = to_int8_words(chip, 0)
    turn += [w.setrwc(select="AB", carry="D"), math.movd2b(16, 0, 1), w.TRNSPSRCB,
             math.movd2b(16, 0, 1), w.setc16(FP16A_FORCE[chip], 0),
             w.setrwc(select="B", srcb=8, carry="B"), w.setrwc(select="B", srcb=8, carry="B"),
             math.zerosrc_a(), math.elw("add", 2), math.elw("add", 2)]
    for what in ("sum", "max"):
        for kind in (INT8, INT8_32):
            x, scaler = Tiles(kind), one(kind)
            words = [math.zeroacc_all()]
            for half in range(2):
                words += pool_words(chip, what, 4, a=1, b=1) + pool_words(chip, what, 4) + turn
                if half == 0:
                    words += [w.setrwc(select="D", dst=8, carry="D")] * 3
                    words.append(w.setrwc(a=1, b=1, select="BD", dst=8, carry="D"))
            words.append(w.setrwc(a=1, b=1, select="BD"))
            dst = zeros(kind)
            for i in (0, 16):
                row = start(kind, what)
                for j in (0, 16):
                    row = pool(chip, kind, what, row,
                               tuple(p[i:i + 16, j:j + 16].T for p in x.operand), 4)
                nothing = tuple(np.zeros(16, np.int64) for _ in range(3))
                dst[i:i + 16, 0] = m.int_elwadd(nothing, to_int8(row))
            # The lower half's INT8 lie in rows 32 to 35, which are rows 16 to 19 of 32-bit Dst: the
            # first four of face 1, which is no part of the result. The three rows behind are 0.
            dst[0, 16:] = as_upper_half(*to_int8(row))
            dst[1:4, 16:] = as_upper_half(0, 16, 0)
            config = dict(REDUCE_MODIFIERS, THCON_SEC0_REG2_Haloize_mode=1)
            config.update(edge_masks(chip, "row"))
            vectors.kernel("reduce rows, %s" % what, chip, kind, (reduce_stream(), words),
                           (x, scaler), out(kind, kept(chip, "row", dst)), config)


def reduce_scalar(vectors, chip):
    """tt-llk's walk takes upper halves of INT32 to SrcB. Here the cast of its rows comes first."""
    from recipes import (
        REDUCE_MODIFIERS, edge_masks, kept, one, pool, pool_words, reduce_stream, start,
    )
    math = w.Math(chip)
    for what in ("sum", "max"):
        for kind in (INT8, INT8_32):
            x, scaler = Tiles(kind), one(kind)
            words = [math.zeroacc_all()]
            for face in range(4):
                words += pool_words(chip, what, 4, 4, int(face < 3), int(face < 3))
            words += to_int8_words(chip, 4)
            words += [w.setrwc(select="AB", carry="D"), math.movd2b(16, 4, 1),
                      w.setc16(FP16A_FORCE[chip], 0), w.TRNSPSRCB]
            words += [math.movb2a(i, 16 + i) for i in (0, 4, 8, 12)]
            words.append(math.zeroacc_row(4))
            words += pool_words(chip, what, 4, 0, 1, 1)
            row = start(kind, what)
            for i, j in ((0, 0), (0, 16), (16, 0), (16, 16)):
                row = pool(chip, kind, what, row,
                           tuple(p[i:i + 16, j:j + 16] for p in x.operand), 4)
            a = tuple(np.zeros((16, 16), np.int64) for _ in range(3))
            for part, values in zip(a, to_int8(row)):
                part[:, 0] = values
            dst = zeros(kind)
            dst[0, :16] = pool(chip, kind, what, start(kind, what), a, 4)
            vectors.kernel("reduce to a scalar, %s" % what, chip, kind, (reduce_stream(), words),
                           (x, scaler), out(kind, kept(chip, "scalar", dst)),
                           dict(REDUCE_MODIFIERS, **edge_masks(chip, "scalar")))


# ---- 32-bit data that go to Dst at once ----

WIDE = (("FP32", m.FP32), ("INT32", m.INT32))


def random_wide(shape):
    """All 32 bits in use; neither zeros nor denormals, which an unpack to Dst would flush."""
    sign = RANDOM.integers(0, 2, shape) << 31
    return m.ints(sign | RANDOM.integers(1 << 23, 255 << 23, shape))


def to_dst_config(chip, kind):
    config = dict(unpack_config(kind), **math_config(kind))
    config.update(pack_config(chip, kind))
    config.update(SRCA_SET_SetOvrdWithAddr=0, THCON_SEC0_REG2_Unpack_if_sel_cntx0=1,
                  UNP0_ADDR_CTRL_ZW_REG_1_Zstride=1024)
    return config


UNPACK_DONE = [w.stallwait(w.BLOCK_SYNC, w.WAIT_UNPACK0), w.sempost(SEMAPHORE)]


def tilize_to_dst(vectors, chip):
    """Blackhole moves a tile as rows of 32 data; Wormhole its upper faces, then, once the unpacker
    is done, the lower ones from another base address."""
    from recipes import pack_alternating, stride_config
    for name, format in WIDE:
        kind = Kind(name, format, format, True, format, format)
        for tile in (0, 1):
            x = random_wide((32, 64))
            address = IN0 // 16 - 1 + 8 * tile
            setup = to_dst_config(chip, kind)
            setup.update(THCON_SEC0_REG2_Tileize_mode=1, THCON_SEC0_REG3_Base_address=address,
                         **stride_config(64 * 4))
            words = UNPACK_BEGIN + [w.seminit(SEMAPHORE, 2)]
            if chip == "bh":
                setup.update(THCON_SEC0_REG5_Tile_x_dim_cntx0=1024,
                             THCON_SEC0_REG0_TileDescriptor_1=1 << 16 | 1,
                             PCK0_ADDR_CTRL_ZW_REG_0_Zstride=512 * 4,
                             PCK0_ADDR_CTRL_ZW_REG_1_Zstride=256 * 4)
                words += [w.setadcxx(w.A, 1023), w.unpacr(0, z0=1, z1=1, valid=0)]
            else:
                setup.update(THCON_SEC0_REG5_Tile_x_dim_cntx0=16)
                words += [w.unpacr(0, z0=1, z1=1, valid=0)] * 2
                words += [w.stallwait(1 << 5, w.WAIT_UNPACK0), w.setadczw(w.A, mask=11)]
                words += w.set_gpr(20, address + 16 * 64 * 4 // 16) + [w.reg2flop(20, 64)]
                words += [w.stallwait(1 << 3, w.WAIT_THCON)]
                words += [w.unpacr(0, z0=1, z1=1, valid=0)] * 2
            vectors.add("tilize to Dst, tile %d, %s" % (tile, name), chip, setup,
                        [words + UNPACK_DONE, [],
                         pack_alternating() if chip == "bh" else pack_tile(chip)],
                        {IN0: m.encode(x.reshape(-1), format)},
                        {OUT: m.encode(m.faces(x[:, 32 * tile:32 * tile + 32]), format)})


def transpose_faces(vectors, chip):
    """unpack_A to Dst: faces 0, 2, 1, 3, each as it is; transpose_dest turns what is in them."""
    for name, format in WIDE:
        kind = Kind(name, format, format, True, format, format)
        x = random_wide((4, 256))
        words = UNPACK_BEGIN + [w.seminit(SEMAPHORE, 2)]
        words += ([w.unpacr(0, z0=2, z1=1, valid=0)] * 2 +
                  [w.setadczw(w.A, z0=1, z1=2, mask=5)]) * 2
        vectors.add("transpose of faces to Dst, %s" % name, chip, to_dst_config(chip, kind),
                    [words + UNPACK_DONE, [], pack_tile(chip)], {IN0: m.encode(x, format)},
                    {OUT: m.encode(x[[0, 2, 1, 3]], format)})


def untilize_from_dst(vectors, chip):
    from recipes import untilize_bh, untilize_wh
    for name, format in WIDE:
        kind = Kind(name, format, format, True, format, format)
        x = random_wide((32, 64))
        raw = b"".join(m.encode(m.faces(x[:, at:at + 32]), format) for at in (0, 32))
        setup = to_dst_config(chip, kind)
        row_bytes = 64 * 4
        if chip == "bh":
            setup.update(DEST_ACCESS_CFG_remap_addrs=1, DEST_ACCESS_CFG_swizzle_32b=1,
                         PCK0_ADDR_CTRL_ZW_REG_0_Zstride=512 * 4)
        else:
            for i, section in enumerate(WH_SECTIONS):
                setup["THCON_%s_L1_Dest_addr" % section] = (OUT + 8 * i * row_bytes) // 16 - 1
                setup["THCON_%s_Exp_section_size" % section] = 0
                setup["DEST_TARGET_REG_CFG_PACK_SEC%d_Offset" % i] = (0, 8, 32, 40)[i]
        setup["THCON_SEC0_REG1_Exp_section_size"] = 0
        words = UNPACK_BEGIN + [w.seminit(SEMAPHORE, 2)]
        words += [w.unpacr(0, z0=1, z1=1, valid=0)] * 8 + UNPACK_DONE
        pack = untilize_bh(row_bytes, 2) if chip == "bh" else untilize_wh(2)
        vectors.add("untilize from Dst, %s" % name, chip, setup, [words, [], pack], {IN0: raw},
                    {OUT: m.encode(x.reshape(-1), format)})


RECIPES = (reduce_row, reduce_scalar, tilize_to_dst, transpose_faces, untilize_from_dst)
