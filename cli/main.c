/* SPDX-License-Identifier: Apache-2.0 */
/* The tensix command: picks a subcommand and passes the rest of the line to it. */
#include "cli.h"

#include "ending.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <tensix-lab/isa.h>
#include <tensix-lab/sweep.h>

struct command {
    const char *name;
    int (*run)(struct cli *cli, int argc, char **argv);
    const char *text;
};

static const struct command commands[] = {
    {"run", cmd_run, "run a kernel over an array, tile by tile"},
    {"asm", cmd_asm, "text to instruction words"},
    {"cc", cmd_cc, "compile a kernel in C or C++ for the tile's RISC-V cores"},
    {"record", cmd_record, "a C or C++ kernel in TTI_ macros to a kernel file"},
    {"dis", cmd_dis, "instruction words to text"},
    {"eval", cmd_eval, "run a few instructions and show what changed"},
    {"trace", cmd_trace, "what each sub-unit does in each cycle: table, page, Perfetto, Konata"},
    {"debug", cmd_debug, "a debugger that goes forwards and backwards in time"},
    {"check", cmd_check, "run conformance vectors, or record them"},
    {"sweep", cmd_sweep, "a kernel's accuracy over every input, against a reference"},
    {"compare", cmd_compare, "two kernels, or one on two chips: identical, or where they part"},
    {"bench", cmd_bench, "how fast the engines are on this machine, and whether a build is slower"},
    {"lint", cmd_lint, "timing hazards, missing and superfluous SFPNOPs"},
    {"lsp", cmd_lsp, "a language server for editors: errors, hazards, hover, completion, cycles"},
    {"race", cmd_race, "accesses that the program does not order, and the wait that would"},
    {"expand", cmd_expand, "a kernel with SFPLOADMACRO as straight-line code, proved equal"},
    {"fit", cmd_fit, "constants of a kernel chosen on the chip's own arithmetic"},
    {"schedule", cmd_schedule,
     "rows pipelined with SFPLOADMACRO at the smallest distance, proved equal"},
    {"opt", cmd_opt, "a kernel made shorter by expand and schedule, with a header of TTI_ macros"},
    {"explain", cmd_explain, "an instruction, a word, a finding: meaning, timing, evidence"},
    {"isa", cmd_isa, "the instruction tables"},
    {"convert", cmd_convert, "arrays and tiles from format to format, by a named route"},
    {"diff", cmd_diff, "two arrays or files of tiles, compared in ULPs of a format"},
    {"tile", cmd_tile, "a tile as L1 holds it: faces, exponents, values; programs of its cores"},
    {"chip", cmd_chip, "a whole chip: its grid, programs on its tiles"},
    {"silicon", cmd_silicon, "what cards have measured, beside what is predicted, by class"},
    {"card", cmd_card, "any program with an emulated card, as if the driver were there"},
    {"map", cmd_map, "where an address of SFPLOAD and SFPSTORE lies: row, column, tile element"},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_help(FILE *stream)
{
    fprintf(stream,
            "Usage: tensix COMMAND [ARGUMENTS]\n"
            "Bit-exact emulator of Tenstorrent's Tensix tile, for Blackhole and Wormhole.\n\n");
    for (size_t i = 0; i < COMMANDS; i++) {
        fprintf(stream, "  %-9s %s\n", commands[i].name, commands[i].text);
    }
    fprintf(stream,
            "  help      this text, that of a command, or what a name means, as explain\n\n"
            "'tensix COMMAND --help' tells each command's options. Every command takes --json.\n"
            "Chips: blackhole (bh), wormhole_b0 (wh), in every usual spelling.\n"
            "Exit status: 0 done, 1 the answer is no (a check failed, strict mode stopped),\n"
            "2 the command line or an input was refused.\n");
}

static const struct command *find(const char *name)
{
    for (size_t i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

static int unknown(struct cli *cli, const char *word)
{
    enum tx_arch arch = TX_ARCH_NONE;
    if (tx_arch_parse(word, &arch) == TX_EUNSUPPORTED) {
        return cli_arch(cli, word, &arch);
    }
    const char *names[COMMANDS + 1];
    for (size_t i = 0; i < COMMANDS; i++) {
        names[i] = commands[i].name;
    }
    names[COMMANDS] = "help";
    const char *near = txl_nearest(word, names, COMMANDS + 1);
    if (near != NULL) {
        return cli_fail(cli, "unknown command '%s'; did you mean '%s'?", word, near);
    }
    return cli_fail(cli, "unknown command '%s'; see 'tensix help'", word);
}

static int start(struct cli *cli, const struct command *command, int argc, char **argv)
{
    cli->command = command->name;
    return command->run(cli, argc, argv);
}

static int help_of_all(struct cli *cli)
{
    if (!cli->json) {
        print_help(stdout);
        return CLI_OK;
    }
    txl_json *root = txl_json_object();
    txl_json *list = txl_json_array();
    for (size_t i = 0; i < COMMANDS; i++) {
        txl_json *one = txl_json_object();
        txl_json_set_text(one, "name", commands[i].name);
        txl_json_set_text(one, "text", commands[i].text);
        txl_json_append(list, one);
    }
    txl_json_set(root, "commands", list);
    return cli_json(cli, root);
}

static int help(struct cli *cli, int argc, char **argv)
{
    if (argc >= 2 && strcmp(argv[1], "--json") == 0) {
        argc--;
        argv++;
    }
    if (argc < 2) {
        return help_of_all(cli);
    }
    const struct command *command = find(argv[1]);
    const struct command *explain = find("explain");
    char *text = NULL;
    /* The name of an instruction, a field, a finding: what is known of it. */
    if (command == NULL && txl_explain_text(NULL, TX_ARCH_NONE, argv[1], NULL, &text) == TXL_OK) {
        free(text);
        return start(cli, explain, argc, argv);
    }
    if (command == NULL) {
        return unknown(cli, argv[1]);
    }
    char option[] = "--help";
    char *words[] = {argv[1], option, NULL};
    return start(cli, command, 2, words);
}

static int version(const struct cli *cli)
{
    if (cli->json) {
        printf("{\"schema\": %d, \"version\": \"%s\", \"abi\": %d}\n", CLI_JSON_SCHEMA,
               tx_version(), tx_abi());
    } else {
        printf("tensix %s\n", tx_version());
    }
    return CLI_OK;
}

static int dispatch(struct cli *cli, int argc, char **argv)
{
    int first = 1;
    while (first < argc && strcmp(argv[first], "--json") == 0) {
        first++;
    }
    if (first == argc) {
        return cli_fail(cli, "no command given; see 'tensix help'");
    }
    const char *word = argv[first];
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        return version(cli);
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        return help_of_all(cli);
    }
    if (strcmp(word, "help") == 0) {
        return help(cli, argc - first, argv + first);
    }
    if (word[0] == '-') {
        return cli_fail(cli, "unknown option '%s'; see 'tensix help'", word);
    }
    const struct command *command = find(word);
    return command != NULL ? start(cli, command, argc - first, argv + first) : unknown(cli, word);
}

/*
 * Refuses arguments with characters that move the cursor or end a line, because names are shown in
 * many places. Only eval's text may have several lines, and what card hands on is not ours.
 */
static int refuse_hostile(struct cli *cli, int argc, char **argv)
{
    const bool card = argc > 1 && strcmp(argv[1], "card") == 0;
    for (int i = 1; i < argc; i++) {
        if (card && (strcmp(argv[i], "--") == 0 || (i == 2 && argv[i][0] != '-'))) {
            break;
        }
        char *text = strdup(argv[i]);
        if (text == NULL) {
            return cli_fail(cli, "out of memory");
        }
        for (char *p = text; strcmp(argv[1], "eval") == 0 && *p != '\0'; p++) {
            *p = *p == '\n' || *p == '\t' ? ' ' : *p;
        }
        const bool hostile = txl_has_controls(text);
        free(text);
        if (hostile) {
            return cli_fail(cli, "argument %d has a control character in it", i);
        }
    }
    return CLI_CONTINUE;
}

int main(int argc, char **argv)
{
    /* See find_environment in cmd_sweep.c. */
    if (argc == 4 && strcmp(argv[1], TXL_SWEEP_SERVE) == 0) {
        return txl_sweep_serve(argv[2], atoi(argv[3]));
    }
    struct cli cli = {.command = ""};
    /* Errors in the command line itself need to know their form already. */
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        cli.json |= strcmp(argv[i], "--json") == 0;
    }
    ending_watch();
    /* A file-size limit then gives an error instead of ending the process. */
    signal(SIGXFSZ, SIG_IGN);
    cli_memory(cli.json);
    int result = refuse_hostile(&cli, argc, argv);
    return cli_finish(&cli, result == CLI_CONTINUE ? dispatch(&cli, argc, argv) : result);
}
