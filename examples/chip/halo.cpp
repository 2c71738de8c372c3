/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Halo exchange: each tile of the grid has a block of 16 by 16 words of an array. In each step a
 * word becomes the sum of itself and its four neighbours; beyond the array all is zero. The edges
 * of a block go to the neighbouring tiles, into one of two places in turn: a tile can be one step
 * ahead of its neighbours, not two. Arguments: the array, the result, steps.
 */
#include <tensix/kernel/dataflow.h>

enum { SIDE = 16, ROW_BYTES = 4 * SIDE, NORTH = 0, SOUTH, WEST, EAST, SIDES };

struct memory {
    uint32_t block[SIDE][SIDE], next[SIDE][SIDE];
    uint32_t out[SIDES][SIDE];   /* the own edges */
    uint32_t in[2][SIDES][SIDE]; /* those of the neighbours, by the step's parity */
};

struct neighbour {
    bool there;
    uint32_t x, y, from; /* from: which of its neighbours this tile is */
};

static void copy_block(volatile memory &m, uint32_t buffer, bool load)
{
    const uint32_t x = get_absolute_logical_x();
    const uint32_t y = get_absolute_logical_y();
    const InterleavedAddrGen<true> rows = {buffer, ROW_BYTES * tx_launched().columns};
    for (uint32_t r = 0; r < SIDE; r++) {
        const uint64_t there = rows.get_noc_addr(y * SIDE + r, ROW_BYTES * x);
        const uint32_t here = reinterpret_cast<uint32_t>(m.block[r]);
        load ? noc_async_read(there, here, ROW_BYTES) : noc_async_write(here, there, ROW_BYTES);
    }
    load ? noc_async_read_barrier() : noc_async_write_barrier();
}

static void send_edges(volatile memory &m, const neighbour (&n)[SIDES], uint32_t parity,
                       uint32_t arrived)
{
    for (uint32_t i = 0; i < SIDE; i++) {
        m.out[NORTH][i] = m.block[0][i];
        m.out[SOUTH][i] = m.block[SIDE - 1][i];
        m.out[WEST][i] = m.block[i][0];
        m.out[EAST][i] = m.block[i][SIDE - 1];
    }
    for (uint32_t s = 0; s < SIDES; s++) {
        if (n[s].there) {
            const uint32_t to = reinterpret_cast<uint32_t>(m.in[parity][n[s].from]);
            noc_async_write(reinterpret_cast<uint32_t>(m.out[s]),
                            tx_noc_addr_of(n[s].x, n[s].y, to), ROW_BYTES);
        }
    }
    noc_async_write_barrier();
    for (uint32_t s = 0; s < SIDES; s++) {
        if (n[s].there) {
            noc_semaphore_inc(tx_noc_addr_of(n[s].x, n[s].y, arrived), 1);
        }
    }
    noc_async_atomic_barrier();
}

static void step(volatile memory &m, const neighbour (&n)[SIDES], uint32_t parity)
{
    for (uint32_t r = 0; r < SIDE; r++) {
        for (uint32_t c = 0; c < SIDE; c++) {
            const volatile uint32_t(&in)[SIDES][SIDE] = m.in[parity];
            const uint32_t north = r > 0            ? m.block[r - 1][c]
                                   : n[NORTH].there ? in[NORTH][c]
                                                    : 0;
            const uint32_t south = r < SIDE - 1     ? m.block[r + 1][c]
                                   : n[SOUTH].there ? in[SOUTH][c]
                                                    : 0;
            const uint32_t west = c > 0 ? m.block[r][c - 1] : n[WEST].there ? in[WEST][r] : 0;
            const uint32_t east = c < SIDE - 1    ? m.block[r][c + 1]
                                  : n[EAST].there ? in[EAST][r]
                                                  : 0;
            m.next[r][c] = m.block[r][c] + north + south + west + east;
        }
    }
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        m.block[i / SIDE][i % SIDE] = m.next[i / SIDE][i % SIDE];
    }
}

void kernel_main(void)
{
    volatile memory &m = *reinterpret_cast<volatile memory *>(get_write_ptr(0));
    const uint32_t steps = get_arg_val<uint32_t>(2);
    const uint32_t x = get_absolute_logical_x();
    const uint32_t y = get_absolute_logical_y();
    const neighbour n[SIDES] = {{y > 0, x, y - 1, SOUTH},
                                {y + 1 < tx_launched().rows, x, y + 1, NORTH},
                                {x > 0, x - 1, y, EAST},
                                {x + 1 < tx_launched().columns, x + 1, y, WEST}};
    const uint32_t arrived = get_semaphore(0);
    uint32_t expected = 0;
    copy_block(m, get_arg_val<uint32_t>(0), true);
    for (uint32_t k = 0; k < steps; k++) {
        send_edges(m, n, k % 2, arrived);
        for (uint32_t s = 0; s < SIDES; s++) {
            expected += n[s].there;
        }
        noc_semaphore_wait_min(reinterpret_cast<volatile uint32_t *>(arrived), expected);
        step(m, n, k % 2);
    }
    copy_block(m, get_arg_val<uint32_t>(1), false);
}
