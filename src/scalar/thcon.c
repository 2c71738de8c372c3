/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Scalar Unit's instructions that do not access memory. Source: isa pages of the instructions;
 * times: isa ScalarUnit, for both chips, ruling R17.
 */
#include "scalar/unit.h"
#include "base/check.h"

#include "state/cfg.h"
#include "state/order.h"

#include <string.h>

#define ID(name) evidence_get(EVIDENCE_##name)->id

/*
 * Returns whether the instruction takes four cycles instead of three: both sources are registers,
 * in different aligned groups of four.
 */
static bool reads_far(const struct tx_op *op)
{
    return unit_field(op, FLD_CONST) == 0 &&
           unit_field(op, FLD_OPA) >> 2 != unit_field(op, FLD_OPB) >> 2;
}

/* Computes the result. Returns false if the mode has no defined one. */
static bool dmareg_result(unsigned insn, unsigned mode, uint32_t a, uint32_t b, uint32_t *result)
{
    const uint32_t bitwise[3] = {[TX_MOD_BITWOPDMAREG_AND] = a & b,
                                 [TX_MOD_BITWOPDMAREG_OR] = a | b,
                                 [TX_MOD_BITWOPDMAREG_XOR] = a ^ b};
    const uint32_t shift[2] = {
        [TX_MOD_SHIFTDMAREG_LEFT] = a << (b & 31u), [TX_MOD_SHIFTDMAREG_RIGHT] = a >> (b & 31u)};
    const uint32_t compare[3] = {[TX_MOD_CMPDMAREG_GT] = a > b,
                                 [TX_MOD_CMPDMAREG_LT] = a < b,
                                 [TX_MOD_CMPDMAREG_EQ] = a == b};
    switch (insn) {
    case INSN_ADDDMAREG:
        *result = a + b;
        return true;
    case INSN_SUBDMAREG:
        *result = a - b;
        return true;
    case INSN_MULDMAREG:
        *result = (a & 0xFFFFu) * (b & 0xFFFFu);
        return true;
    case INSN_BITWOPDMAREG:
        *result = bitwise[mode % 3];
        return mode < 3;
    case INSN_SHIFTDMAREG:
        *result = shift[mode & 1u];
        return mode < 2;
    default: /* INSN_CMPDMAREG */
        *result = compare[mode % 3];
        return mode < 3;
    }
}

static void tell_gpr(struct tx_machine *m, const struct tx_op *op, bool write, unsigned reg,
                     unsigned count, uint32_t mask)
{
    CHECK(reg + count <= TX_GPRS, "GPRs that are told of are a thread's");
    if (order_wanted(m)) {
        order_tell(m, write ? TX_ORDER_WRITE : TX_ORDER_READ, op, TX_SHARED_GPR,
                   reg + 64u * op->thread, count, mask);
    }
}

/* ---- undefined bits (state/undefined.h) ---- */

static struct shadowed shadowed_gpr(const struct tx_machine *m, const struct tx_op *op,
                                    unsigned reg)
{
    CHECK(reg < TX_GPRS, "a GPR that is read is one of 64");
    const unsigned thread = op->thread;
    return (struct shadowed){m->state.gpr[thread][reg], m->state.undefined.gpr[thread][reg]};
}

/* Returns the undefined bits of a result. */
static uint32_t dmareg_bad(const struct tx_machine *m, const struct tx_op *op)
{
    const uint32_t field = unit_field(op, FLD_OPB);
    const bool constant = unit_field(op, FLD_CONST) != 0;
    const struct shadowed a = shadowed_gpr(m, op, unit_field(op, FLD_OPA));
    const struct shadowed b =
        constant ? (struct shadowed){field, 0} : shadowed_gpr(m, op, field & 63u);
    const uint32_t bad = a.bad | b.bad;
    uint32_t zeros = 0, ones = 0;
    if (bad == 0) {
        return 0;
    }
    switch (unit_insn(op)) {
    case INSN_BITWOPDMAREG:
        return op->mode == TX_MOD_BITWOPDMAREG_AND  ? shadow_and(a, b)
               : op->mode == TX_MOD_BITWOPDMAREG_OR ? shadow_or(a, b)
                                                    : bad;
    case INSN_SHIFTDMAREG:
        (void)dmareg_result(INSN_SHIFTDMAREG, op->mode, a.value & ~a.bad, b.value, &zeros);
        (void)dmareg_result(INSN_SHIFTDMAREG, op->mode, a.value | a.bad, b.value, &ones);
        return (b.bad & 31u) != 0 ? 0xFFFFFFFFu : zeros ^ ones;
    case INSN_CMPDMAREG:
        return 1;
    default:
        return shadow_carry(bad);
    }
}

