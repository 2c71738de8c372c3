/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inlay hints: a line's first and last cycle of issue in .init and in the first tile, counted from
 * the beginning of each, how many cycles its instructions were stalled, and the hazards and races
 * that are found in it.
 */
#include "lsp/lsp.h"

#include <stdlib.h>
#include <string.h>

#include <tensix/tensix.h>

#include "kernel/follow.h"

enum { MOST_CYCLES = 300000, INLAY_TYPE = 1 };

struct line_cycles {
    uint64_t first, last, count, held;
    char hazard[24]; /* a rule, or "race" */
};

struct hints {
    const struct tx_program *program;
    struct line_cycles *lines; /* by line of the text, counted from 0 */
    size_t line_count;
    uint64_t begin;
    bool began;
    struct follow place;
    uint64_t held[TX_THREADS];
};

static void listen(void *user, const struct tx_event *event)
{
    struct hints *h = user;
    if (event->kind == TX_EVENT_STALL && event->thread < TX_THREADS) {
        h->held[event->thread]++;
    }
    if (event->kind != TX_EVENT_ISSUE || event->thread >= TX_THREADS) {
        return;
    }
    if (!h->began) {
        h->began = true;
        h->begin = event->cycle;
    }
    const uint64_t held = h->held[event->thread];
    const size_t place = follow_word(&h->place, event->thread, event->word, true);
    h->held[event->thread] = 0;
    if (place == SIZE_MAX || tx_program_files(h->program, h->place.section)[place] != 0) {
        return;
    }
    const size_t line = tx_program_lines(h->program, h->place.section)[place];
    if (line == 0 || line > h->line_count) {
        return;
    }
    struct line_cycles *l = &h->lines[line - 1];
    l->last = event->cycle - h->begin;
    l->first = l->count++ == 0 ? l->last : l->first;
    l->held += held;
}

static void section(struct hints *h, unsigned which)
{
    h->place = follow_section(h->program, which);
    h->began = false;
    memset(h->held, 0, sizeof h->held);
}

/* Runs the kernel; if it exceeds the limit, what was seen until then is shown. */
static void hints_run(struct hints *h)
{
    struct tx_settings settings;
    tx_settings_default(&settings, tx_program_arch(h->program));
    settings.sink = (struct tx_sink){.event = listen, .user = h};
    settings.max_cycles = MOST_CYCLES;
    struct tx_kernel_options options;
    tx_kernel_options_default(&options);
    tx_kernel *kernel = NULL;
    if (tx_kernel_open(&settings, h->program, &options, &kernel) != TX_OK) {
        return;
    }
    section(h, TX_SECTION_INIT);
    if (tx_kernel_start(kernel) == TX_OK) {
        section(h, TX_SECTION_TILE);
        if (tx_kernel_tile_begin(kernel, 0) == TX_OK) {
            (void)tx_kernel_tile_run(kernel, NULL);
        }
    }
    tx_kernel_close(kernel);
}

static txl_json *hint_json(const txl_lsp *lsp, const struct document *d, size_t line,
                           const struct line_cycles *l)
{
    char text[120];
    size_t length;
    const char *at = line_at(d->text, d->length, line, &length);
    int used = snprintf(text, sizeof text, "cycle %llu", (unsigned long long)l->first);
    if (l->count > 1) {
        used += snprintf(text + used, sizeof text - (size_t)used, "..%llu, %llu times",
                         (unsigned long long)l->last, (unsigned long long)l->count);
    }
    if (l->held != 0) {
        snprintf(text + used, sizeof text - (size_t)used, ", held %llu",
                 (unsigned long long)l->held);
    }
    if (l->hazard[0] != '\0') {
        const size_t have = strlen(text);
        snprintf(text + have, sizeof text - have, ", %s%s",
                 strcmp(l->hazard, "race") == 0 ? "" : "hazard ", l->hazard);
    }
    txl_json *hint = txl_json_object();
    txl_json *position = txl_json_object();
    txl_json_set_int(position, "line", line);
    txl_json_set_int(position, "character", character_of(lsp, at, length));
    txl_json_set(hint, "position", position);
    txl_json_set_text(hint, "label", text);
    txl_json_set_int(hint, "kind", INLAY_TYPE);
    txl_json_set_bool(hint, "paddingLeft", true);
    return hint;
}

static void add_hazard(void *user, const struct seen *seen)
{
    const struct hints *h = user;
    if ((seen->kind == SEEN_HAZARD || seen->kind == SEEN_RACE) && seen->source == NULL &&
        seen->line != 0 && seen->line <= h->line_count) {
        struct line_cycles *l = &h->lines[seen->line - 1];
        snprintf(l->hazard, sizeof l->hazard, "%s", seen->code);
    }
}

txl_json *hints_json(txl_lsp *lsp, const struct document *d, size_t first, size_t end)
{
    txl_json *array = txl_json_array();
    struct tx_program *program;
    if (document_assemble(lsp, d, NULL, &program) != TXL_OK) {
        return array;
    }
    struct hints h = {.program = program, .line_count = 1};
    for (size_t i = 0; i < d->length; i++) {
        h.line_count += d->text[i] == '\n';
    }
    h.lines = calloc(h.line_count, sizeof *h.lines);
    if (h.lines != NULL) {
        hints_run(&h);
        look(lsp, d, add_hazard, &h);
        for (size_t i = first; i < end && i < h.line_count; i++) {
            if (h.lines[i].count != 0) {
                txl_json_append(array, hint_json(lsp, d, i, &h.lines[i]));
            }
        }
    }
    free(h.lines);
    tx_program_free(program);
    return array;
}
