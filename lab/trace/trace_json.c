/* SPDX-License-Identifier: Apache-2.0 */
/* Writes JSON lines; docs/trace-format.md specifies them. */
#include "trace/trace_model.h"

#include "base/json_put.h"

/* Begins a line: {"ev": NAME, "t": CYCLE. */
static struct json_put begin(FILE *s, const char *event, uint64_t t)
{
    struct json_put j = {.stream = s, .spaced = true};
    json_put_open(&j, NULL, '{');
    json_put_text(&j, "ev", event);
    json_put_uint(&j, "t", t);
    return j;
}

static void end(struct json_put *j)
{
    json_put_close(j, '}');
    json_put_end_line(j);
}

static void trace_json_begin(struct trace_out *out, const struct trace_meta *meta)
{
    struct json_put j = {.stream = out->stream, .spaced = true};
    json_put_open(&j, NULL, '{');
    json_put_text(&j, "ev", "trace");
    json_put_int(&j, "schema", meta->compact ? TRACE_SCHEMA_COMPACT : TRACE_SCHEMA);
    json_put_text(&j, "tensix", tx_version());
    json_put_text(&j, "arch", tx_arch_name(meta->arch));
    json_put_text(&j, "kernel", meta->kernel);
    json_put_text(&j, "title", meta->title);
    json_put_text(&j, "dst", tx_dst_format_name(meta->dst));
    json_put_text(&j, "unit", "cycle");
    end(&j);
}

/* ---- unpackers, packers, banks ---- */

static void put_banks(struct json_put *j, const struct trace_banks *b)
{
    json_put_open(j, "owners", '[');
    json_put_text(j, NULL, trace_owner(b->owner[0]));
    json_put_text(j, NULL, trace_owner(b->owner[1]));
    json_put_close(j, ']');
    json_put_uint(j, "unpack_bank", b->unpack);
    json_put_uint(j, "math_bank", b->matrix);
}

static void put_turn(FILE *s, uint64_t t, const struct trace_turn *turn)
{
    struct json_put j = begin(s, "bank", t);
    json_put_uint(&j, "id", turn->number);
    json_put_uint(&j, "thread", turn->thread);
    json_put_text(&j, "op", turn->row != NULL ? turn->row->mnemonic : "?");
    json_put_text(&j, "src", turn->src == 0 ? "A" : "B");
    put_banks(&j, &turn->after);
    end(&j);
}

/* Writes a line where a job's phase or cause changes; until the next line the last one applies. */
static void put_job(FILE *s, uint64_t t, const struct trace_job *job)
{
    static const char *const phases[] = {"enter", "wait", "start", "end"};
    const bool packs = job->unit == TX_UNIT_PACK;
    if (!job->changed) {
        return;
    }
    struct json_put j = begin(s, packs ? "pack" : "unpack", t);
    json_put_uint(&j, "id", job->number);
    json_put_uint(&j, "thread", job->thread);
    json_put_uint(&j, packs ? "packer" : "unpacker", job->index);
    json_put_word(&j, "word", job->word);
    json_put_text(&j, "op", job->row != NULL ? job->row->mnemonic : "?");
    json_put_text(&j, "phase", phases[job->phase]);
    if (job->phase == TRACE_WAITS) {
        json_put_text(&j, "cause", job->cause);
    }
    if (job->phase == TRACE_ENDED) {
        json_put_uint(&j, "issued", job->issued);
        json_put_uint(&j, "start", job->start);
        json_put_uint(&j, "cycles", t - job->start);
        json_put_bool(&j, "at_least", job->at_least);
    }
    if (job->phase == TRACE_ENDED && packs) {
        json_put_uint(&j, "drain", job->drain);
    }
    end(&j);
}

static void section(struct trace_out *out, const struct trace_section *x)
{
    struct json_put j = begin(out->stream, "section", x->t);
    json_put_text(&j, "name", x->init ? "init" : "tile");
    if (!x->init) {
        json_put_uint(&j, "tile", x->tile);
    }
    for (unsigned src = 0; out->meta->units && src < TRACE_SRCS; src++) {
        json_put_open(&j, src == 0 ? "srca" : "srcb", '{');
        put_banks(&j, &x->banks[src]);
        json_put_close(&j, '}');
    }
    end(&j);
}

/* ---- instructions ---- */

