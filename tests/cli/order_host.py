# SPDX-License-Identifier: Apache-2.0
"""A host that runs a program on core B of tile (1, 2): order_host.py door LIBRARY ELF | card ELF

It fills 16 words of that tile with 1 and of its neighbour (2, 2) with 2, waits until the program
has stored its result at 0x3C000, and prints this. As a pytest file it does so in each of two tests,
the programs of which TENSIX_TEST_ELVES names.
"""

import ctypes
import os
import struct
import sys
from pathlib import Path

LOADED, RESET, HELD, RUNS = 0xA000, 0xFFB121B0, 0x47800, 0x47000
HERE, THERE, RESULT, NONE = 0x20000, 0x24000, 0x3C000, 0xFFFFFFFF
TILE, NEIGHBOUR = (1, 2), (2, 2)


def code(path):
    """The executable segment of an ELF file, and how far into it the program begins."""
    data = Path(path).read_bytes()
    entry, table = struct.unpack_from("<II", data, 24)
    size, count = struct.unpack_from("<HH", data, 42)
    for i in range(count):
        kind, at, address, _, length, _, flags, _ = struct.unpack_from(
            "<8I", data, table + i * size
        )
        if kind == 1 and flags & 1:
            return data[at : at + length], entry - address
    raise SystemExit(f"no code in {path}")


class Door:
    """The chip behind the door; it runs while the host lets it."""

    def __init__(self, library):
        self.library = ctypes.CDLL(library)
        kinds = [ctypes.c_uint32, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_char_p]
        self.library.libttsim_tile_wr_bytes.argtypes = [*kinds, ctypes.c_uint32]
        self.library.libttsim_tile_rd_bytes.argtypes = [*kinds, ctypes.c_uint32]
        self.library.libttsim_init()

    def store(self, tile, address, words):
        data = struct.pack(f"<{len(words)}I", *words)
        self.library.libttsim_tile_wr_bytes(*tile, address, data, len(data))

    def load(self, tile, address):
        out = ctypes.create_string_buffer(4)
        self.library.libttsim_tile_rd_bytes(*tile, address, out, 4)
        self.library.libttsim_clock(1)
        return struct.unpack("<I", out.raw)[0]

    def close(self):
        self.library.libttsim_exit()


class Card:
    """A card as the system's driver shows it."""

    def __init__(self):
        sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "kit"))
        from tensix_kit.device import Device

        self.device = Device()
        self.window = self.device.window()

    def store(self, tile, address, words):
        for i, word in enumerate(words):
            self.window.store(*tile, address + 4 * i, word)

    def load(self, tile, address):
        return self.window.load(*tile, address)

    def close(self):
        self.device.close()


def result_of(chip, path):
    """Runs a program and returns its result."""
    program, entry = code(path)
    to = LOADED + entry
    jump = (to >> 12 & 0xFF) << 12 | (to >> 11 & 1) << 20 | (to >> 1 & 0x3FF) << 21 | 0x6F
    program += bytes(-len(program) % 4)
    chip.store(TILE, RESET, [HELD])
    chip.store(TILE, 0, [jump])
    chip.store(TILE, LOADED, struct.unpack(f"<{len(program) // 4}I", program))
    chip.store(TILE, HERE, [1] * 16)
    chip.store(NEIGHBOUR, THERE, [2] * 16)
    chip.store(TILE, RESULT, [NONE])
    chip.store(TILE, RESET, [RUNS])
    for _ in range(100000):
        value = chip.load(TILE, RESULT)
        if value != NONE:
            return value
    raise SystemExit("the program does not end")


def run(chip, path):
    value = result_of(chip, path)
    for _ in range(10):
        chip.load(TILE, RESULT)  # what follows the result ends, too
    chip.close()
    return value


def test_first():
    assert run(Card(), os.environ["TENSIX_TEST_ELVES"].split(":")[0]) is not None


def test_second():
    assert run(Card(), os.environ["TENSIX_TEST_ELVES"].split(":")[1]) is not None


if __name__ == "__main__":
    print(run(Door(sys.argv[2]) if sys.argv[1] == "door" else Card(), sys.argv[-1]))
