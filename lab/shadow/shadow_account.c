/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Follows the way to one element of the result with MPFR. The shares are found thus: let the
 * instructions 1 .. k give what the emulator gave and all later ones be exact. What the result
 * changes by when k becomes k + 1 is the share of instruction k + 1, and the shares add up to the
 * whole error.
 */
#include "base/small.h"
#include "shadow/shadow.h"

#include <math.h>
#include <mpfr.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reference/apart.h"

enum { PRECISION = 512, MOST_LINES = 65536 };

/* Smaller shares have no guilty instruction: reports count errors to 1/1024 ULP. */
static const double guilt = 0x1p-10;

struct way {
    const struct shadow *shadow;
    uint32_t *nodes; /* in order: operands come before what is made of them */
    size_t count, room;
    mpfr_t *value; /* of each node: as the emulator has it, then exact from somewhere on */
    mpfr_t local, other, product;
    const struct number_format *format;
    bool failed;
};

/* ---- the way ---- */

static void collect(struct way *w, uint32_t node)
{
    size_t at = 0;
    while (at < w->count && w->nodes[at] > node) { /* in descending order for the time being */
        at++;
    }
    if (node == SHADOW_NONE || (at < w->count && w->nodes[at] == node)) {
        return;
    }
    if (w->count == MOST_LINES || !LIST_ROOM(w->nodes, w->count, w->room, 1)) {
        w->failed = true;
        return;
    }
    memmove(&w->nodes[at + 1], &w->nodes[at], (w->count - at) * sizeof *w->nodes);
    w->nodes[at] = node;
    w->count++;
}

static void find_way(struct way *w, uint32_t output)
{
    collect(w, output);
    for (size_t i = 0; i < w->count && !w->failed; i++) {
        const struct shadow_node *n = shadow_node_at(w->shadow, w->nodes[i]);
        for (unsigned k = 0; k < SHADOW_ARGS && !w->failed; k++) {
            collect(w, n->arg[k]); /* operands have smaller numbers, so they land behind place i */
        }
    }
    for (size_t i = 0; i < w->count / 2; i++) {
        uint32_t kept = w->nodes[i];
        w->nodes[i] = w->nodes[w->count - 1 - i];
        w->nodes[w->count - 1 - i] = kept;
    }
}

static size_t shadow_account_place_of(const struct way *w, uint32_t node)
{
    size_t low = 0;
    size_t high = w->count;
    while (low + 1 < high) {
        size_t middle = (low + high) / 2;
        low = w->nodes[middle] <= node ? middle : low;
        high = w->nodes[middle] <= node ? high : middle;
    }
    return low;
}

/* ---- values ---- */

static void set_bits(mpfr_t out, const struct shadow_node *n)
{
    if (n->integer) {
        mpfr_set_si(out, (long)shadow_integer(n), MPFR_RNDN);
        return;
    }
    mpfr_set_d(out, (double)float_of_bits(n->bits), MPFR_RNDN);
}

/* Sets out to an operand as arithmetic reads it: as a float, whatever made it. */
static void set_operand(mpfr_t out, const struct shadow_node *n)
{
    mpfr_set_d(out, (double)float_of_bits(n->bits), MPFR_RNDN);
}

/*
 * Calculates the exact result of one instruction: with emulated from the operands that it really
 * got, else from the values on the way. An integer that is read as a float stands for its bits in
 * either case.
 */
