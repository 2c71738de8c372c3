/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of several sweeps: one line for each, also as CSV and as entries of a budget. */
#include "sweep/sweep.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/options.h"
#include "base/quote.h"

/* The results kept of one sweep. */
struct line {
    char kernel[200], reference[200], domain[200];
    enum tx_arch arch;
    enum tx_dst_format dst, out;
    uint64_t covered, wanted, exact, mismatched, nonfinite, max_steps, findings, cycles;
    double max_ulp, mean_ulp, percentile[2]; /* p99, p99.99 */
    struct sweep_verdict_text verdict;
    char op[64], about[300]; /* of the entry in a budget */
    char *entry;             /* NULL: budgets have no entries for the format */
    size_t key;              /* length of the key at the beginning of entry */
};

struct txl_sweep_table {
    struct line *lines;
    size_t count, room;
};

int txl_sweep_table_open(struct txl_error *err, txl_sweep_table **table)
{
    *table = zeroed(err, 1, sizeof **table);
    return *table != NULL ? TXL_OK : TXL_INPUT;
}

void txl_sweep_table_close(txl_sweep_table *t)
{
    for (size_t i = 0; t != NULL && i < t->count; i++) {
        free(t->lines[i].entry);
    }
    if (t != NULL) {
        free(t->lines);
        free(t);
    }
}

/* Copies a name so that it is safe on terminals and in comments. */
static void copy_plain(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from);
    txl_mask_controls(to);
}

static int make_row(struct txl_error *err, struct line *l, const txl_sweep *s)
{
    char text[320];
    struct sweep_budget_key key;
    sweep_budget_key(s, &key);
    snprintf(l->op, sizeof l->op, "%s", key.op);
    snprintf(l->about, sizeof l->about, "%.100s on %s, %.150s", l->kernel, tx_arch_name(l->arch),
             sweep_covered_text(s, text, sizeof text));
    return sweep_yaml_entry(err, s, &l->entry, &l->key);
}

int txl_sweep_table_add(struct txl_error *err, txl_sweep_table *t, const txl_sweep *s)
{
    if (!LIST_ROOM(t->lines, t->count, t->room, 1)) {
        return no_memory(err);
    }
    struct line *l = &t->lines[t->count++];
    *l = (struct line){
        .arch = tx_program_arch(s->kernel.program),
        .dst = s->dst,
        .out = s->out,
        .covered = sweep_inputs(s),
        .wanted = s->domain.count,
        .exact = s->stats->exact,
        .mismatched = s->stats->mismatched,
        .nonfinite = s->stats->nonfinite,
        .max_steps = s->stats->max_steps,
        .findings = s->findings.count,
        .cycles = s->cycles,
        .max_ulp = s->stats->worst_count > 0 ? s->stats->worst[0].ulp : 0.0,
        .mean_ulp = stats_mean(s->stats),
        .percentile = {stats_percentile(s->stats, 0.99), stats_percentile(s->stats, 0.9999)},
        .verdict = s->verdict};
    copy_plain(l->kernel, sizeof l->kernel, txl_basename(s->path));
    copy_plain(l->reference, sizeof l->reference, s->reference.name);
    copy_plain(l->domain, sizeof l->domain, s->domain.text);
    copy_plain(l->verdict.text, sizeof l->verdict.text, s->verdict.text);
    const bool floats = !number_format(s->dst)->integer && !number_format(s->out)->integer;
    const int result = floats ? make_row(err, l, s) : TXL_CONTINUE;
    return result == TXL_CONTINUE ? TXL_OK : result;
}

bool txl_sweep_table_passed(const txl_sweep_table *t)
{
    bool passed = true;
    for (size_t i = 0; i < t->count; i++) {
        passed = passed && t->lines[i].verdict.passed;
    }
    return passed;
}

bool txl_sweep_table_line(const txl_sweep_table *t, size_t at, struct txl_sweep_line *line)
{
    if (at >= t->count) {
        return false;
    }
    const struct line *l = &t->lines[at];
    const struct txl_sweep_line all = {.kernel = l->kernel,
                                       .reference = l->reference,
                                       .domain = l->domain,
                                       .verdict = l->verdict.text,
                                       .arch = l->arch,
                                       .dst = l->dst,
                                       .out = l->out,
                                       .done = l->covered,
                                       .wanted = l->wanted,
                                       .exact = l->exact,
                                       .mismatched = l->mismatched,
                                       .nonfinite = l->nonfinite,
                                       .max_steps = l->max_steps,
                                       .findings = l->findings,
                                       .cycles = l->cycles,
                                       .max_ulp = l->max_ulp,
                                       .mean_ulp = l->mean_ulp,
                                       .percentile_99 = l->percentile[0],
                                       .percentile_9999 = l->percentile[1],
                                       .passed = l->verdict.passed};
    options_give(line, &all, sizeof all);
    return true;
}

/* ---- files ---- */

static void csv_line(FILE *out, const struct line *l)
{
    quote_csv(out, l->kernel);
    fprintf(out, ",%s,%s,%s,", tx_arch_short(l->arch), tx_dst_format_name(l->dst),
            tx_dst_format_name(l->out));
    quote_csv(out, l->reference);
    fputc(',', out);
    quote_csv(out, l->domain);
    fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.9g,%.9g,%.9g,%.9g,%" PRIu64, l->covered,
            l->wanted, l->exact, l->max_ulp, l->mean_ulp, l->percentile[0], l->percentile[1],
            l->max_steps);
    fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",", l->mismatched, l->nonfinite,
            l->findings, l->cycles);
    fprintf(out, "%s,", l->verdict.text[0] == '\0' ? "" : l->verdict.passed ? "passed" : "failed");
    quote_csv(out, l->verdict.text);
    fputc('\n', out);
}

