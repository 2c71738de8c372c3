/* SPDX-License-Identifier: Apache-2.0 */
/* tensix lint: hazards and superfluous SFPNOPs of kernels, words and ELF files, without a run. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

#include <tensix-lab/lint.h>

enum { KEY_ARCH = CLI_KEY_FIRST, KEY_HEX, KEY_TTINSN, KEY_DST, KEY_MOST, LINT_FILES = 256 };

struct lint_args {
    struct cli *cli;
    struct txl_lint_options how;
    const char *files[LINT_FILES];
    size_t count;
    struct cli_tile cores;
    bool of_files; /* an option was given that is for files only */
};

static const struct argp_option options[] = {
    {"arch", KEY_ARCH, "CHIP|both", 0,
     "bh or wh in any spelling, or both; default: what the file says", 1},
    CLI_START_OPTION(1),
    {"dst", KEY_DST, "FORMAT", 0,
     "fp32, bf16, fp16, int32, int16, int8, uint32, uint16, uint8, int32-sm, int16-sm or "
     "uint16-dst32 as the kernel's input; default: its .dst, else fp32",
     1},
    {"hex", KEY_HEX, NULL, 0, "The files are lists of hex words (as .hex files are)", 1},
    {"max-cycles", KEY_MOST, "N", 0,
     "End a program that has not ended after N cycles, and say so (default 2000000)", 1},
    {"ttinsn", KEY_TTINSN, NULL, 0, "Hex words are rotated as in a RISC-V instruction stream", 1},
    CLI_TILE_OPTIONS(2),
    CLI_L1_OPTIONS(CLI_KEY_L1, CLI_KEY_L1_OUT, 2),
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Runs kernels, hex lists and the functions of ELF files on random data and reports timing "
    "hazards, other findings, missing and superfluous SFPNOPs.\vEach hazard names consumer, "
    "producer, operand, cycles and rule ('tensix explain RULE'). A kernel runs .init and one tile; "
    "hex words and the Tensix words of each ELF function (in order of address) run straight, from "
    "registers and Dst full of random values. An SFPNOP is superfluous when the program without it "
    "ends in the same state with the same findings, no scheduled instruction is near, and the rule "
    "asks for none; where its removal saves no cycle it is a note only. Exit status: 0 nothing "
    "found, 1 something found, 2 an input was refused.";

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct lint_args *a = state->input;
    const error_t tile = cli_tile_option(a->cli, key, arg, &a->cores);
    if (tile != ARGP_ERR_UNKNOWN) {
        return tile;
    }
    a->of_files = a->of_files || key == KEY_HEX || key == KEY_TTINSN || key == KEY_DST;
    switch (key) {
    case CLI_KEY_START:
        return cli_start(a->cli, arg, &a->how.start);
    case KEY_ARCH:
        a->how.both = strcmp(arg, "both") == 0;
        return a->how.both ? 0 : cli_arch(a->cli, arg, &a->how.arch);
    case KEY_DST:
        return cli_dst(a->cli, "--dst", arg, &a->how.dst);
    case KEY_MOST:
        return cli_unsigned(a->cli, "--max-cycles", arg, UINT64_MAX / 2, &a->how.max_cycles);
    case KEY_HEX:
        a->how.hex = true;
        return 0;
    case KEY_TTINSN:
        a->how.ttinsn = true;
        return 0;
    case ARGP_KEY_ARG:
        if (a->count == LINT_FILES) {
            return cli_fail(a->cli, "more than %d files", LINT_FILES);
        }
        a->files[a->count++] = arg;
        return 0;
    default:
        return cli_common(a->cli, key);
    }
}

/* Prints the results of each file as soon as it has been judged. */
static int lint_files(const struct lint_args *a, txl_lint *lint)
{
    int result = CLI_OK;
    for (size_t i = 0, shown = 0; i < a->count && result == CLI_OK; i++) {
        result = txl_lint_file(&a->cli->error, lint, a->files[i]);
        for (; shown < txl_lint_results(lint) && !a->cli->json && result == CLI_OK; shown++) {
            result = cli_put(a->cli, txl_lint_text(txl_lint_result(lint, shown)));
        }
    }
    return result == CLI_OK && a->cli->json ? cli_put(a->cli, txl_lint_json(lint)) : result;
}

/* Judges what the cores of a tile push during a run. */
static int lint_tile(struct lint_args *a, txl_lint *lint)
{
    char *findings = NULL;
    if (a->count != 0 || a->of_files || a->how.both) {
        return cli_fail(a->cli, "files and their options do not go with --elf");
    }
    a->cores.how.arch = a->how.arch;
    a->cores.how.max_cycles = a->how.max_cycles;
    cli_tile_settle(&a->cores, NULL);
    int result = txl_tensix_lint(&a->cli->error, &a->cores.how, lint, &findings);
    for (size_t i = 0; i < txl_lint_results(lint) && !a->cli->json && result == CLI_OK; i++) {
        result = cli_put(a->cli, txl_lint_text(txl_lint_result(lint, i)));
    }
    if (result == CLI_OK && a->cli->json) {
        char *text = txl_lint_json(lint);
        json_t *root = text != NULL ? json_loads(text, 0, NULL) : NULL;
        free(text);
        json_object_set_new(root, "tile", json_string(findings != NULL ? findings : ""));
        result = cli_put(a->cli, root != NULL ? json_dumps(root, JSON_INDENT(2)) : NULL);
        json_decref(root);
    } else if (result == CLI_OK && findings != NULL) {
        printf("%s", findings);
    }
    result = result == CLI_OK && findings != NULL ? CLI_NEGATIVE : result;
    free(findings);
    return result;
}

int cmd_lint(struct cli *cli, int argc, char **argv)
{
    struct lint_args a = {.cli = cli, .how = {.size = sizeof a.how}};
    static const struct argp argp = {
        options, parse, "KERNEL|HEX|ELF...\n--elf CORE=FILE ...", doc, NULL, NULL, NULL};
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (a.count == 0 && a.cores.how.program_count == 0) {
        return cli_fail(cli, "no file given; see 'tensix lint --help'");
    }
    cli->caret = true;
    if (a.cores.how.program_count != 0 && a.how.start == TX_START_UNSET) {
        a.how.start = TX_START_VENDOR; /* B has run before the threads' words */
    }
    txl_lint *lint = NULL;
    result = txl_lint_open(&cli->error, &a.how, &lint);
    if (result == CLI_OK) {
        result = a.cores.how.program_count != 0 ? lint_tile(&a, lint) : lint_files(&a, lint);
    }
    if (result == CLI_OK && txl_lint_found(lint)) {
        result = CLI_NEGATIVE;
    }
    txl_lint_close(lint);
    return result;
}