static void compute(struct way *w, const struct shadow_node *n, bool emulated, mpfr_t out)
{
    mpfr_t *arg[SHADOW_ARGS] = {NULL, NULL, NULL};
    mpfr_t own[SHADOW_ARGS];
    for (unsigned k = 0; k < SHADOW_ARGS; k++) {
        mpfr_init2(own[k], PRECISION);
        if (n->arg[k] == SHADOW_NONE) {
            continue;
        }
        const struct shadow_node *a = shadow_node_at(w->shadow, n->arg[k]);
        bool again = a->integer && !n->integer && n->kind != SHADOW_WHOLE; /* read as a float */
        if (again || (n->kind == SHADOW_FMA && emulated)) {
            set_operand(own[k], a);
        } else if (emulated) {
            set_bits(own[k], a);
        } else {
            mpfr_set(own[k], w->value[shadow_account_place_of(w, n->arg[k])], MPFR_RNDN);
        }
        if ((n->negate >> k & 1U) != 0) {
            mpfr_neg(own[k], own[k], MPFR_RNDN);
        }
        arg[k] = &own[k];
    }
    switch ((enum shadow_kind)n->kind) {
    case SHADOW_FMA:
        mpfr_set(w->product, *arg[0], MPFR_RNDN);
        if (arg[1] != NULL) {
            mpfr_mul(w->product, w->product, *arg[1], MPFR_RNDN);
        }
        mpfr_set(out, w->product, MPFR_RNDN);
        if (arg[2] != NULL) {
            mpfr_add(out, out, *arg[2], MPFR_RNDN);
        }
        break;
    case SHADOW_SCALE:
        mpfr_mul_2si(out, *arg[0], n->scale, MPFR_RNDN);
        break;
    case SHADOW_COPY:
        mpfr_set(out, *arg[0], MPFR_RNDN);
        break;
    case SHADOW_WHOLE: {
        uint32_t bits = shadow_node_at(w->shadow, n->arg[0])->bits;
        mpfr_set_ui(out, bits & 0x7FFFFFFFU, MPFR_RNDN);
        mpfr_setsign(out, out, (bits >> 31) != 0, MPFR_RNDN);
        break;
    }
    case SHADOW_GIVEN:
    case SHADOW_INPUT:
    case SHADOW_START:
        set_bits(out, n);
        break;
    }
    if (n->sign != 0) {
        mpfr_setsign(out, out, n->sign < 0, MPFR_RNDN);
    }
    for (unsigned k = 0; k < SHADOW_ARGS; k++) {
        mpfr_clear(own[k]);
    }
}

/*
 * Calculates the values on the way: the first `emulated` ones are the emulator's, the others exact.
 */
static void shadow_account_follow(struct way *w, size_t emulated)
{
    for (size_t i = 0; i < w->count; i++) {
        const struct shadow_node *n = shadow_node_at(w->shadow, w->nodes[i]);
        if (i < emulated) {
            set_bits(w->value[i], n);
        } else {
            compute(w, n, false, w->value[i]);
        }
    }
}

/*
 * Returns the exponent of the unit in the last place at v for a format of this precision and least
 * exponent.
 */
static long unit_exponent(mpfr_srcptr v, int precision, int least)
{
    long exponent = mpfr_regular_p(v) ? (long)mpfr_get_exp(v) - 1 : least;
    return ulp_unit(exponent, precision, least);
}

/*
 * Returns (got - exact) / 2^unit, without the gaps beside zero that lie between them. The same
 * special value on both sides is no error; any other special value is an infinite one.
 */
static double in_units(struct way *w, mpfr_srcptr got, mpfr_srcptr exact, double gap, long unit)
{
    if (mpfr_nan_p(got) || mpfr_nan_p(exact)) {
        return mpfr_nan_p(got) && mpfr_nan_p(exact) ? 0.0 : (double)INFINITY;
    }
    if (mpfr_inf_p(got) || mpfr_inf_p(exact)) {
        return mpfr_equal_p(got, exact) ? 0.0 : (double)INFINITY;
    }
    apart_set(w->other, gap, exact, got);
    mpfr_mul_2si(w->other, w->other, -unit, MPFR_RNDN);
    return mpfr_get_d(w->other, MPFR_RNDN);
}

/*
 * Brings v into the range of the format: denormals become zero, numbers that are too large infinity
 * or, where the format saturates, the largest one.
 */
static void bring(mpfr_t v, const struct number_format *f)
{
    if (!mpfr_regular_p(v) || f->integer) {
        return;
    }
    long exponent = (long)mpfr_get_exp(v) - 1;
    if (exponent < f->least) {
        /* Numbers that round to the least normal number stay. */
        double least = ldexp(1.0, f->least);
        double stays = least - ldexp(least, -f->precision - 1);
        if (exponent < f->least - 1 || fabs(mpfr_get_d(v, MPFR_RNDZ)) < stays) {
            mpfr_set_zero(v, mpfr_signbit(v) ? -1 : 1);
        }
    } else if (mpfr_cmpabs_ui(v, 1) > 0) {
        bool negative = mpfr_signbit(v) != 0;
        double half = ldexp(1.0, ilogb(f->most) - f->precision);
        mpfr_t limit;
        mpfr_init2(limit, 64);
        mpfr_set_d(limit, f->most, MPFR_RNDN);
        if (!f->saturates) {
            mpfr_add_d(limit, limit, half, MPFR_RNDN);
        }
        if (mpfr_cmpabs(v, limit) >= 0) {
            if (f->saturates) {
                mpfr_set(v, limit, MPFR_RNDN);
            } else {
                mpfr_set_inf(v, 1);
            }
            mpfr_setsign(v, v, negative, MPFR_RNDN);
        }
        mpfr_clear(limit);
    }
}

