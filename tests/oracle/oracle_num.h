/* SPDX-License-Identifier: Apache-2.0 */
/* Second opinion on the arithmetic of the Tensix vector unit: see README.md. */
#ifndef ORACLE_NUM_H
#define ORACLE_NUM_H

#include <stdbool.h>
#include <stdint.h>

extern const uint8_t orc_recip_table[128];
extern const uint8_t orc_exp_table[896];

/* x * y + z on the partially fused multiply-adder; bh selects the chip. */
uint32_t orc_fma(int bh, uint32_t x, uint32_t y, uint32_t z);

/* Conversions of whole words. */
uint32_t orc_cast_sm32_fp32_rne(uint32_t sm);
uint32_t orc_cast_sm32_fp32_stoch(uint32_t sm, uint32_t draw);
uint32_t orc_cast_int_sm(uint32_t x); /* Blackhole SFPCAST mode 3 */
uint32_t orc_sm_to_2c(uint32_t x);    /* Wormhole load modes 12 and 13 */
uint32_t orc_2c_to_sm(uint32_t x);    /* Wormhole store modes 12 and 13 */
uint32_t orc_abs_int(uint32_t x);
uint32_t orc_abs_float(uint32_t x);

/* Rounding threshold out of the rounding field and a raw PRNG word, then the rounding itself.
 * mod1 is the low three bits, shift is used by flavours 4 and 5 only. */
uint32_t orc_stoch_threshold(int bh, unsigned rnd, uint32_t draw);
uint32_t orc_stochrnd(int bh, unsigned mod1, unsigned rnd, uint32_t draw, unsigned shift,
                      uint32_t x);

uint32_t orc_arecip(unsigned mod1, uint32_t vb, uint32_t vc);
uint32_t orc_mul24(bool upper, uint32_t a, uint32_t b, uint32_t c);
uint32_t orc_lz(uint32_t x);
uint32_t orc_exexp(uint32_t x, bool raw);
uint32_t orc_lut8(uint32_t code);
uint32_t orc_lut16(uint32_t code);
uint32_t orc_loadi(unsigned mod0, uint32_t imm16, uint32_t old);
uint32_t orc_shift(uint32_t x, int32_t amount, bool arithmetic);

/* Dst cells.  A cell of 32 bits is high half * 65536 + low half. */
bool orc_load_is32(unsigned mod0);
bool orc_store_is32(unsigned mod0);
uint32_t orc_dst_load(int bh, unsigned mod0, uint32_t cell, uint32_t old, bool fp16a_inf);
uint32_t orc_dst_store(int bh, unsigned mod0, uint32_t word);
unsigned orc_adj16(unsigned row, bool remap);
unsigned orc_adj32(unsigned row, bool remap, bool swizzle);

uint32_t orc_prng_step(uint32_t s);
void orc_prng_seed(uint32_t seed, uint32_t state[32]);

bool orc_sm_less(uint32_t c, uint32_t d);
bool orc_boolop(unsigned op, bool a, bool b);

#endif
