/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions, and parts of some, that the host executes because their unit is not modelled. */
#include "scalar/unit.h"

#include <string.h>

bool unit_is_port(const struct tx_machine *m, const struct tx_op *op)
{
    (void)m;
    return op->row == ROWID_NONE;
}

/*
 * Converts GPRs to Src data. The low half has sign, mantissa, exponent as in Dst, the high half
 * sign, exponent, mantissa.
 */
static void src_data(const uint32_t *gpr, uint32_t out[4])
{
    for (unsigned i = 0; i < 2; i++) {
        const uint32_t x = gpr[i];
        out[2 * i] = (x & 0x8000u) << 3 | (x & 0x7F00u) << 3 | (x & 0xFFu);
        out[2 * i + 1] = (x >> 31) << 18 | (x >> 16 & 0x7Fu) << 11 | (x >> 23 & 0xFFu);
    }
}

static void port_fill(const struct tx_machine *m, const struct tx_op *op, struct tx_port *port)
{
    const uint32_t *gpr = m->state.gpr[op->thread];
    struct tx_decoded decoded;
    memset(port, 0, sizeof *port);
    (void)tx_decode(m->arch, op->word, &decoded);
    port->size = sizeof *port;
    port->word = op->word;
    port->thread = op->thread;
    port->unit = op->unit;
    port->cycle = m->state.cycle;
    port->number = op->number;
    port->insn = decoded.insn;
    memcpy(port->fields, decoded.fields, sizeof port->fields);
    if (op->row == ROWID_STOREIND_SRC) {
        const uint32_t half = unit_field(op, FLD_OFFSET);
        const uint32_t offset = bits_get(gpr[half >> 1], (half & 1u) * 16, 16);
        src_data(&gpr[unit_field(op, FLD_DATA) & 0x3Cu], port->values);
        port->address = (gpr[unit_field(op, FLD_ADDR)] + (offset >> 4)) & 0xFFFFFu;
    } else if (op->row == ROWID_NONE && tx_insn_fpu_writes(decoded.insn)) {
        port->dst_rows = TX_DST_ROWS;
    }
}

/*
 * Keeps which rows of Dst the host has written for the Matrix Unit, to check the loads that follow
 * (E-FPU).
 */
static void note_dst(struct tx_machine *m, const struct tx_port *port)
{
    if (port->dst_rows != 0 && port->dst_first < TX_DST_ROWS) {
        const unsigned rest = TX_DST_ROWS - port->dst_first;
        const unsigned rows = port->dst_rows < rest ? port->dst_rows : rest;
        m->wrote = (struct fpu_write){
            .first = port->dst_first, .rows = (uint16_t)rows, .left = 3, .thread = port->thread};
    }
}

enum tx_port_answer unit_offer(struct tx_machine *m, const struct tx_op *op)
{
    struct tx_port port;
    enum tx_port_answer answer = TX_PORT_REFUSE;
    port_fill(m, op, &port);
    if (m->host.port != NULL) {
        answer = m->host.port(m->host.user, &port);
    }
    if (answer == TX_PORT_TAKEN) {
        memcpy(m->offered[op->thread], port.values, sizeof port.values);
        note_dst(m, &port);
    } else if (answer != TX_PORT_BUSY) {
        const char *reason = tx_insn_undocumented(port.insn);
        machine_stop(m, TX_UNSUPPORTED, evidence_get(EVIDENCE_E_UNIT)->id, op, "%s: %s",
                     port.insn->macro,
                     reason != NULL ? reason : "it reaches a unit that is not modelled");
    }
    return answer;
}
