/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tile that keeps no time, whose thread T1 runs a kernel with SFPLOADMACRO: the turns of other
 * cores and threads, and the pieces in which the host runs the tile, must not come between the
 * kernel's words. Expected is what the kernel computes on a machine alone, one word per cycle.
 */
#include "tile/code.h"

#include <tensix/asm.h>
#include <tensix/kernel.h>

#include <stdio.h>
#include <stdlib.h>

enum { DST_ROWS = 1024, DST_COLUMNS = 16, NOPS = 400 };

static uint32_t cells[2][DST_ROWS * DST_COLUMNS];

static struct tx_program *assemble(enum tx_arch arch, const char *name)
{
    const struct tx_asm_options how = {.arch = arch};
    struct tx_program *program = NULL;
    struct tx_diag diag;
    char path[512];
    char *text = calloc(1, 1 << 16);
    assert_non_null(text);
    (void)snprintf(path, sizeof path, "%s/examples/kernels/macro/%s.s", TX_SOURCE_DIR, name);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    const size_t size = fread(text, 1, (1 << 16) - 1, f);
    (void)fclose(f);
    assert_int_equal(tx_assemble(text, size, &how, &program, &diag), TX_OK);
    free(text);
    return program;
}

/* Dst before the kernel; of a few values, so that conditions differ. */
static void fill(tx_machine *m)
{
    uint32_t x = 1;
    for (unsigned i = 0; i < DST_ROWS * DST_COLUMNS; i++) {
        x = x * 1664525u + 1013904223u;
        cells[0][i] = (x >> 16 & 3u) == 0 ? 0 : 0x3F80u + (x >> 20 & 0x7Fu);
    }
    for (unsigned row = 0; row < DST_ROWS; row++) {
        const uint32_t *from = cells[0] + row * DST_COLUMNS;
        assert_int_equal(tx_write(m, TX_FILE_DST, row, from, DST_COLUMNS), TX_OK);
    }
}

static void read_dst(const tx_machine *m, uint32_t to[DST_ROWS * DST_COLUMNS])
{
    for (unsigned row = 0; row < DST_ROWS; row++) {
        uint32_t *at = to + row * DST_COLUMNS;
        assert_int_equal(tx_read(m, TX_FILE_DST, row, at, DST_COLUMNS), TX_OK);
    }
}

enum { WORDS = 1024, KINDS = 3 };

/*
 * Writes the words of the kernel. Of kinds above 0 so many others are strewn in, which hold those
 * behind them for some cycles: a STALLWAIT, for the Vector Unit, until an unpacker is free, as it
 * is already; or an ADDDMAREG and a STALLWAIT until the Scalar Unit is free. What the kernel then
 * computes is of no use, and defined by the cycles in which words pass.
 */
static size_t kernel(const struct tx_program *p, unsigned kind, uint32_t words[WORDS])
{
    static const uint32_t strewn[KINDS][2] = {{0}, {0xA2800002}, {0x5800824A, 0xA2800001}};
    size_t n = 0;
    for (unsigned s = 0; s < 2; s++) {
        const unsigned which = s == 0 ? TX_SECTION_INIT : TX_SECTION_TILE;
        const size_t count = tx_program_count(p, which);
        for (size_t i = 0; i < count; i++) {
            assert_true(n + KINDS <= WORDS);
            words[n++] = tx_program_words(p, which)[i];
            for (unsigned k = 0; s == 1 && k < kind && i % 5 == 2; k++) {
                words[n++] = strewn[kind][k];
            }
        }
    }
    return n;
}

/* What the kernel leaves in Dst on a machine alone. */
static void alone(enum tx_arch arch, const uint32_t *words, size_t count)
{
    struct tx_settings settings;
    tx_machine *m = NULL;
    tx_settings_default(&settings, arch);
    assert_int_equal(tx_open(&settings, &m), TX_OK);
    fill(m);
    assert_int_equal(tx_run(m, 1, words, count), TX_OK);
    assert_int_equal(tx_step(m, 64), TX_OK);
    read_dst(m, cells[1]);
    tx_close(m);
}

