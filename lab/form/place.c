/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scheduling and register assignment. Instructions are issued as soon as their operands are ready
 * and a register is free, the one with the longest dependent chain first. Many such lists are made
 * with a little randomness, and the shortest is taken. Remaining gaps become SFPNOPs, also on the
 * chip whose interlock would wait by itself; they do not occupy cycles that could do other work.
 */
#include "form/form.h"

#include <stdlib.h>
#include <string.h>

#include "base/pool.h"

#include <tensix/asm.h>

enum { TRIES = 300, MORE_TRIES = 900, NEVER = 1 << 20, PATIENCE = 12 };

static void sample_text(const struct form_op *op, char *text, size_t size)
{
    static const char *const reg[] = {"L0", "L1", "L2", "L3", "0", "2"};
    size_t used = 0;
    for (const char *p = op->text; *p != '\0' && used + 4 < size; p++) {
        const char *at = *p == '%' ? strchr("dabciB", p[1]) : NULL;
        if (at == NULL) {
            text[used++] = *p;
        } else {
            used += (size_t)snprintf(text + used, size - used, "%s",
                                     reg[p[1] == 'd'   ? 0
                                         : p[1] == 'i' ? 4
                                         : p[1] == 'B' ? 5
                                                       : p[1] - 'a' + 1]);
            p++;
        }
    }
    text[used] = '\0';
}

int form_measure(struct txl_error *err, struct form_code *c)
{
    const struct tx_asm_options as = {.arch = c->arch};
    for (unsigned i = 0; i < c->ops; i++) {
        struct form_op *op = &c->op[i];
        char text[2 * FORM_TEXT];
        struct tx_program *program = NULL;
        struct tx_diag diag = {0};
        struct tx_decoded last = {0};
        sample_text(op, text, sizeof text);
        const enum tx_status status = tx_assemble(text, strlen(text), &as, &program, &diag);
        if (status != TX_OK) {
            return txl_fail(err, "form: %s: %s", text, diag.message);
        }
        const size_t count = tx_program_count(program, TX_SECTION_TILE);
        const uint32_t *words = tx_program_words(program, TX_SECTION_TILE);
        op->issues = op->cycles = op->latency = (unsigned)count;
        for (size_t k = 0; k < count; k++) {
            (void)tx_decode(c->arch, words[k], &last);
            /*
             * SFPSWAP occupies its sub-unit for two cycles and holds following instructions in the
             * second.
             */
            op->cycles +=
                last.row != NULL && last.row->latency == 2 && last.row->unit == TX_UNIT_SIMPLE ? 1
                                                                                               : 0;
        }
        op->latency += last.row != NULL && last.row->latency > 1 ? last.row->latency - 1U : 0;
        tx_program_free(program);
    }
    return TXL_CONTINUE;
}

/* ---- constants ---- */

static bool is_constant(int value)
{
    return value >= FORM_CONSTANT && value < FORM_REGISTER;
}

/*
 * Assigns registers to constants: L11 to L14 for those that must be there and those that need most
 * bits, then registers of L0 to L7 for so many others.
 */
static uint8_t keep_constants(struct form_code *c, unsigned registers)
{
    unsigned kept = 0;
    unsigned low = FORM_REGS;
    for (unsigned i = 0; i < c->constants; i++) {
        c->constant[i].reg = FORM_NONE;
    }
    for (unsigned pass = 0; kept < FORM_KEPT || FORM_REGS - low < registers; pass++) {
        struct form_constant *best = NULL;
        for (unsigned i = 0; i < c->constants; i++) {
            struct form_constant *one = &c->constant[i];
            if (one->used && one->reg == FORM_NONE &&
                (best == NULL || (one->kept && !best->kept) ||
                 (one->kept == best->kept && one->needs > best->needs))) {
                best = one;
            }
        }
        if (best == NULL) {
            break;
        }
        best->reg = kept < FORM_KEPT ? 11 + (int)kept++ : (int)--low;
    }
    uint8_t taken = 0;
    for (unsigned i = 0; i < c->constants; i++) {
        struct form_constant *one = &c->constant[i];
        taken = (uint8_t)(taken | (one->reg >= 0 && one->reg < FORM_REGS ? 1U << one->reg : 0));
        if (one->type != FORM_BITS) {
            one->type = one->reg != FORM_NONE || one->needs > 11 ? FORM_FP32
                        : one->needs > 8 && one->value < 60000 && one->value > -60000 &&
                                (one->value > 1e-4 || one->value < -1e-4)
                            ? FORM_FP16
                        : one->needs > 8 ? FORM_FP32
                                         : FORM_BF16;
        }
    }
    return taken;
}

