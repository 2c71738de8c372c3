/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds what a tile leaves behind. A part of the state that differs at the end of a tile from its
 * beginning does no harm as long as .tile sets it before it is used, as most kernels do with most
 * registers. So the second tile decides: it is run from the state of .init with one part after
 * another as the first tile has left it, and what changes the result is told.
 */
#include "flow/left.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "flow/feed.h"

enum { INPUTS = 16, LANES = TX_LANES, MOST_EVENTS = 1 << 16 };
#define MOST_CYCLES UINT64_C(2000000)

/* Register files, or groups of entries of one, that are looked at together. */
struct part {
    enum tx_file file;
    unsigned first, count, values;
    const char *name; /* %u is the index of its first entry */
};

static const struct part parts[] = {
    {TX_FILE_STACK_DEPTH, 0, 1, LANES, "the depth of the flag stack"},
    {TX_FILE_USE_LANE_FLAGS, 0, 1, 1, "predication"},
    {TX_FILE_LANE_FLAGS, 0, 1, 1, "the lane flags"},
    {TX_FILE_FLAG_STACK, 0, 8, 2, "the flag stack"},
    {TX_FILE_LREG, 0, 1, LANES, "L%u"},
    {TX_FILE_LREG, 1, 1, LANES, "L%u"},
    {TX_FILE_LREG, 2, 1, LANES, "L%u"},
    {TX_FILE_LREG, 3, 1, LANES, "L%u"},
    {TX_FILE_LREG, 4, 1, LANES, "L%u"},
    {TX_FILE_LREG, 5, 1, LANES, "L%u"},
    {TX_FILE_LREG, 6, 1, LANES, "L%u"},
    {TX_FILE_LREG, 7, 1, LANES, "L%u"},
    {TX_FILE_LREG, 11, 1, LANES, "L%u"},
    {TX_FILE_LREG, 12, 1, LANES, "L%u"},
    {TX_FILE_LREG, 13, 1, LANES, "L%u"},
    {TX_FILE_LREG, 14, 1, LANES, "L%u"},
    {TX_FILE_LREG, 16, 1, LANES, "L%u"},
    {TX_FILE_LANE_CONFIG, 0, 1, 8, "LaneConfig"},
    {TX_FILE_MACRO_TEMPLATE, 0, 4, LANES, "the macro templates"},
    {TX_FILE_MACRO_SEQUENCE, 0, 4, LANES, "the macro sequences"},
    {TX_FILE_MACRO_MISC, 0, 1, LANES, "the macros' Misc"},
    {TX_FILE_SHIFT_LATCH, 0, 1, LANES, "the shift latch"},
    {TX_FILE_THREAD_CONFIG, 0, 384, 1, "the thread's configuration"},
    {TX_FILE_CONFIG, 0, 512, 1, "the configuration"},
    {TX_FILE_GPR, 0, 192, 1, "a general register"},
    {TX_FILE_REPLAY, 0, 96, 1, "the replay buffer"},
};
enum { PARTS = sizeof parts / sizeof parts[0], PART_VALUES = 512 };

struct value {
    uint32_t word, lanes, values[LANES];
    uint8_t kind;
    uint16_t index;
    uint64_t number;
};

/* One machine, and what it has written in the run that others are compared with. */
struct work {
    tx_kernel *kernel;
    tx_machine *machine;
    const struct tx_program *program;
    unsigned inputs;
    uint32_t *data[2][INPUTS];
    const uint32_t *given[2][INPUTS];
    void *start; /* snapshots: after .init, after the first tile */
    void *end;
    size_t size;
    uint32_t was[PARTS][PART_VALUES], is[PARTS][PART_VALUES];
    uint32_t right[TX_TILE_ELEMENTS], other[TX_TILE_ELEMENTS];
    enum { QUIET, RECORD, COMPARE } mode;
    struct value *events;
    size_t count, room, at;
    bool parted, out_of_memory;
    struct value first; /* what is written otherwise first */
};

/* ---- where two runs part ---- */

