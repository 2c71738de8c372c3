/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packers beside a second statement of them (model.h): random configuration, Dst, counters and
 * short programs on both chips, all of L1 that they can reach compared byte by byte, and every pair
 * of formats that starts from 16 bits over all 65536 cells. An argument: how many programs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "pack/rig.h"

static uint64_t seed = 1;
static unsigned long programs = 1500;
static tx_machine *machine[3];

static uint32_t random_below(uint32_t below)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)((seed >> 20) % below);
}

static void choose_formats(struct setup *c)
{
    const struct route *r;
    do {
        r = &routes[random_below(ROUTES)];
    } while ((r->chips >> c->bh & 1) == 0);
    c->r32 = r->r32;
    c->raw = r->raw;
    c->r10 = r->r10;
    c->IF = r->IF;
    c->LF = r->LF;
    c->LT = r->outs[random_below(r->count)];
    c->uns = c->LT == 14 && c->r32 && random_below(2) == 0;
    c->e4m3 = c->bh && c->LF == 1 && c->LT == 10 && random_below(2) == 0;
    const bool integer = c->LF == 8 || c->LF == 9 || c->LF == 14;
    c->relu = c->LF == 10 || random_below(2) == 0 ? 0
              : integer || c->IF == 8             ? random_below(2)
                                                  : random_below(4);
    c->T = random_below(0x8000);
    c->threshold = random_below(3) == 0 ? random_below(256) : 256;
    c->acc = random_below(3) == 0 &&
             (c->LT == 0 || c->LT == 1 || c->LT == 4 || c->LT == 5 || c->LT == 8);
}

static void choose_rest(struct setup *c)
{
    const unsigned n = c->LF % 4 == 0 ? 4 : c->LF % 4 == 1 ? 2 : 1;
    c->x_stride = random_below(3) == 0 ? random_below(16) : n;
    c->y_stride = random_below(3) == 0 ? random_below(4096) : 16 * n;
    c->z_stride = random_below(4096);
    c->w_stride = random_below(65536);
    c->base = random_below(3) == 0 ? random_below(65536) : 0;
    c->oy_stride = random_below(256);
    c->oz_stride = random_below(256);
    c->ow_stride = random_below(256);
    c->obase = random_below(256);
    c->low = random_below(4) == 0 && c->LF != 8 && c->LF != 9 && c->LF != 14 && c->IF != 8;
    c->ds = random_below(4) == 0 ? random_below(65536) : 0;
    c->select = random_below(2) == 0 ? 0 : random_below(256);
    c->face_select = random_below(256);
    c->face_enable = random_below(4) == 0;
    c->plane = random_below(2) == 0 ? 16 : random_below(20);
    c->transposed = random_below(8) == 0;
    c->remap = c->bh && random_below(2) == 0;
    c->swizzle = c->bh && random_below(2) == 0;
    for (unsigned i = 0; i < 4; i++) {
        c->exp_size[i] = random_below(8) + (is_block(c->LT) ? 8 : 0); /* no overlap */
        c->dest[i] = 0x100 + 0x800 * i + random_below(256);
        c->offset[i] = random_below(2) == 0 ? 16 * i : random_below(1024);
        c->z_offset[i] = random_below(4) == 0 ? random_below(64) : 0;
        c->edge[i] = random_below(2) == 0 ? 0xFFFF : random_below(65536);
        c->rows[i] = random_below(2) == 0 ? 0 : random_below(0x7FFFFFFF) * 2 + random_below(2);
        c->faces[i] = random_below(0x7FFFFFFF) * 2 + random_below(2);
        c->mode[i] = (uint16_t)random_below(65536);
    }
    if (!c->bh && random_below(2) == 0) { /* relative to packer 0 */
        c->dest[0] |= 0x80000000u;
        for (unsigned i = 1; i < 4; i++) {
            c->dest[i] = 0x800 * i;
        }
    }
}

/* Cells in which every kind of datum is common. */
static uint16_t random_cell(void)
{
    static const uint16_t some[] = {0,      0x8000, 0x00FF, 0x80FF, 0x7FFF, 0xFFFF, 0x0001, 0x8001,
                                    0x7F00, 0x007F, 0x807F, 0x001F, 0x7FE0, 0x0070, 0x40FF, 0x7FFE};
    return random_below(3) == 0 ? some[random_below(16)] : (uint16_t)random_below(65536);
}

