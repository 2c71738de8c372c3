/* SPDX-License-Identifier: Apache-2.0 */
/* tensix run: options, files, checks; the tiles themselves are run_work.c. */
#include "cli.h"

#include "run/run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "flow/lint_flow.h"

enum {
    KEY_ARCH = CLI_KEY_FIRST,
    KEY_DST,
    KEY_OUT_DST,
    KEY_STRICT,
    KEY_MOST,
    KEY_SEED,
    KEY_CARRY,
    KEY_THREAD,
    KEY_SET,
    KEY_RULE,
    KEY_EVIDENCE,
    KEY_COMPARE,
    KEY_REFERENCE,
    KEY_THREADS,
    KEY_NO_PROGRESS,
    KEY_LAYOUT,
    KEY_RAW,
    KEY_SHAPE,
    KEY_HEX,
    KEY_GAPS,
    KEY_BUDGET,
    KEY_CYCLES,
    KEY_ENGINE,
    KEY_SHADOW,
    KEY_ELEMENT,
    KEY_TILE,
    KEY_WORST,
    KEY_L1,
    KEY_L1_OUT
};

struct run_args {
    struct cli *cli;
    struct run_job *job;
    struct txl_files kernels;
    const char *reference;
    const char *ins[RUN_INPUTS];
    struct run_files arrays;
    uint64_t shape[NPY_MAX_DIMENSIONS];
    const char *rules[TX_MAX_RULES];
    unsigned rule_count;
    enum tx_arch arch;
    enum tx_start start;
    enum tx_dst_format dst, out_dst;
    uint64_t max_cycles;
    bool strict, no_progress, hex;
    struct run_shadow shadow;
    struct l1_job l1;
};

