/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a host sees of a chip behind PCIe: configuration space, BARs with windows into the grid,
 * address translation and transfers to its memory, and ARC with telemetry and messages.
 *
 *     tx_pcie *pcie;
 *     if (tx_pcie_open(chip, &pcie) != TX_OK) { ... }
 *     tx_pcie_write(pcie, 0, 0x1FC00000, window, sizeof window);
 *     tx_pcie_read(pcie, 0, 0x1000, bytes, sizeof bytes);
 *     tx_pcie_close(pcie);
 *
 * ARC's firmware is not run: what hosts see of it is modelled, as after it has started. Source:
 * spec/chip.md 7, 8; isa/host.def, isa/arc.def, isa/telemetry.def.
 */
#ifndef TENSIX_PCIE_H
#define TENSIX_PCIE_H

#include <tensix/chip.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tx_pcie tx_pcie;

/*
 * Opens the host's side of a chip, which must outlive it. The chip's ARC and PCIe tiles are
 * answered by it from then on (tx_chip_device). A chip has one host.
 */
TX_API enum tx_status tx_pcie_open(tx_chip *chip, tx_pcie **out);
TX_API void tx_pcie_close(tx_pcie *host); /* NULL is allowed */
/*
 * Chooses whether ARC answers as the firmware of cards does where the vendor's simulator answers
 * something else: Wormhole's message 0x2C gives the older table's address in ARC's address space,
 * not its offset in ARC's memory. It does not after tx_pcie_open, and snapshots leave it as it is.
 */
TX_API void tx_pcie_firmware(tx_pcie *host, bool cards);

/*
 * The host's memory as the chip reaches it, by the host's physical addresses. Without these
 * functions the chip reads zeros and its stores are dropped, with a finding. They may be called
 * from the functions below and from tx_chip_cycle.
 */
struct tx_pcie_memory {
    uint32_t struct_size; /* sizeof(struct tx_pcie_memory) */
    uint8_t reserved[4];  /* zero */
    void (*read)(void *user, uint64_t address, void *bytes, size_t size);
    void (*write)(void *user, uint64_t address, const void *bytes, size_t size);
    void *user;
};
/* NULL: there is none. */
TX_API enum tx_status tx_pcie_memory(tx_pcie *host, const struct tx_pcie_memory *memory);

/* ---- PCI configuration space ---- */

/* "offset" is a multiple of 4 below 4096; other words read all ones. */
TX_API uint32_t tx_pcie_config_read(const tx_pcie *host, uint32_t offset);
TX_API void tx_pcie_config_write(tx_pcie *host, uint32_t offset, uint32_t value);

/* ---- BARs: 0, 2 and 4, each of 64 bits ---- */

/*
 * Gives the size of a BAR and where the interface of the vendor's simulator places it in the host's
 * address space. TX_EINVAL: there is no such BAR.
 */
TX_API enum tx_status tx_pcie_bar(const tx_pcie *host, unsigned bar, uint64_t *base,
                                  uint64_t *size);
/*
 * Read and write bytes of a BAR. They have been read, or have arrived, when the call returns.
 * TX_ENOENT: nothing answers at some of them, which read all ones. TX_EINVAL: outside the BAR.
 */
TX_API enum tx_status tx_pcie_read(tx_pcie *host, unsigned bar, uint64_t offset, void *bytes,
                                   size_t size);
TX_API enum tx_status tx_pcie_write(tx_pcie *host, unsigned bar, uint64_t offset, const void *bytes,
                                    size_t size);

/*
 * Gives how many bytes from an offset of a BAR on are memory of one tile, L1 or DRAM, as the window
 * there is configured now: reading them changes nothing, and they may be moved in pieces of any
 * size. It may be fewer than there are. TX_ENOENT: registers, a broadcast, or nothing.
 */
TX_API enum tx_status tx_pcie_memory_at(tx_pcie *host, unsigned bar, uint64_t offset,
                                        uint64_t *bytes);

/* Gives the value of a tag of ARC's telemetry. TX_ENOENT: the chip does not have it. */
TX_API enum tx_status tx_pcie_telemetry(const tx_pcie *host, unsigned tag, uint32_t *value);

/* ---- the whole state of the host's side as bytes; the chip's own is tx_chip_snapshot ---- */

TX_API size_t tx_pcie_snapshot_size(const tx_pcie *host);
TX_API enum tx_status tx_pcie_snapshot(const tx_pcie *host, void *buffer, size_t size);
/* TX_EINVAL: not a snapshot of this library version and of such a chip. */
TX_API enum tx_status tx_pcie_restore(tx_pcie *host, const void *buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif
