/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops that count while they wait, such as a heartbeat. One round of the loop is followed word by
 * word: which values are the same in every round, which go on by a constant from round to round,
 * and which are made anew from those. As long as neither a branch nor an address depends on what
 * differs, all rounds are alike, and any number of them can be made up for: counters go on by their
 * steps, and the last round, which is executed, makes the rest.
 */
#include "riscv/alu.h"
#include "base/check.h"
#include "riscv/core.h"

enum { CELLS = RISCV_CLOCK_USES, PLACES = 32 + CELLS, LONGEST = 512 };

/* COUNTS: the value that the place "base" had at the start of the round, plus a constant. */
enum kind { FIXED, COUNTS, MADE };

struct value {
    uint32_t now;
    uint8_t kind, base;
};

struct place {
    struct value value;
    uint32_t before;
    bool read_first, written;
};

struct walk {
    const struct riscv *core;
    uint32_t pc;
    /* Registers, then words of memory. */
    struct place place[PLACES];
    uint32_t address[CELLS];
    unsigned cells, most; /* so many may be used */
    bool clocks;          /* the clock may be loaded */
    bool differs[PLACES]; /* at the end of a round from its start */
    uint32_t low, high;   /* instructions, from, to */
    bool undefined;       /* it has read a register with undefined bits */
};

static bool is_local(const struct riscv *c, uint32_t address)
{
    return address - RISCV_RAM_BASE < riscv_ram_size(c->arch, c->who);
}

static struct value count_take(struct place *p)
{
    p->read_first = p->read_first || !p->written;
    return p->value;
}

static struct value reg(struct walk *w, unsigned index)
{
    CHECK(index < 33, "a register of a loop is one of the core's");
    w->undefined = w->undefined || bits_has(w->core->s.undefined, index);
    return index == 0 ? (struct value){0} : count_take(&w->place[index]);
}

static void give(struct place *p, struct value value)
{
    p->value = value;
    p->written = true;
}

/* Returns the word at an address, or NULL if it is no plain memory, or there are too many. */
static struct place *cell(struct walk *w, uint32_t address)
{
    const struct riscv *c = w->core;
    const uint32_t at = address & ~3u;
    unsigned i = 0;
    while (i < w->cells && w->address[i] != at) {
        i++;
    }
    if (i == w->most || (at >= c->env.l1_size && !is_local(c, at))) {
        return NULL;
    }
    struct place *p = &w->place[32 + i];
    if (i == w->cells) {
        const uint8_t *from = is_local(c, at) ? c->s.ram + (at - RISCV_RAM_BASE) : c->env.l1 + at;
        p->before = p->value.now = bytes_get(from, 4);
        w->address[w->cells++] = at;
    }
    return p;
}

static unsigned size_of(const struct riscv_op *op)
{
    return 1u << (op->word >> 12 & 3u);
}

static bool walk_load(struct walk *w, const struct riscv_op *op)
{
    const struct value base = reg(w, op->rs1);
    const uint32_t address = base.now + op->imm;
    const unsigned size = size_of(op);
    if (w->clocks && base.kind == FIXED && size == 4 && riscv_is_clock(address)) {
        give(&w->place[op->rd & 31u], (struct value){0, MADE, 0});
        return true;
    }
    struct place *p = base.kind == FIXED && address % size == 0 ? cell(w, address) : NULL;
    if (p == NULL) {
        return false;
    }
    struct value v = count_take(p);
    if (size != 4) {
        v.now = bits_get(v.now, 8 * (address & 3u), 8 * size);
        if (op->id == RISCV_LB || op->id == RISCV_LH) {
            const uint32_t sign = 1u << (8 * size - 1);
            v.now = (v.now ^ sign) - sign;
        }
        v.kind = v.kind == FIXED ? FIXED : MADE;
    }
    give(&w->place[op->rd & 31u], v);
    return true;
}

