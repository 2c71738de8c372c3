/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The commands of Wormhole's TDMA-RISC that firmware uses: writes to L1 and the mover
 * (src/scalar/mover.c), which alone can fill NC's instruction RAM. They are done at once; their
 * time is not modelled. Source: spec/tile.md 8 from isa TDMA-RISC, Mover 3930471.
 */
#include "scalar/unit.h"
#include "state/l1.h"
#include "tile/tile.h"

enum { UNIT_BYTES = NUMBER_WH_MOVER_BYTES };

static void finding(struct tx_tensix *t, unsigned who, const char *text, uint32_t value)
{
    tile_finding(t, who, TX_UNSUPPORTED, EVIDENCE_TILE_PART, "mover: %s (%08x); nothing was done",
                 text, (unsigned)value);
}

static void move(struct tx_tensix *t, unsigned who, uint32_t to, uint32_t from, uint32_t count,
                 enum mover_direction direction)
{
    const struct mover v = {
        .source = from, .target = to, .bytes = count, .direction = (uint8_t)direction};
    const bool reads = direction == MOVER_L1_TO_L0 || direction == MOVER_L1_TO_L1;
    const bool to_l1 = direction == MOVER_CLEAR_L1 || direction == MOVER_L1_TO_L1;
    if (count == 0) {
        return;
    }
    if ((reads && l1_at(t->m, from, count) == NULL) || (to_l1 && l1_at(t->m, to, count) == NULL) ||
        mover_move(t->m, NULL, &v, t->s.iram) != MOVER_DONE) {
        finding(t, who, "neither L1, configuration nor NC's instruction RAM", to);
    } else if (!to_l1) {
        riscv_drop_cache(&t->core[RISCV_NC]);
    }
}

/* Writes 32 or 64 bits to L1. */
static void write(struct tx_tensix *t, unsigned who, uint32_t word)
{
    const uint32_t *p = t->s.tdma;
    const unsigned size = TDMA_GET(word, WIDE) != 0 ? 8 : 4;
    uint8_t bytes[8];
    for (unsigned i = 0; i < size; i++) {
        bytes[i] = (uint8_t)(p[2 + i / 4] >> 8 * (i % 4));
    }
    if (TDMA_GET(word, FORM) != TDMA_WRITE_FORM || TDMA_GET(word, IMMEDIATE) != 0 ||
        tx_l1_write(t->m, p[0], bytes, size) != TX_OK) {
        finding(t, who, "a write to L1 of another form, or beyond it", word);
    }
}

void tile_mover_command(struct tx_tensix *t, unsigned who, uint32_t word)
{
    const uint32_t *p = t->s.tdma; /* parameters 0 to 3 of the command */
    const uint32_t base = t->s.mover_base[who < RISCV_NC ? who : RISCV_T0];
    const uint32_t op = TDMA_GET(word, OPCODE);
    if (op == TDMA_NOP || op == TDMA_WAIT_MOVER) {
        return;
    }
    if (op == TDMA_WRITE) {
        write(t, who, word);
        return;
    }
    if (op != TDMA_MOVER) {
        finding(t, who, "command", word);
        return;
    }
    if (TDMA_GET(word, IMMEDIATE) != 0) {
        move(t, who, UNIT_BYTES * (base + TDMA_GET(word, TARGET)),
             UNIT_BYTES * (base + TDMA_GET(word, SOURCE)), UNIT_BYTES * TDMA_GET(word, COUNT),
             TDMA_GET(word, TO_L1) != 0 ? MOVER_L1_TO_L1 : MOVER_L1_TO_L0);
        return;
    }
    move(t, who, UNIT_BYTES * p[1], UNIT_BYTES * p[0], UNIT_BYTES * (p[2] & TDMA_COUNT_MASK),
         (enum mover_direction)(p[3] & TDMA_DIRECTION_MASK));
}
