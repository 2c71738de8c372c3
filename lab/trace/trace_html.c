/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a trace as one JSON value, which lab/page/trace_model.js reads, and a self-contained page
 * with that value.
 */
#include "trace/trace_model.h"

#include "base/finding.h"
#include "base/json_put.h"
#include "base/memory.h"
#include "page/page.h"
#include "trace/trace_lines.h"
#include "trace/trace_source.h"

#include <stdlib.h>
#include <string.h>

/* Number of the lane after those of the Vector Unit, as in trace_model.js. */
enum { MATRIX_LANE = 6 };

/*
 * Events of the first cycles are stored in the page as plain JSON. Later ones are packed in parts
 * of so many cycles; each part begins with the state at its start.
 */
enum { PLAIN_CYCLES = 8000, PART_CYCLES = 4096, PART_NOTES = 64 };

struct html {
    struct source_places places;
    uint32_t lreg[TX_LREGS][TX_LANES], dst[TX_DST_ROWS][TX_DST_WIDTH], flags[2];
    unsigned used[2]; /* unpackers and packers that have spans, as bits */
    bool parted;      /* the plain events are complete */
    struct memory_text part;
    /* Of the current part: first cycle, end, and earliest start of its spans. */
    uint64_t part_first, part_next, spans_from;
    uint64_t notes[PART_NOTES]; /* cycles of the part's findings */
    unsigned note_count;
    size_t parts, events;
    uint64_t last; /* last cycle with any event */
};

/* Begins an event in the array: ["KIND",CYCLE. */
static struct json_put event(struct trace_out *out, const char *kind, uint64_t t)
{
    struct html *h = out->own;
    struct json_put j = {.stream = h->part.stream != NULL ? h->part.stream : out->stream,
                         .some = h->events++ != 0};
    json_put_break(&j);
    json_put_open(&j, NULL, '[');
    json_put_text(&j, NULL, kind);
    json_put_uint(&j, NULL, t);
    return j;
}

/* Writes all values, or only one where they are equal. */
static void put_values(struct json_put *j, const char *key, const uint32_t *values, size_t count,
                       unsigned digits)
{
    bool same = true;
    for (size_t i = 1; i < count; i++) {
        same = same && values[i] == values[0];
    }
    json_put_hex(j, key, values, same ? 1 : count, digits);
}

/* Writes ["S", cycle, name, LRegs, flags, Dst]: the state at the beginning of a cycle. */
static void put_state(struct trace_out *out, uint64_t t, const char *name)
{
    static const uint32_t zeros[TX_DST_WIDTH];
    const struct html *h = out->own;
    struct json_put j = event(out, "S", t);
    json_put_text(&j, NULL, name);
    json_put_open(&j, NULL, '[');
    for (unsigned reg = 0; reg < TX_LREGS; reg++) {
        put_values(&j, NULL, h->lreg[reg], TX_LANES, 8);
    }
    json_put_close(&j, ']');
    json_put_open(&j, NULL, '[');
    json_put_uint(&j, NULL, h->flags[0]);
    json_put_uint(&j, NULL, h->flags[1]);
    json_put_close(&j, ']');
    json_put_open(&j, NULL, '{');
    for (unsigned row = 0; row < TX_DST_ROWS; row++) {
        if (memcmp(h->dst[row], zeros, sizeof zeros) != 0) {
            char key[16];
            snprintf(key, sizeof key, "%u", row);
            put_values(&j, key, h->dst[row], TX_DST_WIDTH, 4);
        }
    }
    json_put_close(&j, '}');
    json_put_close(&j, ']');
}

/* ---- parts ---- */

static void end_part(struct trace_out *out)
{
    struct html *h = out->own;
    fputs("\n]", h->part.stream);
    const bool good = memory_text_close(NULL, &h->part) == TXL_CONTINUE;
    char *packed = good ? page_packed((const unsigned char *)h->part.text, h->part.size) : NULL;
    struct json_put j = {.stream = out->stream, .some = h->parts++ != 0};
    json_put_break(&j);
    json_put_open(&j, NULL, '{');
    json_put_uint(&j, "first", h->part_first);
    json_put_uint(&j, "spans", h->spans_from);
    json_put_open(&j, "notes", '[');
    for (unsigned i = 0; i < h->note_count; i++) {
        json_put_uint(&j, NULL, h->notes[i]);
    }
    json_put_close(&j, ']');
    json_put_text(&j, "deflate", packed != NULL ? packed : "");
    json_put_close(&j, '}');
    out->failed = out->failed || packed == NULL;
    free(packed);
    if (good) {
        free(h->part.text);
    }
    h->part = (struct memory_text){.stream = NULL};
}

