/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words of cores, decoded and computed. Words by GNU as 2.40 (-march=rv32ima_zicsr_zifencei), what
 * they say and compute by The RISC-V Instruction Set Manual 20240411.
 */
#include <tensix/tile.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { PC = 0x1000, NOTHING = 0 };
#define X(n) (1u << (n))

static const struct {
    uint32_t word;
    enum tx_core_kind kind;
    enum tx_core_insn_id id;
    uint32_t imm, reads;
    uint8_t rd, rs1, rs2, size;
    bool extends;
    bool computes;
    uint32_t a, b, value; /* of rs1 and rs2, and what comes of them at PC */
} words[] = {
    {0x12345537, TX_CORE_KIND_COMPUTE, TX_CORE_INSN_LUI, 0x12345000, NOTHING, 10, 0, 0, 0, false,
     true, 7, 9, 0x12345000},
    {0xFFFFF597, TX_CORE_KIND_COMPUTE, TX_CORE_INSN_AUIPC, 0xFFFFF000, NOTHING, 11, 0, 0, 0, false,
     true, 7, 9, 0},
    {0xFFF58513, TX_CORE_KIND_COMPUTE, TX_CORE_INSN_ADDI, 0xFFFFFFFF, X(11), 10, 11, 0, 0, false,
     true, 7, 9, 6},
    {0xFFE11603, TX_CORE_KIND_LOAD, TX_CORE_INSN_LH, 0xFFFFFFFE, X(2), 12, 2, 0, 2, true, true,
     0x100, 9, 0xFE},
    {0x0FF6C603, TX_CORE_KIND_LOAD, TX_CORE_INSN_LBU, 255, X(13), 12, 13, 0, 1, false, true, 1, 9,
     256},
    {0xFEE12E23, TX_CORE_KIND_STORE, TX_CORE_INSN_SW, 0xFFFFFFFC, X(2) | X(14), 0, 2, 14, 4, false,
     true, 0x100, 9, 0xFC},
    {0x7EF80FA3, TX_CORE_KIND_STORE, TX_CORE_INSN_SB, 2047, X(15) | X(16), 0, 16, 15, 1, false,
     true, 1, 9, 2048},
    {0xFE6296E3, TX_CORE_KIND_BRANCH, TX_CORE_INSN_BNE, 0xFFFFFFEC, X(5) | X(6), 0, 5, 6, 0, false,
     true, 7, 9, PC - 20},
    {0xFE6296E3, TX_CORE_KIND_BRANCH, TX_CORE_INSN_BNE, 0xFFFFFFEC, X(5) | X(6), 0, 5, 6, 0, false,
     true, 9, 9, PC + 4},
    {0x7EB57FE3, TX_CORE_KIND_BRANCH, TX_CORE_INSN_BGEU, 4094, X(10) | X(11), 0, 10, 11, 0, false,
     true, 0x80000000, 1, PC + 4094},
    {0x800000EF, TX_CORE_KIND_JAL, TX_CORE_INSN_JAL, 0xFFF00000, NOTHING, 1, 0, 0, 0, false, true,
     7, 9, 0xFFF01000},
    {0x00008067, TX_CORE_KIND_JALR, TX_CORE_INSN_JALR, 0, X(1), 0, 1, 0, 0, false, true, 0x2001, 9,
     0x2000},
    {0x41F4D413, TX_CORE_KIND_COMPUTE, TX_CORE_INSN_SRAI, 31, X(9), 8, 9, 0, 0, false, true,
     0x80000000, 9, 0xFFFFFFFF},
    {0x03EEBE33, TX_CORE_KIND_COMPUTE, TX_CORE_INSN_MULHU, 0, X(29) | X(30), 28, 29, 30, 0, false,
     true, 0x80000000, 6, 3},
    {0x00B6252F, TX_CORE_KIND_ATOMIC, TX_CORE_INSN_AMOADD_W, 0, X(11) | X(12), 10, 12, 11, 4, false,
     true, 0x40, 9, 0x40},
    {0x7C05A573, TX_CORE_KIND_CSR, TX_CORE_INSN_CSRRS, 0x7C0, X(11), 10, 11, 0, 0, false, false, 7,
     9, 0},
    {0x7C0AD573, TX_CORE_KIND_CSR, TX_CORE_INSN_CSRRWI, 0x7C0, NOTHING, 10, 0, 0, 0, false, false,
     7, 9, 0},
    {0x0FF0000F, TX_CORE_KIND_FENCE, TX_CORE_INSN_FENCE, 0, NOTHING, 0, 0, 0, 0, false, false, 7, 9,
     0},
    {0x0000100F, TX_CORE_KIND_FENCE, TX_CORE_INSN_FENCE_I, 0, NOTHING, 0, 0, 0, 0, false, false, 7,
     9, 0},
    {0x00100073, TX_CORE_KIND_SYSTEM, TX_CORE_INSN_EBREAK, 0, NOTHING, 0, 0, 0, 0, false, false, 7,
     9, 0},
    /* .ttinsn holds the pushed word turned left by two (isa BabyRISCV/README 2c2c43b). */
    {0x08000000, TX_CORE_KIND_PUSH, TX_CORE_INSN_NONE, 0x02000000, NOTHING, 0, 0, 0, 0, false,
     false, 7, 9, 0},
    {0xFFFFFFFF, TX_CORE_KIND_NONE, TX_CORE_INSN_NONE, 0, NOTHING, 0, 0, 0, 0, false, false, 7, 9,
     0},
};

