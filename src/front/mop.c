/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The MOP Expander. It reads its configuration anew for each word that it produces, so that a
 * change takes effect in the middle of an expansion. Source: isa MOPExpander 585749d; Blackhole's
 * wider counts and counts in the MOP word: tt-llk 36b092e assembly.yaml, spec/timing.md c.3.
 */
#include "front/front.h"
#include "base/check.h"
#include "isa/chip.h"

#include <string.h>

#define ID(name) evidence_get(EVIDENCE_##name)->id

/* Steps of template 1 (mop.step); in template 0 the steps are the words A0 A1 A2 A3 B. */
enum { START, LOOP, END0, END1 };

static enum isa_row_id row_of(const struct tx_machine *m, uint32_t word)
{
    const unsigned opcode = word >> 24;
    return (enum isa_row_id)m->row_cache[opcode][word >> m->mode_lsb[opcode] & 15u];
}

/* Returns whether the word is plain NOP; DMANOP and SFPNOP do not count. */
static bool is_nop(uint32_t word)
{
    return TX_INSN_OF(word) == TX_INSN_NOP;
}

bool mop_is_mop(const struct tx_machine *m, uint32_t word)
{
    return isa_row(row_of(m, word))->insn == INSN_MOP;
}

bool mop_takes(const struct tx_machine *m, uint32_t word)
{
    const enum isa_row_id row = row_of(m, word);
    return mop_is_mop(m, word) || row == ROWID_MOPCFG || row == ROWID_RESOURCEDECL;
}

/* ---- template 1 ---- */

static unsigned inner_limit(enum tx_arch arch, const struct mop *mop)
{
    const unsigned count =
        mop->inner_count != 0 ? mop->inner_count : mop->config[1] & NUMBER_OF(arch, MOP_COUNT);
    return is_nop(mop->config[6]) ? count : 2 * count; /* two instructions alternate */
}

static unsigned plain_outer(enum tx_arch arch, const struct mop *mop)
{
    return mop->count != 0 ? mop->count : mop->config[0] & NUMBER_OF(arch, MOP_COUNT);
}

/*
 * Returns whether the configuration asks for one outer iteration with nothing in it but an end
 * word. The hardware then runs many iterations.
 */
static bool is_runaway(enum tx_arch arch, const struct mop *mop)
{
    return plain_outer(arch, mop) == 1 && is_nop(mop->config[2]) && inner_limit(arch, mop) == 0 &&
           !is_nop(mop->config[3]);
}

static unsigned outer_limit(enum tx_arch arch, const struct mop *mop)
{
    if (!is_runaway(arch, mop)) {
        return plain_outer(arch, mop);
    }
    /* Wormhole always runs on; Blackhole does where a second end word follows. */
    const bool once = CHIP_HAS(arch, MOP_END_ONCE) && is_nop(mop->config[4]);
    return once ? 1 + 1 : 1 + NUMBER_OF(arch, MOP_COUNT) + 1;
}

/*
 * Returns the present word of the inner loop. The last word of each loop is replaced by another
 * instruction.
 */
static uint32_t loop_word(enum tx_arch arch, const struct mop *mop)
{
    if (mop->inner + 1u == inner_limit(arch, mop)) {
        return mop->outer + 1u == outer_limit(arch, mop) ? mop->config[7] : mop->config[8];
    }
    return (mop->inner & 1u) != 0 && !is_nop(mop->config[6]) ? mop->config[6] : mop->config[5];
}

/* Produces the next word of template 1. Returns false if the expansion is over. */
static bool next_loop(enum tx_arch arch, struct mop *mop)
{
    while (mop->outer < outer_limit(arch, mop)) {
        switch (mop->step) {
        case START:
            mop->step = LOOP;
            mop->inner = 0;
            mop->out = mop->config[2];
            if (!is_nop(mop->out)) {
                return true;
            }
            break;
        case LOOP:
            if (mop->inner < inner_limit(arch, mop)) {
                mop->out = loop_word(arch, mop);
                mop->inner++;
                return true;
            }
            mop->step = END0;
            break;
        case END0:
            mop->out = mop->config[3];
            mop->step = END1;
            if (!is_nop(mop->out)) {
                return true;
            }
            mop->step = START;
            mop->outer++;
            break;
        default:
            mop->out = mop->config[4];
            mop->step = START;
            mop->outer++;
            if (!is_nop(mop->out)) {
                return true;
            }
            break;
        }
    }
    return false;
}

/* ---- template 0 ---- */

