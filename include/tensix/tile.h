/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A Tensix tile: five RISC-V cores, L1, the connections between them, and a tx_machine as their
 * coprocessor.
 *
 *     struct tx_tensix_settings s;
 *     tx_tensix *tile;
 *     tx_tensix_settings_default(&s, TX_BLACKHOLE);
 *     if (tx_tensix_open(&s, &tile) != TX_OK) { ... }
 *     tx_tensix_write(tile, 0x6000, program, sizeof program);
 *     tx_tensix_start(tile, TX_CORE_T0, 0x6000);
 *     switch (tx_tensix_run(tile, 1000000)) { ... }
 *     tx_tensix_read(tile, 0x20000, &result, sizeof result);
 *     tx_tensix_close(tile);
 *
 * After tx_tensix_open all cores are in reset. In each cycle the coprocessor runs first, then the
 * cores' stores leave, then the cores issue, in the order of enum tx_core (this order is inferred;
 * correct programs cannot observe it). "tx_tile" of formats.h is a tile of data, hence the name.
 * Source: spec/tile.md. Access to anything that is not modelled is a finding of category
 * Unsupported that names it.
 */
#ifndef TENSIX_TILE_H
#define TENSIX_TILE_H

#include <tensix/threads.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tx_tensix tx_tensix;

enum tx_core { TX_CORE_B, TX_CORE_T0, TX_CORE_T1, TX_CORE_T2, TX_CORE_NC, TX_CORES };
TX_API const char *tx_core_name(enum tx_core core); /* "b" "t0" "t1" "t2" "nc" */
/* Parses these names, and brisc, trisc0 ..., ncrisc, in any case. TX_ENOENT: none of these. */
TX_API enum tx_status tx_core_parse(const char *text, enum tx_core *core);

struct tx_tensix_settings {
    uint32_t size;              /* of this struct, set by tx_tensix_settings_default */
    struct tx_settings machine; /* of the coprocessor */
    /* functional mode without time: cores and threads take turns, each until it must wait */
    bool untimed;
    uint8_t reserved[7]; /* zero */
};
TX_API void tx_tensix_settings_default_sized(struct tx_tensix_settings *settings, size_t size,
                                             size_t machine_size, enum tx_arch arch);
static inline void tx_tensix_settings_default(struct tx_tensix_settings *settings,
                                              enum tx_arch arch)
{
    tx_tensix_settings_default_sized(settings, sizeof *settings, sizeof settings->machine, arch);
}

TX_API enum tx_status tx_tensix_open(const struct tx_tensix_settings *settings, tx_tensix **out);
TX_API void tx_tensix_close(tx_tensix *tile); /* NULL is allowed */
/* Restores the state after power-up; L1 is cleared. */
TX_API void tx_tensix_reset(tx_tensix *tile);
/*
 * Returns the coprocessor, with its registers, findings and fault; these include findings and
 * faults of the cores. Only the tile's functions may run it, reset it or replace its state.
 */
TX_API tx_machine *tx_tensix_machine(tx_tensix *tile);

/*
 * Read and write bytes as the NoC and the host do: L1, with any length and alignment, and the
 * register pages, in whole words. TX_EINVAL: not whole words, or nothing is mapped there.
 */
TX_API enum tx_status tx_tensix_read(tx_tensix *tile, uint32_t address, void *bytes, size_t size);
TX_API enum tx_status tx_tensix_write(tx_tensix *tile, uint32_t address, const void *bytes,
                                      size_t size);

/*
 * A request of the tile over a NoC to another place. Coordinates are those of NoC 0 or translated
 * ones, as the program gives them.
 */
struct tx_noc_access {
    uint32_t struct_size; /* of this struct in the library's version */
    uint32_t x, y;
    uint32_t size;
    uint64_t address;
    uint8_t *to; /* read: buffer for the data; NULL: a write */
    const uint8_t *from;
};
/*
 * Sets the function that handles requests to the rest of the chip. It returns false where nothing
 * is at that place. A request without a handler, or that it refuses, is a finding of category
 * Unsupported; the NoC's counters advance all the same, so that the program does not wait for ever.
 * Requests within the tile work in any case.
 */
TX_API void tx_tensix_noc(tx_tensix *tile,
                          bool (*place)(void *user, const struct tx_noc_access *access),
                          void *user);
/* Gives the tile's own coordinates in NoC 0. */
TX_API void tx_tensix_noc_place(enum tx_arch arch, unsigned *x, unsigned *y);

/* Returns the address at which a core starts unless registers or configuration set another. */
TX_API uint32_t tx_core_start(enum tx_core core);
/* Returns the address at which each core sees its own local memory. */
TX_API uint32_t tx_core_local(void);
/*
 * Finds the address of a register of the tile, on either chip, by name: "TRISC0_RESET_PC". Returns
 * false where there is none.
 */
TX_API bool tx_tile_register(const char *name, uint32_t *address);

