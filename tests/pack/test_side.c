/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What PACRs and UNPACRs leave beside their data: the histogram of each packer as SETDMAREG reads
 * it (spec/pack.md 8; formats-and-scalar-unit.md B.5), rows that a move has reached too late to be
 * packed (spec/matrix-unit.md 8), and what colliding strides and accumulation cost (isa/unpack.def,
 * isa/pack.def).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tensix/tensix.h>

#include "state/machine.h"

static void set(tx_machine *m, const char *name, uint32_t value)
{
    assert_int_equal(tx_config_set(m, 0, name, value), TX_OK);
}

static tx_machine *open_one(enum tx_arch arch)
{
    struct tx_settings settings;
    tx_machine *m;
    tx_settings_default(&settings, arch);
    assert_int_equal(tx_open(&settings, &m), TX_OK);
    assert_int_equal(tx_l1_allocate(m), TX_OK);
    return m;
}

static void run(tx_machine *m, const uint32_t *words, size_t count)
{
    assert_int_equal(tx_run(m, 0, words, count), TX_OK);
}

/* A row of Dst, BF16 cells of a mantissa of zero. */
static void put_row(tx_machine *m, unsigned row, uint32_t exponent)
{
    const uint32_t valid = 1;
    uint32_t cells[16];
    for (unsigned i = 0; i < 16; i++) {
        cells[i] = exponent;
    }
    assert_int_equal(tx_write(m, TX_FILE_DST, row, cells, 16), TX_OK);
    assert_int_equal(tx_write(m, TX_FILE_DST_VALID, row, &valid, 1), TX_OK);
}

static void configure_packer(tx_machine *m, const char *section, uint32_t address)
{
    char name[96];
#define SET(field, value)                                       \
    snprintf(name, sizeof name, "THCON_%s_%s", section, field); \
    set(m, name, value)
    SET("Disable_zero_compress", 1);
    SET("In_data_format", 5);
    SET("Out_data_format", 5);
    SET("L1_Dest_addr", address);
#undef SET
}

static void open_packers(tx_machine *m)
{
    const uint32_t x = 0x5E000000u | 4u << 21 | 15u << 10; /* SETADCXX: sixteen data */
    configure_packer(m, "SEC0_REG1", 0x100);
    set(m, "ALU_FORMAT_SPEC_REG2_Dstacc", 5);
    set(m, "PCK_EDGE_OFFSET_SEC0_mask", 0xFFFF);
    run(m, &x, 1);
}

/* SETDMAREG of all 128 bits to GPR 4 to 7. */
static void read_packers(tx_machine *m, unsigned source, unsigned which, uint32_t out[4])
{
    const uint32_t word = 0x45000000u | 2u << 22 | which << 15 | source << 11 | 1u << 7 | 8u;
    run(m, &word, 1);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(tx_read(m, TX_FILE_GPR, 4 + i, &out[i], 1), TX_OK);
    }
}

/* Exponents of 127 and 128 are bins 31 and 0 of their packers, sixteen data each. */
static void test_histograms(void **unused)
{
    const uint32_t pacr = 0x41000301u;
    uint32_t v[4];
    (void)unused;
    tx_machine *m = open_one(TX_WORMHOLE);
    open_packers(m);
    configure_packer(m, "SEC0_REG8", 0x200);
    set(m, "ENABLE_ACC_STATS_Enable", 1);
    set(m, "DEST_TARGET_REG_CFG_PACK_SEC1_Offset", 16);
    put_row(m, 0, 127);
    put_row(m, 16, 128);
    run(m, &pacr, 1);
    const uint32_t first[2][4] = {{0, 0, 0, 0}, {16, 0, 0, 0}};
    const uint32_t last[2][4] = {{0, 0, 0, 16u << 24}, {0, 0, 0, 0}};
    for (unsigned packer = 0; packer < 2; packer++) {
        read_packers(m, 6, packer, v);
        assert_memory_equal(v, first[packer], sizeof v);
        read_packers(m, 7, packer, v);
        assert_memory_equal(v, last[packer], sizeof v);
    }
    tx_close(m);
}

/* Zero-valid rows read as zero; a move that comes less than four cycles before makes no difference,
 * and is a finding, also of a PACR that has run before and takes whole rows at once. */
