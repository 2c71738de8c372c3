/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules of SFPLOADMACRO one by one: delays, forgetting, routing. Expected: spec/timing.md a.7,
 * ruling R14.
 */
#include "macro_rig.h"

/* a.7: with cycle counters an op of a launch at c runs at c + 1 + d, and a run waits for it. */
static void delay_cycles(struct rig *r)
{
    usual_templates(r);
    set_misc(r, 0x004);
    for (unsigned unit = 0; unit < UNITS; unit++) {
        for (unsigned d = 0; d < 8; d++) {
            set_one(r, 0, unit, usual_byte(unit, d));
            run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
            assert_int_equal(when(r, unit_letters[unit], unit_insn[unit], 0), 1 + d);
            assert_int_equal(when(r, unit_letters[unit], unit_insn[unit], 1), -1);
        }
    }
    assert_int_equal(tx_finding_count(r->m), 0);
}

/* a.7 rule 3: the other kind counts vector instructions, and only the step 0 -> run is a cycle. */
static void delay_instructions(struct rig *r)
{
    usual_templates(r);
    for (unsigned unit = 0; unit < UNITS; unit++) {
        set_misc(r, 0x004 | 0x100u << unit);
        for (unsigned d = 0; d < 8; d++) {
            const char letter = unit_letters[unit];
            set_one(r, 0, unit, usual_byte(unit, d));
            run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
            assert_int_equal(when(r, letter, unit_insn[unit], 0), d == 0 ? 1 : -1);
            /* No vector instructions: nothing moves. */
            run_text(r, "ttnop\nttincrwc 0, 0, 0, 0\nttdmanop\nttnop");
            assert_int_equal(when(r, letter, unit_insn[unit], 0), -1);
            for (unsigned issued = 1; issued <= d; issued++) {
                const uint32_t gap[1] = {3};
                run_text_gaps(r, "sfpnop", gap);
                assert_int_equal(when(r, letter, unit_insn[unit], 0), issued == d ? 1 : -1);
            }
            run_text(r, "sfpnop\nsfpnop");
            assert_int_equal(when(r, letter, unit_insn[unit], 0), -1);
        }
    }
    assert_int_equal(tx_finding_count(r->m), 0);
}

/* (d) 11: instructions of any thread count. */
static void delay_other_thread(struct rig *r)
{
    usual_templates(r);
    set_misc(r, 0x100);
    set_one(r, 0, SIMPLE, usual_byte(SIMPLE, 2));
    run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
    const uint32_t nops[2] = {0x8F000000u, 0x8F000000u};
    r->log->count = 0;
    assert_int_equal(tx_run(r->m, 0, nops, 1), TX_OK);
    assert_int_equal(when(r, 'S', "sfpnot", 0), -1);
    assert_int_equal(tx_run(r->m, 2, nops, 1), TX_OK);
    assert_true(when(r, 'S', "sfpnot", 0) >= 0);
}

/*
 * The joint rule: while the Simple op of the instruction kind is outstanding, the others wait for
 * issues, too; afterwards they count cycles again. Issues in cycles 0, 3 and 6: Simple runs in 7.
 */
static void delay_joint(struct rig *r)
{
    usual_templates(r);
    set_misc(r, 0x104);
    set_sequence(r, 0, usual_byte(SIMPLE, 2), usual_byte(MAD, 4), IDLE, usual_byte(STORE, 5));
    const uint32_t gaps[3] = {0, 2, 2};
    run_text_gaps(r, "sfploadmacro 0, L1, 0, 4, 3\nsfpnop\nsfpnop", gaps);
    assert_int_equal(when(r, 'S', "sfpnot", 0), 7);
    assert_int_equal(when(r, 'M', "sfpmad", 0), 9);
    assert_int_equal(when(r, 'T', "sfpstore", 0), 10);
    /* Armed without an op of that unit: cycles (b.3, u16 to u32). */
    set_sequence(r, 0, IDLE, usual_byte(MAD, 4), IDLE, usual_byte(STORE, 5));
    run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
    assert_int_equal(when(r, 'M', "sfpmad", 0), 5);
    assert_int_equal(when(r, 'T', "sfpstore", 0), 6);
    /* An op of another launch, on another unit, also counts. */
    set_misc(r, 0x404);
    set_one(r, 0, STORE, usual_byte(STORE, 4));
    set_one(r, 1, ROUND, usual_byte(ROUND, 1));
    const uint32_t late[3] = {0, 0, 5};
    run_text_gaps(r, "sfploadmacro 0, L1, 0, 4, 3\nsfploadmacro 1, L2, 2, 4, 3\nsfpnop", late);
    /* Store: 4 after the launch, 3 after cycle 1, then held until the issue in cycle 7. */
    assert_int_equal(when(r, 'R', "sfpshft2", 0), 8);
    assert_int_equal(when(r, 'T', "sfpstore", 0), 10);
}

