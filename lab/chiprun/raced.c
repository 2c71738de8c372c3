/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The watch over a chip's programs (tensix-lab/order.h): it is told which program a core runs,
 * which circular buffers its tile has, and which memory is allocated.
 */
#include <tensix/facts.h>

#include <stdlib.h>

#include "base/memory.h"
#include "chiprun/plan.h"
#include "chiprun/profiled.h"

int chiprun_race_open(struct txl_error *err, txl_chip *c, const struct txl_chip_options *how)
{
    const struct txl_order_options watch = {.size = sizeof watch, .documented = how->documented};
    if (!how->races) {
        return how->witness ? txl_fail_option(err, NULL, "witness", "it goes with races")
                            : TXL_CONTINUE;
    }
    if (how->witness && (c->untimed || how->delays != NULL || c->paced)) {
        return txl_fail_option(err, NULL, "witness", "it goes with %s",
                               c->untimed            ? "a run that has times"
                               : how->delays != NULL ? "no delays"
                                                     : "no pace");
    }
    c->witness = how->witness;
    c->budget = how->budget;
    if (how->profile || how->threads > 1) {
        return txl_fail_option(err, NULL, "races", "it goes with %s",
                               how->profile ? "no profile" : "one thread only");
    }
    const int result = txl_order_watch(err, c->chip, &watch, &c->order);
    return result == TXL_OK ? TXL_CONTINUE : result;
}

int chiprun_race_program(struct txl_error *err, txl_chip *c, const struct chiprun_tile *t,
                         enum tx_core core)
{
    const int result =
        c->order == NULL || c->told
            ? TXL_OK
            : txl_order_program(err, c->order, (uint32_t)t->index, core, t->ran[core]->path);
    return result == TXL_OK ? TXL_CONTINUE : result;
}

void chiprun_race_settle(txl_chip *c)
{
    if (c->order == NULL || c->told) {
        return;
    }
    if (c->ended == TX_OK) {
        txl_order_settle(c->order);
    } else { /* nothing will run on this chip any more */
        c->told = true;
        txl_order_end(c->order, c->ended == TX_EDEADLOCK);
    }
}

int chiprun_race_begin(struct txl_error *err, txl_chip *c)
{
    if (!c->witness) {
        return TXL_CONTINUE;
    }
    free(c->before);
    c->before_size = tx_chip_snapshot_size(c->chip);
    c->before = malloc(c->before_size + 1);
    return c->before == NULL ? no_memory(err)
           : tx_chip_snapshot(c->chip, c->before, c->before_size) == TX_OK
               ? TXL_CONTINUE
               : txl_fail(err, "the chip cannot be copied");
}

/* One run more, from where the last one began. */
static int run_again(struct txl_error *err, void *user, const char *delay, tx_chip **to, bool *ends)
{
    enum { SPARE = 1 << 20 };
    txl_chip *c = user;
    struct tx_chip_settings s = c->settings;
    uint64_t cycles;
    s.tile = &c->tile_settings;
    tx_chip *copy = chiprun_copy(err, &s, c->pace, c->before, c->before_size);
    if (copy == NULL) {
        return TXL_INPUT;
    }
    if (tx_chip_delay(copy, delay) != TX_OK) {
        tx_chip_close(copy);
        return txl_fail(err, "%.80s cannot be tried", delay);
    }
    *ends = chiprun_to_end(c, copy, 2 * c->result.cycles + SPARE, NULL, &cycles) == TX_OK;
    *to = copy;
    return TXL_OK;
}

int txl_chip_witness(struct txl_error *err, txl_chip *c)
{
    const struct txl_order_again again = {
        .size = sizeof again, .budget = c->budget, .user = c, .run = run_again};
    return c->before == NULL || c->order == NULL
               ? txl_fail(err, "nothing has run with witness")
               : txl_order_witness(err, c->order, c->chip, &again);
}

static int give_area(struct txl_error *err, txl_chip *c, uint32_t endpoint, uint64_t address,
                     uint64_t bytes)
{
    const struct txl_order_area area = {endpoint, address, bytes};
    const int result = txl_order_area(err, c->order, &area);
    return result == TXL_OK ? TXL_CONTINUE : result;
}

