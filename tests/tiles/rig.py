# SPDX-License-Identifier: Apache-2.0
"""What recipes are made of: formats, data, the set-up of unpackers, Matrix Unit and packers as
tt-llk programs it (spec/unpack.md 14.1, spec/pack.md R0 to R2), and vectors of three threads."""
import json
import os
import re

import model as m
import numpy as np
import words as w

IN0, IN1, OUT = 0x10000, 0x20000, 0x40000
RANDOM = np.random.default_rng(12)
SEMAPHORE = 1


class Kind:
    """What a kernel is configured for: L1 to Src to Dst to L1."""

    def __init__(self, name, source, register, wide, pack, target, integer=False):
        self.name, self.source, self.register = name, source, register
        self.wide, self.pack, self.target, self.integer = wide, pack, target, integer
        self.eight = register not in (m.FP16, m.INT8)

    def style(self, chip):
        return m.Style(self.eight, self.wide, chip == "wh")

    def operand(self, patterns):
        return m.operand(patterns, self.source)

    def size(self):
        return {m.FP32: 4, m.INT32: 4, m.FP16: 2, m.BF16: 2}.get(self.source, 1)

    def out_size(self):
        return {m.FP32: 4, m.INT32: 4, m.FP16: 2, m.BF16: 2}.get(self.target, 1)


BF16 = Kind("BF16", m.BF16, m.BF16, False, m.BF16, m.BF16)
BF16_WIDE = Kind("BF16 with FP32 Dst", m.BF16, m.BF16, True, m.BF16, m.BF16)
BF16_LATE = Kind("BF16 with FP32 Dst, FP32 out", m.BF16, m.BF16, True, m.FP32, m.FP32)
FP16 = Kind("FP16", m.FP16, m.FP16, False, m.FP16, m.FP16)
FP16_WIDE = Kind("FP16 with FP32 Dst", m.FP16, m.FP16, True, m.FP32, m.FP16)
FP32 = Kind("FP32", m.FP32, m.TF32, True, m.FP32, m.FP32)
FP32_16 = Kind("FP32 to FP16", m.FP32, m.TF32, True, m.FP32, m.FP16)
BFP8 = Kind("BFP8_b", m.BFP8, m.BFP8, False, m.BF16, m.BFP8)
BFP8_BF16 = Kind("BFP8_b to BF16", m.BFP8, m.BFP8, False, m.BF16, m.BF16)
BFP8_WIDE = Kind("BFP8_b with FP32 Dst", m.BFP8, m.BFP8, True, m.FP32, m.BFP8)
BFP8_E8M6 = Kind("BFP8_b rounded to six bits", m.BFP8, m.BFP8, False, m.BFP8, m.BFP8)
BF16_BFP8 = Kind("BF16 to BFP8_b", m.BF16, m.BF16, False, m.BF16, m.BFP8)
INT8 = Kind("INT8", m.INT8, m.INT8, True, m.INT8, m.INT8, integer=True)
INT8_32 = Kind("INT8 to INT32", m.INT8, m.INT8, True, m.INT32, m.INT32, integer=True)
FLOATS = (BF16, BF16_WIDE, BF16_LATE, FP16, FP16_WIDE, FP32, FP32_16, BFP8, BFP8_BF16, BFP8_WIDE,
          BFP8_E8M6, BF16_BFP8)
ALL = FLOATS + (INT8, INT8_32)


# ---- data ----

def random_patterns(kind, shape, spread=4):
    """Ordinary numbers, all bits in use; a few zeros among them."""
    sign = RANDOM.integers(0, 2, shape)
    if kind.source == m.INT8:
        return m.ints(sign << 7 | RANDOM.integers(0, 128, shape))
    eight = kind.source != m.FP16
    bias, bits = (127, 7) if eight else (15, 10)
    exponent = RANDOM.integers(bias - spread, bias + spread, shape)
    fraction = RANDOM.integers(0, 1 << bits, shape)
    x = m.ints(sign << 15 | exponent << bits | fraction)
    x = np.where(RANDOM.integers(0, 40, shape) == 0, 0, x)
    if kind.source == m.FP32:
        x = np.where(x, x << 16 | RANDOM.integers(0, 1 << 16, shape), 0)
    return x


class Tiles:
    """An array of whole tiles: its bytes in L1, and what the unpacker makes of them."""

    def __init__(self, kind, tiles_down=1, tiles_across=1, spread=4):
        x = random_patterns(kind, (32 * tiles_down, 32 * tiles_across), spread)
        self.raw, seen = b"", np.zeros_like(x)
        for i in range(0, x.shape[0], 32):
            for j in range(0, x.shape[1], 32):
                data = m.faces(x[i:i + 32, j:j + 32])
                raw = m.encode(data, kind.source)
                seen[i:i + 32, j:j + 32] = m.unfaces(m.decode(raw, kind.source))
                self.raw += raw
        self.patterns = seen
        self.operand = m.operand(seen, m.BF16 if kind.source == m.BFP8 else kind.source)


