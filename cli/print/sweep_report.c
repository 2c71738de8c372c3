/* SPDX-License-Identifier: Apache-2.0 */
/* What a sweep tells: text and JSON. */
#include "cli.h"

#include "sweep/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/guard.h"
#include "base/json.h"

static const struct {
    const char *name;
    double part;
} percentiles[] = {{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p99.9", 0.999}, {"p99.99", 0.9999}};

enum { PERCENTILES = sizeof percentiles / sizeof percentiles[0] };

/* Those of the accuracy report, and none at all. */
static const char *const band_names[SWEEP_BANDS] = {"0", "<=1", "<=3", "<=10", ">10"};

static double max_of(const struct sweep_stats *stats)
{
    return stats->worst_count > 0 ? stats->worst[0].ulp : 0.0;
}

/* The findings as tensix run prints them. */
static struct run_findings *findings_of(const struct sweep *s)
{
    struct run_findings *all = guard_zeroed(1, sizeof *all);
    for (uint64_t i = 0; i < s->findings.count; i++) {
        struct run_finding *one = &all->list[all->count++];
        one->finding = s->findings.list[i].finding;
        one->finding.rule = s->findings.list[i].rule;
        one->tile = s->findings.list[i].tile;
    }
    all->dropped = s->findings.dropped;
    return all;
}

static void print_number(enum tx_dst_format dst, uint32_t word)
{
    char text[48];
    printf("%15s %08x", number_text(dst, word, text, sizeof text), word);
}

static void print_case(const struct sweep *s, const struct ulp_case *one)
{
    for (unsigned k = 0; k < s->domain.operands; k++) {
        printf(s->domain.operands > 1 ? " x%u" : " x", k);
        print_number(s->dst, one->inputs[k]);
    }
    printf("  expected");
    print_number(s->out, one->expected);
    printf("  got");
    print_number(s->out, one->got);
    if (isinf(one->ulp)) {
        printf("\n");
    } else {
        printf("  %.6g ULP\n", one->ulp);
    }
}

static void print_figures(const struct sweep *s)
{
    const struct sweep_stats *stats = s->stats;
    printf("outcomes       ");
    for (unsigned i = 0; i < SWEEP_OUTCOMES; i++) {
        if (stats->outcomes[i] != 0) {
            printf(" %s %llu", sweep_outcome_names[i], (unsigned long long)stats->outcomes[i]);
        }
    }
    printf("\npercentiles    ");
    for (unsigned i = 0; i < PERCENTILES; i++) {
        printf(" %s %.6g", percentiles[i].name, stats_percentile(stats, percentiles[i].part));
    }
    printf(" ULP\nbands          ");
    for (unsigned i = 0; i < SWEEP_BANDS; i++) {
        printf(" %s ULP %llu", band_names[i], (unsigned long long)stats->bands[i]);
    }
    printf("\nmax error       %.6g ULP", max_of(stats));
    if (stats->far.index != UINT64_MAX) {
        printf("; %.6g from the unrounded reference", stats->far.ulp);
    }
    printf("\nmean error      %.6g ULP\n", stats_mean(stats));
    printf("exact           %llu of %llu (%.3f%%)\n", (unsigned long long)stats->exact,
           (unsigned long long)stats->count,
           stats->count == 0 ? 100.0 : 100.0 * (double)stats->exact / (double)stats->count);
    if (stats->mismatched != 0) {
        printf("mismatched      %llu (NaN or infinity against something else)\n",
               (unsigned long long)stats->mismatched);
    }
    if (domain_ordered(&s->domain)) {
        printf("monotony        %llu breaks\n", (unsigned long long)stats->breaks);
        if (stats->breaks != 0) {
            printf("first break    ");
            print_case(s, &stats->first_break);
        }
    }
}

static void print_cases(const struct sweep *s, unsigned worst, struct sweep_blame *blame)
{
    const struct sweep_stats *stats = s->stats;
    for (unsigned i = SWEEP_INEXACT; i < SWEEP_OUTCOMES; i++) {
        if (stats->outcomes[i] == 0 || i == SWEEP_INEXACT) {
            continue;
        }
        printf("%-9s first ", sweep_outcome_names[i]);
        print_case(s, &stats->first[i]);
        printf("%-9s last  ", "");
        print_case(s, &stats->last[i]);
    }
    for (uint64_t i = 0; i < stats->worst_count && i < worst; i++) {
        printf("%-16s", i == 0 ? "worst" : "");
        print_case(s, &stats->worst[i]);
        sweep_blame_print(stdout, blame, &stats->worst[i]);
    }
    if (stats->far.index != UINT64_MAX && stats->far.ulp > 0.0) {
        printf("%-16s", "furthest");
        print_case(s, &stats->far);
    }
}

static void print_specials(const struct sweep *s)
{
    static const char letters[SWEEP_OUTCOMES] = {'=', 'i', 'f', 'u', 'z', 'o', '?', '!'};
    if (s->domain.operands == 1) {
        for (unsigned i = 0; i < s->special_count; i++) {
            const struct sweep_special *one = &s->special[i];
            printf("%-16s x", i == 0 ? "special values" : "");
            print_number(s->dst, one->x[0]);
            printf("  expected");
            print_number(s->out, one->expected);
            printf("  got");
            print_number(s->out, one->got);
            printf("  %s\n", sweep_outcome_names[one->verdict.outcome]);
        }
        return;
    }
    unsigned side = (unsigned)lrint(sqrt(s->special_count));
    printf("special values  x0 down, x1 across in the same order;");
    for (unsigned i = 0; i < SWEEP_OUTCOMES; i++) {
        printf(" %c %s", letters[i], sweep_outcome_names[i]);
    }
    printf("\n");
    for (unsigned row = 0; row < side; row++) {
        print_number(s->dst, s->special[row * side].x[0]);
        printf(" ");
        for (unsigned column = 0; column < side; column++) {
            printf(" %c", letters[s->special[row * side + column].verdict.outcome]);
        }
        printf("\n");
    }
}

static void print_traces(const struct sweep *s, unsigned traces)
{
    if (traces > 1 && s->stats->worst_count == 0) {
        printf("trace           none: no input has an error\n");
    }
    for (uint64_t i = 0; i < s->stats->worst_count && i < traces; i++) {
        struct sweep_steps steps;
        const bool good = sweep_steps_of(&s->kernel, &s->domain, s->stats->worst[i].index, &steps);
        printf("trace of worst input %llu: %s\n", (unsigned long long)i,
               !good              ? "none, the kernel stops"
               : steps.count == 0 ? "no instruction reads it and writes its result"
                                  : "cycle, register, value, instruction");
        if (good) {
            sweep_steps_print(stdout, tx_program_arch(s->kernel.program), s->dst, &steps);
        }
        free(steps.list);
    }
}

int sweep_print(struct sweep *s, const struct sweep_outputs *outputs)
{
    char dst[80];
    char inputs[320];
    struct run_findings *findings = findings_of(s);
    printf("kernel          %s on %s, Dst %s%s", txl_basename(s->path),
           tx_arch_name(tx_program_arch(s->kernel.program)), txl_dst_text(s->dst, dst),
           txl_start_text(s->kernel.program));
    printf(s->out != s->dst ? ", read as %s\n" : "\n", tx_dst_format_name(s->out));
    printf("inputs          %s, compared with %s\n", sweep_covered_text(s, inputs, sizeof inputs),
           s->reference.name);
    printf("cycles          a tile %llu, a row of 32 %.6g\n", (unsigned long long)s->cycles,
           (double)s->cycles / 32.0);
    run_print_findings(stdout, findings, s->kernel.program);
    free(findings);
    struct sweep_blame *blame = NULL;
    int result = outputs->blame ? sweep_blame_open(s, &blame) : CLI_CONTINUE;
    if (result == CLI_CONTINUE) {
        print_figures(s);
        print_cases(s, outputs->worst, blame);
        print_specials(s);
        print_traces(s, outputs->traces);
    }
    if (result == CLI_CONTINUE && s->gate != NULL) {
        printf("gate            %s: %s\n", s->verdict.passed ? "passed" : "FAILED",
               s->verdict.text);
    }
    sweep_blame_close(blame);
    return result;
}

/* ---- JSON ---- */

static json_t *number_json(enum tx_dst_format dst, uint32_t word)
{
    char text[48];
    json_t *object = json_object();
    jx_set_text(object, "text", number_text(dst, word, text, sizeof text));
    jx_set_hex(object, "hex", word);
    return object;
}

static json_t *case_json(const struct sweep *s, const struct ulp_case *one)
{
    json_t *object = json_object();
    json_t *list = json_array();
    jx_set_int(object, "element", one->index);
    for (unsigned k = 0; k < s->domain.operands; k++) {
        json_array_append_new(list, number_json(s->dst, one->inputs[k]));
    }
    json_object_set_new(object, "inputs", list);
    json_object_set_new(object, "expected", number_json(s->out, one->expected));
    json_object_set_new(object, "got", number_json(s->out, one->got));
    jx_set_real(object, "ulp", one->ulp);
    return object;
}

static json_t *worst_json(const struct sweep *s, const struct sweep_outputs *outputs,
                          struct sweep_blame *blame)
{
    json_t *list = json_array();
    for (uint64_t i = 0; i < s->stats->worst_count && i < outputs->worst; i++) {
        json_t *item = case_json(s, &s->stats->worst[i]);
        struct sweep_steps steps = {0};
        if (i < outputs->traces &&
            sweep_steps_of(&s->kernel, &s->domain, s->stats->worst[i].index, &steps)) {
            json_object_set_new(item, "trace",
                                sweep_steps_json(tx_program_arch(s->kernel.program), &steps));
        }
        free(steps.list);
        if (blame != NULL) {
            json_object_set_new(item, "blame", sweep_blame_json(blame, &s->stats->worst[i]));
        }
        json_array_append_new(list, item);
    }
    return list;
}

static json_t *outcomes_json(const struct sweep *s)
{
    json_t *object = json_object();
    for (unsigned i = 0; i < SWEEP_OUTCOMES; i++) {
        jx_set_int(object, sweep_outcome_names[i], s->stats->outcomes[i]);
    }
    return object;
}

static json_t *examples_json(const struct sweep *s)
{
    json_t *object = json_object();
    for (unsigned i = 0; i < SWEEP_OUTCOMES; i++) {
        if (s->stats->outcomes[i] == 0) {
            continue;
        }
        json_t *pair = json_object();
        json_object_set_new(pair, "first", case_json(s, &s->stats->first[i]));
        json_object_set_new(pair, "last", case_json(s, &s->stats->last[i]));
        json_object_set_new(object, sweep_outcome_names[i], pair);
    }
    return object;
}

static json_t *specials_json(const struct sweep *s)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < s->special_count; i++) {
        const struct sweep_special *one = &s->special[i];
        struct ulp_case as_case = {.index = i,
                                   .ulp = one->verdict.ulp,
                                   .inputs = {one->x[0], one->x[1], one->x[2]},
                                   .expected = one->expected,
                                   .got = one->got};
        json_t *item = case_json(s, &as_case);
        json_object_del(item, "element");
        jx_set_text(item, "outcome", sweep_outcome_names[one->verdict.outcome]);
        json_array_append_new(list, item);
    }
    return list;
}

