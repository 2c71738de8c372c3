/* SPDX-License-Identifier: Apache-2.0 */
/* tensix tile run: runs compiled programs on the tile's cores. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tensix-lab/gdb.h>
#include <tensix-lab/race.h>
#include <tensix-lab/tile.h>

enum {
    KEY_GDB = CLI_KEY_FIRST,
    KEY_PROFILE,
    KEY_RACES,
    KEY_EVIDENCE,
    KEY_WITNESS,
    KEY_BUDGET,
    KEY_DELAYS,
    KEY_KNOWN,
    KEY_DOUBTS
};

struct tile_args {
    struct cli *cli;
    struct cli_tile tile;
    const char *gdb;
    const char *profile_file; /* NULL: no file */
    bool races, evidence, witness, doubts;
    uint64_t budget;
    const char *delays, *known; /* NULL: none */
    char other[256];            /* what ends differently with delays */
};

static const struct argp_option options[] = {
    {"arch", CLI_KEY_ARCH, "CHIP", 0, "Chip: bh or wh", 1},
    CLI_TILE_OPTIONS(1),
    CLI_L1_OPTIONS(CLI_KEY_L1, CLI_KEY_L1_OUT, 2),
    {"max-cycles", CLI_KEY_MAX_CYCLES, "N", 0, "Give up after N cycles, default 10000000", 3},
    {"strict", CLI_KEY_STRICT, NULL, 0, "Stop at the first finding", 3},
    {"gdb", KEY_GDB, "WHERE", 0,
     "Wait for gdb before the first cycle: at a port, ADDRESS:PORT, a path with a slash, or - for "
     "stdin and stdout",
     4},
    {"profile", KEY_PROFILE, "FILE", OPTION_ARG_OPTIONAL,
     "Where each cycle goes: what cores, threads and units do and wait for, the path that bounds "
     "the run; also into FILE.html, FILE.json (ui.perfetto.dev) or a text",
     3},
    {"races", KEY_RACES, NULL, 0,
     "Report accesses that the programs do not order, too; exit status 1 if there are any", 3},
    {"doubts", KEY_DOUBTS, NULL, 0,
     "With --races also each pair that is a doubt: shipping code has it and works on cards, though "
     "nothing orders the two; otherwise one line for each kind, and they do not fail",
     3},
    {"evidence", KEY_EVIDENCE, NULL, 0,
     "With --races: also pairs that silicon is known to do right, with the evidence", 3},
    {"witness", KEY_WITNESS, NULL, 0,
     "With --races: for each race search a delay with which the run ends differently", 3},
    {"budget", KEY_BUDGET, "N", 0, "Runs that --witness may try for each race, default 200", 3},
    {"delays", KEY_DELAYS, "LIST", 0,
     "Run with these delays and say what ends differently, exit status 1 if something does: a "
     "list as --witness prints it, or a file that holds one",
     3},
    CLI_KNOWN_OPTION(KEY_KNOWN, 3),
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Runs programs of the RISC-V cores of a tile. A core rests in ebreak, in a jump to itself, or "
    "where it cannot go on.\vExit status 1: a deadlock, cycles that did not suffice, a fault, a "
    "core that cannot go on; the message tells where each core stands and what it waits for.";

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct tile_args *a = state->input;
    if (key == ARGP_KEY_ARG) {
        return cli_fail(a->cli, "'%s': programs are given as --elf CORE=FILE", arg);
    }
    if (key == KEY_GDB) {
        a->gdb = arg;
        return 0;
    }
    if (key == KEY_PROFILE) {
        a->tile.how.profile = true;
        a->profile_file = arg;
        return 0;
    }
    if (key == KEY_RACES) {
        a->races = true;
        return 0;
    }
    if (key == KEY_DOUBTS) {
        a->doubts = true;
        return 0;
    }
    if (key == KEY_WITNESS) {
        a->witness = true;
        return 0;
    }
    if (key == KEY_DELAYS) {
        a->delays = arg;
        return 0;
    }
    if (key == KEY_KNOWN) {
        a->known = arg;
        return 0;
    }
    if (key == KEY_BUDGET) {
        return cli_unsigned(a->cli, "--budget", arg, UINT32_MAX, &a->budget);
    }
    if (key == KEY_EVIDENCE) {
        a->evidence = true;
        return 0;
    }
    const error_t result = cli_tile_option(a->cli, key, arg, &a->tile);
    return result == ARGP_ERR_UNKNOWN ? cli_common(a->cli, key) : result;
}

static void gdb_ready(void *user, const char *where)
{
    (void)user;
    fprintf(stderr, "gdb can connect: target remote %s\n", where);
}

