/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command why: shows the instructions and values from which a value was computed, using the
 * graph of flow.h. For it the section is run again from its beginning, and before that .init for
 * values that it left; where that exceeds the graph's capacity, only as much of the end as fits.
 */
#include "base/json.h"
#include "debug/command.h"
#include "flow/graph.h"

#include <stdlib.h>
#include <string.h>

enum { NODES = 4096, SHOWN = 64, FIRST_WINDOW = 1 << 14, WHOLE_SECTION = 1 << 18 };

struct chain {
    struct txl_debug *d;
    txl_graph *graph;
    struct txl_source node[NODES]; /* in order of step; those without a step first */
    bool masked[NODES];
    size_t count;
    bool cut;
    uint64_t from; /* cycle in which the graph begins */
    uint64_t init; /* instructions of .init in the graph */
};

/* ---- the graph ---- */

static void listen_init(struct chain *c)
{
    struct txl_debug *d = c->d;
    const struct tx_sink sink = {txl_graph_event, c->graph};
    travel_to(d, 0);
    if (d->now.where != IN_INIT) {
        return;
    }
    d->also = sink;
    while (!d->now.section_over && d->now.end == END_NOT && d->now.where == IN_INIT) {
        travel_again(d, d->now.tick + 1, &sink);
    }
    graph_forget_dst(c->graph); /* the tile's inputs are written there */
}

/* Records the graph from one tick to another. */
static void listen(struct chain *c, uint64_t from, uint64_t to)
{
    const struct tx_sink sink = {txl_graph_event, c->graph};
    struct txl_debug *d = c->d;
    txl_graph_begin(c->graph);
    travel_to(d, from);
    const bool tile = d->kernel != NULL && d->now.where != IN_INIT && d->now.begin == from;
    c->from = debug_cycle(d);
    c->init = d->now.issued;
    if (tile && !d->run->job.options.carry) {
        listen_init(c);
        travel_to(d, from);
    }
    travel_again(d, to, &sink);
}

/* ---- the chain ---- */

static uint32_t step_of(const struct chain *c, struct txl_source s)
{
    const struct txl_value *v = txl_graph_value(c->graph, s.value);
    return v != NULL ? v->step : TXL_NO_VALUE;
}

static bool before(const struct chain *c, struct txl_source a, struct txl_source b)
{
    const uint32_t x = step_of(c, a) + 1; /* no step: 0 */
    const uint32_t y = step_of(c, b) + 1;
    return x != y               ? (x & 0x7FFFFFFFu) < (y & 0x7FFFFFFFu)
           : a.value != b.value ? a.value < b.value
                                : a.lane < b.lane;
}

/* For an SFPLOADI that writes half of a register returns its mode; else 0. */
static unsigned half_of(const struct chain *c, struct txl_source s)
{
    const uint32_t step = step_of(c, s);
    const struct txl_step *made = txl_graph_step(c->graph, step);
    const struct tx_operands *o = txl_graph_operands(c->graph, step);
    if (made == NULL || o == NULL || made->row->insn != TX_INSN_SFPLOADI) {
        return 0;
    }
    return o->mode == TX_MOD_SFPLOADI_UPPER || o->mode == TX_MOD_SFPLOADI_LOWER ? o->mode : 0;
}

/* Adds a node. masked: the part of the previous value that it kept has been overwritten since. */
static void why_add(struct chain *c, struct txl_source s, bool masked)
{
    for (size_t i = 0; i < c->count; i++) {
        if (c->node[i].value == s.value && c->node[i].lane == s.lane) {
            c->masked[i] = c->masked[i] && masked;
            return;
        }
    }
    if (c->count == NODES) {
        c->cut = true;
        return;
    }
    c->masked[c->count] = masked;
    c->node[c->count++] = s;
}

static void expand(struct chain *c, size_t at)
{
    struct txl_source from[TXL_MOST_SOURCES];
    const unsigned half = half_of(c, c->node[at]);
    const size_t n = txl_graph_sources(c->graph, c->node[at], from, TXL_MOST_SOURCES);
    for (size_t k = 0; k < n; k++) {
        if (from[k].value != TXL_NO_VALUE) {
            const unsigned other = half_of(c, from[k]);
            why_add(c, from[k], half != 0 && other != 0 && other != half);
        }
    }
}

