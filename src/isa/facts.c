/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of the tables of chips, networks, streams and addresses, by the names of facts.h. */
#include <tensix/facts.h>

#include "isa/chip.h"

#define NOWHERE 0xFFFF /* in the tables: the chip has no such register */

enum {
#define NOC_FACT(ID, ...) FACT_OF_##ID,
#include "isa/noc.def"
};
static const uint32_t counters[] = {
#define NOC_FACT(ID, wormhole, blackhole) [FACT_OF_##ID] = (wormhole),
#include "isa/noc.def"
};

static const struct fact {
    enum tx_fact name;
    uint32_t value[2];
    uint8_t number; /* enum chip_fact + 1, for which chips may differ from their column; or 0 */
} facts[] = {
#define NUMBER(ID, wormhole, blackhole, what, evidence) \
    {TX_FACT_##ID, {wormhole, blackhole}, CHIP_FACT_##ID + 1},
#define TRAIT(ID, wormhole, blackhole, what, evidence) \
    {TX_FACT_##ID, {wormhole, blackhole}, CHIP_FACT_##ID + 1},
#include "isa/chip.def"
#define REGION(ID, what, base, size, ...) \
    {TX_FACT_AT_##ID, {base, base}, 0}, {TX_FACT_END_##ID, {(base) + (size), (base) + (size)}, 0},
#include "isa/riscv_regions.def"
#define TILE_REGISTER(ID, name, PAGE, offset) \
    {TX_FACT_TILE_##ID, {REGION_BASE_##PAGE + (offset), REGION_BASE_##PAGE + (offset)}, 0},
#include "isa/tile.def"
#define NOC_FIELD(ID, name, wormhole, blackhole) {TX_FACT_NIU_##ID, {wormhole, blackhole}, 0},
#define NOC_REGISTER(ID, name, wormhole, blackhole, access) \
    {TX_FACT_NIU_##ID, {wormhole, blackhole}, 0},
#define NOC_FACT(ID, wormhole, blackhole) {TX_FACT_NOC_##ID, {wormhole, blackhole}, 0},
#include "isa/noc.def"
#define STREAM_REGISTER(ID, name, wormhole, blackhole, bits, kind) \
    {TX_FACT_STREAM_##ID,                                          \
     {(wormhole) == NOWHERE ? TX_FACT_NONE : (wormhole)*4,         \
      (blackhole) == NOWHERE ? TX_FACT_NONE : (blackhole)*4},      \
     0},
#include "isa/overlay.def"
};

static const struct {
    enum tx_fact name;
    uint32_t index;
} niu_counters[] = {
#define NOC_COUNTER(ID, index, name) {TX_FACT_NIU_COUNTER_##ID, index},
#include "isa/noc.def"
};

uint32_t tx_arch_fact(enum tx_arch arch, enum tx_fact name)
{
    if (!chip_known(arch)) {
        return TX_FACT_NONE;
    }
    for (size_t i = 0; i < sizeof niu_counters / sizeof niu_counters[0]; i++) {
        if (niu_counters[i].name == name) {
            return counters[FACT_OF_COUNTERS] + 4 * niu_counters[i].index;
        }
    }
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        const struct fact *f = &facts[i];
        if (f->name == name) {
            const uint32_t value = f->value[chip_column(arch)];
            return f->number != 0 ? chip_number(arch, (enum chip_fact)(f->number - 1), f->value[0],
                                                f->value[1])
                   : value == NOWHERE ? TX_FACT_NONE
                                      : value;
        }
    }
    return TX_FACT_NONE;
}
