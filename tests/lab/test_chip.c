/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs on tiles of a chip: what lies where, which core waits, that neither threads nor the mode
 * can be seen in the results. The words are RISC-V instructions as GNU as writes them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <tensix-lab/chip.h>

/* lui a0,0x20; lw a1,0(a0); addi a1,a1,5; sw a1,4(a0); j . */
static const uint32_t add[] = {0x00020537, 0x00052583, 0x00558593, 0x00B52223, 0x0000006F};
/* lui a0,0x20; lw a1,8(a0); beqz a1,-4; j . */
static const uint32_t wait[] = {0x00020537, 0x00852583, 0xFE058EE3, 0x0000006F};

static const char *image(const char *name, const uint32_t *words, size_t size)
{
    static char paths[2][256];
    static unsigned next;
    char *path = paths[next++ % 2];
    snprintf(path, 256, "/tmp/tensix-chip-%s-%ld.bin", name, (long)getpid());
    struct txl_error err = {.status = TXL_OK};
    assert_int_equal(txl_write_file(&err, path, words, size), TXL_OK);
    return path;
}

static txl_chip *open_chip(const char *product, unsigned threads, bool untimed)
{
    const struct txl_chip_options how = {.size = sizeof how,
                                         .product = product,
                                         .columns = 3,
                                         .rows = 2,
                                         .threads = threads,
                                         .untimed = untimed,
                                         .max_cycles = 100000};
    struct txl_error err = {.status = TXL_OK};
    txl_chip *chip = NULL;
    assert_int_equal(txl_chip_open(&err, &how, &chip), TXL_OK);
    return chip;
}

static uint32_t get(txl_chip *chip, unsigned column, unsigned row, uint32_t address)
{
    struct txl_error err = {.status = TXL_OK};
    uint32_t word = 0;
    assert_int_equal(txl_chip_read(&err, chip, column, row, address, &word, 4), TXL_OK);
    return word;
}

static void test_add(void **state)
{
    (void)state;
    const char *path = image("add", add, sizeof add);
    for (unsigned k = 0; k < 6; k++) {
        struct txl_error err = {.status = TXL_OK};
        txl_chip *chip = open_chip(k % 2 != 0 ? "n150" : "p150", k / 2 == 1 ? 3 : 1, k / 2 == 2);
        for (uint32_t i = 0; i < 6; i++) {
            const uint32_t value = 100 * i;
            assert_int_equal(txl_chip_write(&err, chip, i % 3, i / 3, 0x20000, &value, 4), TXL_OK);
            assert_int_equal(txl_chip_elf(&err, chip, i % 3, i / 3, TX_CORE_T0, path), TXL_OK);
        }
        assert_int_equal(txl_chip_run(&err, chip), TXL_OK);
        for (uint32_t i = 0; i < 6; i++) {
            assert_int_equal(get(chip, i % 3, i / 3, 0x20004), 100 * i + 5);
        }
        assert_int_equal(txl_chip_result(chip)->tiles, 6);
        assert_int_equal(txl_chip_result(chip)->findings, 0);
        /* The cores have no programs any more. */
        assert_int_equal(txl_chip_run(&err, chip), TXL_INPUT);
        txl_chip_close(chip);
    }
    remove(path);
}

static void test_deadlock(void **state)
{
    (void)state;
    const char *path = image("wait", wait, sizeof wait);
    for (unsigned k = 0; k < 4; k++) {
        struct txl_error err = {.status = TXL_OK};
        txl_chip *chip = open_chip(k % 2 != 0 ? "n150" : "p150", 1, k / 2 != 0);
        const uint32_t zero = 0;
        assert_int_equal(txl_chip_write(&err, chip, 2, 1, 0x20008, &zero, 4), TXL_OK);
        assert_int_equal(txl_chip_elf(&err, chip, 2, 1, TX_CORE_T0, path), TXL_OK);
        assert_int_equal(txl_chip_run(&err, chip), TXL_NEGATIVE);
        assert_non_null(strstr(err.message, "deadlock"));
        assert_non_null(strstr(err.message, "\n  tile 2,1 core t0  0000600"));
        txl_chip_close(chip);
    }
    remove(path);
}

