/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cycles measured on cards against those of the emulator: spec/timing.md b.1 (one thread) and b.2.
 * Each body is run so many times and twice as often; the difference per body must lie within 3 %
 * of the measured slope, and docs/evidence.md must show both.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <tensix/tensix.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source_text.h"

enum { REPEATS = 96 };

struct body {
    const char *name;
    const char *chips;
    const char *setup; /* lines of .init */
    const char *lines;
    double measured; /* cycles of one body */
};

#define TEMPLATE(text) "    " text "\n"
#define SEQUENCE(n, value) ".loadi L0, " value "\n    sfpconfig " n ", 0, 0\n"
#define GT "sfpgt L12, L9, 0, 8"

/* Registers are chosen so that no launch reads or writes what another is still writing. */
static const struct body bodies[] = {
    {"NOP (0x02)", "BH WH", "", "ttnop", 1.00},
    {"SFPNOP", "BH WH", "", "sfpnop", 1.00},
    {"SFPMOV", "BH WH", "", "sfpmov L0, L1, 0", 1.00},
    {"SFPABS", "BH WH", "", "sfpabs L0, L1, 0", 1.00},
    {"SFPADD", "BH WH", "", "sfpadd L0, L1, L2, 0", 1.00},
    {"SFPMUL", "BH WH", "", "sfpmul L0, L1, L2, 0", 1.00},
    {"SFPMAD", "BH WH", "", "sfpmad L0, L1, L2, L3, 0", 1.00},
    {"DMANOP", "BH WH", "", "ttdmanop", 1.00},
    {"SETDMAREG", "BH WH", "", "ttsetdmareg 0, 0, 0, 0", 1.00},
    {"SETRWC", "BH WH", "", "ttsetrwc 0, 0, 0, 0, 0, 0", 1.00},
    {"INCRWC", "BH WH", "", "ttincrwc 0, 0, 0, 0", 1.00},
    {"SFPLOAD", "BH", "", "sfpload L0, 0, 3, 3", 1.000},
    {"SFPSWAP", "BH", "", "sfpswap L0, L1, 1", 2.000},
    {"SFPLOAD; SFPIADD", "BH", "", "sfpload L0, 0, 4, 3\nsfpiadd L1, L0, 0, 4", 2.000},
    {"SFPLOADMACRO (load, SFPGT d1); SFPIADD", "BH",
     TEMPLATE(GT) SEQUENCE("4", "0x0000004c") "    sfpconfig 8, 0x000, 1\n",
     "sfploadmacro 0, L0, 0, 4, 3\nsfpiadd L1, L2, 0, 4", 1.998},
    {"SFPLOADMACRO (load, SFPGT d0, SFPMAD d1 to L16)", "BH",
     TEMPLATE(GT) TEMPLATE("sfpmad L13, L9, L9, L0, 0")
         SEQUENCE("4", "0x00004d04") "    sfpconfig 8, 0x000, 1\n",
     "sfploadmacro 0, L0, 0, 4, 3\nsfploadmacro 0, L1, 2, 4, 3", 2 * 1.002},
    {"SFPLOADMACRO (load, SFPGT d0, store d1)", "BH",
     TEMPLATE(GT) SEQUENCE("4", "0x0b000004") "    sfpconfig 8, 0x004, 1\n",
     "sfploadmacro 0, L0, 0, 4, 3\nsfploadmacro 0, L1, 2, 4, 3", 2 * 1.003},
    {"SFPLOADMACRO (load, SFPEXEXP)", "BH",
     TEMPLATE("sfpexexp L12, L0, 0") SEQUENCE("4", "0x00000004") "    sfpconfig 8, 0x000, 1\n",
     "sfploadmacro 0, L0, 0, 4, 3\nsfploadmacro 0, L1, 2, 4, 3", 2 * 1.000},
    {"SFPLOADMACRO five wide, eight registers in turn", "BH",
     TEMPLATE("sfpexexp L12, L0, 0") TEMPLATE("sfpmul24 L13, L9, L9, 0") TEMPLATE(
         "sfpshft2 L14, L0, 9, 6") SEQUENCE("4", "0x635e0d04") "    sfpconfig 8, 0x004, 1\n",
     "sfploadmacro 0, L0, 0, 4, 3\nsfploadmacro 0, L1, 2, 4, 3\nsfploadmacro 0, L2, 4, 4, 3\n"
     "sfploadmacro 0, L3, 6, 4, 3\nsfploadmacro 0, L4, 9, 4, 3\nsfploadmacro 0, L5, 11, 4, 3\n"
     "sfploadmacro 0, L6, 13, 4, 3\nsfploadmacro 0, L7, 15, 4, 3",
     8 * 1.000},
    {"SFPLOADMACRO (d4); SFPSHFT; SFPIADD; SFPSHFT2; SFPIADD", "BH",
     TEMPLATE(GT) SEQUENCE("4", "0x00000064") "    sfpconfig 8, 0x000, 1\n",
     "sfploadmacro 0, L0, 0, 4, 3\nsfpshft L1, L2, 1, 5\nsfpiadd L3, L2, 0, 4\n"
     "sfpshft2 L4, L2, L3, 5\nsfpiadd L5, L2, 0, 4",
     5.000},
    {"18 SFPSWAP and 7 SFPTRANSP (bitonic_top8 body)", "BH", "",
     "sfpswap L0, L1, 1\nsfpswap L2, L3, 1\nsfpswap L4, L5, 1\nsfptransp\n"
     "sfpswap L0, L1, 1\nsfpswap L2, L3, 1\nsfpswap L4, L5, 1\nsfptransp\n"
     "sfpswap L0, L1, 1\nsfpswap L2, L3, 1\nsfpswap L4, L5, 1\nsfptransp\n"
     "sfpswap L0, L1, 1\nsfpswap L2, L3, 1\nsfpswap L4, L5, 1\nsfptransp\n"
     "sfpswap L0, L1, 1\nsfpswap L2, L3, 1\nsfpswap L4, L5, 1\nsfptransp\n"
     "sfpswap L0, L1, 1\nsfpswap L2, L3, 1\nsfptransp\nsfpswap L4, L5, 1\nsfptransp",
     44},
};

