/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps breakpoints and watchpoints and checks whether one has been reached. */
#include "debug/points.h"

#include <tensix/finding.h>

#include <stdlib.h>
#include <string.h>

/* ---- the list ---- */

struct point *point_add(struct txl_debug *d, enum point_kind kind, const char *text)
{
    if (d->points == NULL) {
        d->points = zeroed(d->err, POINTS, sizeof *d->points);
    }
    if (d->points == NULL) {
        return NULL;
    }
    if (d->point_count == POINTS) {
        (void)txl_fail(d->err, "there are %d breakpoints already", POINTS);
        return NULL;
    }
    struct point *p = &d->points[d->point_count];
    *p = (struct point){.number = d->point_next + 1, .kind = kind, .thread = -1};
    snprintf(p->text, sizeof p->text, "%s", text);
    if (kind == POINT_WATCH) {
        p->was = zeroed(d->err, TARGET_MOST, sizeof *p->was);
        if (p->was == NULL) {
            return NULL;
        }
    }
    d->point_next++;
    d->point_count++;
    return p;
}

struct point *point_find(struct txl_debug *d, uint64_t number)
{
    for (unsigned i = 0; i < d->point_count; i++) {
        if (d->points[i].number == number) {
            return &d->points[i];
        }
    }
    return NULL;
}

void point_delete(struct txl_debug *d, struct point *point)
{
    const size_t at = (size_t)(point - d->points);
    free(point->was);
    free(point->reference);
    d->point_count--;
    memmove(point, point + 1, (d->point_count - at) * sizeof *point);
}

void points_free(struct txl_debug *d)
{
    while (d->point_count > 0) {
        point_delete(d, &d->points[d->point_count - 1]);
    }
    free(d->points);
}

void points_told(struct txl_debug *d, const struct hit *hit)
{
    struct point *p = point_find(d, hit->point->number);
    if (hit->core != TX_CORES) {
        d->core = hit->core;
        d->thread = -1;
    }
    if (p != NULL && p->once) {
        point_delete(d, p);
    }
}

void points_anew(struct txl_debug *d)
{
    for (unsigned i = 0; i < d->point_count; i++) {
        struct point *p = &d->points[i];
        if (p->kind == POINT_WATCH) {
            p->count = target_read(d, &p->target, p->was);
        }
    }
}

/* ---- instructions ---- */

static bool at_line(const struct txl_debug *d, const struct point *p, size_t place)
{
    const char *file = NULL;
    const unsigned line = debug_line(d, debug_section(d), place, &file);
    return line != 0 && line == p->at &&
           (p->name[0] == '\0' ||
            (file != NULL && strcmp(txl_basename(file), txl_basename(p->name)) == 0));
}

/*
 * Tells whether an issued instruction meets a breakpoint. For a source line only the first of
 * consecutive instructions from the line counts.
 */
static bool issue_met(const struct txl_debug *d, const struct point *p,
                      const struct fact_issue *issue)
{
    if (p->thread >= 0 && issue->thread != p->thread) {
        return false;
    }
    switch (p->kind) {
    case POINT_WORD:
        return !issue->scheduled && p->section == debug_section(d) && issue->place == p->at;
    case POINT_LINE:
        return !issue->scheduled && issue->place != NO_PLACE && at_line(d, p, issue->place) &&
               (issue->place == d->facts.last[issue->thread] ||
                d->facts.last[issue->thread] == NO_PLACE ||
                !at_line(d, p, d->facts.last[issue->thread]));
    case POINT_MNEMONIC:
        return tx_insn_of(d->arch, issue->word) == p->insn;
    case POINT_THREAD:
        return !issue->scheduled;
    default:
        return false;
    }
}

static bool issues_met(const struct txl_debug *d, const struct point *p, struct hit *hit)
{
    for (unsigned i = 0; i < d->facts.issues; i++) {
        if (issue_met(d, p, &d->facts.issue[i])) {
            char text[256];
            snprintf(hit->what, sizeof hit->what, "%.250s",
                     issue_text(d, &d->facts.issue[i], text, sizeof text));
            hit->before = true;
            return true;
        }
    }
    return false;
}

