/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mathematical functions through MPFR, rounded once to a Dst format. Inputs are the values as Dst
 * holds them; denormals are zeros on the way in and on the way out, as the Vector Unit's arithmetic
 * has it. FP16 is Tensix's: no infinity, values beyond +-131008 are that.
 */
#ifndef CLI_REFERENCE_H
#define CLI_REFERENCE_H

#define _GNU_SOURCE 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tensix/tensix.h>

enum { REF_INPUTS = 3 };

struct reference {
    const char *name;
    unsigned inputs;
};

/* A Dst format as numbers see it. */
struct number_format {
    bool integer;
    bool saturates; /* no infinity */
    int precision;  /* bits of the significand */
    int least;      /* exponent of the least normal number */
    double most;    /* the largest finite value */
};

const struct reference *reference_find(const char *name);
const struct reference *reference_at(size_t index); /* NULL past the end */
const struct number_format *number_format(enum tx_dst_format format);

/* Variables of one thread. */
struct reference_work;
struct reference_work *reference_open(const struct reference *reference, enum tx_dst_format format);
void reference_close(struct reference_work *work);
/* x: as many numbers as the function has inputs. */
double reference_value(struct reference_work *work, const double *x);
/* Whether the last value was a denormal or less, brought to zero. */
bool reference_underflowed(const struct reference_work *work);

/* The number behind a pattern (FP32, or two's complement of integer formats). */
double number_of(enum tx_dst_format format, uint32_t word, bool flush);
/* The pattern of a number that the format holds. */
uint32_t word_of(enum tx_dst_format format, double value);

#endif
