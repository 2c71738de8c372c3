/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tensix-lab/schedule.h: random predicated rows. What is found gives the results of the kernel on
 * random data, on the reference engine here and on the others in the proof, and what is not found
 * is never a schedule that the proof refused: the rules for flags alone must suffice.
 */
#include <tensix-lab/schedule.h>

#include "random_rows.h"

static bool one(enum tx_arch arch, struct maker *m)
{
    static uint32_t before[TILES][TX_TILE_ELEMENTS], after[TILES][TX_TILE_ELEMENTS];
    const struct txl_schedule_options how = {
        .size = sizeof how, .nodes = 1000, .domain = "bf16xbf16", .sample = 1024};
    struct txl_error err = {.status = TXL_OK};
    txl_schedule *schedule = NULL;
    random_kernel(m, false);
    struct tx_program *straight = program_of(arch, m->text);
    const int result = txl_schedule_find(&err, straight, &how, &schedule);
    if (result != TXL_OK) {
        static const char *const wrong[] = {"gives other", "with a finding", "takes", "line"};
        for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
            if (result != TXL_NEGATIVE || strstr(err.message, wrong[i]) != NULL) {
                fail_msg("%s\n%s", err.message, m->text);
            }
        }
    } else {
        struct tx_program *fast = program_of(arch, txl_schedule_text(schedule));
        results(straight, m->random, before);
        results(fast, m->random, after);
        if (memcmp(before, after, sizeof before) != 0) {
            fail_msg("other results:\n%s\n%s", m->text, txl_schedule_text(schedule));
        }
        tx_program_free(fast);
    }
    txl_schedule_close(schedule);
    tx_program_free(straight);
    return result == TXL_OK;
}

static unsigned count = 5;

static void rows(enum tx_arch arch, uint64_t seed)
{
    struct maker m = {.random = seed};
    unsigned found = 0;
    for (unsigned i = 0; i < count; i++) {
        found += one(arch, &m);
    }
    printf("%u of %u rows scheduled on %s\n", found, count, tx_arch_name(arch));
    assert_true(5 * found >= 4 * count);
}

static void test_blackhole(void **state)
{
    (void)state;
    rows(TX_BLACKHOLE, 0x9E3779B97F4A7C15);
}

static void test_wormhole(void **state)
{
    (void)state;
    rows(TX_WORMHOLE, 0xC2B2AE3D27D4EB4F);
}

/* test_predicated [COUNT] */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blackhole),
        cmocka_unit_test(test_wormhole),
    };
    count = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : count;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
