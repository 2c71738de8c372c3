/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Units that are quicker than on the chip (tx_settings.pace): what they compute stays, their time
 * goes. Expected cycles follow from how many instructions of a unit a program has.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tensix/chip.h>
#include <tensix/tensix.h>

enum { WORDS = 400 };

/* Runs a program and returns its cycles. *sum: what Dst and L4 hold at its end. */
static uint64_t run(enum tx_arch arch, const char *text, const char *pace, uint64_t *sum)
{
    struct tx_settings settings;
    const struct tx_asm_options how = {.arch = arch};
    struct tx_program *program = NULL;
    struct tx_kernel_options options;
    tx_kernel *kernel = NULL;
    uint32_t values[32];
    tx_settings_default(&settings, arch);
    if (pace != NULL) {
        assert_int_equal(tx_settings_pace(&settings, pace), TX_OK);
    }
    assert_int_equal(tx_assemble(text, strlen(text), &how, &program, NULL), TX_OK);
    tx_kernel_options_default(&options);
    assert_int_equal(tx_kernel_open(&settings, program, &options, &kernel), TX_OK);
    assert_int_equal(tx_kernel_start(kernel), TX_OK);
    const tx_machine *m = tx_kernel_machine(kernel);
    const uint64_t before = tx_machine_counters(m).cycles;
    assert_int_equal(tx_kernel_tile_begin(kernel, 0), TX_OK);
    assert_int_equal(tx_kernel_tile_run(kernel, NULL), TX_OK);
    const uint64_t cycles = tx_machine_counters(m).cycles - before;
    assert_int_equal(tx_read(m, TX_FILE_LREG, 4, values, 32), TX_OK);
    *sum = 0;
    for (unsigned i = 0; i < 32; i++) {
        *sum = *sum * 31 + values[i];
    }
    tx_kernel_close(kernel);
    tx_program_free(program);
    return cycles;
}

static const enum tx_arch chips[] = {TX_WORMHOLE, TX_BLACKHOLE};

/* Two hundred instructions of the Vector Unit, one a cycle: none, or half of them, is left. */
static void test_vector(void **state)
{
    char text[WORDS * 24] =
        ".thread math\nsfploadi L4, 0x3f80, 0\nsfploadi L1, 0x3f81, 0\nsfpnop\n";
    uint64_t sum[3];
    (void)state;
    for (unsigned i = 0; i < 100; i++) {
        strcat(text, "sfpmad L4, L4, L1, L9, 0\nsfpnop\n");
    }
    for (unsigned c = 0; c < 2; c++) {
        const uint64_t real = run(chips[c], text, NULL, &sum[0]);
        const uint64_t half = run(chips[c], text, "vector=half", &sum[1]);
        const uint64_t none = run(chips[c], text, "vector=none", &sum[2]);
        assert_in_range(real, 200, 206);
        assert_in_range(half, 100, 106);
        assert_in_range(none, 0, 4);
        assert_int_equal(sum[1], sum[0]);
        assert_int_equal(sum[2], sum[0]);
        assert_int_equal(run(chips[c], text, "matrix=none", &sum[1]), real);
    }
}

/* Two hundred of the Matrix Unit, which no other unit waits for. */
static void test_matrix(void **state)
{
    char text[WORDS * 24] = ".thread math\nsfploadi L4, 0x3f80, 0\n";
    uint64_t sum;
    (void)state;
    for (unsigned i = 0; i < 200; i++) {
        strcat(text, "ttincrwc 0, 0, 0, 0\n");
    }
    for (unsigned c = 0; c < 2; c++) {
        assert_in_range(run(chips[c], text, NULL, &sum), 200, 1000);
        assert_in_range(run(chips[c], text, "matrix=half", &sum), 100, 500);
        assert_in_range(run(chips[c], text, "matrix=none", &sum), 0, 6);
        assert_in_range(run(chips[c], text, "vector=none", &sum), 200, 1000);
    }
}

static void test_refused(void **state)
{
    const uint32_t word = 0x02000000; /* NOP */
    const uint32_t gap = 1;
    struct tx_settings settings;
    tx_machine *m;
    bool accepted;
    (void)state;
    tx_settings_default(&settings, TX_BLACKHOLE);
    assert_int_equal(tx_settings_pace(&settings, "vectors=none"), TX_ENOENT);
    assert_int_equal(tx_settings_pace(&settings, "vector"), TX_EINVAL);
    assert_int_equal(tx_settings_pace(&settings, "vector=slow"), TX_EINVAL);
    assert_int_equal(tx_settings_pace(&settings, "vector=none"), TX_OK);
    assert_int_equal(settings.pace[TX_PACED_VECTOR], TX_PACE_NONE);
    assert_int_equal(tx_open(&settings, &m), TX_OK);
    assert_int_equal(tx_cycle(m, 1, &word, &accepted), TX_EUNSUPPORTED);
    assert_int_equal(tx_run_gaps(m, 1, &word, 1, &gap), TX_EUNSUPPORTED);
    assert_int_equal(tx_run(m, 1, &word, 1), TX_OK);
    tx_close(m);
    settings.pace[TX_PACED_CORES] = 3;
    assert_int_equal(tx_open(&settings, &m), TX_EINVAL);
}

/* A tile without time has none that could be less. */
static void test_untimed(void **state)
{
    struct tx_tensix_settings settings;
    tx_tensix *tile;
    (void)state;
    tx_tensix_settings_default(&settings, TX_BLACKHOLE);
    settings.machine.pace[TX_PACED_PACK] = TX_PACE_HALF;
    assert_int_equal(tx_tensix_open(&settings, &tile), TX_OK);
    tx_tensix_close(tile);
    settings.untimed = true;
    assert_int_equal(tx_tensix_open(&settings, &tile), TX_EUNSUPPORTED);
}

/* A core that counts down: two instructions a round. In half the time, half as long. */
static void test_cores(void **state)
{
    static const uint32_t code[] = {
        0x3E800093, /* addi x1, x0, 1000 */
        0xFFF08093, /* addi x1, x1, -1 */
        0xFE009EE3, /* bne x1, x0, -4 */
        0x0000006F  /* jump to itself */
    };
    uint64_t cycles[3];
    (void)state;
    for (unsigned c = 0; c < 2; c++) {
        for (unsigned pace = 0; pace < 3; pace++) {
            struct tx_tensix_settings settings;
            tx_tensix *tile;
            tx_tensix_settings_default(&settings, chips[c]);
            settings.machine.pace[TX_PACED_CORES] = (uint8_t)pace;
            assert_int_equal(tx_tensix_open(&settings, &tile), TX_OK);
            assert_int_equal(tx_tensix_write(tile, 0x6000, code, sizeof code), TX_OK);
            assert_int_equal(tx_tensix_start(tile, TX_CORE_T1, 0x6000), TX_OK);
            assert_int_equal(tx_tensix_run(tile, 100000), TX_OK);
            cycles[pace] = tx_tensix_cycles(tile);
            tx_tensix_close(tile);
        }
        assert_in_range(cycles[0], 2000, 6000);
        assert_in_range(cycles[1], cycles[0] / 2 - 20, cycles[0] / 2 + 20);
        assert_in_range(cycles[2], cycles[0] / 16 - 20, cycles[0] / 16 + 20);
    }
}

/* A chip of one tile, which is written to before it has so many cycles, or only after them. */
static uint8_t *chip_after(const char *product, uint8_t pace, uint64_t cycles, bool awake,
                           size_t *size)
{
    const uint32_t word = 7;
    struct tx_chip_settings s;
    struct tx_tensix_settings settings;
    struct tx_chip_tile t = {.kind = TX_CHIP_PCIE};
    tx_chip *chip;
    assert_int_equal(tx_chip_settings_default(&s, product), TX_OK);
    tx_tensix_settings_default(&settings, s.arch);
    settings.machine.pace[TX_PACED_CORES] = pace;
    s.tile = &settings;
    s.columns = s.rows = 1;
    assert_int_equal(tx_chip_open(&s, &chip), TX_OK);
    for (size_t i = 0; t.kind != TX_CHIP_TENSIX || t.off; i++) {
        assert_int_equal(tx_chip_tile_at(chip, i, &t), TX_OK);
    }
    const struct tx_chip_place at = {.x = t.translated_x, .y = t.translated_y};
    if (awake) {
        assert_int_equal(tx_chip_write(chip, at, 0x20000, &word, 4), TX_OK);
    }
    assert_int_equal(tx_chip_cycle(chip, cycles), TX_OK);
    for (unsigned i = awake ? 1 : 0; i < 2; i++) { /* two writes in either chip: they are counted */
        assert_int_equal(tx_chip_write(chip, at, 0x20000, &word, 4), TX_OK);
    }
    *size = tx_chip_snapshot_size(chip);
    uint8_t *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(tx_chip_snapshot(chip, bytes, *size), TX_OK);
    tx_chip_close(chip);
    return bytes;
}

/*
 * A tile that has slept from the chip's start is in every byte as one that went through each cycle:
 * also the clocks of its cores, which are quicker than the tile's.
 */
static void test_sleep(void **state)
{
    static const char *const products[] = {"p150", "n150"};
    (void)state;
    for (unsigned i = 0; i < 6; i++) {
        size_t sizes[2];
        uint8_t *slept = chip_after(products[i % 2], (uint8_t)(i / 2), 1000, false, &sizes[0]);
        uint8_t *ran = chip_after(products[i % 2], (uint8_t)(i / 2), 1000, true, &sizes[1]);
        assert_int_equal(sizes[0], sizes[1]);
        assert_memory_equal(slept, ran, sizes[0]);
        free(slept);
        free(ran);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vector),  cmocka_unit_test(test_matrix),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_untimed),
        cmocka_unit_test(test_cores),   cmocka_unit_test(test_sleep)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
