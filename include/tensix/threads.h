/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A machine with all three threads and their front ends. A pushed word goes through the MOP
 * Expander, the Replay Expander and the Wait Gate of its thread, one stage per cycle, with a queue
 * before each; behind the gates the threads share the units. Source: isa pages MOPExpander, REPLAY,
 * WaitGate, STALLWAIT and those of the units; docs/evidence.md has what they leave open.
 *
 *     tx_host_default(&host);
 *     host.l1 = memory, host.l1_size = sizeof memory;
 *     tx_host_set(m, &host);
 *     const struct tx_stream streams[TX_THREADS] = {{words0, count0}, {words1, count1}, {0}};
 *     switch (tx_run_threads(m, streams, 1000000)) { ... }
 *
 * tx_run and tx_cycle of machine.h run the same machine with one thread whose expanders always have
 * input: there are no queues, and no cycle is lost after a MOP.
 */
#ifndef TENSIX_THREADS_H
#define TENSIX_THREADS_H

#include <tensix/machine.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the machine's environment ---- */

/*
 * Conditions of STALLWAIT and FLUSHDMA by their meaning; their bits differ by chip
 * (isa/conditions.def).
 */
enum tx_condition {
    TX_CONDITION_MEMORY,  /* the Scalar Unit has memory requests in progress */
    TX_CONDITION_UNPACK0, /* this and the next seven are known only to the host */
    TX_CONDITION_UNPACK1,
    TX_CONDITION_PACK0, /* Blackhole: the only packer */
    TX_CONDITION_PACK1,
    TX_CONDITION_PACK2,
    TX_CONDITION_PACK3,
    TX_CONDITION_MATRIX, /* the machine knows SETRWC and INCRWC, the host the rest */
    /* With a port handler this and the next three follow TX_FILE_SRC_BANK. */
    TX_CONDITION_SRCA_UNPACK,
    TX_CONDITION_SRCB_UNPACK,
    TX_CONDITION_SRCA_MATRIX,
    TX_CONDITION_SRCB_MATRIX,
    TX_CONDITION_MOVER,
    TX_CONDITION_RISC,
    TX_CONDITION_VECTOR,
    TX_CONDITION_CONFIG, /* Blackhole */
    TX_CONDITION_COUNT
};
TX_API const char *tx_condition_name(enum tx_condition condition);
TX_API const char *tx_condition_text(enum tx_condition condition); /* names what is busy */
/* Returns the condition's bit in STALLWAIT's mask; -1 where the chip has none. */
TX_API int tx_condition_bit(enum tx_arch arch, enum tx_condition condition);
/*
 * Marks a condition as busy for a thread, in addition to what the machine itself knows. TX_EINVAL:
 * no such thread or condition.
 */
TX_API enum tx_status tx_condition_set(tx_machine *machine, unsigned thread,
                                       enum tx_condition condition, bool busy);
/* Returns the condition as a STALLWAIT of that thread would see it now. */
TX_API bool tx_condition_get(const tx_machine *machine, unsigned thread,
                             enum tx_condition condition);

/*
 * One memory access of the Scalar Unit: to L1 below the chip's size, to registers from 0xFFB11000
 * on.
 */
struct tx_access {
    uint32_t struct_size; /* of this struct in the library's version */
    uint32_t address;
    uint32_t data[4]; /* for a read: to be filled in; little endian, low bytes of data[0] first */
    uint8_t size;     /* 1, 2, 4 or 16 bytes, aligned */
    bool write;
    uint8_t thread;
    uint64_t cycle;
};

/*
 * An instruction of a unit that is not modelled, or the part of an instruction that reaches such a
 * unit.
 */
