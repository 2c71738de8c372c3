/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the room "schedule" makes of the rows of a kernel: other forms of their instructions, and
 * values that go through Dst.
 */
#include <stdio.h>

#include "rows.h"

/*
 * The reciprocal's schedule by hand, every 5 cycles, with the approximation (op 0) and the error
 * (op 1) handed through Dst: the machine accepts what the search makes of it.
 */
static void test_spills(void **state)
{
    (void)state;
    static const char *const text =
        ".dst fp32\n.tile\nI = 0\n.rept 8\nsfpload L3, I, 3, 3\nsfparecip L1, L3, 0\n"
        "sfpmad L0, L3, L1, L10, 1\nsfpnop\nsfpmad L2, L0, L0, L0, 0\nsfpnop\n"
        "sfpmad L2, L0, L2, L0, 0\nsfpnop\nsfpswap L2, L10, 1\nsfpnop\n"
        "sfpmad L2, L2, L1, L1, 0\nsfpnop\nsfpstore L2, I, 3, 3\nI = I + 2\n.endr\n";
    struct tx_program *program = NULL;
    struct sched_body *body = body_of(text, TX_BLACKHOLE, &program);
    struct sched_body *spilled = calloc(1, sizeof *spilled);
    struct sched_search *search = calloc(1, sizeof *search);
    const int values[] = {body->op[0].out, body->op[1].out};
    assert_non_null(spilled);
    assert_non_null(search);
    assert_true(sched_spill(body, values, 2, spilled));
    assert_int_equal(spilled->ops, body->ops + 2);
    *search = (struct sched_search){.body = spilled, .go_on = never_stop};
    assert_true(sched_find(search, 5));
    prove_rows(program, search);
    assert_int_equal(sched_cycles(spilled, &search->plan), 13 + 1 + 7 * 5);

    free(search);
    free(spilled);
    free(body);
    tx_program_free(program);
}

/* Which values of two ops, the second of them SFPABS, may go through Dst. */
static void test_spillable(void **state)
{
    (void)state;
    static const struct {
        const char *dst, *op, *store;
        unsigned second; /* address of a second load, for the op's other operand */
        unsigned values;
    } cases[] = {
        {"fp32", "sfpmad L0, L0, L1, L10, 0\nsfpnop", "3", 64, 1}, /* makes no denormal */
        {"fp32", "sfpiadd L0, L1, 0, 4", "3", 64, 0},              /* Dst would flush it */
        {"fp32", "sfpiadd L0, L1, 0, 4", "4", 64, 1},
        {"int32", "sfpiadd L0, L1, 0, 4", "4", 64, 1},
        {"int32", "sfpiadd L0, L1, 0, 4", "6", 64, 0}, /* 16 bits are stored */
        {"bf16", "sfpmad L0, L0, L1, L10, 0\nsfpnop", "3", 64, 0},
        {"int32", "sfpiadd L0, L1, 0, 4", "4", 2, 0}, /* the next row's data */
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        int list[SCHED_VALUES];
        struct tx_program *program = NULL;
        snprintf(text, sizeof text,
                 ".dst %s\n.inputs 2\n.tile\nI = 0\n.rept 4\nsfpload L0, I, 4, 3\n"
                 "sfpload L1, I + %u, 4, 3\n%s\nsfpabs L2, L0, 0\nsfpstore L2, I, %s, 3\n"
                 "I = I + 2\n.endr\n",
                 cases[i].dst, cases[i].second, cases[i].op, cases[i].store);
        struct sched_body *body = body_of(text, TX_BLACKHOLE, &program);
        if (sched_spillable(body, list) != cases[i].values) {
            fail_msg("%s", text);
        }
        free(body);
        tx_program_free(program);
    }
}

/* A shift in place can be written with its source apart on Blackhole, and as SFPSHFT2 on both. */
static void test_shifts(void **state)
{
    (void)state;
    static const char *const text =
        ".dst int32\n.tile\nI = 0\n.rept 2\nsfpload L0, I, 4, 3\nsfpmov L1, L0, 0\n"
        "sfpshft L1, L1, -3, 1\nsfpstore L1, I, 4, 3\nI = I + 2\n.endr\n";
    for (unsigned chip = 0; chip < 2; chip++) {
        const enum tx_arch arch = chip == 0 ? TX_BLACKHOLE : TX_WORMHOLE;
        struct tx_program *program = NULL;
        struct sched_body *body = body_of(text, arch, &program);
        bool found[3] = {false};
        assert_int_equal(body->ops, 2);
        for (unsigned i = 0; i < body->op[0].forms; i++) {
            const struct sched_form *f = &body->op[0].form[i];
            const bool apart = f->operand[SCHED_VC] != SCHED_NONE;
            const bool round = f->row->unit == TX_UNIT_ROUND;
            assert_true(round || f->row->insn == TX_INSN_SFPSHFT);
            assert_int_equal(tx_row_field(f->row, TX_FLD_IMM, f->word), 0xFFD);
            found[round ? 2 : apart ? 1 : 0] = true;
        }
        assert_true(found[0] && found[2] && found[1] == (chip == 0));
        free(body);
        tx_program_free(program);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spills),
        cmocka_unit_test(test_spillable),
        cmocka_unit_test(test_shifts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
