/* SPDX-License-Identifier: Apache-2.0 */
/* tensix eval: runs a few instructions on registers that are given, and prints what has changed. */
#include "cli.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <tensix-lab/eval.h>

int cli_eval_lanes(struct cli *cli, void *args, const struct cli_option *option, const char *text)
{
    uint64_t lane = 0;
    (void)option;
    const bool all = strcmp(text, "all") == 0;
    const int result = all ? 0 : cli_unsigned(cli, "--lanes", text, TX_LANES - 1, &lane);
    ((struct eval_args *)args)->lane = all ? TXL_EVAL_ALL : (int)lane;
    return result;
}

/* Whether a word is NAME=VALUE. */
static bool assigns(const char *word)
{
    const char *p = word;
    while (isalnum((unsigned char)*p) || *p == '_') {
        p++;
    }
    return *p == '=' && p != word;
}

/* Moves assignments to the front of the words; returns the others, one a line, or NULL. */
static char *instructions(struct eval_args *a)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (unsigned i = 0; out != NULL && i < a->words.count; i++) {
        if (assigns(a->words.text[i])) {
            a->words.text[a->how.set_count++] = a->words.text[i];
        } else {
            fprintf(out, "%s\n", a->words.text[i]);
        }
    }
    if (out != NULL) {
        fclose(out);
    }
    return text;
}

int cmd_eval(struct cli *cli, struct eval_args *a)
{
    txl_eval *eval = NULL;
    if (a->machine.arch == TX_ARCH_NONE) {
        return cli_fail(cli, "no chip given: --arch bh or --arch wh");
    }
    a->lane = cli_given(cli, "lanes") ? a->lane : TXL_EVAL_CHANGED;
    char *text = instructions(a);
    int result = text == NULL      ? cli_fail(cli, "out of memory")
                 : text[0] == '\0' ? cli_fail(cli, "no instruction given; see 'tensix eval --help'")
                                   : cli_machine_settle(cli, &a->machine, a->machine.arch);
    if (result == CLI_CONTINUE) {
        CLI_GIVE_L1(&a->how, &a->machine);
        a->how.arch = a->machine.arch;
        a->how.text = text;
        a->how.thread = &a->machine.kernel.thread;
        a->how.sets = a->words.text;
        result = txl_eval_open(&cli->error, &a->how, &eval);
    }
    if (result == TXL_OK && eval != NULL) {
        result = cli_put(cli, cli->json ? txl_eval_json(eval)
                                        : txl_eval_text(eval, a->lane, a->evidence));
    }
    txl_eval_close(eval);
    free(text);
    return result;
}
