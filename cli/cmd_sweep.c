/* SPDX-License-Identifier: Apache-2.0 */
/* tensix sweep: parses options and calls the lab library for one kernel or chip after another. */
#include "cli.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tensix-lab/sweep.h>

#include "print/progress.h"

int cli_sweep_shard(struct cli *cli, void *args, const struct cli_option *option, const char *arg)
{
    struct sweep_args *a = args;
    (void)option;
    char first[16];
    int64_t shard = 0;
    int64_t shards = 0;
    const char *slash = strchr(arg, '/');
    snprintf(first, sizeof first, "%.*s", slash != NULL ? (int)(slash - arg) : 0, arg);
    if (slash == NULL || !txl_number(slash + 1, 1, TXL_SWEEP_SHARDS, &shards) ||
        !txl_number(first, 1, shards, &shard)) {
        return cli_fail(cli, "--shard: '%s' is not I/N with 1 <= I <= N <= %d", arg,
                        TXL_SWEEP_SHARDS);
    }
    a->search.both.shard = (unsigned)(shard - 1);
    a->search.both.shards = (unsigned)shards;
    return 0;
}

/* Parses CHIP or CHIP,CHIP. */
int cli_sweep_chips(struct cli *cli, void *args, const struct cli_option *option, const char *arg)
{
    struct sweep_args *a = args;
    (void)option;
    char copy[64];
    char *rest = copy;
    char *chip;
    snprintf(copy, sizeof copy, "%s", arg);
    a->chip_count = 0;
    while ((chip = strsep(&rest, ",")) != NULL) {
        if (a->chip_count == 2) {
            return cli_fail(cli, "--arch: there are two chips");
        }
        int result = cli_arch(cli, chip, &a->chips[a->chip_count++]);
        if (result != 0) {
            return result;
        }
    }
    return 0;
}

/* ---- progress and cancel ---- */

static bool watch(void *user, uint64_t done, uint64_t total)
{
    struct sweep_args *a = user;
    if (done == 0 && !a->bar.shown) {
        progress_start(&a->bar, !a->search.no_progress && a->search.both.rank == 0, total,
                       "inputs");
    }
    return progress_call(&a->bar, done, total) && progress_interrupted == 0;
}

/* Runs the sweep. Ctrl-C ends it, with the inputs that are done. */
static int sweep_run(struct sweep_args *a, txl_sweep *s)
{
    struct sigaction before[2];
    const struct sigaction ours = {.sa_handler = progress_on_interrupt};
    double seconds[4];
    unsigned threads = 0;
    sigaction(SIGINT, &ours, &before[0]);
    sigaction(SIGTERM, &ours, &before[1]);
    const int result = txl_sweep_run(&a->cli->error, s);
    sigaction(SIGINT, &before[0], NULL);
    sigaction(SIGTERM, &before[1], NULL);
    progress_end(&a->bar);
    txl_sweep_seconds(s, seconds, &threads);
    if (a->search.both.timed && a->search.both.rank == 0 && threads > 0 &&
        (result == TXL_OK || result == TXL_CANCELLED)) {
        fprintf(stderr,
                "time: kernel %.2f s, reference %.2f s, judging %.2f s of %u thread%s; %.2f s in "
                "all\n",
                seconds[0], seconds[1], seconds[2], threads, threads == 1 ? "" : "s", seconds[3]);
    }
    return result;
}

/* ---- the environment ---- */

static void find_environment(struct sweep_args *a)
{
    struct txl_sweep_options *o = &a->search.both;
    o->scratch = cli_scratch();
    o->path = getenv("PATH");
    o->helper = "/proc/self/exe"; /* main.c serves it */
    o->environment = environ;
    o->compiler = cli_compiler(a->cli);
    if (!a->merge && (o->shards == 0 || o->shards == 1)) {
        txl_sweep_find_ranks(o);
    }
}

/* ---- the steps of the command ---- */

static int diff(struct sweep_args *a)
{
    unsigned worse = 0;
    unsigned gone = 0;
    unsigned added = 0;
    txl_sweep_diff *found = NULL;
    int result = txl_sweep_diff_open(&a->cli->error, a->words.text[0], a->words.text[1], &found);
    if (result != TXL_OK) {
        return result;
    }
    txl_sweep_diff_count(found, &worse, &gone, &added);
    result = a->cli->json ? cli_json(a->cli, txl_sweep_diff_json(&a->cli->error, found))
                          : cli_put(a->cli, txl_sweep_diff_text(found));
    txl_sweep_diff_close(found);
    return result != CLI_OK ? result : worse + gone == 0 ? CLI_OK : CLI_NEGATIVE;
}

static bool several(const struct sweep_args *a)
{
    return !a->merge && a->words.count * (a->chip_count > 0 ? a->chip_count : 1) > 1;
}

