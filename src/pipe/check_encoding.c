/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Integers in Dst are in two's complement or sign and magnitude, depending on the kernel's Dst
 * format, and nothing converts them unasked. These checks track which registers hold unmodified
 * inputs and in which encoding, up to an instruction that takes them for the other one.
 */
#include "pipe/check.h"

#include "pipe/exec.h"

#include "isa/tokens.h"

static enum dst_encoding other(enum dst_encoding encoding)
{
    return encoding == ENCODING_TWOS        ? ENCODING_MAGNITUDE
           : encoding == ENCODING_MAGNITUDE ? ENCODING_TWOS
                                            : ENCODING_UNKNOWN;
}

static void wrong(struct tx_machine *m, const struct tx_op *op, uint32_t lanes,
                  enum dst_encoding found)
{
    machine_finding(m, TX_NON_CONTRACTUAL_BEHAVIOR, evidence_get(EVIDENCE_E_INT)->id, op, lanes,
                    "%s takes for %s what the kernel was given in %s",
                    isa_row((enum isa_row_id)op->row)->text.mnemonic,
                    found == ENCODING_TWOS ? "sign and magnitude" : "two's complement",
                    found == ENCODING_TWOS ? "two's complement" : "sign and magnitude");
}

void check_loaded(struct tx_machine *m, const struct tx_op *op, unsigned mode, bool given)
{
    const enum dst_encoding stands = (enum dst_encoding)m->state.dst_encoding;
    enum dst_encoding encoding = ENCODING_UNKNOWN;
    if (given && mode == TX_MOD_SFPLOAD_FMT_INT32) {
        encoding = stands;
    } else if (given &&
               mode == TX_MOD_SFPLOAD_FMT_SM32) { /* it converts on Wormhole, in either direction */
        encoding = machine_has(m, SM32_AS_IT_IS) ? stands : other(stands);
    } else if (given && mode == TX_MOD_SFPLOAD_FMT_INT16) {
        encoding = ENCODING_MAGNITUDE;
        if (stands == ENCODING_TWOS) {
            wrong(m, op, 0xFFFFFFFFu, stands);
        }
    }
    m->state.lreg_encoding[op->vd] = (uint8_t)encoding;
}

void check_encoding_known(struct tx_machine *m, const struct tx_op *op, const struct effect *e,
                          uint32_t lanes)
{
    uint8_t *in = m->state.lreg_encoding;
    const enum dst_encoding c = (enum dst_encoding)in[op->vc];
    const struct isa_row *row = isa_row((enum isa_row_id)op->row);
    enum dst_encoding out = ENCODING_UNKNOWN;
    switch (row->insn) {
    case INSN_SFPLOAD:
    case INSN_SFPLOADMACRO:
        return; /* check_loaded does it */
    case INSN_SFPMOV:
        out = (op->mode & 7u) == TX_MOD_SFPMOV_COPY ? c : ENCODING_UNKNOWN;
        break;
    case INSN_SFPCAST:
        if ((op->mode & 3u) == TX_MOD_SFPCAST_INT32_SM32) { /* it converts in either direction */
            out = other(c);
        } else if ((op->mode & 3u) == TX_MOD_SFPCAST_INT32_ABS) {
            out = ENCODING_UNKNOWN;
        } else if (c == ENCODING_TWOS && lanes != 0) {
            wrong(m, op, lanes, c);
        }
        break;
    case INSN_SFPIADD:
        if (lanes != 0 && (c == ENCODING_MAGNITUDE || ((row->text.reads & TX_SET(VD)) != 0 &&
                                                       in[op->vd] == ENCODING_MAGNITUDE))) {
            wrong(m, op, lanes, ENCODING_MAGNITUDE);
        }
        break;
    case INSN_SFPSWAP:
        in[op->vc] = ENCODING_UNKNOWN;
        in[op->vd] = ENCODING_UNKNOWN;
        return;
    default:
        break;
    }
    for (uint32_t left = e->lregs; left != 0; left &= left - 1) {
        in[bits_lowest(left)] = (uint8_t)(bits_lowest(left) == op->vd ? out : ENCODING_UNKNOWN);
    }
}
