/* SPDX-License-Identifier: Apache-2.0 */
/* tensix trace: options and files; the trace itself is the lab library's. */
#include "cli.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tensix-lab/kernel.h>
#include <tensix-lab/trace.h>

enum {
    KEY_ARCH = CLI_KEY_FIRST,
    KEY_TILES,
    KEY_TILE,
    KEY_INIT,
    KEY_CYCLES,
    KEY_REGS,
    KEY_DST,
    KEY_CHROME,
    KEY_KONATA,
    KEY_HTML,
    KEY_COMPACT,
    KEY_SET,
    KEY_RULE,
    KEY_SEED,
    KEY_THREAD,
    KEY_STRICT,
    KEY_MOST,
    KEY_HEX,
    KEY_L1,
    KEY_L1_OUT
};

enum { FILES = 4, OUT = 3 };

struct trace_args {
    struct cli *cli;
    struct cli_files kernels;
    const char *paths[FILES]; /* Chrome, Konata, HTML, the table or the JSON lines */
    struct cli_list ins, sets, rules, l1_in, l1_out;
    enum tx_arch arch;
    enum tx_start start;
    bool hex, strict;
    uint64_t max_cycles;
    uint32_t rows[TX_DST_ROWS / 32];
    struct tx_settings settings;
    struct tx_kernel_options kernel;
    struct txl_trace_options how;
};

