/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tile that only waits: its cores stand still or are in loops that go on until something outside
 * the tile changes what they read, and its coprocessor is idle. Its time can be made up for when
 * something reaches it.
 */
#include "base/check.h"
#include "tile/check.h"
#include "tile/tile.h"

#include <stdlib.h>
#include <string.h>

enum {
    EACH = 64,               /* so many cycles pass from one look to the next */
    PATIENCE = 512,          /* the longest period that is looked for */
    PATIENCE_UNTIMED = 8192, /* the same where cores run many instructions at a time */
    BUSY = 4096,             /* how long a tile whose cores do not wait is left alone at most */
    BUSY_NAPS = 65536,       /* the same where cores nap (naps.c), which a look ends */
    NAPPED = 8192            /* the same at first of a tile whose cores were found by naps.c */
};

struct tile_doze {
    bool looks, stuck;    /* stuck: the cores only wait, and so do threads of the coprocessor */
    bool naps;            /* it sleeps because all its cores nap (naps.c) */
    uint64_t since, next; /* the cycle in which it began to look; when it begins again */
    uint64_t pause;
    struct riscv_beat beat[TX_CORES];
};

bool tile_doze_open(struct tx_tensix *t)
{
    t->doze = calloc(1, sizeof *t->doze);
    return t->doze != NULL && tile_naps_open(t);
}

void tile_doze_close(struct tx_tensix *t)
{
    free(t->doze);
    tile_naps_close(t);
}

void tile_doze_reset(struct tx_tensix *t)
{
    t->doze->looks = t->doze->stuck = t->doze->naps = false;
    t->doze->next = 0;
    t->doze->pause = EACH / tile_core_rounds(t);
    for (unsigned c = 0; c < TX_CORES; c++) {
        t->doze->beat[c].period = 0;
    }
    tile_naps_reset(t);
}

/* Returns whether single cycles of the tile are observed, or something in it is under way. */
/* A listener of the whole chip (chip/order.c) need not be told of loads that change nothing. */
static bool watched(const struct tx_tensix *t)
{
    const struct tx_machine *m = t->m;
    const bool listened =
        m->settings.sink.event != NULL; /* then nothing else says that it sleeps */
    const bool idle = t->settings.untimed || listened ? tx_idle(m) || tx_stuck(m)
                                                      : tile_units_still(t) || tx_stuck(m);
    bool watches = false;
    for (unsigned c = 0; c < TX_CORES; c++) {
        watches = watches || tile_watches(t, c);
    }
    return watches || m->delays != NULL || t->held.live || t->frozen != 0 || !idle ||
           t->s.starts_late != 0 || (m->order.order != NULL && t->accessed == NULL) || m->faulted ||
           t->stores != NULL || t->requests.count != 0 ||
           (t->s.pic[PIC_ENABLE_B] | t->s.pic[PIC_ENABLE_NC]) != 0 ||
           (t->s.debug[TILE_SOFT_RESET_0 / 4] & TILE_RESET_UNITS) != 0;
}

static void later(const struct tx_tensix *t)
{
    struct tile_doze *d = t->doze;
    const uint64_t most = (t->may_nap ? BUSY_NAPS : BUSY) / tile_core_rounds(t);
    d->looks = d->stuck = false;
    d->next = t->s.cycle + d->pause;
    d->pause = d->pause < most ? 2 * d->pause : most < d->pause ? most : d->pause;
}

void tile_disturb(struct tx_tensix *t)
{
    t->doze->looks = t->doze->stuck = false;
    tile_naps_end(t);
}

void tile_reached(struct tx_tensix *t)
{
    t->doze->looks = t->doze->stuck = false;
    tile_naps_reached(t);
}

bool tile_looks(const struct tx_tensix *t)
{
    return t->doze->looks;
}

uint64_t tile_looks_next(const struct tx_tensix *t)
{
    return t->doze->looks ? 0 : t->doze->next;
}

bool tile_stuck(const struct tx_tensix *t)
{
    return t->doze->stuck;
}

/* Returns whether a listener has to be told of what cores count. */
static bool is_told(const struct tx_tensix *t)
{
    bool counts = false;
    for (unsigned c = 0; c < TX_CORES; c++) {
        counts = counts || (t->doze->beat[c].period != 0 && t->doze->beat[c].counts.count != 0);
    }
    return counts && t->m->order.order != NULL;
}

/*
 * Returns whether a core is in a loop that counts, or stores the clock. The clock of a core that
 * has several rounds in a cycle (tx_settings.pace) is that of the cycle, which time made up for is
 * not.
 */
static bool any_counts(const struct tx_tensix *t)
{
    bool counts = false;
    for (unsigned c = 0; c < TX_CORES; c++) {
        counts = counts || tile_counts(t, c);
    }
    return counts;
}

bool tile_dozes(struct tx_tensix *t)
{
    struct tile_doze *d = t->doze;
    bool all = true;
    if (!d->looks) {
        if (tile_naps_all(t) && !watched(t)) {
            for (unsigned c = 0; c < TX_CORES; c++) {
                d->beat[c].period = 0; /* of those that do not run */
            }
            d->naps = true;
            return true;
        }
        if (t->s.cycle < d->next || watched(t)) {
            tile_naps(t);
            return false;
        }
        tile_naps_end(t);
        for (unsigned c = 0; c < TX_CORES; c++) {
            riscv_beat_start(&d->beat[c], &t->core[c]);
        }
        d->looks = true;
        d->since = t->s.cycle;
    }
    for (unsigned c = 0; c < TX_CORES && d->looks; c++) {
        const bool found = riscv_beat_found(&d->beat[c], &t->core[c]);
        d->looks = riscv_beat_holds(&d->beat[c], &t->core[c]);
        all = all && found;
    }
    const uint64_t patience = t->settings.untimed ? PATIENCE_UNTIMED : PATIENCE;
    if (!d->looks || watched(t) || t->s.cycle - d->since > patience) {
        later(t);
        return false;
    }
    all = all && riscv_beats_apart(d->beat, t->core, TX_CORES) && !is_told(t) &&
          (tile_core_rounds(t) == 1 || !any_counts(t));
    d->stuck = all && (t->sleepless || !(t->stands != 0 || tx_idle(t->m)));
    d->since = d->stuck ? t->s.cycle : d->since;
    return all && !d->stuck;
}

bool tile_counts(const struct tx_tensix *t, unsigned core)
{
    return t->doze->beat[core].period != 0 && t->doze->beat[core].counts.on;
}

static void skip(struct tx_tensix *t, uint64_t cycles)
{
    const uint64_t rounds = tile_core_rounds(t);
    for (unsigned c = 0; c < TX_CORES; c++) {
        if (((unsigned)t->napping >> c & 1u) == 0) {
            riscv_beat_skip(&t->doze->beat[c], &t->core[c], cycles * rounds);
        }
    }
    t->s.ahead += cycles * (rounds - 1);
    tile_idle_for(t, cycles);
}

void tile_catch_up(struct tx_tensix *t, uint64_t cycle)
{
    const uint64_t cycles = cycle - t->s.cycle;
    CHECK(cycle >= t->s.cycle, "a tile wakes after it has fallen asleep");
    if (cycles != 0) {
        tile_check_sleep(t, cycles, skip);
        skip(t, cycles);
    }
    if (t->doze->naps) {
        t->doze->naps = false;
        t->doze->pause = NAPPED;
        later(t);
    } else {
        tile_doze_reset(t);
        t->doze->next = t->s.cycle + 1;
    }
}
