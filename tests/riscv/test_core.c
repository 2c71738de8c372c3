/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every instruction of a core, one by one. Words: GNU as 2.40. Results of arithmetic: Python
 * integers. What the chips add to the manual: spec/tile.md 1 and 18.
 */
#include "riscv/rig.h"

static struct rig rig;

/* ---- arithmetic: gp = ra op sp ---- */

static const uint32_t operands[3][2] = {
    {0x800F0185, 0x00000013}, {0x80000000, 0xFFFFFFFF}, {0x00345600, 0x00000000}};

static const struct {
    const char *name;
    uint32_t word;
    bool both;
    uint32_t result[3];
} arithmetic[] = {
    {"add", 0x002081b3, true, {0x800F0198, 0x7FFFFFFF, 0x00345600}},
    {"sub", 0x402081b3, true, {0x800F0172, 0x80000001, 0x00345600}},
    {"sll", 0x002091b3, true, {0x0C280000, 0x00000000, 0x00345600}},
    {"slt", 0x0020a1b3, true, {0x00000001, 0x00000001, 0x00000000}},
    {"sltu", 0x0020b1b3, true, {0x00000000, 0x00000001, 0x00000000}},
    {"xor", 0x0020c1b3, true, {0x800F0196, 0x7FFFFFFF, 0x00345600}},
    {"srl", 0x0020d1b3, true, {0x00001001, 0x00000001, 0x00345600}},
    {"sra", 0x4020d1b3, true, {0xFFFFF001, 0xFFFFFFFF, 0x00345600}},
    {"or", 0x0020e1b3, true, {0x800F0197, 0xFFFFFFFF, 0x00345600}},
    {"and", 0x0020f1b3, true, {0x00000001, 0x80000000, 0x00000000}},
    {"addi", 0xfff08193, true, {0x800F0184, 0x7FFFFFFF, 0x003455FF}},
    {"slti", 0xfff0a193, true, {0x00000001, 0x00000001, 0x00000000}},
    {"sltiu", 0xfff0b193, true, {0x00000001, 0x00000001, 0x00000001}},
    {"xori", 0xfff0c193, true, {0x7FF0FE7A, 0x7FFFFFFF, 0xFFCBA9FF}},
    {"ori", 0x07f0e193, true, {0x800F01FF, 0x8000007F, 0x0034567F}},
    {"andi", 0xf000f193, true, {0x800F0100, 0x80000000, 0x00345600}},
    {"slli", 0x00409193, true, {0x00F01850, 0x00000000, 0x03456000}},
    {"srli", 0x0040d193, true, {0x0800F018, 0x08000000, 0x00034560}},
    {"srai", 0x4040d193, true, {0xF800F018, 0xF8000000, 0x00034560}},
    {"lui", 0xabcde1b7, true, {0xABCDE000, 0xABCDE000, 0xABCDE000}},
    {"auipc", 0x00001197, true, {0x00003000, 0x00003000, 0x00003000}},
    {"mul", 0x022081b3, true, {0x811D1CDF, 0x80000000, 0x00000000}},
    {"mulh", 0x022091b3, true, {0xFFFFFFF6, 0x00000000, 0x00000000}},
    {"mulhsu", 0x0220a1b3, true, {0xFFFFFFF6, 0x80000000, 0x00000000}},
    {"mulhu", 0x0220b1b3, true, {0x00000009, 0x7FFFFFFF, 0x00000000}},
    {"div", 0x0220c1b3, true, {0xF9442881, 0x80000000, 0xFFFFFFFF}},
    {"divu", 0x0220d1b3, true, {0x06BD6BDE, 0x00000000, 0xFFFFFFFF}},
    {"rem", 0x0220e1b3, true, {0xFFFFFFF2, 0x00000000, 0x00345600}},
    {"remu", 0x0220f1b3, true, {0x0000000B, 0x80000000, 0x00345600}},
    {"sh1add", 0x2020a1b3, false, {0x001E031D, 0xFFFFFFFF, 0x0068AC00}},
    {"sh2add", 0x2020c1b3, false, {0x003C0627, 0xFFFFFFFF, 0x00D15800}},
    {"sh3add", 0x2020e1b3, false, {0x00780C3B, 0xFFFFFFFF, 0x01A2B000}},
    {"andn", 0x4020f1b3, false, {0x800F0184, 0x00000000, 0x00345600}},
    {"orn", 0x4020e1b3, false, {0xFFFFFFED, 0x80000000, 0xFFFFFFFF}},
    {"xnor", 0x4020c1b3, false, {0x7FF0FE69, 0x80000000, 0xFFCBA9FF}},
    {"clz", 0x60009193, false, {0x00000000, 0x00000000, 0x0000000A}},
    {"ctz", 0x60109193, false, {0x00000000, 0x0000001F, 0x00000009}},
    {"cpop", 0x60209193, false, {0x00000009, 0x00000001, 0x00000007}},
    {"sext.b", 0x60409193, false, {0xFFFFFF85, 0x00000000, 0x00000000}},
    {"sext.h", 0x60509193, false, {0x00000185, 0x00000000, 0x00005600}},
    {"min", 0x0a20c1b3, false, {0x800F0185, 0x80000000, 0x00000000}},
    {"minu", 0x0a20d1b3, false, {0x00000013, 0x80000000, 0x00000000}},
    {"max", 0x0a20e1b3, false, {0x00000013, 0xFFFFFFFF, 0x00345600}},
    {"maxu", 0x0a20f1b3, false, {0x800F0185, 0xFFFFFFFF, 0x00345600}},
    {"rol", 0x602091b3, false, {0x0C2C0078, 0x40000000, 0x00345600}},
    {"ror", 0x6020d1b3, false, {0xE030B001, 0x00000001, 0x00345600}},
    {"rori", 0x6080d193, false, {0x85800F01, 0x00800000, 0x00003456}},
    {"orc.b", 0x2870d193, false, {0xFFFFFFFF, 0xFF000000, 0x00FFFF00}},
    {"rev8", 0x6980d193, false, {0x85010F80, 0x00000080, 0x00563400}},
    {"brev8", 0x6870d193, false, {0x01F080A1, 0x01000000, 0x002C6A00}},
    {"pack", 0x0820c1b3, false, {0x00130185, 0xFFFF0000, 0x00005600}},
    {"zext.h", 0x0800c1b3, false, {0x00000185, 0x00000000, 0x00005600}},
};