struct tx_port {
    uint32_t size; /* of this struct in the library's version */
    uint32_t word;
    uint8_t thread;
    uint8_t unit; /* enum tx_unit */
    uint64_t cycle;
    uint64_t number;                     /* the number in its events */
    const struct tx_insn *insn;          /* name and operands */
    uint32_t fields[TX_INSN_MAX_FIELDS]; /* raw values, in the order of insn->fields */
    /* STOREIND to SrcA, SrcB: the four 19-bit data, and in address the 20-bit index. */
    uint32_t values[4];
    uint32_t address;
    /*
     * For an instruction of the Matrix Unit that writes Dst (tx_insn_fpu_writes): the rows that it
     * writes. They are 0 and 1024 when the handler is called, which may narrow them down; 0 rows:
     * none. Loads of these rows that follow too soon are a finding, as after tx_fpu_wrote (E-FPU).
     */
    uint16_t dst_first, dst_rows;
};

enum tx_port_answer {
    TX_PORT_REFUSE, /* stop the machine, as without a handler */
    TX_PORT_TAKEN,
    /*
     * not in this cycle: the instruction waits at its gate and is offered again. STOREIND to SrcA,
     * SrcB waits in the Scalar Unit, where it also waits for its bank
     */
    TX_PORT_BUSY
};

/* What the host provides to the machine. */
struct tx_host {
    uint32_t size; /* of this struct, set by tx_host_default */
    uint8_t *l1;   /* owned by the caller. NULL: no L1, or the machine's own from tx_l1_allocate */
    uint32_t l1_size;
    /* If set, receives every access to registers or L1. Returning false refuses it: a fault. */
    bool (*memory)(void *user, struct tx_access *access);
    enum tx_port_answer (*port)(void *user, struct tx_port *port);
    void *user;
    /* Cycles from the issue of a load to the first instruction that can use its result, 4..255. */
    uint8_t load_cycles;   /* LOADIND, LOADREG: 10 */
    uint8_t atomic_cycles; /* ATINCGET: 27 */
    uint8_t reserved[6];   /* zero */
};

TX_API void tx_host_default_sized(struct tx_host *host, size_t size);
static inline void tx_host_default(struct tx_host *host)
{
    tx_host_default_sized(host, sizeof *host);
}
/*
 * Copies *host. Handlers may call tx_read, tx_condition_set and tx_write, but no function that runs
 * the machine.
 */
TX_API enum tx_status tx_host_set(tx_machine *machine, const struct tx_host *host);

/* ---- L1 ---- */

/*
 * Returns the bytes of L1 of a chip: 1464 KiB on Wormhole, 1536 KiB on Blackhole; 0: no such chip.
 */
TX_API uint32_t tx_l1_size(enum tx_arch arch);
/*
 * Gives the machine an L1 of its own, filled with zeros that count as not written: a unit that
 * reads such bytes records a finding (E-L1INIT). It is used where the host gives no memory, and
 * tx_reset leaves it unchanged; a second call clears it. TX_ENOMEM.
 */
TX_API enum tx_status tx_l1_allocate(tx_machine *machine);
/*
 * Reports (E-L1INIT) if nobody has written some of these bytes of the machine's own L1, which the
 * host is about to read as a result. TX_EINVAL: beyond L1, or the machine has none of its own;
 * TX_FAULT: in strict mode, if there are such bytes.
 */
TX_API enum tx_status tx_l1_check(tx_machine *machine, uint32_t address, size_t size);
/*
 * Read and write bytes of L1, the host's or the machine's own; bytes written here count as written.
 * TX_EINVAL: they reach beyond L1; TX_ENOENT: there is none, or it is behind the host's memory
 * function.
 */
TX_API enum tx_status tx_l1_read(const tx_machine *machine, uint32_t address, void *bytes,
                                 size_t size);
TX_API enum tx_status tx_l1_write(tx_machine *machine, uint32_t address, const void *bytes,
                                  size_t size);

/* ---- pushing and running ---- */

/*
 * Pushes words to a thread's queue, in order, as far as it has room, and returns how many it took.
 * A RISC-V core pushes one per cycle.
 */
TX_API size_t tx_push(tx_machine *machine, unsigned thread, const uint32_t *words, size_t count);
/*
 * Pushes a word behind the MOP Expander in the next cycle, as RISC-V B does. A word that the
 * expander emits in the same cycle is lost, with a finding. Returns false where a word is already
 * there, or the queue is full.
 */