/* Begins a new part if the following events belong to one. */
static void advance(struct trace_out *out, uint64_t t)
{
    struct html *h = out->own;
    if (t < h->part_next) {
        return;
    }
    if (!h->parted) {
        struct json_put j = {.stream = out->stream};
        json_put_end_line(&j);
        json_put_close(&j, ']'); /* of the plain events */
        json_put_break(&j);
        json_put_open(&j, "parts", '[');
        h->parted = true;
    } else if (h->part.stream != NULL) {
        end_part(out);
    }
    const uint64_t past = (t - h->part_next) / PART_CYCLES;
    h->part_first = h->part_next + past * PART_CYCLES;
    h->part_next = h->part_first + PART_CYCLES;
    h->spans_from = UINT64_MAX;
    h->note_count = 0;
    h->events = 0;
    if (memory_text_open(NULL, &h->part) != TXL_CONTINUE) {
        h->part.stream = NULL;
        out->failed = true;
        return;
    }
    putc('[', h->part.stream);
    put_state(out, h->part_first, "");
}

static void begin_data(struct trace_out *out, const struct trace_meta *meta)
{
    struct json_put j = {.stream = out->stream};
    json_put_open(&j, NULL, '{');
    json_put_open(&j, "meta", '{');
    json_put_int(&j, "schema", TRACE_SCHEMA);
    json_put_text(&j, "tensix", tx_version());
    json_put_uint(&j, "first", meta->first);
    json_put_uint(&j, "thread", meta->thread);
    json_put_text(&j, "arch", tx_arch_name(meta->arch));
    json_put_text(&j, "dst", tx_dst_format_name(meta->dst));
    json_put_uint(&j, "units", meta->units);
    json_put_uint(&j, "threads", meta->threads);
    json_put_uint(&j, "vector", meta->vector);
    json_put_uint(&j, "cores", meta->cores);
    json_put_text(&j, "kernel", meta->kernel);
    json_put_text(&j, "title", meta->title);
    json_put_close(&j, '}');
    json_put_break(&j);
    if (meta->lines == NULL) {
        source_put(&j, "source", meta);
        json_put_break(&j);
    }
    json_put_open(&j, "events", '[');
    struct html *h = calloc(1, sizeof *h);
    out->own = h;
    out->failed = h == NULL;
    if (h != NULL) {
        h->part_next = meta->first + PLAIN_CYCLES;
    }
}

static void trace_html_begin(struct trace_out *out, const struct trace_meta *meta)
{
    page_begin(out->stream, PAGE_TRACE);
    begin_data(out, meta);
}

static void section(struct trace_out *out, const struct trace_section *x)
{
    struct html *h = out->own;
    char name[40];
    if (h == NULL) {
        return;
    }
    advance(out, x->t);
    source_section(&h->places, out->meta->program, x->init);
    for (unsigned reg = 0; reg < TX_LREGS; reg++) {
        (void)tx_read(x->machine, TX_FILE_LREG, reg, h->lreg[reg], TX_LANES);
    }
    for (unsigned row = 0; row < TX_DST_ROWS; row++) {
        (void)tx_read(x->machine, TX_FILE_DST, row, h->dst[row], TX_DST_WIDTH);
    }
    (void)tx_read(x->machine, TX_FILE_LANE_FLAGS, 0, &h->flags[0], 1);
    (void)tx_read(x->machine, TX_FILE_USE_LANE_FLAGS, 0, &h->flags[1], 1);
    snprintf(name, sizeof name, ".tile %llu", (unsigned long long)x->tile);
    put_state(out, x->t, x->init ? ".init" : name);
}

