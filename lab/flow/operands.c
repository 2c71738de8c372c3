/* SPDX-License-Identifier: Apache-2.0 */
/* Where the instructions that move values between lanes or registers take them from. */
#include "flow/operands.h"

bool flow_moves(const struct tx_row *row, const struct tx_operands *operands, unsigned reg,
                unsigned lane, struct flow_move *from)
{
    const struct tx_move move = tx_row_move(row, reg, lane);
    *from = (struct flow_move){0, TX_LANES};
    switch ((enum tx_move_source)move.source) {
    case TX_MOVE_NONE:
        return false;
    case TX_MOVE_LREG:
        *from = (struct flow_move){move.reg, move.lane};
        break;
    case TX_MOVE_VC:
        *from = (struct flow_move){operands->vc, move.lane};
        break;
    case TX_MOVE_ZERO:
    case TX_MOVE_LATCH: /* the value is of no register */
        break;
    }
    return true;
}
