/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations that the files of src/riscv share and nobody else needs. */
#ifndef TX_RISCV_CORE_H
#define TX_RISCV_CORE_H

#include "base/bits.h"
#include "isa/chip.h"
#include "riscv/riscv.h"

#include <string.h>

enum { WIDTH_ANY, WIDTH_WORD, WIDTH_READ_ANY };

/* Bits of the CSR cfg0. */
enum {
#define CSR_FIELD(csr, text, name, lsb, width, meaning) csr##_##name = (lsb),
#include "isa/register_fields.def"
};

/* [0] Wormhole, [1] Blackhole; in cycles unless riscv_times.def says otherwise. */
extern const uint8_t riscv_times[2][TIME_COUNT];
static inline unsigned core_time(const struct riscv *c, enum riscv_time time)
{
    return riscv_times[chip_column(c->arch)][time];
}

#define CORE_HAS(c, ID) CHIP_HAS((c)->arch, ID)

/* The result of an attempt to execute an instruction. */
enum outcome {
    OUTCOME_DONE,
    OUTCOME_TAINTED, /* it is done, and has loaded undefined bits (undefined.c) */
    OUTCOME_AGAIN,   /* it has changed nothing and is to be tried again; s.wait says why */
    OUTCOME_OVER     /* the core does not run any more */
};

/* Reads or writes memory, which the cores see as little endian. */
static inline uint32_t bytes_get(const uint8_t *at, unsigned size)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (size == 4) {
        uint32_t word;
        memcpy(&word, at, sizeof word);
        return word;
    }
#endif
    uint32_t value = 0;
    for (unsigned i = 0; i < size; i++) {
        value |= (uint32_t)at[i] << 8 * i;
    }
    return value;
}

static inline void bytes_put(uint8_t *at, uint32_t value, unsigned size)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (size == 4) {
        memcpy(at, &value, sizeof value);
        return;
    }
#endif
    for (unsigned i = 0; i < size; i++) {
        at[i] = (uint8_t)(value >> 8 * i);
    }
}

/* Tells the listener of an access to L1. */
static inline void core_l1_tell(struct riscv *c, uint32_t address, unsigned size, bool write,
                                enum tx_order_l1 how)
{
    if (c->env.listener != NULL && c->env.listener->order != NULL) {
        c->env.told(c, address, size, write, how);
    }
}

/* Returns whether the line of an address is one of those. */
static inline bool core_is_line(const uint64_t *lines, uint32_t address)
{
    const uint32_t line = address / RISCV_HEARD_LINE % RISCV_HEARD_BITS;
    return (lines[line / 64] >> line % 64 & 1u) != 0;
}

/* Before bytes of L1 are loaded or stored: see riscv_env.needed. */
static inline void core_l1_need(struct riscv *c, uint32_t address, unsigned size)
{
    if (c->env.hidden != NULL && core_is_line(c->env.hidden, address)) {
        c->env.needed(c, address, size);
    }
}

static inline void core_l1_put(struct riscv *c, uint32_t address, uint32_t value, unsigned size,
                               enum tx_order_l1 how)
{
    core_l1_need(c, address, size);
    if (bytes_get(c->env.l1 + address, size) != (value & bits_mask(8 * size))) {
        c->writes++;
        if (c->env.heard != NULL && core_is_line(c->env.heard, address)) {
            c->env.stored(c, address, size);
        }
    }
    bytes_put(c->env.l1 + address, value, size);
    if (c->env.written != NULL) {
        /* The access is aligned, so that its bits are in one byte. */
        c->env.written[address / 8] |= (uint8_t)(bits_mask(size) << address % 8);
    }
    core_l1_tell(c, address, size, true, how);
}

/* Says of bytes of L1, which have just been stored, which of their bits nobody has defined. */
static inline void core_spoil(struct riscv *c, uint32_t address, unsigned size, uint32_t bad,
                              struct riscv_origin from)
{
    if (c->env.spoil != NULL) {
        c->env.spoil(c, address, size, bad, from);
    }
}

/* Puts a store into the queue, which has room (time_may_issue has checked it). */
static inline void core_queue(struct riscv *c, uint32_t address, uint32_t value, unsigned size,
                              unsigned region)
{
    struct riscv_store *q = &c->s.store[(c->s.store_head + c->s.stores++) % RISCV_STORES];
    *q = (struct riscv_store){.address = address,
                              .data = {value},
                              .pc = c->s.pc,
                              .from = c->s.now + core_time(c, TIME_STORE),
                              .size = (uint8_t)size,
                              .region = (uint8_t)region};
}

