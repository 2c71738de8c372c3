/* SPDX-License-Identifier: Apache-2.0 */
/* What can be looked at and watched: "L3[7]", "dst[5][3]", "srca[0]", "gpr[4]", "l1[0x1000:64]". */
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

enum reading {
    READ_DEFAULT,
    READ_FP32,
    READ_BF16, /* two of them */
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
    unsigned first, count;  /* lanes, columns, words */
    uint32_t address;       /* of L1 */
    char name[TARGET_NAME]; /* as it is shown; of a field its own */
};

/* TXL_CONTINUE, or TXL_INPUT with d->err: it is none. text ends there. */
int target_parse(struct txl_debug *d, const char *text, struct target *target);
/* Its values now; at most TARGET_MOST. Dst: as its format reads it. 0: it cannot be read. */
unsigned target_read(struct txl_debug *d, const struct target *target, uint32_t *values);
/* How it is read unless somebody asks otherwise. */
enum reading target_reading(const struct txl_debug *d, const struct target *target);
/* "fp32", "f"; false: it is none. */
bool reading_parse(const char *text, enum reading *reading);
const char *reading_name(enum reading reading);
const char *reading_text(enum reading reading, uint32_t word, char text[48]);
/* A value to compare with, in that reading. */
bool reading_value(enum reading reading, const char *text, uint32_t *word);
/* "L3[7]", of the i-th value. */
const char *target_element(const struct target *target, unsigned i, char *text, size_t size);
/* Who has written that in the last tick; NULL: nobody that is known. */
const struct fact_write *target_writer(const struct txl_debug *d, const struct target *target,
                                       unsigned i);
/* Rows of Dst in that format, as words row by row of 16; false: there are none. */
bool dst_row(const struct txl_debug *d, enum tx_dst_format format, unsigned row, uint32_t *words);
/* Physical row of a row of Dst, and whether its values lie in two halves. */
enum tx_dst_format debug_dst(const struct txl_debug *d);

#endif
