/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Times one line. Slices of some milliseconds alternate between the kernel, the kernel without the
 * instruction, and the loops, so that other load on the machine affects all of them alike. Times
 * are the processor time of this thread.
 */
#include "base/memory.h"
#include "base/options.h"
#include "base/pool.h"
#include "bench/bench.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { SLICES = 4, INPUTS = 4, THREADS = 2, STREAM_TILES = 4096 };

/* A kernel with its data, ready to run. */
struct load {
    const struct tx_program *program;
    struct tx_program *own; /* the program, where it is not the caller's */
    tx_kernel *kernel;
    tx_fast *fast; /* NULL: the reference engine */
    tx_fast_worker *worker;
    struct bench_l1 *l1; /* a line of bench_l1.c; then kernel, fast and worker are NULL */
    uint32_t *in, *out;
    enum bench_way way;
    size_t tiles; /* tiles of one call */
    uint64_t events;
    unsigned ops;
    uint64_t times; /* calls in one slice */
};

/* The caller's options with defaults resolved. */
struct settled {
    const char *level;
    enum bench_way way; /* what WAY_ENGINE stands for */
    unsigned runs;
    double slice;
    txl_compiler *compiler;
};

static void count_event(void *user, const struct tx_event *event)
{
    *(uint64_t *)user += event->cycle != 0;
}

static uint32_t next(uint64_t *random)
{
    *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*random >> 32);
}

static void bench_work_fill(enum bench_data kind, uint32_t *words, size_t count)
{
    uint64_t random = 1;
    for (size_t i = 0; i < count; i++) {
        const double u = (next(&random) + 0.5) * 0x1p-32;
        const double v = (next(&random) + 0.5) * 0x1p-32;
        float value = 0;
        switch (kind) {
        case DATA_BITS:
        case DATA_BF16:
        case DATA_CYCLES:
        case BENCH_DATA:
            words[i] = next(&random);
            continue;
        case DATA_MIXED:
            value = (float)(sqrt(-2 * log(u)) * cos(6.283185307179586 * v));
            break;
        case DATA_NEAR_ONE:
            value = (float)(0.5 + u);
            break;
        }
        memcpy(words + i, &value, sizeof value);
    }
}

static void close_load(struct load *l)
{
    bench_l1_close(l->l1);
    tx_fast_worker_close(l->worker);
    tx_fast_close(l->fast);
    tx_kernel_close(l->kernel);
    tx_program_free(l->own);
    free(l->in);
    free(l->out);
}

static bool assemble(struct load *l, const struct bench_line *line, bool with,
                     struct txl_error *err)
{
    struct tx_diag diag;
    const struct tx_asm_options how = {.arch = line->arch};
    char *text = malloc(BENCH_TEXT);
    if (text == NULL) {
        return fail_false(err, "%s", no_memory_text);
    }
    bench_text(line, with, text, BENCH_TEXT, &l->ops);
    const bool good = tx_assemble(text, strlen(text), &how, &l->own, &diag) == TX_OK;
    if (!good) {
        fail_false(err, "%s: line %u: %s", line->name, diag.line, diag.message);
    }
    free(text);
    l->program = l->own;
    return good;
}

static bool open_engine(struct load *l, const struct settled *options, struct txl_error *err)
{
    const char *reason = NULL;
    enum tx_status status = TX_OK;
    if (l->way == WAY_ENGINE || l->way == WAY_COMPILED || l->way == WAY_VECTORS ||
        l->way == WAY_TILES) {
        status = tx_fast_open(l->kernel, options->level, &l->fast, &reason);
        l->tiles = tx_fast_batch();
    }
    if (status == TX_OK && l->way == WAY_COMPILED &&
        (options->compiler == NULL ? txl_fail(err, "no compiler was given")
                                   : txl_compile(err, options->compiler, l->fast)) != TXL_OK) {
        return false;
    }
    if (status == TX_OK && l->fast != NULL) {
        status = tx_fast_worker_open(l->fast, &l->worker);
    }
    return status == TX_OK ||
           fail_false(err, "%s", reason != NULL ? reason : tx_status_text(status));
}

