/* SPDX-License-Identifier: Apache-2.0 */
/* tensix chip: draws the grid of a chip. */
#include "cli.h"

#include <string.h>

#include <tensix-lab/chip.h>

enum { KEY_PRODUCT = CLI_KEY_FIRST, KEY_GRID };

struct chip_args {
    struct cli *cli;
    struct txl_chip_options how;
    const char *action;
};

static const struct argp_option map_options[] = {
    {"product", KEY_PRODUCT, "NAME", 0, "p100, p150, n150 or n300; default p150", 1},
    {"grid", KEY_GRID, "COLUMNSxROWS", 0, "A smaller grid of Tensix tiles, such as 4x4", 1},
    CLI_COMMON_OPTIONS,
    {0}};

static const char map_doc[] =
    "Draws the grid of a chip: which tile is where on NoC 0, the translated coordinates by which "
    "requests name it on either NoC, and the logical coordinates of Tensix tiles in programs.";

/* Parses "4x4". */
static int set_grid(struct chip_args *a, const char *text)
{
    int end = 0;
    if (strlen(text) > 5 || sscanf(text, "%2ux%2u%n", &a->how.columns, &a->how.rows, &end) != 2 ||
        text[end] != '\0' || a->how.columns == 0 || a->how.rows == 0) {
        return cli_fail(a->cli, "--grid: '%s' is not COLUMNSxROWS, such as 4x4", text);
    }
    return 0;
}

static error_t parse_map(int key, char *arg, struct argp_state *state)
{
    struct chip_args *a = state->input;
    switch (key) {
    case KEY_PRODUCT:
        a->how.product = arg;
        return 0;
    case KEY_GRID:
        return set_grid(a, arg);
    case ARGP_KEY_ARG:
        return cli_only(a->cli, "action", arg, &a->action);
    default:
        return cli_common(a->cli, key);
    }
}

static int chip_map(struct cli *cli, const struct txl_chip_options *how)
{
    txl_chip *chip = NULL;
    int result = txl_chip_open(&cli->error, how, &chip);
    if (result == TXL_OK) {
        result = cli_put(cli, cli->json ? txl_chip_map_json(chip) : txl_chip_map_text(chip));
    }
    txl_chip_close(chip);
    return result;
}

int cmd_chip(struct cli *cli, int argc, char **argv)
{
    struct chip_args a = {.cli = cli, .how.size = sizeof a.how};
    static const struct argp argp = {map_options, parse_map, "map", map_doc, NULL, NULL, NULL};
    const int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (a.action == NULL || strcmp(a.action, "map") != 0) {
        return cli_fail(cli, "the action is 'map': tensix chip map --product p150");
    }
    return chip_map(cli, &a.how);
}
