/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The public functions of the fast engine: a kernel's schedule, and running blocks of tiles with
 * it.
 */
#include <tensix-internal/fast_vary.h>

#include "fast/level.h"
#include "fast/plan.h"
#include "fast/source.h"
#include "api/kernel.h"
#include "base/check.h"
#include "asm/program.h"
#include "fmt/dst_value.h"
#include "num/prng.h"
#include "state/dst.h"

#include <stdlib.h>
#include <string.h>

struct tx_fast {
    const tx_kernel *kernel;
    const struct fast_level *level;
    struct fast_schedule schedule;
    struct fast_plan plan;
    tx_fast_tile *tile; /* compiled code for a tile; NULL: the steps are run one by one */
    uint32_t varying[TX_FAST_VARY];
    unsigned varying_count;
};

struct tx_fast_worker {
    const tx_fast *fast;
    struct fast_step *steps;
    uint8_t *tiers;
    uint32_t *arrays, *constants, *seeds;
    uint32_t *in, *out; /* for a single tile: inputs and result with room for two tiles */
};

const char *tx_fast_level(size_t index)
{
    const struct fast_level *level = fast_level_at(index);
    return level != NULL ? level->name : NULL;
}

/* ---- the schedule ---- */

/* A tile of data, and the result that the reference engine computes from it. */
struct sample {
    uint32_t input[16][TX_TILE_ELEMENTS], output[TX_TILE_ELEMENTS];
    const uint32_t *inputs[16];
};

/*
 * Fills a sample with arbitrary data: which cells an instruction touches does not depend on them.
 */
static struct sample *new_sample(void)
{
    struct sample *s = malloc(sizeof *s);
    uint32_t x = 1;
    for (unsigned i = 0; s != NULL && i < 16; i++) {
        s->inputs[i] = s->input[i];
        for (unsigned e = 0; e < TX_TILE_ELEMENTS; e++) {
            x = x * 1664525u + 1013904223u;
            s->input[i][e] = (x & 0x807FFFFFu) | (119u + (x >> 24 & 15u)) << 23;
        }
    }
    return s;
}

static bool has_host(const struct tx_machine *m)
{
    return m->host.l1 != NULL || m->own_l1 != NULL || m->host.memory != NULL ||
           m->host.port != NULL;
}

/*
 * Determines the physical rows of the tiles: of the inputs as they are before .tile, of the output
 * after it.
 */
static void place_rows(const tx_kernel *k, const struct tx_state *end, struct fast_task *task)
{
    for (unsigned row = 0; row < 64; row++) {
        for (unsigned i = 0; i < task->inputs; i++) {
            task->input_row[i][row] =
                (uint16_t)kernel_row(k->machine, &k->start, i, row, k->options.dst);
        }
        task->output_row[row] =
            (uint16_t)kernel_row(k->machine, end, k->program->output, row, k->options.out);
    }
}

/*
 * Runs a tile on a copy of the machine and records every execution. The copy has no host, since
 * what a kernel does with one may differ from tile to tile.
 */
static enum tx_status record(const tx_kernel *k, struct sample *sample, struct fast_task *task,
                             struct fast_recording *recording)
{
    tx_kernel copy = *k;
    struct tx_settings settings = k->machine->settings;
    settings.sink.event = NULL;
    settings.mode = TX_MODE_SILICON; /* the reference engine reports findings */
    enum tx_status status = tx_open(&settings, &copy.machine);
    if (status != TX_OK) {
        return status;
    }
    tx_machine *m = copy.machine;
    m->state = k->start;
    machine_reconfigured(m);
    status = tx_kernel_tile_begin(&copy, 0);
    for (unsigned i = 0; i < k->program->inputs && status == TX_OK; i++) {
        status = tx_dst_load_tile(m, i, k->options.dst, sample->inputs[i]);
    }
    m->on_exec = fast_record;
    m->on_change = fast_record_change;
    m->on_user = recording;
    if (status == TX_OK) {
        status = tx_kernel_tile_run(&copy, NULL);
    }
    if (status == TX_OK && m->state.pending_count != 0) {
        recording->reason = "the kernel leaves scheduled instructions behind";
    }
    if (status == TX_FAULT && m->fault.category == TX_UNSUPPORTED && has_host(k->machine)) {
        recording->reason = "the kernel uses its host's memory or units";
        status = TX_OK;
    }
    if (status == TX_OK) {
        status = tx_dst_store_tile(m, k->program->output, k->options.out, sample->output);
    }
    place_rows(k, &m->state, task);
    tx_close(m);
    return status;
}

