/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the tiles of a job on several threads. Each thread takes tiles in order and has its own
 * kernel.
 */
#include "run/run.h"

#include <stdlib.h>
#include <string.h>

#include "base/finding.h"
#include "base/memory.h"
#include "flow/left.h"

struct worker {
    struct run_job *job;
    struct pool *pool; /* set while it runs with other workers */
    tx_kernel *kernel;
    uint32_t *gaps;       /* one number for each word of .tile, or NULL */
    tx_fast_worker *fast; /* NULL: the kernel runs the tiles */
    struct batch *batch;
    struct reference_work *reference;
    struct tile_data *data;
    struct run_totals totals;
    struct tx_counters before; /* counters after .init */
    uint64_t first_tile[TX_MAX_FINDINGS];
    size_t findings;
};

static int wrong_set(struct txl_error *err, enum tx_arch arch, const char *name)
{
    enum { MOST = 2048 };
    const char *names[MOST];
    size_t count = 0;
    const struct tx_config_field *field = tx_config_field_at(arch, 0);
    while (field != NULL && count < MOST) {
        names[count++] = field->name;
        field = tx_config_field_at(arch, count);
    }
    const char *near = txl_nearest(name, names, count);
    if (near != NULL) {
        return txl_fail_option(err, NULL, "sets", "%s has no field '%s'; did you mean '%s'?",
                               tx_arch_name(arch), name, near);
    }
    return txl_fail_option(err, NULL, "sets", "%s has no field '%s'", tx_arch_name(arch), name);
}

int run_apply_sets(struct txl_error *err, tx_machine *machine, unsigned thread,
                   const char *const *sets, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        char name[64];
        const char *equals = strchr(sets[i], '=');
        int64_t value = 0;
        if (equals == NULL || (size_t)(equals - sets[i]) >= sizeof name ||
            !txl_number(equals + 1, INT32_MIN, UINT32_MAX, &value)) {
            return txl_fail_option(err, NULL, "sets", "'%s' is not FIELD=NUMBER", sets[i]);
        }
        snprintf(name, sizeof name, "%.*s", (int)(equals - sets[i]), sets[i]);
        switch (tx_config_set(machine, thread, name, (uint32_t)value)) {
        case TX_OK:
            break;
        case TX_ENOENT:
            return wrong_set(err, tx_machine_arch(machine), name);
        default:
            return txl_fail_option(err, NULL, "sets", "%s does not fit into field %s", equals + 1,
                                   name);
        }
    }
    return TXL_CONTINUE;
}

/*
 * Records a failure. The one of the lowest tile is kept, so that the report does not depend on the
 * number of threads.
 */
static void fail(struct worker *w, enum run_failure failure, uint64_t tile, bool init,
                 const char *message)
{
    struct run_job *job = w->job;
    if (w->pool != NULL) {
        pool_lock(w->pool);
    }
    if (job->failure == RUN_GOOD || (init && !job->failed_init) ||
        (init == job->failed_init && tile < job->failed_tile)) {
        job->failure = failure;
        job->failed_tile = tile;
        job->failed_init = init;
        snprintf(job->message, sizeof job->message, "%s", message);
    }
    if (w->pool != NULL) {
        pool_unlock(w->pool);
    }
}

void run_stopped_text(const tx_machine *machine, enum tx_status status, char why[RUN_STOPPED])
{
    const struct tx_finding *fault = tx_fault(machine);
    if (fault == NULL) {
        char text[RUN_STOPPED - 32];
        snprintf(why, RUN_STOPPED, "the kernel stopped: %s",
                 txl_stuck_text(machine, status, text, sizeof text));
    } else {
        char text[128];
        char said[TX_FINDING_TEXT];
        const int used =
            snprintf(why, RUN_STOPPED, "%s", tx_finding_text(fault, said, sizeof said));
        if (tx_disassemble(fault->arch, fault->word, TX_DIS_NORMAL, text, sizeof text) == TX_OK &&
            used > 0 && used < RUN_STOPPED) { /* otherwise the fault is not about an instruction */
            snprintf(why + used, RUN_STOPPED - (size_t)used, " at instruction %llu: %s",
                     (unsigned long long)fault->index, text);
        }
    }
}

