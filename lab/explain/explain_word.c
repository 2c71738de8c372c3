/* SPDX-License-Identifier: Apache-2.0 */
/* Explains a word: what it decodes to on each chip. */
#include <tensix/facts.h>

#include "explain/explain.h"

#include <stdlib.h>
#include <string.h>

static txl_json *word_json(const struct tx_decoded *d, const char *text)
{
    txl_json *object = txl_json_object();
    txl_json_set_text(object, "text", text);
    txl_json_set_text(object, "mnemonic", d->insn->name);
    txl_json *fields = txl_json_object();
    for (unsigned i = 0; i < d->insn->field_count; i++) {
        txl_json_set_int(fields, d->insn->fields[i].name, d->fields[i]);
    }
    txl_json_set(object, "fields", fields);
    txl_json_set_int(object, "mode", d->mode);
    txl_json_set_word(object, "unused", d->unused);
    txl_json_set_bool(object, "canonical", d->canonical);
    txl_json_set(object, "row", d->row != NULL ? txl_row_json(d->row) : txl_json_null());
    return object;
}

static void print_word(FILE *out, enum tx_arch arch, uint32_t word, const struct tx_decoded *d,
                       const char *text)
{
    struct tx_macro_reader reader = {0};
    char macro[256];
    fprintf(out, "    %s\n", text);
    if (tx_macro_follow(&reader, arch, word, macro, sizeof macro)) {
        fprintf(out, "    %s\n", macro);
    }
    explain_picture(out, d->insn);
    for (unsigned i = 0; i < d->insn->field_count; i++) {
        fprintf(out, "    %-20s %u (0x%x)\n", d->insn->fields[i].name, d->fields[i], d->fields[i]);
    }
    if (d->unused != 0) {
        fprintf(out, "    bits that are set and not read: %08x\n", d->unused);
    }
    if (d->row == NULL) {
        const char *reason = tx_insn_undocumented(d->insn);
        fprintf(out, "    not executed: %s\n",
                reason != NULL ? reason : "its behaviour is not modelled, or there is none");
        return;
    }
    fprintf(out, "    mode %u is %s the contract\n", d->mode,
            (d->row->legal >> d->mode & 1) != 0 ? "inside" : "outside");
    const struct tx_insn_mode *mode;
    for (size_t i = 0; (mode = tx_insn_mode_at(arch, d->insn, i)) != NULL; i++) {
        if (mode->field != TX_FLD_MOD && tx_insn_mode_holds(arch, mode, word)) {
            fprintf(out, "    %-4s %-16s %s: %s\n", mode->where, mode->name, mode->meaning,
                    mode->formula);
        }
    }
    explain_row(out, d->row, 1U << d->mode);
}

bool explain_word(struct explain *e)
{
    const char *digits = e->subject;
    bool prefixed = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    digits += prefixed ? 2 : 0;
    size_t length = strspn(digits, "0123456789abcdefABCDEF");
    if (digits[length] != '\0' || length == 0 || length > 8 || (!prefixed && length < 7)) {
        return false;
    }
    uint32_t word = (uint32_t)strtoul(digits, NULL, 16);
    txl_json *root = txl_json_object();
    txl_json_set_text(root, "kind", "word");
    txl_json_set_word(root, "word", word);
    for (enum tx_arch arch = TX_ARCH_FIRST; arch <= TX_ARCH_LAST; arch++) {
        struct tx_decoded d;
        char text[128];
        if (!explain_wants(e, arch)) {
            continue;
        }
        bool known = tx_decode(arch, word, &d) == TX_OK;
        (void)tx_disassemble(arch, word, TX_DIS_NORMAL, text, sizeof text);
        if (e->out == NULL) {
            txl_json_set(root, tx_arch_name(arch), known ? word_json(&d, text) : txl_json_null());
            continue;
        }
        fprintf(e->out, "%s%s: %08x%s\n",
                arch == TX_ARCH_LAST && e->arch == TX_ARCH_NONE ? "\n" : "", tx_arch_name(arch),
                word, known ? "" : " is no instruction");
        if (known) {
            print_word(e->out, arch, word, &d, text);
        }
    }
    e->json = root;
    return true;
}
