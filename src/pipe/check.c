/* SPDX-License-Identifier: Apache-2.0 */
#include "pipe/check.h"

#include "pipe/exec.h"

#define ID(name) evidence_get(EVIDENCE_##name)->id

/* ADD, MUL and MUL24 promise something for one register number only. */
static void check_promise(struct tx_machine *m, const struct tx_op *op)
{
    switch (isa_row((enum isa_row_id)op->row)->insn) {
    case INSN_SFPADD:
        if (op->va != 10 && op->vb != 10) {
            machine_finding(m, TX_NON_CONTRACTUAL_BEHAVIOR, ID(E_ADD), op, 0,
                            "SFPADD without the constant 1 (L10) as a factor: use SFPMAD");
        }
        break;
    case INSN_SFPMUL:
        if (op->vc != 9) {
            machine_finding(m, TX_NON_CONTRACTUAL_BEHAVIOR, ID(E_ADD), op, 0,
                            "SFPMUL with an addend other than the constant 0 (L9): use SFPMAD");
        }
        break;
    case INSN_SFPMUL24:
        if (op->vc != 9) {
            machine_finding(m, TX_NON_CONTRACTUAL_BEHAVIOR, ID(E_MUL24), op, 0,
                            "SFPMUL24 with VC other than 9 disturbs its product");
        }
        break;
    case INSN_SFPSTOCHRND:
        if (op->rnd == 3) {
            machine_finding(m, TX_MISSING_SPECIFICATION, ID(E_RND3), op, 0,
                            "SFPSTOCHRND rounding mode 3 is not specified: taken as stochastic");
        }
        break;
    default:
        break;
    }
}

/* Rules that rest on inference or on one source of several: relied on, not violated. */
static void note_reliance(struct tx_machine *m, const struct tx_op *op)
{
    switch (isa_row((enum isa_row_id)op->row)->insn) {
    case INSN_SFPSWAP:
        if (op->mode != 0) {
            machine_note(m, EVIDENCE_R6);
        }
        if (!machine_is_bh(m)) {
            machine_note(m, EVIDENCE_O7);
        }
        break;
    case INSN_SFPSHFT2:
        if (op->mode == 6) {
            machine_note(m, EVIDENCE_O20);
        } else if (op->mode >= 2 && op->mode <= 3 && op->vd >= 12) {
            machine_note(m, EVIDENCE_B5);
        } else if (op->mode == 4 && !machine_is_bh(m)) {
            machine_note(m, EVIDENCE_O10);
        }
        break;
    case INSN_SFPLUTFP32:
        if ((op->mode & 2u) != 0) {
            machine_note(m, EVIDENCE_O17);
        }
        break;
    case INSN_SFPCAST:
        if ((op->mode & 1u) != 0 && (op->mode & 2u) == 0) {
            machine_note(m, EVIDENCE_O18);
        }
        break;
    case INSN_SFPSTOCHRND:
        if (op->rnd == 1) {
            machine_note(m, EVIDENCE_E_SR3);
        }
        break;
    case INSN_SFPLOAD:
    case INSN_SFPSTORE:
        if (op->vd >= 12) {
            machine_note(m, EVIDENCE_B2);
            machine_note(m, EVIDENCE_O6);
        }
        break;
    case INSN_SFPTRANSP:
        if (op->vd >= 12) {
            machine_note(m, EVIDENCE_B5);
        }
        break;
    default:
        break;
    }
}

/* The entry that says what a modifier outside the contract does. */
static enum evidence_id mode_evidence(const struct isa_row *row)
{
    switch (row->insn) {
    case INSN_SFPLOADI:
        return EVIDENCE_E_LDI;
    case INSN_SFPSTOCHRND:
        return EVIDENCE_E_SR6;
    case INSN_SFPSHFT2:
        return EVIDENCE_R9;
    case INSN_SFPPUSHC:
        return EVIDENCE_O12;
    default:
        return EVIDENCE_E_MODE;
    }
}

