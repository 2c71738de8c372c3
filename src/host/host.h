/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host's side of a chip: its state, and what the files of this folder do for one another. All
 * of the state is in one flat struct, which is also its snapshot.
 */
#ifndef TX_HOST_HOST_H
#define TX_HOST_HOST_H

#include <tensix/pcie.h>

#include "isa/chip.h"
#include "isa/finding.h"

/* Numbers of host.def as HOST_OF(h, WINDOW_REGISTERS). */
#define HOST_NUMBER(ID, wormhole, blackhole, what, evidence) \
    static const uint64_t HOST_WH_##ID = wormhole, HOST_BH_##ID = blackhole;
#include "isa/host.def"
#define HOST_OF(h, ID) (chip_column((h)->arch) == CHIP_COLUMN_BH ? HOST_BH_##ID : HOST_WH_##ID)

enum {
    HOST_CONFIG_WORDS = 16,
    HOST_WINDOW_WORDS = 210 * 3, /* the larger of 186 windows of two words and 210 of three */
    HOST_STRIDE_WORDS = 32,
    HOST_BAR2_WORDS = 0x3200 / 4,
    HOST_ARC_BYTES = 0x80000,
    HOST_SCRATCH = 8,
    HOST_SCRATCH_RAM = 16
};

struct host_state {
    uint32_t config[HOST_CONFIG_WORDS];
    uint32_t window[HOST_WINDOW_WORDS], stride[HOST_STRIDE_WORDS];
    uint32_t bar2[HOST_BAR2_WORDS];
    uint32_t scratch[HOST_SCRATCH], scratch_ram[HOST_SCRATCH_RAM];
    uint32_t control;
    uint32_t clock; /* of the tiles, MHz */
    uint32_t beats; /* number of times that the heartbeat was read */
    uint32_t reset_wanted;
    uint8_t memory[HOST_ARC_BYTES]; /* ARC's */
};

struct tx_pcie {
    enum tx_arch arch;
    tx_chip *chip;
    struct tx_chip_settings product;
    size_t arc, pcie; /* endpoints of the ARC tile and of the PCIe tile that is wired to the host */
    struct tx_pcie_memory outside;
    bool cards; /* tx_pcie_firmware */
    struct host_state s;
};

/* One access: "to" is NULL for a write, "from" for a read. */
struct host_bytes {
    uint8_t *to;
    const uint8_t *from;
    size_t size;
};
static inline struct host_bytes host_part(const struct host_bytes *b, size_t from, size_t size)
{
    const struct host_bytes part = {b->to != NULL ? b->to + from : NULL,
                                    b->from != NULL ? b->from + from : NULL, size};
    return part;
}
/* Moves "size" bytes between the access, from its byte "at" on, and memory. */
void host_move(const struct host_bytes *b, size_t at, void *memory, size_t size);
/* Moves bytes between the access and registers, from the byte "in" of their words on, low bytes
 * first. */
void host_move_words(const struct host_bytes *b, uint32_t *words, size_t in, size_t size);
/* Gives the read its bytes where nothing answers. */
void host_nothing(const struct host_bytes *b);

/* Reports what a host, or the chip in the host's room, does against the contract. */
void host_finding(tx_pcie *h, enum finding_kind which, uint64_t value);

/* window.c: an access through the windows; *part: the bytes of it that one window takes. */
bool host_window(tx_pcie *h, unsigned bar, uint64_t offset, const struct host_bytes *b,
                 size_t *part, enum tx_status *status);
/* The registers of the windows, and the strided words. */
bool host_window_registers(tx_pcie *h, uint64_t offset, const struct host_bytes *b, size_t *part);

/* arc.c: the state after start-up; accesses in ARC's own address space. */
void arc_start(tx_pcie *h);
bool arc_access(tx_pcie *h, uint64_t address, const struct host_bytes *b);

/* telemetry.c. Offsets in ARC's memory. */
enum { TELEMETRY_OLD = 0x000, TELEMETRY_TABLE = 0x100, TELEMETRY_VALUES = 0x300 };
void telemetry_fill(tx_pcie *h);
/* Brings the values that move up to date before ARC's memory is read there. */
void telemetry_read(tx_pcie *h, uint64_t at, size_t size);
uint32_t telemetry_harvested(const tx_pcie *h);

/* outside.c: what the PCIe tile does with a NoC address of the host. */
bool outside_access(tx_pcie *h, uint64_t address, const struct host_bytes *b);
/* Accesses the host's memory by its physical address. */
void outside_bytes(tx_pcie *h, uint64_t address, const struct host_bytes *b);

/* dma.c: BAR 2. */
bool dma_registers(tx_pcie *h, uint64_t offset, const struct host_bytes *b);

/* bar.c: an access to a BAR without its checks, for transfers, too. */
enum tx_status host_bar_access(tx_pcie *h, unsigned bar, uint64_t offset,
                               const struct host_bytes *b);

static inline uint32_t word_get(const uint8_t *b)
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}
static inline void word_put(uint8_t *b, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++) {
        b[i] = (uint8_t)(value >> 8 * i);
    }
}

#endif
