/* SPDX-License-Identifier: Apache-2.0 */
/* SFPI's types: variables whose values are recorded. Part of sfpi.hpp. */
#ifndef TENSIX_SFPI_TYPES_HPP
#define TENSIX_SFPI_TYPES_HPP

#include <tensix/sfpi/settle.hpp>

#include <type_traits>

#define sfpi_inline inline

/* The line of the caller. Every copy of a variable that an operator takes passes it on. */
#define TX_SFPI_CALLER const char *file = __builtin_FILE(), unsigned line = __builtin_LINE()

namespace sfpi
{

using Fuse = trace::Fuse;

/* Sets the rule for the rest of the thread's recording. */
inline void fuse(Fuse how, TX_SFPI_CALLER)
{
    trace::tracer::at(file, line).fuse = how;
}

enum class DataLayout {
    Default,
    FSrcB,
    F32,
    F16a,
    F16b,
    I32,
    U32,
    U16,
    SM32,
    SM16,
    M32,
    LO16,
    HI16
};

class vFloat;
class vInt;
class vUInt;
class vSMag;
class vBool;

namespace impl_
{

inline std::uint32_t float_as_uint(float number)
{
    std::uint32_t bits = 0;
    std::memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* A variable. It has no value until something is assigned to it. */
class vVal
{
  public:
    vVal() = default;
    explicit vVal(trace::handle held) : held_(std::move(held))
    {
    }
    const trace::handle &get() const
    {
        return held_;
    }
    /*
     * Takes the value out, so that the time at which a compiler destroys arguments does not matter.
     */
    trace::handle take()
    {
        return std::move(held_);
    }
    void set(const trace::handle &to)
    {
        trace::tracer::current().assign(held_, to);
    }

  protected:
    trace::handle held_;
};

/* The members that all variables have: copies that know the caller, and assignment. */
#define TX_SFPI_VARIABLE(type, base)                            \
    type() = default;                                           \
    type(const type &other, TX_SFPI_CALLER) : base(other.held_) \
    {                                                           \
        trace::tracer::at(file, line);                          \
    }                                                           \
    type(type &&other) noexcept : base(std::move(other.held_))  \
    {                                                           \
    }                                                           \
    explicit type(trace::handle held) : base(std::move(held))   \
    {                                                           \
    }                                                           \
    type &operator=(const type &other)                          \
    {                                                           \
        this->set(other.held_);                                 \
        return *this;                                           \
    }

#define TX_SFPI_KIND(type, base)     \
    class type : public base         \
    {                                \
      public:                        \
        TX_SFPI_VARIABLE(type, base) \
    };

inline trace::handle constant(std::uint32_t bits, const char *file, unsigned line)
{
    return trace::tracer::at(file, line).constant(bits);
}

/* Records VD = op VC. The word has no register numbers yet. */
inline trace::handle unary(std::uint32_t word, const trace::handle &c)
{
    auto &t = trace::tracer::current();
    return t.made_by(trace::instruction(word).reads(t.id(c), trace::field::vc));
}

/* Records VD = VC op VD. */
inline trace::handle binary(std::uint32_t word, const trace::handle &c, const trace::handle &d)
{
    auto &t = trace::tracer::current();
    const int source = t.id(c);
    trace::handle result = t.changeable(d);
    t.add(trace::instruction(word)
              .reads(source, trace::field::vc)
              .changes(result->id, trace::field::vd));
    return result;
}

/* Records VD = op VD, with an immediate in the word. */
inline trace::handle change(std::uint32_t word, const trace::handle &d)
{
    auto &t = trace::tracer::current();
    trace::handle result = t.changeable(d);
    t.add(trace::instruction(word).changes(result->id, trace::field::vd));
    return result;
}

inline trace::handle arithmetic(trace::kind kind, const trace::handle &a, const trace::handle &b,
                                bool minus = false, bool apart = false)
{
    auto &t = trace::tracer::current();
    trace::instruction i(0, kind);
    i.minus_addend = minus;
    i.apart = apart;
    return t.made_by(i.reads(t.id(a)).reads(t.id(b)), trace::field::none);
}

/* Checks that a number fits into a signed field of this width. Returns the field. */
inline unsigned signed_field(int number, int bits)
{
    auto &t = trace::tracer::current();
    if (number < -(1 << (bits - 1)) || number >= 1 << (bits - 1)) {
        t.fail(t.here, "%d does not fit in %d bits", number, bits);
    }
    return unsigned(number) & ((1u << bits) - 1);
}

} // namespace impl_

/* 16-bit immediates: FP16 (a) and BF16 (b). A float is truncated to BF16. */
class sFloat16a
{
  public:
    explicit sFloat16a(float) = delete;
    explicit sFloat16a(std::uint32_t bits) : bits_(bits & 0xffff)
    {
    }
    explicit sFloat16a(int bits) : sFloat16a(std::uint32_t(bits))
    {
    }
    std::uint32_t get() const
    {
        return bits_;
    }
    /* Returns the number as SFPLOADI expands it: there are no denormals and no infinity. */
    std::uint32_t as_float() const
    {
        return (bits_ & 0x8000) << 16 | ((bits_ >> 10 & 31) + 112) << 23 | (bits_ & 0x3ff) << 13;
    }