static bool stalls_met(const struct txl_debug *d, const struct point *p, struct hit *hit)
{
    for (unsigned i = 0; i < d->facts.stalls; i++) {
        const struct fact_stall *s = &d->facts.stall[i];
        char more[80] = "";
        char cause[144];
        if (p->thread >= 0 && s->thread != p->thread) {
            continue;
        }
        const bool waits = tx_gate_read(d->machine, s->thread).hold == TX_HOLD_WAIT &&
                           tx_wait_reason(d->machine, s->thread, more, sizeof more);
        snprintf(cause, sizeof cause, "%.60s%s%s", s->cause != NULL ? s->cause : "",
                 waits ? ": " : "", more);
        if (strcasestr(cause, p->name) != NULL) {
            char dis[128];
            (void)tx_disassemble(d->arch, s->word, TX_DIS_NORMAL, dis, sizeof dis);
            snprintf(hit->what, sizeof hit->what, "T%u waits before %s: %.100s", s->thread, dis,
                     cause);
            return true;
        }
    }
    return false;
}

/*
 * Tells whether a core has arrived at an instruction. On Blackhole the address may lie inside a
 * group of .ttinsn that are pushed at once; then the stop is before the group, and *before becomes
 * true.
 */
static bool comes_to(const struct tx_core_glance *was, const struct tx_core_glance *is,
                     uint32_t address, bool *before)
{
    enum { GROUP = 16 };
    const bool moved = was->instructions != is->instructions;
    *before = is->instructions - was->instructions > 1 && address > was->pc && address < is->pc &&
              is->pc - was->pc <= GROUP;
    return *before || (is->phase == TX_CORE_RUNS && is->pc == address &&
                       (moved || was->pc != is->pc || was->phase != is->phase));
}

static void say_core(const struct txl_debug *d, unsigned core, uint32_t pc, struct hit *hit)
{
    char name[96];
    char line[256];
    const char *function = txl_tensix_function(d->tensix, (enum tx_core)core, pc, name);
    const char *source = txl_tensix_source(d->tensix, (enum tx_core)core, pc, line);
    hit->core = (enum tx_core)core;
    snprintf(hit->what, sizeof hit->what, "core %s at %08x%s%s%s%.120s",
             tx_core_name((enum tx_core)core), (unsigned)pc, function != NULL ? " in " : "",
             function != NULL ? function : "", source != NULL ? ", " : "",
             source != NULL ? source : "");
}

static bool core_met(struct txl_debug *d, const struct point *p, struct hit *hit)
{
    for (unsigned c = 0; d->tile != NULL && c < TX_CORES; c++) {
        for (unsigned i = 0; (p->cores >> c & 1u) != 0 && i < p->address_count[c]; i++) {
            if (comes_to(&d->facts.before[c], &d->facts.after[c], p->addresses[c][i],
                         &hit->before)) {
                say_core(d, c, p->addresses[c][i], hit);
                return true;
            }
        }
    }
    return false;
}

/* ---- values ---- */

static bool is_nan(uint32_t word)
{
    return (word & 0x7FFFFFFFu) > 0x7F800000u;
}

/* Finds the reference's value for the i-th watched value; returns false where there is none. */
static bool expected_at(const struct txl_debug *d, const struct point *p, unsigned i,
                        uint32_t *word)
{
    const struct target *t = &p->target;
    uint64_t at = p->reference_count == 1 ? 0 : t->first + i;
    if (t->kind == TARGET_DST && p->reference_count > 1) {
        const unsigned place = tx_tile_element(t->index % 64, t->first + i);
        if (!txl_run_element(d->run, d->now.tile, place, &at)) {
            return false;
        }
    } else if (t->kind == TARGET_L1) {
        at = i;
    }
    *word = at < p->reference_count ? p->reference[at] : 0;
    return at < p->reference_count;
}

static bool value_met(const struct txl_debug *d, const struct point *p, unsigned i, uint32_t now,
                      bool written)
{
    uint32_t want;
    const bool changed = now != p->was[i];
    switch (p->test) {
    case WATCH_CHANGE:
        return changed;
    case WATCH_VALUE:
        return p->negated ? changed && p->was[i] == p->wanted : changed && now == p->wanted;
    case WATCH_NAN:
        return changed && is_nan(now);
    case WATCH_DIFFERS:
        return (changed || written) && expected_at(d, p, i, &want) && now != want &&
               !(is_nan(now) && is_nan(want));
    }
    return false;
}

