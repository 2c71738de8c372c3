/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The public face of the room. Looks for a schedule from the bound of II upwards with quick
 * incomplete searches, then for shorter ones by clauses, then exactly, has it proved, and reports
 * it.
 */
#include "schedule/schedule.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/options.h"

enum { QUICK = 40000, LONG = 400000, FEW = 8, MANY = 80 };

struct finder {
    struct txl_schedule_options how;
    struct sched_body plain, spilled; /* as it was read, and with values that go through Dst */
    struct sched_body folded;         /* without copies of which masked instructions keep a part */
    struct sched_body passing;        /* with 16-bit data that go through Dst as in the kernel */
    int spill[SCHED_VALUES];          /* the values that can */
    unsigned spills;
    struct sched_search search;
    struct timespec start;
    uint64_t nodes; /* the placements tried in all passes before the current one */
    /* By II: for which numbers of phases (bit n: n) clauses refute it, and in how many conflicts.
     */
    uint8_t refuted[TXL_SCHEDULE_MOST + 1];
    uint64_t conflicts[TXL_SCHEDULE_MOST + 1];
    bool cancelled, late;
};

static double elapsed(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) / 1e9;
}

static bool go_on(void *user)
{
    struct finder *f = user;
    f->late = f->how.seconds != 0 && elapsed(&f->start) >= (double)f->how.seconds;
    if (!f->late && f->how.progress != NULL) {
        f->cancelled = !f->how.progress(f->how.user, f->nodes + f->search.nodes, 0);
    }
    return !f->late && !f->cancelled;
}

/*
 * Runs one pass of the search with this II, window and limit of nodes. A schedule that it finds
 * becomes the best so far, with the body that it is for.
 */
static bool pass(struct finder *f, txl_schedule *s, unsigned ii, unsigned window, uint64_t most)
{
    f->search.nodes = 0;
    f->search.window = window;
    f->search.most = most;
    f->search.full = f->search.loose = false;
    const bool found = sched_find(&f->search, ii);
    f->nodes += f->search.nodes;
    if (found) {
        s->body = *f->search.body;
        s->plan = f->search.plan;
        s->code = f->search.code;
        s->result.ii = ii;
    }
    return found;
}

/*
 * Searches in order with little room for delays, then in random orders with a small limit each.
 * Where schedules exist there are usually many, and a search that starts over finds one sooner than
 * a search that goes on. from: of which random order on, 0 for those in order, too.
 */
static bool quick(struct finder *f, txl_schedule *s, unsigned ii, unsigned from, unsigned until)
{
    bool found = from == 0 && (pass(f, s, ii, 1, QUICK) ||
                               (!f->search.stopped && pass(f, s, ii, 2 * ii + 6, QUICK)));
    for (unsigned i = from; i < until && !found && !f->search.stopped; i++) {
        f->search.seed = (i + 1) * UINT64_C(0x9E3779B97F4A7C15);
        found = pass(f, s, ii, 3 + i % 4, QUICK / 40);
    }
    f->search.seed = 0;
    return found;
}

static unsigned bound_of(const struct finder *f, unsigned spills)
{
    return sched_bound(&f->plain, spills).ii;
}

/*
 * Runs a pass for each choice of values that go through Dst, one first, then two. *whole becomes
 * false where a pass ended without an answer.
 */
static bool through_dst(struct finder *f, txl_schedule *s, unsigned ii, unsigned window,
                        uint64_t most, bool *whole)
{
    for (unsigned count = 1; count <= SCHED_SPILLS; count++) {
        for (unsigned a = 0; a < f->spills && bound_of(f, count) <= ii; a++) {
            const unsigned last = count == 1 ? a + 1 : f->spills;
            for (unsigned b = count == 1 ? a : a + 1; b < last && !f->search.stopped; b++) {
                const int values[SCHED_SPILLS] = {f->spill[a], f->spill[b]};
                if (!sched_spill(&f->plain, values, count, &f->spilled)) {
                    *whole = false;
                    continue;
                }
                f->search.body = &f->spilled;
                const bool found = pass(f, s, ii, window, most);
                f->search.body = &f->plain;
                if (found) {
                    return true;
                }
                *whole = *whole && !(f->search.full || f->search.loose);
            }
        }
    }
    *whole = *whole && !f->search.stopped;
    return false;
}

