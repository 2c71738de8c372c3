/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Floating point as Blackhole's RISC-V cores compute it, for F, Zfh and V. A value is the bits of
 * its format in the low bits of a word. Flags are those of fcsr and are added to *flags.
 * Source: isa BabyRISCV/InstructionSet (jasondavies e739ac0), Miscellaneous/FMA; the RISC-V
 * Instruction Set Manual 20240411 for the rest. What neither says is evidence entry TL-29.
 */
#ifndef TX_RISCV_FLOAT_H
#define TX_RISCV_FLOAT_H

#include "num/fp_exact.h"
#include "num/fp32_fma_bh.h"

enum float_compare { FLOAT_LE, FLOAT_LT, FLOAT_EQ };

/*
 * x * y + z of any format, denormals being zeros both ways. The format decides what is rounded:
 * FP32 as the Vector Unit does it, narrower formats once, to nearest or in the mode given.
 */
uint32_t float_fma(struct fp_format f, uint32_t x, uint32_t y, uint32_t z, enum fp_rounding mode,
                   uint32_t *flags);
uint32_t float_add(struct fp_format f, uint32_t x, uint32_t y, enum fp_rounding mode,
                   uint32_t *flags);
uint32_t float_mul(struct fp_format f, uint32_t x, uint32_t y, enum fp_rounding mode,
                   uint32_t *flags);
/* The least or greatest of two; a number if there is one. -0 is less than 0. */
uint32_t float_least(struct fp_format f, uint32_t x, uint32_t y, bool greatest, uint32_t *flags);
bool float_compares(struct fp_format f, enum float_compare how, uint32_t x, uint32_t y,
                    uint32_t *flags);
/* Returns one bit of ten that says what kind of value it is, as fclass has them. */
uint32_t float_class(struct fp_format f, uint32_t v);
/* "bits": width of the integer, at most 32. NaN gives the greatest integer. */
uint32_t float_to_integer(struct fp_format f, uint32_t v, bool is_signed, unsigned bits,
                          enum fp_rounding mode, uint32_t *flags);
uint32_t float_of_integer(struct fp_format f, uint32_t v, bool is_signed, enum fp_rounding mode,
                          uint32_t *flags);
uint32_t float_convert(struct fp_format to, struct fp_format from, uint32_t v,
                       enum fp_rounding mode, uint32_t *flags);

#endif
