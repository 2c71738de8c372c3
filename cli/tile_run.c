/* SPDX-License-Identifier: Apache-2.0 */
/* tensix tile run: compiled programs on the tile's cores, from L1 to L1. */
#include "cli.h"

#include "tile/tile_program.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "run/l1.h"
#include "print/run.h"
#include "run/run.h"

enum {
    KEY_ARCH = CLI_KEY_FIRST,
    KEY_ELF,
    KEY_L1,
    KEY_L1_OUT,
    KEY_POKE,
    KEY_UNTIL,
    KEY_MAX,
    KEY_UNTIMED,
    KEY_STRICT,
    KEY_BOOT
};

enum { WORDS = 64, DEFAULT_CYCLES = 10000000 };

struct word {
    uint32_t address, value;
};

struct tile_job {
    struct cli *cli;
    enum tx_arch arch;
    struct tile_program programs[TX_CORES];
    unsigned count;
    struct l1_job l1;
    struct word pokes[WORDS], until[WORDS];
    unsigned poke_count, until_count;
    uint64_t max_cycles;
    bool untimed, strict, boot_b;
    tx_tensix *tile;
    struct run_findings findings;
    struct run_shown shown;
};

static const struct argp_option options[] = {
    {"arch", KEY_ARCH, "CHIP", 0, "Chip: bh or wh", 1},
    {"elf", KEY_ELF, "CORE=FILE", 0,
     "Program of a core, b t0 t1 t2 nc (or brisc, unpack ...): an ELF file, else an image for its "
     "default start address; may repeat",
     1},
    CLI_L1_OPTIONS(KEY_L1, KEY_L1_OUT, 2),
    {"poke", KEY_POKE, "ADDRESS=VALUE", 0, "Store a word before the cores start; may repeat", 2},
    {"boot", KEY_BOOT, "b", 0,
     "Start core B only, with the start addresses of T0 to T2 where tt-llk's firmware looks for "
     "them; default: every core that has a program starts",
     2},
    {"until", KEY_UNTIL, "ADDRESS=VALUE", 0,
     "End when the word has the value; of several, all of them. Default: when every core rests", 3},
    {"max-cycles", KEY_MAX, "N", 0, "Give up after N cycles, default 10000000", 3},
    {"untimed", KEY_UNTIMED, NULL, 0, "Cores execute one instruction in every cycle", 3},
    {"strict", KEY_STRICT, NULL, 0, "Stop at the first finding", 3},
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Runs programs of the RISC-V cores of a tile. A core rests in ebreak, in a jump to itself, or "
    "where it cannot go on.\vExit status 1: a deadlock, cycles that did not suffice, a fault; the "
    "message tells where each core stands and what it waits for.";

static int add_program(struct tile_job *job, char *text)
{
    char *equals = strchr(text, '=');
    char name[16];
    enum tx_core core;
    snprintf(name, sizeof name, "%.*s", equals != NULL ? (int)(equals - text) : 15, text);
    if (equals == NULL || equals[1] == '\0') {
        return cli_fail(job->cli, "--elf: '%s' is not CORE=FILE", text);
    }
    if (equals - text > 15 || tx_core_parse(name, &core) != TX_OK) {
        return cli_fail(job->cli, "--elf: no core '%s'; there are b, t0, t1, t2, nc", name);
    }
    for (unsigned i = 0; i < job->count; i++) {
        if (job->programs[i].core == core) {
            return cli_fail(job->cli, "--elf: core %s has two programs", tx_core_name(core));
        }
    }
    job->programs[job->count].path = equals + 1;
    job->programs[job->count++].core = core;
    return 0;
}

static int add_word(struct tile_job *job, const char *option, const char *text, struct word *words,
                    unsigned *count)
{
    char left[24];
    int64_t address;
    int64_t value;
    const char *equals = strchr(text, '=');
    if (*count == WORDS) {
        return cli_fail(job->cli, "%s: more than %d", option, WORDS);
    }
    snprintf(left, sizeof left, "%.*s",
             equals != NULL && equals - text < 23 ? (int)(equals - text) : 0, text);
    if (equals == NULL || !txl_number(left, 0, UINT32_MAX, &address) ||
        !txl_number(equals + 1, INT32_MIN, UINT32_MAX, &value) || address % 4 != 0) {
        return cli_fail(job->cli, "%s: '%s' is not ADDRESS=VALUE of a word", option, text);
    }
    words[(*count)++] = (struct word){(uint32_t)address, (uint32_t)value};
    return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct tile_job *job = state->input;
    switch (key) {
    case KEY_ARCH:
        return cli_arch(job->cli, arg, &job->arch);
    case KEY_ELF:
        return add_program(job, arg);
    case KEY_L1:
    case KEY_L1_OUT:
        return l1_option(&job->l1, arg, key == KEY_L1_OUT);
    case KEY_POKE:
        return add_word(job, "--poke", arg, job->pokes, &job->poke_count);
    case KEY_UNTIL:
        return add_word(job, "--until", arg, job->until, &job->until_count);
    case KEY_MAX:
        return cli_unsigned(job->cli, "--max-cycles", arg, INT64_MAX, &job->max_cycles);
    case KEY_UNTIMED:
        job->untimed = true;
        return 0;
    case KEY_STRICT:
        job->strict = true;
        return 0;
    case KEY_BOOT:
        job->boot_b = strcmp(arg, "b") == 0 || strcmp(arg, "brisc") == 0;
        return job->boot_b ? 0 : cli_fail(job->cli, "--boot: only core b can boot, not '%s'", arg);
    case ARGP_KEY_ARG:
        return cli_fail(job->cli, "'%s': programs are given as --elf CORE=FILE", arg);
    default:
        return cli_common(job->cli, key);
    }
}

/* ---- before ---- */

static bool put_word(tx_tensix *tile, uint32_t address, uint32_t value)
{
    const uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                              (uint8_t)(value >> 24)};
    return tx_tensix_write(tile, address, bytes, sizeof bytes) == TX_OK;
}

