/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the tile's share of two buffers in DRAM, page by page, for the compute kernel. Arguments:
 * the two buffers, the number of pages of each tile.
 */
#include <tensix/kernel/dataflow.h>

void kernel_main(void)
{
    const uint32_t count = get_arg_val<uint32_t>(2);
    const uint32_t first =
        count * (get_absolute_logical_y() * tx_launched().columns + get_absolute_logical_x());
    const InterleavedAddrGen<true> a = {get_arg_val<uint32_t>(0), get_tile_size(0)};
    const InterleavedAddrGen<true> b = {get_arg_val<uint32_t>(1), get_tile_size(1)};
    for (uint32_t page = first; page < first + count; page++) {
        cb_reserve_back(0, 1);
        cb_reserve_back(1, 1);
        noc_async_read_page(page, a, get_write_ptr(0));
        noc_async_read_page(page, b, get_write_ptr(1));
        noc_async_read_barrier();
        cb_push_back(0, 1);
        cb_push_back(1, 1);
    }
}
