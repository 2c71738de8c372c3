/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the PCIe tile does with NoC addresses that lead to the host: windows onto the host's memory,
 * some of them through regions that hosts configure. Source: spec/chip.md 8.5, KMD
 * configure_outbound_atu, ttsim 56694c8 translate_pci_dma_addr.
 */
#include "host/host.h"
#include "isa/chip.h"

#include <string.h>

/* Offsets of a region's registers. Bit 13 of CONTROL: its limit has a high half of its own. */
enum { CONTROL = 0x00, ENABLE = 0x04, BASE = 0x08, LIMIT = 0x10, TARGET = 0x14, LIMIT_HIGH = 0x20 };
enum { REGION_BYTES = 0x200, REGION_COUNT = 16, CONTROL_LONG = 1 << 13 };
static const uint32_t enabled = 0x80000000u;

struct region {
    uint64_t base, limit, target;
};

static bool region_of(const tx_pcie *h, unsigned r, struct region *region)
{
    const uint32_t *words = h->s.bar2 + (HOST_OF(h, REGIONS) + r * REGION_BYTES) / 4;
    const bool has_high =
        CHIP_HAS(h->arch, REGIONS_LONG) && (words[CONTROL / 4] & (uint32_t)CONTROL_LONG) != 0;
    if ((words[ENABLE / 4] & enabled) == 0) {
        return false;
    }
    const uint32_t high = words[BASE / 4 + 1];
    region->base = (uint64_t)high << 32 | words[BASE / 4];
    region->limit = (uint64_t)(has_high ? words[LIMIT_HIGH / 4] : high) << 32 | words[LIMIT / 4];
    region->target = (uint64_t)words[TARGET / 4 + 1] << 32 | words[TARGET / 4];
    return region->limit >= region->base;
}

void outside_bytes(tx_pcie *h, uint64_t address, const struct host_bytes *b)
{
    if (h->outside.read == NULL) {
        host_finding(h, HOST_FINDING_NO_MEMORY, address);
        if (b->to != NULL) {
            memset(b->to, 0, b->size);
        }
    } else if (b->to != NULL) {
        h->outside.read(h->outside.user, address, b->to, b->size);
    } else {
        h->outside.write(h->outside.user, address, b->from, b->size);
    }
}

/*
 * Translates an offset; *room: number of bytes up to the next edge of a region. Outside all regions
 * an offset is the host's address.
 */
static uint64_t translate(tx_pcie *h, uint64_t offset, uint64_t *room)
{
    unsigned matches = 0;
    uint64_t address = offset;
    *room = UINT64_MAX - offset;
    for (unsigned r = 0; r < REGION_COUNT; r++) {
        struct region region;
        if (!region_of(h, r, &region)) {
            continue;
        }
        uint64_t edge = UINT64_MAX;
        if (offset >= region.base && offset <= region.limit) {
            address = matches == 0 ? region.target + (offset - region.base) : address;
            matches++;
            edge = region.limit - offset + 1;
        } else if (offset < region.base) {
            edge = region.base - offset;
        }
        *room = edge < *room ? edge : *room;
    }
    if (matches > 1) {
        host_finding(h, HOST_FINDING_OVERLAP, offset);
    }
    return address;
}

bool outside_access(tx_pcie *h, uint64_t address, const struct host_bytes *b)
{
    const uint64_t bytes = HOST_OF(h, HOST_BYTES);
    const uint64_t from = address - HOST_OF(h, HOST_OFFSET);
    const bool repeats = CHIP_HAS(h->arch, HOST_WINDOWS_REPEAT);
    const uint64_t window = from / (repeats ? bytes : UINT64_MAX);
    const uint64_t offset = repeats ? from % bytes : from;
    if (address < HOST_OF(h, HOST_OFFSET) || window >= HOST_OF(h, HOST_WINDOWS) ||
        offset >= bytes || b->size > bytes - offset) {
        return false;
    }
    if (window < HOST_OF(h, HOST_PLAIN)) {
        outside_bytes(h, offset, b);
        return true;
    }
    for (size_t done = 0; done < b->size;) {
        uint64_t room;
        const uint64_t to = translate(h, offset + done, &room);
        const size_t n = b->size - done < room ? b->size - done : (size_t)room;
        const struct host_bytes part = host_part(b, done, n);
        outside_bytes(h, to, &part);
        done += n;
    }
    return true;
}
