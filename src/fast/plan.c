/* SPDX-License-Identifier: Apache-2.0 */
#include "fast/plan.h"

#include <stdlib.h>
#include <string.h>

enum { CACHE = 36 * 1024 }; /* what all arrays together should not exceed */

/* ---- one vector for all ---- */

enum {
    IN_NONE = 0xFFFFFFFE,
    IN_ALL = 0xFFFFFFFF
}; /* lanes that are wanted, else those of a mask */

static bool between_lanes(enum fast_kind kind)
{
    return kind == FAST_ROTATE || kind == FAST_UP || kind == FAST_SHIFT1 ||
           kind == FAST_TRANSPOSE || kind == FAST_FIRST;
}

/* Is inner set only where outer is? Flags under predication: (m ? test : m). */
static bool implies(const struct flow *f, flow_ref inner, flow_ref outer)
{
    while (inner != outer && inner < IN_NONE) {
        const struct flow_node *node = flow_at(f, inner);
        const bool within = node->kind == FAST_SELECT && (node->in[IN_OLD] == node->in[IN_MASK] ||
                                                          node->in[IN_OLD] == FLOW_ZERO);
        if (!within) {
            return false;
        }
        inner = node->in[IN_MASK];
    }
    return inner == outer;
}

static void want(const struct flow *f, flow_ref ref, flow_ref lanes, flow_ref *wanted)
{
    flow_ref *of = &wanted[ref / 4];
    if (*of == IN_NONE || implies(f, *of, lanes)) {
        *of = lanes;
    } else if (!implies(f, lanes, *of)) {
        *of = IN_ALL;
    }
}

/*
 * Lanes that a SELECT takes from what was there before. Those of an else (src/sem/sfpcompc.h) that
 * is bounded by where it is wanted: the flags it is the else of.
 */
static flow_ref outside(const struct flow *f, flow_ref mask, flow_ref lanes)
{
    const struct flow_node *node = flow_at(f, mask);
    if (node->kind != FAST_ROW || node->row != ROWID_SFPCOMPC || mask % 4 != OUT_LF ||
        node->use == 0 || (node->depth != 0 && node->top_use == 0)) {
        return lanes;
    }
    const bool bounded = node->depth == 0 || flow_is(f, node->in[IN_TOP], 0xFFFFFFFFu) ||
                         (lanes < IN_NONE && implies(f, lanes, node->in[IN_TOP]));
    return bounded ? node->in[IN_LF] : lanes;
}

/*
 * In which lanes each node matters for the root: all, or those of a mask. Where a SELECT matters
 * within its mask only, it is as good as its IN_A, and what the register held before does not
 * matter: often a value of the row before.
 */
static bool is_within(const struct flow *f, size_t n, const flow_ref *wanted)
{
    return f->nodes[n].kind == FAST_SELECT && wanted[n] < IN_NONE &&
           implies(f, wanted[n], f->nodes[n].in[IN_MASK]);
}

static void find_wanted(const struct flow *f, flow_ref root, flow_ref *wanted)
{
    for (size_t n = 0; n < f->count; n++) {
        wanted[n] = IN_NONE;
    }
    wanted[root / 4] = IN_ALL;
    for (size_t n = f->count; n-- > 0;) {
        const struct flow_node *node = &f->nodes[n];
        const flow_ref lanes = between_lanes((enum fast_kind)node->kind) ? IN_ALL : wanted[n];
        const bool within = is_within(f, n, wanted);
        for (unsigned i = 0; wanted[n] != IN_NONE && i < IN_COUNT; i++) {
            if (node->in[i] == FLOW_NONE || (within && i != IN_A)) {
                continue;
            }
            const bool masked = node->kind == FAST_SELECT && i == IN_A &&
                                (lanes == IN_ALL || !implies(f, lanes, node->in[IN_MASK]));
            const bool old = node->kind == FAST_SELECT && i == IN_OLD;
            want(f, node->in[i],
                 masked ? node->in[IN_MASK]
                 : old  ? outside(f, node->in[IN_MASK], lanes)
                        : lanes,
                 wanted);
        }
    }
}

/* The root's nodes again, in places relative to it. FLOW_NONE: they reach beyond their own. */
static flow_ref relative(const struct flow *f, flow_ref root, unsigned vector, struct flow *to,
                         flow_ref *wanted, flow_ref (*map)[OUT_COUNT])
{
    find_wanted(f, root, wanted);
    for (size_t n = 0; n < f->count; n++) {
        if (wanted[n] == IN_NONE) {
            continue;
        }
        struct flow_node node = f->nodes[n];
        if (is_within(f, n, wanted)) {
            map[n][0] = map[node.in[IN_A] / 4][node.in[IN_A] % 4];
            continue;
        }
        if (node.kind == FAST_SEED || (node.kind == FAST_INPUT && node.vector != vector)) {
            return FLOW_NONE;
        }
        if (node.kind == FAST_CONSTANT) {
            map[n][0] = flow_constant(to, f->constants[node.imm]);
            continue;
        }
        node.vector = 0;
        for (unsigned i = 0; i < IN_COUNT; i++) {
            if (node.in[i] != FLOW_NONE) {
                node.in[i] = map[node.in[i] / 4][node.in[i] % 4];
            }
        }
        flow_make(to, &node, map[n]);
    }
    return map[root / 4][root % 4];
}

