/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds out whether a core's load belongs to a loop that only waits (S1): from the load, ways
 * through instructions that change nothing but registers lead back to it, and its address does not
 * go on from turn to turn. Compilers put parts of such loops anywhere, so jumps are followed.
 */
#include "order/memo.h"

enum { NODES = 96, NOWHERE = 255 };

struct node {
    uint32_t at;
    struct tx_core_decoded d;
    uint8_t next[2]; /* numbers of nodes */
    bool leads;      /* to the end that is looked for */
};
struct graph {
    const struct txl_order *o;
    uint32_t core, start;
    bool stores; /* what it goes through may store, too */
    struct node node[NODES];
    unsigned count;
};

bool order_loop_own(const struct txl_order *o, uint32_t core, const struct tx_core_decoded *store)
{
    return order_register(o, core, store->rs1) + store->imm - tx_core_local() <
           tx_core_local_size(o->arch, core % ORDER_CORES);
}

/*
 * Tells whether an instruction can be part of a loop that only waits. What the core keeps in its
 * own memory, such as the value that it has loaded last, nobody else sees.
 */
static bool idle(const struct txl_order *o, uint32_t core, const struct tx_core_decoded *d)
{
    switch (d->kind) {
    case TX_CORE_KIND_STORE:
        return order_loop_own(o, core, d);
    case TX_CORE_KIND_COMPUTE:
    case TX_CORE_KIND_LOAD:
    case TX_CORE_KIND_BRANCH:
    case TX_CORE_KIND_FENCE:
        return true;
    case TX_CORE_KIND_JAL:
        return d->rd == 0;
    default:
        return false;
    }
}

/* The number of an instruction, which is added where it is new. */
static uint8_t loop_number(struct graph *g, uint32_t at)
{
    struct tx_core_decoded d;
    for (unsigned i = 0; i < g->count; i++) {
        if (g->node[i].at == at) {
            return (uint8_t)i;
        }
    }
    if (g->count == NODES || !order_fetch(g->o, g->core, at, &d)) {
        return NOWHERE;
    }
    const bool waits = idle(g->o, g->core, &d);
    if (d.kind == TX_CORE_KIND_STORE) {
        order_memo_own(g->o, at, waits);
    }
    if (!waits && !(g->stores && d.kind == TX_CORE_KIND_STORE)) {
        return NOWHERE;
    }
    g->node[g->count] = (struct node){.at = at, .d = d, .next = {NOWHERE, NOWHERE}};
    return (uint8_t)g->count++;
}

/* Follows all ways from a load through idle instructions, the nearest first. */
static void loop_follow(struct graph *g, const struct txl_order *o, uint32_t core, uint32_t pc,
                        bool stores)
{
    *g = (struct graph){.o = o, .core = core, .start = pc, .stores = stores};
    (void)loop_number(g, pc);
    for (unsigned i = 0; i < g->count; i++) {
        const uint32_t at = g->node[i].at;
        const struct tx_core_decoded d = g->node[i].d;
        if (d.kind == TX_CORE_KIND_JAL) {
            const uint8_t to = loop_number(g, at + d.imm);
            g->node[i].next[0] = to;
            continue;
        }
        const uint8_t next = loop_number(g, at + 4);
        g->node[i].next[0] = next;
        if (d.kind == TX_CORE_KIND_BRANCH) {
            const uint8_t to = loop_number(g, at + d.imm);
            g->node[i].next[1] = to;
        }
    }
}

/* Marks the nodes from which a way leads to this one. Returns whether its own way does. */
static bool mark(struct graph *g, unsigned end)
{
    bool more = true;
    for (unsigned i = 0; i < g->count; i++) {
        g->node[i].leads = false;
    }
    while (more) {
        more = false;
        for (unsigned i = 0; i < g->count; i++) {
            for (unsigned k = 0; k < 2 && !g->node[i].leads; k++) {
                const uint8_t n = g->node[i].next[k];
                if (n != NOWHERE && (n == end || g->node[n].leads)) {
                    g->node[i].leads = true;
                    more = true;
                }
            }
        }
    }
    return g->node[end].leads;
}

/* What of a set of registers an instruction leaves: its result belongs to it if a source does. */
static uint32_t through(const struct tx_core_decoded *d, uint32_t set)
{
    const uint32_t to = 1u << d->rd;
    return d->rd == 0 ? set : (d->reads & set & ~1u) != 0 ? set | to : set & ~to;
}

/*
 * The registers whose values in one turn of the loop come from those of the turn before, as a set;
 * the loop begins with the load, the first node.
 */
static uint32_t carried(const struct graph *g)
{
    uint32_t in[NODES] = {0};
    uint32_t changed = 0;
    for (unsigned i = 0; i < g->count; i++) {
        changed |= g->node[i].leads ? 1u << g->node[i].d.rd : 0;
    }
    for (bool more = true; more;) {
        more = false;
        for (unsigned i = 0; i < g->count; i++) {
            const struct tx_core_decoded *d = &g->node[i].d;
            const uint32_t out = i == 0 ? changed & ~1u & ~(1u << d->rd) : through(d, in[i]);
            for (unsigned k = 0; k < 2 && g->node[i].leads; k++) {
                const uint8_t n = g->node[i].next[k];
                if (n != NOWHERE && (in[n] | out) != in[n]) {
                    in[n] |= out;
                    more = true;
                }
            }
        }
    }
    return in[0];
}

