/* SPDX-License-Identifier: Apache-2.0 */
/* The results of a sweep, one by one and as JSON. */
#include "base/json.h"
#include "sweep/sweep.h"

#include <stdlib.h>
#include <string.h>

#include "base/finding.h"
#include "base/options.h"

void txl_sweep_about(const txl_sweep *s, struct txl_sweep_about *about)
{
    const struct txl_sweep_about all = {.kernel = s->path,
                                        .domain = s->domain.text,
                                        .reference = s->reference.name,
                                        .program = s->kernel.program,
                                        .dst = s->dst,
                                        .out = s->out,
                                        .operands = s->domain.operands,
                                        .ordered = domain_ordered(&s->domain),
                                        .wanted = s->domain.count,
                                        .done = sweep_inputs(s),
                                        .covered = s->covered,
                                        .state = s->state_path,
                                        .cycles = s->cycles,
                                        .cancelled = s->cancelled,
                                        .gated = gate_is(s),
                                        .passed = s->verdict.passed,
                                        .verdict = s->verdict.text,
                                        .findings = s->findings.count,
                                        .findings_dropped = s->findings.dropped};
    options_give(about, &all, sizeof all);
}

static double max_of(const struct sweep_stats *stats)
{
    return stats->worst_count > 0 ? stats->worst[0].ulp : 0.0;
}

void txl_sweep_figures(const txl_sweep *s, struct txl_sweep_figures *figures)
{
    const struct sweep_stats *t = s->stats;
    struct txl_sweep_figures all = {.compared = t->count,
                                    .exact = t->exact,
                                    .mismatched = t->mismatched,
                                    .nonfinite = t->nonfinite,
                                    .breaks = t->breaks,
                                    .max_steps = t->max_steps,
                                    .max_ulp = max_of(t),
                                    .mean_ulp = stats_mean(t),
                                    .max_abs = t->max_abs,
                                    .max_rel = t->max_rel,
                                    .beyond = t->beyond[TOLERANCE_OPTIONS],
                                    .max_unrounded =
                                        t->far.index != UINT64_MAX ? t->far.ulp : -1.0};
    memcpy(all.outcomes, t->outcomes, sizeof t->outcomes);
    memcpy(all.bands, t->bands, sizeof all.bands);
    options_give(figures, &all, sizeof all);
}

double txl_sweep_percentile(const txl_sweep *s, double part)
{
    return stats_percentile(s->stats, part);
}

void txl_sweep_seconds(const txl_sweep *s, double seconds[4], unsigned *threads)
{
    seconds[0] = s->times.kernel;
    seconds[1] = s->times.reference;
    seconds[2] = s->times.judging;
    seconds[3] = s->seconds;
    *threads = s->threads;
}

const struct tx_finding *txl_sweep_finding(const txl_sweep *s, size_t at, uint64_t *tile)
{
    if (at >= s->findings.count) {
        return NULL;
    }
    *tile = s->findings.list[at].tile;
    return &s->findings.list[at].finding;
}

static const struct ulp_case *kept_case(const struct sweep_stats *t, enum txl_sweep_cases which,
                                        size_t at)
{
    switch (which) {
    case TXL_CASE_WORST:
        return at < t->worst_count ? &t->worst[at] : NULL;
    case TXL_CASE_FIRST:
        return at < TXL_OUTCOMES ? &t->first[at] : NULL;
    case TXL_CASE_LAST:
        return at < TXL_OUTCOMES ? &t->last[at] : NULL;
    case TXL_CASE_BREAK:
        return at == 0 ? &t->first_break : NULL;
    case TXL_CASE_FURTHEST:
        return at == 0 ? &t->far : NULL;
    case TXL_CASE_SPECIAL:
        break;
    }
    return NULL;
}

bool txl_sweep_case(const txl_sweep *s, enum txl_sweep_cases which, size_t at,
                    struct txl_sweep_case *one)
{
    if (which == TXL_CASE_SPECIAL && at < s->special_count) {
        const struct sweep_special *special = &s->special[at];
        *one = (struct txl_sweep_case){.index = at,
                                       .ulp = special->verdict.ulp,
                                       .expected = special->expected,
                                       .got = special->got,
                                       .outcome = special->verdict.outcome};
        memcpy(one->inputs, special->x, sizeof one->inputs);
        return true;
    }
    const struct ulp_case *kept = kept_case(s->stats, which, at);
    if (kept == NULL || kept->index == UINT64_MAX) {
        return false;
    }
    *one = (struct txl_sweep_case){
        .index = kept->index,
        .ulp = kept->ulp,
        .expected = kept->expected,
        .got = kept->got,
        .outcome =
            sweep_verdict_of(number_format(s->out), kept->expected, false, kept->got).outcome};
    memcpy(one->inputs, kept->inputs, sizeof one->inputs);
    return true;
}

