/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions in the few letters that fit into a cell, with the registers they really use. */
#include "trace/trace_model.h"

#include <ctype.h>
#include <string.h>

/*
 * %d %a %b %c: registers, indirect ones as L[L7]; %n: a sign where Blackhole negates VA; %p: plus,
 * or minus where it negates VC; %i: immediate, %s: 12-bit signed, %x: hex, %@: address in Dst.
 * Looked up by the beginning of the row's name.
 */
static const struct {
    const char *row, *text;
} patterns[] = {
    {"SFPLOADI", "loadi %d%h=%x"},
    {"SFPLOADMACRO", "lm%v %d=dst %@ %f"},
    {"SFPLOAD", "%d=dst %@ %f"},
    {"SFPSTORE", "dst %@=%d %f"},
    {"SFPMAD", "mad %d=%n%a*%b%p%c"},
    {"SFPMUL24", "mul24%t %d=%a*%b"},
    {"SFPMULI", "muli %d=%c*bf16 %x"},
    {"SFPADDI", "addi %d=%c+bf16 %x"},
    {"SFPMUL", "mul %d=%n%a*%b%z"},
    {"SFPADD", "add %d=%o%b%p%c"},
    {"SFPLUTFP32", "lutfp32 %d=lut(L3)"},
    {"SFPLUT", "lut %d=lut(L3)"},
    {"SFPDIVP2", "divp2 %d=%c,%s"},
    {"SFPEXEXP", "exexp %d=%c"},
    {"SFPEXMAN", "exman %d=%c"},
    {"SFPIADD_REG", "iadd %d=%c%q%b"},
    {"SFPIADD_IMM", "iadd %d=%c+%s"},
    {"SFPSHFT_REG", "shft %d=%b by %c"},
    {"SFPSHFT_IMM_VC", "shft %d=%c by %s"},
    {"SFPSHFT_IMM", "shft %d=%b by %s"},
    {"SFPSETCC", "setcc %C"},
    {"SFPMOV_SPECIAL", "mov %d=special %v"},
    {"SFPMOV", "mov %d=%m%c"},
    {"SFPAND", "and %d=%b&%c"},
    {"SFPOR", "or %d=%b|%c"},
    {"SFPXOR", "xor %d=%b^%c"},
    {"SFPSETEXP_IMM", "setexp %d=%c,%i"},
    {"SFPSETMAN_IMM", "setman %d=%c,%x"},
    {"SFPSETSGN_IMM", "setsgn %d=%c,%i"},
    {"SFPSETEXP", "setexp %d=%c,%b"},
    {"SFPSETMAN", "setman %d=%c,%b"},
    {"SFPSETSGN", "setsgn %d=%c,%b"},
    {"SFPENCC", "encc %i,%M"},
    {"SFPPUSHC", "pushc %M"},
    {"SFPPOPC", "popc %M"},
    {"SFPCOMPC", "compc"},
    {"SFPTRANSP", "transp L0-7"},
    {"SFPCAST_ABS", "cast %d=abs %c"},
    {"SFPCAST_SM", "cast %d=sm %c"},
    {"SFPCAST", "cast %d=fp32 %c"},
    {"SFPCONFIG", "config %N"},
    {"SFPSWAP_SWAP", "swap %D,%c"},
    {"SFPSWAP", "swap %D,%c min/max %M"},
    {"SFPLE", "le %g%b<=%c mode %M"},
    {"SFPGT", "gt %g%b>%c mode %M"},
    {"SFPSTOCHRND_SHIFT_VB", "rnd %d=%c>>%b mode %M"},
    {"SFPSTOCHRND_SHIFT_IMM", "rnd %d=%c>>%i mode %M"},
    {"SFPSTOCHRND", "rnd %d=%c mode %M"},
    {"SFPSHFT2_COPY4", "shft2 L0-3 copy4"},
    {"SFPSHFT2_CHAINED", "shft2 L0-3 chained"},
    {"SFPSHFT2_SHFLROR1_COPY4", "shft2 copy4 ror1 %c"},
    {"SFPSHFT2_SHFLROR1", "shft2 %d=ror1 %c"},
    {"SFPSHFT2_SHFLSHR1", "shft2 %d=shr1 %c"},
    {"SFPSHFT2_SHFT_LREG", "shft2 %d=%b by %c"},
    {"SFPSHFT2_SHFT_IMM", "shft2 %d=%b by %s"},
    {"SFPSHFT2_UNDEFINED", "shft2 undefined"},
    {"SFPNOP", "nop"},
};

