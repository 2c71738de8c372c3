/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a trace as one JSON value, which lab/page/trace_model.js reads, and a self-contained page
 * with that value.
 */
#include "trace/trace_model.h"

#include "base/finding.h"
#include "base/memory.h"
#include "base/quote.h"
#include "page/page.h"
#include "trace/trace_lines.h"
#include "trace/trace_source.h"

#include <stdlib.h>
#include <string.h>

/* Number of the lane after those of the Vector Unit, as in trace_model.js. */
enum { MATRIX_LANE = 6 };

static void put_string(FILE *out, const char *text)
{
    quote_json(out, text, strlen(text));
}

static unsigned long long wide(uint64_t value)
{
    return value;
}

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

/* Begins an event in the array and returns the stream to write it to. */
static FILE *event(struct trace_out *out)
{
    struct html *h = out->own;
    FILE *s = h->part.stream != NULL ? h->part.stream : out->stream;
    fputs(h->events++ != 0 ? ",\n" : "\n", s);
    return s;
}

/* Writes all values, or only one where they are equal. */
static void put_values(FILE *s, const uint32_t *values, size_t count, unsigned digits)
{
    bool same = true;
    for (size_t i = 1; i < count; i++) {
        same = same && values[i] == values[0];
    }
    putc('"', s);
    trace_put_hex(s, values, same ? 1 : count, digits);
    putc('"', s);
}

/* Writes ["S", cycle, name, LRegs, flags, Dst]: the state at the beginning of a cycle. */
static void put_state(struct trace_out *out, uint64_t t, const char *name)
{
    static const uint32_t zeros[TX_DST_WIDTH];
    const struct html *h = out->own;
    FILE *s = event(out);
    fprintf(s, "[\"S\",%llu,\"%s\",[", wide(t), name);
    for (unsigned reg = 0; reg < TX_LREGS; reg++) {
        fputs(reg != 0 ? "," : "", s);
        put_values(s, h->lreg[reg], TX_LANES, 8);
    }
    fprintf(s, "],[%u,%u],{", h->flags[0], h->flags[1]);
    const char *comma = "";
    for (unsigned row = 0; row < TX_DST_ROWS; row++) {
        if (memcmp(h->dst[row], zeros, sizeof zeros) != 0) {
            fprintf(s, "%s\"%u\":", comma, row);
            put_values(s, h->dst[row], TX_DST_WIDTH, 4);
            comma = ",";
        }
    }
    fprintf(s, "}]");
}

/* ---- parts ---- */

static void end_part(struct trace_out *out)
{
    struct html *h = out->own;
    fputs("\n]", h->part.stream);
    const bool good = memory_text_close(NULL, &h->part) == TXL_CONTINUE;
    char *packed = good ? page_packed((const unsigned char *)h->part.text, h->part.size) : NULL;
    fprintf(out->stream, "%s{\"first\":%llu,\"spans\":%llu,\"notes\":[",
            h->parts++ != 0 ? ",\n" : "\n", wide(h->part_first), wide(h->spans_from));
    for (unsigned i = 0; i < h->note_count; i++) {
        fprintf(out->stream, "%s%llu", i != 0 ? "," : "", wide(h->notes[i]));
    }
    fprintf(out->stream, "],\"deflate\":\"%s\"}", packed != NULL ? packed : "");
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
        fputs("\n],\n\"parts\":[", out->stream);
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
    FILE *s = out->stream;
    fprintf(s,
            "{\"meta\":{\"schema\":%d,\"tensix\":\"%s\",\"first\":%llu,\"thread\":%u,"
            "\"arch\":\"%s\",\"dst\":\"%s\",\"units\":%d,\"threads\":%d,\"vector\":%d,"
            "\"cores\":%u,\"kernel\":",
            TRACE_SCHEMA, tx_version(), wide(meta->first), meta->thread, tx_arch_name(meta->arch),
            tx_dst_format_name(meta->dst), meta->units, meta->threads, meta->vector, meta->cores);
    put_string(s, meta->kernel);
    fputs(",\"title\":", s);
    put_string(s, meta->title);
    fputs("},\n", s);
    if (meta->lines == NULL) {
        fputs("\"source\":", s);
        source_put(s, meta);
        fputs(",\n", s);
    }
    fputs("\"events\":[", s);
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
    snprintf(name, sizeof name, ".tile %llu", wide(x->tile));
    put_state(out, x->t, x->init ? ".init" : name);
}

