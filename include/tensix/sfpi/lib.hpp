/* SPDX-License-Identifier: Apache-2.0 */
/* SFPI's functions, by their present and their older names. Part of sfpi.hpp. */
#ifndef TENSIX_SFPI_LIB_HPP
#define TENSIX_SFPI_LIB_HPP

#include <tensix/sfpi/ops.hpp>

#include <utility>

namespace sfpi
{

template <typename T, typename Base>
using if_is = std::enable_if_t<std::is_base_of_v<Base, T>, int>;
template <typename T> using if_vector = std::enable_if_t<is_vector<T>, int>;

/* ---- parts of a float ---- */

/* The older interface passes 0 and 1, the newer one names. */
struct ExponentMode {
    enum Values { Unbiased, Biased, Debias = Unbiased, NoDebias = Biased } is;
    constexpr ExponentMode(Values value) : is(value)
    {
    }
};
enum class MantissaMode { FractionOnly, WithUnitBit, ImplicitOne = WithUnitBit };

inline vInt exexp(vFloat v, ExponentMode mode = ExponentMode::Unbiased)
{
    return vInt(impl_::unary(TT_OP_SFPEXEXP(0, 0, 0, unsigned(mode.is)), v.take()));
}
inline vInt exexp_nodebias(vFloat v)
{
    return exexp(std::move(v), ExponentMode::Biased);
}
inline vMag exman(vFloat v, MantissaMode mode = MantissaMode::FractionOnly)
{
    return vMag(impl_::unary(TT_OP_SFPEXMAN(0, 0, 0, mode == MantissaMode::FractionOnly ? 1u : 0u),
                             v.take()));
}
/* exman8 includes the bit that FP32 omits, below 8 zeros; exman9 does not. */
inline vInt exman8(vFloat v)
{
    return vInt(exman(std::move(v), MantissaMode::WithUnitBit).take());
}
inline vInt exman9(vFloat v)
{
    return vInt(exman(std::move(v)).take());
}
template <typename T, if_vector<T> = 0> vUInt exsgn(T v)
{
    return vUInt(impl_::shift(v.take(), -31, false));
}

inline vFloat setexp(vFloat v, int exponent)
{
    return vFloat(impl_::unary(TT_OP_SFPSETEXP(exponent, 0, 0, 1), v.take()));
}
inline vFloat setexp(vFloat v, vInt exponent)
{
    return vFloat(impl_::binary(TT_OP_SFPSETEXP(0, 0, 0, 0), v.take(), exponent.take()));
}
inline vFloat copyexp(vFloat v, vFloat exponent)
{
    return vFloat(impl_::binary(TT_OP_SFPSETEXP(0, 0, 0, 2), v.take(), exponent.take()));
}
inline vFloat addexp(vFloat v, int exponent)
{
    return vFloat(
        impl_::unary(TT_OP_SFPDIVP2(impl_::signed_field(exponent, 8) & 0xff, 0, 0, 1), v.take()));
}
/* Sets the upper 12 bits of the mantissa, as the instruction does. */
template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
vFloat setman(vFloat v, T mantissa)
{
    return vFloat(impl_::unary(TT_OP_SFPSETMAN(mantissa, 0, 0, 1), v.take()));
}
template <typename T, if_vector<T> = 0> vFloat setman(vFloat v, T mantissa)
{
    return vFloat(impl_::binary(TT_OP_SFPSETMAN(0, 0, 0, 0), v.take(), mantissa.take()));
}
inline vFloat copyman(vFloat v, vFloat mantissa)
{
    return setman(std::move(v), std::move(mantissa));
}

namespace impl_
{
/* A number without sign becomes sign and magnitude when its sign is set. */
template <typename T> using signed_t = std::conditional_t<std::is_base_of_v<vUInt, T>, vSMag, T>;
} // namespace impl_

template <typename T, if_vector<T> = 0> impl_::signed_t<T> setsgn(T v, int sign)
{
    return impl_::signed_t<T>(impl_::unary(TT_OP_SFPSETSGN(sign, 0, 0, 1), v.take()));
}
template <typename T, typename S, if_vector<T> = 0, if_vector<S> = 0>
impl_::signed_t<T> copysgn(T v, S sign)
{
    return impl_::signed_t<T>(impl_::binary(TT_OP_SFPSETSGN(0, 0, 0, 0), v.take(), sign.take()));
}
template <typename T, typename S, if_vector<T> = 0, if_vector<S> = 0>
impl_::signed_t<T> setsgn(T v, S sign)
{
    return copysgn(std::move(v), std::move(sign));
}
/* Takes the sign from bit 0. */
template <typename T, typename S, if_vector<T> = 0, if_vector<S> = 0> T setsgn2(T v, S sign)
{
    return T(copysgn(std::move(v), vUInt(sign.take()) << 31).take());
}

inline vFloat abs(vFloat v)
{
    return vFloat(impl_::unary(TT_OP_SFPABS(0, 0, 0, 1), v.take()));
}
inline vMag abs(vInt v)
{
    return vMag(impl_::unary(TT_OP_SFPABS(0, 0, 0, 0), v.take()));
}
inline vMag abs(vSMag v)
{
    return vMag(setsgn(std::move(v), 0).take());
}

enum class LdexpMode { Correct, Fast };
inline vFloat ldexp(vFloat v, int scale, LdexpMode = LdexpMode::Correct)
{
    return addexp(std::move(v), scale);
}
inline vFloat ldexp(vFloat v, vInt scale, LdexpMode mode = LdexpMode::Correct)
{
    const trace::handle number = v.get();
    if (mode == LdexpMode::Fast) {
        return setexp(std::move(v), exexp(vFloat(number), ExponentMode::Biased) + std::move(scale));
    }
    return std::move(v) * setexp(vFloat(0.0f, nullptr, 0), std::move(scale) + 127);
}

/* ---- integers ---- */

enum class LZMode { All, IgnoreSign };
template <typename T, if_vector<T> = 0> vMag lz(T v, LZMode mode = LZMode::All)
{
    return vMag(impl_::unary(TT_OP_SFPLZ(0, 0, 0, mode == LZMode::All ? 0u : 4u), v.take()));
}
template <typename T, if_vector<T> = 0> vInt lz_nosgn(T v)
{
    return vInt(lz(std::move(v), LZMode::IgnoreSign).take());
}

/* A negative amount shifts to the right. Wormhole has only logical shifts. */
enum class ShiftMode { Logical, Arithmetic };

namespace impl_
{
inline bool keeps_sign(ShiftMode mode)
{
    if (!trace::BLACKHOLE && mode == ShiftMode::Arithmetic) {
        auto &t = trace::tracer::current();
        t.fail(t.here, "Wormhole has no shift that keeps the sign");
    }
    return mode == ShiftMode::Arithmetic;
}
} // namespace impl_

inline vUInt shft(vUInt v, int amount, ShiftMode mode = ShiftMode::Logical)
{
    return vUInt(impl_::shift(v.take(), amount, impl_::keeps_sign(mode)));
}
inline vUInt shft(vUInt v, vInt amount, ShiftMode mode = ShiftMode::Logical)
{
    return vUInt(impl_::shift(v.take(), amount.take(), impl_::keeps_sign(mode)));
}
inline vInt shft(vInt v, int amount, ShiftMode mode = ShiftMode::Arithmetic)
{
    return vInt(impl_::shift(v.take(), amount, impl_::keeps_sign(mode)));
}
inline vInt shft(vInt v, vInt amount, ShiftMode mode = ShiftMode::Arithmetic)
{
    return vInt(impl_::shift(v.take(), amount.take(), impl_::keeps_sign(mode)));
}

/* ---- what a float is ---- */

inline vBool is_nan(vFloat v)
{
    const trace::handle number = v.get();
    return exexp(std::move(v), ExponentMode::Biased) >= 255 && exman(vFloat(number)) != 0;
}
inline vBool is_inf(vFloat v)
{
    const trace::handle number = v.get();
    return exexp(std::move(v), ExponentMode::Biased) >= 255 && exman(vFloat(number)) == 0;
}
inline vBool is_finite(vFloat v)
{
    return exexp(std::move(v), ExponentMode::Biased) < 255;
}
inline vBool is_normal(vFloat v)
{
    const vInt exponent = exexp(std::move(v), ExponentMode::Biased);
    return vInt(exponent.get()) < 255 && vInt(exponent.get()) != 0;
}
inline vBool is_subnormal(vFloat v)
{
    const trace::handle number = v.get();
    return exexp(std::move(v), ExponentMode::Biased) == 0 && exman(vFloat(number)) != 0;
}
inline vBool is_zero(vFloat v)
{
    return (vUInt(v.take()) << 1) == 0;
}
inline vBool is_neg(vFloat v)
{
    return vBool(vBool::test::lt0, v.take());
}
inline vBool is_pos(vFloat v)
{
    return vBool(vBool::test::ge0, v.take());
}

/* ---- tables ---- */

namespace impl_
{

template <std::size_t N>
vFloat lookup(std::uint32_t word, const vFloat &v, const trace::handle (&table)[N])
{
    static constexpr int registers[] = {0, 1, 2, 4, 5, 6};
    auto &t = trace::tracer::current();
    trace::instruction i(word);
    i.reads(t.id(v.get()), trace::field::none, 3);
    for (std::size_t n = 0; n < N; n++) {
        i.reads(t.id(table[n]), trace::field::none, registers[n]);
    }
    return vFloat(t.made_by(i));
}

/* A table of three FP16 pairs writes to the register that L7 names, which here is L7 itself. */
inline vFloat lookup3(unsigned mode, const vFloat &v, const trace::handle (&table)[3])
{
    auto &t = trace::tracer::current();
    trace::handle seven = t.constant(7);
    trace::handle result = t.changeable(seven);
    trace::instruction i(TT_OP_SFPLUTFP32(7, mode));
    i.reads(t.id(v.get()), trace::field::none, 3);
    for (int n = 0; n < 3; n++) {
        i.reads(t.id(table[n]), trace::field::none, n);
    }
    t.add(i.changes(result->id, trace::field::none, 7));
    return vFloat(t.changeable(result)); /* so that L7 is free again */
}

} // namespace impl_

/*
 * Three pairs of 8-bit numbers, for |v| < 1, |v| < 2, and the rest. The result has v's sign (lut)
 * or its own (lut_sign).
 */
inline vFloat lut(vFloat v, vUInt l0, vUInt l1, vUInt l2)
{
    return impl_::lookup(TT_OP_SFPLUT(0, 4, 0), v, {l0.take(), l1.take(), l2.take()});
}
inline vFloat lut_sign(vFloat v, vUInt l0, vUInt l1, vUInt l2)
{
    return impl_::lookup(TT_OP_SFPLUT(0, 0, 0), v, {l0.take(), l1.take(), l2.take()});
}
/* Three pairs of FP16. */
inline vFloat lut2(vFloat v, vUInt l0, vUInt l1, vUInt l2)
{
    return impl_::lookup3(14, v, {l0.take(), l1.take(), l2.take()});
}
inline vFloat lut2_sign(vFloat v, vUInt l0, vUInt l1, vUInt l2)
{
    return impl_::lookup3(10, v, {l0.take(), l1.take(), l2.take()});
}
/* Three pairs of FP32. */
inline vFloat lut2(vFloat v, vFloat a0, vFloat a1, vFloat a2, vFloat b0, vFloat b1, vFloat b2)
{
    return impl_::lookup(TT_OP_SFPLUTFP32(0, 4), v,
                         {a0.take(), a1.take(), a2.take(), b0.take(), b1.take(), b2.take()});
}
inline vFloat lut2_sign(vFloat v, vFloat a0, vFloat a1, vFloat a2, vFloat b0, vFloat b1, vFloat b2)
{
    return impl_::lookup(TT_OP_SFPLUTFP32(0, 0), v,
                         {a0.take(), a1.take(), a2.take(), b0.take(), b1.take(), b2.take()});
}
/* Six pairs of FP16. The last one is for |v| of 3 and above (mode 1) or 4 and above. */
inline vFloat lut2(vFloat v, vUInt a01, vUInt a23, vUInt a45, vUInt b01, vUInt b23, vUInt b45,
                   int mode = 1)
{
    return impl_::lookup(TT_OP_SFPLUTFP32(0, mode == 1 ? 6 : 7), v,
                         {a01.take(), a23.take(), a45.take(), b01.take(), b23.take(), b45.take()});
}
inline vFloat lut2_sign(vFloat v, vUInt a01, vUInt a23, vUInt a45, vUInt b01, vUInt b23, vUInt b45,
                        int mode = 1)
{
    return impl_::lookup(TT_OP_SFPLUTFP32(0, mode == 1 ? 2 : 3), v,
                         {a01.take(), a23.take(), a45.take(), b01.take(), b23.take(), b45.take()});
}

/* ---- conversions ---- */

/* The older interface passes 0 and 1. Only Blackhole has Zero. */
struct RoundMode {
    enum Values {
        NearestAway = 0,
        Nearest = NearestAway,
        NearestEven = NearestAway,
        NearestStochastic = 1,
        Stochastic = NearestStochastic,
        Zero = 2
    };
    int is;
    constexpr RoundMode(Values value) : is(value)
    {
    }
    constexpr RoundMode(int value) : is(value)
    {
    }
};

namespace impl_
{
/* Rounds v. It stays, because in each mode it steps the generator of random numbers. */
inline trace::handle rounded(const trace::handle &v, const trace::handle &scale, unsigned kind,
                             RoundMode mode, unsigned descale = 0)
{
    auto &t = trace::tracer::current();
    trace::instruction i(TT_OP_SFP_STOCH_RND(mode.is, descale, 0, 0, 0, kind));
    const int source = t.id(v);
    const int by = t.id(scale);
    return t.made_by(i.stays().reads(by, trace::field::vb).reads(source, trace::field::vc));
}
inline trace::handle rounded(const trace::handle &v, unsigned kind, RoundMode mode,
                             unsigned descale = 0)
{
    return rounded(v, v, kind, mode, descale);
}
} // namespace impl_

/* The results of float_to_int8 and _int16 are sign and magnitude, whatever the type. */
#define TX_SFPI_ROUND(type, name, kind)                                \
    inline type name(vFloat v, RoundMode mode = RoundMode::Stochastic) \
    {                                                                  \
        return type(impl_::rounded(v.take(), kind, mode));             \
    }
TX_SFPI_ROUND(vFloat, float_to_fp16a, 0)
TX_SFPI_ROUND(vFloat, float_to_fp16b, 1)
TX_SFPI_ROUND(vUInt, float_to_uint8, 2)
TX_SFPI_ROUND(vInt, float_to_int8, 3)
TX_SFPI_ROUND(vUInt, float_to_uint16, 6)
TX_SFPI_ROUND(vInt, float_to_int16, 7)
#undef TX_SFPI_ROUND
#define TX_SFPI_DESCALE(type, name, kind)                                              \
    inline type name(vInt v, vUInt descale, RoundMode mode = RoundMode::Stochastic)    \
    {                                                                                  \
        return type(impl_::rounded(v.take(), descale.take(), kind, mode));             \
    }                                                                                  \
    inline type name(vInt v, unsigned descale, RoundMode mode = RoundMode::Stochastic) \
    {                                                                                  \
        return type(impl_::rounded(v.take(), kind | 8, mode, descale));                \
    }
TX_SFPI_DESCALE(vUInt, int32_to_uint8, 4)
TX_SFPI_DESCALE(vInt, int32_to_int8, 5)
#undef TX_SFPI_DESCALE

/* The argument is sign and magnitude, whatever the type. */
template <typename T, if_vector<T> = 0>
vFloat int32_to_float(T v, RoundMode mode = RoundMode::Stochastic)
{
    auto &t = trace::tracer::current();
    trace::instruction i(TT_OP_SFPCAST(0, 0, mode.is == RoundMode::Stochastic ? 1u : 0u));
    i.keeps = mode.is == RoundMode::Stochastic;
    return vFloat(t.made_by(i.reads(t.id(v.get()), trace::field::vc)));
}

namespace impl_
{
/* Converts between two's complement and sign and magnitude, in either direction. */
inline trace::handle turn_negative(const trace::handle &v)
{
    auto &t = trace::tracer::current();
    vInt result(v);
    CC lanes;
    lanes.push(t.here.file, t.here.line).cond(vBool(vBool::test::lt0, v));
    result = vInt(0, t.here.file, t.here.line) - setsgn(vInt(v), 0);
    return result.get();
}
inline vSMag int_to_smag(vInt v)
{
    return vSMag(trace::BLACKHOLE ? unary(TT_OP_SFPCAST(0, 0, 3), v.take())
                                  : turn_negative(v.take()));
}
inline vInt smag_to_int(vSMag v)
{
    return vInt(turn_negative(v.take()));
}
template <typename> inline constexpr bool never = false;
} // namespace impl_

/* Converts the value: between vFloat and its short kinds, vSMag, vInt, vMag and vUInt16. */
template <typename To, typename From, if_vector<To> = 0, if_vector<From> = 0>
To convert(From v, RoundMode mode = RoundMode::NearestStochastic)
{
    constexpr bool to_float = std::is_base_of_v<vFloat, To>;
    if constexpr (std::is_same_v<To, From>) {
        return v;
    } else if constexpr (std::is_base_of_v<vFloat, From>) {
        constexpr int kind = std::is_same_v<To, vFloat16a>   ? 0
                             : std::is_same_v<To, vFloat16b> ? 1
                             : std::is_same_v<To, vUInt8>    ? 2
                             : std::is_same_v<To, vSMag8>    ? 3
                             : std::is_same_v<To, vUInt16>   ? 6
                             : std::is_same_v<To, vSMag16>   ? 7
                                                             : -1;
        static_assert(kind >= 0, "no instruction converts a vFloat to this type");
        return To(impl_::rounded(v.take(), unsigned(kind), mode));
    } else if constexpr (std::is_base_of_v<vInt, From>) {
        return convert<To>(impl_::int_to_smag(std::move(v)), mode);
    } else if constexpr (to_float) {
        return convert<To>(int32_to_float(std::move(v), mode), mode);
    } else if constexpr (std::is_same_v<To, vInt> && std::is_base_of_v<vSMag, From>) {
        return impl_::smag_to_int(std::move(v));
    } else if constexpr (std::is_base_of_v<vUInt, From>) {
        return To(v.take());
    } else {
        static_assert(impl_::never<To>, "no instruction converts this type to that");
    }
}

/* ---- Blackhole ---- */

namespace impl_
{
inline void wormhole_has_none()
{
    auto &t = trace::tracer::current();
    if (!trace::BLACKHOLE) {
        t.fail(t.here, "Wormhole has no such instruction");
    }
}
/* Wormhole has no macros for these instructions, so the words are made from their rows. */
inline std::uint32_t with_mode(tx_insn_id insn, unsigned mode)
{
    return trace::with(TX_INSN_WORD(insn), trace::field::mod, mode);
}
inline trace::handle approximate(std::uint32_t word, const trace::handle &v)
{
    wormhole_has_none();
    return unary(word, v);
}
inline trace::handle blackhole(std::uint32_t word, const trace::handle &a, trace::field a_at,
                               const trace::handle &b, trace::field b_at)
{
    wormhole_has_none();
    auto &t = trace::tracer::current();
    return t.made_by(trace::instruction(word).reads(t.id(a), a_at).reads(t.id(b), b_at));
}
} // namespace impl_

enum class RecipMode { All, IfNegative };
inline vFloat approx_recip(vFloat v, RecipMode mode = RecipMode::All)
{
    if (mode == RecipMode::All) {
        return vFloat(impl_::approximate(impl_::with_mode(TX_INSN_SFPARECIP, 0), v.take()));
    }
    /* VB decides on the lanes; the reciprocal is of VC. */
    return vFloat(impl_::blackhole(impl_::with_mode(TX_INSN_SFPARECIP, 1), v.get(),
                                   trace::field::vb, v.get(), trace::field::vc));
}
template <bool uncond> vFloat approx_recip(vFloat v)
{
    return approx_recip(std::move(v), uncond ? RecipMode::All : RecipMode::IfNegative);
}
inline vFloat approx_exp(vFloat v)
{
    return vFloat(impl_::approximate(impl_::with_mode(TX_INSN_SFPARECIP, 2), v.take()));
}
enum class FractionalHalf { Low, High };
template <typename A, typename B, if_vector<A> = 0, if_vector<B> = 0>
vMag fractional_mul(A a, B b, FractionalHalf half = FractionalHalf::Low)
{
    const unsigned zero = 9; /* the constant register that VC must name */
    const std::uint32_t word =
        trace::with(impl_::with_mode(TX_INSN_SFPMUL24, half == FractionalHalf::Low ? 0 : 1),
                    trace::field::vc, zero);
    return vMag(impl_::blackhole(word, a.get(), trace::field::va, b.get(), trace::field::vb));
}
inline vInt fractional_mul(vInt a, vInt b, FractionalHalf half = FractionalHalf::Low)
{
    return vInt(fractional_mul(vUInt(a.take()), vUInt(b.take()), half).take());
}
/* Rounds to the nearest integer, as a float and as an integer. Correct below 2^22. */
struct FloatInt : std::pair<vFloat, vInt> {
    using pair::pair;
    operator vFloat() const
    {
        return first;
    }
    operator vInt() const
    {
        return second;
    }
};
inline FloatInt round(vFloat v)
{
    const vFloat magic(12582912.0f, nullptr, 0); /* 1.5 * 2^23 */
    const vFloat moved = std::move(v) + vFloat(magic.get());
    return {vFloat(moved.get()) - vFloat(magic.get()), vInt(moved.get()) - vInt(magic.get())};
}
/* Returns the state of the random generator, which then steps. On Wormhole too. */
inline vInt rand()
{
    return vInt(
        trace::tracer::current().made_by(trace::instruction(TT_OP_SFPMOV(0, 9, 0, 8)).stays()));
}

/* Returns c0 + x (c1 + x (c2 + ...)). */
inline vFloat polynomial(vFloat)
{
    return vFloat(0.0f, nullptr, 0);
}
template <typename C, typename... Rest> vFloat polynomial(vFloat x, C c0, Rest... rest)
{
    if constexpr (sizeof...(rest) == 0) {
        return vFloat(std::move(c0));
    } else {
        vFloat again(x.get());
        return vFloat(std::move(c0)) +
               std::move(again) * polynomial(std::move(x), std::move(rest)...);
    }
}

} // namespace sfpi

#endif
