/* SPDX-License-Identifier: Apache-2.0 */
/* Several sweeps: a line of each. */
#include "print/print.h"

#include <inttypes.h>
#include <string.h>

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