/* b.5 9: the same delay in consecutive launches never collides, a delay one shorter does. */
static void forget(struct rig *r)
{
    usual_templates(r);
    for (unsigned kind = 0; kind < 2; kind++) {
        set_misc(r, kind == 0 ? 0x004 : 0xF04);
        for (unsigned unit = 0; unit < UNITS; unit++) {
            const char letter = unit_letters[unit];
            const char *const name = unit_insn[unit];
            for (unsigned d = 0; d < 8; d++) {
                static const char two[] =
                    "sfploadmacro 0, L1, 0, 4, 3\nsfploadmacro 1, L2, 2, 4, 3\n"
                    "sfpnop\nsfpnop\nsfpnop\nsfpnop\nsfpnop\nsfpnop\nsfpnop\nsfpnop\nsfpnop";
                set_one(r, 0, unit, usual_byte(unit, d));
                set_one(r, 1, unit, usual_byte(unit, d));
                run_text(r, two);
                assert_int_equal(when(r, letter, name, 0), 1 + d);
                assert_int_equal(when(r, letter, name, 1), 2 + d);
                if (d == 0) {
                    continue;
                }
                set_one(r, 1, unit, usual_byte(unit, d - 1));
                run_text(r, two);
                assert_int_equal(when(r, letter, name, 0), 1 + d); /* the later one */
                assert_int_equal(when(r, letter, name, 1), -1);
                if (unit == SIMPLE) { /* NOT in place: which register it was tells who ran */
                    set_lreg(r, 1, 0);
                    set_lreg(r, 2, 0);
                    set_dst(r, 5);
                    run_text(r, two);
                    assert_int_equal(lreg(r, 1, 0), 5);
                    assert_int_equal(lreg(r, 2, 0), ~5u);
                }
                /* A byte that selects nothing forgets under macro-forget=always only; 7 never. */
                set_one(r, 1, unit, byte(0, d - 1, 0));
                run_text(r, two);
                assert_int_equal(when(r, letter, name, 0), r->forget_always ? -1 : (int)(1 + d));
                set_one(r, 1, unit, byte(0, 7, 0));
                run_text(r, two);
                assert_int_equal(when(r, letter, name, 0), 1 + d);
                for (unsigned other = 0; other < 7; other++) {
                    if (other != d - 1) {
                        set_one(r, 1, unit, byte(0, other, 0));
                        run_text(r, two);
                        assert_int_equal(when(r, letter, name, 0), 1 + d);
                    }
                }
            }
        }
    }
}

/* a.7 rule 2. */
static void bad_selects(struct rig *r)
{
    usual_templates(r);
    set_misc(r, 0x004);
    set_template(r, 3, "sfpload L3, 0, 4, 3");
    for (unsigned unit = 0; unit < UNITS; unit++) {
        tx_findings_clear(r->m);
        set_one(r, 0, unit, byte(1, 0, 0));
        run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
        assert_int_equal(r->log->count, 1);
        assert_int_equal(findings(r, TX_UNDEFINED_BEHAVIOR, "E-TEMPLATE", ""), 1);
        for (unsigned t = 0; t < 4; t++) {
            const bool legal = t == unit;
            tx_findings_clear(r->m);
            set_one(r, 0, unit, byte(4 + t, 1, unit == ROUND ? BY_VB : 0));
            run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
            assert_int_equal(r->log->count, unit == STORE ? 1 : 2);
            if (unit == STORE) {
                assert_int_equal(findings(r, TX_UNDEFINED_BEHAVIOR, "E-TEMPLATE", ""), 1);
            } else {
                assert_int_equal(when(r, unit_letters[unit], legal ? unit_insn[unit] : "sfpnop", 0),
                                 2);
                assert_int_equal(findings(r, TX_HAZARD, "E-TEMPLATE", "becomes SFPNOP"),
                                 legal ? 0 : 1);
            }
        }
        /* 2 is SFPNOP, which the Store sub-unit does not have. */
        tx_findings_clear(r->m);
        set_one(r, 0, unit, byte(2, 0, 0));
        run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
        assert_int_equal(when(r, unit_letters[unit], "sfpnop", 0), unit == STORE ? -1 : 1);
        assert_int_equal(tx_finding_count(r->m), unit == STORE ? 1 : 0);
    }
    /* A word of no instruction, and SFPSTORE anywhere but on Store. */
    set_lanes(r, TX_FILE_MACRO_TEMPLATE, 3, 0xFF123456u);
    for (unsigned select = 3; select < 8; select += 4) {
        tx_findings_clear(r->m);
        set_one(r, 0, SIMPLE, byte(select, 0, 0));
        run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
        assert_int_equal(when(r, 'S', "sfpnop", 0), 1);
    }
    /* Blackhole's own instructions. */
    if (r->arch == TX_WORMHOLE) {
        set_lanes(r, TX_FILE_MACRO_TEMPLATE, 3, 0x99000000u);
        set_one(r, 0, SIMPLE, byte(7, 0, 0));
        run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
        assert_int_equal(when(r, 'S', "sfpnop", 0), 1);
    }
}

