/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions for debuggers that extend tile.h: reading memory as a core sees it without side
 * effects, stopping cores while time goes on, and returning to an earlier moment.
 */
#ifndef TENSIX_TILE_DEBUG_H
#define TENSIX_TILE_DEBUG_H

#include <tensix/tile.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Reads bytes as a core sees them, including its own stores that have not left it yet. There are no
 * side effects: queues keep their words, nothing is latched, and nothing is a finding. For a queue
 * its head is returned; what a load would wait for reads as 0. Returns how many bytes, from the
 * first one on, are readable.
 */
TX_API size_t tx_core_peek(tx_tensix *tile, enum tx_core core, uint32_t address, void *bytes,
                           size_t size);
/*
 * Writes bytes as a core would. Memory changes at once; registers take whole words, with all
 * effects of a store. Returns how many bytes were stored: it stops at what does not exist, does not
 * take such a store, or would make the core wait.
 */
TX_API size_t tx_core_poke(tx_tensix *tile, enum tx_core core, uint32_t address, const void *bytes,
                           size_t size);

/* The memory access of the instruction at a core's pc. Does not grow. */
struct tx_core_access {
    uint32_t address;
    uint32_t size; /* 0: neither a load nor a store */
    bool load, store;
};
TX_API enum tx_status tx_core_next(const tx_tensix *tile, enum tx_core core,
                                   struct tx_core_access *access);

/* Returns how many of the core's stores to these bytes of L1 have not left it yet. */
TX_API unsigned tx_core_queued(const tx_tensix *tile, enum tx_core core, uint32_t address,
                               uint32_t size);

/* A quick summary of a core. Does not grow. */
struct tx_core_glance {
    uint64_t instructions; /* executed */
    uint32_t pc;
    enum tx_core_phase phase;
};
TX_API void tx_tensix_glance(const tx_tensix *tile, struct tx_core_glance cores[TX_CORES]);

/* A CSR; only Blackhole's cores have any. Does not grow. */
struct tx_core_csr {
    const char *name; /* "cfg0" */
    uint16_t number;
    bool vector; /* only T2 has it */
};
/* Describes CSR number index. TX_ENOENT: past the last. */
TX_API enum tx_status tx_core_csr_at(enum tx_arch arch, unsigned index, struct tx_core_csr *csr);
/*
 * Read and write a CSR as csrr and csrw would. TX_ENOENT: the core has none with that index;
 * TX_EINVAL: read-only.
 */
TX_API enum tx_status tx_core_csr_read(tx_tensix *tile, enum tx_core core, unsigned index,
                                       uint32_t *value);
TX_API enum tx_status tx_core_csr_write(tx_tensix *tile, enum tx_core core, unsigned index,
                                        uint32_t value);

/* Makes a core that is paused, hung or stopped continue at its pc. TX_EINVAL: it is in reset. */
TX_API enum tx_status tx_core_wake(tx_tensix *tile, enum tx_core core);

/*
 * Stops the cores in the set (a bit per enum tx_core) from issuing until the next call; everything
 * else keeps running.
 */
TX_API void tx_tensix_freeze(tx_tensix *tile, unsigned cores);

/*
 * Sets addresses, typically of breakpoints, at which groups of .ttinsn are split. Blackhole's cores
 * push all .ttinsn within the same 16 bytes at once and would pass over an address in the middle.
 * TX_EINVAL: more than TX_SPLITS.
 */
enum { TX_SPLITS = 32 };
TX_API enum tx_status tx_tensix_split(tx_tensix *tile, const uint32_t *addresses, unsigned count);

/* A core's store to anything other than L1 and its local memory. Does not grow. */
struct tx_core_store {
    enum tx_core core;
    uint32_t address, value;
    uint32_t size; /* bytes */
};
/*
 * Sets a function that is called for each of these stores in the cycle in which it arrives; NULL:
 * none.
 */
TX_API void tx_tensix_stores(tx_tensix *tile,
                             void (*store)(void *user, const struct tx_core_store *store),
                             void *user);

/*
 * Save and restore a snapshot together with what snapshots omit: findings, faults, frozen cores,
 * instructions that cores have decoded. A checkpoint is for the same tile in the same process;
 * after a rollback everything repeats exactly, to the cycle. TX_EINVAL: another size, or not a
 * checkpoint of this tile.
 */
TX_API size_t tx_tensix_checkpoint_size(const tx_tensix *tile);
TX_API enum tx_status tx_tensix_checkpoint(const tx_tensix *tile, void *buffer, size_t size);
TX_API enum tx_status tx_tensix_rollback(tx_tensix *tile, const void *buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif
