/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Delays of cores that the host asks for (tx_order_delays): a core that stands still for a while,
 * and a store to configuration, GPRs or Dst that takes effect later. Later accesses of the same
 * core to that region wait for it, as a region serves a core's requests in order; accesses to other
 * regions overtake it. Source: isa MemoryOrdering f7fda21.
 */
#include "state/delay.h"
#include "base/check.h"
#include "tile/tile.h"

static bool may_be_late(const struct riscv_access *a)
{
    return a->region == REGION_CONFIG || a->region == REGION_GPRS_T || a->region == REGION_GPRS_B ||
           a->region == REGION_DST;
}

bool tile_late_frozen(const struct tx_tensix *t, unsigned who)
{
    CHECK(who < TX_CORES, "a core that a delay freezes exists");
    const struct delays *d = t->m->delays;
    for (size_t i = 0; i < d->count; i++) {
        const struct tx_delay *one = &d->list[i];
        if (one->thread == TX_ORDER_CORE + who && !one->late && t->s.cycle >= one->index &&
            t->s.cycle - one->index < one->cycles) {
            return true;
        }
    }
    return false;
}

bool tile_late_starts(struct tx_tensix *t, unsigned who)
{
    CHECK(who < TX_CORES, "a core that starts late is one of five");
    if (bits_has(t->s.starts_late, who) && t->s.starts[who] <= t->s.cycle) {
        t->s.starts_late &= (uint8_t) ~(1u << who);
    }
    return bits_has(t->s.starts_late, who);
}

bool tile_late_holds(const struct tx_tensix *t, unsigned who, const struct riscv_access *a)
{
    return t->held.live && t->held.who == who && t->held.access.region == a->region;
}

bool tile_late_takes(struct tx_tensix *t, unsigned who, const struct riscv_access *a)
{
    CHECK(!t->held.live || t->held.who < TX_CORES, "a store that is held is a core's");
    const struct delays *d = t->m->delays;
    if (!may_be_late(a)) {
        return false;
    }
    const uint64_t number = t->stored[who]++;
    for (size_t i = 0; i < d->count && !t->held.live; i++) {
        const struct tx_delay *one = &d->list[i];
        if (one->thread == TX_ORDER_CORE + who && one->late && one->index == number) {
            t->held = (struct tile_held){true, (uint8_t)who, *a, t->s.cycle + one->cycles};
            return true;
        }
    }
    return false;
}

void tile_late_cycle(struct tx_tensix *t)
{
    if (t->held.live && t->s.cycle >= t->held.due) {
        const struct riscv_access *a = &t->held.access;
        t->held.live = false;
        (void)tile_page((enum riscv_region_id)a->region)->store(t, t->held.who, a);
    }
}
