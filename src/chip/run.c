/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The round of a cycle: the tiles that are awake, in the order of the grid; then requests that
 * started each other beyond a bound go on. A tile falls asleep when it only waits, and time jumps
 * where all sleep.
 */
#include "chip/chip.h"

static bool is_awake(const tx_chip *chip, uint32_t index)
{
    return (chip->awake[index / 64] >> index % 64 & 1u) != 0;
}

static void fall_asleep(tx_chip *chip, uint32_t index)
{
    chip->awake[index / 64] &= ~((uint64_t)1 << index % 64);
}

void chip_wake(tx_chip *chip, struct chip_endpoint *e)
{
    const uint32_t index = (uint32_t)(e - chip->at);
    if (is_awake(chip, index) || (e->tensix == NULL && e->eth == NULL)) {
        if (e->tensix != NULL) {
            tile_disturb(e->tensix);
        }
        return;
    }
    chip->awake[index / 64] |= (uint64_t)1 << index % 64;
    e->touched = true;
    const uint64_t cycle = chip->s.cycle + (index < chip->turn ? chip->round : 0);
    if (e->tensix != NULL) {
        tile_catch_up(e->tensix, cycle);
    } else {
        e->eth->s.cycle = cycle;
    }
}

static unsigned lowest(uint64_t bits)
{
    unsigned n = 0;
    for (; (bits & 0xFFu) == 0; bits >>= 8) {
        n += 8;
    }
    for (; (bits & 1u) == 0; bits >>= 1) {
        n++;
    }
    return n;
}

/* Runs a tile for one cycle, or, where tiles keep no time, for up to "most". */
static enum tx_status run_tile(tx_chip *chip, uint32_t index, uint64_t most)
{
    struct chip_endpoint *e = &chip->at[index];
    enum tx_status status = TX_OK;
    if (e->eth != NULL) {
        eth_cycle(e->eth, most);
        if (eth_rests(e->eth)) {
            fall_asleep(chip, index);
        }
        return TX_OK;
    }
    status = most == 1 ? tile_cycle(e->tensix) : tx_tensix_cycle(e->tensix, most);
    if (status == TX_OK && tile_dozes(e->tensix)) {
        fall_asleep(chip, index);
    }
    return status;
}

/* Runs one round. */
static enum tx_status round_of(tx_chip *chip, uint64_t most)
{
    enum tx_status status = TX_OK;
    chip->round = (uint32_t)most;
    for (unsigned i = 0; i < CHIP_AWAKE; i++) {
        for (uint64_t left = chip->awake[i]; left != 0;) {
            const unsigned bit = lowest(left);
            chip->turn = 64 * i + bit + 1;
            const enum tx_status got = run_tile(chip, 64 * i + bit, most);
            status = got != TX_OK ? got : status;
            /* A tile that was woken by one before it takes part in this cycle. */
            left = bit == 63 ? 0 : chip->awake[i] & ~(uint64_t)0 << (bit + 1);
        }
    }
    chip->turn = chip->count;
    if (chip->queue.count != 0) {
        noc_drain(&chip->world);
    }
    chip->s.cycle += most;
    chip->turn = 0;
    return status;
}

static bool all_sleep(const tx_chip *chip)
{
    uint64_t any = chip->queue.count;
    for (unsigned i = 0; i < CHIP_AWAKE; i++) {
        any |= chip->awake[i];
    }
    return any == 0;
}

static enum tx_status run(tx_chip *chip, uint64_t cycles)
{
    enum { TURN = 64 };
    enum tx_status status = TX_OK;
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
    return run(chip, cycles);
}

enum tx_status tx_chip_run(tx_chip *chip, uint64_t limit)
{
    enum { LOOK = 64 };
    enum tx_status status = TX_OK;
    for (uint64_t i = 0; i < limit && status == TX_OK && !all_sleep(chip); i += LOOK) {
        status = run(chip, limit - i < LOOK ? limit - i : LOOK);
    }
    return status != TX_OK ? status : all_sleep(chip) ? TX_OK : TX_ELIMIT;
}

uint64_t tx_chip_cycles(const tx_chip *chip)
{
    return chip->s.cycle;
}
