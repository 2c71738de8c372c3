/* SPDX-License-Identifier: Apache-2.0 */
/* What an instruction means for real numbers, according to the tables of isa/. */
#include "base/small.h"
#include "shadow/shadow.h"

#include "flow/operands.h"

#include <math.h>
#include <string.h>

#define SIGN UINT32_C(0x80000000)

enum shadow_meaning shadow_meaning_of(const struct tx_row *row, unsigned mode, struct tx_real *real)
{
    const uint32_t nothing[7] = {0};
    struct tx_piece piece;
    *real = (struct tx_real){.relation = TX_REAL_OWN, .kind = TX_REAL_FLOAT};
    if ((row->reads & TX_SET(DST)) != 0) {
        return SHADOW_BY_LOAD;
    }
    if (tx_row_terms(row) != NULL) {
        return SHADOW_BY_TERMS;
    }
    if (tx_row_table(row, 0, nothing, &piece)) {
        return SHADOW_BY_TABLE;
    }
    if (tx_row_move(row, 0, 0).source != TX_MOVE_NONE) {
        return SHADOW_BY_MOVE;
    }
    (void)tx_row_real(row, mode, real);
    return SHADOW_BY_REAL;
}

int64_t shadow_integer(const struct shadow_node *node)
{
    int64_t magnitude = (int64_t)(node->bits & ~SIGN);
    if (!node->magnitude) {
        return (int32_t)node->bits;
    }
    return (node->bits & SIGN) != 0 ? -magnitude : magnitude;
}

struct shadow_node shadow_plain(enum shadow_kind kind, uint32_t step, uint32_t bits)
{
    return (struct shadow_node){.kind = (uint8_t)kind,
                                .step = step,
                                .bits = bits,
                                .arg = {SHADOW_NONE, SHADOW_NONE, SHADOW_NONE},
                                .precision = 24,
                                .least = -126};
}

static bool reads(const struct shadow_found *f, uint64_t operand)
{
    return (f->row->reads & operand) != 0;
}

/*
 * A node that takes the emulator's result as exact. Its operands are kept as arguments, so that the
 * way goes on through them.
 */
static struct shadow_node shadow_rules_start(const struct shadow_found *f, unsigned lane,
                                             uint32_t bits)
{
    const struct tx_operands *o = &f->operands;
    struct shadow_node node = shadow_plain(SHADOW_START, f->step, bits);
    unsigned args = 0;
    if (reads(f, TX_SET(VC)) && o->vc < SHADOW_REGS) {
        node.arg[args++] = f->node[o->vc][lane];
    }
    if (reads(f, TX_SET(VB)) && o->vb < SHADOW_REGS) {
        node.arg[args++] = f->node[o->vb][lane];
    }
    if (reads(f, TX_SET(VD)) && o->vd < SHADOW_REGS) {
        node.arg[args++] = f->node[o->vd][lane];
    }
    return node;
}

/* As start, with the kind of number that the table gives the bits. */
static struct shadow_node own(const struct shadow_found *f, unsigned lane, uint32_t bits)
{
    struct shadow_node node = shadow_rules_start(f, lane, bits);
    node.integer = f->real.kind != TX_REAL_FLOAT;
    node.magnitude = f->real.kind == TX_REAL_MAGNITUDE;
    return node;
}

static struct shadow_node copy(const struct shadow_rules *r, const struct shadow_found *f,
                               uint32_t from, uint32_t bits)
{
    const struct shadow_node *source = r->at(r->user, from);
    struct shadow_node node = shadow_plain(SHADOW_COPY, f->step, bits);
    node.arg[0] = from;
    node.integer = source->integer;
    node.magnitude = source->magnitude;
    node.constant = source->constant;
    return node;
}

/*
 * Returns whether a constant is so large against the term it is added to that the unit of its last
 * place is 1/2 or more: the kernel then adds it to round on purpose.
 */
static bool rounds_by(double large, double small)
{
    return fabs(large) >= 0x1p22 && fabs(large) <= 0x1p31 && small != 0.0 &&
           fabs(small) <= fabs(large) / 2;
}

static double shadow_rules_number(const struct shadow_rules *r, uint32_t node, double none,
                                  bool *constant)
{
    if (node == SHADOW_NONE) {
        return none;
    }
    *constant = *constant && r->at(r->user, node)->constant;
    return (double)float_of_bits(r->at(r->user, node)->bits);
}

static struct shadow_node multiply_add(const struct shadow_rules *r, const struct shadow_found *f,
                                       const uint32_t arg[SHADOW_ARGS], unsigned negate,
                                       uint32_t bits)
{
    struct shadow_node node = shadow_plain(SHADOW_FMA, f->step, bits);
    bool factors = true;
    bool addend = true;
    memcpy(node.arg, arg, sizeof node.arg);
    node.negate = (uint8_t)negate;
    double product = shadow_rules_number(r, arg[0], 1.0, &factors) *
                     shadow_rules_number(r, arg[1], 1.0, &factors);
    double sum = shadow_rules_number(r, arg[2], 0.0, &addend);
    node.by_constant = (factors && !addend && rounds_by(product, sum)) ||
                       (addend && !factors && rounds_by(sum, product));
    node.kind = node.by_constant ? SHADOW_START : SHADOW_FMA;
    return node;
}

