/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where tt-metal's host and firmware leave messages for each other in the L1 of a Tensix tile:
 * offsets in bytes. Source: mailboxes_t, launch_msg_t and go_msg_t of tt-metal's dev_msgs.h, as in
 * the versions inside ttnn 0.81.1 and jax-tt-plugin 0.1.3, for both chips. Nothing in L1 says which
 * version wrote it, so whoever reads a message must check what it says.
 */
#ifndef TENSIX_LAB_MAILBOX_H
#define TENSIX_LAB_MAILBOX_H

enum {
    TXL_MAILBOX_BLACKHOLE = 96, /* where the mailbox begins */
    TXL_MAILBOX_WORMHOLE = 16,
    /* From there: number of the launch message that firmware reads next, or that its kernels run
     * by; the ring of these messages; */
    TXL_MAILBOX_READ = 12,
    TXL_MAILBOX_RING = 16,
    TXL_MAILBOX_LAUNCHES = 8,
    TXL_MAILBOX_LAUNCH_BYTES = 144,
    /* messages to go, then a time stamp and which of them counts. */
    TXL_MAILBOX_GO = 1168,
    TXL_MAILBOX_GO_INDEX = 1216,
    TXL_MAILBOX_GOES = 9,
    TXL_MAILBOX_SIGNAL_GO = 0x80, /* in the highest byte of such a message */
    /*
     * In a launch message: where in L1 the configuration of its kernels lies; offsets from there to
     * that of circular buffers (16 bits), and to the code of each core; the size of that; which
     * circular buffers there are (64 bits); the host's number; which cores run.
     */
    TXL_LAUNCH_BASE = 0,
    TXL_LAUNCH_CIRCULAR = 20,
    TXL_LAUNCH_TEXT = 52,
    TXL_LAUNCH_SIZE = 72,
    TXL_LAUNCH_CIRCULAR_MASK = 96,
    TXL_LAUNCH_ID = 108,
    TXL_LAUNCH_ENABLES = 112,
    TXL_LAUNCH_CORES = 5,
    /* The configuration of a circular buffer: its address, bytes, pages, bytes of a page. */
    TXL_CIRCULAR_BYTES = 16
};

#endif