static struct value value_of(const struct tx_event *e)
{
    struct value v = {.word = e->word,
                      .kind = (uint8_t)e->kind,
                      .index = e->kind == TX_EVENT_WRITE_FLAGS ? (uint16_t)0 : e->index,
                      .number = e->number};
    if (e->kind == TX_EVENT_WRITE_LREG) {
        v.lanes = e->lanes;
        for (unsigned lane = 0; lane < LANES; lane++) {
            v.values[lane] = (e->lanes >> lane & 1u) != 0 ? e->values[lane] : 0;
        }
    } else if (e->kind == TX_EVENT_WRITE_FLAGS) {
        v.values[0] = e->lanes;
        v.values[1] = e->values[0];
    } else {
        v.lanes = e->lanes & 0xFFFFu;
        for (unsigned i = 0; i < TX_DST_WIDTH; i++) {
            v.values[i] = (e->lanes >> i & 1u) != 0 ? e->values[i] : 0;
        }
    }
    return v;
}

static void left_compare(struct work *w, const struct value *v)
{
    const struct value *before = w->at < w->count ? &w->events[w->at] : NULL;
    const bool alike = before != NULL && before->kind == v->kind && before->word == v->word &&
                       before->index == v->index;
    w->at++;
    if (alike && before->lanes == v->lanes &&
        memcmp(before->values, v->values, sizeof v->values) == 0) {
        return;
    }
    w->parted = true;
    w->first = alike || before == NULL ? *v : *before;
    if (alike) {
        w->first.lanes = before->lanes ^ v->lanes;
        for (unsigned i = 0; i < LANES && v->kind == TX_EVENT_WRITE_LREG; i++) {
            w->first.lanes |= before->values[i] != v->values[i] ? 1u << i : 0;
        }
    }
    if (v->kind == TX_EVENT_WRITE_FLAGS && alike) {
        w->first.lanes = before->values[0] ^ v->values[0];
    }
}

static void on_event(void *user, const struct tx_event *e)
{
    struct work *w = user;
    if (w->mode == QUIET || (e->kind != TX_EVENT_WRITE_LREG && e->kind != TX_EVENT_WRITE_DST &&
                             e->kind != TX_EVENT_WRITE_FLAGS)) {
        return;
    }
    const struct value v = value_of(e);
    if (w->mode == COMPARE) {
        if (!w->parted) {
            left_compare(w, &v);
        }
        return;
    }
    if (w->count < MOST_EVENTS) {
        if (!LIST_ONE(w->events, w->count, w->room, w->out_of_memory)) {
            return;
        }
        w->events[w->count++] = v;
    }
}

/* ---- runs ---- */

static void read_parts(const tx_machine *m, uint32_t to[PARTS][PART_VALUES])
{
    for (unsigned p = 0; p < PARTS; p++) {
        for (unsigned i = 0; i < parts[p].count; i++) {
            (void)tx_read(m, parts[p].file, parts[p].first + i, &to[p][i * parts[p].values],
                          parts[p].values);
        }
    }
}

static void write_part(tx_machine *m, unsigned p, const uint32_t *from)
{
    for (unsigned i = 0; i < parts[p].count; i++) {
        (void)tx_write(m, parts[p].file, parts[p].first + i, &from[i * parts[p].values],
                       parts[p].values);
    }
}

static bool run_tile(struct work *w, unsigned tile, uint32_t *output)
{
    enum tx_status status = tx_kernel_tile_begin(w->kernel, tile);
    tx_prng_seed(w->machine, tx_kernel_tile_seed(0, tile));
    for (unsigned i = 0; i < w->inputs && status == TX_OK; i++) {
        status = tx_dst_load_tile(w->machine, i, tx_kernel_dst(w->kernel), w->given[tile][i]);
    }
    status = status == TX_OK ? tx_kernel_tile_run(w->kernel, NULL) : status;
    if (status == TX_OK) {
        status = tx_dst_store_tile(w->machine, tx_program_output(w->program),
                                   tx_kernel_out(w->kernel), output);
    }
    return status == TX_OK;
}

