/* SPDX-License-Identifier: Apache-2.0 */
#include "base/finding.h"

#include <jansson.h>
#include <tensix/finding.h>

static const char *rule_of(const struct tx_finding *finding)
{
    return finding->rule != NULL ? finding->rule : "-";
}

void finding_print(FILE *out, const struct finding *one)
{
    const struct tx_finding *f = one->what;
    char text[128];
    const bool known = tx_finding_instruction(f, text, sizeof text);
    /* The user's line first: that is where to look. */
    fprintf(out, "finding         %s%s%s [%s] x%llu", one->source != NULL ? one->source : "",
            one->source != NULL ? ": " : "", tx_category_name(f->category), rule_of(f),
            (unsigned long long)f->count);
    if (one->place != NULL) {
        fprintf(out, " in %s", one->place);
    }
    if (one->tiles > 1) {
        fprintf(out, ", in %u tiles", one->tiles);
    }
    if (one->dated) {
        fprintf(out, ", first in cycle %llu", (unsigned long long)f->cycle);
    }
    fprintf(out, ": %s", f->message);
    if (known) { /* otherwise the finding is not about an instruction */
        fprintf(out, " (%s)", text);
    }
    fputc('\n', out);
}

txl_json *finding_json(const struct tx_finding *finding, uint64_t count)
{
    struct tx_finding one = *finding;
    char text[TX_FINDING_JSON];
    const char *key;
    json_t *value;
    one.count = count;
    json_t *root = json_loadb(text, tx_finding_json(&one, text, sizeof text), 0, NULL);
    txl_json *object = txl_json_object();
    json_object_foreach(root, key, value)
    {
        if (json_is_string(value)) {
            txl_json_set_text(object, key, json_string_value(value));
        } else {
            txl_json_set_int(object, key, (uint64_t)json_integer_value(value));
        }
    }
    json_decref(root);
    return object;
}
