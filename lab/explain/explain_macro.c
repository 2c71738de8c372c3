/* SPDX-License-Identifier: Apache-2.0 */
/* Explains .sequence, .misc and .template, the configuration of SFPLOADMACRO, and words of it. */
#include "base/json.h"
#include "explain/explain.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *text;
    unsigned vd;
} subjects[] = {
    {"template",
     "destinations 0 to 3 of SFPCONFIG, or any vector instruction with destination L12 to L15", 0},
    {"sequence",
     "destinations 4 to 7 of SFPCONFIG, one for each macro; bits 7:0 are of the Simple sub-unit, "
     "15:8 of MAD, 23:16 of Round, 31:24 of Store; each byte:",
     4},
    {"misc", "destination 8 of SFPCONFIG", 8},
};

/* Returns the bit fields of the word with this name. */
static txl_json *fields_json(const char *name)
{
    txl_json *fields = txl_json_array();
    const struct tx_macro_field *f;
    for (size_t i = 0; (f = tx_macro_field_at(i)) != NULL; i++) {
        if (strcmp(f->word, name) == 0) {
            txl_json *item = txl_json_object();
            JSON_MEMBERS(item, f, text, lsb, width, meaning);
            txl_json_append(fields, item);
        }
    }
    return fields;
}

static void print_fields(FILE *out, const char *name)
{
    const struct tx_macro_field *f;
    for (size_t i = 0; (f = tx_macro_field_at(i)) != NULL; i++) {
        if (strcmp(f->word, name) == 0) {
            fprintf(out, "    bits %2d:%-2u %-14s %s\n", f->lsb + f->width - 1, f->lsb, f->text,
                    f->meaning);
        }
    }
}

static int explain_subject(struct txl_error *err, struct explain *e, unsigned index, uint32_t word)
{
    const enum tx_arch arch = e->arch == TX_ARCH_NONE ? TX_BLACKHOLE : e->arch;
    const char *name = subjects[index].name;
    char text[256] = "";
    if (e->value != NULL &&
        tx_macro_text(arch, subjects[index].vd, word, text, sizeof text) != TX_OK) {
        return txl_fail(err, "%s: not a word", e->value);
    }
    if (e->out == NULL) {
        e->json = txl_json_object();
        txl_json_set_text(e->json, "kind", "macro configuration");
        txl_json_set_text(e->json, "name", name);
        txl_json_set_text(e->json, "where", subjects[index].text);
        txl_json_set(e->json, "fields", fields_json(name));
        txl_json_set_text(e->json, "text", e->value != NULL ? text : NULL);
        return TXL_OK;
    }
    fprintf(e->out, ".%s\n    %s\n", name, subjects[index].text);
    print_fields(e->out, name);
    if (e->value != NULL) {
        fprintf(e->out, "%08x is %s\n", word, text);
    }
    return TXL_OK;
}

int explain_macro(struct txl_error *err, struct explain *e)
{
    for (unsigned i = 0; i < sizeof subjects / sizeof subjects[0]; i++) {
        if (e->subject[0] != '.' || strcmp(e->subject + 1, subjects[i].name) != 0) {
            continue;
        }
        uint64_t word = 0;
        if (e->value != NULL) {
            char *end = NULL;
            word = strtoull(e->value, &end, 16);
            if (end == e->value || *end != '\0' || word > UINT32_MAX || e->value[0] == '-') {
                return txl_fail(err, "%s: '%s' is not a word of up to 8 hex digits", e->subject,
                                e->value);
            }
        }
        return explain_subject(err, e, i, (uint32_t)word);
    }
    return e->value != NULL ? txl_fail(err, "a second word is explained for .template, .sequence "
                                            "and .misc only")
                            : TXL_CONTINUE;
}
