/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The mover: copies or clears 16 bytes at a time, from L1 to L1 or into the configuration, for XMOV
 * and for TDMA-RISC (src/tile/mover.c). It does one transfer at a time, whose bytes appear when it
 * ends. Source: isa Mover 29e53cf, whose rates were measured on Wormhole and are assumed for
 * Blackhole; spec/tile.md 8.2, unpack.md 11.
 */
#include "isa/chip.h"
#include "base/check.h"
#include "riscv/riscv.h"
#include "scalar/unit.h"
#include "state/cfg.h"
#include "state/delay.h"
#include "state/l1.h"
#include "state/order.h"

#include <string.h>

#define ID(name) evidence_get(EVIDENCE_##name)->id

enum { UNIT_BYTES = NUMBER_WH_MOVER_BYTES, WINDOW = NUMBER_WH_MOVER_CONFIG_BYTES };

static bool clears(unsigned direction)
{
    CHECK(direction <= 3, "the mover has four directions");
    return direction == MOVER_CLEAR_L1 || direction == MOVER_CLEAR_L0;
}

static uint64_t duration(enum tx_arch arch, unsigned direction, uint32_t bytes)
{
    CHECK(direction <= 3, "a transfer has one of four directions");
    const uint64_t units = bytes / UNIT_BYTES;
    const uint64_t copies = NUMBER_OF(arch, MOVER_COPIES);
    const uint64_t cycles =
        clears(direction) ? units * NUMBER_OF(arch, MOVER_CLEAR_CYCLES)
                          : (units * NUMBER_OF(arch, MOVER_COPY_CYCLES) + copies - 1) / copies;
    return cycles == 0 ? 1 : cycles;
}

void unit_xmov(struct tx_machine *m, const struct tx_op *op)
{
    struct mover *v = &m->state.units.mover;
    const unsigned bank = cfg_bank(&m->state, m->places, op->thread);
    const uint32_t *words = &m->state.config[bank][m->places->mover];
    machine_note(m, EVIDENCE_E_MOVER);
    machine_uses_l1(m, L1_MOVER);
    order_words(m, op, false, m->places->mover, 3, 0xFFFFFFFFu);
    v->op = *op;
    v->source = words[0] * UNIT_BYTES;
    v->target = words[1] * UNIT_BYTES;
    v->bytes = (words[2] & 0xFFFFu) * UNIT_BYTES;
    v->direction = (uint8_t)(words[2] >> 30);
    v->until = m->state.cycle + duration(m->arch, v->direction, v->bytes) + delay_extra(m, op);
    v->live = 1;
}

/*
 * Writes a configuration word, given by its offset in the window that RISC-V cores see (tile.md
 * 3.2).
 */
static void write_window(struct tx_machine *m, uint32_t offset, uint32_t value)
{
    const uint32_t words = m->places->words;
    const uint32_t index = offset / 4;
    if (index < 2 * words) {
        cfg_write(m, index / words, index % words, value, CFG_BY_WORD);
    } else if (index < NUMBER_OF(m->arch, CONFIG_AREAS) * words) {
        cfg_write(m, 0, index - 2 * words, value, CFG_BY_WORD);
        cfg_write(m, 1, index - 2 * words, value, CFG_BY_WORD);
    } /* the thread configuration cannot be written here, and nothing is behind it */
}

static void tell_window(struct tx_machine *m, const struct tx_op *op, uint32_t offset)
{
    const uint32_t words = m->places->words;
    const uint32_t word = offset / 4 % words;
    for (unsigned bank = 0; op != NULL && bank < 2 && order_wanted(m); bank++) {
        if (offset / 4 >= 2 * words || offset / 4 / words == bank) {
            order_tell(m, TX_ORDER_WRITE, op, TX_SHARED_CONFIG,
                       word + (word >= m->places->global ? 0 : 256 * bank), 1, 0xFFFFFFFFu);
        }
    }
}

/* What the transfer writes to, unless L1. */
enum l0 { L0_NONE, L0_CONFIG, L0_IRAM };

