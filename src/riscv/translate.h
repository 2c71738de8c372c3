/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Machine code for loops of an untimed core: what translate.c (which blocks there are), emit_*.c
 * (what a block is in machine code) and pages.c (memory that can be executed) share. A block is a
 * way through code that was executed before, with one entry. It does what the interpreter does for
 * instructions that touch registers, local memory and L1 only and report nothing; anything else
 * leaves it, and the interpreter executes that instruction. Decision: docs/decisions/0018.
 */
#ifndef TX_RISCV_TRANSLATE_H
#define TX_RISCV_TRANSLATE_H

#include "riscv/core.h"

enum {
    CODE_OPS = 48,        /* instructions of a block */
    CODE_BLOCKS = 1024,   /* blocks at a time */
    CODE_TARGETS = 256,   /* places of the table through which jalr finds blocks */
    CODE_CHUNK_LOG = 8,   /* stores to L1 leave a block if they hit so many bytes with code */
    CODE_BYTES = 1 << 18, /* of machine code */
    CODE_ROOM = 1 << 15   /* more than a block takes */
};

/* What machine code reads and writes beside the core. */
struct code_data {
    uint8_t chunk[RISCV_L1_MAX >> CODE_CHUNK_LOG]; /* has instructions of blocks */
    /* The state of memory in which a block was last found to be what memory holds. */
    uint32_t stamp[CODE_BLOCKS];
    struct {
        uint64_t pc, code;
    } target[CODE_TARGETS];
    uint64_t left; /* of the instructions that were asked for */
};

/* One instruction of a block. */
struct code_op {
    struct riscv_op op; /* with its pc */
    bool follows;       /* a branch: the block goes on where it leads if taken */
    bool local;         /* a load or store: the last one like it was to local memory */
};

struct code_block {
    uint32_t pc, entry; /* entry: offset of its machine code */
    uint32_t decodes;   /* value of riscv.decodes for which its instructions are known as decoded */
    uint16_t count;     /* instructions */
    bool dead;          /* memory held other words */
    uint32_t next;      /* 1 + the block with the same place in the table, 0: none */
    uint32_t at[CODE_OPS], word[CODE_OPS];
};

/* For the comparison with the interpreter: what stores to L1 have replaced. */
enum { CODE_UNDO = CODE_OPS };
struct code_undo {
    uint32_t address, word;
    uint8_t written;
};

enum { CODE_HASH = 1024 };
struct riscv_code {
    struct code_data *data; /* its own pages, which are written and not executed */
    uint8_t *code;          /* pages that are either written or executed */
    uint32_t used;          /* bytes of code */
    uint32_t leave;         /* offset of the code that returns */
    unsigned blocks;
    struct code_block block[CODE_BLOCKS];
    uint32_t hash[CODE_HASH]; /* 1 + the first block there, 0: none */
    bool compares;            /* each block is executed by the interpreter, too */
    unsigned undos;
    struct code_undo undo[CODE_UNDO];
    struct riscv_state before, after;
};

/* What a block is made of. */
struct code_source {
    struct code_op op[CODE_OPS];
    unsigned count;
    uint32_t next; /* where it goes on behind the last one */
    bool stops;    /* there the interpreter executes an instruction */
    uint32_t l1_size, ram_size;
    bool written; /* there is riscv_env.written */
    unsigned index;
};

/* How machine code has returned, or the place of a jump that could lead on to another block. */
enum { CODE_LOOK = 0, CODE_INTERPRET = 1, CODE_PLACE = 2 };

/* pages.c. Offsets are from the start of the code. Return false if the system does not allow it. */
bool pages_open(struct riscv_code *code);
void pages_close(struct riscv_code *code);
bool pages_write(struct riscv_code *code);
bool pages_execute(struct riscv_code *code);

/*
 * emit_*.c, for one kind of processor. emit_start writes what all blocks need; emit_block appends
 * a block; emit_jump makes the place of a jump lead to a block's entry. The pages are writable.
 */
extern const bool emit_exists;
void emit_start(struct riscv_code *code);
uint32_t emit_block(struct riscv_code *code, const struct code_source *from);
void emit_jump(struct riscv_code *code, uint32_t place, uint32_t entry);
/* Returns whether a block can have the instruction (its address and operands aside). */
bool emit_can(const struct riscv_op *op);
/* Runs machine code: up to "count" instructions, from a block on. */
uint64_t emit_run(struct riscv *c, uint64_t count, uint32_t entry);

/* translate.c, called by machine code that is compared: a store to L1 is about to happen. */
void code_store(struct riscv *c, uint32_t address);

/*
 * translate.c. code_run executes up to "count" instructions that it has blocks for, from pc on, or
 * makes a block if that place has been reached often; *interpret: the interpreter has to execute
 * the next one.
 */
uint64_t code_run(struct riscv *c, uint64_t count, bool *interpret);

/* run.c: executes so many instructions, which touch nothing but registers, local memory and L1. */
void run_plain(struct riscv *c, uint64_t count);

#endif