/* Produces the next word of template 0. Returns false if the expansion is over. */
static bool next_masked(struct mop *mop)
{
    while (mop->inner < mop->count) {
        const bool skip = (mop->mask & 1u) != 0;
        const unsigned step = mop->step++;
        if (step == 0) {
            mop->out = skip ? mop->config[7] : mop->config[3];
            return true;
        }
        if (step < 4 && !skip && (mop->config[1] & 2u) != 0) {
            mop->out = mop->config[3 + step];
            return true;
        }
        if (step == 4) {
            mop->out = skip ? mop->config[8] : mop->config[2];
            mop->step = 0;
            mop->mask >>= 1;
            mop->inner++;
            if ((mop->config[1] & 1u) != 0) {
                return true;
            }
        }
    }
    return false;
}

/* ---- the interface ---- */

static bool next_word(enum tx_arch arch, struct mop *mop)
{
    return mop->template1 != 0 ? next_loop(arch, mop) : next_masked(mop);
}

bool mop_produce(struct tx_machine *m, unsigned thread)
{
    CHECK(thread < TX_THREADS, "an expansion is one of three threads'");
    struct mop *mop = &m->state.front.mop[thread];
    if (mop->active != 0 && mop->waiting == 0) {
        mop->waiting = next_word(m->arch, mop);
        mop->active = mop->waiting;
    }
    return mop->waiting != 0;
}

/* Prepares the expansion that a MOP word asks for. */
static void prepare(struct mop *mop, enum isa_row_id id, uint32_t word)
{
    const struct isa_row *row = isa_row(id);
    mop->active = 1;
    mop->waiting = 0;
    mop->step = 0;
    mop->outer = mop->inner = 0;
    mop->inner_count = 0;
    mop->template1 = id != ROWID_MOP_ZMASK;
    if (mop->template1 == 0) {
        mop->mask = mop->mask_hi << 16 | isa_field(row, FLD_IMM, word);
        mop->count = (uint16_t)(isa_field(row, FLD_COUNT, word) + 1);
        return;
    }
    mop->count = (uint16_t)isa_field(row, FLD_OUTER, word); /* 0 on a chip without this field */
    mop->inner_count = (uint16_t)isa_field(row, FLD_INNER, word);
}

static void mop_begin(struct tx_machine *m, struct mop *mop, const struct tx_op *op)
{
    const enum tx_arch arch = m->arch;
    prepare(mop, (enum isa_row_id)op->row, op->word);
    if (mop->template1 != 0 && is_runaway(arch, mop)) {
        machine_finding(m,
                        CHIP_HAS(arch, MOP_END_ONCE) ? TX_MISSING_SPECIFICATION
                                                     : TX_NON_CONTRACTUAL_BEHAVIOR,
                        ID(E_MOP), op, 0, "MOP runs %u iterations instead of one",
                        (unsigned)outer_limit(arch, mop));
    }
}

enum tx_status tx_mop_expand(enum tx_arch arch, uint32_t word, const uint32_t config[9],
                             uint32_t mask_high, uint32_t *words, size_t room, size_t *count)
{
    const enum isa_row_id id = isa_row_of(arch, word);
    struct mop mop = {.mask_hi = mask_high & 0xFFFFu};
    *count = 0;
    if (id == ROWID_NONE || isa_row(id)->insn != INSN_MOP) {
        return TX_EINVAL;
    }
    memcpy(mop.config, config, sizeof mop.config);
    prepare(&mop, id, word);
    for (; next_word(arch, &mop); (*count)++) {
        if (*count < room) {
            words[*count] = mop.out;
        }
    }
    return TX_OK;
}

void mop_start(struct tx_machine *m, unsigned thread, uint32_t word)
{
    CHECK(mop_takes(m, word), "the MOP Expander starts with a word that is its own");
    struct mop *mop = &m->state.front.mop[thread];
    const enum isa_row_id id = row_of(m, word);
    struct tx_op op;
    op_decode_row(id, word, &op);
    op.thread = (uint8_t)thread;
    op.number = m->state.index;
    if (m->settings.sink.event != NULL) {
        machine_op_event(m, TX_EVENT_ISSUE, &op, 0, NULL);
    }
    if (isa_unused(isa_row(id), word) != 0) {
        machine_finding(m, TX_UNDEFINED_BEHAVIOR, ID(E_UNUSED), &op, 0,
                        "%s: bits %08x are not part of the encoding and are ignored",
                        isa_row(id)->text.mnemonic, (unsigned)isa_unused(isa_row(id), word));
    }
    if (id == ROWID_MOPCFG) {
        mop->mask_hi = op.imm;
    } else if (id == ROWID_RESOURCEDECL) {
        const struct isa_row *row = isa_row(id);
        m->state.front.declared[thread][isa_field(row, FLD_INDEX, word)] =
            (uint16_t)(DECLARED | isa_field(row, FLD_MASK, word));
        if (op.imm > 1) {
            machine_note(m, EVIDENCE_E_TTSYNC);
        }
    } else {
        mop_begin(m, mop, &op);
    }
}
