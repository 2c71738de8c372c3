/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPMAD, SFPADD and SFPMUL of the fast engine against the model of the multiply-add, which
 * campaign_fma compares with an exact restatement: random bits, neighbouring exponents, sums that
 * cancel, ends of the range, the smallest normal number, special values, everyday values, lanes
 * that are all alike.
 * campaign_fast ARCH COUNT [LEVEL]
 */
#include <tensix/tensix.h>

#include "num/fp32_fma_bh.h"
#include "num/fp32_fma_wh.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TILES = 64, COUNT = TILES * TX_TILE_ELEMENTS, KINDS = 13 };

static uint64_t state = 1;
static uint32_t in[3][COUNT], out[COUNT];

static uint32_t next(void)
{
    state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t x = state;
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)((x ^ (x >> 31)) >> 16);
}

static uint32_t with_exponent(int exponent)
{
    const uint32_t r = next();
    const uint32_t sparse = r & next() & next();
    const uint32_t mantissa = (r & 7u) == 0  ? 0x7FFFFFu ^ (sparse & 15u)
                              : (r & 7u) < 3 ? sparse & 0x7FFFFFu
                                             : next() & 0x7FFFFFu;
    const int e = exponent < 0 ? 0 : exponent > 255 ? 255 : exponent;
    return (next() & 0x80000000u) | (uint32_t)e << 23 | mantissa;
}

static uint32_t special(void)
{
    static const uint32_t values[] = {0,          0x80000000, 0x3F800000, 0xBF800000, 0x7F800000,
                                      0xFF800000, 0x7FC00000, 0xFF800001, 0x00000001, 0x807FFFFF,
                                      0x00800000, 0x80800000, 0x7F7FFFFF, 0xFF7FFFFF, 0x00FFFFFF};
    return values[next() % (sizeof values / sizeof values[0])];
}

static uint32_t bits_of(float f)
{
    uint32_t x;
    memcpy(&x, &f, sizeof x);
    return x;
}

/*
 * Products, and sums with z, within a few units of 2^-126 in both directions: there processors
 * disagree which results they flush, see src/fast/fma.h.
 */
static void smallest(uint32_t v[3])
{
    const double near = (next() & 1u ? 0x1p-126 : -0x1p-126) * (1 + 0x1p-27 * (next() % 65 - 32.0));
    float x;
    v[0] = with_exponent(60 + (int)(next() % 60));
    memcpy(&x, &v[0], sizeof x);
    switch (next() % 4) {
    case 0:
        v[1] = bits_of((float)(near / (double)x)) + next() % 5 - 2;
        v[2] = next() & 0x80000000u;
        break;
    case 1: /* a small addend on the other side of rounding */
        v[1] = bits_of((float)(near / (double)x));
        v[2] = with_exponent((int)(next() % 4));
        break;
    case 2: { /* the sum lies there, its parts do not */
        const uint32_t y = with_exponent(127 + (int)(next() % 20) - (int)(v[0] >> 23 & 255u));
        float other;
        memcpy(&other, &y, sizeof other);
        v[1] = y;
        v[2] = bits_of((float)(near - (double)x * (double)other));
        break;
    }
    default: /* sums alone: SFPADD's factor of one */
        v[0] = 0x3F800000u;
        v[1] = with_exponent((int)(next() % 28));
        memcpy(&x, &v[1], sizeof x);
        v[2] = bits_of((float)(near - (double)x)) + next() % 3 - 1;
        break;
    }
}

static void triple(unsigned kind, uint32_t v[3])
{
    const int ex = (int)(next() & 255u);
    const int ey = (int)(next() & 255u);
    for (unsigned i = 0; i < 3; i++) {
        v[i] = next();
    }
    switch (kind) {
    case 0:
        break;
    case 1: /* z about as large as the product */
        v[0] = with_exponent(ex);
        v[1] = with_exponent(ey);
        v[2] = with_exponent(ex + ey - 127 + (int)(next() % 73) - 36);
        break;
    case 2: { /* cancellation */
        float a;
        float b;
        v[0] = with_exponent(64 + ex / 2);
        v[1] = with_exponent(64 + ey / 2);
        memcpy(&a, &v[0], sizeof a);
        memcpy(&b, &v[1], sizeof b);
        const float product = -(a * b);
        memcpy(&v[2], &product, sizeof product);
        v[2] += next() % 9 - 4;
        break;
    }
    case 3: /* the lower end */
        v[0] = with_exponent((int)(next() & 127u));
        v[1] = with_exponent(127 - (int)(v[0] >> 23 & 255u) + (int)(next() % 40) - 8);
        v[2] = with_exponent((int)(next() % 40));
        break;
    case 4: /* the upper end */
        v[0] = with_exponent(127 + (int)(next() & 127u));
        v[1] = with_exponent(381 - (int)(v[0] >> 23 & 255u) - (int)(next() % 12) + 2);
        v[2] = with_exponent(255 - (int)(next() % 12));
        break;
    case 5:
        for (unsigned i = 0; i < 3; i++) {
            v[i] = (next() & 1u) != 0 ? special() : v[i];
        }
        break;
    case 6:
        for (unsigned i = 0; i < 3; i++) {
            v[i] = with_exponent(119 + (int)(next() & 15u));
        }
        break;
    case 7:
        smallest(v);
        break;
    default: /* BF16 */
        for (unsigned i = 0; i < 3; i++) {
            v[i] = with_exponent(100 + (int)(next() % 50)) & 0xFFFF0000u;
        }
        break;
    }
}