static void test_moved(void **unused)
{
    static const enum tx_arch archs[] = {TX_BLACKHOLE, TX_WORMHOLE};
    (void)unused;
    for (unsigned a = 0; a < 2; a++) {
        const uint32_t pacr = 0x41000101u;
        const uint32_t none = 0;
        const uint32_t banks[4] = {0, 0, 1, 0};
        const uint32_t words[] = {0x12000000u, pacr, 0x02000000u};
        uint32_t cells[16];
        uint8_t got[32];
        tx_machine *m = open_one(archs[a]);
        open_packers(m);
        put_row(m, 0, 127);
        run(m, &pacr, 1);
        run(m, &pacr, 1);
        assert_int_equal(tx_finding_count(m), 0);
        assert_int_equal(tx_l1_read(m, 16 * 0x101, got, 32), TX_OK);
        assert_int_equal(got[1], 0x3F);
        memset(cells, 0, sizeof cells);
        for (unsigned i = 0; i < 16; i++) {
            cells[i] = 128;
        }
        assert_int_equal(tx_write(m, TX_FILE_SRC, 0, cells, 16), TX_OK);
        assert_int_equal(tx_write(m, TX_FILE_SRC_BANK, 0, banks, 4), TX_OK);
        assert_int_equal(tx_write(m, TX_FILE_DST_VALID, 0, &none, 1), TX_OK);
        run(m, words, 3);
        assert_int_equal(tx_l1_read(m, 16 * 0x101, got, 32), TX_OK);
        for (unsigned i = 0; i < 32; i++) {
            assert_int_equal(got[i], 0);
        }
        assert_int_equal(tx_finding_count(m), 1);
        assert_string_equal(tx_finding_at(m, 0)->rule, "E-MOVEDST");
        tx_close(m);
    }
}

/* What no shipping kernel uses is a finding that names it, each of these alone. */
static void test_not_shipped(void **unused)
{
    static const struct {
        const char *field, *text;
        bool wormhole;
    } rows[] = {
        {"THCON_SEC0_REG1_Sub_l1_tile_header_size", "Sub_l1_tile_header_size", true},
        {"THCON_SEC0_REG1_Add_l1_dest_addr_offset", "Add_l1_dest_addr_offset", true},
        {"THCON_SEC0_REG1_Enable_out_fifo", "Enable_out_fifo", true},
        {"THCON_SEC0_REG1_Auto_set_last_pacr_intf_sel", "Auto_set_last_pacr_intf_sel", false},
        {"THCON_SEC0_REG1_Downsample_mask", "downsampling", true},
        {"THCON_SEC0_REG1_Downsample_rate", "downsampling", true},
        {"PACK_CONCAT_MASK_SEC0_pack_concat_mask", "a PACK_CONCAT_MASK", true},
        {"PACK_COUNTERS_SEC0_pack_yz_transposed", "pack_yz_transposed", true},
    };
    (void)unused;
    for (unsigned i = 0; i < 2 * sizeof rows / sizeof rows[0]; i++) {
        const bool bh = i % 2 != 0;
        const uint32_t pacr = 0x41000101u;
        char want[96];
        if (!bh && !rows[i / 2].wormhole) {
            continue;
        }
        tx_machine *m = open_one(bh ? TX_BLACKHOLE : TX_WORMHOLE);
        open_packers(m);
        put_row(m, 0, 127);
        run(m, &pacr, 1);
        assert_int_equal(tx_finding_count(m), 0);
        set(m, rows[i / 2].field, 1);
        run(m, &pacr, 1);
        if (tx_finding_count(m) == 0) {
            fail_msg("no finding: %s", rows[i / 2].field);
        }
        snprintf(want, sizeof want, "PACR with %s, which no shipping kernel uses",
                 rows[i / 2].text);
        assert_string_equal(tx_finding_at(m, 0)->message, want);
        assert_string_equal(tx_finding_at(m, 0)->rule, "E-PACK");
        assert_int_equal(tx_finding_at(m, 0)->category, TX_UNSUPPORTED);
        tx_close(m);
    }
}

/* Cycles of an UNPACR of 256 BF16 data, 512 bytes, in rows that are so far from one another. */
static uint64_t strided(enum tx_arch arch, uint32_t stride)
{
    static const uint8_t bytes[16384];
    const uint32_t words[] = {0x5E000000u | 1u << 21 | 255u << 10, 0x42000001u};
    tx_machine *m = open_one(arch);
    assert_int_equal(tx_l1_write(m, 0, bytes, sizeof bytes), TX_OK);
    set(m, "THCON_SEC0_REG0_TileDescriptor", 0x15);
    set(m, "THCON_SEC0_REG0_TileDescriptor_1", 0x00010001);
    set(m, "THCON_SEC0_REG2_Out_data_format", 5);
    set(m, "THCON_SEC0_REG2_Disable_zero_compress_cntx0", 1);
    set(m, "THCON_SEC0_REG2_Tileize_mode", 1);
    set(m, "THCON_SEC0_REG2_Shift_amount_cntx0", stride >> 4 & 15u);
    set(m, "THCON_SEC0_REG2_Shift_amount_cntx1", stride >> 8 & 15u);
    set(m, "THCON_SEC0_REG5_Tile_x_dim_cntx0", 256);
    set(m, "THCON_SEC0_REG5_Dest_cntx0_address", 64);
    set(m, "SRCA_SET_SetOvrdWithAddr", 1);
    run(m, words, 1);
    const uint64_t before = m->state.cycle;
    run(m, words + 1, 1);
    const uint64_t cycles = m->state.cycle - before;
    tx_close(m);
    return cycles;
}

