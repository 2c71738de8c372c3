/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One RISC-V core of a tile: an interpreter that keeps decoded instructions, with or without its
 * time. It knows nothing of the machine: what is not L1 or its own local memory goes through the
 * functions of struct riscv_env. Source: spec/tile.md 1, 2, 4, 11; tables isa/riscv*.def.
 */
#ifndef TX_RISCV_RISCV_H
#define TX_RISCV_RISCV_H

#include <tensix/isa.h>
#include <tensix/order.h>
#include <tensix/tile.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The numbers that the documents give the cores. */
enum riscv_core { RISCV_B, RISCV_T0, RISCV_T1, RISCV_T2, RISCV_NC, RISCV_CORES };

enum riscv_id {
    RISCV_NONE,
    RISCV_TTINSN,
#define RISCV(ID, ...) RISCV_##ID,
#include "isa/riscv.def"
    RISCV_IDS
};

enum riscv_class {
    CLASS_NONE,
    CLASS_PUSH,
    CLASS_ALU,
    CLASS_MUL,
    CLASS_DIV,
    CLASS_LOAD,
    CLASS_STORE,
    CLASS_AMO,
    CLASS_BRANCH,
    CLASS_JAL,
    CLASS_JALR,
    CLASS_CSR,
    CLASS_FENCE,
    CLASS_SYSTEM,
    CLASS_FLOAT,
    CLASS_VECTOR
};

enum riscv_csr_id {
#define CSR(ID, ...) CSR_##ID,
#include "isa/riscv_csrs.def"
    CSR_COUNT
};

enum riscv_region_id {
#define REGION(ID, ...) REGION_##ID,
#include "isa/riscv_regions.def"
    REGION_NONE,
    REGION_L1 = REGION_NONE /* in the store queue, where there is no region beside the others */
};

/* Memories of a core's own: RISCV_RAM_BASE, and their sizes. */
enum {
#define LOCAL(ID, what, base, ...) RISCV_##ID##_BASE = base,
#include "isa/riscv_local.def"
};
enum {
#define LOCAL(ID, what, base, wh, bh) RISCV_WH_##ID = wh, RISCV_BH_##ID = bh,
#include "isa/riscv_local.def"
    RISCV_RAM_BYTES = RISCV_BH_RAM, /* the largest */
    RISCV_IRAM_BYTES = RISCV_WH_IRAM
};

enum riscv_time {
#define TIME(ID, ...) TIME_##ID,
#include "isa/riscv_times.def"
    TIME_COUNT
};

enum riscv_finding {
#define RISCV_FINDING(ID, ...) RISCV_FINDING_##ID,
#include "isa/riscv_findings.def"
    RISCV_FINDING_COUNT
};

/* What a core is doing. */
enum riscv_phase {
    RISCV_HELD,   /* in reset */
    RISCV_RUNS,   /* executes, or waits for something that may come */
    RISCV_PAUSED, /* by ebreak, ecall or a debugger */
    RISCV_HUNG,   /* waits for a load that nothing answers */
    RISCV_STOPPED /* cannot go on: no instructions there, or one that is not modelled */
};

enum {
    RISCV_L1_MAX = 1536 * 1024,
    RISCV_STORES = 4,
    RISCV_CACHE_SETS = 128, /* of two lines of 16 bytes */
    RISCV_DECODED = 1024,
    RISCV_TARGETS = 16,
    RISCV_COUNTERS = 512,
    RISCV_SPLITS = 32
};

/* A store that has been issued and has not left the core. */
struct riscv_store {
    uint32_t address;
    uint32_t data[4]; /* more than one only of gathered .ttinsn */
    uint32_t pc;      /* of the instruction */
    uint64_t from;    /* cycle from which it may leave */
    uint8_t size;     /* bytes */
    uint8_t words;    /* of data; 0 except with gathered .ttinsn, whose words are pushed */
    uint8_t region;
};