static void fail_machine(struct worker *w, uint64_t tile, bool init, enum tx_status status)
{
    char message[RUN_STOPPED];
    run_stopped_text(tx_kernel_machine(w->kernel), status, message);
    if (strstr(message, "there is no L1 memory") != NULL) { /* the run has arrays instead of L1 */
        const size_t used = strlen(message);
        snprintf(message + used, sizeof message - used, "; --l1 gives L1, in place of --in");
    }
    fail(w, RUN_FAULT, tile, init, message);
}

static void note_new_findings(struct worker *w, uint64_t tile)
{
    size_t count = tx_finding_count(tx_kernel_machine(w->kernel));
    for (; w->findings < count && w->findings < TX_MAX_FINDINGS; w->findings++) {
        w->first_tile[w->findings] = tile;
    }
}

/* Buffers for one tile. */
struct tile_data {
    uint32_t values[RUN_INPUTS][1024], held[RUN_INPUTS][1024];
    uint8_t bytes[RUN_INPUTS][TX_TILE_ELEMENTS * 4]; /* for data of a format */
    uint32_t got[1024], expected[1024];
    uint8_t packed[TX_TILE_ELEMENTS * 4];
};

/* Converts numbers to what the Dst format holds, and counts changed ones. */
static void hold(struct worker *w, uint64_t tile, const uint32_t *values, uint32_t *held)
{
    struct run_span spans[TX_TILE_ELEMENTS / 32];
    unsigned count = run_spans(&w->job->tiling, tile, spans);
    memset(held, 0, TX_TILE_ELEMENTS * sizeof *held);
    for (unsigned s = 0; s < count; s++) {
        for (unsigned i = spans[s].place; i < spans[s].place + spans[s].length; i++) {
            bool changed = false;
            held[i] = tx_dst_encode(w->job->dst, values[i], &changed);
            w->totals.changed += changed ? 1U : 0U;
        }
    }
}

static bool read_inputs(struct worker *w, uint64_t tile, struct tile_data *d, struct txl_error *err)
{
    struct run_job *job = w->job;
    for (unsigned k = 0; k < job->input_count; k++) {
        const struct run_array *array = &job->inputs[k];
        if (array->tensor.kind == TENSOR_VALUES) {
            if (!run_read_tile(job, array, tile, d->values[k], &w->totals.narrowed, err)) {
                return false;
            }
            hold(w, tile, d->values[k], d->held[k]);
        } else {
            if (!run_read_data(job, array, tile, d->bytes[k], err)) {
                return false;
            }
            run_data_words(array, d->bytes[k], d->held[k]);
        }
    }
    struct npy_narrowed narrowed = {0};
    return !job->has_compare ||
           run_read_tile(job, &job->compare, tile, d->expected, &narrowed, err);
}

/* Number of Dst rows of a tile. */
enum { TILE_ROWS = TX_TILE_ELEMENTS / TX_DST_WIDTH };

static enum tx_status run_work_load(struct worker *w, const struct tile_data *d)
{
    const struct run_job *job = w->job;
    tx_machine *machine = tx_kernel_machine(w->kernel);
    enum tx_status status = TX_OK;
    for (unsigned k = 0; k < tx_program_inputs(job->program) && status == TX_OK; k++) {
        const struct run_array *array = &job->inputs[k];
        if (array->tensor.kind == TENSOR_VALUES) {
            status = tx_dst_load_tile(machine, k, job->dst, d->values[k]);
            continue;
        }
        struct tx_tile_layout layout;
        (void)tx_tile_layout(&run_tile, array->unpack.in, &layout);
        status = tx_machine_unpack(machine, &array->unpack, &run_tile, k * TILE_ROWS, d->bytes[k],
                                   layout.bytes);
    }
    return status;
}

bool run_feed(struct run_job *job, tx_kernel *kernel, uint64_t tile, struct txl_error *err)
{
    struct worker w = {.job = job, .kernel = kernel, .data = zeroed(err, 1, sizeof *w.data)};
    bool good = w.data != NULL && read_inputs(&w, tile, w.data, err);
    const enum tx_status status = good ? run_work_load(&w, w.data) : TX_OK;
    if (status != TX_OK) {
        good = fail_false(err, "%s", tx_status_text(status));
    }
    free(w.data);
    return good;
}

