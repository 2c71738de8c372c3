/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of neural networks, with their parameters, and functions of integers, by MPFR: each
 * computed wide and rounded once. Where PyTorch has the function, its definition and its defaults
 * are taken (torch.nn.functional).
 */
#include "reference/reference_work.h"

/* x - tanh(x) is about x^3/3: the difference loses twice the bits by which x is below 1. */
enum { DIFFERENCE = 640 };
enum { INTEGER_BITS = 32 };

static const double *parameter(const work_t *w)
{
    return w->reference->parameter;
}

static bool is_negative(const work_t *w)
{
    return !mpfr_nan_p(w->in[0]) && mpfr_sgn(w->in[0]) < 0;
}

static void take_input(work_t *w)
{
    mpfr_set(w->out, w->in[0], MPFR_RNDN);
}

/* Sets out to the input bounded below and above; NaN stays. */
static void bounded(work_t *w, double least, double most)
{
    if (mpfr_nan_p(w->in[0])) {
        mpfr_set_nan(w->out);
    } else if (mpfr_cmp_d(w->in[0], least) < 0) {
        mpfr_set_d(w->out, least, MPFR_RNDN);
    } else if (mpfr_cmp_d(w->in[0], most) > 0) {
        mpfr_set_d(w->out, most, MPFR_RNDN);
    } else {
        take_input(w);
    }
}

/* x / (1 + |x|); infinities have the limit */
void reference_softsign(work_t *w)
{
    if (mpfr_inf_p(w->in[0])) {
        mpfr_set_si(w->out, mpfr_sgn(w->in[0]), MPFR_RNDN);
        return;
    }
    mpfr_abs(w->wide, w->in[0], MPFR_RNDN);
    mpfr_add_ui(w->wide, w->wide, 1, MPFR_RNDN);
    mpfr_div(w->out, w->in[0], w->wide, MPFR_RNDN);
}

void reference_relu6(work_t *w)
{
    bounded(w, 0.0, 6.0);
}

/* min(max(x, least), most) */
void reference_hardtanh(work_t *w)
{
    bounded(w, parameter(w)[0], parameter(w)[1]);
}

/* Sets wide to relu6(x + 3), and returns whether x is a number. */
static bool hard(work_t *w)
{
    mpfr_add_ui(w->wide, w->in[0], 3, MPFR_RNDN);
    if (mpfr_nan_p(w->wide)) {
        mpfr_set_nan(w->out);
        return false;
    }
    if (mpfr_sgn(w->wide) < 0) {
        mpfr_set_zero(w->wide, 1);
    } else if (mpfr_cmp_ui(w->wide, 6) > 0) {
        mpfr_set_ui(w->wide, 6, MPFR_RNDN);
    }
    return true;
}

/* relu6(x + 3) / 6 */
void reference_hardsigmoid(work_t *w)
{
    if (hard(w)) {
        mpfr_div_ui(w->out, w->wide, 6, MPFR_RNDN);
    }
}

/* x relu6(x + 3) / 6 */
void reference_hardswish(work_t *w)
{
    if (!hard(w)) {
        return;
    }
    if (mpfr_zero_p(w->wide)) {
        mpfr_set_zero(w->out, -1);
        return;
    }
    mpfr_mul(w->wide, w->wide, w->in[0], MPFR_RNDN);
    mpfr_div_ui(w->out, w->wide, 6, MPFR_RNDN);
}

/* x, and slope x below zero */
void reference_leaky_relu(work_t *w)
{
    if (!is_negative(w)) {
        take_input(w);
        return;
    }
    mpfr_set_d(w->wide, parameter(w)[0], MPFR_RNDN);
    mpfr_mul(w->out, w->wide, w->in[0], MPFR_RNDN);
}

/* Sets out to x, and below zero to alpha (exp(x / width) - 1), times scale. */
static void exponential(work_t *w, mpfr_srcptr alpha, double width, mpfr_srcptr scale)
{
    if (is_negative(w)) {
        mpfr_div_d(w->wide, w->in[0], width, MPFR_RNDN);
        mpfr_expm1(w->wide, w->wide, MPFR_RNDN);
        mpfr_mul(w->wide, w->wide, alpha, MPFR_RNDN);
    } else {
        mpfr_set(w->wide, w->in[0], MPFR_RNDN);
    }
    mpfr_mul(w->out, w->wide, scale, MPFR_RNDN);
}

/* x, and alpha (exp(x) - 1) below zero */
void reference_elu(work_t *w)
{
    mpfr_t scale;
    mpfr_init2(scale, 2);
    mpfr_set_ui(scale, 1, MPFR_RNDN);
    mpfr_set_d(w->other, parameter(w)[0], MPFR_RNDN);
    exponential(w, w->other, 1.0, scale);
    mpfr_clear(scale);
}

/* x, and alpha (exp(x / alpha) - 1) below zero */
void reference_celu(work_t *w)
{
    mpfr_t scale;
    mpfr_init2(scale, 2);
    mpfr_set_ui(scale, 1, MPFR_RNDN);
    mpfr_set_d(w->other, parameter(w)[0], MPFR_RNDN);
    exponential(w, w->other, parameter(w)[0], scale);
    mpfr_clear(scale);
}

