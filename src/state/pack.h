/* SPDX-License-Identifier: Apache-2.0 */
/*
 * State of the packers: four on Wormhole, the first alone on Blackhole. Source: spec/pack.md 1, 7,
 * 8; isa Packers/README, TDMA-RISC 29e53cf.
 */
#ifndef TX_STATE_PACK_H
#define TX_STATE_PACK_H

#include <tensix/machine.h>

/* PACK_FIFO: capacity of the queue that Enable_out_fifo fills; the real one is not published. */
enum { PACKERS = 4, PACK_DEPTH_MAX = 8, PACK_FIFO = 4 };
/*
 * The streams that a packer writes: row starts of compressed data, exponents of block formats,
 * data.
 */
enum pack_stream_id { PACK_ROWS, PACK_EXPONENTS, PACK_DATA, PACK_STREAMS };

/* Bytes on their way to L1, which is written sixteen at a time. */
struct pack_stream {
    uint32_t address; /* of the sixteen bytes being collected */
    uint8_t bytes[16];
    uint8_t count;
    uint8_t written; /* how many of these are in L1 already: rule pack-tail */
    uint8_t open;    /* the address is valid; otherwise the next PACR computes one */
};

struct pack_tile {
    uint16_t size;
    uint32_t flags;
};

struct packer {
    struct pack_stream stream[PACK_STREAMS];
    uint32_t group[16]; /* data of the open block, before assembly */
    uint8_t group_count, group_format;
    uint8_t output;                 /* data since the start of the tile, modulo 16 */
    uint8_t tile_x, tile_y, tile_z; /* position in the tile position generator */
    uint8_t tile_running;           /* otherwise the next PACR starts at 0, 0, 0 */
    uint8_t max_exponent;
    uint8_t histogram[32];
    /* Sideband data. */
    uint32_t zero_flags;
    uint16_t units; /* units of 16 bytes written for the present tile */
    uint16_t last_size, acc_size[TX_THREADS], address_offset;
    uint8_t last_thread;
    uint8_t fifo_count;
    struct pack_tile fifo[PACK_FIFO];
    /* Cycles in which the accepted instructions end, a ring. */
    uint64_t end[PACK_DEPTH_MAX];
    /* First cycle in which the thread's instructions have left the packer. */
    uint64_t until[TX_THREADS];
    uint8_t next;
};

struct packers {
    struct packer unit[PACKERS];
    /* Per eight rows: first cycle in which no packer reads them. */
    uint64_t dst_read[TX_DST_ROWS / 8];
    uint64_t reading;                              /* no time in dst_read is later */
    uint64_t until;                                /* first cycle in which all packers are idle */
    uint32_t set_base[2], set_base_raw, set_clock; /* set by PACR_SETREG, read by TDMA-RISC */
    uint16_t set_scaler[4];
    uint32_t set_value; /* Blackhole */
    uint8_t context;    /* Blackhole: the context counter */
    uint8_t planes;     /* xy planes since the context changed */
};

#endif
