/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A language server for kernel files: what an editor asks in the Language Server Protocol (3.17),
 * message by message, without the framing (Content-Length), which is the caller's.
 *
 * Diagnostics are what the assembler refuses, and what lint says of a run on random data, or of a
 * kernel with threads race; hover is what 'tensix explain' says; completion comes from the tables
 * of the instruction set; inlay hints are the cycles in which a line's instructions issue in .init
 * and the first tile.
 */
#ifndef TENSIX_LAB_LSP_H
#define TENSIX_LAB_LSP_H

#include <stdbool.h>
#include <stddef.h>

#include <tensix-lab/base.h>
#include <tensix/isa.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct txl_lsp txl_lsp;

struct txl_lsp_options {
    size_t size;       /* of this struct */
    enum tx_arch arch; /* of files without .arch; TX_ARCH_NONE: Blackhole. The client's
                          initializationOptions {"arch": "wh"} come before it */
    /* One message of the server, JSON of length bytes; must be given. */
    void (*send)(void *user, const char *text, size_t length);
    void *user;
};

/* TXL_OK: *lsp is the caller's, for txl_lsp_close; else it is NULL. */
TXL_API int txl_lsp_open(struct txl_error *err, const struct txl_lsp_options *options,
                         txl_lsp **lsp);
TXL_API void txl_lsp_close(txl_lsp *lsp); /* NULL is allowed */
/*
 * One message of the client, JSON of length bytes; whatever it says, answers go to send. What the
 * client changed is not looked at before txl_lsp_idle, so that typing does not wait for it.
 */
TXL_API void txl_lsp_message(txl_lsp *lsp, const char *text, size_t length);
/* No other message waits: sends the diagnostics of what has changed since. */
TXL_API void txl_lsp_idle(txl_lsp *lsp);
/* The client has said exit. *status: 0 where it said shutdown before, else 1; may be NULL. */
TXL_API bool txl_lsp_ended(const txl_lsp *lsp, int *status);

#ifdef __cplusplus
}
#endif

#endif