/* The root that all vectors share, or FLOW_NONE. */
static flow_ref shared_root(const struct fast_schedule *s, struct flow *to)
{
    const struct flow *f = &s->flow;
    flow_ref *wanted = malloc(f->count * sizeof *wanted);
    flow_ref(*map)[OUT_COUNT] = malloc(f->count * sizeof *map);
    flow_ref root = FLOW_NONE;
    to->failed = to->failed || wanted == NULL || map == NULL;
    for (unsigned vector = 0; vector < 32 && !to->failed; vector++) {
        const flow_ref own = relative(f, s->roots[vector], vector, to, wanted, map);
        if (own == FLOW_NONE || (vector != 0 && own != root)) {
            root = FLOW_NONE;
            break;
        }
        root = own;
    }
    free(wanted);
    free(map);
    return to->failed ? FLOW_NONE : root;
}

/* ---- steps ---- */

struct planning {
    const struct flow *f;
    struct fast_plan *out;
    uint32_t *uses; /* of an output, 4 * node + output */
    bool *fused;    /* the node becomes part of the SELECT that uses it */
    /* SELECTs of one step: of the value to that of the flags, and back; of other nodes the SELECT
     * of their value. */
    uint32_t *twin;
    bool *emitted;
    bool *needed;
    int32_t *place; /* of an output */
    bool memory;
};

/* What the root is made of, and the value that its flags are one step with. */
static void mark(struct planning *p, flow_ref root)
{
    const struct flow *f = p->f;
    bool *needed = p->needed;
    memset(needed, 0, f->count * sizeof *needed);
    needed[root / 4] = true;
    for (size_t n = f->count; n-- > 0;) {
        for (unsigned i = 0; needed[n] && i < IN_COUNT; i++) {
            if (f->nodes[n].in[i] != FLOW_NONE) {
                needed[f->nodes[n].in[i] / 4] = true;
            }
        }
        const size_t twin = f->nodes[n].kind == FAST_SELECT ? p->twin[n] : 0;
        if (needed[n] && twin != 0 && twin < n) {
            needed[twin] = true;
        }
    }
}

static bool can_mask(const struct flow_node *node)
{
    return node->kind == FAST_ROW || node->kind == FAST_MAD || node->kind == FAST_LOAD ||
           node->kind == FAST_STORE || node->kind == FAST_SELECT;
}

/*
 * Flags for this SELECT alone, of a node whose value nobody has, or one SELECT of the same lanes:
 * they are one step. Predicated flags are those of the mask, so none is set outside of it.
 */
static void fuse_flags(struct planning *p, size_t n)
{
    const struct flow_node *select = &p->f->nodes[n];
    const size_t made = select->in[IN_A] / 4;
    const size_t first = p->twin[made]; /* the SELECT of the value */
    const uint32_t *uses = &p->uses[4 * made];
    if (uses[OUT_LF] != 1 || uses[OUT_TOP] != 0 ||
        (select->in[IN_OLD] != select->in[IN_MASK] && select->in[IN_OLD] != FLOW_ZERO)) {
        return;
    }
    if (uses[OUT_VALUE] == 0) {
        p->fused[made] = true;
    } else if (uses[OUT_VALUE] == 1 && first != 0 &&
               p->f->nodes[first].in[IN_MASK] == select->in[IN_MASK]) {
        p->fused[made] = true;
        p->twin[first] = (uint32_t)n;
        p->twin[n] = (uint32_t)first;
    }
}

static void fuse_select(struct planning *p, size_t n)
{
    const flow_ref a = p->f->nodes[n].in[IN_A];
    const struct flow_node *made = flow_at(p->f, a);
    if (made->kind == FAST_SELECT || !can_mask(made)) {
        return;
    }
    if (a % 4 == OUT_VALUE) {
        p->fused[a / 4] = p->uses[a] == 1 && p->uses[a + 1] == 0 && p->uses[a + 2] == 0;
        p->twin[a / 4] = (uint32_t)n;
    } else if (a % 4 == OUT_LF) {
        fuse_flags(p, n);
    }
}

