/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gives each lane of each value in the run of one tile a node, which says what its instruction
 * means for real numbers (by the rules of shadow_rules.c) and names the nodes of its operands.
 */
#include <tensix/facts.h>

#include "base/memory.h"
#include "base/small.h"
#include "shadow/shadow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 1 << 24 };

/* For each lane of a value of the graph its node. */
typedef uint32_t lanes_nodes[TX_LANES];

struct shadow {
    enum tx_arch arch;
    enum tx_dst_format dst;
    bool failed, issued;
    uint64_t first;
    txl_graph *graph;
    struct shadow_node *nodes;
    lanes_nodes *of_value;
    size_t node_count, node_room, value_room;
    struct shadow_found found; /* operands of the step that wrote last */
    struct shadow_rules rules;
};

/* ---- nodes ---- */

/*
 * Appends a node and returns its number. Without memory it returns 0, which shadow_open has made
 * sure is a node.
 */
static uint32_t add_node(struct shadow *s, const struct shadow_node *node)
{
    if (s->failed || s->node_count == MOST_NODES ||
        !LIST_ROOM(s->nodes, s->node_count, s->node_room, 1)) {
        s->failed = true;
        return 0;
    }
    s->nodes[s->node_count] = *node;
    return (uint32_t)s->node_count++;
}

static uint32_t add_constant(void *user, uint32_t bits)
{
    struct shadow_node node = shadow_plain(SHADOW_GIVEN, SHADOW_NONE, bits);
    node.constant = true;
    return add_node(user, &node);
}

static const struct shadow_node *node_at(void *user, uint32_t node)
{
    const struct shadow *s = user;
    return &s->nodes[node];
}

const struct shadow_node *shadow_node_at(const struct shadow *s, uint32_t node)
{
    return &s->nodes[node];
}

const struct txl_step *shadow_step_at(const struct shadow *s, uint32_t step)
{
    return txl_graph_step(s->graph, step);
}

uint64_t shadow_first(const struct shadow *s)
{
    return s->first;
}

const txl_graph *shadow_graph(const struct shadow *s)
{
    return s->graph;
}

bool shadow_whole(const struct shadow *s)
{
    return !s->failed && txl_graph_whole(s->graph);
}

static graph_written on_written;

struct shadow *shadow_open(enum tx_arch arch, enum tx_dst_format dst)
{
    struct shadow *s = calloc(1, sizeof *s);
    if (s == NULL || txl_graph_open(NULL, &s->graph) != TXL_OK) {
        free(s);
        return NULL;
    }
    s->arch = arch;
    s->dst = dst;
    s->rules = (struct shadow_rules){.user = s,
                                     .constant = add_constant,
                                     .at = node_at,
                                     .negates = tx_arch_fact(arch, TX_FACT_ARITHMETIC_BH) != 0};
    graph_watch(s->graph, on_written, s);
    shadow_begin(s);
    if (s->failed) {
        shadow_close(s);
        return NULL;
    }
    return s;
}

void shadow_close(struct shadow *s)
{
    if (s != NULL) {
        txl_graph_close(s->graph);
        free(s->nodes);
        free(s->of_value);
        free(s);
    }
}

void shadow_begin(struct shadow *s)
{
    txl_graph_begin(s->graph);
    s->node_count = 0;
    s->failed = s->issued = false;
    s->found.step = SHADOW_NONE;
    (void)add_constant(s, 0);
}

/* Returns the node of one lane of a value; 0 where the graph does not know the value. */
static uint32_t node_of(const struct shadow *s, struct txl_source from)
{
    return from.value != TXL_NO_VALUE ? s->of_value[from.value][from.lane] : 0;
}

/* ---- what an instruction finds ---- */

