/* SPDX-License-Identifier: Apache-2.0 */
/* The vectors printed in the specification, against the oracle alone. */
#include <stdio.h>
#include <stdlib.h>

#include "oracle.h"
#include "oracle_num.h"

static unsigned passed, failed;

static void check(const char *what, uint32_t got, uint32_t want)
{
    if (got == want) {
        passed++;
    } else {
        failed++;
        printf("%s: got %08x, want %08x\n", what, (unsigned)got, (unsigned)want);
    }
}

/* blackhole.md section 5 */
static const uint32_t fma_bh[][4] = {
    {0x3F800003, 0x3FC00000, 0x2B800000, 0x3FC00004},
    {0x3F800001, 0x3FC00000, 0xAB800000, 0x3FC00002},
    {0x3F800003, 0x3FC00000, 0x32800000, 0x3FC00005},
    {0x3F800003, 0x3FC00000, 0x32000000, 0x3FC00004},
    {0x7F000000, 0x40000000, 0xFF7FFFFF, 0x7F800000},
    {0x7F7FFFFF, 0x40000000, 0xFF800000, 0xFF800000},
    {0x7F800000, 0x00000001, 0x00000000, 0x7FC00000},
    {0x00800000, 0x3E800000, 0x00800000, 0x00800000},
    {0x80FFFFFF, 0x3E800000, 0x00800000, 0x00800000},
    {0x00800000, 0x3F000000, 0x00800000, 0x00C00000},
    {0x00FFFFFF, 0x3F000000, 0x00000000, 0x00800000},
    {0x80800000, 0x3F000000, 0x00000000, 0x80000000},
    {0x80800000, 0x3E800000, 0x00000000, 0x00000000},
    {0xBF800000, 0x00000000, 0x80000000, 0x80000000},
    {0x206DA908, 0x1FCA78A1, 0x80FBF75D, 0x80800000},
    {0x2028E45D, 0x1F847078, 0x80975FF3, 0x80800000},
};

/* wormhole.md section 6: x, y, z, Wormhole, Blackhole */
static const uint32_t fma_both[][5] = {
    {0x41FD18FF, 0x40368299, 0x3DB01D38, 0x42B49CEA, 0x42B49CEA},
    {0xBEE2460C, 0xBE0FEA57, 0xBD73E3EC, 0x3B284976, 0x3B284976},
    {0xC0FC91AD, 0xBEFF9FF6, 0x3E074F09, 0x408253EE, 0x408253EF},
    {0x40FF1EFE, 0x3DFCB9B4, 0x3C96CB49, 0x3F8048F6, 0x3F8048F7},
    {0x3F800000, 0x80000000, 0x80000000, 0x00000000, 0x80000000},
    {0x00800000, 0xBF000000, 0x00000000, 0x00000000, 0x80000000},
    {0x7FC00000, 0x3F800000, 0x00000000, 0x7F800001, 0x7FC00000},
    {0x7FC12345, 0x00800000, 0x00000000, 0x7FC12345, 0x7FC00000},
    {0xFFC00000, 0x3F800000, 0x00000000, 0xFF800001, 0x7FC00000},
    {0x3F800000, 0x3F800000, 0xFFC12345, 0xFF800001, 0x7FC00000},
    {0x7F800000, 0x00000000, 0x3F800000, 0x7F800001, 0x7FC00000},
    {0x7F800000, 0x3F800000, 0xFF800000, 0x7F800001, 0x7FC00000},
    {0x7F7FFFFF, 0x40000000, 0xFF800000, 0x7FFFFFFF, 0xFF800000},
    {0x7F7FFFFF, 0x40000000, 0xFF7FFFFF, 0x7F800000, 0x7F800000},
};

static void test_fma(void)
{
    size_t i;

    for (i = 0; i < sizeof fma_bh / sizeof *fma_bh; i++) {
        const uint32_t *v = fma_bh[i];

        check("fma bh", orc_fma(1, v[0], v[1], v[2]), v[3]);
    }
    for (i = 0; i < sizeof fma_both / sizeof *fma_both; i++) {
        const uint32_t *v = fma_both[i];

        check("fma wh", orc_fma(0, v[0], v[1], v[2]), v[3]);
        check("fma bh", orc_fma(1, v[0], v[1], v[2]), v[4]);
    }
    /* 2^-126 - 2^-150 is below Wormhole's threshold, 2^-126 - 2^-151 (wormhole.md 2.6) */
    check("wh flush", orc_fma(0, 0x00FFFFFF, 0x3F000000, 0), 0);
}

static void test_prng(void)
{
    uint32_t st[32];
    int i;

    check("prng step", orc_prng_step(0), 0x80000000);
    check("prng fixed point", orc_prng_step(0xFFFFFFFF), 0xFFFFFFFF);
    orc_prng_seed(0, st);
    check("seed 0 lane 31", st[31], 0x02233355);
    check("seed 0 lane 30", st[30], 0xC088CCD5);
    check("seed 0 lane 1", st[1], 0x173CC27A);
    check("seed 0 lane 0", st[0], 0xC5CF309E);
    orc_prng_seed(1, st);
    check("seed 1 lane 31", st[31], 0x044666AA);
    check("seed 1 lane 0", st[0], 0x8B9E613D);
    orc_prng_seed(0x12345678, st);
    check("seed 12345678 lane 31", st[31], 0x4E0D6479);
    check("seed 12345678 lane 0", st[0], 0x837EE01D);
    orc_prng_seed(0xFFFFFFFF, st);
    for (i = 0; i < 32; i++) {
        check("seed FFFFFFFF", st[i], 0xFFFFFFFF);
    }
}

static void test_rounding(void)
{
    static const uint32_t bf[][2] = {
        {0x3F808000, 0x3F810000}, {0x3F807FFF, 0x3F800000}, {0x7F7FFFFF, 0x7F800000},
        {0xFFC00001, 0xFF800000}, {0x80000000, 0},          {0x007FFFFF, 0},
        {0x00FFFFFF, 0x01000000},
    };
    static const uint32_t ints[][5] = {
        /* input, U8, I8, U16, I16 */
        {0x3EFFFFFF, 0, 0, 0, 0},
        {0x3F000000, 1, 1, 1, 1},
        {0xBF000000, 1, 0x80000001, 1, 0x80000001},
        {0x40200000, 3, 3, 3, 3},
        {0x42FF0000, 0x80, 0x7F, 0x80, 0x80},
        {0xC3000000, 0x80, 0x8000007F, 0x80, 0x80000080},
        {0x477FFF80, 0xFF, 0x7F, 0xFFFF, 0x7FFF},
        {0x7FC00000, 0xFF, 0x7F, 0xFFFF, 0x7FFF},
        {0xFFC00000, 0xFF, 0x8000007F, 0xFFFF, 0x80007FFF},
    };
    static const unsigned kind[4] = {2, 3, 6, 7};
    static const uint32_t casts[][2] = {
        {0x01000001, 0x4B800000}, {0x01000003, 0x4B800002}, {0x02000006, 0x4C000002},
        {0x7FFFFFFF, 0x4F000000}, {0x80000000, 0x80000000},
    };
    size_t i;
    unsigned k;
    int bh;

    for (bh = 0; bh < 2; bh++) {
        for (i = 0; i < sizeof bf / sizeof *bf; i++) {
            check("to bf16", orc_stochrnd(bh, 1, 0, 0, 0, bf[i][0]), bf[i][1]);
        }
        check("to fp16", orc_stochrnd(bh, 0, 0, 0, 0, 0x3F807FFF), 0x3F808000);
        check("stoch bf16", orc_stochrnd(bh, 1, 1, 0x7F, 0, 0x3F800000), 0x3F810000);
        check("stoch bf16", orc_stochrnd(bh, 1, 1, 0x80, 0, 0x3F800000), 0x3F800000);
        check("stoch u8", orc_stochrnd(bh, 2, 1, 0, 0, 0x3F800000), 2);
        check("stoch u8", orc_stochrnd(bh, 2, 1, 1, 0, 0x3F800000), 1);
        check("stoch u8", orc_stochrnd(bh, 2, 1, 0x3FFFFF, 0, 0x3F000000), 1);
        check("stoch u8", orc_stochrnd(bh, 2, 1, 0x400001, 0, 0x3F000000), 0);
        for (i = 0; i < sizeof ints / sizeof *ints; i++) {
            for (k = 0; k < 4; k++) {
                check("to int", orc_stochrnd(bh, kind[k], 0, 0, 0, ints[i][0]), ints[i][k + 1]);
            }
        }
        check("i8 180>>1", orc_stochrnd(bh, 5, 0, 0, 1, 0x180), 0x7F);
        check("u8 180>>1", orc_stochrnd(bh, 4, 0, 0, 1, 0x180), 0xC0);
        check("i8 80000001>>1", orc_stochrnd(bh, 5, 0, 0, 1, 0x80000001), 0x80000001);
        check("u8 80000001>>1", orc_stochrnd(bh, 4, 0, 0, 1, 0x80000001), 1);
        check("i8 80000001>>2", orc_stochrnd(bh, 5, 0, 0, 2, 0x80000001), 0);
        check("i8 7FFFFFFF>>31", orc_stochrnd(bh, 5, 0, 0, 31, 0x7FFFFFFF), 1);
        check("i8 5>>0 P=0", orc_stochrnd(bh, 5, 1, 0, 0, 5), 6);
    }
    /* toward zero fails when all fraction bits are ones */
    check("rz", orc_stochrnd(1, 2, 2, 0, 0, 0x3F7FFFFE), 1);
    check("rz", orc_stochrnd(1, 2, 2, 0, 0, 0x3F7FFFFF), 1);
    check("rz", orc_stochrnd(1, 2, 2, 0, 0, 0x3FFFFFFF), 2);
    check("rz", orc_stochrnd(1, 2, 2, 0, 0, 0x3FFFFFFE), 1);
    for (i = 0; i < sizeof casts / sizeof *casts; i++) {
        check("cast", orc_cast_sm32_fp32_rne(casts[i][0]), casts[i][1]);
    }
    check("cast stoch", orc_cast_sm32_fp32_stoch(0x01000001, 0), 0x4B800001);
    check("cast stoch", orc_cast_sm32_fp32_stoch(0x01000001, 0xFFFFFFFF), 0x4B800000);
    check("cast stoch", orc_cast_sm32_fp32_stoch(0x7FFFFFFF, 0xFFFFFFFF), 0x4EFFFFFF);
    check("cast int", orc_cast_int_sm(0xFFFFFFFF), 0x80000001);
    check("cast int", orc_cast_int_sm(0x80000001), 0xFFFFFFFF);
    check("cast int", orc_cast_int_sm(0x80000000), 0x80000000);
}

