/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Holding and releasing cores by SOFT_RESET_0, and where they start. Source: spec/tile.md 2 from
 * isa SoftReset 585749d, BabyRISCV/README 2c2c43b.
 */
#include "tile/tile.h"
#include "base/check.h"

#include <string.h>

enum { KEEP_RAM_BITS = 2 };

#define TILE_CORE(ID, bit, start) [TX_CORE_##ID] = bit,
static const uint8_t reset_bit[TX_CORES] = {
#include "isa/tile.def"
};
#define TILE_CORE(ID, bit, start) [TX_CORE_##ID] = start,
static const uint32_t start_pc[TX_CORES] = {
#include "isa/tile.def"
};

uint32_t tx_core_start(enum tx_core core)
{
    return (unsigned)core < TX_CORES ? start_pc[core] : 0;
}

uint32_t tx_core_local(void)
{
    return RISCV_RAM_BASE;
}

bool tx_tile_register(const char *name, uint32_t *address)
{
    static const struct {
        const char *name;
        uint32_t address;
    } registers[] = {
#define TILE_REGISTER(ID, name_, PAGE, offset) {name_, REGION_BASE_##PAGE + (offset)},
#include "isa/tile.def"
    };
    for (unsigned i = 0; name != NULL && i < sizeof registers / sizeof registers[0]; i++) {
        if (strcmp(registers[i].name, name) == 0) {
            *address = registers[i].address;
            return true;
        }
    }
    return false;
}

static uint32_t configured(const struct tx_tensix *t, const char *name)
{
    const struct tx_config_field *f = tx_config_field_find(t->m->arch, name);
    return f == NULL ? 0 : bits_get(t->m->state.config[0][f->word], f->lsb, f->width);
}

static uint32_t register_of(const struct tx_tensix *t, uint32_t offset)
{
    return t->s.debug[offset / 4];
}

/*
 * Returns the address at which a core starts, from registers on Blackhole and configuration on
 * Wormhole.
 */
static uint32_t start_of(const struct tx_tensix *t, unsigned core)
{
    static const char *const pcs[TX_THREADS] = {"TRISC_RESET_PC_SEC0_PC", "TRISC_RESET_PC_SEC1_PC",
                                                "TRISC_RESET_PC_SEC2_PC"};
    const bool own = machine_has(t->m, RESET_PC_REGISTERS);
    if (core == RISCV_B) {
        return start_pc[core];
    }
    if (core == RISCV_NC) {
        const uint32_t on = own ? register_of(t, TILE_NCRISC_RESET_PC_OVERRIDE)
                                : configured(t, "NCRISC_RESET_PC_OVERRIDE_Reset_PC_Override_en");
        const uint32_t pc =
            own ? register_of(t, TILE_NCRISC_RESET_PC) : configured(t, "NCRISC_RESET_PC_PC");
        return (on & 1u) != 0 ? pc : start_pc[core];
    }
    const unsigned i = tile_thread(core);
    const uint32_t on = own ? register_of(t, TILE_TRISC_RESET_PC_OVERRIDE)
                            : configured(t, "TRISC_RESET_PC_OVERRIDE_Reset_PC_Override_en");
    const uint32_t pc = own ? register_of(t, TILE_TRISC0_RESET_PC + 4 * i) : configured(t, pcs[i]);
    return (on >> i & 1u) != 0 ? pc : start_pc[core];
}

/*
 * Returns whether the core keeps something at reset. Blackhole's DISABLE_RESET has two bits for
 * each of T0, T1, T2, B, NC: which is 0 for local memory, 1 for the debug registers.
 */
static bool keeps(const struct tx_tensix *t, unsigned core, unsigned which)
{
    static const uint8_t place[TX_CORES] = {3, 0, 1, 2, 4};
    if (!machine_has(t->m, DISABLE_RESET)) {
        return which == 0; /* firmware leaves data there for its next start (T14) */
    }
    return (register_of(t, TILE_DISABLE_RESET) >> (KEEP_RAM_BITS * place[core] + which) & 1u) != 0;
}

