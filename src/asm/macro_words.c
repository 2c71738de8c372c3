/* SPDX-License-Identifier: Apache-2.0 */
/*
 * .template, .sequence and .misc: the configuration of SFPLOADMACRO, written by names. They emit
 * the words that kernels contain: a template by one word through the backdoor, a sequence through
 * L0 and SFPCONFIG.
 */
#include "asm/state.h"

#include "isa/chip.h"
#include "isa/macro_word.h"
#include "isa/row.h"

#include <string.h>

static uint32_t macro_words_place(enum isa_field field, uint32_t value)
{
    return value << isa_layout(isa_row(ROWID_SFPCONFIG), field).lsb;
}

static bool emit_config(struct asm_state *a, unsigned vd, uint32_t imm, bool immediate,
                        unsigned line)
{
    const struct tx_insn *insn = insn_get(a->arch, INSN_SFPCONFIG);
    return asm_emit(a,
                    (uint32_t)insn->opcode << 24 | macro_words_place(FLD_VD, vd) |
                        macro_words_place(FLD_IMM, imm) |
                        macro_words_place(FLD_MOD, immediate ? TX_MOD_SFPCONFIG_IMM16_IS_VALUE : 0),
                    line);
}

static bool chip_stated(struct asm_state *a)
{
    return a->arch != TX_ARCH_NONE ||
           FAIL_TOKEN(a, "the chip is not known: .arch (or --arch) comes before this");
}

/* Determines the number of a template or a sequence; if none is given, the next one. */
static bool take_number(struct asm_state *a, const char *what, bool given, int64_t number,
                        unsigned *next, const struct asm_token *at)
{
    if (!given) {
        number = *next;
    }
    if (number < 0 || number >= 4) {
        return asm_fail(a, TX_EPARSE, at->text, at->length, "there are four %ss, 0 to 3%s", what,
                        given ? "" : ", and each has been written");
    }
    *next = (unsigned)number + 1;
    return true;
}

/* Returns the number in t0 to t3, or -1 if the name is another. */
static int template_name(const char *text, size_t length)
{
    return length == 2 && asm_lower(text[0]) == 't' && text[1] >= '0' && text[1] <= '3'
               ? text[1] - '0'
               : -1;
}

/* ---- .template ---- */

static bool template_word(struct asm_state *a, uint32_t *word)
{
    const struct asm_token token = a->token;
    if (token.kind == TOKEN_NUMBER && token.number >= 0 && token.number <= UINT32_MAX) {
        *word = (uint32_t)token.number;
        asm_next(a);
        return true;
    }
    bool prefixed = false;
    const struct insn_form *form =
        token.kind == TOKEN_NAME ? asm_find_insn(a, token.text, token.length, &prefixed) : NULL;
    if (form == NULL) {
        return FAIL_TOKEN(a, "an instruction is expected here, as in "
                             ".template t0, sfpmad VD,L0,L1,L2,0");
    }
    return asm_instruction_word(a, form, prefixed, word);
}

bool asm_template(struct asm_state *a)
{
    const unsigned line = a->line;
    const struct asm_token first = a->token;
    const int named = template_name(first.text, first.length);
    int64_t number = named;
    if (!chip_stated(a)) {
        return false;
    }
    if (named >= 0) {
        asm_next(a);
    } else if (first.kind == TOKEN_NUMBER && !asm_expression(a, &number)) {
        return false;
    }
    const bool given = named >= 0 || first.kind == TOKEN_NUMBER;
    if (!take_number(a, "template", given, number, &a->next_template, &first) ||
        (given && !asm_expect(a, ',', "behind the number of the template"))) {
        return false;
    }
    const unsigned index = a->next_template - 1;
    const struct asm_token at = a->token;
    uint32_t word = 0;
    a->template_vd = MACRO_VD_BACKDOOR + index;
    const bool good = template_word(a, &word);
    a->template_vd = 0;
    if (!good) {
        return false;
    }
    const struct isa_row *row = isa_row(isa_row_of(a->arch, word));
    const unsigned unit = row->text.unit;
    if (row->insn != INSN_SFPNOP && unit != TX_UNIT_SIMPLE && unit != TX_UNIT_MAD &&
        unit != TX_UNIT_ROUND && unit != TX_UNIT_STORE) {
        return asm_fail(a, TX_EPARSE, at.text, at.length,
                        "no sub-unit that a macro schedules for runs '%.*s'",
                        SHOW(at.text, at.length));
    }
    /* The backdoor: the word itself, whose destination is the template's number plus 12. */
    if (isa_layout(row, FLD_VD).width == 4 && row->guard != GUARD_FREE &&
        isa_field(row, FLD_VD, word) == MACRO_VD_BACKDOOR + index) {
        return asm_emit(a, word, line);
    }
    return asm_emit_loadi(a, 0, word, line) &&
           emit_config(a, MACRO_VD_TEMPLATE + index, 0, false, line);
}

