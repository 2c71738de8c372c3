/* SPDX-License-Identifier: Apache-2.0 */
/* tensix diff: two arrays or files of tiles, compared in ULPs of a format. */
#include "cli.h"

#include <stdlib.h>

#include <tensix-lab/data.h>

#include "print/progress.h"

enum { KEY_FORMAT = CLI_KEY_FIRST, KEY_MAX, KEY_SHAPE, KEY_TILE, KEY_TWOS, KEY_SHOW, KEY_NO_BAR };

enum { SHOWN_MOST = 1000, SHOWN_USUAL = 5 };

struct diff_args {
    struct cli *cli;
    struct txl_tensor_options in;
    struct txl_diff_options how;
    uint64_t shape[TXL_DIMENSIONS];
    const char *name[2];
    bool no_bar;
};

static const struct argp_option options[] = {
    {"format", KEY_FORMAT, "FORMAT", 0,
     "Format in whose ULPs distances are counted, and in which tiles and patterns are read that "
     "state none; default: the format of the files",
     1},
    {"max-ulp", KEY_MAX, "N", 0,
     "Values up to N ULPs apart count as equal; 0: equal values of the format, whatever their "
     "bits. Default: equal bits",
     1},
    {"shape", KEY_SHAPE, "N,...,R,C", 0,
     "Shape of the arrays in two files of tiles; default: (tiles, rows, columns)", 2},
    {"tile", KEY_TILE, "RxC", 0, "Tile: 1 to 32 rows, 16 or 32 columns; default 32x32", 2},
    {"twos-complement", KEY_TWOS, NULL, 0, "Integers in tiles are two's complement", 2},
    {"show", KEY_SHOW, "N", 0, "How many of the first and of the worst elements, default 5", 3},
    {"no-progress", KEY_NO_BAR, NULL, 0, "No progress bar on a terminal", 3},
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Compares two arrays or files of tiles, element by element, in ULPs of a format: the distance "
    "of two values in the list of the format's values.\vFiles are named as for tensix convert: "
    ".npy, .npz (FILE.npz:NAME), others are tiles; FILE:FORMAT states a format. Numbers that the "
    "format does not hold are rounded to it first, to nearest even, and counted. Data of block "
    "formats are compared as BF16 or FP16, as the unpacker reads them. NaN against a number is a "
    "mismatch, which no --max-ulp accepts; -0 and +0, or two NaNs, are 0 ULP apart.\n\nExit "
    "status: 0 equal, 1 different, 2 the command line or an input was refused.";

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct diff_args *a = state->input;
    uint64_t show = 0;
    int result = 0;
    switch (key) {
    case KEY_FORMAT:
        a->in.has_format = true;
        return txl_parse_format(&a->cli->error, "--format", arg, &a->in.format);
    case KEY_MAX:
        a->how.has_max = true;
        return cli_unsigned(a->cli, "--max-ulp", arg, INT64_MAX, &a->how.max_ulp);
    case KEY_SHAPE:
        a->in.shape = a->shape;
        return txl_parse_shape(&a->cli->error, "--shape", arg, a->shape, &a->in.dimensions);
    case KEY_TILE:
        return txl_parse_tile(&a->cli->error, "--tile", arg, &a->in.tile);
    case KEY_TWOS:
        a->in.twos_complement = true;
        return 0;
    case KEY_SHOW:
        result = cli_unsigned(a->cli, "--show", arg, SHOWN_MOST, &show);
        a->how.show = (size_t)show;
        return result;
    case KEY_NO_BAR:
        a->no_bar = true;
        return 0;
    case ARGP_KEY_ARG:
        if (a->name[0] == NULL) {
            a->name[0] = arg;
            return 0;
        }
        return cli_only(a->cli, "pair of files", arg, &a->name[1]);
    default:
        return cli_common(a->cli, key);
    }
}

int cmd_diff(struct cli *cli, int argc, char **argv)
{
    struct diff_args a = {.cli = cli, .in = {.size = sizeof a.in, .tile = {32, 32, false, false}}};
    static const struct argp argp = {options, parse, "A B", doc, NULL, NULL, NULL};
    struct progress progress;
    struct txl_diff *diff = NULL;
    a.how = (struct txl_diff_options){.size = sizeof a.how, .show = SHOWN_USUAL, .in = &a.in};
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (a.name[1] == NULL) {
        return cli_fail(cli, "two files are needed; see 'tensix diff --help'");
    }
    a.in.scratch = cli_scratch();
    a.how.progress_user = cli_progress(cli, &progress, !a.no_bar, "tiles");
    a.how.progress = progress_call;
    result = txl_diff(&cli->error, a.name[0], a.name[1], &a.how, &diff);
    progress_end(&progress);
    if (result == TXL_OK) {
        const bool different = diff->different;
        result = cli_put(cli, cli->json ? txl_diff_json(diff) : txl_diff_text(diff));
        result = result == TXL_OK && different ? CLI_NEGATIVE : result;
    }
    txl_diff_free(diff);
    return result;
}
