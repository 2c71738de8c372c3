/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules of SFPLOADMACRO one by one: lanes, columns, drain, ports. Expected: spec/timing.md a.7,
 * ruling R14.
 */
#include "macro_rig.h"

/* a.2, R14: the lane mask is that of the execution cycle. Flags count from the next cycle on. */
static void live_mask(struct rig *r)
{
    const uint32_t use = 0xFFFFFFFFu;
    const uint32_t half = 0x0000FFFFu;
    set_misc(r, 0x004);
    set_template(r, 0, "TTI_SFPENCC(3, 0, 12, 10);");
    for (unsigned d = 0; d < 3; d++) {
        assert_int_equal(tx_write(r->m, TX_FILE_USE_LANE_FLAGS, 0, &use, 1), TX_OK);
        assert_int_equal(tx_write(r->m, TX_FILE_LANE_FLAGS, 0, &half, 1), TX_OK);
        set_sequence(r, 0, byte(4, d, 0), IDLE, IDLE, byte(3, 1, BY_VB));
        set_lreg(r, 0, 5);
        set_dst(r, 9);
        run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
        assert_int_equal(dst(r, 0, 3), 5);
        assert_int_equal(dst(r, 0, 30), d == 0 ? 5 : 9);
    }
    /* The other way round: launched with all lanes, stored under a mask made later. */
    set_one(r, 0, STORE, byte(3, 2, BY_VB));
    set_dst(r, 9);
    set_lreg(r, 2, 0);
    run_text(r, "sfploadmacro 0, L1, 0, 4, 3\nsfpsetcc L15, 0, 6\nsfpnop");
    assert_int_equal(dst(r, 0, 0), 5);
    assert_int_equal(dst(r, 0, 1), 9);
}

/* Rule 8: scheduled words execute whatever the backdoor bit says, and capture nothing. */
static void backdoor(struct rig *r)
{
    uint32_t before[4][32];
    uint32_t after[32];
    usual_templates(r);
    set_template(r, 3, "sfpswap L15, L10, 1");
    set_misc(r, 0x004);
    set_sequence(r, 0, usual_byte(SIMPLE, 0), usual_byte(MAD, 1), usual_byte(ROUND, 2), IDLE);
    set_sequence(r, 1, byte(7, 0, BY_VB), IDLE, IDLE, byte(3, 2, 0));
    for (unsigned t = 0; t < 4; t++) {
        assert_int_equal(tx_read(r->m, TX_FILE_MACRO_TEMPLATE, t, before[t], 32), TX_OK);
    }
    set_dst(r, 0x41000000u);
    run_text(r, "sfploadmacro 1, L1, 0, 4, 3\nsfpnop\nsfpnop\nsfploadmacro 0, L2, 0, 4, 3");
    assert_int_equal(dst(r, 0, 0), 0x3F800000u);
    for (unsigned t = 0; t < 4; t++) {
        assert_int_equal(tx_read(r->m, TX_FILE_MACRO_TEMPLATE, t, after, 32), TX_OK);
        assert_memory_equal(before[t], after, sizeof after);
    }
    /* The SFPLOADMACRO itself is no template write either, whatever bits 7:6 hold. */
    run_text(r, "sfploadmacro 2, L1, 0xc0, 4, 3");
    assert_int_equal(tx_read(r->m, TX_FILE_MACRO_TEMPLATE, 0, after, 32), TX_OK);
    assert_memory_equal(before[0], after, sizeof after);
    /* Templates written through the backdoor and through SFPCONFIG are the same word. */
    run_text(r, "sfpnot L12, L3\nsfpmad L13, L1, L2, L3, 0\nsfpstore L14, 0, 3, 3");
    assert_int_equal(tx_read(r->m, TX_FILE_MACRO_TEMPLATE, 0, after, 32), TX_OK);
    assert_int_equal(after[31] & 0xFFFu, 0x3C0);
    assert_int_equal(tx_read(r->m, TX_FILE_MACRO_TEMPLATE, 2, after, 32), TX_OK);
    assert_int_equal(after[0] >> 20, 0x72E);
}