  private:
    std::uint32_t bits_;
};

class sFloat16b
{
  public:
    explicit sFloat16b(float number) : bits_(impl_::float_as_uint(number) >> 16)
    {
    }
    explicit sFloat16b(double number) : sFloat16b(float(number))
    {
    }
    explicit sFloat16b(std::uint32_t bits) : bits_(bits & 0xffff)
    {
    }
    explicit sFloat16b(int bits) : sFloat16b(std::uint32_t(bits))
    {
    }
    std::uint32_t get() const
    {
        return bits_;
    }

  private:
    std::uint32_t bits_;
};
using s2vFloat16a = sFloat16a;
using s2vFloat16b = sFloat16b;

/*
 * For sources written before sfpi 7: either of the two. A float becomes FP16 with ties rounded up.
 */
class s2vFloat16
{
  public:
    enum Format { fp16a = SFPLOADI_MOD0_FLOATA, fp16b = SFPLOADI_MOD0_FLOATB };

    s2vFloat16(float number, Format format = fp16b)
        : s2vFloat16(format == fp16a ? half(impl_::float_as_uint(number))
                                     : impl_::float_as_uint(number) >> 16,
                     format)
    {
    }
    s2vFloat16(std::int32_t bits, Format format = fp16b) : s2vFloat16(std::uint32_t(bits), format)
    {
    }
    s2vFloat16(std::uint32_t bits, Format format = fp16b) : bits_(bits & 0xffff), format_(format)
    {
    }
    s2vFloat16 negate() const
    {
        return s2vFloat16(bits_ ^ 0x8000, format_);
    }
    std::uint32_t get() const
    {
        return bits_;
    }
    std::uint32_t get_format() const
    {
        return format_;
    }
    std::uint32_t as_float() const
    {
        return format_ == fp16a ? sFloat16a(bits_).as_float() : bits_ << 16;
    }

  private:
    std::uint32_t bits_;
    Format format_;

