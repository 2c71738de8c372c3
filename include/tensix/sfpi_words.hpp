/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which of L0..L7 an instruction word reads and writes, and where an SFPNOP has to stand between
 * two words. Source: the ISA documentation's pages of the instructions; for what Blackhole's
 * interlock misses, its page of SFPMAD.
 */
#ifndef TENSIX_SFPI_WORDS_HPP
#define TENSIX_SFPI_WORDS_HPP

#include <tensix/ckernel_ops.h>

#include <cstdint>

namespace sfpi::trace
{

inline constexpr int REGISTERS = 8; /* L0..L7 */
inline constexpr bool BLACKHOLE = TX_RECORD_BLACKHOLE != 0;

/* Bit n: Ln. */
struct touched {
    unsigned reads, writes;
    bool anything; /* a replayed or macro instruction: nobody knows */
};

class fields
{
  public:
    explicit constexpr fields(std::uint32_t word) : word_(word)
    {
    }
    constexpr unsigned op() const
    {
        return word_ >> 24;
    }
    constexpr unsigned mode() const
    {
        return word_ & 15;
    }
    constexpr unsigned bit(unsigned lsb) const
    {
        const unsigned reg = word_ >> lsb & 15;
        return reg < unsigned(REGISTERS) ? 1u << reg : 0;
    }
    constexpr unsigned d() const
    {
        return bit(4);
    }
    constexpr unsigned to() const
    {
        return word_ >> 4 & 15;
    }
    constexpr unsigned c() const
    {
        return bit(8);
    }
    constexpr unsigned b() const
    {
        return bit(12);
    }
    constexpr unsigned a() const
    {
        return bit(16);
    }
    constexpr unsigned high() const /* of loads and stores */
    {
        return bit(20);
    }
    constexpr unsigned mode0() const
    {
        return word_ >> 16 & 15;
    }

