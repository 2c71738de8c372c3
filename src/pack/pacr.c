/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PACR: which packers, whose counters, in which order. Everything happens in the cycle in which it
 * passes its gate; time.c accounts for how long it takes. Source: isa PACR f7fda21 (Wormhole),
 * f82128b (Blackhole); tt-llk assembly.yaml 36b092e; spec/pack.md 2.1, 4.8, 9.
 */
#include "pack/pack.h"
#include "state/order.h"

#include <string.h>

static uint8_t padding(const struct tx_op *op)
{
    const uint32_t pad = unit_field(op, FLD_PAD);
    const uint32_t when = pad & 3u;
    const bool met = when == 1 || (when == 2 && unit_field(op, FLD_CONCAT) == 0) ||
                     (when == 3 && unit_field(op, FLD_LAST) != 0);
    return !met ? 0 : (pad & 4u) != 0 ? 2 : 1;
}

unsigned pack_packers(const struct tx_machine *m, const struct tx_op *op)
{
    const uint32_t mask = unit_field(op, FLD_MASK);
    return machine_is_bh(m) || mask == 0 ? 1 : mask;
}

/*
 * Returns whether all packers of a mask are certain to work together; on Wormhole only some masks
 * are described (2.1).
 */
static bool mask_known(const struct tx_machine *m, uint32_t mask)
{
    return machine_is_bh(m) || (0x910Fu >> mask & 1u) != 0 || (mask & (mask - 1u)) == 0;
}

static void read_word(struct pack *x, const struct tx_machine *look, const struct tx_op *op)
{
    const uint32_t mask = unit_field(op, FLD_MASK);
    const bool bh = machine_is_bh(look);
    const uint32_t ctrl = unit_field(op, FLD_CTRL);
    const uint32_t context = unit_field(op, FLD_CONTEXT);
    memset(x, 0, sizeof *x);
    x->s = &look->state;
    x->p = pack_places(look->arch);
    x->name = "PACR";
    x->thread = op->thread;
    x->packers = (uint8_t)pack_packers(look, op);
    x->rows = (uint8_t)(mask == 0 ? 15 : mask);
    x->context = (uint8_t)((ctrl & 1u) != 0 ? look->state.units.pack.context & 3u : context);
    x->flush = unit_field(op, FLD_FLUSH) != 0;
    x->last = unit_field(op, FLD_LAST) != 0;
    x->zero = unit_field(op, FLD_ZERO) != 0;
    x->zero_special = bh && x->zero && mask == 0;
    x->strided = unit_field(op, FLD_STRIDED) != 0;
    x->pad = x->flush ? 0 : padding(op);
    x->plain = (unit_field(op, FLD_OVERRIDE) | unit_field(op, FLD_PAD) | context | ctrl) == 0 &&
               mask_known(look, mask) && !x->zero_special;
}

void pack_open(struct pack *x, const struct tx_machine *look, struct tx_machine *m,
               const struct tx_op *op)
{
    const bool known = look->settings.sink.event == NULL && pack_word_known(x, look, op);
    if (!known) {
        read_word(x, look, op);
    }
    x->m = m;
    x->look = look;
    x->op = op;
    if (!known && m != NULL && x->plain) {
        pack_word_keep(x);
    }
}

void pack_job_open(struct pack_job *j, const struct pack *x, unsigned packer,
                   const struct pack_setup *setup)
{
    memset(j, 0, sizeof *j);
    j->x = x;
    j->setup = setup;
    j->k = x->m != NULL ? &x->m->state.units.pack.unit[packer] : NULL;
    j->index = packer;
    j->counters = pack_counters(x, pack_section(x, packer));
    j->adc = &x->s->adc[j->counters][ADC_PACK];
    pack_input_start(j);
}

/* ---- the instruction as it stands ---- */

static void unused(const struct pack *x, bool used, const char *what)
{
    if (used) {
        machine_finding(x->m, TX_UNSUPPORTED, PACK_ID(E_PACK), x->op, 0,
                        "%s with %s, which no shipping kernel uses", x->name, what);
    }
}

