/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Circular buffers (B4 to B6): which pages their producer has reserved and their consumer has
 * waited for. How many a loop at the stream's registers waits for is found by what would let it
 * end.
 */
#include "order/order.h"

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
    for (unsigned i = 0; i < o->buffers; i++) {
        struct order_buffer *b = &o->buffer[i];
        const uint64_t end = b->base + (uint64_t)b->pages * b->size;
        if (b->tile != core->number / ORDER_CORES || address >= end || address + bytes <= b->base) {
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

void order_buffer_store(struct txl_order *o, const struct order_core *core, uint32_t address,
                        uint32_t old, uint32_t value)
{
    enum { WRAP = 0xFFFF };
    const uint32_t by = (value - old) & WRAP;
    for (unsigned i = 0; i < o->buffers; i++) {
        struct order_buffer *b = &o->buffer[i];
        if (b->tile != core->number / ORDER_CORES ||
            (address != b->received && address != b->acked)) {
            continue;
        }
        const bool push = address == b->received;
        becomes(o, b, core, push);
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
 * Tells whether the loop would end with so many pages in the buffer. It is executed from its
 * beginning, so that all its loads see them.
 */
static bool ends_with(struct txl_order *o, const struct order_core *core,
                      const struct order_code *code, const struct order_buffer *b, uint32_t pages)
{
    struct order_code whole = *code;
    uint32_t acked = 0;
    (void)order_peek(o, b->tile, b->acked, &acked);
    const struct order_guess guess[2] = {{b->received, acked + pages}, {b->acked, acked}};
    whole.pc = code->first;
    return order_code_exit(o, core, &whole, guess, 2) == ORDER_LEAVES;
}

bool order_buffer_wants_room(struct txl_order *o, const struct order_core *core,
                             const struct order_buffer *b)
{
    const struct order_code *code =
        order_code_at(o, (struct order_core *)(uintptr_t)core, core->wait.pc);
    return ends_with(o, core, code, b, 0);
}

void order_buffer_taken(struct txl_order *o, const struct order_core *core,
                        const struct order_code *code, uint32_t address)
{
    for (unsigned i = 0; i < o->buffers; i++) {
        struct order_buffer *b = &o->buffer[i];
        if (b->tile != core->number / ORDER_CORES ||
            (address != b->received && address != b->acked)) {
            continue;
        }
        const bool empty = ends_with(o, core, code, b, 0);
        const bool full = ends_with(o, core, code, b, b->pages);
        uint32_t n = 0;
        if (empty && !full) { /* it waits for room */
            while (n < b->pages && ends_with(o, core, code, b, n + 1)) {
                n++;
            }
            n = b->pages - n;
            b->reserved = n > b->reserved ? n : b->reserved;
            becomes(o, b, core, true);
        } else if (!empty && full) {
            while (n < b->pages && !ends_with(o, core, code, b, n)) {
                n++;
            }
            b->waited = n;
            becomes(o, b, core, false);
        }
    }
}
