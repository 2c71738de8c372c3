/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tensix race for programs on tiles of a chip, and what --races of other commands reports. The lab
 * library runs and judges.
 */
#include "cli.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tensix-lab/order.h>

int cli_order_unasked(struct cli *cli, const struct order_args *a, bool races)
{
    const struct txl_order_wanted *w = &a->how;
    const char *given = w->known != NULL ? "known" : w->sarif != NULL ? "sarif" : "junit";
    const bool any = w->known != NULL || w->sarif != NULL || w->junit != NULL;
    return !races && any ? cli_fail(cli, "--%s is for --races", given) : CLI_CONTINUE;
}

int cli_order_file(struct cli *cli, char *path)
{
    (void)snprintf(path, PATH_MAX, "%s/tensix-races-XXXXXX.json", cli_scratch());
    const int file = mkstemps(path, 5);
    return file >= 0 && close(file) == 0 ? CLI_CONTINUE
                                         : cli_fail(cli, "%s: %s", path, strerror(errno));
}

txl_order *cli_order_read(struct cli *cli, const char *path)
{
    size_t size = 0;
    txl_order *order = NULL;
    char *text = txl_read_file(&cli->error, path, &size);
    if (text != NULL && size == 0) {
        fprintf(stderr, "tensix: --races: no chip was opened, so that nothing was watched\n");
    } else if (text != NULL) {
        (void)txl_order_read(&cli->error, path, text, &order);
    }
    free(text);
    (void)unlink(path);
    return order;
}

bool cli_is_order(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *at = argv[i];
        at += strspn(at, "0123456789");
        if (at != argv[i] && *at == ',' && isdigit((unsigned char)at[1])) {
            at += 1 + strspn(at + 1, "0123456789");
            if (*at == '/') {
                return true;
            }
        }
    }
    return false;
}

int cmd_race_tiles(struct cli *cli, struct race_tiles_args *a)
{
    txl_order *order = NULL;
    a->how.programs = a->words.text;
    a->how.program_count = a->words.count;
    int result = txl_order_run(&cli->error, &a->how, &order);
    if (cli->error.status == TXL_OK && order != NULL) {
        result = txl_order_give(&cli->error, order, &a->order.how);
    }
    if (cli->error.status == TXL_OK && order != NULL) {
        const int put =
            cli->json ? cli_json(cli, txl_order_json(order)) : cli_put(cli, txl_order_text(order));
        result = put == CLI_OK ? result : put;
    }
    txl_order_close(order);
    return result;
}