static void say_change(struct txl_debug *d, const struct point *p, unsigned i, uint32_t now,
                       struct hit *hit)
{
    char name[96];
    char was_text[48];
    char now_text[48];
    char dis[128] = "";
    char by[160] = "";
    uint32_t want;
    const enum reading r = target_reading(d, &p->target);
    const struct fact_write *w = target_writer(d, &p->target, i);
    if (w != NULL) {
        (void)tx_disassemble(d->arch, w->word, TX_DIS_NORMAL, dis, sizeof dis);
        snprintf(by, sizeof by, ", by T%u's %s of cycle %llu", w->thread, dis,
                 (unsigned long long)w->start);
    } else if (d->facts.issues == 1) { /* there are no write events for configuration and GPRs */
        const struct fact_issue *issue = &d->facts.issue[0];
        (void)tx_disassemble(d->arch, issue->word, TX_DIS_NORMAL, dis, sizeof dis);
        snprintf(by, sizeof by, "; issued in that cycle: T%u's %s", issue->thread, dis);
    }
    int n = snprintf(hit->what, sizeof hit->what, "%s: %08x %s -> %08x %s",
                     target_element(&p->target, i, name, sizeof name), (unsigned)p->was[i],
                     reading_text(r, p->was[i], was_text), (unsigned)now,
                     reading_text(r, now, now_text));
    if (p->test == WATCH_DIFFERS && expected_at(d, p, i, &want) && n > 0) {
        n += snprintf(hit->what + n, sizeof hit->what - (size_t)n, " instead of %08x %s",
                      (unsigned)want, reading_text(r, want, was_text));
    }
    if (n > 0 && (size_t)n < sizeof hit->what) {
        snprintf(hit->what + n, sizeof hit->what - (size_t)n, "%s", by);
    }
}

static bool watch_met(struct txl_debug *d, struct point *p, struct hit *hit)
{
    uint32_t now[TARGET_MOST];
    bool met = false;
    const unsigned count = target_read(d, &p->target, now);
    for (unsigned i = 0; i < count && i < p->count && !met; i++) {
        const bool written = p->test == WATCH_DIFFERS && target_writer(d, &p->target, i) != NULL;
        if (value_met(d, p, i, now[i], written)) {
            say_change(d, p, i, now[i], hit);
            met = true;
        }
    }
    memcpy(p->was, now, count * sizeof *now);
    p->count = count;
    return met && !d->facts.began; /* the beginning of a tile does not count as a change */
}

/* ---- races ---- */

static bool race_met(const struct txl_debug *d, const struct point *p, struct hit *hit)
{
    unsigned count;
    const struct tile_mark *mark = debug_races(d, &count);
    hit->before = true;
    for (unsigned i = 0; i < count && !d->facts.began; i++) {
        if (mark[i].cycle == d->facts.cycle && (p->at == 0 || p->at == i + 1)) {
            snprintf(hit->what, sizeof hit->what, "race %u, %.230s", i + 1, mark[i].text);
            return true;
        }
    }
    return false;
}

/* ---- all points ---- */

static bool point_met(struct txl_debug *d, struct point *p, struct hit *hit)
{
    const struct facts *f = &d->facts;
    *hit = (struct hit){.point = p, .core = TX_CORES};
    switch (p->kind) {
    case POINT_WORD:
    case POINT_LINE:
    case POINT_MNEMONIC:
    case POINT_THREAD:
        return issues_met(d, p, hit);
    case POINT_CYCLE:
        hit->before = true;
        return f->cycle == p->at && !f->began;
    case POINT_CORE:
        return core_met(d, p, hit);
    case POINT_RACE:
        return race_met(d, p, hit);
    case POINT_FINDING:
        (void)tx_finding_text(&f->finding, hit->what, sizeof hit->what);
        return f->findings != 0 &&
               (p->name[0] == '\0' ||
                (f->finding.rule != NULL && strcasecmp(f->finding.rule, p->name) == 0));
    case POINT_STALL:
        return stalls_met(d, p, hit);
    case POINT_WATCH:
        return watch_met(d, p, hit);
    }
    return false;
}

/*
 * Every point is asked, because watchpoints save the value that they see. A point that stops before
 * the tick takes precedence.
 */
bool points_hit(struct txl_debug *d, enum points_way way, struct hit *hit)
{
    bool any = false;
    for (unsigned i = 0; i < d->point_count; i++) {
        struct hit one;
        struct point *p = &d->points[i];
        if (!point_met(d, p, &one) || p->disabled || (way == POINTS_STOOD && one.before)) {
            continue;
        }
        if (!any || (one.before && !hit->before)) {
            *hit = one;
        }
        any = true;
    }
    if (any && way != POINTS_BACK) {
        point_find(d, hit->point->number)->hits++;
    }
    return any;
}
