/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program being debugged, a kernel or a tile: runs it tick by tick, and saves and restores
 * checkpoints.
 */
#include "debug/debug.h"

#include <stdlib.h>
#include <string.h>

#include <tensix/kernel_debug.h>

#include "base/options.h"
#include "tile/tile_world.h"

/* ---- a kernel's sections ---- */

uint64_t debug_tiles(const struct txl_debug *d)
{
    const uint64_t there = d->run == NULL    ? 0
                           : d->run->from_l1 ? 1
                           : d->run->opened  ? d->run->job.tiling.tiles
                                             : UINT64_MAX;
    if (d->how.tiles != 0) {
        return d->how.tile + d->how.tiles;
    }
    return there == UINT64_MAX ? d->how.tile + 1 : there;
}

/*
 * Writes a tile's inputs to Dst. They must be the same whenever the tile begins again, so random
 * ones depend only on seed and tile. Returns an error message or NULL.
 */
static const char *load_inputs(struct txl_debug *d)
{
    struct run_job *job = &d->run->job;
    if (d->run->from_l1) {
        return NULL;
    }
    if (d->run->opened) {
        struct txl_error why = {0};
        if (run_feed(job, d->kernel, d->now.tile, &why)) {
            return NULL;
        }
        snprintf(d->message, sizeof d->message, "%.399s", why.message);
        return d->message;
    }
    uint64_t random = run_random_begin(job->options.seed) + d->now.tile;
    for (unsigned k = 0; k < tx_program_inputs(d->program); k++) {
        for (unsigned i = 0; i < TX_TILE_ELEMENTS; i++) {
            d->values[i] = run_random_value(job->dst, &random);
        }
        (void)tx_dst_load_tile(d->machine, k, job->dst, d->values);
    }
    return NULL;
}

static void section_begins(struct txl_debug *d, enum debug_where where)
{
    struct moment *now = &d->now;
    now->where = where;
    now->section_over = false;
    now->begin = now->tick;
    now->issued = tx_machine_counters(d->machine).instructions;
    for (unsigned t = 0; t < TX_THREADS; t++) {
        now->next[t] = 0;
        now->last[t] = NO_PLACE;
    }
}

static void stop_with(struct txl_debug *d, enum tx_status status)
{
    run_stopped_text(d->machine, status, d->message);
    d->no_memory = d->no_memory || status == TX_ENOMEM;
    d->now.end = status == TX_FAULT       ? END_FAULT
                 : status == TX_EDEADLOCK ? END_DEADLOCK
                 : status == TX_ELIMIT    ? END_LIMIT
                                          : END_FAULT;
}

static void begin_tile(struct txl_debug *d)
{
    const char *error = NULL;
    enum tx_status status = tx_kernel_tile_begin(d->kernel, d->now.tile);
    if (status == TX_OK) {
        error = load_inputs(d);
        status = tx_kernel_enter(d->kernel, TX_SECTION_TILE);
    }
    if (error != NULL) {
        if (error != d->message) {
            snprintf(d->message, sizeof d->message, "%s", error);
        }
        d->no_memory =
            d->no_memory || error == no_memory_text || error == tx_status_text(TX_ENOMEM);
        d->now.end = END_INPUT;
    } else if (status != TX_OK) {
        stop_with(d, status);
    }
}

/* Notes the end of a section, and of the run after the last tile. */
static void section_ended(struct txl_debug *d)
{
    struct moment *now = &d->now;
    now->section_over = true;
    if (now->where == IN_TILE && now->tile + 1 >= debug_tiles(d)) {
        now->where = AT_END;
        now->end = END_OVER;
    }
}

static void kernel_step(struct txl_debug *d)
{
    struct moment *now = &d->now;
    bool over = false;
    if (now->section_over) {
        now->tile += now->where == IN_TILE ? 1 : 0;
        now->parts++;
        section_begins(d, IN_TILE);
        begin_tile(d);
        now->tick++;
        now->begin = now->tick;
        d->facts.began = true;
        return;
    }
    const uint64_t before = tx_kernel_now(d->kernel);
    const enum tx_status status = tx_kernel_cycle(d->kernel, &over);
    now->tick += tx_kernel_now(d->kernel) - before;
    if (status != TX_OK) {
        stop_with(d, status);
    } else if (over) {
        section_ended(d);
    }
}

/* ---- a tile ---- */

static void store_late(void *user, const struct txl_tensix_late *w)
{
    const uint8_t bytes[4] = {(uint8_t)w->value, (uint8_t)(w->value >> 8),
                              (uint8_t)(w->value >> 16), (uint8_t)(w->value >> 24)};
    (void)tx_tensix_write(user, w->address, bytes, sizeof bytes);
}

