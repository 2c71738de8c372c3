/* SPDX-License-Identifier: Apache-2.0 */
#include "print/print.h"

#include <stdlib.h>

void *cli_progress(const struct cli *cli, struct progress *progress, bool wanted, const char *unit)
{
    progress_start(progress, wanted && !cli->json, 1, unit); /* the work tells its total */
    return progress;
}

int cli_text(struct cli *cli, char *text)
{
    if (text == NULL) {
        return cli_fail(cli, "out of memory");
    }
    puts(text);
    free(text);
    return CLI_OK;
}
