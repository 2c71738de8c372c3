/* SPDX-License-Identifier: Apache-2.0 */
/* tensix sweep: all 65536 inputs of a 16-bit format through a kernel. */
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"

enum { KEY_ARCH = CLI_KEY_FIRST, KEY_DOMAIN, KEY_REFERENCE, KEY_CSV, KEY_DST, KEY_SEED, KEY_RULE };

enum { POINTS = 65536, TILES = POINTS / TX_TILE_ELEMENTS };

enum outcome {
    EXACT,
    INEXACT,
    FLUSHED,
    UNFLUSHED,
    ZEROED,
    OVERFLOWED,
    UNDEFINED,
    MISMATCH,
    OUTCOMES
};

static const char *const outcome_names[OUTCOMES] = {"exact",  "inexact",  "flushed",   "unflushed",
                                                    "zeroed", "overflow", "undefined", "mismatch"};

struct point {
    uint32_t x, got, expected;
    double ulp, error;
    enum outcome outcome;
};

struct sweep {
    struct cli *cli;
    const char *kernel, *reference_name, *csv, *rules[TX_MAX_RULES];
    unsigned rule_count;
    enum tx_arch arch;
    enum tx_dst_format domain, dst;
    uint32_t seed;
    struct tx_program *program;
    const struct reference *reference;
    tx_kernel *kernel_handle;
    struct point *points;
    double *sorted;
    size_t sorted_count;
    uint64_t outcomes[OUTCOMES];
    struct ulp_stats stats;
    struct run_findings findings;
    double cycles_per_tile;
};

