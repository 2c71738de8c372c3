# SPDX-License-Identifier: Apache-2.0
"""Functions of one floating-point number, and of two."""

import math

from numbers_ import *  # noqa: F403 (names of one small module)
from table import APPROXIMATE, Row, binary, init, unary, yes

ROWS = []
FINE = (4e-6, 1e-6)
BF16 = (2.0**-7, 2.0**-9)


def add(header, name, function, ref, ins, op="unused", args=(), setup="", tol=None,
        dsts="fp32 bf16", approximations=(0, 1), **more):
    """function and setup with {A} and {D} for the vendor's two booleans, in all their settings."""
    for dst in dsts.split():
        for a in approximations:
            names = {"A": yes(a), "D": yes(dst == "fp32")}
            allowed = tol(a, dst) if callable(tol) else tol
            exact = rounded(ref) if dst != "fp32" and allowed in (None, (0, 0)) else ref
            ROWS.append(
                Row(header, f"{name}{'_approx' if a else ''}_{dst}",
                    init("unary", op, setup.format(**names)),
                    unary(function.format(**names), *args), [ins], exact, dst=dst, tol=allowed,
                    **more))


def rounded(ref):
    def cut_ref(*values):
        expected = ref(*values)
        return None if expected is None else cut(expected)

    return cut_ref


def within(approximate, fp32, other=BF16):
    return lambda a, dst: approximate if a else fp32 if dst == "fp32" else other


def product(a, b):
    """What is below the normal range is 0."""
    return flush(f32(a * b))


def finite(function):
    """Not judged where the function overflows or is not defined."""

    def ref(*values):
        try:
            expected = function(*values)
        except (ValueError, OverflowError, ZeroDivisionError):
            return None
        return expected if abs(expected) < 3e38 else None

    return ref


def sigmoid(x):
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0


def normal_cdf(x):
    return 0.5 * math.erfc(-x / math.sqrt(2))


def gelu_derivative(x):
    return normal_cdf(x) + x * math.exp(-x * x / 2) / math.sqrt(2 * math.pi)


SMALL = uniform(-4.0, 4.0, [0.0, -0.0, 1.0, -1.0])
POSITIVE = logarithmic(1e-6, 1e6)
SIGNED = logarithmic(1e-6, 1e6, negative=True)

