/* SPDX-License-Identifier: Apache-2.0 */
/*
 * schedule/solver.h: random clauses, whose models are counted here by trying all values; pigeons
 * in holes, which cannot be; limits; and a caller who says no.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "schedule/solver.h"

enum { VARIABLES = 10, CLAUSES = 60, LENGTH = 4, HOLES = 7 };

static bool goes_on(void *user)
{
    (void)user;
    return true;
}

static bool stops(void *user)
{
    ++*(unsigned *)user;
    return false;
}

static uint32_t draw(uint64_t *seed, uint32_t limit)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33) % limit;
}

static bool holds(const int *clause, unsigned values)
{
    for (; *clause != 0; clause++) {
        if ((values >> (abs(*clause) - 1) & 1U) == (*clause > 0)) {
            return true;
        }
    }
    return false;
}

static unsigned count_models(int clause[][LENGTH + 1], unsigned clauses)
{
    unsigned count = 0;
    for (unsigned values = 0; values < 1U << VARIABLES; values++) {
        bool all = true;
        for (unsigned i = 0; i < clauses && all; i++) {
            all = holds(clause[i], values);
        }
        count += all;
    }
    return count;
}

/* Every model is found once: each is forbidden before the next one is asked for. */
static void test_models(void **state)
{
    uint64_t seed = 1;
    (void)state;
    for (unsigned n = 0; n < 60; n++) {
        int clause[CLAUSES][LENGTH + 1] = {{0}};
        struct solver *s = solver_open();
        const unsigned clauses = 10 + draw(&seed, CLAUSES - 10);
        assert_non_null(s);
        for (int i = 1; i <= VARIABLES; i++) {
            assert_int_equal(solver_variable(s), i);
        }
        for (unsigned i = 0; i < clauses; i++) {
            const unsigned length = 2 + draw(&seed, LENGTH - 1);
            for (unsigned k = 0; k < length; k++) {
                const int variable = 1 + (int)draw(&seed, VARIABLES);
                clause[i][k] = draw(&seed, 2) == 0 ? variable : -variable;
            }
            solver_clause(s, clause[i]);
        }
        unsigned models = 0;
        while (solver_run(s, 0, goes_on, NULL) == SOLVER_HOLDS) {
            int other[VARIABLES + 1] = {0};
            unsigned values = 0;
            for (int i = 0; i < VARIABLES; i++) {
                values |= (unsigned)solver_value(s, i + 1) << i;
                other[i] = solver_value(s, i + 1) ? -(i + 1) : i + 1;
            }
            for (unsigned i = 0; i < clauses; i++) {
                assert_true(holds(clause[i], values));
            }
            models++;
            solver_clause(s, other);
        }
        assert_int_equal(solver_run(s, 0, goes_on, NULL), SOLVER_REFUTED);
        assert_int_equal(models, count_models(clause, clauses));
        solver_close(s);
    }
}

/* So many pigeons, each in one of HOLES holes, none with another one. */
static struct solver *pigeons(int count)
{
    struct solver *s = solver_open();
    assert_non_null(s);
    for (int i = 0; i < count * HOLES; i++) {
        (void)solver_variable(s);
    }
    for (int p = 0; p < count; p++) {
        int some[HOLES + 1] = {0};
        for (int h = 0; h < HOLES; h++) {
            some[h] = p * HOLES + h + 1;
            for (int q = 0; q < p; q++) {
                solver_clause(s, (const int[]){-(p * HOLES + h + 1), -(q * HOLES + h + 1), 0});
            }
        }
        solver_clause(s, some);
    }
    return s;
}

static void test_pigeons(void **state)
{
    unsigned asked = 0;
    (void)state;
    struct solver *s = pigeons(HOLES);
    assert_int_equal(solver_run(s, 0, goes_on, NULL), SOLVER_HOLDS);
    solver_close(s);
    s = pigeons(HOLES + 1);
    assert_int_equal(solver_run(s, 0, stops, &asked), SOLVER_LIMIT);
    assert_int_equal(asked, 1);
    assert_int_equal(solver_conflicts(s), 0);
    assert_int_equal(solver_run(s, 100, goes_on, NULL), SOLVER_LIMIT);
    assert_int_equal(solver_conflicts(s), 100);
    assert_int_equal(solver_run(s, 0, goes_on, NULL), SOLVER_REFUTED);
    assert_true(solver_conflicts(s) > 100);
    solver_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_pigeons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
