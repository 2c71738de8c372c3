/* SPDX-License-Identifier: Apache-2.0 */
/*
 * F, Zfh and V of Blackhole's cores where they differ from the RISC-V manual, with what the core
 * says of them; campaign_extensions.c has the rest. Values are restated from isa
 * BabyRISCV/InstructionSet (jasondavies e739ac0) and IEEE 754.
 */
#include "riscv/rig.h"

static struct rig rig;

enum {
    A0_DATA = 0x00008537, /* lui a0, 8: RIG_DATA */
    FLW1 = 0x00052087,    /* flw ft1, 0(a0), and so on */
    FLW2 = 0x00452107,
    FLW3 = 0x00852187,
    FSW4 = 0x00452827, /* fsw ft4, 16(a0) */
    TO_X = 0xE00085D3, /* fmv.x.w a1, ft1 */
    E32M1 = 0xCD027057 /* vsetivli zero, 4, e32, m1, tu, mu */
};

/* Runs an instruction on ft1, ft2, ft3 and a1, and returns ft4. */
static uint32_t run(enum riscv_core who, uint32_t cfg0, uint32_t word, uint32_t a, uint32_t b,
                    uint32_t d)
{
    rig_open(&rig, TX_BLACKHOLE, who, true);
    rig.core.s.csr[CSR_CFG0] = cfg0;
    rig_put32(&rig, RIG_DATA, a);
    rig_put32(&rig, RIG_DATA + 4, b);
    rig_put32(&rig, RIG_DATA + 8, d);
    rig.core.s.x[11] = a;
    RIG_RUN(&rig, A0_DATA, FLW1, FLW2, FLW3, word, FSW4);
    riscv_run(&rig.core, 40);
    assert_int_equal(rig.core.s.phase, RISCV_PAUSED);
    return rig_get32(&rig, RIG_DATA + 16);
}

enum {
    FADD = 0x0020F253,
    FMUL = 0x1020F253,
    FMADD = 0x1820F243,
    FADD_H = 0x0420F253,
    FMUL_H = 0x1420F253
};

static void test_denormals(void **state)
{
    (void)state;
    /* An operand that is a denormal counts as zero, a result that would be one is zero. */
    assert_int_equal(run(RISCV_B, 0, FADD, 0x007FFFFF, 0x007FFFFF, 0), 0);
    assert_int_equal(run(RISCV_B, 0, FADD, 0x80000001, 0x3F800000, 0), 0x3F800000);
    assert_int_equal(run(RISCV_B, 0, FMUL, 0x80800000, 0x3F000000, 0), 0x80000000);
    assert_int_equal(rig.core.s.csr[CSR_FCSR], 3); /* underflow, inexact */
    assert_int_equal(run(RISCV_B, 0, FADD, 0x00800001, 0x80800000, 0), 0);
    /* Halves alike: 2^-14 / 2 and 2^-15. */
    assert_int_equal(run(RISCV_B, 0, FMUL_H, 0xFFFF0400, 0xFFFF3800, 0), 0xFFFF0000);
    assert_int_equal(run(RISCV_B, 0, FADD_H, 0xFFFF0200, 0xFFFF3C00, 0), 0xFFFF3C00);
    /* Comparisons, minimum and conversions see them. */
    assert_int_equal(run(RISCV_B, 0, 0x28208253, 0x00000001, 0x00000002, 0), 1);
    (void)run(RISCV_B, 0, 0xE00095D3, 0x80000001, 0, 0);
    assert_int_equal(rig.core.s.x[11], 1u << 2);
    (void)run(RISCV_B, 0, 0xA020A5D3, 0x00000001, 0, 0);
    assert_int_equal(rig.core.s.x[11], 0);
    assert_int_equal(run(RISCV_B, 0, 0x40208253, 0xFFFF0001, 0, 0), 0x33800000); /* 2^-24 */
}

