/* SPDX-License-Identifier: Apache-2.0 */
/* Several sweeps: a line of each in a table and in the CSV, rows of a budget, reports in JSON. */
#include "print/print.h"

#include "sweep/sweep.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/guard.h"
#include "base/quote.h"

/* Names go to terminals and into comments. */
static void copy_plain(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from);
    txl_mask_controls(to);
}

static int make_row(struct sweep_line *l, const struct sweep *s)
{
    size_t size = 0;
    char text[320];
    struct sweep_budget_key key;
    FILE *memory = guard_text(&l->row, &size);
    sweep_yaml_row(memory, s);
    guard_text_end(memory, &l->row);
    const char *value = strstr(l->row, "max_ulp:");
    value = value != NULL ? value : strstr(l->row, "metric:");
    l->key = value != NULL ? (size_t)(value - l->row) : size;
    sweep_budget_key(s, &key);
    snprintf(l->op, sizeof l->op, "%s", key.op);
    snprintf(l->about, sizeof l->about, "%.100s on %s, %.150s", l->kernel, tx_arch_name(l->arch),
             sweep_covered_text(s, text, sizeof text));
    return CLI_CONTINUE;
}

int table_add(struct sweep_table *t, struct sweep *s)
{
    struct sweep_line *more = realloc(t->lines, (t->count + 1) * sizeof *more);
    if (more == NULL) {
        return txl_fail(s->err, "out of memory");
    }
    t->lines = more;
    struct sweep_line *l = &t->lines[t->count++];
    *l = (struct sweep_line){
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
    t->gated = s->gate != NULL;
    copy_plain(l->kernel, sizeof l->kernel, txl_basename(s->path));
    copy_plain(l->reference, sizeof l->reference, s->reference.name);
    copy_plain(l->domain, sizeof l->domain, s->domain.text);
    copy_plain(l->verdict.text, sizeof l->verdict.text, s->verdict.text);
    const bool floats = !number_format(s->dst)->integer && !number_format(s->out)->integer;
    return floats ? make_row(l, s) : CLI_CONTINUE;
}

void table_free(struct sweep_table *t)
{
    for (size_t i = 0; i < t->count; i++) {
        free(t->lines[i].row);
    }
    free(t->lines);
    json_decref(t->reports);
    *t = (struct sweep_table){0};
}

bool table_passed(const struct sweep_table *t)
{
    bool passed = true;
    for (size_t i = 0; i < t->count; i++) {
        passed = passed && t->lines[i].verdict.passed;
    }
    return passed;
}

static int widest(int width, const char *text)
{
    const int length = (int)strlen(text);
    return length > width ? length : width;
}

void table_print(FILE *stream, const struct sweep_table *t)
{
    int kernel = 28;
    int dst = 5;
    for (size_t i = 0; i < t->count; i++) {
        kernel = widest(kernel, t->lines[i].kernel);
        dst = widest(dst, tx_dst_format_name(t->lines[i].dst));
    }
    fprintf(stream, "%-*s %-4s %-*s %12s %12s %9s %10s %8s %7s%s\n", kernel, "kernel", "chip", dst,
            "dst", "max ULP", "mean ULP", "exact %", "mismatched", "findings", "cycles",
            t->gated ? "  gate" : "");
    for (size_t i = 0; i < t->count; i++) {
        const struct sweep_line *l = &t->lines[i];
        const double exact = l->covered == 0 ? 0.0 : 100.0 * (double)l->exact / (double)l->covered;
        fprintf(stream,
                "%-*s %-4s %-*s %12.6g %12.6g %9.3f %10" PRIu64 " %8" PRIu64 " %7" PRIu64 "%s",
                kernel, l->kernel, tx_arch_short(l->arch), dst, tx_dst_format_name(l->dst),
                l->max_ulp, l->mean_ulp, exact, l->mismatched, l->findings, l->cycles,
                !t->gated           ? ""
                : l->verdict.passed ? "  passed: "
                                    : "  FAILED: ");
        fprintf(stream, "%s%s\n", t->gated ? l->verdict.text : "",
                l->covered != l->wanted && !t->gated ? "  not whole" : "");
    }
}

static void csv_line(FILE *out, const struct sweep_line *l)
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

/* The file at path from what write puts there. */
static int written(struct cli *cli, const char *path, const struct sweep_table *t,
                   void (*write)(FILE *out, const struct sweep_table *t))
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = guard_text(&text, &size);
    write(memory, t);
    guard_text_end(memory, &text);
    int result = txl_write_file(&cli->error, path, text, size);
    free(text);
    return result == CLI_OK ? CLI_CONTINUE : result;
}

static void write_csv(FILE *out, const struct sweep_table *t)
{
    fputs("kernel,arch,dst,out_dst,reference,domain,inputs,wanted,exact,max_ulp,mean_ulp,p99,"
          "p99.99,max_steps,mismatched,nonfinite,findings,cycles_per_tile,gate,gate_text\n",
          out);
    for (size_t i = 0; i < t->count; i++) {
        csv_line(out, &t->lines[i]);
    }
}

int table_csv(struct cli *cli, const struct sweep_table *t, const char *path)
{
    return written(cli, path, t, write_csv);
}

/* Rows of one operation stand together, below its name. */
static void write_yaml(FILE *out, const struct sweep_table *t)
{
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
                fprintf(out, "%s%s%s\n", t->lines[k].row, k == i ? "" : "; ",
                        k == i ? "" : t->lines[k].about);
            }
        }
    }
}

int table_yaml(struct cli *cli, const struct sweep_table *t, const char *path)
{
    for (size_t i = 0; i < t->count; i++) {
        const struct sweep_line *a = &t->lines[i];
        if (a->covered != a->wanted) {
            return CLI_CONTINUE; /* a budget is of the whole domain; the report says so */
        }
        for (size_t k = 0; k < i; k++) {
            const struct sweep_line *b = &t->lines[k];
            if (strcmp(a->op, b->op) == 0 && a->key == b->key &&
                strncmp(a->row, b->row, a->key) == 0) {
                return cli_fail(cli, "--yaml: %s and %s would have the same row of %s", b->kernel,
                                a->kernel, a->op);
            }
        }
    }
    return written(cli, path, t, write_yaml);
}
