/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Buffers: where their pages lie, and moving their bytes. Page p belongs to shard p / shard; shards
 * go to the banks, or tiles, in turn. A buffer has the same address in each of them.
 */
#include <tensix/facts.h>

#include "chiprun/plan.h"

#include <stdlib.h>
#include <string.h>

enum { L1_ALIGN = 64 };

/* Bytes of what software takes for a bank. */
static uint64_t plan_dram_bytes(enum tx_arch arch)
{
    return (UINT64_C(1) << tx_arch_fact(arch, TX_FACT_DRAM_BITS)) /
           tx_arch_fact(arch, TX_FACT_DRAM_CHANNELS);
}

unsigned plan_banks(const txl_chip *c, uint16_t xy[TX_LAUNCH_DRAM], uint32_t offset[TX_LAUNCH_DRAM],
                    uint32_t endpoint[TX_LAUNCH_DRAM])
{
    /* Software takes each channel of a bank for a bank. */
    const unsigned channels = tx_arch_fact(c->arch, TX_FACT_DRAM_CHANNELS);
    const uint32_t half = channels > 1 ? (uint32_t)(plan_dram_bytes(c->arch)) : 0;
    unsigned count = 0;
    uint32_t width;
    uint32_t height;
    tx_chip_grid(c->chip, &width, &height);
    for (unsigned bank = 0; bank < TX_LAUNCH_DRAM / channels; bank++) {
        for (size_t i = 0; i < (size_t)width * height; i++) {
            struct tx_chip_tile t;
            (void)tx_chip_tile_at(c->chip, i, &t);
            if (t.kind != TX_CHIP_DRAM || t.number != bank || t.port != 0 || t.off) {
                continue;
            }
            for (unsigned k = 0; k < channels; k++) {
                xy[count] = (uint16_t)(t.translated_x | t.translated_y << 6);
                if (endpoint != NULL) {
                    endpoint[count] = (uint32_t)i;
                }
                offset[count++] = k * half;
            }
        }
    }
    return count;
}

struct chiprun_buffer *plan_buffer_named(const txl_chip *c, const char *name, unsigned *index)
{
    for (unsigned i = 0; i < c->buffer_count; i++) {
        if (strcmp(c->buffers[i].name, name) == 0) {
            *index = i;
            return &c->buffers[i];
        }
    }
    return NULL;
}

/* Bytes between pages: as aligned as reads and writes of that memory want it (chip.md 2.7). */
static uint32_t spaced(const txl_chip *c, bool dram, uint32_t page)
{
    const uint32_t align = !dram ? 16 : tx_arch_fact(c->arch, TX_FACT_NOC_MEMORY_ALIGNMENT);
    return (page + align - 1) / align * align;
}

int plan_buffer_place(const struct plan_at *at, txl_chip *c, struct chiprun_buffer *b)
{
    uint16_t xy[TX_LAUNCH_DRAM];
    uint32_t offset[TX_LAUNCH_DRAM];
    const uint64_t dram_bytes = plan_dram_bytes(c->arch);
    if (b->dram) {
        b->holders = plan_banks(c, xy, offset, NULL);
        for (unsigned i = 0; i < b->holders; i++) {
            b->holder[i] = (uint16_t)i;
        }
    }
    b->apart = spaced(c, b->dram, b->page);
    const uint64_t shards = (b->pages + (uint64_t)b->shard - 1) / b->shard;
    const uint64_t each = (shards + b->holders - 1) / b->holders;
    uint64_t span = each * b->shard * b->apart;
    span = (span + L1_ALIGN - 1) / L1_ALIGN * L1_ALIGN;
    const uint64_t room = b->dram ? dram_bytes - c->dram_next : c->l1_end - c->l1_low;
    if (span > room || span > UINT32_MAX) {
        return plan_wrong(at, "%llu bytes in each %s, and %llu are left", (unsigned long long)span,
                          b->dram ? "bank" : "tile", (unsigned long long)room);
    }
    b->span = (uint32_t)span;
    if (b->dram) {
        b->address = (uint32_t)c->dram_next;
        c->dram_next += span;
    } else {
        c->l1_end -= b->span;
        b->address = c->l1_end;
    }
    return TXL_CONTINUE;
}

