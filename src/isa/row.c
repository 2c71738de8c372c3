/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of formats.def and isa.def: the behaviours, and which one a word selects. */
#include "isa/row.h"
#include "base/check.h"

#include "base/bits.h"
#include "isa/tokens.h"

/* tensix/isa_names.h is generated from the same tables. */
#define FIELD(name, number) \
    _Static_assert((int)TX_FLD_##name == (number), #name ": run scripts/ckernel_ops.py");
#include "isa/fields.def"
#undef FIELD
#define OPERAND(name, bit, words) \
    _Static_assert((int)TX_OPERAND_##name == (bit), #name ": run scripts/ckernel_ops.py");
#include "isa/operands.def"
#undef OPERAND

/* ---- formats ---- */

enum format_id {
#define FORMAT(name, fields) FORMAT_##name,
#include "isa/formats.def"
#undef FORMAT
    FORMAT_TOTAL
};

/* No two fields of a format may overlap: the sum of their masks equals the union. */
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
const struct isa_layout isa_layouts[FORMAT_TOTAL][FLD_TOTAL] = {
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

/* The number of the lowest mode of a set, and from it enum tx_row_id. */
#define LOWEST(set) ((set) & -(set))
#define HAS(set, bits) ((LOWEST(set) & (bits)) != 0)
#define FIRST_MODE(set) \
    (HAS(set, 0xFF00) * 8 + HAS(set, 0xF0F0) * 4 + HAS(set, 0xCCCC) * 2 + HAS(set, 0xAAAA))
#define NUMBER(insn, set) (uint16_t)((unsigned)(insn) << 8 | (unsigned)FIRST_MODE((int)(set)))

#define ROW(id_, mnemonic_, chips, format_, modes_, legal_, unit_, latency_, body, guard_, \
            implied_, reads_, belief_, writes_, outside_, source_, summary_)               \
    [ROWID_##id_] = {                                                                      \
        .text = {.id = #id_,                                                               \
                 .mnemonic = #mnemonic_,                                                   \
                 .summary = summary_,                                                      \
                 .source = source_,                                                        \
                 .reads = reads_,                                                          \
                 .writes = writes_,                                                        \
                 .belief = (belief_) == SET_SAME ? (reads_) : (belief_),                   \
                 .number = NUMBER(TX_INSN_##mnemonic_, modes_),                            \
                 .insn = TX_INSN_##mnemonic_,                                              \
                 .modes = modes_,                                                          \
                 .legal = legal_,                                                          \
                 .archs = chips,                                                           \
                 .unit = TX_UNIT_##unit_,                                                  \
                 .latency = latency_,                                                      \
                 .implied = TX_IMPLIED_##implied_},                                        \
        .insn = INSN_##mnemonic_,                                                          \
        .guard = GUARD_##guard_,                                                           \
        .outside = TX_##outside_,                                                          \
        .format = FORMAT_##format_,                                                        \
    },
const struct isa_row isa_rows[ROWID_COUNT] = {
#include "isa/isa.def"
};
#undef ROW

/*
 * The last row of each mnemonic. Rows of one mnemonic are adjacent in isa.def (tests/isa checks
 * it), so that the others are found by walking back. Later initialisers are meant to replace
 * earlier ones.
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
    CHECK(arch != TX_ARCH_NONE, "a word is a word of some chip");
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

/* text is the first member of the whole row. */
static const struct isa_row *whole_row(const struct tx_row *row)
{
    return (const struct isa_row *)(const void *)row;
}

uint32_t isa_unused(const struct isa_row *row, uint32_t word)
{
    uint32_t read = format_masks[row->format];
    if (row->insn == INSN_SFPNOP && isa_field(row, FLD_VD, word) < 12) {
        read &= 0xFF000000u; /* its VD matters only as a template's number */
    }
    const uint32_t repeated = sign_masks[row->format];
    const uint32_t sign = (repeated >> 1) & ~repeated; /* the highest bit of the field */
    if ((word & (repeated | sign)) == (repeated | sign)) {
        read |= repeated;
    }
    return word & ~read;
}

uint32_t isa_ignored(enum tx_arch arch, uint32_t word)
{
    const enum isa_row_id id = isa_row_of(arch, word);
    const struct isa_row *row = isa_row(id);
    if (id == ROWID_NONE || row->format != FORMAT_RMWCIB) {
        return 0;
    }
    const struct isa_layout data = isa_layout(row, FLD_IMM);
    return (~isa_field(row, FLD_MASK, word) & bits_mask(data.width)) << data.lsb;
}

bool tx_row_has_field(const struct tx_row *row, enum tx_fld field)
{
    return isa_layout(whole_row(row), (enum isa_field)field).width != 0;
}

uint32_t tx_row_field(const struct tx_row *row, enum tx_fld field, uint32_t word)
{
    return isa_field(whole_row(row), (enum isa_field)field, word);
}

uint32_t tx_row_put(const struct tx_row *row, enum tx_fld field, uint32_t word, uint32_t value)
{
    const struct isa_layout place = isa_layout(whole_row(row), (enum isa_field)field);
    const uint32_t mask = ((UINT32_C(1) << place.width) - 1) << place.lsb;
    return (word & ~mask) | (value << place.lsb & mask);
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

static char upper(char c)
{
    return (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
}

const struct tx_row *tx_row_find(enum tx_arch arch, const char *id)
{
    const struct tx_row *row;
    for (size_t i = 0; (row = tx_row_at(arch, i)) != NULL; i++) {
        size_t k = 0;
        while (row->id[k] != '\0' && row->id[k] == upper(id[k])) {
            k++;
        }
        if (row->id[k] == '\0' && id[k] == '\0') {
            break;
        }
    }
    return row;
}
