/* SPDX-License-Identifier: Apache-2.0 */
/* One page that needs nothing else: what happened as JSON, and trace_page.c to show it. */
#include "trace/trace_model.h"

#include "trace/trace_page.h"

#include <string.h>

/* Behind those of the Vector Unit, in page.js. */
enum { MATRIX_LANE = 6 };

static unsigned long long wide(uint64_t value)
{
    return value;
}

static void begin(struct trace_out *out, const struct trace_meta *meta)
{
    FILE *s = out->stream;
    fprintf(s,
            "<!DOCTYPE html>\n<html lang='en'>\n<!-- tensix %s trace -->\n<head>\n"
            "<meta charset='utf-8'>\n"
            "<meta name='viewport' content='width=device-width, initial-scale=1'>\n"
            "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; "
            "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
            "<title>tensix trace</title>\n<style>\n%s</style>\n</head>\n<body>\n%s",
            tx_version(), trace_page_style, trace_page_body);
    fprintf(s,
            "<script>\nconst TRACE = {meta: {schema: %d, first: %llu, thread: %u, arch: \"%s\", "
            "dst: \"%s\", units: %d, threads: %d, vector: %d, cores: %u, kernel: ",
            TRACE_SCHEMA, wide(meta->first), meta->thread, tx_arch_name(meta->arch),
            tx_dst_format_name(meta->dst), meta->units, meta->threads, meta->vector, meta->cores);
    trace_put_string(s, meta->kernel);
    fprintf(s, ", title: ");
    trace_put_string(s, meta->title);
    fprintf(s, "}, events: [\n");
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
    FILE *s = out->stream;
    uint32_t values[TX_LANES];
    uint32_t flags[2] = {0, 0};
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
    fprintf(s, "}],\n");
}

static void put_insn(const struct trace_out *out, uint64_t t, const struct trace_insn *insn)
{
    FILE *s = out->stream;
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
    trace_put_string(s, trace_label(insn, text, sizeof text));
    putc(',', s);
    trace_put_string(s, insn->text);
    (void)tx_disassemble(out->meta->arch, insn->word, TX_DIS_NORMAL, text, sizeof text);
    fprintf(s, ",\"%08x\",", insn->word);
    trace_put_string(s, text);
    fprintf(s, ",\"%08x\",%u,%u,", insn->lanes, insn->reads, insn->operands.vd);
    trace_put_string(s, insn->cause);
    fprintf(s, ",%d,%d", insn->has_address ? insn->address : -1, insn->dropped);
    if (insn->by.row != NULL) {
        fprintf(s, ",%llu", wide(insn->by.number));
    }
    fputs("],\n", s);
}

static void put_write(FILE *s, uint64_t t, const struct trace_write *w)
{
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
    fprintf(s, "],\n");
}

/* ["U", from, to, lane, index, id, thread, phase, at least, issued, text, cause, words] */
static void span(struct trace_out *out, const struct trace_span *x)
{
    FILE *s = out->stream;
    char text[160] = "";
    fprintf(s, "[\"U\",%llu,%llu,%d,%u,%llu,%u,%d,%d,%llu,", wide(x->from), wide(x->to),
            (int)x->lane, x->index, wide(x->number), x->thread, (int)x->phase, x->at_least,
            wide(x->issued));
    trace_put_string(s, x->text);
    putc(',', s);
    trace_put_string(s, x->cause);
    if (x->lane == TRACE_LANE_CORE) {
        tx_core_text(out->meta->arch, x->word, (uint32_t)x->number, text, sizeof text);
    } else if (x->lane != TRACE_LANE_BANK) {
        (void)tx_disassemble(out->meta->arch, x->word, TX_DIS_NORMAL, text, sizeof text);
    }
    putc(',', s);
    trace_put_string(s, text);
    fputs("],\n", s);
}

static void cycle(struct trace_out *out, const struct trace_cycle *c)
{
    for (size_t i = 0; i < c->insn_count; i++) {
        put_insn(out, c->t, &c->insns[i]);
    }
    for (size_t i = 0; i < c->write_count; i++) {
        put_write(out->stream, c->t, &c->writes[i]);
    }
    for (size_t i = 0; i < c->note_count; i++) {
        const struct tx_finding *f = &c->notes[i].finding;
        char text[TX_MESSAGE + 80];
        snprintf(text, sizeof text, "%s: %s [%s]", tx_category_name(f->category), f->message,
                 f->rule != NULL ? f->rule : "-");
        fprintf(out->stream, "[\"N\",%llu,%d,", wide(c->t), c->notes[i].fault);
        trace_put_string(out->stream, text);
        fprintf(out->stream, "],\n");
    }
}

static void end(struct trace_out *out, uint64_t cycles, const struct tx_counters *counters)
{
    fprintf(out->stream,
            "], end: {atLeast: %d, cycles: %llu, instructions: %llu, stalls: %llu}};\n%s</script>\n"
            "</body>\n</html>\n",
            out->meta->at_least, wide(cycles), wide(counters->instructions),
            wide(counters->stall_cycles), trace_page_script);
}

struct trace_out trace_html(void)
{
    return (struct trace_out){
        .begin = begin, .section = section, .cycle = cycle, .span = span, .end = end};
}