static void put_insn(struct trace_out *out, uint64_t t, const struct trace_insn *insn)
{
    FILE *s = event(out);
    char text[160];
    static const unsigned kinds[] = {
        [TRACE_ISSUE] = 0, [TRACE_EXECUTE] = 1, [TRACE_SECOND] = 2, [TRACE_STALL] = 3};
    unsigned unit = insn->unit >= TX_UNIT_LOAD && insn->unit <= TX_UNIT_STORE ? insn->unit : 0;
    if (out->meta->units && insn->unit == TX_UNIT_MATRIX) {
        unit = MATRIX_LANE;
    }
    fprintf(s, "[\"I\",%llu,%u,%llu,%u,%u,%llu,%llu,%llu,%d,", wide(t), kinds[insn->kind],
            wide(insn->number), unit, insn->thread, wide(insn->start), wide(insn->datum),
            wide(insn->launch_cycle), insn->scheduled);
    put_string(s, trace_label(insn, text, sizeof text));
    putc(',', s);
    put_string(s, insn->text);
    (void)tx_disassemble(out->meta->arch, insn->word, TX_DIS_NORMAL, text, sizeof text);
    fprintf(s, ",\"%08x\",", insn->word);
    put_string(s, text);
    fprintf(s, ",\"%08x\",%u,%u,", insn->lanes, insn->reads, insn->operands.vd);
    put_string(s, insn->cause);
    fprintf(s, ",%d,%d", insn->has_address ? insn->address : -1, insn->dropped);
    struct html *h = out->own;
    const struct source_place place = source_of(&h->places, insn);
    fprintf(s, ",%lld,%u,%u%s", insn->by.row != NULL ? (long long)insn->by.number : -1LL,
            place.file, place.line, insn->place != 0 ? "" : "]");
    if (insn->place != 0) {
        fprintf(s, ",%u]", insn->place);
    }
}

static void put_write(struct trace_out *out, uint64_t t, const struct trace_write *w)
{
    struct html *h = out->own;
    FILE *s = event(out);
    switch (w->file) {
    case TRACE_LREG:
        memcpy(h->lreg[w->index], w->values, sizeof h->lreg[0]);
        fprintf(s, "[\"L\",%llu,%u,%llu,%u,%d,%llu,\"%08x\",", wide(t), w->index, wide(w->number),
                w->unit, w->scheduled, wide(w->start), w->lanes);
        put_values(s, w->values, TX_LANES, 8);
        break;
    case TRACE_DST:
        memcpy(h->dst[w->index], w->values, sizeof h->dst[0]);
        fprintf(s, "[\"D\",%llu,%u,", wide(t), w->index);
        put_values(s, w->values, TX_DST_WIDTH, 4);
        break;
    case TRACE_FLAGS:
        h->flags[0] = w->lanes;
        h->flags[1] = w->values[0];
        fprintf(s, "[\"F\",%llu,%u,%u", wide(t), w->lanes, w->values[0]);
        break;
    }
    fputc(']', s);
}

/* Writes ["U", from, to, lane, index, id, thread, phase, at least, issued, text, cause, words,
 * place]. */
static void span(struct trace_out *out, const struct trace_span *x)
{
    struct html *h = out->own;
    if (h == NULL) {
        return;
    }
    FILE *s = event(out);
    h->spans_from = x->from < h->spans_from ? x->from : h->spans_from;
    h->last = x->to > h->last + 1 ? x->to - 1 : h->last;
    if (x->lane == TRACE_LANE_UNPACK || x->lane == TRACE_LANE_PACK) {
        h->used[x->lane == TRACE_LANE_PACK] |= 1U << x->index;
    }
    char text[160] = "";
    fprintf(s, "[\"U\",%llu,%llu,%d,%u,%llu,%u,%d,%d,%llu,", wide(x->from), wide(x->to),
            (int)x->lane, x->index, wide(x->number), x->thread, (int)x->phase, x->at_least,
            wide(x->issued));
    put_string(s, x->text);
    putc(',', s);
    put_string(s, x->cause);
    if (x->lane == TRACE_LANE_CORE) {
        tx_core_text(out->meta->arch, x->word, (uint32_t)x->number, text, sizeof text);
    } else if (x->lane != TRACE_LANE_BANK) {
        (void)tx_disassemble(out->meta->arch, x->word, TX_DIS_NORMAL, text, sizeof text);
    }
    putc(',', s);
    put_string(s, text);
    if (x->place != 0) {
        fprintf(s, ",%u", x->place);
    }
    putc(']', s);
}

static void put_note(struct trace_out *out, uint64_t t, const struct trace_note *note)
{
    const struct tx_finding *f = &note->finding;
    FILE *s = event(out);
    char text[TX_FINDING_TEXT];
    const char *rule = f->rule != NULL ? f->rule : "-";
    fprintf(s, "[\"N\",%llu,%d,", wide(t), note->fault);
    put_string(s, tx_finding_text(f, text, sizeof text));
    putc(',', s);
    put_string(s, rule);
    fprintf(s, ",%llu]", wide(f->index));
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
    fprintf(out->stream, "\n]%s,\n", h->parted ? "" : ",\n\"parts\":[]");
    if (out->meta->lines != NULL) {
        trace_lines_put(out->stream, out->meta->lines);
        fputs(",\n", out->stream);
    }
    fprintf(out->stream,
            "\"end\":{\"atLeast\":%d,\"cycles\":%llu,\"instructions\":%llu,"
            "\"stalls\":%llu,\"last\":%llu,\"used\":[%u,%u]}}\n",
            out->meta->bounds != 0, wide(cycles), wide(counters->instructions),
            wide(counters->stall_cycles), wide(h->last), h->used[0], h->used[1]);
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
