/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of the driver that several of these programs make, in the form of tt-kmd's ioctl.h. x and y
 * are coordinates of NoC 0.
 */
#ifndef TX_TEST_CARD_DEVICE_H
#define TX_TEST_CARD_DEVICE_H

#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#define CALL(n) (0xFAul << 8 | (n))

/* Allocates a window of that size. Returns the offset to map it at, or UINT64_MAX. */
static inline uint64_t window_offset(int fd, uint64_t size, uint32_t *id)
{
    struct {
        uint64_t size, reserved;
        uint32_t id, reserved0;
        uint64_t uc, wc, reserved1;
    } call = {.size = size};
    if (ioctl(fd, CALL(11), &call) != 0) {
        return UINT64_MAX;
    }
    *id = call.id;
    return call.uc;
}

/* Allocates one and maps it. Returns MAP_FAILED where either fails. */
static inline void *window_map(int fd, uint64_t size, uint32_t *id)
{
    const uint64_t offset = window_offset(fd, size, id);
    return offset == UINT64_MAX
               ? MAP_FAILED
               : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset);
}

/* As window_turn, to all tiles of the row from x to x_end: what is written goes to each. */
static inline int window_turn_row(int fd, uint32_t id, uint64_t size, unsigned x, unsigned x_end,
                                  unsigned y, uint64_t address)
{
    struct {
        uint32_t id, reserved;
        uint64_t address;
        uint16_t x_end, y_end, x_start, y_start;
        uint8_t noc, many, ordering, linked, static_vc, reserved0[3];
        uint32_t reserved1[2];
        uint64_t out;
    } call = {.id = id,
              .address = address & ~(size - 1),
              .x_end = (uint16_t)x_end,
              .y_end = (uint16_t)y,
              .x_start = (uint16_t)(x != x_end ? x : 0),
              .y_start = (uint16_t)(x != x_end ? y : 0),
              .many = x != x_end,
              .ordering = 1};
    return ioctl(fd, CALL(13), &call);
}

/* Turns a window of that size to the tile and, beginning at a multiple of its size, the address. */
static inline int window_turn(int fd, uint32_t id, uint64_t size, unsigned x, unsigned y,
                              uint64_t address)
{
    return window_turn_row(fd, id, size, x, x, y, address);
}

/* Returns the value of the lock before or, where flags ask, whether it is held; or -1. */
static inline int lock(int fd, uint32_t flags, uint8_t index)
{
    struct {
        uint32_t room, flags;
        uint8_t index, reserved[3], value, reserved1[3];
    } call = {.room = 4, .flags = flags, .index = index};
    return ioctl(fd, CALL(8), &call) == 0 ? call.value : -1;
}

#endif
