/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides which points to try. From a starting point it steps to where the model predicts the least
 * error, until that helps no more (constants of bits are enumerated before); then it tries
 * neighbours, changing one constant and two constants at a time; then lattice points that the model
 * draws near its optimum. After that it starts again near the best point. Batches do not depend on
 * the number of threads, and all points of a batch are compared with the same score.
 */
#include "fit/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/pool.h"

enum {
    BATCH = 192,
    STEPS = 16,
    DRAWS = 480,
    KEPT = 40,
    CHANCE = 8,
    PATIENCE = 8,
    SEEN = 1 << 15,
    PAIRS = 12,
    COARSE = 48, /* values of a constant of bits that are tried first, */
    FINE = 3,    /* and how many on each side of the best at each finer step */
    ROUNDS = 3,
    HALF_BINADE = 1 << 22
};

struct search {
    struct txl_fit *fit;
    uint64_t random;
    struct fit_trial at; /* the best point of this start */
    struct fit_trial trials[BATCH];
    size_t count;
    uint64_t seen[SEEN];
    /* Constants that others are parts with, as fit_model_partner has them; itself: none. */
    unsigned partner[FIT_MOST];
    double ratio[FIT_MOST];
};

uint64_t fit_random(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 */
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

bool fit_go_on(struct txl_fit *fit)
{
    const double spent = clock_seconds() - fit->began + fit->spent;
    /* what remains is for the sweep: as much as the first one took, and some; half at most */
    const double left = fit_share(fit, 1) - clock_seconds();
    const double half = fit_share(fit, 1) - fit_share(fit, 0.5);
    const bool cut = fit->before.covered < fit->domain.count;
    const double sweep =
        cut || 1.25 * fit->before.seconds > half ? half : 1.25 * fit->before.seconds;
    fit->late = fit->options.seconds != 0 &&
                (spent >= fit->options.seconds || (!fit->whole && left <= sweep));
    if (!fit->cancelled && fit->options.progress != NULL) {
        fit->cancelled = !fit->options.progress(fit->options.user, fit->tried, 0);
    }
    return !fit->cancelled && !fit->late && fit->failure.status == TXL_OK;
}

/* ---- batches ---- */

static void clip(const struct txl_fit *fit, struct fit_point *p)
{
    for (unsigned k = 0; k < fit->count; k++) {
        const struct tx_free_constant *f = &fit->free[k];
        p->at[k] = p->at[k] < f->low ? f->low : p->at[k] > f->high ? f->high : p->at[k];
    }
}

/* Adds a candidate to the batch if this start has not tried it and there is room. */
static void propose(struct search *s, struct fit_point point)
{
    clip(s->fit, &point);
    uint64_t hash = SWEEP_HASH;
    hash = sweep_hash(hash, point.at, s->fit->count * sizeof point.at[0]);
    hash |= 1;
    uint64_t *slot = &s->seen[(hash >> 20) % SEEN];
    if (*slot != hash && s->count < BATCH) {
        *slot = hash;
        s->trials[s->count++].point = point;
    }
}

/* Takes the start's best point for the best of all, if it is. */
static void search_keep(struct search *s)
{
    struct txl_fit *fit = s->fit;
    if (fit_less(&s->at.score, &fit->best_score)) {
        fit->best = s->at.point;
        fit->best_score = s->at.score;
        fit_say_better(fit);
    }
}

/* Evaluates the batch. Returns true where a point is better; the start continues from it. */
static bool search_run(struct search *s, unsigned phase)
{
    struct txl_fit *fit = s->fit;
    const double before = clock_seconds();
    fit->now = phase;
    const struct fit_trial *best = fit_try_all(fit, s->trials, s->count, &s->at.score);
    s->count = 0;
    fit->phase[phase].seconds += clock_seconds() - before;
    if (best == NULL) {
        return false;
    }
    s->at = *best;
    search_keep(s);
    return true;
}

/* ---- phases ---- */

enum { PHASE_START, PHASE_BITS, PHASE_SLOPES, PHASE_ONE, PHASE_TWO, PHASE_LATTICE, PHASES };
static const char *const phase_names[PHASES] = {"starts",       "bit constants", "slopes",
                                                "one constant", "two constants", "lattice"};

/*
 * Evaluates the points that constant k has at these values, each with the other constants where
 * slopes say that they are best for it. Returns the best of them, or NULL.
 */
static const struct fit_trial *at_values(struct search *s, struct fit_point from, unsigned k,
                                         const int64_t *values, size_t count)
{
    struct txl_fit *fit = s->fit;
    const double before = clock_seconds();
    s->count = 0;
    for (size_t i = 0; i < count && fit_go_on(fit); i++) {
        from.at[k] = values[i];
        propose(s, from);
        struct fit_model *model = fit_model_open(fit, &from, fit->bits);
        if (model == NULL) {
            return NULL;
        }
        propose(s, fit_model_moved(model, 1.0));
        fit_model_close(model);
    }
    fit->now = PHASE_BITS;
    const struct fit_trial *best = fit_try_all(fit, s->trials, s->count, NULL);
    s->count = 0;
    fit->phase[PHASE_BITS].seconds += clock_seconds() - before;
    return best;
}

/*
 * Enumerates a constant of bits, as what Newton's iteration begins with: coarsely over all of its
 * range, or half a binade both ways where it has none, then around the best one ever more finely.
 * What such a constant does is not what slopes at one place say, and of the other constants each of
 * its values wants others, so that steps from a good place lead nowhere.
 */
static bool enumerate(struct search *s, unsigned k, bool shifted)
{
    const struct tx_free_constant *f = &s->fit->free[k];
    int64_t low;
    int64_t high;
    tx_free_limits(f->kind, &low, &high);
    const bool ranged = f->low != low || f->high != high;
    const int64_t now = s->at.point.at[k];
    low = ranged || now - HALF_BINADE < f->low ? f->low : now - HALF_BINADE;
    high = ranged || now + HALF_BINADE > f->high ? f->high : now + HALF_BINADE;
    int64_t step = (high - low) / COARSE + 1;
    int64_t values[COARSE + 1];
    size_t count = 0;
    for (int64_t v = low + (shifted ? (int64_t)(fit_random(&s->random) % (uint64_t)step) : 0);
         v <= high && count <= COARSE; v += step) {
        values[count++] = v;
    }
    const struct fit_trial *best = at_values(s, s->at.point, k, values, count);
    struct fit_trial here = best != NULL ? *best : s->at;
    while (step > 1 && best != NULL && fit_go_on(s->fit)) {
        step = (step + 1) / 2;
        count = 0;
        for (int64_t i = -FINE; i <= FINE; i++) {
            const int64_t v = here.point.at[k] + i * step;
            values[count] = v;
            count += i != 0 && v >= low && v <= high;
        }
        best = at_values(s, here.point, k, values, count);
        if (best != NULL && fit_less(&best->score, &here.score)) {
            here = *best;
        }
    }
    const bool better = fit_less(&here.score, &s->at.score);
    if (better) {
        s->at = here;
        s->fit->phase[PHASE_BITS].better++;
        search_keep(s);
    }
    return better;
}

static void bit_constants(struct search *s, bool shifted)
{
    bool better = true;
    for (unsigned round = 0; round < ROUNDS && better; round++) {
        unsigned constants = 0;
        better = false;
        for (unsigned k = 0; k < s->fit->count && fit_go_on(s->fit); k++) {
            constants += s->fit->bits[k];
            better = (s->fit->bits[k] && enumerate(s, k, shifted)) || better;
        }
        better = better && constants > 1; /* another one's best may have moved */
        shifted = true;
    }
}

static void slopes(struct search *s)
{
    bool better = true;
    for (unsigned i = 0; i < STEPS && better && fit_go_on(s->fit); i++) {
        struct fit_model *model =
            fit_activate(s->fit, &s->at.point) ? fit_model_open(s->fit, &s->at.point, NULL) : NULL;
        if (model == NULL) {
            return;
        }
        for (unsigned k = 0; k < s->fit->count; k++) {
            if (!fit_model_partner(model, k, &s->partner[k], &s->ratio[k])) {
                s->partner[k] = k;
            }
        }
        static const double scales[] = {1.0, 0.75, 0.5, 0.25, 0.1, 0.03, 1.5, 2.0};
        for (unsigned k = 0; k < sizeof scales / sizeof scales[0]; k++) {
            propose(s, fit_model_moved(model, scales[k]));
        }
        for (unsigned k = 0; k < 24; k++) {
            double worst;
            propose(s, fit_model_draw(model, &s->random, 0.02 * (k + 1), &worst));
        }
        fit_model_close(model);
        better = search_run(s, PHASE_SLOPES);
    }
}

/* Tries steps of 1, 2, 4 ... of each constant, both ways. */
static void one_constant(struct search *s)
{
    bool better = true;
    for (unsigned round = 0; round < PAIRS && better && fit_go_on(s->fit); round++) {
        better = false;
        for (unsigned bit = 0; bit < 24; bit++) {
            for (unsigned k = 0; k < 2 * s->fit->count; k++) {
                struct fit_point p = s->at.point;
                p.at[k / 2] += (k % 2 == 0 ? 1 : -1) * (INT64_C(1) << bit);
                propose(s, p);
            }
            if (s->count + 2 * s->fit->count > BATCH || bit == 23) {
                better = search_run(s, PHASE_ONE) || better;
            }
        }
    }
}

/* Tries changes of two constants by small powers of two. */
static void two_constants(struct search *s)
{
    const unsigned n = s->fit->count;
    bool better = n > 1;
    for (unsigned round = 0; round < PAIRS && better && fit_go_on(s->fit); round++) {
        for (unsigned i = 0; i < BATCH; i++) {
            struct fit_point p = s->at.point;
            const uint64_t r = fit_random(&s->random);
            const unsigned a = (unsigned)(r % n);
            const unsigned b = (a + 1 + (unsigned)(r >> 16) % (n - 1)) % n;
            p.at[a] += ((r >> 32 & 1) != 0 ? 1 : -1) * (INT64_C(1) << (r >> 33 & 7) % 6);
            p.at[b] += ((r >> 40 & 1) != 0 ? 1 : -1) * (INT64_C(1) << (r >> 41 & 7) % 6);
            propose(s, p);
        }
        better = search_run(s, PHASE_TWO);
    }
}

/*
 * Moves a part of a constant, as of log 2 in a range reduction, together with the finer one that
 * makes up for it: either alone would only do harm. The coarser part takes all that it can hold,
 * and what remains is searched from there on before it is compared.
 */
static void parts(struct search *s)
{
    struct txl_fit *fit = s->fit;
    for (unsigned k = 0; k < fit->count && fit_go_on(fit); k++) {
        const unsigned other = s->partner[k];
        const struct tx_free_constant *f = &fit->free[k];
        const struct tx_free_constant *g = &fit->free[other];
        const struct fit_trial before = s->at;
        struct fit_trial moved = before;
        if (other == k) {
            continue;
        }
        const double now = fit_value(f, before.point.at[k]);
        const double fine = fit_value(g, before.point.at[other]);
        moved.point.at[k] = fit_order_of(f, now - fine / s->ratio[k]);
        clip(fit, &moved.point);
        const double by = fit_value(f, moved.point.at[k]) - now;
        moved.point.at[other] = fit_order_of(g, fine + s->ratio[k] * by);
        clip(fit, &moved.point);
        fit->now = PHASE_TWO;
        if (by == 0 || fit_try_all(fit, &moved, 1, NULL) == NULL) {
            continue;
        }
        s->at = moved;
        slopes(s);
        one_constant(s);
        if (!fit_less(&s->at.score, &before.score)) {
            s->at = before;
        }
    }
}

struct drawn {
    struct fit_point point;
    double worst;
};

static int by_worst(const void *one, const void *two)
{
    const struct drawn *a = one;
    const struct drawn *b = two;
    return a->worst < b->worst ? -1 : a->worst > b->worst;
}

/*
 * Proposes the points of a large random draw that the model predicts to be best, and a few others.
 */
static void draw(struct search *s, const struct fit_model *model, struct drawn *list)
{
    const double scale = exp2(-(double)(fit_random(&s->random) % 7));
    for (unsigned i = 0; i < DRAWS; i++) {
        list[i].point = fit_model_draw(model, &s->random, scale * (1 + i % 8) / 8, &list[i].worst);
    }
    for (unsigned i = 0; i < CHANCE; i++) {
        propose(s, list[fit_random(&s->random) % DRAWS].point);
    }
    qsort(list, DRAWS, sizeof *list, by_worst);
    for (unsigned i = 0; i < DRAWS && s->count < KEPT + CHANCE; i++) {
        propose(s, list[i].point);
    }
}

/* Tries lattice points; returns true where a better point was found. */
static bool lattice(struct search *s, struct drawn *list)
{
    bool any = false;
    unsigned idle = 0;
    struct fit_model *model = NULL;
    while (idle < PATIENCE && fit_go_on(s->fit)) {
        if (model == NULL) {
            model = fit_activate(s->fit, &s->at.point) ? fit_model_open(s->fit, &s->at.point, NULL)
                                                       : NULL;
        }
        if (model == NULL) {
            break;
        }
        draw(s, model, list);
        idle++;
        if (search_run(s, PHASE_LATTICE)) {
            any = true;
            idle = 0;
            fit_model_close(model);
            model = NULL;
        }
    }
    fit_model_close(model);
    return any;
}

/* ---- starts ---- */

/* Returns a starting point: close to the best so far, or far from it in one constant or all. */
static struct fit_point other_start(struct search *s)
{
    struct txl_fit *fit = s->fit;
    struct fit_point p = fit->best;
    const unsigned kind = (unsigned)(fit_random(&s->random) % 3);
    struct fit_model *model =
        kind != 0 && fit_activate(fit, &p) ? fit_model_open(fit, &p, NULL) : NULL;
    if (model != NULL) {
        double worst;
        p = fit_model_draw(model, &s->random, kind == 1 ? 0.5 : 8.0, &worst);
        fit_model_close(model);
    }
    for (unsigned k = 0; k < fit->count && kind == 0; k++) {
        const unsigned bits = (unsigned)(fit_random(&s->random) % 12);
        const uint64_t spread = UINT64_C(1) << bits;
        p.at[k] += (int64_t)(fit_random(&s->random) % (2 * spread)) - (int64_t)spread;
    }
    clip(fit, &p);
    return p;
}

static void one_start(struct search *s, struct drawn *list, uint64_t number)
{
    struct txl_fit *fit = s->fit;
    s->random = fit->options.seed * UINT64_C(0xd1342543de82ef95) + number;
    memset(s->seen, 0, sizeof s->seen);
    s->at = (struct fit_trial){.point = fit->best, .score = fit->best_score};
    s->count = 0;
    if (number != 0) {
        struct fit_trial first = {.point = other_start(s)};
        fit->now = PHASE_START;
        if (fit_try_all(fit, &first, 1, NULL) == NULL) {
            return;
        }
        s->at = first;
    }
    bit_constants(s, number != 0);
    do {
        slopes(s);
        one_constant(s);
        two_constants(s);
        parts(s);
    } while (lattice(s, list) && fit_go_on(fit));
}

int fit_search(struct txl_error *err, struct txl_fit *fit)
{
    const uint64_t patience = fit->options.restarts != 0 ? fit->options.restarts : 8;
    const unsigned shards = fit->options.shards != 0 ? fit->options.shards : 1;
    struct search *s = zeroed(err, 1, sizeof *s);
    struct drawn *list = s != NULL ? zeroed(err, DRAWS, sizeof *list) : NULL;
    int result = list != NULL ? TXL_CONTINUE : TXL_INPUT;
    fit->phases = PHASES;
    for (unsigned i = 0; i < fit->phases; i++) {
        fit->phase[i].name = phase_names[i];
        fit->phase[i].shown = i != PHASE_BITS;
    }
    uint64_t idle = 0;
    while (result == TXL_CONTINUE && idle < patience && fit_go_on(fit)) {
        const struct fit_score before = fit->best_score;
        s->fit = fit;
        one_start(s, list, fit->starts * shards + fit->options.shard);
        fit->starts++;
        idle = fit_less(&fit->best_score, &before) ? 0 : idle + 1;
        if (fit->failure.status == TXL_INPUT) {
            result = txl_fail(err, "%s", fit->failure.message);
        } else if (fit->failure.status != TXL_OK) {
            result =
                txl_refuse(err, TXL_NEGATIVE, "%s: %s", fit->options.kernel, fit->failure.message);
        } else if (fit->options.state != NULL) {
            result = fit_state_save(err, fit);
        }
    }
    free(list);
    free(s);
    return result;
}
