/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the graph of values to an ordered list of steps. First a liveness analysis finds in which
 * lanes each value is needed; it tells whether all vectors of a tile are computed alike, so that
 * one plan serves them all. Then nodes become steps, and values get arrays, which they share over
 * time.
 */
#include "fast/plan.h"
#include "base/check.h"

#include <stdlib.h>
#include <string.h>

enum { CACHE = 36 * 1024 }; /* size in bytes that all arrays together should not exceed */

/*
 * Liveness by lanes: can one vector stand for all?
 *
 * Kernels do the same for each of the 32 vectors of a tile, but in the graph they hang together: a
 * write under predication keeps what the register held in the other lanes, and that is often a
 * value of the vector before. Mostly nobody ever looks at those lanes. So for each of the 32
 * roots a backward pass over the graph finds the live lanes of each value: all, none, or those
 * in which a mask is set. A SELECT of whose lanes only those of its mask are live is the same as
 * its new value, and its old value is dropped. What is left of a root is copied into a graph of its
 * own, with inputs numbered relative to its vector; where that gives the same node for all 32
 * roots, there is one plan for all (the vector shape).
 */

/* A set of lanes: one of these two, or a reference to a mask. */
enum { LANES_NONE = 0xFFFFFFFE, LANES_ALL = 0xFFFFFFFF };

/* Returns whether a lane of the result depends on other lanes of the operands. */
static bool between_lanes(enum fast_kind kind)
{
    return kind == FAST_ROTATE || kind == FAST_UP || kind == FAST_SHIFT1 ||
           kind == FAST_TRANSPOSE || kind == FAST_FIRST;
}

/*
 * Returns whether "inner" is known to be set only where "outer" is. It is if inner was made from
 * outer by tests under predication, which write (outer ? test : outer) or (outer ? test : 0).
 */
static bool implies(const struct dag *dag, dag_ref inner, dag_ref outer)
{
    while (inner != outer && inner < LANES_NONE) {
        const struct dag_node *node = dag_at(dag, inner);
        const bool within = node->kind == FAST_SELECT &&
                            (node->in[IN_OLD] == node->in[IN_MASK] || node->in[IN_OLD] == DAG_ZERO);
        if (!within) {
            return false;
        }
        inner = node->in[IN_MASK];
    }
    return inner == outer;
}

/*
 * Adds lanes to those in which a value is live. The union of two masks neither of which contains
 * the other counts as all.
 */
static void want(const struct dag *dag, dag_ref ref, dag_ref lanes, dag_ref *wanted)
{
    dag_ref *of = &wanted[ref / 4];
    if (*of == LANES_NONE || implies(dag, *of, lanes)) {
        *of = lanes;
    } else if (!implies(dag, lanes, *of)) {
        *of = LANES_ALL;
    }
}

/*
 * Returns in which lanes the old value of a SELECT is live, given the live lanes of its result: the
 * same ones, unless its mask is an else (SFPCOMPC, src/sem/sfpcompc.h). An else has the lanes of
 * the enclosing condition in which the if was false. If the live lanes are within that condition
 * too, those that the else leaves out are the lanes of the if.
 */
static dag_ref outside(const struct dag *dag, dag_ref mask, dag_ref lanes)
{
    const struct dag_node *node = dag_at(dag, mask);
    if (node->kind != FAST_ROW || node->row != ROWID_SFPCOMPC || mask % 4 != OUT_LF ||
        node->use == 0 || (node->depth != 0 && node->top_use == 0)) {
        return lanes;
    }
    const bool bounded = node->depth == 0 || dag_is(dag, node->in[IN_TOP], 0xFFFFFFFFu) ||
                         (lanes < LANES_NONE && implies(dag, lanes, node->in[IN_TOP]));
    return bounded ? node->in[IN_LF] : lanes;
}

/*
 * Returns whether a SELECT is live only within its mask, so that it is the same as its new value,
 * IN_A.
 */
static bool is_within(const struct dag *dag, size_t n, const dag_ref *wanted)
{
    return dag->nodes[n].kind == FAST_SELECT && wanted[n] < LANES_NONE &&
           implies(dag, wanted[n], dag->nodes[n].in[IN_MASK]);
}

/*
 * The backward pass: the live lanes of each node for one root. Users of a node come after it in the
 * list, so that all of them are known when it is reached.
 */