    static std::uint32_t half(std::uint32_t bits)
    {
        const std::uint32_t sign = bits >> 16 & 0x8000;
        const std::uint32_t rounded = (bits & 0x7fffffff) + 0x1000;
        if (rounded >= 0x47800000) { /* 65536 and more, infinity, NaN */
            return sign | 0x7fff;
        }
        if (rounded < 0x38800000) { /* below 2^-14 in steps of 2^-24 */
            const unsigned shift = 126u - (rounded >> 23);
            const std::uint32_t fraction = (bits & 0x7fffff) | 0x800000;
            return sign | (shift > 25 ? 0 : (fraction >> (shift - 1)) + 1) >> 1;
        }
        return sign | (rounded - 0x38000000) >> 13;
    }
};

#define TX_SFPI_COUNTED(type)    \
    inline type operator++(int); \
    inline type &operator++();   \
    inline type operator--(int); \
    inline type &operator--();

class vFloat : public impl_::vVal
{
  public:
    TX_SFPI_VARIABLE(vFloat, vVal)
    vFloat(float number, TX_SFPI_CALLER)
        : vVal(impl_::constant(impl_::float_as_uint(number), file, line))
    {
    }
    vFloat(sFloat16a bits, TX_SFPI_CALLER) : vVal(impl_::constant(bits.as_float(), file, line))
    {
    }
    vFloat(s2vFloat16 bits, TX_SFPI_CALLER) : vVal(impl_::constant(bits.as_float(), file, line))
    {
    }
    vFloat(sFloat16b bits, TX_SFPI_CALLER) : vVal(impl_::constant(bits.get() << 16, file, line))
    {
    }
    inline vFloat &operator+=(vFloat);
    inline vFloat &operator-=(vFloat);
    inline vFloat &operator*=(vFloat);
    TX_SFPI_COUNTED(vFloat)
};

/* FP32 whose lower bits are zero, as in FP16 and BF16. */
TX_SFPI_KIND(vFloat16a, vFloat)
TX_SFPI_KIND(vFloat16b, vFloat)

template <typename T> inline constexpr bool is_vector = std::is_base_of_v<impl_::vVal, T>;

/*
 * What an integer variable is made of, the bits of one of the other kind among it, and the
 * operators that change it. T is a template's argument so
 * that the operators themselves may be defined later.
 */
#define TX_SFPI_CHANGED_BY(type, op)                      \
    template <typename T> type &operator op##=(T b)       \
    {                                                     \
        return *this = type(type(held_) op std::move(b)); \
    }
#define TX_SFPI_INTEGER(type, other)                                               \
    TX_SFPI_VARIABLE(type, vVal)                                                   \
    template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>        \
    type(T number, TX_SFPI_CALLER)                                                 \
        : vVal(impl_::constant(static_cast<std::uint32_t>(number), file, line))    \
    {                                                                              \
    }                                                                              \
    template <typename T, std::enable_if_t<std::is_base_of_v<other, T>, long> = 0> \
    type(T bits) : vVal(bits.take())                                               \
    {                                                                              \
    }                                                                              \
    TX_SFPI_CHANGED_BY(type, +)                                                    \
    TX_SFPI_CHANGED_BY(type, -)                                                    \
    TX_SFPI_CHANGED_BY(type, &)                                                    \
    TX_SFPI_CHANGED_BY(type, |)                                                    \
    TX_SFPI_CHANGED_BY(type, ^)                                                    \
    TX_SFPI_CHANGED_BY(type, <<)                                                   \
    TX_SFPI_CHANGED_BY(type, >>)                                                   \
    TX_SFPI_COUNTED(type)

/* Two's complement, or any bits. */
class vInt : public impl_::vVal
{
  public:
    TX_SFPI_INTEGER(vInt, vUInt)
};

class vUInt : public impl_::vVal
{
  public:
    TX_SFPI_INTEGER(vUInt, vInt)
};

/* Numbers without sign, of 31, 16 and 8 bits. */
class vMag : public vUInt
{
  public:
    TX_SFPI_VARIABLE(vMag, vUInt)
    explicit vMag(std::uint32_t number, TX_SFPI_CALLER) : vUInt(number, file, line)
    {
    }
};
TX_SFPI_KIND(vUInt16, vMag)
TX_SFPI_KIND(vUInt8, vUInt16)

/* Sign and magnitude. */
class vSMag : public impl_::vVal
{
  public:
    TX_SFPI_VARIABLE(vSMag, vVal)
    explicit vSMag(std::uint32_t bits, TX_SFPI_CALLER) : vVal(impl_::constant(bits, file, line))
    {
    }
};
TX_SFPI_KIND(vSMag16, vSMag)
TX_SFPI_KIND(vSMag8, vSMag16)

#undef TX_SFPI_VARIABLE
#undef TX_SFPI_KIND
#undef TX_SFPI_COUNTED
#undef TX_SFPI_CHANGED_BY
#undef TX_SFPI_INTEGER

/* Returns the same bits as another type. */
template <typename To, typename From, std::enable_if_t<is_vector<To> && is_vector<From>, int> = 0>
To as(From from)
{
    return To(from.take());
}
template <typename To, typename From> To reinterpret(From from)
{
    return To(impl_::vVal(from).take());
}

} // namespace sfpi

#endif
