/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How fast the tile's RISC-V cores run, in processor time: one core alone, and a tile with one or
 * five of them that compute or poll. Each figure is the median of ROUNDS. Beside the vendor's
 * simulator (a build of tenstorrent/ttsim, through its C interface, in this process) the two run in
 * turns, and the median of the ratios counts.
 *
 *     bench_tile                                 all rows, both chips
 *     bench_tile CHIP LIBTTSIM.so                those of a chip, untimed, beside ttsim
 *     bench_tile CHIP LIBTTSIM.so DIR WORD...    unpack.elf, math.elf and pack.elf of DIR (tensix
 *                                                cc), arguments from 0x20000 on, until all three
 *                                                mailboxes are 0xFF; without ttsim if "-"
 */
#include <tensix/tensix.h>

#include "riscv/riscv.h"
#include "turns.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 9, CYCLES = 400000, CORE_COUNT = 20000000 };
enum { ARGUMENTS = 0x20000, INPUT = 0x21000, INPUT_BYTES = 0x60000, MAILBOX = 0x1FFB8 };
enum { SOFT_RESET_0 = 0xFFB121B0, ALL_HELD = 0x47800, T_RUN = 0x40800 };
#define PCI_BAR0 UINT64_C(0x100000000)
#define WINDOW_REGISTERS (PCI_BAR0 + 0x1FC00000)

static enum tx_arch arch;
static tx_tensix *tile;

static struct {
    void (*init)(void);
    void (*clock)(uint32_t clocks);
    void (*read)(uint64_t address, void *bytes, uint32_t size);
    void (*write)(uint64_t address, const void *bytes, uint32_t size);
} ttsim;

static void fail(const char *text)
{
    fprintf(stderr, "bench_tile: %s\n", text);
    exit(1);
}

/* ---- both simulators ---- */

/* The first window of BAR0, 2 MiB (Blackhole) or 1 MiB, to the tile at (1, 2) or (1, 1). */
static uint64_t window(uint32_t address)
{
    const bool bh = arch == TX_BLACKHOLE;
    const unsigned log = bh ? 21 : 20;
    const uint64_t place =
        bh ? UINT64_C(1) << 43 | UINT64_C(2) << 49 : UINT64_C(1) << 16 | UINT64_C(1) << 22;
    const uint64_t value = address >> log | place;
    const uint32_t words[3] = {(uint32_t)value, (uint32_t)(value >> 32), 0};
    for (unsigned i = 0; i < (bh ? 3u : 2u); i++) {
        ttsim.write(WINDOW_REGISTERS + 4 * i, &words[i], 4);
    }
    return PCI_BAR0 + (address & ((1u << log) - 1));
}

static void put(uint32_t address, uint32_t value)
{
    if (tx_tensix_write(tile, address, &value, 4) != TX_OK) {
        fail("nothing is there");
    }
    if (ttsim.write != NULL) {
        ttsim.write(window(address), &value, 4);
    }
}

static uint32_t get(uint32_t address, bool theirs)
{
    uint32_t value = 0;
    if (theirs) {
        ttsim.read(window(address), &value, 4);
    } else {
        (void)tx_tensix_read(tile, address, &value, 4);
    }
    return value;
}

static void open_ttsim(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fail(dlerror());
    }
    *(void **)&ttsim.init = dlsym(library, "libttsim_init");
    *(void **)&ttsim.clock = dlsym(library, "libttsim_clock");
    *(void **)&ttsim.read = dlsym(library, "libttsim_pci_mem_rd_bytes");
    *(void **)&ttsim.write = dlsym(library, "libttsim_pci_mem_wr_bytes");
    if (ttsim.init == NULL || ttsim.clock == NULL || ttsim.read == NULL || ttsim.write == NULL) {
        fail("that is no libttsim");
    }
    ttsim.init();
}

static void open_tile(bool untimed)
{
    struct tx_tensix_settings settings;
    tx_tensix_close(tile);
    tx_tensix_settings_default(&settings, arch);
    settings.untimed = untimed;
    if (tx_tensix_open(&settings, &tile) != TX_OK) {
        fail("no memory");
    }
}

/* ---- programs ---- */

static uint32_t branch(uint32_t word, uint32_t from, uint32_t to)
{
    const uint32_t i = to - from;
    return word | (i >> 12 & 1u) << 31 | (i >> 5 & 63u) << 25 | (i >> 1 & 15u) << 8 |
           (i >> 11 & 1u) << 7;
}