static void find_wanted(const struct dag *dag, dag_ref root, dag_ref *wanted)
{
    for (size_t n = 0; n < dag->count; n++) {
        wanted[n] = LANES_NONE;
    }
    wanted[root / 4] = LANES_ALL;
    for (size_t n = dag->count; n-- > 0;) {
        const struct dag_node *node = &dag->nodes[n];
        const dag_ref lanes = between_lanes((enum fast_kind)node->kind) ? LANES_ALL : wanted[n];
        const bool within = is_within(dag, n, wanted);
        for (unsigned i = 0; wanted[n] != LANES_NONE && i < IN_COUNT; i++) {
            if (node->in[i] == DAG_NONE || (within && i != IN_A)) {
                continue;
            }
            const bool masked = node->kind == FAST_SELECT && i == IN_A &&
                                (lanes == LANES_ALL || !implies(dag, lanes, node->in[IN_MASK]));
            const bool old = node->kind == FAST_SELECT && i == IN_OLD;
            want(dag, node->in[i],
                 masked ? node->in[IN_MASK]
                 : old  ? outside(dag, node->in[IN_MASK], lanes)
                        : lanes,
                 wanted);
        }
    }
}

/*
 * Copies the live nodes of a root to another graph, with inputs numbered relative to its vector.
 * Returns the root there, or DAG_NONE if it depends on another vector or on the random generators.
 */
static dag_ref relative(const struct dag *dag, dag_ref root, unsigned vector, struct dag *to,
                        dag_ref *wanted, dag_ref (*map)[OUT_COUNT])
{
    find_wanted(dag, root, wanted);
    for (size_t n = 0; n < dag->count; n++) {
        if (wanted[n] == LANES_NONE) {
            continue;
        }
        struct dag_node node = dag->nodes[n];
        if (is_within(dag, n, wanted)) {
            map[n][0] = map[node.in[IN_A] / 4][node.in[IN_A] % 4];
            continue;
        }
        if (node.kind == FAST_SEED || (node.kind == FAST_INPUT && node.vector != vector)) {
            return DAG_NONE;
        }
        if (node.kind == FAST_CONSTANT) {
            map[n][0] = dag_constant(to, dag->constants[node.imm]);
            continue;
        }
        node.vector = 0;
        for (unsigned i = 0; i < IN_COUNT; i++) {
            if (node.in[i] != DAG_NONE) {
                node.in[i] = map[node.in[i] / 4][node.in[i] % 4];
            }
        }
        dag_make(to, &node, map[n]);
    }
    return map[root / 4][root % 4];
}

/* Returns the node that all 32 roots become when copied in this way, or DAG_NONE if they differ. */
static dag_ref shared_root(const struct fast_schedule *s, struct dag *to)
{
    const struct dag *dag = &s->dag;
    dag_ref *wanted = malloc(dag->count * sizeof *wanted);
    dag_ref(*map)[OUT_COUNT] = malloc(dag->count * sizeof *map);
    dag_ref root = DAG_NONE;
    to->failed = to->failed || wanted == NULL || map == NULL;
    for (unsigned vector = 0; vector < 32 && !to->failed; vector++) {
        const dag_ref own = relative(dag, s->roots[vector], vector, to, wanted, map);
        if (own == DAG_NONE || (vector != 0 && own != root)) {
            root = DAG_NONE;
            break;
        }
        root = own;
    }
    free(wanted);
    free(map);
    return to->failed ? DAG_NONE : root;
}

/* ---- steps ---- */

struct planning {
    const struct dag *dag;
    struct fast_plan *out;
    uint32_t *uses; /* by output, 4 * node + output: how often it is used */
    bool *fused;    /* the node is part of the step of the SELECT that uses it */
    /*
     * For SELECTs of one step: from that of the value to that of the flags, and back. For other
     * nodes: the SELECT of their value.
     */
    uint32_t *twin;
    bool *emitted;
    bool *needed;
    int32_t *place; /* by output */
    bool memory;
};

/*
 * Marks the nodes that the root depends on. If a SELECT of flags shares a step with the SELECT of a
 * value (its twin), the twin is needed too, because the step computes both.
 */
static void mark(struct planning *p, dag_ref root)
{
    const struct dag *dag = p->dag;
    bool *needed = p->needed;
    memset(needed, 0, dag->count * sizeof *needed);
    needed[root / 4] = true;
    for (size_t n = dag->count; n-- > 0;) {
        for (unsigned i = 0; needed[n] && i < IN_COUNT; i++) {
            if (dag->nodes[n].in[i] != DAG_NONE) {
                needed[dag->nodes[n].in[i] / 4] = true;
            }
        }
        const size_t twin = dag->nodes[n].kind == FAST_SELECT ? p->twin[n] : 0;
        if (needed[n] && twin != 0 && twin < n) {
            needed[twin] = true;
        }
    }
}

static bool can_mask(const struct dag_node *node)
{
    return node->kind == FAST_ROW || node->kind == FAST_MAD || node->kind == FAST_LOAD ||
           node->kind == FAST_STORE || node->kind == FAST_SELECT;
}

/*
 * Makes a SELECT of the flags that an instruction computes one step with that instruction. This is
 * possible if no other node uses these flags, and if the instruction's value is either unused or
 * used by a single SELECT with the same mask, which then is part of the step too. Outside of the
 * mask the flags are then 0 (the old value is 0, or the mask itself), and that is what a masked
 * step writes there.
 */
