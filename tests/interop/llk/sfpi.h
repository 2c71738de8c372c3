/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What code that is not written in SFPI takes from sfpi.h: the step to the next rows of Dst, and
 * the values of modifiers, which llk_build.py writes out of isa/. Vector code itself needs the
 * vendor's compiler and does not compile.
 */
#ifndef INTEROP_SFPI_H
#define INTEROP_SFPI_H

#include "cfg_defines.h"
#include "ckernel_ops.h"

namespace sfpi
{
struct dst_step {
    inline __attribute__((always_inline)) void operator++(int) const
    {
        TTI_INCRWC(0, 2, 0, 0);
    }
};
constexpr dst_step dst_reg;
} // namespace sfpi

#endif
