/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judges SFPNOPs. An SFPNOP is superfluous when the program without it ends in the same state with
 * the same findings, no scheduled instruction is near, and the rule for the instruction before it
 * asks for none. One is missing when a hazard goes away after it is inserted.
 *
 * The effect of an SFPNOP on its neighbours shows within a few instructions. So the stream is
 * walked once, and at each SFPNOP a few words are run with it and without it from the same state.
 * What looks superfluous is then left out of a run of the whole program, which decides.
 */
#include <tensix/facts.h>

#include "base/memory.h"
#include "lint/lint.h"

#include <stdlib.h>
#include <string.h>

enum {
    /* Instructions after which effects of two cycles and three instructions are over. */
    WINDOW = 8,
    /* A longer row is a waiting loop, for seeding for example, and is not judged. */
    LONG_ROW = 8,
    /*
     * Most walks over the stream; more than one when an SFPNOP in a recording is needed somewhere.
     */
    WALKS = 6,
    /* Limits of the runs without SFPNOPs; the second one is for all of them but two. */
    WHOLE_RUNS = 24,
    WHOLE_CYCLES = 2000000,
};

/* A walk over the stream that looks ahead at each SFPNOP. */
struct walk {
    struct lint_work *r;
    struct feed_run run;
    void *snapshot;
    size_t size;
    bool *removed;        /* by site: considered superfluous so far */
    bool *kept;           /* by site: needed at some place of the stream */
    struct lint_nop *nop; /* by site: what leaving it out would save, and why */
    const bool *long_row; /* by place in the stream */
    uint64_t digest;      /* of what the look ahead has done */
    uint64_t rows[TX_DST_ROWS / 64];
    uint64_t broken; /* occurrences of the hazard in question during the look ahead */
    const struct feed_found *hazard;
    const struct tx_row *before; /* the last vector instruction other than SFPNOP */
    unsigned nops_before;
    bool changed; /* a site turned out to be needed after all */
};

static bool is_nop(const struct lint_work *r, const struct feed_word *w)
{
    return !w->idle && w->site != FEED_NOWHERE && tx_insn_id_of(r->arch, w->word) == TX_INSN_SFPNOP;
}

static bool same_findings(const struct feed_run *a, const struct feed_run *b)
{
    if (a->count != b->count || a->digest != b->digest || a->stopped != b->stopped ||
        a->ended != b->ended) {
        return false;
    }
    for (size_t i = 0; i < a->count; i++) {
        if (a->found[i].site != b->found[i].site ||
            a->found[i].finding.rule != b->found[i].finding.rule ||
            a->found[i].count != b->found[i].count) {
            return false;
        }
    }
    return true;
}

static const struct tx_row *row_of(const struct lint_work *r, uint32_t word)
{
    struct tx_decoded d;
    return tx_decode(r->arch, word, &d) == TX_OK ? d.row : NULL;
}

static void explain(const struct lint_work *r, struct lint_nop *n, const struct tx_row *row,
                    unsigned nops_before)
{
    const bool interlock = tx_arch_fact(r->arch, TX_FACT_INTERLOCK) != 0;
    const char *name = row != NULL ? row->mnemonic : "nothing";
    n->rule = row != NULL ? "timing.md a.2" : "-";
    if (row == NULL || row->latency == 1 || nops_before > 0) {
        snprintf(n->text, sizeof n->text, "the result of %s can be read %s", name,
                 nops_before > 0 && row != NULL && row->latency > 1 ? "one SFPNOP earlier"
                                                                    : "by the next instruction");
    } else if (row->unit == TX_UNIT_SIMPLE) {
        n->rule = "O-7";
        snprintf(n->text, sizeof n->text,
                 "the hardware waits a cycle after SFPSWAP by itself: SFPSWAP, SFPNOP, X takes as "
                 "long as SFPSWAP, X");
    } else if (row->unit == TX_UNIT_ROUND) {
        n->rule = interlock ? "R10" : "E-S2";
        snprintf(n->text, sizeof n->text, "%s",
                 interlock ? "the hardware waits a cycle after SFPSHFT2 modes 2, 3, 4 by itself"
                           : "nothing that SFPSHFT2 modes 2, 3, 4 forbid follows");
    } else {
        n->rule = interlock ? "R10" : "E-HAZ";
        snprintf(n->text, sizeof n->text,
                 interlock ? "the interlock sees every read of what follows %s"
                           : "the next instruction does not read the result of %s",
                 name);
    }
}

