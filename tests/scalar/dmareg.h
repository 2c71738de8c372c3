/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The DMAREG instructions stated a second time, bit by bit and by repeated steps, without the
 * operators that the emulator uses (formats-and-scalar-unit.md B.3, B.4).
 */
#ifndef TESTS_SCALAR_DMAREG_H
#define TESTS_SCALAR_DMAREG_H

#include <tensix/tensix.h>

enum { DMAREG_KINDS = 11, DMAREG_THREAD = 0 };

/* opcode and mode, in the order of dmareg_stated's cases */
static const struct dmareg_kind {
    uint8_t opcode, mode;
} dmareg_kinds[DMAREG_KINDS] = {{0x58, 0}, {0x59, 0}, {0x5A, 0}, {0x5B, 0}, {0x5B, 1}, {0x5B, 2},
                                {0x5C, 0}, {0x5C, 1}, {0x5D, 0}, {0x5D, 1}, {0x5D, 2}};

static inline unsigned dmareg_bit(uint32_t x, unsigned i)
{
    return x / (uint32_t)(UINT64_C(1) << i) % 2;
}

/* a + b + carry with a full adder for each bit; invert: b's bits are taken the other way round */
static inline uint32_t dmareg_adder(uint32_t a, uint32_t b, bool invert, unsigned carry)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < 32; i++) {
        const unsigned y = invert ? 1 - dmareg_bit(b, i) : dmareg_bit(b, i);
        const unsigned total = dmareg_bit(a, i) + y + carry;
        sum += (uint64_t)(total % 2) << i;
        carry = total / 2;
    }
    return (uint32_t)sum;
}

/* -1, 0, 1: below, equal, above, by the highest bit that differs */
static inline int dmareg_order(uint32_t a, uint32_t b)
{
    for (unsigned i = 32; i-- > 0;) {
        if (dmareg_bit(a, i) != dmareg_bit(b, i)) {
            return dmareg_bit(a, i) != 0 ? 1 : -1;
        }
    }
    return 0;
}

static inline uint32_t dmareg_bitwise(uint32_t a, uint32_t b, unsigned mode)
{
    uint64_t out = 0;
    for (unsigned i = 0; i < 32; i++) {
        const unsigned ones = dmareg_bit(a, i) + dmareg_bit(b, i);
        const bool set = mode == 0 ? ones == 2 : mode == 1 ? ones != 0 : ones == 1;
        out += set ? UINT64_C(1) << i : 0;
    }
    return (uint32_t)out;
}

static inline uint32_t dmareg_product(uint32_t a, uint32_t b)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < 16; i++) {
        if (dmareg_bit(b, i) != 0) {
            sum = dmareg_adder(sum, a % 65536 * (uint32_t)(UINT64_C(1) << i), false, 0);
        }
    }
    return sum;
}

static inline uint32_t dmareg_shift(uint32_t a, uint32_t amount, bool right)
{
    for (unsigned i = amount % 32; i != 0; i--) {
        a = right ? a / 2 : dmareg_adder(a, a, false, 0);
    }
    return a;
}

static inline uint32_t dmareg_stated(unsigned kind, uint32_t a, uint32_t b)
{
    switch (kind) {
    case 0:
        return dmareg_adder(a, b, false, 0);
    case 1:
        return dmareg_adder(a, b, true, 1);
    case 2:
        return dmareg_product(a, b);
    case 3:
    case 4:
    case 5:
        return dmareg_bitwise(a, b, kind - 3);
    case 6:
    case 7:
        return dmareg_shift(a, b, kind == 7);
    default:
        return dmareg_order(a, b) == (kind == 8 ? 1 : kind == 9 ? -1 : 0);
    }
}

/* Runs one instruction on registers ra, rb (or immediate b) -> rr; all other registers stay. */
static inline bool dmareg_agrees(tx_machine *m, unsigned kind, bool constant, unsigned rr,
                                 unsigned rb, unsigned ra, uint32_t a, uint32_t b)
{
    const struct dmareg_kind *k = &dmareg_kinds[kind];
    const uint32_t word = (uint32_t)k->opcode << 24 | (uint32_t)constant << 23 |
                          (uint32_t)k->mode << 18 | rr << 12 | rb << 6 | ra;
    uint32_t got = 0;
    (void)tx_write(m, TX_FILE_GPR, ra, &a, 1);
    if (!constant) {
        (void)tx_write(m, TX_FILE_GPR, rb, &b, 1);
        a = ra == rb ? b : a;
    }
    const uint64_t before = tx_machine_counters(m).cycles;
    const bool ran = tx_run(m, DMAREG_THREAD, &word, 1) == TX_OK;
    (void)tx_read(m, TX_FILE_GPR, rr, &got, 1);
    const uint64_t cycles = tx_machine_counters(m).cycles - before;
    const uint64_t want_cycles = !constant && ra / 4 != rb / 4 ? 4 : 3;
    return ran && got == dmareg_stated(kind, a, constant ? rb : b) && cycles == want_cycles;
}

#endif