static void check_word(const struct pack *x)
{
    const uint32_t mask = unit_field(x->op, FLD_MASK);
    const struct adc *adc = &x->s->adc[pack_counters(x, 0)][ADC_PACK];
    unused(x, unit_field(x->op, FLD_OVERRIDE) != 0, "OvrdThreadId");
    unused(x, unit_field(x->op, FLD_PAD) != 0, "RowPadZero");
    unused(x, unit_field(x->op, FLD_CONTEXT) != 0, "CfgContext");
    unused(x, unit_field(x->op, FLD_CTRL) != 0, "CtxtCtrl");
    if (!mask_known(x->look, mask)) {
        machine_finding(x->m, TX_UNDEFINED_BEHAVIOR, PACK_ID(E_PACK), x->op, 0,
                        "PACR with PackSel %u: that all of these packers work is not certain",
                        (unsigned)mask);
    }
    if (x->zero_special && !x->flush &&
        (adc->ch[0][ADC_X].live != 0 || adc->ch[1][ADC_X].live % 16 != 15)) {
        machine_finding(x->m, TX_UNDEFINED_BEHAVIOR, PACK_ID(E_PACK), x->op, 0,
                        "PACR with ZeroWrite and no interface wants X from 0 to a multiple of 16");
    }
}

/* ---- what follows the data ---- */

static void count_channel(struct pack *x, struct adc_counter *c, unsigned channel, uint16_t mode)
{
    const struct pack_places *p = x->p;
    const enum tx_arch arch = x->m->arch;
    struct adc_counter *y = &c[ADC_Y];
    struct adc_counter *z = &c[ADC_Z];
    const uint32_t y_mask = adc_mask(arch, ADC_Y);
    const uint32_t z_mask = machine_rule(x->m, RULE_PACK_ZW) ? 0xFFu : adc_mask(arch, ADC_Z);
    const uint32_t step = bits_get(mode, p->y_incr[channel].lsb, p->y_incr[channel].width);
    if (bits_get(mode, p->y_clear[channel].lsb, 1) != 0) {
        y->live = y->cr = 0;
    } else if (bits_get(mode, p->y_cr[channel].lsb, 1) != 0) {
        y->live = y->cr = (y->cr + step) & y_mask;
    } else {
        y->live = (y->live + step) & y_mask;
    }
    if (bits_get(mode, p->z_clear[channel].lsb, 1) != 0) {
        z->live = z->cr = 0;
    } else {
        z->live = (z->live + bits_get(mode, p->z_incr[channel].lsb, 1)) & z_mask;
    }
}

/* Advances Y and Z of each set of counters that a packer used, once per instruction (4.8). */
static void count(struct pack *x, unsigned sets)
{
    const uint16_t mode = x->s->thread_config[x->thread][x->p->y_incr[0].word + x->op->amod];
    for (unsigned t = 0; t < TX_THREADS; t++) {
        struct adc *adc = &x->m->state.adc[t][ADC_PACK];
        if ((sets >> t & 1u) != 0) {
            order_write(x->m, x->op, TX_SHARED_ADC, ADC_PACK + 3 * t, 1, 0x6666u);
        }
        for (unsigned channel = 0; channel < 2 && (sets >> t & 1u) != 0; channel++) {
            count_channel(x, adc->ch[channel], channel, mode);
        }
    }
}

/* Tells the listener which rows of Dst are read, consecutive rows in one report. */
static void tell_rows(const struct pack *x, const uint64_t rows[TX_DST_ROWS / 64])
{
    for (unsigned i = 0; i < TX_DST_ROWS / 64; i++) {
        uint64_t left = rows[i];
        for (unsigned row = 64 * i; left != 0;) {
            unsigned run = 0;
            for (; (left & 1u) == 0; left >>= 1) {
                row++;
            }
            for (; (left & 1u) != 0; left >>= 1) {
                run++;
            }
            order_tell(x->m, TX_ORDER_READ, x->op, TX_SHARED_DST, row, run, 0xFFFFu);
            row += run;
        }
    }
}

/*
 * Advances Blackhole's context counter after the last PACR of a tile, or after some xy planes
 * (9.3).
 */
static void count_context(struct pack *x, const struct pack_job *j)
{
    struct packers *k = &x->m->state.units.pack;
    const unsigned every = j->setup->auto_context;
    k->planes = (uint8_t)(k->planes + j->planes);
    if ((unit_field(x->op, FLD_CTRL) & 1u) == 0 || (every == 0 ? !x->last : k->planes < every)) {
        return;
    }
    k->context = (k->context + 1u) & 3u;
    k->planes = 0;
}

static void run(struct pack_job *j)
{
    const struct pack *x = j->x;
    const bool opened = pack_output_start(j);
    pack_data(j);
    if (x->last || x->flush) {
        pack_close(j);
    } else if (machine_rule(x->m, RULE_PACK_TAIL)) {
        pack_output_tail(j);
    }
    if (x->last) {
        pack_side_last(j);
    }
    pack_time_enter(j, opened);
}

