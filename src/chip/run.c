/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The round of a cycle: the tiles that are awake, in the order of the grid; then requests that
 * started each other beyond a bound go on. A tile falls asleep when it only waits, and time jumps
 * where all sleep. Requests that take time, and with them the order of tiles: timed.c.
 */
#include "chip/chip.h"
#include "base/check.h"

#include <string.h>

static void wake(tx_chip *chip, struct chip_endpoint *e)
{
    CHECK(e->index < chip->count, "who wakes is on the grid");
    if (e->tensix == NULL && e->eth == NULL) {
        e->touched = true;
        return;
    }
    chip->awake[e->index] = 1;
    chip->stirs[e->index] = 1;
    e->touched = true;
    const uint64_t cycle = chip->inside && chip->timed
                               ? e->now
                               : chip->s.cycle + (e->index < chip->turn ? chip->round : 0);
    if (e->tensix != NULL) {
        tile_catch_up(e->tensix, cycle);
    } else {
        eth_catch_up(e->eth, cycle);
    }
}

void chip_wake(tx_chip *chip, struct chip_endpoint *e)
{
    chip_reach(chip, e);
    if (e->tensix != NULL) {
        tile_disturb(e->tensix);
    }
}

void chip_reach(tx_chip *chip, struct chip_endpoint *e)
{
    if (chip->awake[e->index] == 0) {
        wake(chip, e);
    } else if (e->eth != NULL) {
        eth_disturb(e->eth);
    }
    if (e->tensix != NULL) {
        tile_reached(e->tensix);
    }
}

enum tx_status chip_run_tile(tx_chip *chip, uint32_t index, uint64_t cycles)
{
    CHECK(index < chip->count, "a tile that runs is on the grid");
    CHECK(chip->awake[index] != 0, "a tile that runs is awake");
    struct chip_endpoint *e = &chip->at[index];
    const bool sleeps = !chip->settings.sleepless;
    if (e->eth != NULL) {
        eth_cycle(e->eth, cycles);
        if (sleeps && eth_dozes(e->eth)) {
            chip->awake[index] = 0;
        }
        return TX_OK;
    }
    const enum tx_status status = cycles == 1 && !chip->tile.untimed
                                      ? tile_cycle(e->tensix)
                                      : tx_tensix_cycle(e->tensix, cycles);
    if (status == TX_OK && sleeps && tile_dozes(e->tensix)) {
        chip->awake[index] = 0;
    }
    return status;
}

/* Returns the first endpoint from "index" on that is awake, or the number of endpoints. */
static uint32_t next_awake(const tx_chip *chip, uint32_t index)
{
    while (index < chip->count && chip->awake[index] == 0) {
        index++;
    }
    return index;
}

/* Runs one round of so many cycles, with requests that act at once. */
static enum tx_status round_of(tx_chip *chip, uint64_t cycles)
{
    CHECK(cycles != 0, "a round has a cycle at least");
    CHECK(!chip->timed, "rounds are for requests that act at once");
    enum tx_status status = TX_OK;
    chip->round = (uint32_t)cycles;
    for (uint32_t i = next_awake(chip, 0); i < chip->count; i = next_awake(chip, i + 1)) {
        /* A tile that is woken by one before it takes part in this cycle. */
        chip->turn = i + 1;
        const enum tx_status got = chip_run_tile(chip, i, cycles);
        status = got != TX_OK ? got : status;
    }
    chip->turn = chip->count;
    if (chip->queue.count != 0) {
        noc_drain(&chip->world);
    }
    chip->s.cycle += cycles;
    chip->turn = 0;
    return status;
}

bool tx_chip_under_way(const tx_chip *chip)
{
    return chip->timed ? !timed_waits(chip) : chip->queue.count != 0;
}

static bool all_sleep(const tx_chip *chip)
{
    return !tx_chip_under_way(chip) && next_awake(chip, 0) == chip->count;
}