/* The second tile from the start, with a part of the state of another one. */
static bool run_with(struct work *w, const bool taken[PARTS], uint32_t *output)
{
    bool good = tx_restore(w->machine, w->start, w->size) == TX_OK;
    for (unsigned p = 0; p < PARTS && good; p++) {
        if (taken[p]) {
            write_part(w->machine, p, w->is[p]);
        }
    }
    return good && run_tile(w, 1, output);
}

static bool differs(const struct work *w, unsigned p)
{
    return memcmp(w->was[p], w->is[p], sizeof w->was[p]) != 0;
}

/* ---- words ---- */

static unsigned first_lane(uint32_t lanes)
{
    unsigned lane = 0;
    while (lane < LANES - 1 && (lanes >> lane & 1u) == 0) {
        lane++;
    }
    return lane;
}

static void part_name(const struct work *w, unsigned p, char text[64])
{
    const bool depth = parts[p].file == TX_FILE_USE_LANE_FLAGS;
    char name[48];
    snprintf(name, sizeof name, parts[p].name, parts[p].first);
    snprintf(text, 64, "%s%s", name, depth && w->is[p][0] != 0 ? " on" : depth ? " off" : "");
}

/* "; sfpload L0,0,0,3 is the first to write L0 otherwise, in lane 3" */
static void what_parts(const struct work *w, char *text, size_t size)
{
    const struct value *v = &w->first;
    char insn[64] = "";
    char reg[8] = "Dst";
    (void)tx_disassemble(tx_machine_arch(w->machine), v->word, TX_DIS_NORMAL, insn, sizeof insn);
    if (v->kind != TX_EVENT_WRITE_DST) {
        snprintf(reg, sizeof reg, v->kind == TX_EVENT_WRITE_LREG ? "L%u" : "flags", v->index);
    }
    snprintf(text, size, "; %.40s writes %s otherwise, in %s %u", insn, reg,
             v->kind == TX_EVENT_WRITE_DST ? "column" : "lane", first_lane(v->lanes));
}

static void left_add(struct work *w, struct left *left, const char *what, bool certain)
{
    if (left->count == LEFT_MOST) {
        return;
    }
    unsigned elements = 0;
    for (unsigned i = 0; i < TX_TILE_ELEMENTS; i++) {
        elements += w->other[i] != w->right[i] ? 1 : 0;
    }
    struct tx_finding *f = &left->list[left->count++];
    char where[112] = "";
    memset(f, 0, sizeof *f);
    f->size = sizeof *f;
    f->category = TX_UNPREDICTABLE_VALUE;
    f->arch = tx_machine_arch(w->machine);
    f->thread = 1;
    f->rule = "E-LEFT";
    f->producer = UINT64_MAX;
    f->count = 1;
    if (w->parted) {
        f->word = w->first.word;
        f->lanes = w->first.lanes;
        what_parts(w, where, sizeof where);
    }
    if (certain) {
        snprintf(f->message, sizeof f->message,
                 "%s: what a tile leaves there gives the next one %u other results%s", what,
                 elements, where);
    } else {
        snprintf(f->message, sizeof f->message, "%s: a tile leaves it otherwise than it finds it",
                 what);
    }
}

/* Runs the second tile with these parts, and again to see where it parts. */
static bool try_parts(struct work *w, const bool taken[PARTS])
{
    w->mode = COMPARE;
    w->at = 0;
    w->parted = false;
    const bool good = run_with(w, taken, w->other);
    w->mode = QUIET;
    if (!w->parted && w->at < w->count) { /* the rest is not written at all */
        w->parted = true;
        w->first = w->events[w->at];
    }
    return good && memcmp(w->other, w->right, sizeof w->right) != 0;
}

