/* SPDX-License-Identifier: Apache-2.0 */
#include "cli.h"

#include "print/tables.h"

#include <string.h>

#include "base/json.h"

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

/* The mnemonics of a list are any spelling that tx_insn_find knows. */
bool table_names(const char *list, const struct tx_insn *insn)
{
    char name[32];
    for (const char *p = list; p != NULL && *p != '\0';) {
        const size_t length = strcspn(p, " ");
        snprintf(name, sizeof name, "%.*s", (int)length, p);
        for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
            const struct tx_insn *named = tx_insn_find(arch, name);
            if (named != NULL && named->opcode == insn->opcode) {
                return true;
            }
        }
        p += length;
        p += strspn(p, " ");
    }
    return false;
}

bool table_row_of(const struct tx_row *row, const struct tx_insn *insn)
{
    return row->insn == insn->opcode;
}

const char *table_body(const struct tx_insn *insn)
{
    /* Addition and multiplication are the multiply-add with a constant. */
    bool shared = insn->opcode == TX_INSN_SFPADD || insn->opcode == TX_INSN_SFPMUL;
    if (insn->unit < TX_UNIT_LOAD || insn->unit > TX_UNIT_STORE ||
        insn->opcode == TX_INSN_SFPLOADMACRO) {
        return NULL;
    }
    return shared ? "sfpmad" : insn->name;
}

const char *table_mode_text(const struct tx_row *row, unsigned mode, enum tx_insn_mode_part part,
                            char *text)
{
    const bool wormhole = (row->archs >> TX_WORMHOLE & 1) != 0; /* of both chips: one text */
    const enum tx_arch arch = wormhole ? TX_WORMHOLE : TX_BLACKHOLE;
    const bool known = tx_row_mode_text(arch, row, mode, part, text, TABLE_MODE_TEXT) == TX_OK;
    return known ? text : "";
}

/* The values of the fields that select, as modes.def has them. */
static json_t *values_json(enum tx_arch arch, const struct tx_insn *insn)
{
    json_t *list = json_array();
    const struct tx_insn_mode *mode;
    for (size_t i = 0; (mode = tx_insn_mode_at(arch, insn, i)) != NULL; i++) {
        json_t *item = json_object();
        jx_set_text(item, "field", mode->where);
        jx_set_int(item, "bits", mode->bits);
        jx_set_int(item, "value", mode->value);
        jx_set_text(item, "name", mode->name[0] != '\0' ? mode->name : NULL);
        json_t *constants = json_array();
        for (const char *p = mode->constants; *p != '\0';) {
            const size_t length = strcspn(p, " ");
            json_array_append_new(constants, json_stringn(p, length));
            p += length + (p[length] == ' ');
        }
        json_object_set_new(item, "constants", constants);
        jx_set_text(item, "meaning", mode->meaning);
        jx_set_text(item, "formula", mode->formula);
        json_array_append_new(list, item);
    }
    return list;
}

static const char *kind_name(unsigned kind)
{
    static const char *const names[] = {"uimm", "simm", "lreg", "mod", "hex12", "vd3"};
    return kind < sizeof names / sizeof names[0] ? names[kind] : "?";
}

json_t *table_insn_json(enum tx_arch arch, const struct tx_insn *insn)
{
    json_t *object = json_object();
    jx_set_text(object, "name", insn->name);
    jx_set_text(object, "macro", insn->macro);
    jx_set_int(object, "opcode", insn->opcode);
    jx_set_text(object, "unit", txl_unit_name(insn->unit));
    if (tx_insn_undocumented(insn) != NULL) {
        jx_set_text(object, "undocumented", tx_insn_undocumented(insn));
    }
    json_t *fields = json_array();
    for (unsigned i = 0; i < insn->field_count; i++) {
        const struct tx_field *f = &insn->fields[i];
        json_t *item = json_object();
        jx_set_text(item, "name", f->name);
        jx_set_int(item, "lsb", f->lsb);
        jx_set_int(item, "width", f->width);
        jx_set_text(item, "kind", kind_name(f->kind));
        json_array_append_new(fields, item);
    }
    json_object_set_new(object, "fields", fields);
    json_object_set_new(object, "values", values_json(arch, insn));
    return object;
}

