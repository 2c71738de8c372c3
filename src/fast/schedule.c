/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From executions by cycle to steps in a row. In one cycle everything reads before anything is
 * written, and results of two-cycle instructions arrive a cycle later; steps that would overwrite
 * what another has still to read go through a temporary.
 */
#include "fast/schedule.h"

#include "pipe/exec.h"
#include "state/dst.h"

#include <stdlib.h>
#include <string.h>

/* What a step can read or write: LRegs 0..16, and: */
enum {
    RES_LREGS = 0x1FFFF,
    RES_FLAGS = 1 << 17,
    RES_DST = 1 << 18,
    RES_PRNG = 1 << 19,
    RES_STACK = 1 << 20,
    RES_LATCH = 1 << 21,
};

enum { ITEMS = 40 };

struct item {
    struct fast_op f;
    uint32_t reads, writes;
    unsigned order;  /* of commits within the cycle */
    uint8_t holds;   /* temporary that it frees, or FAST_TRASH */
    uint8_t decides; /* decide array that it frees, or 255 */
};

struct lowering {
    const struct tx_machine *m;
    const struct tx_state *start;
    bool constant_l7;
    const struct fast_level *level;
    struct fast_schedule *out;
    struct item now[ITEMS], later[ITEMS];
    unsigned now_count, later_count;
    uint32_t temps;  /* in use, bit per temporary */
    uint32_t decide; /* in use */
    bool memory;
};

/* ---- recording ---- */

static bool uniform(uint32_t lanes)
{
    return lanes == 0 || lanes == 0xFFFFFFFFu;
}

static const char *refuses(const struct tx_machine *m, const struct tx_op *op, uint32_t allowed,
                           const struct effect *e)
{
    const struct tx_state *s = &m->state;
    const unsigned insn = isa_row((enum isa_row_id)op->row)->insn;
    if (e->template_mask != 0) {
        return "an instruction of .tile becomes a macro template";
    }
    if (insn == INSN_SFPCONFIG &&
        (e->config_kind != EFFECT_CONSTANT || e->config_mask != 0xFFFFFFFFu || s->use_flags != 0)) {
        return "SFPCONFIG in .tile changes more than a constant in all lanes";
    }
    if (!uniform(allowed)) {
        return "an instruction is dropped in some lanes only";
    }
    if (!uniform(s->use_flags)) {
        return "predication is switched on in some lanes only";
    }
    if (op->row == ROWID_SFPMOV_SPECIAL && op->vc != 9) {
        return "SFPMOV reads configuration";
    }
    for (unsigned lane = 1; lane < 32; lane++) {
        if (s->stack_ctr[lane] != s->stack_ctr[0] || s->stack_ctr[0] > 8) {
            return "the flag stack is used beyond its contract";
        }
    }
    return NULL;
}

void fast_record(void *user, const struct tx_machine *m, const struct tx_op *op, uint32_t allowed,
                 const struct effect *e, uint32_t lanes)
{
    struct fast_recording *r = user;
    const struct tx_state *s = &m->state;
    (void)lanes;
    if (r->reason != NULL) {
        return;
    }
    r->reason = refuses(m, op, allowed, e);
    if (r->count == r->room) {
        const size_t room = r->room == 0 ? 1024 : 2 * r->room;
        struct fast_record *larger = realloc(r->list, room * sizeof *larger);
        r->reason = larger == NULL ? "no memory" : r->reason;
        r->list = larger == NULL ? r->list : larger;
        r->room = larger == NULL ? r->room : room;
    }
    if (r->reason != NULL) {
        return;
    }
    const unsigned top = (s->stack_ctr[0] - 1u) & 7u;
    const uint32_t use_after = (s->use_flags & ~e->use_mask) | (e->use & e->use_mask);
    struct fast_record *to = &r->list[r->count++];
    *to = (struct fast_record){.op = *op,
                               .cycle = s->cycle,
                               .address = e->address,
                               .mode = e->mode,
                               .depth = s->stack_ctr[0],
                               .use = s->use_flags != 0,
                               .use_after = use_after != 0,
                               .top_use = s->stack_use[top] != 0,
                               .odd = (e->address & 2u) != 0,
                               .runs = allowed != 0 && exec_guard(m, op) != 0};
    const struct dst_view view = dst_view(s, m->places, op->thread);
    to->remap = view.remap;
    to->swizzle = view.swizzle;
    if (!uniform(use_after) || (s->stack_ctr[0] != 0 && !uniform(s->stack_use[top]))) {
        r->reason = "predication is switched on in some lanes only";
    }
}

