/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bits of SOFT_RESET_0 that belong to the units of the coprocessor: what a unit loses when its
 * bit rises and when it falls. A unit held in reset still executes work here as if it were not
 * held, and a finding says so. Source: isa SoftReset 585749d (Blackhole; assumed for both chips).
 */
#include "state/banks.h"
#include "base/check.h"
#include "state/cfg.h"
#include "tile/tile.h"

#include <string.h>

enum {
    UNPACK_BITS = 1 << 0 | 1 << 1 | 1 << 7, /* the unpackers are reset only by all three together */
    PACK_FIRST = 2,
    MOVER_BIT = 6,
    TDMA_BIT = 8,
    SCALAR_BIT = 9,
    MATH_BIT = 10, /* Matrix Unit, Vector Unit and the data of SrcA */
    SRCA_BIT = 15,
    SRCB_BIT = 16,
    PACK_DST_BIT = 17,
    SRCA_COLUMNS = 19, /* four bits, each of four columns */
    COLUMNS = 4
};

static bool has(uint32_t bits, unsigned bit)
{
    return (bits >> bit & 1u) != 0;
}

static void drop_unpacks(struct unpack *u)
{
    for (unsigned i = 0; i < UNPACKERS; i++) {
        struct unpacker *unit = &u->unit[i];
        memset(unit->job, 0, sizeof unit->job);
        unit->head = unit->count = unit->running = unit->tail = 0;
        unit->left = 0;
    }
    u->enters = u->jobs = 0;
}

/* Drops a packer's work. Its histogram belongs to bit 17 and stays. */
static void drop_packs(struct packer *p)
{
    memset(p->stream, 0, sizeof p->stream);
    memset(p->acc_size, 0, sizeof p->acc_size);
    memset(p->end, 0, sizeof p->end);
    memset(p->until, 0, sizeof p->until);
    p->group_count = p->fifo_count = 0;
    p->last_size = 0;
}

static void reset_scalar(struct tx_machine *m)
{
    struct units *u = &m->state.units;
    for (unsigned word = m->places->thcon; word < m->places->global; word++) {
        cfg_write(m, 0, word, 0, CFG_BY_BYTE);
        cfg_write(m, 1, word, 0, CFG_BY_BYTE);
    }
    u->scalar.live = 0;
    u->requests = 0;
    memset(u->request, 0, sizeof u->request);
}

static void src_columns(struct tx_machine *m, unsigned src, unsigned first, unsigned count)
{
    CHECK(src < 2, "columns that are cleared are SrcA's or SrcB's");
    for (unsigned bank = 0; bank < SRC_BANKS; bank++) {
        for (unsigned row = 0; row < TX_SRC_ROWS; row++) {
            memset(&m->state.src[src][bank][row][first], 0, count * sizeof(uint32_t));
            known_columns_given(&m->state.src_known[src][bank], row, bits_mask(count) << first);
        }
    }
}

static void src_to_unpackers(struct tx_machine *m, unsigned src)
{
    CHECK(src < 2, "a bank goes back from SrcA or SrcB");
    struct units *u = &m->state.units;
    u->matrix_bank[src] = u->unpack_bank[src] = 0;
    u->bank_owner[src][0] = u->bank_owner[src][1] = 0;
    bank_forget(u);
}

/* Resets the units whose bits have risen. */
static void enter(struct tx_tensix *t, uint32_t up)
{
    CHECK((up & ~TILE_RESET_UNITS) == 0, "units that enter reset are not cores");
    struct tx_machine *m = t->m;
    struct units *u = &m->state.units;
    const unsigned packers = machine_number(m, PACKERS);
    for (unsigned i = 0; i < packers; i++) {
        if (has(up, PACK_FIRST + i)) {
            drop_packs(&u->pack.unit[i]);
        }
        if (has(up, PACK_DST_BIT)) {
            memset(u->pack.unit[i].histogram, 0, sizeof u->pack.unit[i].histogram);
            u->pack.unit[i].max_exponent = 0;
        }
    }
    if (has(up, MOVER_BIT)) {
        memset(&u->mover, 0, sizeof u->mover);
    }
    if (has(up, TDMA_BIT)) {
        memset(t->s.tdma, 0, TILE_TDMA_COMMAND); /* the command parameters */
    }
    if (has(up, SCALAR_BIT)) {
        reset_scalar(m);
    }
    if (has(up, MATH_BIT)) {
        state_drop_vector(&m->state);
        src_columns(m, 0, 0, 16);
    }
    for (unsigned i = 0; i < COLUMNS; i++) {
        if (has(up, SRCA_COLUMNS + i)) {
            src_columns(m, 0, COLUMNS * i, COLUMNS);
        }
    }
    if (has(up, SRCA_BIT)) {
        src_to_unpackers(m, 0);
    }
    if (has(up, SRCB_BIT)) {
        src_to_unpackers(m, 1);
        src_columns(m, 1, 0, 16);
    }
    if (has(up, PACK_DST_BIT)) { /* rows that ZEROACC has made undefined show their data again */
        memset(m->state.dst_valid, 0xFF, sizeof m->state.dst_valid);
    }
}

/* Releases the units whose bits have fallen. */
static void leave(struct tx_tensix *t, uint32_t down)
{
    CHECK((down & ~TILE_RESET_UNITS) == 0, "units that leave reset are not cores");
    struct tx_machine *m = t->m;
    for (unsigned i = 0; i < PACKERS; i++) {
        if (has(down, PACK_FIRST + i)) {
            m->state.units.pack.unit[i].address_offset = 0;
        }
    }
    if (has(down, MATH_BIT)) {
        state_reset_vector(&m->state, machine_rule(m, RULE_RESET_FLAGS));
    }
}

void tile_reset_units(struct tx_tensix *t, uint32_t old, uint32_t value)
{
    const uint32_t changed = (old ^ value) & TILE_RESET_UNITS;
    if (changed == 0) {
        return;
    }
    machine_changed(t->m, CHANGE_HOST, 0);
    if ((value & UNPACK_BITS) == UNPACK_BITS && (old & UNPACK_BITS) != UNPACK_BITS) {
        drop_unpacks(&t->m->state.units.unpack);
    } else if ((value & UNPACK_BITS) != UNPACK_BITS && (value & ~old & UNPACK_BITS) != 0) {
        tile_finding(t, TILE_OUTSIDE, TX_UNSUPPORTED, EVIDENCE_TILE_UNITS,
                     "SOFT_RESET_0 is %06x: the unpackers are reset by bits 0, 1 and 7 together; "
                     "they are not",
                     (unsigned)value);
    }
    enter(t, changed & value);
    leave(t, changed & old);
    t->m->quiet = 0;
}

void tile_units_held(struct tx_tensix *t)
{
    const uint32_t held = t->s.debug[TILE_SOFT_RESET_0 / 4] & TILE_RESET_UNITS;
    if (!tx_idle(t->m)) {
        tile_finding(t, TILE_OUTSIDE, TX_UNSUPPORTED, EVIDENCE_TILE_UNITS,
                     "the coprocessor has work while units are held by SOFT_RESET_0 (%06x); it "
                     "goes on as if they were not",
                     (unsigned)held);
    }
}
