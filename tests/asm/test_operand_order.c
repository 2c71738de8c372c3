/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Errors of operands tell the order of the operands. The orders expected here are those of the
 * vendor's disassembler (objdump) and of the macros of ckernel_ops.h.
 */
#include <tensix/asm.h>
#include <tensix/isa.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* An error of an operand says how the instruction is written; others say nothing of the kind. */
static void syntax_is(enum tx_arch arch, const char *text, const char *expected)
{
    const struct tx_asm_options options = {.arch = arch};
    struct tx_program *program = NULL;
    struct tx_diag diag;
    assert_int_not_equal(tx_assemble(text, strlen(text), &options, &program, &diag), TX_OK);
    assert_string_equal(diag.syntax, expected);
}

static void test_operand_order(void **state)
{
    (void)state;
    /* The vendor's assembler and its macros differ: the result comes first, or next to last. */
    static const char mad[] = "sfpmad lreg_dest,lreg_src_a,lreg_src_b,lreg_src_c,instr_mod1";
    static const char macro[] =
        "TTI_SFPMAD(lreg_src_a, lreg_src_b, lreg_src_c, lreg_dest, instr_mod1)";
    static const char *const wrong[] = {"sfpmad",
                                        "sfpmad L0,L1",
                                        "sfpmad L0,L1,L2,L3,0,1",
                                        "sfpmad L0,L1,L2,L3,0 x",
                                        "sfpmad L0 L1",
                                        "sfpmad L99,L1,L2,L3,0",
                                        "sfpmad L0,L1,L2,L3,16",
                                        "sfpmad L0,L1,L2,L3,FOO",
                                        "sfpmad L0,L1,L2,L3,0 !bar=1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        syntax_is(TX_BLACKHOLE, wrong[i], mad);
    }
    syntax_is(TX_BLACKHOLE, "TTI_SFPMAD(1,2)", macro);
    syntax_is(TX_BLACKHOLE, "SFPMAD(1,2,3,4,16)", macro);
    syntax_is(TX_BLACKHOLE, "TTI_SFPMAD 1,2", macro);
    syntax_is(TX_BLACKHOLE, "ttnop 1", "ttnop");
    syntax_is(TX_WORMHOLE, "ttpacr 1",
              "ttpacr AddrMode,ZeroWrite,PackSel,OvrdThreadId,Concat,Flush,Last");
    syntax_is(TX_BLACKHOLE, "sfpmadd L4", "");
    syntax_is(TX_BLACKHOLE, ".word FOO", "");
    syntax_is(TX_BLACKHOLE, "sfpmad L0,L1,L2,L3,0\n.word FOO", "");
    char cut[8];
    assert_string_equal(
        tx_insn_syntax(tx_insn_find(TX_BLACKHOLE, "sfpmad"), false, cut, sizeof cut), "sfpmad ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_operand_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
