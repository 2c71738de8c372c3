/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Proves a schedule on the machine: it runs beside the straight-line kernel, must have no new
 * findings, take the cycles that were calculated, and give the same results for random data and
 * over the domain.
 */
#include "schedule/schedule.h"

#include <stdlib.h>
#include <string.h>

#include <tensix-lab/compare.h>

#include "base/memory.h"
#include "flow/feed.h"

enum { INPUTS = 16, TILES = 8, PAIRS = 65536 };

struct side {
    tx_kernel *kernel;
    uint32_t out[TX_TILE_ELEMENTS];
    uint64_t cycles;
};

struct tiles {
    struct side side[2];
    uint32_t data[INPUTS][TX_TILE_ELEMENTS];
};

static enum tx_status open_side(const struct tx_program *program,
                                const struct tx_kernel_options *options, struct side *side)
{
    struct tx_settings settings;
    tx_settings_default(&settings, tx_program_arch(program));
    const enum tx_status status = tx_kernel_open(&settings, program, options, &side->kernel);
    return status == TX_OK ? tx_kernel_start(side->kernel) : status;
}

static enum tx_status run_side(struct side *side, uint64_t tile, const uint32_t *const *inputs)
{
    const tx_machine *machine = tx_kernel_machine(side->kernel);
    const uint64_t before = tx_machine_counters(machine).cycles;
    const enum tx_status status = tx_kernel_tile(side->kernel, tile, inputs, side->out);
    side->cycles = tx_machine_counters(machine).cycles - before;
    return status;
}

/*
 * Returns the first finding of the schedule whose rule the straight-line kernel does not break, or
 * NULL.
 */
static const struct tx_finding *new_finding(const struct tiles *t)
{
    const tx_machine *a = tx_kernel_machine(t->side[0].kernel);
    const tx_machine *b = tx_kernel_machine(t->side[1].kernel);
    for (size_t i = 0; i < tx_finding_count(b); i++) {
        const struct tx_finding *finding = tx_finding_at(b, i);
        bool there = false;
        for (size_t k = 0; k < tx_finding_count(a); k++) {
            there = there || strcmp(tx_finding_at(a, k)->rule, finding->rule) == 0;
        }
        if (!there) {
            return finding;
        }
    }
    return NULL;
}

static bool stops(struct sched_why *why, enum tx_status status, const char *how)
{
    why->memory = status == TX_ENOMEM;
    return sched_refuse(why, "the schedule %s", how);
}

static bool run_tiles(struct sched_proof *p, const struct tx_program *program, struct tiles *t,
                      struct sched_why *why)
{
    const uint32_t *inputs[INPUTS];
    uint64_t random = 0x5EED;
    const struct tx_program *const programs[] = {p->straight, program};
    for (unsigned i = 0; i < 2; i++) {
        const enum tx_status status = open_side(programs[i], &p->kernel, &t->side[i]);
        if (status != TX_OK) {
            return stops(why, status, "does not run");
        }
    }
    for (uint64_t tile = 0; tile < TILES; tile++) {
        for (unsigned i = 0; i < INPUTS; i++) {
            feed_data(tx_kernel_dst(t->side[0].kernel), &random, t->data[i]);
            inputs[i] = t->data[i];
        }
        for (unsigned i = 0; i < 2; i++) {
            const enum tx_status status = run_side(&t->side[i], tile, inputs);
            if (status != TX_OK) {
                return stops(why, status, "stops");
            }
        }
        const struct tx_finding *finding = new_finding(t);
        if (finding != NULL) {
            return sched_refuse(why, "the schedule runs with a finding: %s", finding->message);
        }
        if (memcmp(t->side[0].out, t->side[1].out, sizeof t->side[0].out) != 0) {
            return sched_refuse(why, "the schedule gives other results in tile %llu of random data",
                                (unsigned long long)tile);
        }
        if (t->side[1].cycles < p->cycles || t->side[1].cycles > p->cycles + p->around) {
            return sched_refuse(why, "the schedule takes %llu cycles, not %llu",
                                (unsigned long long)t->side[1].cycles,
                                (unsigned long long)p->cycles);
        }
    }
    p->cycles = t->side[1].cycles;
    return true;
}

static int over_domain(struct txl_error *err, struct sched_proof *p,
                       const struct tx_program *program, struct sched_why *why)
{
    const unsigned inputs = tx_program_inputs(p->straight);
    const bool pairs = inputs == 2 && p->domain == NULL;
    const struct txl_sweep_options both = {.size = sizeof both,
                                           .start = p->kernel.start,
                                           .dst = p->kernel.dst,
                                           .out = p->kernel.out,
                                           .domain = pairs ? "bf16xbf16" : p->domain,
                                           .sample = p->sample != 0 ? p->sample
                                                     : pairs        ? PAIRS
                                                                    : 0,
                                           .progress = p->progress,
                                           .user = p->user};
    const char *name = p->name != NULL ? p->name : "the kernel";
    const struct txl_compare_options options = {.size = sizeof options,
                                                .both = &both,
                                                .a = name,
                                                .b = "its schedule",
                                                .program_a = p->straight,
                                                .program_b = program};
    struct txl_compare_result found = {.size = sizeof found};
    txl_compare *compare = NULL;
    if (inputs > 2 && p->domain == NULL) {
        p->compared = (uint64_t)TILES * TX_TILE_ELEMENTS;
        return TXL_OK;
    }
    int result = txl_compare_open(err, &options, &compare);
    if (result == TXL_OK) {
        result = txl_compare_run(err, compare);
    }
    if (result == TXL_OK) {
        txl_compare_result(compare, &found);
        p->compared = found.compared;
        if (found.differing != 0) {
            (void)sched_refuse(why, "the schedule gives other results for %llu of %llu inputs",
                               (unsigned long long)found.differing,
                               (unsigned long long)found.compared);
            result = TXL_NEGATIVE;
        }
    }
    txl_compare_close(compare);
    return result;
}

int sched_prove(struct txl_error *err, struct sched_proof *proof, const char *text, size_t size,
                struct sched_why *why)
{
    const struct tx_asm_options as = {.arch = tx_program_arch(proof->straight)};
    struct tx_program *program = NULL;
    struct tx_diag diag = {0};
    struct tiles *tiles = zeroed(err, 1, sizeof *tiles);
    if (tiles == NULL) {
        return TXL_INPUT;
    }
    int result = TXL_NEGATIVE;
    const enum tx_status status = tx_assemble(text, size, &as, &program, &diag);
    if (status == TX_ENOMEM) {
        result = no_memory(err);
    } else if (status != TX_OK) {
        (void)sched_refuse(why, "the schedule's line %u: %s", diag.line, diag.message);
    } else if (run_tiles(proof, program, tiles, why)) {
        result = over_domain(err, proof, program, why);
    } else if (why->memory) {
        result = no_memory(err);
    }
    tx_kernel_close(tiles->side[0].kernel);
    tx_kernel_close(tiles->side[1].kernel);
    free(tiles);
    tx_program_free(program);
    return result;
}