static void count_uses(struct planning *p, const flow_ref *roots, unsigned root_count)
{
    const struct flow *f = p->f;
    bool *all = p->emitted; /* not in use yet */
    for (unsigned i = 0; i < root_count; i++) {
        mark(p, roots[i]);
        p->uses[roots[i]]++;
        for (size_t n = 0; n < f->count; n++) {
            all[n] = all[n] || p->needed[n];
        }
    }
    for (size_t n = 0; n < f->count; n++) {
        for (unsigned i = 0; all[n] && i < IN_COUNT; i++) {
            if (f->nodes[n].in[i] != FLOW_NONE) {
                p->uses[f->nodes[n].in[i]]++;
            }
        }
    }
    for (size_t n = 0; n < f->count; n++) {
        if (all[n] && f->nodes[n].kind == FAST_SELECT) {
            fuse_select(p, n);
        }
        all[n] = false;
    }
}

/* What is known of the operands of a multiply-add before any value is. */
static enum fast_mad mad_kind(const struct flow *f, const struct flow_node *node)
{
    const bool minus_c = (node->mode & 2u) != 0;
    const bool minus_a = (node->mode & 1u) != 0;
    if (flow_is(f, node->in[IN_C], 0) && !minus_c) {
        return MAD_TIMES;
    }
    if (flow_is(f, node->in[IN_B], 0x3F800000u)) {
        return MAD_ONE_B;
    }
    if (flow_is(f, node->in[IN_A], 0x3F800000u) && !minus_a) {
        return MAD_ONE_A;
    }
    const uint32_t *c = flow_lanes(f, node->in[IN_C]);
    bool bound = c != NULL; /* between 2^-79 and 2^125 */
    for (unsigned i = 0; bound && i < FAST_GROUP; i++) {
        const unsigned exponent = c[i] >> 23 & 0xFFu;
        bound = exponent >= 127 - 79 && exponent < 127 + 125;
    }
    return bound ? MAD_BOUND : MAD_ANY;
}

static struct plan_step *new_step(struct planning *p)
{
    struct fast_plan *out = p->out;
    if (out->count == out->room) {
        const size_t room = out->room == 0 ? 64 : 2 * out->room;
        struct plan_step *larger = realloc(out->steps, room * sizeof *larger);
        if (larger == NULL) {
            p->memory = false;
            return NULL;
        }
        out->steps = larger;
        out->room = room;
    }
    struct plan_step *step = &out->steps[out->count++];
    memset(step, 0, sizeof *step);
    return step;
}

/* What one or two SELECTs choose from, in the lanes of their mask. */
static void emit_masked(struct planning *p, size_t n, struct plan_step *step)
{
    const struct flow_node *select = &p->f->nodes[n];
    const bool flags = select->in[IN_A] % 4 == OUT_LF;
    const size_t of_flags = flags ? n : p->twin[n];
    step->node = *flow_at(p->f, select->in[IN_A]);
    step->masked = true;
    step->node.in[IN_MASK] = select->in[IN_MASK];
    step->node.in[IN_OLD] = flags ? FLOW_NONE : select->in[IN_OLD];
    if (flags) {
        step->out[OUT_VALUE] = PLACE_NONE;
    }
    if (of_flags != 0) {
        step->out[OUT_LF] = (int32_t)(4 * of_flags);
        p->emitted[of_flags] = true;
    }
}

/* Operands and results are references until places are given. */
static void emit_node(struct planning *p, size_t n)
{
    const struct flow *f = p->f;
    const struct flow_node *node = &f->nodes[n];
    struct plan_step *step = new_step(p);
    if (step == NULL) {
        return;
    }
    for (unsigned i = 0; i < OUT_COUNT; i++) {
        step->out[i] = (int32_t)(4 * n + i);
    }
    step->node = *node;
    if (node->kind == FAST_SELECT && p->fused[node->in[IN_A] / 4]) {
        emit_masked(p, n, step);
    }
    if (step->node.kind == FAST_MAD) {
        step->mad = (uint8_t)mad_kind(f, &step->node);
    }
    p->out->seeds = p->out->seeds || step->node.kind == FAST_SEED;
}

static void emit_root(struct planning *p, flow_ref root)
{
    mark(p, root);
    for (size_t n = 0; n < p->f->count && p->memory; n++) {
        if (p->needed[n] && !p->emitted[n] && !p->fused[n] &&
            p->f->nodes[n].kind != FAST_CONSTANT) {
            emit_node(p, n);
            p->emitted[n] = true;
        }
    }
}

/* odd: words of the odd columns, in the tile shape. */
static void emit_output(struct planning *p, flow_ref even, flow_ref odd, unsigned vector)
{
    struct plan_step *step = new_step(p);
    if (step != NULL) {
        step->node = flow_blank(FAST_OUTPUT);
        step->node.vector = (uint16_t)vector;
        step->node.in[IN_A] = even;
        step->node.in[IN_B] = odd;
        for (unsigned i = 0; i < OUT_COUNT; i++) {
            step->out[i] = PLACE_NONE;
        }
    }
}