/* What an address of a core means to the coprocessor. */
enum tx_tile_space {
    TX_SPACE_OTHER,
    TX_SPACE_PUSH,          /* part: thread */
    TX_SPACE_MOP,           /* MOP configuration; part: thread, index: word */
    TX_SPACE_GPRS,          /* part: thread, index: GPR */
    TX_SPACE_CONFIG,        /* part: bank, index: word */
    TX_SPACE_CONFIG_BOTH,   /* writes the same word of both banks */
    TX_SPACE_THREAD_CONFIG, /* part: thread, index: word */
    TX_SPACE_SEMAPHORES,    /* index: semaphore */
    TX_SPACE_THREAD_DONE,   /* a load returns when the thread has finished; part: thread */
    TX_SPACE_MOP_DONE,      /* a load returns when the thread's MOPs have finished; part: thread */
    TX_SPACE_DST
};
struct tx_tile_place {
    enum tx_tile_space space;
    unsigned part, index;
};
TX_API struct tx_tile_place tx_tile_place(enum tx_arch arch, enum tx_core core, uint32_t address);

/* Take a core out of reset at pc, regardless of start address registers; put it into reset. */
TX_API enum tx_status tx_tensix_start(tx_tensix *tile, enum tx_core core, uint32_t pc);
TX_API enum tx_status tx_tensix_hold(tx_tensix *tile, enum tx_core core);

/* Runs so many cycles. TX_FAULT: the machine has stopped, see tx_fault; TX_ELIMIT by tx_watch. */
TX_API enum tx_status tx_tensix_cycle(tx_tensix *tile, uint64_t cycles);
/*
 * Runs until every core out of reset rests (at ebreak, in a jump to itself, or unable to continue)
 * and the coprocessor is idle. TX_EDEADLOCK: no progress for 10000 cycles, tx_tensix_wait_text says
 * why; TX_ELIMIT: after limit cycles.
 */
TX_API enum tx_status tx_tensix_run(tx_tensix *tile, uint64_t limit);

enum tx_core_phase {
    TX_CORE_HELD,   /* in reset */
    TX_CORE_RUNS,   /* executes, or waits for something that can still happen */
    TX_CORE_PAUSED, /* by ebreak, ecall or a debugger */
    TX_CORE_HUNG,   /* waits for a load that nothing will answer */
    TX_CORE_STOPPED /* cannot continue: no instruction there, or one that is not modelled */
};

/* Why a core did not issue an instruction in a cycle. */
enum tx_core_wait {
    TX_CORE_WAIT_NONE,
    TX_CORE_WAIT_OPERAND, /* a result that is not there yet */
    TX_CORE_WAIT_FETCH,   /* instructions from L1 */
    TX_CORE_WAIT_BRANCH,  /* the refill after a branch or jump */
    /* The divider is busy, or too many loads or instructions are in progress. */
    TX_CORE_WAIT_UNIT,
    TX_CORE_WAIT_QUEUE,  /* the store queue is full */
    TX_CORE_WAIT_ORDER,  /* older stores must leave before a load, fence or CSR access */
    TX_CORE_WAIT_ANSWER, /* the source of a load has no answer yet */
    TX_CORE_WAITS
};
struct tx_core_state {
    enum tx_core_phase phase;
    uint32_t pc, word;              /* of the next instruction, or of the one that waits */
    uint32_t address;               /* the address it waits for or cannot reach */
    bool rests;                     /* it will do nothing more by itself */
    enum tx_core_wait waits_for;    /* why it did not issue in this cycle */
    const char *wait;               /* what it waits for in this cycle as text; "nothing" */
    uint64_t instructions;          /* executed */
    uint64_t waited[TX_CORE_WAITS]; /* cycles, by enum tx_core_wait */
};
/*
 * Returns the first cycle, as tx_tensix_cycles counts, behind the last instruction that was no jump
 * to itself: when a core that rests came to its end. *instructions, unless NULL: how many it had
 * executed then. 0 for a core without time, and after a snapshot was restored until it executes
 * one.
 */
TX_API uint64_t tx_core_last(const tx_tensix *tile, enum tx_core core, uint64_t *instructions);
/* The word that a core would fetch at an address; 0 where it has no instruction memory. */
TX_API uint32_t tx_core_word(const tx_tensix *tile, enum tx_core core, uint32_t pc);
TX_API enum tx_status tx_tensix_core_sized(const tx_tensix *tile, enum tx_core core,
                                           struct tx_core_state *state, size_t size);
static inline enum tx_status tx_tensix_core(const tx_tensix *tile, enum tx_core core,
                                            struct tx_core_state *state)
{
    return tx_tensix_core_sized(tile, core, state, sizeof *state);
}
/*
 * For each core a number: as long as it stays the same, so do phase, address, rests and waits_for.
 * It is quicker than to ask for these in every cycle.
 */
