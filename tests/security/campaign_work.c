/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long a program can keep the host waiting: of each case the longest time of the processor
 * between two questions of tx_watch, the first and the last included. docs/evidence.md has the
 * table that it prints.
 */
#include "security/work_cases.h"

#include <time.h>

struct timed {
    struct work w; /* first: go_on gets its address */
    double last, most;
};

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void note(struct timed *t)
{
    const double now = seconds();
    t->most = now - t->last > t->most ? now - t->last : t->most;
    t->last = now;
}

static bool go_on(void *user)
{
    struct timed *t = user;
    note(t);
    return ++t->w.asked < t->w.end;
}

static void test_times(void **state)
{
    enum { QUESTIONS = 300 };
    double most = 0;
    (void)state;
    printf("%-46s %26s %26s\n%-46s %12s %13s %12s %13s\n", "milliseconds between two questions",
           "wormhole", "blackhole", "", "timed", "untimed", "timed", "untimed");
    for (unsigned i = 0; i < WORK_CASES; i++) {
        printf("%-46s", work_cases[i].name);
        for (unsigned k = 0; k < 4; k++) {
            struct timed t = {.most = 0};
            work_open(&t.w, &work_cases[i], chips[k / 2], k % 2 != 0, go_on);
            t.w.end = work_cases[i].questions < 10 ? 30 : QUESTIONS;
            t.last = seconds();
            assert_int_equal(tx_tensix_cycle(t.w.tile, UINT64_MAX), TX_ELIMIT);
            note(&t);
            most = t.most > most ? t.most : most;
            printf(" %12.2f%s", 1e3 * t.most, k % 2 == 0 ? " " : "");
            tx_tensix_close(t.w.tile);
        }
        printf("\n");
    }
    printf("longest: %.2f ms\n", 1e3 * most);
    assert_true(most < 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
