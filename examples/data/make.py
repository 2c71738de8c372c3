#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the .npy files of this folder, the same bytes every time. Needs Python 3 only."""
import os
import struct

HERE = os.path.dirname(os.path.abspath(__file__))
SHAPE = (64, 64)  # four tiles


class Random:
    """A linear congruential generator (Knuth's MMIX constants); the upper half is used."""

    def __init__(self, seed):
        self.state = seed

    def draw(self, below):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 32) % below


def write(name, kind, words):
    header = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (kind, SHAPE)
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(os.path.join(HERE, name), "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        out.write(struct.pack("<%dI" % len(words), *words))


def main():
    count = SHAPE[0] * SHAPE[1]
    random = Random(1)
    # Both signs, 2^-12 <= |x| < 2^12, all mantissas: no zero, nothing special.
    write("tiles.npy", "<f4", [random.draw(2) << 31 | (115 + random.draw(24)) << 23
                               | random.draw(2**23) for _ in range(count)])
    random = Random(2)
    # -8 <= x < 8 in steps of 2^-20: for exp, tanh, sigmoid, gelu.
    values = [(random.draw(2**24) - 2**23) / 2**20 for _ in range(count)]
    write("narrow.npy", "<f4", [struct.unpack("<I", struct.pack("<f", x))[0] for x in values])
    random = Random(3)
    # 0.0 and 1.0 with equal probability: the condition of where.
    write("mask.npy", "<f4", [0x3F800000 * random.draw(2) for _ in range(count)])
    random = Random(4)
    # int32 of all lengths.
    write("ints.npy", "<i4", [(random.draw(2**31) >> random.draw(31)) * (1 - 2 * random.draw(2))
                              % 2**32 for _ in range(count)])


if __name__ == "__main__":
    main()
