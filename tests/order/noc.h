/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the cases in cases.c do to registers. Addresses and bits are those of tt-isa-documentation
 * NoC/MemoryMap and NoC/Counters of each chip; coordinates are raw ones, as the chip opens for
 * them.
 */
#ifndef TESTS_ORDER_NOC_H
#define TESTS_ORDER_NOC_H

#include <stdint.h>

#define WORD(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define INLINE static inline __attribute__((always_inline, unused))

/* BLACKHOLE is 1 or 0, from the command line. */
enum { STEP = BLACKHOLE ? 0x800 : 0x400, WIDE = BLACKHOLE ? 17 : 10 };
enum { AT_DATA = BLACKHOLE ? 0x28 : 0x24, AT_GO = BLACKHOLE ? 0x40 : 0x28 };
enum { ACKED = BLACKHOLE ? 0x20 : 0x0C, RECEIVED = BLACKHOLE ? 0x28 : 0x10 };
enum { HIGH = 12, ANSWERS, ACKS, READS, SENT = 10, POSTED_SENT, IDS = 16, OUTGOING = 32 };
enum { READ = 0, ATOMIC = 1, WRITE = 2, INLINED = 8, ANSWER = 0x10, MANY = 0x120, LINK = 0x40 };
enum { FIXED = 0x80, CHANNEL = 13 };
/* Tiles by their place on NoC 0: 2 to 5 are (1,2) to (4,2). */
#define AT(x, y) ((uint32_t)(x) | (uint32_t)(y) << 6)
#define TILE(n) AT((n) + 1, 2)

static uint32_t expected[2][64];