static void test_arithmetic(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof arithmetic / sizeof arithmetic[0]; i++) {
        for (unsigned k = 0; k < 6; k++) {
            const enum tx_arch arch = k < 3 ? TX_BLACKHOLE : TX_WORMHOLE;
            rig_open(&rig, arch, RISCV_T0, (i & 1u) != 0);
            rig.core.s.x[1] = operands[k % 3][0];
            rig.core.s.x[2] = operands[k % 3][1];
            rig.core.s.x[3] = 0x5EED;
            RIG_RUN(&rig, arithmetic[i].word);
            assert_int_equal(rig.core.s.phase, RISCV_PAUSED);
            assert_int_equal(rig.core.s.instret, 2);
            const bool there = arch == TX_BLACKHOLE || arithmetic[i].both;
            if (rig.core.s.x[3] != (there ? arithmetic[i].result[k % 3] : 0x5EED)) {
                fail_msg("%s of %08x: %08x", arithmetic[i].name, operands[k % 3][0],
                         rig.core.s.x[3]);
            }
            assert_int_equal(rig.findings[RISCV_FINDING_ILLEGAL], !there);
            assert_int_equal(rig.finding_count, !there);
            assert_int_equal(rig.core.s.x[0], 0);
        }
    }
}

/* x0 stays 0, whatever is written to it. */
static void test_zero(void **state)
{
    (void)state;
    rig_open(&rig, TX_WORMHOLE, RISCV_T0, false);
    RIG_RUN(&rig, 0x00500013 /* addi x0, x0, 5 */, 0x00000193 /* addi x3, x0, 0 */,
            0x0002A003 /* lw x0, 0(x5) */, 0x00000233 /* add x4, x0, x0 */);
    assert_int_equal(rig.core.s.x[3] | rig.core.s.x[4] | rig.core.s.x[0], 0);
}

/* ---- memory ---- */