static enum tx_status run_kernel(struct worker *w, uint64_t tile, struct tile_data *d)
{
    const struct run_job *job = w->job;
    tx_machine *machine = tx_kernel_machine(w->kernel);
    enum tx_status status = tx_kernel_tile_begin(w->kernel, tile);
    if (status == TX_OK) {
        status = run_work_load(w, d);
    }
    if (status == TX_OK) {
        status = tx_kernel_tile_run(w->kernel, w->gaps);
    }
    if (status == TX_OK) {
        status = tx_dst_store_tile(machine, tx_program_output(job->program), job->out_dst, d->got);
    }
    if (status == TX_OK && job->output_packed) {
        struct tx_tile_layout layout;
        (void)tx_tile_layout(&run_tile, job->pack.out, &layout);
        status =
            tx_machine_pack(machine, &job->pack, &run_tile,
                            tx_program_output(job->program) * TILE_ROWS, d->packed, layout.bytes);
    }
    return status;
}

static bool read_tile(struct worker *w, uint64_t tile)
{
    struct txl_error why = {0};
    const bool good = read_inputs(w, tile, w->data, &why);
    if (!good) {
        fail(w, RUN_BAD_INPUT, tile, false, why.message);
    }
    return good;
}

/* Measures and writes the result of a tile. */
static bool take_result(struct worker *w, uint64_t tile)
{
    struct run_job *job = w->job;
    struct tile_data *d = w->data;
    struct txl_error why = {0};
    bool good = true;
    if (job->has_compare || w->reference != NULL) {
        struct run_result result = {.tile = tile, .expected = d->expected, .got = d->got};
        for (unsigned k = 0; k < job->input_count; k++) {
            result.held[k] = d->held[k];
        }
        run_measure(job, w->reference, &result, &w->totals.stats);
    }
    if (job->has_output) {
        good = job->output_packed ? run_write_data(job, tile, d->packed, &why)
                                  : run_write_tile(job, tile, d->got, &why);
    }
    if (!good) {
        fail(w, RUN_BAD_OUTPUT, tile, false, why.message);
    }
    return good;
}

static bool tile_through(struct worker *w, uint64_t tile)
{
    const struct run_job *job = w->job;
    if (w->gaps != NULL) {
        gaps_fill(&job->gaps, tile, w->gaps, tx_program_count(job->program, TX_SECTION_TILE));
    }
    enum tx_status status = run_kernel(w, tile, w->data);
    if (status != TX_OK) {
        fail_machine(w, tile, false, status);
        return false;
    }
    note_new_findings(w, tile);
    return true;
}

static bool one_tile(struct worker *w, uint64_t tile)
{
    return read_tile(w, tile) && tile_through(w, tile) && take_result(w, tile);
}

/* ---- the fast engine ---- */

enum { BATCH = 64 };

struct batch {
    uint32_t got[BATCH][1024], expected[BATCH][1024];
    uint32_t values[][BATCH][1024]; /* of each input, followed by the same as Dst holds them */
};

/* Returns input k as Dst holds it; for FP32 that is the input itself. */
static uint32_t (*batch_held(struct worker *w, unsigned k))[1024]
{
    return w->batch->values[w->job->dst == TX_DST_FORMAT_FP32 ? k : k + w->job->input_count];
}

static bool read_batch(struct worker *w, uint64_t first, uint64_t count)
{
    struct run_job *job = w->job;
    struct batch *b = w->batch;
    struct txl_error why = {0};
    bool good = true;
    for (unsigned k = 0; k < job->input_count && good; k++) {
        good = run_read_tiles(job, &job->inputs[k], first, count, b->values[k], &w->totals.narrowed,
                              &why);
        for (uint64_t i = 0; good && job->dst != TX_DST_FORMAT_FP32 && i < count; i++) {
            hold(w, first + i, b->values[k][i], batch_held(w, k)[i]);
        }
    }
    if (good && job->has_compare) {
        struct npy_narrowed narrowed = {0};
        good = run_read_tiles(job, &job->compare, first, count, b->expected, &narrowed, &why);
    }
    if (!good) {
        fail(w, RUN_BAD_INPUT, first, false, why.message);
    }
    return good;
}

static bool take_batch(struct worker *w, uint64_t first, uint64_t count)
{
    struct run_job *job = w->job;
    struct batch *b = w->batch;
    struct txl_error why = {0};
    for (uint64_t i = 0; (job->has_compare || w->reference != NULL) && i < count; i++) {
        struct run_result result = {
            .tile = first + i, .expected = b->expected[i], .got = b->got[i]};
        for (unsigned k = 0; k < job->input_count; k++) {
            result.held[k] = batch_held(w, k)[i];
        }
        run_measure(job, w->reference, &result, &w->totals.stats);
    }
    const bool good = !job->has_output ||
                      run_write_tiles(job, first, count, (const uint32_t(*)[1024])b->got, &why);
    if (!good) {
        fail(w, RUN_BAD_OUTPUT, first, false, why.message);
    }
    return good;
}