# ---- set-up (unpack.md 14.1, pack.md R0 to R2) ----

def unpack_config(kind, haloize=0):
    strides = {m.FP32: 4, m.TF32: 4, m.INT32: 4, m.FP16: 2, m.BF16: 2}.get(kind.register, 1)
    config = {}
    for n, base in ((0, IN0), (1, IN1)):
        section = "THCON_SEC%d_" % n
        config.update({
            section + "REG0_TileDescriptor": kind.source | 0x10 | (256 << 16 if n else 0),
            section + "REG0_TileDescriptor_1": 4 << 16 | 1,
            section + "REG2_Out_data_format": kind.register,
            section + "REG2_Throttle_mode": 2,
            section + "REG2_Disable_zero_compress_cntx0": 1,
            section + "REG2_Disable_zero_compress_cntx1": 1,
            section + "REG3_Base_address": base // 16 - 1,
            "UNP%d_ADDR_CTRL_ZW_REG_1_Zstride" % n: 256 * strides,
        })
    config.update({
        "THCON_SEC0_REG2_Haloize_mode": haloize,
        "THCON_SEC0_REG5_Dest_cntx0_address": 64,
        "THCON_SEC0_REG5_Dest_cntx1_address": 64,
        "THCON_SEC0_REG5_Tile_x_dim_cntx0": 256,
        "THCON_SEC0_REG5_Tile_x_dim_cntx1": 256,
        "SRCA_SET_SetOvrdWithAddr": 1,
        "UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr": 1,
    })
    return config


def math_config(kind):
    return {"ALU_FORMAT_SPEC_REG0_SrcA": kind.register, "ALU_FORMAT_SPEC_REG1_SrcB": kind.register,
            "ALU_ACC_CTRL_Fp32_enabled": int(kind.wide and not kind.integer),
            "ALU_ACC_CTRL_INT8_math_enabled": int(kind.integer)}


def address_modifier(section, a=0, b=0, dst=0, fidelity=0, flags=""):
    """flags: ac, bc, dc carriage return; a0, b0, d0, f0 clear."""
    fields = {"AB_SEC%d_SrcAIncr": a, "AB_SEC%d_SrcBIncr": b, "DST_SEC%d_DestIncr": dst,
              "DST_SEC%d_FidelityIncr": fidelity}
    names = {"ac": "AB_SEC%d_SrcACR", "bc": "AB_SEC%d_SrcBCR", "dc": "DST_SEC%d_DestCR",
             "a0": "AB_SEC%d_SrcAClear", "b0": "AB_SEC%d_SrcBClear", "d0": "DST_SEC%d_DestClear",
             "f0": "DST_SEC%d_FidelityClear"}
    fields.update({names[f]: 1 for f in flags.split()})
    return {"ADDR_MOD_" + name % section: value for name, value in fields.items() if value}


def pack_modifiers(chip, *values):
    """SETC16 of ADDR_MOD_PACK_SEC0 and the next ones."""
    return [w.setc16((37 if chip == "bh" else 31) + i, value) for i, value in enumerate(values)]


WH_SECTIONS = ("SEC0_REG1", "SEC0_REG8", "SEC1_REG1", "SEC1_REG8")


def is_block(target):
    return target == m.BFP8


