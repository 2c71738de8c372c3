/* SPDX-License-Identifier: Apache-2.0 */
/* tensix tile run: runs compiled programs on the tile's cores. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tensix-lab/gdb.h>
#include <tensix-lab/race.h>
#include <tensix-lab/tile.h>

static void gdb_ready(void *user, const char *where)
{
    (void)user;
    fprintf(stderr, "gdb can connect: target remote %s\n", where);
}

int cli_gdb(struct cli *cli, txl_tensix *tile, const char *where)
{
    const bool pipe = strcmp(where, "-") == 0;
    const struct txl_gdb_server how = {.size = sizeof how,
                                       .address = pipe ? NULL : where,
                                       .input = STDIN_FILENO,
                                       .output = STDOUT_FILENO,
                                       .ready = pipe ? NULL : gdb_ready};
    const int result = txl_gdb_serve(&cli->error, tile, &how);
    if (strcmp(cli->error.option, "address") == 0) {
        strcpy(cli->error.option, "gdb"); /* the option's name on the command line */
    }
    if (pipe) {
        (void)dup2(STDERR_FILENO, STDOUT_FILENO); /* gdb does not read the report */
    }
    return result;
}

/* Adds to a report what the delays have changed; frees it and returns the new one. */
static char *with_delays(const struct tile_run_args *a, char *text)
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
static int report(const struct tile_run_args *a, txl_tensix *tile, txl_race *race)
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
static int delay(struct tile_run_args *a, txl_tensix *tile)
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

int cmd_tile_run(struct cli *cli, struct tile_run_args *a)
{
    txl_tensix *tile = NULL;
    txl_race *race = NULL;
    a->cores.how.profile = cli_given(cli, "profile");
    if (!txl_paces(&cli->error, a->pace.text, a->pace.count, a->cores.how.pace)) {
        return CLI_INPUT;
    }
    if (a->gdb != NULL && a->cores.how.profile) {
        return cli_fail(cli, "--gdb and --profile exclude each other");
    }
    cli_cores_settle(&a->cores, NULL);
    int result = txl_tensix_open(&cli->error, &a->cores.how, &tile);
    if (result != TXL_OK) {
        return result;
    }
    result = a->delays != NULL ? delay(a, tile) : result;
    if (a->races && result == TXL_OK) {
        const struct txl_race_options how = {
            .size = sizeof how, .name = "tile", .hold_open = !a->doubts};
        result = txl_race_watch(&cli->error, tile, &how, &race);
    }
    if (a->gdb != NULL && result == TXL_OK) {
        result = cli_gdb(cli, tile, a->gdb);
    }
    result = result == TXL_OK ? txl_tensix_run(&cli->error, tile) : result;
    if (result == TXL_OK && a->profile != NULL) {
        result = txl_profile_file(&cli->error, txl_tensix_profile(tile), a->profile);
    }
    if (result == TXL_OK) {
        result = report(a, tile, race);
    } else if (!cli->json && txl_tensix_result(tile)->findings != 0) {
        char *text = txl_tensix_findings_text(tile);
        cli_tell(NULL, text != NULL ? text : "");
        free(text);
    }
    txl_race_close(race);
    txl_tensix_close(tile);
    return result;
}
