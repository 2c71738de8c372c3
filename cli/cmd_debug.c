/* SPDX-License-Identifier: Apache-2.0 */
/* tensix debug: parses options and reads commands. The lab library carries them out. */
#include "debug_screen.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEY_BATCH = CLI_KEY_FIRST, KEY_TILE, KEY_TILES, KEY_DST, KEY_COMMAND = 'c' };

struct debug_args {
    struct cli *cli;
    struct cli_machine machine;
    struct cli_tile cores;
    const char *of_kernels; /* the first option that is for kernels only */
    const char *batch;
    struct cli_list commands;
    struct txl_debug_options how;
};

static const struct argp_option options[] = {
    {"command", KEY_COMMAND, "CMD", 0, "Do this and end, without a screen; may repeat", 1},
    {"batch", KEY_BATCH, "FILE", 0,
     "Run the commands in the lines of a file ('-': standard input), then end", 1},
    {"arch", CLI_KEY_ARCH, "CHIP", 0, "bh or wh in any spelling; default: the kernel's .arch", 2},
    {"in", CLI_KEY_IN, "X.npy", 0,
     "Input array as for tensix run; once for each input; default: random numbers", 2},
    {"tile", KEY_TILE, "N", 0, "First tile, default 0", 2},
    {"tiles", KEY_TILES, "N", 0, "How many tiles, default: all of the array", 2},
    {"dst", KEY_DST, "FORMAT", 0, "The inputs' format, as for tensix run", 2},
    CLI_L1_OPTIONS(CLI_KEY_L1, CLI_KEY_L1_OUT, 2),
    CLI_TILE_OPTIONS(3),
    CLI_SOURCES_OPTION(3),
    CLI_START_OPTION(2),
    {"seed", CLI_KEY_SEED, "N", 0, "PRNG seed of tile 0, and of random inputs", 4},
    {"strict", CLI_KEY_STRICT, NULL, 0, "Stop at the first finding", 4},
    CLI_KERNEL_OPTIONS(4),
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Stops a kernel, or the programs of a tile's cores, and looks: step by step, forwards and "
    "backwards.\vOn a terminal it shows source, pipeline and registers, and takes commands; 'help' "
    "lists them, docs/debug.md is the manual. Where standard input or output is no terminal, "
    "commands are read from there, a line each. --json gives an object for each of them. Exit "
    "status: 0, or 2 where an input or a command was refused; commands behind it are not done.";

/* Returns the name of an option that programs of a tile's cores do not have, or NULL. */
static const char *of_kernels(int key)
{
    for (const struct argp_option *o = options; o->name != NULL; o++) {
        if (o->key == key && (key == CLI_KEY_IN || key == CLI_KEY_SET || key == CLI_KEY_RULE ||
                              key == CLI_KEY_SEED || key == CLI_KEY_THREAD || key == CLI_KEY_HEX ||
                              key == CLI_KEY_START || key == KEY_DST)) {
            return o->name;
        }
    }
    return NULL;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct debug_args *a = state->input;
    a->of_kernels = a->of_kernels == NULL ? of_kernels(key) : a->of_kernels;
    if (key >= CLI_KEY_ELF && key <= CLI_KEY_SOURCES) {
        return cli_tile_option(a->cli, key, arg, &a->cores);
    }
    switch (key) {
    case KEY_COMMAND:
        return cli_add(a->cli, &a->commands, 64, "--command", arg);
    case KEY_BATCH:
        a->batch = arg;
        return 0;
    case KEY_TILE:
        return cli_unsigned(a->cli, "--tile", arg, UINT32_MAX, &a->how.tile);
    case KEY_TILES:
        return cli_unsigned(a->cli, "--tiles", arg, UINT32_MAX, &a->how.tiles);
    case KEY_DST:
        return cli_dst(a->cli, "--dst", arg, &a->machine.kernel.dst);
    default:
        return cli_machine_option(a->cli, key, arg, &a->machine);
    }
}

/* ---- commands ---- */

/* Carries out one command and prints its answer. */
static int say(struct debug_args *a, txl_debug *debug, const char *line)
{
    struct cli *cli = a->cli;
    char *text = NULL;
    txl_json *json = NULL;
    const int result =
        txl_debug_do(&cli->error, debug, line, cli->json ? NULL : &text, cli->json ? &json : NULL);
    int put = CLI_OK;
    if (json != NULL) {
        put = cli_put(cli, txl_json_line(json));
        txl_json_free(json);
    } else if (text != NULL) {
        char shown[400];
        snprintf(shown, sizeof shown, "%s", line);
        txl_mask_controls(shown);
        printf("(tensix) %s\n%s", shown, text);
        free(text);
    }
    return result != TXL_OK ? result : put;
}

static int say_list(struct debug_args *a, txl_debug *debug)
{
    int result = CLI_OK;
    for (unsigned i = 0; i < a->commands.count && result == CLI_OK && !txl_debug_ended(debug);
         i++) {
        result = say(a, debug, a->commands.text[i]);
    }
    return result;
}

/* Carries out the lines of a file; skips empty lines and comments. */
static int say_file(struct debug_args *a, txl_debug *debug, const char *path)
{
    char line[512];
    int result = CLI_OK;
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    if (file == NULL) {
        const struct txl_where where = {.file = path};
        return cli_fail_at(a->cli, &where, "cannot be read");
    }
    while (result == CLI_OK && !txl_debug_ended(debug) && fgets(line, sizeof line, file) != NULL) {
        char *end = strchr(line, '\n');
        if (end != NULL) {
            *end = '\0';
        }
        if (line[strspn(line, " \t\r")] != '\0' && line[0] != '#') {
            result = say(a, debug, line);
        }
        fflush(stdout);
    }
    if (file != stdin) {
        fclose(file);
    }
    return result;
}

static int talk(struct debug_args *a, txl_debug *debug)
{
    const bool screen = a->batch == NULL && a->commands.count == 0 && !a->cli->json &&
                        isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    int result = screen ? debug_screen(a->cli, debug) : CLI_CONTINUE;
    if (result != CLI_CONTINUE) {
        return result;
    }
    result = a->batch != NULL ? say_file(a, debug, a->batch) : CLI_OK;
    result = result == CLI_OK ? say_list(a, debug) : result;
    if (a->batch == NULL && a->commands.count == 0) {
        result = say_file(a, debug, "-");
    }
    return result;
}

/* ---- opening ---- */

static int open_kernel(struct debug_args *a, const struct tx_program *program, txl_debug **debug)
{
    struct txl_run_options run = {.size = sizeof run};
    CLI_GIVE_MACHINE(&run, &a->machine);
    return txl_debug_open(&a->cli->error, program, a->machine.kernels.path[0], &run, &a->how,
                          debug);
}

static int open_cores(struct debug_args *a, txl_debug **debug)
{
    if (a->machine.kernels.count != 0 || a->of_kernels != NULL) {
        return cli_fail(a->cli, "%s%s: is a kernel's, and --elf are programs of a tile's cores",
                        a->machine.kernels.count != 0 ? "" : "--",
                        a->machine.kernels.count != 0 ? a->machine.kernels.path[0] : a->of_kernels);
    }
    cli_tile_settle(&a->cores, &a->machine);
    return txl_debug_open_tile(&a->cli->error, &a->cores.how, &a->how, debug);
}

int cmd_debug(struct cli *cli, int argc, char **argv)
{
    static struct debug_args a;
    static const struct argp argp = {
        options, parse, "KERNEL [KERNEL [KERNEL]]\n--elf CORE=FILE ...", doc, NULL, NULL, NULL};
    struct tx_program *program = NULL;
    txl_debug *debug = NULL;
    a = (struct debug_args){.cli = cli, .how = {.size = sizeof a.how, .progress = debug_goes_on}};
    cli_machine_default(&a.machine);
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (a.cores.how.program_count != 0) {
        result = open_cores(&a, &debug);
    } else if (a.machine.kernels.count == 0) {
        return cli_fail(cli, "no kernel given; see 'tensix debug --help'");
    } else {
        result = cli_machine_load(cli, &a.machine, &program);
        result = result == CLI_CONTINUE ? open_kernel(&a, program, &debug) : result;
    }
    if (result == TXL_OK) {
        result = talk(&a, debug);
    }
    txl_debug_close(debug);
    tx_program_free(program);
    return result;
}
