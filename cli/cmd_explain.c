/* SPDX-License-Identifier: Apache-2.0 */
/* tensix explain: what the tables know about an instruction, a rule, a field or a constant. */
#include "cli.h"

#include <tensix-lab/isa.h>

enum { KEY_ARCH = CLI_KEY_FIRST };

struct explain_args {
    struct cli *cli;
    enum tx_arch arch;
    const char *subject;
    const char *value; /* of .sequence, .misc, .template */
};

static const struct argp_option options[] = {
    {"arch", KEY_ARCH, "CHIP", 0, "Only this chip: bh or wh in any spelling", 1},
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Explains a mnemonic, an instruction word, or an id: of a finding, erratum, evidence entry, "
    "behaviour row or rule switch, or a field: of LaneConfig (ROW_MASK), a CSR (EnBFloatRTNE) or a "
    "configuration word, with or without its register (Unp_LF8_4b_exp).\vA mnemonic is taken in "
    "every spelling: "
    "sfpswap, SFPSWAP, TTI_SFPSWAP. Words are 7 or 8 hex digits or begin with 0x. "
    "'.sequence', '.misc' and '.template' explain SFPLOADMACRO's configuration, and with a word "
    "('.sequence 1b550400') what that word configures.";

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct explain_args *a = state->input;
    if (key == KEY_ARCH) {
        return cli_arch(a->cli, arg, &a->arch);
    }
    if (key == ARGP_KEY_ARG && a->subject != NULL && a->subject[0] == '.') {
        return cli_only(a->cli, "word", arg, &a->value);
    }
    if (key == ARGP_KEY_ARG) {
        return cli_only(a->cli, "thing", arg, &a->subject);
    }
    return cli_common(a->cli, key);
}

int cmd_explain(struct cli *cli, int argc, char **argv)
{
    struct explain_args a = {.cli = cli};
    static const struct argp argp = {options, parse, "MNEMONIC|WORD|FIELD|ID", doc, NULL,
                                     NULL,    NULL};
    char *text = NULL;
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (a.subject == NULL) {
        return cli_fail(cli, "nothing to explain; see 'tensix explain --help'");
    }
    result = cli->json ? txl_explain_json(&cli->error, a.arch, a.subject, a.value, &text)
                       : txl_explain_text(&cli->error, a.arch, a.subject, a.value, &text);
    return result == TXL_OK ? cli_put(cli, text) : result;
}