/* Cycles of so many bodies, all results written. */
static uint64_t cycles_of(const struct body *b, enum tx_arch arch, unsigned count)
{
    static char text[1 << 17];
    const struct tx_asm_options how = {.arch = arch, .force_arch = true};
    struct tx_settings settings;
    struct tx_kernel_options options;
    struct tx_program *program;
    struct tx_diag diag;
    tx_kernel *kernel;
    snprintf(text, sizeof text, ".dst fp32\n.init\n%s    sfpnop\n.tile\n.rept %u\n%s\n.endr\n",
             b->setup, count, b->lines);
    if (tx_assemble(text, strlen(text), &how, &program, &diag) != TX_OK) {
        fail_msg("%s: %s: %s", b->name, diag.source, diag.message);
    }
    tx_settings_default(&settings, arch);
    tx_kernel_options_default(&options);
    assert_int_equal(tx_kernel_open(&settings, program, &options, &kernel), TX_OK);
    assert_int_equal(tx_kernel_start(kernel), TX_OK);
    tx_machine *m = tx_kernel_machine(kernel);
    const struct tx_counters before = tx_machine_counters(m);
    assert_int_equal(tx_run(m, 1, tx_program_words(program, TX_SECTION_TILE),
                            tx_program_count(program, TX_SECTION_TILE)),
                     TX_OK);
    const uint64_t cycles = tx_machine_counters(m).cycles - before.cycles;
    /* A template that became SFPNOP, or a dropped instruction, would take as long (b.2). */
    for (size_t i = 0; i < tx_finding_count(m); i++) {
        const char *rule = tx_finding_at(m, i)->rule;
        if (strcmp(rule, "E-DST") != 0 && strcmp(rule, "E-ADD") != 0) {
            fail_msg("%s: %s: %s", b->name, rule, tx_finding_at(m, i)->message);
        }
    }
    tx_kernel_close(kernel);
    tx_program_free(program);
    return cycles;
}

static void test_slopes(void **state)
{
    (void)state;
    char *document = source_text("docs/evidence.md", NULL);
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        const struct body *b = &bodies[i];
        for (int arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
            char row[200];
            if (strstr(b->chips, arch == TX_BLACKHOLE ? "BH" : "WH") == NULL) {
                continue;
            }
            const uint64_t once = cycles_of(b, (enum tx_arch)arch, REPEATS);
            const uint64_t twice = cycles_of(b, (enum tx_arch)arch, 2 * REPEATS);
            const double slope = (double)(twice - once) / REPEATS;
            if (slope > 1.03 * b->measured || slope < 0.97 * b->measured) {
                fail_msg("%s: %.3f cycles predicted, %.3f measured", b->name, slope, b->measured);
            }
            snprintf(row, sizeof row, "| %s | %s | %.3f | %.3f |", b->name, b->chips, b->measured,
                     slope);
            if (strstr(document, row) == NULL) {
                fail_msg("docs/evidence.md lacks %s", row);
            }
        }
    }
    free(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_slopes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
