/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The instruction macros on a RISC-V core of the tile: TT_X(...) and TTI_X(...) push the word to
 * the core's thread, as one ".ttinsn" where it is a constant, else by a store to the instruction
 * buffer. tensix/ckernel_ops.h includes this header instead of the recorder when the compiler
 * targets a 32-bit RISC-V. Source: spec/tile.md 1.3, 5.1.
 */
#ifndef TENSIX_KERNEL_PUSH_H
#define TENSIX_KERNEL_PUSH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
/* There is no C++ library for these cores; these are the std names that the tables use. */
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

/* The instruction buffer. Every core sees that of its own thread at this address. */
#define TX_INSTRUCTION_BUFFER ((volatile uint32_t *)0xFFE40000u)

/* A word below 0xC0000000, rotated left by two, is itself the RISC-V instruction that pushes it. */
TX_KERNEL_INLINE void tx_push_word(uint32_t word)
{
    if (__builtin_constant_p(word) && word < 0xC0000000u) {
        __asm__ volatile(".4byte %0" : : "i"(word << 2 | word >> 30) : "memory");
    } else {
        *TX_INSTRUCTION_BUFFER = word;
    }
}

#define TX_RECORD(op) tx_push_word(op)

/* Calling this function is a compile-time error: a constant argument is too wide for its field. */
extern void tx_argument_outside_its_field(void)
    __attribute__((error("an argument is too wide for its field of the instruction")));

#ifdef __cplusplus
constexpr __attribute__((always_inline)) inline uint32_t
tx_kernel_field(long long value, unsigned lsb, unsigned width)
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
