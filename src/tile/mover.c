/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands of Wormhole's TDMA-RISC that its firmware uses: the mover, which alone fills NC's
 * instruction RAM (src/scalar/mover.c). It is done at once; its time is not modelled. Source:
 * spec/tile.md 8 from isa TDMA-RISC, Mover 3930471.
 */
#include "scalar/unit.h"
#include "state/l1.h"
#include "tile/tile.h"

enum { UNIT_BYTES = NUMBER_WH_MOVER_BYTES };
enum { OP_MOVER = 0x40, OP_WAIT_MOVER = 0x46, OP_NOP = 0x89 };

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

void tile_mover_command(struct tx_tensix *t, unsigned who, uint32_t word)
{
    const uint32_t *p = t->s.tdma; /* parameters 0 to 3 */
    const uint32_t base = t->s.mover_base[who < RISCV_NC ? who : RISCV_T0];
    const uint32_t op = word & 0xFFu;
    if (op == OP_NOP || op == OP_WAIT_MOVER) {
        return;
    }
    if (op != OP_MOVER) {
        finding(t, who, "command", word);
        return;
    }
    if (bits_get(word, 31, 1) != 0) {
        move(t, who, UNIT_BYTES * (base + bits_get(word, 16, 8)),
             UNIT_BYTES * (base + bits_get(word, 8, 8)), UNIT_BYTES * bits_get(word, 24, 6),
             bits_get(word, 30, 1) != 0 ? MOVER_L1_TO_L1 : MOVER_L1_TO_L0);
        return;
    }
    move(t, who, UNIT_BYTES * p[1], UNIT_BYTES * p[0], UNIT_BYTES * (p[2] & 0xFFFFu),
         (enum mover_direction)(p[3] & 3u));
}
