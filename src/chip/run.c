/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The round of a cycle: Tensix tiles in the order of the grid, then Ethernet tiles; then requests
 * that started each other beyond a bound go on.
 */
#include "chip/chip.h"

/* Returns whether a tile does nothing by itself. */
static bool rests(const tx_tensix *t)
{
    for (unsigned c = 0; c < TX_CORES; c++) {
        if (!tile_core_rests(t, c)) {
            return false;
        }
    }
    return tx_idle(t->m);
}

void chip_wake(tx_chip *chip, struct chip_endpoint *e)
{
    if (e->awake) {
        return;
    }
    e->awake = e->touched = true;
    if (e->tensix != NULL && e->tensix->s.cycle < chip->s.cycle) {
        (void)tx_tensix_cycle(e->tensix, chip->s.cycle - e->tensix->s.cycle);
    } else if (e->eth != NULL) {
        e->eth->s.cycle = chip->s.cycle;
    }
}

static enum tx_status one_cycle(tx_chip *chip)
{
    enum tx_status status = TX_OK;
    for (uint32_t i = 0; i < chip->count; i++) {
        if (chip->at[i].awake && chip->at[i].tensix != NULL) {
            const enum tx_status got = tx_tensix_cycle(chip->at[i].tensix, 1);
            status = got != TX_OK ? got : status;
        }
    }
    for (uint32_t i = 0; i < chip->eth_count; i++) {
        if (chip->at[chip->eth[i]].awake) {
            eth_cycle(chip->at[chip->eth[i]].eth, 1);
        }
    }
    if (chip->queue.count != 0) {
        noc_drain(&chip->world);
    }
    chip->s.cycle++;
    return status;
}

static bool all_rest(tx_chip *chip)
{
    for (uint32_t i = 0; i < chip->tensix_count; i++) {
        const struct chip_endpoint *e = &chip->at[chip->tensix[i]];
        if (e->awake && !rests(e->tensix)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < chip->eth_count; i++) {
        if (chip->at[chip->eth[i]].awake && !eth_rests(chip->at[chip->eth[i]].eth)) {
            return false;
        }
    }
    return chip->queue.count == 0;
}

enum tx_status tx_chip_cycle(tx_chip *chip, uint64_t cycles)
{
    enum tx_status status = TX_OK;
    for (uint64_t i = 0; i < cycles && status == TX_OK; i++) {
        status = one_cycle(chip);
    }
    return status;
}

enum tx_status tx_chip_run(tx_chip *chip, uint64_t limit)
{
    enum { LOOK = 64 };
    for (uint64_t i = 0; i < limit; i++) {
        if (i % LOOK == 0 && all_rest(chip)) {
            return TX_OK;
        }
        const enum tx_status status = one_cycle(chip);
        if (status != TX_OK) {
            return status;
        }
    }
    return all_rest(chip) ? TX_OK : TX_ELIMIT;
}

uint64_t tx_chip_cycles(const tx_chip *chip)
{
    return chip->s.cycle;
}
