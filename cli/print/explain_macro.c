/* SPDX-License-Identifier: Apache-2.0 */
/* explain .sequence, .misc and .template: SFPLOADMACRO's configuration, and words of it. */
#include "cli.h"

#include "print/tables.h"

#include <stdlib.h>
#include <string.h>

#include <tensix-lab/json.h>

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

static int print(struct cli *cli, unsigned index, enum tx_arch arch, const char *value,
                 uint32_t word)
{
    char text[256] = "";
    const char *name = subjects[index].name;
    if (value != NULL &&
        tx_macro_text(arch, subjects[index].vd, word, text, sizeof text) != TX_OK) {
        return cli_fail(cli, "%s: not a word", value);
    }
    txl_json *fields = txl_json_array();
    if (!cli->json) {
        printf(".%s\n    %s\n", name, subjects[index].text);
    }
    const struct tx_macro_field *f;
    for (size_t i = 0; (f = tx_macro_field_at(i)) != NULL; i++) {
        if (strcmp(f->word, name) != 0) {
            continue;
        }
        if (!cli->json) {
            printf("    bits %2d:%-2u %-14s %s\n", f->lsb + f->width - 1, f->lsb, f->text,
                   f->meaning);
        }
        txl_json *item = txl_json_object();
        txl_json_set_text(item, "text", f->text);
        txl_json_set_int(item, "lsb", f->lsb);
        txl_json_set_int(item, "width", f->width);
        txl_json_set_text(item, "meaning", f->meaning);
        txl_json_append(fields, item);
    }
    if (cli->json) {
        txl_json *root = txl_json_object();
        txl_json_set_text(root, "kind", "macro configuration");
        txl_json_set_text(root, "name", name);
        txl_json_set_text(root, "where", subjects[index].text);
        txl_json_set(root, "fields", fields);
        txl_json_set_text(root, "text", value != NULL ? text : NULL);
        return cli_json(cli, root);
    }
    if (value != NULL) {
        printf("%08x is %s\n", word, text);
    }
    txl_json_free(fields);
    return CLI_OK;
}

int explain_macro(struct cli *cli, enum tx_arch arch, const char *subject, const char *value)
{
    for (unsigned i = 0; i < sizeof subjects / sizeof subjects[0]; i++) {
        if (subject[0] != '.' || strcmp(subject + 1, subjects[i].name) != 0) {
            continue;
        }
        uint64_t word = 0;
        if (value != NULL) {
            char *end = NULL;
            word = strtoull(value, &end, 16);
            if (end == value || *end != '\0' || word > UINT32_MAX || value[0] == '-') {
                return cli_fail(cli, "%s: '%s' is not a word of up to 8 hex digits", subject,
                                value);
            }
        }
        return print(cli, i, arch == TX_ARCH_NONE ? TX_BLACKHOLE : arch, value, (uint32_t)word);
    }
    return value != NULL ? cli_fail(cli, "a second word is explained for .template, .sequence and "
                                         ".misc only")
                         : CLI_CONTINUE;
}