/*
 * Runs the sample tile through the schedule: if the recording has missed something, it shows here
 * and not in a user's result.
 */
static enum tx_status prove(tx_fast *fast, const struct sample *sample)
{
    tx_fast_worker *worker;
    uint32_t output[TX_TILE_ELEMENTS];
    enum tx_status status = tx_fast_worker_open(fast, &worker);
    if (status == TX_OK) {
        status = tx_fast_run(worker, 0, 1, sample->inputs, output);
        if (memcmp(output, sample->output, sizeof output) != 0) {
            fast->schedule.reason = "a tile of random data comes out otherwise than it should: "
                                    "please report this kernel";
        }
    }
    tx_fast_worker_close(worker);
    return status;
}

/*
 * Builds the schedule. schedule.reason is set if the kernel is one for the reference engine only.
 */
static enum tx_status schedule(tx_fast *fast, struct sample *sample)
{
    const tx_kernel *k = fast->kernel;
    struct fast_recording recording = {.list = NULL};
    struct fast_task task = {.machine = k->machine,
                             .start = &k->start,
                             .format = dst_datum_format(k->options.dst),
                             .out = dst_datum_format(k->options.out),
                             .inputs = k->program->inputs,
                             .varying = fast->varying,
                             .varying_count = fast->varying_count};
    enum tx_status status = record(k, sample, &task, &recording);
    if (k->program->threaded) {
        recording.reason = "three threads run at once";
    }
    if (k->options.carry) {
        recording.reason = "state is carried from tile to tile";
    }
    const uint64_t old = fast_arithmetic_begin(); /* folding of constants uses the same steps */
    if (status == TX_OK &&
        (!fast_schedule(&task, fast->level, &recording, &fast->schedule) ||
         (fast->schedule.reason == NULL && !fast_plan(&fast->schedule, &fast->plan)))) {
        status = TX_ENOMEM;
    }
    fast_arithmetic_end(old);
    free(recording.list);
    return status == TX_OK && fast->schedule.reason == NULL ? prove(fast, sample) : status;
}

enum tx_status tx_fast_open(const tx_kernel *kernel, const char *level, tx_fast **out,
                            const char **reason)
{
    return tx_fast_vary_open(kernel, level, NULL, 0, out, reason);
}

enum tx_status tx_fast_vary_open(const tx_kernel *kernel, const char *level, const uint32_t *words,
                                 unsigned count, tx_fast **out, const char **reason)
{
    const struct fast_level *found = fast_level_named(level);
    *out = NULL;
    if (reason != NULL) {
        *reason = NULL;
    }
    if (found == NULL) {
        return TX_ENOENT;
    }
    if (!kernel->started || count > TX_FAST_VARY) {
        return TX_EINVAL;
    }
    struct sample *sample = new_sample();
    tx_fast *fast = calloc(1, sizeof *fast);
    enum tx_status status = TX_ENOMEM;
    if (fast != NULL && sample != NULL) {
        fast->kernel = kernel;
        fast->level = found;
        fast->varying_count = count;
        if (count != 0) {
            memcpy(fast->varying, words, count * sizeof *words);
        }
        status = schedule(fast, sample);
        if (status == TX_OK && fast->schedule.reason != NULL) {
            status = TX_EUNSUPPORTED;
            if (reason != NULL) {
                *reason = fast->schedule.reason;
            }
        }
    }
    free(sample);
    if (status != TX_OK) {
        tx_fast_close(fast);
        fast = NULL;
    }
    *out = fast;
    return status;
}

void tx_fast_close(tx_fast *fast)
{
    if (fast != NULL) {
        fast_plan_close(&fast->plan);
        dag_close(&fast->schedule.dag);
        free(fast);
    }
}

bool tx_fast_elementwise(const tx_fast *fast)
{
    return fast_plan_elementwise(&fast->plan);
}

