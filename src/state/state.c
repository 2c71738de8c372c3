/* SPDX-License-Identifier: Apache-2.0 */
/* Reset and copying of the machine's state. */
#include "base/check.h"
#include "state/state.h"

#include <string.h>

enum { COPIED_AT_ONCE = 2048 };

/*
 * LReg 8 to 14 at reset: three are constants in silicon, SFPCONFIG sets the other four (R4, H#42).
 */
static const uint32_t lreg_reset[7] = {
    0x3F56594Bu, 0x00000000u, 0x3F800000u, 0xBF800000u, 0x3B000000u, 0xBF2CC4C7u, 0xBEB08FF9u,
};

static void reset_constants(struct tx_state *s)
{
    for (unsigned lane = 0; lane < 32; lane++) {
        for (unsigned i = 0; i < 7; i++) {
            s->lreg[8 + i][lane] = lreg_reset[i];
        }
        s->lreg[15][lane] = 2 * lane;
    }
}

void state_drop_vector(struct tx_state *s)
{
    memset(s->flight, 0, sizeof s->flight);
    memset(s->pending, 0, sizeof s->pending);
    memset(s->pending_end, 0, sizeof s->pending_end);
    s->pending_count = s->flights = 0;
}

static void set_flags(struct tx_state *s, bool on)
{
    s->lane_flags = on ? 0xFFFFFFFFu : 0;
    s->use_flags = on ? 0xFFFFFFFFu : 0;
}

void state_reset_vector(struct tx_state *s, bool flags_on)
{
    memset(s->lreg, 0, sizeof s->lreg);
    memset(s->lreg_encoding, 0, sizeof s->lreg_encoding);
    memset(s->lreg_tainted, 0, sizeof s->lreg_tainted);
    memset(s->lane_config, 0, sizeof s->lane_config);
    memset(s->macro_template, 0, sizeof s->macro_template);
    memset(s->macro_sequence, 0, sizeof s->macro_sequence);
    memset(s->macro_misc, 0, sizeof s->macro_misc);
    memset(s->stack_lf, 0, sizeof s->stack_lf);
    memset(s->stack_use, 0, sizeof s->stack_use);
    memset(s->stack_ctr, 0, sizeof s->stack_ctr);
    memset(s->prng, 0, sizeof s->prng);
    set_flags(s, flags_on);
    s->prng_seeded = s->seed_pending = 0;
    reset_constants(s);
}

void state_reset(struct tx_state *s, bool flags_on)
{
    memset(s, 0, sizeof *s);
    state_begin(s, flags_on);
}

void state_begin(struct tx_state *s, bool flags_on)
{
    CHECK(check_zero(s, sizeof *s), "the state of a new machine is zero");
    reset_constants(s);
    set_flags(s, flags_on);
    memset(s->dst_valid, 0xFF, sizeof s->dst_valid);
    memset(s->dst_unknown, 0xFF, sizeof s->dst_unknown);
    undefined_reset(&s->undefined);
    for (unsigned i = 0; i < 2 * SRC_BANKS; i++) {
        known_lost(&s->src_known[i / SRC_BANKS][i % SRC_BANKS]);
    }
}

/*
 * memcpy in short pieces. glibc copies long ones with REP MOVSB, which takes ten times as long on
 * Zen 4 where the two addresses happen to lie badly: longer than many a kernel takes for a tile.
 */
static void copy(void *to, const void *from, size_t size)
{
    for (size_t at = 0; at < size; at += COPIED_AT_ONCE) {
        const size_t rest = size - at;
        memcpy((char *)to + at, (const char *)from + at,
               rest < COPIED_AT_ONCE ? rest : COPIED_AT_ONCE);
    }
}

void state_copy(struct tx_state *to, const struct tx_state *from)
{
    const size_t begin = offsetof(struct tx_state, flight);
    const size_t end = offsetof(struct tx_state, pending_count);
    if ((to->flights | from->flights | to->pending_count | from->pending_count) != 0) {
        copy(to, from, sizeof *to);
        return;
    }
    const bool plain = (to->undefined.words | from->undefined.words | to->undefined.stored |
                        from->undefined.stored) == 0;
    const size_t rest =
        offsetof(struct tx_state, undefined) +
        (plain ? offsetof(struct undefined_state, config) : sizeof(struct undefined_state));
    copy(to, from, begin);
    copy((char *)to + end, (const char *)from + end, rest - end);
}
