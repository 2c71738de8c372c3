/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory of one DRAM bank. Pages are allocated when they are first written; what nobody has
 * written reads as 0, and each byte has a bit that says whether it was. Source: spec/chip.md 5.
 */
#ifndef TX_DRAM_DRAM_H
#define TX_DRAM_DRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DRAM_PAGE = 1 << 16 };

struct dram_page {
    uint8_t bytes[DRAM_PAGE];
    uint8_t written[DRAM_PAGE / 8];
};

struct dram_bank {
    uint64_t size;
    struct dram_page **page; /* size / DRAM_PAGE of them; NULL: not written yet */
    uint32_t pages;          /* that are allocated */
};

/* Makes an empty bank. Returns false if there is no memory for its table. */
bool dram_open(struct dram_bank *bank, uint64_t size);
void dram_close(struct dram_bank *bank);
/* Forgets everything that was written. */
void dram_clear(struct dram_bank *bank);
/* Read and write bytes inside the bank. dram_write returns false if there is no memory left. */
void dram_read(const struct dram_bank *bank, uint64_t address, uint8_t *to, size_t size);
bool dram_write(struct dram_bank *bank, uint64_t address, const uint8_t *from, size_t size);
/* Returns whether one of the bytes was never written. */
bool dram_unwritten(const struct dram_bank *bank, uint64_t address, size_t size);

#endif
