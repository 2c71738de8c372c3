/* SPDX-License-Identifier: Apache-2.0 */
/* tensix chip: draws the grid of a chip, runs programs on its tiles. */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tensix-lab/chip.h>
#include <tensix-lab/gdb.h>

enum { KEY_PRODUCT = CLI_KEY_FIRST, KEY_GRID, KEY_THREADS, KEY_SFPI, KEY_GDB, KEY_TILE };

struct chip_args {
    struct cli *cli;
    struct txl_chip_options how;
    const char *file, *sfpi, *gdb;
    unsigned column, row; /* of the tile for gdb */
};

#define PRODUCT_OPTIONS                                                                       \
    {"product", KEY_PRODUCT, "NAME", 0, "p100, p150, n150 or n300; default p150", 1},         \
    {                                                                                         \
        "grid", KEY_GRID, "COLUMNSxROWS", 0, "A smaller grid of Tensix tiles, such as 4x4", 1 \
    }

static const struct argp_option map_options[] = {PRODUCT_OPTIONS, CLI_COMMON_OPTIONS, {0}};

static const struct argp_option run_options[] = {
    PRODUCT_OPTIONS,
    {"untimed", CLI_KEY_UNTIMED, NULL, 0, "No time: cores and threads take turns", 2},
    {"threads", KEY_THREADS, "N", 0, "Threads that run tiles; results do not depend on it", 2},
    {"max-cycles", CLI_KEY_MAX_CYCLES, "N", 0, "Give up after N cycles, default 100000000", 2},
    {"strict", CLI_KEY_STRICT, NULL, 0, "Stop at the first finding", 2},
    {"sfpi", KEY_SFPI, "DIR", 0,
     "The vendor's compiler, for kernels in tt-metal's headers; default: SFPI_HOME, "
     "TT_METAL_HOME/runtime/sfpi, /opt/tenstorrent/sfpi",
     3},
    {"gdb", KEY_GDB, "WHERE", 0,
     "Wait for gdb before the first cycle, for one tile: at a port, ADDRESS:PORT, or a path with a "
     "slash. It steps the whole chip, and goes back with it",
     4},
    {"tile", KEY_TILE, "COLUMN,ROW", 0, "The tile for --gdb, default 0,0", 4},
    CLI_COMMON_OPTIONS,
    {0}};

static const char run_doc[] =
    "Runs a program on the tiles of a chip: kernels with arguments, circular buffers, semaphores, "
    "and buffers from and to files, without a host stack.\vPROGRAM.json is described in "
    "docs/chip.md; PROGRAM.py is run by python3, and uses tensix.chip. Exit status 1: a deadlock, "
    "cycles that did not suffice, or a fault; the message tells which core of which tile waits "
    "for what.";

static const char map_doc[] =
    "Draws the grid of a chip: which tile is where on NoC 0, the translated coordinates by which "
    "requests name it on either NoC, and the logical coordinates of Tensix tiles in programs.";

static const char both_doc[] =
    "A whole chip: 'chip map' draws its grid, 'chip run' runs programs on its tiles.\vtensix chip "
    "map --help and tensix chip run --help tell their options.";

/* Parses "4x4". */
static int set_grid(struct chip_args *a, const char *text)
{
    int end = 0;
    if (strlen(text) > 5 || sscanf(text, "%2ux%2u%n", &a->how.columns, &a->how.rows, &end) != 2 ||
        text[end] != '\0' || a->how.columns == 0 || a->how.rows == 0) {
        return cli_fail(a->cli, "--grid: '%s' is not COLUMNSxROWS, such as 4x4", text);
    }
    return 0;
}

/* Parses "2,3". */
static int set_tile(struct chip_args *a, const char *text)
{
    int end = 0;
    if (strlen(text) > 7 || sscanf(text, "%3u,%3u%n", &a->column, &a->row, &end) != 2 ||
        text[end] != '\0') {
        return cli_fail(a->cli, "--tile: '%s' is not COLUMN,ROW, such as 0,0", text);
    }
    return 0;
}