/* SFPCONFIG with a lane mask: columns with their own sequence; store in some lanes, R14. */
static void columns(struct rig *r)
{
    usual_templates(r);
    set_misc(r, 0x004);
    set_lreg(r, 0, byte(4, 0, 0) | IDLE << 8 | IDLE << 16 | (uint32_t)IDLE << 24);
    run_text(r, "sfpconfig 4, 0, 0");
    set_lreg(r, 0, byte(4, 2, 0) | IDLE << 8 | IDLE << 16 | (uint32_t)IDLE << 24);
    run_text(r, "sfpconfig 4, 0x0005, 8\nsfpnop"); /* columns 0 and 1 */
    set_dst(r, 3);
    run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
    assert_int_equal(when(r, 'S', "sfpnot", 0), 1);
    assert_int_equal(when(r, 'S', "sfpnot", 1), 3);
    for (size_t i = 0; i < r->log->count; i++) {
        if (r->log->at[i].unit == 'S') {
            assert_int_equal(r->log->at[i].lanes,
                             r->log->at[i].cycle == 1 ? 0xFCFCFCFCu : 0x03030303u);
        }
    }
    for (unsigned lane = 0; lane < 32; lane++) {
        assert_int_equal(lreg(r, 1, lane), ~3u);
    }
    /* A regular Simple instruction in cycle 1 is dropped in the columns that are taken. */
    set_lreg(r, 5, 0);
    set_lreg(r, 6, 8);
    run_text(r, "sfploadmacro 0, L1, 0, 4, 3\nsfpmov L5, L6, 0");
    assert_int_equal(lreg(r, 5, 0), 8);
    assert_int_equal(lreg(r, 5, 9), 8);
    assert_int_equal(lreg(r, 5, 2), 0);
    /* Only columns 0 and 1 store. */
    tx_findings_clear(r->m);
    set_sequence(r, 0, IDLE, IDLE, IDLE, IDLE);
    set_lreg(r, 0, byte(3, 0, BY_VB) << 24);
    run_text(r, "sfpconfig 4, 0x0005, 8\nsfpnop");
    set_dst(r, 3);
    set_lreg(r, 0, 44);
    run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
    for (unsigned lane = 0; lane < 32; lane++) {
        assert_int_equal(dst(r, 0, lane), (lane & 7u) < 2 ? 44 : 3);
    }
    assert_int_equal(findings(r, TX_UNDEFINED_BEHAVIOR, "E-TEMPLATE", "some lanes"), 1);
}

/* More configurations than columns: only the test interface can make them. No overrun. */
static void too_many(struct rig *r)
{
    uint32_t lanes[32];
    usual_templates(r);
    set_misc(r, 0x004);
    for (unsigned unit = 0; unit < 2; unit++) {
        for (unsigned i = 0; i < 32; i++) {
            uint32_t word;
            char text[64];
            snprintf(text, sizeof text, unit == 0 ? "sfpiadd L12, L9, %u, 5" : "sfpaddi L12, %u, 0",
                     i);
            assert_int_equal(words_of(r, text, &word, 1), 1);
            lanes[i] = word;
        }
        assert_int_equal(tx_write(r->m, TX_FILE_MACRO_TEMPLATE, unit, lanes, 32), TX_OK);
    }
    set_sequence(r, 0, byte(4, 0, 0), byte(5, 0, 0), IDLE, IDLE);
    uint32_t word;
    assert_int_equal(words_of(r, "sfploadmacro 0, L1, 0, 4, 3", &word, 1), 1);
    assert_int_equal(tx_run(r->m, 1, &word, 1), TX_FAULT);
    assert_int_equal(tx_fault(r->m)->category, TX_UNSUPPORTED);
}