/* ---- steps ---- */

static void emit(struct lowering *l, const struct item *item)
{
    struct fast_schedule *out = l->out;
    if (out->count == out->room) {
        const size_t room = out->room == 0 ? 1024 : 2 * out->room;
        struct fast_op *larger = realloc(out->ops, room * sizeof *larger);
        if (larger == NULL) {
            l->memory = false;
            return;
        }
        out->ops = larger;
        out->room = room;
    }
    out->ops[out->count] = item->f;
    out->ops[out->count].index = (uint32_t)out->count;
    out->count++;
    if (item->holds != FAST_TRASH) {
        l->temps &= ~(1u << (item->holds - 17));
    }
    if (item->decides != 255) {
        l->decide &= ~(1u << item->decides);
    }
}

static void refuse(struct lowering *l, const char *reason)
{
    if (l->out->reason == NULL) {
        l->out->reason = reason;
    }
}

/* Takes a temporary, or FAST_TRASH. */
static uint8_t take_temp(struct lowering *l)
{
    for (uint8_t i = 0; i < FAST_TEMPS; i++) {
        if ((l->temps >> i & 1u) == 0) {
            l->temps |= 1u << i;
            return (uint8_t)(17 + i);
        }
    }
    refuse(l, "too many results wait at once");
    return FAST_TRASH;
}

static struct item *add(struct item *list, unsigned *count, const struct item *item)
{
    if (*count == ITEMS) {
        return NULL;
    }
    list[*count] = *item;
    return &list[(*count)++];
}

/*
 * The result goes to a temporary; the returned item writes it to its register. Only for what writes
 * one register as a whole.
 */
static struct item through_temp(struct lowering *l, struct item *item)
{
    struct item copy = {.f = item->f, .order = item->order, .decides = 255};
    const uint8_t temp = take_temp(l);
    copy.f.run = l->level->copy;
    copy.f.from = temp;
    copy.f.to = item->f.to;
    copy.writes = 1u << item->f.to;
    copy.holds = temp;
    item->f.to = temp;
    item->writes &= ~copy.writes;
    return copy;
}

static bool one_register(const struct item *item)
{
    const uint32_t lregs = item->writes & RES_LREGS;
    return item->f.to < 17 && lregs == 1u << item->f.to && item->f.run != NULL &&
           item->holds == FAST_TRASH;
}

/* ---- what an execution reads and writes ---- */

static uint32_t resources(const struct tx_op *op, uint64_t set)
{
    const uint32_t indirect = 0xFFFFu;
    uint32_t res = op_set(op, set, indirect, false) & RES_LREGS;
    res |= (set & (SET_FLAGS | SET_LF | SET_USE)) != 0 ? RES_FLAGS : 0;
    res |= (set & SET_LF8) != 0 && op->vd < 8 ? RES_FLAGS : 0;
    res |= (set & SET_STACK) != 0 ? RES_STACK | RES_FLAGS : 0;
    res |= (set & SET_DST) != 0 ? RES_DST : 0;
    res |= (set & SET_PRNG) != 0 ? RES_PRNG : 0;
    res |= (set & SET_LATCH) != 0 ? RES_LATCH : 0;
    return res;
}

