/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the tile's share of the sum. Arguments: the buffer, the number of pages of each tile. */
#include <tensix/kernel/dataflow.h>

void kernel_main(void)
{
    const uint32_t count = get_arg_val<uint32_t>(1);
    const uint32_t first =
        count * (get_absolute_logical_y() * tx_launched().columns + get_absolute_logical_x());
    const InterleavedAddrGen<true> sum = {get_arg_val<uint32_t>(0), get_tile_size(2)};
    for (uint32_t page = first; page < first + count; page++) {
        cb_wait_front(2, 1);
        noc_async_write_page(page, sum, get_read_ptr(2));
        noc_async_write_barrier();
        cb_pop_front(2, 1);
    }
}