struct writer {
    char *p, *end;
};

static void put(struct writer *w, const char *text)
{
    while (*text != '\0' && w->p < w->end) {
        *w->p++ = *text++;
    }
    *w->p = '\0';
}

static void put_number(struct writer *w, const char *format, unsigned value)
{
    char text[24];
    snprintf(text, sizeof text, format, value); /* NOLINT: formats are the literals below */
    put(w, text);
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
    case 0:
        return " bf16";
    case 1:
        return " fp16";
    case 8:
        return ".hi";
    case 10:
        return ".lo";
    default:
        return "";
    }
}

static void put_condition(struct writer *w, const struct tx_operands *o)
{
    static const char *const tests[] = {"<0", "!=0", ">=0", "==0"};
    if ((o->mode & 8u) != 0) {
        put(w, "false");
    } else if ((o->mode & 1u) != 0) {
        put(w, o->imm != 0 ? "true" : "false");
    } else {
        put_number(w, "L%u", o->vc);
        put(w, tests[o->mode >> 1 & 3u]);
    }
}

/* Where SFPCONFIG writes, and what. */
static void put_config(struct writer *w, const struct tx_operands *o)
{
    if (o->vd < 4) {
        put_number(w, "template %u=", o->vd);
    } else if (o->vd < 8) {
        put_number(w, "sequence %u=", o->vd - 4u);
    } else if (o->vd == 8) {
        put(w, "misc=");
    } else if (o->vd == 15) {
        put(w, "lanes=");
    } else {
        put_number(w, "L%u=", o->vd);
    }
    if ((o->mode & 1u) == 0) {
        put(w, "L0");
    } else {
        put_number(w, "0x%04x", o->imm);
    }
}

static bool negates(const struct trace_insn *insn, unsigned bit)
{
    size_t length = strlen(insn->row->id);
    bool blackhole = length > 3 && strcmp(insn->row->id + length - 3, "_BH") == 0;
    return blackhole && (insn->operands.mode & bit) != 0;
}

static bool has_token(const char *tokens, const char *token)
{
    size_t length = strlen(token);
    for (const char *p = tokens; p != NULL && (p = strstr(p, token)) != NULL; p += length) {
        if ((p == tokens || !isalnum((unsigned char)p[-1])) && !isalnum((unsigned char)p[length]) &&
            p[length] != '_') {
            return true;
        }
    }
    return false;
}

static void put_register(struct writer *w, unsigned reg, bool indirect)
{
    if (indirect) {
        put(w, "L[L7]");
    } else {
        put_number(w, "L%u", reg);
    }
}

static void put_sign(struct writer *w, const struct trace_insn *insn, char letter)
{
    const struct tx_operands *o = &insn->operands;
    switch (letter) {
    case 'n':
        put(w, negates(insn, 1) ? "-" : "");
        break;
    case 'p':
        put(w, negates(insn, 2) ? "-" : "+");
        break;
    case 'q':
        put(w, (o->mode & 2u) != 0 ? "-" : "+");
        break;
    case 'm':
        put(w, (o->mode & 3u) == 1 ? "-" : "");
        break;
    case 't':
        put(w, (o->mode & 1u) != 0 ? ".hi" : ".lo");
        break;
    case 'o': /* the factor of SFPADD, where it is not 1.0 */
        put(w, negates(insn, 1) ? "-" : "");
        if (o->va != 10) {
            put_register(w, o->va, (o->mode & 4u) != 0);
            put(w, "*");
        }
        break;
    default: /* z: the addend of SFPMUL, where it is not 0.0 */
        if (o->vc != 9) {
            put(w, negates(insn, 2) ? "-" : "+");
            put_register(w, o->vc, false);
        }
        break;
    }
}

static void put_address(struct writer *w, const struct trace_insn *insn)
{
    if (insn->has_address) {
        put_number(w, "%u", insn->address);
    } else {
        put_number(w, "+%u", insn->operands.imm & 1023u);
    }
}

