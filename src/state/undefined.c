/* SPDX-License-Identifier: Apache-2.0 */
/* Findings about GPRs and configuration words that nobody has defined (state/undefined.h). */
#include "state/undefined.h"
#include "base/check.h"

#include "isa/config.h"
#include "state/machine.h"

#define ID(name) evidence_get(EVIDENCE_##name)->id

void undefined_gpr_used(struct tx_machine *m, const struct tx_op *op, unsigned gpr, uint32_t bits,
                        const char *does)
{
    CHECK(gpr < TX_GPRS, "a GPR that decides something is one of 64");
    struct undefined_state *u = &m->state.undefined;
    if ((u->gpr[op->thread][gpr] & bits) == 0) {
        return;
    }
    const unsigned from = u->gpr_from[op->thread][gpr];
    u->gpr[op->thread][gpr] &= ~bits;
    machine_finding(m, TX_UNPREDICTABLE_VALUE, ID(E_UNDEF), op, 0,
                    "%s depends on GPR %u of thread %u, which nobody has written", does, from,
                    (unsigned)op->thread);
}

void undefined_config_set(struct tx_machine *m, unsigned bank, unsigned word,
                          struct word_undefined with)
{
    CHECK(bank < 2 && word < 256, "an undefined word of configuration is in a bank");
    struct undefined_state *u = &m->state.undefined;
    const unsigned last = word >= m->places->global ? 1 : bank;
    for (unsigned b = word >= m->places->global ? 0 : bank; b <= last; b++) {
        u->words += (uint32_t)(with.bad != 0) - (uint32_t)(u->config[b][word] != 0);
        u->config[b][word] = with.bad;
        u->config_from[b][word] = with.from;
    }
}

struct word_undefined undefined_config_taken(struct tx_machine *m, unsigned bank, unsigned word)
{
    CHECK(bank < 2 && word < 256, "a word of configuration that is copied is in a bank");
    struct undefined_state *u = &m->state.undefined;
    const struct word_undefined with = {
        .bad = u->config[bank][word],
        .from = u->config_from[bank][word],
    };
    undefined_config_given(m, bank, word, 1);
    return with;
}

void undefined_config_given(struct tx_machine *m, unsigned bank, unsigned first, unsigned count)
{
    CHECK(bank < 2 && first + count <= 256, "words that are defined again lie in a bank");
    struct undefined_state *u = &m->state.undefined;
    for (unsigned i = first; u->words != 0 && i < first + count && i < 256; i++) {
        u->words -= (uint32_t)(u->config[bank][i] != 0);
        u->config[bank][i] = 0;
    }
}

void undefined_config_used(struct tx_machine *m, const struct tx_op *op, unsigned bank,
                           unsigned word, unsigned count, uint32_t bits)
{
    CHECK(bank < 2 && word + count <= 256, "words that decide something lie in a bank");
    struct undefined_state *u = &m->state.undefined;
    for (unsigned i = word; i < word + count && i < 256; i++) {
        if ((u->config[bank][i] & bits) == 0) {
            continue;
        }
        const struct gpr_origin from = u->config_from[bank][i];
        const struct word_undefined rest = {.bad = u->config[bank][i] & ~bits, .from = from};
        undefined_config_set(m, bank, i, rest);
        machine_finding(m, TX_UNPREDICTABLE_VALUE, ID(E_UNDEF), op, 0,
                        "it goes by configuration word %u, which has got a value that depends on "
                        "GPR %u of thread %u, which nobody has written",
                        i, from.gpr, from.thread);
    }
}
