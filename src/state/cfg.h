/* SPDX-License-Identifier: Apache-2.0 */
/* Configuration words as an instruction of one thread sees them. */
#ifndef TX_STATE_CFG_H
#define TX_STATE_CFG_H

#include "state/state.h"

static inline uint32_t cfg_thread(const struct tx_state *s, unsigned thread, struct cfg_place at)
{
    return at.width == 0 ? 0 : bits_get(s->thread_config[thread][at.word], at.lsb, at.width);
}

static inline unsigned cfg_bank(const struct tx_state *s, const struct cfg_places *p,
                                unsigned thread)
{
    return cfg_thread(s, thread, p->state_id);
}

/* From a bank that the caller has found. */
static inline uint32_t cfg_in_bank(const struct tx_state *s, unsigned bank, struct cfg_place at)
{
    return at.width == 0 ? 0 : bits_get(s->config[bank][at.word], at.lsb, at.width);
}

static inline uint32_t cfg_banked(const struct tx_state *s, const struct cfg_places *p,
                                  unsigned thread, struct cfg_place at)
{
    return cfg_in_bank(s, cfg_bank(s, p, thread), at);
}

/*
 * Write of a whole banked word by any route but RMWCIB's effect on STATE_RESET_EN, see cfg.c.
 * Words from p->global on exist once: both banks are written. The seed word seeds the generators.
 */
enum cfg_route { CFG_BY_WORD, CFG_BY_BYTE };
struct tx_machine;
void cfg_write(struct tx_machine *m, unsigned bank, unsigned word, uint32_t value,
               enum cfg_route route);

#endif
