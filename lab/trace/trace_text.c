/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Short texts of instructions that fit into a table cell, with the registers that they actually
 * use.
 */
#include "trace/trace_model.h"

#include <tensix-lab/isa.h>
#include <tensix/lregs.h>

#include <ctype.h>
#include <string.h>

/*
 * Placeholders: %d %a %b %c: registers, indirect ones as L[L7]; %n: a sign where Blackhole negates
 * VA; %p: plus, or minus where it negates VC; %i: immediate, %s: 12-bit signed, %x: hex, %@:
 * address in Dst.
 */
static const struct {
    enum tx_insn_id insn;
    const char *text;
} patterns[] = {
    {TX_INSN_SFPLOADI, "loadi %d%h=%x"},
    {TX_INSN_SFPLOADMACRO, "lm%v %d=dst %@ %f"},
    {TX_INSN_SFPLOAD, "%d=dst %@ %f"},
    {TX_INSN_SFPSTORE, "dst %@=%d %f"},
    {TX_INSN_SFPMAD, "mad %d=%n%a*%b%p%c"},
    {TX_INSN_SFPMUL24, "mul24%t %d=%a*%b"},
    {TX_INSN_SFPMULI, "muli %d=%c*bf16 %x"},
    {TX_INSN_SFPADDI, "addi %d=%c+bf16 %x"},
    {TX_INSN_SFPMUL, "mul %d=%n%a*%b%z"},
    {TX_INSN_SFPADD, "add %d=%o%b%p%c"},
    {TX_INSN_SFPLUTFP32, "lutfp32 %d=lut(L3)"},
    {TX_INSN_SFPLUT, "lut %d=lut(L3)"},
    {TX_INSN_SFPDIVP2, "divp2 %d=%c,%s"},
    {TX_INSN_SFPEXEXP, "exexp %d=%c"},
    {TX_INSN_SFPEXMAN, "exman %d=%c"},
    {TX_INSN_SFPSETCC, "setcc %C"},
    {TX_INSN_SFPMOV, "mov %d=%m%c"},
    {TX_INSN_SFPAND, "and %d=%b&%c"},
    {TX_INSN_SFPOR, "or %d=%b|%c"},
    {TX_INSN_SFPXOR, "xor %d=%b^%c"},
    {TX_INSN_SFPSETEXP, "setexp %d=%c,%b"},
    {TX_INSN_SFPSETMAN, "setman %d=%c,%b"},
    {TX_INSN_SFPSETSGN, "setsgn %d=%c,%b"},
    {TX_INSN_SFPENCC, "encc %i,%M"},
    {TX_INSN_SFPPUSHC, "pushc %M"},
    {TX_INSN_SFPPOPC, "popc %M"},
    {TX_INSN_SFPCOMPC, "compc"},
    {TX_INSN_SFPTRANSP, "transp L0-7"},
    {TX_INSN_SFPCAST, "cast %d=fp32 %c"},
    {TX_INSN_SFPCONFIG, "config %N"},
    {TX_INSN_SFPSWAP, "swap %D,%c min/max %M"},
    {TX_INSN_SFPLE, "le %g%b<=%c mode %M"},
    {TX_INSN_SFPGT, "gt %g%b>%c mode %M"},
    {TX_INSN_SFPSTOCHRND, "rnd %d=%c mode %M"},
    {TX_INSN_SFPNOP, "nop"},
};

