/* SPDX-License-Identifier: Apache-2.0 */
/* The table form: a line per cycle and a column per sub-unit, as kernel authors draw it. */
#include <tensix/facts.h>

#include "trace/trace_model.h"

#include <stdlib.h>
#include <string.h>

#include "base/finding.h"
#include "base/memory.h"
#include "reference/ulp.h"

enum {
    COLUMNS = 14, /* maximum */
    CELL = 240,
    PARTS = 4, /* parts of a cell with their own colour */
    HELD = 64, /* lines buffered to determine the widths of columns */
    LEAST = 6,
    MOST = 64,
    COLOR = 16, /* letters around a part at most */
    LINE = COLUMNS * (CELL + PARTS * COLOR + MOST + 32) + 32
};

/* What a column shows. The last columns are gates, each for one thread or for all. */
enum column_kind {
    COLUMN_UNIT,
    COLUMN_SRC,
    COLUMN_UNPACK,
    COLUMN_MATRIX,
    COLUMN_PACK,
    COLUMN_GATE
};

struct column {
    enum column_kind kind;
    unsigned index; /* number of the sub-unit, Src, unpacker or thread */
    const char *title;
    unsigned width;
};

struct cell {
    char text[CELL];
    unsigned parts;
    bool stall;
    struct {
        size_t from;
        uint64_t datum;
    } part[PARTS];
};

struct table_line {
    uint64_t t, idle; /* idle: cycles without events before it */
    char heading[40];
    struct cell cells[COLUMNS];
    char *extra; /* lines printed below it, or NULL */
};

struct table {
    struct table_line lines[HELD];
    unsigned held;
    bool settled; /* column widths are fixed, and lines are printed at once */
    struct column columns[COLUMNS];
    unsigned count, gates;     /* number of columns; index of the first gate */
    char shown[COLUMNS][CELL]; /* text of the previous line */
    char heading[40];          /* of a section that begins with the next line */
    struct table_line last;    /* compact: held back, because the next one may be equal */
    uint64_t until;            /* last cycle of last */
    bool waiting;
};

static void add_column(struct table *table, enum column_kind kind, unsigned index,
                       const char *title)
{
    table->columns[table->count++] = (struct column){kind, index, title, 0};
}

/* Chooses columns in the order in which data pass through the units. */
static void choose_columns(struct table *table, const struct trace_meta *meta)
{
    static const char *const units[] = {"Load", "Simple", "MAD", "Round", "Store"};
    static const char *const threads[TX_THREADS] = {"T0", "T1", "T2"};
    if (meta->units) {
        add_column(table, COLUMN_UNPACK, 0, "Unpack 0");
        add_column(table, COLUMN_UNPACK, 1, "Unpack 1");
        add_column(table, COLUMN_SRC, 0, "SrcA 0, 1");
        add_column(table, COLUMN_SRC, 1, "SrcB 0, 1");
        add_column(table, COLUMN_MATRIX, 0, "Matrix");
    }
    for (unsigned i = 0; meta->vector && i < 5; i++) {
        add_column(table, COLUMN_UNIT, TX_UNIT_LOAD + i, units[i]);
    }
    if (meta->units) {
        add_column(table, COLUMN_PACK, 0, "Pack");
    }
    table->gates = table->count;
    if (!meta->units || !meta->threads) {
        add_column(table, COLUMN_GATE, 0, "Issue");
        return;
    }
    for (unsigned i = 0; i < TX_THREADS; i++) {
        add_column(table, COLUMN_GATE, i, threads[i]);
    }
}

static struct cell *cell_of(const struct table *table, struct table_line *line,
                            enum column_kind kind, unsigned index)
{
    for (unsigned i = 0; i < table->count; i++) {
        if (table->columns[i].kind == kind && table->columns[i].index == index) {
            return &line->cells[i];
        }
    }
    return &line->cells[table->gates];
}