static void test_memory(void **state)
{
    (void)state;
    static const uint32_t bases[2] = {RIG_DATA, 0xFFB00100};
    for (unsigned k = 0; k < 4; k++) {
        rig_open(&rig, TX_BLACKHOLE, RISCV_T0, (k & 2u) != 0);
        rig.core.s.x[1] = bases[k & 1u];
        rig.core.s.x[2] = 0x80FF7F81;
        RIG_RUN(&rig, 0x0020A223 /* sw sp, 4(ra) */, 0x0040A183 /* lw gp, 4(ra) */,
                0x00308093 /* addi ra, ra, 3 */, 0x00108203 /* lb tp, 1(ra) */,
                0x0010C283 /* lbu t0, 1(ra) */, 0x00309303 /* lh t1, 3(ra) */,
                0x0030D383 /* lhu t2, 3(ra) */, 0x002080A3 /* sb sp, 1(ra) */,
                0x002091A3 /* sh sp, 3(ra) */, 0x0010A403 /* lw s0, 1(ra) */);
        const uint32_t *x = rig.core.s.x;
        assert_int_equal(x[3], 0x80FF7F81);
        assert_int_equal(x[4], 0xFFFFFF81);
        assert_int_equal(x[5], 0x00000081);
        assert_int_equal(x[6], 0xFFFF80FF);
        assert_int_equal(x[7], 0x000080FF);
        assert_int_equal(x[8], 0x7F817F81);
        assert_int_equal(rig.finding_count, 0);
        assert_int_equal(rig.logged, 0);
        /* What is written to L1 is marked byte by byte. */
        assert_int_equal(rig.written[RIG_DATA / 8], (k & 1u) != 0 ? 0 : 0xF0);
    }
}

static void test_memory_limits(void **state)
{
    (void)state;
    static const struct {
        enum tx_arch arch;
        enum riscv_core who;
        uint32_t size;
    } rams[] = {{TX_WORMHOLE, RISCV_B, 4096},   {TX_WORMHOLE, RISCV_NC, 4096},
                {TX_WORMHOLE, RISCV_T1, 2048},  {TX_BLACKHOLE, RISCV_B, 8192},
                {TX_BLACKHOLE, RISCV_T2, 4096}, {TX_BLACKHOLE, RISCV_NC, 8192}};
    for (unsigned i = 0; i < 6; i++) {
        rig_open(&rig, rams[i].arch, rams[i].who, false);
        rig.core.s.x[1] = 0xFFB00000 + rams[i].size - 4;
        RIG_RUN(&rig, 0x0010A023 /* sw ra, 0(ra) */, 0x0000A183 /* lw gp, 0(ra) */,
                0x0010A223 /* sw ra, 4(ra) */, 0x0040A203 /* lw tp, 4(ra) */);
        assert_int_equal(rig.core.s.x[3], rig.core.s.x[1]);
        assert_int_equal(rig.findings[RISCV_FINDING_STORE], 1);
        assert_int_equal(rig.findings[RISCV_FINDING_LOAD], 1);
        assert_int_equal(rig.core.s.phase, RISCV_HUNG);
        assert_int_equal(rig.core.s.pc, RIG_CODE + 12);
        assert_int_equal(rig.finding_pc, RIG_CODE + 12);
        assert_int_equal(rig.finding_word, 0x0040A203);
        assert_int_equal(rig.finding_address, rig.core.s.x[1] + 4);
    }
}

static void test_unaligned(void **state)
{
    (void)state;
    rig_open(&rig, TX_BLACKHOLE, RISCV_B, true);
    rig.core.s.x[1] = RIG_DATA + 2;
    rig.core.s.x[2] = 0x01020304;
    RIG_RUN(&rig, 0x0020A023 /* sw sp, 0(ra) */, 0x00109183 /* lh gp, 1(ra) */,
            0x0000A203 /* lw tp, 0(ra) */);
    assert_int_equal(rig_get32(&rig, RIG_DATA), 0x01020304);
    assert_int_equal(rig.core.s.x[4], 0x01020304);
    assert_int_equal(rig.core.s.x[3], 0x0102);
    assert_int_equal(rig.findings[RISCV_FINDING_UNALIGNED], 3);
}

