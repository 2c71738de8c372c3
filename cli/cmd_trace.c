/* SPDX-License-Identifier: Apache-2.0 */
/* tensix trace: options and files; what happens in a cycle is trace_collect.c. */
#include "cli.h"

#include "trace/trace_model.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/run.h"
#include "trace/trace_stream.h"

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

enum { FILES = 4, HTML = 2, OUT = 3 };

struct trace_args {
    struct cli *cli;
    struct txl_files kernels;
    const char *paths[FILES]; /* Chrome, Konata, HTML, the table or the JSON lines */
    const char *ins[RUN_INPUTS], *sets[RUN_SETS], *rules[TX_MAX_RULES];
    unsigned in_count, set_count, rule_count;
    enum tx_arch arch;
    enum tx_start start;
    enum tx_dst_format dst;
    bool hex, init, strict, compact;
    uint64_t max_cycles;
    uint64_t tiles, tile;
    uint64_t random; /* state of the inputs' generator */
    struct tx_kernel_options options;
    struct tx_program *program;
    struct run_job job; /* of which the readers of arrays need the tiling */
    struct outfile files[FILES];
    struct trace_size size;
    bool opened[FILES];
    bool plain; /* table or lines go to stdout */
    struct trace trace;
    struct tx_counters before; /* what was not traced */
    struct l1_job l1;
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

static int add(struct trace_args *a, const char **list, unsigned *count, unsigned most,
               const char *arg)
{
    if (*count == most) {
        return cli_fail(a->cli, "more than %u options of one kind", most);
    }
    list[(*count)++] = arg;
    return 0;
}

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
    a->trace.meta.first = (uint64_t)low;
    a->trace.meta.last = (uint64_t)high;
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
        return cli_unsigned(a->cli, "--tile", arg, UINT32_MAX, &a->tile);
    case KEY_TILES:
        return cli_unsigned(a->cli, "--tiles", arg, UINT32_MAX, &a->tiles);
    case KEY_SEED:
        result = cli_unsigned(a->cli, "--seed", arg, UINT32_MAX, &number);
        a->options.seed = (uint32_t)number;
        return result;
    default:
        result = cli_thread(a->cli, arg, &a->options.thread);
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
        return add(a, a->ins, &a->in_count, RUN_INPUTS, arg);
    case KEY_SET:
        return add(a, a->sets, &a->set_count, RUN_SETS, arg);
    case KEY_RULE:
        return add(a, a->rules, &a->rule_count, TX_MAX_RULES, arg);
    case KEY_CYCLES:
        return parse_cycles(a, arg);
    case KEY_REGS:
        return parse_set(a, "--regs", arg, 'l', TX_LREGS, &a->trace.meta.regs);
    case KEY_DST:
        if (isalpha((unsigned char)arg[0]) && strcmp(arg, "all") != 0) {
            return cli_dst(a->cli, "--dst", arg, &a->dst);
        }
        return parse_set(a, "--dst", arg, '\0', TX_DST_ROWS, a->trace.meta.rows);
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
        a->compact = true;
        return 0;
    case KEY_CHROME:
    case KEY_KONATA:
    case KEY_HTML:
        a->paths[key - KEY_CHROME] = arg;
        return 0;
    case KEY_INIT:
        a->init = true;
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
    case KEY_L1_OUT:
        return l1_option(&a->l1, arg, key == KEY_L1_OUT);
    default:
        break;
    }
    int result = set_value(a, key, arg);
    return result == ARGP_ERR_UNKNOWN ? cli_common(a->cli, key) : result;
}

