/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the instruction macros do on a RISC-V core of the tile: TT_X(...) and TTI_X(...) push the
 * word to the core's thread, as one ".ttinsn" where it is a constant, else by a store to the
 * instruction buffer. tensix/ckernel_ops.h includes this instead of the recorder where the compiler
 * makes code for a 32-bit RISC-V. Source: spec/tile.md 1.3, 5.1.
 */
#ifndef TENSIX_KERNEL_PUSH_H
#define TENSIX_KERNEL_PUSH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
/* There is no C++ library for these cores; this is what the names of the tables need. */
namespace std
{
using ::int32_t;
using ::size_t;
using ::uint16_t;
using ::uint32_t;
using ::uint8_t;
using ::uintptr_t;
} // namespace std
#endif

#define TX_KERNEL_INLINE static inline __attribute__((always_inline, unused))

/* Where a core's words go; the same address for each, of its own thread. */
#define TX_INSTRUCTION_BUFFER ((volatile uint32_t *)0xFFE40000u)

/* A word below 0xC0000000 rotated left by two is the instruction that pushes it. */
TX_KERNEL_INLINE void tx_push_word(uint32_t word)
{
    if (__builtin_constant_p(word) && word < 0xC0000000u) {
        __asm__ volatile(".4byte %0" : : "i"(word << 2 | word >> 30) : "memory");
    } else {
        *TX_INSTRUCTION_BUFFER = word;
    }
}

#define TX_RECORD(op) tx_push_word(op)

/* An argument that is too wide for its field stops the compiler where it is a constant. */
extern void tx_argument_outside_its_field(void)
    __attribute__((error("an argument is too wide for its field of the instruction")));

#ifdef __cplusplus
constexpr __attribute__((always_inline)) inline uint32_t tx_kernel_field(long long value,
                                                                         unsigned lsb,
                                                                         unsigned width)
{
    if (__builtin_constant_p(value) && value >> width != 0) {
        tx_argument_outside_its_field();
    }
    return (static_cast<uint32_t>(value) & ((1u << width) - 1u)) << lsb;
}
#else
TX_KERNEL_INLINE uint32_t tx_kernel_field(long long value, unsigned lsb, unsigned width)
{
    if (__builtin_constant_p(value) && value >> width != 0) {
        tx_argument_outside_its_field();
    }
    return ((uint32_t)value & ((1u << width) - 1u)) << lsb;
}
#endif

#define TX_FIELD(value, lsb, width) tx_kernel_field((long long)(value), lsb, width)

#endif
