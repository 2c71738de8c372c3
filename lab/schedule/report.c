/* SPDX-License-Identifier: Apache-2.0 */
/* What was found, for people and as JSON. */
#include "base/json.h"
#include "schedule/schedule.h"

#include "base/memory.h"

static void report_table(FILE *out, const txl_schedule *s)
{
    static const char *const units[] = {"Load", "Simple", "MAD", "Round", "Store"};
    const int first = sched_first(&s->plan);
    for (int t = first; t <= sched_last(&s->body, &s->plan); t++) {
        for (unsigned i = 0; i < s->plan.issues; i++) {
            const struct sched_issue *issue = &s->plan.issue[i];
            if (issue->time == t && issue->op == SCHED_NONE) {
                const bool macro = s->code.macro[i][0] >= 0;
                fprintf(out, "%7d  %-6s %s\n", t - first, units[0],
                        macro ? "sfploadmacro" : "sfpload");
            }
        }
        for (unsigned i = 0; i < s->body.ops; i++) {
            const struct sched_place *place = &s->plan.place[i];
            const struct tx_row *row = s->body.op[i].form[place->form].row;
            if (place->time == t) {
                fprintf(out, "%7d  %-6s %s%s%s\n", t - first, units[row->unit - TX_UNIT_LOAD],
                        row->mnemonic, place->macro ? "*" : "", place->l16 ? " (L16)" : "");
            }
        }
    }
}

char *txl_schedule_report(const txl_schedule *s)
{
    const struct txl_schedule_result *r = &s->result;
    struct memory_text text;
    if (memory_text_open(NULL, &text) != TXL_CONTINUE) {
        return NULL;
    }
    fprintf(text.stream, "II              %u cycles a row%s\n", r->ii,
            r->optimal ? ", optimal"
            : r->cut   ? "; the search was cut short, a smaller one may exist"
                       : "");
    fprintf(text.stream, "bound           %u: %s\n", r->bound, r->bound_why);
    if (r->optimal && r->ii > r->bound) {
        fprintf(text.stream, "refuted         every smaller II, in %llu steps\n",
                (unsigned long long)r->refuted);
    }
    fprintf(text.stream, "cycles          %llu a tile of %u rows; straight line %llu\n",
            (unsigned long long)r->cycles, r->rows, (unsigned long long)r->straight);
    fprintf(text.stream,
            "uses            %u templates, %u sequences; registers come again after "
            "%u row%s\n",
            r->templates, r->sequences, r->phases, r->phases == 1 ? "" : "s");
    if (r->through_dst != 0) {
        fprintf(text.stream, "through Dst     %llu value%s of a row\n",
                (unsigned long long)r->through_dst, r->through_dst == 1 ? "" : "s");
    }
    fprintf(text.stream, "search          %llu steps\n", (unsigned long long)r->nodes);
    fprintf(text.stream, "proof           identical on %llu inputs, no findings%s\n",
            (unsigned long long)r->compared,
            s->body.passes ? " but T-12, as in the kernel; --reserve dst: without" : "");
    fputs("one row, by cycle; * is scheduled by an SFPLOADMACRO\n", text.stream);
    report_table(text.stream, s);
    return memory_text_take(&text);
}

txl_json *txl_schedule_json(struct txl_error *err, const txl_schedule *s)
{
    const struct txl_schedule_result *r = &s->result;
    txl_json *root = txl_json_object();
    txl_json_set_text(root, "arch", tx_arch_name(s->body.arch));
    JSON_MEMBERS(root, r, ii, bound, bound_why, optimal, cut, rows, issues, phases, templates,
                 sequences, through_dst, cycles);
    txl_json_set_int(root, "straight_cycles", r->straight);
    JSON_MEMBERS(root, r, nodes, refuted, compared, seconds);
    if (root == NULL) {
        (void)no_memory(err);
    }
    return root;
}