static void put_registers(struct json_put *j, const struct trace_insn *insn)
{
    const struct tx_operands *o = &insn->operands;
    json_put_uint(j, "va", o->va);
    json_put_uint(j, "vb", o->vb);
    json_put_uint(j, "vc", o->vc);
    json_put_uint(j, "vd", o->vd);
    json_put_uint(j, "mode", o->mode);
    json_put_uint(j, "imm", o->imm);
    if (insn->has_address) {
        json_put_uint(j, "address", insn->address);
    }
}

static void put_producer(struct json_put *j, const struct trace_producer *by)
{
    if (by->row == NULL) {
        return;
    }
    json_put_open(j, "producer", '{');
    json_put_uint(j, "id", by->number);
    json_put_uint(j, "t", by->start);
    json_put_word(j, "word", by->word);
    json_put_text(j, "op", by->row->mnemonic);
    json_put_close(j, '}');
    json_put_open(j, "lregs", '[');
    for (unsigned reg = 0; reg < TX_LREGS; reg++) {
        if ((by->lregs >> reg & 1u) != 0) {
            json_put_uint(j, NULL, reg);
        }
    }
    json_put_close(j, ']');
    json_put_bool(j, "false_dependency", by->lregs != 0 && by->needed == 0);
}

static const char *const insn_events[] = {"issue", "execute", "second", "stall"};

/*
 * Compact form: writes only what the word does not say. The second cycle is omitted, because it
 * follows from the latency.
 */
static void put_short(FILE *s, uint64_t t, const struct trace_insn *insn)
{
    if (insn->kind == TRACE_SECOND) {
        return;
    }
    struct json_put j = begin(s, insn_events[insn->kind], t);
    json_put_uint(&j, "id", insn->number);
    json_put_word(&j, "word", insn->word);
    if (insn->thread != 1) {
        json_put_uint(&j, "thread", insn->thread);
    }
    if (insn->kind == TRACE_STALL) {
        json_put_text(&j, "cause", insn->cause);
    }
    if (insn->has_address && insn->kind != TRACE_STALL) {
        json_put_uint(&j, "address", insn->address);
    }
    if (insn->scheduled) {
        json_put_text(&j, "unit", trace_unit(insn->unit));
        json_put_uint(&j, "launch", insn->launch_cycle);
        json_put_word(&j, "lanes", insn->lanes);
    }
    if (insn->dropped) {
        json_put_bool(&j, "dropped", true);
    }
    end(&j);
}

static void put_insn(FILE *s, const struct tx_program *program, uint64_t t,
                     const struct trace_insn *insn)
{
    char source[256];
    struct json_put j = begin(s, insn_events[insn->kind], t);
    json_put_uint(&j, "id", insn->number);
    json_put_uint(&j, "thread", insn->thread);
    json_put_text(&j, "unit", trace_unit(insn->unit));
    json_put_word(&j, "word", insn->word);
    json_put_text(&j, "op", insn->row != NULL ? insn->row->mnemonic : "?");
    json_put_text(&j, "text", insn->text);
    if (txl_source_of(program, insn->word, source) != NULL) {
        json_put_text(&j, "source", source);
    }
    if (insn->kind == TRACE_STALL) {
        json_put_text(&j, "cause", insn->cause);
        put_producer(&j, &insn->by);
    } else {
        json_put_uint(&j, "datum", insn->datum);
        json_put_uint(&j, "latency", insn->latency);
    }
    if (insn->kind == TRACE_ISSUE || insn->kind == TRACE_EXECUTE) {
        put_registers(&j, insn);
    }
    if (insn->scheduled) {
        json_put_uint(&j, "launch", insn->launch_cycle);
        json_put_word(&j, "lanes", insn->lanes);
    }
    if (insn->dropped) {
        json_put_bool(&j, "dropped", true);
    }
    end(&j);
}