bool tx_chip_sleeps(const tx_chip *chip)
{
    uint64_t awake = 0;
    for (size_t i = 0; i < sizeof chip->awake; i += sizeof awake) {
        uint64_t some;
        memcpy(&some, chip->awake + i, sizeof some);
        awake |= some;
    }
    return awake == 0 && !tx_chip_under_way(chip);
}

/* Returns whether the coprocessor of a tile waits for what does not come. */
static bool threads_wait(const tx_chip *chip)
{
    bool wait = false;
    for (uint32_t i = 0; i < chip->tensix_count; i++) {
        const uint32_t index = chip->tensix[i];
        const tx_tensix *t = chip->at[index].tensix;
        wait = wait || ((chip->awake[index] == 0 || tile_stuck(t)) && !tx_idle(t->m));
    }
    return wait;
}

static enum tx_status chip_run(tx_chip *chip, uint64_t cycles)
{
    enum { TURN = 64 };
    enum tx_status status = TX_OK;
    for (uint32_t i = 0; i < chip->count && chip->settings.sleepless; i++) {
        chip_wake(chip, &chip->at[i]);
    }
    if (chip->timed) {
        return timed_run(chip, cycles);
    }
    while (cycles != 0 && status == TX_OK) {
        const uint64_t most = !chip->tile.untimed ? 1 : cycles < TURN ? cycles : TURN;
        if (all_sleep(chip)) {
            chip->s.cycle += cycles;
            return TX_OK;
        }
        status = round_of(chip, most);
        cycles -= most;
    }
    return status;
}

enum tx_status tx_chip_cycle(tx_chip *chip, uint64_t cycles)
{
    return chip_run(chip, cycles);
}

/* Returns whether nothing happens any more by itself: tiles sleep, or wait and cannot go on. */
static bool all_wait(const tx_chip *chip)
{
    bool wait = !tx_chip_under_way(chip);
    for (uint32_t i = next_awake(chip, 0); i < chip->count && wait; i = next_awake(chip, i + 1)) {
        wait = chip->at[i].tensix != NULL && tile_stuck(chip->at[i].tensix);
    }
    return wait;
}

/* Returns whether a request waits behind an open link; reports links that are open. */
static bool links_wait(tx_chip *chip)
{
    bool wait = false;
    for (uint32_t i = 0; i < 2 * chip->count; i++) {
        const struct chip_endpoint *e = &chip->at[i / 2];
        const struct noc_niu *niu = e->niu[i % 2];
        if (niu->link_open != 0) {
            const struct noc_request r = {.from = niu->place, .noc = niu->noc, .who = CHIP_OUTSIDE};
            e->world.finding(e->world.user, &r, NOC_FINDING_LINK_OPEN, niu->link_at);
        }
        wait = wait || niu->held_count != 0;
    }
    return wait;
}

/* Returns whether a core waits, now that nothing will happen any more by itself. */
static bool waits(const tx_chip *chip)
{
    for (uint32_t i = 0; i < chip->tensix_count; i++) {
        const tx_tensix *t = chip->at[chip->tensix[i]].tensix;
        for (unsigned c = 0; c < TX_CORES; c++) {
            if (!tile_core_rests(t, c) || t->core[c].s.phase == RISCV_HUNG) {
                return true;
            }
        }
    }
    return false;
}

enum tx_status tx_chip_run(tx_chip *chip, uint64_t limit)
{
    enum { LOOK = 64 };
    enum tx_status status = TX_OK;
    for (uint64_t i = 0; i < limit && status == TX_OK && !all_wait(chip); i += LOOK) {
        status = chip_run(chip, limit - i < LOOK ? limit - i : LOOK);
    }
    if (status != TX_OK || !all_wait(chip)) {
        return status != TX_OK ? status : TX_ELIMIT;
    }
    const bool held = links_wait(chip);
    return held || threads_wait(chip) || waits(chip) ? TX_EDEADLOCK : TX_OK;
}

uint64_t tx_chip_cycles(const tx_chip *chip)
{
    return chip->s.cycle;
}
