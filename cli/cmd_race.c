/* SPDX-License-Identifier: Apache-2.0 */
/* tensix race: parses options. The lab library finds and reports the races. */
#include "cli.h"

#include <stdio.h>

enum {
    KEY_EVIDENCE = CLI_KEY_FIRST,
    KEY_ALL,
    KEY_WITNESS,
    KEY_DELAYS,
    KEY_BUDGET,
    KEY_EVERY,
    KEY_KNOWN
};

struct race_args {
    struct cli *cli;
    struct cli_machine machine;
    bool evidence, witness;
    uint64_t budget;
    const char *delays, *known;
    struct txl_race_options how;
};

static const struct argp_option options[] = {
    {"arch", CLI_KEY_ARCH, "CHIP", 0, "bh or wh in any spelling; default: the kernel's .arch", 1},
    {"l1", CLI_KEY_L1, "ADDRESS=FILE", 0,
     "File into L1, as for tensix run; may repeat. Without it L1 holds random bytes", 1},
    CLI_START_OPTION(1),
    {"evidence", KEY_EVIDENCE, NULL, 0,
     "Print the pairs that nothing orders and silicon is known to do right, with the evidence", 2},
    {"all", KEY_ALL, NULL, 0,
     "Report also pairs that nothing orders and silicon is known to do right", 2},
    {"every", KEY_EVERY, NULL, 0,
     "Report every pair of places, also pairs that a wait named in an earlier report would order",
     2},
    {"witness", KEY_WITNESS, NULL, 0,
     "For each race search a delay with which the run ends differently, the shortest first", 3},
    {"budget", KEY_BUDGET, "N", 0, "Runs that --witness may try for each race, default 200", 3},
    {"delays", KEY_DELAYS, "LIST", 0,
     "Only run with these delays and say what ends differently: a list as --witness prints it, or "
     "a file that holds one",
     3},
    CLI_KNOWN_OPTION(KEY_KNOWN, 2),
    {"max-cycles", CLI_KEY_MAX_CYCLES, "N", 0,
     "End a section that takes more cycles (default 100000000, 0: no limit)", 2},
    CLI_SET_OPTIONS(2),
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Runs a kernel once and reports accesses to shared state that the program does not order: "
    "configuration, registers, counters, SrcA, SrcB, Dst, L1, banks, semaphores.\vOrder is what "
    "the "
    "architecture promises: a unit takes a thread's instructions in turn; between units STALLWAIT "
    "with its two masks, between threads semaphores, mutexes and banks of Src that are handed "
    "over. What this run's timing happened to do counts for nothing. Each race names both "
    "instructions, the wait that is missing or too weak, and the smallest one that would do. Exit "
    "status: 0 no race, 1 there are races, 2 an input was refused.";

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct race_args *a = state->input;
    switch (key) {
    case KEY_EVIDENCE:
        a->evidence = true;
        return 0;
    case KEY_ALL:
        a->how.no_idioms = true;
        return 0;
    case KEY_EVERY:
        a->how.every = true;
        return 0;
    case KEY_WITNESS:
        a->witness = true;
        return 0;
    case KEY_BUDGET:
        return cli_unsigned(a->cli, "--budget", arg, UINT32_MAX, &a->budget);
    case KEY_DELAYS:
        a->delays = arg;
        return 0;
    case KEY_KNOWN:
        a->known = arg;
        return 0;
    default:
        return cli_machine_option(a->cli, key, arg, &a->machine);
    }
}

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

void cli_race_options(const struct cli_machine *m, struct txl_race_options *how)
{
    how->name = m->kernels.path[0];
    how->settings = &m->settings;
    how->kernel = &m->kernel;
    how->kernel_size = sizeof m->kernel;
    how->sets = m->sets.text;
    how->set_count = m->sets.count;
    how->l1_in = m->l1_in.text;
    how->l1_in_count = m->l1_in.count;
    how->scratch = cli_scratch();
}

int cmd_race(struct cli *cli, int argc, char **argv)
{
    static struct race_args a;
    static const struct argp argp = {options, parse, "KERNEL [KERNEL [KERNEL]]", doc, NULL,
                                     NULL,    NULL};
    struct tx_program *program = NULL;
    if (cli_is_order(argc, argv)) {
        return cmd_order(cli, argc, argv);
    }
    a = (struct race_args){.cli = cli, .how.size = sizeof a.how};
    cli_machine_default(&a.machine);
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (a.machine.kernels.count == 0) {
        return cli_fail(cli, "no kernel given; see 'tensix race --help'");
    }
    result = cli_machine_load(cli, &a.machine, &program);
    if (result == CLI_CONTINUE) {
        cli_race_options(&a.machine, &a.how);
        result = look(&a, program);
    }
    tx_program_free(program);
    return result;
}
