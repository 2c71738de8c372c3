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

enum {
    KEY_TILES = CLI_KEY_FIRST,
    KEY_TILE,
    KEY_INIT,
    KEY_CYCLES,
    KEY_REGS,
    KEY_DST,
    KEY_CHROME,
    KEY_KONATA,
    KEY_HTML,
    KEY_COMPACT
};

enum { FILES = 4, OUT = 3 };

struct trace_args {
    struct cli *cli;
    struct cli_machine machine;
    struct cli_tile cores;
    const char *of_kernels;   /* the first option that is for kernels only */
    const char *paths[FILES]; /* by form: Chrome, Konata, HTML, and the table or JSON lines */
    uint32_t rows[TX_DST_ROWS / 32];
    struct txl_trace_options how;
};

static const struct argp_option options[] = {
    {"arch", CLI_KEY_ARCH, "CHIP", 0, "bh or wh in any spelling; default: the kernel's .arch", 1},
    {"in", CLI_KEY_IN, "X.npy", 0, "Input array; once for each input; default: random numbers", 1},
    {"tile", KEY_TILE, "N", 0, "First tile to trace, default 0", 1},
    {"tiles", KEY_TILES, "N", 0, "How many tiles, default 1", 1},
    {"init", KEY_INIT, NULL, 0, "Trace .init too, before the tile", 1},
    {"cycles", KEY_CYCLES, "A:B", 0, "Only these cycles, both included; either may be left out", 2},
    {"regs", KEY_REGS, "L0,L1", 0, "Show what is written to these registers; 'all'", 2},
    CLI_L1_OPTIONS(CLI_KEY_L1, CLI_KEY_L1_OUT, 1),
    CLI_TILE_OPTIONS(5),
    CLI_SOURCES_OPTION(3),
    CLI_START_OPTION(1),
    {"dst", KEY_DST, "ROWS|FORMAT", 0,
     "Show what is written to these Dst rows: 0-3,8; 'all'. Or the inputs' format: fp32, bf16, "
     "fp16, int32, int16, int8, uint32 ... (as run); default: the kernel's .dst, else fp32",
     2},
    {"chrome", KEY_CHROME, "FILE", 0, "Chrome trace JSON, for ui.perfetto.dev", 3},
    {"konata", KEY_KONATA, "FILE", 0, "Kanata log, for Konata", 3},
    {"html", KEY_HTML, "FILE", 0, "One page with the pipeline, the source, registers and Dst", 3},
    {"out", 'o', "FILE", 0, "The table, or with --json the lines, into a file", 3},
    {"compact", KEY_COMPACT, NULL, 0,
     "Leave out of table and JSON what follows from the rest; ranges for what repeats", 3},
    {"seed", CLI_KEY_SEED, "N", 0, "PRNG seed of tile 0, and of random inputs", 4},
    {"strict", CLI_KEY_STRICT, NULL, 0, "Stop at the first finding, exit status 1", 4},
    CLI_KERNEL_OPTIONS(4),
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Runs a kernel's .init and one tile and prints what each sub-unit does in each cycle.\vCycle 0 "
    "is the first one traced. [x] marks what SFPLOADMACRO with VD x launched, ' the second cycle "
    "of a two-cycle instruction, '(dropped)' a regular instruction that vanishes because a "
    "scheduled one takes its sub-unit. On a terminal each datum (load) has its colour; NO_COLOR "
    "turns that off. --json gives one JSON object a line, as docs/trace-format.md describes. "
    "A file appears when it is complete; a name that ends in .gz asks for compression.";

static int parse_cycles(struct trace_args *a, const char *arg)
{
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
        return cli_fail(a->cli, "--cycles: '%s' is not A:B with A no more than B", arg);
    }
    a->how.first = (uint64_t)low;
    a->how.end = (uint64_t)high + 1;
    return 0;
}

/* Parses 3,5-7, each number with or without a letter before it, into bits of set. */
static int parse_set(struct trace_args *a, const char *option, char *arg, char letter,
                     unsigned count, uint32_t *set)
{
    char *rest = arg;
    char *word;
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
                return cli_fail(a->cli, "%s: '%s' is no number from 0 to %u", option, parts[i],
                                count - 1);
            }
        }
        if (ends[1] < ends[0]) {
            return cli_fail(a->cli, "%s: %lld-%lld is empty", option, (long long)ends[0],
                            (long long)ends[1]);
        }
        for (int64_t i = ends[0]; i <= ends[1]; i++) {
            set[i / 32] |= 1u << i % 32;
        }
    }
    return 0;
}

static int set_value(struct trace_args *a, int key, char *arg)
{
    switch (key) {
    case KEY_CYCLES:
        return parse_cycles(a, arg);
    case KEY_REGS:
        return parse_set(a, "--regs", arg, 'l', TX_LREGS, &a->how.regs);
    case KEY_DST:
        if (isalpha((unsigned char)arg[0]) && strcmp(arg, "all") != 0) {
            return cli_dst(a->cli, "--dst", arg, &a->machine.kernel.dst);
        }
        return parse_set(a, "--dst", arg, '\0', TX_DST_ROWS, a->rows);
    case KEY_TILE:
        return cli_unsigned(a->cli, "--tile", arg, UINT32_MAX, &a->how.tile);
    case KEY_TILES:
        return cli_unsigned(a->cli, "--tiles", arg, UINT32_MAX, &a->how.tiles);
    default:
        return cli_machine_option(a->cli, key, arg, &a->machine);
    }
}

