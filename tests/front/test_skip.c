/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cycles that are counted instead of being run (src/front/skip.c): a machine with a sink, which
 * runs all of them, beside one without, over random programs of three threads that unpack, compute,
 * pack and wait for each other. State, L1, counters, findings and the way it ends are the same.
 */
#include "beside.h"

enum { PROGRAMS = 400, WORDS = 48, LIMIT = 3000 };

static uint32_t any_word(enum tx_arch arch)
{
    const uint32_t bits = any(0xFFFFFFFFu);
    switch (any(16)) {
    case 0:
    case 1:
        return 0x42000081u | (bits & 1u) << 23 | (bits & 0x40u); /* UNPACR, SrcA or SrcB */
    case 2:
        return 0x43000000u | (bits & 0x800000u) | (arch == TX_BLACKHOLE ? 0x101u : 7u); /* _NOP */
    case 3:
    case 4:
        return 0x41000000u | (bits & 0x18F01u); /* PACR */
    case 5:
        return 0xA2000000u | (1u << any(9)) << 15 | 1u << any(12); /* STALLWAIT */
    case 6: /* SEMWAIT for semaphore 0 to be above 0, or below its maximum */
        return any(3) == 0 ? 0xA6000000u | (1u << any(9)) << 15 | 4u | (1u + any(2)) : 0x02000000u;
    case 7:
        return 0xA4000000u | 4u; /* SEMPOST */
    case 8:
        return any(3) == 0 ? 0xA5000000u | 4u : 0xA4000000u | 4u; /* SEMGET */
    case 9:
        return 0x26000000u | (bits & 0xC00038u); /* MVMUL */
    case 10:
        return 0x37000000u | (bits & 0xC00000u) | 3u; /* SETRWC */
    case 11:
        return 0x12000000u | 2u << 12 | (bits & 0x38u); /* MOVA2D, eight rows */
    case 12:
        return (bits & 1u) != 0 ? 0x70003000u | (bits & 0x3Cu) : 0x72003000u | (bits & 0x3Cu);
    case 13:
        return 0x84000000u | (bits & 0x3330u); /* SFPMAD */
    case 14:
        return 0x58000000u | (bits & 0x3FFFu); /* ADDDMAREG */
    default:
        return 0x02000000u; /* NOP */
    }
}

/* Formats and strides as for BF16 tiles, so that most of the words mean something. */
static tx_machine *open_one(enum tx_arch arch, uint64_t *events)
{
    static const struct {
        const char *name;
        uint32_t value;
    } settings[] = {{"THCON_SEC0_REG0_TileDescriptor", 0x15},
                    {"THCON_SEC1_REG0_TileDescriptor", 0x15},
                    {"THCON_SEC0_REG2_Out_data_format", 5},
                    {"THCON_SEC1_REG2_Out_data_format", 5},
                    {"THCON_SEC0_REG2_Disable_zero_compress_cntx0", 1},
                    {"THCON_SEC1_REG2_Disable_zero_compress_cntx0", 1},
                    {"THCON_SEC0_REG5_Tile_x_dim_cntx0", 256},
                    {"THCON_SEC0_REG5_Dest_cntx0_address", 64},
                    {"SRCA_SET_SetOvrdWithAddr", 1},
                    {"THCON_SEC0_REG1_Disable_zero_compress", 1},
                    {"THCON_SEC0_REG1_In_data_format", 5},
                    {"THCON_SEC0_REG1_Out_data_format", 5},
                    {"ALU_FORMAT_SPEC_REG2_Dstacc", 5},
                    {"ALU_FORMAT_SPEC_REG0_SrcA", 5},
                    {"ALU_FORMAT_SPEC_REG1_SrcB", 5},
                    {"PCK_EDGE_OFFSET_SEC0_mask", 0xFFFF},
                    {"THCON_SEC0_REG1_L1_Dest_addr", 0x200}};
    struct tx_settings own;
    tx_machine *m;
    tx_settings_default(&own, arch);
    if (events != NULL) {
        own.sink.event = count_event;
        own.sink.user = events;
    }
    assert_int_equal(tx_open(&own, &m), TX_OK);
    assert_int_equal(tx_l1_allocate(m), TX_OK);
    for (unsigned t = 0; t < TX_THREADS; t++) {
        for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
            assert_int_equal(tx_config_set(m, t, settings[i].name, settings[i].value), TX_OK);
        }
    }
    return m;
}

/* X and Y of the counters: how much is unpacked and packed. */
static void start(tx_machine *m, enum tx_arch arch, uint32_t seed)
{
    const uint32_t semaphore[2] = {seed & 1u, 2};
    static uint8_t bytes[8192];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)(i * 37 + seed);
    }
    assert_int_equal(tx_l1_write(m, 0, bytes, sizeof bytes), TX_OK);
    assert_int_equal(tx_write(m, TX_FILE_SEMAPHORE, 0, semaphore, 2), TX_OK);
    assert_int_equal(tx_config_set(m, 0, "THCON_SEC0_REG2_Throttle_mode", seed >> 1 & 3u), TX_OK);
    assert_int_equal(tx_config_set(m, 0, "THCON_SEC1_REG2_Throttle_mode", seed >> 3 & 3u), TX_OK);
    const uint32_t end = 16u * (1u + (seed >> 5 & 31u)) - 1;
    const uint32_t words[2] = {0x5E000000u | 3u << 21 | end << 10,
                               0x5E000000u | 4u << 21 | 15u << 10};
    for (unsigned t = 0; t < TX_THREADS; t++) {
        assert_int_equal(tx_run(m, t, words, 2), TX_OK);
    }
    (void)arch;
}

static uint64_t cycle_of(const tx_machine *m)
{
    return tx_machine_counters(m).cycles;
}

/* Three threads through queues, or one thread's words given directly. */
static enum tx_status run(tx_machine *m, const struct tx_stream streams[TX_THREADS], bool threads)
{
    return threads ? tx_run_threads(m, streams, LIMIT)
                   : tx_run(m, 0, streams[0].words, streams[0].count);
}

static void compare(enum tx_arch arch)
{
    uint64_t events = 0;
    uint64_t cycles = 0;
    unsigned ended = 0;
    for (unsigned program = 0; program < PROGRAMS; program++) {
        static uint32_t words[TX_THREADS][WORDS];
        struct tx_stream streams[TX_THREADS];
        tx_machine *all = open_one(arch, &events);
        tx_machine *some = open_one(arch, NULL);
        for (unsigned t = 0; t < TX_THREADS; t++) {
            const unsigned count = 1 + any(WORDS);
            for (unsigned i = 0; i < count; i++) {
                words[t][i] = any_word(arch);
            }
            streams[t] = (struct tx_stream){words[t], any(4) == 0 ? 0 : count};
        }
        const uint32_t seed = any(1u << 20);
        start(all, arch, seed);
        start(some, arch, seed);
        const bool threads = any(3) != 0;
        const enum tx_status want = run(all, streams, threads);
        assert_int_equal(run(some, streams, threads), want);
        same(all, some, program);
        cycles += cycle_of(all);
        ended += want == TX_OK;
        tx_close(all);
        tx_close(some);
    }
    printf("%s: %u programs, %u of them to their end, %llu cycles, %llu events\n",
           tx_arch_short(arch), PROGRAMS, ended, (unsigned long long)cycles,
           (unsigned long long)events);
    assert_true(ended > PROGRAMS / 20);
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
