/* SPDX-License-Identifier: Apache-2.0 */
/* tensix race for programs on tiles of a chip. The lab library runs and judges them. */
#include "cli.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <tensix-lab/order.h>

/* Writes a text to a file, and frees it. */
static int save(struct cli *cli, const char *path, char *text)
{
    const int result = text == NULL ? cli_fail(cli, "out of memory")
                                    : txl_write_file(&cli->error, path, text, strlen(text));
    free(text);
    return result;
}

/* Compares with the known findings and writes what was asked for. */
static int give(struct race_tiles_args *a, txl_order *order, int result)
{
    struct cli *cli = a->cli;
    if (a->known != NULL) {
        result = txl_order_known(&cli->error, order, a->known);
    }
    if (cli->error.status == TXL_OK && a->sarif != NULL) {
        (void)save(cli, a->sarif, txl_order_sarif(order));
    }
    if (cli->error.status == TXL_OK && a->junit != NULL) {
        (void)save(cli, a->junit, txl_order_junit(order));
    }
    return cli->error.status == TXL_OK ? result : cli->error.status;
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
        result = give(a, order, result);
    }
    if (cli->error.status == TXL_OK && order != NULL) {
        const int put =
            cli->json ? cli_json(cli, txl_order_json(order)) : cli_put(cli, txl_order_text(order));
        result = put == CLI_OK ? result : put;
    }
    txl_order_close(order);
    return result;
}
