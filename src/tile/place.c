/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What part of the coprocessor an address of a RISC-V core denotes, for the host's tools. Source:
 * spec/tile.md 3, 3.2, 5, 6 from isa BackendConfiguration 16705cf, 492ccd0, PushTensixInstruction
 * 6e087b0, PCBufs 3930471.
 */
#include "isa/chip.h"
#include "tile/tile.h"

struct tile_config_place tile_config_place(enum tx_arch arch, uint32_t offset)
{
    const struct cfg_places *p = cfg_places(arch);
    const uint32_t bank = 4u * p->words;
    const uint32_t threads = NUMBER_OF(arch, CONFIG_AREAS) * bank;
    const uint32_t step = NUMBER_OF(arch, CONFIG_THREAD_STEP);
    struct tile_config_place at = {CONFIG_HOLE, 0, 0};
    if (offset < threads) {
        at.kind = (enum tile_config_kind)(offset / bank);
        at.word = offset % bank / 4;
    } else if ((offset - threads) / step < (uint32_t)TX_THREADS * p->thread_words) {
        const uint32_t n = (offset - threads) / step;
        at.kind = (offset - threads) % step < 4 ? CONFIG_THREAD : CONFIG_PAD;
        at.thread = n / p->thread_words;
        at.word = n % p->thread_words;
    }
    return at;
}

static struct tx_tile_place of_config(enum tx_arch arch, uint32_t offset)
{
    static const enum tx_tile_space spaces[] = {
        [CONFIG_BANK0] = TX_SPACE_CONFIG,         [CONFIG_BANK1] = TX_SPACE_CONFIG,
        [CONFIG_DUAL] = TX_SPACE_CONFIG_BOTH,     [CONFIG_PAD] = TX_SPACE_OTHER,
        [CONFIG_THREAD] = TX_SPACE_THREAD_CONFIG, [CONFIG_HOLE] = TX_SPACE_OTHER};
    const struct tile_config_place at = tile_config_place(arch, offset);
    return (struct tx_tile_place){.space = spaces[at.kind],
                                  .part = at.kind == CONFIG_BANK1 ? 1 : at.thread,
                                  .index = at.word};
}

static struct tx_tile_place of_sync(unsigned thread, uint32_t offset)
{
    struct tx_tile_place at = {.space = TX_SPACE_OTHER, .part = thread};
    if (offset >= TILE_SYNC_SEMAPHORES && offset < TILE_SYNC_SEMAPHORES_END) {
        at = (struct tx_tile_place){.space = TX_SPACE_SEMAPHORES,
                                    .index = (offset - TILE_SYNC_SEMAPHORES) / 4};
    } else if (offset == TILE_SYNC_DONE) {
        at.space = TX_SPACE_THREAD_DONE;
    } else if (offset == TILE_SYNC_MOP_DONE) {
        at.space = TX_SPACE_MOP_DONE;
    }
    return at;
}

struct tx_tile_place tx_tile_place(enum tx_arch arch, enum tx_core core, uint32_t address)
{
    const struct riscv_region *r =
        (unsigned)core < TX_CORES ? riscv_region(arch, (enum riscv_core)core, address) : NULL;
    const bool t = core >= TX_CORE_T0 && core <= TX_CORE_T2;
    struct tx_tile_place at = {.space = TX_SPACE_OTHER,
                               .part = t ? (unsigned)core - TX_CORE_T0 : 0};
    if (r == NULL) {
        return at;
    }
    const uint32_t offset = address - r->base;
    switch (riscv_region_id(r)) {
    case REGION_MOP:
        at.space = TX_SPACE_MOP;
        at.index = offset / 4;
        break;
    case REGION_DST:
        at.space = TX_SPACE_DST;
        break;
    case REGION_GPRS_B:
    case REGION_GPRS_T:
        at.space = TX_SPACE_GPRS;
        at.part += offset / 4 / TX_GPRS;
        at.index = offset / 4 % TX_GPRS;
        break;
    case REGION_PUSH_B:
        at.part = offset / (REGION_END_PUSH_T - REGION_BASE_PUSH_T);
        at.space = TX_SPACE_PUSH;
        break;
    case REGION_PUSH_T:
        at.space = TX_SPACE_PUSH;
        break;
    case REGION_SYNC:
        at = of_sync(at.part, offset);
        break;
    case REGION_CONFIG:
        at = of_config(arch, offset);
        break;
    default:
        break;
    }
    return at;
}
