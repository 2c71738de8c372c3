/* SPDX-License-Identifier: Apache-2.0 */
/* tensix race: options; what is found and said is the lab library's. */
#include "cli.h"

#include <tensix-lab/race.h>

enum { KEY_EVIDENCE = CLI_KEY_FIRST, KEY_ALL };

struct race_args {
    struct cli *cli;
    struct cli_machine machine;
    bool evidence;
    struct txl_race_options how;
};

static const struct argp_option options[] = {
    {"arch", CLI_KEY_ARCH, "CHIP", 0, "bh or wh in any spelling; default: the kernel's .arch", 1},
    {"l1", CLI_KEY_L1, "ADDRESS=FILE", 0,
     "File into L1, as for tensix run; may repeat. Without it L1 holds random bytes", 1},
    CLI_START_OPTION(1),
    {"evidence", KEY_EVIDENCE, NULL, 0,
     "Print the pairs that nothing orders and silicon is known to do right, with the evidence", 2},
    {"all", KEY_ALL, NULL, 0, "Report those pairs, too", 2},
    {"set", CLI_KEY_SET, "FIELD=VALUE", 0, "Configuration by the vendor's field name; may repeat",
     2},
    {"rule", CLI_KEY_RULE, "NAME=VALUE", 0,
     "Another reading of the sources (tensix isa lists them); may repeat", 2},
    {"max-cycles", CLI_KEY_MAX_CYCLES, "N", 0,
     "End a section that takes more cycles (default 100000000, 0: no limit)", 2},
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
    default:
        return cli_machine_option(a->cli, key, arg, &a->machine);
    }
}

/* Runs it, and prints what was found; of a program that stopped there is the error alone. */
static int look(struct race_args *a, const struct tx_program *program)
{
    struct cli *cli = a->cli;
    txl_race *race = NULL;
    int result = txl_race_open(&cli->error, program, &a->how, &race);
    if (result == TXL_OK) {
        result = txl_race_run(&cli->error, race);
    }
    if (cli->error.status == TXL_OK) {
        const int put =
            cli_put(cli, cli->json ? txl_race_json(race) : txl_race_text(race, a->evidence));
        result = put == CLI_OK ? result : put;
    }
    txl_race_close(race);
    return result;
}

int cmd_race(struct cli *cli, int argc, char **argv)
{
    static struct race_args a;
    static const struct argp argp = {options, parse, "KERNEL [KERNEL [KERNEL]]", doc, NULL,
                                     NULL,    NULL};
    struct tx_program *program = NULL;
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
        a.how.name = a.machine.kernels.path[0];
        a.how.settings = &a.machine.settings;
        a.how.kernel = &a.machine.kernel;
        a.how.kernel_size = sizeof a.machine.kernel;
        a.how.sets = a.machine.sets.text;
        a.how.set_count = a.machine.sets.count;
        a.how.l1_in = a.machine.l1_in.text;
        a.how.l1_in_count = a.machine.l1_in.count;
        a.how.scratch = cli_scratch();
        result = look(&a, program);
    }
    tx_program_free(program);
    return result;
}
