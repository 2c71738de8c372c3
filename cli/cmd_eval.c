/* SPDX-License-Identifier: Apache-2.0 */
/* tensix eval: runs a few instructions on registers that are given, and prints what has changed. */
#include "cli.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <tensix-lab/eval.h>

enum { KEY_LANES = CLI_KEY_FIRST, KEY_EVIDENCE };

enum { ASSIGNMENTS = 256 };

struct eval_args {
    struct cli *cli;
    int lanes;
    bool evidence;
    struct cli_machine machine;
    const char *assignments[ASSIGNMENTS];
    char *text; /* the instructions, one a line */
    struct txl_eval_options how;
};

static const struct argp_option options[] = {
    {"arch", CLI_KEY_ARCH, "CHIP", 0, "bh or wh in any spelling", 1},
    {"lanes", KEY_LANES, "all|N", 0,
     "Every lane of a register that changed, or one; default: the "
     "lanes that changed, equal neighbours together",
     1},
    {"max-cycles", CLI_KEY_MAX_CYCLES, "N", 0,
     "End what takes more cycles (default 100000000, 0: no limit)", 2},
    {"strict", CLI_KEY_STRICT, NULL, 0, "Stop at the first finding, exit status 1", 2},
    {"thread", CLI_KEY_THREAD, "N", 0,
     "Issuing Tensix thread: 0, 1, 2 or unpack, math, pack; default 1", 2},
    {"rule", CLI_KEY_RULE, "NAME=VALUE", 0, "Another reading of the sources; may repeat", 2},
    {"evidence", KEY_EVIDENCE, NULL, 0, "Print the inferred rules that were relied on", 2},
    CLI_L1_OPTIONS(CLI_KEY_L1, CLI_KEY_L1_OUT, 3),
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Runs instructions from reset and shows every register that changed, in every reading: hex, "
    "FP32, two's complement, sign and magnitude, pair of BF16.\vInstructions are arguments, "
    "several in one separated by ';'. Arguments of the form NAME=VALUE are set before: L0 to "
    "L16, LaneFlags, UseLaneFlags, PRNG (a seed), GPR0 to GPR63, Dst0 to Dst1023 (rows as "
    "stored) or a configuration field by the vendor's name. Values: 1.5 or f:1.5 (FP32), "
    "0x3fc00000 (the pattern), i:-5, u:5, sm:-5; a list with commas goes over the lanes and "
    "round again.\n\nExample: tensix eval --arch bh 'sfpmad L2,L0,L1,L9,0' L0=1.5 L1=2";

static error_t parse_word(struct eval_args *a, const char *arg)
{
    const char *p = arg;
    while (isalnum((unsigned char)*p) || *p == '_') {
        p++;
    }
    if (*p == '=' && p != arg) {
        if (a->how.set_count == ASSIGNMENTS) {
            return cli_fail(a->cli, "more than %d assignments", ASSIGNMENTS);
        }
        a->assignments[a->how.set_count++] = arg;
        return 0;
    }
    size_t old = a->text != NULL ? strlen(a->text) : 0;
    char *larger = realloc(a->text, old + strlen(arg) + 2);
    if (larger == NULL) {
        return cli_fail(a->cli, "out of memory");
    }
    a->text = larger;
    sprintf(larger + old, "%s\n", arg);
    return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct eval_args *a = state->input;
    uint64_t number = 0;
    int result = 0;
    switch (key) {
    case KEY_LANES:
        if (strcmp(arg, "all") == 0) {
            a->lanes = TXL_EVAL_ALL;
            break;
        }
        result = cli_unsigned(a->cli, "--lanes", arg, TX_LANES - 1, &number);
        a->lanes = (int)number;
        break;
    case KEY_EVIDENCE:
        a->evidence = true;
        break;
    case ARGP_KEY_ARG:
        return parse_word(a, arg);
    default:
        return cli_machine_option(a->cli, key, arg, &a->machine);
    }
    return result;
}

static int answer(struct eval_args *a)
{
    txl_eval *eval = NULL;
    int result = cli_machine_settle(a->cli, &a->machine, a->machine.arch);
    if (result != CLI_CONTINUE) {
        return result;
    }
    CLI_GIVE_L1(&a->how, &a->machine);
    a->how.arch = a->machine.arch;
    a->how.text = a->text;
    a->how.thread = &a->machine.kernel.thread;
    a->how.sets = a->assignments;
    result = txl_eval_open(&a->cli->error, &a->how, &eval);
    if (result == TXL_OK) {
        result = cli_put(a->cli, a->cli->json ? txl_eval_json(eval)
                                              : txl_eval_text(eval, a->lanes, a->evidence));
    }
    txl_eval_close(eval);
    return result;
}

int cmd_eval(struct cli *cli, int argc, char **argv)
{
    struct eval_args a = {.cli = cli, .lanes = TXL_EVAL_CHANGED, .how.size = sizeof a.how};
    static const struct argp argp = {
        options, parse, "'INSTRUCTION; ...' [NAME=VALUE...]", doc, NULL, NULL, NULL};
    cli_machine_default(&a.machine);
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result == CLI_CONTINUE && a.machine.arch == TX_ARCH_NONE) {
        result = cli_fail(cli, "no chip given: --arch bh or --arch wh");
    }
    if (result == CLI_CONTINUE && a.text == NULL) {
        result = cli_fail(cli, "no instruction given; see 'tensix eval --help'");
    }
    if (result == CLI_CONTINUE) {
        result = answer(&a);
    }
    free(a.text);
    return result;
}
