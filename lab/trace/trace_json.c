/* SPDX-License-Identifier: Apache-2.0 */
/* Writes JSON lines; docs/trace-format.md specifies them. */
#include "trace/trace_model.h"

static unsigned long long wide(uint64_t value)
{
    return value;
}

static void put_key(FILE *s, const char *key, const char *text)
{
    fprintf(s, ", \"%s\": ", key);
    trace_put_string(s, text);
}

static void trace_json_begin(struct trace_out *out, const struct trace_meta *meta)
{
    FILE *s = out->stream;
    fprintf(s, "{\"ev\": \"trace\", \"schema\": %d",
            meta->compact ? TRACE_SCHEMA_COMPACT : TRACE_SCHEMA);
    put_key(s, "tensix", tx_version());
    put_key(s, "arch", tx_arch_name(meta->arch));
    put_key(s, "kernel", meta->kernel);
    put_key(s, "title", meta->title);
    put_key(s, "dst", tx_dst_format_name(meta->dst));
    put_key(s, "unit", "cycle");
    fprintf(s, "}\n");
}

/* ---- unpackers, packers, banks ---- */

static void put_banks(FILE *s, const struct trace_banks *b)
{
    fprintf(s, "\"owners\": [\"%s\", \"%s\"], \"unpack_bank\": %u, \"math_bank\": %u",
            trace_owner(b->owner[0]), trace_owner(b->owner[1]), b->unpack, b->matrix);
}

static void put_turn(FILE *s, uint64_t t, const struct trace_turn *turn)
{
    fprintf(s, "{\"ev\": \"bank\", \"t\": %llu, \"id\": %llu, \"thread\": %u", wide(t),
            wide(turn->number), turn->thread);
    put_key(s, "op", turn->row != NULL ? turn->row->mnemonic : "?");
    fprintf(s, ", \"src\": \"%c\", ", turn->src == 0 ? 'A' : 'B');
    put_banks(s, &turn->after);
    fprintf(s, "}\n");
}

/* Writes a line where a job's phase or cause changes; until the next line the last one applies. */
static void put_job(FILE *s, uint64_t t, const struct trace_job *job)
{
    static const char *const phases[] = {"enter", "wait", "start", "end"};
    const bool packs = job->unit == TX_UNIT_PACK;
    if (!job->changed) {
        return;
    }
    fprintf(s, "{\"ev\": \"%s\", \"t\": %llu, \"id\": %llu, \"thread\": %u, \"%s\": %u",
            packs ? "pack" : "unpack", wide(t), wide(job->number), job->thread,
            packs ? "packer" : "unpacker", job->index);
    fprintf(s, ", \"word\": \"0x%08x\"", job->word);
    put_key(s, "op", job->row != NULL ? job->row->mnemonic : "?");
    put_key(s, "phase", phases[job->phase]);
    if (job->phase == TRACE_WAITS) {
        put_key(s, "cause", job->cause);
    }
    if (job->phase == TRACE_ENDED) {
        fprintf(s, ", \"issued\": %llu, \"start\": %llu, \"cycles\": %llu, \"at_least\": %s",
                wide(job->issued), wide(job->start), wide(t - job->start),
                job->at_least ? "true" : "false");
    }
    if (job->phase == TRACE_ENDED && packs) {
        fprintf(s, ", \"drain\": %u", job->drain);
    }
    fprintf(s, "}\n");
}

static void section(struct trace_out *out, const struct trace_section *x)
{
    fprintf(out->stream, "{\"ev\": \"section\", \"t\": %llu, \"name\": \"%s\"", wide(x->t),
            x->init ? "init" : "tile");
    if (!x->init) {
        fprintf(out->stream, ", \"tile\": %llu", wide(x->tile));
    }
    for (unsigned src = 0; out->meta->units && src < TRACE_SRCS; src++) {
        fprintf(out->stream, ", \"src%c\": {", src == 0 ? 'a' : 'b');
        put_banks(out->stream, &x->banks[src]);
        fputc('}', out->stream);
    }
    fprintf(out->stream, "}\n");
}

