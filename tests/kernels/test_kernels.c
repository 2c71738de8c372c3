/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every file of examples/kernels: it assembles for the chips it names, runs in strict mode without
 * a finding, takes the cycles that it states, and is as accurate as it states, over all finite
 * BF16 values and 100,352 FP32 ones. What the others mean is restated here in plain C.
 * TX_KERNELS_REPORT=1 prints what was measured.
 */
#include <tensix/tensix.h>

#include "kernels/models.h"
#include "source_text.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ONE_ = 0x3F800000 };
enum { TILE = TX_TILE_ELEMENTS, SEED = 20240817, BF16_TILES = 64, FP32_TILES = 98 };
enum { BH = 1 << TX_BLACKHOLE, WH = 1 << TX_WORMHOLE, BOTH = BH | WH };

struct kernel;
struct bench {
    const struct kernel *kernel;
    enum tx_arch arch;
    struct tx_program *program;
    tx_kernel *run;
};
typedef void check_body(struct bench *b);

struct special {
    uint32_t x, y;
};

struct kernel {
    const char *file;
    unsigned chips, cycles;
    check_body *check;
    /* for functions of one number: */
    double (*f)(double);
    double limit; /* ULP of FP32, or absolute, or relative */
    enum { ULP, ABSOLUTE, RELATIVE } measure;
    double low, high;           /* inputs outside are left out (infinite: none) */
    double dense;               /* half of the FP32 inputs come from -dense .. dense */
    struct special special[12]; /* to {0, 0}; any NaN equals any NaN */
};

static uint32_t random32(void)
{
    static uint64_t state = 0x853C49E6748FEA9Bu;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state ^ state >> 22) >> (22 + (state >> 61)));
}

/* ---- running ---- */

/* The head of the file and the table of the examples state the cycles that are measured here. */
static void check_statements(const struct kernel *k, const char *text)
{
    char wanted[80];
    snprintf(wanted, sizeof wanted, " %u per tile", k->cycles);
    if (strstr(text, wanted) == NULL) {
        fail_msg("%s does not say '%s'", k->file, wanted);
    }
    char *table = source_text("examples/README.md", NULL);
    snprintf(wanted, sizeof wanted, "| `%s` |", k->file);
    char *row = strstr(table, wanted);
    assert_non_null(row);
    row[strcspn(row, "\n")] = '\0';
    snprintf(wanted, sizeof wanted, "| %u | %.4g |", k->cycles, k->cycles / 32.0);
    if (strstr(row, wanted) == NULL) {
        fail_msg("README.md does not say '%s' of %s", wanted, k->file);
    }
    free(table);
}

static void bench_open(struct bench *b, enum tx_dst_format dst)
{
    size_t length;
    char path[64];
    snprintf(path, sizeof path, "examples/kernels/%s", b->kernel->file);
    char *text = source_text(path, &length);
    check_statements(b->kernel, text);
    const struct tx_asm_options how = {.arch = b->arch};
    struct tx_diag diag;
    if (tx_assemble(text, length, &how, &b->program, &diag) != TX_OK) {
        fail_msg("%s:%u:%u: %s", b->kernel->file, diag.line, diag.column, diag.message);
    }
    free(text);
    assert_int_equal(tx_program_arch(b->program), b->arch);
    assert_true(tx_program_title(b->program)[0] != '\0');
    struct tx_settings settings;
    struct tx_kernel_options options;
    tx_settings_default(&settings, b->arch);
    settings.mode = TX_MODE_STRICT;
    tx_kernel_options_default(&options);
    options.seed = SEED;
    options.dst = dst;
    assert_int_equal(tx_kernel_open(&settings, b->program, &options, &b->run), TX_OK);
    assert_int_equal(tx_kernel_start(b->run), TX_OK);
}

static void bench_close(struct bench *b)
{
    tx_kernel_close(b->run);
    tx_program_free(b->program);
}