/* What two tiles' coprocessors find alike is one finding, of both tiles. */
static void test_finding(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        /* sfpload L0,0,3,3 of Dst that nobody wrote, pushed twice by the core; j . */
        const uint32_t load = k != 0 ? 0x7003C000u : 0x70036000u;
        const uint32_t words[] = {load << 2 | load >> 30, load << 2 | load >> 30, 0x0000006F};
        const char *path = image("load", words, sizeof words);
        struct txl_error err = {.status = TXL_OK};
        txl_chip *chip = open_chip(k != 0 ? "n150" : "p150", 1, false);
        for (unsigned column = 0; column < 2; column++) {
            assert_int_equal(txl_chip_elf(&err, chip, column, 1, TX_CORE_T1, path), TXL_OK);
        }
        assert_int_equal(txl_chip_run(&err, chip), TXL_OK);
        assert_int_equal(txl_chip_result(chip)->findings, 1);
        char *text = txl_chip_text(chip);
        assert_non_null(text);
        assert_non_null(strstr(text, "[E-DST] x4"));
        assert_non_null(strstr(text, "SFPLOAD of Dst cells that were never written"));
        free(text);
        txl_chip_close(chip);
        remove(path);
    }
}

static void test_refused(void **state)
{
    (void)state;
    struct txl_error err = {.status = TXL_OK};
    const struct txl_chip_options other = {.size = sizeof other, .product = "p1000"};
    const struct txl_chip_options wide = {.size = sizeof wide, .product = "n150", .columns = 9};
    txl_chip *chip = NULL;
    assert_int_equal(txl_chip_open(&err, &other, &chip), TXL_INPUT);
    assert_string_equal(err.option, "product");
    txl_error_clear(&err);
    assert_int_equal(txl_chip_open(&err, &wide, &chip), TXL_INPUT);
    assert_string_equal(err.option, "columns");
    txl_error_clear(&err);
    chip = open_chip("p150", 1, false);
    assert_int_equal(txl_chip_elf(&err, chip, 3, 0, TX_CORE_B, "none"), TXL_INPUT);
    assert_non_null(strstr(err.message, "no tile 3,0"));
    txl_error_clear(&err);
    assert_int_equal(txl_chip_elf(&err, chip, 0, 0, TX_CORE_B, "/nowhere"), TXL_INPUT);
    txl_error_clear(&err);
    const char *path = image("add", add, sizeof add);
    assert_int_equal(txl_chip_elf(&err, chip, 0, 0, TX_CORE_B, path), TXL_OK);
    assert_int_equal(txl_chip_elf(&err, chip, 0, 0, TX_CORE_B, path), TXL_INPUT);
    assert_non_null(strstr(err.message, "two programs"));
    txl_chip_close(chip);
    remove(path);
}

/* The grid of p100 with columns 5 and 6 of the list of columns bad: chip.md 1.5, 1.6. */
static void test_map(void **state)
{
    (void)state;
    struct txl_error err = {.status = TXL_OK};
    const struct txl_chip_options how = {.size = sizeof how, .product = "p100"};
    txl_chip *chip = NULL;
    unsigned columns;
    unsigned rows;
    assert_int_equal(txl_chip_open(&err, &how, &chip), TXL_OK);
    txl_chip_grid(chip, &columns, &rows);
    assert_int_equal(columns, 12);
    assert_int_equal(rows, 10);
    char *text = txl_chip_map_text(chip);
    char *json = txl_chip_map_json(chip);
    assert_non_null(strstr(text, "120 Tensix tiles that answer"));
    /* bank 7 and PCIe 0 are off, PCIe 1 has the name 19,24 */
    assert_non_null(strstr(text, "xD7.0"));
    assert_non_null(strstr(text, "xP0"));
    assert_non_null(strstr(text, "19,24"));
    assert_non_null(strstr(json, "\"logical\""));
    free(text);
    free(json);
    txl_chip_close(chip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_add),     cmocka_unit_test(test_deadlock),
        cmocka_unit_test(test_finding), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
