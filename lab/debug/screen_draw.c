/* SPDX-License-Identifier: Apache-2.0 */
/* Draws the panes: each shows the answer of a command in a part of the screen. */
#include "debug/screen.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_ROWS = 8, LEAST_COLUMNS = 40, LOG_LEAST = 3, SIDE_LEAST = 90 };

void area_put(const struct area *a, unsigned row, unsigned column, const char *text, size_t length,
              enum txl_debug_look look)
{
    if (row >= a->height) {
        return;
    }
    const size_t at = (size_t)(a->top + row) * a->columns + a->left;
    for (size_t i = 0; i < length && column + i < a->width; i++) {
        const unsigned char c = (unsigned char)text[i];
        a->text[at + column + i] = c >= ' ' && c < 0x7F ? (char)c : '?';
        a->looks[at + column + i] = (unsigned char)look;
    }
}

void area_title(const struct area *a, const char *title)
{
    for (unsigned c = 0; c < a->width; c++) {
        area_put(a, 0, c, " ", 1, TXL_LOOK_TITLE);
    }
    area_put(a, 0, 1, title, strlen(title), TXL_LOOK_TITLE);
}

/* Returns a line of a text and its length; NULL: past the end. */
static const char *line_at(const char *text, unsigned index, size_t *length)
{
    for (; text != NULL && *text != '\0'; index--) {
        const char *end = strchr(text, '\n');
        *length = end != NULL ? (size_t)(end - text) : strlen(text);
        if (index == 0) {
            return text;
        }
        text = end != NULL ? end + 1 : text + *length;
    }
    return NULL;
}

static bool same_line(const char *a, size_t a_length, const char *b, size_t b_length)
{
    return a != NULL && a_length == b_length && memcmp(a, b, b_length) == 0;
}

/* Writes a text and highlights lines that differ from before; before NULL: none do. */
static void put_text(const struct area *a, const char *text, const char *before)
{
    for (unsigned row = 1; row < a->height; row++) {
        size_t length = 0;
        size_t old_length = 0;
        const char *line = line_at(text, row - 1, &length);
        const char *old = line_at(before, row - 1, &old_length);
        if (line == NULL) {
            break;
        }
        const bool changed = before != NULL && !same_line(old, old_length, line, length);
        const bool next = line[0] == '>';
        area_put(a, row, 0, line, length,
                 next      ? TXL_LOOK_NEXT
                 : changed ? TXL_LOOK_NEW
                           : TXL_LOOK_PLAIN);
    }
}

/* ---- the panes ---- */

static void draw_head(const struct txl_debug_screen *s, const struct area *a)
{
    const struct txl_debug *d = s->d;
    char name[128];
    char text[300];
    snprintf(name, sizeof name, "%.100s",
             d->path != NULL ? txl_basename(d->path) : "programs of a tile");
    int n = snprintf(text, sizeof text, "%s  %s  cycle %llu", name, tx_arch_name(d->arch),
                     (unsigned long long)debug_cycle(d));
    if (n > 0 && d->kernel != NULL) {
        snprintf(text + n, sizeof text - (size_t)n,
                 d->now.where == IN_INIT ? "  .init" : "  tile %llu + %llu",
                 (unsigned long long)d->now.tile, (unsigned long long)(d->now.tick - d->now.begin));
    }
    area_title(a, text);
}

/*
 * Asks for as many source lines as the pane has rows; where there are none, for the disassembly or
 * the threads.
 */
static void ask_source(struct txl_debug_screen *s, unsigned height)
{
    s->d->around = height / 2;
    free(s->source);
    s->source = screen_ask(s->d, "list");
    s->source_title = "source";
    if (s->source == NULL || (s->source[0] != '>' && strstr(s->source, "\n>") == NULL)) {
        free(s->source);
        s->source = screen_ask(s->d, "disasm");
        s->source_title = "words";
    }
    s->d->around = 0;
    if (s->source == NULL) {
        s->source = screen_ask(s->d, "threads");
        s->source_title = "cores and threads";
    }
    s->source_lines = height;
}

static void draw_source(struct txl_debug_screen *s, const struct area *a)
{
    if (s->source == NULL || s->source_lines != a->height) {
        ask_source(s, a->height);
    }
    area_title(a, s->source_title);
    put_text(a, s->source, NULL);
}

static void ask_pipeline(struct txl_debug_screen *s, unsigned height)
{
    char command[40];
    snprintf(command, sizeof command, "pipeline %u", height);
    free(s->pipeline);
    s->pipeline = screen_ask(s->d, command);
    s->pipeline_lines = height;
}