/* ---- .sequence ---- */

static bool is_text(const char *text, size_t length, const char *name)
{
    return strlen(name) == length && memcmp(text, name, length) == 0;
}

static int slot_of(const char *text, size_t length)
{
    for (int i = 0; i < MACRO_UNITS; i++) {
        if (is_text(text, length, macro_slot_names[i])) {
            return i;
        }
    }
    return -1;
}

static int source_of(const char *text, size_t length)
{
    const int number = template_name(text, length);
    if (number >= 0) {
        return MACRO_SOURCE_TEMPLATE + number;
    }
    for (int i = 0; i < MACRO_SOURCE_TEMPLATE; i++) {
        if (is_text(text, length, macro_source_names[i])) {
            return i;
        }
    }
    return -1;
}

/* A name with what follows its point: store.vd, t2.vb. */
struct pointed {
    size_t length; /* length of the name */
    bool other;    /* it ends in .vb or .vd */
};

static bool split(struct asm_state *a, const char *ending, struct pointed *out)
{
    const char *point = memchr(a->token.text, '.', a->token.length);
    out->length = point != NULL ? (size_t)(point - a->token.text) : a->token.length;
    out->other = point != NULL;
    return point == NULL || is_text(point, a->token.length - out->length, ending) ||
           FAIL_TOKEN(a, "'%s' is all that may follow the name, not '%.*s'", ending,
                      SHOW(point, a->token.length - out->length));
}

/* Reads @DELAY, then optionally >L16 (of a store: <L16). */
static bool step_end(struct asm_state *a, bool store, uint32_t *byte)
{
    if (!asm_expect(a, '@', "and the delay, as in mad=t0@2")) {
        return false;
    }
    if (a->token.kind != TOKEN_NUMBER || a->token.number < 0 || a->token.number > 7) {
        return FAIL_TOKEN(a, "a delay is a number from 0 to 7");
    }
    *byte |= (uint32_t)a->token.number << MACRO_SLOT_DELAY_LSB;
    asm_next(a);
    if (asm_is_op(a, store ? '>' : '<')) {
        return FAIL_TOKEN(a, store ? "a store takes its value from L16: <L16"
                                   : "a result goes to L16: >L16");
    }
    if (!asm_accept(a, store ? '<' : '>')) {
        return true;
    }
    if (a->token.kind != TOKEN_NAME || a->token.length != 3 ||
        memcmp(a->token.text + 1, "16", 2) != 0 || asm_lower(a->token.text[0]) != 'l') {
        return FAIL_TOKEN(a, "L16 is expected here");
    }
    asm_next(a);
    *byte |= MACRO_SLOT_L16_MASK;
    return true;
}

/* Reads UNIT[=SOURCE]@DELAY[>L16]. */
static bool step(struct asm_state *a, uint32_t *word, unsigned *given)
{
    struct pointed name;
    const struct asm_token unit = a->token;
    if (unit.kind != TOKEN_NAME || !split(a, ".vd", &name)) {
        return FAIL_TOKEN(a, "simple, mad, round or store is expected here");
    }
    const int slot = slot_of(unit.text, name.length);
    const bool store = slot == MACRO_STORE;
    if (slot < 0 || (name.other && !store)) {
        return FAIL_TOKEN(a,
                          "'%.*s' is no sub-unit that a macro schedules for: simple, mad, "
                          "round, store",
                          SHOW(unit.text, unit.length));
    }
    if ((*given >> slot & 1u) != 0) {
        return FAIL_TOKEN(a, "%s is given twice", macro_slot_names[slot]);
    }
    asm_next(a);
    int source = MACRO_SOURCE_STORE;
    if (!name.other && asm_accept(a, '=')) {
        if (a->token.kind != TOKEN_NAME || !split(a, store ? ".vd" : ".vb", &name)) {
            return FAIL_TOKEN(a, "a template, t0 to t3, or nop, store or none is expected here");
        }
        source = source_of(a->token.text, name.length);
        if (source < 0) {
            return FAIL_TOKEN(a, "there is no source '%.*s': t0 to t3, nop, store, none",
                              SHOW(a->token.text, name.length));
        }
        asm_next(a);
    } else if (!store) {
        return FAIL_TOKEN(a, "'=' and what %s runs expected, as in %s=t0@0", macro_slot_names[slot],
                          macro_slot_names[slot]);
    }
    uint32_t byte = (uint32_t)source << MACRO_SLOT_SOURCE_LSB |
                    (name.other ? (uint32_t)MACRO_SLOT_OTHER_MASK : 0u);
    if (!step_end(a, store, &byte)) {
        return false;
    }
    *word |= byte << (8 * slot);
    *given |= 1u << slot;
    return true;
}