static void left_tell(struct work *w, struct left *left)
{
    bool all[PARTS];
    for (unsigned p = 0; p < PARTS; p++) {
        bool one[PARTS] = {false};
        one[p] = all[p] = differs(w, p);
        if (!one[p]) {
            continue;
        }
        char what[64];
        const bool guilty = try_parts(w, one);
        part_name(w, p, what);
        if (guilty) {
            left_add(w, left, what, true);
        } else if (parts[p].file == TX_FILE_STACK_DEPTH) {
            w->parted = false;
            left_add(w, left, what, false); /* it grows with each tile */
        }
    }
    if (left->count == 0) {
        const bool together = try_parts(w, all);
        left_add(w, left, together ? "several registers" : "rows of Dst", together);
    }
}

static bool look(struct work *w, struct left *left)
{
    const bool none[PARTS] = {false};
    uint32_t carried[TX_TILE_ELEMENTS];
    bool good =
        tx_kernel_start(w->kernel) == TX_OK && tx_snapshot(w->machine, w->start, w->size) == TX_OK;
    if (good) {
        read_parts(w->machine, w->was);
    }
    good = good && run_tile(w, 0, carried) && tx_snapshot(w->machine, w->end, w->size) == TX_OK;
    if (good) {
        read_parts(w->machine, w->is);
    }
    if (!good || !run_tile(w, 1, carried)) {
        return true; /* it cannot run alone, and others say why */
    }
    w->mode = RECORD;
    good = run_with(w, none, w->right);
    w->mode = QUIET;
    unsigned depth = 0;
    while (parts[depth].file != TX_FILE_STACK_DEPTH) {
        depth++;
    }
    memcpy(w->other, carried, sizeof carried);
    if (good && (memcmp(carried, w->right, sizeof carried) != 0 || differs(w, depth))) {
        left_tell(w, left);
    }
    return !w->out_of_memory;
}

static bool left_fill(struct work *w, const uint32_t *const *const inputs[2])
{
    uint64_t random = 1;
    for (unsigned tile = 0; tile < 2; tile++) {
        for (unsigned i = 0; i < w->inputs; i++) {
            if (inputs != NULL) {
                w->given[tile][i] = inputs[tile][i];
                continue;
            }
            w->data[tile][i] = malloc(TX_TILE_ELEMENTS * sizeof **w->data[tile]);
            if (w->data[tile][i] == NULL) {
                return false;
            }
            feed_data(tx_kernel_dst(w->kernel), &random, w->data[tile][i]);
            w->given[tile][i] = w->data[tile][i];
        }
    }
    w->size = tx_snapshot_size(w->machine);
    w->start = malloc(w->size);
    w->end = malloc(w->size);
    return w->start != NULL && w->end != NULL;
}

static void forget(struct work *w)
{
    tx_kernel_close(w->kernel);
    for (unsigned i = 0; i < 2 * INPUTS; i++) {
        free(w->data[i / INPUTS][i % INPUTS]);
    }
    free(w->start);
    free(w->end);
    free(w->events);
    free(w);
}

bool left_find(const struct tx_program *program, const struct tx_settings *settings,
               const struct tx_kernel_options *options, const uint32_t *const *const inputs[2],
               struct left *left)
{
    left->count = 0;
    if (tx_program_carry(program) || tx_program_threaded(program)) {
        return true;
    }
    struct work *w = calloc(1, sizeof *w);
    if (w == NULL) {
        return false;
    }
    struct tx_settings own = *settings;
    struct tx_kernel_options how = *options;
    own.sink = (struct tx_sink){.event = on_event, .user = w};
    own.watch = (struct tx_watch){.go_on = NULL};
    own.mode = TX_MODE_SILICON;
    own.max_cycles = MOST_CYCLES;
    how.carry = true;
    w->program = program;
    w->inputs = tx_program_inputs(program) > 0 ? tx_program_inputs(program) : 1;
    const enum tx_status status = tx_kernel_open(&own, program, &how, &w->kernel);
    bool good = status != TX_ENOMEM;
    if (status == TX_OK) {
        w->machine = tx_kernel_machine(w->kernel);
        good = left_fill(w, inputs) && look(w, left);
    }
    forget(w);
    return good;
}
