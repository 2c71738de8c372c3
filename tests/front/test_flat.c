/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole rows that a packer takes from Dst to L1 in one go (src/pack/rows.c): a machine with a sink,
 * which goes through every stage, beside one without, over configurations of which most have a flat
 * way and the others miss it by one setting. The same words come again, so that what is known of
 * them is used (src/pack/setup.c), also after configuration has been written by words or by the
 * host, and several in one go (unit_pack_run) up to a limit of cycles.
 */
#include "beside.h"
#include "pack/places.h"

enum { PROGRAMS = 800, WORDS = 48, PARTS = 2, KINDS = 4 };

struct setting {
    const char *name;
    uint32_t value;
};

/* As for tiles of BF16; REG1 is the first packer's section, and Blackhole's only one. */
static const struct setting common[] = {
    {"THCON_SEC0_REG1_Disable_zero_compress", 1}, {"THCON_SEC0_REG1_L1_Dest_addr", 0x80000400u},
    {"PCK_EDGE_OFFSET_SEC0_mask", 0xFFFF},        {"PCK0_ADDR_CTRL_XY_REG_0_Ystride", 32},
    {"PCK0_ADDR_CTRL_ZW_REG_0_Zstride", 512},     {"PCK0_ADDR_CTRL_ZW_REG_0_Wstride", 2048},
    {"ADDR_MOD_PACK_SEC0_YsrcIncr", 4},           {"ADDR_MOD_PACK_SEC0_YdstIncr", 4}};

/* Each keeps the flat way from being taken, or changes what it has to do. */
static const struct setting odd[] = {{"STACC_RELU_ApplyRelu", 1},
                                     {"PCK_EDGE_OFFSET_SEC0_mask", 0x0FF0},
                                     {"THCON_SEC0_REG1_Pack_L1_Acc", 1},
                                     {"THCON_SEC0_REG1_Exp_threshold_en", 1},
                                     {"ENABLE_ACC_STATS_Enable", 1},
                                     {"PCK_DEST_RD_CTRL_Read_32b_data", 1},
                                     {"PCK_DEST_RD_CTRL_Round_10b_mant", 1},
                                     {"PCK_DEST_RD_CTRL_Read_int8", 1},
                                     {"DEST_TARGET_REG_CFG_PACK_SEC0_Offset", 1020},
                                     {"PCK0_ADDR_BASE_REG_0_Base", 2}};

/* Pairs of formats that kernels have, as In_data_format, Dstacc, Out_data_format, width of Dst. */
static const struct {
    uint8_t in, intermediate, out, wide;
} pairs[] = {{TX_FORMAT_FP32, TX_FORMAT_FP32, TX_FORMAT_FP32, 1},
             {TX_FORMAT_BF16, TX_FORMAT_BF16, TX_FORMAT_BF16, 1},
             {TX_FORMAT_FP32, TX_FORMAT_FP32, TX_FORMAT_BFP8, 1},
             {TX_FORMAT_BFP8, TX_FORMAT_BFP8, TX_FORMAT_BFP8, 1},
             {TX_FORMAT_INT32, TX_FORMAT_INT32, TX_FORMAT_INT32, 1},
             {TX_FORMAT_INT8, TX_FORMAT_INT8, TX_FORMAT_INT8, 1},
             {TX_FORMAT_BFP8, TX_FORMAT_BFP8, TX_FORMAT_BFP8, 0},
             {TX_FORMAT_BFP8, TX_FORMAT_BFP8, TX_FORMAT_BFP4, 0},
             {TX_FORMAT_BF16, TX_FORMAT_BF16, TX_FORMAT_BFP2, 0},
             {TX_FORMAT_BF16, TX_FORMAT_BF16, TX_FORMAT_FP32, 0},
             {TX_FORMAT_FP16, TX_FORMAT_FP16, TX_FORMAT_BF16, 0},
             {TX_FORMAT_INT16, TX_FORMAT_INT16, TX_FORMAT_INT16, 0}};

enum { BFP8_TILES = 6 };

/* What whole rows take with them, several at a time. */
static const struct setting often[] = {{"STACC_RELU_ApplyRelu", 1},
                                       {"STACC_RELU_ApplyRelu", 2},
                                       {"STACC_RELU_ApplyRelu", 3},
                                       {"STACC_RELU_ReluThreshold", 0x3F80},
                                       {"PCK_EDGE_OFFSET_SEC1_mask", 0x000F},
                                       {"TILE_ROW_SET_MAPPING_0_row_set_mapping_1", 1},
                                       {"TILE_ROW_SET_MAPPING_0_row_set_mapping_6", 1},
                                       {"PCK_EDGE_MODE_mode", 1},
                                       {"THCON_SEC0_REG1_Pack_L1_Acc", 1},
                                       {"THCON_SEC0_REG1_Exp_section_size", 4},
                                       {"THCON_SEC0_REG1_Exp_section_size", 64},
                                       {"DEST_ACCESS_CFG_remap_addrs", 1},
                                       {"DEST_ACCESS_CFG_swizzle_32b", 1}};

