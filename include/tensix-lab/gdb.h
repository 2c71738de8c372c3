/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gdb's remote serial protocol for the cores of a tile. txl_gdb handles the bytes of the protocol
 * and knows no sockets; txl_gdb_serve is a small server built on it. Each core appears to gdb as a
 * thread: 1 is b, then t0, t1, t2, nc. docs/gdb.md lists what is supported.
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
    /* Sends bytes to gdb; returns false when the connection is lost. */
    bool (*send)(void *user, const void *bytes, size_t size);
    void *user;
    /*
     * Reports progress in cycles, of the tile's max_cycles, while cores run. Returning false
     * interrupts them like Ctrl-C in gdb.
     */
    txl_progress progress;
    void *progress_user;
    uint64_t history; /* bytes kept for reverse execution; 0: 256 MiB */
};

/*
 * Creates the server's side of a session. tile must be open and not yet run to its end; it must
 * outlive *gdb, and only *gdb may run it meanwhile. Returns TXL_OK, or TXL_INPUT with *gdb NULL.
 */
TXL_API int txl_gdb_open(struct txl_error *err, txl_tensix *tile,
                         const struct txl_gdb_options *options, txl_gdb **gdb);
TXL_API void txl_gdb_close(txl_gdb *gdb); /* NULL is nothing */

enum txl_gdb_state {
    TXL_GDB_CONNECTED,
    TXL_GDB_DETACHED, /* gdb detached: continue with txl_tensix_run */
    TXL_GDB_KILLED,   /* gdb asked to kill: do not continue the run */
    TXL_GDB_LOST      /* send returned false */
};
/*
 * Takes bytes from gdb, in pieces of any size. Returns once every request in them has been executed
 * and answered, which takes as long as cores run.
 */
TXL_API enum txl_gdb_state txl_gdb_input(txl_gdb *gdb, const void *bytes, size_t size);
/*
 * Begins a new session, with the same gdb or another: discards an incomplete packet and the
 * breakpoints of the last session. The tile keeps its state.
 */
TXL_API void txl_gdb_connect(txl_gdb *gdb);

/* ---- with sockets ---- */

struct txl_gdb_server {
    size_t size;
    /*
     * "PORT" on this machine only, "ADDRESS:PORT", or a path with a slash for a Unix socket, which
     * must not exist yet. NULL: gdb is connected to the descriptors input and output.
     */
    const char *address;
    int input, output;
    uint64_t history; /* as in struct txl_gdb_options */
    /* Called when gdb can connect; where is the argument for gdb's "target remote". May be NULL. */
    void (*ready)(void *user, const char *where);
    void *user;
};
/*
 * Serves one gdb after another until one detaches (TXL_OK: continue with txl_tensix_run) or kills
 * (TXL_CANCELLED). With descriptors instead of an address there is only one session, and losing it
 * without a detach is TXL_CANCELLED too. TXL_INPUT: the socket cannot be opened.
 */
TXL_API int txl_gdb_serve(struct txl_error *err, txl_tensix *tile,
                          const struct txl_gdb_server *server);

#ifdef __cplusplus
}
#endif

#endif
