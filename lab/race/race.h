/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "race": which accesses of a run the program itself orders, and which only this run's timing
 * did. Vector clocks over threads and units, fed by tensix/order.h. It may use base, kernel and
 * run.
 */
#ifndef LAB_RACE_RACE_H
#define LAB_RACE_RACE_H

#include <tensix-lab/kernel.h>
#include <tensix-lab/race.h>

#include "base/memory.h"
#include "run/l1.h"

/*
 * Who acts, for each thread: its gate, which lets instructions pass in order, and units, each of
 * which does its thread's instructions in order. Different units, and the same unit for different
 * threads, are ordered by waits only.
 */
enum race_actor {
    ACTOR_GATE,
    ACTOR_MATRIX,
    ACTOR_VECTOR,
    ACTOR_PACK,
    ACTOR_UNPACK0,
    ACTOR_UNPACK1,
    ACTOR_MEMORY, /* requests of the Scalar Unit; Blackhole: its results too */
    ACTOR_CONFIG, /* writes that take two cycles */
    ACTOR_MOVER,
    ACTOR_LOAD,   /* results of loads, on their way to registers while the Scalar Unit goes on */
    ACTOR_EXPAND, /* the MOP Expander, which reads MopCfg */
    ACTORS_OF_THREAD,
    /* Of each RISC-V core: itself, its stores on their way, by region, and what it has asked of the
     * NoC. */
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
    CLOCKS = (ACTORS + 3) / 4 * 4, /* so that compilers take four at a time */
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

/* Which kind an actor is. */
static inline enum race_actor race_kind(unsigned actor)
{
    return actor >= THREAD_ACTORS
               ? (enum race_actor)(ACTOR_CORE + (actor - THREAD_ACTORS) % CORE_ACTORS)
               : (enum race_actor)(actor % ACTORS_OF_THREAD);
}

/* What has happened before, as the number of each actor's last instruction that has. */
struct race_clock {
    uint32_t at[CLOCKS];
};

static inline void race_join(struct race_clock *to, const struct race_clock *from)
{
    for (unsigned i = 0; i < CLOCKS; i++) {
        to->at[i] = to->at[i] > from->at[i] ? to->at[i] : from->at[i];
    }
}

/* ---- where words come from ---- */

/* A line of the source with one instruction of one thread; all passes through it. */
struct race_place {
    uint8_t thread, section, file;
    uint32_t line, word; /* the first of the words that stand there; of a core: its pc */
    uint64_t passes;
    uint8_t waits, uses; /* of a core's load, see race_code.c: 0 not looked at, 1 no, 2 yes */
};

/* Words of a MOP, by template, after its configuration. */
struct race_stream;
struct txl_race;
void race_expand(struct txl_race *r, struct race_stream *s, const uint32_t cfg[9], uint32_t word);

/* Follows one thread's words to the places they come from: the expanders are its own copy. */
struct race_stream {
    uint32_t *at; /* place of each of its words, in order */
    uint32_t *words;
    size_t count, next;
    uint32_t slot[32], slot_word[32]; /* of the replay buffer: place and word */
    unsigned play, left;              /* slots that are being played */
    unsigned record, recording;       /* slots that are being recorded while words pass */
    uint32_t mop, *mop_words;         /* of the MOP under way: its place, and what it makes */
    size_t mop_count, mop_next, mop_room;
    uint32_t mop_mask; /* of MOP_CFG */
};

/* ---- accesses ---- */

struct race_access {
    uint32_t clock; /* of its actor */
    uint32_t gate;  /* clock of its thread's gate as it passed */
    uint32_t mask;
    uint32_t place;
    uint32_t blocks; /* bits of a block mask that hold its instruction */
    uint32_t word;
    uint32_t pushed;   /* of a tile: clock of the thread's core then */
    uint32_t loose;    /* place of a wait that was latched and did not hold it, or NOWHERE */
    uint64_t pass;     /* of its place, from 1 */
    uint64_t cycle;    /* in which it takes effect in this run */
    uint64_t sequence; /* instructions of its thread that had passed */
    uint8_t actor, thread, unit, insn;
    bool write, atomic; /* atomic: of a core, in L1 */
    bool paired;        /* a bank is given back by who has waited for the other Src's */
};

/* Accesses to one index of shared state that a later one may still race with. */
struct race_cell {
    struct race_access *list;
    uint16_t count, room;
    uint16_t last; /* the one that came last */
    bool clean;    /* and raced with none of the others */
};

/* Beside the columns of a bank's first row: who has the bank. */
enum { RACE_OWNER = 1 << 16 };
enum { L1_GRAIN = 16, L1_PAGE = 256 };

/* An instruction that has passed and may still do something. */
struct race_flight {
    struct race_clock clock; /* of an unpacker's: what it knows */
    uint64_t number;
    struct race_access access; /* what its accesses have in common */
    struct race_access gate;   /* those that are the gate's */
};
enum { FLIGHTS = 64, WAITS = 16, SEMAPHORES = 8, COUNTS = 16, BLOCKS_ALL = 1 << 9 };

struct race_wait {
    uint64_t sequence;
    uint32_t word, place;
};

struct race_thread {
    struct race_clock gate;
    uint64_t sequence;
    /* The latched wait: what is ordered before the first instruction that it holds. */
    bool waits;
    uint32_t wait_block, wait_units; /* bits that hold; actors that it waits for */
    struct race_clock wait, latched; /* what it orders; and what there was as it was latched */
    struct race_access wait_access;
    struct race_wait log[WAITS]; /* by number of waits */
    unsigned waited;
    /* Writes of configuration in their second cycle: seen by the instruction after the next. */
    uint32_t config_clock[2];
    uint64_t config_sequence[2];
    unsigned packers;                   /* used since they were waited for */
    bool took[2];                       /* the Matrix Unit has waited for its bank of this Src */
    uint64_t gave[2];                   /* and has given it back in this instruction, + 1 */
    struct race_flight flight[FLIGHTS]; /* by number */
    struct race_flight *now;            /* the one that passed last */
};

/* Posts and gets of a semaphore so far, by number modulo COUNTS. */
struct race_semaphore {
    uint64_t posts, gets;
    struct race_clock post[COUNTS], get[COUNTS], init;
    unsigned inits; /* SEMINITs so far */
    unsigned max;
};

struct race_pair {
    struct txl_race_found found;
    struct race_access access[2];
    uint32_t index; /* of the state, in the first occurrence */
    uint32_t mask;
    char what[160], text[2][256], source[2][256], remedy[512], why[256];
    char delays[64], witness[256];
    struct race_clock second; /* what the second access knew */
};

struct txl_race {
    struct txl_error *err;
    struct txl_race_options how;
    const char *name;
    const struct tx_program *program;
    enum tx_arch arch;
    struct tx_settings settings;
    struct tx_kernel_options options;
    struct l1_job l1;
    struct txl_race_result result;
    bool failed;     /* memory */
    uint8_t *random; /* what L1 holds unless files fill it */
    unsigned section;

