#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""slowed_check.py TENSIX TILE.INC: eight tiles go through unpacker, math units and packer, one of
which is made slower by construction. Where that makes the run longer, it is what the profile
must name: a unit that holds a result which nobody takes is not the cause."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

TILES = 8
PROGRAM = """.include "tile.inc"
.thread unpack
.init
    a_from 0x10000
    b_zeros
{throttle}
.tile
    unpack_begin
.rept 32
    unpack_a
    zero_b
.endr
.thread math
.init
    operands
.tile
tile = 0
.rept 8
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
    ttseminit 2, 0, p_stall::SEMAPHORE_1
.tile
    pack_begin
tile = 0
.rept 8
    ttsemwait p_stall::STALL_PACK, p_stall::SEMAPHORE_1, p_stall::STALL_ON_ZERO
.rept {packs}
    pack_next 8 * (tile & 1), 0x20000 + 2048 * tile
    pack_tile
.endr
    pack_end
tile = tile + 1
.endr
"""


def program(unit, n):
    words = []
    if unit == "matrix":
        words = [f"    ttmova2d 0, {8 * (i % 2)}, 0, 2, 16 * face + {8 * (i % 2)}"
                 for i in range(n)]
    elif unit == "vector":
        words = [f"    sfpmad L{4 + i % 4}, L1, L2, L3, 0" for i in range(n)]
    throttle = "    .setcfg THCON_SEC0_REG2_Throttle_mode, 0" if unit == "unpack" else ""
    return PROGRAM.format(throttle=throttle, math="\n".join(words),
                          packs=n if unit == "pack" else 1)


def profile(tensix, chip, text, folder):
    path = folder / "k.s"
    path.write_text(text)
    done = subprocess.run(
        [tensix, "run", str(path), "--arch", chip, "--l1", f"0x10000={folder / 'x.bin'}",
         "--profile", "--json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def main():
    tensix, include = sys.argv[1:]
    longer = wrong = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "tile.inc").write_text(Path(include).read_text())
        (folder / "x.bin").write_bytes(b"\x80\x3f" * 1024 * TILES)
        for chip in ("bh", "wh"):
            plain = profile(tensix, chip, program("none", 0), folder)
            for unit, many in (("pack", (2, 3, 4, 6, 8)), ("unpack", (1,)),
                               ("matrix", (8, 12, 16, 32, 64)), ("vector", (16, 32, 64, 128))):
                for n in many:
                    slow = profile(tensix, chip, program(unit, n), folder)
                    if slow["cycles"] <= plain["cycles"] * 1.1:
                        continue
                    longer += 1
                    if slow["bound"] != unit:
                        wrong += 1
                        print(f"{chip}, {unit} slowed {n}: {slow['cycles']} cycles,"
                              f" bound by {slow['bound']}; {slow['change']}")
    print(f"{longer} programs are longer, {wrong} are named wrongly")
    sys.exit(longer < 20 or wrong > longer // 50)


main()