static enum mover_end find_l0(const struct tx_machine *m, const struct mover *v,
                              const uint8_t *iram, enum l0 *l0)
{
    const uint32_t first = NUMBER_OF(m->arch, MOVER_IRAM);
    *l0 = L0_NONE;
    if (v->direction == MOVER_CLEAR_L1 || v->direction == MOVER_L1_TO_L1) {
        return MOVER_DONE;
    }
    if ((v->target & (WINDOW - 1)) + v->bytes > WINDOW) {
        return MOVER_PAST_END;
    }
    if (v->target < WINDOW) {
        *l0 = L0_CONFIG;
    } else if (iram != NULL && first != 0 && v->target >= first &&
               v->target - first + v->bytes <= RISCV_IRAM_BYTES) {
        *l0 = L0_IRAM;
    }
    return *l0 == L0_NONE ? MOVER_NOWHERE : MOVER_DONE;
}

/*
 * Reads a unit of L1. Without an op, unwritten bytes are no finding: firmware copies images whose
 * last 16 bytes are only partly theirs.
 */
static bool mover_take(struct tx_machine *m, const struct tx_op *op, uint32_t address,
                       uint8_t unit[UNIT_BYTES])
{
    CHECK(address % UNIT_BYTES == 0, "the mover takes units of sixteen bytes");
    const uint8_t *at = op == NULL ? l1_at(m, address, UNIT_BYTES) : NULL;
    if (at != NULL) {
        memcpy(unit, at, UNIT_BYTES);
    }
    return at != NULL || (op != NULL && l1_read(m, op, address, unit, UNIT_BYTES));
}

static bool mover_put(struct tx_machine *m, const struct tx_op *op, uint32_t address,
                      const uint8_t unit[UNIT_BYTES])
{
    CHECK(address % UNIT_BYTES == 0, "the mover puts units of sixteen bytes");
    uint8_t *at = op == NULL ? l1_at(m, address, UNIT_BYTES) : NULL;
    if (at != NULL) {
        memcpy(at, unit, UNIT_BYTES);
        l1_mark(m, address, UNIT_BYTES);
    }
    return at != NULL || (op != NULL && l1_write(m, op, address, unit, UNIT_BYTES));
}

enum mover_end mover_move(struct tx_machine *m, const struct tx_op *op, const struct mover *v,
                          uint8_t *iram)
{
    enum l0 l0;
    const enum mover_end found = find_l0(m, v, iram, &l0);
    if (found != MOVER_DONE) {
        return found;
    }
    machine_work(m, v->bytes / (4 * UNIT_BYTES));
    for (uint32_t done = 0; done < v->bytes; done += UNIT_BYTES) {
        uint8_t unit[UNIT_BYTES] = {0};
        const uint32_t to = v->target + done;
        if ((!clears(v->direction) && !mover_take(m, op, v->source + done, unit)) ||
            (l0 == L0_NONE && !mover_put(m, op, to, unit))) {
            return MOVER_NO_L1;
        }
        if (l0 == L0_IRAM) {
            memcpy(iram + (to - NUMBER_OF(m->arch, MOVER_IRAM)), unit, sizeof unit);
        }
        for (unsigned i = 0; l0 == L0_CONFIG && i < UNIT_BYTES; i += 4) {
            const uint32_t word = unit[i] | (uint32_t)unit[i + 1] << 8 |
                                  (uint32_t)unit[i + 2] << 16 | (uint32_t)unit[i + 3] << 24;
            write_window(m, to + i, word);
            tell_window(m, op, to + i);
        }
    }
    return MOVER_DONE;
}

/* Executes an XMOV's transfer. A machine without a tile has no instruction RAM. */
static void transfer(struct tx_machine *m, const struct mover *v)
{
    switch (mover_move(m, &v->op, v, NULL)) {
    case MOVER_PAST_END:
        machine_finding(m, TX_UNDEFINED_BEHAVIOR, ID(E_MOVER), &v->op, 0,
                        "the mover would write past the end of a region at %08x; nothing was "
                        "moved",
                        (unsigned)v->target);
        break;
    case MOVER_NOWHERE:
        machine_finding(m, TX_UNSUPPORTED, ID(E_MOVER), &v->op, 0,
                        "the mover writes to %08x, where there is no configuration; the bytes are "
                        "lost",
                        (unsigned)v->target);
        break;
    case MOVER_NO_L1: /* l1_read and l1_write have reported it */
    case MOVER_DONE:
        break;
    }
}

void mover_settle(struct tx_machine *m)
{
    struct mover *v = &m->state.units.mover;
    if (v->live != 0 && v->until <= m->state.cycle) {
        const struct mover of = *v;
        v->live = 0;
        m->moved = true;
        transfer(m, &of);
    }
}
