/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the best entries of a table. Each input belongs to one piece, and the kernel's error there
 * depends only on that piece's slope and offset; so pieces are searched separately, over all pairs.
 * In real arithmetic, the offsets that keep the error below a limit for a given slope form an
 * interval, which some tens of inputs bound from outside; the machine's rounding widens it. Pairs
 * outside are refuted without a run; the others are run, first on few inputs.
 */
#include "base/small.h"
#include "form/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reference/reference.h"

enum { SAMPLES = 48, SURVIVORS = 1 << 18, FEW = 2000, STEPS = 200, SCREEN = 96, BLOCK = 2048 };

struct piece {
    float *x; /* all inputs of the piece, of both signs */
    double *f;
    size_t count;
    /* |x|, wanted T(|x|), and the error that rounding may add. */
    double at[SAMPLES], rest[SAMPLES], slack[SAMPLES];
    unsigned samples;
};

struct search {
    struct table *t;
    struct table_run *run;
    struct reference_work *work;
    struct table_entry *candidate; /* not yet refuted; error holds a lower bound */
    size_t candidates;
    const struct table_entry **entry; /* the entry to use for each input of a run */
    float *x, *out;
    size_t room;
};

static double function(struct search *s, double x)
{
    return reference_unrounded(s->work, &x);
}

/* Returns f without what the row adds to the table, for x >= 0. */
static double rest(const struct table *t, double x, double f)
{
    return t->shape == TABLE_HALF ? f - 0.5 : t->shape == TABLE_HALF_LINE ? f - x / 2 : f;
}

/* ---- inputs ---- */

/*
 * Collects BF16's numbers in the piece, the last FP32 number before the next piece, and their
 * negatives.
 */
static int fill_piece(struct txl_error *err, struct search *s, struct piece *p, unsigned at)
{
    const float from = (float)s->t->from[at];
    const float to = (float)s->t->from[at + 1];
    p->x = zeroed(err, 2 * 32770, sizeof *p->x);
    p->f = zeroed(err, 2 * 32770, sizeof *p->f);
    if (p->x == NULL || p->f == NULL) {
        return TXL_INPUT;
    }
    p->count = 0;
    /* Large numbers first: most numbers are very small, and these tell least. */
    for (uint32_t i = 0x7F80; i-- > 0;) {
        const float x = float_of_bits(i << 16);
        if ((i == 0 || i >= 0x80) && x >= from && x < to) {
            p->x[p->count++] = x;
            p->x[p->count++] = -x;
        }
    }
    if (!s->t->bf16 && isfinite(to)) {
        p->x[p->count++] = nextafterf(to, 0);
        p->x[p->count++] = -nextafterf(to, 0);
    }
    for (size_t i = 0; i < p->count; i++) {
        p->f[i] = function(s, (double)p->x[i]);
    }
    p->samples = 0;
    const double high = isfinite(to) ? (double)to : fmax(12, 3 * (double)from);
    for (unsigned i = 0; i < SAMPLES; i++) {
        /* taken from the inputs themselves, since only an input that is run may refute */
        double x = (double)from + (high - (double)from) * i / (SAMPLES - 3);
        x = !isfinite(to) && i >= SAMPLES - 2 ? 100.0 * (i == SAMPLES - 1 ? 100 : 1) : x;
        uint32_t bits;
        const float narrow = (float)x;
        memcpy(&bits, &narrow, sizeof bits);
        x = (double)float_of_bits(bits & 0xFFFF0000U);
        if (x < (double)from || x >= (double)to ||
            (p->samples != 0 && x == p->at[p->samples - 1])) {
            continue;
        }
        const double f = function(s, x);
        p->at[p->samples] = x;
        p->rest[p->samples] = rest(s->t, x, f);
        p->slack[p->samples++] = (fabs(f) + x + 1) * 0x1p-21; /* covers every rounding in the row */
    }
    return TXL_CONTINUE;
}

/* ---- candidates ---- */