/* The tile position starts again at the first PACR after one with Last or Flush (5.2, P10). */
static void start_tile(const struct pack *x, struct packer *k)
{
    if (k->tile_running == 0 && !machine_rule(x->m, RULE_PACK_TILE_RESET)) {
        k->tile_x = k->tile_y = k->tile_z = 0;
    }
    k->tile_running = 1;
}

/*
 * Makes rows of Dst to which a MOVx2D has gone too lately read as before. Returns whether there are
 * any; unit_matrix_see_new() then undoes it.
 */
static bool moved_lately(const struct pack *x, const struct pack_job jobs[],
                         uint64_t rows[TX_DST_ROWS / 64])
{
    if (x->s->units.matrix.moved <= x->s->cycle || x->flush || x->zero) {
        return false;
    }
    memset(rows, 0, TX_DST_ROWS / 8);
    for (unsigned i = 0; i < PACKERS; i++) {
        if (bits_has(x->packers, i) && !jobs[i].setup->from_l1) {
            pack_rows(&jobs[i], rows);
        }
    }
    return unit_matrix_see_old(x->m, x->op, rows);
}

/* Tells the listener what the packers read: their configuration, counters and rows of Dst. */
static void tell_reads(const struct pack *x, const struct pack_job jobs[])
{
    struct tx_machine *m = x->m;
    const struct pack_places *p = x->p;
    const unsigned bank = cfg_bank(x->s, m->places, x->thread);
    uint64_t rows[TX_DST_ROWS / 64] = {0};
    for (unsigned word = 1; m->order_pack[0] == 0 && word < m->places->words; word++) {
        m->order_pack[word] = pack_places_mask(p, word);
    }
    m->order_pack[0] = 1;
    order_thread_field(m, x->op, m->places->state_id);
    for (unsigned word = 1; word < m->places->words; word++) {
        if (m->order_pack[word] != 0) {
            order_tell(m, TX_ORDER_READ, x->op, TX_SHARED_CONFIG,
                       word + (word >= m->places->global ? 0 : 256 * bank), 1, m->order_pack[word]);
        }
    }
    order_tell(m, TX_ORDER_READ, x->op, TX_SHARED_THREAD_CONFIG,
               p->y_incr[0].word + x->op->amod + 128u * x->thread, 1, 0xFFFFu);
    for (unsigned i = 0; i < PACKERS; i++) {
        if (bits_has(x->packers, i) && !x->flush && !x->zero && !jobs[i].setup->from_l1) {
            pack_rows(&jobs[i], rows);
        }
        if (bits_has(x->packers, i)) {
            order_tell(m, TX_ORDER_READ, x->op, TX_SHARED_ADC, ADC_PACK + 3 * jobs[i].counters, 1,
                       0x0F0Fu);
        }
    }
    tell_rows(x, rows);
}

void unit_pacr(struct tx_machine *m, const struct tx_op *op)
{
    struct pack x;
    struct pack_job jobs[PACKERS];
    unsigned sets = 0;
    pack_open(&x, m, m, op);
    if (!x.plain) {
        check_word(&x);
    }
    if (!x.plain && unit_field(op, FLD_CTRL) == 2) {
        m->state.units.pack.context = 0;
        return;
    }
    for (unsigned i = 0; i < PACKERS; i++) {
        if (!bits_has(x.packers, i)) {
            continue;
        }
        const struct pack_setup *setup = pack_setup_take(&x, pack_section(&x, i));
        if (setup == NULL) {
            return;
        }
        start_tile(&x, &m->state.units.pack.unit[i]);
        pack_job_open(&jobs[i], &x, i, setup);
        pack_input_flat(&jobs[i]);
        if (jobs[i].flat_rows == 0) {
            pack_input_check(&jobs[i]);
        }
    }
    machine_changed(m, CHANGE_PACK, 0);
    if (order_wanted(m)) {
        tell_reads(&x, jobs);
    }
    uint64_t rows[TX_DST_ROWS / 64];
    const bool early = moved_lately(&x, jobs, rows);
    for (unsigned i = 0; i < PACKERS && !m->faulted; i++) {
        if (bits_has(x.packers, i)) {
            jobs[i].flat_rows = early ? 0 : jobs[i].flat_rows;
            run(&jobs[i]); /* P20: the lower first, in case two write one address */
            sets |= 1u << jobs[i].counters;
        }
    }
    if (early) {
        unit_matrix_see_new(m, rows);
    }
    if (m->faulted) {
        return;
    }
    count(&x, sets);
    if (machine_is_bh(m)) {
        count_context(&x, &jobs[0]);
    }
}
