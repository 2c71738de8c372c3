# SPDX-License-Identifier: Apache-2.0
"""Integers, casts, shifts and choices: all of them bit for bit."""

from numbers_ import *  # noqa: F403 (names of one small module)
from table import Row, binary, init, ternary, unary, yes

ROWS = []
WRAP = 1 << 32
DIFFERENCE = ("integers are compared by the sign of a difference modulo 2^32, wrong where that "
              "overflows: ")
MODES = {"int32": "InstrModLoadStore::INT32", "uint16": "InstrModLoadStore::LO16"}


def wrapped(function, dst):
    """The function in the integers of dst: two's complement, or 16 bits."""
    cut_to = signed if dst == "int32" else lambda number: number & 0xFFFF

    def ref(*values):
        expected = function(*values)
        return None if expected is None else cut_to(expected)

    return ref


def two(header, name, function, ref, first, second, dst="int32", setup="", op="unused", **more):
    """In place of the first number, and into a tile of its own."""
    for out in (0, 2):
        ROWS.append(Row(header, f"{name}_{dst}_to{out}", init("binary", op, setup),
                        binary(function, out), [first, second], wrapped(ref, dst), dst=dst, out=out,
                        **more))


def one(header, name, function, ref, ins, dst="int32", args=(), setup="", op="unused", **more):
    ROWS.append(Row(header, name, init("unary", op, setup), unary(function, *args), [ins],
                    ref, dst=dst, **more))


# ---- sums, differences, products, bits ----
INS = {"int32": int32_all, "uint16": uint16}
for dst, mode in MODES.items():
    ins = INS[dst]
    two("add_int", "add", f"_add_int_<false, 8, {mode}, false>", lambda a, b: a + b, ins, ins, dst)
    two("sub_int", "sub", f"_sub_int_<false, 8, {mode}, false>", lambda a, b: a - b, ins, ins, dst)
    for op, function in (("AND", lambda a, b: a & b), ("OR", lambda a, b: a | b),
                         ("XOR", lambda a, b: a ^ b)):
        two("binary_bitwise", op.lower(),
            f"_calculate_sfpu_binary_bitwise_<false, BinaryBitwiseOp::{op}, {mode}, 8>", function,
            ins, ins, dst)


def left(a, b):
    return a << b if 0 <= b < 32 else 0


def logical(a, b):
    return (a % WRAP) >> b if 0 <= b < 32 else 0


def arithmetic(a, b):
    """An amount below 0 gives 0, as the kernel's comment has it."""
    return a >> b if b >= 0 else 0


FILL = ("ckernel_sfpu_shift.h, _calculate_binary_right_shift_: an amount below 0 passes the test "
        "for 32 and more, and ones are filled in by 32 less the amount, whatever it is")
for name, kernel, function in (("left", "_calculate_binary_left_shift_", left),
                               ("logical", "_calculate_logical_right_shift_", logical),
                               ("right", "_calculate_binary_right_shift_", arithmetic)):
    two("shift", name, f"{kernel}<false, 8, InstrModLoadStore::INT32, false>", function, int32_all,
        shifts, why=FILL if name == "right" else "")
    two("shift", name, f"{kernel}<false, 8, InstrModLoadStore::LO16, false>", function, uint16,
        ("H", lambda chance: [chance.randrange(40) for _ in range(N)]), "uint16")
# The encoding of integers that the vendor's unpacker leaves: sign and magnitude.
for name, header, kernel, function in (
        ("add", "add_int", "_add_int_", lambda a, b: a + b),
        ("sub", "sub_int", "_sub_int_", lambda a, b: a - b)):
    small = ("i", lambda chance: [chance.randint(-(1 << 29), 1 << 29) for _ in range(N)])
    for out in (0, 2):
        ROWS.append(Row(header, f"{name}_sm_to{out}", init("binary"),
                        binary(f"{kernel}<false, 8, InstrModLoadStore::INT32_2S_COMP, true>", out),
                        [small, small], function, dst="int32-sm", out=out))