# ---- signs, thresholds, comparisons: exact ----
add("abs", "abs", "_calculate_abs_<{A}, 8>", abs, anything, "abs", [8])
for mode, rows in (("R", (0, 1)), ("C", (0, 2))):
    def one_of(tiles, rows=rows):
        return [abs(x) if (i // 512) * 2 + (i % 32) // 16 in rows else x
                for i, x in enumerate(tiles[0])]
    ROWS.append(Row("abs", f"abs_{mode}", init("unary", "abs"),
                    unary("_calculate_abs_<false, 8>", 8, mode=mode), [anything], one_of,
                    whole=True))
add("negative", "negative", "_calculate_negative_<{A}, 8>", lambda x: -x, anything, "negative")
add("square", "square", "_calculate_square_<{A}, 8>", lambda x: f32(x * x), moderate, "square",
    tol=lambda a, dst: None if dst == "fp32" else BF16)
MINUS_ZERO = "SFPI's comparison of a float with 0 takes -0 for less than 0 and not equal to it: {}"
add("sign", "sign", "_calculate_sign_<{A}, 8>", lambda x: (x > 0) - (x < 0) + 0.0, anything, "sign",
    [8, 1], why=MINUS_ZERO.format("ckernel_sfpu_sign.h"))
for slope in (0x3DCCCCCD, 0x3C23D70A, 0xBF000000):
    add("relu", f"lrelu_{slope:08x}", "_calculate_lrelu_<{A}>",
        lambda x, s=from_bits(slope): x if bits(x) >> 31 == 0 else product(x, s),
        anything, "lrelu", [8, f"{slope:#x}u"],
        tol=(0, 0))  # the sign of a product that is 0 does not count: SFPMUL adds 0
for kind, value in (("float", "2.5f"), ("uint32", "0x40200000u")):
    add("relu", f"relu_max_{kind}", "_relu_max_<sfpi::vFloat, {A}, 8, %s>" %
        ("float" if kind == "float" else "std::uint32_t"),
        lambda x: 0.0 if x <= 0 else min(x, 2.5), moderate, "relu_max", [value], tol=(0, 0))
    add("relu", f"relu_min_{kind}", "_relu_min_<sfpi::vFloat, {A}, 8, %s>" %
        ("float" if kind == "float" else "std::uint32_t"), lambda x: max(x, 2.5), moderate,
        "relu_min", [value], tol=(0, 0),
        why="Wormhole's ckernel_sfpu_relu.h, _relu_min_: the loop takes the threshold from LREG2, "
            "which the form with a float does not load" if kind == "float" else "")
add("clamp", "clamp", "_calculate_clamp_<{A}, 8>", lambda x: min(max(x, -2.0), 3.0), moderate,
    "clamp", [8, "0xc000u", "0x4200u", "0u"], tol=(0, 0))
add("clamp", "clamp_offset", "_calculate_clamp_<{A}, 8>",
    lambda x: f32(min(max(x, -2.0), 3.0) + 1.0), moderate, "clamp",
    [8, "0xc000u", "0x4200u", "0x3f80u"], tol=lambda a, dst: (0, 0) if dst == "fp32" else BF16)
add("hardtanh", "hardtanh", "_calculate_hardtanh_<{A}, 8>", lambda x: min(max(x, -1.0), 1.0),
    moderate, "hardtanh", [8, "0x3f80u", "0xc000u", "0x3f80u"],
    tol=lambda a, dst: (0, 1e-6) if dst == "fp32" else BF16)
for kind, values in (("float", ["1.5f", "-7.0f"]), ("uint32", ["0x3fc00000u", "0xc0e00000u"])):
    add("threshold", f"threshold_{kind}", "_calculate_threshold_<{A}, 8, %s>" %
        ("float" if kind == "float" else "std::uint32_t"),
        lambda x: -7.0 if x <= 1.5 else x, moderate, "threshold", values)
TESTS = {
    "isinf": lambda x: math.isinf(x), "isposinf": lambda x: x == math.inf,
    "isneginf": lambda x: x == -math.inf, "isnan": lambda x: math.isnan(x),
    "isfinite": lambda x: math.isfinite(x)}
for name, test in TESTS.items():
    add("isinf_isnan", name, "_calculate_sfpu_isinf_isnan_<SfpuType::%s, {A}, 8>" % name,
        lambda x, t=test: float(t(x)), with_infinities, name, tol=(0, 0))
COMPARISONS = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b,
    "gt": lambda a, b: a > b, "le": lambda a, b: a <= b, "ge": lambda a, b: a >= b}
ZERO = {"eq": "equal_zero", "ne": "not_equal_zero", "lt": "less_than_zero",
        "gt": "greater_than_zero", "le": "less_than_equal_zero", "ge": "greater_than_equal_zero"}


def with_zero(test):
    return lambda x: float(test(x, 0.0))


for name, test in COMPARISONS.items():
    add("comp", ZERO[name], "_calculate_zero_comp_<{A}, SfpuType::%s, 8>" % ZERO[name],
        with_zero(test), anything, ZERO[name], ["8u"], approximations=(0,), tol=(0, 0),
        why=MINUS_ZERO.format("ckernel_sfpu_comp.h, apply_zero_comp"))
    add("comp", f"unary_{name}", "_calculate_comp_unary_<{A}, SfpuType::unary_%s, 8>" % name,
        lambda x, t=test: float(t(x, 3.0)), moderate, f"unary_{name}", ["3u"],
        approximations=(0,), tol=(0, 0))
