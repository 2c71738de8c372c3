/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPCONFIG: the new value of one column of a configuration register. Mod1 bit 0: the immediate is
 * the value; bits 2:1: 0 replace, 1 or, 2 and, 3 xor (registers 8 and 15 only).
 */
#ifndef TX_SEM_SFPCONFIG_H
#define TX_SEM_SFPCONFIG_H

#include "sem/sem.h"

static inline uint32_t config_combine(const struct tx_op *op, uint32_t old, uint32_t value)
{
    switch (op->mode & TX_MOD_SFPCONFIG_BITWISE_XOR) {
    case TX_MOD_SFPCONFIG_BITWISE_OR:
        return old | value;
    case TX_MOD_SFPCONFIG_BITWISE_AND:
        return old & value;
    case TX_MOD_SFPCONFIG_BITWISE_XOR:
        return old ^ value;
    default:
        return value;
    }
}

/* Returns the constant that the immediate form restores, for VD 11..14. */
static inline uint32_t config_constant(unsigned vd)
{
    static const uint32_t values[4] = {0xBF800000u, 0x3B000000u, 0xBF2CC4C7u, 0xBEB08FF9u};
    return values[vd - TX_MOD_SFPCONFIG_LREG11];
}

#endif
