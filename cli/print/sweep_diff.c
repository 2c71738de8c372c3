/* SPDX-License-Identifier: Apache-2.0 */
/* tensix sweep diff: two reports of --json, sweep by sweep; status 1 where something is worse. */
#include "print/print.h"

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
        result = cli_put_json(cli, txl_json_indented(root));
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
