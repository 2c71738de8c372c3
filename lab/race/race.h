/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "race": determines which accesses of a run the program itself orders and which only the
 * timing of this run did. It keeps vector clocks of threads and units, fed by tensix/order.h. It
 * may use base, kernel and run.
 */
#ifndef LAB_RACE_RACE_H
#define LAB_RACE_RACE_H

#include <tensix-lab/kernel.h>
#include <tensix-lab/race.h>

#include "base/memory.h"
#include "kernel/origin.h"
#include "run/l1.h"

/*
 * The actors whose events are ordered among themselves. Each thread has a gate, which lets
 * instructions pass in order, and an actor for each unit, which executes the thread's instructions
 * in order. Different units, and one unit for different threads, are ordered only by waits.
 */
enum race_actor {
    ACTOR_GATE,
    ACTOR_MATRIX,
    ACTOR_VECTOR,
    ACTOR_PACK,
    ACTOR_UNPACK0,
    ACTOR_UNPACK1,
    ACTOR_MEMORY, /* requests of the Scalar Unit; on Blackhole also its results */
    ACTOR_CONFIG, /* configuration writes that take two cycles */
    ACTOR_MOVER,
    ACTOR_LOAD,   /* results of loads, which arrive in registers while the Scalar Unit continues */
    ACTOR_EXPAND, /* the MOP Expander, which reads MopCfg */
    ACTOR_EXPONENT, /* reads of Dst for shared exponents, which packers leave to THCON */
    ACTORS_OF_THREAD,
    /*
     * Actors of each RISC-V core: the core itself, its stores in flight, by region, and its
     * requests to the NoC.
     */
    ACTOR_CORE = ACTORS_OF_THREAD,
    ACTOR_STORE_CONFIG,
    ACTOR_STORE_GPR,
    ACTOR_STORE_DST,
    ACTOR_STORE_L1,
    ACTOR_NOC_READ,
    ACTOR_NOC_SOURCE,
    ACTOR_NOC_WRITE,
    ACTOR_KINDS
};
enum {
    THREAD_ACTORS = ACTORS_OF_THREAD * TX_THREADS,
    CORE_ACTORS = ACTOR_KINDS - ACTOR_CORE,
    ACTORS = THREAD_ACTORS + CORE_ACTORS * TX_CORES,
    /* A multiple of four, so that compilers vectorise loops over clocks. */
    CLOCKS = (ACTORS + 3) / 4 * 4,
    NOWHERE = UINT32_MAX
};

static inline unsigned race_actor(unsigned thread, enum race_actor actor)
{
    return thread * ACTORS_OF_THREAD + (unsigned)actor;
}

static inline unsigned race_core(unsigned core, enum race_actor actor)
{
    return THREAD_ACTORS + CORE_ACTORS * core + (unsigned)(actor - ACTOR_CORE);
}

/* Returns the kind of an actor. */
static inline enum race_actor race_kind(unsigned actor)
{
    return actor >= THREAD_ACTORS
               ? (enum race_actor)(ACTOR_CORE + (actor - THREAD_ACTORS) % CORE_ACTORS)
               : (enum race_actor)(actor % ACTORS_OF_THREAD);
}

/*
 * A vector clock: for each actor the number of its last instruction that is known to have happened
 * before.
 */
struct race_clock {
    uint32_t at[CLOCKS];
};

static inline void race_join(struct race_clock *to, const struct race_clock *from)
{
    for (unsigned i = 0; i < CLOCKS; i++) {
        to->at[i] = to->at[i] > from->at[i] ? to->at[i] : from->at[i];
    }
}

/* ---- source places of words ---- */

/* A place: one instruction of one thread in a line of the source. All executions of it count. */
struct race_place {
    uint8_t thread, section, file;
    uint32_t line, word; /* a word that stands there, the first one; of a core: its pc */
    uint64_t passes;
    uint8_t waits, uses; /* for a core's load, see race_code.c: 0 not examined yet, 1 no, 2 yes */
    /* Of a core: hashes of the source lines of race_tile_source; 0: not looked up yet. */
    uint64_t user, inner;
    uint32_t bits; /* for a core's load of configuration: those that it uses, if looked is set */
    bool looked;
};

/* One thread's words, and the state by which kernel/origin.h finds their places. */
struct race_stream {
    uint32_t *at; /* place of each of the thread's words, in order */
    uint32_t *words;
    size_t count, next;
    struct origin_thread origin;
};

