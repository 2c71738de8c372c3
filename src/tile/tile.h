/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of a tile: everything around the cores (src/riscv) and the coprocessor (struct
 * tx_machine), and how the two reach each other. The addresses that a core can reach form regions;
 * each region is served by a page (struct tile_page) with one function for loads and one for
 * stores.
 */
#ifndef TX_TILE_TILE_H
#define TX_TILE_TILE_H

#include <tensix/tile_debug.h>

#include "isa/chip.h"
#include "noc/noc.h"
#include "riscv/riscv.h"
#include "state/machine.h"

enum { TILE_OUTSIDE = TX_CORES }; /* value of "who" for the NoC, the host and the coprocessor */
enum { NIU_BLOCK = 0x10000 /* from one network interface to the next */ };
enum { PAGE_WORDS = 0x400, OVERLAY_WORDS = 0x10000, PIC_WORDS = 78 };
enum { MAILBOXES = 4, MAILBOX_WORDS = 4, PCBUF_WORDS = 16 };
enum { DEBUG_CORES = 4, DR_WATCH = 5, DR_COUNT = 18 }; /* B and T0 to T2; NC has no debug unit */

struct fifo {
    uint32_t word[PCBUF_WORDS];
    uint8_t head, count;
};

/* The part of a tile that a snapshot copies; without pointers. */
/*
 * Where the cores have pushed words last, by thread and the word's hash: the pc, a multiple of 4,
 * with TILE_PUSHED_B or TILE_PUSHED_T; 0: none has pushed the word, or another one has its place.
 */
enum { TILE_PUSHED = 256, TILE_PUSHED_B = 1, TILE_PUSHED_T = 2 };
struct tile_pushed {
    uint32_t word, from;
};

struct tile_state {
    uint64_t cycle;
    uint64_t ahead; /* cycles that quicker cores (tx_settings.pace) have had beyond those */
    /* 1 + the last cycle in which the core waited for its PC buffer; 0: never. */
    uint64_t pc_wait[TX_THREADS];
    uint8_t risc[TX_THREADS]; /* the value that condition RISC was last set to */
    uint32_t wall_latch;
    uint32_t debug[PAGE_WORDS];
    uint32_t tdma[PAGE_WORDS];
    uint32_t mover_base[TX_CORES];
    struct tile_pushed pushed[TX_THREADS][TILE_PUSHED];
    /* Cores, a bit each, that have been released and begin in the cycle given (start_delay). */
    uint8_t starts_late;
    uint64_t starts[TX_CORES];
    struct noc_niu niu[2];
    uint32_t overlay[OVERLAY_WORDS];
    uint32_t pic[PIC_WORDS];
    struct fifo mailbox[MAILBOXES][MAILBOXES]; /* [writer][reader] */
    struct fifo pcbuf[TX_THREADS];
    uint32_t dr[DEBUG_CORES][DR_COUNT];
    /* Watchpoints that were hit, as the debug unit's status shows them. */
    uint16_t watch_hit[DEBUG_CORES];
    /* The core was continued from a watchpoint at its pc, which must not stop it again. */
    uint8_t watch_passed[DEBUG_CORES];
    uint8_t iram[RISCV_IRAM_BYTES];
};

/* Fields that say how far the cores fetch ahead, for each core in the order of its number. */
enum {
    PREFETCH_ON,
    PREFETCH_END = PREFETCH_ON + TX_CORES,
    PREFETCH_MOST = PREFETCH_END + TX_CORES,
    PREFETCH_FIELDS
};

/* A store that has left its core and takes effect later (tx_order_delays). */
struct tile_held {
    bool live;
    uint8_t who;
    struct riscv_access access;
    uint64_t due;
};

/* The configuration fields that determine how a thread's core sees Dst. */
struct tile_dst_control {
    struct cfg_place format, raw, is_unsigned;
};

struct tile_doze;
struct tile_naps;
enum { TILE_TURN_ISSUE = TX_CORES };

