/* SPDX-License-Identifier: Apache-2.0 */
/* tensix silicon: what cards have measured, beside what is predicted. */
#include "cli.h"

#include <stdlib.h>

#include <tensix-lab/silicon.h>

int cmd_silicon(struct cli *cli, struct silicon_args *a)
{
    const char *file = a->words.text[0];
    txl_silicon *silicon = NULL;
    size_t size = 0;
    char *times = NULL;
    if (a->how.times_name != NULL) {
        a->how.times = times = txl_read_file(&cli->error, a->how.times_name, &size);
        if (times == NULL) {
            return TXL_INPUT;
        }
    }
    char *text = txl_read_file(&cli->error, file, &size);
    int result = text != NULL ? txl_silicon_open(&cli->error, file, text, size, &a->how, &silicon)
                              : TXL_INPUT;
    if (result == TXL_OK) {
        result = cli_put(cli, cli->json ? txl_silicon_json(silicon) : txl_silicon_text(silicon));
    }
    txl_silicon_close(silicon);
    free(text);
    free(times);
    return result;
}
