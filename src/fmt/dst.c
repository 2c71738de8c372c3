/* SPDX-License-Identifier: Apache-2.0 */
/* Dst as a register file by itself. Source: ISA documentation Dst 093af91. */
#include <tensix/formats.h>

#include "fmt/dst_rows.h"
#include "fmt/dst_value.h"
#include "fmt/tile.h"

#include <string.h>

void tx_dst_reset(struct tx_dst *dst)
{
    memset(dst->cell, 0, sizeof dst->cell);
    memset(dst->valid, 0xFF, sizeof dst->valid);
}

unsigned tx_dst_adj16(unsigned row, bool remap)
{
    return dst_adj16(row & 1023u, remap);
}

unsigned tx_dst_adj32(unsigned row, bool remap, bool swizzle)
{
    return dst_adj32(row & 1023u, remap, swizzle);
}

static bool is_valid(const struct tx_dst *dst, unsigned physical)
{
    return (dst->valid[physical / 32] >> (physical % 32) & 1u) != 0;
}

void tx_dst_invalidate(struct tx_dst *dst, unsigned physical_row)
{
    const unsigned row = physical_row & 1023u;
    dst->valid[row / 32] &= ~(1u << (row % 32));
}

uint32_t tx_dst_read16(const struct tx_dst *dst, unsigned row, unsigned column)
{
    const unsigned at = tx_dst_adj16(row, dst->remap);
    return is_valid(dst, at) ? dst->cell[at][column & 15u] : 0;
}

/* Validity is that of the high half's row. */
uint32_t tx_dst_read32(const struct tx_dst *dst, unsigned row, unsigned column)
{
    const unsigned at = tx_dst_adj32(row, dst->remap, dst->swizzle);
    const uint32_t cell =
        (uint32_t)dst->cell[at][column & 15u] << 16 | dst->cell[(at + 8) & 1023u][column & 15u];
    return is_valid(dst, at) ? cell : 0;
}

void tx_dst_write16(struct tx_dst *dst, unsigned row, unsigned column, uint32_t cell)
{
    const unsigned at = tx_dst_adj16(row, dst->remap);
    dst->cell[at][column & 15u] = (uint16_t)cell;
    dst->valid[at / 32] |= 1u << (at % 32);
}

void tx_dst_write32(struct tx_dst *dst, unsigned row, unsigned column, uint32_t cell)
{
    const unsigned at = tx_dst_adj32(row, dst->remap, dst->swizzle);
    dst->cell[at][column & 15u] = (uint16_t)(cell >> 16);
    dst->cell[(at + 8) & 1023u][column & 15u] = (uint16_t)cell;
    dst->valid[at / 32] |= 1u << (at % 32);
}

enum tx_status tx_dst_unpack(struct tx_dst *dst, const struct tx_unpack *unpack,
                             const struct tx_tile *tile, unsigned row, const uint8_t *bytes,
                             size_t size)
{
    uint32_t data[TILE_DATA];
    const enum tx_status status = tx_unpack_tile(unpack, tile, bytes, size, data);
    if (status != TX_OK) {
        return status;
    }
    if (!dst_rows_fit(unpack->dst, tile, row)) {
        return TX_EINVAL;
    }
    for (unsigned i = 0; i < (unsigned)tile->rows * tile->columns; i++) {
        const uint32_t cell = dst_cell_of_datum(unpack->dst, data[i]);
        if (dst_is_32bit(unpack->dst)) {
            tx_dst_write32(dst, row + i / 16, i % 16, cell);
        } else {
            tx_dst_write16(dst, row + i / 16, i % 16, cell);
        }
    }
    return TX_OK;
}

enum tx_status tx_dst_pack(const struct tx_dst *dst, const struct tx_pack *pack,
                           const struct tx_tile *tile, unsigned row, uint8_t *bytes, size_t size)
{
    uint32_t data[TILE_DATA];
    const enum tx_status status = tx_pack_check(pack, NULL);
    if (status != TX_OK) {
        return status;
    }
    if (!tx_tile_ok(tile) || !dst_rows_fit(pack->dst, tile, row)) {
        return TX_EINVAL;
    }
    for (unsigned i = 0; i < (unsigned)tile->rows * tile->columns; i++) {
        const uint32_t cell = dst_is_32bit(pack->dst) ? tx_dst_read32(dst, row + i / 16, i % 16)
                                                      : tx_dst_read16(dst, row + i / 16, i % 16);
        data[i] = dst_datum_of_cell(pack->dst, cell);
    }
    return tx_pack_tile(pack, tile, data, bytes, size);
}

uint32_t tx_dst_datum(enum tx_format dst, uint32_t word)
{
    return dst_datum_of_word(dst, word);
}

uint32_t tx_dst_word(enum tx_format dst, uint32_t datum)
{
    return dst_word_of_datum(dst, datum);
}
