/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The C interface through which tt-umd opens a simulator, for one chip: PCI configuration space,
 * BARs, memory of the host, and time. Everything behind it is the library's (tensix/pcie.h,
 * tensix/chip.h). Source: spec/tile.md 12.3, spec/chip.md 8 from tenstorrent/ttsim 56694c8,
 * docs/libttsim_api.md there.
 *
 * The interface has one chip per process and no handles, hence the one variable. It never ends the
 * process: misuse is reported on stderr, and reads then return all ones.
 */
#include "door.h"
#include "order.h"

#include <stdlib.h>
#include <string.h>

#define DOOR_API __attribute__((visibility("default")))

DOOR_API void libttsim_init(void);
DOOR_API void libttsim_exit(void);
DOOR_API void libttsim_set_pci_dma_mem_callbacks(void (*read)(uint64_t address, void *bytes,
                                                              uint32_t size),
                                                 void (*write)(uint64_t address, const void *bytes,
                                                               uint32_t size));
DOOR_API uint32_t libttsim_pci_config_rd32(uint32_t function, uint32_t offset);
DOOR_API void libttsim_pci_config_wr32(uint32_t function, uint32_t offset, uint32_t value);
DOOR_API void libttsim_pci_mem_rd_bytes(uint64_t address, void *bytes, uint32_t size);
DOOR_API void libttsim_pci_mem_wr_bytes(uint64_t address, const void *bytes, uint32_t size);
DOOR_API void libttsim_tile_rd_bytes(uint32_t x, uint32_t y, uint64_t address, void *bytes,
                                     uint32_t size);
DOOR_API void libttsim_tile_wr_bytes(uint32_t x, uint32_t y, uint64_t address, const void *bytes,
                                     uint32_t size);
DOOR_API void libttsim_clock(uint32_t clocks);

static struct door {
    tx_chip *chip;
    tx_pcie *pcie;
    struct door_pace pace;
    struct door_findings findings;
    struct door_replay replay;
    struct door_order order;
    /* The host's memory. It may be set before the chip is there. */
    void (*read)(uint64_t address, void *bytes, uint32_t size);
    void (*write)(uint64_t address, const void *bytes, uint32_t size);
} door;

static bool ready(const char *call)
{
    if (door.chip == NULL) {
        door_tell(DOOR_CALL, "%s before libttsim_init, or after libttsim_exit: nothing is done",
                  call);
    }
    return door.chip != NULL;
}

/* ---- the host's memory ---- */

enum { PIECE = 1 << 30 };

static void memory_read(void *user, uint64_t address, void *bytes, size_t size)
{
    (void)user;
    for (size_t done = 0; done < size; done += PIECE) {
        door.read(address + done, (uint8_t *)bytes + done,
                  (uint32_t)(size - done < PIECE ? size - done : PIECE));
    }
}

static void memory_write(void *user, uint64_t address, const void *bytes, size_t size)
{
    (void)user;
    for (size_t done = 0; done < size; done += PIECE) {
        door.write(address + done, (const uint8_t *)bytes + done,
                   (uint32_t)(size - done < PIECE ? size - done : PIECE));
    }
}

static void attach_memory(void)
{
    const struct tx_pcie_memory memory = {
        .struct_size = sizeof memory, .read = memory_read, .write = memory_write};
    if (door.pcie != NULL) {
        const bool both = door.read != NULL && door.write != NULL;
        (void)tx_pcie_memory(door.pcie, both ? &memory : NULL);
    }
}

void libttsim_set_pci_dma_mem_callbacks(void (*read)(uint64_t address, void *bytes, uint32_t size),
                                        void (*write)(uint64_t address, const void *bytes,
                                                      uint32_t size))
{
    door.read = read;
    door.write = write;
    attach_memory();
}

/* ---- opening ---- */

/* Opens the product that TENSIX_PRODUCT names, or the chip's usual one. */
static enum tx_status open_chip(void)
{
    const char *usual = tx_arch_name(DOOR_CHIP);
    const char *product = getenv("TENSIX_PRODUCT");
    struct tx_chip_settings settings;
    if (product == NULL || tx_chip_settings_default(&settings, product) != TX_OK ||
        settings.arch != DOOR_CHIP) {
        if (product != NULL) {
            door_tell(DOOR_CALL, "TENSIX_PRODUCT names no product with this chip: it is %s", usual);
        }
        (void)tx_chip_settings_default(&settings, usual);
    }
    struct tx_tensix_settings tile;
    tx_tensix_settings_default(&tile, settings.arch);
    tile.untimed = getenv("TENSIX_UNTIMED") != NULL;
    settings.tile = &tile;
    const enum tx_status status = tx_chip_open(&settings, &door.chip);
    const char *wrong = status == TX_OK ? door_order_open(&door.order, door.chip) : NULL;
    if (wrong != NULL) {
        door_tell(DOOR_CALL, "%s", wrong);
    }
    return status == TX_OK ? tx_pcie_open(door.chip, &door.pcie) : status;
}

