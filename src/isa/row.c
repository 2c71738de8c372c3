/* SPDX-License-Identifier: Apache-2.0 */
/* Expands formats.def and isa.def: the behaviours, and which one a word selects. */
#include "isa/row.h"

#include "base/bits.h"
#include "isa/tokens.h"

/* ---- formats ---- */

enum format_id {
#define FORMAT(name, fields) FORMAT_##name,
#include "isa/formats.def"
#undef FORMAT
    FORMAT_TOTAL
};

/* No two fields of a format overlap: the sum of their masks equals the union. */
#define PLACE(lsb, width) (((UINT64_C(1) << (width)) - 1) << (lsb))
#define F(field, lsb, width) +PLACE(lsb, width)
#define SIGN(lsb, width) +PLACE(lsb, width)
#define FORMAT(name, fields) enum { SUM_##name = (uint32_t)((0 fields) & 0xFFFFFF) };
#include "isa/formats.def"
#undef FORMAT
#undef F
#undef SIGN
#define F(field, lsb, width) | PLACE(lsb, width)
#define SIGN(lsb, width) | PLACE(lsb, width)
#define FORMAT(name, fields)                                                           \
    _Static_assert(SUM_##name == ((0 fields) & 0xFFFFFF), "fields overlap in " #name); \
    _Static_assert((0 fields) < (UINT64_C(1) << 24), "a field reaches the opcode in " #name);
#include "isa/formats.def"
#undef FORMAT
#undef F
#undef SIGN

#define SIGN(lsb, width)
#define F(field, lsb, width) [FLD_##field] = {lsb, width},
#define FORMAT(name, fields) [FORMAT_##name] = {fields},
static const struct isa_layout layouts[FORMAT_TOTAL][FLD_TOTAL] = {
#include "isa/formats.def"
};
#undef FORMAT
#undef F

#define F(field, lsb, width) | PLACE(lsb, width)
#define FORMAT(name, fields) [FORMAT_##name] = (uint32_t)(0xFF000000u fields),
static const uint32_t format_masks[FORMAT_TOTAL] = {
#include "isa/formats.def"
};
#undef FORMAT
#undef F
#undef SIGN

/* Bits that only repeat the sign of the field below them. */
#define F(field, lsb, width)
#define SIGN(lsb, width) PLACE(lsb, width) |
#define FORMAT(name, fields) [FORMAT_##name] = (uint32_t)(fields 0),
static const uint32_t sign_masks[FORMAT_TOTAL] = {
#include "isa/formats.def"
};
#undef FORMAT
#undef F
#undef SIGN

/* ---- rows ---- */

#define ROW(id_, mnemonic_, chips, format_, modes_, legal_, unit_, latency_, body, guard_, \
            implied_, reads_, belief_, writes_, outside_, source_, summary_)               \
    [ROWID_##id_] = {                                                                      \
        .text = {.id = #id_,                                                               \
                 .mnemonic = #mnemonic_,                                                   \
                 .summary = summary_,                                                      \
                 .modes = modes_,                                                          \
                 .legal = legal_,                                                          \
                 .archs = chips,                                                           \
                 .unit = TX_UNIT_##unit_,                                                  \
                 .latency = latency_,                                                      \
                 .reads = #reads_,                                                         \
                 .writes = #writes_,                                                       \
                 .belief = (belief_) == SET_SAME ? NULL : #belief_,                        \
                 .source = source_},                                                       \
        .insn = INSN_##mnemonic_,                                                          \
        .guard = GUARD_##guard_,                                                           \
        .implied = IMPLIED_##implied_,                                                     \
        .outside = TX_##outside_,                                                          \
        .format = FORMAT_##format_,                                                        \
        .reads = reads_,                                                                   \
        .belief = (belief_) == SET_SAME ? (reads_) : (belief_),                            \
        .writes = writes_,                                                                 \
    },
const struct isa_row isa_rows[ROWID_COUNT] = {
#include "isa/isa.def"
};
#undef ROW

/*
 * Last row of each mnemonic. Rows of one mnemonic stand together in isa.def (tests/isa checks it),
 * so the others are found by walking back. Later initialisers replacing earlier ones is the point
 * here.
 */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Winitializer-overrides"
#elif defined(__GNUC__)
#pragma GCC diagnostic ignored "-Woverride-init"
#endif
#define ROW(id_, mnemonic_, ...) [INSN_##mnemonic_] = ROWID_##id_,
static const uint16_t last_row[INSN_COUNT] = {
#include "isa/isa.def"
};
#undef ROW

enum isa_row_id isa_row_of(enum tx_arch arch, uint32_t word)
{
    const enum insn_id insn = insn_id_of(arch, word);
    for (unsigned i = last_row[insn]; i != ROWID_NONE && isa_rows[i].insn == insn; i--) {
        const unsigned mode = (unsigned)isa_field(&isa_rows[i], FLD_MOD, word);
        if (bits_has(isa_rows[i].text.archs, arch) &&
            ((isa_rows[i].text.modes >> mode) & 1u) != 0) {
            return (enum isa_row_id)i;
        }
    }
    return ROWID_NONE;
}

struct isa_layout isa_layout(const struct isa_row *row, enum isa_field field)
{
    return layouts[row->format][field];
}

uint32_t isa_unused(const struct isa_row *row, uint32_t word)
{
    uint32_t read = format_masks[row->format];
    if (row->insn == INSN_SFPNOP && isa_field(row, FLD_VD, word) < 12) {
        read &= 0xFF000000u; /* its VD only matters as a template number */
    }
    const uint32_t repeated = sign_masks[row->format];
    const uint32_t sign = (repeated >> 1) & ~repeated; /* the highest bit of the field */
    if ((word & (repeated | sign)) == (repeated | sign)) {
        read |= repeated;
    }
    return word & ~read;
}

const struct tx_row *tx_row_at(enum tx_arch arch, size_t index)
{
    for (unsigned i = 1; i < ROWID_COUNT; i++) {
        if (bits_has(isa_rows[i].text.archs, arch) && index-- == 0) {
            return &isa_rows[i].text;
        }
    }
    return NULL;
}
