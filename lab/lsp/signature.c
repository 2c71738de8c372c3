/* SPDX-License-Identifier: Apache-2.0 */
/* Signature help: the operands of the instruction or macro before the cursor, in their order. */
#include "lsp/lsp.h"

#include <string.h>

#include <tensix/asm.h>
#include <tensix/isa.h>

enum { TEXT = 256, WORD = 64 };

/* Where a macro of this name is defined: the rest of the line, which names its parameters. */
struct macro {
    const char *name;
    char text[TEXT];
    bool found;
};

static bool macro_of(void *user, const struct document *there);

struct macro_in {
    struct macro *macro;
    const struct document *there;
};

static bool macro_named(void *user, const struct name *name)
{
    struct macro_in *in = user;
    struct macro *m = in->macro;
    if (name->kind != NAME_MACRO || name->length != strlen(m->name) ||
        memcmp(name->text, m->name, name->length) != 0) {
        return true;
    }
    size_t length;
    const char *line = line_at(in->there->text, in->there->length, name->line, &length);
    const char *comment = memchr(line, '#', length);
    length = comment != NULL ? (size_t)(comment - line) : length;
    while (length > name->to && (line[length - 1] == ' ' || line[length - 1] == '\t')) {
        length--;
    }
    snprintf(m->text, sizeof m->text, "%.*s", (int)(length - name->from), line + name->from);
    m->found = true;
    return false;
}

static bool macro_of(void *user, const struct document *there)
{
    struct macro_in in = {user, there};
    names_in(there->text, there->length, macro_named, &in);
    return !in.macro->found;
}

/* The range in bytes of one name of a list that is separated by commas or blanks. */
static bool parameter_at(const char *text, size_t from, unsigned index, size_t *begin, size_t *end)
{
    for (unsigned i = 0;; i++) {
        from += strspn(text + from, " ,\t");
        if (text[from] == '\0') {
            return false;
        }
        *begin = from;
        *end = from = from + strcspn(text + from, " ,\t");
        if (i == index) {
            return true;
        }
    }
}

static txl_json *one_signature(const char *text, unsigned active)
{
    txl_json *help = txl_json_object();
    txl_json *signatures = txl_json_array();
    txl_json *signature = txl_json_object();
    txl_json *parameters = txl_json_array();
    const size_t after = strcspn(text, " ");
    size_t begin, end;
    for (unsigned i = 0; parameter_at(text, after, i, &begin, &end); i++) {
        txl_json *parameter = txl_json_object();
        txl_json *label = txl_json_array();
        txl_json_append(label, txl_json_int((int64_t)begin));
        txl_json_append(label, txl_json_int((int64_t)end));
        txl_json_set(parameter, "label", label);
        txl_json_append(parameters, parameter);
    }
    txl_json_set_text(signature, "label", text);
    txl_json_set(signature, "parameters", parameters);
    txl_json_append(signatures, signature);
    txl_json_set(help, "signatures", signatures);
    txl_json_set_int(help, "activeSignature", 0);
    txl_json_set_int(help, "activeParameter", active);
    return help;
}

txl_json *signature_json(txl_lsp *lsp, struct document *d, size_t line, size_t byte)
{
    size_t length, word_length;
    char word[WORD];
    char text[TEXT];
    const char *at = line_at(d->text, d->length, line, &length);
    byte = byte < length ? byte : length;
    const size_t first = first_word(at, length, byte, &word_length);
    if (word_length == 0 || word_length >= sizeof word || byte <= first + word_length) {
        return NULL;
    }
    memcpy(word, at + first, word_length);
    word[word_length] = '\0';
    unsigned active = 0;
    for (size_t i = first + word_length; i < byte; i++) {
        active += at[i] == ',' ? 1 : 0;
    }
    struct macro macro = {.name = word};
    files_of(lsp, d, macro_of, &macro);
    if (macro.found) {
        return one_signature(macro.text, active);
    }
    const struct tx_insn *insn = tx_insn_find(document_arch(lsp, d), word);
    return insn != NULL ? one_signature(tx_insn_syntax(insn, false, text, sizeof text), active)
                        : NULL;
}
