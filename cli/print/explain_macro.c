/* SPDX-License-Identifier: Apache-2.0 */
/* explain .sequence, .misc and .template: SFPLOADMACRO's configuration, and words of it. */
#include "cli.h"

#include "print/tables.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"

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
    json_t *fields = json_array();
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
        json_t *item = json_object();
        jx_set_text(item, "text", f->text);
        jx_set_int(item, "lsb", f->lsb);
        jx_set_int(item, "width", f->width);
        jx_set_text(item, "meaning", f->meaning);
        json_array_append_new(fields, item);
    }
    if (cli->json) {
        json_t *root = json_object();
        jx_set_text(root, "kind", "macro configuration");
        jx_set_text(root, "name", name);
        jx_set_text(root, "where", subjects[index].text);
        json_object_set(root, "fields", fields);
        jx_set_text(root, "text", value != NULL ? text : NULL);
        jx_print(stdout, root);
        json_decref(root);
    } else if (value != NULL) {
        printf("%08x is %s\n", word, text);
    }
    json_decref(fields);
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
