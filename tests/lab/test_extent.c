/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests that begin in a circular buffer of tt-metal and go on behind its end. The host's
 * messages are written here as dev_msgs.h and circular_buffer_init.h lay them out, in numbers of
 * this file's own: the mailbox at 96 (Blackhole) or 16 (Wormhole); in it the number of the launch
 * message at 12 and eight messages of 144 bytes from 16 on, each with the place of the kernels'
 * configuration (0), the offset of circular buffers in it (20) and which there are (96).
 */
#include "chip/niu.h"

#include <stdlib.h>
#include <string.h>

#include <tensix-lab/order.h>

enum { KERNEL = 0x8000, CONFIG = 0x9000, BUFFERS = 0x140, LAUNCH = 3, READ = 0, WRITE = 2 };
enum { FIRST = 0x30000, SECOND = 0x30800, FREE = 0x40000, ANSWERED = 0x10 };

struct bench {
    tx_chip *chip;
    txl_order *order;
    enum tx_arch arch;
    tx_tensix *tile[2];
    uint32_t at[2];
};

static void put(const struct bench *b, unsigned tile, uint32_t address, uint32_t value)
{
    uint8_t bytes[4];
    for (unsigned i = 0; i < 4; i++) {
        bytes[i] = (uint8_t)(value >> 8 * i);
    }
    assert_int_equal(tx_tensix_write(b->tile[tile], address, bytes, 4), TX_OK);
}

/* Buffers 0 and 2 of a tile: 2 pages of 1024 bytes, and 4 of 256. */
static void launch(const struct bench *b, unsigned tile, uint32_t mask, uint32_t pages)
{
    const uint32_t mailbox = b->arch == TX_BLACKHOLE ? 96 : 16;
    const uint32_t message = mailbox + 16 + LAUNCH * 144;
    const uint32_t rows[3][4] = {{FIRST, 2048, pages, 1024}, {7, 7, 7, 7}, {SECOND, 1024, 4, 256}};
    put(b, tile, mailbox + 12, LAUNCH);
    put(b, tile, message, CONFIG);
    put(b, tile, message + 20, BUFFERS);
    put(b, tile, message + 96, mask);
    put(b, tile, message + 100, 0);
    for (unsigned i = 0; i < 12; i++) {
        put(b, tile, CONFIG + BUFFERS + 4 * i, rows[i / 4][i % 4]);
    }
}

static struct bench open_bench(const char *product, const char *folders)
{
    struct tx_chip_settings s;
    struct txl_error err = {.status = TXL_OK};
    struct txl_order_options how = {.size = sizeof how, .elf_folders = folders};
    struct bench b = {.chip = NULL};
    unsigned n = 0;
    uint32_t width;
    uint32_t height;
    assert_int_equal(tx_chip_settings_default(&s, product), TX_OK);
    s.columns = 2;
    s.rows = 1;
    b.arch = s.arch;
    assert_int_equal(tx_chip_open(&s, &b.chip), TX_OK);
    assert_int_equal(txl_order_watch(&err, b.chip, &how, &b.order), TXL_OK);
    tx_chip_grid(b.chip, &width, &height);
    for (size_t i = 0; i < (size_t)width * height; i++) {
        struct tx_chip_tile t;
        assert_int_equal(tx_chip_tile_at(b.chip, i, &t), TX_OK);
        if (t.kind == TX_CHIP_TENSIX && !t.off) {
            b.tile[n] = tx_chip_tensix(b.chip, i);
            b.at[n++] = t.translated_x | t.translated_y << 6;
        }
    }
    assert_int_equal(n, 2);
    return b;
}

/* Core B of the first tile sends one request: own bytes there, the others at the second tile. */
static void request(struct bench *b, unsigned kind, uint32_t own, uint32_t other, uint32_t bytes)
{
    const bool bh = b->arch == TX_BLACKHOLE;
    const uint32_t length = NIU + 0x20;
    struct code c = code_at(b->tile[0], KERNEL);
    place(&c, b->arch, NIU, kind == READ ? other : own, b->at[kind == READ]);
    place(&c, b->arch, NIU + 0xC, kind == READ ? own : other, b->at[kind != READ]);
    store(&c, length, bytes);
    store(&c, NIU + 0x1C, 0x2080u | ANSWERED | kind);
    store(&c, NIU + (bh ? 0x40 : 0x28), 1);
    word(&c, 0x0000006F); /* j . */
    start(&c, TX_CORE_B);
    (void)tx_chip_cycle(b->chip, 4000);
}

/* How many findings are of that kind. */
static unsigned found(const struct bench *b, enum txl_order_kind kind)
{
    unsigned n = 0;
    const struct txl_order_found *f;
    for (size_t i = 0; (f = txl_order_found_at(b->order, i)) != NULL; i++) {
        n += f->kind == kind;
    }
    return n;
}

struct row {
    unsigned kind;
    uint32_t own, other, bytes;
    unsigned beyond; /* whether it goes behind the end of a buffer */
};
static const struct row rows[] = {
    {READ, FIRST, FREE, 2048, 0},        /* both pages */
    {READ, FIRST + 1024, FREE, 1024, 0}, /* the second */
    {READ, FIRST + 1024, FREE, 1040, 1}, /* and a little of the next buffer */
    {READ, SECOND, FREE, 1024, 0},        {READ, SECOND + 768, FREE, 512, 1},
    {WRITE, SECOND, FREE, 1024, 0},       {WRITE, SECOND, FREE, 1040, 1},
    {WRITE, FREE, FREE, 8192, 0},         /* memory of no buffer */
    {WRITE, FREE, FIRST + 1024, 2048, 1}, /* at the receiver */
    {WRITE, FREE, FIRST - 4096, 8192, 0}, /* it begins in none: nobody knows what is there */
    {READ, FREE, SECOND + 512, 1024, 1},  {READ, FREE, SECOND, 512, 0},
    {WRITE, SECOND + 1024, FREE, 64, 0}, /* right behind a buffer */
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static unsigned reported(const char *product, const char *folders, const struct row *r,
                         uint32_t mask, uint32_t pages)
{
    struct bench b = open_bench(product, folders);
    launch(&b, 0, mask, pages);
    launch(&b, 1, mask, pages);
    request(&b, r->kind, r->own, r->other, r->bytes);
    txl_order_end(b.order, false);
    const unsigned n = found(&b, TXL_ORDER_CB_BOUNDS);
    txl_order_close(b.order);
    tx_chip_close(b.chip);
    return n;
}

static const char *const products[2] = {"p150", "n150"};

static void test_bounds(void **state)
{
    (void)state;
    for (unsigned p = 0; p < 2; p++) {
        for (unsigned i = 0; i < ROWS; i++) {
            if (reported(products[p], "/nowhere", &rows[i], 5, 2) != rows[i].beyond) {
                print_error("%s, row %u\n", products[p], i);
                fail();
            }
        }
    }
}

/*
 * Nothing is said where the message has no such buffers, or what it names is no configuration, or
 * no host loads programs by itself.
 */
static void test_unknown(void **state)
{
    (void)state;
    for (unsigned p = 0; p < 2; p++) {
        for (unsigned i = 0; i < ROWS; i++) {
            assert_int_equal(reported(products[p], "/nowhere", &rows[i], 0, 2), 0);
            assert_int_equal(reported(products[p], "/nowhere", &rows[i], 7, 2), 0);
            assert_int_equal(reported(products[p], "/nowhere", &rows[i], 5, 3), 0);
            assert_int_equal(reported(products[p], NULL, &rows[i], 5, 2), 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
