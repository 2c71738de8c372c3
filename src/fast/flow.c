/* SPDX-License-Identifier: Apache-2.0 */
#include "fast/steps.h"

#include <tensix/formats.h>

#include <stdlib.h>
#include <string.h>

/* ---- the pool ---- */

static uint32_t hash_of(const struct flow_node *node)
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

static size_t slot_of(const struct flow *f, const struct flow_node *node)
{
    size_t at = hash_of(node) & (f->table_size - 1);
    while (f->table[at] != 0 && memcmp(&f->nodes[f->table[at] - 1], node, sizeof *node) != 0) {
        at = (at + 1) & (f->table_size - 1);
    }
    return at;
}

static bool grow(struct flow *f)
{
    const size_t room = f->room == 0 ? 256 : 2 * f->room;
    struct flow_node *nodes = realloc(f->nodes, room * sizeof *nodes);
    uint32_t *table = calloc(4 * room, sizeof *table);
    f->nodes = nodes != NULL ? nodes : f->nodes;
    if (nodes == NULL || table == NULL) {
        free(table);
        f->failed = true;
        return false;
    }
    free(f->table);
    f->table = table;
    f->table_size = 4 * room;
    f->room = room;
    for (size_t i = 0; i < f->count; i++) {
        f->table[slot_of(f, &f->nodes[i])] = (uint32_t)i + 1;
    }
    return true;
}

flow_ref flow_intern(struct flow *f, const struct flow_node *node)
{
    if (f->count == f->room && !grow(f)) {
        return FLOW_ZERO;
    }
    const size_t at = slot_of(f, node);
    if (f->table[at] == 0) {
        f->nodes[f->count++] = *node;
        f->table[at] = (uint32_t)f->count;
    }
    return 4 * (f->table[at] - 1);
}

size_t flow_number(const struct flow *f, const struct flow_node *node)
{
    const uint32_t found = f->table[slot_of(f, node)];
    return found != 0 ? found - 1 : f->count;
}

struct flow_node flow_blank(enum fast_kind kind)
{
    struct flow_node node;
    memset(&node, 0, sizeof node);
    node.kind = (uint8_t)kind;
    for (unsigned i = 0; i < IN_COUNT; i++) {
        node.in[i] = FLOW_NONE;
    }
    return node;
}

/* ---- constants ---- */

static flow_ref constant(struct flow *f, const uint32_t lanes[FAST_GROUP])
{
    struct flow_node node = flow_blank(FAST_CONSTANT);
    size_t i = 0;
    while (i < f->constant_count && memcmp(f->constants[i], lanes, sizeof f->constants[i]) != 0) {
        i++;
    }
    if (i == f->constant_room) {
        const size_t room = i == 0 ? 64 : 2 * i;
        uint32_t(*larger)[FAST_GROUP] = realloc(f->constants, room * sizeof *larger);
        if (larger == NULL) {
            f->failed = true;
            return FLOW_ZERO;
        }
        f->constants = larger;
        f->constant_room = room;
    }
    if (i == f->constant_count) {
        memcpy(f->constants[i], lanes, sizeof f->constants[i]);
        f->constant_count++;
    }
    node.imm = (uint32_t)i;
    return flow_intern(f, &node);
}

flow_ref flow_constant(struct flow *f, const uint32_t lanes[32])
{
    uint32_t both[FAST_GROUP];
    memcpy(both, lanes, sizeof both / 2);
    memcpy(both + 32, lanes, sizeof both / 2);
    return constant(f, both);
}

flow_ref flow_uniform(struct flow *f, uint32_t word)
{
    uint32_t lanes[FAST_GROUP];
    for (unsigned i = 0; i < FAST_GROUP; i++) {
        lanes[i] = word;
    }
    return constant(f, lanes);
}

const uint32_t *flow_lanes(const struct flow *f, flow_ref ref)
{
    const struct flow_node *node = ref != FLOW_NONE ? flow_at(f, ref) : NULL;
    return node != NULL && node->kind == FAST_CONSTANT ? f->constants[node->imm] : NULL;
}