static bool open_load(struct load *l, const struct bench_line *line, bool with,
                      const struct tx_program *program, const struct settled *options,
                      struct txl_error *err)
{
    struct tx_settings settings;
    struct tx_kernel_options how;
    memset(l, 0, sizeof *l);
    l->program = program;
    if (program == NULL && !assemble(l, line, with, err)) {
        return false;
    }
    if (line->shape == SHAPE_L1 || line->shape == SHAPE_CONVERT) {
        l->tiles = 1;
        l->l1 = bench_l1_open(line, l->program, err);
        return l->l1 != NULL;
    }
    tx_settings_default(&settings, tx_program_arch(l->program));
    tx_kernel_options_default(&how);
    l->way = line->way == WAY_ENGINE ? options->way : line->way;
    l->tiles = 1;
    if (l->way == WAY_WATCHED) {
        settings.sink.event = count_event;
        settings.sink.user = &l->events;
    }
    enum tx_status status = tx_kernel_open(&settings, l->program, &how, &l->kernel);
    status = status == TX_OK ? tx_kernel_start(l->kernel) : status;
    if (status != TX_OK) {
        return fail_false(err, "%s", tx_status_text(status));
    }
    if (!open_engine(l, options, err)) {
        return false;
    }
    const size_t inputs =
        tx_program_inputs(l->program) > INPUTS ? tx_program_inputs(l->program) : INPUTS;
    const size_t words = l->tiles * TX_TILE_ELEMENTS;
    l->in = aligned_alloc(64, words * inputs * sizeof *l->in);
    l->out = aligned_alloc(64, words * sizeof *l->out);
    if (l->in == NULL || l->out == NULL) {
        return fail_false(err, "%s", no_memory_text);
    }
    bench_work_fill(line->data, l->in, words * inputs);
    return true;
}

/* Runs all tiles of one call, but with a separate call for each vector or each tile. */
static enum tx_status run_parts(struct load *l, const uint32_t *const *inputs)
{
    const bool vectors = l->way == WAY_VECTORS;
    const size_t size = vectors ? 32 : TX_TILE_ELEMENTS;
    const size_t count = l->tiles * TX_TILE_ELEMENTS / size;
    const uint32_t *at[16] = {NULL};
    enum tx_status status = TX_OK;
    for (size_t part = 0; part < count && status == TX_OK; part++) {
        for (unsigned i = 0; i < tx_program_inputs(l->program) && i < 16; i++) {
            at[i] = inputs[i] + part * size;
        }
        uint32_t *to = l->out + part * size;
        status = vectors ? tx_fast_run_vectors(l->worker, 1, at, to)
                         : tx_fast_run(l->worker, part, 1, at, to);
    }
    return status;
}

/* Runs .tile with a separate call for each word. */
static enum tx_status run_words(struct load *l)
{
    static const uint32_t zero[TX_RWC_COUNT];
    tx_machine *m = tx_kernel_machine(l->kernel);
    const uint32_t *words = tx_program_words(l->program, TX_SECTION_TILE);
    const size_t count = tx_program_count(l->program, TX_SECTION_TILE);
    enum tx_status status = tx_write(m, TX_FILE_RWC, 1, zero, TX_RWC_COUNT);
    for (size_t i = 0; i < count && status == TX_OK; i++) {
        status = tx_run(m, 1, words + i, 1);
    }
    return status;
}

static bool run_once(struct load *l)
{
    if (l->l1 != NULL) {
        return bench_l1_run(l->l1);
    }
    const uint32_t *inputs[16] = {NULL};
    for (unsigned i = 0; i < tx_program_inputs(l->program) && i < 16; i++) {
        inputs[i] = l->in + i * l->tiles * TX_TILE_ELEMENTS;
    }
    enum tx_status status;
    if (l->way == WAY_VECTORS || l->way == WAY_TILES) {
        status = run_parts(l, inputs);
    } else if (l->fast != NULL) {
        status = tx_fast_run(l->worker, 0, l->tiles, inputs, l->out);
    } else if (l->way == WAY_WORDS) {
        status = run_words(l);
    } else {
        status = tx_kernel_tile(l->kernel, 0, inputs, l->out);
    }
    return status == TX_OK;
}

/* Returns the processor time of `times` calls; negative: the kernel stopped. */
static double run_times(struct load *l, uint64_t times)
{
    const double start = thread_seconds();
    for (uint64_t i = 0; i < times; i++) {
        if (!run_once(l)) {
            return -1;
        }
    }
    return thread_seconds() - start;
}

/* Finds the number of calls that take about one slice. */
static bool settle_times(struct load *l, double slice)
{
    double took = run_times(l, 1); /* warm */
    l->times = 1;
    while (took >= 0) {
        took = run_times(l, l->times);
        if (took >= slice / 4) {
            l->times = (uint64_t)((double)l->times * slice / took) + 1;
            return true;
        }
        l->times *= 2;
    }
    return false;
}