static json_t *accuracy_json(const struct sweep *s, const struct sweep_outputs *outputs,
                             struct sweep_blame *blame)
{
    const struct sweep_stats *stats = s->stats;
    json_t *object = json_object();
    jx_set_int(object, "compared", stats->count);
    jx_set_int(object, "exact", stats->exact);
    jx_set_int(object, "mismatched", stats->mismatched);
    jx_set_real(object, "max_ulp", max_of(stats));
    jx_set_real(object, "mean_ulp", stats_mean(stats));
    jx_set_int(object, "max_steps", stats->max_steps);
    if (stats->far.index != UINT64_MAX) {
        jx_set_real(object, "max_ulp_unrounded", stats->far.ulp);
        json_object_set_new(object, "furthest", case_json(s, &stats->far));
    }
    json_object_set_new(object, "worst", worst_json(s, outputs, blame));
    return object;
}

int sweep_report_json(struct sweep *s, const struct sweep_outputs *outputs, json_t **report)
{
    char inputs[320];
    struct run_findings *findings = findings_of(s);
    struct sweep_blame *blame = NULL;
    int result = outputs->blame ? sweep_blame_open(s, &blame) : CLI_CONTINUE;
    if (result != CLI_CONTINUE) {
        sweep_blame_close(blame);
        free(findings);
        return result;
    }
    json_t *root = json_object();
    jx_set_text(root, "kernel", s->path);
    jx_set_text(root, "arch", tx_arch_name(tx_program_arch(s->kernel.program)));
    jx_set_text(root, "domain", s->domain.text);
    jx_set_text(root, "inputs", sweep_covered_text(s, inputs, sizeof inputs));
    jx_set_bool(root, "whole", sweep_whole(s));
    jx_set_int(root, "wanted", s->domain.count);
    jx_set_bool(root, "interrupted", s->interrupted);
    jx_set_text(root, "start", txl_start_name(s->kernel.program));
    jx_set_text(root, "dst", tx_dst_format_name(s->dst));
    jx_set_text(root, "out_dst", tx_dst_format_name(s->out));
    jx_set_text(root, "dst_encoding", tx_dst_encoding_name(s->dst));
    jx_set_text(root, "reference", s->reference.name);
    jx_set_real(root, "cycles_per_tile", (double)s->cycles);
    json_object_set_new(root, "outcomes", outcomes_json(s));
    json_t *parts = json_object();
    for (unsigned i = 0; i < PERCENTILES; i++) {
        jx_set_real(parts, percentiles[i].name, stats_percentile(s->stats, percentiles[i].part));
    }
    json_object_set_new(root, "percentiles", parts);
    json_t *bands = json_object();
    for (unsigned i = 0; i < SWEEP_BANDS; i++) {
        jx_set_int(bands, band_names[i], s->stats->bands[i]);
    }
    json_object_set_new(root, "bands", bands);
    if (domain_ordered(&s->domain)) {
        jx_set_int(root, "monotony_breaks", s->stats->breaks);
        if (s->stats->breaks != 0) {
            json_object_set_new(root, "first_break", case_json(s, &s->stats->first_break));
        }
    }
    json_object_set_new(root, "accuracy", accuracy_json(s, outputs, blame));
    json_object_set_new(root, "examples", examples_json(s));
    json_object_set_new(root, "special_values", specials_json(s));
    json_object_set_new(root, "findings", run_findings_json(findings, s->kernel.program));
    if (s->gate != NULL) {
        json_t *gate = json_object();
        jx_set_bool(gate, "passed", s->verdict.passed);
        jx_set_text(gate, "text", s->verdict.text);
        json_object_set_new(root, "gate", gate);
    }
    *report = root;
    sweep_blame_close(blame);
    free(findings);
    return CLI_CONTINUE;
}