    struct race_place *places;
    size_t place_count;
    struct race_stream stream[TX_SECTIONS][TX_THREADS];

    struct race_thread thread[TX_THREADS];
    struct race_tile *tile;         /* NULL: a kernel's words, no cores */
    struct race_flags *flags;       /* of a tile */
    struct race_clock unit[ACTORS]; /* what each actor's instructions so far know */
    struct race_clock bank[2][4];   /* hand-overs of a bank, by receiver: 0 unpacker, 1 matrix */
    struct race_clock mutex[8];
    struct race_semaphore semaphore[SEMAPHORES];

    struct race_cell *cells[TX_SHARED_COUNT];
    struct race_cell **l1_pages;
    struct txl_race_idiom *idioms; /* the known ones, with their counts */

    struct race_pair *pairs;
    size_t pair_count, pair_room;
};

/* ---- race.c ---- */
/* Configuration and L1 of a machine before the program starts. TXL_CONTINUE or TXL_INPUT. */
int race_prepare(struct txl_race *r, tx_machine *machine);
/* The options, for a tile. */
int race_settle_tile(struct txl_race *r, const struct txl_race_options *options);
/* The results; TXL_OK, TXL_NEGATIVE where there are races, or TXL_INPUT without memory. */
int race_finish(struct txl_race *r);

/* ---- race_place.c ---- */
int race_places_open(struct txl_race *r);
void race_places_close(struct txl_race *r);
void race_section(struct txl_race *r, unsigned section);
/* The place that a word which has passed comes from; NOWHERE: not known. */
uint32_t race_place_of(struct txl_race *r, unsigned thread, uint32_t word);

/* ---- race_order.c ---- */
void race_order(void *user, const struct tx_order *order);
/* Everything has come to rest: what follows is behind all of it. */
void race_drained(struct txl_race *r);

/* ---- race_shadow.c ---- */
int race_shadow_open(struct txl_race *r);
void race_shadow_close(struct txl_race *r);
/* Drops what is ordered before everything that follows. */
void race_shadow_clear(struct txl_race *r);
/* Fills in what the access has of the order: write, mask. */
void race_access(struct txl_race *r, const struct tx_order *o, struct race_access *access,
                 const struct race_clock *known);
/* Of the bytes of L1: the last clock of this actor's writes that are kept. */
uint32_t race_shadow_last(const struct txl_race *r, const struct tx_order *o, unsigned actor);

/* ---- race_tile.c ---- */
/* What a core did. */
void race_tile_order(struct txl_race *r, const struct tx_order *o);
/* The next word that was pushed to a thread, which comes after its core's doings; and MopCfg as it
 * was when the last one that this gave was pushed. */
bool race_tile_take(struct txl_race *r, unsigned thread, uint32_t *word, uint32_t *place);
const uint32_t *race_tile_mop(const struct txl_race *r, unsigned thread);
/* Stores to configuration and GPRs that the core of a thread had made before it pushed that word:
 * they are done. */
void race_tile_stores(const struct txl_race *r, unsigned thread, struct race_clock *clock);
txl_tensix *race_tile_of(const struct txl_race *r);
/* The core has loaded what says that the access is over, and has not used the value: the load's. */
bool race_tile_unused(const struct txl_race *r, unsigned core, const struct race_access *access,
                      uint32_t *pc);
/* Clock of a thread's core as it pushed the word that was taken last. */
uint32_t race_tile_pushed(const struct txl_race *r, unsigned thread);
void race_tile_close(struct txl_race *r);
/* What Blackhole's Auto TTSync tracks for a thread has been written. */
void race_tile_tracks(struct txl_race *r, unsigned thread);

/* ---- race_tile_words.c ---- */
/* The line that an instruction of a core comes from, or its function and pc. */
const char *race_tile_source(const struct txl_race *r, const struct race_place *p, char text[256]);
void race_tile_place(struct txl_race *r, struct race_pair *pair, unsigned i);
void race_tile_describe(struct txl_race *r, struct race_pair *pair);
/* The second knows that the first has been pushed: fills why and remedy. */
bool race_tile_told(const struct txl_race *r, struct race_pair *pair);

/* ---- race_l1.c: words of L1 that somebody waits for ---- */
struct race_flags;
struct race_flags *race_flags_open(struct txl_race *r);
void race_flags_close(struct race_flags *f);
/* Somebody with these clocks, of which his own two change each time, has written there. */
void race_flag_set(struct txl_race *r, uint32_t address, uint32_t size,
                   const struct race_clock *known, unsigned actor, unsigned other);
/* What whoever has written there knew is known to who reads it. */
void race_flag_join(struct txl_race *r, uint32_t address, uint32_t size, struct race_clock *to);

/* ---- race_code.c: a core's program around one of its loads ---- */
/* A loop around it does nothing but wait for its value to change. */
bool race_code_waits(txl_tensix *tile, uint32_t pc);
/* It is what remains of such a loop that a compiler has taken its first round out of. */
bool race_code_guards(txl_tensix *tile, uint32_t pc);
/* Something uses its value, or a fence stands there, before the next access to memory. */
bool race_code_uses(txl_tensix *tile, uint32_t pc);

/* ---- race_idiom.c ---- */
size_t race_idiom_count(void);
/* The pair is not ordered, and silicon is known to do it right: the row that says so, or -1. */
int race_idiom(const struct txl_race *r, enum tx_shared shared, unsigned index, uint32_t mask,
               const struct race_access *first, const struct race_access *second,
               const struct race_clock *known);

/* ---- race_words.c ---- */
/* What state it is, by the names that people use. */
void race_state_text(enum tx_arch arch, enum tx_shared shared, unsigned index, uint32_t mask,
                     char *text, size_t size);
/* Fills the texts of a pair: both places, what is missing, and what would order them. */
void race_describe(struct txl_race *r, struct race_pair *pair);
const char *race_unit_name(unsigned actor);
const char *race_block_name(uint32_t blocks);

#endif
