/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a kernel on a grid of tiles uses, in the names of tt-metal's dataflow API: arguments,
 * circular buffers, requests over the NoC, semaphores, addresses of buffers that are spread over
 * banks. It is for kernels that "tensix chip run" places; docs/chip.md is the manual. C++ only.
 *
 * Data movement kernels (TENSIX_DATA_MOVEMENT) have all of it, compute kernels arguments and
 * circular buffers. Addresses of the NoC are 64 bits: the place x | y << 6 from bit 36 on, as
 * tt-metal has them. Coordinates are translated ones (tensix chip map), good on both NoCs.
 * Sources: spec/chip.md 2, 3, 4.1; spec/tile.md 10.2.
 */
#ifndef TENSIX_KERNEL_DATAFLOW_H
#define TENSIX_KERNEL_DATAFLOW_H

#include <tensix/kernel/launch.h>
#include <tensix/kernel/tensix.h>

constexpr bool TX_BLACKHOLE_CHIP = TENSIX_BLACKHOLE;

/* The core's number in struct tx_launch: B 0, T0 to T2 1 to 3, NC 4. */
constexpr unsigned TX_CORE = TENSIX_CORE;

inline const volatile tx_launch &tx_launched()
{
    return *reinterpret_cast<const volatile tx_launch *>(TX_LAUNCH);
}

/* ---- arguments ---- */

inline uint32_t get_arg_addr(unsigned index)
{
    return tx_launched().arguments[TX_CORE] + 4 * index;
}
inline uint32_t get_common_arg_addr(unsigned index)
{
    return tx_launched().common[TX_CORE] + 4 * index;
}
template <typename T> inline T get_arg_val(unsigned index)
{
    static_assert(sizeof(T) == 4, "arguments are words");
    return *reinterpret_cast<const volatile T *>(get_arg_addr(index));
}
template <typename T> inline T get_common_arg_val(unsigned index)
{
    static_assert(sizeof(T) == 4, "arguments are words");
    return *reinterpret_cast<const volatile T *>(get_common_arg_addr(index));
}

#ifdef KERNEL_COMPILE_TIME_ARGS
constexpr uint32_t tx_compile_time_args[] = {KERNEL_COMPILE_TIME_ARGS};
/* Returns an argument that the program gives when it compiles the kernel. */
#define get_compile_time_arg_val(index) (tx_compile_time_arg<index>())
template <unsigned index> constexpr uint32_t tx_compile_time_arg()
{
    static_assert(index < sizeof tx_compile_time_args / sizeof tx_compile_time_args[0],
                  "the program gives fewer compile-time arguments");
    return tx_compile_time_args[index];
}
#endif

/* Column and row of the tile, and the size of the grid, in the program's coordinates. */
inline uint32_t get_absolute_logical_x()
{
    return tx_launched().column;
}
inline uint32_t get_absolute_logical_y()
{
    return tx_launched().row;
}

/* Waits without reading stale data: on Blackhole a fence drops the core's cache of L1. */
inline void invalidate_l1_cache()
{
    tx_fence();
}

/* ---- circular buffers ---- */

/*
 * Counts of pages are words of the overlay's streams, one stream for each buffer, of which the low
 * 16 bits count: received is written by the producer, acked by the consumer.
 */
struct tx_circular_state {
    uint16_t received, acked; /* what this core has given and taken */
    uint32_t write, read;
};
inline tx_circular_state tx_circular[TX_BLACKHOLE_CHIP ? 64 : 32];
enum : uint32_t {
    TX_CIRCULAR_ACKED = TX_BLACKHOLE_CHIP ? 0xFFB40020 : 0xFFB4000C,
    TX_CIRCULAR_RECEIVED = TX_BLACKHOLE_CHIP ? 0xFFB40028 : 0xFFB40010
};

inline uint16_t tx_pages_received(unsigned buffer)
{
    return static_cast<uint16_t>(TX_WORD(TX_CIRCULAR_RECEIVED + 0x1000 * buffer));
}
inline uint16_t tx_pages_acked(unsigned buffer)
{
    return static_cast<uint16_t>(TX_WORD(TX_CIRCULAR_ACKED + 0x1000 * buffer));
}