static const struct argp_option options[] = {
    {"arch", KEY_ARCH, "CHIP", 0, "bh or wh in any spelling; default: the kernel's .arch", 1},
    {"in", 'i', "X.npy", 0, "Input array; once for each input; default: random numbers", 1},
    {"tile", KEY_TILE, "N", 0, "First tile to trace, default 0", 1},
    {"tiles", KEY_TILES, "N", 0, "How many tiles, default 1", 1},
    {"init", KEY_INIT, NULL, 0, "Trace .init too, before the tile", 1},
    {"cycles", KEY_CYCLES, "A:B", 0, "Only these cycles, both included; either may be left out", 2},
    {"regs", KEY_REGS, "L0,L1", 0, "Show what is written to these registers; 'all'", 2},
    CLI_L1_OPTIONS(KEY_L1, KEY_L1_OUT, 1),
    CLI_START_OPTION(1),
    {"dst", KEY_DST, "ROWS|FORMAT", 0,
     "Show what is written to these Dst rows: 0-3,8; 'all'. Or the inputs' format: fp32, bf16, "
     "fp16, int32, int16, int8, uint32 ... (as run); default: the kernel's .dst, else fp32",
     2},
    {"chrome", KEY_CHROME, "FILE", 0, "Chrome trace JSON, for ui.perfetto.dev", 3},
    {"konata", KEY_KONATA, "FILE", 0, "Kanata log, for Konata", 3},
    {"html", KEY_HTML, "FILE", 0, "One page with the pipeline, registers and Dst", 3},
    {"out", 'o', "FILE", 0, "The table, or with --json the lines, into a file", 3},
    {"compact", KEY_COMPACT, NULL, 0,
     "Leave out of table and JSON what follows from the rest; ranges for what repeats", 3},
    {"seed", KEY_SEED, "N", 0, "PRNG seed of tile 0, and of random inputs", 4},
    {"thread", KEY_THREAD, "N", 0,
     "Issuing Tensix thread: 0, 1, 2 or unpack, math, pack; default 1", 4},
    {"set", KEY_SET, "FIELD=VALUE", 0, "Configuration by the vendor's field name; may repeat", 4},
    {"rule", KEY_RULE, "NAME=VALUE", 0,
     "Another reading of the sources (tensix isa lists them); may repeat", 4},
    {"max-cycles", KEY_MOST, "N", 0,
     "End .init or a tile that takes more cycles (default 100000000, 0: no limit)", 4},
    {"strict", KEY_STRICT, NULL, 0, "Stop at the first finding, exit status 1", 4},
    {"hex", KEY_HEX, NULL, 0, "KERNEL is a list of hex words (as .hex files are)", 4},
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Runs a kernel's .init and one tile and prints what each sub-unit does in each cycle.\vCycle 0 "
    "is the first one traced. [x] marks what SFPLOADMACRO with VD x launched, ' the second cycle "
    "of a two-cycle instruction, '(dropped)' a regular instruction that vanishes because a "
    "scheduled one takes its sub-unit. On a terminal each datum (load) has its colour; NO_COLOR "
    "turns that off. --json gives one JSON object a line, as docs/trace-format.md describes. "
    "Files appear when they are complete; those whose names end in .gz are compressed.";

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

/* 3,5-7 with a letter before each number or none; bits of set. */
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

static int set_number(struct trace_args *a, int key, const char *arg)
{
    uint64_t number = 0;
    int result = 0;
    switch (key) {
    case KEY_TILE:
        return cli_unsigned(a->cli, "--tile", arg, UINT32_MAX, &a->how.tile);
    case KEY_TILES:
        return cli_unsigned(a->cli, "--tiles", arg, UINT32_MAX, &a->how.tiles);
    case KEY_SEED:
        result = cli_unsigned(a->cli, "--seed", arg, UINT32_MAX, &number);
        a->kernel.seed = (uint32_t)number;
        return result;
    default:
        result = cli_thread(a->cli, arg, &a->kernel.thread);
        return result;
    }
}

static int set_value(struct trace_args *a, int key, char *arg)
{
    switch (key) {
    case CLI_KEY_START:
        return cli_start(a->cli, arg, &a->start);
    case KEY_ARCH:
        return cli_arch(a->cli, arg, &a->arch);
    case 'i':
        return cli_add(a->cli, &a->ins, 16, "--in", arg);
    case KEY_SET:
        return cli_add(a->cli, &a->sets, 64, "--set", arg);
    case KEY_RULE:
        return cli_add(a->cli, &a->rules, TX_MAX_RULES, "--rule", arg);
    case KEY_CYCLES:
        return parse_cycles(a, arg);
    case KEY_REGS:
        return parse_set(a, "--regs", arg, 'l', TX_LREGS, &a->how.regs);
    case KEY_DST:
        if (isalpha((unsigned char)arg[0]) && strcmp(arg, "all") != 0) {
            return cli_dst(a->cli, "--dst", arg, &a->kernel.dst);
        }
        return parse_set(a, "--dst", arg, '\0', TX_DST_ROWS, a->rows);
    case KEY_TILE:
    case KEY_TILES:
    case KEY_SEED:
    case KEY_THREAD:
        return set_number(a, key, arg);
    case ARGP_KEY_ARG:
        return cli_add_file(a->cli, arg, &a->kernels);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct trace_args *a = state->input;
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
    case KEY_MOST:
        return cli_unsigned(a->cli, "--max-cycles", arg, UINT64_MAX / 2, &a->max_cycles);
    case KEY_STRICT:
        a->strict = true;
        return 0;
    case KEY_HEX:
        a->hex = true;
        return 0;
    case KEY_L1:
        return cli_add(a->cli, &a->l1_in, 32, "--l1", arg);
    case KEY_L1_OUT:
        return cli_add(a->cli, &a->l1_out, 32, "--l1-out", arg);
    default:
        break;
    }
    int result = set_value(a, key, arg);
    return result == ARGP_ERR_UNKNOWN ? cli_common(a->cli, key) : result;
}

/* Whether the table may have colours. */
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

/* The options as the library takes them. */
static int settle(struct trace_args *a, const struct tx_program *program)
{
    struct txl_trace_options *o = &a->how;
    bool any = o->regs != 0;
    tx_settings_default(&a->settings, tx_program_arch(program));
    a->settings.max_cycles = a->max_cycles;
    a->settings.mode = a->strict ? TX_MODE_STRICT : TX_MODE_SILICON;
    o->scratch = cli_scratch();
    o->name = a->kernels.path[0];
    o->settings = &a->settings;
    o->kernel = &a->kernel;
    o->kernel_size = sizeof a->kernel;
    o->sets = a->sets.text;
    o->set_count = a->sets.count;
    o->inputs = a->ins.text;
    o->input_count = a->ins.count;
    o->l1_in = a->l1_in.text;
    o->l1_in_count = a->l1_in.count;
    o->l1_out = a->l1_out.text;
    o->l1_out_count = a->l1_out.count;
    o->rows = a->rows;
    o->large = tell_large;
    o->color = is_colored(a);
    for (unsigned i = 0; i < TX_DST_ROWS / 32; i++) {
        any = any || a->rows[i] != 0;
    }
    if (a->cli->json && !any) { /* everything, unless told */
        memset(a->rows, 0xff, sizeof a->rows);
        o->regs = 0xffffffffu;
    }
    return cli_rules(a->cli, &a->rules, &a->settings);
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
    /* Whoever asks for a file wants no table besides. */
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
    int result = settle(a, program);
    if (result == 0) {
        result = txl_trace_open(&a->cli->error, program, &a->how, &trace);
    }
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

int cmd_trace(struct cli *cli, int argc, char **argv)
{
    struct trace_args a = {
        .cli = cli, .max_cycles = TX_MAX_CYCLES, .how = {.size = sizeof a.how, .tiles = 1}};
    tx_kernel_options_default(&a.kernel);
    static const struct argp argp = {options, parse, "KERNEL [KERNEL [KERNEL]]", doc, NULL,
                                     NULL,    NULL};
    struct tx_program *program = NULL;
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (a.kernels.count == 0) {
        return cli_fail(cli, "no kernel given; see 'tensix trace --help'");
    }
    if (a.how.tiles == 0) {
        return cli_fail(cli, "--tiles: at least one");
    }
    const struct txl_kernel_options how = {
        .size = sizeof how, .arch = a.arch, .hex = a.hex, .start = a.start, .threads = true};
    result = txl_kernel_load(&cli->error, a.kernels.path, a.kernels.count, &how, &program);
    if (result == TXL_OK) {
        result = work(&a, program);
    }
    tx_program_free(program);
    return result;
}
