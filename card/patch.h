/* SPDX-License-Identifier: Apache-2.0 */
/* What patch.c and island.c know of an instruction that is replaced by a jump. */
#ifndef TENSIX_CARD_PATCH_H
#define TENSIX_CARD_PATCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emulate.h"

enum { PAGE = 4096, JUMP = 5, STUB = 14, CODE = 256 };

/* An instruction that has faulted. */
struct site {
    struct known known;
    enum { SITE_COUNTED, SITE_PATCHED, SITE_REFUSED } state; /* with the lock of patch.c held */
    uint32_t faults;
    uint8_t prefix;         /* bytes before the jump's opcode */
    uint8_t written;        /* bytes of the instruction that differ from it */
    uint8_t text[2 * JUMP]; /* what stands there instead */
    uint8_t plain;          /* where in its code the instruction itself is */
    uint8_t *code;
};

/* The program's mappings as /proc says, read anew. Returns false where that is not possible. */
bool maps_read(void);
/* Whether the range is code of a file that nobody can write to and nobody shares. */
bool maps_code(uint64_t start, uint64_t end);
/* Whether something may be put there: neither the stack nor what malloc asks for grows to it. */
bool maps_free(uint64_t start, uint64_t end);
/* Returns a place for a jump to "to" within the range of addresses, or 0. */
uint64_t island_place(uint64_t low, uint64_t high, const uint8_t *to);
/* Code may be written until it is closed again; other threads may run it meanwhile. */
bool code_open(void *at, size_t size);
void code_close(void *at, size_t size);
/* Writes two bytes at once. */
void code_put(void *at, const void *bytes);

#endif