/* Wormhole: 64 bytes a cycle, half of it where the distance is a multiple of 256 bytes. */
static void test_strides(void **unused)
{
    (void)unused;
    const uint64_t apart = strided(TX_WORMHOLE, 272);
    assert_int_equal(strided(TX_WORMHOLE, 256), apart + 512 / 32 - 512 / 64);
    assert_int_equal(strided(TX_WORMHOLE, 512), apart + 512 / 32 - 512 / 64);
    assert_int_equal(strided(TX_WORMHOLE, 528), apart);
    assert_int_equal(strided(TX_BLACKHOLE, 256), strided(TX_BLACKHOLE, 272));
}

/* Cycles until a PACR of sixteen BF16 data, two writes to L1, has ended. */
static uint64_t packed(enum tx_arch arch, bool adds)
{
    const uint32_t pacr = 0x41000101u;
    static const uint8_t bytes[32];
    tx_machine *m = open_one(arch);
    open_packers(m);
    set(m, "THCON_SEC0_REG1_Pack_L1_Acc", adds);
    assert_int_equal(tx_l1_write(m, 16 * 0x101, bytes, sizeof bytes), TX_OK);
    put_row(m, 0, 127);
    const uint64_t before = m->state.cycle;
    run(m, &pacr, 1);
    const uint64_t cycles = m->state.cycle - before;
    tx_close(m);
    return cycles;
}

/* Wormhole: a write that adds takes five cycles instead of one (isa L1); Blackhole: no more. */
static void test_accumulation(void **unused)
{
    (void)unused;
    assert_int_equal(packed(TX_WORMHOLE, true), packed(TX_WORMHOLE, false) + 2 * 4);
    assert_int_equal(packed(TX_BLACKHOLE, true), packed(TX_BLACKHOLE, false));
}

/*
 * Wormhole: cycles of a tile of sixteen data, two to read, before which a flush drains the packer
 * as LLK's packing does. Such a tile takes 24 to 31 cycles beside its data (spec/chip-time.md 7,
 * pack.call), up to four of them for words that are not here.
 */
static void test_flush(void **unused)
{
    (void)unused;
    const uint32_t words[] = {0x41000102u, 0x41000101u};
    enum { READ = 2, TILES = 8 };
    tx_machine *m = open_one(TX_WORMHOLE);
    open_packers(m);
    put_row(m, 0, 127);
    run(m, words, 2);
    uint32_t many[2 * TILES];
    for (unsigned i = 0; i < 2 * TILES; i++) {
        many[i] = words[i % 2];
    }
    const uint64_t before = m->state.cycle;
    run(m, many, 2 * TILES);
    const uint64_t period = (m->state.cycle - before) / TILES;
    assert_in_range(period, READ + 20, READ + 31);
    tx_close(m);
}

/*
 * Once an RSTDMA has stopped the packers, nothing of the PACRs before it is under way (E-PACK, the
 * default): machines are equal in which it came early, or when all had ended long before.
 */
static void test_stopped(void **unused)
{
    (void)unused;
    enum { WORDS = 128, EARLY = 1, LATE = 100 };
    for (int arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        uint8_t *image[2];
        size_t size = 0;
        for (unsigned way = 0; way < 2; way++) {
            tx_machine *m = open_one((enum tx_arch)arch);
            uint32_t words[WORDS];
            open_packers(m);
            put_row(m, 0, 127);
            for (unsigned i = 0; i < WORDS; i++) {
                words[i] = 0x02000000u; /* NOP */
            }
            words[0] = 0x41000101u;                       /* PACR */
            words[way == 0 ? EARLY : LATE] = 0x44000000u; /* RSTDMA */
            run(m, words, WORDS);
            tx_findings_clear(m);
            size = tx_snapshot_size(m);
            image[way] = calloc(1, size);
            assert_non_null(image[way]);
            assert_int_equal(tx_snapshot(m, image[way], size), TX_OK);
            tx_close(m);
        }
        assert_memory_equal(image[0], image[1], size);
        free(image[0]);
        free(image[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_histograms),   cmocka_unit_test(test_moved),
        cmocka_unit_test(test_not_shipped),  cmocka_unit_test(test_strides),
        cmocka_unit_test(test_accumulation), cmocka_unit_test(test_flush),
        cmocka_unit_test(test_stopped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
