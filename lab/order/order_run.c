/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs programs on tiles of a chip under watch. A seed makes another legal schedule of them: cores
 * begin later, packets and answers take longer.
 */
#include <stdlib.h>
#include <string.h>

#include "order/order.h"

#include "base/options.h"
#include "tile/chip_times.h"

enum { MOST_DELAY = 400, MOST_START = 2000, LATE_AT = 3000, LIMIT = 1000000, CLOSED = 64 };

static uint64_t mixed(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xBF58476D1CE4E5B9u;
    x ^= x >> 27;
    x *= 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

struct course {
    struct txl_error *err;
    const struct txl_order_run *run;
    struct order_program_text *programs;
    txl_order *order;
    tx_chip *chip;
};

static int endpoint(struct course *c, uint32_t x, uint32_t y, uint32_t *index)
{
    uint32_t width;
    uint32_t height;
    tx_chip_grid(c->chip, &width, &height);
    if (x >= width || y >= height) {
        return txl_fail(c->err, "(%u, %u) is outside the grid of %u by %u", x, y, width, height);
    }
    *index = x + y * width;
    return TXL_CONTINUE;
}

static int order_run_put(struct course *c, uint32_t x, uint32_t y, uint64_t address,
                         const void *bytes, size_t size)
{
    const struct tx_chip_place at = {.x = x, .y = y};
    if (tx_chip_write(c->chip, at, address, bytes, size) != TX_OK) {
        return txl_fail(c->err, "nothing answers at %llx of (%u, %u)", (unsigned long long)address,
                        x, y);
    }
    return TXL_CONTINUE;
}

static int order_run_fill(struct course *c, const char *const *texts, unsigned count)
{
    int result = TXL_CONTINUE;
    for (unsigned i = 0; i < count && result == TXL_CONTINUE; i++) {
        struct order_words f;
        result = order_words_read(c->err, texts[i], &f);
        for (uint32_t k = 0; k < f.count && result == TXL_CONTINUE; k++) {
            uint8_t b[4];
            for (unsigned n = 0; n < 4; n++) {
                b[n] = (uint8_t)(f.value >> 8 * n);
            }
            result = order_run_put(c, f.x, f.y, f.address + 4u * (uint64_t)k, b, sizeof b);
        }
    }
    return result;
}

/* Loads a program into the tile; what belongs into local memory is put there. */
static int order_run_load(struct course *c, const struct order_program_text *k, uint32_t index,
                          uint32_t *entry)
{
    tx_tensix *tile = tx_chip_tensix(c->chip, index);
    if (tile == NULL) {
        return txl_fail(c->err, "(%u, %u) is no Tensix tile", k->x, k->y);
    }
    int result = txl_order_program(c->err, c->order, index, k->core, k->path);
    if (result != TXL_OK) {
        return result;
    }
    const struct order_core *core = order_core(c->order, index, k->core);
    const struct tile_program *p = &c->order->program[core->program - 1].p;
    result = TXL_CONTINUE;
    for (unsigned i = 0; i < p->count && result == TXL_CONTINUE; i++) {
        const struct tile_segment *s = &p->segments[i];
        uint8_t *bytes = calloc(1, s->room != 0 ? s->room : 1);
        if (bytes == NULL) {
            return txl_fail(c->err, "out of memory");
        }
        memcpy(bytes, s->bytes, s->size);
        if (s->local) {
            if (tx_core_local_write(tile, k->core, s->address, bytes, s->room) != TX_OK) {
                result = txl_fail(c->err, "%s does not fit into local memory", k->path);
            }
        } else {
            result = order_run_put(c, k->x, k->y, s->address, bytes, s->room);
        }
        free(bytes);
    }
    *entry = p->entry;
    return result;
}

struct waiting {
    uint32_t index, entry;
    enum tx_core core;
    uint64_t at;
    bool started;
};

static int load_launch(struct course *c, uint32_t launch, struct waiting *list, unsigned *count)
{
    int result = TXL_CONTINUE;
    *count = 0;
    for (unsigned i = 0; i < c->run->program_count && result == TXL_CONTINUE; i++) {
        const struct order_program_text *k = &c->programs[i];
        if (k->launch != launch) {
            continue;
        }
        struct waiting *w = &list[*count];
        result = endpoint(c, k->x, k->y, &w->index);
        result = result == TXL_CONTINUE ? order_run_load(c, k, w->index, &w->entry) : result;
        w->core = k->core;
        w->at = c->run->seed == 0 ? 0 : mixed(c->run->seed * 977 + i) % MOST_START;
        (*count)++;
    }
    return result;
}

/* Returns whether all cores of a launch have ended. */
static bool all_ended(const struct course *c, const struct waiting *list, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        struct tx_core_state state;
        if (!list[i].started ||
            tx_tensix_core(c->order->tile[list[i].index].tile, list[i].core, &state) != TX_OK ||
            state.phase != TX_CORE_PAUSED) {
            return false;
        }
    }
    return true;
}