/* The product keeps 26 bits of its fraction, so that what the sum leaves of it is less exact. */
static void test_fused(void **state)
{
    (void)state;
    /* (1 + 2^-23)^2 - (1 + 2^-22) is 2^-46; its last bits are gone before the sum. */
    const uint32_t got = run(RISCV_T0, 0, FMADD, 0x3F800001, 0x3F800001, 0xBF800002);
    assert_int_not_equal(got, 0x28800000);
    /* Exact where the product fits: 1.5 * 1.5 - 2.25 + 0. */
    assert_int_equal(run(RISCV_T0, 0, FMADD, 0x3FC00000, 0x3FC00000, 0xC0100000), 0);
    assert_int_equal(run(RISCV_T0, 0, 0x1820F24B, 0x3FC00000, 0x3FC00000, 0x40900000), 0x40100000);
    /* A product beyond the range is infinite although the sum would not be. */
    assert_int_equal(run(RISCV_T0, 0, FMADD, 0x7F000000, 0x40000000, 0xFF000000), 0x7F800000);
}

static void test_rounding(void **state)
{
    (void)state;
    static const struct {
        uint32_t word, a, want;
        unsigned findings;
    } rows[] = {{0xC00095D3, 0x3FE00000, 2, 1}, /* 1.75 towards zero: 2, not 1 */
                {0xC00095D3, 0x3FA00000, 1, 0}, /* 1.25: 1 both ways */
                {0xC00095D3, 0x40000000, 2, 0},          {0xC00085D3, 0x3FC00000, 2, 0}, /* 1.5 */
                {0xC00085D3, 0x40200000, 2, 0},                                          /* 2.5 */
                {0xC010B5D3, 0x3F800001, 1, 1},          {0xC00085D3, 0x7FC00000, 0x7FFFFFFF, 0},
                {0xC00085D3, 0xCF000000, 0x80000000, 0}, {0xC00085D3, 0xCF000001, 0x80000000, 0},
                {0xC010B5D3, 0xBF000000, 0, 0},          {0xC010B5D3, 0xBF800000, 0, 0}};
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        (void)run(RISCV_NC, 0, rows[i].word, rows[i].a, 0, 0);
        assert_int_equal(rig.core.s.x[11], rows[i].want);
        assert_int_equal(rig.findings[RISCV_FINDING_ROUNDING], rows[i].findings);
    }
    /* fadd.s towards zero of 1 and 2^-24 + 2^-30: to nearest, it is the next number above. */
    assert_int_equal(run(RISCV_NC, 0, 0x00209253, 0x3F800000, 0x33820000, 0), 0x3F800001);
    assert_int_equal(rig.findings[RISCV_FINDING_ROUNDING], 1);
    assert_int_equal(run(RISCV_NC, 0, 0x00209253, 0x3F800000, 0x33000000, 0), 0x3F800000);
    assert_int_equal(rig.findings[RISCV_FINDING_ROUNDING], 0);
    /* The same where fcsr asks for it: rm 7, frm 1. */
    rig_open(&rig, TX_BLACKHOLE, RISCV_B, true);
    rig_put32(&rig, RIG_DATA, 0x3F800000);
    rig_put32(&rig, RIG_DATA + 4, 0x33820000);
    RIG_RUN(&rig, A0_DATA, FLW1, FLW2, 0x02000593 /* li a1, 32 */, 0x00359073 /* csrw fcsr, a1 */,
            FADD);
    assert_int_equal(rig.findings[RISCV_FINDING_ROUNDING], 1);
}