/*
 * Runs tiles first .. end - 1, at most a batch, on the fast engine. The reference engine runs tile
 * 0 as well, because cycles and findings are counted there and are the same for every tile.
 */
static bool many_tiles(struct worker *w, uint64_t first, uint64_t end)
{
    struct batch *b = w->batch;
    const uint32_t *in[RUN_INPUTS] = {NULL};
    if (!read_batch(w, first, end - first)) {
        return false;
    }
    for (unsigned k = 0; k < w->job->input_count; k++) {
        in[k] = b->values[k][0];
        memcpy(w->data->values[k], in[k], sizeof w->data->values[k]);
    }
    if (first == 0 && !tile_through(w, 0)) {
        return false;
    }
    const enum tx_status status = tx_fast_run(w->fast, first, (size_t)(end - first), in, b->got[0]);
    if (status != TX_OK) {
        fail(w, RUN_FAULT, first, false, tx_status_text(status));
        return false;
    }
    return take_batch(w, first, end - first);
}

/* Names a requested feature that only the reference engine supports, or returns NULL. */
static const char *only_reference(const struct run_job *job)
{
    bool packed = job->output_packed;
    for (unsigned k = 0; k < job->input_count; k++) {
        packed = packed || job->inputs[k].tensor.kind != TENSOR_VALUES;
    }
    return job->options.carry                     ? "carried state"
           : job->gaps.kind != GAPS_NONE          ? "running with gaps"
           : job->settings.mode == TX_MODE_STRICT ? "strict mode"
           : job->evidence                        ? "counting notes"
           : packed                               ? "data of a format"
                                                  : NULL;
}

/* Chooses the engine, after the first worker is open and before any runs. */
static int settle_engine(struct run_job *job, const tx_kernel *kernel)
{
    struct txl_error why = {.status = TXL_OK};
    const struct engine_choice choice = {.engine = job->engine,
                                         .compiler = job->compiler,
                                         .tiles = job->tiling.tiles,
                                         .only_reference = only_reference(job)};
    if (!engine_fast(&choice, kernel, &job->fast, &why)) {
        return txl_fail(job->err, "%s: %s", job->kernel, why.message);
    }
    if (job->fast != NULL) { /* whole blocks are fastest */
        const uint64_t block = tx_fast_batch();
        job->chunk = (job->chunk + block - 1) / block * block;
        job->chunk = job->chunk > BATCH ? BATCH : job->chunk;
    }
    return TXL_CONTINUE;
}

static bool open_fast(struct worker *w)
{
    const size_t tiles = sizeof(uint32_t[BATCH][1024]) * 2 * w->job->input_count;
    w->batch = malloc(sizeof *w->batch + tiles);
    return w->batch != NULL && tx_fast_worker_open(w->job->fast, &w->fast) == TX_OK;
}

/* Takes the next tiles to run; returns false at the end, and after a failure. */
static bool run_work_take(struct run_job *job, struct pool *pool, uint64_t *first, uint64_t *end)
{
    uint64_t piece = 0;
    pool_lock(pool);
    const bool good = job->failure == RUN_GOOD;
    pool_unlock(pool);
    if (!good || !pool_take(pool, &piece)) {
        return false;
    }
    *first = piece * job->chunk;
    *end = *first + job->chunk;
    *end = *end < job->tiling.tiles ? *end : job->tiling.tiles;
    return true;
}

/*
 * Sums up a worker's counters, findings and notes. With the fast engine those of tile 0 count for
 * all tiles.
 */
