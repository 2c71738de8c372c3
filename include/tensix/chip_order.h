/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports, while a chip runs, what its cores do to registers and what requests do on their way. It
 * is for tools that determine the order that a program enforces between tiles (spec/order-chip.md);
 * accesses of cores to L1 are reported by each tile's machine (tensix/order.h). It costs nothing
 * while there is no listener.
 */
#ifndef TENSIX_CHIP_ORDER_H
#define TENSIX_CHIP_ORDER_H

#include <tensix/chip.h>

#ifdef __cplusplus
extern "C" {
#endif

enum tx_chip_order_kind {
    /*
     * A core has loaded or stored a word that is neither in L1 nor in its local memory: address,
     * bytes, value. core is TX_CORES for STOREREG and LOADREG of the coprocessor.
     */
    TX_CHIP_ORDER_LOAD,
    TX_CHIP_ORDER_STORE,
    /* A request starts: request; receivers has the endpoints that a write or an atomic goes to. */
    TX_CHIP_ORDER_GO,
    /* A packet has left its sender, which has read the source of a write. */
    TX_CHIP_ORDER_LEAVE,
    /* A packet has acted at the endpoint index. */
    TX_CHIP_ORDER_ACT,
    /* The answer of a packet has arrived; the data of a read, the result of an atomic are there. */
    TX_CHIP_ORDER_ANSWER
};

/* A request, or one packet of it, with raw coordinates replaced by indices of endpoints. */
struct tx_chip_transfer {
    uint64_t target, back; /* NOC_TARG_ADDR and NOC_RET_ADDR */
    uint64_t length;       /* bytes; of an atomic 4 */
    uint64_t mask;         /* bytes that a write with a mask or an inline write changes */
    uint32_t from;         /* endpoint whose interface sends it */
    uint32_t to;           /* endpoint that it acts at; of a broadcast the end of the rectangle */
    uint32_t answer;       /* endpoint that the answer goes to */
    uint32_t rectangle;    /* where it goes, as the initiator has it; equal ones are one way */
    uint32_t control, tag, atomic, data;
    uint32_t sequence; /* its number at that interface */
    uint32_t packets;
    uint8_t noc, initiator, core; /* core: TX_CORES where it was none */
    uint8_t kind;                 /* 0 read, 1 atomic, 2 write */
    uint8_t channel;              /* static one; 255: none */
    bool answered;                /* an answer is asked for */
    bool is_inline, masked, many, linked, own_too, host;
    uint8_t transaction;
    uint8_t reserved[5];
};

struct tx_chip_order {
    uint32_t size; /* of this struct in the library's version */
    uint8_t kind;  /* enum tx_chip_order_kind */
    uint8_t core;
    uint8_t bytes;
    uint8_t reserved;
    uint32_t index; /* the endpoint */
    uint32_t pc, value;
    uint64_t address, number, cycle; /* number: instructions that the core had executed */
    const struct tx_chip_transfer *transfer;
    const uint32_t *receivers;
    uint32_t receiver_count;
};

/* A listener. Does not grow. */
struct tx_chip_order_sink {
    void (*order)(void *user, const struct tx_chip_order *order); /* NULL: no listener */
    void *user;
};
/*
 * Sets who is told; NULL: nobody. The sink is copied. It is called from functions that run the chip
 * or reach into it, and must not call functions that change the chip. With an executor
 * (tx_chip_execute) it is called on several threads at once.
 */
TX_API void tx_chip_order_listen(tx_chip *chip, const struct tx_chip_order_sink *sink);

#ifdef __cplusplus
}
#endif

#endif
