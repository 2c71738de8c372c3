/* SPDX-License-Identifier: Apache-2.0 */
/* Explains an instruction: its encoding, behaviours, values of its fields, errata and evidence. */
#include <tensix/facts.h>

#include "explain/explain.h"

/*
 * Prints the conditions that an instruction can wait for: all for STALLWAIT, the lowest four for
 * FLUSHDMA.
 */
static void print_conditions(struct explain *e, const struct tx_insn *insn)
{
    const bool flush = insn->opcode == TX_INSN_FLUSHDMA;
    if (!flush && insn->opcode != TX_INSN_STALLWAIT) {
        return;
    }
    for (enum tx_arch arch = TX_ARCH_FIRST; arch <= TX_ARCH_LAST; arch++) {
        if (explain_wants(e, arch)) {
            fprintf(e->out, "\nconditions on %s, by bit\n", tx_arch_name(arch));
        }
        for (unsigned c = 0; explain_wants(e, arch) && c < TX_CONDITION_COUNT; c++) {
            const int bit = tx_condition_bit(arch, (enum tx_condition)c);
            if (bit >= 0 && (!flush || bit < 4)) {
                fprintf(e->out, "    %2d  %-12s %s\n", bit, tx_condition_name((enum tx_condition)c),
                        tx_condition_text((enum tx_condition)c));
            }
        }
    }
}

static void print_value(FILE *out, const struct tx_insn_mode *mode)
{
    char value[32] = "always";
    if (mode->bits == 15) {
        snprintf(value, sizeof value, "%s %u", mode->where, (unsigned)mode->value);
    } else if (mode->bits != 0) {
        snprintf(value, sizeof value, "%s & %u = %u", mode->where, (unsigned)mode->bits,
                 (unsigned)mode->value);
    }
    const bool known = mode->constants[0] != '\0';
    fprintf(out, "    %-14s %-22s  %s%s%s%s\n", value, mode->name, mode->meaning, known ? " (" : "",
            mode->constants, known ? ")" : "");
}

/* Tells whether one of a set's chips is wanted that comes before this one. */
static bool wanted_before(const struct explain *e, unsigned archs, enum tx_arch arch)
{
    bool wanted = false;
    for (enum tx_arch k = TX_ARCH_FIRST; k < arch; k++) {
        wanted = wanted || ((archs >> k & 1) != 0 && explain_wants(e, k));
    }
    return wanted;
}

/* The last chip of a set. */
static enum tx_arch explain_last(unsigned archs)
{
    enum tx_arch arch = TX_ARCH_LAST;
    while (arch > TX_ARCH_FIRST && (archs >> arch & 1) == 0) {
        arch--;
    }
    return arch;
}

/*
 * Prints the values of the fields that select something. What both chips have in common is printed
 * once.
 */
static void print_values(struct explain *e, const struct tx_insn *insn)
{
    const char *title = "\nvalues\n";
    const struct tx_insn_mode *mode;
    for (enum tx_arch arch = TX_ARCH_FIRST; arch <= TX_ARCH_LAST; arch++) {
        const struct tx_insn *of = explain_wants(e, arch) ? tx_insn_find(arch, insn->name) : NULL;
        for (size_t i = 0; of != NULL && (mode = tx_insn_mode_at(arch, of, i)) != NULL; i++) {
            const bool shared = mode->archs != 1U << arch;
            if (shared && wanted_before(e, mode->archs, arch)) {
                continue; /* printed for another chip */
            }
            fprintf(e->out, "%s", title);
            title = "";
            print_value(e->out, mode);
        }
    }
}

static void print_related(FILE *out, const struct tx_insn *insn, unsigned archs)
{
    const struct tx_erratum *erratum;
    const struct tx_evidence *entry;
    const char *title = "\nerrata\n";
    for (size_t i = 0; (erratum = tx_erratum_at(i)) != NULL; i++) {
        if (tx_erratum_names(erratum, insn->opcode) && (erratum->archs & archs) != 0) {
            fprintf(out, "%s    %s: %s (%s)\n", title, erratum->id, erratum->text,
                    erratum->evidence);
            title = "";
        }
    }
    title = "\nevidence\n";
    for (size_t i = 0; (entry = tx_evidence_at(i)) != NULL; i++) {
        if (tx_evidence_names(entry, insn->opcode)) {
            fprintf(out, "%s    %s: %s (%s)%s%s\n", title, entry->id, entry->text, entry->source,
                    entry->rule != NULL ? "; switch: " : "",
                    entry->rule != NULL ? entry->rule : "");
            title = "";
        }
    }
}

/* Collects the rows of the requested chips, each one once. Returns their number. */
static size_t collect_rows(struct explain *e, const struct tx_insn *insn,
                           const struct tx_row **rows, size_t most)
{
    size_t count = 0;
    for (enum tx_arch arch = TX_ARCH_LAST; arch >= TX_ARCH_FIRST; arch--) {
        const struct tx_row *row;
        for (size_t i = 0; explain_wants(e, arch) && (row = tx_row_at(arch, i)) != NULL; i++) {
            bool there = row->insn != insn->opcode || count == most;
            for (size_t k = 0; k < count && !there; k++) {
                there = rows[k] == row;
            }
            if (!there) {
                rows[count++] = row;
            }
        }
    }
    return count;
}

