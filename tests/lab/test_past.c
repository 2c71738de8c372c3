/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The past of steps whose state is a chain of squares: every moment since the beginning comes back
 * as it was, with as many checkpoints as there is room for, and nobody reads behind the last.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <sys/mman.h>
#include <unistd.h>

#include "lab/past/past.h"

enum { STEPS = 2000, SPACING = 4 };

struct world {
    uint64_t now;
    uint32_t value;
};

static uint64_t now_of(void *user)
{
    return ((const struct world *)user)->now;
}

static void step(void *user)
{
    struct world *w = user;
    w->value = w->value * w->value + 3 * (uint32_t)w->now + 1;
    w->now++;
}

static bool save(void *user, void *bytes)
{
    memcpy(bytes, user, sizeof(struct world));
    return true;
}

static void load(void *user, const void *bytes)
{
    memcpy(user, bytes, sizeof(struct world));
}

/* A copy of the list of checkpoints that ends where no page can be read. */
static struct checkpoint *at_the_edge(struct history *h, size_t page)
{
    const size_t bytes = (h->most + 1) * sizeof *h->points;
    assert_true(bytes <= page);
    uint8_t *pages =
        mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(pages != MAP_FAILED);
    assert_int_equal(mprotect(pages + page, page, PROT_NONE), 0);
    struct checkpoint *list = (struct checkpoint *)(void *)(pages + page - bytes);
    memcpy(list, h->points, bytes);
    return list;
}

static void test_every_moment(void **state)
{
    static uint32_t value_at[STEPS + 1];
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    (void)state;
    for (unsigned budget = 0; budget < 20; budget += 6) {
        struct world w = {0, 1};
        struct txl_error err;
        struct history h;
        const struct past_of of = {
            .user = &w, .size = sizeof w, .now = now_of, .step = step, .save = save, .load = load};
        assert_int_equal(history_open(&err, &h, &of, SPACING, budget * sizeof w), TXL_CONTINUE);
        struct checkpoint *before = h.points;
        struct checkpoint *edge = h.points = at_the_edge(&h, page);
        const size_t bytes = (h.most + 1) * sizeof *h.points;
        for (unsigned i = 0; i < STEPS; i++) {
            assert_int_equal(w.now, i);
            value_at[i] = w.value;
            step(&w);
            history_went(&h);
            assert_true(h.count <= h.most);
        }
        value_at[STEPS] = w.value;
        assert_int_equal(history_begin(&h), 0);
        for (uint64_t to = STEPS; to > 0; to -= to % 97 + 1 < to ? to % 97 + 1 : to) {
            const uint64_t from = history_before(&h, to + 1);
            assert_true(from <= to);
            history_back(&h, from);
            assert_int_equal(w.now, from);
            while (w.now < to) {
                history_again(&h, to);
            }
            assert_int_equal(w.now, to);
            assert_int_equal(w.value, value_at[to]);
            assert_true(h.count <= h.most);
        }
        memcpy(before, h.points, bytes);
        h.points = before;
        history_free(&h);
        assert_int_equal(munmap((uint8_t *)edge + bytes - page, 2 * page), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_moment)};
    return cmocka_run_group_tests_name("lab.past", tests, NULL, NULL);
}
