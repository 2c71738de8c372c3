/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of groups.h, called step by step with everything but the values constant, for one
 * group after the other: the compiler keeps the values in registers.
 */
#include "fast/source.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct out {
    tx_fast_put *put;
    void *user;
};

static void line(const struct out *o, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void line(const struct out *o, const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (length > 0) {
        o->put(o->user, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
    }
}

/* What the emitted calls say of a row: LANE(body), and its sets in the words of isa.def. */
static const struct {
    const char *body, *reads, *writes;
} rows[ROWID_COUNT] = {
#define ROW(id_, mnemonic_, chips, format_, modes_, legal_, unit_, latency_, body_, guard_, \
            implied_, reads_, belief_, writes_, ...)                                        \
    [ROWID_##id_] = {#body_, #reads_, #writes_},
#include "isa/isa.def"
#undef ROW
};

static const char *const kind_names[FAST_KINDS] = {
    [FAST_SELECT] = "select",
    [FAST_ORDER] = "order",
    [FAST_NEXT] = "next",
    [FAST_PICK] = "pick",
    [FAST_PICKED] = "picked",
    [FAST_SIGN] = "sign",
    [FAST_ROTATE] = "rotate",
    [FAST_UP] = "up",
    [FAST_SHIFT1] = "shift1",
    [FAST_FIRST] = "first",
    [FAST_TRANSPOSE] = "transpose",
    [FAST_JOIN] = "join",
    [FAST_EXCHANGED] = "exchanged",
    [FAST_RECIP] = "recip",
    [FAST_CAST] = "cast",
    [FAST_HIGH] = "high",
    [FAST_LOW] = "low",
};

static void constants(const struct out *o, const struct flow *f)
{
    for (size_t i = 0; i < f->constant_count; i++) {
        line(o, "static _Alignas(64) const uint32_t c%zu[FAST_GROUP] = {", i);
        for (unsigned k = 0; k < FAST_GROUP; k++) {
            line(o, "%#x%s", (unsigned)f->constants[i][k], k + 1 < FAST_GROUP ? "," : "};\n");
        }
    }
}

static void operand(const struct out *o, int32_t place)
{
    if (place < PLACE_NONE) {
        line(o, "c%d", (int)(place - PLACE_CONSTANT));
    } else if (place == PLACE_NONE) {
        line(o, "none");
    } else {
        line(o, "a%d", (int)place);
    }
}

static const char *truth(bool b)
{
    return b ? "true" : "false";
}

/* The step's operands and results as local names; what is not used is left NULL. */
static void describe(const struct out *o, const struct plan_step *p, const struct fast_step *s)
{
    line(o, "{ const struct fast_step s = {.op = {.imm = %#x, .mode = %u, .rnd = %u, .vc = %u},\n",
         (unsigned)s->op.imm, s->op.mode, s->op.rnd, s->op.vc);
    line(o, ".rules = rules, .use = %s, .top_use = %s, .depth = %u, .format = %u, .number = %u,\n",
         truth(s->use), truth(s->top_use), s->depth, s->format, s->number);
    line(o, ".masked = %s, .in = {", truth(p->masked));
    for (unsigned i = 0; i < IN_COUNT; i++) {
        operand(o, p->in[i]);
        line(o, ", ");
    }
    line(o, "}, .out = {");
    for (unsigned i = 0; i < OUT_COUNT; i++) {
        operand(o, p->out[i]);
        line(o, ", ");
    }
    line(o, "}");
}

static void call_row(const struct out *o, const struct plan_step *p)
{
    const char *body = rows[p->node.row].body; /* LANE(name) */
    const int length = (int)strcspn(body + 5, ")");
    const bool flags = p->out[OUT_LF] != PLACE_NONE || p->out[OUT_TOP] != PLACE_NONE;
    line(o, "}; lanes_group(&s, 0, sem_%.*s, %s, %s, &s.op, %s, %s); }\n", length, body + 5,
         rows[p->node.row].reads, rows[p->node.row].writes, truth(p->masked), truth(flags));
}

static void call_mad(const struct out *o, const struct plan_step *p, size_t number, bool bh)
{
    static const char *const kinds[] = {"MAD_ANY", "MAD_ONE_A", "MAD_ONE_B", "MAD_TIMES",
                                        "MAD_BOUND"};
    line(o, ", .tier = &tiers[%zu]}; mad_group(%s, %s, %s, &s, 0); }\n", number, truth(bh),
         kinds[p->mad], truth(bh && p->node.mode != 0));
}

static void call_convert(const struct out *o, const struct plan_step *p, const char *name)
{
    line(o, "}; convert_group(&s, 0, %s, (enum tx_format)%u, %u); }\n", name, p->node.format,
         p->node.mode);
}

static void call(const struct out *o, const struct plan_step *p, size_t number, bool bh)
{
    switch ((enum fast_kind)p->node.kind) {
    case FAST_INPUT:
        line(o, "}; input_group(&s, &c, 0); }\n");
        break;
    case FAST_OUTPUT:
        line(o, "}; output_group(&s, &c, 0); }\n");
        break;
    case FAST_ROW:
        call_row(o, p);
        break;
    case FAST_MAD:
        call_mad(o, p, number, bh);
        break;
    case FAST_TERMS:
        line(o, "}; terms_group(&s, 0, %s, %u); }\n", truth(p->node.number != 0), p->node.mode);
        break;
    case FAST_CELL:
        call_convert(o, p, "word_to_cell");
        break;
    case FAST_WORD:
        call_convert(o, p, "cell_to_word");
        break;
    case FAST_LOAD:
        call_convert(o, p, "cell_to_value");
        break;
    case FAST_STORE:
        call_convert(o, p, "value_to_cell");
        break;
    case FAST_LOAD_CELL:
        call_convert(o, p, "word_to_value");
        break;
    case FAST_STORE_WORD:
        call_convert(o, p, "value_to_word");
        break;
    default:
        line(o, "}; %s_group(&s, 0); }\n", kind_names[p->node.kind]);
        break;
    }
}

void fast_source(const struct fast_plan *plan, tx_fast_put *put, void *user)
{
    const struct out o = {put, user};
    const struct fast_rules *r = &plan->from->rules;
    line(&o, "#define FAST_COMPILED 1\n");
    for (size_t i = 0; fast_text[i] != NULL; i++) {
        put(user, fast_text[i], strlen(fast_text[i]));
    }
    constants(&o, plan->from);
    line(&o, "static const struct fast_rules rules = {%s, %s, %s, %s, %s, %s};\n",
         truth(r->blackhole), truth(r->lut16_positive), truth(r->stoch_shifted),
         truth(r->prng_after), truth(r->strict_ties), truth(r->keep_denormals));
    line(&o, "__attribute__((visibility(\"default\"))) void tensix_tile(const uint32_t *const "
             "*inputs, uint32_t *output, uint8_t *tiers)\n{\n"
             "for (unsigned g = 0; g < FAST_GROUPS; g++) {\n"
             "const struct fast_context c = {.inputs = inputs, .output = output, .first = g, "
             ".groups = 1};\n_Alignas(64) uint32_t none[FAST_GROUP];\n(void)tiers;\n(void)none;\n");
    for (unsigned i = 0; i < plan->arrays; i++) {
        line(&o, "_Alignas(64) uint32_t a%u[FAST_GROUP];\n", i);
    }
    for (size_t i = 0; i < plan->count; i++) {
        struct fast_step s;
        flow_step(plan->from, &plan->steps[i].node, &s);
        describe(&o, &plan->steps[i], &s);
        call(&o, &plan->steps[i], i, r->blackhole);
    }
    line(&o, "}\n}\n");
}
