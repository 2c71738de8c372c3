/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A Tensix tile: five RISC-V cores, L1, what joins them, and a tx_machine as their coprocessor.
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
 * After tx_tensix_open all cores are in reset. In each cycle the coprocessor comes first, then the
 * stores of the cores leave, then they issue, in the order of tx_core (inferred; correct programs
 * do not see it). "tx_tile" of formats.h is a tile of data, hence the name. Source: spec/tile.md;
 * what is not modelled is a finding of category Unsupported that names it.
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
/* Those, and brisc, trisc0 ..., ncrisc, in any case. TX_ENOENT. */
TX_API enum tx_status tx_core_parse(const char *text, enum tx_core *core);

struct tx_tensix_settings {
    uint32_t size;              /* of this struct, set by tx_tensix_settings_default */
    struct tx_settings machine; /* of the coprocessor */
    bool untimed;               /* no time: cores and threads take turns, until each waits */
    uint8_t reserved[7];        /* zero */
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
/* As after power-up; L1 is cleared. */
TX_API void tx_tensix_reset(tx_tensix *tile);
/*
 * The coprocessor: its registers, findings and fault, those of the cores among them. Only the
 * tile's functions may run it, reset it or replace its state.
 */
TX_API tx_machine *tx_tensix_machine(tx_tensix *tile);

/*
 * Bytes as the NoC and the host reach them: L1, of any length and alignment, and the pages of
 * registers in whole words. TX_EINVAL: not whole words, or nothing is there.
 */
TX_API enum tx_status tx_tensix_read(tx_tensix *tile, uint32_t address, void *bytes, size_t size);
TX_API enum tx_status tx_tensix_write(tx_tensix *tile, uint32_t address, const void *bytes,
                                      size_t size);

/*
 * A request of the tile over a NoC to another place, in coordinates of NoC 0 or translated ones as
 * the program has them: bytes to be read (to) or written (from).
 */
struct tx_noc_access {
    uint32_t struct_size; /* of this struct, as the library has it */
    uint32_t x, y;
    uint32_t size;
    uint64_t address;
    uint8_t *to; /* NULL: a write */
    const uint8_t *from;
};
/*
 * Who answers for the rest of the chip. false: nothing is there. Without a function, or where it
 * answers false, the request is a finding of category Unsupported; the counters go on, so that a
 * program does not wait for ever. Within the tile requests work in any case.
 */
TX_API void tx_tensix_noc(tx_tensix *tile,
                          bool (*place)(void *user, const struct tx_noc_access *access),
                          void *user);
/* Where the tile itself stands, in coordinates of NoC 0. */
TX_API void tx_tensix_noc_place(enum tx_arch arch, unsigned *x, unsigned *y);

/* Where a core starts when no register and no configuration says otherwise. */
TX_API uint32_t tx_core_start(enum tx_core core);
/* Where each core sees its own local memory. */
TX_API uint32_t tx_core_local(void);
/* The address of a register of the tile, of either chip: "TRISC0_RESET_PC". false: none has it. */
TX_API bool tx_tile_register(const char *name, uint32_t *address);

/* What an address of a core is to the coprocessor. */
enum tx_tile_space {
    TX_SPACE_OTHER,
    TX_SPACE_PUSH,          /* part: thread */
    TX_SPACE_MOP,           /* MOP configuration; part: thread, index: word */
    TX_SPACE_GPRS,          /* part: thread, index: GPR */
    TX_SPACE_CONFIG,        /* part: bank, index: word */
    TX_SPACE_CONFIG_BOTH,   /* the same word of both banks */
    TX_SPACE_THREAD_CONFIG, /* part: thread, index: word */
    TX_SPACE_SEMAPHORES,    /* index: semaphore */
    TX_SPACE_THREAD_DONE,   /* a load has its answer when the thread is at its end; part: thread */
    TX_SPACE_MOP_DONE,      /* the same for its MOPs */
    TX_SPACE_DST
};
struct tx_tile_place {
    enum tx_tile_space space;
    unsigned part, index;
};
TX_API struct tx_tile_place tx_tile_place(enum tx_arch arch, enum tx_core core, uint32_t address);

/* Takes a core out of reset at pc, whatever the start addresses say; or puts it into reset. */
TX_API enum tx_status tx_tensix_start(tx_tensix *tile, enum tx_core core, uint32_t pc);
TX_API enum tx_status tx_tensix_hold(tx_tensix *tile, enum tx_core core);

/* So many cycles. TX_FAULT: the machine has stopped, see tx_fault; TX_ELIMIT by tx_watch. */
TX_API enum tx_status tx_tensix_cycle(tx_tensix *tile, uint64_t cycles);
/*
 * Until every core that is out of reset rests (ebreak, jump to itself, or it cannot go on) and the
 * coprocessor is idle. TX_EDEADLOCK: nothing has got on for 10000 cycles, tx_tensix_wait_text says
 * why; TX_ELIMIT: after limit cycles.
 */
TX_API enum tx_status tx_tensix_run(tx_tensix *tile, uint64_t limit);

enum tx_core_phase {
    TX_CORE_HELD,   /* in reset */
    TX_CORE_RUNS,   /* executes, or waits for something that may come */
    TX_CORE_PAUSED, /* by ebreak, ecall or a debugger */
    TX_CORE_HUNG,   /* waits for a load that nothing answers */
    TX_CORE_STOPPED /* cannot go on: no instructions there, or one that is not modelled */
};

/* Why a core did not issue an instruction in a cycle. */
enum tx_core_wait {
    TX_CORE_WAIT_NONE,
    TX_CORE_WAIT_OPERAND, /* a result that is not there yet */
    TX_CORE_WAIT_FETCH,   /* instructions out of L1 */
    TX_CORE_WAIT_BRANCH,  /* behind a branch or jump */
    TX_CORE_WAIT_UNIT,    /* divider, loads under way, instructions under way */
    TX_CORE_WAIT_QUEUE,   /* the store queue is full */
    TX_CORE_WAIT_ORDER,   /* older stores, before a load, fence or CSR access */
    TX_CORE_WAIT_ANSWER,  /* what it loads from has no answer yet */
    TX_CORE_WAITS
};
struct tx_core_state {
    enum tx_core_phase phase;
    uint32_t pc, word;              /* of the next instruction, or of the one that waits */
    uint32_t address;               /* that it waits for, or cannot reach */
    bool rests;                     /* it will not do anything by itself */
    enum tx_core_wait waits_for;    /* in this cycle */
    const char *wait;               /* its text: what it waits for in this cycle; "nothing" */
    uint64_t instructions;          /* executed */
    uint64_t waited[TX_CORE_WAITS]; /* cycles, by enum tx_core_wait */
};
TX_API enum tx_status tx_tensix_core_sized(const tx_tensix *tile, enum tx_core core,
                                           struct tx_core_state *state, size_t size);
static inline enum tx_status tx_tensix_core(const tx_tensix *tile, enum tx_core core,
                                            struct tx_core_state *state)
{
    return tx_tensix_core_sized(tile, core, state, sizeof *state);
}
/* Of an enum tx_core_wait: "a result" ...; NULL past the last. "nothing" counts no cycles. */
TX_API const char *tx_core_wait_text(size_t index);
/* x0 to x31, 32 is the pc. */
TX_API enum tx_status tx_core_read(const tx_tensix *tile, enum tx_core core, unsigned index,
                                   uint32_t *value);
TX_API enum tx_status tx_core_write(tx_tensix *tile, enum tx_core core, unsigned index,
                                    uint32_t value);
/* Bytes of a core's local memory, from its beginning on. TX_EINVAL: they reach beyond it. */
TX_API enum tx_status tx_core_local_read(const tx_tensix *tile, enum tx_core core, uint32_t offset,
                                         void *bytes, size_t size);
TX_API enum tx_status tx_core_local_write(tx_tensix *tile, enum tx_core core, uint32_t offset,
                                          const void *bytes, size_t size);
TX_API uint32_t tx_core_local_size(enum tx_arch arch, enum tx_core core);
/* A line of assembly; 64 bytes suffice. */
TX_API void tx_core_text(enum tx_arch arch, uint32_t word, uint32_t pc, char *text, size_t size);
/*
 * One line on where a core stands and what it waits for: "T1 at 0000b10c, lw a0, 4(a1): waits for
 * an answer of ffe80004". false, with an empty line: it is in reset. 256 bytes suffice.
 */
TX_API bool tx_tensix_wait_text(const tx_tensix *tile, enum tx_core core, char *text, size_t size);
TX_API uint64_t tx_tensix_cycles(const tx_tensix *tile); /* since reset; the wall clock */

/* All of it: cores, coprocessor, L1. Findings and counters are not part of it. */
TX_API size_t tx_tensix_snapshot_size(const tx_tensix *tile);
TX_API enum tx_status tx_tensix_snapshot(const tx_tensix *tile, void *buffer, size_t size);
/* TX_EINVAL: not a snapshot of this library version and of the tile's chip. */
TX_API enum tx_status tx_tensix_restore(tx_tensix *tile, const void *buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif
