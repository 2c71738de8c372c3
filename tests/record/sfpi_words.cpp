/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where sfpi/words.hpp puts an SFPNOP, and what it says that words read and write, against the
 * emulator: pairs of a two-cycle instruction and any other one are run, and the machine tells
 * whether the second one reads or writes too early; registers that change without being among the
 * writes, or results that depend on registers not among the reads, are mistakes too.
 * sfpi_words [SEED [PAIRS]]
 */
#include <tensix/sfpi/words.hpp>
#include <tensix/tensix.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace sfpi::trace;

namespace
{

constexpr tx_arch CHIP = BLACKHOLE ? TX_BLACKHOLE : TX_WORMHOLE;

std::uint64_t seed = 1;
std::uint32_t random32()
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return std::uint32_t(seed >> 32);
}

struct file {
    std::uint32_t lanes[REGISTERS][TX_LANES];
};

/* Floats of everyday size. */
file random_file()
{
    file f;
    for (int r = 0; r < REGISTERS; r++) {
        for (auto &lane : f.lanes[r]) {
            lane = 0x3f000000 + (random32() & 0x00ffffff);
        }
    }
    return f;
}

/* Runs words from a file of registers; true: without a hazard. */
bool run(tx_machine *m, file &f, const std::uint32_t *words, std::size_t count)
{
    tx_reset(m);
    tx_findings_clear(m);
    tx_prng_seed(m, 1);
    for (int r = 0; r < REGISTERS; r++) {
        tx_write(m, TX_FILE_LREG, unsigned(r), f.lanes[r], TX_LANES);
    }
    if (tx_run(m, 0, words, count) != TX_OK || tx_finish(m) != TX_OK) {
        std::printf("%08x: %s\n", unsigned(words[0]),
                    tx_fault(m) != nullptr ? tx_fault(m)->message : "does not run");
        std::exit(1);
    }
    for (int r = 0; r < REGISTERS; r++) {
        tx_read(m, TX_FILE_LREG, unsigned(r), f.lanes[r], TX_LANES);
    }
    for (std::size_t i = 0; i < tx_finding_count(m); i++) {
        if (tx_finding_at(m, i)->category == TX_HAZARD) {
            return false;
        }
    }
    return true;
}

/* A word of a row inside the contract, of registers L0 to L7. */
std::uint32_t random_word(const row *&r)
{
    for (;;) {
        r = &rows[random32() % (sizeof rows / sizeof rows[0])];
        if (r->unit > TX_UNIT_STORE || (r->writes & TX_SET(MACRO)) != 0) {
            continue;
        }
        std::uint32_t word = TX_INSN_WORD(r->number >> 8) | (random32() & 0x00ffffff);
        tx_decoded d;
        if (tx_decode(CHIP, word, &d) != TX_OK || d.row == nullptr || d.row->number != r->number ||
            (d.row->legal >> d.mode & 1) == 0) {
            continue;
        }
        for (const tx_fld field : {TX_FLD_VA, TX_FLD_VB, TX_FLD_VC, TX_FLD_VD}) {
            word = tx_row_put(d.row, field, word, tx_row_field(d.row, field, word) & 7);
        }
        word = tx_row_put(d.row, TX_FLD_MIRROR, word, d.mode); /* as the vendor's assembler does */
        return word & ~d.unused;
    }
}

void fail(const char *what, std::uint32_t first, std::uint32_t second)
{
    char a[128];
    char b[128];
    tx_disassemble(CHIP, first, TX_DIS_NORMAL, a, sizeof a);
    tx_disassemble(CHIP, second, TX_DIS_NORMAL, b, sizeof b);
    std::printf("%s: %08x %s; %08x %s\n", what, unsigned(first), a, unsigned(second), b);
    std::exit(1);
}

