/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the result as a header of TTI_ macros, as the vendor's SFPU kernels are written. */
#include "opt/opt.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 64, TEXT = 224 };

/* The name of the file without folder and ending, as C++ can take it. */
static void plain_name(const char *path, char name[NAME])
{
    const char *from = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
    size_t length = 0;
    while (from[length] != '\0' && from[length] != '.' && length + 1 < NAME) {
        const unsigned char c = (unsigned char)from[length];
        name[length++] = isalnum(c) && c < 128 ? (char)c : '_';
    }
    name[length] = '\0';
    if (length == 0 || strcmp(from, "-") == 0) {
        snprintf(name, NAME, "kernel");
    }
}

/*
 * TXL_CONTINUE: the assembler makes this word of the macro, so that no bit is lost. TXL_NEGATIVE:
 * it does not.
 */
static int gives(struct txl_error *err, enum tx_arch arch, const char *text, uint32_t word)
{
    const struct tx_asm_options as = {.arch = arch};
    struct tx_program *program = NULL;
    struct tx_diag diag;
    const enum tx_status status = tx_assemble(text, strlen(text), &as, &program, &diag);
    const bool good = status == TX_OK && tx_program_count(program, TX_SECTION_TILE) == 1 &&
                      tx_program_words(program, TX_SECTION_TILE)[0] == word;
    tx_program_free(program);
    return status == TX_ENOMEM ? no_memory(err) : good ? TXL_CONTINUE : TXL_NEGATIVE;
}

/* Writes a word as a macro with its semicolon. TXL_NEGATIVE: it has none. */
static int put_macro(struct txl_error *err, FILE *out, enum tx_arch arch, uint32_t word)
{
    char text[TEXT];
    if (tx_disassemble(arch, word, TX_DIS_MACRO, text, sizeof text) != TX_OK) {
        return TXL_NEGATIVE;
    }
    /* what stands behind the operands are bits that a macro does not take */
    const size_t length = strlen(text);
    const int given = text[length - 1] == ')' ? gives(err, arch, text, word) : TXL_NEGATIVE;
    if (given == TXL_CONTINUE) {
        if (text[length - 2] == '(') {
            text[length - 2] = '\0'; /* the vendor's macros without operands have no parentheses */
        }
        fprintf(out, "    %s;\n", text);
    }
    return given;
}

static int put_function(struct txl_error *err, FILE *out, const txl_opt *o, const char *kind,
                        const char *name, unsigned section)
{
    const struct tx_program *p = o->program;
    fprintf(out, "\ninline void _%s_%s_()\n{\n", kind, name);
    for (size_t i = 0; i < tx_program_count(p, section); i++) {
        const uint32_t word = tx_program_words(p, section)[i];
        const int result = put_macro(err, out, tx_program_arch(p), word);
        if (result == TXL_NEGATIVE) {
            return txl_refuse(err, TXL_NEGATIVE, "%s: no header: the word %08x has no TTI_ macro",
                              o->name, word);
        }
        if (result != TXL_CONTINUE) {
            return result;
        }
    }
    fputs("}\n", out);
    return TXL_CONTINUE;
}

static void put_head(FILE *out, const txl_opt *o, const char *name)
{
    const struct tx_program *p = o->program;
    const struct txl_opt_result *r = &o->result;
    fprintf(
        out,
        "// SPDX-License-Identifier: Apache-2.0\n"
        "// Written by tensix opt for %s: a tile in %llu cycles%s.\n"
        "// _init_%s_ loads constants, templates and sequences; _calculate_%s_ does the 32 rows "
        "of a\n// tile at once, from where Dst's counters are (VectorMode::RC_custom), and "
        "leaves them there.\n",
        tx_arch_name(tx_program_arch(p)), (unsigned long long)r->after,
        r->kept == NULL && r->optimal ? ", no row sooner is possible" : "", name, name);
    if (tx_program_dst(p) != TX_DST_FORMAT_UNSET) {
        fprintf(out, "// Dst is %s.\n", tx_dst_format_name(tx_program_dst(p)));
    }
    for (unsigned i = 0; i < tx_program_config_count(p); i++) {
        fprintf(out, "// It needs %s = %u.\n", tx_program_config_name(p, i),
                tx_program_config_value(p, i));
    }
    fputs("#pragma once\n\n#include \"ckernel_ops.h\"\n\nnamespace ckernel\n{\nnamespace sfpu\n{\n",
          out);
}

char *txl_opt_header(struct txl_error *err, const txl_opt *o)
{
    struct memory_text text;
    char name[NAME];
    char *header = NULL;
    plain_name(o->name, name);
    int result = memory_text_open(err, &text);
    if (result != TXL_CONTINUE) {
        return NULL;
    }
    put_head(text.stream, o, name);
    result = put_function(err, text.stream, o, "init", name, TX_SECTION_INIT);
    if (result == TXL_CONTINUE) {
        result = put_function(err, text.stream, o, "calculate", name, TX_SECTION_TILE);
    }
    fputs("\n} // namespace sfpu\n} // namespace ckernel\n", text.stream);
    (void)memory_text_give(err, &text, result == TXL_CONTINUE ? TXL_OK : result, &header);
    return header;
}
