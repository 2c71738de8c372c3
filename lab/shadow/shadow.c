/* SPDX-License-Identifier: Apache-2.0 */
/* Events of one tile become a graph of values. */
#include "shadow/shadow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FOUND = 64, /* executions that may still write; two cycles at most */
    DST_ROWS = 1024,
    MOST_NODES = 1 << 24,
    MODE_SRCB = 0,
    MODE_FP16 = 1,
    MODE_BF16 = 2,
    MODE_FP32 = 3
};

struct cell {
    uint32_t node;
    uint8_t mode;
    bool known; /* what reads back is known */
};

struct shadow {
    enum tx_arch arch;
    enum tx_dst_format dst;
    bool failed, issued;
    uint64_t first;
    struct shadow_node *nodes;
    struct shadow_step *steps;
    size_t node_count, node_room, step_count, step_room;
    uint32_t lreg[SHADOW_REGS][TX_LANES];
    struct cell cells[DST_ROWS][TX_DST_WIDTH];
    struct shadow_found found[FOUND];
    unsigned next;
    struct shadow_rules rules;
};

/* ---- nodes ---- */

static bool grow(void **list, size_t *room, size_t count, size_t size)
{
    if (count < *room) {
        return true;
    }
    size_t larger = *room == 0 ? 4096 : *room * 2;
    void *more = larger <= MOST_NODES ? realloc(*list, larger * size) : NULL;
    if (more == NULL) {
        return false;
    }
    *list = more;
    *room = larger;
    return true;
}

/* Node 0 is always there, so that one without memory has something to name. */
static uint32_t add_node(struct shadow *s, const struct shadow_node *node)
{
    if (s->failed || !grow((void **)&s->nodes, &s->node_room, s->node_count, sizeof *s->nodes)) {
        s->failed = true;
        return 0;
    }
    s->nodes[s->node_count] = *node;
    return (uint32_t)s->node_count++;
}

static uint32_t add_constant(void *user, uint32_t bits)
{
    struct shadow_node node = shadow_plain(SHADOW_GIVEN, SHADOW_NONE, bits);
    node.constant = true;
    return add_node(user, &node);
}

static const struct shadow_node *node_at(void *user, uint32_t node)
{
    const struct shadow *s = user;
    return &s->nodes[node];
}

const struct shadow_node *shadow_node_at(const struct shadow *s, uint32_t node)
{
    return &s->nodes[node];
}

const struct shadow_step *shadow_step_at(const struct shadow *s, uint32_t step)
{
    return &s->steps[step];
}

uint64_t shadow_first(const struct shadow *s)
{
    return s->first;
}

bool shadow_whole(const struct shadow *s)
{
    return !s->failed;
}

struct shadow *shadow_open(enum tx_arch arch, enum tx_dst_format dst)
{
    struct shadow *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return NULL;
    }
    s->arch = arch;
    s->dst = dst;
    s->rules = (struct shadow_rules){
        .user = s, .constant = add_constant, .at = node_at, .blackhole = arch == TX_BLACKHOLE};
    shadow_begin(s);
    if (s->failed) {
        shadow_close(s);
        return NULL;
    }
    return s;
}

void shadow_close(struct shadow *s)
{
    if (s != NULL) {
        free(s->nodes);
        free(s->steps);
        free(s);
    }
}

void shadow_begin(struct shadow *s)
{
    s->node_count = s->step_count = 0;
    s->failed = s->issued = false;
    memset(s->found, 0, sizeof s->found);
    memset(s->lreg, 0xFF, sizeof s->lreg);
    for (unsigned row = 0; row < DST_ROWS; row++) {
        for (unsigned column = 0; column < TX_DST_WIDTH; column++) {
            s->cells[row][column] = (struct cell){.node = SHADOW_NONE};
        }
    }
    (void)add_constant(s, 0);
}

/* ---- what an instruction finds ---- */

static uint32_t add_step(struct shadow *s, const struct tx_event *event)
{
    if (!grow((void **)&s->steps, &s->step_room, s->step_count, sizeof *s->steps)) {
        s->failed = true;
        return 0;
    }
    s->steps[s->step_count] = (struct shadow_step){.row = event->row,
                                                   .number = event->number,
                                                   .cycle = event->cycle,
                                                   .word = event->word,
                                                   .scheduled = event->scheduled != 0};
    return (uint32_t)s->step_count++;
}

