/* SPDX-License-Identifier: Apache-2.0 */
/* SFPI's functions that exchange: minimum, maximum, lanes, rows of lanes. Part of sfpi.hpp. */
#ifndef TENSIX_SFPI_EXCHANGE_HPP
#define TENSIX_SFPI_EXCHANGE_HPP

#include <tensix/sfpi/lib.hpp>

namespace sfpi
{

namespace impl_
{

/* Records an SFPSWAP of d and c, as new values. Returns both, VD's first. */
inline std::pair<trace::handle, trace::handle> exchanged(unsigned mode, const trace::handle &d,
                                                         const trace::handle &c)
{
    auto &t = trace::tracer::current();
    trace::handle to_d = t.changeable(d);
    trace::handle to_c = t.changeable(c);
    t.add(trace::instruction(TT_OP_SFPSWAP(0, 0, 0, mode))
              .changes(to_d->id, trace::field::vd)
              .changes(to_c->id, trace::field::vc));
    return {to_d, to_c};
}

} // namespace impl_

/*
 * Returns the smaller and the larger value of each lane, in that order; in lanes whose bit of the
 * mask is set, the larger one comes first. The mask has one bit for each of the four rows of lanes
 * or, if it is above 15, one for each lane.
 */
template <typename T, if_vector<T> = 0> std::pair<T, T> min_max(T a, T b, std::uint32_t mask = 0)
{
    static_assert(std::is_base_of_v<vFloat, T> || std::is_base_of_v<vSMag, T>,
                  "the exchange compares sign and magnitude");
    /*
     * By the set of rows in which the larger one comes first. 0: there is no such mode, and the
     * operands are exchanged instead.
     */
    static constexpr unsigned modes[] = {TX_MOD_SFPSWAP_VEC_MIN_MAX,
                                         0,
                                         0,
                                         0,
                                         0,
                                         0,
                                         TX_MOD_SFPSWAP_SUBVEC_MIN03_MAX12,
                                         TX_MOD_SFPSWAP_SUBVEC_MIN3_MAX012,
                                         0,
                                         0,
                                         TX_MOD_SFPSWAP_SUBVEC_MIN02_MAX13,
                                         TX_MOD_SFPSWAP_SUBVEC_MIN2_MAX013,
                                         TX_MOD_SFPSWAP_SUBVEC_MIN01_MAX23,
                                         TX_MOD_SFPSWAP_SUBVEC_MIN1_MAX023,
                                         TX_MOD_SFPSWAP_SUBVEC_MIN0_MAX123,
                                         TX_MOD_SFPSWAP_VEC_MAX_MIN};
    std::uint32_t rows = mask;
    if (mask > 0xf) {
        rows = (mask & 1) | (mask >> 8 & 1) << 1 | (mask >> 16 & 1) << 2 | (mask >> 24 & 1) << 3;
    }
    const unsigned mode = modes[rows];
    if (mode == 0) {
        auto swapped = min_max(std::move(b), std::move(a), ~rows & 0xf);
        return {T(swapped.second.take()), T(swapped.first.take())};
    }
    auto both = impl_::exchanged(mode, a.take(), b.take());
    return {T(std::move(both.first)), T(std::move(both.second))};
}

template <typename T, if_vector<T> = 0> T min(T a, T b)
{
    return min_max(std::move(a), std::move(b)).first;
}
template <typename T, if_vector<T> = 0> T max(T a, T b)
{
    return min_max(std::move(a), std::move(b), 0xf).first;
}
inline vFloat min(vFloat a, float b)
{
    return min(std::move(a), vFloat(b, nullptr, 0));
}
inline vFloat max(vFloat a, float b)
{
    return max(std::move(a), vFloat(b, nullptr, 0));
}

namespace impl_
{
/*
 * The exchange compares sign and magnitude. That order is reversed for numbers of 2^31 and more,
 * and by ~ for the other ones.
 */
inline vUInt bounded(vUInt v, unsigned limit, bool from_below)
{
    const bool high = limit >> 31 != 0;
    const vSMag bound(vUInt(high ? limit : ~limit, nullptr, 0).take());
    const vSMag number((high ? std::move(v) : ~std::move(v)).take());
    vUInt result((high == from_below ? min(number, bound) : max(number, bound)).take());
    return high ? result : ~std::move(result);
}
} // namespace impl_

inline vUInt min(vUInt v, unsigned limit)
{
    return impl_::bounded(std::move(v), limit, false);
}
inline vUInt max(vUInt v, unsigned limit)
{
    return impl_::bounded(std::move(v), limit, true);
}
inline vUInt clamp(vUInt v, unsigned lower, unsigned upper)
{
    return min(max(std::move(v), lower), upper);
}
template <typename T, if_vector<T> = 0> T clamp(T v, T lower, T upper)
{
    return min(max(std::move(v), std::move(lower)), std::move(upper));
}
inline vFloat clamp(vFloat v, float lower, float upper)
{
    return min(max(std::move(v), lower), upper);
}
inline vFloat symmetric_clamp(vFloat v, float bound)
{
    const trace::handle number = v.get();
    return copysgn(min(abs(std::move(v)), bound), vFloat(number));
}
inline vFloat rectified_linear_unit(vFloat v)
{
    return max(std::move(v), 0.0f);
}
template <unsigned mode = 0, typename T, if_vector<T> = 0> void vec_swap(T &a, T &b)
{
    auto both = impl_::exchanged(mode, a.get(), b.get());
    a = T(std::move(both.first));
    b = T(std::move(both.second));
}
template <typename T, if_vector<T> = 0> void swap(T &a, T &b)
{
    vec_swap(a, b);
}
/* Compares as sign and magnitude, whatever the type. */
template <typename T, if_vector<T> = 0> void vec_min_max(T &a, T &b)
{
    vec_swap<1>(a, b);
}

/* Transposes the four rows of lanes of four variables, in L0 to L3: columns become rows. */
template <typename T, if_vector<T> = 0> void subvec_transp(T &a, T &b, T &c, T &d)
{
    auto &t = trace::tracer::current();
    T *const all[] = {&a, &b, &c, &d};
    trace::handle rows[4];
    trace::instruction i(TT_OP_SFPTRANSP(0, 0, 0, 0));
    for (int n = 0; n < 4; n++) {
        rows[n] = t.changeable(all[n]->get(), true);
        i.changes(rows[n]->id, trace::field::none, n);
    }
    t.add(i);
    for (int n = 0; n < 4; n++) {
        *all[n] = T(t.changeable(rows[n], true)); /* so that L0 to L3 are free again */
    }
}
/*
 * Moves each value one lane to the right within its row of eight. The first lane gets the value of
 * the last one, or 0 for shflshr1.
 */
template <typename T, if_vector<T> = 0> T subvec_shflror1(T v)
{
    return T(impl_::unary(TT_OP_SFPSHFT2(0, 0, 0, 3), v.take()));
}
template <typename T, if_vector<T> = 0> T subvec_shflshr1(T v)
{
    return T(impl_::unary(TT_OP_SFPSHFT2(0, 0, 0, 4), v.take()));
}

} // namespace sfpi

#endif
