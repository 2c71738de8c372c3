/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PACR: which packers, whose counters, in which order. Everything happens in the cycle in which it
 * passes its gate; time.c accounts for how long it takes. Source: isa PACR f7fda21 (Wormhole),
 * f82128b (Blackhole); tt-llk assembly.yaml 36b092e; spec/pack.md 2.1, 4.8, 9.
 */
#include "pack/place.h"
#include "base/check.h"
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
    const uint32_t mask = machine_number(m, PACKERS) == 1 ? 1 : unit_field(op, FLD_MASK);
    return mask == 0 ? 1 : mask;
}

/*
 * Returns whether all packers of a mask are certain to work together; on Wormhole only some masks
 * are described (2.1).
 */
static bool mask_known(const struct tx_machine *m, uint32_t mask)
{
    return machine_number(m, PACKERS) == 1 || (0x910Fu >> mask & 1u) != 0 ||
           (mask & (mask - 1u)) == 0;
}

static void read_word(struct pack *x, const struct tx_machine *look, const struct tx_op *op)
{
    const uint32_t mask = unit_field(op, FLD_MASK);
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
    x->zero_special = machine_has(look, PACK_INTERFACES) && x->zero && mask == 0;
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
    CHECK(packer < PACKERS, "a job is for one of four packers");
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

void pack_steps(const struct pack *x, struct pack_step step[2])
{
    const struct pack_places *p = x->p;
    const uint16_t mode = x->s->thread_config[x->thread][p->y_incr[0].word + x->op->amod];
    const uint32_t z_mask =
        machine_rule(x->look, RULE_PACK_ZW) ? 0xFFu : adc_mask(x->look->arch, ADC_Z);
    for (unsigned i = 0; i < 2; i++) {
        const bool y_clear = bits_get(mode, p->y_clear[i].lsb, 1) != 0;
        step[i].y_cr = y_clear || bits_get(mode, p->y_cr[i].lsb, 1) != 0;
        step[i].y = bits_get(mode, p->y_incr[i].lsb, p->y_incr[i].width);
        step[i].y_mask = y_clear ? 0 : adc_mask(x->look->arch, ADC_Y);
        step[i].z = bits_get(mode, p->z_incr[i].lsb, 1);
        step[i].z_mask = bits_get(mode, p->z_clear[i].lsb, 1) != 0 ? 0 : z_mask;
    }
}

static inline void count_channel(struct adc_counter *c, const struct pack_step *by)
{
    struct adc_counter *y = &c[ADC_Y];
    struct adc_counter *z = &c[ADC_Z];
    y->live = ((by->y_cr ? y->cr : y->live) + by->y) & by->y_mask;
    y->cr = by->y_cr ? y->live : y->cr;
    z->live = (z->live + by->z) & by->z_mask;
    z->cr = by->z_mask == 0 ? 0 : z->cr;
}

static inline void count_set(const struct pack *x, unsigned thread, const struct pack_step step[2])
{
    struct adc *adc = &x->m->state.adc[thread][ADC_PACK];
    order_write(x->m, x->op, TX_SHARED_ADC, ADC_PACK + 3 * thread, 1, 0x6666u);
    count_channel(adc->ch[0], &step[0]);
    count_channel(adc->ch[1], &step[1]);
}

/* Y and Z of each set of counters that a packer used, once (4.8). */
static void count(const struct pack *x, unsigned sets, const struct pack_step step[2])
{
    for (unsigned t = 0; sets >> t != 0; t++) {
        if ((sets >> t & 1u) != 0) {
            count_set(x, t, step);
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
static inline void count_context(const struct pack *x, const struct pack_job *j)
{
    struct packers *k = &x->m->state.units.pack;
    const unsigned every = j->setup->auto_context;
    k->planes = (uint8_t)(k->planes + j->planes);
    if (x->plain || (unit_field(x->op, FLD_CTRL) & 1u) == 0 ||
        (every == 0 ? !x->last : k->planes < every)) {
        return;
    }
    k->context = (k->context + 1u) & 3u;
    k->planes = 0;
}

static void end_tile(struct pack_job *j)
{
    pack_close(j);
    pack_side_last(j);
}

static void pacr_run(struct pack_job *j)
{
    const struct pack *x = j->x;
    (void)pack_output_start(j);
    pack_data(j);
    if (x->last) {
        end_tile(j);
    } else if (x->flush) {
        pack_close(j);
    } else if (machine_rule(x->m, RULE_PACK_TAIL)) {
        pack_output_tail(j);
    }
    pack_time_enter(j);
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

/*
 * A word that ran before under the same configuration, and whole rows again: what there is to look
 * at is known. False: something is otherwise, and nothing has happened.
 */
static bool run_known(struct tx_machine *m, const struct tx_op *op)
{
    struct pack_job jobs[PACKERS];
    struct pack_flat *flat = pack_flat_known(m, op->word, op->thread);
    unsigned sets = 0;
    if (flat == NULL || m->state.units.matrix.moved > m->state.cycle) {
        return false;
    }
    const struct pack *x = &flat->x;
    flat->x.op = op;
    for (unsigned i = 0; x->packers >> i != 0; i++) {
        if (bits_has(x->packers, i)) {
            jobs[i] = flat->job[i];
            jobs[i].units = jobs[i].planes = 0;
            pack_input_place(&jobs[i]);
            pack_input_flat(&jobs[i]);
            if (jobs[i].flat_rows == 0) {
                return false;
            }
        }
    }
    machine_changed(m, CHANGE_PACK, 0);
    for (unsigned i = 0; x->packers >> i != 0 && !m->faulted; i++) {
        if (bits_has(x->packers, i)) {
            start_tile(x, jobs[i].k);
            pacr_run(&jobs[i]);
            sets |= 1u << jobs[i].counters;
        }
    }
    if (!m->faulted) {
        count(x, sets, flat->step);
        if (machine_has(m, PACK_CONTEXTS)) {
            count_context(x, &jobs[0]);
        }
    }
    return true;
}

void unit_pacr(struct tx_machine *m, const struct tx_op *op)
{
    if (run_known(m, op)) {
        return;
    }
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
        if (pack_input_may_be_flat(&jobs[i])) {
            pack_input_flat(&jobs[i]);
        }
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
            pacr_run(&jobs[i]); /* P20: the lower first, in case two write one address */
            sets |= 1u << jobs[i].counters;
        }
    }
    if (early) {
        unit_matrix_see_new(m, rows);
    }
    if (m->faulted) {
        return;
    }
    struct pack_step step[2];
    pack_steps(&x, step);
    count(&x, sets, step);
    pack_flat_keep(&x, jobs);
    if (machine_has(m, PACK_CONTEXTS)) {
        count_context(&x, &jobs[0]);
    }
}

/* ---- one after the other ---- */

/* Nothing of the Matrix and the Vector Unit is in their way, and nobody records what changes. */
static bool run_may_begin(const struct tx_machine *m)
{
    const struct units *u = &m->state.units;
    const uint64_t now = m->state.cycle;
    return machine_number(m, PACKERS) == 1 && !machine_rule(m, RULE_PACK_TAIL) &&
           m->state.fpu.left == 0 && u->matrix.until <= now && u->matrix.stored_until <= now &&
           u->matrix.moved <= now && m->on_change == NULL;
}

/* The word waits at the gate until the packer takes it, as the gate would have it. */
static void wait_for_packer(struct tx_machine *m, unsigned thread, uint32_t word, uint64_t cycles)
{
    struct wait_gate *g = &m->state.units.gate[thread];
    g->since = m->state.cycle;
    g->other = TX_THREADS;
    g->word = word;
    m->counters.stall_cycles += cycles;
    m->state.cycle += cycles;
}

size_t unit_pack_run(struct tx_machine *m, unsigned thread, const uint32_t *words, size_t most,
                     uint64_t cycles, uint64_t *first)
{
    CHECK(thread < TX_THREADS, "packer instructions of a run are one thread's");
    struct packer *k = &m->state.units.pack.unit[0];
    const uint64_t start = m->state.cycle;
    struct pack_late_data late;
    size_t done = 0;
    late.rows = 0;
    if (!run_may_begin(m)) {
        return 0;
    }
    for (; done < most; done++) {
        const uint64_t now = m->state.cycle;
        const uint64_t wait = k->end[k->next] > now ? k->end[k->next] - now : 0;
        struct pack_flat *flat = pack_flat_known(m, words[done], thread);
        if (flat == NULL || flat->op.clean == 0 || now + wait + 1 - start > cycles) {
            break;
        }
        const struct pack *x = &flat->x;
        struct pack_job *j = &flat->job[0];
        flat->x.op = &flat->op;
        flat->op.number = m->state.index + done;
        j->units = j->planes = 0;
        pack_input_place(j);
        pack_input_flat(j);
        if (j->flat_rows == 0) {
            break;
        }
        if (wait != 0) {
            wait_for_packer(m, thread, words[done], wait);
        }
        *first = done == 0 ? m->state.cycle : *first;
        start_tile(x, k);
        if (!pack_streams_open(j)) {
            (void)pack_output_start(j);
        }
        if (!pack_rows_later(j, &late)) { /* L1 is to be asked, and may have something to say */
            pack_rows_now(m, &late);
            pack_data(j);
        }
        if (x->last) {
            if (k->stream[PACK_EXPONENTS].count !=
                0) { /* these go to L1 with the end of the tile */
                pack_rows_now(m, &late);
            }
            end_tile(j);
        }
        pack_time_enter(j);
        if (m->faulted) {
            break;
        }
        count_set(x, j->counters, flat->step);
        count_context(x, j);
        m->state.cycle++;
    }
    pack_rows_now(m, &late);
    if (done != 0) {
        m->state.units.gate[thread].hold = TX_HOLD_NONE;
        m->state.units.gate[thread].passed += done;
        m->state.units.last[GROUP_PACK] = (uint8_t)thread;
        m->state.index += done;
        m->counters.instructions += done;
        m->wrote.rows = 0;
    }
    return done;
}
