/* SPDX-License-Identifier: Apache-2.0 */
/* The tensix command: picks a subcommand and passes the rest of the line to it. */
#include "cli.h"

#include "ending.h"

#include <ctype.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <tensix-lab/isa.h>
#include <tensix-lab/sweep.h>

/* Whether a command has one word: the list of all leaves the others to their family. */
static bool listed(unsigned i)
{
    return strchr(cli_commands[i].name, '_') == NULL;
}

static void print_help(FILE *stream)
{
    fprintf(stream,
            "Usage: tensix COMMAND [ARGUMENTS]\n"
            "Bit-exact emulator of Tenstorrent's Tensix tile, for Blackhole and Wormhole.\n\n");
    for (unsigned i = 0; i < cli_command_count; i++) {
        if (listed(i)) {
            fprintf(stream, "  %-9s %s\n", cli_commands[i].name, cli_commands[i].text);
        }
    }
    fprintf(stream,
            "  help      this text, that of a command, or what a name means, as explain\n\n"
            "'tensix COMMAND --help' tells each command's options. Every command takes --json.\n"
            "Chips: blackhole (bh), wormhole_b0 (wh), in every usual spelling.\n"
            "Exit status: 0 done, 1 the answer is no (a check failed, strict mode stopped),\n"
            "2 the command line or an input was refused.\n");
}

static int unknown(struct cli *cli, const char *word)
{
    enum tx_arch arch = TX_ARCH_NONE;
    if (tx_arch_parse(word, &arch) == TX_EUNSUPPORTED) {
        return cli_arch(cli, word, &arch);
    }
    const char *names[64];
    unsigned count = 0;
    for (unsigned i = 0; i < cli_command_count; i++) {
        if (listed(i)) {
            names[count++] = cli_commands[i].name;
        }
    }
    names[count++] = "help";
    const char *near = txl_nearest(word, names, count);
    if (near != NULL) {
        return cli_fail(cli, "unknown command '%s'; did you mean '%s'?", word, near);
    }
    return cli_fail(cli, "unknown command '%s'; see 'tensix help'", word);
}

/* Adds the second words of a family's commands, each behind what `before` says. */
static void add_actions(const struct cli_command *family, const char *before, char *text,
                        size_t size)
{
    const size_t length = strlen(family->name);
    for (unsigned i = 0; i < cli_command_count; i++) {
        const char *name = cli_commands[i].name;
        if (strncmp(name, family->name, length) == 0 && name[length] == '_') {
            const size_t used = strlen(text);
            snprintf(text + used, size - used, "%s%s", used != 0 ? before : "", name + length + 1);
        }
    }
}

/* A family's name without one of its second words. */
static int start_family(struct cli *cli, const struct cli_command *family, int argc, char **argv)
{
    char actions[128] = "";
    cli->command = family->name;
    if (argc < 2 || (strcmp(argv[1], "--help") != 0 && strcmp(argv[1], "-h") != 0)) {
        add_actions(family, "' or '", actions, sizeof actions);
        return cli_fail(cli, "the action is '%s'; see 'tensix %s --help'", actions, family->name);
    }
    printf("Usage: tensix %s ACTION [ARGUMENTS]\n%c%s.\n\n", family->name,
           toupper((unsigned char)family->text[0]), family->text + 1);
    const size_t length = strlen(family->name);
    for (unsigned i = 0; i < cli_command_count; i++) {
        const struct cli_command *c = &cli_commands[i];
        if (strncmp(c->name, family->name, length) == 0 && c->name[length] == '_') {
            printf("  %-9s %s\n", c->name + length + 1, c->text);
        }
    }
    printf("\n'tensix %s ACTION --help' tells the options of each.\n", family->name);
    return CLI_OK;
}

static int main_go(struct cli *cli, const struct cli_command *command, int argc, char **argv)
{
    static char name[64];
    const struct cli_command *action = NULL;
    snprintf(name, sizeof name, "%s %s", command->name, argc > 1 ? argv[1] : "");
    /* What race does for programs on tiles has a name for its help only. */
    if (command->run == NULL || (argc > 2 && strcmp(argv[2], "--help") == 0)) {
        action = cli_find(name);
    }
    if (command->run != NULL && action == NULL) {
        const bool order = strcmp(command->name, "race") == 0 && cli_is_order(argc, argv);
        cli->command = command->name;
        return cli_run(cli, order ? cli_find("race tiles") : command, argc, argv);
    }
    if (action == NULL) {
        return start_family(cli, command, argc, argv);
    }
    cli->command = name;
    return cli_run(cli, action, argc - 1, argv + 1);
}

static int help_of_all(struct cli *cli)
{
    if (!cli->json) {
        print_help(stdout);
        return CLI_OK;
    }
    txl_json *root = txl_json_object();
    txl_json *list = txl_json_array();
    for (unsigned i = 0; i < cli_command_count; i++) {
        if (listed(i)) {
            char actions[128] = "";
            txl_json *one = txl_json_object();
            add_actions(&cli_commands[i], " ", actions, sizeof actions);
            txl_json_set_text(one, "name", cli_commands[i].name);
            txl_json_set_text(one, "text", cli_commands[i].text);
            txl_json_set_text(one, "actions", actions);
            txl_json_set_bool(one, "family", cli_commands[i].run == NULL);
            txl_json_append(list, one);
        }
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
    const struct cli_command *command = cli_find(argv[1]);
    char *text = NULL;
    /* The name of an instruction, a field, a finding: what is known of it. */
    if (command == NULL && txl_explain_text(NULL, TX_ARCH_NONE, argv[1], NULL, &text) == TXL_OK) {
        free(text);
        return main_go(cli, cli_find("explain"), argc, argv);
    }
    if (command == NULL) {
        return unknown(cli, argv[1]);
    }
    char option[] = "--help";
    char *words[] = {argv[1], argc > 2 && argv[2][0] != '-' ? argv[2] : option, option, NULL};
    return main_go(cli, command, 3, words);
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
    const struct cli_command *command = cli_find(word);
    return command != NULL ? main_go(cli, command, argc - first, argv + first) : unknown(cli, word);
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