static void test_cells(void)
{
    static const uint32_t fp16[][2] = {
        {0x3F800000, 0x000F}, {0xC0490FDB, 0xC910}, {0x48000000, 0x7FFF},
        {0xFFC00000, 0xFFFF}, {0x387FFFFF, 0x0000}, {0x38800000, 0x0001},
    };
    /* C.7, in the order sign, exponent, significand; the cell holds the significand first */
    static const uint32_t plain[][2] = {
        {0x38800000, 0x0400}, {0x38400000, 0x0000}, {0x477FE000, 0x7BFF},
        {0x47800000, 0x7C00}, {0x47FFF000, 0x7FFF}, {0x7FC00000, 0x7FFF},
    };
    size_t i;
    int bh;

    for (bh = 0; bh < 2; bh++) {
        for (i = 0; i < sizeof fp16 / sizeof *fp16; i++) {
            check("store fp16", orc_dst_store(bh, 1, fp16[i][0]), fp16[i][1]);
        }
        for (i = 0; i < sizeof plain / sizeof *plain; i++) {
            uint32_t p = plain[i][1];

            check("store fp16 C.7", orc_dst_store(bh, 1, plain[i][0]),
                  (p & 0x8000) | (p & 0x3FF) << 5 | (p >> 10 & 31));
        }
        check("store bf16", orc_dst_store(bh, 2, 0x3F800000), 0x007F);
        check("store bf16", orc_dst_store(bh, 2, 0xC0490FDB), 0xC980);
        check("store bf16", orc_dst_store(bh, 2, 0xBFC00000), 0xC07F);
        check("store fp32", orc_dst_store(bh, 3, 0xC0490FDB), 0xC9800FDB);
        check("store fp32", orc_dst_store(bh, 3, 0x40490FDB), 0x49800FDB);
        check("store fp32", orc_dst_store(bh, 3, 0x80000001), 0x80000000);
        check("store int32", orc_dst_store(bh, 4, 0x80000001), 0x80000001);
        check("store int8", orc_dst_store(bh, 5, 0x80000005), 0x80B0);
        check("store int8", orc_dst_store(bh, 5, 255), 0x1FF0);
        check("load int8", orc_dst_load(bh, 5, 0x1FF0, 0, false), bh ? 255 : 127);
        check("load int32_sm", orc_dst_load(bh, 12, 0x80000000, 0, false), bh ? 0x80000000 : 0);
        check("store int32_sm", orc_dst_store(bh, 12, 0xFFFFFFFF), bh ? 0xFFFFFFFF : 0x80000001);
        check("store int32_sm", orc_dst_store(bh, 12, 0x80000000), 0x80000000);
    }
    check("loadi fp16 0", orc_loadi(1, 0, 0), 0x38000000);
    check("loadi fp16 7C00", orc_loadi(1, 0x7C00, 0), 0x47800000);
}

