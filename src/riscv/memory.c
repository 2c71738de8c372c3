/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads and stores that reach neither L1 nor local memory: which region they belong to, what widths
 * it allows, and what happens where nothing answers.
 */
#include "isa/chip.h"
#include "base/check.h"
#include "riscv/core.h"

void core_finding(struct riscv *c, enum finding_kind finding, uint32_t address)
{
    if (c->env.finding != NULL) {
        const uint32_t pc = riscv_at(c);
        const struct riscv_op *op = &c->decoded[pc / 4 % RISCV_DECODED];
        c->env.finding(c, finding, pc, op->pc == pc ? op->word : 0, address);
    }
}

enum outcome core_end(struct riscv *c, enum riscv_phase phase, enum finding_kind finding,
                      uint32_t address)
{
    CHECK(phase != RISCV_RUNS, "a core that ends does not run");
    core_finding(c, finding, address);
    c->s.phase = (uint8_t)phase;
    c->s.why = (uint8_t)finding;
    c->s.at = address;
    return OUTCOME_OVER;
}

/*
 * Returns the region of an address, or NULL. The last one is remembered: it is usually hit again.
 */
static const struct riscv_region *reached(struct riscv *c, uint32_t address)
{
    if (c->region == NULL || address - c->region->base >= c->region->size) {
        c->region = riscv_region(c->arch, c->who, address);
    }
    return c->region;
}

enum outcome outside_load(struct riscv *c, const struct riscv_op *op, uint32_t address,
                          unsigned size, uint32_t *value)
{
    CHECK(size == 1 || size == 2 || size == 4, "a load has one, two or four bytes");
    CHECK(address >= c->env.l1_size, "a load beyond L1 is beyond it");
    const struct riscv_region *region = reached(c, address);
    const enum chip_column column = chip_column(c->arch);
    c->s.at = address;
    if (region == NULL || region->cycles[column] == 0 || c->env.load == NULL) {
        return core_end(c, RISCV_HUNG, RISCV_FINDING_LOAD, address);
    }
    struct riscv_access a = {
        .address = address, .size = (uint8_t)size, .region = (uint8_t)riscv_region_id(region)};
    const bool narrow = size < 4 && region->widths != WIDTH_ANY;
    if (narrow) {
        a.address &= ~3u;
        a.size = 4;
    }
    if (c->timed && !time_load_passes(c, a.address, a.size, a.region, region->cycles[column])) {
        return OUTCOME_AGAIN;
    }
    const enum riscv_answer answer = c->env.load(c, &a);
    if (answer == RISCV_WAIT) {
        c->s.wait = TX_CORE_WAIT_ANSWER;
        return OUTCOME_AGAIN;
    }
    if (answer == RISCV_HANG) {
        return core_end(c, RISCV_HUNG, RISCV_FINDING_LOAD, address);
    }
    if (narrow && region->widths != WIDTH_READ_ANY) {
        core_finding(c, RISCV_FINDING_NARROW_LOAD, address);
    }
    *value = narrow ? bits_get(a.value, 8 * (address & 3u), 8 * size) : a.value;
    if (a.bad != 0) {
        const struct riscv_origin from = {address, c->s.pc};
        core_taint(c, op, narrow ? bits_get(a.bad, 8 * (address & 3u), 8 * size) : a.bad, from);
    }
    c->cycles = region->cycles[column];
    return a.bad != 0 ? OUTCOME_TAINTED : OUTCOME_DONE;
}

/* Performs a store, either of an untimed core or at the head of the queue. */
static enum outcome store_now(struct riscv *c, const struct riscv_access *a)
{
    const enum riscv_answer answer = c->env.store(c, a);
    c->s.at = a->address;
    if (answer == RISCV_WAIT) {
        c->s.wait = TX_CORE_WAIT_ANSWER;
        return OUTCOME_AGAIN;
    }
    if (answer == RISCV_HANG) {
        core_finding(c, RISCV_FINDING_STORE, a->address);
    }
    return OUTCOME_DONE;
}

/* An address up to so many bytes below local memory is probably a stack overflow. */
enum { BELOW = 0x10000 };

enum outcome outside_store(struct riscv *c, uint32_t address, unsigned size, uint32_t value)
{
    CHECK(address >= c->env.l1_size, "a store beyond L1 is beyond it");
    CHECK(address % size == 0, "a store beyond L1 is aligned");
    const struct riscv_region *region = reached(c, address);
    c->changes++;
    if (region == NULL || c->env.store == NULL) {
        const bool below = RISCV_RAM_BASE - 1 - address < BELOW;
        core_finding(c, below ? RISCV_FINDING_STACK : RISCV_FINDING_STORE, address);
        return OUTCOME_DONE;
    }
    if (size < 4 && region->widths != WIDTH_ANY) {
        core_finding(c, RISCV_FINDING_NARROW_STORE, address);
        return OUTCOME_DONE;
    }
    const struct riscv_access a = {.address = address,
                                   .value = value,
                                   .size = (uint8_t)size,
                                   .region = (uint8_t)riscv_region_id(region)};
    if (!c->timed) {
        return store_now(c, &a);
    }
    core_queue(c, address, value, size, a.region);
    return OUTCOME_DONE;
}

/* The address of a store that pushes: for T cores to their own thread, for B to thread 0. */
enum { PUSH_ADDRESS = REGION_BASE_PUSH_T };

enum outcome memory_push(struct riscv *c, uint32_t word)
{
    if (reached(c, PUSH_ADDRESS) == NULL) {
        core_finding(c, RISCV_FINDING_NO_PUSH, PUSH_ADDRESS);
        return OUTCOME_DONE;
    }
    if (c->timed || c->env.push == NULL) {
        return outside_store(c, PUSH_ADDRESS, 4, word);
    }
    c->s.at = PUSH_ADDRESS;
    c->changes++;
    if (!c->env.push(c, word)) {
        c->s.wait = TX_CORE_WAIT_ANSWER;
        return OUTCOME_AGAIN;
    }
    return OUTCOME_DONE;
}
