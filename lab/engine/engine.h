/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "engine": which engine runs tiles, and kernels as machine code: the system's compiler
 * (compile.h) and the directory that keeps what it made (cache.h). It may use rooms base and
 * reference.
 */
#ifndef LAB_ENGINE_H
#define LAB_ENGINE_H

#include "base/error.h"

#include <tensix-lab/engine.h>

/* tiles: how many there will be; auto compiles the kernel where that pays. */
struct engine_choice {
    enum txl_engine engine;
    txl_compiler *compiler; /* NULL: none */
    uint64_t tiles;
    const char *only_reference; /* what the user asked for that only that one does, or NULL */
};

/* *fast NULL: the reference engine. False: the named one cannot, message says why. */
bool engine_fast(const struct engine_choice *choice, const tx_kernel *kernel, tx_fast **fast,
                 char *message, size_t size);

#endif