static int set_threads(struct chip_args *a, const char *text)
{
    uint64_t threads = 0;
    const int result = cli_unsigned(a->cli, "--threads", text, 64, &threads);
    a->how.threads = (unsigned)threads;
    return result;
}

static error_t parse_chip(int key, char *arg, struct argp_state *state)
{
    struct chip_args *a = state->input;
    switch (key) {
    case KEY_PRODUCT:
        a->how.product = arg;
        return 0;
    case KEY_GRID:
        return set_grid(a, arg);
    case CLI_KEY_UNTIMED:
        a->how.untimed = true;
        return 0;
    case CLI_KEY_STRICT:
        a->how.strict = true;
        return 0;
    case CLI_KEY_MAX_CYCLES:
        return cli_unsigned(a->cli, "--max-cycles", arg, INT64_MAX, &a->how.max_cycles);
    case KEY_THREADS:
        return set_threads(a, arg);
    case KEY_SFPI:
        a->sfpi = arg;
        return 0;
    case KEY_GDB:
        a->gdb = arg;
        return 0;
    case KEY_TILE:
        return set_tile(a, arg);
    case ARGP_KEY_ARG:
        return cli_only(a->cli, "program", arg, &a->file);
    default:
        return cli_common(a->cli, key);
    }
}

static int chip_map(struct cli *cli, int argc, char **argv)
{
    struct chip_args a = {.cli = cli, .how.size = sizeof a.how};
    static const struct argp argp = {map_options, parse_chip, "", map_doc, NULL, NULL, NULL};
    txl_chip *chip = NULL;
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (a.file != NULL) {
        return cli_fail(cli, "'%s' is not needed: the grid is that of --product", a.file);
    }
    result = txl_chip_open(&cli->error, &a.how, &chip);
    if (result == TXL_OK) {
        result = cli_put(cli, cli->json ? txl_chip_map_json(chip) : txl_chip_map_text(chip));
    }
    txl_chip_close(chip);
    return result;
}

static void gdb_ready(void *user, const char *where)
{
    (void)user;
    fprintf(stderr, "gdb can connect: target remote %s\n", where);
}

/* Serves gdb; after it the run continues as without it. */
static int serve_gdb(void *user, struct txl_error *err, txl_tensix *tile)
{
    const struct chip_args *a = user;
    const struct txl_gdb_server how = {.size = sizeof how, .address = a->gdb, .ready = gdb_ready};
    return txl_gdb_serve(err, tile, &how);
}

/* The program and its folder: only files beneath it may be named. */
static int run_program(struct chip_args *a, txl_chip *chip, const char *text, size_t size)
{
    struct cli *cli = a->cli;
    char folder[4096];
    char include[512];
    const char *slash = strrchr(a->file, '/');
    snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - a->file) + 1 : 0,
             a->file);
    const struct txl_chip_program_options how = {.size = sizeof how,
                                                 .name = a->file,
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
    result = a->gdb != NULL ? txl_chip_attach(&cli->error, chip, a->column, a->row, serve_gdb, a)
                            : TXL_OK;
    result = result == TXL_OK ? txl_chip_run(&cli->error, chip) : result;
    result = result == TXL_OK ? txl_chip_save(&cli->error, chip) : result;
    if (result == TXL_OK || !cli->json) {
        const int put = cli_put(cli, cli->json ? txl_chip_json(chip) : txl_chip_text(chip));
        result = result == TXL_OK ? put : result;
    }
    return result;
}

