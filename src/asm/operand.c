/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads one instruction, in objdump's syntax (name a,b,c) or the vendor's macro syntax (TTI_NAME(a,
 * b)). Either may be followed by !field=value and !unused=value, for bits that the form does not
 * show.
 */
#include "asm/state.h"

#include <string.h>

/* The text of an operand, for messages. */
struct place {
    const char *text;
    size_t length;
};

struct value {
    int64_t number;
    struct place place;
};

static bool read_value(struct asm_state *a, struct value *value)
{
    const char *start = a->token.text;
    if (!asm_expression(a, &value->number)) {
        return false;
    }
    const char *stop = a->token.text;
    while (stop > start &&
           (stop[-1] == ' ' || stop[-1] == '\t' || stop[-1] == '\n' || stop[-1] == '\r')) {
        stop--;
    }
    value->place = (struct place){start, (size_t)(stop - start)};
    return true;
}

static bool read_register(struct asm_state *a, const char *name, struct value *value)
{
    const struct asm_token token = a->token;
    if (token.kind == TOKEN_NAME) {
        const int lreg = asm_lreg(token.text, token.length);
        if (lreg >= 0) {
            value->number = lreg;
            value->place = (struct place){token.text, token.length};
            asm_next(a);
            return true;
        }
        if (asm_lower(token.text[0]) == 'l' && token.length > 1 && token.text[1] >= '0' &&
            token.text[1] <= '9') {
            (void)FAIL_TOKEN(a, "there is no register '%.*s' (L0..L15)",
                             SHOW(token.text, token.length));
            return false;
        }
        return read_value(a, value);
    }
    (void)FAIL_TOKEN(a, "%s is a register, L0..L15", name);
    return false;
}

static bool check_range(struct asm_state *a, const char *name, const struct value *value,
                        int64_t low, int64_t high)
{
    if (value->number >= low && value->number <= high) {
        return true;
    }
    return asm_fail(a, TX_EPARSE, value->place.text, value->place.length,
                    "%s is %lld and must lie in %lld..%lld", name, (long long)value->number,
                    (long long)low, (long long)high);
}

/* Signed kinds accept their bits as a signed or an unsigned number, like the vendor's assembler. */
static bool check_kind(struct asm_state *a, const char *name, unsigned kind, unsigned width,
                       bool no_sign, const struct value *value)
{
    const int64_t size = INT64_C(1) << width;
    const bool sign = (kind == TX_FIELD_SIMM || kind == TX_FIELD_HEX12) && !no_sign;
    return check_range(a, name, value, sign ? -(size / 2) : 0, size - 1);
}

/* ---- objdump's syntax ---- */

static bool missing(struct asm_state *a, const struct insn_form *form, const char *name,
                    unsigned given)
{
    return FAIL_TOKEN(a, "%s wants %u operands and has %u: %s is missing", form->pub.name,
                      (unsigned)form->operand_count, given, name);
}

static bool nothing_here(const struct asm_state *a)
{
    return a->token.kind == TOKEN_END;
}

static bool read_operand(struct asm_state *a, const struct insn_operand *operand,
                         struct value *value)
{
    if (operand->kind == TX_FIELD_LREG || operand->kind == TX_FIELD_VD3) {
        return read_register(a, operand->name, value) &&
               check_range(a, operand->name, value, 0, operand->kind == TX_FIELD_VD3 ? 7 : 15);
    }
    return read_value(a, value);
}

/*
 * Returns whether the modifier makes the vendor's assembler read the 12-bit immediate as unsigned.
 */
static bool immediate_is_unsigned(const struct insn_form *form, const struct value values[])
{
    for (unsigned i = 0; i < form->operand_count; i++) {
        const struct insn_operand *operand = &form->operands[i];
        if (operand->kind == TX_FIELD_MOD && operand->sign == INSN_SIGN_UNSIGNED) {
            return (operand->mode_imm >> (values[i].number & 15) & 1) != 0;
        }
    }
    return false;
}

/*
 * Encodes the operands. Where those of the vendor's table overlap, the later one wins, as in the
 * vendor's assembler, except for SFPLOADMACRO's register, where a contradiction is an error for
 * both.
 */
