/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds the graph of values from the execution events of a machine. Each execution becomes a step,
 * and each result that it writes to a register a value. A value counts as known when it has arrived
 * in the register: after the cycle in which its step wrote it, in the lanes that predication let
 * through.
 */
#include "flow/graph_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "flow/operands.h"

/* ---- sets of registers ---- */

static unsigned bits_in(uint32_t set)
{
    unsigned count = 0;
    for (; set != 0; set &= set - 1) {
        count++;
    }
    return count;
}

static unsigned first_of(uint32_t set)
{
    return (unsigned)__builtin_ctz(set);
}

/* ---- memory ---- */

static bool grow(txl_graph *g, void *list, size_t *room, size_t wanted, size_t size)
{
    const bool fits = wanted <= 4 * (size_t)MOST;
    if (fits && (wanted <= *room || list_room(list, room, 0, wanted, size))) {
        return true;
    }
    g->no_memory = g->no_memory || fits;
    return false;
}

/* Adds consecutive blocks, or entries of the list. Returns the first one's number, or NONE. */
static uint32_t add_blocks(txl_graph *g, size_t count)
{
    if (g->failed ||
        !grow(g, &g->blocks, &g->block_room, g->block_count + count, sizeof *g->blocks)) {
        g->failed = true;
        return NONE;
    }
    g->block_count += count;
    return (uint32_t)(g->block_count - count);
}

static uint32_t add_entries(txl_graph *g, size_t count)
{
    if (g->failed || !grow(g, &g->list, &g->list_room, g->list_count + count, sizeof *g->list)) {
        g->failed = true;
        return NONE;
    }
    g->list_count += count;
    return (uint32_t)(g->list_count - count);
}

static uint32_t add_value(txl_graph *g, uint32_t step, unsigned reg, uint32_t before)
{
    if (g->failed || g->value_count == MOST ||
        !grow(g, &g->values, &g->value_room, g->value_count + 1, sizeof *g->values)) {
        g->failed = true;
        return NONE;
    }
    g->values[g->value_count] = (struct value){
        .seen = {.step = step, .before = before, .reg = (uint8_t)reg},
        .bits = NONE,
        .owners = NONE,
        .owner = NONE,
    };
    return (uint32_t)g->value_count++;
}

int txl_graph_open(struct txl_error *err, txl_graph **graph)
{
    *graph = zeroed(err, 1, sizeof **graph);
    if (*graph == NULL) {
        return TXL_INPUT;
    }
    txl_graph_begin(*graph);
    return TXL_OK;
}

void txl_graph_close(txl_graph *g)
{
    if (g != NULL) {
        free(g->steps);
        free(g->values);
        free(g->list);
        free(g->blocks);
        free(g);
    }
}

void graph_forget_dst(txl_graph *g)
{
    for (unsigned row = 0; row < TX_DST_ROWS; row++) {
        for (unsigned column = 0; column < TX_DST_WIDTH; column++) {
            g->cell[row][column] = NONE;
        }
    }
}

void txl_graph_begin(txl_graph *g)
{
    g->failed = false;
    g->no_memory = false;
    g->step_count = g->value_count = g->list_count = g->block_count = 0;
    g->pending_regs = 0;
    for (unsigned reg = 0; reg < TX_LREGS; reg++) {
        g->now[reg] = NONE;
        g->pending_count[reg] = 0;
    }
    if (g->most_steps == 0) {
        graph_forget_dst(g);
    }
}

void graph_watch(txl_graph *g, graph_written *written, void *user)
{
    g->written = written;
    g->user = user;
}

void graph_keep(txl_graph *g, size_t steps)
{
    g->most_steps = steps;
}

void graph_mark(txl_graph *g, uint32_t value, const struct graph_mark *mark)
{
    g->values[value].mark = *mark;
}

struct graph_mark graph_mark_of(const txl_graph *g, uint32_t value)
{
    return g->values[value].mark;
}

static void graph_tell(txl_graph *g, uint32_t value, uint32_t lanes)
{
    if (g->written != NULL && !g->failed) {
        g->written(g->user, value, lanes);
    }
}

/* ---- registers ---- */

static uint32_t owner_of(const txl_graph *g, uint32_t value, unsigned lane)
{
    const struct value *v = &g->values[value];
    return v->owners != NONE ? g->blocks[v->owners][lane] : v->owner;
}

/*
 * Makes the value the owner of the given lanes. The other lanes keep the owners of the value that
 * is in the register now.
 */
