/* SPDX-License-Identifier: Apache-2.0 */
/* Writes to configuration words, with their side effects. */
#include "state/cfg.h"
#include "base/check.h"

#include "num/prng.h"
#include "state/machine.h"

#include <string.h>

void cfg_write_thread(struct tx_machine *m, unsigned thread, unsigned word, uint16_t value)
{
    CHECK(thread < TX_THREADS, "a thread's configuration belongs to one of three threads");
    CHECK(word < 128, "a thread's configuration has 128 words");
    machine_reconfigured(m);
    m->state.thread_config[thread][word] = value;
}

void cfg_write(struct tx_machine *m, unsigned bank, unsigned word, uint32_t value,
               enum cfg_route route)
{
    CHECK(bank < 2, "configuration has two banks");
    CHECK(word < 256, "a bank of configuration has 256 words");
    struct tx_state *s = &m->state;
    const struct cfg_places *p = m->places;
    machine_reconfigured(m);
    if (s->undefined.words != 0) {
        const bool all = word == p->state_reset.word && route == CFG_BY_WORD;
        const bool once = word >= p->global;
        undefined_config_given(m, once ? 0 : bank, all ? 0 : word, all ? p->global : 1);
        undefined_config_given(m, once ? 1 : bank, all ? 0 : word, all ? p->global : 1);
    }
    if (word == p->state_reset.word && route == CFG_BY_WORD) {
        /* A write of any value, except through RMWCIB, clears the bank below the global words. */
        memset(s->config[bank], 0, p->global * sizeof s->config[0][0]);
        return;
    }
    if (word >= p->global) {
        s->config[0][word] = value;
        s->config[1][word] = value;
    } else {
        s->config[bank][word] = value;
    }
    if (word == p->prng_seed.word) {
        /*
         * The seed takes effect at once. Silicon needs some 500 cycles: a draw before that is a
         * finding (R5).
         */
        prng_seed(value, s->prng);
        s->prng_seeded = 1;
        s->seed_pending = 1;
        s->seed_cycle = s->cycle;
        machine_changed(m, CHANGE_SEED, value);
    }
}
