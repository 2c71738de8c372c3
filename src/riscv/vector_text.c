/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of V as lines of assembly. */
#include "riscv/vector.h"

#include <stdio.h>

static const char *suffix(const struct vector_row *row, enum vector_form form, bool masked)
{
    static const char *const forms[3] = {".vv", ".vx", ".vi"};
    static const char *const carries[3] = {".vvm", ".vxm", ".vim"};
    static const char *const moves[3] = {".v.v", ".v.x", ".v.i"};
    static const char *const narrows[3] = {".wv", ".wx", ".wi"};
    const unsigned i = form == FORM_V ? 0 : form == FORM_X ? 1 : 2;
    const bool is_float = row->category == OPF && form == FORM_X;
    switch ((enum vector_kind)row->kind) {
    case REDUCE:
    case WIDE_REDUCE:
        return ".vs";
    case MASK:
        return ".mm";
    case COMPRESS:
        return ".vm";
    case NARROW:
        return narrows[i];
    case WIDE_WIDE:
        return i == 0 ? "v" : "x";
    case MERGE:
        return !masked ? (is_float ? ".v.f" : moves[i]) : is_float ? ".vfm" : carries[i];
    case CARRY:
        return carries[i];
    case CARRY_OUT:
        return masked ? carries[i] : forms[i];
    case OF_SCALAR:
    case WHOLE:
        return "";
    case EXTEND:
        return "";
    default:
        return row->vs1 >= 0 ? "" : is_float ? ".vf" : forms[i];
    }
}

static void memory_text(uint32_t w, const char *const *x, char *text, size_t size)
{
    const unsigned mop = bits_get(w, 26, 2);
    const unsigned lumop = mop == 0 ? bits_get(w, 20, 5) : 0;
    const unsigned fields = bits_get(w, 29, 3) + 1;
    const unsigned funct3 = bits_get(w, 12, 3);
    const unsigned bits = funct3 == 0 ? 8 : funct3 == 5 ? 16 : 32;
    const char *way = (w & 0x7Fu) == 0x27u ? "s" : "l";
    const char *masked = bits_get(w, 25, 1) == 0 ? ", v0.t" : "";
    const char *base = x[bits_get(w, 15, 5)];
    const unsigned vd = bits_get(w, 7, 5);
    char segments[16] = "";
    if (fields > 1 && lumop != 8) {
        snprintf(segments, sizeof segments, "seg%u", fields);
    }
    if (lumop == 8) {
        char width[16] = "";
        snprintf(width, sizeof width, way[0] == 'l' ? "re%u" : "r", bits);
        snprintf(text, size, "v%s%u%s.v v%u, (%s)", way, fields, width, vd, base);
    } else if (lumop == 11) {
        snprintf(text, size, "v%sm.v v%u, (%s)", way, vd, base);
    } else if (mop == 0) {
        snprintf(text, size, "v%s%se%u%s.v v%u, (%s)%s", way, segments, bits,
                 lumop == 16 ? "ff" : "", vd, base, masked);
    } else if (mop == 2) {
        snprintf(text, size, "v%ss%se%u.v v%u, (%s), %s%s", way, segments, bits, vd, base,
                 x[bits_get(w, 20, 5)], masked);
    } else {
        snprintf(text, size, "v%s%cx%sei%u.v v%u, (%s), v%u%s", way, mop == 1 ? 'u' : 'o', segments,
                 bits, vd, base, bits_get(w, 20, 5), masked);
    }
}

static void type_text(uint32_t vtype, char *text, size_t size)
{
    static const char *const lmul[8] = {"m1", "m2", "m4", "m8", "?", "mf8", "mf4", "mf2"};
    snprintf(text, size, "e%u, %s, %s, %s", 8u << bits_get(vtype, 3, 3), lmul[vtype & 7u],
             bits_get(vtype, 6, 1) != 0 ? "ta" : "tu", bits_get(vtype, 7, 1) != 0 ? "ma" : "mu");
}