/* Fields that one of the chips does not have are left out. */
static void set(tx_machine *m, const struct setting *s)
{
    const enum tx_status status = tx_config_set(m, 2, s->name, s->value);
    assert_true(status == TX_OK || status == TX_ENOENT);
}

/* What is to come out the same beside the words. */
struct way {
    enum tx_mode mode;
    uint64_t limit;
    uint32_t watched; /* cycles before the run: somebody is asked soon */
    bool tiles;       /* of sixteen rows of BFP8, one after the other, exponents before data */
};

static bool go_on(void *user)
{
    return (*(int *)user)-- > 0;
}

static tx_machine *open_one(enum tx_arch arch, const struct way *way, int *left, uint64_t *events,
                            uint64_t from)
{
    struct tx_settings own;
    tx_machine *m;
    tx_settings_default(&own, arch);
    own.mode = way->mode;
    own.max_cycles = way->limit;
    own.watch.go_on = way->watched != 0 ? go_on : NULL;
    own.watch.user = left;
    if (events != NULL) {
        own.sink.event = count_event;
        own.sink.user = events;
    }
    assert_int_equal(tx_open(&own, &m), TX_OK);
    assert_int_equal(tx_l1_allocate(m), TX_OK);
    m->watched = way->watched;
    state = from;
    for (size_t i = 0; i < sizeof common / sizeof common[0]; i++) {
        set(m, &common[i]);
    }
    const uint32_t format = any(3) == 0 ? TX_FORMAT_FP16 : TX_FORMAT_BF16;
    const struct setting formats[] = {
        {"THCON_SEC0_REG1_In_data_format", format},
        {"THCON_SEC0_REG1_Out_data_format", any(4) == 0 ? any(16) : format},
        {"ALU_FORMAT_SPEC_REG2_Dstacc", format},
        {"PACK_COUNTERS_SEC0_pack_reads_per_xy_plane", any(3) * 8},
        {"PCK_DEST_RD_CTRL_Read_int8", any(4) == 0}};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        set(m, &formats[i]);
    }
    if (way->tiles || any(2) == 0) {
        const unsigned k = way->tiles ? BFP8_TILES : any(sizeof pairs / sizeof pairs[0]);
        set(m, &(struct setting){"THCON_SEC0_REG1_In_data_format", pairs[k].in});
        set(m, &(struct setting){"THCON_SEC0_REG1_Out_data_format", pairs[k].out});
        set(m, &(struct setting){"ALU_FORMAT_SPEC_REG2_Dstacc", pairs[k].intermediate});
        set(m, &(struct setting){"PCK_DEST_RD_CTRL_Read_32b_data", pairs[k].wide});
        set(m, &(struct setting){"PCK_DEST_RD_CTRL_Read_int8", 0});
        set(m, &(struct setting){"THCON_SEC0_REG1_Exp_section_size", way->tiles ? 4 : 0});
        for (unsigned n = any(4); n != 0; n--) {
            set(m, &often[any(sizeof often / sizeof often[0])]);
        }
        for (uint32_t at = 0; any(2) == 0 && at < 0x8000; at += 4) { /* what is added to */
            const uint32_t word = any(4) == 0 ? any(0x10000) << 16 : 0x3F803F80u;
            assert_int_equal(tx_l1_write(m, at, &word, 4), TX_OK);
        }
    }
    set(m, &(struct setting){"THCON_SEC0_REG1_Exp_threshold", 112 + any(32)});
    if (!way->tiles && any(3) == 0) {
        set(m, &odd[any(sizeof odd / sizeof odd[0])]);
    }
    const uint32_t unset = any(6) == 0 ? any(128) : TX_DST_ROWS;
    for (unsigned r = 0; r < 256; r++) {
        const uint32_t one = 1;
        uint32_t v[16];
        for (unsigned i = 0; i < 16; i++) { /* special exponents of either format among them */
            v[i] = any(0x10000) & (any(4) == 0 ? 0xFF00u : 0xFFFFu);
        }
        if (r != unset) {
            assert_int_equal(tx_write(m, TX_FILE_DST, r, v, 16), TX_OK);
            assert_int_equal(tx_write(m, TX_FILE_DST_VALID, r, &one, 1), TX_OK);
        }
    }
    return m;
}