static void test_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        struct tx_core_decoded d;
        uint32_t value = 0;
        tx_core_decode(TX_BLACKHOLE, words[i].word, &d);
        assert_int_equal(d.kind, words[i].kind);
        assert_int_equal(d.id, words[i].id);
        assert_int_equal(d.word, words[i].word);
        assert_int_equal(d.imm, words[i].imm);
        assert_int_equal(d.reads, words[i].reads);
        assert_int_equal(d.rd, words[i].rd);
        assert_int_equal(d.rs1, words[i].rs1);
        assert_int_equal(d.rs2, words[i].rs2);
        assert_int_equal(d.size, words[i].size);
        assert_int_equal(d.extends, words[i].extends);
        const bool fence = d.id == TX_CORE_INSN_FENCE; /* its fields are ignored */
        if (d.id != TX_CORE_INSN_NONE && d.kind != TX_CORE_KIND_CSR) {
            assert_int_equal(tx_core_encode(d.id, d.rd, d.rs1, d.rs2, d.imm),
                             fence ? 0x0000000F : words[i].word);
        }
        assert_int_equal(tx_core_compute(&d, PC, words[i].a, words[i].b, &value),
                         words[i].computes);
        assert_int_equal(value, words[i].value);
    }
}

static void test_encode(void **state)
{
    (void)state;
    assert_int_equal(tx_core_encode(TX_CORE_INSN_CSRRS, 10, 11, 0, 0x7C0), 0x7C05A573);
    assert_int_equal(tx_core_encode(TX_CORE_INSN_CSRRWI, 10, 21, 0, 0x7C0), 0x7C0AD573);
    assert_int_equal(tx_core_encode(TX_CORE_INSN_NONE, 1, 1, 1, 1), 0);
    assert_int_equal(tx_core_encode((enum tx_core_insn_id)0x7FFFFFFF, 1, 1, 1, 1), 0);
}

/*
 * Which bit of the immediate each bit of a word holds, from bit 31 down: the figure "RISC-V base
 * instruction formats showing immediate variants" (2.3) of the manual. -1: none.
 */
#define NO_7 -1, -1, -1, -1, -1, -1, -1
static const struct format {
    char name;
    int low, high; /* immediates from low on, before high */
    unsigned step;
    int8_t bits[32];
} formats[] = {
    {'B', -4096, 4096, 2, {12, 10, 9,  8,  7,  6,  5,  -1, -1, -1, -1, -1, -1,
                           -1, -1, -1, -1, -1, -1, -1, 4,  3,  2,  1,  11, NO_7}},
    {'S', -2048, 2048, 1, {11, 10, 9,  8,  7,  6,  5,  -1, -1, -1, -1, -1, -1,
                           -1, -1, -1, -1, -1, -1, -1, 4,  3,  2,  1,  0,  NO_7}},
    {'I', -2048, 2048, 1, {11, 10, 9,  8,  7,  6,  5,  4,  3,  2,  1,  0,  -1,
                           -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, NO_7}},
    {'J', -1048576, 1048576, 2, {20, 10, 9,  8,  7,  6,  5,  4,  3,  2,  1,  11, 19,
                                 18, 17, 16, 15, 14, 13, 12, -1, -1, -1, -1, -1, NO_7}},
};