/* Serves gdb; after it the run continues as without it. */
static int serve_gdb(const struct tile_args *a, txl_tensix *tile)
{
    const bool pipe = strcmp(a->gdb, "-") == 0;
    const struct txl_gdb_server how = {.size = sizeof how,
                                       .address = pipe ? NULL : a->gdb,
                                       .input = STDIN_FILENO,
                                       .output = STDOUT_FILENO,
                                       .ready = pipe ? NULL : gdb_ready};
    const int result = txl_gdb_serve(&a->cli->error, tile, &how);
    if (strcmp(a->cli->error.option, "address") == 0) {
        strcpy(a->cli->error.option, "gdb"); /* the option's name on the command line */
    }
    if (pipe) {
        (void)dup2(STDERR_FILENO, STDOUT_FILENO); /* gdb does not read the report */
    }
    return result;
}

/* Adds to a report what the delays have changed; frees it and returns the new one. */
static char *with_delays(const struct tile_args *a, char *text)
{
    const char *what = a->other[0] != '\0' ? a->other : NULL;
    char *more = NULL;
    if (a->cli->json) {
        json_t *root = json_loads(text, 0, NULL);
        json_object_set_new(root, "delays", json_string(a->delays));
        json_object_set_new(root, "witness", what != NULL ? json_string(what) : json_null());
        more = json_dumps(root, JSON_INDENT(2));
        json_decref(root);
    } else if (asprintf(&more, "%swith delays %s: %s\n", text, a->delays,
                        what != NULL ? what : "nothing is different") < 0) {
        more = NULL;
    }
    free(text);
    return more;
}

/* Prints the report when the tile has run, with races behind the rest. */
static int report(const struct tile_args *a, txl_tensix *tile, txl_race *race)
{
    struct cli *cli = a->cli;
    int found = race != NULL ? txl_race_end(&cli->error, race) : TXL_OK;
    if (found == TXL_NEGATIVE && a->witness &&
        txl_race_witness(&cli->error, race, a->budget) != TXL_OK) {
        return cli->error.status;
    }
    if (race != NULL && a->known != NULL && cli->error.status == TXL_OK) {
        found = txl_race_known(&cli->error, race, a->known);
    }
    if (cli->error.status != TXL_OK) {
        return cli->error.status;
    }
    char *text = cli->json ? txl_tensix_json(tile) : txl_tensix_text(tile);
    if (a->delays != NULL && text != NULL) {
        text = with_delays(a, text);
        found = a->other[0] != '\0' ? TXL_NEGATIVE : found;
    }
    const int put = race != NULL ? cli_put_races(cli, text, race, a->evidence) : cli_put(cli, text);
    return put == CLI_OK ? found : put;
}

/* Sets the delays for the run that follows, and finds out what ends differently, in two others. */
static int delay(struct tile_args *a, txl_tensix *tile)
{
    struct txl_error *err = &a->cli->error;
    txl_race *race = NULL;
    int result = txl_race_delay(err, tile, a->delays);
    const struct txl_race_options how = {.size = sizeof how, .name = "tile"};
    result = result == TXL_OK ? txl_race_watch(err, tile, &how, &race) : result;
    if (result == TXL_OK) {
        (void)txl_race_replay(err, race, a->delays, a->other);
        result = err->status;
    }
    if (race != NULL) {
        (void)txl_race_end(err, race); /* the tile no longer reports to it */
    }
    txl_race_close(race);
    return result;
}

int tile_run(struct cli *cli, int argc, char **argv)
{
    struct tile_args a = {.cli = cli};
    static const struct argp argp = {options, parse, "", doc, NULL, NULL, NULL};
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (a.gdb != NULL && a.tile.how.profile) {
        return cli_fail(cli, "--gdb and --profile exclude each other");
    }
    cli_tile_settle(&a.tile, NULL);
    txl_tensix *tile = NULL;
    result = txl_tensix_open(&cli->error, &a.tile.how, &tile);
    if (result != TXL_OK) {
        return result;
    }
    txl_race *race = NULL;
    result = a.delays != NULL ? delay(&a, tile) : result;
    if (a.races && result == TXL_OK) {
        const struct txl_race_options how = {
            .size = sizeof how, .name = "tile", .hold_open = !a.doubts};
        result = txl_race_watch(&cli->error, tile, &how, &race);
    }
    if (a.gdb != NULL && result == TXL_OK) {
        result = serve_gdb(&a, tile);
    }
    result = result == TXL_OK ? txl_tensix_run(&cli->error, tile) : result;
    if (result == TXL_OK && a.profile_file != NULL) {
        result = txl_profile_file(&cli->error, txl_tensix_profile(tile), a.profile_file);
    }
    if (result == TXL_OK) {
        result = report(&a, tile, race);
    } else if (!cli->json && txl_tensix_result(tile)->findings != 0) {
        char *text = txl_tensix_findings_text(tile);
        cli_tell(NULL, text != NULL ? text : "");
        free(text);
    }
    txl_race_close(race);
    txl_tensix_close(tile);
    return result;
}
