/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The graph of values. Nodes are interned: a hash table finds a node by its content, so that equal
 * nodes are one. A node is simplified when it is made: if all operands are constants, its step is
 * executed at once and replaced by a constant, and some pairs of steps that undo each other are
 * removed.
 */
#include "fast/steps.h"
#include "base/check.h"
#include "fmt/dst_lreg.h"

#include <tensix/formats.h>

#include <stdlib.h>
#include <string.h>

/* ---- interning ---- */

static uint32_t hash_of(const struct dag_node *node)
{
    unsigned char bytes[sizeof *node];
    uint32_t h = 2166136261u;
    memcpy(bytes, node, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i += 4) {
        uint32_t word;
        memcpy(&word, bytes + i, sizeof word);
        h = (h ^ word) * 16777619u;
        h ^= h >> 15;
    }
    return h;
}

static size_t slot_of(const struct dag *dag, const struct dag_node *node)
{
    size_t at = hash_of(node) & (dag->table_size - 1);
    while (dag->table[at] != 0 &&
           memcmp(&dag->nodes[dag->table[at] - 1], node, sizeof *node) != 0) {
        at = (at + 1) & (dag->table_size - 1);
    }
    return at;
}

static bool grow(struct dag *dag)
{
    const size_t room = dag->room == 0 ? 256 : 2 * dag->room;
    struct dag_node *nodes = realloc(dag->nodes, room * sizeof *nodes);
    uint32_t *table = calloc(4 * room, sizeof *table);
    dag->nodes = nodes != NULL ? nodes : dag->nodes;
    if (nodes == NULL || table == NULL) {
        free(table);
        dag->failed = true;
        return false;
    }
    free(dag->table);
    dag->table = table;
    dag->table_size = 4 * room;
    dag->room = room;
    for (size_t i = 0; i < dag->count; i++) {
        dag->table[slot_of(dag, &dag->nodes[i])] = (uint32_t)i + 1;
    }
    return true;
}

dag_ref dag_intern(struct dag *dag, const struct dag_node *node)
{
    if (dag->count == dag->room && !grow(dag)) {
        return DAG_ZERO;
    }
    const size_t at = slot_of(dag, node);
    if (dag->table[at] == 0) {
        dag->nodes[dag->count++] = *node;
        dag->table[at] = (uint32_t)dag->count;
    }
    return 4 * (dag->table[at] - 1);
}

size_t dag_number(const struct dag *dag, const struct dag_node *node)
{
    const uint32_t found = dag->table[slot_of(dag, node)];
    return found != 0 ? found - 1 : dag->count;
}

struct dag_node dag_blank(enum fast_kind kind)
{
    struct dag_node node;
    memset(&node, 0, sizeof node);
    node.kind = (uint8_t)kind;
    for (unsigned i = 0; i < IN_COUNT; i++) {
        node.in[i] = DAG_NONE;
    }
    return node;
}

/* ---- constants ---- */

/* Returns whether this is one of the constants whose value may change (fast_vary.h). */
static bool varies(const struct dag *dag, const uint32_t lanes[FAST_GROUP])
{
    bool found = false;
    for (unsigned i = 0; i < dag->varying_count; i++) {
        found = found || dag->varying[i] == lanes[0];
    }
    for (unsigned i = 1; found && i < FAST_GROUP; i++) {
        found = lanes[i] == lanes[0];
    }
    return found;
}

static dag_ref constant(struct dag *dag, const uint32_t lanes[FAST_GROUP])
{
    struct dag_node node = dag_blank(FAST_CONSTANT);
    size_t i = 0;
    while (i < dag->constant_count &&
           memcmp(dag->constants[i], lanes, sizeof dag->constants[i]) != 0) {
        i++;
    }
    if (i == dag->constant_room) {
        const size_t room = i == 0 ? 64 : 2 * i;
        uint32_t(*larger)[FAST_GROUP] = realloc(dag->constants, room * sizeof *larger);
        if (larger == NULL) {
            dag->failed = true;
            return DAG_ZERO;
        }
        dag->constants = larger;
        dag->constant_room = room;
    }
    if (i == dag->constant_count) {
        memcpy(dag->constants[i], lanes, sizeof dag->constants[i]);
        dag->constant_count++;
    }
    node.imm = (uint32_t)i;
    node.number = varies(dag, lanes);
    return dag_intern(dag, &node);
}

dag_ref dag_constant(struct dag *dag, const uint32_t lanes[32])
{
    uint32_t both[FAST_GROUP];
    memcpy(both, lanes, sizeof both / 2);
    memcpy(both + 32, lanes, sizeof both / 2);
    return constant(dag, both);
}

