/* SPDX-License-Identifier: Apache-2.0 */
/*
 * L1 as the units of the machine access it: through the host's function for memory if there is one,
 * else in the host's memory, else in memory that the machine has allocated (tx_l1_allocate).
 */
#ifndef TX_STATE_L1_H
#define TX_STATE_L1_H

#include "isa/chip.h"
#include "state/machine.h"

static inline uint32_t l1_size(enum tx_arch arch)
{
    return NUMBER_OF(arch, L1_BYTES);
}

/*
 * Returns a pointer to "size" bytes of L1, or NULL if L1 is not plain memory or they reach beyond
 * it.
 */
uint8_t *l1_at(const struct tx_machine *m, uint32_t address, uint32_t size);
/*
 * Returns the size in bytes of the machine's own L1 with its bitmap of written bytes; 0: it has
 * none.
 */
size_t l1_own_size(const struct tx_machine *m);
/*
 * For the machine's own L1: l1_mark records that bytes were written, l1_unwritten returns whether
 * one of them never was (false if L1 is the host's).
 */
void l1_mark(struct tx_machine *m, uint32_t address, uint32_t size);
bool l1_unwritten(const struct tx_machine *m, uint32_t address, uint32_t size);
/*
 * Stores of undefined values to the machine's own L1, up to four bytes at a time. l1_spoil records
 * one: the bytes with undefined bits are then not marked as written. l1_spoilt returns the
 * undefined bits of bytes that are not, and in *what whose they are; 0 if one of them is just not
 * written.
 */
void l1_spoil(struct tx_machine *m, const struct l1_spoilt *what);
uint32_t l1_spoilt(const struct tx_machine *m, uint32_t address, uint32_t size,
                   struct l1_spoilt *what);
/*
 * Reports a unit's read of bytes that were never written (E-L1INIT), or with an undefined value
 * (E-UNDEF).
 */
void l1_check(struct tx_machine *m, const struct tx_op *op, uint32_t address, uint32_t size);

/*
 * Read or write "size" bytes at any alignment. Return false if they reach beyond L1 (finding E-L1:
 * nothing is accessed, a read yields zeros) or if there is no memory (the machine stops).
 */
bool l1_read(struct tx_machine *m, const struct tx_op *op, uint32_t address, void *bytes,
             uint32_t size);
bool l1_write(struct tx_machine *m, const struct tx_op *op, uint32_t address, const void *bytes,
              uint32_t size);

#endif