_Static_assert(SWEEP_BANDS == sizeof((struct txl_sweep_figures *)0)->bands / sizeof(uint64_t) &&
                   (int)SWEEP_WORST == (int)TXL_SWEEP_WORST &&
                   (int)SWEEP_CHUNKS == (int)TXL_SWEEP_SHARDS,
               "the public header says the same");

/* ---- JSON ---- */

static const struct {
    const char *name;
    double part;
} percentiles[] = {{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p99.9", 0.999}, {"p99.99", 0.9999}};

static const char *const band_names[SWEEP_BANDS] = {"0", "<=1", "<=3", "<=10", ">10"};

static txl_json *number_json(enum tx_dst_format dst, uint32_t word)
{
    char text[48];
    txl_json *object = txl_json_object();
    txl_json_set_text(object, "text", number_text(dst, word, text, sizeof text));
    txl_json_set_word(object, "hex", word);
    return object;
}

/* Sets everything but the element's index, which special values do not have. */
static void set_case(txl_json *object, const txl_sweep *s, const struct ulp_case *one)
{
    txl_json *list = txl_json_array();
    for (unsigned k = 0; k < s->domain.operands; k++) {
        txl_json_append(list, number_json(s->dst, one->inputs[k]));
    }
    txl_json_set(object, "inputs", list);
    txl_json_set(object, "expected", number_json(s->out, one->expected));
    txl_json_set(object, "got", number_json(s->out, one->got));
    txl_json_set_real(object, "ulp", one->ulp);
}

static txl_json *case_json(const txl_sweep *s, const struct ulp_case *one)
{
    txl_json *object = txl_json_object();
    txl_json_set_int(object, "element", one->index);
    set_case(object, s, one);
    return object;
}

static txl_json *worst_json(const txl_sweep *s, const struct txl_sweep_report *report,
                            struct sweep_blame *blame)
{
    txl_json *list = txl_json_array();
    for (unsigned i = 0; i < s->stats->worst_count && i < report->worst; i++) {
        const struct ulp_case *one = &s->stats->worst[i];
        txl_json *item = case_json(s, one);
        struct txl_sweep_step *steps = NULL;
        size_t count = 0;
        if (i < report->traces && txl_sweep_trace(NULL, s, one->index, &steps, &count) == TXL_OK) {
            txl_json *trace = txl_json_array();
            for (size_t k = 0; k < count; k++) {
                txl_json_append(trace,
                                sweep_step_json(tx_program_arch(s->kernel.program), &steps[k]));
            }
            txl_json_set(item, "trace", trace);
        }
        free(steps);
        if (blame != NULL) {
            txl_json_set(item, "blame", sweep_blame_json(blame, one));
        }
        txl_json_append(list, item);
    }
    return list;
}

static txl_json *outcomes_json(const txl_sweep *s)
{
    txl_json *object = txl_json_object();
    for (unsigned i = 0; i < TXL_OUTCOMES; i++) {
        txl_json_set_int(object, sweep_outcome_names[i], s->stats->outcomes[i]);
    }
    return object;
}

static txl_json *examples_json(const txl_sweep *s)
{
    txl_json *object = txl_json_object();
    for (unsigned i = 0; i < TXL_OUTCOMES; i++) {
        if (s->stats->outcomes[i] == 0) {
            continue;
        }
        txl_json *pair = txl_json_object();
        txl_json_set(pair, "first", case_json(s, &s->stats->first[i]));
        txl_json_set(pair, "last", case_json(s, &s->stats->last[i]));
        txl_json_set(object, sweep_outcome_names[i], pair);
    }
    return object;
}

static txl_json *specials_json(const txl_sweep *s)
{
    txl_json *list = txl_json_array();
    for (unsigned i = 0; i < s->special_count; i++) {
        const struct sweep_special *one = &s->special[i];
        const struct ulp_case as_case = {.ulp = one->verdict.ulp,
                                         .inputs = {one->x[0], one->x[1], one->x[2]},
                                         .expected = one->expected,
                                         .got = one->got};
        txl_json *item = txl_json_object();
        set_case(item, s, &as_case);
        txl_json_set_text(item, "outcome", sweep_outcome_names[one->verdict.outcome]);
        txl_json_append(list, item);
    }
    return list;
}

static txl_json *findings_json(const txl_sweep *s)
{
    txl_json *list = txl_json_array();
    for (uint64_t i = 0; i < s->findings.count; i++) {
        const struct sweep_finding *one = &s->findings.list[i];
        const struct tx_finding *f = &one->finding;
        char text[256];
        txl_json *object = finding_json(f, f->count);
        txl_json_set_text(object, "section", "tile");
        txl_json_set_int(object, "tile", one->tile);
        if (kernel_source_of(s->path, s->kernel.program, f->word, text) != NULL) {
            txl_json_set_text(object, "source", text);
        }
        txl_json_append(list, object);
    }
    return list;
}

static txl_json *accuracy_json(const txl_sweep *s, const struct txl_sweep_report *report,
                               struct sweep_blame *blame)
{
    const struct sweep_stats *stats = s->stats;
    txl_json *object = txl_json_object();
    txl_json_set_int(object, "compared", stats->count);
    JSON_MEMBERS(object, stats, exact, mismatched);
    txl_json_set_real(object, "max_ulp", max_of(stats));
    txl_json_set_real(object, "mean_ulp", stats_mean(stats));
    JSON_MEMBERS(object, stats, max_steps, max_abs, max_rel);
    if (stats->far.index != UINT64_MAX) {
        txl_json_set_real(object, "max_ulp_unrounded", stats->far.ulp);
        txl_json_set(object, "furthest", case_json(s, &stats->far));
    }
    txl_json_set(object, "worst", worst_json(s, report, blame));
    return object;
}

static void set_head(txl_json *root, const txl_sweep *s)
{
    const struct tx_program *program = s->kernel.program;
    txl_json_set_text(root, "kernel", s->path);
    txl_json_set_text(root, "arch", tx_arch_name(tx_program_arch(program)));
    txl_json_set_text(root, "domain", s->domain.text);
    txl_json_set_text(root, "inputs", s->covered);
    txl_json_set_bool(root, "whole", sweep_whole(s));
    txl_json_set_int(root, "wanted", s->domain.count);
    txl_json_set_bool(root, "interrupted", s->cancelled);
    txl_json_set_text(root, "start", txl_start_name(program));
    txl_json_set_text(root, "dst", tx_dst_format_name(s->dst));
    txl_json_set_text(root, "out_dst", tx_dst_format_name(s->out));
    txl_json_set_text(root, "dst_encoding", tx_dst_encoding_name(s->dst));
    txl_json_set_text(root, "reference", s->reference.name);
    txl_json_set_real(root, "cycles_per_tile", (double)s->cycles);
}

static void set_figures(txl_json *root, const txl_sweep *s)
{
    txl_json *parts = txl_json_object();
    txl_json *bands = txl_json_object();
    txl_json_set(root, "outcomes", outcomes_json(s));
    for (size_t i = 0; i < sizeof percentiles / sizeof percentiles[0]; i++) {
        txl_json_set_real(parts, percentiles[i].name,
                          stats_percentile(s->stats, percentiles[i].part));
    }
    txl_json_set(root, "percentiles", parts);
    for (unsigned i = 0; i < SWEEP_BANDS; i++) {
        txl_json_set_int(bands, band_names[i], s->stats->bands[i]);
    }
    txl_json_set(root, "bands", bands);
    if (domain_ordered(&s->domain)) {
        txl_json_set_int(root, "monotony_breaks", s->stats->breaks);
        if (s->stats->breaks != 0) {
            txl_json_set(root, "first_break", case_json(s, &s->stats->first_break));
        }
    }
}

txl_json *txl_sweep_json(struct txl_error *err, const txl_sweep *s,
                         const struct txl_sweep_report *report)
{
    struct txl_sweep_report own;
    struct sweep_blame *blame = NULL;
    if (options_take(err, &own, sizeof own, report) != TXL_CONTINUE ||
        options_reserved(err, own.reserved, sizeof own.reserved) != TXL_CONTINUE ||
        (own.blame && sweep_blame_open(err, s, &blame) != TXL_CONTINUE)) {
        sweep_blame_close(blame);
        return NULL;
    }
    txl_json *root = txl_json_object();
    set_head(root, s);
    set_figures(root, s);
    txl_json_set(root, "accuracy", accuracy_json(s, &own, blame));
    txl_json_set(root, "examples", examples_json(s));
    txl_json_set(root, "special_values", specials_json(s));
    txl_json_set(root, "findings", findings_json(s));
    if (gate_is(s)) {
        txl_json *gate = txl_json_object();
        JSON_MEMBERS(gate, &s->verdict, passed, text);
        txl_json_set(root, "gate", gate);
    }
    sweep_blame_close(blame);
    if (root == NULL) {
        no_memory(err);
    }
    return root;
}
