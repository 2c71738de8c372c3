/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Brings the tiles of one operand to all tiles of the grid that need them: the first tile of a row
 * (compile-time argument 0: the left operand) or of a column (1: the right one) reads them from
 * DRAM and sends them to the others. The core that brings the right one writes the tile's page of
 * the result in the end. Arguments: the operand, how many steps there are, two semaphores, "ready"
 * (receivers that have room) and "valid" (the data have arrived), and the result.
 */
#include <tensix/kernel/dataflow.h>

enum { LEFT = get_compile_time_arg_val(0) == 0, BUFFER = LEFT ? 0 : 1 };

void kernel_main(void)
{
    const InterleavedAddrGen<true> operand = {get_arg_val<uint32_t>(0), get_tile_size(BUFFER)};
    const uint32_t steps = get_arg_val<uint32_t>(1);
    const uint32_t ready = get_semaphore(get_arg_val<uint32_t>(2));
    const uint32_t valid = get_semaphore(get_arg_val<uint32_t>(3));
    volatile uint32_t *const ready_word = reinterpret_cast<volatile uint32_t *>(ready);
    volatile uint32_t *const valid_word = reinterpret_cast<volatile uint32_t *>(valid);
    const uint32_t columns = tx_launched().columns;
    const uint32_t rows = tx_launched().rows;
    const uint32_t x = get_absolute_logical_x();
    const uint32_t y = get_absolute_logical_y();
    const uint32_t receivers = (LEFT ? columns : rows) - 1;
    const bool first = LEFT ? x == 0 : y == 0;
    for (uint32_t k = 0; k < steps; k++) {
        cb_reserve_back(BUFFER, 1);
        const uint32_t here = get_write_ptr(BUFFER); // the same in every tile
        if (first) {
            noc_async_read_page(LEFT ? y * steps + k : k * columns + x, operand, here);
            noc_async_read_barrier();
            noc_semaphore_wait(ready_word, receivers);
            noc_semaphore_set(ready_word, 0);
            noc_semaphore_set(valid_word, 1);
            const uint32_t x0 = LEFT ? 1 : x;
            const uint32_t y0 = LEFT ? y : 1;
            const uint32_t x1 = LEFT ? columns - 1 : x;
            const uint32_t y1 = LEFT ? y : rows - 1;
            noc_async_write_multicast(here, tx_noc_multicast_addr_of(x0, y0, x1, y1, here),
                                      get_tile_size(BUFFER), receivers);
            noc_semaphore_set_multicast(valid, tx_noc_multicast_addr_of(x0, y0, x1, y1, valid),
                                        receivers);
            noc_async_write_barrier();
        } else {
            noc_semaphore_set(valid_word, 0);
            noc_semaphore_inc(tx_noc_addr_of(LEFT ? 0 : x, LEFT ? y : 0, ready), 1);
            noc_semaphore_wait(valid_word, 1);
        }
        cb_push_back(BUFFER, 1);
    }
    noc_async_atomic_barrier();
    if (!LEFT) {
        const InterleavedAddrGen<true> result = {get_arg_val<uint32_t>(4), get_tile_size(2)};
        cb_wait_front(2, 1);
        noc_async_write_page(y * columns + x, result, get_read_ptr(2));
        noc_async_write_barrier();
        cb_pop_front(2, 1);
    }
}