/* Runs a launch to its end. *stuck: cores wait, and nothing more can happen. */
static int run_launch(struct course *c, struct waiting *list, unsigned count, bool *stuck)
{
    const uint64_t most = c->run->max_cycles != 0 ? c->run->max_cycles : LIMIT;
    const uint64_t from = tx_chip_cycles(c->chip);
    const uint64_t late = c->run->seed == 0 ? LATE_AT : mixed(c->run->seed * 31) % LATE_AT;
    bool stored = false;
    int result = TXL_CONTINUE;
    *stuck = false;
    for (;;) {
        const uint64_t now = tx_chip_cycles(c->chip) - from;
        bool more = false;
        for (unsigned i = 0; i < count; i++) {
            if (!list[i].started && list[i].at <= now) {
                list[i].started = true;
                (void)tx_tensix_start(tx_chip_tensix(c->chip, list[i].index), list[i].core,
                                      list[i].entry);
            }
            more = more || !list[i].started;
        }
        if (!stored && !more && now >= late) {
            stored = true;
            result = order_run_fill(c, c->run->late, c->run->late_count);
        }
        if (result != TXL_CONTINUE || (stored && all_ended(c, list, count))) {
            break;
        }
        if (more || !stored) {
            (void)tx_chip_cycle(c->chip, CLOSED);
            continue;
        }
        const enum tx_status status = tx_chip_run(c->chip, now < most ? most - now : 1);
        *stuck = !all_ended(c, list, count);
        if (*stuck || status == TX_OK) {
            break;
        }
    }
    if (!*stuck && result == TXL_CONTINUE) { /* what is under way arrives */
        (void)tx_chip_run(c->chip, most);
    }
    return result;
}

static int give(struct course *c)
{
    int result = TXL_CONTINUE;
    uint32_t index = 0;
    for (unsigned i = 0; i < c->run->area_count && result == TXL_CONTINUE; i++) {
        struct order_words m;
        result = order_area_read(c->err, c->run->areas[i], &m);
        result = result == TXL_CONTINUE ? endpoint(c, m.x, m.y, &index) : result;
        const struct txl_order_area area = {index, m.address, m.count};
        if (result == TXL_CONTINUE && txl_order_area(c->err, c->order, &area) != TXL_OK) {
            result = TXL_INPUT;
        }
    }
    for (unsigned i = 0; i < c->run->buffer_count && result == TXL_CONTINUE; i++) {
        struct order_words at;
        struct txl_order_buffer buffer;
        result = order_buffer_read(c->err, c->run->buffers[i], &at, &buffer);
        result = result == TXL_CONTINUE ? endpoint(c, at.x, at.y, &index) : result;
        buffer.endpoint = index;
        if (result == TXL_CONTINUE && txl_order_buffer(c->err, c->order, &buffer) != TXL_OK) {
            result = TXL_INPUT;
        }
    }
    return result == TXL_CONTINUE ? order_run_fill(c, c->run->fills, c->run->fill_count) : result;
}

static int run_all(struct course *c)
{
    struct waiting *list = calloc(c->run->program_count + 1, sizeof *list);
    uint32_t last = 0;
    bool stuck = false;
    int result = list != NULL ? give(c) : txl_fail(c->err, "out of memory");
    c->programs = calloc(c->run->program_count + 1, sizeof *c->programs);
    result = c->programs != NULL ? result : txl_fail(c->err, "out of memory");
    for (unsigned i = 0; i < c->run->program_count && result == TXL_CONTINUE; i++) {
        result = order_program_read(c->err, c->run->programs[i], &c->programs[i]);
        last = c->programs[i].launch > last ? c->programs[i].launch : last;
    }
    for (uint32_t launch = 0; launch <= last && result == TXL_CONTINUE && !stuck; launch++) {
        unsigned count = 0;
        memset(list, 0, (c->run->program_count + 1) * sizeof *list);
        result = load_launch(c, launch, list, &count);
        if (result == TXL_CONTINUE && count != 0) {
            result = run_launch(c, list, count, &stuck);
        }
        if (!stuck) {
            txl_order_settle(c->order);
        }
    }
    free(list);
    free(c->programs);
    txl_order_end(c->order, stuck);
    return result == TXL_CONTINUE ? txl_order_result(c->err, c->order) : result;
}