/* Widths of what lies outside, and who reaches it. */
static void test_outside(void **state)
{
    (void)state;
    for (int timed = 0; timed < 2; timed++) {
        rig_open(&rig, TX_BLACKHOLE, RISCV_T1, timed != 0);
        rig.answer = 0xA1B2C3D4;
        rig.core.s.x[1] = 0xFFB121F0;
        rig.core.s.x[2] = 0x77;
        RIG_RUN(&rig, 0x0040A183 /* lw gp, 4(ra) */, 0x0030C203 /* lbu tp, 3(ra) */,
                0x00209123 /* sh sp, 2(ra) */, 0x0020A223 /* sw sp, 4(ra) */,
                0xFFE00337 /* lui t1, 0xffe00 */, 0x00235383 /* lhu t2, 2(t1) */);
        assert_int_equal(rig.core.s.x[3], 0xA1B2C3D4);
        assert_int_equal(rig.core.s.x[4], 0xA1);
        assert_int_equal(rig.core.s.x[7], 0xA1B2);
        assert_int_equal(rig.findings[RISCV_FINDING_NARROW_LOAD], 1);
        assert_int_equal(rig.findings[RISCV_FINDING_NARROW_STORE], 1);
        assert_int_equal(rig.finding_count, 2);
        assert_int_equal(rig.logged, 4);
        unsigned stores = 0;
        for (unsigned i = 0; i < 4; i++) {
            if (rig.log[i].address == 0xFFB121F4 && rig.log[i].value == 0x77) {
                stores++;
            }
            assert_int_equal(rig.log[i].size, 4);
        }
        assert_int_equal(stores, 1);
    }
    /* NC reaches nothing from 0xFFE00000 on; MOP configuration cannot be read. */
    assert_null(riscv_region(TX_BLACKHOLE, RISCV_NC, 0xFFE80020));
    assert_non_null(riscv_region(TX_BLACKHOLE, RISCV_T0, 0xFFE80020));
    assert_null(riscv_region(TX_WORMHOLE, RISCV_T0, 0xFFBD8000));
    assert_null(riscv_region(TX_BLACKHOLE, RISCV_T0, 0xFFE00100));
    assert_non_null(riscv_region(TX_BLACKHOLE, RISCV_B, 0xFFE002FC));
    assert_null(riscv_region(TX_BLACKHOLE, RISCV_T0, 0xFFE50000));
    assert_null(riscv_region(TX_BLACKHOLE, RISCV_NC, 0xFFB11024));
    assert_non_null(riscv_region(TX_WORMHOLE, RISCV_NC, 0xFFB11024));
    rig_open(&rig, TX_BLACKHOLE, RISCV_T1, false);
    RIG_RUN(&rig, 0xFFB800B7 /* lui ra, 0xffb80 */, 0x0000A023 /* sw zero, 0(ra) */,
            0x0000A083 /* lw ra, 0(ra) */);
    assert_int_equal(rig.logged, 1);
    assert_int_equal(rig.core.s.phase, RISCV_HUNG);
}

static void test_atomics(void **state)
{
    (void)state;
    /* value in memory 0xFFFFFFF0, operand 0x0000000F */
    static const struct {
        uint32_t word, after;
    } rows[] = {{0x0020A1AF, 0xFFFFFFFF}, {0x0820A1AF, 0x0000000F},
                {0x2020A1AF, 0xFFFFFFFF}, {0x4020A1AF, 0xFFFFFFFF},
                {0x6020A1AF, 0x00000000}, {0x8020A1AF, 0xFFFFFFF0},
                {0xA020A1AF, 0x0000000F}, {0xC020A1AF, 0x0000000F},
                {0xE020A1AF, 0xFFFFFFF0}, {0x0620A1AF /* aq, rl */, 0xFFFFFFFF}};
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (int timed = 0; timed < 2; timed++) {
            rig_open(&rig, TX_BLACKHOLE, RISCV_T0, timed != 0);
            rig_put32(&rig, RIG_DATA, 0xFFFFFFF0);
            rig.core.s.x[1] = RIG_DATA;
            rig.core.s.x[2] = 0x0000000F;
            RIG_RUN(&rig, rows[i].word);
            assert_int_equal(rig.core.s.x[3], 0xFFFFFFF0);
            assert_int_equal(rig_get32(&rig, RIG_DATA), rows[i].after);
            assert_int_equal(rig.finding_count, 0);
        }
    }
    rig_open(&rig, TX_WORMHOLE, RISCV_T0, false);
    RIG_RUN(&rig, rows[0].word);
    assert_int_equal(rig.findings[RISCV_FINDING_ILLEGAL], 1);
    rig_open(&rig, TX_BLACKHOLE, RISCV_T0, true);
    rig.core.s.x[1] = 0xFFB00000;
    RIG_RUN(&rig, rows[0].word);
    assert_int_equal(rig.findings[RISCV_FINDING_ATOMIC], 1);
    assert_int_equal(rig.core.s.phase, RISCV_HUNG);
}