/* ---- accesses ---- */

struct race_access {
    uint32_t clock; /* number of the instruction among its actor's */
    uint32_t gate;  /* number of the instruction at its thread's gate */
    uint32_t mask;
    uint32_t place;
    uint32_t blocks; /* bits of a block mask that would hold its instruction */
    uint32_t word;
    uint32_t pushed; /* for a tile: clock of the thread's core when it pushed the word */
    /*
     * For a tile: how many instructions the core had executed when it stored or pushed this, and,
     * for a word, which core pushed it.
     */
    uint64_t executed;
    uint8_t by;
    uint32_t loose;    /* place of a latched wait that did not hold the instruction, or NOWHERE */
    uint64_t pass;     /* which execution of its place, from 1 */
    uint64_t cycle;    /* when it takes effect in this run */
    uint64_t sequence; /* how many instructions of its thread had passed */
    uint8_t actor, thread, unit, insn;
    bool write, atomic; /* atomic: a core's atomic in L1 */
    bool paired;        /* hands a bank back after waiting for the other Src's bank */
};

/* The accesses to one index of shared state with which a later access may still race. */
struct race_cell {
    struct race_access *list;
    uint16_t count, room;
    uint16_t last; /* index of the latest */
    bool clean;    /* and that one raced with none of the others */
};

/* Mask bit beside the columns of a bank's first row: stands for the ownership of the bank. */
enum { RACE_OWNER = 1 << 16 };
enum { L1_GRAIN = 16, L1_PAGE = 256 };

/* An instruction that has passed its gate and may still access state. */
struct race_flight {
    struct race_clock clock; /* for unpackers: what the instruction knows */
    uint64_t number;
    struct race_access access; /* common part of its accesses */
    struct race_access gate;   /* the same for those made at the gate */
    uint8_t exponents;         /* of PACR: 0 not looked at, 1 reads no shared exponents, 2 does */
};
/*
 * FLIGHTS exceeds the number of instructions that one thread can have in one unit between the gate
 * and their end: at most 16, for requests of the Scalar Unit.
 */
enum { FLIGHTS = 32, WAITS = 16, SEMAPHORES = 8, COUNTS = 16, BLOCKS_ALL = 1 << 9 };

struct race_wait {
    uint64_t sequence;
    uint32_t word, place;
};

struct race_thread {
    struct race_clock gate;
    uint64_t sequence;
    /* The latched wait: what it orders before the first instruction that it holds. */
    bool waits;
    uint32_t wait_block, wait_units; /* block mask; the actors that it waits for */
    /* What the wait orders, and what had happened when it was latched. */
    struct race_clock wait, latched;
    struct race_access wait_access;
    struct race_wait log[WAITS]; /* ring of the last waits, indexed by waited */
    unsigned waited;
    /* Configuration writes in their second cycle: the instruction after the next sees them. */
    uint32_t config_clock[2];
    uint64_t config_sequence[2];
    unsigned packers; /* packers used since the last wait for them */
    bool took[2];     /* the Matrix Unit has waited for its bank of this Src */
    /* Number + 1 of the instruction in which it gave the bank back. */
    uint64_t gave[2];
    /* Rings, the latest entry at last. By unit, since one may wait while hundreds pass others. */
    struct race_flight flight[ACTORS_OF_THREAD][FLIGHTS];
    uint8_t last[ACTORS_OF_THREAD];
    struct race_flight *now; /* the instruction that passed last */
};

/* Posts and gets of a semaphore so far, in rings indexed by their number modulo COUNTS. */
struct race_semaphore {
    uint64_t posts, gets;
    struct race_clock post[COUNTS], get[COUNTS], init;
    unsigned inits; /* number of SEMINITs so far */
    unsigned max;
};

struct race_pair {
    struct txl_race_found found;
    struct race_access access[2];
    uint32_t index; /* index of the state at the first occurrence */
    uint32_t mask;
    char what[160], text[2][256], source[2][256], remedy[512], why[256];
    char delays[64], witness[256];
    struct race_clock second; /* what the second access's actor knew */
};

struct txl_race {
    struct txl_error *err;
    struct txl_race_options how;
    const char *name;
    const struct tx_program *program;
    tx_machine *machine; /* while it runs */
    enum tx_arch arch;
    struct tx_settings settings;
    struct tx_kernel_options options;
    struct l1_job l1;
    struct txl_race_result result;
    bool failed; /* memory ran out */
    unsigned section;

