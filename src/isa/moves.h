/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of moves.def: which lane a lane's value comes from, as constants for shuffles, and by
 * row.
 */
#ifndef TX_ISA_MOVES_H
#define TX_ISA_MOVES_H

#include "isa/row.h"

/* Lanes: the 32 of a register are four rows of eight columns. */
#define MOVE_LANE_RIGHT(lane) (((lane)&24) | (((lane) + 7) & 7))
#define MOVE_LANE_UP(lane) ((lane) + 8) /* 32 and above mean zero */
#define MOVE_LANE_TURNED(to, lane) (8 * ((to)&3) + ((lane)&7))
#define MOVE_ROW(lane) ((lane) >> 3)
#define MOVE_COLUMN(lane) ((lane)&7)

enum move_source { MOVE_LREG, MOVE_VC, MOVE_ZERO };
enum move_lanes { MOVE_SAME, MOVE_RIGHT, MOVE_UP, MOVE_TURNED };
enum move_column0 { MOVE_COLUMN0_KEPT, MOVE_COLUMN0_ZERO, MOVE_COLUMN0_LATCH };
enum { MOVE_TO_VD = 31 };

struct isa_move {
    uint16_t row;    /* enum isa_row_id */
    uint8_t to;      /* register, or MOVE_TO_VD */
    uint8_t source;  /* enum move_source */
    uint8_t reg;     /* of MOVE_LREG */
    uint8_t lanes;   /* enum move_lanes */
    uint8_t column0; /* enum move_column0 */
};

/* Returns the moves of a row; *count is 0 if it moves nothing. */
const struct isa_move *isa_moves(enum isa_row_id row, unsigned *count);

#endif
