/* SPDX-License-Identifier: Apache-2.0 */
/*
 * formats-and-scalar-unit.md C.2 and C.3, bit by bit as the text has it. Nothing of src/fmt/dst_*
 * or src/state is used; the numbers of a tile are converted by the library's own routes, which
 * other tests compare.
 */
#include "second_dst.h"

#include <string.h>

static unsigned bit(unsigned x, unsigned place)
{
    return x >> place & 1u;
}

/* New bits 5:3 are the old bits 3, 5, 4. */
unsigned second_dst_adj16(unsigned row, bool remap)
{
    const unsigned middle = bit(row, 3) << 5 | bit(row, 5) << 4 | bit(row, 4) << 3;
    return remap ? (row & ~0x38u) | middle : row;
}

/* Bit 4 stays, new bit 3 is bit 4 xor bit 2, new bit 2 is bit 3; then pairs of eight rows. */
unsigned second_dst_adj32(unsigned row, bool remap, bool swizzle)
{
    unsigned r = second_dst_adj16(row, remap);
    if (swizzle) {
        r = (r & ~0xCu) | (bit(r, 4) ^ bit(r, 2)) << 3 | bit(r, 3) << 2;
    }
    return (16 * (r % 512 / 8) + r % 8) | (r & 512u);
}

void second_dst_reset(struct second_dst *dst)
{
    memset(dst->cell, 0, sizeof dst->cell);
    memset(dst->valid, true, sizeof dst->valid);
}

uint32_t second_dst_read16(const struct second_dst *dst, unsigned row, unsigned column)
{
    const unsigned at = second_dst_adj16(row, dst->remap);
    return dst->valid[at] ? dst->cell[at][column] : 0;
}

/* Validity is that of the high half's row. */
uint32_t second_dst_read32(const struct second_dst *dst, unsigned row, unsigned column)
{
    const unsigned at = second_dst_adj32(row, dst->remap, dst->swizzle);
    return dst->valid[at] ? 65536u * dst->cell[at][column] + dst->cell[at + 8][column] : 0;
}

void second_dst_write16(struct second_dst *dst, unsigned row, unsigned column, uint32_t cell)
{
    const unsigned at = second_dst_adj16(row, dst->remap);
    dst->cell[at][column] = (uint16_t)cell;
    dst->valid[at] = true;
}

void second_dst_write32(struct second_dst *dst, unsigned row, unsigned column, uint32_t cell)
{
    const unsigned at = second_dst_adj32(row, dst->remap, dst->swizzle);
    dst->cell[at][column] = (uint16_t)(cell / 65536u);
    dst->cell[at + 8][column] = (uint16_t)cell;
    dst->valid[at] = true;
}

/* Bits of the exponent in the upper 16: sign, exponent, mantissa become sign, mantissa, exponent.
 */
static unsigned exponent_bits(enum tx_format dst)
{
    switch (dst) {
    case TX_FORMAT_FP16:
    case TX_FORMAT_INT8:
    case TX_FORMAT_UINT8:
        return 5;
    case TX_FORMAT_INT16:
    case TX_FORMAT_UINT16:
        return 0; /* opaque */
    default:
        return 8;
    }
}

static bool is_wide(enum tx_format dst)
{
    return dst == TX_FORMAT_FP32 || dst == TX_FORMAT_TF32 || dst == TX_FORMAT_INT32 ||
           dst == TX_FORMAT_UINT32;
}

static uint32_t cell_of(enum tx_format dst, uint32_t datum)
{
    const unsigned e = exponent_bits(dst);
    const unsigned high = is_wide(dst) ? datum >> 16 : datum;
    const unsigned m = 15 - e;
    const unsigned turned =
        (high & 0x8000u) | (high & ((1u << m) - 1)) << e | (high >> m & ((1u << e) - 1));
    return is_wide(dst) ? turned << 16 | (datum & 0xFFFFu) : turned;
}

static uint32_t datum_of(enum tx_format dst, uint32_t cell)
{
    const unsigned e = exponent_bits(dst);
    const unsigned high = is_wide(dst) ? cell >> 16 : cell;
    const unsigned m = 15 - e;
    const unsigned turned =
        (high & 0x8000u) | (high & ((1u << e) - 1)) << m | (high >> e & ((1u << m) - 1));
    return is_wide(dst) ? turned << 16 | (cell & 0xFFFFu) : turned;
}

enum tx_status second_dst_unpack(struct second_dst *dst, const struct tx_unpack *unpack,
                                 const struct tx_tile *tile, unsigned row, const uint8_t *bytes,
                                 size_t size)
{
    static uint32_t data[1024];
    const enum tx_status status = tx_unpack_tile(unpack, tile, bytes, size, data);
    for (unsigned i = 0; status == TX_OK && i < (unsigned)tile->rows * tile->columns; i++) {
        const uint32_t cell = cell_of(unpack->dst, data[i]);
        if (is_wide(unpack->dst)) {
            second_dst_write32(dst, row + i / 16, i % 16, cell);
        } else {
            second_dst_write16(dst, row + i / 16, i % 16, cell);
        }
    }
    return status;
}

enum tx_status second_dst_pack(const struct second_dst *dst, const struct tx_pack *pack,
                               const struct tx_tile *tile, unsigned row, uint8_t *bytes,
                               size_t size)
{
    static uint32_t data[1024];
    for (unsigned i = 0; i < (unsigned)tile->rows * tile->columns; i++) {
        data[i] =
            datum_of(pack->dst, is_wide(pack->dst) ? second_dst_read32(dst, row + i / 16, i % 16)
                                                   : second_dst_read16(dst, row + i / 16, i % 16));
    }
    return tx_pack_tile(pack, tile, data, bytes, size);
}