static void sum_up(struct worker *w)
{
    struct run_totals *t = &w->totals;
    tx_machine *machine = tx_kernel_machine(w->kernel);
    const uint64_t times = w->fast != NULL ? w->job->tiling.tiles : 1;
    const struct tx_counters c = tx_machine_counters(machine);
    const struct tx_counters *was = &w->before;
    t->tiles = (struct tx_counters){.cycles = (c.cycles - was->cycles) * times,
                                    .issue_cycles = (c.issue_cycles - was->issue_cycles) * times,
                                    .instructions = (c.instructions - was->instructions) * times,
                                    .vector_instructions =
                                        (c.vector_instructions - was->vector_instructions) * times,
                                    .stall_cycles = (c.stall_cycles - was->stall_cycles) * times};
    struct run_findings found = {.count = 0};
    run_collect(&found, machine, false, w->first_tile);
    for (size_t i = 0; i < found.count; i++) {
        found.list[i].finding.count *= times;
    }
    found.dropped *= times;
    run_findings_merge(&t->findings, &found);
    for (size_t i = 0; i < RUN_NOTES && tx_evidence_at(i) != NULL; i++) {
        t->notes[i] += tx_note_count(machine, i) * times;
    }
    t->bounds |= tx_bounds(machine);
}

static void run_work_work(struct pool *pool, void *user, unsigned number)
{
    struct worker *w = (struct worker *)user + number;
    struct run_job *job = w->job;
    w->pool = pool;
    uint64_t first = 0;
    uint64_t end = 0;
    bool good = true;
    if (job->reference != NULL) {
        w->reference = reference_open(job->reference, job->out_dst);
        if (w->reference == NULL) {
            fail(w, RUN_BAD_INPUT, 0, true, "out of memory");
            good = false;
        }
    }
    while (good && run_work_take(job, pool, &first, &end)) {
        while (first < end && good) {
            const uint64_t step = w->fast != NULL ? end - first : 1;
            good = w->fast != NULL ? many_tiles(w, first, end) : one_tile(w, first);
            first += step;
            pool_add(pool, step);
        }
    }
    sum_up(w);
    reference_close(w->reference);
    w->pool = NULL;
}

static int open_worker(struct run_job *job, struct worker *w, bool first)
{
    w->job = job;
    w->data = malloc(sizeof *w->data);
    if (w->data == NULL) {
        return txl_fail(job->err, "out of memory");
    }
    enum tx_status status = tx_kernel_open(&job->settings, job->program, &job->options, &w->kernel);
    if (status != TX_OK) {
        return txl_fail(job->err, "%s: %s", job->kernel, tx_status_text(status));
    }
    if (job->gaps.kind != GAPS_NONE) {
        w->gaps = calloc(tx_program_count(job->program, TX_SECTION_TILE) + 1, sizeof *w->gaps);
        if (w->gaps == NULL) {
            return txl_fail(job->err, "out of memory");
        }
    }
    tx_machine *machine = tx_kernel_machine(w->kernel);
    int result = run_apply_sets(job->err, machine, job->options.thread, job->sets, job->set_count);
    if (result != TXL_CONTINUE) {
        return result;
    }
    status = tx_kernel_start(w->kernel);
    if (status != TX_OK) {
        fail_machine(w, 0, true, status);
        return TXL_CONTINUE;
    }
    w->before = tx_machine_counters(machine);
    for (size_t i = 0; i < RUN_NOTES && tx_evidence_at(i) != NULL; i++) {
        w->totals.notes[i] = first ? tx_note_count(machine, i) : 0;
    }
    if (first) {
        w->totals.init = w->before;
        run_collect(&w->totals.findings, machine, true, NULL);
    }
    tx_findings_clear(machine);
    return TXL_CONTINUE;
}

static void add_counters(struct tx_counters *into, const struct tx_counters *from)
{
    into->cycles += from->cycles;
    into->issue_cycles += from->issue_cycles;
    into->instructions += from->instructions;
    into->vector_instructions += from->vector_instructions;
    into->stall_cycles += from->stall_cycles;
}

/* Adds a worker's totals to others. */
static void merge(struct run_totals *into, const struct run_totals *from)
{
    add_counters(&into->init, &from->init);
    add_counters(&into->tiles, &from->tiles);
    run_findings_merge(&into->findings, &from->findings);
    for (size_t i = 0; i < RUN_NOTES; i++) {
        into->notes[i] += from->notes[i];
    }
    into->bounds |= from->bounds;
    ulp_merge(&into->stats, &from->stats);
    npy_narrowed_add(&into->narrowed, &from->narrowed);
    into->changed += from->changed;
}