def pack_config(chip, kind, address=OUT):
    """R0, and R1 (Blackhole) or R2 (Wormhole)."""
    n = {m.FP32: 4, m.INT32: 4, m.FP16: 2, m.BF16: 2}.get(kind.pack, 1)
    units = {4: 4, 2: 2, 1: 1}[kind.out_size()]
    config = {"ALU_FORMAT_SPEC_REG2_Dstacc": kind.pack,
              "PCK_DEST_RD_CTRL_Read_32b_data": int(kind.wide),
              "PCK_EDGE_OFFSET_SEC0_mask": 0xFFFF,
              "PCK0_ADDR_CTRL_XY_REG_0_Ystride": 16 * n,
              "PCK0_ADDR_CTRL_ZW_REG_0_Zstride": 256 * n,
              "PCK0_ADDR_CTRL_ZW_REG_0_Wstride": 1024 * n}
    for i, section in enumerate(WH_SECTIONS if chip == "wh" else WH_SECTIONS[:1]):
        base = i - 1 if is_block(kind.target) else i * 16 * units - 1
        config.update({
            "THCON_%s_Disable_zero_compress" % section: 1,
            "THCON_%s_In_data_format" % section: kind.pack,
            "THCON_%s_Out_data_format" % section: kind.target,
            "THCON_%s_Exp_section_size" % section:
                (4, 19, 34, 49)[i] if is_block(kind.target) else 0 if kind.target == m.INT8 else 4,
            "THCON_%s_L1_Dest_addr" % section:
                0x80000000 | (address // 16 - 1) if i == 0 else base,
            "PACK_COUNTERS_SEC%d_pack_reads_per_xy_plane" % i: 16,
        })
    if chip == "wh":
        config["PCK0_ADDR_CTRL_XY_REG_0_Xstride"] = n
        config.update({"DEST_TARGET_REG_CFG_PACK_SEC%d_Offset" % i: 16 * i for i in range(1, 4)})
    return config


UNPACK_BEGIN = [w.setadcxy(w.AB), w.setadczw(w.AB), w.setadcxx(w.AB, 255)]


def math_done(chip):
    return [w.stallwait(w.BLOCK_SYNC, w.wait_math(chip)), w.sempost(SEMAPHORE)]


MATH_BEGIN = [w.seminit(SEMAPHORE, 2)]


def pack_tile(chip):
    """R1, R2: what a tile takes once Dst is full."""
    words = pack_modifiers(chip, *((0x0104, 0x2820, 0x1120) if chip == "bh" else
                                   (0x004F, 0x0820, 0x0020)))
    words += [w.setadcxy(w.PACKERS), w.setadczw(w.PACKERS),
              w.setadcxx(w.PACKERS, 15 if chip == "bh" else 255),
              w.semwait_above_zero(SEMAPHORE, w.BLOCK_PACK)]
    if chip == "bh":
        words += ([w.pacr(0)] * 3 + [w.pacr(0, mod=2)]) * 3 + [w.pacr(0)] * 3
        words += [w.pacr(0, mod=1, last=1), w.setadczw(w.PACKERS, mask=5)]
    else:
        words += [w.pacr(15, mod=2, flush=1), w.pacr(15, mod=1, last=1, concat=1)]
    return words + [w.stallwait(w.BLOCK_SYNC, w.wait_pack(chip)), w.semget(SEMAPHORE)]


# ---- the vectors ----

class Vectors:
    def __init__(self):
        self.lines = []

    def add(self, name, chip, config, threads, l1, want):
        """threads: words of unpack, math, pack; l1 and want: address to bytes."""
        before = {"%x" % at: data.hex() for at, data in l1.items()}
        after = dict(before)
        after.update({"%x" % at: data.hex() for at, data in want.items()})
        self.lines.append(json.dumps({
            "name": "%s %s" % (chip, name), "arch": {"bh": "blackhole", "wh": "wormhole_b0"}[chip],
            "format": 1,
            "programs": {str(t): ["%08x" % word for word in words]
                         for t, words in enumerate(threads)},
            "initial": {"config": config, "l1": before}, "final": {"l1": after}}))

    def kernel(self, name, chip, kind, parts, tiles, want, config=None):
        """A kernel of one tile in Dst: parts are the words of unpack and math."""
        setup = dict(unpack_config(kind), **math_config(kind))
        setup.update(pack_config(chip, kind))
        setup.update(config or {})
        l1 = {at: tile.raw for at, tile in zip((IN0, IN1), tiles)}
        l1[OUT - 16] = b"\xa5" * (16 + len(want) + 16)      # what must not be touched is seen
        after = {OUT - 16: b"\xa5" * 16 + want + b"\xa5" * 16}
        threads = [UNPACK_BEGIN + parts[0], MATH_BEGIN + parts[1] + math_done(chip),
                   pack_tile(chip)]
        self.add("%s, %s" % (name, kind.name), chip, setup, threads, l1, after)


def kernel_text(vector):
    """A vector's programs and configuration as a kernel file."""
    lines = [[], [], []]
    text = [".arch " + vector["arch"]]
    words = {}                  # of thread configuration: fields that are written together
    for name, value in vector["initial"]["config"].items():
        if name == "DBG_FEATURE_DISABLE":
            text.append(".config %s, %d" % (name, value))
            continue
        section = re.match("ADDR_MOD_(AB|DST)_SEC[0-9]", name)
        thread = w.UNPACK if name.startswith("SRCA_SET") else w.MATH
        words.setdefault((thread, section.group(0) if section else name), []).append(
            "%s, %d" % (name, value))
    for (thread, _), fields in words.items():
        lines[thread].append(".setcfg " + ", ".join(fields))
    for thread, setup in enumerate(lines):
        text += [".thread %d" % thread, ".init"] + setup + [".tile"]
        text += [".word 0x" + word for word in vector["programs"][str(thread)]]
    return "\n".join(text) + "\n"


def write_kernel(vector, folder, number):
    """Files for tensix run; the arguments for them."""
    path = os.path.join(folder, "%d.s" % number)
    with open(path, "w", encoding="ascii") as file:
        file.write(kernel_text(vector))
    arguments = [path]
    for address, data in vector["initial"]["l1"].items():
        at = int(address, 16)
        name = os.path.join(folder, "%d.%x.bin" % (number, at))
        with open(name, "wb") as file:
            file.write(bytes.fromhex(data))
        arguments += ["--l1", "0x%x=%s" % (at, name)]
    return " ".join(arguments)


def out(kind, dst):
    """A 32x32 array of Dst as the packer writes it."""
    return m.pack(m.faces(dst), kind.wide, kind.pack, kind.target)


def zeros(kind, shape=(32, 32)):
    return np.zeros(shape, np.int64)
