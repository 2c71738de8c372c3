/* SPDX-License-Identifier: Apache-2.0 */
/* The public functions of the room: turn options into a job, and the job's state into results. */
#include "profile/profile.h"
#include "run/run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/options.h"

static int find_reference(struct txl_run *run, const char *name)
{
    struct run_job *job = &run->job;
    if (strcmp(name, "kernel") == 0) {
        name = tx_program_reference(job->program);
        if (name[0] == '\0') {
            return txl_fail_option(job->err, NULL, "reference", "the kernel states no .reference");
        }
    }
    if (reference_named(job->err, name, &job->named) != TXL_OK) {
        return TXL_INPUT;
    }
    job->reference = &job->named;
    return job->reference->inputs <= run->files.in_count
               ? TXL_CONTINUE
               : txl_fail_option(job->err, NULL, "reference", "%s needs %u inputs, there are %u",
                                 name, job->reference->inputs, run->files.in_count);
}

/* Copies the fields that both versions know; returns false where an unknown field is not zero. */
static bool run_open_take(void *own, size_t own_size, const void *given, size_t size)
{
    memcpy(own, given, size < own_size ? size : own_size);
    for (size_t i = own_size; i < size; i++) {
        if (((const unsigned char *)given)[i] != 0) {
            return false;
        }
    }
    return true;
}

int run_take_machine(struct txl_error *err, const struct run_machine *given, enum tx_arch arch,
                     struct tx_settings *settings, struct tx_kernel_options *options)
{
    bool known = true;
    tx_settings_default(settings, arch);
    if (given->settings != NULL) {
        const uint32_t own = settings->size;
        known = run_open_take(settings, sizeof *settings, given->settings, given->settings->size);
        settings->size = own;
    }
    if (options != NULL) {
        tx_kernel_options_default(options);
    }
    if (options != NULL && given->kernel != NULL) {
        known = known && given->kernel_size != 0 &&
                run_open_take(options, sizeof *options, given->kernel, given->kernel_size);
    }
    if (!known) {
        return txl_fail(err, "the settings are of another version of the library");
    }
    settings->sink = (struct tx_sink){.event = NULL};
    return settings->arch == arch ? TXL_CONTINUE
                                  : txl_fail(err, "the program is for %s, the settings are for %s",
                                             tx_arch_name(arch), tx_arch_name(settings->arch));
}

/* Takes over the options of the machine, and others that need no files. */
static int take_machine(struct run_job *job, const struct txl_run_options *o)
{
    const struct run_machine given = {o->settings, o->kernel, o->kernel_size};
    const int result = run_take_machine(job->err, &given, tx_program_arch(job->program),
                                        &job->settings, &job->options);
    if (result != TXL_CONTINUE) {
        return result;
    }
    txl_formats(job->program, &job->options);
    job->dst = job->options.dst;
    job->out_dst = job->options.out;
    job->set_count = o->set_count;
    if (o->set_count > RUN_SETS) {
        return txl_fail_option(job->err, NULL, "sets", "more than %d settings", RUN_SETS);
    }
    for (unsigned i = 0; i < o->set_count; i++) {
        job->sets[i] = o->sets[i];
    }
    job->engine = o->engine;
    job->compiler = o->compiler;
    job->evidence = o->evidence;
    job->raw_bf16 = o->raw_bf16;
    job->progress = o->progress;
    job->user = o->user;
    job->threads = o->threads <= RUN_THREADS ? o->threads : RUN_THREADS;
    if (job->threads == 0) {
        const long online = sysconf(_SC_NPROCESSORS_ONLN);
        job->threads = online < 1 ? 1 : online > RUN_THREADS ? RUN_THREADS : (unsigned)online;
    }
    return TXL_CONTINUE;
}

static int take_gaps(struct run_job *job, const char *text)
{
    const size_t words = tx_program_count(job->program, TX_SECTION_TILE);
    if (text == NULL) {
        return TXL_CONTINUE;
    }
    if (!gaps_parse(text, &job->gaps)) {
        return txl_fail_option(job->err, NULL, "gaps",
                               "'%s' is none of seed=N, each=1..K, at=I:N, all=0..K", text);
    }
    if (tx_program_threaded(job->program)) {
        return txl_fail_option(job->err, NULL, "gaps",
                               "%s has several threads, and gaps are for one", job->kernel);
    }
    return job->gaps.kind == GAPS_AT && job->gaps.number >= words
               ? txl_fail_option(job->err, NULL, "gaps", "at=: .tile has %zu words", words)
               : TXL_CONTINUE;
}

