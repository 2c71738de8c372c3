/* SPDX-License-Identifier: Apache-2.0 */
/* The engines that run the tiles of a sweep. */
#include "sweep/sweep.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/engine.h"

static void same_or_new(struct sweep_findings *into, const struct sweep_finding *one)
{
    for (uint64_t i = 0; i < into->count; i++) {
        struct sweep_finding *there = &into->list[i];
        if (there->finding.category == one->finding.category &&
            there->finding.word == one->finding.word && strcmp(there->rule, one->rule) == 0) {
            uint64_t count = there->finding.count + one->finding.count;
            if (one->tile < there->tile) {
                *there = *one;
            }
            there->finding.count = count;
            return;
        }
    }
    if (into->count == SWEEP_FINDINGS) {
        into->dropped += one->finding.count;
        return;
    }
    /* Sort by rule and word, so that the order does not depend on which tile came first. */
    uint64_t place = into->count++;
    while (place > 0) {
        const struct sweep_finding *before = &into->list[place - 1];
        int order = strcmp(before->rule, one->rule);
        if (order < 0 || (order == 0 && before->finding.word <= one->finding.word)) {
            break;
        }
        into->list[place] = *before;
        place--;
    }
    into->list[place] = *one;
}

void sweep_findings_merge(struct sweep_findings *into, const struct sweep_findings *from)
{
    for (uint64_t i = 0; i < from->count; i++) {
        same_or_new(into, &from->list[i]);
    }
    into->dropped += from->dropped;
}

/* ---- the reference engine: simulates the machine cycle by cycle ---- */

/* The kernel is NULL if it could not be opened. */
static const char *fault_text(tx_kernel *kernel, enum tx_status status)
{
    const struct tx_finding *fault = kernel != NULL ? tx_fault(tx_kernel_machine(kernel)) : NULL;
    return fault != NULL ? fault->message : tx_status_text(status);
}

static void *machine_open(const struct sweep_kernel *k, struct txl_error *err)
{
    tx_kernel *kernel = NULL;
    enum tx_status status = tx_kernel_open(&k->settings, k->program, &k->options, &kernel);
    if (status == TX_OK) {
        status = tx_kernel_start(kernel);
    }
    if (status != TX_OK) {
        txl_fail(err, "%s", fault_text(kernel, status));
        tx_kernel_close(kernel);
        return NULL;
    }
    tx_findings_clear(tx_kernel_machine(kernel));
    return kernel;
}

static int machine_run(void *worker, uint64_t first_tile, unsigned count,
                       const uint32_t *const *inputs, uint32_t *output, struct txl_error *err)
{
    for (unsigned tile = 0; tile < count; tile++) {
        const uint32_t *in[RUN_INPUTS] = {NULL};
        for (unsigned k = 0; k < SWEEP_INPUTS; k++) {
            in[k] = inputs[k] + (size_t)tile * TX_TILE_ELEMENTS;
        }
        enum tx_status status =
            tx_kernel_tile(worker, first_tile + tile, in, output + (size_t)tile * TX_TILE_ELEMENTS);
        if (status != TX_OK) {
            return txl_refuse(err, TXL_NEGATIVE, "tile %llu: %s",
                              (unsigned long long)(first_tile + tile), fault_text(worker, status));
        }
    }
    return TXL_CONTINUE;
}

static void machine_findings(void *worker, uint64_t tile, struct sweep_findings *into)
{
    tx_machine *machine = tx_kernel_machine(worker);
    size_t count = tx_finding_count(machine);
    for (size_t i = 0; i < count; i++) {
        struct sweep_finding one;
        memset(&one, 0, sizeof one);
        one.finding = *tx_finding_at(machine, i);
        one.tile = tile;
        if (one.finding.rule != NULL) {
            snprintf(one.rule, sizeof one.rule, "%s", one.finding.rule);
        }
        one.finding.rule = NULL;
        same_or_new(into, &one);
    }
    into->dropped += tx_finding_dropped(machine);
    tx_findings_clear(machine);
}

static void machine_close(void *worker)
{
    tx_kernel_close(worker);
}

/* ---- the fast engine: many tiles through one precomputed schedule ---- */

struct fast {
    tx_kernel *kernel;
    tx_fast *fast; /* NULL: the kernel needs the reference engine */
    tx_fast_worker *worker;
};

static void fast_close(void *worker)
{
    struct fast *w = worker;
    tx_fast_worker_close(w->worker);
    tx_fast_close(w->fast);
    tx_kernel_close(w->kernel);
    free(w);
}

