/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A libttsim that ends the process at what it does not have, as the vendor's does: words for
 * strides of Blackhole's windows, a reset of a tile's units, configuration that nobody uses, an
 * ebreak. All else goes to the library that $PICKY_DOOR names. Programs come to it as words that
 * are written.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *found(const char *name)
{
    static void *library;
    if (library == NULL) {
        library = dlopen(getenv("PICKY_DOOR"), RTLD_NOW | RTLD_LOCAL);
    }
    void *at = library == NULL ? NULL : dlsym(library, name);
    if (at == NULL) {
        _exit(3);
    }
    return at;
}

/* Calls the function of the same name there. */
#define FORWARD(type, name, ...) \
    type (*f)();                 \
    void *at = found(#name);     \
    memcpy(&f, &at, sizeof f);   \
    return f(__VA_ARGS__)

static void ends(const char *at)
{
    printf("[1] ERROR: UnsupportedFunctionality: %s\n", at);
    fflush(stdout);
    _exit(1);
}

enum { STRIDES = 0x1FC009D8, STRIDES_END = 0x1FC00A58, WINDOW = 0x1FFFFF, SOFT_RESET = 0x1121B0 };
enum { CORES = 0x47800, EBREAK = 0x00100073, STORE = 2, UNUSED = 0xFFEF0014u & 0x7FFFFFFF };

static void look(uint64_t offset, const void *bytes, uint32_t size)
{
    uint32_t word, before = 0;
    if (offset >= STRIDES && offset < STRIDES_END) {
        ends("strides");
    }
    for (uint32_t i = 0; i + 4 <= size; i += 4) {
        memcpy(&word, (const char *)bytes + i, 4);
        if (word == EBREAK) {
            ends("ebreak");
        }
        if (before == STORE && (word & 0x7FFFFFFF) == UNUSED) {
            ends("cfg reg=5");
        }
        before = word;
    }
    if (size == 4 && (offset & WINDOW) == SOFT_RESET && (before & ~(uint32_t)CORES) != 0) {
        ends("SOFT_RESET_0");
    }
}

static uint64_t bar0;

void libttsim_init(void)
{
    FORWARD(void, libttsim_init);
}
void libttsim_exit(void)
{
    FORWARD(void, libttsim_exit);
}
void libttsim_set_pci_dma_mem_callbacks(void *read, void *write)
{
    FORWARD(void, libttsim_set_pci_dma_mem_callbacks, read, write);
}
uint32_t libttsim_pci_config_rd32(uint32_t function, uint32_t offset)
{
    FORWARD(uint32_t, libttsim_pci_config_rd32, function, offset);
}
void libttsim_pci_mem_rd_bytes(uint64_t address, void *bytes, uint32_t size)
{
    FORWARD(void, libttsim_pci_mem_rd_bytes, address, bytes, size);
}
void libttsim_pci_mem_wr_bytes(uint64_t address, const void *bytes, uint32_t size)
{
    if (bar0 == 0) {
        bar0 = (uint64_t)libttsim_pci_config_rd32(0, 0x14) << 32 |
               (libttsim_pci_config_rd32(0, 0x10) & ~15u);
    }
    if (address - bar0 < 1u << 29) {
        look(address - bar0, bytes, size);
    }
    FORWARD(void, libttsim_pci_mem_wr_bytes, address, bytes, size);
}
void libttsim_tile_wr_bytes(uint32_t x, uint32_t y, uint64_t address, const void *bytes,
                            uint32_t size)
{
    FORWARD(void, libttsim_tile_wr_bytes, x, y, address, bytes, size);
}
void libttsim_clock(uint32_t clocks)
{
    FORWARD(void, libttsim_clock, clocks);
}