/* Returns the node of an operand of a multiply-add; SHADOW_NONE for the neutral 1 or 0. */
static uint32_t term(const struct shadow_rules *r, const struct shadow_found *f, unsigned lane,
                     enum tx_term which)
{
    const struct tx_operands *o = &f->operands;
    switch (which) {
    case TX_TERM_VA:
        return f
            ->node[tx_indirect_va(f->row->reads, o->mode) ? f->bits[7][lane] & 15U : o->va][lane];
    case TX_TERM_VB:
        return f->node[o->vb][lane];
    case TX_TERM_VC:
        return f->node[o->vc][lane];
    case TX_TERM_IMM:
        return r->constant(r->user, o->imm << 16);
    case TX_TERM_ONE:
    case TX_TERM_ZERO:
        break;
    }
    return SHADOW_NONE;
}

static struct shadow_node terms(const struct shadow_rules *r, const struct shadow_found *f,
                                unsigned lane, uint32_t bits)
{
    const struct tx_terms *t = tx_row_terms(f->row);
    const uint32_t arg[SHADOW_ARGS] = {term(r, f, lane, (enum tx_term)t->x),
                                       term(r, f, lane, (enum tx_term)t->y),
                                       term(r, f, lane, (enum tx_term)t->z)};
    const unsigned mode = r->negates ? f->operands.mode : 0;
    return multiply_add(r, f, arg,
                        ((mode & t->product) != 0 ? 1U : 0U) | ((mode & t->addend) != 0 ? 4U : 0U),
                        bits);
}

/* The node of SFPLUT: a |L3| + c, with the sign of L3 where the modifier retains it. */
static struct shadow_node table(const struct shadow_rules *r, const struct shadow_found *f,
                                unsigned lane, uint32_t bits)
{
    uint32_t lreg[7];
    struct tx_piece p;
    for (unsigned i = 0; i < 7; i++) {
        lreg[i] = f->bits[i][lane];
    }
    (void)tx_row_table(f->row, f->operands.mode, lreg, &p);
    const uint32_t arg[SHADOW_ARGS] = {
        p.whole ? f->node[p.piece][lane] : r->constant(r->user, p.a), f->node[3][lane],
        p.whole ? f->node[p.piece + 4U][lane] : r->constant(r->user, p.c)};
    bool negative = (f->bits[3][lane] & SIGN) != 0;
    struct shadow_node node = multiply_add(r, f, arg, negative ? 2U : 0U, bits);
    node.kind = SHADOW_FMA;
    node.by_constant = false;
    node.sign = !p.retain ? 0 : negative ? -1 : 1;
    return node;
}

/* Returns the register of the first or second operand of the table's entry. */
static unsigned operand(const struct shadow_found *f, unsigned which)
{
    return f->real.operand[which] == TX_FLD_VB ? f->operands.vb : f->operands.vc;
}

/* A value that came unchanged from another register or lane, as the equal bits prove. */
static struct shadow_node moved(const struct shadow_rules *r, const struct shadow_found *f,
                                unsigned reg, unsigned from, unsigned lane, uint32_t bits)
{
    if (reg < SHADOW_REGS && from < TX_LANES && f->bits[reg][from] == bits) {
        return copy(r, f, f->node[reg][from], bits);
    }
    return shadow_rules_start(f, lane, bits);
}

static struct shadow_node between_lanes(const struct shadow_rules *r, const struct shadow_found *f,
                                        unsigned reg, unsigned lane, uint32_t bits)
{
    struct flow_move from;
    if (!flow_moves(f->row, &f->operands, reg, lane, &from)) {
        return shadow_rules_start(f, lane, bits);
    }
    return moved(r, f, from.reg, from.lane, lane, bits);
}

static bool normal(uint32_t bits)
{
    return (bits >> 23 & 255U) - 1U < 254U;
}

/*
 * Whether the result is an operand with another sign or another exponent. Then *node is a scaled
 * copy.
 */
static bool scaled(const struct shadow_rules *r, const struct shadow_found *f, uint32_t from,
                   uint32_t bits, struct shadow_node *node)
{
    const struct shadow_node *source = r->at(r->user, from);
    const uint32_t in = source->bits;
    const bool turned = (in ^ bits) == SIGN;
    const bool exponent = ((in ^ bits) & 0x7FFFFFU) == 0 && normal(in) && normal(bits);
    if (source->integer || (!turned && !exponent)) {
        return false;
    }
    *node = copy(r, f, from, bits);
    node->kind = SHADOW_SCALE;
    node->negate = (uint8_t)((in ^ bits) >> 31);
    node->scale = (int16_t)((int)(bits >> 23 & 255U) - (int)(in >> 23 & 255U));
    return true;
}

