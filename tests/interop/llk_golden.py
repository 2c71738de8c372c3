# SPDX-License-Identifier: Apache-2.0
"""What tests of tt-llk must leave in L1, stated in plain Python: formats, tiles, operations.

The numbers are chosen so that every step is exact, in every fidelity and every order of sums.
"""

import struct

TILE = 32
FACE = 16
BYTES = {"Float32": 4096, "Int32": 4096, "Float16": 2048, "Float16_b": 2048, "Bfp8_b": 1088}


def numbers(seed, count, low=-8, high=8):
    """Whole numbers from low to high, the same on every run."""
    state = seed * 2654435761 + 12345
    found = []
    for _ in range(count):
        state = (state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        found.append(low + (state >> 33) % (high - low + 1))
    return found


def float_bits(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


def pack_bfp8(values):
    """Groups of 16: first all exponents, then sign and seven bits of magnitude."""
    exponents, data = [], []
    for i in range(0, len(values), 16):
        group = [float_bits(v) for v in values[i : i + 16]]
        top = max(b >> 23 & 0xFF for b in group)
        exponents.append(top)
        for b in group:
            if b & 0x7FFFFFFF == 0:
                data.append(0)
                continue
            whole = b & 0x7FFFFF | 0x800000
            shift = 17 + top - (b >> 23 & 0xFF)
            assert shift < 32 and (whole & (1 << shift) - 1) == 0, "not exact"
            data.append((b >> 31) << 7 | whole >> shift)
    return bytes(exponents + data)


def pack(name, values):
    """One tile, or a row of whole groups, in a format; every value must be exact in it."""
    if name == "Float32":
        return struct.pack(f"<{len(values)}f", *values)
    if name == "Int32":
        return b"".join(struct.pack("<I", abs(v) | (v < 0) << 31) for v in values)
    if name == "Float16":
        return struct.pack(f"<{len(values)}e", *values)
    if name == "Bfp8_b":
        return pack_bfp8(values)
    assert name == "Float16_b", name
    words = [float_bits(v) for v in values]
    assert all(w & 0xFFFF == 0 for w in words), "not exact"
    return struct.pack(f"<{len(words)}H", *(w >> 16 for w in words))


def pack_tiles(name, values, size=TILE * TILE):
    return b"".join(pack(name, values[i : i + size]) for i in range(0, len(values), size))


def tile_order(rows, columns):
    """Indexes into a matrix by rows, in the order in which its tiles have them."""
    return [
        (tr + fr + r) * columns + tc + fc + c
        for tr in range(0, rows, TILE)
        for tc in range(0, columns, TILE)
        for fr in range(0, TILE, FACE)
        for fc in range(0, TILE, FACE)
        for r in range(FACE)
        for c in range(FACE)
    ]


def tilize(matrix, rows=TILE, columns=TILE):
    return [matrix[i] for i in tile_order(rows, columns)]


def untilize(tiles, rows=TILE, columns=TILE):
    matrix = [0] * len(tiles)
    for value, i in zip(tiles, tile_order(rows, columns)):
        matrix[i] = value
    return matrix


def transpose(matrix, rows=TILE, columns=TILE):
    return [matrix[r * columns + c] for c in range(columns) for r in range(rows)]


def matmul(a, b, rows, inner, columns):
    turned = transpose(b, inner, columns)
    return [
        sum(
            x * y
            for x, y in zip(a[r * inner : (r + 1) * inner], turned[c * inner : (c + 1) * inner])
        )
        for r in range(rows)
        for c in range(columns)
    ]


def broadcast(kind, matrix):
    """A tile in rows, as the second operand of a broadcast sees it."""
    at = {
        "NONE": lambda r, c: (r, c),
        "ROW": lambda r, c: (0, c),
        "COL": lambda r, c: (r, 0),
        "SCALAR": lambda r, c: (0, 0),
    }[kind]
    where = [at(r, c) for r in range(TILE) for c in range(TILE)]
    return [matrix[r * TILE + c] for r, c in where]


def reduce(pool, dim, matrix, factor):
    """The sums or the greatest in the first row, column or datum, the rest 0."""
    pick = max if pool == "MAX" else sum
    rows = [matrix[r * TILE : (r + 1) * TILE] for r in range(TILE)]
    result = [0] * (TILE * TILE)
    if dim == "REDUCE_ROW":
        for r in range(TILE):
            result[r * TILE] = pick(rows[r]) * factor
    elif dim == "REDUCE_COL":
        for c in range(TILE):
            result[c] = pick([row[c] for row in rows]) * factor
    else:
        result[0] = pick(matrix) * factor * factor
    return result
