/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values that nobody has defined: in local memory (Wormhole keeps what is there, Blackhole clears
 * it when a core starts, isa SoftReset 585749d) and in GPRs of the Scalar Unit, which have no reset
 * value. Copying them is no finding; they are found where they decide something, with their origin.
 */
#include "code.h"

#include <stdio.h>

#include "base/defined.h"

enum { LOCAL = 0xFFB00000u, GPRS = 0xFFE00000u, MOP = 0xFFB80000u, DISABLE_RESET = 0xFFB12224u };
enum { COPY = 0x24000, PUSH = 0xFFE40000u };

static void or_(struct code *c, unsigned rd, unsigned a, unsigned b)
{
    word(c, b << 20 | a << 15 | 6u << 12 | rd << 7 | 0x33u);
}

static void andi(struct code *c, unsigned rd, unsigned rs, uint32_t imm)
{
    word(c, imm << 20 | rs << 15 | 7u << 12 | rd << 7 | 0x13u);
}

static void slli(struct code *c, unsigned rd, unsigned rs, unsigned n)
{
    word(c, n << 20 | rs << 15 | 1u << 12 | rd << 7 | 0x13u);
}

static void xor_(struct code *c, unsigned rd, unsigned a, unsigned b)
{
    word(c, b << 20 | a << 15 | 4u << 12 | rd << 7 | 0x33u);
}

static void lbu(struct code *c, unsigned rd, unsigned base, int imm)
{
    word(c, (uint32_t)imm << 20 | base << 15 | 4u << 12 | rd << 7 | 0x03u);
}

static void sb(struct code *c, unsigned rs, unsigned base, int imm)
{
    word(c, (uint32_t)imm << 7 | rs << 20 | base << 15 | 0x23u);
}

/* A branch to what follows in any case. */
static void decide(struct code *c, unsigned rs)
{
    bne(c, rs, X0, c->at + 4);
}

static void go(struct code *c, unsigned rs)
{
    word(c, rs << 15 | RA << 7 | 0x67u);
}

/* ---- programs of T1; GP is the local memory, A0 what has been loaded from its start ---- */

static void branch(struct code *c)
{
    decide(c, A0);
}
static void address(struct code *c)
{
    andi(c, A0, A0, 0x7C); /* stays within the local memory */
    or_(c, A0, A0, GP);
    lw(c, A1, A0, 0);
}
static void target(struct code *c)
{
    li(c, A1, c->at + 16);
    or_(c, A1, A1, A0); /* the bits are zero here */
    go(c, A1);
}
static void store_address(struct code *c)
{
    or_(c, A1, A0, GP);
    sw(c, X0, A1, 64);
}
static void stored(struct code *c)
{
    li(c, A1, MOP);
    sw(c, A0, A1, 4);
}
static void to_gpr(struct code *c)
{
    li(c, A1, GPRS);
    sw(c, A0, A1, 4);
}
static void through_stack(struct code *c)
{
    sw(c, A0, GP, 128);
    addi(c, A0, X0, 0);
    lw(c, A2, GP, 128);
    decide(c, A2);
}
static void through_l1(struct code *c)
{
    li(c, A1, COPY);
    sw(c, A0, A1, 0);
    lw(c, A2, A1, 0);
    decide(c, A2);
}
static void through_sum(struct code *c)
{
    li(c, A1, 5);
    word(c, (uint32_t)A1 << 20 | A0 << 15 | A2 << 7 | 0x33u);
    decide(c, A2);
}
static void shifted(struct code *c)
{
    lbu(c, A1, GP, 8);
    slli(c, A1, A1, 24);
    decide(c, A1);
}
static void partly(struct code *c) /* a byte of the word is written, another one decides */
{
    sb(c, X0, GP, 0);
    lbu(c, A1, GP, 1);
    decide(c, A1);
}
static void carried(struct code *c) /* out of the two bits that are undefined */
{
    andi(c, A0, A0, 3);
    addi(c, A0, A0, 1);
    andi(c, A0, A0, 4);
    decide(c, A0);
}
/* ttrmwcib0 2, MASK, DATA, whose data has two undefined bits */
static void push_masked(struct code *c, uint32_t mask)
{
    andi(c, A0, A0, 3);
    slli(c, A0, A0, 8);
    li(c, A1, 0xB3000002u | mask << 16);
    word(c, (uint32_t)A1 << 20 | A0 << 15 | A0 << 7 | 0x33u);
    li(c, A1, PUSH);
    sw(c, A0, A1, 0);
}
static void pushed(struct code *c)
{
    push_masked(c, 0xFE);
}

/* None of these */
static void not_pushed(struct code *c) /* the mask leaves both bits out */
{
    push_masked(c, 0xFC);
}
static void not_carried(struct code *c)
{
    andi(c, A0, A0, 3);
    addi(c, A0, A0, 4);
    andi(c, A0, A0, 12);
    decide(c, A0);
}
static void saved(struct code *c) /* as compilers save registers, and copy padding */
{
    sw(c, A0, GP, 128);
    li(c, A0, 1);
    decide(c, A0);
    lw(c, A0, GP, 128);
    li(c, A1, COPY);
    sw(c, A0, A1, 0);
    lw(c, A2, A1, 0);
    sw(c, A2, GP, 64);
}
static void masked(struct code *c)
{
    andi(c, A0, A0, 0);
    decide(c, A0);
}
static void field(struct code *c) /* a bit field in a word that nobody has set as a whole */
{
    andi(c, A0, A0, 0x7F0);
    addi(c, A1, X0, 3);
    or_(c, A0, A0, A1);
    sw(c, A0, GP, 64);
    lw(c, A2, GP, 64);
    andi(c, A2, A2, 15);
    decide(c, A2);
}
static void with_itself(struct code *c)
{
    xor_(c, A0, A0, A0);
    decide(c, A0);
}
static void written(struct code *c)
{
    sw(c, X0, GP, 0);
    lw(c, A0, GP, 0);
    decide(c, A0);
}
static void overwritten(struct code *c)
{
    li(c, A1, COPY);
    sw(c, A0, A1, 0);
    sw(c, X0, A1, 0);
    lw(c, A2, A1, 0);
    decide(c, A2);
}
static void register_of_reset(struct code *c) /* registers of a core are zero */
{
    decide(c, T1);
}

