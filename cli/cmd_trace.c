/* SPDX-License-Identifier: Apache-2.0 */
/* tensix trace: handles options and files. The lab library makes the trace. */
#include "cli.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tensix-lab/kernel.h>
#include <tensix-lab/trace.h>

int cli_trace_cycles(struct cli *cli, void *args, const struct cli_option *option, const char *arg)
{
    struct traced_args *a = args;
    (void)option;
    const char *colon = strchr(arg, ':');
    char first[32] = "0";
    int64_t low = 0;
    int64_t high = INT64_MAX;
    bool good = true;
    if (colon == NULL) {
        good = txl_number(arg, 0, INT64_MAX, &low);
        high = low;
    } else {
        if (colon > arg) {
            snprintf(first, sizeof first, "%.*s", (int)(colon - arg), arg);
        }
        good = txl_number(first, 0, INT64_MAX, &low) &&
               (colon[1] == '\0' || txl_number(colon + 1, 0, INT64_MAX, &high));
    }
    if (!good || high < low) {
        return cli_fail(cli, "--cycles: '%s' is not A:B with A no more than B", arg);
    }
    a->how.first = (uint64_t)low;
    a->how.end = (uint64_t)high + 1;
    return 0;
}

/* Parses 3,5-7, each number with or without a letter before it, into bits of set. */
static int parse_set(struct cli *cli, const char *option, const char *text, char letter,
                     unsigned count, uint32_t *set)
{
    char arg[256];
    char *rest = arg;
    char *word;
    if (snprintf(arg, sizeof arg, "%s", text) >= (int)sizeof arg) {
        return cli_fail(cli, "%s: the list is too long", option);
    }
    memset(set, strcmp(arg, "all") == 0 ? 0xff : 0, (count + 31) / 32 * sizeof *set);
    if (strcmp(arg, "all") == 0) {
        return 0;
    }
    while ((word = strsep(&rest, ",")) != NULL) {
        int64_t ends[2];
        char *dash = strchr(word, '-');
        if (dash != NULL) {
            *dash++ = '\0';
        }
        char *parts[2] = {word, dash != NULL ? dash : word};
        for (unsigned i = 0; i < 2; i++) {
            char *p = parts[i] + (letter != '\0' && (parts[i][0] | 32) == letter ? 1 : 0);
            if (!txl_number(p, 0, (int64_t)count - 1, &ends[i])) {
                return cli_fail(cli, "%s: '%s' is no number from 0 to %u", option, parts[i],
                                count - 1);
            }
        }
        if (ends[1] < ends[0]) {
            return cli_fail(cli, "%s: %lld-%lld is empty", option, (long long)ends[0],
                            (long long)ends[1]);
        }
        for (int64_t i = ends[0]; i <= ends[1]; i++) {
            set[i / 32] |= 1u << i % 32;
        }
    }
    return 0;
}

int cli_trace_regs(struct cli *cli, void *args, const struct cli_option *option, const char *text)
{
    (void)option;
    return parse_set(cli, "--regs", text, 'l', TX_LREGS,
                     &((struct trace_args *)args)->traced.how.regs);
}

int cli_trace_dst(struct cli *cli, void *args, const struct cli_option *option, const char *text)
{
    struct trace_args *a = args;
    (void)option;
    return isalpha((unsigned char)text[0]) && strcmp(text, "all") != 0
               ? cli_dst(cli, "--dst", text, &a->machine.kernel.dst)
               : parse_set(cli, "--dst", text, '\0', TX_DST_ROWS, a->rows);
}

