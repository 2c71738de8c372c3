/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports, while a machine runs, which shared state instructions read and write and which waits
 * order them. It is for tools that determine the order that a program enforces (tensix-lab/race.h).
 * It costs nothing while there is no listener.
 */
#ifndef TENSIX_ORDER_H
#define TENSIX_ORDER_H

#include <tensix/machine.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of shared state, with the meaning of index and of the mask's bits. */
enum tx_shared {
    /* Word + 256 * bank; words of the global configuration have bank 0. Bits. */
    TX_SHARED_CONFIG,
    TX_SHARED_THREAD_CONFIG, /* word + 128 * thread. Bits */
    TX_SHARED_GPR,           /* register + 64 * thread. Bits */
    TX_SHARED_ADC,           /* as TX_FILE_ADC. Bit per value */
    TX_SHARED_RWC,           /* thread. Bit per value, enum tx_rwc */
    TX_SHARED_SRC,           /* row as TX_FILE_SRC. Bit per column */
    TX_SHARED_DST,           /* physical row. Bit per column */
    /*
     * address in bytes; count is a number of bytes, mask is unused; for cores it is an enum
     * tx_order_l1
     */
    TX_SHARED_L1,
    /*
     * the bank that a unit uses next: 0, 1 the unpackers of SrcA, SrcB; 2, 3 the Matrix Unit. Bit 0
     */
    TX_SHARED_BANK,
    /*
     * index 0: L0 to L16, a bit each; index 1: bit 0 lane flags and their stack, bit 1 random
     * state, bit 2 configuration of lanes and macros
     */
    TX_SHARED_LREG,
    TX_SHARED_SEMAPHORE, /* 0..7. Bit 0. RISC-V accesses and SEMINIT only */
    TX_SHARED_MOP,       /* word + 9 * thread. Bits */
    TX_SHARED_REPLAY,    /* slot + 32 * thread. Bits */
    TX_SHARED_COUNT
};

enum tx_order_kind {
    /*
     * An instruction has passed its gate: word, row, number. mask: the block mask bits B0 to B8
     * each of which alone would have held it; bit 9: all of them together would have.
     */
    TX_ORDER_PASS,
    TX_ORDER_READ, /* shared, index, count (of consecutive indices), mask */
    TX_ORDER_WRITE,
    /*
     * A latched wait has ended: word. mask: current banks; bit s: bank that the unpacker of Src s
     * uses next, bit 2 + s: bank that the Matrix Unit uses.
     */
    TX_ORDER_WAITED,
    /*
     * TAKE: an instruction has found that its unit owns a bank of Src. GIVE: it hands the bank to
     * the other side. index = bank + 2 * (0 SrcA, 1 SrcB); mask 1: the Matrix Unit takes it, or it
     * is handed to the Matrix Unit.
     */
    TX_ORDER_TAKE,
    TX_ORDER_GIVE,
    /* An unpacker begins or has ended an instruction: index = which unpacker. */
    TX_ORDER_BEGIN,
    TX_ORDER_END,
    /*
     * Events of a tile's RISC-V cores: thread is TX_ORDER_CORE + enum tx_core, word is the pc, row
     * is NULL. READ and WRITE: the core accesses configuration, GPRs, MopCfg, L1 or Dst, a store at
     * the time it leaves the core; for semaphores the mask of a WRITE is 1 for a post, 2 for a get.
     * PUSH: it pushes a word: index = thread, mask = the word. DONE: it has seen that a thread is
     * done (mask 1) or that its MOP Expander is (mask 0): index = thread. SEND, RECEIVE:
     * communication with another core: index = core, mask = enum tx_order_way. START: it begins to
     * run. NOC: it has loaded a counter of the NoC; mask = the requests that are complete once it
     * is high enough, a bit per enum tx_order_l1.
     */
    TX_ORDER_PUSH,
    TX_ORDER_DONE,
    TX_ORDER_SEND,
    TX_ORDER_RECEIVE,
    TX_ORDER_START,
    TX_ORDER_NOC
};
/* How L1 is accessed on behalf of a core. */
enum tx_order_l1 {
    TX_ORDER_L1_CORE,
    TX_ORDER_L1_ATOMIC,
    /* a read request to the NoC: the local data read, and the data delivered */
    TX_ORDER_L1_NOC_READ,
    TX_ORDER_L1_NOC_SOURCE, /* a write request to the NoC: the data that it sends */
    TX_ORDER_L1_NOC_WRITE   /* local data changed by a write or an atomic */
};
enum tx_order_way {
    TX_ORDER_MAILBOX,
    TX_ORDER_PC_BUFFER,
    TX_ORDER_PC_EMPTY /* received by B: the core waits for its next word, and its thread is done */
};
enum { TX_ORDER_CORE = 8 };

struct tx_order {
    uint32_t size; /* of this struct in the library's version */
    uint8_t kind;  /* enum tx_order_kind */
    uint8_t shared;
    uint8_t thread, unit; /* enum tx_unit */
    uint32_t word;
    uint32_t index, count, mask;
    /*
     * Instructions of the thread issued before it; of a scheduled one: before its SFPLOADMACRO. Of
     * a core: instructions that it had executed.
     */
    uint64_t number;
    uint64_t cycle;
    const struct tx_row *row;
};

/* A listener. Does not grow. */
struct tx_order_sink {
    void (*order)(void *user, const struct tx_order *order); /* NULL: no listener */
    void *user;
};
/* Sets the listener, which is copied; NULL removes it. tx_reset keeps it. */
TX_API void tx_order_listen(tx_machine *machine, const struct tx_order_sink *sink);

/* ---- alternative timings ---- */

/* A change of timing that the architecture permits. Does not grow. */
struct tx_delay {
    uint8_t thread; /* thread, or TX_ORDER_CORE + enum tx_core */
    /* true: its unit takes that many cycles longer; false: it reaches its gate that much later */
    bool late;
    uint16_t zero; /* must be 0 */
    uint32_t cycles;
    /*
     * Number of the thread's instruction, counted from 0 since this call. For a core: with late,
     * the number of its store to configuration, GPRs or Dst that arrives later, and later stores to
     * the same region with it; otherwise the cycle from which on it issues nothing.
     */
    uint64_t index;
};
/*
 * Sets delays for the instructions that follow. The machine's guarantees still hold: a unit
 * executes its instructions in order, and STALLWAIT waits for them. At most one late effect is
 * pending at a time. count 0: no delays any more. TX_ENOMEM.
 */
TX_API enum tx_status tx_order_delays(tx_machine *machine, const struct tx_delay *delays,
                                      size_t count);

#ifdef __cplusplus
}
#endif

#endif
