/* SPDX-License-Identifier: Apache-2.0 */
/* What the tables say about one behaviour, in the form the emulator works with. */
#ifndef TX_ISA_ROW_H
#define TX_ISA_ROW_H

#include "isa/insn.h"

/* Fields of formats.def, with the numbers of enum tx_fld. */
enum isa_field {
#define FIELD(name, number) FLD_##name = number,
#include "isa/fields.def"
#undef FIELD
    FLD_TOTAL
};

enum isa_guard { GUARD_A, GUARD_A_ALL, GUARD_A_MOV, GUARD_B, GUARD_C, GUARD_C_ALL, GUARD_FREE };

/* Sets that are not one operand; those are TX_SET(name) of tensix/isa.h. */
#define SET_LREG(n) (UINT64_C(1) << (n))
#define SET_L0_3 UINT64_C(0x0F)
#define SET_L0_7 UINT64_C(0xFF)
/* In the column belief: what the reads are. No operand has this bit. */
#define SET_SAME (UINT64_C(1) << 26)

/* Row numbers, in the order of isa.def. */
enum isa_row_id {
    ROWID_NONE = 0,
#define ROW(id, ...) ROWID_##id,
#include "isa/isa.def"
#undef ROW
    ROWID_COUNT
};

struct isa_row {
    struct tx_row text;
    uint8_t insn;    /* enum insn_id */
    uint8_t guard;   /* enum isa_guard */
    uint8_t outside; /* enum tx_category of the modes beyond legal */
    uint8_t format;
};

struct isa_layout {
    uint8_t lsb, width;
};

/* Row of a word, ROWID_NONE where the chip has no such instruction or its unit is not modelled. */
enum isa_row_id isa_row_of(enum tx_arch arch, uint32_t word);
extern const struct isa_row isa_rows[];
static inline const struct isa_row *isa_row(enum isa_row_id id)
{
    return &isa_rows[id];
}
/* Set bits of a word of this row that the hardware does not read. */
uint32_t isa_unused(const struct isa_row *row, uint32_t word);
extern const struct isa_layout isa_layouts[][FLD_TOTAL]; /* by format */
/* Place of a field in a row's format; width 0: it has none. */
static inline struct isa_layout isa_layout(const struct isa_row *row, enum isa_field field)
{
    return isa_layouts[row->format][field];
}
static inline uint32_t isa_field(const struct isa_row *row, enum isa_field field, uint32_t word)
{
    const struct isa_layout place = isa_layout(row, field);
    return (word >> place.lsb) & ((place.width >= 32 ? 0u : 1u << place.width) - 1u);
}

#endif
