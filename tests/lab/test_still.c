/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cores that wait for ever where a host drives the chip. Firmware of core B waits for a word of the
 * host and jumps to the kernel that the host has loaded meanwhile; what is to be told of which wait
 * is stated with each case.
 */
#include "chip/niu.h"

#include <stdlib.h>

#include <tensix-lab/order.h>
#include <tensix/facts.h>

enum { FIRMWARE = 0x1000, KERNEL = 0x8000, GO = 0x20000, WORD = 0x20010, LOOKS = 100 };

static const struct way {
    const char *product;
    uint32_t x, y; /* of the tile, and of the one to its right */
} ways[] = {{"p150", 1, 2}, {"n150", 18, 18}};
enum { WAYS = sizeof ways / sizeof ways[0] };

struct bench {
    tx_chip *chip;
    txl_order *order;
    tx_tensix *tile[2];
    struct tx_chip_place at[2];
};

/* The host writes what was assembled: only so the watch sees a program come. */
static void load(const struct bench *b, unsigned tile, const struct code *c)
{
    uint8_t bytes[512];
    const size_t size = c->at - c->start;
    assert_true(size <= sizeof bytes);
    assert_int_equal(tx_tensix_read(c->tile, c->start, bytes, size), TX_OK);
    assert_int_equal(tx_chip_write(b->chip, b->at[tile], c->start, bytes, size), TX_OK);
}

static void put_word(const struct bench *b, unsigned tile, uint32_t address, uint32_t value)
{
    assert_int_equal(tx_chip_write(b->chip, b->at[tile], address, &value, 4), TX_OK);
}

/* Polls a word for a value other than 0. */
static void wait_for(struct code *c, uint32_t address)
{
    li(c, S0, address);
    const uint32_t loop = c->at;
    word(c, 0x0000000F); /* fence: Blackhole's data cache drops its line */
    lw(c, T1, S0, 0);
    word(c, branch(0x00000063 | T1 << 15, c->at, loop)); /* beqz */
}

static void jump(struct code *c, uint32_t to)
{
    li(c, T0, to);
    word(c, T0 << 15 | 0x67u); /* jr */
}

static void firmware(struct bench *b, unsigned tile)
{
    struct code c = code_at(b->tile[tile], FIRMWARE);
    wait_for(&c, GO);
    li(&c, S0, GO);
    sw(&c, X0, S0, 0);
    jump(&c, KERNEL);
    put_word(b, tile, GO, 0);
    put_word(b, tile, WORD, 0);
    load(b, tile, &c);
    start(&c, TX_CORE_B);
}

/* sleepless: every core runs in every cycle, also one that only waits. */
static struct bench open_bench_of(const struct way *w, bool sleepless)
{
    struct tx_chip_settings s;
    struct txl_error err = {.status = TXL_OK};
    const struct txl_order_options how = {.size = sizeof how};
    struct bench b = {.at = {{.x = w->x, .y = w->y}, {.x = w->x + 1, .y = w->y}}};
    assert_int_equal(tx_chip_settings_default(&s, w->product), TX_OK);
    s.rows = 1;
    s.columns = 2;
    s.sleepless = sleepless;
    assert_int_equal(tx_chip_open(&s, &b.chip), TX_OK);
    assert_int_equal(txl_order_watch(&err, b.chip, &how, &b.order), TXL_OK);
    for (unsigned i = 0; i < 2; i++) {
        size_t index;
        assert_int_equal(tx_chip_find(b.chip, b.at[i], &index), TX_OK);
        b.tile[i] = tx_chip_tensix(b.chip, index);
        firmware(&b, i);
    }
    (void)tx_chip_cycle(b.chip, 1000); /* the firmware gets to its wait */
    return b;
}

static struct bench open_bench(const struct way *w)
{
    return open_bench_of(w, false);
}

static void close_bench(const struct bench *b)
{
    txl_order_close(b->order);
    tx_chip_close(b->chip);
}