static bool get_word(tx_tensix *tile, uint32_t address, uint32_t *value)
{
    uint8_t b[4];
    if (tx_tensix_read(tile, address, b, sizeof b) != TX_OK) {
        return false;
    }
    *value = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    return true;
}

static int load(struct tile_job *job, const struct tile_program *p, bool local)
{
    for (unsigned i = 0; i < p->count; i++) {
        const struct tile_segment *s = &p->segments[i];
        enum tx_status status = TX_OK;
        if (s->local != local) {
            continue;
        }
        uint8_t *bytes = calloc(1, s->room + 1u);
        if (bytes == NULL) {
            return cli_fail(job->cli, "out of memory");
        }
        memcpy(bytes, s->bytes, s->size);
        status = local ? tx_core_local_write(job->tile, p->core, s->address, bytes, s->room)
                       : tx_tensix_write(job->tile, s->address, bytes, s->room);
        free(bytes);
        if (status != TX_OK) {
            return cli_fail(job->cli, "%s: %s", p->path, tx_status_text(status));
        }
    }
    return CLI_CONTINUE;
}

/* Where tt-llk's loader (Blackhole) or its B firmware (Wormhole) puts start addresses. */
static void set_starts(struct tile_job *job)
{
    const bool bh = job->arch == TX_BLACKHOLE;
    for (unsigned i = 0; i < job->count; i++) {
        const struct tile_program *p = &job->programs[i];
        if (p->core >= TX_CORE_T0 && p->core <= TX_CORE_T2) {
            const uint32_t n = (uint32_t)p->core - TX_CORE_T0;
            (void)put_word(job->tile, (bh ? 0xFFB12228u : 0x16DFF0u) + 4 * n, p->entry);
        }
    }
    if (bh) {
        (void)put_word(job->tile, 0xFFB12234u, 7);
    }
}