/* SETADCXX for the packers, and SETADCXY, with which rows they start. */
static void counters(enum tx_arch arch, uint32_t words[2])
{
    const uint32_t first = any(8) == 0 ? any(4) : 0;
    const uint32_t data = arch == TX_BLACKHOLE ? 16 : 16 * (1 + any(16));
    const uint32_t end = any(8) == 0 ? any(40) : first + data - 1;
    words[0] = 0x5E000000u | 4u << 21 | (end & 0x3FFu) << 10 | first;
    words[1] =
        0x51000000u | 4u << 21 | any(8) << 9 | (any(3) == 0 ? any(64) : 4 * any(8)) << 6 | 11;
}

static uint32_t any_pacr(enum tx_arch arch)
{
    const uint32_t bits = arch == TX_BLACKHOLE ? 0x1FFFFFu : 0x1F0FFu; /* PackSel not */
    const uint32_t rare = any(20) == 0 ? 1u << any(21) & bits : 0;
    const uint32_t strided = any(6) == 0 ? 0x20000u : 0;
    const uint32_t pack =
        arch == TX_BLACKHOLE ? (any(3) == 0 ? any(16) << 8 : 0) | strided : 0x100u;
    return 0x41000000u | rare | (arch == TX_BLACKHOLE && any(40) == 0 ? 0x20100u : pack) |
           (any(4) == 0 ? 1u : 0u);
}

/* Writes what the packers go by: an ADDR_MOD_PACK, or a byte of L1_Dest_addr or of the formats. */
static uint32_t any_write(enum tx_arch arch)
{
    const struct pack_places *p = pack_places(arch);
    const uint32_t words[] = {p->section[0].dest_addr.word, p->section[0].in_format.word,
                              p->relu.word};
    if (any(2) == 0) {
        return 0xB2000000u | (uint32_t)p->y_incr[0].word << 16 | any(0x10000); /* SETC16 */
    }
    return 0xB3000000u | 1u << (16 + any(8)) | any(256) << 8 | words[any(3)]; /* RMWCIB0 */
}

static void compare(enum tx_arch arch)
{
    uint64_t events = 0;
    unsigned ended = 0;
    for (unsigned program = 0; program < PROGRAMS; program++) {
        uint32_t words[WORDS];
        uint32_t kinds[KINDS];
        const bool writes = any(3) == 0;
        const struct way way = {.mode = any(8) == 0 ? TX_MODE_STRICT : TX_MODE_SILICON,
                                .limit = any(4) == 0 ? 1 + any(WORDS) : 0,
                                .watched = any(4) == 0 ? TX_WATCH_CYCLES - 1 - any(WORDS) : 0,
                                .tiles = any(8) == 0};
        int left[2] = {(int)any(2), 0};
        left[1] = left[0];
        for (unsigned i = 0; i < KINDS; i++) {
            kinds[i] = any_pacr(arch);
        }
        counters(arch, words);
        for (unsigned i = 2; i < WORDS; i++) {
            words[i] = way.tiles               ? 0x41000000u | (i % 4 == 1 ? 1u : 0u)
                       : writes && any(8) == 0 ? any_write(arch)
                       : any(6) == 0           ? any_pacr(arch)
                                               : kinds[any(KINDS)];
        }
        const struct setting between = odd[any(sizeof odd / sizeof odd[0])];
        const bool changes = any(2) == 0;
        const uint64_t from = state;
        tx_machine *all = open_one(arch, &way, &left[0], &events, from);
        tx_machine *some = open_one(arch, &way, &left[1], NULL, from);
        for (unsigned part = 0; part < PARTS; part++) {
            const unsigned n = WORDS / PARTS;
            const enum tx_status want = tx_run(all, 2, words + n * part, n);
            assert_int_equal(tx_run(some, 2, words + n * part, n), want);
            same(all, some, program);
            for (size_t i = 0; i < EVIDENCE_COUNT; i++) {
                assert_int_equal(tx_note_count(all, i), tx_note_count(some, i));
            }
            assert_int_equal(all->watched, some->watched);
            assert_int_equal(left[0], left[1]);
            ended += want == TX_OK;
            if (changes) {
                set(all, &between);
                set(some, &between);
            }
        }
        tx_close(all);
        tx_close(some);
    }
    printf("%s: %u programs, %u parts to their end, %llu events\n", tx_arch_short(arch), PROGRAMS,
           ended, (unsigned long long)events);
    assert_true(ended > PROGRAMS / 4);
}

static void test_bh(void **unused)
{
    (void)unused;
    compare(TX_BLACKHOLE);
}

static void test_wh(void **unused)
{
    (void)unused;
    compare(TX_WORMHOLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bh), cmocka_unit_test(test_wh)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
