/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What happened as one JSON value, which lab/page/trace_model.js reads; and a page that holds it
 * and needs nothing else.
 */
#include "trace/trace_model.h"

#include "base/quote.h"
#include "page/page.h"
#include "trace/trace_source.h"

#include <stdlib.h>
#include <string.h>

/* Behind those of the Vector Unit, in trace_model.js. */
enum { MATRIX_LANE = 6 };

static void put_string(FILE *out, const char *text)
{
    quote_json(out, text, strlen(text));
}

static unsigned long long wide(uint64_t value)
{
    return value;
}

/* Where the next event goes. */
static FILE *event(struct trace_out *out)
{
    fputs(out->count++ != 0 ? ",\n" : "\n", out->stream);
    return out->stream;
}

static void begin_data(struct trace_out *out, const struct trace_meta *meta)
{
    FILE *s = out->stream;
    out->count = 0;
    out->own = calloc(1, sizeof(struct source_places));
    out->failed = out->own == NULL;
    fprintf(s,
            "{\"meta\":{\"schema\":%d,\"tensix\":\"%s\",\"first\":%llu,\"thread\":%u,"
            "\"arch\":\"%s\",\"dst\":\"%s\",\"units\":%d,\"threads\":%d,\"vector\":%d,"
            "\"cores\":%u,\"kernel\":",
            TRACE_SCHEMA, tx_version(), wide(meta->first), meta->thread, tx_arch_name(meta->arch),
            tx_dst_format_name(meta->dst), meta->units, meta->threads, meta->vector, meta->cores);
    put_string(s, meta->kernel);
    fputs(",\"title\":", s);
    put_string(s, meta->title);
    fputs("},\n\"source\":", s);
    source_put(s, meta);
    fputs(",\n\"events\":[", s);
}

static void begin(struct trace_out *out, const struct trace_meta *meta)
{
    page_begin(out->stream, PAGE_TRACE);
    begin_data(out, meta);
}

/* All values, or one where they are the same. */
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

static void section(struct trace_out *out, const struct trace_section *x)
{
    FILE *s = event(out);
    uint32_t values[TX_LANES];
    uint32_t flags[2] = {0, 0};
    if (out->own != NULL) {
        source_section(out->own, out->meta->program, x->init);
    }
    if (x->init) {
        fprintf(s, "[\"S\",%llu,\".init\",[", wide(x->t));
    } else {
        fprintf(s, "[\"S\",%llu,\".tile %llu\",[", wide(x->t), wide(x->tile));
    }
    for (unsigned reg = 0; reg < TX_LREGS; reg++) {
        (void)tx_read(x->machine, TX_FILE_LREG, reg, values, TX_LANES);
        fputs(reg != 0 ? "," : "", s);
        put_values(s, values, TX_LANES, 8);
    }
    (void)tx_read(x->machine, TX_FILE_LANE_FLAGS, 0, &flags[0], 1);
    (void)tx_read(x->machine, TX_FILE_USE_LANE_FLAGS, 0, &flags[1], 1);
    fprintf(s, "],[%u,%u],{", flags[0], flags[1]);
    const char *comma = "";
    for (unsigned row = 0; row < TX_DST_ROWS; row++) {
        static const uint32_t zeros[TX_DST_WIDTH];
        (void)tx_read(x->machine, TX_FILE_DST, row, values, TX_DST_WIDTH);
        if (memcmp(values, zeros, sizeof zeros) != 0) {
            fprintf(s, "%s\"%u\":", comma, row);
            put_values(s, values, TX_DST_WIDTH, 4);
            comma = ",";
        }
    }
    fprintf(s, "}]");
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
    struct source_place place = {0, 0};
    if (out->own != NULL) {
        place = source_of(out->own, insn);
    }
    fprintf(s, ",%lld,%u,%u]", insn->by.row != NULL ? (long long)insn->by.number : -1LL, place.file,
            place.line);
}

static void put_write(struct trace_out *out, uint64_t t, const struct trace_write *w)
{
    FILE *s = event(out);
    switch (w->file) {
    case TRACE_LREG:
        fprintf(s, "[\"L\",%llu,%u,%llu,%u,%d,%llu,\"%08x\",", wide(t), w->index, wide(w->number),
                w->unit, w->scheduled, wide(w->start), w->lanes);
        put_values(s, w->values, TX_LANES, 8);
        break;
    case TRACE_DST:
        fprintf(s, "[\"D\",%llu,%u,", wide(t), w->index);
        put_values(s, w->values, TX_DST_WIDTH, 4);
        break;
    case TRACE_FLAGS:
        fprintf(s, "[\"F\",%llu,%u,%u", wide(t), w->lanes, w->values[0]);
        break;
    }
    fputc(']', s);
}

/* ["U", from, to, lane, index, id, thread, phase, at least, issued, text, cause, words] */
static void span(struct trace_out *out, const struct trace_span *x)
{
    FILE *s = event(out);
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
    putc(']', s);
}

static void put_note(struct trace_out *out, uint64_t t, const struct trace_note *note)
{
    const struct tx_finding *f = &note->finding;
    FILE *s = event(out);
    char text[TX_MESSAGE + 80];
    const char *rule = f->rule != NULL ? f->rule : "-";
    snprintf(text, sizeof text, "%s: %s [%s]", tx_category_name(f->category), f->message, rule);
    fprintf(s, "[\"N\",%llu,%d,", wide(t), note->fault);
    put_string(s, text);
    putc(',', s);
    put_string(s, rule);
    fprintf(s, ",%llu]", wide(f->index));
}

static void cycle(struct trace_out *out, const struct trace_cycle *c)
{
    for (size_t i = 0; i < c->insn_count; i++) {
        put_insn(out, c->t, &c->insns[i]);
    }
    for (size_t i = 0; i < c->write_count; i++) {
        put_write(out, c->t, &c->writes[i]);
    }
    for (size_t i = 0; i < c->note_count; i++) {
        put_note(out, c->t, &c->notes[i]);
    }
}

static void end_data(struct trace_out *out, uint64_t cycles, const struct tx_counters *counters)
{
    fprintf(out->stream,
            "\n],\n\"end\":{\"atLeast\":%d,\"cycles\":%llu,\"instructions\":%llu,\"stalls\":%llu}"
            "}\n",
            out->meta->at_least, wide(cycles), wide(counters->instructions),
            wide(counters->stall_cycles));
}

static void end(struct trace_out *out, uint64_t cycles, const struct tx_counters *counters)
{
    end_data(out, cycles, counters);
    page_end(out->stream, PAGE_TRACE);
}

struct trace_out trace_html(void)
{
    return (struct trace_out){
        .begin = begin, .section = section, .cycle = cycle, .span = span, .end = end};
}

struct trace_out trace_view(void)
{
    return (struct trace_out){
        .begin = begin_data, .section = section, .cycle = cycle, .span = span, .end = end_data};
}
