/* SPDX-License-Identifier: Apache-2.0 */
/*
 * C++ forms that kernels use beside the macros: addr_mod_t, lltt::record and replay,
 * load_replay_buf, dst_reg++. Included by ckernel_ops.h. Names, parameters and the words they
 * become are facts of tenstorrent/tt-llk 36b092e (ckernel_addrmod.h, ckernel.h) and of sfpi's
 * lltt.h. dst_reg[n] and the rest of SFPI are in sfpi.hpp.
 */
#ifndef TENSIX_CKERNEL_LLK_H
#define TENSIX_CKERNEL_LLK_H

#include <tensix/ckernel_ops.h>

#ifdef __cplusplus

#include <utility>

/* Parameters that give a recorded word the source place of the caller, not of this header. */
#define TX_RECORD_CALLER const char *file = __builtin_FILE(), unsigned line = __builtin_LINE()

namespace lltt
{

enum ExecBool : bool { NoExec, Exec };

/* Records the next length words into the Replay Expander's buffer from start on. */
template <ExecBool E = NoExec> inline void record(unsigned start, unsigned length, TX_RECORD_CALLER)
{
    /* Without a file the caller is load_replay_buf, which checks. */
    tx_record_fits(file != nullptr ? length : 0, file, line);
    tx_record(TT_OP_REPLAY(start, length, E ? 1 : 0, 1), file, line);
}

inline void replay(unsigned start, unsigned length, TX_RECORD_CALLER)
{
    tx_record_fits(length, file, line);
    tx_record(TT_OP_REPLAY(start, length, 0, 0), file, line);
}

constexpr std::uint32_t replay_insn(unsigned start, unsigned length)
{
    return TT_OP_REPLAY(start, length, 0, 0);
}

} // namespace lltt

namespace ckernel
{

/*
 * Replaces static_assert(false) of the vendor's sources: reaching it while recording is an error.
 */
inline void tx_record_refuse(const char *message = "static_assert(false)", TX_RECORD_CALLER)
{
    tx_recorder *recorder = tx_recorder_get(file, line);
    if (recorder->error[0] == '\0') {
        snprintf(recorder->error, sizeof recorder->error, "%.120s:%u: %.100s", file, line, message);
        tx_record_stop(recorder);
    }
}

enum ExecBool : bool { NoExec, Exec };

/*
 * Records the length words that callable(args...) emits into the replay buffer; another number of
 * words is an error.
 */
template <ExecBool E = NoExec, typename Callable, typename... Args>
inline void load_replay_buf(unsigned start, unsigned length, Callable &&callable, Args &&...args)
{
    lltt::record<lltt::ExecBool(E)>(start, length, nullptr, 0);
    tx_recorder *recorder = tx_recorder_get(nullptr, 0);
    tx_record_settle(recorder);
    const std::size_t before = recorder->section[recorder->into].count;
    std::forward<Callable>(callable)(std::forward<Args>(args)...);
    tx_record_expect(before, length);
}

struct addr_mod_t {
    struct addr_mod_src_t {
        std::uint8_t incr = 0;
        std::uint8_t clr = 0;
        std::uint8_t cr = 0;
        constexpr std::uint8_t val() const
        {
            return std::uint8_t((incr & 0x3f) | (cr & 1) << 6 | (clr & 1) << 7);
        }
    };
    struct addr_mod_dest_t {
        std::int16_t incr = 0;
        std::uint8_t clr = 0;
        std::uint8_t cr = 0;
        std::uint8_t c_to_cr = 0;
        constexpr std::uint16_t val() const
        {
            return std::uint16_t((incr & 0x3ff) | (cr & 1) << 10 | (clr & 1) << 11 |
                                 (c_to_cr & 1) << 12);
        }
    };
    struct addr_mod_fidelity_t {
        std::uint8_t incr = 0;
        std::uint8_t clr = 0;
        constexpr std::uint16_t val() const
        {
            return std::uint16_t((incr & 3) | (clr & 1) << 2);
        }
    };
    struct addr_mod_bias_t {
        std::uint8_t incr = 0;
        std::uint8_t clr = 0;
        constexpr std::uint16_t val() const
        {
            return std::uint16_t((incr & 0xf) | (clr & 1) << 4);
        }
    };

    addr_mod_src_t srca = {};
    addr_mod_src_t srcb = {};
    addr_mod_dest_t dest = {};
    addr_mod_fidelity_t fidelity = {};
    addr_mod_bias_t bias = {};

    /*
     * Records three SETC16 that set the words of section 0..7 for SrcA and SrcB, for Dst and
     * fidelity, and for the bias.
     */
    inline void set(unsigned section, TX_RECORD_CALLER) const
    {
#define TX_SECTIONS_OF(word)                                                               \
    {                                                                                      \
        ADDR_MOD_##word(0), ADDR_MOD_##word(1), ADDR_MOD_##word(2), ADDR_MOD_##word(3),    \
            ADDR_MOD_##word(4), ADDR_MOD_##word(5), ADDR_MOD_##word(6), ADDR_MOD_##word(7) \
    }
#define ADDR_MOD_AB(n) ADDR_MOD_AB_SEC##n##_SrcAIncr_ADDR32
#define ADDR_MOD_DST(n) ADDR_MOD_DST_SEC##n##_DestIncr_ADDR32
#define ADDR_MOD_BIAS(n) ADDR_MOD_BIAS_SEC##n##_BiasIncr_ADDR32
        constexpr unsigned words[3][8] = {TX_SECTIONS_OF(AB), TX_SECTIONS_OF(DST),
                                          TX_SECTIONS_OF(BIAS)};
#undef ADDR_MOD_AB
#undef ADDR_MOD_DST
#undef ADDR_MOD_BIAS
#undef TX_SECTIONS_OF
        const unsigned values[3] = {unsigned(srca.val() | srcb.val() << 8),
                                    unsigned(dest.val() | fidelity.val() << 13), bias.val()};
        if (section >= 8) {
            (void)tx_record_outside(section, 0, 3, "section of addr_mod_t::set", file, line);
            return;
        }
        for (unsigned i = 0; i < 3; i++) {
            tx_record(TT_OP_SETC16(words[i][section], values[i]), file, line);
        }
    }
};

} // namespace ckernel

namespace sfpi
{

/* dst_reg[n] and its data layouts are defined in sfpi.hpp. */
enum class DataLayout;
template <DataLayout layout> class vDReg;

struct dst_index {
    int row;
    const char *file;
    unsigned line;
    dst_index(int n, const char *from = __builtin_FILE(), unsigned at = __builtin_LINE())
        : row(n), file(from), line(at)
    {
    }
};

/*
 * Advances by rows of 32 elements, which are two Dst rows each. Operators have no default
 * arguments, so the caller's place is not known here.
 */
struct dst_reg_t {
    void operator+=(int rows) const
    {
        tx_record(TT_OP_INCRWC(0, 2 * rows, 0, 0), nullptr, 0);
    }
    void operator++(int) const
    {
        *this += 1;
    }
    void operator++() const
    {
        *this += 1;
    }
    inline vDReg<DataLayout{}> operator[](dst_index index) const;
};
inline constexpr dst_reg_t dst_reg = {};

} // namespace sfpi

#endif

#endif
