/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the run would take if a unit were quicker: it is repeated without the unit's time. A unit's
 * cycles on the path are the most that this can save, as the rest of the path stays; so units are
 * tried by falling cycles until none is left that could save more than the best so far.
 */
#include "profile/profile.h"

#include <string.h>

#include "base/error.h"

enum { TRIES = 5, LITTLE = 100 /* a saving of less than a hundredth is none */ };

static const struct {
    enum profile_bound bound;
    enum profile_paced unit;
} paced[] = {{BOUND_UNPACK, PROFILE_UNPACK},  {BOUND_MATRIX, PROFILE_MATRIX},
             {BOUND_VECTOR, PROFILE_VECTOR},  {BOUND_PACK, PROFILE_PACK},
             {BOUND_DELIVERY, PROFILE_CORES}, {BOUND_NOC, PROFILE_NOC},
             {BOUND_DRAM, PROFILE_DRAM}};
enum { PACED = sizeof paced / sizeof paced[0] };

static uint64_t saved(const struct txl_profile *p, const struct txl_profile_trial *t)
{
    return !t->stuck && t->none < p->total ? p->total - t->none : 0;
}

static int try_one(struct txl_error *err, txl_profile *p, unsigned unit,
                   const struct profile_again *again)
{
    struct profile_rerun rerun = {.same = true};
    rerun.pace[paced[unit].unit] = TX_PACE_NONE;
    const int result = again->run(again->user, err, &rerun);
    if (result == TXL_CONTINUE) {
        p->trials[p->result.trials++] =
            (struct txl_profile_trial){.unit = profile_bound_name(paced[unit].bound),
                                       .path = p->sums[paced[unit].bound],
                                       .none = rerun.ended ? rerun.cycles : 0,
                                       .stuck = !rerun.ended,
                                       .differs = rerun.ended && !rerun.same};
    }
    return result;
}

/* Returns the unit with most cycles on the path that has not been tried, or PACED. */
static unsigned most_left(const txl_profile *p, const bool tried[PACED])
{
    unsigned most = PACED;
    for (unsigned i = 0; i < PACED; i++) {
        const uint64_t cycles = p->sums[paced[i].bound];
        const bool cores = paced[i].unit != PROFILE_CORES || p->cores;
        if (!tried[i] && cores && cycles != 0 &&
            (most == PACED || cycles > p->sums[paced[most].bound])) {
            most = i;
        }
    }
    return most;
}

/*
 * A unit cannot save more than it has of the path; but a path across tiles goes by what is known of
 * who made what, so that more than it has may be behind it.
 */
static bool may_be_better(const txl_profile *p, uint64_t path, uint64_t most)
{
    return p->part_count != 0 ? 3 * path > 2 * most : path > most;
}

static int find_best(struct txl_error *err, txl_profile *p, const struct profile_again *again,
                     unsigned *best)
{
    bool tried[PACED] = {false};
    uint64_t most = 0;
    int result = TXL_CONTINUE;
    *best = PACED;
    for (unsigned n = 0; n < TRIES && result == TXL_CONTINUE; n++) {
        const unsigned unit = most_left(p, tried);
        if (unit == PACED || !may_be_better(p, p->sums[paced[unit].bound], most) ||
            p->sums[paced[unit].bound] * LITTLE < p->total) {
            break;
        }
        tried[unit] = true;
        result = try_one(err, p, unit, again);
        const uint64_t got =
            result == TXL_CONTINUE ? saved(p, &p->trials[p->result.trials - 1]) : 0;
        if (got > most) {
            most = got;
            *best = unit;
        }
    }
    if (most * LITTLE < p->total) {
        *best = PACED;
    }
    return result;
}

static void put_best_first(txl_profile *p)
{
    for (unsigned i = 1; i < p->result.trials; i++) {
        if (saved(p, &p->trials[i]) > saved(p, &p->trials[0])) {
            const struct txl_profile_trial first = p->trials[0];
            p->trials[0] = p->trials[i];
            p->trials[i] = first;
        }
    }
}

int profile_try(struct txl_error *err, txl_profile *p, const struct profile_again *again)
{
    unsigned best;
    int result = find_best(err, p, again, &best);
    if (result != TXL_CONTINUE || p->result.trials == 0) {
        return result;
    }
    put_best_first(p);
    if (best < PACED) {
        struct profile_rerun rerun = {.same = true};
        rerun.pace[paced[best].unit] = TX_PACE_HALF;
        result = again->run(again->user, err, &rerun);
        p->trials[0].half = rerun.ended ? rerun.cycles : 0;
        p->trials[0].differs = p->trials[0].differs || (rerun.ended && !rerun.same);
        p->bound = paced[best].bound;
    }
    if (result == TXL_CONTINUE) {
        profile_settle(p, best < PACED);
    }
    return result;
}