/*
 * Whether Wormhole's SFPSWAP stands before it. Whether the hardware itself waits there is disputed,
 * so the SFPNOP stays; it costs nothing.
 */
static bool rule_keeps(const struct lint_work *r, const struct tx_row *row, unsigned nops_before)
{
    return tx_arch_fact(r->arch, TX_FACT_SWAP_HOLDS_ALL) == 0 && row != NULL && row->latency == 2 &&
           row->unit == TX_UNIT_SIMPLE && nops_before == 0;
}

/* ---- looks ahead ---- */

static uint64_t mix(uint64_t digest, uint64_t value)
{
    return (digest ^ value) * UINT64_C(0x100000001B3);
}

/* Collects what the instructions of a look ahead do, except when they do it. */
static void look_event(void *user, const struct tx_event *event)
{
    struct walk *w = user;
    struct feed *feed = &w->r->feed;
    if (event->kind == TX_EVENT_ISSUE && event->number < feed->issued_room) {
        feed->issued[event->number] = w->run.at;
        feed->issued_count = (size_t)event->number + 1;
    } else if (event->kind == TX_EVENT_WRITE_DST) {
        w->rows[event->index / 64] |= UINT64_C(1) << event->index % 64;
    } else if (event->kind == TX_EVENT_FINDING || event->kind == TX_EVENT_FAULT) {
        const struct tx_finding *f = event->finding;
        const uint32_t at = feed_place(feed, f->index);
        const uint32_t site = at < feed->count ? feed->words[at].site : FEED_NOWHERE;
        w->digest += mix(mix(UINT64_C(0xCBF29CE484222325), site), (uint64_t)(uintptr_t)f->rule);
        w->broken +=
            w->hazard != NULL && site == w->hazard->site && f->rule == w->hazard->finding.rule;
    }
}

/* Returns a digest of the registers, the flags and the rows of Dst that were written. */
static uint64_t look_digest(const struct walk *w)
{
    uint64_t digest = w->digest;
    for (unsigned i = 0; i < 17; i++) {
        digest = feed_fold(digest, w->run.machine, TX_FILE_LREG, i, TX_LANES);
    }
    for (unsigned i = 0; i < TX_DST_ROWS; i++) {
        if ((w->rows[i / 64] >> i % 64 & 1) != 0) {
            digest = feed_fold(mix(digest, i), w->run.machine, TX_FILE_DST, i, TX_DST_WIDTH);
        }
    }
    digest = feed_fold(digest, w->run.machine, TX_FILE_LANE_FLAGS, 0, 1);
    return feed_fold(digest, w->run.machine, TX_FILE_USE_LANE_FLAGS, 0, 1);
}

/*
 * The result of a look ahead: cycles until all words are issued, what they leave, and occurrences
 * of the hazard.
 */
struct look {
    uint64_t cycles, digest, hazards;
};

/* Returns where a look ahead from this place ends. */
static size_t look_end(const struct walk *w, size_t at)
{
    const struct feed *feed = &w->r->feed;
    for (unsigned issued = 0; at < feed->count && issued < WINDOW; at++) {
        const struct feed_word *word = &feed->words[at];
        if (word->mop || (feed->program != NULL && at == feed->tile && !w->run.begun)) {
            break;
        }
        issued += !word->idle && (word->site == FEED_NOWHERE || !w->removed[word->site]);
    }
    return at;
}

/* Runs the words from at to end, with insert after an additional SFPNOP, and restores the state. */
static struct look look(struct walk *w, size_t at, size_t end, bool insert)
{
    const struct feed *feed = &w->r->feed;
    const struct feed_run before = w->run;
    enum tx_status status = TX_OK;
    w->digest = 0;
    w->broken = 0;
    memset(w->rows, 0, sizeof w->rows);
    w->run.also = look_event;
    w->run.user = w;
    if (insert) {
        w->run.at = FEED_NOWHERE;
        status = feed_present(&w->run, TX_INSN_WORD(TX_INSN_SFPNOP), false);
    }
    for (; at < end && status == TX_OK; at++) {
        const struct feed_word *word = &feed->words[at];
        if (word->site == FEED_NOWHERE || !w->removed[word->site]) {
            w->run.site = word->site;
            w->run.at = (uint32_t)at;
            status = feed_present(&w->run, word->word, word->idle);
        }
    }
    struct look out = {.cycles = w->run.cycles - before.cycles};
    for (unsigned i = 0; i < WINDOW && status == TX_OK; i++) {
        tx_findings_clear(w->run.machine);
        status = tx_cycle(w->run.machine, 1, NULL, &(bool){false});
    }
    out.digest = look_digest(w) + (uint64_t)status;
    out.hazards = w->broken;
    w->run = before;
    (void)tx_restore(w->run.machine, w->snapshot, w->size);
    return out;
}