/* a.7 rule 10. */
static void drain(struct rig *r)
{
    usual_templates(r);
    set_dst(r, 6);
    /* Cycle-counted: tx_run returns when all is done, and counts the cycles. */
    set_misc(r, 0x004);
    set_one(r, 0, STORE, byte(3, 7, 0));
    uint64_t before = tx_machine_counters(r->m).cycles;
    run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
    assert_int_equal(when(r, 'T', "sfpstore", 0), 8);
    assert_int_equal(tx_machine_counters(r->m).cycles - before, 9);
    /* A result of two cycles is waited for, too. */
    set_one(r, 0, MAD, byte(5, 2, TO_L16));
    before = tx_machine_counters(r->m).cycles;
    run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
    assert_int_equal(when(r, 'M', "sfpmad", 0), 3);
    assert_int_equal(tx_machine_counters(r->m).cycles - before, 5);
    /* Instruction-counted: pending, across runs and other units' instructions, then leaks. */
    set_misc(r, 0x804);
    set_one(r, 0, STORE, byte(3, 2, 0));
    run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
    assert_int_equal(when(r, 'T', "sfpstore", 0), -1);
    run_text(r, "ttnop\nttnop\nttnop\nttnop");
    assert_int_equal(tx_run(r->m, 1, NULL, 0), TX_OK);
    assert_int_equal(when(r, 'T', "sfpstore", 0), -1);
    run_text(r, "sfploadi L1, 12, 2\nsfploadi L2, 13, 2");
    assert_int_equal(when(r, 'T', "sfpstore", 0), 2);
    assert_int_equal(dst(r, 0, 0), 12);
    /* R2: a pending op keeps word and Misc of its launch. */
    set_misc(r, 0x003);
    set_template(r, 0, "sfpnot L12, L0");
    set_sequence(r, 0, byte(4, 3, TO_L16), IDLE, IDLE, byte(3, 4, TO_L16));
    set_dst(r, 6);
    set_lreg(r, 0, 0);
    run_text(r, "sfploadmacro 0, L1, 0, 4, 3\nsfpabs L12, L0, 0\nsfpconfig 8, 0xf04, 1");
    assert_int_equal(when(r, 'S', "sfpnot", 0), 4);
    assert_int_equal(dst(r, 0, 0), ~6u);
    /* Drained with SFPNOP: the delay counts them (all kernels do it). */
    set_misc(r, 0xF04);
    set_one(r, 0, STORE, byte(3, 3, 0));
    run_text(r, "sfploadmacro 0, L1, 0, 4, 3\nsfpnop\nsfpnop\nsfpnop");
    assert_int_equal(when(r, 'T', "sfpstore", 0), 4);
}

/* a.7 rules 5 and 6, R14. */
static void ports(struct rig *r)
{
    set_misc(r, 0x004);
    set_template(r, 0, "sfpnot L12, L0");
    set_template(r, 1, "sfpmad L13, L9, L9, L0, 0");
    set_template(r, 2, "sfpshft2 L14, L0, -1, 6");
    set_template(r, 3, "sfpswap L15, L10, 1");
    set_dst(r, 6);
    for (unsigned s = 0; s < 2; s++) {
        for (unsigned q = 0; q < 2; q++) {
            tx_findings_clear(r->m);
            set_sequence(r, 0, byte(4, 1, s != 0 ? TO_L16 : 0), IDLE,
                         byte(6, 1, BY_VB | (q != 0 ? TO_L16 : 0)), IDLE);
            run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
            assert_int_equal(findings(r, TX_HAZARD, "E-PORT", "exactly one"), s == q ? 1 : 0);
            /* Executed as if allowed; the Round value stays where both write L16. */
            assert_int_equal(lreg(r, 16, 1), q != 0 ? 3 : s != 0 ? ~6u : lreg(r, 16, 1));
        }
    }
    /* Different cycles: fine. NOP in place of one: fine. */
    tx_findings_clear(r->m);
    set_sequence(r, 0, byte(4, 1, 0), IDLE, byte(6, 2, BY_VB), IDLE);
    run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
    set_sequence(r, 0, byte(2, 1, 0), IDLE, byte(6, 1, BY_VB), IDLE);
    run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
    assert_int_equal(tx_finding_count(r->m), 0);
    /* SFPSWAP at 2 and 3: MAD idle or NOP at 2; Simple and Round idle or NOP at 3. */
    static const struct {
        uint32_t mad, round;
        unsigned findings;
    } swaps[] = {{IDLE, IDLE, 0},
                 {2 | 1 << 3, 2 | 2 << 3, 0},
                 {5 | 1 << 3 | TO_L16, IDLE, 1},
                 {5 | 2 << 3 | TO_L16, IDLE, 0},
                 {IDLE, 6 | 2 << 3 | BY_VB | TO_L16, 1},
                 {IDLE, 6 | 1 << 3 | BY_VB | TO_L16, 0},
                 {IDLE, 6 | 3 << 3 | BY_VB | TO_L16, 0}};
    for (size_t i = 0; i < sizeof swaps / sizeof swaps[0]; i++) {
        tx_findings_clear(r->m);
        set_sequence(r, 0, byte(7, 1, BY_VB), swaps[i].mad, swaps[i].round, IDLE);
        run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
        assert_int_equal(findings(r, TX_HAZARD, "E-PORT", "SFPSWAP"), swaps[i].findings);
    }
    set_sequence(r, 0, byte(7, 1, BY_VB), IDLE, IDLE, IDLE);
    set_one(r, 1, SIMPLE, byte(4, 0, 0));
    tx_findings_clear(r->m);
    run_text(r, "sfploadmacro 0, L1, 0, 4, 3\nsfpnop\nsfploadmacro 1, L2, 0, 4, 3");
    assert_int_equal(findings(r, TX_HAZARD, "E-PORT", "SFPSWAP"), 1);
    /* A regular load in the second cycle is fine, and nothing stalls. */
    tx_findings_clear(r->m);
    run_text(r, "sfploadmacro 0, L1, 0, 4, 3\nsfpnop\nsfpnop\nsfploadi L3, 1, 2\nsfpmov L3, L1, 0");
    assert_int_equal(tx_finding_count(r->m), 0);
    assert_int_equal(r->log->stalls, 0);
}

