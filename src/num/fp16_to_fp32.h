/* SPDX-License-Identifier: Apache-2.0 */
/* SFPLOADI's FP16 immediate. The exponent is rebiased whatever it is, so that 0000 gives 2^-15. */
#ifndef TX_NUM_FP16_TO_FP32_H
#define TX_NUM_FP16_TO_FP32_H

#include <stdint.h>

static inline uint32_t fp16_to_fp32_rebias(uint32_t x)
{
    return ((x & 0x8000u) << 16) | ((((x >> 10) & 31u) + 112u) << 23) | ((x & 0x3FFu) << 13);
}

#endif
