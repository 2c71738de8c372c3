/* SPDX-License-Identifier: Apache-2.0 */
/* tensix run: parses options and calls the lab library. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

#include <tensix-lab/data.h>
#include <tensix-lab/run.h>

#include "print/progress.h"

static bool profiled(const struct run_args *a)
{
    return cli_given(a->cli, "profile");
}

/* Refuses options that exclude each other, as far as the command line alone shows that. */
static int check(const struct run_args *a)
{
    const char *other = a->how.output != NULL     ? "--out"
                        : a->how.compare != NULL  ? "--compare"
                        : a->machine.kernel.carry ? "--carry"
                        : a->cycles               ? "--cycles"
                        : a->search               ? "--gaps all"
                                                  : NULL;
    if (profiled(a) && (other != NULL || a->shadow || a->machine.l1_out.count != 0)) {
        return cli_fail(a->cli, "--profile and %s exclude each other",
                        other != NULL ? other
                        : a->shadow   ? "--shadow"
                                      : "--l1-out");
    }
    if (a->pace.count != 0 && !profiled(a) && !a->cycles) {
        return cli_fail(a->cli, "--pace is for --cycles and --profile");
    }
    if (a->races && (profiled(a) || a->shadow || a->search || a->cycles)) {
        return cli_fail(a->cli, "--races and %s exclude each other",
                        profiled(a) ? "--profile"
                        : a->shadow ? "--shadow"
                        : a->search ? "--gaps all"
                                    : "--cycles");
    }
    if (a->shadow && other != NULL) {
        return cli_fail(a->cli, "--shadow and %s exclude each other", other);
    }
    if (!a->shadow && a->follow.element_count != 0) {
        return cli_fail(a->cli, "--element is for --shadow");
    }
    if (a->cycles && a->machine.l1_out.count != 0) {
        return cli_fail(a->cli, "--l1-out and --cycles exclude each other");
    }
    return a->machine.l1.count + a->machine.l1_out.count != 0 && a->shadow
               ? cli_fail(a->cli, "--l1 and --shadow exclude each other")
               : CLI_CONTINUE;
}

/* Prints the result and behind it the races of one run of .init and .tile. */
static int put_races(struct run_args *a, char *text)
{
    struct txl_race_options how = {.size = sizeof how};
    struct txl_error *err = &a->cli->error;
    txl_race *race = NULL;
    cli_race_options(&a->machine, a->words.text[0], &how);
    int result = txl_race_open(err, a->program, &how, &race);
    result = result == TXL_OK ? txl_race_run(err, race) : result;
    if (err->status == TXL_OK) {
        const int put = cli_put_races(a->cli, text, race, a->how.evidence);
        result = put == CLI_OK ? result : put;
    } else {
        free(text);
    }
    txl_race_close(race);
    return result;
}

static int run_put(struct run_args *a, const txl_run *run, char *(*json)(const txl_run *),
                   char *(*text)(const txl_run *))
{
    char *report = a->cli->json ? json(run) : text(run);
    return a->races ? put_races(a, report) : cli_put(a->cli, report);
}

/* Runs the tiles and prints the result. */
static int tiles(struct run_args *a, txl_run *run)
{
    const struct txl_cycles *cycles = NULL;
    progress_start(&a->progress, !a->no_progress && !a->cli->json, txl_run_result(run)->tile_count,
                   "tiles");
    int result = txl_run_tiles(&a->cli->error, run);
    progress_end(&a->progress);
    if (result != TXL_OK) {
        return result;
    }
    if (a->cycles && txl_run_cycles(&a->cli->error, run, &cycles) != TXL_OK && a->cli->json) {
        return CLI_NEGATIVE;
    }
    return run_put(a, run, txl_run_json, txl_run_text);
}

