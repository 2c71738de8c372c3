/* SPDX-License-Identifier: Apache-2.0 */
/*
 * BAR 2: the registers of address translation, and the engines that move bytes between the host's
 * memory and the windows of BAR 0. A transfer is over when the store to its doorbell is. Source:
 * spec/chip.md 8.6, ttsim 56694c8 libttsim.cpp.
 */
#include "host/host.h"
#include "isa/chip.h"

enum dma_register {
#define HOST_DMA(ID, wh_out, wh_in, bh_in) DMA_##ID,
#include "isa/host.def"
    DMA_REGISTERS
};
enum engine { WORMHOLE_OUT, WORMHOLE_IN, BLACKHOLE_IN, ENGINES };
static const uint16_t offsets[DMA_REGISTERS][ENGINES] = {
#define HOST_DMA(ID, wh_out, wh_in, bh_in) {wh_out, wh_in, bh_in},
#include "isa/host.def"
};
enum { BUFFER = 4096 };

static uint32_t low(const tx_pcie *h, enum engine e, enum dma_register which)
{
    return h->s.bar2[offsets[which][e] / 4];
}

static uint64_t both(const tx_pcie *h, enum engine e, enum dma_register which)
{
    return low(h, e, which) | (uint64_t)h->s.bar2[offsets[which][e] / 4 + 1] << 32;
}

/* Moves the bytes of a transfer; the device's side is an offset in BAR 0. */
static void transfer(tx_pcie *h, enum engine e)
{
    uint8_t buffer[BUFFER];
    const bool out = e == WORMHOLE_OUT;
    const uint64_t source = both(h, e, DMA_SOURCE);
    const uint64_t destination = both(h, e, DMA_DESTINATION);
    const uint32_t size = low(h, e, DMA_SIZE);
    const uint64_t device = out ? source : destination;
    uint64_t base;
    uint64_t bar;
    (void)tx_pcie_bar(h, 0, &base, &bar);
    if (size == 0 || size % 4 != 0 || device % 4 != 0 || device >= bar || size > bar - device) {
        host_finding(h, HOST_FINDING_DMA, device);
        return;
    }
    for (uint32_t done = 0; done < size; done += BUFFER) {
        const uint32_t n = size - done < BUFFER ? size - done : BUFFER;
        const struct host_bytes in = {.to = buffer, .size = n};
        const struct host_bytes from = {.from = buffer, .size = n};
        if (out) {
            (void)host_bar_access(h, 0, source + done, &in);
            outside_bytes(h, destination + done, &from);
        } else {
            outside_bytes(h, source + done, &in);
            (void)host_bar_access(h, 0, destination + done, &from);
        }
    }
}

static void ring(tx_pcie *h, enum engine e)
{
    transfer(h, e);
    if (offsets[DMA_DONE_ADDRESS][e] != 0) {
        uint8_t word[4];
        const struct host_bytes b = {.from = word, .size = sizeof word};
        word_put(word, low(h, e, DMA_DONE_DATA));
        outside_bytes(h, both(h, e, DMA_DONE_ADDRESS), &b);
    } else {
        h->s.bar2[offsets[DMA_SIZE][e] / 4] = 0;
    }
}

bool dma_registers(tx_pcie *h, uint64_t offset, const struct host_bytes *b)
{
    if (offset % 4 != 0 || b->size != 4) {
        host_finding(h, HOST_FINDING_WIDTH, offset);
    }
    if (offset >= HOST_OF(h, BAR2_BYTES) || b->size > HOST_OF(h, BAR2_BYTES) - offset) {
        return false;
    }
    host_move_words(b, h->s.bar2, (size_t)offset, b->size);
    for (unsigned e = 0; e < ENGINES && b->from != NULL; e++) {
        const bool has = (e == BLACKHOLE_IN) == CHIP_HAS(h->arch, DMA_IN_ONLY);
        if (has && offset == offsets[DMA_DOORBELL][e] && b->size == 4) {
            ring(h, (enum engine)e);
        }
    }
    return true;
}
