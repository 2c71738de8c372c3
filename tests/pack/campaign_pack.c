/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every pair of formats of the packers through PACR, beside the second statement (model.h): all
 * cells of 16-bit Dst, then DATA more of them at random, so that blocks have any neighbours; of
 * 32-bit Dst DATA random words, half of them where a conversion rounds, saturates or flushes.
 *   campaign_pack ARCH DATA SEED [wide]
 * wide: 32-bit Dst only.
 */
#include "pack/rig.h"

static uint64_t seed;

static uint32_t draw(void)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 32);
}

/* In plain order: sign, exponent, mantissa. */
static uint32_t draw_word(void)
{
    static const uint32_t exponents[] = {0,   1,   102, 111, 112, 113, 120,
                                         127, 134, 142, 143, 144, 254, 255};
    static const uint32_t tails[] = {0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFF, 0x1000, 0x1001, 0xFFFF};
    const uint32_t x = draw();
    if ((x & 1) == 0) {
        return draw();
    }
    const uint32_t e = exponents[draw() % (sizeof exponents / sizeof exponents[0])];
    const uint32_t low = tails[draw() % (sizeof tails / sizeof tails[0])];
    return (x & 0x80000000u) | e << 23 | (x >> 1 & 0x7F0000u) | low;
}

static void fill(struct model *x)
{
    for (unsigned row = 0; row < 1024; row += 16) {
        for (unsigned i = 0; i < 8 * 16; i++) {
            const uint32_t v = x->c.r32 ? draw_word() : draw();
            const uint32_t high = v >> 16;
            uint16_t *cell = &x->dst[row + i / 16][i % 16];
            cell[0] = (uint16_t)(x->c.r32 ? (high & 0x8000u) | (high & 127) << 8 | (high >> 7 & 255)
                                          : high);
            cell[8 * 16] = (uint16_t)v;
        }
    }
}

/* The same once more behind same_rows with the same setup, for speed: of L1 only the part that is
 * written is compared, all of it by same_rows. */
static bool same_rows_again(tx_machine *m, struct model *x)
{
    enum { AGAIN = 8 * 16 * PAIR_ROWS };
    uint32_t words[PAIR_ROWS];
    const size_t from = 16 * (size_t)(x->c.dest[0] & 0x1FFFFu);
    if (!run_rows_of_both(m, x, words)) {
        return false;
    }
    return from + AGAIN <= L1_BYTES && memcmp(l1[0] + from, l1[1] + from, AGAIN) == 0
               ? true
               : same_l1(&x->c, words, 1);
}

static bool pair(tx_machine *m, struct model *x, uint64_t data, uint64_t *done)
{
    bool good = x->c.r32 || same_cells(m, x);
    *done += good && !x->c.r32 ? 65536 : 0;
    for (uint64_t i = 0; i < data && good; i += 16 * PAIR_ROWS) {
        fill(x);
        good = i == 0 ? same_rows(m, x) : same_rows_again(m, x);
        *done += 16 * PAIR_ROWS;
    }
    return good;
}

int main(int argc, char **argv)
{
    static struct model x;
    enum tx_arch arch = TX_ARCH_NONE;
    tx_machine *m = NULL;
    uint64_t done = 0;
    unsigned pairs = 0;
    unsigned failures = 0;
    const bool wide = argc == 5 && strcmp(argv[4], "wide") == 0;
    if ((argc != 4 && !wide) || tx_arch_parse(argv[1], &arch) != TX_OK) {
        fprintf(stderr, "usage: campaign_pack ARCH DATA SEED [wide]\n");
        return 2;
    }
    const uint64_t data = strtoull(argv[2], NULL, 0);
    const bool bh = arch == TX_BLACKHOLE;
    seed = strtoull(argv[3], NULL, 0);
    if (!open_machine(arch, &m)) {
        fprintf(stderr, "no memory\n");
        return 1;
    }
    x.l1 = l1[1];
    for (size_t r = 0; r < ROUTES; r++) {
        for (unsigned o = 0; o < routes[r].count && (routes[r].chips >> bh & 1) != 0; o++) {
            for (unsigned v = 0; v < 2; v++) {
                if (plain_setup(&x.c, bh, &routes[r], routes[r].outs[o], v) && (x.c.r32 || !wide)) {
                    pairs++;
                    failures += !pair(m, &x, data, &done);
                }
            }
        }
    }
    tx_close(m);
    printf("%u pairs of formats, %llu data, %u pairs differ\n", pairs, (unsigned long long)done,
           failures);
    return failures != 0;
}