/* ---- control ---- */

static void test_branches(void **state)
{
    (void)state;
    /* to +16, or on; taken for (1, 1), (1, 2), (-1, 1) */
    static const struct {
        uint32_t word;
        bool taken[3];
    } rows[] = {{0x00208863, {true, false, false}}, {0x00209863, {false, true, true}},
                {0x0020C863, {false, true, true}},  {0x0020D863, {true, false, false}},
                {0x0020E863, {false, true, false}}, {0x0020F863, {true, false, true}}};
    static const uint32_t pairs[3][2] = {{1, 1}, {1, 2}, {0xFFFFFFFF, 1}};
    for (unsigned i = 0; i < 6; i++) {
        for (unsigned k = 0; k < 6; k++) {
            rig_open(&rig, TX_WORMHOLE, RISCV_T0, k < 3);
            rig.core.s.x[1] = pairs[k % 3][0];
            rig.core.s.x[2] = pairs[k % 3][1];
            RIG_RUN(&rig, rows[i].word, EBREAK, NOP, NOP, NOP);
            assert_int_equal(rig.core.s.pc, rows[i].taken[k % 3] ? RIG_CODE + 24 : RIG_CODE + 8);
        }
    }
}

static void test_jumps(void **state)
{
    (void)state;
    rig_open(&rig, TX_BLACKHOLE, RISCV_T0, false);
    rig_put32(&rig, RIG_CODE + 0x800, 0x003181E7); /* jalr gp, 3(gp): to link + 2, bit 1 lost */
    RIG_RUN(&rig, 0x001001EF /* jal gp, .+2048 */, EBREAK);
    assert_int_equal(rig.core.s.x[3], RIG_CODE + 0x804);
    assert_int_equal(rig.core.s.pc, RIG_CODE + 8);
    assert_int_equal(rig.findings[RISCV_FINDING_JUMP], 1);
    rig_open(&rig, TX_BLACKHOLE, RISCV_T0, false);
    rig_put32(&rig, RIG_CODE + 0x800, 0x001181E7); /* jalr gp, 1(gp): bit 0 is cleared */
    RIG_RUN(&rig, 0x001001EF, EBREAK);
    assert_int_equal(rig.core.s.pc, RIG_CODE + 8);
    assert_int_equal(rig.finding_count, 0);
}

static void test_pauses(void **state)
{
    (void)state;
    rig_open(&rig, TX_WORMHOLE, RISCV_T0, true);
    RIG_RUN(&rig, 0x00000073 /* ecall */, NOP);
    assert_int_equal(rig.core.s.phase, RISCV_PAUSED);
    assert_int_equal(rig.core.s.pc, RIG_CODE + 4); /* T8: behind it */
    assert_int_equal(rig.core.s.broke, 1);
    assert_int_equal(rig.finding_count, 0);
    rig_open(&rig, TX_BLACKHOLE, RISCV_T0, true);
    RIG_RUN(&rig, 0x00000073);
    assert_int_equal(rig.findings[RISCV_FINDING_ECALL], 1);
    assert_int_equal(rig.core.s.phase, RISCV_PAUSED);
    /* mret: B and NC of Blackhole */
    rig_open(&rig, TX_BLACKHOLE, RISCV_NC, true);
    rig_put32(&rig, RIG_CODE + 0x40, EBREAK);
    RIG_RUN(&rig, 0x000020B7 /* lui ra, 2 */, 0x04008093 /* addi ra, ra, 0x40 */,
            0xBCA09073 /* csrw 0xbca, ra */, 0x30200073);
    assert_int_equal(rig.core.s.pc, RIG_CODE + 0x44);
    rig_open(&rig, TX_BLACKHOLE, RISCV_T0, true);
    RIG_RUN(&rig, 0x30200073);
    assert_int_equal(rig.findings[RISCV_FINDING_ILLEGAL], 1);
    assert_int_equal(rig.core.s.pc, RIG_CODE + 8);
}

