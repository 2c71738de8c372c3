# SPDX-License-Identifier: Apache-2.0
"""The sequences that tt-llk's kernels program, from L1 to L1, as conformance vectors.

    recipes.py OUT.jsonl [FOLDER]

With a folder, one in nine is written there as a kernel file with its L1, and "tensix run"'s
arguments for it are printed.

Recipes: spec/unpack.md 14 (14.1 and the streams of 14.2), spec/pack.md 12 (R0 to R13), the walks of
tt-llk 36b092e's llk_math_*.h. Formats BF16, FP16, FP32 (TF32 in Src, Dst of 32 bits), BFP8_b, INT8
and INT32, both chips. Words come from words.py, expected bytes of L1 from model.py; tensix check
runs the three threads and compares all of L1.
"""
import json
import os
import re
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import model as m  # noqa: E402
import recipes_int  # noqa: E402
import recipes_more  # noqa: E402
import recipes_turn  # noqa: E402
import recipes_unpack  # noqa: E402
import words as w  # noqa: E402
from rig import (  # noqa: E402
    ALL, BF16, BF16_BFP8, BF16_LATE, BF16_WIDE, BFP8, BFP8_BF16, FLOATS, FP16, FP16_WIDE, FP32,
    FP32_16, IN0, IN1, INT8, INT8_32, MATH_BEGIN, OUT, RANDOM, SEMAPHORE, UNPACK_BEGIN,
    WH_SECTIONS, Kind, Tiles, Vectors, address_modifier, math_config, math_done, out, pack_config,
    pack_modifiers, pack_tile, random_patterns, unpack_config, write_kernel,
    zeros,
)


# ---- datacopy ----

def unpack_a(chip, faces=4):
    return [word for _ in range(faces)
            for word in [w.unpacr(0, z0=1)] + w.clear_and_hand_over(chip, 1)]


def copy_math(chip, kind, faces=4):
    """MOVA2D; with integers, and with BF16 in Dst of 32 bits, ELWADD with zeros (tt-llk)."""
    math = w.Math(chip)
    words = []
    for face in range(faces):
        if kind.integer or (kind.wide and kind.register != m.TF32):
            words += [math.elw("add", 0, 16 * face), math.elw("add", 1, 16 * face + 8)]
        else:
            words += [math.mova2d(0, 16 * face), math.mova2d(0, 16 * face + 8, 1)]
        words.append(w.setrwc(a=1, b=1, select="AB"))
    return words


def copy_dst(chip, kind, x):
    if kind.integer:
        return m.sm32(m.int8_value(x, 0x3FF))
    if kind.wide and kind.register != m.TF32:
        return m.elwadd(x, tuple(np.zeros_like(p) for p in x), kind.style(chip))
    return m.to_dst(x, kind.style(chip))


COPY_MODIFIERS = dict(address_modifier(0, a=8, b=8), **address_modifier(1, flags="a0 b0"))


def datacopy(vectors, chip):
    for kind in ALL:
        x = Tiles(kind)
        vectors.kernel("datacopy", chip, kind, (unpack_a(chip), copy_math(chip, kind)), (x,),
                       out(kind, copy_dst(chip, kind, x.operand)), COPY_MODIFIERS)


def unpack_to_dst(vectors, chip):
    """unpack_A to Dst: 32-bit data, no Matrix Unit; the unpacker says when Dst is full."""
    for name, source in (("FP32", m.FP32), ("INT32", m.INT32)):
        kind = Kind(name, source, source, True, source, source)
        sign = RANDOM.integers(0, 2, 1024) << 31
        data = m.ints(sign | RANDOM.integers(1 << 23, 255 << 23, 1024))
        raw = m.encode(data, source)
        config = dict(unpack_config(kind), **pack_config(chip, kind))
        config.update({"SRCA_SET_SetOvrdWithAddr": 0, "THCON_SEC0_REG2_Unpack_if_sel_cntx0": 1,
                       "UNP0_ADDR_CTRL_ZW_REG_1_Zstride": 1024})
        words = UNPACK_BEGIN + [w.seminit(SEMAPHORE, 2)]
        words += [w.unpacr(0, z0=1, z1=1, valid=0)] * 4
        words += [w.stallwait(w.BLOCK_SYNC, w.WAIT_UNPACK0), w.sempost(SEMAPHORE)]
        vectors.add("unpack to Dst, " + name, chip, config, [words, [], pack_tile(chip)],
                    {IN0: raw}, {OUT: raw})