static void why_follow(struct chain *c, struct txl_source of)
{
    bool done[NODES] = {false};
    bool more = true;
    c->count = 0;
    c->cut = false;
    why_add(c, of, false);
    while (more) {
        more = false;
        for (size_t i = 0; i < c->count; i++) {
            if (!done[i] && !c->masked[i]) {
                done[i] = more = true;
                expand(c, i);
            }
        }
    }
    for (size_t i = 1; i < c->count; i++) { /* sort by execution */
        const struct txl_source s = c->node[i];
        const bool masked = c->masked[i];
        size_t at = i;
        for (; at > 0 && before(c, s, c->node[at - 1]); at--) {
            c->node[at] = c->node[at - 1];
            c->masked[at] = c->masked[at - 1];
        }
        c->node[at] = s;
        c->masked[at] = masked;
    }
}

static bool is_constant(unsigned reg)
{
    return reg >= 8 && reg <= 15; /* of these, SFPCONFIG can set L11 to L14 */
}

/* Tells whether some value in the chain existed before the graph began. */
static bool open_ended(const struct chain *c)
{
    for (size_t i = 0; i < c->count; i++) {
        const struct txl_value *v = txl_graph_value(c->graph, c->node[i].value);
        if (v->step == TXL_NO_VALUE && v->reg != TXL_IN_DST && !is_constant(v->reg)) {
            return true;
        }
    }
    return false;
}

static struct txl_source origin(const struct chain *c, const struct target *t)
{
    if (t->kind == TARGET_DST) {
        return txl_graph_cell(c->graph, t->index, t->first);
    }
    const uint32_t value = txl_graph_register(c->graph, t->index);
    const struct txl_source none = {TXL_NO_VALUE, 0};
    return value != TXL_NO_VALUE ? txl_graph_origin(c->graph, value, t->first) : none;
}

/*
 * Searches the shortest piece of the past that explains the value completely. Returns false where
 * no instruction is known to have made it.
 */
static bool search(struct chain *c, const struct target *t)
{
    struct txl_debug *d = c->d;
    const uint64_t to = d->now.tick;
    const uint64_t begin = d->now.begin < to ? d->now.begin : to;
    uint64_t window = to - begin <= WHOLE_SECTION ? to - begin : FIRST_WINDOW;
    uint64_t good = 0;
    for (;; window = window < (to - begin) / 4 ? 4 * window : to - begin) {
        listen(c, to - window, to);
        const bool whole = txl_graph_whole(c->graph);
        if (!whole && good != 0) { /* too much for the graph: use the previous window */
            listen(c, to - good, to);
        } else if (!whole) {
            return false;
        }
        const struct txl_source at = origin(c, t);
        c->count = 0;
        if (at.value != TXL_NO_VALUE) {
            why_follow(c, at);
        }
        if (!whole || window == to - begin || (c->count != 0 && !open_ended(c))) {
            return c->count != 0;
        }
        good = window;
    }
}

/* ---- text ---- */

static const char *value_name(const struct chain *c, struct txl_source s, char text[32])
{
    const struct txl_value *v = txl_graph_value(c->graph, s.value);
    if (v->reg == TXL_IN_DST) {
        snprintf(text, 32, "Dst");
    } else {
        snprintf(text, 32, "L%u[%u]", v->reg, s.lane);
    }
    return text;
}

static size_t why_place_of(const struct chain *c, const struct txl_step *step, unsigned *section)
{
    const struct txl_debug *d = c->d;
    if (d->issued[0] == NULL || step->scheduled) {
        return NO_PLACE;
    }
    *section = debug_section(d);
    if (step->number >= d->now.issued) {
        return place_of_number(d, *section, step->number - d->now.issued, step->word);
    }
    *section = TX_SECTION_INIT;
    return place_of_number(d, *section, step->number, step->word);
}

