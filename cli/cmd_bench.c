/* SPDX-License-Identifier: Apache-2.0 */
/* tensix bench: rates of the engines on this machine, and two builds compared. */
#include "cli.h"

#include "bench.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/json.h"

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

enum { FILES = 64, RUNS = 7, QUICK_RUNS = 5 };

struct bench_args {
    struct cli *cli;
    const char *rows[FILES], *files[FILES], *base[FILES];
    unsigned row_count, file_count, base_count;
    enum tx_arch arch;
    struct bench_options options;
    uint64_t tolerance; /* percent */
    bool list, text, markdown;
    int width; /* of the names */
    json_t *json;
};

static const struct argp_option options[] = {
    {"row", KEY_ROW, "NAME", 0, "Only this row, or those whose names begin so; may repeat", 1},
    {"engine", KEY_ENGINE, "NAME", 0, "fast (default), compiled or reference", 1},
    {"level", KEY_LEVEL, "NAME", 0, "Of the fast engine: avx512, avx2, neon or base", 1},
    {"arch", KEY_ARCH, "CHIP", 0, "Of kernels in files: bh or wh; default: their .arch", 1},
    {"runs", KEY_RUNS, "N", 0, "Runs that the medians are of, 5 to 31, default 7", 1},
    {"quick", KEY_QUICK, NULL, 0, "Shorter runs", 1},
    {"list", KEY_LIST, NULL, 0, "Tell the rows and measure nothing", 1},
    {"text", KEY_TEXT, NULL, 0, "Print the kernels of the rows and measure nothing", 1},
    {"markdown", KEY_MARKDOWN, NULL, 0, "A table as in bench/README.md", 2},
    {"base", KEY_BASE, "FILE", 0,
     "Compare: FILE and those named without option hold what --json printed, FILE of the older "
     "build; may repeat",
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
    result = cli_unsigned(a->cli, "--runs", arg, BENCH_RUNS, &number);
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

static const char *const engine_names[] = {
    [WAY_ENGINE] = "fast", [WAY_COMPILED] = "compiled", [WAY_REFERENCE] = "reference"};

static error_t set_engine(struct bench_args *a, const char *name)
{
    for (unsigned way = WAY_ENGINE; way <= WAY_REFERENCE; way++) {
        if (strcmp(name, engine_names[way]) == 0) {
            a->options.way = (enum bench_way)way;
            return 0;
        }
    }
    return cli_fail(a->cli, "--engine: '%s' is none of fast, compiled, reference", name);
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

/* ---- what is measured on ---- */

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
    return a->options.way == WAY_REFERENCE ? "none"
           : a->options.level != NULL      ? a->options.level
                                           : tx_fast_level(0);
}

static void begin(struct bench_args *a)
{
    char machine[256];
    char date[16];
    machine_name(machine, sizeof machine);
    today(date);
    if (a->cli->json) {
        a->json = json_object();
        jx_set_text(a->json, "tensix", tx_version());
        jx_set_text(a->json, "date", date);
        jx_set_text(a->json, "machine", machine);
        jx_set_text(a->json, "compiler", compiler_name());
        jx_set_text(a->json, "engine", engine_names[a->options.way]);
        jx_set_text(a->json, "level", level_name(a));
        jx_set_text(a->json, "vectors", bench_loop_vectors());
        jx_set_int(a->json, "runs", a->options.runs);
        json_object_set_new(a->json, "rows", json_array());
        return;
    }
    printf("%s%s, %s, %s; engine %s, level %s, raw with %s\n%s", a->markdown ? "Measured " : "",
           date, machine, compiler_name(), engine_names[a->options.way], level_name(a),
           bench_loop_vectors(), a->markdown ? "\n" : "");
    if (a->markdown) {
        printf("| row | chip | data | M instructions/s | streamed | of raw | of scalar | goal | "
               "spread |\n|---|---|---|---|---|---|---|---|---|\n");
    } else {
        printf("%-*s %-4s %-12s %10s %9s %8s %9s %8s %7s\n", a->width, "row", "chip", "data",
               "M instr/s", "streamed", "of raw", "of scalar", "goal", "spread");
    }
}

static void tell_json(struct bench_args *a, const struct bench_row *row,
                      const struct bench_result *r)
{
    json_t *object = json_object();
    jx_set_text(object, "name", row->name);
    jx_set_text(object, "arch", tx_arch_name(row->arch));
    jx_set_text(object, "data", bench_data_names[row->data]);
    jx_set_real(object, "rate", r->rate);
    jx_set_text(object, "against", bench_loop_names[row->against]);
    jx_set_real(object, "ratio", r->ratio[row->against]);
    for (unsigned k = 0; k < BENCH_LOOPS; k++) {
        char name[32];
        snprintf(name, sizeof name, "of_%s", bench_loop_names[k]);
        jx_set_real(object, name, r->ratio[k]);
    }
    jx_set_real(object, "spread", r->spread);
    if (r->streamed > 0) {
        jx_set_real(object, "streamed", r->streamed);
    }
    if (r->scaling > 0) {
        jx_set_real(object, "scaling", r->scaling);
    }
    if (row->goal > 0) {
        jx_set_real(object, "goal", row->goal);
    }
    json_t *loops = json_object();
    for (unsigned k = 0; k < BENCH_LOOPS; k++) {
        jx_set_real(loops, bench_loop_names[k], r->loops[k]);
    }
    json_object_set_new(object, "loops", loops);
    json_array_append_new(json_object_get(a->json, "rows"), object);
}

static void tell(struct bench_args *a, const struct bench_row *row, const struct bench_result *r)
{
    char goal[16] = "";
    if (a->cli->json) {
        tell_json(a, row, r);
        return;
    }
    if (row->goal > 0) {
        snprintf(goal, sizeof goal, r->scaling > 0 ? "%.3gx" : "%.3f", row->goal);
    }
    char raw[16];
    snprintf(raw, sizeof raw, r->scaling > 0 ? "%.2fx" : "%.3f",
             r->scaling > 0 ? r->scaling : r->ratio[BENCH_FMA]);
    char streamed[16] = "";
    if (r->streamed > 0) {
        snprintf(streamed, sizeof streamed, "%.1f", r->streamed / 1e6);
    }
    printf(a->markdown ? "| %*s | %s | %s | %.1f | %s | %s | %.1f | %s | %.0f %% |\n"
                       : "%*s %-4s %-12s %10.1f %9s %8s %9.1f %8s %5.0f %%\n",
           a->markdown ? 0 : -a->width, row->name, tx_arch_short(row->arch),
           bench_data_names[row->data], r->rate / 1e6, streamed, raw, r->ratio[BENCH_SCALAR], goal,
           100 * r->spread);
    fflush(stdout);
}

/* ---- rows and kernels ---- */

/* In place of figures, where an engine does not take the kernel. */
static void tell_why(const struct bench_args *a, const char *name, const char *why)
{
    if (!a->cli->json) {
        printf(a->markdown ? "| %*s | %s | | | | | | | |\n" : "%*s %s\n",
               a->markdown ? 0 : -a->width, name, why);
    }
}

static bool wanted(const struct bench_args *a, const char *name)
{
    for (unsigned i = 0; i < a->row_count; i++) {
        if (strncmp(name, a->rows[i], strlen(a->rows[i])) == 0) {
            return true;
        }
    }
    return a->row_count == 0;
}

static int check_rows(const struct bench_args *a)
{
    for (unsigned i = 0; i < a->row_count; i++) {
        const char *names[64];
        bool found = false;
        for (size_t k = 0; k < bench_row_count && k < 64; k++) {
            names[k] = bench_rows[k].name;
            found = found || strncmp(names[k], a->rows[i], strlen(a->rows[i])) == 0;
        }
        if (!found) {
            const char *near = txl_nearest(a->rows[i], names, bench_row_count);
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

static int run_rows(struct bench_args *a)
{
    a->options.compiler = cli_compiler(a->cli);
    for (size_t i = 0; i < bench_row_count; i++) {
        struct bench_result result;
        char message[400];
        if (!wanted(a, bench_rows[i].name)) {
            continue;
        }
        if (bench_measure(&bench_rows[i], NULL, &a->options, &result, message)) {
            tell(a, &bench_rows[i], &result);
        } else if (a->row_count == 0 &&
                   (bench_rows[i].way == WAY_COMPILED || a->options.way == WAY_COMPILED)) {
            tell_why(a, bench_rows[i].name, message);
        } else {
            return cli_fail(a->cli, "%s: %s", bench_rows[i].name, message);
        }
    }
    return CLI_OK;
}

/* One way of a kernel; the first one is --engine's. */
static int run_way(struct bench_args *a, const char *path, const struct tx_program *program,
                   enum bench_way way)
{
    struct bench_result measured;
    char message[400];
    char name[300];
    const bool scalar = way == WAY_REFERENCE || a->options.way == WAY_REFERENCE;
    const struct bench_row row = {.name = name,
                                  .arch = tx_program_arch(program),
                                  .data = DATA_MIXED,
                                  .shape = SHAPE_KERNEL,
                                  .way = way,
                                  .against = scalar ? BENCH_SCALAR : BENCH_FMA};
    snprintf(name, sizeof name, "%s%s%s", txl_basename(path), way == WAY_ENGINE ? "" : "/",
             way == WAY_ENGINE ? "" : engine_names[way]);
    if (bench_measure(&row, program, &a->options, &measured, message)) {
        tell(a, &row, &measured);
    } else if (way == WAY_REFERENCE || a->options.way == WAY_REFERENCE) {
        return cli_fail(a->cli, "%s: %s", path, message);
    } else {
        tell_why(a, name, message);
    }
    return CLI_CONTINUE;
}

static int run_kernel(struct bench_args *a, const char *path)
{
    struct tx_program *program = NULL;
    a->options.compiler = cli_compiler(a->cli);
    const struct txl_files files = {.path = {path}, .count = 1};
    const struct txl_load how = {.arch = a->arch};
    int result = txl_load_kernel(&a->cli->error, &files, &how, &program);
    for (unsigned way = WAY_ENGINE; result == CLI_CONTINUE && way <= WAY_REFERENCE; way++) {
        if (way == WAY_ENGINE || way > a->options.way) {
            result = run_way(a, path, program, (enum bench_way)way);
        }
    }
    tx_program_free(program);
    return result == CLI_CONTINUE ? CLI_OK : result;
}

static int list_rows(const struct bench_args *a)
{
    for (size_t i = 0; i < bench_row_count; i++) {
        const struct bench_row *row = &bench_rows[i];
        if (wanted(a, row->name)) {
            printf("%-*s %-4s %-12s against %s\n", a->width, row->name, tx_arch_short(row->arch),
                   bench_data_names[row->data], bench_loop_names[row->against]);
        }
    }
    return CLI_OK;
}

static int print_texts(const struct bench_args *a)
{
    char *text = malloc(BENCH_TEXT);
    for (size_t i = 0; i < bench_row_count && text != NULL; i++) {
        unsigned ops = 0;
        if (wanted(a, bench_rows[i].name)) {
            bench_text(&bench_rows[i], true, text, BENCH_TEXT, &ops);
            printf("# %s: %u instructions count\n%s", bench_rows[i].name, ops, text);
        }
    }
    free(text);
    return text != NULL ? CLI_OK : cli_fail(a->cli, "out of memory");
}

/* The longest name, of a kernel with its engine behind it. */
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
    a = (struct bench_args){.cli = cli, .tolerance = 10, .options = {.runs = RUNS, .slice = 0.002}};
    static const struct argp argp = {options, parse, "[KERNEL...|FILE...]", doc, NULL, NULL, NULL};
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (a.base_count != 0) {
        return bench_compare(cli, a.base, a.base_count, a.files, a.file_count,
                             (double)a.tolerance / 100);
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
    begin(&a);
    result = a.file_count == 0 ? run_rows(&a) : CLI_OK;
    for (unsigned i = 0; i < a.file_count && result == CLI_OK; i++) {
        result = run_kernel(&a, a.files[i]);
    }
    if (a.json != NULL && result == CLI_OK) {
        jx_print(stdout, a.json);
    }
    json_decref(a.json);
    return result;
}