static const struct argp_option options[] = {
    {"arch", KEY_ARCH, "CHIP", 0, "bh or wh in any spelling; default: the kernel's .arch", 1},
    {"in", 'i', "X", 0,
     "Input: X.npy, X.npz:NAME, or data of a format as X.npy:FORMAT or tiles X:FORMAT; once for "
     "each input of the kernel",
     1},
    {"out", 'o', "Y", 0,
     "Output, the shape of the input: Y.npy, Y.npz:NAME, or packed as Y.npy:FORMAT or tiles "
     "Y:FORMAT",
     1},
    CLI_L1_OPTIONS(KEY_L1, KEY_L1_OUT, 1),
    CLI_START_OPTION(1),
    {"dst", KEY_DST, "FORMAT", 0,
     "fp32, bf16, fp16, int32, int16, int8, uint32, uint16, uint8, int32-sm, int16-sm or "
     "uint16-dst32; default: the kernel's "
     ".dst, else fp32",
     1},
    {"out-dst", KEY_OUT_DST, "FORMAT", 0,
     "Read the result from Dst as this; default: the kernel's .out, else --dst", 1},
    {"layout", KEY_LAYOUT, "flat|tiles", 0,
     "flat (default): 1024 consecutive elements fill a "
     "32x32 tile row by row. tiles: 32x32 blocks of the last two dimensions",
     1},
    {"shape", KEY_SHAPE, "N,...,R,C", 0,
     "Shape of the array in files of tiles; default: that of an input array, else (tiles, 32, 32)",
     1},
    {"raw", KEY_RAW, "bf16", 0, "16-bit elements (uint16, V2) are BF16 patterns", 1},
    {"max-cycles", KEY_MOST, "N", 0,
     "End .init or a tile that takes more cycles (default 100000000, 0: no limit)", 2},
    {"strict", KEY_STRICT, NULL, 0, "Stop at the first finding, exit status 1", 2},
    {"seed", KEY_SEED, "N", 0, "PRNG seed of tile 0; other tiles get theirs from it", 2},
    {"carry", KEY_CARRY, NULL, 0, "Keep state from tile to tile, in order", 2},
    {"thread", KEY_THREAD, "N", 0,
     "Issuing Tensix thread: 0, 1, 2 or unpack, math, pack; default 1", 2},
    {"set", KEY_SET, "FIELD=VALUE", 0, "Configuration by the vendor's field name; may repeat", 2},
    {"rule", KEY_RULE, "NAME=VALUE", 0,
     "Another reading of the sources (tensix isa lists them); "
     "may repeat",
     2},
    {"hex", KEY_HEX, NULL, 0, "KERNEL is a list of hex words (as .hex files are)", 2},
    {"reference", KEY_REFERENCE, "NAME", 0,
     "Compare with a function computed by MPFR: recip, "
     "exp, log, sqrt, tanh, gelu, ...; 'kernel': what the kernel's .reference says",
     3},
    {"compare", KEY_COMPARE, "R", 0, "Compare with an array or tiles, named as for --in", 3},
    {"evidence", KEY_EVIDENCE, NULL, 0, "Print the inferred rules that were relied on", 3},
    {"cycles", KEY_CYCLES, NULL, 0,
     "Cycles per row, face and tile, what bounds them, rows and elements per second; without --in "
     "nothing else",
     4},
    {"gaps", KEY_GAPS, "HOW", 0,
     "Idle cycles before the words of .tile: seed=N (0 to 3, drawn), each=1..K (before every word, "
     "1 in tile 0, 2 in tile 1 ...), at=I:N (N before word I, counted from 0), all=0..K (search "
     "the smallest pattern that changes a tile: single words, then pairs)",
     4},
    {"budget", KEY_BUDGET, "N", 0, "Patterns that --gaps all= may try, default 20000", 4},
    {"shadow", KEY_SHADOW, NULL, 0,
     "One tile in exact arithmetic beside the emulator: result, exact value, errors and events of "
     "every instruction on the way to the worst element, or to those of --element",
     5},
    {"element", KEY_ELEMENT, "N", 0, "Follow this element of the array; may repeat", 5},
    {"tile", KEY_TILE, "N", 0, "Follow the worst elements of this tile, default 0", 5},
    {"worst", KEY_WORST, "N", 0, "So many of them, default 1", 5},
    {"threads", KEY_THREADS, "N", 0, "Worker threads, default: all processors", 4},
    {"engine", KEY_ENGINE, "NAME", 0,
     "What runs the tiles: auto (default), compiled, fast or reference; the results are the same",
     4},
    {"no-progress", KEY_NO_PROGRESS, NULL, 0, "No progress bar on a terminal", 4},
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Runs a kernel over an array of any shape and prints elements, instructions, cycles and "
    "findings.\vArrays are .npy files: float16, float32 or float64 for float Dst formats "
    "(float64 is rounded to FP32, and reported), integers for integer ones. The tail tile is "
    "padded with zeros and cut again. The output is float32 for float formats, else int32, int16 "
    "or int8 like the Dst format.\n\nOne ULP is the distance of neighbouring values of the "
    "output's Dst format at the reference, which MPFR rounds correctly from the inputs as Dst "
    "holds them. Denormals are zeros on both sides; NaN with NaN and equal infinities are exact; "
    "NaN or infinity against anything else is a mismatch and not part of max and mean.";

static error_t set_text(struct run_args *a, int key, char *arg)
{
    struct run_job *job = a->job;
    switch (key) {
    case 'i':
        if (a->arrays.in_count == RUN_INPUTS) {
            return cli_fail(a->cli, "more than %d inputs", RUN_INPUTS);
        }
        a->ins[a->arrays.in_count++] = arg;
        return 0;
    case KEY_SET:
        if (job->set_count == RUN_SETS) {
            return cli_fail(a->cli, "more than %d --set", RUN_SETS);
        }
        job->sets[job->set_count++] = arg;
        return 0;
    case KEY_RULE:
        if (a->rule_count == TX_MAX_RULES) {
            return cli_fail(a->cli, "more than %d --rule", TX_MAX_RULES);
        }
        a->rules[a->rule_count++] = arg;
        return 0;
    case KEY_LAYOUT:
        a->arrays.tiles = strcmp(arg, "tiles") == 0;
        a->arrays.flat = strcmp(arg, "flat") == 0;
        return a->arrays.tiles || a->arrays.flat
                   ? 0
                   : cli_fail(a->cli, "--layout: '%s' is neither flat nor tiles", arg);
    case KEY_SHAPE:
        a->arrays.how.shape = a->shape;
        return txl_parse_shape(&a->cli->error, "--shape", arg, a->shape, &a->arrays.how.dimensions);
    case KEY_GAPS:
        return gaps_parse(arg, &job->gaps)
                   ? 0
                   : cli_fail(a->cli, "--gaps: '%s' is none of seed=N, each=1..K, at=I:N, all=0..K",
                              arg);
    case KEY_ENGINE:
        return txl_engine_parse(&a->cli->error, arg, &job->engine);
    case KEY_RAW:
        job->raw_bf16 = strcmp(arg, "bf16") == 0;
        return job->raw_bf16 ? 0 : cli_fail(a->cli, "--raw: '%s' is not bf16", arg);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t set_value(struct run_args *a, int key, char *arg)
{
    struct run_job *job = a->job;
    uint64_t number = 0;
    int result = 0;
    switch (key) {
    case KEY_ARCH:
        result = cli_arch(a->cli, arg, &a->arch);
        break;
    case CLI_KEY_START:
        result = cli_start(a->cli, arg, &a->start);
        break;
    case KEY_DST:
        return cli_dst(a->cli, "--dst", arg, &a->dst);
    case KEY_OUT_DST:
        return cli_dst(a->cli, "--out-dst", arg, &a->out_dst);
    case KEY_SEED:
        result = cli_unsigned(a->cli, "--seed", arg, UINT32_MAX, &number);
        job->options.seed = (uint32_t)number;
        break;
    case KEY_THREAD:
        result = cli_thread(a->cli, arg, &job->options.thread);
        break;
    case KEY_BUDGET:
        result = cli_unsigned(a->cli, "--budget", arg, UINT32_MAX, &job->budget);
        break;
    case KEY_THREADS:
        result = cli_unsigned(a->cli, "--threads", arg, RUN_THREADS, &number);
        job->threads = (unsigned)number;
        break;
    case KEY_ELEMENT:
        if (a->shadow.count == RUN_SETS) {
            return cli_fail(a->cli, "more than %d --element", RUN_SETS);
        }
        return cli_unsigned(a->cli, "--element", arg, INT64_MAX,
                            &a->shadow.elements[a->shadow.count++]);
    case KEY_TILE:
        return cli_unsigned(a->cli, "--tile", arg, INT64_MAX, &a->shadow.tile);
    case KEY_WORST:
        return cli_unsigned(a->cli, "--worst", arg, TX_TILE_ELEMENTS, &a->shadow.worst);
    default:
        return set_text(a, key, arg);
    }
    return result;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct run_args *a = state->input;
    switch (key) {
    case 'o':
        a->arrays.out = arg;
        return 0;
    case KEY_MOST:
        return cli_unsigned(a->cli, "--max-cycles", arg, UINT64_MAX / 2, &a->max_cycles);
    case KEY_L1:
    case KEY_L1_OUT:
        return l1_option(&a->l1, arg, key == KEY_L1_OUT);
    case KEY_STRICT:
        a->strict = true;
        return 0;
    case KEY_CARRY:
        a->job->options.carry = true;
        return 0;
    case KEY_EVIDENCE:
        a->job->evidence = true;
        return 0;
    case KEY_COMPARE:
        a->arrays.compare = arg;
        return 0;
    case KEY_REFERENCE:
        a->reference = arg;
        return 0;
    case KEY_NO_PROGRESS:
        a->no_progress = true;
        return 0;
    case KEY_CYCLES:
        a->job->cycles = true;
        return 0;
    case KEY_SHADOW:
        a->shadow.wanted = true;
        return 0;
    case KEY_HEX:
        a->hex = true;
        return 0;
    case ARGP_KEY_ARG:
        return cli_add_file(a->cli, arg, &a->kernels);
    default:
        break;
    }
    error_t result = set_value(a, key, arg);
    return result == ARGP_ERR_UNKNOWN ? cli_common(a->cli, key) : result;
}

static int find_reference(struct run_args *a)
{
    const char *name = a->reference;
    if (strcmp(name, "kernel") == 0) {
        name = tx_program_reference(a->job->program);
        if (name[0] == '\0') {
            return cli_fail(a->cli, "--reference kernel: the kernel states no .reference");
        }
    }
    a->job->reference = reference_find(name);
    if (a->job->reference != NULL) {
        if (a->job->reference->inputs > a->arrays.in_count) {
            return cli_fail(a->cli, "--reference %s needs %u inputs, there are %u", name,
                            a->job->reference->inputs, a->arrays.in_count);
        }
        return CLI_CONTINUE;
    }
    const char *names[64];
    size_t count = 0;
    const struct reference *r;
    while (count < 64 && (r = reference_at(count)) != NULL) {
        names[count++] = r->name;
    }
    const char *near = txl_nearest(name, names, count);
    return near != NULL
               ? cli_fail(a->cli, "--reference: no function '%s'; did you mean '%s'?", name, near)
               : cli_fail(a->cli, "--reference: no function '%s'; see 'tensix run --help'", name);
}

static int settle(struct run_args *a)
{
    struct run_job *job = a->job;
    if (a->kernels.count == 0) {
        return cli_fail(a->cli, "no kernel given; see 'tensix run --help'");
    }
    if (a->arrays.compare != NULL && a->reference != NULL) {
        return cli_fail(a->cli, "--compare and --reference exclude each other");
    }
    const char *other = a->arrays.out != NULL        ? "--out"
                        : a->arrays.compare != NULL  ? "--compare"
                        : job->options.carry         ? "--carry"
                        : job->cycles                ? "--cycles"
                        : job->gaps.kind == GAPS_ALL ? "--gaps all"
                                                     : NULL;
    if (a->shadow.wanted && other != NULL) {
        return cli_fail(a->cli, "--shadow and %s exclude each other", other);
    }
    if (!a->shadow.wanted && a->shadow.count != 0) {
        return cli_fail(a->cli, "--element is for --shadow");
    }
    struct txl_load how = {.arch = a->arch, .hex = a->hex, .start = a->start};
    int result = txl_load_kernel(&a->cli->error, &a->kernels, &how, &job->program);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (tx_program_threaded(job->program) && job->gaps.kind != GAPS_NONE) {
        return cli_fail(a->cli, "%s: --gaps is for programs of one thread", a->kernels.path[0]);
    }
    job->kernel = a->kernels.path[0];
    tx_settings_default(&job->settings, tx_program_arch(job->program));
    job->settings.max_cycles = a->max_cycles;
    job->settings.mode = a->strict ? TX_MODE_STRICT : TX_MODE_SILICON;
    for (unsigned i = 0; i < a->rule_count; i++) {
        enum tx_status status = tx_settings_rule(&job->settings, a->rules[i]);
        if (status != TX_OK) {
            return cli_fail(a->cli, "--rule: no such %s: '%s'; 'tensix isa' lists them",
                            status == TX_ENOENT ? "rule" : "value", a->rules[i]);
        }
    }
    job->options.dst = a->dst;
    job->options.out = a->out_dst;
    txl_formats(job->program, &job->options);
    job->dst = job->options.dst;
    job->out_dst = job->options.out;
    return a->reference != NULL ? find_reference(a) : CLI_CONTINUE;
}

int run_failed(const struct run_job *job)
{
    if (job->failure == RUN_FAULT && job->failed_init) {
        return txl_refuse(job->err, CLI_NEGATIVE, "%s, .init: %s", job->kernel, job->message);
    }
    if (job->failure == RUN_FAULT) {
        return txl_refuse(job->err, CLI_NEGATIVE, "%s, tile %llu: %s", job->kernel,
                          (unsigned long long)job->failed_tile, job->message);
    }
    return txl_fail(job->err, "%s", job->message);
}

/* The answer once the tiles are through, good or not. */
static int conclude(struct run_args *a)
{
    struct run_job *job = a->job;
    if (job->failure != RUN_GOOD) {
        return run_failed(job);
    }
    if (job->has_output) {
        int result = tensor_out_commit(&a->cli->error, &job->output);
        if (result != CLI_CONTINUE) {
            return result;
        }
    }
    if (job->cycles && a->cli->json && run_cycles(job, &job->report) != CLI_OK) {
        return CLI_NEGATIVE;
    }
    if (a->cli->json) {
        run_print_json(job);
        json_decref(job->report);
    } else {
        run_print(job);
        if (job->cycles) {
            (void)run_cycles(job, NULL);
        }
    }
    return CLI_OK;
}

/* The first tile of the arrays, or one that is made up. */
static int search_gaps(struct run_args *a)
{
    static uint32_t data[RUN_INPUTS][TX_TILE_ELEMENTS];
    const uint32_t *inputs[RUN_INPUTS];
    struct run_job *job = a->job;
    uint64_t random = job->options.seed;
    int result = a->arrays.in_count != 0 ? run_open_inputs(job, &a->arrays) : CLI_CONTINUE;
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (a->arrays.in_count != 0 && job->tiling.tiles == 0) {
        return cli_fail(a->cli, "--gaps all: the arrays are empty");
    }
    for (unsigned i = 0; i < RUN_INPUTS; i++) {
        struct npy_narrowed narrowed = {0};
        char message[400];
        inputs[i] = data[i];
        if (i >= job->input_count) {
            flow_data(job->dst, &random, data[i]);
        } else if (run_read_tile(job, &job->inputs[i], 0, data[i], &narrowed, message) != NULL) {
            return cli_fail(a->cli, "%s", message);
        }
    }
    const struct gaps_job search = {.err = &a->cli->error,
                                    .kernel = job->kernel,
                                    .program = job->program,
                                    .settings = &job->settings,
                                    .options = &job->options,
                                    .sets = job->sets,
                                    .set_count = job->set_count,
                                    .inputs = inputs,
                                    .gaps = job->gaps,
                                    .budget = job->budget};
    return gaps_search(&search);
}

/* A program that begins in L1 has no arrays in Dst, and nothing that is measured on them. */
static int from_l1(struct run_args *a)
{
    const struct run_job *job = a->job;
    const char *other = a->arrays.in_count != 0       ? "--in"
                        : a->arrays.out != NULL       ? "--out"
                        : a->arrays.compare != NULL   ? "--compare"
                        : a->reference != NULL        ? "--reference"
                        : job->cycles                 ? "--cycles"
                        : a->shadow.wanted            ? "--shadow"
                        : job->gaps.kind != GAPS_NONE ? "--gaps"
                        : job->options.carry          ? "--carry"
                                                      : NULL;
    if (other != NULL) {
        return cli_fail(a->cli, "--l1 and %s exclude each other", other);
    }
    a->l1.arch = job->settings.arch;
    return run_l1(a->job, &a->l1);
}

/* What needs no array: a search over gaps, or the cycle report alone. */
static int without_arrays(struct run_args *a)
{
    struct run_job *job = a->job;
    if (job->gaps.kind == GAPS_AT &&
        job->gaps.number >= tx_program_count(job->program, TX_SECTION_TILE)) {
        return cli_fail(a->cli, "--gaps at=: .tile has %zu words",
                        tx_program_count(job->program, TX_SECTION_TILE));
    }
    if (job->gaps.kind == GAPS_ALL) {
        return search_gaps(a);
    }
    if (!job->cycles || a->arrays.in_count != 0) {
        return CLI_CONTINUE;
    }
    int result = run_cycles(job, a->cli->json ? &job->report : NULL);
    if (job->report != NULL) {
        jx_print(stdout, job->report);
        json_decref(job->report);
    }
    return result;
}

int cmd_run(struct cli *cli, int argc, char **argv)
{
    static struct run_job job;
    struct run_args a = {.cli = cli, .job = &job, .max_cycles = TX_MAX_CYCLES};
    a.arrays.ins = a.ins;
    a.shadow.worst = 1;
    job.err = a.l1.err = &cli->error;
    job.budget = 20000;
    tx_kernel_options_default(&job.options);
    static const struct argp argp = {options, parse, "KERNEL [KERNEL [KERNEL]]", doc, NULL,
                                     NULL,    NULL};
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    job.progress = !a.no_progress && !cli->json;
    if (job.threads == 0) {
        long online = sysconf(_SC_NPROCESSORS_ONLN);
        job.threads = online < 1 ? 1 : online > RUN_THREADS ? RUN_THREADS : (unsigned)online;
    }
    result = settle(&a);
    if (result == CLI_CONTINUE) {
        result = l1_wanted(&a.l1) ? from_l1(&a) : without_arrays(&a);
    }
    if (result == CLI_CONTINUE) {
        result = run_settle_output(&job, &a.arrays);
    }
    if (result == CLI_CONTINUE) {
        result = run_open_inputs(&job, &a.arrays);
    }
    if (result == CLI_CONTINUE && a.shadow.wanted) {
        result = run_shadow(&job, &a.shadow);
    }
    if (result == CLI_CONTINUE) {
        result = run_open_output(&job, &a.arrays);
    }
    if (result == CLI_CONTINUE) {
        job.compiler = cli_compiler(cli);
        result = job.compiler != NULL ? run_work(&job) : CLI_INPUT;
    }
    if (result == CLI_CONTINUE) {
        result = conclude(&a);
    }
    run_close_files(&job);
    l1_free(&a.l1);
    tx_program_free(job.program);
    return result;
}