/* cfg0 makes halves BF16, rounded towards zero unless another bit says to nearest. */
static void test_bf16(void **state)
{
    (void)state;
    const uint32_t bf16 = 1u << 30, nearest = 1u << 31;
    /* 1 + 0.0078125 * 0.75 */
    const uint32_t a = 0xFFFF3F80, b = 0xFFFF3BC0;
    assert_int_equal(run(RISCV_B, bf16, FADD_H, a, b, 0), 0xFFFF3F80);
    assert_int_equal(run(RISCV_B, bf16 | nearest, FADD_H, a, b, 0), 0xFFFF3F81);
    assert_int_equal(run(RISCV_B, bf16, FMUL_H, 0xFFFF7F00, 0xFFFF4000, 0), 0xFFFF7F7F);
    assert_int_equal(run(RISCV_B, bf16 | nearest, FMUL_H, 0xFFFF7F00, 0xFFFF4000, 0), 0xFFFF7F80);
    assert_int_equal(run(RISCV_B, bf16, 0x40208253, 0xFFFF4049, 0, 0), 0x40490000);
    assert_int_equal(run(RISCV_B, bf16, 0x4400F253, 0x40490FDB, 0, 0), 0xFFFF4049);
    assert_int_equal(run(RISCV_B, bf16 | nearest, 0x4400F253, 0x40498FDB, 0, 0), 0xFFFF404A);
    /* A half that is not boxed is NaN. */
    assert_int_equal(run(RISCV_B, bf16, FADD_H, 0x00003F80, b, 0), 0xFFFF7FC0);
    assert_int_equal(run(RISCV_B, 0, FADD_H, 0x00003C00, 0xFFFF3C00, 0), 0xFFFF7E00);
}

static void test_absent(void **state)
{
    (void)state;
    static const uint32_t words[2] = {0x1820F253, 0x5800F253};
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(run(RISCV_T1, 0, words[i], 0x3F800000, 0x3F800000, 0), 0);
        assert_int_equal(rig.findings[RISCV_FINDING_NO_FDIV], 1);
    }
    static const uint32_t vectors[3] = {0x830C2457, 0x8300D457, 0x4F001457};
    for (unsigned i = 0; i < 3; i++) {
        rig_open(&rig, TX_BLACKHOLE, RISCV_T2, true);
        RIG_RUN(&rig, E32M1, vectors[i]);
        assert_int_equal(rig.core.s.phase, RISCV_PAUSED);
        assert_int_equal(rig.findings[RISCV_FINDING_V_ABSENT], 1);
    }
    /* Neither chip has V elsewhere, nor Wormhole F. */
    static const uint32_t none[6] = {FLW1, FSW4, FADD, FMADD, 0x030C0457, E32M1};
    for (unsigned i = 0; i < 6; i++) {
        rig_open(&rig, TX_WORMHOLE, RISCV_T2, true);
        RIG_RUN(&rig, none[i]);
        assert_int_equal(rig.core.s.phase, RISCV_PAUSED);
        assert_int_equal(rig.findings[RISCV_FINDING_ILLEGAL], 1);
        rig_open(&rig, TX_BLACKHOLE, RISCV_T1, true);
        RIG_RUN(&rig, none[i]);
        assert_int_equal(rig.findings[RISCV_FINDING_ILLEGAL], i < 4 ? 0 : 1);
    }
}

static void fill(unsigned reg, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    const uint32_t words[4] = {a, b, c, d};
    memcpy(rig.core.s.v[reg], words, sizeof words); /* a little-endian host */
}

static uint32_t element(unsigned reg, unsigned i)
{
    uint32_t value;
    memcpy(&value, &rig.core.s.v[reg][4 * i], 4);
    return value;
}

