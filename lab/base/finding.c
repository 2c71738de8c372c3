/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json.h"
#include "base/finding.h"

#include <string.h>

#include <jansson.h>
#include <tensix/finding.h>

static const char *rule_of(const struct tx_finding *finding)
{
    return finding->rule != NULL ? finding->rule : "-";
}

static void line_print(FILE *out, const struct finding *one)
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

/* Findings of one cause have one rule and one advice. */
static bool one_cause(const struct tx_finding *a, const struct tx_finding *b)
{
    const struct tx_advice one = tx_finding_advice(a);
    const struct tx_advice other = tx_finding_advice(b);
    return strcmp(rule_of(a), rule_of(b)) == 0 && strcmp(one.on_card, other.on_card) == 0 &&
           strcmp(one.change, other.change) == 0;
}

/* What is asked for, in the order of the list. */
struct listed {
    finding_at *at;
    const void *user;
    size_t count;
};

static bool told_before(const struct listed *l, const struct tx_finding *what, size_t index)
{
    char text[FINDING_PLACE];
    struct finding one;
    bool found = false;
    for (size_t i = 0; i < index && !found; i++) {
        l->at(l->user, i, &one, text);
        found = one_cause(one.what, what);
    }
    return found;
}

/* Findings of the cause of the one at first. */
static void cause_print(FILE *out, const struct listed *l, size_t first)
{
    char text[FINDING_PLACE];
    struct finding one;
    uint64_t more = 0;
    size_t lines = 0;
    l->at(l->user, first, &one, text);
    const struct tx_finding *cause = one.what;
    for (size_t i = first; i < l->count; i++) {
        l->at(l->user, i, &one, text);
        if (!one_cause(one.what, cause)) {
            continue;
        }
        if (lines++ < FINDING_LINES) {
            line_print(out, &one);
        } else {
            more += one.what->count;
        }
    }
    if (lines > FINDING_LINES) {
        fprintf(out, "                %zu more places with this cause, x%llu\n",
                lines - FINDING_LINES, (unsigned long long)more);
    }
    const struct tx_advice advice = tx_finding_advice(cause);
    fprintf(out, "  on a card     %s\n  change        %s\n", advice.on_card, advice.change);
}

void findings_print(FILE *out, finding_at *at, const void *user, size_t count)
{
    const struct listed l = {.at = at, .user = user, .count = count};
    for (size_t i = 0; i < count; i++) {
        char text[FINDING_PLACE];
        struct finding one;
        at(user, i, &one, text);
        if (!told_before(&l, one.what, i)) {
            cause_print(out, &l, i);
        }
    }
}

void finding_of_machine(const void *machine, size_t index, struct finding *one,
                        char text[FINDING_PLACE])
{
    (void)text;
    *one = (struct finding){.what = tx_finding_at(machine, index), .dated = true};
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
    const struct tx_advice advice = tx_finding_advice(finding);
    JSON_MEMBERS(object, &advice, on_card, change);
    return object;
}
