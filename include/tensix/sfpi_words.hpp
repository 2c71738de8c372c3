/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which of L0..L7 an instruction word reads and writes, and where an SFPNOP has to stand between
 * two words: questions to the rows of isa/isa.def, which come by way of scripts/ckernel_ops.py.
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
    std::uint16_t number, modes; /* enum tx_row_id, set of modifier values */
    std::uint8_t unit, latency;
    std::uint8_t implied;
    bool guarded; /* a register number of 12 and more makes it a template */
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

/* The row of a word; nullptr: neither of the Vector Unit nor an expander's. */
constexpr const row *row_of(std::uint32_t word)
{
    for (const row &r : rows) {
        if (r.number >> 8 == TX_INSN_OF(word) && (r.modes >> get(r, field::mod, word) & 1) != 0) {
            return &r;
        }
    }
    return nullptr;
}

/* The word with a register number or an immediate in a field that holds 0 so far. */
constexpr std::uint32_t with(std::uint32_t word, field f, std::uint32_t value)
{
    const row *r = row_of(word);
    return r != nullptr ? word | value << r->places[std::size_t(f)].lsb : word;
}

/* ---- what a word does ---- */

/* Bit n: Ln. */
struct touched {
    unsigned reads, writes;
    bool anything;     /* a replayed, macro or indirect instruction: nobody knows */
    unsigned believed; /* reads that Blackhole's interlock sees, right or wrong */
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
    /* A word for L12 to L15 becomes a template of SFPLOADMACRO, unless LaneConfig says not to. */
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
        /* The table that writes where L7 points has 7 there: lookup3. */
        target.mode &= std::uint8_t(~TX_INDIRECT_VD);
    } else if (is_indirect(*r, o)) {
        return unknown;
    }
    touched t = {tx_set_lregs(r->reads, o, 0, false) & 0xff,
                 tx_set_lregs(r->writes, target, 0, false) & 0xff, false,
                 tx_set_lregs(r->belief, o, 0, false) & 0xff};
    if (TX_INSN_OF(word) == TX_INSN_SFPLOADI) {
        t.reads = 0; /* of a half: the other one is to come */
    } else if (r->number == TX_ROW_SFPSWAP_SWAP) {
        t.believed = t.reads; /* it reads in its second cycle only, where the result is there */
    }
    return t;
}

constexpr bool takes_two(std::uint32_t word, unsigned unit)
{
    const row *r = row_of(word);
    return r != nullptr && r->unit == unit && r->latency == 2;
}

/* A condition, or the stack of flags. */
constexpr bool changes_flags(std::uint32_t word)
{
    const row *r = row_of(word);
    return r != nullptr && (r->writes & (TX_SET(LF) | TX_SET(USE) | TX_SET(STACK))) != 0;
}

/* Whether an SFPNOP has to stand between the two. */
constexpr bool needs_nop(std::uint32_t first, std::uint32_t second)
{
    const touched next = touched_by(second);
    if (takes_two(first, TX_UNIT_MAD)) { /* its result is there one cycle later */
        const row *r = row_of(second);
        const bool late = r != nullptr && r->latency == 2; /* so is what this one writes */
        const unsigned result = touched_by(first).writes;
        const unsigned held = BLACKHOLE ? next.believed : 0; /* Wormhole has no interlock */
        const unsigned early = next.reads | (late ? 0 : next.writes);
        return (result & held) == 0 && (result & early) != 0;
    }
    return takes_two(first, TX_UNIT_ROUND) && !BLACKHOLE && second != TT_OP_SFPNOP;
}

} // namespace sfpi::trace

#endif