static void put_registers(FILE *s, const struct trace_insn *insn)
{
    const struct tx_operands *o = &insn->operands;
    fprintf(s, ", \"va\": %u, \"vb\": %u, \"vc\": %u, \"vd\": %u, \"mode\": %u, \"imm\": %u", o->va,
            o->vb, o->vc, o->vd, o->mode, o->imm);
    if (insn->has_address) {
        fprintf(s, ", \"address\": %u", insn->address);
    }
}

static void put_producer(FILE *s, const struct trace_producer *by)
{
    const char *comma = "";
    if (by->row == NULL) {
        return;
    }
    fprintf(s, ", \"producer\": {\"id\": %llu, \"t\": %llu, \"word\": \"0x%08x\"", wide(by->number),
            wide(by->start), by->word);
    put_key(s, "op", by->row->mnemonic);
    fprintf(s, "}, \"lregs\": [");
    for (unsigned reg = 0; reg < TX_LREGS; reg++) {
        if ((by->lregs >> reg & 1u) != 0) {
            fprintf(s, "%s%u", comma, reg);
            comma = ", ";
        }
    }
    fprintf(s, "], \"false_dependency\": %s", by->lregs != 0 && by->needed == 0 ? "true" : "false");
}

/*
 * Compact form: writes only what the word does not say. The second cycle is omitted, because it
 * follows from the latency.
 */
static void put_short(FILE *s, uint64_t t, const struct trace_insn *insn)
{
    static const char *const names[] = {"issue", "execute", "second", "stall"};
    if (insn->kind == TRACE_SECOND) {
        return;
    }
    fprintf(s, "{\"ev\": \"%s\", \"t\": %llu, \"id\": %llu, \"word\": \"0x%08x\"",
            names[insn->kind], wide(t), wide(insn->number), insn->word);
    if (insn->thread != 1) {
        fprintf(s, ", \"thread\": %u", insn->thread);
    }
    if (insn->kind == TRACE_STALL) {
        put_key(s, "cause", insn->cause);
    }
    if (insn->has_address && insn->kind != TRACE_STALL) {
        fprintf(s, ", \"address\": %u", insn->address);
    }
    if (insn->scheduled) {
        fprintf(s, ", \"unit\": \"%s\", \"launch\": %llu, \"lanes\": \"0x%08x\"",
                trace_unit(insn->unit), wide(insn->launch_cycle), insn->lanes);
    }
    fprintf(s, insn->dropped ? ", \"dropped\": true}\n" : "}\n");
}

static void put_insn(FILE *s, const struct tx_program *program, uint64_t t,
                     const struct trace_insn *insn)
{
    char source[256];
    static const char *const names[] = {"issue", "execute", "second", "stall"};
    fprintf(s, "{\"ev\": \"%s\", \"t\": %llu, \"id\": %llu, \"thread\": %u, \"unit\": \"%s\"",
            names[insn->kind], wide(t), wide(insn->number), insn->thread, trace_unit(insn->unit));
    fprintf(s, ", \"word\": \"0x%08x\"", insn->word);
    put_key(s, "op", insn->row != NULL ? insn->row->mnemonic : "?");
    put_key(s, "text", insn->text);
    if (txl_source_of(program, insn->word, source) != NULL) {
        put_key(s, "source", source);
    }
    if (insn->kind == TRACE_STALL) {
        put_key(s, "cause", insn->cause);
        put_producer(s, &insn->by);
    } else {
        fprintf(s, ", \"datum\": %llu, \"latency\": %u", wide(insn->datum), insn->latency);
    }
    if (insn->kind == TRACE_ISSUE || insn->kind == TRACE_EXECUTE) {
        put_registers(s, insn);
    }
    if (insn->scheduled) {
        fprintf(s, ", \"launch\": %llu, \"lanes\": \"0x%08x\"", wide(insn->launch_cycle),
                insn->lanes);
    }
    if (insn->dropped) {
        fprintf(s, ", \"dropped\": true");
    }
    fprintf(s, "}\n");
}