/* One tile; strict mode stops at any finding. */
static void run_tile(struct bench *b, uint64_t tile, const uint32_t *const *inputs, uint32_t *out)
{
    tx_machine *m = tx_kernel_machine(b->run);
    const uint64_t before = tx_machine_counters(m).cycles;
    if (tx_kernel_tile(b->run, tile, inputs, out) != TX_OK) {
        const struct tx_finding *fault = tx_fault(m);
        fail_msg("%s: %s", b->kernel->file, fault != NULL ? fault->message : "not run");
    }
    assert_int_equal(tx_finding_count(m), 0);
    const uint64_t cycles = tx_machine_counters(m).cycles - before;
    if (cycles != b->kernel->cycles) {
        fail_msg("%s on %s takes %u cycles, not %u", b->kernel->file, tx_arch_name(b->arch),
                 (unsigned)cycles, b->kernel->cycles);
    }
}

static void run_one(struct bench *b, uint64_t tile, const uint32_t in[TILE], uint32_t out[TILE])
{
    run_tile(b, tile, (const uint32_t *const[]){in}, out);
}

/* ---- functions of one number ---- */

struct worst {
    double error;
    uint32_t x, y;
};

static double ulp_error(double y, double exact)
{
    int exponent;
    frexp(exact, &exponent);
    exponent = exponent - 1 < -126 ? -126 : exponent - 1;
    if (fabs(exact) >= 0x1p128 - 0x1p103) {
        exact = copysign(0x1p128, exact);
        exponent = 127;
    }
    if (isinf(y)) {
        y = copysign(0x1p128, y);
    }
    return ldexp(fabs(y - exact), 23 - exponent);
}

static void compare(const struct kernel *k, uint32_t x_bits, uint32_t y_bits, struct worst *worst)
{
    const double x = number(flushed(x_bits));
    const double y = number(y_bits);
    if ((x_bits & 0x7F800000u) == 0x7F800000u || x < k->low || x > k->high) {
        return;
    }
    const double exact = k->f(x);
    double error;
    if (isnan(exact) || isnan(y)) {
        error = isnan(exact) && isnan(y) ? 0 : INFINITY;
    } else if (isinf(exact)) {
        error = exact == y ? 0 : INFINITY;
    } else if (fabs(exact) < 0x1p-126 * (1 + (k->measure == ULP ? 0x1p-21 : k->limit))) {
        error = fabs(y) < 0x1p-126 * 1.01 ? 0 : INFINITY; /* about to be flushed */
    } else if (k->measure == ULP) {
        error = ulp_error(y, exact);
    } else {
        error = fabs(y - exact) / (k->measure == RELATIVE ? fabs(exact) : 1);
    }
    if (error > worst->error) {
        *worst = (struct worst){error, x_bits, y_bits};
    }
}

static void judge(const struct bench *b, const char *domain, const struct worst *worst)
{
    if (getenv("TX_KERNELS_REPORT") != NULL) {
        printf("%-28s %-12s %-5s %-11.4g at %08x -> %08x\n", b->kernel->file, tx_arch_name(b->arch),
               domain, worst->error, worst->x, worst->y);
    }
    if (!(worst->error <= b->kernel->limit)) {
        fail_msg("%s on %s, %s: error %g at %08x -> %08x", b->kernel->file, tx_arch_name(b->arch),
                 domain, worst->error, worst->x, worst->y);
    }
}

static void check_specials(struct bench *b)
{
    const struct special *s = b->kernel->special;
    uint32_t in[TILE] = {0}, out[TILE];
    size_t count = 0;
    while (s[count].x != 0 || s[count].y != 0) {
        in[count] = s[count].x;
        count++;
    }
    run_one(b, 0, in, out);
    for (size_t i = 0; i < count; i++) {
        if (is_nan(s[i].y) ? !is_nan(out[i]) : out[i] != s[i].y) {
            fail_msg("%s on %s: %08x -> %08x, not %08x", b->kernel->file, tx_arch_name(b->arch),
                     in[i], out[i], s[i].y);
        }
    }
}