/* Writes the source line of a step, "relu.s:30", or "". */
static void say_place(const struct chain *c, const struct txl_step *step, char text[300],
                      txl_json *o)
{
    const char *file = NULL;
    unsigned section = 0;
    char source[256];
    const size_t place = why_place_of(c, step, &section);
    const unsigned line = debug_line(c->d, section, place, &file);
    text[0] = '\0';
    if (line != 0 && file != NULL) {
        snprintf(text, 300, "%s:%u", txl_basename(file), line);
        txl_json_set_text(o, "file", file);
        txl_json_set_int(o, "line", line);
    } else if (txl_source_of(c->d->program, step->word, source) != NULL) {
        snprintf(text, 300, "%s", source);
    }
    if (place != NO_PLACE) {
        txl_json_set_int(o, "place", place);
    }
    txl_mask_controls(text);
}

/* Writes where a load read its value, and which input element that is. */
static void say_load(const struct chain *c, const struct txl_step *step, unsigned lane, FILE *out,
                     txl_json *o)
{
    const struct tx_dst_place at = tx_dst_place(step->address, lane);
    const unsigned tile = at.row / 64;
    const unsigned element = tx_tile_element(at.row % 64, at.column);
    const bool input = c->d->program != NULL && tile < tx_program_inputs(c->d->program);
    fprintf(out, "from dst[%u][%u]", at.row, at.column);
    JSON_MEMBERS(o, &at, row, column);
    if (input) {
        fprintf(out, ", element [%u][%u] of input %u", element / 32, element % 32, tile);
        txl_json_set_int(o, "input", tile);
        txl_json_set_int(o, "element", element);
    }
}

static void say_sources(const struct chain *c, struct txl_source s, bool masked, FILE *out,
                        txl_json *o)
{
    struct txl_source from[TXL_MOST_SOURCES];
    const struct txl_step *step = txl_graph_step(c->graph, step_of(c, s));
    const size_t n = txl_graph_sources(c->graph, s, from, TXL_MOST_SOURCES);
    const bool load = ((step->row->reads & TX_SET(DST)) != 0);
    size_t known = 0;
    txl_json *list = txl_json_array();
    for (size_t i = 0; i < n && !masked; i++) {
        char name[32];
        if (from[i].value == TXL_NO_VALUE) {
            continue;
        }
        const struct txl_step *made = txl_graph_step(c->graph, step_of(c, from[i]));
        fprintf(out, "%s%s", known++ == 0 ? "of " : ", ", value_name(c, from[i], name));
        if (made != NULL) {
            fprintf(out, " of cycle %llu", (unsigned long long)made->cycle);
        }
        txl_json_append(list, txl_json_string(name));
    }
    if (load && known == 0) {
        say_load(c, step, s.lane, out, o);
    } else if (known == 0) {
        fputs("constant", out);
    }
    txl_json_set(o, "of", list);
}

static txl_json *say_node(struct chain *c, size_t at, FILE *out)
{
    const struct txl_source s = c->node[at];
    const bool masked = c->masked[at];
    const struct txl_value *v = txl_graph_value(c->graph, s.value);
    const struct txl_step *step = txl_graph_step(c->graph, v->step);
    const uint32_t bits = txl_graph_bits(c->graph, s.value, s.lane);
    char name[32];
    char text[48];
    char dis[128];
    char place[300];
    txl_json *o = txl_json_object();
    (void)value_name(c, s, name);
    (void)reading_text(READ_FP32, bits, text);
    txl_json_set_text(o, "name", name);
    txl_json_set_word(o, "bits", bits);
    txl_json_set_text(o, "value", text);
    if (step == NULL) {
        const bool constant = is_constant(v->reg);
        snprintf(place, sizeof place,
                 !constant                    ? "before cycle %llu"
                 : v->reg > 10 && v->reg < 15 ? "configured"
                                              : "constant",
                 (unsigned long long)c->from);
        fprintf(out, "  %6s  %-42s %-7s %08x %s\n", "", place, name, (unsigned)bits, text);
        txl_json_set_text(o, "taken", constant ? "constant" : "before");
        return o;
    }
    (void)tx_disassemble(c->d->arch, step->word, TX_DIS_NORMAL, dis, sizeof dis);
    say_place(c, step, place, o);
    JSON_MEMBERS(o, step, cycle, number, scheduled);
    txl_json_set_word(o, "word", step->word);
    txl_json_set_text(o, "text", dis);
    fprintf(out, "  %6llu  %-14s %-27s %-7s %08x %-13s ", (unsigned long long)step->cycle, place,
            dis, name, (unsigned)bits, text);
    say_sources(c, s, masked, out, o);
    fputs(step->scheduled ? " (scheduled)\n" : "\n", out);
    return o;
}

