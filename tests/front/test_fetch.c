/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words of the unpackers without what a cycle asks again (src/front/fetch.c): a machine with a
 * sink, which goes through every cycle, beside one without, over random programs of one thread,
 * most of whose words are the unpackers', in the two modes, with limits and watches. And what units
 * keep of configuration (machine_reconfigured) is forgotten by whatever way that is written.
 */
#include "beside.h"
#include "pack/places.h"
#include "unpack/places.h"

enum { PROGRAMS = 400, WORDS = 48, PARTS = 2 };

static uint32_t any_word(enum tx_arch arch, const uint32_t kinds[4])
{
    const uint32_t bits = any(0xFFFFFFFFu);
    switch (any(14)) {
    case 0:
        return 0x42000081u | (bits & 0x80FF40u); /* UNPACR, other counts and a bank given or not */
    case 1:
        return 0x43000000u | (bits & 0x800000u) | (arch == TX_BLACKHOLE ? 0x101u : 7u); /* _NOP */
    case 2:
        return 0x57000000u | (bits & 3u); /* SETDVALID, or nothing of it */
    case 3:                               /* RMWCIB0 of words that unpackers read */
        return 0xB3000000u | 1u << (16 + any(8)) | (bits & 0xFF00u) |
               unpack_places(arch, 0)->base[0].word;
    case 4:
        return any(2) == 0 ? 0x02000000u : 0x36000000u | (bits & 3u); /* NOP, CLEARDVALID */
    case 5:
        return any(2) == 0 ? 0x42000000u | (bits & 0xFFFFFFu) : 0x37000003u;
    default:
        return kinds[any(4)];
    }
}

static bool go_on(void *user)
{
    return (*(int *)user)-- > 0;
}

struct way {
    enum tx_mode mode;
    uint64_t limit;
    uint32_t watched;
};

static void set(tx_machine *m, const char *name, uint32_t value)
{
    const enum tx_status status = tx_config_set(m, 0, name, value);
    assert_true(status == TX_OK || status == TX_ENOENT);
}

static tx_machine *open_one(enum tx_arch arch, const struct way *way, int *left, uint64_t *events,
                            uint32_t seed)
{
    static uint8_t bytes[16384];
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
    for (unsigned u = 0; u < 2; u++) {
        char name[64];
#define SET(field, value)                                 \
    snprintf(name, sizeof name, "THCON_SEC%u_" field, u); \
    set(m, name, value)
        SET("REG0_TileDescriptor", 0x15);
        SET("REG2_Out_data_format", 5);
        SET("REG2_Disable_zero_compress_cntx0", 1);
        SET("REG2_Throttle_mode", seed >> (2 * u) & 3u);
#undef SET
    }
    set(m, "THCON_SEC0_REG5_Tile_x_dim_cntx0", 256);
    set(m, "THCON_SEC0_REG5_Dest_cntx0_address", 64);
    set(m, "THCON_SEC0_REG2_Unpack_If_Sel_Cntx0", (seed >> 12 & 7u) == 0);
    set(m, "SRCA_SET_SetOvrdWithAddr", seed >> 8 & 1u);
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)(i * 37 + seed);
    }
    assert_int_equal(tx_l1_write(m, 0, bytes, sizeof bytes), TX_OK);
    const uint32_t end = 16u * (1u + (seed >> 16 & 31u)) - 1;
    const uint32_t words[] = {0x5E000000u | 3u << 21 | end << 10};
    m->settings.max_cycles = 0;
    assert_int_equal(tx_run(m, 0, words, 1), TX_OK);
    m->settings.max_cycles = way->limit;
    return m;
}