static void test_vector_limits(void **state)
{
    (void)state;
    static const struct {
        uint32_t type, word;
        enum finding_kind finding;
        enum riscv_phase phase;
    } rows[] = {{0x018675D7, 0x030C0457, RISCV_FINDING_V_TYPE, RISCV_STOPPED},
                {0xCC827057 /* vsetivli zero, 4, e16, m1 */, 0x030C1457, RISCV_FINDING_V_HALF,
                 RISCV_STOPPED},
                {0xCD127057 /* vsetivli zero, 4, e32, m2 */, 0x030C04D7, RISCV_FINDING_V_RESERVED,
                 RISCV_PAUSED},
                {E32M1, 0xC70C2457, RISCV_FINDING_V_RESERVED, RISCV_PAUSED},
                {E32M1, 0x010C0057, RISCV_FINDING_V_OVERLAP, RISCV_PAUSED},
                {E32M1, 0x3A813457, RISCV_FINDING_V_OVERLAP, RISCV_PAUSED},
                {E32M1, 0xFE0C0457 /* funct6 3F of OPIVV */, RISCV_FINDING_ILLEGAL, RISCV_PAUSED},
                {E32M1, 0x13050407 /* a load of 128-bit elements */, RISCV_FINDING_V_RESERVED,
                 RISCV_PAUSED}};
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig_open(&rig, TX_BLACKHOLE, RISCV_T2, (i & 1u) != 0);
        RIG_RUN(&rig, rows[i].type, rows[i].word);
        assert_int_equal(rig.core.s.phase, rows[i].phase);
        assert_int_equal(rig.findings[rows[i].finding], 1);
    }
    /* vl and vtype can be written by CSR instructions; what is out of range stops the core. */
    rig_open(&rig, TX_BLACKHOLE, RISCV_T2, true);
    rig.core.s.csr[CSR_VTYPE] = 0x10;
    rig.core.s.csr[CSR_VL] = 0xFFFFFFFFu;
    fill(16, 1, 2, 3, 4);
    fill(24, 10, 20, 30, 40);
    RIG_RUN(&rig, 0x030C0457);
    assert_int_equal(element(8, 3), 44);
    assert_int_equal(element(9, 0), 0);
    rig.core.s.csr[CSR_VTYPE] = 0xFFFFFFFFu;
    RIG_RUN(&rig, 0x030C0457);
    assert_int_equal(rig.core.s.phase, RISCV_STOPPED);
}

static void test_vector_float(void **state)
{
    (void)state;
    rig_open(&rig, TX_BLACKHOLE, RISCV_T2, true);
    fill(16, 0x3FE00000, 0xBFE00000, 0x4F800000, 0x7FC00000); /* 1.75, -1.75, 2^32, NaN */
    RIG_RUN(&rig, E32M1, 0x4B039457);
    assert_int_equal(element(8, 0), 1);
    assert_int_equal(element(8, 1), 0xFFFFFFFF);
    assert_int_equal(element(8, 2), 0x7FFFFFFF);
    assert_int_equal(element(8, 3), 0x7FFFFFFF);
    assert_int_equal(rig.core.s.csr[CSR_FCSR], 17);
    RIG_RUN(&rig, E32M1, 0x4B031457);
    assert_int_equal(element(8, 0), 1);
    assert_int_equal(element(8, 1), 0);
    assert_int_equal(element(8, 2), 0xFFFFFFFF);
    RIG_RUN(&rig, E32M1, 0x4B009457);
    assert_int_equal(element(8, 0), 2);
    /* vsetivli zero, 4, e16, mf2: from two registers of FP32 to 16 bits, saturated */
    fill(16, 0x3FE00000, 0x47C35000, 0xC7C35000, 0x40600000); /* 1.75, 1e5, -1e5, 3.5 */
    RIG_RUN(&rig, 0xCCF27057, 0x4B0B9457);
    assert_int_equal(element(8, 0), 0x7FFF0001);
    assert_int_equal(element(8, 1), 0x00038000);
    RIG_RUN(&rig, 0xCCF27057, 0x4B0B1457);
    assert_int_equal(element(8, 0), 0xFFFF0001);
    assert_int_equal(element(8, 1), 0x00030000);
    /* A sum in an order that nobody knows: said where that matters. */
    fill(16, 0x3F800000, 0x40000000, 0x40400000, 0x40800000);
    fill(24, 0, 0, 0, 0);
    RIG_RUN(&rig, E32M1, 0x070C1457);
    assert_int_equal(element(8, 0), 0x41200000);
    assert_int_equal(rig.findings[RISCV_FINDING_V_ORDER], 0);
    fill(16, 0x3F800000, 0x33000000, 0x33000000, 0x40800000);
    RIG_RUN(&rig, E32M1, 0x070C1457);
    assert_int_equal(rig.findings[RISCV_FINDING_V_ORDER], 1);
}