/* a.7 rule 4, b.5 10: a regular instruction on a taken sub-unit disappears. */
static void dropped(struct rig *r)
{
    static const char *const regular[UNITS] = {"sfpmov L5, L6, 0", "sfpmad L5, L10, L6, L9, 0",
                                               "sfpshft2 L5, L9, 6, 5", "sfpstore L6, 8, 4, 3"};
    char text[160];
    usual_templates(r);
    set_misc(r, 0x004);
    for (unsigned unit = 0; unit < UNITS; unit++) {
        set_one(r, 0, unit, usual_byte(unit, 1));
        for (unsigned which = 0; which < UNITS; which++) {
            for (unsigned at = 1; at < 4; at++) {
                tx_findings_clear(r->m);
                set_dst(r, 0x3F800000u);
                set_lreg(r, 5, 0x12345678u);
                set_lreg(r, 6, 0x40000000u);
                snprintf(text, sizeof text, "sfploadmacro 0, L1, 0, 4, 3\n%s%s%s\nsfpnop\nsfpnop",
                         at > 1 ? "sfpnop\n" : "", at > 2 ? "sfpnop\n" : "", regular[which]);
                run_text(r, text);
                const bool gone = unit == which && at == 2;
                const bool ran =
                    which == STORE ? dst(r, 8, 3) == 0x40000000u : lreg(r, 5, 3) == 0x40000000u;
                assert_int_equal(ran, !gone);
                assert_int_equal(findings(r, TX_HAZARD, "E-DROP", "vanish"), gone ? 1 : 0);
                assert_int_equal(when(r, unit_letters[unit], unit_insn[unit], 0), 2);
            }
        }
        /* The load sub-unit is nobody else's. */
        set_lreg(r, 5, 0);
        run_text(r, "sfploadmacro 0, L1, 0, 4, 3\nsfpnop\nsfploadi L5, 7, 2");
        assert_int_equal(lreg(r, 5, 0), 7);
    }
}

