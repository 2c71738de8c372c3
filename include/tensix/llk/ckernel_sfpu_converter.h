/* SPDX-License-Identifier: Apache-2.0 */
/* For sources that include the vendor's header of this name. */
#ifndef TENSIX_LLK_CKERNEL_SFPU_CONVERTER_H
#define TENSIX_LLK_CKERNEL_SFPU_CONVERTER_H

#include <cstdint>
#include <cstring>

namespace ckernel::sfpu
{

struct Converter {
    static float as_float(std::uint32_t bits)
    {
        float number = 0;
        std::memcpy(&number, &bits, sizeof number);
        return number;
    }
};

} // namespace ckernel::sfpu

#endif