for out, in1, in0, name in ((0, 1, 0, "a"), (1, 1, 0, "b"), (2, 1, 0, "c"), (0, 0, 0, "square")):
    for a in (0, 1):
        ROWS.append(Row("mul_int", f"mul_{name}{'_approx' if a else ''}",
                        init("binary", "mul_uint16", f"_init_mul_int_<{yes(a)}>()"),
                        binary(f"_mul_int_<{yes(a)}, 8>", out, in1, in0), [uint16, uint16],
                        (lambda a, b: a * b & 0xFFFF) if name != "square"
                        else (lambda a, b: a * a & 0xFFFF), dst="uint16", out=out, macro=True))

# ---- one integer ----
for a in (0, 1):
    suffix = "_approx" if a else ""
    one("negative", f"negative_int{suffix}", f"_calculate_negative_int_<{yes(a)}, 8>",
        lambda x: signed(-x), int32_all, op="negative")
    one("fill", f"fill_int32{suffix}",
        f"_calculate_fill_int_<{yes(a)}, InstrModLoadStore::INT32, 8>",
        lambda x: signed(0x89ABCDEF), int32, args=["0x89abcdefu"], op="fill")
    one("fill", f"fill_uint16{suffix}",
        f"_calculate_fill_int_<{yes(a)}, InstrModLoadStore::LO16, 8>",
        lambda x: 0xABCD, uint16, "uint16", args=["0xabcdu"], op="fill")
ZERO = {"equal_zero": lambda x: x == 0, "not_equal_zero": lambda x: x != 0,
        "less_than_zero": lambda x: x < 0, "greater_than_zero": lambda x: x > 0,
        "less_than_equal_zero": lambda x: x <= 0, "greater_than_equal_zero": lambda x: x >= 0}
# Wormhole's SFPI loads and stores integers as sign and magnitude.
SFPI = (("bh", "int32", int32_all), ("wh", "int32-sm", int32))
for chip, dst, ins in SFPI:
    for op, test in ZERO.items():
        one("comp", f"{op}_int", f"_calculate_zero_comp_int_<false, SfpuType::{op}, 8>",
            lambda x, t=test: int(t(x)), ins, dst, op=op, chips=chip)
NEAR = (("eq", lambda x: x == 77), ("ne", lambda x: x != 77), ("lt", lambda x: x < 77),
        ("gt", lambda x: x > 77), ("le", lambda x: x <= 77), ("ge", lambda x: x >= 77))
for chip, dst, ins in SFPI:
    near = ("i", lambda chance, ins=ins: [77, 76, 78] + [
        n if i % 2 else chance.randint(60, 90) for i, n in enumerate(ins(chance)[3:])])
    for op, test in NEAR:
        one("comp", f"unary_{op}_int",
            f"_calculate_comp_unary_int_<false, SfpuType::unary_{op}, 8>",
            lambda x, t=test: int(t(x)), near, dst, args=[77], op=f"unary_{op}", chips=chip,
            why=DIFFERENCE + "ckernel_sfpu_comp.h, _calculate_comp_unary_int_")
for chip, dst, ins in SFPI:
    one("relu", "relu_max_int", "_relu_max_<sfpi::vInt, false, 8, std::uint32_t>",
        lambda x: min(max(x, 0), 5), ins, dst, args=["0x40a00000u"], op="relu_max", chips=chip,
        why=DIFFERENCE + "ckernel_sfpu_relu.h, 'result > threshold' of _relu_max_impl_")
# Wormhole's relu_min is no SFPI.
one("relu", "relu_min_int", "_relu_min_<sfpi::vInt, false, 8, std::uint32_t>",
    lambda x: max(x, 5), int32_all, args=["5u"], op="relu_min",
    why=DIFFERENCE + "ckernel_sfpu_relu.h, 'a < threshold' of _relu_min_impl_")