bool flow_is(const struct flow *f, flow_ref ref, uint32_t word)
{
    const uint32_t *lanes = flow_lanes(f, ref);
    bool same = lanes != NULL;
    for (unsigned i = 0; same && i < FAST_GROUP; i++) {
        same = lanes[i] == word;
    }
    return same;
}

bool flow_open(struct flow *f, const struct fast_level *level, const struct fast_rules *rules)
{
    *f = (struct flow){.level = level, .rules = *rules};
    flow_uniform(f, 0); /* FLOW_ZERO */
    return !f->failed;
}

void flow_close(struct flow *f)
{
    free(f->nodes);
    free(f->table);
    free(f->constants);
    *f = (struct flow){.nodes = NULL};
}

/* ---- nodes ---- */

void flow_step(const struct flow *f, const struct flow_node *node, struct fast_step *s)
{
    memset(s, 0, sizeof *s);
    s->run = node->kind == FAST_ROW ? f->level->rows[node->row] : f->level->kinds[node->kind];
    s->op.row = node->row;
    s->op.mode = node->mode;
    s->op.rnd = node->rnd;
    s->op.imm = node->imm;
    s->op.vc = node->number; /* of SFPMOV from special registers */
    s->rules = f->rules;
    s->use = node->use != 0;
    s->top_use = node->top_use != 0;
    s->depth = node->depth;
    s->format = node->format;
    s->number = node->number;
    s->vector = (uint8_t)node->vector;
    s->kind = node->kind;
}

static void fold(struct flow *f, const struct flow_node *node, flow_ref out[OUT_COUNT])
{
    uint32_t result[OUT_COUNT][FAST_GROUP];
    uint8_t tier = 1;
    struct fast_step s;
    const struct fast_context c = {.probe = true, .groups = 1};
    memset(result, 0, sizeof result);
    flow_step(f, node, &s);
    s.tier = &tier;
    for (unsigned i = 0; i < IN_COUNT; i++) {
        const uint32_t *lanes = flow_lanes(f, node->in[i]);
        s.in[i] = lanes != NULL ? lanes : f->constants[0];
    }
    for (unsigned i = 0; i < OUT_COUNT; i++) {
        s.out[i] = result[i];
    }
    if (f->steps != NULL) {
        f->unknown = !fast_steps_run(f->steps, node, &s, &c) || f->unknown;
    } else {
        s.run(&s, &c);
    }
    for (unsigned i = 0; i < OUT_COUNT; i++) {
        out[i] = constant(f, result[i]);
    }
}

static bool foldable(const struct flow *f, const struct flow_node *node)
{
    bool all = node->kind != FAST_INPUT && node->kind != FAST_SEED && !f->failed;
    for (unsigned i = 0; i < IN_COUNT; i++) {
        all = all && (node->in[i] == FLOW_NONE || flow_lanes(f, node->in[i]) != NULL);
    }
    return all;
}

/* Loads of a mode that gives back what the tile's format has put there. */
static bool load_is_word(const struct flow *f, const struct flow_node *node)
{
    return node->mode == 3 || node->mode == 4 || node->mode == 10 ||
           (node->mode == 12 && f->rules.blackhole);
}

static flow_ref binary(struct flow *f, enum fast_kind kind, flow_ref a, flow_ref b)
{
    struct flow_node node = flow_blank(kind);
    node.in[IN_A] = a;
    node.in[IN_B] = b;
    return flow_value(f, &node);
}

/* Both halves of one word, or of one word under the same mask. */
static flow_ref join(struct flow *f, flow_ref high, flow_ref low)
{
    const struct flow_node h = *flow_at(f, high);
    const struct flow_node l = *flow_at(f, low);
    if (h.kind == FAST_HIGH && l.kind == FAST_LOW && h.in[IN_A] == l.in[IN_A]) {
        return h.in[IN_A];
    }
    if (h.kind == FAST_SELECT && l.kind == FAST_SELECT && h.in[IN_MASK] == l.in[IN_MASK]) {
        return flow_select(f, h.in[IN_MASK], binary(f, FAST_JOIN, h.in[IN_A], l.in[IN_A]),
                           binary(f, FAST_JOIN, h.in[IN_OLD], l.in[IN_OLD]));
    }
    return FLOW_NONE;
}