static int open_inputs(struct trace_args *a)
{
    struct run_job *job = &a->job;
    unsigned wanted = tx_program_inputs(a->program) > 0 ? tx_program_inputs(a->program) : 1;
    if (a->in_count == 0) {
        return CLI_CONTINUE;
    }
    if (a->in_count != wanted) {
        return cli_fail(a->cli, "%s takes %u input%s, --in was given %u time%s", a->kernels.path[0],
                        wanted, wanted == 1 ? "" : "s", a->in_count, a->in_count == 1 ? "" : "s");
    }
    for (unsigned i = 0; i < a->in_count; i++) {
        const struct tensor_how how = {.values_only = true};
        int result = tensor_open(&a->cli->error, a->ins[i], &how, &job->inputs[i].tensor);
        if (result != CLI_CONTINUE) {
            return result;
        }
        job->input_count = i + 1;
        struct txl_where where = {.file = a->ins[i]};
        const struct npy_info *info = &job->inputs[i].tensor.info;
        if (npy_is_raw(info->dtype) ||
            npy_is_float(info->dtype) == number_format(a->options.dst)->integer) {
            return cli_fail_at(a->cli, &where, "dtype %s does not go with Dst format %s",
                               npy_dtype_name(info->dtype), tx_dst_format_name(a->options.dst));
        }
        if (!npy_same_shape(&job->inputs[0].tensor.info, info)) {
            return cli_fail(a->cli, "%s and %s have different shapes", a->ins[0], a->ins[i]);
        }
    }
    run_tiling_make(&job->tiling, &job->inputs[0].tensor.info, false);
    if (a->tile + a->tiles > job->tiling.tiles) {
        return cli_fail(a->cli, "%s has %llu tile%s: no tile %llu", a->ins[0],
                        (unsigned long long)job->tiling.tiles, job->tiling.tiles == 1 ? "" : "s",
                        (unsigned long long)(a->tile + a->tiles - 1));
    }
    return CLI_CONTINUE;
}

