/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cores that only wait while others of their tile work. Such a core is in a loop that reads L1,
 * streams or network interfaces, and stores nothing that others see, or in one that counts, or
 * stores the clock (riscv/count.c). It need not be run before something writes a line of L1 that it
 * reads or executes, reaches a register that it reads, or reads a line that it stores to; its time
 * is then made up for. Where all cores of a tile wait, the tile sleeps (doze.c). Only a chip
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
    SHOWN = 16,     /* that it stores to */
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
    unsigned skew;               /* looks do not all begin at the same place of a loop */
    bool registers, interfaces;  /* it reads streams, or network interfaces */
    unsigned lines, shows;
    uint32_t line[LINES], show[SHOWN]; /* each of the latter is one of the former, too */
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
    uint64_t hidden[FILTER / 64]; /* of these the lines that they store to */
    struct nap of[TX_CORES];
};

/* ---- who naps ---- */

/* Says again what all cores that nap or are armed must hear of. */
static void listen_again(struct tx_tensix *t)
{
    struct tile_naps *n = t->naps;
    memset(n->filter, 0, sizeof n->filter);
    if (t->naps_show != 0) {
        memset(n->hidden, 0, sizeof n->hidden);
    }
    t->naps_registers = t->naps_interfaces = t->naps_hear = t->naps_show = 0;
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
        t->naps_show |= nap->shows != 0 ? bit : 0;
        for (unsigned i = 0; i < nap->shows; i++) {
            n->hidden[nap->show[i] % FILTER / 64] |= 1ull << nap->show[i] % 64;
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
    CHECK(slow->changes - slow->clocks == c->changes - c->clocks,
          "a core that has napped has changed nothing outside");
    free(quick);
#endif
    (void)t, (void)core, (void)cycles;
}

/*
 * Makes up for the time of a core that naps no more. In the present cycle it takes part from its
 * next turn on, and the turns that it would have had are made up for, too.
 */
static void make_up(struct tx_tensix *t, unsigned c)
{
    struct riscv *core = &t->core[c];
    const uint64_t now = t->s.cycle + t->s.ahead;
    const bool over = t->turn > TILE_TURN_ISSUE + c;
    const uint64_t cycles = now + (over ? 1 : 0) - core->s.now;
    check_nap(t, c, cycles);
    riscv_beat_skip(&t->naps->of[c].beat, core, cycles);
    if (!over && t->turn > c) {
        riscv_deliver(core);
    }
    t->naps->of[c].pause = EACH;
}

/* Ends naps of these cores in the present cycle. */
static void wake(struct tx_tensix *t, unsigned cores)
{
    const unsigned napped = cores & t->napping;
    for (unsigned c = 0; c < TX_CORES; c++) {
        t->naps->of[c].stage = (cores >> c & 1u) != 0 ? AWAKE : t->naps->of[c].stage;
    }
    t->napping &= (uint8_t)~cores;
    listen_again(t);
    for (unsigned c = 0; c < TX_CORES; c++) {
        if ((napped >> c & 1u) != 0) {
            make_up(t, c);
        }
        if ((cores >> c & 1u) != 0) {
            t->naps->of[c].next = t->s.cycle + t->naps->of[c].pause;
        }
    }
}

void tile_naps_end(struct tx_tensix *t)
{
    if (t->naps_hear != 0) {
        wake(t, t->naps_hear);
    }
}

void tile_naps_reached(struct tx_tensix *t)
{
    if (t->naps_interfaces != 0) {
        wake(t, t->naps_interfaces);
    }
}

void tile_naps_register(struct tx_tensix *t, unsigned region)
{
    const unsigned cores = region == REGION_NIU       ? t->naps_interfaces
                           : region == REGION_OVERLAY ? t->naps_registers
                                                      : t->naps_hear;
    if (cores != 0) {
        wake(t, cores);
    }
}

static bool has_line(const uint32_t *line, unsigned lines, uint32_t first, uint32_t last)
{
    bool has = false;
    for (unsigned i = 0; i < lines && !has; i++) {
        has = line[i] >= first && line[i] <= last;
    }
    return has;
}

/* Whoever does it, "who", may go on with its own look. */
static void reached(struct tx_tensix *t, uint32_t address, size_t size, bool reads, unsigned who)
{
    const uint32_t first = address / LINE;
    const uint32_t last = (uint32_t)((address + size - 1) / LINE);
    unsigned cores = 0;
    for (unsigned c = 0; c < TX_CORES; c++) {
        const struct nap *nap = &t->naps->of[c];
        const bool has = reads ? has_line(nap->show, nap->shows, first, last)
                               : has_line(nap->line, nap->lines, first, last);
        cores |= has && c != who ? 1u << c & t->naps_hear : 0;
    }
    if (cores != 0) {
        wake(t, cores);
    }
}

void tile_naps_written(struct tx_tensix *t, uint32_t address, size_t size)
{
    if (t->naps_hear != 0 && size != 0) {
        reached(t, address, size, false, TILE_OUTSIDE);
    }
}

void tile_naps_read(struct tx_tensix *t, uint32_t address, size_t size)
{
    if (t->naps_show != 0 && size != 0) {
        reached(t, address, size, true, TILE_OUTSIDE);
    }
}

void tile_naps_stored(struct riscv *core, uint32_t address, unsigned size)
{
    reached(core->env.user, address, size, false, core->who);
}

void tile_naps_needed(struct riscv *core, uint32_t address, unsigned size)
{
    reached(core->env.user, address, size, true, core->who);
}

/* ---- what a core reads ---- */

/* Returns whether there is room. */
static bool put_line(uint32_t *line, unsigned *lines, unsigned most, uint32_t which)
{
    const bool has = has_line(line, *lines, which, which);
    if (!has && *lines < most) {
        line[(*lines)++] = which;
    }
    return has || line[*lines - 1] == which;
}

static void add_line(struct looker *l, uint32_t line)
{
    struct nap *nap = l->nap;
    l->other = !put_line(nap->line, &nap->lines, LINES, line) || l->other;
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
    l->core.env.hidden = NULL;
    nap->lines = nap->shows = 0;
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

/* The same for a loop that counts, or stores the clock, once that is known. */
static bool look_counts(const struct riscv_counts *counts, struct nap *nap)
{
    bool fits = true;
    nap->lines = nap->shows = 0;
    nap->registers = nap->interfaces = false;
    for (uint32_t at = counts->low / LINE; at <= (counts->high - 1) / LINE && fits; at++) {
        fits = put_line(nap->line, &nap->lines, LINES, at);
    }
    for (unsigned i = 0; i < counts->uses && fits; i++) {
        const uint32_t line = counts->used[i] / LINE;
        fits = put_line(nap->line, &nap->lines, LINES, line) &&
               (!counts->stored[i] || put_line(nap->show, &nap->shows, SHOWN, line));
    }
    return fits;
}

/* Returns whether one of two loops stores to what the other one reads, executes or stores to. */
static bool meets(const struct nap *a, const struct nap *b)
{
    bool found = false;
    for (unsigned i = 0; i < a->shows && !found; i++) {
        found = has_line(b->line, b->lines, a->show[i], a->show[i]);
    }
    for (unsigned i = 0; i < b->shows && !found; i++) {
        found = has_line(a->line, a->lines, b->show[i], b->show[i]);
    }
    return found;
}

static bool is_apart(const struct tx_tensix *t, const struct nap *nap)
{
    bool apart = true;
    for (unsigned c = 0; c < TX_CORES && apart; c++) {
        const struct nap *other = &t->naps->of[c];
        apart = other == nap || other->stage < ARMED || !meets(nap, other);
    }
    return apart;
}

/* ---- falling asleep ---- */

/* Returns whether somebody sees single cycles, or something else than cores is at work. */
static bool watched(const struct tx_tensix *t)
{
    const struct tx_machine *m = t->m;
    return !t->may_nap || !tile_units_still(t) || t->settings.untimed || t->sleepless ||
           m->settings.sink.event != NULL || m->order.order != NULL || m->delays != NULL ||
           t->accessed != NULL || t->stores != NULL || t->held.live || t->frozen != 0 ||
           t->s.starts_late != 0 || t->requests.count != 0 || m->faulted ||
           tile_core_rounds(t) != 1 || (t->s.pic[PIC_ENABLE_B] | t->s.pic[PIC_ENABLE_NC]) != 0 ||
           (t->s.debug[TILE_SOFT_RESET_0 / 4] & TILE_RESET_UNITS) != 0;
}

static void later(const struct tx_tensix *t, struct nap *nap)
{
    nap->stage = AWAKE;
    nap->skew = (nap->skew + 7) % 61;
    nap->next = t->s.cycle + nap->pause + nap->skew;
    nap->pause = nap->pause < BUSY ? 2 * nap->pause : nap->pause;
}

/* A loop has been found: now what it reads must stay as it is once round. */
static void arm(struct tx_tensix *t, unsigned c)
{
    struct nap *nap = &t->naps->of[c];
    const struct riscv_counts *counts = &nap->beat.counts;
    if (!(counts->on ? look_counts(counts, nap) : look(t, c, nap)) || !is_apart(t, nap)) {
        later(t, nap);
        return;
    }
    riscv_beat_start(&nap->beat, &t->core[c]);
    nap->stage = ARMED;
    nap->since = t->s.cycle;
    listen_again(t);
}

/* Returns whether a loop that counts is the one that it was; the lines are those of the last look.
 */
static bool is_as_armed(struct tx_tensix *t, struct nap *nap)
{
    if (!nap->beat.counts.on) {
        return nap->shows == 0;
    }
    const bool fits = look_counts(&nap->beat.counts, nap) && is_apart(t, nap);
    listen_again(t);
    return fits;
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
    if (!riscv_beat_holds(&nap->beat, core) || t->s.cycle - nap->since > PATIENCE) {
        const bool heard = nap->stage == ARMED;
        later(t, nap);
        if (heard) {
            listen_again(t);
        }
    } else if (found && core->s.stores == 0 && nap->stage == LOOKS) {
        arm(t, c);
    } else if (found && core->s.stores == 0 && is_as_armed(t, nap)) {
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

uint64_t tile_naps_next(const struct tx_tensix *t, unsigned core)
{
    const struct nap *nap = &t->naps->of[core];
    return !t->may_nap ? UINT64_MAX : nap->stage == AWAKE ? nap->next : 0;
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
            !riscv_rests(&t->core[c]) && !tile_watches(t, c)) {
            look_at(t, c);
        }
    }
}

/* ---- life ---- */

const uint64_t *tile_naps_filter(const struct tx_tensix *t, bool hidden)
{
    return t->naps == NULL ? NULL : hidden ? t->naps->hidden : t->naps->filter;
}

bool tile_naps_open(struct tx_tensix *t)
{
    t->naps = calloc(1, sizeof *t->naps);
    for (unsigned c = 0; c < TX_CORES && t->naps != NULL; c++) {
        t->core[c].env.heard = t->naps->filter;
        t->core[c].env.hidden = t->naps->hidden;
        t->naps->of[c].beat.clocks = true;
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
    t->naps_show = (uint8_t)~0u; /* so that all is said again */
    for (unsigned c = 0; c < TX_CORES; c++) {
        t->naps->of[c].stage = AWAKE;
        t->naps->of[c].next = 0;
        t->naps->of[c].pause = EACH;
    }
    listen_again(t);
}
