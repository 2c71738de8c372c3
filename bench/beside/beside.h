/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What beside.c and tests/cosim ask of another simulator's tile; ttsim.cpp answers. Register files
 * are numbered and laid out as in enum tx_file of tensix/machine.h.
 */
#ifndef BENCH_BESIDE_H
#define BENCH_BESIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

struct beside {
    const char *chip; /* "wh" or "bh" */
    void (*open)(void);
    /* Returns how many words were executed; fewer where it would have to wait, or refuses one. */
    uint32_t (*run)(uint32_t thread, const uint32_t *words, uint32_t count);
    /* A T core executes from pc, with an empty state, until it is at "until"; false: it was
     * refused, or has not come there after so many instructions. at: where it stands then. */
    bool (*core)(unsigned t, uint32_t pc, uint32_t until, uint64_t most, uint32_t *at);
    /* Why the last call has refused something; NULL where it has not. */
    const char *(*refusal)(void);
    /* As tx_write and tx_read; false where it has no such entry, or refuses the values. */
    bool (*put)(unsigned file, unsigned index, const uint32_t *values);
    bool (*get)(unsigned file, unsigned index, uint32_t *values);
    /* Keep and bring back all but L1, in so many bytes. */
    size_t (*state_size)(void);
    void (*save)(void *state);
    void (*restore)(const void *state);
    uint8_t *(*l1)(void);
    /* Bytes of L1 of a Tensix tile, or of a DRAM bank, by number; to: they are read. */
    bool (*memory)(bool dram, unsigned number, uint32_t address, uint8_t *to, const uint8_t *from,
                   size_t size);
    /* Core B of a Tensix tile stores or loads a word outside L1; false: it was refused. */
    bool (*store)(unsigned tile, uint32_t address, uint32_t value);
    bool (*load)(unsigned tile, uint32_t address, uint32_t *value);
    /* The threads execute words, one each in turn, until none goes on; done: how many of each. A
     * word that is refused ends it. */
    void (*threads)(const uint32_t *const words[3], const uint32_t count[3], uint32_t done[3]);
    /* Cores T0 to T2 execute from pc until they are at "until", and their threads what they push;
     * false: something was refused, or does not go on. */
    bool (*cores)(const uint32_t pc[3], const uint32_t until[3]);
};

const struct beside *beside_tile(void);

#if defined(__cplusplus)
}
#endif

#endif
