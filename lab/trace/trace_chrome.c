/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chrome's trace event JSON, which ui.perfetto.dev opens: a track for each sub-unit and thread, and
 * for unpackers, packers and banks where they have lanes. One cycle is one microsecond. Arrows lead
 * from each SFPLOADMACRO to what it scheduled, and from each UNPACR to its execution.
 */
#include <tensix/facts.h>

#include "trace/trace_model.h"

enum { TRACKS = 8, ISSUE_TRACK = 0, MATRIX_TRACK = 6, LANE_TRACKS = 32, LANES_OF_A_KIND = 5 };

/*
 * Returns the id of a track. With several threads the tracks of the Vector Unit and the Matrix Unit
 * are shared by all.
 */
static unsigned track_of(const struct trace_out *out, unsigned thread, unsigned unit)
{
    const bool once = out->meta->threads && unit != ISSUE_TRACK;
    return (once ? TX_THREADS : thread) * TRACKS + unit + 1u;
}

/*
 * Returns an instruction's track. Those in no sub-unit (other units, stalled or dropped ones) are
 * on the track of the issue port.
 */
static unsigned track(const struct trace_out *out, const struct trace_insn *insn)
{
    const bool vector = insn->unit >= TX_UNIT_LOAD && insn->unit <= TX_UNIT_STORE;
    const bool matrix = insn->unit == TX_UNIT_MATRIX && out->meta->units;
    const bool inside = insn->kind != TRACE_STALL && !insn->dropped;
    return track_of(out, insn->thread,
                    inside && vector   ? insn->unit
                    : inside && matrix ? (unsigned)MATRIX_TRACK
                                       : (unsigned)ISSUE_TRACK);
}

static unsigned lane_track(enum trace_lane lane, unsigned index)
{
    return LANE_TRACKS + 1u + lane * LANES_OF_A_KIND + index;
}

static void next_event(struct trace_out *out)
{
    fputs(out->count++ == 0 ? "\n" : ",\n", out->stream);
}

static void put_track(struct trace_out *out, unsigned id, const char *prefix, const char *name)
{
    next_event(out);
    fprintf(out->stream,
            "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":%u,\"args\":{\"name\":"
            "\"%s%s\"}},\n{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":1,\"tid\":%u,"
            "\"args\":{\"sort_index\":%u}}",
            id, prefix, name, id, id);
}

static void name_track(struct trace_out *out, unsigned thread, unsigned unit, const char *name)
{
    char prefix[8] = "";
    if (!out->meta->threads || unit == ISSUE_TRACK) {
        snprintf(prefix, sizeof prefix, "T%u ", thread);
    }
    put_track(out, track_of(out, thread, unit), prefix, name);
}

static void name_lanes(struct trace_out *out)
{
    char name[TRACE_LANE_TEXT];
    name_track(out, out->meta->thread, MATRIX_TRACK, "Matrix");
    for (unsigned i = 0; i < LANES_OF_A_KIND; i++) {
        const unsigned packers = tx_arch_fact(out->meta->arch, TX_FACT_PACKERS);
        if ((out->meta->cores >> i & 1U) != 0) {
            put_track(out, lane_track(TRACE_LANE_CORE, i), "",
                      trace_lane(TRACE_LANE_CORE, i, name));
        }
        if (i < 2) {
            put_track(out, lane_track(TRACE_LANE_UNPACK, i), "",
                      trace_lane(TRACE_LANE_UNPACK, i, name));
        }
        if (i < packers) {
            put_track(out, lane_track(TRACE_LANE_PACK, i), "",
                      trace_lane(TRACE_LANE_PACK, i, name));
        }
        if (i < TRACE_SRCS * TRACE_SRC_BANKS) {
            put_track(out, lane_track(TRACE_LANE_BANK, i), "",
                      trace_lane(TRACE_LANE_BANK, i, name));
        }
    }
}

static void trace_chrome_begin(struct trace_out *out, const struct trace_meta *meta)
{
    fprintf(out->stream, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"kernel\":");
    trace_put_string(out->stream, meta->kernel);
    fprintf(out->stream, ",\"arch\":\"%s\",\"unit\":\"1 us is 1 cycle\",\"tensix\":\"%s\"},\n",
            tx_arch_name(meta->arch), tx_version());
    fprintf(out->stream, "\"traceEvents\":[");
    next_event(out);
    fprintf(out->stream,
            "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":"
            "\"%s, %s\"}}",
            meta->units ? "Tensix" : "Vector Unit", tx_arch_name(meta->arch));
    unsigned thread = meta->thread;
    for (unsigned i = 0; i < TX_THREADS; i++) {
        if (meta->threads || i == thread) {
            name_track(out, i, ISSUE_TRACK, "issue");
        }
    }
    for (unsigned unit = TX_UNIT_LOAD; unit <= TX_UNIT_STORE; unit++) {
        name_track(out, thread, unit, trace_unit(unit));
    }
    if (meta->units) {
        name_lanes(out);
    }
}