static void check_function(struct bench *b)
{
    const struct kernel *k = b->kernel;
    struct bench narrow = *b; /* BF16 in Dst: the store cuts the same result off */
    bench_open(&narrow, TX_DST_FORMAT_BF16);
    uint32_t in[TILE], out[TILE], cut[TILE];
    struct worst worst = {0, 0, 0};
    for (unsigned tile = 0; tile < BF16_TILES; tile++) {
        for (unsigned i = 0; i < TILE; i++) {
            in[i] = (tile * TILE + i) << 16;
        }
        run_one(b, tile, in, out);
        run_one(&narrow, tile, in, cut);
        for (unsigned i = 0; i < TILE; i++) {
            compare(k, in[i], out[i], &worst);
            assert_true(is_nan(in[i]) || cut[i] == (out[i] & 0xFFFF0000u));
        }
    }
    bench_close(&narrow);
    judge(b, "bf16", &worst);
    worst = (struct worst){0, 0, 0};
    for (unsigned tile = 0; tile < FP32_TILES; tile++) {
        for (unsigned i = 0; i < TILE; i++) {
            const double unit = (random32() >> 1) * 0x1p-30 - 1;
            in[i] = i % 2 == 0 ? random32() : bits((float)(unit * k->dense));
        }
        run_one(b, tile, in, out);
        for (unsigned i = 0; i < TILE; i++) {
            compare(k, in[i], out[i], &worst);
        }
    }
    judge(b, "fp32", &worst);
    check_specials(b);
}

static double f_recip(double x)
{
    return 1 / x;
}
static double f_relu(double x)
{
    return x > 0 ? x : 0;
}
static double f_sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}
static double f_gelu(double x)
{
    return x / 2 * erfc(-x / sqrt(2));
}
static double f_log(double x)
{
    return x == 0 ? -INFINITY : log(x);
}

/* ---- integers ---- */

static void check_to_int(struct bench *b)
{
    static const uint32_t edges[] = {0x4EFFFFFF, 0x4F000000, 0xCEFFFFFF, 0xCF000000, 0x7F800000,
                                     0xFF800000, 0x7FC00000, 0xFFC00000, 0x3F7FFFFF, 0x3F800000,
                                     0xBF800000, 0x4B7FFFFF, 0x4B800001, 0x80000000, 1};
    uint32_t in[TILE], out[TILE];
    for (unsigned tile = 0; tile < BF16_TILES + FP32_TILES; tile++) {
        for (unsigned i = 0; i < TILE; i++) {
            const uint32_t u = random32();
            in[i] = tile < BF16_TILES                  ? (tile * TILE + i) << 16
                    : i < sizeof edges / sizeof *edges ? edges[i]
                    : i % 2 == 0                       ? u
                                                       : (u & 0x87FFFFFF) | 0x48000000;
        }
        run_one(b, tile, in, out);
        tx_dst_store_tile(tx_kernel_machine(b->run), tx_program_output(b->program),
                          TX_DST_FORMAT_INT32_SM, out);
        for (unsigned i = 0; i < TILE; i++) {
            if (out[i] != (uint32_t)to_int(in[i])) {
                fail_msg("%s: %08x -> %d", b->kernel->file, in[i], (int)out[i]);
            }
        }
    }
}

static void check_from_int(struct bench *b)
{
    static const uint32_t edges[] = {0,          1,          0xFFFFFFFF, 0x7FFFFFFF, 0x80000001,
                                     0x80000000, 16777215,   16777216,   16777217,   16777219,
                                     0x01000001, 0x01000003, 0x02000006, 0x7FFFFFBF, 0x7FFFFFC0};
    uint32_t in[TILE], out[TILE];
    for (unsigned tile = 0; tile < FP32_TILES; tile++) {
        for (unsigned i = 0; i < TILE; i++) {
            in[i] = i < sizeof edges / sizeof *edges ? edges[i]
                                                     : (uint32_t)((int32_t)random32() >> i % 32);
        }
        run_one(b, tile, in, out);
        tx_dst_store_tile(tx_kernel_machine(b->run), tx_program_output(b->program),
                          TX_DST_FORMAT_FP32, out);
        for (unsigned i = 0; i < TILE; i++) {
            assert_int_equal(out[i], bits((float)(int32_t)in[i]));
        }
    }
}