/* The same with values that go through Dst. */
static bool quick_through_dst(struct finder *f, txl_schedule *s, unsigned ii)
{
    bool whole = true;
    return through_dst(f, s, ii, 0, LONG, &whole) || through_dst(f, s, ii, 1, LONG, &whole);
}

/* Returns whether clauses refuted it for all numbers of phases: 4 stands for 1 and 2, too. */
static bool refuted_by_clauses(const struct finder *f, unsigned ii)
{
    return (f->refuted[ii] >> 3 & 3) == 3;
}

/*
 * Searches all placements with all delays, but for what clauses have refuted. Returns true when the
 * answer is certain: a schedule was found (*found), or there is none.
 */
static bool exact(struct finder *f, txl_schedule *s, unsigned ii, bool *found)
{
    bool whole = true;
    if (bound_of(f, 0) <= ii && !refuted_by_clauses(f, ii)) {
        *found = pass(f, s, ii, 2 * ii + 6, f->how.nodes);
        whole = !(f->search.stopped || f->search.full || f->search.loose);
    }
    *found = *found || through_dst(f, s, ii, 2 * ii + 6, f->how.nodes, &whole);
    return *found || whole;
}

static struct sched_bound smallest_bound(const struct finder *f)
{
    struct sched_bound smallest = sched_bound(&f->plain, 0);
    for (unsigned i = 1; i <= f->spills; i++) {
        const struct sched_bound bound = sched_bound(&f->plain, i);
        smallest = bound.ii < smallest.ii ? bound : smallest;
    }
    return smallest;
}

/* How far clauses go: cycles that a row may wait, and conflicts. Most schedules wait little. */
struct round {
    unsigned slack;
    uint64_t most;
};

/* Looks for a schedule by clauses. Notes in f->refuted that there is none. */
static bool solve(struct finder *f, txl_schedule *s, unsigned ii, unsigned phases,
                  struct round round)
{
    f->search.nodes = 0;
    f->search.most = f->how.nodes != 0 && f->how.nodes < round.most ? f->how.nodes : round.most;
    const enum sched_answer answer = sched_solve(&f->search, ii, phases, round.slack);
    f->nodes += f->search.nodes;
    f->search.stopped = f->search.stopped || f->search.memory;
    if (answer == SCHED_REFUTED) {
        f->refuted[ii] |= (uint8_t)(1U << phases);
        f->conflicts[ii] += f->search.nodes;
    }
    if (answer == SCHED_FOUND) {
        s->body = *f->search.body;
        s->plan = f->search.plan;
        s->code = f->search.code;
        s->result.ii = ii;
    }
    return answer == SCHED_FOUND;
}

/*
 * Looks by clauses for schedules shorter than until, downwards, of rows as they are. Returns the
 * shortest II that it finds, or until.
 */
static unsigned shorten_body(struct finder *f, txl_schedule *s, const struct sched_body *body,
                             unsigned first, unsigned until, struct round round)
{
    /* Most need no registers by turns. Where four turns are refuted, so are two. */
    static const unsigned phases[] = {1, 4, 3, 2};
    const unsigned bound = sched_bound(body, 0).ii;
    first = bound > first ? bound : first;
    memset(f->refuted, 0, sizeof f->refuted);
    memset(f->conflicts, 0, sizeof f->conflicts);
    for (unsigned i = 0; i < sizeof phases / sizeof phases[0]; i++) {
        for (unsigned ii = until; ii-- > first && !f->search.stopped;) {
            const bool known = phases[i] == 2 && (f->refuted[ii] >> 4 & 1) != 0;
            if (!known && solve(f, s, ii, phases[i], round)) {
                until = ii;
            }
        }
    }
    return until;
}

static unsigned shorten(struct finder *f, txl_schedule *s, unsigned first, unsigned until,
                        struct round round)
{
    return shorten_body(f, s, &f->plain, first, until, round);
}

