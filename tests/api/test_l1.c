/* SPDX-License-Identifier: Apache-2.0 */
/* L1 of the machine's own: size, what was written, findings, snapshots; and the host's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <tensix/tensix.h>

#include <stdlib.h>
#include <string.h>

#include "coverage/coverage.h"

static tx_machine *open_machine(enum tx_arch arch)
{
    struct tx_settings settings;
    tx_machine *m = NULL;
    tx_settings_default(&settings, arch);
    coverage_watch(&settings);
    assert_int_equal(tx_open(&settings, &m), TX_OK);
    return m;
}

static void run_text(tx_machine *m, const char *text)
{
    const struct tx_asm_options options = {.arch = tx_machine_arch(m)};
    struct tx_program *p;
    struct tx_diag diag;
    assert_int_equal(tx_assemble(text, strlen(text), &options, &p, &diag), TX_OK);
    assert_int_equal(
        tx_run(m, 1, tx_program_words(p, TX_SECTION_TILE), tx_program_count(p, TX_SECTION_TILE)),
        TX_OK);
    tx_program_free(p);
}

static uint32_t gpr(const tx_machine *m, unsigned index)
{
    uint32_t value = 0;
    assert_int_equal(tx_read(m, TX_FILE_GPR, TX_GPRS + index, &value, 1), TX_OK);
    return value;
}

/* Sizes: isa L1 29e53cf. */
static void test_own(void **state)
{
    (void)state;
    assert_int_equal(tx_l1_size(TX_WORMHOLE), 1464 * 1024);
    assert_int_equal(tx_l1_size(TX_BLACKHOLE), 1536 * 1024);
    assert_int_equal(tx_l1_size((enum tx_arch)0), 0);
    for (int arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        const uint32_t size = tx_l1_size((enum tx_arch)arch);
        tx_machine *m = open_machine((enum tx_arch)arch);
        uint8_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
        assert_int_equal(tx_l1_write(m, 0, bytes, 8), TX_ENOENT);
        assert_int_equal(tx_l1_allocate(m), TX_OK);
        assert_int_equal(tx_l1_write(m, size - 8, bytes, 8), TX_OK);
        assert_int_equal(tx_l1_write(m, size - 7, bytes, 8), TX_EINVAL);
        assert_int_equal(tx_l1_write(m, 0xFFFFFFFFu, bytes, 8), TX_EINVAL);
        assert_int_equal(tx_l1_read(m, size, bytes, 0), TX_OK);
        assert_int_equal(tx_l1_read(m, size - 4, bytes, 4), TX_OK);
        assert_memory_equal(bytes, ((uint8_t[]){5, 6, 7, 8, 5}), 5);
        assert_int_equal(tx_l1_allocate(m), TX_OK); /* again: cleared */
        assert_int_equal(tx_l1_read(m, size - 4, bytes, 4), TX_OK);
        assert_memory_equal(bytes, ((uint8_t[]){0, 0, 0, 0}), 4);
        tx_close(m);
    }
}

/* A load of bytes that were written is none, of one that was not is a finding. */
static void test_unwritten(void **state)
{
    tx_machine *m = open_machine(TX_BLACKHOLE);
    const uint32_t word = 0x89ABCDEFu;
    (void)state;
    assert_int_equal(tx_l1_allocate(m), TX_OK);
    assert_int_equal(tx_l1_write(m, 0x24, &word, 4), TX_OK);
    run_text(m, "ttsetdmareg 0,2,0,2\n ttsetdmareg 0,0,0,3\n ttsetdmareg 0,4,0,4\n"
                "ttloadind 1,4,0,8,1\n"
                "ttflushdma 1\n ttnop\n");
    assert_int_equal(gpr(m, 8), word);
    assert_int_equal(tx_finding_count(m), 0);
    run_text(m, "ttloadind 0,4,0,8,1\n ttflushdma 1\n");
    assert_int_equal(gpr(m, 9), word);
    assert_int_equal(gpr(m, 10), 0);
    assert_int_equal(tx_finding_count(m), 1);
    assert_int_equal(tx_finding_at(m, 0)->category, TX_UNPREDICTABLE_VALUE);
    assert_string_equal(tx_finding_at(m, 0)->rule, "E-L1INIT");
    tx_findings_clear(m);
    /* A store defines what it writes. */
    run_text(m, "ttstoreind 1,0,1,4,0,9,1\n ttloadind 1,4,0,11,1\n ttflushdma 1\n");
    assert_int_equal(tx_finding_count(m), 0);
    assert_int_equal(gpr(m, 11), word);
    tx_close(m);
}

