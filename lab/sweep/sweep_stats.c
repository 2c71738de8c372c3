/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The figures of a sweep: judging one element, judging many, merging. Errors are in ULP as ulp.h
 * defines it.
 */
#include "sweep/sweep.h"

#include <math.h>
#include <string.h>

#include "reference/reference_level.h"

const char *const sweep_outcome_names[TXL_OUTCOMES] = {
    "exact", "inexact", "flushed", "unflushed", "zeroed", "overflow", "undefined", "mismatch"};

/*
 * The histogram of errors other than 0 has 128 bins per octave from 2^-10 on, so that values with
 * eight significant bits are exact. The largest possible error is in the last octave but one: 2^129
 * (between both ends of FP32) in units of 2^-149 (at zero).
 */
enum { LEAST_OCTAVE = -10, LAST_OCTAVE = 129 + 149, STEPS = 128 };
_Static_assert(SWEEP_HISTOGRAM == (LAST_OCTAVE + 1 - LEAST_OCTAVE) * STEPS, "all octaves");

const char *txl_outcome_name(size_t outcome)
{
    return outcome < TXL_OUTCOMES ? sweep_outcome_names[outcome] : NULL;
}

static const double band_limits[SWEEP_BANDS - 1] = {0.0, 1.0, 3.0, 10.0};

static struct ulp_case no_case(void)
{
    struct ulp_case none;
    memset(&none, 0, sizeof none);
    none.index = UINT64_MAX;
    return none;
}

void stats_clear(struct sweep_stats *s)
{
    memset(s, 0, sizeof *s);
    for (unsigned i = 0; i < TXL_OUTCOMES; i++) {
        s->first[i] = no_case();
        s->last[i] = no_case();
    }
    s->first_break = no_case();
    s->far = no_case();
}

/* ---- one element ---- */

/* Judges an integer. none: the reference is not a number. */
static struct sweep_verdict integer_verdict(const struct number_format *f, uint32_t expected,
                                            bool none, uint32_t got)
{
    if (none) {
        return (struct sweep_verdict){.outcome = TXL_OUTCOME_UNDEFINED, .ulp = (double)INFINITY};
    }
    int64_t error = (int64_t)(number_integer(f, got) - number_integer(f, expected));
    struct sweep_verdict v = {.outcome = TXL_OUTCOME_EXACT};
    v.steps = (uint64_t)(error < 0 ? -error : error);
    v.ulp = (double)v.steps;
    if (error != 0) {
        v.outcome = got == 0 ? TXL_OUTCOME_ZEROED : TXL_OUTCOME_INEXACT;
    }
    return v;
}

struct sweep_verdict sweep_verdict_of(const struct number_format *f, uint32_t expected, bool below,
                                      uint32_t got)
{
    struct sweep_verdict v = {.outcome = TXL_OUTCOME_EXACT};
    if (f->integer) {
        return integer_verdict(f, expected, below, got);
    }
    if (word_is_nan(expected) || word_is_nan(got)) {
        if (!word_is_nan(expected) || !word_is_nan(got)) {
            v.outcome = word_is_nan(expected) ? TXL_OUTCOME_UNDEFINED : TXL_OUTCOME_MISMATCH;
            v.ulp = (double)INFINITY;
            v.nonfinite = !word_is_nan(expected);
        }
        return v;
    }
    if (word_is_infinite(expected) || word_is_infinite(got)) {
        if (expected != got) {
            v.outcome = TXL_OUTCOME_OVERFLOWED;
            v.ulp = (double)INFINITY;
            v.nonfinite = true;
        }
        return v;
    }
    uint32_t held = word_flush(f, got);
    if (number_value(f, held) == number_value(f, expected)) {
        bool zero = number_value(f, expected) == 0.0;
        v.outcome = zero && got << 1 != 0 ? TXL_OUTCOME_UNFLUSHED
                    : zero && below       ? TXL_OUTCOME_FLUSHED
                                          : TXL_OUTCOME_EXACT;
        return v;
    }
    v.outcome = number_value(f, held) == 0.0 ? TXL_OUTCOME_ZEROED : TXL_OUTCOME_INEXACT;
    v.steps = word_steps(f, expected, held);
    v.ulp = (expected ^ held) >> 23 == 0
                ? (double)v.steps
                : fabs(ulp_apart(f, number_value(f, expected), number_value(f, expected),
                                 number_value(f, held)));
    return v;
}