TX_API void tx_tensix_core_marks(const tx_tensix *tile, uint64_t marks[TX_CORES]);
/*
 * Names an enum tx_core_wait: "a result" ...; NULL past the last. The entry "nothing" counts no
 * cycles.
 */
TX_API const char *tx_core_wait_text(size_t index);
/* Read and write a register: x0 to x31, and 32 for the pc. */
TX_API enum tx_status tx_core_read(const tx_tensix *tile, enum tx_core core, unsigned index,
                                   uint32_t *value);
TX_API enum tx_status tx_core_write(tx_tensix *tile, enum tx_core core, unsigned index,
                                    uint32_t value);
/*
 * Read and write a core's local memory; offset counts from its beginning. TX_EINVAL: the bytes
 * reach beyond it.
 */
TX_API enum tx_status tx_core_local_read(const tx_tensix *tile, enum tx_core core, uint32_t offset,
                                         void *bytes, size_t size);
TX_API enum tx_status tx_core_local_write(tx_tensix *tile, enum tx_core core, uint32_t offset,
                                          const void *bytes, size_t size);
TX_API uint32_t tx_core_local_size(enum tx_arch arch, enum tx_core core);
/* Disassembles a RISC-V word as a line of assembly; 64 bytes suffice. */
TX_API void tx_core_text(enum tx_arch arch, uint32_t word, uint32_t pc, char *text, size_t size);

/* What an instruction of a core does. */
enum tx_core_kind {
    TX_CORE_KIND_NONE, /* no instruction of the chip's cores */
    TX_CORE_KIND_PUSH, /* .ttinsn */
    TX_CORE_KIND_COMPUTE,
    TX_CORE_KIND_LOAD,
    TX_CORE_KIND_STORE,
    TX_CORE_KIND_ATOMIC,
    TX_CORE_KIND_BRANCH,
    TX_CORE_KIND_JAL,
    TX_CORE_KIND_JALR,
    TX_CORE_KIND_CSR,
    TX_CORE_KIND_FENCE, /* fence.i, too */
    TX_CORE_KIND_SYSTEM,
    TX_CORE_KIND_OTHER /* parts of F and V, which are not modelled */
};
/* A word of a core's program. Does not grow. */
struct tx_core_decoded {
    enum tx_arch arch;
    enum tx_core_kind kind;
    enum tx_core_insn_id id; /* 0: .ttinsn, or none */
    uint32_t word;
    uint32_t imm;         /* with its sign; the word that .ttinsn pushes; a CSR's number */
    uint32_t reads;       /* bit n: reads xn */
    uint8_t rd, rs1, rs2; /* 0 where it has none */
    uint8_t size;         /* bytes of a load, store or atomic */
    bool extends;         /* a load extends the sign */
};
TX_API void tx_core_decode(enum tx_arch arch, uint32_t word, struct tx_core_decoded *decoded);
/*
 * Puts a word together; what the instruction does not have is ignored, and so are bits of imm that
 * its format has no room for. Returns 0 for an instruction that there is none of.
 */
TX_API uint32_t tx_core_encode(enum tx_core_insn_id id, unsigned rd, unsigned rs1, unsigned rs2,
                               uint32_t imm);
/*
 * Computes from the pc and the values of rs1 and rs2 what an instruction gives: the result of
 * COMPUTE, the address of LOAD, STORE and ATOMIC, for BRANCH, JAL and JALR the next pc. Returns
 * false for all others.
 */
TX_API bool tx_core_compute(const struct tx_core_decoded *decoded, uint32_t pc, uint32_t rs1,
                            uint32_t rs2, uint32_t *value);
/*
 * Writes one line on where a core is and what it waits for: "T1 at 0000b10c, lw a0, 4(a1): waits
 * for an answer of ffe80004". Returns false, with an empty line, for a core in reset. 256 bytes
 * suffice.
 */
TX_API bool tx_tensix_wait_text(const tx_tensix *tile, enum tx_core core, char *text, size_t size);
/*
 * Writes what would end what a core waits for, and whose it is to do: "the core that owns the other
 * end of the mailbox". Returns false, with an empty text, where that cannot be told from the core
 * alone. 160 bytes suffice.
 */
TX_API bool tx_tensix_wait_end(const tx_tensix *tile, enum tx_core core, char *text, size_t size);
/* since reset, as the wall clock counts them */
TX_API uint64_t tx_tensix_cycles(const tx_tensix *tile);

/* Save the whole state: cores, coprocessor, L1. Findings and counters are not included. */
TX_API size_t tx_tensix_snapshot_size(const tx_tensix *tile);
TX_API enum tx_status tx_tensix_snapshot(const tx_tensix *tile, void *buffer, size_t size);
/* TX_EINVAL: not a snapshot of this library version and of the tile's chip. */
TX_API enum tx_status tx_tensix_restore(tx_tensix *tile, const void *buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif
