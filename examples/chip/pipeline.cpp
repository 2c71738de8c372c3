/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stage of a pipeline: the first tile of a row reads pages of words from DRAM, each tile adds its
 * number to every word and hands the page to the next, the last writes it to DRAM. Semaphore "full"
 * says that a page lies here, "free" that the next tile has room. Arguments: source, result, pages.
 */
#include <tensix/kernel/dataflow.h>

void kernel_main(void)
{
    const uint32_t bytes = get_tile_size(0);
    const InterleavedAddrGen<true> source = {get_arg_val<uint32_t>(0), bytes};
    const InterleavedAddrGen<true> result = {get_arg_val<uint32_t>(1), bytes};
    const uint32_t pages = get_arg_val<uint32_t>(2);
    const uint32_t full = get_semaphore(0);
    const uint32_t free = get_semaphore(1);
    volatile uint32_t *const full_word = reinterpret_cast<volatile uint32_t *>(full);
    volatile uint32_t *const free_word = reinterpret_cast<volatile uint32_t *>(free);
    const uint32_t page = get_write_ptr(0); // the same in every tile
    volatile uint32_t *const words = reinterpret_cast<volatile uint32_t *>(page);
    const uint32_t x = get_absolute_logical_x();
    const uint32_t y = get_absolute_logical_y();
    const bool last = x + 1 == tx_launched().columns;
    for (uint32_t n = 0; n < pages; n++) {
        if (x == 0) {
            noc_async_read_page(n, source, page);
            noc_async_read_barrier();
        } else {
            noc_semaphore_wait(full_word, 1);
            noc_semaphore_set(full_word, 0);
        }
        for (uint32_t i = 0; i < bytes / 4; i++) {
            words[i] = words[i] + x + 1;
        }
        if (last) {
            noc_async_write_page(n, result, page);
            noc_async_write_barrier();
        } else {
            noc_semaphore_wait(free_word, 1);
            noc_semaphore_set(free_word, 0);
            noc_async_write(page, tx_noc_addr_of(x + 1, y, page), bytes);
            noc_async_write_barrier();
            noc_semaphore_inc(tx_noc_addr_of(x + 1, y, full), 1);
        }
        if (x != 0) {
            noc_semaphore_inc(tx_noc_addr_of(x - 1, y, free), 1);
        }
        noc_async_atomic_barrier();
    }
}