static void put_write(FILE *s, const struct trace_meta *meta, uint64_t t,
                      const struct trace_write *w)
{
    static const char *const names[] = {"lreg", "dst", "flags"};
    const bool lreg = w->file == TRACE_LREG;
    struct json_put j = begin(s, names[w->file], t);
    json_put_uint(&j, "id", w->number);
    json_put_text(&j, "unit", trace_unit(w->unit));
    json_put_bool(&j, "scheduled", w->scheduled);
    if (w->file == TRACE_FLAGS) {
        json_put_word(&j, "lane_flags", w->lanes);
        json_put_word(&j, "use_lane_flags", w->values[0]);
        end(&j);
        return;
    }
    json_put_uint(&j, "index", w->index);
    if (lreg) {
        json_put_word(&j, "lanes", w->lanes);
    }
    const unsigned count = lreg ? TX_LANES : TX_DST_WIDTH;
    if (meta->compact) {
        json_put_runs(&j, "runs", w->values, count, lreg ? 8 : 4);
    } else {
        json_put_hex(&j, "values", w->values, count, lreg ? 8 : 4);
    }
    end(&j);
}

static void put_core(FILE *s, uint64_t t, enum tx_arch arch, const struct trace_core *core)
{
    char text[96];
    tx_core_text(arch, core->word, core->pc, text, sizeof text);
    struct json_put j = begin(s, "core", t);
    json_put_text(&j, "core", tx_core_name((enum tx_core)core->core));
    json_put_text(&j, "state", core->state);
    json_put_word(&j, "pc", core->pc);
    json_put_text(&j, "text", text);
    if (core->function[0] != '\0') {
        json_put_text(&j, "function", core->function);
    }
    if (core->source[0] != '\0') {
        json_put_text(&j, "source", core->source);
    }
    if (core->wait[0] != '\0') {
        json_put_text(&j, "wait", core->wait);
    }
    end(&j);
}

static void put_note(FILE *s, uint64_t t, const struct trace_note *note)
{
    const struct tx_finding *f = &note->finding;
    struct json_put j = begin(s, note->fault ? "fault" : "finding", t);
    json_put_uint(&j, "id", f->index);
    json_put_word(&j, "word", f->word);
    json_put_text(&j, "category", tx_category_name(f->category));
    json_put_text(&j, "rule", f->rule != NULL ? f->rule : "");
    json_put_text(&j, "message", f->message);
    json_put_word(&j, "lanes", f->lanes);
    end(&j);
}

static bool wanted(const struct trace_meta *meta, const struct trace_write *w)
{
    switch (w->file) {
    case TRACE_LREG:
        return (meta->regs >> w->index & 1u) != 0;
    case TRACE_DST:
        return (meta->rows[w->index / 32] >> w->index % 32 & 1u) != 0;
    case TRACE_FLAGS:
        break;
    }
    return true;
}

static void cycle(struct trace_out *out, const struct trace_cycle *c)
{
    FILE *s = out->stream;
    for (size_t i = 0; i < c->core_count; i++) {
        put_core(s, c->t, out->meta->arch, &c->cores[i]);
    }
    for (size_t i = 0; i < c->insn_count; i++) {
        if (out->meta->compact) {
            put_short(s, c->t, &c->insns[i]);
        } else {
            put_insn(s, out->meta->program, c->t, &c->insns[i]);
        }
    }
    for (size_t i = 0; i < c->job_count; i++) {
        put_job(s, c->t, &c->jobs[i]);
    }
    for (size_t i = 0; i < c->turn_count; i++) {
        put_turn(s, c->t, &c->turns[i]);
    }
    for (size_t i = 0; i < c->write_count; i++) {
        if (wanted(out->meta, &c->writes[i])) {
            put_write(s, out->meta, c->t, &c->writes[i]);
        }
    }
    for (size_t i = 0; i < c->note_count; i++) {
        put_note(s, c->t, &c->notes[i]);
    }
}

static void trace_json_end(struct trace_out *out, uint64_t cycles,
                           const struct tx_counters *counters)
{
    struct json_put j = {.stream = out->stream, .spaced = true};
    json_put_open(&j, NULL, '{');
    json_put_text(&j, "ev", "end");
    json_put_uint(&j, "cycles", cycles);
    json_put_uint(&j, "issue_cycles", counters->issue_cycles);
    json_put_uint(&j, "instructions", counters->instructions);
    json_put_uint(&j, "vector_instructions", counters->vector_instructions);
    json_put_uint(&j, "stall_cycles", counters->stall_cycles);
    json_put_bool(&j, "at_least", out->meta->bounds != 0);
    bound_put(&j, "at_least_because", out->meta->bounds);
    end(&j);
}

struct trace_out trace_json(void)
{
    return (struct trace_out){
        .begin = trace_json_begin, .section = section, .cycle = cycle, .end = trace_json_end};
}
