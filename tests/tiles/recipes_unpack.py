# SPDX-License-Identifier: Apache-2.0
"""Recipes in which the unpacker puts rows of tiles elsewhere: unpack_untilize, unpack_bcastA_B,
unpack_tilizeA_B."""
import model as m
import words as w
from rig import (
    BF16, BF16_BFP8, BF16_LATE, BF16_WIDE, BFP8_BF16, FP16, FP16_WIDE, FP32, FP32_16, IN0, IN1,
    INT8, INT8_32, MATH_BEGIN, OUT, UNPACK_BEGIN, Tiles, address_modifier, math_config, math_done,
    out, pack_config, pack_tile, random_patterns, unpack_config,
)

# ---- unpack_untilize: rows of sixteen data, tile by tile (unpack.md 14.2) ----

OFFSET, SIZE, ZERO = 18, 19, 0      # registers of the Scalar Unit


def put_offset(chip, gpr):
    """THCON_SEC0_REG7_Offset_address."""
    return w.wrcfg(gpr, 92) if chip == "bh" else w.reg2flop(gpr, 80)


def untilize_step(chip):
    """What the MOP replays: a row of the left face and of the right one, then on to the next
    tile; ADDRCRZW brings Z back to the face that SETADC has set."""
    wait = [w.stallwait(w.BLOCK_CFG, w.WAIT_THCON)] if chip == "bh" else []
    return ([w.DMANOP] + [w.unpacr(0, z0=1, y1=1, valid=0)] * 2 +
            [w.adddmareg(OFFSET, OFFSET, SIZE)] + wait +
            [w.addrcrzw(w.A, mask=1), put_offset(chip, OFFSET)])


def hand_over(chip, more):
    """Eight steps fill a bank. Wormhole's kernel turns to the first tile while it gives it away
    (tt-llk #37960), so that the last UNPACR reads nothing behind the last one."""
    words = [put_offset(chip, ZERO), w.DMANOP] if chip == "wh" else []
    words += [w.unpacr(0)] + w.clear_and_hand_over(chip, 1) + [w.setadcxy(w.A, mask=8)]
    return words + ([put_offset(chip, OFFSET)] if chip == "wh" and more else [])


def untilize_rows(chip, tiles):
    words, steps = [], 0
    for _ in range(16):
        for tile in range(tiles):
            words += untilize_step(chip)
            steps += 1
            if steps % 8 == 0:
                words += hand_over(chip, tile + 1 < tiles)
        words.append(w.muldmareg(OFFSET, OFFSET, ZERO))
        if chip == "bh":
            words.append(w.stallwait(w.BLOCK_CFG, w.WAIT_THCON))
        words += [put_offset(chip, ZERO), w.incadcxy(w.A, y0=1)]
    return words


