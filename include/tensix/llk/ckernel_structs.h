/* SPDX-License-Identifier: Apache-2.0 */
/* For sources that include the vendor's header of this name. */
#ifndef TENSIX_LLK_CKERNEL_STRUCTS_H
#define TENSIX_LLK_CKERNEL_STRUCTS_H

#include <cstdint>

namespace ckernel
{

/* Which semaphore is used for what: tt-llk 36b092e. */
struct semaphore {
    static constexpr std::uint32_t FPU_SFPU = 0;
    static constexpr std::uint32_t MATH_PACK = 1;
    static constexpr std::uint32_t UNPACK_TO_DEST = 2;
    static constexpr std::uint32_t UNPACK_OPERAND_SYNC = 3;
    static constexpr std::uint32_t PACK_DONE = 4;
    static constexpr std::uint32_t UNPACK_SYNC = 5;
    static constexpr std::uint32_t UNPACK_MATH_DONE = 6;
    static constexpr std::uint32_t MATH_DONE = 7;
    static constexpr std::uint8_t NUM_SEMAPHORES = 8;

    static constexpr std::uint16_t t6_sem(std::uint8_t index)
    {
        return std::uint16_t(1u << index);
    }
};

struct mutex {
    static constexpr std::uint32_t REG_RMW = 0;
    static constexpr std::uint32_t SFPU = 4;
};

} // namespace ckernel

#endif