static int prepare(struct tile_job *job)
{
    int result = l1_place(&job->l1, tx_tensix_machine(job->tile));
    for (unsigned i = 0; i < job->count && result == CLI_CONTINUE; i++) {
        result = load(job, &job->programs[i], false);
    }
    for (unsigned i = 0; i < job->poke_count && result == CLI_CONTINUE; i++) {
        if (!put_word(job->tile, job->pokes[i].address, job->pokes[i].value)) {
            return cli_fail(job->cli, "--poke: there is nothing at %08x",
                            (unsigned)job->pokes[i].address);
        }
    }
    for (unsigned i = 0; i < job->until_count && result == CLI_CONTINUE; i++) {
        uint32_t value;
        if (!get_word(job->tile, job->until[i].address, &value)) {
            return cli_fail(job->cli, "--until: there is nothing at %08x",
                            (unsigned)job->until[i].address);
        }
    }
    if (job->boot_b && result == CLI_CONTINUE) {
        set_starts(job);
    }
    for (unsigned i = 0; i < job->count && result == CLI_CONTINUE; i++) {
        const struct tile_program *p = &job->programs[i];
        if (!job->boot_b || p->core == TX_CORE_B) {
            (void)tx_tensix_start(job->tile, p->core, p->entry);
        }
        result = load(job, p, true); /* leaving reset clears local memory */
    }
    return result;
}

/* ---- running ---- */

/* The first word of --until that has another value; NULL: there is none. */
static const struct word *missing(const struct tile_job *job)
{
    for (unsigned i = 0; i < job->until_count; i++) {
        uint32_t value = 0;
        (void)get_word(job->tile, job->until[i].address, &value);
        if (value != job->until[i].value) {
            return &job->until[i];
        }
    }
    return NULL;
}

/* *sum: instructions of all cores; whether all rest. */
static bool all_rest(const struct tile_job *job, uint64_t *sum)
{
    bool rest = tx_idle(tx_tensix_machine(job->tile));
    *sum = 0;
    for (unsigned c = 0; c < TX_CORES; c++) {
        struct tx_core_state s;
        (void)tx_tensix_core(job->tile, (enum tx_core)c, &s);
        *sum += s.instructions;
        rest = rest && s.rests;
    }
    return rest;
}

/* With --until: looked at now and then. */
static enum tx_status run_until(struct tile_job *job)
{
    enum { LOOK = 16, PATIENCE = 10000 };
    const tx_machine *m = tx_tensix_machine(job->tile);
    uint64_t last = 0;
    uint64_t since = 0;
    while (tx_tensix_cycles(job->tile) < job->max_cycles) {
        uint64_t sum;
        const enum tx_status status = tx_tensix_cycle(job->tile, LOOK);
        if (status != TX_OK || missing(job) == NULL) {
            return status;
        }
        const bool rest = all_rest(job, &sum);
        if (sum != last) {
            last = sum;
            since = tx_tensix_cycles(job->tile);
        }
        if (rest ||
            (tx_tensix_cycles(job->tile) - since > PATIENCE && (tx_idle(m) || tx_stuck(m)))) {
            return TX_EDEADLOCK;
        }
    }
    return TX_ELIMIT;
}

/* ---- after ---- */

static const struct tile_program *program_of(const struct tile_job *job, unsigned core)
{
    for (unsigned i = 0; i < job->count; i++) {
        if (job->programs[i].core == core) {
            return &job->programs[i];
        }
    }
    return NULL;
}

static const char *where(const struct tile_job *job, unsigned core, uint32_t pc, char *text)
{
    const struct tile_program *p = program_of(job, core);
    return p == NULL ? NULL : tile_function(p, pc, text);
}

