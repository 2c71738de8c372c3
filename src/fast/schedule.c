/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Replays the recorded executions symbolically, cycle by cycle, keeping for every register, flag
 * and Dst cell the node of the graph that it holds. An execution reads what was there at the start
 * of its cycle; its writes are collected and applied at the end of the cycle, or of the next one
 * for a two-cycle instruction. At the end the nodes of the output tile are the roots.
 */
#include "fast/lowering.h"

#include "fmt/dst_value.h"
#include "num/prng.h"
#include "pipe/exec.h"
#include "state/dst.h"

#include <stdlib.h>
#include <string.h>

void lower_refuse(struct lowering *l, const char *reason)
{
    if (l->out->reason == NULL) {
        l->out->reason = reason;
    }
}

/* ---- writes ---- */

void lower_write_to(struct lowering *l, struct writes *to, const struct write *w)
{
    if (to->count == WRITES) {
        lower_refuse(l, "too many instructions in one cycle");
    } else {
        to->list[to->count++] = *w;
    }
}

void lower_put(struct lowering *l, struct writes *to, enum place place, unsigned which,
               dag_ref value, dag_ref mask)
{
    const struct write w = {.place = place, .which = which, .value = value, .mask = mask};
    lower_write_to(l, to, &w);
}

/* With ENABLE_DEST_INDEX only L0..L3 are exchanged, together with the registers four further on. */
static void exchange_indexed(struct lowering *l, const struct write *w)
{
    const unsigned ic = 4u + (w->vc & 3u);
    const unsigned id = 4u + (w->vb & 3u);
    const dag_ref index_c = l->lreg[ic];
    const dag_ref index_d = l->lreg[id];
    if (w->vc < 4) {
        lower_put(l, &l->now, TO_LREG, w->vc, l->lreg[w->vb], w->mask);
    }
    if (w->second < 4 || w->second == 16) {
        lower_put(l, &l->now, TO_LREG, w->second, l->lreg[w->vc], w->mask);
    }
    lower_put(l, &l->now, TO_LREG, ic, index_d, w->mask);
    lower_put(l, &l->now, TO_LREG, id, index_c, w->mask);
}

/* Returns whether another write of this cycle goes to one of the two registers. */
static bool written(const struct lowering *l, unsigned a, unsigned b)
{
    for (unsigned i = 0; i < l->now.count; i++) {
        const struct write *w = &l->now.list[i];
        if (w->place == TO_LREG && (w->which == a || w->which == b)) {
            return true;
        }
    }
    return false;
}

/* Lowers SFPSWAP's exchange, on the registers as they are before its second cycle. */
static void exchange(struct lowering *l, const struct write *w)
{
    const dag_ref c = l->lreg[w->vc];
    const dag_ref d = l->lreg[w->vb];
    const struct dag_node order = *dag_at(l->dag, w->mask);
    if (l->index) {
        exchange_indexed(l, w);
        return;
    }
    if (order.kind == FAST_ORDER && order.in[IN_A] == c && order.in[IN_B] == d && w->second != 16 &&
        !written(l, w->vc,
                 w->second)) { /* whole registers, which nothing has changed since the comparison */
        dag_ref out[OUT_COUNT];
        struct dag_node both = order;
        both.kind = FAST_EXCHANGED;
        dag_make(l->dag, &both, out);
        if (w->vc < 8) {
            lower_put(l, &l->now, TO_LREG, w->vc, out[OUT_VALUE], l->ones);
        }
        if (w->second < 8) {
            lower_put(l, &l->now, TO_LREG, w->second, out[OUT_LF], l->ones);
        }
        return;
    }
    if (w->vc < 8) {
        lower_put(l, &l->now, TO_LREG, w->vc, d, w->mask);
    }
    if (w->second < 8 || w->second == 16) {
        lower_put(l, &l->now, TO_LREG, w->second, c, w->mask);
    }
}

static void end_cycle(struct lowering *l)
{
    for (unsigned i = 0; i < l->now.count; i++) {
        const struct write *w = &l->now.list[i];
        dag_ref *const places[] = {&l->lreg[w->which % 17],        &l->flags, &l->enabled,
                                   &l->stack[w->which & 7u],       &l->latch, &l->prng,
                                   &l->cells[w->which % CELLS].ref};
        if (w->place == TO_ENABLED) {
            l->enabled = w->which != 0 ? l->flags : l->ones;
        } else if (w->place == TO_PRNG && w->value == DAG_NONE) {
            const dag_ref next = lower_of_two(l, FAST_NEXT, l->prng, DAG_NONE);
            l->prng = dag_select(l->dag, w->mask, next, l->prng);
        } else {
            dag_ref *to = places[w->place];
            *to = dag_select(l->dag, w->mask, w->value, *to);
        }
    }
}

