/* SPDX-License-Identifier: Apache-2.0 */
/* The public functions of the room: runs a program and collects its events. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/finding.h"
#include "base/memory.h"
#include "base/options.h"
#include "trace/trace_job.h"

/* Closes all streams. Files are moved into place if everything has succeeded, else discarded. */
int trace_close_places(struct txl_trace *t, int result)
{
    for (unsigned i = 0; i < t->collect.out_count; i++) {
        struct place *place = &t->places[i];
        bool bad = place->stream == NULL || ferror(place->stream) != 0;
        bad = place->stream == NULL || fclose(place->stream) != 0 || bad;
        place->stream = t->collect.outs[i].stream = NULL;
        if (place->path == NULL) {
            continue;
        }
        const struct txl_where where = {.file = place->path};
        int error = bad ? EIO : 0;
        if (result == TXL_CONTINUE && error == 0) {
            error = outfile_commit(&place->file);
        } else {
            outfile_discard(&place->file);
        }
        if (result == TXL_CONTINUE && error != 0) {
            result = txl_fail_at(t->err, &where, "%s", strerror(error));
        }
        place->path = NULL;
    }
    return result;
}

/* ---- options ---- */

static int open_inputs(struct txl_trace *t)
{
    struct run_job *job = &t->job;
    const struct txl_trace_options *o = &t->how;
    const unsigned wanted = t->collect.meta.inputs;
    if (o->input_count == 0) {
        return TXL_CONTINUE;
    }
    if (o->input_count != wanted) {
        return txl_fail(t->err, "%s takes %u input%s, %u %s given", t->name, wanted,
                        wanted == 1 ? "" : "s", o->input_count,
                        o->input_count == 1 ? "was" : "were");
    }
    for (unsigned i = 0; i < o->input_count; i++) {
        const struct tensor_how how = {.values_only = true, .scratch = o->scratch};
        int result = tensor_open(t->err, o->inputs[i], &how, &job->inputs[i].tensor);
        if (result != TXL_CONTINUE) {
            return result;
        }
        job->input_count = i + 1;
        struct txl_where where = {.file = o->inputs[i]};
        const struct npy_info *info = &job->inputs[i].tensor.info;
        if (npy_is_raw(info->dtype) ||
            npy_is_float(info->dtype) == number_format(t->options.dst)->integer) {
            return txl_fail_at(t->err, &where, "dtype %s does not go with Dst format %s",
                               npy_dtype_name(info->dtype), tx_dst_format_name(t->options.dst));
        }
        if (!npy_same_shape(&job->inputs[0].tensor.info, info)) {
            return txl_fail(t->err, "%s and %s have different shapes", o->inputs[0], o->inputs[i]);
        }
    }
    run_tiling_make(&job->tiling, &job->inputs[0].tensor.info, false);
    if (o->tile + o->tiles > job->tiling.tiles) {
        return txl_fail(t->err, "%s has %llu tile%s: no tile %llu", o->inputs[0],
                        (unsigned long long)job->tiling.tiles, job->tiling.tiles == 1 ? "" : "s",
                        (unsigned long long)(o->tile + o->tiles - 1));
    }
    return TXL_CONTINUE;
}

static int open_l1(struct txl_trace *t)
{
    const struct txl_trace_options *o = &t->how;
    int result = 0;
    t->l1.err = t->err;
    t->l1.arch = tx_program_arch(t->program);
    t->l1.scratch = o->scratch;
    for (unsigned i = 0; i < o->l1_in_count && result == 0; i++) {
        result = l1_option(&t->l1, o->l1_in[i], false);
    }
    for (unsigned i = 0; i < o->l1_out_count && result == 0; i++) {
        result = l1_option(&t->l1, o->l1_out[i], true);
    }
    if (result == 0 && l1_wanted(&t->l1) &&
        (o->input_count != 0 || o->tiles != 1 || o->tile != 0)) {
        return txl_fail_option(t->err, NULL, "l1_in",
                               "a program from L1 to L1 runs once and takes no arrays");
    }
    return result == 0 && l1_wanted(&t->l1) ? l1_settle(&t->l1)
           : result == 0                    ? TXL_CONTINUE
                                            : result;
}

/* Takes over the options that say what is shown. */
void trace_settle_shown(struct txl_trace *t)
{
    struct trace_meta *meta = &t->collect.meta;
    const struct txl_trace_options *o = &t->how;
    t->size = (struct trace_size){.most = o->large_bytes != 0 ? o->large_bytes : 256 << 20,
                                  .large = o->large,
                                  .user = o->user};
    meta->color = o->color;
    meta->compact = o->compact;
    meta->first = o->first;
    meta->last = o->end != 0 ? o->end - 1 : UINT64_MAX - 1;
    meta->regs = o->regs;
    if (o->rows != NULL) {
        memcpy(meta->rows, o->rows, sizeof meta->rows);
    }
}

