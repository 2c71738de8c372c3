/* SPDX-License-Identifier: Apache-2.0 */
/* tensix bench: measures the engines' rates on this machine, and compares two builds. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tensix-lab/bench.h>
#include <tensix-lab/kernel.h>

enum {
    KEY_ROW = CLI_KEY_FIRST,
    KEY_ENGINE,
    KEY_LEVEL,
    KEY_RUNS,
    KEY_QUICK,
    KEY_LIST,
    KEY_TEXT,
    KEY_MARKDOWN,
    KEY_BASE,
    KEY_TOLERANCE,
    KEY_ARCH
};

enum { FILES = 64, RUNS = 7, QUICK_RUNS = 5, ROWS = 64 };

struct bench_args {
    struct cli *cli;
    const char *rows[FILES], *files[FILES], *base[FILES];
    unsigned row_count, file_count, base_count;
    enum tx_arch arch;
    struct txl_bench_options options;
    uint64_t tolerance; /* percent */
    bool list, text, markdown;
    int width;             /* of the column of names */
    txl_json *json, *told; /* told: rows, put into json at the end */
};

static const struct argp_option options[] = {
    {"row", KEY_ROW, "NAME", 0, "Measure only rows whose names begin with NAME; may repeat", 1},
    {"engine", KEY_ENGINE, "NAME", 0, "fast (default), compiled or reference", 1},
    {"level", KEY_LEVEL, "NAME", 0, "Of the fast engine: avx512, avx2, neon or base", 1},
    {"arch", KEY_ARCH, "CHIP", 0, "Of kernels in files: bh or wh; default: their .arch", 1},
    {"runs", KEY_RUNS, "N", 0, "Runs that the medians are of, 5 to 31, default 7", 1},
    {"quick", KEY_QUICK, NULL, 0, "Measure for a tenth of the time; figures scatter more", 1},
    {"list", KEY_LIST, NULL, 0, "Tell the rows and measure nothing", 1},
    {"text", KEY_TEXT, NULL, 0, "Print the kernels of the rows and measure nothing", 1},
    {"markdown", KEY_MARKDOWN, NULL, 0, "A table as in bench/README.md", 2},
    {"base", KEY_BASE, "FILE", 0,
     "Compare two builds: FILE holds what --json printed of the older build, files named without "
     "an option what it printed of the newer one; may repeat",
     3},
    {"tolerance", KEY_TOLERANCE, "PERCENT", 0, "Loss that is no regression, default 10", 3},
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Measures how many vector instructions a second the engines run: single instructions among "
    "others, small kernels, or KERNELs. Kernels have a second rate, streamed: with tiles that come "
    "from memory and go there.\vEach figure is the median of several runs and stands "
    "beside the rate of loops that run in turns with it: raw is a fused multiply-add of 32 lanes "
    "with the widest vectors from the first cache, scalar a multiply-add in integers, lane by "
    "lane. "
    "Time is that of the processor for the thread, of the row with two threads that of the clock. "
    "The ratios are what can be compared between "
    "machines. With --base two builds are compared, by the medians of their files; exit status 1 "
    "where a ratio has become smaller by more than --tolerance.";

static error_t set_number(struct bench_args *a, int key, const char *arg)
{
    uint64_t number = 0;
    int result = 0;
    if (key == KEY_TOLERANCE) {
        return cli_unsigned(a->cli, "--tolerance", arg, 99, &a->tolerance);
    }
    result = cli_unsigned(a->cli, "--runs", arg, TXL_BENCH_RUNS, &number);
    if (result == 0 && number < QUICK_RUNS) {
        return cli_fail(a->cli, "--runs: %s is less than %d", arg, QUICK_RUNS);
    }
    a->options.runs = (unsigned)number;
    return result;
}

static error_t add(struct bench_args *a, const char **list, unsigned *count, const char *text)
{
    if (*count == FILES) {
        return cli_fail(a->cli, "more than %d names", FILES);
    }
    list[(*count)++] = text;
    return 0;
}

static error_t set_engine(struct bench_args *a, const char *name)
{
    return cli_engine(name, &a->options.engine) && a->options.engine != TXL_ENGINE_AUTO
               ? 0
               : cli_fail(a->cli, "--engine: '%s' is none of fast, compiled, reference", name);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct bench_args *a = state->input;
    switch (key) {
    case KEY_ROW:
        return add(a, a->rows, &a->row_count, arg);
    case KEY_BASE:
        return add(a, a->base, &a->base_count, arg);
    case ARGP_KEY_ARG:
        return add(a, a->files, &a->file_count, arg);
    case KEY_ENGINE:
        return set_engine(a, arg);
    case KEY_LEVEL:
        a->options.level = arg;
        return 0;
    case KEY_ARCH:
        return cli_arch(a->cli, arg, &a->arch);
    case KEY_RUNS:
    case KEY_TOLERANCE:
        return set_number(a, key, arg);
    case KEY_QUICK:
        a->options.slice = 0.0005;
        a->options.runs = QUICK_RUNS;
        return 0;
    case KEY_LIST:
        a->list = true;
        return 0;
    case KEY_TEXT:
        a->text = true;
        return 0;
    case KEY_MARKDOWN:
        a->markdown = true;
        return 0;
    default:
        return cli_common(a->cli, key);
    }
}

/* ---- the machine ---- */

static void machine_name(char *text, size_t size)
{
    FILE *stream = fopen("/proc/cpuinfo", "r");
    char line[256];
    snprintf(text, size, "unknown");
    while (stream != NULL && fgets(line, sizeof line, stream) != NULL) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon != NULL) {
            snprintf(text, size, "%s", colon + 2);
            text[strcspn(text, "\n")] = '\0';
            break;
        }
    }
    if (stream != NULL) {
        fclose(stream);
    }
}