struct tx_tensix {
    struct tx_tensix_settings settings;
    tx_machine *m;
    struct riscv core[TX_CORES];
    struct tile_state s;
    uint64_t progress; /* last cycle in which something made progress */
    bool sleeps;       /* the coprocessor is idle and has been since m->quiet was last 0 */
    /*
     * Words at the gates of a coprocessor that stands still: nothing passes, ends or begins until
     * something outside it changes what they wait for, which sets m->quiet to 0. 0: it does not.
     */
    uint8_t stands;
    bool jumps;     /* the sink need not be told of each cycle in which nothing begins or ends */
    bool looking;   /* a debugger reads: no state changes, no finding is made (look.c) */
    uint8_t frozen; /* bit per core that must not issue */
    struct tile_held held;
    uint64_t stored[TX_CORES]; /* per core: stores so far that a delay could apply to */
    uint64_t reached;          /* stores of cores that went beyond L1 and their local memory */
    /*
     * For untimed.c: how often the tile had to let time pass, and the work done when a thread was
     * last held.
     */
    uint64_t waits, held_at[TX_THREADS];
    /*
     * Where requests go: into a chip, or, of a tile that is alone, into "alone", where "requests"
     * wait.
     */
    const struct noc_world *world;
    struct noc_world alone;
    struct noc_queue requests;
    /* Places that have refused the request with that number, a bit each. */
    struct {
        uint64_t request;
        uint32_t place[64 * 64 / 32];
    } refused;
    /* Answers for other places on the NoC; NULL: none. */
    bool (*noc)(void *user, const struct tx_noc_access *access);
    void *noc_user;
    /* Each core begins up to so many cycles after its release, which the seed draws; 0: at once. */
    uint32_t start_delay;
    uint64_t start_seed;
    bool sleepless;         /* it must not fall asleep, as somebody looks at it */
    struct tile_doze *doze; /* doze.c; of a tile in a chip */
    struct tile_naps *naps; /* naps.c; the same */
    bool may_nap;           /* a host drives the chip, so that nobody asks when its cores end */
    bool may_rest;          /* cores that wait until a known cycle need not try (rests.c) */
    /*
     * Cores, a bit each: those that nap; those that must hear of what they read, because they nap
     * or are about to; of these those that read registers, those that read interfaces, and those
     * that store to L1.
     */
    uint8_t napping, naps_hear, naps_registers, naps_interfaces, naps_show;
    /*
     * Who has a turn in the present cycle: cores deliver stores one after the other, then, from
     * TILE_TURN_ISSUE on, they issue. 0: before all of them.
     */
    uint8_t turn;
    uint64_t clock; /* what the clock shows the core that loads it */
    /* Told of the cores' stores; NULL: nobody. */
    void (*stores)(void *user, const struct tx_core_store *store);
    void *stores_user;
    /* Told of accesses of cores beyond L1 and local memory; NULL: nobody. */
    void (*accessed)(void *user, unsigned who, const struct riscv_access *access, bool write);
    void *accessed_user;
    /* Fields with these meanings in the chip's configuration. */
    struct cfg_place drop_cache, no_prediction, prefetch[PREFETCH_FIELDS];
    struct tile_dst_control dst_control[TX_THREADS];
};

/* The size of a snapshot without L1, which tx_tensix_snapshot and tx_tensix_restore know, too. */
size_t tile_snapshot_size(const struct tx_tensix *t);

/* Returns whether the coprocessor is idle or stands still, so that its cycles need only be counted.
 */
static inline bool tile_units_still(const struct tx_tensix *t)
{
    enum { SETTLED = 4 };
    return t->m->quiet >= SETTLED && (t->sleeps || t->stands != 0);
}

/* Returns how many cycles the cores have in one of the tile (tx_settings.pace). */
static inline unsigned tile_core_rounds(const struct tx_tensix *t)
{
    const uint8_t pace = t->settings.machine.pace[TX_PACED_CORES];
    return pace == TX_PACE_NONE ? 16 : pace == TX_PACE_HALF ? 2 : 1;
}
/* Returns whether anything in the tile is quicker than on the chip. */
static inline bool tile_paced(const struct tx_tensix *t)
{
    return machine_is_paced(t->m) || tile_core_rounds(t) != 1;
}

static inline bool fifo_put(struct fifo *f, uint32_t word, unsigned capacity)
{
    if (f->count >= capacity) {
        return false;
    }
    f->word[(f->head + f->count++) % PCBUF_WORDS] = word;
    return true;
}

