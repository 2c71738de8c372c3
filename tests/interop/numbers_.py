# SPDX-License-Identifier: Apache-2.0
"""Numbers of the interop table: arrays in .npy files, inputs with extremes, roundings of FP32.

Everything is stated in Python's integers and doubles; nothing comes from the emulator.
"""

import array
import ast
import math
import random
import struct

N = 4096
DTYPES = {"f": "<f4", "i": "<i4", "I": "<u4", "H": "<u2"}
CODES = {"f4": "f", "i4": "i", "u4": "I", "u2": "H", "i2": "h"}


def save(path, code, values):
    head = f"{{'descr': '{DTYPES[code]}', 'fortran_order': False, 'shape': ({len(values)},), }}"
    head += " " * (-(10 + len(head) + 1) % 64) + "\n"
    with open(path, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode())
        out.write(array.array(code, values).tobytes())


def load(path):
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack("<H", data[8:10])[0]
    head = ast.literal_eval(data[10 : 10 + length].decode())
    values = array.array(CODES[head["descr"][1:]])
    values.frombytes(data[10 + length :])
    return values


def bits(number):
    """Of an FP32, of the nearest one for another double; too large is infinity."""
    try:
        return struct.unpack("<I", struct.pack("<f", number))[0]
    except OverflowError:
        return 0x7F800000 if number > 0 else 0xFF800000


def from_bits(pattern):
    return struct.unpack("<f", struct.pack("<I", pattern & 0xFFFFFFFF))[0]


def f32(number):
    return from_bits(bits(number))


def flush(number):
    """A denormal is a zero of its sign in the vector unit's arithmetic."""
    return math.copysign(0.0, number) if abs(number) < 2.0**-126 else number


def cut(number):
    """To BF16 as SFPSTORE does it: the lower half is lost."""
    return from_bits(bits(number) & 0xFFFF0000)


def bf16(number):
    """The nearest BF16, ties to even."""
    pattern = bits(number)
    if pattern & 0x7F800000 == 0x7F800000:
        return number
    return from_bits((pattern + 0x7FFF + (pattern >> 16 & 1)) & 0xFFFF0000)


def bf16_away(number):
    """The nearest BF16, ties away from zero: SFPSTOCHRND without chance."""
    return from_bits((bits(number) + 0x8000) & 0xFFFF0000)


def signed(pattern):
    pattern &= 0xFFFFFFFF
    return pattern - (1 << 32) if pattern >> 31 else pattern


# ---- inputs, each the same in every run ----


def uniform(low, high, edges=()):
    def make(chance):
        values = [e for e in edges] + [low, high]
        return values + [chance.uniform(low, high) for _ in range(N - len(values))]

    return "f", make


def logarithmic(low, high, negative=False):
    def make(chance):
        values = [2.0 ** chance.uniform(math.log2(low), math.log2(high)) for _ in range(N)]
        return [-v if negative and i % 2 else v for i, v in enumerate(values)]

    return "f", make


LARGEST = from_bits(0x7F7FFFFF)
SPECIAL = [0.0, -0.0, 1.0, -1.0, 2.0**-126, -(2.0**-126), LARGEST, -LARGEST]


def anything(chance):
    """Of every size that is normal, and zeros."""
    values = list(SPECIAL)
    while len(values) < N:
        number = from_bits(chance.getrandbits(32))
        if math.isfinite(number) and abs(number) >= 2.0**-126:
            values.append(number)
    return values


def with_infinities(chance):
    extra = [math.inf, -math.inf, math.nan, -math.nan]
    return extra + anything(chance)[: N - len(extra)]


def moderate(chance):
    values = [0.0, -0.0, 1.0, -1.0, 5.0, -5.0, 0.5, -0.5, 100.0, -100.0]
    return values + [chance.uniform(-10, 10) for _ in range(N - len(values))]


INT_EDGES = [0, 1, -1, 2, -2, 31, 32, 33, 127, -128, 255, 32767, -32768, 65535, 65536]


def int32(chance):
    edges = INT_EDGES + [0x7FFFFFFF, -0x7FFFFFFF, 0x7FFFFFFE, 1 << 30, -(1 << 30)]
    return edges + [
        signed(chance.getrandbits(32)) >> chance.randrange(31) for _ in range(N - len(edges))
    ]


def int32_all(chance):
    return [-(1 << 31)] + int32(chance)[: N - 1]


def uint32(chance):
    edges = [0, 1, 2, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFF, 0x10000, 0xFFFFFF, 0x1000001]
    return edges + [
        chance.getrandbits(32) >> chance.randrange(31) for _ in range(N - len(edges))
    ]


def uint16(chance):
    edges = [0, 1, 2, 0x7FFF, 0x8000, 0xFFFF, 255, 256]
    return edges + [chance.getrandbits(16) >> chance.randrange(16) for _ in range(N - len(edges))]


def shifts(chance):
    """Amounts: all from -3 to 40, and some that are far outside."""
    edges = [0x7FFFFFFF, -0x7FFFFFFF, 1 << 20, -(1 << 20)]
    return edges + [chance.randint(-3, 40) for _ in range(N - len(edges))]


def inputs(kind, seed):
    """kind: (code, function), or a function of integers or floats by its name."""
    code, make = kind if isinstance(kind, tuple) else (KINDS[kind], kind)
    return code, make(random.Random(seed))


KINDS = {
    anything: "f",
    with_infinities: "f",
    moderate: "f",
    int32: "i",
    int32_all: "i",
    uint32: "I",
    uint16: "H",
    shifts: "i",
}