static void test_rows(void)
{
    static const unsigned map[][2] = {
        {0, 0},      {7, 7},     {8, 16},    {63, 119},  {255, 503},   {256, 512},
        {511, 1015}, {512, 512}, {519, 519}, {768, 512}, {1023, 1015},
    };
    static const unsigned remap[][2] = {{8, 32}, {16, 8}, {32, 16}, {48, 24}};
    static const unsigned both[][2] = {{4, 16}, {8, 64}, {16, 4}, {32, 48}, {48, 52}};
    size_t i;

    for (i = 0; i < sizeof map / sizeof *map; i++) {
        check("A32", orc_adj32(map[i][0], false, false), map[i][1]);
    }
    for (i = 0; i < sizeof remap / sizeof *remap; i++) {
        check("Adj16", orc_adj16(remap[i][0], true), remap[i][1]);
    }
    for (i = 0; i < sizeof both / sizeof *both; i++) {
        check("Adj32", orc_adj32(both[i][0], true, true), both[i][1]);
    }
    for (i = 0; i < 1024; i++) { /* blackhole.md 7.1, as printed */
        unsigned r = (unsigned)i, a, b;

        a = (r & 0x3C7) ^ ((r & 0x30) >> 1) ^ ((r & 8) << 2);
        b = (a & 0x3F3) ^ ((a & 0x18) >> 1) ^ ((a & 4) << 1);
        check("Adj16 formula", orc_adj16(r, true), a);
        check("Adj32 formula", orc_adj32(r, true, true), ((b & 0x1F8) << 1) | (b & 0x207));
    }
}

static void test_instructions(struct orc_state *s)
{
    int bh, exchange;
    unsigned lane;

    for (bh = 0; bh < 2; bh++) {
        for (exchange = 0; exchange < 2; exchange++) {
            uint32_t e = (uint32_t)exchange;

            orc_reset(s, bh);
            orc_exec(s, bh, 0x91000000u | (0x004u | e << 8) << 8 | 15u << 4 | 1u);
            orc_exec(s, bh, 0x71000000u | 4u << 20 | 2u << 16 | 0xAAAA);
            orc_exec(s, bh, 0x71000000u | 5u << 20 | 2u << 16 | 0xBBBB);
            orc_exec(s, bh, 0x71004120u);
            orc_exec(s, bh, 0x71104120u);
            orc_exec(s, bh, 0x92000000u | 1u << 8 | 1u);
            check("swap tie +", s->lreg[4][0], e != 0 ? 0xBBBB : 0xAAAA);
            orc_exec(s, bh, 0x92000000u | 1u << 8 | 9u);
            check("swap tie + mode 9", s->lreg[4][0], 0xBBBB);
            s->lreg[4][0] = 0xAAAA;
            s->lreg[5][0] = 0xBBBB;
            orc_exec(s, bh, 0x7100C120u);
            orc_exec(s, bh, 0x7110C120u);
            orc_exec(s, bh, 0x92000000u | 1u << 8 | 1u);
            check("swap tie -", s->lreg[4][0], e == 0 ? 0xBBBB : 0xAAAA);
            orc_exec(s, bh, 0x92000000u | 1u << 8 | 9u);
            check("swap tie - mode 9", s->lreg[4][0], 0xBBBB);
        }
        /* rotate under false flags, then the shift that leaks on Wormhole */
        orc_reset(s, bh);
        for (lane = 0; lane < 32; lane++) {
            s->lreg[1][lane] = 0xA00 + lane;
            s->lreg[2][lane] = 0xB00 + lane;
            s->lreg[3][lane] = 7;
        }
        orc_exec(s, bh, 0x8A000000u | 1u << 12 | 10u);
        orc_exec(s, bh, 0x94000000u | 1u << 8 | 3u << 4 | 3u);
        check("rotate masked", s->lreg[3][1], 7);
        orc_exec(s, bh, 0x8A000000u | 3u << 12 | 10u);
        orc_exec(s, bh, 0x94000000u | 2u << 8 | 3u << 4 | 4u);
        for (lane = 0; lane < 32; lane++) {
            uint32_t first = bh ? 0 : 0xA00 + lane + 7;

            check("shflshr1", s->lreg[3][lane], lane % 8 == 0 ? first : 0xB00 + lane - 1);
        }
        /* Dst row of a 32-bit store; the store of a template */
        orc_exec(s, bh, 0x72000000u | 1u << 20 | 4u << 16 | 8u);
        check("store row", s->dst[16 + 8][0], 0xA00);
        orc_exec(s, bh, 0x72C40008u);
        check("backdoor", s->template[0][31], 0x72C40008u);
        /* seeding */
        s->gpr[3] = 1;
        orc_exec(s, bh, 0xB0000000u | 3u << 16 | (bh ? 186u : 164u));
        check("seed", s->prng[31], 0x044666AA);
        check("constants", s->lreg[8][5], 0x3F56594B);
        check("half register", (orc_exec(s, bh, 0x45BEEF0B), s->gpr[5]), 0xBEEF0000);
    }
}

int main(void)
{
    struct orc_state *s = malloc(sizeof *s);

    if (s == NULL) {
        return 2;
    }
    test_fma();
    test_prng();
    test_rounding();
    test_cells();
    test_rows();
    test_instructions(s);
    free(s);
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
