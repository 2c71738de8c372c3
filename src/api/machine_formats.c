/* SPDX-License-Identifier: Apache-2.0 */
/* Moving tiles in L1 formats into and out of a machine's Dst. */
#include <tensix/formats.h>

#include "fmt/dst_value.h"
#include "fmt/tile.h"
#include "state/dst.h"
#include "state/machine.h"

enum tx_status tx_machine_unpack(tx_machine *m, const struct tx_unpack *unpack,
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
    const struct dst_view view = dst_view(&m->state, m->places, 0);
    machine_changed(m, CHANGE_HOST, 0);
    for (unsigned i = 0; i < (unsigned)tile->rows * tile->columns; i++) {
        const uint32_t cell = dst_cell_of_datum(unpack->dst, data[i]);
        const bool wide = dst_is_32bit(unpack->dst);
        const unsigned at = dst_row(row + i / 16, wide, &view);
        dst_set_valid(&m->state, at, true);
        dst_put_datum(&m->state, at, i % 16, wide, cell);
    }
    return TX_OK;
}

enum tx_status tx_machine_pack(const tx_machine *m, const struct tx_pack *pack,
                               const struct tx_tile *tile, unsigned row, uint8_t *bytes,
                               size_t size)
{
    uint32_t data[TILE_DATA];
    const enum tx_status status = tx_pack_check(pack, NULL);
    if (status != TX_OK) {
        return status;
    }
    if (!tx_tile_ok(tile) || !dst_rows_fit(pack->dst, tile, row)) {
        return TX_EINVAL;
    }
    const struct dst_view view = dst_view(&m->state, m->places, 0);
    for (unsigned i = 0; i < (unsigned)tile->rows * tile->columns; i++) {
        const bool wide = dst_is_32bit(pack->dst);
        const unsigned at = dst_row(row + i / 16, wide, &view);
        uint32_t cell = m->state.dst[at][i % 16];
        if (wide) {
            cell = cell << 16 | m->state.dst[at + 8][i % 16];
        }
        data[i] = dst_datum_of_cell(pack->dst, dst_valid(&m->state, at) ? cell : 0);
    }
    return tx_pack_tile(pack, tile, data, bytes, size);
}

uint32_t tx_dst_word(enum tx_format dst, uint32_t datum)
{
    return dst_word_of_datum(dst, datum);
}
