#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""constructed.py TENSIX TILE.INC [all]: programs with one bottleneck, by construction.

Tiles go through unpacker, Matrix Unit, Vector Unit and packer. One stage has so much to do that the
others wait for it, or the core that feeds a thread is slow. What the profile names must be the unit
whose removal saves most when each of the five is removed by --pace UNIT=none in a run of its own,
and the saving that it prints must be that of this run. Without "all" every twelfth program runs."""

import itertools
import json
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

UNITS = {"unpack": "unpack", "matrix": "matrix", "vector": "vector", "pack": "pack",
         "delivery": "cores"}
TEXT = """.include "tile.inc"
.thread unpack
.init
    a_from 0x10000
    b_zeros
.tile
    unpack_begin
.rept {faces}
    zero_b                                  # before SrcA: that is what the Matrix Unit waits for
.rept {unpack}
    TTI_UNPACR(p_unpacr_nop::UNP0, 0, 0, 0, 0, 1, 0, p_unpacr::RAREFYB_DISABLE, 0, 0, 0, 0, 1)
.endr
    unpack_a
.endr
.thread math
.init
    operands
    ttseminit 2, 0, p_stall::SEMAPHORE_1
.tile
tile = 0
.rept {tiles}
    ttsemwait p_stall::STALL_MATH, p_stall::SEMAPHORE_1, p_stall::STALL_ON_MAX
    .setcfg DEST_TARGET_REG_CFG_MATH_Offset, 512 * (tile & 1)
face = 0
.rept 4
{math}
    copy_face 16 * face
face = face + 1
.endr
    dst_full
tile = tile + 1
.endr
.thread pack
.init
    l1_to 0x20000
.tile
    pack_begin
tile = 0
.rept {tiles}
    ttsemwait p_stall::STALL_PACK, p_stall::SEMAPHORE_1, p_stall::STALL_ON_ZERO
.rept {pack}
    pack_next 8 * (tile & 1), 0x20000 + 2048 * tile
    pack_tile
.endr
    pack_end