/*
 * Results of two-cycle instructions of the previous cycle come first among the writes of this
 * cycle. With rule early-read=new they are written before anything is read.
 */
static void begin_cycle(struct lowering *l)
{
    const struct writes due = l->later;
    l->later.count = 0;
    l->now.count = 0;
    for (unsigned i = 0; i < due.count; i++) {
        if (due.list[i].place == EXCHANGE) {
            exchange(l, &due.list[i]);
        } else {
            lower_write_to(l, &l->now, &due.list[i]);
        }
    }
    if (machine_rule(l->task->machine, RULE_EARLY_READ)) {
        end_cycle(l);
        l->now.count = 0;
    }
}

/* ---- from the start state to the roots ---- */

static const char *bad_state(const struct tx_state *s)
{
    const uint32_t known =
        LC_DISABLE_BACKDOOR_LOAD | LC_ENABLE_DEST_INDEX | LC_CAPTURE_DEFAULT_DEST_INDEX;
    uint32_t other = s->lane_config[0] & ~known;
    for (unsigned column = 1; column < 8; column++) {
        other |= s->lane_config[column] ^ s->lane_config[0];
    }
    return other != 0 ? "LaneConfig differs by lane, or is more than destination indices"
           : s->pending_count != 0 || s->flights != 0 ? "scheduled instructions are outstanding"
                                                      : NULL;
}

static dag_ref mask_of(struct dag *dag, uint32_t lanes)
{
    uint32_t words[32];
    for (unsigned i = 0; i < 32; i++) {
        words[i] = (lanes >> i & 1u) != 0 ? ALL : 0;
    }
    return dag_constant(dag, words);
}

/*
 * Sets registers, flags and stack to what .init left, and notes which rows of Dst the tiles fill.
 */
static void first_state(struct lowering *l)
{
    const struct tx_state *s = l->task->start;
    const struct dag_node seed = dag_blank(FAST_SEED);
    l->ones = dag_uniform(l->dag, ALL);
    l->index = (s->lane_config[0] & LC_ENABLE_DEST_INDEX) != 0;
    l->capture = l->index && (s->lane_config[0] & LC_CAPTURE_DEFAULT_DEST_INDEX) != 0;
    for (unsigned reg = 0; reg < 17; reg++) {
        l->lreg[reg] = dag_constant(l->dag, s->lreg[reg]);
    }
    l->flags = mask_of(l->dag, s->lane_flags);
    l->enabled = s->use_flags != 0 ? l->flags : l->ones;
    l->latch = dag_constant(l->dag, s->shift_latch);
    for (unsigned slot = 0; slot < 8; slot++) {
        l->stack[slot] = mask_of(l->dag, s->stack_lf[slot]);
    }
    l->prng = l->task->final != NULL ? dag_constant(l->dag, s->prng) : dag_value(l->dag, &seed);
    for (unsigned i = 0; i < l->task->inputs; i++) {
        for (unsigned row = 0; row < 64; row++) {
            const unsigned at = l->task->input_row[i][row];
            l->brings[at] = (uint16_t)(64 * i + row + 1);
            if (dst_is_32bit(l->task->format)) {
                l->brings[at + 8] = (uint16_t)(l->brings[at] | LOW_HALF);
            }
        }
    }
}

static void last_words(struct lowering *l)
{
    const enum tx_format format = l->task->out;
    for (unsigned vector = 0; vector < 32 && l->out->reason == NULL; vector++) {
        struct spot spot = {.wide = dst_is_32bit(format), .odd = (vector & 1u) != 0};
        struct dag_node word = dag_blank(FAST_WORD);
        for (unsigned g = 0; g < 4; g++) {
            const unsigned at = l->task->output_row[vector / 2 * 4 + g];
            spot.row[g] = (uint16_t)at;
            spot.low[g] = (uint16_t)(at + 8);
        }
        word.format = (uint8_t)format;
        word.in[IN_A] = lower_read_spot(l, &spot);
        l->out->roots[vector] = dag_value(l->dag, &word);
    }
}

/*
 * A seed replaces the state after this cycle's random draws, as it is written behind them
 * (front/gate.c).
 */
