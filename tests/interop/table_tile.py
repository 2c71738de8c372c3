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
SMALL = ("i", lambda chance: [chance.randint(-1000, 1000) for _ in range(N)])
WHOLE = ("I", lambda chance: [chance.randrange(1 << 20) for _ in range(N)])
SHORT = ("H", lambda chance: [chance.randrange(2000) for _ in range(N)])
FLOAT = uniform(-10.0, 10.0)
FORMATS = {"Int32": ("int32-sm", SMALL), "UInt32": ("uint32", WHOLE), "UInt16": ("uint16", SHORT),
           "Float32": ("fp32", FLOAT), "Float16_b": ("bf16", FLOAT)}
POOLS = {"SUM": sum, "AVG": lambda v: sum(v) / 32, "MAX": max, "MIN": min}
for fmt, (dst, ins) in FORMATS.items():
    for pool, function in POOLS.items():
        for dim in ("COL", "ROW"):
            if dim == "ROW" and (pool not in ("SUM", "MAX") or
                                 (pool == "MAX" and fmt in ("UInt16", "UInt32"))):
                continue
            of = columns_of if dim == "COL" else rows_of
            place = first_row if dim == "COL" else first_column
            integer = "Int" in fmt
            toward_zero = (lambda v: int(sum(v) / 32)) if integer and pool == "AVG" else function
            encoding = dst
            if fmt == "Int32" and pool in ("SUM", "AVG", "MIN"):
                encoding = "int32"
            ROWS.append(Row(
                "reduce", f"{pool.lower()}_{dim.lower()}_{fmt.lower()}",
                init("unary", "reduce", f"_init_reduce_<PoolType::{pool}, DataFormat::{fmt}>()"),
                raw(f"[] {{ _calculate_reduce_<PoolType::{pool}, REDUCE_{dim}, "
                    f"DataFormat::{fmt}>(); }}"), [ins],
                lambda tiles, of=of, place=place, f=toward_zero: place(
                    [f(v) for v in of(tiles[0])]),
                dst=encoding, whole=True, spill=pool in ("MAX", "MIN"),
                tol=None if pool in ("MAX", "MIN") or integer else
                (FINE if fmt == "Float32" else (2e-2, 2e-1))))
ROWS.append(Row(
    "reduce_custom", "reduce_max_col_4x2",
    init("unary", "reduce",
         "_init_reduce_max_col_subblock_4x2_<DataFormat::Float16_b>()"),
    raw("[] { _reduce_max_col_subblock_4x2_prologue_(); "
        "_calculate_reduce_max_col_subblock_4x2_<PoolType::MAX, REDUCE_COL, "
        "DataFormat::Float16_b>(1); _reduce_max_col_subblock_4x2_epilogue_(); }"),
    [FLOAT, FLOAT], lambda tiles: first_row([max(v) for v in columns_of(tiles[0])]),
    dst="bf16", whole=True, spill=True))

# ---- sums of rows ----
for fmt, dst, ins in (("Int32", "int32", SMALL), ("UInt32", "uint32", WHOLE),
                      ("Float32", "fp32", FLOAT)):
    for out in (0, 2):
        ROWS.append(Row(
            "add_top_row", f"add_top_row_{fmt.lower()}_to{out}",
            init("binary", "add_top_row", "_init_add_top_row_()"),
            binary(f"_calculate_add_top_row_<DataFormat::{fmt}>", out, mode="RC_custom"),
            [ins, ins], lambda tiles: first_row(
                [f32(a + b) if isinstance(a, float) else a + b
                 for a, b in zip(tiles[0][:32], tiles[1][:32])]),
            dst=dst, out=out, whole=True))


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
                result[32 * row + 2 * place] = ("any", means)
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

# ---- sorting: each column of two tiles, in bitonic phases ----
for stable in (0, 1):
    for dst in ("fp32", "bf16"):
        name = f"{'stable_' if stable else ''}{dst}"
        flags = f"false, {yes(dst == 'fp32')}"
        four = [FLOAT, FLOAT, ("f", lambda chance: [float(i % 1024) for i in range(N)]), FLOAT]
        ROWS.append(Row(
            "topk", f"topk_sort_{name}",
            init("unary", "topk_local_sort", "topk_replay_init = 0", "_init_topk()"),
            raw(f"[] {{ _bitonic_topk_phases_steps<{flags}, {yes(stable)}>(0, 4, 0, 0, 0); }}"),
            four, lambda tiles: [("column", tiles[0])] * 1024, dst=dst, whole=True))
        ROWS.append(Row(
            "topk", f"topk_merge_{name}",
            init("unary", "topk_local_sort", "topk_replay_init = 0", "_init_topk()"),
            raw(f"[] {{ _bitonic_topk_merge<{flags}, false, {yes(stable)}>(0, 32); }}"),
            four, lambda tiles: [("column", tiles[0] + tiles[1])] * 1024, dst=dst, whole=True))
        ROWS.append(Row(
            "topk", f"topk_rebuild_{name}",
            init("unary", "topk_local_sort", "topk_replay_init = 0", "_init_topk()"),
            raw(f"[] {{ _bitonic_topk_rebuild<{flags}, {yes(stable)}>(false, 0, 32, 5, 0); }}"),
            four, lambda tiles: [("column", tiles[0] + tiles[1])] * 1024, dst=dst, whole=True))

# ---- the largest of the first nine rows of each column, and its index ----
for layout in ("TILE", "ROW_MAJOR"):
    for dst in ("fp32", "bf16"):
        def largest(tiles, layout=layout):
            rows = 9
            if layout == "TILE":
                return first_row([max(v[:rows]) for v in columns_of(tiles[0])])
            return [None] * 1024

        ROWS.append(Row(
            "max_pool_indices", f"max_pool_{layout.lower()}_{dst}",
            init("binary", "unused", f"_init_max_pool_with_indices_<DataLayout::{layout}>()"),
            binary(f"_calculate_max_pool_with_indices_<false, {yes(dst == 'fp32')}, 8, "
                   f"DataLayout::{layout}>", mode="RC_custom"),
            [FLOAT, FLOAT], largest, dst=dst, whole=True))