static inline bool fifo_take(struct fifo *f, uint32_t *word)
{
    if (f->count == 0) {
        return false;
    }
    *word = f->word[f->head];
    f->head = (uint8_t)((f->head + 1u) % PCBUF_WORDS);
    f->count--;
    return true;
}

/* Reports what a core does to shared state to the listener (tensix/order.h), if there is one. */
static inline void tile_tell_many(struct tx_tensix *t, unsigned who, enum tx_order_kind kind,
                                  enum tx_shared shared, unsigned index, uint32_t count,
                                  uint32_t mask)
{
    if (t->m->order.order == NULL || t->looking || who >= TX_CORES) {
        return;
    }
    const struct tx_order order = {.size = sizeof order,
                                   .kind = (uint8_t)kind,
                                   .shared = (uint8_t)shared,
                                   .thread = (uint8_t)(TX_ORDER_CORE + who),
                                   .unit = TX_UNIT_NONE,
                                   .word = riscv_at(&t->core[who]),
                                   .index = index,
                                   .count = count,
                                   .mask = mask,
                                   .number = t->core[who].s.instret,
                                   .cycle = t->s.cycle};
    t->m->order.order(t->m->order.user, &order);
}

static inline void tile_tell(struct tx_tensix *t, unsigned who, enum tx_order_kind kind,
                             enum tx_shared shared, unsigned index, uint32_t mask)
{
    tile_tell_many(t, who, kind, shared, index, 1, mask);
}

enum { TILE_SYNC_SEMAPHORES_END = TILE_SYNC_SEMAPHORES + 32 };

/*
 * What an offset in the configuration window denotes: a word of a bank, of both banks at once, or
 * of a thread.
 */
enum tile_config_kind {
    CONFIG_BANK0,
    CONFIG_BANK1,
    CONFIG_DUAL,
    CONFIG_THREAD,
    CONFIG_PAD, /* padding between words of a thread: reads as 0 */
    CONFIG_HOLE
};
struct tile_config_place {
    enum tile_config_kind kind;
    unsigned word, thread;
};
/* Returns what is at a byte offset in the configuration window. */
struct tile_config_place tile_config_place(enum tx_arch arch, uint32_t offset);

/* Returns the thread that a T core feeds. */
static inline unsigned tile_thread(unsigned who)
{
    return who - RISCV_T0;
}

/* Reports a finding about a core, with the instruction that it executes, or about TILE_OUTSIDE. */
void tile_finding(struct tx_tensix *t, unsigned who, enum tx_category category,
                  enum evidence_id evidence, const char *format, ...);

/*
 * The load and the store function of a page. The core has checked that address and size are
 * allowed.
 */
struct tile_page {
    enum riscv_answer (*load)(struct tx_tensix *t, unsigned who, struct riscv_access *a);
    enum riscv_answer (*store)(struct tx_tensix *t, unsigned who, const struct riscv_access *a);
};
extern const struct tile_page tile_debug, tile_tdma, tile_niu, tile_overlay, tile_pic, tile_pcs;
extern const struct tile_page tile_slow, tile_mop, tile_dst, tile_gprs, tile_push, tile_sync;
extern const struct tile_page tile_pcbuf, tile_mailbox, tile_config;
/* Returns the page of a region. */
const struct tile_page *tile_page(enum riscv_region_id region);

