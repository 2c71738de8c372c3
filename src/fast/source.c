/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Translates a plan to C: calls of the functions of groups.h, step by step, with everything but the
 * values constant, for one group after the other, so that the compiler keeps values in registers. A
 * plan in the tile shape is cut into parts, each a function of its own, since compilers take long
 * for long functions; parts that differ only in their vector share a function.
 */
#include "fast/source.h"

#include "fast/steps.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PART = 64 }; /* steps in a part at most */

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

/* What the emitted calls need of a row: its LANE(body), and its sets as isa.def writes them. */
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

static void constants(const struct out *o, const struct dag *dag)
{
    for (size_t i = 0; i < dag->constant_count; i++) {
        line(o, "static _Alignas(64) const uint32_t c%zu[FAST_GROUP] = {", i);
        for (unsigned k = 0; k < FAST_GROUP; k++) {
            line(o, "%#x%s", (unsigned)dag->constants[i][k], k + 1 < FAST_GROUP ? "," : "};\n");
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

/* Prints the step's description; its operands and results are local names. */
static void describe(const struct out *o, const struct plan_step *p, const struct fast_step *s)
{
    line(o,
         "{ const struct fast_step s = {.op = {.imm = %#x%s, .mode = %u, .rnd = %u, .vc = %u},\n",
         (unsigned)s->op.imm, s->kind == FAST_ROW && s->vector == STEPS_GIVEN ? " + imm" : "",
         s->op.mode, s->op.rnd, s->op.vc);
    line(o, ".vector = (2 * pair + %u) & 31u, ", s->vector);
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
    const char *body = rows[p->node.row].body; /* it is LANE(name) */
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
         kinds[p->mad], truth(bh && p->node.mode != TX_MOD_SFPMAD_OFFSET_NONE));
}

static void call_convert(const struct out *o, const struct plan_step *p, const char *name)
{
    line(o, "}; convert_group(&s, 0, %s, (enum tx_format)%u, %u); }\n", name, p->node.format,
         p->node.mode);
}

static void call(const struct out *o, const struct plan_step *p, size_t number, bool bh, bool tiles)
{
    switch ((enum fast_kind)p->node.kind) {
    case FAST_INPUT:
        line(o, "}; input_%s(&s, c, 0); }\n", tiles ? "tiles" : "group");
        break;
    case FAST_OUTPUT:
        line(o, "}; output_%s(&s, c, 0); }\n", tiles ? "tiles" : "group");
        break;
    case FAST_SEED:
        line(o, "}; seed_tiles(&s, c, 0); }\n");
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

static void steps(const struct out *o, const struct fast_plan *plan, const struct plan_step *list,
                  size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct fast_step s;
        dag_step(plan->from, &list[i].node, &s);
        describe(o, &list[i], &s);
        call(o, &list[i], i, plan->from->rules.arithmetic_bh, !plan->vector_shape);
    }
}

static void arrays(const struct out *o, unsigned count)
{
    line(o, "_Alignas(64) uint32_t none[FAST_GROUP];\n(void)none;\n(void)tiers;\n");
    for (unsigned i = 0; i < count; i++) {
        line(o, "_Alignas(64) uint32_t a%u[FAST_GROUP];\n", i);
    }
}

static const char *const head =
    "__attribute__((visibility(\"default\"))) void tensix_tile(const uint32_t *const *inputs, "
    "uint32_t *output, const uint32_t *seeds, uint8_t *tiers)\n{\n";

/* ---- the vector shape ---- */

static void whole_groups(const struct out *o, const struct fast_plan *plan)
{
    line(o, "%s(void)seeds;\nenum { pair = 0 };\nfor (unsigned g = 0; g < FAST_GROUPS; g++) {\n",
         head);
    line(o, "const struct fast_context context = {.inputs = inputs, .output = output, .first = g, "
            ".groups = 1};\nconst struct fast_context *c = &context;\n(void)c;\n");
    arrays(o, plan->arrays);
    steps(o, plan, plan->steps, plan->count);
    line(o, "}\n}\n");
}

/* ---- the tile shape ---- */

/*
 * A part: some steps with arrays of its own. For each array, its outer name, and whether it is
 * copied in or out.
 */
struct part {
    size_t from, count;
    unsigned pair; /* half the vector number of the first input or output */
    unsigned arrays;
    int32_t *outer;
    bool *in, *out;
    size_t function; /* number of the part whose function is called */
};

struct parts {
    const struct fast_plan *plan;
    struct plan_step *steps;
    struct part *list;
    size_t count;
    /* Names: the local name by outer name; the other three: storage for all parts. */
    int32_t *names, *outer;
    bool *in, *out;
};

/* Returns the part's name of an array; at its first use it gets one. */
static int32_t local(const struct parts *ps, struct part *p, int32_t outer, bool reads)
{
    if (outer < 0) {
        return outer;
    }
    if (ps->names[outer] == PLACE_NONE) {
        p->in[p->arrays] = reads;
        p->outer[p->arrays] = outer;
        ps->names[outer] = (int32_t)p->arrays++;
    }
    return ps->names[outer];
}

/* Returns whether the value at this place after this step is read by a later step. */
static bool read_later(const struct fast_plan *plan, size_t step, int32_t place)
{
    for (; step < plan->count; step++) {
        for (unsigned i = 0; i < IN_COUNT; i++) {
            if (plan->steps[step].in[i] == place) {
                return true;
            }
        }
        for (unsigned i = 0; i < OUT_COUNT; i++) {
            if (plan->steps[step].out[i] == place) {
                return false;
            }
        }
    }
    return false;
}

static bool of_tiles(const struct plan_step *s)
{
    return s->node.kind == FAST_INPUT || s->node.kind == FAST_OUTPUT;
}

/* Copies the steps of a part with names relative to it, so that equal parts compare equal. */
static void rename_part(const struct parts *ps, struct part *p)
{
    bool first = true;
    memset(p->out, 0, ps->plan->arrays * sizeof *p->out);
    for (unsigned i = 0; i < ps->plan->arrays; i++) {
        ps->names[i] = PLACE_NONE;
    }
    for (size_t n = p->from; n < p->from + p->count; n++) {
        struct plan_step *s = &ps->steps[n];
        memcpy(s, &ps->plan->steps[n], sizeof *s);
        memset(s->node.in, 0, sizeof s->node.in);
        for (unsigned i = 0; i < IN_COUNT; i++) {
            s->in[i] = local(ps, p, s->in[i], true);
        }
        for (unsigned i = 0; i < OUT_COUNT; i++) {
            s->out[i] = local(ps, p, s->out[i], false);
            p->out[s->out[i] < 0 ? 0 : s->out[i]] |= s->out[i] >= 0;
        }
        if (of_tiles(s)) {
            p->pair = first ? s->node.vector / 2u : p->pair;
            first = false;
            s->node.vector = (uint16_t)((s->node.vector - 2 * p->pair) & 31u);
        }
    }
    for (unsigned i = 0; i < p->arrays; i++) {
        p->out[i] = p->out[i] && read_later(ps->plan, p->from + p->count, p->outer[i]);
    }
}

static bool same_part(const struct parts *ps, const struct part *a, const struct part *b)
{
    return a->count == b->count && a->arrays == b->arrays &&
           memcmp(ps->steps + a->from, ps->steps + b->from, a->count * sizeof *ps->steps) == 0 &&
           memcmp(a->in, b->in, a->arrays * sizeof *a->in) == 0 &&
           memcmp(a->out, b->out, a->arrays * sizeof *a->out) == 0;
}

/* Cuts the plan into parts: after each output, and when a part gets too long. */
static void cut(struct parts *ps)
{
    const struct fast_plan *plan = ps->plan;
    for (size_t from = 0, n = 0; n < plan->count; n++) {
        if (n + 1 < plan->count && n + 1 - from < PART && plan->steps[n].node.kind != FAST_OUTPUT) {
            continue;
        }
        const size_t room = ps->count * plan->arrays;
        struct part *p = &ps->list[ps->count];
        *p = (struct part){.from = from,
                           .count = n + 1 - from,
                           .outer = ps->outer + room,
                           .in = ps->in + room,
                           .out = ps->out + room};
        rename_part(ps, p);
        p->function = 0;
        while (!same_part(ps, &ps->list[p->function], p)) {
            p->function++;
        }
        ps->count++;
        from = n + 1;
    }
}

static void part_function(const struct out *o, const struct parts *ps, size_t number)
{
    const struct part *p = &ps->list[number];
    line(o,
         "static __attribute__((noinline)) void part%zu(const struct fast_context *c, "
         "unsigned pair, uint8_t *tiers, uint32_t *const *outer)\n{\n(void)pair;\n(void)outer;\n",
         number);
    arrays(o, p->arrays);
    for (unsigned i = 0; i < p->arrays; i++) {
        if (p->in[i]) {
            line(o, "memcpy(a%u, outer[%u], sizeof a%u);\n", i, i, i);
        }
    }
    steps(o, ps->plan, ps->steps + p->from, p->count);
    for (unsigned i = 0; i < p->arrays; i++) {
        if (p->out[i]) {
            line(o, "memcpy(outer[%u], a%u, sizeof a%u);\n", i, i, i);
        }
    }
    line(o, "}\n");
}

static void call_part(const struct out *o, const struct part *p)
{
    line(o, "part%zu(&c, %u, tiers + %zu, (uint32_t *const[]){", p->function, p->pair, p->from);
    for (unsigned i = 0; i < p->arrays; i++) {
        line(o, p->in[i] || p->out[i] ? "a%d, " : "none, ", (int)p->outer[i]);
    }
    line(o, "none});\n");
}

static bool print_parts(const struct out *o, struct parts *ps)
{
    if (ps->steps == NULL || ps->list == NULL || ps->names == NULL || ps->outer == NULL ||
        ps->in == NULL || ps->out == NULL) {
        return false;
    }
    cut(ps);
    for (size_t i = 0; i < ps->count; i++) {
        if (ps->list[i].function == i) {
            part_function(o, ps, i);
        }
    }
    line(o,
         "%sconst struct fast_context c = {.inputs = inputs, .output = output, .seeds = seeds, "
         ".groups = 1};\n",
         head);
    arrays(o, ps->plan->arrays);
    for (size_t i = 0; i < ps->count; i++) {
        call_part(o, &ps->list[i]);
    }
    line(o, "}\n");
    return true;
}

static bool whole_tiles(const struct out *o, const struct fast_plan *plan)
{
    const size_t most = plan->count / PART + 32; /* a part ends when it is full or at an output */
    const size_t room = plan->arrays + 1;        /* plus one, because there may be no arrays */
    struct parts ps = {.plan = plan,
                       .steps = calloc(plan->count, sizeof *ps.steps),
                       .list = calloc(most, sizeof *ps.list),
                       .names = calloc(room, sizeof *ps.names),
                       .outer = calloc(most * room, sizeof *ps.outer),
                       .in = calloc(most * room, sizeof *ps.in),
                       .out = calloc(most * room, sizeof *ps.out)};
    const bool good = print_parts(o, &ps);
    free(ps.steps);
    free(ps.list);
    free(ps.names);
    free(ps.outer);
    free(ps.in);
    free(ps.out);
    return good;
}

static void preamble(const struct out *o, const struct dag *dag)
{
    const struct fast_rules *r = &dag->rules;
    line(o, "#define FAST_COMPILED 1\n");
    for (size_t i = 0; fast_text[i] != NULL; i++) {
        o->put(o->user, fast_text[i], strlen(fast_text[i]));
    }
    constants(o, dag);
    line(o, "static const struct fast_rules rules = {%s, %s, %s, %s, %s, %s};\n",
         truth(r->arithmetic_bh), truth(r->lut16_positive), truth(r->stoch_shifted),
         truth(r->prng_after), truth(r->strict_ties), truth(r->keep_denormals));
}

bool fast_source(const struct fast_plan *plan, tx_fast_put *put, void *user)
{
    const struct out o = {put, user};
    preamble(&o, plan->from);
    if (plan->vector_shape) {
        whole_groups(&o, plan);
        return true;
    }
    return whole_tiles(&o, plan);
}

/* ---- single steps ---- */

static void one_step(const struct out *o, const struct dag *set, size_t number)
{
    struct plan_step p = {.node = set->nodes[number]};
    struct fast_step s;
    dag_step(set, &p.node, &s);
    line(o,
         "static void step%zu(const uint32_t *const *in, uint32_t *const *out, uint32_t imm, "
         "uint8_t *tiers)\n{\nenum { pair = 0 };\n(void)tiers;\n(void)imm;\n",
         number);
    for (unsigned i = 0; i < IN_COUNT; i++) {
        p.in[i] = (int32_t)i;
        line(o, "const uint32_t *const a%u = in[%u];\n", i, i);
    }
    for (unsigned i = 0; i < OUT_COUNT; i++) {
        p.out[i] = (int32_t)(IN_COUNT + i);
        line(o, "uint32_t *const a%u = out[%u];\n", IN_COUNT + i, i);
    }
    describe(o, &p, &s);
    call(o, &p, 0, set->rules.arithmetic_bh, true);
    line(o, "}\n");
}

void fast_source_steps(const struct dag *set, size_t first, size_t count, tx_fast_put *put,
                       void *user)
{
    const struct out o = {put, user};
    preamble(&o, set);
    for (size_t i = 0; i < count; i++) {
        one_step(&o, set, first + i);
    }
    line(&o, "typedef void tensix_step(const uint32_t *const *, uint32_t *const *, uint32_t, "
             "uint8_t *);\n"
             "__attribute__((visibility(\"default\"))) tensix_step *const tensix_steps[] = {\n");
    for (size_t i = 0; i < count; i++) {
        line(&o, "step%zu,\n", first + i);
    }
    line(&o, "};\n");
}
