/* SPDX-License-Identifier: Apache-2.0 */
/* What one sweep tells, as text. */
#include "print/print.h"

#include <math.h>
#include <stdlib.h>

#include "print/run.h"

/* What is told of, and how. */
struct told {
    const txl_sweep *sweep;
    struct txl_sweep_about about;
    struct txl_sweep_figures figures;
    txl_account **accounts; /* of the worst inputs, with --blame; NULL: the kernel stopped */
    size_t account_count;
    struct trace {
        struct txl_sweep_step *steps;
        size_t count;
        bool stopped;
    } * traces; /* of the worst inputs */
    size_t trace_count;
};

static void print_number(enum tx_dst_format dst, uint32_t word)
{
    char text[48];
    printf("%15s %08x", txl_number_text(dst, word, text, sizeof text), word);
}

static void print_values(const struct told *t, const struct txl_sweep_case *one)
{
    printf("  expected");
    print_number(t->about.out, one->expected);
    printf("  got");
    print_number(t->about.out, one->got);
}

static void print_case(const struct told *t, const struct txl_sweep_case *one)
{
    for (unsigned k = 0; k < t->about.operands; k++) {
        printf(t->about.operands > 1 ? " x%u" : " x", k);
        print_number(t->about.dst, one->inputs[k]);
    }
    print_values(t, one);
    if (isinf(one->ulp)) {
        printf("\n");
    } else {
        printf("  %.6g ULP\n", one->ulp);
    }
}

static void print_figures(const struct told *t)
{
    static const struct {
        const char *name;
        double part;
    } parts[] = {{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p99.9", 0.999}, {"p99.99", 0.9999}};
    static const char *const bands[] = {"0", "<=1", "<=3", "<=10", ">10"};
    const struct txl_sweep_figures *f = &t->figures;
    struct txl_sweep_case one;
    printf("outcomes       ");
    for (size_t i = 0; i < TXL_OUTCOMES; i++) {
        if (f->outcomes[i] != 0) {
            printf(" %s %llu", txl_outcome_name(i), (unsigned long long)f->outcomes[i]);
        }
    }
    printf("\npercentiles    ");
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        printf(" %s %.6g", parts[i].name, txl_sweep_percentile(t->sweep, parts[i].part));
    }
    printf(" ULP\nbands          ");
    for (size_t i = 0; i < sizeof bands / sizeof bands[0]; i++) {
        printf(" %s ULP %llu", bands[i], (unsigned long long)f->bands[i]);
    }
    printf("\nmax error       %.6g ULP", f->max_ulp);
    if (f->max_unrounded >= 0.0) {
        printf("; %.6g from the unrounded reference", f->max_unrounded);
    }
    printf("\nmean error      %.6g ULP\n", f->mean_ulp);
    printf("exact           %llu of %llu (%.3f%%)\n", (unsigned long long)f->exact,
           (unsigned long long)f->compared,
           f->compared == 0 ? 100.0 : 100.0 * (double)f->exact / (double)f->compared);
    if (f->mismatched != 0) {
        printf("mismatched      %llu (NaN or infinity against something else)\n",
               (unsigned long long)f->mismatched);
    }
    if (t->about.ordered) {
        printf("monotony        %llu breaks\n", (unsigned long long)f->breaks);
        if (txl_sweep_case(t->sweep, TXL_CASE_BREAK, 0, &one)) {
            printf("first break    ");
            print_case(t, &one);
        }
    }
}

static void print_cases(const struct told *t, unsigned worst)
{
    struct txl_sweep_case one;
    for (size_t i = TXL_OUTCOME_INEXACT + 1; i < TXL_OUTCOMES; i++) {
        if (txl_sweep_case(t->sweep, TXL_CASE_FIRST, i, &one)) {
            printf("%-9s first ", txl_outcome_name(i));
            print_case(t, &one);
            (void)txl_sweep_case(t->sweep, TXL_CASE_LAST, i, &one);
            printf("%-9s last  ", "");
            print_case(t, &one);
        }
    }
    for (size_t i = 0; i < worst && txl_sweep_case(t->sweep, TXL_CASE_WORST, i, &one); i++) {
        printf("%-16s", i == 0 ? "worst" : "");
        print_case(t, &one);
        if (i < t->account_count && t->accounts[i] != NULL) {
            print_blame(tx_program_arch(t->about.program), t->accounts[i]);
            print_way(tx_program_arch(t->about.program), t->accounts[i]);
        }
    }
    if (txl_sweep_case(t->sweep, TXL_CASE_FURTHEST, 0, &one) && one.ulp > 0.0) {
        printf("%-16s", "furthest");
        print_case(t, &one);
    }
}

static void print_specials(const struct told *t)
{
    static const char letters[TXL_OUTCOMES] = {'=', 'i', 'f', 'u', 'z', 'o', '?', '!'};
    struct txl_sweep_case one;
    size_t count = 0;
    while (txl_sweep_case(t->sweep, TXL_CASE_SPECIAL, count, &one)) {
        if (t->about.operands == 1) {
            printf("%-16s x", count == 0 ? "special values" : "");
            print_number(t->about.dst, one.inputs[0]);
            print_values(t, &one);
            printf("  %s\n", txl_outcome_name(one.outcome));
        }
        count++;
    }
    if (t->about.operands == 1) {
        return;
    }
    const size_t side = (size_t)lrint(sqrt((double)count));
    printf("special values  x0 down, x1 across in the same order;");
    for (size_t i = 0; i < TXL_OUTCOMES; i++) {
        printf(" %c %s", letters[i], txl_outcome_name(i));
    }
    printf("\n");
    for (size_t i = 0; txl_sweep_case(t->sweep, TXL_CASE_SPECIAL, i, &one); i++) {
        if (i % side == 0) {
            print_number(t->about.dst, one.inputs[0]);
            printf(" ");
        }
        printf(" %c%s", letters[one.outcome], i % side == side - 1 ? "\n" : "");
    }
}

static void print_steps(const struct told *t, const struct txl_sweep_step *steps, size_t count)
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
        printf("%6llu  %-4s %08x %15s  %s%s\n", (unsigned long long)step->cycle, reg, step->value,
               txl_number_text(dst, step->value, number, sizeof number), text,
               step->scheduled ? " (scheduled)" : "");
    }
}