static void set_owners(txl_graph *g, uint32_t value, uint32_t lanes)
{
    struct value *v = &g->values[value];
    const uint32_t now = g->now[v->seen.reg];
    if (lanes == (uint32_t)ALL_LANES || now == NONE) {
        v->owners = NONE;
        v->owner = value;
        return;
    }
    const uint32_t owners = v->owners != NONE ? v->owners : add_blocks(g, 1);
    if (owners == NONE) {
        return;
    }
    for (unsigned lane = 0; lane < TX_LANES; lane++) {
        g->blocks[owners][lane] = (lanes >> lane & 1U) != 0 ? value : owner_of(g, now, lane);
    }
    v->owners = owners;
}

/* Puts a value into its register, with the bits of all lanes; `lanes` were written by its step. */
static void enter(txl_graph *g, uint32_t value, uint32_t lanes, const uint32_t *bits)
{
    const uint32_t to = g->values[value].bits != NONE ? g->values[value].bits : add_blocks(g, 1);
    if (to == NONE) {
        return;
    }
    struct value *v = &g->values[value];
    memcpy(g->blocks[to], bits, sizeof(block));
    v->bits = to;
    v->seen.lanes |= lanes;
    set_owners(g, value, v->seen.lanes);
    g->now[v->seen.reg] = value;
    graph_tell(g, value, lanes);
}

/* Puts a value into its register of which predication left nothing: bits and owners stay. */
static void enter_nothing(txl_graph *g, uint32_t value)
{
    struct value *v = &g->values[value];
    const struct value *now = &g->values[g->now[v->seen.reg]];
    v->bits = now->bits;
    v->owners = now->owners;
    v->owner = now->owner;
    graph_tell(g, value, 0);
    g->now[v->seen.reg] = value;
}

static void remove_pending(txl_graph *g, unsigned reg, unsigned at)
{
    struct pending *list = g->pending[reg];
    g->pending_count[reg]--;
    memmove(&list[at], &list[at + 1], (g->pending_count[reg] - at) * sizeof *list);
    g->pending_regs &= g->pending_count[reg] != 0 ? UINT32_MAX : ~(UINT32_C(1) << reg);
}

/*
 * Puts into their registers the values whose time has come without a write: predication left
 * nothing of them.
 */
static void graph_settle(txl_graph *g, uint64_t cycle)
{
    for (uint32_t regs = g->pending_regs; regs != 0; regs &= regs - 1) {
        const unsigned reg = first_of(regs);
        for (unsigned i = 0; i < g->pending_count[reg];) {
            if (g->pending[reg][i].due > cycle) {
                i++;
                continue;
            }
            enter_nothing(g, g->pending[reg][i].value);
            remove_pending(g, reg, i);
        }
    }
}

/*
 * Adds a value without a step where a register holds what no write has been seen for: at the
 * beginning, and after writes by the host.
 */
static void find_stranger(txl_graph *g, unsigned reg, const uint32_t *has)
{
    const uint32_t now = g->now[reg];
    uint32_t lanes = 0;
    if (now != NONE && memcmp(g->blocks[g->values[now].bits], has, sizeof(block)) == 0) {
        return;
    }
    for (unsigned lane = 0; lane < TX_LANES; lane++) {
        const bool known = now != NONE && g->blocks[g->values[now].bits][lane] == has[lane];
        lanes |= known ? 0 : UINT32_C(1) << lane;
    }
    const uint32_t value = add_value(g, NONE, reg, now);
    if (value != NONE) {
        enter(g, value, lanes, has);
    }
}

/* Does so for all registers before the first step, later for those that a step reads or writes. */
static void find_strangers(txl_graph *g, const uint32_t *bits, uint32_t regs)
{
    regs = g->step_count == 1 ? (UINT32_C(1) << TX_LREGS) - 1 : regs;
    for (; regs != 0 && !g->failed; regs &= regs - 1) {
        find_stranger(g, first_of(regs), bits + TX_LANES * first_of(regs));
    }
}

/* ---- events ---- */

