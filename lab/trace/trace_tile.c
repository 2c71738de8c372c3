/* SPDX-License-Identifier: Apache-2.0 */
/* Traces a tile: its coprocessor like a kernel, and the position of its RISC-V cores. */
#include "base/memory.h"
#include "base/options.h"
#include "tile/tile_program.h"
#include "tile/tile_world.h"
#include "trace/trace_job.h"
#include "trace/trace_lines.h"

#include <stdlib.h>
#include <string.h>

#include <tensix-lab/elf.h>
#include <tensix/order.h>

/* Refuses options that only kernels have, by name. */
static int refuse(struct txl_error *err, const struct txl_trace_options *o)
{
    const struct {
        const char *option;
        bool given;
    } kernels[] = {{"settings", o->settings != NULL},
                   {"kernel", o->kernel != NULL},
                   {"sets", o->set_count != 0},
                   {"inputs", o->input_count != 0},
                   {"l1_in", o->l1_in_count != 0},
                   {"l1_out", o->l1_out_count != 0},
                   {"tile", o->tile != 0},
                   {"tiles", o->tiles > 1},
                   {"init", o->init}};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        if (kernels[i].given) {
            return txl_fail_option(err, NULL, kernels[i].option,
                                   "is a kernel's, and here are programs of a tile's cores");
        }
    }
    return TXL_CONTINUE;
}

static bool elf_has_vector(const txl_elf *elf, enum tx_arch arch)
{
    bool vector = false;
    for (size_t f = 0; f < txl_elf_functions(elf); f++) {
        const struct txl_elf_function *function = txl_elf_function(elf, f);
        for (size_t i = 0; i < function->count && !vector; i++) {
            const struct tx_insn *insn = tx_insn_of(arch, function->words[i]);
            vector = insn != NULL && insn->unit >= TX_UNIT_LOAD && insn->unit <= TX_UNIT_STORE;
        }
    }
    return vector;
}

static unsigned cores_of(const struct txl_tensix_options *tile)
{
    unsigned cores = 0;
    for (unsigned i = 0; i < tile->program_count; i++) {
        cores |= (unsigned)tile->programs[i].core < TX_CORES ? 1U << tile->programs[i].core : 0;
    }
    return cores;
}

/* Tells whether any thread's program has vector instructions among its .ttinsn. */
static bool has_vector(const struct txl_tensix_options *tile)
{
    bool vector = false;
    for (unsigned i = 0; i < tile->program_count && !vector; i++) {
        const struct txl_tensix_program *p = &tile->programs[i];
        struct txl_error ignored = {.status = TXL_OK};
        txl_elf *elf = NULL;
        if (p->core == TX_CORE_B || !txl_elf_is(p->path)) {
            vector = p->core != TX_CORE_B; /* an image: assume that it has */
        } else if (txl_elf_open(&ignored, p->path, &elf) == TXL_OK) {
            vector = elf_has_vector(elf, tile->arch);
        }
        txl_elf_close(elf);
    }
    return vector;
}

/* Writes "t0 unpack.elf, t1 math.elf". */
static void name_programs(char *text, size_t size, const struct txl_tensix_options *tile)
{
    size_t n = 0;
    text[0] = '\0';
    for (unsigned i = 0; i < tile->program_count && n < size; i++) {
        const struct txl_tensix_program *p = &tile->programs[i];
        const char *slash = strrchr(p->path, '/');
        n += (size_t)snprintf(text + n, size - n, "%s%s %.60s", i == 0 ? "" : ", ",
                              tx_core_name(p->core), slash != NULL ? slash + 1 : p->path);
    }
}

int txl_trace_open_tile(struct txl_error *err, const struct txl_tensix_options *tile,
                        const struct txl_trace_options *options, txl_trace **trace)
{
    struct txl_trace *t = zeroed(err, 1, sizeof *t);
    *trace = NULL;
    if (t == NULL) {
        return TXL_INPUT;
    }
    t->err = err;
    t->tile_options = tile;
    int result = trace_open(err, &t->collect);
    result = result == TXL_CONTINUE ? options_take(err, &t->how, sizeof t->how, options) : result;
    result = result == TXL_CONTINUE ? refuse(err, &t->how) : result;
    if (result != TXL_CONTINUE) {
        txl_trace_close(t);
        return result;
    }
    t->name = t->how.name != NULL ? t->how.name : "tile";
    struct trace_meta *meta = &t->collect.meta;
    meta->kernel = t->name;
    name_programs(t->title, sizeof t->title, tile);
    meta->title = t->title;
    meta->arch = tile->arch;
    meta->dst = TX_DST_FORMAT_FP32;
    meta->inputs = 1;
    meta->thread = 1;
    meta->threads = true;
    meta->cores = cores_of(tile);
    meta->units = true;
    meta->vector = has_vector(tile);
    trace_settle_shown(t);
    *trace = t;
    return TXL_OK;
}

static int too_long(const struct txl_trace *t)
{
    return txl_fail_option(t->err, NULL, "end", "a page has at most %d cycles; choose some",
                           TXL_TRACE_PAGE_CYCLES);
}

/* Runs the tile once to find its length, before a page is begun, as for kernels. */
static int check_page(struct txl_trace *t)
{
    const struct trace_meta *meta = &t->collect.meta;
    struct txl_tensix_options how = *t->tile_options;
    struct txl_error ignored = {.status = TXL_OK};
    txl_tensix *tile = NULL;
    how.l1_out_count = 0;
    int result = txl_tensix_open(t->err, &how, &tile);
    if (result != TXL_OK) {
        return result;
    }
    (void)txl_tensix_run(&ignored, tile);
    const uint64_t cycles = txl_tensix_result(tile)->cycles;
    const uint64_t end = cycles < meta->last ? cycles : meta->last + 1;
    txl_tensix_close(tile);
    return end > meta->first && end - meta->first > TXL_TRACE_PAGE_CYCLES ? too_long(t)
                                                                          : TXL_CONTINUE;
}

