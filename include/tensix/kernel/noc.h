/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests over the NoC for data movement kernels; a part of tensix/kernel/dataflow.h. Each core
 * uses one NoC, which it does not share with another core of the tile, and of its four initiators
 * the first for reads, the second for writes, the third for words and the fourth for atomics.
 * Sources: spec/chip.md 2.2 to 2.8.
 */
#ifndef TENSIX_KERNEL_NOC_H
#define TENSIX_KERNEL_NOC_H

#include <tensix/kernel/dataflow.h>

enum : uint32_t {
    TX_NOC_PACKET = TX_BLACKHOLE_CHIP ? 16384 : 8192, /* the most bytes of one request */
    TX_NOC_STEP = TX_BLACKHOLE_CHIP ? 0x800 : 0x400,  /* from initiator to initiator */
    /* registers of an initiator */
    TX_NOC_TARGET = 0x00,
    TX_NOC_RETURN = 0x0C,
    TX_NOC_TAG = 0x18,
    TX_NOC_CONTROL = 0x1C,
    TX_NOC_LENGTH = 0x20,
    TX_NOC_DATA = TX_BLACKHOLE_CHIP ? 0x28 : 0x24,
    TX_NOC_COMMAND = TX_BLACKHOLE_CHIP ? 0x40 : 0x28,
    TX_NOC_ID_LOGICAL = TX_BLACKHOLE_CHIP ? 0x148 : 0x138,
    /* counters */
    TX_NOC_ATOMICS_ANSWERED = 0x200,
    TX_NOC_WRITES_ANSWERED = 0x204,
    TX_NOC_READS_ANSWERED = 0x208,
    TX_NOC_WRITES_SENT = 0x228,
    TX_NOC_POSTED_SENT = 0x22C,
    /* CTRL */
    TX_NOC_READ = 0,
    TX_NOC_ATOMIC = 1,
    TX_NOC_WRITE = 2,
    TX_NOC_INLINE = 1 << 3,
    TX_NOC_ANSWER = 1 << 4,
    TX_NOC_BROADCAST = 1 << 5,
    TX_NOC_LINKED = 1 << 6,
    TX_NOC_STATIC = 1 << 7,
    TX_NOC_RESERVE = 1 << 8,
    TX_NOC_INCLUDE = 1 << 17,
    TX_NOC_CHANNEL_1 = 1 << 13 | TX_NOC_STATIC,
    TX_NOC_CHANNEL_BROADCAST = 4 << 13 | TX_NOC_STATIC,
    /* initiators */
    TX_NOC_READER = 0,
    TX_NOC_WRITER = 1,
    TX_NOC_WORDS = 2,
    TX_NOC_ATOMICS = 3,
    TX_NOC_PLACE = 36 /* where the place begins in an address */
};

inline uint32_t noc_index;
inline uint32_t my_x[2], my_y[2];
/* Requests of this core that the counters must reach. */
inline uint32_t tx_noc_reads, tx_noc_writes, tx_noc_sent, tx_noc_posted, tx_noc_atomics;

inline uint32_t tx_noc_base(unsigned initiator)
{
    return 0xFFB20000u + 0x10000u * noc_index + TX_NOC_STEP * initiator;
}
inline uint32_t tx_noc_counter(uint32_t counter)
{
    return TX_WORD(0xFFB20000u + 0x10000u * noc_index + counter);
}

/* Counters go on from where they stand. */
inline void tx_noc_begin()
{
    noc_index = tx_launched().noc[TX_CORE];
    for (unsigned n = 0; n < 2; n++) {
        const uint32_t id = TX_WORD(0xFFB20000u + 0x10000u * n + TX_NOC_ID_LOGICAL);
        my_x[n] = id & 63;
        my_y[n] = id >> 6 & 63;
    }
    tx_noc_reads = tx_noc_counter(TX_NOC_READS_ANSWERED);
    tx_noc_writes = tx_noc_counter(TX_NOC_WRITES_ANSWERED);
    tx_noc_sent = tx_noc_counter(TX_NOC_WRITES_SENT);
    tx_noc_posted = tx_noc_counter(TX_NOC_POSTED_SENT);
    tx_noc_atomics = tx_noc_counter(TX_NOC_ATOMICS_ANSWERED);
}

