/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which repetitions a profile reports: the same ones in the same order with any number of threads,
 * whichever of them ends first. What is expected is worked out by hand from docs/profile.md, "Run
 * again".
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/error.h"
#include "profile/profile.h"

enum { TOTAL = 1000, ROWS = 3 };

struct unit {
    enum profile_bound bound;
    enum profile_paced paced;
    uint64_t path, none, half; /* cycles of the run; 0: it does not end */
};
struct told {
    const char *unit;
    uint64_t none, half;
};
static const struct {
    const char *what;
    unsigned tiles;
    struct unit unit[ROWS];
    const char *bound;
    struct told told[ROWS];
} cases[] = {
    {"the second unit saves more than the first one has of the path",
     2,
     {{BOUND_DRAM, PROFILE_DRAM, 430, 955, 970}, {BOUND_DELIVERY, PROFILE_CORES, 380, 670, 820}},
     "delivery",
     {{"delivery", 670, 820}, {"dram", 955, 0}}},
    {"what is left of the path cannot save as much",
     0,
     {{BOUND_MATRIX, PROFILE_MATRIX, 600, 450, 720}, {BOUND_PACK, PROFILE_PACK, 350, 100, 500}},
     "matrix",
     {{"matrix", 450, 720}}},
    {"a tile's unit that has more of the path than was saved is tried",
     0,
     {{BOUND_MATRIX, PROFILE_MATRIX, 500, 900, 950},
      {BOUND_PACK, PROFILE_PACK, 300, 850, 920},
      {BOUND_UNPACK, PROFILE_UNPACK, 140, 800, 900}},
     "pack",
     {{"pack", 850, 920}, {"matrix", 900, 0}}},
    {"across tiles a unit may save half as much again as it has",
     2,
     {{BOUND_MATRIX, PROFILE_MATRIX, 500, 900, 950},
      {BOUND_PACK, PROFILE_PACK, 300, 850, 920},
      {BOUND_UNPACK, PROFILE_UNPACK, 140, 800, 900}},
     "unpack",
     {{"unpack", 800, 900}, {"matrix", 900, 0}, {"pack", 850, 0}}},
    {"nothing saves a hundredth",
     0,
     {{BOUND_VECTOR, PROFILE_VECTOR, 480, 995, 998}, {BOUND_NOC, PROFILE_NOC, 470, 1000, 1000}},
     "vector",
     {{"vector", 995, 0}, {"noc", 1000, 0}}},
    {"a run without the first unit does not end",
     0,
     {{BOUND_DELIVERY, PROFILE_CORES, 700, 0, 0}, {BOUND_UNPACK, PROFILE_UNPACK, 200, 850, 930}},
     "unpack",
     {{"unpack", 850, 930}, {"delivery", 0, 0}}},
    {"a unit with less than a hundredth of the path is not tried",
     0,
     {{BOUND_UNPACK, PROFILE_UNPACK, 9, 900, 950}},
     "other",
     {{NULL, 0, 0}}},
};
enum { CASES = sizeof cases / sizeof cases[0] };

struct rerun {
    const struct unit *unit;
    unsigned slow; /* bits: which unit's repetitions take long */
};

static int again(void *user, struct txl_error *err, struct profile_rerun *rerun)
{
    const struct rerun *r = user;
    (void)err;
    for (unsigned i = 0; i < ROWS; i++) {
        const unsigned pace = rerun->pace[r->unit[i].paced];
        if (r->unit[i].path == 0 || pace == TX_PACE_REAL) {
            continue;
        }
        const struct timespec pause = {.tv_nsec = r->slow >> i & 1 ? 3000000 : 0};
        nanosleep(&pause, NULL);
        rerun->cycles = pace == TX_PACE_NONE ? r->unit[i].none : r->unit[i].half;
        rerun->ended = rerun->cycles != 0;
    }
    return TXL_CONTINUE;
}

static void one(unsigned at, unsigned threads, unsigned slow)
{
    struct rerun r = {.unit = cases[at].unit, .slow = slow};
    txl_profile *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->total = TOTAL;
    p->cores = true;
    p->part_count = cases[at].tiles;
    p->bound = cases[at].unit[0].path * 100 < TOTAL ? BOUND_OTHER : cases[at].unit[0].bound;
    for (unsigned i = 0; i < ROWS; i++) {
        if (cases[at].unit[i].path != 0) {
            p->sums[cases[at].unit[i].bound] = cases[at].unit[i].path;
        }
    }
    const struct profile_again how = {again, &r, threads};
    assert_int_equal(profile_try(NULL, p, &how), TXL_CONTINUE);
    unsigned count = 0;
    for (; count < ROWS && cases[at].told[count].unit != NULL; count++) {
        const struct told *t = &cases[at].told[count];
        assert_true(count < p->result.trials);
        assert_string_equal(p->trials[count].unit, t->unit);
        assert_int_equal(p->trials[count].none, t->none);
        assert_int_equal(p->trials[count].half, t->half);
        assert_int_equal(p->trials[count].stuck, t->none == 0);
    }
    assert_int_equal(p->result.trials, count);
    assert_string_equal(profile_bound_name(p->bound), cases[at].bound);
    free(p);
}

static void test_any_threads(void **state)
{
    (void)state;
    for (unsigned at = 0; at < CASES; at++) {
        for (unsigned threads = 0; threads <= 3; threads++) {
            for (unsigned slow = 0; slow < 1u << ROWS; slow++) {
                one(at, threads, slow);
            }
        }
    }
}

static int fails(void *user, struct txl_error *err, struct profile_rerun *rerun)
{
    (void)user;
    (void)rerun;
    err->status = TXL_INPUT;
    strcpy(err->message, "no memory for a copy");
    return TXL_INPUT;
}

static void test_error(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 3; threads++) {
        struct txl_error err = {.status = TXL_OK};
        txl_profile *p = calloc(1, sizeof *p);
        assert_non_null(p);
        p->total = TOTAL;
        p->sums[BOUND_PACK] = p->sums[BOUND_MATRIX] = TOTAL / 2;
        assert_int_equal(profile_try(&err, p, &(struct profile_again){fails, NULL, threads}),
                         TXL_INPUT);
        assert_string_equal(err.message, "no memory for a copy");
        free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_threads),
        cmocka_unit_test(test_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
