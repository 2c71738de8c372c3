/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of Dst: 1024 rows of 16 cells of 16 bits. A 32-bit datum is two cells eight rows apart, the
 * high half first. Source: ISA documentation Dst 093af91; formats-and-scalar-unit.md C.3.
 */
#ifndef TX_FMT_DST_ROWS_H
#define TX_FMT_DST_ROWS_H

#include "base/bits.h"

static inline unsigned dst_adj16(unsigned row, bool remap)
{
    return remap ? (row & 0x3C7u) ^ ((row & 0x30u) >> 1) ^ ((row & 8u) << 2) : row;
}

/* Returns the physical row of the high half; the low half is eight rows further on. */
static inline unsigned dst_adj32(unsigned row, bool remap, bool swizzle)
{
    unsigned r = dst_adj16(row, remap);
    if (swizzle) {
        r = (r & 0x3F3u) ^ ((r & 0x18u) >> 1) ^ ((r & 4u) << 1);
    }
    return ((r & 0x1F8u) << 1) | (r & 0x207u);
}

#endif
