/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The unpackers: instructions under way with the configuration that they were issued with, and what
 * is kept from one to the next. Source: spec/unpack.md 1, 5, 12.2.
 */
#ifndef TX_STATE_UNPACK_H
#define TX_STATE_UNPACK_H

#include <tensix/threads.h>

#include "isa/op.h"

enum { UNPACKERS = 2, UNPACK_JOBS = 8 };

enum unpack_kind {
    UNPACK_DATA,  /* L1 to SrcA, SrcB or Dst */
    UNPACK_CLEAR, /* a constant to whole banks */
    UNPACK_GIVE,  /* nothing but the bank handed over */
    UNPACK_IDLE   /* a cycle of the unpacker */
};
enum unpack_wait { UNPACK_WAIT_NONE, UNPACK_WAIT_OWN, UNPACK_WAIT_MATRIX };

/* Addresses are those of the section's begin; the first datum's are found with "first". */
struct unpack_job {
    struct tx_op op;
    uint64_t since;       /* cycle in which it passed its gate */
    uint64_t passed;      /* instructions of its thread that had passed before it */
    uint64_t ready;       /* first cycle in which its data phase may start */
    uint32_t data;        /* bytes: of the datums; compressed: of the first group */
    uint32_t exponents;   /* bytes */
    uint32_t row_starts;  /* compressed: bytes, of the entry that the instruction takes */
    uint32_t first;       /* datum; compressed: found in the row starts */
    uint32_t count;       /* data; compressed without a known end: cells to write */
    uint32_t drop;        /* compressed: cells before them */
    uint32_t out;         /* place of the first datum, sixteen to a row */
    uint32_t stride;      /* bytes from one input row to the next, where they are strided */
    uint32_t limit, fifo; /* bytes */
    uint32_t cell;        /* UNPACK_CLEAR */
    uint16_t row_end,
        row_first;          /* compressed: indices behind row_starts; row_end 0: no end there */
    uint8_t kind, wait;     /* enum unpack_kind, unpack_wait */
    uint8_t in, out_format; /* data formats */
    uint8_t e4m3, is_unsigned;
    uint8_t force_exponent, exponent;
    uint8_t zeros, interleave; /* upsampling: cells behind each datum, which stay as they are */
    uint8_t column_shift, transpose, override;
    uint8_t to_dst, remap, swizzle;
    uint8_t all_zero, compressed, strided;
    uint8_t rate;  /* bytes of L1 in a cycle, alone */
    uint8_t burst; /* rows */
    uint8_t give, update, src_base;
    uint8_t format;     /* Blackhole: the implied format of a bank handed over */
    uint8_t both_banks; /* UNPACK_CLEAR */
    uint8_t unused[6];  /* no byte of a snapshot is left to chance */
};

struct unpacker {
    struct unpack_job job[UNPACK_JOBS]; /* a ring; the first is in its data phase if "running" */
    uint8_t head, count, running;
    uint8_t tail;   /* cycles at the end of the data phase in which nothing is fetched */
    uint32_t left;  /* bits to fetch */
    uint64_t since; /* cycle in which the data phase started */
    uint64_t entered[TX_THREADS]; /* first cycle after those in which an instruction entered */
    uint8_t src_row[TX_THREADS], context[TX_THREADS];
};

struct unpack {
    struct unpacker unit[UNPACKERS];
    struct tx_op entering;    /* an UNPACR in its first cycle, if "enters" */
    uint64_t generator;       /* first cycle in which the address generator takes an UNPACR */
    uint64_t srca_unknown[2]; /* bit per row: an unpack to Dst went over the bank */
    uint8_t enters;
    uint8_t jobs; /* under way in both, the entering one included */
};

#endif