void check_word(struct tx_machine *m, const struct tx_op *op)
{
    const struct isa_row *row = isa_row((enum isa_row_id)op->row);
    const uint32_t unused = isa_unused(row, op->word);
    if (unused != 0) {
        machine_finding(m, TX_UNDEFINED_BEHAVIOR, ID(E_UNUSED), op, 0,
                        "%s: bits %08x are not part of the encoding and are ignored",
                        row->text.mnemonic, (unsigned)unused);
    }
    if ((row->text.legal >> op->mode & 1u) == 0) {
        machine_finding(m, (enum tx_category)row->outside, evidence_get(mode_evidence(row))->id, op,
                        0, "%s: modifier %u is outside the contract", row->text.mnemonic,
                        (unsigned)op->mode);
    }
    check_promise(m, op);
    note_reliance(m, op);
}

/* STOCHRND steps its generator in every rounding mode but looks at it only in the random ones. */
static bool uses_draw(const struct tx_op *op)
{
    return isa_row((enum isa_row_id)op->row)->insn != INSN_SFPSTOCHRND || op->rnd == 1 ||
           op->rnd == 3;
}

static void check_draw(struct tx_machine *m, const struct tx_op *op, uint32_t lanes)
{
    const struct tx_state *s = &m->state;
    machine_note(m, EVIDENCE_R5);
    machine_note(m, EVIDENCE_O1);
    if (s->prng_seeded == 0) {
        machine_finding(m, TX_UNPREDICTABLE_VALUE, ID(E_PRNG), op, lanes,
                        "random word drawn before the generator was ever seeded");
    } else if (s->seed_pending != 0 && s->cycle - s->seed_cycle < 500 &&
               !machine_rule(m, RULE_PRNG_SEED_WAIT)) {
        machine_finding(m, TX_HAZARD, ID(E_SEED), op, lanes,
                        "random word drawn %u cycles after the seed was written: silicon needs "
                        "about 500",
                        (unsigned)(s->cycle - s->seed_cycle));
    }
}

void check_effect(struct tx_machine *m, const struct tx_op *op, const struct effect *e,
                  uint32_t lanes)
{
    const struct isa_row *row = isa_row((enum isa_row_id)op->row);
    if (e->prng_mask != 0 && uses_draw(op)) {
        check_draw(m, op, e->prng_mask);
    }
    uint32_t indexed = 0;
    for (unsigned reg = 4; reg < 8 && (e->lregs & 0xF0u) != 0; reg++) {
        indexed |= (e->lregs >> reg & 1u) != 0 ? e->mask[reg] : 0;
    }
    if (indexed == 0 || row->insn == INSN_SFPLOAD || row->insn == INSN_SFPLOADI ||
        row->insn == INSN_SFPSWAP || row->insn == INSN_SFPTRANSP) {
        return;
    }
    indexed &= lanes & state_lane_config(&m->state, LC_ENABLE_DEST_INDEX);
    if (indexed != 0) {
        machine_finding(m, TX_UNPREDICTABLE_VALUE, ID(R11), op, indexed,
                        "TEN-2932: a result written to L4..L7 while ENABLE_DEST_INDEX is set is "
                        "corrupted on silicon; the computed value is kept here");
    }
}

/* Lanes of reg in which the flight's result is not there yet. */
static uint32_t pending_lanes(const struct in_flight *flight, unsigned reg)
{
    if (flight->swap != 0) {
        return flight->lanes & flight->decide;
    }
    return (flight->effect.lregs >> reg & 1u) != 0 ? flight->effect.mask[reg] : 0;
}

static bool cross_lane(const struct tx_op *op)
{
    const enum insn_id insn = (enum insn_id)isa_row((enum isa_row_id)op->row)->insn;
    return insn == INSN_SFPTRANSP || insn == INSN_SFPCONFIG ||
           (insn == INSN_SFPSHFT2 && op->mode >= 1 && op->mode <= 4);
}

/*
 * Wormhole, after SFPSHFT2 modes 2, 3, 4: kinds that must not follow at once, whatever they read.
 * The documented list is that of the one-cycle writers through the Simple and Round port
 * (wormhole.md 4.4).
 */
