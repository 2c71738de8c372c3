/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inner parts of the references, which reference.c, reference_fast.c and reference_arb.c share.
 */
#ifndef LAB_REFERENCE_WORK_H
#define LAB_REFERENCE_WORK_H

#include "reference/reference.h"
#include "reference/reference_level.h"

#include <mpfr.h>

struct reference_fast;

typedef struct reference_work work_t;

/* One of the three is set: MPFR's own function of one or two numbers, or a composition of ours. */
struct reference_function {
    struct reference reference;
    int (*one)(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t round);
    int (*two)(mpfr_ptr out, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t round);
    void (*compose)(work_t *work);
    bool vanishes; /* a zero for finite inputs that are not zero is an underflow */
    bool arb;      /* needs Arb */
};

/* Results for the four inputs +0, -0, +Inf, -Inf, which MPFR computes once. */
struct reference_known {
    uint32_t expected;
    uint8_t below;
    double value; /* not rounded */
};

struct reference_work {
    struct reference chosen;
    const struct reference *reference; /* the one above */
    const struct reference_function *function;
    const struct reference_fast *fast; /* NULL: only MPFR computes it */
    enum tx_dst_format dst, held;      /* format of results, and of inputs */
    const struct number_format *format;
    bool underflowed;
    uint64_t undecided;
    struct reference_known known[4];
    const struct reference_level *level; /* used for functions of one number that libm has */
    struct reference_rounding rounding;
    mpfr_t in[REF_INPUTS], wide, other, out;
};

/* Returns NULL when libm has no such function with a known bound. */
const struct reference_fast *reference_fast_find(const char *name);
void reference_fast_prepare(struct reference_work *work);
bool reference_ordinary(const double *x, unsigned inputs); /* all finite and not zero */

void reference_arb_i0(work_t *work);
void reference_arb_i1(work_t *work);
void reference_arb_erfinv(work_t *work);
void reference_arb_lambertw(work_t *work);
void reference_softsign(work_t *work);
void reference_relu6(work_t *work);
void reference_hardtanh(work_t *work);
void reference_hardsigmoid(work_t *work);
void reference_hardswish(work_t *work);
void reference_leaky_relu(work_t *work);
void reference_elu(work_t *work);
void reference_celu(work_t *work);
void reference_selu(work_t *work);
void reference_mish(work_t *work);
void reference_logsigmoid(work_t *work);
void reference_tanhshrink(work_t *work);
void reference_softshrink(work_t *work);
void reference_popcount(work_t *work);
void reference_clz(work_t *work);
void reference_idiv(work_t *work);
void reference_mulhi(work_t *work);
/* Whether the library is available; to be called before any of its functions. */
bool reference_arb_able(void);
void reference_arb_close(void); /* frees what this thread keeps */

#endif
