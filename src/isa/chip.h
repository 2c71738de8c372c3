/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The numbers of chip.def, riscv_regions.def and tile.def as constants, as in NUMBER_OF(arch,
 * L1_BYTES).
 */
#ifndef TX_ISA_CHIP_H
#define TX_ISA_CHIP_H

#include <tensix/base.h>

enum {
#define NUMBER(ID, wormhole, blackhole, what, evidence) \
    NUMBER_WH_##ID = wormhole, NUMBER_BH_##ID = blackhole,
#include "isa/chip.def"
};
#define NUMBER_OF(arch, ID) ((uint32_t)((arch) == TX_BLACKHOLE ? NUMBER_BH_##ID : NUMBER_WH_##ID))

/* Sets of chips, as the tables name them. */
enum {
    CHIPS_WH = 1 << TX_WORMHOLE,
    CHIPS_BH = 1 << TX_BLACKHOLE,
    CHIPS_BOTH = CHIPS_WH | CHIPS_BH
};

/* Addresses where the regions of RISC-V cores begin and end. */
enum {
#define REGION(ID, what, base, size, ...) REGION_BASE_##ID = base, REGION_END_##ID = base + size,
#include "isa/riscv_regions.def"
};

/* Offsets of the tile's registers within their page, such as TILE_SYNC_DONE. */
enum {
#define TILE_REGISTER(ID, name, PAGE, offset) TILE_##ID = (offset),
#include "isa/tile.def"
};

/* Fields of TDMA-RISC's words, for bits_get(word, TDMA_COUNT_LSB, TDMA_COUNT_WIDTH). */
enum {
#define TDMA_COMMAND(ID, opcode) TDMA_##ID = (opcode),
#define TDMA_FIELD(ID, lsb, width) TDMA_##ID##_LSB = (lsb), TDMA_##ID##_WIDTH = (width),
#define TDMA_FACT(ID, value) TDMA_##ID = (value),
#include "isa/tile.def"
};
#define TDMA_GET(word, ID) bits_get(word, TDMA_##ID##_LSB, TDMA_##ID##_WIDTH)

#endif