/* ---- many elements ---- */

/* Adds ULP in units of 1/1024, rounded, to a sum of 384 bits. */
static void add_to_sum(uint64_t *sum, double scaled)
{
    if (scaled < 0x1p53) {
        uint64_t carry = (uint64_t)scaled;
        for (unsigned i = 0; carry != 0 && i < SWEEP_LIMBS; i++) {
            sum[i] += carry;
            carry = sum[i] < carry ? 1 : 0;
        }
        return;
    }
    uint64_t part[SWEEP_LIMBS] = {0};
    int exponent = 0;
    double fraction = frexp(scaled, &exponent);
    uint64_t digits = (uint64_t)ldexp(fraction, 53);
    unsigned shift = (unsigned)(exponent - 53);
    unsigned limb = shift / 64;
    unsigned bit = shift % 64;
    part[limb] = digits << bit;
    if (bit > 11) {
        part[limb + 1] = digits >> (64 - bit);
    }
    unsigned __int128 carry = 0;
    for (unsigned i = 0; i < SWEEP_LIMBS; i++) {
        carry += (unsigned __int128)sum[i] + part[i];
        sum[i] = (uint64_t)carry;
        carry >>= 64;
    }
}

static size_t histogram_bin(double ulp)
{
    uint64_t bits;
    memcpy(&bits, &ulp, sizeof bits);
    int64_t bin = (int64_t)(bits >> 45) - ((int64_t)(1023 + LEAST_OCTAVE) << 7);
    return bin < 0 ? 0 : bin >= SWEEP_HISTOGRAM ? SWEEP_HISTOGRAM - 1 : (size_t)bin;
}

