/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a result is compared with: numbers as a Dst format holds them, errors in units in the last
 * place, and named functions (exp, tanh, gelu ...) computed by MPFR, Arb or libm and rounded once.
 *
 * Words are values as a kernel's Dst holds them: of float formats the pattern of the FP32 number,
 * of integer formats two's complement. Denormals count as zeros on the way in and on the way out,
 * as the Vector Unit's arithmetic has it. FP16 is Tensix's: no infinity, values beyond +-131008 are
 * that.
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

enum { TXL_REFERENCE_INPUTS = 3 }; /* the most that a function has */

/* ---- numbers of a Dst format ---- */

/* The number behind a word. flush: a denormal of the format is a zero of its sign. */
TXL_API double txl_word_number(enum tx_dst_format format, uint32_t word, bool flush);
/* The word of a number that the format holds; NaN of an integer format is 0. */
TXL_API uint32_t txl_number_word(enum tx_dst_format format, double value);
/*
 * The shortest decimal that reads back, "nan", or the integer, cut to size bytes with the zero at
 * the end; 48 bytes are enough. Returns text.
 */
TXL_API const char *txl_number_text(enum tx_dst_format format, uint32_t word, char *text,
                                    size_t size);
/* Whether the format's numbers are integers. */
TXL_API bool txl_number_is_integer(enum tx_dst_format format);

/*
 * Error of got in units in the last place: |got - expected| / 2^(e - p + 1), where p is the number
 * of bits of the format's significand and e the exponent of expected, but no less than that of the
 * least normal number. 0: exact, also where both are NaN or the same infinity. Infinity: NaN or
 * infinity against anything else. Integer formats: the unit is 1. Both words are flushed first.
 */
TXL_API double txl_ulp(enum tx_dst_format format, uint32_t expected, uint32_t got);

/* ---- named functions ---- */

/* The names, in order; NULL past the end. Some need a library (FLINT) that may not be there. */
TXL_API const char *txl_reference_name(size_t index);
/* Operands of the function, 1 to TXL_REFERENCE_INPUTS; 0: there is none of that name. */
TXL_API unsigned txl_reference_inputs(const char *name);

/*
 * A function with the variables of one thread: open, use and close it there. Where memory ends
 * inside of GMP, MPFR or FLINT they end the process, unless mp_set_memory_functions was given
 * functions that do something else; FLINT's memory comes from those, too.
 */
typedef struct txl_reference txl_reference;

/*
 * in: what operands stand in; out: what results are rounded to. TX_DST_FORMAT_UNSET means FP32.
 * TXL_OK, or TXL_INPUT where no function has the name or there is no memory; *reference is NULL
 * then.
 */
TXL_API int txl_reference_open(struct txl_error *err, const char *name, enum tx_dst_format in,
                               enum tx_dst_format out, txl_reference **reference);
/* NULL is nothing. */
TXL_API void txl_reference_close(txl_reference *reference);
/*
 * count elements: operand k of element i is inputs[k][i], its result rounded to nearest even goes
 * to expected[i]. below[i] (or below NULL): 1 where a result that is not zero came out as zero for
 * being too small, and of integer formats where the function is no number.
 */
TXL_API void txl_reference_words(txl_reference *reference, const uint32_t *const *inputs,
                                 size_t count, uint32_t *expected, uint8_t *below);

#ifdef __cplusplus
}
#endif

#endif
