/* SPDX-License-Identifier: Apache-2.0 */
/* The public faces of rooms engine and bench: names, errors as values, sizes of structs. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <cmocka.h>

#include <tensix-internal/bench.h>
#include <tensix-lab/engine.h>

static void test_names(void **state)
{
    struct txl_error err = {0};
    enum txl_engine engine = TXL_ENGINE_AUTO;
    (void)state;
    for (size_t i = 0; txl_engine_name(i) != NULL; i++) {
        assert_int_equal(txl_engine_parse(&err, txl_engine_name(i), &engine), TXL_OK);
        assert_int_equal(engine, i);
    }
    assert_string_equal(txl_engine_name(TXL_ENGINE_REFERENCE), "reference");
    assert_int_equal(txl_engine_parse(&err, "fastest", &engine), TXL_INPUT);
    assert_non_null(strstr(err.message, "'fastest' is none of"));
}

static tx_fast *fast_of(tx_kernel **kernel, struct tx_program **program)
{
    static const char text[] = ".dst fp32\n.tile\nsfpload L0,0,3,3\nsfpmul L0,L0,L0,0\nsfpnop\n"
                               "sfpstore L0,0,3,3\n";
    const struct tx_asm_options how = {.arch = TX_BLACKHOLE};
    struct tx_kernel_options options;
    struct tx_settings settings;
    struct tx_diag diag;
    tx_fast *fast = NULL;
    tx_settings_default(&settings, TX_BLACKHOLE);
    tx_kernel_options_default(&options);
    assert_int_equal(tx_assemble(text, sizeof text - 1, &how, program, &diag), TX_OK);
    assert_int_equal(tx_kernel_open(&settings, *program, &options, kernel), TX_OK);
    assert_int_equal(tx_kernel_start(*kernel), TX_OK);
    assert_int_equal(tx_fast_open(*kernel, NULL, &fast, NULL), TX_OK);
    return fast;
}

static void refused(const struct txl_compiler_options *options, const char *message)
{
    struct tx_program *program = NULL;
    tx_kernel *kernel = NULL;
    tx_fast *fast = fast_of(&kernel, &program);
    struct txl_error err = {0};
    txl_compiler *compiler = NULL;
    assert_int_equal(txl_compiler_open(&err, options, &compiler), TXL_OK);
    assert_int_equal(txl_compile(&err, compiler, fast), TXL_INPUT);
    if (strstr(err.message, message) == NULL) {
        fail_msg("'%s' is not about '%s'", err.message, message);
    }
    txl_compiler_close(compiler);
    tx_fast_close(fast);
    tx_kernel_close(kernel);
    tx_program_free(program);
}

static void test_compiler(void **state)
{
    char folder[] = "/tmp/tensix-test-cache-XXXXXX";
    struct txl_compiler_options o = {.size = sizeof o, .cache = folder};
    struct {
        struct txl_compiler_options known;
        uint64_t later;
    } larger = {.later = 1};
    struct txl_error err = {0};
    txl_compiler *compiler = (txl_compiler *)&err;
    (void)state;
    assert_non_null(mkdtemp(folder));
    o.command = "/no/such/compiler";
    refused(&o, "no C compiler '/no/such/compiler': No such file");
    o.command = NULL;
    o.path = "/no/such/folder";
    refused(&o, "neither cc nor gcc nor clang is there");
    /* What is compiled is loaded, so nobody else may write there. */
    o.path = getenv("PATH");
    o.command = getenv("CC");
    assert_int_equal(chmod(folder, 0777), 0);
    refused(&o, "others may write there");
    o.cache = NULL;
    refused(&o, "no directory for compiled kernels");
    rmdir(folder);
    larger.known.size = sizeof larger;
    assert_int_equal(txl_compiler_open(&err, &larger.known, &compiler), TXL_INPUT);
    assert_null(compiler);
    larger.later = 0;
    assert_int_equal(txl_compiler_open(&err, &larger.known, &compiler), TXL_OK);
    txl_compiler_close(compiler);
    txl_compiler_close(NULL);
}

static volatile sig_atomic_t ticks;

