/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Configuration Unit. WRCFG and CFGSHIFTMASK write in their second cycle, so that the next
 * instruction still reads the old word; the generators' seed takes effect at once, by ruling R5.
 * RDCFG's result was observed to be available to the next instruction (spec/timing.md b.1). Source:
 * isa SETC16, RMWCIB, WRCFG, RDCFG, CFGSHIFTMASK edf46f6, ConfigurationUnit b7b81ac.
 */
#include "scalar/unit.h"
#include "base/check.h"

#include "state/cfg.h"
#include "state/order.h"

#include <string.h>

#define ID(name) evidence_get(EVIDENCE_##name)->id

/*
 * Returns true, and reports it, if the index is beyond the chip's configuration. That is undefined:
 * here nothing happens.
 */
static bool out_of_range(struct tx_machine *m, const struct tx_op *op, uint32_t index,
                         uint32_t limit)
{
    if (index < limit) {
        return false;
    }
    machine_finding(m, TX_UNDEFINED_BEHAVIOR, ID(E_CFGRANGE), op, 0,
                    "configuration index %u is past the last one, %u", (unsigned)index,
                    (unsigned)limit - 1u);
    return true;
}

/* Occupies stage 0 in the next cycle too. */
static void occupy_next(struct tx_machine *m)
{
    m->state.units.config_stage0 = m->state.cycle + 1;
}

/* Records that a THCON word is written in that cycle, for REG2FLOP, which waits for it. */
static void note_thcon(struct tx_machine *m, uint32_t word, uint64_t cycle)
{
    if (word >= m->places->thcon && word < m->places->global) {
        struct units *u = &m->state.units;
        u->thcon_write = u->thcon_write > cycle + 1 ? u->thcon_write : cycle + 1;
    }
}

/*
 * Writes words in the second cycle of the instruction; the seed, and what is written with it, at
 * once.
 */
static void write_later(struct tx_machine *m, const struct tx_op *op, uint32_t word,
                        const uint32_t *value, const struct word_undefined *with, unsigned count)
{
    CHECK(word + count <= 256, "words that are written later lie in a bank");
    CHECK(count != 0 && count <= 4, "one to four words of configuration are written together");
    struct units *u = &m->state.units;
    const unsigned bank = cfg_bank(&m->state, m->places, op->thread);
    const uint32_t seed = m->places->prng_seed.word;
    order_words(m, op, true, word, count, 0xFFFFFFFFu);
    if (seed >= word && seed < word + count) {
        for (unsigned i = 0; i < count; i++) {
            cfg_write(m, bank, word + i, value[i], CFG_BY_WORD);
            if (with[i].bad != 0) {
                undefined_config_set(m, bank, word + i, with[i]);
            }
        }
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        unit_pack_config(m, op, bank, word + i, value[i]);
        unit_unpack_config(m, op, bank, word + i, value[i]);
    }
    note_thcon(m, word, m->state.cycle + 1);
    struct config_write *w = &u->config_write[u->config_write[0].live];
    w->live = 1;
    w->due = m->state.cycle + 2;
    w->word = (uint16_t)word;
    w->bank = (uint8_t)bank;
    w->count = (uint8_t)count;
    w->thread = op->thread;
    memcpy(w->value, value, count * sizeof *value);
    memcpy(w->undefined, with, count * sizeof *with);
    u->config_writes++;
}

void unit_setc16(struct tx_machine *m, const struct tx_op *op)
{
    const uint32_t index = unit_field(op, FLD_INDEX);
    if (!out_of_range(m, op, index, m->places->thread_words)) {
        cfg_write_thread(m, op->thread, index, (uint16_t)op->imm);
        order_write(m, op, TX_SHARED_THREAD_CONFIG, index + 128u * op->thread, 1, 0xFFFFu);
        unit_unpack_configured(m, op, index, op->imm);
    }
}

void unit_rmwcib(struct tx_machine *m, const struct tx_op *op)
{
    const uint32_t index = unit_field(op, FLD_INDEX);
    const unsigned byte = unit_insn(op) - INSN_RMWCIB0;
    const unsigned bank = cfg_bank(&m->state, m->places, op->thread);
    _Static_assert(INSN_RMWCIB3 == INSN_RMWCIB0 + 3, "the four are numbered in order");
    if (out_of_range(m, op, index, m->places->words)) {
        return;
    }
    const uint32_t mask = unit_field(op, FLD_MASK) << (8 * byte);
    const uint32_t old = m->state.config[bank][index];
    const uint32_t value = (old & ~mask) | (op->imm << (8 * byte) & mask);
    note_thcon(m, index, m->state.cycle);
    order_words(m, op, true, index, 1, mask);
    unit_pack_config(m, op, bank, index, value);
    unit_unpack_config(m, op, bank, index, value);
    const struct word_undefined with = {
        .bad = m->state.undefined.config[bank][index] & ~mask,
        .from = m->state.undefined.config_from[bank][index],
    };
    cfg_write(m, bank, index, value, CFG_BY_BYTE);
    if (with.bad != 0) {
        undefined_config_set(m, bank, index, with);
    }
}

