/* SPDX-License-Identifier: Apache-2.0 */
/* Random inputs for kernels that are given none. */
#include "run/run.h"

#include <string.h>

uint64_t run_random_begin(uint32_t seed)
{
    return UINT64_C(0x9E3779B97F4A7C15) ^ seed;
}

uint32_t run_random_value(enum tx_dst_format dst, uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    const uint32_t bits = (uint32_t)(*state >> 32);
    if (number_format(dst)->integer) {
        return bits % 1999u - 999u;
    }
    const float value = (float)((double)(int32_t)bits / 536870912.0);
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}
