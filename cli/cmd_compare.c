/* SPDX-License-Identifier: Apache-2.0 */
/* tensix compare: two kernels, or one on two chips, over a domain; where they part, and cycles. */
#include "cli.h"

#include "sweep/sweep.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/progress.h"

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

struct side {
    const char *path;
    enum tx_arch arch;
    struct sweep_kernel kernel;
    uint64_t cycles;
};

struct compare {
    struct cli *cli;
    struct side side[SIDES];
    const char *domain_text, *engine_name, *rules[TX_MAX_RULES];
    unsigned path_count, rule_count, jobs;
    enum tx_dst_format dst, out_dst;
    enum tx_start start;
    uint64_t sample, stride, seed;
    bool no_progress;
    const struct sweep_engine *engine;
    struct sweep_domain domain;

    pthread_mutex_t mutex;
    uint64_t next; /* batch */
    uint64_t differing, first;
    uint32_t got[SIDES], x[SWEEP_INPUTS]; /* at first */
    bool failed;
    char message[SWEEP_MESSAGE];
};

struct comparer {
    struct compare *compare;
    pthread_t thread;
    void *engine[SIDES];
    uint32_t *words[SWEEP_INPUTS], *got[SIDES];
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

static error_t parse_number(struct compare *c, int key, const char *arg)
{
    uint64_t number = 0;
    error_t result = 0;
    switch (key) {
    case KEY_SAMPLE:
        return cli_unsigned(c->cli, "--sample", arg, UINT64_C(1) << 32, &c->sample);
    case KEY_STRIDE:
        return cli_unsigned(c->cli, "--stride", arg, INT64_MAX, &c->stride);
    case KEY_SEED:
        return cli_unsigned(c->cli, "--seed", arg, UINT32_MAX, &c->seed);
    case KEY_JOBS:
        result = cli_unsigned(c->cli, "--jobs", arg, RUN_THREADS, &number);
        c->jobs = (unsigned)number;
        return result;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct compare *c = state->input;
    switch (key) {
    case CLI_KEY_START:
        return cli_start(c->cli, arg, &c->start);
    case KEY_ARCH:
        return cli_arch(c->cli, arg, &c->side[0].arch);
    case KEY_ARCH_B:
        return cli_arch(c->cli, arg, &c->side[1].arch);
    case KEY_DOMAIN:
        c->domain_text = arg;
        return 0;
    case KEY_DST:
        return cli_dst(c->cli, "--dst", arg, &c->dst);
    case KEY_OUT_DST:
        return cli_dst(c->cli, "--out-dst", arg, &c->out_dst);
    case KEY_ENGINE:
        c->engine_name = arg;
        return 0;
    case KEY_NO_PROGRESS:
        c->no_progress = true;
        return 0;
    case KEY_RULE:
        if (c->rule_count == TX_MAX_RULES) {
            return cli_fail(c->cli, "more than %d --rule", TX_MAX_RULES);
        }
        c->rules[c->rule_count++] = arg;
        return 0;
    case ARGP_KEY_ARG:
        if (c->path_count == SIDES) {
            return cli_fail(c->cli, "two kernels at a time: '%s' is the third", arg);
        }
        c->side[c->path_count++].path = arg;
        return 0;
    default:
        break;
    }
    error_t result = parse_number(c, key, arg);
    return result == ARGP_ERR_UNKNOWN ? cli_common(c->cli, key) : result;
}

static int load_side(struct compare *c, struct side *side)
{
    struct txl_load how = {.arch = side->arch, .start = c->start};
    int result = txl_load_program(&c->cli->error, side->path, &how, &side->kernel.program);
    if (result == CLI_CONTINUE) {
        result = txl_check_words(&c->cli->error, side->path, side->kernel.program);
    }
    if (result != CLI_CONTINUE) {
        return result;
    }
    const struct tx_program *program = side->kernel.program;
    tx_settings_default(&side->kernel.settings, tx_program_arch(program));
    for (unsigned i = 0; i < c->rule_count; i++) {
        if (tx_settings_rule(&side->kernel.settings, c->rules[i]) != TX_OK) {
            return cli_fail(c->cli, "--rule: no such rule or value: '%s'", c->rules[i]);
        }
    }
    tx_kernel_options_default(&side->kernel.options);
    side->kernel.options.dst = c->dst;
    side->kernel.options.out = c->out_dst;
    txl_formats(program, &side->kernel.options);
    side->kernel.options.seed = (uint32_t)c->seed;
    unsigned inputs = tx_program_inputs(program) > 0 ? tx_program_inputs(program) : 1;
    if (inputs != c->domain.operands) {
        return cli_fail(c->cli, "%s takes %u input%s, --domain %s has %u; pairs are bf16xbf16",
                        side->path, inputs, inputs == 1 ? "" : "s", c->domain.text,
                        c->domain.operands);
    }
    struct sweep_findings *findings = calloc(1, sizeof *findings);
    if (findings == NULL) {
        return cli_fail(c->cli, "out of memory");
    }
    result = sweep_measure(&c->cli->error, side->path, &side->kernel, &side->cycles, findings);
    free(findings);
    return result;
}

/* ---- the work ---- */

static bool take(struct compare *c, uint64_t *index)
{
    pthread_mutex_lock(&c->mutex);
    *index = c->next * SWEEP_BATCH_ELEMENTS;
    bool more = *index < c->domain.count && !c->failed;
    c->next += more ? 1 : 0;
    pthread_mutex_unlock(&c->mutex);
    return more;
}

static void add_batch(struct comparer *w, uint64_t index, size_t count)
{
    struct compare *c = w->compare;
    uint64_t differing = 0;
    size_t first = count;
    for (size_t i = 0; i < count; i++) {
        bool other = w->got[0][i] != w->got[1][i];
        first = other && differing == 0 ? i : first;
        differing += other ? 1 : 0;
    }
    pthread_mutex_lock(&c->mutex);
    c->differing += differing;
    if (differing > 0 && index + first < c->first) {
        c->first = index + first;
        for (unsigned n = 0; n < SIDES; n++) {
            c->got[n] = w->got[n][first];
        }
        for (unsigned k = 0; k < c->domain.operands; k++) {
            c->x[k] = w->words[k][first];
        }
    }
    pthread_mutex_unlock(&c->mutex);
}

static void *work(void *argument)
{
    struct comparer *w = argument;
    struct compare *c = w->compare;
    uint64_t index = 0;
    while (take(c, &index)) {
        char message[SWEEP_MESSAGE] = "";
        uint64_t left = c->domain.count - index;
        size_t count = left < SWEEP_BATCH_ELEMENTS ? (size_t)left : SWEEP_BATCH_ELEMENTS;
        size_t tiles = (count + TX_TILE_ELEMENTS - 1) / TX_TILE_ELEMENTS;
        domain_fill(&c->domain, index, count, w->words);
        for (unsigned k = 0; k < c->domain.operands; k++) {
            for (size_t i = count; i < tiles * TX_TILE_ELEMENTS; i++) {
                w->words[k][i] = w->words[k][count - 1];
            }
        }
        bool good = true;
        for (unsigned n = 0; n < SIDES && good; n++) {
            good = c->engine->run(w->engine[n], index / TX_TILE_ELEMENTS, (unsigned)tiles,
                                  (const uint32_t *const *)w->words, w->got[n], message);
        }
        if (!good) {
            pthread_mutex_lock(&c->mutex);
            c->failed = true;
            snprintf(c->message, sizeof c->message, "%s", message);
            pthread_mutex_unlock(&c->mutex);
            break;
        }
        add_batch(w, index, count);
    }
    return NULL;
}

static int open_comparer(struct compare *c, struct comparer *w)
{
    w->compare = c;
    for (unsigned k = 0; k < SWEEP_INPUTS; k++) {
        w->words[k] = calloc(SWEEP_BATCH_ELEMENTS, sizeof **w->words);
        if (w->words[k] == NULL) {
            return cli_fail(c->cli, "out of memory");
        }
    }
    for (unsigned n = 0; n < SIDES; n++) {
        char message[SWEEP_MESSAGE] = "";
        w->got[n] = calloc(SWEEP_BATCH_ELEMENTS, sizeof **w->got);
        if (w->got[n] == NULL) {
            return cli_fail(c->cli, "out of memory");
        }
        w->engine[n] = c->engine->open(&c->side[n].kernel, message);
        if (w->engine[n] == NULL) {
            return cli_refuse(c->cli, CLI_INPUT, "%s: %s", c->side[n].path, message);
        }
    }
    return CLI_CONTINUE;
}

static void close_comparer(struct comparer *w)
{
    for (unsigned k = 0; k < SWEEP_INPUTS; k++) {
        free(w->words[k]);
    }
    for (unsigned n = 0; n < SIDES; n++) {
        free(w->got[n]);
        if (w->engine[n] != NULL) {
            w->compare->engine->close(w->engine[n]);
        }
    }
}

static void watch(struct compare *c)
{
    struct progress progress;
    progress_start(&progress, !c->no_progress, c->domain.count, "inputs");
    for (bool more = progress.wanted; more;) {
        usleep(100000);
        pthread_mutex_lock(&c->mutex);
        uint64_t done = c->next * SWEEP_BATCH_ELEMENTS;
        more = done < c->domain.count && !c->failed;
        pthread_mutex_unlock(&c->mutex);
        progress_update(&progress, done < c->domain.count ? done : c->domain.count);
    }
    progress_end(&progress);
}

static int run_all(struct compare *c)
{
    struct comparer *workers = calloc(c->jobs, sizeof *workers);
    int result = workers == NULL ? cli_fail(c->cli, "out of memory") : CLI_CONTINUE;
    unsigned opened = 0;
    while (opened < c->jobs && result == CLI_CONTINUE) {
        result = open_comparer(c, &workers[opened++]);
    }
    unsigned started = 0;
    pthread_mutex_init(&c->mutex, NULL);
    while (started < c->jobs && result == CLI_CONTINUE &&
           pthread_create(&workers[started].thread, NULL, work, &workers[started]) == 0) {
        started++;
    }
    if (started > 0) {
        watch(c);
    } else if (result == CLI_CONTINUE) {
        result = cli_fail(c->cli, "no thread could be started");
    }
    for (unsigned i = 0; i < started; i++) {
        pthread_join(workers[i].thread, NULL);
    }
    for (unsigned i = 0; i < opened; i++) {
        close_comparer(&workers[i]);
    }
    free(workers);
    if (result == CLI_CONTINUE && c->failed) {
        result = cli_refuse(c->cli, CLI_NEGATIVE, "%s", c->message);
    }
    return result;
}

/* ---- where they part ---- */

static bool has_value(const struct sweep_steps *steps, uint32_t value)
{
    for (size_t i = 0; i < steps->count; i++) {
        if (!steps->list[i].store && steps->list[i].value == value) {
            return true;
        }
    }
    return false;
}

/*
 * Step for step where both run the same instructions. Otherwise the first value of each that the
 * other never has; a form of the same computation in another order has none before the mistake.
 */
static void find_parting(const struct sweep_steps *steps, size_t *place)
{
    bool same = steps[0].count == steps[1].count;
    for (size_t i = 0; i < steps[0].count && same; i++) {
        same = steps[0].list[i].word == steps[1].list[i].word;
    }
    for (unsigned n = 0; n < SIDES; n++) {
        const struct sweep_steps *other = &steps[1 - n];
        size_t i = 0;
        while (i < steps[n].count &&
               (same ? steps[n].list[i].value == other->list[i].value
                     : !steps[n].list[i].store && has_value(other, steps[n].list[i].value))) {
            i++;
        }
        place[n] = i;
    }
}

static void print_parting(const struct compare *c, const struct sweep_steps *steps,
                          const size_t *place)
{
    for (unsigned n = 0; n < SIDES; n++) {
        printf("%-15s %s", n == 0 ? "part at" : "", n == 0 ? "a" : "b");
        if (place[n] >= steps[n].count) {
            printf(" nothing that the other does not compute\n");
            continue;
        }
        struct sweep_step one = steps[n].list[place[n]];
        char text[128];
        char number[48];
        (void)tx_disassemble(tx_program_arch(c->side[n].kernel.program), one.word, TX_DIS_NORMAL,
                             text, sizeof text);
        printf(" cycle %llu: %s = %08x %s by %s%s\n",
               (unsigned long long)(one.cycle - steps[n].list[0].cycle), one.store ? "Dst" : "LReg",
               one.value, number_text(TX_DST_FP32, one.value, number, sizeof number), text,
               one.scheduled ? " (scheduled)" : "");
    }
}

static json_t *side_json(const struct compare *c, unsigned n, const struct sweep_steps *steps,
                         const size_t *place)
{
    const struct side *side = &c->side[n];
    json_t *object = json_object();
    jx_set_text(object, "kernel", side->path);
    jx_set_text(object, "arch", tx_arch_name(tx_program_arch(side->kernel.program)));
    jx_set_text(object, "start", txl_start_name(side->kernel.program));
    jx_set_text(object, "dst", tx_dst_format_name(side->kernel.options.dst));
    jx_set_text(object, "out_dst", tx_dst_format_name(side->kernel.options.out));
    jx_set_text(object, "dst_encoding", tx_dst_encoding_name(side->kernel.options.dst));
    jx_set_int(object, "cycles_per_tile", side->cycles);
    if (c->differing == 0) {
        return object;
    }
    jx_set_hex(object, "got", c->got[n]);
    if (place[n] < steps[n].count) {
        struct sweep_steps one = {.list = &steps[n].list[place[n]], .count = 1};
        json_t *list = sweep_steps_json(tx_program_arch(side->kernel.program), &one);
        json_t *step = json_array_get(list, 0);
        jx_set_int(step, "cycle", one.list[0].cycle - steps[n].list[0].cycle);
        json_object_set(object, "part_at", step);
        json_decref(list);
    }
    return object;
}

static void print_json(const struct compare *c, const struct sweep_steps *steps,
                       const size_t *place)
{
    json_t *root = json_object();
    jx_set_text(root, "domain", c->domain.text);
    jx_set_int(root, "compared", c->domain.count);
    jx_set_bool(root, "identical", c->differing == 0);
    jx_set_int(root, "differing", c->differing);
    if (c->differing != 0) {
        json_t *list = json_array();
        for (unsigned k = 0; k < c->domain.operands; k++) {
            char text[16];
            snprintf(text, sizeof text, "0x%08x", c->x[k]);
            json_array_append_new(list, jx_text(text));
        }
        jx_set_int(root, "first", c->first);
        json_object_set_new(root, "inputs", list);
    }
    json_object_set_new(root, "a", side_json(c, 0, steps, place));
    json_object_set_new(root, "b", side_json(c, 1, steps, place));
    jx_print(stdout, root);
    json_decref(root);
}

static void print_text(const struct compare *c, const struct sweep_steps *steps,
                       const size_t *place)
{
    char dst[80];
    char text[256];
    for (unsigned n = 0; n < SIDES; n++) {
        const struct side *side = &c->side[n];
        printf("%-15s %s on %s, Dst %s%s: cycles a tile %llu, a row of 32 %.6g\n",
               n == 0 ? "a" : "b", txl_basename(side->path),
               tx_arch_name(tx_program_arch(side->kernel.program)),
               txl_dst_text(side->kernel.options.dst, dst), txl_start_text(side->kernel.program),
               (unsigned long long)side->cycles, (double)side->cycles / 32.0);
    }
    printf("inputs          %s\n", domain_count_text(&c->domain, text, sizeof text));
    if (c->differing == 0) {
        printf("identical\n");
        return;
    }
    printf("differing       %llu of %llu\nfirst          ", (unsigned long long)c->differing,
           (unsigned long long)c->domain.count);
    for (unsigned k = 0; k < c->domain.operands; k++) {
        printf(" x%u %s %08x", k,
               number_text(c->side[0].kernel.options.dst, c->x[k], text, sizeof text), c->x[k]);
    }
    for (unsigned n = 0; n < SIDES; n++) {
        printf("  %s %s %08x", n == 0 ? "a" : "b",
               number_text(c->side[n].kernel.options.out, c->got[n], text, sizeof text), c->got[n]);
    }
    printf("\n");
    print_parting(c, steps, place);
}

static int report(struct compare *c)
{
    struct sweep_steps steps[SIDES] = {{0}};
    size_t place[SIDES] = {0};
    bool good = true;
    for (unsigned n = 0; n < SIDES && c->differing > 0; n++) {
        good = sweep_steps_of(&c->side[n].kernel, &c->domain, c->first, &steps[n]) && good;
    }
    find_parting(steps, place);
    if (!good) {
        (void)cli_fail(c->cli, "the first input that differs could not be traced");
    } else if (c->cli->json) {
        print_json(c, steps, place);
    } else {
        print_text(c, steps, place);
    }
    for (unsigned n = 0; n < SIDES; n++) {
        free(steps[n].list);
    }
    return !good ? CLI_INPUT : c->differing == 0 ? CLI_OK : CLI_NEGATIVE;
}

static int prepare(struct compare *c)
{
    if (c->path_count == 1) {
        c->side[1].path = c->side[0].path;
    }
    if (c->side[1].arch == TX_ARCH_NONE) {
        c->side[1].arch = c->side[0].arch;
    }
    c->engine = sweep_engine_find(c->engine_name);
    if (c->engine == NULL) {
        return cli_fail(c->cli, "--engine: there is no '%s'", c->engine_name);
    }
    if (c->jobs == 0) {
        long processors = sysconf(_SC_NPROCESSORS_ONLN);
        c->jobs = processors < 1             ? 1
                  : processors > RUN_THREADS ? RUN_THREADS
                                             : (unsigned)processors;
    }
    int result =
        domain_parse(&c->cli->error, c->domain_text, TX_DST_FP32, c->stride, c->sample, &c->domain);
    for (unsigned n = 0; n < SIDES && result == CLI_CONTINUE; n++) {
        result = load_side(c, &c->side[n]);
        c->side[n].kernel.compiler = cli_compiler(c->cli);
        c->side[n].kernel.tiles = c->domain.count / TX_TILE_ELEMENTS;
    }
    const enum tx_dst_format a = c->side[0].kernel.options.out;
    const enum tx_dst_format b = c->side[1].kernel.options.out;
    if (result == CLI_CONTINUE && number_format(a)->integer != number_format(b)->integer) {
        result = cli_fail(
            c->cli, "results of %s are %s, those of %s are %s; --out-dst says for both",
            c->side[0].path, tx_dst_format_name(a), c->side[1].path, tx_dst_format_name(b));
    }
    return result;
}

int cmd_compare(struct cli *cli, int argc, char **argv)
{
    static struct compare c;
    static const struct argp argp = {options, parse, "A [B]", doc, NULL, NULL, NULL};
    c = (struct compare){
        .cli = cli, .domain_text = "bf16", .engine_name = "auto", .first = UINT64_MAX};
    int result = cli_parse(cli, &argp, argc, argv, &c);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (c.path_count == 0 || (c.path_count == 1 && c.side[1].arch == TX_ARCH_NONE)) {
        return cli_fail(cli, "two kernels are needed, or one and --arch-b");
    }
    result = prepare(&c);
    if (result == CLI_CONTINUE) {
        result = run_all(&c);
    }
    if (result == CLI_CONTINUE) {
        result = report(&c);
    }
    for (unsigned n = 0; n < SIDES; n++) {
        tx_program_free(c.side[n].kernel.program);
    }
    domain_free(&c.domain);
    return result;
}