static bool unpredicated(const struct isa_row *row, const struct tx_op *op)
{
    return row->guard == GUARD_A_ALL || row->guard == GUARD_C_ALL || row->guard == GUARD_FREE ||
           (row->guard == GUARD_A_MOV && (op->mode & ~4u) == 2);
}

static void place_rows(struct lowering *l, const struct fast_record *r, struct fast_op *f)
{
    for (unsigned group = 0; group < 4; group++) {
        const unsigned logical = ((r->address & 0x3FCu) + group) & 1023u;
        const unsigned high =
            f->wide ? dst_adj32(logical, r->remap, r->swizzle) : dst_adj16(logical, r->remap);
        f->row[group] = fast_row(l->out, high);
        f->low[group] = f->wide ? fast_row(l->out, high + 8) : f->row[group];
    }
}

static bool store_wide(unsigned mode)
{
    return mode == 3 || mode == 4 || mode == 7 || mode == 9 || mode == 10 || mode == 12;
}

static bool load_wide(unsigned mode)
{
    return mode == 3 || mode == 4 || mode == 10 || mode == 12;
}

/*
 * Indirect destinations of the multiply-add where L7 never changes and is the same in all lanes:
 * the register is known.
 */
static void resolve_destination(const struct lowering *l, struct tx_op *op)
{
    const struct isa_row *row = isa_row((enum isa_row_id)op->row);
    const bool lut = row->insn == INSN_SFPLUT || row->insn == INSN_SFPLUTFP32;
    if (l->constant_l7 && !lut && (row->writes & SET_VDX) != 0 && (op->mode & 8u) != 0 &&
        op->vd != 16) {
        op->vd = (uint8_t)(l->start->lreg[7][0] & 15u);
        op->mode &= 7u;
    }
}

static struct item item_of(struct lowering *l, const struct fast_record *r, unsigned order)
{
    const struct isa_row *row = isa_row((enum isa_row_id)r->op.row);
    const bool memory = ((row->reads | row->writes) & SET_DST) != 0;
    const bool macro = row->insn == INSN_SFPLOADMACRO;
    const struct tx_machine *m = l->m;
    struct item item = {.order = order, .holds = FAST_TRASH, .decides = 255};
    struct fast_op *f = &item.f;
    const bool everywhere =
        macro ? r->op.mode == 10 : unpredicated(row, &r->op); /* 10: INT32_ALL */
    f->run = l->level->rows[r->op.row];
    f->op = r->op;
    f->use = r->use;
    f->use_after = r->use_after;
    f->top_use = r->top_use;
    f->depth = r->depth;
    f->predicated = r->use && !everywhere;
    f->blackhole = machine_is_bh(m);
    f->lut16_positive = machine_rule(m, RULE_LUT16_ZERO);
    f->stoch_shifted = machine_rule(m, RULE_STOCH_COMPARE);
    f->prng_after = machine_rule(m, RULE_PRNG_RESULT);
    f->strict_ties = machine_rule(m, RULE_SWAP_TIE);
    f->keep_denormals = machine_rule(m, RULE_STORE_FP32);
    f->mode = r->mode;
    f->odd = r->odd;
    f->to = r->op.vd < 8 || r->op.vd == 16 ? r->op.vd : FAST_TRASH;
    item.reads = resources(&r->op, row->reads);
    item.writes = resources(&r->op, row->writes);
    if (f->to == FAST_TRASH && (row->writes & (SET_VD | SET_VDX)) != 0) {
        item.writes &= ~(uint32_t)RES_LREGS;
    }
    item.writes |= row->insn == INSN_SFPCONFIG ? 1u << r->op.vd : 0;
    item.reads |= f->predicated ? RES_FLAGS : 0;
    l->out->draws |= (item.writes & RES_PRNG) != 0;
    /* Lanes that do not run keep their value: it is read, too. */
    item.reads |= f->predicated ? item.writes & RES_LREGS : 0;
    if (memory) {
        f->wide = (row->writes & SET_DST) != 0 ? store_wide(r->mode) : load_wide(r->mode);
        place_rows(l, r, f);
    }
    return item;
}