    struct race_place *places;
    size_t place_count;
    struct race_stream stream[TX_SECTIONS][TX_THREADS];

    struct race_thread thread[TX_THREADS];
    struct race_tile *tile;         /* NULL: a kernel's words without cores */
    struct race_flags *flags;       /* tiles only */
    struct race_clock unit[ACTORS]; /* what the instructions of each actor know so far */
    /* Clocks of bank hand-overs, by receiver: 0 unpacker, 1 Matrix Unit. */
    struct race_clock bank[2][4];
    struct race_clock mutex[8];
    struct race_semaphore semaphore[SEMAPHORES];

    struct race_cell *cells[TX_SHARED_COUNT];
    struct race_cell **l1_pages;
    struct txl_race_idiom *idioms; /* all known idioms, with their counts */

    struct race_pair *pairs;
    size_t pair_count, pair_room;
};

/* ---- race.c ---- */
/*
 * Sets configuration and L1 of a machine before the program starts. Returns TXL_CONTINUE or
 * TXL_INPUT.
 */
int race_prepare(struct txl_race *r, tx_machine *machine);
/* Takes the options, for a tile. */
int race_settle_tile(struct txl_race *r, const struct txl_race_options *options);
/*
 * Finishes the results. Returns TXL_OK, TXL_NEGATIVE where there are races, or TXL_INPUT without
 * memory.
 */
int race_finish(struct txl_race *r);

/* ---- race_place.c ---- */
int race_places_open(struct txl_race *r);
void race_places_close(struct txl_race *r);
void race_section(struct txl_race *r, unsigned section);
/* Returns the place of a word that has passed; NOWHERE: unknown. */
uint32_t race_place_of(struct txl_race *r, unsigned thread, uint32_t word);

/* ---- race_order.c ---- */
void race_order(void *user, const struct tx_order *order);
/* To be called when everything is idle: all accesses so far are ordered before what follows. */
void race_drained(struct txl_race *r);

/* ---- race_exponent.c ---- */
/* Records the reads for shared exponents that belong to a packer's read of rows of Dst. */
void race_exponents(struct txl_race *r, const struct tx_order *o, struct race_flight *f,
                    const struct race_clock *known);
/* Takes these reads as over for a write of all rows of Dst. */
void race_exponents_over(const struct txl_race *r, const struct tx_order *o,
                         struct race_clock *known);

/* ---- race_shadow.c ---- */
int race_shadow_open(struct txl_race *r);
void race_shadow_close(struct txl_race *r);
/* Forgets all accesses, because they are ordered before everything that follows. */
void race_shadow_clear(struct txl_race *r);
/*
 * Checks one access against earlier ones and records it. known is what its actor knows. Sets write
 * and mask of *access.
 */
void race_access(struct txl_race *r, const struct tx_order *o, struct race_access *access,
                 struct race_clock *known);
/* Returns the clock of this actor's last recorded write to these bytes of L1. */
uint32_t race_shadow_last(const struct txl_race *r, const struct tx_order *o, unsigned actor);

/* ---- race_tile.c ---- */
/* Handles an event of a core. */
void race_tile_order(struct txl_race *r, const struct tx_order *o);
/*
 * race_tile_take gives the next word that was pushed to a thread, and orders it after what its core
 * did before; race_tile_mop gives MopCfg as it was when the word taken last was pushed.
 */
bool race_tile_take(struct txl_race *r, unsigned thread, uint32_t *word, uint32_t *place);
const uint32_t *race_tile_mop(const struct txl_race *r, unsigned thread);
/*
 * Adds to *clock that stores to configuration and GPRs which the thread's core made before that
 * word have arrived.
 */
void race_tile_stores(const struct txl_race *r, unsigned thread, struct race_clock *clock);
txl_tensix *race_tile_of(const struct txl_race *r);
/*
 * Tells whether the core has loaded a word that says that the access is over, but has not used the
 * value; *pc is the load's.
 */
bool race_tile_unused(const struct txl_race *r, unsigned core, const struct race_access *access,
                      uint32_t *pc);
