/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A language server for kernel files. It handles the messages of the Language Server Protocol
 * (3.17); their framing (Content-Length) and transport are the caller's.
 *
 * Diagnostics are the assembler's errors and lint's findings from a run on random data, or race's
 * for a kernel with threads. Hover shows what 'tensix explain' prints; completion comes from the
 * tables of the instruction set; inlay hints show the cycles in which a line's instructions issue
 * in .init and the first tile.
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
    size_t size; /* of this struct */
    /*
     * chip of files without .arch; TX_ARCH_NONE: Blackhole. The client's initializationOptions
     * {"arch": "wh"} override it.
     */
    enum tx_arch arch;
    /* Sends one message to the client, JSON of length bytes. Must be given. */
    void (*send)(void *user, const char *text, size_t length);
    void *user;
};

/* Returns TXL_OK with *lsp, which the caller closes with txl_lsp_close; otherwise *lsp is NULL. */
TXL_API int txl_lsp_open(struct txl_error *err, const struct txl_lsp_options *options,
                         txl_lsp **lsp);
TXL_API void txl_lsp_close(txl_lsp *lsp); /* NULL is allowed */
/*
 * Handles one message of the client, JSON of length bytes; answers, and errors too, go to send.
 * Changed texts are not checked before txl_lsp_idle, so that typing is not slowed down.
 */
TXL_API void txl_lsp_message(txl_lsp *lsp, const char *text, size_t length);
/*
 * To be called when no message is waiting: checks the files that have changed and sends their
 * diagnostics.
 */
TXL_API void txl_lsp_idle(txl_lsp *lsp);
/*
 * Tells whether the client has sent "exit". *status becomes the process's exit status: 0 after
 * "shutdown", else 1; status may be NULL.
 */
TXL_API bool txl_lsp_ended(const txl_lsp *lsp, int *status);

#ifdef __cplusplus
}
#endif

#endif
