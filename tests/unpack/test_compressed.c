/* SPDX-License-Identifier: Apache-2.0 */
/*
 * UNPACR of compressed data. The test packs rows as docs/spec/unpack.md 6.1 describes them, and a
 * second machine unpacks what they mean from plain data: SrcA of both is equal.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <tensix/tensix.h>

enum { CELLS = 16, ROWS = 96, DATA = ROWS * CELLS, BYTES = 16384, BF16 = 5 };

/* YDim, ZDim and BlobsPerXYPlane of the descriptor; counters, RowSearch; what is read of the rows.
 */
struct reading {
    const char *name;
    unsigned y_dim, z_dim, blobs, digest;
    unsigned z, y, x0, x1;
    bool search;
    unsigned row, drop, cells;
};

/* Cells of a row: runs of zeros of all lengths, at its beginning, inside and at its end. */
static void fill(uint16_t cells[ROWS][CELLS])
{
    uint32_t x = 1;
    for (unsigned i = 0; i < DATA; i++) {
        x = x * 1664525u + 1013904223u;
        const unsigned dense = i / CELLS % 4; /* 0: all zero, 3: hardly any */
        cells[i / CELLS][i % CELLS] = (x >> 20) % 3 < dense ? (uint16_t)(0x3F80u + i) : 0;
    }
}

static void put16(uint8_t *at, uint32_t value)
{
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
}

/* Row starts, padded to 16 bytes; then groups of 32 data and 32 counts of zeros of four bits. */
static void compress(const struct reading *g, uint16_t cells[ROWS][CELLS], uint8_t *at)
{
    const unsigned rows = (g->blobs != 0 ? g->blobs : g->y_dim) * g->z_dim;
    uint8_t *data = at + (2 * (rows + 1) + 15) / 16 * 16;
    unsigned n = 0;
    for (unsigned row = 0; row < rows; row++) {
        put16(at + (size_t)2 * row, n);
        for (unsigned c = 0; c < CELLS; n++) {
            uint8_t *group = data + (size_t)n / 32 * (64 + 16);
            unsigned zeros = 0;
            put16(group + (size_t)n % 32 * 2, cells[row][c++]);
            while (c < CELLS && cells[row][c] == 0) {
                zeros++;
                c++;
            }
            group[64 + n % 32 / 2] |= (uint8_t)(zeros << n % 2 * 4);
        }
    }
    put16(at + (size_t)2 * rows, n);
}

static void set(tx_machine *m, const char *name, uint32_t value)
{
    assert_int_equal(tx_config_set(m, 0, name, value), TX_OK);
}

static void unpack(enum tx_arch arch, const struct reading *g, bool plain, const uint8_t *l1,
                   uint32_t src[64][CELLS])
{
    const unsigned at = arch == TX_BLACKHOLE ? 64 : 52; /* the descriptor */
    const uint32_t descriptor[4] = {BF16 | g->blobs << 8, g->y_dim | g->z_dim << 16, 1,
                                    g->digest << 24};
    const uint32_t word = 0x42000081u | (g->search && !plain ? 4u : 0); /* multiple contexts */
    uint32_t counters[TX_ADC_VALUES] = {0};
    struct tx_settings settings;
    tx_machine *m;
    tx_settings_default(&settings, arch);
    assert_int_equal(tx_open(&settings, &m), TX_OK);
    assert_int_equal(tx_l1_allocate(m), TX_OK);
    assert_int_equal(tx_l1_write(m, 16 * (1 + g->digest), l1, BYTES), TX_OK);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(tx_write(m, TX_FILE_CONFIG, at + i, &descriptor[i], 1), TX_OK);
    }
    set(m, "THCON_SEC0_REG2_Out_data_format", BF16);
    set(m, "THCON_SEC0_REG2_Disable_zero_compress_cntx0", plain);
    set(m, "THCON_SEC0_REG5_Tile_x_dim_cntx0", CELLS);
    set(m, "THCON_SEC0_REG5_Dest_cntx0_address", 64);
    set(m, "SRCA_SET_SetOvrdWithAddr", 1);
    counters[0] = plain ? 0 : g->x0;
    counters[1] = plain ? 0 : g->y;
    counters[2] = plain ? 0 : g->z;
    counters[8] = plain ? g->cells - 1 : g->x1;
    assert_int_equal(tx_write(m, TX_FILE_ADC, 0, counters, TX_ADC_VALUES), TX_OK);
    assert_int_equal(tx_run(m, 0, &word, 1), TX_OK);
    for (unsigned row = 0; row < 64; row++) {
        assert_int_equal(tx_read(m, TX_FILE_SRC, row, src[row], CELLS), TX_OK);
    }
    tx_close(m);
}

