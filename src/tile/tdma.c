/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The registers of TDMA-RISC: commands to the mover, and the packers' registers (src/pack/side.c).
 * Of Blackhole less is known: the status, the clock gates and the packers' registers are modelled.
 * Commands are done at once, so that no queue is ever full. Source: isa TDMA-RISC 29e53cf;
 * spec/tile.md 8.1.
 */
#include "scalar/unit.h"
#include "tile/tile.h"

enum { TDMA_BASE = REGION_BASE_TDMA };
enum { PACKER_STEP = 0x100, TILE_SIZE = 0x30, RESET_TDMA = 8 };

static bool held(const struct tx_tensix *t)
{
    return (t->s.debug[TILE_SOFT_RESET_0 / 4] >> RESET_TDMA & 1u) != 0;
}

static void not_modelled(struct tx_tensix *t, unsigned who, uint32_t address, const char *effect)
{
    tile_finding(t, who, TX_UNSUPPORTED, EVIDENCE_TILE_PART,
                 "TDMA-RISC register %08x is not modelled%s; %s", (unsigned)address,
                 machine_has(t->m, TDMA_COMMANDS) ? "" : " on Blackhole", effect);
}

/* Accesses a register of the packers. Returns false if there is none at this address. */
static bool of_packers(struct tx_tensix *t, unsigned who, uint32_t address, uint32_t *value,
                       bool write)
{
    struct tx_op op = {.row = ROWID_NONE, .number = t->m->state.index};
    struct tx_access access = {.struct_size = sizeof access,
                               .address = address,
                               .size = 4,
                               .write = write,
                               .data = {*value}};
    if (who >= RISCV_T0 && who <= RISCV_T2) {
        op.thread = (uint8_t)tile_thread(who);
        access.thread = op.thread;
    }
    const bool there = unit_pack_register(t->m, &op, &access);
    *value = access.data[0];
    return there;
}

/* Returns the packer whose oldest finished tile this register reports, or NULL if it is another. */
static const struct packer *tile_of(const struct tx_tensix *t, uint32_t offset)
{
    const unsigned packer = offset / PACKER_STEP;
    const bool told = (offset % PACKER_STEP & ~4u) == TILE_SIZE;
    return told && packer < machine_number(t->m, PACKERS) ? &t->m->state.units.pack.unit[packer]
                                                          : NULL;
}

/* Returns what a load would return, without its effects: it removes the tile, or waits for one. */
static uint32_t look(const struct packer *p, uint32_t offset)
{
    return p->fifo_count == 0 ? 0 : (offset & 4u) != 0 ? p->fifo[0].flags : p->fifo[0].size;
}

static enum riscv_answer tdma_load(struct tx_tensix *t, unsigned who, struct riscv_access *a)
{
    const uint32_t offset = a->address - TDMA_BASE;
    const bool commands = machine_has(t->m, TDMA_COMMANDS);
    const struct packer *told = tile_of(t, offset);
    a->value = 0;
    if (offset == TILE_TDMA_STATUS) {
        a->value = TDMA_AT_REST | (t->m->state.units.mover.live != 0 ? 1u : 0u);
    } else if (offset == TILE_CLK_GATE_EN) {
        a->value = t->s.tdma[offset / 4];
    } else if (commands && offset == TILE_MOVER_BASE) {
        a->value = t->s.mover_base[who < RISCV_NC ? who : RISCV_T0];
    } else if (commands && offset <= TILE_TDMA_COMMAND) {
        a->value = 0;
    } else if (told != NULL && t->looking) {
        a->value = look(told, offset);
    } else if (told != NULL && (offset & 4u) == 0 && told->fifo_count == 0 && who != TILE_OUTSIDE) {
        return RISCV_WAIT;
    } else if (!of_packers(t, who, a->address, &a->value, false)) {
        not_modelled(t, who, a->address, "0 was loaded");
    }
    return RISCV_DONE;
}

static enum riscv_answer tdma_store(struct tx_tensix *t, unsigned who, const struct riscv_access *a)
{
    const uint32_t offset = a->address - TDMA_BASE;
    const bool commands = machine_has(t->m, TDMA_COMMANDS);
    uint32_t value = a->value;
    if (held(t) || offset == TILE_TDMA_STATUS) {
        return RISCV_DONE; /* such stores have no effect */
    }
    t->m->quiet = 0; /* a packer or the mover may begin or end something */
    if (offset == TILE_CLK_GATE_EN) {
        t->s.tdma[offset / 4] = value & (uint32_t)TDMA_CLK_GATE_KEPT;
    } else if (commands && offset == TILE_MOVER_BASE) {
        t->s.mover_base[who < RISCV_NC ? who : RISCV_T0] = value;
    } else if (commands && offset < TILE_TDMA_COMMAND) {
        t->s.tdma[offset / 4] = value;
    } else if (commands && offset == TILE_TDMA_COMMAND) {
        tile_mover_command(t, who, value);
    } else if (!of_packers(t, who, a->address, &value, true)) {
        not_modelled(t, who, a->address, "the store was dropped");
    }
    return RISCV_DONE;
}

const struct tile_page tile_tdma = {tdma_load, tdma_store};
