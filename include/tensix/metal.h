/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where tt-metal's host and firmware leave messages for each other in the L1 of a Tensix tile:
 * offsets in bytes. Source: mailboxes_t, launch_msg_t and go_msg_t of tt-metal's dev_msgs.h, as in
 * the versions inside ttnn 0.81.1 and jax-tt-plugin 0.1.3, for both chips. Nothing in L1 says which
 * version wrote it, so whoever reads a message must check what it says.
 */
#ifndef TENSIX_METAL_H
#define TENSIX_METAL_H

enum {
    /*
     * From where the mailbox begins (TX_FACT_METAL_MAILBOX): the number of the launch message that
     * firmware reads next, or that the running kernels have come by; the ring of these messages;
     */
    TX_METAL_READ = 12,
    TX_METAL_RING = 16,
    TX_METAL_LAUNCHES = 8,
    TX_METAL_LAUNCH_BYTES = 144,
    /* messages to go, then a time stamp and which of them counts. */
    TX_METAL_GO = 1168,
    TX_METAL_GO_INDEX = 1216,
    TX_METAL_GOES = 9,
    TX_METAL_SIGNAL_GO = 0x80, /* in the highest byte of such a message */
    /*
     * In a launch message: where in L1 the configuration of its kernels lies; offsets from there to
     * that of circular buffers (16 bits), and to the code of each core; the size of that; which
     * circular buffers there are (64 bits); the host's number; which cores run.
     */
    TX_METAL_IN_BASE = 0,
    TX_METAL_IN_CIRCULAR = 20,
    TX_METAL_IN_TEXT = 52,
    TX_METAL_IN_SIZE = 72,
    TX_METAL_IN_CIRCULAR_MASK = 96,
    TX_METAL_IN_ID = 108,
    TX_METAL_IN_ENABLES = 112,
    TX_METAL_IN_CORES = 5,
    /* The configuration of a circular buffer: its address, bytes, pages, bytes of a page. */
    TX_METAL_CIRCULAR_BYTES = 16
};

#endif
