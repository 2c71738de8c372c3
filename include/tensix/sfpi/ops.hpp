/* SPDX-License-Identifier: Apache-2.0 */
/* SFPI's operators, conditions, dst_reg[n], l_reg[n] and constants. Part of sfpi.hpp. */
#ifndef TENSIX_SFPI_OPS_HPP
#define TENSIX_SFPI_OPS_HPP

#include <tensix/sfpi/types.hpp>

namespace sfpi
{

/* ---- constant and local registers, Dst ---- */

namespace impl_
{

inline trace::handle read_register(int number)
{
    auto &t = trace::tracer::current();
    trace::handle h = t.fresh();
    t.copy(h->id, trace::lreg(number), false, false);
    if (number >= trace::REGISTERS) {
        t.is_register(h, number);
    }
    return h;
}

inline void write_register(int number, const trace::handle &h)
{
    auto &t = trace::tracer::current();
    const int source = t.id(h);
    if (number < trace::REGISTERS) {
        t.copy(trace::lreg(number), source, true, false);
        return;
    }
    t.add(trace::instruction(TT_OP_SFPCONFIG(0, number, 0))
              .stays()
              .reads(source, trace::field::none, 0));
}

template <typename T> class vCReg
{
  public:
    using type = T;
    constexpr explicit vCReg(int number) : number_(number)
    {
    }
    constexpr vCReg(const vCReg &) = default;
    operator T() const
    {
        return T(read_register(number_));
    }
    void operator=(T value) const
    {
        write_register(number_, value.get());
    }

  private:
    int number_;
};

class vReg
{
  public:
    constexpr explicit vReg(int number) : number_(number)
    {
    }
    template <typename T, std::enable_if_t<is_vector<T>, int> = 0> operator T() const
    {
        return T(read_register(number_));
    }
    void operator=(const vVal &value) const
    {
        write_register(number_, value.get());
    }

