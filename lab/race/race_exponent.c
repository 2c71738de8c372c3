/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared exponents. For a block format the packers read their rows of Dst once more, on THCON, to
 * find the largest exponents, and a STALLWAIT on the packers lets go before these reads are over:
 * tt-metal #56073 and PR 54157, both chips, 16-bit Dst. ZEROACC of all of Dst is not known to
 * suffer (in #56073 only half of it, beside a Matrix Unit at work in the other half, does), nor is
 * 32-bit Dst.
 */
#include "race/race.h"

static uint32_t value(tx_machine *m, const struct tx_config_field *f, unsigned bank)
{
    uint32_t word = 0;
    if (f != NULL) {
        (void)tx_read(m, f->thread ? TX_FILE_THREAD_CONFIG : TX_FILE_CONFIG,
                      f->word + (f->thread ? 128u : 256u) * bank, &word, 1);
        word = word >> f->lsb & ((1u << f->width) - 1u);
    }
    return word;
}

/* Tells whether the thread's packers write blocks with shared exponents from 16-bit Dst. */
static bool shares(const struct txl_race *r, unsigned thread)
{
    const unsigned bank =
        value(r->machine, tx_config_field_find(r->arch, "CFG_STATE_ID_StateID"), thread);
    const struct tx_format_info *format = tx_format_info((enum tx_format)value(
        r->machine, tx_config_field_find(r->arch, "THCON_SEC0_REG1_Out_data_format"), bank));
    return format != NULL && format->block &&
           value(r->machine, tx_config_field_find(r->arch, "PCK_DEST_RD_CTRL_Read_32b_data"),
                 bank) == 0;
}

void race_exponents(struct txl_race *r, const struct tx_order *o, struct race_flight *f,
                    const struct race_clock *known)
{
    const unsigned actor = race_actor(o->thread, ACTOR_EXPONENT);
    if (f->exponents == 0) {
        f->exponents = shares(r, o->thread) ? 2 : 1;
    }
    if (f->exponents == 2) {
        struct race_access read = f->access;
        struct race_clock *own = &r->unit[actor];
        race_join(own, known);
        read.actor = (uint8_t)actor;
        read.clock = ++own->at[actor];
        race_access(r, o, &read, own);
    }
}

void race_exponents_over(const struct txl_race *r, const struct tx_order *o,
                         struct race_clock *known)
{
    for (unsigned t = 0; o->count >= TX_DST_ROWS && t < TX_THREADS; t++) {
        const unsigned actor = race_actor(t, ACTOR_EXPONENT);
        known->at[actor] = r->unit[actor].at[actor];
    }
}