static void fuse_flags(struct planning *p, size_t n)
{
    CHECK(n < p->dag->count, "flags are fused into a node of the graph");
    const struct dag_node *select = &p->dag->nodes[n];
    const size_t made = select->in[IN_A] / 4;
    const size_t first = p->twin[made]; /* the SELECT of the value */
    const uint32_t *uses = &p->uses[4 * made];
    if (uses[OUT_LF] != 1 || uses[OUT_TOP] != 0 ||
        (select->in[IN_OLD] != select->in[IN_MASK] && select->in[IN_OLD] != DAG_ZERO)) {
        return;
    }
    if (uses[OUT_VALUE] == 0) {
        p->fused[made] = true;
    } else if (uses[OUT_VALUE] == 1 && first != 0 &&
               p->dag->nodes[first].in[IN_MASK] == select->in[IN_MASK]) {
        p->fused[made] = true;
        p->twin[first] = (uint32_t)n;
        p->twin[n] = (uint32_t)first;
    }
}

static void fuse_select(struct planning *p, size_t n)
{
    CHECK(n < p->dag->count, "a choice is fused into a node of the graph");
    const dag_ref a = p->dag->nodes[n].in[IN_A];
    const struct dag_node *made = dag_at(p->dag, a);
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

static void count_uses(struct planning *p, const dag_ref *roots, unsigned root_count)
{
    const struct dag *dag = p->dag;
    bool *all = p->emitted; /* an array at hand, which gets its own meaning only later */
    for (unsigned i = 0; i < root_count; i++) {
        mark(p, roots[i]);
        p->uses[roots[i]]++;
        for (size_t n = 0; n < dag->count; n++) {
            all[n] = all[n] || p->needed[n];
        }
    }
    for (size_t n = 0; n < dag->count; n++) {
        for (unsigned i = 0; all[n] && i < IN_COUNT; i++) {
            if (dag->nodes[n].in[i] != DAG_NONE) {
                p->uses[dag->nodes[n].in[i]]++;
            }
        }
    }
    for (size_t n = 0; n < dag->count; n++) {
        if (all[n] && dag->nodes[n].kind == FAST_SELECT) {
            fuse_select(p, n);
        }
        all[n] = false;
    }
}

/* Returns the fastest form of the multiply-add that its constant operands allow. */
static enum fast_mad mad_kind(const struct dag *dag, const struct dag_node *node)
{
    const bool minus_c = (node->mode & TX_MOD_SFPMAD_NEGATE_VC) != 0;
    const bool minus_a = (node->mode & TX_MOD_SFPMAD_NEGATE_VA) != 0;
    if (dag_is(dag, node->in[IN_C], 0) && !minus_c) {
        return MAD_TIMES;
    }
    if (dag_is(dag, node->in[IN_B], 0x3F800000u)) {
        return MAD_ONE_B;
    }
    if (dag_is(dag, node->in[IN_A], 0x3F800000u) && !minus_a) {
        return MAD_ONE_A;
    }
    const uint32_t *c = dag_lanes(dag, node->in[IN_C]);
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

/*
 * Emits the operation whose value or flags are chosen by one or two SELECTs as a step under their
 * mask.
 */
static void emit_masked(struct planning *p, size_t n, struct plan_step *step)
{
    const struct dag_node *select = &p->dag->nodes[n];
    const bool flags = select->in[IN_A] % 4 == OUT_LF;
    const size_t of_flags = flags ? n : p->twin[n];
    step->node = *dag_at(p->dag, select->in[IN_A]);
    step->masked = true;
    step->node.in[IN_MASK] = select->in[IN_MASK];
    step->node.in[IN_OLD] = flags ? DAG_NONE : select->in[IN_OLD];
    if (flags) {
        step->out[OUT_VALUE] = PLACE_NONE;
    }
    if (of_flags != 0) {
        step->out[OUT_LF] = (int32_t)(4 * of_flags);
        p->emitted[of_flags] = true;
    }
}

/* Emits the step of a node. Operands and results are references until places are assigned. */
static void emit_node(struct planning *p, size_t n)
{
    CHECK(n < p->dag->count, "a step is made of a node of the graph");
    const struct dag *dag = p->dag;
    const struct dag_node *node = &dag->nodes[n];
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
        step->mad = (uint8_t)mad_kind(dag, &step->node);
    }
    p->out->seeds = p->out->seeds || step->node.kind == FAST_SEED;
}

static void emit_root(struct planning *p, dag_ref root)
{
    mark(p, root);
    for (size_t n = 0; n < p->dag->count && p->memory; n++) {
        if (p->needed[n] && !p->emitted[n] && !p->fused[n] &&
            p->dag->nodes[n].kind != FAST_CONSTANT) {
            emit_node(p, n);
            p->emitted[n] = true;
        }
    }
}

/* Emits the output of a vector. odd: the words of the odd columns, for the tile shape. */
static void emit_output(struct planning *p, dag_ref even, dag_ref odd, unsigned vector)
{
    struct plan_step *step = new_step(p);
    if (step != NULL) {
        step->node = dag_blank(FAST_OUTPUT);
        step->node.vector = (uint16_t)vector;
        step->node.in[IN_A] = even;
        step->node.in[IN_B] = odd;
        for (unsigned i = 0; i < OUT_COUNT; i++) {
            step->out[i] = PLACE_NONE;
        }
    }
}

/* ---- places ---- */

static int32_t plan_take(bool *busy, unsigned *count)
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
        const dag_ref ref = step->node.in[i];
        step->in[i] = ref == DAG_NONE ? PLACE_CONSTANT : p->place[ref];
        if (ref != DAG_NONE && dag_at(p->dag, ref)->kind == FAST_CONSTANT) {
            step->in[i] = PLACE_CONSTANT + (int32_t)dag_at(p->dag, ref)->imm;
        }
    }
}

