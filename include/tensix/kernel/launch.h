/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What "tensix chip run" leaves in L1 of every tile for the kernels that it has compiled: where
 * they stand in the grid, arguments, circular buffers, semaphores, and the banks that buffers are
 * spread over. Whoever writes it (lab/chiprun) and whoever reads it (kernels) include this header.
 *
 *     0x00000  left to what other headers keep there (tt-metal: mailboxes, zeros)
 *     0x10000  struct tx_launch
 *     0x11000  semaphores, TX_LAUNCH_APART bytes apart
 *     0x12000  arguments: for each core its own, then the common ones
 *     0x18000  programs of B, T0, T1, T2, NC, 32 KiB each
 *     0x40000  circular buffers from here on, buffers in L1 from the end downwards
 */
#ifndef TENSIX_KERNEL_LAUNCH_H
#define TENSIX_KERNEL_LAUNCH_H

#include <stdint.h>

#define TX_LAUNCH 0x10000u
#define TX_LAUNCH_SEMAPHORES 0x11000u
#define TX_LAUNCH_ARGUMENTS 0x12000u
#define TX_LAUNCH_CODE 0x18000u
#define TX_LAUNCH_FREE 0x40000u

enum {
    TX_LAUNCH_CORES = 5, /* B, T0, T1, T2, NC */
    TX_LAUNCH_CODE_BYTES = 0x8000,
    TX_LAUNCH_CIRCULAR = 64, /* circular buffers; Wormhole has streams for 32 */
    TX_LAUNCH_SEMAPHORE_COUNT = 16,
    TX_LAUNCH_APART = 16,
    TX_LAUNCH_WORDS = 320,  /* arguments of a core */
    TX_LAUNCH_COMMON = 192, /* common arguments of a core */
    TX_LAUNCH_DRAM = 16,
    TX_LAUNCH_L1 = 160,
    TX_LAUNCH_SIDE = 32
};

/* A circular buffer; bytes is 0 where there is none. The words are those of tt-metal. */
struct tx_launch_circular {
    uint32_t address, bytes, pages, page;
};

struct tx_launch {
    uint32_t bytes; /* of this struct */
    uint32_t column, row, columns, rows;
    uint32_t arguments[TX_LAUNCH_CORES]; /* addresses */
    uint32_t common[TX_LAUNCH_CORES];
    uint32_t noc[TX_LAUNCH_CORES];        /* which one a core uses */
    uint32_t done[TX_LAUNCH_CORES];       /* 0xFF when its kernel has ended */
    uint32_t result[TX_LAUNCH_CORES * 4]; /* where atomic requests of a core leave old values */
    uint32_t dram_banks, l1_banks;
    uint32_t circular_mask[2];
    struct tx_launch_circular circular[TX_LAUNCH_CIRCULAR];
    /* x | y << 6, translated: the same on both NoCs */
    uint16_t dram_xy[TX_LAUNCH_DRAM], l1_xy[TX_LAUNCH_L1];
    uint32_t dram_offset[TX_LAUNCH_DRAM]; /* added to addresses in that bank */
    uint8_t column_x[TX_LAUNCH_SIDE], row_y[TX_LAUNCH_SIDE];
    uint32_t cores;    /* bit for each core that has a kernel */
    uint32_t ready[2]; /* metal.cpp: what one core does for the others is done */
};

#endif
