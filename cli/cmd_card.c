/* SPDX-License-Identifier: Apache-2.0 */
/* tensix card: runs any program with an emulated card. */
#include "cli.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <tensix-lab/card.h>

#include "card/run.h"

enum {
    KEY_ARCH = CLI_KEY_FIRST,
    KEY_PRODUCT,
    KEY_CHIPS,
    KEY_DOOR,
    KEY_STRICT,
    KEY_STEPS,
    KEY_UNTIMED,
    KEY_REPORT,
    KEY_LIVE
};

struct card_args {
    struct cli *cli;
    struct card_options options;
    const char *product, *door, *report;
    enum tx_arch arch;
    char **command;
};

static const struct argp_option options[] = {
    {"arch", KEY_ARCH, "CHIP", 0, "bh (default) or wh in any spelling: the usual card with it", 1},
    {"product", KEY_PRODUCT, "NAME", 0,
     "The card: p150a (default), p150b, p150c, p100a, p100, n150, n300 (its first chip)", 1},
    {"chips", KEY_CHIPS, "N", 0, "Number of cards, each for itself; default 1", 1},
    {"strict", KEY_STRICT, NULL, 0,
     "End the program with status 1 at the first finding; else findings never stop it", 2},
    {"report", KEY_REPORT, "FILE", 0,
     "Write what the session did: a page FILE.html, or the data of the page to FILE.json", 2},
    {"live", KEY_LIVE, NULL, 0,
     "Tell each second what the chip does, also where standard error is no terminal", 2},
    {"deterministic", KEY_STEPS, NULL, 0,
     "The chip's time goes on by a fixed number of cycles at each access of the program, so that "
     "two runs of a program with one thread are alike",
     2},
    {"untimed", KEY_UNTIMED, NULL, 0,
     "Each core runs until it must wait, which is faster; results of kernels whose SFPLOADMACROs "
     "rely on cycles are then wrong",
     2},
    {"door", KEY_DOOR, "FILE.so", 0,
     "Put the chip of a library with the libttsim interface behind the card instead of ours", 2},
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Runs COMMAND, and what it starts, with an emulated card: /dev/tenstorrent/0, the files that "
    "the driver shows, its ioctls, mappings and locks. No driver, no root and no card are needed. "
    "Each process that opens the card has a chip of its own, as after power-on.\v"
    "The exit status is that of COMMAND. What the chip has found goes to standard error when "
    "COMMAND has ended; on a terminal a line there tells meanwhile what the chip does.";

static bool ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

static error_t parse_value(struct card_args *a, int key, char *arg)
{
    uint64_t number = 0;
    int result = 0;
    switch (key) {
    case KEY_ARCH:
        return cli_arch(a->cli, arg, &a->arch);
    case KEY_PRODUCT:
        a->product = arg;
        return card_product(arg, &a->options)
                   ? 0
                   : cli_fail(a->cli,
                              "--product: %s is none of p150a, p150b, p150c, p150, p100a, "
                              "p100, n150, n300",
                              arg);
    case KEY_CHIPS:
        result = cli_unsigned(a->cli, "--chips", arg, CARD_CHIPS, &number);
        a->options.chips = (unsigned)number;
        return result == 0 && number == 0 ? cli_fail(a->cli, "--chips: at least 1") : result;
    case KEY_DOOR:
        a->door = arg;
        return 0;
    case KEY_REPORT:
        a->report = arg;
        a->options.report = true;
        return ends_with(arg, ".html") || ends_with(arg, ".json")
                   ? 0
                   : cli_fail(a->cli, "--report: the name of the file ends in .html or .json");
    default:
        return cli_common(a->cli, key);
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct card_args *a = state->input;
    switch (key) {
    case KEY_STRICT:
        a->options.strict = true;
        return 0;
    case KEY_LIVE:
        a->options.live = true;
        return 0;
    case KEY_STEPS:
        a->options.deterministic = true;
        return 0;
    case KEY_UNTIMED:
        a->options.timed = false;
        return 0;
    case ARGP_KEY_ARG:
        return cli_fail(a->cli, "'%s': put -- between the options and the command", arg);
    default:
        return parse_value(a, key, arg);
    }
}

/* Writes what the processes have reported. Returns CLI_OK, or why not. */
static int write_report(const struct card_args *a, const struct card_result *done)
{
    json_t *sessions = json_array();
    char line[1024] = "";
    for (unsigned i = 0; i < done->reports; i++) {
        json_array_append_new(sessions, json_loads(done->report[i], 0, NULL));
    }
    for (char **word = a->command; *word != NULL && strlen(line) < sizeof line - 1; word++) {
        const size_t n = strlen(line);
        (void)snprintf(line + n, sizeof line - n, "%s%s", n != 0 ? " " : "", *word);
    }
    txl_mask_controls(line);
    json_t *words = json_stringn_nocheck(line, strlen(line));
    json_t *all = json_pack("{s:i, s:o, s:i, s:f, s:i, s:o}", "schema", CLI_JSON_SCHEMA, "command",
                            words, "status", done->status, "seconds", done->seconds, "lost",
                            (int)done->lost, "sessions", sessions);
    char *text = json_dumps(all, 0);
    json_decref(all);
    const int result = text == NULL ? cli_fail(a->cli, "out of memory")
                       : ends_with(a->report, ".html")
                           ? txl_card_page(&a->cli->error, a->report, text)
                           : txl_write_file(&a->cli->error, a->report, text, strlen(text));
    free(text);
    return cli_report(a->cli, result);
}

/* Prints what has been found, and returns the status of the command. */
static int print_findings(const struct card_args *a, struct card_result *done)
{
    enum { SHOWN_MOST = 32 };
    json_t *list = json_array();
    for (unsigned i = 0; i < done->count; i++) {
        if (!a->cli->json && i < SHOWN_MOST) {
            fprintf(stderr, "tensix: %s\n", done->lines[i]);
        }
        json_array_append_new(list, json_string(done->lines[i]));
    }
    if (!a->cli->json && done->count > SHOWN_MOST) {
        fprintf(stderr, "tensix: and %u more\n", done->count - SHOWN_MOST);
    }
    if (a->cli->json) {
        json_t *all = json_pack("{s:i, s:i, s:O}", "schema", CLI_JSON_SCHEMA, "status",
                                done->status, "findings", list);
        (void)cli_put(a->cli, json_dumps(all, 0));
        json_decref(all);
    }
    json_decref(list);
    const int result = a->report != NULL ? write_report(a, done) : CLI_OK;
    card_result_free(done);
    return done->status != 0 ? done->status : result;
}

/*
 * Splits the line: the command is what follows --, or all of it where it has no options. Returns
 * the number of words before it.
 */
static int split(struct card_args *a, int argc, char **argv)
{
    int own = 1;
    if (argc > 1 && argv[1][0] != '-') {
        a->command = argv + 1;
        return own;
    }
    while (own < argc && strcmp(argv[own], "--") != 0) {
        own++;
    }
    a->command = own + 1 < argc ? argv + own + 1 : NULL;
    return own;
}

int cmd_card(struct cli *cli, int argc, char **argv)
{
    struct card_args a = {.cli = cli, .arch = TX_ARCH_NONE};
    char door[PATH_MAX];
    static const struct argp argp = {options, parse, "[--] COMMAND [ARGUMENTS]", doc, NULL,
                                     NULL,    NULL};
    card_options_default(&a.options);
    const int own = split(&a, argc, argv);
    int result = cli_parse(cli, &argp, own, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (a.command == NULL) {
        return cli_fail(cli, "no command to run given; see 'tensix card --help'");
    }
    if (a.product == NULL && a.arch == TX_WORMHOLE) {
        (void)card_product("n150", &a.options);
    }
    if (a.arch != TX_ARCH_NONE && (a.arch == TX_WORMHOLE) != card_is_wormhole(&a.options)) {
        return cli_fail(cli, "--product %s has another chip than --arch says", a.product);
    }
    if (a.door != NULL) {
        if (realpath(a.door, door) == NULL || strlen(door) >= sizeof a.options.door) {
            return cli_fail(cli, "--door: %s: %s", a.door, strerror(errno));
        }
        strcpy(a.options.door, door);
    }
    if (a.door != NULL && a.options.chips != 1) {
        return cli_fail(cli, "--door: that interface has one chip; --chips does not go with it");
    }
    struct card_result done;
    if (!card_run(&a.options, a.command, &done)) {
        return cli_fail(cli, "%s", done.text);
    }
    return print_findings(&a, &done);
}
