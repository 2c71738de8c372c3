/* SPDX-License-Identifier: Apache-2.0 */
/* Random rows, straight and predicated, and what they make of random data. */
#ifndef TESTS_LAB_RANDOM_ROWS_H
#define TESTS_LAB_RANDOM_ROWS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tensix-lab/kernel.h>

enum { TEXT = 4096, TILES = 2 };

struct maker {
    char text[TEXT];
    size_t size;
    uint64_t random;
};

static inline unsigned draw(struct maker *m, unsigned limit)
{
    m->random ^= m->random << 13;
    m->random ^= m->random >> 7;
    m->random ^= m->random << 17;
    return (unsigned)(m->random >> 20) % limit;
}

static inline void put(struct maker *m, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static inline void put(struct maker *m, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(m->text + m->size, TEXT - m->size, format, args);
    va_end(args);
    assert_true(length >= 0 && m->size + (size_t)length < TEXT);
    m->size += (size_t)length;
}

/* L0 and L1 are inputs at first, L2 and L3 are made of them; all four are read and written. */
static inline void instruction(struct maker *m)
{
    const unsigned d = draw(m, 4), s = draw(m, 4), t = draw(m, 4);
    switch (draw(m, 9)) {
    case 0:
        put(m, "sfpnot L%u, L%u\n", d, s);
        break;
    case 1:
        put(m, "sfpmov L%u, L%u, 0\n", d, s);
        break;
    case 2:
        put(m, "sfpmov L%u, L%u, 1\n", d, s);
        break;
    case 3:
        put(m, "sfpiadd L%u, L%u, 0, 4\n", d, s);
        break;
    case 4:
        put(m, "sfpmad L%u, L%u, L%u, L10, 0\nsfpnop\n", d, s, t);
        break;
    case 5:
        put(m, "sfploadi L%u, %u, %u\n", d, 0x3F00 + draw(m, 256), 8 * draw(m, 2));
        put(m, "sfploadi L%u, %u, %u\n", draw(m, 4), draw(m, 65536), 10);
        break;
    case 6:
        put(m, "sfpload L%u, I + 64, 3, 3\n", d);
        break;
    case 7:
        put(m, "sfpshft L%u, L%u, %u, 1\n", d, d, 1 + draw(m, 8));
        break;
    default:
        put(m, "sfpabs L%u, L%u, 1\n", d, s);
        break;
    }
}

static inline void instructions(struct maker *m, unsigned most)
{
    for (unsigned count = 1 + draw(m, most); count != 0; count--) {
        instruction(m);
    }
}

static inline void condition(struct maker *m)
{
    if (draw(m, 5) == 0) {
        put(m, "sfpiadd L%u, L%u, 0, 0\n", draw(m, 4), draw(m, 4)); /* it sets flags, too */
    } else {
        put(m, "sfpsetcc L%u, 0, %u\n", draw(m, 4), 2 * draw(m, 4));
    }
}

/* A condition on a sign that a selection can stand for, on one register or two. */
static inline void sign(struct maker *m)
{
    const bool push = draw(m, 2) == 0;
    const unsigned d = draw(m, 4), c = draw(m, 3) == 0 ? draw(m, 4) : d;
    put(m, "%ssfpsetcc L%u, 0, %u\n", push ? "sfppushc 0\n" : "", c, 4 * draw(m, 2));
    if (draw(m, 2) == 0) {
        put(m, "sfploadi L%u, 0, %u\n", d, draw(m, 3) * 2);
    } else {
        put(m, "sfpmov L%u, L%u, 1\n", d, d);
    }
    put(m, "%s", push ? "sfppopc 0\n" : "sfpencc 3, 10\n");
}

static inline void region(struct maker *m)
{
    switch (draw(m, 6)) {
    case 0:
        condition(m);
        instructions(m, 2);
        put(m, "sfpencc 3, 10\n");
        break;
    case 1:
        put(m, "sfppushc 0\n");
        condition(m);
        instructions(m, 2);
        put(m, "sfppopc 0\n");
        break;
    case 2:
        put(m, "sfppushc 0\n");
        condition(m);
        instructions(m, 2);
        put(m, "sfpcompc\n");
        instructions(m, 2);
        put(m, "sfppopc 0\n");
        break;
    case 3:
    case 4:
        sign(m);
        break;
    default:
        put(m, "sfppushc 0\n");
        condition(m);
        instruction(m);
        put(m, "sfppushc 0\n");
        condition(m);
        instruction(m);
        put(m, "sfppopc 0\n");
        instruction(m);
        put(m, "sfppopc 0\n");
        break;
    }
}

/* A kernel of five rows; plain: without predication. */
static inline void random_kernel(struct maker *m, bool plain)
{
    m->size = 0;
    put(m, ".dst fp32\n.inputs 2\n.start vendor\n.init\nsfpencc 3, 10\nsfpnop\n");
    put(m, ".tile\nI = 0\n.rept 5\n");
    put(m, "sfpload L0, I, 3, 3\nsfpload L1, I + 64, 3, 3\nsfpnot L2, L0\nsfpmov L3, L1, 1\n");
    if (!plain && draw(m, 2) == 0) {
        instruction(m);
    }
    if (plain) {
        instructions(m, 9);
    } else {
        region(m);
    }
    if (!plain && draw(m, 3) == 0) {
        region(m);
    }
    if (!plain && draw(m, 4) == 0) {
        condition(m);
        put(m, "sfpstore L%u, I, 3, 3\nsfpencc 3, 10\n", draw(m, 4));
    } else {
        put(m, "sfpstore L%u, I, 3, 3\n", draw(m, 4));
    }
    put(m, "I = I + 2\n.endr\n");
}

static inline struct tx_program *program_of(enum tx_arch arch, const char *text)
{
    const struct tx_asm_options as = {.arch = arch};
    struct tx_program *program = NULL;
    struct tx_diag diag = {0};
    if (tx_assemble(text, strlen(text), &as, &program, &diag) != TX_OK) {
        fail_msg("line %u: %s\n%s", diag.line, diag.message, text);
    }
    return program;
}

/* Two tiles of two inputs each. */
static inline void random_data(uint64_t seed, uint32_t in[2][TILES][TX_TILE_ELEMENTS])
{
    struct maker data = {.random = seed};
    for (unsigned tile = 0; tile < TILES; tile++) {
        for (unsigned i = 0; i < 2 * TX_TILE_ELEMENTS; i++) {
            in[i / TX_TILE_ELEMENTS][tile][i % TX_TILE_ELEMENTS] =
                draw(&data, 4) == 0 ? draw(&data, 4) << 30 : draw(&data, UINT32_MAX);
        }
    }
}

/* Runs a kernel on them; the results go to out. */
static inline void results(const struct tx_program *program, uint64_t seed,
                           uint32_t out[TILES][TX_TILE_ELEMENTS])
{
    struct tx_settings settings;
    struct tx_kernel_options options;
    static uint32_t in[2][TILES][TX_TILE_ELEMENTS];
    tx_kernel *run = NULL;
    random_data(seed, in);
    tx_settings_default(&settings, tx_program_arch(program));
    tx_kernel_options_default(&options);
    assert_int_equal(tx_kernel_open(&settings, program, &options, &run), TX_OK);
    assert_int_equal(tx_kernel_start(run), TX_OK);
    for (unsigned tile = 0; tile < TILES; tile++) {
        const uint32_t *const inputs[] = {in[0][tile], in[1][tile]};
        assert_int_equal(tx_kernel_tile(run, tile, inputs, out[tile]), TX_OK);
    }
    tx_kernel_close(run);
}

#endif
