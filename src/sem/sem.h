/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inputs and results of a body. A lane body is a pure function of one lane: it receives operand
 * values, flags and the top of the flag stack, and returns what the instruction would write. The
 * caller decides whether the lane is enabled and whether the destination can be written.
 */
#ifndef TX_SEM_SEM_H
#define TX_SEM_SEM_H

#include "base/bits.h"
#include "isa/op.h"

#include <stddef.h>

enum sem_stack { SEM_KEEP, SEM_PUSH, SEM_POP, SEM_SET_TOP, SEM_STRAY_TOP };

struct sem_in {
    uint32_t a, b, c, d;                /* values of VA, VB, VC, VD */
    uint32_t l[8];                      /* L0..L7, for table look-ups */
    uint32_t draw;                      /* random word of the lane */
    bool lf, use;                       /* LaneFlags, UseLaneFlagsForLaneEnable */
    bool top_lf, top_use;               /* top of the flag stack */
    bool empty, full;                   /* flag stack: counter is 0; counter is 8 or more */
    bool eight;                         /* counter is exactly 8 */
    bool arithmetic_bh;                 /* which multiply-add */
    bool lut16_positive, stoch_shifted; /* rule switches */
    bool known;                         /* sum already is the result of the multiply-add */
    uint32_t sum;
    uint32_t *terms; /* if not NULL, receives the three operands of the multiply-add */
};

struct sem_out {
    uint32_t value; /* for VD */
    bool write;     /* whether VD is written at all (default true) */
    bool lf, use;
    bool top_lf, top_use; /* with SEM_PUSH, SEM_SET_TOP */
    uint8_t stack;        /* enum sem_stack */
    bool beyond;          /* the flag stack was used beyond its contract (R3) */
};

TX_INLINE struct sem_out sem_keep(const struct sem_in *in)
{
    const struct sem_out out = {.value = in->d,
                                .write = true,
                                .lf = in->lf,
                                .use = in->use,
                                .top_lf = in->top_lf,
                                .top_use = in->top_use};
    return out;
}

TX_INLINE struct sem_out sem_value(const struct sem_in *in, uint32_t value)
{
    struct sem_out out = sem_keep(in);
    out.value = value;
    return out;
}

#define SEM_BODY(name) \
    TX_INLINE struct sem_out sem_##name(const struct tx_op *op, const struct sem_in *in)

#endif
