/* SPDX-License-Identifier: Apache-2.0 */
#include "cli.h"

#include "print/tables.h"

#include <string.h>

#include <tensix-lab/json.h>

const char *table_modes_text(unsigned set, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    if (set == 0xffffU) {
        snprintf(text, size, "all");
        return text;
    }
    for (unsigned mode = 0; mode < 16; mode++) {
        if ((set >> mode & 1U) != 0 && used < size) {
            used += (size_t)snprintf(text + used, size - used, "%s%u", used == 0 ? "" : " ", mode);
        }
    }
    if (used == 0) {
        snprintf(text, size, "none");
    }
    return text;
}

bool table_row_of(const struct tx_row *row, const struct tx_insn *insn)
{
    return row->insn == insn->opcode;
}

const char *table_body(enum tx_arch arch, const struct tx_insn *insn, char text[TABLE_BODY])
{
    const struct tx_row *row = NULL;
    const struct tx_row *at;
    for (size_t i = 0; (at = tx_row_at(arch, i)) != NULL; i++) {
        row = table_row_of(at, insn) ? at : row; /* the last one: SFPSHFT2 has other bodies, too */
    }
    if (row == NULL || insn->unit < TX_UNIT_LOAD || insn->unit > TX_UNIT_STORE ||
        insn->opcode == TX_INSN_SFPLOADMACRO) {
        return NULL;
    }
    if (tx_row_move(row, 0, 0).source != TX_MOVE_NONE) {
        return "isa/moves.def";
    }
    snprintf(text, TABLE_BODY, "src/sem/%s.h", tx_row_terms(row) != NULL ? "sfpmad" : insn->name);
    return text;
}

const char *table_mode_text(const struct tx_row *row, unsigned mode, enum tx_insn_mode_part part,
                            char *text)
{
    const bool wormhole = (row->archs >> TX_WORMHOLE & 1) != 0; /* of both chips: one text */
    const enum tx_arch arch = wormhole ? TX_WORMHOLE : TX_BLACKHOLE;
    const bool known = tx_row_mode_text(arch, row, mode, part, text, TABLE_MODE_TEXT) == TX_OK;
    return known ? text : "";
}

txl_json *table_archs_json(unsigned set)
{
    txl_json *list = txl_json_array();
    for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        if ((set >> arch & 1U) != 0) {
            txl_json_append(list, txl_json_string(tx_arch_name(arch)));
        }
    }
    return list;
}

/* The values of the fields that select, as modes.def has them. */
static txl_json *values_json(enum tx_arch arch, const struct tx_insn *insn)
{
    txl_json *list = txl_json_array();
    const struct tx_insn_mode *mode;
    for (size_t i = 0; (mode = tx_insn_mode_at(arch, insn, i)) != NULL; i++) {
        txl_json *item = txl_json_object();
        txl_json_set_text(item, "field", mode->where);
        txl_json_set_int(item, "bits", mode->bits);
        txl_json_set_int(item, "value", mode->value);
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
        txl_json_set_text(item, "meaning", mode->meaning);
        txl_json_set_text(item, "formula", mode->formula);
        txl_json_append(list, item);
    }
    return list;
}

static const char *kind_name(unsigned kind)
{
    static const char *const names[] = {"uimm", "simm", "lreg", "mod", "hex12", "vd3"};
    return kind < sizeof names / sizeof names[0] ? names[kind] : "?";
}

