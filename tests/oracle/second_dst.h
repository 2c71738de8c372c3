/* SPDX-License-Identifier: Apache-2.0 */
/* Dst by itself, stated once more from the documents: what the machine's Dst is compared with. */
#ifndef TESTS_SECOND_DST_H
#define TESTS_SECOND_DST_H

#include <tensix/formats.h>

/* 1024 rows of 16 cells and a flag per row. remap, swizzle: Blackhole's DEST_ACCESS_CFG bits. */
struct second_dst {
    uint16_t cell[TX_DST_ROWS][TX_DST_WIDTH];
    bool valid[TX_DST_ROWS];
    bool remap, swizzle;
};

/* All rows valid and zero. */
void second_dst_reset(struct second_dst *dst);
/* Physical row; of a 32-bit access that of the high half, the low half is eight further. */
unsigned second_dst_adj16(unsigned row, bool remap);
unsigned second_dst_adj32(unsigned row, bool remap, bool swizzle);
/* An invalid row reads as 0; any write makes its row valid. */
uint32_t second_dst_read16(const struct second_dst *dst, unsigned row, unsigned column);
uint32_t second_dst_read32(const struct second_dst *dst, unsigned row, unsigned column);
void second_dst_write16(struct second_dst *dst, unsigned row, unsigned column, uint32_t cell);
void second_dst_write32(struct second_dst *dst, unsigned row, unsigned column, uint32_t cell);
/* A tile from L1 at a row of the view of unpack->dst, and back; its rows must be inside. */
enum tx_status second_dst_unpack(struct second_dst *dst, const struct tx_unpack *unpack,
                                 const struct tx_tile *tile, unsigned row, const uint8_t *bytes,
                                 size_t size);
enum tx_status second_dst_pack(const struct second_dst *dst, const struct tx_pack *pack,
                               const struct tx_tile *tile, unsigned row, uint8_t *bytes,
                               size_t size);

#endif
