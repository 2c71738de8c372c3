/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The references that results are compared with: numbers as a Dst format holds them, errors in
 * units in the last place, and named functions (exp, tanh, gelu ...) computed by MPFR, Arb or libm
 * and rounded once.
 *
 * Words are values as a kernel's Dst holds them: for float formats the bit pattern of the FP32
 * number, for integer formats two's complement. Denormals count as zero on input and output, as in
 * the Vector Unit's arithmetic. FP16 is Tensix's: it has no infinity, and values beyond +-131008
 * saturate there.
 */
#ifndef TENSIX_LAB_REFERENCE_H
#define TENSIX_LAB_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tensix/tensix.h>
#include <tensix-lab/error.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TXL_REFERENCE_INPUTS = 3 }; /* the most operands of any function */

/* ---- numbers of a Dst format ---- */

/*
 * Returns the number that a word stands for. flush: a denormal of the format becomes a zero of the
 * same sign.
 */
TXL_API double txl_word_number(enum tx_dst_format format, uint32_t word, bool flush);
/*
 * Returns the word of a number, which the format must be able to represent; NaN of an integer
 * format is 0.
 */
TXL_API uint32_t txl_number_word(enum tx_dst_format format, double value);
/*
 * Writes the shortest decimal that reads back as the same word, or "nan", or the integer, cut to
 * size bytes with the final zero; 48 bytes are enough. Returns text.
 */
TXL_API const char *txl_number_text(enum tx_dst_format format, uint32_t word, char *text,
                                    size_t size);
/* Tells whether the format holds integers. */
TXL_API bool txl_number_is_integer(enum tx_dst_format format);

/*
 * Returns the error of got in units in the last place: |got - expected| / 2^(e - p + 1), where p is
 * the number of bits of the format's significand and e the exponent of expected, but at least that
 * of the smallest normal number. Zero and the smallest normal number, between which there are only
 * denormals, are neighbours: 1 apart. The result is 0 where they are equal, both NaN, or the same
 * infinity, and infinity where one of them alone is NaN or infinite. For integer formats the unit
 * is 1. Both words are flushed first.
 */
TXL_API double txl_ulp(enum tx_dst_format format, uint32_t expected, uint32_t got);

/* ---- named functions ---- */

/*
 * Names of the functions, in order; NULL past the end. Some of them need a library (FLINT) that may
 * be missing.
 */
TXL_API const char *txl_reference_name(size_t index);
/* Returns the number of operands of a function, 1 to TXL_REFERENCE_INPUTS; 0: no such function. */
TXL_API unsigned txl_reference_inputs(const char *name);

/*
 * A function with the state that one thread needs to compute it: open, use and close it in the same
 * thread. When GMP, MPFR or FLINT run out of memory they end the process, unless
 * mp_set_memory_functions was given allocators that do otherwise; FLINT uses them, too.
 */
typedef struct txl_reference txl_reference;

/*
 * Opens a function. in is the format of its operands, out the format that results are rounded to;
 * TX_DST_FORMAT_UNSET means FP32. Returns TXL_OK, or TXL_INPUT with *reference NULL where no
 * function has the name or there is no memory.
 */
TXL_API int txl_reference_open(struct txl_error *err, const char *name, enum tx_dst_format in,
                               enum tx_dst_format out, txl_reference **reference);
/* NULL does nothing. */
TXL_API void txl_reference_close(txl_reference *reference);
/*
 * Computes count elements: operand k of element i is inputs[k][i], and expected[i] is the result
 * rounded to nearest, ties to even. below[i] (below may be NULL) becomes 1 where a nonzero result
 * underflowed to zero, and for integer formats where the function is not a number.
 */
TXL_API void txl_reference_words(txl_reference *reference, const uint32_t *const *inputs,
                                 size_t count, uint32_t *expected, uint8_t *below);

#ifdef __cplusplus
}
#endif

#endif