static void mnemonic_json(struct explain *e, const struct tx_insn *found,
                          const struct tx_row *const *rows, size_t count)
{
    txl_json *root = txl_json_object();
    txl_json_set_text(root, "kind", "instruction");
    txl_json_set_text(root, "name", found->name);
    txl_json *encodings = txl_json_object();
    unsigned archs = 0;
    for (enum tx_arch arch = TX_ARCH_FIRST; arch <= TX_ARCH_LAST; arch++) {
        const struct tx_insn *insn =
            explain_wants(e, arch) ? tx_insn_find(arch, found->name) : NULL;
        if (insn != NULL) {
            txl_json_set(encodings, tx_arch_name(arch), txl_insn_json(arch, insn));
            archs |= 1U << arch;
        }
    }
    txl_json_set(root, "encodings", encodings);
    txl_json *list = txl_json_array();
    for (size_t i = 0; i < count; i++) {
        txl_json_append(list, txl_row_json(rows[i]));
    }
    txl_json_set(root, "rows", list);
    txl_json *errata = txl_json_array();
    txl_json *evidence = txl_json_array();
    const struct tx_erratum *erratum;
    const struct tx_evidence *entry;
    for (size_t i = 0; (erratum = tx_erratum_at(i)) != NULL; i++) {
        if (tx_erratum_names(erratum, found->opcode) && (erratum->archs & archs) != 0) {
            txl_json_append(errata, txl_erratum_json(erratum));
        }
    }
    for (size_t i = 0; (entry = tx_evidence_at(i)) != NULL; i++) {
        if (tx_evidence_names(entry, found->opcode)) {
            txl_json_append(evidence, txl_evidence_json(entry));
        }
    }
    txl_json_set(root, "errata", errata);
    txl_json_set(root, "evidence", evidence);
    char path[96];
    char text[TXL_BODY_TEXT];
    const enum tx_arch one = explain_last(archs);
    txl_json_set_text(root, "body", txl_insn_body(one, found, text));
    snprintf(path, sizeof path, "tests/insn/%s.txt", found->name);
    txl_json_set_text(root, "tests", count > 0 ? path : NULL);
    e->json = root;
}

bool explain_mnemonic(struct explain *e)
{
    enum { MOST = 64 };
    const struct tx_row *rows[MOST];
    const struct tx_insn *found = NULL;
    unsigned archs = 0;
    for (enum tx_arch arch = TX_ARCH_FIRST; arch <= TX_ARCH_LAST; arch++) {
        const struct tx_insn *insn = explain_wants(e, arch) ? tx_insn_find(arch, e->subject) : NULL;
        if (insn != NULL) {
            found = insn;
            archs |= 1U << arch;
        }
    }
    if (found == NULL) {
        return false;
    }
    size_t count = collect_rows(e, found, rows, MOST);
    if (e->out == NULL) {
        mnemonic_json(e, found, rows, count);
        return true;
    }
    fprintf(e->out, "%s (macro TTI_%s), unit: %s\n", found->name, found->macro,
            txl_unit_name(found->unit));
    for (enum tx_arch arch = TX_ARCH_FIRST; arch <= TX_ARCH_LAST; arch++) {
        const struct tx_insn *insn = explain_wants(e, arch) ? tx_insn_find(arch, e->subject) : NULL;
        if (insn == NULL) {
            if (explain_wants(e, arch)) {
                fprintf(e->out, "\n%s: no such instruction\n", tx_arch_name(arch));
            }
            continue;
        }
        char syntax[256];
        fprintf(e->out, "\n%s: opcode 0x%02x\n    %s\n", tx_arch_name(arch), insn->opcode,
                tx_insn_syntax(insn, false, syntax, sizeof syntax));
        fprintf(e->out, "    %s\n", tx_insn_syntax(insn, true, syntax, sizeof syntax));
        explain_picture(e->out, insn);
    }
    for (size_t i = 0; i < count; i++) {
        explain_row(e->out, rows[i], rows[i]->legal);
    }
    if (count == 0) {
        const char *reason = tx_insn_undocumented(found);
        fprintf(e->out, "\nencoded and printed, not executed: %s\n",
                reason != NULL ? reason : "its behaviour is not modelled");
    }
    print_values(e, found);
    print_conditions(e, found);
    print_related(e->out, found, archs);
    char text[TXL_BODY_TEXT];
    const enum tx_arch one = explain_last(archs);
    const char *body = txl_insn_body(one, found, text);
    if (body != NULL) {
        fprintf(e->out, "\nbody %s, tests tests/insn/%s.txt\n", body, found->name);
    }
    return true;
}
