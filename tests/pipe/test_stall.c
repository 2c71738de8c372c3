/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a stall says: who holds, since when, for which registers. Expectations: the ISA
 * documentation's SFPMAD page (what the interlock of Blackhole believes to be read and written),
 * SFPSWAP and SFPSHFT2 pages (only SFPNOP is accepted in the cycle after).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <tensix/tensix.h>

#include <string.h>

enum { THREAD = 1 };

struct held {
    unsigned count;
    uint64_t cycle;
    struct tx_stall by;
    bool none; /* an event without a holder */
};

static void note(void *user, const struct tx_event *event)
{
    struct held *held = user;
    if (event->kind != TX_EVENT_STALL) {
        assert_null(event->stall);
        return;
    }
    held->count++;
    held->cycle = event->cycle;
    held->none = event->stall == NULL;
    if (event->stall != NULL) {
        held->by = *event->stall;
    }
    assert_non_null(event->text);
}

static struct held run(enum tx_arch arch, const char *rule, const char *text)
{
    const struct tx_asm_options options = {.arch = arch};
    struct held held = {0};
    struct tx_settings s;
    struct tx_program *p;
    struct tx_diag diag;
    tx_machine *m;
    tx_settings_default(&s, arch);
    if (rule != NULL) {
        assert_int_equal(tx_settings_rule(&s, rule), TX_OK);
    }
    s.sink.event = note;
    s.sink.user = &held;
    if (tx_assemble(text, strlen(text), &options, &p, &diag) != TX_OK) {
        fail_msg("%s: %s", text, diag.message);
    }
    assert_int_equal(tx_open(&s, &m), TX_OK);
    assert_int_equal(tx_run(m, THREAD, tx_program_words(p, TX_SECTION_TILE),
                            tx_program_count(p, TX_SECTION_TILE)),
                     TX_OK);
    tx_close(m);
    tx_program_free(p);
    return held;
}

static const struct stall {
    enum tx_arch arch;
    const char *text, *by; /* by NULL: nothing is held */
    unsigned number, start, lregs, needed;
} stalls[] = {
    /* The result is read. */
    {TX_BLACKHOLE, "sfpnop\n sfpmad L4,L0,L1,L2,0\n sfpadd L5,L4,L3,0\n", "SFPMAD", 1, 1, 1 << 4,
     1 << 4},
    {TX_BLACKHOLE, "sfpmul L2,L1,L1,0\n sfpstore L2,0,3,7\n", "SFPMUL", 0, 0, 1 << 2, 1 << 2},
    {TX_BLACKHOLE, "sfpaddi L3,0x3f80,0\n sfpmov L0,L3,0\n", "SFPADDI", 0, 0, 1 << 3, 1 << 3},
    {TX_BLACKHOLE, "sfpmul L2,L1,L1,0\n sfpmov L0,L3,0\n", NULL, 0, 0, 0, 0},
    /* SFPSTOCHRND VD,VC: the encoded VB field is taken for an operand. */
    {TX_BLACKHOLE, "sfpmul L0,L1,L1,0\n sfpstochrnd L3,L0,L2,0,1,0\n", "SFPMUL", 0, 0, 1, 0},
    /* An indirect VA is taken for all LRegs; L7 is 0 and names L0. */
    {TX_BLACKHOLE, "sfpmul L5,L1,L1,0\n sfpmad L6,L0,L1,L2,4\n", "SFPMUL", 0, 0, 1 << 5, 0},
    {TX_BLACKHOLE, "sfpmul L0,L1,L1,0\n sfpmad L6,L3,L1,L2,4\n", "SFPMUL", 0, 0, 1, 1},
    /* An indirect VD is taken for all LRegs. */
    {TX_BLACKHOLE, "sfpmad L6,L0,L1,L2,8\n sfpmov L4,L3,0\n", "SFPMAD", 0, 0, 1 << 3, 0},
    {TX_BLACKHOLE, "sfpmad L6,L0,L1,L2,8\n sfpmov L4,L0,0\n", "SFPMAD", 0, 0, 1, 1},
    /* After SFPSWAP and the rotations nothing but SFPNOP, whatever the registers. */
    {TX_BLACKHOLE, "sfpnop\n sfpnop\n sfpswap L0,L1,1\n sfpmov L4,L3,0\n", "SFPSWAP", 2, 2, 0, 0},
    {TX_BLACKHOLE, "sfpshft2 L2,L1,0,3\n sfpmov L4,L3,0\n", "SFPSHFT2", 0, 0, 0, 0},
    {TX_BLACKHOLE, "sfpswap L0,L1,1\n sfpnop\n sfpmov L4,L0,0\n", NULL, 0, 0, 0, 0},
    {TX_WORMHOLE, "sfpswap L0,L1,1\n sfpmov L4,L3,0\n", "SFPSWAP", 0, 0, 0, 0},
    {TX_WORMHOLE, "sfpmul L2,L1,L1,0\n sfpmov L0,L2,0\n", NULL, 0, 0, 0, 0},
};

static void test_stalls(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof stalls / sizeof stalls[0]; i++) {
        const struct stall *want = &stalls[i];
        const struct held got = run(want->arch, NULL, want->text);
        const struct tx_stall *by = &got.by;
        if (got.count != (want->by != NULL ? 1U : 0U)) {
            fail_msg("%s: %u stalls", want->text, got.count);
        }
        if (want->by == NULL) {
            continue;
        }
        assert_false(got.none);
        if (strcmp(by->row->mnemonic, want->by) != 0 || by->number != want->number ||
            by->start != want->start || by->lregs != want->lregs || by->needed != want->needed) {
            fail_msg("%s: held by %s %u of cycle %u for %x, needed %x", want->text,
                     by->row->mnemonic, (unsigned)by->number, (unsigned)by->start, by->lregs,
                     by->needed);
        }
        assert_int_equal(got.cycle, by->start + 1);
        assert_int_equal(by->word >> 24, tx_insn_find(want->arch, want->by)->opcode);
    }
}

/* The other reading of Wormhole's SFPSWAP: it holds what touches its registers. */
static void test_overlap(void **state)
{
    (void)state;
    const char *const rule = "swap-stall=overlap";
    struct held got = run(TX_WORMHOLE, rule, "sfpswap L0,L1,1\n sfpmov L4,L1,0\n");
    assert_int_equal(got.count, 1);
    assert_int_equal(got.by.lregs, 1 << 1);
    assert_int_equal(got.by.needed, 1 << 1);
    got = run(TX_WORMHOLE, rule, "sfpswap L0,L1,1\n sfpmov L0,L4,0\n");
    assert_int_equal(got.count, 1);
    assert_int_equal(got.by.lregs, 1);
    assert_int_equal(got.by.needed, 0); /* it only writes L0 */
    got = run(TX_WORMHOLE, rule, "sfpswap L0,L1,1\n sfpmov L4,L3,0\n");
    assert_int_equal(got.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stalls),
        cmocka_unit_test(test_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
