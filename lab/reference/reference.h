/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mathematical functions by MPFR, rounded once to a Dst format. Inputs are the values as Dst holds
 * them. Denormals count as zeros in inputs and results, as for the Vector Unit's arithmetic. FP16
 * is Tensix's: it has no infinity, and values beyond +-131008 become that.
 */
#ifndef LAB_REFERENCE_H
#define LAB_REFERENCE_H

#include "reference/format.h"

enum { REF_INPUTS = TXL_REFERENCE_INPUTS, REF_PARAMETERS = 2 };

struct reference {
    const char *name;
    unsigned inputs;
    unsigned parameters;
    double parameter[REF_PARAMETERS]; /* in the table: the defaults */
};

const struct reference *reference_find(const char *name);
/*
 * Returns what a function of this name needs and is not available, for a message; NULL when there
 * is no such function.
 */
const char *reference_lacks(const char *name);
/*
 * Finds a function by its name, behind which parameters may stand, each after a colon:
 * "leaky_relu:0.01". Parameters that are left out have their defaults. TXL_OK, or TXL_INPUT with
 * what is wrong: for an unknown name the one that may have been meant, and how to give a function
 * of one's own.
 */
int reference_named(struct txl_error *err, const char *name, struct reference *found);
const struct reference *reference_at(size_t index); /* NULL past the end */

/* The variables for one function, to be used by one thread. */
struct reference_work;
struct reference_work *reference_open(const struct reference *reference, enum tx_dst_format format);
void reference_close(struct reference_work *work);
/* Sets the format of inputs when Dst holds them in another format than results. */
void reference_inputs(struct reference_work *work, enum tx_dst_format format);
/* Returns the function's value rounded to the format. x: as many numbers as it has inputs. */
double reference_value(struct reference_work *work, const double *x);
/* The same in double precision, not rounded to the format. */
double reference_unrounded(struct reference_work *work, const double *x);
/* Returns whether the last value was a denormal or smaller and became zero. */
bool reference_underflowed(const struct reference_work *work);

/*
 * Computes count elements at once, from patterns as Dst holds them to patterns: with
 * double-precision functions of libm whose error is bounded, and with MPFR where the bound does not
 * decide the rounding. below gets the results of reference_underflowed. value gets the unrounded
 * function to within reference_tolerance, or NaN where only MPFR has it; where expected is zero,
 * infinite or FP16's largest number, it is only some number that rounds to it. For integers below
 * marks where the function is a NaN, which no integer is.
 */
void reference_words(struct reference_work *work, const uint32_t *const *inputs, size_t count,
                     uint32_t *expected, uint8_t *below, double *value);
/* Returns the error bound of value in ULP of the format at the expected value. */
double reference_tolerance(const struct reference_work *work);
/* Returns how many elements reference_words has left to MPFR so far. */
uint64_t reference_undecided(const struct reference_work *work);
/* Rounds a number once to the format and returns its pattern; *below as above. */
uint32_t reference_round(enum tx_dst_format format, double value, uint8_t *below);
/*
 * Returns the distance of got from the unrounded function, both finite, in ULP of the format at
 * expected, which is the rounded function. Calculated by MPFR with 64 more bits and cut to a
 * multiple of 1/1024.
 */
double reference_distance(struct reference_work *work, const double *x, double expected,
                          double got);

#endif