/* One line: where each core and thread stands. */
static int failed(struct tile_job *job, enum tx_status status)
{
    char line[1600];
    char text[256];
    char name[96];
    tx_machine *m = tx_tensix_machine(job->tile);
    const unsigned long long cycles = (unsigned long long)tx_tensix_cycles(job->tile);
    const struct tx_finding *fault = tx_fault(m);
    if (status == TX_FAULT && fault != NULL) {
        return cli_refuse(job->cli, CLI_NEGATIVE, "fault in cycle %llu (%s, %s): %s",
                          (unsigned long long)fault->cycle, tx_category_name(fault->category),
                          fault->rule, fault->message);
    }
    uint64_t sum;
    const struct word *w = missing(job);
    if (w != NULL && all_rest(job, &sum)) {
        uint32_t value = 0;
        (void)get_word(job->tile, w->address, &value);
        return cli_refuse(job->cli, CLI_NEGATIVE,
                          "every core rests after %llu cycles, and %08x is %08x, not %08x", cycles,
                          (unsigned)w->address, (unsigned)value, (unsigned)w->value);
    }
    int n = snprintf(line, sizeof line, "%s after %llu cycles",
                     status == TX_EDEADLOCK ? "deadlock" : "not done", cycles);
    for (unsigned c = 0; c < TX_CORES && n < (int)sizeof line; c++) {
        struct tx_core_state s;
        if (tx_tensix_wait_text(job->tile, (enum tx_core)c, text, sizeof text) &&
            tx_tensix_core(job->tile, (enum tx_core)c, &s) == TX_OK) {
            const char *function = where(job, c, s.pc, name);
            n += snprintf(line + n, sizeof line - (size_t)n, "; %s%s%s", text,
                          function != NULL ? " in " : "", function != NULL ? function : "");
        }
    }
    for (unsigned t = 0; t < TX_THREADS && n < (int)sizeof line; t++) {
        if (tx_wait_text(m, t, text, sizeof text)) {
            n += snprintf(line + n, sizeof line - (size_t)n, "; coprocessor: %s", text);
        }
    }
    return cli_refuse(job->cli, CLI_NEGATIVE, "%s", line);
}

static const char *phase_text(const struct tx_core_state *s)
{
    static const char *const texts[] = {"in reset", "runs", "paused", "hung", "stopped"};
    return s->phase == TX_CORE_RUNS && s->rests ? "loops for ever" : texts[s->phase];
}

static void print_l1(const struct l1_job *l1)
{
    struct txl_l1_file files[L1_FILES];
    l1_show(files, l1->in, l1->in_count);
    for (unsigned i = 0; i < l1->in_count; i++) {
        print_l1_file(&files[i], false);
    }
    l1_show(files, l1->out, l1->out_count);
    for (unsigned i = 0; i < l1->out_count; i++) {
        print_l1_file(&files[i], true);
    }
}

static void print_findings(FILE *stream, const struct tile_job *job)
{
    for (size_t i = 0; i < job->shown.finding_count; i++) {
        print_finding(stream, &job->shown.findings[i]);
    }
    print_findings_end(stream, job->shown.finding_count, job->findings.dropped);
}

static void print_text(struct tile_job *job)
{
    char name[96];
    printf("tile            %s%s\n", tx_arch_name(job->arch), job->untimed ? ", untimed" : "");
    printf("cycles          %llu\n", (unsigned long long)tx_tensix_cycles(job->tile));
    print_l1(&job->l1);
    for (unsigned c = 0; c < TX_CORES; c++) {
        struct tx_core_state s;
        (void)tx_tensix_core(job->tile, (enum tx_core)c, &s);
        if (s.phase == TX_CORE_HELD && s.instructions == 0) {
            continue;
        }
        const char *function = where(job, c, s.pc, name);
        printf("core %-10s %llu instructions, %s at %08x%s%s\n", tx_core_name((enum tx_core)c),
               (unsigned long long)s.instructions, phase_text(&s), (unsigned)s.pc,
               function != NULL ? " in " : "", function != NULL ? function : "");
        const char *between = "                waited cycles: ";
        for (size_t i = 1; i < TX_CORE_WAITS; i++) {
            if (s.waited[i] != 0) {
                printf("%s%s %llu", between, tx_core_wait_text(i), (unsigned long long)s.waited[i]);
                between = ", ";
            }
        }
        if (between[0] == ',') {
            putchar('\n');
        }
    }
    print_findings(stdout, job);
}