static void cores_step(struct txl_debug *d)
{
    struct moment *now = &d->now;
    if (now->tick >= tile_options(d->tensix)->max_cycles) {
        snprintf(d->message, sizeof d->message, "no more than %llu cycles are allowed",
                 (unsigned long long)now->tick);
        now->end = END_LIMIT;
        return;
    }
    tile_late(d->tensix, store_late, d->tile);
    const enum tx_status status = tile_step(d->tensix);
    now->tick = tx_tensix_cycles(d->tile);
    if (status != TX_OK) {
        stop_with(d, status);
        return;
    }
    switch (tile_ended(d->tensix, &now->course)) {
    case TILE_GOES_ON:
        break;
    case TILE_WORDS:
        now->end = END_WORDS;
        break;
    case TILE_RESTS:
        now->end = END_OVER;
        break;
    case TILE_DEADLOCK:
        stop_with(d, TX_EDEADLOCK);
        break;
    }
}

/* ---- checkpoints ---- */

uint64_t debug_cycle(const struct txl_debug *d)
{
    return d->now.tick - d->now.parts;
}

static uint64_t past_now(void *user)
{
    return ((const struct txl_debug *)user)->now.tick;
}

static void past_step(void *user)
{
    struct txl_debug *d = user;
    facts_begin(d);
    if (d->kernel != NULL) {
        kernel_step(d);
    } else {
        cores_step(d);
    }
    facts_end(d);
}

static bool past_save(void *user, void *bytes)
{
    struct txl_debug *d = user;
    char *at = bytes;
    memcpy(at, &d->now, sizeof d->now);
    at += sizeof d->now;
    return d->kernel != NULL
               ? tx_kernel_checkpoint(d->kernel, at, tx_kernel_checkpoint_size(d->kernel)) == TX_OK
               : tile_point_save(d->tensix, at);
}

static void past_load(void *user, const void *bytes)
{
    struct txl_debug *d = user;
    const char *at = bytes;
    memcpy(&d->now, at, sizeof d->now);
    at += sizeof d->now;
    if (d->kernel != NULL) {
        (void)tx_kernel_rollback(d->kernel, at, tx_kernel_checkpoint_size(d->kernel));
    } else {
        tile_point_load(d->tensix, at);
    }
}

static void past_drop(void *user, void *bytes)
{
    struct txl_debug *d = user;
    if (d->kernel == NULL) {
        tile_point_drop(d->tensix, (char *)bytes + sizeof d->now);
    }
}

struct past_of subject_past(struct txl_debug *d)
{
    const size_t own =
        d->kernel != NULL ? tx_kernel_checkpoint_size(d->kernel) : tile_point_size(d->tensix);
    return (struct past_of){.user = d,
                            .size = sizeof d->now + own,
                            .beside = d->kernel != NULL ? 0 : tile_point_beside(d->tensix),
                            .drop = past_drop,
                            .now = past_now,
                            .step = past_step,
                            .save = past_save,
                            .load = past_load};
}

/* ---- places ---- */

unsigned debug_thread(const struct txl_debug *d)
{
    if (d->thread >= 0) {
        return (unsigned)d->thread;
    }
    if (d->program != NULL && !tx_program_threaded(d->program)) {
        return d->run->job.options.thread;
    }
    return d->core >= TX_CORE_T0 && d->core <= TX_CORE_T2 ? (unsigned)(d->core - TX_CORE_T0) : 1;
}

unsigned debug_section(const struct txl_debug *d)
{
    return d->now.where == IN_INIT ? TX_SECTION_INIT : TX_SECTION_TILE;
}

unsigned debug_line(const struct txl_debug *d, unsigned section, size_t place, const char **file)
{
    *file = NULL;
    if (d->program == NULL || place >= tx_program_count(d->program, section)) {
        return 0;
    }
    const struct txl_where where = txl_where_word(d->path, d->program, section, place);
    *file = where.file;
    return where.line;
}

/*
 * Lists the words in order of issue. This is possible only for programs of one thread; with several
 * the order depends on timing.
 */
static int list_issued(struct txl_debug *d)
{
    if (tx_program_threaded(d->program)) {
        return TXL_CONTINUE;
    }
    if (!feed_build(&d->feed, d->program)) {
        const bool too_long = d->feed.too_long;
        feed_free(&d->feed);
        return too_long ? TXL_CONTINUE : no_memory(d->err);
    }
    for (unsigned s = 0; s < TX_SECTIONS; s++) {
        const size_t first = s == TX_SECTION_INIT ? 0 : d->feed.tile;
        const size_t end = s == TX_SECTION_INIT ? d->feed.tile : d->feed.count;
        d->issued[s] = zeroed(d->err, end - first + 1, sizeof *d->issued[s]);
        for (size_t at = first; d->issued[s] != NULL && at < end; at++) {
            if (!d->feed.words[at].idle) {
                d->issued[s][d->issued_count[s]++] = (uint32_t)at;
            }
        }
        if (d->issued[s] == NULL) {
            return TXL_INPUT;
        }
    }
    return TXL_CONTINUE;
}

/* ---- open and close ---- */

static int place_l1(struct txl_debug *d)
{
    return d->run->from_l1 ? l1_place(&d->run->l1, d->machine) : TXL_CONTINUE;
}