FLAGS = {  # invert, check_zero, second_check, less_than_equal_zero
    "lt": "false, false, false, false", "ge": "true, false, false, false",
    "eq": "false, true, false, false", "ne": "true, true, false, false"}
for name, flags in FLAGS.items():
    add("comp", f"comp_{name}", "_calculate_comp_<{A}, %s, 8>" % flags,
        with_zero(COMPARISONS[name]), anything, ZERO[name], [8, "8u"], approximations=(0,),
        dsts="fp32", tol=(0, 0), why=MINUS_ZERO.format("ckernel_sfpu_comp.h, _calculate_comp_"))
for size in (0, 1):
    add("is_fp16_zero", f"is_fp16_zero_{size}",
        "[] {{ for (int d = 0; d < 8; d++) {{ sfpi::vFloat v = sfpi::dst_reg[0]; "
        "sfpi::vFloat r = 0.0f; "
        "v_if (_sfpu_is_fp16_zero_(v, %du)) {{ r = 1.0f; }} v_endif; "
        "sfpi::dst_reg[0] = r; sfpi::dst_reg++; }} }}" % size,
        with_zero(lambda x, y: x == y) if size
        else (lambda x: float(bits(x) == 0xFFFFC800)), anything,
        approximations=(0,), tol=(0, 0),
        why=MINUS_ZERO.format("ckernel_sfpu_is_fp16_zero.h") if size else "")

# ---- rounding ----
add("rounding_ops", "floor", "_calculate_floor_<{A}, 8>", lambda x: float(math.floor(x)), moderate,
    tol=(0, 0))
add("rounding_ops", "ceil", "_calculate_ceil_<{A}, 8>", lambda x: float(math.ceil(x)), moderate,
    tol=(0, 0))
add("rounding_ops", "trunc", "_calculate_trunc_<{A}, 8>", lambda x: float(math.trunc(x)), moderate,
    tol=(0, 0))
add("rounding_ops", "frac", "_calculate_frac_<{A}, 8>", lambda x: x - math.trunc(x), moderate,
    tol=(0, 0))
for places in (0, 1, -1):
    add("rounding_ops", f"round_{places}", "_calculate_round_<{A}, 8>",
        lambda x, p=places: float(round(x, p)), moderate, args=[places],
        approximations=(0,), tol=lambda a, dst: FINE if dst == "fp32" else BF16)
add("rounding_ops", "stochastic_round", "_calculate_stochastic_round_<{A}, 8>", lambda x: x,
    moderate, tol=(2.0**-7, 0))
add("cast_fp32_to_fp16a", "fp16a", "_cast_fp32_to_fp16a_<{A}, 8>",
    lambda x: x, uniform(-100.0, 100.0), args=[8], dsts="fp32", out_dst="fp16",
    tol=(2.0**-10, 2.0**-14))

# ---- exponential and its relatives ----
EXP = uniform(-20.0, 20.0, [0.0, 1.0, -1.0])
NEGATIVE = uniform(-20.0, 0.6, [0.0, 0.5, -1.0])  # the kernel's 16-bit integer ends at ln 2
for skip in (0, 1):
    for scale in (0, 1):
        for dst_args in (("exp", 0, 0), ("exp_fast", 1, 0), ("exp_clamped", 1, 1)):
            stem, fast, clamp = dst_args
            add("exp", f"{stem}{'_skip' if skip else ''}{'_scaled' if scale else ''}",
                "_calculate_exponential_<{A}, %s, 8, %s, %s, %s>" %
                (yes(scale), yes(fast), yes(skip), yes(clamp)),
                finite(lambda x, s=scale, f=fast:
                       math.exp(x * (0.5 if s and not f else 1))),
                NEGATIVE if fast and not clamp else SMALL, "exponential",
                ["(std::uint16_t)0x3f00"] if scale else ["(std::uint16_t)0x3f80"],
                "_init_exponential_<{A}, %s, 0x3f800000, %s>()" % (yes(fast), yes(clamp)),
                tol=(0.07, 0.06), macro=fast == 1,
                plain_why="Wormhole's ckernel_sfpu_exp.h, the form without SFPLOADMACRO has no "
                          "SFPNOP between SFPMAD and the SFP_STOCH_RND that reads its result",
                approximations=(0, 1) if not fast else (1,))