/* The host looks that often, in the time in which a wait is told; returns what is told. */
static char *looks(const struct bench *b, unsigned times)
{
    char *told = NULL;
    for (unsigned i = 0; i < 8 && told == NULL; i++) {
        for (unsigned k = 0; k < times; k++) {
            uint32_t value;
            assert_int_equal(tx_chip_read(b->chip, b->at[0], GO + 0x100, &value, 4), TX_OK);
        }
        (void)tx_chip_cycle(b->chip, 20000);
        told = txl_order_still(b->order, false);
    }
    return told;
}

static void launch(const struct bench *b, unsigned tile, struct code *kernel)
{
    jump(kernel, FIRMWARE);
    load(b, tile, kernel);
    put_word(b, tile, GO, 1);
}

static unsigned count(const txl_order *order)
{
    unsigned n = 0;
    while (txl_order_found_at((txl_order *)order, n) != NULL) {
        n++;
    }
    return n;
}

/* Firmware that waits for a launch waits for the host. */
static void test_idle(void **state)
{
    (void)state;
    for (unsigned i = 0; i < WAYS; i++) {
        const struct bench b = open_bench(&ways[i]);
        assert_null(looks(&b, LOOKS));
        struct code kernel = code_at(b.tile[0], KERNEL);
        addi(&kernel, A0, X0, 1);
        launch(&b, 0, &kernel);
        assert_null(looks(&b, LOOKS));
        close_bench(&b);
    }
}

/*
 * A kernel waits for a word that the host set to 0 before the launch: nobody comes any more, as far
 * as a host that only looks is concerned. A host that is busy elsewhere may still come. It does
 * here, and then nothing is left to be told.
 */
static void test_semaphore(void **state)
{
    (void)state;
    for (unsigned i = 0; i < WAYS; i++) {
        const struct bench b = open_bench(&ways[i]);
        struct code kernel = code_at(b.tile[0], KERNEL);
        wait_for(&kernel, WORD);
        launch(&b, 0, &kernel);
        assert_null(looks(&b, 1));
        char *told = looks(&b, LOOKS);
        assert_non_null(told);
        assert_non_null(strstr(told, "deadlock:"));
        assert_non_null(strstr(told, "waits for L1 20010, which is 0 and has to be 1"));
        assert_null(strstr(told, "20000")); /* the other tile's firmware is idle */
        free(told);
        assert_null(looks(&b, LOOKS)); /* told once */
        put_word(&b, 0, WORD, 1);
        assert_null(looks(&b, LOOKS));
        txl_order_end(b.order, false);
        assert_int_equal(count(b.order), 0);
        close_bench(&b);
    }
}

/* Two kernels wait for each other; the second row is of the other tile. */
static void test_ring(void **state)
{
    (void)state;
    for (unsigned i = 0; i < WAYS; i++) {
        const struct bench b = open_bench(&ways[i]);
        for (unsigned tile = 0; tile < 2; tile++) {
            struct code kernel = code_at(b.tile[tile], KERNEL);
            wait_for(&kernel, WORD + 4 * tile);
            launch(&b, tile, &kernel);
        }
        char *told = looks(&b, LOOKS);
        assert_non_null(told);
        assert_non_null(strstr(told, "waits for L1 20010"));
        assert_non_null(strstr(told, "waits for L1 20014"));
        free(told);
        close_bench(&b);
    }
}

/* A kernel that serves the host: it waits again where the host's words ended its wait before. */
static void test_server(void **state)
{
    (void)state;
    for (unsigned i = 0; i < WAYS; i++) {
        const struct bench b = open_bench(&ways[i]);
        struct code kernel = code_at(b.tile[0], KERNEL);
        li(&kernel, S1, WORD);
        const uint32_t loop = kernel.at;
        word(&kernel, 0x0000000F);
        lw(&kernel, T1, S1, 0);
        word(&kernel, branch(0x00000063 | T1 << 15, kernel.at, loop));
        addi(&kernel, S1, S1, 16);
        word(&kernel, branch(0x00000063, kernel.at, loop));
        for (unsigned k = 0; k < 8; k++) {
            put_word(&b, 0, WORD + 16 * k, 0);
        }
        launch(&b, 0, &kernel);
        (void)tx_chip_cycle(b.chip, 1000);
        put_word(&b, 0, WORD, 1);
        assert_null(looks(&b, LOOKS));
        put_word(&b, 0, WORD + 16, 1);
        assert_null(looks(&b, LOOKS));
        close_bench(&b);
    }
}