static struct step *add_step(txl_graph *g, const struct tx_event *event)
{
    if (g->failed || g->step_count == MOST ||
        !grow(g, &g->steps, &g->step_room, g->step_count + 1, sizeof *g->steps)) {
        g->failed = true;
        return NULL;
    }
    struct step *s = &g->steps[g->step_count++];
    const bool named = (event->operands->mode & (TX_INDIRECT_VA | TX_INDIRECT_VD)) != 0;
    const uint32_t indirect = named ? flow_indirect(event->values + TX_LANES * 7) : 0;
    *s = (struct step){
        .operands = *event->operands,
        .seen = {.row = event->row,
                 .number = event->number,
                 .cycle = event->cycle,
                 .word = event->word,
                 .lanes = event->lanes,
                 .reads = flow_lregs(event->row->reads, event->operands, indirect),
                 .writes = flow_lregs(event->row->writes, event->operands, indirect),
                 .address = event->address,
                 .unit = event->unit,
                 .mode = event->mode,
                 .scheduled = event->scheduled != 0},
        .found = NONE,
        .made = NONE,
        .loaded = NONE,
        .stored = NONE,
    };
    const uint32_t exist = (UINT32_C(1) << TX_LREGS) - 1;
    s->seen.reads &= exist;
    s->seen.writes &= exist;
    return s;
}

/*
 * Adds values for what the step may write. They are pending until the write is seen or its time is
 * over.
 */
static void promise(txl_graph *g, struct step *s, uint32_t number)
{
    s->made = add_entries(g, bits_in(s->seen.writes));
    uint32_t *made = s->made != NONE && s->seen.writes != 0 ? &g->list[s->made] : NULL;
    for (uint32_t regs = s->seen.writes; regs != 0 && made != NULL; regs &= regs - 1) {
        const unsigned reg = first_of(regs);
        const uint32_t value = add_value(g, number, reg, g->now[reg]);
        if (value == NONE) {
            return;
        }
        *made++ = value;
        if (g->pending_count[reg] < PENDING) {
            g->pending_regs |= UINT32_C(1) << reg;
            g->pending[reg][g->pending_count[reg]++] =
                (struct pending){value, s->seen.cycle + s->seen.row->latency};
        }
    }
}

static void note_loaded(txl_graph *g, struct step *s)
{
    s->loaded = add_blocks(g, 2);
    for (unsigned lane = 0; lane < TX_LANES && s->loaded != NONE; lane++) {
        const struct tx_dst_place at = tx_dst_place(s->seen.address, lane);
        g->blocks[s->loaded][lane] = g->cell[at.row % TX_DST_ROWS][at.column];
        g->blocks[s->loaded + 1][lane] = g->cell_lane[at.row % TX_DST_ROWS][at.column];
    }
}

static void on_compute(txl_graph *g, const struct tx_event *event)
{
    graph_settle(g, event->cycle);
    if (g->most_steps != 0 && g->step_count >= g->most_steps) {
        graph_forget(g);
    }
    struct step *s = add_step(g, event);
    if (s == NULL) {
        return;
    }
    const uint32_t number = (uint32_t)g->step_count - 1;
    find_strangers(g, event->values, s->seen.reads | s->seen.writes);
    s->found = add_entries(g, bits_in(s->seen.reads));
    uint32_t *found = s->found != NONE && s->seen.reads != 0 ? &g->list[s->found] : NULL;
    for (uint32_t regs = s->seen.reads; regs != 0 && found != NULL; regs &= regs - 1) {
        *found++ = g->now[first_of(regs)];
    }
    promise(g, s, number);
    if ((s->seen.row->reads & TX_SET(DST)) != 0 && g->most_steps == 0) {
        note_loaded(g, s);
    }
}

/* Returns the step that a write event belongs to, or NONE. */
static uint32_t writer(const txl_graph *g, const struct tx_event *event)
{
    for (size_t i = g->step_count; i > 0 && i + RECENT > g->step_count; i--) {
        const struct txl_step *s = &g->steps[i - 1].seen;
        if (s->cycle == event->start && s->unit == event->unit && s->word == event->word &&
            s->scheduled == (event->scheduled != 0) && s->number == event->number &&
            (event->kind != TX_EVENT_WRITE_LREG || (event->lanes & ~s->lanes) == 0)) {
            return (uint32_t)(i - 1);
        }
    }
    return NONE;
}

