/* SPDX-License-Identifier: Apache-2.0 */
/*
 * campaign_words bh|wh COUNT [SEED]: COUNT random words on every core, as instructions where most
 * are some, with random registers, surroundings that answer anything, resets, restored states of
 * random bytes, timed and not. Nothing may go out of bounds (ASan, UBSan), and nothing may last for
 * ever: a timed core that runs gets on, or says what it waits for.
 */
#include "riscv/riscv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { L1 = 0x4000, BATCH = 1024 };

static struct riscv core;
static uint8_t *l1, *written;
static uint64_t seed;
static uint64_t findings[FINDING_KINDS];

static uint32_t draw(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 32);
}

static enum riscv_answer load(struct riscv *c, struct riscv_access *a)
{
    (void)c;
    const uint32_t r = draw();
    a->value = draw();
    return r % 64 == 0 ? RISCV_HANG : r % 4 == 0 ? RISCV_WAIT : RISCV_DONE;
}

static enum riscv_answer store(struct riscv *c, const struct riscv_access *a)
{
    const uint32_t r = draw();
    if ((c->arch == TX_WORMHOLE && a->region == REGION_TDMA_BH) || a->address % a->size != 0) {
        printf("store of %u bytes to %08x, region %u\n", a->size, (unsigned)a->address, a->region);
        exit(1);
    }
    return r % 64 == 0 ? RISCV_HANG : r % 4 == 0 ? RISCV_WAIT : RISCV_DONE;
}

static void finding(struct riscv *c, enum finding_kind f, uint32_t pc, uint32_t word,
                    uint32_t address)
{
    (void)c, (void)pc, (void)word, (void)address;
    findings[f]++;
}

static uint32_t some_address(void)
{
    static const uint32_t bases[] = {0,          L1 - 8,     0xFFB00000, 0xFFB00FF8, 0xFFB12000,
                                     0xFFB14000, 0xFFB40000, 0xFFB80000, 0xFFE00000, 0xFFE40000,
                                     0xFFE80000, 0xFFEC0000, 0xFFEF0000, 0xFFC00000, 0xFFFFFFF0};
    const uint32_t r = draw();
    return r % 3 == 0 ? r >> 8 : bases[r / 3 % 15] + (draw() & (draw() % 2 ? 0x1Fu : 0xFFFu));
}

static uint32_t some_word(void)
{
    static const uint32_t rows[][2] = {
#define RISCV(ID, name, match, mask, format, chips, class) {match, mask},
#include "isa/riscv.def"
    };
    const uint32_t r = draw() % 200;
    return r < sizeof rows / sizeof rows[0] ? rows[r][0] | (draw() & ~rows[r][1]) : draw();
}

static void batch(enum tx_arch arch)
{
    if (draw() % 8 == 0) {
        riscv_open(&core, arch, (enum riscv_core)(draw() % RISCV_CORES));
    }
    core.timed = draw() % 2 != 0;
    core.predict = draw() % 2 != 0;
    core.env = (struct riscv_env){.l1 = l1,
                                  .l1_size = L1,
                                  .written = draw() % 2 != 0 ? written : NULL,
                                  .load = load,
                                  .store = store,
                                  .finding = finding};
    for (uint32_t at = 0; at < L1; at += 4) {
        const uint32_t word = some_word();
        memcpy(l1 + at, &word, 4);
    }
    riscv_hold(&core);
    riscv_release(&core, some_address(), draw() % 2 != 0);
    if (draw() % 16 == 0) {
        uint8_t *bytes = (uint8_t *)&core.s;
        for (size_t i = 0; i < offsetof(struct riscv_state, ram); i++) {
            bytes[i] = (uint8_t)draw();
        }
        riscv_restored(&core);
        core.s.now = core.s.next = 0; /* times of the far future are not endless, only long */
        memset(core.s.ready, 0, sizeof core.s.ready);
        memset(core.s.retire, 0, sizeof core.s.retire);
    }
}

/* Executes until so many words have been met. */
static uint64_t run(uint64_t count)
{
    uint64_t met = 0;
    while (met < count) {
        if (core.s.phase != RISCV_RUNS || draw() % 8 == 0) {
            core.s.phase = RISCV_RUNS;
            core.s.pc = draw() % L1 & ~3u;
            for (unsigned i = 1; i < 32; i++) {
                core.s.x[i] = draw() % 4 != 0 ? some_address() : draw();
            }
            met++;
        }
        const uint64_t before = core.s.instret;
        riscv_run(&core, 1 + draw() % 64);
        met += core.s.instret - before;
        if (core.s.x[0] != 0) {
            printf("x0 is %08x\n", (unsigned)core.s.x[0]);
            exit(1);
        }
    }
    return met;
}

int main(int argc, char **argv)
{
    enum tx_arch arch = TX_ARCH_NONE;
    if (argc < 3 || tx_arch_parse(argv[1], &arch) != TX_OK) {
        fprintf(stderr, "usage: campaign_words bh|wh COUNT [SEED]\n");
        return 2;
    }
    const uint64_t count = strtoull(argv[2], NULL, 10);
    seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    l1 = malloc(L1);
    written = malloc(L1 / 8);
    if (l1 == NULL || written == NULL) {
        return 2;
    }
    memset(written, 0, L1 / 8);
    riscv_open(&core, arch, RISCV_T0);
    uint64_t met = 0;
    while (met < count) {
        batch(arch);
        met += run(8 * BATCH);
    }
    unsigned kinds = 0;
    for (unsigned f = 0; f < FINDING_KINDS; f++) {
        kinds += findings[f] != 0;
    }
    free(l1);
    free(written);
    printf("%s: %llu random words, %u kinds of findings\n", tx_arch_short(arch),
           (unsigned long long)met, kinds);
    return 0;
}
