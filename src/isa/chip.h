/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The numbers of chip.def, riscv_regions.def and tile.def as constants, as in NUMBER_OF(arch,
 * L1_BYTES), and the traits of chips, as in CHIP_HAS(arch, MOP_END_ONCE).
 */
#ifndef TX_ISA_CHIP_H
#define TX_ISA_CHIP_H

#include <tensix/base.h>

#include "base/bits.h"

enum chip_column { CHIP_COLUMN_WH, CHIP_COLUMN_BH };

/* Sets of chips, as tables name them: those for which Wormhole's or Blackhole's column holds. */
enum {
#define CHIP(ID, name, short_name, column) \
    +((1 << TX_##ID) * (CHIP_COLUMN_##column == CHIP_COLUMN_WH))
    CHIPS_WH = 0
#include "isa/chip.def"
    ,
#define CHIP(ID, name, short_name, column) \
    +((1 << TX_##ID) * (CHIP_COLUMN_##column == CHIP_COLUMN_BH))
    CHIPS_BH = 0
#include "isa/chip.def"
    ,
    CHIPS_BOTH = CHIPS_WH | CHIPS_BH
};

/* One past the last chip; TX_ARCH_NONE counts. */
enum {
#define CHIP(...) +1
    CHIPS = 1
#include "isa/chip.def"
};

TX_INLINE bool chip_known(enum tx_arch arch)
{
    return (unsigned)arch < CHIPS && ((unsigned)CHIPS_BOTH >> arch & 1u) != 0;
}

/* Of one chip alone a comparison is quicker than a look into its set. */
TX_INLINE enum chip_column chip_column(enum tx_arch arch)
{
    const bool alone = ((unsigned)CHIPS_BH & ((unsigned)CHIPS_BH - 1u)) == 0;
    return alone ? (enum chip_column)(1u << arch == (unsigned)CHIPS_BH)
                 : (enum chip_column)((unsigned)CHIPS_BH >> arch & 1u);
}

enum {
#define NUMBER(ID, wormhole, blackhole, what, evidence) \
    NUMBER_WH_##ID = wormhole, NUMBER_BH_##ID = blackhole,
#define TRAIT(ID, wormhole, blackhole, what, evidence) \
    NUMBER_WH_##ID = wormhole, NUMBER_BH_##ID = blackhole,
#include "isa/chip.def"
};

enum chip_fact {
#define NUMBER(ID, ...) CHIP_FACT_##ID,
#define TRAIT(ID, ...) CHIP_FACT_##ID,
#include "isa/chip.def"
    CHIP_FACTS
};

/* In what chips differ from their column. */
struct chip_unlike {
    uint32_t chips, value;
};
static const struct chip_unlike chip_unlike[CHIP_FACTS + 1] = {
#define UNLIKE(CHIP, ID, value) [CHIP_FACT_##ID] = {1u << TX_##CHIP, value},
#include "isa/chip.def"
    [CHIP_FACTS] = {0, 0}};

TX_INLINE uint32_t chip_number(enum tx_arch arch, enum chip_fact fact, uint32_t wormhole,
                                   uint32_t blackhole)
{
    if ((chip_unlike[fact].chips >> arch & 1u) != 0) {
        return chip_unlike[fact].value;
    }
    return chip_column(arch) == CHIP_COLUMN_BH ? blackhole : wormhole;
}

#define NUMBER_OF(arch, ID) chip_number(arch, CHIP_FACT_##ID, NUMBER_WH_##ID, NUMBER_BH_##ID)
#define CHIP_HAS(arch, ID) (NUMBER_OF(arch, ID) != 0)

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
