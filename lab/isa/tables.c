/* SPDX-License-Identifier: Apache-2.0 */
/* The public tables as JSON. */
#include <tensix/facts.h>

#include "isa/isa.h"

#include <string.h>

#include "base/json.h"

const char *txl_unit_name(unsigned unit)
{
    static const char *const names[TX_UNIT_COUNT] = {
        "none", "load",   "simple", "MAD",   "round",  "store", "scalar", "config",
        "sync", "matrix", "front",  "other", "unpack", "pack",  "mover",  "misc"};
    return unit < TX_UNIT_COUNT ? names[unit] : "?";
}

int txl_parse_arch(struct txl_error *err, const char *text, enum tx_arch *arch)
{
    const enum tx_status status = tx_arch_parse(text, arch);
    if (status == TX_OK) {
        return TXL_OK;
    }
    *arch = TX_ARCH_NONE;
    return status == TX_EUNSUPPORTED
               ? txl_fail(err, "%s: not modelled; blackhole (bh) and wormhole_b0 (wh) are", text)
               : txl_fail(err, "%s: no such chip; there are blackhole (bh) and wormhole_b0 (wh)",
                          text);
}

const char *txl_row_mode_text(const struct tx_row *row, unsigned mode, enum tx_insn_mode_part part,
                              char text[TXL_MODE_TEXT])
{
    /* A row of both chips has the same text for both. */
    enum tx_arch arch = TX_ARCH_FIRST;
    while (arch < TX_ARCH_LAST && (row->archs >> arch & 1) == 0) {
        arch++;
    }
    const bool known = tx_row_mode_text(arch, row, mode, part, text, TXL_MODE_TEXT) == TX_OK;
    return known ? text : "";
}

const char *txl_row_set_text(const struct tx_row *row, enum tx_row_set set, char text[TXL_SET_TEXT])
{
    return tx_row_text(row, set, text, TXL_SET_TEXT) == TX_OK ? text : "";
}

const char *txl_insn_body(enum tx_arch arch, const struct tx_insn *insn, char text[TXL_BODY_TEXT])
{
    const struct tx_row *row = NULL;
    const struct tx_row *at;
    for (size_t i = 0; (at = tx_row_at(arch, i)) != NULL; i++) {
        row =
            /* The last row, since SFPSHFT2's first ones have other bodies. */
            at->insn == insn->opcode ? at : row;
    }
    if (row == NULL || insn->unit < TX_UNIT_LOAD || insn->unit > TX_UNIT_STORE ||
        insn->opcode == TX_INSN_SFPLOADMACRO) {
        return NULL;
    }
    if (tx_row_move(row, 0, 0).source != TX_MOVE_NONE) {
        return "isa/moves.def";
    }
    snprintf(text, TXL_BODY_TEXT, "src/sem/%s.h",
             tx_row_terms(row) != NULL ? "sfpmad" : insn->name);
    return text;
}

txl_json *txl_archs_json(unsigned set)
{
    txl_json *list = txl_json_array();
    for (enum tx_arch arch = TX_ARCH_FIRST; arch <= TX_ARCH_LAST; arch++) {
        if ((set >> arch & 1U) != 0) {
            txl_json_append(list, txl_json_string(tx_arch_name(arch)));
        }
    }
    return list;
}

/* The values of the fields that select something, from modes.def. */
static txl_json *values_json(enum tx_arch arch, const struct tx_insn *insn)
{
    txl_json *list = txl_json_array();
    const struct tx_insn_mode *mode;
    for (size_t i = 0; (mode = tx_insn_mode_at(arch, insn, i)) != NULL; i++) {
        txl_json *item = txl_json_object();
        txl_json_set_text(item, "field", mode->where);
        JSON_MEMBERS(item, mode, bits, value);
        txl_json_set_text(item, "name", mode->name[0] != '\0' ? mode->name : NULL);
        txl_json *constants = txl_json_array();
        for (const char *p = mode->constants; *p != '\0';) {
            const size_t length = strcspn(p, " ");
            char constant[64];
            snprintf(constant, sizeof constant, "%.*s", (int)length, p);
            txl_json_append(constants, txl_json_string(constant));
            p += length + (p[length] == ' ');
        }
        txl_json_set(item, "constants", constants);
        JSON_MEMBERS(item, mode, meaning, formula);
        txl_json_append(list, item);
    }
    return list;
}

