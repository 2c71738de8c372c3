/* SPDX-License-Identifier: Apache-2.0 */
/* The table's entry for one behaviour, in the form with which the emulator works. */
#ifndef TX_ISA_ROW_H
#define TX_ISA_ROW_H

#include "isa/insn.h"

/* The fields of formats.def, with the numbers of enum tx_fld. */
enum isa_field {
#define FIELD(name, number) FLD_##name = number,
#include "isa/fields.def"
#undef FIELD
    FLD_TOTAL
};

enum isa_guard { GUARD_A, GUARD_A_ALL, GUARD_A_MOV, GUARD_B, GUARD_C, GUARD_C_ALL, GUARD_FREE };

/* Sets of several operands; single ones are TX_SET(name) of tensix/isa.h. */
#define SET_LREG(n) (UINT64_C(1) << (n))
#define SET_L0_3 UINT64_C(0x0F)
#define SET_L0_7 UINT64_C(0xFF)
/* In column belief: the same as the reads. No operand has this bit. */
#define SET_SAME (UINT64_C(1) << 26)

/* Numbers of rows, in the order of isa.def. */
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
    uint8_t outside; /* enum tx_category of the modes outside legal */
    uint8_t format;
};

struct isa_layout {
    uint8_t lsb, width;
};

/*
 * Returns the row of a word; ROWID_NONE if the chip has no such instruction or its unit is not
 * modelled.
 */
enum isa_row_id isa_row_of(enum tx_arch arch, uint32_t word);
extern const struct isa_row isa_rows[];
static inline const struct isa_row *isa_row(enum isa_row_id id)
{
    return &isa_rows[id];
}
/* Returns the set bits of a word of this row that the hardware does not read. */
uint32_t isa_unused(const struct isa_row *row, uint32_t word);
/* Returns the bits of a word that cannot matter: data bits that its own mask leaves out (RMWCIB).
 */
uint32_t isa_ignored(enum tx_arch arch, uint32_t word);
extern const struct isa_layout isa_layouts[][FLD_TOTAL]; /* by format */
/* Returns the place of a field in a row's format; width 0 means that it has none. */
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
