/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cores that only wait while others of their tile work. Such a core is in a loop that reads L1,
 * streams or network interfaces, and stores nothing that others see. It need not be run before
 * something writes a line of L1 that it reads or executes, or reaches a register that it reads; its
 * time is then made up for. Where all cores of a tile wait, the tile sleeps (doze.c). Only a chip
 * that a host drives does so: elsewhere a run ends some cycles after its cores do, when the tiles
 * are found to wait, and how many these are would depend on whether somebody looks.
 */
#include "base/check.h"
#include "tile/tile.h"

#include <stdlib.h>
#include <string.h>

enum {
    EACH = 16,      /* so many cycles pass from one look to the next */
    PATIENCE = 512, /* the longest period that is looked for */
    BUSY = 1024,    /* how long a core that does not wait is left alone at most */
    LONGEST = 256,  /* instructions of a loop */
    LINES = 96,     /* that a loop reads or executes */
    FILTER = RISCV_HEARD_BITS,
    LINE = RISCV_HEARD_LINE
};

enum stage {
    AWAKE,
    LOOKS, /* for the same state again */
    ARMED, /* what it reads is known, and has not changed since the look began anew */
    NAPS
};

struct nap {
    enum stage stage;
    uint64_t since, next, pause; /* as of a tile that dozes */
    bool registers, interfaces;  /* it reads streams, or network interfaces */
    unsigned lines;
    uint32_t line[LINES];
    struct riscv_beat beat;
};

/* A copy of a core that goes once through its loop. */
struct looker {
    struct riscv core; /* first, so that the functions below find the rest */
    const struct tx_tensix *tile;
    struct nap *nap;
    bool other; /* it does what a core that naps must not do */
};

struct tile_naps {
    uint64_t filter[FILTER / 64]; /* lines of all cores that nap or are armed */
    struct nap of[TX_CORES];
};

/* ---- who naps ---- */

/* Says again what all cores that nap or are armed must hear of. */
static void listen_again(struct tx_tensix *t)
{
    struct tile_naps *n = t->naps;
    memset(n->filter, 0, sizeof n->filter);
    t->naps_registers = t->naps_interfaces = t->naps_hear = 0;
    for (unsigned c = 0; c < TX_CORES; c++) {
        const struct nap *nap = &n->of[c];
        if (nap->stage < ARMED) {
            continue;
        }
        const uint8_t bit = (uint8_t)(1u << c);
        t->naps_hear |= bit;
        t->naps_registers |= nap->registers || nap->interfaces ? bit : 0;
        t->naps_interfaces |= nap->interfaces ? bit : 0;
        for (unsigned i = 0; i < nap->lines; i++) {
            n->filter[nap->line[i] % FILTER / 64] |= 1ull << nap->line[i] % 64;
        }
    }
}

/* The build that checks itself: the long way of a nap. */
static void check_nap(const struct tx_tensix *t, unsigned core, uint64_t cycles)
{
#if defined(TX_CHECK)
    const struct riscv *c = &t->core[core];
    const uint64_t n = cycles < 2 * PATIENCE ? cycles : 2 * PATIENCE;
    struct riscv *quick = malloc(2 * sizeof *quick);
    CHECK(quick != NULL, "there is memory for the long way of a nap");
    struct riscv *slow = quick + 1;
    *quick = *slow = *c;
    quick->code = slow->code = NULL;
    riscv_beat_skip(&t->naps->of[core].beat, quick, n);
    for (uint64_t i = 0; i < n; i++) {
        riscv_deliver(slow);
        riscv_issue(slow);
        slow->s.now++;
    }
    CHECK(riscv_same(&slow->s, &quick->s), "a core that has napped is where it would be otherwise");
    CHECK(slow->changes == c->changes, "a core that has napped has changed nothing outside");
    free(quick);
#endif
    (void)t, (void)core, (void)cycles;
}

/* Ends naps of these cores in the present cycle; those before "turn" have had it already. */
static void wake(struct tx_tensix *t, unsigned cores, unsigned turn)
{
    const uint64_t now = t->s.cycle + t->s.ahead;
    for (unsigned c = 0; c < TX_CORES; c++) {
        struct nap *nap = &t->naps->of[c];
        if ((cores >> c & 1u) == 0) {
            continue;
        }
        if (nap->stage == NAPS) {
            const uint64_t cycles = now + (c < turn ? 1 : 0) - t->core[c].s.now;
            check_nap(t, c, cycles);
            riscv_beat_skip(&nap->beat, &t->core[c], cycles);
            nap->pause = EACH;
        }
        nap->stage = AWAKE;
        nap->next = t->s.cycle + nap->pause;
    }
    t->napping &= (uint8_t)~cores;
    listen_again(t);
}

