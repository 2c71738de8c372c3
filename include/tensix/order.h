/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What instructions read and write of the state that threads and units share, and what makes one
 * wait for another, told as it happens: for who asks which order a program enforces
 * (tensix-lab/race.h). It costs nothing while nobody listens.
 */
#ifndef TENSIX_ORDER_H
#define TENSIX_ORDER_H

#include <tensix/machine.h>

#ifdef __cplusplus
extern "C" {
#endif

/* State, what an index of it means, and what a bit of the mask. */
enum tx_shared {
    TX_SHARED_CONFIG,        /* word + 256 * bank; those from the global ones on: bank 0. Bits */
    TX_SHARED_THREAD_CONFIG, /* word + 128 * thread. Bits */
    TX_SHARED_GPR,           /* register + 64 * thread. Bits */
    TX_SHARED_ADC,           /* as TX_FILE_ADC. Bit per value */
    TX_SHARED_RWC,           /* thread. Bit per value, enum tx_rwc */
    TX_SHARED_SRC,           /* row as TX_FILE_SRC. Bit per column */
    TX_SHARED_DST,           /* physical row. Bit per column */
    TX_SHARED_L1,            /* address in bytes; count is bytes, the mask means nothing; of cores:
                                enum tx_order_l1 */
    TX_SHARED_BANK,          /* which bank a unit turns to: 0, 1 the unpackers, 2, 3 the Matrix Unit
                                of SrcA, SrcB. Bit 0 */
    TX_SHARED_LREG,          /* 0: L0 to L16, bit each; 1: lane flags and their stack, bit 0, random
                                state, bit 1, configuration of lanes and macros, bit 2 */
    TX_SHARED_SEMAPHORE,     /* 0..7. Bit 0. RISC-V accesses and SEMINIT only */
    TX_SHARED_MOP,           /* word + 9 * thread. Bits */
    TX_SHARED_REPLAY,        /* slot + 32 * thread. Bits */
    TX_SHARED_COUNT
};

enum tx_order_kind {
    /* An instruction has passed its gate: word, row, number. mask: the bits B0 to B8 of a block
     * mask that would have held it, bit 9: all of them together would have. */
    TX_ORDER_PASS,
    TX_ORDER_READ, /* shared, index, count (of consecutive indices), mask */
    TX_ORDER_WRITE,
    /* A latched wait is over: word. mask: banks as they were, bit s: bank that the unpacker of Src
     * s turns to, bit 2 + s: that the Matrix Unit turns to. */
    TX_ORDER_WAITED,
    /* An instruction has found a bank of Src its unit's own; or gives one to the other side.
     * index = bank + 2 * (0 SrcA, 1 SrcB); mask 1: the Matrix Unit takes, or is given it. */
    TX_ORDER_TAKE,
    TX_ORDER_GIVE,
    /* An unpacker begins, and has ended, with an instruction: index = which one. */
    TX_ORDER_BEGIN,
    TX_ORDER_END,
    /*
     * RISC-V cores of a tile: thread is TX_ORDER_CORE + enum tx_core, word is the pc, there is no
     * row. They read and write configuration, GPRs, MopCfg, L1 and Dst (READ, WRITE), which a store
     * does as it leaves the core; of semaphores the mask of a WRITE is 1 for a post, 2 for a get.
     * And they push a word: index = to which thread, mask = it; have seen that a thread is done
     * (mask 1) or its MOP Expander is (mask 0): index = which; send to or receive from another
     * core: index = which, mask = enum tx_order_way; begin to run; have loaded a counter of the
     * NoC, mask = which requests are over once it is high enough, bit per enum tx_order_l1.
     */
    TX_ORDER_PUSH,
    TX_ORDER_DONE,
    TX_ORDER_SEND,
    TX_ORDER_RECEIVE,
    TX_ORDER_START,
    TX_ORDER_NOC
};
/* Who accesses L1 in the name of a core. */
enum tx_order_l1 {
    TX_ORDER_L1_CORE,
    TX_ORDER_L1_ATOMIC,
    TX_ORDER_L1_NOC_READ,   /* a request to the NoC to read: of what it reads here, and brings */
    TX_ORDER_L1_NOC_SOURCE, /* one to write: what it takes along */
    TX_ORDER_L1_NOC_WRITE   /* and what it, or an atomic, changes here */
};
enum tx_order_way {
    TX_ORDER_MAILBOX,
    TX_ORDER_PC_BUFFER,
    TX_ORDER_PC_EMPTY /* received by B: the core waits for its next word, and its thread is done */
};
enum { TX_ORDER_CORE = 8 };

struct tx_order {
    uint32_t size; /* of this struct, as the library has it */
    uint8_t kind;  /* enum tx_order_kind */
    uint8_t shared;
    uint8_t thread, unit; /* enum tx_unit */
    uint32_t word;
    uint32_t index, count, mask;
    uint64_t
        number; /* instructions issued before it; of a scheduled one: before its SFPLOADMACRO */
    uint64_t cycle;
    const struct tx_row *row;
};

/* Does not grow. */
struct tx_order_sink {
    void (*order)(void *user, const struct tx_order *order); /* NULL: nobody listens */
    void *user;
};
/* From now on; it is copied. NULL: nobody listens any more. tx_reset keeps it. */
TX_API void tx_order_listen(tx_machine *machine, const struct tx_order_sink *sink);

/* ---- what else could have happened ---- */

/* Does not grow. */
struct tx_delay {
    uint8_t thread; /* or TX_ORDER_CORE + enum tx_core */
    bool late; /* its unit takes so many cycles longer; else it comes to its gate so much later */
    uint16_t zero; /* 0 */
    uint32_t cycles;
    /* Which of the thread's instructions, counted from 0 from this call on. Of a core: late, which
     * of its stores to configuration, GPRs and Dst arrives so much later, what comes behind it in
     * its region with it; else the cycle from which it issues nothing. */
    uint64_t index;
};
/*
 * From now on these instructions are delayed, which takes nothing from what the machine promises: a
 * unit does what it is given in turn, and STALLWAIT waits for it. One late effect at a time. count
 * 0: no delays any more. TX_ENOMEM.
 */
TX_API enum tx_status tx_order_delays(tx_machine *machine, const struct tx_delay *delays,
                                      size_t count);

#ifdef __cplusplus
}
#endif

#endif
