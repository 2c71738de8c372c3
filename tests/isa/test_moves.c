/* SPDX-License-Identifier: Apache-2.0 */
/*
 * isa/moves.def and isa/multiply_add.def against what the ISA pages of SFPTRANSP, SFPSHFT2, SFPMAD,
 * SFPMULI and SFPADDI say, stated here a second time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "isa/moves.h"

#include <string.h>

static const struct tx_row *row_of(enum tx_arch arch, uint32_t word)
{
    struct tx_decoded d;
    assert_int_equal(tx_decode(arch, word, &d), TX_OK);
    return d.row;
}

static void check(enum tx_arch arch, uint32_t word, unsigned to, unsigned lane,
                  struct tx_move expected)
{
    const struct tx_move from = tx_row_move(row_of(arch, word), to, lane);
    if (from.source != expected.source ||
        ((from.source == TX_MOVE_LREG) && from.reg != expected.reg) ||
        ((from.source == TX_MOVE_LREG || from.source == TX_MOVE_VC) &&
         from.lane != expected.lane)) {
        fail_msg("%08x L%u lane %u: source %u L%u lane %u", (unsigned)word, to, lane, from.source,
                 from.reg, from.lane);
    }
}

#define FROM(what, number, at) \
    ((struct tx_move){.source = TX_MOVE_##what, .reg = (uint8_t)(number), .lane = (uint8_t)(at)})

static void test_moves(void **state)
{
    (void)state;
    enum { TRANSP = 0x8c000000, SHFT2 = 0x94000000 };
    for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        for (unsigned lane = 0; lane < 32; lane++) {
            const unsigned row = lane / 8, column = lane % 8;
            const unsigned left = 8 * row + (column + 7) % 8;
            for (unsigned i = 0; i < 4; i++) {
                /* Row j of register i and row i of register j change places. */
                check(arch, TRANSP, i, lane, FROM(LREG, row, 8 * i + column));
                check(arch, TRANSP, 4 + i, lane, FROM(LREG, 4 + row, 8 * i + column));
            }
            for (unsigned i = 0; i < 3; i++) {
                for (unsigned mode = 0; mode < 3; mode++) {
                    check(arch, SHFT2 | mode, i, lane, FROM(LREG, i + 1, lane));
                }
            }
            check(arch, SHFT2, 3, lane, FROM(ZERO, 0, 0));
            check(arch, SHFT2 | 1, 3, lane, row < 3 ? FROM(LREG, 0, lane + 8) : FROM(ZERO, 0, 0));
            check(arch, SHFT2 | 2, 3, lane, FROM(VC, 0, left));
            check(arch, SHFT2 | 3, 6, lane, FROM(VC, 0, left));
            check(arch, SHFT2 | 4, 6, lane,
                  column > 0             ? FROM(VC, 0, left)
                  : arch == TX_BLACKHOLE ? FROM(ZERO, 0, 0)
                                         : FROM(LATCH, 0, 0));
            check(arch, SHFT2 | 5, 6, lane, FROM(NONE, 0, 0));
            check(arch, 0x84000000, 6, lane, FROM(NONE, 0, 0));
        }
        check(arch, SHFT2, 4, 0, FROM(NONE, 0, 0)); /* writes L0..L3 only */
        check(arch, TRANSP, 0, 32, FROM(NONE, 0, 0));
    }
    assert_int_equal(tx_row_move(NULL, 0, 0).source, TX_MOVE_NONE);
}

/* A row whose body is the table has lines there, and no other has. */
static void test_every_move_has_lines(void **state)
{
    (void)state;
    static const struct {
        enum isa_row_id row;
        const char *body;
    } rows[] = {
#define LANE(body) "LANE"
#define WHOLE(body) #body
#define UNIT(body) "UNIT"
#define ROW(id, mnemonic, chips, format, modes, legal, unit, latency, body_, ...) \
    {ROWID_##id, body_},
#include "isa/isa.def"
#undef ROW
    };
    unsigned found = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        unsigned count;
        (void)isa_moves(rows[i].row, &count);
        const bool moves = strcmp(rows[i].body, "moves") == 0;
        assert_int_equal(moves, count > 0);
        found += count;
    }
    assert_int_equal(found, 23);
}