/* Returns whether the table may have colours. */
static bool is_colored(const struct trace_args *a)
{
    const char *plain = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    return a->out == NULL && isatty(STDOUT_FILENO) && (plain == NULL || plain[0] == '\0') &&
           (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

static void tell_large(void *user, uint64_t bytes)
{
    (void)user;
    fprintf(stderr,
            "tensix trace: more than %llu MB so far; --compact and names that end in .gz take "
            "less, --cycles A:B shows a part\n",
            (unsigned long long)(bytes >> 20));
}

/* Fills in the options for the library. */
static void trace_settle(struct trace_args *a)
{
    struct txl_trace_options *o = &a->traced.how;
    bool any = o->regs != 0;
    if (a->cores.how.program_count == 0) {
        CLI_GIVE_MACHINE(o, &a->machine, a->words);
    }
    o->rows = a->rows;
    o->large = tell_large;
    o->sources = a->cores.how.sources;
    o->source_count = a->cores.how.source_count;
    o->color = is_colored(a);
    for (unsigned i = 0; i < TX_DST_ROWS / 32; i++) {
        any = any || a->rows[i] != 0;
    }
    if (a->cli->json && !any) { /* by default everything */
        memset(a->rows, 0xff, sizeof a->rows);
        o->regs = 0xffffffffu;
    }
}

static int open_outputs(struct trace_args *a, txl_trace *trace)
{
    const enum txl_trace_form lines = a->cli->json ? TXL_TRACE_JSON : TXL_TRACE_TABLE;
    enum { FILES = 4 };
    const enum txl_trace_form forms[FILES] = {TXL_TRACE_CHROME, TXL_TRACE_KONATA, TXL_TRACE_HTML,
                                              lines};
    const char *const paths[FILES] = {a->chrome, a->konata, a->html, a->out};
    bool file = false;
    int result = TXL_OK;
    for (unsigned i = 0; i < FILES; i++) {
        file = file || paths[i] != NULL;
    }
    /* Somebody who asks for a file does not want the table too. */
    if (a->out == NULL && (a->cli->json || !file)) {
        result = txl_trace_write(&a->cli->error, trace, lines, stdout);
    }
    for (unsigned i = 0; i < FILES && result == TXL_OK; i++) {
        if (paths[i] != NULL) {
            result = txl_trace_file(&a->cli->error, trace, forms[i], paths[i]);
        }
    }
    return result;
}

static int trace_work(struct trace_args *a, const struct tx_program *program)
{
    txl_trace *trace = NULL;
    trace_settle(a);
    int result = program != NULL
                     ? txl_trace_open(&a->cli->error, program, &a->traced.how, &trace)
                     : txl_trace_open_tile(&a->cli->error, &a->cores.how, &a->traced.how, &trace);
    if (result == TXL_OK) {
        result = open_outputs(a, trace);
    }
    if (result == TXL_OK) {
        result = txl_trace_run(&a->cli->error, trace);
    }
    if (result == TXL_OK && ferror(stdout)) {
        result = cli_fail(a->cli, "stdout: cannot be written");
    }
    txl_trace_close(trace);
    return result;
}

/* Reads the source for the page, when there is one file that can be read twice. */
static int read_source(struct trace_args *a, char **source)
{
    const char *path = a->words.text[0];
    struct stat status;
    if (a->html == NULL || a->words.count != 1 || stat(path, &status) != 0 ||
        !S_ISREG(status.st_mode)) {
        return CLI_CONTINUE;
    }
    *source = txl_read_file(&a->cli->error, path, &a->traced.how.source_length);
    a->traced.how.source = *source;
    return *source != NULL ? CLI_CONTINUE : CLI_INPUT;
}

int cmd_trace(struct cli *cli, struct trace_args *a)
{
    static const char *const of_kernels[] = {"in",    "set",  "rule",  "seed", "thread", "hex",
                                             "start", "tile", "tiles", "init", NULL};
    struct tx_program *program = NULL;
    if (a->cores.how.program_count != 0) {
        const int settled = cli_cores_only(cli, &a->words, of_kernels);
        cli_cores_settle(&a->cores, &a->machine);
        return settled == CLI_CONTINUE ? trace_work(a, NULL) : settled;
    }
    if (a->words.count == 0) {
        return cli_fail(cli, "no kernel given; see 'tensix trace --help'");
    }
    char *source = NULL;
    int result = cli_machine_load(cli, &a->machine, &a->words, &program);
    if (result == CLI_CONTINUE) {
        result = read_source(a, &source);
    }
    if (result == CLI_CONTINUE) {
        result = trace_work(a, program);
    }
    free(source);
    tx_program_free(program);
    return result;
}