  private:
    int number_;
};

} // namespace impl_

enum class LRegs : std::uint8_t {
    LReg0,
    LReg1,
    LReg2,
    LReg3,
    LReg4,
    LReg5,
    LReg6,
    LReg7,
    LRegCount
};

struct l_reg_t {
    impl_::vReg operator[](LRegs number) const
    {
        return impl_::vReg(int(number));
    }
};
inline constexpr l_reg_t l_reg = {};

inline constexpr impl_::vCReg<vFloat> vConst0p8373(8);
inline constexpr impl_::vCReg<vFloat> vConst0(9);
inline constexpr impl_::vCReg<vFloat> vConst1(10);
inline constexpr impl_::vCReg<vFloat> vConstNeg1(11);
inline constexpr impl_::vCReg<vFloat> vConstFloatPrgm0(12);
inline constexpr impl_::vCReg<vFloat> vConstFloatPrgm1(13);
inline constexpr impl_::vCReg<vFloat> vConstFloatPrgm2(14);
inline constexpr impl_::vCReg<vInt> vConstIntPrgm0(12);
inline constexpr impl_::vCReg<vInt> vConstIntPrgm1(13);
inline constexpr impl_::vCReg<vInt> vConstIntPrgm2(14);
inline constexpr impl_::vCReg<vInt> vConstTileId(15);

/*
 * A row of 32 elements of Dst. The format is the one that SFPI gives the type, or that of
 * mode<DataLayout>(address mode).
 */
template <DataLayout layout> class vDReg
{
  public:
    explicit vDReg(dst_index index, int mode = -1) : index_(index), mode_(mode)
    {
    }
    template <DataLayout other = DataLayout::Default> auto mode(int address_mode = -1) const
    {
        constexpr DataLayout now = other != DataLayout::Default ? other : layout;
        return vDReg<now>(index_, address_mode >= 0 ? address_mode : mode_);
    }

#define TX_SFPI_IN_DST(type, format) \
    operator type() const            \
    {                                \
        return type(load(format));   \
    }                                \
    void operator=(type value) const \
    {                                \
        store(format, value.get());  \
    }
    TX_SFPI_IN_DST(vFloat, float_format(DataLayout::FSrcB))
    TX_SFPI_IN_DST(vFloat16a, float_format(DataLayout::F16a))
    TX_SFPI_IN_DST(vFloat16b, float_format(DataLayout::F16b))
    TX_SFPI_IN_DST(vInt, int_format())
    TX_SFPI_IN_DST(vUInt, uint_format(DataLayout::U32))
    TX_SFPI_IN_DST(vUInt16, uint_format(DataLayout::U16))
    TX_SFPI_IN_DST(vSMag, layout == DataLayout::SM16 ? 8 : 4)
#undef TX_SFPI_IN_DST
    void operator=(float number) const
    {
        *this = vFloat(number, index_.file, index_.line);
    }
    vDReg(const vDReg &) = default;
    void operator=(const vDReg &other) const
    {
        *this = vFloat(other);
    }

  private:
    static constexpr unsigned float_format(DataLayout otherwise)
    {
        const DataLayout is = layout == DataLayout::Default ? otherwise : layout;
        return is == DataLayout::F16a   ? 1
               : is == DataLayout::F16b ? 2
               : is == DataLayout::F32  ? 3
                                        : 0;
    }
    /* Wormhole's Dst holds sign and magnitude unless the layout says otherwise. */
    static constexpr unsigned int_format()
    {
        return (layout == DataLayout::SM32 || layout == DataLayout::Default) && !trace::BLACKHOLE
                   ? 12
                   : 4;
    }
    static constexpr unsigned uint_format(DataLayout otherwise)
    {
        const DataLayout is = layout == DataLayout::Default ? otherwise : layout;
        return is == DataLayout::U16    ? 6
               : is == DataLayout::HI16 ? 7
               : is == DataLayout::LO16 ? 9
                                        : 4;
    }
    unsigned address_mode() const
    {
        return mode_ >= 0 ? unsigned(mode_) : trace::BLACKHOLE ? 7u : 3u;
    }
    /* Row 0 is at address 0. The chips' address fields have 13 and 14 bits, but only 10 count. */
    unsigned address(trace::tracer &t) const
    {
        if (index_.row < 0 || index_.row >= 512) {
            t.fail(t.here, "dst_reg[%d]: there are rows 0 to 511", index_.row);
            return 0;
        }
        return 2u * unsigned(index_.row);
    }
    trace::handle load(unsigned format) const
    {
        auto &t = trace::tracer::at(index_.file, index_.line);
        trace::instruction i(TT_OP_SFPLOAD(0, format, address_mode(), address(t)));
        i.keeps = mode_ >= 0; /* it may change the counters */
        return t.made_by(i);
    }
    void store(unsigned format, const trace::handle &h) const
    {
        auto &t = trace::tracer::at(index_.file, index_.line);
        trace::instruction i(TT_OP_SFPSTORE(0, format, address_mode(), address(t)));
        t.add(i.stays().reads(t.id(h), trace::field::vd));
    }

    dst_index index_;
    int mode_;
};

inline vDReg<DataLayout{}> dst_reg_t::operator[](dst_index index) const
{
    return vDReg<DataLayout::Default>(index);
}

/* ---- floats ---- */

inline vFloat operator+(vFloat a)
{
    return a;
}
inline vFloat operator-(vFloat a)
{
    return vFloat(impl_::unary(TT_OP_SFPMOV(0, 0, 0, 1), a.take()));
}
#define TX_SFPI_ARITHMETIC(op, kind, minus)                                       \
    inline vFloat operator op(vFloat a, vFloat b)                                 \
    {                                                                             \
        return vFloat(impl_::arithmetic(trace::kind, a.take(), b.take(), minus)); \
    }                                                                             \
    inline vFloat &vFloat::operator op##=(vFloat b)                               \
    {                                                                             \
        set(impl_::arithmetic(trace::kind, get(), b.take(), minus));              \
        return *this;                                                             \
    }
TX_SFPI_ARITHMETIC(+, kind::add, false)
TX_SFPI_ARITHMETIC(-, kind::add, true)
TX_SFPI_ARITHMETIC(*, kind::mul, false)
#undef TX_SFPI_ARITHMETIC

/* ---- integers ---- */

namespace impl_
{

/* The vector type of an operand of an integer operator; void: it is not an operand. */
template <typename T, typename = void> struct integer {
    using type = void;
};
template <typename T> struct integer<T, std::enable_if_t<std::is_base_of_v<vInt, T>>> {
    using type = vInt;
};
template <typename T> struct integer<T, std::enable_if_t<std::is_base_of_v<vUInt, T>>> {
    using type = vUInt;
};
template <> struct integer<vCReg<vInt>> {
    using type = vInt;
};
template <typename T> inline constexpr bool is_integer = !std::is_void_v<typename integer<T>::type>;

/*
 * The type of a op b: that of the vector; of two different vectors the first one's, unless that is
 * vMag.
 */
template <typename A, typename B, typename = void> struct result {
};
template <typename A, typename B>
struct result<A, B, std::enable_if_t<is_integer<A> && is_integer<B>>> {
    static constexpr bool second = std::is_base_of_v<vMag, A> && !std::is_base_of_v<vMag, B>;
    using type = typename integer<std::conditional_t<second, B, A>>::type;
};
template <typename A, typename B>
struct result<A, B, std::enable_if_t<is_integer<A> && std::is_integral_v<B>>> {
    using type = typename integer<A>::type;
};
template <typename A, typename B>
struct result<A, B, std::enable_if_t<std::is_integral_v<A> && is_integer<B>>> {
    using type = typename integer<B>::type;
};
template <typename A, typename B> using result_t = typename result<A, B>::type;

template <typename T> trace::handle bits_of(T &operand)
{
    if constexpr (is_vector<T>) {
        return operand.take();
    } else if constexpr (is_integer<T>) {
        return vInt(operand).take();
    } else {
        return trace::tracer::current().constant(static_cast<std::uint32_t>(operand));
    }
}

constexpr bool fits12(std::int64_t number)
{
    return number >= -2048 && number < 2048;
}

inline trace::handle add_number(const trace::handle &a, std::int32_t number)
{
    return unary(TT_OP_SFPIADD(unsigned(number) & 0xfff, 0, 0, 5), a);
}

/* Returns a + b. A known small number becomes an immediate. */
inline trace::handle int_add(const trace::handle &a, const trace::handle &b)
{
    auto &t = trace::tracer::current();
    if (t.of(b).constant && fits12(std::int32_t(t.of(b).bits))) {
        return add_number(a, std::int32_t(t.of(b).bits));
    }
    if (t.of(a).constant && fits12(std::int32_t(t.of(a).bits))) {
        return add_number(b, std::int32_t(t.of(a).bits));
    }
    return binary(TT_OP_SFPIADD(0, 0, 0, 4), a, b);
}

/* Returns a - b modulo 2^32. */
inline trace::handle int_sub(const trace::handle &a, const trace::handle &b)
{
    auto &t = trace::tracer::current();
    const std::int64_t number = -std::int64_t(std::int32_t(t.of(b).bits));
    if (t.of(b).constant && fits12(number)) {
        return add_number(a, std::int32_t(number));
    }
    return binary(TT_OP_SFPIADD(0, 0, 0, 6), a, b);
}

/* Shifts by the amount in a register, to the right where it is negative. */
inline trace::handle shift(const trace::handle &v, const trace::handle &amount, bool arithmetic)
{
    return binary(TT_OP_SFPSHFT(0, 0, 0, arithmetic ? 2u : 0u), amount, v);
}

inline trace::handle shift(const trace::handle &v, int amount, bool arithmetic)
{
    const unsigned field = signed_field(amount, 12);
    if (trace::BLACKHOLE) {
        return unary(TT_OP_SFPSHFT(field, 0, 0, 5u | (arithmetic ? 2u : 0u)), v);
    }
    return change(TT_OP_SFPSHFT(field, 0, 0, 1), v);
}

template <typename T> trace::handle shift_by(trace::handle v, T amount, bool right, bool arithmetic)
{
    if constexpr (std::is_integral_v<T>) {
        return shift(v, right ? -int(amount) : int(amount), arithmetic);
    } else {
        auto &t = trace::tracer::current();
        trace::handle by = amount.take();
        return shift(v, right ? int_sub(t.constant(0), by) : by, arithmetic);
    }
}

} // namespace impl_

#define TX_SFPI_INTEGER(op, call)                                                 \
    template <typename A, typename B> impl_::result_t<A, B> operator op(A a, B b) \
    {                                                                             \
        trace::handle x = impl_::bits_of(a);                                      \
        trace::handle y = impl_::bits_of(b);                                      \
        return impl_::result_t<A, B>(call);                                       \
    }
TX_SFPI_INTEGER(+, impl_::int_add(x, y))
TX_SFPI_INTEGER(-, impl_::int_sub(x, y))
TX_SFPI_INTEGER(&, impl_::binary(TT_OP_SFPAND(0, 0, 0, 0), y, x))
TX_SFPI_INTEGER(|, impl_::binary(TT_OP_SFPOR(0, 0, 0, 0), y, x))
TX_SFPI_INTEGER(^, impl_::binary(TT_OP_SFPXOR(0, 0, 0, 0), y, x))
#undef TX_SFPI_INTEGER

template <typename A> typename impl_::result<A, int>::type operator~(A a)
{
    return impl_::result_t<A, int>(impl_::unary(TT_OP_SFPNOT(0, 0, 0, 0), impl_::bits_of(a)));
}
template <typename A> typename impl_::result<A, int>::type operator-(A a)
{
    return impl_::result_t<A, int>(0, nullptr, 0) - a;
}
template <typename A> typename impl_::result<A, int>::type operator+(A a)
{
    return impl_::result_t<A, int>(impl_::bits_of(a));
}

/* vInt shifts to the right only on Blackhole, which has a shift that keeps the sign. */
template <typename A, typename B, typename R = impl_::result_t<A, B>> R operator<<(A a, B amount)
{
    return R(impl_::shift_by(impl_::bits_of(a), std::move(amount), false, false));
}
template <typename A, typename B, typename R = impl_::result_t<A, B>> R operator>>(A a, B amount)
{
    static_assert(trace::BLACKHOLE || !std::is_base_of_v<vInt, A>,
                  "Wormhole has no shift that keeps the sign: shift a vUInt");
    return R(
        impl_::shift_by(impl_::bits_of(a), std::move(amount), true, std::is_base_of_v<vInt, A>));
}

#define TX_SFPI_COUNTED(type, one)    \
    inline type &type::operator++()   \
    {                                 \
        return *this += one;          \
    }                                 \
    inline type &type::operator--()   \
    {                                 \
        return *this -= one;          \
    }                                 \
    inline type type::operator++(int) \
    {                                 \
        type before(get());           \
        ++*this;                      \
        return before;                \
    }                                 \
    inline type type::operator--(int) \
    {                                 \
        type before(get());           \
        --*this;                      \
        return before;                \
    }
TX_SFPI_COUNTED(vFloat, vFloat(1.0f, nullptr, 0))
TX_SFPI_COUNTED(vInt, 1)
TX_SFPI_COUNTED(vUInt, 1)
#undef TX_SFPI_COUNTED

/* ---- conditions ---- */

/*
 * A condition on lanes. What it compares is computed where it is written; v_if selects the lanes.
 */
class vBool
{
  public:
    using test = trace::condition::test;
    explicit vBool(trace::condition is) : is_(std::move(is))
    {
    }
    vBool(test what, trace::handle tested) : vBool({what, std::move(tested), nullptr, nullptr})
    {
    }
    template <typename T, std::enable_if_t<impl_::is_integer<T>, int> = 0>
    vBool(T number) : vBool(test::ne0, impl_::bits_of(number))
    {
    }
    const trace::condition_ptr &get() const
    {
        return is_;
    }
    /* Returns 1 in the lanes where it holds, 0 in the others. */
    operator vInt() const
    {
        auto &t = trace::tracer::current();
        vInt result(t.constant(0));
        t.push();
        t.narrow(is_);
        result = vInt(t.constant(1));
        t.pop();
        return result;
    }