static const char *compiler_name(void)
{
#if defined(__clang__)
    return "clang " __clang_version__;
#else
    return "gcc " __VERSION__;
#endif
}

static void today(char text[16])
{
    const time_t now = time(NULL);
    struct tm parts;
    strftime(text, 16, "%Y-%m-%d", gmtime_r(&now, &parts));
}

static const char *level_name(const struct bench_args *a)
{
    return a->options.engine == TXL_ENGINE_REFERENCE ? "none"
           : a->options.level != NULL                ? a->options.level
                                                     : tx_fast_level(0);
}

static void begin(struct bench_args *a)
{
    char machine[256];
    char date[16];
    machine_name(machine, sizeof machine);
    today(date);
    if (a->cli->json) {
        a->json = txl_json_object();
        a->told = txl_json_array();
        txl_json_set_text(a->json, "tensix", tx_version());
        txl_json_set_text(a->json, "date", date);
        txl_json_set_text(a->json, "machine", machine);
        txl_json_set_text(a->json, "compiler", compiler_name());
        txl_json_set_text(a->json, "engine", txl_engine_name(a->options.engine));
        txl_json_set_text(a->json, "level", level_name(a));
        txl_json_set_text(a->json, "vectors", txl_bench_vectors());
        txl_json_set_int(a->json, "runs", a->options.runs);
        return;
    }
    printf("%s%s, %s, %s; engine %s, level %s, raw with %s\n%s", a->markdown ? "Measured " : "",
           date, machine, compiler_name(), txl_engine_name(a->options.engine), level_name(a),
           txl_bench_vectors(), a->markdown ? "\n" : "");
    if (a->markdown) {
        printf("| row | chip | data | M instructions/s | streamed | of raw | of scalar | goal | "
               "spread |\n|---|---|---|---|---|---|---|---|---|\n");
    } else {
        printf("%-*s %-4s %-12s %10s %9s %8s %9s %8s %7s\n", a->width, "row", "chip", "data",
               "M instr/s", "streamed", "of raw", "of scalar", "goal", "spread");
    }
}