/*
 * Simple and Round draw in one cycle: the same word, two steps, a finding; a cycle apart: neither.
 * With the first word of 23 bits 3F80A000 is rounded down to BF16, with the second one up.
 */
static void draws(struct rig *r)
{
    const uint32_t first = 0x007FFFFFu;
    const uint32_t second = first >> 1; /* three ones under the mask 80200003: a zero comes in */
    uint32_t lanes[32];
    set_misc(r, 0x004);
    set_template(r, 0, "sfpmov L12, L9, 8");
    set_template(r, 2, "sfpstochrnd L14, L0, L0, 0, 1, 1");
    set_dst(r, 0x3F80A000u);
    for (unsigned apart = 0; apart < 2; apart++) {
        tx_findings_clear(r->m);
        set_lanes(r, TX_FILE_PRNG, 0, first);
        set_sequence(r, 0, byte(4, 1, TO_L16 | BY_VB), IDLE, byte(6, 1 + apart, 0), IDLE);
        run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
        assert_int_equal(findings(r, TX_MISSING_SPECIFICATION, "E-DRAWS", "random word"),
                         apart == 0 ? 1 : 0);
        assert_int_equal(lreg(r, 16, 3), first);
        assert_int_equal(lreg(r, 1, 3), apart == 0 ? 0x3F800000u : 0x3F810000u);
        assert_int_equal(tx_read(r->m, TX_FILE_PRNG, 0, lanes, 32), TX_OK);
        assert_int_equal(lanes[3], second >> 1);
    }
}

/* What gives way to a scheduled instruction changes nothing that stays behind either. */
static void dropped_effects(struct rig *r)
{
    uint32_t latch[32];
    uint32_t config[8];
    set_misc(r, 0x004);
    set_template(r, 0, "sfpnot L12, L0");
    set_template(r, 2, "sfpshft2 L14, L0, -1, 6");
    for (unsigned late = 0; late < 2; late++) {
        const char *nop = late != 0 ? "sfpnop\n" : "";
        char text[120];
        set_lanes(r, TX_FILE_SHIFT_LATCH, 0, 1);
        set_lreg(r, 3, 77);
        set_one(r, 0, ROUND, byte(6, 0, BY_VB | TO_L16));
        snprintf(text, sizeof text, "sfploadmacro 0, L1, 0, 4, 3\n%ssfpshft2 L2, L3, 0, 3", nop);
        run_text(r, text);
        assert_int_equal(tx_read(r->m, TX_FILE_SHIFT_LATCH, 0, latch, 32), TX_OK);
        assert_int_equal(latch[9], late != 0 && r->arch == TX_WORMHOLE ? 77 : 1);
        set_one(r, 0, SIMPLE, byte(4, 0, TO_L16));
        snprintf(text, sizeof text, "sfploadmacro 0, L1, 0, 4, 3\n%ssfpconfig 15, %u, 1", nop,
                 0x400u);
        run_text(r, text);
        assert_int_equal(tx_read(r->m, TX_FILE_LANE_CONFIG, 0, config, 8), TX_OK);
        assert_int_equal(config[5] & 0x400u, late != 0 ? 0x400 : 0);
        run_text(r, "sfpconfig 15, 0, 1");
    }
}

