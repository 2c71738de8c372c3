/* SPDX-License-Identifier: Apache-2.0 */
/* Who made what a core has polled for: an answer of its own request, a request of another tile, or
 * a store of its own tile. */
#include <tensix/facts.h>

#include "chiprun/profiled.h"

#include <string.h>

enum { LOOK_BACK = 1024, NOTICE = 64 };

static struct chiprun_part *part_of(struct chiprun_profile *c, const txl_profile *p)
{
    for (unsigned i = 0; i < c->parts; i++) {
        if (c->part[i].p == p) {
            return &c->part[i];
        }
    }
    return NULL;
}

static uint64_t time_named(const tx_chip *chip, const char *name)
{
    size_t i = 0;
    while (tx_chip_time_name(i) != NULL && strcmp(tx_chip_time_name(i), name) != 0) {
        i++;
    }
    return tx_chip_time(chip, i) / 1000;
}

/* Cycles that data take from one endpoint to another where nothing is in their way. */
static uint64_t way(const struct chiprun_profile *c, const struct chiprun_moved *m, uint32_t bytes)
{
    const struct tx_chip_tile *from = &c->place[m->to];
    const struct tx_chip_tile *to = &c->place[m->from];
    const uint64_t hops = (to->x[m->noc] + c->width - from->x[m->noc]) % c->width +
                          (to->y[m->noc] + c->height - from->y[m->noc]) % c->height;
    const uint32_t flit = tx_arch_fact(c->arch, TX_FACT_NOC_FLIT);
    return hops * time_named(c->on, "noc.hop") + 2 * time_named(c->on, "noc.niu") + 1 +
           (bytes + flit - 1) / flit + time_named(c->on, "noc.turn, second part") +
           time_named(c->on, "noc.turn, third part");
}

/* The barrier of a core ends with the answer of the last of its tile's requests before. */
static bool answered(struct chiprun_profile *c, struct chiprun_part *part, uint32_t address,
                     uint64_t to, struct profile_made *made)
{
    const uint32_t first = tx_arch_fact(c->arch, TX_FACT_AT_NIU);
    const uint32_t half = (tx_arch_fact(c->arch, TX_FACT_END_NIU) - first) / 2;
    const struct chiprun_moved *best = NULL;
    uint32_t i = c->last[part->index][(address - first) / half & 1u];
    for (unsigned n = 0; n < LOOK_BACK && i != CHIPRUN_NONE; n++, i = c->moved[i].before) {
        const struct chiprun_moved *m = &c->moved[i];
        const uint64_t end = m->answer != 0 ? m->answer : m->leave;
        if (end != 0 && end <= to && m->core < TX_CORES &&
            (best == NULL || end > (best->answer != 0 ? best->answer : best->leave))) {
            best = m;
        }
    }
    if (best == NULL || best->go >= to) {
        return false;
    }
    made->by = (struct profile_place){part->p, LANE_CORE + best->core, best->go};
    if (best->dram && best->act != 0 && best->answer > best->act) {
        const uint64_t back = way(c, best, best->kind == 0 ? best->length : 0);
        const uint64_t left = best->answer > best->act + back ? best->answer - back : best->act;
        made->parts = 3;
        made->from[0] = left;
        made->bound[0] = BOUND_NOC;
        made->from[1] = best->act;
        made->bound[1] = BOUND_DRAM;
        made->from[2] = best->go;
        made->bound[2] = BOUND_NOC;
    } else {
        made->parts = 1;
        made->from[0] = best->go;
        made->bound[0] = BOUND_NOC;
    }
    return true;
}

/* Returns the last store to a word up to a cycle that is not the core's own. */
static const struct chiprun_stored *stored(const struct chiprun_part *part, unsigned core,
                                           uint32_t address, uint64_t from, uint64_t to)
{
    size_t low = 0;
    size_t high = part->stored_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (part->stored[middle].cycle <= to) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    while (low-- > 0 && part->stored[low].cycle + NOTICE >= from) {
        const struct chiprun_stored *s = &part->stored[low];
        const bool own = s->moved == CHIPRUN_NONE && s->lane == LANE_CORE + core;
        if (!own && s->address < address + 4 && address < s->address + s->bytes) {
            return s;
        }
    }
    return NULL;
}

bool chiprun_made(void *user, const txl_profile *p, unsigned core, uint32_t address, uint64_t from,
                  uint64_t to, struct profile_made *made)
{
    struct chiprun_profile *c = user;
    struct chiprun_part *part = part_of(c, p);
    const uint32_t niu = tx_arch_fact(c->arch, TX_FACT_AT_NIU);
    if (part == NULL) {
        return false;
    }
    if (address >= niu && address < tx_arch_fact(c->arch, TX_FACT_END_NIU)) {
        return answered(c, part, address, to, made);
    }
    const struct chiprun_stored *s = stored(part, core, address, from, to);
    if (s == NULL) {
        return false;
    }
    made->from[0] = s->cycle;
    made->bound[0] = BOUND_WAIT;
    made->parts = 1;
    if (s->moved == CHIPRUN_NONE) {
        made->by = (struct profile_place){part->p, s->lane, s->cycle};
        return true;
    }
    const struct chiprun_moved *m = &c->moved[s->moved];
    const unsigned sender = c->part_of[m->from];
    if (sender == 0 || m->core >= TX_CORES) {
        return false; /* of a tile without programs, or of a device */
    }
    made->by = (struct profile_place){c->part[sender - 1].p, LANE_CORE + m->core, m->go};
    made->parts = 2;
    made->from[1] = m->go;
    made->bound[1] = BOUND_NOC;
    return true;
}