txl_json *table_insn_json(enum tx_arch arch, const struct tx_insn *insn)
{
    txl_json *object = txl_json_object();
    txl_json_set_text(object, "name", insn->name);
    txl_json_set_text(object, "macro", insn->macro);
    txl_json_set_int(object, "opcode", insn->opcode);
    txl_json_set_text(object, "unit", txl_unit_name(insn->unit));
    if (tx_insn_undocumented(insn) != NULL) {
        txl_json_set_text(object, "undocumented", tx_insn_undocumented(insn));
    }
    txl_json *fields = txl_json_array();
    for (unsigned i = 0; i < insn->field_count; i++) {
        const struct tx_field *f = &insn->fields[i];
        txl_json *item = txl_json_object();
        txl_json_set_text(item, "name", f->name);
        txl_json_set_int(item, "lsb", f->lsb);
        txl_json_set_int(item, "width", f->width);
        txl_json_set_text(item, "kind", kind_name(f->kind));
        txl_json_append(fields, item);
    }
    txl_json_set(object, "fields", fields);
    txl_json_set(object, "values", values_json(arch, insn));
    char body[TABLE_BODY];
    txl_json_set_text(object, "body", table_body(arch, insn, body));
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

const char *table_set_text(const struct tx_row *row, enum tx_row_set set, char *text)
{
    return tx_row_text(row, set, text, 192) == TX_OK ? text : "";
}

/* What each mode inside the contract means; without a modifier, nothing. */
static txl_json *meanings_json(const struct tx_row *row)
{
    txl_json *list = txl_json_array();
    for (unsigned mode = 0; mode < 16; mode++) {
        char text[TABLE_MODE_TEXT];
        if ((row->legal >> mode & 1U) == 0 ||
            table_mode_text(row, mode, TX_INSN_MODE_MEANING, text)[0] == '\0') {
            continue;
        }
        txl_json *item = txl_json_object();
        txl_json_set_int(item, "mode", mode);
        txl_json_set_text(item, "name", table_mode_text(row, mode, TX_INSN_MODE_NAME, text));
        txl_json_set_text(item, "meaning", table_mode_text(row, mode, TX_INSN_MODE_MEANING, text));
        txl_json_set_text(item, "formula", table_mode_text(row, mode, TX_INSN_MODE_FORMULA, text));
        txl_json_append(list, item);
    }
    return list;
}

txl_json *table_row_json(const struct tx_row *row)
{
    txl_json *object = txl_json_object();
    txl_json_set_text(object, "id", row->id);
    txl_json_set_text(object, "mnemonic", row->mnemonic);
    txl_json_set_text(object, "summary", row->summary);
    txl_json_set(object, "archs", table_archs_json(row->archs));
    txl_json_set(object, "modes", modes_json(row->modes));
    txl_json_set(object, "legal_modes", modes_json(row->legal));
    txl_json_set(object, "meanings", meanings_json(row));
    txl_json_set_text(object, "unit", txl_unit_name(row->unit));
    txl_json_set_int(object, "latency", row->latency);
    char text[192];
    txl_json_set_text(object, "reads", table_set_text(row, TX_ROW_READS, text));
    txl_json_set_text(object, "writes", table_set_text(row, TX_ROW_WRITES, text));
    txl_json_set_text(object, "belief", table_set_text(row, TX_ROW_BELIEF, text));
    txl_json_set_text(object, "source", row->source);
    return object;
}

txl_json *table_erratum_json(const struct tx_erratum *erratum)
{
    txl_json *object = txl_json_object();
    txl_json_set_text(object, "id", erratum->id);
    txl_json_set(object, "archs", table_archs_json(erratum->archs));
    txl_json_set_text(object, "mnemonics", erratum->rows);
    txl_json_set_text(object, "text", erratum->text);
    txl_json_set_text(object, "evidence", erratum->evidence);
    return object;
}

txl_json *table_evidence_json(const struct tx_evidence *evidence)
{
    txl_json *object = txl_json_object();
    txl_json_set_text(object, "id", evidence->id);
    txl_json_set_text(object, "mnemonics", evidence->rows);
    txl_json_set_text(object, "text", evidence->text);
    txl_json_set_text(object, "source", evidence->source);
    txl_json_set_text(object, "rule", evidence->rule);
    return object;
}

txl_json *table_rule_json(const struct tx_rule *rule)
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

txl_json *table_config_json(const struct tx_config_field *field)
{
    txl_json *object = txl_json_object();
    txl_json_set_text(object, "name", field->name);
    txl_json_set_text(object, "kind", field->thread ? "thread" : "banked");
    txl_json_set_int(object, "word", field->word);
    txl_json_set_int(object, "lsb", field->lsb);
    txl_json_set_int(object, "width", field->width);
    return object;
}