static void print_traces(const struct told *t, unsigned traces)
{
    if (traces > 1 && t->trace_count == 0) {
        printf("trace           none: no input has an error\n");
    }
    for (size_t i = 0; i < t->trace_count; i++) {
        const struct trace *trace = &t->traces[i];
        printf("trace of worst input %zu: %s\n", i,
               trace->stopped      ? "none, the kernel stops"
               : trace->count == 0 ? "no instruction reads it and writes its result"
                                   : "cycle, register, value, instruction");
        print_steps(t, trace->steps, trace->count);
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
    return CLI_CONTINUE;
}

/* What needs memory, before anything is printed. */
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
    return report->blame ? gather_accounts(err, t, report->worst) : CLI_CONTINUE;
}

static void print_findings(const struct told *t)
{
    struct txl_run_finding one = {.finding = NULL};
    size_t count = 0;
    while ((one.finding = txl_sweep_finding(t->sweep, count, &one.tile)) != NULL) {
        char source[256];
        one.source = txl_source_of(t->about.program, one.finding->word, source);
        print_finding(stdout, &one);
        count++;
    }
    print_findings_end(stdout, count, t->about.findings_dropped);
}

int sweep_print(struct txl_error *err, const txl_sweep *s, const struct txl_sweep_report *report)
{
    char dst[80];
    struct told t = {
        .sweep = s, .about = {.size = sizeof t.about}, .figures = {.size = sizeof t.figures}};
    txl_sweep_about(s, &t.about);
    txl_sweep_figures(s, &t.figures);
    if (gather(err, &t, report) != CLI_CONTINUE) {
        forget(&t);
        return TXL_INPUT;
    }
    printf("kernel          %s on %s, Dst %s%s", txl_basename(t.about.kernel),
           tx_arch_name(tx_program_arch(t.about.program)), txl_dst_text(t.about.dst, dst),
           txl_start_text(t.about.program));
    printf(t.about.out != t.about.dst ? ", read as %s\n" : "\n", tx_dst_format_name(t.about.out));
    printf("inputs          %s, compared with %s\n", t.about.covered, t.about.reference);
    printf("cycles          a tile %llu, a row of 32 %.6g\n", (unsigned long long)t.about.cycles,
           (double)t.about.cycles / 32.0);
    print_findings(&t);
    print_figures(&t);
    print_cases(&t, report->worst);
    print_specials(&t);
    print_traces(&t, report->traces);
    if (t.about.gated) {
        printf("gate            %s: %s\n", t.about.passed ? "passed" : "FAILED", t.about.verdict);
    }
    forget(&t);
    return TXL_OK;
}