  private:
    std::uint32_t word_;
};

constexpr bool is_multiply_add(std::uint32_t word)
{
    const unsigned op = word >> 24;
    return (op >= 0x73 && op <= 0x75) || (op >= 0x84 && op <= 0x86) || op == 0x95 || op == 0x98;
}

constexpr touched touched_by_shft2(fields f)
{
    return f.mode() <= 2   ? touched{0x0f | f.c(), 0x0f, false}
           : f.mode() <= 4 ? touched{f.c(), f.d(), false}
                           : touched{f.b() | f.c(), f.d(), false};
}

/* VD is a source too where bit 0 of the mode does not ask for an immediate. */
constexpr touched touched_by_imm12(fields f)
{
    return {f.c() | ((f.mode() & 1) != 0 ? 0 : f.d()), f.d(), false};
}

/* Whose register stands at bit 20. */
constexpr touched touched_at_20(fields f)
{
    switch (f.op()) {
    case 0x70: /* SFPLOAD, halves keep the rest */
        return {f.mode0() >= 14 ? f.high() : 0, f.high(), false};
    case 0x71: /* SFPLOADI; of a half: the other one is to come */
        return {0, f.high(), false};
    case 0x72: /* SFPSTORE */
        return {f.high(), 0, false};
    default: /* SFPLUT */
        return (f.mode0() & 8) != 0 ? touched{0xff, 0xff, true} : touched{0x0f, f.high(), false};
    }
}

/* A word for L12 to L15 becomes a template of SFPLOADMACRO, unless LaneConfig says not to. */
constexpr bool is_template(fields f)
{
    return f.op() >= 0x74 && f.op() <= 0x99 && f.op() != 0x91 && f.op() != 0x93 && f.to() >= 12;
}

constexpr touched touched_by(std::uint32_t word)
{
    const fields f(word);
    constexpr touched nothing = {0, 0, false};
    constexpr touched unknown = {0xff, 0xff, true};
    if (is_template(f)) {
        return nothing;
    }
    switch (f.op()) {
    case 0x01: /* MOP */
    case 0x93: /* SFPLOADMACRO */
        return unknown;
    case 0x04: /* REPLAY */
        return (word & 1) != 0 ? nothing : unknown;
    case 0x70:
    case 0x71:
    case 0x72:
    case 0x73:
        return touched_at_20(f);
    case 0x74: /* SFPMULI */
    case 0x75: /* SFPADDI */
        return {f.d(), f.d(), false};
    case 0x79: /* SFPIADD */
    case 0x82: /* SFPSETEXP */
    case 0x83: /* SFPSETMAN */
    case 0x89: /* SFPSETSGN */
        return touched_by_imm12(f);
    case 0x7a: /* SFPSHFT */
        return {(f.mode() & 1) == 0   ? f.c() | f.d()
                : (f.mode() & 4) != 0 ? f.c()
                                      : f.d(),
                f.d(), false};
    case 0x7b: /* SFPSETCC */
        return {f.c(), 0, false};
    case 0x7c: /* SFPMOV */
        return {(f.mode() & 8) != 0 ? 0 : f.c(), f.d(), false};
    case 0x7e: /* SFPAND */
    case 0x7f: /* SFPOR */
        return {f.c() | (BLACKHOLE && (f.mode() & 1) != 0 ? f.b() : f.d()), f.d(), false};
    case 0x8d: /* SFPXOR */
    case 0x96: /* SFPLE */
    case 0x97: /* SFPGT */
        return {f.c() | f.d(), f.d(), false};
    case 0x84: /* SFPMAD */
    case 0x85: /* SFPADD */
    case 0x86: /* SFPMUL */
    case 0x98: /* SFPMUL24 */
        return (f.mode() & 12) != 0 ? unknown : touched{f.a() | f.b() | f.c(), f.d(), false};
    case 0x87: /* SFPPUSHC */
    case 0x88: /* SFPPOPC */
    case 0x8a: /* SFPENCC */
    case 0x8b: /* SFPCOMPC */
    case 0x8f: /* SFPNOP */
        return nothing;
    case 0x8c: /* SFPTRANSP */
        return {0x0f, 0x0f, false};
    case 0x8e: /* SFPSTOCHRND */
    case 0x99: /* SFPARECIP */
        return {f.b() | f.c(), f.d(), false};
    case 0x91: /* SFPCONFIG */
        return {(f.mode() & 1) != 0 ? 0u : 1u, 0, false};
    case 0x92: /* SFPSWAP */
        return {f.c() | f.d(), f.c() | f.d(), false};
    case 0x94:
        return touched_by_shft2(f);
    case 0x95: /* SFPLUTFP32; the table of mode 10 writes where L7 points, here L7 itself */
        return {0x7f | ((f.mode() & 8) != 0 ? 0x80u : 0u), f.d(), false};
    default:
        return f.op() >= 0x76 && f.op() <= 0x99 ? touched{f.c(), f.d(), false} : nothing;
    }
}

/* Registers that a word reads and Blackhole's interlock does not wait for. */
constexpr unsigned missed_by_interlock(std::uint32_t word)
{
    const fields f(word);
    switch (f.op()) {
    case 0x79:
        return (f.mode() & 1) != 0 ? 0 : f.d();
    case 0x7a:
        return (f.mode() & 5) == 5 ? 0 : f.d();
    case 0x7e:
    case 0x7f:
        return (f.mode() & 1) != 0 ? f.b() : 0;
    case 0x91:
    case 0x94:
        return touched_by(word).reads;
    case 0x92:
        return f.mode() != 0 ? f.c() | f.d() : 0;
    default:
        return 0;
    }
}

/* Whether an SFPNOP has to stand between the two. */
constexpr bool needs_nop(std::uint32_t first, std::uint32_t second)
{
    const fields f(first);
    const touched next = touched_by(second);
    if (is_multiply_add(first)) { /* its result is there one cycle later */
        const unsigned result = touched_by(first).writes;
        const unsigned missed = BLACKHOLE ? missed_by_interlock(second) : next.reads;
        const unsigned writes = is_multiply_add(second) ? 0 : next.writes;
        return (result & next.reads & ~missed) == 0 && (result & (missed | writes)) != 0;
    }
    return f.op() == 0x94 && (f.mode() == 3 || f.mode() == 4) && !BLACKHOLE &&
           second != TT_OP_SFPNOP;
}

} // namespace sfpi::trace

#endif