static void compare(enum tx_arch arch)
{
    uint64_t events = 0;
    uint64_t instructions = 0;
    unsigned ended = 0;
    for (unsigned program = 0; program < PROGRAMS; program++) {
        uint32_t words[WORDS];
        uint32_t kinds[4];
        const struct way way = {.mode = any(8) == 0 ? TX_MODE_STRICT : TX_MODE_SILICON,
                                .limit = any(4) == 0 ? 1 + any(8 * WORDS) : 0,
                                .watched = any(4) == 0 ? TX_WATCH_CYCLES - 1 - any(8 * WORDS) : 0};
        int left[2] = {(int)any(2), 0};
        left[1] = left[0];
        for (unsigned i = 0; i < 4; i++) {
            kinds[i] = 0x42000081u | any(2) << 23 | (any(12) == 0 ? 0x40u : 0) |
                       (any(3) == 0 ? any(256) << 15 : 0);
        }
        for (unsigned i = 0; i < WORDS; i++) {
            words[i] = any_word(arch, kinds);
        }
        const uint32_t seed = any(0xFFFFFFFFu);
        tx_machine *all = open_one(arch, &way, &left[0], &events, seed);
        tx_machine *some = open_one(arch, &way, &left[1], NULL, seed);
        for (unsigned part = 0; part < PARTS; part++) {
            const unsigned n = WORDS / PARTS;
            const enum tx_status want = tx_run(all, 0, words + n * part, n);
            assert_int_equal(tx_run(some, 0, words + n * part, n), want);
            same(all, some, program);
            for (size_t i = 0; i < EVIDENCE_COUNT; i++) {
                assert_int_equal(tx_note_count(all, i), tx_note_count(some, i));
            }
            assert_int_equal(all->watched, some->watched);
            assert_int_equal(left[0], left[1]);
            ended += want == TX_OK;
        }
        instructions += tx_machine_counters(all).instructions;
        tx_close(all);
        tx_close(some);
    }
    printf("%s: %u programs, %u parts to their end, %llu instructions, %llu events\n",
           tx_arch_short(arch), PROGRAMS, ended, (unsigned long long)instructions,
           (unsigned long long)events);
    assert_true(ended > PROGRAMS / 8);
    assert_true(instructions > 8 * PROGRAMS);
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

/* ---- every way to write configuration ---- */

enum { OLD = 0x100, NEW = 0x180 }; /* L1_Dest_addr; the tile header is sixteen bytes more */
enum route { BY_NAME, BY_FILE, BY_RMWCIB, BY_WRCFG, BY_RESTORE, BY_RESET_AND_RESTORE, ROUTES };

static void change(tx_machine *m, enum route route, const void *other, size_t size)
{
    const uint32_t word = pack_places(m->arch)->section[0].dest_addr.word;
    const uint32_t value = NEW;
    const uint32_t rmw = 0xB3000000u | 0xFFu << 16 | (uint32_t)(NEW & 0xFF) << 8 | word;
    const uint32_t wrcfg = 0xB0000000u | 5u << 16 | word;
    switch (route) {
    case BY_NAME:
        set(m, "THCON_SEC0_REG1_L1_Dest_addr", NEW);
        break;
    case BY_FILE:
        assert_int_equal(tx_write(m, TX_FILE_CONFIG, word, &value, 1), TX_OK);
        break;
    case BY_RMWCIB:
        assert_int_equal(tx_run(m, 0, &rmw, 1), TX_OK);
        break;
    case BY_WRCFG:
        assert_int_equal(tx_write(m, TX_FILE_GPR, 5, &value, 1), TX_OK);
        assert_int_equal(tx_run(m, 0, &wrcfg, 1), TX_OK);
        break;
    case BY_RESET_AND_RESTORE:
        tx_reset(m);
        /* fall through */
    default:
        assert_int_equal(tx_restore(m, other, size), TX_OK);
        break;
    }
}

/* A PACR with Flush closes its stream, so that the next one takes its address anew. */
static void pack_row(tx_machine *m)
{
    const uint32_t words[] = {0x41000000u | 0x100u | 1u, 0x41000000u | 0x100u | 1u,
                              0x41000000u | 0x100u | 1u, 0x02000000u};
    assert_int_equal(tx_run(m, 0, words, 4), TX_OK);
}

static void test_written(void **unused)
{
    static const enum tx_arch archs[] = {TX_BLACKHOLE, TX_WORMHOLE};
    (void)unused;
    for (unsigned a = 0; a < 2; a++) {
        for (unsigned route = 0; route < ROUTES; route++) {
            const struct way way = {.mode = TX_MODE_SILICON};
            const uint32_t one = 1;
            const uint32_t x = 0x5E000000u | 4u << 21 | 15u << 10;
            uint32_t cells[16];
            uint8_t got[2][32];
            tx_machine *m = open_one(archs[a], &way, NULL, NULL, 0);
            const size_t size = tx_snapshot_size(NULL);
            uint8_t *other = malloc(size);
            assert_non_null(other);
            for (unsigned i = 0; i < 16; i++) {
                cells[i] = i << 8 | 127u;
            }
            assert_int_equal(tx_write(m, TX_FILE_DST, 0, cells, 16), TX_OK);
            assert_int_equal(tx_write(m, TX_FILE_DST_VALID, 0, &one, 1), TX_OK);
            set(m, "THCON_SEC0_REG1_Disable_zero_compress", 1);
            set(m, "THCON_SEC0_REG1_In_data_format", 5);
            set(m, "THCON_SEC0_REG1_Out_data_format", 5);
            set(m, "ALU_FORMAT_SPEC_REG2_Dstacc", 5);
            set(m, "PCK_EDGE_OFFSET_SEC0_mask", 0xFFFF);
            set(m, "PACK_COUNTERS_SEC0_pack_reads_per_xy_plane", 16);
            assert_int_equal(tx_run(m, 0, &x, 1), TX_OK);
            set(m, "THCON_SEC0_REG1_L1_Dest_addr", NEW);
            assert_int_equal(tx_snapshot(m, other, size), TX_OK);
            set(m, "THCON_SEC0_REG1_L1_Dest_addr", OLD);
            pack_row(m);
            pack_row(m);
            assert_int_equal(tx_l1_write(m, 16 * (OLD + 1), (uint8_t[32]){0}, 32), TX_OK);
            assert_int_equal(tx_l1_write(m, 16 * (NEW + 1), (uint8_t[32]){0}, 32), TX_OK);
            change(m, (enum route)route, other, size);
            pack_row(m);
            assert_int_equal(tx_l1_read(m, 16 * (OLD + 1), got[0], 32), TX_OK);
            assert_int_equal(tx_l1_read(m, 16 * (NEW + 1), got[1], 32), TX_OK);
            for (unsigned i = 0; i < 16; i++) { /* BF16: 1 + i / 128 */
                assert_int_equal(got[0][2 * i] | got[0][2 * i + 1], 0);
                assert_int_equal(got[1][2 * i] | got[1][2 * i + 1] << 8, 0x3F80u + i);
            }
            free(other);
            tx_close(m);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bh), cmocka_unit_test(test_wh),
                                       cmocka_unit_test(test_written)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
