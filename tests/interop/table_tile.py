# SPDX-License-Identifier: Apache-2.0
"""Kernels of whole tiles: reductions, sums down the columns, sorting, rows by index."""

import math
import struct

from numbers_ import *  # noqa: F403 (names of one small module)
from table import Row, binary, init, unary, yes

ROWS = []
FINE = (2e-5, 1e-4)


def rows_of(tile):
    return [tile[32 * r : 32 * r + 32] for r in range(32)]


def columns_of(tile):
    return [tile[c::32] for c in range(32)]


def first_row(values):
    return list(values) + [None] * 992


def first_column(values):
    return [values[i // 32] if i % 32 == 0 else None for i in range(1024)]


def raw(function):
    """A kernel that finds its way through the tile itself."""
    return unary(function, mode="RC_custom")


# ---- reduce ----
def tiles_of(low, high, draw):
    """Of four tiles one has values of every sign, one has negative ones only, one positive ones."""
    def make(chance):
        ends = ((low, high), (low, -1) if low < 0 else (low, high), (1, high), (low, high))
        return [draw(chance, *ends[i // 1024]) for i in range(N)]

    return make


def whole(low, high):
    """Integers of any size, the ends among them."""
    def draw(chance, least, most):
        if chance.randrange(50) == 0:
            return chance.choice((least, most))
        number = chance.randint(least, most) // 2 ** chance.randrange(24)
        return min(max(number, least), most)

    return tiles_of(low, high, draw)


FLOAT = uniform(-10.0, 10.0)
SIGNS = ("f", tiles_of(-10.0, 10.0, lambda chance, low, high: chance.uniform(low, high)))
ANY32 = ("i", whole(-(1 << 31), (1 << 31) - 1))
MAGNITUDE = ("i", whole(1 - (1 << 31), (1 << 31) - 1))
UNSIGNED = ("I", whole(0, (1 << 32) - 1))
POSITIVE = ("I", whole(0, (1 << 31) - 1))
SMALL = ("I", whole(0, (1 << 26) - 1))  # the sum of 32 is below 2^31
SHORT = ("H", whole(0, 65535))
FORMATS = {"Int32": ("int32", ANY32), "UInt32": ("uint32", UNSIGNED), "UInt16": ("uint16", SHORT),
           "Float32": ("fp32", SIGNS), "Float16_b": ("bf16", SIGNS)}
MASKS = {"UInt32": 0xFFFFFFFF, "UInt16": 0xFFFF}
POOLS = ("SUM", "AVG", "MAX", "MIN")


def pooled(pool, fmt, values):
    """The vendor's: sums modulo 2^32, of which AVG takes a 32nd toward zero."""
    if pool in ("MAX", "MIN"):
        return max(values) if pool == "MAX" else min(values)
    total = sum(values)
    if "Int" not in fmt:
        return total / 32 if pool == "AVG" else total
    total = signed(total) if fmt == "Int32" else total % (1 << 32)
    if pool == "AVG":
        total = int(total / 32)
    return total if fmt == "Int32" else total & MASKS[fmt]


def reduce(pool, dim, fmt, dst, ins, suffix="", why=""):
    of = columns_of if dim == "COL" else rows_of
    place = first_row if dim == "COL" else first_column
    ROWS.append(Row(
        "reduce", f"{pool.lower()}_{dim.lower()}_{fmt.lower()}{suffix}",
        init("unary", "reduce", f"_init_reduce_<PoolType::{pool}, DataFormat::{fmt}>()"),
        raw(f"[] {{ _calculate_reduce_<PoolType::{pool}, REDUCE_{dim}, "
            f"DataFormat::{fmt}>(); }}"), [ins],
        lambda tiles: place([pooled(pool, fmt, list(v)) for v in of(tiles[0])]),
        dst=dst, whole=True, spill=pool in ("MAX", "MIN"),
        tol=None if pool in ("MAX", "MIN") or "Int" in fmt else
        (FINE if fmt == "Float32" else (2e-2, 2e-1)), why=why))


for fmt, (dst, ins) in FORMATS.items():
    for pool in POOLS:
        swap = pool in ("MAX", "MIN")
        first = ins
        if fmt == "Int32" and swap:
            first = MAGNITUDE
            reduce(pool, "COL", fmt, dst, ins, "_least",
                   "ckernel_sfpu_reduce.h: SFPSWAP compares sign and magnitude, in which -2^31, "
                   "once cast, is -0")
        if fmt == "UInt32" and pool != "SUM":
            first = POSITIVE if swap else SMALL
            reduce(pool, "COL", fmt, dst, ins, "_large",
                   "ckernel_sfpu_reduce.h: " + (
                       "SFPSWAP compares sign and magnitude, in which 2^31 and more are negative"
                       if swap else
                       "perform_int_average takes every load of 32-bit integers for signed ones"))
        reduce(pool, "COL", fmt, dst, first)
        # The maximum of a row is that of sign and magnitude, which the kernel's loads keep.
        if pool == "SUM" or (pool == "MAX" and fmt not in ("UInt16", "UInt32")):
            reduce(pool, "ROW", fmt, "int32-sm" if fmt == "Int32" and swap else dst, first)
for suffix, ins, why in (
        ("", FLOAT, ""),
        ("_negative", SIGNS, "ckernel_sfpu_reduce_custom.h: SFPLOADI takes the mode FP16B of "
         "SFPLOAD for an unsigned integer: the maximum begins at 0xff80 times 2^-149, not at "
         "-inf")):
    for out in (0, 1):
        ROWS.append(Row(
            "reduce_custom", f"reduce_max_col_4x2{suffix}_to{out}",
            init("unary", "reduce", "_init_reduce_max_col_subblock_4x2_<DataFormat::Float16_b>()"),
            raw("[] { _reduce_max_col_subblock_4x2_prologue_(); "
                "_calculate_reduce_max_col_subblock_4x2_<PoolType::MAX, REDUCE_COL, "
                "DataFormat::Float16_b>(1); _reduce_max_col_subblock_4x2_epilogue_(); }"),
            [ins, ins], lambda tiles, out=out: first_row([max(v) for v in columns_of(tiles[out])]),
            dst="bf16", out=out, whole=True, spill=True, why=why))

# ---- sums of rows ----
def sums(fmt):
    def ref(tiles):
        pairs = zip(tiles[0][:32], tiles[1][:32])
        if fmt == "Float32":
            return first_row([f32(a + b) for a, b in pairs])
        return first_row([a + b if fmt == "Int32" else (a + b) % (1 << 32) for a, b in pairs])

    return ref


HALVES = ("i", whole(-(1 << 30), (1 << 30) - 1))  # so that sums have a sign and a magnitude
for chip, fmt, dst, ins in (("bh", "Int32", "int32", HALVES), ("wh", "Int32", "int32-sm", HALVES),
                            ("bh wh", "UInt32", "uint32", UNSIGNED),
                            ("bh wh", "Float32", "fp32", FLOAT)):
    for out in (0, 2):
        ROWS.append(Row(
            "add_top_row", f"add_top_row_{fmt.lower()}_to{out}",
            init("binary", "add_top_row", "_init_add_top_row_()"),
            binary(f"_calculate_add_top_row_<DataFormat::{fmt}>", out, mode="RC_custom"),
            [ins, ins], sums(fmt), dst=dst, out=out, whole=True, chips=chip))


def running(tile):
    total = [0.0] * 32
    result = []
    for row in rows_of(tile):
        total = [f32(t + x) for t, x in zip(total, row)]
        result += total
    return result


for a in (0, 1):
    for dst in ("fp32", "bf16"):
        ROWS.append(Row("cumsum", f"cumsum{'_approx' if a else ''}_{dst}",
                        init("unary", "cumsum", f"_cumsum_init_<{yes(a)}>()"),
                        raw(f"[] {{ _calculate_cumsum_<{yes(a)}, 8>(true); }}"), [FLOAT],
                        lambda tiles: running(tiles[0]), dst=dst, whole=True,
                        tol=(1e-6, 1e-5) if dst == "fp32" else (2e-2, 5e-1)))


def moving(tile, alpha, beta):
    value = [0.0] * 32
    result = []
    for row in rows_of(tile):
        value = [alpha * v + beta * x for v, x in zip(value, row)]
        result += value
    return result


for alpha in (0.25, 0.9):
    a, b = (f"{bits(v):#x}u" for v in (alpha, 1 - alpha))
    ROWS.append(Row("ema", f"ema_{alpha}", init("unary"),
                    raw(f"[] {{ _load_alpha_beta_({a}, {b}); _clear_previous_output_(); "
                        "_calculate_ema_tile_(); }"), [FLOAT, FLOAT],
                    lambda tiles, p=alpha: moving(tiles[0], p, 1 - p), out=1, whole=True,
                    tol=(1e-4, 1e-4)))

# ---- mean and variance ----
for start in (0,):
    def mean(tiles):
        # 32 means in even places of the first four rows of face 0; eight in a row.
        means = [sum(v) / 32 for v in columns_of(tiles[0])]
        result = [None] * 1024
        for row in range(4):
            for place in range(8):
                result[32 * row + 2 * place] = lambda got: any(abs(got - m) < 1e-3 for m in means)
        return result

    ROWS.append(Row(
        "welfords", "welfords_mean_rows", "_llk_math_welfords_sfpu_init_();",
        "static std::array<std::uint32_t, 32> lut; for (unsigned i = 0; i < 32; i++) "
        "{ lut[i] = _bit_cast_<std::uint32_t>(1.0f / float(i + 1)); } "
        "_llk_math_welfords_sfpu_params_([&] { sfpu::_clear_previous_mean_and_m2_(); "
        "sfpu::_calculate_welfords_tile_<32>(0, lut); "
        "sfpu::_store_mean_var_to_dst_row_<32>(31, lut); }, 0);",
        [FLOAT, FLOAT], lambda tiles: first_row([sum(v) / 32 for v in columns_of(tiles[0])]),
        whole=True, tol=(1e-4, 1e-4)))
    ROWS.append(Row(
        "welfords", "welfords_var_rows", "_llk_math_welfords_sfpu_init_();",
        ROWS[-1].tile, [FLOAT, FLOAT],
        lambda tiles: first_row([sum((x - sum(v) / 32) ** 2 for x in v) / 32
                                 for v in columns_of(tiles[0])]),
        out=1, whole=True, tol=(1e-3, 1e-3)))

# ---- chance ----
for probability, scale in ((0.25, 1.0), (0.5, 2.0)):
    limit = f"{int(probability * 0x7FFFFFFF):#x}u"

    def dropped(tiles, p=probability, s=scale):
        return [("dropout", x * s, p) for x in tiles[0]]

    for a in (0, 1):
        ROWS.append(Row("dropout", f"dropout_{probability}{'_approx' if a else ''}",
                        init("unary", "dropout", "_init_dropout_(1)"),
                        unary(f"_calculate_dropout_<{yes(a)}, 8>", 8, limit, f"{bits(scale):#x}u"),
                        [uniform(1.0, 10.0)], dropped, whole=True, tol=(1e-6, 0)))

# ---- rows by index, read from L1 behind a header of 16 bytes ----
TARGETS = [(7 * r + 3) % 32 if r % 5 else 255 for r in range(32)]


def reshuffled(tiles):
    result = [list(row) for row in rows_of(tiles[1])]
    for row, target in zip(rows_of(tiles[0]), TARGETS):
        if target < 32:
            result[target] = [f32(a + b) for a, b in zip(result[target], row)]
    return [x for row in result for x in row]


ROWS.append(Row(
    "reshuffle_rows", "reshuffle_rows", init("unary", "reshuffle_rows"),
    "static std::uint8_t l1[48] = {" + ", ".join(str(v) for v in [0] * 16 + TARGETS) + "}; "
    + raw("_calculate_reshuffle_rows_").replace("RC_custom)", "RC_custom, "
                                                "(std::uint32_t)(std::uintptr_t)l1)"),
    [FLOAT, FLOAT], reshuffled, out=1, whole=True))

# ---- sorting: each column of two tiles, in bitonic phases; two more tiles have the indices ----
def numbered(first):
    """Each row's number as the index of its elements."""
    return ("f", lambda chance: [float(first + i % 1024 // 32) for i in range(N)])


def by_rows(columns):
    return [columns[c][r] for r in range(32) for c in range(32)]


def sorted_columns(tiles):
    return by_rows([sorted(column, reverse=True) for column in columns_of(tiles[0])])


def larger(tiles):
    """Merging takes the larger of each pair."""
    return [max(a, b) for a, b in zip(tiles[0], tiles[1])]


def largest_32(tiles):
    both = [a + b for a, b in zip(columns_of(tiles[0]), columns_of(tiles[1]))]
    return by_rows([sorted(column, reverse=True)[:32] for column in both])


def indices(tiles):
    """Each is the row of a datum that is as large as the one that stands at its place."""
    both = [a + b for a, b in zip(columns_of(tiles[0]), columns_of(tiles[1]))]
    return [lambda got, value=value, column=both[i % 32]:
            0 <= got < 64 and column[int(got)] == value
            for i, value in enumerate(largest_32(tiles))]


for stable in (0, 1):
    for dst in ("fp32", "bf16"):
        name = f"{'stable_' if stable else ''}{dst}"
        flags = f"false, {yes(dst == 'fp32')}"
        four = [FLOAT, FLOAT, numbered(0), numbered(32)]
        phases, merge, rebuild = (raw(f"[] {{ _bitonic_topk_{call}; }}") for call in (
            f"phases_steps<{flags}, {yes(stable)}>(0, 4, 0, 0, 0)",
            f"merge<{flags}, false, {yes(stable)}>(0, 32)",
            f"rebuild<{flags}, {yes(stable)}>(false, 0, 32, 5, 1)"))
        for step, words, ref, out in (
                ("sort", phases, sorted_columns, 0), ("merge", merge, larger, 0),
                ("largest", phases + merge + rebuild, largest_32, 0),
                ("indices", phases + merge + rebuild, indices, 2)):
            ROWS.append(Row(
                "topk", f"topk_{step}_{name}",
                init("unary", "topk_local_sort", "topk_replay_init = 0", "_init_topk()"),
                words, four, ref, dst=dst, out=out, whole=True))

# ---- the largest of the first rows of each column, and its index ----
def pool_rows(layout, tile):
    """Rows as the layout has them in Dst: ROW_MAJOR has the halves of a row one after the other."""
    if layout == "TILE":
        return rows_of(tile)
    faces = [[tile[32 * (16 * (f // 2) + r) + 16 * (f % 2) :][:16] for r in range(16)]
             for f in range(4)]
    rows = [row for face in faces for row in face]
    return [rows[2 * i] + rows[2 * i + 1] for i in range(32)]


def first_pooled(layout, values):
    """Where 32 results are: in the first row, or halves in two rows of the first face."""
    if layout == "TILE":
        return first_row(values)
    return list(values[:16]) + [None] * 16 + list(values[16:]) + [None] * (1024 - 48)


def largest(layout, count, with_index):
    def ref(tiles):
        rows = pool_rows(layout, tiles[0])[:count]
        numbers = pool_rows(layout, tiles[1])[:count]
        columns = [[row[c] for row in rows] for c in range(32)]
        if not with_index:
            return first_pooled(layout, [max(column) for column in columns])
        allowed = [{numbers[r][c] for r in range(count) if rows[r][c] == max(columns[c])}
                   for c in range(32)]
        return first_pooled(layout, [lambda got, good=good: got in good for good in allowed])

    return ref


PLACES = ("f", lambda chance: [float(i % 1024 // 16) for i in range(N)])
for layout, kernel, count in (("TILE", "", 9), ("ROW_MAJOR", "", 9), ("ROW_MAJOR", "_generic", 32)):
    for dst in ("fp32", "bf16"):
        for out in (0, 1):
            tail = "" if kernel else f", DataLayout::{layout}"
            function = (f"_calculate_max_pool_with_indices{kernel}_"
                        f"<false, {yes(dst == 'fp32')}, 8{tail}>")
            ROWS.append(Row(
                "max_pool_indices",
                f"max_pool_{layout.lower()}{kernel}_{dst}{'_indices' if out else ''}",
                init("binary", "unused", f"_init_max_pool_with_indices_<DataLayout::{layout}>()"),
                binary(function, mode="RC_custom"), [SIGNS, PLACES], largest(layout, count, out),
                dst=dst, out=out, whole=True))