static void seed(struct lowering *l, uint32_t value)
{
    uint32_t lanes[32];
    prng_seed(value, lanes);
    lower_put(l, &l->now, TO_PRNG, 0, dag_constant(l->dag, lanes), l->ones);
}

static void all_cycles(struct lowering *l, const struct fast_recording *recording)
{
    size_t at = 0;
    while ((at < recording->count || l->later.count != 0) && l->out->reason == NULL &&
           !l->dag->failed) {
        const uint64_t cycle = at < recording->count ? recording->list[at].cycle : 0;
        const bool gap = l->later.count != 0 && (at == recording->count || at == 0 ||
                                                 cycle > recording->list[at - 1].cycle + 1);
        begin_cycle(l);
        while (!gap && at < recording->count && recording->list[at].cycle == cycle) {
            const struct fast_record *r = &recording->list[at++];
            if (r->seeds) {
                seed(l, r->seed);
            } else {
                lower_execute(l, r);
                l->out->instructions++;
            }
        }
        end_cycle(l);
    }
}

/* Copies a value. If the start state is constants, every value has been folded to a constant. */
static void copy_lanes(struct lowering *l, dag_ref ref, uint32_t to[32])
{
    const uint32_t *lanes = dag_lanes(l->dag, ref);
    if (lanes != NULL) {
        memcpy(to, lanes, 32 * sizeof *to);
    } else {
        lower_refuse(l, "a value is not known");
    }
}

static uint32_t copy_mask(struct lowering *l, dag_ref ref)
{
    uint32_t lanes[32] = {0};
    uint32_t mask = 0;
    copy_lanes(l, ref, lanes);
    for (unsigned i = 0; i < 32; i++) {
        mask |= (lanes[i] & 1u) << i;
    }
    return mask;
}

static void last_state(struct lowering *l)
{
    struct tx_state *s = l->task->final;
    for (unsigned reg = 0; reg < 17; reg++) {
        copy_lanes(l, l->lreg[reg], s->lreg[reg]);
    }
    copy_lanes(l, l->latch, s->shift_latch);
    copy_lanes(l, l->prng, s->prng);
    s->lane_flags = copy_mask(l, l->flags);
    for (unsigned slot = 0; slot < 8; slot++) {
        s->stack_lf[slot] = copy_mask(l, l->stack[slot]);
    }
    for (unsigned odd = 0; odd < 2; odd++) {
        for (unsigned row = 0; row < TX_DST_ROWS; row++) {
            const unsigned owner = l->owner[row][odd];
            uint32_t lanes[32] = {0};
            if (owner == 0 || l->cells[owner - 1].row[0] != row) {
                continue;
            }
            copy_lanes(l, l->cells[owner - 1].ref, lanes);
            for (unsigned i = 0; i < 32; i++) {
                s->dst[l->cells[owner - 1].row[i / 8]][2 * (i % 8) + odd] = (uint16_t)lanes[i];
            }
        }
    }
}

struct fast_rules fast_rules_of(const struct tx_machine *m)
{
    return (struct fast_rules){.arithmetic_bh = machine_has(m, ARITHMETIC_BH),
                               .lut16_positive = machine_rule(m, RULE_LUT16_ZERO),
                               .stoch_shifted = machine_rule(m, RULE_STOCH_COMPARE),
                               .prng_after = machine_rule(m, RULE_PRNG_RESULT),
                               .strict_ties = machine_rule(m, RULE_SWAP_TIE),
                               .keep_denormals = machine_rule(m, RULE_STORE_FP32)};
}

bool fast_schedule(const struct fast_task *task, const struct fast_level *level,
                   const struct fast_recording *recording, struct fast_schedule *out)
{
    const struct fast_rules rules = fast_rules_of(task->machine);
    struct lowering *l = calloc(1, sizeof *l);
    *out = (struct fast_schedule){.reason = recording->reason};
    if (l == NULL || !dag_open(&out->dag, level, &rules)) {
        free(l);
        return false;
    }
    l->task = task;
    l->dag = &out->dag;
    l->out = out;
    l->dag->steps = task->steps;
    l->dag->varying = task->varying;
    l->dag->varying_count = task->varying_count;
    if (out->reason == NULL) {
        out->reason = bad_state(task->start);
    }
    first_state(l);
    all_cycles(l, recording);
    if (task->final == NULL) {
        last_words(l);
    } else if (out->reason == NULL) {
        last_state(l);
    }
    if (out->dag.unknown) {
        lower_refuse(l, "a step of it is not compiled");
    }
    free(l);
    return !out->dag.failed && !recording->failed;
}
