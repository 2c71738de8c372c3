/* SPDX-License-Identifier: Apache-2.0 */
/* expand through its public face. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tensix-lab/expand.h>

#include "expand/expand.h"

/*
 * Macro 0 loads a value, squares it into L16 and stores that: what SFPLOADMACRO
 * does in one word takes a load, a multiplication and a store, with a wait for the multiplication.
 */
static const char squares[] = ".arch blackhole\n"
                              ".dst fp32\n"
                              ".init\n"
                              ".template t1, sfpmul VD,L0,L0,0\n"
                              ".sequence 0, simple=none@7 mad=t1@0>L16 round=none@7 store@2<L16\n"
                              ".misc mod0=0 load_mod0=0 instructions=simple,mad,round\n"
                              "    sfpnop\n"
                              ".tile\n"
                              "    sfploadmacro 0,L0,0,3,3\n"
                              "    sfpnop\n"
                              "    sfpnop\n"
                              "    sfpnop\n"
                              "    sfpnop\n";

static struct tx_program *program_of(const char *text)
{
    struct tx_program *program = NULL;
    struct tx_diag diag = {0};
    const struct tx_asm_options how = {.arch = TX_BLACKHOLE};
    if (tx_assemble(text, strlen(text), &how, &program, &diag) != TX_OK) {
        print_message("line %u: %s\n", diag.line, diag.message);
        fail();
    }
    return program;
}

struct told {
    uint64_t calls, last, total, most;
};

static bool tell(void *user, uint64_t done, uint64_t total)
{
    struct told *told = user;
    told->calls++;
    told->last = done;
    told->total = total;
    return done < told->most;
}

static unsigned words_of(const uint32_t *words, size_t count, enum tx_insn_id insn)
{
    unsigned found = 0;
    for (size_t i = 0; i < count; i++) {
        found += tx_insn_id_of(TX_BLACKHOLE, words[i]) == insn ? 1 : 0;
    }
    return found;
}

static void test_straight(void **state)
{
    (void)state;
    struct tx_program *p = program_of(squares);
    struct told told = {.most = UINT64_MAX};
    const struct txl_expand_options how = {
        .size = sizeof how, .tiles = 3, .progress = tell, .user = &told};
    struct txl_error err = {.status = TXL_OK};
    txl_expansion *made = NULL;
    const int result = txl_expand(&err, p, &how, &made);
    if (result != TXL_OK) {
        print_message("%s\n", err.message);
    }
    assert_int_equal(result, TXL_OK);
    size_t count = 0;
    const uint32_t *words = txl_expansion_words(made, &count);
    assert_int_equal(txl_expansion_macros(made), 1);
    assert_int_equal(txl_expansion_tiles(made), 3);
    assert_int_equal(words_of(words, count, TX_INSN_SFPLOADMACRO), 0);
    assert_int_equal(words_of(words, count, TX_INSN_SFPLOAD), 1);
    assert_int_equal(words_of(words, count, TX_INSN_SFPMUL), 1);
    assert_int_equal(words_of(words, count, TX_INSN_SFPSTORE), 1);
    assert_int_equal(words_of(words, count, TX_INSN_SFPMOV), 0);
    assert_null(strstr(txl_expansion_text(made), "sfploadmacro"));
    assert_int_equal(told.last, 3);
    assert_int_equal(told.total, 3);
    txl_expansion_close(made);
    tx_program_free(p);
}

static void test_refusals(void **state)
{
    (void)state;
    struct txl_error err = {.status = TXL_OK};
    struct txl_expand_options how = {.size = sizeof how, .name = "here"};
    txl_expansion *made = NULL;
    struct tx_program *plain = program_of("sfpload L0,0,3,3\nsfpstore L0,0,3,3\n");
    assert_int_equal(txl_expand(&err, plain, &how, &made), TXL_NEGATIVE);
    assert_string_equal(err.message, "here: no SFPLOADMACRO in it");
    assert_null(made);
    txl_error_clear(&err);
    how.size = 1;
    assert_int_equal(txl_expand(&err, plain, &how, &made), TXL_INPUT);
    tx_program_free(plain);

    struct tx_program *p = program_of(squares);
    struct told told = {.most = 2};
    how = (struct txl_expand_options){.size = sizeof how, .progress = tell, .user = &told};
    txl_error_clear(&err);
    assert_int_equal(txl_expand(&err, p, &how, &made), TXL_CANCELLED);
    assert_null(made);
    assert_int_equal(told.last, 2);
    assert_int_equal(told.total, 64);
    txl_expansion_close(NULL);
    tx_program_free(p);
}

/* Every instruction of the Vector Unit is known; what another one might say is refused. */
static void test_unknown(void **state)
{
    (void)state;
    const struct tx_row *abs = NULL;
    for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        const struct tx_row *row = NULL;
        for (size_t i = 0; (row = tx_row_at(arch, i)) != NULL; i++) {
            const bool vector = row->unit >= TX_UNIT_LOAD && row->unit <= TX_UNIT_STORE;
            const char *why =
                vector ? expand_unknown(row, row->reads, row->writes, (enum tx_implied)row->implied)
                       : NULL;
            if (why != NULL) {
                print_message("%s: %s\n", row->id, why);
                fail();
            }
            abs = row->number == TX_ROW_SFPABS ? row : abs;
        }
    }
    /* SFPABS has fields for VC and VD, and for no other register. */
    assert_non_null(expand_unknown(abs, abs->reads | TX_SET(VB), abs->writes, TX_IMPLIED_NOTHING));
    assert_null(expand_unknown(abs, abs->reads | TX_SET(VB), abs->writes, TX_IMPLIED_VB_VD));
    assert_non_null(expand_unknown(abs, abs->reads | TX_SET(VB), abs->writes, TX_IMPLIED_VB_IMM));
    assert_non_null(expand_unknown(abs, abs->reads | TX_SET(VA), abs->writes, TX_IMPLIED_NOTHING));
    assert_non_null(expand_unknown(abs, abs->reads | TX_SET(SRC), abs->writes, TX_IMPLIED_NOTHING));
    assert_non_null(
        expand_unknown(abs, abs->reads, abs->writes | TX_SET(MEMORY), TX_IMPLIED_NOTHING));
    assert_non_null(expand_unknown(abs, abs->reads, abs->writes | TX_SET(VC), TX_IMPLIED_NOTHING));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_straight),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
