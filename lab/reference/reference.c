/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of reference functions, their computation by MPFR with one rounding to the format, and
 * the public face.
 */
#include "reference/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reference/apart.h"
#include "reference/reference_work.h"

enum { LEAST_EXPONENT = -8192, MOST_EXPONENT = 8192 };
/* Bits for intermediate results of composed functions, before the one rounding. */
enum { WIDE = 192 };

static void f_recip(work_t *w)
{
    mpfr_ui_div(w->out, 1, w->in[0], MPFR_RNDN);
}

static void f_mad(work_t *w)
{
    mpfr_fma(w->out, w->in[0], w->in[1], w->in[2], MPFR_RNDN);
}

static void f_relu(work_t *w)
{
    if (!mpfr_nan_p(w->in[0]) && mpfr_sgn(w->in[0]) <= 0) {
        mpfr_set_zero(w->out, 1);
        return;
    }
    mpfr_set(w->out, w->in[0], MPFR_RNDN);
}

static void f_sign(work_t *w)
{
    if (mpfr_nan_p(w->in[0])) {
        mpfr_set_nan(w->out);
        return;
    }
    mpfr_set_si(w->out, mpfr_sgn(w->in[0]), MPFR_RNDN);
}

/* 1 / (1 + exp(-x)) */
static void sigmoid(work_t *w)
{
    mpfr_neg(w->other, w->in[0], MPFR_RNDN);
    mpfr_exp(w->other, w->other, MPFR_RNDN);
    mpfr_add_ui(w->other, w->other, 1, MPFR_RNDN);
    mpfr_ui_div(w->wide, 1, w->other, MPFR_RNDN);
}

static void f_sigmoid(work_t *w)
{
    sigmoid(w);
    mpfr_set(w->out, w->wide, MPFR_RNDN);
}

/* Multiplies by x a factor that is zero at minus infinity, where the product must be zero too. */
static void times_input(work_t *w)
{
    if (mpfr_inf_p(w->in[0]) && mpfr_zero_p(w->wide)) {
        mpfr_set_zero(w->out, -1);
        return;
    }
    mpfr_mul(w->out, w->wide, w->in[0], MPFR_RNDN);
}

static void f_silu(work_t *w)
{
    sigmoid(w);
    times_input(w);
}

/* x/2 erfc(-x/sqrt 2), which stays accurate for very negative x */
static void f_gelu(work_t *w)
{
    mpfr_set_ui(w->other, 2, MPFR_RNDN);
    mpfr_sqrt(w->other, w->other, MPFR_RNDN);
    mpfr_div(w->other, w->in[0], w->other, MPFR_RNDN);
    mpfr_neg(w->other, w->other, MPFR_RNDN);
    mpfr_erfc(w->wide, w->other, MPFR_RNDN);
    mpfr_div_ui(w->wide, w->wide, 2, MPFR_RNDN);
    times_input(w);
}

/* log(1 + exp(x)) */
static void f_softplus(work_t *w)
{
    mpfr_exp(w->wide, w->in[0], MPFR_RNDN);
    mpfr_log1p(w->other, w->wide, MPFR_RNDN);
    mpfr_set(w->out, mpfr_inf_p(w->wide) ? w->in[0] : w->other, MPFR_RNDN);
}

static void f_where(work_t *w)
{
    mpfr_set(w->out, w->in[mpfr_zero_p(w->in[0]) ? 2 : 1], MPFR_RNDN);
}

static void f_lgamma(work_t *w)
{
    int sign = 0;
    mpfr_lgamma(w->out, &sign, w->in[0], MPFR_RNDN);
}

/*
 * Without FLINT the names of its functions are still known, so that an error can say what is
 * missing.
 */
#ifdef TENSIX_HAVE_ARB
#define ARB(name) reference_arb_##name
#else
#define ARB(name) NULL
#endif

