/* SPDX-License-Identifier: Apache-2.0 */
/* REPLAY: the vendor compiler's intrinsic and its names for it, as words. */
#ifndef INTEROP_LLTT_H
#define INTEROP_LLTT_H

#include "ckernel_ops.h"

#define __builtin_rvtt_ttreplay(start, length, execute, load) \
    (*(volatile std::uint32_t *)0xFFE40000 = TT_OP_REPLAY(start, length, execute, load))

namespace lltt
{
enum ExecBool : bool { NoExec, Exec };

constexpr std::uint32_t replay_insn(std::uint32_t start, std::uint32_t length)
{
    return TT_OP_REPLAY(start, length, 0, 0);
}

template <ExecBool execute = NoExec>
inline __attribute__((always_inline)) void record(std::uint32_t start, std::uint32_t length)
{
    *(volatile std::uint32_t *)0xFFE40000 = TT_OP_REPLAY(start, length, execute ? 1 : 0, 1);
}

inline __attribute__((always_inline)) void replay(std::uint32_t start, std::uint32_t length)
{
    *(volatile std::uint32_t *)0xFFE40000 = TT_OP_REPLAY(start, length, 0, 0);
}
} // namespace lltt

#endif
