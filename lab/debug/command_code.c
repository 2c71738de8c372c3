/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that show source lines, instruction words, and the pipeline of the last cycles. */
#include "base/small.h"
#include "debug/command.h"

#include <stdlib.h>
#include <string.h>

#include "trace/trace_model.h"

enum { USUAL = 5, WARM = 64, CYCLES_MOST = 4096 };

/* ---- source ---- */

/*
 * Returns the index in its section of the word that the selected thread issues next; NO_PLACE:
 * unknown.
 */
static size_t next_place(struct txl_debug *d)
{
    struct fact_issue next[TX_THREADS];
    const unsigned there = travel_peek(d, next);
    const unsigned own = debug_thread(d);
    for (unsigned i = 0; i < TX_THREADS; i++) {
        const unsigned t = (own + i) % TX_THREADS;
        if ((there >> t & 1u) != 0 && next[t].place != NO_PLACE) {
            return next[t].place;
        }
    }
    return d->now.last[own];
}

static unsigned around(const struct txl_debug *d)
{
    return d->around != 0 ? d->around : USUAL;
}

/* Returns a line of the kernel's text, counted from 1, and its length; NULL: there is none. */
static const char *source_line(const struct txl_debug *d, unsigned line, int *length)
{
    const char *at = d->source;
    const char *end = d->source + d->source_size;
    for (unsigned i = 1; at != NULL && at < end; i++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop != NULL ? stop : end;
        if (i == line) {
            *length = (int)(stop - at);
            return at;
        }
        at = stop + 1;
    }
    return NULL;
}

/* Loads the file that "list" shows; d->source is NULL where it cannot be read. */
static void show_source(struct txl_debug *d, const char *file)
{
    if (d->source_name == NULL || strcmp(d->source_name, file) != 0) {
        free(d->source);
        free(d->source_name);
        const struct tile_roots roots = tile_roots_of(d->tensix);
        d->source = tile_source_text(&roots, file, &d->source_size);
        d->source_name = strdup(file);
    }
}

/*
 * Returns the current source line of the selected core, for inlined code the one in the enclosing
 * function, and loads its file; 0: unknown.
 */
static unsigned core_line(struct txl_debug *d)
{
    struct tile_place places[TILE_CALLS];
    struct tx_core_glance now[TX_CORES];
    struct tile_program *program = d->core != TX_CORES ? tile_program_of(d->tensix, d->core) : NULL;
    tx_tensix_glance(d->tile, now);
    const unsigned n =
        program != NULL ? tile_places(program, now[d->core].pc, places, TILE_CALLS) : 0;
    if (n == 0) {
        return 0;
    }
    show_source(d, places[n - 1].file);
    return places[n - 1].line;
}

/* Returns the line of the next instruction in the file shown, and loads that file; 0: unknown. */
static unsigned next_line(struct txl_debug *d)
{
    const char *file = NULL;
    if (d->tile != NULL) {
        return core_line(d);
    }
    const size_t place = next_place(d);
    const unsigned line = place != NO_PLACE ? debug_line(d, debug_section(d), place, &file) : 0;
    if (file != NULL || d->path != NULL) { /* the file of .loc, else the kernel's own */
        show_source(d, file != NULL ? file : d->path);
    }
    return line;
}

int command_list_source(struct answer *a)
{
    struct txl_debug *d = a->d;
    uint64_t first = 0;
    int result = words_between(a, 0, 1);
    result = result == TXL_CONTINUE ? word_number(a, 1, INT32_MAX, 0, &first) : result;
    if (result != TXL_CONTINUE) {
        return result;
    }
    const unsigned now = next_line(d);
    if (d->source == NULL) {
        return txl_fail(d->err, "list: there is no text of it; disasm shows its words");
    }
    unsigned line = first != 0 ? (unsigned)first : now > around(d) ? now - around(d) : 1;
    txl_json *lines = txl_json_array();
    for (unsigned i = 0; i <= 2 * around(d); i++, line++) {
        int length = 0;
        char text[160];
        const char *at = source_line(d, line, &length);
        if (at == NULL) {
            break;
        }
        snprintf(text, sizeof text, "%.*s", length, at);
        for (char *tab = strchr(text, '\t'); tab != NULL; tab = strchr(tab, '\t')) {
            *tab = ' ';
        }
        txl_mask_controls(text);
        fprintf(a->out, "%s%5u  %s\n", line == now ? ">" : " ", line, text);
        txl_json *o = txl_json_object();
        txl_json_set_int(o, "line", line);
        txl_json_set_text(o, "text", text);
        txl_json_set_bool(o, "next", line == now);
        txl_json_append(lines, o);
    }
    txl_json_set(a->json, "lines", lines);
    return TXL_OK;
}

/* Shows a core's instructions around its pc. */
static int core_words(struct answer *a)
{
    struct txl_debug *d = a->d;
    struct tx_core_glance now[TX_CORES];
    txl_json *words = txl_json_array();
    tx_tensix_glance(d->tile, now);
    const uint32_t pc = now[d->core].pc;
    const uint32_t before = 4 * around(d);
    for (uint32_t at = pc > before ? pc - before : 0; at <= pc + before; at += 4) {
        uint8_t b[4];
        char dis[64];
        char name[96];
        if (tx_core_peek(d->tile, d->core, at, b, sizeof b) != sizeof b) {
            continue;
        }
        const uint32_t word = word_of_bytes(b);
        const char *function = txl_tensix_function(d->tensix, d->core, at, name);
        tx_core_text(d->arch, word, at, dis, sizeof dis);
        fprintf(a->out, "%s%08x  %08x  %-28s %s\n", at == pc ? ">" : " ", (unsigned)at,
                (unsigned)word, dis, function != NULL ? function : "");
        txl_json *o = txl_json_object();
        txl_json_set_word(o, "address", at);
        txl_json_set_word(o, "word", word);
        txl_json_set_text(o, "text", dis);
        txl_json_set_text(o, "function", function);
        txl_json_set_bool(o, "next", at == pc);
        txl_json_append(words, o);
    }
    txl_json_set(a->json, "words", words);
    return TXL_OK;
}