/* Takes the marked instructions over. Returns false where they are too many. */
static bool loop_take(const struct graph *g, struct order_code *code)
{
    code->count = 0;
    code->drops = false;
    code->first = g->start;
    for (unsigned i = 0; i < g->count; i++) {
        if (g->node[i].leads || g->node[i].at == g->start) {
            if (code->count == ORDER_LOOP) {
                return false;
            }
            code->at[code->count++] = g->node[i].at;
            code->drops = code->drops || g->node[i].d.kind == TX_CORE_KIND_FENCE;
        }
    }
    return true;
}

/* Where a loop begins: the least of its instructions before the load without a gap. */
static void find_first(struct order_code *code)
{
    for (unsigned i = 0; i < code->count; i++) {
        if (code->at[i] + 4 == code->first) {
            code->first -= 4;
            i = UINT32_MAX;
        }
    }
}

static bool has(const struct graph *g, uint32_t at)
{
    unsigned i = 0;
    while (i < g->count && (g->node[i].at != at || !g->node[i].leads)) {
        i++;
    }
    return i < g->count;
}

/* Steps from each node to one, at least one step; NODES: no way leads there. */
static void distances(const struct graph *g, unsigned end, unsigned to[NODES])
{
    for (unsigned i = 0; i < g->count; i++) {
        to[i] = NODES;
    }
    for (bool more = true; more;) {
        more = false;
        for (unsigned i = 0; i < g->count; i++) {
            for (unsigned k = 0; k < 2; k++) {
                const uint8_t n = g->node[i].next[k];
                const unsigned d = n == NOWHERE ? NODES : n == end ? 1 : to[n] + 1;
                more = more || d < to[i];
                to[i] = d < to[i] ? d : to[i];
            }
        }
    }
}

/*
 * Leaves only the shortest ways from the first node to one marked: a loop around the one that waits
 * leads back, too, where nothing in it changes memory.
 */
static void mark_nearest(struct graph *g, unsigned end)
{
    unsigned to[NODES];
    unsigned from[NODES];
    distances(g, end, to);
    for (unsigned i = 0; i < g->count; i++) {
        from[i] = i == 0 ? 0 : NODES;
    }
    for (bool more = true; more;) {
        more = false;
        for (unsigned i = 0; i < g->count; i++) {
            for (unsigned k = 0; k < 2; k++) {
                const uint8_t n = g->node[i].next[k];
                if (n != NOWHERE && n != 0 && from[i] + 1 < from[n]) {
                    from[n] = from[i] + 1;
                    more = true;
                }
            }
        }
    }
    for (unsigned i = 1; i < g->count; i++) {
        g->node[i].leads = g->node[i].leads && from[i] + to[i] == to[0];
    }
}

/*
 * A load before a loop that has one of the same place: the way to the loop belongs to it. That may
 * store something, as where waits are counted.
 */
static bool guards(struct graph *g, struct order_code *code)
{
    const struct tx_core_decoded load = g->node[0].d;
    const unsigned base = load.rs1;
    struct graph loop;
    for (unsigned i = 1; i < g->count; i++) {
        const struct tx_core_decoded *d = &g->node[i].d;
        if (d->kind != TX_CORE_KIND_LOAD || d->id != load.id || d->rs1 != load.rs1 ||
            d->imm != load.imm) {
            continue;
        }
        loop_follow(&loop, g->o, g->core, g->node[i].at, false);
        if (!mark(&loop, 0) || (carried(&loop) >> base & 1u) != 0) {
            continue;
        }
        (void)mark(g, i);
        if (g->stores) { /* without what is behind the loop */
            mark_nearest(g, i);
            for (unsigned k = 0; k < g->count; k++) {
                g->node[k].leads = g->node[k].leads || has(&loop, g->node[k].at);
            }
        }
        bool moves = false;
        for (unsigned k = 0; k < g->count; k++) {
            moves = moves || (base != 0 && g->node[k].leads && !has(&loop, g->node[k].at) &&
                              g->node[k].d.rd == base);
        }
        if (!moves && loop_take(g, code)) {
            return true;
        }
    }
    return false;
}

bool order_loop(const struct txl_order *o, uint32_t core, uint32_t pc, struct order_code *code)
{
    struct graph g;
    loop_follow(&g, o, core, pc, false);
    if (g.count == 0) {
        return false;
    }
    const unsigned base = g.node[0].d.rs1;
    const bool leads = mark(&g, 0);
    if (leads && carried(&g) != 0) {
        mark_nearest(&g, 0);
        if (carried(&g) != 0) {
            (void)mark(&g, 0);
        }
    }
    if (leads && (carried(&g) >> base & 1u) == 0 && loop_take(&g, code)) {
        find_first(code);
        return true;
    }
    if (guards(&g, code)) {
        return true;
    }
    loop_follow(&g, o, core, pc, true);
    return guards(&g, code);
}