# ---- eltwise binary ----

def eltwise_unpack(which):
    a, b = w.unpacr(0, z0=1), w.unpacr(1, z0=1)
    if which == 1:
        return [b, a, a, w.setadczw(w.B, z0=2, mask=1)] * 2
    if which == 2:
        return [b, a, b, a, w.setadczw(w.B, z0=0, mask=1)] * 2
    return [b] + [a] * 4 if which == 3 else [a, b] * 4


def eltwise_math(chip, kind, what, which, phases):
    """A face at a time, two blocks of eight rows; of each block all phases."""
    math = w.Math(chip)
    row, column = which >> 1, which & 1
    words = [math.zeroacc_all()]
    for face in range(4):
        for _ in range(2):
            words += [math.elw(what, 2, row=row, column=column)] * (phases - 1)
            words.append(math.elw(what, 3, row=row, column=column))
        last_of_b = which in (0, 2) or (which == 1 and face & 1) or face == 3
        words.append(w.setrwc(a=1, b=int(last_of_b), select="AB"))
    return words


def eltwise_dst(chip, kind, what, x, y, phases):
    how = kind.style(chip)
    if what != "mul":
        minus = what == "sub"
        return (m.int_elwadd(x, y, minus) if kind.integer else m.elwadd(x, y, how, minus))
    dst = zeros(kind)
    for phase in range(phases):
        dst = m.int_elwmul(dst, x, y, phase) if kind.integer else m.elwmul(dst, x, y, phase, how)
    return dst


def eltwise(vectors, chip):
    for kind in ALL:
        for which, name in enumerate(("", ", column", ", row", ", scalar")):
            x, y = Tiles(kind), Tiles(kind)
            spread = m.broadcast(y.operand, which)
            rows = 0 if which & 2 else 8
            config = dict(address_modifier(2, fidelity=1),
                          **address_modifier(3, a=8, b=rows, dst=8, flags="f0"))
            for what in ("add", "sub", "mul"):
                phases = 4 if what == "mul" else 1
                vectors.kernel("eltwise %s%s" % (what, name), chip, kind,
                               (eltwise_unpack(which),
                                eltwise_math(chip, kind, what, which, phases)), (x, y),
                               out(kind, eltwise_dst(chip, kind, what, x.operand, spread, phases)),
                               config)


# ---- matmul ----

MATMUL_WALK = (0, 1, 0, 2, 0, 1, 0, 4, 0, 1, 0, 2, 0, 1, 0, 5)


def matmul_config(chip):
    """tt-llk's modifiers; Wormhole reaches 4 to 7 through ADDR_MOD_SET_Base only, so 3 is 5."""
    config = dict(address_modifier(0, b=8, dst=8), **address_modifier(1, a=16, dst=8, flags="bc"))
    config.update(address_modifier(2, b=32, dst=8, flags="ac bc"))
    config.update(address_modifier(4 if chip == "bh" else 3, a=32, b=48, flags="ac bc dc"))
    if chip == "bh":
        config.update(address_modifier(5, fidelity=1, flags="a0 b0 d0"))
    return config


def matmul_math(chip, phases):
    math = w.Math(chip)
    words = [math.zeroacc_all()]
    for phase in range(phases):
        for mod in MATMUL_WALK:
            if chip == "wh" and mod == 5:
                words += [math.mvmul(0), w.setrwc(select="ABD"), w.NOP]
            else:
                words.append(math.mvmul(3 if chip == "wh" and mod == 4 else mod))
        if chip == "wh":
            words.append(w.setc16(FIDELITY_BASE[chip], (phase + 1) % 4))
    words.append(w.setrwc(a=1, b=1, select="ABDF"))
    return words


FIDELITY_BASE = {"wh": 6, "bh": 11}


