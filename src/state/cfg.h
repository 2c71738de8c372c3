/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Configuration as an instruction sees it: fields of the thread's own configuration, and of the
 * configuration bank that the thread has chosen. A field of width 0 does not exist on the chip and
 * reads as zero.
 */
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

/* Returns a field of the given bank. */
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
 * Writes a whole banked word. Words from p->global on exist once: both banks are written. A write
 * to the seed word seeds the generators. The route matters for STATE_RESET_EN alone: see cfg.c.
 */
enum cfg_route { CFG_BY_WORD, CFG_BY_BYTE };
struct tx_machine;
void cfg_write(struct tx_machine *m, unsigned bank, unsigned word, uint32_t value,
               enum cfg_route route);
/* A word of the thread's own. */
void cfg_write_thread(struct tx_machine *m, unsigned thread, unsigned word, uint16_t value);

#endif