/*
 * Returns the vector instructions of a tile, including those that SFPLOADMACRO schedules; for a
 * kernel without any, all its instructions.
 */
static double tile_instructions(struct load *l)
{
    if (l->l1 != NULL) {
        return bench_l1_units(l->l1);
    }
    if (l->fast != NULL) {
        return (double)tx_fast_instructions(l->fast);
    }
    const struct tx_counters before = tx_machine_counters(tx_kernel_machine(l->kernel));
    (void)run_once(l);
    const struct tx_counters after = tx_machine_counters(tx_kernel_machine(l->kernel));
    const uint64_t vector = after.vector_instructions - before.vector_instructions +
                            after.scheduled_instructions - before.scheduled_instructions;
    return (double)(vector != 0 ? vector : after.instructions - before.instructions);
}

/* ---- one run: alternating slices ---- */

struct sums {
    double loop_time[BENCH_LOOPS], loop_count[BENCH_LOOPS];
    double with, without; /* seconds for one call */
    double wall;
};

static void loop_slice(enum bench_loop loop, double slice, struct sums *s)
{
    const double start = thread_seconds();
    double taken;
    do {
        s->loop_count[loop] += bench_loop_run(loop);
        taken = thread_seconds() - start;
    } while (taken < slice);
    s->loop_time[loop] += taken;
}

struct helper {
    struct load *load;
    bool good;
    double start, end; /* wall clock: waiting for the other thread counts too */
    pthread_barrier_t *barrier;
};

static void *help(void *argument)
{
    struct helper *h = argument;
    pthread_barrier_wait(h->barrier);
    h->start = clock_seconds();
    h->good = run_times(h->load, h->load->times) >= 0;
    h->end = clock_seconds();
    return NULL;
}

/*
 * Runs both loads at once on two threads. *seconds: from the first start to the last end, per call.
 */
static bool run_pair(struct load *loads, double *seconds)
{
    pthread_barrier_t barrier;
    pthread_t thread;
    struct helper helpers[THREADS] = {{.load = &loads[0], .barrier = &barrier},
                                      {.load = &loads[1], .barrier = &barrier}};
    loads[1].times = loads[0].times;
    pthread_barrier_init(&barrier, NULL, THREADS);
    const bool started = pthread_create(&thread, NULL, help, &helpers[1]) == 0;
    if (started) {
        (void)help(&helpers[0]);
        pthread_join(thread, NULL);
    }
    pthread_barrier_destroy(&barrier);
    *seconds = (fmax(helpers[0].end, helpers[1].end) - fmin(helpers[0].start, helpers[1].start)) /
               (double)loads[0].times;
    return started && helpers[0].good && helpers[1].good;
}

/*
 * Runs the slices of one run. With SHAPE_THREADS s->with is one thread and s->without both at once.
 */
static bool run_slices(const struct bench_line *line, struct load loads[2], double slice,
                       struct sums *s)
{
    for (unsigned i = 0; i < SLICES; i++) {
        loop_slice(BENCH_FMA, slice / 4, s);
        const double start = clock_seconds();
        double took = run_times(&loads[0], loads[0].times);
        if (took < 0) {
            return false;
        }
        took = line->shape == SHAPE_THREADS ? clock_seconds() - start : took;
        s->with += took / (double)loads[0].times / SLICES;
        loop_slice(BENCH_ADD, slice / 4, s);
        loop_slice(BENCH_COPY, slice / 4, s);
        if (line->shape == SHAPE_THREADS) {
            if (!run_pair(loads, &took)) {
                return false;
            }
            s->without += took / SLICES;
        } else if (loads[1].kernel != NULL) {
            took = run_times(&loads[1], loads[1].times);
            if (took < 0) {
                return false;
            }
            s->without += took / (double)loads[1].times / SLICES;
        }
        loop_slice(BENCH_SCALAR, slice / 4, s);
    }
    return true;
}

/*
 * Returns the seconds per tile when its data are in no cache, because inputs and output go through
 * far more memory than fits. 0: no memory for that.
 */
