/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One RISC-V core of a tile: an interpreter that caches decoded instructions and can run with or
 * without timing. It knows nothing of the coprocessor: what is not L1 or its own local memory goes
 * through the functions of struct riscv_env. Source: spec/tile.md 1, 2, 4, 11; tables
 * isa/riscv*.def.
 */
#ifndef TX_RISCV_RISCV_H
#define TX_RISCV_RISCV_H

#include <tensix/isa.h>
#include <tensix/order.h>
#include <tensix/tile.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "isa/chip.h"
#include "isa/finding.h"

/* Cores, by the numbers that the documentation gives them; E: one of an Ethernet tile. */
enum riscv_core { RISCV_B, RISCV_T0, RISCV_T1, RISCV_T2, RISCV_NC, RISCV_E, RISCV_CORES };

/* Returns whether it is T0, T1 or T2, which have less local memory and push instructions. */
static inline bool riscv_is_t(enum riscv_core who)
{
    return who >= RISCV_T0 && who <= RISCV_T2;
}

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
    CLASS_FLOAD,
    CLASS_FSTORE,
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
    REGION_L1 = REGION_NONE /* for the store queue: L1 is not one of the regions */
};

/* Addresses and sizes of the memories that belong to a core. */
enum {
#define LOCAL(ID, what, base, ...) RISCV_##ID##_BASE = base,
#include "isa/riscv_local.def"
};
enum {
#define LOCAL(ID, what, base, wh, bh) RISCV_WH_##ID = wh, RISCV_BH_##ID = bh,
#include "isa/riscv_local.def"
    RISCV_RAM_BYTES = RISCV_BH_RAM, /* the largest of them */
    RISCV_IRAM_BYTES = RISCV_WH_IRAM
};

enum riscv_time {
#define TIME(ID, ...) TIME_##ID,
#include "isa/riscv_times.def"
    TIME_COUNT
};

/* What a core is doing. */
enum riscv_phase {
    RISCV_HELD,   /* is held in reset */
    RISCV_RUNS,   /* executes, or waits for something that may come */
    RISCV_PAUSED, /* was paused by ebreak, ecall or a debugger */
    RISCV_HUNG,   /* waits for a load that nothing answers */
    RISCV_STOPPED /* cannot go on: there is no instruction at pc, or none that is modelled */
};

enum {
    RISCV_L1_MAX = 1536 * 1024,
    RISCV_STORES = 4,
    RISCV_CACHE_SETS = 128, /* each of two lines of 16 bytes */
    RISCV_DECODED = 1024,
    RISCV_HEAT = 256,
    RISCV_HOT = 2000, /* a block costs about as much as it gains in so many rounds */
    /* Instructions that may be between cache and execution (isa InstructionCache). */
    RISCV_PIPELINE = 20,
    RISCV_TARGETS = 16,
    RISCV_COUNTERS = 512,
    RISCV_SPLITS = 32,
    RISCV_SPILT = 16,
    RISCV_HEARD_BITS = 4096,
    RISCV_HEARD_LINE = 16, /* bytes */
    RISCV_VECTOR_BYTES = 16
};

/* Where an undefined value was taken from: the place, and the load that took it. */
struct riscv_origin {
    uint32_t address, pc;
};

/* An undefined value in local memory that a core has stored there. */
struct riscv_spilt {
    uint32_t address;
    struct riscv_origin from;
};

/* A store that has been issued and has not left the core yet. */
struct riscv_store {
    uint32_t address;
    uint32_t data[4]; /* several words only for gathered .ttinsn and for vectors */
    uint32_t pc;      /* address of the instruction; of gathered ones, that of data[0] */
    uint64_t from;    /* first cycle in which it may leave */
    uint8_t size;     /* in bytes; more than 4 only within 16 aligned bytes of L1 */
    /* Number of words in data for gathered .ttinsn, which are pushed; otherwise 0. */
    uint8_t words;
    uint8_t region;
    uint32_t bad; /* undefined bits of data[0]; only for L1 */
    struct riscv_origin origin;
};

/*
 * All state of a core, without pointers: a snapshot is a copy. x[32] receives what is written to
 * x0.
 */
