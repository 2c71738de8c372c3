/* SPDX-License-Identifier: Apache-2.0 */
/* Lint results as JSON. */
#include "lint/lint.h"

#include "base/json.h"
#include "base/finding.h"

static txl_json *place_json(const struct txl_lint_result *r, const struct txl_lint_place *p)
{
    if (!p->known) {
        return txl_json_null();
    }
    char text[128];
    txl_json *object = txl_json_object();
    if (r->function == NULL) {
        txl_json_set_text(object, "section", p->section == TX_SECTION_INIT ? "init" : "tile");
    }
    txl_json_set_int(object, "offset", p->offset);
    if (p->source != NULL) {
        txl_json_set_text(object, "source", p->source);
    }
    if (p->line != 0) {
        txl_json_set_int(object, "line", p->line);
    }
    txl_json_set_word(object, "word", p->word);
    (void)tx_disassemble(r->arch, p->word, TX_DIS_NORMAL, text, sizeof text);
    txl_json_set_text(object, "text", text);
    return object;
}

static txl_json *findings_json(const struct txl_lint_result *r)
{
    txl_json *list = txl_json_array();
    for (size_t i = 0; i < r->finding_count; i++) {
        const struct txl_lint_finding *f = txl_lint_finding(r, i);
        txl_json *object = finding_json(f->finding, f->count);
        txl_json_set(object, "place", place_json(r, &f->place));
        txl_json_set(object, "producer", place_json(r, &f->producer));
        if (f->producer.known) {
            txl_json_set_int(object, "producer_cycle", f->producer_cycle);
        }
        txl_json_set_bool(object, "sfpnop_missing", f->sfpnop_missing);
        txl_json_append(list, object);
    }
    return list;
}

static txl_json *nops_json(const struct txl_lint_result *r)
{
    txl_json *list = txl_json_array();
    for (size_t i = 0; i < r->nop_count; i++) {
        const struct txl_lint_nop *n = txl_lint_nop(r, i);
        txl_json *object = txl_json_object();
        txl_json_set_text(object, "kind", n->cycles != 0 ? "superfluous" : "free");
        JSON_MEMBERS(object, n, rule, text, cycles);
        txl_json_set(object, "place", place_json(r, &n->place));
        txl_json_append(list, object);
    }
    return list;
}

static txl_json *result_json(const struct txl_lint_result *r)
{
    txl_json *root = txl_json_object();
    JSON_MEMBERS(root, r, file, function);
    txl_json_set_text(root, "arch", tx_arch_name(r->arch));
    txl_json_set(root, "findings", findings_json(r));
    txl_json_set(root, "nops", nops_json(r));
    JSON_MEMBERS(root, r, hazards, others, superfluous, cycles, skipped, unrecorded, complete);
    return root;
}

char *txl_lint_json(const txl_lint *lint)
{
    txl_json *root = txl_json_object();
    txl_json *list = txl_json_array();
    txl_json_set_bool(root, "found", txl_lint_found(lint));
    for (size_t i = 0; i < txl_lint_results(lint); i++) {
        txl_json_append(list, result_json(txl_lint_result(lint, i)));
    }
    txl_json_set(root, "results", list);
    return json_text(root);
}
