# SPDX-License-Identifier: Apache-2.0
"""Recipes that are more than one plain tile: broadcasts through SrcB, small faces, operands that
stay in Src or come from Dst, and a kernel that changes its formats on the way."""
import model as m
import numpy as np
import words as w
from rig import (
    BF16, BF16_BFP8, BFP8, FP16, FP32, IN0, IN1, INT8_32, MATH_BEGIN, OUT, RANDOM, SEMAPHORE,
    UNPACK_BEGIN, WH_SECTIONS, Kind, Tiles, address_modifier, math_config, math_done, out,
    pack_config, pack_modifiers, pack_tile, random_patterns, unpack_config,
)


# ---- unpack_A with a broadcast: SrcB to Dst ----

def broadcast_copy(vectors, chip):
    """Column, row or element 0 of SrcB for the whole of a face (MOVB2D)."""
    math = w.Math(chip)
    b, again = w.unpacr(1, z0=1), w.setadczw(w.B, z0=0, mask=1)
    for kind in (BF16, FP16, FP32, BFP8):
        x = Tiles(kind)
        for which, name in ((1, "column"), (2, "row"), (3, "scalar")):
            words = []
            for face in range(4):
                at = 16 * face
                if which == 1:
                    words += [math.movb2d_wide(i, at + i, column=1, four=1) for i in (0, 4, 8, 12)]
                else:
                    words += [math.movb2d_wide(0, at + i, column=which & 1, eight=1)
                              for i in (0, 8)]
                if which == 2 or (which == 1 and face & 1) or face == 3:
                    words.append(w.setrwc(b=1))
            stream = {1: [b, w.setadczw(w.B, z0=2, mask=1), b], 2: [b, b, again] * 2, 3: [b]}[which]
            spread = m.broadcast(x.operand, which)
            vectors.kernel("broadcast copy, %s" % name, chip, kind, (stream, words), (x,),
                           out(kind, m.to_dst(spread, kind.style(chip))),
                           {"THCON_SEC1_REG3_Base_address": IN0 // 16 - 1})


# ---- small faces (R1, R2) ----

def small_faces(vectors, chip):
    """Faces of fewer than sixteen rows, tiles of fewer than four faces."""
    math = w.Math(chip)
    for kind in (BF16, FP16, FP32, BFP8):
        for rows in (8, 4, 2, 1):
            for faces in (4, 2, 1):
                if kind is BFP8 and (chip == "wh" or rows < 4) and faces != 2:
                    continue            # exponents of a packer would not begin a unit of 16 bytes
                small_tile(vectors, chip, math, kind, rows, faces)


def small_tile(vectors, chip, math, kind, rows, faces):
    count = 16 * rows * faces
    raw = m.encode(random_patterns(kind, count), kind.source)
    seen = m.decode(raw, kind.source, count)
    x = m.operand(seen, m.BF16 if kind is BFP8 else kind.source)
    setup = dict(unpack_config(kind), **math_config(kind))
    setup.update(pack_config(chip, kind), **address_modifier(0, a=8),
                 **address_modifier(1, flags="a0"))
    setup.update(THCON_SEC0_REG0_TileDescriptor_1=faces << 16 | 1,
                 THCON_SEC0_REG5_Tile_x_dim_cntx0=16 * rows)
    units = {4: 4, 2: 2, 1: 1}[kind.out_size()]
    for i, section in enumerate(WH_SECTIONS if chip == "wh" else WH_SECTIONS[:1]):
        setup["THCON_%s_Exp_section_size" % section] = (
            (rows * faces + 15) // 16 if kind is BFP8 else faces)
        setup["PACK_COUNTERS_SEC%d_pack_reads_per_xy_plane" % i] = rows
        if i > 0:
            setup["THCON_%s_L1_Dest_addr" % section] = i * rows * units - 1
    unpack = [w.setadcxx(w.A, 16 * rows - 1)]
    moves = []
    for face in range(faces):
        unpack += [w.unpacr(0, z0=1)] + w.clear_and_hand_over(chip, 1)
        moves += [math.mova2d(0, 16 * face), w.setrwc(a=1, b=1, select="AB")]
    want = m.late(m.early(m.to_dst(x, kind.style(chip)), kind.wide, kind.pack), kind.pack,
                  kind.target)
    name = "%d faces of %d rows, %s" % (faces, rows, kind.name)
    vectors.add(name, chip, setup,
                [UNPACK_BEGIN + unpack, MATH_BEGIN + moves + math_done(chip),
                 pack_small(chip, kind, rows, faces)],
                {IN0: raw}, {OUT: m.encode(want, kind.target)})


def pack_small(chip, kind, rows, faces):
    words = pack_modifiers(chip, *((0x0104, 0x2820, 0x1120) if chip == "bh" else
                                   (0x004F, 0x0820, 0x0020)))
    words += [w.setadcxy(w.PACKERS), w.setadczw(w.PACKERS),
              w.setadcxx(w.PACKERS, 15 if chip == "bh" else 16 * rows - 1),
              w.semwait_above_zero(SEMAPHORE, w.BLOCK_PACK)]
    if chip == "bh":
        mask = {1: 1, 2: 3}.get(rows, 0)
        for face in range(faces):
            words += [w.pacr(mask)] * (max(rows // 4, 1) - 1)
            last = face == faces - 1
            words.append(w.pacr(mask, mod=1 if last else 2, last=int(last)))
    elif kind is BFP8:
        words += [w.pacr(1, concat=1), w.incadcxy(w.PACKERS, y0=1),
                  w.pacr(1, mod=1, last=1, concat=1)]
    else:
        words += [w.pacr(15, mod=2, flush=1),
                  w.pacr({4: 15, 2: 3, 1: 1}[faces], mod=1, last=1, concat=1)]
    return words


# ---- operands that stay ----

def matmul_reuse(vectors, chip):
    """unpack_AB_matmul, reuse A: in0 stays in SrcB for two tiles of in1, whose address a register
    of the Scalar Unit counts up."""
    from recipes import MATMUL_WALK, matmul_config
    math = w.Math(chip)
    base = 76 if chip == "bh" else 64               # THCON_SEC0_REG3_Base_address
    temporary, size = 20, 21
    for kind in (BF16, FP16, FP32, INT8_32):
        x, y = Tiles(kind), Tiles(kind, 1, 2)
        tile_units = len(x.raw) // 16
        unpack = [w.setadcxx(w.AB, 1023)] + w.set_gpr(size, tile_units) + [w.unpacr(1)]
        for _ in range(2):
            unpack += [w.unpacr(0), w.rdcfg(temporary, base), w.stallwait(1 << 5, w.WAIT_THCON),
                       w.adddmareg(temporary, temporary, size)]
            unpack += ([w.stallwait(w.BLOCK_CFG, w.WAIT_THCON), w.wrcfg(temporary, base)]
                       if chip == "bh" else [w.reg2flop(temporary, base)])
            unpack.append(w.NOP)
        words = [math.zeroacc_all()]
        for tile in range(2):
            words.append(w.setc16(1, 64 * tile))    # DEST_TARGET_REG_CFG_MATH_Offset
            for mod in MATMUL_WALK[:-1]:
                words.append(math.mvmul(3 if chip == "wh" and mod == 4 else mod))
            words += [math.mvmul(0), w.setrwc(a=1, b=tile, select="ABDF")]
        dst = np.zeros((32, 64), np.int64)
        for k in (0, 16):
            left = tuple(p[:, k:k + 16] for p in x.operand)
            right = tuple(p[k:k + 16] for p in y.operand)
            dst = (m.int_mvmul(dst, left, right, 0) if kind.integer
                   else m.mvmul(dst, left, right, 0, kind.style(chip)))
        setup = dict(unpack_config(kind), **math_config(kind))
        setup.update(pack_config(chip, kind), **matmul_config(chip))
        setup.update(THCON_SEC0_REG3_Base_address=IN1 // 16 - 1,
                     THCON_SEC1_REG3_Base_address=IN0 // 16 - 1)
        want = out(kind, dst[:, :32])
        second = OUT + len(want)
        pack = pack_tile(chip)[:-2] + pack_another(chip, second, 1)
        vectors.add("matmul, two tiles by one, %s" % kind.name, chip, setup,
                    [UNPACK_BEGIN + unpack, MATH_BEGIN + words + math_done(chip), pack],
                    {IN0: x.raw, IN1: y.raw}, {OUT: want + out(kind, dst[:, 32:])})


def pack_another(chip, address, tile):
    """The next tile of Dst: W, and the address by WRCFG or REG2FLOP."""
    gpr = 22
    words = w.set_gpr(gpr, 0x80000000 | (address // 16 - 1)) + [w.setadc(w.PACKERS, 0, "W", tile)]
    if chip == "bh":
        words += [w.stallwait(w.BLOCK_CFG, w.WAIT_THCON | w.wait_pack(chip)), w.wrcfg(gpr, 69)]
    else:
        words += [w.stallwait(1 << 5, w.wait_pack(chip)), w.reg2flop(gpr, 57)]
    words.append(w.NOP)
    return words + [word for word in pack_tile(chip)[3:] if word >> 24 in (0x41, 0x54)][1:]


def dest_reuse(vectors, chip):
    """A tile in Dst is added to one from L1: Dst goes to SrcA, and back with the sum."""
    from recipes import copy_dst, copy_math
    math = w.Math(chip)
    valid = (0x80 | 0x100) if chip == "bh" else (0x400 | 0x800)
    for kind in (BF16, FP16, FP32, BFP8):
        x, y = Tiles(kind), Tiles(kind)
        a, zero_a = w.unpacr(0, z0=1), w.clear_and_hand_over(chip, 0)
        stream = [word for _ in range(4) for word in [a] + w.clear_and_hand_over(chip, 1)]
        stream += [word for _ in range(4) for word in zero_a + [w.unpacr(1, z0=1)]]
        words = copy_math(chip, kind)
        for face in range(4):
            words.append(w.stallwait(w.BLOCK_MATH, w.wait_math(chip) | valid))
            words += [math.movd2a(i, 16 * face + i, mod=2) for i in (0, 4, 8, 12)]
            words += [math.elw("add", 0, 16 * face), math.elw("add", 1, 16 * face + 8)]
            words.append(w.setrwc(a=1, b=1, select="AB"))
        how = kind.style(chip)
        first = copy_dst(chip, kind, x.operand)
        dst = m.elwadd(m.to_src(first, how, tf32=kind is FP32), y.operand, how)
        config = dict(address_modifier(0, a=8, b=8), **address_modifier(1, flags="a0 b0"))
        vectors.kernel("eltwise add with Dst", chip, kind, (stream, words), (x, y), out(kind, dst),
                       config)


# ---- a kernel that changes its formats (R13) ----

def set_config(values, conditions, chip):
    """Words of configuration, each through a register of the Scalar Unit."""
    words = []
    for word, value in values:
        words += w.set_gpr(30, value)
        words += [w.stallwait(w.BLOCK_CFG, w.WAIT_THCON | conditions), w.wrcfg(30, word), w.NOP]
    return words


def change_formats(vectors, chip):
    """INT32 through Dst, then, with other formats, BF16 through SrcA. Between them Wormhole unpacks
    zeros into a row of SrcA, as tt-llk does (unpack.md 13.2)."""
    bh = chip == "bh"
    first = Kind("", m.INT32, m.INT32, True, m.INT32, m.INT32)
    sign, size = RANDOM.integers(0, 2, 1024) << 31, RANDOM.integers(0, 1 << 31, 1024)
    data = m.encode(m.ints(np.where(size, sign | size, 0)), m.INT32)
    x = Tiles(BF16)
    config = dict(unpack_config(first), **math_config(BF16))
    config.update(pack_config(chip, first), **address_modifier(0, a=8),
                  **address_modifier(1, flags="a0"))
    config.update({"SRCA_SET_SetOvrdWithAddr": 0, "THCON_SEC0_REG2_Unpack_if_sel_cntx0": 1,
                   "UNP0_ADDR_CTRL_ZW_REG_1_Zstride": 1024,
                   "THCON_SEC1_REG2_Out_data_format": m.BF16})
    unpack = UNPACK_BEGIN + [w.unpacr(0, z0=1, z1=1, valid=0)] * 4
    unpack += [w.stallwait(w.BLOCK_SYNC, w.WAIT_UNPACK0), w.sempost(SEMAPHORE)]
    descriptor, register, z_stride, base = (64, 72, 57, 76) if bh else (52, 60, 45, 64)
    unpack += set_config([(register + 1, 3)], w.WAIT_UNPACK0, chip)    # to SrcA again
    unpack.append(w.setc16(5 if bh else 3, 4))
    if not bh:
        unpack += [w.setadcxx(w.A, 15), w.unpacr(0, valid=0) | 1 << 4, w.setadcxx(w.A, 255)]
    unpack += set_config([(descriptor, m.BF16 | 0x10), (register, m.BF16 | 2 << 4),
                          (z_stride, 512), (base, IN1 // 16 - 1)], w.WAIT_UNPACK0, chip)
    unpack.append(w.setadczw(w.A))
    unpack += [word for _ in range(4)
               for word in [w.unpacr(0, z0=1)] + w.clear_and_hand_over(chip, 1)]
    # The second tile goes to the tile of Dst behind the first one's 64 rows of 32 bits.
    math = w.Math(chip)
    words = [w.semwait_above_zero(SEMAPHORE + 1, w.BLOCK_MATH)]
    for face in range(4):
        words += [math.mova2d(0, 256 + 16 * face), math.mova2d(0, 256 + 16 * face + 8, 1),
                  w.setrwc(a=1, b=1, select="AB")]
    words += math_done(chip)
    pack = pack_tile(chip) + [w.sempost(SEMAPHORE + 1)]
    sections = ((68,) if bh else (56, 84, 96, 124))
    for i, section in enumerate(sections):
        to = 0x80000000 | ((OUT + 0x1000) // 16 - 1) if i == 0 else 32 * i - 1
        pack += set_config([(section + 2, 1 | m.BF16 << 4 | m.BF16 << 8), (section + 1, to)],
                           w.wait_pack(chip), chip)
    strides = ([(12, 32 << 16), (13, 512 | 2048 << 16), (18, 0)] if bh else
               [(8, 2 | 32 << 12), (9, 512 | 2048 << 12), (14, 0)])
    pack += set_config(strides + [(1, m.BF16 << 25 | m.BF16 << 17 | m.BF16 << 21)],
                       w.wait_pack(chip) | w.wait_math(chip), chip)
    again = pack_tile(chip)
    at = next(i for i, word in enumerate(again) if word >> 24 == 0xA6)
    pack += again[:at] + [w.setadc(w.PACKERS, 0, "W", 4)] + again[at:]
    semaphores = [w.seminit(SEMAPHORE, 2), w.seminit(SEMAPHORE + 1, 2)]
    vectors.add("INT32 through Dst, then BF16 through SrcA", chip, config,
                [semaphores + unpack, words, pack], {IN0: data, IN1: x.raw},
                {OUT: data, OUT + 0x1000: x.raw})


# ---- Wormhole's fast tilize (R8): rows of one, two or three tiles at a time ----

def fast_unpack(kind, unit, units, wide_tiles):
    """One tile: all of it to SrcA. Two: upper sixteen rows to SrcA, lower ones to SrcB, 64 data an
    instruction. Three: eight rows to each, 96 data an instruction, first of the upper faces."""
    words = [w.setadcxx(w.AB, 1023 if unit == 1 else 32 * unit - 1)]
    for _ in range(units):
        if unit == 1:
            words += [w.unpacr(0), w.incadczw(w.A, w0=2)]
            continue
        for half in range(2 if unit == 3 else 1):
            rows = 8 if unit == 3 else 16
            words += [w.unpacr(which, z0=1, z1=unit, valid=0) for _ in range(rows - 1)
                      for which in (0, 1)]
            last = half == 1 or unit == 2
            words += [w.unpacr(which, y0=unit) if last else w.unpacr(which, z0=1, z1=3)
                      for which in (0, 1)]
            words.append(w.setadczw(w.AB, w0=int(not last)))
    second = (8 if unit == 3 else 16) * 32 * wide_tiles * kind.size()
    setup = {"THCON_SEC0_REG0_TileDescriptor_1": 16 << 16 | wide_tiles,
             "THCON_SEC1_REG0_TileDescriptor_1": 16 << 16 | wide_tiles,
             "THCON_SEC1_REG0_TileDescriptor": kind.source | 0x10 | 32 << 16,
             "THCON_SEC0_REG5_Tile_x_dim_cntx0": 32,
             "THCON_SEC1_REG3_Base_address": (IN0 + second) // 16 - 1}
    for which in (0, 1):
        setup["UNP%d_ADDR_CTRL_ZW_REG_1_Zstride" % which] = 32 * (4 if kind.source == m.FP32 else 2)
    return words, setup


def fast_math(kind, unit, units):
    """Upper faces to the first half of the bank, lower ones to the second, rows by turns."""
    math = w.Math("wh")
    half = 128 if kind.wide else 256
    words = []
    for n in range(units):
        if unit == 1:
            words += [math.mova2d(0, 0, 2)] * 3 + [math.mova2d(0, 0, 3)]
            words += [math.mova2d(0, 0, 2)] * 3 + [math.mova2d(0, 0, 0)]
            words.append(w.setrwc(a=1, select="AB"))
        elif unit == 2:
            words += [math.mova2d(0, 0, 2)] * 7 + [math.mova2d(0, 0, 3)]
            words += [math.movb2d_wide(0, 0, four=1, mod=1)] * 15
            words += [math.movb2d_wide(0, 0, four=1, mod=0), w.setrwc(a=1, b=1, select="AB")]
        else:                                       # the offset says where the lower faces go
            upper = [math.mova2d(0, 0, 2)] * 6 + [math.movb2d_wide(0, 0, four=1, mod=1)] * 11
            words += upper + [math.movb2d_wide(0, 0, four=1, mod=1)]
            words += [w.setrwc(a=1, b=1, select="ABD"), w.setc16(MATH_OFFSET, 96 * n + half)]
            words += upper + [math.movb2d_wide(0, 0, four=1, mod=0)]
            words += [w.setrwc(a=1, b=1, select="AB"), w.setc16(MATH_OFFSET, 96 * (n + 1))]
    forward = half - (24 if unit == 1 else 56)
    setup = dict(address_modifier(1, b=4, dst=4), **address_modifier(2, a=8, dst=8))
    setup.update(address_modifier(3, a=8, dst=forward))
    setup.update(address_modifier(0, dst=1024 - half + (8 if unit == 1 else 4)))
    return words, setup


MATH_OFFSET = 1     # DEST_TARGET_REG_CFG_MATH_Offset of Wormhole


def fast_pack(unit, units, tile_bytes):
    """A row of each face an instruction; addresses are counted up while the packers work."""
    address, step = 16, 17
    words = pack_modifiers("wh", 2 if unit == 1 else 4, 0x12, 0x06, 0x20)
    words += w.set_gpr(address, 0x80000000 | (OUT // 16 - 1)) + w.set_gpr(step, tile_bytes // 16)
    words += [w.setadcxy(w.PACKERS), w.setadczw(w.PACKERS), w.setadcxx(w.PACKERS, 15),
              w.semwait_above_zero(SEMAPHORE, w.BLOCK_PACK)]
    row = 2 if unit == 3 else 0
    on = [w.adddmareg(address, address, step), w.reg2flop(address, 57)]
    for _ in range(units):
        for tile in range(unit):
            last = tile == unit - 1
            words += [w.pacr(15, mod=row)] * 15 + [w.pacr(15, mod=row, last=1)]
            words += [w.incadczw(w.PACKERS, z0=2 * unit)] if last else []
            words += on + [w.pacr(15, mod=3 if last else 1, flush=1)]
    return words


def fast_tilize(vectors, chip):
    for kind in (BF16, BF16_BFP8, FP32) if chip == "wh" else ():
        for unit, units in ((1, 1), (1, 2), (2, 2), (3, 1)):
            # One tile at a time goes down the matrix, more go along it.
            x = random_patterns(kind, (64, 32) if units > unit else (32, 32 * unit * units))
            tiles = unit * units
            unpack, unpack_setup = fast_unpack(kind, unit, units, x.shape[1] // 32)
            moves, math_setup = fast_math(kind, unit, units)
            setup = dict(unpack_config(kind), **math_config(kind))
            setup.update(pack_config(chip, kind))
            setup.update(unpack_setup, **math_setup)
            for i, offset in enumerate((0, 1, 128, 129) if kind.wide else (0, 1, 256, 257)):
                setup["DEST_TARGET_REG_CFG_PACK_SEC%d_Offset" % i] = offset
            dst = m.to_dst(m.operand(x, kind.source), kind.style(chip))
            places = [(32 * t, 0) if units > unit else (0, 32 * t) for t in range(tiles)]
            want = [out(kind, dst[i:i + 32, j:j + 32]) for i, j in places]
            vectors.add("fast tilize, %d times %d, %s" % (units, unit, kind.name), chip, setup,
                        [UNPACK_BEGIN + unpack, MATH_BEGIN + moves + math_done(chip),
                         fast_pack(unit, units, len(want[0]))],
                        {IN0: m.encode(x.reshape(-1), kind.source)}, {OUT: b"".join(want)})


# ---- Blackhole's fast tilize (R6): sixteen rows of Dst for each row of eight tiles ----

def fast_tilize_bh(vectors, chip):
    """The packer takes four rows, sixteen apart, an instruction; W goes from tile to tile."""
    math = w.Math("bh")
    address, step = 16, 17
    for kind in (BF16, BF16_BFP8) if chip == "bh" else ():
        x = random_patterns(kind, (32, 256))
        unpack, moves = [w.setadcxx(w.A, 1023)], []
        for _ in range(8):                          # four rows of 256 data fill a bank
            unpack += [w.unpacr(0, z0=1)] + w.clear_and_hand_over(chip, 1)
            moves += [math.mova2d(0, 0, 0)] * 8 + [w.setrwc(a=1, b=1, select="AB")]
        dst = m.to_dst(m.operand(x, kind.source), kind.style(chip))
        want = [out(kind, dst[:, 32 * t:32 * t + 32]) for t in range(8)]
        words = pack_modifiers(chip, 0x0001, 0x2020, 0x2014, 0x1010)
        words += w.set_gpr(address, 0x80000000 | (OUT // 16 - 1))
        words += w.set_gpr(step, len(want[0]) // 16)
        words += [w.setadcxy(w.PACKERS), w.setadczw(w.PACKERS), w.setadcxx(w.PACKERS, 15),
                  w.semwait_above_zero(SEMAPHORE, w.BLOCK_PACK)]
        for _ in range(8):
            for mod in (3, 2, 3, 1):                # right face, lower half, right face, next tile
                words += [w.pacr(0, strided=1)] * 3
                words.append(w.pacr(0, mod=mod, strided=1, last=int(mod == 1)))
            words += [w.addrcrzw(w.PACKERS, w0=1), w.adddmareg(address, address, step),
                      w.stallwait(w.BLOCK_CFG, w.WAIT_THCON), w.wrcfg(address, 69), w.NOP]
        setup = dict(unpack_config(kind), **math_config(kind))
        setup.update(pack_config(chip, kind), **address_modifier(0, a=8, dst=8))
        setup.update({"THCON_SEC0_REG0_TileDescriptor_1": 8 << 16 | 1,
                      "THCON_SEC0_REG5_Tile_x_dim_cntx0": 1024,
                      "DEST_ACCESS_CFG_remap_addrs": 1, "DEST_ACCESS_CFG_swizzle_32b": 1,
                      "PCK0_ADDR_CTRL_XY_REG_0_Ystride": 64 * 32,
                      "PCK0_ADDR_CTRL_ZW_REG_0_Zstride": 32,
                      "PCK0_ADDR_CTRL_ZW_REG_0_Wstride": 64})
        vectors.add("fast tilize, %s" % kind.name, chip, setup,
                    [UNPACK_BEGIN + unpack, MATH_BEGIN + moves + math_done(chip), words],
                    {IN0: m.encode(x.reshape(-1), kind.source)}, {OUT: b"".join(want)})


# ---- Blackhole's fast untilize (R7): four faces beside each other, an instruction a row ----

def fast_untilize(vectors, chip):
    """Upper faces stand in rows 128 to 255 of Dst, lower ones below; tiles two by two. A chunk as
    wide as the matrix is one stream; of a wider one each row is closed, and Y of channel 1 goes to
    the next."""
    math = w.Math("bh")
    for kind in (BF16, FP32) if chip == "bh" else ():
        for tiles, across in ((4, 4), (3, 3), (2, 2), (4, 8), (3, 7)):
            x = Tiles(kind, 1, tiles)
            moves = []
            for tile in range(tiles):
                for face in range(4):
                    row = 128 * (face < 2) + 32 * tile + 16 * (face & 1)
                    moves += [math.mova2d(0, row, 0), math.mova2d(0, row + 8, 1),
                              w.setrwc(a=1, b=1, select="AB")]
            row_bytes = 32 * across * kind.out_size()
            setup = dict(unpack_config(kind), **math_config(kind))
            setup.update(pack_config(chip, kind), **address_modifier(0, a=8),
                         **address_modifier(1, flags="a0"))
            n = 4 if kind.pack == m.FP32 else 2
            setup.update({"DEST_ACCESS_CFG_remap_addrs": 1, "DEST_ACCESS_CFG_swizzle_32b": 1,
                          "PCK0_ADDR_CTRL_ZW_REG_0_Zstride": 64 * 16 * n,
                          "PCK0_ADDR_CTRL_XY_REG_1_Ystride": row_bytes if across > tiles else 0})
            dst = m.to_dst(x.operand, kind.style(chip))
            flat = m.late(m.early(dst, kind.wide, kind.pack), kind.pack, kind.target)
            rows = [m.encode(row, kind.target) for row in flat]
            gap = b"\x5a" * (row_bytes - len(rows[0]))
            vectors.add("fast untilize, %d of %d tiles, %s" % (tiles, across, kind.name), chip,
                        setup,
                        [UNPACK_BEGIN + sum(([w.unpacr(0, z0=1)] + w.clear_and_hand_over(chip, 1)
                                             for _ in range(4 * tiles)), []),
                         MATH_BEGIN + moves + math_done(chip),
                         fast_untilize_pack(tiles, across > tiles)],
                        {IN0: x.raw, OUT: (bytes(len(rows[0])) + gap) * 32},
                        {OUT: b"".join(row + gap for row in rows)})


def fast_untilize_pack(tiles, strided_rows):
    close = int(strided_rows)
    words = pack_modifiers("bh", 0x1000, 0x2001 | close << 6)
    words += [w.setadcxy(w.PACKERS), w.setadczw(w.PACKERS), w.setadcxx(w.PACKERS, 15),
              w.semwait_above_zero(SEMAPHORE, w.BLOCK_PACK)]
    for phase in (0, 1):
        words += set_config([(180, 128 * (1 - phase))], w.wait_pack("bh"), "bh")
        words += [w.setadcxy(w.PACKERS, mask=3), w.setadczw(w.PACKERS, mask=5)]
        for row in range(16):
            last = close or int(phase == 1 and row == 15)
            if tiles > 2:
                words.append(w.pacr(0, mod=0, strided=1))
            words.append(w.pacr(3 if tiles == 3 else 0, mod=1, strided=1, last=last))
    return words


RECIPES = (fast_tilize, fast_tilize_bh, fast_untilize, broadcast_copy, small_faces,
           matmul_reuse, dest_reuse, change_formats)