static const struct reference_function functions[] = {
    {{"recip", 1, 0, {0}}, .compose = f_recip},
    {{"exp", 1, 0, {0}}, .one = mpfr_exp, .vanishes = true},
    {{"log", 1, 0, {0}}, .one = mpfr_log},
    {{"sqrt", 1, 0, {0}}, .one = mpfr_sqrt},
    {{"rsqrt", 1, 0, {0}}, .one = mpfr_rec_sqrt},
    {{"tanh", 1, 0, {0}}, .one = mpfr_tanh},
    {{"sigmoid", 1, 0, {0}}, .compose = f_sigmoid, .vanishes = true},
    {{"gelu", 1, 0, {0}}, .compose = f_gelu, .vanishes = true},
    {{"relu", 1, 0, {0}}, .compose = f_relu},
    {{"erf", 1, 0, {0}}, .one = mpfr_erf},
    {{"sin", 1, 0, {0}}, .one = mpfr_sin},
    {{"cos", 1, 0, {0}}, .one = mpfr_cos},
    {{"square", 1, 0, {0}}, .one = mpfr_sqr},
    {{"abs", 1, 0, {0}}, .one = mpfr_abs},
    {{"neg", 1, 0, {0}}, .one = mpfr_neg},
    {{"identity", 1, 0, {0}}, .one = mpfr_set},
    {{"exp2", 1, 0, {0}}, .one = mpfr_exp2, .vanishes = true},
    {{"expm1", 1, 0, {0}}, .one = mpfr_expm1},
    {{"log2", 1, 0, {0}}, .one = mpfr_log2},
    {{"log10", 1, 0, {0}}, .one = mpfr_log10},
    {{"log1p", 1, 0, {0}}, .one = mpfr_log1p},
    {{"cbrt", 1, 0, {0}}, .one = mpfr_cbrt},
    {{"sinh", 1, 0, {0}}, .one = mpfr_sinh},
    {{"cosh", 1, 0, {0}}, .one = mpfr_cosh},
    {{"erfc", 1, 0, {0}}, .one = mpfr_erfc, .vanishes = true},
    {{"tan", 1, 0, {0}}, .one = mpfr_tan},
    {{"asin", 1, 0, {0}}, .one = mpfr_asin},
    {{"acos", 1, 0, {0}}, .one = mpfr_acos},
    {{"atan", 1, 0, {0}}, .one = mpfr_atan},
    {{"floor", 1, 0, {0}}, .one = mpfr_rint_floor},
    {{"ceil", 1, 0, {0}}, .one = mpfr_rint_ceil},
    {{"trunc", 1, 0, {0}}, .one = mpfr_rint_trunc},
    {{"round", 1, 0, {0}}, .one = mpfr_rint_roundeven},
    {{"sign", 1, 0, {0}}, .compose = f_sign},
    {{"silu", 1, 0, {0}}, .compose = f_silu, .vanishes = true},
    {{"softplus", 1, 0, {0}}, .compose = f_softplus, .vanishes = true},
    {{"asinh", 1, 0, {0}}, .one = mpfr_asinh},
    {{"acosh", 1, 0, {0}}, .one = mpfr_acosh},
    {{"atanh", 1, 0, {0}}, .one = mpfr_atanh},
    {{"gamma", 1, 0, {0}}, .one = mpfr_gamma, .vanishes = true},
    {{"lgamma", 1, 0, {0}}, .compose = f_lgamma},
    {{"digamma", 1, 0, {0}}, .one = mpfr_digamma},
    {{"softsign", 1, 0, {0}}, .compose = reference_softsign},
    {{"relu6", 1, 0, {0}}, .compose = reference_relu6},
    {{"hardsigmoid", 1, 0, {0}}, .compose = reference_hardsigmoid},
    {{"hardswish", 1, 0, {0}}, .compose = reference_hardswish},
    {{"hardtanh", 1, 2, {-1.0, 1.0}}, .compose = reference_hardtanh},
    {{"leaky_relu", 1, 1, {0.01}}, .compose = reference_leaky_relu},
    {{"elu", 1, 1, {1.0}}, .compose = reference_elu},
    {{"celu", 1, 1, {1.0}}, .compose = reference_celu},
    {{"selu", 1, 0, {0}}, .compose = reference_selu},
    {{"mish", 1, 0, {0}}, .compose = reference_mish, .vanishes = true},
    {{"logsigmoid", 1, 0, {0}}, .compose = reference_logsigmoid, .vanishes = true},
    {{"tanhshrink", 1, 0, {0}}, .compose = reference_tanhshrink, .vanishes = true},
    {{"softshrink", 1, 1, {0.5}}, .compose = reference_softshrink},
    {{"popcount", 1, 0, {0}}, .compose = reference_popcount},
    {{"clz", 1, 0, {0}}, .compose = reference_clz},
    {{"i0", 1, 0, {0}}, .compose = ARB(i0), .arb = true},
    {{"i1", 1, 0, {0}}, .compose = ARB(i1), .arb = true},
    {{"erfinv", 1, 0, {0}}, .compose = ARB(erfinv), .arb = true},
    {{"lambertw", 1, 0, {0}}, .compose = ARB(lambertw), .arb = true},
    {{"add", 2, 0, {0}}, .two = mpfr_add},
    {{"sub", 2, 0, {0}}, .two = mpfr_sub},
    {{"mul", 2, 0, {0}}, .two = mpfr_mul},
    {{"div", 2, 0, {0}}, .two = mpfr_div},
    {{"max", 2, 0, {0}}, .two = mpfr_max},
    {{"min", 2, 0, {0}}, .two = mpfr_min},
    {{"pow", 2, 0, {0}}, .two = mpfr_pow, .vanishes = true},
    {{"atan2", 2, 0, {0}}, .two = mpfr_atan2, .vanishes = true},
    {{"hypot", 2, 0, {0}}, .two = mpfr_hypot},
    {{"fmod", 2, 0, {0}}, .two = mpfr_fmod},
    {{"idiv", 2, 0, {0}}, .compose = reference_idiv},
    {{"mulhi", 2, 0, {0}}, .compose = reference_mulhi},
    {{"mad", 3, 0, {0}}, .compose = f_mad},
    {{"where", 3, 0, {0}}, .compose = f_where},
};

enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

const struct reference *reference_at(size_t index)
{
    return index < FUNCTIONS ? &functions[index].reference : NULL;
}

/* Returns whether the library that computes the function is available. */
static bool able(const struct reference_function *function)
{
#ifdef TENSIX_HAVE_ARB
    return !function->arb || reference_arb_able();
#else
    return !function->arb;
#endif
}

const struct reference *reference_find(const char *name)
{
    for (size_t i = 0; i < FUNCTIONS; i++) {
        if (strcmp(functions[i].reference.name, name) == 0) {
            return able(&functions[i]) ? &functions[i].reference : NULL;
        }
    }
    return NULL;
}

const char *reference_lacks(const char *name)
{
    for (size_t i = 0; i < FUNCTIONS; i++) {
        if (strcmp(functions[i].reference.name, name) == 0 && !able(&functions[i])) {
#ifdef TENSIX_HAVE_ARB
            return "FLINT (" TENSIX_LIBARB "), which cannot be loaded here";
#else
            return "FLINT, which this build is without";
#endif
        }
    }
    return NULL;
}

struct reference_work *reference_open(const struct reference *reference, enum tx_dst_format format)
{
    struct reference_work *work = calloc(1, sizeof *work);
    if (work == NULL) {
        return NULL;
    }
    work->chosen = *reference;
    work->reference = &work->chosen;
    for (size_t i = 0; i < FUNCTIONS; i++) {
        if (strcmp(functions[i].reference.name, reference->name) == 0) {
            if (!able(&functions[i])) {
                free(work);
                return NULL;
            }
            work->function = &functions[i];
            work->fast = reference_fast_find(reference->name);
        }
    }
    work->dst = work->held = format;
    work->format = number_format(format);
    for (unsigned i = 0; i < REF_INPUTS; i++) {
        mpfr_init2(work->in[i], 53);
    }
    mpfr_init2(work->wide, WIDE);
    mpfr_init2(work->other, WIDE);
    mpfr_init2(work->out, work->format->precision);
    /* Far beyond every format, so that extreme arguments end quickly. */
    mpfr_set_emin(LEAST_EXPONENT);
    mpfr_set_emax(MOST_EXPONENT);
    reference_fast_prepare(work);
    return work;
}

