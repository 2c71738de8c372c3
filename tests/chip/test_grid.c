/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The grid, its coordinates and what firmware leaves in the network interfaces. Values: the checks
 * of spec/chip.md 14, and the products of tests/data/chip-tiles.tsv, which were generated from the
 * rules of 1.2 to 1.5 apart from this code.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <tensix/chip.h>

static tx_chip *open_chip(const struct tx_chip_settings *s)
{
    tx_chip *chip;
    assert_int_equal(tx_chip_open(s, &chip), TX_OK);
    return chip;
}

static struct tx_chip_settings product(const char *name)
{
    struct tx_chip_settings s;
    assert_int_equal(tx_chip_settings_default(&s, name), TX_OK);
    return s;
}

static uint32_t niu(tx_chip *chip, uint32_t x, uint32_t y, unsigned noc, uint32_t offset)
{
    uint32_t width;
    uint32_t height;
    uint32_t value = 0;
    tx_chip_grid(chip, &width, &height);
    assert_int_equal(tx_chip_niu_read(chip, x + y * width, noc, offset, &value), TX_OK);
    return value;
}

/* Finds a place, as raw coordinates of NoC 0. */
static uint32_t found(tx_chip *chip, uint32_t noc, uint32_t x, uint32_t y)
{
    const struct tx_chip_place place = {noc, x, y};
    struct tx_chip_tile tile;
    size_t index = 0;
    if (tx_chip_find(chip, place, &index) != TX_OK) {
        return UINT32_MAX;
    }
    assert_int_equal(tx_chip_tile_at(chip, index, &tile), TX_OK);
    return tile.x[0] | tile.y[0] << 6;
}

#define AT(x, y) ((uint32_t)((x) | (y) << 6))

static void test_names(void **state)
{
    (void)state;
    const struct tx_chip_settings bh = product("p150");
    const struct tx_chip_settings wh = product("n150");
    tx_chip *chip = open_chip(&bh);
    assert_int_equal(niu(chip, 1, 2, 0, 0x44), 0x10611081);
    assert_int_equal(niu(chip, 1, 2, 1, 0x44), 0x0061124F);
    assert_int_equal(niu(chip, 1, 2, 0, 0x148), 0x081);
    assert_int_equal(niu(chip, 1, 2, 1, 0x148), 0x081);
    /* NoC 1: a Tensix tile has one name on both; ARC too; PCIe's is its translated pair. */
    assert_int_equal(found(chip, 1, 7, 5), AT(7, 5));
    assert_int_equal(found(chip, 1, 8, 0), AT(8, 0));
    assert_int_equal(found(chip, 1, 19, 24), AT(2, 0));
    assert_int_equal(found(chip, 1, 14, 0), AT(2, 0));
    assert_int_equal(found(chip, 0, 9, 5), AT(9, 5));
    assert_int_equal(found(chip, 2, 1, 2), UINT32_MAX);
    /* Columns and rows without a Tensix tile take no broadcasts. */
    assert_int_equal(niu(chip, 1, 2, 0, 0x108), 0x301);
    assert_int_equal(niu(chip, 1, 2, 0, 0x110), 0x003);
    assert_int_equal(niu(chip, 1, 2, 1, 0x108), 0x10180);
    assert_int_equal(niu(chip, 1, 2, 1, 0x110), 0xC00);
    tx_chip_close(chip);
    /* A chip has fourteen Ethernet tiles at most: more bits of the setting name none. */
    for (unsigned more = 0; more < 2; more++) {
        static uint32_t table[2][6];
        struct tx_chip_settings few = bh;
        few.ethernet = more == 0 ? 1u : 0xFFFFC001u;
        chip = open_chip(&few);
        for (unsigned i = 0; i < 6; i++) {
            table[more][i] = niu(chip, 1, 2, 0, 0x118 + 4 * i);
        }
        assert_memory_equal(table[0], table[more], sizeof table[0]);
        tx_chip_close(chip);
    }
    chip = open_chip(&wh);
    assert_int_equal(niu(chip, 1, 1, 0, 0x2C), 0x1060A041);
    assert_int_equal(niu(chip, 1, 1, 1, 0x2C), 0x0060A288);
    assert_int_equal(niu(chip, 1, 1, 0, 0x138), 0x492);
    assert_int_equal(found(chip, 0, 18, 18), AT(1, 1));
    assert_int_equal(found(chip, 1, 18, 18), AT(1, 1));
    assert_int_equal(found(chip, 1, 8, 10), AT(1, 1)); /* below 16: raw coordinates of NoC 1 */
    assert_int_equal(niu(chip, 1, 1, 1, 0x108), 0x210);
    assert_int_equal(niu(chip, 1, 1, 1, 0x110), 0x820);
    tx_chip_close(chip);
}