static int add_candidate(struct txl_error *err, struct search *s, uint32_t a, uint32_t c,
                         double bound)
{
    if (s->candidates == SURVIVORS) {
        return txl_fail(err, "form: too many table entries are left");
    }
    s->candidate[s->candidates++] = (struct table_entry){.a = a, .c = c, .error = bound};
    return TXL_CONTINUE;
}

static enum tx_free_kind kind_of(const struct table *t)
{
    return t->wide ? TX_FREE_LUT16 : TX_FREE_LUT8;
}

static double value_of(const struct table *t, int64_t order, uint32_t *bits)
{
    *bits = tx_free_bits(kind_of(t), order);
    return (double)float_of_bits(tx_free_fp32(kind_of(t), *bits));
}

/* Returns the order of the greatest pattern that is not above the number. */
static int64_t order_below(const struct table *t, double number, int64_t low, int64_t high)
{
    uint32_t bits;
    while (low < high) {
        const int64_t middle = low + (high - low + 1) / 2;
        if (value_of(t, middle, &bits) <= number) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

/*
 * Collects all pairs that the bounds do not refute at this limit. *least becomes the smallest bound
 * of any slope with its best real offset.
 */
static int collect(struct txl_error *err, struct search *s, const struct piece *p, double limit,
                   double *least)
{
    const struct table *t = s->t;
    int64_t low;
    int64_t high;
    tx_free_limits(kind_of(t), &low, &high);
    s->candidates = 0;
    *least = INFINITY;
    for (int64_t i = low; i <= high; i++) {
        uint32_t a;
        const double slope = value_of(t, i, &a);
        double from = -INFINITY; /* offsets must lie in from - limit .. to + limit */
        double to = INFINITY;
        for (unsigned k = 0; k < p->samples; k++) {
            const double want = p->rest[k] - slope * p->at[k];
            from = fmax(from, want - p->slack[k]);
            to = fmin(to, want + p->slack[k]);
        }
        const double bound = fmax(0, (from - to) / 2);
        *least = fmin(*least, bound);
        if (bound > limit) {
            continue;
        }
        for (int64_t k = order_below(t, to + limit, low, high); k >= low; k--) {
            uint32_t c;
            const double offset = value_of(t, k, &c);
            if (offset < from - limit) {
                break;
            }
            if (add_candidate(err, s, a, c, fmax(bound, fmax(from - offset, offset - to))) !=
                TXL_CONTINUE) {
                return TXL_INPUT;
            }
        }
    }
    return TXL_CONTINUE;
}

/* ---- runs ---- */

static int room_for(struct txl_error *err, struct search *s, size_t count)
{
    if (count > s->room) {
        free(s->x);
        free(s->out);
        free(s->entry);
        s->x = zeroed(err, count, sizeof *s->x);
        s->out = zeroed(err, count, sizeof *s->out);
        s->entry = zeroed(err, count, sizeof *s->entry);
        s->room = s->x != NULL && s->out != NULL && s->entry != NULL ? count : 0;
    }
    return s->room != 0 ? TXL_CONTINUE : TXL_INPUT;
}

/* A selection of a piece's inputs. */
struct part {
    size_t first, step, end;
};

/* Measures the largest error of each entry over a part of the inputs. */
static int errors_of(struct txl_error *err, struct search *s, const struct piece *p,
                     struct part part, struct table_entry *entry, size_t entries)
{
    const size_t each = (part.end - part.first + part.step - 1) / part.step;
    int result = room_for(err, s, entries * each);
    for (size_t e = 0; e < entries && result == TXL_CONTINUE; e++) {
        for (size_t i = 0; i < each; i++) {
            s->x[e * each + i] = p->x[part.first + i * part.step];
            s->entry[e * each + i] = &entry[e];
        }
    }
    if (result == TXL_CONTINUE) {
        result = table_run_do(err, s->run, entries * each, s->x, s->entry, s->out);
    }
    for (size_t e = 0; e < entries && result == TXL_CONTINUE; e++) {
        double most = 0;
        for (size_t i = 0; i < each; i++) {
            const double error =
                fabs((double)s->out[e * each + i] - p->f[part.first + i * part.step]);
            most = fmax(most, isnan(error) ? INFINITY : error);
        }
        entry[e].error = most;
    }
    return result;
}

static int by_error(const void *a, const void *b)
{
    const struct table_entry *x = a;
    const struct table_entry *y = b;
    return x->error != y->error ? (x->error < y->error ? -1 : 1)
           : x->a != y->a       ? (x->a < y->a ? -1 : 1)
                                : (x->c > y->c) - (x->c < y->c);
}

/* Measures the error over all inputs, or until it is no better than limit. */
static int whole_error(struct txl_error *err, struct search *s, const struct piece *p, double limit,
                       struct table_entry *entry)
{
    double most = 0;
    int result = TXL_CONTINUE;
    for (size_t i = 0; i < p->count && result == TXL_CONTINUE && most < limit; i += BLOCK) {
        const size_t end = i + BLOCK < p->count ? i + BLOCK : p->count;
        result = errors_of(err, s, p, (struct part){i, 1, end}, entry, 1);
        most = fmax(most, entry->error);
    }
    entry->error = most;
    return result;
}

/* Runs the candidates, the most promising first, until none that is left can be better. */
static int run_all(struct txl_error *err, struct search *s, const struct piece *p,
                   struct table_entry *best)
{
    const size_t step = p->count / SCREEN / 2 * 2 + 1; /* odd, so that both signs occur */
    int result = TXL_CONTINUE;
    for (size_t i = 0; i < s->candidates && result == TXL_CONTINUE; i += SCREEN) {
        const size_t n = s->candidates - i < SCREEN ? s->candidates - i : SCREEN;
        result = errors_of(err, s, p, (struct part){0, step, p->count}, s->candidate + i, n);
        if (s->t->progress != NULL && !s->t->progress(s->t->user, i, 0)) {
            result = txl_refuse(err, TXL_CANCELLED, "cancelled");
        }
    }
    best->run += s->candidates;
    qsort(s->candidate, s->candidates, sizeof *s->candidate, by_error);
    for (size_t i = 0; i < s->candidates && result == TXL_CONTINUE; i++) {
        if (s->candidate[i].error >= best->error) {
            break;
        }
        struct table_entry whole = s->candidate[i];
        result = whole_error(err, s, p, best->error, &whole);
        if (result == TXL_CONTINUE && whole.error < best->error) {
            best->a = whole.a;
            best->c = whole.c;
            best->error = whole.error;
        }
    }
    return result;
}

/*
 * Finds a limit just above the least error possible with real offsets, where there are some
 * candidates but not many: it grows until there are any and is then bisected with the last limit
 * that had none.
 */
static int first_limit(struct txl_error *err, struct search *s, const struct piece *p,
                       double *limit)
{
    double none = 0;
    double least;
    int result = collect(err, s, p, 0, &least);
    *limit = fmax(1e-7, least);
    for (unsigned i = 0; i < STEPS && result == TXL_CONTINUE; i++) {
        result = collect(err, s, p, *limit, &least);
        if (s->candidates > 0 && s->candidates <= FEW) {
            break;
        }
        if (s->candidates == 0) {
            const bool grows = none == 0 || *limit > none;
            none = *limit;
            *limit = grows ? *limit * 1.2 : *limit;
        } else {
            *limit = (none + *limit) / 2;
        }
    }
    return result;
}

static int find_entry(struct txl_error *err, struct search *s, const struct piece *p,
                      struct table_entry *best)
{
    int64_t low;
    int64_t high;
    double least;
    double limit = 0;
    tx_free_limits(kind_of(s->t), &low, &high);
    *best = (struct table_entry){.error = INFINITY};
    best->pairs = (uint64_t)(high - low + 1) * (uint64_t)(high - low + 1);
    int result = first_limit(err, s, p, &limit);
    if (result == TXL_CONTINUE) {
        result = run_all(err, s, p, best);
    }
    /* Widen the limit until it covers the error of the best entry found. */
    while (result == TXL_CONTINUE && !(best->error <= limit)) {
        limit = fmin(best->error, limit * 1.1);
        result = collect(err, s, p, limit, &least);
        if (result == TXL_CONTINUE) {
            result = run_all(err, s, p, best);
        }
    }
    return result;
}

/* ---- whole tables ---- */

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-9 * (1 + fabs(b));
}

static int find_shape(struct txl_error *err, struct search *s)
{
    bool odd = true;
    bool half = true;
    bool line = true;
    for (double x = 0.3; x < 8; x *= 1.7) {
        const double above = function(s, x);
        const double below = function(s, -x);
        odd = odd && near(above, -below);
        half = half && near(above + below, 1);
        line = line && near(above - below, x);
    }
    s->t->shape = odd ? TABLE_ODD : half ? TABLE_HALF : TABLE_HALF_LINE;
    return odd || half || line
               ? TXL_CONTINUE
               : txl_refuse(err, TXL_NEGATIVE,
                            "a table is of |x|: %s is neither odd nor that but for 1/2 or x/2",
                            s->t->reference);
}

static int for_pieces(struct txl_error *err, struct search *s, bool find)
{
    struct table *t = s->t;
    int result = TXL_CONTINUE;
    t->error = 0;
    t->inputs = 0;
    for (unsigned i = 0; i < t->pieces && result == TXL_CONTINUE; i++) {
        struct piece p = {.count = 0};
        result = fill_piece(err, s, &p, i);
        if (result == TXL_CONTINUE) {
            result = find ? find_entry(err, s, &p, &t->entry[i])
                          : whole_error(err, s, &p, INFINITY, &t->entry[i]);
        }
        t->error = fmax(t->error, t->entry[i].error);
        t->inputs += p.count;
        free(p.x);
        free(p.f);
    }
    return result;
}

/* Searches or measures a table, all but opening the reference. */
static int do_table(struct txl_error *err, struct search *s, bool find)
{
    static const double narrow[] = {0, 1, 2, INFINITY};
    static const double wide[] = {0, 0.5, 1, 1.5, 2, 3, INFINITY};
    struct table *t = s->t;
    t->pieces = t->wide ? 6 : 3;
    memcpy(t->from, t->wide ? wide : narrow, (t->pieces + 1) * sizeof(double));
    t->from[5] = t->wide && t->four ? 4 : t->from[5];
    int result = find_shape(err, s);
    if (result == TXL_CONTINUE) {
        result = table_run_open(err, t, &s->run);
    }
    if (result == TXL_CONTINUE) {
        result = for_pieces(err, s, find);
    }
    table_run_close(s->run);
    s->run = NULL;
    return result;
}

static int table_work(struct txl_error *err, struct table *t, bool find)
{
    struct reference reference;
    struct search s = {.t = t};
    int result = reference_named(err, t->reference, &reference);
    if (result != TXL_CONTINUE && result != TXL_OK) {
        return result;
    }
    s.candidate = zeroed(err, SURVIVORS, sizeof *s.candidate);
    s.work = s.candidate != NULL ? reference_open(&reference, TX_DST_FORMAT_FP32) : NULL;
    result = s.work == NULL ? no_memory(err) : do_table(err, &s, find);
    if (result == TXL_CONTINUE && find && t->wide) {
        const struct table first = *t; /* compare with the other division into pieces */
        t->four = !t->four;
        result = do_table(err, &s, find);
        if (result == TXL_CONTINUE && first.error <= t->error) {
            *t = first;
        }
    }
    reference_close(s.work);
    free(s.candidate);
    free(s.x);
    free(s.out);
    free(s.entry);
    return result;
}

int table_find(struct txl_error *err, struct table *t)
{
    const bool bf16 = t->bf16;
    t->bf16 = false;
    int result = table_work(err, t, true);
    t->bf16 = bf16;
    return result == TXL_CONTINUE && bf16 ? table_work(err, t, false) : result;
}

int table_measure(struct txl_error *err, struct table *t)
{
    return table_work(err, t, false);
}