/* Opens the chip that a run asks for, with its delays and one more. */
static int open_chip(struct txl_error *err, const struct txl_order_run *run, const char *delay,
                     tx_chip **chip)
{
    struct tx_chip_settings settings;
    const char *product = run->product != NULL        ? run->product
                          : run->arch != TX_ARCH_NONE ? tx_arch_name(run->arch)
                                                      : "n150";
    if (tx_chip_settings_default(&settings, product) != TX_OK) {
        return txl_fail(err, "there is no product \"%s\"", product);
    }
    if (run->arch != TX_ARCH_NONE && settings.arch != run->arch) {
        return txl_fail(err, "%s is another chip", product);
    }
    settings.raw = !run->translated;
    if (run->seed != 0) {
        settings.policy = TX_CHIP_ADVERSE;
        settings.seed = run->seed;
        settings.adverse_delay = MOST_DELAY;
    }
    if (tx_chip_open(&settings, chip) != TX_OK) {
        return txl_fail(err, "out of memory");
    }
    if (delay != NULL && tx_chip_delay(*chip, delay) != TX_OK) {
        return txl_fail(err, "%.80s cannot be tried", delay);
    }
    return run->delays != NULL ? chip_delays(err, *chip, run->delays) : TXL_CONTINUE;
}

/* A run of its own: the chip stays open, order has ended. */
struct trial {
    txl_order *order;
    tx_chip *chip;
};

static void trial_close(struct trial *t)
{
    txl_order_close(t->order);
    tx_chip_close(t->chip);
    *t = (struct trial){.order = NULL};
}

/* delay: one, for this run; NULL: none. */
static int trial_run(struct txl_error *err, const struct txl_order_run *run, const char *delay,
                     struct trial *t)
{
    const struct txl_order_options how = {.size = sizeof how, .documented = run->documented};
    struct course c = {.err = err, .run = run};
    int result = open_chip(err, run, delay, &c.chip);
    if (result == TXL_CONTINUE) {
        result = txl_order_watch(err, c.chip, &how, &c.order);
    }
    if (result == TXL_OK) {
        result = run_all(&c);
    }
    *t = (struct trial){c.order, c.chip};
    if (result == TXL_INPUT) {
        trial_close(t);
    }
    return result;
}

/* For txl_order_witness. */
static int run_again(struct txl_error *err, void *user, const char *delay, tx_chip **chip,
                     bool *ends)
{
    struct trial t = {.order = NULL};
    const int result = trial_run(err, user, delay, &t);
    if (result == TXL_INPUT) {
        return result;
    }
    *ends = !t.order->hung;
    *chip = t.chip;
    txl_order_close(t.order);
    return TXL_OK;
}

/* What the delays of a run have changed, in a second run without them. */
static int order_run_compare(struct txl_error *err, const struct txl_order_run *run,
                             struct trial *t)
{
    struct trial plain = {.order = NULL};
    struct txl_order_run without = *run;
    without.delays = NULL;
    const int result = trial_run(err, &without, NULL, &plain);
    if (result != TXL_INPUT) {
        char *text = order_difference(plain.order, plain.chip, t->chip, !t->order->hung);
        t->order->different = text != NULL ? text : strdup("nothing ends differently");
    }
    trial_close(&plain);
    return result != TXL_INPUT ? TXL_OK : result;
}

int txl_order_run(struct txl_error *err, const struct txl_order_run *given, txl_order **order)
{
    struct txl_order_run run;
    struct trial t = {.order = NULL};
    *order = NULL;
    if (options_take(err, &run, sizeof run, given) != TXL_CONTINUE ||
        options_reserved(err, run.reserved, sizeof run.reserved) != TXL_CONTINUE) {
        return TXL_INPUT;
    }
    const int result = trial_run(err, &run, NULL, &t);
    int more = TXL_OK;
    if (result != TXL_INPUT && run.delays != NULL) {
        more = order_run_compare(err, &run, &t);
    } else if (result != TXL_INPUT && run.witness) {
        more = txl_order_witness(err, t.order, t.chip,
                                 &(struct txl_order_again){.size = sizeof(struct txl_order_again),
                                                           .budget = run.budget,
                                                           .user = &run,
                                                           .run = run_again});
    }
    if (result == TXL_INPUT || more == TXL_INPUT) {
        trial_close(&t);
        return TXL_INPUT;
    }
    tx_chip_close(t.chip);
    *order = t.order;
    return result;
}