/* Adds a finished sweep to the table and writes the outputs that a single sweep has. */
static int sweep_keep(struct sweep_args *a, txl_sweep *s)
{
    struct txl_error *err = &a->cli->error;
    int result = txl_sweep_finish(err, s);
    if (result == TXL_OK && a->points != NULL) {
        result = txl_sweep_points(err, s, a->points);
    }
    for (unsigned i = 0; i < a->plot.count && result == TXL_OK; i++) {
        result = txl_sweep_plot(err, s, a->plot.text[i]);
    }
    if (result == TXL_OK) {
        result = txl_sweep_table_add(err, a->table, s);
    }
    if (result == TXL_OK && a->cli->json) {
        txl_json *report = txl_sweep_json(err, s, &a->report);
        result = report != NULL ? TXL_OK : TXL_INPUT;
        if (report != NULL && several(a)) {
            txl_json_append(a->reports, report);
        } else if (report != NULL) {
            txl_json_free(a->reports);
            a->reports = report;
        }
    }
    if (result == TXL_OK && a->html != NULL) {
        txl_json *view = txl_sweep_view(err, s, &a->shown);
        if (view == NULL) {
            return TXL_INPUT;
        }
        txl_json_append(a->views, view);
    }
    a->told += result == TXL_OK ? 1 : 0;
    return result;
}

static bool gated(const struct sweep_args *a)
{
    return a->search.both.has_max_ulp || a->search.both.has_tolerance ||
           a->search.both.budget != NULL;
}

static int print_json(const struct sweep_args *a)
{
    char *text;
    if (several(a)) {
        txl_json *root = txl_json_object();
        txl_json_set(root, "sweeps", a->reports);
        if (gated(a)) {
            txl_json_set_bool(root, "passed", txl_sweep_table_passed(a->table));
        }
        text = txl_json_indented(root);
        txl_json_free(root);
    } else {
        text = txl_json_indented(a->reports);
        txl_json_free(a->reports);
    }
    return cli_put(a->cli, text);
}

/* Prints and writes the results of all sweeps; s is the last one. */
static int sweep_tell(struct sweep_args *a, txl_sweep *s, bool cancelled)
{
    struct txl_error *err = &a->cli->error;
    const bool passed = txl_sweep_table_passed(a->table);
    int result = TXL_OK;
    if (a->told == 0) {
        return CLI_OK;
    }
    if (a->csv != NULL) {
        result = txl_sweep_table_csv(err, a->table, a->csv);
    }
    if (result == TXL_OK && a->yaml != NULL) {
        result = txl_sweep_table_yaml(err, a->table, a->yaml);
    }
    if (result == TXL_OK && a->html != NULL) {
        result = txl_sweep_html(err, a->views, a->html);
    }
    if (result == TXL_OK && a->cli->json) {
        result = print_json(a);
        a->reports = NULL;
    } else if (result == TXL_OK && several(a)) {
        result = cli_put(a->cli, txl_sweep_table_text(a->table, gated(a)));
    } else if (result == TXL_OK) {
        result = cli_put(a->cli, txl_sweep_text(err, s, &a->report));
    }
    if (result != TXL_OK) {
        return result;
    }
    if (!passed && !cancelled && !a->cli->json) {
        return cli_refuse(a->cli, CLI_NEGATIVE, "the gate is not passed");
    }
    return passed ? CLI_OK : CLI_NEGATIVE;
}

static int merge(struct sweep_args *a)
{
    txl_sweep *s = NULL;
    int result =
        txl_sweep_merge(&a->cli->error, a->words.text, a->words.count, &a->search.both, &s);
    if (result == TXL_OK) {
        result = sweep_keep(a, s);
    }
    if (result == TXL_OK) {
        result = sweep_tell(a, s, false);
    }
    txl_sweep_close(s);
    return result;
}

/* Sweeps one kernel on one chip. *cancelled becomes true when the user has ended it. */
static int sweep_one(struct sweep_args *a, txl_sweep **opened, bool *cancelled)
{
    struct txl_error *err = &a->cli->error;
    int result = txl_sweep_open(err, &a->search.both, opened);
    txl_sweep *s = *opened;
    if (result == TXL_OK) {
        result = a->yaml != NULL ? txl_sweep_budgets(&a->cli->error, s) : TXL_OK;
    }
    if (result == TXL_OK) {
        result = sweep_run(a, s);
        *cancelled = result == TXL_CANCELLED;
    }
    if (result == TXL_OK) {
        result = txl_sweep_collect(err, s);
    }
    if (*cancelled) {
        txl_error_clear(err);
        if (a->search.both.ranks > 1 && a->search.both.rank > 0) {
            return CLI_NEGATIVE;
        }
        result = TXL_OK;
    }
    struct txl_sweep_about about = {.size = sizeof about};
    if (result == TXL_OK) {
        txl_sweep_about(s, &about);
    }
    return result == TXL_OK && txl_sweep_reports(s) && about.done > 0 ? sweep_keep(a, s) : result;
}

