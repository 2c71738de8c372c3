/* SPDX-License-Identifier: Apache-2.0 */
/* What is where in the BARs. Source: spec/chip.md 8.2. */
#include "host/host.h"
#include "base/check.h"

/* Accesses a register of one of the PCIe tile's network interfaces. */
static bool niu(tx_pcie *h, unsigned noc, uint64_t in, const struct host_bytes *b, size_t *part)
{
    CHECK(noc < 2, "the host reaches one of two interfaces");
    uint32_t value = 0;
    *part = b->size < 4 ? b->size : 4;
    if (in % 4 != 0 || b->size < 4) {
        host_finding(h, HOST_FINDING_WIDTH, in);
        return false;
    }
    if (b->to != NULL) {
        const enum tx_status status = tx_chip_niu_read(h->chip, h->pcie, noc, (uint32_t)in, &value);
        word_put(b->to, value);
        return status == TX_OK;
    }
    return tx_chip_niu_write(h->chip, h->pcie, noc, (uint32_t)in, word_get(b->from)) == TX_OK;
}

/* Returns whether the offset is in a region; *part: how much of the access is. */
static bool within(uint64_t offset, uint64_t base, uint64_t bytes, const struct host_bytes *b,
                   size_t *part)
{
    if (base == 0 || offset < base || offset - base >= bytes) {
        return false;
    }
    const uint64_t room = bytes - (offset - base);
    *part = b->size < room ? b->size : (size_t)room;
    return true;
}

/* Accesses what lies behind the windows in BAR 0. */
static bool control(tx_pcie *h, uint64_t offset, const struct host_bytes *b, size_t *part)
{
    const uint64_t niu_bytes = HOST_OF(h, NIU_BYTES);
    struct host_bytes now;
    if (host_window_registers(h, offset, b, part)) {
        return true;
    }
    if (within(offset, HOST_OF(h, NIU_0), niu_bytes, b, part)) {
        return niu(h, 0, offset - HOST_OF(h, NIU_0), b, part);
    }
    if (within(offset, HOST_OF(h, NIU_1), niu_bytes, b, part)) {
        return niu(h, 1, offset - HOST_OF(h, NIU_1), b, part);
    }
    if (within(offset, HOST_OF(h, ARC_MEMORY), HOST_OF(h, MEMORY_BYTES), b, part)) {
        now = host_part(b, 0, *part);
        return arc_access(h, HOST_OF(h, MEMORY) + (offset - HOST_OF(h, ARC_MEMORY)), &now);
    }
    if (within(offset, HOST_OF(h, ARC_REGISTERS), HOST_OF(h, APB_BYTES), b, part)) {
        now = host_part(b, 0, *part);
        return arc_access(h, HOST_OF(h, APB) + (offset - HOST_OF(h, ARC_REGISTERS)), &now);
    }
    *part = b->size < 4 ? b->size : 4;
    return false;
}

enum tx_status host_bar_access(tx_pcie *h, unsigned bar, uint64_t offset,
                               const struct host_bytes *b)
{
    enum tx_status status = TX_OK;
    if (bar == 4 && HOST_OF(h, BAR4_SHOWS) != 0) {
        bar = 0;
        offset += HOST_OF(h, BAR4_SHOWS);
    }
    for (size_t done = 0; done < b->size;) {
        const struct host_bytes rest = host_part(b, done, b->size - done);
        size_t part = rest.size;
        bool answered = true;
        if (bar == 2) {
            answered = dma_registers(h, offset + done, &rest);
        } else if (!host_window(h, bar, offset + done, &rest, &part, &status)) {
            answered = bar == 0 && control(h, offset + done, &rest, &part);
        }
        if (!answered) {
            const struct host_bytes gap = host_part(&rest, 0, part);
            host_nothing(&gap);
            host_finding(h, HOST_FINDING_GAP, offset + done);
            status = TX_ENOENT;
        }
        done += part;
    }
    return status;
}
