/* SPDX-License-Identifier: Apache-2.0 */
/* Room "race": what it keeps grows with the state that a program touches, not with its run. */
#include <malloc.h>
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

#include <tensix-lab/race.h>
#include <tensix-lab/tile.h>
#include <tensix/asm.h>

#if defined(__SANITIZE_ADDRESS__) || !defined(__GLIBC__) || !__GLIBC_PREREQ(2, 33)
#define COUNTED false /* another allocator, or none that tells */
static size_t allocated(void)
{
    return 0;
}
#else
#define COUNTED true
static size_t allocated(void)
{
    const struct mallinfo2 m = mallinfo2();
    return m.uordblks + m.hblkhd;
}
#endif

static char path[] = "/tmp/tensix-race-XXXXXX";

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

/* jal x0 by so many bytes. */
static uint32_t jump(int32_t by)
{
    const uint32_t u = (uint32_t)by;
    return 0x6Fu | (u >> 20 & 1u) << 31 | (u >> 1 & 0x3FFu) << 21 | (u >> 11 & 1u) << 20 |
           (u >> 12 & 0xFFu) << 12;
}

/*
 * A loop for ever, by RISC-V's manual: a counter in L1, which two cores store and load, GPRs, and
 * words for the Vector and the Matrix Unit.
 */
static void write_loop(void)
{
    const uint32_t body[] = {
        0x00020537,             /* lui a0, 0x20 */
        0xffe007b7,             /* lui a5, 0xffe00: GPRs of the core's thread */
        0x00158593,             /* loop: addi a1, a1, 1 */
        0x00b52023,             /* sw a1, 0(a0) */
        0x00052603,             /* lw a2, 0(a0) */
        0x00b606b3,             /* add a3, a2, a1 */
        0x00d7a023,             /* sw a3, 0(a5) */
        tx_ttinsn(0x70006000u), /* sfpload L0, 0, 0, 3 */
        tx_ttinsn(0x72006000u), /* sfpstore L0, 0, 0, 3 */
        tx_ttinsn(0x38008000u), /* ttincrwc 0, 2, 0, 0 */
        jump(-32),
    };
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(body, sizeof body, 1, file), 1);
    assert_int_equal(fclose(file), 0);
}

static void bounded_memory(void **state)
{
    (void)state;
    static const struct txl_tensix_program programs[] = {{TX_CORE_T1, path}, {TX_CORE_T2, path}};
    enum { WARM = 30000 }; /* cycles; Dst's row counter has come round by then */
    struct txl_error err = {0};
    txl_tensix *tile = NULL;
    txl_race *race = NULL;
    write_loop();
    const struct txl_tensix_options o = {
        .size = sizeof o, .arch = TX_BLACKHOLE, .programs = programs, .program_count = 2};
    const struct txl_race_options how = {.size = sizeof how};
    assert_int_equal(txl_tensix_open(&err, &o, &tile), TXL_OK);
    assert_int_equal(txl_race_watch(&err, tile, &how, &race), TXL_OK);
    tx_tensix *t = txl_tensix_tile(tile);
    const size_t empty = allocated();
    assert_int_equal(tx_tensix_cycle(t, WARM), TX_OK);
    const size_t once = allocated();
    assert_int_equal(tx_tensix_cycle(t, WARM), TX_OK);
    assert_int_equal(allocated(), once);
    assert_int_equal(tx_tensix_cycle(t, 2 * WARM), TX_OK);
    assert_int_equal(allocated(), once);
    assert_true(!COUNTED || once > empty);
    assert_int_equal(txl_race_end(&err, race), TXL_NEGATIVE);
    assert_true(txl_race_result(race)->accesses > 4 * WARM / 10);
    assert_true(txl_race_result(race)->found >= 2);
    txl_race_close(race);
    txl_tensix_close(tile);
}

static void write_words(const char *name, const uint32_t *words, size_t count)
{
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(words, sizeof *words, count, file), count);
    assert_int_equal(fclose(file), 0);
}

/*
 * B writes configuration by a word of T0, then releases T1 from reset, which writes the same byte
 * after so many instructions. Returns how many races there are; *relied: whether I-RELEASE counts.
 */
static size_t released(unsigned nops, bool *relied)
{
    enum { NOP = 0x13, MOST = 64 };
    static char other[] = "/tmp/tensix-race-XXXXXX";
    const uint32_t write = tx_ttinsn(0xB3FF0501u); /* ttrmwcib0 0xFF, 5, 1 */
    const uint32_t b[] = {
        0xffe40637, /* lui a2, 0xffe40: words for T0 */
        0xb3ff06b7, /* lui a3, 0xb3ff0 */
        0x50168693, /* addi a3, a3, 0x501 */
        0x00d62023, /* sw a3, 0(a2) */
        0xffb12537, /* lui a0, 0xffb12 */
        0x000455b7, /* lui a1, 0x45: SOFT_RESET without B and T1 */
        0x1ab52823, /* sw a1, 0x1b0(a0) */
        jump(0),
    };
    uint32_t t1[MOST];
    unsigned count = 0;
    for (; count < nops; count++) {
        t1[count] = NOP;
    }
    t1[count++] = write;
    t1[count++] = jump(0);
    const int fd = mkstemp(other);
    assert_true(fd >= 0 && close(fd) == 0);
    write_words(path, b, sizeof b / sizeof *b);
    write_words(other, t1, count);
    const struct txl_tensix_program programs[] = {{TX_CORE_B, path}, {TX_CORE_T1, other}};
    const struct txl_tensix_options o = {.size = sizeof o,
                                         .arch = TX_BLACKHOLE,
                                         .programs = programs,
                                         .program_count = 2,
                                         .boot_b = true};
    const struct txl_race_options how = {.size = sizeof how};
    struct txl_error err = {0};
    txl_tensix *tile = NULL;
    txl_race *race = NULL;
    assert_int_equal(txl_tensix_open(&err, &o, &tile), TXL_OK);
    assert_int_equal(txl_race_watch(&err, tile, &how, &race), TXL_OK);
    assert_int_equal(txl_tensix_run(&err, tile), TXL_OK);
    (void)txl_race_end(&err, race);
    const size_t found = txl_race_result(race)->found;
    const struct txl_race_idiom *idiom = txl_race_idiom_at(race, 0);
    *relied = idiom != NULL && strcmp(idiom->id, "I-RELEASE") == 0;
    txl_race_close(race);
    txl_tensix_close(tile);
    assert_int_equal(unlink(other), 0);
    strcpy(other + sizeof other - 7, "XXXXXX");
    return found;
}

static void release_from_reset(void **state)
{
    (void)state;
    bool relied;
    assert_int_equal(released(8, &relied), 1);
    assert_false(relied);
    assert_int_equal(released(40, &relied), 0);
    assert_true(relied);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bounded_memory),
                                       cmocka_unit_test(release_from_reset)};
    return cmocka_run_group_tests_name("race", tests, begin, end);
}
