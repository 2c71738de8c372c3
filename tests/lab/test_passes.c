/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random rows that take 16-bit data back from Dst in another format: whatever the clauses find for
 * them, with any number of phases and any room for delays, the machine accepts: equal results, the
 * cycles that were calculated, and no finding that the straight line does not have.
 */
#include "rows.h"

static uint64_t state_of_random = 1;

static unsigned drawn(unsigned below)
{
    state_of_random = state_of_random * UINT64_C(6364136223846793005) + 1442695040888963407U;
    return (unsigned)(state_of_random >> 33) % below;
}

struct text {
    char text[2048];
    size_t size;
};

static void put(struct text *t, const char *line)
{
    t->size += (size_t)snprintf(t->text + t->size, sizeof t->text - t->size, "%s\n", line);
    assert_true(t->size < sizeof t->text);
}

/* L1 is what the row makes, L2 what comes back, L0 a constant, L3 the input. */
static void put_ops(struct text *t, unsigned most)
{
    static const char *const ops[] = {
        "sfpnot L1, L1",
        "sfpabs L1, L1, 0",
        "sfpmad L1, L3, L1, L11, 0\nsfpnop",
        "sfpmad L1, L9, L10, L1, 0\nsfpnop",
        "sfpshft L1, L1, 1, 1",
        "sfpxor L1, L3",
    };
    for (unsigned n = drawn(most + 1); n != 0; n--) {
        put(t, ops[drawn(sizeof ops / sizeof ops[0])]);
    }
}

/* One datum through Dst: stored, and taken back by a load of another format. */
static void put_pass(struct text *t)
{
    static const char *const combined[] = {"sfpiadd L1, L2, 0, 4", "sfpxor L1, L2",
                                           "sfpor L1, L1, L2, 0",
                                           "sfpmad L1, L2, L1, L11, 0\nsfpnop"};
    put(t, drawn(3) == 0 ? "sfpstore L0, I, 0, 3" : "sfpstore L1, I, 0, 3");
    if (drawn(2) == 0) {
        put(t, drawn(2) == 0 ? "sfpload L1, I, 14, 3" : "sfpload L1, I, 15, 3");
    } else {
        put(t, "sfpload L2, I, 6, 3");
        put_ops(t, 1);
        put(t, combined[drawn(4)]);
    }
}

static void make_rows(struct text *t)
{
    t->size = 0;
    put(t, ".dst bf16\n.init\n.loadi L0, 0x80000000\n.tile\nI = 0\n.rept 8\nsfpload L3, I, 2, 3");
    put(t, drawn(2) == 0 ? "sfparecip L1, L3, 0" : "sfpmad L1, L9, L10, L3, 0\nsfpnop");
    put_ops(t, 1);
    for (unsigned n = 1 + drawn(2); n != 0; n--) {
        put_pass(t);
        put_ops(t, 1);
    }
    put(t, "sfpstore L1, I, 0, 3\nI = I + 2\n.endr");
}

/* Returns how many schedules the machine has accepted. */
static unsigned accepted(const struct tx_program *program)
{
    struct sched_body *body = rows_in(program, SCHED_PASS);
    struct sched_search search = {.body = body, .go_on = never_stop, .most = 3000};
    unsigned found = 0;
    for (unsigned ii = 2; ii < 8; ii++) {
        const unsigned phases = 1 + drawn(4);
        const unsigned slack = drawn(6);
        if (sched_solve(&search, ii, phases, slack) == SCHED_FOUND) {
            prove_rows(program, &search);
            found++;
        }
    }
    free(body);
    return found;
}

static unsigned count = 60;

static void test_random(void **state)
{
    unsigned found = 0;
    (void)state;
    for (unsigned n = 0; n < count; n++) {
        const struct txl_kernel_options how = {.size = sizeof how, .arch = TX_BLACKHOLE};
        struct txl_error err = {.message = ""};
        struct tx_program *program = NULL;
        struct text t;
        make_rows(&t);
        if (txl_kernel_assemble(&err, "passes", t.text, t.size, &how, &program) != TXL_OK) {
            fail_msg("%s\n%s", err.message, t.text);
        }
        found += accepted(program);
        tx_program_free(program);
    }
    assert_true(found >= count);
}

/* COUNT: rows. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
    count = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : count;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