/* ---- superfluous ---- */

/* Returns whether the SFPNOP at this place of the stream is left out. */
static bool leave_out(struct walk *w, size_t at)
{
    struct lint_work *r = w->r;
    const uint32_t site = r->feed.words[at].site;
    if (w->kept[site] || w->long_row[at] || r->feed.sites[site].near_macro ||
        rule_keeps(r, w->before, w->nops_before)) {
        w->kept[site] = true;
        w->changed |= w->removed[site];
        w->removed[site] = false;
        return false;
    }
    if (tx_snapshot(w->run.machine, w->snapshot, w->size) != TX_OK) {
        return false;
    }
    const bool again = w->removed[site];
    w->removed[site] = false;
    const size_t end = look_end(w, at);
    const struct look with = look(w, at, end, false);
    w->removed[site] = true;
    const struct look without = look(w, at, end, false);
    if (with.digest != without.digest) {
        w->removed[site] = false;
        w->kept[site] = true;
        w->changed |= again;
        return false;
    }
    if (!again) {
        w->nop[site] = (struct lint_nop){.site = site};
        explain(r, &w->nop[site], w->before, w->nops_before);
    }
    w->nop[site].cycles += with.cycles > without.cycles ? with.cycles - without.cycles : 0;
    return true;
}

static void pass(struct walk *w, size_t at)
{
    const struct feed_word *word = &w->r->feed.words[at];
    if (word->idle) {
        return;
    }
    const struct tx_row *row = row_of(w->r, word->word);
    const bool nop = is_nop(w->r, word);
    w->nops_before = nop ? w->nops_before + 1 : 0;
    if (!nop && row != NULL && row->unit >= TX_UNIT_LOAD && row->unit <= TX_UNIT_STORE) {
        w->before = row;
    }
}

/*
 * Walks over the stream once. Returns false when the machine stopped early, so that nothing is
 * known.
 */
static bool walk_once(struct walk *w)
{
    struct feed *feed = &w->r->feed;
    const struct feed_run *base = &w->r->run;
    memset(w->removed, 0, feed->site_count + 1);
    w->changed = false;
    w->before = NULL;
    w->nops_before = 0;
    w->run.seed = base->seed;
    w->run.removed = NULL;
    w->run.also = look_event;
    w->run.user = w;
    enum tx_status status = feed_enter(feed, &w->run);
    const bool opened = status == TX_OK;
    for (size_t i = 0; i < feed->count && status == TX_OK; i++) {
        feed_begin(&w->run, i);
        if (!is_nop(w->r, &feed->words[i]) || !leave_out(w, i)) {
            status = feed_go(&w->run, i);
            pass(w, i);
        }
    }
    if (opened) {
        feed_leave(&w->run);
    }
    feed_run_free(&w->run);
    return status == TX_OK;
}

/*
 * Leaves those SFPNOPs of the list removed that runs of the whole program confirm, and puts the
 * others back. Halves the list when a run does not confirm all of it.
 */
static void confirm(struct walk *w, const uint32_t *sites, size_t count, unsigned *runs)
{
    struct lint_work *r = w->r;
    struct feed_run trial = {.removed = w->removed, .seed = r->run.seed};
    if (count == 0) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        w->removed[sites[i]] = true;
    }
    const bool may = *runs < 2 || (*runs < WHOLE_RUNS && *runs * r->run.cycles < WHOLE_CYCLES);
    bool good = may && feed_run(&r->feed, &trial) == TX_OK && same_findings(&r->run, &trial);
    (*runs)++;
    feed_run_free(&trial);
    for (size_t i = 0; i < count && !good; i++) {
        w->removed[sites[i]] = false;
    }
    if (!good && count > 1) {
        confirm(w, sites, count / 2, runs);
        confirm(w, sites + count / 2, count - count / 2, runs);
    }
}

static bool add_nop(struct lint_work *r, const struct lint_nop *n)
{
    if (!LIST_ROOM(r->nops, r->nop_count, r->nop_room, 1)) {
        return false;
    }
    r->nops[r->nop_count++] = *n;
    return true;
}

