/* SPDX-License-Identifier: Apache-2.0 */
/* All of a machine's register files as one array, with the names that the data files use. */
#ifndef TESTS_INSN_IMAGE_H
#define TESTS_INSN_IMAGE_H

#include <tensix/tensix.h>

#include <stdio.h>
#include <string.h>

enum { IMAGE_FILES = 28, IMAGE_WORDS = 24576 };

/* What surrounds the machine, in the form of register files. */
enum { IMAGE_MEMORY = TX_FILE_COUNT, IMAGE_REGISTERS, IMAGE_PORT };
enum { IMAGE_REGISTER_BASE = 0x11000, IMAGE_L1_WORDS = 64 };
static struct image_outside {
    uint32_t l1[IMAGE_L1_WORDS];
    uint32_t registers[8]; /* from 0xFFB11000 on */
    uint32_t port[5];      /* of the last call: address, values */
} image_outside;

/* Rows of a name: L4 is row 4 of L. Values of a row stand in brackets: L4[0]. */
static const struct image_file {
    const char *name;
    unsigned file; /* enum tx_file, or one of the three above */
    unsigned rows, values;
    unsigned
        per_thread; /* distance between the rows of two threads in tx_read's index, 0: shared */
} image_files[IMAGE_FILES] = {
    {"LATCH", TX_FILE_SHIFT_LATCH, 1, 32, 0},
    {"LF", TX_FILE_LANE_FLAGS, 1, 1, 0},
    {"LC", TX_FILE_LANE_CONFIG, 1, 8, 0},
    {"L", TX_FILE_LREG, 17, 32, 0},
    {"USE", TX_FILE_USE_LANE_FLAGS, 1, 1, 0},
    {"STACK", TX_FILE_FLAG_STACK, 8, 2, 0},
    {"DEPTH", TX_FILE_STACK_DEPTH, 1, 32, 0},
    {"PRNG", TX_FILE_PRNG, 1, 32, 0},
    {"T", TX_FILE_MACRO_TEMPLATE, 4, 32, 0},
    {"SEM", TX_FILE_SEMAPHORE, 8, 2, 0},
    {"S", TX_FILE_MACRO_SEQUENCE, 4, 32, 0},
    {"MISC", TX_FILE_MACRO_MISC, 1, 32, 0},
    {"D", TX_FILE_DST, 1024, 16, 0},
    {"V", TX_FILE_DST_VALID, 1024, 1, 0},
    {"RWC", TX_FILE_RWC, 1, TX_RWC_COUNT, 1},
    {"CFG", TX_FILE_CONFIG, 512, 1, 0},
    {"TCFG", TX_FILE_THREAD_CONFIG, 128, 1, 128},
    {"GPR", TX_FILE_GPR, 64, 1, 64},
    {"MUTEX", TX_FILE_MUTEX, 8, 1, 0},
    {"MOP", TX_FILE_MOP, 9, 1, 9},
    {"MASK", TX_FILE_MOP_MASK, 1, 1, 1},
    {"BANK", TX_FILE_SRC_BANK, 2, 4, 0},
    {"SRC", TX_FILE_SRC, 256, 16, 0},
    {"FMT", TX_FILE_SRC_FORMAT, 2, 2, 0},
    {"ADC", TX_FILE_ADC, 3, 16, 3},
    {"MEM", IMAGE_MEMORY, IMAGE_L1_WORDS, 1, 0},
    {"REG", IMAGE_REGISTERS, 8, 1, 0},
    {"PORT", IMAGE_PORT, 1, 5, 0},
};

struct image {
    uint32_t v[IMAGE_WORDS];
};

static inline size_t image_base(unsigned file)
{
    size_t base = 0;
    for (unsigned f = 0; f < file; f++) {
        base += (size_t)image_files[f].rows * image_files[f].values;
    }
    return base;
}

/* Row of one of the three, or NULL. */
static inline uint32_t *image_outer(unsigned file, unsigned row)
{
    switch (file) {
    case IMAGE_MEMORY:
        return &image_outside.l1[row];
    case IMAGE_REGISTERS:
        return &image_outside.registers[row];
    case IMAGE_PORT:
        return image_outside.port;
    default:
        return NULL;
    }
}

