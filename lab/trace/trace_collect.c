/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns the machine's events into cycles: adds second cycles, marks dropped instructions, and
 * assigns instructions to data.
 */
#include "trace/trace_lines.h"
#include "base/memory.h"
#include "trace/trace_model.h"

#include <stdlib.h>
#include <string.h>

#include "flow/graph.h"
#include "flow/operands.h"

/* The trace only looks at values that are still in registers, so few steps are kept. */
enum { STEPS_KEPT = 512 };

/* Appends an instruction to the current cycle; NULL without memory. */
static struct trace_insn *add_insn(struct collect *trace)
{
    struct trace_cycle *c = &trace->now;
    const bool room = LIST_ONE(c->insns, c->insn_count, c->insn_room, trace->failed);
    return room ? &c->insns[c->insn_count++] : NULL;
}

static struct trace_write *add_write(struct collect *trace)
{
    struct trace_cycle *c = &trace->now;
    const bool room = LIST_ONE(c->writes, c->write_count, c->write_room, trace->failed);
    return room ? &c->writes[c->write_count++] : NULL;
}

static bool is_vector(const struct trace_insn *insn)
{
    return insn->unit >= TX_UNIT_LOAD && insn->unit <= TX_UNIT_STORE;
}

static const struct trace_launch *find_launch(const struct collect *trace, uint64_t number)
{
    for (unsigned i = 1; i <= TRACE_LAUNCHES; i++) {
        const struct trace_launch *l =
            &trace->launches[(trace->launch_next + TRACE_LAUNCHES - i) % TRACE_LAUNCHES];
        if (l->number == number && l->datum != 0) {
            return l;
        }
    }
    return NULL;
}

/*
 * Assigns an instruction to a datum. A load starts a new datum; scheduled instructions belong to
 * that of their SFPLOADMACRO.
 */
static void assign_datum(struct collect *trace, struct trace_insn *insn)
{
    if (insn->scheduled) {
        const struct trace_launch *l = find_launch(trace, insn->number);
        if (l != NULL) {
            insn->datum = l->datum;
            insn->launch_vd = l->vd;
            insn->launch_cycle = l->cycle;
        }
        return;
    }
    if (!is_vector(insn) || insn->row == NULL) {
        return;
    }
    if (insn->row->insn == TX_INSN_SFPLOAD || insn->macro) {
        insn->datum = ++trace->datums;
    }
    if (insn->macro) {
        struct trace_launch *l = &trace->launches[trace->launch_next++ % TRACE_LAUNCHES];
        trace->launch_next %= TRACE_LAUNCHES;
        *l = (struct trace_launch){insn->number, insn->start, insn->datum, insn->operands.vd};
        insn->launch_vd = insn->operands.vd;
    }
}

/* Returns the datum of other instructions: the newest one among the values that they read. */
static uint64_t datum_of_operands(const txl_graph *graph, uint32_t step)
{
    const uint32_t *values = NULL;
    const size_t count = graph_found(graph, step, &values);
    uint64_t newest = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t datum = graph_mark_of(graph, values[i]).number;
        newest = datum > newest ? datum : newest;
    }
    return newest;
}

/* Lets a register keep its datum where predication prevented the whole write. */
static void on_written(void *user, uint32_t value, uint32_t lanes)
{
    struct collect *trace = user;
    if (lanes == 0) {
        const unsigned reg = txl_graph_value(trace->graph, value)->reg;
        const uint32_t now = txl_graph_register(trace->graph, reg);
        const struct graph_mark mark = graph_mark_of(trace->graph, now);
        graph_mark(trace->graph, value, &mark);
    }
}

/*
 * Describes why a word is stalled and by which instruction. Cycles count from the first one traced;
 * earlier ones become 0.
 */
