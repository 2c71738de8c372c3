/* SPDX-License-Identifier: Apache-2.0 */
/* Flags and the flag stack, one lane at a time. */
#include "oracle.h"

#include "oracle_num.h"

struct entry {
    bool lane, use;
};

static unsigned top_slot(const struct orc_state *s, unsigned lane)
{
    return (s->stack_ctr[lane] + 7u) % 8u;
}

static struct entry peek(const struct orc_state *s, unsigned lane, bool when_empty)
{
    struct entry e = {when_empty, when_empty};

    if (s->stack_ctr[lane] != 0) {
        e.lane = s->stack_lane[lane][top_slot(s, lane)];
        e.use = s->stack_use[lane][top_slot(s, lane)];
    }
    return e;
}

static void put(struct orc_state *s, unsigned lane, unsigned slot, struct entry e)
{
    s->stack_lane[lane][slot] = e.lane;
    s->stack_use[lane][slot] = e.use;
}

static void pushc(struct orc_state *s, int bh, unsigned lane, unsigned mod1)
{
    struct entry e;

    if (mod1 == 0) {
        e.lane = s->lane_flags[lane];
        e.use = s->use_flags[lane];
        put(s, lane, s->stack_ctr[lane] % 8u, e);
        s->stack_ctr[lane] = (uint8_t)((s->stack_ctr[lane] + 1u) % 16u);
        return;
    }
    if (!bh) {
        return;
    }
    e = peek(s, lane, false);
    if (mod1 == 13) {
        s->lane_flags[lane] = !s->lane_flags[lane];
    }
    if (mod1 <= 12) {
        e.lane = orc_boolop(mod1, e.lane, s->lane_flags[lane]);
        e.use = s->use_flags[lane];
    } else if (mod1 == 13) {
        e.lane = s->lane_flags[lane];
        e.use = s->use_flags[lane];
    } else {
        e.lane = mod1 == 14;
        e.use = true;
    }
    if (s->stack_ctr[lane] != 0) {
        put(s, lane, top_slot(s, lane), e);
    }
}

static void popc(struct orc_state *s, int bh, unsigned lane, unsigned mod1)
{
    struct entry e = peek(s, lane, mod1 == 0);

    if (mod1 == 0) {
        s->stack_ctr[lane] = (uint8_t)((s->stack_ctr[lane] + 15u) % 16u);
        s->lane_flags[lane] = e.lane;
        s->use_flags[lane] = e.use;
        return;
    }
    if (!bh && s->stack_ctr[lane] == 8) {
        put(s, lane, 0, e);
    }
    if (mod1 == 13) {
        s->lane_flags[lane] = !s->lane_flags[lane];
    } else if (mod1 > 13) {
        s->lane_flags[lane] = mod1 == 14;
        s->use_flags[lane] = true;
    } else {
        s->lane_flags[lane] = orc_boolop(mod1, s->lane_flags[lane], e.lane);
        s->use_flags[lane] = e.use;
    }
}

static void setcc(struct orc_state *s, unsigned lane, uint32_t w)
{
    unsigned mod1 = orc_bits(w, 0, 4);
    uint32_t c = s->lreg[orc_bits(w, 8, 4)][lane];
    bool test;

    if (!orc_lane_enabled(s, lane)) {
        return;
    }
    if (!s->use_flags[lane] || (mod1 & 8u) != 0) {
        test = false;
    } else if ((mod1 & 1u) != 0) {
        test = orc_bits(w, 12, 1) != 0;
    } else {
        test = (mod1 & 2u) != 0 ? c != 0 : c >= 0x80000000u;
        test = (mod1 & 4u) != 0 ? !test : test;
    }
    s->lane_flags[lane] = test;
}

/* SFPGT and SFPLE. */
static void compare(struct orc_state *s, unsigned lane, uint32_t w)
{
    unsigned vd = orc_bits(w, 4, 4), mod1 = orc_bits(w, 0, 4);
    bool hit = orc_sm_less(s->lreg[orc_bits(w, 8, 4)][lane], s->lreg[vd][lane]);

    if (w >> 24 == 0x96) {
        hit = !hit;
    }
    if (orc_lane_enabled(s, lane)) {
        if ((mod1 & 8u) != 0 && vd < 8) {
            s->lreg[vd][lane] = hit ? 0xffffffffu : 0;
        }
        if ((mod1 & 1u) != 0) {
            s->lane_flags[lane] = hit;
        }
    }
    if ((mod1 & 2u) != 0 && s->stack_ctr[lane] != 0) {
        bool *flag = &s->stack_lane[lane][top_slot(s, lane)];

        *flag = (mod1 & 4u) != 0 ? *flag || hit : *flag && hit;
    }
}

void orc_exec_flow(struct orc_state *s, int bh, uint32_t w, unsigned lane)
{
    unsigned mod1 = orc_bits(w, 0, 4);
    struct entry e;

    switch (w >> 24) {
    case 0x7b:
        setcc(s, lane, w);
        break;
    case 0x87:
        pushc(s, bh, lane, mod1);
        break;
    case 0x88:
        popc(s, bh, lane, mod1);
        break;
    case 0x8a:
        if ((mod1 & 2u) != 0) {
            s->use_flags[lane] = orc_bits(w, 12, 1) != 0;
        } else if ((mod1 & 1u) != 0) {
            s->use_flags[lane] = !s->use_flags[lane];
        }
        s->lane_flags[lane] = (mod1 & 8u) == 0 || orc_bits(w, 13, 1) != 0;
        break;
    case 0x8b:
        e = peek(s, lane, true);
        s->lane_flags[lane] = e.use && s->use_flags[lane] && e.lane && !s->lane_flags[lane];
        break;
    case 0x96:
    case 0x97:
        compare(s, lane, w);
        break;
    default:
        break;
    }
}