static void settle_meta(struct txl_trace *t)
{
    struct trace_meta *meta = &t->collect.meta;
    const unsigned inputs = tx_program_inputs(t->program);
    meta->kernel = txl_basename(t->name);
    meta->title = tx_program_title(t->program);
    meta->program = t->program;
    meta->source = t->how.source;
    meta->source_length = t->how.source_length;
    meta->sources = t->how.sources;
    meta->source_count = t->how.source_count;
    meta->arch = tx_program_arch(t->program);
    meta->dst = t->options.dst;
    meta->inputs = inputs > 0 ? inputs : 1;
    meta->output = tx_program_output(t->program);
    meta->thread = t->options.thread;
    meta->threads = tx_program_threaded(t->program);
    trace_choose_lanes(meta);
    trace_settle_shown(t);
}

static int trace_trace_settle(struct txl_trace *t, const struct txl_trace_options *given)
{
    struct txl_trace_options *o = &t->how;
    int result = options_take(t->err, o, sizeof *o, given);
    if (result != TXL_CONTINUE) {
        return result;
    }
    t->name = o->name != NULL ? o->name : "kernel";
    o->tiles = o->tiles != 0 ? o->tiles : 1;
    const struct run_machine machine = {o->settings, o->kernel, o->kernel_size};
    result =
        run_take_machine(t->err, &machine, tx_program_arch(t->program), &t->settings, &t->options);
    if (result != TXL_CONTINUE) {
        return result;
    }
    if (t->options.dst == TX_DST_FORMAT_UNSET) {
        const enum tx_dst_format dst = tx_program_dst(t->program);
        t->options.dst = dst != TX_DST_FORMAT_UNSET ? dst : TX_DST_FORMAT_FP32;
    }
    t->random = run_random_begin(t->options.seed);
    for (unsigned k = 0; k < RUN_INPUTS; k++) {
        t->inputs[k] = t->values[k];
    }
    settle_meta(t);
    result = open_l1(t);
    return result == TXL_CONTINUE && !l1_wanted(&t->l1) ? open_inputs(t) : result;
}

int txl_trace_open(struct txl_error *err, const struct tx_program *program,
                   const struct txl_trace_options *options, txl_trace **trace)
{
    struct txl_trace *t = zeroed(err, 1, sizeof *t);
    *trace = NULL;
    if (t == NULL) {
        return TXL_INPUT;
    }
    t->err = err;
    t->program = program;
    int result = trace_open(err, &t->collect);
    result = result == TXL_CONTINUE ? trace_trace_settle(t, options) : result;
    if (result != TXL_CONTINUE) {
        txl_trace_close(t);
        return result;
    }
    *trace = t;
    return TXL_OK;
}

void txl_trace_close(txl_trace *t)
{
    if (t == NULL) {
        return;
    }
    for (unsigned i = 0; i < t->job.input_count; i++) {
        tensor_close(&t->job.inputs[i].tensor);
    }
    l1_free(&t->l1);
    (void)trace_close_places(t, TXL_CANCELLED);
    trace_free(&t->collect);
    free(t);
}

/* Adds an output form. NULL: err says why not. */
static struct place *add_form(struct txl_error *err, txl_trace *t, enum txl_trace_form form)
{
    static struct trace_out (*const forms[TXL_TRACE_FORMS])(void) = {
        trace_table, trace_json, trace_chrome, trace_konata, trace_html, trace_view};
    struct collect *c = &t->collect;
    if ((unsigned)form >= TXL_TRACE_FORMS || c->out_count == TRACE_OUTS) {
        (void)txl_fail(err, c->out_count == TRACE_OUTS ? "more than eight forms"
                                                       : "there is no such form");
        return NULL;
    }
    t->page = t->page || form == TXL_TRACE_HTML || form == TXL_TRACE_VIEW;
    c->outs[c->out_count] = forms[form]();
    return &t->places[c->out_count];
}

static void use(struct txl_trace *t, FILE *stream)
{
    t->places[t->collect.out_count].stream = stream;
    t->collect.outs[t->collect.out_count++].stream = stream;
}

int txl_trace_write(struct txl_error *err, txl_trace *t, enum txl_trace_form form, FILE *stream)
{
    if (add_form(err, t, form) == NULL) {
        return TXL_INPUT;
    }
    FILE *counted = trace_stream_open(-1, false, stream, &t->size);
    if (counted == NULL) {
        return txl_fail(err, "out of memory");
    }
    use(t, counted);
    return TXL_OK;
}