enum tx_status tx_fast_source(const tx_fast *fast, tx_fast_put *put, void *user)
{
    return fast_source(&fast->plan, put, user) ? TX_OK : TX_ENOMEM;
}

void tx_fast_use(tx_fast *fast, tx_fast_tile *tile)
{
    fast->tile = tile;
}

const char *tx_fast_level_of(const tx_fast *fast)
{
    return fast->level->name;
}

const char *tx_fast_options_of(const tx_fast *fast)
{
    return fast->level->options;
}

uint64_t tx_fast_instructions(const tx_fast *fast)
{
    return fast->schedule.instructions;
}

size_t tx_fast_batch(void)
{
    return 2 * FAST_GROUPS;
}

/* ---- workers ---- */

/*
 * Sets *at and *stride to the array that a plan's place number denotes; constants do not advance.
 */
static void fast_place(const tx_fast_worker *w, int32_t place, uint32_t **at, uint16_t *stride)
{
    const size_t size = (size_t)FAST_GROUP * w->fast->plan.groups;
    if (place < PLACE_NONE) {
        *at = w->constants + (size_t)(place - PLACE_CONSTANT) * FAST_GROUP;
        *stride = 0;
    } else if (place ==
               PLACE_NONE) { /* an array behind all others, for results that nobody reads */
        *at = w->arrays + (size_t)w->fast->plan.arrays * size;
        *stride = 0;
    } else {
        *at = w->arrays + (size_t)place * size;
        *stride = FAST_GROUP;
    }
}

static void place_step(tx_fast_worker *w, size_t number)
{
    const struct fast_plan *plan = &w->fast->plan;
    const struct plan_step *from = &plan->steps[number];
    struct fast_step *s = &w->steps[number];
    uint32_t *at;
    dag_step(plan->from, &from->node, s);
    s->masked = from->masked;
    s->mad = from->mad;
    s->tier = &w->tiers[number];
    if (!plan->vector_shape && s->kind == FAST_INPUT) {
        s->run = w->fast->level->input_tiles;
    } else if (!plan->vector_shape && s->kind == FAST_OUTPUT) {
        s->run = w->fast->level->output_tiles;
    }
    for (unsigned i = 0; i < IN_COUNT; i++) {
        fast_place(w, from->in[i], &at, &s->in_stride[i]);
        s->in[i] = at;
    }
    for (unsigned i = 0; i < OUT_COUNT; i++) {
        fast_place(w, from->out[i], &s->out[i], &s->out_stride[i]);
    }
}

static void *aligned(size_t words)
{
    void *p = aligned_alloc(64, (words * sizeof(uint32_t) + 63) / 64 * 64);
    if (p != NULL) {
        memset(p, 0, (words * sizeof(uint32_t) + 63) / 64 * 64);
    }
    return p;
}

enum tx_status tx_fast_worker_open(const tx_fast *fast, tx_fast_worker **out)
{
    const struct fast_plan *plan = &fast->plan;
    const struct dag *dag = plan->from;
    const size_t tiles = (size_t)2 * TX_TILE_ELEMENTS;
    const bool whole = !plan->vector_shape;
    tx_fast_worker *w = calloc(1, sizeof *w);
    *out = NULL;
    if (w == NULL) {
        return TX_ENOMEM;
    }
    w->fast = fast;
    w->steps = calloc(plan->count, sizeof *w->steps);
    w->tiers = calloc(plan->count, 1);
    w->arrays = aligned(((size_t)plan->arrays * plan->groups + 1) * FAST_GROUP);
    w->constants = aligned(dag->constant_count * FAST_GROUP);
    w->seeds = whole ? aligned((size_t)FAST_GROUPS * FAST_GROUP) : NULL;
    w->in = whole ? aligned(tiles * (fast->kernel->program->inputs + 1u)) : NULL;
    w->out = whole ? aligned(tiles) : NULL;
    if (w->steps == NULL || w->tiers == NULL || w->arrays == NULL || w->constants == NULL ||
        (whole && (w->seeds == NULL || w->in == NULL || w->out == NULL))) {
        tx_fast_worker_close(w);
        return TX_ENOMEM;
    }
    memcpy(w->constants, dag->constants, dag->constant_count * sizeof dag->constants[0]);
    for (size_t i = 0; i < plan->count; i++) {
        place_step(w, i);
    }
    *out = w;
    return TX_OK;
}