/* Refuses options of a run that the debugger does not support. */
static int refuse(struct txl_debug *d, const struct txl_run_options *given)
{
    struct txl_run_options o;
    const int result = options_take(d->err, &o, sizeof o, given);
    const struct {
        const char *option;
        bool given;
    } others[] = {{"gaps", o.gaps != NULL},
                  {"output", o.output != NULL},
                  {"compare", o.compare != NULL},
                  {"reference", o.reference != NULL},
                  {"engine", o.engine != TXL_ENGINE_AUTO && o.engine != TXL_ENGINE_REFERENCE}};
    for (size_t i = 0; result == TXL_CONTINUE && i < sizeof others / sizeof *others; i++) {
        if (others[i].given) {
            return txl_fail_option(d->err, NULL, others[i].option, "the debugger has none of that");
        }
    }
    return result;
}

static int check_tiles(struct txl_debug *d)
{
    const struct run_job *job = &d->run->job;
    const uint64_t there = d->run->opened ? job->tiling.tiles : UINT64_MAX;
    if (job->input_count != 0 && job->input_count != tx_program_inputs(d->program)) {
        return txl_fail(d->err, "%s takes %u inputs, there are %u", job->kernel,
                        tx_program_inputs(d->program), job->input_count);
    }
    if (d->run->from_l1 && (d->how.tile != 0 || d->how.tiles > 1)) {
        return txl_fail_option(d->err, NULL, "tile", "a program from L1 to L1 runs once");
    }
    if (job->options.carry && d->how.tile != 0) {
        return txl_fail_option(d->err, NULL, "tile", "carried state begins with tile 0");
    }
    if (d->how.tile >= there || debug_tiles(d) > there) {
        return txl_fail_option(d->err, NULL, "tile", "the array has %llu tiles",
                               (unsigned long long)there);
    }
    return TXL_CONTINUE;
}

/* Begins .init, or the first tile where .init has no words. */
static void debug_subject_begin(struct txl_debug *d)
{
    bool over = false;
    d->now.tile = d->how.tile;
    section_begins(d, IN_INIT);
    (void)tx_kernel_enter(d->kernel, TX_SECTION_INIT);
    if (tx_program_count(d->program, TX_SECTION_INIT) == 0) {
        (void)tx_kernel_cycle(d->kernel, &over);
        section_begins(d, IN_TILE);
        begin_tile(d);
    }
}

int subject_open(struct txl_debug *d, const struct tx_program *program,
                 const struct txl_run_options *run)
{
    d->program = program;
    int result = refuse(d, run);
    result = result == TXL_CONTINUE ? txl_run_open(d->err, program, run, &d->run) : result;
    if (result != TXL_OK) {
        return result;
    }
    struct run_job *job = &d->run->job;
    job->err = d->run->l1.err = d->err;
    result = check_tiles(d);
    if (result != TXL_CONTINUE) {
        return result;
    }
    struct tx_settings settings = job->settings;
    settings.sink = (struct tx_sink){facts_listen, d};
    const enum tx_status status = tx_kernel_open(&settings, program, &job->options, &d->kernel);
    if (status != TX_OK) {
        return txl_fail(d->err, "%s: %s", job->kernel, tx_status_text(status));
    }
    d->machine = tx_kernel_machine(d->kernel);
    d->arch = tx_machine_arch(d->machine);
    d->dst = tx_kernel_dst(d->kernel);
    d->out = tx_kernel_out(d->kernel);
    result = run_apply_sets(d->err, d->machine, job->options.thread, job->sets, job->set_count);
    result = result == TXL_CONTINUE ? place_l1(d) : result;
    result = result == TXL_CONTINUE ? list_issued(d) : result;
    if (result == TXL_CONTINUE) {
        debug_subject_begin(d);
    }
    return result;
}

static int of_tensix(struct txl_debug *d)
{
    d->tile = txl_tensix_tile(d->tensix);
    d->machine = tx_tensix_machine(d->tile);
    d->arch = tx_machine_arch(d->machine);
    d->dst = d->out = TX_DST_FORMAT_UNSET;
    d->now.where = IN_TILE;
    return TXL_CONTINUE;
}

int subject_open_tile(struct txl_debug *d, const struct txl_tensix_options *options)
{
    const struct tile_watch watch = {.sink = {facts_listen, d}};
    const int result = tile_open(d->err, options, &watch, &d->tensix);
    if (result != TXL_OK) {
        return result;
    }
    return of_tensix(d);
}

int subject_open_attached(struct txl_debug *d, txl_tensix *tile)
{
    const struct tx_sink sink = {facts_listen, d};
    if (!tile_listen(tile, &sink)) {
        return txl_fail(d->err, "the tile is not a chip's, or its chip has no time");
    }
    d->tensix = tile;
    d->borrowed = true;
    d->now.tick = tx_tensix_cycles(txl_tensix_tile(tile));
    return of_tensix(d);
}

void subject_close(struct txl_debug *d)
{
    tx_kernel_close(d->kernel);
    txl_run_close(d->run);
    if (d->borrowed) {
        (void)tile_listen(d->tensix, NULL);
    } else {
        txl_tensix_close(d->tensix);
    }
    feed_free(&d->feed);
    free(d->issued[TX_SECTION_INIT]);
    free(d->issued[TX_SECTION_TILE]);
}