/* Tries one distance of rows that keep parts, with little room for delays first. */
static bool try_parts(struct finder *f, txl_schedule *s, unsigned ii,
                      const struct sched_body *const *body, unsigned bodies)
{
    const unsigned slack[] = {0, 2, 4 + ii / 4};
    bool found = false;
    for (unsigned i = 0; i < 3 * 2 * bodies && !found && !f->search.stopped; i++) {
        f->search.body = body[i % bodies];
        found = sched_bound(body[i % bodies], 0).ii <= ii &&
                solve(f, s, ii, 1 + i / bodies % 2, (struct round){slack[i / bodies / 2], 2000});
    }
    return found;
}

/*
 * Rows that keep parts of registers or set flags: clauses alone state what that needs. Looks in
 * growing steps for some schedule, with few conflicts each, then between what was found and what
 * was not, then downwards with more of them.
 */
static void search_parts(struct finder *f, txl_schedule *s, const struct sched_body *const *bodies,
                         unsigned count)
{
    struct sched_bound bound = sched_bound(bodies[0], 0);
    if (count == 2 && sched_bound(bodies[1], 0).ii < bound.ii) {
        bound = sched_bound(bodies[1], 0);
    }
    const unsigned first = f->how.ii != 0 ? f->how.ii : bound.ii;
    const unsigned last = f->how.ii != 0 ? first : TXL_SCHEDULE_MOST;
    unsigned until = last + 1, from = first;
    s->result.bound = bound.ii;
    s->result.bound_why = bound.why;
    for (unsigned ii = first, step = 1; ii <= last && until > last && !f->search.stopped;
         step *= 2) {
        until = try_parts(f, s, ii, bodies, count) ? ii : until;
        from = until > last ? ii + 1 : from;
        ii = ii < last && ii + step > last ? last : ii + step;
    }
    while (from < until && until <= last && !f->search.stopped) {
        const unsigned ii = (from + until - 1) / 2;
        const bool found = try_parts(f, s, ii, bodies, count);
        until = found ? ii : until;
        from = found ? from : ii + 1;
    }
    for (unsigned i = 0; i < count && until > first && until <= last + 1; i++) {
        f->search.body = bodies[i];
        until = shorten_body(f, s, bodies[i], first, until, (struct round){8, 30000});
    }
    s->result.nodes = f->nodes;
    s->result.optimal = s->result.ii != 0 && s->result.ii == bound.ii;
    s->result.cut = !s->result.optimal;
    s->result.seconds = elapsed(&f->start);
}

/* The constants in L0 to L7 that one SFPLOADI makes. */
static struct sched_local local_constants(const struct sched_body *body)
{
    struct sched_local all = {.count = 0};
    for (unsigned i = 0; i < body->hoisted_count; i++) {
        if ((body->hoisted[i].bits & 0xFFFFU) == 0 && body->hoisted[i].reg < SCHED_REGS) {
            all.bits[all.count++] = body->hoisted[i].bits;
        }
    }
    return all;
}

/* Reads the rows with these constants in them, where those of the body would be too many. */
static bool read_local(struct sched_body *body, const struct tx_program *program,
                       const struct tx_kernel_options *kernel, const struct sched_local *local,
                       struct sched_why *why)
{
    struct sched_why other = {.text = ""};
    if (why->memory || local->count == 0) {
        return false;
    }
    memset(body, 0, sizeof *body);
    const bool good = sched_read(body, program, kernel, SCHED_AS_IS, local, &other);
    why->memory = other.memory;
    return good;
}

/*
 * Where constants have taken the registers that rows need: those that one SFPLOADI makes are loaded
 * in the rows, as many of them as there are, then half of them.
 */
static void search_local(struct finder *f, txl_schedule *s, const struct tx_program *program,
                         const struct tx_kernel_options *kernel)
{
    struct sched_local local = local_constants(&f->plain);
    struct sched_why why = {.text = ""};
    const struct sched_body *const bodies[] = {&f->folded};
    const uint64_t nodes = f->nodes;
    for (unsigned i = 0; i < 2 && s->result.ii == 0; i++) {
        local.count = i == 0 ? local.count : local.count / 2;
        if (read_local(&f->folded, program, kernel, &local, &why)) {
            search_parts(f, s, bodies, 1);
        }
    }
    f->search.memory = f->search.memory || why.memory;
    s->result.nodes += nodes;
}