static void put_insn(struct trace_out *out, uint64_t t, const struct trace_insn *insn)
{
    char text[160];
    static const unsigned kinds[] = {
        [TRACE_ISSUE] = 0, [TRACE_EXECUTE] = 1, [TRACE_SECOND] = 2, [TRACE_STALL] = 3};
    unsigned unit = insn->unit >= TX_UNIT_LOAD && insn->unit <= TX_UNIT_STORE ? insn->unit : 0;
    if (out->meta->units && insn->unit == TX_UNIT_MATRIX) {
        unit = MATRIX_LANE;
    }
    const uint64_t numbers[] = {kinds[insn->kind],  insn->number,   unit,
                                insn->thread,       insn->start,    insn->datum,
                                insn->launch_cycle, insn->scheduled};
    struct json_put j = event(out, "I", t);
    for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        json_put_uint(&j, NULL, numbers[i]);
    }
    json_put_text(&j, NULL, trace_label(insn, text, sizeof text));
    json_put_text(&j, NULL, insn->text);
    (void)tx_disassemble(out->meta->arch, insn->word, TX_DIS_NORMAL, text, sizeof text);
    json_put_bare(&j, NULL, insn->word);
    json_put_text(&j, NULL, text);
    json_put_bare(&j, NULL, insn->lanes);
    json_put_uint(&j, NULL, insn->reads);
    json_put_uint(&j, NULL, insn->operands.vd);
    json_put_text(&j, NULL, insn->cause);
    json_put_int(&j, NULL, insn->has_address ? insn->address : -1);
    json_put_uint(&j, NULL, insn->dropped);
    struct html *h = out->own;
    const struct source_place place = source_of(&h->places, insn);
    json_put_int(&j, NULL, insn->by.row != NULL ? (int64_t)insn->by.number : -1);
    json_put_uint(&j, NULL, place.file);
    json_put_uint(&j, NULL, place.line);
    if (insn->place != 0) {
        json_put_uint(&j, NULL, insn->place);
    }
    json_put_close(&j, ']');
}

static void put_write(struct trace_out *out, uint64_t t, const struct trace_write *w)
{
    static const char *const kinds[] = {[TRACE_LREG] = "L", [TRACE_DST] = "D", [TRACE_FLAGS] = "F"};
    struct html *h = out->own;
    struct json_put j = event(out, kinds[w->file], t);
    switch (w->file) {
    case TRACE_LREG:
        memcpy(h->lreg[w->index], w->values, sizeof h->lreg[0]);
        json_put_uint(&j, NULL, w->index);
        json_put_uint(&j, NULL, w->number);
        json_put_uint(&j, NULL, w->unit);
        json_put_uint(&j, NULL, w->scheduled);
        json_put_uint(&j, NULL, w->start);
        json_put_bare(&j, NULL, w->lanes);
        put_values(&j, NULL, w->values, TX_LANES, 8);
        break;
    case TRACE_DST:
        memcpy(h->dst[w->index], w->values, sizeof h->dst[0]);
        json_put_uint(&j, NULL, w->index);
        put_values(&j, NULL, w->values, TX_DST_WIDTH, 4);
        break;
    case TRACE_FLAGS:
        h->flags[0] = w->lanes;
        h->flags[1] = w->values[0];
        json_put_uint(&j, NULL, w->lanes);
        json_put_uint(&j, NULL, w->values[0]);
        break;
    }
    json_put_close(&j, ']');
}

/* Writes ["U", from, to, lane, index, id, thread, phase, at least, issued, text, cause, words,
 * place]. */
static void span(struct trace_out *out, const struct trace_span *x)
{
    struct html *h = out->own;
    if (h == NULL) {
        return;
    }
    h->spans_from = x->from < h->spans_from ? x->from : h->spans_from;
    h->last = x->to > h->last + 1 ? x->to - 1 : h->last;
    if (x->lane == TRACE_LANE_UNPACK || x->lane == TRACE_LANE_PACK) {
        h->used[x->lane == TRACE_LANE_PACK] |= 1U << x->index;
    }
    char text[160] = "";
    const uint64_t numbers[] = {x->to,     (uint64_t)x->lane,  x->index,    x->number,
                                x->thread, (uint64_t)x->phase, x->at_least, x->issued};
    struct json_put j = event(out, "U", x->from);
    for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        json_put_uint(&j, NULL, numbers[i]);
    }
    json_put_text(&j, NULL, x->text);
    json_put_text(&j, NULL, x->cause);
    if (x->lane == TRACE_LANE_CORE) {
        tx_core_text(out->meta->arch, x->word, (uint32_t)x->number, text, sizeof text);
    } else if (x->lane != TRACE_LANE_BANK) {
        (void)tx_disassemble(out->meta->arch, x->word, TX_DIS_NORMAL, text, sizeof text);
    }
    json_put_text(&j, NULL, text);
    if (x->place != 0) {
        json_put_uint(&j, NULL, x->place);
    }
    json_put_close(&j, ']');
}