/* ---- three inputs ---- */

static void check_where(struct bench *b)
{
    static const uint32_t conditions[] = {0,          0x80000000, 0x3F800000, 0xBF800000,
                                          0x7FC00000, 0xFF800000, 1,          0x80000001};
    uint32_t in[3][TILE], out[TILE];
    for (unsigned tile = 0; tile < 32; tile++) {
        for (unsigned i = 0; i < TILE; i++) {
            in[0][i] = random32() % 4 == 0 ? random32() : conditions[random32() % 8];
            in[1][i] = random32();
            in[2][i] = random32();
        }
        run_tile(b, tile, (const uint32_t *const[]){in[0], in[1], in[2]}, out);
        for (unsigned i = 0; i < TILE; i++) {
            const bool zero = (in[0][i] & 0x7FFFFFFFu) == 0;
            assert_int_equal(out[i], flushed(zero ? in[2][i] : in[1][i]));
        }
    }
}

/* ---- random numbers ---- */

static void check_stochastic(struct bench *b)
{
    uint32_t in[TILE], out[TILE];
    double bias = 0;
    for (unsigned tile = 0; tile < FP32_TILES; tile++) {
        for (unsigned i = 0; i < TILE; i++) {
            in[i] = tile < 4 ? random32() : 0x3F800000u | (random32() & 0x7FFFFFu);
        }
        run_one(b, tile, in, out);
        struct lanes lanes = seeded(tx_kernel_tile_seed(SEED, tile));
        for (unsigned i = 0; i < TILE; i++) {
            const unsigned at = element(i / 32, i % 32);
            assert_int_equal(out[at], round_at_random(in[at], draw(&lanes, i % 32)));
            bias += tile < 4 ? 0 : ((double)out[at] - in[at]) / 65536;
        }
    }
    bias /= (FP32_TILES - 4) * TILE;
    assert_true(fabs(bias) < 0.01);
}

static void check_dropout(struct bench *b)
{
    uint32_t in[TILE], out[TILE];
    unsigned dropped = 0;
    for (unsigned tile = 0; tile < FP32_TILES; tile++) {
        for (unsigned i = 0; i < TILE; i++) {
            in[i] = (random32() & 0x80FFFFFFu) + 0x3F000000u;
        }
        run_one(b, tile, in, out);
        struct lanes lanes = seeded(tx_kernel_tile_seed(SEED, tile));
        for (unsigned i = 0; i < TILE; i++) {
            const unsigned at = element(i / 32, i % 32);
            const bool drop = (draw(&lanes, i % 32) & 0x7FFFFFFFu) < 0x20000000u;
            const float kept = number(in[at]) * 1.3333333333f;
            assert_int_equal(out[at], drop ? 0 : bits(kept));
            dropped += drop;
        }
    }
    const double share = (double)dropped / (FP32_TILES * TILE);
    assert_true(fabs(share - 0.25) < 0.01);
}

/* ---- columns ---- */

static void check_cumsum(struct bench *b)
{
    uint32_t in[TILE], out[TILE];
    for (unsigned tile = 0; tile < FP32_TILES; tile++) {
        for (unsigned i = 0; i < TILE; i++) {
            in[i] = tile % 2 == 0 ? bits((float)((int)(random32() % 20001) - 10000))
                                  : (random32() & 0x83FFFFFFu) + 0x3E000000u;
        }
        run_one(b, tile, in, out);
        for (unsigned column = 0; column < 32; column++) {
            float x[32], y[32];
            double sum = 0;
            for (unsigned row = 0; row < 32; row++) {
                x[row] = number(in[row * 32 + column]);
            }
            cumulate(x, y);
            for (unsigned row = 0; row < 32; row++) {
                const uint32_t got = out[row * 32 + column];
                sum += x[row];
                assert_int_equal(got, bits(y[row]));
                assert_true(tile % 2 != 0 || number(got) == sum);
            }
        }
    }
}

