/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Three threads through their front ends. A word that is pushed goes through the MOP Expander, the
 * Replay Expander and the Wait Gate of its thread, one stage per cycle, with a queue before each;
 * behind the gates the threads share the units. Source: isa pages MOPExpander, REPLAY, WaitGate,
 * STALLWAIT and those of the units; what they leave open stands in docs/evidence.md.
 *
 *     tx_host_default(&host);
 *     host.l1 = memory, host.l1_size = sizeof memory;
 *     tx_host_set(m, &host);
 *     const struct tx_stream streams[TX_THREADS] = {{words0, count0}, {words1, count1}, {0}};
 *     switch (tx_run_threads(m, streams, 1000000)) { ... }
 *
 * tx_run and tx_cycle of machine.h are the same machine with one thread whose expanders are always
 * fed: no queues, and no cycle is lost behind a MOP.
 */
#ifndef TENSIX_THREADS_H
#define TENSIX_THREADS_H

#include <tensix/machine.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what surrounds the machine ---- */

/* Conditions of STALLWAIT and FLUSHDMA, by meaning; the bits differ by chip (isa/conditions.def).
 */
enum tx_condition {
    TX_CONDITION_MEMORY,  /* requests of the Scalar Unit under way */
    TX_CONDITION_UNPACK0, /* of these eight the host alone knows */
    TX_CONDITION_UNPACK1,
    TX_CONDITION_PACK0, /* Blackhole: the only packer */
    TX_CONDITION_PACK1,
    TX_CONDITION_PACK2,
    TX_CONDITION_PACK3,
    TX_CONDITION_MATRIX,      /* SETRWC and INCRWC count, the rest is the host's */
    TX_CONDITION_SRCA_UNPACK, /* these four follow TX_FILE_SRC_BANK where there is a port handler */
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
TX_API const char *tx_condition_text(enum tx_condition condition); /* what is busy */
/* Bit of STALLWAIT's condition mask; -1 where the chip has none. */
TX_API int tx_condition_bit(enum tx_arch arch, enum tx_condition condition);
/* Makes a condition busy for a thread, besides what the machine itself knows. TX_EINVAL. */
TX_API enum tx_status tx_condition_set(tx_machine *machine, unsigned thread,
                                       enum tx_condition condition, bool busy);
/* As a STALLWAIT of that thread would see it now. */
TX_API bool tx_condition_get(const tx_machine *machine, unsigned thread,
                             enum tx_condition condition);

/* One access of the Scalar Unit: L1 below the chip's size, registers from 0xFFB11000 on. */
struct tx_access {
    uint32_t struct_size; /* of this struct, as the library has it */
    uint32_t address;
    uint32_t data[4]; /* read: to be filled in; little endian, low bytes of data[0] first */
    uint8_t size;     /* 1, 2, 4 or 16 bytes, aligned */
    bool write;
    uint8_t thread;
    uint64_t cycle;
};

/* An instruction of a unit that is not modelled, or a part of one that reaches such a unit. */
struct tx_port {
    uint32_t size; /* of this struct, as the library has it */
    uint32_t word;
    uint8_t thread;
    uint8_t unit; /* enum tx_unit */
    uint64_t cycle;
    uint64_t number;                     /* as its events have it */
    const struct tx_insn *insn;          /* its name and operands */
    uint32_t fields[TX_INSN_MAX_FIELDS]; /* raw, in the order of insn->fields */
    /*
     * STOREIND to SrcA, SrcB: the four 19-bit data; address: the 20-bit index.
     */
    uint32_t values[4];
    uint32_t address;
    /*
     * A word of the Matrix Unit that writes Dst (tx_insn_fpu_writes): the rows it writes, 0 and
     * 1024 at the call, for the handler to narrow down. Loads of them that follow too soon are a
     * finding, as after tx_fpu_wrote (E-FPU). 0 rows: none.
     */
    uint16_t dst_first, dst_rows;
};

enum tx_port_answer {
    TX_PORT_REFUSE, /* the machine stops, as it does without a handler */
    TX_PORT_TAKEN,
    TX_PORT_BUSY /* not in this cycle: it waits and is offered again. It waits at its gate; STOREIND
                    to SrcA, SrcB in the Scalar Unit, where it also waits for its bank */
};

struct tx_host {
    uint32_t size; /* of this struct, set by tx_host_default */
    uint8_t *l1;   /* L1; stays the caller's. NULL: none, or the machine's own, tx_l1_allocate */
    uint32_t l1_size;
    /* Where it is given, every access, register or L1, goes here. false: refused, a fault. */
    bool (*memory)(void *user, struct tx_access *access);
    enum tx_port_answer (*port)(void *user, struct tx_port *port);
    void *user;
    /* Cycles from the issue of a load to the first instruction that sees its result, 4..255. */
    uint8_t load_cycles;   /* LOADIND, LOADREG: 10 */
    uint8_t atomic_cycles; /* ATINCGET: 27 */
    uint8_t reserved[6];   /* zero */
};

TX_API void tx_host_default_sized(struct tx_host *host, size_t size);
static inline void tx_host_default(struct tx_host *host)
{
    tx_host_default_sized(host, sizeof *host);
}
/* Copies *host. Handlers may call tx_read, tx_condition_set and tx_write, nothing that runs. */
TX_API enum tx_status tx_host_set(tx_machine *machine, const struct tx_host *host);

/* ---- L1 ---- */

/* Bytes of L1 of a chip: 1464 KiB on Wormhole, 1536 KiB on Blackhole; 0: no such chip. */
TX_API uint32_t tx_l1_size(enum tx_arch arch);
/*
 * Gives the machine an L1 of its own, zero and not yet written: a unit that reads bytes of it that
 * nobody has written records a finding (E-L1INIT). It is used where the host gives no memory, it
 * stays as it is over tx_reset, and asking again clears it. TX_ENOMEM.
 */
TX_API enum tx_status tx_l1_allocate(tx_machine *machine);
/*
 * Bytes of L1, the host's or the machine's own; what is written counts as written. TX_EINVAL: they
 * reach beyond it; TX_ENOENT: there is none, or only the host's function knows it.
 */
TX_API enum tx_status tx_l1_read(const tx_machine *machine, uint32_t address, void *bytes,
                                 size_t size);
TX_API enum tx_status tx_l1_write(tx_machine *machine, uint32_t address, const void *bytes,
                                  size_t size);

/* ---- pushing and running ---- */

/* Words that a thread's queue takes now, in order; returns how many it took. A RISC-V core pushes
 * one per cycle. */
TX_API size_t tx_push(tx_machine *machine, unsigned thread, const uint32_t *words, size_t count);
/*
 * RISC-V B's way in, behind the MOP Expander, in the next cycle. A word that the expander emits in
 * the same cycle is lost, with a finding. false: a word is there already, or the queue is full.
 */
TX_API bool tx_push_behind(tx_machine *machine, unsigned thread, uint32_t word);
/* MopCfg[index], index 0..8; takes effect at once, in the middle of an expansion too. */
TX_API enum tx_status tx_mop_config(tx_machine *machine, unsigned thread, unsigned index,
                                    uint32_t value);

/*
 * One cycle of everything, or as many as given. TX_FAULT, TX_ELIMIT by tx_watch, or TX_OK: whether
 * anything moves is tx_idle's and tx_stuck's to say.
 */
TX_API enum tx_status tx_step(tx_machine *machine, uint64_t cycles);
/* Nothing is queued, held, executing or outstanding. Instructions that SFPLOADMACRO has scheduled
 * and that wait for others to be issued do not count. */
TX_API bool tx_idle(const tx_machine *machine);
/*
 * A word waits and nothing that the machine does can release it: only the host could. Where the
 * host takes part (its handler says busy, or an atomic of the Scalar Unit retries) this is said
 * after 1000 cycles without any progress, otherwise after three.
 */
TX_API bool tx_stuck(const tx_machine *machine);
/* Until idle. TX_EDEADLOCK: stuck, see tx_wait_text. TX_ELIMIT: after limit cycles. */
TX_API enum tx_status tx_run_idle(tx_machine *machine, uint64_t limit);

struct tx_stream {
    const uint32_t *words;
    size_t count;
};
/* Pushes one word per thread and cycle, as the queues take them, and runs until idle. */
TX_API enum tx_status tx_run_threads(tx_machine *machine,
                                     const struct tx_stream streams[TX_THREADS], uint64_t limit);

/* ---- looking ---- */

enum tx_queue { TX_QUEUE_MOP, TX_QUEUE_REPLAY, TX_QUEUE_GATE, TX_QUEUE_COUNT };
/* The words waiting before a stage, oldest first; returns how many there are. words may be NULL. */
TX_API size_t tx_queue_words(const tx_machine *machine, unsigned thread, enum tx_queue queue,
                             uint32_t *words, size_t max);
TX_API size_t tx_queue_capacity(const tx_machine *machine, unsigned thread, enum tx_queue queue);

/* Why the word at the gate did not pass in the last cycle. */
enum tx_hold {
    TX_HOLD_NONE,
    TX_HOLD_SCALAR_OWN,  /* the thread's Scalar Unit instruction still executes */
    TX_HOLD_WAIT,        /* caught by the block mask of the latched wait */
    TX_HOLD_UNIT,        /* the unit is executing */
    TX_HOLD_ARBITRATION, /* another thread's instruction entered the unit */
    TX_HOLD_INTERLOCK,   /* the Vector Unit's own, see TX_EVENT_STALL */
    TX_HOLD_MUTEX,       /* held by another thread, or no such mutex */
    TX_HOLD_CONFIG,      /* stage of the Configuration Unit occupied */
    TX_HOLD_READ,        /* the thread's UNPACR or (Wormhole) RDCFG still executes */
    TX_HOLD_REQUESTS,    /* too many memory requests under way */
    TX_HOLD_HOST,        /* the host's handler said busy */
    TX_HOLD_BANK,        /* a bank of SrcA or SrcB is not the Matrix Unit's */
    TX_HOLD_DST,         /* rows of Dst that it reads are still being written */
    TX_HOLD_COUNT
};
TX_API const char *tx_hold_text(enum tx_hold hold);

enum tx_wait { TX_WAIT_NONE, TX_WAIT_STALLWAIT, TX_WAIT_SEMWAIT };

struct tx_gate {
    bool present; /* a word stands at the gate */
    uint32_t word;
    enum tx_hold hold;
    uint64_t since;    /* first cycle in which it was held */
    uint8_t other;     /* thread that is in the way; TX_THREADS: none */
    enum tx_wait wait; /* the latched wait instruction */
    uint32_t wait_word;
    uint64_t wait_since;
    uint16_t block;      /* B0..B8 */
    uint16_t conditions; /* STALLWAIT: set of the chip's bits; SEMWAIT: C0, C1 */
    uint16_t busy;       /* those of them that keep it waiting now */
    uint8_t semaphores;  /* SEMWAIT: set; those that keep it waiting: busy_semaphores */
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
 * One line on what a thread waits for and since when: "T1 waits since cycle 12 before sfpload ...
 * for semaphore 2 to be above 0". Returns false, with an empty line, where it does not wait. 256
 * bytes suffice.
 */
TX_API bool tx_wait_text(const tx_machine *machine, unsigned thread, char *text, size_t size);
/*
 * What the latched STALLWAIT or SEMWAIT of a thread waits for: "semaphore 2 (0 of 1) to be above
 * 0", "SRCA_MATRIX (C6)". Returns false, with an empty text, where there is none. 256 bytes
 * suffice.
 */
TX_API bool tx_wait_reason(const tx_machine *machine, unsigned thread, char *text, size_t size);

/* The Scalar Unit: which instruction it executes, if any. */
struct tx_scalar {
    bool busy;
    uint8_t thread;
    uint32_t word;
    uint64_t since;
    unsigned requests[TX_THREADS]; /* memory requests under way */
};
TX_API void tx_scalar_read_sized(const tx_machine *machine, struct tx_scalar *scalar, size_t size);
static inline struct tx_scalar tx_scalar_read(const tx_machine *machine)
{
    struct tx_scalar scalar;
    tx_scalar_read_sized(machine, &scalar, sizeof scalar);
    return scalar;
}

/* An instruction in an unpacker. */
struct tx_unpack_job {
    uint8_t thread;
    bool fetching; /* else it waits for its turn or its bank */
    uint32_t word;
    uint64_t number, since; /* as numbered when issued; cycle in which it passed its gate */
    uint64_t passed;        /* instructions of its thread that have passed since, itself included */
};
/* index 0: the oldest. False: there are not so many. */
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