/* a.2: reads are those of the cycle's start; MAD results come two cycles later. a.7 rule 9. */
static void l16_and_order(struct rig *r)
{
    set_template(r, 0, "sfpnot L12, L0");
    set_template(r, 1, "sfpmad L13, L9, L9, L0, 0");
    set_misc(r, 0x004);
    set_dst(r, 0x40400000u);
    set_lreg(r, 16, 0x11111111u);
    /* Simple to L16, stored in the same cycle and in the next one. */
    for (unsigned d = 0; d < 2; d++) {
        set_sequence(r, 0, byte(4, 0, TO_L16), IDLE, IDLE, byte(3, d, TO_L16));
        set_lreg(r, 16, 0x11111111u);
        set_dst(r, 0x40400000u);
        run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
        assert_int_equal(dst(r, 0, 5), d == 0 ? 0x11111111u : ~0x40400000u);
        assert_int_equal(lreg(r, 16, 5), ~0x40400000u);
        assert_int_equal(lreg(r, 1, 5), 0x40400000u);
    }
    /* MAD to L16: one cycle later the old value, two cycles later the new one. */
    for (unsigned d = 0; d < 3; d++) {
        set_sequence(r, 0, IDLE, byte(5, 0, TO_L16), IDLE, byte(3, d, TO_L16));
        set_lreg(r, 16, 0x11111111u);
        set_dst(r, 0x40400000u);
        run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
        assert_int_equal(dst(r, 0, 31), d < 2 ? 0x11111111u : 0x40400000u);
    }
    /* A load of the same register in the cycle of the op: the op sees the old value. */
    set_dst(r, 9);
    set_sequence(r, 0, byte(4, 0, TO_L16), IDLE, IDLE, IDLE);
    run_text(r, "sfploadmacro 0, L1, 0, 4, 3\nsfploadi L1, 5, 2");
    assert_int_equal(lreg(r, 16, 0), ~9u);
    assert_int_equal(lreg(r, 1, 0), 5);
    /* Regular readers of a scheduled MAD result: no stall on either chip, the old value. */
    set_dst(r, 0x40400000u);
    set_sequence(r, 0, IDLE, byte(5, 0, 0), IDLE, IDLE);
    set_template(r, 1, "sfpmad L13, L10, L10, L0, 0"); /* 1 + v */
    run_text(r, "sfploadmacro 0, L1, 0, 4, 3\nsfpnop\nsfpmov L2, L1, 0\nsfpmov L3, L1, 0");
    assert_int_equal(lreg(r, 2, 0), 0x40400000u);
    assert_int_equal(lreg(r, 3, 0), 0x40800000u);
    assert_int_equal(r->log->stalls, 0);
}

/* a.7 rule 8, and Mod0 of the store. */
static void stores(struct rig *r)
{
    uint32_t rwc[TX_RWC_COUNT] = {0};
    set_dst(r, 0);
    set_misc(r, 0x004);
    set_one(r, 0, STORE, byte(3, 3, 0));
    assert_int_equal(tx_config_set(r->m, 1, "ADDR_MOD_DST_SEC2_DestIncr", 8), TX_OK);
    assert_int_equal(tx_write(r->m, TX_FILE_RWC, 1, rwc, TX_RWC_COUNT), TX_OK);
    /* The load moves the counter by 8, INCRWC by 4; the store goes where the load was. */
    run_text(r, "sfploadmacro 0, L1, 4, 4, 2\nttincrwc 0, 4, 0, 0\nsfploadi L1, 77, 2");
    assert_int_equal(dst(r, 4, 0), 77);
    assert_int_equal(dst(r, 12, 0), 0);
    assert_int_equal(dst(r, 16, 0), 0);
    assert_int_equal(tx_read(r->m, TX_FILE_RWC, 1, rwc, TX_RWC_COUNT), TX_OK);
    assert_int_equal(rwc[TX_RWC_DST], 12);
    run_text(r, "sfploadmacro 0, L1, 0, 4, 2\nsfploadi L1, 78, 2");
    assert_int_equal(dst(r, 12, 7), 78);
    memset(rwc, 0, sizeof rwc);
    assert_int_equal(tx_write(r->m, TX_FILE_RWC, 1, rwc, TX_RWC_COUNT), TX_OK);

    /* UsesLoadMod0ForStore, a bit for each macro: 4 raw, 3 flushes a denormal. */
    for (unsigned uses = 0; uses < 16; uses++) {
        for (unsigned macro = 0; macro < 4; macro++) {
            char text[64];
            set_misc(r, 0x003 | uses << 4);
            set_one(r, macro, STORE, byte(3, 1, 0));
            set_dst(r, 1);
            snprintf(text, sizeof text, "sfploadmacro %u, L1, 0, 4, 3", macro);
            run_text(r, text);
            assert_int_equal(dst(r, 0, 0), (uses >> macro & 1u) != 0 ? 1 : 0);
            assert_int_equal(dst(r, 2, 0), 1);
        }
    }

    /* Source: VD of the macro, L16, or the template's own with bit 7; L13 needs no backdoor bit. */
    set_misc(r, 0x004);
    set_lreg(r, 0, 100);
    set_lreg(r, 13, 113);
    set_lreg(r, 16, 116);
    set_template(r, 0, "sfpstore L13, 20, 3, 3"); /* its mode and address do not matter */
    static const struct {
        unsigned select, flags, value;
    } cases[] = {{3, 0, 9}, {3, BY_VB, 100}, {3, TO_L16, 116}, {3, TO_L16 | BY_VB, 116},
                 {4, 0, 9}, {4, BY_VB, 113}, {4, TO_L16, 116}, {4, TO_L16 | BY_VB, 116}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        set_dst(r, 9);
        set_one(r, 0, STORE, byte(cases[i].select, 0, cases[i].flags));
        run_text(r, "sfploadmacro 0, L5, 5, 4, 3");
        assert_int_equal(dst(r, 4, 9), cases[i].value);
        assert_int_equal(dst(r, 20, 9), 9);
    }
    assert_int_equal(tx_finding_count(r->m), 0);
}