void tx_fast_vary(tx_fast_worker *worker, unsigned index, uint32_t word)
{
    const struct dag *dag = worker->fast->plan.from;
    for (size_t i = 0; i < dag->constant_count; i++) {
        bool same = true;
        for (unsigned lane = 0; same && lane < FAST_GROUP; lane++) {
            same = dag->constants[i][lane] == worker->fast->varying[index];
        }
        for (unsigned lane = 0; same && lane < FAST_GROUP; lane++) {
            worker->constants[i * FAST_GROUP + lane] = word;
        }
    }
}

size_t tx_fast_constant_count(const tx_fast *fast)
{
    return fast->plan.from->constant_count;
}

uint32_t tx_fast_constant(const tx_fast *fast, size_t index)
{
    return fast->plan.from->constants[index][0];
}

void tx_fast_worker_close(tx_fast_worker *worker)
{
    if (worker != NULL) {
        free(worker->steps);
        free(worker->tiers);
        free(worker->arrays);
        free(worker->constants);
        free(worker->seeds);
        free(worker->in);
        free(worker->out);
        free(worker);
    }
}

/* ---- blocks ---- */

static void run_steps(const tx_fast_worker *w, const struct fast_context *c)
{
    for (size_t i = 0; i < w->fast->plan.count; i++) {
        w->steps[i].run(&w->steps[i], c);
    }
}

static void run_tile(const tx_fast_worker *w, const uint32_t *const *inputs, uint32_t *output)
{
    const unsigned groups = w->fast->plan.groups;
    if (w->fast->tile != NULL) {
        w->fast->tile(inputs, output, NULL, w->tiers);
        return;
    }
    for (unsigned first = 0; first < FAST_GROUPS; first += groups) {
        const struct fast_context c = {
            .inputs = inputs, .output = output, .first = first, .groups = groups};
        run_steps(w, &c);
    }
}

/*
 * Returns the number of groups in a block. In the tile shape a group is two tiles; compiled code
 * computes one group.
 */
static unsigned block_groups(const tx_fast_worker *w)
{
    return w->fast->tile != NULL ? 1 : w->fast->plan.groups;
}

static void run_block(tx_fast_worker *w, uint64_t first, unsigned groups,
                      const uint32_t *const *inputs, uint32_t *output)
{
    const struct fast_context c = {
        .inputs = inputs, .output = output, .seeds = w->seeds, .groups = groups};
    for (unsigned tile = 0; w->fast->plan.seeds && tile < 2 * groups; tile++) {
        prng_seed(tx_kernel_tile_seed(w->fast->kernel->options.seed, first + tile),
                  w->seeds + (size_t)tile * 32);
    }
    if (w->fast->tile != NULL) {
        w->fast->tile(inputs, output, w->seeds, w->tiers);
    } else {
        run_steps(w, &c);
    }
}

/* Computes a last single tile, which fills both halves of a group. */
static void run_last(tx_fast_worker *w, uint64_t first, const uint32_t *const *inputs,
                     uint32_t *output)
{
    const uint32_t *padded[16];
    const size_t size = TX_TILE_ELEMENTS * sizeof(uint32_t);
    for (unsigned i = 0; i < w->fast->kernel->program->inputs; i++) {
        uint32_t *to = w->in + i * (size_t)2 * TX_TILE_ELEMENTS;
        memcpy(to, inputs[i], size);
        memcpy(to + TX_TILE_ELEMENTS, inputs[i], size);
        padded[i] = to;
    }
    run_block(w, first, 1, padded, w->out);
    memcpy(output, w->out, size);
}

/*
 * The build that checks itself: what the fast engine has made of the first tile of a call is what
 * the reference engine makes of it. The inputs are kept from before, as the output may lie in them.
 * Where the memory for the comparison is missing there is none: the tile itself is computed.
 */