static void second_text(const struct vector_row *row, uint32_t w, const char *const *x, char *text,
                        size_t size)
{
    const unsigned vs1 = bits_get(w, 15, 5);
    const enum vector_form form = vector_form(w);
    const enum vector_kind kind = (enum vector_kind)row->kind;
    const bool is_unsigned =
        kind == SHIFT || kind == NARROW || kind == GATHER || kind == SLIDE_UP || kind == SLIDE_DOWN;
    if (form == FORM_V) {
        snprintf(text, size, "v%u", vs1);
    } else if (form == FORM_I) {
        snprintf(text, size, "%d", is_unsigned ? (int)vs1 : (int)bits_sext(vs1, 5));
    } else {
        snprintf(text, size, "%s", row->category == OPF ? riscv_f_names[vs1] : x[vs1]);
    }
}

static void arithmetic_text(const struct vector_row *row, uint32_t w, const char *const *x,
                            char *text, size_t size)
{
    const unsigned vd = bits_get(w, 7, 5);
    const unsigned vs2 = bits_get(w, 20, 5);
    const enum vector_kind kind = (enum vector_kind)row->kind;
    const bool masked = bits_get(w, 25, 1) == 0;
    const char *mask = !masked                                               ? ""
                       : kind == CARRY || kind == CARRY_OUT || kind == MERGE ? ", v0"
                                                                             : ", v0.t";
    const char *ending = suffix(row, vector_form(w), masked);
    const bool copies = kind == MERGE && !masked;
    const char *name = !copies ? row->name : row->category == OPF ? "vfmv" : "vmv";
    char b[16];
    second_text(row, w, x, b, sizeof b);
    if (kind == TO_X || kind == TO_F) {
        snprintf(text, size, "%s %s, v%u%s", name, kind == TO_X ? x[vd] : riscv_f_names[vd], vs2,
                 mask);
    } else if (kind == OF_SCALAR || copies) {
        snprintf(text, size, "%s%s v%u, %s", name, ending, vd, b);
    } else if (kind == WHOLE) {
        snprintf(text, size, "vmv%ur.v v%u, v%u", bits_get(w, 15, 5) + 1, vd, vs2);
    } else if (kind == IOTA && row->vs1 == 17) {
        snprintf(text, size, "%s v%u%s", name, vd, mask);
    } else if (row->vs1 >= 0) {
        snprintf(text, size, "%s v%u, v%u%s", name, vd, vs2, mask);
    } else if (kind == TERNARY || kind == WIDE_TERNARY) {
        snprintf(text, size, "%s%s v%u, %s, v%u%s", name, ending, vd, b, vs2, mask);
    } else {
        snprintf(text, size, "%s%s v%u, v%u, %s%s", name, ending, vd, vs2, b, mask);
    }
}

void vector_text(uint32_t w, const char *const *x, char *text, size_t size)
{
    const uint32_t id = vector_find(w);
    const char *rd = x[bits_get(w, 7, 5)];
    const unsigned vs1 = bits_get(w, 15, 5);
    char type[32];
    switch (id) {
    case VECTOR_MEMORY:
        memory_text(w, x, text, size);
        return;
    case VECTOR_VSETVL:
        snprintf(text, size, "vsetvl %s, %s, %s", rd, x[vs1], x[bits_get(w, 20, 5)]);
        return;
    case VECTOR_VSETVLI:
        type_text(bits_get(w, 20, 11), type, sizeof type);
        snprintf(text, size, "vsetvli %s, %s, %s", rd, x[vs1], type);
        return;
    case VECTOR_VSETIVLI:
        type_text(bits_get(w, 20, 10), type, sizeof type);
        snprintf(text, size, "vsetivli %s, %u, %s", rd, vs1, type);
        return;
    case VECTOR_NONE:
        snprintf(text, size, ".word 0x%08x", (unsigned)w);
        return;
    default:
        arithmetic_text(&vector_rows[id], w, x, text, size);
        return;
    }
}
