/* SPDX-License-Identifier: Apache-2.0 */
/* The table that kernel authors draw: a line a cycle, a column a sub-unit. */
#include "trace/trace_model.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reference/ulp.h"

enum {
    COLUMNS = 6, /* five sub-units, then what was issued or held */
    CELL = 240,
    PARTS = 4, /* of a cell that have their own colour */
    HELD = 64, /* lines that are kept to find the widths of the columns */
    EXTRA = 4096,
    LEAST = 6,
    MOST = 64
};

struct cell {
    char text[CELL];
    unsigned parts;
    struct {
        size_t from;
        uint64_t datum;
    } part[PARTS];
};

struct table_line {
    uint64_t t, idle; /* idle: cycles before it in which nothing happened */
    char heading[40];
    struct cell cells[COLUMNS];
    bool stall;
    char *extra; /* lines below it, or NULL */
};

struct table {
    struct table_line lines[HELD];
    unsigned held;
    bool settled; /* widths are known, lines are printed as they come */
    unsigned width[COLUMNS];
    char heading[40];       /* of the section that begins with the next line */
    struct table_line last; /* compact: not yet printed, as the next one may be the same */
    uint64_t until;         /* its last cycle */
    bool waiting;
};

static const char *const titles[COLUMNS] = {"Load", "Simple", "MAD", "Round", "Store", "Issue"};

static void put_cell(FILE *stream, const struct trace_meta *meta, const struct table_line *line,
                     unsigned column, unsigned width)
{
    static const char *const colors[] = {"36", "33", "32", "35", "34", "91"};
    const struct cell *cell = &line->cells[column];
    for (unsigned i = 0; i < cell->parts; i++) {
        const size_t from = cell->part[i].from;
        const size_t to = i + 1 < cell->parts ? cell->part[i + 1].from : strlen(cell->text);
        const uint64_t datum = cell->part[i].datum;
        const char *color = column == COLUMNS - 1 ? line->stall ? "1;31" : "2"
                            : datum != 0          ? colors[(datum - 1) % 6]
                                                  : NULL;
        const bool plain = color == NULL || !meta->color;
        fprintf(stream, "%s%s%s%.*s%s", plain ? "" : "\033[", plain ? "" : color, plain ? "" : "m",
                (int)(to - from), cell->text + from, plain ? "" : "\033[0m");
    }
    int pad = (int)width - (int)strlen(cell->text);
    if (column + 1 < COLUMNS) {
        fprintf(stream, "%*s", pad > 0 ? pad : 0, "");
    }
}

static void put_titles(const struct table *table, FILE *stream)
{
    fprintf(stream, "%6s", "t");
    for (unsigned i = 0; i < COLUMNS; i++) {
        fprintf(stream, " | %-*s", i + 1 < COLUMNS ? (int)table->width[i] : 0, titles[i]);
    }
    fprintf(stream, "\n------");
    for (unsigned i = 0; i < COLUMNS; i++) {
        fputs(" | ", stream);
        for (unsigned k = 0; k < (i + 1 < COLUMNS ? table->width[i] : 5); k++) {
            putc('-', stream);
        }
    }
    putc('\n', stream);
}

static void put_before(const struct trace_out *out, const struct table_line *line)
{
    for (uint64_t i = 0; line->idle < 4 && i < line->idle; i++) {
        fprintf(out->stream, "%6llu |\n", (unsigned long long)(line->t - line->idle + i));
    }
    if (line->idle >= 4) {
        fprintf(out->stream, "   ... | %llu idle cycles\n", (unsigned long long)line->idle);
    }
    if (line->heading[0] != '\0') {
        fprintf(out->stream, "%s\n", line->heading);
    }
}

static void put_extra(const struct trace_out *out, struct table_line *line)
{
    if (line->extra != NULL) {
        fputs(line->extra, out->stream);
        free(line->extra);
        line->extra = NULL;
    }
}

/* One line for all cycles in which the same goes on, without columns. */
static void put_compact(const struct trace_out *out, struct table *table)
{
    struct table_line *line = &table->last;
    if (!table->waiting) {
        return;
    }
    table->waiting = false;
    put_before(out, line);
    fprintf(out->stream, "%llu", (unsigned long long)line->t);
    if (table->until != line->t) {
        fprintf(out->stream, "-%llu", (unsigned long long)table->until);
    }
    for (unsigned i = 0; i < COLUMNS; i++) {
        if (line->cells[i].text[0] != '\0') {
            fprintf(out->stream, " | %s%s", i + 1 < COLUMNS ? titles[i] : "",
                    i + 1 < COLUMNS ? " " : "");
            put_cell(out->stream, out->meta, line, i, 0);
        }
    }
    putc('\n', out->stream);
    put_extra(out, line);
}