/* ---- events ---- */

static bool denormal(uint32_t bits)
{
    return (bits & 0x7F800000U) == 0 && (bits & 0x7FFFFFU) != 0;
}

static bool is_nan(uint32_t bits)
{
    return (bits & 0x7FFFFFFFU) > 0x7F800000U;
}

/*
 * Adds the events of a multiplication and addition. w->local holds the exact result of the
 * instruction and w->product its product.
 */
static void find_sum_events(struct way *w, const struct shadow_node *n, bool off,
                            struct shadow_line *line)
{
    bool nan = false;
    for (unsigned k = 0; k < SHADOW_ARGS; k++) {
        if (n->arg[k] != SHADOW_NONE) {
            uint32_t bits = shadow_node_at(w->shadow, n->arg[k])->bits;
            line->events |= denormal(bits) ? TXL_SHADOW_OPERAND_FLUSHED : 0;
            nan = nan || is_nan(bits);
        }
    }
    line->events |= is_nan(n->bits) && !nan ? TXL_SHADOW_NAN : 0;
    if (!mpfr_regular_p(w->product) || n->arg[2] == SHADOW_NONE) {
        return;
    }
    const uint32_t addend = shadow_node_at(w->shadow, n->arg[2])->bits;
    const uint32_t flipped = (n->negate & 4U) != 0 ? 0x80000000U : 0;
    /*
     * The hardware flushes the product by the sum of the exponents, without the carry of the
     * mantissas: below 2^-125.
     */
    if (off && mpfr_get_exp(w->product) - 1 < -125 && (addend & 0x7F800000U) != 0 &&
        n->bits == (addend ^ flipped)) {
        line->events |= TXL_SHADOW_PRODUCT_FLUSHED;
    }
    if ((addend & 0x7F800000U) == 0 || (addend & 0x7F800000U) == 0x7F800000U) {
        return;
    }
    long largest = (long)(addend >> 23 & 255U) - 127;
    long product = (long)mpfr_get_exp(w->product) - 1;
    largest = product > largest ? product : largest;
    if (mpfr_zero_p(w->local)) {
        line->events |= TXL_SHADOW_CANCELLATION;
        line->cancelled = -1;
    } else if (mpfr_regular_p(w->local) &&
               largest - ((long)mpfr_get_exp(w->local) - 1) >= SHADOW_CANCELLED) {
        line->events |= TXL_SHADOW_CANCELLATION;
        line->cancelled = (int)(largest - ((long)mpfr_get_exp(w->local) - 1));
    }
}

