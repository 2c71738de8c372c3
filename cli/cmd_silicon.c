/* SPDX-License-Identifier: Apache-2.0 */
/* tensix silicon: what cards have measured, beside what is predicted. */
#include "cli.h"

#include <stdlib.h>

#include <tensix-lab/silicon.h>

enum { KEY_ROWS = CLI_KEY_FIRST, KEY_EVERY, KEY_PACKETS };

struct silicon_args {
    struct cli *cli;
    struct txl_silicon_options how;
    const char *file;
};

static const struct argp_option options[] = {
    {"rows", KEY_ROWS, "IDS", 0, "Only rows whose id begins with one of these, with commas", 1},
    {"every", KEY_EVERY, "N", 0, "Only every N-th value", 1},
    {"packets", KEY_PACKETS, "N", 0,
     "Longer runs are cut to about N packets and extended linearly (default: 4000)", 1},
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Reads rows of measurements, runs their programs on the cores of a chip, and prints measured "
    "beside predicted, with the errors by class.\vFILE has columns that are divided by tabs: 23 "
    "for times over the NoC by size of a transaction, 8 for single figures, 7 for kernels, as "
    "docs/silicon.md describes. A row that cannot be built says why. Rows of one's own card may be "
    "added.";

static int number(struct silicon_args *a, const char *name, const char *text, unsigned *value)
{
    uint64_t got = 0;
    const int result = cli_unsigned(a->cli, name, text, 1000000, &got);
    *value = (unsigned)got;
    return result;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct silicon_args *a = state->input;
    switch (key) {
    case KEY_ROWS:
        a->how.rows = arg;
        return 0;
    case KEY_EVERY:
        return number(a, "--every", arg, &a->how.every);
    case KEY_PACKETS:
        return number(a, "--packets", arg, &a->how.packets);
    case ARGP_KEY_ARG:
        return cli_only(a->cli, "file", arg, &a->file);
    default:
        return cli_common(a->cli, key);
    }
}

int cmd_silicon(struct cli *cli, int argc, char **argv)
{
    struct silicon_args a = {.cli = cli, .how = {.size = sizeof a.how}};
    static const struct argp argp = {options, parse, "FILE", doc, NULL, NULL, NULL};
    txl_silicon *silicon = NULL;
    size_t size = 0;
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (a.file == NULL) {
        return cli_fail(cli, "no file given; see 'tensix silicon --help'");
    }
    char *text = txl_read_file(&cli->error, a.file, &size);
    result = text != NULL ? txl_silicon_open(&cli->error, a.file, text, size, &a.how, &silicon)
                          : TXL_INPUT;
    if (result == TXL_OK) {
        result = cli_put(cli, cli->json ? txl_silicon_json(silicon) : txl_silicon_text(silicon));
    }
    txl_silicon_close(silicon);
    free(text);
    return result;
}
