/* SPDX-License-Identifier: Apache-2.0 */
/* What an instruction means for real numbers. Sources: the rows of isa/isa.def. */
#include "shadow/shadow.h"

#include "flow/operands.h"

#include <math.h>
#include <string.h>

#define SIGN UINT32_C(0x80000000)

enum shadow_op shadow_op_of(const struct tx_row *row)
{
    const uint32_t nothing[7] = {0};
    struct tx_piece piece;
    if (tx_row_terms(row) != NULL) {
        return SHADOW_OP_TERMS;
    }
    if (tx_row_table(row, 0, nothing, &piece)) {
        return SHADOW_OP_TABLE;
    }
    if (tx_row_move(row, 0, 0).source != TX_MOVE_NONE) {
        return SHADOW_OP_MOVE;
    }
    switch ((enum tx_insn_id)row->insn) {
    case TX_INSN_SFPDIVP2:
        return SHADOW_OP_DIVP2;
    case TX_INSN_SFPSETEXP:
    case TX_INSN_SFPSETSGN:
    case TX_INSN_SFPABS:
    case TX_INSN_SFPIADD:
    case TX_INSN_SFPAND:
    case TX_INSN_SFPOR:
    case TX_INSN_SFPXOR:
        return SHADOW_OP_LIKE;
    case TX_INSN_SFPCAST:
        return SHADOW_OP_CAST;
    case TX_INSN_SFPSTOCHRND:
        return SHADOW_OP_ROUND;
    case TX_INSN_SFPSHFT:
        return SHADOW_OP_SHFT;
    case TX_INSN_SFPSETMAN:
        return SHADOW_OP_SETMAN;
    case TX_INSN_SFPSWAP:
        return SHADOW_OP_SWAP;
    case TX_INSN_SFPSHFT2:
        return SHADOW_OP_SHFT2;
    case TX_INSN_SFPLOADI:
        return SHADOW_OP_LOADI;
    case TX_INSN_SFPLOAD:
    case TX_INSN_SFPLOADMACRO:
        return SHADOW_OP_LOAD;
    case TX_INSN_SFPSTORE:
        return SHADOW_OP_STORE;
    case TX_INSN_SFPARECIP:
        return SHADOW_OP_ARECIP;
    case TX_INSN_SFPMOV:
        return row->number == TX_ROW_SFPMOV_SPECIAL ? SHADOW_OP_OTHER : SHADOW_OP_LIKE;
    default:
        return SHADOW_OP_OTHER;
    }
}

float shadow_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
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

/* The emulator's result; its operands are kept, so that the way leads on through them. */
static struct shadow_node start(const struct shadow_found *f, unsigned lane, uint32_t bits)
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