static void check_group(const uint32_t in[TILE], const uint32_t value[TILE],
                        const uint32_t index[TILE], unsigned face, unsigned column)
{
    uint32_t seen = 0;
    for (unsigned row = 0; row < 16; row++) {
        const unsigned corner = (face / 2) * 512 + (face % 2) * 16 + column;
        const uint32_t i = index[corner + row * 32];
        assert_int_equal(i >> 8, face);
        assert_int_equal(i & 15, column);
        const unsigned from = i >> 4 & 15;
        seen |= 1u << from;
        assert_int_equal(value[corner + row * 32], flushed(in[corner + from * 32]));
        if (row > 0) {
            assert_true(rank(in[corner + (index[corner + row * 32 - 32] >> 4 & 15) * 32]) >=
                        rank(in[corner + from * 32]));
        }
    }
    assert_int_equal(seen, 0xFFFF);
}

static void check_topk(struct bench *b)
{
    uint32_t in[TILE], out[TILE], value[TILE], index[TILE];
    for (unsigned tile = 0; tile < FP32_TILES; tile++) {
        for (unsigned i = 0; i < TILE; i++) {
            in[i] = tile % 2 == 0 ? random32() : bits((float)((int)(random32() % 9) - 4));
        }
        run_one(b, tile, in, out);
        const tx_machine *m = tx_kernel_machine(b->run);
        tx_dst_store_tile(m, 0, TX_DST_FORMAT_FP32, value);
        tx_dst_store_tile(m, 1, TX_DST_FORMAT_INT32, index);
        for (unsigned i = 0; i < 64; i++) {
            check_group(in, value, index, i / 16, i % 16);
        }
    }
}

static void fill_columns(uint32_t in[TILE], unsigned tile)
{
    for (unsigned i = 0; i < TILE; i++) {
        in[i] = tile % 2 == 0 ? bits((float)((int)(random32() % 20001) - 10000))
                              : (random32() & 0x83FFFFFFu) + 0x3E000000u;
    }
}

static void check_reduce(struct bench *b)
{
    uint32_t in[TILE], out[TILE];
    for (unsigned tile = 0; tile < FP32_TILES; tile++) {
        fill_columns(in, tile);
        run_one(b, tile, in, out);
        for (unsigned column = 0; column < 32; column++) {
            float part[4] = {0};
            for (unsigned row = 0; row < 32; row++) {
                const float x = number(in[row * 32 + column]);
                part[row % 4] = row < 4 ? x : part[row % 4] + x;
            }
            const uint32_t sum = bits(((part[0] + part[1]) + part[2]) + part[3]);
            for (unsigned row = 0; row < 32; row++) {
                const unsigned at = row * 32 + column;
                assert_int_equal(out[at], row < 4 ? sum : in[at]);
            }
        }
    }
}

static void check_reverse(struct bench *b)
{
    uint32_t in[TILE], out[TILE];
    for (unsigned tile = 0; tile < FP32_TILES; tile++) {
        for (unsigned i = 0; i < TILE; i++) {
            in[i] = random32();
        }
        run_one(b, tile, in, out);
        for (unsigned i = 0; i < TILE; i++) {
            assert_int_equal(out[i], in[(31 - i / 32) * 32 + i % 32]);
        }
    }
}

/* Near enough to what double precision gives, in terms of the largest number that goes in. */
static void near(const struct bench *b, uint32_t got, double want, double size)
{
    if (!(fabs(number(got) - want) <= 4e-7 * size)) {
        fail_msg("%s on %s: %08x for %g", b->kernel->file, tx_arch_name(b->arch), got, want);
    }
}

static void check_welford(struct bench *b)
{
    uint32_t in[TILE], out[TILE];
    for (unsigned tile = 0; tile < FP32_TILES; tile++) {
        fill_columns(in, tile);
        run_one(b, tile, in, out);
        for (unsigned column = 0; column < 32; column++) {
            double sum = 0, squares = 0, size = 0;
            for (unsigned row = 0; row < 32; row++) {
                sum += number(in[row * 32 + column]);
                size = fmax(size, fabs(number(in[row * 32 + column])));
            }
            for (unsigned row = 0; row < 32; row++) {
                const double d = number(in[row * 32 + column]) - sum / 32;
                squares += d * d;
            }
            for (unsigned row = 0; row < 32; row++) {
                const uint32_t got = out[row * 32 + column];
                if (row < 8) {
                    near(b, got, row < 4 ? sum / 32 : squares / 32, row < 4 ? size : size * size);
                } else {
                    assert_int_equal(got, in[row * 32 + column]);
                }
            }
        }
    }
}