/* A load, a store and arithmetic, eight instructions, for ever. */
static const uint32_t loop[] = {0xFFB000B7 /* lui ra, 0xffb00 */,
                                0x00008113 /* mv sp, ra */,
                                0x00012023 /* sw zero, 0(sp) */,
                                0x10000437 /* lui s0, 0x10000 */,
                                0x00012503 /* lw a0, 0(sp) */,
                                0x00150513 /* addi a0, a0, 1 */,
                                0x00A12023 /* sw a0, 0(sp) */,
                                0x00A5C5B3 /* xor a1, a1, a0 */,
                                0x00359613 /* slli a2, a1, 3 */,
                                0x00C585B3 /* add a1, a1, a2 */,
                                0xFFF40413 /* addi s0, s0, -1 */};
enum { LOOP_BEGIN = 16, BNEZ_S0 = 0x00041063, BEQZ_A1 = 0x00058063 };
/* Until a word of L1 is not 0; ttsim refuses the fence on Wormhole. */
static const uint32_t poll[] = {0x00020537 /* lui a0, 0x20 */, 0x00052583 /* lw a1, 0(a0) */,
                                0x0FF0000F /* fence */};
enum { POLL_BEGIN = 4 };

static void put_program(uint32_t at, bool polls)
{
    const uint32_t start = at;
    const uint32_t *words = polls ? poll : loop;
    const size_t count = polls ? (arch == TX_BLACKHOLE ? 3 : 2) : sizeof loop / sizeof loop[0];
    for (size_t i = 0; i < count; i++, at += 4) {
        put(at, words[i]);
    }
    put(at, branch(polls ? BEQZ_A1 : BNEZ_S0, at, start + (polls ? POLL_BEGIN : LOOP_BEGIN)));
}

/* ---- rows ---- */

static void print(const char *name, const char *how, double rate, const char *unit, double ratio)
{
    printf("%-3s %-8s %-8s %8.2f M %s/s", tx_arch_short(arch), name, how, rate / 1e6, unit);
    if (ratio > 0) {
        printf("  %6.2f times ttsim", ratio);
    }
    printf("\n");
    fflush(stdout);
}

static void core_row(bool timed)
{
    static struct riscv core;
    static uint8_t l1[0x4000];
    double rates[ROUNDS];
    uint32_t at = 0x1000;
    for (size_t i = 0; i < sizeof loop / sizeof loop[0]; i++, at += 4) {
        memcpy(l1 + at, &loop[i], 4);
    }
    const uint32_t back = branch(BNEZ_S0, at, 0x1000 + LOOP_BEGIN);
    memcpy(l1 + at, &back, 4);
    for (unsigned r = 0; r < ROUNDS; r++) {
        riscv_close(&core);
        riscv_open(&core, arch, RISCV_T1);
        core.timed = timed;
        core.translates = true;
        core.env.l1 = l1;
        core.env.l1_size = sizeof l1;
        riscv_release(&core, 0x1000, false);
        const double start = turn_now();
        (void)riscv_run(&core, timed ? CORE_COUNT / 2u : CORE_COUNT);
        rates[r] = (double)core.s.instret / (turn_now() - start);
    }
    print("core", timed ? "timed" : "untimed", turn_median(rates, ROUNDS), "instructions", 0);
}

static void tile_row(const char *name, bool polls, uint32_t released, bool untimed)
{
    static const uint32_t pcs[TX_CORES] = {0, 0x6000, 0xA000, 0xE000, 0x12000};
    double rates[ROUNDS];
    double ratios[ROUNDS];
    open_tile(untimed);
    put(ARGUMENTS, 0);
    for (unsigned c = 0; c < TX_CORES; c++) {
        put_program(pcs[c], polls);
    }
    put(SOFT_RESET_0, ALL_HELD);
    put(SOFT_RESET_0, ALL_HELD & ~released);
    for (unsigned r = 0; r < ROUNDS; r++) {
        const double start = turn_now();
        (void)tx_tensix_cycle(tile, CYCLES);
        const double middle = turn_now();
        if (ttsim.clock != NULL) {
            ttsim.clock(CYCLES);
        }
        rates[r] = CYCLES / (middle - start);
        ratios[r] = ttsim.clock != NULL ? (turn_now() - middle) / (middle - start) : 0;
    }
    print(name, untimed ? "untimed" : "timed", turn_median(rates, ROUNDS), "cycles",
          turn_median(ratios, ROUNDS));
}