static int run_json(struct chip_args *a)
{
    struct cli *cli = a->cli;
    struct txl_chip_wants wants = {.size = sizeof wants};
    txl_chip *chip = NULL;
    size_t size = 0;
    char *text = txl_read_file(&cli->error, a->file, &size);
    int result =
        text != NULL ? txl_chip_wants(&cli->error, a->file, text, size, &wants) : TXL_INPUT;
    if (a->how.product == NULL && wants.product[0] != '\0') {
        a->how.product = wants.product;
    }
    if (a->how.columns == 0) {
        a->how.columns = wants.columns;
        a->how.rows = wants.rows;
    }
    result = result == TXL_OK ? txl_chip_open(&cli->error, &a->how, &chip) : result;
    result = result == TXL_OK ? run_program(a, chip, text, size) : result;
    free(text);
    txl_chip_close(chip);
    return result;
}

/* Runs PROGRAM.py, whose tensix.chip.device takes the options from the environment. */
static int run_python(struct chip_args *a)
{
    struct cli *cli = a->cli;
    txl_json *told = txl_json_object();
    txl_json *grid = txl_json_array();
    char python[] = "python3";
    char *file = strdup(a->file);
    if (a->how.product != NULL) {
        txl_json_set_text(told, "product", a->how.product);
    }
    if (a->how.columns != 0) {
        txl_json_append(grid, txl_json_int(a->how.columns));
        txl_json_append(grid, txl_json_int(a->how.rows));
    }
    txl_json_set(told, "grid", grid);
    txl_json_set_bool(told, "untimed", a->how.untimed);
    txl_json_set_bool(told, "strict", a->how.strict);
    txl_json_set_int(told, "threads", a->how.threads);
    txl_json_set_int(told, "max_cycles", a->how.max_cycles);
    if (a->sfpi != NULL) {
        txl_json_set_text(told, "sfpi", a->sfpi);
    }
    char *text = txl_json_line(told);
    txl_json_free(told);
    int result = CLI_INPUT;
    if (text == NULL || file == NULL) {
        result = cli_fail(cli, "out of memory");
    } else if (access(a->file, R_OK) != 0) {
        result = cli_fail(cli, "%s: %s", a->file, strerror(errno));
    } else if (a->gdb != NULL) {
        result = cli_fail(cli, "--gdb is for PROGRAM.json");
    } else if (cli->json) {
        result = cli_fail(cli, "--json is for PROGRAM.json: PROGRAM.py prints what it likes");
    } else if (setenv("TENSIX_CHIP_RUN", text, 1) == 0) {
        char *words[] = {python, file, NULL};
        execvp(python, words);
        result = cli_fail(cli, "python3: %s", strerror(errno));
    }
    free(text);
    free(file);
    return result;
}

static int chip_run(struct cli *cli, int argc, char **argv)
{
    struct chip_args a = {.cli = cli, .how.size = sizeof a.how};
    static const struct argp argp = {
        run_options, parse_chip, "PROGRAM.json|PROGRAM.py", run_doc, NULL, NULL, NULL};
    const int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (a.file == NULL) {
        return cli_fail(cli, "no program given; see 'tensix chip run --help'");
    }
    const size_t length = strlen(a.file);
    const bool script = length > 3 && strcmp(a.file + length - 3, ".py") == 0;
    return script ? run_python(&a) : run_json(&a);
}

int cmd_chip(struct cli *cli, int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "run") == 0) {
        cli->command = "chip run";
        return chip_run(cli, argc - 1, argv + 1);
    }
    if (argc > 1 && strcmp(argv[1], "map") == 0) {
        cli->command = "chip map";
        return chip_map(cli, argc - 1, argv + 1);
    }
    struct chip_args a = {.cli = cli, .how.size = sizeof a.how};
    static const struct argp argp = {map_options, parse_chip, "map|run", both_doc,
                                     NULL,        NULL,       NULL};
    const int result = cli_parse(cli, &argp, argc, argv, &a);
    return result != CLI_CONTINUE
               ? result
               : cli_fail(cli, "the action is 'map' or 'run': tensix chip map --product p150, "
                               "tensix chip run PROGRAM.json");
}