static void find_operands(struct shadow *s, uint32_t step)
{
    struct shadow_found *f = &s->found;
    const struct txl_step *seen = txl_graph_step(s->graph, step);
    if (f->step == step) {
        return;
    }
    memset(f, 0, sizeof *f);
    f->step = step;
    f->row = seen->row;
    f->operands = *txl_graph_operands(s->graph, step);
    f->meaning = (uint8_t)shadow_meaning_of(seen->row, f->operands.mode, &f->real);
    for (unsigned reg = 0; reg < SHADOW_REGS; reg++) {
        const uint32_t value = txl_graph_read(s->graph, step, reg);
        for (unsigned lane = 0; lane < TX_LANES && value != TXL_NO_VALUE; lane++) {
            f->bits[reg][lane] = txl_graph_bits(s->graph, value, lane);
            f->node[reg][lane] = node_of(s, txl_graph_origin(s->graph, value, lane));
        }
    }
}

/* ---- loads and stores ---- */

/*
 * Returns a load's modifier with SRCB resolved to the format of Dst. The modifiers of stores have
 * the same values for the same formats.
 */
static unsigned float_mode(const struct shadow *s, unsigned mode)
{
    if (mode != TX_MOD_SFPLOAD_FMT_SRCB) {
        return mode;
    }
    return s->dst == TX_DST_FORMAT_BF16   ? TX_MOD_SFPLOAD_FMT_FP16B
           : s->dst == TX_DST_FORMAT_FP16 ? TX_MOD_SFPLOAD_FMT_FP16A
                                          : TX_MOD_SFPLOAD_FMT_FP32;
}

static bool of_floats(unsigned mode)
{
    return mode == TX_MOD_SFPLOAD_FMT_FP16A || mode == TX_MOD_SFPLOAD_FMT_FP16B ||
           mode == TX_MOD_SFPLOAD_FMT_FP32;
}

/*
 * Returns whether a load in this format can give what it loaded for what was stored: the two may
 * differ by no more than the format's rounding.
 */
static bool believable(unsigned mode, uint32_t stored, uint32_t loaded)
{
    if (stored == loaded) {
        return true;
    }
    double a = (double)float_of_bits(stored);
    double b = (double)float_of_bits(loaded);
    if (!of_floats(mode) || !isfinite(a)) {
        return false;
    }
    double least = mode == TX_MOD_SFPLOAD_FMT_FP16A ? 0x1p-14 : 0x1p-126;
    return (b == 0.0 && fabs(a) < least) || fabs(a - b) <= fabs(a) * 0x1p-7 ||
           (mode == TX_MOD_SFPLOAD_FMT_FP16A && fabs(a) > 131008.0 && fabs(b) == 131008.0);
}

static struct shadow_node loaded(struct shadow *s, unsigned reg, unsigned lane, uint32_t bits)
{
    const struct shadow_found *f = &s->found;
    const unsigned mode = float_mode(s, f->operands.mode);
    const bool as_it_is = mode == TX_MOD_SFPLOAD_FMT_INT32 || mode == TX_MOD_SFPLOAD_FMT_INT32_ALL;
    const bool part =
        !of_floats(mode) && mode != TX_MOD_SFPLOAD_FMT_INT32 && mode != TX_MOD_SFPLOAD_FMT_SM32;
    struct shadow_node node = shadow_plain(SHADOW_INPUT, f->step, bits);
    node.integer = as_it_is ? number_format(s->dst)->integer : !of_floats(mode);
    if (reg != f->operands.vd) { /* ENABLE_DEST_INDEX writes the place of the datum */
        node.kind = SHADOW_START;
        node.integer = true;
        return node;
    }
    const struct txl_source from = txl_graph_loaded(s->graph, f->step, lane);
    if (from.value == TXL_NO_VALUE) {
        return node;
    }
    const struct tx_operands *store =
        txl_graph_operands(s->graph, txl_graph_value(s->graph, from.value)->step);
    struct shadow_node *stored = &s->nodes[node_of(s, from)];
    node.arg[0] = node_of(s, from);
    node.kind = SHADOW_START;
    if (float_mode(s, store->mode) == mode && !part && believable(mode, stored->bits, bits)) {
        node.kind = SHADOW_COPY;
        node.integer = stored->integer;
        node.magnitude = stored->magnitude;
        if (!stored->read_back) {
            stored->bits = bits;
            stored->read_back = true;
        }
    }
    return node;
}