/* Writes runs of equal values: "3f800000*31 bf800000". */
static void put_runs(FILE *s, const uint32_t *values, unsigned count, unsigned digits)
{
    for (unsigned i = 0; i < count;) {
        unsigned end = i + 1;
        while (end < count && values[end] == values[i]) {
            end++;
        }
        fputs(i == 0 ? "" : " ", s);
        trace_put_hex(s, &values[i], 1, digits);
        if (end - i > 1) {
            fprintf(s, "*%u", end - i);
        }
        i = end;
    }
}

static void put_write(FILE *s, const struct trace_meta *meta, uint64_t t,
                      const struct trace_write *w)
{
    static const char *const names[] = {"lreg", "dst", "flags"};
    fprintf(s, "{\"ev\": \"%s\", \"t\": %llu, \"id\": %llu, \"unit\": \"%s\", \"scheduled\": %s",
            names[w->file], wide(t), wide(w->number), trace_unit(w->unit),
            w->scheduled ? "true" : "false");
    if (w->file == TRACE_FLAGS) {
        fprintf(s, ", \"lane_flags\": \"0x%08x\", \"use_lane_flags\": \"0x%08x\"}\n", w->lanes,
                w->values[0]);
        return;
    }
    bool lreg = w->file == TRACE_LREG;
    fprintf(s, ", \"index\": %u", w->index);
    if (lreg) {
        fprintf(s, ", \"lanes\": \"0x%08x\"", w->lanes);
    }
    fprintf(s, ", \"%s\": \"", meta->compact ? "runs" : "values");
    const unsigned count = lreg ? TX_LANES : TX_DST_WIDTH;
    if (meta->compact) {
        put_runs(s, w->values, count, lreg ? 8 : 4);
    } else {
        trace_put_hex(s, w->values, count, lreg ? 8 : 4);
    }
    fprintf(s, "\"}\n");
}

static void put_core(FILE *s, uint64_t t, enum tx_arch arch, const struct trace_core *core)
{
    char text[96];
    tx_core_text(arch, core->word, core->pc, text, sizeof text);
    fprintf(s, "{\"ev\": \"core\", \"t\": %llu", wide(t));
    put_key(s, "core", tx_core_name((enum tx_core)core->core));
    put_key(s, "state", core->state);
    fprintf(s, ", \"pc\": \"0x%08x\"", core->pc);
    put_key(s, "text", text);
    if (core->function[0] != '\0') {
        put_key(s, "function", core->function);
    }
    if (core->source[0] != '\0') {
        put_key(s, "source", core->source);
    }
    if (core->wait[0] != '\0') {
        put_key(s, "wait", core->wait);
    }
    fprintf(s, "}\n");
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
        const struct tx_finding *f = &c->notes[i].finding;
        fprintf(s, "{\"ev\": \"%s\", \"t\": %llu, \"id\": %llu, \"word\": \"0x%08x\"",
                c->notes[i].fault ? "fault" : "finding", wide(c->t), wide(f->index), f->word);
        put_key(s, "category", tx_category_name(f->category));
        put_key(s, "rule", f->rule != NULL ? f->rule : "");
        put_key(s, "message", f->message);
        fprintf(s, ", \"lanes\": \"0x%08x\"}\n", f->lanes);
    }
}

static void trace_json_end(struct trace_out *out, uint64_t cycles,
                           const struct tx_counters *counters)
{
    fprintf(out->stream,
            "{\"ev\": \"end\", \"cycles\": %llu, \"issue_cycles\": %llu, \"instructions\": %llu, "
            "\"vector_instructions\": %llu, \"stall_cycles\": %llu, \"at_least\": %s, "
            "\"at_least_because\": ",
            wide(cycles), wide(counters->issue_cycles), wide(counters->instructions),
            wide(counters->vector_instructions), wide(counters->stall_cycles),
            out->meta->bounds != 0 ? "true" : "false");
    bound_list(out->stream, out->meta->bounds);
    fputs("}\n", out->stream);
}

struct trace_out trace_json(void)
{
    return (struct trace_out){
        .begin = trace_json_begin, .section = section, .cycle = cycle, .end = trace_json_end};
}
