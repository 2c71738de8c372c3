/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPLOADMACRO: kernels of examples/kernels/macro against the published schedules, cycle by cycle
 * (macro_golden.txt), and against plain programs of the same function (macro_plain.txt); pauses in
 * the issue; snapshots. Expected: spec/timing.md b.3 and b.5.
 */
#include "macro_kernel.h"

/* ---- pauses in the issue ---- */

static const struct golden *find(const char *name)
{
    for (size_t i = 0; i < kernel_count; i++) {
        if (strcmp(kernels[i].name, name) == 0) {
            return &kernels[i];
        }
    }
    fail_msg("%s is not in macro_golden.txt", name);
    return NULL;
}

/* A kernel that is replayed can only pause between replays: every so many words. */
static void with_pauses(const char *name, enum tx_arch arch, unsigned every, unsigned seed)
{
    const struct golden *g = find(name);
    struct bench a;
    struct bench b;
    uint32_t gaps[512] = {0};
    open_kernel(&a, g, arch);
    open_kernel(&b, g, arch);
    const size_t count = tx_program_count(b.program, TX_SECTION_TILE);
    for (size_t i = 1; i < count; i++) {
        const uint32_t x = seed == 0 ? 1 : random32();
        gaps[i] = (x & 3u) == 1 && i % every == 0 ? 1 + (x >> 2 & 7u) : 0;
    }
    unsigned row;
    fill(a.machine, g, DENSE_TILES + seed);
    fill(b.machine, g, DENSE_TILES + seed);
    run_words(&a, NULL, name);
    run_words(&b, gaps, name);
    if (dst_differs(a.machine, b.machine, &row) != 0) {
        fail_msg("%s on %s: pauses change row %u", name, tx_arch_name(arch), row);
    }
    bench_close(&a);
    bench_close(&b);
}

/* b.5 8: these stay right with bubbles between issues. */
static void test_pauses(void **state)
{
    static const struct {
        const char *name;
        unsigned every;
    } names[] = {{"exp_clamped", 1}, {"signbit_fp32", 1}, {"signbit_i32", 1}, {"max_fp32", 1},
                 {"max_scalar", 1},  {"max_i32", 10},     {"u16_to_u32", 1},  {"recip_fp32", 1}};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        for (int arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
            for (unsigned seed = 0; on_chip(find(names[i].name), (enum tx_arch)arch) && seed < 8;
                 seed++) {
                with_pauses(names[i].name, (enum tx_arch)arch, names[i].every, seed);
            }
        }
    }
}

/*
 * b.5 11: a pause behind the first SFPNOP of the tail. Through L16 the approximation of row N - 1
 * is replaced by the result of row N - 2, which then gets multiplied; other rows are right. Through
 * z every pause is harmless.
 */
static void test_reciprocal_pause(void **state)
{
    (void)state;
    for (unsigned form = 0; form < 2; form++) {
        const struct golden *g = find(form == 0 ? "recip_fp32_l16" : "recip_fp32");
        for (uint32_t gap = 0; gap < 5; gap++) {
            struct bench a;
            struct bench b;
            uint32_t gaps[512] = {0};
            uint32_t right[TILE];
            uint32_t got[TILE];
            unsigned wrong = 0;
            open_kernel(&a, g, TX_BLACKHOLE);
            open_kernel(&b, g, TX_BLACKHOLE);
            assert_int_equal(tx_program_words(b.program, TX_SECTION_TILE)[160], 0x8F000000u);
            gaps[161] = gap;
            fill(a.machine, g, DENSE_TILES);
            fill(b.machine, g, DENSE_TILES);
            run_words(&a, NULL, g->name);
            run_words(&b, gaps, g->name);
            assert_int_equal(tx_dst_store_tile(a.machine, 0, TX_DST_FORMAT_FP32, right), TX_OK);
            assert_int_equal(tx_dst_store_tile(b.machine, 0, TX_DST_FORMAT_FP32, got), TX_OK);
            for (unsigned row = 0; row < 32; row++) {
                for (unsigned lane = 0; lane < 32; lane++) {
                    const struct tx_dst_place at = tx_dst_place(2 * row, lane);
                    const unsigned e = tx_tile_element(at.row, at.column);
                    if (right[e] != got[e]) {
                        const struct tx_dst_place before = tx_dst_place(2 * 30, lane);
                        assert_int_equal(row, 31);
                        /* 30's result times 1 + e + e^2 + e^3 of row 31: about the same. */
                        const uint32_t old = right[tx_tile_element(before.row, before.column)];
                        const int32_t exponents =
                            (int32_t)(got[e] >> 23 & 255u) - (int32_t)(old >> 23 & 255u);
                        assert_in_range((uint64_t)(exponents + 1), 0, 2);
                        assert_int_equal(got[e] >> 31, old >> 31);
                        wrong++;
                    }
                }
            }
            assert_int_equal(wrong != 0, form == 0 && gap != 0);
            if (wrong != 0) {
                assert_true(wrong > 24);
            }
            bench_close(&a);
            bench_close(&b);
        }
    }
}