static void put_note(struct trace_out *out, uint64_t t, const struct trace_note *note)
{
    const struct tx_finding *f = &note->finding;
    char text[TX_FINDING_TEXT];
    struct json_put j = event(out, "N", t);
    json_put_uint(&j, NULL, note->fault);
    json_put_text(&j, NULL, tx_finding_text(f, text, sizeof text));
    json_put_text(&j, NULL, f->rule != NULL ? f->rule : "-");
    json_put_uint(&j, NULL, f->index);
    json_put_close(&j, ']');
}

static void cycle(struct trace_out *out, const struct trace_cycle *c)
{
    struct html *h = out->own;
    if (h == NULL) {
        return;
    }
    advance(out, c->t);
    h->last = c->t > h->last ? c->t : h->last;
    for (size_t i = 0; i < c->insn_count; i++) {
        put_insn(out, c->t, &c->insns[i]);
    }
    for (size_t i = 0; i < c->write_count; i++) {
        put_write(out, c->t, &c->writes[i]);
    }
    for (size_t i = 0; i < c->note_count; i++) {
        put_note(out, c->t, &c->notes[i]);
        if (h->note_count < PART_NOTES) {
            h->notes[h->note_count++] = c->t;
        }
    }
}

static void end_data(struct trace_out *out, uint64_t cycles, const struct tx_counters *counters)
{
    struct html *h = out->own;
    if (h == NULL) {
        return;
    }
    if (h->part.stream != NULL) {
        end_part(out);
    }
    struct json_put j = {.stream = out->stream};
    json_put_end_line(&j);
    json_put_close(&j, ']'); /* of the events, or of the parts */
    if (!h->parted) {
        json_put_break(&j);
        json_put_open(&j, "parts", '[');
        json_put_close(&j, ']');
    }
    json_put_break(&j);
    if (out->meta->lines != NULL) {
        trace_lines_put(&j, out->meta->lines);
        json_put_break(&j);
    }
    json_put_open(&j, "end", '{');
    json_put_uint(&j, "atLeast", out->meta->bounds != 0);
    json_put_uint(&j, "cycles", cycles);
    json_put_uint(&j, "instructions", counters->instructions);
    json_put_uint(&j, "stalls", counters->stall_cycles);
    json_put_uint(&j, "last", h->last);
    json_put_open(&j, "used", '[');
    json_put_uint(&j, NULL, h->used[0]);
    json_put_uint(&j, NULL, h->used[1]);
    json_put_close(&j, ']');
    json_put_close(&j, '}');
    json_put_close(&j, '}');
    json_put_end_line(&j);
}

static void trace_html_end(struct trace_out *out, uint64_t cycles,
                           const struct tx_counters *counters)
{
    end_data(out, cycles, counters);
    page_end(out->stream, PAGE_TRACE);
}

/* Frees the open part of a run that was cancelled. */
static void drop(struct trace_out *out)
{
    struct html *h = out->own;
    if (h != NULL && h->part.stream != NULL && memory_text_close(NULL, &h->part) == TXL_CONTINUE) {
        free(h->part.text);
    }
}

struct trace_out trace_html(void)
{
    return (struct trace_out){.begin = trace_html_begin,
                              .section = section,
                              .cycle = cycle,
                              .span = span,
                              .end = trace_html_end,
                              .drop = drop};
}

struct trace_out trace_view(void)
{
    return (struct trace_out){.begin = begin_data,
                              .section = section,
                              .cycle = cycle,
                              .span = span,
                              .end = end_data,
                              .drop = drop};
}