void libttsim_init(void)
{
    if (door.chip != NULL) {
        door_tell(DOOR_CALL, "libttsim_init a second time: nothing is done");
        return;
    }
    if (open_chip() != TX_OK) {
        door_tell(DOOR_MEMORY, "out of memory: there is no chip");
        tx_chip_close(door.chip);
        door.chip = NULL;
        return;
    }
    door_pace_start(&door.pace);
    door_findings_open(door.chip, &door.findings);
    door_replay_open(&door.replay, door.chip, &door.findings);
    attach_memory();
}

void libttsim_exit(void)
{
    if (ready("libttsim_exit")) {
        door_findings_show(door.chip, &door.findings);
        door_report(door.chip, &door.findings, &door.replay);
        door_replay_close(&door.replay);
        const char *wrong = door_order_close(&door.order);
        if (wrong != NULL) {
            door_tell(DOOR_CALL, "%s", wrong);
        }
        tx_pcie_close(door.pcie);
        tx_chip_close(door.chip);
        door.chip = NULL;
        door.pcie = NULL;
    }
}

/* ---- configuration space: one device, one function ---- */

uint32_t libttsim_pci_config_rd32(uint32_t function, uint32_t offset)
{
    if (!ready("libttsim_pci_config_rd32") || function != 0) {
        return UINT32_MAX; /* as if there is no device */
    }
    return tx_pcie_config_read(door.pcie, offset);
}

void libttsim_pci_config_wr32(uint32_t function, uint32_t offset, uint32_t value)
{
    if (ready("libttsim_pci_config_wr32") && function == 0) {
        tx_pcie_config_write(door.pcie, offset, value);
    }
}

/* ---- BARs ---- */

/* Finds the BAR at a physical address. */
static bool bar_at(uint64_t address, uint32_t size, unsigned *bar, uint64_t *offset)
{
    for (*bar = 0; *bar <= 4; *bar += 2) {
        uint64_t base;
        uint64_t bytes;
        if (tx_pcie_bar(door.pcie, *bar, &base, &bytes) == TX_OK && address >= base &&
            address - base < bytes && size <= bytes - (address - base)) {
            *offset = address - base;
            return true;
        }
    }
    door_tell(DOOR_PCI, "nothing is at PCI address %llx: all ones are read, stores are dropped",
              (unsigned long long)address);
    return false;
}

void libttsim_pci_mem_rd_bytes(uint64_t address, void *bytes, uint32_t size)
{
    unsigned bar;
    uint64_t offset;
    memset(bytes, 0xFF, size);
    if (ready("libttsim_pci_mem_rd_bytes") && bar_at(address, size, &bar, &offset)) {
        door_pace_read(&door.pace, address);
        if (tx_pcie_read(door.pcie, bar, offset, bytes, size) != TX_OK) {
            door_findings_show(door.chip, &door.findings);
        }
    }
}

void libttsim_pci_mem_wr_bytes(uint64_t address, const void *bytes, uint32_t size)
{
    unsigned bar;
    uint64_t offset;
    if (ready("libttsim_pci_mem_wr_bytes") && bar_at(address, size, &bar, &offset)) {
        door_pace_write(&door.pace);
        door_replay_write(&door.replay);
        if (tx_pcie_write(door.pcie, bar, offset, bytes, size) != TX_OK) {
            door_findings_show(door.chip, &door.findings);
        }
    }
}

/* ---- tiles, and time ---- */

void libttsim_tile_rd_bytes(uint32_t x, uint32_t y, uint64_t address, void *bytes, uint32_t size)
{
    const struct tx_chip_place place = {.noc = 0, .x = x, .y = y};
    memset(bytes, 0xFF, size);
    door_pace_read(&door.pace, address ^ (uint64_t)x << 58 ^ (uint64_t)y << 52);
    if (ready("libttsim_tile_rd_bytes") &&
        tx_chip_read(door.chip, place, address, bytes, size) != TX_OK) {
        door_tell(DOOR_UNREACHED,
                  "nothing answers at %llx of (%u, %u): all ones are read, stores are dropped",
                  (unsigned long long)address, (unsigned)x, (unsigned)y);
    }
    door_replay_read(&door.replay, x, y, address, bytes, size);
}

void libttsim_tile_wr_bytes(uint32_t x, uint32_t y, uint64_t address, const void *bytes,
                            uint32_t size)
{
    const struct tx_chip_place place = {.noc = 0, .x = x, .y = y};
    door_pace_write(&door.pace);
    door_replay_write(&door.replay);
    if (ready("libttsim_tile_wr_bytes") &&
        tx_chip_write(door.chip, place, address, bytes, size) != TX_OK) {
        door_tell(DOOR_UNREACHED,
                  "nothing answers at %llx of (%u, %u): all ones are read, stores are dropped",
                  (unsigned long long)address, (unsigned)x, (unsigned)y);
    }
}

void libttsim_clock(uint32_t clocks)
{
    if (ready("libttsim_clock")) {
        door_replay_before(&door.replay);
        (void)tx_chip_cycle(door.chip, door_pace_cycles(&door.pace, clocks));
        door_replay_after(&door.replay);
        door_findings_show(door.chip, &door.findings);
        door_waits_show(door.chip, &door.findings, door.pace.looks);
        if (door_order_still(&door.order)) {
            door_tell(DOOR_STILL, "cores wait for each other for ever, as the host only looks: the "
                                  "report of TENSIX_ORDER has them");
        }
    }
}
