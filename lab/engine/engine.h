/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "engine": decides which engine runs tiles, and turns kernels into machine code with the
 * system's compiler (compile.h) and a directory that keeps the result (cache.h). It may use rooms
 * base and reference.
 */
#ifndef LAB_ENGINE_H
#define LAB_ENGINE_H

#include "base/error.h"

#include <tensix-lab/engine.h>

/* What the user wants. tiles: how many there will be, so that auto can compile when that pays. */
struct engine_choice {
    enum txl_engine engine;
    txl_compiler *compiler; /* NULL: none */
    uint64_t tiles;
    /* A requested feature that only the reference engine has, or NULL. */
    const char *only_reference;
};

/*
 * Opens the fast engine for a kernel; *fast NULL means the reference engine. False: the chosen
 * engine cannot run it, and err says why.
 */
bool engine_fast(const struct engine_choice *choice, const tx_kernel *kernel, tx_fast **fast,
                 struct txl_error *err);

#endif