static double stream(struct load *l)
{
    const size_t tile = TX_TILE_ELEMENTS;
    const size_t calls = STREAM_TILES / l->tiles;
    const unsigned inputs = tx_program_inputs(l->program) < 16 ? tx_program_inputs(l->program) : 16;
    uint32_t *in = malloc((inputs + 1u) * STREAM_TILES * tile * sizeof *in);
    bool good = true;
    if (in == NULL) {
        return 0;
    }
    uint32_t *out = in + inputs * STREAM_TILES * tile;
    memset(out, 0, STREAM_TILES * tile * sizeof *out);
    for (unsigned k = 0; k < inputs; k++) {
        for (size_t call = 0; call < calls; call++) {
            memcpy(in + (k * STREAM_TILES + call * l->tiles) * tile, l->in + k * l->tiles * tile,
                   l->tiles * tile * sizeof *in);
        }
    }
    const double start = thread_seconds();
    for (size_t call = 0; call < calls; call++) {
        const uint32_t *at[16] = {NULL};
        for (unsigned k = 0; k < inputs; k++) {
            at[k] = in + (k * STREAM_TILES + call * l->tiles) * tile;
        }
        const enum tx_status status =
            tx_fast_run(l->worker, call * l->tiles, l->tiles, at, out + call * l->tiles * tile);
        good = good && status == TX_OK;
    }
    const double seconds = (thread_seconds() - start) / (double)(calls * l->tiles);
    free(in);
    return good ? seconds : 0;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return x < y ? -1 : x > y ? 1 : 0;
}

double bench_median(double *list, unsigned count)
{
    qsort(list, count, sizeof *list, by_size);
    return count % 2 != 0 ? list[count / 2] : (list[count / 2 - 1] + list[count / 2]) / 2;
}

static bool measure(const struct bench_line *line, struct load loads[2], double instructions,
                    const struct settled *options, struct txl_bench_result *result)
{
    double rates[TXL_BENCH_RUNS];
    double scaling[TXL_BENCH_RUNS];
    double ratios[BENCH_LOOPS][TXL_BENCH_RUNS];
    double loops[BENCH_LOOPS][TXL_BENCH_RUNS];
    const bool pair = line->shape == SHAPE_THREADS;
    for (unsigned run = 0; run < options->runs; run++) {
        struct sums s = {.with = 0};
        if (!run_slices(line, loads, options->slice, &s)) {
            return false;
        }
        /*
         * An engine that merges instructions may take almost no time; then the clock is the limit.
         */
        const double spent = pair ? s.without / THREADS : fmax(s.with - s.without, s.with * 1e-3);
        rates[run] = instructions / spent;
        scaling[run] = pair ? THREADS * s.with / s.without : 0;
        for (unsigned k = 0; k < BENCH_LOOPS; k++) {
            loops[k][run] = s.loop_count[k] / s.loop_time[k];
            ratios[k][run] = rates[run] / loops[k][run];
        }
    }
    result->rate = bench_median(rates, options->runs);
    result->scaling = bench_median(scaling, options->runs);
    for (unsigned k = 0; k < BENCH_LOOPS; k++) {
        result->ratio[k] = bench_median(ratios[k], options->runs);
        result->loops[k] = bench_median(loops[k], options->runs);
    }
    const double *sorted = ratios[line->against];
    result->spread = (sorted[options->runs - 1] - sorted[0]) / 2 / result->ratio[line->against];
    return true;
}

static bool measure_line(const struct bench_line *line, const struct tx_program *program,
                         const struct settled *options, struct txl_bench_result *result,
                         struct txl_error *err)
{
    struct load loads[2];
    const bool whole =
        line->shape != SHAPE_RESULTS && line->shape != SHAPE_CHAIN && line->shape != SHAPE_THREADS;
    const bool pair = line->shape == SHAPE_THREADS;
    memset(loads, 0, sizeof loads);
    bool good = open_load(&loads[0], line, true, program, options, err) &&
                (whole || open_load(&loads[1], line, pair, program, options, err));
    if (good) {
        good = settle_times(&loads[0], options->slice) &&
               (whole || settle_times(&loads[1], options->slice));
        const double ops = whole || pair ? tile_instructions(&loads[0]) : (double)loads[0].ops;
        good = good && measure(line, loads, ops * (double)loads[0].tiles, options, result);
        if (good && whole && loads[0].fast != NULL && loads[0].way != WAY_VECTORS &&
            loads[0].way != WAY_TILES) {
            double seconds[TXL_BENCH_RUNS];
            for (unsigned run = 0; run < options->runs; run++) {
                seconds[run] = stream(&loads[0]);
            }
            const double tile = bench_median(seconds, options->runs);
            result->streamed = tile > 0 ? ops / tile : 0;
        }
        if (!good) {
            fail_false(err, "the kernel stopped");
        }
    }
    close_load(&loads[0]);
    close_load(&loads[1]);
    return good;
}

/* ---- the public face ---- */

