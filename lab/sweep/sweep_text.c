/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the results of one sweep as text. */
#include "sweep/sweep.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/options.h"
#include "run/run_text.h"
#include "shadow/shadow_text.h"

/* The results to write. */
struct told {
    const txl_sweep *sweep;
    struct txl_sweep_about about;
    struct txl_sweep_figures figures;
    /* Of the worst inputs, with --blame; an entry is NULL where the kernel stopped. */
    txl_account **accounts;
    size_t account_count;
    struct trace {
        struct txl_sweep_step *steps;
        size_t count;
        bool stopped;
    } * traces; /* of the worst inputs */
    size_t trace_count;
};

static void print_number(FILE *out, enum tx_dst_format dst, uint32_t word)
{
    char text[48];
    fprintf(out, "%15s %08x", txl_number_text(dst, word, text, sizeof text), word);
}

static void print_values(FILE *out, const struct told *t, const struct txl_sweep_case *one)
{
    fprintf(out, "  expected");
    print_number(out, t->about.out, one->expected);
    fprintf(out, "  got");
    print_number(out, t->about.out, one->got);
}

static void print_case(FILE *out, const struct told *t, const struct txl_sweep_case *one)
{
    for (unsigned k = 0; k < t->about.operands; k++) {
        fprintf(out, t->about.operands > 1 ? " x%u" : " x", k);
        print_number(out, t->about.dst, one->inputs[k]);
    }
    print_values(out, t, one);
    if (isinf(one->ulp)) {
        fprintf(out, "\n");
    } else {
        fprintf(out, "  %.6g ULP\n", one->ulp);
    }
}

