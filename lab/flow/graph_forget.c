/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shortens the graph of a run that is longer than memory: takes out what nothing refers to any
 * more, and moves the rest together in the same order under lower numbers.
 */
#include "flow/graph_parts.h"

#include <stdlib.h>
#include <string.h>

/* For each old number first one of the values below, then its new number, or NONE. */
struct numbers {
    uint32_t *values, *blocks;
};

enum {
    GONE,
    STAYS_ALONE,  /* a value, but only as the owner of lanes */
    STAYS,        /* a value; a block of bits */
    STAYS_NUMBERS /* a block of value numbers: who owns each lane */
};

static void keep_value(struct numbers *n, uint32_t value)
{
    if (value != NONE) {
        n->values[value] = STAYS;
    }
}

static void keep_block(struct numbers *n, uint32_t block, uint32_t kind)
{
    if (block != NONE) {
        n->blocks[block] = kind;
    }
}

/* Returns the first entry of the list that belongs to the steps from here on. */
static size_t first_entry(const txl_graph *g, size_t from)
{
    for (size_t i = from; i < g->step_count; i++) {
        if (g->steps[i].found != NONE) {
            return g->steps[i].found;
        }
    }
    return g->list_count;
}

static void keep_of_steps(const txl_graph *g, size_t from, struct numbers *n)
{
    for (size_t i = first_entry(g, from); i < g->list_count; i++) {
        keep_value(n, g->list[i]);
    }
}

static void keep_of_registers(const txl_graph *g, struct numbers *n)
{
    for (unsigned reg = 0; reg < TX_LREGS; reg++) {
        keep_value(n, g->now[reg]); /* pending values belong to steps that stay */
    }
}

/*
 * Keeps the owners of lanes of values that stay. Such an owner stays without its own owners of
 * other lanes: else each would keep the one before it, and nothing would ever go.
 */
static void keep_owners(const txl_graph *g, struct numbers *n)
{
    for (size_t i = 0; i < g->value_count; i++) {
        const struct value *v = &g->values[i];
        for (unsigned lane = 0; lane < TX_LANES && n->values[i] == STAYS; lane++) {
            const uint32_t owner = v->owners != NONE ? g->blocks[v->owners][lane] : v->owner;
            if (owner != NONE && n->values[owner] == GONE) {
                n->values[owner] = STAYS_ALONE;
            }
            if (v->owners == NONE) {
                break;
            }
        }
    }
    for (size_t i = 0; i < g->value_count; i++) {
        if (n->values[i] != GONE) {
            keep_block(n, g->values[i].bits, STAYS);
        }
        if (n->values[i] == STAYS) {
            keep_block(n, g->values[i].owners, STAYS_NUMBERS);
        }
    }
}

static uint32_t renumbered(const uint32_t *numbers, uint32_t old)
{
    return old != NONE ? numbers[old] : NONE;
}

static size_t give_numbers(uint32_t *numbers, size_t count)
{
    uint32_t next = 0;
    for (size_t i = 0; i < count; i++) {
        numbers[i] = numbers[i] != GONE ? next++ : NONE;
    }
    return next;
}

static void move_blocks(txl_graph *g, const struct numbers *n, size_t count)
{
    for (size_t i = 0; i < g->block_count; i++) {
        if (n->blocks[i] != NONE && n->blocks[i] != i) {
            memcpy(g->blocks[n->blocks[i]], g->blocks[i], sizeof *g->blocks);
        }
    }
    g->block_count = count;
}

static void rename_in_blocks(txl_graph *g, const struct numbers *n)
{
    for (size_t i = 0; i < g->block_count; i++) {
        for (unsigned lane = 0; lane < TX_LANES && n->blocks[i] == STAYS_NUMBERS; lane++) {
            g->blocks[i][lane] = renumbered(n->values, g->blocks[i][lane]);
        }
    }
}

static void move_values(txl_graph *g, const struct numbers *n, size_t from)
{
    size_t count = 0;
    for (size_t i = 0; i < g->value_count; i++) {
        if (n->values[i] == NONE) {
            continue;
        }
        struct value v = g->values[i];
        const bool gone = v.seen.step == NONE || v.seen.step < from;
        v.seen.step = gone ? NONE : v.seen.step - (uint32_t)from;
        v.seen.before = renumbered(n->values, v.seen.before);
        v.bits = renumbered(n->blocks, v.bits);
        v.owner = renumbered(n->values, v.owner);
        v.owners = renumbered(n->blocks, v.owners);
        v.owner = v.owners == NONE && v.owner == NONE && v.bits != NONE ? (uint32_t)count : v.owner;
        g->values[count++] = v;
    }
    g->value_count = count;
}

static void move_steps(txl_graph *g, const struct numbers *n, size_t from)
{
    const size_t first = first_entry(g, from);
    for (size_t i = first; i < g->list_count; i++) {
        g->list[i - first] = renumbered(n->values, g->list[i]);
    }
    g->list_count -= first;
    for (size_t i = from; i < g->step_count; i++) {
        struct step s = g->steps[i];
        s.found -= s.found != NONE ? (uint32_t)first : 0;
        s.made -= s.made != NONE ? (uint32_t)first : 0;
        g->steps[i - from] = s;
    }
    g->step_count -= from;
}

static void rename_registers(txl_graph *g, const struct numbers *n)
{
    for (unsigned reg = 0; reg < TX_LREGS; reg++) {
        g->now[reg] = renumbered(n->values, g->now[reg]);
        for (unsigned i = 0; i < g->pending_count[reg]; i++) {
            g->pending[reg][i].value = n->values[g->pending[reg][i].value];
        }
    }
}

/* Chooses what is kept when the steps before `from` go. Returns false without memory. */
static bool choose(const txl_graph *g, size_t from, struct numbers *n)
{
    n->values = calloc(g->value_count + 1, sizeof *n->values);
    n->blocks = calloc(g->block_count + 1, sizeof *n->blocks);
    if (n->values == NULL || n->blocks == NULL) {
        return false;
    }
    keep_of_steps(g, from, n);
    keep_of_registers(g, n);
    keep_owners(g, n);
    return true;
}

void graph_forget(txl_graph *g)
{
    const size_t from = g->step_count > RECENT ? g->step_count - RECENT : 0;
    struct numbers n = {NULL, NULL};
    if (choose(g, from, &n)) {
        (void)give_numbers(n.values, g->value_count);
        rename_in_blocks(g, &n);
        const size_t blocks = give_numbers(n.blocks, g->block_count);
        move_blocks(g, &n, blocks);
        rename_registers(g, &n);
        move_steps(g, &n, from);
        move_values(g, &n, from);
    } else {
        g->failed = true;
    }
    free(n.values);
    free(n.blocks);
}