struct riscv_state {
    uint32_t x[33];
    uint32_t pc;
    uint8_t phase, broke; /* enum riscv_phase; broke: paused by ebreak or ecall */
    uint8_t why;          /* enum finding_kind that made it hang or stop */
    uint8_t wait;         /* enum tx_core_wait of the last cycle */
    uint32_t at;          /* address that it waits for or cannot reach */
    uint64_t now;         /* the core's time, in cycles */
    uint64_t instret;     /* instructions executed since power-up */
    uint64_t waited[TX_CORE_WAITS];
    uint32_t csr[CSR_COUNT];
    uint64_t cycle_base, instret_base; /* CSR counters are now and instret minus these */

    /* Timing; times are cycles unless noted. */
    uint64_t ready[33]; /* cycle from which on a register's value can be used */
    uint64_t next;      /* nothing issues before this cycle */
    uint64_t retire[8]; /* when the latest instructions have retired, a ring */
    uint64_t loads[4];  /* when the latest slow loads free their place, a ring */
    uint64_t loaded;    /* when every load so far has its value */
    uint64_t divider;
    uint64_t l1_store; /* cycle in which the latest store reached L1 */
    /* When the line fetched last arrived, in tenths of cycles. */
    uint64_t line10;
    uint32_t l1_line; /* address / 16 of the latest store that reached L1 */
    /* Address / 16 of the line that instructions are taken from. */
    uint32_t fetched;
    uint32_t line[RISCV_CACHE_SETS][2]; /* instruction cache: 1 + address / 16, 0 if empty */
    uint8_t older[RISCV_CACHE_SETS];    /* the way of a set that was used less recently */
    uint8_t counter[RISCV_COUNTERS];    /* branch predictor, two bits each */
    uint8_t history, retire_at, loads_at, behind;
    uint32_t target_pc[RISCV_TARGETS], target[RISCV_TARGETS]; /* predicted targets of jalr */
    struct riscv_store store[RISCV_STORES];
    uint8_t store_head, stores;
    uint8_t handling; /* an interrupt is being handled, until mret */

    /* Which bits of registers nobody has defined, and where they came from. */
    uint32_t x_bad[33];
    uint32_t undefined; /* bit per register that has such bits */
    struct riscv_origin x_from[33];
    struct riscv_spilt spilt[RISCV_SPILT]; /* the latest, a ring */
    uint8_t spilt_at;

    /* F, Zfh and V of Blackhole's cores. */
    uint32_t f[32];
    uint32_t f_bad[32]; /* undefined bits */
    struct riscv_origin f_from[32];
    uint64_t f_ready[32];
    uint8_t v[32][RISCV_VECTOR_BYTES];
    uint16_t v_bad[32]; /* bit per byte that has undefined bits */
    struct riscv_origin v_from[32];
    uint64_t v_ready[32];
    uint32_t v_at; /* elements that a vector load or store, which had to wait, has done */

    uint8_t ram[RISCV_RAM_BYTES];
    uint8_t ram_bad[RISCV_RAM_BYTES]; /* its undefined bits */
};

/* A decoded instruction; it is reused while pc and word are the same. */
struct riscv_op {
    uint32_t word, pc;
    uint32_t imm;
    uint8_t id;           /* enum riscv_id */
    uint8_t class;        /* enum riscv_class */
    uint8_t rd, rs1, rs2; /* rd is 32 for x0; sources that do not exist are 0 */
    uint8_t live;         /* enum riscv_live */
    uint32_t uses;        /* bit per register that it reads or writes */
};

/* What is known of the word at an address; all but the first may be what the core executes. */
enum riscv_live {
    RISCV_EMPTY,
    RISCV_DECODED_OP,
    RISCV_AHEAD,    /* not executed yet; the core may have fetched it already */
    RISCV_IN_FLIGHT /* the same; the cache has been dropped since, the pipeline has not */
};

enum riscv_answer { RISCV_DONE, RISCV_WAIT, RISCV_HANG };