/* Pages of a circular buffer come from cores of the tile alone: no look of the host is needed. */
static void test_pages(void **state)
{
    (void)state;
    for (unsigned i = 0; i < WAYS; i++) {
        const struct bench b = open_bench(&ways[i]);
        const enum tx_arch arch = tx_chip_arch(b.chip);
        const uint32_t pages = tx_arch_fact(arch, TX_FACT_AT_OVERLAY) +
                               3 * tx_arch_fact(arch, TX_FACT_STREAM_BYTES) +
                               tx_arch_fact(arch, TX_FACT_STREAM_DEST_SIZE);
        struct code kernel = code_at(b.tile[0], KERNEL);
        wait_for(&kernel, pages);
        launch(&b, 0, &kernel);
        char *told = looks(&b, 0);
        assert_non_null(told);
        assert_non_null(strstr(told, "circular buffer 3"));
        free(told);
        close_bench(&b);
    }
}

/* A packer's core waits for room: its loop asks for what was pushed and for what was popped. */
static void test_room(void **state)
{
    (void)state;
    for (unsigned i = 0; i < WAYS; i++) {
        const struct bench b = open_bench(&ways[i]);
        const enum tx_arch arch = tx_chip_arch(b.chip);
        const uint32_t stream = tx_arch_fact(arch, TX_FACT_AT_OVERLAY);
        struct code kernel = code_at(b.tile[0], KERNEL);
        li(&kernel, S0, stream + tx_arch_fact(arch, TX_FACT_STREAM_DEST_SIZE));
        li(&kernel, S1, stream + tx_arch_fact(arch, TX_FACT_STREAM_DEST_START));
        const uint32_t loop = kernel.at;
        lw(&kernel, T1, S0, 0);
        lw(&kernel, T2, S1, 0);
        word(&kernel, branch(0x00001063 | T1 << 15, kernel.at, kernel.at + 8)); /* bnez, leaves */
        word(&kernel, branch(0x00000063 | T2 << 15, kernel.at, loop));          /* beqz */
        launch(&b, 0, &kernel);
        char *told = looks(&b, 0);
        assert_non_null(told);
        assert_non_null(strstr(told, "circular buffer 0"));
        free(told);
        close_bench(&b);
    }
}

/*
 * A kernel waits for two pages in one loop, of which either would do, and asks for them in turn:
 * that it asks for another one than the last time is no progress.
 */
static void test_turns(void **state)
{
    (void)state;
    for (unsigned i = 0; i < WAYS; i++) {
        const struct bench b = open_bench_of(&ways[i], true);
        const enum tx_arch arch = tx_chip_arch(b.chip);
        const uint32_t pages =
            tx_arch_fact(arch, TX_FACT_AT_OVERLAY) + tx_arch_fact(arch, TX_FACT_STREAM_DEST_SIZE);
        struct code kernel = code_at(b.tile[0], KERNEL);
        li(&kernel, S0, pages + 3 * tx_arch_fact(arch, TX_FACT_STREAM_BYTES));
        li(&kernel, S1, pages + 5 * tx_arch_fact(arch, TX_FACT_STREAM_BYTES));
        const uint32_t first = kernel.at;
        lw(&kernel, T1, S0, 0);
        const uint32_t second = kernel.at + 8;
        word(&kernel, branch(0x00000063 | T1 << 15, kernel.at, second)); /* beqz */
        const uint32_t leave = kernel.at;
        word(&kernel, branch(0x00000063, kernel.at, kernel.at + 16)); /* behind the loop */
        assert_int_equal(leave + 4, second);
        lw(&kernel, T2, S1, 0);
        word(&kernel, branch(0x00000063 | T2 << 15, kernel.at, first));
        launch(&b, 0, &kernel);
        char *told = looks(&b, 0);
        assert_non_null(told);
        assert_non_null(strstr(told, "circular buffer "));
        free(told);
        close_bench(&b);
    }
}

