/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs one input of a sweep again and lists what is written in its lane from its load to its store.
 */
#include "sweep/sweep.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 4096 };

struct watch {
    struct sweep_steps *steps;
    unsigned row, column; /* position of the element in the tile */
    unsigned inputs, output;
    unsigned lane;
    enum tx_arch arch;
    bool started;
    uint64_t stored; /* number of the last store */
    size_t end;      /* number of steps up to the last store */
};

/* Returns the lane that accesses this place, or TX_LANES. */
static unsigned lane_at(uint32_t address, unsigned row, unsigned column)
{
    for (unsigned lane = 0; lane < TX_LANES; lane++) {
        struct tx_dst_place place = tx_dst_place(address, lane);
        if (place.row == row && place.column == column) {
            return lane;
        }
    }
    return TX_LANES;
}

static void add_step(struct watch *w, const struct tx_event *event, bool store)
{
    struct sweep_steps *steps = w->steps;
    if (steps->count == MOST_STEPS) {
        return;
    }
    steps->list[steps->count++] =
        (struct txl_sweep_step){.cycle = event->cycle,
                                .word = event->word,
                                .reg = event->index,
                                .scheduled = event->scheduled != 0,
                                .store = store,
                                .value = store ? 0 : event->values[w->lane]};
}

static bool loads_dst(enum tx_arch arch, const struct tx_event *event)
{
    const enum tx_insn_id insn = tx_insn_id_of(arch, event->word);
    return insn != TX_INSN_NONE && event->unit == TX_UNIT_LOAD && insn != TX_INSN_SFPLOADI;
}

static void on_event(void *user, const struct tx_event *event)
{
    struct watch *w = user;
    if (event->kind == TX_EVENT_WRITE_LREG) {
        bool load = !w->started && loads_dst(w->arch, event);
        for (unsigned i = 0; i < w->inputs && load && !w->started; i++) {
            unsigned lane = lane_at(event->address, 64 * i + w->row, w->column);
            w->started = lane < TX_LANES && (event->lanes >> lane & 1U) != 0;
            w->lane = lane;
        }
        if (w->started && (event->lanes >> w->lane & 1U) != 0) {
            add_step(w, event, false);
        }
    } else if (event->kind == TX_EVENT_WRITE_DST && w->started && event->number != w->stored &&
               lane_at(event->address, 64 * w->output + w->row, w->column) == w->lane) {
        /* One event per store, although there is one for each row that it writes. */
        add_step(w, event, true);
        w->stored = event->number;
        w->end = w->steps->count;
    }
}

static void find_place(unsigned element, struct watch *w)
{
    for (unsigned row = 0; row < 64; row++) {
        for (unsigned column = 0; column < TX_DST_WIDTH; column++) {
            if (tx_tile_element(row, column) == element) {
                w->row = row;
                w->column = column;
            }
        }
    }
}

int sweep_look(struct txl_error *err, const struct sweep_kernel *k, const struct order_tile *tile,
               const struct sweep_look *look, uint32_t output[TX_TILE_ELEMENTS])
{
    const uint32_t *inputs[RUN_INPUTS] = {tile->words[0], tile->words[1], tile->words[2]};
    struct tx_settings settings = k->settings;
    settings.sink = (struct tx_sink){.event = look->event, .user = look->user};
    tx_kernel *kernel = NULL;
    enum tx_status status = tx_kernel_open(&settings, k->program, &k->options, &kernel);
    if (status == TX_OK) {
        status = tx_kernel_start(kernel);
    }
    look->begin(look->user);
    if (status == TX_OK) {
        status = tx_kernel_tile(kernel, tile->number, inputs, output);
    }
    tx_kernel_close(kernel);
    return status == TX_OK       ? TXL_CONTINUE
           : status == TX_ENOMEM ? no_memory(err)
                                 : txl_refuse(err, TXL_NEGATIVE, "the kernel stops");
}

static void begin_watch(void *user)
{
    struct watch *w = user;
    w->started = false;
    w->steps->count = 0;
}

int sweep_steps_of(struct txl_error *err, const struct sweep_kernel *k,
                   const struct order_tile *tile, struct sweep_steps *steps)
{
    uint32_t output[TX_TILE_ELEMENTS];
    struct watch watch = {.steps = steps,
                          .inputs =
                              tx_program_inputs(k->program) > 0 ? tx_program_inputs(k->program) : 1,
                          .output = tx_program_output(k->program),
                          .arch = k->settings.arch,
                          .stored = UINT64_MAX};
    const struct sweep_look look = {.user = &watch, .begin = begin_watch, .event = on_event};
    find_place(tile->element, &watch);
    *steps = (struct sweep_steps){.list = zeroed(err, MOST_STEPS, sizeof *steps->list)};
    if (steps->list == NULL) {
        return TXL_INPUT;
    }
    const int result = sweep_look(err, k, tile, &look, output);
    steps->count = watch.end;
    steps->lane = watch.lane;
    for (size_t i = steps->count; i-- > 0;) {
        struct txl_sweep_step *step = &steps->list[i];
        step->cycle -= steps->list[0].cycle;
        step->value = step->store ? output[tile->element] : step->value;
    }
    return result;
}

txl_json *sweep_step_json(enum tx_arch arch, const struct txl_sweep_step *step)
{
    char text[128];
    txl_json *item = txl_json_object();
    (void)tx_disassemble(arch, step->word, TX_DIS_NORMAL, text, sizeof text);
    txl_json_set_int(item, "cycle", step->cycle);
    txl_json_set_text(item, "instruction", text);
    txl_json_set_bool(item, "scheduled", step->scheduled);
    snprintf(text, sizeof text, step->store ? "Dst" : "L%u", step->reg);
    txl_json_set_text(item, "writes", text);
    txl_json_set_word(item, "value", step->value);
    return item;
}

int txl_sweep_trace(struct txl_error *err, const txl_sweep *s, uint64_t index,
                    struct txl_sweep_step **list, size_t *count)
{
    struct sweep_steps steps = {0};
    struct order_tile *tile = zeroed(err, 1, sizeof *tile);
    int result = tile != NULL ? order_tile(err, &s->order, &s->domain, index, tile) : TXL_INPUT;
    if (result == TXL_CONTINUE) {
        result = sweep_steps_of(err, &s->kernel, tile, &steps);
    }
    free(tile);
    if (result != TXL_CONTINUE) {
        free(steps.list);
        steps = (struct sweep_steps){0};
    }
    *list = steps.list;
    *count = steps.count;
    return result == TXL_CONTINUE ? TXL_OK : result;
}