  private:
    trace::condition_ptr is_;
};

inline vBool operator&&(vBool a, vBool b)
{
    return vBool({trace::condition::all, nullptr, a.get(), b.get()});
}
inline vBool operator||(vBool a, vBool b)
{
    return vBool({trace::condition::any, nullptr, a.get(), b.get()});
}
inline vBool operator!(vBool a)
{
    return vBool({trace::condition::no, nullptr, a.get(), nullptr});
}

namespace impl_
{

inline vBool compare_floats(trace::condition::test test, vFloat a, vFloat b)
{
    return vBool(test, arithmetic(trace::kind::add, a.take(), b.take(), true, true));
}

/* In a comparison with the number 0, a itself is tested. */
inline vBool compare_number(trace::condition::test test, vFloat a, vFloat b)
{
    if (trace::tracer::current().of(b.get()).bits << 1 == 0) {
        return vBool(test, a.take());
    }
    return compare_floats(test, std::move(a), std::move(b));
}

inline vBool compare_integers(trace::condition::test test, const trace::handle &a,
                              const trace::handle &b)
{
    const trace::about &right = trace::tracer::current().of(b);
    return vBool(test, right.constant && right.bits == 0 ? a : int_sub(a, b));
}

} // namespace impl_

/* A number on the left becomes one on the right of the mirrored comparison. */
#define TX_SFPI_COMPARE(op, test, mirrored)                                                        \
    inline vBool operator op(vFloat a, vFloat b)                                                   \
    {                                                                                              \
        return impl_::compare_floats(trace::condition::test, std::move(a), std::move(b));          \
    }                                                                                              \
    inline vBool operator op(vFloat a, float b)                                                    \
    {                                                                                              \
        return impl_::compare_number(trace::condition::test, std::move(a), vFloat(b, nullptr, 0)); \
    }                                                                                              \
    inline vBool operator op(float a, vFloat b)                                                    \
    {                                                                                              \
        return impl_::compare_number(trace::condition::mirrored, std::move(b),                     \
                                     vFloat(a, nullptr, 0));                                       \
    }                                                                                              \
    template <typename A, typename B, typename = impl_::result_t<A, B>>                            \
    vBool operator op(A a, B b)                                                                    \
    {                                                                                              \
        const trace::handle x = impl_::bits_of(a);                                                 \
        const trace::handle y = impl_::bits_of(b);                                                 \
        return impl_::compare_integers(trace::condition::test, x, y);                              \
    }
TX_SFPI_COMPARE(<, lt0, gt0)
TX_SFPI_COMPARE(>=, ge0, le0)
TX_SFPI_COMPARE(==, eq0, eq0)
TX_SFPI_COMPARE(!=, ne0, ne0)
TX_SFPI_COMPARE(>, gt0, lt0)
TX_SFPI_COMPARE(<=, le0, ge0)
#undef TX_SFPI_COMPARE

namespace impl_
{

/* The lanes of one v_if or v_block. It pops as many entries of the flag stack as it has pushed. */
class CC
{
  public:
    CC() = default;
    CC(const CC &) = delete;
    CC &operator=(const CC &) = delete;
    ~CC()
    {
        while (depth_ > 0) {
            depth_--;
            trace::tracer::current().pop();
        }
    }
    CC &push(const char *file, unsigned line)
    {
        trace::tracer::at(file, line).push();
        depth_++;
        return *this;
    }
    CC &else_(const char *file, unsigned line)
    {
        trace::tracer::at(file, line).complement();
        return *this;
    }
    void cond(const vBool &c)
    {
        trace::tracer::current().narrow(c.get());
    }

  private:
    unsigned depth_ = 0;
};

} // namespace impl_
} // namespace sfpi

#define v_if(...)                                              \
    {                                                          \
        ::sfpi::impl_::CC sfpi_lanes;                          \
        sfpi_lanes.push(__FILE__, __LINE__).cond(__VA_ARGS__); \
        {
#define v_elseif(...)                                                                \
    }                                                                                \
    sfpi_lanes.else_(__FILE__, __LINE__).push(__FILE__, __LINE__).cond(__VA_ARGS__); \
    {
#define v_else                            \
    }                                     \
    sfpi_lanes.else_(__FILE__, __LINE__); \
    {
#define v_endif \
    }           \
    }
#define v_block                       \
    {                                 \
        ::sfpi::impl_::CC sfpi_lanes; \
        sfpi_lanes.push(__FILE__, __LINE__);
#define v_and(...) sfpi_lanes.cond(__VA_ARGS__)
#define v_endblock }

#endif