/* Every cycle of a kernel: a copy of the machine goes on from a snapshot and ends the same. */
static void test_snapshot(void **state)
{
    (void)state;
    for (size_t k = 0; k < kernel_count; k++) {
        const struct golden *g = &kernels[k];
        const enum tx_arch arch = on_chip(g, TX_BLACKHOLE) ? TX_BLACKHOLE : TX_WORMHOLE;
        struct bench a;
        struct bench b;
        unsigned char *buffer = malloc(tx_snapshot_size(NULL));
        unsigned row;
        assert_non_null(buffer);
        open_kernel(&a, g, arch);
        open_kernel(&b, g, arch);
        const uint32_t *words = tx_program_words(a.program, TX_SECTION_TILE);
        const size_t count = tx_program_count(a.program, TX_SECTION_TILE);
        fill(a.machine, g, DENSE_TILES);
        bool accepted;
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(tx_cycle(a.machine, 1, &words[i], &accepted), TX_OK);
            assert_true(accepted);
            if (i % 13 == 5) { /* an eye on a machine that starts in the middle */
                assert_int_equal(tx_snapshot(a.machine, buffer, tx_snapshot_size(NULL)), TX_OK);
                assert_int_equal(tx_restore(b.machine, buffer, tx_snapshot_size(NULL)), TX_OK);
                assert_int_equal(tx_restore(a.machine, buffer, tx_snapshot_size(NULL)), TX_OK);
            } else if (i > 5) {
                assert_int_equal(tx_cycle(b.machine, 1, &words[i], &accepted), TX_OK);
            }
        }
        assert_int_equal(tx_run(a.machine, 1, NULL, 0), TX_OK);
        assert_int_equal(tx_run(b.machine, 1, NULL, 0), TX_OK);
        assert_int_equal(dst_differs(a.machine, b.machine, &row), 0);
        bench_close(&b);
        open_kernel(&b, g, arch);
        fill(b.machine, g, DENSE_TILES);
        run_words(&b, NULL, g->name);
        assert_int_equal(dst_differs(a.machine, b.machine, &row), 0);
        bench_close(&a);
        bench_close(&b);
        free(buffer);
    }
}

/* No kernel leaves anything behind: eight more SFPNOP run nothing. */
static void test_nothing_left(void **state)
{
    (void)state;
    for (size_t k = 0; k < kernel_count; k++) {
        const enum tx_arch arch = on_chip(&kernels[k], TX_BLACKHOLE) ? TX_BLACKHOLE : TX_WORMHOLE;
        static const uint32_t nops[8] = {0x8F000000u, 0x8F000000u, 0x8F000000u, 0x8F000000u,
                                         0x8F000000u, 0x8F000000u, 0x8F000000u, 0x8F000000u};
        struct bench b;
        open_kernel(&b, &kernels[k], arch);
        fill(b.machine, &kernels[k], 0);
        run_words(&b, NULL, kernels[k].name);
        b.log->count = 0;
        assert_int_equal(tx_run(b.machine, 1, nops, 8), TX_OK);
        assert_int_equal(b.log->count, 8);
        bench_close(&b);
    }
}

/* test_macro_kernels [RANDOM_TILES] */
int main(int argc, char **argv)
{
    random_tiles = argc == 2 ? (unsigned)strtoul(argv[1], NULL, 10) : random_tiles;
    static const struct CMUnitTest rules[] = {
        cmocka_unit_test(test_pauses),
        cmocka_unit_test(test_reciprocal_pause),
        cmocka_unit_test(test_snapshot),
        cmocka_unit_test(test_nothing_left),
    };
    struct CMUnitTest all[128];
    size_t count = 0;
    parse_golden(kernels, &kernel_count, sizeof kernels / sizeof kernels[0]);
    for (size_t i = 0; i < kernel_count; i++) {
        const struct CMUnitTest test = {kernels[i].name, kernel_test, NULL, NULL, &kernels[i]};
        all[count++] = test;
    }
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        all[count++] = rules[i];
    }
    coverage_open("macro_kernels");
    const int failed = _cmocka_run_group_tests("macro_kernels", all, count, NULL, NULL);
    return !coverage_close() || failed != 0;
}