static void write_state(tx_machine *m, struct model *x)
{
    uint32_t adc[16];
    for (unsigned row = 0; row < 1024; row++) {
        uint32_t v[16];
        const uint32_t valid = random_below(8) != 0;
        for (unsigned i = 0; i < 16; i++) {
            v[i] = x->dst[row][i] = random_cell();
        }
        x->valid[row] = valid != 0;
        assert_int_equal(tx_write(m, TX_FILE_DST, row, v, 16), TX_OK);
        assert_int_equal(tx_write(m, TX_FILE_DST_VALID, row, &valid, 1), TX_OK);
    }
    for (unsigned ch = 0; ch < 2; ch++) {
        for (unsigned d = 0; d < 4; d++) {
            const uint32_t most = d == 1 ? 40 : d == 0 ? 16 : 20;
            x->adc[ch][d] = random_below(2) == 0 ? 0 : random_below(most);
            x->cr[ch][d] = random_below(2) == 0 ? 0 : random_below(most);
        }
    }
    x->adc[0][0] = random_below(3) == 0 ? random_below(12) : 0;
    x->adc[1][0] =
        x->adc[0][0] + (x->c.bh ? random_below(16 - x->adc[0][0] % 16) : random_below(70));
    for (unsigned i = 0; i < 8; i++) {
        adc[2 * (i / 4) * 4 + i % 4] = x->adc[i / 4][i % 4];
        adc[(2 * (i / 4) + 1) * 4 + i % 4] = x->cr[i / 4][i % 4];
    }
    assert_int_equal(tx_write(m, TX_FILE_ADC, 2 * 3 + 2, adc, 16), TX_OK);
    for (uint32_t i = 0; i < 0x40000; i += 4) {
        const uint32_t v = random_below(0x7FFFFFFF) * 2;
        memcpy(l1[0] + i, &v, 4);
    }
    memcpy(l1[1], l1[0], sizeof l1[0]);
}

static uint32_t instruction(const struct setup *c)
{
    static const uint8_t packers[] = {0, 1, 3, 15, 15, 2, 12};
    const uint32_t mask = c->bh ? random_below(16) : packers[random_below(7)];
    uint32_t word = 0x41000000u | mask << 8 | random_below(4) << 15;
    word |= random_below(4) == 0 ? 1 : 0;                    /* Last */
    word |= random_below(16) == 0 ? 2 : 0;                   /* Flush */
    word |= random_below(8) == 0 && mask != 0 ? 1 << 12 : 0; /* ZeroWrite */
    word |= c->bh && random_below(4) == 0 ? 1 << 17 : 0;     /* strided */
    word |= c->bh && random_below(4) == 0 ? random_below(8) << 18 : 0;
    return word;
}

static void check_adc(const tx_machine *m, const struct model *x)
{
    uint32_t adc[16];
    assert_int_equal(tx_read(m, TX_FILE_ADC, 2 * 3 + 2, adc, 16), TX_OK);
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(adc[2 * (i / 4) * 4 + i % 4], x->adc[i / 4][i % 4]);
        assert_int_equal(adc[(2 * (i / 4) + 1) * 4 + i % 4], x->cr[i / 4][i % 4]);
    }
}

static void one_program(enum tx_arch arch)
{
    static struct model x;
    tx_machine *m = machine[arch];
    uint32_t words[8];
    const unsigned count = 1 + random_below(8);
    memset(&x, 0, sizeof x);
    x.c.bh = arch == TX_BLACKHOLE;
    x.l1 = l1[1];
    choose_formats(&x.c);
    choose_rest(&x.c);
    tx_reset(m);
    write_setup(m, &x.c);
    write_state(m, &x);
    for (unsigned i = 0; i < count; i++) {
        words[i] = instruction(&x.c);
    }
    if (tx_run(m, 2, words, count) != TX_OK) {
        fail_msg("%08x: %s", (unsigned)words[0], tx_fault(m) ? tx_fault(m)->message : "stuck");
    }
    for (unsigned i = 0; i < count; i++) {
        model_pacr(&x, words[i]);
    }
    assert_true(same_l1(&x.c, words, count));
    check_adc(m, &x);
    for (unsigned i = 0; i < (x.c.bh ? 1u : 1u); i++) {
        const uint32_t source9 = 0x454048AAu;
        uint32_t most;
        assert_int_equal(tx_run(m, 2, &source9, 1), TX_OK);
        assert_int_equal(tx_read(m, TX_FILE_GPR, 2 * 64 + 21, &most, 1), TX_OK);
        assert_int_equal(most, x.packer[0].most);
    }
}