/* Returns the GPR that nobody has written, of which a result depends. */
static unsigned dmareg_from(const struct tx_machine *m, const struct tx_op *op)
{
    const struct undefined_state *u = &m->state.undefined;
    const unsigned a = unit_field(op, FLD_OPA);
    const unsigned b = unit_field(op, FLD_OPB) & 63u;
    return u->gpr_from[op->thread][u->gpr[op->thread][a] != 0 ? a : b];
}

void unit_dmareg(struct tx_machine *m, const struct tx_op *op)
{
    uint32_t *gpr = m->state.gpr[op->thread];
    const uint32_t field = unit_field(op, FLD_OPB);
    const bool constant = unit_field(op, FLD_CONST) != 0;
    uint32_t b = constant ? field : gpr[field];
    uint32_t result;
    const uint32_t bad = dmareg_bad(m, op);
    tell_gpr(m, op, false, unit_field(op, FLD_OPA), 1, 0xFFFFFFFFu);
    if (!constant) {
        tell_gpr(m, op, false, field, 1, 0xFFFFFFFFu);
    }
    if (unit_insn(op) == INSN_SHIFTDMAREG && constant && b > 31) {
        machine_finding(m, TX_UNDEFINED_BEHAVIOR, ID(E_UNUSED), op, 0,
                        "SHIFTDMAREG: bit 11 is not part of the immediate and is ignored");
        b &= 31u;
    }
    if (dmareg_result(unit_insn(op), op->mode, gpr[unit_field(op, FLD_OPA)], b, &result)) {
        gpr[unit_field(op, FLD_RES)] = result;
        undefined_gpr_set(&m->state.undefined, op->thread, unit_field(op, FLD_RES), 0xFFFFFFFFu,
                          bad, dmareg_from(m, op));
        tell_gpr(m, op, true, unit_field(op, FLD_RES), 1, 0xFFFFFFFFu);
    } /* otherwise nothing is written, which check_word has reported */
    machine_note(m, EVIDENCE_R17);
    machine_note(m, EVIDENCE_E_THCON);
    scalar_hold(m, op, reads_far(op) ? 1 : 0, SCALAR_TIMED);
}

void unit_setdmareg(struct tx_machine *m, const struct tx_op *op)
{
    const uint32_t half = unit_field(op, FLD_GPR);
    uint32_t *reg = &m->state.gpr[op->thread][half >> 1];
    *reg = bits_set(*reg, (half & 1u) != 0 ? 16 : 0, 16, op->imm);
    undefined_gpr_set(&m->state.undefined, op->thread, half >> 1,
                      (half & 1u) != 0 ? 0xFFFF0000u : 0xFFFFu, 0, 0);
    tell_gpr(m, op, true, half >> 1, 1, (half & 1u) != 0 ? 0xFFFF0000u : 0xFFFFu);
}

/* SETDMAREG of a tile header keeps its reserved fields: these are the bits that it replaces. */
static const uint32_t header_fields[4] = {0x0000FFFFu, 0x00FF0000u, 0xFFFFFFFFu, 0};