/* ---- one cycle ---- */

static bool must_precede(const struct item *a, const struct item *b)
{
    return (a->reads & b->writes) != 0 || ((a->writes & b->writes) != 0 && a->order < b->order);
}

static bool ready(const struct lowering *l, const bool *done, unsigned i)
{
    for (unsigned k = 0; k < l->now_count; k++) {
        if (k != i && !done[k] && must_precede(&l->now[k], &l->now[i])) {
            return false;
        }
    }
    return true;
}

/* Steps that wait for each other in a ring: one gives its result to a temporary. */
static bool break_ring(struct lowering *l, const bool *done)
{
    for (unsigned i = 0; i < l->now_count; i++) {
        if (!done[i] && one_register(&l->now[i])) {
            const struct item copy = through_temp(l, &l->now[i]);
            return add(l->now, &l->now_count, &copy) != NULL;
        }
    }
    return false;
}

static void order_cycle(struct lowering *l)
{
    bool done[ITEMS] = {false};
    unsigned left = l->now_count;
    while (left != 0 && l->out->reason == NULL && l->memory) {
        unsigned i = 0;
        while (i < l->now_count && (done[i] || !ready(l, done, i))) {
            i++;
        }
        if (i == l->now_count) {
            const unsigned before = l->now_count;
            if (!break_ring(l, done)) {
                refuse(l, "instructions of one cycle exchange registers");
            }
            left += l->now_count - before;
            continue;
        }
        emit(l, &l->now[i]);
        done[i] = true;
        left--;
    }
}

/* A result of the next cycle: does anything there, or beside it now, touch its register? */
static bool alone(const struct fast_recording *recording, size_t at, uint32_t writes)
{
    const uint64_t cycle = recording->list[at].cycle;
    size_t i = at;
    while (i > 0 && recording->list[i - 1].cycle == cycle) {
        i--;
    }
    for (; i < recording->count && recording->list[i].cycle <= cycle + 1; i++) {
        const struct fast_record *r = &recording->list[i];
        const struct isa_row *row = isa_row((enum isa_row_id)r->op.row);
        const uint32_t touched = resources(&r->op, row->reads) | resources(&r->op, row->writes);
        if (i != at && r->runs && (touched & writes) != 0) {
            return false;
        }
    }
    return true;
}

static void start_swap(struct lowering *l, struct item *item)
{
    uint8_t which = 0;
    while (which < 4 && (l->decide >> which & 1u) != 0) {
        which++;
    }
    if (which == 4) {
        refuse(l, "too many SFPSWAPs at once");
        return;
    }
    l->decide |= 1u << which;
    struct item second = *item;
    const struct tx_op *op = &item->f.op;
    item->f.from = which;
    item->writes = 0;
    second.f.run = l->level->exchange;
    second.f.from = which;
    second.decides = which;
    second.order = 0;
    second.reads = (1u << op->vc | 1u << op->vb) & RES_LREGS;
    second.writes = (op->vc < 8 ? 1u << op->vc : 0) | (op->vd == 16 ? 1u << 16
                                                       : op->vb < 8 ? 1u << op->vb
                                                                    : 0);
    add(l->later, &l->later_count, &second);
    add(l->now, &l->now_count, item);
}

