/* SPDX-License-Identifier: Apache-2.0 */

#include "cli.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <tensix-lab/eval.h>

enum {
    KEY_ARCH = CLI_KEY_FIRST,
    KEY_LANES,
    KEY_STRICT,
    KEY_MOST,
    KEY_THREAD,
    KEY_RULE,
    KEY_EVIDENCE,
    KEY_L1,
    KEY_L1_OUT
};

enum { ASSIGNMENTS = 256 };

struct eval_args {
    struct cli *cli;
    int lanes;
    uint64_t max_cycles;
    bool strict, evidence;
    unsigned thread;
    const char *assignments[ASSIGNMENTS];
    struct cli_list rules, l1_in, l1_out;
    char *text; /* the instructions, one a line */
    struct txl_eval_options how;
};

static const struct argp_option options[] = {
    {"arch", KEY_ARCH, "CHIP", 0, "bh or wh in any spelling", 1},
    {"lanes", KEY_LANES, "all|N", 0,
     "Every lane of a register that changed, or one; default: the "
     "lanes that changed, equal neighbours together",
     1},
    {"max-cycles", KEY_MOST, "N", 0, "End what takes more cycles (default 100000000, 0: no limit)",
     2},
    {"strict", KEY_STRICT, NULL, 0, "Stop at the first finding, exit status 1", 2},
    {"thread", KEY_THREAD, "N", 0,
     "Issuing Tensix thread: 0, 1, 2 or unpack, math, pack; default 1", 2},
    {"rule", KEY_RULE, "NAME=VALUE", 0, "Another reading of the sources; may repeat", 2},
    {"evidence", KEY_EVIDENCE, NULL, 0, "Print the inferred rules that were relied on", 2},
    CLI_L1_OPTIONS(KEY_L1, KEY_L1_OUT, 3),
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
    case KEY_ARCH:
        result = cli_arch(a->cli, arg, &a->how.arch);
        break;
    case KEY_LANES:
        if (strcmp(arg, "all") == 0) {
            a->lanes = TXL_EVAL_ALL;
            break;
        }
        result = cli_unsigned(a->cli, "--lanes", arg, TX_LANES - 1, &number);
        a->lanes = (int)number;
        break;
    case KEY_MOST:
        result = cli_unsigned(a->cli, "--max-cycles", arg, UINT64_MAX / 2, &a->max_cycles);
        break;
    case KEY_STRICT:
        a->strict = true;
        break;
    case KEY_EVIDENCE:
        a->evidence = true;
        break;
    case KEY_L1:
        return cli_add(a->cli, &a->l1_in, 32, "--l1", arg);
    case KEY_L1_OUT:
        return cli_add(a->cli, &a->l1_out, 32, "--l1-out", arg);
    case KEY_THREAD:
        result = cli_thread(a->cli, arg, &a->thread);
        break;
    case KEY_RULE:
        return cli_add(a->cli, &a->rules, TX_MAX_RULES, "--rule", arg);
    case ARGP_KEY_ARG:
        return parse_word(a, arg);
    default:
        return cli_common(a->cli, key);
    }
    return result;
}

static int answer(struct eval_args *a)
{
    struct tx_settings settings;
    txl_eval *eval = NULL;
    tx_settings_default(&settings, a->how.arch);
    settings.max_cycles = a->max_cycles;
    settings.mode = a->strict ? TX_MODE_STRICT : TX_MODE_SILICON;
    int result = cli_rules(a->cli, &a->rules, &settings);
    if (result != 0) {
        return result;
    }
    a->how.text = a->text;
    a->how.settings = &settings;
    a->how.thread = &a->thread;
    a->how.sets = a->assignments;
    a->how.scratch = cli_scratch();
    a->how.l1_in = a->l1_in.text;
    a->how.l1_in_count = a->l1_in.count;
    a->how.l1_out = a->l1_out.text;
    a->how.l1_out_count = a->l1_out.count;
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
    struct eval_args a = {.cli = cli,
                          .lanes = TXL_EVAL_CHANGED,
                          .thread = 1,
                          .max_cycles = TX_MAX_CYCLES,
                          .how.size = sizeof a.how};
    static const struct argp argp = {
        options, parse, "'INSTRUCTION; ...' [NAME=VALUE...]", doc, NULL, NULL, NULL};
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result == CLI_CONTINUE && a.how.arch == TX_ARCH_NONE) {
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
