/* SPDX-License-Identifier: Apache-2.0 */
/* Traces a tile: its coprocessor like a kernel, and the position of its RISC-V cores. */
#include "base/memory.h"
#include "base/options.h"
#include "tile/tile_program.h"
#include "trace/trace_job.h"
#include "trace/trace_lines.h"

#include <stdlib.h>
#include <string.h>

#include <tensix-lab/elf.h>

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
    return end > meta->first && end - meta->first > TXL_TRACE_PAGE_CYCLES
               ? txl_fail_option(t->err, NULL, "end", "a page has at most %d cycles; choose some",
                                 TXL_TRACE_PAGE_CYCLES)
               : TXL_CONTINUE;
}

static int run(struct txl_trace *t, txl_tensix *tile)
{
    tx_machine *machine = tx_tensix_machine(txl_tensix_tile(tile));
    t->collect.machine = machine;
    if ((t->page && !trace_lines_open(&t->collect, tile)) || !trace_cores_open(&t->collect, tile)) {
        return no_memory(t->err);
    }
    trace_begin(&t->collect);
    trace_section(&t->collect, false, 0);
    trace_arrive(&t->collect, 0);
    const int result = txl_tensix_run(t->err, tile);
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
        result = trace_close_places(t, run(t, tile));
    }
    txl_tensix_close(tile);
    return result == TXL_CONTINUE ? TXL_OK : result;
}