/* ---- a tile of a chip ---- */

/* Runs the chip for the cycles that are shown, and calls "after" behind each. Returns how many. */
static uint64_t step_through(const struct txl_trace *t, txl_tensix *tile, uint64_t most,
                             void (*after)(void *user), void *user)
{
    const uint64_t last = t->collect.meta.last;
    struct tile_course course = {0};
    uint64_t cycles = 0;
    while (cycles <= last && cycles < most && !t->collect.failed && tile_step(tile) == TX_OK) {
        cycles++;
        if (after != NULL) {
            after(user);
        }
        if (tile_ended(tile, &course) != TILE_GOES_ON) {
            break;
        }
    }
    return cycles;
}

static int check_lent(struct txl_trace *t, txl_tensix *tile)
{
    const uint64_t most = t->collect.meta.first + TXL_TRACE_PAGE_CYCLES;
    void *point = zeroed(t->err, 1, tile_point_size(tile));
    if (point == NULL || !tile_point_save(tile, point)) {
        free(point);
        return no_memory(t->err);
    }
    const uint64_t cycles = step_through(t, tile, most + 1, NULL, NULL);
    tile_point_load(tile, point);
    tile_point_drop(tile, point);
    free(point);
    t->most = cycles; /* a chip whose cores are listened to does not tell that it rests */
    return cycles > most ? too_long(t) : TXL_CONTINUE;
}

static int trace_trace_tile_run(struct txl_trace *t, txl_tensix *tile, bool lent)
{
    tx_machine *machine = tx_tensix_machine(txl_tensix_tile(tile));
    const uint64_t now = tx_tensix_cycles(txl_tensix_tile(tile));
    t->collect.machine = machine;
    t->before = tx_machine_counters(machine);
    if ((t->page && !trace_lines_open(&t->collect, tile)) || !trace_cores_open(&t->collect, tile)) {
        return no_memory(t->err);
    }
    trace_begin(&t->collect);
    trace_section(&t->collect, false, 0);
    t->collect.ahead = t->before.cycles - now;
    t->before.cycles = now;
    trace_arrive(&t->collect, now + t->collect.ahead);
    int result = TXL_OK;
    if (lent) {
        (void)step_through(t, tile, t->most, trace_cores_cycle, &t->collect);
    } else {
        result = txl_tensix_run(t->err, tile);
    }
    trace_finish(t, machine);
    return t->collect.failed ? no_memory(t->err) : result == TXL_OK ? TXL_CONTINUE : result;
}

int trace_tile_run(struct txl_trace *t)
{
    int result = t->page ? check_page(t) : TXL_CONTINUE;
    if (result != TXL_CONTINUE) {
        return result;
    }
    const struct tile_watch watch = {{trace_event, &t->collect}, trace_cores_cycle, &t->collect};
    txl_tensix *tile = NULL;
    result = tile_open(t->err, t->tile_options, &watch, &tile);
    if (result == TXL_OK) {
        result = trace_close_places(t, trace_trace_tile_run(t, tile, false));
    }
    txl_tensix_close(tile);
    return result == TXL_CONTINUE ? TXL_OK : result;
}

static int run_lent(struct txl_trace *t, txl_tensix *tile)
{
    const struct tx_sink sink = {trace_event, &t->collect};
    t->most = UINT64_MAX;
    int result = t->page ? check_lent(t, tile) : TXL_CONTINUE;
    if (result == TXL_CONTINUE && !tile_listen(tile, &sink)) {
        result = txl_fail(t->err, "the tile is not a chip's, or its chip has no time");
    }
    if (result == TXL_CONTINUE) {
        result = trace_close_places(t, trace_trace_tile_run(t, tile, true));
        (void)tile_listen(tile, NULL);
        tx_order_listen(tx_tensix_machine(txl_tensix_tile(tile)), NULL);
    }
    return result == TXL_CONTINUE ? TXL_OK : result;
}

static enum txl_trace_form form_of(const char *path)
{
    static const struct {
        const char *end;
        enum txl_trace_form form;
    } ends[] = {{".html", TXL_TRACE_HTML},
                {".jsonl", TXL_TRACE_JSON},
                {".json", TXL_TRACE_CHROME},
                {".kanata", TXL_TRACE_KONATA}};
    const size_t length = strlen(path) - (trace_stream_packs(path) ? strlen(".gz") : 0);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const size_t n = strlen(ends[i].end);
        if (length >= n && strncmp(path + length - n, ends[i].end, n) == 0) {
            return ends[i].form;
        }
    }
    return TXL_TRACE_TABLE;
}

int txl_trace_attached(struct txl_error *err, txl_tensix *tile,
                       const struct txl_trace_options *options, const char *path)
{
    struct txl_tensix_program programs[TX_CORES];
    struct txl_tensix_options own = {
        .size = sizeof own, .arch = tile_options(tile)->arch, .programs = programs};
    struct txl_trace *t = NULL;
    for (unsigned core = 0; core < TX_CORES; core++) {
        const struct tile_program *p = tile_program_of(tile, (enum tx_core)core);
        if (p != NULL) {
            programs[own.program_count++] =
                (struct txl_tensix_program){(enum tx_core)core, p->path};
        }
    }
    int result = txl_trace_open_tile(err, &own, options, &t);
    result = result == TXL_OK ? txl_trace_file(err, t, form_of(path), path) : result;
    result = result == TXL_OK ? run_lent(t, tile) : result;
    txl_trace_close(t);
    return result;
}
