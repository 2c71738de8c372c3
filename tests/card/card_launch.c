/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A launch whose time is known: card_launch FOLDER. Core B of two tiles of a Blackhole waits, as
 * tt-metal's firmware does, for the word that lets it go; then it counts to LOOPS in a loop of two
 * instructions, reads 4096 bytes from DRAM, waits until a word of L1 is not 0, which is so before
 * or, with a further word on the command line, is written by the host later (with two: never), and
 * clears the byte that has told it to go. The host lets both go at once and waits for their ends.
 * Offsets: dev_msgs.h and noc_parameters.h of tt-metal.
 */
#define _GNU_SOURCE 1
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "device.h"
#include "kernel_file.h"

enum {
    WINDOW = 2 << 20,
    CODE = 0x10000,
    MAILBOX = 96,
    ENTRY = MAILBOX + 16,
    GO = MAILBOX + 1168,
    LOOPS = 2000
};
static const uint32_t program[KERNEL_WORDS] = {
    GO << 20 | 0x00002503,    /* lw a0, GO(zero) */
    0x01855513,               /* srli a0, a0, 24 */
    0x08000593,               /* li a1, 0x80 */
    0xfeb51ae3,               /* bne a0, a1, to the first one */
    LOOPS << 20 | 0x00000613, /* li a2, LOOPS */
    0xfff60613,               /* addi a2, a2, -1 */
    0xfe061ee3,               /* bnez a2, to the one before */
    0xffb206b7,               /* lui a3, 0xffb20: the first NoC's interface */
    0x2086a703,               /* lw a4, 0x208(a3): answers to reads that have come */
    0x00100793,               /* li a5, 1 */
    0x04f6a023,               /* sw a5, 0x40(a3): go */
    0x2086a803,               /* lw a6, 0x208(a3) */
    0xfee80ee3,               /* beq a6, a4, to the one before */
    0x000506b7,               /* lui a3, 0x50 */
    0x0006a703,               /* lw a4, 0(a3): the host's word */
    0xfe070ee3,               /* beqz a4, to the one before */
    /* sb zero, GO + 3(zero): the offset's upper seven bits and its lower five */
    (GO + 3) / 32u << 25 | (GO + 3) % 32u << 7 | 0x23, 0xfbdff06f, /* j to the first one */
};

static int device;
static uint32_t window_id;
static volatile uint8_t *window;

static void at_tile(unsigned x, unsigned y, uint64_t address)
{
    (void)window_turn(device, window_id, WINDOW, x, y, address);
}

static volatile uint32_t *word(uint32_t address)
{
    return (volatile uint32_t *)(window + address % WINDOW);
}

/* Waits until a tile's clock has gone on by so much. */
static void runs(unsigned x, uint32_t cycles)
{
    at_tile(x, 2, 0xFFB121F0);
    const uint32_t start = *word(0xFFB121F0);
    while (*word(0xFFB121F0) - start < cycles) {
        usleep(1000);
    }
    at_tile(x, 2, 0);
}

/* The code, the message and a read for later; then core B waits. */
static void prepare(unsigned x, const uint32_t *code, uint32_t on)
{
    at_tile(x, 2, 0);
    for (unsigned i = 0; i < KERNEL_WORDS; i++) {
        *word(CODE + 4 * i) = code[i];
    }
    for (unsigned i = 0; i < 144; i += 4) {
        *word(ENTRY + i) = 0;
    }
    *word(MAILBOX + 12) = 0;     /* the message that comes next */
    *word(ENTRY) = CODE - 0x100; /* kernel_config_base[0] */
    *word(ENTRY + 52) = 0x100;   /* kernel_text_offset[0] */
    *word(ENTRY + 72) = 4 * KERNEL_WORDS;
    *word(ENTRY + 108) = 7; /* the host's number */
    *word(ENTRY + 112) = 1; /* core B */
    *word(MAILBOX + 1216) = 0;
    *word(GO) = 0;
    *word(0x50000) = on;
    *word(0) = 0x000102b7; /* lui t0, 0x10 */
    *word(4) = 0x00028067; /* jr t0 */
    at_tile(x, 2, 0xFFB20000);
    const uint32_t request[] = {0, 0, 12u << 6 | 17, 0x40000, 0, 2u << 6 | x, 0, 1u << 4, 4096};
    for (uint32_t i = 0; i < sizeof request / sizeof request[0]; i++) {
        *word(0xFFB20000 + 4 * i) = request[i];
    }
    at_tile(x, 2, 0xFFB121B0);
    *word(0xFFB121B0) = 0x47000;
}

int main(int argc, char **argv)
{
    uint32_t code[KERNEL_WORDS];
    memcpy(code, program, sizeof code);
    for (unsigned i = 18; i < KERNEL_WORDS; i++) {
        code[i] = 0x13; /* nop */
    }
    device = open("/dev/tenstorrent/0", O_RDWR | O_CLOEXEC);
    void *at = device < 0 ? MAP_FAILED : window_map(device, WINDOW, &window_id);
    window = at;
    if (argc < 2 || at == MAP_FAILED || !open_kernel(argv[1], "counts", code)) {
        return 1;
    }
    at_tile(17, 12, 0);
    for (uint32_t i = 0; i < 4096; i += 4) {
        *word(i) = i;
    }
    prepare(1, code, argc == 2);
    prepare(2, code, argc == 2);
    (void)window_turn_row(device, window_id, WINDOW, 1, 2, 2, 0);
    *word(GO) = 0x80u << 24;
    if (argc == 4) {
        runs(1, 6000);
        return 0;
    }
    for (unsigned x = 1; x <= 2; x++) {
        at_tile(x, 2, 0);
        if (argc != 2) {
            runs(x, 6000);
            *word(0x50000) = 1;
        }
        while (*word(GO) != 0) {
            usleep(1000);
        }
        printf("%u\n", (unsigned)*word(0x40ffc)); /* the last word that was read */
    }
    return 0;
}