static struct shadow_node store_node(const struct shadow *s, unsigned lane)
{
    const struct shadow_found *f = &s->found;
    const unsigned mode = float_mode(s, f->operands.mode);
    const uint32_t from = f->node[f->operands.vd][lane];
    struct shadow_node node = shadow_plain(SHADOW_COPY, f->step, s->nodes[from].bits);
    node.arg[0] = from;
    node.integer = s->nodes[from].integer;
    node.magnitude = s->nodes[from].magnitude;
    node.precision = mode == TX_MOD_SFPLOAD_FMT_FP16A   ? 11
                     : mode == TX_MOD_SFPLOAD_FMT_FP16B ? 8
                                                        : 24;
    node.least = mode == TX_MOD_SFPLOAD_FMT_FP16A ? -14 : -126;
    if (!of_floats(mode) && mode != TX_MOD_SFPSTORE_FMT_INT32 &&
        mode != TX_MOD_SFPSTORE_FMT_INT32_ALL) { /* part of the bits, or integers */
        node.kind = SHADOW_START;
    }
    return node;
}

/* Makes nodes for the lanes of a value that the graph has just come to know. */
static void on_written(void *user, uint32_t value, uint32_t lanes)
{
    struct shadow *s = user;
    const struct txl_value *v = txl_graph_value(s->graph, value);
    if (lanes == 0) {
        return;
    }
    if (value >= MOST_NODES || !LIST_ROOM(s->of_value, 0, s->value_room, (size_t)value + 1)) {
        s->failed = true;
        return;
    }
    if (v->step != TXL_NO_VALUE) {
        find_operands(s, v->step);
    }
    for (unsigned lane = 0; lane < TX_LANES && !s->failed; lane++) {
        const uint32_t bits = txl_graph_bits(s->graph, value, lane);
        if ((lanes >> lane & 1U) == 0) {
            continue;
        }
        if (v->step == TXL_NO_VALUE) {
            s->of_value[value][lane] = add_constant(s, bits);
            continue;
        }
        const struct shadow_node node = v->reg == TXL_IN_DST ? store_node(s, lane)
                                        : s->found.meaning == SHADOW_BY_LOAD
                                            ? loaded(s, v->reg, lane, bits)
                                            : shadow_rule(&s->rules, &s->found, v->reg, lane, bits);
        s->of_value[value][lane] = add_node(s, &node);
    }
}

void shadow_event(void *user, const struct tx_event *event)
{
    struct shadow *s = user;
    if (s->failed) {
        return;
    }
    if (event->kind == TX_EVENT_ISSUE && !s->issued &&
        (event->row == NULL || event->row->insn != TX_INSN_REPLAY)) {
        s->issued = true;
        s->first = event->number;
    }
    txl_graph_event(s->graph, event);
}

uint32_t shadow_output(struct shadow *s, unsigned tile, unsigned element, enum tx_dst_format format,
                       uint32_t word)
{
    for (unsigned row = 0; row < 64; row++) {
        for (unsigned column = 0; column < TX_DST_WIDTH; column++) {
            if (tx_tile_element(row, column) != element) {
                continue;
            }
            const struct txl_source from =
                txl_graph_cell(s->graph, (64 * tile + row) % TX_DST_ROWS, column);
            const uint32_t node = from.value != TXL_NO_VALUE ? node_of(s, from) : SHADOW_NONE;
            if (node != SHADOW_NONE) {
                const struct number_format *f = number_format(format);
                s->nodes[node].bits = word;
                if (f->integer) { /* Dst keeps signs in another way than the LReg did */
                    s->nodes[node].integer = true;
                    s->nodes[node].magnitude = false;
                    s->nodes[node].kind = SHADOW_START;
                    return node;
                }
                s->nodes[node].integer = false;
                s->nodes[node].precision = (uint8_t)f->precision;
                s->nodes[node].least = (int16_t)f->least;
            }
            return node;
        }
    }
    return SHADOW_NONE;
}