/*
 * Lanes of a tile alike, as neighbours of a sweep are: then all products lie below the range (kind
 * 9), or all addends so far below them that they are dropped (kind 10), but for some near the edge;
 * or nothing cancels and nothing is dropped (kind 11), so that one hardware instruction is tried.
 */
static void alike(unsigned kind, bool first, uint32_t v[3])
{
    static int e[3];
    static unsigned seldom; /* how seldom a lane differs from the others */
    static uint32_t small;  /* mantissas below 1.25, where the product is the larger one */
    static uint32_t few;    /* of the second factor's bits: a product may then be short */
    if (first) {
        const bool edge = (next() & 1u) != 0;
        const int low = edge ? (int)(next() % 5) - 3 : (int)(next() % 44) - 40;
        const int product = kind == 9 ? low : (int)(next() % 240) + 22;
        const int apart = edge ? (int)(next() % 5) - 2 : (int)(next() % 36) - 32;
        e[0] = (next() & 3u) == 0 ? 0 : (int)(next() & 255u);
        e[0] = kind != 9 && e[0] < product - 127 ? product - 127 + (int)(next() % 8) : e[0];
        e[1] = product + 127 - e[0];
        e[2] = kind == 10 ? product - 26 + apart : (int)(next() % (edge ? 28 : 256));
        seldom = 1u << next() % 10;
        if (kind == 11) {
            const int larger = (int)(next() % 7) - 4; /* exponent of the product over that of z */
            e[2] = product - larger;
            small = larger > 0 ? 0xFF9FFFFFu : 0xFFFFFFFFu;
            few = next() % 2 == 0 ? 0xFFFF0000u : 0xFFFFFFFFu;
            seldom = 0x80000000u;
        }
    }
    for (unsigned i = 0; i < 3; i++) {
        v[i] = with_exponent(e[i] + (next() % seldom == 0 ? (int)(next() % 3) - 1 : 0));
    }
    if (kind == 11) {
        v[2] = (v[2] & 0x7FFFFFFFu) | ((v[0] ^ v[1]) & 0x80000000u);
        v[0] &= small;
        v[1] &= small & few;
    }
}

/* Products just below half of one of the constants of forms, some on the other side of it. */
static void half(bool first, uint32_t v[3])
{
    static const uint32_t addends[] = {0x3F56594B, 0xBF800000, 0x3EB08FF9};
    static double product;
    static int exponent;
    float x;
    if (first) {
        const uint32_t z = addends[next() % 3];
        memcpy(&x, &z, sizeof x);
        product = -(double)x / 2;
        exponent = 64 + (int)(next() & 127u);
    }
    v[0] = with_exponent(exponent);
    memcpy(&x, &v[0], sizeof x);
    v[1] = bits_of((float)(product / (double)x)) - 1 - next() % 3;
    if (next() % 64 == 0) {
        v[1] += next() % 5;
    }
    v[2] = next();
}

static uint32_t model(enum tx_arch arch, uint32_t x, uint32_t y, uint32_t z)
{
    return arch == TX_BLACKHOLE ? fp32_fma_bh(x, y, z) : fp32_fma_wh(x, y, z);
}

struct form {
    const char *text;
    uint32_t x, y, z; /* constants that take the place of inputs; 1: none */
};