/* Patterns of behaviours that differ from the rest of their instruction. */
static const struct {
    enum tx_row_id row;
    const char *text;
} row_patterns[] = {
    {TX_ROW_SFPIADD_REG, "iadd %d=%c%q%b"},
    {TX_ROW_SFPIADD_IMM, "iadd %d=%c+%s"},
    {TX_ROW_SFPSHFT_REG, "shft %d=%b by %c"},
    {TX_ROW_SFPSHFT_IMM_VC, "shft %d=%c by %s"},
    {TX_ROW_SFPSHFT_IMM, "shft %d=%b by %s"},
    {TX_ROW_SFPMOV_SPECIAL, "mov %d=special %v"},
    {TX_ROW_SFPSETEXP_IMM, "setexp %d=%c,%i"},
    {TX_ROW_SFPSETMAN_IMM, "setman %d=%c,%x"},
    {TX_ROW_SFPSETSGN_IMM, "setsgn %d=%c,%i"},
    {TX_ROW_SFPCAST_ABS, "cast %d=abs %c"},
    {TX_ROW_SFPCAST_SM, "cast %d=sm %c"},
    {TX_ROW_SFPSWAP_SWAP, "swap %D,%c"},
    {TX_ROW_SFPSTOCHRND_SHIFT_VB, "rnd %d=%c>>%b mode %M"},
    {TX_ROW_SFPSTOCHRND_SHIFT_IMM, "rnd %d=%c>>%i mode %M"},
    {TX_ROW_SFPSHFT2_COPY4, "shft2 L0-3 copy4"},
    {TX_ROW_SFPSHFT2_CHAINED_COPY4, "shft2 L0-3 chained"},
    {TX_ROW_SFPSHFT2_SHFLROR1_COPY4, "shft2 copy4 ror1 %c"},
    {TX_ROW_SFPSHFT2_SHFLROR1, "shft2 %d=ror1 %c"},
    {TX_ROW_SFPSHFT2_SHFLSHR1, "shft2 %d=shr1 %c"},
    {TX_ROW_SFPSHFT2_SHFT_LREG, "shft2 %d=%b by %c"},
    {TX_ROW_SFPSHFT2_SHFT_IMM, "shft2 %d=%b by %s"},
    {TX_ROW_SFPSHFT2_UNDEFINED, "shft2 undefined"},
};

struct writer {
    char *p, *end;
};

static void trace_text_put(struct writer *w, const char *text)
{
    while (*text != '\0' && w->p < w->end) {
        *w->p++ = *text++;
    }
    *w->p = '\0';
}