static const char *kind_name(unsigned kind)
{
    static const char *const names[] = {"uimm", "simm", "lreg", "mod", "hex12", "vd3"};
    return kind < sizeof names / sizeof names[0] ? names[kind] : "?";
}

txl_json *txl_insn_json(enum tx_arch arch, const struct tx_insn *insn)
{
    txl_json *object = txl_json_object();
    JSON_MEMBERS(object, insn, name, macro, opcode);
    txl_json_set_text(object, "unit", txl_unit_name(insn->unit));
    if (tx_insn_undocumented(insn) != NULL) {
        txl_json_set_text(object, "undocumented", tx_insn_undocumented(insn));
    }
    txl_json *fields = txl_json_array();
    for (unsigned i = 0; i < insn->field_count; i++) {
        const struct tx_field *f = &insn->fields[i];
        txl_json *item = txl_json_object();
        JSON_MEMBERS(item, f, name, lsb, width);
        txl_json_set_text(item, "kind", kind_name(f->kind));
        txl_json_append(fields, item);
    }
    txl_json_set(object, "fields", fields);
    txl_json_set(object, "values", values_json(arch, insn));
    char body[TXL_BODY_TEXT];
    txl_json_set_text(object, "body", txl_insn_body(arch, insn, body));
    return object;
}

static txl_json *modes_json(unsigned set)
{
    txl_json *list = txl_json_array();
    for (unsigned mode = 0; mode < 16; mode++) {
        if ((set >> mode & 1U) != 0) {
            txl_json_append(list, txl_json_int(mode));
        }
    }
    return list;
}

/* The meaning of each legal mode; nothing without a modifier. */
static txl_json *meanings_json(const struct tx_row *row)
{
    txl_json *list = txl_json_array();
    for (unsigned mode = 0; mode < 16; mode++) {
        char text[TXL_MODE_TEXT];
        if ((row->legal >> mode & 1U) == 0 ||
            txl_row_mode_text(row, mode, TX_INSN_MODE_MEANING, text)[0] == '\0') {
            continue;
        }
        txl_json *item = txl_json_object();
        txl_json_set_int(item, "mode", mode);
        txl_json_set_text(item, "name", txl_row_mode_text(row, mode, TX_INSN_MODE_NAME, text));
        txl_json_set_text(item, "meaning",
                          txl_row_mode_text(row, mode, TX_INSN_MODE_MEANING, text));
        txl_json_set_text(item, "formula",
                          txl_row_mode_text(row, mode, TX_INSN_MODE_FORMULA, text));
        txl_json_append(list, item);
    }
    return list;
}

txl_json *txl_row_json(const struct tx_row *row)
{
    txl_json *object = txl_json_object();
    JSON_MEMBERS(object, row, id, mnemonic, summary);
    txl_json_set(object, "archs", txl_archs_json(row->archs));
    txl_json_set(object, "modes", modes_json(row->modes));
    txl_json_set(object, "legal_modes", modes_json(row->legal));
    txl_json_set(object, "meanings", meanings_json(row));
    txl_json_set_text(object, "unit", txl_unit_name(row->unit));
    txl_json_set_int(object, "latency", row->latency);
    char text[TXL_SET_TEXT];
    txl_json_set_text(object, "reads", txl_row_set_text(row, TX_ROW_READS, text));
    txl_json_set_text(object, "writes", txl_row_set_text(row, TX_ROW_WRITES, text));
    txl_json_set_text(object, "belief", txl_row_set_text(row, TX_ROW_BELIEF, text));
    txl_json_set_text(object, "source", row->source);
    return object;
}