static uint64_t run(enum tx_arch arch, const char *level, const struct form *form, uint64_t count)
{
    struct tx_settings settings;
    struct tx_kernel_options options;
    struct tx_program *program;
    struct tx_diag diag;
    tx_kernel *kernel;
    tx_fast *fast;
    tx_fast_worker *worker;
    const char *reason = NULL;
    char text[512];
    uint64_t failed = 0;
    const struct tx_asm_options how = {.arch = arch};
    const uint32_t *inputs[3] = {in[0], in[1], in[2]};
    snprintf(text, sizeof text,
             ".dst fp32\n.inputs 3\n.tile\nI = 0\n.rept 32\nsfpload L0, I, 4, 3\n"
             "sfpload L1, I + 64, 4, 3\nsfpload L2, I + 128, 4, 3\n%s\nsfpnop\n"
             "sfpstore L3, I, 4, 3\nI = I + 2\n.endr\n",
             form->text);
    tx_settings_default(&settings, arch);
    tx_kernel_options_default(&options);
    if (tx_assemble(text, strlen(text), &how, &program, &diag) != TX_OK ||
        tx_kernel_open(&settings, program, &options, &kernel) != TX_OK ||
        tx_kernel_start(kernel) != TX_OK || tx_fast_open(kernel, level, &fast, &reason) != TX_OK ||
        tx_fast_worker_open(fast, &worker) != TX_OK) {
        fprintf(stderr, "%s: %s\n", form->text, reason != NULL ? reason : "does not open");
        exit(2);
    }
    for (uint64_t done = 0; done < count; done += COUNT) {
        const unsigned kind = (unsigned)(done / COUNT % KINDS);
        for (unsigned i = 0; i < COUNT; i++) {
            uint32_t v[3];
            if (kind < 9) {
                triple(kind, v);
            } else if (kind == 12) {
                half(i % TX_TILE_ELEMENTS == 0, v);
            } else {
                alike(kind, i % TX_TILE_ELEMENTS == 0, v);
            }
            for (unsigned k = 0; k < 3; k++) {
                in[k][i] = v[k];
            }
        }
        if (tx_fast_run(worker, 0, TILES, inputs, out) != TX_OK) {
            exit(2);
        }
        for (unsigned i = 0; i < COUNT; i++) {
            const uint32_t x = form->x != 1 ? form->x : in[0][i];
            const uint32_t y = form->y != 1 ? form->y : in[1][i];
            const uint32_t z = form->z != 1 ? form->z : in[2][i];
            const uint32_t want = model(arch, x, y, z);
            if (out[i] != want && failed++ < 10) {
                fprintf(stderr,
                        "%s %s: %08" PRIX32 " * %08" PRIX32 " + %08" PRIX32 ": model %08" PRIX32
                        ", fast %08" PRIX32 "\n",
                        level, form->text, x, y, z, want, out[i]);
            }
        }
    }
    tx_fast_worker_close(worker);
    tx_fast_close(fast);
    tx_kernel_close(kernel);
    tx_program_free(program);
    return failed;
}

int main(int argc, char **argv)
{
    static const struct form forms[] = {{"sfpmad L3, L0, L1, L2, 0", 1, 1, 1},
                                        {"sfpmad L3, L10, L1, L2, 0", 0x3F800000, 1, 1},
                                        {"sfpmad L3, L0, L1, L9, 0", 1, 1, 0},
                                        {"sfpmad L3, L0, L1, L8, 0", 1, 1, 0x3F56594B},
                                        {"sfpmad L3, L0, L1, L11, 0", 1, 1, 0xBF800000},
                                        {"sfpmad L3, L0, L12, L14, 0", 1, 0x3B000000, 0xBEB08FF9}};
    enum tx_arch arch;
    uint64_t failed = 0;
    uint64_t total = 0;
    if (argc < 3 || tx_arch_parse(argv[1], &arch) != TX_OK) {
        fprintf(stderr, "usage: campaign_fast ARCH COUNT [LEVEL]\n");
        return 2;
    }
    const uint64_t count = strtoull(argv[2], NULL, 0);
    for (size_t i = 0; tx_fast_level(i) != NULL; i++) {
        const char *level = tx_fast_level(i);
        if (argc > 3 ? strcmp(argv[3], level) != 0 : strcmp(level, "base") == 0) {
            continue; /* base is the model itself */
        }
        for (size_t k = 0; k < sizeof forms / sizeof forms[0]; k++) {
            /* Sums and products have fewer ways. */
            const uint64_t n = k == 0 ? count : count / 4;
            failed += run(arch, level, &forms[k], n);
            total += n;
        }
    }
    printf("%" PRIu64 " passed, %" PRIu64 " failed\n", total - failed, failed);
    return failed == 0 ? 0 : 1;
}