def matmul(vectors, chip):
    for kind in ALL:
        for phases in (1, 2, 3, 4):
            x, y = Tiles(kind), Tiles(kind)           # in0 goes to SrcB, in1 to SrcA
            dst = zeros(kind)
            for phase in range(phases):
                for k in (0, 16):
                    left = tuple(p[:, k:k + 16] for p in x.operand)
                    right = tuple(p[k:k + 16] for p in y.operand)
                    dst = (m.int_mvmul(dst, left, right, phase) if kind.integer
                           else m.mvmul(dst, left, right, phase, kind.style(chip)))
            unpack = [w.setadcxx(w.AB, 1023), w.unpacr(1), w.unpacr(0)]
            config = dict(matmul_config(chip), THCON_SEC0_REG3_Base_address=IN1 // 16 - 1,
                          THCON_SEC1_REG3_Base_address=IN0 // 16 - 1)
            vectors.kernel("matmul, %d phases" % phases, chip, kind,
                           (unpack, matmul_math(chip, phases)), (x, y), out(kind, dst), config)


# ---- transpose ----

def transpose(vectors, chip):
    for kind in ALL:
        x = Tiles(kind)
        stream = []
        for column in (0, 1):
            for _ in range(2):
                stream += [w.unpacr(0, z0=2)] + w.clear_and_hand_over(chip, 1)
            stream.append(w.setadczw(w.A, z0=1, mask=1))
        config = dict(COPY_MODIFIERS, THCON_SEC0_REG2_Haloize_mode=1)
        turned = tuple(p.T for p in x.operand)
        vectors.kernel("transpose by the unpacker", chip, kind, (stream, copy_math(chip, kind)),
                       (x,), out(kind, copy_dst(chip, kind, turned)), config)


def transpose_dst(vectors, chip):
    """MOVD2B, TRNSPSRCB, MOVB2D: each face of Dst is turned where it stands."""
    math = w.Math(chip)
    for kind in (BF16, FP16, BFP8):
        x = Tiles(kind)
        words = copy_math(chip, kind)
        stream = unpack_a(chip) + w.clear_and_hand_over(chip, 1)
        for face in range(4):
            words += [math.movd2b(16 + i, 16 * face + i, 4, mod=2) for i in (0, 4, 8, 12)]
            words.append(w.TRNSPSRCB)
            words += [math.movb2d(16 + i, 16 * face + i, mod=2) for i in (0, 4, 8, 12)]
        words.append(w.setrwc(b=1))
        dst = copy_dst(chip, kind, x.operand)
        turned = dst.reshape(2, 16, 2, 16).transpose(0, 3, 2, 1).reshape(32, 32)
        vectors.kernel("transpose in Dst", chip, kind, (stream, words), (x,), out(kind, turned),
                       COPY_MODIFIERS)


# ---- reduce ----

def one(kind):
    """A tile of ones in the source format, as the scaler that kernels hand over."""
    pattern = {m.FP32: 0x3F800000, m.FP16: 0x3C00, m.INT8: 1}.get(kind.source, 0x3F80)
    tile = Tiles(kind)
    x = np.full((32, 32), pattern)
    tile.raw = m.encode(m.faces(x), kind.source)
    tile.patterns = x
    tile.operand = m.operand(x, m.BF16 if kind.source == m.BFP8 else kind.source)
    return tile


def pool(chip, kind, what, dst, a, phases):
    """A row of Dst: sums or maxima of the columns of sixteen rows of SrcA."""
    scaler = tuple(p[:1, :16] for p in one(kind).operand)
    if what == "max":
        return m.int_gmpool(a, dst) if kind.integer else m.gmpool(a, kind.style(chip), dst)
    row = dst[None, :]
    for phase in range(phases):
        row = (m.int_mvmul(row, scaler, a, phase) if kind.integer
               else m.mvmul(row, scaler, a, phase, kind.style(chip)))
    return row[0]


def pool_words(chip, what, phases, dst=0, a=0, b=0):
    """GMPOOL, or GAPOOL in all phases; modifier 3 goes to the next phase, 0 to the first."""
    math = w.Math(chip)
    if what == "max":
        return [math.pool("max", 0, dst, a, b)]
    return [math.pool("sum", 3, dst)] * (phases - 1) + [math.pool("sum", 0, dst, a, b)]


REDUCE_MODIFIERS = dict(address_modifier(0, flags="f0"), **address_modifier(2, b=8, dst=8))
REDUCE_MODIFIERS.update(address_modifier(3, fidelity=1))

REDUCE_UNPACK = [w.setadcxx(w.B, 15)]


def reduce_stream():
    return REDUCE_UNPACK + [w.unpacr(0, z0=1), w.unpacr(1)] * 4


def start(kind, what):
    """A row of Dst before the first face: invalid, which is minus infinity for GMPOOL."""
    if what == "sum":
        return np.zeros(16, np.int64)
    return None


def edge_masks(chip, dimension):
    """R11: what the packer leaves of the tile."""
    config = {"PCK_EDGE_OFFSET_SEC0_mask": 0}
    if dimension == "column":
        config.update({"PCK_EDGE_OFFSET_SEC1_mask": 0xFFFF, "TILE_ROW_SET_MAPPING_1": 1,
                       "PCK_EDGE_TILE_ROW_SET_SELECT_select": 0x05})
    elif dimension == "row":
        config.update({"PCK_EDGE_OFFSET_SEC1_mask": 1, "TILE_ROW_SET_MAPPING_1": 0x55555555,
                       "PCK_EDGE_TILE_ROW_SET_SELECT_select": 0x55})
    else:
        config.update({"PCK_EDGE_OFFSET_SEC1_mask": 1, "TILE_ROW_SET_MAPPING_1": 1,
                       "PCK_EDGE_TILE_ROW_SET_SELECT_select": 0x01})
    return config


def kept(chip, dimension, dst):
    """The mask on Dst: Blackhole's one packer uses the same for every face."""
    mask = np.zeros((2, 16, 2, 16), bool)
    if dimension == "column":
        mask[:, 0] = True
        if chip == "wh":
            mask[1] = False
    elif dimension == "row":
        mask[:, :, :, 0] = True
    else:
        mask[:, 0, :, 0] = True
        if chip == "wh":
            mask[1] = mask[:, :, 1] = False
    return np.where(mask.reshape(32, 32), dst, 0)


def pooled(kinds, what):
    """GMPOOL with FP16 in Dst of 32 bits is not described (matrix-unit.md M10)."""
    return [k for k in kinds if what == "sum" or k.eight or k.integer or not k.wide]


def reduce_column(vectors, chip):
    for what in ("sum", "max"):
        phases = 4
        for kind in pooled(ALL, what):
            x, scaler = Tiles(kind), one(kind)
            words = [w.Math(chip).zeroacc_all()]
            for _ in range(2):
                words += pool_words(chip, what, phases)
                words += [w.setrwc(select="D", dst=8, carry="D"),
                          w.setrwc(a=1, b=1, select="D", dst=8, carry="D")]
                words += pool_words(chip, what, phases)
                words.append(w.setrwc(a=1, b=1, select="AD"))
            dst = zeros(kind)
            for j in (0, 16):
                row = start(kind, what)
                for i in (0, 16):
                    row = pool(chip, kind, what, row,
                               tuple(p[i:i + 16, j:j + 16] for p in x.operand), phases)
                dst[0, j:j + 16] = row
            vectors.kernel("reduce columns, %s" % what, chip, kind, (reduce_stream(), words),
                           (x, scaler), out(kind, kept(chip, "column", dst)),
                           dict(REDUCE_MODIFIERS, **edge_masks(chip, "column")))


# MOVD2B takes half of a 32-bit number for FP16, which is of no use.
TURNED = tuple(kind for kind in FLOATS if kind is not FP16_WIDE)


def reduce_row(vectors, chip):
    """Faces come transposed; the row of results is turned into a column in SrcB."""
    math = w.Math(chip)
    for what in ("sum", "max"):
        for kind in pooled(TURNED, what):
            phases = 4
            x, scaler = Tiles(kind), one(kind)
            words = [math.zeroacc_all()]
            turn = [w.setrwc(select="AB", carry="D"), math.movd2b(16, 0, 1), w.TRNSPSRCB,
                    math.movd2b(16, 0, 1),
                    w.setrwc(select="B", srcb=8, carry="B"),
                    w.setrwc(select="B", srcb=8, carry="B"), math.zerosrc_a(),
                    math.elw("add", 2), math.elw("add", 2)]
            # ELWADD has moved Dst on by 16; tt-llk's SETRWCs count from the checkpoint.
            for half in range(2):
                words += pool_words(chip, what, phases, a=1, b=1)
                words += pool_words(chip, what, phases) + turn
                if half == 0:
                    words += [w.setrwc(select="D", dst=8, carry="D")] * 3
                    words.append(w.setrwc(a=1, b=1, select="BD", dst=8, carry="D"))
            words.append(w.setrwc(a=1, b=1, select="BD"))
            how = kind.style(chip)
            dst = zeros(kind)
            for i in (0, 16):
                row = start(kind, what)
                for j in (0, 16):
                    row = pool(chip, kind, what, row,
                               tuple(p[i:i + 16, j:j + 16].T for p in x.operand), phases)
                column = m.to_src(row, how, tf32=kind.register == m.TF32)
                nothing = tuple(np.zeros(16, np.int64) for _ in range(3))
                dst[i:i + 16, 0] = m.elwadd(nothing, column, how)
            config = dict(REDUCE_MODIFIERS, THCON_SEC0_REG2_Haloize_mode=1)
            config.update(edge_masks(chip, "row"))
            vectors.kernel("reduce rows, %s" % what, chip, kind, (reduce_stream(), words),
                           (x, scaler), out(kind, kept(chip, "row", dst)), config)


def reduce_scalar(vectors, chip):
    math = w.Math(chip)
    for what in ("sum", "max"):
        for kind in pooled(TURNED, what):
            phases = 4
            x, scaler = Tiles(kind), one(kind)
            words = [math.zeroacc_all()]
            for face in range(4):
                words += pool_words(chip, what, phases, 4, int(face < 3), int(face < 3))
            words += [w.setrwc(select="AB", carry="D"), math.movd2b(16, 4, 1), w.TRNSPSRCB]
            words += [math.movb2a(i, 16 + i) for i in (0, 4, 8, 12)]
            words.append(math.zeroacc_row(4))
            words += pool_words(chip, what, phases, 0, 1, 1)
            how = kind.style(chip)
            row = start(kind, what)
            for i, j in ((0, 0), (0, 16), (16, 0), (16, 16)):
                row = pool(chip, kind, what, row,
                           tuple(p[i:i + 16, j:j + 16] for p in x.operand), phases)
            column = m.to_src(row, how, tf32=kind.register == m.TF32)
            a = tuple(np.zeros((16, 16), np.int64) for _ in range(3))
            for part, values in zip(a, column):
                part[:, 0] = values
            dst = zeros(kind)
            dst[0, :16] = pool(chip, kind, what, start(kind, what), a, phases)
            vectors.kernel("reduce to a scalar, %s" % what, chip, kind, (reduce_stream(), words),
                           (x, scaler), out(kind, kept(chip, "scalar", dst)),
                           dict(REDUCE_MODIFIERS, **edge_masks(chip, "scalar")))


# ---- tilize: rows in L1 become a tile ----

def rows_of(kind, x):
    """A matrix row by row."""
    return m.encode(x.reshape(-1), kind.source)


def stride_config(row_bytes):
    units = row_bytes // 16
    return {"THCON_SEC0_REG2_Shift_amount_cntx%d" % i: units >> (4 * i) & 15 for i in range(3)}


def tilize_by_faces(chip, kind, row_bytes, tile):
    """A face has sixteen rows of sixteen data; context 1 begins sixteen rows further down."""
    words = []
    for half in (0, 1):
        words += [w.setc16(39 if chip == "wh" else 41, half * 0x0101), w.setadczw(w.A),
                  w.incadczw(w.A, z0=2 * tile)]
        words += ([w.unpacr(0, z0=1)] + w.clear_and_hand_over(chip, 1)) * 2
    config = dict(COPY_MODIFIERS, THCON_SEC0_REG5_Tile_x_dim_cntx0=16,
                  THCON_SEC0_REG5_Tile_x_dim_cntx1=16,
                  THCON_SEC0_REG3_Base_cntx1_address=(IN0 + 16 * row_bytes) // 16 - 1)
    return words, copy_math(chip, kind), config


def tilize_whole(chip, kind, tile):
    """Blackhole, 16 and 32 bits: rows of 32 data, so that left and right rows alternate in Dst."""
    math = w.Math(chip)
    words = [w.setadcxx(w.A, 1023)] + [w.unpacr(0)] + w.clear_and_hand_over(chip, 1)
    moves = []
    for block in range(8):
        moves.append(math.elw("add", 0, 8 * block) if kind.wide and kind.register != m.TF32
                     else math.mova2d(0, 8 * block))
    config = dict(COPY_MODIFIERS, THCON_SEC0_REG5_Tile_x_dim_cntx0=1024,
                  THCON_SEC0_REG0_TileDescriptor_1=1 << 16 | 1,
                  THCON_SEC0_REG3_Base_address=(IN0 + 32 * tile * kind.size()) // 16 - 1)
    return words, moves + [w.setrwc(a=1, b=1, select="AB")], config


def pack_alternating():
    """R5: rows 0, 2, 4 ... of Dst, then 1, 3, 5 ..., for the upper and the lower half."""
    words = pack_modifiers("bh", 0x0084, 0x0820, 0x1820)
    words += [w.setadcxy(w.PACKERS), w.setadczw(w.PACKERS), w.setadcxx(w.PACKERS, 15),
              w.semwait_above_zero(SEMAPHORE, w.BLOCK_PACK)]
    for half in (0, 1):
        words += [w.pacr(5)] * 7 + [w.pacr(5, mod=1)] + [w.pacr(10)] * 7
        words.append(w.pacr(10, mod=2, last=half))
    return words


def tilize(vectors, chip):
    for kind in (BF16, BF16_WIDE, FP16, FP32, FP32_16, BF16_BFP8, INT8, INT8_32):
        for tile in (0, 1):
            x = random_patterns(kind, (32, 64))
            row_bytes = 64 * kind.size()
            whole = chip == "bh" and kind.size() > 1
            unpack, math, config = (tilize_whole(chip, kind, tile) if whole else
                                    tilize_by_faces(chip, kind, row_bytes, tile))
            setup = dict(unpack_config(kind), **math_config(kind))
            setup.update(pack_config(chip, kind))
            setup.update(config, THCON_SEC0_REG2_Tileize_mode=1, **stride_config(row_bytes))
            if whole:
                n = {m.FP32: 4, m.INT32: 4}.get(kind.pack, 2)
                setup["PCK0_ADDR_CTRL_ZW_REG_0_Zstride"] = 512 * n
                setup["PCK0_ADDR_CTRL_ZW_REG_1_Zstride"] = 256 * n
            seen = m.operand(x[:, 32 * tile:32 * tile + 32], kind.source)
            want = out(kind, copy_dst(chip, kind, seen))
            vectors.add("tilize, tile %d, %s" % (tile, kind.name), chip, setup,
                        [UNPACK_BEGIN + unpack, MATH_BEGIN + math + math_done(chip),
                         pack_alternating() if whole else pack_tile(chip)],
                        {IN0: rows_of(kind, x)}, {OUT: want})


# ---- untilize: tiles in Dst become rows in L1 ----

def untilize_bh(row_bytes, tiles):
    """R3: two rows, of the left and the right face, an instruction; an address for each row."""
    address, step, words = 16, 17, pack_modifiers("bh", 0, 0, 0)
    words += w.set_gpr(address, 0x80000000 | (OUT // 16 - 1)) + w.set_gpr(step, row_bytes // 16)
    words += [w.setadcxy(w.PACKERS), w.setadczw(w.PACKERS), w.setadcxx(w.PACKERS, 15),
              w.setadc(w.PACKERS, 0, "W", 15), w.stallwait(w.BLOCK_CFG, w.WAIT_THCON),
              w.wrcfg(address, 69), w.NOP, w.semwait_above_zero(SEMAPHORE, w.BLOCK_PACK)]
    for half in (0, 1):
        for _ in range(16):
            words.append(w.addrcrzw(w.PACKERS))
            for tile in range(tiles):
                words += [w.incadczw(w.PACKERS, w0=1),
                          w.pacr(3, strided=1, last=int(tile == tiles - 1))]
            words += [w.incadcxy(w.PACKERS, y0=1), w.adddmareg(address, address, step),
                      w.stallwait(w.BLOCK_CFG, w.WAIT_THCON), w.wrcfg(address, 69), w.NOP]
        if half == 0:
            words += [w.incadczw(w.PACKERS, z0=1), w.setadcxy(w.PACKERS, mask=2)]
    return words


def untilize_wh(tiles):
    """R4: eight rows a packer, left face, right face, next tile."""
    words = pack_modifiers("wh", 0x000F, 0x0010, 0x0020, 0)
    words += [w.setadcxy(w.PACKERS), w.setadczw(w.PACKERS), w.setadcxx(w.PACKERS, 15),
              w.semwait_above_zero(SEMAPHORE, w.BLOCK_PACK)]
    for _ in range(8):
        words.append(w.setadc(w.PACKERS, 0, "W", 0))
        for _ in range(tiles):
            words += [w.pacr(15), w.incadcxy(w.PACKERS, y0=1), w.pacr(15, mod=1),
                      w.incadczw(w.PACKERS, w0=1)]
        words.append(w.addrcrxy(w.PACKERS, y0=1))
    return words + [w.pacr(15, mod=2, flush=1, last=1)]


def untilize(vectors, chip):
    for kind in (BF16, BF16_WIDE, BF16_LATE, FP16, FP32, FP32_16, BFP8_BF16, INT8, INT8_32):
        tiles = 1 if kind.source == m.BFP8 else 2
        x = Tiles(kind, 1, tiles)
        row_bytes = 32 * tiles * kind.out_size()
        n = {m.FP32: 4, m.INT32: 4, m.FP16: 2, m.BF16: 2}.get(kind.pack, 1)
        setup = dict(unpack_config(kind), **math_config(kind))
        setup.update(pack_config(chip, kind), **COPY_MODIFIERS)
        if chip == "bh":
            setup.update(DEST_ACCESS_CFG_remap_addrs=1, DEST_ACCESS_CFG_swizzle_32b=1,
                         PCK0_ADDR_CTRL_ZW_REG_0_Zstride=512 * n)
        else:
            for i, section in enumerate(WH_SECTIONS):
                at = OUT + 8 * i * row_bytes
                setup["THCON_%s_L1_Dest_addr" % section] = at // 16 - 1
                setup["THCON_%s_Exp_section_size" % section] = 0
                setup["DEST_TARGET_REG_CFG_PACK_SEC%d_Offset" % i] = (0, 8, 32, 40)[i]
        setup["THCON_SEC0_REG1_Exp_section_size"] = 0
        dst = copy_dst(chip, kind, x.operand)
        flat = m.late(m.early(dst, kind.wide, kind.pack), kind.pack, kind.target)
        pack = untilize_bh(row_bytes, tiles) if chip == "bh" else untilize_wh(tiles)
        vectors.add("untilize, %s" % kind.name, chip, setup,
                    [UNPACK_BEGIN + unpack_a(chip, 4 * tiles),
                     MATH_BEGIN + copy_math(chip, kind, 4 * tiles) + math_done(chip), pack],
                    {IN0: x.raw}, {OUT: m.encode(flat.reshape(-1), kind.target)})


# ---- the packer's other recipes, behind a copy ----

def pack_rows(vectors, chip):
    """R9: some rows of a face, one PACR each."""
    for kind in (BF16, FP16, FP32):
        for rows in (1, 5, 16):
            x = Tiles(kind)
            words = pack_modifiers(chip, 1, 0x0820)
            words += [w.setadcxy(w.PACKERS), w.setadczw(w.PACKERS), w.setadcxx(w.PACKERS, 15),
                      w.semwait_above_zero(SEMAPHORE, w.BLOCK_PACK)]
            if chip == "bh":
                words += [w.pacr(1)] * (rows - 1) + [w.pacr(1, mod=1, last=1)]
            else:
                words += [w.pacr(1)] * rows + [w.pacr(15, mod=1, flush=1, last=1)]
            setup = dict(unpack_config(kind), **math_config(kind))
            setup.update(pack_config(chip, kind), **COPY_MODIFIERS)
            dst = copy_dst(chip, kind, x.operand)[:rows, :16]
            flat = m.late(m.early(dst, kind.wide, kind.pack), kind.pack, kind.target)
            vectors.add("pack %d rows, %s" % (rows, kind.name), chip, setup,
                        [UNPACK_BEGIN + unpack_a(chip),
                         MATH_BEGIN + copy_math(chip, kind) + math_done(chip), words],
                        {IN0: x.raw}, {OUT: m.encode(flat.reshape(-1), kind.target)})


def relu(vectors, chip):
    """R10: every mode, with thresholds of the format."""
    for kind, threshold in ((BF16, 0x3FA0), (FP16, 0x3D00), (BFP8_BF16, 0x4000)):
        for mode in (1, 2, 3):
            x = Tiles(kind)
            dst = m.early(copy_dst(chip, kind, x.operand), kind.wide, kind.pack)
            want = m.encode(m.faces(m.relu(dst, mode, threshold)), kind.target)
            config = dict(COPY_MODIFIERS, STACC_RELU_ApplyRelu=mode,
                          STACC_RELU_ReluThreshold=threshold)
            vectors.kernel("ReLU mode %d" % mode, chip, kind, (unpack_a(chip),
                           copy_math(chip, kind)), (x,), want, config)


def accumulate(vectors, chip):
    """R12: what is packed is added to L1; INT32 by the ISA's page on L1."""
    for kind in (BF16, FP32, BF16_LATE, INT8_32):
        x = Tiles(kind)
        like = Kind("", kind.target, kind.target, False, 0, 0)
        if kind.target == m.INT32:
            sign = RANDOM.integers(0, 2, 1024) << 31
            size = RANDOM.choice([0, 1, 100, 0x7FFFFFFF, 0x7FFFFFC0], 1024)
            old = np.where(size, sign | size, 0)
        else:
            old = m.ints(random_patterns(like, 1024))
        new = m.late(m.early(m.faces(copy_dst(chip, kind, x.operand)), kind.wide, kind.pack),
                     kind.pack, kind.target)
        setup = dict(unpack_config(kind), **math_config(kind))
        setup.update(pack_config(chip, kind), **COPY_MODIFIERS)
        for section in WH_SECTIONS if chip == "wh" else WH_SECTIONS[:1]:
            setup["THCON_%s_Pack_L1_Acc" % section] = 1
            setup["THCON_%s_Disable_pack_zero_flags" % section] = 1
        vectors.add("accumulate in L1, %s" % kind.name, chip, setup,
                    [UNPACK_BEGIN + unpack_a(chip),
                     MATH_BEGIN + copy_math(chip, kind) + math_done(chip), pack_tile(chip)],
                    {IN0: x.raw, OUT: m.encode(old, kind.target)},
                    {OUT: m.encode(m.l1_add(old, new, kind.target), kind.target)})


RECIPES = (datacopy, unpack_to_dst, eltwise, matmul, transpose, transpose_dst, reduce_column,
           reduce_row, reduce_scalar, tilize, untilize, pack_rows, relu, accumulate)


def main(path, folder=None):
    vectors = Vectors()
    for chip in ("bh", "wh"):
        for recipe in (RECIPES + recipes_more.RECIPES + recipes_unpack.RECIPES +
                       recipes_turn.RECIPES + recipes_int.RECIPES):
            recipe(vectors, chip)
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join(vectors.lines) + "\n")
    for i, line in enumerate(vectors.lines if folder else []):
        # U10, U2 of the rows behind the wanted one, M2 where Fp32_enabled is clear, M5; rightly so.
        known = ("then BF16 through SrcA" in line or "unpack_untilize" in line or
                 re.match('{"name": ".. reduce (rows|to a scalar), .*INT8', line) or
                 re.match('{"name": "bh transpose in Dst, .*(FP32|INT32)"', line))
        if i % 9 == 0 and not known:
            print(write_kernel(json.loads(line), folder, i))


if __name__ == "__main__":
    main(*sys.argv[1:])