static struct shadow_node whole_number(const struct shadow_found *f, unsigned lane, uint32_t bits)
{
    struct shadow_node node = start(f, lane, bits);
    node.integer = true;
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
 * A constant that dwarfs what it is added to: its last place is 1/2 or more, and the sum is rounded
 * to that on purpose.
 */
static bool rounds_by(double large, double small)
{
    return fabs(large) >= 0x1p22 && fabs(large) <= 0x1p31 && small != 0.0 &&
           fabs(small) <= fabs(large) / 2;
}

static double number(const struct shadow_rules *r, uint32_t node, double none, bool *constant)
{
    if (node == SHADOW_NONE) {
        return none;
    }
    *constant = *constant && r->at(r->user, node)->constant;
    return (double)shadow_float(r->at(r->user, node)->bits);
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
    double product = number(r, arg[0], 1.0, &factors) * number(r, arg[1], 1.0, &factors);
    double sum = number(r, arg[2], 0.0, &addend);
    node.by_constant = (factors && !addend && rounds_by(product, sum)) ||
                       (addend && !factors && rounds_by(sum, product));
    node.kind = node.by_constant ? SHADOW_START : SHADOW_FMA;
    return node;
}

/* What one of the three operands is; SHADOW_NONE where it is 1 or 0 and changes nothing. */
static uint32_t term(const struct shadow_rules *r, const struct shadow_found *f, unsigned lane,
                     enum tx_term which)
{
    const struct tx_operands *o = &f->operands;
    switch (which) {
    case TX_TERM_VA:
        return f->node[(o->mode & 4U) != 0 ? f->bits[7][lane] & 15U : o->va][lane];
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
    const unsigned mode = r->blackhole ? f->operands.mode : 0;
    return multiply_add(r, f, arg,
                        ((mode & t->product) != 0 ? 1U : 0U) | ((mode & t->addend) != 0 ? 4U : 0U),
                        bits);
}

/* a |L3| + c, with the sign of L3 if that is wanted. */
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

static bool normal(uint32_t bits)
{
    return (bits >> 23 & 255U) - 1U < 254U;
}

/* The operand with another sign, another exponent or neither; else START. */
static bool like(const struct shadow_rules *r, const struct shadow_found *f, uint32_t from,
                 uint32_t bits, struct shadow_node *node)
{
    const struct shadow_node *source = r->at(r->user, from);
    const uint32_t in = source->bits;
    if (in == bits) {
        *node = copy(r, f, from, bits);
        return true;
    }
    bool turned = (in ^ bits) == SIGN;
    bool scaled = ((in ^ bits) & 0x7FFFFFU) == 0 && normal(in) && normal(bits);
    if (source->integer || (!turned && !scaled)) {
        return false;
    }
    *node = copy(r, f, from, bits);
    node->kind = SHADOW_SCALE;
    node->negate = (uint8_t)((in ^ bits) >> 31);
    node->scale = (int16_t)((int)(bits >> 23 & 255U) - (int)(in >> 23 & 255U));
    return true;
}

static struct shadow_node like_operand(const struct shadow_rules *r, const struct shadow_found *f,
                                       unsigned lane, uint32_t bits)
{
    const struct tx_operands *o = &f->operands;
    bool second = f->row->insn != TX_INSN_SFPSETEXP && f->row->insn != TX_INSN_SFPSETSGN &&
                  reads(f, TX_SET(VB));
    struct shadow_node node;
    if (like(r, f, f->node[o->vc][lane], bits, &node) ||
        (second && like(r, f, f->node[o->vb][lane], bits, &node))) {
        return node;
    }
    return f->row->insn == TX_INSN_SFPIADD ? whole_number(f, lane, bits) : start(f, lane, bits);
}

/* Mode bit 0 adds to the exponent, modulo 256. */
static struct shadow_node times_power(const struct shadow_rules *r, const struct shadow_found *f,
                                      unsigned lane, uint32_t bits)
{
    const struct tx_operands *o = &f->operands;
    if ((o->mode & 1U) == 0) {
        return like_operand(r, f, lane, bits);
    }
    struct shadow_node node = copy(r, f, f->node[o->vc][lane], bits);
    node.kind = SHADOW_SCALE;
    node.scale = (int16_t)((o->imm & 0x80U) != 0 ? (int)(o->imm & 255U) - 256 : (int)o->imm);
    return node;
}

static struct shadow_node rounding(const struct shadow_rules *r, const struct shadow_found *f,
                                   unsigned lane, uint32_t bits)
{
    const struct tx_operands *o = &f->operands;
    struct shadow_node node = whole_number(f, lane, bits);
    node.magnitude = true;
    if (f->row->number == TX_ROW_SFPSTOCHRND_FLOAT) {
        node = copy(r, f, f->node[o->vc][lane], bits);
        node.precision = (o->mode & 1U) != 0 ? 8 : 11;
        node.constant = false;
    } else if (f->row->number == TX_ROW_SFPSTOCHRND_INT) {
        unsigned width = ((o->mode & 4U) != 0 ? 16U : 8U) - (o->mode & 1U);
        double most = ldexp(1.0, (int)width) - 1.0;
        node.limited = fabs((double)shadow_float(f->bits[o->vc][lane])) > most;
    }
    node.random = (o->rounding & 1U) != 0;
    return node;
}

static struct shadow_node cast(const struct shadow_found *f, unsigned lane, uint32_t bits)
{
    struct shadow_node node = start(f, lane, bits);
    const bool random = f->row->number == TX_ROW_SFPCAST_RNS;
    if (random || f->row->number == TX_ROW_SFPCAST_RNE) {
        node.kind = SHADOW_WHOLE;
        node.random = random;
    } else {
        node.integer = true;
    }
    return node;
}

/* A value that came from another register or lane; the bits prove it. */
static struct shadow_node moved(const struct shadow_rules *r, const struct shadow_found *f,
                                unsigned reg, unsigned from, unsigned lane, uint32_t bits)
{
    if (reg < SHADOW_REGS && from < TX_LANES && f->bits[reg][from] == bits) {
        return copy(r, f, f->node[reg][from], bits);
    }
    return start(f, lane, bits);
}

/* Shifts and mantissas that leave an operand as it is: moves. */
static struct shadow_node unchanged(const struct shadow_rules *r, const struct shadow_found *f,
                                    unsigned lane, uint32_t bits)
{
    const struct tx_operands *o = &f->operands;
    if (reads(f, TX_SET(VB)) && f->op != SHADOW_OP_SETMAN && f->bits[o->vb][lane] == bits) {
        return copy(r, f, f->node[o->vb][lane], bits);
    }
    if (reads(f, TX_SET(VC)) && f->op != SHADOW_OP_SHFT2 && f->bits[o->vc][lane] == bits) {
        return copy(r, f, f->node[o->vc][lane], bits);
    }
    return f->op == SHADOW_OP_SETMAN ? start(f, lane, bits) : whole_number(f, lane, bits);
}

static struct shadow_node between_lanes(const struct shadow_rules *r, const struct shadow_found *f,
                                        unsigned reg, unsigned lane, uint32_t bits)
{
    struct flow_move from;
    if (!flow_moves(f->row, &f->operands, reg, lane, &from)) {
        return start(f, lane, bits);
    }
    return moved(r, f, from.reg, from.lane, lane, bits);
}

/* SFPARECIP. Mode 1 leaves alone what VB does not ask for. */
static struct shadow_node approximation(const struct shadow_rules *r, const struct shadow_found *f,
                                        unsigned lane, uint32_t bits)
{
    const struct tx_operands *o = &f->operands;
    const uint32_t x = f->bits[o->vc][lane];
    if (o->mode == 1 && (f->bits[o->vb][lane] & SIGN) == 0) {
        return moved(r, f, o->vc, lane, lane, bits);
    }
    struct shadow_node node = start(f, lane, bits);
    node.vanished = (bits & ~SIGN) == 0 && normal(x);
    return node;
}

static struct shadow_node other(const struct shadow_found *f, unsigned lane, uint32_t bits)
{
    struct shadow_node node = start(f, lane, bits);
    switch ((enum tx_insn_id)f->row->insn) {
    case TX_INSN_SFPEXEXP:
    case TX_INSN_SFPEXMAN:
    case TX_INSN_SFPLZ:
    case TX_INSN_SFPMUL24:
    case TX_INSN_SFPLE:
    case TX_INSN_SFPGT:
        node.integer = true;
        break;
    default:
        break;
    }
    return node;
}

struct shadow_node shadow_rule(const struct shadow_rules *r, const struct shadow_found *f,
                               unsigned reg, unsigned lane, uint32_t bits)
{
    const struct tx_operands *o = &f->operands;
    struct shadow_node node;
    switch ((enum shadow_op)f->op) {
    case SHADOW_OP_TERMS:
        return terms(r, f, lane, bits);
    case SHADOW_OP_TABLE:
        return table(r, f, lane, bits);
    case SHADOW_OP_DIVP2:
        return times_power(r, f, lane, bits);
    case SHADOW_OP_LIKE:
        return like_operand(r, f, lane, bits);
    case SHADOW_OP_SHFT:
    case SHADOW_OP_SHFT2:
    case SHADOW_OP_SETMAN:
        return unchanged(r, f, lane, bits);
    case SHADOW_OP_CAST:
        return cast(f, lane, bits);
    case SHADOW_OP_ROUND:
        return rounding(r, f, lane, bits);
    case SHADOW_OP_SWAP:
        return moved(r, f, reg == o->vc ? o->vb : o->vc, lane, lane, bits);
    case SHADOW_OP_MOVE:
        return between_lanes(r, f, reg, lane, bits);
    case SHADOW_OP_LOADI: /* halves, too: the other half is of the same constant */
        node = shadow_plain(SHADOW_START, f->step, bits);
        node.constant = true;
        return node;
    case SHADOW_OP_ARECIP:
        return approximation(r, f, lane, bits);
    case SHADOW_OP_LOAD:
    case SHADOW_OP_STORE:
    case SHADOW_OP_OTHER:
        break;
    }
    return other(f, lane, bits);
}
