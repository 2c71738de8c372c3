/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vendor's instruction macros for recording: TT_OP_X(...) is the instruction word, TT_X(...)
 * and TTI_X(...) append it to the thread's current recorder (record.h). Names and the order of
 * parameters are those of the vendor's ckernel_ops.h. The header also has the names that kernels
 * use with them: p_sfpu, p_setrwc, p_stall, InstrModLoadStore, ADDR_MOD_0..7, SFP*_MOD*,
 * configuration words and, in C++, addr_mod_t, lltt::record and replay, load_replay_buf, dst_reg++.
 * C writes p_sfpu_LREG0 for p_sfpu::LREG0.
 *
 * The chip is chosen by TENSIX_ARCH_BLACKHOLE or TENSIX_ARCH_WORMHOLE, or by the vendor's
 * ARCH_BLACKHOLE or ARCH_WORMHOLE. All tables are generated from isa/ by scripts/ckernel_ops.py.
 *
 * An argument must lie in 0 .. 2^width - 1; the vendor's macros rely on that without a check. An
 * argument outside becomes an error of the recorder when its instruction is recorded; code that is
 * never called is not checked. Arguments are evaluated once. docs/recording.md is the manual.
 *
 * Compiled for a 32-bit RISC-V (tensix cc), the same macros push their words to the core's thread:
 * tensix/kernel/push.h.
 */
#ifndef TENSIX_CKERNEL_OPS_H
#define TENSIX_CKERNEL_OPS_H

#if defined __riscv && __riscv_xlen == 32
#include <tensix/kernel/push.h> /* on a core of the tile: the words are pushed */
#else
#include <tensix/record.h>

#ifdef __cplusplus
#include <cstdint>
#endif

#define TX_RECORD(op) tx_record((op), __FILE__, __LINE__)

/* gcc and clang shift arithmetically, so that negative numbers count as outside too. */
#define TX_IN_FIELD(value, width) ((long long)(value) >> (width) == 0)
#define TX_RUN_FIELD(value, lsb, width) \
    tx_record_field((long long)(value), lsb, width, #value, __FILE__, __LINE__)

#ifdef __cplusplus

/*
 * A constant expression where the argument is constant and fits; otherwise the recorder checks it
 * at run time.
 */
constexpr std::uint32_t tx_record_field(long long value, unsigned lsb, unsigned width,
                                        const char *name, const char *file, unsigned line)
{
    return value >> width == 0 ? static_cast<std::uint32_t>(value) << lsb
                               : tx_record_outside(value, lsb, width, name, file, line);
}

#define TX_FIELD(value, lsb, width) TX_RUN_FIELD(value, lsb, width)

#else

static inline uint32_t tx_record_field(long long value, unsigned lsb, unsigned width,
                                       const char *name, const char *file, unsigned line)
{
    return TX_IN_FIELD(value, width) ? (uint32_t)value << lsb
                                     : tx_record_outside(value, lsb, width, name, file, line);
}

/* A constant argument that fits gives a constant expression, which static tables need. */
#define TX_FIELD(value, lsb, width)                                                    \
    __builtin_choose_expr(__builtin_constant_p(value) ? TX_IN_FIELD(value, width) : 0, \
                          (uint32_t)(value) << (lsb), TX_RUN_FIELD(value, lsb, width))

#endif
#endif /* recording */

#if defined TENSIX_ARCH_BLACKHOLE || defined ARCH_BLACKHOLE
#define TX_RECORD_ARCH "blackhole"
#define TX_RECORD_BLACKHOLE 1
#define TX_RECORD_ROWS <tensix/chip/blackhole_rows.def>
#include <tensix/chip/blackhole_names.def>
#include <tensix/chip/blackhole_ops.def>
#elif defined TENSIX_ARCH_WORMHOLE || defined ARCH_WORMHOLE
#define TX_RECORD_ARCH "wormhole_b0"
#define TX_RECORD_BLACKHOLE 0
#define TX_RECORD_ROWS <tensix/chip/wormhole_rows.def>
#include <tensix/chip/wormhole_names.def>
#include <tensix/chip/wormhole_ops.def>
#else
#error "define TENSIX_ARCH_BLACKHOLE or TENSIX_ARCH_WORMHOLE"
#endif

/* The vendor's macros for the chip, for sources that test them. */
#if TX_RECORD_BLACKHOLE && !defined ARCH_BLACKHOLE
#define ARCH_BLACKHOLE
#elif !TX_RECORD_BLACKHOLE && !defined ARCH_WORMHOLE
#define ARCH_WORMHOLE
#endif

#if defined __cplusplus && !defined TENSIX_KERNEL_PUSH_H
#include <tensix/ckernel_llk.h>
#endif

#endif