static void write_csv(FILE *out, const void *what)
{
    const txl_sweep_table *t = what;
    fputs("kernel,arch,dst,out_dst,reference,domain,inputs,wanted,exact,max_ulp,mean_ulp,p99,"
          "p99.99,max_steps,mismatched,nonfinite,findings,cycles_per_tile,gate,gate_text\n",
          out);
    for (size_t i = 0; i < t->count; i++) {
        csv_line(out, &t->lines[i]);
    }
}

int txl_sweep_table_csv(struct txl_error *err, const txl_sweep_table *t, const char *path)
{
    return sweep_write(err, path, t, write_csv);
}

/* Writes the entries grouped by operation. */
static void write_yaml(FILE *out, const void *what)
{
    const txl_sweep_table *t = what;
    for (size_t i = 0; i < t->count; i++) {
        bool first = true;
        for (size_t k = 0; k < i; k++) {
            first = first && strcmp(t->lines[k].op, t->lines[i].op) != 0;
        }
        if (!first) {
            continue;
        }
        fprintf(out, "%s:  # measured by: tensix %s, %s\n", t->lines[i].op, tx_version(),
                t->lines[i].about);
        for (size_t k = i; k < t->count; k++) {
            if (strcmp(t->lines[k].op, t->lines[i].op) == 0) {
                fprintf(out, "%s%s%s\n", t->lines[k].entry, k == i ? "" : "; ",
                        k == i ? "" : t->lines[k].about);
            }
        }
    }
}

int txl_sweep_table_yaml(struct txl_error *err, const txl_sweep_table *t, const char *path)
{
    for (size_t i = 0; i < t->count; i++) {
        const struct line *a = &t->lines[i];
        if (a->covered != a->wanted) {
            return TXL_OK; /* a budget is for the whole domain; the report says so */
        }
        if (a->entry == NULL) {
            return txl_fail_option(
                err, NULL, "yaml", "the accuracy budget has no rows for Dst format %s",
                tx_dst_format_name(number_format(a->dst)->integer ? a->dst : a->out));
        }
        for (size_t k = 0; k < i; k++) {
            const struct line *b = &t->lines[k];
            if (strcmp(a->op, b->op) == 0 && a->key == b->key &&
                strncmp(a->entry, b->entry, a->key) == 0) {
                return txl_fail_option(err, NULL, "yaml", "%s and %s would have the same row of %s",
                                       b->kernel, a->kernel, a->op);
            }
        }
    }
    return sweep_write(err, path, t, write_yaml);
}

static int widest(int width, const char *text)
{
    const int length = (int)strlen(text);
    return length > width ? length : width;
}

static void print_table(FILE *out, const txl_sweep_table *t, bool gated)
{
    struct txl_sweep_line l = {.size = sizeof l};
    int kernel = 28;
    int dst = 5;
    for (size_t i = 0; txl_sweep_table_line(t, i, &l); i++) {
        kernel = widest(kernel, l.kernel);
        dst = widest(dst, tx_dst_format_name(l.dst));
    }
    fprintf(out, "%-*s %-4s %-*s %12s %12s %9s %10s %8s %7s%s\n", kernel, "kernel", "chip", dst,
            "dst", "max ULP", "mean ULP", "exact %", "mismatched", "findings", "cycles",
            gated ? "  gate" : "");
    for (size_t i = 0; txl_sweep_table_line(t, i, &l); i++) {
        const double exact = l.done == 0 ? 0.0 : 100.0 * (double)l.exact / (double)l.done;
        fprintf(out, "%-*s %-4s %-*s %12.6g %12.6g %9.3f %10" PRIu64 " %8" PRIu64 " %7" PRIu64 "%s",
                kernel, l.kernel, tx_arch_short(l.arch), dst, tx_dst_format_name(l.dst), l.max_ulp,
                l.mean_ulp, exact, l.mismatched, l.findings, l.cycles,
                !gated     ? ""
                : l.passed ? "  passed: "
                           : "  FAILED: ");
        fprintf(out, "%s%s\n", gated ? l.verdict : "",
                l.done != l.wanted && !gated ? "  not whole" : "");
    }
}

char *txl_sweep_table_text(const txl_sweep_table *table, bool gated)
{
    struct memory_text text;
    if (memory_text_open(NULL, &text) != TXL_CONTINUE) {
        return NULL;
    }
    print_table(text.stream, table, gated);
    return memory_text_take(&text);
}

int txl_sweep_interrupted(struct txl_error *err, const txl_sweep *s, bool budget)
{
    char resume[300] = "";
    struct txl_sweep_about about = {.size = sizeof about};
    txl_sweep_about(s, &about);
    if (about.state != NULL) {
        snprintf(resume, sizeof resume, "; --resume %s goes on from there", about.state);
    }
    return txl_refuse(err, TXL_NEGATIVE, "interrupted after %llu of %llu inputs%s%s",
                      (unsigned long long)about.done, (unsigned long long)about.wanted,
                      budget ? "; no budget was written" : "", resume);
}

int txl_sweep_budgets(struct txl_error *err, const txl_sweep *s)
{
    struct txl_sweep_about about = {.size = sizeof about};
    txl_sweep_about(s, &about);
    const bool integer = txl_number_is_integer(about.dst);
    return integer || txl_number_is_integer(about.out)
               ? txl_fail(err, "--yaml: the accuracy budget has no rows for Dst format %s",
                          tx_dst_format_name(integer ? about.dst : about.out))
               : TXL_OK;
}