void reference_inputs(struct reference_work *work, enum tx_dst_format format)
{
    work->held = format;
}

void reference_close(struct reference_work *work)
{
    if (work == NULL) {
        return;
    }
    for (unsigned i = 0; i < REF_INPUTS; i++) {
        mpfr_clear(work->in[i]);
    }
    mpfr_clears(work->wide, work->other, work->out, (mpfr_ptr)NULL);
    free(work);
#ifdef TENSIX_HAVE_ARB
    reference_arb_close();
#endif
    mpfr_free_cache();
}

static double bring_to_format(struct reference_work *work)
{
    const struct number_format *format = work->format;
    if (format->integer) {
        mpfr_rint(work->out, work->out, MPFR_RNDN);
    }
    double value = mpfr_get_d(work->out, MPFR_RNDN);
    work->underflowed = false;
    if (isnan(value)) {
        return value;
    }
    if (format->integer) {
        return value > format->most ? format->most : value < format->low ? format->low : value;
    }
    if (fabs(value) > format->most) {
        return copysign(format->saturates ? format->most : (double)INFINITY, value);
    }
    if (fabs(value) < ldexp(1.0, format->least)) {
        work->underflowed = !mpfr_zero_p(work->out);
        return copysign(0.0, value);
    }
    return value;
}

bool reference_underflowed(const struct reference_work *work)
{
    return work->underflowed;
}

static void compute(struct reference_work *work, const double *x)
{
    for (unsigned i = 0; i < work->reference->inputs; i++) {
        mpfr_set_d(work->in[i], x[i], MPFR_RNDN);
    }
    const struct reference_function *f = work->function;
    if (f->one != NULL) {
        f->one(work->out, work->in[0], MPFR_RNDN);
    } else if (f->two != NULL) {
        f->two(work->out, work->in[0], work->in[1], MPFR_RNDN);
    } else {
        f->compose(work);
    }
}

double reference_value(struct reference_work *work, const double *x)
{
    compute(work, x);
    double value = bring_to_format(work);
    if (value == 0.0 && work->function->vanishes &&
        reference_ordinary(x, work->reference->inputs)) {
        work->underflowed = true; /* MPFR's own range was not enough either */
    }
    return value;
}

double reference_unrounded(struct reference_work *work, const double *x)
{
    mpfr_set_prec(work->out, 53);
    compute(work, x);
    double value = mpfr_get_d(work->out, MPFR_RNDN);
    mpfr_set_prec(work->out, work->format->precision);
    return value;
}

double reference_distance(struct reference_work *work, const double *x, double expected, double got)
{
    const struct number_format *format = work->format;
    mpfr_set_prec(work->out, format->precision + 64);
    if (number_is_limit(format, expected)) {
        mpfr_set_d(work->out, expected, MPFR_RNDN);
    } else {
        compute(work, x);
    }
    mpfr_set_d(work->wide, got, MPFR_RNDN);
    apart_set(work->wide, format->gap, work->out, work->wide);
    mpfr_set_prec(work->out, format->precision);
    mpfr_abs(work->wide, work->wide, MPFR_RNDN);
    mpfr_mul_2si(work->wide, work->wide, 10 - ulp_unit_at(format, expected), MPFR_RNDN);
    mpfr_floor(work->wide, work->wide);
    return mpfr_get_d(work->wide, MPFR_RNDD) / 1024.0;
}

bool reference_ordinary(const double *x, unsigned inputs)
{
    for (unsigned i = 0; i < inputs; i++) {
        if (!isfinite(x[i]) || x[i] == 0.0) {
            return false;
        }
    }
    return true;
}

/* ---- the public face ---- */

struct txl_reference {
    struct reference_work *work;
};

/*
 * MPFR's range of exponents belongs to the thread, and reference_open changes it, so the public
 * functions restore the caller's.
 */
struct range {
    mpfr_exp_t least, most;
};

static struct range range_now(void)
{
    return (struct range){mpfr_get_emin(), mpfr_get_emax()};
}

