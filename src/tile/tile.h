/* SPDX-License-Identifier: Apache-2.0 */
/* A tile from the inside: what surrounds the cores and the coprocessor, and how they reach it. */
#ifndef TX_TILE_TILE_H
#define TX_TILE_TILE_H

#include <tensix/tile_debug.h>

#include "isa/chip.h"
#include "riscv/riscv.h"
#include "state/machine.h"

enum { TILE_OUTSIDE = TX_CORES }; /* who: the NoC, the host, the coprocessor */
enum { PAGE_WORDS = 0x400, NIU_WORDS = 0x8000, OVERLAY_WORDS = 0x10000, PIC_WORDS = 78 };
enum { MAILBOXES = 4, MAILBOX_WORDS = 4, PCBUF_WORDS = 16 };
enum { DEBUG_CORES = 4, DR_WATCH = 5, DR_COUNT = 18 }; /* B, T0 to T2; NC has no debug unit */

struct fifo {
    uint32_t word[PCBUF_WORDS];
    uint8_t head, count;
};

/* Flat: a snapshot is a copy. */
struct tile_state {
    uint64_t cycle;
    uint64_t pc_wait[TX_THREADS]; /* last cycle in which the core waited for its PC buffer, + 1 */
    uint8_t risc[TX_THREADS];     /* what the condition RISC was last set to */
    uint32_t wall_latch;
    uint32_t debug[PAGE_WORDS];
    uint32_t tdma[PAGE_WORDS];
    uint32_t mover_base[TX_CORES];
    uint32_t niu[NIU_WORDS];
    uint32_t overlay[OVERLAY_WORDS];
    uint32_t pic[PIC_WORDS];
    struct fifo mailbox[MAILBOXES][MAILBOXES]; /* by writer and reader */
    struct fifo pcbuf[TX_THREADS];
    uint32_t dr[DEBUG_CORES][DR_COUNT];
    uint16_t watch_hit[DEBUG_CORES];   /* as in the status of the debug unit */
    uint8_t watch_passed[DEBUG_CORES]; /* the core goes on from a watchpoint at its pc */
    uint8_t iram[RISCV_IRAM_BYTES];
};

/* A store that has left its core and is late (tx_order_delays). */
struct tile_held {
    bool live;
    uint8_t who;
    struct riscv_access access;
    uint64_t due;
};

/* How a thread's core sees Dst. */
struct tile_dst_control {
    struct cfg_place format, raw, is_unsigned;
};

struct tx_tensix {
    struct tx_tensix_settings settings;
    tx_machine *m;
    struct riscv core[TX_CORES];
    struct tile_state s;
    uint64_t progress; /* cycle in which something last got on */
    bool sleeps;       /* the coprocessor is idle, and was when m->quiet was last 0 */
    bool looking;      /* a debugger reads: nothing changes, nothing is a finding (look.c) */
    uint8_t frozen;    /* bit per core that issues nothing */
    struct tile_held held;
    uint64_t stored[TX_CORES]; /* stores that may be late, while there are delays */
    uint64_t reached;          /* stores of cores beyond L1 and their own memory, so far */
    /* untimed.c: how often all waited for time; what had been done when a thread was held */
    uint64_t waits, held_at[TX_THREADS];
    bool (*noc)(void *user, const struct tx_noc_access *access); /* other places; may be NULL */
    void *noc_user;
    void (*stores)(void *user, const struct tx_core_store *store); /* may be NULL */
    void *stores_user;
    struct cfg_place drop_cache, no_prediction; /* where the chip's configuration has them */
    struct tile_dst_control dst_control[TX_THREADS];
};

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

/* For who listens to what cores do (tensix/order.h). */
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
                                   .cycle = t->s.cycle};
    t->m->order.order(t->m->order.user, &order);
}

static inline void tile_tell(struct tx_tensix *t, unsigned who, enum tx_order_kind kind,
                             enum tx_shared shared, unsigned index, uint32_t mask)
{
    tile_tell_many(t, who, kind, shared, index, 1, mask);
}

enum { TILE_SYNC_SEMAPHORES_END = TILE_SYNC_SEMAPHORES + 32 };

/* What a byte of the configuration's window is; bank, of both banks, or of a thread. */
enum tile_config_kind {
    CONFIG_BANK0,
    CONFIG_BANK1,
    CONFIG_DUAL,
    CONFIG_THREAD,
    CONFIG_PAD, /* between words of a thread: reads as 0 */
    CONFIG_HOLE
};
struct tile_config_place {
    enum tile_config_kind kind;
    unsigned word, thread;
};
struct tile_config_place tile_config_place(enum tx_arch arch, uint32_t offset);

