/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The disassembler. NORMAL and MACRO show every bit: what the operands of the form do not show
 * follows as !field=value and !unused=value. OBJDUMP prints what the vendor's objdump prints.
 */
#include "asm/dis.h"

#include "isa/chip.h"
#include "isa/macro_word.h"
#include "isa/row.h"

#include <string.h>

enum { LINE = 160 };

struct line {
    char *p;
    unsigned vd_lsb; /* the register field at this bit is written VD; 32: none */
    char text[LINE];
};

static void put_char(struct line *line, char c)
{
    *line->p++ = c;
}

static void put_text(struct line *line, const char *text)
{
    while (*text != '\0') {
        *line->p++ = *text++;
    }
}

static void put_decimal(struct line *line, uint32_t value)
{
    char digits[10];
    unsigned n = 0;
    do {
        digits[n++] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    while (n > 0) {
        put_char(line, digits[--n]);
    }
}

static void put_hex(struct line *line, uint32_t value, unsigned digits, const char *alphabet)
{
    put_text(line, "0x");
    while (digits > 0) {
        put_char(line, alphabet[value >> --digits * 4 & 15]);
    }
}

static const char lower_hex[] = "0123456789abcdef", upper_hex[] = "0123456789ABCDEF";

static void put_register(struct line *line, unsigned lsb, uint32_t value)
{
    if (lsb == line->vd_lsb) {
        put_text(line, "VD");
        return;
    }
    put_char(line, 'L');
    put_decimal(line, value);
}

static void put_operand(struct line *line, const struct insn_operand *operand, uint32_t word)
{
    const uint32_t value = insn_operand_get(operand, word);
    switch ((enum tx_field_kind)operand->kind) {
    case TX_FIELD_LREG:
    case TX_FIELD_VD3:
        put_register(line, operand->lsb, value);
        break;
    case TX_FIELD_HEX12:
        put_hex(line, value, 3, upper_hex);
        break;
    case TX_FIELD_SIMM:
        /*
         * The sign is shown for 16-bit numbers only, as by objdump, so that a text has one meaning.
         */
        if (operand->width == 16 && value >= 0x8000) {
            put_char(line, '-');
            put_decimal(line, 0x10000 - value);
            break;
        }
        put_decimal(line, value);
        break;
    case TX_FIELD_UIMM:
    case TX_FIELD_MOD:
        put_decimal(line, value);
        break;
    }
}

/* Prints name and operands. Returns the bits that they determine. */
static uint32_t put_operands(struct line *line, const struct insn_form *form, uint32_t word,
                             char separator)
{
    uint32_t said = (uint32_t)form->pub.opcode << 24 | form->fixed_value;
    put_text(line, form->pub.name);
    for (unsigned i = 0; i < form->operand_count; i++) {
        const struct insn_operand *operand = &form->operands[i];
        put_char(line, i == 0 ? separator : ',');
        put_operand(line, operand, word);
        said |= word & insn_operand_mask(operand);
    }
    return said;
}

static void put_unused(struct line *line, uint32_t bits)
{
    put_text(line, " !unused=");
    put_hex(line, bits, 6, lower_hex);
}

/*
 * Prints what is missing: whole fields first, because that is what the hardware reads, then bits of
 * no field.
 */
static void put_extra(struct line *line, const struct insn_form *form, uint32_t word, uint32_t said)
{
    for (unsigned i = 0; i < form->pub.field_count; i++) {
        const struct tx_field *field = &form->pub.fields[i];
        const uint32_t ones = (UINT32_C(1) << field->width) - 1;
        const uint32_t value = word >> field->lsb & ones;
        if ((said >> field->lsb & ones) == value) {
            continue;
        }
        put_text(line, " !");
        put_text(line, field->name);
        put_char(line, '=');
        if (field->kind == TX_FIELD_LREG) {
            put_register(line, field->lsb, value);
        } else {
            put_hex(line, value, (field->width + 3u) / 4u, lower_hex);
        }
    }
    const uint32_t rest = (word ^ said) & 0xffffff & ~form->field_mask;
    if (rest != 0) {
        put_unused(line, rest);
    }
}

static void put_macro(struct line *line, const struct insn_form *form, uint32_t word)
{
    put_text(line, "TTI_");
    put_text(line, form->pub.macro);
    put_char(line, '(');
    for (unsigned i = 0; i < form->pub.field_count; i++) {
        const struct tx_field *field = &form->pub.fields[i];
        const uint32_t value = word >> field->lsb & ((UINT32_C(1) << field->width) - 1);
        if (i > 0) {
            put_text(line, ", ");
        }
        if (field->width >= 12 && value > 9) {
            put_hex(line, value, (field->width + 3u) / 4u, lower_hex);
        } else {
            put_decimal(line, value);
        }
    }
    put_char(line, ')');
    const uint32_t rest = word & 0xffffff & ~form->field_mask;
    if (rest != 0) {
        put_unused(line, rest);
    }
}

/*
 * Prints a word for which objdump has no text. It prints 16-bit pieces and omits a high one of 0.
 */
static void put_insn(struct line *line, uint32_t word)
{
    const uint32_t rotated = tx_ttinsn(word);
    put_text(line, ".insn\t4, ");
    put_hex(line, rotated, rotated >> 16 != 0 ? 8 : 4, lower_hex);
}

static void put_line(struct line *line, const struct insn_form *form, uint32_t word,
                     enum tx_dis_style style)
{
    if (style == TX_DIS_MACRO) {
        put_macro(line, form, word);
    } else if (style == TX_DIS_NORMAL) {
        put_extra(line, form, word, put_operands(line, form, word, ' '));
    } else if ((word & form->fixed) == form->fixed_value) {
        (void)put_operands(line, form, word, '\t');
    } else {
        put_insn(line, word);
    }
}

static enum tx_status disassemble(enum tx_arch arch, uint32_t word, enum tx_dis_style style,
                                  unsigned vd_lsb, char *text, size_t size)
{
    if (text == NULL || size == 0 || !chip_known(arch) ||
        (style != TX_DIS_NORMAL && style != TX_DIS_OBJDUMP && style != TX_DIS_MACRO)) {
        return TX_EINVAL;
    }
    struct line line;
    line.p = line.text;
    line.vd_lsb = vd_lsb;
    const struct tx_insn *insn = tx_insn_of(arch, word);
    if (insn != NULL) {
        put_line(&line, insn_form_of(insn), word, style);
    } else {
        put_text(&line, ".word ");
        put_hex(&line, word, 8, lower_hex);
    }
    const size_t length = (size_t)(line.p - line.text);
    if (length >= size) {
        text[0] = '\0';
        return TX_EINVAL;
    }
    memcpy(text, line.text, length);
    text[length] = '\0';
    return insn != NULL ? TX_OK : TX_ENOENT;
}

enum tx_status tx_disassemble(enum tx_arch arch, uint32_t word, enum tx_dis_style style, char *text,
                              size_t size)
{
    return disassemble(arch, word, style, 32, text, size);
}

enum tx_status dis_template(enum tx_arch arch, uint32_t word, unsigned number, char *text,
                            size_t size)
{
    const struct isa_row *row = isa_row(isa_row_of(arch, word));
    const struct isa_layout vd = isa_layout(row, FLD_VD);
    const bool named = vd.width == 4 && isa_field(row, FLD_VD, word) == MACRO_VD_BACKDOOR + number;
    return disassemble(arch, word, TX_DIS_NORMAL, named ? vd.lsb : 32, text, size);
}
