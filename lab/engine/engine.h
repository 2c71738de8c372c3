/* SPDX-License-Identifier: Apache-2.0 */
/* Which engine runs tiles: the fast one where it can, unless the user says otherwise. */
#ifndef LAB_ENGINE_H
#define LAB_ENGINE_H

#include "base/error.h"

enum engine { ENGINE_AUTO, ENGINE_COMPILED, ENGINE_FAST, ENGINE_REFERENCE };

/* For --engine: 0, or printed. */
int engine_parse(struct txl_error *err, const char *text, enum engine *engine);
/*
 * tiles: how many there will be; auto compiles the kernel where that pays.
 * *fast NULL: the reference engine. only_reference: what the user asked for that only that one
 * does, or NULL. False: the fast engine was named and cannot, message says why.
 */
bool engine_fast(enum engine engine, const tx_kernel *kernel, uint64_t tiles,
                 const char *only_reference, tx_fast **fast, char *message, size_t size);

#endif
