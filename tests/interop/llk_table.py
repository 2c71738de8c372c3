# SPDX-License-Identifier: Apache-2.0
"""Tests of tt-llk, with the parameters that its Python side would give them, the operands, and
what must lie in L1 afterwards."""

import struct
from fnmatch import fnmatch

import llk_golden as g

INPUT = 0x21000
BF16 = "Float16_b"
LOFI = "ckernel::MathFidelity::LoFi"
HIFI4 = "ckernel::MathFidelity::HiFi4"
FIXED_FORMATS = ("ttnn_where", "profiler_overhead", "sfpu_reduce_test", "sfpu_reduce_row")


class Variant:
    """golden: the bytes of the result, or None where only other simulators are asked."""

    def __init__(self, name, source, a, b=None, golden=None, **how):
        self.name, self.source, self.golden = name, source, golden
        self.chips = how.get("chips", ("bh", "wh"))
        self.constants = {k: str(v) for k, v in how.get("constants", {}).items()}
        self.arguments = how.get("arguments", {})
        self.lines = how.get("lines", [])
        self.runs = how.get("runs", 1)
        self.without = how.get("without", ())
        self.runtime_formats = not how.get("fixed_formats")
        given, result = how.get("given", BF16), how.get("result", BF16)
        self.given = given
        tiles = how.get("tiles") or (len(golden) // g.BYTES[result] if golden else 1)
        b = b or bytes(g.BYTES[given])
        size = g.BYTES[given]
        at_b = INPUT + len(a)
        at_c = at_b + len(b)
        at_result = at_c + len(how.get("c", b""))
        self.input = a + b + how.get("c", b"")
        self.operands = [(INPUT, size), (at_b, size), (at_result, g.BYTES[result]), (at_c, size)]
        self.output = (at_result, len(golden) if golden else tiles * g.BYTES[result])
        self.tile_sizes = [g.BYTES[f] // 16 for f in (result, given, given)]
        wide = self.constants.get("is_fp32_dest_acc_en") == "true"
        inside = how.get("inside") or ("Tf32" if wide else BF16 if given == "Float32" else given)
        inside = (
            inside
            if given in ("Float32", BF16) and inside != "Tf32" or given == "Float32"
            else given
        )
        packed = how.get("packed") or (result if wide else inside)
        run = (given, given, given, inside, inside, inside, inside, packed, result, packed, result)
        self.formats = how.get("formats") or [run] * self.runs


def copies():
    data = g.numbers(1, 2 * 1024)
    for given, result, wide, direct in (
        (BF16, BF16, False, False),
        ("Float16", "Float16", False, False),
        ("Bfp8_b", "Bfp8_b", False, False),
        (BF16, "Bfp8_b", False, False),
        ("Bfp8_b", BF16, False, False),
        (BF16, "Float32", True, False),
        ("Float32", BF16, False, False),
        ("Float32", "Float32", True, True),
    ):
        constants = {
            "is_fp32_dest_acc_en": str(wide).lower(),
            "unpack_to_dest": str(direct).lower(),
        }
        yield Variant(
            f"datacopy {given} {result}", "eltwise_unary_datacopy_test",
            g.pack_tiles(given, data), golden=g.pack_tiles(result, data), given=given,
            result=result,
            constants=constants, inside="Float32" if direct else None,
            arguments={"NUM_TILES_IN_BLOCK": 2, "TILE_CNT": 2},
        )  # fmt: skip
    for faces in (1, 2):
        yield Variant(
            f"datacopy {faces} faces", "eltwise_unary_datacopy_test",
            g.pack_tiles(BF16, data[:1024]),
            golden=g.pack(BF16, data[: 256 * faces]), arguments={"num_faces": faces}, tiles=1,
        )  # fmt: skip
    yield Variant(
        "datacopy tilize", "eltwise_unary_datacopy_test", g.pack_tiles(BF16, data),
        golden=g.pack_tiles(BF16, g.tilize(data, 32, 64)), chips=("bh",),
        constants={"tilize_en": "true", "FULL_CT_DIM": 2, "BLOCK_CT_DIM": 2},
        arguments={"NUM_TILES_IN_BLOCK": 2},
    )  # fmt: skip
    yield Variant(
        "datacopy custom", "eltwise_unary_datacopy_custom_test", g.pack_tiles(BF16, data),
        golden=g.pack_tiles(BF16, data), arguments={"TILE_CNT": 2}, chips=("bh",),
    )  # fmt: skip


def binaries():
    a, b = g.numbers(2, 2048), g.numbers(3, 2048)
    what = {
        "ELWADD": lambda x, y: x + y,
        "ELWSUB": lambda x, y: x - y,
        "ELWMUL": lambda x, y: x * y,
    }
    for op, f in what.items():
        golden = g.pack_tiles(BF16, [f(x, y) for x, y in zip(a, b)])
        for fidelity in ("LoFi", "HiFi4") if op == "ELWMUL" else ("LoFi",):
            yield Variant(
                f"binary {op} {fidelity}", "eltwise_binary_test", g.pack_tiles(BF16, a),
                g.pack_tiles(BF16, b), golden,
                constants={
                    "ELTWISE_BINARY_OP": f"ckernel::EltwiseBinaryType::{op}",
                    "MATH_FIDELITY": f"ckernel::MathFidelity::{fidelity}",
                },
                arguments={"NUM_TILES_IN_BLOCK": 2},
            )  # fmt: skip
        yield Variant(
            f"multiple tiles {op}", "multiple_tiles_eltwise_test", g.pack_tiles(BF16, a),
            g.pack_tiles(BF16, b), golden, arguments={"TILE_CNT": 2},
            constants={
                "ELTWISE_BINARY_OP": f"ckernel::EltwiseBinaryType::{op}",
                "MATH_FIDELITY": HIFI4 if op == "ELWMUL" else LOFI,
            },
        )  # fmt: skip
        for kind in ("ROW", "COL", "SCALAR"):
            other = g.broadcast(kind, b[:1024])
            yield Variant(
                f"binary {op} {kind}", "eltwise_binary_test", g.pack(BF16, g.tilize(a[:1024])),
                g.pack(BF16, g.tilize(b[:1024])),
                g.pack(BF16, g.tilize([f(x, y) for x, y in zip(a, other)])),
                constants={
                    "ELTWISE_BINARY_OP": f"ckernel::EltwiseBinaryType::{op}",
                    "MATH_FIDELITY": HIFI4 if op == "ELWMUL" else LOFI,
                    "BROADCAST_TYPE": f"ckernel::BroadcastType::{kind}",
                },
            )  # fmt: skip
    for given, result, wide in (
        ("Bfp8_b", "Bfp8_b", False),
        ("Float16", "Float16", False),
        (BF16, "Float32", True),
    ):
        yield Variant(
            f"binary ELWADD {given} {result}", "eltwise_binary_test", g.pack_tiles(given, a[:1024]),
            g.pack_tiles(given, b[:1024]),
            g.pack_tiles(result, [x + y for x, y in zip(a[:1024], b)]), given=given, result=result,
            constants={
                "is_fp32_dest_acc_en": str(wide).lower(), "MATH_FIDELITY": LOFI,
            },
        )  # fmt: skip
    # The first operand is transposed; the second one's column 0 stands in all columns.
    column = g.broadcast("COL", b[:1024])
    yield Variant(
        "binary transposed, broadcast", "eltwise_binary_transpose_bcast_test",
        g.pack(BF16, g.tilize(a[:1024])), g.pack(BF16, g.tilize(b[:1024])),
        g.pack(BF16, g.tilize([x - y for x, y in zip(g.transpose(a[:1024]), column)])),
        constants={"BROADCAST_TYPE": "ckernel::BroadcastType::COL"},
        arguments={"UNPACK_TRANSPOSE_FACES": True},
    )  # fmt: skip


def products():
    a, b = g.numbers(4, 4096, -3, 3), g.numbers(5, 4096, -3, 3)
    one = g.pack(BF16, g.tilize(g.matmul(a[:1024], b[:1024], 32, 32, 32)))
    for fidelity in ("LoFi", "HiFi2", "HiFi3", "HiFi4"):
        yield Variant(
            f"matmul {fidelity}", "matmul_test", g.pack(BF16, g.tilize(a[:1024])),
            g.pack(BF16, g.tilize(b[:1024])), one,
            constants={"MATH_FIDELITY": f"ckernel::MathFidelity::{fidelity}"},
        )  # fmt: skip
    for rows, inner, columns in ((2, 2, 2), (1, 2, 2), (2, 1, 1)):
        x, y = a[: rows * inner * 1024], b[: inner * columns * 1024]
        whole = g.matmul(x, y, 32 * rows, 32 * inner, 32 * columns)
        dims = {"RT_DIM": rows, "KT_DIM": inner, "CT_DIM": columns, "TILE_CNT": rows * columns}
        for source in (
            "matmul_test",
            "math_matmul_test",
            "unpack_matmul_test",
            "matmul_custom_test",
        ):
            yield Variant(
                f"{source[:-5]} {rows}x{inner}x{columns}", source,
                g.pack_tiles(BF16, g.tilize(x, 32 * rows, 32 * inner)),
                g.pack_tiles(BF16, g.tilize(y, 32 * inner, 32 * columns)),
                g.pack_tiles("Float32", g.tilize(whole, 32 * rows, 32 * columns)), arguments=dims,
                result="Float32", constants={"is_fp32_dest_acc_en": "true"},
                chips=("bh", "wh"),
            )  # fmt: skip


def reductions():
    data = g.numbers(6, 1024, -7, 7)
    for pool in ("SUM", "MAX", "AVG"):
        for dim in ("REDUCE_ROW", "REDUCE_COL", "REDUCE_SCALAR"):
            factor = 1 if pool != "AVG" else 0.5
            yield Variant(
                f"reduce {pool} {dim[7:]}", "reduce_test", g.pack("Float16_b", g.tilize(data)),
                g.pack(BF16, [factor] * 1024),
                g.pack("Float32", g.tilize(g.reduce(pool, dim, data, factor))),
                result="Float32",
                constants={
                    "POOL_TYPE": f"ckernel::PoolType::{pool}", "is_fp32_dest_acc_en": "true",
                    "REDUCE_DIM": f"ckernel::ReduceDim::{dim}",
                },
            )  # fmt: skip


def layouts():
    data = g.numbers(7, 4096)
    wide = data[:2048]  # 32 x 64
    two = {"FULL_CT_DIM": 2, "BLOCK_CT_DIM": 2}
    yield Variant(
        "pack_untilize", "pack_untilize_test", g.pack_tiles(BF16, g.tilize(wide, 32, 64)),
        golden=g.pack_tiles(BF16, wide), constants=two,
    )  # fmt: skip
    yield Variant(
        "pack_untilize 64x64", "pack_untilize_test", g.pack_tiles(BF16, g.tilize(data, 64, 64)),
        golden=g.pack_tiles(BF16, data), constants={**two, "FULL_RT_DIM": 2},
    )  # fmt: skip
    yield Variant(
        "pack_untilize Float32", "pack_untilize_test", g.pack_tiles(BF16, g.tilize(wide, 32, 64)),
        golden=g.pack_tiles("Float32", wide), result="Float32",
        constants={**two, "is_fp32_dest_acc_en": "true"},
    )  # fmt: skip
    yield Variant(
        "dense_pack_untilize", "dense_pack_untilize_test",
        g.pack_tiles(BF16, g.tilize(wide, 32, 64)), golden=None, tiles=2, constants=two,
        chips=("bh",), arguments={"in0_tile_r_dim": 16},
    )  # fmt: skip
    yield Variant(
        "unpack_tilize", "unpack_tilize_test", g.pack_tiles(BF16, wide),
        golden=g.pack_tiles(BF16, g.tilize(wide, 32, 64)),
        arguments={"BLOCK_CT_DIM": 2, "FULL_CT_DIM": 2, "NUM_TILES_IN_BLOCK": 2},
    )  # fmt: skip
    yield Variant(
        "unpack_tilize 64x64", "unpack_tilize_test", g.pack_tiles(BF16, data),
        golden=g.pack_tiles(BF16, g.tilize(data, 64, 64)),
        arguments={"BLOCK_CT_DIM": 2, "BLOCK_RT_DIM": 2, "NUM_TILES_IN_BLOCK": 4},
    )  # fmt: skip
    yield Variant(
        "unpack_tilize Float32", "unpack_tilize_test", g.pack_tiles("Float32", wide),
        golden=g.pack_tiles(BF16, g.tilize(wide, 32, 64)), given="Float32",
        arguments={"BLOCK_CT_DIM": 2, "NUM_TILES_IN_BLOCK": 2},
    )  # fmt: skip
    yield Variant(
        "unpack_tilize_sweep", "unpack_tilize_sweep_test", g.pack_tiles(BF16, wide),
        golden=g.pack_tiles(BF16, g.tilize(wide, 32, 64)), constants=two,
        arguments={"TILE_CNT": 2, "BLOCK_CT_DIM": 2},
    )  # fmt: skip
    yield Variant(
        "unpack_untilize", "unpack_untilize_test", g.pack_tiles(BF16, g.tilize(wide, 32, 64)),
        golden=g.pack_tiles(BF16, wide), constants=two, arguments={"TILE_CNT": 2},
    )  # fmt: skip
    yield Variant(
        "fast_tilize", "fast_tilize_test", g.pack_tiles(BF16, data),
        golden=g.pack_tiles(BF16, g.tilize(data, 32, 128)),
        arguments={"FULL_CT_DIM": 4, "BLOCK_CT_DIM": 4, "TILE_CNT": 4}, fixed_formats=True,
        chips=("wh",),
    )  # fmt: skip


def unpacking():
    data = g.numbers(8, 2048)
    tile = g.pack(BF16, g.tilize(data[:1024]))
    reuse = ["constexpr auto REUSE_DEST_TYPE = ckernel::EltwiseBinaryReuseDestType::NONE;"]
    whole = {"UNPACK_TRANSPOSE_FACES": True, "UNPACK_TRANSPOSE_WITHIN_FACE": True}
    yield Variant(
        "unpack_A", "unpack_A_test", g.pack_tiles(BF16, data), golden=g.pack_tiles(BF16, data),
        lines=reuse, arguments={"NUM_TILES_IN_BLOCK": 2},
    )  # fmt: skip
    yield Variant(
        "unpack_A transposed", "unpack_A_test", tile,
        golden=g.pack(BF16, g.tilize(g.transpose(data[:1024]))), lines=reuse, arguments=whole,
    )  # fmt: skip
    for kind in ("ROW", "COL", "SCALAR"):
        yield Variant(
            f"unpack_A {kind}", "unpack_A_test", tile,
            golden=g.pack(BF16, g.tilize(g.broadcast(kind, data[:1024]))), lines=reuse,
            constants={"BROADCAST_TYPE": f"ckernel::BroadcastType::{kind}"},
        )  # fmt: skip
    yield Variant(
        "transpose_dest", "transpose_dest_test", tile,
        golden=g.pack(BF16, g.tilize(g.transpose(data[:1024]))),
        constants={"MATH_TRANSPOSE_FACES": "true"},
    )  # fmt: skip
    for kind, numbers in (("Float32", data[:1024]), ("Int32", [10000 * n for n in range(1024)])):
        for faces in ("true", "false"):
            # The unpacker exchanges the faces where the Matrix Unit does not; 32-bit Dst only.
            yield Variant(
                f"transpose_dest {kind} {faces}", "transpose_dest_test",
                g.pack(kind, g.tilize(numbers)),
                golden=g.pack(kind, g.tilize(g.transpose(numbers))), given=kind,
                result=kind, inside=kind,
                constants={
                    "MATH_TRANSPOSE_FACES": faces, "is_fp32_dest_acc_en": "true",
                    "unpack_to_dest": "true",
                },
                arguments={"UNPACK_TRANSPOSE_FACES": faces == "false"},
            )  # fmt: skip
    whole = [struct.pack("<3072i", *g.numbers(n, 3072, -99999, 99999)) for n in (20, 21)]
    total = [x + y for x, y in zip(*(struct.unpack("<3072i", w) for w in whole))]
    yield Variant(
        "risc_compute", "risc_compute_test", whole[0], whole[1], struct.pack("<3072i", *total),
        given="Int32", result="Int32",
    )  # fmt: skip


def packing():
    data = g.numbers(9, 2048)
    for name, relu, f in (
        ("pack", 0, lambda x: x),
        ("pack ReLU", 1, lambda x: max(x, 0)),
        ("pack ReLU from 3", 2 | 0x4040 << 16, lambda x: x if x > 3 else 0),
        ("pack ReLU to 3", 3 | 0x4040 << 16, lambda x: min(max(x, 0), 3)),
    ):
        yield Variant(
            name, "pack_test", g.pack_tiles(BF16, data),
            golden=g.pack_tiles(BF16, [f(x) for x in data]),
            arguments={"NUM_TILES_IN_BLOCK": 2, "RELU_CONFIG": relu},
        )  # fmt: skip
    yield Variant(
        "pack_rows", "pack_rows_test", g.pack_tiles(BF16, data[:1024]),
        golden=g.pack(BF16, data[:256]), tiles=1, arguments={"NUM_ROWS_TO_PACK": 16},
    )  # fmt: skip
    yield Variant(
        "pack_dest_bank", "pack_dest_bank_test", g.pack_tiles(BF16, data),
        golden=g.pack_tiles(BF16, data), arguments={"NUM_TILES_IN_BLOCK": 2, "TILE_CNT": 2},
    )  # fmt: skip
    for source in ("pack_tiny_tile_block_test", "pack_tiny_tile_reconfig_test"):
        yield Variant(
            source[:-5], source, g.pack_tiles(BF16, data), golden=None, tiles=2,
            arguments={"NUM_TILES_IN_BLOCK": 1, "TEST_FACE_R_DIM": 8, "num_faces": 2},
        )  # fmt: skip


def chains():
    a, b = g.numbers(10, 1024, -3, 3), g.numbers(11, 1024, -3, 3)
    product = g.matmul(a, b, 32, 32, 32)
    yield Variant(
        "matmul_pack_untilize", "matmul_pack_untilize_test", g.pack(BF16, g.tilize(a)),
        g.pack(BF16, g.tilize(b)), g.pack(BF16, product),
    )  # fmt: skip
    yield Variant(
        "matmul_unpack_tilize", "matmul_unpack_tilize_test", g.pack(BF16, a), g.pack(BF16, b),
        g.pack(BF16, g.tilize(product)), runs=2,
    )  # fmt: skip
    yield Variant(
        "tilize_calculate_untilize", "tilize_calculate_untilize_L1", g.pack(BF16, a),
        g.pack(BF16, b), g.pack(BF16, g.tilize([x + y for x, y in zip(a, b)])), runs=2,
        constants={"MATH_FIDELITY": LOFI},
    )  # fmt: skip


def rest():
    """Tests whose names alone are tried: what they need and we have not is told."""
    data = g.pack_tiles(BF16, g.numbers(12, 4096))
    for source in (
        "eltwise_bcast_col_custom_perf", "eltwise_binary_fpu_perf", "eltwise_binary_sfpu_perf",
        "eltwise_unary_sfpu_perf", "eltwise_unary_sfpu_test", "math_matmul_perf",
        "math_transpose_perf", "matmul_and_unary_sfpu_test", "matmul_perf",
        "multiple_tiles_eltwise_custom_test", "pack_dest_bank_perf", "pack_untilize_perf",
        "profiler_overhead_test", "profiler_primitives_test", "reduce_perf", "sdpa_reinits_test",
        "sfpu_binary_test", "sfpu_reduce_row_max_perf", "sfpu_reduce_sdpa_perf",
        "sfpu_reduce_sdpa_test", "sfpu_reduce_test", "topk_test", "ttnn_where_test",
        "unpack_a_bcast_eltwise_perf", "unpack_a_bcast_eltwise_test", "unpack_tilize_perf",
        "unpack_transpose_perf", "unpack_untilize_perf",
    ):  # fmt: skip
        perf_of_vectors = source in ("eltwise_binary_sfpu_perf", "eltwise_unary_sfpu_perf")
        yield Variant(
            source, source, data, data, None, tiles=1,
            fixed_formats=source.startswith(FIXED_FORMATS),
            without=("BROADCAST_TYPE",) if perf_of_vectors else (),
            constants={"MATH_FIDELITY": LOFI},
        )  # fmt: skip


# What does not work, and why: (name as in fnmatch, column, reason).
STALE = "the test calls the library of another revision"
METAL = "includes a header of tt-metal that is not in tt-llk"
BIT11 = "fails on cards: tt-llk's test skips floats in 32-bit Dst; tt-metal #43757 mends the kernel"
REASONS = [
    ("multiple tiles *", "compiles", STALE),
    ("binary transposed, broadcast", "compiles", STALE),
    (
        "profiler_primitives_test",
        "compiles",
        "includes no params.h, so that its trisc.cpp has no arguments",
    ),
    ("matmul_and_unary_sfpu_test", "compiles", STALE),
    ("eltwise_*_sfpu_perf", "compiles", METAL),
    ("eltwise_unary_sfpu_test", "compiles", METAL),
    ("sfpu_binary_test", "compiles", METAL),
    ("unpack_a_bcast_eltwise_*", "compiles", "for Wormhole only"),
    ("topk_test", "compiles", METAL),
    ("sdpa_reinits_test", "compiles", "for Blackhole only"),
    ("transpose_dest Float32 *", "golden", BIT11),
    ("transpose_dest Float32 *", "ttsim runs", BIT11),
    ("transpose_dest Int32 *", "ttsim runs", "sets bit 11 of DBG_FEATURE_DISABLE"),
]


def reason(name, column):
    return next((text for n, c, text in REASONS if c == column and fnmatch(name, n)), None)


def variants():
    for part in (
        copies,
        binaries,
        products,
        reductions,
        layouts,
        unpacking,
        packing,
        chains,
        rest,
    ):
        yield from part()
