/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The instruction encodings of isa/mnemonics.def as tables: names, fields and operands, with
 * encoding and decoding of words.
 */
#include "isa/insn.h"

#include "isa/chip.h"

#include <stdio.h>
#include <string.h>

/* ---- compile-time checks of the table: nothing overlaps, nothing is left out ---- */

#define BITS(lsb, width) ((int)(((1u << (width)) - 1u) << (lsb)))
#define LIST(...) __VA_ARGS__
#define KEY(prefix, id, chips) prefix##_##id##_##chips

#define F(name, lsb, width, kind) +BITS(lsb, width)
#define R(name, lsb, limit) +BITS(lsb, 4)
#define U(name, lsb, width) +BITS(lsb, width)
#define S(name, lsb, width) +BITS(lsb, width)
#define H(name, lsb) +BITS(lsb, 12)
#define V(name, lsb) +BITS(lsb, 2) + 1
#define M(name, lsb, none, imm, sign) +BITS(lsb, 4)
#define FORM_SHARED(id, chips, fixed, value, fields, print, shared) \
    KEY(FIELD_SUM, id, chips) = 0 LIST fields, KEY(PRINT_SUM, id, chips) = 0 LIST print,
enum {
#include "isa/mnemonics.def"
};

#define F(name, lsb, width, kind) | BITS(lsb, width)
#define R(name, lsb, limit) | BITS(lsb, 4)
#define U(name, lsb, width) | BITS(lsb, width)
#define S(name, lsb, width) | BITS(lsb, width)
#define H(name, lsb) | BITS(lsb, 12)
#define V(name, lsb) | BITS(lsb, 2) | 1
#define M(name, lsb, none, imm, sign) | BITS(lsb, 4)
#define FORM_SHARED(id, chips, fixed, value, fields, print, shared) \
    KEY(FIELD_OR, id, chips) = 0 LIST fields, KEY(PRINT_OR, id, chips) = 0 LIST print,
enum {
#include "isa/mnemonics.def"
};