/* Adds the instructions that load a constant without a register; all rows share the load. */
static int load_constant(struct form_plan *plan, const struct form_constant *k, int *values)
{
    struct form_op *op = &plan->op[plan->ops++];
    *op = (struct form_op){.in = {FORM_NONE, FORM_NONE, FORM_NONE},
                           .tied = FORM_NONE,
                           .clobbered = FORM_NONE,
                           .out = (*values)++,
                           .row = FORM_NONE,
                           .issues = 1,
                           .cycles = 1,
                           .latency = 1};
    const bool two = k->type == FORM_FP32 || k->type == FORM_BITS;
    snprintf(op->text, sizeof op->text, two ? "sfploadi %%d, hi16(%s), 8" : "sfploadi %%d, %s, %d",
             k->name, k->type == FORM_FP16 ? 1 : 0);
    if (two) {
        struct form_op *second = &plan->op[plan->ops++];
        *second = *op;
        second->tied = op->out;
        second->out = (*values)++;
        snprintf(second->text, sizeof second->text, "sfploadi %%d, lo16(%s), 10", k->name);
        return second->out;
    }
    return op->out;
}

/* Copies the code once for each row and adds loads for constants without a register. */
static bool lower(const struct form_code *c, unsigned rows, struct form_plan *plan)
{
    int loaded[FORM_CONSTANTS];
    int values = (int)(c->values * rows);
    plan->ops = 0;
    plan->rows = rows;
    if ((size_t)values + 2 * (size_t)c->constants > FORM_VALUES ||
        c->ops * rows + 2 * c->constants > FORM_OPS) {
        return false;
    }
    for (unsigned i = 0; i < c->constants; i++) {
        const struct form_constant *k = &c->constant[i];
        loaded[i] = k->reg != FORM_NONE ? FORM_REGISTER + k->reg
                    : k->used           ? load_constant(plan, k, &values)
                                        : FORM_NONE;
    }
    for (unsigned row = 0; row < rows; row++) {
        const int base = (int)(row * c->values);
        for (unsigned i = 0; i < c->ops; i++) {
            struct form_op *op = &plan->op[plan->ops++];
            *op = c->op[i];
            op->row = (int)row;
            op->out += op->out != FORM_NONE ? base : 0;
            op->tied += op->tied != FORM_NONE ? base : 0;
            op->clobbered += op->clobbered != FORM_NONE ? base : 0;
            for (unsigned k = 0; k < FORM_INPUTS; k++) {
                op->in[k] = is_constant(op->in[k])      ? loaded[op->in[k] - FORM_CONSTANT]
                            : op->in[k] == FORM_NONE    ? FORM_NONE
                            : op->in[k] < FORM_CONSTANT ? op->in[k] + base
                                                        : op->in[k];
            }
        }
    }
    return true;
}

/* ---- list scheduling ---- */

/* What a try prefers, in cycles of the chain behind an instruction. */
struct luck {
    unsigned chance; /* at random */
    unsigned lag;    /* the first of the rows */
    unsigned hold;   /* what is not the load of a constant */
    unsigned spare;  /* what leaves fewer registers in use */
    bool sparing;    /* inputs, too, are not loaded before they are wanted */
    bool together;   /* constants are not loaded before all rows want them */
};

struct list {
    const struct form_plan *plan;
    struct luck luck;
    int source[FORM_OPS][FORM_INPUTS + 1]; /* values that each instruction reads, once each */
    unsigned source_count[FORM_OPS];
    int maker[FORM_VALUES];
    /* The readers of value v are reader[first_reader[v]] up to that of v + 1. */
    unsigned first_reader[FORM_VALUES + 1];
    int reader[FORM_OPS * (FORM_INPUTS + 1)];
    unsigned readers[FORM_VALUES], left[FORM_VALUES];
    unsigned there[FORM_VALUES]; /* cycle from which the value can be read */
    unsigned height[FORM_OPS];   /* cycles of the longest chain that starts here */
    bool done[FORM_OPS];
    uint8_t free;
    uint64_t random;
};

static uint32_t draw(struct list *l)
{
    l->random = l->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(l->random >> 33);
}

static bool is_value(int value)
{
    return value >= 0 && value < FORM_CONSTANT;
}