/* ELU times a scale, with the constants of Klambauer and others, Self-Normalizing Networks, 2017.
 */
void reference_selu(work_t *w)
{
    mpfr_t scale;
    mpfr_init2(scale, mpfr_get_prec(w->wide));
    mpfr_set_str(scale, "1.0507009873554804934193349852946", 10, MPFR_RNDN);
    mpfr_set_str(w->other, "1.6732632423543772848170429916717", 10, MPFR_RNDN);
    exponential(w, w->other, 1.0, scale);
    mpfr_clear(scale);
}

/* x tanh(log(1 + exp(x))) = x n / (n + 2) with n = exp(x) (exp(x) + 2) */
void reference_mish(work_t *w)
{
    if (mpfr_inf_p(w->in[0])) {
        if (mpfr_sgn(w->in[0]) > 0) {
            take_input(w);
        } else {
            mpfr_set_zero(w->out, -1);
        }
        return;
    }
    mpfr_exp(w->wide, w->in[0], MPFR_RNDN);
    mpfr_add_ui(w->other, w->wide, 2, MPFR_RNDN);
    mpfr_mul(w->wide, w->wide, w->other, MPFR_RNDN);
    if (mpfr_inf_p(w->wide)) {
        take_input(w);
        return;
    }
    mpfr_add_ui(w->other, w->wide, 2, MPFR_RNDN);
    mpfr_div(w->wide, w->wide, w->other, MPFR_RNDN);
    mpfr_mul(w->out, w->wide, w->in[0], MPFR_RNDN);
}

/* -log(1 + exp(-x)) */
void reference_logsigmoid(work_t *w)
{
    mpfr_neg(w->wide, w->in[0], MPFR_RNDN);
    mpfr_exp(w->wide, w->wide, MPFR_RNDN);
    if (mpfr_inf_p(w->wide)) {
        take_input(w);
        return;
    }
    mpfr_log1p(w->wide, w->wide, MPFR_RNDN);
    mpfr_neg(w->out, w->wide, MPFR_RNDN);
}

/* x - tanh(x) */
void reference_tanhshrink(work_t *w)
{
    mpfr_t bent;
    mpfr_init2(bent, DIFFERENCE);
    mpfr_tanh(bent, w->in[0], MPFR_RNDN);
    mpfr_sub(w->out, w->in[0], bent, MPFR_RNDN);
    mpfr_clear(bent);
}

/* x moved towards zero by lambda, and zero where that would change its sign */
void reference_softshrink(work_t *w)
{
    const double lambda = parameter(w)[0];
    if (mpfr_nan_p(w->in[0])) {
        mpfr_set_nan(w->out);
    } else if (mpfr_cmp_d(w->in[0], lambda) > 0) {
        mpfr_sub_d(w->out, w->in[0], lambda, MPFR_RNDN);
    } else if (mpfr_cmp_d(w->in[0], -lambda) < 0) {
        mpfr_add_d(w->out, w->in[0], lambda, MPFR_RNDN);
    } else {
        mpfr_set_zero(w->out, 1);
    }
}

/* The 32 bits of an integer in two's complement; false where the input is no integer. */
static bool bits_of_integer(work_t *w, uint32_t *bits)
{
    if (!mpfr_integer_p(w->in[0]) || !mpfr_fits_slong_p(w->in[0], MPFR_RNDN)) {
        mpfr_set_nan(w->out);
        return false;
    }
    *bits = (uint32_t)mpfr_get_si(w->in[0], MPFR_RNDN);
    return true;
}

/* The number of ones among the 32 bits of an integer. */
void reference_popcount(work_t *w)
{
    uint32_t bits = 0;
    if (bits_of_integer(w, &bits)) {
        mpfr_set_ui(w->out, (unsigned long)__builtin_popcount(bits), MPFR_RNDN);
    }
}

/* The number of zeros above the highest one of an integer's 32 bits; 32 for zero. */
void reference_clz(work_t *w)
{
    uint32_t bits = 0;
    if (bits_of_integer(w, &bits)) {
        mpfr_set_ui(w->out, bits == 0 ? INTEGER_BITS : (unsigned long)__builtin_clz(bits),
                    MPFR_RNDN);
    }
}

/* The quotient of two integers without its fraction; a divisor of zero gives no number. */
void reference_idiv(work_t *w)
{
    if (mpfr_zero_p(w->in[1])) {
        mpfr_set_nan(w->out);
        return;
    }
    mpfr_div(w->wide, w->in[0], w->in[1], MPFR_RNDN);
    mpfr_rint_trunc(w->out, w->wide, MPFR_RNDN);
}

/* The high 32 bits of the product of two integers of 32 bits, rounded down. */
void reference_mulhi(work_t *w)
{
    mpfr_mul(w->wide, w->in[0], w->in[1], MPFR_RNDN);
    mpfr_mul_2si(w->wide, w->wide, -INTEGER_BITS, MPFR_RNDN);
    mpfr_rint_floor(w->out, w->wide, MPFR_RNDN);
}