static void execute(struct lowering *l, const struct fast_recording *recording, size_t at,
                    unsigned order)
{
    const struct fast_record *r = &recording->list[at];
    const struct isa_row *row = isa_row((enum isa_row_id)r->op.row);
    if (!r->runs || row->insn == INSN_SFPNOP) {
        return;
    }
    struct item item = item_of(l, r, order);
    if (item.f.run == NULL) {
        refuse(l, "an instruction has no fast form");
        return;
    }
    if (row->insn == INSN_SFPSWAP) {
        start_swap(l, &item);
        return;
    }
    if (row->text.latency == 2 && !alone(recording, at, item.writes & RES_LREGS)) {
        if (!one_register(&item) || item.f.predicated) {
            refuse(l, "a two-cycle result meets other uses of its register");
            return;
        }
        struct item copy = through_temp(l, &item);
        copy.order = 0;
        add(l->later, &l->later_count, &copy);
    }
    if (add(l->now, &l->now_count, &item) == NULL) {
        refuse(l, "too many instructions in one cycle");
    }
}

/* ---- the whole ---- */

uint16_t fast_row(struct fast_schedule *s, unsigned physical)
{
    if (s->row_of[physical] == ROW_NONE) {
        s->row_of[physical] = (uint16_t)s->rows;
        s->physical[s->rows++] = (uint16_t)physical;
    }
    return s->row_of[physical];
}

static bool l7_is_constant(const struct tx_state *start, const struct fast_recording *recording)
{
    bool constant = true;
    for (unsigned lane = 1; lane < 32; lane++) {
        constant = constant && start->lreg[7][lane] == start->lreg[7][0];
    }
    for (size_t i = 0; i < recording->count; i++) {
        const struct tx_op *op = &recording->list[i].op;
        const struct isa_row *row = isa_row((enum isa_row_id)op->row);
        const bool indirect = (row->writes & SET_VDX) != 0 && (op->mode & 8u) != 0;
        const uint32_t writes = indirect ? 0 : op_set(op, row->writes, 0, false);
        constant = constant && (writes >> 7 & 1u) == 0;
    }
    return constant && (start->lreg[7][0] & 15u) != 7;
}

static const char *bad_state(const struct tx_state *s)
{
    uint32_t config = 0;
    uint32_t valid = 0xFFFFFFFFu;
    for (unsigned column = 0; column < 8; column++) {
        config |= s->lane_config[column];
    }
    for (unsigned i = 0; i < TX_DST_ROWS / 32; i++) {
        valid &= s->dst_valid[i];
    }
    return (config & ~(uint32_t)LC_DISABLE_BACKDOOR_LOAD) != 0 ? "LaneConfig is in use"
           : valid != 0xFFFFFFFFu                              ? "Dst has rows that are not valid"
           : s->pending_count != 0 ? "scheduled instructions are outstanding"
                                   : NULL;
}

bool fast_schedule(const struct tx_machine *m, const struct tx_state *start,
                   const struct fast_level *level, const struct fast_recording *recording,
                   struct fast_schedule *out)
{
    struct lowering *l = calloc(1, sizeof *l);
    if (l == NULL) {
        return false;
    }
    *l = (struct lowering){.m = m, .start = start, .level = level, .out = out, .memory = true};
    l->constant_l7 = l7_is_constant(start, recording);
    memset(out->row_of, 0xFF, sizeof out->row_of);
    out->reason = recording->reason != NULL ? recording->reason : bad_state(start);
    for (size_t i = 0; i < recording->count; i++) {
        resolve_destination(l, &recording->list[i].op);
    }
    size_t at = 0;
    while ((at < recording->count || l->later_count != 0) && out->reason == NULL && l->memory) {
        const uint64_t cycle = at < recording->count ? recording->list[at].cycle : 0;
        const bool gap = l->later_count != 0 && (at == recording->count || at == 0 ||
                                                 cycle > recording->list[at - 1].cycle + 1);
        unsigned order = 1;
        memcpy(l->now, l->later, l->later_count * sizeof l->now[0]);
        l->now_count = l->later_count;
        l->later_count = 0;
        while (!gap && at < recording->count && recording->list[at].cycle == cycle) {
            execute(l, recording, at, order++);
            out->instructions++;
            at++;
        }
        order_cycle(l);
    }
    const bool good = l->memory;
    free(l);
    return good;
}