/* A core that computes for long may still push the page. */
static void test_busy(void **state)
{
    (void)state;
    for (unsigned i = 0; i < WAYS; i++) {
        const struct bench b = open_bench(&ways[i]);
        const enum tx_arch arch = tx_chip_arch(b.chip);
        struct code busy = code_at(b.tile[1], 0x4000);
        const uint32_t loop = busy.at;
        addi(&busy, T0, T0, 1);
        word(&busy, branch(0x00000063, busy.at, loop));
        load(&b, 1, &busy);
        start(&busy, TX_CORE_NC);
        struct code kernel = code_at(b.tile[0], KERNEL);
        wait_for(&kernel, tx_arch_fact(arch, TX_FACT_AT_OVERLAY) +
                              tx_arch_fact(arch, TX_FACT_STREAM_DEST_SIZE));
        launch(&b, 0, &kernel);
        assert_null(looks(&b, 0));
        close_bench(&b);
    }
}

/* Where a kernel had a load that decides nothing, the next one has a load that waits. */
static void test_reloaded(void **state)
{
    (void)state;
    for (unsigned i = 0; i < WAYS; i++) {
        const struct bench b = open_bench(&ways[i]);
        struct code kernel = code_at(b.tile[0], KERNEL);
        li(&kernel, S0, WORD);
        word(&kernel, 0x0000000F);
        lw(&kernel, T1, S0, 0);
        addi(&kernel, T2, T1, 0);
        launch(&b, 0, &kernel);
        assert_null(looks(&b, LOOKS));
        kernel = code_at(b.tile[0], KERNEL);
        wait_for(&kernel, WORD);
        launch(&b, 0, &kernel);
        char *told = looks(&b, LOOKS);
        assert_non_null(told);
        free(told);
        close_bench(&b);
    }
}

/*
 * A loop that stores what it has loaded to the core's own memory only waits; when its store goes to
 * L1, where others see it, it does not. The loop's instructions are alike, its register is not.
 */
static void test_own(void **state)
{
    (void)state;
    const uint32_t places[2] = {0x24000, tx_core_local() + 0x40};
    for (unsigned i = 0; i < WAYS; i++) {
        const struct bench b = open_bench(&ways[i]);
        for (unsigned k = 0; k < 2; k++) {
            struct code kernel = code_at(b.tile[0], KERNEL);
            li(&kernel, S0, WORD);
            li(&kernel, S1, places[k]);
            while (kernel.at < KERNEL + 0x20) { /* li takes one word or two */
                addi(&kernel, X0, X0, 0);
            }
            const uint32_t loop = kernel.at;
            word(&kernel, 0x0000000F);
            lw(&kernel, T1, S0, 0);
            sw(&kernel, T1, S1, 0);
            word(&kernel, branch(0x00000063 | T1 << 15, kernel.at, loop));
            launch(&b, 0, &kernel);
            char *told = looks(&b, LOOKS);
            assert_int_equal(told != NULL, k == 1);
            free(told);
            put_word(&b, 0, WORD, 1);
            assert_null(looks(&b, LOOKS));
            put_word(&b, 0, WORD, 0);
        }
        close_bench(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_idle),     cmocka_unit_test(test_semaphore),
        cmocka_unit_test(test_ring),     cmocka_unit_test(test_server),
        cmocka_unit_test(test_pages),    cmocka_unit_test(test_room),
        cmocka_unit_test(test_busy),     cmocka_unit_test(test_turns),
        cmocka_unit_test(test_reloaded), cmocka_unit_test(test_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