static bool pack_operands(struct asm_state *a, const struct insn_form *form,
                          const struct value values[], uint32_t *word)
{
    const bool no_sign = immediate_is_unsigned(form, values);
    uint32_t bits = (uint32_t)form->pub.opcode << 24 | form->fixed_value;
    uint32_t held = 0;
    for (unsigned i = 0; i < form->operand_count; i++) {
        const struct insn_operand *operand = &form->operands[i];
        if (!check_kind(a, operand->name, operand->kind, operand->width, no_sign, &values[i])) {
            return false;
        }
        const uint32_t mask = insn_operand_mask(operand);
        const uint32_t put = insn_operand_put(operand, (uint32_t)values[i].number &
                                                           ((UINT32_C(1) << operand->width) - 1));
        const uint32_t clash = (bits ^ put) & mask & held;
        if (clash != 0) {
            unsigned bit = 0;
            while ((clash >> bit & 1) == 0) {
                bit++;
            }
            return asm_fail(a, TX_EPARSE, values[i].place.text, values[i].place.length,
                            "%s disagrees with an operand before it about bit %u of the word",
                            operand->name, bit);
        }
        bits = (bits & ~mask) | put;
        held |= operand->kind == TX_FIELD_VD3 ? mask : 0;
    }
    *word = bits;
    return true;
}

static bool operand_list(struct asm_state *a, const struct insn_form *form, uint32_t *word)
{
    struct value values[TX_INSN_MAX_FIELDS];
    for (unsigned i = 0; i < form->operand_count; i++) {
        const char *name = form->operands[i].name;
        if (nothing_here(a) || (i > 0 && asm_is_op(a, '!'))) {
            return missing(a, form, name, i);
        }
        if (i > 0 && !asm_expect(a, ',', "between operands")) {
            return false;
        }
        if (nothing_here(a)) {
            return missing(a, form, name, i);
        }
        if (!read_operand(a, &form->operands[i], &values[i])) {
            return false;
        }
    }
    if (asm_is_op(a, ',')) {
        return FAIL_TOKEN(a, "%s takes %u operands", form->pub.name, (unsigned)form->operand_count);
    }
    return pack_operands(a, form, values, word);
}

/* ---- macro syntax ---- */

static int field_index(const struct tx_insn *insn, const struct asm_token *name)
{
    for (int i = 0; i < insn->field_count; i++) {
        const char *field = insn->fields[i].name;
        if (strlen(field) == name->length && memcmp(field, name->text, name->length) == 0) {
            return i;
        }
    }
    return -1;
}

/*
 * Reads "name =" in front of an argument, as in Python. Returns false, having read nothing, if the
 * argument is given by position.
 */
static bool argument_name(struct asm_state *a, struct asm_token *name)
{
    if (a->token.kind != TOKEN_NAME) {
        return false;
    }
    const struct asm_token token = a->token;
    const char *p = a->p;
    const unsigned line = a->line;
    asm_next(a);
    if (asm_is_op(a, '=')) {
        *name = token;
        asm_next(a);
        return true;
    }
    a->token = token;
    a->p = p;
    a->line = line;
    return false;
}

static bool argument(struct asm_state *a, const struct tx_insn *insn, unsigned *position,
                     uint32_t *given, uint32_t values[])
{
    struct asm_token name;
    int index = (int)*position;
    if (argument_name(a, &name)) {
        index = field_index(insn, &name);
        if (index < 0) {
            return asm_fail(a, TX_EPARSE, name.text, name.length, "%s has no operand '%.*s'",
                            insn->macro, SHOW(name.text, name.length));
        }
        if ((*given >> index & 1) != 0) {
            return asm_fail(a, TX_EPARSE, name.text, name.length, "%s is given twice",
                            insn->fields[index].name);
        }
        *position = TX_INSN_MAX_FIELDS; /* none by position may follow one by name */
    } else if (*position >= insn->field_count) {
        return FAIL_TOKEN(a, "%s: %s", insn->macro,
                          *position == TX_INSN_MAX_FIELDS && insn->field_count != *position
                              ? "operands by position come before operands by name"
                              : "there are no more operands");
    } else {
        (*position)++;
    }
    const struct tx_field *field = &insn->fields[index];
    struct value value;
    if (!read_value(a, &value) ||
        !check_kind(a, field->name, field->kind, field->width, false, &value)) {
        return false;
    }
    values[index] = (uint32_t)value.number & ((UINT32_C(1) << field->width) - 1);
    *given |= UINT32_C(1) << index;
    return true;
}