static const struct argp_option options[] = {
    {"arch", KEY_ARCH, "CHIP", 0, "bh or wh in any spelling; default: the kernel's .arch", 1},
    {"domain", KEY_DOMAIN, "bf16|fp16", 0, "Whose 65536 values are the inputs (default: bf16)", 1},
    {"reference", KEY_REFERENCE, "NAME", 0,
     "Function computed by MPFR; default: the kernel's "
     ".reference",
     1},
    {"dst", KEY_DST, "FORMAT", 0, "fp32, bf16 or fp16; default: the kernel's .dst, else fp32", 1},
    {"csv", KEY_CSV, "OUT.csv", 0, "Write a line for each input", 1},
    {"seed", KEY_SEED, "N", 0, "PRNG seed of tile 0", 2},
    {"rule", KEY_RULE, "NAME=VALUE", 0, "Another reading of the sources; may repeat", 2},
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Runs a kernel over all 65536 values of a 16-bit format and prints its errors in ULP of the "
    "Dst format, with percentiles and the worst inputs.\vErrors are measured as in 'tensix run'. "
    "fp16 is Tensix's: exponent 31 is an ordinary binade. Outcomes: exact, inexact; flushed (the "
    "reference is denormal, the result zero), unflushed (a denormal result for it), zeroed (zero "
    "for a normal reference), overflow (exactly one of the two is infinite), undefined (the "
    "reference is NaN, the result is not), mismatch (NaN for a number). Columns of the CSV: x, "
    "y, y_ref, ulp_error, abs_error, outcome, op, variant, dtype, layout.";

static error_t parse_format(struct sweep *s, int key, const char *arg)
{
    enum tx_dst_format format = TX_DST_UNSET;
    bool good = tx_dst_format_parse(arg, &format) == TX_OK && !number_format(format)->integer;
    if (key == KEY_DOMAIN) {
        s->domain = format;
        return good && format != TX_DST_FP32
                   ? 0
                   : cli_fail(s->cli, "--domain: '%s' is neither bf16 nor fp16", arg);
    }
    s->dst = format;
    return good ? 0 : cli_fail(s->cli, "--dst: '%s' is none of fp32, bf16, fp16", arg);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct sweep *s = state->input;
    uint64_t number = 0;
    int result = 0;
    switch (key) {
    case KEY_ARCH:
        result = cli_arch(s->cli, arg, &s->arch);
        break;
    case KEY_DOMAIN:
    case KEY_DST:
        return parse_format(s, key, arg);
    case KEY_REFERENCE:
        s->reference_name = arg;
        break;
    case KEY_CSV:
        s->csv = arg;
        break;
    case KEY_SEED:
        result = cli_unsigned(s->cli, "--seed", arg, UINT32_MAX, &number);
        s->seed = (uint32_t)number;
        break;
    case KEY_RULE:
        if (s->rule_count == TX_MAX_RULES) {
            return cli_fail(s->cli, "more than %d --rule", TX_MAX_RULES);
        }
        s->rules[s->rule_count++] = arg;
        break;
    case ARGP_KEY_ARG:
        return cli_only(s->cli, "kernel", arg, &s->kernel);
    default:
        return cli_common(s->cli, key);
    }
    return result;
}

/* The FP32 pattern of a value of the domain. */
static uint32_t domain_word(enum tx_dst_format domain, uint32_t pattern)
{
    if (domain == TX_DST_BF16) {
        return pattern << 16;
    }
    if ((pattern >> 10 & 31U) == 31) {
        return (pattern & 0x8000U) << 16 | (31U + 112U) << 23 | (pattern & 0x3ffU) << 13;
    }
    return npy_half_to_fp32((uint16_t)pattern);
}

static enum outcome outcome_of(const struct sweep *s, const struct point *p, double raw_expected,
                               double raw_got)
{
    double least = ldexp(1.0, number_format(s->dst)->least);
    if (isnan(raw_expected) || isnan(raw_got)) {
        return isnan(raw_expected) && isnan(raw_got) ? EXACT
               : isnan(raw_expected)                 ? UNDEFINED
                                                     : MISMATCH;
    }
    if (isinf(raw_expected) != 0 || isinf(raw_got) != 0) {
        return raw_expected == raw_got ? EXACT : OVERFLOWED;
    }
    if (raw_got != 0.0 && fabs(raw_got) < least && raw_expected == 0.0) {
        return UNFLUSHED;
    }
    if (p->ulp == 0.0) {
        return EXACT;
    }
    return raw_got == 0.0 ? ZEROED : INEXACT;
}

static void judge(struct sweep *s, struct reference_work *work, size_t index, uint32_t x,
                  uint32_t got)
{
    struct point *p = &s->points[index];
    uint32_t held = tx_dst_encode(s->dst, x, &(bool){false});
    double input = number_of(s->dst, held, true);
    double want = reference_value(work, &input);
    double result = number_of(s->dst, got, true);
    *p = (struct point){.x = held, .got = got, .expected = word_of(s->dst, want)};
    p->ulp = ulp_error(s->dst, want, result);
    p->error = fabs(result - want);
    p->outcome = outcome_of(s, p, want, number_of(s->dst, got, false));
    if (p->outcome == EXACT && want == 0.0 && reference_underflowed(work) && got << 1 == 0) {
        p->outcome = FLUSHED;
    }
    s->outcomes[p->outcome]++;
    if (!isinf(p->ulp)) {
        s->sorted[s->sorted_count++] = p->ulp;
    }
    struct ulp_case one = {
        .index = index, .ulp = p->ulp, .inputs = {held}, .expected = p->expected, .got = got};
    ulp_add(&s->stats, &one);
}

static int open_kernel(struct sweep *s)
{
    struct tx_settings settings;
    struct tx_kernel_options kernel_options;
    tx_settings_default(&settings, s->program->arch);
    for (unsigned i = 0; i < s->rule_count; i++) {
        if (tx_settings_rule(&settings, s->rules[i]) != TX_OK) {
            return cli_fail(s->cli, "--rule: no such rule or value: '%s'", s->rules[i]);
        }
    }
    tx_kernel_options_default(&kernel_options);
    kernel_options.dst = s->dst;
    kernel_options.seed = s->seed;
    enum tx_status status =
        tx_kernel_open(&settings, s->program, &kernel_options, &s->kernel_handle);
    if (status == TX_OK) {
        status = tx_kernel_start(s->kernel_handle);
    }
    if (status != TX_OK) {
        return cli_refuse(s->cli, status == TX_FAULT ? CLI_NEGATIVE : CLI_INPUT, "%s: %s",
                          s->kernel, tx_status_text(status));
    }
    return CLI_CONTINUE;
}

static int run_tiles(struct sweep *s)
{
    struct reference_work *work = reference_open(s->reference, s->dst);
    if (work == NULL) {
        return cli_fail(s->cli, "out of memory");
    }
    tx_machine *machine = tx_kernel_machine(s->kernel_handle);
    uint64_t before = tx_machine_counters(machine).cycles;
    int result = CLI_CONTINUE;
    for (uint32_t tile = 0; tile < TILES && result == CLI_CONTINUE; tile++) {
        uint32_t in[TX_TILE_ELEMENTS];
        uint32_t out[TX_TILE_ELEMENTS];
        for (uint32_t i = 0; i < TX_TILE_ELEMENTS; i++) {
            in[i] = domain_word(s->domain, tile * TX_TILE_ELEMENTS + i);
        }
        const uint32_t *inputs[] = {in};
        enum tx_status status = tx_kernel_tile(s->kernel_handle, tile, inputs, out);
        if (status != TX_OK) {
            const struct tx_finding *fault = tx_fault(machine);
            result = cli_refuse(s->cli, CLI_NEGATIVE, "%s, tile %u: %s", s->kernel, tile,
                                fault != NULL ? fault->message : tx_status_text(status));
        }
        for (uint32_t i = 0; i < TX_TILE_ELEMENTS && result == CLI_CONTINUE; i++) {
            judge(s, work, tile * TX_TILE_ELEMENTS + i, in[i], out[i]);
        }
    }
    reference_close(work);
    s->cycles_per_tile = (double)(tx_machine_counters(machine).cycles - before) / TILES;
    run_collect(&s->findings, machine, false, NULL);
    return result;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The least error that at least this part of the inputs does not exceed. */
static double percentile(const struct sweep *s, double part)
{
    if (s->sorted_count == 0) {
        return 0.0;
    }
    size_t index = (size_t)ceil(part * (double)s->sorted_count);
    return s->sorted[index > 0 ? index - 1 : 0];
}

static int write_csv(struct sweep *s)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (memory == NULL) {
        return cli_fail(s->cli, "out of memory");
    }
    fprintf(memory, "x,y,y_ref,ulp_error,abs_error,outcome,op,variant,dtype,layout\n");
    for (size_t i = 0; i < POINTS; i++) {
        const struct point *p = &s->points[i];
        char x[48];
        char y[48];
        char r[48];
        fprintf(memory, "%s,%s,%s,", number_text(s->dst, p->x, x, sizeof x),
                number_text(s->dst, p->got, y, sizeof y),
                number_text(s->dst, p->expected, r, sizeof r));
        if (isinf(p->ulp)) {
            fprintf(memory, "nan,nan");
        } else {
            fprintf(memory, "%.9g,%.9g", p->ulp, isnan(p->error) ? 0.0 : p->error);
        }
        fprintf(memory, ",%s,%s,%s,%s,tile\n", outcome_names[p->outcome], s->reference->name,
                tx_arch_short(s->program->arch), tx_dst_format_name(s->dst));
    }
    fclose(memory);
    int result = cli_write_file(s->cli, s->csv, text, size);
    free(text);
    return result == CLI_OK ? CLI_CONTINUE : result;
}

static const struct {
    const char *name;
    double part;
} percentiles[] = {{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p99.9", 0.999}};

static void print_text(const struct sweep *s)
{
    printf("kernel          %s on %s, Dst %s\n", cli_basename(s->kernel),
           tx_arch_name(s->program->arch), tx_dst_format_name(s->dst));
    printf("inputs          all %d of %s, compared with %s\n", POINTS,
           tx_dst_format_name(s->domain), s->reference->name);
    printf("cycles          a tile %.6g, a row of 32 %.6g\n", s->cycles_per_tile,
           s->cycles_per_tile / 32.0);
    run_print_findings(stdout, &s->findings);
    printf("outcomes       ");
    for (unsigned i = 0; i < OUTCOMES; i++) {
        if (s->outcomes[i] != 0) {
            printf(" %s %llu", outcome_names[i], (unsigned long long)s->outcomes[i]);
        }
    }
    printf("\npercentiles    ");
    for (size_t i = 0; i < sizeof percentiles / sizeof percentiles[0]; i++) {
        printf(" %s %.6g", percentiles[i].name, percentile(s, percentiles[i].part));
    }
    printf(" ULP\n");
    ulp_print(stdout, &s->stats, s->dst, s->dst, 1);
}

static void print_json(const struct sweep *s)
{
    json_t *root = json_object();
    jx_set_text(root, "kernel", s->kernel);
    jx_set_text(root, "arch", tx_arch_name(s->program->arch));
    jx_set_text(root, "domain", tx_dst_format_name(s->domain));
    jx_set_text(root, "dst", tx_dst_format_name(s->dst));
    jx_set_text(root, "reference", s->reference->name);
    jx_set_real(root, "cycles_per_tile", s->cycles_per_tile);
    json_t *outcomes = json_object();
    for (unsigned i = 0; i < OUTCOMES; i++) {
        jx_set_int(outcomes, outcome_names[i], s->outcomes[i]);
    }
    json_object_set_new(root, "outcomes", outcomes);
    json_t *parts = json_object();
    for (size_t i = 0; i < sizeof percentiles / sizeof percentiles[0]; i++) {
        jx_set_real(parts, percentiles[i].name, percentile(s, percentiles[i].part));
    }
    json_object_set_new(root, "percentiles", parts);
    json_object_set_new(root, "accuracy", ulp_json(&s->stats, s->dst, s->dst, 1));
    json_object_set_new(root, "findings", run_findings_json(&s->findings));
    jx_print(stdout, root);
    json_decref(root);
}

static int prepare(struct sweep *s)
{
    struct cli_load how = {.arch = s->arch};
    int result = cli_load_program(s->cli, s->kernel, &how, &s->program);
    if (result == CLI_CONTINUE) {
        result = cli_check_words(s->cli, s->kernel, s->program);
    }
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (s->program->inputs > 1) {
        return cli_fail(s->cli, "%s takes %u inputs; a sweep has one", s->kernel,
                        s->program->inputs);
    }
    if (s->dst == TX_DST_UNSET) {
        s->dst = s->program->dst != TX_DST_UNSET ? s->program->dst : TX_DST_FP32;
    }
    if (number_format(s->dst)->integer) {
        return cli_fail(s->cli, "%s works on Dst format %s; a sweep needs a float format",
                        s->kernel, tx_dst_format_name(s->dst));
    }
    const char *name = s->reference_name != NULL ? s->reference_name : s->program->reference;
    s->reference = reference_find(name);
    if (s->reference == NULL || s->reference->inputs != 1) {
        return cli_fail(s->cli,
                        name[0] == '\0' ? "the kernel states no .reference: give "
                                          "--reference%s"
                                        : "--reference: no function '%s' of one input",
                        name);
    }
    s->points = calloc(POINTS, sizeof *s->points);
    s->sorted = calloc(POINTS, sizeof *s->sorted);
    return s->points == NULL || s->sorted == NULL ? cli_fail(s->cli, "out of memory")
                                                  : open_kernel(s);
}

int cmd_sweep(struct cli *cli, int argc, char **argv)
{
    static struct sweep s;
    s.cli = cli;
    s.domain = TX_DST_BF16;
    static const struct argp argp = {options, parse, "KERNEL", doc, NULL, NULL, NULL};
    int result = cli_parse(cli, &argp, argc, argv, &s);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (s.kernel == NULL) {
        return cli_fail(cli, "no kernel given; see 'tensix sweep --help'");
    }
    result = prepare(&s);
    if (result == CLI_CONTINUE) {
        result = run_tiles(&s);
    }
    if (result == CLI_CONTINUE && s.csv != NULL) {
        result = write_csv(&s);
    }
    if (result == CLI_CONTINUE) {
        qsort(s.sorted, s.sorted_count, sizeof *s.sorted, by_value);
        if (cli->json) {
            print_json(&s);
        } else {
            print_text(&s);
        }
        result = CLI_OK;
    }
    if (s.kernel_handle != NULL) {
        tx_kernel_close(s.kernel_handle);
    }
    tx_program_free(s.program);
    free(s.points);
    free(s.sorted);
    return result;
}