dag_ref dag_uniform(struct dag *dag, uint32_t word)
{
    uint32_t lanes[FAST_GROUP];
    for (unsigned i = 0; i < FAST_GROUP; i++) {
        lanes[i] = word;
    }
    return constant(dag, lanes);
}

const uint32_t *dag_lanes(const struct dag *dag, dag_ref ref)
{
    CHECK(ref == DAG_NONE || dag->failed || ref / 4 < dag->count,
          "a value that is asked for is in the graph");
    const struct dag_node *node = ref != DAG_NONE ? dag_at(dag, ref) : NULL;
    return node != NULL && node->kind == FAST_CONSTANT && node->number == 0
               ? dag->constants[node->imm]
               : NULL;
}

bool dag_is(const struct dag *dag, dag_ref ref, uint32_t word)
{
    CHECK(ref == DAG_NONE || dag->failed || ref / 4 < dag->count,
          "a value that is compared is in the graph");
    const uint32_t *lanes = dag_lanes(dag, ref);
    bool same = lanes != NULL;
    for (unsigned i = 0; same && i < FAST_GROUP; i++) {
        same = lanes[i] == word;
    }
    return same;
}

bool dag_open(struct dag *dag, const struct fast_level *level, const struct fast_rules *rules)
{
    *dag = (struct dag){.level = level, .rules = *rules};
    dag_uniform(dag, 0); /* this is DAG_ZERO */
    return !dag->failed;
}

void dag_close(struct dag *dag)
{
    free(dag->nodes);
    free(dag->table);
    free(dag->constants);
    *dag = (struct dag){.nodes = NULL};
}

/* ---- nodes ---- */

void dag_step(const struct dag *dag, const struct dag_node *node, struct fast_step *s)
{
    memset(s, 0, sizeof *s);
    s->run = node->kind == FAST_ROW ? dag->level->rows[node->row] : dag->level->kinds[node->kind];
    s->op.row = node->row;
    s->op.mode = node->mode;
    s->op.rnd = node->rnd;
    s->op.imm = node->imm;
    s->op.vc = node->number; /* for SFPMOV from special registers */
    s->rules = dag->rules;
    s->use = node->use != 0;
    s->top_use = node->top_use != 0;
    s->depth = node->depth;
    s->format = node->format;
    s->number = node->number;
    s->vector = (uint8_t)node->vector;
    s->kind = node->kind;
}

/* Executes the step on its constant operands; the results become constants. */
static void fold(struct dag *dag, const struct dag_node *node, dag_ref out[OUT_COUNT])
{
    uint32_t result[OUT_COUNT][FAST_GROUP];
    uint8_t tier = 1;
    struct fast_step s;
    const struct fast_context c = {.probe = true, .groups = 1};
    memset(result, 0, sizeof result);
    dag_step(dag, node, &s);
    s.tier = &tier;
    for (unsigned i = 0; i < IN_COUNT; i++) {
        const uint32_t *lanes = dag_lanes(dag, node->in[i]);
        s.in[i] = lanes != NULL ? lanes : dag->constants[0];
    }
    for (unsigned i = 0; i < OUT_COUNT; i++) {
        s.out[i] = result[i];
    }
    if (dag->steps != NULL) {
        dag->unknown = !fast_steps_run(dag->steps, node, &s, &c) || dag->unknown;
    } else {
        s.run(&s, &c);
    }
    for (unsigned i = 0; i < OUT_COUNT; i++) {
        out[i] = constant(dag, result[i]);
    }
}

static bool foldable(const struct dag *dag, const struct dag_node *node)
{
    bool all = node->kind != FAST_INPUT && node->kind != FAST_SEED && !dag->failed;
    for (unsigned i = 0; i < IN_COUNT; i++) {
        all = all && (node->in[i] == DAG_NONE || dag_lanes(dag, node->in[i]) != NULL);
    }
    return all;
}

/*
 * Returns whether a load in this mode returns exactly the word that the tile's format has put
 * there.
 */
static bool load_is_word(const struct dag *dag, const struct dag_node *node)
{
    return load_is_32bit(node->mode) &&
           (node->mode != TX_MOD_SFPLOAD_FMT_SM32 || dag->rules.arithmetic_bh);
}

static dag_ref binary(struct dag *dag, enum fast_kind kind, dag_ref a, dag_ref b)
{
    struct dag_node node = dag_blank(kind);
    node.in[IN_A] = a;
    node.in[IN_B] = b;
    return dag_value(dag, &node);
}

/*
 * Returns the word whose halves these are, or a SELECT of such words under one mask; otherwise
 * DAG_NONE.
 */