bool asm_sequence(struct asm_state *a)
{
    const unsigned line = a->line;
    const struct asm_token first = a->token;
    const bool given = first.kind == TOKEN_NUMBER;
    int64_t number = 0;
    if (!chip_stated(a) || (given && !asm_expression(a, &number)) ||
        !take_number(a, "sequence", given, number, &a->next_sequence, &first)) {
        return false;
    }
    const unsigned vd = MACRO_VD_SEQUENCE + a->next_sequence - 1;
    bool more = !given || asm_accept(a, ',');
    uint32_t word = 0;
    unsigned steps = 0;
    while (more && a->token.kind != TOKEN_END) {
        if (!step(a, &word, &steps)) {
            return false;
        }
        (void)asm_accept(a, ',');
    }
    if (!asm_expect_end(a)) {
        return false;
    }
    if (word <= 0xffff) {
        return emit_config(a, vd, word, true, line);
    }
    return asm_emit_loadi(a, 0, word, line) && emit_config(a, vd, 0, false, line);
}

/* ---- .misc ---- */

/* Reads a list such as 0,2 or simple,mad, with a bit for each item, or "all". */
static bool bit_list(struct asm_state *a, bool units, uint32_t *bits)
{
    if (a->token.kind == TOKEN_NAME && is_text(a->token.text, a->token.length, "all")) {
        *bits = 15;
        asm_next(a);
        return true;
    }
    do {
        int bit =
            a->token.kind == TOKEN_NAME && units ? slot_of(a->token.text, a->token.length) : -1;
        if (a->token.kind == TOKEN_NUMBER && !units && a->token.number >= 0 &&
            a->token.number < 4) {
            bit = (int)a->token.number;
        }
        if (bit < 0) {
            return FAIL_TOKEN(a, units ? "simple, mad, round, store or all is expected here"
                                       : "the number of a macro, 0 to 3, or all is expected here");
        }
        *bits |= 1u << bit;
        asm_next(a);
    } while (asm_accept(a, ','));
    return true;
}

static bool misc_item(struct asm_state *a, uint32_t *word)
{
    const struct asm_token key = a->token;
    uint32_t bits = 0;
    int64_t mode = 0;
    if (key.kind != TOKEN_NAME) {
        return FAIL_TOKEN(a, "mod0=, load_mod0= or instructions= is expected here");
    }
    asm_next(a);
    if (!asm_expect(a, '=', "behind the name")) {
        return false;
    }
    if (is_text(key.text, key.length, "mod0")) {
        const struct asm_token at = a->token;
        if (!asm_expression(a, &mode)) {
            return false;
        }
        *word |= (uint32_t)mode << MACRO_MISC_MOD0_LSB;
        return (mode >= 0 && mode <= 15) ||
               asm_fail(a, TX_EPARSE, at.text, at.length, "mod0 is %lld and must lie in 0..15",
                        (long long)mode);
    }
    if (is_text(key.text, key.length, "load_mod0")) {
        const bool good = bit_list(a, false, &bits);
        *word |= bits << MACRO_MISC_LOAD_MOD0_LSB;
        return good;
    }
    if (is_text(key.text, key.length, "instructions")) {
        const bool good = bit_list(a, true, &bits);
        *word |= bits << MACRO_MISC_INSTRUCTIONS_LSB;
        return good;
    }
    return asm_fail(a, TX_EPARSE, key.text, key.length,
                    "Misc has no '%.*s': mod0, load_mod0, instructions",
                    SHOW(key.text, key.length));
}

bool asm_misc(struct asm_state *a)
{
    const unsigned line = a->line;
    uint32_t word = 0;
    if (!chip_stated(a)) {
        return false;
    }
    while (a->token.kind != TOKEN_END) {
        if (!misc_item(a, &word)) {
            return false;
        }
    }
    return emit_config(a, MACRO_VD_MISC, word, true, line);
}
