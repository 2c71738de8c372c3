/* SPDX-License-Identifier: Apache-2.0 */
/* tensix isa: the instruction tables as text or JSON. */
#include "cli.h"

#include <tensix-lab/isa.h>

enum { KEY_ARCH = CLI_KEY_FIRST };

struct isa_args {
    struct cli *cli;
    enum tx_arch arch;
};

static const struct argp_option options[] = {
    {"arch", KEY_ARCH, "CHIP", 0, "Only this chip: bh or wh in any spelling", 1},
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Lists instructions and their behaviours, configuration fields, errata, and the rule "
    "switches that --rule takes.\v--json gives the whole tables.";

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct isa_args *a = state->input;
    if (key == KEY_ARCH) {
        return cli_arch(a->cli, arg, &a->arch);
    }
    if (key == ARGP_KEY_ARG) {
        return cli_fail(a->cli, "'%s': no arguments are taken; see 'tensix explain'", arg);
    }
    return cli_common(a->cli, key);
}

int cmd_isa(struct cli *cli, int argc, char **argv)
{
    struct isa_args a = {.cli = cli};
    static const struct argp argp = {options, parse, "", doc, NULL, NULL, NULL};
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    return cli_put(cli, cli->json ? txl_isa_json(a.arch) : txl_isa_text(a.arch));
}
