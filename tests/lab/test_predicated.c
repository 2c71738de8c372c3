/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tensix-lab/schedule.h: random predicated rows. What is found gives the results of the kernel on
 * random data, on the reference engine here and on the others in the proof, and what is not found
 * is never a schedule that the proof refused: the rules for flags alone must suffice.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tensix-lab/kernel.h>
#include <tensix-lab/schedule.h>

enum { TEXT = 4096, TILES = 2 };

struct maker {
    char text[TEXT];
    size_t size;
    uint64_t random;
};

static unsigned draw(struct maker *m, unsigned limit)
{
    m->random ^= m->random << 13;
    m->random ^= m->random >> 7;
    m->random ^= m->random << 17;
    return (unsigned)(m->random >> 20) % limit;
}

static void put(struct maker *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct maker *m, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(m->text + m->size, TEXT - m->size, format, args);
    va_end(args);
    assert_true(length >= 0 && m->size + (size_t)length < TEXT);
    m->size += (size_t)length;
}

/* L0 and L1 are inputs at first, L2 and L3 are made of them; all four are read and written. */
static void instruction(struct maker *m)
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

static void instructions(struct maker *m, unsigned most)
{
    for (unsigned count = 1 + draw(m, most); count != 0; count--) {
        instruction(m);
    }
}

static void condition(struct maker *m)
{
    if (draw(m, 5) == 0) {
        put(m, "sfpiadd L%u, L%u, 0, 0\n", draw(m, 4), draw(m, 4)); /* it sets flags, too */
    } else {
        put(m, "sfpsetcc L%u, 0, %u\n", draw(m, 4), 2 * draw(m, 4));
    }
}

static void region(struct maker *m)
{
    switch (draw(m, 4)) {
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

static void kernel(struct maker *m)
{
    m->size = 0;
    put(m, ".dst fp32\n.inputs 2\n.start vendor\n.init\nsfpencc 3, 10\nsfpnop\n");
    put(m, ".tile\nI = 0\n.rept 5\n");
    put(m, "sfpload L0, I, 3, 3\nsfpload L1, I + 64, 3, 3\nsfpnot L2, L0\nsfpmov L3, L1, 1\n");
    if (draw(m, 2) == 0) {
        instruction(m);
    }
    region(m);
    if (draw(m, 3) == 0) {
        region(m);
    }
    if (draw(m, 4) == 0) {
        condition(m);
        put(m, "sfpstore L%u, I, 3, 3\nsfpencc 3, 10\n", draw(m, 4));
    } else {
        put(m, "sfpstore L%u, I, 3, 3\n", draw(m, 4));
    }
    put(m, "I = I + 2\n.endr\n");
}

static struct tx_program *program_of(enum tx_arch arch, const char *text)
{
    const struct tx_asm_options as = {.arch = arch};
    struct tx_program *program = NULL;
    struct tx_diag diag = {0};
    if (tx_assemble(text, strlen(text), &as, &program, &diag) != TX_OK) {
        fail_msg("line %u: %s\n%s", diag.line, diag.message, text);
    }
    return program;
}

/* Runs two tiles of random data; the results go to out. */
static void results(const struct tx_program *program, uint64_t seed,
                    uint32_t out[TILES][TX_TILE_ELEMENTS])
{
    struct maker data = {.random = seed};
    struct tx_settings settings;
    struct tx_kernel_options options;
    static uint32_t in[2][TX_TILE_ELEMENTS];
    tx_kernel *run = NULL;
    tx_settings_default(&settings, tx_program_arch(program));
    tx_kernel_options_default(&options);
    assert_int_equal(tx_kernel_open(&settings, program, &options, &run), TX_OK);
    assert_int_equal(tx_kernel_start(run), TX_OK);
    for (unsigned tile = 0; tile < TILES; tile++) {
        for (unsigned i = 0; i < 2 * TX_TILE_ELEMENTS; i++) {
            in[i / TX_TILE_ELEMENTS][i % TX_TILE_ELEMENTS] =
                draw(&data, 4) == 0 ? draw(&data, 4) << 30 : draw(&data, UINT32_MAX);
        }
        const uint32_t *const inputs[] = {in[0], in[1]};
        assert_int_equal(tx_kernel_tile(run, tile, inputs, out[tile]), TX_OK);
    }
    tx_kernel_close(run);
}

static bool one(enum tx_arch arch, struct maker *m)
{
    static uint32_t before[TILES][TX_TILE_ELEMENTS], after[TILES][TX_TILE_ELEMENTS];
    const struct txl_schedule_options how = {
        .size = sizeof how, .nodes = 1000, .domain = "bf16xbf16", .sample = 1024};
    struct txl_error err = {.status = TXL_OK};
    txl_schedule *schedule = NULL;
    kernel(m);
    struct tx_program *straight = program_of(arch, m->text);
    const int result = txl_schedule_find(&err, straight, &how, &schedule);
    if (result != TXL_OK) {
        static const char *const wrong[] = {"gives other", "with a finding", "takes", "line"};
        for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
            if (result != TXL_NEGATIVE || strstr(err.message, wrong[i]) != NULL) {
                fail_msg("%s\n%s", err.message, m->text);
            }
        }
    } else {
        struct tx_program *fast = program_of(arch, txl_schedule_text(schedule));
        results(straight, m->random, before);
        results(fast, m->random, after);
        if (memcmp(before, after, sizeof before) != 0) {
            fail_msg("other results:\n%s\n%s", m->text, txl_schedule_text(schedule));
        }
        tx_program_free(fast);
    }
    txl_schedule_close(schedule);
    tx_program_free(straight);
    return result == TXL_OK;
}

static unsigned count = 5;

static void rows(enum tx_arch arch, uint64_t seed)
{
    struct maker m = {.random = seed};
    unsigned found = 0;
    for (unsigned i = 0; i < count; i++) {
        found += one(arch, &m);
    }
    printf("%u of %u rows scheduled on %s\n", found, count, tx_arch_name(arch));
    assert_true(5 * found >= 4 * count);
}

static void test_blackhole(void **state)
{
    (void)state;
    rows(TX_BLACKHOLE, 0x9E3779B97F4A7C15);
}

static void test_wormhole(void **state)
{
    (void)state;
    rows(TX_WORMHOLE, 0xC2B2AE3D27D4EB4F);
}

/* test_predicated [COUNT] */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blackhole),
        cmocka_unit_test(test_wormhole),
    };
    count = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : count;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
