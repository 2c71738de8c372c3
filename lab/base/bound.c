/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bound.h"

void bound_print(FILE *out, uint32_t bounds)
{
    const char *before = "at least        because ";
    const char *text;
    for (unsigned bit = 0; (text = tx_bound_text(bit)) != NULL; bit++) {
        if ((bounds >> bit & 1u) != 0) {
            fprintf(out, "%s%s", before, text);
            before = "; ";
        }
    }
    if (bounds != 0) {
        fputc('\n', out);
    }
}

void bound_json(txl_json *root, uint32_t bounds)
{
    const char *name;
    txl_json *list = txl_json_array();
    for (unsigned bit = 0; (name = tx_bound_name(bit)) != NULL; bit++) {
        if ((bounds >> bit & 1u) != 0) {
            txl_json_append(list, txl_json_string(name));
        }
    }
    txl_json_set_bool(root, "at_least", bounds != 0);
    txl_json_set(root, "at_least_because", list);
}

void bound_put(struct json_put *j, const char *key, uint32_t bounds)
{
    const char *name;
    json_put_open(j, key, '[');
    for (unsigned bit = 0; (name = tx_bound_name(bit)) != NULL; bit++) {
        if ((bounds >> bit & 1u) != 0) {
            json_put_text(j, NULL, name);
        }
    }
    json_put_close(j, ']');
}