/* ---- addresses ---- */

inline uint64_t get_noc_addr(uint32_t x, uint32_t y, uint32_t address)
{
    return static_cast<uint64_t>(x | y << 6) << TX_NOC_PLACE | address;
}
/* of this tile itself */
inline uint64_t get_noc_addr(uint32_t address)
{
    return get_noc_addr(my_x[noc_index], my_y[noc_index], address);
}
/* The tile in a column and row of the program's grid. */
inline uint64_t tx_noc_addr_of(uint32_t column, uint32_t row, uint32_t address)
{
    return get_noc_addr(tx_launched().column_x[column], tx_launched().row_y[row], address);
}
/* A rectangle, by its corners with the lowest and with the highest coordinates, on either NoC. */
inline uint64_t get_noc_multicast_addr(uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1,
                                       uint32_t address)
{
    const uint32_t low = x0 | y0 << 6;
    const uint32_t high = x1 | y1 << 6;
    const uint64_t place = noc_index == 0 ? high | low << 12 : low | high << 12;
    return place << TX_NOC_PLACE | address;
}
/* The same in columns and rows of the program's grid. */
inline uint64_t tx_noc_multicast_addr_of(uint32_t column0, uint32_t row0, uint32_t column1,
                                         uint32_t row1, uint32_t address)
{
    const volatile tx_launch &l = tx_launched();
    return get_noc_multicast_addr(l.column_x[column0], l.row_y[row0], l.column_x[column1],
                                  l.row_y[row1], address);
}

/* ---- requests ---- */

inline void tx_noc_ready(uint32_t base)
{
    while (TX_WORD(base + TX_NOC_COMMAND) != 0) {}
}
inline void tx_noc_place(uint32_t field, uint64_t address)
{
    const uint32_t place = static_cast<uint32_t>(address >> TX_NOC_PLACE);
    TX_WORD(field) = static_cast<uint32_t>(address);
    if (TX_BLACKHOLE_CHIP) {
        TX_WORD(field + 4) = 0;
        TX_WORD(field + 8) = place;
    } else {
        TX_WORD(field + 4) = (static_cast<uint32_t>(address >> 32) & 15) | place << 4;
    }
}
inline void tx_noc_fire(uint32_t base, uint64_t target, uint64_t back, uint32_t control,
                        uint32_t length)
{
    tx_noc_ready(base);
    tx_noc_place(base + TX_NOC_TARGET, target);
    tx_noc_place(base + TX_NOC_RETURN, back);
    TX_WORD(base + TX_NOC_TAG) = 0;
    TX_WORD(base + TX_NOC_CONTROL) = control;
    TX_WORD(base + TX_NOC_LENGTH) = length;
    if (TX_BLACKHOLE_CHIP) {
        TX_WORD(base + TX_NOC_LENGTH + 4) = 0;
    }
    TX_WORD(base + TX_NOC_COMMAND) = 1;
}

/* Starts a read of size bytes into L1. */
inline void noc_async_read(uint64_t from, uint32_t to, uint32_t size)
{
    while (size != 0) {
        const uint32_t part = size < TX_NOC_PACKET ? size : uint32_t(TX_NOC_PACKET);
        tx_noc_reads++;
        tx_noc_fire(tx_noc_base(TX_NOC_READER), from, get_noc_addr(to),
                    TX_NOC_READ | TX_NOC_ANSWER | TX_NOC_CHANNEL_1, part);
        from += part;
        to += part;
        size -= part;
    }
}
/* Waits until all reads have arrived. */
inline void noc_async_read_barrier()
{
    while (tx_noc_counter(TX_NOC_READS_ANSWERED) != tx_noc_reads) {}
    invalidate_l1_cache();
}