static uint32_t *keep_tile(const tx_fast_worker *w, const uint32_t *const *inputs)
{
#if defined(TX_CHECK)
    const unsigned count = w->fast->kernel->program->inputs;
    uint32_t *kept = calloc((size_t)count + 1, TX_TILE_ELEMENTS * sizeof *kept);
    for (unsigned i = 0; kept != NULL && i < count; i++) {
        memcpy(kept + (size_t)i * TX_TILE_ELEMENTS, inputs[i], TX_TILE_ELEMENTS * sizeof *kept);
    }
    return kept;
#else
    (void)w, (void)inputs;
    return NULL;
#endif
}

static void check_tile(const tx_fast_worker *w, uint64_t number, const uint32_t *kept,
                       const uint32_t *output)
{
#if defined(TX_CHECK)
    const tx_kernel *k = w->fast->kernel;
    tx_kernel copy = *k;
    struct tx_settings settings = k->machine->settings;
    uint32_t own[TX_TILE_ELEMENTS];
    if (kept == NULL || w->fast->varying_count != 0) {
        return;
    }
    settings.sink.event = NULL;
    settings.watch.go_on = NULL;
    settings.mode = TX_MODE_SILICON;
    enum tx_status status = tx_open(&settings, &copy.machine);
    if (status == TX_ENOMEM) {
        return;
    }
    CHECK(status == TX_OK, "a machine opens with its own settings");
    copy.machine->state = k->start;
    machine_reconfigured(copy.machine);
    status = tx_kernel_tile_begin(&copy, number);
    for (unsigned i = 0; i < k->program->inputs && status == TX_OK; i++) {
        status =
            tx_dst_load_tile(copy.machine, i, k->options.dst, kept + (size_t)i * TX_TILE_ELEMENTS);
    }
    status = status == TX_OK ? tx_kernel_tile_run(&copy, NULL) : status;
    if (status == TX_OK) {
        status = tx_dst_store_tile(copy.machine, k->program->output, k->options.out, own);
    }
    CHECK(status == TX_OK || status == TX_ENOMEM,
          "the reference engine runs what the fast one runs");
    CHECK(status != TX_OK || memcmp(own, output, sizeof own) == 0,
          "the fast engine computes what the reference does");
    tx_close(copy.machine);
#else
    (void)w, (void)number, (void)kept, (void)output;
#endif
}

enum tx_status tx_fast_run(tx_fast_worker *w, uint64_t first, size_t count,
                           const uint32_t *const *inputs, uint32_t *output)
{
    const uint64_t old = fast_arithmetic_begin();
    const struct fast_plan *plan = &w->fast->plan;
    const size_t most = plan->vector_shape ? 1 : 2 * block_groups(w);
    const uint32_t *at[16];
    uint32_t *const kept = count != 0 ? keep_tile(w, inputs) : NULL;
    size_t block;
    for (size_t done = 0; done < count; done += block) {
        const size_t left = count - done;
        const size_t offset = done * TX_TILE_ELEMENTS;
        for (unsigned i = 0; i < w->fast->kernel->program->inputs; i++) {
            at[i] = inputs[i] + offset;
        }
        block = left < most ? left : most;
        if (plan->vector_shape) {
            run_tile(w, at, output + offset);
        } else if (left == 1) {
            run_last(w, first + done, at, output + offset);
        } else {
            block -= block % 2;
            run_block(w, first + done, (unsigned)(block / 2), at, output + offset);
        }
    }
    fast_arithmetic_end(old);
    if (count != 0) {
        check_tile(w, first, kept, output);
    }
    free(kept);
    return TX_OK;
}

enum tx_status tx_fast_run_vectors(tx_fast_worker *w, size_t count, const uint32_t *const *inputs,
                                   uint32_t *output)
{
    const struct fast_plan *plan = &w->fast->plan;
    const size_t groups = (count + 1) / 2;
    if (!plan->vector_shape) {
        return TX_EUNSUPPORTED;
    }
    const uint64_t old = fast_arithmetic_begin();
    for (size_t first = 0; first < groups; first += plan->groups) {
        const size_t left = groups - first;
        const struct fast_context c = {.inputs = inputs,
                                       .output = output,
                                       .first = first,
                                       .groups =
                                           left < plan->groups ? (unsigned)left : plan->groups,
                                       .vectors = count};
        run_steps(w, &c);
    }
    fast_arithmetic_end(old);
    return TX_OK;
}