add("exp2", "exp2", "_calculate_exp2_<{A}, {D}, 8>", lambda x: 2.0**x, EXP, "exp2",
    setup="_init_exp2_<{A}>()", tol=(2e-2, 1e-6))
add("elu", "elu", "_calculate_elu_<{A}, {D}, 8>", lambda x: x if x > 0 else math.expm1(x),
    SMALL, "elu", ["0x3f800000u"], tol=(2e-2, 4e-3))
add("activations", "celu",
    "[] {{ _calculate_activation_<{A}, ActivationType::Celu, 8>(0x40000000u, 0x3f000000u); }}",
    lambda x: x if x > 0 else 2 * math.expm1(x / 2), SMALL, "celu",
    setup="_init_exponential_<{A}, false, 0x3f800000>()",
    tol=(5e-2, 5e-2),
    why="ckernel_sfpu_exp.h, the approximate form of _calculate_exponential_body_ takes the bits "
        "of the fixed-point constant away without having added the constant")
add("activations", "hardsigmoid",
    "[] {{ _calculate_activation_<{A}, ActivationType::Hardsigmoid, 8>(); }}",
    lambda x: min(max(x / 6 + 0.5, 0), 1), moderate, "hardsigmoid",
    setup="_init_hardsigmoid_<{A}>()", tol=lambda a, dst: FINE if dst == "fp32" else BF16)
add("sigmoid", "sigmoid", "_calculate_sigmoid_<{A}, 8>", sigmoid, moderate, "sigmoid", [8],
    "_init_sigmoid_<{A}>()", tol=APPROXIMATE)
add("silu", "silu", "_calculate_silu_<{A}, 8>", lambda x: x * sigmoid(x), SMALL, "silu",
    tol=APPROXIMATE)
add("tanh", "tanh", "_calculate_tanh_<{A}, 8>", math.tanh, SMALL, "tanh", [8],
    "_init_tanh_<{A}>()", tol=(0.16, 0.16))
for given in (0, 1):
    add("tanh_derivative", f"tanh_derivative_{given}",
        "_calculate_tanh_derivative_<{A}, %d, 8>" % given,
        (lambda x: 1 - x * x) if given else (lambda x: 1 - math.tanh(x) ** 2),
        uniform(-1.0, 1.0) if given else SMALL, "tanh_derivative", [8], "_init_tanh_<{A}>()",
        tol=(0.2, 0.2) if not given else (2.0**-7, 2.0**-7))
add("gelu", "gelu", "_calculate_gelu_<{A}, 8>", lambda x: x * normal_cdf(x), SMALL, "gelu",
    setup="_init_gelu_<{A}>()", tol=APPROXIMATE)
add("gelu", "gelu_derivative", "_calculate_gelu_derivative_<{A}, 8>", gelu_derivative, SMALL,
    "gelu_derivative", setup="_init_gelu_derivative_<{A}>()", tol=(0.1, 0.1))
for scaled in (0, 1):
    add("cdf", f"cdf_{scaled}",
        "[] {{ for (int d = 0; d < 8; d++) {{ sfpi::vFloat v = sfpi::dst_reg[0]; "
        "sfpi::dst_reg[0] = _calculate_cdf_appx_(v, %s); sfpi::dst_reg++; }} }}" % yes(scaled),
        lambda x, s=scaled: normal_cdf(x) * (x if s else 1), uniform(-2.4, 2.4),
        approximations=(0,), tol=(0.02, 0.02))