static bool shft2_forbids(const struct isa_row *row)
{
    return (row->text.unit == TX_UNIT_SIMPLE || row->text.unit == TX_UNIT_ROUND) &&
           row->text.latency == 1 &&
           ((row->writes & SET_VD) != 0 || (row->writes & SET_LREGS) == SET_L0_3);
}

/* Lanes in which op reads reg: all, or for an indirect VA those whose L7 names it. */
static uint32_t reading_lanes(const struct tx_machine *m, const struct tx_op *op, unsigned reg)
{
    const struct isa_row *row = isa_row((enum isa_row_id)op->row);
    const struct tx_state *s = &m->state;
    if ((op_set(op, row->reads, 0, state_lane_config(s, LC_ENABLE_DEST_INDEX) != 0) >> reg & 1u) !=
        0) {
        return 0xFFFFFFFFu;
    }
    uint32_t lanes = 0;
    for (unsigned lane = 0; (row->reads & SET_VAX) != 0 && (op->mode & 4u) != 0 && lane < 32;
         lane++) {
        lanes |= (s->lreg[7][lane] & 15u) == reg ? 1u << lane : 0;
    }
    return lanes;
}

void check_hazards(struct tx_machine *m, const struct tx_op *op, const struct effect *e,
                   uint32_t lanes, const struct in_flight *flight)
{
    const struct isa_row *row = isa_row((enum isa_row_id)op->row);
    const char *producer = isa_row((enum isa_row_id)flight->op.row)->text.mnemonic;
    for (unsigned reg = 0; reg < 8; reg++) {
        const uint32_t pending =
            pending_lanes(flight, reg) & ((flight->writes >> reg & 1u) != 0 ? 0xFFFFFFFFu : 0u);
        if (pending == 0) {
            continue;
        }
        /* SFPSWAP mode 0 reads in its second cycle only. */
        const uint32_t stale =
            op->row == ROWID_SFPSWAP_SWAP
                ? 0
                : pending & reading_lanes(m, op, reg) & (cross_lane(op) ? 0xFFFFFFFFu : lanes);
        if (stale != 0) {
            machine_finding(m, TX_HAZARD, ID(E_HAZ), op, stale,
                            "%s reads L%u one cycle after %s started to write it: %s",
                            row->text.mnemonic, reg, producer,
                            machine_rule(m, RULE_EARLY_READ) ? "taken as if it were there"
                                                             : "the old value is read");
        }
        if (row->text.latency == 1 && (e->lregs >> reg & 1u) != 0 &&
            (pending & e->mask[reg]) != 0) {
            machine_finding(
                m, TX_HAZARD, ID(E_WAW), op, pending & e->mask[reg],
                "%s and the %s before it write L%u in the same cycle: the younger value "
                "stays",
                row->text.mnemonic, producer, reg);
        }
    }
    if (!machine_is_bh(m) && flight->op.unit == TX_UNIT_ROUND && shft2_forbids(row)) {
        machine_finding(m, TX_HAZARD, ID(E_S2), op, lanes,
                        "%s must not follow SFPSHFT2 mode %u at once on Wormhole",
                        row->text.mnemonic, (unsigned)flight->op.mode);
    }
}

void check_visibility(struct tx_machine *m, const struct tx_op *op)
{
    struct tx_state *s = &m->state;
    const enum insn_id insn = (enum insn_id)isa_row((enum isa_row_id)op->row)->insn;
    if (s->config_fresh == 0) {
        return;
    }
    if (((s->config_fresh & 1u) != 0 && op->vd >= 12 && insn != INSN_SFPCONFIG) ||
        ((s->config_fresh & 2u) != 0 && insn == INSN_SFPLOADMACRO)) {
        machine_finding(m, TX_HAZARD, ID(E_VIS), op, 0,
                        "%s directly after the SFPCONFIG it depends on may see the old value",
                        isa_row((enum isa_row_id)op->row)->text.mnemonic);
    }
    s->config_fresh = 0;
}
