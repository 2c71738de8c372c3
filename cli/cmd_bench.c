/* SPDX-License-Identifier: Apache-2.0 */
/* tensix bench: measures the engines' rates on this machine, and compares two builds. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tensix-internal/bench.h>
#include <tensix-lab/kernel.h>

enum { QUICK_RUNS = 5, ROWS = 256 };

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
    return a->how.engine == TXL_ENGINE_REFERENCE ? "none"
           : a->how.level != NULL                ? a->how.level
                                                 : tx_fast_level(0);
}

static void bench_begin(struct bench_args *a)
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
        txl_json_set_text(a->json, "engine", txl_engine_name(a->how.engine));
        txl_json_set_text(a->json, "level", level_name(a));
        txl_json_set_text(a->json, "vectors", txl_bench_vectors());
        txl_json_set_int(a->json, "runs", a->how.runs);
        return;
    }
    printf("%s%s, %s, %s; engine %s, level %s, raw with %s\n%s", a->markdown ? "Measured " : "",
           date, machine, compiler_name(), txl_engine_name(a->how.engine), level_name(a),
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
static bool bench_say(void *user, const struct txl_bench_line *line,
                      const struct txl_bench_result *r, const char *why)
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
    return txl_bench_chosen(name, a->row.text, a->row.count);
}

static int check_rows(const struct bench_args *a)
{
    for (unsigned i = 0; i < a->row.count; i++) {
        const char *names[ROWS];
        struct txl_bench_line line = {.size = sizeof line};
        bool found = false;
        size_t count = 0;
        for (; count < ROWS && txl_bench_line(count, &line); count++) {
            names[count] = line.name;
            found = found || txl_bench_chosen(line.name, &a->row.text[i], 1);
        }
        if (!found) {
            const char *near = txl_nearest(a->row.text[i], names, count);
            return near != NULL
                       ? cli_fail(a->cli, "--row: no row '%s'; did you mean '%s'?", a->row.text[i],
                                  near)
                       : cli_fail(a->cli, "--row: no row '%s'; --list tells them", a->row.text[i]);
        }
    }
    return CLI_CONTINUE;
}

static int check_level(const struct bench_args *a)
{
    const char *level = "";
    for (size_t i = 0; a->how.level != NULL && level != NULL; i++) {
        level = tx_fast_level(i);
        if (level != NULL && strcmp(level, a->how.level) == 0) {
            return CLI_CONTINUE;
        }
    }
    return a->how.level == NULL
               ? CLI_CONTINUE
               : cli_fail(a->cli, "--level: this machine has no '%s', its best is %s", a->how.level,
                          tx_fast_level(0));
}

static int run_kernel(struct bench_args *a, const char *path)
{
    struct tx_program *program = NULL;
    const struct txl_kernel_options how = {.size = sizeof how, .arch = a->arch};
    int result = txl_kernel_load(&a->cli->error, &path, 1, &how, &program);
    if (result == CLI_OK) {
        struct txl_error why = {.status = TXL_OK};
        if (txl_bench_engines(&why, txl_basename(path), program, &a->how, bench_say, a) != TXL_OK) {
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

static int compare_builds(const struct bench_args *a)
{
    const double tolerance = (double)a->tolerance / 100;
    txl_bench_diff *diff = NULL;
    int result = txl_bench_diff_open(&a->cli->error, a->base.text, a->base.count, a->words.text,
                                     a->words.count, tolerance, &diff);
    if (result != TXL_OK) {
        return result;
    }
    const unsigned lost = txl_bench_diff_lost(diff);
    result = a->cli->json ? cli_json(a->cli, txl_bench_diff_json(diff))
                          : cli_put(a->cli, txl_bench_diff_text(diff));
    txl_bench_diff_close(diff);
    return result != CLI_OK ? result : lost == 0 ? CLI_OK : CLI_NEGATIVE;
}

/* Returns the length of the longest name, which is a kernel's with its engine. */
static int name_width(const struct bench_args *a)
{
    size_t width = 20;
    for (unsigned i = 0; i < a->words.count; i++) {
        const size_t length = strlen(txl_basename(a->words.text[i])) + strlen("/reference");
        width = length > width ? length : width;
    }
    return (int)(width < 300 ? width : 300);
}

int cmd_bench(struct cli *cli, struct bench_args *a)
{
    if (!cli_given(cli, "engine")) {
        a->how.engine = TXL_ENGINE_FAST;
    } else if (a->how.engine == TXL_ENGINE_AUTO) {
        return cli_fail(cli, "--engine: 'auto' is none of fast, compiled, reference");
    }
    a->how.slice = a->quick ? 0.0005 : 0.002;
    if (a->quick && !cli_given(cli, "runs")) {
        a->how.runs = QUICK_RUNS;
    }
    if (a->base.count != 0) {
        return compare_builds(a);
    }
    int result = check_rows(a);
    if (result == CLI_CONTINUE) {
        result = check_level(a);
    }
    if (result != CLI_CONTINUE) {
        return result;
    }
    a->width = name_width(a);
    if (a->list || a->text) {
        return a->list ? list_rows(a) : print_texts(a);
    }
    a->how.compiler = cli_compiler(cli);
    if (a->how.compiler == NULL) {
        return cli_fail(cli, "out of memory");
    }
    bench_begin(a);
    result = a->words.count == 0
                 ? txl_bench_lines(&cli->error, &a->how, a->row.text, a->row.count, bench_say, a)
                 : CLI_OK;
    for (unsigned i = 0; i < a->words.count && result == CLI_OK; i++) {
        result = run_kernel(a, a->words.text[i]);
    }
    if (a->json != NULL && result == CLI_OK) {
        txl_json_set(a->json, "rows", a->told);
        a->told = NULL;
        result = cli_put(cli, txl_json_indented(a->json));
    }
    txl_json_free(a->told);
    txl_json_free(a->json);
    return result;
}