static void test_snapshots(void **state)
{
    tx_machine *m = open_machine(TX_WORMHOLE);
    tx_machine *bare = open_machine(TX_WORMHOLE);
    uint32_t word = 0x11223344u;
    (void)state;
    assert_int_equal(tx_l1_allocate(m), TX_OK);
    const size_t size = tx_snapshot_size(m);
    void *image = malloc(size);
    assert_non_null(image);
    assert_true(size > tx_snapshot_size(NULL) + tx_l1_size(TX_WORMHOLE));
    assert_int_equal(tx_snapshot_size(bare), tx_snapshot_size(NULL));
    assert_int_equal(tx_l1_write(m, 64, &word, 4), TX_OK);
    assert_int_equal(tx_snapshot(m, image, size), TX_OK);
    word = 5;
    assert_int_equal(tx_l1_write(m, 64, &word, 4), TX_OK);
    assert_int_equal(tx_restore(m, image, size), TX_OK);
    assert_int_equal(tx_l1_read(m, 64, &word, 4), TX_OK);
    assert_int_equal(word, 0x11223344u);
    /* Without L1: it stays. */
    assert_int_equal(tx_snapshot(m, image, tx_snapshot_size(NULL)), TX_OK);
    word = 6;
    assert_int_equal(tx_l1_write(m, 64, &word, 4), TX_OK);
    assert_int_equal(tx_restore(m, image, tx_snapshot_size(NULL)), TX_OK);
    assert_int_equal(tx_l1_read(m, 64, &word, 4), TX_OK);
    assert_int_equal(word, 6);
    assert_int_equal(tx_snapshot(bare, image, size), TX_EINVAL);
    assert_int_equal(tx_restore(bare, image, size), TX_EINVAL);
    tx_reset(m); /* as on a card */
    assert_int_equal(tx_l1_read(m, 64, &word, 4), TX_OK);
    assert_int_equal(word, 6);
    free(image);
    tx_close(m);
    tx_close(bare);
}

/* The host's memory goes first; nothing is known about what it holds. */
static void test_host(void **state)
{
    static uint8_t memory[256];
    tx_machine *m = open_machine(TX_BLACKHOLE);
    struct tx_host host;
    uint32_t word = 7;
    (void)state;
    tx_host_default(&host);
    host.l1 = memory;
    host.l1_size = sizeof memory;
    assert_int_equal(tx_host_set(m, &host), TX_OK);
    assert_int_equal(tx_l1_write(m, 252, &word, 4), TX_OK);
    assert_int_equal(memory[252], 7);
    assert_int_equal(tx_l1_write(m, 253, &word, 4), TX_EINVAL);
    assert_int_equal(tx_l1_allocate(m), TX_OK);
    run_text(m, "ttsetdmareg 0,8,0,2\n ttsetdmareg 0,0,0,3\n ttsetdmareg 0,0,0,4\n ttloadind "
                "1,4,0,8,1\n ttflushdma 1\n");
    assert_int_equal(tx_finding_count(m), 0);
    tx_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_own), cmocka_unit_test(test_unwritten),
                                       cmocka_unit_test(test_snapshots),
                                       cmocka_unit_test(test_host)};
    coverage_open("l1");
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return coverage_close() ? failed : 1;
}
