/* SPDX-License-Identifier: Apache-2.0 */
/* Room "tile": programs of a tile's cores from files, what each core reports, ends of all kinds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <tensix-lab/tile.h>

/* RISC-V, by hand: the manual's encodings. */
static const uint32_t store42[] = {
    0x00020537, /* lui a0, 0x20 */
    0x02a00593, /* li a1, 42 */
    0x00b52023, /* sw a1, 0(a0) */
    0x00100073, /* ebreak */
};
static const uint32_t count_on[] = {
    0x00150513, /* addi a0, a0, 1 */
    0xffdff06f, /* j -4 */
};

static char path[] = "/tmp/tensix-tile-XXXXXX";

static int begin(void **state)
{
    (void)state;
    const int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int end(void **state)
{
    (void)state;
    return unlink(path);
}

/* The words as a program of T1. */
static void set_program(struct txl_tensix_options *o, const uint32_t *words, size_t count)
{
    static const struct txl_tensix_program programs[] = {{TX_CORE_T1, path}};
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (size_t i = 0; i < count; i++) {
        for (unsigned k = 0; k < 4; k++) {
            fputc((int)(words[i] >> (8 * k) & 0xff), file);
        }
    }
    assert_int_equal(fclose(file), 0);
    *o = (struct txl_tensix_options){
        .size = sizeof *o, .arch = TX_BLACKHOLE, .programs = programs, .program_count = 1};
}

static void stored(void **state)
{
    (void)state;
    struct txl_tensix_options o;
    struct txl_error err = {0};
    txl_tensix *tile = NULL;
    uint8_t bytes[4];
    set_program(&o, store42, 4);
    for (unsigned with_until = 0; with_until < 2; with_until++) {
        static const struct txl_tensix_word until[] = {{0x20000, 42}};
        o.until = until;
        o.until_count = with_until;
        assert_int_equal(txl_tensix_open(&err, &o, &tile), TXL_OK);
        assert_int_equal(txl_tensix_run(&err, tile), TXL_OK);
        assert_int_equal(tx_tensix_read(txl_tensix_tile(tile), 0x20000, bytes, 4), TX_OK);
        assert_int_equal(bytes[0], 42);
        const struct txl_tensix_result *r = txl_tensix_result(tile);
        assert_true(r->cycles > 0 && r->cycles < 1000);
        assert_int_equal(r->findings, 0);
        assert_null(txl_tensix_finding(tile, 0));
        assert_false(txl_tensix_core(tile, TX_CORE_B)->ran);
        assert_string_equal(txl_tensix_core(tile, TX_CORE_B)->state, "in reset");
        assert_true(txl_tensix_core(tile, TX_CORE_T1)->ran);
        assert_null(txl_tensix_core(tile, TX_CORE_T1)->function); /* an image has no names */
        if (with_until == 0) {
            assert_string_equal(txl_tensix_core(tile, TX_CORE_T1)->state, "paused");
        }
        char *json = txl_tensix_json(tile);
        assert_non_null(strstr(json, "\"core\": \"t1\""));
        free(json);
        txl_tensix_close(tile);
    }
}

static void not_reached(void **state)
{
    (void)state;
    static const struct txl_tensix_word until[] = {{0x20000, 43}};
    struct txl_tensix_options o;
    struct txl_error err = {0};
    txl_tensix *tile = NULL;
    set_program(&o, store42, 4);
    o.until = until;
    o.until_count = 1;
    assert_int_equal(txl_tensix_open(&err, &o, &tile), TXL_OK);
    assert_int_equal(txl_tensix_run(&err, tile), TXL_NEGATIVE);
    assert_int_equal(err.status, TXL_NEGATIVE);
    assert_non_null(strstr(err.message, "00020000 is 0000002a, not 0000002b"));
    assert_true(txl_tensix_core(tile, TX_CORE_T1)->ran);
    assert_null(txl_tensix_core(tile, TX_CORES));
    txl_tensix_close(tile);
    set_program(&o, count_on, 2);
    o.max_cycles = 5000;
    txl_error_clear(&err);
    assert_int_equal(txl_tensix_open(&err, &o, &tile), TXL_OK);
    assert_int_equal(txl_tensix_run(&err, tile), TXL_NEGATIVE);
    assert_non_null(strstr(err.message, "not done after 5000 cycles; t1 at "));
    txl_tensix_close(tile);
}

static bool stop(void *user, uint64_t done, uint64_t total)
{
    assert_true(done <= total);
    return ++*(unsigned *)user < 2;
}

static void cancelled(void **state)
{
    (void)state;
    struct txl_tensix_options o;
    for (unsigned with_until = 0; with_until < 2; with_until++) {
        static const struct txl_tensix_word until[] = {{0x20000, 43}};
        struct txl_error err = {0};
        txl_tensix *tile = NULL;
        unsigned calls = 0;
        set_program(&o, count_on, 2);
        o.until = until;
        o.until_count = with_until;
        o.max_cycles = UINT64_MAX; /* only a cancel ends it */
        o.progress = stop;
        o.progress_user = &calls;
        assert_int_equal(txl_tensix_open(&err, &o, &tile), TXL_OK);
        assert_int_equal(txl_tensix_run(&err, tile), TXL_CANCELLED);
        assert_int_equal(calls, 2);
        assert_int_equal(err.status, TXL_CANCELLED);
        txl_tensix_close(tile);
    }
}

static void refused_with(const struct txl_tensix_options *o, const char *why)
{
    struct txl_error err = {0};
    txl_tensix *tile = NULL;
    assert_int_equal(txl_tensix_open(&err, o, &tile), TXL_INPUT);
    assert_null(tile);
    assert_non_null(strstr(err.message, why));
}

static void refused(void **state)
{
    (void)state;
    static const struct txl_tensix_program twice[] = {{TX_CORE_T1, path}, {TX_CORE_T1, path}};
    static const struct txl_tensix_program none[] = {{TX_CORE_T1, "/tmp/there-is-no-such-file"}};
    static const struct txl_tensix_program overlapping[] = {{TX_CORE_T1, path}, {TX_CORE_B, path}};
    static const struct txl_tensix_word nowhere[] = {{0x60000000, 1}};
    static const char *const files[] = {"nonsense"};
    struct txl_tensix_options o;
    set_program(&o, store42, 4);
    o.arch = TX_ARCH_NONE;
    refused_with(&o, "which chip?");
    set_program(&o, store42, 4);
    o.program_count = 0;
    refused_with(&o, "no program");
    o.programs = twice;
    o.program_count = 2;
    refused_with(&o, "core t1 has two programs");
    o.programs = none;
    o.program_count = 1;
    refused_with(&o, "No such file");
    o.programs = overlapping;
    o.program_count = 1;
    o.boot_b = true;
    refused_with(&o, "core b has no program");
    o.boot_b = false;
    o.pokes = nowhere;
    o.poke_count = 1;
    refused_with(&o, "there is nothing at 60000000");
    o.poke_count = 0;
    o.l1_in = files;
    o.l1_in_count = 1;
    refused_with(&o, "nonsense");
    set_program(&o, store42, 4);
    o.size = sizeof o.size - 1;
    refused_with(&o, "size");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stored),
        cmocka_unit_test(not_reached),
        cmocka_unit_test(cancelled),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