static void find_events(struct way *w, const struct shadow_node *n, struct shadow_line *line)
{
    mpfr_t got;
    mpfr_t nearest;
    const struct txl_step *step =
        n->step == SHADOW_NONE ? NULL : shadow_step_at(w->shadow, n->step);
    bool store = step != NULL && step->row->insn == TX_INSN_SFPSTORE;
    mpfr_init2(got, PRECISION);
    mpfr_init2(nearest, n->precision);
    set_bits(got, n);
    mpfr_set(nearest, w->local, MPFR_RNDN);
    bool regular = mpfr_regular_p(w->local) != 0;
    bool off = regular && !mpfr_equal_p(got, nearest);
    bool tiny = regular && (long)mpfr_get_exp(w->local) - 1 < n->least;
    line->events |= n->random ? TXL_SHADOW_RANDOM : 0;
    line->events |= n->vanished ? TXL_SHADOW_RESULT_FLUSHED : 0;
    line->events |= n->limited ? TXL_SHADOW_SATURATED : 0;
    line->events |= n->by_constant ? TXL_SHADOW_BY_CONSTANT : 0;
    /* The exact limit depends on the chip. */
    bool low = regular && (long)mpfr_get_exp(w->local) - 1 <= n->least;
    if (off && mpfr_zero_p(got) && low) {
        line->events |= TXL_SHADOW_RESULT_FLUSHED;
    }
    if (n->kind == SHADOW_FMA) {
        find_sum_events(w, n, off, line);
    }
    if (off && mpfr_inf_p(got)) {
        line->events |= TXL_SHADOW_OVERFLOW;
    } else if (off && store && n->least == -14 && mpfr_cmpabs_ui(w->local, 131008) > 0) {
        line->events |= TXL_SHADOW_SATURATED;
    }
    bool rounds = n->kind == SHADOW_FMA || n->kind == SHADOW_WHOLE ||
                  (n->kind == SHADOW_COPY && n->precision < 24 && !store);
    if (rounds && regular && !tiny && (int)mpfr_min_prec(w->local) == n->precision + 1) {
        line->events |= TXL_SHADOW_TIE;
    }
    if (store && n->precision < 24 && regular && !tiny &&
        (line->events & TXL_SHADOW_SATURATED) == 0 && (int)mpfr_min_prec(w->local) > n->precision) {
        line->events |= TXL_SHADOW_CUT;
        line->cut = (int)mpfr_min_prec(w->local) - n->precision;
    }
    const uint32_t explained = TXL_SHADOW_OPERAND_FLUSHED | TXL_SHADOW_PRODUCT_FLUSHED |
                               TXL_SHADOW_RESULT_FLUSHED | TXL_SHADOW_OVERFLOW | TXL_SHADOW_NAN |
                               TXL_SHADOW_RANDOM | TXL_SHADOW_SATURATED | TXL_SHADOW_CUT;
    if (off && (line->events & explained) == 0 && !n->integer) {
        line->events |= TXL_SHADOW_NOT_IEEE;
    }
    mpfr_clears(got, nearest, (mpfr_ptr)NULL);
}

/* ---- the account ---- */

static double gap_of(const struct shadow_node *n)
{
    return n->integer ? 0.0 : apart_gap(n->precision, n->least);
}

/* Fills the line of an instruction with its own error and its events. */
static void fill_local(struct way *w, size_t place, struct shadow_line *line)
{
    const struct shadow_node *n = shadow_node_at(w->shadow, w->nodes[place]);
    mpfr_t got;
    mpfr_init2(got, PRECISION);
    set_bits(got, n);
    mpfr_set_zero(w->product, 1);
    compute(w, n, true, w->local);
    if (n->kind == SHADOW_FMA && n->sign != 0) {
        mpfr_setsign(w->product, w->product, n->sign < 0, MPFR_RNDN);
    }
    line->local =
        in_units(w, got, w->local, gap_of(n), unit_exponent(w->local, n->precision, n->least));
    find_events(w, n, line);
    mpfr_clear(got);
}

static void fill_so_far(struct way *w, size_t place, struct shadow_line *line)
{
    const struct shadow_node *n = shadow_node_at(w->shadow, w->nodes[place]);
    mpfr_srcptr exact = w->value[place];
    mpfr_t got;
    mpfr_init2(got, PRECISION);
    set_bits(got, n);
    line->so_far = in_units(w, got, exact, gap_of(n), unit_exponent(exact, n->precision, n->least));
    shadow_number(line->exact, sizeof line->exact, exact);
    mpfr_clear(got);
}

static bool fill_lines(struct way *w, struct shadow_account *out)
{
    out->lines = calloc(w->count, sizeof *out->lines);
    if (out->lines == NULL) {
        return false;
    }
    shadow_account_follow(w, 0);
    for (size_t i = 0; i < w->count; i++) {
        if (shadow_node_at(w->shadow, w->nodes[i])->step == SHADOW_NONE) {
            continue;
        }
        struct shadow_line *line = &out->lines[out->count++];
        line->node = w->nodes[i];
        fill_local(w, i, line);
        fill_so_far(w, i, line);
    }
    return true;
}

/*
 * Fills the shares by going from one mixture of emulated and exact values to the next. Only an
 * instruction with an error of its own can have a share.
 */
