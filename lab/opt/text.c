/* SPDX-License-Identifier: Apache-2.0 */
/* Reports on the result, for people and as JSON. */
#include "base/json.h"
#include "opt/opt.h"

#include <string.h>

char *txl_opt_report(const txl_opt *o)
{
    const struct txl_opt_result *r = &o->result;
    struct memory_text text;
    if (memory_text_open(NULL, &text) != TXL_CONTINUE) {
        return NULL;
    }
    fprintf(text.stream, "cycles          %llu a tile, %llu before%s\n",
            (unsigned long long)r->after, (unsigned long long)r->before,
            r->expanded && r->kept == NULL ? "; what it scheduled was written out first" : "");
    if (r->kept != NULL) {
        fprintf(text.stream, "kept            as it is: %s\n", r->kept);
    } else if (r->reordered) {
        fputs("rows            their instructions in another order, without SFPLOADMACRO\n",
              text.stream);
    } else {
        fprintf(text.stream, "rows            one every %u cycle%s%s; the bound is %u\n", r->ii,
                r->ii == 1 ? "" : "s", r->optimal ? ", optimal" : "", r->bound);
    }
    if (r->through_dst != 0) {
        fprintf(text.stream, "through Dst     %llu value%s of a row\n",
                (unsigned long long)r->through_dst, r->through_dst == 1 ? "" : "s");
    }
    if (r->selected) {
        fputs("selections      in place of conditions, which took more instructions\n",
              text.stream);
    }
    if (r->kept == NULL) {
        fprintf(
            text.stream,
            "proof           identical to the kernel as given on %llu inputs, no new findings\n",
            (unsigned long long)r->compared);
    }
    return memory_text_take(&text);
}

txl_json *txl_opt_json(struct txl_error *err, const txl_opt *o)
{
    const struct txl_opt_result *r = &o->result;
    txl_json *root = txl_json_object();
    txl_json_set_text(root, "kernel", o->name);
    txl_json_set_text(root, "arch", tx_arch_name(tx_program_arch(o->program)));
    txl_json_set_int(root, "cycles_before", r->before);
    txl_json_set_int(root, "cycles", r->after);
    JSON_MEMBERS(root, r, kept, expanded, ii, bound, optimal, compared, reordered, selected,
                 through_dst);
    if (root == NULL) {
        (void)no_memory(err);
    }
    return root;
}