static json_t *modes_json(unsigned set)
{
    json_t *list = json_array();
    for (unsigned mode = 0; mode < 16; mode++) {
        if ((set >> mode & 1U) != 0) {
            json_array_append_new(list, json_integer(mode));
        }
    }
    return list;
}

const char *table_set_text(const struct tx_row *row, enum tx_row_set set, char *text)
{
    return tx_row_text(row, set, text, 192) == TX_OK ? text : "";
}

/* What each mode inside the contract means; without a modifier, nothing. */
static json_t *meanings_json(const struct tx_row *row)
{
    json_t *list = json_array();
    for (unsigned mode = 0; mode < 16; mode++) {
        char text[TABLE_MODE_TEXT];
        if ((row->legal >> mode & 1U) == 0 ||
            table_mode_text(row, mode, TX_INSN_MODE_MEANING, text)[0] == '\0') {
            continue;
        }
        json_t *item = json_object();
        jx_set_int(item, "mode", mode);
        jx_set_text(item, "name", table_mode_text(row, mode, TX_INSN_MODE_NAME, text));
        jx_set_text(item, "meaning", table_mode_text(row, mode, TX_INSN_MODE_MEANING, text));
        jx_set_text(item, "formula", table_mode_text(row, mode, TX_INSN_MODE_FORMULA, text));
        json_array_append_new(list, item);
    }
    return list;
}

json_t *table_row_json(const struct tx_row *row)
{
    json_t *object = json_object();
    jx_set_text(object, "id", row->id);
    jx_set_text(object, "mnemonic", row->mnemonic);
    jx_set_text(object, "summary", row->summary);
    json_object_set_new(object, "archs", jx_archs(row->archs));
    json_object_set_new(object, "modes", modes_json(row->modes));
    json_object_set_new(object, "legal_modes", modes_json(row->legal));
    json_object_set_new(object, "meanings", meanings_json(row));
    jx_set_text(object, "unit", txl_unit_name(row->unit));
    jx_set_int(object, "latency", row->latency);
    char text[192];
    jx_set_text(object, "reads", table_set_text(row, TX_ROW_READS, text));
    jx_set_text(object, "writes", table_set_text(row, TX_ROW_WRITES, text));
    jx_set_text(object, "belief", table_set_text(row, TX_ROW_BELIEF, text));
    jx_set_text(object, "source", row->source);
    return object;
}

json_t *table_erratum_json(const struct tx_erratum *erratum)
{
    json_t *object = json_object();
    jx_set_text(object, "id", erratum->id);
    json_object_set_new(object, "archs", jx_archs(erratum->archs));
    jx_set_text(object, "mnemonics", erratum->rows);
    jx_set_text(object, "text", erratum->text);
    jx_set_text(object, "evidence", erratum->evidence);
    return object;
}

json_t *table_evidence_json(const struct tx_evidence *evidence)
{
    json_t *object = json_object();
    jx_set_text(object, "id", evidence->id);
    jx_set_text(object, "mnemonics", evidence->rows);
    jx_set_text(object, "text", evidence->text);
    jx_set_text(object, "source", evidence->source);
    jx_set_text(object, "rule", evidence->rule);
    return object;
}

json_t *table_rule_json(const struct tx_rule *rule)
{
    json_t *object = json_object();
    jx_set_text(object, "name", rule->name);
    json_t *values = json_array();
    for (unsigned i = 0; i < 4 && rule->values[i] != NULL; i++) {
        json_array_append_new(values, jx_text(rule->values[i]));
    }
    json_object_set_new(object, "values", values);
    jx_set_text(object, "evidence", rule->evidence);
    return object;
}

json_t *table_config_json(const struct tx_config_field *field)
{
    json_t *object = json_object();
    jx_set_text(object, "name", field->name);
    jx_set_text(object, "kind", field->thread ? "thread" : "banked");
    jx_set_int(object, "word", field->word);
    jx_set_int(object, "lsb", field->lsb);
    jx_set_int(object, "width", field->width);
    return object;
}