struct riscv;
/* An access outside L1 and local memory. The address is aligned to the size in bytes. */
struct riscv_access {
    uint32_t address, value;
    uint32_t bad; /* set by a load: bits of the value that nobody has defined */
    uint8_t size;
    uint8_t region; /* enum riscv_region_id */
};

/*
 * What a core is connected to. l1 and written belong to the caller. A function that is NULL means
 * that nothing is there.
 */
struct riscv_env {
    uint8_t *l1;
    uint32_t l1_size;
    uint8_t *written;    /* bit per byte of L1 that was ever written, or NULL */
    const uint8_t *iram; /* instruction RAM of Wormhole's NC, or NULL */
    /*
     * While the answer is RISCV_WAIT, a load is tried again in the next cycle, and a store stays
     * queued.
     */
    enum riscv_answer (*load)(struct riscv *core, struct riscv_access *access);
    enum riscv_answer (*store)(struct riscv *core, const struct riscv_access *access);
    /* Pushes a .ttinsn of an untimed core. Returns false if it has to wait. NULL: it is a store. */
    bool (*push)(struct riscv *core, uint32_t word);
    uint32_t (*status)(struct riscv *core, enum riscv_csr_id csr);
    /* Reports a finding of the instruction "word" at pc, about an address. */
    void (*finding)(struct riscv *core, enum finding_kind finding, uint32_t pc, uint32_t word,
                    uint32_t address);
    /*
     * Called for loads, stores and atomics of L1 while listener->order is not NULL. listener may be
     * NULL.
     */
    const struct tx_order_sink *listener;
    void (*told)(struct riscv *core, uint32_t address, unsigned size, bool write,
                 enum tx_order_l1 how);
    /*
     * stored is called before a timed core's store or atomic changes L1 in a line that somebody
     * must hear of: one of RISCV_HEARD_BITS, by the line's number. needed is called before one
     * loads from a line, or stores to it, to which somebody would have stored meanwhile. heard and
     * hidden may be NULL.
     */
    const uint64_t *heard, *hidden;
    void (*stored)(struct riscv *core, uint32_t address, unsigned size);
    void (*needed)(struct riscv *core, uint32_t address, unsigned size);
    /*
     * Stores of undefined values to L1. spoil: some bits of up to four bytes have got one. spoilt
     * returns such bits of bytes that are not marked as written, 0 if somebody should have written
     * them. Both NULL: such values count as defined.
     */
    void (*spoil)(struct riscv *core, uint32_t address, unsigned size, uint32_t bad,
                  struct riscv_origin from);
    uint32_t (*spoilt)(struct riscv *core, uint32_t address, unsigned size,
                       struct riscv_origin *from);
    void *user;
};

struct riscv_region;
struct riscv_code;
struct riscv {
    struct riscv_state s;
    struct riscv_env env;
    enum tx_arch arch;
    enum riscv_core who;
    bool timed;
    bool predict; /* branch prediction is on; Blackhole's configuration can switch it off */
    /*
     * What the core did that a loop which only waits does not do: it used an atomic, a CSR, F or V,
     * or stored to or loaded from what answers differently each time.
     */
    uint32_t changes;
    uint32_t clocks; /* how many of these were loads of the clock */
    uint32_t writes; /* how often it has changed L1 or local memory by a store */
    /*
     * The cycle before which the core, which keeps time, cannot issue if the word at its pc stays
     * rests_word; 0: that is not known.
     */
    uint64_t rests;
    uint32_t rests_word;
    /*
     * Of a core that keeps time: the cycle behind the last instruction that did not lead to itself,
     * and how many had been executed then.
     */
    uint64_t led, led_instret;
    bool single;  /* the core is watched: .ttinsn are not gathered */
    bool tainted; /* the load under way has got undefined bits */
    struct riscv_origin
        blame;          /* of the finding being reported, if it is about an undefined value */
    uint32_t float_bad; /* undefined bits that a load of F or V has got, and from where */
    struct riscv_origin float_from;
    /* Configuration of the prefetcher: lines under way, and the last address unless that is 0. */
    uint8_t prefetches;
    uint32_t prefetch_end;
    uint64_t drained; /* from this value of instret on, no RISCV_IN_FLIGHT is left */
    /*
     * Of the instruction being executed: its latency, and further cycles before the next one
     * issues.
     */
    uint16_t cycles, extra;
    const struct riscv_region *region; /* the region accessed last, or NULL */
    /* Number of addresses at which a group of gathered .ttinsn must end. */
    uint8_t splits;
    uint32_t split[RISCV_SPLITS];
    const struct riscv_store *leaving; /* the store being delivered, or NULL */
    /*
     * Loops of an untimed core may become machine code (translate.c), which is in "code" once there
     * is any. stamp counts what could have written to memory, decodes what has changed "decoded".
     */
    bool translates;
    struct riscv_code *code;
    uint32_t stamp, decodes;
    uint16_t heat[RISCV_HEAT]; /* how often jumps have led there, by address */
    /* Each block is executed by the interpreter, too: so many instructions, so many differ. */
    bool compares;
    uint16_t hot; /* how often a place is reached before it is translated */
    uint64_t ran; /* instructions by machine code */
    uint64_t compared, differs;
    struct riscv_op decoded[RISCV_DECODED];
};

