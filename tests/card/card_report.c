/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a host of tt-metal does that a report shows, on a Blackhole: it opens a kernel's ELF file,
 * puts the code and a launch message into two tiles' L1, one with a core that polls a word, moves
 * 4096 bytes from DRAM over the NoC, and lets core B load a word of L1 that nobody has written.
 * card_report FOLDER [held | FILE.elf]; held: core B of that tile stays in reset; else it opens the
 * file first. Offsets: tt-metal's dev_msgs.h and noc_parameters.h.
 */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device.h"
#include "kernel_file.h"

enum { WINDOW = 2 << 20, CODE = 0x10000, WORDS = KERNEL_WORDS, MAILBOX = 96, ENTRY = MAILBOX + 16 };
enum { CYCLES = 5000 }; /* in which a core of the tile has done what a test waits for */

static int device;
static uint32_t window_id;
static volatile uint8_t *window;

static int at_tile(unsigned x, unsigned y, uint64_t address)
{
    return window_turn(device, window_id, WINDOW, x, y, address);
}

static void put(uint32_t address, uint32_t value)
{
    *(volatile uint32_t *)(window + address % WINDOW) = value;
}

static int open_window(void)
{
    device = open("/dev/tenstorrent/0", O_RDWR | O_CLOEXEC);
    void *at = device < 0 ? MAP_FAILED : window_map(device, WINDOW, &window_id);
    window = at;
    return at != MAP_FAILED;
}

/* Waits until a tile's clock has gone on by so much, on a loaded machine too. */
static void runs(unsigned x, unsigned y, uint32_t cycles)
{
    enum { CLOCK = 0xFFB121F0u % WINDOW };
    (void)at_tile(x, y, 0xFFB121F0);
    const volatile uint32_t *clock = (const volatile uint32_t *)(window + CLOCK);
    const uint32_t start = *clock;
    do {
        usleep(20000);
    } while (*clock - start < cycles);
}

/* The message in a place of the ring, and the word that lets it go. */
static void launch(unsigned x, unsigned place, uint32_t id, const uint32_t *code)
{
    (void)at_tile(x, 2, 0);
    for (unsigned i = 0; i < WORDS; i++) {
        put(CODE + 4 * i, code[i]);
    }
    for (unsigned i = 0; i < 144; i += 4) {
        put(ENTRY + 144 * place + i, 0);
    }
    put(ENTRY + 144 * place, CODE - 0x100); /* kernel_config_base[0] */
    put(ENTRY + 144 * place + 52, 0x100);   /* kernel_text_offset[0] */
    put(ENTRY + 144 * place + 72, 4 * WORDS);
    put(ENTRY + 144 * place + 108, id);
    put(ENTRY + 144 * place + 112, 1); /* core B */
    put(MAILBOX + 1216, 0);
    put(MAILBOX + 1168, 0x80u << 24);
    runs(x, 2, CYCLES);
    (void)at_tile(x, 2, 0);
    put(MAILBOX + 1168, 0);
    runs(x, 2, CYCLES);
}

int main(int argc, char **argv)
{
    uint32_t code[WORDS];
    uint32_t other[WORDS];
    for (uint32_t i = 0; i < WORDS; i++) {
        code[i] = 0x13 + i * 0x1000080;
        other[i] = 0x6f + i * 0x2000100;
    }
    if (argc < 2 || !open_window() || !open_kernel(argv[1], "hello_card", code)) {
        return 1;
    }
    const int held = argc > 2 && strcmp(argv[2], "held") == 0;
    if (argc > 2 && !held) {
        close(open(argv[2], O_RDONLY | O_CLOEXEC));
    }
    /* 4096 bytes from DRAM to L1, by an initiator of tile (1, 2). */
    at_tile(17, 12, 0);
    for (uint32_t i = 0; i < 4096; i += 4) {
        put(i, i);
    }
    at_tile(1, 2, 0xFFB20000);
    const uint32_t request[] = {0, 0, 12u << 6 | 17, 0x20000, 0, 2u << 6 | 1, 0, 1u << 4, 4096};
    for (uint32_t i = 0; i < sizeof request / sizeof request[0]; i++) {
        put(0xFFB20000 + 4 * i, request[i]);
    }
    put(0xFFB20040, 1);
    runs(1, 2, CYCLES);
    /* lui a1, 0x50; lw a0, 0(a1); j back to the load, on tile (2, 2) */
    static const uint32_t polls[] = {0x000505b7, 0x0005a503, 0xffdff06f};
    at_tile(2, 2, 0);
    put(0x50000, 0);
    for (uint32_t i = 0; i < 3; i++) {
        put(4 * i, polls[i]);
    }
    at_tile(2, 2, 0xFFB121B0);
    put(0xFFB121B0, 0x47000);
    /* A launch on two tiles, and one of code that no file has. */
    for (unsigned x = 1; x <= 2; x++) {
        launch(x, 0, 7, code);
    }
    launch(1, 1, 8, other);
    at_tile(1, 2, 0);
    /* lui a1, 0x40; lw a0, 0(a1); j . */
    static const uint32_t program[] = {0x000405b7, 0x0005a503, 0x0000006f};
    for (uint32_t i = 0; i < 3; i++) {
        put(4 * i, program[i]);
    }
    if (!held) {
        at_tile(1, 2, 0xFFB121B0);
        put(0xFFB121B0, 0x47000);
        runs(1, 2, CYCLES);
    }
    printf("done\n");
    return 0;
}