static void routed(struct rig *r, unsigned unit, const char *text, unsigned flags, uint32_t want)
{
    set_template(r, 0, text);
    set_one(r, 0, unit, byte(4, 0, flags));
    for (unsigned reg = 0; reg < 8; reg++) {
        set_lreg(r, reg, reg == 0 ? 0 : 0x3F800000u + (reg << 20));
    }
    set_lreg(r, 12, 0x40C00000u); /* 6.0 */
    set_lreg(r, 13, 0xC1000000u); /* -8.0 */
    set_lreg(r, 16, 0);
    set_dst(r, 0x40000000u); /* 2.0, into L4 */
    run_text(r, "sfploadmacro 0, L4, 1, 4, 3");
    const uint32_t got = lreg(r, (flags & TO_L16) != 0 ? 16 : 4, 17);
    if (got != want) {
        fail_msg("%s, flags %02x: expected %08x, got %08x", text, flags, (unsigned)want,
                 (unsigned)got);
    }
    if ((flags & TO_L16) != 0) {
        assert_int_equal(lreg(r, 4, 17), 0x40000000u);
    }
}

/* blackhole.md and wormhole.md, SFPLOADMACRO: which register becomes VB, VC and VD. */
static void routing(struct rig *r)
{
    set_misc(r, 0x004);
    for (unsigned to = 0; to <= TO_L16; to += TO_L16) {
        /* VA * VB + VC: 6 * -8 + v, or 6 * v - 8. */
        routed(r, MAD, "sfpmad L14, L12, L13, L13, 0", to, 0xC2380000u);
        routed(r, MAD, "sfpmad L14, L12, L13, L13, 0", to | BY_VB, 0x40800000u);
        /* No VC field: the template's VD, L12, where VB is supplied. 1.5 + v, 1.5 + 6. */
        routed(r, MAD, "sfpaddi L12, 0x3fc0, 0", to, 0x40600000u);
        routed(r, MAD, "sfpaddi L12, 0x3fc0, 0", to | BY_VB, 0x40F00000u);
        routed(r, MAD, "sfpmuli L13, 0x3fc0, 0", to | BY_VB, 0xC1400000u);
        /* No VB field: the template's VD, L13, where VC is supplied. */
        routed(r, SIMPLE, "sfpsetsgn L13, L12, 0, 0", to, 0xC0000000u);
        routed(r, SIMPLE, "sfpsetsgn L13, L13, 0, 0", to | BY_VB, 0x41000000u);
        routed(r, SIMPLE, "sfpiadd L12, L13, 0, 4", to, 0x80C00000u);
        routed(r, SIMPLE, "sfpiadd L12, L13, 0, 4", to | BY_VB, 0x01000000u);
        routed(r, SIMPLE, "sfpiadd L12, L13, 0, 6", to | BY_VB, 0x81000000u);
        routed(r, SIMPLE, "sfpxor L12, L13", to, 0x00C00000u);
        routed(r, SIMPLE, "sfpxor L12, L13", to | BY_VB, 0x81000000u);
        /* A VC field and no VB field: the template's VC stays with bit 7. */
        routed(r, SIMPLE, "sfpmov L12, L13, 0", to, 0x40000000u);
        routed(r, SIMPLE, "sfpmov L12, L13, 0", to | BY_VB, 0xC1000000u);
        /* AND, OR without USE_VB count as having no VB field. */
        routed(r, SIMPLE, "TTI_SFPOR(0, 13, 12, 0);", to, 0x40C00000u);
        routed(r, SIMPLE, "TTI_SFPOR(0, 13, 12, 0);", to | BY_VB, 0xC1000000u);
        if (r->arch == TX_BLACKHOLE) {
            routed(r, SIMPLE, "TTI_SFPOR(13, 12, 14, 1);", to, 0xC1000000u);
            routed(r, SIMPLE, "TTI_SFPOR(13, 12, 14, 1);", to | BY_VB, 0x40C00000u);
        }
        /* SHFT2: mode 6 takes VB from the immediate unless bit 7 supplies it; mode 5 has both. */
        routed(r, ROUND, "sfpshft2 L14, L0, -4, 6", to, 0x040C0000u);
        routed(r, ROUND, "sfpshft2 L14, L0, -4, 6", to | BY_VB, 0x04000000u);
        routed(r, ROUND, "sfpshft2 L14, L9, 12, 5", to | BY_VB, 0x40000000u);
        routed(r, ROUND, "sfpshft2 L14, L9, 12, 5", to, 0x40C00000u);
        routed(r, ROUND, "sfpstochrnd L14, L0, L0, 0, 6, 0", to, 2);
    }
    /* INDIRECT_VD counts unless VD is L16. */
    set_lreg(r, 7, 3);
    set_template(r, 0, "sfpmad L14, L9, L9, L0, 8");
    set_dst(r, 0x40000000u);
    set_lreg(r, 3, 0);
    set_lreg(r, 16, 0);
    set_one(r, 0, MAD, byte(4, 0, 0));
    run_text(r, "sfploadmacro 0, L4, 1, 4, 3");
    assert_int_equal(lreg(r, 3, 0), 0x40000000u);
    set_lreg(r, 3, 0);
    set_one(r, 0, MAD, byte(4, 0, TO_L16));
    run_text(r, "sfploadmacro 0, L4, 1, 4, 3");
    assert_int_equal(lreg(r, 3, 0), 0);
    assert_int_equal(lreg(r, 16, 0), 0x40000000u);
    /* VD = 16: data, no flags. */
    const uint32_t all = 0xFFFFFFFFu;
    uint32_t flags;
    assert_int_equal(tx_write(r->m, TX_FILE_USE_LANE_FLAGS, 0, &all, 1), TX_OK);
    for (unsigned to = 0; to <= TO_L16; to += TO_L16) {
        assert_int_equal(tx_write(r->m, TX_FILE_LANE_FLAGS, 0, &all, 1), TX_OK);
        set_template(r, 0, "sfpiadd L9, L9, 0, 0"); /* flag = result < 0 */
        set_one(r, 0, SIMPLE, byte(4, 0, BY_VB | to));
        run_text(r, "sfploadmacro 0, L4, 1, 4, 3");
        assert_int_equal(tx_read(r->m, TX_FILE_LANE_FLAGS, 0, &flags, 1), TX_OK);
        assert_int_equal(flags, to == 0 ? 0 : all);
    }
    assert_int_equal(tx_finding_count(r->m), 0);
}

