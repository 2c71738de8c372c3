/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Circular buffers (B4 to B6): which pages their producer has reserved and their consumer has
 * waited for. How many a loop at the stream's registers waits for is found by what would let it
 * end.
 */
#include "order/order.h"

enum { COUNT = 0xFFFF }; /* counts of pages have 16 bits */
/* Which count changes: a loop may load the other core's and know its own. */
enum moves { POPS, PUSHES };

/* K9, K10, K11 for an access of a core whose part in the buffer is known. */
static void judge(struct txl_order *o, const struct order_buffer *b, const struct order_core *core,
                  bool write, bool outside, uint32_t site)
{
    if (write && b->producer == core->number && outside) {
        order_find_one(o, TXL_ORDER_CB_UNRESERVED, site,
                       "the page has not been reserved by the buffer's producer");
    } else if (!write && b->consumer == core->number && b->producer != core->number && outside) {
        order_find_one(o, TXL_ORDER_CB_UNPUSHED, site,
                       "the page is not among those that the buffer's consumer has waited for");
    }
}

void order_buffer_access(struct txl_order *o, const struct order_core *core, uint32_t address,
                         uint64_t bytes, bool write, uint32_t site)
{
    enum { EARLIES = 32 };
    struct order_buffer *b = o->buffer_of[core->number / ORDER_CORES];
    for (; b != NULL; b = b->next) {
        const uint64_t end = b->base + (uint64_t)b->pages * b->size;
        if (address >= end || address + bytes <= b->base) {
            continue;
        }
        if (address + bytes > end || address < b->base) {
            order_find_one(o, TXL_ORDER_CB_BOUNDS, site,
                           "the access reaches beyond the circular buffer");
            continue;
        }
        const uint32_t page = write ? b->pushed : b->popped;
        const uint64_t low = b->base + (uint64_t)(page % b->pages) * b->size;
        const uint64_t high = low + (uint64_t)(write ? b->reserved : b->waited) * b->size;
        const bool outside = address < low || address + bytes > high;
        const uint32_t part = write ? b->producer : b->consumer;
        if (part != ORDER_NONE) {
            judge(o, b, core, write, outside, site);
        } else if (outside && b->earlies < EARLIES) {
            b->early[b->earlies].core = core->number;
            b->early[b->earlies].site = site;
            b->early[b->earlies++].write = write;
        }
    }
}

/* A core has shown that it is the producer or the consumer. */
static void becomes(struct txl_order *o, struct order_buffer *b, const struct order_core *core,
                    bool producer)
{
    uint32_t *part = producer ? &b->producer : &b->consumer;
    if (*part != ORDER_NONE) {
        return;
    }
    *part = core->number;
    for (unsigned i = 0; i < b->earlies; i++) {
        if (b->early[i].core == core->number && b->early[i].write == producer) {
            judge(o, b, core, producer, true, b->early[i].site);
        }
    }
}

void order_buffer_given(struct txl_order *o, uint32_t tile)
{
    for (struct order_buffer *b = o->buffer_of[tile]; b != NULL; b = b->next) {
        (void)order_peek(o, tile, b->received, &b->count[PUSHES]);
        (void)order_peek(o, tile, b->acked, &b->count[POPS]);
    }
}

void order_buffer_store(struct txl_order *o, const struct order_core *core, uint32_t address,
                        uint32_t value)
{
    struct order_buffer *b = o->buffer_of[core->number / ORDER_CORES];
    for (; b != NULL; b = b->next) {
        if (address != b->received && address != b->acked) {
            continue;
        }
        const bool push = address == b->received;
        const enum moves which = push ? PUSHES : POPS;
        const uint32_t by = (value - b->count[which]) & COUNT;
        becomes(o, b, core, push);
        b->count[which] = value;
        if (push) {
            b->pushed += by;
            b->reserved -= by < b->reserved ? by : b->reserved;
        } else {
            b->popped += by;
            b->waited -= by < b->waited ? by : b->waited;
        }
    }
}

/*
 * Tells whether the loop would end with so many pages in the buffer, of which the count of pushes
 * or of pops tells. It is executed from its beginning, so that all its loads see them.
 */
static bool ends_with(struct txl_order *o, const struct order_core *core,
                      const struct order_code *code, const struct order_buffer *b, enum moves which,
                      uint32_t pages)
{
    struct order_code whole = *code;
    const uint32_t pushes = which == PUSHES ? b->count[POPS] + pages : b->count[PUSHES];
    const struct order_guess guess[2] = {{b->received, pushes & COUNT},
                                         {b->acked, (pushes - pages) & COUNT}};
    whole.pc = code->first;
    return order_code_exit(o, core, &whole, guess, 2, NULL) == ORDER_LEAVES;
}

bool order_buffer_wants_room(struct txl_order *o, const struct order_core *core,
                             const struct order_buffer *b)
{
    const struct order_code *code =
        order_code_at(o, (struct order_core *)(uintptr_t)core, core->wait.pc);
    return ends_with(o, core, code, b, POPS, 0);
}

/*
 * Finds so many pages for which the loop waits or ends, and for one more does the other. The core's
 * own count may be ahead of what has arrived, so that the loop sees fewer pages than none, or more
 * than there are. Returns false where there are none.
 */
static bool find_turn(struct txl_order *o, const struct order_core *core,
                      const struct order_code *code, const struct order_buffer *b, enum moves which,
                      bool ends, uint32_t *pages)
{
    bool before = ends_with(o, core, code, b, which, 0);
    for (uint32_t n = 1; n <= b->pages; n++) {
        const bool now = ends_with(o, core, code, b, which, n);
        if (before == ends && now != ends) {
            *pages = n - 1;
            return true;
        }
        before = now;
    }
    return false;
}

void order_buffer_taken(struct txl_order *o, const struct order_core *core,
                        const struct order_code *code, uint32_t address)
{
    struct order_buffer *b = o->buffer_of[core->number / ORDER_CORES];
    for (; b != NULL; b = b->next) {
        uint32_t n = 0;
        if (address != b->received && address != b->acked) {
            continue;
        }
        if (find_turn(o, core, code, b, POPS, true, &n)) { /* it waits for room */
            n = b->pages - n;
            b->reserved = n > b->reserved ? n : b->reserved;
            becomes(o, b, core, true);
        } else if (find_turn(o, core, code, b, PUSHES, false, &n)) {
            b->waited = n + 1;
            becomes(o, b, core, false);
        }
    }
}
