/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks that an instruction keeps the contract: encodings and modifiers, results of two-cycle
 * instructions that are read too early or lost, and loads and stores that follow too soon on a
 * write of Dst. The conditions are in isa/checks.def.
 */
#include "pipe/check.h"

#include "pipe/exec.h"

#include "isa/chip.h"
#include "isa/macro_word.h"
#include "isa/tokens.h"
#include "state/dst.h"

#define ID(name) evidence_get(EVIDENCE_##name)->id

static unsigned insn_of(const struct tx_op *op)
{
    return isa_row((enum isa_row_id)op->row)->insn;
}

/*
 * Reports promises of the encoding that this word breaks, and notes undecided rules that it relies
 * on.
 */
static void check_operands(struct tx_machine *m, const struct tx_op *op)
{
#define PROMISE(chips, when, category, evidence, text)                \
    if (((chips) >> m->arch & 1) != 0 && (when)) {                    \
        machine_finding(m, TX_##category, ID(evidence), op, 0, text); \
    }
#define RELIES(chips, when, evidence)              \
    if (((chips) >> m->arch & 1) != 0 && (when)) { \
        machine_note(m, EVIDENCE_##evidence);      \
    }
#define ON(mnemonic, checks) \
    case INSN_##mnemonic:    \
        checks break;
    switch (insn_of(op)) {
#include "isa/checks.def"
    default:
        break;
    }
#undef PROMISE
#undef RELIES
}

/* Returns the evidence for what a modifier outside the contract does. */
static enum evidence_id mode_evidence(const struct tx_op *op)
{
#define MODES(mnemonic, evidence) \
    case INSN_##mnemonic:         \
        return EVIDENCE_##evidence;
    switch (insn_of(op)) {
#include "isa/checks.def"
    default:
        return EVIDENCE_E_MODE;
    }
}

/* Returns whether kernels ship with this modifier of SFPSTOCHRND, which has bit 3 in vain. */
static bool ships_with(unsigned mode)
{
    return mode == (TX_MOD_SFPSTOCHRND_FP32_TO_FP16A | TX_MOD_SFPSTOCHRND_IMM8) ||
           mode == (TX_MOD_SFPSTOCHRND_FP32_TO_FP16B | TX_MOD_SFPSTOCHRND_IMM8) ||
           mode == (TX_MOD_SFPSTOCHRND_FP32_TO_UINT16 | TX_MOD_SFPSTOCHRND_IMM8);
}

#define ON(mnemonic, checks) [INSN_##mnemonic] = 1,
const uint8_t check_listed[INSN_COUNT] = {
#include "isa/checks.def"
};

void check_word_listed(struct tx_machine *m, const struct tx_op *op)
{
    const struct isa_row *row = isa_row((enum isa_row_id)op->row);
    check_operands(m, op);
    if (op->clean != 0) {
        return;
    }
    const uint32_t unused = isa_unused(row, op->word);
    if (unused != 0) {
        machine_finding(m, TX_UNDEFINED_BEHAVIOR, ID(E_UNUSED), op, 0,
                        "%s: bits %08x are not part of the encoding and are ignored",
                        row->text.mnemonic, (unsigned)unused);
    }
    if ((row->text.legal >> op->mode & 1u) != 0) {
        return;
    }
    if (mode_evidence(op) == EVIDENCE_E_SR6 && ships_with(op->mode)) {
        machine_doubt(m, (enum tx_category)row->outside, EVIDENCE_E_SR6, op,
                      "SFPSTOCHRND: bit 3 of the modifier is outside the contract");
    } else {
        machine_finding(m, (enum tx_category)row->outside, evidence_get(mode_evidence(op))->id, op,
                        0, "%s: modifier %u is outside the contract", row->text.mnemonic,
                        (unsigned)op->mode);
    }
}

/* Returns whether TEN-2932 spares what this instruction writes to L4..L7. */
static bool index_safe(const struct tx_op *op)
{
#define INDEX_SAFE(mnemonic) case INSN_##mnemonic:
    switch (insn_of(op)) {
#include "isa/checks.def"
        return true;
    default:
        return false;
    }
}

static void check_draw(struct tx_machine *m, const struct tx_op *op, uint32_t lanes)
{
    const struct tx_state *s = &m->state;
    machine_note(m, EVIDENCE_R5);
    machine_note(m, EVIDENCE_O1);
    if (s->prng_seeded == 0) {
        machine_finding(m, TX_UNPREDICTABLE_VALUE, ID(E_PRNG), op, lanes,
                        "random word drawn before the generator was ever seeded");
    } else if (s->seed_pending != 0 && s->cycle - s->seed_cycle < NUMBER_OF(m->arch, SEED_CYCLES) &&
               !machine_rule(m, RULE_PRNG_SEED_WAIT)) {
        machine_finding(m, TX_HAZARD, ID(E_SEED), op, lanes,
                        "random word drawn %u cycles after the seed was written: silicon needs "
                        "about %u",
                        (unsigned)(s->cycle - s->seed_cycle),
                        (unsigned)NUMBER_OF(m->arch, SEED_CYCLES));
    }
}

static bool predicates(const struct tx_op *op)
{
#define PREDICATES(mnemonic, modes) \
    case INSN_##mnemonic:           \
        return ((modes) >> op->mode & 1) != 0;
    switch (insn_of(op)) {
#include "isa/checks.def"
    default:
        return false;
    }
}

/* Reports a predicated instruction in lanes that are enabled whatever their flags say (E-CC). */
static void check_predication(struct tx_machine *m, const struct tx_op *op, uint32_t lanes)
{
    const uint32_t off = lanes & ~m->state.use_flags;
    if (off != 0 && predicates(op)) {
        machine_finding(
            m, TX_NON_CONTRACTUAL_BEHAVIOR, ID(E_CC), op, off,
            "%s while predication is off: no SFPENCC has switched it on, all lanes stay "
            "enabled",
            isa_row((enum isa_row_id)op->row)->text.mnemonic);
    }
}

#define PREDICATES(mnemonic, modes) [INSN_##mnemonic] = 1,
const uint8_t check_predicates[INSN_COUNT] = {
#include "isa/checks.def"
};

void check_effect_odd(struct tx_machine *m, const struct tx_op *op, const struct effect *e,
                      uint32_t lanes)
{
    check_predication(m, op, lanes);
    if (e->prng_mask != 0 && tx_row_draws(&isa_row((enum isa_row_id)op->row)->text, op->rnd)) {
        check_draw(m, op, e->prng_mask);
    }
    uint32_t indexed = 0;
    for (unsigned reg = 4; reg < 8 && (e->lregs & 0xF0u) != 0; reg++) {
        indexed |= (e->lregs >> reg & 1u) != 0 ? e->mask[reg] : 0;
    }
    if (indexed == 0 || index_safe(op)) {
        return;
    }
    indexed &= lanes & state_lane_config(&m->state, LC_ENABLE_DEST_INDEX);
    if (indexed != 0) {
        machine_finding(m, TX_UNPREDICTABLE_VALUE, ID(R11), op, indexed,
                        "TEN-2932: a result written to L4..L7 while ENABLE_DEST_INDEX is set is "
                        "corrupted on silicon; the computed value is kept here");
    }
}

/*
 * Returns the lanes in which the result of "flight" for this register is not written yet. For
 * SFPSWAP these are all that it may exchange, so that a read counts as early whatever the values
 * compared.
 */
static uint32_t pending_lanes(const struct in_flight *flight, unsigned reg)
{
    /* Constant registers stay as they are, whatever an instruction names as its destination. */
    const bool constant = reg >= LREG_CONSTANTS && reg != LREG_L16;
    if (constant || (flight->writes >> reg & 1u) == 0) {
        return 0;
    }
    if (flight->swap != 0) {
        return flight->lanes;
    }
    return (flight->effect.lregs >> reg & 1u) != 0 ? flight->effect.mask[reg] : 0;
}

bool check_crosses(const struct tx_op *op)
{
#define CROSS_LANE(mnemonic, modes) \
    case INSN_##mnemonic:           \
        return ((modes) >> op->mode & 1) != 0;
    switch (insn_of(op)) {
#include "isa/checks.def"
    default:
        return false;
    }
}

/*
 * Returns whether this instruction must not directly follow SFPSHFT2 modes 2, 3, 4 on Wormhole,
 * whatever it reads. The documented list is that of the one-cycle writers through the port of
 * Simple and Round (wormhole.md 4.4).
 */
static bool shft2_forbids(const struct isa_row *row)
{
    return (row->text.unit == TX_UNIT_SIMPLE || row->text.unit == TX_UNIT_ROUND) &&
           row->text.latency == 1 &&
           ((row->text.writes & TX_SET(VD)) != 0 || (row->text.writes & TX_SET_LREGS) == SET_L0_3);
}

/*
 * Returns the lanes in which op reads the register: all, or for an indirect VA those whose L7 names
 * it.
 */
static uint32_t reading_lanes(const struct tx_machine *m, const struct tx_op *op, unsigned reg)
{
    const struct isa_row *row = isa_row((enum isa_row_id)op->row);
    const struct tx_state *s = &m->state;
    if ((op_set(op, row->text.reads, 0, state_lane_config(s, LC_ENABLE_DEST_INDEX) != 0) >> reg &
         1u) != 0) {
        return 0xFFFFFFFFu;
    }
    uint32_t lanes = 0;
    for (unsigned lane = 0; tx_indirect_va(row->text.reads, op->mode) && lane < 32; lane++) {
        lanes |= (s->lreg[7][lane] & 15u) == reg ? 1u << lane : 0;
    }
    return lanes;
}

/*
 * Returns whether an early read of L16 is only noted. Kernels pass results of one launch through
 * L16 while the next launch is already writing it: they want the old value and get it on silicon
 * (all that ship do, 93 reads). An early read of what the same launch still writes is a hazard.
 */
static bool passes_l16(const struct tx_op *op, const struct in_flight *flight, unsigned reg)
{
    return reg == LREG_L16 && op->number != flight->op.number;
}

/*
 * Returns whether a load that writes a register together with the second cycle of an SFPSWAP is
 * only noted: that the load's value stays is how tt-llk's column maximum works on cards of both
 * chips. It compares by an SFPSWAP that SFPLOADMACRO schedules, and has the register loaded anew
 * already.
 */
static bool overtakes_swap(const struct tx_op *op, const struct in_flight *flight)
{
    return op->unit == TX_UNIT_LOAD && op->scheduled == 0 && flight->op.scheduled != 0 &&
           isa_row((enum isa_row_id)flight->op.row)->insn == INSN_SFPSWAP;
}

void check_hazards(struct tx_machine *m, const struct tx_op *op, const struct effect *e,
                   uint32_t lanes, const struct in_flight *flight)
{
    const struct isa_row *row = isa_row((enum isa_row_id)op->row);
    const char *producer = isa_row((enum isa_row_id)flight->op.row)->text.mnemonic;
    for (uint32_t left = flight->writes & 0x1FFFFu; left != 0; left &= left - 1) {
        const unsigned reg = bits_lowest(left);
        const uint32_t pending = pending_lanes(flight, reg);
        if (pending == 0) {
            continue;
        }
        /* SFPSWAP mode 0 reads in its second cycle, when the result is there. */
        const uint32_t stale =
            op->row == ROWID_SFPSWAP_SWAP
                ? 0
                : pending & reading_lanes(m, op, reg) & (check_crosses(op) ? 0xFFFFFFFFu : lanes);
        if (stale != 0 && passes_l16(op, flight, reg)) {
            machine_note(m, EVIDENCE_R10);
        } else if (stale != 0) {
            machine_hazard(m, ID(E_HAZ), op, &flight->op, flight->start, stale,
                           "%s in cycle %llu reads L%u, which the %s of cycle %llu is still "
                           "writing: %s",
                           row->text.mnemonic, (unsigned long long)m->state.cycle, reg, producer,
                           (unsigned long long)flight->start,
                           machine_rule(m, RULE_EARLY_READ) ? "taken as if it were there"
                                                            : "the old value is read");
        }
        const bool both =
            row->text.latency == 1 && (e->lregs >> reg & 1u) != 0 && (pending & e->mask[reg]) != 0;
        if (both && overtakes_swap(op, flight)) {
            machine_note(m, EVIDENCE_E_WAW);
        } else if (both) {
            machine_hazard(m, ID(E_WAW), op, &flight->op, flight->start, pending & e->mask[reg],
                           "%s and the %s of cycle %llu both write L%u at the end of cycle %llu: "
                           "the younger value stays",
                           row->text.mnemonic, producer, (unsigned long long)flight->start, reg,
                           (unsigned long long)m->state.cycle);
        }
    }
    if (!machine_has(m, INTERLOCK) && flight->op.unit == TX_UNIT_ROUND && shft2_forbids(row)) {
        machine_hazard(m, ID(E_S2), op, &flight->op, flight->start, lanes,
                       "%s in cycle %llu must not follow the SFPSHFT2 mode %u of cycle %llu at "
                       "once on Wormhole",
                       row->text.mnemonic, (unsigned long long)m->state.cycle,
                       (unsigned)flight->op.mode, (unsigned long long)flight->start);
    }
}

/* Returns whether the port check covers the pair: Simple and Round, or SFPSWAP and MAD. */
static bool port_rule(const struct tx_op *a, const struct tx_op *b)
{
    return (a->unit == TX_UNIT_SIMPLE && b->unit == TX_UNIT_ROUND) ||
           (a->unit == TX_UNIT_SIMPLE && b->unit == TX_UNIT_MAD);
}

void check_writes(struct tx_machine *m, const struct started *younger, const struct started *older)
{
    const struct isa_row *row = isa_row((enum isa_row_id)younger->op->row);
    const struct isa_row *other = isa_row((enum isa_row_id)older->op->row);
    uint32_t both = younger->effect->lregs & older->effect->lregs;
    if (row->text.latency != other->text.latency || port_rule(older->op, younger->op) ||
        port_rule(younger->op, older->op)) {
        return;
    }
    for (; both != 0; both &= both - 1) {
        const unsigned reg = bits_lowest(both);
        const uint32_t lanes = younger->effect->mask[reg] & older->effect->mask[reg];
        if (lanes != 0) {
            machine_hazard(m, ID(E_WAW), younger->op, older->op, m->state.cycle, lanes,
                           "%s and %s, which started in cycle %llu too, write L%u at the end of "
                           "one cycle: the value of %s stays",
                           row->text.mnemonic, other->text.mnemonic,
                           (unsigned long long)m->state.cycle, reg, row->text.mnemonic);
        }
    }
}

/*
 * Of DISABLE_BACKDOOR_LOAD the documentation says that the next instruction may see the old value,
 * however late it comes. Of what SFPLOADMACRO reads it is known that one SFPNOP in between does, so
 * that a cycle in between does as well.
 */
void check_visibility_fresh(struct tx_machine *m, const struct tx_op *op)
{
    struct tx_state *s = &m->state;
    const unsigned insn = insn_of(op);
    if (((s->config_fresh & 1u) != 0 && op->vd >= MACRO_VD_BACKDOOR && insn != INSN_SFPCONFIG) ||
        ((s->config_fresh & 2u) != 0 && insn == INSN_SFPLOADMACRO &&
         s->cycle <= s->fresh_cycle + 1)) {
        machine_hazard(m, ID(E_VIS), op, &s->fresh_op, s->fresh_cycle, 0,
                       "%s directly after the %s of cycle %llu it depends on may see the old "
                       "configuration",
                       isa_row((enum isa_row_id)op->row)->text.mnemonic,
                       isa_row((enum isa_row_id)s->fresh_op.row)->text.mnemonic,
                       (unsigned long long)s->fresh_cycle);
    }
    s->config_fresh = 0;
}

/*
 * Returns whether this is the STALLWAIT that makes loads after the Matrix Unit safe (R16). It waits
 * for instructions of its own thread only.
 */
static bool waits_for_fpu(const struct tx_machine *m, const struct tx_op *op)
{
    const struct isa_row *row = isa_row((enum isa_row_id)op->row);
    const unsigned writer = m->state.fpu.thread;
    const uint32_t vector_unit = 1u << 8;
    const uint32_t fpu_busy = 1u << machine_number(m, STALL_FPU_BIT);
    return row->insn == INSN_STALLWAIT && (writer == TX_THREADS || writer == op->thread) &&
           (isa_field(row, FLD_BLOCK, op->word) & vector_unit) != 0 &&
           (isa_field(row, FLD_COND, op->word) & fpu_busy) != 0;
}

/*
 * The instructions required in between stand for time, so that one per cycle counts, of any thread.
 */
void check_passed_fpu(struct tx_machine *m, const struct tx_op *op)
{
    struct fpu_write *fpu = &m->state.fpu;
    if (waits_for_fpu(m, op)) {
        fpu->left = 0;
    } else if (fpu->counted != m->state.cycle + 1) {
        fpu->counted = m->state.cycle + 1;
        fpu->left--;
    }
}

/* Returns the lanes in which a load reads the cell that the 16-bit store wrote. */
static uint32_t same_place(const struct store16 *store, const struct effect *e, uint32_t lanes,
                           uint32_t odd)
{
    return store->row == (e->address & 0x3FCu) ? store->lanes & lanes & ~(store->odd ^ odd) : 0;
}

/*
 * Compiled code loads right away what it stored in the same format, and no compiler puts a gap
 * there: that is only noted, as is another format two cycles later, which tt-llk has on cards. A
 * store by SFPLOADMACRO, or a load in another format, is a hazard: the
 * vendor's BF16 reciprocal failed on it (tt-metal #45660).
 */
static void check_store16(struct tx_machine *m, const struct tx_op *op, const struct store16 *store,
                          unsigned mode, uint32_t same)
{
    const bool apart = m->state.cycle - store->cycle >= 2;
    if (store->op.scheduled == 0 && (store->mode == mode || apart)) {
        machine_note(m, EVIDENCE_T12);
        return;
    }
    machine_hazard(m, ID(T12), op, &store->op, store->cycle, same,
                   "%s in cycle %llu reads the 16-bit datum that the SFPSTORE of cycle %llu "
                   "left in Dst row %u: that it is there already is not proven",
                   isa_row((enum isa_row_id)op->row)->text.mnemonic,
                   (unsigned long long)m->state.cycle, (unsigned long long)store->cycle,
                   (unsigned)store->row);
}

/* Returns the row of the memory in which the four rows of a load begin. */
static unsigned physical(const struct tx_machine *m, const struct tx_op *op, unsigned row,
                         bool wide)
{
    const struct dst_view view = dst_view(&m->state, m->places, op->thread);
    return dst_row(row, wide, &view);
}

void check_load(struct tx_machine *m, const struct tx_op *op, const struct effect *e,
                uint32_t lanes, uint32_t odd, bool wide)
{
    const struct tx_state *s = &m->state;
    const unsigned row = e->address & 0x3FCu;
    for (unsigned i = 0; i < STORES16; i++) {
        const struct store16 *store = &s->store16[i];
        const uint32_t same = store->known != 0 && s->cycle - store->cycle <= 2
                                  ? same_place(store, e, lanes, odd)
                                  : 0;
        if (same != 0) {
            check_store16(m, op, store, e->mode, same);
        }
    }
    const unsigned place = s->fpu.physical != 0 ? physical(m, op, row, wide) : row;
    if (s->fpu.left != 0 && place + 4 > s->fpu.first && place < s->fpu.first + s->fpu.rows) {
        machine_finding(m, TX_HAZARD, ID(E_FPU), op, lanes,
                        "%s reads Dst row %u, which the Matrix Unit wrote %u instructions "
                        "before: three others must lie between, or a STALLWAIT",
                        isa_row((enum isa_row_id)op->row)->text.mnemonic, row, 3u - s->fpu.left);
    }
}
