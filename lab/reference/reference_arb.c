/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that MPFR lacks, with Arb's ball arithmetic: the precision grows until both ends of the
 * ball round to the same number.
 */
#include "reference/reference_work.h"

#ifdef TENSIX_HAVE_ARB

#include <gmp.h>
#include <pthread.h>
#include <string.h>

#include "base/lazy.h"
#include "base/lazy_arb.h"

enum { FIRST_BITS = 128, MOST_BITS = 8192 };

typedef void ball_function(arb_t out, const arb_t x, slong bits);

/*
 * Sets out to the function's value, or to NaN when no precision decides, which does not happen
 * inside the functions' domains.
 */
static void decide(work_t *work, ball_function *function)
{
    mpfr_t low;
    mpfr_t high;
    arb_t x;
    arb_t y;
    mpfr_init2(low, mpfr_get_prec(work->out));
    mpfr_init2(high, mpfr_get_prec(work->out));
    arb_init(x);
    arb_init(y);
    arf_set_mpfr(arb_midref(x), work->in[0]);
    mpfr_set_nan(work->out);
    for (slong bits = FIRST_BITS; bits <= MOST_BITS; bits *= 2) {
        function(y, x, bits);
        if (!arb_is_finite(y)) {
            continue;
        }
        arb_get_lbound_arf(arb_midref(x), y, bits);
        arf_get_mpfr(low, arb_midref(x), MPFR_RNDN);
        arb_get_ubound_arf(arb_midref(x), y, bits);
        arf_get_mpfr(high, arb_midref(x), MPFR_RNDN);
        arf_set_mpfr(arb_midref(x), work->in[0]);
        if (mpfr_equal_p(low, high) && mpfr_signbit(low) == mpfr_signbit(high)) {
            mpfr_set(work->out, low, MPFR_RNDN);
            break;
        }
    }
    arb_clear(x);
    arb_clear(y);
    mpfr_clear(low);
    mpfr_clear(high);
}

static void ball_i0(arb_t out, const arb_t x, slong bits)
{
    arb_t order;
    arb_init(order);
    arb_hypgeom_bessel_i(out, order, x, bits);
    arb_clear(order);
}

static void ball_i1(arb_t out, const arb_t x, slong bits)
{
    arb_t order;
    arb_init(order);
    arb_set_ui(order, 1);
    arb_hypgeom_bessel_i(out, order, x, bits);
    arb_clear(order);
}

static void ball_erfinv(arb_t out, const arb_t x, slong bits)
{
    arb_hypgeom_erfinv(out, x, bits);
}

static void ball_lambertw(arb_t out, const arb_t x, slong bits)
{
    arb_lambertw(out, x, 0, bits);
}

/* Returns whether I0 and I1 are far above every format here: I0(x) > exp(x) / (2 pi x)^(1/2). */
static bool bessel_overflows(work_t *work)
{
    return mpfr_inf_p(work->in[0]) || mpfr_cmpabs_ui(work->in[0], 1000) > 0;
}

void reference_arb_i0(work_t *work)
{
    if (mpfr_nan_p(work->in[0])) {
        mpfr_set_nan(work->out);
    } else if (bessel_overflows(work)) {
        mpfr_set_inf(work->out, 1);
    } else {
        decide(work, ball_i0);
    }
}

void reference_arb_i1(work_t *work)
{
    if (mpfr_nan_p(work->in[0])) {
        mpfr_set_nan(work->out);
    } else if (mpfr_zero_p(work->in[0])) {
        mpfr_set(work->out, work->in[0], MPFR_RNDN);
    } else if (bessel_overflows(work)) {
        mpfr_set_inf(work->out, mpfr_sgn(work->in[0]));
    } else {
        decide(work, ball_i1);
    }
}

void reference_arb_erfinv(work_t *work)
{
    if (mpfr_nan_p(work->in[0]) || mpfr_cmpabs_ui(work->in[0], 1) > 0) {
        mpfr_set_nan(work->out);
    } else if (mpfr_zero_p(work->in[0])) {
        mpfr_set(work->out, work->in[0], MPFR_RNDN);
    } else if (mpfr_cmpabs_ui(work->in[0], 1) == 0) {
        mpfr_set_inf(work->out, mpfr_sgn(work->in[0]));
    } else {
        decide(work, ball_erfinv);
    }
}

/* The principal branch, which begins at -1/e. */
void reference_arb_lambertw(work_t *work)
{
    if (mpfr_nan_p(work->in[0]) || mpfr_cmp_d(work->in[0], -0x1.78b56362cef37p-2) < 0) {
        mpfr_set_nan(work->out);
    } else if (mpfr_zero_p(work->in[0]) || mpfr_inf_p(work->in[0])) {
        mpfr_set(work->out, work->in[0], MPFR_RNDN);
    } else {
        decide(work, ball_lambertw);
    }
}

/*
 * FLINT gets its memory from GMP's functions (mp_set_memory_functions), so that a program that
 * replaces those sees both. GMP wants to know the size of a block, which is therefore stored before
 * it.
 */
enum { HEAD = 16 };

static void *get(size_t size)
{
    void *(*gmp)(size_t) = NULL;
    mp_get_memory_functions(&gmp, NULL, NULL);
    char *block = gmp(size + HEAD);
    memcpy(block, &size, sizeof size);
    return block + HEAD;
}

static void *get_zeroed(size_t count, size_t each)
{
    return memset(get(count * each), 0, count * each);
}

static void *get_larger(void *old, size_t size)
{
    void *(*gmp)(void *, size_t, size_t) = NULL;
    size_t before = 0;
    if (old == NULL) {
        return get(size);
    }
    mp_get_memory_functions(NULL, &gmp, NULL);
    memcpy(&before, (char *)old - HEAD, sizeof before);
    char *block = gmp((char *)old - HEAD, before + HEAD, size + HEAD);
    memcpy(block, &size, sizeof size);
    return block + HEAD;
}

static void give_back(void *block)
{
    void (*gmp)(void *, size_t) = NULL;
    size_t size = 0;
    if (block != NULL) {
        mp_get_memory_functions(NULL, NULL, &gmp);
        memcpy(&size, (char *)block - HEAD, sizeof size);
        gmp((char *)block - HEAD, size + HEAD);
    }
}

static void open_arb(void)
{
    if (lazy_open(TENSIX_LIBARB, lazy_arb_names, sizeof lazy_arb_names / sizeof lazy_arb_names[0],
                  &lazy_arb, NULL)) {
        __flint_set_memory_functions(get, get_zeroed, get_larger, give_back);
    }
}

bool reference_arb_able(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, open_arb);
    return flint_cleanup != NULL;
}

void reference_arb_close(void)
{
    if (flint_cleanup != NULL) {
        flint_cleanup();
    }
}

#endif
