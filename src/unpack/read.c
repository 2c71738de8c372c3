/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading of L1 by an unpacker: aligned words of 16 bytes, from which data are taken at any bit.
 * Beyond L1 it reads zeros, and a finding is made. Source: isa L1 29e53cf, UNPACR_Regular 545c98a.
 */
#include "fmt/tile.h"
#include "base/check.h"
#include "state/l1.h"
#include "state/order.h"
#include "unpack/unpack.h"

void unpack_reader_open(struct unpack_reader *r, struct tx_machine *m, const struct tx_op *op)
{
    r->m = m;
    r->op = op;
    r->line = UINT64_MAX;
    r->beyond = false;
}

/* Through the host's function, L1 is read in aligned words; plain memory is read byte by byte. */
uint32_t unpack_read_byte(struct unpack_reader *r, uint64_t address)
{
    const uint64_t line = address & ~UINT64_C(15);
    if (address >= l1_size(r->m->arch)) {
        r->beyond = true;
        return 0;
    }
    const uint8_t *memory = r->m->host.memory == NULL ? l1_at(r->m, (uint32_t)address, 1) : NULL;
    if (memory != NULL) {
        order_read(r->m, r->op, TX_SHARED_L1, (uint32_t)address, 1, 0);
        l1_check(r->m, r->op, (uint32_t)address, 1);
        return *memory;
    }
    if (line != r->line) {
        r->line = line;
        (void)l1_read(r->m, r->op, (uint32_t)line, r->bytes, sizeof r->bytes);
    }
    return r->bytes[address & 15u];
}

uint32_t unpack_read_bits(struct unpack_reader *r, uint64_t at, unsigned bits)
{
    CHECK(bits != 0 && bits <= 32, "a datum has up to 32 bits");
    uint64_t window = 0;
    for (unsigned k = 0; 8 * k < bits + (at & 7u); k++) {
        window |= (uint64_t)unpack_read_byte(r, at / 8 + k) << 8 * k;
    }
    return (uint32_t)(window >> (at & 7u)) & bits_mask(bits);
}

const uint8_t *unpack_read_memory(struct unpack_reader *r, uint64_t at, unsigned bits, size_t count)
{
    const uint64_t address = at / 8;
    const uint64_t size = (uint64_t)count * bits / 8;
    const uint32_t end = l1_size(r->m->arch);
    if (at % 8 != 0 || size == 0 || r->m->host.memory != NULL || address >= end ||
        size > end - address) {
        return NULL;
    }
    const uint8_t *memory = l1_at(r->m, (uint32_t)address, (uint32_t)size);
    if (memory != NULL) {
        order_read(r->m, r->op, TX_SHARED_L1, (unsigned)address, (uint32_t)size, 0);
        l1_check(r->m, r->op, (uint32_t)address, (uint32_t)size);
    }
    return memory;
}

const uint8_t *unpack_read_rows(struct unpack_reader *r, uint64_t at, uint32_t size,
                                uint32_t stride, uint32_t rows)
{
    CHECK(rows != 0 && size != 0, "rows to be read have bytes");
    const uint64_t address = at / 8;
    const uint64_t whole = (uint64_t)stride * (rows - 1) + size;
    const uint32_t end = l1_size(r->m->arch);
    if (at % 8 != 0 || r->m->host.memory != NULL || address >= end || whole > end - address) {
        return NULL;
    }
    const uint8_t *memory = l1_at(r->m, (uint32_t)address, (uint32_t)whole);
    bool all = memory != NULL;
    /* Most often all that lies between the rows has been written, too. */
    const uint32_t from = (uint32_t)address & ~63u;
    const uint32_t to = ((uint32_t)(address + whole) + 63u) & ~63u;
    const bool between = to <= end && !l1_unwritten(r->m, from, to - from);
    for (uint32_t i = 0; i < rows && all && !between; i++) {
        all = !l1_unwritten(r->m, (uint32_t)address + i * stride, size);
    }
    for (uint32_t i = 0; i < rows && all && order_wanted(r->m); i++) {
        order_read(r->m, r->op, TX_SHARED_L1, (unsigned)address + i * stride, size, 0);
    }
    return all ? memory : NULL;
}

/* Reads sixteen data at a time if possible, else one by one with the same result. */
void unpack_read_data(struct unpack_reader *r, uint64_t at, unsigned bits, uint32_t *words,
                      size_t count)
{
    const size_t whole = count & ~(size_t)15;
    const uint8_t *memory = unpack_read_memory(r, at, bits, whole);
    size_t done = 0;
    if (memory != NULL) {
        done = whole;
        tile_unpack_bits(bits, memory, done, words);
    }
    for (; done < count; done++) {
        words[done] = unpack_read_bits(r, at + done * bits, bits);
    }
}