static unsigned stores_of(const struct sched_body *body)
{
    unsigned stores = 0;
    for (unsigned i = 0; i < body->ops; i++) {
        stores += body->op[i].store;
    }
    return stores;
}

/*
 * Looks for rows at the distance that was found which end sooner: a tile takes so many cycles less,
 * as it ends with its last row.
 */
static void tighten(struct finder *f, txl_schedule *s)
{
    const struct sched_body body = s->body;
    const int length = sched_last(&body, &s->plan) - sched_first(&s->plan) + 1;
    const int most = length - sched_depth(&body);
    if (!body.passes && stores_of(&body) > 1) {
        return; /* clauses know nothing of values that are spilled */
    }
    f->search.body = &body;
    for (int i = 0; i < 4 * (most < 6 ? most : 6) && !f->search.stopped; i++) {
        const struct round round = {(unsigned)i / 4, 3000};
        if (solve(f, s, s->result.ii, 1 + (unsigned)i % 4, round)) {
            break;
        }
    }
    s->result.nodes = f->nodes;
    s->result.seconds = elapsed(&f->start);
}

/*
 * Looks for shorter rows that take 16-bit data back from Dst as the kernel does, where other rows
 * do without.
 */
static void search_passing(struct finder *f, txl_schedule *s, const struct tx_program *program,
                           const struct tx_kernel_options *kernel)
{
    struct sched_why why = {.text = ""};
    const unsigned last = f->how.ii != 0 ? f->how.ii : TXL_SCHEDULE_MOST;
    const uint64_t nodes = f->nodes;
    memset(&f->passing, 0, sizeof f->passing);
    if (f->search.stopped || !sched_read(&f->passing, program, kernel, SCHED_PASS, NULL, &why)) {
        f->search.memory = f->search.memory || why.memory;
        return;
    }
    f->search.body = &f->passing;
    const unsigned until = s->result.ii != 0 ? s->result.ii : last + 1;
    (void)shorten_body(f, s, &f->passing, f->how.ii != 0 ? f->how.ii : 1, until,
                       (struct round){4, 30000});
    s->result.nodes += f->nodes - nodes;
    s->result.seconds = elapsed(&f->start);
    s->result.optimal = s->result.optimal && !s->body.passes;
}

/* Looks for some schedule with this II by clauses that leave it little room and few conflicts. */
static bool quick_clauses(struct finder *f, txl_schedule *s, unsigned ii)
{
    const struct round round = {2, 1000};
    return !f->search.stopped && (solve(f, s, ii, 1, round) || solve(f, s, ii, 4, round));
}

static void search(struct finder *f, txl_schedule *s)
{
    const struct sched_bound bound = smallest_bound(f);
    const unsigned first = f->how.ii != 0 ? f->how.ii : bound.ii;
    const unsigned last = f->how.ii != 0 ? f->how.ii : TXL_SCHEDULE_MOST;
    s->result.bound = bound.ii;
    s->result.bound_why = bound.why;
    bool found = false;
    unsigned until = last + 1;
    /* Some schedule soon, then shorter ones: where none exists, a search takes its time. */
    for (unsigned i = 0; i < 2; i++) {
        found = false;
        for (unsigned ii = first; ii < until && !found && !f->search.stopped; ii++) {
            found =
                bound_of(f, 0) <= ii && (quick(f, s, ii, i == 0 ? 0 : FEW, i == 0 ? FEW : MANY) ||
                                         (i == 0 && quick_clauses(f, s, ii)));
        }
        until = found ? s->result.ii : until;
    }
    until = shorten(f, s, first, until, (struct round){4, 30000});
    while (until > first && (until <= last || f->how.ii != 0) && !f->search.stopped &&
           quick_through_dst(f, s, until - 1)) {
        until--;
    }
    until = shorten(f, s, first, until, (struct round){8, 100000});
    bool whole = !f->search.stopped;
    found = false;
    for (unsigned ii = first; ii < until && !found && !f->search.stopped; ii++) {
        const uint64_t before = f->nodes;
        whole = exact(f, s, ii, &found) && whole;
        s->result.refuted += found ? 0 : f->nodes - before + f->conflicts[ii];
    }
    s->result.nodes = f->nodes;
    s->result.cut = !whole;
    s->result.optimal =
        s->result.ii != 0 && (s->result.ii == bound.ii || (whole && f->how.ii == 0));
    s->result.seconds = elapsed(&f->start);
}