#define SAME(a, b) ((int)(a) == (int)(b))
#define FORM_SHARED(id, chips, fixed, value, fields, print, shared)                             \
    _Static_assert(SAME(KEY(FIELD_SUM, id, chips), KEY(FIELD_OR, id, chips)),                   \
                   #id ": fields overlap");                                                     \
    _Static_assert(SAME(KEY(PRINT_SUM, id, chips), KEY(PRINT_OR, id, chips) + (shared)),        \
                   #id ": printed operands overlap elsewhere than stated");                     \
    _Static_assert((KEY(PRINT_OR, id, chips) & (fixed)) == 0, #id ": a printed bit is fixed");  \
    _Static_assert((KEY(PRINT_OR, id, chips) | (fixed)) == 0xffffff, #id ": a bit is missing"); \
    _Static_assert(((value) & ~(fixed)) == 0, #id ": value outside the fixed bits");
#include "isa/mnemonics.def"

/* ---- the tables ---- */

#define MNEMONIC(id, text, mac, op, sub)  \
    static const char NAME_##id[] = text; \
    static const char MACRO_##id[] = mac; \
    enum { OPCODE_##id = op, UNIT_##id = TX_UNIT_##sub };
#include "isa/mnemonics.def"

#define MNEMONIC(id, text, mac, op, sub) \
    _Static_assert((int)TX_INSN_##id == (op), #id ": run scripts/ckernel_ops.py");
#include "isa/mnemonics.def"

enum {
#define FORM_SHARED(id, chips, fixed, value, fields, print, shared) KEY(ROW, id, chips),
#include "isa/mnemonics.def"
    ROW_COUNT
};
_Static_assert(ROW_COUNT < 255, "by_opcode holds row + 1 in a byte");

#define F(name, lsb, width, kind) +1
#define R(name, lsb, limit) +1
#define U(name, lsb, width) +1
#define S(name, lsb, width) +1
#define H(name, lsb) +1
#define V(name, lsb) +1
#define M(name, lsb, none, imm, sign) +1
#define FORM_SHARED(id, chips, fixed, value, fields, print, shared) \
    KEY(FIELD_COUNT, id, chips) = 0 LIST fields, KEY(PRINT_COUNT, id, chips) = 0 LIST print,
enum {
#include "isa/mnemonics.def"
};

/*
 * The same macros fill struct tx_field and struct insn_operand, whose members have the same names.
 */
#define ENTRY(text, low, bits, what) .name = #text, .lsb = low, .width = bits, .kind = what
#define F(text, low, bits, what) {ENTRY(text, low, bits, TX_FIELD_##what)},
#define R(text, low, below) {ENTRY(text, low, 4, TX_FIELD_LREG), .limit = below},
#define U(text, low, bits) {ENTRY(text, low, bits, TX_FIELD_UIMM)},
#define S(text, low, bits) {ENTRY(text, low, bits, TX_FIELD_SIMM)},
#define H(text, low) {ENTRY(text, low, 12, TX_FIELD_HEX12)},
#define V(text, low) {ENTRY(text, low, 3, TX_FIELD_VD3), .limit = 8},
#define M(text, low, none, imm, how)                                        \
    {ENTRY(text, low, 4, TX_FIELD_MOD), .mode_none = none, .mode_imm = imm, \
     .sign = INSN_SIGN_##how},
#define FORM_SHARED(key, chips, fix, fixval, field_list, print, shared)            \
    [KEY(ROW, key, chips)] = {.pub = {.name = NAME_##key,                          \
                                      .macro = MACRO_##key,                        \
                                      .opcode = OPCODE_##key,                      \
                                      .unit = UNIT_##key,                          \
                                      .field_count = KEY(FIELD_COUNT, key, chips), \
                                      .fields = {LIST field_list}},                \
                              .id_name = #key,                                     \
                              .id = INSN_##key,                                    \
                              .archs = CHIPS_##chips,                              \
                              .operand_count = KEY(PRINT_COUNT, key, chips),       \
                              .field_mask = KEY(FIELD_OR, key, chips),             \
                              .fixed = fix,                                        \
                              .fixed_value = fixval,                               \
                              .operands = {LIST print}},
static const struct insn_form forms[ROW_COUNT] = {
#include "isa/mnemonics.def"
};

/* Row + 1 by opcode. A second row for an opcode of a chip causes a compiler warning. */
#define ON_WH_WH(entry) entry
#define ON_WH_BOTH(entry) entry
#define ON_WH_BH(entry)
#define ON_BH_WH(entry)
#define ON_BH_BOTH(entry) entry
#define ON_BH_BH(entry) entry
#define BY_OPCODE(id, chips) [OPCODE_##id] = KEY(ROW, id, chips) + 1,

static const uint8_t by_opcode[2][256] = {
    [CHIP_COLUMN_WH] =
        {
#define FORM_SHARED(id, chips, fixed, value, fields, print, shared) \
    ON_WH_##chips(BY_OPCODE(id, chips))
#include "isa/mnemonics.def"
        },
    [CHIP_COLUMN_BH] =
        {
#define FORM_SHARED(id, chips, fixed, value, fields, print, shared) \
    ON_BH_##chips(BY_OPCODE(id, chips))
#include "isa/mnemonics.def"
        },
};

static const uint8_t opcode_of[INSN_COUNT] = {
#define MNEMONIC(id, text, mac, op, sub) [INSN_##id] = op,
#include "isa/mnemonics.def"
};

/* ---- look-up ---- */

static const struct insn_form *form_of(enum tx_arch arch, uint32_t opcode)
{
    if (!chip_known(arch)) {
        return NULL;
    }
    const unsigned row = by_opcode[chip_column(arch)][opcode & 0xff];
    return row != 0 ? &forms[row - 1] : NULL;
}

enum insn_id insn_id_of(enum tx_arch arch, uint32_t word)
{
    const struct insn_form *form = form_of(arch, word >> 24);
    return form != NULL ? (enum insn_id)form->id : INSN_NONE;
}

const struct tx_insn *insn_get(enum tx_arch arch, enum insn_id id)
{
    if ((int)id <= INSN_NONE || id >= INSN_COUNT) {
        return NULL;
    }
    const struct insn_form *form = form_of(arch, opcode_of[id]);
    return form != NULL && form->id == id ? &form->pub : NULL;
}

const struct insn_form *insn_form_of(const struct tx_insn *insn)
{
    return (const struct insn_form *)(const void *)insn;
}

const struct insn_form *insn_form_at(size_t index)
{
    return index < ROW_COUNT ? &forms[index] : NULL;
}

const struct tx_insn *tx_insn_of(enum tx_arch arch, uint32_t word)
{
    const struct insn_form *form = form_of(arch, word >> 24);
    return form != NULL ? &form->pub : NULL;
}

const struct tx_insn *tx_insn_get(enum tx_arch arch, enum tx_insn_id id)
{
    const struct insn_form *form = (uint32_t)id <= 0xff ? form_of(arch, (uint32_t)id) : NULL;
    return form != NULL ? &form->pub : NULL;
}

const struct tx_insn *insn_elsewhere(enum tx_arch arch, uint32_t word)
{
    const struct tx_insn *insn = NULL;
    for (unsigned other = 1; other < CHIPS && insn == NULL; other++) {
        insn = other != (unsigned)arch ? tx_insn_of((enum tx_arch)other, word) : NULL;
    }
    return insn;
}

enum tx_insn_id tx_insn_id_of(enum tx_arch arch, uint32_t word)
{
    return form_of(arch, word >> 24) != NULL ? (enum tx_insn_id)(word >> 24) : TX_INSN_NONE;
}

const struct tx_insn *tx_insn_at(enum tx_arch arch, size_t index)
{
    if (!chip_known(arch)) {
        return NULL;
    }
    for (size_t row = 0; row < ROW_COUNT; row++) {
        if ((forms[row].archs >> arch & 1) != 0 && index-- == 0) {
            return &forms[row].pub;
        }
    }
    return NULL;
}

static char upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static bool same(const char *spelling, const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (spelling[i] == '\0' || upper(spelling[i]) != upper(name[i])) {
            return false;
        }
    }
    return spelling[length] == '\0';
}

static bool strip(const char **name, size_t *length, const char *prefix)
{
    const size_t n = strlen(prefix);
    if (*length <= n || !same(prefix, *name, n)) {
        return false;
    }
    *name += n;
    *length -= n;
    return true;
}

bool insn_name_is(const struct insn_form *form, const char *name, size_t length)
{
    if (same(form->pub.name, name, length)) {
        return true;
    }
    if (!strip(&name, &length, "TT_OP_") && !strip(&name, &length, "TTI_")) {
        (void)strip(&name, &length, "TT_");
    }
    return same(form->pub.macro, name, length) || same(form->id_name, name, length);
}

const struct tx_insn *tx_insn_find(enum tx_arch arch, const char *name)
{
    if (name == NULL || !chip_known(arch)) {
        return NULL;
    }
    const size_t length = strlen(name);
    for (size_t row = 0; row < ROW_COUNT; row++) {
        if ((forms[row].archs >> arch & 1) != 0 && insn_name_is(&forms[row], name, length)) {
            return &forms[row].pub;
        }
    }
    return NULL;
}

/* ---- fields and operands ---- */

static uint32_t ones(unsigned width)
{
    return (UINT32_C(1) << width) - 1; /* no field is wider than 24 bits */
}

uint32_t insn_field_mask(const struct tx_insn *insn)
{
    return insn_form_of(insn)->field_mask;
}

uint32_t insn_fields_extract(const struct tx_insn *insn, uint32_t word,
                             uint32_t out[TX_INSN_MAX_FIELDS])
{
    for (unsigned i = 0; i < insn->field_count; i++) {
        out[i] = word >> insn->fields[i].lsb & ones(insn->fields[i].width);
    }
    return word & 0xffffff & ~insn_field_mask(insn);
}

enum tx_status insn_fields_encode(const struct tx_insn *insn, const uint32_t in[], uint32_t *word)
{
    uint32_t bits = (uint32_t)insn->opcode << 24;
    for (unsigned i = 0; i < insn->field_count; i++) {
        if (in[i] > ones(insn->fields[i].width)) {
            return TX_EINVAL;
        }
        bits |= in[i] << insn->fields[i].lsb;
    }
    *word = bits;
    return TX_OK;
}

uint32_t insn_operand_mask(const struct insn_operand *operand)
{
    if (operand->kind == TX_FIELD_VD3) {
        return UINT32_C(3) << operand->lsb | 1;
    }
    return ones(operand->width) << operand->lsb;
}

uint32_t insn_operand_get(const struct insn_operand *operand, uint32_t word)
{
    if (operand->kind == TX_FIELD_VD3) {
        return (word >> operand->lsb & 3) | (word & 1) << 2;
    }
    return word >> operand->lsb & ones(operand->width);
}

uint32_t insn_operand_put(const struct insn_operand *operand, uint32_t value)
{
    if (operand->kind == TX_FIELD_VD3) {
        return (value & 3) << operand->lsb | (value >> 2 & 1);
    }
    return value << operand->lsb;
}

bool tx_insn_fpu_writes(const struct tx_insn *insn)
{
#define FPU_WRITES(mnemonic) OPCODE_##mnemonic,
    static const uint8_t writers[] = {
#include "isa/checks.def"
    };
    return memchr(writers, insn->opcode, sizeof writers) != NULL;
}

const char *tx_insn_undocumented(const struct tx_insn *insn)
{
    switch (insn_form_of(insn)->id) {
#define UNDOCUMENTED(mnemonic, reason, source) \
    case INSN_##mnemonic:                      \
        return reason;
#include "isa/undocumented.def"
    default:
        return NULL;
    }
}

uint32_t tx_ttinsn(uint32_t word)
{
    return word << 2 | word >> 30;
}

uint32_t tx_ttinsn_undo(uint32_t word)
{
    return word >> 2 | word << 30;
}

/* Writes ", name", without the comma for the first one; returns the length that was wanted. */
static size_t write_name(char *text, size_t size, size_t at, const char *before, const char *name)
{
    return at + (size_t)snprintf(at < size ? text + at : NULL, at < size ? size - at : 0, "%s%s",
                                 before, name);
}

const char *tx_insn_syntax(const struct tx_insn *insn, bool macro, char *text, size_t size)
{
    const struct insn_form *form = insn_form_of(insn);
    size_t at = write_name(text, size, 0, macro ? "TTI_" : "", macro ? insn->macro : insn->name);
    const unsigned count = macro ? insn->field_count : form->operand_count;
    at = macro ? write_name(text, size, at, "(", "") : at;
    for (unsigned i = 0; i < count; i++) {
        const char *before = i != 0 ? (macro ? ", " : ",") : macro ? "" : " ";
        at = write_name(text, size, at, before,
                        macro ? insn->fields[i].name : form->operands[i].name);
    }
    (void)(macro ? write_name(text, size, at, ")", "") : at);
    return text;
}