int command_disasm(struct answer *a)
{
    struct txl_debug *d = a->d;
    uint64_t first = UINT64_MAX;
    int result = words_between(a, 0, 1);
    result = result == TXL_CONTINUE ? word_number(a, 1, INT32_MAX, UINT64_MAX, &first) : result;
    if (result != TXL_CONTINUE) {
        return result;
    }
    if (d->program == NULL) {
        return d->core != TX_CORES && a->count == 1
                   ? core_words(a)
                   : txl_fail(d->err,
                              "disasm: of a core that 'thread' has selected, around its pc");
    }
    const unsigned section = debug_section(d);
    const size_t now = next_place(d);
    const size_t count = tx_program_count(d->program, section);
    size_t i = first != UINT64_MAX                  ? (size_t)first
               : now != NO_PLACE && now > around(d) ? now - around(d)
                                                    : 0;
    txl_json *words = txl_json_array();
    for (const size_t end = i + 2 * around(d) + 1; i < end && i < count; i++) {
        char dis[128];
        const uint32_t word = tx_program_words(d->program, section)[i];
        const char *file = NULL;
        const unsigned line = debug_line(d, section, i, &file);
        (void)tx_disassemble(d->arch, word, TX_DIS_NORMAL, dis, sizeof dis);
        fprintf(a->out, "%s%5zu  %08x  line %-5u %s\n", i == now ? ">" : " ", i, (unsigned)word,
                line, dis);
        txl_json *o = txl_json_object();
        txl_json_set_int(o, "place", i);
        txl_json_set_word(o, "word", word);
        txl_json_set_int(o, "line", line);
        txl_json_set_text(o, "text", dis);
        txl_json_set_bool(o, "next", i == now);
        txl_json_append(words, o);
    }
    txl_json_set(a->json, "words", words);
    return TXL_OK;
}

/* ---- the last cycles ---- */

static void settle_meta(const struct txl_debug *d, struct trace_meta *meta)
{
    meta->title = "";
    meta->program = d->program;
    meta->arch = d->arch;
    meta->dst = d->dst != TX_DST_FORMAT_UNSET ? d->dst : TX_DST_FORMAT_FP32;
    meta->kernel = d->program != NULL && d->path != NULL ? txl_basename(d->path) : "tile";
    meta->inputs = 1;
    meta->thread = d->run != NULL ? d->run->job.options.thread : 1;
    meta->threads = d->program == NULL || tx_program_threaded(d->program);
    if (d->program != NULL) {
        meta->inputs = tx_program_inputs(d->program);
        meta->output = tx_program_output(d->program);
        trace_choose_lanes(meta);
    } else {
        meta->units = meta->vector = true;
    }
}

/*
 * Runs the last cycles again with the trace listening, and some cycles before them, so that
 * instructions in progress are complete.
 */
static void collect(struct txl_debug *d, struct collect *c, uint64_t cycles)
{
    const uint64_t to = d->now.tick;
    const uint64_t begin = d->now.begin;
    const uint64_t cycle = debug_cycle(d);
    const uint64_t from = to > begin + cycles + WARM ? to - cycles - WARM : begin;
    const struct tx_sink sink = {trace_event, c};
    const uint64_t first = cycle - (to - begin);
    c->meta.first = cycle > first + cycles ? cycle - cycles : first;
    c->meta.last = cycle > 0 ? cycle - 1 : 0;
    trace_begin(c);
    travel_to(d, from);
    trace_section(c, d->now.where == IN_INIT, d->now.tile);
    c->started = true; /* from here on cycles are the machine's own */
    c->now.t = debug_cycle(d);
    travel_again(d, to, &sink);
}

/* Writes the lines of a table without its comment lines. */
static void put_lines(struct answer *a, char *text)
{
    char *rest = NULL;
    txl_json *lines = txl_json_array();
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        if (line[0] != '#') {
            fprintf(a->out, "%s\n", line);
            txl_json_append(lines, txl_json_string(line));
        }
    }
    txl_json_set(a->json, "lines", lines);
}

int command_pipeline(struct answer *a)
{
    struct txl_debug *d = a->d;
    struct memory_text text;
    uint64_t cycles = 16;
    int result = words_between(a, 0, 1);
    result = result == TXL_CONTINUE ? word_number(a, 1, CYCLES_MOST, 16, &cycles) : result;
    if (result != TXL_CONTINUE || d->now.tick == d->now.begin) {
        return result == TXL_CONTINUE ? TXL_OK : result;
    }
    struct collect *c = zeroed(d->err, 1, sizeof *c);
    if (c == NULL) {
        return TXL_INPUT;
    }
    result = trace_open(d->err, c);
    if (result == TXL_CONTINUE) {
        result = memory_text_open(d->err, &text);
    }
    if (result == TXL_CONTINUE) {
        const struct tx_counters none = {.cycles = 0};
        settle_meta(d, &c->meta);
        c->machine = d->machine;
        c->outs[0] = trace_table();
        c->outs[0].stream = text.stream;
        c->out_count = 1;
        collect(d, c, cycles);
        trace_end(c, &none);
        result = memory_text_close(d->err, &text);
        if (result == TXL_CONTINUE) {
            result = c->failed ? no_memory(d->err) : TXL_OK;
            put_lines(a, text.text);
            free(text.text);
        }
    }
    trace_free(c);
    free(c);
    return result;
}