static void rows(bool untimed)
{
    enum { B = 1 << 11, ALL_CORES = ALL_HELD };
    tile_row("loop/1", false, B, untimed);
    tile_row("loop/5", false, ALL_CORES, untimed);
    tile_row("poll/5", true, ALL_CORES, untimed);
}

/* ---- kernels ---- */

static void load(const char *folder, const char *name)
{
    static uint8_t bytes[1 << 20];
    char path[600];
    (void)snprintf(path, sizeof path, "%s/%s.elf", folder, name);
    FILE *f = fopen(path, "rb");
    const size_t size = f != NULL ? fread(bytes, 1, sizeof bytes, f) : 0;
    Elf32_Ehdr head;
    if (size < sizeof head) {
        fail("no unpack.elf, math.elf and pack.elf there");
    }
    (void)fclose(f);
    memcpy(&head, bytes, sizeof head);
    for (unsigned i = 0; i < head.e_phnum; i++) {
        Elf32_Phdr segment;
        memcpy(&segment, bytes + head.e_phoff + i * sizeof segment, sizeof segment);
        for (uint32_t k = 0; segment.p_type == PT_LOAD && segment.p_paddr < tx_l1_size(arch) &&
                             k < segment.p_filesz;
             k += 4) {
            uint32_t word;
            memcpy(&word, bytes + segment.p_offset + k, 4);
            put(segment.p_paddr + k, word);
        }
    }
}

static bool done(bool theirs)
{
    for (unsigned i = 0; i < TX_THREADS; i++) {
        if (get(MAILBOX + 4 * i, theirs) != 0xFF) {
            return false;
        }
    }
    return true;
}

static double run_once(bool theirs)
{
    enum { LOOK = 16, CLOCKS_MOST = 10000000 };
    const double start = turn_now();
    if (!theirs) {
        (void)tx_tensix_run(tile, CLOCKS_MOST);
    }
    for (unsigned i = 0; theirs && i < CLOCKS_MOST && !done(true); i += LOOK) {
        ttsim.clock(LOOK);
    }
    const double time = turn_now() - start;
    if (!done(theirs)) {
        fail(theirs ? "ttsim does not come to the end" : "the kernel does not come to its end");
    }
    return time;
}

static void kernel(const char *folder, char **words, int count)
{
    enum { AGAIN = 12 };
    double times[ROUNDS];
    double ratios[ROUNDS];
    uint64_t cycles = 0;
    open_tile(true);
    load(folder, "unpack");
    load(folder, "math");
    load(folder, "pack");
    for (int i = 0; i < count; i++) {
        put(ARGUMENTS + 4 * (uint32_t)i, (uint32_t)strtoul(words[i], NULL, 0));
    }
    for (uint32_t at = 0; at < INPUT_BYTES; at += 4) {
        put(INPUT + at, 0x3F803F80 + (at & 0x7Fu) * 0x10001);
    }
    for (unsigned r = 0; r < ROUNDS; r++) {
        double own = 0;
        double theirs = 0;
        for (unsigned k = 0; k < AGAIN; k++) {
            for (unsigned i = 0; i < TX_THREADS; i++) {
                put(MAILBOX + 4 * i, 0);
            }
            put(SOFT_RESET_0, ALL_HELD);
            put(SOFT_RESET_0, T_RUN);
            const uint64_t before = tx_tensix_cycles(tile);
            own += run_once(false);
            cycles = tx_tensix_cycles(tile) - before;
            theirs += ttsim.clock != NULL ? run_once(true) : 0;
        }
        times[r] = own / AGAIN;
        ratios[r] = theirs / own;
    }
    printf("%-3s %s: %.3f ms, %llu cycles", tx_arch_short(arch), folder,
           turn_median(times, ROUNDS) * 1e3, (unsigned long long)cycles);
    if (ttsim.clock != NULL) {
        printf("  %6.2f times ttsim", turn_median(ratios, ROUNDS));
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    if (argc > 1 && (argc < 3 || tx_arch_parse(argv[1], &arch) != TX_OK)) {
        fail("see the head of bench/bench_tile.c");
    }
    if (argc > 2 && strcmp(argv[2], "-") != 0) {
        open_ttsim(argv[2]);
    }
    if (argc > 3) {
        kernel(argv[3], argv + 4, argc - 4);
    } else if (argc > 2) {
        rows(true);
    }
    for (unsigned i = 0; argc == 1 && i < 2; i++) {
        arch = i == 0 ? TX_BLACKHOLE : TX_WORMHOLE;
        core_row(false);
        core_row(true);
        rows(true);
        rows(false);
    }
    tx_tensix_close(tile);
    return 0;
}