/* ---- places ---- */

static int32_t take(bool *busy, unsigned *count)
{
    unsigned i = 0;
    while (i < *count && busy[i]) {
        i++;
    }
    *count = i == *count ? i + 1 : *count;
    busy[i] = true;
    return (int32_t)i;
}

static void place_inputs(struct planning *p, struct plan_step *step)
{
    for (unsigned i = 0; i < IN_COUNT; i++) {
        const flow_ref ref = step->node.in[i];
        step->in[i] = ref == FLOW_NONE ? PLACE_CONSTANT : p->place[ref];
        if (ref != FLOW_NONE && flow_at(p->f, ref)->kind == FAST_CONSTANT) {
            step->in[i] = PLACE_CONSTANT + (int32_t)flow_at(p->f, ref)->imm;
        }
    }
}

/* Results never stand where an operand of the same step does. */
static bool give_places(struct planning *p)
{
    struct fast_plan *out = p->out;
    uint32_t *left = p->uses; /* counted again: fused steps use what their parts used */
    bool *busy = calloc(3 * out->count + 1, sizeof *busy);
    memset(left, 0, 4 * p->f->count * sizeof *left);
    for (size_t s = 0; s < out->count; s++) {
        for (unsigned i = 0; i < IN_COUNT; i++) {
            if (out->steps[s].node.in[i] != FLOW_NONE) {
                left[out->steps[s].node.in[i]]++;
            }
        }
    }
    for (size_t s = 0; busy != NULL && s < out->count; s++) {
        struct plan_step *step = &out->steps[s];
        place_inputs(p, step);
        for (unsigned i = 0; i < OUT_COUNT; i++) {
            const int32_t ref = step->out[i];
            step->out[i] =
                ref != PLACE_NONE && left[ref] != 0 ? take(busy, &out->arrays) : PLACE_NONE;
            if (ref != PLACE_NONE) {
                p->place[ref] = step->out[i];
            }
        }
        for (unsigned i = 0; i < IN_COUNT; i++) {
            const flow_ref ref = step->node.in[i];
            if (ref != FLOW_NONE && --left[ref] == 0 && step->in[i] >= 0) {
                busy[step->in[i]] = false;
            }
        }
    }
    free(busy);
    return busy != NULL;
}

static bool plan_steps(struct fast_plan *out, const flow_ref *roots, unsigned root_count)
{
    const size_t count = out->from->count;
    struct planning p = {.f = out->from,
                         .out = out,
                         .uses = calloc(4 * count, sizeof *p.uses),
                         .fused = calloc(count, sizeof *p.fused),
                         .twin = calloc(count, sizeof *p.twin),
                         .emitted = calloc(count, sizeof *p.emitted),
                         .needed = calloc(count, sizeof *p.needed),
                         .place = calloc(4 * count, sizeof *p.place),
                         .memory = true};
    p.memory = p.uses != NULL && p.fused != NULL && p.twin != NULL && p.emitted != NULL &&
               p.needed != NULL && p.place != NULL;
    if (p.memory) {
        count_uses(&p, roots, root_count);
        for (unsigned i = 0; i < root_count && p.memory; i++) {
            const bool pair = root_count > 1; /* even, then odd */
            emit_root(&p, roots[i]);
            if (!pair || i % 2 == 1) {
                emit_output(&p, roots[pair ? i - 1 : i], pair ? roots[i] : FLOW_NONE, i);
            }
        }
        p.memory = p.memory && give_places(&p);
    }
    free(p.uses);
    free(p.fused);
    free(p.twin);
    free(p.emitted);
    free(p.needed);
    free(p.place);
    return p.memory;
}

/* The largest power of two with which all arrays stay in the cache. */
static unsigned groups_for(unsigned arrays)
{
    unsigned groups = FAST_GROUPS;
    while (groups > 2 && groups * arrays * FAST_GROUP * sizeof(uint32_t) > CACHE) {
        groups /= 2;
    }
    return groups;
}

bool fast_plan(const struct fast_schedule *schedule, struct fast_plan *out)
{
    *out = (struct fast_plan){.from = &schedule->flow};
    if (!flow_open(&out->flow, schedule->flow.level, &schedule->flow.rules)) {
        return false;
    }
    const flow_ref root = shared_root(schedule, &out->flow);
    if (out->flow.failed) {
        return false;
    }
    out->vector_shape = root != FLOW_NONE;
    if (out->vector_shape) {
        out->from = &out->flow;
    }
    const bool good =
        plan_steps(out, out->vector_shape ? &root : schedule->roots, out->vector_shape ? 1 : 32);
    out->groups = groups_for(out->arrays);
    return good;
}

void fast_plan_close(struct fast_plan *plan)
{
    flow_close(&plan->flow);
    free(plan->steps);
    *plan = (struct fast_plan){.steps = NULL};
}
