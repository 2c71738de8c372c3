/* SPDX-License-Identifier: Apache-2.0 */
/*
 * campaign_qemu bh|wh COUNT [SEED]: random programs on a core of ours, with and without its time,
 * and on qemu-riscv32, an independent implementation of the RISC-V manual, until COUNT instructions
 * have been executed. Registers and data must be equal. Exit status 77: no qemu-riscv32.
 */
#include "riscv/program.h"
#include "riscv/qemu.h"
#include "riscv/riscv.h"

enum { SHORT = 600, ROUNDS = 1000 };

static uint8_t l1[RISCV_L1_MAX];
static struct riscv core;

/* The ways of a core: untimed, timed, and with loops that have become machine code. */
enum way { UNTIMED, TIMED, TRANSLATED, WAYS };
static const char *const names[WAYS] = {"untimed", "timed", "by machine code"};

static bool ours(const struct program *p, enum tx_arch arch, enum way way)
{
    memset(l1, 0, sizeof l1);
    memcpy(l1 + PROGRAM_BASE, p->words, 4 * p->count); /* a little-endian host */
    riscv_close(&core);
    riscv_open(&core, arch, RISCV_T1);
    core.timed = way == TIMED;
    core.translates = way == TRANSLATED;
    core.env.l1 = l1;
    core.env.l1_size = sizeof l1;
    riscv_release(&core, PROGRAM_BASE, false);
    riscv_run(&core, 100000000);
    return core.s.phase == RISCV_PAUSED && core.s.x[17] == 64;
}

static int compare(const struct program *p, const uint8_t *want, enum way way)
{
    const uint8_t *got = l1 + PROGRAM_OUT_AT;
    for (unsigned i = 0; i < PROGRAM_OUT; i++) {
        if (got[i] != want[i]) {
            printf("seed %llu, %s: %s %u is %02x, qemu has %02x\n", (unsigned long long)p->seed,
                   names[way], i < PROGRAM_DATA ? "data" : "registers, byte",
                   i < PROGRAM_DATA ? i : i - PROGRAM_DATA, got[i], want[i]);
            return 1;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    static struct program p;
    static uint8_t want[PROGRAM_OUT];
    enum tx_arch arch = TX_ARCH_NONE;
    if (argc < 3 || tx_arch_parse(argv[1], &arch) != TX_OK) {
        fprintf(stderr, "usage: campaign_qemu bh|wh COUNT [SEED]\n");
        return 2;
    }
    if (!qemu_is_there()) {
        printf("skipped: there is no qemu-riscv32 (package qemu-user)\n");
        return 77;
    }
    const uint64_t count = strtoull(argv[2], NULL, 10);
    uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    uint64_t done = 0;
    unsigned programs = 0;
    uint64_t translated = 0;
    for (; done < count; programs++, seed++) {
        /* Every other one is a short program that loops: what is translated. */
        const bool loops = programs % 2 != 0;
        program_make(&p, seed, arch == TX_WORMHOLE, loops ? SHORT : PROGRAM_BODY,
                     loops ? ROUNDS : 10);
        p.seed = seed;
        static uint8_t image[4 * PROGRAM_WORDS + PROGRAM_OUT];
        memset(image, 0, sizeof image);
        memcpy(image, p.words, 4 * p.count);
        if (!qemu_run("rv32,zba=true,zbb=true,zbkb=true", PROGRAM_BASE, image, sizeof image, want,
                      PROGRAM_OUT)) {
            printf("seed %llu: qemu-riscv32 did not end well\n", (unsigned long long)seed);
            return 1;
        }
        for (enum way way = UNTIMED; way < WAYS; way++) {
            if (!ours(&p, arch, way)) {
                printf("seed %llu: phase %u at %08x\n", (unsigned long long)seed, core.s.phase,
                       (unsigned)core.s.pc);
                return 1;
            }
            if (compare(&p, want, way) != 0) {
                return 1;
            }
        }
        done += core.s.instret;
        translated += core.ran;
    }
    riscv_close(&core);
    printf("%s: %llu instructions in %u programs, registers and data as qemu-riscv32 has them, "
           "untimed, timed and with loops translated (%llu by machine code)\n",
           tx_arch_short(arch), (unsigned long long)done, programs, (unsigned long long)translated);
    return 0;
}