/*
 * Initializes a core: in reset, timed, not connected to anything, and not translated. A core whose
 * "translates" was set is to be closed, also before it is opened again; it is not to be copied.
 */
void riscv_open(struct riscv *core, enum tx_arch arch, enum riscv_core who);
/* As riscv_open, in memory that is zero: pages that stay so are not touched. */
void riscv_begin(struct riscv *core, enum tx_arch arch, enum riscv_core who);
void riscv_close(struct riscv *core);
/*
 * riscv_hold puts the core into reset. riscv_release starts it at pc, with registers 0 and caches
 * empty, and local memory 0 unless keep_ram.
 */
void riscv_hold(struct riscv *core);
void riscv_release(struct riscv *core, uint32_t pc, bool keep_ram);
/*
 * Brings the state into range after it was replaced from outside, and forgets decoded instructions.
 */
void riscv_restored(struct riscv *core);
/* Bytes of local memory, or a register, have been written from outside the core. */
void riscv_local_given(struct riscv *core, uint32_t offset, size_t size);
void riscv_given(struct riscv *core, unsigned reg);
/* Returns whether some bits of these bytes of local memory are undefined. */
bool riscv_local_undefined(const struct riscv *core, uint32_t offset, size_t size);
/* Continues at the handler at pc; mret leads back. */
void riscv_interrupt(struct riscv *core, uint32_t pc);
/* Returns the address of the instruction on whose behalf the core acts now. */
static inline uint32_t riscv_at(const struct riscv *core)
{
    return core->leaving != NULL ? core->leaving->pc : core->s.pc;
}
/*
 * A core in a loop that only waits is in the same state again after some cycles, its period. Such a
 * loop goes on until something outside changes, so that its time can be made up for later.
 */
enum { RISCV_COUNTS = 8, RISCV_USES = 24, RISCV_CLOCK_USES = 64 };

/* count.c: a loop that counts while it waits, what goes on by how much, and what it uses of L1. */
struct riscv_counts {
    bool on, memory[RISCV_COUNTS]; /* else a register */
    uint8_t count, uses;
    uint32_t at[RISCV_COUNTS], step[RISCV_COUNTS];
    uint32_t used[RISCV_CLOCK_USES]; /* words */
    bool stored[RISCV_CLOCK_USES];
    uint32_t low, high; /* its instructions, from, to */
};

struct riscv_beat {
    struct riscv_state then; /* the state that it started in, without local memory */
    uint32_t changes, writes, read, tries;
    uint64_t round;  /* instructions of the first loop of which nothing was learned; 0: none yet */
    bool clocks;     /* set by the caller: a loop that loads the clock and only stores it will do */
    bool hopeless;   /* it is no such loop */
    uint64_t period; /* 0: not known yet, or the core does not run */
    uint64_t instret, waited[TX_CORE_WAITS]; /* of one period */
    struct riscv_counts counts;
};
void riscv_beat_start(struct riscv_beat *beat, const struct riscv *core);
/*
 * To be called after each cycle since then. Returns true once the period is known, which it is at
 * once for a core that does not run; for one that counts, in the first cycle of each period.
 * Without riscv_beat_holds afterwards it does not wait.
 */