static void fill_shares(struct way *w, long unit, struct shadow_account *out)
{
    mpfr_t before;
    const size_t last = w->count - 1;
    mpfr_init2(before, PRECISION);
    shadow_account_follow(w, 0);
    bring(w->value[last], w->format);
    mpfr_set(before, w->value[last], MPFR_RNDN);
    out->guilty = TXL_GUILTY_NOBODY;
    double most = guilt;
    for (size_t i = 0, at = 0; i < w->count; i++) {
        if (at == out->count || out->lines[at].node != w->nodes[i]) {
            continue;
        }
        struct shadow_line *line = &out->lines[at++];
        if (line->local == 0.0) {
            continue;
        }
        shadow_account_follow(w, i + 1);
        bring(w->value[last], w->format);
        line->share = in_units(w, w->value[last], before, w->format->gap, unit);
        mpfr_set(before, w->value[last], MPFR_RNDN);
        if (fabs(line->share) > most) {
            most = fabs(line->share);
            out->guilty = (int)(at - 1);
        }
    }
    mpfr_clear(before);
}

/*
 * Fills the whole error and the part that exact arithmetic would leave. Returns the exponent of the
 * result's unit in the last place.
 */
static long fill_errors(struct way *w, const double *reference, struct shadow_account *out)
{
    mpfr_t got;
    mpfr_t want;
    const size_t last = w->count - 1;
    mpfr_init2(got, PRECISION);
    mpfr_init2(want, PRECISION);
    set_bits(got, shadow_node_at(w->shadow, w->nodes[last]));
    bring(got, w->format);
    shadow_account_follow(w, 0);
    shadow_number(out->exact, sizeof out->exact, w->value[last]);
    bring(w->value[last], w->format);
    mpfr_set(want, w->value[last], MPFR_RNDN);
    if (reference != NULL) {
        mpfr_set_d(want, *reference, MPFR_RNDN);
        bring(want, w->format);
    }
    const long unit =
        w->format->integer ? 0 : unit_exponent(want, w->format->precision, w->format->least);
    out->has_reference = reference != NULL;
    out->error = in_units(w, got, want, w->format->gap, unit);
    out->method = in_units(w, w->value[last], want, w->format->gap, unit);
    mpfr_clears(got, want, (mpfr_ptr)NULL);
    return unit;
}

static bool open_way(struct way *w, uint32_t output)
{
    mpfr_set_emin(-8192); /* the same range as in the references */
    mpfr_set_emax(8192);
    mpfr_inits2(PRECISION, w->local, w->other, w->product, (mpfr_ptr)NULL);
    find_way(w, output);
    bool good = !w->failed && w->count > 0;
    w->value = good ? calloc(w->count, sizeof *w->value) : NULL;
    for (size_t i = 0; w->value != NULL && i < w->count; i++) {
        mpfr_init2(w->value[i], PRECISION);
    }
    return w->value != NULL;
}

static void close_way(struct way *w)
{
    for (size_t i = 0; w->value != NULL && i < w->count; i++) {
        mpfr_clear(w->value[i]);
    }
    mpfr_clears(w->local, w->other, w->product, (mpfr_ptr)NULL);
    free(w->value);
    free(w->nodes);
}

bool shadow_error(const struct shadow *shadow, uint32_t output, enum tx_dst_format format,
                  const double *reference, double *error)
{
    struct way w = {.shadow = shadow, .format = number_format(format)};
    struct shadow_account account = {.error = 0.0};
    bool good = output == SHADOW_NONE || open_way(&w, output);
    if (good && output != SHADOW_NONE) {
        (void)fill_errors(&w, reference, &account);
    }
    if (output != SHADOW_NONE) {
        close_way(&w);
    }
    *error = account.error;
    return good;
}

bool shadow_account(const struct shadow *shadow, uint32_t output, enum tx_dst_format format,
                    const double *reference, struct shadow_account *out)
{
    struct way w = {.shadow = shadow, .format = number_format(format)};
    *out = (struct shadow_account){.guilty = TXL_GUILTY_NOBODY, .stored = output != SHADOW_NONE};
    if (output == SHADOW_NONE) {
        return true;
    }
    bool good = open_way(&w, output) && fill_lines(&w, out);
    if (good) {
        fill_shares(&w, fill_errors(&w, reference, out), out);
        double share = out->guilty < 0 ? guilt : fabs(out->lines[out->guilty].share);
        out->guilty = fabs(out->method) > share ? TXL_GUILTY_METHOD : out->guilty;
    }
    close_way(&w);
    return good;
}

void shadow_account_free(struct shadow_account *account)
{
    free(account->lines);
    account->lines = NULL;
}