static int take_l1(struct txl_run *run, const struct txl_run_options *o)
{
    int result = 0;
    run->l1.err = run->job.err;
    run->l1.arch = run->job.settings.arch;
    run->l1.scratch = o->scratch;
    for (unsigned i = 0; i < o->l1_in_count && result == 0; i++) {
        result = l1_option(&run->l1, o->l1_in[i], false);
    }
    for (unsigned i = 0; i < o->l1_out_count && result == 0; i++) {
        result = l1_option(&run->l1, o->l1_out[i], true);
    }
    if (result != 0) {
        return result;
    }
    run->from_l1 = l1_wanted(&run->l1);
    const char *other = o->input_count != 0               ? "an array"
                        : o->output != NULL               ? "an output"
                        : o->compare != NULL              ? "a comparison"
                        : o->reference != NULL            ? "a reference"
                        : run->job.gaps.kind != GAPS_NONE ? "gaps"
                        : run->job.options.carry          ? "carried state"
                                                          : NULL;
    if (run->from_l1 && other != NULL) {
        return txl_fail_option(run->job.err, NULL, "l1_in", "files in L1 and %s exclude each other",
                               other);
    }
    return run->from_l1 ? l1_settle(&run->l1) : TXL_CONTINUE;
}

static int take_files(struct txl_run *run, const struct txl_run_options *o)
{
    struct run_job *job = &run->job;
    if (o->input_count > RUN_INPUTS) {
        return txl_fail(job->err, "more than %d inputs", RUN_INPUTS);
    }
    for (unsigned i = 0; i < o->input_count; i++) {
        run->ins[i] = o->inputs[i];
    }
    run->files = (struct run_files){
        .ins = run->ins,
        .in_count = o->input_count,
        .out = o->output,
        .compare = o->compare,
        .flat = o->layout == TXL_LAYOUT_FLAT,
        .tiles = o->layout == TXL_LAYOUT_TILES,
        .how = {.shape = o->shape, .dimensions = o->dimensions, .scratch = o->scratch}};
    if (o->compare != NULL && o->reference != NULL) {
        return txl_fail_option(job->err, NULL, "compare",
                               "a file to compare with and a reference exclude each other");
    }
    int result = o->reference != NULL ? find_reference(run, o->reference) : TXL_CONTINUE;
    if (result == TXL_CONTINUE && job->gaps.kind != GAPS_ALL) {
        result = run_settle_output(job, &run->files);
    }
    if (result == TXL_CONTINUE && o->input_count != 0) {
        result = run_open_inputs(job, &run->files);
        run->opened = result == TXL_CONTINUE;
    }
    return result;
}

static int run_open_settle(struct txl_run *run, const struct txl_run_options *given)
{
    struct txl_run_options o;
    struct run_job *job = &run->job;
    int result = options_take(job->err, &o, sizeof o, given);
    if (result != TXL_CONTINUE) {
        return result;
    }
    job->kernel = o.name != NULL ? o.name : "kernel";
    result = take_machine(job, &o);
    if (result == TXL_CONTINUE) {
        result = take_gaps(job, o.gaps);
    }
    if (result == TXL_CONTINUE) {
        result = take_l1(run, &o);
    }
    return result == TXL_CONTINUE && !run->from_l1 ? take_files(run, &o) : result;
}

/* ---- results ---- */

static void show_array(struct txl_run_array *shown, const struct tensor *tensor)
{
    const bool numbers = tensor->kind == TENSOR_VALUES;
    *shown = (struct txl_run_array){
        .name = tensor->name,
        .kind = tensor_kind_text(tensor),
        .dtype = tensor->kind == TENSOR_TILES ? NULL : npy_dtype_name(tensor->info.dtype),
        .format = numbers ? NULL : tx_format_name(tensor->format),
        .shape = tensor->info.shape,
        .dimensions = tensor->info.dimensions};
}

static void show_output(struct txl_run *run)
{
    const struct run_job *job = &run->job;
    const bool tiles = job->output_packed && !job->output.name.is_array;
    run->output = (struct txl_run_array){
        .name = run->files.out,
        .kind = npy_dtype_name(job->output_dtype),
        .dtype = tiles ? NULL : npy_dtype_name(job->output_dtype),
        .format = job->output_packed ? tx_format_name(job->pack.out) : NULL,
        .shape = job->inputs[0].tensor.info.shape,
        .dimensions = job->inputs[0].tensor.info.dimensions,
        .intermediate_format = job->output_packed ? tx_format_name(job->pack.intermediate) : NULL};
}

