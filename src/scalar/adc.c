/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instructions that change address counters (ADC), one cycle each. They change the counters of the
 * issuing thread unless the word names another. Source: isa SETADC and the others ec00369, ADCs
 * acaf010, REG2FLOP_ADC f6a7778; spec/unpack.md 2.3 and 4, whose ruling U1 has the widths.
 */
#include "scalar/unit.h"
#include "base/check.h"
#include "state/order.h"

#define ID(name) evidence_get(EVIDENCE_##name)->id

enum change { SET_BOTH, ADD_LIVE, ADD_TWIN, SET_LIVE, SET_TWIN };

static void change(const struct tx_machine *m, struct adc_counter *c, unsigned dimension,
                   enum change how, uint32_t value)
{
    CHECK(dimension < ADC_DIMENSIONS, "a counter is X, Y, Z or W");
    const uint32_t mask = adc_mask(m->arch, dimension);
    switch (how) {
    case SET_BOTH:
        c->live = c->cr = value & mask;
        break;
    case ADD_LIVE:
        c->live = (c->live + value) & mask;
        break;
    case ADD_TWIN:
        c->live = c->cr = (c->cr + value) & mask;
        break;
    case SET_LIVE:
        c->live = value & mask;
        break;
    case SET_TWIN:
        c->cr = value & mask;
        break;
    }
}

/* Changes one counter of every unit that the word names. */
static void change_units(struct tx_machine *m, const struct tx_op *op, unsigned thread,
                         unsigned channel, unsigned dimension, enum change how, uint32_t value)
{
    CHECK(thread < TX_THREADS && channel < 2, "counters are a thread's, of one of two channels");
    for (unsigned unit = 0; unit < ADC_UNITS; unit++) {
        if ((unit_field(op, FLD_MASK) >> unit & 1u) != 0) {
            change(m, &m->state.adc[thread][unit].ch[channel][dimension], dimension, how, value);
            order_write(m, op, TX_SHARED_ADC, unit + 3 * thread, 1,
                        0x11u << (8 * channel + dimension));
        }
    }
}

/*
 * Returns the thread whose counters change. "override": 1 + the thread that the word names, or 0.
 */
static unsigned target(struct tx_machine *m, const struct tx_op *op, uint32_t override)
{
    if (override == 0) {
        return op->thread;
    }
    machine_doubt(m, TX_UNSUPPORTED, EVIDENCE_E_ADC, op,
                  "the address counters of another thread are moved");
    return override - 1;
}

void unit_setadc(struct tx_machine *m, const struct tx_op *op)
{
    change_units(m, op, target(m, op, op->imm >> 16), unit_field(op, FLD_CHANNEL),
                 unit_field(op, FLD_DIM), SET_BOTH, op->imm & 0xFFFFu);
}

void unit_setadcxx(struct tx_machine *m, const struct tx_op *op)
{
    change_units(m, op, op->thread, 0, ADC_X, SET_BOTH, unit_field(op, FLD_X0));
    change_units(m, op, op->thread, 1, ADC_X, SET_BOTH, unit_field(op, FLD_X1));
}

/* Executes SETADC, INCADC and ADDRCR, each of X and Y or of Z and W. INCADC has no mask. */
void unit_adc_values(struct tx_machine *m, const struct tx_op *op)
{
    static const enum isa_field fields[4] = {FLD_CH0_LOW, FLD_CH0_HIGH, FLD_CH1_LOW, FLD_CH1_HIGH};
    const unsigned insn = unit_insn(op);
    const bool upper = insn == INSN_SETADCZW || insn == INSN_INCADCZW || insn == INSN_ADDRCRZW;
    const bool increment = insn == INSN_INCADCXY || insn == INSN_INCADCZW;
    const enum change how = increment                                        ? ADD_LIVE
                            : insn == INSN_SETADCXY || insn == INSN_SETADCZW ? SET_BOTH
                                                                             : ADD_TWIN;
    const uint32_t selected = increment ? 15u : unit_field(op, FLD_COND);
    const unsigned thread = target(m, op, unit_field(op, FLD_THREAD));
    for (unsigned i = 0; i < 4; i++) {
        if ((selected >> i & 1u) != 0) {
            change_units(m, op, thread, i / 2, (upper ? ADC_Z : ADC_X) + (i & 1u), how,
                         unit_field(op, fields[i]));
        }
    }
}

/* ---- REG2FLOP ---- */

/* Returns the 8, 16 or 32 bits that the word selects; undefined combinations yield 0. */
static uint32_t piece(const struct tx_op *op, uint32_t value)
{
    const uint32_t shift = unit_field(op, FLD_SHIFT);
    switch (unit_field(op, FLD_SIZE)) {
    case 1:
        return shift == 0 ? value : 0;
    case 2:
        return shift == 0 ? value & 0xFFFFu : shift == 2 ? value >> 16 : 0;
    case 3:
        return value >> shift * 8 & 0xFFu;
    default:
        return 0;
    }
}

/*
 * Writes a counter or its twin, never both. If the word names thread 3 or unit 3, which do not
 * exist, nothing happens.
 */
void scalar_write_adc(struct tx_machine *m, const struct tx_op *op)
{
    const unsigned thread =
        op->mode == TX_MOD_REG2FLOP_ADC ? op->thread : unit_field(op, FLD_THREAD);
    const unsigned unit = unit_field(op, FLD_SOURCE);
    const unsigned dimension = unit_field(op, FLD_INDEX);
    if (thread < TX_THREADS && unit < ADC_UNITS) {
        const uint32_t value = m->state.gpr[op->thread][unit_field(op, FLD_GPR)];
        undefined_gpr_used(m, op, unit_field(op, FLD_GPR), 0xFFFFFFFFu, "an address counter");
        order_write(m, op, TX_SHARED_ADC, unit + 3 * thread, 1,
                    0x11u << (8 * unit_field(op, FLD_CHANNEL) + dimension));
        change(m, &m->state.adc[thread][unit].ch[unit_field(op, FLD_CHANNEL)][dimension], dimension,
               unit_field(op, FLD_CR) != 0 ? SET_TWIN : SET_LIVE, piece(op, value));
    }
}

void unit_reg2flop_adc(struct tx_machine *m, const struct tx_op *op)
{
    machine_finding(m, TX_MISSING_SPECIFICATION, ID(E_REG2FLOP), op, 0,
                    "REG2FLOP to an address counter has no known use, its page is not sure of it");
    scalar_hold(m, op, 0, SCALAR_CONFIG);
}
