/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mathematical functions through MPFR, rounded once to a Dst format. Inputs are the values as Dst
 * holds them; denormals are zeros on the way in and on the way out, as the Vector Unit's arithmetic
 * has it. FP16 is Tensix's: no infinity, values beyond +-131008 are that.
 */
#ifndef LAB_REFERENCE_H
#define LAB_REFERENCE_H

#include "reference/format.h"

enum { REF_INPUTS = TXL_REFERENCE_INPUTS };

struct reference {
    const char *name;
    unsigned inputs;
};

const struct reference *reference_find(const char *name);
/* What a function of this name needs and is not there, for a message; NULL: there is none such. */
const char *reference_lacks(const char *name);
/* TXL_OK, or TXL_INPUT with the name that may have been meant. */
int reference_named(struct txl_error *err, const char *name, const struct reference **found);
const struct reference *reference_at(size_t index); /* NULL past the end */

/* Variables of one thread. */
struct reference_work;
struct reference_work *reference_open(const struct reference *reference, enum tx_dst_format format);
void reference_close(struct reference_work *work);
/* Inputs stand in Dst in another format than results; reference_words reads them in that one. */
void reference_inputs(struct reference_work *work, enum tx_dst_format format);
/* x: as many numbers as the function has inputs. */
double reference_value(struct reference_work *work, const double *x);
/* The same in double precision, nothing of the format in it. */
double reference_unrounded(struct reference_work *work, const double *x);
/* Whether the last value was a denormal or less, brought to zero. */
bool reference_underflowed(const struct reference_work *work);

/*
 * The same for count elements at once, from patterns as Dst holds them to patterns:
 * double-precision functions of libm whose error is bounded, and MPFR where the bound does not
 * decide the rounding. below gets what reference_underflowed tells, value the unrounded function to
 * within reference_tolerance, or NaN where only MPFR has it; where expected is zero, infinite or
 * FP16's largest number, only something that rounds to it. Integers: below where it is NaN, which
 * no integer is.
 */
void reference_words(struct reference_work *work, const uint32_t *const *inputs, size_t count,
                     uint32_t *expected, uint8_t *below, double *value);
/* In ULP of the format at the expected value. */
double reference_tolerance(const struct reference_work *work);
/* Elements that reference_words left to MPFR so far. */
uint64_t reference_undecided(const struct reference_work *work);
/* A number rounded once to the format: its pattern; *below as above. */
uint32_t reference_round(enum tx_dst_format format, double value, uint8_t *below);
/*
 * Distance of got from the unrounded function, both finite, in ULP of the format at expected, which
 * is the function rounded; by MPFR with 64 more bits, cut to a multiple of 1/1024.
 */
double reference_distance(struct reference_work *work, const double *x, double expected,
                          double got);

#endif