/* Gives the pages that a holder of a buffer has; those of a shard are there as a whole. */
static int give_buffer(struct txl_error *err, txl_chip *c, const struct chiprun_buffer *b,
                       const uint32_t *bank, const uint32_t *offset)
{
    const uint32_t shards = (b->pages + b->shard - 1) / b->shard;
    int result = TXL_CONTINUE;
    for (unsigned i = 0; i < b->holders && result == TXL_CONTINUE; i++) {
        const uint64_t own = shards / b->holders + (i < shards % b->holders ? 1 : 0);
        const uint64_t bytes = own * b->shard * b->apart;
        const uint32_t endpoint =
            b->dram ? bank[b->holder[i]] : (uint32_t)c->tile[b->holder[i]].index;
        result = give_area(err, c, endpoint,
                           (uint64_t)b->address + (b->dram ? offset[b->holder[i]] : 0), bytes);
    }
    return result;
}

static int give_circular(struct txl_error *err, const struct plan *plan, unsigned tile,
                         const struct plan_circular *b)
{
    txl_chip *c = plan->chip;
    const uint32_t endpoint = (uint32_t)c->tile[tile].index;
    int result = give_area(err, c, endpoint, b->address, (uint64_t)b->pages * b->page);
    for (unsigned i = 0; i < b->indices && result == TXL_CONTINUE; i++) {
        const struct txl_order_buffer one = {endpoint, b->index[i], b->address, b->pages, b->page};
        result = txl_order_buffer(err, c->order, &one) == TXL_OK ? TXL_CONTINUE : TXL_INPUT;
    }
    return result;
}

/*
 * What the tile's kernels may reach in its L1: what tt-metal keeps below the programs, with the
 * arguments and semaphores, and circular buffers. A program that is a file of its own (ELF) has
 * laid out L1 itself: such a tile has no bounds.
 */
static int give_tile(struct txl_error *err, const struct plan *plan, unsigned tile)
{
    txl_chip *c = plan->chip;
    bool compiled = false;
    bool own = false;
    int result = TXL_CONTINUE;
    for (unsigned i = 0; i < plan->kernels; i++) {
        compiled = compiled || (plan->kernel[i].on[tile] && !plan->kernel[i].is_elf);
        own = own || (plan->kernel[i].on[tile] && plan->kernel[i].is_elf);
    }
    for (unsigned i = 0; i < plan->circulars && result == TXL_CONTINUE; i++) {
        result = plan->circular[i].on[tile] ? give_circular(err, plan, tile, &plan->circular[i])
                                            : result;
    }
    if (own) {
        result = result == TXL_CONTINUE
                     ? give_area(err, c, (uint32_t)c->tile[tile].index, 0, tx_l1_size(c->arch))
                     : result;
    } else if (compiled && result == TXL_CONTINUE) {
        result = give_area(err, c, (uint32_t)c->tile[tile].index, 0, TX_LAUNCH_CODE);
    }
    return result;
}

int chiprun_race_plan(struct txl_error *err, const struct plan *plan)
{
    txl_chip *c = plan->chip;
    uint16_t xy[TX_LAUNCH_DRAM];
    uint32_t offset[TX_LAUNCH_DRAM];
    uint32_t bank[TX_LAUNCH_DRAM];
    int result = TXL_CONTINUE;
    if (c->order == NULL || c->told) {
        return TXL_CONTINUE;
    }
    const unsigned banks = plan_banks(c, xy, offset, bank);
    txl_order_forget(c->order);
    for (unsigned i = 0; i < banks && result == TXL_CONTINUE; i++) {
        result = give_area(err, c, bank[i], 0, 0); /* nothing else is allocated */
    }
    for (unsigned i = 0; i < c->buffer_count && result == TXL_CONTINUE; i++) {
        result = give_buffer(err, c, &c->buffers[i], bank, offset);
    }
    for (unsigned tile = 0; tile < c->columns * c->rows && result == TXL_CONTINUE; tile++) {
        result = give_tile(err, plan, tile);
    }
    return result;
}

txl_order *txl_chip_races(txl_chip *c)
{
    if (c->order != NULL && !c->told) {
        c->told = true;
        txl_order_end(c->order, false);
    }
    return c->order;
}
