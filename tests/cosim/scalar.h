/* SPDX-License-Identifier: Apache-2.0 */
/* Scalar Unit, semaphores, mutexes, configuration, and the expanders with such words in them. */
#ifndef TESTS_COSIM_SCALAR_H
#define TESTS_COSIM_SCALAR_H

#include "cosim/vector.h"

static bool scalar_takes(const struct tx_row *row)
{
    return row->unit == TX_UNIT_SCALAR || row->unit == TX_UNIT_SYNC ||
           row->unit == TX_UNIT_CONFIG || row->insn == TX_INSN_REPLAY;
}

static void scalar_block(struct cosim *c)
{
    (void)c;
}

static void scalar_setup(struct cosim *c)
{
    struct bridge_rng *r = &c->random;
    fill_l1(c);
    for (unsigned i = 0; i < 64; i++) {
        /* Half of them are small, so that they are addresses in the program's part of L1. */
        const uint32_t v = draw_one_in(r, 2) ? bridge_value(r) : draw_below(r, 0x800);
        (void)put_both(c, TX_FILE_GPR, 64 * c->kind->thread + i, &v, 1);
    }
    for (unsigned i = 0; i < 8; i++) {
        const uint32_t most = draw_below(r, 16);
        const uint32_t v[2] = {draw_below(r, most + 1), most};
        const uint32_t holder = draw_one_in(r, 8) ? 1 + draw_below(r, 3) : 0;
        (void)put_both(c, TX_FILE_SEMAPHORE, i, v, 2);
        if (i == 0) { /* the simulator lets no program use another one */
            (void)put_both(c, TX_FILE_MUTEX, i, &holder, 1);
        }
    }
}

static uint32_t scalar_word(struct cosim *c)
{
    struct bridge_rng *r = &c->random;
    const struct draw_form *f = &c->forms.form[draw_below(r, c->forms.count)];
    uint32_t word = draw_word(r, f);
    const uint32_t op = word >> 24;
    if (op == TX_INSN_SEMINIT || op == TX_INSN_SEMPOST || op == TX_INSN_SEMGET ||
        op == TX_INSN_SEMWAIT) {
        word = (word & ~0x3FCu) | 4u << draw_below(r, 8); /* one semaphore */
    }
    if (op == TX_INSN_ATGETM || op == TX_INSN_ATRELM) {
        word &= draw_one_in(r, 8) ? ~0u : 0xFF000000u;
    }
    return word;
}

/* What was read of a configuration word, of which that simulator keeps what it has a use for. */
static bool only_fewer_there(struct cosim *c, const struct difference *d)
{
    (void)c;
    return !d->stops && d->place.file != NULL && d->place.file->file == TX_FILE_GPR &&
           (d->place.there & ~d->place.here) == 0;
}

static bool of_a_tile(struct cosim *c, const struct difference *d)
{
    (void)c;
    return d->stops && strstr(d->text, "there is no register at") != NULL;
}

static const struct known scalar_known[] = {
    {"R18", 3, "RDCFG", only_fewer_there,
     "all bits of a configuration word are kept here, there those of its fields"},
    {"registers of a tile", 3, "STOREREG LOADREG", of_a_tile,
     "the machine runs without one here, the simulator's within its own"},
    {.id = NULL}};

static const struct kind scalar_class = {
    .name = "scalar",
    .unit = "words",
    .steps = &words_steps,
    .files = SIDE(TX_FILE_GPR) | SIDE(TX_FILE_SEMAPHORE) | SIDE(TX_FILE_MUTEX) |
             SIDE(TX_FILE_CONFIG) | SIDE(TX_FILE_ADC),
    .subset = SIDE(TX_FILE_CONFIG), /* R18 */
    .thread = 1,
    .words = 24,
    .queues = true, /* STALLWAIT and SEMWAIT pass the gate; what comes behind waits */
    .l1 = 0x10000,
    .rules = {{NULL}, {NULL}},
    .takes = scalar_takes,
    .block = scalar_block,
    .setup = scalar_setup,
    .word = scalar_word,
    .known = scalar_known};

#endif