/* Sets the error "relu.s: no schedule: ...". Returns its result. */
static int no_schedule(struct txl_error *err, const struct finder *f, const struct sched_why *why)
{
    const bool named = f->how.name != NULL;
    if (why->memory) {
        return no_memory(err);
    }
    return txl_refuse(err, TXL_NEGATIVE, "%s%sno schedule: %s", named ? f->how.name : "",
                      named ? ": " : "", why->text);
}

static int none_found(struct txl_error *err, const struct finder *f, const txl_schedule *s,
                      struct sched_why *why)
{
    if (f->cancelled) {
        return txl_refuse(err, TXL_CANCELLED, "cancelled");
    }
    if (f->how.ii != 0 && f->how.ii < s->result.bound) {
        (void)sched_refuse(why, "the bound is %u: %s", s->result.bound, s->result.bound_why);
    } else if (s->result.cut) {
        (void)sched_refuse(why, "none was found in %llu steps of %.1f s, and not all are refuted",
                           (unsigned long long)s->result.nodes, s->result.seconds);
    } else {
        (void)sched_refuse(why, "every placement was refuted, in %llu steps",
                           (unsigned long long)s->result.nodes);
    }
    return no_schedule(err, f, why);
}

static int prove(struct txl_error *err, struct finder *f, txl_schedule *s,
                 const struct tx_kernel_options *kernel, struct sched_why *why)
{
    struct sched_proof proof = {.straight = s->body.program,
                                .name = f->how.name,
                                .domain = f->how.domain,
                                .kernel = *kernel,
                                .sample = f->how.sample,
                                .cycles = sched_cycles(&s->body, &s->plan),
                                .around = s->body.around,
                                .progress = f->cancelled ? NULL : f->how.progress,
                                .user = f->how.user};
    int result = memory_text_open(err, &s->text);
    if (result != TXL_CONTINUE) {
        return result;
    }
    sched_write(s->text.stream, &s->body, &s->plan, &s->code);
    result = memory_text_close(err, &s->text);
    if (result != TXL_CONTINUE) {
        return result;
    }
    result = sched_prove(err, &proof, s->text.text, s->text.size, why);
    s->result.compared = proof.compared;
    s->result.cycles = proof.cycles;
    if (result == TXL_NEGATIVE && s->body.stands && !s->body.passes) {
        snprintf(why->text, sizeof why->text, "%s", sched_unproven);
    }
    return result == TXL_NEGATIVE && why->text[0] != '\0' ? no_schedule(err, f, why) : result;
}

/* Fills in the result of what was found, and has it proved. */
static int report_found(struct txl_error *err, struct finder *f, txl_schedule *s,
                        const struct tx_kernel_options *kernel, struct sched_why *why)
{
    tighten(f, s);
    if (f->search.memory) {
        return no_memory(err);
    }
    s->result.rows = s->body.rows;
    s->result.straight = s->body.straight;
    s->result.issues = s->plan.issues;
    s->result.phases = s->code.phases;
    s->result.templates = s->code.templates;
    s->result.sequences = s->code.sequences;
    s->result.through_dst = stores_of(&s->body) - 1;
    return prove(err, f, s, kernel, why);
}

/* For rows that are refused without Dst, as *why says. */
static int pass_only(struct txl_error *err, struct finder *f, txl_schedule *s,
                     const struct tx_program *program, const struct tx_kernel_options *kernel,
                     struct sched_why *why)
{
    search_passing(f, s, program, kernel);
    if (f->search.memory) {
        return no_memory(err);
    }
    if (s->result.ii == 0) {
        return no_schedule(err, f, why);
    }
    *why = (struct sched_why){.text = ""};
    return report_found(err, f, s, kernel, why);
}