/* All pointers stand at the beginning. */
inline void tx_circular_begin()
{
    for (unsigned i = 0; i < sizeof tx_circular / sizeof tx_circular[0]; i++) {
        const uint32_t address = tx_launched().circular[i].address;
        tx_circular[i] = {0, 0, address, address};
    }
}

inline uint32_t get_tile_size(unsigned buffer)
{
    return tx_launched().circular[buffer].page;
}
inline uint32_t get_write_ptr(unsigned buffer)
{
    return tx_circular[buffer].write;
}
inline uint32_t get_read_ptr(unsigned buffer)
{
    return tx_circular[buffer].read;
}

inline uint32_t tx_circular_after(unsigned buffer, uint32_t pointer, uint32_t pages)
{
    const volatile tx_launch_circular &c = tx_launched().circular[buffer];
    pointer += pages * c.page;
    return pointer >= c.address + c.bytes ? pointer - c.bytes : pointer;
}

/*
 * Stores a count. A compute thread has its coprocessor store it, when the unit that reads or writes
 * the pages is done with them.
 */
template <uint32_t units> inline void tx_circular_count(uint32_t address, uint16_t count)
{
#if TENSIX_DATA_MOVEMENT
    TX_WORD(address) = count;
#else
    enum { GPR = 4 };
    TT_SETDMAREG(0, count, 0, 2 * GPR);
    TTI_SETDMAREG(0, 0, 0, 2 * GPR + 1);
    TTI_STALLWAIT(p_stall::STALL_THCON, units);
    TT_STOREREG(GPR, (address - 0xFFB00000) / 4);
#endif
}

inline bool cb_pages_reservable_at_back(unsigned buffer, uint32_t pages)
{
    const uint16_t used =
        static_cast<uint16_t>(tx_circular[buffer].received - tx_pages_acked(buffer));
    return tx_launched().circular[buffer].pages - used >= pages;
}
/* Waits until so many pages are free behind those that were pushed. */
inline void cb_reserve_back(unsigned buffer, uint32_t pages)
{
    while (!cb_pages_reservable_at_back(buffer, pages)) {}
}
/* Gives so many pages to the consumer. */
inline void cb_push_back(unsigned buffer, uint32_t pages)
{
    tx_circular_state &s = tx_circular[buffer];
    s.received = static_cast<uint16_t>(s.received + pages);
    s.write = tx_circular_after(buffer, s.write, pages);
#if TENSIX_DATA_MOVEMENT
    tx_fence();
    tx_circular_count<0>(TX_CIRCULAR_RECEIVED + 0x1000 * buffer, s.received);
#else
    tx_circular_count<p_stall::PACK>(TX_CIRCULAR_RECEIVED + 0x1000 * buffer, s.received);
#endif
}
inline bool cb_pages_available_at_front(unsigned buffer, uint32_t pages)
{
    return static_cast<uint16_t>(tx_pages_received(buffer) - tx_circular[buffer].acked) >= pages;
}
/* Waits until the producer has pushed so many pages that were not popped. */
inline void cb_wait_front(unsigned buffer, uint32_t pages)
{
    while (!cb_pages_available_at_front(buffer, pages)) {}
#if TENSIX_DATA_MOVEMENT
    invalidate_l1_cache();
#endif
}
/* Gives so many pages back to the producer. */
inline void cb_pop_front(unsigned buffer, uint32_t pages)
{
    tx_circular_state &s = tx_circular[buffer];
    s.acked = static_cast<uint16_t>(s.acked + pages);
    s.read = tx_circular_after(buffer, s.read, pages);
#if TENSIX_DATA_MOVEMENT
    tx_circular_count<0>(TX_CIRCULAR_ACKED + 0x1000 * buffer, s.acked);
#else
    tx_circular_count<p_stall::UNPACK>(TX_CIRCULAR_ACKED + 0x1000 * buffer, s.acked);
#endif
}

#if TENSIX_DATA_MOVEMENT
#include <tensix/kernel/noc.h>
#endif

/* The start-up code calls it before kernel_main. */
__attribute__((constructor)) static void tx_dataflow_begin()
{
#if TENSIX_DATA_MOVEMENT
    tx_noc_begin();
#endif
    tx_circular_begin();
}

#endif
