/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding of a word into instruction, behaviour and operands, and encoding. */
#include "base/sized.h"
#include "isa/op.h"

#include <string.h>

static enum tx_status decode(enum tx_arch arch, uint32_t word, struct tx_decoded *out)
{
    memset(out, 0, sizeof *out);
    out->insn = tx_insn_of(arch, word);
    if (out->insn == NULL) {
        out->unused = word;
        return TX_ENOENT;
    }
    out->other = insn_fields_extract(out->insn, word, out->fields);
    const enum isa_row_id id = isa_row_of(arch, word);
    if (id == ROWID_NONE) {
        out->unused = word & ~(0xFF000000u | insn_field_mask(out->insn));
        out->canonical = out->unused == 0;
        return TX_OK;
    }
    const struct isa_row *row = isa_row(id);
    out->row = &row->text;
    out->mode = (uint8_t)isa_field(row, FLD_MOD, word);
    out->unused = isa_unused(row, word);
    out->canonical = out->unused == 0 && ((row->text.legal >> out->mode) & 1u) != 0;
    return TX_OK;
}

enum tx_status tx_decode_sized(enum tx_arch arch, uint32_t word, struct tx_decoded *out,
                               size_t size)
{
    struct tx_decoded own;
    const enum tx_status status = decode(arch, word, &own);
    sized_give(out, size, &own, sizeof own);
    return status;
}

enum tx_status tx_encode_sized(const struct tx_decoded *given, size_t size, uint32_t *word)
{
    struct tx_decoded own;
    const struct tx_decoded *in = &own;
    uint32_t w;
    if (!sized_take(&own, sizeof own, given, size, sizeof own)) {
        return TX_EINVAL;
    }
    if (in->insn == NULL) {
        return TX_ENOENT;
    }
    const enum tx_status status = insn_fields_encode(in->insn, in->fields, &w);
    if (status != TX_OK || (in->other & (0xFF000000u | insn_field_mask(in->insn))) != 0) {
        return TX_EINVAL;
    }
    *word = w | in->other;
    return TX_OK;
}

/* Decodes the operands; immediates keep their raw value. */
void op_decode_row(enum isa_row_id id, uint32_t word, struct tx_op *op)
{
    const struct isa_row *row = isa_row(id);
    memset(op, 0, sizeof *op);
    op->word = word;
    op->row = (uint16_t)id;
    op->unit = row->text.unit;
    op->va = (uint8_t)isa_field(row, FLD_VA, word);
    op->vb = (uint8_t)isa_field(row, FLD_VB, word);
    op->vc = (uint8_t)isa_field(row, FLD_VC, word);
    op->vd = (uint8_t)isa_field(row, FLD_VD, word);
    op->mode = (uint8_t)isa_field(row, FLD_MOD, word);
    op->rnd = (uint8_t)isa_field(row, FLD_RND, word);
    op->amod = (uint8_t)isa_field(row, FLD_AMOD, word);
    op->mirror = (uint8_t)isa_field(row, FLD_MIRROR, word);
    op->imm = isa_field(row, FLD_IMM, word);
    op->clean = (row->text.legal >> op->mode & 1u) != 0 && isa_unused(row, word) == 0;
    if (row->insn == INSN_SFPLOADMACRO) {
        op->vd = (uint8_t)(op->vd | (word & 1u) << 2);
    }
    switch ((enum tx_implied)row->text.implied) {
    case TX_IMPLIED_NOTHING:
        break;
    case TX_IMPLIED_VB_VD:
        op->vb = op->vd;
        break;
    case TX_IMPLIED_VC_VD:
        op->vc = op->vd;
        break;
    case TX_IMPLIED_VB_IMM:
        op->vb = (uint8_t)(op->imm & 15u);
        break;
    }
}
