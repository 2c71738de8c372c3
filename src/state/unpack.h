/* SPDX-License-Identifier: Apache-2.0 */
/*
 * State of the unpackers: instructions under way, with the configuration at their issue, and what
 * is kept from one to the next. Source: spec/unpack.md 1, 5, 12.2.
 */
#ifndef TX_STATE_UNPACK_H
#define TX_STATE_UNPACK_H

#include <tensix/threads.h>

#include "isa/op.h"

enum { UNPACKERS = 2, UNPACK_JOBS = 8 };

enum unpack_kind {
    UNPACK_DATA,  /* moves data from L1 to SrcA, SrcB or Dst */
    UNPACK_CLEAR, /* writes a constant to whole banks */
    UNPACK_GIVE,  /* only hands the bank over */
    UNPACK_IDLE   /* occupies the unpacker for a cycle */
};
enum unpack_wait { UNPACK_WAIT_NONE, UNPACK_WAIT_OWN, UNPACK_WAIT_MATRIX };

/*
 * One instruction under way. Addresses are those of the beginning of a section; "first" leads from
 * there to the first datum.
 */
struct unpack_job {
    struct tx_op op;
    uint64_t since;     /* cycle in which it passed its gate */
    uint64_t passed;    /* instructions of its thread that had passed before it */
    uint64_t ready;     /* first cycle in which its data phase may start */
    uint32_t data;      /* byte address of the data; compressed: of the first group */
    uint32_t exponents; /* byte address */
    /* Compressed: byte address of the row-start entry that the instruction uses. */
    uint32_t row_starts;
    uint32_t first; /* number of the first datum; compressed: it is found in the row starts */
    /* Number of data; compressed without a known end: number of cells to write. */
    uint32_t count;
    uint32_t drop;        /* compressed: number of cells to drop before the first */
    uint32_t out;         /* place of the first datum, in rows of sixteen */
    uint32_t stride;      /* bytes from one input row to the next, if strided */
    uint32_t limit, fifo; /* byte addresses */
    uint32_t cell;        /* UNPACK_CLEAR: the constant */
    uint16_t row_end,
        /* Compressed: indices from row_starts on; row_end is 0 if there is no end. */
        row_first;
    uint8_t kind, wait;     /* enum unpack_kind, unpack_wait */
    uint8_t in, out_format; /* data formats */
    uint8_t e4m3, is_unsigned;
    uint8_t force_exponent, exponent;
    /* Upsampling: number of cells behind each datum, which keep their content. */
    uint8_t zeros, interleave;
    uint8_t column_shift, transpose, override;
    uint8_t to_dst, remap, swizzle;
    uint8_t all_zero, compressed, strided;
    uint8_t rate;  /* bytes of L1 per cycle, if nobody else uses it */
    uint8_t burst; /* in rows */
    uint8_t give, update, src_base;
    uint8_t format;     /* Blackhole: the implied format of the bank that is handed over */
    uint8_t both_banks; /* UNPACK_CLEAR */
    uint8_t context;    /* whose fields the job has read, plus 1; 0: none */
    uint8_t unused[5];  /* makes padding explicit, so that every byte of a snapshot is defined */
};

struct unpacker {
    /* A ring; the first one is in its data phase if "running". */
    struct unpack_job job[UNPACK_JOBS];
    uint8_t head, count, running;
    uint8_t tail;   /* cycles at the end of the data phase in which nothing is fetched */
    uint32_t left;  /* bits still to be fetched */
    uint64_t since; /* cycle in which the data phase started */
    uint64_t entered[TX_THREADS]; /* first cycle in which no instruction is entering */
    uint8_t src_row[TX_THREADS], context[TX_THREADS];
};

struct unpack {
    struct unpacker unit[UNPACKERS];
    struct tx_op entering;    /* an UNPACR in its first cycle, valid if "enters" */
    uint64_t generator;       /* first cycle in which the address generator accepts an UNPACR */
    uint64_t srca_unknown[2]; /* bit per row: an unpack to Dst has overwritten the bank */
    uint8_t enters;
    uint8_t jobs; /* jobs under way in both unpackers, the entering one included */
};

#endif
