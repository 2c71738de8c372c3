/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The counters that address Dst, SrcA and SrcB (RWC), and how an address modifier advances them.
 * Source: isa RWCs.
 */
#ifndef TX_STATE_RWC_H
#define TX_STATE_RWC_H

#include "state/cfg.h"

/*
 * Returns which of the eight address modifiers is meant. Wormhole's instructions have two bits for
 * it; the third comes from the thread's base or from the bias counter.
 */
static inline unsigned rwc_section(const struct tx_state *s, const struct cfg_places *p,
                                   unsigned thread, unsigned amod, const struct rwc *r)
{
    const bool upper =
        p->addr_mod_set.width != 0 && (r->bias != 0 || cfg_thread(s, thread, p->addr_mod_set) != 0);
    return amod + (upper ? 4u : 0u);
}

/*
 * Applies an address modifier after an access of SFPLOAD, SFPSTORE or SFPLOADMACRO, which leave the
 * fidelity phase alone.
 */
static inline void rwc_apply_partial(const struct tx_state *s, const struct cfg_places *p,
                                     unsigned thread, unsigned amod, struct rwc *r)
{
    const uint16_t *words = s->thread_config[thread];
    const unsigned section = rwc_section(s, p, thread, amod, r);
    const uint32_t ab = words[p->mod_ab + section * p->mod_ab_stride];
    const uint32_t dst = words[p->mod_dst + section];
    const uint32_t bias = words[p->mod_bias + section];

    if ((ab | dst | bias) == 0) {
        return; /* nothing moves */
    }
    if (bits_get(ab, 7, 1) != 0) {
        r->srca = r->srca_cr = 0;
    } else if (bits_get(ab, 6, 1) != 0) {
        r->srca_cr = (uint8_t)((r->srca_cr + bits_get(ab, 0, 6)) & 63u);
        r->srca = r->srca_cr;
    } else {
        r->srca = (uint8_t)((r->srca + bits_get(ab, 0, 6)) & 63u);
    }
    if (bits_get(ab, 15, 1) != 0) {
        r->srcb = r->srcb_cr = 0;
    } else if (bits_get(ab, 14, 1) != 0) {
        r->srcb_cr = (uint8_t)((r->srcb_cr + bits_get(ab, 8, 6)) & 63u);
        r->srcb = r->srcb_cr;
    } else {
        r->srcb = (uint8_t)((r->srcb + bits_get(ab, 8, 6)) & 63u);
    }
    const uint32_t incr = bits_get(dst, 0, 10);
    if (bits_get(dst, 11, 1) != 0) {
        r->dst = r->dst_cr = 0;
    } else if (bits_get(dst, 12, 1) != 0) {
        r->dst = (uint16_t)((r->dst + incr) & 1023u);
        r->dst_cr = r->dst;
    } else if (bits_get(dst, 10, 1) != 0) {
        r->dst_cr = (uint16_t)((r->dst_cr + incr) & 1023u);
        r->dst = r->dst_cr;
    } else {
        r->dst = (uint16_t)((r->dst + incr) & 1023u);
    }
    if (bits_get(bias, 4, 1) != 0) {
        r->bias = 0;
    } else if ((bits_get(bias, 0, 4) & 3u) != 0) {
        r->bias ^= 1u;
    }
}

/*
 * Applies an address modifier as instructions of the Matrix Unit do, the fidelity phase included.
 */
static inline void rwc_apply(const struct tx_state *s, const struct cfg_places *p, unsigned thread,
                             unsigned amod, struct rwc *r)
{
    const unsigned section = rwc_section(s, p, thread, amod, r);
    const uint32_t dst = s->thread_config[thread][p->mod_dst + section];
    rwc_apply_partial(s, p, thread, amod, r);
    r->fidelity =
        bits_get(dst, 15, 1) != 0 ? 0 : (uint8_t)((r->fidelity + bits_get(dst, 13, 2)) & 3u);
}

#endif