# ---- logarithms, roots, reciprocals ----
for scaled in (0, 1):
    add("log", f"log{'_scaled' if scaled else ''}", "_calculate_log_<{A}, %s, 8>" % yes(scaled),
        lambda x, s=scaled: math.log(x) * (1.5 if s else 1), POSITIVE, "log",
        [8, "0x3e00u"], "_init_log_<{A}>()", tol=(2e-2, 3e-2 if scaled else 2e-2))
for legacy in (0, 1):
    suffix = "_legacy" if legacy else ""
    bound = (within((0.07, 0), (2e-3, 0), (2.0**-6, 0)) if legacy
             else within(APPROXIMATE, (2e-6, 0)))
    add("recip", f"recip{suffix}", "_calculate_reciprocal_<{A}, 8, {D}, %s>" % yes(legacy),
        lambda x: 1 / x, SIGNED, "reciprocal", [8],
        "_init_reciprocal_<{A}, {D}, %s>()" % yes(legacy), tol=bound, macro=True)
    for fast in (0, 1):
        stem = f"{'_fast' if fast else ''}{suffix}"
        add("sqrt", f"sqrt{stem}", "_calculate_sqrt_<{A}, 8, {D}, %s, %s>" %
            (yes(fast), yes(legacy)), math.sqrt, POSITIVE, "sqrt", [8],
            "_init_sqrt_<{A}, %s>()" % yes(legacy), tol=bound)
        add("rsqrt", f"rsqrt{stem}", "_calculate_rsqrt_<{A}, 8, {D}, %s, %s>" %
            (yes(fast), yes(legacy)), lambda x: 1 / math.sqrt(x), POSITIVE, "rsqrt", [8],
            "_init_rsqrt_<{A}, %s>()" % yes(legacy), tol=bound)
for name, function, ins in (("sqrt", math.sqrt, POSITIVE),
                            ("rsqrt", lambda x: 1 / math.sqrt(x), POSITIVE),
                            ("reciprocal", lambda x: 1 / x, SIGNED)):
    add("rsqrt_compat", f"{name}_compat", "_calculate_%s_compat_<{A}, 8, {D}>" % name, function,
        ins, name, [8], "_init_sqrt_<{A}, true>()",
        tol=within((0.07, 0), (2e-3, 0), (2.0**-6, 0)))

# ---- trigonometry ----
ANGLE = uniform(-3.0, 3.0, [0.0])
add("trigonometry", "sine", "_calculate_sine_<{A}, 8>", math.sin, ANGLE, "sine", [8],
    tol=within((0.06, 0.06), (1e-2, 2e-3), (1e-2, 1e-2)))
add("trigonometry", "cosine", "_calculate_cosine_<{A}, 8>", math.cos, ANGLE, "cosine", [8],
    tol=within((0.06, 0.06), (1e-2, 2e-3), (1e-2, 1e-2)))
add("trigonometry", "acosh", "_calculate_acosh_<{A}, 8>", math.acosh, uniform(1.1, 50.0), "acosh",
    setup="_init_inverse_hyperbolic_<{A}>()", tol=(2e-2, 2e-2))
add("trigonometry", "asinh", "_calculate_asinh_<{A}, 8>", math.asinh, moderate, "asinh",
    setup="_init_inverse_hyperbolic_<{A}>()", tol=(2e-2, 2e-2))
add("trigonometry", "atanh", "_calculate_atanh_<{A}, {D}, 8>", math.atanh, uniform(-0.9, 0.9),
    "atanh", setup="_init_atanh_<{A}>()", tol=(2e-2, 2e-2))

# ---- constants and polynomials ----
LANE = "for (int d = 0; d < 8; d++) {{ %s sfpi::dst_reg++; }}"
add("polyval", "polyval5", "[] {{ " + LANE % "sfpi::vFloat v = sfpi::dst_reg[0]; "
    "sfpi::dst_reg[0] = "
    "POLYVAL5<sfpi::vFloat>(0.5f, -2.0f, 3.0f, 1.0f, 4.0f, v);" + " }}",
    lambda x: (((0.5 * x - 2) * x + 3) * x + 1) * x + 4, SMALL, approximations=(0,),
    tol=lambda a, dst: (1e-5, 1e-5) if dst == "fp32" else BF16)