void tile_naps_end(struct tx_tensix *t)
{
    if (t->naps_hear != 0) {
        wake(t, t->naps_hear, 0);
    }
}

void tile_naps_reached(struct tx_tensix *t)
{
    if (t->naps_interfaces != 0) {
        wake(t, t->naps_interfaces, 0);
    }
}

void tile_naps_register(struct tx_tensix *t, bool interface)
{
    const unsigned cores = interface ? t->naps_interfaces : t->naps_hear;
    if (cores != 0) {
        wake(t, cores, 0);
    }
}

static bool has_line(const struct nap *nap, uint32_t first, uint32_t last)
{
    bool has = false;
    for (unsigned i = 0; i < nap->lines && !has; i++) {
        has = nap->line[i] >= first && nap->line[i] <= last;
    }
    return has;
}

static void written(struct tx_tensix *t, uint32_t address, size_t size, unsigned turn)
{
    const uint32_t last = (uint32_t)((address + size - 1) / LINE);
    unsigned cores = 0;
    for (unsigned c = 0; c < TX_CORES; c++) {
        const bool hears = ((unsigned)t->naps_hear >> c & 1u) != 0;
        cores |= hears && has_line(&t->naps->of[c], address / LINE, last) ? 1u << c : 0;
    }
    if (cores != 0) {
        wake(t, cores, turn);
    }
}

void tile_naps_written(struct tx_tensix *t, uint32_t address, size_t size)
{
    if (t->naps_hear != 0 && size != 0) {
        written(t, address, size, 0);
    }
}

void tile_naps_stored(struct riscv *core, uint32_t address, unsigned size, bool issues)
{
    written(core->env.user, address, size, issues ? core->who : 0);
}

/* ---- what a core reads ---- */

static void add_line(struct looker *l, uint32_t line)
{
    struct nap *nap = l->nap;
    if (has_line(nap, line, line)) {
        return;
    }
    if (nap->lines == LINES) {
        l->other = true;
        return;
    }
    nap->line[nap->lines++] = line;
}

static void told(struct riscv *core, uint32_t address, unsigned size, bool write,
                 enum tx_order_l1 how)
{
    struct looker *l = (struct looker *)core;
    (void)size;
    (void)how;
    l->other = l->other || write;
    add_line(l, address / LINE);
}

static enum riscv_answer naps_load(struct riscv *core, struct riscv_access *a)
{
    struct looker *l = (struct looker *)core;
    l->nap->interfaces = l->nap->interfaces || a->region == REGION_NIU;
    l->nap->registers = l->nap->registers || a->region == REGION_OVERLAY;
    if (a->region != REGION_NIU && a->region != REGION_OVERLAY) {
        l->other = true;
        return RISCV_WAIT;
    }
    return l->tile->core[core->who].env.load(core, a);
}

static enum riscv_answer store(struct riscv *core, const struct riscv_access *a)
{
    ((struct looker *)core)->other = true;
    (void)a;
    return RISCV_DONE;
}

/* Returns whether a core that naps may execute the next instruction of the copy. */
static bool may_do(const struct looker *l)
{
    const struct riscv *core = &l->core;
    struct riscv_op op = {0};
    if (core->s.pc >= core->env.l1_size) {
        return false;
    }
    riscv_decode(core->arch, tile_word_at(l->tile, core->who, core->s.pc), &op);
    switch ((enum riscv_class)op.class) {
    case CLASS_ALU:
    case CLASS_MUL:
    case CLASS_DIV:
    case CLASS_LOAD:
    case CLASS_BRANCH:
    case CLASS_JAL:
    case CLASS_JALR:
    case CLASS_FENCE:
        return true;
    case CLASS_STORE: /* to its local memory, which nobody else sees */
        return core->s.x[op.rs1] + op.imm - RISCV_RAM_BASE < RISCV_RAM_BYTES;
    default:
        return false;
    }
}

/* Returns whether a core is in a loop that it may nap in; what that reads is noted. */
static bool look(struct tx_tensix *t, unsigned c, struct nap *nap)
{
    const struct riscv_state *from = &t->core[c].s;
    struct looker *l = malloc(sizeof *l);
    const bool looking = t->looking;
    bool again = false;
    if (l == NULL) {
        return false;
    }
    *l = (struct looker){.core = t->core[c], .tile = t, .nap = nap};
    tile_copied(&l->core);
    l->core.env.load = naps_load;
    l->core.env.store = store;
    l->core.env.told = told;
    l->core.env.stored = NULL;
    nap->lines = 0;
    nap->registers = nap->interfaces = false;
    t->looking = true;
    for (unsigned i = 0; i < LONGEST && !again && !l->other; i++) {
        add_line(l, l->core.s.pc / LINE);
        if (!may_do(l) || riscv_run(&l->core, 1) != 1) {
            l->other = true;
        }
        again = l->core.s.pc == from->pc && memcmp(l->core.s.x, from->x, 32 * sizeof *from->x) == 0;
    }
    t->looking = looking;
    again = again && !l->other;
    free(l);
    return again;
}

