/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that store to the registers of network interfaces. */
#ifndef TESTS_CHIP_NIU_H
#define TESTS_CHIP_NIU_H

#include "tile/code.h"

#include <tensix/chip.h>

enum { NIU = 0xFFB20000, NIU_1 = 0xFFB30000 };

/* Offsets in an initiator, of either chip. */
struct layout {
    uint32_t step, command, data;
};
__attribute__((unused)) static const struct layout layouts[2] = {{0x400, 0x28, 0x24},
                                                                 {0x800, 0x40, 0x28}};

static inline uint32_t branch(uint32_t word, uint32_t from, uint32_t to)
{
    const uint32_t i = to - from;
    return word | (i >> 12 & 1u) << 31 | (i >> 5 & 63u) << 25 | (i >> 1 & 15u) << 8 |
           (i >> 11 & 1u) << 7;
}

static inline void store(struct code *c, uint32_t address, uint32_t value)
{
    li(c, T0, address);
    li(c, T1, value);
    sw(c, T1, T0, 0);
}

/* Fills in an address with coordinates. */
static inline void place(struct code *c, enum tx_arch arch, uint32_t field, uint32_t address,
                         uint32_t at)
{
    store(c, field, address);
    store(c, field + 4, arch == TX_BLACKHOLE ? 0 : at << 4);
    if (arch == TX_BLACKHOLE) {
        store(c, field + 8, at);
    }
}

#endif