/* a.7 rule 10 and (d) 8: what is left at the end. */
static void left_behind(struct rig *r)
{
    usual_templates(r);
    assert_int_equal(tx_finish(r->m), TX_OK);
    assert_int_equal(tx_finding_count(r->m), 0);
    set_misc(r, 0x204);
    assert_int_equal(tx_finish(r->m), TX_OK); /* armed, and nothing was launched */
    assert_int_equal(findings(r, TX_HAZARD, "L-ARMED", "Misc"), 1);
    tx_findings_clear(r->m);
    set_one(r, 1, MAD, usual_byte(MAD, 2));
    run_text(r, "sfpnop\nsfploadmacro 1, L1, 0, 4, 3\nsfpnop");
    assert_int_equal(tx_finish(r->m), TX_OK);
    assert_int_equal(tx_finding_count(r->m), 1);
    assert_int_equal(findings(r, TX_HAZARD, "L-PENDING", "SFPMAD"), 1);
    assert_int_equal(tx_finding_at(r->m, 0)->index, 1); /* the SFPLOADMACRO */
    tx_findings_clear(r->m);
    run_text(r, "sfpnop");
    assert_int_equal(tx_finish(r->m), TX_OK);
    assert_int_equal(tx_finding_count(r->m), 0);
}

/* Hazards name both instructions by number and cycle. */
static void parties(struct rig *r)
{
    usual_templates(r);
    set_misc(r, 0x004);
    set_one(r, 0, SIMPLE, usual_byte(SIMPLE, 1));
    set_one(r, 1, SIMPLE, usual_byte(SIMPLE, 0));
    run_text(r, "sfpnop\nsfploadmacro 0, L1, 0, 4, 3\nsfploadmacro 1, L2, 2, 4, 3");
    assert_int_equal(findings(r, TX_HAZARD, "E-LOST", "forgotten"), 1);
    const struct tx_finding *f = tx_finding_at(r->m, 0);
    assert_int_equal(f->producer, 1);
    assert_int_equal(f->index, 2);
    assert_int_equal(f->producer_cycle + 1, f->cycle);
}