/* Writes text and a number behind it, which nearly every operand is: without printf. */
static void put_count(struct writer *w, const char *before, unsigned value)
{
    char digits[12];
    char *at = digits + sizeof digits - 1;
    *at = '\0';
    do {
        *--at = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    trace_text_put(w, before);
    trace_text_put(w, at);
}

static void put_number(struct writer *w, const char *format, unsigned value)
{
    char text[24];
    snprintf(text, sizeof text, format, value); /* NOLINT: formats are the literals below */
    trace_text_put(w, text);
}

static const char *dst_mode(unsigned mode)
{
    static const char *const names[] = {"srcb",   "fp16",  "bf16",  "fp32", "int32", "int8",
                                        "lo16",   "hi16",  "int16", "m9",   "all",   "zero",
                                        "int32c", "int8c", "lo16",  "hi16"};
    return names[mode & 15u];
}

static const char *loadi_mode(unsigned mode)
{
    switch (mode) {
    case TX_MOD_SFPLOADI_FLOATB:
        return " bf16";
    case TX_MOD_SFPLOADI_FLOATA:
        return " fp16";
    case TX_MOD_SFPLOADI_UPPER:
        return ".hi";
    case TX_MOD_SFPLOADI_LOWER:
        return ".lo";
    default:
        return "";
    }
}

static void put_condition(struct writer *w, const struct tx_operands *o)
{
    static const char *const tests[] = {[TX_MOD_SFPSETCC_LREG_LT0] = "<0",
                                        [TX_MOD_SFPSETCC_LREG_NE0] = "!=0",
                                        [TX_MOD_SFPSETCC_LREG_GTE0] = ">=0",
                                        [TX_MOD_SFPSETCC_LREG_EQ0] = "==0"};
    if ((o->mode & TX_MOD_SFPSETCC_CLEAR) != 0) {
        trace_text_put(w, "false");
    } else if ((o->mode & TX_MOD_SFPSETCC_IMM_BIT0) != 0) {
        trace_text_put(w, o->imm != 0 ? "true" : "false");
    } else {
        put_count(w, "L", o->vc);
        trace_text_put(w, tests[o->mode & TX_MOD_SFPSETCC_LREG_EQ0]);
    }
}

/* Writes the destination of SFPCONFIG, and its source. */
static void put_config(struct writer *w, const struct tx_operands *o)
{
    if (o->vd < TX_MOD_SFPCONFIG_MACRO_SEQ0) {
        put_count(w, "template ", o->vd);
        trace_text_put(w, "=");
    } else if (o->vd < TX_MOD_SFPCONFIG_MACRO_CTRL) {
        put_count(w, "sequence ", (unsigned)o->vd - TX_MOD_SFPCONFIG_MACRO_SEQ0);
        trace_text_put(w, "=");
    } else if (o->vd == TX_MOD_SFPCONFIG_MACRO_CTRL) {
        trace_text_put(w, "misc=");
    } else if (o->vd == TX_MOD_SFPCONFIG_SFPU_CTRL) {
        trace_text_put(w, "lanes=");
    } else {
        put_count(w, "L", o->vd);
        trace_text_put(w, "=");
    }
    if ((o->mode & TX_MOD_SFPCONFIG_IMM16_IS_VALUE) == 0) {
        trace_text_put(w, "L0");
    } else {
        put_number(w, "0x%04x", o->imm);
    }
}

static bool negates(const struct trace_insn *insn, unsigned bit)
{
    const bool blackhole = insn->row->archs == 1u << TX_BLACKHOLE;
    return blackhole && (insn->operands.mode & bit) != 0;
}

static void put_register(struct writer *w, unsigned reg, bool indirect)
{
    if (indirect) {
        trace_text_put(w, "L[L7]");
    } else {
        put_count(w, "L", reg);
    }
}

static void put_sign(struct writer *w, const struct trace_insn *insn, char letter)
{
    const struct tx_operands *o = &insn->operands;
    switch (letter) {
    case 'n':
        trace_text_put(w, negates(insn, TX_MOD_SFPMAD_NEGATE_VA) ? "-" : "");
        break;
    case 'p':
        trace_text_put(w, negates(insn, TX_MOD_SFPMAD_NEGATE_VC) ? "-" : "+");
        break;
    case 'q':
        trace_text_put(w, (o->mode & TX_MOD_SFPIADD_ARG_2SCOMP_LREG_DST) != 0 ? "-" : "+");
        break;
    case 'm':
        trace_text_put(w, (o->mode & 3u) == TX_MOD_SFPMOV_NEGATE ? "-" : "");
        break;
    case 't':
        trace_text_put(w, (o->mode & TX_MOD_SFPMUL24_UPPER) != 0 ? ".hi" : ".lo");
        break;
    case 'o': /* the factor of SFPADD, if it is not 1.0 */
        trace_text_put(w, negates(insn, TX_MOD_SFPMAD_NEGATE_VA) ? "-" : "");
        if (o->va != 10) {
            put_register(w, o->va, tx_indirect_va(insn->row->reads, o->mode));
            trace_text_put(w, "*");
        }
        break;
    default: /* z: the addend of SFPMUL, if it is not 0.0 */
        if (o->vc != 9) {
            trace_text_put(w, negates(insn, TX_MOD_SFPMAD_NEGATE_VC) ? "-" : "+");
            put_register(w, o->vc, false);
        }
        break;
    }
}

static void put_address(struct writer *w, const struct trace_insn *insn)
{
    if (insn->has_address) {
        put_count(w, "", insn->address);
    } else {
        put_count(w, "+", insn->operands.imm & 1023u);
    }
}

static void put_field(struct writer *w, const struct trace_insn *insn, char letter)
{
    const struct tx_operands *o = &insn->operands;
    switch (letter) {
    case 'd':
        put_register(w, o->vd, tx_indirect_vd(insn->row->writes, o->mode) && o->vd != 16);
        break;
    case 'a':
        put_register(w, o->va, tx_indirect_va(insn->row->reads, o->mode));
        break;
    case 'D':
        put_register(w, o->vd, false);
        break;
    case 'b':
        put_register(w, o->vb, false);
        break;
    case 'c':
        put_register(w, o->vc, false);
        break;
    case 'i':
        put_count(w, "", o->imm);
        break;
    case 's':
        put_number(w, "%d", (o->imm & 0x800u) != 0 ? o->imm | 0xfffff000u : o->imm);
        break;
    case 'x':
        put_number(w, "0x%04x", o->imm);
        break;
    case 'M':
        put_count(w, "", o->mode);
        break;
    case 'v':
        put_count(w, "", insn->macro ? o->va : o->vc);
        break;
    case 'f':
        trace_text_put(w, dst_mode(insn->format));
        break;
    case 'h':
        trace_text_put(w, loadi_mode(o->mode));
        break;
    case '@':
        put_address(w, insn);
        break;
    case 'C':
        put_condition(w, o);
        break;
    case 'g':
        if ((o->mode & TX_MOD_SFPGT_SET_VD) != 0) {
            put_count(w, "L", o->vd);
            trace_text_put(w, "=");
        }
        break;
    case 'N':
        put_config(w, o);
        break;
    default:
        put_sign(w, insn, letter);
        break;
    }
}

/*
 * Writes an instruction without a pattern: "abs L1=L0" for SFPABS; for other units only the name.
 */
static void put_plain(struct writer *w, const struct trace_insn *insn)
{
    const char *name = insn->row->mnemonic;
    const bool vector = insn->row->unit >= TX_UNIT_LOAD && insn->row->unit <= TX_UNIT_STORE;
    name += vector ? strlen("SFP") : 0;
    for (; *name != '\0' && w->p < w->end; name++) {
        *w->p++ = (char)tolower((unsigned char)*name);
    }
    *w->p = '\0';
    if ((insn->row->writes & TX_SET(VD)) != 0 && (insn->row->reads & TX_SET(VC)) != 0) {
        trace_text_put(w, " ");
        put_field(w, insn, 'd');
        trace_text_put(w, "=");
        put_field(w, insn, 'c');
    }
}

static const char *pattern_of(const struct tx_row *row)
{
    for (size_t i = 0; i < sizeof row_patterns / sizeof row_patterns[0]; i++) {
        if (row->number == row_patterns[i].row) {
            return row_patterns[i].text;
        }
    }
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        if (row->insn == patterns[i].insn) {
            return patterns[i].text;
        }
    }
    return NULL;
}