/* Sets pushed and executed of an access to those of the word that was taken last. */
void race_tile_pushed(const struct txl_race *r, unsigned thread, struct race_access *access);
/* Returns how many accesses of this actor, which belongs to a core, there have been. */
uint32_t race_tile_latest(const struct txl_race *r, unsigned actor);
/*
 * Tells whether a core had pushed the first before it released from reset the core of the second,
 * which has executed at least instructions since then.
 */
bool race_tile_released(const struct txl_race *r, const struct race_access *first,
                        const struct race_access *second, uint64_t instructions);
/* Lets a core know that an actor has come this far. */
void race_tile_assume(struct txl_race *r, unsigned core, unsigned actor, uint32_t clock);
void race_tile_close(struct txl_race *r);
/* Notes that the configuration of Blackhole's Auto TTSync for a thread has changed. */
void race_tile_tracks(struct txl_race *r, unsigned thread);

/* ---- race_tile_words.c ---- */
/*
 * Writes the source line of a core's instruction, that of the user before that of a header, or its
 * function and pc. hash, if it is not NULL, gets values that stand for these two lines.
 */
const char *race_tile_source(const struct txl_race *r, const struct race_place *p, char text[256],
                             uint64_t hash[2]);
/*
 * Tells whether two pairs of places are one cause: the lines of the user's source are equal for
 * both accesses, or the lines of the headers.
 */
bool race_tile_same(struct txl_race *r, const struct race_access *a, const struct race_access *b,
                    const struct race_pair *pair);
void race_tile_place(struct txl_race *r, struct race_pair *pair, unsigned i);
void race_tile_describe(struct txl_race *r, struct race_pair *pair);
/*
 * If the second access's actor knows that the first has been pushed (but not executed), sets why
 * and remedy and returns true.
 */
bool race_tile_told(const struct txl_race *r, struct race_pair *pair);

/* ---- race_l1.c: words of L1 that cores wait for ---- */
struct race_flags;
struct race_flags *race_flags_open(struct txl_race *r);
void race_flags_close(struct race_flags *f);
/*
 * Records that an actor with these clocks has written there; actor and other are its own two
 * clocks, which change with every write.
 */
void race_flag_set(struct txl_race *r, uint32_t address, uint32_t size,
                   const struct race_clock *known, unsigned actor, unsigned other);
/* Adds what the writers of these bytes knew to the knowledge of the reader. */
void race_flag_join(struct txl_race *r, uint32_t address, uint32_t size, struct race_clock *to);

/* ---- race_code.c: a core's program around one of its loads ---- */
/* Tells whether the load is in a loop that only waits for its value to change. */
bool race_code_waits(txl_tensix *tile, uint32_t pc);
/*
 * Tells whether the load and its test are the first round of such a loop, which compilers peel off.
 */
bool race_code_guards(txl_tensix *tile, uint32_t pc);
/*
 * Tells whether something uses the value of the load, or a fence follows, before the next memory
 * access.
 */
bool race_code_uses(txl_tensix *tile, uint32_t pc);

/* Reads an instruction from L1; returns false outside it. */
bool race_insn_at(txl_tensix *tile, uint32_t pc, struct tx_core_decoded *i);

/* ---- race_bits.c ---- */
/* Returns the bits of the word that the load at pc brings which the code behind it uses. */
uint32_t race_code_bits(txl_tensix *tile, uint32_t pc);

/* ---- race_idiom.c ---- */
size_t race_idiom_count(void);
/*
 * Finds an idiom that covers a pair which nothing orders but silicon handles correctly: its index,
 * or -1.
 */
int race_idiom(const struct txl_race *r, enum tx_shared shared, unsigned index, uint32_t mask,
               const struct race_access *first, const struct race_access *second,
               const struct race_clock *known);
/*
 * Likewise the entry of doubts.def that a reported pair belongs to, and whether that is open. NULL:
 * none.
 */
const struct txl_race_idiom *race_doubt(const struct txl_race *r, enum tx_shared shared,
                                        unsigned index, uint32_t mask,
                                        const struct race_access *first,
                                        const struct race_access *second,
                                        const struct race_clock *known, bool *open);

/* ---- race_words.c ---- */
/* Names the state as users know it. */
void race_state_text(enum tx_arch arch, enum tx_shared shared, unsigned index, uint32_t mask,
                     char *text, size_t size);
/* Writes the texts of a pair: both places, what is missing, and what would order them. */
void race_describe(struct txl_race *r, struct race_pair *pair);
const char *race_unit_name(unsigned actor);
const char *race_block_name(uint32_t blocks);

#endif