/* R2: SFPLOADMACRO right behind the SFPCONFIG it depends on: the new state, and a finding. */
static void visibility(struct rig *r)
{
    usual_templates(r);
    set_misc(r, 0x004);
    set_lreg(r, 0, byte(4, 0, TO_L16));
    set_dst(r, 6);
    set_lreg(r, 16, 0);
    run_text(r, "sfpconfig 4, 0, 0\nsfploadmacro 0, L1, 0, 4, 3");
    assert_int_equal(lreg(r, 16, 0), ~6u);
    assert_int_equal(tx_finding_count(r->m), 1);
    assert_int_equal(tx_finding_at(r->m, 0)->category, TX_HAZARD);
    tx_findings_clear(r->m);
    run_text(r, "sfpconfig 4, 0, 0\nsfpnop\nsfploadmacro 0, L1, 0, 4, 3");
    assert_int_equal(tx_finding_count(r->m), 0);
    /* A scheduled SFPCONFIG of Sequence[5 - 4]: a launch in its cycle still sees the old word. */
    set_template(r, 3, "sfpconfig 15, 0, 0");
    set_one(r, 0, SIMPLE, byte(7, 0, 0));
    set_one(r, 1, SIMPLE, byte(4, 0, TO_L16));
    set_lreg(r, 0, byte(4, 4, TO_L16) | IDLE << 8 | IDLE << 16 | (uint32_t)IDLE << 24);
    for (unsigned late = 0; late < 2; late++) {
        set_one(r, 1, SIMPLE, byte(4, 0, TO_L16));
        run_text(r, late == 0 ? "sfploadmacro 0, L5, 1, 4, 3\nsfploadmacro 1, L1, 0, 4, 3"
                              : "sfploadmacro 0, L5, 1, 4, 3\nsfpnop\nsfploadmacro 1, L1, 0, 4, 3");
        assert_int_equal(when(r, 'S', "sfpnot", 0), late == 0 ? 2 : 7);
    }
}

/*
 * A scheduled SFPSWAP with bit 7 clear exchanges the loaded register with the template's VD, here
 * the constant L14: the clamp of b.3's exponential (sequence byte 04). With bit 7 set, with itself
 * as VD.
 */
static void swap_operands(struct rig *r)
{
    static const struct {
        uint32_t in, out;
    } clamp[] = {
        {0xC0000000u, 0xBEB08FF9u}, /* -2 becomes L14 = -0.3448 */
        {0xBEB08FF9u, 0xBEB08FF9u},
        {0x3F800000u, 0x3F800000u},
    };
    set_template(r, 2, "sfpswap L14, L0, 1");
    set_misc(r, 0);
    set_sequence(r, 0, byte(6, 0, 0), IDLE, IDLE, IDLE);
    for (size_t i = 0; i < sizeof clamp / sizeof clamp[0]; i++) {
        set_dst(r, clamp[i].in);
        run_text(r, "sfploadmacro 0, L1, 0, 4, 3\nsfpnop\nsfpnop\nsfpnop");
        assert_int_equal(lreg(r, 1, 7), clamp[i].out);
        assert_int_equal(lreg(r, 14, 7), 0xBEB08FF9u); /* a constant is not written */
    }
    set_template(r, 2, "sfpswap L14, L3, 1");
    set_sequence(r, 0, byte(6, 0, BY_VB), IDLE, IDLE, IDLE);
    set_dst(r, 0x40000000u);
    set_lreg(r, 3, 0x3F800000u);
    run_text(r, "sfploadmacro 0, L1, 0, 4, 3\nsfpnop\nsfpnop\nsfpnop");
    assert_int_equal(lreg(r, 1, 7), 0x3F800000u); /* VD side: the minimum */
    assert_int_equal(lreg(r, 3, 7), 0x40000000u);
}