/* late.c: delays of cores. tile_late_frozen returns whether a delay keeps the core from issuing. */
bool tile_late_frozen(const struct tx_tensix *t, unsigned who);
/* Returns whether a core that was released has not begun yet (start_delay). */
bool tile_late_starts(struct tx_tensix *t, unsigned who);
/* Returns whether the access has to wait for a delayed store of the same core. */
bool tile_late_holds(const struct tx_tensix *t, unsigned who, const struct riscv_access *a);
/* Returns true if it takes over the store to execute it later; the core then counts it as done. */
bool tile_late_takes(struct tx_tensix *t, unsigned who, const struct riscv_access *a);
void tile_late_cycle(struct tx_tensix *t);
/* sync.c */
void tile_sync_cycle(struct tx_tensix *t);
bool tile_thread_idle(const struct tx_tensix *t, unsigned thread);
uint32_t tile_status(struct riscv *core, enum riscv_csr_id csr);
/* reset.c: SOFT_RESET_0, which holds and releases cores */
void tile_reset_write(struct tx_tensix *t, uint32_t value);
void tile_release(struct tx_tensix *t, unsigned core, uint32_t pc);
void tile_hold(struct tx_tensix *t, unsigned core);
/* units.c: SOFT_RESET_0 for the units; TILE_RESET_UNITS has the bits that are not the cores'. */
#define TILE_RESET_UNITS 0x00FB87FFu
void tile_reset_units(struct tx_tensix *t, uint32_t old, uint32_t value);
/* Reports a finding if the coprocessor has work while a unit is held in reset. */
void tile_units_held(struct tx_tensix *t);
/* pushed.c: notes and finds the instruction of a core that has pushed a word */
void tile_pushed(struct tx_tensix *t, unsigned who, unsigned thread, uint32_t word);
void tile_pusher(void *tile, struct tx_finding *finding);
/* Does what a store to REGION_BASE_PUSH_T does, without looking up the region. */
bool tile_core_push(struct riscv *core, uint32_t word);
/* config.c */
uint32_t tile_config_word(const struct tx_tensix *t, uint32_t word);
void tile_config_places(struct tx_tensix *t);
/* Recomputes what depends on configuration after all of it was replaced. */
void tile_config_restored(struct tx_tensix *t);
/* noc.c: what the tile has at an address, and how requests of the NoC reach it */
enum noc_space tile_space(const struct tx_tensix *t, uint64_t address);
bool tile_bytes(struct tx_tensix *t, const struct noc_bytes *b);
void tile_noc_finding(struct tx_tensix *t, const struct noc_request *r, enum finding_kind finding,
                      uint64_t value);
void tile_noc_open(struct tx_tensix *t);
void tile_noc_reset(struct tx_tensix *t);
/*
 * doze.c. tile_dozes, called after a cycle: returns whether the tile only waits from now on, so
 * that it need not be run until something reaches it; tile_catch_up then makes up for the time.
 */
bool tile_doze_open(struct tx_tensix *t);
void tile_doze_close(struct tx_tensix *t);
void tile_doze_reset(struct tx_tensix *t);
bool tile_dozes(struct tx_tensix *t);
/* Returns whether each cycle of the tile is compared with one before, to find out whether it does.
 */
bool tile_looks(const struct tx_tensix *t);
/* Return the cycle from which on tile_dozes compares the tile, or a core of it; 0: it does now. */
uint64_t tile_looks_next(const struct tx_tensix *t);
uint64_t tile_naps_next(const struct tx_tensix *t, unsigned core);
/*
 * Returns whether, at the last look, the cores only waited and the coprocessor, too: its time still
 * counts, but nothing will happen any more by itself.
 */
bool tile_stuck(const struct tx_tensix *t);
/* Returns whether the loop that a core waits in counts, which may be in L1. */
bool tile_counts(const struct tx_tensix *t, unsigned core);
/* Something reaches a tile that runs: what its cores have read may not hold any more. */
void tile_disturb(struct tx_tensix *t);
/* The same where only the tile's network interfaces are reached, or tile_bytes follows. */
void tile_reached(struct tx_tensix *t);
void tile_catch_up(struct tx_tensix *t, uint64_t cycle);
/*
 * naps.c: cores that only wait while others work. tile_naps is called after a cycle.
 * tile_naps_end ends all naps, in front of what nobody knows; tile_naps_written those of cores that
 * read there, in front of a change of L1; tile_naps_register in front of a change of a register.
 */
bool tile_naps_open(struct tx_tensix *t);
void tile_naps_close(struct tx_tensix *t);
void tile_naps_reset(struct tx_tensix *t);
const uint64_t *tile_naps_filter(const struct tx_tensix *t, bool hidden);
void tile_naps(struct tx_tensix *t);
bool tile_naps_all(const struct tx_tensix *t);
void tile_naps_end(struct tx_tensix *t);
void tile_naps_reached(struct tx_tensix *t);
void tile_naps_written(struct tx_tensix *t, uint32_t address, size_t size);
void tile_naps_register(struct tx_tensix *t, unsigned region);
/* Ends naps of cores that store there, in front of a load of L1. */
void tile_naps_read(struct tx_tensix *t, uint32_t address, size_t size);
/* riscv_env.stored, riscv_env.needed */
void tile_naps_stored(struct riscv *core, uint32_t address, unsigned size);
void tile_naps_needed(struct riscv *core, uint32_t address, unsigned size);
/* Makes of a copied core one that executes ahead without time, and that nobody hears. */
void tile_copied(struct riscv *copy);
/*
 * polled.c: the words that a core reads again and again, at most so many. Returns false if it is
 * in no loop that only waits; the tile must be asleep or stuck (doze.c).
 */
