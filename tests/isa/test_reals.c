/* SPDX-License-Identifier: Apache-2.0 */
/*
 * isa/reals.def, tables.def, exchanges.def and equivalents.def: that they leave nothing out, and
 * against a second statement, from the ISA pages of the instructions or by running both sides.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include <tensix/isa.h>
#include <tensix/machine.h>

static const struct tx_row *row_of(enum tx_arch arch, uint32_t word)
{
    struct tx_decoded d;
    assert_int_equal(tx_decode(arch, word, &d), TX_OK);
    return d.row;
}

/* Each vector instruction that gives a register a value stands in just one table, for each mode. */
static void test_every_result_is_stated(void **state)
{
    (void)state;
    const uint64_t registers = TX_SET_LREGS | TX_SET(VB) | TX_SET(VC) | TX_SET(VD) | TX_SET(VDX);
    const uint32_t lreg[7] = {0};
    unsigned rows = 0;
    for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        const struct tx_row *row;
        for (size_t i = 0; (row = tx_row_at(arch, i)) != NULL; i++) {
            if (row->unit < TX_UNIT_LOAD || row->unit > TX_UNIT_STORE) {
                continue;
            }
            struct tx_piece piece;
            struct tx_real real;
            const bool gives = (row->writes & registers) != 0;
            rows += gives ? 1 : 0;
            for (unsigned mode = 0; mode < 16; mode++) {
                unsigned tables = (row->reads & TX_SET(DST)) != 0 ? 1 : 0;
                tables += tx_row_terms(row) != NULL ? 1 : 0;
                tables += tx_row_table(row, mode, lreg, &piece) ? 1 : 0;
                tables += tx_row_move(row, 0, 0).source != TX_MOVE_NONE ? 1 : 0;
                tables += tx_row_real(row, mode, &real) ? 1 : 0;
                if ((row->modes >> mode & 1) != 0 && tables != (gives ? 1 : 0)) {
                    fail_msg("%s mode %u: stated in %u tables of isa/", row->id, mode, tables);
                }
            }
        }
    }
    assert_in_range(rows, 100, 200);
    struct tx_real real;
    assert_false(tx_row_real(NULL, 0, &real));
}

static struct tx_real real_of(enum tx_arch arch, uint32_t word)
{
    struct tx_real real = {0};
    const struct tx_row *row = row_of(arch, word);
    if (!tx_row_real(row, word & 15, &real)) {
        fail_msg("%s: nothing stated", row->id);
    }
    return real;
}

/* Operands that a relation names are operands that the row reads. */
static void test_operands_are_read(void **state)
{
    (void)state;
    for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        const struct tx_row *row;
        for (size_t i = 0; (row = tx_row_at(arch, i)) != NULL; i++) {
            for (unsigned mode = 0; mode < 16; mode++) {
                struct tx_real real;
                if (!tx_row_real(row, mode, &real)) {
                    continue;
                }
                for (unsigned k = 0; k < real.operands; k++) {
                    assert_true(real.operand[k] == TX_FLD_VB || real.operand[k] == TX_FLD_VC);
                    const uint64_t set = real.operand[k] == TX_FLD_VB ? TX_SET(VB) : TX_SET(VC);
                    if ((row->reads & set) == 0) {
                        fail_msg("%s: operand %u is not read", row->id, k);
                    }
                }
            }
        }
    }
}

/* The limits of SFPSTOCHRND's integers and the precision of its floats, from its pages. */
static void test_amounts(void **state)
{
    (void)state;
    static const struct {
        uint32_t word, amount;
        enum tx_real_relation relation;
    } cases[] = {
        {0x8e000000, 11, TX_REAL_ROUNDED},    {0x8e000001, 8, TX_REAL_ROUNDED},
        {0x8e000002, 255, TX_REAL_BOUNDED},   {0x8e000003, 127, TX_REAL_BOUNDED},
        {0x8e000006, 65535, TX_REAL_BOUNDED}, {0x8e000007, 32767, TX_REAL_BOUNDED},
        {0x8e000004, 0, TX_REAL_QUOTIENT},    {0x8e00000d, 0, TX_REAL_QUOTIENT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
            const struct tx_real real = real_of(arch, cases[i].word);
            assert_int_equal(real.relation, cases[i].relation);
            assert_int_equal(real.amount, cases[i].amount);
        }
    }
    /* Stochastic, and the undefined mode 3 which is taken for it; SFPCAST mode 1 always. */
    const struct tx_row *round = row_of(TX_BLACKHOLE, 0x8e000001);
    assert_false(tx_row_draws(round, TX_MOD_SFPSTOCHRND_RND_NEAREST));
    assert_true(tx_row_draws(round, TX_MOD_SFPSTOCHRND_RND_STOCH));
    assert_false(tx_row_draws(round, TX_MOD_SFPSTOCHRND_RND_ZERO));
    assert_true(tx_row_draws(row_of(TX_BLACKHOLE, 0x90000001), 0));
    assert_false(tx_row_draws(row_of(TX_BLACKHOLE, 0x90000000), 0));
    assert_false(tx_row_draws(NULL, 1));
}