/* Returns the name of an option that programs of a tile's cores do not have, or NULL. */
static const char *of_kernels(int key)
{
    for (const struct argp_option *o = options; o->name != NULL; o++) {
        if (o->key == key &&
            (key == CLI_KEY_IN || key == CLI_KEY_SET || key == CLI_KEY_RULE ||
             key == CLI_KEY_SEED || key == CLI_KEY_THREAD || key == CLI_KEY_HEX ||
             key == CLI_KEY_START || key == KEY_TILE || key == KEY_TILES || key == KEY_INIT)) {
            return o->name;
        }
    }
    return NULL;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct trace_args *a = state->input;
    if (a->of_kernels == NULL) {
        a->of_kernels = of_kernels(key);
    }
    if (key >= CLI_KEY_ELF && key <= CLI_KEY_SOURCES) {
        return cli_tile_option(a->cli, key, arg, &a->cores);
    }
    switch (key) {
    case 'o':
        a->paths[OUT] = arg;
        return 0;
    case KEY_COMPACT:
        a->how.compact = true;
        return 0;
    case KEY_CHROME:
    case KEY_KONATA:
    case KEY_HTML:
        a->paths[key - KEY_CHROME] = arg;
        return 0;
    case KEY_INIT:
        a->how.init = true;
        return 0;
    default:
        return set_value(a, key, arg);
    }
}

/* Returns whether the table may have colours. */
static bool is_colored(const struct trace_args *a)
{
    const char *plain = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    return a->paths[OUT] == NULL && isatty(STDOUT_FILENO) && (plain == NULL || plain[0] == '\0') &&
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
static void settle(struct trace_args *a)
{
    struct txl_trace_options *o = &a->how;
    bool any = o->regs != 0;
    if (a->cores.how.program_count == 0) {
        CLI_GIVE_MACHINE(o, &a->machine);
    }
    o->rows = a->rows;
    o->large = tell_large;
    o->sources = a->cores.sources.text;
    o->source_count = a->cores.sources.count;
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
    const enum txl_trace_form forms[FILES] = {TXL_TRACE_CHROME, TXL_TRACE_KONATA, TXL_TRACE_HTML,
                                              lines};
    bool file = false;
    int result = TXL_OK;
    for (unsigned i = 0; i < FILES; i++) {
        file = file || a->paths[i] != NULL;
    }
    /* Somebody who asks for a file does not want the table too. */
    if (a->paths[OUT] == NULL && (a->cli->json || !file)) {
        result = txl_trace_write(&a->cli->error, trace, lines, stdout);
    }
    for (unsigned i = 0; i < FILES && result == TXL_OK; i++) {
        if (a->paths[i] != NULL) {
            result = txl_trace_file(&a->cli->error, trace, forms[i], a->paths[i]);
        }
    }
    return result;
}

static int work(struct trace_args *a, const struct tx_program *program)
{
    txl_trace *trace = NULL;
    settle(a);
    int result = program != NULL
                     ? txl_trace_open(&a->cli->error, program, &a->how, &trace)
                     : txl_trace_open_tile(&a->cli->error, &a->cores.how, &a->how, &trace);
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

/* Traces the programs of a tile's cores. */
static int trace_cores(struct trace_args *a)
{
    if (a->machine.kernels.count != 0 || a->of_kernels != NULL) {
        return cli_fail(a->cli, "%s%s: is a kernel's, and --elf are programs of a tile's cores",
                        a->machine.kernels.count != 0 ? "" : "--",
                        a->machine.kernels.count != 0 ? a->machine.kernels.path[0] : a->of_kernels);
    }
    cli_tile_settle(&a->cores, &a->machine);
    return work(a, NULL);
}

/* Reads the source for the page, when there is one file that can be read twice. */
static int read_source(struct trace_args *a, char **source)
{
    const char *path = a->machine.kernels.path[0];
    struct stat status;
    if (a->paths[KEY_HTML - KEY_CHROME] == NULL || a->machine.kernels.count != 1 ||
        stat(path, &status) != 0 || !S_ISREG(status.st_mode)) {
        return CLI_CONTINUE;
    }
    *source = txl_read_file(&a->cli->error, path, &a->how.source_length);
    a->how.source = *source;
    return *source != NULL ? CLI_CONTINUE : CLI_INPUT;
}

int cmd_trace(struct cli *cli, int argc, char **argv)
{
    struct trace_args a = {.cli = cli, .how = {.size = sizeof a.how, .tiles = 1}};
    cli_machine_default(&a.machine);
    static const struct argp argp = {
        options, parse, "KERNEL [KERNEL [KERNEL]]\n--elf CORE=FILE ...", doc, NULL, NULL, NULL};
    struct tx_program *program = NULL;
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (a.cores.how.program_count != 0) {
        return trace_cores(&a);
    }
    if (a.machine.kernels.count == 0) {
        return cli_fail(cli, "no kernel given; see 'tensix trace --help'");
    }
    if (a.how.tiles == 0) {
        return cli_fail(cli, "--tiles: at least one");
    }
    char *source = NULL;
    result = cli_machine_load(cli, &a.machine, &program);
    if (result == CLI_CONTINUE) {
        result = read_source(&a, &source);
    }
    if (result == CLI_CONTINUE) {
        result = work(&a, program);
    }
    free(source);
    tx_program_free(program);
    return result;
}