static void print_figures(FILE *out, const struct told *t)
{
    static const struct {
        const char *name;
        double part;
    } parts[] = {{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p99.9", 0.999}, {"p99.99", 0.9999}};
    static const char *const bands[] = {"0", "<=1", "<=3", "<=10", ">10"};
    const struct txl_sweep_figures *f = &t->figures;
    struct txl_sweep_case one;
    fprintf(out, "outcomes       ");
    for (size_t i = 0; i < TXL_OUTCOMES; i++) {
        if (f->outcomes[i] != 0) {
            fprintf(out, " %s %llu", txl_outcome_name(i), (unsigned long long)f->outcomes[i]);
        }
    }
    fprintf(out, "\npercentiles    ");
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        fprintf(out, " %s %.6g", parts[i].name, txl_sweep_percentile(t->sweep, parts[i].part));
    }
    fprintf(out, " ULP\nbands          ");
    for (size_t i = 0; i < sizeof bands / sizeof bands[0]; i++) {
        fprintf(out, " %s ULP %llu", bands[i], (unsigned long long)f->bands[i]);
    }
    fprintf(out, "\nmax error       %.6g ULP", f->max_ulp);
    if (f->max_unrounded >= 0.0) {
        fprintf(out, "; %.6g from the unrounded reference", f->max_unrounded);
    }
    fprintf(out, "\nmean error      %.6g ULP\n", f->mean_ulp);
    if (t->sweep->tolerances[TOLERANCE_OPTIONS].is || t->sweep->tolerances[TOLERANCE_BUDGET].is) {
        fprintf(out, "difference      at most %.6g, %.6g of the reference\n", f->max_abs,
                f->max_rel);
    }
    fprintf(out, "exact           %llu of %llu (%.3f%%)\n", (unsigned long long)f->exact,
            (unsigned long long)f->compared,
            f->compared == 0 ? 100.0 : 100.0 * (double)f->exact / (double)f->compared);
    if (f->mismatched != 0) {
        fprintf(out, "mismatched      %llu (NaN or infinity against something else)\n",
                (unsigned long long)f->mismatched);
    }
    if (t->about.ordered) {
        fprintf(out, "monotony        %llu breaks\n", (unsigned long long)f->breaks);
        if (txl_sweep_case(t->sweep, TXL_CASE_BREAK, 0, &one)) {
            fprintf(out, "first break    ");
            print_case(out, t, &one);
        }
    }
}

static void print_cases(FILE *out, const struct told *t, unsigned worst)
{
    struct txl_sweep_case one;
    for (size_t i = TXL_OUTCOME_INEXACT + 1; i < TXL_OUTCOMES; i++) {
        if (txl_sweep_case(t->sweep, TXL_CASE_FIRST, i, &one)) {
            fprintf(out, "%-9s first ", txl_outcome_name(i));
            print_case(out, t, &one);
            (void)txl_sweep_case(t->sweep, TXL_CASE_LAST, i, &one);
            fprintf(out, "%-9s last  ", "");
            print_case(out, t, &one);
        }
    }
    for (size_t i = 0; i < worst && txl_sweep_case(t->sweep, TXL_CASE_WORST, i, &one); i++) {
        fprintf(out, "%-16s", i == 0 ? "worst" : "");
        print_case(out, t, &one);
        if (i < t->account_count && t->accounts[i] != NULL) {
            shadow_print_blame(out, t->accounts[i]);
            shadow_print_way(out, t->accounts[i]);
        }
    }
    if (txl_sweep_case(t->sweep, TXL_CASE_FURTHEST, 0, &one) && one.ulp > 0.0) {
        fprintf(out, "%-16s", "furthest");
        print_case(out, t, &one);
    }
}

static void print_specials(FILE *out, const struct told *t)
{
    static const char letters[TXL_OUTCOMES] = {'=', 'i', 'f', 'u', 'z', 'o', '?', '!'};
    struct txl_sweep_case one;
    size_t count = 0;
    while (txl_sweep_case(t->sweep, TXL_CASE_SPECIAL, count, &one)) {
        if (t->about.operands == 1) {
            fprintf(out, "%-16s x", count == 0 ? "special values" : "");
            print_number(out, t->about.dst, one.inputs[0]);
            print_values(out, t, &one);
            fprintf(out, "  %s\n", txl_outcome_name(one.outcome));
        }
        count++;
    }
    if (t->about.operands == 1) {
        return;
    }
    const size_t side = (size_t)lrint(sqrt((double)count));
    fprintf(out, "special values  x0 down, x1 across in the same order;");
    for (size_t i = 0; i < TXL_OUTCOMES; i++) {
        fprintf(out, " %c %s", letters[i], txl_outcome_name(i));
    }
    fprintf(out, "\n");
    for (size_t i = 0; txl_sweep_case(t->sweep, TXL_CASE_SPECIAL, i, &one); i++) {
        if (i % side == 0) {
            print_number(out, t->about.dst, one.inputs[0]);
            fprintf(out, " ");
        }
        fprintf(out, " %c%s", letters[one.outcome], i % side == side - 1 ? "\n" : "");
    }
}

static void print_steps(FILE *out, const struct told *t, const struct txl_sweep_step *steps,
                        size_t count)
{
    const enum tx_dst_format dst =
        txl_number_is_integer(t->about.dst) ? t->about.dst : TX_DST_FORMAT_FP32;
    for (size_t i = 0; i < count; i++) {
        const struct txl_sweep_step *step = &steps[i];
        char text[128];
        char number[48];
        char reg[16];
        snprintf(reg, sizeof reg, step->store ? "Dst" : "L%u", step->reg);
        (void)tx_disassemble(tx_program_arch(t->about.program), step->word, TX_DIS_NORMAL, text,
                             sizeof text);
        fprintf(out, "%6llu  %-4s %08x %15s  %s%s\n", (unsigned long long)step->cycle, reg,
                step->value, txl_number_text(dst, step->value, number, sizeof number), text,
                step->scheduled ? " (scheduled)" : "");
    }
}

static void print_traces(FILE *out, const struct told *t, unsigned traces)
{
    if (traces > 1 && t->trace_count == 0) {
        fprintf(out, "trace           none: no input has an error\n");
    }
    for (size_t i = 0; i < t->trace_count; i++) {
        const struct trace *trace = &t->traces[i];
        fprintf(out, "trace of worst input %zu: %s\n", i,
                trace->stopped      ? "none, the kernel stops"
                : trace->count == 0 ? "no instruction reads it and writes its result"
                                    : "cycle, register, value, instruction");
        print_steps(out, t, trace->steps, trace->count);
    }
}

static void forget(struct told *t)
{
    for (size_t i = 0; i < t->trace_count; i++) {
        free(t->traces[i].steps);
    }
    free(t->traces);
    for (size_t i = 0; i < t->account_count; i++) {
        txl_account_close(t->accounts[i]);
    }
    free(t->accounts);
}

static int gather_accounts(struct txl_error *err, struct told *t, unsigned worst)
{
    struct txl_sweep_case one;
    t->accounts = calloc(worst + 1, sizeof(txl_account *));
    if (t->accounts == NULL) {
        return txl_fail(err, "out of memory");
    }
    while (t->account_count < worst &&
           txl_sweep_case(t->sweep, TXL_CASE_WORST, t->account_count, &one)) {
        struct txl_error why = {.status = TXL_OK};
        if (txl_sweep_blame(&why, t->sweep, &one, &t->accounts[t->account_count++]) == TXL_INPUT) {
            return txl_fail(err, "%s", why.message);
        }
    }
    return TXL_CONTINUE;
}

/* Collects everything that needs memory before anything is written. */
static int gather(struct txl_error *err, struct told *t, const struct txl_sweep_report *report)
{
    struct txl_sweep_case one;
    t->traces = calloc(report->traces + 1, sizeof *t->traces);
    if (t->traces == NULL) {
        return txl_fail(err, "out of memory");
    }
    while (t->trace_count < report->traces &&
           txl_sweep_case(t->sweep, TXL_CASE_WORST, t->trace_count, &one)) {
        struct trace *trace = &t->traces[t->trace_count];
        struct txl_error why = {.status = TXL_OK};
        const int result = txl_sweep_trace(&why, t->sweep, one.index, &trace->steps, &trace->count);
        if (result == TXL_INPUT) {
            return txl_fail(err, "%s", why.message);
        }
        trace->stopped = result != TXL_OK;
        t->trace_count++;
    }
    return report->blame ? gather_accounts(err, t, report->worst) : TXL_CONTINUE;
}

static struct txl_run_finding finding_at_index(const void *from, size_t index,
                                               char text[FINDING_PLACE])
{
    const struct told *t = from;
    struct txl_run_finding one = {.finding = NULL};
    one.finding = txl_sweep_finding(t->sweep, index, &one.tile);
    one.source = kernel_source_of(t->about.kernel, t->about.program, one.finding->word, text);
    return one;
}

static void print_findings(FILE *out, const struct told *t)
{
    uint64_t tile;
    size_t count = 0;
    while (txl_sweep_finding(t->sweep, count, &tile) != NULL) {
        count++;
    }
    run_findings_print(out, finding_at_index, t, count, t->about.findings_dropped);
}

static void print_all(FILE *out, const struct told *t, const struct txl_sweep_report *report)
{
    char dst[80];
    fprintf(out, "kernel          %s on %s, Dst %s%s", txl_basename(t->about.kernel),
            tx_arch_name(tx_program_arch(t->about.program)), txl_dst_text(t->about.dst, dst),
            txl_start_text(t->about.program));
    fprintf(out, t->about.out != t->about.dst ? ", read as %s\n" : "\n",
            tx_dst_format_name(t->about.out));
    fprintf(out, "inputs          %s, compared with %s\n", t->about.covered, t->about.reference);
    fprintf(out, "cycles          a tile %llu, a row of 32 %.6g\n",
            (unsigned long long)t->about.cycles, (double)t->about.cycles / 32.0);
    print_findings(out, t);
    print_figures(out, t);
    print_cases(out, t, report->worst);
    print_specials(out, t);
    print_traces(out, t, report->traces);
    if (t->about.gated) {
        fprintf(out, "gate            %s: %s\n", t->about.passed ? "passed" : "FAILED",
                t->about.verdict);
    }
}

char *txl_sweep_text(struct txl_error *err, const txl_sweep *s,
                     const struct txl_sweep_report *report)
{
    struct txl_sweep_report own;
    struct told t = {
        .sweep = s, .about = {.size = sizeof t.about}, .figures = {.size = sizeof t.figures}};
    struct memory_text text;
    char *written = NULL;
    int result = options_take(err, &own, sizeof own, report);
    result =
        result == TXL_CONTINUE ? options_reserved(err, own.reserved, sizeof own.reserved) : result;
    if (result != TXL_CONTINUE) {
        return NULL;
    }
    txl_sweep_about(s, &t.about);
    txl_sweep_figures(s, &t.figures);
    if (gather(err, &t, &own) == TXL_CONTINUE && memory_text_open(err, &text) == TXL_CONTINUE) {
        print_all(text.stream, &t, &own);
        (void)memory_text_give(err, &text, TXL_OK, &written);
    }
    forget(&t);
    return written;
}