static const struct reading readings[] = {
    {"a row", 4, 8, 0, 0, 2, 1, 0, 15, false, 9, 0, 16},
    {"the first row", 4, 8, 0, 0, 0, 0, 0, 15, false, 0, 0, 16},
    {"a row behind a longer header", 4, 8, 0, 3, 5, 3, 0, 15, false, 23, 0, 16},
    {"a part of a row", 4, 8, 0, 0, 1, 2, 3, 9, false, 6, 3, 7},
    {"more than a row", 4, 8, 0, 0, 1, 2, 0, 70, false, 6, 0, 71},
    {"rows by a search", 4, 8, 0, 0, 1, 1, 3, 0, true, 5, 0, 48},
    {"many rows", 16, 6, 0, 0, 2, 3, 10, 0, true, 35, 0, 128},
    {"blobs, by a search", 16, 4, 3, 0, 1, 1, 2, 0, true, 4, 0, 32},
    {"blobs", 16, 4, 3, 0, 0, 4, 0, 15, false, 4, 0, 16},
    {"row starts that fill their 16 bytes", 7, 1, 0, 0, 0, 3, 0, 15, false, 3, 0, 16},
    {"seven blobs", 1, 12, 7, 0, 9, 2, 4, 0, true, 65, 0, 48},
};

static void test_readings(void **state)
{
    static uint16_t cells[ROWS][CELLS];
    static uint8_t packed[BYTES], plain[BYTES];
    (void)state;
    fill(cells);
    for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        for (size_t i = 0; i < sizeof readings / sizeof *readings; i++) {
            const struct reading *g = &readings[i];
            uint32_t got[64][CELLS], want[64][CELLS];
            memset(packed, 0, sizeof packed);
            memset(plain, 0, sizeof plain);
            compress(g, cells, packed);
            for (unsigned c = 0; c < g->cells; c++) {
                const unsigned from = g->drop + c;
                put16(plain + (size_t)2 * c, cells[g->row + from / CELLS][from % CELLS]);
            }
            unpack(arch, g, false, packed, got);
            unpack(arch, g, true, plain, want);
            if (memcmp(got, want, sizeof got) != 0) {
                fail_msg("%s of %s: SrcA differs", g->name, tx_arch_name(arch));
            }
        }
    }
}

/* INT8 of either sign, which nobody changes while it is under way: there is nothing to find. */
static void test_int8(void **state)
{
    const uint32_t word = 0x42000081u, descriptor = 14 | 16u, one = 1;
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        const enum tx_arch arch = i % 2 == 0 ? TX_WORMHOLE : TX_BLACKHOLE;
        const unsigned at = arch == TX_BLACKHOLE ? 64 : 52;
        uint32_t counters[TX_ADC_VALUES] = {[8] = CELLS - 1};
        struct tx_settings settings;
        tx_machine *m;
        tx_settings_default(&settings, arch);
        assert_int_equal(tx_open(&settings, &m), TX_OK);
        assert_int_equal(tx_l1_allocate(m), TX_OK);
        assert_int_equal(tx_l1_write(m, 16, &word, 4), TX_OK);
        assert_int_equal(tx_write(m, TX_FILE_CONFIG, at, &descriptor, 1), TX_OK);
        assert_int_equal(tx_write(m, TX_FILE_CONFIG, at + 1, &one, 1), TX_OK);
        set(m, "THCON_SEC0_REG2_Out_data_format", 14);
        set(m, "THCON_SEC0_REG2_Disable_zero_compress_cntx0", 1);
        set(m, "THCON_SEC0_REG5_Tile_x_dim_cntx0", CELLS);
        set(m, "THCON_SEC0_REG5_Dest_cntx0_address", 64);
        set(m, "SRCA_SET_SetOvrdWithAddr", 1);
        set(m, "ALU_FORMAT_SPEC_REG0_SrcAUnsigned", i / 2);
        assert_int_equal(tx_write(m, TX_FILE_ADC, 0, counters, TX_ADC_VALUES), TX_OK);
        assert_int_equal(tx_run(m, 0, &word, 1), TX_OK);
        for (size_t k = 0; k < tx_finding_count(m); k++) {
            assert_string_not_equal(tx_finding_at(m, k)->rule, "E-UNPACKCFG");
        }
        tx_close(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_readings),
                                       cmocka_unit_test(test_int8)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