RULE(delay_cycles)
RULE(delay_instructions)
RULE(delay_other_thread)
RULE(delay_joint)
RULE(forget)
RULE(bad_selects)
RULE(dropped)
RULE(l16_and_order)
RULE(stores)
RULE(routing)
RULE(left_behind)
RULE(parties)

static void test_forget_always(void **s)
{
    (void)s;
    for (int arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        struct rig r = rig_open_with((enum tx_arch)arch, "macro-forget=always");
        forget(&r);
        rig_close(&r);
    }
}

/*
 * (d) 7: the readings of WaitForElapsedInstructions. Misc arms Simple only; Simple is due after two
 * more instructions, MAD has a delay of 4, Store of 5. Launch in cycle 0, then SFPNOP in cycles 3
 * and 6, so idle in 1, 2, 4, 5 and from 7 on.
 *   isa       all counters wait for issues until Simple has run in 7 (delay_joint).
 *   per-unit  MAD and Store count cycles: 1 + 4 and 1 + 5. Simple as before.
 *   frozen    the same, but Simple, due in 7, waits for an instruction: the one in cycle 9.
 */
static void test_delay_readings(void **s)
{
    (void)s;
    static const struct {
        const char *rule;
        int simple, mad, store;
    } want[] = {{"macro-delay=isa", 7, 9, 10},
                {"macro-delay=per-unit", 7, 5, 6},
                {"macro-delay=frozen", 9, 5, 6}};
    for (int arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
            struct rig r = rig_open_with((enum tx_arch)arch, want[i].rule);
            usual_templates(&r);
            set_misc(&r, 0x104);
            set_sequence(&r, 0, usual_byte(SIMPLE, 2), usual_byte(MAD, 4), IDLE,
                         usual_byte(STORE, 5));
            const uint32_t gaps[4] = {0, 2, 2, 2};
            run_text_gaps(&r, "sfploadmacro 0, L1, 0, 4, 3\nsfpnop\nsfpnop\nsfpnop", gaps);
            assert_int_equal(when(&r, 'S', "sfpnot", 0), want[i].simple);
            assert_int_equal(when(&r, 'M', "sfpmad", 0), want[i].mad);
            assert_int_equal(when(&r, 'T', "sfpstore", 0), want[i].store);
            rig_close(&r);
        }
        /* Frozen: what is due waits for ever where nothing is issued; the run comes back. */
        struct rig r = rig_open_with((enum tx_arch)arch, "macro-delay=frozen");
        usual_templates(&r);
        set_misc(&r, 0x104);
        set_one(&r, 0, SIMPLE, usual_byte(SIMPLE, 0));
        run_text(&r, "sfploadmacro 0, L1, 0, 4, 3");
        assert_int_equal(when(&r, 'S', "sfpnot", 0), -1);
        assert_int_equal(tx_finish(r.m), TX_OK);
        assert_int_equal(findings(&r, TX_HAZARD, "L-PENDING", "SFPNOT"), 1);
        run_text(&r, "sfpnop");
        assert_int_equal(when(&r, 'S', "sfpnot", 0), 0);
        rig_close(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_delay_readings),
        cmocka_unit_test(test_left_behind),
        cmocka_unit_test(test_parties),
        cmocka_unit_test(test_delay_cycles),
        cmocka_unit_test(test_delay_instructions),
        cmocka_unit_test(test_delay_other_thread),
        cmocka_unit_test(test_delay_joint),
        cmocka_unit_test(test_forget),
        cmocka_unit_test(test_forget_always),
        cmocka_unit_test(test_bad_selects),
        cmocka_unit_test(test_dropped),
        cmocka_unit_test(test_l16_and_order),
        cmocka_unit_test(test_stores),
        cmocka_unit_test(test_routing),
    };
    coverage_open("macro");
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return !coverage_close() || failed != 0;
}