static int shadow(struct run_args *a, txl_run *run)
{
    struct txl_error *err = &a->cli->error;
    char *text = NULL;
    a->follow.elements = a->elements;
    const int result = a->cli->json ? txl_run_shadow_json(err, run, &a->follow, &text)
                                    : txl_run_shadow_text(err, run, &a->follow, &text);
    return result == TXL_OK ? cli_put(a->cli, text) : result;
}

static int profile(struct run_args *a, txl_run *run)
{
    const txl_profile *profile;
    int result = txl_run_profile(&a->cli->error, run, &profile);
    if (result == TXL_OK && a->profile != NULL) {
        result = txl_profile_file(&a->cli->error, profile, a->profile);
    }
    return result == TXL_OK
               ? cli_put(a->cli, txl_profile_text(profile, a->cli->json ? TXL_PROFILE_JSON
                                                                        : TXL_PROFILE_TEXT))
               : result;
}

static int cli_run_work(struct run_args *a, txl_run *run)
{
    struct txl_error *err = &a->cli->error;
    if (profiled(a)) {
        return profile(a, run);
    }
    const struct txl_cycles *cycles = NULL;
    const struct txl_gaps *gaps = NULL;
    int result = CLI_OK;
    if (a->machine.l1.count + a->machine.l1_out.count != 0 && !a->cycles) {
        result = txl_run_l1(err, run);
        return result == TXL_OK ? run_put(a, run, txl_run_json, txl_run_text) : result;
    }
    if (a->search) {
        result = txl_run_gaps(err, run, a->budget, &gaps);
        const int told =
            err->status == TXL_OK ? run_put(a, run, txl_run_gaps_json, txl_run_gaps_text) : CLI_OK;
        return told == CLI_OK ? result : told;
    }
    if (a->cycles && a->machine.in.count == 0) {
        result = txl_run_cycles(err, run, &cycles);
        return result == TXL_OK ? run_put(a, run, txl_run_cycles_json, txl_run_cycles_text)
                                : result;
    }
    return a->shadow ? shadow(a, run) : tiles(a, run);
}

int cli_run_shape(struct cli *cli, void *args, const struct cli_option *option, const char *text)
{
    struct run_args *a = args;
    (void)option;
    a->how.shape = a->dimensions;
    return txl_parse_shape(&cli->error, "--shape", text, a->dimensions, &a->how.dimensions);
}

int cli_run_gaps(struct cli *cli, void *args, const struct cli_option *option, const char *text)
{
    struct run_args *a = args;
    (void)option;
    a->how.gaps = text;
    return txl_gaps_valid(text, &a->search)
               ? 0
               : cli_fail(cli, "--gaps: '%s' is none of seed=N, each=1..K, at=I:N, all=0..K", text);
}

int cli_run_element(struct cli *cli, void *args, const struct cli_option *option, const char *text)
{
    struct run_args *a = args;
    (void)option;
    return a->follow.element_count == CLI_ELEMENTS
               ? cli_fail(cli, "more than %d --element", CLI_ELEMENTS)
               : cli_unsigned(cli, "--element", text, INT64_MAX,
                              &a->elements[a->follow.element_count++]);
}

int cmd_run(struct cli *cli, struct run_args *a)
{
    txl_run *run = NULL;
    int result = check(a);
    if (result == CLI_CONTINUE) {
        result = cli_machine_load(cli, &a->machine, &a->words, &a->program);
    }
    if (result == CLI_CONTINUE &&
        !txl_paces(&cli->error, a->pace.text, a->pace.count, a->machine.settings.pace)) {
        result = CLI_INPUT;
    }
    if (result == CLI_CONTINUE) {
        CLI_GIVE_MACHINE(&a->how, &a->machine, a->words);
        a->how.compiler = cli_compiler(cli);
        a->how.progress = progress_call;
        a->how.user = &a->progress;
        result = txl_run_open(&cli->error, a->program, &a->how, &run);
    }
    if (result == TXL_OK && run != NULL) {
        result = cli_run_work(a, run);
    }
    txl_run_close(run);
    tx_program_free(a->program);
    return result;
}