inline void tx_noc_write(uint32_t from, uint64_t to, uint32_t size, uint32_t control,
                         uint32_t receivers)
{
    tx_fence();
    while (size != 0) {
        const uint32_t part = size < TX_NOC_PACKET ? size : uint32_t(TX_NOC_PACKET);
        tx_noc_writes += receivers;
        tx_noc_sent++;
        tx_noc_fire(tx_noc_base(TX_NOC_WRITER), get_noc_addr(from), to,
                    TX_NOC_WRITE | TX_NOC_ANSWER | control, part);
        from += part;
        to += part;
        size -= part;
    }
}
/* Starts a write of size bytes of L1. */
inline void noc_async_write(uint32_t from, uint64_t to, uint32_t size)
{
    tx_noc_write(from, to, size, TX_NOC_CHANNEL_1, 1);
}
/*
 * Starts a write to all tiles of a rectangle but this one; receivers is their number. With linked,
 * the next multicast of this core to the rectangle follows it on its way.
 */
inline void noc_async_write_multicast(uint32_t from, uint64_t to, uint32_t size, uint32_t receivers,
                                      bool linked = false)
{
    tx_noc_write(from, to, size,
                 TX_NOC_BROADCAST | TX_NOC_RESERVE | TX_NOC_CHANNEL_BROADCAST |
                     (linked ? uint32_t(TX_NOC_LINKED) : 0),
                 receivers);
}
/* The same, and this tile receives it too where it lies in the rectangle. */
inline void noc_async_write_multicast_loopback_src(uint32_t from, uint64_t to, uint32_t size,
                                                   uint32_t receivers, bool linked = false)
{
    tx_noc_write(from, to, size,
                 TX_NOC_BROADCAST | TX_NOC_RESERVE | TX_NOC_CHANNEL_BROADCAST | TX_NOC_INCLUDE |
                     (linked ? uint32_t(TX_NOC_LINKED) : 0),
                 receivers);
}
/* Waits until all writes have left. */
inline void noc_async_writes_flushed()
{
    while (tx_noc_counter(TX_NOC_WRITES_SENT) != tx_noc_sent) {}
}
/* Waits until all writes have arrived. */
inline void noc_async_write_barrier()
{
    while (tx_noc_counter(TX_NOC_WRITES_ANSWERED) != tx_noc_writes) {}
}
inline void noc_async_atomic_barrier()
{
    while (tx_noc_counter(TX_NOC_ATOMICS_ANSWERED) != tx_noc_atomics) {}
}
inline void noc_async_full_barrier()
{
    noc_async_read_barrier();
    noc_async_write_barrier();
    noc_async_atomic_barrier();
}

/* Starts a store of a word to a register of another tile (Wormhole: or to its L1). */
inline void noc_inline_dw_write(uint64_t to, uint32_t value)
{
    const uint32_t base = tx_noc_base(TX_NOC_WORDS);
    tx_noc_ready(base);
    TX_WORD(base + TX_NOC_DATA) = value;
    tx_noc_writes++;
    tx_noc_sent++;
    tx_noc_fire(base, to, get_noc_addr(0),
                TX_NOC_WRITE | TX_NOC_INLINE | TX_NOC_ANSWER | TX_NOC_CHANNEL_1,
                15u << (static_cast<uint32_t>(to) & 15));
}

/* ---- semaphores: words of L1 ---- */