/* All that a core is, flat: a snapshot is a copy. Index 32 of x takes what is written to x0. */
struct riscv_state {
    uint32_t x[33];
    uint32_t pc;
    uint8_t phase, broke; /* enum riscv_phase; paused by ebreak or ecall */
    uint8_t why;          /* enum riscv_finding that hung or stopped it */
    uint8_t wait;         /* enum tx_core_wait of the last cycle */
    uint32_t at;          /* address that it waits for or cannot reach */
    uint64_t now;         /* cycles */
    uint64_t instret;     /* instructions since reset */
    uint64_t waited[TX_CORE_WAITS];
    uint32_t csr[CSR_COUNT];
    uint64_t cycle_base, instret_base; /* the counters of the CSRs are now, instret less these */

    /* time */
    uint64_t ready[33]; /* cycle from which a register's value can be used */
    uint64_t next;      /* nothing is issued before this cycle */
    uint64_t retire[8]; /* when the last instructions have left, a ring */
    uint64_t loads[4];  /* when the last slow loads free their place, a ring */
    uint64_t loaded;    /* when every load so far has its value */
    uint64_t divider;
    uint64_t l1_store;                  /* cycle of the last store that reached L1 */
    uint64_t line10;                    /* tenths of cycles: when the line fetched last arrived */
    uint32_t l1_line;                   /* its 16 bytes */
    uint32_t fetched;                   /* line that instructions come from, address / 16 */
    uint32_t line[RISCV_CACHE_SETS][2]; /* 1 + address / 16 */
    uint8_t older[RISCV_CACHE_SETS];    /* the line that was used less recently */
    uint8_t counter[RISCV_COUNTERS];    /* branches, two bits each */
    uint8_t history, retire_at, loads_at, behind;
    uint32_t target_pc[RISCV_TARGETS], target[RISCV_TARGETS]; /* of jalr */
    struct riscv_store store[RISCV_STORES];
    uint8_t store_head, stores;
    uint8_t handling; /* an interrupt, until mret */

    uint8_t ram[RISCV_RAM_BYTES];
};

/* A decoded instruction; the key is where it stands and what the word is. */
struct riscv_op {
    uint32_t word, pc;
    uint32_t imm;
    uint8_t id;           /* enum riscv_id */
    uint8_t class;        /* enum riscv_class */
    uint8_t rd, rs1, rs2; /* rd 32: x0. Sources that there are none of are 0 */
    uint8_t live;         /* 0: nothing is here */
};

enum riscv_answer { RISCV_DONE, RISCV_WAIT, RISCV_HANG };

struct riscv;
/* An access outside L1 and local memory; address aligned to size. */
struct riscv_access {
    uint32_t address, value;
    uint8_t size;
    uint8_t region; /* enum riscv_region_id */
};

/* Surroundings. l1 and written stay the caller's; functions may be NULL: nothing is there. */
struct riscv_env {
    uint8_t *l1;
    uint32_t l1_size;
    uint8_t *written;    /* bit per byte of L1 that somebody has written, or NULL */
    const uint8_t *iram; /* instruction RAM of Wormhole's NC, or NULL */
    /* A load asks again in the next cycle while the answer is RISCV_WAIT, a store stays queued. */
    enum riscv_answer (*load)(struct riscv *core, struct riscv_access *access);
    enum riscv_answer (*store)(struct riscv *core, const struct riscv_access *access);
    /* .ttinsn of an untimed core, false: it waits; NULL: as a store. */
    bool (*push)(struct riscv *core, uint32_t word);
    uint32_t (*status)(struct riscv *core, enum riscv_csr_id csr);
    /* address: the one concerned. The word and the pc of the instruction are the core's. */
    void (*finding)(struct riscv *core, enum riscv_finding finding, uint32_t pc, uint32_t word,
                    uint32_t address);
    /* Loads, stores and atomics of L1, while listener->order is not NULL; listener may be NULL. */
    const struct tx_order_sink *listener;
    void (*told)(struct riscv *core, uint32_t address, unsigned size, bool write,
                 enum tx_order_l1 how);
    void *user;
};