bool riscv_beat_found(struct riscv_beat *beat, const struct riscv *core);
bool riscv_beat_holds(const struct riscv_beat *beat, const struct riscv *core);
/*
 * For cores that share L1, once all are found in one cycle: returns whether none of them depends on
 * what another one counts.
 */
bool riscv_beats_apart(struct riscv_beat *beat, const struct riscv *core, unsigned count);
/* Lets so many cycles pass for a core whose period is known. */
void riscv_beat_skip(const struct riscv_beat *beat, struct riscv *core, uint64_t cycles);
/*
 * Returns whether two cores at the same time go on alike and have counted alike, local memory
 * included: for the build that checks itself.
 */
bool riscv_same(const struct riscv_state *a, const struct riscv_state *b);
/* Empties the instruction cache; up to RISCV_PIPELINE instructions ahead have been fetched. */
void riscv_drop_cache(struct riscv *core);

/*
 * Runs "count" cycles (timed) or instructions (untimed), fewer if the core stops running or,
 * untimed, has to wait. Returns how many.
 */
uint64_t riscv_run(struct riscv *core, uint64_t count);
/*
 * A cycle of a core within a tile has two halves: queued stores leave, then an instruction issues.
 */
void riscv_deliver(struct riscv *core);
void riscv_issue(struct riscv *core);
/* Returns whether riscv_issue would only note that the core waits, for s.wait as before. */
static inline bool riscv_rests(const struct riscv *core)
{
    uint32_t word;
    if (core->s.now >= core->rests) {
        return false;
    }
    memcpy(&word, core->env.l1 + core->s.pc, sizeof word);
    return word == core->rests_word;
}
/* Returns whether a word is the clock's, or what was kept of it. */
static inline bool riscv_is_clock(uint32_t address)
{
    const uint32_t offset = address - REGION_BASE_DEBUG;
    return offset == TILE_WALL_CLOCK_L || offset == TILE_WALL_CLOCK_H ||
           offset == TILE_WALL_CLOCK_LATCH;
}
/* Something has changed the core's state from outside. */
static inline void riscv_stir(struct riscv *core)
{
    core->rests = 0;
}

/* Returns the instruction that a word is on a chip, or RISCV_NONE. */
enum riscv_id riscv_find(enum tx_arch arch, uint32_t word);
void riscv_decode(enum tx_arch arch, uint32_t word, struct riscv_op *op);
const char *riscv_name(enum riscv_id id);
uint32_t riscv_encode(enum riscv_id id, unsigned rd, unsigned rs1, unsigned rs2, uint32_t imm);
/* Returns whether the field of rs1 holds a number instead of a register's. */
bool riscv_rs1_is_number(enum riscv_id id);
/* Returns what an arithmetic instruction computes of other operands. */
uint32_t riscv_compute(const struct riscv_op *op, uint32_t pc, uint32_t a, uint32_t b);
/* Writes a line of assembly to text; 64 bytes suffice. */
void riscv_text(enum tx_arch arch, uint32_t word, uint32_t pc, char *text, size_t size);

struct riscv_region {
    const char *what;
    uint32_t base, size;
    uint8_t chips, cores, widths, cycles[2];
};
/* Returns the region of an address, or NULL if nothing is there for this core. */
const struct riscv_region *riscv_region(enum tx_arch arch, enum riscv_core who, uint32_t address);
enum riscv_region_id riscv_region_id(const struct riscv_region *region);
uint32_t riscv_ram_size(enum tx_arch arch, enum riscv_core who);

struct riscv_csr_info {
    const char *name;
    uint16_t number;
    bool vector, fixed; /* vector: only T2 has it; fixed: it cannot be written */
};
const struct riscv_csr_info *riscv_csr_info(enum riscv_csr_id id);
/* Read or write a CSR as csrr and csrw do. */
uint32_t riscv_csr_get(struct riscv *core, enum riscv_csr_id id);
void riscv_csr_set(struct riscv *core, enum riscv_csr_id id, uint32_t value);

const char *riscv_wait_text(enum tx_core_wait wait);

#endif
