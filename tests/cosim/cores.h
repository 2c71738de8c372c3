/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs of RISC-V instructions on a core of ours and on one of the other side's tile: both begin
 * with data of zeros and registers of zeros, and the bytes that the program leaves are compared at
 * its end. What the other side refuses is left out. A class says how words make a program.
 */
#ifndef TESTS_COSIM_CORES_H
#define TESTS_COSIM_CORES_H

#include "cosim/engine.h"
#include "riscv/program.h"
#include "riscv/riscv.h"

enum { CORE_TAIL = 6, CORE_STEPS = 10000000 }; /* tail: from "write" on */

struct cores {
    struct program program;
    struct riscv core;
    uint8_t l1[RISCV_L1_MAX];
    unsigned which; /* of the T cores */
    uint64_t number;
    unsigned begins[WORDS_MOST]; /* where in the program each word begins; others are before it */
    unsigned ends;               /* where the last one ends */
    uint32_t last;               /* the instruction of the last one */
    /* Draws the words of a program; makes it of some of them. */
    void (*draw)(struct cosim *c);
    void (*make)(struct cosim *c, const uint32_t *words, unsigned count);
};

static const uint8_t *core_here(struct cores *k, enum tx_arch arch)
{
    memset(k->l1 + PROGRAM_OUT_AT, 0, PROGRAM_OUT);
    memcpy(k->l1 + PROGRAM_BASE, k->program.words, 4 * (size_t)k->program.count);
    riscv_close(&k->core);
    riscv_open(&k->core, arch, (enum riscv_core)(RISCV_T0 + k->which));
    k->core.env.l1 = k->l1;
    k->core.env.l1_size = sizeof k->l1;
    riscv_release(&k->core, PROGRAM_BASE, false);
    riscv_run(&k->core, CORE_STEPS);
    return k->core.s.phase == RISCV_PAUSED && k->core.s.x[17] == 64 ? k->l1 + PROGRAM_OUT_AT : NULL;
}

/* NULL: it was refused at "at", or does not end. */
static const uint8_t *core_there(const struct cores *k, const struct beside *other, uint32_t *at)
{
    uint8_t *l1 = other->l1();
    memset(l1 + PROGRAM_OUT_AT, 0, PROGRAM_OUT);
    memcpy(l1 + PROGRAM_BASE, k->program.words, 4 * (size_t)k->program.count);
    return other->core(k->which, PROGRAM_BASE, PROGRAM_BASE + 4 * (k->program.count - CORE_TAIL),
                       CORE_STEPS, at)
               ? l1 + PROGRAM_OUT_AT
               : NULL;
}

/* The other side has run the program. */
static bool cores_agree(struct cosim *c, const uint8_t *there, struct difference *d)
{
    struct cores *k = c->own;
    *d = (struct difference){.count = 0};
    const uint8_t *here = core_here(k, c->arch);
    if (here == NULL) {
        d->stops = true;
        snprintf(d->text, sizeof d->text, "ours does not come to the end: phase %u at %x",
                 (unsigned)k->core.s.phase, (unsigned)k->core.s.pc);
        return false;
    }
    if (memcmp(here, there, PROGRAM_OUT) == 0) {
        return true;
    }
    unsigned at = 0;
    while (memcmp(here + at, there + at, 4) == 0) {
        at += 4;
    }
    d->place.index = at;
    memcpy(&d->place.here, here + at, 4);
    memcpy(&d->place.there, there + at, 4);
    snprintf(d->text, sizeof d->text, "word %u of what it leaves: %08x, there %08x", at / 4,
             (unsigned)d->place.here, (unsigned)d->place.there);
    return false;
}

static bool cores_again(struct cosim *c, unsigned reading, uint64_t number, const uint32_t *words,
                        unsigned count, struct difference *d)
{
    struct cores *k = c->own;
    uint32_t at;
    (void)reading;
    (void)number;
    k->make(c, words, count);
    const uint8_t *there = core_there(k, c->other, &at);
    return there == NULL || cores_agree(c, there, d);
}

/* The word to which an instruction belongs, or the number of words. */
static unsigned word_of(const struct cosim *c, uint32_t at)
{
    const struct cores *k = c->own;
    const uint32_t position = (at - PROGRAM_BASE) / 4;
    unsigned i = c->count;
    while (i > 0 && k->begins[i - 1] > position) {
        i--;
    }
    return i == 0 || position >= k->ends ? c->count : i - 1;
}

static bool cores_first(struct cosim *c, uint64_t number, struct difference *d)
{
    struct cores *k = c->own;
    const uint8_t *there;
    uint32_t at = 0;
    k->number = number;
    c->random.s = cosim_mix(c->seed, number);
    k->draw(c);
    k->make(c, c->words, c->count);
    while ((there = core_there(k, c->other, &at)) == NULL) {
        const char *why = c->other->refusal() != NULL ? c->other->refusal() : "no end";
        const unsigned i = word_of(c, at);
        if (i == c->count) {
            snprintf(c->refused_text, sizeof c->refused_text, "%s", why);
            c->refused = c->refused_text;
            return true;
        }
        count_refusal(c, why);
        memmove(&c->words[i], &c->words[i + 1], (c->count - i - 1) * sizeof *c->words);
        c->count--;
        k->make(c, c->words, c->count);
    }
    return cores_agree(c, there, d);
}

static void cores_begin(struct cosim *c, unsigned which, void (*draw)(struct cosim *c),
                        void (*make)(struct cosim *c, const uint32_t *words, unsigned count))
{
    struct cores *k = calloc(1, sizeof *k);
    if (k == NULL) {
        cosim_fail("no memory");
    }
    k->which = which;
    k->draw = draw;
    k->make = make;
    c->own = k;
    c->other->open();
}

static void cores_close(struct cosim *c)
{
    struct cores *k = c->own;
    riscv_close(&k->core);
    free(k);
}

static void cores_text(struct cosim *c, uint32_t word, char text[200])
{
    struct cores *k = c->own;
    k->make(c, &word, 1);
    riscv_text(c->arch, k->last, 0, text, 200);
}

/* Its mnemonic. */
static void cores_name(struct cosim *c, uint32_t word, char name[32])
{
    char text[200];
    cores_text(c, word, text);
    snprintf(name, 32, "%.*s", (int)(strcspn(text, " ") < 31 ? strcspn(text, " ") : 31), text);
}

#endif