static void test_nowhere(void **state)
{
    (void)state;
    rig_open(&rig, TX_BLACKHOLE, RISCV_T0, true);
    RIG_RUN(&rig, 0xFFB000B7 /* lui ra, 0xffb00 */, 0x00008067 /* ret */);
    assert_int_equal(rig.core.s.phase, RISCV_STOPPED);
    assert_int_equal(rig.core.s.pc, 0xFFB00000);
    assert_int_equal(rig.findings[RISCV_FINDING_FETCH], 1);
    assert_int_equal(riscv_run(&rig.core, 100), 0);
}

/* ---- .ttinsn ---- */

static void test_push(void **state)
{
    (void)state;
    /* spec/tile.md 18.1: ttsetc16 13,0; ttmop 1,0,0; ttnop; ttdmanop */
    static const uint32_t rotated[4] = {0xC8340002, 0x06000000, 0x08000000, 0x80000001};
    static const uint32_t plain[4] = {0xB20D0000, 0x01800000, 0x02000000, 0x60000000};
    for (unsigned k = 0; k < 8; k++) {
        const enum tx_arch arch = (k & 1u) != 0 ? TX_BLACKHOLE : TX_WORMHOLE;
        rig_open(&rig, arch, (k & 2u) != 0 ? RISCV_B : RISCV_T2, (k & 4u) != 0);
        RIG_RUN(&rig, rotated[0], rotated[1], rotated[2], rotated[3], rotated[0], 0x0FF0000F);
        riscv_run(&rig.core, 20);
        assert_int_equal(rig.logged, 5);
        for (unsigned i = 0; i < 5; i++) {
            assert_int_equal(rig.log[i].address, 0xFFE40000);
            assert_int_equal(rig.log[i].value, plain[i % 4]);
            assert_int_equal(rig.log[i].region, (k & 2u) != 0 ? REGION_PUSH_B : REGION_PUSH_T);
        }
        assert_int_equal(rig.core.s.instret, 7);
        assert_int_equal(rig.finding_count, 0);
    }
    rig_open(&rig, TX_BLACKHOLE, RISCV_NC, true);
    RIG_RUN(&rig, rotated[0]);
    assert_int_equal(rig.logged, 0);
    assert_int_equal(rig.findings[RISCV_FINDING_NO_PUSH], 1);
}

/* ---- CSRs ---- */

static uint32_t csr_read(enum riscv_core who, uint32_t number, unsigned *findings)
{
    rig_open(&rig, TX_BLACKHOLE, who, false);
    RIG_RUN(&rig, number << 20 | 0x000021F3 /* csrr gp */);
    *findings = rig.finding_count;
    return rig.core.s.x[3];
}

static void test_csr_reset(void **state)
{
    (void)state;
    static const struct {
        uint32_t number, value;
        bool t2;
    } rows[] = {{0x003, 0, false},         {0x008, 0, true},           {0x009, 0, true},
                {0x00A, 0, true},          {0x300, 0x80006600, false}, {0x301, 0x40201123, false},
                {0x320, 0, false},         {0x323, 0, false},          {0x324, 0, false},
                {0x7C0, 16u << 13, false}, {0x7C1, 0, false},          {0x7C2, 0, false},
                {0x7C3, 0, false},         {0x7C4, 0, false},          {0x7C5, 0, false},
                {0x7C6, 0, false},         {0xB03, 0, false},          {0xB04, 0, false},
                {0xB83, 0, false},         {0xB84, 0, false},          {0xC03, 0, false},
                {0xC84, 0, false},         {0xBC0, 0x11, false},       {0xBC1, 0x22, false},
                {0xBCA, 0, false},         {0xC20, 0, true},           {0xC21, 0, true},
                {0xC22, 16, true},         {0xF14, 0, false}};
    unsigned findings;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(csr_read(RISCV_T2, rows[i].number, &findings), rows[i].value);
        assert_int_equal(findings, 0);
        assert_int_equal(csr_read(RISCV_B, rows[i].number, &findings),
                         rows[i].t2 ? 0 : rows[i].value);
        assert_int_equal(findings, rows[i].t2);
    }
    static const uint32_t missing[] = {0x001, 0x002, 0xC01, 0xF11, 0x342, 0xC05};
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(csr_read(RISCV_T0, missing[i], &findings), 0);
        assert_int_equal(rig.findings[RISCV_FINDING_CSR], 1);
    }
    /* sstatus: scratch on B, a view of streams that is not modelled on T cores */
    for (uint32_t n = 0xBC2; n <= 0xBC9; n++) {
        assert_int_equal(csr_read(RISCV_B, n, &findings) | findings, 0);
        assert_int_equal(csr_read(RISCV_T0, n, &findings), 0);
        assert_int_equal(rig.findings[RISCV_FINDING_CSR_PART], 1);
    }
}

static void test_csr_forms(void **state)
{
    (void)state;
    rig_open(&rig, TX_BLACKHOLE, RISCV_T0, true);
    rig.core.s.x[1] = 0x00040002; /* as firmware begins: csrs 7c0 */
    RIG_RUN(&rig, 0x7C00A1F3 /* csrrs gp */, 0x7C00B273 /* csrrc tp, ra */,
            0x7C0092F3 /* csrrw t0, ra */, 0x7C0AE373 /* csrrsi t1, 21 */,
            0x7C0AF3F3 /* csrrci t2, 21 */, 0x7C0AD473 /* csrrwi s0, 21 */,
            0x7C0024F3 /* csrr s1 */);
    const uint32_t *x = rig.core.s.x;
    assert_int_equal(x[3], 0x00020000);
    assert_int_equal(x[4], 0x00060002);
    assert_int_equal(x[5], 0x00020000);
    assert_int_equal(x[6], 0x00040002);
    assert_int_equal(x[7], 0x00040017);
    assert_int_equal(x[8], 0x00040002);
    assert_int_equal(x[9], 21);
    assert_int_equal(rig.finding_count, 0);
    /* Those that cannot be written say so; reading with rs1 = x0 is no write. */
    rig_open(&rig, TX_BLACKHOLE, RISCV_T0, true);
    RIG_RUN(&rig, 0x300011F3 /* csrrw gp, mstatus, x0 */, 0x30002273 /* csrr tp, mstatus */);
    assert_int_equal(rig.findings[RISCV_FINDING_CSR_WRITE], 1);
    assert_int_equal(rig.core.s.x[4], 0x80006600);
    /* Wormhole has none. */
    rig_open(&rig, TX_WORMHOLE, RISCV_T0, true);
    RIG_RUN(&rig, 0x7C0024F3);
    assert_int_equal(rig.findings[RISCV_FINDING_ILLEGAL], 1);
}

static void test_csr_counters(void **state)
{
    (void)state;
    rig_open(&rig, TX_BLACKHOLE, RISCV_T0, false);
    rig.core.s.x[1] = 0xFFFFFFFE;
    RIG_RUN(&rig, 0xB02021F3 /* csrr gp, minstret */, NOP, 0xC0202273 /* csrr tp, instret */,
            0xC0009073 /* csrw cycle, ra */, NOP, NOP, 0xB80022F3 /* csrr t0, mcycleh */,
            0xC0002373 /* csrr t1, cycle */, 0x32025073 /* csrwi mcountinhibit, 4 */,
            0xB02023F3 /* csrr t2, minstret */, NOP, 0xB0202473 /* csrr s0, minstret */,
            0x32005073 /* csrwi mcountinhibit, 0 */, 0xB02024F3 /* csrr s1, minstret */);
    const uint32_t *x = rig.core.s.x;
    assert_int_equal(x[4] - x[3], 2);
    assert_int_equal(x[5], 1); /* it has overflowed */
    assert_int_equal(x[6], 2);
    assert_int_equal(x[7], x[8]);
    assert_int_equal(x[9], x[8] + 1);
    /* What the event counters could count is not public. */
    rig_open(&rig, TX_BLACKHOLE, RISCV_T0, false);
    RIG_RUN(&rig, 0x3230D073 /* csrwi mhpmevent3, 1 */);
    assert_int_equal(rig.findings[RISCV_FINDING_CSR_PART], 1);
}

/* ---- reset, stale code, snapshots ---- */

static void test_reset(void **state)
{
    (void)state;
    rig_open(&rig, TX_BLACKHOLE, RISCV_T0, true);
    RIG_RUN(&rig, 0x7C00D073 /* csrwi cfg0, 1 */, 0x00500093 /* li ra, 5 */,
            0xFFB00137 /* lui sp, 0xffb00 */, 0x00112023 /* sw ra, 0(sp) */);
    assert_int_equal(rig.core.s.ram[0], 5);
    riscv_hold(&rig.core);
    assert_int_equal(riscv_run(&rig.core, 10), 0);
    riscv_release(&rig.core, 0x6000, true);
    assert_int_equal(rig.core.s.ram[0], 5);
    assert_int_equal(rig.core.s.pc, 0x6000);
    assert_int_equal(rig.core.s.x[1], 0);
    assert_int_equal(rig.core.s.csr[CSR_CFG0], 16u << 13);
    assert_int_equal(rig.core.s.phase, RISCV_RUNS);
    riscv_hold(&rig.core);
    riscv_release(&rig.core, 0x6000, false);
    assert_int_equal(rig.core.s.ram[0], 0);
}

