# SPDX-License-Identifier: Apache-2.0
"""A host that writes to L1 when it has been told that nobody reads there any more:

order_told.py DOOR word ELF OTHER   tile (1, 2) has said so in L1, of tile (2, 2) that runs OTHER
order_told.py DOOR memory ELF       tile (1, 2) has said so in the host's own memory

or that reads a result when it has been told that it is there:

order_told.py DOOR result ELF       of tile (1, 2), in DRAM
"""

import ctypes
import struct
import sys

from order_host import HELD, HERE, LOADED, NEIGHBOUR, NONE, RESET, RESULT, RUNS, THERE, TILE
from order_host import Door, code

FLAG = 0x1F000


def load(chip, tile, path):
    program, entry = code(path)
    to = LOADED + entry
    jump = (to >> 12 & 0xFF) << 12 | (to >> 11 & 1) << 20 | (to >> 1 & 0x3FF) << 21 | 0x6F
    program += bytes(-len(program) % 4)
    chip.store(tile, RESET, [HELD])
    chip.store(tile, 0, [jump])
    chip.store(tile, LOADED, struct.unpack(f"<{len(program) // 4}I", program))
    for at in (HERE, THERE, 0x22000):
        chip.store(tile, at, [1] * 16)
    chip.store(tile, FLAG, [0])
    chip.store(tile, RESULT, [NONE])


def until(chip, ended):
    for _ in range(100000):
        if ended():
            return
        chip.library.libttsim_clock(1)
    raise SystemExit("the program does not end")


def main():
    chip = Door(sys.argv[1])
    told = []
    size = ctypes.c_uint32
    reads = ctypes.CFUNCTYPE(None, ctypes.c_uint64, ctypes.c_void_p, size)(lambda *_: None)
    writes = ctypes.CFUNCTYPE(None, ctypes.c_uint64, ctypes.c_void_p, size)(
        lambda address, data, count: told.append((address, count))
    )
    chip.library.libttsim_set_pci_dma_mem_callbacks(reads, writes)
    tiles = [TILE, NEIGHBOUR][: len(sys.argv) - 3]
    for tile, path in zip(tiles, sys.argv[3:]):
        load(chip, tile, path)
    for tile in tiles:
        chip.store(tile, RESET, [RUNS])
    if sys.argv[2] == "word":
        until(chip, lambda: chip.load(TILE, RESULT) != NONE)
        chip.store(NEIGHBOUR, THERE, [2] * 16)
    elif sys.argv[2] == "result":
        until(chip, lambda: chip.load(TILE, RESULT) != NONE)
        out = ctypes.create_string_buffer(256)
        chip.library.libttsim_tile_rd_bytes(0, 0, 0x100000, out, len(out))
    else:
        until(chip, lambda: told == [(0x1000, 64)])
        chip.store(TILE, HERE, [2] * 16)
    until(chip, lambda: all(chip.load(tile, RESULT) != NONE for tile in tiles))
    chip.library.libttsim_clock(1000)
    chip.close()


main()