/* O-5, the other reading: only enabled lanes capture, be it a single one. */
static void test_backdoor_in_one_lane(void **state)
{
    const uint32_t all = 0xFFFFFFFFu;
    const uint32_t word = 0x800003C0u; /* sfpnot L12, L3 */
    (void)state;
    for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        for (unsigned lane = 0; lane < 32; lane += 31) {
            const uint32_t one = 1u << lane;
            uint32_t before[32];
            uint32_t after[32];
            struct tx_settings settings;
            tx_machine *m;
            tx_settings_default(&settings, arch);
            assert_int_equal(tx_settings_rule(&settings, "backdoor-lanes=enabled"), TX_OK);
            assert_int_equal(tx_open(&settings, &m), TX_OK);
            assert_int_equal(tx_write(m, TX_FILE_USE_LANE_FLAGS, 0, &all, 1), TX_OK);
            assert_int_equal(tx_write(m, TX_FILE_LANE_FLAGS, 0, &one, 1), TX_OK);
            assert_int_equal(tx_read(m, TX_FILE_MACRO_TEMPLATE, 0, before, 32), TX_OK);
            assert_int_equal(tx_run(m, 1, &word, 1), TX_OK);
            assert_int_equal(tx_read(m, TX_FILE_MACRO_TEMPLATE, 0, after, 32), TX_OK);
            for (unsigned i = 0; i < 32; i++) {
                assert_int_equal(after[i], i == lane ? word : before[i]);
                assert_int_not_equal(before[i], word);
            }
            tx_close(m);
        }
    }
}

RULE(live_mask)
RULE(swap_operands)
RULE(backdoor)
RULE(columns)
RULE(too_many)
RULE(drain)
RULE(ports)
RULE(draws)
RULE(dropped_effects)
RULE(visibility)

/* b.2: streams fed without bubbles, cycles per row. */
static void test_streams(void **state)
{
    (void)state;
    struct rig r = rig_open(TX_BLACKHOLE);
    char text[8192];
    set_misc(&r, 0x004);
    set_template(&r, 0, "sfpgt L12, L9, 0, 8");
    set_template(&r, 1, "sfpmad L13, L9, L9, L0, 0");
    set_template(&r, 2, "sfpexexp L14, L0, 0");
    set_template(&r, 3, "sfpshft2 L15, L0, -3, 6");
    static const struct {
        uint32_t s, m, q, t;
        const char *row;
        unsigned per_row, tail;
    } streams[] = {
        {0, 0, 0, 0, "sfpload L0, 0, 4, 3\n", 1, 0},
        {0, 0, 0, 0, "sfpswap L0, L1, 1\n", 2, 0},
        {0, 0, 0, 0, "sfpload L0, 0, 4, 3\nsfpiadd L1, L2, 0, 4\n", 2, 0},
        {4 | 1 << 3 | BY_VB, 0, 0, 0, "sfploadmacro 0, L0, 0, 4, 3\nsfpiadd L1, L2, 0, 4\n", 2, 1},
        {4 | BY_VB, 5 | 1 << 3 | TO_L16, 0, 0, "sfploadmacro 0, L0, 0, 4, 3\n", 1, 3},
        {4 | BY_VB, 0, 0, 3 | 1 << 3, "sfploadmacro 0, L0, 0, 4, 3\n", 1, 2},
        {6, 0, 0, 0, "sfploadmacro 0, L0, 0, 4, 3\n", 1, 1},
        {6, 5 | 1 << 3, 7 | 3 << 3 | BY_VB | TO_L16, 3 | 4 << 3, "sfploadmacro 0, L0, 0, 4, 3\n", 1,
         5},
    };
    for (size_t i = 0; i < sizeof streams / sizeof streams[0]; i++) {
        text[0] = '\0';
        for (unsigned row = 0; row < 64; row++) {
            strcat(text, streams[i].row);
        }
        set_sequence(&r, 0, streams[i].s, streams[i].m, streams[i].q, streams[i].t);
        const uint64_t before = tx_machine_counters(r.m).cycles;
        run_text(&r, text);
        assert_int_equal(tx_machine_counters(r.m).cycles - before,
                         64 * streams[i].per_row + streams[i].tail);
    }
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_live_mask),
        cmocka_unit_test(test_swap_operands),
        cmocka_unit_test(test_backdoor_in_one_lane),
        cmocka_unit_test(test_backdoor),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_drain),
        cmocka_unit_test(test_ports),
        cmocka_unit_test(test_draws),
        cmocka_unit_test(test_dropped_effects),
        cmocka_unit_test(test_visibility),
        cmocka_unit_test(test_streams),
    };
    coverage_open("macro_lanes");
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return !coverage_close() || failed != 0;
}