/* A register that holds something else than was seen written has a value from elsewhere. */
static void find_operands(struct shadow *s, struct shadow_found *f, const uint32_t *values)
{
    for (unsigned reg = 0; reg < SHADOW_REGS; reg++) {
        for (unsigned lane = 0; lane < TX_LANES; lane++) {
            uint32_t bits = values[TX_LANES * reg + lane];
            uint32_t *known = &s->lreg[reg][lane];
            if (*known == SHADOW_NONE || s->nodes[*known].bits != bits) {
                *known = add_constant(s, bits);
            }
            f->bits[reg][lane] = bits;
            f->node[reg][lane] = *known;
        }
    }
}

static void on_compute(struct shadow *s, const struct tx_event *event)
{
    struct shadow_found *f = &s->found[s->next++ % FOUND];
    f->operands = *event->operands;
    f->row = event->row;
    f->start = event->start;
    f->number = event->number;
    f->word = event->word;
    f->lanes = event->lanes;
    f->address = event->address;
    f->unit = event->unit;
    f->scheduled = event->scheduled != 0;
    f->stored = false;
    f->op = (uint8_t)shadow_op_of(event->row);
    f->step = add_step(s, event);
    find_operands(s, f, event->values);
}

/* The execution that an event of a write belongs to, or NULL. */
static struct shadow_found *writer(struct shadow *s, const struct tx_event *event)
{
    for (unsigned i = 1; i <= FOUND; i++) {
        struct shadow_found *f = &s->found[(s->next - i) % FOUND];
        if (f->row != NULL && f->start == event->start && f->unit == event->unit &&
            f->word == event->word && f->scheduled == (event->scheduled != 0) &&
            f->number == event->number &&
            (event->kind != TX_EVENT_WRITE_LREG || (event->lanes & ~f->lanes) == 0)) {
            return f;
        }
    }
    return NULL;
}

/* ---- loads and stores ---- */

static unsigned float_mode(const struct shadow *s, unsigned mode)
{
    if (mode != MODE_SRCB) {
        return mode;
    }
    return s->dst == TX_DST_BF16 ? MODE_BF16 : s->dst == TX_DST_FP16 ? MODE_FP16 : MODE_FP32;
}

/* Whether a load can have given this of what was stored: at most the format's rounding apart. */
static bool believable(unsigned mode, uint32_t stored, uint32_t loaded)
{
    if (stored == loaded) {
        return true;
    }
    double a = (double)shadow_float(stored);
    double b = (double)shadow_float(loaded);
    if (mode < MODE_FP16 || mode > MODE_FP32 || !isfinite(a)) {
        return false;
    }
    double least = mode == MODE_FP16 ? 0x1p-14 : 0x1p-126;
    return (b == 0.0 && fabs(a) < least) || fabs(a - b) <= fabs(a) * 0x1p-7 ||
           (mode == MODE_FP16 && fabs(a) > 131008.0 && fabs(b) == 131008.0);
}

static struct shadow_node loaded(struct shadow *s, const struct shadow_found *f, unsigned reg,
                                 unsigned lane, uint32_t bits)
{
    const struct tx_dst_place place = tx_dst_place(f->address, lane);
    const unsigned mode = float_mode(s, f->operands.mode);
    struct cell *cell = &s->cells[place.row % DST_ROWS][place.column % TX_DST_WIDTH];
    bool part = mode > MODE_FP32 && mode != 4 && mode != 12;
    struct shadow_node node = shadow_plain(SHADOW_INPUT, f->step, bits);
    bool words = mode == 4 || mode == 10; /* 32 bits as they are */
    node.integer = words ? number_format(s->dst)->integer : mode > MODE_FP32;
    if (reg != f->operands.vd) { /* where the datum came from: ENABLE_DEST_INDEX */
        node.kind = SHADOW_START;
        node.integer = true;
        return node;
    }
    if (cell->node == SHADOW_NONE) {
        return node;
    }
    struct shadow_node *stored = &s->nodes[cell->node];
    node.arg[0] = cell->node;
    node.kind = SHADOW_START;
    if (cell->mode == mode && !part && believable(mode, stored->bits, bits)) {
        node.kind = SHADOW_COPY;
        node.integer = stored->integer;
        node.magnitude = stored->magnitude;
        if (!cell->known) {
            stored->bits = bits;
            cell->known = true;
        }
    }
    return node;
}

