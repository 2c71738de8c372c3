/* SPDX-License-Identifier: Apache-2.0 */
/* tensix run: parses options and calls the lab library. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

#include <tensix-lab/data.h>
#include <tensix-lab/run.h>

#include "print/progress.h"

enum {
    KEY_DST = CLI_KEY_FIRST,
    KEY_OUT_DST,
    KEY_CARRY,
    KEY_EVIDENCE,
    KEY_COMPARE,
    KEY_REFERENCE,
    KEY_THREADS,
    KEY_NO_PROGRESS,
    KEY_LAYOUT,
    KEY_RAW,
    KEY_SHAPE,
    KEY_GAPS,
    KEY_BUDGET,
    KEY_CYCLES,
    KEY_ENGINE,
    KEY_SHADOW,
    KEY_ELEMENT,
    KEY_TILE,
    KEY_WORST,
    KEY_PROFILE,
    KEY_RACES
};

enum {
    INPUTS = 16,
    ELEMENTS = 64,
    LISTED = 64,
    L1_FILES_MOST = 32,
    MOST_THREADS = 256,
    DIMENSIONS = 32
};

struct run_args {
    struct cli *cli;
    struct cli_machine machine;
    uint64_t shape[DIMENSIONS];
    uint64_t budget;
    bool no_progress, cycles, search, shadowed, profile, races;
    const char *profile_file; /* NULL: no file */
    struct txl_run_options how;
    uint64_t elements[ELEMENTS];
    struct txl_run_shadow_options shadow;
    struct progress progress;
    struct tx_program *program;
};

static const struct argp_option options[] = {
    {"arch", CLI_KEY_ARCH, "CHIP", 0, "bh or wh in any spelling; default: the kernel's .arch", 1},
    {"in", CLI_KEY_IN, "X", 0,
     "Input: X.npy, X.npz:NAME, or data of a format as X.npy:FORMAT or tiles X:FORMAT; once for "
     "each input of the kernel",
     1},
    {"out", 'o', "Y", 0,
     "Output, the shape of the input: Y.npy, Y.npz:NAME, or packed as Y.npy:FORMAT or tiles "
     "Y:FORMAT",
     1},
    CLI_L1_OPTIONS(CLI_KEY_L1, CLI_KEY_L1_OUT, 1),
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
    {"strict", CLI_KEY_STRICT, NULL, 0, "Stop at the first finding, exit status 1", 2},
    {"seed", CLI_KEY_SEED, "N", 0, "PRNG seed of tile 0; other tiles get theirs from it", 2},
    {"carry", KEY_CARRY, NULL, 0, "Keep state from tile to tile, in order", 2},
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
    {"profile", KEY_PROFILE, "FILE", OPTION_ARG_OPTIONAL,
     "Instead of the result, where each cycle of a tile goes: what threads and units do and wait "
     "for, the path that bounds it; also into FILE.html, FILE.json (ui.perfetto.dev) or a text",
     4},
    {"races", KEY_RACES, NULL, 0,
     "Behind the result the report of tensix race: accesses that the kernel does not order; exit "
     "status 1 if there are any",
     4},
    {"gaps", KEY_GAPS, "HOW", 0,
     "Idle cycles before the words of .tile: seed=N (0 to 3, drawn), each=1..K (before every word, "
     "1 in tile 0, 2 in tile 1 ...), at=I:N (N before word I, counted from 0), all=0..K (search "
     "the smallest pattern that changes a tile: single words, then pairs)",
     4},
    {"budget", KEY_BUDGET, "N", 0, "Patterns that --gaps all= may try, default 20000", 4},
    {"shadow", KEY_SHADOW, NULL, 0,
     "One tile in exact arithmetic beside the emulator: result, exact value, errors and events of "
     "every instruction on the way to the worst element, or to the elements of --element",
     5},
    {"element", KEY_ELEMENT, "N", 0, "Follow this element of the array; may repeat", 5},
    {"tile", KEY_TILE, "N", 0, "Follow the worst elements of this tile, default 0", 5},
    {"worst", KEY_WORST, "N", 0, "Number of worst elements to follow, default 1", 5},
    {"threads", KEY_THREADS, "N", 0, "Worker threads, default: all processors", 4},
    {"engine", KEY_ENGINE, "NAME", 0,
     "What runs the tiles: auto (default), compiled, fast or reference; results do not depend on "
     "it",
     4},
    {"no-progress", KEY_NO_PROGRESS, NULL, 0, "No progress bar on a terminal", 4},
    CLI_KERNEL_OPTIONS(2),
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
    switch (key) {
    case KEY_LAYOUT:
        a->how.layout = strcmp(arg, "tiles") == 0  ? TXL_LAYOUT_TILES
                        : strcmp(arg, "flat") == 0 ? TXL_LAYOUT_FLAT
                                                   : TXL_LAYOUT_ANY;
        return a->how.layout != TXL_LAYOUT_ANY
                   ? 0
                   : cli_fail(a->cli, "--layout: '%s' is neither flat nor tiles", arg);
    case KEY_SHAPE:
        a->how.shape = a->shape;
        return txl_parse_shape(&a->cli->error, "--shape", arg, a->shape, &a->how.dimensions);
    case KEY_GAPS:
        a->how.gaps = arg;
        return txl_gaps_valid(arg, &a->search)
                   ? 0
                   : cli_fail(a->cli, "--gaps: '%s' is none of seed=N, each=1..K, at=I:N, all=0..K",
                              arg);
    case KEY_ENGINE:
        return txl_engine_parse(&a->cli->error, arg, &a->how.engine);
    case KEY_RAW:
        a->how.raw_bf16 = strcmp(arg, "bf16") == 0;
        return a->how.raw_bf16 ? 0 : cli_fail(a->cli, "--raw: '%s' is not bf16", arg);
    default:
        return cli_machine_option(a->cli, key, arg, &a->machine);
    }
}