static int start_all(struct run_job *job, struct worker *workers, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        int result = open_worker(job, &workers[i], i == 0);
        if (result != TXL_CONTINUE) {
            return result;
        }
        if (job->failure != RUN_GOOD) {
            return TXL_CONTINUE;
        }
        result = i == 0 ? settle_engine(job, workers[0].kernel) : TXL_CONTINUE;
        if (result != TXL_CONTINUE) {
            return result;
        }
        if (job->fast != NULL && !open_fast(&workers[i])) {
            return txl_fail(job->err, "out of memory");
        }
    }
    const struct pool_how how = {.threads = count,
                                 .pieces = (job->tiling.tiles + job->chunk - 1) / job->chunk,
                                 .total = job->tiling.tiles,
                                 .work = run_work_work,
                                 .user = workers,
                                 .progress = job->progress,
                                 .progress_user = job->user};
    const int result = pool_run(job->err, &how);
    for (unsigned i = 0; i < count; i++) {
        merge(&job->totals, &workers[i].totals);
    }
    return result;
}

int run_look(struct run_job *job, uint64_t tile, void (*begin)(void *user),
             struct txl_run_tile *seen)
{
    struct worker w = {0};
    int result = open_worker(job, &w, false);
    bool ready = result == TXL_CONTINUE && job->failure == RUN_GOOD;
    if (ready && !read_inputs(&w, tile, w.data, job->err)) {
        result = TXL_INPUT;
    } else if (ready) {
        if (w.gaps != NULL) {
            gaps_fill(&job->gaps, tile, w.gaps, tx_program_count(job->program, TX_SECTION_TILE));
        }
        if (begin != NULL) {
            begin(job->settings.sink.user);
        }
        enum tx_status status = run_kernel(&w, tile, w.data);
        if (status != TX_OK) {
            fail_machine(&w, tile, false, status);
        }
        memcpy(seen->held, w.data->held, sizeof seen->held);
        memcpy(seen->got, w.data->got, sizeof seen->got);
    }
    if (w.kernel != NULL) {
        tx_kernel_close(w.kernel);
    }
    free(w.gaps);
    free(w.data);
    return result;
}

/*
 * Adds what a tile leaves for the next one. Fields that the caller has set (run_apply_sets) are not
 * known there, so that such runs are not looked at.
 */
static int look_left(struct run_job *job)
{
    struct left left = {.count = 0};
    bool hazards = false; /* an old value that is read is what was left: one report will do */
    for (size_t i = 0; i < job->totals.findings.count; i++) {
        hazards = hazards || job->totals.findings.list[i].finding.category == TX_HAZARD;
    }
    if (job->options.carry || job->set_count > 0 || job->failure != RUN_GOOD || hazards) {
        return TXL_CONTINUE;
    }
    if (!left_find(job->program, &job->settings, &job->options, NULL, &left)) {
        return no_memory(job->err);
    }
    struct run_findings *found = &job->totals.findings;
    for (size_t i = 0; i < left.count; i++) {
        const struct run_finding one = {.finding = left.list[i], .tile = 1};
        run_add_finding(found, &one);
    }
    return left.count > 0 && job->settings.mode == TX_MODE_STRICT
               ? txl_refuse(job->err, TXL_NEGATIVE, "%s: %s", job->kernel, left.list[0].message)
               : TXL_CONTINUE;
}

int run_work(struct run_job *job)
{
    uint64_t tiles = job->tiling.tiles;
    unsigned count = job->options.carry ? 1 : job->threads;
    if (count > tiles) {
        count = tiles > 0 ? (unsigned)tiles : 1;
    }
    job->chunk = tiles / count / 16;
    job->chunk = job->chunk < 1 ? 1 : job->chunk > BATCH ? BATCH : job->chunk;
    struct worker *workers = calloc(count, sizeof *workers);
    if (workers == NULL) {
        return txl_fail(job->err, "out of memory");
    }
    double start = clock_seconds();
    int result = start_all(job, workers, count);
    job->seconds = clock_seconds() - start;
    job->was_fast = job->fast != NULL;
    for (unsigned i = 0; i < count; i++) {
        tx_fast_worker_close(workers[i].fast);
        free(workers[i].batch);
    }
    tx_fast_close(job->fast);
    job->fast = NULL;
    for (unsigned i = 0; i < count; i++) {
        if (workers[i].kernel != NULL) {
            tx_kernel_close(workers[i].kernel);
        }
        free(workers[i].gaps);
        free(workers[i].data);
    }
    free(workers);
    return result == TXL_CONTINUE ? look_left(job) : result;
}