/* A line before it is written as a whole. All that goes to it has room. */
struct line_text {
    size_t length;
    char text[LINE];
};

static void put_letters(struct line_text *line, const char *text, size_t count)
{
    memcpy(line->text + line->length, text, count);
    line->length += count;
}

static void put_text(struct line_text *line, const char *text)
{
    put_letters(line, text, strlen(text));
}

static void put_cell(struct line_text *line, const struct trace_meta *meta, const struct cell *cell,
                     bool gate, unsigned width)
{
    const size_t length = strlen(cell->text);
    static const char *const colors[] = {"36", "33", "32", "35", "34", "91"};
    for (unsigned i = 0; i < cell->parts; i++) {
        const size_t from = cell->part[i].from;
        const size_t to = i + 1 < cell->parts ? cell->part[i + 1].from : length;
        const uint64_t datum = cell->part[i].datum;
        const char *color = gate         ? cell->stall ? "1;31" : "2"
                            : datum != 0 ? colors[(datum - 1) % 6]
                                         : NULL;
        const bool plain = color == NULL || !meta->color;
        if (!plain) {
            put_text(line, "\033[");
            put_text(line, color);
            put_text(line, "m");
        }
        put_letters(line, cell->text + from, to - from);
        put_text(line, plain ? "" : "\033[0m");
    }
    if (length < width) {
        memset(line->text + line->length, ' ', width - length);
        line->length += width - length;
    }
}