/* Refuses options that are for one kernel on one chip when there are several. */
static int check_several(const struct sweep_args *a)
{
    const char *option = a->search.both.state != NULL ? "--resume"
                         : a->points != NULL          ? "--points"
                         : a->plot.count > 0          ? "--plot"
                         : a->search.both.ranks > 1   ? "an MPI launcher"
                                                      : NULL;
    return option == NULL || !several(a)
               ? CLI_OK
               : cli_fail(a->cli, "%s is for one kernel on one chip", option);
}

/* Sweeps every kernel on every chip. */
static int sweep_each(struct sweep_args *a)
{
    const unsigned chips = a->chip_count > 0 ? a->chip_count : 1;
    txl_sweep *s = NULL;
    bool cancelled = false;
    int result = check_several(a);
    for (unsigned i = 0; i < a->words.count * chips && result == CLI_OK && !cancelled; i++) {
        txl_sweep_close(s);
        s = NULL;
        a->search.both.kernel = a->words.text[i / chips];
        a->search.both.arch = a->chips[i % chips];
        result = sweep_one(a, &s, &cancelled);
    }
    const bool report = a->told > 0;
    if (result == CLI_OK) {
        result = sweep_tell(a, s, cancelled);
    }
    if (cancelled && (result == CLI_OK || result == CLI_NEGATIVE)) {
        result = report && a->cli->json ? CLI_NEGATIVE /* the report says so */
                                        : txl_sweep_interrupted(&a->cli->error, s, a->yaml != NULL);
    }
    txl_sweep_close(s);
    return result;
}

/* Checks that the outputs can be written, before hours of work. */
static int check_outputs(struct sweep_args *a)
{
    const char *const paths[] = {a->csv, a->points, a->yaml, a->html};
    int result = TXL_OK;
    for (size_t i = 0; i < sizeof paths / sizeof paths[0] && result == TXL_OK; i++) {
        if (paths[i] != NULL) {
            result = txl_sweep_check_file(&a->cli->error, paths[i]);
        }
    }
    for (unsigned i = 0; i < a->plot.count && result == TXL_OK; i++) {
        const char *dot = strrchr(a->plot.text[i], '.');
        result =
            dot == NULL || (strcmp(dot, ".svg") != 0 && strcmp(dot, ".png") != 0)
                ? cli_fail(a->cli, "--plot: '%s' ends neither in .svg nor in .png", a->plot.text[i])
                : txl_sweep_check_file(&a->cli->error, a->plot.text[i]);
    }
    return result == TXL_OK && a->plot.count > 0
               ? txl_sweep_check_plot(&a->cli->error, &a->search.both)
               : result;
}

static int sweep_or_merge(struct sweep_args *a)
{
    struct txl_error *err = &a->cli->error;
    int result = check_outputs(a);
    if (result == TXL_OK && a->budget != NULL) {
        result = txl_budget_open(err, a->budget, &a->read_budget);
        a->search.both.budget = a->read_budget;
    }
    if (result == TXL_OK) {
        result = txl_sweep_table_open(err, &a->table);
    }
    if (result == TXL_OK && a->cli->json && several(a)) {
        a->reports = txl_json_array();
    }
    if (result == TXL_OK && a->html != NULL) {
        a->views = txl_json_array();
        a->shown = a->report;
        a->shown.worst = TXL_SWEEP_WORST;
    }
    if (result == TXL_OK) {
        result = a->merge ? merge(a) : sweep_each(a);
    }
    txl_json_free(a->views);
    txl_json_free(a->reports);
    txl_sweep_table_close(a->table);
    txl_budget_close(a->read_budget);
    return result;
}

/* Takes 'merge' or 'diff' off the words. */
static bool begins(struct sweep_args *a, const char *word)
{
    const bool yes = a->words.count != 0 && strcmp(a->words.text[0], word) == 0;
    if (yes) {
        a->words.text++;
        a->words.count--;
    }
    return yes;
}

int cmd_sweep(struct cli *cli, struct sweep_args *a)
{
    struct txl_sweep_options *both = &a->search.both;
    a->merge = begins(a, "merge");
    if (!a->merge && begins(a, "diff")) {
        return a->words.count == 2 ? diff(a)
                                   : cli_fail(cli, "sweep diff: two reports are compared");
    }
    if (a->words.count == 0 && !a->merge) {
        return cli_fail(cli, "no kernel given; see 'tensix sweep --help'");
    }
    if (both->shards > 1 && both->state == NULL) {
        return cli_fail(cli, "--shard needs --resume FILE, which 'tensix sweep merge' takes");
    }
    both->has_max_ulp = cli_given(cli, "max-ulp");
    both->has_tolerance = cli_given(cli, "atol") || cli_given(cli, "rtol");
    both->progress = watch;
    both->user = a;
    find_environment(a);
    return both->compiler != NULL ? sweep_or_merge(a) : CLI_INPUT;
}