TX_API bool tx_push_behind(tx_machine *machine, unsigned thread, uint32_t word);
/* Writes MopCfg[index], index 0..8. It takes effect at once, even during an expansion. */
TX_API enum tx_status tx_mop_config(tx_machine *machine, unsigned thread, unsigned index,
                                    uint32_t value);
/*
 * Writes down what the MOP Expander makes of a MOP word with this MopCfg, which stays as it is
 * meanwhile; mask_high is what MOP_CFG has set. words receives the first room of them, count how
 * many there are: two million at most. TX_EINVAL: not a MOP of the chip.
 */
TX_API enum tx_status tx_mop_expand(enum tx_arch arch, uint32_t word, const uint32_t config[9],
                                    uint32_t mask_high, uint32_t *words, size_t room,
                                    size_t *count);

/*
 * Runs the whole machine for so many cycles. Returns TX_FAULT, TX_ELIMIT by tx_watch, or TX_OK,
 * which does not mean progress: ask tx_idle and tx_stuck.
 */
TX_API enum tx_status tx_step(tx_machine *machine, uint64_t cycles);
/*
 * Tells whether nothing is queued, held, executing or outstanding. Instructions that SFPLOADMACRO
 * has scheduled and that wait for further issues do not count.
 */
TX_API bool tx_idle(const tx_machine *machine);
/*
 * Tells whether a word waits and no action of the machine can release it, only the host. It is
 * reported after three cycles without any progress, or after 1000 where the host takes part (its
 * handler says busy, or an atomic of the Scalar Unit retries).
 */
TX_API bool tx_stuck(const tx_machine *machine);
/*
 * Runs until the machine is idle. TX_EDEADLOCK: stuck, see tx_wait_text. TX_ELIMIT: after limit
 * cycles.
 */
TX_API enum tx_status tx_run_idle(tx_machine *machine, uint64_t limit);

struct tx_stream {
    const uint32_t *words;
    size_t count;
};
/* Pushes one word per thread and cycle, as far as the queues have room, and runs until idle. */
TX_API enum tx_status tx_run_threads(tx_machine *machine,
                                     const struct tx_stream streams[TX_THREADS], uint64_t limit);

/* ---- inspecting ---- */

enum tx_queue { TX_QUEUE_MOP, TX_QUEUE_REPLAY, TX_QUEUE_GATE, TX_QUEUE_COUNT };
/*
 * Copies the words waiting before a stage, oldest first, at most max of them, and returns how many
 * are waiting. words may be NULL.
 */
TX_API size_t tx_queue_words(const tx_machine *machine, unsigned thread, enum tx_queue queue,
                             uint32_t *words, size_t max);
TX_API size_t tx_queue_capacity(const tx_machine *machine, unsigned thread, enum tx_queue queue);

/* Why the word at the gate did not pass in the last cycle. */
enum tx_hold {
    TX_HOLD_NONE,
    TX_HOLD_SCALAR_OWN,  /* the thread's Scalar Unit instruction still executes */
    TX_HOLD_WAIT,        /* blocked by the block mask of the latched wait */
    TX_HOLD_UNIT,        /* the unit is executing */
    TX_HOLD_ARBITRATION, /* another thread's instruction entered the unit */
    TX_HOLD_INTERLOCK,   /* stalled by the Vector Unit's interlock, see TX_EVENT_STALL */
    TX_HOLD_MUTEX,       /* held by another thread, or no such mutex */
    TX_HOLD_CONFIG,      /* the Configuration Unit's stage is occupied */
    TX_HOLD_READ,        /* the thread's UNPACR or (Wormhole) RDCFG still executes */
    TX_HOLD_REQUESTS,    /* too many memory requests in progress */
    TX_HOLD_HOST,        /* the host's handler said busy */
    TX_HOLD_BANK,        /* a bank of SrcA or SrcB does not belong to the Matrix Unit */
    TX_HOLD_DST,         /* Dst rows that it reads are still being written */
    TX_HOLD_COUNT
};
TX_API const char *tx_hold_text(enum tx_hold hold);