/* Both halves of a register by SFPLOADI: a constant, whatever the register held. */
static flow_ref loaded(struct flow *f, const struct flow_node *node)
{
    const struct flow_node *from = flow_at(f, node->in[IN_D]);
    const bool high = node->mode == 8; /* src/sem/sfploadi.h */
    if (from->kind != FAST_ROW || from->row != ROWID_SFPLOADI_HALF || (from->mode == 8) == high) {
        return FLOW_NONE;
    }
    return flow_uniform(f, high ? node->imm << 16 | from->imm : from->imm << 16 | node->imm);
}

/* The value that a node would have, where another one has it. */
static flow_ref shortcut(struct flow *f, const struct flow_node *node)
{
    switch ((enum fast_kind)node->kind) {
    case FAST_SELECT:
        return node->in[IN_A] == node->in[IN_OLD]           ? node->in[IN_A]
               : flow_is(f, node->in[IN_MASK], 0xFFFFFFFFu) ? node->in[IN_A]
               : flow_is(f, node->in[IN_MASK], 0)           ? node->in[IN_OLD]
                                                            : FLOW_NONE;
    case FAST_ROW:
        return node->row == ROWID_SFPMOV && (node->mode & 1u) == 0 ? node->in[IN_C]
               : node->row == ROWID_SFPLOADI_HALF                  ? loaded(f, node)
                                                                   : FLOW_NONE;
    case FAST_JOIN:
        return join(f, node->in[IN_A], node->in[IN_B]);
    case FAST_LOAD: {
        const struct flow_node *cell = flow_at(f, node->in[IN_A]);
        const bool plain = cell->kind == FAST_CELL && cell->format == TX_FORMAT_FP32;
        return plain && load_is_word(f, node) ? cell->in[IN_A] : FLOW_NONE;
    }
    default:
        return FLOW_NONE;
    }
}

/* Two conversions in a row as one step: a load of what a tile brought, a word of a store. */
static void fuse(const struct flow *f, struct flow_node *node)
{
    if (node->kind != FAST_LOAD && node->kind != FAST_WORD) {
        return;
    }
    const struct flow_node *from = flow_at(f, node->in[IN_A]);
    if (node->kind == FAST_LOAD && from->kind == FAST_CELL && node->in[IN_D] == FLOW_NONE) {
        node->kind = FAST_LOAD_CELL;
        node->format = from->format;
        node->in[IN_A] = from->in[IN_A];
    } else if (node->kind == FAST_WORD && from->kind == FAST_STORE) {
        node->kind = FAST_STORE_WORD;
        node->mode = from->mode;
        node->in[IN_A] = from->in[IN_A];
    }
}

void flow_make(struct flow *f, const struct flow_node *node, flow_ref out[OUT_COUNT])
{
    const flow_ref same = shortcut(f, node);
    if (same != FLOW_NONE) {
        out[OUT_VALUE] = same;
        out[OUT_LF] = node->in[IN_LF];
        out[OUT_TOP] = node->in[IN_TOP];
        return;
    }
    struct flow_node fused = *node;
    fuse(f, &fused);
    if (foldable(f, &fused)) {
        fold(f, &fused, out);
        return;
    }
    const flow_ref ref = flow_intern(f, &fused);
    for (unsigned i = 0; i < OUT_COUNT; i++) {
        out[i] = ref + i;
    }
}

flow_ref flow_value(struct flow *f, const struct flow_node *node)
{
    flow_ref out[OUT_COUNT];
    flow_make(f, node, out);
    return out[OUT_VALUE];
}

flow_ref flow_select(struct flow *f, flow_ref mask, flow_ref yes, flow_ref no)
{
    struct flow_node node = flow_blank(FAST_SELECT);
    node.in[IN_MASK] = mask;
    node.in[IN_A] = yes;
    node.in[IN_OLD] = no;
    return flow_value(f, &node);
}