static bool superfluous(struct walk *w)
{
    struct lint_work *r = w->r;
    const size_t sites = r->feed.site_count;
    uint32_t *list = malloc((sites + 1) * sizeof *list);
    size_t count = 0;
    unsigned runs = 0;
    bool good = list != NULL;
    bool known = false;
    for (unsigned i = 0; good && i < WALKS; i++) {
        known = walk_once(w) && !w->changed;
        if (known || !w->changed) {
            break;
        }
    }
    for (uint32_t i = 0; known && good && i < sites; i++) {
        if (w->removed[i]) {
            list[count++] = i;
        }
    }
    if (good && count > 0) {
        memset(w->removed, 0, sites + 1);
        confirm(w, list, count, &runs);
    }
    for (size_t i = 0; good && i < count; i++) {
        good = !w->removed[list[i]] || add_nop(r, &w->nop[list[i]]);
    }
    free(list);
    return good;
}

/* ---- missing ---- */

static bool may_be_cured(const struct feed_found *f)
{
    return f->finding.category == TX_HAZARD && f->producer != FEED_NOWHERE &&
           f->at != FEED_NOWHERE && f->finding.rule[0] != 'L';
}

static int by_place(const void *a, const void *b)
{
    const struct feed_found *x = *(struct feed_found *const *)a;
    const struct feed_found *y = *(struct feed_found *const *)b;
    return x->at < y->at ? -1 : x->at > y->at ? 1 : 0;
}

/* Marks the hazards that an SFPNOP in front of their first occurrence avoids. */
static bool missing(struct walk *w)
{
    struct lint_work *r = w->r;
    struct feed_found **list = malloc((r->run.count + 1) * sizeof(struct feed_found *));
    size_t count = 0;
    for (size_t i = 0; list != NULL && i < r->run.count; i++) {
        if (may_be_cured(&r->run.found[i])) {
            list[count++] = &r->run.found[i];
        }
    }
    if (list == NULL || count == 0) {
        free(list);
        return list != NULL;
    }
    qsort(list, count, sizeof(struct feed_found *), by_place);
    w->run.seed = r->run.seed;
    w->run.also = look_event;
    w->run.user = w;
    enum tx_status status = feed_enter(&r->feed, &w->run);
    const bool opened = status == TX_OK;
    for (size_t i = 0, next = 0; i < r->feed.count && status == TX_OK && next < count; i++) {
        const bool here = list[next]->at == i;
        feed_begin(&w->run, i);
        if (here && (status = tx_snapshot(w->run.machine, w->snapshot, w->size)) != TX_OK) {
            break;
        }
        for (; next < count && list[next]->at == i; next++) {
            w->hazard = list[next];
            const size_t end = look_end(w, i);
            list[next]->cured =
                look(w, i, end, false).hazards != 0 && look(w, i, end, true).hazards == 0;
        }
        w->hazard = NULL;
        status = feed_go(&w->run, i);
    }
    if (opened) {
        feed_leave(&w->run);
    }
    feed_run_free(&w->run);
    free(list);
    return status != TX_ENOMEM;
}

/* Marks the places in rows of SFPNOPs that are so long that they must be a wait. */
static void mark_long_rows(const struct lint_work *r, bool *long_row)
{
    for (size_t i = 0; i < r->feed.count;) {
        size_t end = i;
        while (end < r->feed.count && is_nop(r, &r->feed.words[end])) {
            end++;
        }
        memset(long_row + i, end - i > LONG_ROW, end - i);
        i = end > i ? end : i + 1;
    }
}

bool lint_nops(struct lint_work *r)
{
    const size_t sites = r->feed.site_count + 1;
    bool *long_row = calloc(r->feed.count + 1, sizeof *long_row);
    struct walk *w = calloc(1, sizeof *w);
    bool good = w != NULL && long_row != NULL;
    if (good) {
        *w = (struct walk){.r = r, .size = tx_snapshot_size(NULL), .long_row = long_row};
        w->snapshot = malloc(w->size);
        w->removed = calloc(sites, sizeof *w->removed);
        w->kept = calloc(sites, sizeof *w->kept);
        w->nop = calloc(sites, sizeof *w->nop);
        good = w->snapshot != NULL && w->removed != NULL && w->kept != NULL && w->nop != NULL;
    }
    if (good) {
        mark_long_rows(r, long_row);
        good = missing(w) && (r->run.stopped || r->run.ended || superfluous(w));
    }
    if (w != NULL) {
        free(w->snapshot);
        free(w->removed);
        free(w->kept);
        free(w->nop);
    }
    free(w);
    free(long_row);
    return good;
}