static void test_terms(void **state)
{
    (void)state;
    static const struct {
        uint32_t word;
        uint8_t x, y, z, product, addend;
    } cases[] = {
        {0x84000000, TX_TERM_VA, TX_TERM_VB, TX_TERM_VC, 1, 2},    /* SFPMAD */
        {0x85000000, TX_TERM_VA, TX_TERM_VB, TX_TERM_VC, 1, 2},    /* SFPADD */
        {0x86000000, TX_TERM_VA, TX_TERM_VB, TX_TERM_VC, 1, 2},    /* SFPMUL */
        {0x74000000, TX_TERM_IMM, TX_TERM_VC, TX_TERM_ZERO, 2, 0}, /* SFPMULI */
        {0x75000000, TX_TERM_IMM, TX_TERM_ONE, TX_TERM_VC, 0, 2},  /* SFPADDI */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct tx_terms *t = tx_row_terms(row_of(TX_BLACKHOLE, cases[i].word));
        assert_non_null(t);
        assert_int_equal(t->x, cases[i].x);
        assert_int_equal(t->y, cases[i].y);
        assert_int_equal(t->z, cases[i].z);
        assert_int_equal(t->product, cases[i].product);
        assert_int_equal(t->addend, cases[i].addend);
    }
    assert_null(tx_row_terms(row_of(TX_BLACKHOLE, 0x98000000))); /* SFPMUL24 */
    assert_null(tx_row_terms(row_of(TX_BLACKHOLE, 0x73000000))); /* SFPLUT */
    assert_null(tx_row_terms(NULL));
}

/* Coefficients of SFPLUT are s.e3.m4, FF is 0; of SFPLUTFP32 FP16 without specials. */
static void test_tables(void **state)
{
    (void)state;
    uint32_t l[7] = {0x00001234, 0x0000FF01, 0x000090FF, 0x3F000000, 0, 0, 0};
    struct tx_piece p;
    const struct tx_row *lut = row_of(TX_BLACKHOLE, 0x73000000);
    assert_true(tx_row_table(lut, 4, l, &p));
    assert_int_equal(p.piece, 0);
    assert_true(p.retain && !p.whole);
    assert_int_equal(p.a, 0x3F100000); /* 12: 1.125 / 2 */
    assert_int_equal(p.c, 0x3E200000); /* 34: 1.25 / 8 */
    l[3] = 0xBF800000;                 /* |L3| = 1 */
    assert_true(tx_row_table(lut, 0, l, &p));
    assert_int_equal(p.piece, 1);
    assert_int_equal(p.a, 0);
    assert_false(p.retain);
    l[3] = 0x7FC00000; /* NaN takes the last one */
    assert_true(tx_row_table(lut, 0, l, &p));
    assert_int_equal(p.piece, 2);
    assert_int_equal(p.a, 0xBF000000); /* 90: -1 / 2 */
    assert_int_equal(p.c, 0);
    const struct tx_row *six = row_of(TX_BLACKHOLE, 0x95000002);
    l[1] = 0x3C004000; /* 1.0 above, 2.0 below */
    l[5] = 0xFC003800; /* exponent 31 is 0; 0.5 */
    l[3] = 0x3FC00000; /* 1.5: the upper half of the second piece */
    assert_true(tx_row_table(six, 2, l, &p));
    assert_int_equal(p.piece, 1);
    assert_int_equal(p.a, 0x3F800000);
    assert_int_equal(p.c, 0);
    l[3] = 0x3FA00000; /* 1.25: the lower one */
    assert_true(tx_row_table(six, 2, l, &p));
    assert_int_equal(p.a, 0x40000000);
    assert_int_equal(p.c, 0x3F000000);
    assert_false(tx_row_table(row_of(TX_BLACKHOLE, 0x84000000), 0, l, &p));
    assert_false(tx_row_table(NULL, 0, l, &p));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moves),
        cmocka_unit_test(test_every_move_has_lines),
        cmocka_unit_test(test_terms),
        cmocka_unit_test(test_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