static inline bool image_access(const tx_machine *m, const struct image_file *file, unsigned row,
                                unsigned thread, uint32_t *v)
{
    const uint32_t *outer = image_outer(file->file, row);
    if (outer != NULL) {
        memcpy(v, outer, file->values * sizeof *v);
        return true;
    }
    return tx_read(m, (enum tx_file)file->file, row + thread * file->per_thread, v, file->values) ==
           TX_OK;
}

static inline bool image_assign(tx_machine *m, const struct image_file *file, unsigned row,
                                unsigned thread, const uint32_t *v)
{
    uint32_t *outer = image_outer(file->file, row);
    if (outer != NULL) {
        memcpy(outer, v, file->values * sizeof *v);
        return true;
    }
    return tx_write(m, (enum tx_file)file->file, row + thread * file->per_thread, v,
                    file->values) == TX_OK;
}

static inline void image_read(const tx_machine *m, unsigned thread, struct image *image)
{
    size_t at = 0;
    for (unsigned f = 0; f < IMAGE_FILES; f++) {
        const struct image_file *file = &image_files[f];
        for (unsigned row = 0; row < file->rows; row++, at += file->values) {
            if (!image_access(m, file, row, thread, &image->v[at])) {
                fprintf(stderr, "cannot read %s%u\n", file->name, row);
            }
        }
    }
}

/* False where the machine refuses a value that differs from what it holds. */
static inline bool image_write(tx_machine *m, unsigned thread, const struct image *image,
                               const struct image *current)
{
    size_t at = 0;
    bool good = true;
    for (unsigned f = 0; f < IMAGE_FILES; f++) {
        const struct image_file *file = &image_files[f];
        for (unsigned row = 0; row < file->rows; row++, at += file->values) {
            if (memcmp(&image->v[at], &current->v[at], file->values * sizeof image->v[0]) != 0 &&
                !image_assign(m, file, row, thread, &image->v[at])) {
                fprintf(stderr, "cannot write %s%u\n", file->name, row);
                good = false;
            }
        }
    }
    return good;
}

/* What differs first, or false. */
static inline bool image_differs(const struct image *want, const struct image *got, char text[128])
{
    size_t at = 0;
    for (unsigned f = 0; f < IMAGE_FILES; f++) {
        const struct image_file *file = &image_files[f];
        for (unsigned row = 0; row < file->rows; row++) {
            for (unsigned i = 0; i < file->values; i++, at++) {
                if (want->v[at] != got->v[at]) {
                    snprintf(text, 128, "%s%u[%u]: want %08X, got %08X", file->name, row, i,
                             (unsigned)want->v[at], (unsigned)got->v[at]);
                    return true;
                }
            }
        }
    }
    return false;
}

/* Nothing is zero by accident: an untouched register that changes will be seen. */
static inline void image_pattern(struct image *image)
{
    for (unsigned f = 0; f < IMAGE_FILES; f++) {
        const struct image_file *file = &image_files[f];
        uint32_t *v = &image->v[image_base(f)];
        for (unsigned row = 0; row < file->rows; row++) {
            for (unsigned i = 0; i < file->values; i++, v++) {
                const bool constant = file->file == TX_FILE_LREG && row >= 8 && row <= 15;
                switch (file->file) {
                case IMAGE_MEMORY:
                case IMAGE_REGISTERS:
                    *v = 0x4D450000u + file->file * 0x10000u + row * 16;
                    break;
                case TX_FILE_LREG:
                    *v = constant ? *v : 0x5C0D0000u | row << 8 | i;
                    break;
                case TX_FILE_PRNG:
                case TX_FILE_SHIFT_LATCH:
                case TX_FILE_MACRO_TEMPLATE:
                case TX_FILE_MACRO_SEQUENCE:
                case TX_FILE_GPR:
                    *v = 0x13570000u + (unsigned)file->file * 0x100000u + row * 256 + i;
                    break;
                case TX_FILE_DST:
                    *v = (row * 16u + i) * 40503u & 0xFFFFu;
                    break;
                case TX_FILE_MACRO_MISC:
                    *v = 0x5A5;
                    break;
                default:
                    break; /* as after reset */
                }
            }
        }
    }
}

#endif
