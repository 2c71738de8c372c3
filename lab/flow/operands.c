/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/operands.h"

/* The lane to the left in its row of eight, around the end. */
static uint8_t left_of(unsigned lane)
{
    return (uint8_t)((lane & ~7U) | ((lane - 1U) & 7U));
}

bool flow_moves(const struct tx_row *row, const struct tx_operands *operands, unsigned reg,
                unsigned lane, struct flow_move *from)
{
    const struct flow_move next = {(uint8_t)(reg + 1), (uint8_t)lane};
    const struct flow_move left = {operands->vc, left_of(lane)};
    if (row->insn == TX_INSN_SFPTRANSP) {
        /* Registers and rows change places, in L0..L3 and in L4..L7. */
        *from = (struct flow_move){(uint8_t)((reg & 4U) | lane / 8),
                                   (uint8_t)(8 * (reg & 3U) + (lane & 7U))};
        return true;
    }
    switch ((enum tx_row_id)row->number) {
    case TX_ROW_SFPSHFT2_COPY4: /* L3 becomes zero */
        *from = reg < 3 ? next : (struct flow_move){0, TX_LANES};
        return true;
    case TX_ROW_SFPSHFT2_CHAINED_COPY4: /* L3 is L0, moved up by a row */
        *from = reg < 3 ? next : (struct flow_move){0, (uint8_t)(lane + 8)};
        return true;
    case TX_ROW_SFPSHFT2_SHFLROR1_COPY4:
        *from = reg < 3 ? next : left;
        return true;
    case TX_ROW_SFPSHFT2_SHFLROR1:
        *from = left;
        return true;
    case TX_ROW_SFPSHFT2_SHFLSHR1: /* at the start of a row zero, or what Wormhole had left */
        *from = lane % 8 != 0 ? left : (struct flow_move){0, TX_LANES};
        return true;
    default:
        return false;
    }
}