static void check_ema(struct bench *b)
{
    uint32_t in[TILE], out[TILE];
    for (unsigned tile = 0; tile < FP32_TILES; tile++) {
        fill_columns(in, tile);
        run_one(b, tile, in, out);
        for (unsigned column = 0; column < 32; column++) {
            double y = 0, size = 0;
            for (unsigned row = 0; row < 32; row++) {
                const double x = number(in[row * 32 + column]);
                size = fmax(size, fabs(x));
                y = 0.75 * y + 0.25 * x;
                near(b, out[row * 32 + column], y, size);
            }
        }
    }
}

/* ---- bits, and two inputs ---- */

static void check_bits(struct bench *b)
{
    const bool gray = strcmp(b->kernel->file, "gray.s") == 0;
    uint32_t in[TILE], out[TILE];
    for (unsigned tile = 0; tile < BF16_TILES; tile++) {
        for (unsigned i = 0; i < TILE; i++) {
            in[i] = i < 33 ? (uint32_t)(UINT64_C(0xFFFFFFFF) >> i) : random32() >> random32() % 32;
        }
        run_one(b, tile, in, out);
        for (unsigned i = 0; i < TILE; i++) {
            unsigned zeros = 0;
            while (zeros < 32 && (in[i] >> (31 - zeros) & 1u) == 0) {
                zeros++;
            }
            assert_int_equal(out[i], gray ? in[i] ^ in[i] >> 1 : zeros);
        }
    }
}

static void check_le(struct bench *b)
{
    static const uint32_t edges[] = {0, 0x80000000, ONE_, 0xBF800000, 0x7F800000, 0xFF800000};
    uint32_t in[2][TILE], out[TILE];
    for (unsigned tile = 0; tile < BF16_TILES; tile++) {
        for (unsigned i = 0; i < TILE; i++) {
            in[0][i] = i % 2 == 0 ? random32() : edges[random32() % 6];
            in[1][i] = i % 3 == 0 ? random32() : i % 3 == 1 ? in[0][i] : edges[random32() % 6];
        }
        run_tile(b, tile, (const uint32_t *const[]){in[0], in[1]}, out);
        for (unsigned i = 0; i < TILE; i++) {
            assert_int_equal(out[i], rank(in[0][i]) <= rank(in[1][i]) ? ONE_ : 0);
        }
    }
}

/* ---- the table ---- */

#define INF 0x7F800000u
#define MINF 0xFF800000u
#define NAN_ 0x7FC00000u
#define MNAN 0xFFC00000u
#define ONE 0x3F800000u