void unit_wrcfg(struct tx_machine *m, const struct tx_op *op)
{
    const uint32_t index = unit_field(op, FLD_INDEX);
    const uint32_t reg = unit_field(op, FLD_GPR);
    const bool wide = unit_field(op, FLD_WIDE) != 0;
    occupy_next(m);
    order_read(m, op, TX_SHARED_GPR, (wide ? reg & ~3u : reg) + 64u * op->thread, wide ? 4 : 1,
               0xFFFFFFFFu);
    if (!out_of_range(m, op, index, m->places->words)) {
        const unsigned first = wide ? reg & ~3u : reg;
        struct word_undefined with[4];
        for (unsigned i = 0; i < (wide ? 4u : 1u); i++) {
            with[i] = unit_gpr_undefined(m, op->thread, first + i);
        }
        write_later(m, op, wide ? index & ~3u : index, &m->state.gpr[op->thread][first], with,
                    wide ? 4 : 1);
    }
}

void unit_rdcfg(struct tx_machine *m, const struct tx_op *op)
{
    const uint32_t index = unit_field(op, FLD_INDEX);
    const unsigned bank = cfg_bank(&m->state, m->places, op->thread);
    /*
     * Blackhole: stage 1 is free again after a cycle. Wormhole: in the next cycle, the unit accepts
     * only WRCFG, and the thread passes nothing.
     */
    if (!machine_has(m, RDCFG_PIPELINED)) {
        occupy_next(m);
        m->state.units.gate[op->thread].until = m->state.cycle + 2;
    }
    machine_note(m, EVIDENCE_E_RDCFG);
    if (!out_of_range(m, op, index, m->places->words)) {
        const unsigned reg = unit_field(op, FLD_GPR);
        const struct word_undefined with = undefined_config_taken(m, bank, index);
        m->state.gpr[op->thread][reg] = m->state.config[bank][index];
        order_words(m, op, false, index, 1, 0xFFFFFFFFu);
        undefined_config_set(m, bank, index, with);
        undefined_gpr_set(&m->state.undefined, op->thread, reg, 0xFFFFFFFFu, with.bad,
                          with.from.gpr);
        order_write(m, op, TX_SHARED_GPR, unit_field(op, FLD_GPR) + 64u * op->thread, 1,
                    0xFFFFFFFFu);
    }
}

static uint32_t rotate_right(uint32_t x, uint32_t amount)
{
    return amount == 0 ? x : x >> amount | x << (32 - amount);
}

void unit_cfgshiftmask(struct tx_machine *m, const struct tx_op *op)
{
    const uint32_t index = unit_field(op, FLD_INDEX);
    const uint32_t source = unit_field(op, FLD_SOURCE);
    const uint32_t amount = unit_field(op, FLD_SHIFT);
    const uint32_t mask = bits_mask(unit_field(op, FLD_WIDTH) + 1);
    const unsigned bank = cfg_bank(&m->state, m->places, op->thread);
    occupy_next(m);
    if (out_of_range(m, op, index, m->places->words)) {
        return;
    }
    const unsigned scratch = m->places->scratch.word + (source < 3 ? source : op->thread);
    const struct word_undefined from = undefined_config_taken(m, bank, scratch);
    const struct word_undefined old = undefined_config_taken(m, bank, index);
    order_words(m, op, false, scratch, 1, 0xFFFFFFFFu);
    order_words(m, op, false, index, 1, 0xFFFFFFFFu);
    const uint32_t operand = rotate_right(m->state.config[bank][scratch] & mask, amount);
    uint32_t value = m->state.config[bank][index];
    if (unit_field(op, FLD_WIDE) == 0) {
        value &= ~rotate_right(mask, amount);
    }
    const uint32_t results[8] = {value | operand,  value & operand,  value ^ operand,
                                 value + operand,  value | ~operand, value & ~operand,
                                 value ^ ~operand, value - operand};
    const struct word_undefined with = {
        .bad = shadow_any((from.bad & mask) | old.bad, 0xFFFFFFFFu),
        .from = (from.bad & mask) != 0 ? from.from : old.from,
    };
    undefined_config_set(m, bank, scratch, from);
    undefined_config_set(m, bank, index, old);
    write_later(m, op, index, &results[unit_field(op, FLD_ALU)], &with, 1);
}