static int say_chain(struct chain *c, struct answer *a)
{
    /* Discards the oldest lines of a long chain, which only JSON shows. */
    struct memory_text unseen;
    const size_t skipped = c->count > SHOWN ? c->count - SHOWN : 0;
    if (memory_text_open(a->d->err, &unseen) != TXL_CONTINUE) {
        return TXL_INPUT;
    }
    txl_json *list = txl_json_array();
    if (skipped != 0) {
        fprintf(a->out, "  %zu instructions before these are in --json\n", skipped);
    }
    for (size_t i = 0; i < c->count; i++) {
        txl_json_append(list, say_node(c, i, i < skipped ? unseen.stream : a->out));
    }
    if (c->cut) {
        fprintf(a->out, "  there are more than %d of them\n", NODES);
    }
    txl_json_set_bool(a->json, "whole", !c->cut && !open_ended(c));
    txl_json_set(a->json, "chain", list);
    const int closed = memory_text_close(a->d->err, &unseen);
    if (closed != TXL_CONTINUE) {
        return closed;
    }
    free(unseen.text);
    return TXL_OK;
}

static int explain(struct answer *a, const struct target *t, struct chain *c)
{
    char name[96];
    char text[48];
    uint32_t now = 0;
    const uint64_t to = a->d->now.tick;
    const enum reading reading = target_reading(a->d, t);
    (void)target_read(a->d, t, &now);
    const bool found = search(c, t);
    const bool lost = graph_no_memory(c->graph);
    travel_to(a->d, to);
    if (lost) {
        return no_memory(a->d->err);
    }
    (void)target_element(t, 0, name, sizeof name);
    fprintf(a->out, "%s = %08x %s\n", name, (unsigned)now, reading_text(reading, now, text));
    txl_json_set_text(a->json, "what", name);
    txl_json_set_word(a->json, "bits", now);
    if (found) {
        return say_chain(c, a);
    }
    const bool constant = t->kind == TARGET_LREG && is_constant(t->index);
    fprintf(a->out,
            constant ? "  a constant of the hardware\n"
            : t->kind == TARGET_DST
                ? "  no instruction of the Vector Unit has stored it since cycle %llu\n"
                : "  nothing has been written there since cycle %llu\n",
            (unsigned long long)c->from);
    txl_json_set_bool(a->json, "whole", constant);
    txl_json_set(a->json, "chain", txl_json_array());
    return TXL_OK;
}

int command_why(struct answer *a)
{
    struct target t;
    int result = words_between(a, 1, 1);
    result = result == TXL_CONTINUE ? target_parse(a->d, a->word[1], &t) : result;
    if (result != TXL_CONTINUE) {
        return result;
    }
    if ((t.kind != TARGET_LREG && t.kind != TARGET_DST) || t.count != 1) {
        return txl_fail(a->d->err, "why: one value is to be named, of a register as L3[7], or of "
                                   "Dst as dst[5][3]");
    }
    struct chain *c = zeroed(a->d->err, 1, sizeof *c);
    if (c == NULL) {
        return TXL_INPUT;
    }
    c->d = a->d;
    result = txl_graph_open(a->d->err, &c->graph);
    if (result == TXL_OK) {
        result = explain(a, &t, c);
    }
    txl_graph_close(c->graph);
    free(c);
    return result;
}
