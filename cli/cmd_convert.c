/* SPDX-License-Identifier: Apache-2.0 */
/* tensix convert: the command line. */
#include "cli.h"

#include <stdlib.h>

#include <tensix-lab/data.h>

#include "print/progress.h"

int cli_shape(struct cli *cli, void *args, const struct cli_option *option, const char *text)
{
    struct tensor_args *a = args;
    (void)option;
    a->how.shape = a->dimensions;
    return txl_parse_shape(&cli->error, "--shape", text, a->dimensions, &a->how.dimensions);
}

void cli_tensor_settle(struct cli *cli, struct tensor_args *a, const char *format, bool tiles)
{
    a->how.has_format = cli_given(cli, format);
    a->how.scratch = cli_scratch();
    if (tiles && !cli_given(cli, "tile")) {
        a->how.tile.rows = 32;
        a->how.tile.columns = 32;
    }
}

int cmd_convert(struct cli *cli, struct convert_args *a)
{
    const struct tx_tile *tile = &a->tensor.how.tile;
    struct progress progress;
    struct txl_conversion *done = NULL;
    if (a->routes) {
        return cli_put(cli, cli->json ? txl_routes_json() : txl_routes_text());
    }
    if (a->words.count < 2) {
        return cli_fail(cli, "an input and an output are needed; see 'tensix convert --help'");
    }
    /* Without an option for tiles there are none, which matters for files without tiles. */
    cli_tensor_settle(cli, &a->tensor, "from",
                      tile->transpose_of_faces || tile->transpose_within_face);
    a->tensor.how.force_shared_exp = cli_given(cli, "shared-exp");
    a->how.has_to = cli_given(cli, "to");
    a->how.has_dst = cli_given(cli, "dst");
    a->how.in = &a->tensor.how;
    a->how.progress_user = cli_progress(cli, &progress, !a->tensor.no_progress, "tiles");
    a->how.progress = progress_call;
    int result = txl_convert(&cli->error, a->words.text[0], a->words.text[1], &a->how, &done);
    progress_end(&progress);
    if (result == TXL_OK) {
        result = cli_put(cli, cli->json ? txl_conversion_json(done) : txl_conversion_text(done));
    }
    txl_conversion_free(done);
    return result;
}