# ---- where ----
for fmt, dst, ins in (("Float32", "fp32", anything), ("Float16_b", "bf16", anything),
                      ("Int32", "int32", int32_all), ("UInt32", "uint32", uint32)):
    for out in (0, 3):
        for a in (0, 1):
            code, make = {"int32": "i", "uint32": "I"}.get(dst, "f"), ins
            condition = (code, lambda chance, m=make: [
                0 if i % 3 == 0 else v for i, v in enumerate(m(chance))])
            # Backwards, so that extremes do not meet themselves.
            other = (code, lambda chance, m=make: m(chance)[::-1])
            ROWS.append(Row(
                "where", f"where_{fmt.lower()}{'_approx' if a else ''}_to{out}",
                init("ternary", "where", f"_init_where_<{yes(a)}>()"),
                ternary(f"_calculate_where_<{yes(a)}, DataFormat::{fmt}, 8>", out),
                [condition, ins, other],
                lambda c, x, y: x if c != 0 else y, dst=dst, out=out, macro=True,
                why="ckernel_sfpu_where.h, the SFPSETCC of _init_where_ looks at all bits of the "
                    "condition, so that -0 is true" if code == "f" else ""))

# ---- casts ----
def clamp16(x):
    return min(max(x, 0), 65535)


def nearest(x):
    """To the nearest integer, ties away from zero (SFPSTOCHRND)."""
    return int(x + 0.5) if x >= 0 else -int(-x + 0.5)


def to_float(x):
    return f32(float(x))


def float_of_odd(x):
    """FP32 of an integer, ties to even: exact in a double first."""
    return f32(float(x))


def upper(pattern):
    """What the packer takes of FP32 for BF16."""
    return from_bits(pattern & 0xFFFF0000)


REALS = ("f", lambda chance: [0.0, -0.0, 0.5, 1.5, 65535.0, 1.0, -1.0] +
         [chance.uniform(-70000.0, 70000.0) for _ in range(N - 7)])
WIDE = ("f", lambda chance: [0.0, 1.0, -1.0, 2147483520.0, -2147483520.0, 0.75, -0.75] +
        [f32(chance.uniform(-1, 1) * 2.0 ** chance.randrange(31)) for _ in range(N - 7)])
WIDE_POSITIVE = ("f", lambda chance: [0.0, 1.0, 4294967040.0, 0.75, 2147483648.0] +
                 [f32(chance.random() * 2.0 ** chance.randrange(32)) for _ in range(N - 5)])
CONFIGURE = ("_llk_math_hw_configure_<true>(std::uint32_t(DataFormat::{0}), "
             "std::uint32_t(DataFormat::{0}))")
# What tt-llk's own start code leaves out: the kernel counts on bit 11, which it sets for 8-bit and
# 32-bit signed integers and for UInt16 only (tt-metal #46231 took the dependence away).
HIGH = "_llk_math_dbg_feature_disable_()"
SHORT = "uint16-dst32"
CASTS = [  # name, input, its dst, output's dst, function, how 16-bit data are configured, init
    ("fp32_to_uint16", REALS, "fp32", SHORT, lambda x: clamp16(nearest(x)), HIGH, True),
    ("fp32_to_uint16", REALS, "bf16", "uint16", lambda x: clamp16(nearest(x)), "", True),
    ("uint16_to_fp16b", uint16, "uint16", "bf16", lambda x: bf16_away(float(x)), "", True),
    ("int32_to_fp16b", int32_all, "int32", "fp32", lambda x: bf16_away(to_float(x)),
     CONFIGURE.format("Int32"), True),
    ("fp32_to_int32", WIDE, "fp32", "int32", int, "", False),
    ("fp32_to_uint32", WIDE_POSITIVE, "fp32", "uint32", int, "", False),
    ("fp32_to_fp16b", anything, "fp32", "fp32", bf16, HIGH, True),
    ("uint16_to_fp32", uint16, SHORT, "fp32", float, CONFIGURE.format("UInt16"), True),
    ("int32_to_fp32", int32_all, "int32", "fp32", to_float, CONFIGURE.format("Int32"), True),
    ("uint32_to_fp16b", uint32, "uint32", "fp32", lambda x: bf16_away(to_float(x)), "", True),
    ("uint32_to_fp32", uint32, "uint32", "fp32", to_float, "", True),
    ("uint16_to_uint32", uint16, SHORT, "uint32", int, CONFIGURE.format("UInt16"), True),
    ("uint32_to_uint16", uint32, "uint32", SHORT, lambda x: min(x, 65535), HIGH, True),
    ("int32_to_uint16", int32_all, "int32", SHORT, clamp16, CONFIGURE.format("Int32"), True)]
