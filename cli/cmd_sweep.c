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

enum {
    KEY_ARCH = CLI_KEY_FIRST,
    KEY_DOMAIN,
    KEY_SAMPLE,
    KEY_STRIDE,
    KEY_REFERENCE,
    KEY_DST,
    KEY_OUT_DST,
    KEY_SEED,
    KEY_RULE,
    KEY_CSV,
    KEY_POINTS,
    KEY_MAX_ULP,
    KEY_ATOL,
    KEY_RTOL,
    KEY_BUDGET,
    KEY_YAML,
    KEY_PLOT,
    KEY_HTML,
    KEY_WORST,
    KEY_TRACES,
    KEY_BLAME,
    KEY_ENGINE,
    KEY_JOBS,
    KEY_RESUME,
    KEY_SHARD,
    KEY_NO_PROGRESS,
    KEY_TIME
};

enum { PARTS = 4096, PLOTS = 4 };

struct arguments {
    struct cli *cli;
    struct txl_sweep_options sweep;
    const char *rules[TX_MAX_RULES], *names[PARTS]; /* names: kernels, or files of merge and diff */
    const char *engine, *budget, *csv, *points, *yaml, *html, *plots[PLOTS];
    unsigned name_count, chip_count, plot_count;
    enum tx_arch chips[2];
    struct txl_sweep_report report, shown; /* shown: for the page of --html */
    bool merge, diff, no_progress;
    struct progress bar;
    txl_budget *read_budget;
    txl_sweep_table *table;
    txl_json *reports; /* for --json */
    txl_json *views;   /* for --html */
    unsigned told;     /* sweeps in the table */
};