static void tick(int number)
{
    (void)number;
    if (++ticks > 1000) { /* ten seconds: it waits for something that does not come */
        static const char text[] = "the compiler's messages have no end\n";
        (void)!write(2, text, sizeof text - 1);
        _exit(1);
    }
}

/* Signals that arrive while a compiler works change nothing: what it says is read to its end. */
static void test_interrupted(void **state)
{
    static const char script[] = "#!/bin/sh\nsleep 0.05\necho it broke >&2\nsleep 0.05\nexit 1\n";
    char folder[] = "/tmp/tensix-test-signal-XXXXXX";
    char path[64];
    struct txl_compiler_options o = {.size = sizeof o, .cache = folder, .path = getenv("PATH")};
    const struct sigaction how = {.sa_handler = tick}; /* without SA_RESTART */
    const struct itimerval often = {.it_interval = {.tv_usec = 10000},
                                    .it_value = {.tv_usec = 10000}};
    const struct itimerval never = {.it_value = {0}};
    struct sigaction before;
    (void)state;
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/cc", folder);
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    (void)fputs(script, stream);
    assert_int_equal(fclose(stream), 0);
    assert_int_equal(chmod(path, 0700), 0);
    o.command = path;
    assert_int_equal(sigaction(SIGALRM, &how, &before), 0);
    assert_int_equal(setitimer(ITIMER_REAL, &often, NULL), 0);
    refused(&o, "it broke");
    assert_int_equal(setitimer(ITIMER_REAL, &never, NULL), 0);
    assert_int_equal(sigaction(SIGALRM, &before, NULL), 0);
    assert_true(ticks > 0);
    (void)unlink(path);
    (void)rmdir(folder);
}

static void test_bench(void **state)
{
    struct txl_bench_options o = {
        .size = sizeof o, .engine = TXL_ENGINE_FAST, .runs = 1, .slice = 1e-5};
    struct txl_bench_result r = {.size = sizeof r};
    struct txl_bench_line line = {.size = sizeof line};
    struct txl_error err = {0};
    txl_bench_diff *diff = (txl_bench_diff *)&err;
    const char *const files[] = {"/no/such/file.json"};
    size_t rows = 0;
    size_t add = 0;
    unsigned counted = 0;
    (void)state;
    while (txl_bench_line(rows, &line)) {
        add = strcmp(line.name, "add") == 0 ? rows : add;
        assert_non_null(txl_bench_loop(line.against));
        rows++;
    }
    assert_true(rows > 30);
    char *text = txl_bench_text(add, &counted);
    assert_non_null(strstr(text, "sfpadd"));
    assert_true(counted > 0);
    free(text);
    assert_int_equal(txl_bench_measure(&err, add, &o, &r), TXL_OK);
    assert_true(r.rate > 0 && r.ratio[0] > 0 && r.loops[TXL_BENCH_LOOPS - 1] > 0);
    assert_int_equal(txl_bench_measure(&err, rows, &o, &r), TXL_INPUT);
    txl_error_clear(&err);
    o.runs = TXL_BENCH_RUNS + 1;
    assert_int_equal(txl_bench_measure(&err, add, &o, &r), TXL_INPUT);
    txl_error_clear(&err);
    o.runs = 1;
    o.level = "avx1024";
    assert_int_equal(txl_bench_measure(&err, add, &o, &r), TXL_INPUT);
    txl_error_clear(&err);
    o.level = NULL;
    o.engine = TXL_ENGINE_COMPILED;
    assert_int_equal(txl_bench_measure(&err, add, &o, &r), TXL_INPUT);
    assert_non_null(strstr(err.message, "no compiler was given"));
    txl_error_clear(&err);
    assert_int_equal(txl_bench_diff_open(&err, files, 1, files, 1, 0.1, &diff), TXL_INPUT);
    assert_null(diff);
    assert_string_equal(err.file, "/no/such/file.json");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names), cmocka_unit_test(test_compiler),
        cmocka_unit_test(test_interrupted), cmocka_unit_test(test_bench)};
    return cmocka_run_group_tests_name("engine", tests, NULL, NULL);
}