inline uint32_t get_semaphore(uint32_t id)
{
    return TX_LAUNCH_SEMAPHORES + TX_LAUNCH_APART * id;
}
inline void noc_semaphore_set(volatile uint32_t *semaphore, uint32_t value)
{
    *semaphore = value;
}
inline void noc_semaphore_wait(volatile uint32_t *semaphore, uint32_t value)
{
    do {
        invalidate_l1_cache();
    } while (*semaphore != value);
}
inline void noc_semaphore_wait_min(volatile uint32_t *semaphore, uint32_t value)
{
    do {
        invalidate_l1_cache();
    } while (*semaphore < value);
}
/* Adds to a semaphore of another tile. */
inline void noc_semaphore_inc(uint64_t semaphore, uint32_t increment)
{
    const uint32_t base = tx_noc_base(TX_NOC_ATOMICS);
    const uint32_t result = TX_LAUNCH + offsetof(tx_launch, result) + 16 * TX_CORE;
    tx_noc_ready(base);
    TX_WORD(base + TX_NOC_DATA) = increment;
    tx_noc_atomics++;
    /* increment and get, all 32 bits, the word of the line */
    tx_noc_fire(base, semaphore, get_noc_addr(result),
                TX_NOC_ATOMIC | TX_NOC_ANSWER | TX_NOC_CHANNEL_1,
                1 << 12 | 31 << 2 | (static_cast<uint32_t>(semaphore) >> 2 & 3));
}
/* Writes the value of a semaphore of this tile to one of another, or of a rectangle of others. */
inline void noc_semaphore_set_remote(uint32_t semaphore, uint64_t to)
{
    tx_noc_write(semaphore, to, 4, TX_NOC_CHANNEL_1, 1);
}
inline void noc_semaphore_set_multicast(uint32_t semaphore, uint64_t to, uint32_t receivers,
                                        bool linked = false)
{
    noc_async_write_multicast(semaphore, to, 4, receivers, linked);
}
inline void noc_semaphore_set_multicast_loopback_src(uint32_t semaphore, uint64_t to,
                                                     uint32_t receivers, bool linked = false)
{
    noc_async_write_multicast_loopback_src(semaphore, to, 4, receivers, linked);
}

/* ---- buffers spread over banks: page i lies in bank i mod banks ---- */

inline uint64_t tx_bank_addr(bool dram, uint32_t page, uint32_t page_bytes, uint32_t base,
                             uint32_t offset)
{
    const volatile tx_launch &l = tx_launched();
    const uint32_t banks = dram ? l.dram_banks : l.l1_banks;
    const uint32_t bank = page % banks;
    const uint32_t at = base + page / banks * page_bytes + offset;
    const uint32_t xy = dram ? l.dram_xy[bank] : l.l1_xy[bank];
    return (static_cast<uint64_t>(xy) << TX_NOC_PLACE) + at + (dram ? l.dram_offset[bank] : 0);
}

template <bool dram> struct InterleavedAddrGen {
    uint32_t bank_base_address;
    uint32_t page_size;
    uint64_t get_noc_addr(uint32_t page, uint32_t offset = 0) const
    {
        return tx_bank_addr(dram, page, page_size, bank_base_address, offset);
    }
};
/* For tiles; data_format is there for sources that name it. */
template <bool dram> struct InterleavedAddrGenFast {
    uint32_t bank_base_address;
    uint32_t page_size;
    uint32_t data_format;
    uint64_t get_noc_addr(uint32_t page, uint32_t offset = 0) const
    {
        return tx_bank_addr(dram, page, page_size, bank_base_address, offset);
    }
};
template <bool dram> using InterleavedPow2AddrGen = InterleavedAddrGen<dram>;

template <typename Generator>
inline uint64_t get_noc_addr(uint32_t page, const Generator &generator, uint32_t offset = 0)
{
    return generator.get_noc_addr(page, offset);
}
template <typename Generator>
inline void noc_async_read_tile(uint32_t page, const Generator &generator, uint32_t to)
{
    noc_async_read(generator.get_noc_addr(page), to, generator.page_size);
}
template <typename Generator>
inline void noc_async_write_tile(uint32_t page, const Generator &generator, uint32_t from)
{
    noc_async_write(from, generator.get_noc_addr(page), generator.page_size);
}
template <typename Generator>
inline void noc_async_read_page(uint32_t page, const Generator &generator, uint32_t to)
{
    noc_async_read_tile(page, generator, to);
}
template <typename Generator>
inline void noc_async_write_page(uint32_t page, const Generator &generator, uint32_t from)
{
    noc_async_write_tile(page, generator, from);
}

#endif
