/* SPDX-License-Identifier: Apache-2.0 */
/* tensix fit: searches a kernel's free constants, or writes the kernel from a form first. */
#include "cli.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tensix-lab/fit.h>
#include <tensix-lab/form.h>
#include <tensix-lab/front.h>
#include <tensix-lab/sweep.h>

#include "print/progress.h"

static bool watch(void *user, uint64_t done, uint64_t total)
{
    struct fit_args *a = user;
    if (total == 0) {
        progress_end(&a->bar);
        return progress_interrupted == 0;
    }
    if (done == 0) {
        progress_start(&a->bar, !a->no_progress && !a->cli->json, total, "inputs");
    }
    return progress_call(&a->bar, done, total) && progress_interrupted == 0;
}

static void fit_say(void *user, const char *line)
{
    struct fit_args *a = user;
    if (!a->no_progress && !a->cli->json) {
        progress_end(&a->bar);
        fprintf(stderr, "%s\n", line);
    }
}

int cli_fit_shard(struct cli *cli, void *args, const struct cli_option *option, const char *text)
{
    struct fit_args *a = args;
    (void)option;
    unsigned shard = 0;
    unsigned shards = 0;
    char rest;
    if (sscanf(text, "%u/%u%c", &shard, &shards, &rest) != 2 || shard < 1 || shard > shards ||
        shards > TXL_SWEEP_SHARDS) {
        return cli_fail(cli, "--shard: '%s' is not I/N with 1 <= I <= N <= %d", text,
                        TXL_SWEEP_SHARDS);
    }
    a->how.shard = shard - 1;
    a->how.shards = shards;
    return 0;
}

static int write_out(struct fit_args *a, const char *text)
{
    return a->out == NULL ? CLI_OK : txl_write_file(&a->cli->error, a->out, text, strlen(text));
}

/* Writes the kernel file and the reports of the form and of the search; either may be NULL. */
static int deliver(struct fit_args *a, const txl_form *form, const txl_fit *fit)
{
    struct txl_error *err = &a->cli->error;
    int result = write_out(a, fit != NULL ? txl_fit_text(fit) : txl_form_text(form));
    if (result != CLI_OK) {
        return result;
    }
    if (a->cli->json) {
        txl_json *root = fit != NULL ? txl_fit_json(err, fit) : txl_json_object();
        if (form != NULL) {
            txl_json_set(root, "form", txl_form_json(err, form));
        }
        return cli_json(a->cli, root);
    }
    result = form != NULL ? cli_put(a->cli, txl_form_report(form)) : CLI_OK;
    return result == CLI_OK && fit != NULL ? cli_put(a->cli, txl_fit_report(fit)) : result;
}

/* Runs the search, for the kernel file or for what --form wrote. */
static int fit_run(struct fit_args *a)
{
    txl_form *form = NULL;
    txl_fit *fit = NULL;
    a->how.seconds = (double)a->time;
    int result = a->made.form != NULL
                     ? txl_front_one(&a->cli->error, &a->made, &a->how, &form, &fit)
                     : txl_fit_find(&a->cli->error, &a->how, &fit);
    progress_end(&a->bar);
    if (result == CLI_OK) {
        result = deliver(a, form, fit);
    }
    if (result == CLI_OK && fit != NULL) {
        struct txl_fit_result r = {.size = sizeof r};
        txl_fit_result(fit, &r);
        result = r.proved || r.cancelled ? CLI_OK : CLI_NEGATIVE;
    }
    txl_fit_close(fit);
    txl_form_close(form);
    return result;
}

/* --front: all forms, and what nothing beats. */
static int front_run(struct fit_args *a)
{
    struct txl_error *err = &a->cli->error;
    struct txl_front_point best = {.size = sizeof best};
    txl_front *front = NULL;
    a->points.fit = &a->how;
    a->points.forms = a->made.form;
    a->points.cycles = a->made.budget;
    a->points.seconds = a->time;
    int result = txl_front_find(err, &a->points, &front);
    const bool found = result == CLI_OK && txl_front_best(front, &best);
    if (found) {
        result = write_out(a, best.text);
    }
    if (result == CLI_OK) {
        result = a->cli->json ? cli_json(a->cli, txl_front_json(err, front))
                              : cli_put(a->cli, txl_front_report(front));
    }
    txl_front_close(front);
    return result == CLI_OK && !found ? CLI_NEGATIVE : result;
}

/* What --form, --budget and merge do not go with. */
static int check(const struct fit_args *a, bool merge)
{
    const bool form = a->made.form != NULL || a->front;
    if (!a->front && (a->points.error != 0 || a->points.page != NULL)) {
        return cli_fail(a->cli, "--error and --html go with --front");
    }
    if (a->how.kernel == NULL && !form) {
        return cli_fail(a->cli, "no kernel given; see 'tensix fit --help'");
    }
    if (form ? a->how.kernel != NULL : a->made.budget != 0) {
        return cli_fail(a->cli, form ? "--form and --front write kernels: none can be given"
                                     : "--budget goes with --form");
    }
    if (merge && (a->how.merge_count == 0 || a->how.shards != 0 || a->how.state != NULL)) {
        return cli_fail(a->cli,
                        a->how.merge_count == 0
                            ? "merge takes a kernel and the files that its shards kept"
                            : "merge searches nothing: --shard, --resume do not go with it");
    }
    return !merge && a->words.count > 1
               ? cli_fail(a->cli, "one kernel at a time: '%s' is the second", a->words.text[1])
               : CLI_CONTINUE;
}

int cmd_fit(struct cli *cli, struct fit_args *a)
{
    const bool merge = a->words.count != 0 && strcmp(a->words.text[0], "merge") == 0;
    const unsigned first = merge ? 1 : 0;
    a->how.kernel = a->words.count > first ? a->words.text[first] : NULL;
    if (merge && a->words.count > 2) {
        a->how.merge = a->words.text + 2;
        a->how.merge_count = a->words.count - 2;
    }
    int result = check(a, merge);
    if (result != CLI_CONTINUE) {
        return result;
    }
    a->how.without_flushed = a->without != 0;
    a->how.compiler = cli_compiler(cli);
    a->how.path = getenv("PATH");
    a->how.helper = "/proc/self/exe"; /* main.c serves it */
    a->how.environment = environ;
    a->how.progress = watch;
    a->how.better = fit_say;
    a->how.user = a;
    if (a->how.compiler == NULL) {
        return cli_fail(cli, "out of memory");
    }
    void (*const before)(int) = signal(SIGINT, progress_on_interrupt);
    result = a->front ? front_run(a) : fit_run(a);
    (void)signal(SIGINT, before);
    if (result == TXL_CANCELLED) {
        (void)raise(SIGINT); /* there is no result yet: end as any other command */
    }
    return result;
}
