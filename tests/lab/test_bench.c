/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of the benchmark: which are chosen, what is told of them, and that they can be cancelled.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include <tensix-internal/bench.h>
#include <tensix/asm.h>

struct heard {
    unsigned count, most;
    char names[8][40];
    bool rated;
};

static bool hear(void *user, const struct txl_bench_line *line,
                 const struct txl_bench_result *result, const char *why)
{
    struct heard *h = user;
    (void)why;
    assert_true(h->count < 8);
    strncpy(h->names[h->count], line->name, sizeof h->names[0] - 1);
    h->rated = result != NULL && result->rate > 0 && result->ratio[line->against] > 0;
    return ++h->count < h->most;
}

/* So short that figures mean nothing. */
static const struct txl_bench_options quick = {
    .size = sizeof quick, .engine = TXL_ENGINE_REFERENCE, .runs = 5, .slice = 0.00001};

static void test_chosen(void **state)
{
    static const char *const begins[] = {"recip", "mad/"};
    (void)state;
    assert_true(txl_bench_chosen("mad/bits", begins, 2));
    assert_false(txl_bench_chosen("mad", begins, 2));
    assert_true(txl_bench_chosen("mad", NULL, 0));
}

static void test_lines(void **state)
{
    static const char *const begins[] = {"mad/bits"};
    struct txl_error err = {.status = TXL_OK};
    struct heard h = {.most = 8};
    (void)state;
    assert_int_equal(txl_bench_lines(&err, &quick, begins, 1, hear, &h), TXL_OK);
    assert_int_equal(h.count, 2);
    assert_string_equal(h.names[0], "mad/bits");
    assert_string_equal(h.names[1], "mad/bits/wh");
    assert_true(h.rated);
    h = (struct heard){.most = 1};
    assert_int_equal(txl_bench_lines(&err, &quick, begins, 1, hear, &h), TXL_CANCELLED);
    assert_int_equal(h.count, 1);
}

/* Engines from the one of the options on; a compiler is missing, and that is told. */
static void test_engines(void **state)
{
    static const char text[] = ".dst fp32\n.tile\nsfpload L0,0,3,3\nsfpstore L0,0,3,3\n";
    const struct tx_asm_options how = {.arch = TX_BLACKHOLE};
    struct txl_bench_options options = quick;
    struct tx_program *program = NULL;
    struct txl_error err = {.status = TXL_OK};
    struct heard h = {.most = 8};
    (void)state;
    assert_int_equal(tx_assemble(text, strlen(text), &how, &program, NULL), TX_OK);
    options.engine = TXL_ENGINE_COMPILED;
    assert_int_equal(txl_bench_engines(&err, "own.s", program, &options, hear, &h), TXL_OK);
    assert_int_equal(h.count, 2);
    assert_string_equal(h.names[0], "own.s");
    assert_string_equal(h.names[1], "own.s/reference");
    h = (struct heard){.most = 1};
    assert_int_equal(txl_bench_engines(&err, "own.s", program, &options, hear, &h), TXL_CANCELLED);
    assert_int_equal(h.count, 1);
    tx_program_free(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chosen),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_engines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