static bool same_line(const struct table_line *a, const struct table_line *b)
{
    bool same = b->idle == 0 && b->heading[0] == '\0' && a->extra == NULL && b->extra == NULL;
    for (unsigned i = 0; same && i < COLUMNS; i++) {
        same = strcmp(a->cells[i].text, b->cells[i].text) == 0;
    }
    return same;
}

static void take_compact(const struct trace_out *out, struct table *table,
                         const struct table_line *line)
{
    if (table->waiting && same_line(&table->last, line)) {
        table->until = line->t;
        return;
    }
    put_compact(out, table);
    table->last = *line;
    table->until = line->t;
    table->waiting = true;
}

static void put_line(const struct trace_out *out, const struct table *table,
                     struct table_line *line)
{
    put_before(out, line);
    fprintf(out->stream, "%6llu", (unsigned long long)line->t);
    unsigned last = 0;
    for (unsigned i = 0; i < COLUMNS; i++) {
        last = line->cells[i].text[0] != '\0' ? i : last;
    }
    for (unsigned i = 0; i <= last; i++) {
        fputs(" | ", out->stream);
        put_cell(out->stream, out->meta, line, i, i < last ? table->width[i] : 0);
    }
    putc('\n', out->stream);
    put_extra(out, line);
}

static void settle(const struct trace_out *out, struct table *table)
{
    for (unsigned i = 0; i < COLUMNS; i++) {
        table->width[i] = LEAST;
        for (unsigned k = 0; k < table->held; k++) {
            unsigned length = (unsigned)strlen(table->lines[k].cells[i].text);
            length = length > MOST ? MOST : length;
            table->width[i] = length > table->width[i] ? length : table->width[i];
        }
    }
    table->settled = true;
    put_titles(table, out->stream);
    for (unsigned k = 0; k < table->held; k++) {
        put_line(out, table, &table->lines[k]);
    }
    table->held = 0;
}

static void join(struct cell *cell, const char *text, uint64_t datum)
{
    size_t length = strlen(cell->text);
    if (cell->parts < PARTS) {
        cell->part[cell->parts].from = length;
        cell->part[cell->parts++].datum = datum;
    }
    snprintf(cell->text + length, sizeof cell->text - length, "%s%s", length != 0 ? "; " : "",
             text);
}

/* What happens at a gate, with its thread where there are several. */
static void at_gate(const struct trace_out *out, struct cell *issue, const struct trace_insn *insn,
                    const char *text)
{
    char line[CELL + 64];
    if (out->meta->threads) {
        snprintf(line, sizeof line, "T%u %s", insn->thread, text);
        text = line;
    }
    join(issue, text, 0);
}

static void place(const struct trace_out *out, struct table_line *line,
                  const struct trace_insn *insn)
{
    struct cell *issue = &line->cells[COLUMNS - 1];
    bool vector = insn->unit >= TX_UNIT_LOAD && insn->unit <= TX_UNIT_STORE;
    char text[CELL + 48];
    if (insn->kind == TRACE_STALL) {
        snprintf(text, sizeof text, "stall: %s waits: %s", insn->text, insn->cause);
        line->stall = true;
        at_gate(out, issue, insn, text);
        return;
    }
    if (insn->kind == TRACE_ISSUE) {
        char source[256];
        (void)tx_disassemble(out->meta->arch, insn->word, TX_DIS_NORMAL, text, sizeof text);
        if (txl_source_of(out->meta->program, insn->word, source) != NULL) {
            const size_t length = strlen(text);
            snprintf(text + length, sizeof text - length, "  # %.90s", source);
        }
        at_gate(out, issue, insn, text);
    }
    if (vector && !(out->meta->compact && insn->kind == TRACE_ISSUE && !insn->dropped)) {
        join(&line->cells[insn->unit - TX_UNIT_LOAD], trace_label(insn, text, sizeof text),
             insn->datum);
    }
}

static void put_lreg(FILE *stream, const struct trace_meta *meta, const struct trace_write *w)
{
    bool same = true;
    for (unsigned lane = 1; lane < TX_LANES; lane++) {
        same = same && w->values[lane] == w->values[0];
    }
    char text[48];
    if (same) {
        fprintf(stream, "       L%-2u = %08x %s in all lanes", w->index, w->values[0],
                number_text(meta->dst, w->values[0], text, sizeof text));
    }
    for (unsigned lane = 0; !same && lane < TX_LANES; lane++) {
        if (lane == 0) {
            fprintf(stream, "       L%-2u =", w->index);
        } else if (lane % TX_COLUMNS == 0) {
            fprintf(stream, "\n            ");
        }
        fprintf(stream, " %11s", number_text(meta->dst, w->values[lane], text, sizeof text));
    }
    if (w->lanes != 0xffffffffu) {
        fprintf(stream, "  (lanes %08x)", w->lanes);
    }
    putc('\n', stream);
}

