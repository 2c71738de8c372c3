/* SPDX-License-Identifier: Apache-2.0 */
/* What stands in front of and beside the Vector Unit: queues, expanders, gates, Scalar Unit. */
#ifndef TX_STATE_FRONT_H
#define TX_STATE_FRONT_H

#include <tensix/threads.h>

#include "base/bits.h"
#include "isa/op.h"
#include "state/pack.h"
#include "state/unpack.h"

/* A queue of words. counted: bit per place, the word counts for the limit on pushed ones. */
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

/* Takes the oldest word; returns whether it counted. */
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
    uint32_t mask;  /* template 0: of the iterations to come */
    uint32_t out;   /* word that has been produced and not yet taken */
    uint16_t outer; /* template 1: which iteration */
    uint16_t inner; /* template 0: which iteration; template 1: which of the inner loop */
    uint16_t count; /* template 0: iterations; template 1: outer count out of the word, or 0 */
    uint16_t inner_count; /* template 1: inner count out of the word, or 0 */
    uint8_t active, template1;
    uint8_t step;    /* what of the iteration comes next */
    uint8_t waiting; /* out is meaningful */
    uint8_t leaving; /* an expansion has just ended: one dead cycle unless a MOP follows */
};

struct replay {
    uint32_t word[32];
    uint8_t index, remaining; /* of a recording under way */
    uint8_t execute;
    uint8_t emit, emitting; /* of a replay under way: next slot, words left */
};

/* The gate of a thread. */
struct wait_gate {
    uint64_t since;      /* first cycle in which the present word was held */
    uint64_t wait_since; /* of the latched wait */
    uint64_t until;      /* the thread may pass again from this cycle on (Wormhole's RDCFG) */
    uint64_t matrix;     /* first cycle in which its Matrix Unit instructions are over */
    uint64_t vector;     /* the same of the Vector Unit */
    uint64_t passed;     /* instructions that have passed it */
    uint32_t word;       /* at the gate, if present */
    uint32_t wait_word;
    uint16_t block, conditions;
    uint16_t host_busy; /* set of enum tx_condition */
    uint8_t semaphores;
    uint8_t wait; /* enum tx_wait */
    uint8_t present, hold, other;
};

/* The instruction that the Scalar Unit executes. */
struct scalar {
    struct tx_op op;
    uint64_t start;
    uint64_t end;    /* first cycle in which it is free again; of a retry: of the next attempt */
    uint64_t atomic; /* first cycle in which another atomic may start */
    uint8_t live;
    uint8_t kind; /* enum scalar_kind */
};
/* How it ends: by time; FLUSHDMA, REG2FLOP, ATCAS and ATINCGETPTR look again every time. */
enum scalar_kind { SCALAR_TIMED, SCALAR_FLUSH, SCALAR_CONFIG, SCALAR_RETRY, SCALAR_BANK };

/* A result under way from memory to GPRs. */
struct request {
    uint64_t due; /* first cycle that sees it */
    uint32_t data[4];
    uint8_t live, thread, reg;
    uint8_t size; /* bytes; 0: a store, nothing is delivered */
};
enum { REQUESTS = 16 };

/* A configuration write in the second stage of the Configuration Unit. */
struct config_write {
    uint64_t due; /* first cycle that sees it */
    uint32_t value[4];
    uint16_t word;
    uint8_t live, bank, count, thread;
};
enum { CONFIG_WRITES = 2 };

/* Where at most one instruction per cycle enters, over all threads. */
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
    GROUP_MUTEX,  /* and one for each of the eight */
    GROUP_COUNT = GROUP_MUTEX + 8
};

enum { SRC_BANKS = 2 };

/* What the Matrix Unit's latest instructions keep from being accepted, and until when. */
/* A row of Dst before a MOVx2D, and what goes with it. */
struct matrix_old_row {
    uint16_t at, valid;
    uint16_t cells[TX_DST_WIDTH];
    uint16_t unknown, given, wide, narrow;
};
enum { MATRIX_MOVE_CYCLES = 4, MATRIX_MOVE_ROWS = 16 };
struct matrix_moved {
    uint64_t cycle, count;
    struct matrix_old_row row[MATRIX_MOVE_ROWS];
};

struct matrix_time {
    uint64_t dst_block[TX_DST_ROWS / 8]; /* first cycle in which eight physical rows can be read */
    uint64_t stored[TX_DST_ROWS / 8];    /* the same after SFPSTORE, for packers */
    uint64_t stored_until;               /* no row is later */
    struct matrix_moved old[MATRIX_MOVE_CYCLES]; /* by the move's cycle */
    uint64_t zeroed;      /* cycle after the last ZEROSRC that did not choose the unpacker's bank */
    uint64_t zeroed_both; /* it cleared both banks */
    uint64_t until;       /* none of this lasts longer */
    uint64_t moved;       /* MOVx2D: what reads Dst or multiplies is held before this cycle */
    uint64_t to_srca;     /* MOVB2A, MOVD2A: before this cycle only they are accepted */
    uint64_t to_srcb;     /* MOVD2B: before this cycle only it is */
    uint64_t shifted;     /* SHIFTXB: before this cycle nothing is */
};

/* The transfer that the mover is at. */
struct mover {
    struct tx_op op;
    uint64_t until; /* first cycle that sees its bytes */
    uint32_t source, target, bytes;
    uint8_t direction; /* as in configuration: 0 clears L1, 1 L1 to L0, 2 clears L0, 3 L1 to L1 */
    uint8_t live;
};

struct units {
    struct wait_gate gate[3];
    struct mover mover;
    struct scalar scalar;
    struct request request[REQUESTS];
    struct config_write config_write[CONFIG_WRITES];
    uint64_t config_stage0; /* cycle in which an earlier instruction occupies stage 0 */
    uint64_t config_until;  /* cycle from which the Configuration Unit is empty */
    uint64_t thcon_write;   /* cycle after the last configuration write to the THCON words */
    uint8_t requests, config_writes;        /* live members */
    uint8_t waits;                          /* gates with a latched wait */
    uint8_t last[GROUP_COUNT];              /* thread that entered last */
    uint8_t mutex[8];                       /* 0 free, else 1 + thread */
    uint8_t matrix_bank[2], unpack_bank[2]; /* of SrcA, SrcB */
    uint8_t bank_owner[2][SRC_BANKS];       /* 1: the Matrix Unit */
    uint8_t implied_format[2][SRC_BANKS];   /* Blackhole: of the data in a bank */
    uint8_t last_srca;                      /* SrcA row of the latest instruction that had one */
    struct matrix_time matrix;
    struct unpack unpack;
    struct packers pack;
};

struct front {
    struct queue queue[3][TX_QUEUE_COUNT];
    uint32_t behind[3]; /* RISC-V B's word of the next cycle */
    uint8_t behind_live[3];
    uint8_t pushed[3]; /* words that count for the limit on pushed ones */
    uint8_t queued[3]; /* the thread is fed by its queues, until they have run dry */
    struct mop mop[3];
    struct replay replay[3];
    /* What RESOURCEDECL has said of each class, and DECLARED; 0: nothing. */
    uint16_t declared[3][16];
};
enum { DECLARED = 1 << 15, DECLARED_RESOURCES = 511 };

#endif