/* A word by .ttinsn, or by a store, which takes three instructions. */
static void push(struct code *c, uint32_t w, bool stores)
{
    if (stores) {
        li(c, A1, w);
        sw(c, A1, A0, 0);
    } else {
        ttinsn(c, w);
    }
}

/*
 * T1's core pushes the kernel while T0's, T2's push NOPs and B counts; the host runs the tile in
 * pieces of so many cycles, with single cycles between. Returns how many cells of Dst differ.
 */
static unsigned beside(enum tx_arch arch, const uint32_t *words, size_t count, unsigned piece,
                       bool stores)
{
    static uint32_t got[DST_ROWS * DST_COLUMNS];
    tx_tensix *tile = open_tile(arch, true);
    tx_machine *m = tx_tensix_machine(tile);
    fill(m);
    struct code c = code_at(tile, CODE_T1);
    li(&c, A0, 0xFFE40000);
    for (size_t i = 0; i < count; i++) {
        push(&c, words[i], stores);
    }
    ebreak(&c);
    start(&c, TX_CORE_T1);
    for (unsigned i = 0; i < 2; i++) {
        c = code_at(tile, i == 0 ? CODE_T0 : CODE_T2);
        for (unsigned k = 0; k < NOPS; k++) {
            ttinsn(&c, 0x02000000);
        }
        ebreak(&c);
        start(&c, i == 0 ? TX_CORE_T0 : TX_CORE_T2);
    }
    c = code_at(tile, CODE_B);
    addi(&c, A0, A0, 1);
    word(&c, 0xFFDFF06F); /* j to the instruction before */
    start(&c, TX_CORE_B);
    for (unsigned i = 0; phase_of(tile, TX_CORE_T1) == TX_CORE_RUNS && i < 100000; i++) {
        assert_int_equal(tx_tensix_cycle(tile, i % 2 == 0 ? piece : 1), TX_OK);
    }
    assert_int_equal(tx_tensix_cycle(tile, 8 * NOPS), TX_OK);
    assert_true(tx_idle(m));
    read_dst(m, got);
    unsigned differ = 0;
    for (unsigned i = 0; i < DST_ROWS * DST_COLUMNS; i++) {
        differ += got[i] != cells[1][i] ? 1 : 0;
    }
    tx_tensix_close(tile);
    return differ;
}

static void check(enum tx_arch arch, const struct tx_program *p, const char *name)
{
    static const unsigned pieces[] = {1, 2, 3, 7, 9, 64, 65, 4000};
    static uint32_t words[WORDS];
    for (unsigned kind = 0; kind < KINDS; kind++) {
        const size_t count = kernel(p, kind, words);
        alone(arch, words, count);
        assert_memory_not_equal(cells[0], cells[1], sizeof cells[0]);
        for (unsigned i = 0; i < 2 * (sizeof pieces / sizeof pieces[0]); i++) {
            const unsigned differ = beside(arch, words, count, pieces[i / 2], i % 2 != 0);
            if (differ != 0) {
                fail_msg("%s, %s, kind %u, pieces of %u cycles, %s: %u cells of Dst differ", name,
                         tx_arch_name(arch), kind, pieces[i / 2], i % 2 != 0 ? "sw" : ".ttinsn",
                         differ);
            }
        }
    }
}

static void test_macros(void **state)
{
    (void)state;
    static const char *const names[] = {"where",   "where_distinct", "max_i32",
                                        "mul_i32", "u32_to_u16",     "u32_to_u16_wh"};
    for (unsigned a = 0; a < 2; a++) {
        for (unsigned n = 0; n < sizeof names / sizeof names[0]; n++) {
            struct tx_program *p = assemble(chips[a], names[n]);
            if (tx_program_arch(p) == chips[a]) {
                check(chips[a], p, names[n]);
            }
            tx_program_free(p);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_macros)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