int txl_trace_file(struct txl_error *err, txl_trace *t, enum txl_trace_form form, const char *path)
{
    const struct txl_where where = {.file = path};
    struct place *place = add_form(err, t, form);
    if (place == NULL) {
        return TXL_INPUT;
    }
    const int error = outfile_open(&place->file, path);
    if (error != 0) {
        return txl_fail_at(err, &where, "%s", strerror(error));
    }
    FILE *stream = trace_stream_open(dup(place->file.fd), trace_stream_packs(path), NULL, &t->size);
    if (stream == NULL) {
        outfile_discard(&place->file);
        return txl_fail_at(err, &where, "cannot be written");
    }
    place->path = path;
    use(t, stream);
    return TXL_OK;
}

/* ---- length of the run ---- */

struct span {
    bool on, begun;
    uint64_t first, last;
};

static void measure_event(void *user, const struct tx_event *event)
{
    struct span *span = user;
    if (span->on && !span->begun) {
        span->begun = true;
        span->first = event->cycle;
    }
    span->last = event->cycle;
}

static enum tx_status measure_tile(struct txl_trace *t, tx_kernel *kernel, uint64_t tile)
{
    if (!l1_wanted(&t->l1)) {
        return tx_kernel_tile(kernel, tile, t->inputs, t->output);
    }
    const enum tx_status status = tx_kernel_tile_begin(kernel, tile);
    return status == TX_OK ? tx_kernel_tile_run(kernel, NULL) : status;
}

/*
 * Runs the program once without output to refuse, before a page is begun, more cycles than a
 * browser can handle.
 */
static int check_page(struct txl_trace *t)
{
    const struct trace_meta *meta = &t->collect.meta;
    struct tx_settings settings = t->settings;
    struct span span = {.on = t->how.init};
    tx_kernel *kernel = NULL;
    settings.mode = TX_MODE_SILICON;
    settings.sink = (struct tx_sink){measure_event, &span};
    enum tx_status status = tx_kernel_open(&settings, t->program, &t->options, &kernel);
    if (status != TX_OK) {
        return TXL_CONTINUE; /* the traced run will report it */
    }
    int result = run_apply_sets(t->err, tx_kernel_machine(kernel), t->options.thread, t->how.sets,
                                t->how.set_count);
    if (result == TXL_CONTINUE && l1_wanted(&t->l1)) {
        result = l1_place(&t->l1, tx_kernel_machine(kernel));
    }
    status = tx_kernel_start(kernel);
    span.on = true;
    uint64_t last = 0;
    for (uint64_t i = 0; status == TX_OK && i < t->how.tiles && last < meta->last; i++) {
        status = measure_tile(t, kernel, i);
        last = span.last - span.first;
        uint64_t end = last < meta->last ? last : meta->last;
        if (result == TXL_CONTINUE && end >= meta->first &&
            end - meta->first >= TXL_TRACE_PAGE_CYCLES) {
            result =
                txl_fail_option(t->err, NULL, "end", "a page has at most %d cycles; choose some",
                                TXL_TRACE_PAGE_CYCLES);
            break;
        }
    }
    tx_kernel_close(kernel);
    return result;
}

/* ---- the run ---- */

/* Writes the end of each form, for runs that were stopped, too. */
void trace_finish(struct txl_trace *t, const tx_machine *machine)
{
    struct tx_counters c = tx_machine_counters(machine);
    if (t->collect.tile != NULL) { /* in some of them the coprocessor was idle */
        c.cycles = tx_tensix_cycles(txl_tensix_tile(t->collect.tile));
    }
    c.cycles -= t->before.cycles;
    c.issue_cycles -= t->before.issue_cycles;
    c.instructions -= t->before.instructions;
    c.vector_instructions -= t->before.vector_instructions;
    c.stall_cycles -= t->before.stall_cycles;
    t->collect.meta.bounds = tx_bounds(machine);
    trace_end(&t->collect, &c);
}

static int stopped(struct txl_trace *t, const tx_machine *m, enum tx_status status)
{
    const struct tx_finding *f = tx_fault(m);
    if (t->cancelled) {
        return txl_refuse(t->err, TXL_CANCELLED, "cancelled");
    }
    trace_finish(t, m);
    if (t->collect.failed) {
        return no_memory(t->err);
    }
    if (f == NULL) {
        char text[900];
        return txl_refuse(t->err, TXL_NEGATIVE, "%s: %s", t->name,
                          txl_stuck_text(m, status, text, sizeof text));
    }
    char said[TX_FINDING_TEXT];
    return txl_refuse(t->err, TXL_NEGATIVE, "%s: %s at instruction %llu", t->name,
                      tx_finding_text(f, said, sizeof said), (unsigned long long)f->index);
}

static bool read_inputs(struct txl_trace *t, uint64_t tile)
{
    for (unsigned k = 0; k < t->collect.meta.inputs && k < RUN_INPUTS; k++) {
        if (t->how.input_count != 0) {
            struct npy_narrowed narrowed = {0};
            if (!run_read_tile(&t->job, &t->job.inputs[k], tile, t->values[k], &narrowed, t->err)) {
                return false;
            }
            continue;
        }
        for (unsigned i = 0; i < TX_TILE_ELEMENTS; i++) {
            t->values[k][i] = run_random_value(t->options.dst, &t->random);
        }
    }
    return true;
}