static void on_lreg(txl_graph *g, const struct tx_event *event)
{
    const unsigned reg = event->index;
    const uint32_t step = writer(g, event);
    uint32_t value = step != NONE ? txl_graph_wrote(g, step, reg) : NONE;
    if (value == NONE) { /* a write by ENABLE_DEST_INDEX, or of a step before the graph began */
        value = add_value(g, step, reg, g->now[reg]);
        if (value != NONE && step != NONE) {
            g->values[value].mark = g->steps[step].mark;
        }
    }
    for (unsigned i = 0; i < g->pending_count[reg]; i++) {
        if (g->pending[reg][i].value == value) {
            remove_pending(g, reg, i);
            break;
        }
    }
    if (value != NONE) {
        enter(g, value, event->lanes, event->values);
    }
}

/* Adds the value of a store for all its lanes, when its first row is written. */
static void on_store(txl_graph *g, uint32_t number)
{
    struct step *s = &g->steps[number];
    const uint32_t from = txl_graph_read(g, number, s->operands.vd);
    const uint32_t bits = from != NONE ? add_blocks(g, 1) : NONE;
    const uint32_t value = bits != NONE ? add_value(g, number, TXL_IN_DST, NONE) : NONE;
    if (value == NONE) {
        return;
    }
    memcpy(g->blocks[bits], g->blocks[g->values[from].bits], sizeof(block));
    struct value *v = &g->values[value];
    v->seen.lanes = s->seen.lanes;
    v->bits = bits;
    v->owner = value;
    v->mark = s->mark;
    s->stored = value;
    for (unsigned lane = 0; lane < TX_LANES; lane++) {
        if ((s->seen.lanes >> lane & 1U) != 0) {
            const struct tx_dst_place at = tx_dst_place(s->seen.address, lane);
            g->cell[at.row % TX_DST_ROWS][at.column] = value;
            g->cell_lane[at.row % TX_DST_ROWS][at.column] = (uint8_t)lane;
        }
    }
    graph_tell(g, value, s->seen.lanes);
}

static void on_dst(txl_graph *g, const struct tx_event *event)
{
    const uint32_t step = writer(g, event);
    if (step != NONE && (g->steps[step].seen.row->writes & TX_SET(DST)) != 0) {
        if (g->steps[step].stored == NONE) {
            on_store(g, step);
        }
        return;
    }
    /* Written by another unit or by the host. */
    for (unsigned column = 0; column < TX_DST_WIDTH; column++) {
        if ((event->lanes >> column & 1U) != 0) {
            g->cell[event->index % TX_DST_ROWS][column] = NONE;
        }
    }
}

void txl_graph_event(void *graph, const struct tx_event *event)
{
    txl_graph *g = graph;
    if (g->failed) {
        return;
    }
    if (event->kind == TX_EVENT_COMPUTE) {
        on_compute(g, event);
    } else if (event->kind == TX_EVENT_WRITE_LREG && event->index < TX_LREGS) {
        on_lreg(g, event);
    } else if (event->kind == TX_EVENT_WRITE_DST && g->most_steps == 0) {
        on_dst(g, event);
    }
}

/* ---- questions ---- */

bool graph_no_memory(const txl_graph *g)
{
    return g->no_memory;
}

bool txl_graph_whole(const txl_graph *g)
{
    return !g->failed;
}

size_t txl_graph_steps(const txl_graph *g)
{
    return g->step_count;
}

const struct txl_step *txl_graph_step(const txl_graph *g, uint32_t step)
{
    return step < g->step_count ? &g->steps[step].seen : NULL;
}

const struct tx_operands *txl_graph_operands(const txl_graph *g, uint32_t step)
{
    return step < g->step_count ? &g->steps[step].operands : NULL;
}

size_t txl_graph_values(const txl_graph *g)
{
    return g->value_count;
}

const struct txl_value *txl_graph_value(const txl_graph *g, uint32_t value)
{
    return value < g->value_count ? &g->values[value].seen : NULL;
}

/* Returns the entry of a register in a list that has one entry for each bit of the set, or NONE. */
static uint32_t entry(const txl_graph *g, uint32_t list, uint32_t set, unsigned reg)
{
    if (reg >= TX_LREGS || (set >> reg & 1U) == 0 || list == NONE) {
        return NONE;
    }
    return g->list[list + bits_in(set & ((UINT32_C(1) << reg) - 1))];
}

uint32_t txl_graph_read(const txl_graph *g, uint32_t step, unsigned reg)
{
    return entry(g, g->steps[step].found, g->steps[step].seen.reads, reg);
}

uint32_t txl_graph_wrote(const txl_graph *g, uint32_t step, unsigned reg)
{
    return entry(g, g->steps[step].made, g->steps[step].seen.writes, reg);
}

