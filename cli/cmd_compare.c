/* SPDX-License-Identifier: Apache-2.0 */
/* tensix compare: two kernels, or one on two chips, over a domain: differences and cycles. */
#include "cli.h"

#include <string.h>

#include <tensix-lab/compare.h>

#include "print/progress.h"

enum {
    KEY_ARCH = CLI_KEY_FIRST,
    KEY_ARCH_B,
    KEY_DOMAIN,
    KEY_SAMPLE,
    KEY_STRIDE,
    KEY_DST,
    KEY_OUT_DST,
    KEY_SEED,
    KEY_RULE,
    KEY_ENGINE,
    KEY_JOBS,
    KEY_NO_PROGRESS
};

enum { SIDES = 2 };

struct arguments {
    struct cli *cli;
    const char *paths[SIDES], *engine, *rules[TX_MAX_RULES];
    unsigned path_count;
    bool no_progress;
    struct txl_sweep_options both;
    struct txl_compare_options compare;
    struct progress bar;
};

static const struct argp_option options[] = {
    {"arch", KEY_ARCH, "CHIP", 0, "Chip of A and B; default: the kernel's .arch", 1},
    {"arch-b", KEY_ARCH_B, "CHIP", 0, "Chip of B where it is another one", 1},
    {"domain", KEY_DOMAIN, "DOMAIN", 0, "Inputs, as in 'tensix sweep' (default: bf16)", 1},
    {"sample", KEY_SAMPLE, "N", 0, "N inputs drawn from the domain", 1},
    {"stride", KEY_STRIDE, "N", 0, "Every Nth input of the domain", 1},
    CLI_START_OPTION(1),
    {"dst", KEY_DST, "FORMAT", 0, "Dst format of both; default: each kernel's .dst, else fp32", 1},
    {"out-dst", KEY_OUT_DST, "FORMAT", 0,
     "Read both results from Dst as this; default: each kernel's .out, else its --dst", 1},
    {"seed", KEY_SEED, "N", 0, "PRNG seed of tile 0; other tiles get theirs from it", 2},
    {"rule", KEY_RULE, "NAME=VALUE", 0, "Another reading of the sources; may repeat", 2},
    {"engine", KEY_ENGINE, "NAME", 0,
     "What runs the kernels: auto (default), compiled, fast or reference", 2},
    {"jobs", KEY_JOBS, "N", 0, "Worker threads, default: all processors", 3},
    {"no-progress", KEY_NO_PROGRESS, NULL, 0, "No progress bar on a terminal", 3},
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Runs kernels A and B (or A on two chips, with --arch-b) over the inputs of a domain: their "
    "results are identical bit by bit, or it tells the first input with another result and the "
    "instructions whose values part there. Cycles side by side.\vExit status 1 where results "
    "differ. Integer kernels get the domain's patterns as numbers: all of fp32 are all 32-bit "
    "integers.";

static error_t parse_number(struct arguments *c, int key, const char *arg)
{
    uint64_t number = 0;
    error_t result = 0;
    switch (key) {
    case KEY_SAMPLE:
        return cli_unsigned(c->cli, "--sample", arg, UINT64_C(1) << 32, &c->both.sample);
    case KEY_STRIDE:
        return cli_unsigned(c->cli, "--stride", arg, INT64_MAX, &c->both.stride);
    case KEY_SEED:
        return cli_unsigned(c->cli, "--seed", arg, UINT32_MAX, &c->both.seed);
    case KEY_JOBS:
        result = cli_unsigned(c->cli, "--jobs", arg, TXL_SWEEP_THREADS, &number);
        c->both.jobs = (unsigned)number;
        return result;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct arguments *c = state->input;
    switch (key) {
    case CLI_KEY_START:
        return cli_start(c->cli, arg, &c->both.start);
    case KEY_ARCH:
        return cli_arch(c->cli, arg, &c->compare.arch_a);
    case KEY_ARCH_B:
        return cli_arch(c->cli, arg, &c->compare.arch_b);
    case KEY_DOMAIN:
        c->both.domain = arg;
        return 0;
    case KEY_DST:
        return cli_dst(c->cli, "--dst", arg, &c->both.dst);
    case KEY_OUT_DST:
        return cli_dst(c->cli, "--out-dst", arg, &c->both.out);
    case KEY_ENGINE:
        c->engine = arg;
        return 0;
    case KEY_NO_PROGRESS:
        c->no_progress = true;
        return 0;
    case KEY_RULE:
        if (c->both.rule_count == TX_MAX_RULES) {
            return cli_fail(c->cli, "more than %d --rule", TX_MAX_RULES);
        }
        c->rules[c->both.rule_count++] = arg;
        return 0;
    case ARGP_KEY_ARG:
        if (c->path_count == SIDES) {
            return cli_fail(c->cli, "two kernels at a time: '%s' is the third", arg);
        }
        c->paths[c->path_count++] = arg;
        return 0;
    default:
        break;
    }
    error_t result = parse_number(c, key, arg);
    return result == ARGP_ERR_UNKNOWN ? cli_common(c->cli, key) : result;
}

static bool watch(void *user, uint64_t done, uint64_t total)
{
    struct arguments *c = user;
    if (done == 0 && !c->bar.shown) {
        progress_start(&c->bar, !c->no_progress, total, "inputs");
    }
    return progress_call(&c->bar, done, total);
}

static int run(struct arguments *c, txl_compare *compare)
{
    struct txl_compare_result r = {.size = sizeof r};
    int result = txl_compare_run(&c->cli->error, compare);
    progress_end(&c->bar);
    if (result != TXL_OK) {
        return result;
    }
    result = c->cli->json ? cli_json(c->cli, txl_compare_json(&c->cli->error, compare))
                          : cli_put(c->cli, txl_compare_text(compare));
    txl_compare_result(compare, &r);
    return result != CLI_OK ? result : r.differing == 0 ? CLI_OK : CLI_NEGATIVE;
}

int cmd_compare(struct cli *cli, int argc, char **argv)
{
    struct arguments c = {.cli = cli, .engine = "auto"};
    static const struct argp argp = {options, parse, "A [B]", doc, NULL, NULL, NULL};
    int result = cli_parse(cli, &argp, argc, argv, &c);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (c.path_count == 0 || (c.path_count == 1 && c.compare.arch_b == TX_ARCH_NONE)) {
        return cli_fail(cli, "two kernels are needed, or one and --arch-b");
    }
    if (!cli_engine(c.engine, &c.both.engine)) {
        return cli_fail(cli, "--engine: there is no '%s'", c.engine);
    }
    c.both.size = sizeof c.both;
    c.both.rules = c.rules;
    c.both.compiler = cli_compiler(cli);
    c.both.progress = watch;
    c.both.user = &c;
    c.compare.size = sizeof c.compare;
    c.compare.both = &c.both;
    c.compare.a = c.paths[0];
    c.compare.b = c.paths[1];
    txl_compare *compare = NULL;
    result =
        c.both.compiler != NULL ? txl_compare_open(&cli->error, &c.compare, &compare) : CLI_INPUT;
    if (result == TXL_OK) {
        result = run(&c, compare);
    }
    txl_compare_close(compare);
    return result;
}