static const struct undefined_case {
    const char *what;
    void (*program)(struct code *c);
    unsigned finds;
} cases[] = {
    {"a branch", branch, 1},
    {"the address of a load", address, 1},
    {"the target of a jump", target, 1},
    {"the address of a store", store_address, 1},
    {"a store to the MOP's configuration", stored, 1},
    {"a store to a GPR", to_gpr, 1},
    {"through local memory", through_stack, 1},
    {"through L1", through_l1, 1},
    {"through a sum", through_sum, 1},
    {"through a shift", shifted, 1},
    {"another byte of the word", partly, 1},
    {"a carry out of undefined bits", carried, 1},
    {"a masked write of undefined bits", pushed, 1},
    {"saved and copied", saved, 0},
    {"a masked write of others", not_pushed, 0},
    {"bits of a sum that no carry reaches", not_carried, 0},
    {"masked", masked, 0},
    {"a field of a word", field, 0},
    {"a register with itself", with_itself, 0},
    {"written before", written, 0},
    {"overwritten in L1", overwritten, 0},
    {"a register after reset", register_of_reset, 0},
};

static unsigned case_run(enum tx_arch arch, bool untimed, bool keep, const struct undefined_case *u,
                         char *message)
{
    tx_tensix *tile = open_tile(arch, untimed);
    struct code c = code_at(tile, CODE_T1);
    if (keep) { /* T1's local memory is kept */
        set(tile, DISABLE_RESET, 1u << 2);
    }
    li(&c, GP, LOCAL);
    lw(&c, A0, GP, 0);
    u->program(&c);
    result(&c, X0, 0);
    ebreak(&c);
    start(&c, TX_CORE_T1);
    run(tile, TX_OK);
    assert_int_equal(phase_of(tile, TX_CORE_T1), TX_CORE_PAUSED);
    const unsigned found = findings(tile, "E-UNDEF");
    const tx_machine *m = tx_tensix_machine(tile);
    for (size_t i = 0; i < tx_finding_count(m); i++) {
        assert_string_equal(tx_finding_at(m, i)->rule, "E-UNDEF");
        snprintf(message, TX_MESSAGE, "%s", tx_finding_at(m, i)->message);
    }
    tx_tensix_close(tile);
    return found;
}

static void test_local(void **state)
{
    char message[TX_MESSAGE];
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (unsigned way = 0; way < 6; way++) {
            const enum tx_arch arch = chips[way % 2];
            const bool keep = arch == TX_BLACKHOLE && way >= 4;
            const unsigned want = arch == TX_BLACKHOLE && !keep ? 0 : cases[i].finds;
            const unsigned found = case_run(arch, (way & 2u) != 0, keep, &cases[i], message);
            if (found != want) {
                fail_msg("%s, way %u: %u findings, not %u", cases[i].what, way, found, want);
            }
        }
    }
    /* The finding names the branch, the place that nobody has written, and the load. */
    assert_int_equal(case_run(TX_WORMHOLE, false, false, &cases[6], message), 1);
    assert_non_null(strstr(message, "core t1 at 0000a018, bne a2, zero"));
    assert_non_null(strstr(message, "ffb00000: the branch depends on these bytes"));
    assert_non_null(strstr(message, "loaded at 0000a008"));
}

/* ---- GPRs ---- */

static void test_from_core(void **state)
{
    (void)state;
    for (unsigned way = 0; way < 4; way++) {
        tx_tensix *tile = open_tile(chips[way % 2], (way & 2u) != 0);
        struct code c = code_at(tile, CODE_T1);
        li(&c, GP, GPRS);
        lw(&c, A0, GP, 12);
        decide(&c, A0); /* GPR 3 of thread 1 */
        sw(&c, X0, GP, 12);
        lw(&c, A0, GP, 12);
        decide(&c, A0);
        result(&c, X0, 0);
        ebreak(&c);
        start(&c, TX_CORE_T1);
        run(tile, TX_OK);
        assert_int_equal(findings(tile, "E-UNDEF"), 1);
        assert_non_null(strstr(tx_finding_at(tx_tensix_machine(tile), 0)->message, "ffe0000c"));
        tx_tensix_close(tile);
    }
}

/* All sums of two numbers of four bits with undefined ones, against every way to define these. */
static void test_sums(void **state)
{
    enum { BITS = 4, ALL = (1 << BITS) - 1 };
    (void)state;
    for (uint32_t n = 0; n < 1u << (4 * BITS + 1); n++) {
        const struct shadowed a = {n & ALL, n >> BITS & ALL};
        const struct shadowed b = {n >> 2 * BITS & ALL, n >> 3 * BITS & ALL};
        const uint32_t carry = n >> 4 * BITS;
        uint32_t differ = 0;
        for (uint32_t way = 0; way < 1u << 2 * BITS; way++) {
            const uint32_t x = a.value ^ (way & a.bad);
            const uint32_t y = b.value ^ (way >> BITS & b.bad);
            differ |= (x + y + carry) ^ (a.value + b.value + carry);
        }
        assert_int_equal(shadow_add(a, b, carry), differ);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_local),
        cmocka_unit_test(test_from_core),
        cmocka_unit_test(test_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
