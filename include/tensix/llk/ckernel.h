/* SPDX-License-Identifier: Apache-2.0 */
/* For sources that include the vendor's header of this name. */
#ifndef TENSIX_LLK_CKERNEL_H
#define TENSIX_LLK_CKERNEL_H

#include <tensix/llk/ckernel_defs.h>

namespace ckernel
{

/* Formats of SFPLOAD that the integer kernels take. */
constexpr bool is_valid_instruction_mode(InstrModLoadStore mode)
{
    return mode == 12 || mode == InstrModLoadStore::INT32 || mode == InstrModLoadStore::LO16;
}

} // namespace ckernel

#endif