static void test_programs(void **state)
{
    (void)state;
    for (unsigned long i = 0; i < programs; i++) {
        one_program(i % 2 == 0 ? TX_WORMHOLE : TX_BLACKHOLE);
    }
}

/* Every pair of formats of 16-bit Dst, over all cells. */
static void test_all_cells(void **state)
{
    static struct model x;
    (void)state;
    x.l1 = l1[1];
    for (size_t r = 0; r < ROUTES; r++) {
        for (unsigned o = 0; o < routes[r].count && routes[r].r32 == 0; o++) {
            for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
                const bool bh = arch == TX_BLACKHOLE;
                for (unsigned v = 0; v < 2 && (routes[r].chips >> bh & 1) != 0; v++) {
                    if (plain_setup(&x.c, bh, &routes[r], routes[r].outs[o], v)) {
                        assert_true(same_cells(machine[arch], &x));
                    }
                }
            }
        }
    }
}

/*
 * Whatever configuration, counters and words say: no crash, and twice the same. Every second
 * program has compression off, so that more happens.
 */
static void anything(enum tx_arch arch, uint64_t start, uint64_t *digest)
{
    tx_machine *m = machine[arch];
    uint32_t adc[16];
    seed = start;
    tx_reset(m);
    memset(l1[0], 0, sizeof l1[0]);
    for (unsigned row = 0; row < 224; row++) {
        const uint32_t v = random_below(4) == 0 ? random_below(0x7FFFFFFF) * 2 : 0;
        (void)tx_write(m, TX_FILE_CONFIG, row, &v, 1);
    }
    if (start % 2 == 0) {
        static struct setup c;
        memset(&c, 0, sizeof c);
        c.bh = arch == TX_BLACKHOLE;
        choose_formats(&c);
        choose_rest(&c);
        write_setup(m, &c);
    }
    for (unsigned i = 0; i < 16; i++) {
        adc[i] = random_below(i % 4 == 0 ? 2000 : 256);
    }
    (void)tx_write(m, TX_FILE_ADC, 2 * 3 + 2, adc, 16);
    for (unsigned i = 0; i < 6; i++) {
        static const uint32_t opcodes[] = {0x41000000, 0x41000000, 0x41000000, 0x4A000000,
                                           0x44000000, 0x45000080, 0x21000000};
        const uint32_t word = opcodes[random_below(7)] | random_below(1 << 24);
        const enum tx_status status = tx_run(m, 2, &word, 1);
        *digest = *digest * 31 + (unsigned)status;
    }
    for (uint32_t i = 0; i < L1_BYTES; i += 8) {
        uint64_t v;
        memcpy(&v, l1[0] + i, 8);
        *digest = *digest * 0x9E3779B97F4A7C15u + v;
    }
    tx_findings_clear(m);
}

static void test_anything(void **state)
{
    (void)state;
    for (unsigned i = 1; i < 160; i++) {
        const enum tx_arch arch = i % 4 < 2 ? TX_WORMHOLE : TX_BLACKHOLE;
        uint64_t digest[2] = {0, 0};
        anything(arch, i, &digest[0]);
        anything(arch, i, &digest[1]);
        assert_true(digest[0] == digest[1]);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_programs),
                                       cmocka_unit_test(test_all_cells),
                                       cmocka_unit_test(test_anything)};
    programs = argc > 1 ? strtoul(argv[1], NULL, 10) : programs;
    seed = argc > 2 ? strtoull(argv[2], NULL, 10) : seed;
    for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        if (!open_machine(arch, &machine[arch])) {
            return 1;
        }
    }
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    tx_close(machine[TX_WORMHOLE]);
    tx_close(machine[TX_BLACKHOLE]);
    return failed;
}