tile = tile + 1
.endr
"""


def text(unit, n, tiles, side):
    """side: what else is in the program, without being much of it."""
    matrix = n if unit == "matrix" else side % 4
    vector = n if unit == "vector" else side % 3 * 4
    math = [f"    ttmova2d 0, {8 * (i % 2)}, 0, 2, 16 * face + {8 * (i % 2)}"
            for i in range(matrix)]
    math += [f"    sfpmad L{4 + i % 4}, L1, L2, L3, 0" for i in range(vector)]
    return TEXT.format(faces=4 * tiles, tiles=tiles, math="\n".join(math),
                       unpack=n if unit == "unpack" else 0, pack=n if unit == "pack" else 1)


# ---- programs for the cores: the words of the threads, pushed by them ----

PUSH, TEXT_AT = 0xFFE40000, (0x40000, 0x60000, 0x80000)
A0, T0, T1 = 10, 5, 6


def imm_i(value, rs1, funct, rd, opcode):
    return (value & 0xFFF) << 20 | rs1 << 15 | funct << 12 | rd << 7 | opcode


def load_word(rd, value):
    high = (value + 0x800) >> 12 & 0xFFFFF
    return [high << 12 | rd << 7 | 0x37, imm_i(value & 0xFFF, rd, 0, rd, 0x13)]


def down(count):
    return [imm_i(count, 0, 0, T1, 0x13), imm_i(-1, T1, 0, T1, 0x13), 0xFE031EE3]


def pushes(first, words, delay, every):
    """Pushes the first words, waits until all cores have done so, and pushes the words; in front of
    each "every"th of these counts down from "delay"."""
    code = load_word(A0, PUSH)
    for i, word in enumerate([*first, *words]):
        at = i - len(first)
        code += down(1000) if at == 0 else []
        code += down(delay) if delay and at >= 0 and at % every == 0 else []
        code += load_word(T0, word) + [T0 << 20 | A0 << 15 | 2 << 12 | 0x23]  # sw t0, 0(a0)
    return code + [0x6F]  # jump to itself


def elf(address, code):
    data = struct.pack(f"<{len(code)}I", *code)
    head = struct.pack("<16sHHIIIIIHHHHHH", b"\x7fELF\x01\x01\x01", 2, 243, 1, address, 52, 0, 0,
                       52, 32, 1, 0, 0, 0)
    return head + struct.pack("<IIIIIIII", 1, 84, address, address, len(data), len(data), 7,
                              4) + data


def call(tensix, *arguments):
    done = subprocess.run([tensix, *map(str, arguments)], capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, arguments))}: {done.stderr}{done.stdout}")
    return json.loads(done.stdout)


def core_options(tensix, chip, source, folder, slow, delay, every):
    """The options of tile run for the program; the core of the thread "slow" takes its time."""
    assembled = call(tensix, "asm", source, "--arch", chip, "--json")
    options = []
    for number, name in enumerate(("unpack", "math", "pack")):
        words = [[int(line["word"], 16) for line in assembled[part] if line["thread"] == number]
                 for part in ("init", "tile")]
        late = delay if name == slow else 0
        path = folder / f"{chip}{name}.elf"
        path.write_bytes(elf(TEXT_AT[number], pushes(*words, late, every)))
        options += ["--elf", f"t{number}={path}"]
    return options


class Campaign:
    def __init__(self, tensix, folder):
        self.tensix, self.folder = tensix, folder
        self.count = self.wrong = self.apart = 0

    def judge(self, name, run, cycles):
        """run: options of the program with --profile; cycles(options): what it takes."""
        profile = run()
        saved = {unit: profile["cycles"] - cycles(["--pace", f"{pace}=none"])
                 for unit, pace in UNITS.items() if unit != "delivery" or "core" in name}
        best = max(saved, key=saved.get)
        self.count += 1
        named = profile["bound"]
        if named != best and saved.get(named, 0) < saved[best]:
            self.wrong += 1
            print(f"{name}: named {named}, but {saved} are saved; {profile['change']}")
            return
        printed = profile["cycles"] - profile["again"][0]["none"]
        if abs(printed - saved[best]) > 0.03 * saved[best]:
            self.apart += 1
            print(f"{name}: {printed} printed, {saved[best]} saved")

    def by_threads(self, chip, unit, n, tiles, side):
        path = self.folder / "k.s"
        path.write_text(text(unit, n, tiles, side))
        base = ["run", path, "--arch", chip, "--l1", f"0x10000={self.folder / 'x.bin'}", "--json"]
        self.judge(f"{chip} {unit} {n}, {tiles} tiles, {side}",
                   lambda: call(self.tensix, *base, "--profile"),
                   lambda more: call(self.tensix, *base, "--cycles", *more)["tile_cycles"])

    def by_cores(self, chip, slow, delay, every, tiles):
        path = self.folder / "k.s"
        path.write_text(text("none", 0, tiles, 1))
        base = ["tile", "run", "--arch", chip, "--json", "--l1",
                f"0x10000={self.folder / 'x.bin'}",
                *core_options(self.tensix, chip, path, self.folder, slow, delay, every)]
        self.judge(f"{chip} core of {slow}, {delay} before each {every}, {tiles} tiles",
                   lambda: call(self.tensix, *base, "--profile")["profile"],
                   lambda more: call(self.tensix, *base, *more)["cycles"])


def programs():
    """Parameters of all programs: 12 of each of the four units and chips, 8 of cores."""
    ways = {"unpack": (3, 5, 8), "matrix": (12, 24, 48), "vector": (40, 64, 128),
            "pack": (4, 6, 8)}
    for chip in ("bh", "wh"):
        for unit, many in ways.items():
            for n, tiles, side in itertools.product(many, (4, 8), (0, 5)):
                yield "by_threads", (chip, unit, n, tiles, side)
        for slow, delay, every in (("unpack", 40, 2), ("math", 30, 2), ("pack", 60, 2),
                                   ("math", 90, 5)):
            for tiles in (4, 8):
                yield "by_cores", (chip, slow, delay, every, tiles)


def main():
    tensix, include = sys.argv[1:3]
    every = 1 if sys.argv[3:] == ["all"] else 12
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "tile.inc").write_text(Path(include).read_text())
        (folder / "x.bin").write_bytes(b"\x80\x3f" * 1024 * 8)
        campaign = Campaign(tensix, folder)
        for name, parameters in list(programs())[::every]:
            getattr(campaign, name)(*parameters)
    print(f"{campaign.count} programs, {campaign.wrong} named wrongly, {campaign.apart} savings "
          "other than printed")
    sys.exit(campaign.wrong * 50 > campaign.count or campaign.apart != 0 or campaign.count < 8)


if __name__ == "__main__":
    main()
