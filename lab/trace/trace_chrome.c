/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chrome's trace event JSON, which ui.perfetto.dev opens: a track for each sub-unit and thread, and
 * for unpackers, packers and banks where they have lanes. One cycle is one microsecond. Arrows lead
 * from each SFPLOADMACRO to what it scheduled, and from each UNPACR to its execution.
 */
#include <tensix/facts.h>

#include "base/json_put.h"
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

/* Begins an event: {"ph": PHASE, "pid": 1, "tid": TRACK. */
static struct json_put event(struct trace_out *out, const char *phase, unsigned id)
{
    struct json_put j = {.stream = out->stream, .some = out->count++ != 0};
    json_put_break(&j);
    json_put_open(&j, NULL, '{');
    json_put_text(&j, "ph", phase);
    json_put_uint(&j, "pid", 1);
    json_put_uint(&j, "tid", id);
    return j;
}

/* A fact about a track, whose key is text where text is not NULL. */
static void put_fact(struct trace_out *out, unsigned id, const char *name, const char *text)
{
    struct json_put j = event(out, "M", id);
    json_put_text(&j, "name", name);
    json_put_open(&j, "args", '{');
    if (text != NULL) {
        json_put_text(&j, "name", text);
    } else {
        json_put_uint(&j, "sort_index", id);
    }
    json_put_close(&j, '}');
    json_put_close(&j, '}');
}

static void put_track(struct trace_out *out, unsigned id, const char *prefix, const char *name)
{
    char text[64];
    snprintf(text, sizeof text, "%s%s", prefix, name);
    put_fact(out, id, "thread_name", text);
    put_fact(out, id, "thread_sort_index", NULL);
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
    char name[64];
    struct json_put j = {.stream = out->stream};
    json_put_open(&j, NULL, '{');
    json_put_text(&j, "displayTimeUnit", "ns");
    json_put_open(&j, "otherData", '{');
    json_put_text(&j, "kernel", meta->kernel);
    json_put_text(&j, "arch", tx_arch_name(meta->arch));
    json_put_text(&j, "unit", "1 us is 1 cycle");
    json_put_text(&j, "tensix", tx_version());
    json_put_close(&j, '}');
    json_put_break(&j);
    json_put_open(&j, "traceEvents", '[');
    snprintf(name, sizeof name, "%s, %s", meta->units ? "Tensix" : "Vector Unit",
             tx_arch_name(meta->arch));
    put_fact(out, 0, "process_name", name);
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

/* Begins a slice, which lasts from its cycle on for so many. */
static struct json_put slice(struct trace_out *out, unsigned id, uint64_t t, uint64_t cycles,
                             const char *category)
{
    struct json_put j = event(out, "X", id);
    json_put_uint(&j, "ts", t);
    json_put_uint(&j, "dur", cycles);
    json_put_text(&j, "cat", category);
    return j;
}

static void put_slice(struct trace_out *out, uint64_t t, const struct trace_insn *insn)
{
    char text[TRACE_TEXT + 40];
    const bool stall = insn->kind == TRACE_STALL;
    struct json_put j = slice(out, track(out, insn), t, 1,
                              stall             ? "stall"
                              : insn->scheduled ? "scheduled"
                                                : "regular");
    if (stall) {
        snprintf(text, sizeof text, "stall: %s", insn->text);
    }
    json_put_text(&j, "name", stall ? text : trace_label(insn, text, sizeof text));
    (void)tx_disassemble(out->meta->arch, insn->word, TX_DIS_NORMAL, text, sizeof text);
    json_put_open(&j, "args", '{');
    json_put_uint(&j, "id", insn->number);
    json_put_uint(&j, "datum", insn->datum);
    json_put_bare(&j, "word", insn->word);
    json_put_text(&j, "insn", text);
    if (stall) {
        json_put_text(&j, "cause", insn->cause);
        if (insn->by.row != NULL) {
            json_put_uint(&j, "producer", insn->by.number);
        }
    }
    json_put_close(&j, '}');
    json_put_close(&j, '}');
}

static void put_end(struct trace_out *out, bool first, uint64_t id, const char *name, unsigned at,
                    uint64_t t)
{
    struct json_put j = event(out, first ? "s" : "f", at);
    if (!first) {
        json_put_text(&j, "bp", "e");
    }
    json_put_uint(&j, "ts", t);
    json_put_uint(&j, "id", id);
    json_put_text(&j, "cat", name);
    json_put_text(&j, "name", name);
    json_put_close(&j, '}');
}

/* Writes an arrow from a slice of one track to one of another track and cycle. */
static void put_arrow(struct trace_out *out, const char *name, unsigned from, uint64_t start,
                      unsigned to, uint64_t t)
{
    const uint64_t id = out->count;
    put_end(out, true, id, name, from, start);
    put_end(out, false, id, name, to, t);
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
    struct json_put j = slice(out, id, s->from, s->to - s->from, bank ? "owner" : phases[s->phase]);
    json_put_text(&j, "name", text);
    json_put_open(&j, "args", '{');
    if (core) {
        tx_core_text(out->meta->arch, s->word, (uint32_t)s->number, text, sizeof text);
        json_put_bare(&j, "pc", (uint32_t)s->number);
        json_put_text(&j, "insn", text);
        json_put_text(&j, "at", s->cause);
    } else if (bank) {
        json_put_uint(&j, "id", s->number);
        json_put_text(&j, "why", s->cause);
    } else {
        (void)tx_disassemble(out->meta->arch, s->word, TX_DIS_NORMAL, text, sizeof text);
        json_put_uint(&j, "id", s->number);
        json_put_bare(&j, "word", s->word);
        json_put_bool(&j, "at_least", s->at_least);
        json_put_text(&j, "insn", text);
    }
    json_put_close(&j, '}');
    json_put_close(&j, '}');
    if (!bank && !core && s->phase == TRACE_WORKS && s->issued >= out->meta->first &&
        s->issued < s->from) {
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
        struct json_put j = event(out, "i", track_of(out, f->thread, ISSUE_TRACK));
        json_put_text(&j, "s", "p");
        json_put_uint(&j, "ts", c->t);
        json_put_text(&j, "name", f->message);
        json_put_close(&j, '}');
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