/* A line of the table; in place of figures the reason, where an engine does not take the kernel. */
static bool tell(void *user, const struct txl_bench_line *line, const struct txl_bench_result *r,
                 const char *why)
{
    struct bench_args *a = user;
    char goal[16] = "";
    if (a->cli->json) {
        if (r != NULL) {
            txl_json_append(a->told, txl_bench_json(line, r));
        }
        return true;
    }
    if (r == NULL) {
        printf(a->markdown ? "| %*s | %s | | | | | | | |\n" : "%*s %s\n",
               a->markdown ? 0 : -a->width, line->name, why);
        return true;
    }
    if (line->goal > 0) {
        snprintf(goal, sizeof goal, r->scaling > 0 ? "%.3gx" : "%.3f", line->goal);
    }
    char raw[16];
    snprintf(raw, sizeof raw, r->scaling > 0 ? "%.2fx" : "%.3f",
             r->scaling > 0 ? r->scaling : r->ratio[0]);
    char streamed[16] = "";
    if (r->streamed > 0) {
        snprintf(streamed, sizeof streamed, "%.1f", r->streamed / 1e6);
    }
    printf(a->markdown ? "| %*s | %s | %s | %.1f | %s | %s | %.1f | %s | %.0f %% |\n"
                       : "%*s %-4s %-12s %10.1f %9s %8s %9.1f %8s %5.0f %%\n",
           a->markdown ? 0 : -a->width, line->name, tx_arch_short(line->arch), line->data,
           r->rate / 1e6, streamed, raw, r->ratio[TXL_BENCH_LOOPS - 1], goal, 100 * r->spread);
    fflush(stdout);
    return true;
}

/* ---- rows and kernels ---- */

static bool wanted(const struct bench_args *a, const char *name)
{
    return txl_bench_chosen(name, a->rows, a->row_count);
}

static int check_rows(const struct bench_args *a)
{
    for (unsigned i = 0; i < a->row_count; i++) {
        const char *names[ROWS];
        struct txl_bench_line line = {.size = sizeof line};
        bool found = false;
        size_t count = 0;
        for (; count < ROWS && txl_bench_line(count, &line); count++) {
            names[count] = line.name;
            found = found || txl_bench_chosen(line.name, &a->rows[i], 1);
        }
        if (!found) {
            const char *near = txl_nearest(a->rows[i], names, count);
            return near != NULL
                       ? cli_fail(a->cli, "--row: no row '%s'; did you mean '%s'?", a->rows[i],
                                  near)
                       : cli_fail(a->cli, "--row: no row '%s'; --list tells them", a->rows[i]);
        }
    }
    return CLI_CONTINUE;
}

static int check_level(const struct bench_args *a)
{
    const char *level = "";
    for (size_t i = 0; a->options.level != NULL && level != NULL; i++) {
        level = tx_fast_level(i);
        if (level != NULL && strcmp(level, a->options.level) == 0) {
            return CLI_CONTINUE;
        }
    }
    return a->options.level == NULL
               ? CLI_CONTINUE
               : cli_fail(a->cli, "--level: this machine has no '%s', its best is %s",
                          a->options.level, tx_fast_level(0));
}

static int run_kernel(struct bench_args *a, const char *path)
{
    struct tx_program *program = NULL;
    const struct txl_kernel_options how = {.size = sizeof how, .arch = a->arch};
    int result = txl_kernel_load(&a->cli->error, &path, 1, &how, &program);
    if (result == CLI_OK) {
        struct txl_error why = {.status = TXL_OK};
        if (txl_bench_engines(&why, txl_basename(path), program, &a->options, tell, a) != TXL_OK) {
            result = cli_fail(a->cli, "%s: %s", path, why.message);
        }
    }
    tx_program_free(program);
    return result;
}

static int list_rows(const struct bench_args *a)
{
    struct txl_bench_line line = {.size = sizeof line};
    for (size_t i = 0; txl_bench_line(i, &line); i++) {
        if (wanted(a, line.name)) {
            printf("%-*s %-4s %-12s against %s\n", a->width, line.name, tx_arch_short(line.arch),
                   line.data, txl_bench_loop(line.against));
        }
    }
    return CLI_OK;
}