enum { TILE_POLLS = 8 };
struct tile_polls {
    unsigned count;
    uint32_t address[TILE_POLLS], value[TILE_POLLS];
};
bool tile_polled(struct tx_tensix *t, unsigned core, struct tile_polls *polls);
/* The two parts of a cycle of the cores: those from this one on deliver a store, and issue. */
void tile_deliver(struct tx_tensix *t, unsigned first);
void tile_issue(struct tx_tensix *t, unsigned first);
/*
 * rests.c: lets cycles pass at once in which no core can issue, as each waits for a register, a
 * line of code or a branch, at most so many. Returns how many.
 */
uint64_t tile_rest(struct tx_tensix *t, uint64_t most);
/*
 * Runs cycles in which one core alone does anything, until it does not, something is to be looked
 * at or *now is "until". *now goes on with them.
 */
enum tx_status tile_alone(struct tx_tensix *t, uint64_t *now, uint64_t until);
/* still.c: runs one cycle of the coprocessor; counts cycles of one that is still. */
enum tx_status tile_units_cycle(struct tx_tensix *t);
void tile_units_wait(struct tx_tensix *t, uint64_t cycles);
/* Tells a sink of the words that were held in the last cycle of a coprocessor that stands still. */
void tile_units_tell(const struct tx_tensix *t);
/* Lets time pass for all but the cores. The coprocessor must be still. */
void tile_idle_for(struct tx_tensix *t, uint64_t cycles);
/* mover.c */
void tile_mover_command(struct tx_tensix *t, unsigned who, uint32_t word);
/* pic.c: makes B and NC take an interrupt. To be called only if an interrupt is enabled. */
enum { PIC_ENABLE_B = 0, PIC_ENABLE_NC = 3 };
void tile_interrupt(struct tx_tensix *t);
/*
 * untimed.c: runs a tile that keeps no time, for "most" cycles at most. Returns the cycles spent; 0
 * if it cannot go on in this way.
 */
uint64_t tile_untimed(struct tx_tensix *t, uint64_t most);
/* Forgets which threads were held: the host may have changed anything. */
void tile_untimed_again(struct tx_tensix *t);
/* tile.c: runs one cycle */
enum tx_status tile_cycle(struct tx_tensix *t);
/* tile.c: returns whether nothing will happen in the core any more by itself. */
bool tile_core_rests(const struct tx_tensix *t, unsigned core);
/* tile.c: returns the instruction word at pc as the core fetches it, or 0. */
uint32_t tile_word_at(const struct tx_tensix *t, unsigned who, uint32_t pc);
/*
 * ttsync.c: returns whether a T core's access has to wait for instructions that it pushed before.
 */
enum { TILE_TTSYNC_WORD = NUMBER_BH_TTSYNC_WORD, TILE_TTSYNC_ON = 1 << NUMBER_BH_TTSYNC_ON_BIT };
bool tile_ttsync_holds(const struct tx_tensix *t, unsigned thread, const struct riscv_access *a,
                       bool write);
/* inspect.c: the debug units of the cores, and instructions that the host pushes */
uint32_t tile_inspect_read(struct tx_tensix *t, unsigned who, uint32_t offset);
void tile_inspect_write(struct tx_tensix *t, unsigned who, uint32_t offset, uint32_t old,
                        uint32_t value);
/* Issues an instruction of a core that has watchpoints, in place of riscv_issue. */
static inline bool tile_watches(const struct tx_tensix *t, unsigned core)
{
    return core < DEBUG_CORES && t->s.dr[core][DR_WATCH] != 0;
}
void tile_watched_issue(struct tx_tensix *t, unsigned core);
/* riscv_rests, but false in the build that checks itself, which tries. */
static inline bool tile_core_waits(const struct tx_tensix *t, unsigned core)
{
#if defined(TX_CHECK)
    (void)t, (void)core;
    return false;
#else
    return t->may_rest && riscv_rests(&t->core[core]);
#endif
}

#endif
