/* SPDX-License-Identifier: Apache-2.0 */
/* What emulate.c knows of an instruction, for patch.c. */
#ifndef TENSIX_CARD_EMULATE_H
#define TENSIX_CARD_EMULATE_H

#include <stdbool.h>
#include <stdint.h>

enum { SLOT = 4096 }; /* the largest operand is far smaller */
enum kind { KIND_NONE, KIND_LOAD, KIND_STORE, KIND_ANY, KIND_PUSH, KIND_POP, KIND_STRING };

/* What an instruction does, as far as we care. */
struct known {
    uint64_t at;
    uint8_t bytes[15], length;
    uint8_t kind;
    uint8_t size; /* of the operand; KIND_ANY: see "wide" */
    uint16_t wide;
    bool loads, stores, sign, high, immediate;
    int8_t base, index, reg; /* numbers of GPRs; -1: none, -2: the program counter */
    uint8_t scale, reg_bits;
    uint8_t modrm, sib, tail; /* where in the instruction; tail: what follows the displacement */
    uint8_t rex;              /* the prefix, or 0 */
    uint16_t segment;
    uint16_t mnemonic;
    bool repeat, short_address, vectors;
    bool movable; /* does the same elsewhere, and needs nothing but general registers and flags */
    int64_t displacement, value;
};

/* Decodes the instruction at an address. Returns false where it cannot be emulated. */
bool decode(struct known *k, uint64_t at);

#endif