/* Reads operands in parentheses; the current token is the opening one. */
static bool macro_list(struct asm_state *a, const struct insn_form *form, uint32_t *word)
{
    const struct tx_insn *insn = &form->pub;
    uint32_t values[TX_INSN_MAX_FIELDS] = {0};
    uint32_t given = 0;
    unsigned position = 0;
    a->open = 1;
    asm_next(a);
    while (!asm_is_op(a, ')')) {
        if (!argument(a, insn, &position, &given, values)) {
            return false;
        }
        if (!asm_is_op(a, ')') && !asm_expect(a, ',', "between operands")) {
            return false;
        }
    }
    for (unsigned i = 0; i < insn->field_count; i++) {
        if ((given >> i & 1) == 0) {
            return FAIL_TOKEN(a, "%s wants %u operands: %s is missing", insn->macro,
                              (unsigned)insn->field_count, insn->fields[i].name);
        }
    }
    a->open = 0;
    asm_next(a);
    (void)insn_fields_encode(insn, values, word); /* cannot fail: every value was checked */
    return true;
}

/* ---- bits that the operands do not show ---- */

static bool extra(struct asm_state *a, const struct insn_form *form, uint32_t *word)
{
    while (asm_accept(a, '!')) {
        const struct asm_token name = a->token;
        if (name.kind != TOKEN_NAME) {
            return FAIL_TOKEN(a, "the name of a field, or 'unused', follows '!'");
        }
        asm_next(a);
        struct value value;
        if (!asm_expect(a, '=', "behind the name") || !read_value(a, &value)) {
            return false;
        }
        const int index = field_index(&form->pub, &name);
        uint32_t mask = 0xffffffu & ~form->field_mask;
        unsigned lsb = 0;
        if (index >= 0) {
            const struct tx_field *field = &form->pub.fields[index];
            if (!check_kind(a, field->name, field->kind, field->width, false, &value)) {
                return false;
            }
            lsb = field->lsb;
            mask = ((UINT32_C(1) << field->width) - 1) << lsb;
        } else if (!asm_is_word(&name, "unused")) {
            return asm_fail(a, TX_EPARSE, name.text, name.length, "%s has no field '%.*s'",
                            form->pub.name, SHOW(name.text, name.length));
        } else if (value.number < 0 || (value.number & ~(int64_t)mask) != 0) {
            return asm_fail(a, TX_EPARSE, value.place.text, value.place.length,
                            "the unused bits of %s are 0x%06x", form->pub.name, (unsigned)mask);
        }
        *word = (*word & ~mask) | ((uint32_t)value.number << lsb & mask);
    }
    return true;
}

static bool instruction_word(struct asm_state *a, const struct insn_form *form, bool prefixed,
                             uint32_t *word)
{
    const char *behind = a->token.text + a->token.length;
    asm_next(a);
    *word = 0;
    const bool macro = asm_is_op(a, '(') && (prefixed || a->token.text == behind);
    if (macro) {
        if (!macro_list(a, form, word)) {
            return false;
        }
    } else if (prefixed && form->pub.field_count > 0) {
        return FAIL_TOKEN(a, "'(' expected behind %s", form->pub.macro);
    } else if (!operand_list(a, form, word)) {
        return false;
    }
    return extra(a, form, word);
}

/* Says with the error how the instruction is written. */
static bool refused(struct asm_state *a, const struct insn_form *form, bool macro)
{
    if (a->diag != NULL) {
        (void)tx_insn_syntax(&form->pub, macro, a->diag->syntax, sizeof a->diag->syntax);
    }
    return false;
}

static bool is_macro(const struct asm_state *a, bool prefixed)
{
    const char *behind = a->token.text + a->token.length;
    return prefixed || (behind < a->end && *behind == '(');
}

bool asm_instruction_word(struct asm_state *a, const struct insn_form *form, bool prefixed,
                          uint32_t *word)
{
    const bool macro = is_macro(a, prefixed);
    a->form = form;
    const bool done = instruction_word(a, form, prefixed, word);
    a->form = NULL;
    return done || refused(a, form, macro);
}

bool asm_instruction(struct asm_state *a, const struct insn_form *form, bool prefixed)
{
    const unsigned line = a->line;
    const bool macro = is_macro(a, prefixed);
    uint32_t word;
    return asm_instruction_word(a, form, prefixed, &word) &&
           (asm_expect_end(a) || refused(a, form, macro)) && asm_emit(a, word, line);
}