static bool walk_store(struct walk *w, const struct riscv_op *op)
{
    const struct value base = reg(w, op->rs1);
    const struct value v = reg(w, op->rs2);
    const uint32_t address = base.now + op->imm;
    const unsigned size = size_of(op);
    struct place *p = base.kind == FIXED && address % size == 0 ? cell(w, address) : NULL;
    if (p == NULL) {
        return false;
    }
    if (size == 4) {
        give(p, v);
        return true;
    }
    /* The other bytes of the word stay. */
    const struct value old = count_take(p);
    const uint32_t mask = bits_mask(8 * size) << 8 * (address & 3u);
    struct value merged = {(old.now & ~mask) | (v.now << 8 * (address & 3u) & mask), MADE, 0};
    merged.kind = old.kind == FIXED && v.kind == FIXED ? FIXED : MADE;
    give(p, merged);
    return true;
}

static uint32_t compute(const struct riscv_op *op, uint32_t a, uint32_t b, uint32_t pc)
{
    const uint32_t i = op->imm;
    switch ((enum riscv_id)op->id) {
#define ALU(ID, expression) \
    case RISCV_##ID:        \
        return (uint32_t)(expression);
#include "riscv/alu.def"
    default:
        return 0;
    }
}

static bool walk_alu(struct walk *w, const struct riscv_op *op)
{
    const struct value a = reg(w, op->rs1);
    const struct value b = reg(w, op->rs2);
    struct value v = {compute(op, a.now, b.now, w->pc), MADE, 0};
    if (a.kind == FIXED && b.kind == FIXED) {
        v.kind = FIXED;
    } else if (a.kind == COUNTS && b.kind == FIXED &&
               (op->id == RISCV_ADDI || op->id == RISCV_ADD || op->id == RISCV_SUB)) {
        v.kind = COUNTS;
        v.base = a.base;
    } else if (a.kind == FIXED && b.kind == COUNTS && op->id == RISCV_ADD) {
        v.kind = COUNTS;
        v.base = b.base;
    }
    give(&w->place[op->rd & 31u], v);
    /* How long a division takes depends on what is divided. */
    return op->class != CLASS_DIV || v.kind == FIXED;
}

static bool walk_jump(struct walk *w, const struct riscv_op *op, uint32_t *next)
{
    const struct value a = reg(w, op->rs1);
    const struct value b = reg(w, op->rs2);
    if (a.kind != FIXED || b.kind != FIXED) {
        return false;
    }
    if (op->class == CLASS_BRANCH) {
        *next = alu_taken((enum riscv_id)op->id, a.now, b.now) ? w->pc + op->imm : *next;
        return true;
    }
    give(&w->place[op->rd & 31u], (struct value){.now = w->pc + 4});
    *next = op->class == CLASS_JAL ? w->pc + op->imm : (a.now + op->imm) & ~1u;
    return true;
}

/* Follows one instruction. Returns false where it cannot. */
static bool walk_step(struct walk *w)
{
    const struct riscv *c = w->core;
    uint32_t next = w->pc + 4;
    struct riscv_op op;
    bool good;
    if (w->pc % 4 != 0 || w->pc >= c->env.l1_size) {
        return false;
    }
    riscv_decode(c->arch, bytes_get(c->env.l1 + w->pc, 4), &op);
    switch ((enum riscv_class)op.class) {
    case CLASS_ALU:
    case CLASS_MUL:
    case CLASS_DIV:
        good = op.id != RISCV_FENCE_I && walk_alu(w, &op);
        break;
    case CLASS_LOAD:
        good = walk_load(w, &op);
        break;
    case CLASS_STORE:
        good = walk_store(w, &op);
        break;
    case CLASS_BRANCH:
    case CLASS_JAL:
    case CLASS_JALR:
        good = walk_jump(w, &op, &next);
        break;
    case CLASS_FENCE:
        good = true;
        break;
    default:
        good = false;
        break;
    }
    w->low = w->pc < w->low ? w->pc : w->low;
    w->high = w->pc + 4 > w->high ? w->pc + 4 : w->high;
    w->pc = next;
    return good;
}

/* Follows a round. Places that differ are taken for counters in the next one. */
static bool walk_round(struct walk *w, uint64_t instructions)
{
    for (unsigned i = 0; i < 32 + w->cells; i++) {
        struct place *p = &w->place[i];
        p->before = i < 32 ? w->core->s.x[i] : p->before;
        p->value = (struct value){p->before, w->differs[i] ? COUNTS : FIXED, (uint8_t)i};
        p->read_first = p->written = false;
    }
    w->pc = w->core->s.pc;
    for (uint64_t i = 0; i < instructions; i++) {
        if (!walk_step(w)) {
            return false;
        }
    }
    for (unsigned i = 1; i < 32 + w->cells; i++) {
        w->differs[i] = w->place[i].value.now != w->place[i].before;
    }
    return w->pc == w->core->s.pc;
}

