/* SPDX-License-Identifier: Apache-2.0 */
/*
 * State of everything around the Vector Unit: the queues and expanders that feed the threads, the
 * Wait Gates, the Scalar Unit, and what the Matrix Unit, unpackers, packers and mover have under
 * way.
 */
#ifndef TX_STATE_FRONT_H
#define TX_STATE_FRONT_H

#include <tensix/threads.h>

#include "base/bits.h"
#include "isa/op.h"
#include "state/pack.h"
#include "state/undefined.h"
#include "state/unpack.h"

/*
 * A ring of instruction words. Bit i of "counted" is set if the word in slot i counts towards the
 * limit on words that a core may have pushed.
 */
enum { QUEUE_WORDS = 32 };
struct queue {
    uint32_t word[QUEUE_WORDS];
    uint32_t counted;
    uint8_t head, count;
};

static inline void queue_put(struct queue *q, uint32_t word, bool counted)
{
    const unsigned place = (q->head + q->count) % QUEUE_WORDS;
    q->word[place] = word;
    q->counted = bits_set(q->counted, place, 1, counted);
    q->count++;
}

/* Removes the oldest word. Returns whether it counted towards the limit. */
static inline bool queue_take(struct queue *q)
{
    const bool counted = (q->counted >> q->head & 1u) != 0;
    q->head = (uint8_t)((q->head + 1u) % QUEUE_WORDS);
    q->count--;
    return counted;
}

struct mop {
    uint32_t config[9];
    uint32_t mask_hi;
    uint32_t mask;  /* template 0: bit mask of the iterations to come */
    uint32_t out;   /* the word that has been produced and not yet taken */
    uint16_t outer; /* template 1: number of the present outer iteration */
    /* Number of the present iteration (template 0) or inner iteration (template 1). */
    uint16_t inner;
    /* Iterations (template 0); outer count given by the MOP word, or 0 (template 1). */
    uint16_t count;
    uint16_t inner_count; /* template 1: inner count given by the MOP word, or 0 */
    uint8_t active, template1;
    uint8_t step;    /* which word of the iteration comes next */
    uint8_t waiting; /* "out" is valid */
    /* An expansion has just ended: a dead cycle follows unless the next word is a MOP. */
    uint8_t leaving;
};

struct replay {
    uint32_t word[32];
    uint8_t index, remaining; /* slot of the next word to record, and how many are still to come */
    uint8_t execute;
    uint8_t emit, emitting; /* slot of the next word to replay, and how many are left */
};

/* The Wait Gate of a thread: the word that stands there and the wait that is latched. */
struct wait_gate {
    uint64_t since;      /* first cycle in which the present word was held */
    uint64_t wait_since; /* cycle in which the wait was latched */
    uint64_t until;      /* the thread may pass again from this cycle on (Wormhole's RDCFG) */
    /* First cycle in which the thread's Matrix Unit instructions have completed. */
    uint64_t matrix;
    uint64_t vector; /* the same for the Vector Unit */
    uint64_t passed; /* instructions that have passed the gate */
    uint32_t word;   /* the word at the gate, valid if "present" */
    uint32_t wait_word;
    uint16_t block, conditions;
    uint16_t host_busy; /* conditions that the host reports as busy: set of enum tx_condition */
    uint8_t semaphores;
    uint8_t wait; /* enum tx_wait */
    uint8_t present, hold, other;
};

/* The instruction that the Scalar Unit executes; valid if "live". */
struct scalar {
    struct tx_op op;
    uint64_t start;
    /* First cycle in which the unit is free again, or (SCALAR_RETRY) in which it tries again. */
    uint64_t end;
    uint64_t atomic; /* first cycle in which another atomic may start */
    uint8_t live;
    uint8_t kind; /* enum scalar_kind */
};
/*
 * How the instruction ends: after a fixed time (SCALAR_TIMED), or when a condition holds that is
 * checked again in every cycle (FLUSHDMA, REG2FLOP, ATCAS, ATINCGETPTR, STOREIND to Src).
 */
enum scalar_kind { SCALAR_TIMED, SCALAR_FLUSH, SCALAR_CONFIG, SCALAR_RETRY, SCALAR_BANK };

/* A result on its way from memory to GPRs. */
struct request {
    uint64_t due; /* first cycle in which the GPRs hold it */
    uint32_t data[4];
    uint8_t live, thread, reg;
    uint8_t size; /* in bytes; 0 marks a store, which delivers nothing */
};
enum { REQUESTS = 16 };

/* A configuration write in the second stage of the Configuration Unit. */
struct config_write {
    uint64_t due; /* first cycle in which the new value is seen */
    uint32_t value[4];
    struct word_undefined undefined[4];
    uint16_t word;
    uint8_t live, bank, count, thread;
};
enum { CONFIG_WRITES = 2 };

