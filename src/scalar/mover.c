/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The mover: copies and clears, 16 bytes at a time, L1 to L1 or into the configuration. One
 * transfer at a time; its bytes appear when it ends. Source: isa Mover 29e53cf, whose rates were
 * measured on Wormhole and are taken for Blackhole; spec/tile.md 8.2, unpack.md 11.
 */
#include "scalar/unit.h"
#include "state/cfg.h"
#include "state/l1.h"

#include <string.h>

#define ID(name) evidence_get(EVIDENCE_##name)->id

enum direction { CLEAR_L1, L1_TO_L0, CLEAR_L0, L1_TO_L1 };
enum { UNIT_BYTES = 16, WINDOW = 0x10000 };

static bool clears(unsigned direction)
{
    return direction == CLEAR_L1 || direction == CLEAR_L0;
}

/* Eight reads and writes take 11 cycles, a clear of 16 bytes takes one. */
static uint64_t duration(unsigned direction, uint32_t bytes)
{
    const uint64_t units = bytes / UNIT_BYTES;
    const uint64_t cycles = clears(direction) ? units : (units * 11 + 7) / 8;
    return cycles == 0 ? 1 : cycles;
}

void unit_xmov(struct tx_machine *m, const struct tx_op *op)
{
    struct mover *v = &m->state.units.mover;
    const unsigned bank = cfg_bank(&m->state, m->places, op->thread);
    const uint32_t *words = &m->state.config[bank][m->places->mover];
    machine_note(m, EVIDENCE_E_MOVER);
    v->op = *op;
    v->source = words[0] * UNIT_BYTES;
    v->target = words[1] * UNIT_BYTES;
    v->bytes = (words[2] & 0xFFFFu) * UNIT_BYTES;
    v->direction = (uint8_t)(words[2] >> 30);
    v->until = m->state.cycle + duration(v->direction, v->bytes);
    v->live = 1;
}

/* A configuration word by its place in the window that RISC-V cores see (tile.md 3.2). */
static void write_window(struct tx_machine *m, uint32_t offset, uint32_t value)
{
    const uint32_t words = m->places->words;
    const uint32_t index = offset / 4;
    if (index < 2 * words) {
        cfg_write(m, index / words, index % words, value, CFG_BY_WORD);
    } else if (machine_is_bh(m) && index < 3 * words) {
        cfg_write(m, 0, index - 2 * words, value, CFG_BY_WORD);
        cfg_write(m, 1, index - 2 * words, value, CFG_BY_WORD);
    } /* thread configuration is read only here; behind it there is nothing */
}

static bool to_l0(struct tx_machine *m, const struct mover *v)
{
    if ((v->target & (WINDOW - 1)) + v->bytes > WINDOW) {
        machine_finding(m, TX_UNDEFINED_BEHAVIOR, ID(E_MOVER), &v->op, 0,
                        "the mover would write past the end of a region at %08x; nothing was "
                        "moved",
                        (unsigned)v->target);
        return false;
    }
    if (v->target >= WINDOW) {
        machine_finding(m, TX_UNSUPPORTED, ID(E_MOVER), &v->op, 0,
                        "the mover writes to %08x, where there is no configuration; the bytes are "
                        "lost",
                        (unsigned)v->target);
        return false;
    }
    return true;
}

static void move(struct tx_machine *m, const struct mover *v)
{
    const bool l0 = v->direction == L1_TO_L0 || v->direction == CLEAR_L0;
    bool good = !l0 || to_l0(m, v);
    for (uint32_t done = 0; good && done < v->bytes; done += UNIT_BYTES) {
        uint8_t unit[UNIT_BYTES] = {0};
        if (!clears(v->direction)) {
            good = l1_read(m, &v->op, v->source + done, unit, sizeof unit);
        }
        if (good && !l0) {
            good = l1_write(m, &v->op, v->target + done, unit, sizeof unit);
        }
        for (unsigned i = 0; good && l0 && i < UNIT_BYTES; i += 4) {
            const uint32_t word = unit[i] | (uint32_t)unit[i + 1] << 8 |
                                  (uint32_t)unit[i + 2] << 16 | (uint32_t)unit[i + 3] << 24;
            write_window(m, v->target + done + i, word);
        }
    }
}

void mover_settle(struct tx_machine *m)
{
    struct mover *v = &m->state.units.mover;
    if (v->live != 0 && v->until <= m->state.cycle) {
        const struct mover transfer = *v;
        v->live = 0;
        m->moved = true;
        move(m, &transfer);
    }
}