/* Thread of a T core. */
static inline unsigned tile_thread(unsigned who)
{
    return who - RISCV_T0;
}

/* who: a core, or TILE_OUTSIDE; what it executes is named. */
void tile_finding(struct tx_tensix *t, unsigned who, enum tx_category category,
                  enum evidence_id evidence, const char *format, ...);

/* One access of a page, by the owner of the page; address and size are right for it. */
struct tile_page {
    enum riscv_answer (*load)(struct tx_tensix *t, unsigned who, struct riscv_access *a);
    enum riscv_answer (*store)(struct tx_tensix *t, unsigned who, const struct riscv_access *a);
};
extern const struct tile_page tile_debug, tile_tdma, tile_niu, tile_overlay, tile_pic, tile_pcs;
extern const struct tile_page tile_slow, tile_mop, tile_dst, tile_gprs, tile_push, tile_sync;
extern const struct tile_page tile_pcbuf, tile_mailbox, tile_config;
/* The page of a region. */
const struct tile_page *tile_page(enum riscv_region_id region);

/* late.c: delays of cores */
bool tile_late_frozen(const struct tx_tensix *t, unsigned who);
/* An access that has to wait for a store that is late. */
bool tile_late_holds(const struct tx_tensix *t, unsigned who, const struct riscv_access *a);
/* A store that will be late: it has left the core. */
bool tile_late_takes(struct tx_tensix *t, unsigned who, const struct riscv_access *a);
void tile_late_cycle(struct tx_tensix *t);
/* sync.c */
void tile_sync_cycle(struct tx_tensix *t);
bool tile_thread_idle(const struct tx_tensix *t, unsigned thread);
uint32_t tile_status(struct riscv *core, enum riscv_csr_id csr);
/* reset.c */
void tile_reset_write(struct tx_tensix *t, uint32_t value);
void tile_release(struct tx_tensix *t, unsigned core, uint32_t pc);
void tile_hold(struct tx_tensix *t, unsigned core);
/* units.c: bits of SOFT_RESET_0 that are not cores' */
#define TILE_RESET_UNITS 0x00FB87FFu
void tile_reset_units(struct tx_tensix *t, uint32_t old, uint32_t value);
/* Some are held: a finding where the coprocessor has work. */
void tile_units_held(struct tx_tensix *t);
/* config.c */
uint32_t tile_config_word(const struct tx_tensix *t, uint32_t word);
void tile_config_places(struct tx_tensix *t);
/* The configuration has been replaced from outside. */
void tile_config_restored(struct tx_tensix *t);
/* mover.c */
void tile_mover_command(struct tx_tensix *t, unsigned who, uint32_t word);
/* pic.c: takes B and NC to their handlers, once some interrupt is enabled */
enum { PIC_ENABLE_B = 0, PIC_ENABLE_NC = 3 };
void tile_interrupt(struct tx_tensix *t);
/* untimed.c: some cycles of a tile without time, "most" at most; 0: nothing goes on that way */
uint64_t tile_untimed(struct tx_tensix *t, uint64_t most);
/* The host may have changed anything since. */
void tile_untimed_again(struct tx_tensix *t);
/* tile.c: nothing will happen in the core any more by itself */
bool tile_core_rests(const struct tx_tensix *t, unsigned core);
/* tile.c: the word at pc, as the core fetches it */
uint32_t tile_word_at(const struct tx_tensix *t, unsigned who, uint32_t pc);
/* ttsync.c: does a T core's access wait for words that it has pushed? */
enum { TILE_TTSYNC_WORD = 56, TILE_TTSYNC_ON = 1 << 4 };
bool tile_ttsync_holds(const struct tx_tensix *t, unsigned thread, const struct riscv_access *a,
                       bool write);
/* inspect.c: the debug units of the cores, and words pushed by the host */
uint32_t tile_inspect_read(struct tx_tensix *t, unsigned who, uint32_t offset);
void tile_inspect_write(struct tx_tensix *t, unsigned who, uint32_t offset, uint32_t old,
                        uint32_t value);
/* riscv_issue for a core with watchpoints. */
static inline bool tile_watches(const struct tx_tensix *t, unsigned core)
{
    return core < DEBUG_CORES && t->s.dr[core][DR_WATCH] != 0;
}
void tile_watched_issue(struct tx_tensix *t, unsigned core);

#endif