static int print_texts(const struct bench_args *a)
{
    struct txl_bench_line line = {.size = sizeof line};
    for (size_t i = 0; txl_bench_line(i, &line); i++) {
        unsigned counted = 0;
        char *text = wanted(a, line.name) ? txl_bench_text(i, &counted) : NULL;
        if (text != NULL) {
            printf("# %s: %u instructions count\n%s", line.name, counted, text);
        } else if (wanted(a, line.name)) {
            return cli_fail(a->cli, "out of memory");
        }
        free(text);
    }
    return CLI_OK;
}

/* ---- two builds ---- */

static void print_changes(const txl_bench_diff *diff, double percent)
{
    struct txl_bench_change c;
    int width = 20;
    for (size_t i = 0; txl_bench_diff_line(diff, i, &c); i++) {
        width = (int)strlen(c.name) > width ? (int)strlen(c.name) : width;
    }
    for (size_t i = 0; txl_bench_diff_line(diff, i, &c); i++) {
        if (c.is < 0) {
            printf("%-*s %9.4f %9s %8s  %s\n", width, c.name, c.was, "-", "", c.verdict);
        } else {
            printf("%-*s %9.4f %9.4f %+7.1f%%  %s\n", width, c.name, c.was, c.is,
                   100 * (c.is / c.was - 1), c.verdict);
        }
    }
    printf("%u regressions of more than %.0f %%\n", txl_bench_diff_lost(diff), percent);
}

static int compare_builds(const struct bench_args *a)
{
    const double tolerance = (double)a->tolerance / 100;
    txl_bench_diff *diff = NULL;
    int result = txl_bench_diff_open(&a->cli->error, a->base, a->base_count, a->files,
                                     a->file_count, tolerance, &diff);
    if (result != TXL_OK) {
        return result;
    }
    const unsigned lost = txl_bench_diff_lost(diff);
    if (a->cli->json) {
        result = cli_json(a->cli, txl_bench_diff_json(diff));
    } else {
        print_changes(diff, 100 * tolerance);
    }
    txl_bench_diff_close(diff);
    return result != CLI_OK ? result : lost == 0 ? CLI_OK : CLI_NEGATIVE;
}

/* Returns the length of the longest name, which is a kernel's with its engine. */
static int name_width(const struct bench_args *a)
{
    size_t width = 20;
    for (unsigned i = 0; i < a->file_count; i++) {
        const size_t length = strlen(txl_basename(a->files[i])) + strlen("/reference");
        width = length > width ? length : width;
    }
    return (int)(width < 300 ? width : 300);
}

int cmd_bench(struct cli *cli, int argc, char **argv)
{
    static struct bench_args a;
    a = (struct bench_args){
        .cli = cli,
        .tolerance = 10,
        .options = {
            .size = sizeof a.options, .engine = TXL_ENGINE_FAST, .runs = RUNS, .slice = 0.002}};
    static const struct argp argp = {options, parse, "[KERNEL...|FILE...]", doc, NULL, NULL, NULL};
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (a.base_count != 0) {
        return compare_builds(&a);
    }
    result = check_rows(&a);
    if (result == CLI_CONTINUE) {
        result = check_level(&a);
    }
    if (result != CLI_CONTINUE) {
        return result;
    }
    a.width = name_width(&a);
    if (a.list || a.text) {
        return a.list ? list_rows(&a) : print_texts(&a);
    }
    a.options.compiler = cli_compiler(cli);
    if (a.options.compiler == NULL) {
        return cli_fail(cli, "out of memory");
    }
    begin(&a);
    result = a.file_count == 0
                 ? txl_bench_lines(&cli->error, &a.options, a.rows, a.row_count, tell, &a)
                 : CLI_OK;
    for (unsigned i = 0; i < a.file_count && result == CLI_OK; i++) {
        result = run_kernel(&a, a.files[i]);
    }
    if (a.json != NULL && result == CLI_OK) {
        txl_json_set(a.json, "rows", a.told);
        a.told = NULL;
        result = cli_put(cli, txl_json_indented(a.json));
    }
    txl_json_free(a.told);
    txl_json_free(a.json);
    return result;
}
