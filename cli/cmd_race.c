/* SPDX-License-Identifier: Apache-2.0 */
/* tensix race: parses options. The lab library finds and reports the races. */
#include "cli.h"

#include <stdio.h>

/* Runs once with the given delays; the difference that this makes is the whole answer. */
static int replay(struct race_args *a, txl_race *race)
{
    char what[256];
    const int result = txl_race_replay(&a->cli->error, race, a->delays, what);
    if (a->cli->error.status == TXL_OK && a->cli->json) {
        txl_json *o = txl_json_object();
        txl_json_set_text(o, "delays", a->delays);
        txl_json_set_text(o, "witness", what[0] != '\0' ? what : NULL);
        const int put = cli_json(a->cli, o);
        return put == CLI_OK ? result : put;
    }
    if (a->cli->error.status == TXL_OK) {
        printf("with delays %s: %s\n", a->delays, what[0] != '\0' ? what : "nothing is different");
    }
    return result;
}

/* Runs the kernel and prints what was found, or only the error of a program that stopped. */
static int look(struct race_args *a, const struct tx_program *program)
{
    struct cli *cli = a->cli;
    txl_race *race = NULL;
    int result = txl_race_open(&cli->error, program, &a->how, &race);
    if (result == TXL_OK && a->delays != NULL) {
        result = replay(a, race);
        txl_race_close(race);
        return result;
    }
    if (result == TXL_OK) {
        result = txl_race_run(&cli->error, race);
    }
    if (a->witness && cli->error.status == TXL_OK) {
        (void)txl_race_witness(&cli->error, race, a->budget);
        result = cli->error.status != TXL_OK ? cli->error.status : result;
    }
    if (a->known != NULL && cli->error.status == TXL_OK) {
        result = txl_race_known(&cli->error, race, a->known);
    }
    if (cli->error.status == TXL_OK) {
        const int put =
            cli_put(cli, cli->json ? txl_race_json(race) : txl_race_text(race, a->evidence));
        result = put == CLI_OK ? result : put;
    }
    txl_race_close(race);
    return result;
}

void cli_race_options(const struct machine_args *m, const char *name, struct txl_race_options *how)
{
    how->name = name;
    how->settings = &m->settings;
    how->kernel = &m->kernel;
    how->kernel_size = sizeof m->kernel;
    how->sets = m->set.text;
    how->set_count = m->set.count;
    how->l1_in = m->l1.text;
    how->l1_in_count = m->l1.count;
    how->scratch = cli_scratch();
}

int cmd_race(struct cli *cli, struct race_args *a)
{
    struct tx_program *program = NULL;
    int result = cli_machine_load(cli, &a->machine, &a->words, &program);
    if (result == CLI_CONTINUE) {
        cli_race_options(&a->machine, a->words.text[0], &a->how);
        result = look(a, program);
    }
    tx_program_free(program);
    return result;
}
