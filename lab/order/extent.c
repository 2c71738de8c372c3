/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far what a request begins in goes: an object of a program, as the symbols of its ELF file say
 * (K18), or a circular buffer of tt-metal, whose host leaves their configuration in L1 (K11, B4).
 */
#include "order/order.h"

#include <tensix/metal.h>

/* A request's bytes on one side. */
struct side {
    uint32_t tile;
    uint64_t address, end;
};

/* The end of the largest object in which the address lies; 0: there is none. */
static uint64_t object_end(const struct txl_order *o, const struct side *s)
{
    uint64_t end = 0;
    for (unsigned i = 0; i < ORDER_CORES; i++) {
        const struct order_core *core = o->core[s->tile * ORDER_CORES + i];
        const struct order_program *p =
            core != NULL && core->program != 0 ? &o->program[core->program - 1] : NULL;
        for (size_t k = 0; p != NULL && p->path == NULL && k < p->p.object_count; k++) {
            const struct tile_object *object = &p->p.objects[k];
            const uint64_t last = (uint64_t)object->address + object->size;
            if (s->address >= object->address && s->address < last && last > end) {
                end = last;
            }
        }
    }
    return end;
}

/* The launch message that the kernels of a tile run by. */
struct launch {
    uint32_t circulars; /* where the configuration of circular buffers is */
    uint64_t mask;
};

static bool launch_read(const struct txl_order *o, uint32_t tile, struct launch *launch)
{
    const uint32_t base = tx_arch_fact(o->arch, TX_FACT_METAL_MAILBOX);
    uint32_t read;
    if (!order_peek(o, tile, base + TX_METAL_READ, &read) || read >= TX_METAL_LAUNCHES) {
        return false;
    }
    const uint32_t at = base + TX_METAL_RING + read * TX_METAL_LAUNCH_BYTES;
    uint32_t config;
    uint32_t offset;
    uint32_t mask[2];
    if (!order_peek(o, tile, at + TX_METAL_IN_BASE, &config) ||
        !order_peek(o, tile, at + TX_METAL_IN_CIRCULAR, &offset) ||
        !order_peek(o, tile, at + TX_METAL_IN_CIRCULAR_MASK, &mask[0]) ||
        !order_peek(o, tile, at + TX_METAL_IN_CIRCULAR_MASK + 4, &mask[1])) {
        return false;
    }
    launch->circulars = config + (offset & 0xFFFFu);
    launch->mask = mask[0] | (uint64_t)mask[1] << 32;
    return config < tx_l1_size(o->arch);
}

/*
 * The end of the circular buffer in which the address lies, or of the one that goes on longest. 0:
 * there is none, or what the message names does not look like such a configuration.
 */
static uint64_t circular_end(const struct txl_order *o, const struct side *s)
{
    struct launch launch;
    uint64_t end = 0;
    if (!launch_read(o, s->tile, &launch)) {
        return 0;
    }
    for (unsigned i = 0; i < 64 && launch.mask >> i != 0; i++) {
        uint32_t word[TX_METAL_CIRCULAR_BYTES / 4];
        bool good = true;
        if ((launch.mask >> i & 1u) == 0) {
            continue;
        }
        for (unsigned k = 0; k < TX_METAL_CIRCULAR_BYTES / 4; k++) {
            const uint32_t at = launch.circulars + i * TX_METAL_CIRCULAR_BYTES + 4 * k;
            good = good && order_peek(o, s->tile, at, &word[k]);
        }
        if (!good || word[1] == 0 || (uint64_t)word[2] * word[3] != word[1] ||
            (uint64_t)word[0] + word[1] > tx_l1_size(o->arch)) {
            return 0;
        }
        const uint64_t last = (uint64_t)word[0] + word[1];
        if (s->address >= word[0] && s->address < last && last > end) {
            end = last;
        }
    }
    return end;
}

void order_extent_check(struct txl_order *o, const struct tx_chip_transfer *t, uint32_t site)
{
    const bool writes = t->kind == 2;
    const uint64_t own = writes ? t->target : t->back;
    const uint64_t other = writes ? t->back : t->target;
    const struct side sides[2] = {{t->from, own, own + t->length},
                                  {t->to, other, other + t->length}};
    if (t->kind == 1 || t->is_inline || t->masked) {
        return;
    }
    for (unsigned i = 0; i < (t->many ? 1 : 2); i++) {
        const struct side *s = &sides[i];
        if (s->tile >= ORDER_TILES || o->tile[s->tile].tile == NULL ||
            s->end > tx_l1_size(o->arch)) {
            continue;
        }
        const uint64_t object = object_end(o, s);
        if (object != 0 && s->end > object) {
            order_find_one(o, TXL_ORDER_OUT_OF_BOUNDS, site,
                           "the request reaches beyond the object of the program in which it "
                           "begins, as the symbols of the ELF file have it");
            return;
        }
        const uint64_t circular = o->folders != NULL ? circular_end(o, s) : 0;
        if (circular != 0 && s->end > circular) {
            order_find_one(o, TXL_ORDER_CB_BOUNDS, site,
                           "the request reaches beyond the circular buffer in which it begins, as "
                           "tt-metal's configuration in L1 has it");
            return;
        }
    }
}