def unpack_untilize(vectors, chip):
    from recipes import COPY_MODIFIERS, copy_dst, copy_math
    from recipes_more import pack_another
    tiles = 2
    for kind in (BF16, BF16_WIDE, FP16, FP32, FP32_16, BFP8_BF16, INT8, INT8_32):
        x = Tiles(kind, 1, tiles)
        size = len(x.raw) // tiles
        unpack = [w.setadcxx(w.A, 255)] + w.set_gpr(SIZE, size // 16) + w.set_gpr(OFFSET, 0)
        for z in (0, 2):                # the upper faces, then the lower ones
            unpack += [w.setadcxy(w.A, mask=2), w.setadc(w.A, 0, "Z", z)]
            unpack += untilize_rows(chip, tiles)
        setup = dict(unpack_config(kind), **math_config(kind))
        setup.update(pack_config(chip, kind), **COPY_MODIFIERS)
        stride = {m.TF32: 4, m.FP16: 2, m.BF16: 2}.get(kind.register, 1)
        setup.update({"UNP0_ADDR_CTRL_XY_REG_1_Ystride": 16 * stride,
                      "THCON_SEC0_REG0_TileDescriptor_1": 4 << 16 | 16,
                      "THCON_SEC0_REG5_Tile_x_dim_cntx0": 16})
        dst = copy_dst(chip, kind, x.operand).reshape(-1)
        want = m.encode(m.late(m.early(dst, kind.wide, kind.pack), kind.pack, kind.target),
                        kind.target)
        second = OUT + len(want) // tiles
        pack = pack_tile(chip)[:-2] + pack_another(chip, second, 1)
        # A row is fetched with the fifteen behind it, which for the last tile lie behind it.
        vectors.add("unpack_untilize, %s" % kind.name, chip, setup,
                    [UNPACK_BEGIN + unpack,
                     MATH_BEGIN + copy_math(chip, kind, 4 * tiles) + math_done(chip), pack],
                    {IN0: x.raw + bytes(size)}, {OUT: want})


# ---- unpack_bcastA_B: a row for all rows, kept in SrcA for several tiles of SrcB ----

def bcast_unpack(tiles):
    """The first rows of the upper faces eight times each; whole tiles to SrcB."""
    row = w.unpacr(0, y1=1, valid=0)
    words = [w.setadcxx(w.A, 15), w.setadcxx(w.B, 1023), w.setadczw(w.AB),
             w.setadcxy(w.AB, mask=10)]
    words += [row] * 8 + [w.incadcxy(w.A, y0=1)] + [row] * 7 + [w.unpacr(0, y1=1)]
    return words + [w.unpacr(1), w.incadczw(w.B, z0=4)] * tiles


def bcast_math(chip, what, tiles):
    """The same sixteen rows of SrcA for both halves of a tile, and for each tile."""
    math = w.Math(chip)
    half = [math.elw(what, 0), math.elw(what, 1)] * 2
    words = [math.zeroacc_all(), w.setrwc(select="ABDF")]
    for _ in range(tiles):
        words += half + [w.setrwc(select="A")] + half + [w.setrwc(b=1, select="AB")]
    return words + [w.setrwc(a=1, select="AB")]


def unpack_bcast_a(vectors, chip):
    """Wormhole alone has it, for formats of sixteen bits in SrcA."""
    from recipes import eltwise_dst
    from recipes_more import pack_another
    tiles = 2
    for kind in (BF16, BF16_WIDE, BF16_LATE, FP16, FP16_WIDE) if chip == "wh" else ():
        for what in ("add", "sub", "mul"):
            x, y = Tiles(kind), Tiles(kind, 1, tiles)
            setup = dict(unpack_config(kind), **math_config(kind))
            setup.update(pack_config(chip, kind), **address_modifier(0, b=8, dst=8),
                         **address_modifier(1, a=8, b=8, dst=8))
            setup["UNP0_ADDR_CTRL_XY_REG_1_Ystride"] = 32
            spread = m.broadcast(x.operand, 2)
            want = []
            for t in range(tiles):
                b = tuple(p[:, 32 * t:32 * t + 32] for p in y.operand)
                want.append(out(kind, eltwise_dst(chip, kind, what, spread, b, 1)))
            pack = pack_tile(chip)[:-2] + pack_another(chip, OUT + len(want[0]), 1)
            vectors.add("unpack_bcastA_B, %s, %s" % (what, kind.name), chip, setup,
                        [UNPACK_BEGIN + bcast_unpack(tiles),
                         MATH_BEGIN + bcast_math(chip, what, tiles) + math_done(chip), pack],
                        {IN0: x.raw, IN1: y.raw}, {OUT: b"".join(want)})


# ---- unpack_tilizeA_B: rows of a matrix to SrcA as faces, SrcB as it is ----

def tilize_a_wh(kind, row_bytes, tile):
    """As tilize; the lower faces are the other context's, SrcB's place counts on."""
    words = [w.setadcxx(w.AB, 255), w.setadczw(w.B)]
    for half in (0, 1):
        words += [w.setc16(39, half * 0x0101), w.setadczw(w.A), w.incadczw(w.A, z0=2 * tile)]
        words += [w.unpacr(0, z0=1), w.unpacr(1, z0=1)] * 2
    setup = {"THCON_SEC0_REG2_Tileize_mode": 1, "THCON_SEC0_REG5_Tile_x_dim_cntx0": 16,
             "THCON_SEC0_REG5_Tile_x_dim_cntx1": 16,
             "THCON_SEC0_REG3_Base_cntx1_address": (IN0 + 16 * row_bytes) // 16 - 1,
             "THCON_SEC1_REG3_Base_cntx1_address": IN1 // 16 - 1}
    units = row_bytes // 16
    for i in range(3):
        setup["THCON_SEC0_REG2_Shift_amount_cntx%d" % i] = units >> (4 * i) & 15
    return words, setup


def tilize_a_bh(kind, row_bytes, tile):
    """A row of a face an instruction; CFGSHIFTMASK turns to the next one."""
    from recipes_more import set_config
    base = 76                                       # THCON_SEC0_REG3_Base_address
    words = [w.setadcxx(w.A, 15), w.setadcxx(w.B, 255), w.setadczw(w.AB)]
    for face in range(4):
        at = IN0 + (face >> 1) * 16 * row_bytes + (2 * tile + (face & 1)) * 16 * kind.size()
        words += set_config([(base, at // 16 - 1)], w.WAIT_UNPACK0, "bh")
        words += [w.setadcxy(w.A, mask=10), w.unpacr(1, z0=1)]
        words += [w.unpacr(0, y1=1, valid=0), w.cfgshiftmask(base), w.NOP] * 15 + [w.unpacr(0)]
    stride = {m.TF32: 4, m.FP16: 2, m.BF16: 2}.get(kind.register, 1)
    return words, {"UNP0_ADDR_CTRL_XY_REG_1_Ystride": 16 * stride,
                   "SCRATCH_SEC0_val": row_bytes // 16}


def unpack_tilize_a(vectors, chip):
    from recipes import eltwise_dst, eltwise_math, rows_of
    for kind in (BF16, BF16_WIDE, FP16, FP32, FP32_16, BF16_BFP8, INT8, INT8_32):
        for tile in (0, 1):
            x, y = random_patterns(kind, (32, 64)), Tiles(kind)
            row_bytes = 64 * kind.size()
            unpack, setup = (tilize_a_bh if chip == "bh" else tilize_a_wh)(kind, row_bytes, tile)
            config = dict(unpack_config(kind), **math_config(kind))
            config.update(pack_config(chip, kind), **address_modifier(2, fidelity=1))
            config.update(address_modifier(3, a=8, b=8, dst=8, flags="f0"), **setup)
            seen = m.operand(x[:, 32 * tile:32 * tile + 32], kind.source)
            want = out(kind, eltwise_dst(chip, kind, "add", seen, y.operand, 1))
            vectors.add("unpack_tilizeA_B, tile %d, %s" % (tile, kind.name), chip, config,
                        [UNPACK_BEGIN + unpack,
                         MATH_BEGIN + eltwise_math(chip, kind, "add", 0, 1) + math_done(chip),
                         pack_tile(chip)],
                        {IN0: rows_of(kind, x), IN1: y.raw}, {OUT: want})


RECIPES = (unpack_untilize, unpack_bcast_a, unpack_tilize_a)
