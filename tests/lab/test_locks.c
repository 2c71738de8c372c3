/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread gives back only locks that it holds, while several compile the steps of a check: the
 * calls of the C library are counted per thread.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <tensix-lab/engine.h>
#include <tensix-lab/vectors.h>

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sys/stat.h>

static _Atomic long taken, not_held;
static _Thread_local long held;

/* The function of that name behind the one of this program. */
#define NEXT(name, type) __extension__(type) dlsym(RTLD_NEXT, name)

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    int (*const next)(pthread_mutex_t *) = NEXT("pthread_mutex_lock", int (*)(pthread_mutex_t *));
    const int result = next(mutex);
    held += result == 0;
    taken += result == 0;
    return result;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    int (*const next)(pthread_mutex_t *) = NEXT("pthread_mutex_unlock", int (*)(pthread_mutex_t *));
    not_held += held <= 0;
    held--;
    return next(mutex);
}

static void write_text(const char *path, const char *text, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void test_compiled_steps(void **state)
{
    static const char program[] = "sfpload L0,0,3,3\nsfpmul L0,L0,L0,0\nsfpnop\nsfpabs L1,L0,1\n"
                                  "sfpstore L0,0,3,3\n";
    static const char folder[] = TX_BINARY_DIR "/tests/lab/locks";
    static const char *const programs[] = {TX_BINARY_DIR "/tests/lab/locks/program.s"};
    static const char *const files[] = {TX_BINARY_DIR "/tests/lab/locks/vectors.jsonl"};
    const struct txl_vectors_options record = {.size = sizeof record, .arch = TX_BLACKHOLE};
    const struct txl_compiler_options how = {.size = sizeof how, .cache = folder};
    struct txl_error err = {0};
    struct txl_check *check = NULL;
    txl_compiler *compiler = NULL;
    char *text = NULL;
    size_t length = 0;
    (void)state;
    assert_true(mkdir(folder, 0700) == 0 || errno == EEXIST);
    write_text(programs[0], program, sizeof program - 1);
    assert_int_equal(txl_vectors_record(&err, programs, 1, &record, &text, &length), TXL_OK);
    write_text(files[0], text, length);
    assert_int_equal(txl_compiler_open(&err, &how, &compiler), TXL_OK);
    const struct txl_check_options options = {
        .size = sizeof options, .engine = TXL_ENGINE_COMPILED, .compiler = compiler, .jobs = 2};
    if (txl_check_files(&err, files, 1, &options, &check) != TXL_OK) {
        fail_msg("%s", err.message);
    }
    assert_int_equal(check->failed, 0);
    assert_true(check->passed > 0 && check->compiled_steps > 0);
    assert_true(taken > 0);
    assert_int_equal(not_held, 0);
    txl_check_free(check);
    txl_compiler_close(compiler);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_compiled_steps)};
    return cmocka_run_group_tests_name("lab.locks", tests, NULL, NULL);
}
