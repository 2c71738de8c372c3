/* SPDX-License-Identifier: Apache-2.0 */
/* What an instruction means for real numbers. Sources: the rows of isa/isa.def. */
#include "shadow/shadow.h"

#include "flow/operands.h"

#include <math.h>
#include <string.h>

#define SIGN UINT32_C(0x80000000)

enum shadow_op shadow_op_of(const struct tx_row *row)
{
    switch ((enum tx_insn_id)row->insn) {
    case TX_INSN_SFPMAD:
    case TX_INSN_SFPADD:
    case TX_INSN_SFPMUL:
        return SHADOW_OP_MAD;
    case TX_INSN_SFPMULI:
        return SHADOW_OP_MULI;
    case TX_INSN_SFPADDI:
        return SHADOW_OP_ADDI;
    case TX_INSN_SFPLUT:
        return SHADOW_OP_LUT;
    case TX_INSN_SFPLUTFP32:
        return SHADOW_OP_LUTFP32;
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
    case TX_INSN_SFPTRANSP:
        return SHADOW_OP_TRANSP;
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

static struct shadow_node mad(const struct shadow_rules *r, const struct shadow_found *f,
                              unsigned lane, uint32_t bits)
{
    const struct tx_operands *o = &f->operands;
    unsigned va = (o->mode & 4U) != 0 ? f->bits[7][lane] & 15U : o->va;
    const uint32_t arg[SHADOW_ARGS] = {f->node[va][lane], f->node[o->vb][lane],
                                       f->node[o->vc][lane]};
    unsigned negate = r->blackhole ? (o->mode & 1U) | (o->mode & 2U) << 1 : 0;
    return multiply_add(r, f, arg, negate, bits);
}

static struct shadow_node immediate(const struct shadow_rules *r, const struct shadow_found *f,
                                    unsigned lane, uint32_t bits)
{
    const struct tx_operands *o = &f->operands;
    const uint32_t c = f->node[o->vc][lane];
    const uint32_t imm = r->constant(r->user, o->imm << 16);
    bool minus = r->blackhole && (o->mode & 2U) != 0;
    const uint32_t product[SHADOW_ARGS] = {imm, c, SHADOW_NONE};
    const uint32_t sum[SHADOW_ARGS] = {imm, SHADOW_NONE, c};
    return f->op == SHADOW_OP_MULI ? multiply_add(r, f, product, minus ? 2U : 0U, bits)
                                   : multiply_add(r, f, sum, minus ? 4U : 0U, bits);
}

/* s.e3.m4 with value (1 + m/16) 2^-e; FF is zero. */
static uint32_t coefficient8(uint32_t x)
{
    x &= 255U;
    return x == 255U ? 0 : (x & 128U) << 24 | (127U - (x >> 4 & 7U)) << 23 | (x & 15U) << 19;
}

/* FP16 whose exponent 31 means zero. */
static uint32_t coefficient16(uint32_t x)
{
    uint32_t exponent = x >> 10 & 31U;
    return exponent == 31U ? 0 : (x & 0x8000U) << 16 | (exponent + 112U) << 23 | (x & 0x3FFU) << 13;
}

/* a |L3| + c; mode bit 2 gives the result the sign of L3. */
static struct shadow_node table(const struct shadow_rules *r, const struct shadow_found *f,
                                unsigned lane, uint32_t bits)
{
    const uint32_t x = f->bits[3][lane] & ~SIGN;
    const unsigned piece = x < 0x3F800000U ? 0 : x < 0x40000000U ? 1 : 2;
    const unsigned mode = f->operands.mode;
    const uint32_t word = f->bits[piece][lane];
    uint32_t arg[SHADOW_ARGS] = {f->node[piece][lane], f->node[3][lane], 0};
    if (f->op == SHADOW_OP_LUT) {
        arg[0] = r->constant(r->user, coefficient8(word >> 8));
        arg[2] = r->constant(r->user, coefficient8(word));
    } else if ((mode & 2U) == 0) {
        arg[2] = f->node[piece + 4][lane];
    } else if ((mode & 10U) == 10U) {
        arg[0] = r->constant(r->user, coefficient16(word >> 16));
        arg[2] = r->constant(r->user, coefficient16(word));
    } else {
        static const uint32_t cuts[] = {0x3F000000U, 0x3FC00000U, 0x40400000U, 0x40800000U};
        unsigned cut = piece < 2 ? piece : (mode & 3U) == 3U ? 3 : 2;
        unsigned upper = x >= cuts[cut] ? 16 : 0;
        arg[0] = r->constant(r->user, coefficient16(word >> upper));
        arg[2] = r->constant(r->user, coefficient16(f->bits[piece + 4][lane] >> upper));
    }
    bool negative = (f->bits[3][lane] & SIGN) != 0;
    struct shadow_node node = multiply_add(r, f, arg, negative ? 2U : 0U, bits);
    node.kind = SHADOW_FMA;
    node.by_constant = false;
    node.sign = (mode & 4U) == 0 ? 0 : negative ? -1 : 1;
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
        return unchanged(r, f, lane, bits);
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
    case SHADOW_OP_MAD:
        return mad(r, f, lane, bits);
    case SHADOW_OP_MULI:
    case SHADOW_OP_ADDI:
        return immediate(r, f, lane, bits);
    case SHADOW_OP_LUT:
    case SHADOW_OP_LUTFP32:
        return table(r, f, lane, bits);
    case SHADOW_OP_DIVP2:
        return times_power(r, f, lane, bits);
    case SHADOW_OP_LIKE:
        return like_operand(r, f, lane, bits);
    case SHADOW_OP_SHFT:
    case SHADOW_OP_SETMAN:
        return unchanged(r, f, lane, bits);
    case SHADOW_OP_CAST:
        return cast(f, lane, bits);
    case SHADOW_OP_ROUND:
        return rounding(r, f, lane, bits);
    case SHADOW_OP_SWAP:
        return moved(r, f, reg == o->vc ? o->vb : o->vc, lane, lane, bits);
    case SHADOW_OP_TRANSP:
    case SHADOW_OP_SHFT2:
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