static int schedule_find(struct txl_error *err, struct finder *f, txl_schedule *s,
                         const struct tx_program *program)
{
    struct sched_why why = {.text = ""};
    struct tx_kernel_options kernel;
    tx_kernel_options_default(&kernel);
    kernel.dst = f->how.dst;
    kernel.out = f->how.out;
    f->search.limits = (struct sched_limits){.templates = f->how.templates,
                                             .sequences = f->how.sequences,
                                             .regs = (uint8_t)f->how.registers};
    f->search.go_on = go_on;
    f->search.user = f;
    if (!sched_read(&f->plain, program, &kernel, SCHED_AS_IS, NULL, &why)) {
        const struct sched_local local = local_constants(&f->plain);
        const bool may_pass = f->plain.stands && !f->how.keep_dst;
        if (!read_local(&f->plain, program, &kernel, &local, &why)) {
            return may_pass && !why.memory ? pass_only(err, f, s, program, &kernel, &why)
                                           : no_schedule(err, f, &why);
        }
    }
    struct sched_why other = {.text = ""};
    f->plain.copied =
        f->plain.copied && sched_read(&f->folded, program, &kernel, SCHED_FOLD, NULL, &other);
    if (other.memory) {
        return no_memory(err);
    }
    f->search.body = &f->plain;
    f->spills = f->how.keep_dst || f->plain.parts ? 0 : sched_spillable(&f->plain, f->spill);
    const struct sched_body *const bodies[] = {&f->plain, &f->folded};
    /* with one register the search would refute most distances, one after the other */
    const bool few = !f->plain.parts && __builtin_popcount(f->plain.constants) >= SCHED_REGS - 1;
    if (few) {
        search_local(f, s, program, &kernel);
    }
    if (s->result.ii == 0 && f->plain.parts) {
        search_parts(f, s, bodies, f->plain.copied ? 2 : 1);
    } else if (s->result.ii == 0) {
        search(f, s);
    }
    if (s->result.ii == 0 && !few && !f->search.stopped) {
        search_local(f, s, program, &kernel);
    }
    const bool may_pass = f->plain.stands && !f->how.keep_dst;
    const txl_schedule without = *s;
    if (may_pass) {
        search_passing(f, s, program, &kernel);
    }
    if (f->search.memory) {
        return no_memory(err);
    }
    if (s->result.ii == 0) {
        return none_found(err, f, s, &why);
    }
    const int result = report_found(err, f, s, &kernel, &why);
    const bool passed = s->body.passes;
    if (result != TXL_NEGATIVE || !may_pass || (passed && without.result.ii == 0)) {
        return result;
    }
    /* The other rows may be right. */
    free(s->text.text);
    *s = without;
    txl_error_clear(err);
    if (!passed) {
        s->result.ii = 0;
        return pass_only(err, f, s, program, &kernel, &why);
    }
    why = (struct sched_why){.text = ""};
    return report_found(err, f, s, &kernel, &why);
}

int txl_schedule_find(struct txl_error *err, const struct tx_program *program,
                      const struct txl_schedule_options *options, txl_schedule **out)
{
    *out = NULL;
    struct finder *f = zeroed(err, 1, sizeof *f);
    txl_schedule *made = zeroed(err, 1, sizeof *made);
    int result =
        f == NULL || made == NULL ? TXL_INPUT : options_take(err, &f->how, sizeof f->how, options);
    if (result == TXL_CONTINUE &&
        (f->how.ii > TXL_SCHEDULE_MOST || f->how.templates > SCHED_MACROS ||
         f->how.sequences > SCHED_MACROS || f->how.registers > 0xFF)) {
        result = txl_fail(err, "II is 1..%d; there are four templates, four sequences, L0..L7",
                          TXL_SCHEDULE_MOST);
    }
    if (result == TXL_CONTINUE) {
        clock_gettime(CLOCK_MONOTONIC, &f->start);
        result = schedule_find(err, f, made, program);
    }
    if (result == TXL_OK) {
        *out = made;
    } else {
        txl_schedule_close(made);
    }
    free(f);
    return result;
}

void txl_schedule_close(txl_schedule *schedule)
{
    if (schedule != NULL) {
        free(schedule->text.text);
        free(schedule);
    }
}

void txl_schedule_result(const txl_schedule *schedule, struct txl_schedule_result *result)
{
    options_give(result, &schedule->result, sizeof schedule->result);
}

const char *txl_schedule_text(const txl_schedule *schedule)
{
    return schedule->text.text;
}