enum tx_wait { TX_WAIT_NONE, TX_WAIT_STALLWAIT, TX_WAIT_SEMWAIT };

/* The state of a thread's Wait Gate. */
struct tx_gate {
    bool present; /* a word waits at the gate */
    uint32_t word;
    enum tx_hold hold;
    uint64_t since;    /* first cycle in which it was held */
    uint8_t other;     /* the thread that blocks it; TX_THREADS: none */
    enum tx_wait wait; /* the latched wait instruction */
    uint32_t wait_word;
    uint64_t wait_since;
    uint16_t block;      /* block mask B0..B8 */
    uint16_t conditions; /* STALLWAIT: condition mask in the chip's bits; SEMWAIT: C0, C1 */
    uint16_t busy;       /* those conditions that hold it now */
    uint8_t semaphores;  /* SEMWAIT: mask of semaphores; busy_semaphores: those that hold it now */
    uint8_t busy_semaphores;
};
TX_API void tx_gate_read_sized(const tx_machine *machine, unsigned thread, struct tx_gate *gate,
                               size_t size);
static inline struct tx_gate tx_gate_read(const tx_machine *machine, unsigned thread)
{
    struct tx_gate gate;
    tx_gate_read_sized(machine, thread, &gate, sizeof gate);
    return gate;
}

/*
 * Writes one line on what a thread waits for and since when: "T1 waits since cycle 12 before
 * sfpload ... for semaphore 2 to be above 0". Returns false, with an empty line, where it does not
 * wait. 256 bytes suffice.
 */
TX_API bool tx_wait_text(const tx_machine *machine, unsigned thread, char *text, size_t size);
/*
 * Writes what would end the wait that tx_wait_text tells, and whose it is to do: "SEMPOST of
 * semaphore 2". Returns false, with an empty text, where the thread does not wait. 160 bytes
 * suffice.
 */
TX_API bool tx_wait_end(const tx_machine *machine, unsigned thread, char *text, size_t size);
/*
 * Writes what the latched STALLWAIT or SEMWAIT of a thread waits for: "semaphore 2 (0 of 1) to be
 * above 0", "SRCA_MATRIX (C6)". Returns false, with an empty text, where there is none. 256 bytes
 * suffice.
 */
TX_API bool tx_wait_reason(const tx_machine *machine, unsigned thread, char *text, size_t size);

/* The Scalar Unit and the instruction that it executes, if any. */
struct tx_scalar {
    bool busy;
    uint8_t thread;
    uint32_t word;
    uint64_t since;
    unsigned requests[TX_THREADS]; /* memory requests in progress */
};
TX_API void tx_scalar_read_sized(const tx_machine *machine, struct tx_scalar *scalar, size_t size);
static inline struct tx_scalar tx_scalar_read(const tx_machine *machine)
{
    struct tx_scalar scalar;
    tx_scalar_read_sized(machine, &scalar, sizeof scalar);
    return scalar;
}

/* An instruction in an unpacker's queue. */
struct tx_unpack_job {
    uint8_t thread;
    bool fetching; /* it is being executed; else it waits for its turn or its bank */
    uint32_t word;
    uint64_t number, since; /* number as in its events; cycle in which it passed its gate */
    /* Number of its thread's instructions that have passed since, itself included. */
    uint64_t passed;
};
/* Reads one of an unpacker's instructions; index 0 is the oldest. Returns false past the last. */
TX_API bool tx_unpacker_read_sized(const tx_machine *machine, unsigned unpacker, unsigned index,
                                   struct tx_unpack_job *job, size_t size);
static inline bool tx_unpacker_read(const tx_machine *machine, unsigned unpacker, unsigned index,
                                    struct tx_unpack_job *job)
{
    return tx_unpacker_read_sized(machine, unpacker, index, job, sizeof *job);
}

#ifdef __cplusplus
}
#endif

#endif