static error_t set_value(struct run_args *a, int key, char *arg)
{
    uint64_t number = 0;
    int result = 0;
    switch (key) {
    case KEY_DST:
        return cli_dst(a->cli, "--dst", arg, &a->machine.kernel.dst);
    case KEY_OUT_DST:
        return cli_dst(a->cli, "--out-dst", arg, &a->machine.kernel.out);
    case KEY_BUDGET:
        return cli_unsigned(a->cli, "--budget", arg, UINT32_MAX, &a->budget);
    case KEY_THREADS:
        result = cli_unsigned(a->cli, "--threads", arg, MOST_THREADS, &number);
        a->how.threads = (unsigned)number;
        return result;
    case KEY_ELEMENT:
        if (a->shadow.element_count == ELEMENTS) {
            return cli_fail(a->cli, "more than %d --element", ELEMENTS);
        }
        return cli_unsigned(a->cli, "--element", arg, INT64_MAX,
                            &a->elements[a->shadow.element_count++]);
    case KEY_TILE:
        return cli_unsigned(a->cli, "--tile", arg, INT64_MAX, &a->shadow.tile);
    case KEY_WORST:
        return cli_unsigned(a->cli, "--worst", arg, TX_TILE_ELEMENTS, &a->shadow.worst);
    default:
        return set_text(a, key, arg);
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct run_args *a = state->input;
    switch (key) {
    case 'o':
        a->how.output = arg;
        return 0;
    case KEY_COMPARE:
        a->how.compare = arg;
        return 0;
    case KEY_REFERENCE:
        a->how.reference = arg;
        return 0;
    case KEY_CARRY:
        a->machine.kernel.carry = true;
        return 0;
    case KEY_EVIDENCE:
        a->how.evidence = true;
        return 0;
    case KEY_NO_PROGRESS:
        a->no_progress = true;
        return 0;
    case KEY_CYCLES:
        a->cycles = true;
        return 0;
    case KEY_SHADOW:
        a->shadowed = true;
        return 0;
    case KEY_RACES:
        a->races = true;
        return 0;
    case KEY_PROFILE:
        a->profile = true;
        a->profile_file = arg;
        return 0;
    default:
        return set_value(a, key, arg);
    }
}

/* Refuses options that exclude each other, as far as the command line alone shows that. */
static int check(const struct run_args *a)
{
    if (a->machine.kernels.count == 0) {
        return cli_fail(a->cli, "no kernel given; see 'tensix run --help'");
    }
    const char *other = a->how.output != NULL     ? "--out"
                        : a->how.compare != NULL  ? "--compare"
                        : a->machine.kernel.carry ? "--carry"
                        : a->cycles               ? "--cycles"
                        : a->search               ? "--gaps all"
                                                  : NULL;
    if (a->profile && (other != NULL || a->shadowed || a->machine.l1_out.count != 0)) {
        return cli_fail(a->cli, "--profile and %s exclude each other",
                        other != NULL ? other
                        : a->shadowed ? "--shadow"
                                      : "--l1-out");
    }
    if (a->races && (a->profile || a->shadowed || a->search || a->cycles)) {
        return cli_fail(a->cli, "--races and %s exclude each other",
                        a->profile    ? "--profile"
                        : a->shadowed ? "--shadow"
                        : a->search   ? "--gaps all"
                                      : "--cycles");
    }
    if (a->shadowed && other != NULL) {
        return cli_fail(a->cli, "--shadow and %s exclude each other", other);
    }
    if (!a->shadowed && a->shadow.element_count != 0) {
        return cli_fail(a->cli, "--element is for --shadow");
    }
    if (a->cycles && a->machine.l1_out.count != 0) {
        return cli_fail(a->cli, "--l1-out and --cycles exclude each other");
    }
    return a->machine.l1_in.count + a->machine.l1_out.count != 0 && a->shadowed
               ? cli_fail(a->cli, "--l1 and --shadow exclude each other")
               : CLI_CONTINUE;
}

/* Prints the result and behind it the races of one run of .init and .tile. */
static int put_races(struct run_args *a, char *text)
{
    struct txl_race_options how = {.size = sizeof how};
    struct txl_error *err = &a->cli->error;
    txl_race *race = NULL;
    cli_race_options(&a->machine, &how);
    int result = txl_race_open(err, a->program, &how, &race);
    result = result == TXL_OK ? txl_race_run(err, race) : result;
    if (err->status == TXL_OK) {
        const int put = cli_put_races(a->cli, text, race, a->how.evidence);
        result = put == CLI_OK ? result : put;
    } else {
        free(text);
    }
    txl_race_close(race);
    return result;
}

static int put(struct run_args *a, const txl_run *run, char *(*json)(const txl_run *),
               char *(*text)(const txl_run *))
{
    char *report = a->cli->json ? json(run) : text(run);
    return a->races ? put_races(a, report) : cli_put(a->cli, report);
}

/* Runs the tiles and prints the result. */
static int tiles(struct run_args *a, txl_run *run)
{
    const struct txl_cycles *cycles = NULL;
    progress_start(&a->progress, !a->no_progress && !a->cli->json, txl_run_result(run)->tile_count,
                   "tiles");
    int result = txl_run_tiles(&a->cli->error, run);
    progress_end(&a->progress);
    if (result != TXL_OK) {
        return result;
    }
    if (a->cycles && txl_run_cycles(&a->cli->error, run, &cycles) != TXL_OK && a->cli->json) {
        return CLI_NEGATIVE;
    }
    return put(a, run, txl_run_json, txl_run_text);
}

static int shadow(struct run_args *a, txl_run *run)
{
    struct txl_error *err = &a->cli->error;
    char *text = NULL;
    a->shadow.elements = a->elements;
    const int result = a->cli->json ? txl_run_shadow_json(err, run, &a->shadow, &text)
                                    : txl_run_shadow_text(err, run, &a->shadow, &text);
    return result == TXL_OK ? cli_put(a->cli, text) : result;
}

static int profile(struct run_args *a, txl_run *run)
{
    const txl_profile *profile;
    int result = txl_run_profile(&a->cli->error, run, &profile);
    if (result == TXL_OK && a->profile_file != NULL) {
        result = txl_profile_file(&a->cli->error, profile, a->profile_file);
    }
    return result == TXL_OK
               ? cli_put(a->cli, txl_profile_text(profile, a->cli->json ? TXL_PROFILE_JSON
                                                                        : TXL_PROFILE_TEXT))
               : result;
}

static int work(struct run_args *a, txl_run *run)
{
    struct txl_error *err = &a->cli->error;
    if (a->profile) {
        return profile(a, run);
    }
    const struct txl_cycles *cycles = NULL;
    const struct txl_gaps *gaps = NULL;
    int result = CLI_OK;
    if (a->machine.l1_in.count + a->machine.l1_out.count != 0 && !a->cycles) {
        result = txl_run_l1(err, run);
        return result == TXL_OK ? put(a, run, txl_run_json, txl_run_text) : result;
    }
    if (a->search) {
        result = txl_run_gaps(err, run, a->budget, &gaps);
        const int told =
            err->status == TXL_OK ? put(a, run, txl_run_gaps_json, txl_run_gaps_text) : CLI_OK;
        return told == CLI_OK ? result : told;
    }
    if (a->cycles && a->machine.ins.count == 0) {
        result = txl_run_cycles(err, run, &cycles);
        return result == TXL_OK ? put(a, run, txl_run_cycles_json, txl_run_cycles_text) : result;
    }
    return a->shadowed ? shadow(a, run) : tiles(a, run);
}

int cmd_run(struct cli *cli, int argc, char **argv)
{
    static struct run_args a;
    a = (struct run_args){.cli = cli,
                          .budget = 20000,
                          .how.size = sizeof a.how,
                          .shadow = {.size = sizeof a.shadow, .worst = 1}};
    cli_machine_default(&a.machine);
    static const struct argp argp = {options, parse, "KERNEL [KERNEL [KERNEL]]", doc, NULL,
                                     NULL,    NULL};
    txl_run *run = NULL;
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result == CLI_CONTINUE) {
        result = check(&a);
    }
    if (result == CLI_CONTINUE) {
        result = cli_machine_load(cli, &a.machine, &a.program);
    }
    if (result == CLI_CONTINUE) {
        CLI_GIVE_MACHINE(&a.how, &a.machine);
        a.how.compiler = cli_compiler(cli);
        a.how.progress = progress_call;
        a.how.user = &a.progress;
        result = txl_run_open(&cli->error, a.program, &a.how, &run);
    }
    if (result == TXL_OK && run != NULL) {
        result = work(&a, run);
    }
    txl_run_close(run);
    tx_program_free(a.program);
    return result;
}