static void put_field(struct writer *w, const struct trace_insn *insn, char letter)
{
    const struct tx_operands *o = &insn->operands;
    switch (letter) {
    case 'd':
        put_register(w, o->vd,
                     (o->mode & 8u) != 0 && o->vd != 16 && has_token(insn->row->writes, "VDX"));
        break;
    case 'a':
        put_register(w, o->va, (o->mode & 4u) != 0 && has_token(insn->row->reads, "VAX"));
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
        put_number(w, "%u", o->imm);
        break;
    case 's':
        put_number(w, "%d", (o->imm & 0x800u) != 0 ? o->imm | 0xfffff000u : o->imm);
        break;
    case 'x':
        put_number(w, "0x%04x", o->imm);
        break;
    case 'M':
        put_number(w, "%u", o->mode);
        break;
    case 'v':
        put_number(w, "%u", insn->macro ? o->va : o->vc);
        break;
    case 'f':
        put(w, dst_mode(insn->format));
        break;
    case 'h':
        put(w, loadi_mode(o->mode));
        break;
    case '@':
        put_address(w, insn);
        break;
    case 'C':
        put_condition(w, o);
        break;
    case 'g':
        if ((o->mode & 8u) != 0) {
            put_number(w, "L%u=", o->vd);
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

/* SFPABS: "abs L1=L0"; other units: their name alone. */
static void put_plain(struct writer *w, const struct trace_insn *insn)
{
    const char *name = insn->row->mnemonic;
    name += strncmp(name, "SFP", 3) == 0 ? 3 : 0;
    for (; *name != '\0' && w->p < w->end; name++) {
        *w->p++ = (char)tolower((unsigned char)*name);
    }
    *w->p = '\0';
    if (has_token(insn->row->writes, "VD") && has_token(insn->row->reads, "VC")) {
        put(w, " ");
        put_field(w, insn, 'd');
        put(w, "=");
        put_field(w, insn, 'c');
    }
}

void trace_operands_text(struct trace_insn *insn)
{
    struct writer w = {insn->text, insn->text + sizeof insn->text - 1};
    const char *text = NULL;
    size_t best = 0;
    if (insn->row == NULL) {
        put_number(&w, "%08x", insn->word);
        return;
    }
    if (insn->text[0] != '\0') {
        return; /* what it configures of SFPLOADMACRO, or the text is there already */
    }
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        size_t length = strlen(patterns[i].row);
        char after =
            strncmp(insn->row->id, patterns[i].row, length) == 0 ? insn->row->id[length] : 'x';
        if (length > best && (after == '\0' || after == '_')) {
            best = length;
            text = patterns[i].text;
        }
    }
    if (text == NULL) {
        put_plain(&w, insn);
        return;
    }
    for (; *text != '\0'; text++) {
        if (*text == '%') {
            put_field(&w, insn, *++text);
        } else {
            put(&w, (char[]){*text, '\0'});
        }
    }
}

uint32_t trace_reads(const struct trace_insn *insn)
{
    const struct tx_operands *o = &insn->operands;
    const char *reads = insn->row->reads;
    uint32_t set = 0;
    set |= has_token(reads, "VA") || has_token(reads, "VAX") ? 1u << o->va : 0;
    set |= has_token(reads, "VB") ? 1u << o->vb : 0;
    set |= has_token(reads, "VC") ? 1u << o->vc : 0;
    set |= has_token(reads, "VD") ? 1u << o->vd : 0;
    set |= has_token(reads, "L0CFG") && (o->mode & 1u) == 0 ? 1u : 0;
    for (unsigned i = 0; i < 8; i++) {
        char name[4] = {'L', (char)('0' + i), '\0', '\0'};
        set |= has_token(reads, name) ? 1u << i : 0;
    }
    return set;
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
    bool second = insn->kind == TRACE_SECOND; /* the destination is enough */
    snprintf(text, size, "%s%s%.*s%s", second ? "' " : "", prefix,
             (int)(second ? strcspn(insn->text, "=") : strlen(insn->text)), insn->text,
             insn->dropped ? " (dropped)" : "");
    return text;
}

void trace_put_string(FILE *stream, const char *text)
{
    putc('"', stream);
    for (const unsigned char *p = (const unsigned char *)text; *p != '\0'; p++) {
        if (*p == '"' || *p == '\\') {
            fprintf(stream, "\\%c", *p);
        } else if (*p < 0x20 || *p >= 0x7f || *p == '<' || *p == '>' || *p == '&') {
            fprintf(stream, "\\u%04x", *p >= 0x80 ? '?' : *p);
        } else {
            putc(*p, stream);
        }
    }
    putc('"', stream);
}

void trace_put_hex(FILE *stream, const uint32_t *values, size_t count, unsigned digits)
{
    char text[TX_LANES * 8];
    size_t n = 0;
    for (size_t i = 0; i < count && n + digits <= sizeof text; i++) {
        for (unsigned d = digits; d > 0; d--) {
            text[n++] = "0123456789abcdef"[values[i] >> 4 * (d - 1) & 15u];
        }
    }
    fwrite(text, 1, n, stream);
}