static int bench_work_settle(struct txl_error *err, const struct txl_bench_options *options,
                             struct settled *settled)
{
    struct txl_bench_options o;
    if (options_take(err, &o, sizeof o, options) != TXL_CONTINUE) {
        return TXL_INPUT;
    }
    *settled = (struct settled){.level = o.level,
                                .way = o.engine == TXL_ENGINE_COMPILED    ? WAY_COMPILED
                                       : o.engine == TXL_ENGINE_REFERENCE ? WAY_REFERENCE
                                                                          : WAY_ENGINE,
                                .runs = o.runs != 0 ? o.runs : 7,
                                .slice = o.slice > 0 ? o.slice : 0.002,
                                .compiler = o.compiler};
    return settled->runs <= TXL_BENCH_RUNS
               ? TXL_CONTINUE
               : txl_fail(err, "at most %d runs are measured", TXL_BENCH_RUNS);
}

static int measure_settled(struct txl_error *err, const struct bench_line *line,
                           const struct tx_program *program,
                           const struct txl_bench_options *options, struct txl_bench_result *result)
{
    struct settled settled;
    struct txl_bench_result own = {.size = sizeof own};
    if (bench_work_settle(err, options, &settled) != TXL_CONTINUE) {
        return TXL_INPUT;
    }
    struct bench_line one = *line;
    if (program != NULL && settled.way == WAY_REFERENCE) {
        one.against = BENCH_SCALAR;
    }
    if (!measure_line(&one, program, &settled, &own, err)) {
        return TXL_INPUT;
    }
    options_give(result, &own, sizeof own);
    return TXL_OK;
}

int txl_bench_measure(struct txl_error *err, size_t index, const struct txl_bench_options *options,
                      struct txl_bench_result *result)
{
    return index < bench_line_count
               ? measure_settled(err, &bench_lines[index], NULL, options, result)
               : txl_fail(err, "there is no such row");
}

int txl_bench_kernel(struct txl_error *err, const struct tx_program *program,
                     const struct txl_bench_options *options, struct txl_bench_result *result)
{
    const struct bench_line line = {.name = "kernel",
                                    .arch = tx_program_arch(program),
                                    .data = DATA_MIXED,
                                    .shape = SHAPE_KERNEL,
                                    .way = WAY_ENGINE,
                                    .against = BENCH_FMA};
    return measure_settled(err, &line, program, options, result);
}

bool txl_bench_line(size_t index, struct txl_bench_line *line)
{
    if (index >= bench_line_count) {
        return false;
    }
    const struct bench_line *r = &bench_lines[index];
    const struct txl_bench_line all = {.name = r->name,
                                       .arch = r->arch,
                                       .data = bench_data_names[r->data],
                                       .against = r->against,
                                       .goal = r->goal,
                                       .compiled = r->way == WAY_COMPILED};
    options_give(line, &all, sizeof all);
    return true;
}

char *txl_bench_text(size_t index, unsigned *counted)
{
    char *text = index < bench_line_count ? malloc(BENCH_TEXT) : NULL;
    if (text != NULL) {
        bench_text(&bench_lines[index], true, text, BENCH_TEXT, counted);
    }
    return text;
}

txl_json *txl_bench_json(const struct txl_bench_line *line, const struct txl_bench_result *r)
{
    txl_json *object = txl_json_object();
    txl_json *loops = txl_json_object();
    txl_json_set_text(object, "name", line->name);
    txl_json_set_text(object, "arch", tx_arch_name(line->arch));
    txl_json_set_text(object, "data", line->data);
    txl_json_set_real(object, "rate", r->rate);
    txl_json_set_text(object, "against", txl_bench_loop(line->against));
    txl_json_set_real(object, "ratio", r->ratio[line->against]);
    for (unsigned k = 0; k < TXL_BENCH_LOOPS; k++) {
        char name[32];
        snprintf(name, sizeof name, "of_%s", txl_bench_loop(k));
        txl_json_set_real(object, name, r->ratio[k]);
        txl_json_set_real(loops, txl_bench_loop(k), r->loops[k]);
    }
    txl_json_set_real(object, "spread", r->spread);
    if (r->streamed > 0) {
        txl_json_set_real(object, "streamed", r->streamed);
    }
    if (r->scaling > 0) {
        txl_json_set_real(object, "scaling", r->scaling);
    }
    if (line->goal > 0) {
        txl_json_set_real(object, "goal", line->goal);
    }
    txl_json_set(object, "loops", loops);
    return object;
}