/* Moves one page, or a part of it; xy and offset are those of plan_banks for a buffer in DRAM. */
static enum tx_status move_page(txl_chip *c, const struct chiprun_buffer *b, const uint16_t *xy,
                                const uint32_t *offset, uint32_t page, uint8_t *bytes,
                                uint32_t size, bool write)
{
    const uint32_t shard = page / b->shard;
    const uint16_t holder = b->holder[shard % b->holders];
    const uint32_t slot = shard / b->holders * b->shard + page % b->shard;
    uint64_t address = b->address + (uint64_t)slot * b->apart;
    if (!b->dram) {
        return chiprun_move(c, &c->tile[holder], (uint32_t)address, bytes, size, write);
    }
    const struct tx_chip_place place = {.x = xy[holder] & 63u, .y = (uint32_t)xy[holder] >> 6};
    address += offset[holder];
    return write ? tx_chip_write(c->chip, place, address, bytes, size)
                 : tx_chip_read(c->chip, place, address, bytes, size);
}

int plan_buffer_move(struct txl_error *err, txl_chip *c, const struct chiprun_buffer *b,
                     uint8_t *bytes, uint64_t size, bool write)
{
    uint16_t xy[TX_LAUNCH_DRAM];
    uint32_t offset[TX_LAUNCH_DRAM];
    if (size > (uint64_t)b->pages * b->page) {
        return txl_fail(err, "buffer %s has %llu bytes, not %llu", b->name,
                        (unsigned long long)b->pages * b->page, (unsigned long long)size);
    }
    if (b->dram) {
        (void)plan_banks(c, xy, offset, NULL);
    }
    for (uint64_t at = 0, page = 0; at < size; at += b->page, page++) {
        const uint64_t left = size - at;
        const enum tx_status status = move_page(c, b, xy, offset, (uint32_t)page, bytes + at,
                                                left < b->page ? (uint32_t)left : b->page, write);
        if (status != TX_OK) {
            return txl_fail(err, "buffer %s, page %llu: %s", b->name, (unsigned long long)page,
                            tx_status_text(status));
        }
    }
    return TXL_CONTINUE;
}

static int plan_buffer_find(struct txl_error *err, const txl_chip *c, const char *name,
                            struct chiprun_buffer **buffer)
{
    unsigned index;
    *buffer = plan_buffer_named(c, name, &index);
    return *buffer != NULL ? TXL_CONTINUE : txl_fail(err, "there is no buffer '%s'", name);
}

int txl_chip_buffer_write(struct txl_error *err, txl_chip *c, const char *name, const void *bytes,
                          size_t size)
{
    struct chiprun_buffer *b;
    int result = plan_buffer_find(err, c, name, &b);
    result =
        result == TXL_CONTINUE ? plan_buffer_move(err, c, b, (uint8_t *)bytes, size, true) : result;
    return result == TXL_CONTINUE ? TXL_OK : result;
}

int txl_chip_buffer_read(struct txl_error *err, txl_chip *c, const char *name, void *bytes,
                         size_t size)
{
    struct chiprun_buffer *b;
    int result = plan_buffer_find(err, c, name, &b);
    result = result == TXL_CONTINUE ? plan_buffer_move(err, c, b, bytes, size, false) : result;
    return result == TXL_CONTINUE ? TXL_OK : result;
}

int txl_chip_buffer(struct txl_error *err, const txl_chip *c, const char *name,
                    struct txl_chip_buffer *about)
{
    struct chiprun_buffer *b;
    const int result = plan_buffer_find(err, c, name, &b);
    if (result == TXL_CONTINUE) {
        *about = (struct txl_chip_buffer){.address = b->address,
                                          .page = b->page,
                                          .pages = b->pages,
                                          .apart = b->apart,
                                          .bytes = b->bytes};
    }
    return result == TXL_CONTINUE ? TXL_OK : result;
}
