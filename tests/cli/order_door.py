# SPDX-License-Identifier: Apache-2.0
"""A host that loads a program by itself, elsewhere than it was linked:

order_door.py DOOR ELF WORD [again]

Its code goes to 0xA000 of tile (1, 2), a jump there to address 0, and core B leaves reset. The end
is seen where the program has stored WORD's address. With "again" the core is held before that has
been looked at, all is written anew, and it runs once more.
"""

import ctypes
import struct
import sys

LOADED, RESET, HELD, RUNS = 0xA000, 0xFFB121B0, 0x47800, 0x47000


def code(path):
    """The executable segment of an ELF file, and how far into it the program begins."""
    data = open(path, "rb").read()
    entry, table = struct.unpack_from("<II", data, 24)
    size, count = struct.unpack_from("<HH", data, 42)
    for i in range(count):
        head = struct.unpack_from("<8I", data, table + i * size)
        kind, at, address, _, length, _, flags, _ = head
        if kind == 1 and flags & 1:
            return data[at : at + length], entry - address
    raise SystemExit("no code in " + path)


def main():
    door, words = ctypes.CDLL(sys.argv[1]), int(sys.argv[3], 0)
    door.libttsim_tile_wr_bytes.argtypes = [
        ctypes.c_uint32,
        ctypes.c_uint32,
        ctypes.c_uint64,
        ctypes.c_char_p,
        ctypes.c_uint32,
    ]
    door.libttsim_tile_rd_bytes.argtypes = door.libttsim_tile_wr_bytes.argtypes
    x, y = 1, 2

    def write(address, data):
        door.libttsim_tile_wr_bytes(x, y, address, data, len(data))

    def word(address):
        out = ctypes.create_string_buffer(4)
        door.libttsim_tile_rd_bytes(x, y, address, out, 4)
        return struct.unpack("<I", out.raw)[0]

    door.libttsim_init()
    program, entry = code(sys.argv[2])
    to = LOADED + entry
    jump = (to >> 12 & 0xFF) << 12 | (to >> 11 & 1) << 20 | (to >> 1 & 0x3FF) << 21 | 0x6F
    for turn in range(2 if "again" in sys.argv else 1):
        write(RESET, struct.pack("<I", HELD))
        write(0, struct.pack("<I", jump))
        write(LOADED, program)
        for i in range(64):
            write(0x24000 + 4 * i, struct.pack("<I", 1))
            write(0x20000 + 4 * i, struct.pack("<I", 1))
        write(words, struct.pack("<I", 0xFFFFFFFF))
        write(RESET, struct.pack("<I", RUNS))
        door.libttsim_clock(1000)
    for _ in range(1000):
        if word(words) != 0xFFFFFFFF:
            break
        door.libttsim_clock(1)
    else:
        raise SystemExit("the program does not end")
    door.libttsim_clock(1)
    door.libttsim_exit()


main()