static const struct argp_option options[] = {
    {"arch", KEY_ARCH, "CHIP[,CHIP]", 0,
     "bh or wh in any spelling, or both; default: the kernel's .arch", 1},
    {"domain", KEY_DOMAIN, "DOMAIN", 0,
     "bf16 (default), fp16, tf32, fp32; of integers int16 (default), int32, int8, uint32, uint16, "
     "uint8: all its values that Dst has; LOW:HIGH or FORMAT:LOW:HIGH: the values between two "
     "numbers; a .npy or "
     "text file; for several inputs AxB, "
     "as bf16xbf16",
     1},
    {"sample", KEY_SAMPLE, "N", 0, "N inputs drawn from the domain", 1},
    {"stride", KEY_STRIDE, "N", 0, "Every Nth input of the domain", 1},
    {"reference", KEY_REFERENCE, "NAME|FILE", 0,
     "Function rounded correctly, FILE.py or FILE.so; default: the kernel's .reference", 1},
    CLI_START_OPTION(1),
    {"dst", KEY_DST, "FORMAT", 0,
     "fp32, bf16, fp16, int32, int16, int8, uint32, uint16, uint8, int32-sm, int16-sm or "
     "uint16-dst32; default: the kernel's .dst, else fp32",
     1},
    {"out-dst", KEY_OUT_DST, "FORMAT", 0,
     "Read results from Dst as this; default: the kernel's .out, else --dst", 1},
    {"seed", KEY_SEED, "N", 0, "PRNG seed of tile 0; other tiles get theirs from it", 2},
    {"rule", KEY_RULE, "NAME=VALUE", 0, "Another reading of the sources; may repeat", 2},
    {"engine", KEY_ENGINE, "NAME", 0,
     "What runs the kernel: auto (default), compiled, fast or reference", 2},
    {"max-ulp", KEY_MAX_ULP, "N", 0,
     "Exit status 1 where an error is larger, a number comes out as NaN or infinity, or there is "
     "a finding",
     2},
    {"atol", KEY_ATOL, "A", 0,
     "Exit status 1 where |result - reference| is larger than A + R |reference|; R is 0 "
     "without --rtol",
     2},
    {"rtol", KEY_RTOL, "R", 0,
     "Relative part R of the limit that --atol explains; A is 0 without --atol", 2},
    {"budget", KEY_BUDGET, "FILE", 0,
     "Exit status 1 where an error is above the limit of its row in a sfpu_accuracy_budget.yaml, "
     "or "
     "where no row is about a sweep",
     2},
    {"csv", KEY_CSV, "OUT.csv", 0, "Write a line of figures for each sweep", 3},
    {"points", KEY_POINTS, "OUT.csv", 0, "Write the worst input of each 1/65536 of the inputs", 3},
    {"yaml", KEY_YAML, "OUT.yaml", 0, "Write rows in the shape of sfpu_accuracy_budget.yaml", 3},
    {"html", KEY_HTML, "OUT.html", 0,
     "Write a page with error over input, histogram and worst inputs of each sweep", 3},
    {"plot", KEY_PLOT, "OUT.svg|OUT.png", 0, "Draw error over input with gnuplot; may repeat", 3},
    {"worst", KEY_WORST, "N", 0, "Worst inputs to tell, up to 100 (default: 5)", 3},
    {"traces", KEY_TRACES, "N", 0, "Worst inputs to trace, instruction by instruction", 3},
    {"blame", KEY_BLAME, NULL, 0,
     "Name the instruction at which the error of each worst input enters, and what happened on the "
     "way: flushes, ties, cancellations, saturation",
     3},
    {"jobs", KEY_JOBS, "N", 0, "Worker threads, default: all processors", 4},
    {"threads", KEY_JOBS, "N", OPTION_ALIAS, NULL, 4},
    {"resume", KEY_RESUME, "FILE", 0,
     "Keep what is done in FILE, and go on from there where it exists", 4},
    {"shard", KEY_SHARD, "I/N", 0,
     "Only the Ith of N parts; with --resume, whose FILE 'sweep merge' takes", 4},
    {"no-progress", KEY_NO_PROGRESS, NULL, 0, "No progress bar on a terminal", 4},
    {"time", KEY_TIME, NULL, 0, "Tell on stderr where the processor's time went", 4},
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Runs a kernel over every input of a domain and prints its errors in ULP of the Dst format: "
    "percentiles, bands, worst inputs, monotony breaks, special values. 'sweep merge FILE...' adds "
    "up the shards of one sweep, 'sweep diff BEFORE AFTER' compares two reports of --json (exit "
    "status 1 where something is worse). Several kernels or chips give a table.\vErrors are "
    "measured as in 'tensix run'. fp16 is Tensix's: "
    "exponent 31 is an ordinary binade. Inputs are in numeric order, -NaN first. Outcomes: exact, "
    "inexact; flushed (the reference is denormal, the result zero), unflushed (a denormal result "
    "for it), zeroed (zero for a normal reference), overflow (exactly one of the two is infinite), "
    "undefined (the reference is NaN, the result is not), mismatch (NaN for a number). Columns of "
    "--points: x, y, y_ref, ulp_error, abs_error, outcome, op, variant, dtype, layout.\n\nFILE.py "
    "defines reference(x), FILE.so double tensix_reference(const double *x). Started by an MPI "
    "launcher, each rank does its part and rank 0 tells the whole. Ctrl-C ends with what is done.";

static error_t parse_shard(struct arguments *a, const char *arg)
{
    char first[16];
    int64_t shard = 0;
    int64_t shards = 0;
    const char *slash = strchr(arg, '/');
    snprintf(first, sizeof first, "%.*s", slash != NULL ? (int)(slash - arg) : 0, arg);
    if (slash == NULL || !txl_number(slash + 1, 1, TXL_SWEEP_SHARDS, &shards) ||
        !txl_number(first, 1, shards, &shard)) {
        return cli_fail(a->cli, "--shard: '%s' is not I/N with 1 <= I <= N <= %d", arg,
                        TXL_SWEEP_SHARDS);
    }
    a->sweep.shard = (unsigned)(shard - 1);
    a->sweep.shards = (unsigned)shards;
    return 0;
}

static error_t parse_plot(struct arguments *a, const char *arg)
{
    const char *dot = strrchr(arg, '.');
    if (dot == NULL || (strcmp(dot, ".svg") != 0 && strcmp(dot, ".png") != 0)) {
        return cli_fail(a->cli, "--plot: '%s' ends neither in .svg nor in .png", arg);
    }
    if (a->plot_count == PLOTS) {
        return cli_fail(a->cli, "more than %d --plot", PLOTS);
    }
    a->plots[a->plot_count++] = arg;
    return 0;
}

static error_t parse_limit(struct arguments *a, const char *name, const char *arg, double *limit)
{
    char *end = NULL;
    *limit = strtod(arg, &end);
    return *arg != '\0' && *end == '\0' && *limit >= 0.0 && !isinf(*limit)
               ? 0
               : cli_fail(a->cli, "%s: '%s' is no number from 0 on", name, arg);
}

/* Parses CHIP or CHIP,CHIP. */
static error_t parse_chips(struct arguments *a, const char *arg)
{
    char copy[64];
    char *rest = copy;
    char *chip;
    snprintf(copy, sizeof copy, "%s", arg);
    a->chip_count = 0;
    while ((chip = strsep(&rest, ",")) != NULL) {
        if (a->chip_count == 2) {
            return cli_fail(a->cli, "--arch: there are two chips");
        }
        int result = cli_arch(a->cli, chip, &a->chips[a->chip_count++]);
        if (result != 0) {
            return result;
        }
    }
    return 0;
}

static error_t parse_count(struct arguments *a, int key, const char *arg)
{
    uint64_t number = 0;
    error_t result = 0;
    switch (key) {
    case KEY_MAX_ULP:
        a->sweep.has_max_ulp = true;
        return parse_limit(a, "--max-ulp", arg, &a->sweep.max_ulp);
    case KEY_ATOL:
        a->sweep.has_tolerance = true;
        return parse_limit(a, "--atol", arg, &a->sweep.atol);
    case KEY_RTOL:
        a->sweep.has_tolerance = true;
        return parse_limit(a, "--rtol", arg, &a->sweep.rtol);
    case KEY_SAMPLE:
        return cli_unsigned(a->cli, "--sample", arg, UINT64_C(1) << 32, &a->sweep.sample);
    case KEY_STRIDE:
        return cli_unsigned(a->cli, "--stride", arg, INT64_MAX, &a->sweep.stride);
    case KEY_SEED:
        return cli_unsigned(a->cli, "--seed", arg, UINT32_MAX, &a->sweep.seed);
    case KEY_WORST:
        result = cli_unsigned(a->cli, "--worst", arg, TXL_SWEEP_WORST, &number);
        a->report.worst = (unsigned)number;
        return result;
    case KEY_TRACES:
        result = cli_unsigned(a->cli, "--traces", arg, TXL_SWEEP_WORST, &number);
        a->report.traces = (unsigned)number;
        return result;
    case KEY_JOBS:
        result = cli_unsigned(a->cli, "--jobs", arg, TXL_SWEEP_THREADS, &number);
        a->sweep.jobs = (unsigned)number;
        return result;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Returns where the text of an option is stored; NULL: it is not an option with a text. */
static const char **text_of(struct arguments *a, int key)
{
    return key == KEY_DOMAIN      ? &a->sweep.domain
           : key == KEY_REFERENCE ? &a->sweep.reference
           : key == KEY_ENGINE    ? &a->engine
           : key == KEY_CSV       ? &a->csv
           : key == KEY_POINTS    ? &a->points
           : key == KEY_BUDGET    ? &a->budget
           : key == KEY_YAML      ? &a->yaml
           : key == KEY_HTML      ? &a->html
           : key == KEY_RESUME    ? &a->sweep.state
                                  : NULL;
}

static error_t parse_text(struct arguments *a, int key, const char *arg)
{
    const char **text = text_of(a, key);
    if (text != NULL) {
        *text = arg;
        return 0;
    }
    switch (key) {
    case KEY_RULE:
        if (a->sweep.rule_count == TX_MAX_RULES) {
            return cli_fail(a->cli, "more than %d --rule", TX_MAX_RULES);
        }
        a->rules[a->sweep.rule_count++] = arg;
        return 0;
    case KEY_NO_PROGRESS:
        a->no_progress = true;
        return 0;
    case KEY_TIME:
        a->sweep.timed = true;
        return 0;
    case KEY_BLAME:
        a->report.blame = true;
        return 0;
    default:
        return parse_count(a, key, arg);
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct arguments *a = state->input;
    switch (key) {
    case CLI_KEY_START:
        return cli_start(a->cli, arg, &a->sweep.start);
    case KEY_ARCH:
        return parse_chips(a, arg);
    case KEY_DST:
        return cli_dst(a->cli, "--dst", arg, &a->sweep.dst);
    case KEY_OUT_DST:
        return cli_dst(a->cli, "--out-dst", arg, &a->sweep.out);
    case KEY_SHARD:
        return parse_shard(a, arg);
    case KEY_PLOT:
        return parse_plot(a, arg);
    case ARGP_KEY_ARG:
        if (state->arg_num == 0 && (strcmp(arg, "merge") == 0 || strcmp(arg, "diff") == 0)) {
            *(arg[0] == 'm' ? &a->merge : &a->diff) = true;
            return 0;
        }
        if (a->name_count == PARTS) {
            return cli_fail(a->cli, "more than %d files", PARTS);
        }
        a->names[a->name_count++] = arg;
        return 0;
    default:
        break;
    }
    error_t result = parse_text(a, key, arg);
    return result == ARGP_ERR_UNKNOWN ? cli_common(a->cli, key) : result;
}

/* ---- progress and cancel ---- */

static volatile sig_atomic_t interrupted;

static void on_interrupt(int number)
{
    interrupted = 1;
    signal(number, SIG_DFL); /* a second interrupt ends the process at once */
}

static bool watch(void *user, uint64_t done, uint64_t total)
{
    struct arguments *a = user;
    if (done == 0 && !a->bar.shown) {
        progress_start(&a->bar, !a->no_progress && a->sweep.rank == 0, total, "inputs");
    }
    return progress_call(&a->bar, done, total) && interrupted == 0;
}

/* Runs the sweep. Ctrl-C ends it, with the inputs that are done. */
static int run(struct arguments *a, txl_sweep *s)
{
    struct sigaction before[2];
    const struct sigaction ours = {.sa_handler = on_interrupt};
    double seconds[4];
    unsigned threads = 0;
    sigaction(SIGINT, &ours, &before[0]);
    sigaction(SIGTERM, &ours, &before[1]);
    const int result = txl_sweep_run(&a->cli->error, s);
    sigaction(SIGINT, &before[0], NULL);
    sigaction(SIGTERM, &before[1], NULL);
    progress_end(&a->bar);
    txl_sweep_seconds(s, seconds, &threads);
    if (a->sweep.timed && a->sweep.rank == 0 && threads > 0 &&
        (result == TXL_OK || result == TXL_CANCELLED)) {
        fprintf(stderr,
                "time: kernel %.2f s, reference %.2f s, judging %.2f s of %u thread%s; %.2f s in "
                "all\n",
                seconds[0], seconds[1], seconds[2], threads, threads == 1 ? "" : "s", seconds[3]);
    }
    return result;
}

/* ---- the environment ---- */

static bool number_from(const char *name, unsigned *value)
{
    const char *text = getenv(name);
    int64_t number = 0;
    if (text == NULL || !txl_number(text, 0, TXL_SWEEP_SHARDS, &number)) {
        return false;
    }
    *value = (unsigned)number;
    return true;
}

/* Finds the rank of this process and their number, from Open MPI, MPICH, or Slurm's PMI. */
static void find_ranks(struct txl_sweep_options *o)
{
    static const char *const names[][2] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                           {"PMI_RANK", "PMI_SIZE"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0] && o->ranks < 2; i++) {
        unsigned rank = 0;
        unsigned ranks = 0;
        if (number_from(names[i][0], &rank) && number_from(names[i][1], &ranks) && ranks > 1 &&
            rank < ranks) {
            o->rank = rank;
            o->ranks = ranks;
        }
    }
    if (!number_from("OMPI_COMM_WORLD_LOCAL_SIZE", &o->ranks_here)) {
        (void)number_from("MPI_LOCALNRANKS", &o->ranks_here);
    }
    (void)number_from("TENSIX_RANK_WAIT", &o->rank_seconds);
}

static void find_environment(struct arguments *a)
{
    struct txl_sweep_options *o = &a->sweep;
    o->scratch = cli_scratch();
    o->path = getenv("PATH");
    o->helper = "/proc/self/exe"; /* main.c serves it */
    o->environment = environ;
    o->compiler = cli_compiler(a->cli);
    if (!a->merge && (o->shards == 0 || o->shards == 1)) {
        find_ranks(o);
    }
}

/* ---- the steps of the command ---- */

static int diff(struct arguments *a)
{
    unsigned worse = 0;
    unsigned gone = 0;
    unsigned added = 0;
    txl_sweep_diff *found = NULL;
    int result = txl_sweep_diff_open(&a->cli->error, a->names[0], a->names[1], &found);
    if (result != TXL_OK) {
        return result;
    }
    txl_sweep_diff_count(found, &worse, &gone, &added);
    result = a->cli->json ? cli_json(a->cli, txl_sweep_diff_json(&a->cli->error, found))
                          : cli_put(a->cli, txl_sweep_diff_text(found));
    txl_sweep_diff_close(found);
    return result != CLI_OK ? result : worse + gone == 0 ? CLI_OK : CLI_NEGATIVE;
}

static bool several(const struct arguments *a)
{
    return !a->merge && a->name_count * (a->chip_count > 0 ? a->chip_count : 1) > 1;
}

/* Adds a finished sweep to the table and writes the outputs that a single sweep has. */
static int keep(struct arguments *a, txl_sweep *s)
{
    struct txl_error *err = &a->cli->error;
    int result = txl_sweep_finish(err, s);
    if (result == TXL_OK && a->points != NULL) {
        result = txl_sweep_points(err, s, a->points);
    }
    for (unsigned i = 0; i < a->plot_count && result == TXL_OK; i++) {
        result = txl_sweep_plot(err, s, a->plots[i]);
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

static bool gated(const struct arguments *a)
{
    return a->sweep.has_max_ulp || a->sweep.has_tolerance || a->sweep.budget != NULL;
}

static int print_json(const struct arguments *a)
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
static int tell(struct arguments *a, txl_sweep *s, bool cancelled)
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

static int merge(struct arguments *a)
{
    txl_sweep *s = NULL;
    int result = txl_sweep_merge(&a->cli->error, a->names, a->name_count, &a->sweep, &s);
    if (result == TXL_OK) {
        result = keep(a, s);
    }
    if (result == TXL_OK) {
        result = tell(a, s, false);
    }
    txl_sweep_close(s);
    return result;
}

static int told_interruption(const struct arguments *a, const txl_sweep *s)
{
    char resume[300] = "";
    struct txl_sweep_about about = {.size = sizeof about};
    txl_sweep_about(s, &about);
    if (about.state != NULL) {
        snprintf(resume, sizeof resume, "; --resume %s goes on from there", about.state);
    }
    return txl_refuse(&a->cli->error, CLI_NEGATIVE, "interrupted after %llu of %llu inputs%s%s",
                      (unsigned long long)about.done, (unsigned long long)about.wanted,
                      a->yaml != NULL ? "; no budget was written" : "", resume);
}

/* An accuracy budget has no integers, which is better reported before hours of work. */
static int check_yaml(const struct arguments *a, const txl_sweep *s)
{
    struct txl_sweep_about about = {.size = sizeof about};
    txl_sweep_about(s, &about);
    const bool integer = txl_number_is_integer(about.dst);
    return a->yaml != NULL && (integer || txl_number_is_integer(about.out))
               ? cli_fail(a->cli, "--yaml: the accuracy budget has no rows for Dst format %s",
                          tx_dst_format_name(integer ? about.dst : about.out))
               : CLI_OK;
}

/* Sweeps one kernel on one chip. *cancelled becomes true when the user has ended it. */
static int sweep_one(struct arguments *a, txl_sweep **opened, bool *cancelled)
{
    struct txl_error *err = &a->cli->error;
    int result = txl_sweep_open(err, &a->sweep, opened);
    txl_sweep *s = *opened;
    if (result == TXL_OK) {
        result = check_yaml(a, s);
    }
    if (result == TXL_OK) {
        result = run(a, s);
        *cancelled = result == TXL_CANCELLED;
    }
    if (result == TXL_OK) {
        result = txl_sweep_collect(err, s);
    }
    if (*cancelled) {
        txl_error_clear(err);
        if (a->sweep.ranks > 1 && a->sweep.rank > 0) {
            return CLI_NEGATIVE;
        }
        result = TXL_OK;
    }
    struct txl_sweep_about about = {.size = sizeof about};
    if (result == TXL_OK) {
        txl_sweep_about(s, &about);
    }
    return result == TXL_OK && txl_sweep_reports(s) && about.done > 0 ? keep(a, s) : result;
}

/* Refuses options that are for one kernel on one chip when there are several. */
static int check_several(const struct arguments *a)
{
    const char *option = a->sweep.state != NULL ? "--resume"
                         : a->points != NULL    ? "--points"
                         : a->plot_count > 0    ? "--plot"
                         : a->sweep.ranks > 1   ? "an MPI launcher"
                                                : NULL;
    return option == NULL || !several(a)
               ? CLI_OK
               : cli_fail(a->cli, "%s is for one kernel on one chip", option);
}

/* Sweeps every kernel on every chip. */
static int sweep_each(struct arguments *a)
{
    const unsigned chips = a->chip_count > 0 ? a->chip_count : 1;
    txl_sweep *s = NULL;
    bool cancelled = false;
    int result = check_several(a);
    for (unsigned i = 0; i < a->name_count * chips && result == CLI_OK && !cancelled; i++) {
        txl_sweep_close(s);
        s = NULL;
        a->sweep.kernel = a->names[i / chips];
        a->sweep.arch = a->chips[i % chips];
        result = sweep_one(a, &s, &cancelled);
    }
    const bool report = a->told > 0;
    if (result == CLI_OK) {
        result = tell(a, s, cancelled);
    }
    if (cancelled && (result == CLI_OK || result == CLI_NEGATIVE)) {
        result = report && a->cli->json ? CLI_NEGATIVE /* the report says so */
                                        : told_interruption(a, s);
    }
    txl_sweep_close(s);
    return result;
}

/* Checks that the outputs can be written, before hours of work. */
static int check_outputs(struct arguments *a)
{
    const char *const paths[] = {a->csv,      a->points,   a->yaml,     a->html,
                                 a->plots[0], a->plots[1], a->plots[2], a->plots[3]};
    int result = TXL_OK;
    for (size_t i = 0; i < sizeof paths / sizeof paths[0] && result == TXL_OK; i++) {
        if (paths[i] != NULL) {
            result = txl_sweep_check_file(&a->cli->error, paths[i]);
        }
    }
    return result == TXL_OK && a->plot_count > 0 ? txl_sweep_check_plot(&a->cli->error, &a->sweep)
                                                 : result;
}

static int sweep_or_merge(struct arguments *a)
{
    struct txl_error *err = &a->cli->error;
    int result = check_outputs(a);
    if (result == TXL_OK && a->budget != NULL) {
        result = txl_budget_open(err, a->budget, &a->read_budget);
        a->sweep.budget = a->read_budget;
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

int cmd_sweep(struct cli *cli, int argc, char **argv)
{
    static struct arguments a;
    static const struct argp argp = {
        options, parse, "KERNEL...\nmerge FILE...\ndiff BEFORE.json AFTER.json", doc, NULL,
        NULL,    NULL};
    a = (struct arguments){
        .cli = cli,
        .engine = "auto",
        .report = {.size = sizeof a.report, .worst = 5, .traces = 1},
        .sweep = {.size = sizeof a.sweep, .rules = a.rules, .progress = watch, .user = &a}};
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (a.diff) {
        return a.name_count == 2 ? diff(&a) : cli_fail(cli, "sweep diff: two reports are compared");
    }
    if (a.name_count == 0 && !a.merge) {
        return cli_fail(cli, "no kernel given; see 'tensix sweep --help'");
    }
    if (a.sweep.shards > 1 && a.sweep.state == NULL) {
        return cli_fail(cli, "--shard needs --resume FILE, which 'tensix sweep merge' takes");
    }
    if (!cli_engine(a.engine, &a.sweep.engine)) {
        return cli_fail(cli, "--engine: there is no '%s'", a.engine);
    }
    find_environment(&a);
    return a.sweep.compiler != NULL ? sweep_or_merge(&a) : CLI_INPUT;
}
