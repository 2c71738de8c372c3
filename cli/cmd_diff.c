/* SPDX-License-Identifier: Apache-2.0 */
/* tensix diff: two arrays or files of tiles, compared in ULPs of a format. */
#include "cli.h"

#include <stdlib.h>

#include <tensix-lab/data.h>

#include "print/progress.h"

int cmd_diff(struct cli *cli, struct diff_args *a)
{
    struct progress progress;
    struct txl_diff *diff = NULL;
    struct txl_tensor_options *in = &a->tensor.how;
    cli_tensor_settle(cli, &a->tensor, "format", true);
    a->how.has_max = cli_given(cli, "max-ulp");
    a->how.in = in;
    a->how.progress_user = cli_progress(cli, &progress, !a->tensor.no_progress, "tiles");
    a->how.progress = progress_call;
    int result = txl_diff(&cli->error, a->words.text[0], a->words.text[1], &a->how, &diff);
    progress_end(&progress);
    if (result == TXL_OK) {
        const bool different = diff->different;
        result = cli_put(cli, cli->json ? txl_diff_json(diff) : txl_diff_text(diff));
        result = result == TXL_OK && different ? CLI_NEGATIVE : result;
    }
    txl_diff_free(diff);
    return result;
}