/* The lanes of a store, once, when the first of its rows is written. */
static void on_store(struct shadow *s, struct shadow_found *f)
{
    const unsigned mode = float_mode(s, f->operands.mode);
    if (f->stored) {
        return;
    }
    f->stored = true;
    for (unsigned lane = 0; lane < TX_LANES; lane++) {
        if ((f->lanes >> lane & 1U) == 0) {
            continue;
        }
        const struct tx_dst_place place = tx_dst_place(f->address, lane);
        const uint32_t from = f->node[f->operands.vd][lane];
        struct shadow_node node = shadow_plain(SHADOW_COPY, f->step, s->nodes[from].bits);
        node.arg[0] = from;
        node.integer = s->nodes[from].integer;
        node.magnitude = s->nodes[from].magnitude;
        node.precision = mode == MODE_FP16 ? 11 : mode == MODE_BF16 ? 8 : 24;
        node.least = mode == MODE_FP16 ? -14 : -126;
        if (mode > MODE_FP32 && mode != 4 && mode != 10) { /* part of the bits, or integers */
            node.kind = SHADOW_START;
        }
        s->cells[place.row % DST_ROWS][place.column % TX_DST_WIDTH] =
            (struct cell){.node = add_node(s, &node), .mode = (uint8_t)mode};
    }
}

static void on_write(struct shadow *s, const struct tx_event *event)
{
    const struct shadow_found *f = writer(s, event);
    for (unsigned lane = 0; lane < TX_LANES; lane++) {
        if ((event->lanes >> lane & 1U) == 0) {
            continue;
        }
        uint32_t bits = event->values[lane];
        if (f == NULL) {
            s->lreg[event->index][lane] = add_constant(s, bits);
            continue;
        }
        struct shadow_node node = f->op == SHADOW_OP_LOAD
                                      ? loaded(s, f, event->index, lane, bits)
                                      : shadow_rule(&s->rules, f, event->index, lane, bits);
        s->lreg[event->index][lane] = add_node(s, &node);
    }
}

void shadow_event(void *user, const struct tx_event *event)
{
    struct shadow *s = user;
    if (s->failed) {
        return;
    }
    if (event->kind == TX_EVENT_ISSUE && !s->issued &&
        (event->row == NULL || event->row->insn != TX_INSN_REPLAY)) {
        s->issued = true;
        s->first = event->number;
    } else if (event->kind == TX_EVENT_COMPUTE) {
        on_compute(s, event);
    } else if (event->kind == TX_EVENT_WRITE_LREG && event->index < SHADOW_REGS) {
        on_write(s, event);
    } else if (event->kind == TX_EVENT_WRITE_DST) {
        struct shadow_found *f = writer(s, event);
        if (f != NULL && f->op == SHADOW_OP_STORE) {
            on_store(s, f);
        }
    }
}

uint32_t shadow_output(struct shadow *s, unsigned tile, unsigned element, enum tx_dst_format format,
                       uint32_t word)
{
    for (unsigned row = 0; row < 64; row++) {
        for (unsigned column = 0; column < TX_DST_WIDTH; column++) {
            if (tx_tile_element(row, column) != element) {
                continue;
            }
            uint32_t node = s->cells[(64 * tile + row) % DST_ROWS][column].node;
            if (node != SHADOW_NONE) {
                const struct number_format *f = number_format(format);
                s->nodes[node].bits = word;
                if (f->integer) { /* signs are kept in another way than in the LReg */
                    s->nodes[node].integer = true;
                    s->nodes[node].magnitude = false;
                    s->nodes[node].kind = SHADOW_START;
                    return node;
                }
                s->nodes[node].integer = false;
                s->nodes[node].precision = (uint8_t)f->precision;
                s->nodes[node].least = (int16_t)f->least;
            }
            return node;
        }
    }
    return SHADOW_NONE;
}