/* Lists each value that the instruction reads, once. */
static unsigned sources(const struct form_op *op, int out[FORM_INPUTS + 1])
{
    unsigned count = 0;
    for (unsigned k = 0; k <= FORM_INPUTS; k++) {
        const int value = k < FORM_INPUTS ? op->in[k] : op->tied;
        bool there = !is_value(value);
        for (unsigned i = 0; i < count; i++) {
            there = there || out[i] == value;
        }
        if (!there) {
            out[count++] = value;
        }
    }
    return count;
}

static void list_readers(struct list *l)
{
    const struct form_plan *plan = l->plan;
    unsigned filled[FORM_VALUES];
    for (unsigned v = 0; v < FORM_VALUES; v++) {
        l->first_reader[v + 1] = l->first_reader[v] + l->readers[v];
        filled[v] = l->first_reader[v];
    }
    for (unsigned i = 0; i < plan->ops; i++) {
        for (unsigned k = 0; k < l->source_count[i]; k++) {
            l->reader[filled[l->source[i][k]]++] = (int)i;
        }
    }
}

static void open_list(struct list *l, const struct form_plan *plan)
{
    *l = (struct list){.plan = plan};
    memset(l->maker, 0xFF, sizeof l->maker);
    for (unsigned i = 0; i < plan->ops; i++) {
        if (plan->op[i].out != FORM_NONE) {
            l->maker[plan->op[i].out] = (int)i;
        }
        l->source_count[i] = sources(&plan->op[i], l->source[i]);
        for (unsigned k = 0; k < l->source_count[i]; k++) {
            l->readers[l->source[i][k]]++;
        }
    }
    list_readers(l);
    /* Loads of constants come first and have no operands made by others, so two passes suffice. */
    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned i = plan->ops; i-- > 0;) {
            const struct form_op *op = &plan->op[i];
            l->height[i] = l->height[i] < op->latency ? op->latency : l->height[i];
            for (unsigned k = 0; k < l->source_count[i]; k++) {
                const int maker = l->maker[l->source[i][k]];
                const unsigned height = maker >= 0 ? l->height[i] + plan->op[maker].latency : 0;
                if (maker >= 0 && l->height[maker] < height) {
                    l->height[maker] = height;
                }
            }
        }
    }
}

/*
 * Delays the load of a constant until the other operands of its reader are on their way; of all its
 * readers, where rows are to go together.
 */
static bool wanted(const struct list *l, const struct form_op *op)
{
    unsigned now = 0;
    const unsigned end = l->first_reader[op->out + 1];
    for (unsigned r = l->first_reader[op->out]; r < end; r++) {
        const int i = l->reader[r];
        const struct form_op *reader = &l->plan->op[i];
        bool others = true;
        for (unsigned k = 0; k < l->source_count[i]; k++) {
            const int value = l->source[i][k];
            others = others && (value == op->out || l->there[value] != NEVER ||
                                l->plan->op[l->maker[value]].row == FORM_NONE);
        }
        now += reader->row == FORM_NONE ? wanted(l, reader) : others;
    }
    return l->luck.together ? now == l->readers[op->out] : now != 0;
}

static bool ready(const struct list *l, unsigned i, unsigned now)
{
    const struct form_op *op = &l->plan->op[i];
    bool frees = op->out == FORM_NONE || op->tied != FORM_NONE;
    for (unsigned k = 0; k < l->source_count[i]; k++) {
        const int value = l->source[i][k];
        const unsigned late = value == op->tied ? op->late : 0;
        if (l->there[value] > now + late ||
            ((value == op->tied || value == op->clobbered) && l->left[value] != 1)) {
            return false;
        }
        frees = frees || l->left[value] == 1;
    }
    const bool at_once = op->row != FORM_NONE && (!l->luck.sparing || l->source_count[i] != 0);
    return (frees || l->free != 0) && (at_once || wanted(l, op));
}

static void issue(struct list *l, struct form_plan *to, unsigned i, unsigned now)
{
    const struct form_op *op = &l->plan->op[i];
    for (unsigned k = 0; k < l->source_count[i]; k++) {
        const int value = l->source[i][k];
        if (--l->left[value] == 0 && value != op->tied) {
            l->free = (uint8_t)(l->free | 1U << to->reg[value]);
        }
    }
    l->done[i] = true;
    if (op->out != FORM_NONE) {
        unsigned reg = 0;
        while ((l->free >> reg & 1) == 0 && op->tied == FORM_NONE) {
            reg++;
        }
        to->reg[op->out] = op->tied != FORM_NONE ? to->reg[op->tied] : (int)reg;
        l->free = (uint8_t)(l->free & ~(1U << to->reg[op->out]));
        l->there[op->out] = now + op->latency;
    }
}