/* Assigns an array to each result; it is never that of an operand of the same step. */
static bool give_places(struct planning *p)
{
    struct fast_plan *out = p->out;
    uint32_t *left = p->uses; /* counted anew: a fused step uses what its parts used */
    bool *busy = calloc(3 * out->count + 1, sizeof *busy);
    memset(left, 0, 4 * p->dag->count * sizeof *left);
    for (size_t s = 0; s < out->count; s++) {
        for (unsigned i = 0; i < IN_COUNT; i++) {
            if (out->steps[s].node.in[i] != DAG_NONE) {
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
                ref != PLACE_NONE && left[ref] != 0 ? plan_take(busy, &out->arrays) : PLACE_NONE;
            if (ref != PLACE_NONE) {
                p->place[ref] = step->out[i];
            }
        }
        for (unsigned i = 0; i < IN_COUNT; i++) {
            const dag_ref ref = step->node.in[i];
            if (ref != DAG_NONE && --left[ref] == 0 && step->in[i] >= 0) {
                busy[step->in[i]] = false;
            }
        }
    }
    free(busy);
    return busy != NULL;
}

static bool plan_steps(struct fast_plan *out, const dag_ref *roots, unsigned root_count)
{
    const size_t count = out->from->count;
    struct planning p = {.dag = out->from,
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
            const bool pair = root_count > 1; /* even columns, then odd ones */
            emit_root(&p, roots[i]);
            if (!pair || i % 2 == 1) {
                emit_output(&p, roots[pair ? i - 1 : i], pair ? roots[i] : DAG_NONE, i);
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

/* Returns the largest power of two with which all arrays fit the cache. */
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
    *out = (struct fast_plan){.from = &schedule->dag};
    if (!dag_open(&out->dag, schedule->dag.level, &schedule->dag.rules)) {
        return false;
    }
    out->dag.varying = schedule->dag.varying;
    out->dag.varying_count = schedule->dag.varying_count;
    const dag_ref root = shared_root(schedule, &out->dag);
    if (out->dag.failed) {
        return false;
    }
    out->vector_shape = root != DAG_NONE;
    if (out->vector_shape) {
        out->from = &out->dag;
    }
    const bool good =
        plan_steps(out, out->vector_shape ? &root : schedule->roots, out->vector_shape ? 1 : 32);
    out->groups = groups_for(out->arrays);
    return good;
}

static bool is_uniform(const struct fast_plan *plan, int32_t place)
{
    if (place >= PLACE_NONE) {
        return true;
    }
    const uint32_t *lanes = plan->from->constants[place - PLACE_CONSTANT];
    bool alike = true;
    for (unsigned i = 1; i < FAST_GROUP; i++) {
        alike = alike && lanes[i] == lanes[0];
    }
    return alike;
}

/* Whether a step works on each lane by itself. */
static bool is_lane_step(uint8_t kind)
{
    return kind != FAST_SEED && kind != FAST_NEXT && (kind < FAST_ROTATE || kind >= FAST_EXCHANGED);
}

bool fast_plan_elementwise(const struct fast_plan *plan)
{
    bool is = plan->vector_shape && !plan->seeds;
    for (size_t i = 0; i < plan->count && is; i++) {
        const struct plan_step *step = &plan->steps[i];
        is = is_lane_step(step->node.kind);
        for (unsigned k = 0; k < IN_COUNT && is; k++) {
            is = is_uniform(plan, step->in[k]);
        }
    }
    return is;
}

void fast_plan_close(struct fast_plan *plan)
{
    dag_close(&plan->dag);
    free(plan->steps);
    *plan = (struct fast_plan){.steps = NULL};
}
