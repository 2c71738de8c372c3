/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs of RISC-V instructions with loops, jumps and memory (riscv/program.h). A word is the
 * place of an instruction in the program; what is left out is a NOP.
 */
#ifndef TESTS_COSIM_RISCV_H
#define TESTS_COSIM_RISCV_H

#include "cosim/cores.h"

enum { CORE_LOOPS = 8, CORE_SET = 62, CORE_NOP = 0x13 }; /* set: words that set registers */

static void riscv_make(struct cosim *c, const uint32_t *words, unsigned count)
{
    struct cores *k = c->own;
    const unsigned size = k->number % 4 == 0 ? 400 : 12;
    program_make(&k->program, cosim_mix(c->seed, k->number), c->arch == TX_WORMHOLE, size,
                 CORE_LOOPS);
    k->ends = k->program.count - CORE_TAIL;
    k->last = count > 0 ? k->program.words[words[count - 1]] : CORE_NOP;
    unsigned i = 0;
    for (unsigned at = CORE_SET; at < k->ends; at++) {
        if (i < count && words[i] == at) {
            k->begins[i++] = at;
        } else if (words != NULL) {
            k->program.words[at] = CORE_NOP;
        }
    }
}

static void riscv_draw(struct cosim *c)
{
    struct cores *k = c->own;
    riscv_make(c, NULL, 0);
    c->count = 0;
    for (unsigned at = CORE_SET; at < k->ends; at++) {
        c->words[c->count++] = at;
    }
}

static bool riscv_first(struct cosim *c, uint64_t number, struct difference *d)
{
    const bool good = cores_first(c, number, d);
    c->steps = ((struct cores *)c->own)->core.s.instret;
    return good;
}

static void riscv_class_open(struct cosim *c)
{
    cores_begin(c, 1, riscv_draw, riscv_make);
}

static const struct steps riscv_steps = {riscv_class_open, cores_close, riscv_first,
                                         cores_again,      cores_name,  cores_text};
static const struct kind riscv_class = {
    .name = "riscv", .unit = "instructions", .steps = &riscv_steps};

#endif