/* Numbers from -4 to 4, or integers of three digits. */
static uint32_t random_value(struct trace_args *a)
{
    a->random ^= a->random << 13;
    a->random ^= a->random >> 7;
    a->random ^= a->random << 17;
    uint32_t bits = (uint32_t)(a->random >> 32);
    if (number_format(a->options.dst)->integer) {
        return bits % 1999u - 999u;
    }
    float value = (float)((double)(int32_t)bits / 536870912.0);
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

static int settle(struct trace_args *a)
{
    if (a->kernels.count == 0) {
        return cli_fail(a->cli, "no kernel given; see 'tensix trace --help'");
    }
    struct txl_load how = {.arch = a->arch, .hex = a->hex, .start = a->start};
    int result = txl_load_kernel(&a->cli->error, &a->kernels, &how, &a->program);
    if (result != CLI_CONTINUE) {
        return result;
    }
    struct trace_meta *meta = &a->trace.meta;
    a->options.dst = a->dst != TX_DST_UNSET                       ? a->dst
                     : tx_program_dst(a->program) != TX_DST_UNSET ? tx_program_dst(a->program)
                                                                  : TX_DST_FP32;
    meta->kernel = txl_basename(a->kernels.path[0]);
    meta->title = tx_program_title(a->program);
    meta->program = a->program;
    meta->arch = tx_program_arch(a->program);
    meta->dst = a->options.dst;
    meta->inputs = tx_program_inputs(a->program) > 0 ? tx_program_inputs(a->program) : 1;
    meta->output = tx_program_output(a->program);
    meta->thread = a->options.thread;
    meta->threads = tx_program_threaded(a->program);
    const char *plain = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    meta->color = a->paths[OUT] == NULL && isatty(STDOUT_FILENO) &&
                  (plain == NULL || plain[0] == '\0') &&
                  (terminal == NULL || strcmp(terminal, "dumb") != 0);
    a->random = UINT64_C(0x9E3779B97F4A7C15) ^ a->options.seed;
    if (a->tiles == 0) {
        return cli_fail(a->cli, "--tiles: at least one");
    }
    if (l1_wanted(&a->l1)) {
        if (a->in_count != 0 || a->tiles != 1 || a->tile != 0) {
            return cli_fail(a->cli, "--l1 and %s exclude each other",
                            a->in_count != 0 ? "--in" : "--tile, --tiles");
        }
        a->l1.arch = tx_program_arch(a->program);
        return l1_settle(&a->l1);
    }
    return open_inputs(a);
}

static int open_outputs(struct trace_args *a)
{
    struct trace *t = &a->trace;
    const struct trace_out lines = a->cli->json ? trace_json() : trace_table();
    struct trace_out forms[FILES] = {trace_chrome(), trace_konata(), trace_html(), lines};
    bool file = false;
    for (unsigned i = 0; i < FILES; i++) {
        file = file || a->paths[i] != NULL;
    }
    /* Whoever asks for a file wants no table besides. */
    a->plain = a->paths[OUT] == NULL && (a->cli->json || !file);
    if (a->cli->json) { /* everything, unless told */
        bool any = false;
        for (unsigned i = 0; i < TX_DST_ROWS / 32; i++) {
            any |= t->meta.rows[i] != 0;
        }
        if (t->meta.regs == 0 && !any) {
            memset(t->meta.rows, 0xff, sizeof t->meta.rows);
            t->meta.regs = 0xffffffffu;
        }
    }
    if (a->plain) {
        fflush(stdout);
        t->outs[t->out_count] = lines;
        t->outs[t->out_count].stream = trace_stream_open(dup(STDOUT_FILENO), false, &a->size);
        if (t->outs[t->out_count].stream == NULL) {
            return cli_fail(a->cli, "out of memory");
        }
        t->out_count++;
    }
    for (unsigned i = 0; i < FILES; i++) {
        if (a->paths[i] == NULL) {
            continue;
        }
        struct txl_where where = {.file = a->paths[i]};
        int error = outfile_open(&a->files[i], a->paths[i]);
        if (error != 0) {
            return cli_fail_at(a->cli, &where, "%s", strerror(error));
        }
        a->opened[i] = true;
        forms[i].stream =
            trace_stream_open(dup(a->files[i].fd), trace_stream_packs(a->paths[i]), &a->size);
        if (forms[i].stream == NULL) {
            return cli_fail_at(a->cli, &where, "cannot be written");
        }
        t->outs[t->out_count++] = forms[i];
    }
    return CLI_CONTINUE;
}

static int commit_outputs(struct trace_args *a, int result)
{
    unsigned form = 0;
    if (a->plain && a->trace.out_count != 0) {
        FILE *lines = a->trace.outs[form++].stream;
        const bool bad = ferror(lines) != 0;
        if ((fclose(lines) != 0 || bad) && result == CLI_OK) {
            result = cli_fail(a->cli, "stdout: cannot be written");
        }
    }
    for (unsigned i = 0; i < FILES; i++) {
        if (!a->opened[i]) {
            continue;
        }
        FILE *stream = form < a->trace.out_count ? a->trace.outs[form++].stream : NULL;
        bool bad = stream == NULL || ferror(stream) != 0;
        if (stream != NULL) {
            bad |= fclose(stream) != 0;
        }
        int error = bad ? EIO : 0;
        if (result == CLI_OK && error == 0) {
            error = outfile_commit(&a->files[i]);
        } else {
            outfile_discard(&a->files[i]);
        }
        if (result == CLI_OK && error != 0) {
            struct txl_where where = {.file = a->paths[i]};
            result = cli_fail_at(a->cli, &where, "%s", strerror(error));
        }
    }
    return result;
}

/* The last words of each form, of a run that was stopped too. */
static void finish(struct trace_args *a, const tx_machine *machine)
{
    struct tx_counters c = tx_machine_counters(machine);
    c.cycles -= a->before.cycles;
    c.issue_cycles -= a->before.issue_cycles;
    c.instructions -= a->before.instructions;
    c.vector_instructions -= a->before.vector_instructions;
    c.stall_cycles -= a->before.stall_cycles;
    trace_end(&a->trace, &c);
    fflush(NULL); /* an error stands behind what was traced */
}

static int stopped(struct trace_args *a, const tx_machine *m, enum tx_status status)
{
    const struct tx_finding *f = tx_fault(m);
    finish(a, m);
    if (a->trace.failed) {
        return cli_fail(a->cli, "out of memory");
    }
    if (f == NULL) {
        char text[900];
        return cli_refuse(a->cli, CLI_NEGATIVE, "%s: %s", a->kernels.path[0],
                          txl_stuck_text(m, status, text, sizeof text));
    }
    return cli_refuse(a->cli, CLI_NEGATIVE, "%s: %s: %s [%s] at instruction %llu",
                      a->kernels.path[0], tx_category_name(f->category), f->message,
                      f->rule != NULL ? f->rule : "-", (unsigned long long)f->index);
}

static const char *read_inputs(struct trace_args *a, uint64_t tile,
                               uint32_t (*values)[TX_TILE_ELEMENTS], char message[400])
{
    for (unsigned k = 0; k < a->trace.meta.inputs && k < RUN_INPUTS; k++) {
        if (a->in_count != 0) {
            struct npy_narrowed narrowed = {0};
            const char *error =
                run_read_tile(&a->job, &a->job.inputs[k], tile, values[k], &narrowed, message);
            if (error != NULL) {
                return error;
            }
            continue;
        }
        for (unsigned i = 0; i < TX_TILE_ELEMENTS; i++) {
            values[k][i] = random_value(a);
        }
    }
    return NULL;
}

/* From L1 to L1: once, without arrays in Dst. */
static int run_l1_once(struct trace_args *a, tx_kernel *kernel)
{
    trace_section(&a->trace, false, 0);
    enum tx_status status = tx_kernel_tile_begin(kernel, 0);
    if (status == TX_OK) {
        status = tx_kernel_tile_run(kernel, NULL);
    }
    if (status != TX_OK) {
        return stopped(a, tx_kernel_machine(kernel), status);
    }
    const int result = l1_take(&a->l1, tx_kernel_machine(kernel));
    return result == CLI_CONTINUE ? CLI_OK : result;
}

static int run_tiles(struct trace_args *a, tx_kernel *kernel)
{
    static uint32_t values[RUN_INPUTS][TX_TILE_ELEMENTS];
    static uint32_t output[TX_TILE_ELEMENTS];
    const uint32_t *inputs[RUN_INPUTS];
    char message[400];
    for (unsigned k = 0; k < RUN_INPUTS; k++) {
        inputs[k] = values[k];
    }
    for (uint64_t i = 0; i < a->tiles; i++) {
        const char *error = read_inputs(a, a->tile + i, values, message);
        if (error != NULL) {
            fflush(NULL);
            return cli_fail(a->cli, "%s", error);
        }
        trace_section(&a->trace, false, a->tile + i);
        enum tx_status status = tx_kernel_tile(kernel, a->tile + i, inputs, output);
        if (status != TX_OK) {
            return stopped(a, tx_kernel_machine(kernel), status);
        }
    }
    return CLI_OK;
}

static int run(struct trace_args *a, tx_kernel *kernel)
{
    tx_machine *machine = tx_kernel_machine(kernel);
    int result = run_apply_sets(&a->cli->error, machine, a->options.thread, a->sets, a->set_count);
    if (result == CLI_CONTINUE && l1_wanted(&a->l1)) {
        result = l1_place(&a->l1, machine);
    }
    if (result != CLI_CONTINUE) {
        return result;
    }
    a->trace.machine = machine;
    trace_begin(&a->trace);
    if (a->init) {
        trace_section(&a->trace, true, 0);
    }
    enum tx_status status = tx_kernel_start(kernel);
    if (status != TX_OK) {
        return stopped(a, machine, status);
    }
    if (!a->init) {
        a->before = tx_machine_counters(machine);
    }
    result = l1_wanted(&a->l1) ? run_l1_once(a, kernel) : run_tiles(a, kernel);
    if (result == CLI_OK) {
        finish(a, machine);
        result = a->trace.failed ? cli_fail(a->cli, "out of memory") : CLI_OK;
    }
    return result;
}

struct span {
    bool on, begun;
    uint64_t first, last;
};

static void measure_event(void *user, const struct tx_event *event)
{
    struct span *span = user;
    if (span->on && !span->begun) {
        span->begun = true;
        span->first = event->cycle;
    }
    span->last = event->cycle;
}

/* A page is read whole: refuses more cycles than a browser takes well, before anything is written.
 */
static int check_page(struct trace_args *a, struct tx_settings settings)
{
    static uint32_t zeros[TX_TILE_ELEMENTS];
    static uint32_t output[TX_TILE_ELEMENTS];
    const uint32_t *inputs[RUN_INPUTS];
    const struct trace_meta *meta = &a->trace.meta;
    struct span span = {.on = a->init};
    tx_kernel *kernel = NULL;
    for (unsigned k = 0; k < RUN_INPUTS; k++) {
        inputs[k] = zeros;
    }
    settings.mode = TX_MODE_SILICON;
    settings.sink.event = measure_event;
    settings.sink.user = &span;
    enum tx_status status = tx_kernel_open(&settings, a->program, &a->options, &kernel);
    if (status != TX_OK) {
        return CLI_CONTINUE; /* the run itself tells */
    }
    int result = run_apply_sets(&a->cli->error, tx_kernel_machine(kernel), a->options.thread,
                                a->sets, a->set_count);
    if (result == CLI_CONTINUE && l1_wanted(&a->l1)) {
        result = l1_place(&a->l1, tx_kernel_machine(kernel));
    }
    status = tx_kernel_start(kernel);
    span.on = true;
    uint64_t last = 0;
    for (uint64_t i = 0; status == TX_OK && i < a->tiles && last < meta->last; i++) {
        status = l1_wanted(&a->l1) ? tx_kernel_tile_begin(kernel, i)
                                   : tx_kernel_tile(kernel, i, inputs, output);
        if (status == TX_OK && l1_wanted(&a->l1)) {
            status = tx_kernel_tile_run(kernel, NULL);
        }
        last = span.last - span.first;
        uint64_t end = last < meta->last ? last : meta->last;
        if (result == CLI_CONTINUE && end >= meta->first &&
            end - meta->first >= TRACE_PAGE_CYCLES) {
            result = cli_fail(a->cli, "--html: more than %d cycles; choose some with --cycles A:B",
                              TRACE_PAGE_CYCLES);
            break;
        }
    }
    tx_kernel_close(kernel);
    return result;
}

static int start(struct trace_args *a)
{
    struct tx_settings settings;
    tx_settings_default(&settings, tx_program_arch(a->program));
    settings.max_cycles = a->max_cycles;
    settings.mode = a->strict ? TX_MODE_STRICT : TX_MODE_SILICON;
    settings.sink.event = trace_event;
    settings.sink.user = &a->trace;
    for (unsigned i = 0; i < a->rule_count; i++) {
        enum tx_status status = tx_settings_rule(&settings, a->rules[i]);
        if (status != TX_OK) {
            return cli_fail(a->cli, "--rule: no such %s: '%s'; 'tensix isa' lists them",
                            status == TX_ENOENT ? "rule" : "value", a->rules[i]);
        }
    }
    a->trace.meta.compact = a->compact;
    if (a->paths[HTML] != NULL) {
        int result = check_page(a, settings);
        if (result != CLI_CONTINUE) {
            return result;
        }
    }
    tx_kernel *kernel = NULL;
    enum tx_status status = tx_kernel_open(&settings, a->program, &a->options, &kernel);
    if (status != TX_OK) {
        return cli_fail(a->cli, "%s: %s", a->kernels.path[0], tx_status_text(status));
    }
    int result = open_outputs(a);
    if (result == CLI_CONTINUE) {
        result = run(a, kernel);
    }
    result = commit_outputs(a, result);
    tx_kernel_close(kernel);
    return result;
}

int cmd_trace(struct cli *cli, int argc, char **argv)
{
    static struct trace_args a;
    a.cli = cli;
    a.l1.err = &cli->error;
    a.tiles = 1;
    a.max_cycles = TX_MAX_CYCLES;
    a.trace.meta.last = UINT64_MAX - 1;
    tx_kernel_options_default(&a.options);
    static const struct argp argp = {options, parse, "KERNEL [KERNEL [KERNEL]]", doc, NULL,
                                     NULL,    NULL};
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    result = settle(&a);
    if (result == CLI_CONTINUE) {
        result = start(&a);
    }
    for (unsigned i = 0; i < a.job.input_count; i++) {
        tensor_close(&a.job.inputs[i].tensor);
    }
    l1_free(&a.l1);
    trace_free(&a.trace);
    tx_program_free(a.program);
    return result;
}