/* ---- falling asleep ---- */

/* Returns whether somebody sees single cycles, or something else than cores is at work. */
static bool watched(const struct tx_tensix *t)
{
    enum { SETTLED = 4 };
    const struct tx_machine *m = t->m;
    return !t->may_nap || !t->sleeps || m->quiet < SETTLED || t->settings.untimed || t->sleepless ||
           m->settings.sink.event != NULL || m->order.order != NULL || m->delays != NULL ||
           t->accessed != NULL || t->stores != NULL || t->held.live || t->frozen != 0 ||
           t->s.starts_late != 0 || t->requests.count != 0 || m->faulted ||
           tile_core_rounds(t) != 1 || (t->s.pic[PIC_ENABLE_B] | t->s.pic[PIC_ENABLE_NC]) != 0 ||
           (t->s.debug[TILE_SOFT_RESET_0 / 4] & TILE_RESET_UNITS) != 0;
}

static void later(const struct tx_tensix *t, struct nap *nap)
{
    nap->stage = AWAKE;
    nap->next = t->s.cycle + nap->pause;
    nap->pause = nap->pause < BUSY ? 2 * nap->pause : nap->pause;
}

/* A loop has been found: now what it reads must stay as it is once round. */
static void arm(struct tx_tensix *t, unsigned c)
{
    struct nap *nap = &t->naps->of[c];
    if (!look(t, c, nap)) {
        later(t, nap);
        return;
    }
    riscv_beat_start(&nap->beat, &t->core[c]);
    nap->stage = ARMED;
    nap->since = t->s.cycle;
    listen_again(t);
}

static void look_at(struct tx_tensix *t, unsigned c)
{
    struct nap *nap = &t->naps->of[c];
    const struct riscv *core = &t->core[c];
    if (nap->stage == AWAKE) {
        if (t->s.cycle >= nap->next) {
            riscv_beat_start(&nap->beat, core);
            nap->stage = LOOKS;
            nap->since = t->s.cycle;
        }
        return;
    }
    const bool found = riscv_beat_found(&nap->beat, core);
    if (!riscv_beat_holds(&nap->beat, core) || nap->beat.counts.on ||
        t->s.cycle - nap->since > PATIENCE) {
        const bool heard = nap->stage == ARMED;
        later(t, nap);
        if (heard) {
            listen_again(t);
        }
    } else if (found && core->s.stores == 0 && nap->stage == LOOKS) {
        arm(t, c);
    } else if (found && core->s.stores == 0) {
        nap->stage = NAPS;
        t->napping |= (uint8_t)(1u << c);
    }
}

bool tile_naps_all(const struct tx_tensix *t)
{
    bool all = t->napping != 0;
    for (unsigned c = 0; c < TX_CORES && all; c++) {
        const struct riscv_state *s = &t->core[c].s;
        all = ((unsigned)t->napping >> c & 1u) != 0 || (s->phase != RISCV_RUNS && s->stores == 0);
    }
    return all;
}

void tile_naps(struct tx_tensix *t)
{
    if (watched(t)) {
        tile_naps_end(t);
        return;
    }
    for (unsigned c = 0; c < TX_CORES; c++) {
        const struct riscv_state *s = &t->core[c].s;
        if (((unsigned)t->napping >> c & 1u) == 0 && s->phase == RISCV_RUNS &&
            !tile_watches(t, c)) {
            look_at(t, c);
        }
    }
}

/* ---- life ---- */

const uint64_t *tile_naps_filter(const struct tx_tensix *t)
{
    return t->naps != NULL ? t->naps->filter : NULL;
}

bool tile_naps_open(struct tx_tensix *t)
{
    t->naps = calloc(1, sizeof *t->naps);
    for (unsigned c = 0; c < TX_CORES && t->naps != NULL; c++) {
        t->core[c].env.heard = t->naps->filter;
    }
    return t->naps != NULL;
}

void tile_naps_close(struct tx_tensix *t)
{
    free(t->naps);
}

void tile_naps_reset(struct tx_tensix *t)
{
    t->napping = 0;
    for (unsigned c = 0; c < TX_CORES; c++) {
        t->naps->of[c].stage = AWAKE;
        t->naps->of[c].next = 0;
        t->naps->of[c].pause = EACH;
    }
    listen_again(t);
}
