/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random programs of RISC-V instructions on a core of ours and on T1 of the other side's tile: both
 * begin with registers that the program sets and data of zeros; registers and data are compared at
 * its end. A program that differs is shrunk by NOPs.
 */
#ifndef TESTS_COSIM_RISCV_H
#define TESTS_COSIM_RISCV_H

#include "cosim/engine.h"
#include "riscv/program.h"
#include "riscv/riscv.h"

enum {
    CORE_LOOPS = 8,
    CORE_SET = 62,
    CORE_TAIL = 6
}; /* words that set registers; from "write" on */

struct cores {
    struct program program;
    struct riscv core;
    uint8_t l1[RISCV_L1_MAX];
    uint64_t executed, programs, refused, differ;
};

static uint8_t *core_here(struct cores *k, enum tx_arch arch)
{
    memset(k->l1 + PROGRAM_OUT_AT, 0, PROGRAM_OUT);
    memcpy(k->l1 + PROGRAM_BASE, k->program.words, 4 * (size_t)k->program.count);
    riscv_close(&k->core);
    riscv_open(&k->core, arch, RISCV_T1);
    k->core.env.l1 = k->l1;
    k->core.env.l1_size = sizeof k->l1;
    riscv_release(&k->core, PROGRAM_BASE, false);
    riscv_run(&k->core, 10000000);
    return k->core.s.phase == RISCV_PAUSED && k->core.s.x[17] == 64 ? k->l1 + PROGRAM_OUT_AT : NULL;
}

static uint8_t *core_there(struct cores *k, const struct beside *other)
{
    uint8_t *l1 = other->l1();
    memset(l1 + PROGRAM_OUT_AT, 0, PROGRAM_OUT);
    memcpy(l1 + PROGRAM_BASE, k->program.words, 4 * (size_t)k->program.count);
    return other->core(PROGRAM_BASE, PROGRAM_BASE + 4 * (k->program.count - CORE_TAIL), 10000000)
               ? l1 + PROGRAM_OUT_AT
               : NULL;
}

/* True: both came to the end, and something differs. */
static bool cores_differ(struct cores *k, struct cosim *c)
{
    const uint8_t *there = core_there(k, c->other);
    const uint8_t *here = there != NULL ? core_here(k, c->arch) : NULL;
    return there != NULL && (here == NULL || memcmp(here, there, PROGRAM_OUT) != 0);
}

static void show_cores(struct cores *k, struct cosim *c, uint64_t number)
{
    for (unsigned i = CORE_SET; i + CORE_TAIL < k->program.count; i++) {
        const uint32_t word = k->program.words[i];
        k->program.words[i] = 0x13;
        if (!cores_differ(k, c)) {
            k->program.words[i] = word;
        }
    }
    fprintf(c->out, "%s riscv:%" PRIu64 " (seed %" PRIu64 ") differs:\n", tx_arch_short(c->arch),
            number, c->seed);
    for (unsigned i = CORE_SET; i + CORE_TAIL < k->program.count; i++) {
        if (k->program.words[i] != 0x13) {
            fprintf(c->out, "    %08x\n", (unsigned)k->program.words[i]);
        }
    }
}

static void core_program(struct cores *k, struct cosim *c, uint64_t number)
{
    const bool wormhole = c->arch == TX_WORMHOLE;
    const unsigned size = number % 4 == 0 ? 400 : 12;
    program_make(&k->program, cosim_mix(c->seed, number), wormhole, size, CORE_LOOPS);
    k->programs++;
    if (core_there(k, c->other) == NULL) {
        k->refused++;
        count_refusal(c, c->other->refusal() != NULL ? c->other->refusal() : "no end");
        return;
    }
    if (cores_differ(k, c)) {
        k->differ++;
        if (c->shown++ < SHOWN_MOST) {
            show_cores(k, c, number);
        }
    }
    k->executed += k->core.s.instret;
}

#endif