static void put_titles(const struct table *table, FILE *stream)
{
    fprintf(stream, "%6s", "t");
    for (unsigned i = 0; i < table->count; i++) {
        const struct column *c = &table->columns[i];
        fprintf(stream, " | %-*s", i + 1 < table->count ? (int)c->width : 0, c->title);
    }
    fprintf(stream, "\n------");
    for (unsigned i = 0; i < table->count; i++) {
        const struct column *c = &table->columns[i];
        const size_t width = i + 1 < table->count ? c->width : strlen(c->title);
        fputs(" | ", stream);
        for (size_t k = 0; k < width; k++) {
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

/* Writes one line for all consecutive cycles with the same state, without columns. */
static void put_compact(const struct trace_out *out, struct table *table)
{
    struct table_line *line = &table->last;
    if (!table->waiting) {
        return;
    }
    struct line_text text;
    table->waiting = false;
    text.length = 0;
    put_before(out, line);
    fprintf(out->stream, "%llu", (unsigned long long)line->t);
    if (table->until != line->t) {
        fprintf(out->stream, "-%llu", (unsigned long long)table->until);
    }
    for (unsigned i = 0; i < table->count; i++) {
        const struct column *c = &table->columns[i];
        const bool bare = c->kind == COLUMN_GATE && table->gates + 1 == table->count;
        if (line->cells[i].text[0] != '\0') {
            put_text(&text, " | ");
            put_text(&text, bare ? "" : c->title);
            put_text(&text, bare ? "" : " ");
            put_cell(&text, out->meta, &line->cells[i], i >= table->gates, 0);
        }
    }
    put_text(&text, "\n");
    (void)fwrite(text.text, 1, text.length, out->stream);
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
    struct line_text text;
    unsigned last = 0;
    text.length = 0;
    put_before(out, line);
    fprintf(out->stream, "%6llu", (unsigned long long)line->t);
    for (unsigned i = 0; i < table->count; i++) {
        last = line->cells[i].text[0] != '\0' ? i : last;
    }
    for (unsigned i = 0; i <= last; i++) {
        put_text(&text, " | ");
        put_cell(&text, out->meta, &line->cells[i], i >= table->gates,
                 i < last ? table->columns[i].width : 0);
    }
    put_text(&text, "\n");
    (void)fwrite(text.text, 1, text.length, out->stream);
    put_extra(out, line);
}

static void trace_table_settle(const struct trace_out *out, struct table *table)
{
    for (unsigned i = 0; i < table->count; i++) {
        unsigned *width = &table->columns[i].width;
        const unsigned title = (unsigned)strlen(table->columns[i].title);
        *width = title > LEAST ? title : LEAST;
        for (unsigned k = 0; k < table->held; k++) {
            unsigned length = (unsigned)strlen(table->lines[k].cells[i].text);
            length = length > MOST ? MOST : length;
            *width = length > *width ? length : *width;
        }
    }
    table->settled = true;
    put_titles(table, out->stream);
    for (unsigned k = 0; k < table->held; k++) {
        put_line(out, table, &table->lines[k]);
    }
    table->held = 0;
}

/* Adds text to a line that has room for size letters, as much of it as there is room for. */
static void add_text(char *line, size_t size, const char *text)
{
    const size_t length = strlen(line);
    const size_t more = strlen(text);
    const size_t fits = length + more < size ? more : size - 1 - length;
    memcpy(line + length, text, fits);
    line[length + fits] = '\0';
}

static void join(struct cell *cell, const char *text, uint64_t datum)
{
    const size_t length = strlen(cell->text);
    if (cell->parts < PARTS) {
        cell->part[cell->parts].from = length;
        cell->part[cell->parts++].datum = datum;
    }
    add_text(cell->text, sizeof cell->text, length != 0 ? "; " : "");
    add_text(cell->text, sizeof cell->text, text);
}

/* Adds what happens at a gate, with the thread's name where one column serves several. */
static void at_gate(const struct trace_out *out, struct table_line *line,
                    const struct trace_insn *insn, const char *text)
{
    const struct table *table = out->own;
    const bool several = table->gates + 1 < table->count;
    struct cell *cell = &line->cells[table->gates + (several ? insn->thread : 0)];
    char thread[8] = "";
    char number[24] = "";
    char line_text[CELL + 128];
    if (out->meta->threads && !several) {
        snprintf(thread, sizeof thread, "T%u ", insn->thread);
    }
    /* A waiting instruction has no number yet. */
    if (out->meta->units && insn->kind == TRACE_ISSUE) {
        snprintf(number, sizeof number, "%llu ", (unsigned long long)insn->number);
    }
    line_text[0] = '\0';
    add_text(line_text, sizeof line_text, thread);
    add_text(line_text, sizeof line_text, number);
    add_text(line_text, CELL + 64, text);
    cell->stall = cell->stall || insn->kind == TRACE_STALL;
    join(cell, line_text, 0);
}

static void trace_table_place(const struct trace_out *out, struct table_line *line,
                              const struct trace_insn *insn)
{
    const struct table *table = out->own;
    bool vector = insn->unit >= TX_UNIT_LOAD && insn->unit <= TX_UNIT_STORE;
    char text[CELL + 48];
    if (insn->kind == TRACE_STALL) {
        text[0] = '\0';
        add_text(text, sizeof text, "stall: ");
        add_text(text, sizeof text, insn->text);
        add_text(text, sizeof text, " waits: ");
        add_text(text, sizeof text, insn->cause);
        at_gate(out, line, insn, text);
        return;
    }
    if (insn->kind == TRACE_ISSUE) {
        char source[256];
        (void)tx_disassemble(out->meta->arch, insn->word, TX_DIS_NORMAL, text, sizeof text);
        if (out->meta->program != NULL &&
            txl_source_of(out->meta->program, insn->word, source) != NULL) {
            const size_t length = strlen(text);
            snprintf(text + length, sizeof text - length, "  # %.90s", source);
        }
        at_gate(out, line, insn, text);
    }
    if (insn->unit == TX_UNIT_MATRIX && out->meta->units) {
        char label[TRACE_TEXT + 40];
        snprintf(text, sizeof text, "%llu %s", (unsigned long long)insn->number,
                 trace_label(insn, label, sizeof label));
        join(cell_of(table, line, COLUMN_MATRIX, 0), text, 0);
    }
    if (vector && !(out->meta->compact && insn->kind == TRACE_ISSUE && !insn->dropped)) {
        join(cell_of(table, line, COLUMN_UNIT, insn->unit), trace_label(insn, text, sizeof text),
             insn->datum);
    }
}

/* ---- unpackers, banks and packers ---- */

/* Adds a job; one that is behind another shows only its number. */
static void place_job(const struct trace_out *out, struct table_line *line,
                      const struct trace_cycle *c, const struct trace_job *job)
{
    const bool packs = job->unit == TX_UNIT_PACK;
    struct cell *cell =
        cell_of(out->own, line, packs ? COLUMN_PACK : COLUMN_UNPACK, packs ? 0 : job->index);
    const bool behind = trace_before(c->jobs, job) != NULL;
    char text[CELL];
    char packer[8] = "";
    if (packs && tx_arch_fact(out->meta->arch, TX_FACT_PACKERS) > 1) {
        snprintf(packer, sizeof packer, "%u: ", job->index);
    }
    snprintf(text, sizeof text, "%s%llu%s%s%s%s", packer, (unsigned long long)job->number,
             behind ? "" : " ", behind ? "" : job->text,
             behind                       ? ""
             : job->phase == TRACE_WAITS  ? " waits: "
             : job->phase == TRACE_ENTERS ? " enters"
                                          : "",
             behind ? "" : job->cause);
    join(cell, text, 0);
}

static void place_units(const struct trace_out *out, struct table_line *line,
                        const struct trace_cycle *c)
{
    for (size_t i = 0; i < c->job_count; i++) {
        if (c->jobs[i].phase != TRACE_ENDED) {
            place_job(out, line, c, &c->jobs[i]);
        }
    }
    for (unsigned src = 0; src < TRACE_SRCS; src++) {
        char text[CELL];
        size_t used =
            (size_t)snprintf(text, sizeof text, "%s %s", trace_owner(c->banks[src].owner[0]),
                             trace_owner(c->banks[src].owner[1]));
        for (size_t i = 0; i < c->turn_count; i++) {
            if (c->turns[i].src == src && used < sizeof text) {
                used += (size_t)snprintf(text + used, sizeof text - used, " by %llu",
                                         (unsigned long long)c->turns[i].number);
            }
        }
        join(cell_of(out->own, line, COLUMN_SRC, src), text, 0);
    }
}

/* Replaces what continues from the previous line by a ditto mark. */
static void shorten(struct table *table, struct table_line *line)
{
    for (unsigned i = 0; i < table->count; i++) {
        struct cell *cell = &line->cells[i];
        const enum column_kind kind = table->columns[i].kind;
        const bool goes_on = kind == COLUMN_SRC || kind == COLUMN_UNPACK || kind == COLUMN_PACK ||
                             (kind == COLUMN_GATE && cell->stall);
        const bool same = line->idle == 0 && line->heading[0] == '\0' && goes_on &&
                          cell->text[0] != '\0' && strcmp(cell->text, table->shown[i]) == 0;
        memcpy(table->shown[i], cell->text, sizeof table->shown[i]);
        if (same) {
            snprintf(cell->text, sizeof cell->text, "\"");
            cell->parts = 1;
        }
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

/* Opens, when needed, the stream for lines below a table line. */
static FILE *extra(struct trace_out *out, struct memory_text *text)
{
    if (text->stream == NULL && memory_text_open(NULL, text) != TXL_CONTINUE) {
        out->failed = true;
        text->stream = NULL;
    }
    return text->stream;
}

/* Returns requested registers and rows, and findings, as lines; NULL: none, or no memory. */
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
    for (size_t i = 0; i < cycle->core_count; i++) {
        const struct trace_core *core = &cycle->cores[i];
        FILE *stream = core->moved ? extra(out, &text) : NULL;
        if (stream != NULL) {
            fprintf(stream, "       core %s at %08x%s%s%s%s\n",
                    tx_core_name((enum tx_core)core->core), core->pc,
                    core->function[0] != '\0' ? " in " : "", core->function,
                    core->source[0] != '\0' ? ", " : "", core->source);
        }
    }
    for (size_t i = 0; i < cycle->note_count; i++) {
        const struct tx_finding *f = &cycle->notes[i].finding;
        FILE *stream = extra(out, &text);
        if (stream != NULL) {
            char said[TX_FINDING_TEXT];
            fprintf(stream, "       ! %s%s\n", cycle->notes[i].fault ? "stopped, " : "",
                    tx_finding_text(f, said, sizeof said));
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

static void trace_table_begin(struct trace_out *out, const struct trace_meta *meta)
{
    out->own = calloc(1, sizeof(struct table));
    out->failed = out->own == NULL;
    if (out->own != NULL) {
        choose_columns(out->own, meta);
    }
    fprintf(out->stream,
            "# %s on %s, Dst %s; [x]: scheduled by SFPLOADMACRO with VD x; ': second "
            "cycle\n",
            meta->kernel, tx_arch_name(meta->arch), tx_dst_format_name(meta->dst));
    if (meta->units) {
        fprintf(out->stream, "# a number is an instruction's, as issued; Src: whose its two banks "
                             "are after the cycle, and who gave one away; \": as before\n");
    }
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

/*
 * Tells whether a cycle has nothing to show: something ended before it, or cores stay in their
 * line.
 */
static bool nothing(const struct trace_cycle *c)
{
    for (size_t i = 0; i < c->core_count; i++) {
        if (c->cores[i].moved) {
            return false;
        }
    }
    for (size_t i = 0; i < c->job_count; i++) {
        if (c->jobs[i].phase != TRACE_ENDED) {
            return false;
        }
    }
    return c->insn_count + c->write_count + c->note_count + c->turn_count == 0;
}

static void cycle(struct trace_out *out, const struct trace_cycle *c)
{
    struct table *table = out->own;
    if (table == NULL || nothing(c)) {
        return;
    }
    struct table_line *line = &table->lines[table->held];
    memset(line, 0, sizeof *line);
    line->t = c->t;
    line->idle = c->t > out->next ? c->t - out->next : 0;
    out->next = c->t + 1;
    snprintf(line->heading, sizeof line->heading, "%s", table->heading);
    table->heading[0] = '\0';
    /* Instructions that start are listed before second cycles. */
    for (unsigned pass = 0; pass < (out->meta->compact ? 1 : 2); pass++) {
        for (size_t i = 0; i < c->insn_count; i++) {
            if ((c->insns[i].kind == TRACE_SECOND) == (pass == 1)) {
                trace_table_place(out, line, &c->insns[i]);
            }
        }
    }
    line->extra = extra_lines(out, c);
    if (out->meta->units) {
        place_units(out, line, c);
    }
    if (out->meta->units && !out->meta->compact) {
        shorten(table, line);
    }
    if (out->meta->compact) {
        take_compact(out, table, line);
    } else if (table->settled) {
        put_line(out, table, line);
    } else if (++table->held == HELD) {
        trace_table_settle(out, table);
    }
}

static void trace_table_end(struct trace_out *out, uint64_t cycles,
                            const struct tx_counters *counters)
{
    struct table *table = out->own;
    if (table != NULL && out->meta->compact) {
        put_compact(out, table);
    } else if (table != NULL && !table->settled) {
        trace_table_settle(out, table);
    }
    fprintf(out->stream, "# %s%llu cycles, %llu instructions issued, %llu cycles stalled\n",
            bound_prefix(out->meta->bounds), (unsigned long long)cycles,
            (unsigned long long)counters->instructions, (unsigned long long)counters->stall_cycles);
}

struct trace_out trace_table(void)
{
    return (struct trace_out){
        .begin = trace_table_begin, .section = section, .cycle = cycle, .end = trace_table_end};
}