TWICE = ("ckernel_sfpu_typecast.h: the low 31 bits become FP32 before 2^31 is added: rounded twice")
WHY = {
    "uint32_to_fp16b": "ckernel_sfpu_typecast.h, _init_typecast_uint32_to_fp16b_ does not load L12 "
                       "with -31, by which the loop shifts; the inits of the other casts do",
    "uint32_to_fp32": TWICE}
PLAIN = {
    "uint32_to_fp16b": TWICE + "; with SFPLOADMACRO L12 lacks its -31",
    "fp32_to_fp16b": "the lower halves differ: with SFPLOADMACRO a store of 32 bits goes before, "
                     "without it they are those of the input; the packer takes the upper halves"}
for name, ins, dst, out_dst, function, hardware, has_init in CASTS:
    for a in (0, 1):
        setup = "; ".join(part for part in (
            hardware, f"_init_typecast_{name}_<{yes(a)}>()" if has_init else "") if part)
        ROWS.append(Row(
            "typecast", f"{name}{'_bf16' if dst == 'bf16' else ''}{'_approx' if a else ''}",
            init("unary", "typecast", setup),
            unary(f"_calculate_typecast_{name}_<{yes(a)}, 8>"), [ins], function, dst=dst,
            out_dst=out_dst, macro=has_init, why=WHY.get(name, ""), plain_why=PLAIN.get(name, ""),
            view=upper if name == "fp32_to_fp16b" else None))

# ---- quantisation: scale, zero point, saturation to eight bits ----
def magnitude(pattern):
    """Sign and magnitude, as a Dst of FP32 holds it."""
    return from_bits(pattern if pattern >= 0 else 0x80000000 | -pattern)


def number(x):
    pattern = bits(x)
    return -(pattern & 0x7FFFFFFF) if pattern >> 31 else pattern


def saturate(x):
    return min(max(nearest(x), -127), 127)


SCALE = ("f", lambda chance: [chance.uniform(0.01, 2.0) for _ in range(N)])
BYTES = ("f", lambda chance: [magnitude(chance.randint(-127, 127)) for _ in range(N)])
for a in (0, 1):
    zero = f"_init_quant_zero_point_<{yes(a)}>(0x40400000u)"  # 3.0
    for name, ins, dst, out_dst, function in (
            ("quant", ("f", lambda chance: [chance.uniform(-100, 100) for _ in range(N)]), "fp32",
             "int32-sm", lambda x, s: saturate(f32(x * s + 3.0))),
            ("requant", BYTES, "fp32", "int32-sm",
             lambda x, s: saturate(f32(number(x) * s + 3.0))),
            ("dequant", BYTES, "fp32", "fp32", lambda x, s: f32((number(x) + 3.0) * s))):
        ROWS.append(Row("quant", f"{name}{'_approx' if a else ''}",
                        init("binary", f"{name}_int32", zero),
                        binary(f"_{name}_int32_<{yes(a)}, 8, true>"), [ins, SCALE], function,
                        dst=dst, out_dst=out_dst))
