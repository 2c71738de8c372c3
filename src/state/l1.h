/* SPDX-License-Identifier: Apache-2.0 */
/*
 * L1 as every unit of the machine sees it: the host's function for memory where there is one, the
 * host's memory otherwise, or what the machine has allocated for itself (tx_l1_allocate).
 */
#ifndef TX_STATE_L1_H
#define TX_STATE_L1_H

#include "isa/chip.h"
#include "state/machine.h"

static inline uint32_t l1_size(enum tx_arch arch)
{
    return NUMBER_OF(arch, L1_BYTES);
}

/* The bytes of memory that has an address on the host; NULL: there are none, or not so many. */
uint8_t *l1_at(const struct tx_machine *m, uint32_t address, uint32_t size);
/* Bytes of the machine's own L1 and of what is known about it; 0: it has none. */
size_t l1_own_size(const struct tx_machine *m);
/* Bytes of the machine's own L1 have been written; has one of them never been? */
void l1_mark(struct tx_machine *m, uint32_t address, uint32_t size);
bool l1_unwritten(const struct tx_machine *m, uint32_t address, uint32_t size);
/* The finding for a unit that reads such bytes. */
void l1_check(struct tx_machine *m, const struct tx_op *op, uint32_t address, uint32_t size);

/*
 * "size" bytes from "address" on, at any alignment. False: they reach beyond L1 (finding E-L1;
 * nothing was accessed, what was to be read is zero), or there is no memory (the machine stops).
 */
bool l1_read(struct tx_machine *m, const struct tx_op *op, uint32_t address, void *bytes,
             uint32_t size);
bool l1_write(struct tx_machine *m, const struct tx_op *op, uint32_t address, const void *bytes,
              uint32_t size);

#endif
