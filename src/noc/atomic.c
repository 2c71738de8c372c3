/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Atomics on a line of 16 bytes of L1. Source: spec/chip.md 2.8 from isa NoC/Atomics 84287aa
 * (Blackhole), 150165b (Wormhole).
 */
#include "isa/chip.h"
#include "noc/noc.h"

#include "fmt/l1_accumulate.h"

enum { WORDS = 4 };

static void apart(const uint8_t line[16], uint32_t word[WORDS])
{
    for (unsigned i = 0; i < WORDS; i++) {
        word[i] = (uint32_t)line[4 * i] | (uint32_t)line[4 * i + 1] << 8 |
                  (uint32_t)line[4 * i + 2] << 16 | (uint32_t)line[4 * i + 3] << 24;
    }
}

static void together(const uint32_t word[WORDS], uint8_t line[16])
{
    for (unsigned i = 0; i < 16; i++) {
        line[i] = (uint8_t)(word[i / 4] >> 8 * (i % 4));
    }
}

/* The comparisons and operations of RISC-V's Zaamo, as the number in bits 10:8. */
static uint32_t amo(unsigned operation, uint32_t a, uint32_t b)
{
    switch (operation) {
    case 0:
        return a + b;
    case 1:
        return a ^ b;
    case 2:
        return a | b;
    case 3:
        return a & b;
    case 4:
        return (int32_t)a < (int32_t)b ? a : b;
    case 5:
        return (int32_t)a > (int32_t)b ? a : b;
    case 6:
        return a < b ? a : b;
    default:
        return a > b ? a : b;
    }
}

static uint32_t saturated(uint32_t a, uint32_t b)
{
    return a + b > 0xFF ? 0xFF : a + b;
}

/* Adds one word of data to one word of the line. Returns false if the format is not known. */
static bool parallel_add(unsigned format, uint32_t *word, uint32_t data)
{
    uint32_t sum = 0;
    switch (format) {
    case 0:
    case 8:
        *word = l1_accumulate_fp32(*word, data);
        return true;
    case 1:
    case 9:
        *word = l1_accumulate_fp16(*word & 0xFFFFu, data & 0xFFFFu) |
                l1_accumulate_fp16(*word >> 16, data >> 16) << 16;
        return true;
    case 2:
    case 10:
        *word = l1_accumulate_bf16(*word & 0xFFFFu, data & 0xFFFFu) |
                l1_accumulate_bf16(*word >> 16, data >> 16) << 16;
        return true;
    case 4:
    case 12:
    case 13:
        *word += data;
        return true;
    case 7:
    case 15:
        for (unsigned i = 0; i < 32; i += 8) {
            const uint32_t a = *word >> i & 0xFFu;
            const uint32_t b = data >> i & 0xFFu;
            sum |= (format == 7 ? saturated(a, b) : (a + b) & 0xFFu) << i;
        }
        *word = sum;
        return true;
    default:
        return false;
    }
}

static void swap_mask(uint32_t operation, uint32_t data, uint32_t word[WORDS])
{
    for (unsigned i = 0; i < 8; i++) {
        if (bits_has(operation >> 2, i)) {
            word[i / 2] = bits_set(word[i / 2], 16 * (i % 2), 16, data >> 16 * (i % 2));
        }
    }
}

/* Operations 6, 7 and 10 store the data to one word. */
static bool swap_index(enum tx_arch arch, uint32_t operation, uint32_t data, uint32_t word[WORDS])
{
    enum { AMO_BIT = 11, SWAP_KIND = 3 };
    uint32_t *one = &word[operation & 3u];
    switch (operation >> 12) {
    case ATOMIC_SWAP_6:
        if (!bits_has(operation, 2)) {
            return false;
        }
        *one = data;
        return true;
    case ATOMIC_SWAP_7:
        word[operation >> 2 & 3u] = data;
        return true;
    default:
        if (!CHIP_HAS(arch, NOC_AMO)) {
            return false; /* the page of Wormhole has no operation 10 */
        }
        if (bits_has(operation, AMO_BIT)) {
            *one = amo(operation >> 8 & 7u, *one, data);
        } else if ((operation >> 8 & 15u) == SWAP_KIND) {
            *one = data;
        } else {
            return false;
        }
        return true;
    }
}

bool noc_atomic(enum tx_arch arch, uint32_t operation, uint32_t data, uint8_t line[16])
{
    uint32_t word[WORDS];
    const uint32_t bits = (uint32_t)((2ull << (operation >> 2 & 31u)) - 1);
    uint32_t *one = &word[operation & 3u];
    bool done = true;
    apart(line, word);
    switch (operation >> 12 & 15u) {
    case ATOMIC_INCREMENT:
        *one = ((*one + data) & bits) | (*one & ~bits);
        break;
    case ATOMIC_SWAP_MASK:
        swap_mask(operation, data, word);
        break;
    case ATOMIC_COMPARE:
        *one = *one == (operation >> 2 & 15u) ? operation >> 6 & 15u : *one;
        break;
    case ATOMIC_SWAP_6:
    case ATOMIC_SWAP_7:
    case ATOMIC_AMO:
        done = swap_index(arch, operation & 0xFFFFu, data, word);
        break;
    case ATOMIC_ADD:
        for (unsigned i = 0; i < WORDS && done; i++) {
            done = parallel_add(operation & 15u, &word[i], data);
        }
        break;
    default:
        done = false;
        break;
    }
    if (done) {
        together(word, line);
    }
    return done;
}