double stats_histogram_value(size_t bin)
{
    uint64_t bits = ((uint64_t)bin + ((uint64_t)(1023 + LEAST_OCTAVE) << 7)) << 45;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void keep_worst(struct sweep_stats *s, const struct ulp_case *one)
{
    s->worst_count = ulp_keep(s->worst, s->worst_count, SWEEP_WORST, one);
}

static struct ulp_case case_of(const struct sweep_judge *j, uint64_t index, size_t i,
                               const uint32_t *const *held, uint32_t expected, uint32_t got,
                               double ulp)
{
    struct ulp_case one;
    memset(&one, 0, sizeof one);
    one.index = index;
    one.ulp = ulp;
    one.expected = expected;
    one.got = got;
    for (unsigned k = 0; k < j->domain->operands; k++) {
        one.inputs[k] = held[k][i];
    }
    return one;
}

/* Adds with saturation at all ones, so that the result does not depend on the order. */
static void add_full(uint64_t *sum, uint64_t more)
{
    *sum = *sum > UINT64_MAX - more ? UINT64_MAX : *sum + more;
}

/* Adds an error other than 0 to all figures. Returns whether it may be among the worst. */
static bool add_error(struct sweep_judge *j, struct sweep_stats *s, const struct sweep_verdict *v,
                      uint64_t index)
{
    if (index < j->bin_first || index >= j->bin_end) {
        j->bin = domain_bin(j->domain, index);
        j->bin_first = index;
        j->bin_end = domain_bin_end(j->domain, index);
    }
    struct sweep_bin *bin = &s->bins[j->bin];
    if (isinf(v->ulp)) {
        s->mismatched++;
        s->nonfinite += v->nonfinite ? 1 : 0;
        bin->mismatched++;
        return false;
    }
    unsigned band = 1;
    while (band < SWEEP_BANDS - 1 && v->ulp > band_limits[band]) {
        band++;
    }
    s->bands[band]++;
    s->histogram[histogram_bin(v->ulp)]++;
    const double scaled = rint(v->ulp * 1024.0);
    add_to_sum(s->sum, scaled);
    add_full(&bin->sum, scaled < 0x1p63 ? (uint64_t)scaled : UINT64_MAX);
    s->max_steps = v->steps > s->max_steps ? v->steps : s->max_steps;
    bin->max = v->ulp > bin->max ? v->ulp : bin->max;
    const struct ulp_case *last = &s->worst[SWEEP_WORST - 1];
    const bool room = s->worst_count < SWEEP_WORST || v->ulp > last->ulp ||
                      (v->ulp == last->ulp && index < last->index);
    return room && v->ulp >= j->worst;
}

/*
 * Tells whether the distance from the unrounded reference may be a new maximum. ulp is the distance
 * from the rounded reference, which is at most half an ULP from the unrounded one; so if even ulp +
 * 0.5 is less than the largest distance seen in the chunk or the sweep, the exact distance need not
 * be computed.
 */
static bool may_be_far(const struct sweep_judge *j, const struct sweep_stats *s, double ulp)
{
    return ulp + 0.5 >= j->far && (s->far.index == UINT64_MAX || ulp + 0.5 > s->far.ulp);
}

/*
 * Records the distance from the unrounded reference, rounded down to a multiple of 1/1024. The
 * reference is known as a double with a tolerance. If both ends of the tolerance round to the same
 * multiple, the double suffices; otherwise MPFR computes the distance.
 */
static void add_distance(const struct sweep_judge *j, struct sweep_stats *s,
                         const struct ulp_case *one, double value)
{
    bool some = s->far.index != UINT64_MAX;
    double expected = number_value(j->format, one->expected);
    double got = number_value(j->format, word_flush(j->format, one->got));
    double tolerance = sweep_oracle_tolerance(j->oracle);
    /* At the limits of the format the rounded value is used: see reference_distance. */
    bool limited = number_is_limit(j->format, expected);
    double low = -1.0;
    double estimate = one->ulp + 0.5;
    if (limited) {
        estimate = floor(one->ulp * 1024.0) / 1024.0;
        low = estimate;
    } else if (!isnan(value)) {
        estimate = fabs(ulp_apart(j->format, expected, value, got));
        tolerance += estimate * 0x1p-50;
        low = floor((estimate - tolerance) * 1024.0) / 1024.0;
        estimate = floor((estimate + tolerance) * 1024.0) / 1024.0;
    }
    if (some && estimate <= s->far.ulp) {
        return;
    }
    if (low != estimate) {
        double x[SWEEP_INPUTS];
        for (unsigned k = 0; k < j->domain->operands; k++) {
            x[k] = number_value(j->input, word_flush(j->input, one->inputs[k]));
        }
        estimate = sweep_oracle_distance(j->oracle, x, value, expected, got);
    }
    if (!some || estimate > s->far.ulp) {
        s->far = *one;
        s->far.ulp = estimate;
    }
}

bool sweep_breaks(const struct sweep_judge *j, const struct sweep_edge *a,
                  const struct sweep_edge *b)
{
    const struct number_format *f = j->format;
    double ax = number_value(j->input, word_flush(j->input, a->x));
    double bx = number_value(j->input, word_flush(j->input, b->x));
    double want = number_value(f, b->expected) - number_value(f, a->expected);
    double moved = number_value(f, word_flush(f, b->got)) - number_value(f, word_flush(f, a->got));
    /* neighbours on two sides of zero: of a part of the domain, with a pole between them perhaps */
    if (!(bx > ax) || (ax < 0.0 && bx > 0.0) || isnan(want) || isnan(moved)) {
        return false;
    }
    int direction = j->direction[bx <= 0.0 ? 1 : 0];
    bool rising = direction > 0 || (direction == 0 && want > 0.0);
    bool falling = direction < 0 || (direction == 0 && want < 0.0);
    return (rising && moved < 0.0) || (falling && moved > 0.0);
}

/* A cheap test that is true whenever sweep_breaks is. */
static bool may_break(const struct sweep_judge *j, const struct sweep_edge *a,
                      const struct sweep_edge *b)
{
    int64_t moved = word_order(j->format, b->got) - word_order(j->format, a->got);
    int direction = j->direction[b->x >> 31];
    if (direction == 0) {
        direction =
            word_order(j->format, b->expected) > word_order(j->format, a->expected) ? 1 : -1;
    }
    return direction > 0 ? moved < 0 : moved > 0;
}

static void merge_lowest(struct ulp_case *into, const struct ulp_case *from)
{
    if (from->index < into->index) {
        *into = *from;
    }
}

static void merge_highest(struct ulp_case *into, const struct ulp_case *from)
{
    if (from->index != UINT64_MAX && (into->index == UINT64_MAX || from->index > into->index)) {
        *into = *from;
    }
}

/* Updates a block with its worst input, the first of them. */
static void add_to_block(struct sweep_judge *j, uint64_t index, const struct sweep_verdict *v,
                         uint32_t expected, uint32_t got)
{
    const uint64_t number = index / j->block;
    const uint32_t offset = (uint32_t)(index & (j->block - 1));
    struct sweep_block *block = &j->blocks[number];
    const bool some = block->offset != UINT32_MAX;
    const bool lower = v->ulp == j->block_ulp[number] && offset < (block->offset & 0xFFFFFFu);
    if (some && !(v->ulp > j->block_ulp[number]) && !lower) {
        return;
    }
    j->block_ulp[number] = v->ulp;
    *block = (struct sweep_block){
        .offset = offset | (uint32_t)v->outcome << 24, .expected = expected, .got = got};
}

static double block_error(const struct number_format *format, const struct sweep_block *b)
{
    return b->offset >> 24 == TXL_OUTCOME_UNDEFINED
               ? (double)INFINITY
               : sweep_verdict_of(format, b->expected, false, b->got).ulp;
}

void sweep_block_merge(const struct number_format *format, struct sweep_block *into,
                       const struct sweep_block *from)
{
    if (from->offset == UINT32_MAX) {
        return;
    }
    if (into->offset != UINT32_MAX) {
        const double had = block_error(format, into);
        const double has = block_error(format, from);
        const bool lower = (from->offset & 0xFFFFFFu) < (into->offset & 0xFFFFFFu);
        if (has < had || (has == had && !lower)) {
            return;
        }
    }
    *into = *from;
}

/* The elements with one outcome: their number, the first and the last, and their inputs. */
struct stretch {
    uint64_t count;
    size_t first, last;
    uint64_t first_index, last_index;
};

/* The elements of a call of sweep_judge_unit, and the run of inputs that is being judged. */
struct elements {
    const uint32_t *const *held;
    const uint32_t *expected, *got;
    const uint8_t *below;
    const double *value;
    uint64_t index; /* of the element at position `at`; others of the run follow */
    size_t at;
    unsigned strand;
    struct stretch runs[TXL_OUTCOMES];
};

static uint64_t index_at(const struct elements *e, size_t i)
{
    return e->index + (i - e->at);
}

static struct sweep_verdict verdict_at(const struct sweep_judge *j, const struct elements *e,
                                       size_t i)
{
    return sweep_verdict_of(j->format, e->expected[i], e->below[i] != 0, e->got[i]);
}

static struct ulp_case case_at(const struct sweep_judge *j, const struct elements *e, size_t i,
                               double ulp)
{
    return case_of(j, index_at(e, i), i, e->held, e->expected[i], e->got[i], ulp);
}

static void lengthen(struct elements *e, enum txl_outcome outcome, size_t first, size_t count)
{
    struct stretch *run = &e->runs[outcome];
    if (run->count == 0) {
        run->first = first;
        run->first_index = index_at(e, first);
    }
    run->count += count;
    run->last = first + count - 1;
    run->last_index = index_at(e, run->last);
}

static void add_runs(const struct sweep_judge *j, struct sweep_stats *s, const struct elements *e)
{
    for (unsigned outcome = 0; outcome < TXL_OUTCOMES; outcome++) {
        const struct stretch *run = &e->runs[outcome];
        const size_t ends[] = {run->first, run->last};
        const uint64_t indices[] = {run->first_index, run->last_index};
        for (unsigned i = 0; i < 2 && run->count > 0; i++) {
            const size_t at = ends[i];
            const struct ulp_case one = case_of(j, indices[i], at, e->held, e->expected[at],
                                                e->got[at], verdict_at(j, e, at).ulp);
            merge_lowest(&s->first[outcome], &one);
            merge_highest(&s->last[outcome], &one);
        }
        s->outcomes[outcome] += run->count;
    }
}

static struct sweep_edge edge_at(const struct elements *e, size_t i)
{
    return (struct sweep_edge){e->held[0][i], e->expected[i], e->got[i]};
}

static void add_neighbour(struct sweep_judge *j, struct sweep_stats *s, const struct elements *e,
                          size_t i)
{
    const struct sweep_edge edge = edge_at(e, i);
    const struct sweep_edge *before = &j->previous[e->strand].edge;
    if (j->previous[e->strand].is && may_break(j, before, &edge) &&
        sweep_breaks(j, before, &edge)) {
        const struct ulp_case one = case_at(j, e, i, verdict_at(j, e, i).ulp);
        s->breaks++;
        merge_lowest(&s->first_break, &one);
    }
    j->previous[e->strand].edge = edge;
    j->previous[e->strand].is = true;
}

/* Adds the absolute and the relative error of an element that is not exact. */
static void add_difference(const struct sweep_judge *j, struct sweep_stats *s, uint32_t expected,
                           uint32_t got)
{
    const double want = number_value(j->format, expected);
    const double size = fabs(want);
    const double error = fabs(number_value(j->format, word_flush(j->format, got)) - want);
    const double relative = size > 0.0 ? error / size : 0.0;
    s->max_abs = error > s->max_abs ? error : s->max_abs;
    s->max_rel = relative > s->max_rel ? relative : s->max_rel;
    s->max_zero = size == 0.0 && error > s->max_zero ? error : s->max_zero;
    for (unsigned i = 0; i < TOLERANCES; i++) {
        const struct sweep_tolerance *t = &j->tolerances[i];
        s->beyond[i] += t->is && error > t->atol + t->rtol * size ? 1 : 0;
    }
}

static bool no_nan_inputs(const struct sweep_judge *j, const struct elements *e, size_t i)
{
    bool none = true;
    for (unsigned k = 0; k < j->domain->operands && !j->input->integer; k++) {
        none = none && !word_is_nan(e->held[k][i]);
    }
    return none;
}

/* Judges an element that differs from the reference, or may be the furthest from it. */
static void judge_one(struct sweep_judge *j, struct sweep_stats *s, struct elements *e, size_t i)
{
    struct sweep_verdict v = verdict_at(j, e, i);
    uint32_t expected = e->expected[i];
    /* A number as the logarithm of -1 is lost, too; that of a NaN may be anything. */
    v.nonfinite = v.nonfinite || (v.outcome == TXL_OUTCOME_UNDEFINED && !j->format->integer &&
                                  no_nan_inputs(j, e, i));
    lengthen(e, v.outcome, i, 1);
    s->exact += v.ulp == 0.0 ? 1 : 0;
    if (v.ulp != 0.0 && !isinf(v.ulp)) {
        add_difference(j, s, expected, e->got[i]);
    }
    if (v.ulp != 0.0 && add_error(j, s, &v, index_at(e, i))) {
        struct ulp_case one = case_at(j, e, i, v.ulp);
        keep_worst(s, &one);
    }
    if (!j->format->integer && !isinf(v.ulp) && !word_is_nan(expected) &&
        !word_is_infinite(expected) && may_be_far(j, s, v.ulp)) {
        struct ulp_case one = case_at(j, e, i, v.ulp);
        add_distance(j, s, &one, e->value[i]);
    }
    if (j->ordered) {
        add_neighbour(j, s, e, i);
    }
    add_to_block(j, index_at(e, i), &v, expected, e->got[i]);
}

/*
 * Judges consecutive elements that equal the reference, all exact or all flushed. The rounded
 * reference is monotone, so only the first one can break monotony with the element before.
 */
static void judge_run(struct sweep_judge *j, struct sweep_stats *s, struct elements *e, size_t i,
                      size_t count, uint8_t kind)
{
    struct sweep_verdict v = {.outcome =
                                  kind == NEAR_FLUSHED ? TXL_OUTCOME_FLUSHED : TXL_OUTCOME_EXACT};
    const size_t end = i + count;
    lengthen(e, v.outcome, i, count);
    s->exact += count;
    for (size_t k = i; k < end;) {
        const uint64_t left = j->block - (index_at(e, k) & (j->block - 1));
        add_to_block(j, index_at(e, k), &v, e->expected[k], e->got[k]);
        k = left < end - k ? k + (size_t)left : end;
    }
    if (j->ordered) {
        add_neighbour(j, s, e, i);
        j->previous[e->strand].edge = edge_at(e, end - 1);
    }
}

/*
 * Determines which correctly rounded elements the vector code (level->near) may skip without
 * computing their distance. That distance is at most half an ULP: if a larger one has been seen,
 * all can be skipped; otherwise those whose distance cannot exceed the largest of the chunk or the
 * sweep.
 */
static struct reference_near near_of(const struct sweep_judge *j, const struct sweep_stats *s)
{
    const struct number_format *f = j->format;
    bool some = s->far.index != UINT64_MAX;
    struct reference_near near = {.ulp = 1023 - 127 - (f->precision - 1),
                                  .all = f->integer || j->far > 0.5 || (some && s->far.ulp >= 0.5),
                                  .zero = some || j->far > 0.0};
    float most = (float)f->most;
    memcpy(&near.largest, &most, sizeof most);
    near.largest = f->saturates && near.zero ? near.largest : UINT32_MAX;
    if (!near.all) {
        double own = some ? s->far.ulp + 0x1p-10 : 0.0;
        near.limit = (own > j->far ? own : j->far) - sweep_oracle_tolerance(j->oracle) - 0x1p-40;
    }
    return near;
}

static void judge_group(struct sweep_judge *j, struct sweep_stats *s, struct elements *e, size_t i,
                        size_t part)
{
    uint8_t kinds[ORDER_RUN];
    const struct reference_near near = near_of(j, s);
    bool alike = reference_level_at(0)->near(&near, &e->expected[i], &e->got[i], &e->value[i],
                                             &e->below[i], part, kinds);
    for (size_t at = 0; j->format->integer && at < part; at++) {
        if (e->below[i + at] != 0) {
            kinds[at] = NEAR_OTHER; /* the reference is not a number, so nothing equals it */
            alike = false;
        }
    }
    for (size_t at = 0; at < part;) {
        size_t next = alike ? part : at + 1;
        if (kinds[at] == NEAR_OTHER) {
            judge_one(j, s, e, i + at++);
            continue;
        }
        while (next < part && kinds[next] == kinds[at]) {
            next++;
        }
        judge_run(j, s, e, i + at, next - at, kinds[at]);
        at = next;
    }
}

static struct elements elements_of(const struct sweep_results *r)
{
    return (struct elements){.held = r->held,
                             .expected = r->expected,
                             .got = r->got,
                             .below = r->below,
                             .value = r->value};
}

void sweep_judge_unit(struct sweep_judge *j, struct sweep_stats *s, const struct sweep_results *r)
{
    struct elements e = elements_of(r);
    for (unsigned k = 0; k < ORDER_STRANDS; k++) {
        const struct order_run *run = &r->unit->run[k];
        if (run->count > 0) {
            e.index = run->index;
            e.at = run->at;
            e.strand = k;
            judge_group(j, s, &e, run->at, run->count);
        }
    }
    add_runs(j, s, &e);
    s->count += r->unit->count;
    s->bands[0] = s->exact;
}

void sweep_judge_seam(struct sweep_judge *j, const struct sweep_results *r)
{
    const struct elements e = elements_of(r);
    for (unsigned k = 0; k < ORDER_STRANDS; k++) {
        const struct order_run *run = &r->unit->run[k];
        j->previous[k].is = run->count > 0;
        if (run->count > 0) {
            j->previous[k].edge = edge_at(&e, run->at);
        }
    }
}

/* ---- merging ---- */

static void add_sums(uint64_t *into, const uint64_t *from)
{
    unsigned __int128 carry = 0;
    for (unsigned i = 0; i < SWEEP_LIMBS; i++) {
        carry += (unsigned __int128)into[i] + from[i];
        into[i] = (uint64_t)carry;
        carry >>= 64;
    }
}

void stats_merge(struct sweep_stats *into, const struct sweep_stats *from)
{
    into->count += from->count;
    into->exact += from->exact;
    into->mismatched += from->mismatched;
    into->nonfinite += from->nonfinite;
    into->breaks += from->breaks;
    into->max_steps = from->max_steps > into->max_steps ? from->max_steps : into->max_steps;
    into->max_abs = from->max_abs > into->max_abs ? from->max_abs : into->max_abs;
    into->max_rel = from->max_rel > into->max_rel ? from->max_rel : into->max_rel;
    into->max_zero = from->max_zero > into->max_zero ? from->max_zero : into->max_zero;
    for (unsigned i = 0; i < TOLERANCES; i++) {
        into->beyond[i] += from->beyond[i];
    }
    for (unsigned i = 0; i < TXL_OUTCOMES; i++) {
        into->outcomes[i] += from->outcomes[i];
        merge_lowest(&into->first[i], &from->first[i]);
        merge_highest(&into->last[i], &from->last[i]);
    }
    for (unsigned i = 0; i < SWEEP_BANDS; i++) {
        into->bands[i] += from->bands[i];
    }
    add_sums(into->sum, from->sum);
    for (uint64_t i = 0; i < from->worst_count; i++) {
        keep_worst(into, &from->worst[i]);
    }
    merge_lowest(&into->first_break, &from->first_break);
    bool further = from->far.index != UINT64_MAX &&
                   (into->far.index == UINT64_MAX || from->far.ulp > into->far.ulp ||
                    (from->far.ulp == into->far.ulp && from->far.index < into->far.index));
    if (further) {
        into->far = from->far;
    }
    for (size_t i = 0; i < SWEEP_HISTOGRAM; i++) {
        into->histogram[i] += from->histogram[i];
    }
    for (size_t i = 0; i < SWEEP_BINS; i++) {
        into->bins[i].mismatched += from->bins[i].mismatched;
        add_full(&into->bins[i].sum, from->bins[i].sum);
        if (from->bins[i].max > into->bins[i].max) {
            into->bins[i].max = from->bins[i].max;
        }
    }
}

double stats_mean(const struct sweep_stats *s)
{
    uint64_t count = s->count - s->mismatched;
    double sum = 0.0;
    for (unsigned i = SWEEP_LIMBS; i-- > 0;) {
        sum += ldexp((double)s->sum[i], (int)(64 * i));
    }
    return count == 0 ? 0.0 : sum / 1024.0 / (double)count;
}

double stats_percentile(const struct sweep_stats *s, double part)
{
    uint64_t count = s->count - s->mismatched;
    uint64_t wanted = (uint64_t)ceil(part * (double)count);
    uint64_t seen = s->exact;
    for (size_t i = 0; i < SWEEP_HISTOGRAM && seen < wanted; i++) {
        seen += s->histogram[i];
        if (seen >= wanted) {
            return stats_histogram_value(i);
        }
    }
    return 0.0;
}