static bool go_on(void *user)
{
    struct txl_trace *t = user;
    if (t->how.progress != NULL && !t->how.progress(t->how.user, t->done, t->how.tiles)) {
        t->cancelled = true;
    }
    return !t->cancelled;
}

/* Runs the program once, from L1 to L1, without arrays in Dst. */
static int run_l1_once(struct txl_trace *t, tx_kernel *kernel)
{
    trace_section(&t->collect, false, 0);
    enum tx_status status = tx_kernel_tile_begin(kernel, 0);
    if (status == TX_OK) {
        status = tx_kernel_tile_run(kernel, NULL);
    }
    if (status != TX_OK) {
        return stopped(t, tx_kernel_machine(kernel), status);
    }
    return l1_take(&t->l1, tx_kernel_machine(kernel));
}

static int run_tiles(struct txl_trace *t, tx_kernel *kernel)
{
    for (t->done = 0; t->done < t->how.tiles && go_on(t); t->done++) {
        const uint64_t tile = t->how.tile + t->done;
        if (!read_inputs(t, tile)) {
            return TXL_INPUT;
        }
        trace_section(&t->collect, false, tile);
        enum tx_status status = tx_kernel_tile(kernel, tile, t->inputs, t->output);
        if (status != TX_OK) {
            return stopped(t, tx_kernel_machine(kernel), status);
        }
    }
    return t->cancelled ? txl_refuse(t->err, TXL_CANCELLED, "cancelled") : TXL_CONTINUE;
}

static int trace_run(struct txl_trace *t, tx_kernel *kernel)
{
    tx_machine *machine = tx_kernel_machine(kernel);
    int result = run_apply_sets(t->err, machine, t->options.thread, t->how.sets, t->how.set_count);
    if (result == TXL_CONTINUE && l1_wanted(&t->l1)) {
        result = l1_place(&t->l1, machine);
    }
    if (result != TXL_CONTINUE) {
        return result;
    }
    t->collect.machine = machine;
    trace_begin(&t->collect);
    if (t->how.init) {
        trace_section(&t->collect, true, 0);
    }
    enum tx_status status = tx_kernel_start(kernel);
    if (status != TX_OK) {
        return stopped(t, machine, status);
    }
    if (!t->how.init) {
        t->before = tx_machine_counters(machine);
    }
    result = l1_wanted(&t->l1) ? run_l1_once(t, kernel) : run_tiles(t, kernel);
    if (result == TXL_CONTINUE) {
        trace_finish(t, machine);
        result = t->collect.failed ? no_memory(t->err) : TXL_CONTINUE;
    }
    return result;
}

int txl_trace_run(struct txl_error *err, txl_trace *t)
{
    t->err = t->l1.err = err;
    if (t->tile_options != NULL) {
        return trace_tile_run(t);
    }
    int result = t->page ? check_page(t) : TXL_CONTINUE;
    if (result != TXL_CONTINUE) {
        return result;
    }
    t->settings.sink = (struct tx_sink){trace_event, &t->collect};
    t->settings.watch = (struct tx_watch){t->how.progress != NULL ? go_on : NULL, t};
    tx_kernel *kernel = NULL;
    enum tx_status status = tx_kernel_open(&t->settings, t->program, &t->options, &kernel);
    if (status != TX_OK) {
        return txl_fail(err, "%s: %s", t->name, tx_status_text(status));
    }
    result = trace_close_places(t, trace_run(t, kernel));
    tx_kernel_close(kernel);
    return result == TXL_CONTINUE ? TXL_OK : result;
}

int txl_trace_text(struct txl_error *err, const struct tx_program *program,
                   const struct txl_trace_options *options, enum txl_trace_form form, char **text,
                   size_t *size)
{
    struct memory_text memory;
    txl_trace *trace = NULL;
    *text = NULL;
    *size = 0;
    int result = memory_text_open(err, &memory);
    if (result != TXL_CONTINUE) {
        return result;
    }
    result = txl_trace_open(err, program, options, &trace);
    if (result == TXL_OK) {
        result = txl_trace_write(err, trace, form, memory.stream);
    }
    if (result == TXL_OK) {
        result = txl_trace_run(err, trace);
    }
    txl_trace_close(trace);
    const int closed = memory_text_close(err, &memory);
    if (closed != TXL_CONTINUE) {
        return closed;
    }
    if (result != TXL_OK && result != TXL_NEGATIVE) {
        free(memory.text);
        return result;
    }
    *text = memory.text;
    *size = memory.size;
    return result;
}