/* Instructions by name, their format, opcode and funct3 ("RV32I base instruction set", 35). */
static const struct {
    enum tx_core_insn_id id;
    char format;
    uint32_t opcode, funct3;
} coded[] = {
    {TX_CORE_INSN_BEQ, 'B', 0x63, 0},  {TX_CORE_INSN_BNE, 'B', 0x63, 1},
    {TX_CORE_INSN_BLT, 'B', 0x63, 4},  {TX_CORE_INSN_BGE, 'B', 0x63, 5},
    {TX_CORE_INSN_BLTU, 'B', 0x63, 6}, {TX_CORE_INSN_BGEU, 'B', 0x63, 7},
    {TX_CORE_INSN_SB, 'S', 0x23, 0},   {TX_CORE_INSN_SH, 'S', 0x23, 1},
    {TX_CORE_INSN_SW, 'S', 0x23, 2},   {TX_CORE_INSN_LB, 'I', 0x03, 0},
    {TX_CORE_INSN_LHU, 'I', 0x03, 5},  {TX_CORE_INSN_ADDI, 'I', 0x13, 0},
    {TX_CORE_INSN_ANDI, 'I', 0x13, 7}, {TX_CORE_INSN_JALR, 'I', 0x67, 0},
    {TX_CORE_INSN_JAL, 'J', 0x6F, 0},
};

static uint32_t placed(const struct format *f, int imm)
{
    uint32_t word = 0;
    for (unsigned i = 0; i < 32; i++) {
        if (f->bits[i] >= 0 && ((uint32_t)imm >> f->bits[i] & 1u) != 0) {
            word |= 1u << (31 - i);
        }
    }
    return word;
}

/* Every immediate that a format can hold, forth and back, with registers that change with it. */
static void test_immediates(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof coded / sizeof coded[0]; i++) {
        const struct format *f = formats;
        while (f->name != coded[i].format) {
            f++;
        }
        const bool d = f->name == 'I' || f->name == 'J';
        const bool a = f->name != 'J';
        const bool b = f->name == 'B' || f->name == 'S';
        uint32_t r = 1;
        for (int imm = f->low; imm < f->high; imm += (int)f->step) {
            r = r * 1103515245u + 12345u;
            const uint32_t rd = d ? r >> 27 : 0, rs1 = a ? r >> 22 & 31 : 0;
            const uint32_t rs2 = b ? r >> 17 & 31 : 0;
            const uint32_t word = placed(f, imm) | rs2 << 20 | rs1 << 15 | coded[i].funct3 << 12 |
                                  rd << 7 | coded[i].opcode;
            struct tx_core_decoded decoded;
            if (tx_core_encode(coded[i].id, rd, rs1, rs2, (uint32_t)imm) != word) {
                fail_msg("insn %zu with %d is not %08x", i, imm, word);
            }
            tx_core_decode(TX_WORMHOLE, word, &decoded);
            if (decoded.id != coded[i].id || decoded.imm != (uint32_t)imm || decoded.rd != rd ||
                decoded.rs1 != rs1 || decoded.rs2 != rs2) {
                fail_msg("%08x is not insn %zu with %d", word, i, imm);
            }
        }
    }
}

/* Wormhole's cores have neither atomics nor CSRs (isa BabyRISCV/README 2c2c43b). */
static void test_chips(void **state)
{
    (void)state;
    static const uint32_t only_blackhole[] = {0x00B6252F, 0x7C05A573, 0x7C0AD573};
    for (unsigned i = 0; i < 3; i++) {
        struct tx_core_decoded d;
        tx_core_decode(TX_WORMHOLE, only_blackhole[i], &d);
        assert_int_equal(d.kind, TX_CORE_KIND_NONE);
        tx_core_decode(TX_ARCH_NONE, only_blackhole[i], &d);
        assert_int_equal(d.kind, TX_CORE_KIND_NONE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_words), cmocka_unit_test(test_encode),
                                       cmocka_unit_test(test_immediates),
                                       cmocka_unit_test(test_chips)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