struct riscv_region;
struct riscv {
    struct riscv_state s;
    struct riscv_env env;
    enum tx_arch arch;
    enum riscv_core who;
    bool timed;
    bool predict; /* branch prediction, Blackhole: the tile's configuration can forbid it */
    bool single;  /* .ttinsn are not gathered: the core is watched */
    uint16_t cycles, extra; /* of the instruction that executes: its latency, cycles behind it */
    const struct riscv_region *region; /* that was reached last, or NULL */
    uint8_t splits;                    /* addresses before which a group of gathered .ttinsn ends */
    uint32_t split[RISCV_SPLITS];
    const struct riscv_store *leaving; /* what its surroundings are given now, or NULL */
    struct riscv_op decoded[RISCV_DECODED];
};

/* A core in reset, without surroundings, timed. */
void riscv_open(struct riscv *core, enum tx_arch arch, enum riscv_core who);
/* Puts it into reset, or takes it out at pc: registers are 0, caches and local memory empty. */
void riscv_hold(struct riscv *core);
void riscv_release(struct riscv *core, uint32_t pc, bool keep_ram);
/* After its state was replaced from outside (restore): nothing is out of range, nothing decoded. */
void riscv_restored(struct riscv *core);
/* What comes next is the handler at pc; mret leads back. */
void riscv_interrupt(struct riscv *core, uint32_t pc);
/* The instruction on whose behalf the core does something now. */
static inline uint32_t riscv_at(const struct riscv *core)
{
    return core->leaving != NULL ? core->leaving->pc : core->s.pc;
}
/* Drops the instruction cache. */
void riscv_drop_cache(struct riscv *core);

/*
 * Runs at most so many instructions (untimed) or cycles (timed), less when it stops running or,
 * untimed, has to wait. Returns how many it did.
 */
uint64_t riscv_run(struct riscv *core, uint64_t count);
/* One cycle in two halves for a tile: stores leave, then an instruction issues. Timed or not. */
void riscv_deliver(struct riscv *core);
void riscv_issue(struct riscv *core);

/* The row of a word for a chip. RISCV_NONE: none. */
enum riscv_id riscv_find(enum tx_arch arch, uint32_t word);
void riscv_decode(enum tx_arch arch, uint32_t word, struct riscv_op *op);
const char *riscv_name(enum riscv_id id);
/* A line of assembly, 64 bytes suffice. */
void riscv_text(enum tx_arch arch, uint32_t word, uint32_t pc, char *text, size_t size);

struct riscv_region {
    const char *what;
    uint32_t base, size;
    uint8_t chips, cores, widths, cycles[2];
};
/* NULL: nothing is there for this core. */
const struct riscv_region *riscv_region(enum tx_arch arch, enum riscv_core who, uint32_t address);
enum riscv_region_id riscv_region_id(const struct riscv_region *region);
uint32_t riscv_ram_size(enum tx_arch arch, enum riscv_core who);

struct riscv_csr_info {
    const char *name;
    uint16_t number;
    bool vector, fixed; /* only T2 has it; it cannot be written */
};
const struct riscv_csr_info *riscv_csr_info(enum riscv_csr_id id);
/* As csrr and csrw. */
uint32_t riscv_csr_get(struct riscv *core, enum riscv_csr_id id);
void riscv_csr_set(struct riscv *core, enum riscv_csr_id id, uint32_t value);

struct riscv_finding_info {
    uint16_t evidence; /* enum evidence_id */
    uint8_t category;  /* enum tx_category */
    const char *text;
};
const struct riscv_finding_info *riscv_finding_info(enum riscv_finding finding);
const char *riscv_wait_text(enum tx_core_wait wait);

#endif
