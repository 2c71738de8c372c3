/* SPDX-License-Identifier: Apache-2.0 */
/* tensix chip: draws the grid of a chip, runs programs on its tiles. */
#include "debug_screen.h"

#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tensix-lab/chip.h>
#include <tensix-lab/order.h>

/* Parses "4x4". */
int cli_grid(struct cli *cli, void *args, const struct cli_option *option, const char *text)
{
    struct txl_chip_options *how = &((struct device_args *)args)->how;
    (void)option;
    int end = 0;
    if (strlen(text) > 5 || sscanf(text, "%2ux%2u%n", &how->columns, &how->rows, &end) != 2 ||
        text[end] != '\0' || how->columns == 0 || how->rows == 0) {
        return cli_fail(cli, "--grid: '%s' is not COLUMNSxROWS, such as 4x4", text);
    }
    return 0;
}

/* Parses "2,3". */
int cli_chip_run_tile(struct cli *cli, void *args, const struct cli_option *option,
                      const char *text)
{
    struct chip_run_args *a = args;
    (void)option;
    int end = 0;
    if (strlen(text) > 7 || sscanf(text, "%3u,%3u%n", &a->column, &a->row, &end) != 2 ||
        text[end] != '\0') {
        return cli_fail(cli, "--tile: '%s' is not COLUMN,ROW, such as 0,0", text);
    }
    return 0;
}

/* Hands a tile to gdb or to the trace, after which the run continues, or to the debugger. */
static int visit(void *user, struct txl_error *err, txl_tensix *tile)
{
    const struct chip_run_args *a = user;
    const struct txl_debug_options how = {.size = sizeof how, .progress = debug_goes_on};
    txl_debug *debug = NULL;
    if (a->gdb != NULL || a->trace != NULL) {
        return a->gdb != NULL ? cli_gdb(a->cli, tile, a->gdb)
                              : txl_trace_attached(err, tile, &a->traced.how, a->trace);
    }
    int result = txl_debug_open_attached(err, tile, &how, &debug);
    result = result == TXL_OK ? cli_talk(a->cli, &a->talk, debug) : result;
    txl_debug_close(debug);
    return result == TXL_OK ? TXL_CANCELLED : result;
}

/* What --races has found, also in a run that does not end; status: of the run. */
static int give_races(struct chip_run_args *a, txl_chip *chip, int status)
{
    struct cli *cli = a->cli;
    const struct txl_error error = cli->error;
    cli->error = (struct txl_error){.status = TXL_OK};
    txl_order *races = txl_chip_races(chip);
    if (a->device.how.witness && txl_chip_witness(&cli->error, chip) != TXL_OK) {
        return cli->error.status;
    }
    const int judged = txl_order_give(&cli->error, races, &a->order.how);
    if (cli->error.status != TXL_OK) {
        return judged;
    }
    const int put = cli_put(cli, cli->json ? txl_chip_json(chip) : txl_chip_text(chip));
    if (status != TXL_OK && !cli->json) { /* in JSON "ended" and "waits" say it */
        cli->error = error;
    }
    return put != CLI_OK ? put : status != TXL_OK ? status : judged;
}

/* The program and its folder: only files beneath it may be named. */
static int run_program(struct chip_run_args *a, txl_chip *chip, const char *text, size_t size)
{
    struct cli *cli = a->cli;
    char folder[4096];
    char include[512];
    const char *slash = strrchr(a->words.text[0], '/');
    snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - a->words.text[0]) + 1 : 0,
             a->words.text[0]);
    const struct txl_chip_program_options how = {.size = sizeof how,
                                                 .name = a->words.text[0],
                                                 .folder = folder,
                                                 .include = cli_headers(include) ? include
                                                                                 : "/usr/include",
                                                 .scratch = cli_scratch(),
                                                 .sfpi = a->sfpi,
                                                 .environment = environ};
    int result = txl_chip_program(&cli->error, chip, text, size, &how);
    if (result != TXL_OK) {
        return result;
    }
    if (a->gdb != NULL || a->trace != NULL || a->debug) {
        result = txl_chip_attach(&cli->error, chip, a->column, a->row, visit, a);
    }
    result = result == TXL_OK ? txl_chip_run(&cli->error, chip) : result;
    if (a->debug) {
        return result == TXL_CANCELLED && cli->error.status == TXL_OK ? CLI_OK : result;
    }
    result = result == TXL_OK ? txl_chip_save(&cli->error, chip) : result;
    if (a->device.how.races && result != TXL_INPUT && result != TXL_CANCELLED) {
        return give_races(a, chip, result);
    }
    if (result == TXL_OK && a->profile != NULL) {
        result = txl_chip_profile_file(&cli->error, chip, a->profile);
    }
    if (result == TXL_OK || (result != TXL_INPUT && !cli->json)) {
        const int put = cli_put(cli, cli->json ? txl_chip_json(chip) : txl_chip_text(chip));
        result = result == TXL_OK ? put : result;
    }
    return result;
}