/* Are there more registers free behind the instruction than before it? Of a load: behind a reader.
 */
static bool spares(const struct list *l, unsigned i)
{
    const struct form_op *op = &l->plan->op[i];
    if (op->row == FORM_NONE) {
        const unsigned end = l->first_reader[op->out + 1];
        for (unsigned r = l->first_reader[op->out]; r < end; r++) {
            if (spares(l, (unsigned)l->reader[r])) {
                return true;
            }
        }
        return false;
    }
    int more = op->out == FORM_NONE || op->tied != FORM_NONE ? 0 : -1;
    for (unsigned k = 0; k < l->source_count[i]; k++) {
        more += l->source[i][k] != op->tied && l->left[l->source[i][k]] == 1;
    }
    return more > 0;
}

static unsigned weight_of(struct list *l, unsigned i)
{
    const struct luck *luck = &l->luck;
    const int row = l->plan->op[i].row;
    const unsigned ahead = (row == 0 ? luck->lag : 0) + (row != FORM_NONE ? luck->hold : 0) +
                           (luck->spare != 0 && spares(l, i) ? luck->spare : 0);
    return ((l->height[i] + ahead) << 8) + (luck->chance != 0 ? draw(l) % (luck->chance << 8) : 0) +
           1;
}

/*
 * Makes one list: fills in order, time and registers. Returns false where it gets stuck or reaches
 * limit.
 */
static bool make(struct list *l, uint8_t free, unsigned limit, struct form_plan *to)
{
    unsigned now = 0;
    unsigned idle = 0;
    l->free = free;
    memcpy(l->left, l->readers, sizeof l->left);
    memset(l->done, 0, sizeof l->done);
    for (unsigned i = 0; i < FORM_VALUES; i++) {
        l->there[i] = NEVER;
    }
    for (unsigned placed = 0; placed < l->plan->ops;) {
        int best = FORM_NONE;
        unsigned most = 0;
        for (unsigned i = 0; i < l->plan->ops; i++) {
            if (!l->done[i] && ready(l, i, now)) {
                const unsigned weight = weight_of(l, i);
                best = weight > most ? (int)i : best;
                most = weight > most ? weight : most;
            }
        }
        if (best == FORM_NONE) {
            now++;
            if (++idle > PATIENCE || now >= limit) {
                return false;
            }
            continue;
        }
        idle = 0;
        issue(l, to, (unsigned)best, now);
        to->order[placed] = best;
        to->time[placed++] = now;
        now += l->plan->op[best].cycles;
        if (now >= limit) {
            return false;
        }
    }
    to->length = now;
    return true;
}

/*
 * The first tries prefer long chains. Where none of them has enough registers, the others look for
 * those that need fewer.
 */
static struct luck draw_luck(struct list *l, unsigned number)
{
    struct luck luck = {.chance = number % 8};
    if (number >= TRIES) {
        luck.lag = draw(l) % 48;
        luck.spare = draw(l) % 64;
        luck.hold = draw(l) % 64;
        luck.sparing = true;
        luck.together = draw(l) % 2 == 0;
    }
    return luck;
}

bool form_place(struct form_code *c, unsigned rows, unsigned registers,
                const struct form_patience *patience, struct form_plan *plan)
{
    const uint8_t open = (uint8_t)~keep_constants(c, registers);
    struct list *list = malloc(sizeof *list);
    struct form_plan *attempt = malloc(sizeof *attempt);
    bool found = false;
    if (list != NULL && attempt != NULL && lower(c, rows, plan)) {
        unsigned limit = NEVER;
        *attempt = *plan;
        open_list(list, plan);
        list->random = UINT64_C(0x9E3779B97F4A7C15);
        for (unsigned i = 0; i < TRIES || (!found && i < MORE_TRIES); i++) {
            if ((found || !patience->needed) && clock_seconds() >= patience->until) {
                break;
            }
            list->luck = draw_luck(list, i);
            if (make(list, open, limit, attempt)) {
                const struct form_plan *from = attempt;
                memcpy(plan->order, from->order, sizeof plan->order);
                memcpy(plan->time, from->time, sizeof plan->time);
                memcpy(plan->reg, from->reg, sizeof plan->reg);
                plan->length = limit = from->length;
                found = true;
            }
        }
    }
    free(list);
    free(attempt);
    return found;
}