static void held(const struct collect *trace, const struct tx_event *event, struct trace_insn *insn)
{
    char lregs[88] = ""; /* all LRegs listed */
    char by[46];
    size_t length = 0;
    if (event->stall == NULL) {
        trace_units_held(trace, event, insn->cause);
        return;
    }
    const struct tx_stall *s = event->stall;
    insn->by = (struct trace_producer){
        s->row,    s->word,   s->lregs,
        s->needed, s->number, s->start > trace->base ? s->start - trace->base : 0};
    snprintf(by, sizeof by, "%s at t=%llu (word %llu)", s->row->mnemonic,
             (unsigned long long)insn->by.start, (unsigned long long)s->number);
    const uint32_t named = s->needed != 0 ? s->needed : s->lregs;
    for (unsigned reg = 0; reg < TX_LREGS; reg++) {
        if ((named >> reg & 1u) != 0) {
            length += (size_t)snprintf(lregs + length, sizeof lregs - length, "%sL%u",
                                       length != 0 ? ", " : "", reg);
        }
    }
    if (s->lregs == 0) {
        snprintf(insn->cause, sizeof insn->cause, "%s is in its second cycle", by);
    } else if (s->needed != 0) {
        snprintf(insn->cause, sizeof insn->cause, "%s written by %s", lregs, by);
    } else {
        snprintf(insn->cause, sizeof insn->cause, "false dependency on %s of %s", lregs, by);
    }
}

static void instruction(struct collect *trace, const struct tx_event *event, enum trace_kind kind)
{
    struct trace_insn *insn = add_insn(trace);
    if (insn == NULL) {
        return;
    }
    *insn = (struct trace_insn){.kind = kind,
                                .scheduled = kind == TRACE_EXECUTE,
                                .unit = event->unit,
                                .thread = event->thread,
                                .number = event->number,
                                .start = trace->now.t,
                                .word = event->word,
                                .lanes = kind == TRACE_EXECUTE ? event->lanes : 0xffffffffu,
                                .row = event->row,
                                .place = trace_lines_word(trace, event, kind)};
    if (event->operands != NULL) {
        insn->operands = *event->operands;
        insn->format = insn->operands.mode;
        insn->reads = event->row != NULL ? flow_lregs(event->row->reads, event->operands, 0) : 0;
    }
    if (kind == TRACE_ISSUE) {
        char macro[2 * TRACE_TEXT];
        bool told =
            tx_macro_follow(&trace->macros, trace->meta.arch, event->word, macro, sizeof macro);
        snprintf(insn->text, sizeof insn->text, "%.*s", TRACE_TEXT - 1, told ? macro + 1 : "");
    }
    if (event->row != NULL) {
        insn->latency = event->row->latency;
        insn->macro = event->row->insn == TX_INSN_SFPLOADMACRO;
    }
    if (kind == TRACE_STALL) {
        held(trace, event, insn);
        insn->launch_vd = insn->operands.vd;
    } else {
        assign_datum(trace, insn);
    }
}

static void written(struct collect *trace, const struct tx_event *event)
{
    struct trace_write *w = add_write(trace);
    if (w == NULL) {
        return;
    }
    *w = (struct trace_write){.file = event->kind == TX_EVENT_WRITE_LREG  ? TRACE_LREG
                                      : event->kind == TX_EVENT_WRITE_DST ? TRACE_DST
                                                                          : TRACE_FLAGS,
                              .scheduled = event->scheduled != 0,
                              .unit = event->unit,
                              .thread = event->thread,
                              .index = event->index,
                              .address = event->address,
                              .number = event->number,
                              .start = event->start - trace->base,
                              .lanes = event->lanes};
    if (w->file == TRACE_DST && w->unit == TX_UNIT_MATRIX) {
        trace->dst_writer = w->number;
    }
    size_t count = w->file == TRACE_LREG ? TX_LANES : w->file == TRACE_DST ? TX_DST_WIDTH : 1;
    memcpy(w->values, event->values, count * sizeof *w->values);
}

/*
 * Completes an instruction that has read its operands: which registers, which datum, and for loads
 * and stores the address and the format (mode 0 resolved by the configuration).
 */
static void computed(struct collect *trace, const struct tx_event *event)
{
    const uint32_t step = (uint32_t)txl_graph_steps(trace->graph) - 1;
    const struct txl_step *s = txl_graph_step(trace->graph, step);
    for (size_t i = 0; i < trace->now.insn_count && s != NULL; i++) {
        struct trace_insn *insn = &trace->now.insns[i];
        if (insn->number != event->number || insn->unit != event->unit ||
            insn->scheduled != s->scheduled ||
            (insn->kind != TRACE_ISSUE && insn->kind != TRACE_EXECUTE)) {
            continue;
        }
        insn->reads = s->reads;
        insn->format = s->mode;
        insn->address = s->address;
        insn->has_address = ((s->row->reads | s->row->writes) & TX_SET(DST)) != 0;
        if (insn->datum == 0 && !insn->scheduled) {
            insn->datum = datum_of_operands(trace->graph, step);
        }
        graph_mark_step(trace->graph, step, &(struct graph_mark){.number = insn->datum});
        return;
    }
}