txl_json *txl_erratum_json(const struct tx_erratum *erratum)
{
    txl_json *object = txl_json_object();
    txl_json_set_text(object, "id", erratum->id);
    txl_json_set(object, "archs", txl_archs_json(erratum->archs));
    txl_json_set_text(object, "mnemonics", erratum->rows);
    JSON_MEMBERS(object, erratum, text, evidence);
    return object;
}

txl_json *txl_evidence_json(const struct tx_evidence *evidence)
{
    txl_json *object = txl_json_object();
    txl_json_set_text(object, "id", evidence->id);
    txl_json_set_text(object, "mnemonics", evidence->rows);
    JSON_MEMBERS(object, evidence, text, source, rule);
    return object;
}

txl_json *txl_rule_json(const struct tx_rule *rule)
{
    txl_json *object = txl_json_object();
    txl_json_set_text(object, "name", rule->name);
    txl_json *values = txl_json_array();
    for (unsigned i = 0; i < 4 && rule->values[i] != NULL; i++) {
        txl_json_append(values, txl_json_string(rule->values[i]));
    }
    txl_json_set(object, "values", values);
    txl_json_set_text(object, "evidence", rule->evidence);
    return object;
}

txl_json *txl_config_json(const struct tx_config_field *field)
{
    txl_json *object = txl_json_object();
    txl_json_set_text(object, "name", field->name);
    txl_json_set_text(object, "kind", field->thread ? "thread" : "banked");
    JSON_MEMBERS(object, field, word, lsb, width);
    return object;
}

static txl_json *arch_json(enum tx_arch arch)
{
    txl_json *object = txl_json_object();
    txl_json *insns = txl_json_array();
    txl_json *rows = txl_json_array();
    txl_json *config = txl_json_array();
    const struct tx_insn *insn;
    const struct tx_row *row;
    const struct tx_config_field *field;
    for (size_t i = 0; (insn = tx_insn_at(arch, i)) != NULL; i++) {
        txl_json_append(insns, txl_insn_json(arch, insn));
    }
    for (size_t i = 0; (row = tx_row_at(arch, i)) != NULL; i++) {
        txl_json_append(rows, txl_row_json(row));
    }
    for (size_t i = 0; (field = tx_config_field_at(arch, i)) != NULL; i++) {
        txl_json_append(config, txl_config_json(field));
    }
    txl_json_set(object, "instructions", insns);
    txl_json_set(object, "rows", rows);
    txl_json_set(object, "config", config);
    return object;
}

char *txl_isa_json(enum tx_arch only)
{
    txl_json *root = txl_json_object();
    txl_json_set_text(root, "version", tx_version());
    txl_json *archs = txl_json_object();
    for (enum tx_arch arch = TX_ARCH_FIRST; arch <= TX_ARCH_LAST; arch++) {
        if (only == TX_ARCH_NONE || only == arch) {
            txl_json_set(archs, tx_arch_name(arch), arch_json(arch));
        }
    }
    txl_json_set(root, "archs", archs);
    txl_json *errata = txl_json_array();
    txl_json *evidence = txl_json_array();
    txl_json *rules = txl_json_array();
    const struct tx_erratum *erratum;
    const struct tx_evidence *entry;
    const struct tx_rule *rule;
    for (size_t i = 0; (erratum = tx_erratum_at(i)) != NULL; i++) {
        txl_json_append(errata, txl_erratum_json(erratum));
    }
    for (size_t i = 0; (entry = tx_evidence_at(i)) != NULL; i++) {
        txl_json_append(evidence, txl_evidence_json(entry));
    }
    for (size_t i = 0; (rule = tx_rule_at(i)) != NULL; i++) {
        txl_json_append(rules, txl_rule_json(rule));
    }
    txl_json_set(root, "errata", errata);
    txl_json_set(root, "evidence", evidence);
    txl_json_set(root, "rules", rules);
    return json_text(root);
}
