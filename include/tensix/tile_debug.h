/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a debugger needs of a tile beyond tile.h: memory as a core sees it without any effect,
 * cores that stand still while time goes on, and the way back to a moment of the past.
 */
#ifndef TENSIX_TILE_DEBUG_H
#define TENSIX_TILE_DEBUG_H

#include <tensix/tile.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Bytes as a core sees them, those of its own stores that have not left it included. Nothing
 * changes: queues keep their words, nothing is latched, nothing is a finding; the head of a queue
 * is what is there, and what a load would wait for is 0. Returns how many of the bytes are there,
 * from the first one on.
 */
TX_API size_t tx_core_peek(tx_tensix *tile, enum tx_core core, uint32_t address, void *bytes,
                           size_t size);
/*
 * The other way: memory changes at once; registers get whole words, with all that the core's store
 * would do. Returns how many bytes are stored: it ends at what is not there, takes no such store or
 * would have to wait.
 */
TX_API size_t tx_core_poke(tx_tensix *tile, enum tx_core core, uint32_t address, const void *bytes,
                           size_t size);

/* What the instruction at a core's pc reads or writes. Does not grow. */
struct tx_core_access {
    uint32_t address;
    uint32_t size; /* 0: neither a load nor a store */
    bool load, store;
};
TX_API enum tx_status tx_core_next(const tx_tensix *tile, enum tx_core core,
                                   struct tx_core_access *access);

/* How many of the core's stores to these bytes of L1 have not left it. */
TX_API unsigned tx_core_queued(const tx_tensix *tile, enum tx_core core, uint32_t address,
                               uint32_t size);

/* All cores at once, quickly. Does not grow. */
struct tx_core_glance {
    uint64_t instructions; /* executed */
    uint32_t pc;
    enum tx_core_phase phase;
};
TX_API void tx_tensix_glance(const tx_tensix *tile, struct tx_core_glance cores[TX_CORES]);

/* CSRs, which Blackhole alone has. Does not grow. */
struct tx_core_csr {
    const char *name; /* "cfg0" */
    uint16_t number;
    bool vector; /* only T2 has it */
};
/* TX_ENOENT: past the last. */
TX_API enum tx_status tx_core_csr_at(enum tx_arch arch, unsigned index, struct tx_core_csr *csr);
/* As csrr and csrw would. TX_ENOENT: the core has none with that index; TX_EINVAL: read-only. */
TX_API enum tx_status tx_core_csr_read(tx_tensix *tile, enum tx_core core, unsigned index,
                                       uint32_t *value);
TX_API enum tx_status tx_core_csr_write(tx_tensix *tile, enum tx_core core, unsigned index,
                                        uint32_t value);

/* A core that is paused, hung or stopped goes on at its pc. TX_EINVAL: it is in reset. */
TX_API enum tx_status tx_core_wake(tx_tensix *tile, enum tx_core core);

/* Cores, bit by enum tx_core, that issue nothing until the next call; all else goes on. */
TX_API void tx_tensix_freeze(tx_tensix *tile, unsigned cores);

/*
 * Blackhole's cores push .ttinsn that stand in the same 16 bytes all at once. A group ends before
 * each of these addresses, so that a breakpoint there is met. TX_EINVAL: too many.
 */
enum { TX_SPLITS = 32 };
TX_API enum tx_status tx_tensix_split(tx_tensix *tile, const uint32_t *addresses, unsigned count);

/* A store of a core to something that is neither L1 nor its local memory. Does not grow. */
struct tx_core_store {
    enum tx_core core;
    uint32_t address, value;
    uint32_t size; /* bytes */
};
/* Calls store for each of them as it has arrived, in the cycle in which it does; NULL: nobody. */
TX_API void tx_tensix_stores(tx_tensix *tile,
                             void (*store)(void *user, const struct tx_core_store *store),
                             void *user);

/*
 * A snapshot with all that snapshots leave out: findings, faults, what is frozen, what cores have
 * decoded. For the same tile in the same process; from there on everything is as it was, to the
 * cycle. TX_EINVAL: another size, or not a checkpoint of this tile.
 */
TX_API size_t tx_tensix_checkpoint_size(const tx_tensix *tile);
TX_API enum tx_status tx_tensix_checkpoint(const tx_tensix *tile, void *buffer, size_t size);
TX_API enum tx_status tx_tensix_rollback(tx_tensix *tile, const void *buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif
