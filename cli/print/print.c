/* SPDX-License-Identifier: Apache-2.0 */
#include "print/print.h"

void *cli_progress(const struct cli *cli, struct progress *progress, bool wanted, const char *unit)
{
    progress_start(progress, wanted && !cli->json, 1, unit); /* the work tells its total */
    return progress;
}