static void show_accuracy(struct txl_run *run)
{
    const struct run_job *job = &run->job;
    const struct ulp_stats *stats = &job->totals.stats;
    struct txl_accuracy *a = &run->accuracy;
    run->has_accuracy = job->reference != NULL || job->has_compare;
    *a = (struct txl_accuracy){
        .reference = job->reference != NULL ? job->reference->name : run->files.compare,
        .inputs = job->input_count < REF_INPUTS ? job->input_count : REF_INPUTS,
        .compared = stats->count,
        .exact = stats->exact,
        .mismatched = stats->mismatched,
        .max = stats->max,
        .mean = ulp_mean(stats),
        .worst_count = stats->worst_count};
    for (unsigned i = 0; i < stats->worst_count && i < TXL_WORST; i++) {
        const struct ulp_case *one = &stats->worst[i];
        a->worst[i].element = one->index;
        memcpy(a->worst[i].inputs, one->inputs, sizeof a->worst[i].inputs);
        a->worst[i].expected = one->expected;
        a->worst[i].got = one->got;
        a->worst[i].ulp = one->ulp;
    }
}

/* Fills in what is known of the arrays before anything has run. */
static void show_shape(struct txl_run *run)
{
    const struct run_job *job = &run->job;
    run->result = (struct txl_run_result){.elements = job->tiling.count,
                                          .tile_count = job->tiling.tiles,
                                          .blocks = job->tiling.blocks,
                                          .dst = job->dst,
                                          .out_dst = job->out_dst,
                                          .inputs = job->input_count,
                                          .init = &job->totals.init,
                                          .tiles = &job->totals.tiles};
}

/* Fills in the results after the work. */
static int show(struct txl_run *run)
{
    const struct run_job *job = &run->job;
    const struct run_totals *t = &job->totals;
    /* Threads come from several files. */
    const char *path = tx_program_threaded(job->program) ? NULL : job->kernel;
    const int result = run_show(job->err, &run->shown, &t->findings, t->notes, path, job->program);
    show_accuracy(run);
    struct txl_run_result *r = &run->result;
    show_shape(run);
    r->fast = job->was_fast;
    r->seconds = job->seconds;
    r->rounded = t->narrowed.rounded;
    r->overflowed = t->narrowed.overflowed;
    r->vanished = t->narrowed.vanished;
    r->rounded_to_dst = t->changed;
    r->findings = run->shown.finding_count;
    r->notes = run->shown.note_count;
    r->findings_dropped = t->findings.dropped;
    r->bounds = t->bounds;
    r->at_least = t->bounds != 0;
    return result == TXL_CONTINUE ? TXL_OK : result;
}

/* ---- open, work, close ---- */

int txl_run_open(struct txl_error *err, const struct tx_program *program,
                 const struct txl_run_options *options, txl_run **out)
{
    struct txl_run *run = zeroed(err, 1, sizeof *run);
    *out = NULL;
    if (run == NULL) {
        return TXL_INPUT;
    }
    run->job.err = err;
    run->job.program = program;
    const int result = run_open_settle(run, options);
    if (result != TXL_CONTINUE) {
        txl_run_close(run);
        return result;
    }
    for (unsigned i = 0; i < run->job.input_count; i++) {
        show_array(&run->arrays[i], &run->job.inputs[i].tensor);
        run->arrays[i].through_src = run->job.inputs[i].unpack.through_src;
    }
    show_output(run);
    show_shape(run);
    l1_show(run->l1_in, run->l1.in, run->l1.in_count);
    l1_show(run->l1_out, run->l1.out, run->l1.out_count);
    *out = run;
    return TXL_OK;
}

void txl_run_close(txl_run *run)
{
    if (run == NULL) {
        return;
    }
    run_close_files(&run->job);
    l1_free(&run->l1);
    run_hide(&run->shown);
    run_search_free(run->search);
    profile_close(run->profile);
    reference_close(run->unrounded);
    free(run);
}

int run_failed(const struct run_job *job)
{
    if (job->failure == RUN_FAULT && job->failed_init) {
        return txl_refuse(job->err, TXL_NEGATIVE, "%s, .init: %s", job->kernel, job->message);
    }
    if (job->failure == RUN_FAULT) {
        return txl_refuse(job->err, TXL_NEGATIVE, "%s, tile %llu: %s", job->kernel,
                          (unsigned long long)job->failed_tile, job->message);
    }
    return txl_fail(job->err, "%s", job->message);
}

/* Resets the results before each piece of work. */
static void run_open_begin(struct txl_run *run, struct txl_error *err)
{
    struct run_job *job = &run->job;
    run_hide(&run->shown);
    show_shape(run);
    run->has_accuracy = false;
    memset(&job->totals, 0, sizeof job->totals);
    job->failure = RUN_GOOD;
    job->failed_init = false;
    job->err = run->l1.err = err;
}