static void noted(struct collect *trace, const struct tx_event *event)
{
    struct trace_cycle *c = &trace->now;
    if (LIST_ONE(c->notes, c->note_count, c->note_room, trace->failed)) {
        struct trace_note *note = &c->notes[c->note_count++];
        note->fault = event->kind == TX_EVENT_FAULT;
        note->finding = *event->finding;
    }
}

/*
 * Removes the lanes that a scheduled instruction on the same sub-unit takes from a regular one; one
 * that loses all lanes is marked as dropped.
 */
static void mark_dropped(struct trace_cycle *c)
{
    for (size_t i = 0; i < c->insn_count; i++) {
        struct trace_insn *regular = &c->insns[i];
        uint32_t taken = 0;
        for (size_t k = 0; k < c->insn_count && regular->kind == TRACE_ISSUE; k++) {
            if (c->insns[k].kind == TRACE_EXECUTE && c->insns[k].unit == regular->unit) {
                taken |= c->insns[k].lanes;
            }
        }
        regular->lanes &= ~taken;
        regular->dropped = taken != 0 && regular->lanes == 0;
    }
}

static void keep_second(struct collect *trace)
{
    trace->second_count = 0;
    for (size_t i = 0; i < trace->now.insn_count; i++) {
        const struct trace_insn *insn = &trace->now.insns[i];
        if (insn->latency != 2 || insn->dropped || !is_vector(insn) ||
            (insn->kind != TRACE_ISSUE && insn->kind != TRACE_EXECUTE)) {
            continue;
        }
        if (LIST_ONE(trace->second, trace->second_count, trace->second_room, trace->failed)) {
            trace->second[trace->second_count] = *insn;
            trace->second[trace->second_count++].kind = TRACE_SECOND;
        }
    }
}

static void clear_cycle(struct trace_cycle *c)
{
    c->insn_count = c->write_count = c->note_count = c->turn_count = c->job_count = 0;
    c->core_count = 0;
}

static void begin_cycle(struct collect *trace, uint64_t t)
{
    struct trace_cycle *c = &trace->now;
    c->t = t;
    clear_cycle(c);
    for (size_t i = 0; i < trace->second_count; i++) {
        struct trace_insn *insn = add_insn(trace);
        if (insn != NULL) {
            *insn = trace->second[i];
        }
    }
    trace->second_count = 0;
}

static void end_cycle(struct collect *trace)
{
    struct trace_cycle *c = &trace->now;
    trace_units_cycle(trace);
    if (c->insn_count + c->write_count + c->note_count + c->job_count + c->turn_count +
            c->core_count ==
        0) {
        return;
    }
    mark_dropped(c);
    bool shown = c->t >= trace->meta.first && c->t <= trace->meta.last;
    for (size_t i = 0; shown && i < c->insn_count; i++) {
        trace_operands_text(&c->insns[i]);
    }
    for (unsigned i = 0; shown && i < trace->out_count; i++) {
        if (trace->outs[i].cycle != NULL) {
            trace->outs[i].cycle(&trace->outs[i], c);
        }
    }
    keep_second(trace);
    trace_units_next(trace);
}

/* Ends cycles up to t, and begins cycle t. */
static void advance(struct collect *trace, uint64_t t)
{
    end_cycle(trace);
    while (trace->second_count + trace->job_count != 0 && trace->now.t + 1 < t) {
        begin_cycle(trace, trace->now.t + 1);
        end_cycle(trace);
    }
    begin_cycle(trace, t);
}

static void start_section(struct collect *trace)
{
    trace->fresh = false;
    trace->section.t = trace->now.t;
    trace->section.machine = trace->machine;
    memcpy(trace->section.banks, trace->now.banks, sizeof trace->section.banks);
    for (unsigned i = 0; i < trace->out_count; i++) {
        if (trace->outs[i].section != NULL) {
            trace->outs[i].section(&trace->outs[i], &trace->section);
        }
    }
}

