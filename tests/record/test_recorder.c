/* SPDX-License-Identifier: Apache-2.0 */
/* The recorder from C: sections, lines, nesting, limits, one recorder for each thread. */
#define ARCH_WORMHOLE 1
#include <tensix/ckernel_ops.h>
#include <tensix/tensix.h>

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static struct tx_program *assembled(struct tx_recorder *recorder)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    assert_non_null(memory);
    assert_true(tx_recorder_write(recorder, memory));
    fclose(memory);
    struct tx_program *program = NULL;
    struct tx_diag diag;
    if (tx_assemble(text, size, NULL, &program, &diag) != TX_OK) {
        fail_msg("%s", diag.message);
    }
    free(text);
    return program;
}

static void test_sections(void **unused)
{
    (void)unused;
    struct tx_recorder recorder;
    tx_recorder_open(&recorder, TX_RECORD_ARCH);
    tx_record_head(".dst bf16");
    tx_record_head(".inputs 2");
    tx_record_into(TX_RECORD_INIT);
    TTI_SFPENCC(3, 0, 0, 10);
    tx_record_into(TX_RECORD_TILE);
    const uint32_t line = __LINE__ + 1;
    TTI_SFPMAD(p_sfpu_LREG1, p_sfpu_LREG2, p_sfpu_LREG3, p_sfpu_LREG4, 0);
    TTI_SFPNOP;
    struct tx_program *p = assembled(&recorder);
    tx_recorder_close(&recorder);
    assert_int_equal(tx_program_arch(p), TX_WORMHOLE);
    assert_int_equal(tx_program_dst(p), TX_DST_FORMAT_BF16);
    assert_int_equal(tx_program_inputs(p), 2);
    assert_int_equal(tx_program_count(p, TX_SECTION_INIT), 1);
    assert_int_equal(tx_program_count(p, TX_SECTION_TILE), 2);
    /* The first words of docs/tour.md. */
    assert_int_equal(tx_program_words(p, TX_SECTION_TILE)[0], 0x84012340);
    assert_int_equal(tx_program_lines(p, TX_SECTION_TILE)[0], line);
    assert_int_equal(tx_program_lines(p, TX_SECTION_TILE)[1], line + 1);
    assert_int_equal(tx_program_files(p, TX_SECTION_TILE)[0], 1);
    assert_string_equal(tx_program_source(p, 1), __FILE__);
    tx_program_free(p);
}

static void test_nested(void **unused)
{
    (void)unused;
    struct tx_recorder outer;
    struct tx_recorder inner;
    tx_recorder_open(&outer, TX_RECORD_ARCH);
    TTI_SFPNOP;
    tx_recorder_open(&inner, TX_RECORD_ARCH);
    TTI_SFPNOP;
    TTI_SFPNOP;
    assert_int_equal(inner.section[TX_RECORD_TILE].count, 2);
    tx_recorder_close(&inner);
    TTI_NOP;
    assert_int_equal(outer.section[TX_RECORD_TILE].count, 2);
    tx_recorder_close(&outer);
    assert_null(tx_recorder_current);
}

static void test_limit(void **unused)
{
    (void)unused;
    struct tx_recorder recorder;
    tx_recorder_open(&recorder, TX_RECORD_ARCH);
    for (int i = 0; i < TX_RECORD_WORDS; i++) {
        TTI_SFPNOP;
    }
    assert_null(tx_recorder_error(&recorder));
    TTI_SFPNOP;
    assert_non_null(strstr(tx_recorder_error(&recorder), "more than 1048576 words"));
    tx_recorder_close(&recorder);
}

/* Evaluated once each, as a function's arguments are. */
static void test_once(void **unused)
{
    (void)unused;
    struct tx_recorder recorder;
    int row = 0;
    tx_recorder_open(&recorder, TX_RECORD_ARCH);
    TT_SFPLOAD(0, 0, 3, row++);
    TT_SFPLOAD(0, 0, 3, row++);
    assert_int_equal(row, 2);
    assert_int_equal(recorder.section[TX_RECORD_TILE].words[1].word & 0x3fff, 1);
    tx_recorder_close(&recorder);
}

enum { THREADS = 8, ROUNDS = 20000 };

static void *record_own(void *number)
{
    const uintptr_t mine = (uintptr_t)number;
    struct tx_recorder recorder;
    size_t wrong = 0;
    tx_recorder_open(&recorder, TX_RECORD_ARCH);
    for (int i = 0; i < ROUNDS; i++) {
        TT_SFPLOADI(mine, 2, i & 0xffff);
    }
    for (int i = 0; i < ROUNDS; i++) {
        const uint32_t word = recorder.section[TX_RECORD_TILE].words[i].word;
        wrong += word != (0x71020000u | (uint32_t)mine << 20 | (uint32_t)i) ? 1 : 0;
    }
    wrong += recorder.section[TX_RECORD_TILE].count != ROUNDS ? 1 : 0;
    tx_recorder_close(&recorder);
    return (void *)wrong;
}

static void test_threads(void **unused)
{
    (void)unused;
    pthread_t threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, record_own, (void *)i), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        void *wrong = NULL;
        pthread_join(threads[i], &wrong);
        assert_null(wrong);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sections),
                                       cmocka_unit_test(test_nested), cmocka_unit_test(test_limit),
                                       cmocka_unit_test(test_once), cmocka_unit_test(test_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
