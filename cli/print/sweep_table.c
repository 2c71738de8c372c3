/* SPDX-License-Identifier: Apache-2.0 */
/* Several sweeps: a line of each; and two reports of --json, sweep by sweep. */
#include "print/print.h"

#include <inttypes.h>
#include <string.h>

static void print_pair(const struct txl_sweep_pair *p)
{
    const struct txl_sweep_side *a = &p->was;
    const struct txl_sweep_side *b = &p->is;
    const bool both = p->before && p->after;
    printf("%s on %s, Dst %s, %s\n", both ? txl_basename(p->kernel) : p->kernel, p->arch, p->dst,
           p->domain);
    if (!both) {
        printf("  %s\n", p->before ? "WORSE: it is not measured any more" : "new");
        return;
    }
    printf("  max error   %.6g -> %.6g ULP\n", a->max_ulp, b->max_ulp);
    printf("  mean error  %.6g -> %.6g ULP\n", a->mean_ulp, b->mean_ulp);
    printf("  exact       %llu of %llu -> %llu of %llu\n", (unsigned long long)a->exact,
           (unsigned long long)a->compared, (unsigned long long)b->exact,
           (unsigned long long)b->compared);
    printf("  mismatched  %llu -> %llu\n", (unsigned long long)a->mismatched,
           (unsigned long long)b->mismatched);
    printf("  findings    %llu -> %llu\n", (unsigned long long)a->findings,
           (unsigned long long)b->findings);
    printf("  cycles      %.6g -> %.6g a tile\n", a->cycles, b->cycles);
    printf("  %s%s\n", p->worse[0] != '\0' ? "WORSE: " : "not worse", p->worse);
}

int sweep_diff(struct cli *cli, const char *before, const char *after)
{
    txl_sweep_diff *diff = NULL;
    struct txl_sweep_pair pair;
    unsigned worse = 0;
    unsigned gone = 0;
    unsigned added = 0;
    int result = txl_sweep_diff_open(&cli->error, before, after, &diff);
    if (result != TXL_OK) {
        return result;
    }
    txl_sweep_diff_count(diff, &worse, &gone, &added);
    if (cli->json) {
        txl_json *root = txl_sweep_diff_json(&cli->error, diff);
        result = cli_put(cli, txl_json_indented(root));
        txl_json_free(root);
    } else {
        for (size_t i = 0; txl_sweep_diff_pair(diff, i, &pair); i++) {
            print_pair(&pair);
        }
        printf("%u worse, %u gone, %u new\n", worse, gone, added);
    }
    txl_sweep_diff_close(diff);
    return result != CLI_OK ? result : worse + gone == 0 ? CLI_OK : CLI_NEGATIVE;
}

static int widest(int width, const char *text)
{
    const int length = (int)strlen(text);
    return length > width ? length : width;
}

void sweep_print_table(const txl_sweep_table *t, bool gated)
{
    struct txl_sweep_line l = {.size = sizeof l};
    int kernel = 28;
    int dst = 5;
    for (size_t i = 0; txl_sweep_table_line(t, i, &l); i++) {
        kernel = widest(kernel, l.kernel);
        dst = widest(dst, tx_dst_format_name(l.dst));
    }
    printf("%-*s %-4s %-*s %12s %12s %9s %10s %8s %7s%s\n", kernel, "kernel", "chip", dst, "dst",
           "max ULP", "mean ULP", "exact %", "mismatched", "findings", "cycles",
           gated ? "  gate" : "");
    for (size_t i = 0; txl_sweep_table_line(t, i, &l); i++) {
        const double exact = l.done == 0 ? 0.0 : 100.0 * (double)l.exact / (double)l.done;
        printf("%-*s %-4s %-*s %12.6g %12.6g %9.3f %10" PRIu64 " %8" PRIu64 " %7" PRIu64 "%s",
               kernel, l.kernel, tx_arch_short(l.arch), dst, tx_dst_format_name(l.dst), l.max_ulp,
               l.mean_ulp, exact, l.mismatched, l.findings, l.cycles,
               !gated     ? ""
               : l.passed ? "  passed: "
                          : "  FAILED: ");
        printf("%s%s\n", gated ? l.verdict : "", l.done != l.wanted && !gated ? "  not whole" : "");
    }
}
