/* SPDX-License-Identifier: Apache-2.0 */
/* Notes: which inferred or disputed rules a correct program relied on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <tensix/tensix.h>

#include <string.h>

static uint64_t count(const tx_machine *m, const char *id)
{
    const struct tx_evidence *e;
    for (size_t i = 0; (e = tx_evidence_at(i)) != NULL; i++) {
        if (strcmp(e->id, id) == 0) {
            return tx_note_count(m, i);
        }
    }
    fail_msg("no evidence entry %s", id);
    return 0;
}

/* A program that relies on a rule, and one that does the same without. */
static void check(enum tx_arch arch, const char *id, const char *relies, const char *without)
{
    const char *const texts[2] = {without, relies};
    for (unsigned i = 0; i < 2; i++) {
        const struct tx_asm_options options = {.arch = arch};
        struct tx_settings settings;
        struct tx_program *p;
        struct tx_diag diag;
        tx_machine *m;
        tx_settings_default(&settings, arch);
        assert_int_equal(tx_open(&settings, &m), TX_OK);
        if (tx_assemble(texts[i], strlen(texts[i]), &options, &p, &diag) != TX_OK) {
            fail_msg("%s: %s", texts[i], diag.message);
        }
        assert_int_equal(tx_run(m, 1, tx_program_words(p, TX_SECTION_TILE),
                                tx_program_count(p, TX_SECTION_TILE)),
                         TX_OK);
        if ((count(m, id) != 0) != (i == 1)) {
            fail_msg("%s: '%s' gives %u notes", id, texts[i], (unsigned)count(m, id));
        }
        tx_program_free(p);
        tx_close(m);
    }
}

/* SFPMAD at once into L16, which is stored three cycles later. */
#define MACRO_L16                                                                            \
    "sfpmad L12,L0,L10,L0,0\nsfploadi L0,0x5b00,8\nsfploadi L0,0x4400,10\nsfpconfig 4,0,0\n" \
    "sfpconfig 8,3,1\nsfpnop\n"
#define NOPS "sfpnop\nsfpnop\nsfpnop\nsfpnop\n"

static void test_notes(void **state)
{
    (void)state;
    for (int a = TX_WORMHOLE; a <= TX_BLACKHOLE; a++) {
        const enum tx_arch arch = (enum tx_arch)a;
        check(arch, "R1", "sfpmov L12,L1,0", "sfpmov L2,L1,0");
        check(arch, "O-5", "sfpmov L12,L1,0", "sfpmov L2,L1,0");
        check(arch, "O-6", "sfpload L13,0,3,0", "sfpload L3,0,3,0");
        check(arch, "B-2", "sfpstore L13,0,3,0", "sfpstore L3,0,3,0");
        check(arch, "B-5", "sfpshft2 L12,L1,0,3", "sfpshft2 L2,L1,0,3");
        check(arch, "R6", "sfpswap L1,L2,1", "sfpswap L1,L2,0");
        check(arch, "O-20", "sfpshft2 L2,L0,17,6", "sfpshft2 L2,L1,0,3");
        check(arch, "O-17", "sfplutfp32 L1,2", "sfplutfp32 L1,0");
        check(arch, "O-18", "sfpcast L1,L2,1", "sfpcast L1,L2,0");
        check(arch, "O-1", "sfpmov L1,L9,8", "sfpmov L1,L9,0");
        check(arch, "R5", "sfpmov L1,L9,8", "sfpmov L1,L8,8");
        check(arch, "E-FORGET", "sfploadmacro 0,L1,0,3,0", "sfpload L1,0,3,0");
        check(arch, "T-12", "sfpstore L1,0,2,0\nsfpload L2,0,2,0", "sfpstore L1,0,2,0");
        /* The second launch's SFPMAD is under way when the first one's store takes L16. */
        check(arch, "R10",
              MACRO_L16 "sfploadmacro 0,L1,0,3,3\nsfpnop\nsfploadmacro 0,L1,0,3,3\n" NOPS,
              MACRO_L16 "sfploadmacro 0,L1,0,3,3\nsfpnop\nsfpnop\n" NOPS);
        check(arch, "R16", "ttstallwait 256,16", "ttnop");
    }
    check(TX_WORMHOLE, "O-7", "sfpswap L1,L2,0", "sfpnop");
    check(TX_WORMHOLE, "O-10", "sfpshft2 L2,L1,0,4", "sfpshft2 L2,L1,0,3");
    check(TX_BLACKHOLE, "E-SR-3", "SFPSTOCHRND L1,L2,L2,0,1,1", "SFPSTOCHRND L1,L2,L2,0,1,0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_notes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