/* A stream into memory for lines below the table line, once there is the first. */
static FILE *extra(struct trace_out *out, struct memory_text *text)
{
    if (text->stream == NULL && memory_text_open(NULL, text) != TXL_CONTINUE) {
        out->failed = true;
        text->stream = NULL;
    }
    return text->stream;
}

/* Registers and rows asked for, findings; NULL: nothing, or no memory. */
static char *extra_lines(struct trace_out *out, const struct trace_cycle *cycle)
{
    const struct trace_meta *meta = out->meta;
    struct memory_text text = {.stream = NULL};
    for (size_t i = 0; i < cycle->write_count; i++) {
        const struct trace_write *w = &cycle->writes[i];
        bool lreg = w->file == TRACE_LREG && (meta->regs >> w->index & 1u) != 0;
        bool dst = w->file == TRACE_DST && (meta->rows[w->index / 32] >> w->index % 32 & 1u) != 0;
        FILE *stream = lreg || dst ? extra(out, &text) : NULL;
        if (stream != NULL && lreg) {
            put_lreg(stream, meta, w);
        } else if (stream != NULL && dst) {
            fprintf(stream, "       Dst %u =", w->index);
            for (unsigned k = 0; k < TX_DST_WIDTH; k++) {
                fprintf(stream, " %04x", w->values[k]);
            }
            putc('\n', stream);
        }
    }
    for (size_t i = 0; i < cycle->note_count; i++) {
        const struct tx_finding *f = &cycle->notes[i].finding;
        FILE *stream = extra(out, &text);
        if (stream != NULL) {
            fprintf(stream, "       ! %s%s: %s [%s]\n", cycle->notes[i].fault ? "stopped, " : "",
                    tx_category_name(f->category), f->message, f->rule != NULL ? f->rule : "-");
        }
    }
    if (text.stream == NULL) {
        return NULL;
    }
    if (memory_text_close(NULL, &text) != TXL_CONTINUE) {
        out->failed = true;
        return NULL;
    }
    return text.text;
}

static void begin(struct trace_out *out, const struct trace_meta *meta)
{
    out->own = calloc(1, sizeof(struct table));
    out->failed = out->own == NULL;
    fprintf(out->stream,
            "# %s on %s, Dst %s; [x]: scheduled by SFPLOADMACRO with VD x; ': second "
            "cycle\n",
            meta->kernel, tx_arch_name(meta->arch), tx_dst_format_name(meta->dst));
}

static void section(struct trace_out *out, const struct trace_section *s)
{
    struct table *table = out->own;
    if (table == NULL) {
        return;
    }
    if (s->init) {
        snprintf(table->heading, sizeof table->heading, ".init");
    } else {
        snprintf(table->heading, sizeof table->heading, ".tile %llu", (unsigned long long)s->tile);
    }
}

static void cycle(struct trace_out *out, const struct trace_cycle *c)
{
    struct table *table = out->own;
    if (table == NULL) {
        return;
    }
    struct table_line *line = &table->lines[table->held];
    memset(line, 0, sizeof *line);
    line->t = c->t;
    line->idle = c->t > out->next ? c->t - out->next : 0;
    out->next = c->t + 1;
    snprintf(line->heading, sizeof line->heading, "%s", table->heading);
    table->heading[0] = '\0';
    /* What starts stands before what goes on, which follows from it. */
    for (unsigned pass = 0; pass < (out->meta->compact ? 1 : 2); pass++) {
        for (size_t i = 0; i < c->insn_count; i++) {
            if ((c->insns[i].kind == TRACE_SECOND) == (pass == 1)) {
                place(out, line, &c->insns[i]);
            }
        }
    }
    line->extra = extra_lines(out, c);
    if (out->meta->compact) {
        take_compact(out, table, line);
    } else if (table->settled) {
        put_line(out, table, line);
    } else if (++table->held == HELD) {
        settle(out, table);
    }
}

static void end(struct trace_out *out, uint64_t cycles, const struct tx_counters *counters)
{
    struct table *table = out->own;
    if (table != NULL && out->meta->compact) {
        put_compact(out, table);
    } else if (table != NULL && !table->settled) {
        settle(out, table);
    }
    fprintf(out->stream, "# %llu cycles, %llu instructions issued, %llu cycles stalled\n",
            (unsigned long long)cycles, (unsigned long long)counters->instructions,
            (unsigned long long)counters->stall_cycles);
}

struct trace_out trace_table(void)
{
    return (struct trace_out){.begin = begin, .section = section, .cycle = cycle, .end = end};
}