static void draw_pipeline(struct txl_debug_screen *s, const struct area *a)
{
    size_t length = 0;
    unsigned lines = 0;
    if (s->pipeline == NULL || s->pipeline_lines != a->height) {
        ask_pipeline(s, a->height);
    }
    const char *text = s->pipeline;
    area_title(a, "pipeline");
    while (line_at(text, lines, &length) != NULL) {
        lines++;
    }
    /* Show the table's head, then as many of its last lines as fit. */
    const unsigned room = a->height > 2 ? a->height - 2 : 0;
    unsigned from = lines > room + 2 ? lines - room : 2;
    const char *head = line_at(text, 0, &length);
    if (head != NULL) {
        area_put(a, 1, 0, head, length, TXL_LOOK_TITLE);
    }
    for (unsigned row = 2; row < a->height; row++, from++) {
        const char *line = line_at(text, from, &length);
        if (line == NULL) {
            break;
        }
        const bool wrong = memchr(line, '!', length) != NULL;
        const bool stall = !wrong && memmem(line, length, "stall", 5) != NULL;
        area_put(a, row, 0, line, length,
                 wrong   ? TXL_LOOK_WRONG
                 : stall ? TXL_LOOK_WAIT
                         : TXL_LOOK_PLAIN);
    }
}

static void draw_pane(struct txl_debug_screen *s, const struct area *a)
{
    screen_resized(s, a->width);
    area_title(a, s->pane);
    put_text(a, s->seen, s->before);
}

/* Returns the rows that a line takes when it is wrapped at the screen's width. */
static unsigned rows_of(const char *text, unsigned width)
{
    const size_t length = strlen(text);
    return length == 0 ? 1 : (unsigned)((length + width - 1) / width);
}

static void draw_log(const struct txl_debug_screen *s, const struct area *a)
{
    const unsigned room = a->height > 2 ? a->height - 2 : 0;
    const unsigned end = s->log_count - (s->scroll < s->log_count ? s->scroll : s->log_count);
    unsigned from = end;
    unsigned used = 0;
    while (from > 0 && used + rows_of(s->log[from - 1].text, a->width) <= room) {
        used += rows_of(s->log[--from].text, a->width);
    }
    area_title(a, s->scroll != 0 ? "answers (PgDn: later ones)" : "answers");
    unsigned row = 1;
    for (; from < end; from++) {
        const char *text = s->log[from].text;
        const unsigned rows = rows_of(text, a->width);
        for (unsigned i = 0; i < rows; i++, row++) {
            const char *part = text + (size_t)i * a->width;
            area_put(a, row, 0, part, strlen(part), (enum txl_debug_look)s->log[from].look);
        }
    }
}

static void draw_input(const struct txl_debug_screen *s, const struct area *a, unsigned *column)
{
    static const char prompt[] = "(tensix) ";
    const unsigned room = a->width - (unsigned)sizeof prompt;
    const unsigned from = s->cursor > room ? s->cursor - room : 0;
    area_put(a, 0, 0, prompt, sizeof prompt - 1, TXL_LOOK_COMMAND);
    area_put(a, 0, sizeof prompt - 1, s->input + from, s->length - from, TXL_LOOK_PLAIN);
    *column = (unsigned)sizeof prompt - 1 + s->cursor - from;
}

int txl_debug_screen_draw(struct txl_error *err, txl_debug_screen *s, unsigned rows,
                          unsigned columns, char *text, unsigned char *looks, unsigned *row,
                          unsigned *column)
{
    if (rows < LEAST_ROWS || columns < LEAST_COLUMNS) {
        return txl_fail(err, "the screen is smaller than %d rows of %d columns", LEAST_ROWS,
                        LEAST_COLUMNS);
    }
    memset(text, ' ', (size_t)rows * columns);
    memset(looks, TXL_LOOK_PLAIN, (size_t)rows * columns);
    /*
     * Layout below the head: source and pane side by side where the screen is wide enough,
     * pipeline, answers, the command line.
     */
    const unsigned body = rows - 2;
    const unsigned log = body / 4 > LOG_LEAST ? body / 4 : LOG_LEAST;
    const unsigned pipe = body > 16 ? (body - log) / 3 : 0;
    const unsigned top = body - log - pipe;
    const bool wide = columns >= SIDE_LEAST;
    struct area a = {text, looks, columns, 0, 0, 1, columns};
    draw_head(s, &a);
    a.top = 1;
    a.height = wide ? top : top / 2;
    a.width = wide ? columns / 2 - 1 : columns;
    draw_source(s, &a);
    a.left = wide ? columns / 2 : 0;
    a.top = wide ? 1 : 1 + top / 2;
    a.height = wide ? top : top - top / 2;
    a.width = columns - a.left;
    draw_pane(s, &a);
    a = (struct area){text, looks, columns, 1 + top, 0, pipe, columns};
    if (pipe != 0) {
        draw_pipeline(s, &a);
    }
    a.top = 1 + top + pipe;
    a.height = log + 1;
    draw_log(s, &a);
    a.top = rows - 1;
    a.height = 1;
    draw_input(s, &a, column);
    *row = rows - 1;
    return TXL_OK;
}