static int run_json(struct chip_run_args *a)
{
    struct cli *cli = a->cli;
    struct txl_chip_wants wants = {.size = sizeof wants};
    txl_chip *chip = NULL;
    size_t size = 0;
    if (a->debug + (a->gdb != NULL) + (a->trace != NULL) > 1) {
        return cli_fail(cli, "--trace, --gdb and --debug exclude each other");
    }
    if (!a->debug && (a->talk.command.count != 0 || a->talk.batch != NULL)) {
        return cli_fail(cli, "--command and --batch are for --debug");
    }
    if (a->trace == NULL && cli_given(cli, "cycles")) {
        return cli_fail(cli, "--cycles is for --trace");
    }
    if (a->device.how.races && a->trace != NULL) {
        return cli_fail(cli, "--races does not go with --trace");
    }
    char *text = txl_read_file(&cli->error, a->words.text[0], &size);
    int result = text != NULL ? txl_chip_wants(&cli->error, a->words.text[0], text, size, &wants)
                              : TXL_INPUT;
    if (a->device.how.product == NULL && wants.product[0] != '\0') {
        a->device.how.product = wants.product;
    }
    a->device.how.profile = cli_given(cli, "profile");
    result = !txl_chip_paces(&cli->error, a->pace.text, a->pace.count, a->device.how.pace)
                 ? TXL_INPUT
                 : result;
    if (a->device.how.columns == 0) {
        a->device.how.columns = wants.columns;
        a->device.how.rows = wants.rows;
    }
    char *times = NULL;
    if (result == TXL_OK && a->device.how.times_name != NULL) {
        size_t length = 0;
        a->device.how.times = times = txl_read_file(&cli->error, a->device.how.times_name, &length);
        result = times != NULL ? result : TXL_INPUT;
    }
    result = result == TXL_OK ? txl_chip_open(&cli->error, &a->device.how, &chip) : result;
    result = result == TXL_OK ? run_program(a, chip, text, size) : result;
    free(times);
    free(text);
    txl_chip_close(chip);
    return result;
}

/* Runs the program, whose chips report their races to a file; then these are told. */
static int watch_python(struct chip_run_args *a, char **words, const char *races)
{
    struct cli *cli = a->cli;
    int status = 0;
    pid_t child;
    const int made = posix_spawnp(&child, words[0], NULL, NULL, words, environ);
    if (made != 0) {
        (void)unlink(races);
        return cli_fail(cli, "%s: %s", words[0], strerror(made));
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    txl_order *order = cli_order_read(cli, races);
    int result =
        order != NULL ? txl_order_give(&cli->error, order, &a->order.how) : cli->error.status;
    char *text = order != NULL ? txl_order_text(order) : NULL;
    fputs(text != NULL ? text : "", stderr);
    free(text);
    txl_order_close(order);
    const int ended = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return ended != 0 ? ended : result;
}

/* Runs PROGRAM.py, whose tensix.chip.device takes the options from the environment. */
static int run_python(struct chip_run_args *a)
{
    static const char *const of_json[] = {"gdb",     "debug", "trace",      "cycles", "command",
                                          "profile", "pace",  "noc-params", "batch",  NULL};
    struct cli *cli = a->cli;
    char python[] = "python3";
    char *file = strdup(a->words.text[0]);
    char *text = txl_chip_told(&a->device.how, a->sfpi);
    int result = CLI_INPUT;
    char races[PATH_MAX];
    if (text == NULL || file == NULL) {
        result = cli_fail(cli, "out of memory");
    } else if (access(a->words.text[0], R_OK) != 0) {
        result = cli_fail(cli, "%s: %s", a->words.text[0], strerror(errno));
    } else if (cli_first_given(cli, of_json) != NULL) {
        result = cli_fail(cli, "--%s is for PROGRAM.json", cli_first_given(cli, of_json));
    } else if (cli->json) {
        result = cli_fail(cli, "--json is for PROGRAM.json: PROGRAM.py prints what it likes");
    } else if (setenv("TENSIX_CHIP_RUN", text, 1) == 0 && !a->device.how.races) {
        char *words[] = {python, file, NULL};
        execvp(python, words);
        result = cli_fail(cli, "python3: %s", strerror(errno));
    } else if (cli_order_file(cli, races) == CLI_CONTINUE &&
               setenv("TENSIX_ORDER", races, 1) == 0) {
        char *words[] = {python, file, NULL};
        result = watch_python(a, words, races);
    }
    free(text);
    free(file);
    return result;
}

int cmd_chip_map(struct cli *cli, struct chip_map_args *a)
{
    txl_chip *chip = NULL;
    int result = txl_chip_open(&cli->error, &a->device.how, &chip);
    if (result == TXL_OK) {
        result = cli_put(cli, cli->json ? txl_chip_map_json(chip) : txl_chip_map_text(chip));
    }
    txl_chip_close(chip);
    return result;
}

int cmd_chip_run(struct cli *cli, struct chip_run_args *a)
{
    const size_t length = strlen(a->words.text[0]);
    const bool script = length > 3 && strcmp(a->words.text[0] + length - 3, ".py") == 0;
    const int asked = cli_order_unasked(cli, &a->order, a->device.how.races);
    if (asked != CLI_CONTINUE) {
        return asked;
    }
    return script ? run_python(a) : run_json(a);
}