static void *open_fast(const struct sweep_kernel *k, enum txl_engine engine, struct txl_error *err)
{
    struct fast *w = zeroed(err, 1, sizeof *w);
    if (w == NULL) {
        return NULL;
    }
    w->kernel = machine_open(k, err);
    if (w->kernel == NULL) {
        free(w);
        return NULL;
    }
    /*
     * In strict mode a tile ends at its first finding, which only the reference engine can detect.
     */
    const struct engine_choice choice = {
        .engine = engine,
        .compiler = k->compiler,
        .tiles = k->tiles,
        .only_reference = k->settings.mode == TX_MODE_STRICT ? "strict mode" : NULL};
    bool good = engine_fast(&choice, w->kernel, &w->fast, err);
    if (good && w->fast != NULL && tx_fast_worker_open(w->fast, &w->worker) != TX_OK) {
        good = fail_false(err, "%s", no_memory_text);
    }
    if (good) {
        return w;
    }
    fast_close(w);
    return NULL;
}

static void *fast_open(const struct sweep_kernel *k, struct txl_error *err)
{
    return open_fast(k, TXL_ENGINE_FAST, err);
}

static void *auto_open(const struct sweep_kernel *k, struct txl_error *err)
{
    return open_fast(k, TXL_ENGINE_AUTO, err);
}

static void *compiled_open(const struct sweep_kernel *k, struct txl_error *err)
{
    return open_fast(k, TXL_ENGINE_COMPILED, err);
}

static int fast_run(void *worker, uint64_t first_tile, unsigned count,
                    const uint32_t *const *inputs, uint32_t *output, struct txl_error *err)
{
    struct fast *w = worker;
    if (w->fast == NULL) {
        return machine_run(w->kernel, first_tile, count, inputs, output, err);
    }
    enum tx_status status = tx_fast_run(w->worker, first_tile, count, inputs, output);
    return status == TX_OK       ? TXL_CONTINUE
           : status == TX_ENOMEM ? no_memory(err)
                                 : txl_refuse(err, TXL_NEGATIVE, "%s", tx_status_text(status));
}

/*
 * On the fast engine findings do not depend on data: they are taken from one tile and counted once.
 */
static void fast_findings(void *worker, uint64_t tile, struct sweep_findings *into)
{
    static const uint32_t zeros[TX_TILE_ELEMENTS];
    const uint32_t *inputs[RUN_INPUTS];
    uint32_t output[TX_TILE_ELEMENTS];
    struct fast *w = worker;
    for (unsigned i = 0; i < RUN_INPUTS; i++) {
        inputs[i] = zeros;
    }
    if (w->fast != NULL && tile == 0) {
        (void)tx_kernel_tile(w->kernel, 0, inputs, output);
    }
    machine_findings(w->kernel, tile, into);
}

static bool fast_elementwise(const void *worker)
{
    const struct fast *w = worker;
    return w->fast != NULL && tx_fast_elementwise(w->fast);
}

static bool machine_elementwise(const void *worker)
{
    (void)worker;
    return false;
}

static const struct sweep_engine engines[] = {
    {"auto", auto_open, fast_run, fast_findings, fast_close, fast_elementwise},
    {"compiled", compiled_open, fast_run, fast_findings, fast_close, fast_elementwise},
    {"fast", fast_open, fast_run, fast_findings, fast_close, fast_elementwise},
    {"reference", machine_open, machine_run, machine_findings, machine_close, machine_elementwise},
};

const struct sweep_engine *sweep_engine_at(size_t index)
{
    return index < sizeof engines / sizeof engines[0] ? &engines[index] : NULL;
}

int sweep_measure(struct txl_error *err, const char *path, const struct sweep_kernel *k,
                  uint64_t *cycles, struct sweep_findings *init)
{
    static const uint32_t zeros[TX_TILE_ELEMENTS];
    const uint32_t *inputs[RUN_INPUTS];
    uint32_t output[TX_TILE_ELEMENTS];
    tx_kernel *kernel = NULL;
    for (unsigned i = 0; i < RUN_INPUTS; i++) {
        inputs[i] = zeros;
    }
    enum tx_status status = tx_kernel_open(&k->settings, k->program, &k->options, &kernel);
    if (status == TX_OK) {
        status = tx_kernel_start(kernel);
    }
    if (status == TX_OK) {
        machine_findings(kernel, 0, init);
        uint64_t before = tx_machine_counters(tx_kernel_machine(kernel)).cycles;
        status = tx_kernel_tile(kernel, 0, inputs, output);
        *cycles = tx_machine_counters(tx_kernel_machine(kernel)).cycles - before;
    }
    const int result = status == TX_OK
                           ? TXL_CONTINUE
                           : txl_refuse(err, status == TX_FAULT ? TXL_NEGATIVE : TXL_INPUT,
                                        "%s: %s", path, fault_text(kernel, status));
    tx_kernel_close(kernel);
    return result;
}