void unit_setdmareg_special(struct tx_machine *m, const struct tx_op *op)
{
    uint32_t v[4];
    const uint32_t half = unit_field(op, FLD_GPR);
    const uint32_t from = unit_field(op, FLD_OFFSET);
    const uint32_t source = unit_field(op, FLD_SOURCE);
    uint32_t *reg = &m->state.gpr[op->thread][half >> 1];
    uint32_t *four = &m->state.gpr[op->thread][half >> 1 & 0x3Cu];
    if (source >= 2 + machine_number(m, PACKERS) && source <= 5) {
        machine_finding(m, TX_MISSING_SPECIFICATION, ID(E_PACKER), op, 0,
                        "SETDMAREG source %u is a packer that this chip does not have: zero",
                        (unsigned)source);
    }
    unit_pack_source(m, op, v);
    tell_gpr(m, op, true, half >> 1 & (unit_field(op, FLD_SIZE) < 2 ? 0x3Fu : 0x3Cu),
             unit_field(op, FLD_SIZE) < 2 ? 1 : 4, 0xFFFFFFFFu);
    for (unsigned i = 0; i < 4; i++) {
        const unsigned size = unit_field(op, FLD_SIZE);
        const uint32_t bits = size == 0   ? (half & 1u) != 0 ? 0xFFFF0000u : 0xFFFFu
                              : size == 3 ? header_fields[i]
                                          : 0xFFFFFFFFu;
        undefined_gpr_set(&m->state.undefined, op->thread,
                          size < 2 ? half >> 1 : (half >> 1 & 0x3Cu) + i, bits, 0, 0);
    }
    switch (unit_field(op, FLD_SIZE)) {
    case 0:
        *reg = bits_set(*reg, (half & 1u) != 0 ? 16 : 0, 16, v[from >> 1] >> (from & 1u) * 16u);
        break;
    case 1:
        *reg = v[from >> 1];
        break;
    case 2:
        memcpy(four, v, 16);
        break;
    default:
        for (unsigned i = 0; i < 4; i++) {
            four[i] = (four[i] & ~header_fields[i]) | (v[i] & header_fields[i]);
        }
        break;
    }
}

void unit_flushdma(struct tx_machine *m, const struct tx_op *op)
{
    scalar_hold(m, op, 0, SCALAR_FLUSH);
}

void unit_reg2flop(struct tx_machine *m, const struct tx_op *op)
{
    scalar_hold(m, op, 0, SCALAR_CONFIG);
}

void scalar_write_config(struct tx_machine *m, const struct tx_op *op)
{
    const uint32_t index = unit_field(op, FLD_INDEX);
    const uint32_t reg = unit_field(op, FLD_GPR);
    const bool wide = unit_field(op, FLD_SIZE) == 0;
    const unsigned bank = cfg_bank(&m->state, m->places, op->thread);
    const unsigned count = wide ? 4 : 1;
    tell_gpr(m, op, false, wide ? reg & ~3u : reg, count, 0xFFFFFFFFu);
    if (op->row == ROWID_REG2FLOP_ADC) {
        scalar_write_adc(m, op);
        return;
    }
    if (!machine_has(m, REG2FLOP_CONFIGURES)) {
        machine_finding(m, TX_MISSING_SPECIFICATION, ID(E_REG2FLOP), op, 0,
                        "REG2FLOP is not listed as a writer of configuration on this chip");
    } else if (wide) {
        machine_finding(m, TX_MISSING_SPECIFICATION, ID(E_REG2FLOP), op, 0,
                        "REG2FLOP of 128 bits has no known use, its page is not sure of it");
    }
    if (index >= (uint32_t)(m->places->global - m->places->thcon)) {
        machine_finding(m, TX_UNDEFINED_BEHAVIOR, ID(E_CFGRANGE), op, 0,
                        "THCON index %u is past the last one, %u", (unsigned)index,
                        (unsigned)(m->places->global - m->places->thcon) - 1u);
        return;
    }
    order_words(m, op, true, m->places->thcon + (wide ? index & ~3u : index), count, 0xFFFFFFFFu);
    for (unsigned i = 0; i < count; i++) {
        const uint32_t to = m->places->thcon + (wide ? (index & ~3u) + i : index);
        const uint32_t from = wide ? (reg & ~3u) + i : reg;
        unit_pack_config(m, op, bank, to, m->state.gpr[op->thread][from]);
        unit_unpack_config(m, op, bank, to, m->state.gpr[op->thread][from]);
        cfg_write(m, bank, to, m->state.gpr[op->thread][from], CFG_BY_WORD);
        const struct word_undefined with = unit_gpr_undefined(m, op->thread, from);
        if (with.bad != 0) {
            undefined_config_set(m, bank, to, with);
        }
    }
}
