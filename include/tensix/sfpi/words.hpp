/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which of L0..L7 an instruction word reads and writes, and where an SFPNOP is needed between two
 * words, according to the rows of isa/isa.def, which scripts/ckernel_ops.py provides.
 */
#ifndef TENSIX_SFPI_WORDS_HPP
#define TENSIX_SFPI_WORDS_HPP

#include <tensix/ckernel_ops.h>
#include <tensix/isa.h>
#include <tensix/lregs.h>

#include <cstdint>

namespace sfpi::trace
{

inline constexpr int REGISTERS = 8; /* L0..L7 */
inline constexpr bool BLACKHOLE = TX_RECORD_BLACKHOLE != 0;

/* ---- the rows ---- */

struct bit_place {
    std::uint8_t lsb, width;
};

/* In the order of the tables that ckernel_ops.py writes. */
enum class field : std::uint8_t { mod, va, vb, vc, vd, imm, mirror, load, count, none = 255 };

struct row {
    std::uint16_t number, modes; /* enum tx_row_id; bit n: modifier n */
    std::uint8_t unit, latency;
    std::uint8_t implied;
    bool guarded; /* a destination of 12 and above makes it a template */
    std::uint64_t reads, writes, belief;
    bit_place places[std::size_t(field::count)];
};

inline constexpr row rows[] = {
#include TX_RECORD_ROWS
};

constexpr unsigned get(const row &r, field f, std::uint32_t word)
{
    const bit_place place = r.places[std::size_t(f)];
    return word >> place.lsb & ((1u << place.width) - 1);
}

/* Returns the row of a word, or nullptr when it is neither the Vector Unit's nor an expander's. */
constexpr const row *row_of(std::uint32_t word)
{
    for (const row &r : rows) {
        if (r.number >> 8 == TX_INSN_OF(word) && (r.modes >> get(r, field::mod, word) & 1) != 0) {
            return &r;
        }
    }
    return nullptr;
}

/* Returns the word with a value in a field that holds 0 so far. */
constexpr std::uint32_t with(std::uint32_t word, field f, std::uint32_t value)
{
    const row *r = row_of(word);
    return r != nullptr ? word | value << r->places[std::size_t(f)].lsb : word;
}

/* ---- what a word does ---- */

/* The registers that a word touches; bit n: Ln. */
struct touched {
    unsigned reads, writes;
    bool anything;     /* any of them: a replayed, macro or indirect instruction */
    unsigned believed; /* those that Blackhole's interlock takes for read, rightly or not */
};

constexpr tx_named operands(const row &r, std::uint32_t word)
{
    const auto number = [&](field f) { return std::uint8_t(get(r, f, word)); };
    tx_named o{number(field::va), number(field::vb),  number(field::vc),
               number(field::vd), number(field::mod), number(field::mirror)};
    o.vb = r.implied == TX_IMPLIED_VB_VD    ? o.vd
           : r.implied == TX_IMPLIED_VB_IMM ? std::uint8_t(get(r, field::imm, word) & 15)
                                            : o.vb;
    o.vc = r.implied == TX_IMPLIED_VC_VD ? o.vd : o.vc;
    return o;
}

constexpr bool is_indirect(const row &r, tx_named o)
{
    return tx_indirect_va(r.reads, o.mode) || tx_indirect_vd(r.writes, o.mode);
}

constexpr touched touched_by(std::uint32_t word)
{
    constexpr touched nothing = {0, 0, false, 0};
    constexpr touched unknown = {0xff, 0xff, true, 0xff};
    const row *r = row_of(word);
    /*
     * A word with destination L12 to L15 becomes a template of SFPLOADMACRO, unless LaneConfig
     * forbids it.
     */
    if (r == nullptr || (r->guarded && get(*r, field::vd, word) >= 12)) {
        return nothing;
    }
    if ((r->reads & TX_SET(EXPANDER)) != 0 || (r->writes & TX_SET(MACRO)) != 0) {
        return TX_INSN_OF(word) == TX_INSN_REPLAY && get(*r, field::load, word) != 0 ? nothing
                                                                                     : unknown;
    }
    tx_named o = operands(*r, word);
    tx_named target = o;
    if (TX_INSN_OF(word) == TX_INSN_SFPLUTFP32 && o.vd == 7) {
        /* lookup3's table writes to the register that L7 names, and L7 holds 7. */
        target.mode &= std::uint8_t(~TX_INDIRECT_VD);
    } else if (is_indirect(*r, o)) {
        return unknown;
    }
    touched t = {tx_set_lregs(r->reads, o, 0, false) & 0xff,
                 tx_set_lregs(r->writes, target, 0, false) & 0xff, false,
                 tx_set_lregs(r->belief, o, 0, false) & 0xff};
    if (TX_INSN_OF(word) == TX_INSN_SFPLOADI) {
        t.reads = 0; /* it writes one half; the other one follows */
    } else if (r->number == TX_ROW_SFPSWAP_SWAP) {
        t.believed = t.reads; /* it reads in its second cycle, when the result is there */
    }
    return t;
}

constexpr bool takes_two(std::uint32_t word, unsigned unit)
{
    const row *r = row_of(word);
    return r != nullptr && r->unit == unit && r->latency == 2;
}

/* Returns whether a word changes lane flags or their stack. */
constexpr bool changes_flags(std::uint32_t word)
{
    const row *r = row_of(word);
    return r != nullptr && (r->writes & (TX_SET(LF) | TX_SET(USE) | TX_SET(STACK))) != 0;
}

/* Returns whether an SFPNOP is needed between the two words. */
constexpr bool needs_nop(std::uint32_t first, std::uint32_t second)
{
    const touched next = touched_by(second);
    if (takes_two(first, TX_UNIT_MAD)) { /* its result arrives one cycle later */
        const row *r = row_of(second);
        const bool late = r != nullptr && r->latency == 2; /* so does the second word's result */
        const unsigned result = touched_by(first).writes;
        const unsigned held = BLACKHOLE ? next.believed : 0; /* Wormhole has no interlock */
        const unsigned early = next.reads | (late ? 0 : next.writes);
        return (result & held) == 0 && (result & early) != 0;
    }
    return takes_two(first, TX_UNIT_ROUND) && !BLACKHOLE && second != TT_OP_SFPNOP;
}

} // namespace sfpi::trace

#endif
