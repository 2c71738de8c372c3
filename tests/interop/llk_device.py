# SPDX-License-Identifier: Apache-2.0
"""Runs the ELF files of a test in a library with ttsim's C ABI (spec/tile.md 12.3): ttsim's own, or
the door's. A process of its own, as such a library can be opened once.

llk_device.py LIBRARY CHIP BRISC UNPACK MATH PACK ARGUMENTS INPUT ADDRESS:SIZE OUTPUT
"""

import ctypes
import struct
import sys
from pathlib import Path

SOFT_RESET = 0xFFB121B0
MAILBOXES = 0x1FFB8
COMMAND = 0x1FFC4
INPUT = 0x21000


class Device:
    def __init__(self, library, chip):
        self.lib = ctypes.CDLL(library)
        self.lib.libttsim_pci_config_rd32.restype = ctypes.c_uint32
        for name in ("rd", "wr"):
            function = getattr(self.lib, f"libttsim_pci_mem_{name}_bytes")
            function.argtypes = [ctypes.c_uint64, ctypes.c_void_p, ctypes.c_uint32]
        self.lib.libttsim_init()
        self.base = self.lib.libttsim_pci_config_rd32(0, 0x10) & ~15
        self.base |= self.lib.libttsim_pci_config_rd32(0, 0x14) << 32
        self.bh = chip == "bh"
        self.log2 = 21 if self.bh else 24
        self.offset = 0 if self.bh else 0xB000000

    def window(self, address):
        """One window to the first worker: (x, y) is (1, 2) on Blackhole, (1, 1) on Wormhole."""
        if self.bh:
            value = address >> 21 | 1 << 43 | 2 << 49
            words = struct.pack("<QI", value & (1 << 64) - 1, 0)
            register = self.base + 0x1FC00000
        else:
            words = struct.pack("<Q", address >> 24 | 1 << 12 | 1 << 18)
            register = self.base + 0x1FC00000 + 8 * 166
        for i in range(0, len(words), 4):
            self.lib.libttsim_pci_mem_wr_bytes(register + i, words[i : i + 4], 4)
        return self.base + self.offset + (address & (1 << self.log2) - 1)

    def write(self, address, data):
        self.lib.libttsim_pci_mem_wr_bytes(self.window(address), bytes(data), len(data))

    def read(self, address, size):
        data = ctypes.create_string_buffer(size)
        self.lib.libttsim_pci_mem_rd_bytes(self.window(address), data, size)
        return data.raw

    def word(self, address, value=None):
        if value is None:
            return struct.unpack("<I", self.read(address, 4))[0]
        return self.write(address, struct.pack("<I", value))

    def clock(self, cycles):
        self.lib.libttsim_clock(cycles)


def segments(path):
    """(address, bytes) of the sections that a loader puts into L1, and the entry."""
    data = Path(path).read_bytes()
    entry, _, sections = struct.unpack_from("<III", data, 24)
    size, count, names = struct.unpack_from("<HHH", data, 46)
    headers = [struct.unpack_from("<10I", data, sections + size * i) for i in range(count)]
    named = {}
    for h in headers:
        start = headers[names][4] + h[0]
        named[data[start : data.index(b"\0", start)].decode()] = h
    found = []
    for name, h in named.items():
        if h[1] != 8 and h[2] & 2 and h[5] and h[3] < 0xFFB00000:
            found.append((h[3], data[h[4] : h[4] + h[5]]))
    image = named.get(".ldm_data")
    if image is not None and image[1] != 8:
        found.append((named[".loader_init"][3], data[image[4] : image[4] + image[5]]))
    return entry, found


def main():
    library, chip, brisc, *threads, arguments, given, result, output = sys.argv[1:]
    device = Device(library, chip)
    device.word(SOFT_RESET, device.word(SOFT_RESET) | 0x47800)
    starts = []
    for path in [brisc, *threads]:
        entry, parts = segments(path)
        starts.append(entry)
        for address, data in parts:
            device.write(address, data + bytes(-len(data) % 4))
    for i, start in enumerate(starts[1:]):
        device.word((0xFFB12228 if device.bh else 0x16DFF0) + 4 * i, start)
    if device.bh:
        device.word(0xFFB12234, 7)
    device.write(0x20000, Path(arguments).read_bytes())
    device.write(INPUT, Path(given).read_bytes())
    for i in range(8):
        device.word(MAILBOXES + 4 * i, 0)
    device.word(SOFT_RESET, device.word(SOFT_RESET) & ~0x800)
    for _ in range(100):
        device.clock(100)
    device.word(COMMAND, 3)
    for _ in range(20000):
        device.clock(100)
        if all(device.word(MAILBOXES + 4 * i) == 0xFF for i in range(3)):
            break
    else:
        done = [device.word(MAILBOXES + 4 * i) for i in range(3)]
        print(f"not done: mailboxes {done}")
        return 1
    address, size = (int(n, 0) for n in result.split(":"))
    Path(output).write_bytes(device.read(address, size))
    return 0


if __name__ == "__main__":
    sys.exit(main())