void core_finding(struct riscv *c, enum finding_kind finding, uint32_t address);
/* Makes the core hang or stop, and reports why. */
enum outcome core_end(struct riscv *c, enum riscv_phase phase, enum finding_kind finding,
                      uint32_t address);

/* Where the instruction at pc is decoded to. */
static inline struct riscv_op *core_place(struct riscv *c, uint32_t pc)
{
    return &c->decoded[pc / 4 % RISCV_DECODED];
}

/* Returns where a jump leads. */
static inline uint32_t core_jump(struct riscv *c, uint32_t target)
{
    if ((target & 3u) != 0) {
        core_finding(c, RISCV_FINDING_JUMP, target);
    }
    return target & ~3u;
}

/* undefined.c: instructions that read or write a register with undefined bits */
struct undefined {
    uint32_t address, bad; /* of a store, and of what is stored or computed */
    struct riscv_origin from;
    uint8_t size;
    bool first, second; /* rs1, rs2 have undefined bits */
};
void undefined_before(struct riscv *c, const struct riscv_op *op, struct undefined *u);
/* Once it has been executed; not if it is to be tried again. */
void undefined_after(struct riscv *c, const struct riscv_op *op, const struct undefined *u);
/* A load has got these undefined bits, taken from there. */
void core_taint(struct riscv *c, const struct riscv_op *op, uint32_t bad, struct riscv_origin from);
/* The same for a load from local memory, some bits of which are undefined. */
void core_local_taint(struct riscv *c, const struct riscv_op *op, uint32_t address, unsigned size);

/* memory.c: accesses outside L1 and local memory, and instructions for the coprocessor */
enum outcome outside_load(struct riscv *c, const struct riscv_op *op, uint32_t address,
                          unsigned size, uint32_t *value);
enum outcome outside_store(struct riscv *c, uint32_t address, unsigned size, uint32_t value);
enum outcome memory_push(struct riscv *c, uint32_t word);

/* A register has got such bits from there, or, without any, is defined. */
void core_given(struct riscv *c, unsigned reg, uint32_t bad, struct riscv_origin from);
/* A floating-point or vector instruction decides something by an undefined value. */
void core_decides(struct riscv *c, struct riscv_origin from, enum finding_kind finding);
/* What an instruction has stored there has undefined bits. */
void core_stored_bad(struct riscv *c, uint32_t address, unsigned size, uint32_t bad,
                     struct riscv_origin from);

/* run.c: the loads and stores of all instructions. The address is aligned to the size. */
enum outcome core_load(struct riscv *c, const struct riscv_op *op, uint32_t address, unsigned size,
                       uint32_t *value);
enum outcome core_store(struct riscv *c, uint32_t address, unsigned size, uint32_t value);

/* float.c, vector.c */
enum outcome float_execute(struct riscv *c, const struct riscv_op *op);
/* Returns the first cycle in which the registers f of an instruction can be read. */
uint64_t float_ready(const struct riscv *c, const struct riscv_op *op);
void float_issued(struct riscv *c, const struct riscv_op *op, uint64_t done);
/* Returns the number (enum vector_id) of an instruction of V, and which registers x it has. */
uint32_t vector_find(uint32_t word);
void vector_registers(uint32_t word, bool *writes, bool *first, bool *second);
void vector_text(uint32_t word, const char *const *x, char *text, size_t size);
extern const char *const riscv_f_names[32];
enum outcome vector_execute(struct riscv *c, const struct riscv_op *op);
/* Returns the first cycle in which the vector registers of an instruction can be read. */
uint64_t vector_ready(const struct riscv *c, const struct riscv_op *op);
/* Notes that an instruction, which issued just now, has its results "done". */
void vector_issued(struct riscv *c, const struct riscv_op *op, uint64_t done);

/* csr.c */
void csr_access(struct riscv *c, const struct riscv_op *op);

/* time.c: timing; more of it in timing.h. What a core waits for is left in s.wait. */
/* Returns whether a load of these bytes, with this latency in cycles, may leave now. */
bool time_load_passes(struct riscv *c, uint32_t address, unsigned size, unsigned region,
                      unsigned cycles);
bool time_atomic_passes(struct riscv *c);
void time_jalr(struct riscv *c, uint32_t target);
void csr_reset(struct riscv *c);

/*
 * count.c. count_learn: follows so many instructions, after which the core is at this one again
 * and was when the beat began. Returns whether all further rounds are alike. count_rounds makes up
 * for rounds, but for what the next one makes anew.
 */
bool count_learn(const struct riscv *core, const struct riscv_beat *beat, uint64_t instructions,
                 struct riscv_counts *to);
void count_rounds(const struct riscv_counts *counts, struct riscv *core, uint64_t rounds);

#endif
