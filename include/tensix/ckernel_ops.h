/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vendor's instruction macros, recording: TT_OP_X(...) is the word, TT_X(...) and TTI_X(...)
 * append it to the thread's current recorder (record.h). Names and order of the parameters are
 * those of the vendor's ckernel_ops.h. With them the names that kernels lean on: p_sfpu, p_setrwc,
 * p_stall, InstrModLoadStore, ADDR_MOD_0..7, SFP*_MOD*, configuration words and, in C++,
 * addr_mod_t, lltt::record and replay, load_replay_buf, dst_reg++. C writes p_sfpu_LREG0 for
 * p_sfpu::LREG0.
 *
 * The chip is chosen by TENSIX_ARCH_BLACKHOLE or TENSIX_ARCH_WORMHOLE, or by the vendor's
 * ARCH_BLACKHOLE or ARCH_WORMHOLE. All tables come from isa/ by way of scripts/ckernel_ops.py.
 *
 * An argument must lie in 0 .. 2^width - 1, as the vendor's macros silently rely on. One that the
 * compiler knows is an error of the compiler otherwise, any other one an error of the recorder.
 * Arguments are evaluated once. docs/recording.md is the manual.
 */
#ifndef TENSIX_CKERNEL_OPS_H
#define TENSIX_CKERNEL_OPS_H

#include <tensix/record.h>

#ifdef __cplusplus
#include <cstdint>
#endif

#define TX_RECORD(op) tx_record((op), __FILE__, __LINE__)

/* Both compilers shift the sign in, so that a negative number is outside. */
#define TX_IN_FIELD(value, width) ((long long)(value) >> (width) == 0)
#define TX_RUN_FIELD(value, lsb, width) \
    tx_record_field((long long)(value), lsb, width, #value, __FILE__, __LINE__)

#ifdef __cplusplus

#ifdef __clang__
#define TX_DIAGNOSE(condition, text) __attribute__((diagnose_if(condition, text, "error")))
#define TX_FIELD(value, lsb, width) TX_RUN_FIELD(value, lsb, width)
#else
/* diagnose_if is clang's; gcc instantiates this for what it knows to be constant. */
template <bool fits> struct tx_record_check {
    static_assert(fits, "an argument is outside its field");
    static constexpr std::uint32_t zero = 0;
};
#define TX_DIAGNOSE(condition, text)
#define TX_FIELD(value, lsb, width)                                                       \
    (tx_record_check<(!__builtin_constant_p(value) || TX_IN_FIELD(value, width))>::zero | \
     TX_RUN_FIELD(value, lsb, width))
#endif

#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wgcc-compat"
#endif
constexpr std::uint32_t tx_record_field(long long value, unsigned lsb, unsigned width,
                                        const char *name, const char *file, unsigned line)
    TX_DIAGNOSE(value >> width != 0, "an argument is outside its field");
#ifdef __clang__
#pragma clang diagnostic pop
#endif
constexpr std::uint32_t tx_record_field(long long value, unsigned lsb, unsigned width,
                                        const char *name, const char *file, unsigned line)
{
    return value >> width == 0 ? static_cast<std::uint32_t>(value) << lsb
                               : tx_record_outside(value, width, name, file, line);
}

#else

static inline uint32_t tx_record_field(long long value, unsigned lsb, unsigned width,
                                       const char *name, const char *file, unsigned line)
{
    return TX_IN_FIELD(value, width) ? (uint32_t)value << lsb
                                     : tx_record_outside(value, width, name, file, line);
}

/* A constant stays one, as tables need it; no array has a negative size. */
#define TX_FIELD(value, lsb, width)                                                          \
    __builtin_choose_expr(__builtin_constant_p(value),                                       \
                          ((uint32_t)(value) << (lsb) |                                      \
                           0u * (uint32_t)sizeof(char[TX_IN_FIELD(value, width) ? 1 : -1])), \
                          TX_RUN_FIELD(value, lsb, width))

#endif

#if defined TENSIX_ARCH_BLACKHOLE || defined ARCH_BLACKHOLE
#define TX_RECORD_ARCH "blackhole"
#define TX_RECORD_BLACKHOLE 1
#include <tensix/chip/blackhole_names.def>
#include <tensix/chip/blackhole_ops.def>
#elif defined TENSIX_ARCH_WORMHOLE || defined ARCH_WORMHOLE
#define TX_RECORD_ARCH "wormhole_b0"
#define TX_RECORD_BLACKHOLE 0
#include <tensix/chip/wormhole_names.def>
#include <tensix/chip/wormhole_ops.def>
#else
#error "define TENSIX_ARCH_BLACKHOLE or TENSIX_ARCH_WORMHOLE"
#endif

#ifdef __cplusplus
#include <tensix/ckernel_llk.h>
#endif

#endif
