/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Puts the instructions in the order of the straight-line form and finds the values that each one
 * reads and writes.
 */
#include "expand/expand.h"

#include "flow/operands.h"

#include <stdlib.h>
#include <string.h>

static bool renamed(unsigned reg)
{
    return reg < EXPAND_REGS || reg == EXPAND_L16;
}

/* The order within a cycle: what reads registers by number comes before what may write them. */
static int rank(const struct xop *op)
{
    return op->flags                   ? 4
           : op->unit == TX_UNIT_STORE ? 3
           : op->pinned != 0           ? 0
           : op->scheduled             ? 2
                                       : 1;
}

static int in_order(const void *a, const void *b)
{
    const struct xop *x = a;
    const struct xop *y = b;
    if (x->cycle != y->cycle) {
        return x->cycle < y->cycle ? -1 : 1;
    }
    return rank(x) != rank(y) ? rank(x) - rank(y) : (int)x->unit - (int)y->unit;
}

/* Whether VB has no field of its own, so that the instruction reads its destination as VB. */
static bool vb_is_vd(const struct expand *x, const struct xop *op)
{
    return (op->row->reads & TX_SET(VB)) != 0 && op->row->implied != TX_IMPLIED_NOTHING &&
           !expand_free_source(x, op);
}

/* Notes that the op reads a value of the graph. Returns the value, or NO_VALUE. */
static int use_value(struct expand *x, const struct xop *op, uint32_t value, long at)
{
    const struct txl_value *v = value != TXL_NO_VALUE ? txl_graph_value(x->graph, value) : NULL;
    if (v == NULL || (v->step == TXL_NO_VALUE && v->reg == EXPAND_L16)) {
        return NO_VALUE; /* the L16 that the tile found cannot be in a register */
    }
    if (v->step == TXL_NO_VALUE && v->before != TXL_NO_VALUE) {
        (void)expand_fail(x, "cycle %llu: %s reads L%u, which no instruction has written",
                          (unsigned long long)op->cycle, op->row->mnemonic, v->reg);
        return NO_VALUE;
    }
    if (x->values[value].last < at) {
        x->values[value].last = at;
    }
    return (int)value;
}

static int read_value(struct expand *x, const struct xop *op, unsigned reg, long at)
{
    return renamed(reg) ? use_value(x, op, txl_graph_read(x->graph, op->step, reg), at) : NO_VALUE;
}

/* Returns the value that the op writes to a register, or NO_VALUE. */
static int made_value(const struct expand *x, const struct xop *op, unsigned reg)
{
    const uint32_t value = renamed(reg) ? txl_graph_wrote(x->graph, op->step, reg) : TXL_NO_VALUE;
    return value != TXL_NO_VALUE ? (int)value : NO_VALUE;
}

static void read_all(struct expand *x, struct xop *op, long at)
{
    const uint64_t reads = op->row->reads;
    bool indirect = tx_indirect_va(reads, op->o.mode);
    if ((reads & (TX_SET(VA) | TX_SET(VAX))) != 0 && !indirect) {
        op->va = read_value(x, op, op->o.va, at);
    }
    if ((reads & TX_SET(VB)) != 0) {
        op->vb = read_value(x, op, op->o.vb, at);
    }
    if ((reads & TX_SET(VC)) != 0) {
        op->vc = read_value(x, op, op->o.vc, at);
    }
    if ((reads & TX_SET(VD)) != 0) {
        op->vd_in = read_value(x, op, op->o.vd, at);
    }
    for (unsigned r = 0; r < EXPAND_REGS; r++) {
        op->pins[r] = NO_VALUE;
        if ((op->pinned >> r & 1) != 0) {
            op->pins[r] = read_value(x, op, r, at);
            if (op->pins[r] != NO_VALUE) {
                x->values[op->pins[r]].pinned = true;
            }
        }
    }
}

/* Finds the values that the destination register must hold before the op. */
static void tie(struct expand *x, struct xop *op, long at)
{
    if (vb_is_vd(x, op)) {
        op->tied = op->vb;
    } else if (op->row->implied == TX_IMPLIED_VC_VD) {
        op->tied = op->vc;
    } else if (op->vd_in != NO_VALUE && op->unit != TX_UNIT_STORE) {
        op->tied = op->vd_in;
    }
    if (op->out != NO_VALUE && op->merge) {
        const uint32_t before = txl_graph_value(x->graph, (uint32_t)op->out)->before;
        const int old = use_value(x, op, before, at);
        if (op->tied != NO_VALUE && old != op->tied && old != NO_VALUE) {
            op->under = op->tied;
        }
        op->tied = op->tied == NO_VALUE || op->under != NO_VALUE ? old : op->tied;
    }
}

/* Values that the op writes by the register's number are in that register from then on. */
static void note_numbered(struct expand *x, struct xop *op)
{
    for (unsigned r = 0; r < EXPAND_REGS; r++) {
        op->made[r] = (op->writes >> r & 1) != 0 ? made_value(x, op, r) : NO_VALUE;
        if (op->made[r] != NO_VALUE) {
            x->values[op->made[r]].reg = (int)r;
        }
    }
}

static bool make_values(struct expand *x)
{
    const size_t count = txl_graph_values(x->graph);
    x->values = calloc(count + 1, sizeof *x->values);
    if (x->values == NULL || !txl_graph_whole(x->graph)) {
        return expand_no_memory(x);
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct txl_value *v = txl_graph_value(x->graph, i);
        const bool given = v->step == TXL_NO_VALUE && v->reg < EXPAND_REGS;
        x->values[i] = (struct value){.home = v->reg, .reg = given ? (int)v->reg : -1, .last = -1};
    }
    return true;
}

bool expand_values(struct expand *x)
{
    if (!make_values(x)) {
        return false;
    }
    qsort(x->ops, x->count, sizeof *x->ops, in_order);
    for (size_t i = 0; i < x->count && x->failure.status == TXL_OK; i++) {
        struct xop *op = &x->ops[i];
        op->va = op->vb = op->vc = op->vd_in = op->out = op->out2 = op->tied = NO_VALUE;
        op->under = NO_VALUE;
        if (op->verbatim) {
            continue;
        }
        read_all(x, op, (long)i);
        if (op->scheduled && vb_is_vd(x, op) && !renamed(op->o.vb)) {
            return expand_fail(x,
                               "cycle %llu: %s works on L%u and writes L%u, which no instruction "
                               "of its own can say",
                               (unsigned long long)op->cycle, op->row->mnemonic, op->o.vb,
                               op->o.vd);
        }
        const uint64_t written = op->row->writes; /* SFPSWAP's VB is its VD */
        const bool writes = (written & (TX_SET(VD) | TX_SET(VDX) | TX_SET(VB))) != 0;
        op->out = writes ? made_value(x, op, op->o.vd) : NO_VALUE;
        if (writes && (written & TX_SET(VC)) != 0 && op->o.vc < EXPAND_REGS) {
            op->out2 = made_value(x, op, op->o.vc);
        }
        tie(x, op, (long)i);
        note_numbered(x, op);
    }
    return x->failure.status == TXL_OK;
}