/* The relations SAME and LIKE: a copy of the first operand for which the bits allow it. */
static struct shadow_node one_of(const struct shadow_rules *r, const struct shadow_found *f,
                                 unsigned lane, uint32_t bits)
{
    for (unsigned i = 0; i < f->real.operands; i++) {
        const unsigned reg = operand(f, i);
        const uint32_t from = f->node[reg][lane];
        struct shadow_node node;
        if (f->bits[reg][lane] == bits) {
            return copy(r, f, from, bits);
        }
        if (f->real.relation == TX_REAL_LIKE && scaled(r, f, from, bits, &node)) {
            return node;
        }
    }
    return own(f, lane, bits);
}

static struct shadow_node times_power(const struct shadow_rules *r, const struct shadow_found *f,
                                      unsigned lane, uint32_t bits)
{
    const uint32_t imm = f->operands.imm;
    struct shadow_node node = copy(r, f, f->node[operand(f, 0)][lane], bits);
    node.kind = SHADOW_SCALE;
    node.scale = (int16_t)((imm & 0x80U) != 0 ? (int)(imm & 255U) - 256 : (int)imm);
    return node;
}

/* The relations ROUNDED, BOUNDED, QUOTIENT and NUMBER. */
static struct shadow_node rounded(const struct shadow_rules *r, const struct shadow_found *f,
                                  unsigned lane, uint32_t bits)
{
    const unsigned reg = operand(f, 0);
    struct shadow_node node = own(f, lane, bits);
    if (f->real.relation == TX_REAL_ROUNDED) {
        node = copy(r, f, f->node[reg][lane], bits);
        node.precision = (uint8_t)f->real.amount;
        node.constant = false;
    } else if (f->real.relation == TX_REAL_BOUNDED) {
        node.limited = fabs((double)float_of_bits(f->bits[reg][lane])) > (double)f->real.amount;
    } else if (f->real.relation == TX_REAL_NUMBER) {
        node.kind = SHADOW_WHOLE;
    }
    node.random = tx_row_draws(f->row, f->operands.rounding);
    return node;
}

/*
 * The relations ABOUT and ABOUT_WHERE; with the latter the first operand stays as it is where the
 * second one is not negative.
 */
static struct shadow_node approximation(const struct shadow_found *f, unsigned lane, uint32_t bits)
{
    struct shadow_node node = own(f, lane, bits);
    node.vanished = (bits & ~SIGN) == 0 && normal(f->bits[operand(f, 0)][lane]);
    return node;
}

static struct shadow_node by_relation(const struct shadow_rules *r, const struct shadow_found *f,
                                      unsigned reg, unsigned lane, uint32_t bits)
{
    struct shadow_node node;
    switch ((enum tx_real_relation)f->real.relation) {
    case TX_REAL_OWN:
        break;
    case TX_REAL_SAME:
    case TX_REAL_LIKE:
        return one_of(r, f, lane, bits);
    case TX_REAL_TIMES_POWER:
        return times_power(r, f, lane, bits);
    case TX_REAL_NUMBER:
    case TX_REAL_ROUNDED:
    case TX_REAL_BOUNDED:
    case TX_REAL_QUOTIENT:
        return rounded(r, f, lane, bits);
    case TX_REAL_ABOUT_WHERE:
        if ((f->bits[operand(f, 1)][lane] & SIGN) == 0) {
            return moved(r, f, operand(f, 0), lane, lane, bits);
        }
        return approximation(f, lane, bits);
    case TX_REAL_ABOUT:
        return approximation(f, lane, bits);
    case TX_REAL_EXCHANGED:
        return moved(r, f, reg == f->operands.vc ? f->operands.vb : f->operands.vc, lane, lane,
                     bits);
    case TX_REAL_CONSTANT: /* halves too: the other half is of the same constant */
        node = shadow_plain(SHADOW_START, f->step, bits);
        node.constant = true;
        return node;
    }
    return own(f, lane, bits);
}

struct shadow_node shadow_rule(const struct shadow_rules *r, const struct shadow_found *f,
                               unsigned reg, unsigned lane, uint32_t bits)
{
    switch ((enum shadow_meaning)f->meaning) {
    case SHADOW_BY_TERMS:
        return terms(r, f, lane, bits);
    case SHADOW_BY_TABLE:
        return table(r, f, lane, bits);
    case SHADOW_BY_MOVE:
        return between_lanes(r, f, reg, lane, bits);
    case SHADOW_BY_LOAD:
    case SHADOW_BY_REAL:
        break;
    }
    return by_relation(r, f, reg, lane, bits);
}