/* clang-format off */
static const struct kernel kernels[] = {
    {"relu.s", BOTH, 128, check_function, f_relu, 0, ULP, -INFINITY, INFINITY, 10,
     {{INF, INF}, {MINF, 0}, {0x80000000, 0}, {NAN_, NAN_}, {MNAN, 0}}},
    {"reciprocal.s", BH, 480, check_function, f_recip, 1, ULP, -INFINITY, INFINITY, 10,
     {{0x80000000, MINF}, {1, INF}, {INF, 0}, {MINF, 0}, {NAN_, NAN_}, {MNAN, NAN_},
      {0x7E800000, 0x00800000}, {0x7F800001, NAN_}}},
    {"reciprocal_wh.s", BOTH, 640, check_function, f_recip, 1, ULP, -INFINITY, INFINITY, 10,
     {{0x80000000, MINF}, {1, INF}, {INF, 0}, {MINF, 0}, {NAN_, NAN_}, {MNAN, NAN_},
      {0x7F800001, NAN_}}},
    {"exp.s", BOTH, 832, check_function, exp, 2.1, ULP, -INFINITY, INFINITY, 89,
     {{INF, INF}, {MINF, 0}, {0x80000000, ONE}, {NAN_, NAN_}, {MNAN, 0}}},
    {"log.s", BOTH, 1408, check_function, f_log, 1.3, ULP, -INFINITY, INFINITY, 2,
     {{INF, INF}, {MINF, NAN_}, {0x80000000, MINF}, {1, MINF}, {NAN_, NAN_}, {MNAN, NAN_},
      {0xBF800000, NAN_}, {ONE, 0}}},
    {"sqrt.s", BOTH, 896, check_function, sqrt, 1, ULP, -INFINITY, INFINITY, 10,
     {{INF, INF}, {MINF, NAN_}, {0x80000000, 0}, {1, 0}, {NAN_, NAN_}, {MNAN, NAN_},
      {0xBF800000, NAN_}}},
    {"tanh.s", BOTH, 97, check_function, tanh, 0.0119, ABSOLUTE, -INFINITY, INFINITY, 5,
     {{INF, NAN_}, {MINF, NAN_}, {NAN_, NAN_}, {0x80000000, 0x80000000}, {0x41000000, ONE}}},
    {"sigmoid.s", BOTH, 1344, check_function, f_sigmoid, 2.7, ULP, -INFINITY, INFINITY, 90,
     {{INF, ONE}, {MINF, 0}, {0x80000000, 0x3F000000}}},
    {"gelu.s", BOTH, 2016, check_function, f_gelu, 0.003, RELATIVE, -12.8, INFINITY, 13,
     {{INF, INF}, {MINF, NAN_}, {0xC2200000, 0}}},
    {"fp32_to_bf16_stochastic.s", BOTH, 96, .check = check_stochastic},
    {"fp32_to_int32.s", BOTH, 384, .check = check_to_int},
    {"int32_to_fp32.s", BOTH, 96, .check = check_from_int},
    {"where.s", BOTH, 288, .check = check_where},
    {"cumsum.s", BOTH, 220, .check = check_cumsum},
    {"topk.s", BOTH, 456, .check = check_topk},
    {"topk_index.s", BOTH, 456, .check = check_topk},
    {"dropout.s", BOTH, 256, .check = check_dropout},
    {"sigmoid_lut.s", BOTH, 320, check_function, f_sigmoid, 0.02, ABSOLUTE, -INFINITY, INFINITY, 8,
     {{INF, ONE}, {MINF, 0}, {NAN_, ONE}, {MNAN, 0}, {0x80000000, 0x3F000000}}},
    {"clz.s", BOTH, 96, .check = check_bits},
    {"gray.s", BOTH, 160, .check = check_bits},
    {"le.s", BH, 160, .check = check_le},
    {"reduce_sum.s", BOTH, 124, .check = check_reduce},
    {"reverse_rows.s", BOTH, 128, .check = check_reverse},
    {"welford.s", BOTH, 456, .check = check_welford},
    {"ema.s", BOTH, 368, .check = check_ema},
};
/* clang-format on */

enum { KERNELS = sizeof kernels / sizeof *kernels };

static void test_kernel(void **state)
{
    struct bench *b = *state;
    bench_open(b, TX_DST_FORMAT_UNSET);
    b->kernel->check(b);
    bench_close(b);
}

int main(void)
{
    static struct bench benches[2 * KERNELS];
    static char names[2 * KERNELS][64];
    static struct CMUnitTest tests[2 * KERNELS];
    size_t count = 0;
    for (size_t i = 0; i < KERNELS; i++) {
        for (unsigned arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
            if ((kernels[i].chips >> arch & 1) == 0) {
                continue;
            }
            benches[count] = (struct bench){.kernel = &kernels[i], .arch = arch};
            snprintf(names[count], sizeof names[count], "%s on %s", kernels[i].file,
                     tx_arch_name(arch));
            tests[count] = (struct CMUnitTest){
                .name = names[count], .test_func = test_kernel, .initial_state = &benches[count]};
            count++;
        }
    }
    return _cmocka_run_group_tests("kernels", tests, count, NULL, NULL);
}
