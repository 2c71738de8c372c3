/* SPDX-License-Identifier: Apache-2.0 */
/* What the sources of the second Matrix Unit share. */
#ifndef ORACLE_MATRIX_INNER_H
#define ORACLE_MATRIX_INNER_H

#include "oracle_matrix.h"

static inline uint32_t bits(uint32_t x, unsigned high, unsigned low)
{
    return (uint32_t)((uint64_t)x >> low & (((uint64_t)1 << (high - low + 1)) - 1));
}

struct seen {
    struct orc_matrix *s;
    bool f32, i8, zfd, fa;
    unsigned fmt[2], phase;
    enum orc_style style;
    bool wide; /* arithmetic, GMPOOL, MOVD2x */
};

/* Where the implied formats of Blackhole come from (5.1). */
enum implied { BOTH, A_ONLY, B_FOR_BOTH, B_ONLY, D2B };

bool orm_in_eight(unsigned format);
void orm_look(struct seen *v, struct orc_matrix *s, enum implied from);
void orm_flip(struct orc_matrix *s, uint32_t word);
/* AddrMod in two bits at 15 on Wormhole, in three from `at` on Blackhole. */
void orm_addr_mod(struct orc_matrix *s, uint32_t word, unsigned at);
unsigned orm_drow(const struct orc_matrix *s, uint32_t word);
unsigned orm_place(const struct orc_matrix *s, unsigned row, bool wide);
/* A cell of the view as stored: 32 bits are high . low. */
uint32_t orm_get(const struct orc_matrix *s, unsigned row, unsigned column, bool wide,
                 uint32_t invalid);
void orm_put(struct orc_matrix *s, unsigned row, unsigned column, bool wide, uint32_t cell);
void orm_now_valid(struct orc_matrix *s, unsigned row, bool wide);
/* 5.3 */
uint32_t orm_truncated(const struct seen *v, unsigned x, uint32_t cell);

/* Sections 7.6 to 7.9: what does not compute. False: not one of them. */
bool orm_rows_exec(struct orc_matrix *s, uint32_t word);

#endif
