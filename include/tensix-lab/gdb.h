/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gdb's remote serial protocol for the cores of a tile: bytes in, bytes out, no sockets; and a
 * small server with them. A thread of gdb is a core: 1 is b, then t0, t1, t2, nc. docs/gdb.md tells
 * what it can do.
 *
 *     const struct txl_gdb_options how = {.size = sizeof how, .send = send_bytes, .user = &socket};
 *     txl_gdb *gdb;
 *     if (txl_gdb_open(&err, tile, &how, &gdb) == TXL_OK) {
 *         while (txl_gdb_input(gdb, bytes, receive(&socket, bytes)) == TXL_GDB_CONNECTED) {
 *         }
 *     }
 *     txl_gdb_close(gdb);
 */
#ifndef TENSIX_LAB_GDB_H
#define TENSIX_LAB_GDB_H

#include <tensix-lab/tile.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct txl_gdb txl_gdb;

struct txl_gdb_options {
    size_t size;
    /* Bytes for gdb. False: it has gone. */
    bool (*send)(void *user, const void *bytes, size_t size);
    void *user;
    /* While cores run, in cycles, of the tile's max_cycles. False is an interrupt by gdb. */
    txl_progress progress;
    void *progress_user;
    uint64_t history; /* bytes for the way back; 0: 256 MiB */
};

/*
 * tile: opened and not yet run to its end; it must outlive what is opened here, and nobody else may
 * run it meanwhile. TXL_OK, or TXL_INPUT; *gdb is NULL then.
 */
TXL_API int txl_gdb_open(struct txl_error *err, txl_tensix *tile,
                         const struct txl_gdb_options *options, txl_gdb **gdb);
TXL_API void txl_gdb_close(txl_gdb *gdb); /* NULL is nothing */

enum txl_gdb_state {
    TXL_GDB_CONNECTED,
    TXL_GDB_DETACHED, /* it leaves the run to itself: txl_tensix_run */
    TXL_GDB_KILLED,   /* the run is to end here */
    TXL_GDB_LOST      /* send has said so */
};
/*
 * Any bytes from gdb, in pieces of any size. Returns once all that they ask for is done and
 * answered, which takes as long as cores run.
 */
TXL_API enum txl_gdb_state txl_gdb_input(txl_gdb *gdb, const void *bytes, size_t size);
/* Another gdb, or the same once more: half a packet and breakpoints of the last one are forgotten,
 * the tile stays where it is. */
TXL_API void txl_gdb_connect(txl_gdb *gdb);

/* ---- with sockets ---- */

struct txl_gdb_server {
    size_t size;
    /* "PORT" of this machine alone, "ADDRESS:PORT", or a path with a slash in it, where a socket is
     * made that must not be there. NULL: gdb is at the two descriptors. */
    const char *address;
    int input, output;
    uint64_t history; /* as above */
    /* Once gdb can connect; where: as gdb's "target remote" wants it. Or NULL. */
    void (*ready)(void *user, const char *where);
    void *user;
};
/*
 * Serves one gdb after the other until one detaches (TXL_OK: go on with txl_tensix_run) or kills
 * (TXL_CANCELLED). At two descriptors there is one; where it goes without a word that is
 * TXL_CANCELLED as well. TXL_INPUT: the socket cannot be had.
 */
TXL_API int txl_gdb_serve(struct txl_error *err, txl_tensix *tile,
                          const struct txl_gdb_server *server);

#ifdef __cplusplus
}
#endif

#endif