/* Values that nobody has defined move without a word and are reported where they decide. */
static void test_undefined(void **state)
{
    (void)state;
    const uint32_t local = 0xFFB00537; /* lui a0, 0xffb00 */
    for (unsigned timed = 0; timed < 2; timed++) {
        rig_open(&rig, TX_BLACKHOLE, RISCV_T2, timed != 0);
        memset(rig.core.s.ram_bad, 0xFF, sizeof rig.core.s.ram_bad);
        RIG_RUN(&rig, local, FLW1, TO_X, FSW4 /* defined */);
        assert_int_equal(rig.finding_count, 0);
        assert_int_equal(rig.core.s.x_bad[11], 0xFFFFFFFF);
        RIG_RUN(&rig, 0x00B58463 /* beq a1, a1, 8 */, NOP);
        assert_int_equal(rig.findings[RISCV_FINDING_UNDEF_BRANCH], 1);
        /* Through a sum into local memory and back: fadd.s, fsw ft4, 16(a0), lw a1, 16(a0) */
        RIG_RUN(&rig, local, FLW1, FADD, FSW4, 0x01052583);
        assert_int_equal(rig.core.s.x_bad[11], 0xFFFFFFFF);
        /* A vector of which element 1 was stored: only that is defined. */
        rig_open(&rig, TX_BLACKHOLE, RISCV_T2, timed != 0);
        memset(rig.core.s.ram_bad, 0xFF, sizeof rig.core.s.ram_bad);
        RIG_RUN(&rig, local, 0x00052223 /* sw zero, 4(a0) */, E32M1, 0x02056807 /* vle32.v v16 */,
                0x030EB457 /* vadd.vi v8, v16, -3 */, 0x428025D7 /* vmv.x.s a1, v8 */);
        assert_int_equal(rig.finding_count, 0);
        assert_int_equal(rig.core.s.v_bad[8], 0xFF0F);
        assert_int_equal(rig.core.s.x_bad[11], 0xFFFFFFFF);
        /* As the address of a load it decides. */
        RIG_RUN(&rig, 0x0205E807 /* vle32.v v16, (a1) */);
        assert_int_equal(rig.findings[RISCV_FINDING_UNDEF_ADDRESS], 1);
    }
}

/* Stores of a vector enter the queue by lines; a full queue is waited for, where it stopped. */
static void test_vector_store(void **state)
{
    (void)state;
    for (unsigned timed = 0; timed < 2; timed++) {
        rig_open(&rig, TX_BLACKHOLE, RISCV_T2, timed != 0);
        for (uint32_t r = 8; r < 16; r++) {
            fill(r, r, r + 1, r + 2, r + 3);
        }
        /* vsetvli zero, a1, e32, m8 with a1 = 31; to RIG_DATA + 8 */
        rig.core.s.x[11] = 31;
        RIG_RUN(&rig, A0_DATA, 0x00850513 /* addi a0, a0, 8 */, 0x0135F057, 0x02056427);
        riscv_run(&rig.core, 400);
        for (uint32_t i = 0; i < 32; i++) {
            const uint32_t want = i < 31 ? 8 + i / 4 + i % 4 : 0;
            assert_int_equal(rig_get32(&rig, RIG_DATA + 8 + 4 * i), want);
        }
        assert_int_equal(rig.written[(RIG_DATA + 8 + 124) / 8] & 0x10, 0);
        assert_int_equal(rig.finding_count, 0);
    }
    /* To a register of the tile: each element is a store of its own. */
    rig_open(&rig, TX_BLACKHOLE, RISCV_T2, false);
    fill(8, 1, 2, 3, 4);
    rig.store_waits = 3;
    for (unsigned i = 0; i < 8; i++) {
        RIG_RUN(&rig, 0xFFE80537 /* lui a0, 0xffe80 */, E32M1, 0x02056427);
    }
    assert_true(rig.logged >= 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(rig.log[i].address, 0xFFE80000 + 4 * i);
        assert_int_equal(rig.log[i].value, i + 1);
    }
}

static void test_texts(void **state)
{
    (void)state;
    /* As objdump of GNU binutils 2.40 prints them, which has no blanks behind commas. */
    static const struct {
        uint32_t word;
        const char *text;
    } rows[] = {
        {0x00052087, "flw ft1,0(a0)"},
        {0x00452427, "fsw ft4,8(a0)"},
        {0x00251087, "flh ft1,2(a0)"},
        {0x00451427, "fsh ft4,8(a0)"},
        {0x0020F253, "fadd.s ft4,ft1,ft2"},
        {0x0820F253, "fsub.s ft4,ft1,ft2"},
        {0x1020F253, "fmul.s ft4,ft1,ft2"},
        {0x1820F243, "fmadd.s ft4,ft1,ft2,ft3"},
        {0x1820F24B, "fnmsub.s ft4,ft1,ft2,ft3"},
        {0x1820F253, "fdiv.s ft4,ft1,ft2"},
        {0x5800F253, "fsqrt.s ft4,ft1"},
        {0x0420F253, "fadd.h ft4,ft1,ft2"},
        {0x1420F253, "fmul.h ft4,ft1,ft2"},
        {0x1C20F243, "fmadd.h ft4,ft1,ft2,ft3"},
        {0xC00095D3, "fcvt.w.s a1,ft1,rtz"},
        {0xC00085D3, "fcvt.w.s a1,ft1,rne"},
        {0xC010B5D3, "fcvt.wu.s a1,ft1,rup"},
        {0xD005F253, "fcvt.s.w ft4,a1"},
        {0xD0059253, "fcvt.s.w ft4,a1,rtz"},
        {0x40208253, "fcvt.s.h ft4,ft1"},
        {0x4400F253, "fcvt.h.s ft4,ft1"},
        {0xE00085D3, "fmv.x.w a1,ft1"},
        {0xF00580D3, "fmv.w.x ft1,a1"},
        {0xE40085D3, "fmv.x.h a1,ft1"},
        {0xF40580D3, "fmv.h.x ft1,a1"},
        {0xA020A5D3, "feq.s a1,ft1,ft2"},
        {0xE00095D3, "fclass.s a1,ft1"},
        {0x28208253, "fmin.s ft4,ft1,ft2"},
        {0x00209253, "fadd.s ft4,ft1,ft2,rtz"},
        {0x010675D7, "vsetvli a1,a2,e32,m1,tu,mu"},
        {0x0C9075D7, "vsetvli a1,zero,e16,m2,ta,ma"},
        {0xC871F5D7, "vsetivli a1,3,e8,mf2,tu,ma"},
        {0x80D675D7, "vsetvl a1,a2,a3"},
        {0x018675D7, "vsetvli a1,a2,e64,m1,tu,mu"},
        {0x030C0457, "vadd.vv v8,v16,v24"},
        {0x0105C457, "vadd.vx v8,v16,a1,v0.t"},
        {0x030EB457, "vadd.vi v8,v16,-3"},
        {0x830C2457, "vdivu.vv v8,v16,v24"},
        {0x8300D457, "vfdiv.vf v8,v16,ft1"},
        {0x4F001457, "vfsqrt.v v8,v16"},
        {0x030C1457, "vfadd.vv v8,v16,v24"},
        {0xB300D457, "vfmacc.vf v8,ft1,v16"},
        {0x070C1457, "vfredusum.vs v8,v16,v24"},
        {0x4B039457, "vfcvt.rtz.x.f.v v8,v16"},
        {0x4B009457, "vfcvt.x.f.v v8,v16"},
        {0x4B031457, "vfcvt.rtz.xu.f.v v8,v16"},
        {0x4B0B9457, "vfncvt.rtz.x.f.w v8,v16"},
        {0x4B0B1457, "vfncvt.rtz.xu.f.w v8,v16"},
        {0xC70C2457, "vwadd.vv v8,v16,v24"},
        {0xD70C2457, "vwadd.wv v8,v16,v24"},
        {0xB301B457, "vnsrl.wi v8,v16,3"},
        {0x410C0457, "vadc.vvm v8,v16,v24,v0"},
        {0x470C0457, "vmadc.vv v8,v16,v24"},
        {0x5D02B457, "vmerge.vim v8,v16,5,v0"},
        {0x5E02B457, "vmv.v.i v8,5"},
        {0x5E00D457, "vfmv.v.f v8,ft1"},
        {0x5D00D457, "vfmerge.vfm v8,v16,ft1,v0"},
        {0x430025D7, "vmv.x.s a1,v16"},
        {0x4205E457, "vmv.s.x v8,a1"},
        {0x43001257, "vfmv.f.s ft4,v16"},
        {0x410825D7, "vcpop.m a1,v16,v0.t"},
        {0x4308A5D7, "vfirst.m a1,v16"},
        {0x5208A457, "vid.v v8"},
        {0x53082457, "viota.m v8,v16"},
        {0x5300A457, "vmsbf.m v8,v16"},
        {0x4B032457, "vzext.vf2 v8,v16"},
        {0x670C2457, "vmand.mm v8,v16,v24"},
        {0x5F0C2457, "vcompress.vm v8,v16,v24"},
        {0x9F01B457, "vmv4r.v v8,v16"},
        {0x010C2457, "vredsum.vs v8,v16,v24,v0.t"},
        {0x3B013457, "vslideup.vi v8,v16,2"},
        {0x3F05E457, "vslide1down.vx v8,v16,a1"},
        {0x330C0457, "vrgather.vv v8,v16,v24"},
        {0x02056407, "vle32.v v8,(a0)"},
        {0x02056427, "vse32.v v8,(a0)"},
        {0x03050407, "vle8ff.v v8,(a0)"},
        {0x0AB55407, "vlse16.v v8,(a0),a1"},
        {0x07056407, "vluxei32.v v8,(a0),v16"},
        {0x2D055427, "vsoxseg2ei16.v v8,(a0),v16,v0.t"},
        {0x42056407, "vlseg3e32.v v8,(a0)"},
        {0xE2850407, "vl8re8.v v8,(a0)"},
        {0x22850427, "vs2r.v v8,(a0)"},
        {0x02B50407, "vlm.v v8,(a0)"},
        {0x02B50427, "vsm.v v8,(a0)"},
        {0x010C0057, "vadd.vv v0,v16,v24,v0.t"},
        {0x3A813457, "vslideup.vi v8,v8,2"},
        {0x030C04D7, "vadd.vv v9,v16,v24"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[64], plain[64];
        unsigned n = 0;
        riscv_text(TX_BLACKHOLE, rows[i].word, 0x2000, text, sizeof text);
        for (unsigned k = 0; text[k] != 0; k++) {
            if (!(text[k] == ' ' && k > 0 && text[k - 1] == ',')) {
                plain[n++] = text[k];
            }
        }
        plain[n] = 0;
        assert_string_equal(plain, rows[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_denormals),    cmocka_unit_test(test_fused),
        cmocka_unit_test(test_rounding),     cmocka_unit_test(test_bf16),
        cmocka_unit_test(test_absent),       cmocka_unit_test(test_vector_limits),
        cmocka_unit_test(test_vector_float), cmocka_unit_test(test_undefined),
        cmocka_unit_test(test_vector_store), cmocka_unit_test(test_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