static dag_ref join(struct dag *dag, dag_ref high, dag_ref low)
{
    const struct dag_node h = *dag_at(dag, high);
    const struct dag_node l = *dag_at(dag, low);
    if (h.kind == FAST_HIGH && l.kind == FAST_LOW && h.in[IN_A] == l.in[IN_A]) {
        return h.in[IN_A];
    }
    if (h.kind == FAST_SELECT && l.kind == FAST_SELECT && h.in[IN_MASK] == l.in[IN_MASK]) {
        return dag_select(dag, h.in[IN_MASK], binary(dag, FAST_JOIN, h.in[IN_A], l.in[IN_A]),
                          binary(dag, FAST_JOIN, h.in[IN_OLD], l.in[IN_OLD]));
    }
    return DAG_NONE;
}

/*
 * Returns the constant that two SFPLOADIs, one for each half, load whatever the register held;
 * otherwise DAG_NONE.
 */
static dag_ref loaded(struct dag *dag, const struct dag_node *node)
{
    const struct dag_node *from = dag_at(dag, node->in[IN_D]);
    const bool high = node->mode == TX_MOD_SFPLOADI_UPPER;
    if (from->kind != FAST_ROW || from->row != ROWID_SFPLOADI_HALF ||
        (from->mode == TX_MOD_SFPLOADI_UPPER) == high) {
        return DAG_NONE;
    }
    return dag_uniform(dag, high ? node->imm << 16 | from->imm : from->imm << 16 | node->imm);
}

/* Returns a reference that already has the value the node would have, or DAG_NONE. */
static dag_ref shortcut(struct dag *dag, const struct dag_node *node)
{
    switch ((enum fast_kind)node->kind) {
    case FAST_SELECT:
        return node->in[IN_A] == node->in[IN_OLD]            ? node->in[IN_A]
               : dag_is(dag, node->in[IN_MASK], 0xFFFFFFFFu) ? node->in[IN_A]
               : dag_is(dag, node->in[IN_MASK], 0)           ? node->in[IN_OLD]
                                                             : DAG_NONE;
    case FAST_ROW:
        return node->row == ROWID_SFPMOV && (node->mode & TX_MOD_SFPMOV_NEGATE) == 0
                   ? node->in[IN_C]
               : node->row == ROWID_SFPLOADI_HALF ? loaded(dag, node)
                                                  : DAG_NONE;
    case FAST_JOIN:
        return join(dag, node->in[IN_A], node->in[IN_B]);
    case FAST_LOAD: {
        const struct dag_node *cell = dag_at(dag, node->in[IN_A]);
        const bool plain = cell->kind == FAST_CELL && cell->format == TX_FORMAT_FP32;
        return plain && load_is_word(dag, node) ? cell->in[IN_A] : DAG_NONE;
    }
    default:
        return DAG_NONE;
    }
}

/*
 * Replaces two conversions in a row by one step: loading what a tile supplied, or the output word
 * of a store.
 */
static void fuse(const struct dag *dag, struct dag_node *node)
{
    if (node->kind != FAST_LOAD && node->kind != FAST_WORD) {
        return;
    }
    const struct dag_node *from = dag_at(dag, node->in[IN_A]);
    if (node->kind == FAST_LOAD && from->kind == FAST_CELL && node->in[IN_D] == DAG_NONE) {
        node->kind = FAST_LOAD_CELL;
        node->format = from->format;
        node->in[IN_A] = from->in[IN_A];
    } else if (node->kind == FAST_WORD && from->kind == FAST_STORE) {
        node->kind = FAST_STORE_WORD;
        node->mode = from->mode;
        node->in[IN_A] = from->in[IN_A];
    }
}

void dag_make(struct dag *dag, const struct dag_node *node, dag_ref out[OUT_COUNT])
{
    const dag_ref same = shortcut(dag, node);
    if (same != DAG_NONE) {
        out[OUT_VALUE] = same;
        out[OUT_LF] = node->in[IN_LF];
        out[OUT_TOP] = node->in[IN_TOP];
        return;
    }
    struct dag_node fused = *node;
    fuse(dag, &fused);
    if (foldable(dag, &fused)) {
        fold(dag, &fused, out);
        return;
    }
    const dag_ref ref = dag_intern(dag, &fused);
    for (unsigned i = 0; i < OUT_COUNT; i++) {
        out[i] = ref + i;
    }
}

dag_ref dag_value(struct dag *dag, const struct dag_node *node)
{
    dag_ref out[OUT_COUNT];
    dag_make(dag, node, out);
    return out[OUT_VALUE];
}

dag_ref dag_select(struct dag *dag, dag_ref mask, dag_ref yes, dag_ref no)
{
    CHECK(dag->failed || (mask / 4 < dag->count && yes / 4 < dag->count),
          "a choice is made between values of the graph");
    struct dag_node node = dag_blank(FAST_SELECT);
    node.in[IN_MASK] = mask;
    node.in[IN_A] = yes;
    node.in[IN_OLD] = no;
    return dag_value(dag, &node);
}