/* Notes a place that counts. Returns false if the next round may not be like this one. */
static bool note(const struct walk *w, unsigned i, struct riscv_counts *to)
{
    const struct place *p = &w->place[i];
    if (!p->read_first || !p->written) {
        return true;
    }
    if (p->value.kind == FIXED) {
        return p->value.now == p->before;
    }
    if (p->value.kind != COUNTS || p->value.base != i || to->count == RISCV_COUNTS) {
        return false;
    }
    to->at[to->count] = i < 32 ? i : w->address[i - 32];
    to->memory[to->count] = i >= 32;
    to->step[to->count++] = p->value.now - p->before;
    return true;
}

bool count_learn(const struct riscv *core, const struct riscv_beat *beat, uint64_t instructions,
                 struct riscv_counts *to)
{
    const struct riscv_state *then = &beat->then;
    struct walk w = {.core = core,
                     .low = UINT32_MAX,
                     .clocks = beat->clocks,
                     .most = beat->clocks ? RISCV_CLOCK_USES : RISCV_USES};
    memset(to, 0, sizeof *to);
    if (instructions == 0 || instructions > LONGEST || core->s.stores != 0 ||
        !walk_round(&w, instructions) || !walk_round(&w, instructions) || w.undefined) {
        return false;
    }
    bool good = true;
    for (unsigned i = 1; i < 32 + w.cells && good; i++) {
        good = note(&w, i, to);
    }
    for (unsigned i = 0; i < to->count && good; i++) {
        good = to->memory[i] || core->s.x[to->at[i]] - then->x[to->at[i]] == to->step[i];
    }
    for (unsigned i = 0; i < w.cells; i++) {
        if (w.address[i] < core->env.l1_size) {
            to->used[to->uses] = w.address[i];
            to->stored[to->uses++] = w.place[32 + i].written;
            good = good && (!w.place[32 + i].written || w.address[i] + 4 <= w.low ||
                            w.address[i] >= w.high);
        }
    }
    to->low = w.low;
    to->high = w.high;
    to->on = good;
    return good;
}

void count_rounds(const struct riscv_counts *counts, struct riscv *core, uint64_t rounds)
{
    for (unsigned i = 0; i < counts->count; i++) {
        const uint32_t by = counts->step[i] * (uint32_t)rounds;
        const uint32_t at = counts->at[i];
        if (!counts->memory[i]) {
            core->s.x[at] += by;
            continue;
        }
        uint8_t *to = is_local(core, at) ? core->s.ram + (at - RISCV_RAM_BASE) : core->env.l1 + at;
        bytes_put(to, bytes_get(to, 4) + by, 4);
    }
}

/* Returns whether the one stores what the other executes or uses. */
static bool meets(const struct riscv_counts *a, const struct riscv_counts *b)
{
    bool found = false;
    for (unsigned i = 0; i < a->uses; i++) {
        const uint32_t at = a->used[i];
        found = found || (a->stored[i] && at < b->high && at + 4 > b->low);
        for (unsigned k = 0; k < b->uses && a->stored[i]; k++) {
            found = found || at == b->used[k];
        }
    }
    return found;
}

bool riscv_beats_apart(struct riscv_beat *beat, const struct riscv *core, unsigned count)
{
    bool counts = false;
    for (unsigned i = 0; i < count; i++) {
        counts = counts || beat[i].counts.on;
    }
    for (unsigned i = 0; i < count && counts; i++) {
        struct riscv_counts *own = &beat[i].counts;
        if (beat[i].period == 0) {
            memset(own, 0, sizeof *own); /* the core does not run */
        } else if (!own->on && (core[i].s.stores != 0 ||
                                !count_learn(&core[i], &beat[i], beat[i].instret, own))) {
            return false;
        }
    }
    for (unsigned i = 0; i < count * count && counts; i++) {
        const unsigned k = i % count;
        if (k != i / count && meets(&beat[i / count].counts, &beat[k].counts)) {
            return false;
        }
    }
    return true;
}
