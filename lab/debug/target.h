/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Targets that can be printed and watched: "L3[7]", "dst[5][3]", "srca[0]", "gpr[4]",
 * "l1[0x1000:64]".
 */
#ifndef LAB_DEBUG_TARGET_H
#define LAB_DEBUG_TARGET_H

#include "debug/debug.h"

enum target_kind {
    TARGET_LREG,
    TARGET_DST,
    TARGET_SRCA,
    TARGET_SRCB,
    TARGET_GPR,
    TARGET_CFG,
    TARGET_L1,
    TARGET_FLAGS
};

/* How bits are shown as values. */
enum reading {
    READ_DEFAULT,
    READ_FP32,
    READ_BF16, /* the two halves as BF16 */
    READ_INT,
    READ_UINT,
    READ_SM, /* sign and magnitude */
    READ_HEX
};

enum { TARGET_MOST = 1024, TARGET_NAME = 64 };

struct target {
    enum target_kind kind;
    unsigned index; /* LReg, row of Dst or Src, GPR */
    unsigned thread;
    unsigned first, count;  /* range of lanes, columns or words */
    uint32_t address;       /* for L1 */
    char name[TARGET_NAME]; /* as it is shown; for a configuration field its name */
};

/* Parses a target, which must be the whole text. Returns TXL_CONTINUE, or TXL_INPUT with d->err. */
int target_parse(struct txl_debug *d, const char *text, struct target *target);
/*
 * Reads the current values, at most TARGET_MOST, and returns their number; 0: it cannot be read.
 * Dst is read in its format.
 */
unsigned target_read(struct txl_debug *d, const struct target *target, uint32_t *values);
/* Returns the reading used unless the user requests another. */
enum reading target_reading(const struct txl_debug *d, const struct target *target);
/* Parses "fp32", "f"; returns false for anything else. */
bool reading_parse(const char *text, enum reading *reading);
const char *reading_name(enum reading reading);
const char *reading_text(enum reading reading, uint32_t word, char text[48]);
/* Parses a value to compare with, in the given reading. */
bool reading_value(enum reading reading, const char *text, uint32_t *word);
/* Names the i-th value of a target: "L3[7]". */
const char *target_element(const struct target *target, unsigned i, char *text, size_t size);
/* Finds the write that changed the i-th value in the last tick; NULL: unknown. */
const struct fact_write *target_writer(const struct txl_debug *d, const struct target *target,
                                       unsigned i);
/* Reads a row of Dst in a format, as 16 words; returns false where there is no such row. */
bool dst_row(const struct txl_debug *d, enum tx_dst_format format, unsigned row, uint32_t *words);
/* Returns the format in which Dst is shown. */
enum tx_dst_format debug_dst(const struct txl_debug *d);

#endif