/*
 * Discards words in front of the MOP Expander and the expansion under way. Later queues keep
 * theirs.
 */
static void drop_words(struct tx_machine *m, unsigned thread)
{
    CHECK(thread < TX_THREADS, "words are dropped of a thread");
    struct front *f = &m->state.front;
    struct queue *q = &f->queue[thread][TX_QUEUE_MOP];
    while (q->count != 0) {
        f->pushed[thread] = (uint8_t)(f->pushed[thread] - (queue_take(q) ? 1 : 0));
    }
    f->mop[thread].active = f->mop[thread].waiting = f->mop[thread].leaving = 0;
    m->quiet = 0;
}

void tile_hold(struct tx_tensix *t, unsigned core)
{
    CHECK(core < TX_CORES, "a core that is held is one of five");
    riscv_hold(&t->core[core]);
    if (core < MAILBOXES) {
        memset(t->s.mailbox[core], 0, sizeof t->s.mailbox[core]);
        if (!keeps(t, core, 1)) {
            memset(t->s.dr[core], 0, sizeof t->s.dr[core]);
            t->s.watch_hit[core] = t->s.watch_passed[core] = 0;
        }
    }
    if (core != RISCV_B && core != RISCV_NC) {
        drop_words(t->m, tile_thread(core));
    }
}

/* Draws when a core begins that is released now. */
static void begin_late(struct tx_tensix *t, unsigned core)
{
    CHECK(core < TX_CORES, "a core that begins late is one of five");
    t->s.starts_late &= (uint8_t) ~(1u << core);
    if (t->start_delay != 0) {
        const uint64_t which = (uint64_t)t->s.niu[0].place << 8 | core;
        const uint64_t drawn =
            bits_mixed(t->start_seed, bits_mixed(which, t->core[core].s.instret));
        t->s.starts[core] = t->s.cycle + drawn % ((uint64_t)t->start_delay + 1);
        t->s.starts_late |= (uint8_t)(1u << core);
    }
}

void tile_release(struct tx_tensix *t, unsigned core, uint32_t pc)
{
    CHECK(core < TX_CORES, "a core that is released is one of five");
    begin_late(t, core);
    if (core != RISCV_B && core != RISCV_NC) {
        memset(&t->s.pcbuf[tile_thread(core)], 0, sizeof t->s.pcbuf[0]);
        t->s.pc_wait[tile_thread(core)] = 0;
    }
    riscv_release(&t->core[core], pc, keeps(t, core, 0));
    machine_uses_l1(t->m, L1_CORE + core); /* its instructions are there */
    t->s.debug[TILE_SOFT_RESET_0 / 4] &= ~(1u << reset_bit[core]);
    t->progress = t->s.cycle;
    tile_tell(t, core, TX_ORDER_START, TX_SHARED_COUNT, core, 1);
}

void tile_reset_write(struct tx_tensix *t, uint32_t value)
{
    const uint32_t old = t->s.debug[TILE_SOFT_RESET_0 / 4];
    const uint32_t up = value & ~old;
    t->s.debug[TILE_SOFT_RESET_0 / 4] = value;
    for (unsigned core = 0; core < TX_CORES; core++) {
        const uint32_t bit = 1u << reset_bit[core];
        if ((up & bit) != 0) {
            tile_hold(t, core);
        } else if ((old & ~value & bit) != 0) {
            tile_release(t, core, start_of(t, core));
        }
    }
    tile_reset_units(t, old, value);
}

enum tx_status tx_tensix_start(tx_tensix *t, enum tx_core core, uint32_t pc)
{
    if ((unsigned)core >= TX_CORES || pc % 4 != 0) {
        return TX_EINVAL;
    }
    tile_hold(t, core);
    tile_release(t, core, pc);
    return TX_OK;
}

enum tx_status tx_tensix_hold(tx_tensix *t, enum tx_core core)
{
    if ((unsigned)core >= TX_CORES) {
        return TX_EINVAL;
    }
    tile_hold(t, core);
    t->s.debug[TILE_SOFT_RESET_0 / 4] |= 1u << reset_bit[core];
    return TX_OK;
}