static void put_slice(struct trace_out *out, uint64_t t, const struct trace_insn *insn)
{
    char text[TRACE_TEXT + 40];
    next_event(out);
    fprintf(out->stream, "{\"ph\":\"X\",\"pid\":1,\"tid\":%u,\"ts\":%llu,\"dur\":1,\"cat\":\"%s\"",
            track(out, insn), (unsigned long long)t,
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

/* Writes an arrow from a slice of one track to one of another track and cycle. */
static void put_arrow(struct trace_out *out, const char *name, unsigned from, uint64_t start,
                      unsigned to, uint64_t t)
{
    unsigned long long id = out->count;
    next_event(out);
    fprintf(out->stream,
            "{\"ph\":\"s\",\"pid\":1,\"tid\":%u,\"ts\":%llu,\"id\":%llu,\"cat\":\"%s\","
            "\"name\":\"%s\"},\n"
            "{\"ph\":\"f\",\"bp\":\"e\",\"pid\":1,\"tid\":%u,\"ts\":%llu,\"id\":%llu,\"cat\":"
            "\"%s\",\"name\":\"%s\"}",
            from, (unsigned long long)start, id, name, name, to, (unsigned long long)t, id, name,
            name);
}

/* Writes a span of an unpacker, packer, bank or core as one slice. */
static void span(struct trace_out *out, const struct trace_span *s)
{
    static const char *const phases[] = {"enters", "wait", "work", "end"};
    const unsigned id = lane_track(s->lane, s->index);
    char text[sizeof s->cause + sizeof s->text + 16];
    const bool bank = s->lane == TRACE_LANE_BANK;
    const bool core = s->lane == TRACE_LANE_CORE;
    snprintf(text, sizeof text, "%s%s%s", s->text,
             !bank && s->phase == TRACE_WAITS    ? " waits: "
             : !bank && s->phase == TRACE_ENTERS ? " enters"
                                                 : "",
             bank || (core && s->phase != TRACE_WAITS) ? "" : s->cause);
    next_event(out);
    fprintf(out->stream,
            "{\"ph\":\"X\",\"pid\":1,\"tid\":%u,\"ts\":%llu,\"dur\":%llu,\"cat\":\"%s\",\"name\":",
            id, (unsigned long long)s->from, (unsigned long long)(s->to - s->from),
            bank ? "owner" : phases[s->phase]);
    trace_put_string(out->stream, text);
    if (core) {
        tx_core_text(out->meta->arch, s->word, (uint32_t)s->number, text, sizeof text);
        fprintf(out->stream, ",\"args\":{\"pc\":\"%08x\",\"insn\":", (unsigned)s->number);
        trace_put_string(out->stream, text);
        fprintf(out->stream, ",\"at\":");
        trace_put_string(out->stream, s->cause);
        fprintf(out->stream, "}}");
        return;
    }
    fprintf(out->stream, ",\"args\":{\"id\":%llu", (unsigned long long)s->number);
    if (bank) {
        fprintf(out->stream, ",\"why\":");
        trace_put_string(out->stream, s->cause);
    } else {
        (void)tx_disassemble(out->meta->arch, s->word, TX_DIS_NORMAL, text, sizeof text);
        fprintf(out->stream, ",\"word\":\"%08x\",\"at_least\":%s,\"insn\":", s->word,
                s->at_least ? "true" : "false");
        trace_put_string(out->stream, text);
    }
    fprintf(out->stream, "}}");
    if (!bank && s->phase == TRACE_WORKS && s->issued >= out->meta->first && s->issued < s->from) {
        put_arrow(out, s->lane == TRACE_LANE_PACK ? "pack" : "unpack",
                  track_of(out, s->thread, ISSUE_TRACK), s->issued, id, s->from);
    }
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
                continue; /* pipelined: the next instruction already occupies this track */
            }
            busy |= insn->kind != TRACE_STALL && !insn->dropped ? 1u << insn->unit : 0;
            put_slice(out, c->t, insn);
            if (insn->kind == TRACE_EXECUTE && insn->datum != 0 &&
                insn->launch_cycle >= out->meta->first) {
                put_arrow(out, "launch", track_of(out, insn->thread, TX_UNIT_LOAD),
                          insn->launch_cycle, track(out, insn), c->t);
            }
            if (insn->by.row != NULL && insn->by.start >= out->meta->first) {
                put_arrow(out, "hold", track_of(out, insn->thread, insn->by.row->unit),
                          insn->by.start, track(out, insn), c->t);
            }
        }
    }
    for (size_t i = 0; i < c->note_count; i++) {
        const struct tx_finding *f = &c->notes[i].finding;
        next_event(out);
        fprintf(out->stream, "{\"ph\":\"i\",\"s\":\"p\",\"pid\":1,\"tid\":%u,\"ts\":%llu,\"name\":",
                track_of(out, f->thread, ISSUE_TRACK), (unsigned long long)c->t);
        trace_put_string(out->stream, f->message);
        fprintf(out->stream, "}");
    }
}

static void trace_chrome_end(struct trace_out *out, uint64_t cycles,
                             const struct tx_counters *counters)
{
    (void)cycles;
    (void)counters;
    fprintf(out->stream, "\n]}\n");
}

struct trace_out trace_chrome(void)
{
    return (struct trace_out){
        .begin = trace_chrome_begin, .cycle = cycle, .span = span, .end = trace_chrome_end};
}
