/* SPDX-License-Identifier: Apache-2.0 */
/* tensix sweep: options, what makes a sweep, and the order of things. */
#include "print/print.h"

#include "sweep/sweep_ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/json.h"

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
    KEY_BUDGET,
    KEY_YAML,
    KEY_PLOT,
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

enum { PARTS = 4096 };

struct arguments {
    struct cli *cli;
    const char *kernel, *domain, *reference, *engine, *resume;
    const char *rules[TX_MAX_RULES], *names[PARTS], *budget; /* names: of kernels, or of files */
    unsigned rule_count, name_count, jobs, shard, shards, chip_count;
    enum tx_arch arch, chips[2]; /* of this sweep; of all */
    enum tx_start start;
    enum tx_dst_format dst, out_dst;
    uint64_t sample, stride, seed;
    bool merge, diff, no_progress, timed;
    bool given; /* the reference, on the command line */
    struct sweep_outputs outputs;
    struct sweep_gate gate;
    struct sweep_table table;
};

static const struct argp_option options[] = {
    {"arch", KEY_ARCH, "CHIP[,CHIP]", 0,
     "bh or wh in any spelling, or both; default: the kernel's .arch", 1},
    {"domain", KEY_DOMAIN, "DOMAIN", 0,
     "bf16 (default), fp16, tf32, fp32; of integers int16 (default), int32, int8, uint32, uint16, "
     "uint8: all its values that Dst has; LOW:HIGH or FORMAT:LOW:HIGH: those in between; a .npy or "
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
    {"budget", KEY_BUDGET, "FILE", 0,
     "The same against the rows of a sfpu_accuracy_budget.yaml, and where none is about a sweep",
     2},
    {"csv", KEY_CSV, "OUT.csv", 0, "Write a line of figures for each sweep", 3},
    {"points", KEY_POINTS, "OUT.csv", 0, "Write the worst input of each 1/65536 of the inputs", 3},
    {"yaml", KEY_YAML, "OUT.yaml", 0, "Write rows in the shape of sfpu_accuracy_budget.yaml", 3},
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
    if (slash == NULL || !txl_number(slash + 1, 1, SWEEP_CHUNKS, &shards) ||
        !txl_number(first, 1, shards, &shard)) {
        return cli_fail(a->cli, "--shard: '%s' is not I/N with 1 <= I <= N <= %d", arg,
                        SWEEP_CHUNKS);
    }
    a->shard = (unsigned)(shard - 1);
    a->shards = (unsigned)shards;
    return 0;
}

static error_t parse_plot(struct arguments *a, const char *arg)
{
    const char *dot = strrchr(arg, '.');
    if (dot == NULL || (strcmp(dot, ".svg") != 0 && strcmp(dot, ".png") != 0)) {
        return cli_fail(a->cli, "--plot: '%s' ends neither in .svg nor in .png", arg);
    }
    if (a->outputs.plot_count == SWEEP_PLOTS) {
        return cli_fail(a->cli, "more than %d --plot", SWEEP_PLOTS);
    }
    a->outputs.plots[a->outputs.plot_count++] = arg;
    return 0;
}

static error_t parse_max(struct arguments *a, const char *arg)
{
    char *end = NULL;
    a->gate.max_ulp = strtod(arg, &end);
    a->gate.has_max = true;
    return *arg != '\0' && *end == '\0' && a->gate.max_ulp >= 0.0 && !isinf(a->gate.max_ulp)
               ? 0
               : cli_fail(a->cli, "--max-ulp: '%s' is no number from 0 on", arg);
}

/* CHIP, or CHIP,CHIP */
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
        return parse_max(a, arg);
    case KEY_SAMPLE:
        return cli_unsigned(a->cli, "--sample", arg, UINT64_C(1) << 32, &a->sample);
    case KEY_STRIDE:
        return cli_unsigned(a->cli, "--stride", arg, INT64_MAX, &a->stride);
    case KEY_SEED:
        return cli_unsigned(a->cli, "--seed", arg, UINT32_MAX, &a->seed);
    case KEY_WORST:
        result = cli_unsigned(a->cli, "--worst", arg, SWEEP_WORST, &number);
        a->outputs.worst = (unsigned)number;
        return result;
    case KEY_TRACES:
        result = cli_unsigned(a->cli, "--traces", arg, SWEEP_WORST, &number);
        a->outputs.traces = (unsigned)number;
        return result;
    case KEY_JOBS:
        result = cli_unsigned(a->cli, "--jobs", arg, RUN_THREADS, &number);
        a->jobs = (unsigned)number;
        return result;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_text(struct arguments *a, int key, const char *arg)
{
    switch (key) {
    case KEY_DOMAIN:
        a->domain = arg;
        return 0;
    case KEY_REFERENCE:
        a->reference = arg;
        return 0;
    case KEY_ENGINE:
        a->engine = arg;
        return 0;
    case KEY_CSV:
        a->outputs.csv = arg;
        return 0;
    case KEY_POINTS:
        a->outputs.points = arg;
        return 0;
    case KEY_BUDGET:
        a->budget = arg;
        return 0;
    case KEY_YAML:
        a->outputs.yaml = arg;
        return 0;
    case KEY_RESUME:
        a->resume = arg;
        return 0;
    case KEY_RULE:
        if (a->rule_count == TX_MAX_RULES) {
            return cli_fail(a->cli, "more than %d --rule", TX_MAX_RULES);
        }
        a->rules[a->rule_count++] = arg;
        return 0;
    case KEY_NO_PROGRESS:
        a->no_progress = true;
        return 0;
    case KEY_TIME:
        a->timed = true;
        return 0;
    case KEY_BLAME:
        a->outputs.blame = true;
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
        return cli_start(a->cli, arg, &a->start);
    case KEY_ARCH:
        return parse_chips(a, arg);
    case KEY_DST:
        return cli_dst(a->cli, "--dst", arg, &a->dst);
    case KEY_OUT_DST:
        return cli_dst(a->cli, "--out-dst", arg, &a->out_dst);
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

/* ---- what makes a sweep ---- */

static json_t *header_of(const struct arguments *a, const struct sweep *s)
{
    json_t *header = json_object();
    jx_set_text(header, "kernel", a->kernel);
    jx_set_text(header, "arch", tx_arch_name(tx_program_arch(s->kernel.program)));
    jx_set_text(header, "domain", s->domain.text);
    jx_set_int(header, "stride", s->domain.stride);
    jx_set_int(header, "sample", s->domain.sample);
    jx_set_text(header, "dst", tx_dst_format_name(s->dst));
    jx_set_text(header, "start", txl_start_name(s->kernel.program));
    jx_set_text(header, "out_dst", tx_dst_format_name(s->out));
    jx_set_int(header, "seed", a->seed);
    jx_set_text(header, "reference", s->reference.name);
    json_t *rules = json_array();
    for (unsigned i = 0; i < a->rule_count; i++) {
        json_array_append_new(rules, jx_text(a->rules[i]));
    }
    json_object_set_new(header, "rules", rules);
    return header;
}

/* The options that were in force when a part was made. */
static void arguments_from(struct arguments *a, const json_t *header)
{
    a->kernel = json_string_value(json_object_get(header, "kernel"));
    a->domain = json_string_value(json_object_get(header, "domain"));
    a->given = a->reference != NULL;
    if (!a->given) {
        a->reference = json_string_value(json_object_get(header, "reference"));
    }
    a->stride = (uint64_t)json_integer_value(json_object_get(header, "stride"));
    a->sample = (uint64_t)json_integer_value(json_object_get(header, "sample"));
    a->seed = (uint64_t)json_integer_value(json_object_get(header, "seed"));
    const char *arch = json_string_value(json_object_get(header, "arch"));
    const char *dst = json_string_value(json_object_get(header, "dst"));
    (void)tx_arch_parse(arch != NULL ? arch : "", &a->arch);
    const char *start = json_string_value(json_object_get(header, "start"));
    (void)tx_dst_format_parse(dst != NULL ? dst : "", &a->dst);
    (void)tx_start_parse(start != NULL ? start : "", &a->start);
    dst = json_string_value(json_object_get(header, "out_dst"));
    (void)tx_dst_format_parse(dst != NULL ? dst : "", &a->out_dst);
    const json_t *rules = json_object_get(header, "rules");
    for (size_t i = 0; i < json_array_size(rules) && i < TX_MAX_RULES; i++) {
        a->rules[i] = json_string_value(json_array_get(rules, i));
        a->rule_count = (unsigned)i + 1;
    }
}

static int load_kernel(const struct arguments *a, struct sweep *s)
{
    struct txl_load how = {.arch = a->arch, .start = a->start};
    int result = txl_load_program(s->err, a->kernel, &how, &s->kernel.program);
    if (result == CLI_CONTINUE) {
        result = txl_check_words(s->err, a->kernel, s->kernel.program);
    }
    if (result != CLI_CONTINUE) {
        return result;
    }
    const struct tx_program *program = s->kernel.program;
    s->path = a->kernel;
    tx_kernel_options_default(&s->kernel.options);
    s->kernel.options.dst = a->dst;
    s->kernel.options.out = a->out_dst;
    s->kernel.options.seed = (uint32_t)a->seed;
    txl_formats(program, &s->kernel.options);
    s->dst = s->kernel.options.dst;
    s->out = s->kernel.options.out;
    const bool integer = number_format(s->dst)->integer;
    if ((a->outputs.yaml != NULL || a->budget != NULL) &&
        (integer || number_format(s->out)->integer)) {
        return txl_fail(s->err, "%s: the accuracy budget has no rows for Dst format %s",
                        a->outputs.yaml != NULL ? "--yaml" : "--budget",
                        tx_dst_format_name(integer ? s->dst : s->out));
    }
    tx_settings_default(&s->kernel.settings, tx_program_arch(program));
    for (unsigned i = 0; i < a->rule_count; i++) {
        if (tx_settings_rule(&s->kernel.settings, a->rules[i]) != TX_OK) {
            return txl_fail(s->err, "--rule: no such rule or value: '%s'", a->rules[i]);
        }
    }
    return CLI_CONTINUE;
}

static const char *default_domain(enum tx_dst_format dst)
{
    const struct number_format *f = number_format(dst);
    return dst == TX_DST_INT8    ? "int8"
           : dst == TX_DST_UINT8 ? "uint8"
           : !f->integer         ? "bf16"
           : f->low == 0.0       ? "uint16"
                                 : "int16";
}

static int prepare(const struct arguments *a, struct sweep *s)
{
    int result = load_kernel(a, s);
    if (result == CLI_CONTINUE) {
        const char *text = a->domain != NULL ? a->domain : default_domain(s->dst);
        result = domain_parse(s->err, text, s->dst, a->stride, a->sample, &s->domain);
    }
    if (result != CLI_CONTINUE) {
        return result;
    }
    unsigned inputs =
        tx_program_inputs(s->kernel.program) > 0 ? tx_program_inputs(s->kernel.program) : 1;
    if (inputs != s->domain.operands) {
        return txl_fail(s->err, "%s takes %u input%s, --domain %s has %u; pairs are bf16xbf16",
                        a->kernel, inputs, inputs == 1 ? "" : "s", s->domain.text,
                        s->domain.operands);
    }
    const char *name =
        a->reference != NULL ? a->reference : tx_program_reference(s->kernel.program);
    result = sweep_reference_find(s->err, name, a->given, inputs, &s->reference);
    if (result == CLI_CONTINUE) {
        result = sweep_measure(s->err, a->kernel, &s->kernel, &s->cycles, &s->init);
    }
    const bool stated =
        a->out_dst != TX_DST_UNSET || tx_program_out(s->kernel.program) != TX_DST_UNSET;
    if (result == CLI_CONTINUE && !stated) {
        result = sweep_check_formats(s->err, a->kernel, &s->kernel);
    }
    if (result != CLI_CONTINUE) {
        return result;
    }
    s->engine = sweep_engine_find(a->engine);
    if (s->engine == NULL) {
        return txl_fail(s->err, "--engine: there is no '%s'", a->engine);
    }
    s->kernel.compiler = cli_compiler(a->cli);
    s->header = header_of(a, s);
    s->key = sweep_key(s);
    s->jobs = a->jobs;
    if (s->jobs == 0) {
        long processors = sysconf(_SC_NPROCESSORS_ONLN);
        s->jobs = processors < 1             ? 1
                  : processors > RUN_THREADS ? RUN_THREADS
                                             : (unsigned)processors;
    }
    s->shards = a->shards;
    s->shard = a->shard;
    s->progress = !a->no_progress;
    s->timed = a->timed;
    s->gate = a->gate.has_max || a->gate.budget.rows != NULL ? &a->gate : NULL;
    return sweep_allocate(s);
}

/* ---- the order of things ---- */

/* The day of the first part, for the YAML. */
static void set_date(struct sweep *s)
{
    if (s->date[0] == '\0') {
        time_t now = time(NULL);
        struct tm tm;
        (void)gmtime_r(&now, &tm);
        (void)strftime(s->date, sizeof s->date, "%Y-%m-%d", &tm);
    }
    jx_set_text(s->header, "date", s->date);
}

static bool several(const struct arguments *a)
{
    return !a->merge && a->name_count * (a->chip_count > 0 ? a->chip_count : 1) > 1;
}

/* Once the inputs are through: what is told at the end goes into the table. */
static int keep(struct arguments *a, struct sweep *s)
{
    const struct sweep_outputs *outputs = &a->outputs;
    json_t *report = NULL;
    sweep_findings_merge(&s->findings, &s->init);
    sweep_finish(s);
    gate_judge(s);
    int result = sweep_specials(s);
    if (result == CLI_CONTINUE && outputs->points != NULL) {
        result = sweep_points(s, outputs->points);
    }
    for (unsigned i = 0; i < outputs->plot_count && result == CLI_CONTINUE; i++) {
        result = sweep_plot(s, outputs->plots[i]);
    }
    if (result == CLI_CONTINUE) {
        result = table_add(&a->table, s);
    }
    if (result == CLI_CONTINUE && cli_of(s->err)->json) {
        result = sweep_report_json(s, outputs, &report);
        if (a->table.reports == NULL) {
            a->table.reports = json_array();
        }
        json_array_append_new(a->table.reports, report);
    }
    return result == CLI_CONTINUE ? CLI_OK : result;
}

static void print_json(const struct arguments *a)
{
    const struct sweep_table *t = &a->table;
    if (!several(a)) {
        jx_print(stdout, json_array_get(t->reports, 0));
        return;
    }
    json_t *root = json_object();
    json_object_set(root, "sweeps", t->reports);
    if (t->gated) {
        jx_set_bool(root, "passed", table_passed(t));
    }
    jx_print(stdout, root);
    json_decref(root);
}

/* Of all sweeps; s is the last one. */
static int tell(struct arguments *a, struct sweep *s)
{
    const struct sweep_table *t = &a->table;
    int result = CLI_CONTINUE;
    if (t->count == 0) {
        return CLI_OK;
    }
    if (a->outputs.csv != NULL) {
        result = table_csv(a->cli, t, a->outputs.csv);
    }
    if (result == CLI_CONTINUE && a->outputs.yaml != NULL) {
        result = table_yaml(a->cli, t, a->outputs.yaml);
    }
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (a->cli->json) {
        print_json(a);
    } else if (several(a)) {
        table_print(stdout, t);
    } else {
        result = sweep_print(s, &a->outputs);
    }
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (!table_passed(t) && !s->interrupted && !a->cli->json) {
        return cli_refuse(a->cli, CLI_NEGATIVE, "the gate is not passed");
    }
    return table_passed(t) ? CLI_OK : CLI_NEGATIVE;
}

static int merge(struct arguments *a, struct sweep *s)
{
    if (a->name_count == 0) {
        return txl_fail(s->err, "sweep merge: no files given");
    }
    json_t *header = state_header(s->err, a->names[0]);
    if (header == NULL) {
        return CLI_INPUT;
    }
    arguments_from(a, header);
    int result = a->kernel != NULL && a->domain != NULL
                     ? prepare(a, s)
                     : txl_fail(s->err, "%s: the state of a sweep, damaged", a->names[0]);
    for (unsigned i = 0; i < a->name_count && result == CLI_CONTINUE; i++) {
        result = state_load(s, a->names[i], true);
    }
    uint64_t done = sweep_inputs(s);
    if (result == CLI_CONTINUE && done != s->domain.count) {
        result = txl_fail(s->err, "sweep merge: parts are missing: %llu of %llu inputs are there",
                          (unsigned long long)done, (unsigned long long)s->domain.count);
    }
    if (result == CLI_CONTINUE) {
        result = keep(a, s);
    }
    if (result == CLI_OK) {
        result = tell(a, s);
    }
    json_decref(header);
    return result;
}

static int told_interruption(const struct sweep *s, bool yaml)
{
    uint64_t done = sweep_inputs(s);
    char resume[300] = "";
    if (s->state_path != NULL) {
        snprintf(resume, sizeof resume, "; --resume %s goes on from there", s->state_path);
    }
    return txl_refuse(s->err, CLI_NEGATIVE, "interrupted after %llu of %llu inputs%s%s",
                      (unsigned long long)done, (unsigned long long)s->domain.count,
                      yaml ? "; no budget was written" : "", resume);
}

static int sweep_all(struct arguments *a, struct sweep *s)
{
    struct sweep_ranks ranks = {0};
    int result = prepare(a, s);
    bool ranked = result == CLI_CONTINUE && ranks_find(&ranks) && a->shards == 1;
    s->state_path = a->resume;
    if (ranked) {
        result = ranks_paths(s->err, &ranks, a->resume, s->key);
        s->state_path = ranks.own;
        s->shard = ranks.rank;
        s->shards = ranks.size;
        s->progress = s->progress && ranks.rank == 0;
        s->timed = s->timed && ranks.rank == 0;
    }
    if (result == CLI_CONTINUE && s->state_path != NULL) {
        result = state_load(s, s->state_path, false);
    }
    if (result == CLI_CONTINUE) {
        set_date(s);
        result = sweep_work(s);
    }
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (ranked && (ranks.rank == 0 || s->interrupted)) {
        result = s->interrupted ? result : ranks_collect(s, &ranks);
        ranks_leave(&ranks);
    }
    if (ranked && ranks.rank > 0) {
        return s->interrupted ? CLI_NEGATIVE : CLI_OK;
    }
    bool part = !ranked && a->shards > 1; /* its report is 'sweep merge' */
    bool report = result == CLI_CONTINUE && !part && sweep_inputs(s) > 0;
    return report ? keep(a, s) : result == CLI_CONTINUE ? CLI_OK : result;
}

/* What belongs to one kernel on one chip. */
static int check_several(const struct arguments *a)
{
    struct sweep_ranks ranks = {0};
    const char *option = a->resume != NULL           ? "--resume"
                         : a->outputs.points != NULL ? "--points"
                         : a->outputs.plot_count > 0 ? "--plot"
                         : ranks_find(&ranks)        ? "an MPI launcher"
                                                     : NULL;
    return option == NULL || !several(a)
               ? CLI_CONTINUE
               : cli_fail(a->cli, "%s is for one kernel on one chip", option);
}

/* Every kernel on every chip. */
static int sweep_each(struct arguments *a, struct sweep *s)
{
    const unsigned chips = a->chip_count > 0 ? a->chip_count : 1;
    int result = check_several(a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    result = CLI_OK;
    for (unsigned i = 0; i < a->name_count * chips && result == CLI_OK && !s->interrupted; i++) {
        sweep_free(s);
        memset(s, 0, sizeof *s);
        s->err = &a->cli->error;
        a->kernel = a->names[i / chips];
        a->arch = a->chips[i % chips];
        result = sweep_all(a, s);
    }
    const bool report = a->table.count > 0;
    if (result == CLI_OK) {
        result = tell(a, s);
    }
    if (!s->interrupted || (result != CLI_OK && result != CLI_NEGATIVE)) {
        return result;
    }
    return report && cli_of(s->err)->json
               ? CLI_NEGATIVE
               : told_interruption(s, a->outputs.yaml != NULL); /* the report says so */
}

int cmd_sweep(struct cli *cli, int argc, char **argv)
{
    static struct sweep s;
    static struct arguments a;
    static const struct argp argp = {
        options, parse, "KERNEL...\nmerge FILE...\ndiff BEFORE.json AFTER.json", doc, NULL,
        NULL,    NULL};
    a = (struct arguments){
        .cli = cli, .engine = "auto", .shards = 1, .outputs = {.worst = 5, .traces = 1}};
    s.err = &cli->error;
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (a.diff) {
        return a.name_count == 2 ? sweep_diff(cli, a.names[0], a.names[1])
                                 : cli_fail(cli, "sweep diff: two reports are compared");
    }
    if (a.name_count == 0 && !a.merge) {
        return cli_fail(cli, "no kernel given; see 'tensix sweep --help'");
    }
    if (a.shards > 1 && a.resume == NULL) {
        return cli_fail(cli, "--shard needs --resume FILE, which 'tensix sweep merge' takes");
    }
    a.given = a.reference != NULL;
    result = sweep_check_outputs(&cli->error, &a.outputs);
    if (result == CLI_CONTINUE && a.budget != NULL) {
        result = budget_load(&cli->error, a.budget, &a.gate.budget);
    }
    if (result == CLI_CONTINUE) {
        result = a.merge ? merge(&a, &s) : sweep_each(&a, &s);
    }
    table_free(&a.table);
    budget_free(&a.gate.budget);
    sweep_free(&s);
    return result;
}