/* Entry points that accept at most one instruction per cycle from all threads together. */
enum group {
    GROUP_FREE, /* no such limit */
    GROUP_VECTOR,
    GROUP_MATRIX,
    GROUP_UNPACK,
    GROUP_PACK,
    GROUP_MOVER,
    GROUP_SCALAR,
    GROUP_SYNC,
    GROUP_CONFIG, /* stage 0 of the Configuration Unit */
    GROUP_WRCFG,  /* stage -1 */
    GROUP_STREAM, /* stage -4 */
    GROUP_MUTEX,  /* one for each of the eight mutexes */
    GROUP_COUNT = GROUP_MUTEX + 8
};

enum { SRC_BANKS = 2 };

/* A row of Dst as it was before a MOVx2D, with its flags. */
struct matrix_old_row {
    uint16_t at, valid;
    uint16_t cells[TX_DST_WIDTH];
    uint16_t unknown, given, wide, narrow, tainted;
    uint16_t unused[3]; /* makes padding explicit */
};
enum { MATRIX_MOVE_CYCLES = 4, MATRIX_MOVE_ROWS = 16 };
struct matrix_moved {
    uint64_t cycle, count;
    struct matrix_old_row row[MATRIX_MOVE_ROWS];
};

/* Until when the Matrix Unit's latest instructions hold others back. */
struct matrix_time {
    /* Per block of eight physical rows: first cycle in which it can be read. */
    uint64_t dst_block[TX_DST_ROWS / 8];
    uint64_t stored[TX_DST_ROWS / 8]; /* the same after an SFPSTORE, for packers */
    uint64_t stored_until;            /* latest time in "stored" */
    /* Rows overwritten by recent moves, by the cycle of the move. */
    struct matrix_moved old[MATRIX_MOVE_CYCLES];
    uint64_t zeroed;      /* cycle after the last ZEROSRC that did not choose the unpacker's bank */
    uint64_t zeroed_both; /* cycle after the last ZEROSRC that cleared both banks */
    uint64_t until;       /* no time of this struct is later, stored_until aside */
    /* MOVx2D: before this cycle, instructions with HELD_BY_MOVE (isa/matrix.def) are held. */
    uint64_t moved;
    uint64_t to_srca; /* MOVB2A, MOVD2A: before this cycle only these two are accepted */
    uint64_t to_srcb; /* MOVD2B: before this cycle only MOVD2B is accepted */
    uint64_t shifted; /* SHIFTXB: before this cycle nothing is accepted */
};

/* The transfer that the mover executes; valid if "live". */
struct mover {
    struct tx_op op;
    uint64_t until; /* first cycle in which its bytes are seen */
    uint32_t source, target, bytes;
    /* As configured: 0 clears L1, 1 copies L1 to L0, 2 clears L0, 3 copies L1 to L1. */
    uint8_t direction;
    uint8_t live;
};

struct units {
    struct wait_gate gate[3];
    struct mover mover;
    struct scalar scalar;
    struct request request[REQUESTS];
    struct config_write config_write[CONFIG_WRITES];
    uint64_t config_stage0; /* cycle in which an earlier instruction occupies stage 0 */
    uint64_t config_until;  /* cycle from which on the Configuration Unit is empty */
    uint64_t thcon_write;   /* cycle after the last configuration write to the THCON words */
    uint8_t requests, config_writes; /* number of live entries of the arrays above */
    uint8_t waits;                   /* number of gates with a latched wait */
    /* Thread that entered last, for round-robin arbitration. */
    uint8_t last[GROUP_COUNT];
    uint8_t mutex[8];                       /* 0: free, otherwise 1 + the thread that holds it */
    uint8_t matrix_bank[2], unpack_bank[2]; /* bank in use, of SrcA and SrcB */
    uint8_t bank_owner[2][SRC_BANKS];       /* 1: the bank belongs to the Matrix Unit */
    uint64_t bank_seen[2][SRC_BANKS];       /* first cycle in which the new owner sees it */
    uint64_t banks_until;                   /* largest value of bank_seen */
    uint8_t implied_format[2][SRC_BANKS];   /* Blackhole: format of the data in a bank */
    uint8_t last_srca;                      /* SrcA row of the latest instruction that had one */
    struct matrix_time matrix;
    struct unpack unpack;
    struct packers pack;
};

struct front {
    struct queue queue[3][TX_QUEUE_COUNT];
    /* The word that RISC-V B pushes behind the MOP Expander in the next cycle. */
    uint32_t behind[3];
    uint8_t behind_live[3];
    uint8_t pushed[3]; /* words that count towards the limit on pushed ones */
    uint8_t queued[3]; /* the thread is fed by its queues, until they are empty */
    struct mop mop[3];
    struct replay replay[3];
    /*
     * Resources that RESOURCEDECL has declared for each class, with DECLARED set; 0: none declared.
     */
    uint16_t declared[3][16];
};
enum { DECLARED = 1 << 15, DECLARED_RESOURCES = 511 };

#endif
