/* SPDX-License-Identifier: Apache-2.0 */
#include "expand/expand.h"

#include <stdlib.h>
#include <string.h>

enum { HISTORY = 8 };

/* The last writes of a register: a value is seen from its cycle on. */
struct past {
    int value[HISTORY];
    uint64_t from[HISTORY];
};

static int new_value(struct expand *x, unsigned home)
{
    if (x->value_count == x->value_room) {
        int room = x->value_room == 0 ? 1024 : x->value_room * 2;
        struct value *larger = realloc(x->values, (size_t)room * sizeof *larger);
        if (larger == NULL) {
            (void)expand_no_memory(x);
            return NO_VALUE;
        }
        x->values = larger;
        x->value_room = room;
    }
    x->values[x->value_count] = (struct value){.home = (uint8_t)home, .reg = -1, .last = -1};
    return x->value_count++;
}

static int seen(const struct past *p, uint64_t cycle)
{
    int value = NO_VALUE;
    for (unsigned i = 0; i < HISTORY; i++) { /* oldest first */
        value = p->value[i] != NO_VALUE && p->from[i] <= cycle ? p->value[i] : value;
    }
    return value;
}

static void write_past(struct past *p, int value, uint64_t from)
{
    memmove(p->value, p->value + 1, sizeof p->value - sizeof p->value[0]);
    memmove(p->from, p->from + 1, sizeof p->from - sizeof p->from[0]);
    p->value[HISTORY - 1] = value;
    p->from[HISTORY - 1] = from;
}

static bool renamed(unsigned reg)
{
    return reg < EXPAND_REGS || reg == EXPAND_L16;
}

/* What reads registers by their number comes before what may write them in the same cycle. */
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

/* Operands that have no field of their own: the instruction takes its destination for them. */
static bool vb_is_vd(const struct expand *x, const struct xop *op)
{
    return (op->row->reads & TX_SET(VB)) != 0 && op->row->implied != TX_IMPLIED_NOTHING &&
           !expand_shifts_apart(x, op);
}

static int read_value(struct expand *x, const struct past *past, const struct xop *op, unsigned reg,
                      long at)
{
    if (!renamed(reg)) {
        return NO_VALUE;
    }
    int value = seen(&past[reg], op->cycle);
    if (value != NO_VALUE && x->values[value].last < at) {
        x->values[value].last = at;
    }
    return value;
}

static void read_all(struct expand *x, struct past *past, struct xop *op, long at)
{
    const uint64_t reads = op->row->reads;
    op->va = op->vb = op->vc = op->vd_in = op->out = op->out2 = op->tied = op->under = NO_VALUE;
    bool indirect = (reads & TX_SET(VAX)) != 0 && (op->o.mode & 4) != 0;
    if ((reads & (TX_SET(VA) | TX_SET(VAX))) != 0 && !indirect) {
        op->va = read_value(x, past, op, op->o.va, at);
    }
    if ((reads & TX_SET(VB)) != 0) {
        op->vb = read_value(x, past, op, op->o.vb, at);
    }
    if ((reads & TX_SET(VC)) != 0) {
        op->vc = read_value(x, past, op, op->o.vc, at);
    }
    if ((reads & TX_SET(VD)) != 0) {
        op->vd_in = read_value(x, past, op, op->o.vd, at);
    }
    for (unsigned r = 0; r < EXPAND_REGS; r++) {
        op->pins[r] = NO_VALUE;
        if ((op->pinned >> r & 1) != 0) {
            op->pins[r] = read_value(x, past, op, r, at);
            if (op->pins[r] != NO_VALUE) {
                x->values[op->pins[r]].pinned = true;
            }
        }
    }
}

/* The values that the destination register must hold before. */
static void tie(struct expand *x, struct past *past, struct xop *op, long at)
{
    if (vb_is_vd(x, op)) {
        op->tied = op->vb;
    } else if (op->row->implied == TX_IMPLIED_VC_VD) {
        op->tied = op->vc;
    } else if (op->vd_in != NO_VALUE && op->unit != TX_UNIT_STORE) {
        op->tied = op->vd_in;
    }
    if (op->out != NO_VALUE && op->merge) {
        int old = read_value(x, past, op, op->o.vd, at);
        if (op->tied != NO_VALUE && old != op->tied && old != NO_VALUE) {
            op->under = op->tied;
        }
        op->tied = op->tied == NO_VALUE || op->under != NO_VALUE ? old : op->tied;
    }
}

static void write_all(struct expand *x, struct past *past, struct xop *op)
{
    uint64_t from = op->cycle + op->latency;
    if (op->out != NO_VALUE) {
        write_past(&past[op->o.vd], op->out, from);
    }
    if (op->out2 != NO_VALUE) {
        write_past(&past[op->o.vc], op->out2, from);
    }
    for (unsigned r = 0; r < EXPAND_REGS; r++) {
        if ((op->writes >> r & 1) != 0) {
            int value = new_value(x, r);
            if (value != NO_VALUE) {
                x->values[value].reg = (int)r;
                write_past(&past[r], value, from);
            }
        }
    }
}

bool expand_values(struct expand *x)
{
    struct past past[EXPAND_L16 + 1];
    memset(past, 0, sizeof past);
    for (unsigned r = 0; r <= EXPAND_L16; r++) {
        for (unsigned i = 0; i < HISTORY; i++) {
            past[r].value[i] = NO_VALUE;
        }
        if (r < EXPAND_REGS) {
            int value = new_value(x, r);
            if (value == NO_VALUE) {
                return false;
            }
            x->values[value].reg = (int)r;
            write_past(&past[r], value, 0);
        }
    }
    qsort(x->ops, x->count, sizeof *x->ops, in_order);
    for (size_t i = 0; i < x->count && x->message[0] == '\0'; i++) {
        struct xop *op = &x->ops[i];
        if (op->verbatim) {
            op->va = op->vb = op->vc = op->vd_in = op->out = op->out2 = op->tied = NO_VALUE;
            op->under = NO_VALUE;
            continue;
        }
        read_all(x, past, op, (long)i);
        if (op->scheduled && vb_is_vd(x, op) && !renamed(op->o.vb)) {
            return expand_fail(x,
                               "cycle %llu: %s works on L%u and writes L%u, which no instruction "
                               "of its own can say",
                               (unsigned long long)op->cycle, op->row->mnemonic, op->o.vb,
                               op->o.vd);
        }
        const uint64_t written = op->row->writes; /* SFPSWAP's VB is VD */
        bool writes = (written & (TX_SET(VD) | TX_SET(VDX) | TX_SET(VB))) != 0;
        op->out = writes && renamed(op->o.vd) ? new_value(x, op->o.vd) : NO_VALUE;
        if (writes && (written & TX_SET(VC)) != 0 && op->o.vc < EXPAND_REGS) {
            op->out2 = new_value(x, op->o.vc);
        }
        tie(x, past, op, (long)i);
        write_all(x, past, op);
    }
    return x->message[0] == '\0';
}