/* Opens the input arrays, which the following work requires. */
static int need_arrays(struct txl_run *run)
{
    if (run->opened) {
        return TXL_CONTINUE;
    }
    return run->from_l1 ? txl_fail(run->job.err, "this program begins in L1")
                        : run_open_inputs(&run->job, &run->files);
}

int txl_run_tiles(struct txl_error *err, txl_run *run)
{
    struct run_job *job = &run->job;
    run_open_begin(run, err);
    int result = need_arrays(run);
    if (result == TXL_CONTINUE) {
        result = run_open_output(job, &run->files);
    }
    if (result == TXL_CONTINUE) {
        result = run_work(job);
    }
    if (result == TXL_CONTINUE && job->failure != RUN_GOOD) {
        result = run_failed(job);
    }
    if (result == TXL_CONTINUE && job->has_output) {
        result = tensor_out_commit(err, &job->output);
    }
    if (result != TXL_CONTINUE) {
        tensor_out_discard(&job->output);
    }
    return result == TXL_CONTINUE ? show(run) : result;
}

int txl_run_l1(struct txl_error *err, txl_run *run)
{
    run_open_begin(run, err);
    if (!run->from_l1) {
        return txl_fail(err, "no file goes into L1 or out of it");
    }
    const int result = run_from_l1(&run->job, &run->l1);
    return result == TXL_CONTINUE ? show(run) : result;
}

int txl_run_one(struct txl_error *err, txl_run *run, uint64_t tile, const struct tx_sink *sink,
                void (*started)(void *user), struct txl_run_tile *seen)
{
    struct run_job *job = &run->job;
    run_open_begin(run, err);
    int result = need_arrays(run);
    if (result == TXL_CONTINUE && tile >= job->tiling.tiles) {
        result = txl_fail_option(err, NULL, "tile", "no tile %llu: the array has %llu",
                                 (unsigned long long)tile, (unsigned long long)job->tiling.tiles);
    }
    if (result != TXL_CONTINUE) {
        return result;
    }
    job->settings.sink = sink != NULL ? *sink : (struct tx_sink){.event = NULL};
    result = run_look(job, tile, started, seen);
    job->settings.sink = (struct tx_sink){.event = NULL};
    if (result == TXL_CONTINUE && job->failure != RUN_GOOD) {
        result = run_failed(job);
    }
    return result == TXL_CONTINUE ? TXL_OK : result;
}

bool txl_run_place(const txl_run *run, uint64_t element, uint64_t *tile, unsigned *place)
{
    struct run_span spans[TX_TILE_ELEMENTS / 32];
    const struct run_tiling *tiling = &run->job.tiling;
    for (uint64_t t = tiling->blocks ? 0 : element / TX_TILE_ELEMENTS; t < tiling->tiles; t++) {
        const unsigned count = run_spans(tiling, t, spans);
        for (unsigned s = 0; s < count; s++) {
            if (element - spans[s].element < spans[s].length) {
                *tile = t;
                *place = spans[s].place + (unsigned)(element - spans[s].element);
                return true;
            }
        }
    }
    return false;
}

bool txl_run_element(const txl_run *run, uint64_t tile, unsigned place, uint64_t *element)
{
    struct run_span spans[TX_TILE_ELEMENTS / 32];
    const unsigned count =
        tile < run->job.tiling.tiles ? run_spans(&run->job.tiling, tile, spans) : 0;
    for (unsigned s = 0; s < count; s++) {
        if (place - spans[s].place < spans[s].length) {
            *element = spans[s].element + (place - spans[s].place);
            return true;
        }
    }
    return false;
}

const struct txl_run_result *txl_run_result(const txl_run *run)
{
    return &run->result;
}

const struct txl_run_array *txl_run_input(const txl_run *run, size_t index)
{
    return index < run->job.input_count ? &run->arrays[index] : NULL;
}

const struct txl_run_array *txl_run_output(const txl_run *run)
{
    return run->files.out != NULL ? &run->output : NULL;
}

const struct txl_run_finding *txl_run_finding(const txl_run *run, size_t index)
{
    return index < run->shown.finding_count ? &run->shown.findings[index] : NULL;
}

const struct txl_run_note *txl_run_note(const txl_run *run, size_t index)
{
    return index < run->shown.note_count ? &run->shown.notes[index] : NULL;
}

const struct txl_accuracy *txl_run_accuracy(const txl_run *run)
{
    return run->has_accuracy ? &run->accuracy : NULL;
}

const struct txl_l1_file *txl_run_l1_file(const txl_run *run, bool output, size_t index)
{
    if (index >= (output ? run->l1.out_count : run->l1.in_count)) {
        return NULL;
    }
    return output ? &run->l1_out[index] : &run->l1_in[index];
}
