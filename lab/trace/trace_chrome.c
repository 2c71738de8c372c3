/* SPDX-License-Identifier: Apache-2.0 */
/* Chrome's trace event JSON, which ui.perfetto.dev opens: a track for each sub-unit and thread, one
 * cycle is one microsecond, arrows from each SFPLOADMACRO to what it scheduled. */
#include "trace/trace_model.h"

enum { TRACKS = 8, ISSUE_TRACK = 0 };

/* What is in no sub-unit - other units, held or dropped ones - is on the issue port's track. */
static unsigned track(const struct trace_insn *insn)
{
    bool inside = insn->unit >= TX_UNIT_LOAD && insn->unit <= TX_UNIT_STORE &&
                  insn->kind != TRACE_STALL && !insn->dropped;
    return insn->thread * TRACKS + (inside ? insn->unit : (unsigned)ISSUE_TRACK) + 1u;
}

static void next_event(struct trace_out *out)
{
    fputs(out->count++ == 0 ? "\n" : ",\n", out->stream);
}

static void name_track(struct trace_out *out, unsigned thread, unsigned unit, const char *name)
{
    unsigned id = thread * TRACKS + unit + 1;
    next_event(out);
    fprintf(out->stream,
            "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":%u,\"args\":{\"name\":"
            "\"T%u %s\"}},\n{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":1,\"tid\":%u,"
            "\"args\":{\"sort_index\":%u}}",
            id, thread, name, id, id);
}

static void begin(struct trace_out *out, const struct trace_meta *meta)
{
    fprintf(out->stream, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"kernel\":");
    trace_put_string(out->stream, meta->kernel);
    fprintf(out->stream, ",\"arch\":\"%s\",\"unit\":\"1 us is 1 cycle\",\"tensix\":\"%s\"},\n",
            tx_arch_name(meta->arch), tx_version());
    fprintf(out->stream, "\"traceEvents\":[");
    next_event(out);
    fprintf(out->stream,
            "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":"
            "\"Vector Unit, %s\"}}",
            tx_arch_name(meta->arch));
    unsigned thread = meta->thread;
    name_track(out, thread, ISSUE_TRACK, "issue");
    for (unsigned unit = TX_UNIT_LOAD; unit <= TX_UNIT_STORE; unit++) {
        name_track(out, thread, unit, trace_unit(unit));
    }
}

static void put_slice(struct trace_out *out, uint64_t t, const struct trace_insn *insn)
{
    char text[TRACE_TEXT + 40];
    next_event(out);
    fprintf(out->stream, "{\"ph\":\"X\",\"pid\":1,\"tid\":%u,\"ts\":%llu,\"dur\":1,\"cat\":\"%s\"",
            track(insn), (unsigned long long)t,
            insn->kind == TRACE_STALL ? "stall"
            : insn->scheduled         ? "scheduled"
                                      : "regular");
    fprintf(out->stream, ",\"name\":");
    if (insn->kind == TRACE_STALL) {
        snprintf(text, sizeof text, "stall: %s", insn->text);
        trace_put_string(out->stream, text);
    } else {
        trace_put_string(out->stream, trace_label(insn, text, sizeof text));
    }
    (void)tx_disassemble(out->meta->arch, insn->word, TX_DIS_NORMAL, text, sizeof text);
    fprintf(out->stream, ",\"args\":{\"id\":%llu,\"datum\":%llu,\"word\":\"%08x\",\"insn\":",
            (unsigned long long)insn->number, (unsigned long long)insn->datum, insn->word);
    trace_put_string(out->stream, text);
    if (insn->kind == TRACE_STALL) {
        fprintf(out->stream, ",\"cause\":");
        trace_put_string(out->stream, insn->cause);
        if (insn->by.row != NULL) {
            fprintf(out->stream, ",\"producer\":%llu", (unsigned long long)insn->by.number);
        }
    }
    fprintf(out->stream, "}}");
}

/* From a slice of another cycle to this instruction's. */
static void put_arrow(struct trace_out *out, const char *name, unsigned unit, uint64_t start,
                      const struct trace_insn *insn, uint64_t t)
{
    unsigned long long id = out->count;
    next_event(out);
    fprintf(out->stream,
            "{\"ph\":\"s\",\"pid\":1,\"tid\":%u,\"ts\":%llu,\"id\":%llu,\"cat\":\"%s\","
            "\"name\":\"%s\"},\n"
            "{\"ph\":\"f\",\"bp\":\"e\",\"pid\":1,\"tid\":%u,\"ts\":%llu,\"id\":%llu,\"cat\":"
            "\"%s\",\"name\":\"%s\"}",
            insn->thread * TRACKS + unit + 1u, (unsigned long long)start, id, name, name,
            track(insn), (unsigned long long)t, id, name, name);
}

static void cycle(struct trace_out *out, const struct trace_cycle *c)
{
    uint32_t busy = 0;
    for (unsigned pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < c->insn_count; i++) {
            const struct trace_insn *insn = &c->insns[i];
            if ((insn->kind == TRACE_SECOND) != (pass == 1)) {
                continue;
            }
            if (pass == 1 && (busy >> insn->unit & 1u) != 0) {
                continue; /* pipelined: the next one is in this track already */
            }
            busy |= insn->kind != TRACE_STALL && !insn->dropped ? 1u << insn->unit : 0;
            put_slice(out, c->t, insn);
            if (insn->kind == TRACE_EXECUTE && insn->datum != 0 &&
                insn->launch_cycle >= out->meta->first) {
                put_arrow(out, "launch", TX_UNIT_LOAD, insn->launch_cycle, insn, c->t);
            }
            if (insn->by.row != NULL && insn->by.start >= out->meta->first) {
                put_arrow(out, "hold", insn->by.row->unit, insn->by.start, insn, c->t);
            }
        }
    }
    for (size_t i = 0; i < c->note_count; i++) {
        const struct tx_finding *f = &c->notes[i].finding;
        next_event(out);
        fprintf(out->stream, "{\"ph\":\"i\",\"s\":\"p\",\"pid\":1,\"tid\":%u,\"ts\":%llu,\"name\":",
                f->thread * TRACKS + 1u, (unsigned long long)c->t);
        trace_put_string(out->stream, f->message);
        fprintf(out->stream, "}");
    }
}

static void end(struct trace_out *out, uint64_t cycles, const struct tx_counters *counters)
{
    (void)cycles;
    (void)counters;
    fprintf(out->stream, "\n]}\n");
}

struct trace_out trace_chrome(void)
{
    return (struct trace_out){.begin = begin, .cycle = cycle, .end = end};
}