size_t graph_found(const txl_graph *g, uint32_t step, const uint32_t **values)
{
    const struct step *s = &g->steps[step];
    *values = s->found != NONE && s->seen.reads != 0 ? &g->list[s->found] : NULL;
    return s->found != NONE ? bits_in(s->seen.reads) : 0;
}

void graph_mark_step(txl_graph *g, uint32_t step, const struct graph_mark *mark)
{
    struct step *s = &g->steps[step];
    const unsigned count = s->made != NONE ? bits_in(s->seen.writes) : 0;
    s->mark = *mark;
    for (unsigned i = 0; i < count; i++) {
        g->values[g->list[s->made + i]].mark = *mark;
    }
}

uint32_t txl_graph_register(const txl_graph *g, unsigned reg)
{
    return g->now[reg];
}

struct txl_source txl_graph_cell(const txl_graph *g, unsigned row, unsigned column)
{
    return (struct txl_source){g->cell[row][column], g->cell_lane[row][column]};
}

struct txl_source txl_graph_loaded(const txl_graph *g, uint32_t step, unsigned lane)
{
    const uint32_t at = g->steps[step].loaded;
    if (at == NONE) {
        return (struct txl_source){NONE, 0};
    }
    return (struct txl_source){g->blocks[at][lane], (uint8_t)g->blocks[at + 1][lane]};
}

uint32_t txl_graph_bits(const txl_graph *g, uint32_t value, unsigned lane)
{
    const uint32_t at = g->values[value].bits;
    return at != NONE ? g->blocks[at][lane] : 0;
}

struct txl_source txl_graph_origin(const txl_graph *g, uint32_t value, unsigned lane)
{
    const bool there = value < g->value_count && g->values[value].bits != NONE;
    return (struct txl_source){there ? owner_of(g, value, lane) : NONE, (uint8_t)lane};
}

/* Appends the origin of a lane unless it is in the list already. Returns the new count. */
static size_t add_source(const txl_graph *g, uint32_t value, unsigned lane,
                         struct txl_source list[TXL_MOST_SOURCES], size_t count)
{
    const struct txl_source from = txl_graph_origin(g, value, lane);
    bool known = from.value == NONE;
    for (size_t i = 0; i < count; i++) {
        known = known || (list[i].value == from.value && list[i].lane == from.lane);
    }
    if (!known && count < TXL_MOST_SOURCES) {
        list[count++] = from;
    }
    return count;
}

static size_t step_sources(const txl_graph *g, struct txl_source of,
                           struct txl_source list[TXL_MOST_SOURCES])
{
    const struct txl_value *v = &g->values[of.value].seen;
    const struct txl_step *s = &g->steps[v->step].seen;
    const struct tx_operands *operands = &g->steps[v->step].operands;
    const bool loads = (s->row->reads & TX_SET(DST)) != 0;
    struct flow_move from;
    size_t count = 0;
    if (loads && txl_graph_loaded(g, v->step, of.lane).value != NONE) {
        list[count++] = txl_graph_loaded(g, v->step, of.lane);
    }
    if (flow_moves(s->row, operands, v->reg, of.lane, &from)) {
        const uint32_t value = txl_graph_read(g, v->step, from.reg);
        return from.lane < TX_LANES && value != NONE ? add_source(g, value, from.lane, list, count)
                                                     : count;
    }
    uint32_t reads = s->reads;
    if (tx_indirect_va(s->row->reads, operands->mode)) {
        /* L7 names another register in each lane. */
        const unsigned named = txl_graph_bits(g, txl_graph_read(g, v->step, 7), of.lane) & 15U;
        reads = flow_lregs(s->row->reads & ~TX_SET(VDX), operands, UINT32_C(1) << named);
    }
    for (unsigned reg = 0; reg < TX_LREGS; reg++) {
        const uint32_t value = (reads >> reg & 1U) != 0 ? txl_graph_read(g, v->step, reg) : NONE;
        count = value != NONE ? add_source(g, value, of.lane, list, count) : count;
    }
    return count;
}

size_t txl_graph_sources(const txl_graph *g, struct txl_source of, struct txl_source *out,
                         size_t most)
{
    struct txl_source list[TXL_MOST_SOURCES];
    if (of.value >= g->value_count || g->values[of.value].seen.step == NONE) {
        return 0;
    }
    const size_t count = step_sources(g, of, list);
    memcpy(out, list, (count < most ? count : most) * sizeof *out);
    return count;
}
