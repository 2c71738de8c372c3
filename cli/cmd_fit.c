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
#include <tensix-lab/sweep.h>

#include "print/progress.h"

enum {
    KEY_ARCH = CLI_KEY_FIRST,
    KEY_DST,
    KEY_OUT_DST,
    KEY_DOMAIN,
    KEY_STRIDE,
    KEY_SAMPLE,
    KEY_REFERENCE,
    KEY_WITHOUT,
    KEY_RULE,
    KEY_OBJECTIVE,
    KEY_PIN,
    KEY_SEED,
    KEY_JOBS,
    KEY_TIME,
    KEY_RESTARTS,
    KEY_RESUME,
    KEY_SHARD,
    KEY_FORM,
    KEY_BUDGET,
    KEY_NO_PROGRESS
};

struct fit_args {
    struct cli *cli;
    const char *file, *out;
    struct txl_fit_options how;
    struct txl_form_options form;
    struct cli_list pins, rules, parts;
    struct progress bar;
    bool no_progress, merge;
};

static const struct argp_option options[] = {
    CLI_SEARCH_OPTIONS(KEY_ARCH, KEY_DST),
    {"out-dst", KEY_OUT_DST, "FORMAT", 0, "Read results from Dst as this; default: .out, --dst", 1},
    {"form", KEY_FORM, "FORM", 0,
     "Write the kernel of --reference, too: poly:N, rational:M,N, lut:3, lut:6, arecip+newton:N",
     1},
    {"budget", KEY_BUDGET, "CYCLES", 0, "Of a tile at most, at the price of the form's degree", 1},
    {"domain", KEY_DOMAIN, "DOMAIN", 0, "Inputs, as for sweep; default: bf16", 2},
    {"stride", KEY_STRIDE, "N", 0, "Every Nth input of the domain", 2},
    {"sample", KEY_SAMPLE, "N", 0, "N inputs drawn from the domain; default: all", 2},
    {"reference", KEY_REFERENCE, "NAME|FILE", 0,
     "Function, or FILE.py, FILE.so, as for sweep; default: the kernel's .reference", 2},
    {"without", KEY_WITHOUT, "flushed", 0,
     "Leave out inputs at which the function is below the normal numbers: the chip gives zero", 2},
    {"rule", KEY_RULE, "NAME=VALUE", 0, "Another reading of the sources; may repeat", 2},
    {"objective", KEY_OBJECTIVE, "WHAT", 0,
     "What is to be small: max (the default), mean, relative, faithful, monotone, unrounded", 3},
    {"pin", KEY_PIN, "X=Y", 0, "The result at X is Y, to the bit and the sign; may repeat", 3},
    {"seed", KEY_SEED, "N", 0, "Of the search", 3},
    {"jobs", KEY_JOBS, "N", 0, "Worker threads, default: all processors", 3},
    {"time", KEY_TIME, "SECONDS", 0,
     "End after this time, with the best so far; status 1 if it is not swept then", 3},
    {"restarts", KEY_RESTARTS, "N", 0, "End after N starts that gave nothing better; default 8", 3},
    {"resume", KEY_RESUME, "FILE", 0, "Keep the best so far here, and go on from there", 3},
    {"shard", KEY_SHARD, "I/N", 0,
     "Only the Ith of every N starts, 1 to N; with --resume, whose FILE 'fit merge' takes", 3},
    {"no-progress", KEY_NO_PROGRESS, NULL, 0, "Say nothing while it runs", 3},
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Chooses the constants that KERNEL marks with .free, so that it errs least as the chip "
    "executes it.\vCandidates run on the inputs that were worst so far, most are refuted there; "
    "what remains runs on all inputs of the search, and the result is swept. The kernel file comes "
    "back with its constants replaced. Ctrl-C ends the search with the best so far; in the sweep "
    "behind it, too, and the file says then that it was not swept. 'fit merge KERNEL PART...' "
    "takes "
    "the best of what shards kept and sweeps it; the shards' options must be given again.";

static volatile sig_atomic_t interrupted;

static void on_interrupt(int number)
{
    interrupted = 1;
    signal(number, SIG_DFL); /* a second interrupt ends the process at once */
}

static bool watch(void *user, uint64_t done, uint64_t total)
{
    struct fit_args *a = user;
    if (total == 0) {
        progress_end(&a->bar);
        return interrupted == 0;
    }
    if (done == 0) {
        progress_start(&a->bar, !a->no_progress && !a->cli->json, total, "inputs");
    }
    return progress_call(&a->bar, done, total) && interrupted == 0;
}

static void say(void *user, const char *line)
{
    struct fit_args *a = user;
    if (!a->no_progress && !a->cli->json) {
        progress_end(&a->bar);
        fprintf(stderr, "%s\n", line);
    }
}

static int parse_objective(struct fit_args *a, const char *text)
{
    for (size_t i = 0; txl_fit_objective_name(i) != NULL; i++) {
        if (strcmp(txl_fit_objective_name(i), text) == 0) {
            a->how.objective = (enum txl_fit_objective)i;
            return 0;
        }
    }
    return cli_fail(
        a->cli, "--objective is max, mean, relative, faithful, monotone or unrounded: '%s'", text);
}

static int parse_shard(struct fit_args *a, const char *text)
{
    unsigned shard = 0;
    unsigned shards = 0;
    char rest;
    if (sscanf(text, "%u/%u%c", &shard, &shards, &rest) != 2 || shard < 1 || shard > shards ||
        shards > TXL_SWEEP_SHARDS) {
        return cli_fail(a->cli, "--shard: '%s' is not I/N with 1 <= I <= N <= %d", text,
                        TXL_SWEEP_SHARDS);
    }
    a->how.shard = shard - 1;
    a->how.shards = shards;
    return 0;
}

static int number(struct fit_args *a, int key, const char *text)
{
    uint64_t jobs = 0;
    switch (key) {
    case KEY_BUDGET:
        return cli_unsigned(a->cli, "--budget", text, 1000000, &a->form.budget);
    case KEY_STRIDE:
        return cli_unsigned(a->cli, "--stride", text, UINT32_MAX, &a->how.stride);
    case KEY_SAMPLE:
        return cli_unsigned(a->cli, "--sample", text, UINT32_MAX, &a->how.sample);
    case KEY_SEED:
        return cli_unsigned(a->cli, "--seed", text, UINT32_MAX, &a->how.seed);
    case KEY_TIME:
        return cli_unsigned(a->cli, "--time", text, 100000000, &a->how.seconds);
    case KEY_RESTARTS:
        return cli_unsigned(a->cli, "--restarts", text, 1000000000, &a->how.restarts);
    default:
        break;
    }
    const int result = cli_unsigned(a->cli, "--jobs", text, TXL_SWEEP_THREADS, &jobs);
    a->how.jobs = (unsigned)jobs;
    return result;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct fit_args *a = state->input;
    switch (key) {
    case KEY_ARCH:
        return cli_arch(a->cli, arg, &a->how.arch);
    case KEY_DST:
        return cli_dst(a->cli, "--dst", arg, &a->how.dst);
    case KEY_OUT_DST:
        return cli_dst(a->cli, "--out-dst", arg, &a->how.out);
    case 'o':
        a->out = arg;
        return 0;
    case KEY_DOMAIN:
        a->how.domain = arg;
        return 0;
    case KEY_REFERENCE:
        a->how.reference = arg;
        return 0;
    case KEY_WITHOUT:
        a->how.without_flushed = true;
        return strcmp(arg, "flushed") == 0
                   ? 0
                   : cli_fail(a->cli, "--without leaves out flushed, not '%s'", arg);
    case KEY_RESUME:
        a->how.state = arg;
        return 0;
    case KEY_OBJECTIVE:
        return parse_objective(a, arg);
    case KEY_PIN:
        return cli_add(a->cli, &a->pins, 64, "--pin", arg);
    case KEY_RULE:
        return cli_add(a->cli, &a->rules, TX_MAX_RULES, "--rule", arg);
    case KEY_SHARD:
        return parse_shard(a, arg);
    case KEY_FORM:
        a->form.form = arg;
        return 0;
    case KEY_BUDGET:
    case KEY_STRIDE:
    case KEY_SAMPLE:
    case KEY_SEED:
    case KEY_JOBS:
    case KEY_TIME:
    case KEY_RESTARTS:
        return number(a, key, arg);
    case KEY_NO_PROGRESS:
        a->no_progress = true;
        return 0;
    case ARGP_KEY_ARG:
        if (!a->merge && a->file == NULL && strcmp(arg, "merge") == 0) {
            a->merge = true;
            return 0;
        }
        return a->merge && a->file != NULL
                   ? cli_add(a->cli, &a->parts, TXL_SWEEP_SHARDS, "PART", arg)
                   : cli_only(a->cli, "kernel", arg, &a->file);
    default:
        return cli_common(a->cli, key);
    }
}

/* Writes the kernel file and the reports of the form and of the search; either may be NULL. */
static int deliver(struct fit_args *a, const txl_form *form, const txl_fit *fit)
{
    struct txl_error *err = &a->cli->error;
    if (a->out != NULL) {
        const char *text = fit != NULL ? txl_fit_text(fit) : txl_form_text(form);
        const int result = txl_write_file(err, a->out, text, strlen(text));
        if (result != CLI_OK) {
            return result;
        }
    }
    if (a->cli->json) {
        txl_json *root = fit != NULL ? txl_fit_json(err, fit) : txl_json_object();
        if (form != NULL) {
            txl_json_set(root, "form", txl_form_json(err, form));
        }
        return cli_json(a->cli, root);
    }
    int result = form != NULL ? cli_put(a->cli, txl_form_report(form)) : CLI_OK;
    return result == CLI_OK && fit != NULL ? cli_put(a->cli, txl_fit_report(fit)) : result;
}

static bool watch_form(void *user, uint64_t done, uint64_t total)
{
    (void)user;
    (void)done;
    (void)total;
    return interrupted == 0;
}

/* --form: writes the kernel. *searched: it needs the search; a table is the best already. */
static int write_form(struct fit_args *a, txl_form **form, bool *searched)
{
    struct txl_form_result made = {.size = sizeof made};
    a->form.size = sizeof a->form;
    a->form.reference = a->how.reference;
    a->form.arch = a->how.arch;
    a->form.dst = a->how.dst;
    a->form.domain = a->how.domain;
    a->form.progress = watch_form;
    a->form.seconds = (double)a->how.seconds / 2;
    const int result = txl_form_write(&a->cli->error, &a->form, form);
    if (result == CLI_OK) {
        txl_form_result(*form, &made);
        *searched = !made.optimal && made.coefficients != 0;
        if (a->how.seconds != 0) { /* what it has left; seconds are whole ones */
            const uint64_t spent = (uint64_t)made.seconds;
            a->how.seconds = spent + 1 < a->how.seconds ? a->how.seconds - spent : 1;
        }
        a->how.text = txl_form_text(*form);
        a->how.kernel = a->form.form;
    }
    return result;
}

/* Runs the search, for the kernel file or for what --form wrote. */
static int run(struct fit_args *a)
{
    txl_form *form = NULL;
    txl_fit *fit = NULL;
    bool searched = true;
    int result = a->form.form != NULL ? write_form(a, &form, &searched) : CLI_OK;
    if (result == CLI_OK && searched) {
        result = txl_fit_find(&a->cli->error, &a->how, &fit);
        progress_end(&a->bar);
    }
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

int cmd_fit(struct cli *cli, int argc, char **argv)
{
    struct fit_args a = {.cli = cli, .how = {.size = sizeof a.how}};
    static const struct argp argp = {options, parse, "KERNEL\nmerge KERNEL PART...", doc, NULL,
                                     NULL,    NULL};
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (a.file == NULL && a.form.form == NULL) {
        return cli_fail(cli, "no kernel given; see 'tensix fit --help'");
    }
    if (a.form.form == NULL ? a.form.budget != 0 : a.file != NULL) {
        return cli_fail(cli, a.file != NULL && a.form.form != NULL
                                 ? "--form writes a kernel: none can be given"
                                 : "--budget goes with --form");
    }
    if (a.merge && (a.parts.count == 0 || a.how.shards != 0 || a.how.state != NULL)) {
        return cli_fail(cli, a.parts.count == 0
                                 ? "merge takes a kernel and the files that its shards kept"
                                 : "merge searches nothing: --shard, --resume do not go with it");
    }
    a.how.kernel = a.file;
    a.how.merge = a.parts.text;
    a.how.merge_count = a.parts.count;
    a.how.pins = a.pins.text;
    a.how.pin_count = a.pins.count;
    a.how.rules = a.rules.text;
    a.how.rule_count = a.rules.count;
    a.how.compiler = cli_compiler(cli);
    a.how.path = getenv("PATH");
    a.how.helper = "/proc/self/exe"; /* main.c serves it */
    a.how.environment = environ;
    a.how.progress = watch;
    a.how.better = say;
    a.how.user = &a;
    if (a.how.compiler == NULL) {
        return cli_fail(cli, "out of memory");
    }
    void (*const before)(int) = signal(SIGINT, on_interrupt);
    result = run(&a);
    (void)signal(SIGINT, before);
    if (result == TXL_CANCELLED) {
        (void)raise(SIGINT); /* there is no result yet: end as any other command */
    }
    return result;
}