add("polyval", "polyval7", "[] {{ " + LANE % "sfpi::vFloat v = sfpi::dst_reg[0]; "
    "sfpi::dst_reg[0] = "
    "POLYVAL7<sfpi::vFloat>(1.0f, 0.0f, 0.5f, -2.0f, 3.0f, 1.0f, 4.0f, v);" + " }}",
    lambda x: x**6 + (((0.5 * x - 2) * x + 3) * x + 1) * x + 4, SMALL, approximations=(0,),
    tol=lambda a, dst: (1e-5, 1e-4) if dst == "fp32" else BF16)
add("converter", "as_float", "[] {{ " + LANE % "sfpi::vFloat v = sfpi::dst_reg[0]; "
    "sfpi::dst_reg[0] = v * Converter::as_float(0x40490fdb);" + " }}",
    lambda x: product(x, from_bits(0x40490FDB)), moderate, approximations=(0,),
    tol=lambda a, dst: (0, 0) if dst == "fp32" else BF16)
add("fill", "fill", "_calculate_fill_<{A}, 8>", lambda x: from_bits(0x3DFCD6EA), moderate, "fill",
    ["0.123456789f"])
add("fill", "fill_bitcast", "_calculate_fill_bitcast_<{A}, 8>", lambda x: from_bits(0xC1234567),
    moderate, "fill", ["0xc1234567u"])
for name, call, value in (
        ("imm32", "_sfpu_load_imm32_(p_sfpu::LREG1, 0x40490fdb)", 0x40490FDB),
        ("config32", "_sfpu_load_config32_(12, 0x4049, 0x0fdb); "
                     "TTI_SFPMOV(0, 12, p_sfpu::LREG1, 0)", 0x40490FDB),
        ("imm16", "_sfpu_load_imm16_(p_sfpu::LREG1, 0x1234)", 0x1234)):
    mode = "InstrModLoadStore::INT32"
    ROWS.append(Row("load_config", name, init("unary"),
                    unary("[] { %s; for (int d = 0; d < 8; d++) { TTI_SFPSTORE(p_sfpu::LREG1, %s, "
                          "ADDR_MOD_3, 0); sfpi::dst_reg++; } }" % (call, mode)),
                    [moderate], lambda x, v=value: from_bits(v)))

# ---- two numbers ----
PAIRS = {
    "ADD": (lambda a, b: a + b, moderate, moderate, FINE),
    "SUB": (lambda a, b: a - b, moderate, moderate, FINE),
    "RSUB": (lambda a, b: b - a, moderate, moderate, FINE),
    "MUL": (lambda a, b: a * b, moderate, moderate, FINE),
    "DIV": (lambda a, b: a / b, moderate, SIGNED, (1e-5, 1e-6)),
    "POW": (lambda a, b: a**b, uniform(0.1, 8.0), uniform(-3.0, 3.0), (6e-2, 1e-3)),
    "XLOGY": (lambda a, b: a * math.log(b), moderate, POSITIVE, (3e-2, 0.2))}
for op, (function, first, second, bound) in PAIRS.items():
    for dst in ("fp32", "bf16"):
        for a in (0, 1):
            ROWS.append(Row(
                "binary", f"{op.lower()}{'_approx' if a else ''}_{dst}",
                init("binary", "add1", f"_sfpu_binary_init_<{yes(a)}, BinaryOp::{op}>()"),
                binary(f"_calculate_sfpu_binary_<{yes(a)}, BinaryOp::{op}, 8>"),
                [first, second], finite(function), dst=dst,
                tol=bound if dst == "fp32" else tuple(max(p) for p in zip(bound, BF16))))