INLINE uint32_t niu(unsigned noc)
{
    return 0xFFB20000u + noc * 0x10000u;
}
INLINE volatile uint32_t *counter(unsigned noc, unsigned index)
{
    return &WORD(niu(noc) + 0x200 + 4 * index);
}
INLINE uint32_t on(unsigned noc, uint32_t at)
{
    return noc == 0 ? at : AT(WIDE - 1 - (at & 63), HIGH - 1 - (at >> 6));
}
INLINE uint32_t self(unsigned noc)
{
    return WORD(niu(noc) + (BLACKHOLE ? 0x44 : 0x2C)) & 0xFFF;
}
INLINE void fence(void)
{
    if (BLACKHOLE) {
        __asm__ volatile("fence" ::: "memory");
    }
}
/* Fills an initiator and starts it. */
INLINE void start(unsigned noc, unsigned initiator, uint32_t control, uint32_t tag, uint32_t target,
                  uint32_t target_at, uint32_t back, uint32_t back_at, uint32_t length,
                  uint32_t data)
{
    const uint32_t i = niu(noc) + initiator * STEP;
    WORD(i + 0x1C) = control;
    WORD(i + 0x18) = tag << 10;
    WORD(i) = target;
    WORD(i + 0x0C) = back;
    if (BLACKHOLE) {
        WORD(i + 4) = 0;
        WORD(i + 0x10) = 0;
        WORD(i + 8) = target_at;
        WORD(i + 0x14) = back_at;
    } else {
        WORD(i + 4) = target_at << 4;
        WORD(i + 0x10) = back_at << 4;
    }
    WORD(i + 0x20) = length;
    WORD(i + AT_DATA) = data;
    WORD(i + AT_GO) = 1;
}
INLINE void is_free(unsigned noc, unsigned initiator)
{
    while ((WORD(niu(noc) + initiator * STEP + AT_GO) & 1) != 0) {}
}
INLINE void read_id(unsigned noc, unsigned id, uint32_t to, uint32_t at, uint32_t from, uint32_t n)
{
    is_free(noc, 1);
    start(noc, 1, READ | FIXED | ANSWER | 1 << CHANNEL, id, from, on(noc, at), to, self(noc), n, 0);
    expected[noc][2]++;
}
INLINE void read_from(unsigned noc, uint32_t to, uint32_t at, uint32_t from, uint32_t n)
{
    read_id(noc, 0, to, at, from, n);
}
INLINE void write_by(unsigned initiator, unsigned noc, uint32_t flags, unsigned id, uint32_t from,
                     uint32_t at, uint32_t to, uint32_t n)
{
    is_free(noc, initiator);
    start(noc, initiator, WRITE | FIXED | 1 << CHANNEL | flags, id, from, self(noc), to,
          on(noc, at), n, 0);
    if ((flags & ANSWER) != 0) {
        expected[noc][1]++;
        expected[noc][SENT]++;
    } else {
        expected[noc][POSTED_SENT]++;
    }
}
INLINE void write_with(unsigned noc, uint32_t flags, unsigned id, uint32_t from, uint32_t at,
                       uint32_t to, uint32_t n)
{
    write_by(0, noc, flags, id, from, at, to, n);
}
INLINE void write_to(unsigned noc, uint32_t from, uint32_t at, uint32_t to, uint32_t n)
{
    write_with(noc, ANSWER, 0, from, at, to, n);
}
/* To tiles "first" to "last" of the row; receivers: so many answers are waited for. */
INLINE void write_row(uint32_t flags, uint32_t from, unsigned first, unsigned last, uint32_t to,
                      uint32_t n, unsigned receivers)
{
    is_free(0, 0);
    start(0, 0, WRITE | FIXED | 4 << CHANNEL | MANY | ANSWER | flags, 0, from, self(0), to,
          TILE(last) | TILE(first) << 12, n, 0);
    expected[0][1] += receivers;
    expected[0][SENT]++;
}
INLINE void write_word(uint32_t at, uint32_t to, uint32_t value)
{
    is_free(0, 2);
    start(0, 2, WRITE | INLINED | FIXED | ANSWER | 1 << CHANNEL, 0, to, at, 0, 0, 0xFu << (to & 15),
          value);
    expected[0][1]++;
    expected[0][SENT]++;
}
INLINE void add(unsigned noc, uint32_t at, uint32_t to, uint32_t by)
{
    is_free(noc, 3);
    start(noc, 3, ATOMIC | FIXED | ANSWER | 1 << CHANNEL, 0, to, on(noc, at), 4, self(noc),
          1 << 12 | 31 << 2 | (to >> 2 & 3), by);
    expected[noc][0]++;
}
/* Waits until a counter has what this core expects. */
INLINE void until(unsigned noc, unsigned index)
{
    while (*counter(noc, index) != expected[noc][index]) {}
    fence();
}
/* Waits until it has that, or more. */
INLINE void until_least(unsigned noc, unsigned index, uint32_t value)
{
    while ((int32_t)(*counter(noc, index) - value) < 0) {}
    fence();
}
INLINE void until_id(unsigned noc, unsigned index)
{
    while ((*counter(noc, index) & 255) != 0) {}
    fence();
}
INLINE void wait_least(uint32_t at, uint32_t value)
{
    do {
        fence();
    } while (WORD(at) < value);
}
INLINE void wait_just(uint32_t at, uint32_t value)
{
    do {
        fence();
    } while (WORD(at) != value);
}
/* Waits until a word has another value and returns that; it is kept in the core's own memory. */
INLINE uint32_t other_than(uint32_t at, uint32_t value)
{
    do {
        fence();
        WORD(0xFFB00000u) = WORD(at);
    } while (WORD(0xFFB00000u) == value);
    return WORD(0xFFB00000u);
}
/* A count in stream 4, to which stores to another register of it add. */
enum { COUNT_UP = 0xFFB44000u + 4 * (BLACKHOLE ? 270 : 34) };
INLINE void wait_count(uint32_t value)
{
    while ((WORD(0xFFB44000u + 4 * (BLACKHOLE ? 297 : 64)) & 0x1FFFF) < value) {}
    fence();
}
INLINE void keep(uint32_t at, uint32_t value)
{
    WORD(at) = value;
    __asm__ volatile("addi x0, %0, 0" ::"r"(WORD(at)));
}
INLINE void fill(uint32_t at, unsigned words, uint32_t value)
{
    for (unsigned i = 0; i < words; i++) {
        WORD(at + 4 * i) = value + i;
    }
    __asm__ volatile("addi x0, %0, 0" ::"r"(WORD(at + 4 * words - 4)));
}
INLINE uint32_t sum(uint32_t at, unsigned words)
{
    uint32_t all = 0;
    fence();
    for (unsigned i = 0; i < words; i++) {
        all += WORD(at + 4 * i);
    }
    return all;
}
/* A circular buffer of the own tile, through the registers of stream 3. */
#define RING(page) (0x28000u + 64u * (page))
enum { RING_PAGES = 2 };
INLINE volatile uint32_t *stream(unsigned offset)
{
    return &WORD(0xFFB43000u + offset);
}
INLINE void reserve(unsigned pages)
{
    while (RING_PAGES - ((*stream(RECEIVED) - *stream(ACKED)) & 0xFFFF) < pages) {}
}
INLINE void push(unsigned pages)
{
    *stream(RECEIVED) = *stream(RECEIVED) + pages;
}
INLINE void have(unsigned pages)
{
    while (((*stream(RECEIVED) - *stream(ACKED)) & 0xFFFF) < pages) {}
}
INLINE void pop(unsigned pages)
{
    *stream(ACKED) = *stream(ACKED) + pages;
}
INLINE void send_letter(unsigned to, uint32_t value)
{
    WORD(0xFFEC0000u + 0x1000u * to) = value;
}
INLINE void take_letter(unsigned from)
{
    __asm__ volatile("addi x0, %0, 0" ::"r"(WORD(0xFFEC0000u + 0x1000u * from)));
    fence();
}
INLINE __attribute__((noreturn)) void end(void)
{
    for (;;) {
        __asm__ volatile("ebreak");
    }
}

/* A core's program, which begins with what the counters have. */
#define PROGRAM(name)                                                                     \
    __attribute__((noinline)) static void name##_body(void);                              \
    __attribute__((naked)) void name(void)                                                \
    {                                                                                     \
        __asm__ volatile(".option push\n.option norelax\nla sp, stack_top\n.option pop\n" \
                         "j name_" #name);                                                \
    }                                                                                     \
    __attribute__((used)) void start_##name(void) __asm__("name_" #name);                 \
    void start_##name(void)                                                               \
    {                                                                                     \
        for (unsigned noc = 0; noc < 2; noc++) {                                          \
            for (unsigned i = 0; i < 12; i++) {                                           \
                expected[noc][i] = *counter(noc, i);                                      \
            }                                                                             \
        }                                                                                 \
        name##_body();                                                                    \
        end();                                                                            \
    }                                                                                     \
    static void name##_body(void)

#endif