void trace_arrive(struct collect *trace, uint64_t cycle)
{
    if (!trace->started) {
        trace->started = true;
        trace->base = cycle;
        trace->now.t = 0;
    } else if (cycle - trace->base != trace->now.t) {
        advance(trace, cycle - trace->base);
    }
    if (trace->fresh && trace->now.t >= trace->meta.first) {
        start_section(trace);
    }
}

void trace_event(void *user, const struct tx_event *event)
{
    struct collect *trace = user;
    if (!trace->active || trace->failed) {
        return;
    }
    trace_arrive(trace, event->cycle);
    txl_graph_event(trace->graph, event);
    if (!txl_graph_whole(trace->graph)) {
        trace->failed = true;
        return;
    }
    switch (event->kind) {
    case TX_EVENT_ISSUE:
        instruction(trace, event, TRACE_ISSUE);
        break;
    case TX_EVENT_EXECUTE:
        instruction(trace, event, TRACE_EXECUTE);
        break;
    case TX_EVENT_STALL:
        instruction(trace, event, TRACE_STALL);
        break;
    case TX_EVENT_WRITE_LREG:
    case TX_EVENT_WRITE_DST:
    case TX_EVENT_WRITE_FLAGS:
        written(trace, event);
        break;
    case TX_EVENT_FINDING:
    case TX_EVENT_FAULT:
        noted(trace, event);
        break;
    case TX_EVENT_COMPUTE:
        computed(trace, event);
        break;
    case TX_EVENT_PHASE_WAIT:
    case TX_EVENT_PHASE_START:
    case TX_EVENT_PHASE_END:
    case TX_EVENT_PACK:
    case TX_EVENT_BANK:
        trace_units_event(trace, event);
        break;
    }
}

int trace_open(struct txl_error *err, struct collect *trace)
{
    if (txl_graph_open(err, &trace->graph) != TXL_OK) {
        return TXL_INPUT;
    }
    graph_keep(trace->graph, STEPS_KEPT);
    graph_watch(trace->graph, on_written, trace);
    return TXL_CONTINUE;
}

void trace_begin(struct collect *trace)
{
    for (unsigned i = 0; i < trace->out_count; i++) {
        trace->outs[i].meta = &trace->meta;
        trace->outs[i].next = trace->meta.first;
        if (trace->outs[i].begin != NULL) {
            trace->outs[i].begin(&trace->outs[i], &trace->meta);
        }
    }
}

void trace_section(struct collect *trace, bool init, uint64_t tile)
{
    trace_flush(trace);
    trace->section = (struct trace_section){.init = init, .tile = tile};
    trace->active = trace->fresh = true;
    txl_graph_begin(trace->graph);
    trace_units_section(trace);
}

void trace_flush(struct collect *trace)
{
    if (trace->started) {
        end_cycle(trace);
        trace_units_flush(trace);
        while (trace->second_count + trace->job_count != 0) {
            begin_cycle(trace, trace->now.t + 1);
            end_cycle(trace);
        }
        clear_cycle(&trace->now);
    }
    trace->active = false;
}

void trace_end(struct collect *trace, const struct tx_counters *counters)
{
    trace_flush(trace);
    trace_units_end(trace);
    trace_cores_end(trace);
    for (unsigned i = 0; i < trace->out_count; i++) {
        trace->failed = trace->failed || trace->outs[i].failed;
    }
    /* Without an end an incomplete output cannot be mistaken for a complete one. */
    for (unsigned i = 0; i < trace->out_count && !trace->failed; i++) {
        if (trace->outs[i].end != NULL) {
            trace->outs[i].end(&trace->outs[i], counters->cycles, counters);
        }
    }
}

void trace_free(struct collect *trace)
{
    for (unsigned i = 0; i < trace->out_count; i++) {
        if (trace->outs[i].drop != NULL) {
            trace->outs[i].drop(&trace->outs[i]);
        }
        free(trace->outs[i].own);
    }
    free(trace->now.insns);
    free(trace->now.writes);
    free(trace->now.notes);
    free(trace->now.turns);
    free(trace->now.cores);
    trace_cores_free(trace);
    trace_lines_free(trace);
    free(trace->jobs);
    free(trace->second);
    txl_graph_close(trace->graph);
}