static int print_json(struct tile_job *job)
{
    char name[96];
    txl_json *root = txl_json_object();
    txl_json *cores = txl_json_array();
    txl_json_set_text(root, "arch", tx_arch_name(job->arch));
    txl_json_set_bool(root, "untimed", job->untimed);
    txl_json_set_int(root, "cycles", tx_tensix_cycles(job->tile));
    txl_json_set(root, "l1", l1_json(&job->l1));
    for (unsigned c = 0; c < TX_CORES; c++) {
        struct tx_core_state s;
        (void)tx_tensix_core(job->tile, (enum tx_core)c, &s);
        txl_json *object = txl_json_object();
        txl_json *waited = txl_json_object();
        const char *function = where(job, c, s.pc, name);
        txl_json_set_text(object, "core", tx_core_name((enum tx_core)c));
        txl_json_set_text(object, "state", phase_text(&s));
        txl_json_set_word(object, "pc", s.pc);
        if (function != NULL) {
            txl_json_set_text(object, "function", function);
        }
        txl_json_set_int(object, "instructions", s.instructions);
        for (size_t i = 1; i < TX_CORE_WAITS; i++) {
            txl_json_set_int(waited, tx_core_wait_text(i), s.waited[i]);
        }
        txl_json_set(object, "waited", waited);
        txl_json_append(cores, object);
    }
    txl_json_set(root, "cores", cores);
    txl_json_set(root, "findings", run_findings_json(&job->shown));
    txl_json_set_int(root, "findings_dropped", job->findings.dropped);
    const int result = cli_put_json(job->cli, txl_json_indented(root));
    txl_json_free(root);
    return result;
}

static int go(struct tile_job *job)
{
    struct tx_tensix_settings settings;
    tx_tensix_settings_default(&settings, job->arch);
    settings.machine.mode = job->strict ? TX_MODE_STRICT : TX_MODE_SILICON;
    settings.untimed = job->untimed;
    const enum tx_status opened = tx_tensix_open(&settings, &job->tile);
    if (opened != TX_OK) {
        return cli_fail(job->cli, "%s", tx_status_text(opened));
    }
    int result = prepare(job);
    if (result != CLI_CONTINUE) {
        return result;
    }
    const enum tx_status status =
        job->until_count != 0 ? run_until(job) : tx_tensix_run(job->tile, job->max_cycles);
    static const uint64_t notes[RUN_NOTES];
    run_collect(&job->findings, tx_tensix_machine(job->tile), false, NULL);
    (void)run_show(&job->cli->error, &job->shown, &job->findings, notes, NULL);
    if (status != TX_OK) {
        if (!job->cli->json && job->findings.count != 0) {
            print_findings(stderr, job);
        }
        return failed(job, status);
    }
    result = l1_take(&job->l1, tx_tensix_machine(job->tile));
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (job->cli->json) {
        return print_json(job);
    }
    print_text(job);
    return CLI_OK;
}

int tile_run(struct cli *cli, int argc, char **argv)
{
    static struct tile_job job;
    static const struct argp argp = {options, parse, "", doc, NULL, NULL, NULL};
    job = (struct tile_job){.cli = cli, .max_cycles = DEFAULT_CYCLES};
    job.l1.err = &cli->error;
    int result = cli_parse(cli, &argp, argc, argv, &job);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (job.arch == TX_ARCH_NONE) {
        return cli_fail(cli, "which chip? give --arch bh or --arch wh");
    }
    if (job.count == 0) {
        return cli_fail(cli, "no program given: --elf CORE=FILE; see 'tensix tile run --help'");
    }
    job.l1.arch = job.arch;
    result = l1_settle(&job.l1);
    for (unsigned i = 0; i < job.count && result == CLI_CONTINUE; i++) {
        result = tile_program_read(&cli->error, job.arch, &job.programs[i]);
    }
    if (result == CLI_CONTINUE) {
        result = tile_programs_apart(&cli->error, job.programs, job.count);
    }
    if (result == CLI_CONTINUE && job.boot_b && program_of(&job, TX_CORE_B) == NULL) {
        result = cli_fail(cli, "--boot b: core b has no program");
    }
    if (result == CLI_CONTINUE) {
        result = go(&job);
    }
    tx_tensix_close(job.tile);
    for (unsigned i = 0; i < job.count; i++) {
        tile_program_free(&job.programs[i]);
    }
    l1_free(&job.l1);
    run_hide(&job.shown);
    return result;
}
