/* SPDX-License-Identifier: Apache-2.0 */
/*
 * State of the packers: four on Wormhole, the first alone on Blackhole. Source: spec/pack.md 1, 7,
 * 8; isa Packers/README, TDMA-RISC 29e53cf.
 */
#ifndef TX_STATE_PACK_H
#define TX_STATE_PACK_H

#include <tensix/machine.h>

/* PACK_FIFO: entries that Enable_out_fifo fills; how many there are is not published. */
enum { PACKERS = 4, PACK_DEPTH_MAX = 8, PACK_FIFO = 4 };
/* What a packer writes: rows of compressed data, exponents of block formats, data. */
enum pack_stream_id { PACK_ROWS, PACK_EXPONENTS, PACK_DATA, PACK_STREAMS };

/* Bytes on their way to L1, which takes sixteen at a time. */
struct pack_stream {
    uint32_t address; /* of the sixteen that are being collected */
    uint8_t bytes[16];
    uint8_t count;
    uint8_t written; /* of these, how many are in L1 already: rule pack-tail */
    uint8_t open;    /* the address is meant; else the next PACR computes one */
};

struct pack_tile {
    uint16_t size;
    uint32_t flags;
};

struct packer {
    struct pack_stream stream[PACK_STREAMS];
    uint32_t group[16]; /* of the open block: data before assembly */
    uint8_t group_count, group_format;
    uint8_t output;                 /* data since the tile's start, modulo 16 */
    uint8_t tile_x, tile_y, tile_z; /* tile position generator */
    uint8_t tile_running;           /* else the next PACR starts at 0, 0, 0 */
    uint8_t max_exponent;
    uint8_t histogram[32];
    /* sideband data */
    uint32_t zero_flags;
    uint16_t units; /* of 16 bytes, written for the tile under way */
    uint16_t last_size, acc_size[TX_THREADS], address_offset;
    uint8_t last_thread;
    uint8_t fifo_count;
    struct pack_tile fifo[PACK_FIFO];
    /* time: ends of the instructions that it has accepted, in a ring */
    uint64_t end[PACK_DEPTH_MAX];
    uint64_t until[TX_THREADS]; /* first cycle in which a thread's have left it */
    uint8_t next;
};

struct packers {
    struct packer unit[PACKERS];
    uint64_t dst_read[TX_DST_ROWS / 8]; /* first cycle in which no packer reads eight rows */
    uint64_t reading;                   /* none of that lasts longer */
    uint64_t started;                   /* first cycle in which all have taken their L1_Dest_addr */
    uint64_t until;                     /* and in which all are idle */
    uint32_t set_base[2], set_base_raw, set_clock; /* PACR_SETREG, by TDMA-RISC */
    uint16_t set_scaler[4];
    uint32_t set_value; /* Blackhole */
    uint8_t context;    /* Blackhole's counter of contexts */
    uint8_t planes;     /* xy planes since it moved */
};

#endif