/* ---- running both sides ---- */

static tx_machine *machine_of(enum tx_arch arch)
{
    struct tx_settings settings;
    tx_machine *m = NULL;
    tx_settings_default(&settings, arch);
    assert_int_equal(tx_open(&settings, &m), TX_OK);
    return m;
}

/* What a word leaves in L0..L3 of registers with numbers of all kinds, ties among them. */
static void run(tx_machine *m, uint32_t word, const unsigned order[4], uint32_t out[4][TX_LANES])
{
    static const uint32_t numbers[] = {0,          0x80000000, 0x3f800000, 0xbf800000,
                                       0x7f800000, 0x00000011, 0xfffffff1, 0x12345678};
    for (unsigned reg = 0; reg < 4; reg++) {
        uint32_t value[TX_LANES];
        for (unsigned lane = 0; lane < TX_LANES; lane++) {
            value[lane] = numbers[(lane * (order[reg] + 3) + lane / 8 + order[reg]) % 8];
        }
        assert_int_equal(tx_write(m, TX_FILE_LREG, reg, value, TX_LANES), TX_OK);
    }
    const uint32_t words[] = {word, TX_INSN_WORD(TX_INSN_SFPNOP), TX_INSN_WORD(TX_INSN_SFPNOP)};
    assert_int_equal(tx_run(m, 0, words, 3), TX_OK);
    for (unsigned reg = 0; reg < 4; reg++) {
        assert_int_equal(tx_read(m, TX_FILE_LREG, reg, out[reg], TX_LANES), TX_OK);
    }
}

/* VD 0, VC 1: with the reverse modifier VD 1, VC 0 ends the same. */
static void test_reverse(void **state)
{
    (void)state;
    static const unsigned order[4] = {0, 1, 2, 3};
    unsigned found = 0;
    for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        tx_machine *m = machine_of(arch);
        for (unsigned mode = 0; mode < 16; mode++) {
            const uint32_t word = TX_INSN_WORD(TX_INSN_SFPSWAP) | 1u << 8 | mode;
            unsigned reverse = 99;
            if (!tx_row_reverse(row_of(arch, word), mode, &reverse)) {
                continue;
            }
            uint32_t a[4][TX_LANES], b[4][TX_LANES];
            run(m, word, order, a);
            run(m, TX_INSN_WORD(TX_INSN_SFPSWAP) | 1u << 4 | reverse, order, b);
            assert_memory_equal(a, b, sizeof a);
            found++;
        }
        tx_close(m);
    }
    assert_int_equal(found, 6); /* 0, 1 and 9 of each chip: no other mode's rows have a reverse */
    unsigned reverse;
    assert_false(tx_row_reverse(row_of(TX_BLACKHOLE, 0x94000003), 3, &reverse));
    assert_false(tx_row_reverse(NULL, 0, &reverse));
}

/* SFPSHFT2 by an immediate of each source register, and the instruction that stands for it. */
static void test_same(void **state)
{
    (void)state;
    static const unsigned order[4] = {0, 1, 2, 3};
    for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        tx_machine *m = machine_of(arch);
        for (unsigned imm = 0; imm < 4096; imm = imm < 64 ? imm + 1 : imm + 61) {
            const unsigned source = imm & 15;
            struct tx_same same;
            uint32_t a[4][TX_LANES], b[4][TX_LANES];
            const uint32_t word = TX_INSN_WORD(TX_INSN_SFPSHFT2) | imm << 12 | 2u << 4 | 6u;
            assert_true(tx_row_same(arch, row_of(arch, word), imm, &same));
            if (source >= 4 || (same.field == TX_FLD_VD && source != 2)) {
                continue;
            }
            uint32_t other = TX_INSN_WORD(same.insn) | same.mode;
            const struct tx_row *row = row_of(arch, other);
            other = tx_row_put(row, TX_FLD_IMM, other, imm);
            other = tx_row_put(row, TX_FLD_VD, other, 2);
            other = tx_row_put(row, TX_FLD_VC, other, same.field == TX_FLD_VC ? source : 0);
            run(m, word, order, a);
            run(m, other, order, b);
            assert_memory_equal(a, b, sizeof a);
        }
        struct tx_same same;
        assert_false(tx_row_same(arch, row_of(arch, 0x94000005), 0, &same));
        tx_close(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_result_is_stated),
        cmocka_unit_test(test_operands_are_read),
        cmocka_unit_test(test_amounts),
        cmocka_unit_test(test_reverse),
        cmocka_unit_test(test_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