static void range_set(struct range range)
{
    mpfr_set_emin(range.least);
    mpfr_set_emax(range.most);
}

const char *txl_reference_name(size_t index)
{
    const struct reference *r = reference_at(index);
    return r != NULL ? r->name : NULL;
}

unsigned txl_reference_inputs(const char *name)
{
    struct reference r;
    return reference_named(NULL, name, &r) == TXL_OK ? r.inputs : 0;
}

/* Reads the parameters behind a function's name: ":0.01", ":-1:1". */
static int read_parameters(struct txl_error *err, const char *text, struct reference *found)
{
    for (unsigned i = 0; *text == ':'; i++) {
        char *end = NULL;
        if (i >= found->parameters) {
            return txl_fail_option(err, NULL, "reference",
                                   "%s takes at most %u parameters after its name", found->name,
                                   found->parameters);
        }
        found->parameter[i] = strtod(text + 1, &end);
        if (end == text + 1 || (*end != ':' && *end != '\0') || !isfinite(found->parameter[i])) {
            return txl_fail_option(err, NULL, "reference",
                                   "parameter %u of %s is a number, not '%s'", i + 1, found->name,
                                   text + 1);
        }
        text = end;
    }
    return TXL_OK;
}

static int unknown(struct txl_error *err, const char *name)
{
    const char *names[FUNCTIONS];
    for (size_t i = 0; i < FUNCTIONS; i++) {
        names[i] = functions[i].reference.name;
    }
    const char *near = txl_nearest(name, names, FUNCTIONS);
    return txl_fail_option(err, NULL, "reference",
                           "no function '%s'%s%s%s FILE.py that defines reference(x) serves, too",
                           name, near != NULL ? "; did you mean '" : ";", near != NULL ? near : "",
                           near != NULL ? "'? A" : " a");
}

int reference_named(struct txl_error *err, const char *name, struct reference *found)
{
    char alone[64];
    const size_t length = strcspn(name, ":");
    snprintf(alone, sizeof alone, "%.*s", (int)(length < sizeof alone ? length : sizeof alone - 1),
             name);
    const struct reference *function = reference_find(alone);
    if (function != NULL) {
        *found = *function;
        return read_parameters(err, name + length, found);
    }
    const char *lacks = reference_lacks(alone);
    return lacks != NULL ? txl_fail_option(err, NULL, "reference", "%s needs %s", alone, lacks)
                         : unknown(err, alone);
}

int txl_reference_open(struct txl_error *err, const char *name, enum tx_dst_format in,
                       enum tx_dst_format out, txl_reference **reference)
{
    struct reference found;
    *reference = NULL;
    if (reference_named(err, name, &found) != TXL_OK) {
        return TXL_INPUT;
    }
    const struct range callers = range_now();
    struct txl_reference *r = calloc(1, sizeof *r);
    if (r != NULL) {
        r->work = reference_open(&found, out);
    }
    range_set(callers);
    if (r == NULL || r->work == NULL) {
        free(r);
        return txl_fail(err, "out of memory");
    }
    reference_inputs(r->work, in);
    *reference = r;
    return TXL_OK;
}

void txl_reference_close(txl_reference *reference)
{
    if (reference != NULL) {
        reference_close(reference->work);
        free(reference);
    }
}

void txl_reference_words(txl_reference *reference, const uint32_t *const *inputs, size_t count,
                         uint32_t *expected, uint8_t *below)
{
    enum { PART = 512 };
    const unsigned operands = reference->work->reference->inputs;
    const struct range callers = range_now();
    double value[PART];
    uint8_t unwanted[PART];
    range_set((struct range){LEAST_EXPONENT, MOST_EXPONENT});
    for (size_t i = 0; i < count; i += PART) {
        const size_t part = count - i < PART ? count - i : PART;
        const uint32_t *at[REF_INPUTS] = {NULL};
        for (unsigned k = 0; k < operands; k++) {
            at[k] = inputs[k] + i;
        }
        reference_words(reference->work, at, part, expected + i,
                        below != NULL ? below + i : unwanted, value);
    }
    range_set(callers);
}
