/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a core that only waits looks at: a copy of it goes once through its loop, with its stores
 * dropped, and its loads beyond local memory are kept.
 */
#include "tile/tile.h"
#include "base/check.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1024 /* instructions of a loop */ };

struct looker {
    struct riscv core; /* first, so that the functions below find the rest */
    const struct tx_tensix *tile;
    struct tile_polls *polls;
};

static void polled_keep(struct riscv *core, uint32_t address, uint32_t value)
{
    struct tile_polls *polls = ((struct looker *)core)->polls;
    unsigned i = 0;
    while (i < polls->count && polls->address[i] != address) {
        i++;
    }
    if (i < TILE_POLLS) {
        polls->count = i == polls->count ? i + 1 : polls->count;
        polls->address[i] = address;
        polls->value[i] = value;
    }
}

static void told(struct riscv *core, uint32_t address, unsigned size, bool write,
                 enum tx_order_l1 how)
{
    uint32_t value = 0;
    (void)how;
    for (unsigned i = 0; i < size; i++) {
        value |= (uint32_t)core->env.l1[address + i] << 8 * i;
    }
    if (!write) {
        polled_keep(core, address, value);
    }
}

static enum riscv_answer polled_load(struct riscv *core, struct riscv_access *a)
{
    const struct looker *l = (const struct looker *)core;
    const enum riscv_answer answer = l->tile->core[core->who].env.load(core, a);
    polled_keep(core, a->address, answer == RISCV_DONE ? a->value : 0);
    return answer;
}

static enum riscv_answer store(struct riscv *core, const struct riscv_access *a)
{
    (void)core;
    (void)a;
    return RISCV_DONE;
}

static void finding(struct riscv *core, enum finding_kind which, uint32_t pc, uint32_t word,
                    uint32_t address)
{
    (void)core;
    (void)which;
    (void)pc;
    (void)word;
    (void)address;
}

static void listen(void *user, const struct tx_order *order)
{
    (void)user;
    (void)order;
}

void tile_copied(struct riscv *copy)
{
    static const struct tx_order_sink on = {.order = listen};
    copy->timed = copy->translates = false;
    copy->code = NULL; /* it belongs to the core itself */
    copy->env.push = NULL;
    copy->env.finding = finding;
    copy->env.listener = &on;
}

bool tile_polled(struct tx_tensix *t, unsigned core, struct tile_polls *polls)
{
    CHECK(core < TX_CORES, "a core that polls is one of five");
    const struct riscv_state *from = &t->core[core].s;
    const bool looking = t->looking;
    struct looker *l = malloc(sizeof *l);
    bool again = false;
    polls->count = 0;
    if (l == NULL || from->phase != RISCV_RUNS) {
        free(l);
        return false;
    }
    *l = (struct looker){.core = t->core[core], .tile = t, .polls = polls};
    tile_copied(&l->core);
    l->core.s.stores = 0;
    l->core.env.load = polled_load;
    l->core.env.store = store;
    l->core.env.told = told;
    t->looking = true;
    for (unsigned i = 0; i < LONGEST && !again && riscv_run(&l->core, 1) == 1; i++) {
        const struct riscv_state *now = &l->core.s;
        again = now->pc == from->pc && memcmp(now->x, from->x, 32 * sizeof from->x[0]) == 0 &&
                memcmp(now->f, from->f, sizeof now->f) == 0 &&
                memcmp(now->v, from->v, sizeof now->v) == 0;
    }
    t->looking = looking;
    free(l);
    return again && polls->count != 0;
}