void trace_operands_text(struct trace_insn *insn)
{
    struct writer w = {insn->text, insn->text + sizeof insn->text - 1};
    if (insn->row == NULL) {
        put_number(&w, "%08x", insn->word);
        return;
    }
    if (insn->text[0] != '\0') {
        /*
         * The text is already set, for example to the part of SFPLOADMACRO's configuration that it
         * writes.
         */
        return;
    }
    const char *text = pattern_of(insn->row);
    if (text == NULL) {
        put_plain(&w, insn);
        return;
    }
    while (*text != '\0') {
        if (*text == '%') {
            put_field(&w, insn, text[1]);
            text += 2;
            continue;
        }
        char plain[32];
        size_t length = 0;
        while (*text != '\0' && *text != '%' && length + 1 < sizeof plain) {
            plain[length++] = *text++;
        }
        plain[length] = '\0';
        trace_text_put(&w, plain);
    }
}

const char *trace_unit(unsigned unit)
{
    static const char *const names[] = {"Load", "Simple", "MAD", "Round", "Store"};
    return unit >= TX_UNIT_LOAD && unit <= TX_UNIT_STORE ? names[unit - TX_UNIT_LOAD]
                                                         : txl_unit_name(unit);
}

const char *trace_label(const struct trace_insn *insn, char *text, size_t size)
{
    char prefix[16] = "";
    if (insn->scheduled || insn->macro) {
        snprintf(prefix, sizeof prefix, "[L%u] ", insn->launch_vd);
    }
    bool second = insn->kind == TRACE_SECOND; /* shows only the destination */
    if (prefix[0] == '\0' && !second && !insn->dropped) {
        const size_t length = strlen(insn->text);
        const size_t fits = length < size ? length : size - 1;
        memcpy(text, insn->text, fits);
        text[fits] = '\0';
        return text;
    }
    snprintf(text, size, "%s%s%.*s%s", second ? "' " : "", prefix,
             (int)(second ? strcspn(insn->text, "=") : strlen(insn->text)), insn->text,
             insn->dropped ? " (dropped)" : "");
    return text;
}
