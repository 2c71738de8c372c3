/* SPDX-License-Identifier: Apache-2.0 */
/* tensix compare: two kernels, or one on two chips, over a domain: differences and cycles. */
#include "cli.h"

#include <string.h>

#include <tensix-lab/compare.h>

#include "print/progress.h"

static bool watch(void *user, uint64_t done, uint64_t total)
{
    struct compare_args *c = user;
    if (done == 0 && !c->bar.shown) {
        progress_start(&c->bar, !c->search.no_progress, total, "inputs");
    }
    return progress_call(&c->bar, done, total);
}

static int compare_run(struct compare_args *c, txl_compare *compare)
{
    struct txl_compare_result r = {.size = sizeof r};
    int result = txl_compare_run(&c->cli->error, compare);
    progress_end(&c->bar);
    if (result != TXL_OK) {
        return result;
    }
    result = c->cli->json ? cli_json(c->cli, txl_compare_json(&c->cli->error, compare))
                          : cli_put(c->cli, txl_compare_text(compare));
    txl_compare_result(compare, &r);
    return result != CLI_OK ? result : r.differing == 0 ? CLI_OK : CLI_NEGATIVE;
}

int cmd_compare(struct cli *cli, struct compare_args *c)
{
    struct txl_sweep_options *both = &c->search.both;
    txl_compare *compare = NULL;
    if (c->words.count == 1 && c->how.arch_b == TX_ARCH_NONE) {
        return cli_fail(cli, "two kernels are needed, or one and --arch-b");
    }
    both->compiler = cli_compiler(cli);
    both->progress = watch;
    both->user = c;
    c->how.both = both;
    c->how.a = c->words.text[0];
    c->how.b = c->words.text[1];
    int result =
        both->compiler != NULL ? txl_compare_open(&cli->error, &c->how, &compare) : CLI_INPUT;
    if (result == TXL_OK) {
        result = compare_run(c, compare);
    }
    txl_compare_close(compare);
    return result;
}