std::uint32_t random_first()
{
    const unsigned a = random32() & 7;
    const unsigned b = random32() & 7;
    const unsigned d = random32() & 7;
    switch (random32() % 6) {
    case 0:
        return TT_OP_SFPADDI(0x3f80, d, 0);
    case 1:
        return TT_OP_SFPSHFT2(0, a, d, 3 + (b & 1));
    case 2:
        return TT_OP_SFPLUTFP32(d, 0);
    default:
        return TT_OP_SFPMAD(a, b, random32() & 7, d, 0);
    }
}

/* More than there has to be: all behind Wormhole's rotations, and in front of its plain exchange.
 */
bool cautious(std::uint32_t first, const row &r)
{
    return !BLACKHOLE && (TX_INSN_OF(first) == TX_INSN_SFPSHFT2 || r.number == TX_ROW_SFPSWAP_SWAP);
}

/* An SFPNOP stands exactly where the emulator finds a hazard without it, and none with it. */
void check_pair(tx_machine *m, const row &r, std::uint32_t second)
{
    const std::uint32_t first = random_first();
    const std::uint32_t words[] = {first, TT_OP_SFPNOP, second};
    const std::uint32_t bare[] = {first, second};
    file f = random_file();
    const bool clean = run(m, f, bare, 2);
    f = random_file();
    if (!run(m, f, words, 3)) {
        fail("a hazard in spite of an SFPNOP", first, second);
    }
    if (needs_nop(first, second) == clean && (!clean || !cautious(first, r))) {
        fail(clean ? "a superfluous SFPNOP" : "an SFPNOP is missing", first, second);
    }
}

/* What a word alone changes is among its writes, and what it depends on is among its reads. */
void check_alone(tx_machine *m, std::uint32_t word)
{
    const touched t = touched_by(word);
    file before = random_file();
    file plain = before;
    if (TX_INSN_OF(word) == TX_INSN_SFPLUTFP32) {
        for (auto &lane : plain.lanes[7]) {
            lane = 7; /* what lookup3 has there for a table that writes where it points */
        }
    }
    file other = plain;
    const file noise = random_file();
    for (int r = 0; r < REGISTERS; r++) {
        if (((t.reads | t.writes) >> r & 1) == 0) {
            std::memcpy(other.lanes[r], noise.lanes[r], sizeof noise.lanes[r]);
        }
    }
    before = plain;
    file after = other;
    run(m, plain, &word, 1);
    run(m, after, &word, 1);
    for (int r = 0; r < REGISTERS; r++) {
        const std::size_t size = sizeof plain.lanes[r];
        const bool written = (t.writes >> r & 1) != 0;
        if (!written && (std::memcmp(plain.lanes[r], before.lanes[r], size) != 0 ||
                         std::memcmp(after.lanes[r], other.lanes[r], size) != 0)) {
            fail("a register changes that is not among the writes", word, word);
        }
        if (written && std::memcmp(plain.lanes[r], after.lanes[r], size) != 0) {
            fail("a register is read that is not among the reads", word, word);
        }
    }
}

} // namespace

int main(int argc, char **argv)
{
    seed = argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 1;
    const unsigned long pairs = argc > 2 ? std::strtoul(argv[2], nullptr, 0) : 20000;
    tx_settings settings;
    tx_machine *m = nullptr;
    tx_settings_default(&settings, CHIP);
    if (tx_open(&settings, &m) != TX_OK) {
        return 1;
    }
    unsigned long nops = 0;
    for (unsigned long i = 0; i < pairs; i++) {
        const row *r = nullptr;
        const std::uint32_t word = random_word(r);
        if (!touched_by(word).anything) {
            check_pair(m, *r, word);
            check_alone(m, word);
        }
        nops += needs_nop(TT_OP_SFPMAD(0, 0, 0, 1, 0), word) ? 1 : 0;
    }
    tx_close(m);
    std::printf("%lu pairs, %lu of those with L1 need an SFPNOP\n", pairs, nops);
    return nops > pairs / 100 ? 0 : 1;
}
