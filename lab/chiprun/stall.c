/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether nothing can happen any more although cores run: a core that polls while its coprocessor
 * waits does not sleep. Nothing has moved for a whole turn, no instruction of a coprocessor, no
 * request, and none is under way; and every core rests, or waits at its instruction, or comes back
 * to the very registers that it had. Such a core does the same for ever, as long as nobody writes
 * what it reads: L1 and the cores' own memories are the same before and afterwards.
 */
#include "chiprun/chiprun.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS = 512, REGISTERS = 33, BLOCK = 1 << 15 };

struct stance {
    bool runs, settled;
    uint64_t instructions;
    uint32_t x[REGISTERS];
};

/* What the coprocessors have issued and the network interfaces have sent and got. */
static uint64_t work_of(const txl_chip *c)
{
    static const uint32_t counters[] = {0, 1, 2, 5, 6, 7, 10, 11};
    uint64_t sum = 0;
    for (unsigned i = 0; i < c->columns * c->rows; i++) {
        const size_t index = c->tile[i].index;
        sum += tx_machine_counters(tx_chip_machine(c->chip, index)).instructions;
        for (unsigned k = 0; k < 2 * sizeof counters / sizeof counters[0]; k++) {
            uint32_t value = 0;
            (void)tx_chip_niu_read(c->chip, index, k % 2, 0x200 + 4 * counters[k / 2], &value);
            sum += value;
        }
    }
    return sum;
}

static void look(txl_chip *c, const struct chiprun_tile *t, enum tx_core core, struct stance *now)
{
    tx_tensix *tile = tx_chip_tensix(c->chip, t->index);
    struct tx_core_state s;
    (void)tx_tensix_core(tile, core, &s);
    now->runs = !s.rests && s.phase == TX_CORE_RUNS;
    now->instructions = s.instructions;
    for (unsigned i = 0; i < REGISTERS && now->runs; i++) {
        (void)tx_core_read(tile, core, i, &now->x[i]);
    }
}

/* Compares a core with its first stance. Returns whether it has come back to it. */
static bool stall_again(txl_chip *c, const struct chiprun_tile *t, enum tx_core core,
                        const struct stance *first)
{
    struct stance now = {.runs = false};
    look(c, t, core, &now);
    return !now.runs ||
           (now.instructions != first->instructions && memcmp(now.x, first->x, sizeof now.x) == 0);
}

/* A core that has executed nothing in all steps waits at its instruction. */
static bool waits(txl_chip *c, const struct chiprun_tile *t, enum tx_core core,
                  const struct stance *first)
{
    struct stance now = {.runs = false};
    look(c, t, core, &now);
    return now.instructions == first->instructions;
}

/* Where every core rests the run has ended, which tx_chip_run is about to find. */
static bool settles(txl_chip *c, struct stance *first, unsigned count)
{
    bool all = true;
    bool any = false;
    for (unsigned i = 0; i < count; i++) {
        const struct chiprun_tile *t = &c->tile[i / TX_CORES];
        if (t->ran[i % TX_CORES] != NULL) {
            look(c, t, (enum tx_core)(i % TX_CORES), &first[i]);
            any = any || first[i].runs;
        }
    }
    if (!any) {
        return false;
    }
    for (unsigned step = 0; step < STEPS; step++) {
        all = tx_chip_cycle(c->chip, 1) == TX_OK;
        for (unsigned i = 0; i < count; i++) {
            struct stance *f = &first[i];
            f->settled = f->settled || !f->runs ||
                         stall_again(c, &c->tile[i / TX_CORES], (enum tx_core)(i % TX_CORES), f);
            all = all && f->settled;
        }
        if (all) {
            return true;
        }
    }
    for (unsigned i = 0; i < count; i++) {
        const enum tx_core core = (enum tx_core)(i % TX_CORES);
        if (!first[i].settled && !waits(c, &c->tile[i / TX_CORES], core, &first[i])) {
            return false;
        }
    }
    return true;
}

static uint64_t mixed(uint64_t sum, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i + 8 <= size; i += 8) {
        uint64_t word;
        memcpy(&word, bytes + i, sizeof word);
        sum = (sum ^ word) * UINT64_C(0x100000001B3);
        sum ^= sum >> 29;
    }
    return sum;
}

/* A sum over L1 and local memories of the tiles with programs. */
static uint64_t memory_of(txl_chip *c, uint8_t *block)
{
    uint64_t sum = 1;
    for (unsigned i = 0; i < c->columns * c->rows; i++) {
        tx_tensix *tile = tx_chip_tensix(c->chip, c->tile[i].index);
        bool used = false;
        for (unsigned core = 0; core < TX_CORES; core++) {
            const uint32_t local = tx_core_local_size(c->arch, (enum tx_core)core);
            if (c->tile[i].ran[core] != NULL &&
                tx_core_local_read(tile, (enum tx_core)core, 0, block, local) == TX_OK) {
                sum = mixed(sum, block, local);
                used = true;
            }
        }
        const uint32_t size = used ? tx_l1_size(c->arch) : 0;
        for (uint32_t at = 0; at < size; at += BLOCK) {
            const uint32_t part = size - at < BLOCK ? size - at : BLOCK;
            (void)tx_tensix_read(tile, at, block, part);
            sum = mixed(sum, block, part);
        }
    }
    return sum;
}

bool chiprun_stalled(txl_chip *c)
{
    const unsigned count = c->columns * c->rows * TX_CORES;
    const uint64_t work = work_of(c);
    if (work != c->work || tx_chip_under_way(c->chip)) {
        c->work = work;
        return false;
    }
    struct stance *first = calloc(count, sizeof *first);
    uint8_t *block = calloc(1, BLOCK);
    bool still = first != NULL && block != NULL;
    if (still) {
        const uint64_t memory = memory_of(c, block);
        still = settles(c, first, count) && work_of(c) == work && memory_of(c, block) == memory;
    }
    free(block);
    free(first);
    return still;
}
