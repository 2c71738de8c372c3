/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values outside Dst and Src that nobody has defined: GPRs of the Scalar Unit that were never
 * written (they have no reset value), configuration words that got such a value, and bytes of L1 to
 * which a core or the Scalar Unit has stored one. A bit beside each bit. Copying one is no finding
 * (E-UNDEF); one comes where it decides something.
 */
#ifndef TX_STATE_UNDEFINED_H
#define TX_STATE_UNDEFINED_H

#include "base/defined.h"

#include <tensix/threads.h>

enum { L1_SPOILT = 64, L1_SPOILT_BYTES = 4 };

/* An undefined value that has been stored to up to four bytes of L1. */
struct l1_spoilt {
    uint32_t address, bad; /* bad: bits, from the first byte on */
    /* Who stored it: a core, with the place nobody has written and the load that took it from
     * there. */
    uint32_t from, pc;
    uint8_t size;   /* 0: the entry is free */
    uint8_t thread; /* or a thread's Scalar Unit, from a GPR; TX_THREADS: a core */
    uint8_t core;
    uint8_t gpr;
};

/* The GPR that nobody has written, of the bad bits of a word. */
struct gpr_origin {
    uint8_t thread, gpr;
};

/* The undefined bits of a word that is on its way into configuration. */
struct word_undefined {
    uint32_t bad;
    struct gpr_origin from;
    uint16_t unused; /* makes padding explicit, so that every byte of a snapshot is defined */
};

struct undefined_state {
    uint32_t gpr[TX_THREADS][TX_GPRS]; /* bits that are undefined */
    uint8_t gpr_from[TX_THREADS][TX_GPRS];
    uint32_t words;  /* configuration words with undefined bits */
    uint32_t stored; /* entries of "spoilt" have been used */
    uint32_t config[2][256];
    struct gpr_origin config_from[2][256];
    struct l1_spoilt spoilt[L1_SPOILT]; /* the latest, a ring */
    uint8_t next;
};

/* After power-up: no GPR has been written. */
static inline void undefined_reset(struct undefined_state *u)
{
    for (unsigned thread = 0; thread < TX_THREADS; thread++) {
        for (unsigned i = 0; i < TX_GPRS; i++) {
            u->gpr[thread][i] = 0xFFFFFFFFu;
            u->gpr_from[thread][i] = (uint8_t)i;
        }
    }
}

/* Some bits of a GPR have been written; those in "bad" with an undefined value out of GPR "from".
 */
static inline void undefined_gpr_set(struct undefined_state *u, unsigned thread, unsigned gpr,
                                     uint32_t bits, uint32_t bad, unsigned from)
{
    u->gpr[thread][gpr] = (u->gpr[thread][gpr] & ~bits) | (bad & bits);
    if ((bad & bits) != 0) {
        u->gpr_from[thread][gpr] = (uint8_t)from;
    }
}

static inline void undefined_gpr_given(struct undefined_state *u, unsigned thread, unsigned gpr,
                                       unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        u->gpr[thread][gpr + i] = 0;
    }
}

struct tx_machine;
struct tx_op;
/*
 * An instruction goes by these bits of a GPR of its thread: reports it if one of them is undefined,
 * and takes them for defined from then on. does: what it uses them for, such as "the address".
 */
void undefined_gpr_used(struct tx_machine *m, const struct tx_op *op, unsigned gpr, uint32_t bits,
                        const char *does);
/* A configuration word has got a value with these undefined bits. */
void undefined_config_set(struct tx_machine *m, unsigned bank, unsigned word,
                          struct word_undefined with);
/* An instruction reads bits of words in a bank; as above. */
void undefined_config_used(struct tx_machine *m, const struct tx_op *op, unsigned bank,
                           unsigned word, unsigned count, uint32_t bits);
/*
 * Returns the undefined bits of a word and takes them away, for an instruction that reads it to
 * copy them: undefined_config_set puts them back.
 */
struct word_undefined undefined_config_taken(struct tx_machine *m, unsigned bank, unsigned word);
/* All words of a bank from "first" on have been written. */
void undefined_config_given(struct tx_machine *m, unsigned bank, unsigned first, unsigned count);

#endif
