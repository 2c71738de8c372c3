/* SPDX-License-Identifier: Apache-2.0 */
/* For sources that include the vendor's header of this name. */
#ifndef TENSIX_LLK_CKERNEL_SFPU_POLYVAL_H
#define TENSIX_LLK_CKERNEL_SFPU_POLYVAL_H

#include <tensix/sfpi.hpp>

namespace ckernel::sfpu
{

struct PolynomialEvaluator {
    /* c0 + x (c1 + x (...)). */
    template <typename... Coefficients>
    static sfpi::vFloat eval(sfpi::vFloat x, Coefficients... coefficients)
    {
        return sfpi::polynomial(std::move(x), std::move(coefficients)...);
    }
};

} // namespace ckernel::sfpu

#endif