static void test_stale(void **state)
{
    (void)state;
    rig_open(&rig, TX_BLACKHOLE, RISCV_T0, false);
    RIG_RUN(&rig, NOP);
    RIG_RUN(&rig, 0x00700093 /* li ra, 7 */);
    assert_int_equal(rig.core.s.x[1], 7);
    assert_int_equal(rig.findings[RISCV_FINDING_STALE], 1);
    riscv_drop_cache(&rig.core);
    RIG_RUN(&rig, 0x00800093);
    assert_int_equal(rig.core.s.x[1], 8);
    assert_int_equal(rig.findings[RISCV_FINDING_STALE], 1);
}

/* From a copy of its state a core goes on as it did, to the cycle. */
static void test_snapshot(void **state)
{
    (void)state;
    static struct riscv_state copy, first;
    static uint8_t l1[RIG_L1];
    rig_open(&rig, TX_BLACKHOLE, RISCV_T0, true);
    const uint32_t loop[] = {0x000080B7 /* lui ra, 8 */,
                             0x0000A103 /* lw sp, 0(ra) */,
                             0x00310113 /* addi sp, sp, 3 */,
                             0x0220C1B3 /* div gp, ra, sp */,
                             0x0020A023 /* sw sp, 0(ra) */,
                             0x01408093 /* addi ra, ra, 20 */,
                             0xFE3096E3 /* bne ra, gp, .-20 */};
    for (unsigned i = 0; i < 7; i++) {
        rig_put32(&rig, RIG_CODE + 4 * i, loop[i]);
    }
    riscv_run(&rig.core, 333);
    copy = rig.core.s;
    memcpy(l1, rig.l1, sizeof l1);
    riscv_run(&rig.core, 500);
    first = rig.core.s;
    rig.core.s = copy;
    memcpy(rig.l1, l1, sizeof l1);
    riscv_restored(&rig.core);
    riscv_run(&rig.core, 500);
    assert_memory_equal(&rig.core.s, &first, sizeof first);
}

static void test_text(void **state)
{
    (void)state;
    static const struct {
        uint32_t word;
        const char *text;
    } rows[] = {{0x002081B3, "add gp, ra, sp"},
                {0x00209183, "lh gp, 2(ra)"},
                {0x0020A223, "sw sp, 4(ra)"},
                {0x001001EF, "jal gp, 0x2800"},
                {0x7C0AD1F3, "csrrwi gp, 0x7c0, 21"},
                {0x0020A1AF, "amoadd.w gp, sp, (ra)"},
                {0xABCDE1B7, "lui gp, 0xabcde"},
                {0xC8340002, ".ttinsn 0xb20d0000"},
                {0x00208863, "beq ra, sp, 0x2010"},
                {0xFFFFFFFF, ".word 0xffffffff"},
                {0x00000073, "ecall"}};
    char text[64];
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        riscv_text(TX_BLACKHOLE, rows[i].word, 0x2000, text, sizeof text);
        assert_string_equal(text, rows[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic),   cmocka_unit_test(test_zero),
        cmocka_unit_test(test_memory),       cmocka_unit_test(test_memory_limits),
        cmocka_unit_test(test_unaligned),    cmocka_unit_test(test_outside),
        cmocka_unit_test(test_atomics),      cmocka_unit_test(test_branches),
        cmocka_unit_test(test_jumps),        cmocka_unit_test(test_pauses),
        cmocka_unit_test(test_nowhere),      cmocka_unit_test(test_push),
        cmocka_unit_test(test_csr_reset),    cmocka_unit_test(test_csr_forms),
        cmocka_unit_test(test_csr_counters), cmocka_unit_test(test_reset),
        cmocka_unit_test(test_stale),        cmocka_unit_test(test_snapshot),
        cmocka_unit_test(test_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