/* Harvested columns and a bad bank (checks 3 and 4). */
static void test_harvested(void **state)
{
    (void)state;
    static const uint8_t columns[14] = {1, 3, 4, 5, 6, 7, 10, 11, 12, 13, 15, 16, 14, 2};
    static const uint8_t slots[14] = {1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16};
    static const uint8_t rows[12] = {0, 1, 11, 2, 10, 3, 5, 7, 6, 9, 4, 8};
    struct tx_chip_settings s = product("p100");
    s.bad_tensix = 1u << 2 | 1u << 5;
    s.bad_dram = 1u << 2;
    tx_chip *chip = open_chip(&s);
    for (unsigned i = 0; i < 14; i++) {
        assert_int_equal(found(chip, 0, slots[i], 5), AT(columns[i], 5));
    }
    for (unsigned i = 0; i < 12; i++) {
        assert_int_equal(found(chip, 0, 17, 12 + i), AT(9, rows[i]));
        assert_int_equal(found(chip, 0, 18, 12 + i), AT(0, rows[i]));
    }
    assert_int_equal(found(chip, 0, 19, 24), AT(11, 0));
    assert_int_equal(niu(chip, 2, 5, 0, 0x100) >> 12 & 1, 1); /* its clock is off */
    assert_int_equal(niu(chip, 1, 5, 0, 0x100) >> 12 & 1, 0);
    assert_int_equal(niu(chip, 1, 5, 0, 0x108), 0x4305);
    tx_chip_close(chip);
}

/* Every endpoint of five products, as the table has it. */
static void test_products(void **state)
{
    (void)state;
    static const struct {
        const char *name, *product;
        uint32_t bad, dram;
    } rows[] = {{"p150", "p150", 0, 0},
                {"p100", "p100", 1u << 2 | 1u << 5, 1u << 2},
                {"n150", "n150", 0, 0},
                {"n150-r7", "n150", 1u << 7, 0},
                {"n300", "n300", 1u << 7 | 1u << 10, 0}};
    unsigned seen = 0;
    for (unsigned p = 0; p < sizeof rows / sizeof rows[0]; p++) {
        struct tx_chip_settings s = product(rows[p].product);
        s.bad_tensix = rows[p].bad;
        s.bad_dram = rows[p].dram;
        s.columns = s.rows = 0;
        tx_chip *chip = open_chip(&s);
        char line[256];
        char name[16];
        unsigned x[3];
        unsigned y[3];
        FILE *f = fopen("tests/data/chip-tiles.tsv", "r");
        assert_non_null(f);
        while (fgets(line, sizeof line, f) != NULL) {
            char kind[32];
            char *rest = strchr(line, '\t');
            if (line[0] == '#' || rest == NULL || sscanf(line, "%15s %31s", name, kind) != 2 ||
                strcmp(name, rows[p].name) != 0) {
                continue;
            }
            rest = strchr(rest + 1, '\t');
            assert_int_equal(
                sscanf(rest, " %u,%u %u,%u %u,%u", &x[0], &y[0], &x[1], &y[1], &x[2], &y[2]), 6);
            struct tx_chip_tile tile;
            uint32_t width;
            uint32_t height;
            tx_chip_grid(chip, &width, &height);
            assert_int_equal(tx_chip_tile_at(chip, x[0] + y[0] * width, &tile), TX_OK);
            const char *want = tx_chip_kind_name(tile.kind);
            assert_int_equal(kind[0], want[0]); /* T12, E3, D0, PCIe, ARC, empty ... */
            assert_int_equal(tile.x[1], x[1]);
            assert_int_equal(tile.y[1], y[1]);
            /* One name of the table is an accident: it has (31, 25), where no Ethernet tile is
             * enabled, for a port of DRAM that is (18, 13) by the rule for DRAM. */
            if (x[2] != 31 || y[2] != 25 || tile.kind != TX_CHIP_DRAM) {
                assert_int_equal(tile.translated_x, x[2]);
                assert_int_equal(tile.translated_y, y[2]);
            }
            assert_int_equal(found(chip, 0, x[2], y[2]), AT(x[0], y[0]));
            if (tile.kind == TX_CHIP_TENSIX) {
                assert_int_equal(tile.off, strstr(line, "harvested") != NULL);
                assert_int_equal(found(chip, 1, x[2], y[2]), AT(x[0], y[0]));
            }
            seen++;
        }
        fclose(f);
        tx_chip_close(chip);
    }
    assert_int_equal(seen, 2 * 204 + 3 * 120);
}

/* What a harvested tile answers, and a small grid. */
static void test_off(void **state)
{
    (void)state;
    struct tx_chip_settings s = product("p150");
    s.columns = 2;
    s.rows = 1;
    tx_chip *chip = open_chip(&s);
    const struct tx_chip_place in = {0, 2, 2};
    const struct tx_chip_place out = {0, 2, 3};
    uint32_t word = 5;
    assert_int_equal(tx_chip_write(chip, in, 0x1000, &word, 4), TX_OK);
    assert_int_equal(tx_chip_write(chip, out, 0x1000, &word, 4), TX_OK); /* dropped, but taken */
    assert_int_equal(tx_chip_read(chip, out, 0x1000, &word, 4), TX_ENOENT);
    assert_int_equal(tx_chip_read(chip, out, 0xFFB20044, &word, 4), TX_OK);
    assert_int_equal(word & 0xFFF, AT(2, 3));
    assert_true(tx_chip_finding_count(chip) > 0);
    assert_non_null(tx_chip_tensix(chip, 2 + 2 * 17));
    assert_null(tx_chip_tensix(chip, 2 + 3 * 17));
    assert_null(tx_chip_tensix(chip, 8));
    tx_chip_close(chip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_harvested),
        cmocka_unit_test(test_products),
        cmocka_unit_test(test_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
