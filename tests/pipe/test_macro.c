/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPLOADMACRO. Kernels of examples/kernels/macro against the published schedules, cycle by cycle
 * (macro_golden.txt), and against plain programs of the same function (macro_plain.txt); then the
 * rules one by one. What is expected comes from spec/timing.md a.7, b.3, b.5 and ruling R14.
 */
#include "coverage/coverage.h"

#include <tensix/tensix.h>

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TILE = TX_TILE_ELEMENTS, DENSE_TILES = 64, RANDOM_TILES = 98, EVENTS = 4096 };

/* ---- what happened ---- */

struct happened {
    uint64_t cycle;
    char unit; /* l s m r t as issued, L S M R T as scheduled, - for other units */
    char name[16];
    uint32_t lanes;
};

struct log {
    enum tx_arch arch;
    struct happened at[EVENTS];
    size_t count;
    unsigned stalls;
};

static void note(void *user, const struct tx_event *event)
{
    static const char units[] = "-lsmrt-------";
    struct log *log = user;
    coverage_event(&log->arch, event);
    if (event->kind == TX_EVENT_STALL) {
        log->stalls++;
    }
    if ((event->kind != TX_EVENT_ISSUE && event->kind != TX_EVENT_EXECUTE) ||
        log->count == EVENTS) {
        return;
    }
    struct happened *h = &log->at[log->count++];
    h->cycle = event->cycle;
    h->unit = units[event->unit];
    h->lanes = event->lanes;
    snprintf(h->name, sizeof h->name, "%s", event->row->mnemonic);
    for (char *p = h->name; *p != '\0'; p++) {
        *p = (char)tolower((unsigned char)*p);
    }
    if (event->kind == TX_EVENT_EXECUTE) {
        h->unit = (char)toupper((unsigned char)h->unit);
    }
}

static int by_time(const void *a, const void *b)
{
    const struct happened *x = a;
    const struct happened *y = b;
    if (x->cycle != y->cycle) {
        return x->cycle < y->cycle ? -1 : 1;
    }
    if (x->unit != y->unit) {
        return x->unit < y->unit ? -1 : 1;
    }
    return strcmp(x->name, y->name);
}

static uint32_t random32(void)
{
    static uint64_t state = 0x853C49E6748FEA9Bu;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state ^ state >> 22) >> (22 + (state >> 61)));
}

/* ---- kernels ---- */

static char *read_text(const char *file)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", TX_SOURCE_DIR, file);
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        fail_msg("%s cannot be read", path);
    }
    enum { ROOM = 1 << 16 };
    char *text = calloc(1, ROOM);
    assert_non_null(text);
    assert_true(fread(text, 1, ROOM - 1, stream) < ROOM - 1);
    fclose(stream);
    return text;
}

struct bench {
    struct tx_program *program;
    tx_kernel *kernel;
    tx_machine *machine;
    struct log *log;
};

static void bench_open(struct bench *b, enum tx_arch arch, enum tx_mode mode, const char *text,
                       const char *what)
{
    const struct tx_asm_options how = {.arch = arch};
    struct tx_diag diag;
    struct tx_settings settings;
    struct tx_kernel_options options;
    if (tx_assemble(text, strlen(text), &how, &b->program, &diag) != TX_OK) {
        fail_msg("%s:%u:%u: %s: %s", what, diag.line, diag.column, diag.message, diag.source);
    }
    b->log = calloc(1, sizeof *b->log);
    assert_non_null(b->log);
    tx_settings_default(&settings, arch);
    settings.mode = mode;
    settings.sink.event = note;
    settings.sink.user = b->log;
    b->log->arch = arch;
    tx_kernel_options_default(&options);
    assert_int_equal(tx_kernel_open(&settings, b->program, &options, &b->kernel), TX_OK);
    b->machine = tx_kernel_machine(b->kernel);
    if (tx_kernel_start(b->kernel) != TX_OK) {
        fail_msg("%s: %s", what, tx_fault(b->machine)->message);
    }
}

static void bench_close(struct bench *b)
{
    tx_kernel_close(b->kernel);
    tx_program_free(b->program);
    free(b->log);
}

/* A kernel of macro_golden.txt. */
struct golden {
    char name[32], chips[8], domain[8];
    unsigned interval, slots, inputs;
    struct happened at[32];
    size_t count;
};

static void parse_golden(struct golden *g, size_t *count, size_t room)
{
    char *text = read_text("tests/pipe/macro_golden.txt");
    *count = 0;
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        int used = 0;
        if (line[0] == '#') {
            continue;
        }
        if (line[0] != ' ') {
            assert_true(*count < room);
            struct golden *new = &g[(*count)++];
            memset(new, 0, sizeof *new);
            assert_int_equal(sscanf(line, "%31s %7s %u %u %7s %u%n", new->name, new->chips,
                                    &new->interval, &new->slots, new->domain, &new->inputs, &used),
                             6);
        }
        struct golden *now = &g[*count - 1];
        const char *p = line + used;
        struct happened h = {0};
        unsigned cycle;
        while (sscanf(p, " %c:%15[a-z0-9]@%u%n", &h.unit, h.name, &cycle, &used) == 3) {
            h.cycle = cycle;
            assert_true(now->count < sizeof now->at / sizeof now->at[0]);
            now->at[now->count++] = h;
            p += used;
        }
        assert_true(*p == '\0' || *p == ' ');
    }
    free(text);
}

static void add(struct log *log, uint64_t cycle, char unit, const char *name)
{
    struct happened *h = &log->at[log->count++];
    h->cycle = cycle;
    h->unit = unit;
    snprintf(h->name, sizeof h->name, "%s", name);
}

/* b.3: the table for every row, each so many cycles after the one before. */
static void expect_rows(const struct golden *g, struct log *want)
{
    want->count = 0;
    if (strcmp(g->name, "exp_clamped") == 0) {
        for (unsigned row = 0; row < 32; row++) {
            const uint64_t face = row / 8 * 26;
            const uint64_t first = face + 2 * (row & 7u);
            const uint64_t second = face + 15 + (row & 7u);
            add(want, first, 'l', "sfploadmacro");
            add(want, first + 1, 'S', "sfpswap");
            add(want, first + 3, 'T', "sfpstore");
            add(want, second, 'l', "sfploadmacro");
            add(want, second + 1, 'M', "sfpmad");
            add(want, second + 3, 'R', "sfpstochrnd");
            add(want, second + 4, 'S', "sfpshft");
            add(want, second + 5, 'T', "sfpstore");
        }
    }
    for (unsigned row = 0; row < 32; row++) {
        for (size_t i = 0; i < g->count; i++) {
            add(want, g->at[i].cycle + (uint64_t)row * g->interval, g->at[i].unit, g->at[i].name);
        }
    }
    qsort(want->at, want->count, sizeof want->at[0], by_time);
}

/* Vector instructions but SFPNOP, cycles relative to the first launch. */
static void strip(struct log *log)
{
    size_t kept = 0;
    for (size_t i = 0; i < log->count; i++) {
        if (strcmp(log->at[i].name, "sfpnop") != 0 && log->at[i].unit != '-') {
            log->at[kept++] = log->at[i];
        }
    }
    log->count = kept;
    qsort(log->at, log->count, sizeof log->at[0], by_time);
    const uint64_t base = log->count != 0 ? log->at[0].cycle : 0;
    for (size_t i = 0; i < log->count; i++) {
        log->at[i].cycle -= base;
    }
}

static void compare_logs(const char *what, const struct log *want, const struct log *got)
{
    for (size_t i = 0; i < want->count || i < got->count; i++) {
        if (i >= want->count || i >= got->count || by_time(&want->at[i], &got->at[i]) != 0) {
            static const struct happened none = {.unit = '-', .name = "nothing"};
            const struct happened *w = i < want->count ? &want->at[i] : &none;
            const struct happened *h = i < got->count ? &got->at[i] : &none;
            fail_msg("%s: expected %c:%s in cycle %u, got %c:%s in cycle %u", what, w->unit,
                     w->name, (unsigned)w->cycle, h->unit, h->name, (unsigned)h->cycle);
        }
    }
}

/* ---- data ---- */

static uint32_t spread(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7FEB352Du;
    x ^= x >> 15;
    x *= 0x846CA68Bu;
    return x ^ x >> 16;
}

static void write_cells(tx_machine *m, unsigned tile, unsigned input, bool dense)
{
    for (unsigned row = 0; row < 64; row++) {
        uint32_t cells[16];
        for (unsigned column = 0; column < 16; column++) {
            const uint32_t i = tile * TILE + row * 16 + column;
            cells[column] = (dense ? i : spread(i ^ input << 28)) & 0xFFFFu;
            if (input == 1 && (spread(i) & 3u) == 0) {
                cells[column] = 0;
            }
        }
        assert_int_equal(tx_write(m, TX_FILE_DST, input * 64 + row, cells, 16), TX_OK);
    }
}

static void write_words(tx_machine *m, const struct golden *g, unsigned tile, unsigned input)
{
    uint32_t values[TILE];
    for (unsigned e = 0; e < TILE; e++) {
        const uint32_t i = tile * TILE + e;
        uint32_t v = spread(i + 77777u * input);
        if (tile < DENSE_TILES && input == 0) {
            v = g->domain[0] == 'f' ? i << 16 : (i & 1u) != 0 ? i : 0u - i;
        } else if (g->domain[0] == 'i') {
            v = (spread(v) & 3u) == 0 ? v >> (v & 31u) : v;
            v = (spread(v) & 31u) == 1 ? 0x80000000u : v;
        } else if (g->domain[0] == 'w' && input == 0) {
            v = (spread(v) & 1u) != 0 ? 0 : (spread(v) & 6u) == 2 ? 0x80000000u : v;
        }
        values[e] = v;
    }
    assert_int_equal(tx_dst_load_tile(m, input, TX_DST_FP32, values), TX_OK);
}

/* The whole of Dst: something everywhere, and the inputs. */
static void fill(tx_machine *m, const struct golden *g, unsigned tile)
{
    for (unsigned row = 0; row < TX_DST_ROWS; row++) {
        uint32_t cells[16];
        const uint32_t all = 0xFFFF;
        for (unsigned column = 0; column < 16; column++) {
            cells[column] = spread(row * 16 + column + tile) & 0xFFFFu;
        }
        assert_int_equal(tx_write(m, TX_FILE_DST, row, cells, 16), TX_OK);
        assert_int_equal(tx_write(m, TX_FILE_DST_KNOWN, row, &all, 1), TX_OK);
    }
    for (unsigned input = 0; input < g->inputs; input++) {
        if (g->domain[0] == 'u') {
            write_cells(m, tile, input, input == 0 && tile < DENSE_TILES);
        } else {
            write_words(m, g, tile, input);
        }
    }
    const uint32_t zero[TX_RWC_COUNT] = {0};
    assert_int_equal(tx_write(m, TX_FILE_RWC, 1, zero, TX_RWC_COUNT), TX_OK);
}

static void run_words(struct bench *b, const uint32_t *gaps, const char *what)
{
    const unsigned s = TX_SECTION_TILE;
    b->log->count = 0;
    if (tx_run_gaps(b->machine, 1, b->program->section[s].words, b->program->section[s].count,
                    gaps) != TX_OK) {
        const struct tx_finding *f = tx_fault(b->machine);
        fail_msg("%s: cycle %u: %s", what, (unsigned)f->cycle, f->message);
    }
}

/* Number of Dst rows that differ; *first: the first. */
static unsigned dst_differs(const tx_machine *a, const tx_machine *b, unsigned *first)
{
    unsigned differ = 0;
    for (unsigned row = TX_DST_ROWS; row-- != 0;) {
        uint32_t x[16];
        uint32_t y[16];
        assert_int_equal(tx_read(a, TX_FILE_DST, row, x, 16), TX_OK);
        assert_int_equal(tx_read(b, TX_FILE_DST, row, y, 16), TX_OK);
        if (memcmp(x, y, sizeof x) != 0) {
            differ++;
            *first = row;
        }
    }
    return differ;
}

static void append(char **out, const char *from, size_t length)
{
    memcpy(*out, from, length);
    *out += length;
    **out = '\0';
}

/* The plain program of a kernel, from its block of macro_plain.txt. */
static char *plain_text(const char *name, enum tx_dst_format dst)
{
    enum { ROOM = 1 << 16 };
    char mark[48];
    char *all = read_text("tests/pipe/macro_plain.txt");
    char *text = calloc(1, ROOM);
    assert_non_null(text);
    snprintf(mark, sizeof mark, "\n%%%% %s\n", name);
    const char *at = strstr(all, mark);
    if (at == NULL) {
        fail_msg("%s: no plain program", name);
    }
    at += strlen(mark);
    const char *end = strstr(at, "\n%% ");
    end = end == NULL ? at + strlen(at) : end;
    const char *row = strstr(at, "--");
    char *out = text + sprintf(text, ".dst %s\n.init\n", tx_dst_format_name(dst));
    append(&out, at, (size_t)(row - at));
    out += sprintf(out, ".tile\n");
    const bool reverse = strncmp(row, "-- reverse", 10) == 0;
    row = strchr(row, '\n') + 1;
    for (unsigned i = 0; i < 32; i++) {
        const unsigned address = 2 * (reverse ? 31 - i : i);
        for (const char *p = row; p < end;) {
            unsigned tile = 0;
            if (*p != '{') {
                append(&out, p++, 1);
                continue;
            }
            sscanf(p, "{o%u}", &tile);
            out += sprintf(out, "%u", address + tile);
            p = strchr(p, '}') + 1;
        }
        append(&out, "\n", 1);
    }
    assert_true(out - text < ROOM);
    free(all);
    return text;
}

static bool on_chip(const struct golden *g, enum tx_arch arch)
{
    return strstr(g->chips, arch == TX_BLACKHOLE ? "BH" : "WH") != NULL;
}

static void open_kernel(struct bench *b, const struct golden *g, enum tx_arch arch)
{
    char file[96];
    snprintf(file, sizeof file, "examples/kernels/macro/%.31s.s", g->name);
    char *text = read_text(file);
    bench_open(b, arch, TX_MODE_STRICT, text, g->name);
    free(text);
}

static void check_kernel(const struct golden *g, enum tx_arch arch)
{
    struct bench b;
    struct bench plain;
    struct log *want = calloc(1, sizeof *want);
    assert_non_null(want);
    open_kernel(&b, g, arch);
    char *text = plain_text(g->name, tx_kernel_dst(b.kernel));
    bench_open(&plain, arch, TX_MODE_SILICON, text, g->name);
    free(text);
    expect_rows(g, want);
    assert_int_equal(b.program->section[TX_SECTION_TILE].count, g->slots);
    for (unsigned tile = 0; tile < DENSE_TILES + RANDOM_TILES; tile++) {
        unsigned row = 0;
        fill(b.machine, g, tile);
        fill(plain.machine, g, tile);
        const uint64_t before = tx_machine_counters(b.machine).cycles;
        run_words(&b, NULL, g->name);
        const uint64_t cycles = tx_machine_counters(b.machine).cycles - before;
        run_words(&plain, NULL, g->name);
        if (tile == 0) {
            const uint64_t last = want->at[want->count - 1].cycle + 1;
            strip(b.log);
            compare_logs(g->name, want, b.log);
            assert_int_equal(cycles, last > g->slots ? last : g->slots);
            assert_int_equal(b.log->stalls, 0);
        }
        const unsigned differ = dst_differs(b.machine, plain.machine, &row);
        if (differ != 0) {
            fail_msg("%s on %s: tile %u: %u rows of Dst differ, the first is %u", g->name,
                     tx_arch_name(arch), tile, differ, row);
        }
    }
    bench_close(&b);
    bench_close(&plain);
    free(want);
}

static struct golden kernels[48];
static size_t kernel_count;

static void kernel_test(void **state)
{
    const struct golden *g = *state;
    for (int arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        if (on_chip(g, (enum tx_arch)arch)) {
            check_kernel(g, (enum tx_arch)arch);
        }
    }
}

/* ---- rules, one by one ---- */

enum { SIMPLE, MAD, ROUND, STORE, UNITS };
enum { BY_VB = 0x80, TO_L16 = 0x40, IDLE = 0x38 };

struct rig {
    tx_machine *m;
    enum tx_arch arch;
    struct log *log;
    bool forget_always; /* rule macro-forget=always */
};

static struct rig rig_open_rule(enum tx_arch arch, bool forget_always)
{
    struct rig r = {.arch = arch, .log = calloc(1, sizeof *r.log)};
    struct tx_settings settings;
    const uint32_t all = 0xFFFF;
    assert_non_null(r.log);
    tx_settings_default(&settings, arch);
    settings.sink.event = note;
    settings.sink.user = r.log;
    r.log->arch = arch;
    r.forget_always = forget_always;
    if (forget_always) {
        assert_int_equal(tx_settings_rule(&settings, "macro-forget=always"), TX_OK);
    }
    coverage_rules(&settings);
    assert_int_equal(tx_open(&settings, &r.m), TX_OK);
    for (unsigned row = 0; row < TX_DST_ROWS; row++) {
        assert_int_equal(tx_write(r.m, TX_FILE_DST_KNOWN, row, &all, 1), TX_OK);
    }
    return r;
}

static struct rig rig_open(enum tx_arch arch)
{
    return rig_open_rule(arch, false);
}

static void rig_close(struct rig *r)
{
    tx_close(r->m);
    free(r->log);
}

static size_t words_of(const struct rig *r, const char *text, uint32_t *words, size_t room)
{
    const struct tx_asm_options how = {.arch = r->arch};
    struct tx_program *p;
    struct tx_diag diag;
    if (tx_assemble(text, strlen(text), &how, &p, &diag) != TX_OK) {
        fail_msg("%s: %s", diag.source, diag.message);
    }
    const size_t count = p->section[TX_SECTION_TILE].count;
    assert_true(count <= room);
    memcpy(words, p->section[TX_SECTION_TILE].words, count * sizeof *words);
    tx_program_free(p);
    return count;
}

/* Runs text after the cycles in gaps; the log starts anew, cycles count from the first issue. */
static void run_text_gaps(struct rig *r, const char *text, const uint32_t *gaps)
{
    uint32_t words[256];
    const size_t count = words_of(r, text, words, 256);
    r->log->count = 0;
    r->log->stalls = 0;
    assert_int_equal(tx_run_gaps(r->m, 1, words, count, gaps), TX_OK);
    const uint64_t base = r->log->count != 0 ? r->log->at[0].cycle : 0;
    for (size_t i = 0; i < r->log->count; i++) {
        r->log->at[i].cycle -= base;
    }
}

static void run_text(struct rig *r, const char *text)
{
    run_text_gaps(r, text, NULL);
}

static void set_lanes(struct rig *r, enum tx_file file, unsigned index, uint32_t value)
{
    uint32_t lanes[32];
    for (unsigned i = 0; i < 32; i++) {
        lanes[i] = value;
    }
    assert_int_equal(tx_write(r->m, file, index, lanes, 32), TX_OK);
}

static void set_template(struct rig *r, unsigned index, const char *text)
{
    uint32_t word;
    assert_int_equal(words_of(r, text, &word, 1), 1);
    set_lanes(r, TX_FILE_MACRO_TEMPLATE, index, word);
}

static uint32_t byte(unsigned select, unsigned delay, unsigned flags)
{
    return select | delay << 3 | flags;
}

static void set_sequence(struct rig *r, unsigned macro, uint32_t simple, uint32_t mad,
                         uint32_t round, uint32_t store)
{
    set_lanes(r, TX_FILE_MACRO_SEQUENCE, macro, simple | mad << 8 | round << 16 | store << 24);
}

static void set_misc(struct rig *r, uint32_t misc)
{
    set_lanes(r, TX_FILE_MACRO_MISC, 0, misc);
}

static void set_lreg(struct rig *r, unsigned reg, uint32_t value)
{
    set_lanes(r, TX_FILE_LREG, reg, value);
}

static uint32_t lreg(const struct rig *r, unsigned reg, unsigned lane)
{
    uint32_t lanes[32];
    assert_int_equal(tx_read(r->m, TX_FILE_LREG, reg, lanes, 32), TX_OK);
    return lanes[lane];
}

/* Dst as a tile of 32-bit patterns; every element of tile 0 the same. */
static void set_dst(struct rig *r, uint32_t value)
{
    uint32_t values[TILE];
    for (unsigned i = 0; i < TILE; i++) {
        values[i] = value;
    }
    assert_int_equal(tx_dst_load_tile(r->m, 0, TX_DST_FP32, values), TX_OK);
}

/* What lane sees at an address of tile 0. */
static uint32_t dst(const struct rig *r, unsigned address, unsigned lane)
{
    uint32_t values[TILE];
    const struct tx_dst_place place = tx_dst_place(address, lane);
    assert_int_equal(tx_dst_store_tile(r->m, 0, TX_DST_FP32, values), TX_OK);
    return values[tx_tile_element(place.row, place.column)];
}

/* Cycle in which the n-th instruction of a kind (unit and name) happened, or -1. */
static int when(const struct rig *r, char unit, const char *name, unsigned n)
{
    for (size_t i = 0; i < r->log->count; i++) {
        const struct happened *h = &r->log->at[i];
        if (h->unit == unit && strcmp(h->name, name) == 0 && n-- == 0) {
            return (int)h->cycle;
        }
    }
    return -1;
}

static unsigned findings(const struct rig *r, enum tx_category category, const char *part)
{
    unsigned count = 0;
    for (size_t i = 0; i < tx_finding_count(r->m); i++) {
        const struct tx_finding *f = tx_finding_at(r->m, i);
        count += f->category == category && strcmp(f->rule, "R14") == 0 &&
                         strstr(f->message, part) != NULL
                     ? (unsigned)f->count
                     : 0;
    }
    return count;
}

static const char unit_letters[] = "SMRT";
static const char *const unit_insn[UNITS] = {"sfpnot", "sfpmad", "sfpshft2", "sfpstore"};

/* Templates 0..2: NOT, MAD, SHFT2 by 0. */
static void usual_templates(struct rig *r)
{
    set_template(r, 0, "sfpnot L12, L0");
    set_template(r, 1, "sfpmad L13, L9, L9, L0, 0");
    set_template(r, 2, "sfpshft2 L14, L0, 0, 6");
}

static uint32_t usual_byte(unsigned unit, unsigned delay)
{
    static const unsigned select[UNITS] = {4, 5, 6, 3};
    return byte(select[unit], delay, unit == ROUND ? BY_VB : 0);
}

static void set_one(struct rig *r, unsigned macro, unsigned unit, uint32_t value)
{
    uint32_t b[UNITS] = {IDLE, IDLE, IDLE, IDLE};
    b[unit] = value;
    set_sequence(r, macro, b[SIMPLE], b[MAD], b[ROUND], b[STORE]);
}

/* a.7: with cycle counters an op of a launch at c runs at c + 1 + d, and a run waits for it. */
static void delay_cycles(struct rig *r)
{
    usual_templates(r);
    set_misc(r, 0x004);
    for (unsigned unit = 0; unit < UNITS; unit++) {
        for (unsigned d = 0; d < 8; d++) {
            set_one(r, 0, unit, usual_byte(unit, d));
            run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
            assert_int_equal(when(r, unit_letters[unit], unit_insn[unit], 0), 1 + d);
            assert_int_equal(when(r, unit_letters[unit], unit_insn[unit], 1), -1);
        }
    }
    assert_int_equal(tx_finding_count(r->m), 0);
}

/* a.7 rule 3: the other kind counts vector instructions, and only the step 0 -> run is a cycle. */
static void delay_instructions(struct rig *r)
{
    usual_templates(r);
    for (unsigned unit = 0; unit < UNITS; unit++) {
        set_misc(r, 0x004 | 0x100u << unit);
        for (unsigned d = 0; d < 8; d++) {
            const char letter = unit_letters[unit];
            set_one(r, 0, unit, usual_byte(unit, d));
            run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
            assert_int_equal(when(r, letter, unit_insn[unit], 0), d == 0 ? 1 : -1);
            /* No vector instructions: nothing moves. */
            run_text(r, "ttnop\nttincrwc 0, 0, 0, 0\nttdmanop\nttnop");
            assert_int_equal(when(r, letter, unit_insn[unit], 0), -1);
            for (unsigned issued = 1; issued <= d; issued++) {
                const uint32_t gap[1] = {3};
                run_text_gaps(r, "sfpnop", gap);
                assert_int_equal(when(r, letter, unit_insn[unit], 0), issued == d ? 1 : -1);
            }
            run_text(r, "sfpnop\nsfpnop");
            assert_int_equal(when(r, letter, unit_insn[unit], 0), -1);
        }
    }
    assert_int_equal(tx_finding_count(r->m), 0);
}

/* (d) 11: instructions of any thread count. */
static void delay_other_thread(struct rig *r)
{
    usual_templates(r);
    set_misc(r, 0x100);
    set_one(r, 0, SIMPLE, usual_byte(SIMPLE, 2));
    run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
    const uint32_t nops[2] = {0x8F000000u, 0x8F000000u};
    r->log->count = 0;
    assert_int_equal(tx_run(r->m, 0, nops, 1), TX_OK);
    assert_int_equal(when(r, 'S', "sfpnot", 0), -1);
    assert_int_equal(tx_run(r->m, 2, nops, 1), TX_OK);
    assert_true(when(r, 'S', "sfpnot", 0) >= 0);
}

/*
 * The joint rule: while the Simple op of the instruction kind is outstanding, the others wait for
 * issues, too; afterwards they count cycles again. Issues in cycles 0, 3 and 6: Simple runs in 7.
 */
static void delay_joint(struct rig *r)
{
    usual_templates(r);
    set_misc(r, 0x104);
    set_sequence(r, 0, usual_byte(SIMPLE, 2), usual_byte(MAD, 4), IDLE, usual_byte(STORE, 5));
    const uint32_t gaps[3] = {0, 2, 2};
    run_text_gaps(r, "sfploadmacro 0, L1, 0, 4, 3\nsfpnop\nsfpnop", gaps);
    assert_int_equal(when(r, 'S', "sfpnot", 0), 7);
    assert_int_equal(when(r, 'M', "sfpmad", 0), 9);
    assert_int_equal(when(r, 'T', "sfpstore", 0), 10);
    /* Armed without an op of that unit: cycles (b.3, u16 to u32). */
    set_sequence(r, 0, IDLE, usual_byte(MAD, 4), IDLE, usual_byte(STORE, 5));
    run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
    assert_int_equal(when(r, 'M', "sfpmad", 0), 5);
    assert_int_equal(when(r, 'T', "sfpstore", 0), 6);
    /* An op of another launch, on another unit, also counts. */
    set_misc(r, 0x404);
    set_one(r, 0, STORE, usual_byte(STORE, 4));
    set_one(r, 1, ROUND, usual_byte(ROUND, 1));
    const uint32_t late[3] = {0, 0, 5};
    run_text_gaps(r, "sfploadmacro 0, L1, 0, 4, 3\nsfploadmacro 1, L2, 2, 4, 3\nsfpnop", late);
    /* Store: 4 after the launch, 3 after cycle 1, then held until the issue in cycle 7. */
    assert_int_equal(when(r, 'R', "sfpshft2", 0), 8);
    assert_int_equal(when(r, 'T', "sfpstore", 0), 10);
}

/* b.5 9: the same delay in consecutive launches never collides, a delay one shorter does. */
static void forget(struct rig *r)
{
    usual_templates(r);
    for (unsigned kind = 0; kind < 2; kind++) {
        set_misc(r, kind == 0 ? 0x004 : 0xF04);
        for (unsigned unit = 0; unit < UNITS; unit++) {
            const char letter = unit_letters[unit];
            const char *const name = unit_insn[unit];
            for (unsigned d = 0; d < 8; d++) {
                static const char two[] =
                    "sfploadmacro 0, L1, 0, 4, 3\nsfploadmacro 1, L2, 2, 4, 3\n"
                    "sfpnop\nsfpnop\nsfpnop\nsfpnop\nsfpnop\nsfpnop\nsfpnop\nsfpnop\nsfpnop";
                set_one(r, 0, unit, usual_byte(unit, d));
                set_one(r, 1, unit, usual_byte(unit, d));
                run_text(r, two);
                assert_int_equal(when(r, letter, name, 0), 1 + d);
                assert_int_equal(when(r, letter, name, 1), 2 + d);
                if (d == 0) {
                    continue;
                }
                set_one(r, 1, unit, usual_byte(unit, d - 1));
                run_text(r, two);
                assert_int_equal(when(r, letter, name, 0), 1 + d); /* the later one */
                assert_int_equal(when(r, letter, name, 1), -1);
                if (unit == SIMPLE) { /* NOT in place: which register it was tells who ran */
                    set_lreg(r, 1, 0);
                    set_lreg(r, 2, 0);
                    set_dst(r, 5);
                    run_text(r, two);
                    assert_int_equal(lreg(r, 1, 0), 5);
                    assert_int_equal(lreg(r, 2, 0), ~5u);
                }
                /* A byte that selects nothing forgets under macro-forget=always only; 7 never. */
                set_one(r, 1, unit, byte(0, d - 1, 0));
                run_text(r, two);
                assert_int_equal(when(r, letter, name, 0), r->forget_always ? -1 : (int)(1 + d));
                set_one(r, 1, unit, byte(0, 7, 0));
                run_text(r, two);
                assert_int_equal(when(r, letter, name, 0), 1 + d);
                for (unsigned other = 0; other < 7; other++) {
                    if (other != d - 1) {
                        set_one(r, 1, unit, byte(0, other, 0));
                        run_text(r, two);
                        assert_int_equal(when(r, letter, name, 0), 1 + d);
                    }
                }
            }
        }
    }
}

/* a.7 rule 2. */
static void bad_selects(struct rig *r)
{
    usual_templates(r);
    set_misc(r, 0x004);
    set_template(r, 3, "sfpload L3, 0, 4, 3");
    for (unsigned unit = 0; unit < UNITS; unit++) {
        tx_findings_clear(r->m);
        set_one(r, 0, unit, byte(1, 0, 0));
        run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
        assert_int_equal(r->log->count, 1);
        assert_int_equal(findings(r, TX_UNDEFINED_BEHAVIOR, ""), 1);
        for (unsigned t = 0; t < 4; t++) {
            const bool legal = t == unit;
            tx_findings_clear(r->m);
            set_one(r, 0, unit, byte(4 + t, 1, unit == ROUND ? BY_VB : 0));
            run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
            assert_int_equal(r->log->count, unit == STORE ? 1 : 2);
            if (unit == STORE) {
                assert_int_equal(findings(r, TX_UNDEFINED_BEHAVIOR, ""), 1);
            } else {
                assert_int_equal(when(r, unit_letters[unit], legal ? unit_insn[unit] : "sfpnop", 0),
                                 2);
                assert_int_equal(findings(r, TX_HAZARD, ""), legal ? 0 : 1);
            }
        }
        /* 2 is SFPNOP, which the Store sub-unit does not have. */
        tx_findings_clear(r->m);
        set_one(r, 0, unit, byte(2, 0, 0));
        run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
        assert_int_equal(when(r, unit_letters[unit], "sfpnop", 0), unit == STORE ? -1 : 1);
        assert_int_equal(tx_finding_count(r->m), unit == STORE ? 1 : 0);
    }
    /* A word of no instruction, and SFPSTORE anywhere but on Store. */
    set_lanes(r, TX_FILE_MACRO_TEMPLATE, 3, 0xFF123456u);
    for (unsigned select = 3; select < 8; select += 4) {
        tx_findings_clear(r->m);
        set_one(r, 0, SIMPLE, byte(select, 0, 0));
        run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
        assert_int_equal(when(r, 'S', "sfpnop", 0), 1);
    }
    /* Blackhole's own instructions. */
    if (r->arch == TX_WORMHOLE) {
        set_lanes(r, TX_FILE_MACRO_TEMPLATE, 3, 0x99000000u);
        set_one(r, 0, SIMPLE, byte(7, 0, 0));
        run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
        assert_int_equal(when(r, 'S', "sfpnop", 0), 1);
    }
}

/* a.7 rule 4, b.5 10: a regular instruction on a taken sub-unit disappears. */
static void dropped(struct rig *r)
{
    static const char *const regular[UNITS] = {"sfpmov L5, L6, 0", "sfpmad L5, L10, L6, L9, 0",
                                               "sfpshft2 L5, L9, 6, 5", "sfpstore L6, 8, 4, 3"};
    char text[160];
    usual_templates(r);
    set_misc(r, 0x004);
    for (unsigned unit = 0; unit < UNITS; unit++) {
        set_one(r, 0, unit, usual_byte(unit, 1));
        for (unsigned which = 0; which < UNITS; which++) {
            for (unsigned at = 1; at < 4; at++) {
                tx_findings_clear(r->m);
                set_dst(r, 0x3F800000u);
                set_lreg(r, 5, 0x12345678u);
                set_lreg(r, 6, 0x40000000u);
                snprintf(text, sizeof text, "sfploadmacro 0, L1, 0, 4, 3\n%s%s%s\nsfpnop\nsfpnop",
                         at > 1 ? "sfpnop\n" : "", at > 2 ? "sfpnop\n" : "", regular[which]);
                run_text(r, text);
                const bool gone = unit == which && at == 2;
                const bool ran =
                    which == STORE ? dst(r, 8, 3) == 0x40000000u : lreg(r, 5, 3) == 0x40000000u;
                assert_int_equal(ran, !gone);
                assert_int_equal(findings(r, TX_HAZARD, "vanish"), gone ? 1 : 0);
                assert_int_equal(when(r, unit_letters[unit], unit_insn[unit], 0), 2);
            }
        }
        /* The load sub-unit is nobody else's. */
        set_lreg(r, 5, 0);
        run_text(r, "sfploadmacro 0, L1, 0, 4, 3\nsfpnop\nsfploadi L5, 7, 2");
        assert_int_equal(lreg(r, 5, 0), 7);
    }
}

/* a.2: reads are those of the cycle's start; MAD results come two cycles later. a.7 rule 9. */
static void l16_and_order(struct rig *r)
{
    set_template(r, 0, "sfpnot L12, L0");
    set_template(r, 1, "sfpmad L13, L9, L9, L0, 0");
    set_misc(r, 0x004);
    set_dst(r, 0x40400000u);
    set_lreg(r, 16, 0x11111111u);
    /* Simple to L16, stored in the same cycle and in the next one. */
    for (unsigned d = 0; d < 2; d++) {
        set_sequence(r, 0, byte(4, 0, TO_L16), IDLE, IDLE, byte(3, d, TO_L16));
        set_lreg(r, 16, 0x11111111u);
        set_dst(r, 0x40400000u);
        run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
        assert_int_equal(dst(r, 0, 5), d == 0 ? 0x11111111u : ~0x40400000u);
        assert_int_equal(lreg(r, 16, 5), ~0x40400000u);
        assert_int_equal(lreg(r, 1, 5), 0x40400000u);
    }
    /* MAD to L16: one cycle later the old value, two cycles later the new one. */
    for (unsigned d = 0; d < 3; d++) {
        set_sequence(r, 0, IDLE, byte(5, 0, TO_L16), IDLE, byte(3, d, TO_L16));
        set_lreg(r, 16, 0x11111111u);
        set_dst(r, 0x40400000u);
        run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
        assert_int_equal(dst(r, 0, 31), d < 2 ? 0x11111111u : 0x40400000u);
    }
    /* A load of the same register in the cycle of the op: the op sees the old value. */
    set_dst(r, 9);
    set_sequence(r, 0, byte(4, 0, TO_L16), IDLE, IDLE, IDLE);
    run_text(r, "sfploadmacro 0, L1, 0, 4, 3\nsfploadi L1, 5, 2");
    assert_int_equal(lreg(r, 16, 0), ~9u);
    assert_int_equal(lreg(r, 1, 0), 5);
    /* Regular readers of a scheduled MAD result: no stall on either chip, the old value. */
    set_dst(r, 0x40400000u);
    set_sequence(r, 0, IDLE, byte(5, 0, 0), IDLE, IDLE);
    set_template(r, 1, "sfpmad L13, L10, L10, L0, 0"); /* 1 + v */
    run_text(r, "sfploadmacro 0, L1, 0, 4, 3\nsfpnop\nsfpmov L2, L1, 0\nsfpmov L3, L1, 0");
    assert_int_equal(lreg(r, 2, 0), 0x40400000u);
    assert_int_equal(lreg(r, 3, 0), 0x40800000u);
    assert_int_equal(r->log->stalls, 0);
}

/* a.7 rule 8, and Mod0 of the store. */
static void stores(struct rig *r)
{
    uint32_t rwc[TX_RWC_COUNT] = {0};
    set_dst(r, 0);
    set_misc(r, 0x004);
    set_one(r, 0, STORE, byte(3, 3, 0));
    assert_int_equal(tx_config_set(r->m, 1, "ADDR_MOD_DST_SEC2_DestIncr", 8), TX_OK);
    assert_int_equal(tx_write(r->m, TX_FILE_RWC, 1, rwc, TX_RWC_COUNT), TX_OK);
    /* The load moves the counter by 8, INCRWC by 4; the store goes where the load was. */
    run_text(r, "sfploadmacro 0, L1, 4, 4, 2\nttincrwc 0, 4, 0, 0\nsfploadi L1, 77, 2");
    assert_int_equal(dst(r, 4, 0), 77);
    assert_int_equal(dst(r, 12, 0), 0);
    assert_int_equal(dst(r, 16, 0), 0);
    assert_int_equal(tx_read(r->m, TX_FILE_RWC, 1, rwc, TX_RWC_COUNT), TX_OK);
    assert_int_equal(rwc[TX_RWC_DST], 12);
    run_text(r, "sfploadmacro 0, L1, 0, 4, 2\nsfploadi L1, 78, 2");
    assert_int_equal(dst(r, 12, 7), 78);
    memset(rwc, 0, sizeof rwc);
    assert_int_equal(tx_write(r->m, TX_FILE_RWC, 1, rwc, TX_RWC_COUNT), TX_OK);

    /* UsesLoadMod0ForStore, a bit for each macro: 4 raw, 3 flushes a denormal. */
    for (unsigned uses = 0; uses < 16; uses++) {
        for (unsigned macro = 0; macro < 4; macro++) {
            char text[64];
            set_misc(r, 0x003 | uses << 4);
            set_one(r, macro, STORE, byte(3, 1, 0));
            set_dst(r, 1);
            snprintf(text, sizeof text, "sfploadmacro %u, L1, 0, 4, 3", macro);
            run_text(r, text);
            assert_int_equal(dst(r, 0, 0), (uses >> macro & 1u) != 0 ? 1 : 0);
            assert_int_equal(dst(r, 2, 0), 1);
        }
    }

    /* Source: VD of the macro, L16, or the template's own with bit 7; L13 needs no backdoor bit. */
    set_misc(r, 0x004);
    set_lreg(r, 0, 100);
    set_lreg(r, 13, 113);
    set_lreg(r, 16, 116);
    set_template(r, 0, "sfpstore L13, 20, 3, 3"); /* its mode and address do not matter */
    static const struct {
        unsigned select, flags, value;
    } cases[] = {{3, 0, 9}, {3, BY_VB, 100}, {3, TO_L16, 116}, {3, TO_L16 | BY_VB, 116},
                 {4, 0, 9}, {4, BY_VB, 113}, {4, TO_L16, 116}, {4, TO_L16 | BY_VB, 116}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        set_dst(r, 9);
        set_one(r, 0, STORE, byte(cases[i].select, 0, cases[i].flags));
        run_text(r, "sfploadmacro 0, L5, 5, 4, 3");
        assert_int_equal(dst(r, 4, 9), cases[i].value);
        assert_int_equal(dst(r, 20, 9), 9);
    }
    assert_int_equal(tx_finding_count(r->m), 0);
}

static void routed(struct rig *r, unsigned unit, const char *text, unsigned flags, uint32_t want)
{
    set_template(r, 0, text);
    set_one(r, 0, unit, byte(4, 0, flags));
    for (unsigned reg = 0; reg < 8; reg++) {
        set_lreg(r, reg, reg == 0 ? 0 : 0x3F800000u + (reg << 20));
    }
    set_lreg(r, 12, 0x40C00000u); /* 6.0 */
    set_lreg(r, 13, 0xC1000000u); /* -8.0 */
    set_lreg(r, 16, 0);
    set_dst(r, 0x40000000u); /* 2.0, into L4 */
    run_text(r, "sfploadmacro 0, L4, 1, 4, 3");
    const uint32_t got = lreg(r, (flags & TO_L16) != 0 ? 16 : 4, 17);
    if (got != want) {
        fail_msg("%s, flags %02x: expected %08x, got %08x", text, flags, (unsigned)want,
                 (unsigned)got);
    }
    if ((flags & TO_L16) != 0) {
        assert_int_equal(lreg(r, 4, 17), 0x40000000u);
    }
}

/* blackhole.md and wormhole.md, SFPLOADMACRO: which register becomes VB, VC and VD. */
static void routing(struct rig *r)
{
    set_misc(r, 0x004);
    for (unsigned to = 0; to <= TO_L16; to += TO_L16) {
        /* VA * VB + VC: 6 * -8 + v, or 6 * v - 8. */
        routed(r, MAD, "sfpmad L14, L12, L13, L13, 0", to, 0xC2380000u);
        routed(r, MAD, "sfpmad L14, L12, L13, L13, 0", to | BY_VB, 0x40800000u);
        /* No VC field: the template's VD, L12, where VB is supplied. 1.5 + v, 1.5 + 6. */
        routed(r, MAD, "sfpaddi L12, 0x3fc0, 0", to, 0x40600000u);
        routed(r, MAD, "sfpaddi L12, 0x3fc0, 0", to | BY_VB, 0x40F00000u);
        routed(r, MAD, "sfpmuli L13, 0x3fc0, 0", to | BY_VB, 0xC1400000u);
        /* No VB field: the template's VD, L13, where VC is supplied. */
        routed(r, SIMPLE, "sfpsetsgn L13, L12, 0, 0", to, 0xC0000000u);
        routed(r, SIMPLE, "sfpsetsgn L13, L13, 0, 0", to | BY_VB, 0x41000000u);
        routed(r, SIMPLE, "sfpiadd L12, L13, 0, 4", to, 0x80C00000u);
        routed(r, SIMPLE, "sfpiadd L12, L13, 0, 4", to | BY_VB, 0x01000000u);
        routed(r, SIMPLE, "sfpiadd L12, L13, 0, 6", to | BY_VB, 0x81000000u);
        routed(r, SIMPLE, "sfpxor L12, L13", to, 0x00C00000u);
        routed(r, SIMPLE, "sfpxor L12, L13", to | BY_VB, 0x81000000u);
        /* A VC field and no VB field: the template's VC stays with bit 7. */
        routed(r, SIMPLE, "sfpmov L12, L13, 0", to, 0x40000000u);
        routed(r, SIMPLE, "sfpmov L12, L13, 0", to | BY_VB, 0xC1000000u);
        /* AND, OR without USE_VB count as having no VB field. */
        routed(r, SIMPLE, "TTI_SFPOR(0, 13, 12, 0);", to, 0x40C00000u);
        routed(r, SIMPLE, "TTI_SFPOR(0, 13, 12, 0);", to | BY_VB, 0xC1000000u);
        if (r->arch == TX_BLACKHOLE) {
            routed(r, SIMPLE, "TTI_SFPOR(13, 12, 14, 1);", to, 0xC1000000u);
            routed(r, SIMPLE, "TTI_SFPOR(13, 12, 14, 1);", to | BY_VB, 0x40C00000u);
        }
        /* SHFT2: mode 6 takes VB from the immediate unless bit 7 supplies it; mode 5 has both. */
        routed(r, ROUND, "sfpshft2 L14, L0, -4, 6", to, 0x040C0000u);
        routed(r, ROUND, "sfpshft2 L14, L0, -4, 6", to | BY_VB, 0x04000000u);
        routed(r, ROUND, "sfpshft2 L14, L9, 12, 5", to | BY_VB, 0x40000000u);
        routed(r, ROUND, "sfpshft2 L14, L9, 12, 5", to, 0x40C00000u);
        routed(r, ROUND, "sfpstochrnd L14, L0, L0, 0, 6, 0", to, 2);
    }
    /* INDIRECT_VD counts unless VD is L16. */
    set_lreg(r, 7, 3);
    set_template(r, 0, "sfpmad L14, L9, L9, L0, 8");
    set_dst(r, 0x40000000u);
    set_lreg(r, 3, 0);
    set_lreg(r, 16, 0);
    set_one(r, 0, MAD, byte(4, 0, 0));
    run_text(r, "sfploadmacro 0, L4, 1, 4, 3");
    assert_int_equal(lreg(r, 3, 0), 0x40000000u);
    set_lreg(r, 3, 0);
    set_one(r, 0, MAD, byte(4, 0, TO_L16));
    run_text(r, "sfploadmacro 0, L4, 1, 4, 3");
    assert_int_equal(lreg(r, 3, 0), 0);
    assert_int_equal(lreg(r, 16, 0), 0x40000000u);
    /* VD = 16: data, no flags. */
    const uint32_t all = 0xFFFFFFFFu;
    uint32_t flags;
    assert_int_equal(tx_write(r->m, TX_FILE_USE_LANE_FLAGS, 0, &all, 1), TX_OK);
    for (unsigned to = 0; to <= TO_L16; to += TO_L16) {
        assert_int_equal(tx_write(r->m, TX_FILE_LANE_FLAGS, 0, &all, 1), TX_OK);
        set_template(r, 0, "sfpiadd L9, L9, 0, 0"); /* flag = result < 0 */
        set_one(r, 0, SIMPLE, byte(4, 0, BY_VB | to));
        run_text(r, "sfploadmacro 0, L4, 1, 4, 3");
        assert_int_equal(tx_read(r->m, TX_FILE_LANE_FLAGS, 0, &flags, 1), TX_OK);
        assert_int_equal(flags, to == 0 ? 0 : all);
    }
    assert_int_equal(tx_finding_count(r->m), 0);
}

/* a.2, R14: the lane mask is that of the execution cycle. Flags count from the next cycle on. */
static void live_mask(struct rig *r)
{
    const uint32_t use = 0xFFFFFFFFu;
    const uint32_t half = 0x0000FFFFu;
    set_misc(r, 0x004);
    set_template(r, 0, "TTI_SFPENCC(3, 0, 12, 10);");
    for (unsigned d = 0; d < 3; d++) {
        assert_int_equal(tx_write(r->m, TX_FILE_USE_LANE_FLAGS, 0, &use, 1), TX_OK);
        assert_int_equal(tx_write(r->m, TX_FILE_LANE_FLAGS, 0, &half, 1), TX_OK);
        set_sequence(r, 0, byte(4, d, 0), IDLE, IDLE, byte(3, 1, BY_VB));
        set_lreg(r, 0, 5);
        set_dst(r, 9);
        run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
        assert_int_equal(dst(r, 0, 3), 5);
        assert_int_equal(dst(r, 0, 30), d == 0 ? 5 : 9);
    }
    /* The other way round: launched with all lanes, stored under a mask made later. */
    set_one(r, 0, STORE, byte(3, 2, BY_VB));
    set_dst(r, 9);
    set_lreg(r, 2, 0);
    run_text(r, "sfploadmacro 0, L1, 0, 4, 3\nsfpsetcc L15, 0, 6\nsfpnop");
    assert_int_equal(dst(r, 0, 0), 5);
    assert_int_equal(dst(r, 0, 1), 9);
}

/* Rule 8: scheduled words execute whatever the backdoor bit says, and capture nothing. */
static void backdoor(struct rig *r)
{
    uint32_t before[4][32];
    uint32_t after[32];
    usual_templates(r);
    set_template(r, 3, "sfpswap L15, L10, 1");
    set_misc(r, 0x004);
    set_sequence(r, 0, usual_byte(SIMPLE, 0), usual_byte(MAD, 1), usual_byte(ROUND, 2), IDLE);
    set_sequence(r, 1, byte(7, 0, BY_VB), IDLE, IDLE, byte(3, 2, 0));
    for (unsigned t = 0; t < 4; t++) {
        assert_int_equal(tx_read(r->m, TX_FILE_MACRO_TEMPLATE, t, before[t], 32), TX_OK);
    }
    set_dst(r, 0x41000000u);
    run_text(r, "sfploadmacro 1, L1, 0, 4, 3\nsfpnop\nsfpnop\nsfploadmacro 0, L2, 0, 4, 3");
    assert_int_equal(dst(r, 0, 0), 0x3F800000u);
    for (unsigned t = 0; t < 4; t++) {
        assert_int_equal(tx_read(r->m, TX_FILE_MACRO_TEMPLATE, t, after, 32), TX_OK);
        assert_memory_equal(before[t], after, sizeof after);
    }
    /* The SFPLOADMACRO itself is no template write either, whatever bits 7:6 hold. */
    run_text(r, "sfploadmacro 2, L1, 0xc0, 4, 3");
    assert_int_equal(tx_read(r->m, TX_FILE_MACRO_TEMPLATE, 0, after, 32), TX_OK);
    assert_memory_equal(before[0], after, sizeof after);
    /* Templates written through the backdoor and through SFPCONFIG are the same word. */
    run_text(r, "sfpnot L12, L3\nsfpmad L13, L1, L2, L3, 0\nsfpstore L14, 0, 3, 3");
    assert_int_equal(tx_read(r->m, TX_FILE_MACRO_TEMPLATE, 0, after, 32), TX_OK);
    assert_int_equal(after[31] & 0xFFFu, 0x3C0);
    assert_int_equal(tx_read(r->m, TX_FILE_MACRO_TEMPLATE, 2, after, 32), TX_OK);
    assert_int_equal(after[0] >> 20, 0x72E);
}

/* SFPCONFIG with a lane mask: columns with their own sequence; store in some lanes, R14. */
static void columns(struct rig *r)
{
    usual_templates(r);
    set_misc(r, 0x004);
    set_lreg(r, 0, byte(4, 0, 0) | IDLE << 8 | IDLE << 16 | (uint32_t)IDLE << 24);
    run_text(r, "sfpconfig 4, 0, 0");
    set_lreg(r, 0, byte(4, 2, 0) | IDLE << 8 | IDLE << 16 | (uint32_t)IDLE << 24);
    run_text(r, "sfpconfig 4, 0x0005, 8\nsfpnop"); /* columns 0 and 1 */
    set_dst(r, 3);
    run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
    assert_int_equal(when(r, 'S', "sfpnot", 0), 1);
    assert_int_equal(when(r, 'S', "sfpnot", 1), 3);
    for (size_t i = 0; i < r->log->count; i++) {
        if (r->log->at[i].unit == 'S') {
            assert_int_equal(r->log->at[i].lanes,
                             r->log->at[i].cycle == 1 ? 0xFCFCFCFCu : 0x03030303u);
        }
    }
    for (unsigned lane = 0; lane < 32; lane++) {
        assert_int_equal(lreg(r, 1, lane), ~3u);
    }
    /* A regular Simple instruction in cycle 1 is dropped in the columns that are taken. */
    set_lreg(r, 5, 0);
    set_lreg(r, 6, 8);
    run_text(r, "sfploadmacro 0, L1, 0, 4, 3\nsfpmov L5, L6, 0");
    assert_int_equal(lreg(r, 5, 0), 8);
    assert_int_equal(lreg(r, 5, 9), 8);
    assert_int_equal(lreg(r, 5, 2), 0);
    /* Only columns 0 and 1 store. */
    tx_findings_clear(r->m);
    set_sequence(r, 0, IDLE, IDLE, IDLE, IDLE);
    set_lreg(r, 0, byte(3, 0, BY_VB) << 24);
    run_text(r, "sfpconfig 4, 0x0005, 8\nsfpnop");
    set_dst(r, 3);
    set_lreg(r, 0, 44);
    run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
    for (unsigned lane = 0; lane < 32; lane++) {
        assert_int_equal(dst(r, 0, lane), (lane & 7u) < 2 ? 44 : 3);
    }
    assert_int_equal(findings(r, TX_UNDEFINED_BEHAVIOR, "some lanes"), 1);
}

/* More configurations than columns: only the test interface can make them. No overrun. */
static void too_many(struct rig *r)
{
    uint32_t lanes[32];
    usual_templates(r);
    set_misc(r, 0x004);
    for (unsigned unit = 0; unit < 2; unit++) {
        for (unsigned i = 0; i < 32; i++) {
            uint32_t word;
            char text[64];
            snprintf(text, sizeof text, unit == 0 ? "sfpiadd L12, L9, %u, 5" : "sfpaddi L12, %u, 0",
                     i);
            assert_int_equal(words_of(r, text, &word, 1), 1);
            lanes[i] = word;
        }
        assert_int_equal(tx_write(r->m, TX_FILE_MACRO_TEMPLATE, unit, lanes, 32), TX_OK);
    }
    set_sequence(r, 0, byte(4, 0, 0), byte(5, 0, 0), IDLE, IDLE);
    uint32_t word;
    assert_int_equal(words_of(r, "sfploadmacro 0, L1, 0, 4, 3", &word, 1), 1);
    assert_int_equal(tx_run(r->m, 1, &word, 1), TX_FAULT);
    assert_int_equal(tx_fault(r->m)->category, TX_UNSUPPORTED);
}

/* a.7 rule 10. */
static void drain(struct rig *r)
{
    usual_templates(r);
    set_dst(r, 6);
    /* Cycle-counted: tx_run returns when all is done, and counts the cycles. */
    set_misc(r, 0x004);
    set_one(r, 0, STORE, byte(3, 7, 0));
    uint64_t before = tx_machine_counters(r->m).cycles;
    run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
    assert_int_equal(when(r, 'T', "sfpstore", 0), 8);
    assert_int_equal(tx_machine_counters(r->m).cycles - before, 9);
    /* A result of two cycles is waited for, too. */
    set_one(r, 0, MAD, byte(5, 2, TO_L16));
    before = tx_machine_counters(r->m).cycles;
    run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
    assert_int_equal(when(r, 'M', "sfpmad", 0), 3);
    assert_int_equal(tx_machine_counters(r->m).cycles - before, 5);
    /* Instruction-counted: pending, across runs and other units' instructions, then leaks. */
    set_misc(r, 0x804);
    set_one(r, 0, STORE, byte(3, 2, 0));
    run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
    assert_int_equal(when(r, 'T', "sfpstore", 0), -1);
    run_text(r, "ttnop\nttnop\nttnop\nttnop");
    assert_int_equal(tx_run(r->m, 1, NULL, 0), TX_OK);
    assert_int_equal(when(r, 'T', "sfpstore", 0), -1);
    run_text(r, "sfploadi L1, 12, 2\nsfploadi L2, 13, 2");
    assert_int_equal(when(r, 'T', "sfpstore", 0), 2);
    assert_int_equal(dst(r, 0, 0), 12);
    /* R2: a pending op keeps word and Misc of its launch. */
    set_misc(r, 0x003);
    set_template(r, 0, "sfpnot L12, L0");
    set_sequence(r, 0, byte(4, 3, TO_L16), IDLE, IDLE, byte(3, 4, TO_L16));
    set_dst(r, 6);
    set_lreg(r, 0, 0);
    run_text(r, "sfploadmacro 0, L1, 0, 4, 3\nsfpabs L12, L0, 0\nsfpconfig 8, 0xf04, 1");
    assert_int_equal(when(r, 'S', "sfpnot", 0), 4);
    assert_int_equal(dst(r, 0, 0), ~6u);
    /* Drained with SFPNOP: the delay counts them (all kernels do it). */
    set_misc(r, 0xF04);
    set_one(r, 0, STORE, byte(3, 3, 0));
    run_text(r, "sfploadmacro 0, L1, 0, 4, 3\nsfpnop\nsfpnop\nsfpnop");
    assert_int_equal(when(r, 'T', "sfpstore", 0), 4);
}

/* a.7 rules 5 and 6, R14. */
static void ports(struct rig *r)
{
    set_misc(r, 0x004);
    set_template(r, 0, "sfpnot L12, L0");
    set_template(r, 1, "sfpmad L13, L9, L9, L0, 0");
    set_template(r, 2, "sfpshft2 L14, L0, -1, 6");
    set_template(r, 3, "sfpswap L15, L10, 1");
    set_dst(r, 6);
    for (unsigned s = 0; s < 2; s++) {
        for (unsigned q = 0; q < 2; q++) {
            tx_findings_clear(r->m);
            set_sequence(r, 0, byte(4, 1, s != 0 ? TO_L16 : 0), IDLE,
                         byte(6, 1, BY_VB | (q != 0 ? TO_L16 : 0)), IDLE);
            run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
            assert_int_equal(findings(r, TX_HAZARD, "exactly one"), s == q ? 1 : 0);
            /* Executed as if allowed; the Round value stays where both write L16. */
            assert_int_equal(lreg(r, 16, 1), q != 0 ? 3 : s != 0 ? ~6u : lreg(r, 16, 1));
        }
    }
    /* Different cycles: fine. NOP in place of one: fine. */
    tx_findings_clear(r->m);
    set_sequence(r, 0, byte(4, 1, 0), IDLE, byte(6, 2, BY_VB), IDLE);
    run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
    set_sequence(r, 0, byte(2, 1, 0), IDLE, byte(6, 1, BY_VB), IDLE);
    run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
    assert_int_equal(tx_finding_count(r->m), 0);
    /* SFPSWAP at 2 and 3: MAD idle or NOP at 2; Simple and Round idle or NOP at 3. */
    static const struct {
        uint32_t mad, round;
        unsigned findings;
    } swaps[] = {{IDLE, IDLE, 0},
                 {2 | 1 << 3, 2 | 2 << 3, 0},
                 {5 | 1 << 3 | TO_L16, IDLE, 1},
                 {5 | 2 << 3 | TO_L16, IDLE, 0},
                 {IDLE, 6 | 2 << 3 | BY_VB | TO_L16, 1},
                 {IDLE, 6 | 1 << 3 | BY_VB | TO_L16, 0},
                 {IDLE, 6 | 3 << 3 | BY_VB | TO_L16, 0}};
    for (size_t i = 0; i < sizeof swaps / sizeof swaps[0]; i++) {
        tx_findings_clear(r->m);
        set_sequence(r, 0, byte(7, 1, BY_VB), swaps[i].mad, swaps[i].round, IDLE);
        run_text(r, "sfploadmacro 0, L1, 0, 4, 3");
        assert_int_equal(findings(r, TX_HAZARD, "SFPSWAP"), swaps[i].findings);
    }
    set_sequence(r, 0, byte(7, 1, BY_VB), IDLE, IDLE, IDLE);
    set_one(r, 1, SIMPLE, byte(4, 0, 0));
    tx_findings_clear(r->m);
    run_text(r, "sfploadmacro 0, L1, 0, 4, 3\nsfpnop\nsfploadmacro 1, L2, 0, 4, 3");
    assert_int_equal(findings(r, TX_HAZARD, "SFPSWAP"), 1);
    /* A regular load in the second cycle is fine, and nothing stalls. */
    tx_findings_clear(r->m);
    run_text(r, "sfploadmacro 0, L1, 0, 4, 3\nsfpnop\nsfpnop\nsfploadi L3, 1, 2\nsfpmov L3, L1, 0");
    assert_int_equal(tx_finding_count(r->m), 0);
    assert_int_equal(r->log->stalls, 0);
}

/* R2: SFPLOADMACRO right behind the SFPCONFIG it depends on: the new state, and a finding. */
static void visibility(struct rig *r)
{
    usual_templates(r);
    set_misc(r, 0x004);
    set_lreg(r, 0, byte(4, 0, TO_L16));
    set_dst(r, 6);
    set_lreg(r, 16, 0);
    run_text(r, "sfpconfig 4, 0, 0\nsfploadmacro 0, L1, 0, 4, 3");
    assert_int_equal(lreg(r, 16, 0), ~6u);
    assert_int_equal(tx_finding_count(r->m), 1);
    assert_int_equal(tx_finding_at(r->m, 0)->category, TX_HAZARD);
    tx_findings_clear(r->m);
    run_text(r, "sfpconfig 4, 0, 0\nsfpnop\nsfploadmacro 0, L1, 0, 4, 3");
    assert_int_equal(tx_finding_count(r->m), 0);
    /* A scheduled SFPCONFIG of Sequence[5 - 4]: a launch in its cycle still sees the old word. */
    set_template(r, 3, "sfpconfig 15, 0, 0");
    set_one(r, 0, SIMPLE, byte(7, 0, 0));
    set_one(r, 1, SIMPLE, byte(4, 0, TO_L16));
    set_lreg(r, 0, byte(4, 4, TO_L16) | IDLE << 8 | IDLE << 16 | (uint32_t)IDLE << 24);
    for (unsigned late = 0; late < 2; late++) {
        set_one(r, 1, SIMPLE, byte(4, 0, TO_L16));
        run_text(r, late == 0 ? "sfploadmacro 0, L5, 1, 4, 3\nsfploadmacro 1, L1, 0, 4, 3"
                              : "sfploadmacro 0, L5, 1, 4, 3\nsfpnop\nsfploadmacro 1, L1, 0, 4, 3");
        assert_int_equal(when(r, 'S', "sfpnot", 0), late == 0 ? 2 : 7);
    }
}

typedef void rule_body(struct rig *r);

static void on_both_chips(rule_body *body)
{
    for (int arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        struct rig r = rig_open((enum tx_arch)arch);
        body(&r);
        rig_close(&r);
    }
}

#define RULE(name)                    \
    static void test_##name(void **s) \
    {                                 \
        (void)s;                      \
        on_both_chips(name);          \
    }
RULE(delay_cycles)
RULE(delay_instructions)
RULE(delay_other_thread)
RULE(delay_joint)
RULE(forget)

static void test_forget_always(void **s)
{
    (void)s;
    for (int arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        struct rig r = rig_open_rule((enum tx_arch)arch, true);
        forget(&r);
        rig_close(&r);
    }
}
RULE(bad_selects)
RULE(dropped)
RULE(l16_and_order)
RULE(stores)
RULE(routing)
RULE(live_mask)
RULE(backdoor)
RULE(columns)
RULE(too_many)
RULE(drain)
RULE(ports)
RULE(visibility)

/* b.2: streams fed without bubbles, cycles per row. */
static void test_streams(void **state)
{
    (void)state;
    struct rig r = rig_open(TX_BLACKHOLE);
    char text[8192];
    set_misc(&r, 0x004);
    set_template(&r, 0, "sfpgt L12, L9, 0, 8");
    set_template(&r, 1, "sfpmad L13, L9, L9, L0, 0");
    set_template(&r, 2, "sfpexexp L14, L0, 0");
    set_template(&r, 3, "sfpshft2 L15, L0, -3, 6");
    static const struct {
        uint32_t s, m, q, t;
        const char *row;
        unsigned per_row, tail;
    } streams[] = {
        {0, 0, 0, 0, "sfpload L0, 0, 4, 3\n", 1, 0},
        {0, 0, 0, 0, "sfpswap L0, L1, 1\n", 2, 0},
        {0, 0, 0, 0, "sfpload L0, 0, 4, 3\nsfpiadd L1, L2, 0, 4\n", 2, 0},
        {4 | 1 << 3 | BY_VB, 0, 0, 0, "sfploadmacro 0, L0, 0, 4, 3\nsfpiadd L1, L2, 0, 4\n", 2, 1},
        {4 | BY_VB, 5 | 1 << 3 | TO_L16, 0, 0, "sfploadmacro 0, L0, 0, 4, 3\n", 1, 3},
        {4 | BY_VB, 0, 0, 3 | 1 << 3, "sfploadmacro 0, L0, 0, 4, 3\n", 1, 2},
        {6, 0, 0, 0, "sfploadmacro 0, L0, 0, 4, 3\n", 1, 1},
        {6, 5 | 1 << 3, 7 | 3 << 3 | BY_VB | TO_L16, 3 | 4 << 3, "sfploadmacro 0, L0, 0, 4, 3\n", 1,
         5},
    };
    for (size_t i = 0; i < sizeof streams / sizeof streams[0]; i++) {
        text[0] = '\0';
        for (unsigned row = 0; row < 64; row++) {
            strcat(text, streams[i].row);
        }
        set_sequence(&r, 0, streams[i].s, streams[i].m, streams[i].q, streams[i].t);
        const uint64_t before = tx_machine_counters(r.m).cycles;
        run_text(&r, text);
        assert_int_equal(tx_machine_counters(r.m).cycles - before,
                         64 * streams[i].per_row + streams[i].tail);
    }
    rig_close(&r);
}

/* ---- pauses in the issue ---- */

static const struct golden *find(const char *name)
{
    for (size_t i = 0; i < kernel_count; i++) {
        if (strcmp(kernels[i].name, name) == 0) {
            return &kernels[i];
        }
    }
    fail_msg("%s is not in macro_golden.txt", name);
    return NULL;
}

/* A kernel that is replayed can only pause between replays: every so many words. */
static void with_pauses(const char *name, enum tx_arch arch, unsigned every, unsigned seed)
{
    const struct golden *g = find(name);
    struct bench a;
    struct bench b;
    uint32_t gaps[512] = {0};
    open_kernel(&a, g, arch);
    open_kernel(&b, g, arch);
    const size_t count = b.program->section[TX_SECTION_TILE].count;
    for (size_t i = 1; i < count; i++) {
        const uint32_t x = seed == 0 ? 1 : random32();
        gaps[i] = (x & 3u) == 1 && i % every == 0 ? 1 + (x >> 2 & 7u) : 0;
    }
    unsigned row;
    fill(a.machine, g, DENSE_TILES + seed);
    fill(b.machine, g, DENSE_TILES + seed);
    run_words(&a, NULL, name);
    run_words(&b, gaps, name);
    if (dst_differs(a.machine, b.machine, &row) != 0) {
        fail_msg("%s on %s: pauses change row %u", name, tx_arch_name(arch), row);
    }
    bench_close(&a);
    bench_close(&b);
}

/* b.5 8: these stay right with bubbles between issues. */
static void test_pauses(void **state)
{
    static const struct {
        const char *name;
        unsigned every;
    } names[] = {{"exp_clamped", 1}, {"signbit_fp32", 1}, {"signbit_i32", 1}, {"max_fp32", 1},
                 {"max_scalar", 1},  {"max_i32", 10},     {"u16_to_u32", 1},  {"recip_fp32", 1}};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        for (int arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
            for (unsigned seed = 0; on_chip(find(names[i].name), (enum tx_arch)arch) && seed < 20;
                 seed++) {
                with_pauses(names[i].name, (enum tx_arch)arch, names[i].every, seed);
            }
        }
    }
}

/*
 * b.5 11: a pause behind the first SFPNOP of the tail. Through L16 the approximation of row N - 1
 * is replaced by the result of row N - 2, which then gets multiplied; other rows are right. Through
 * z every pause is harmless.
 */
static void test_reciprocal_pause(void **state)
{
    (void)state;
    for (unsigned form = 0; form < 2; form++) {
        const struct golden *g = find(form == 0 ? "recip_fp32_l16" : "recip_fp32");
        for (uint32_t gap = 0; gap < 5; gap++) {
            struct bench a;
            struct bench b;
            uint32_t gaps[512] = {0};
            uint32_t right[TILE];
            uint32_t got[TILE];
            unsigned wrong = 0;
            open_kernel(&a, g, TX_BLACKHOLE);
            open_kernel(&b, g, TX_BLACKHOLE);
            assert_int_equal(b.program->section[TX_SECTION_TILE].words[160], 0x8F000000u);
            gaps[161] = gap;
            fill(a.machine, g, DENSE_TILES);
            fill(b.machine, g, DENSE_TILES);
            run_words(&a, NULL, g->name);
            run_words(&b, gaps, g->name);
            assert_int_equal(tx_dst_store_tile(a.machine, 0, TX_DST_FP32, right), TX_OK);
            assert_int_equal(tx_dst_store_tile(b.machine, 0, TX_DST_FP32, got), TX_OK);
            for (unsigned row = 0; row < 32; row++) {
                for (unsigned lane = 0; lane < 32; lane++) {
                    const struct tx_dst_place at = tx_dst_place(2 * row, lane);
                    const unsigned e = tx_tile_element(at.row, at.column);
                    if (right[e] != got[e]) {
                        const struct tx_dst_place before = tx_dst_place(2 * 30, lane);
                        assert_int_equal(row, 31);
                        /* 30's result times 1 + e + e^2 + e^3 of row 31: about the same. */
                        const uint32_t old = right[tx_tile_element(before.row, before.column)];
                        const int32_t exponents =
                            (int32_t)(got[e] >> 23 & 255u) - (int32_t)(old >> 23 & 255u);
                        assert_in_range((uint64_t)(exponents + 1), 0, 2);
                        assert_int_equal(got[e] >> 31, old >> 31);
                        wrong++;
                    }
                }
            }
            assert_int_equal(wrong != 0, form == 0 && gap != 0);
            if (wrong != 0) {
                assert_true(wrong > 24);
            }
            bench_close(&a);
            bench_close(&b);
        }
    }
}

/* Every cycle of a kernel: a copy of the machine goes on from a snapshot and ends the same. */
static void test_snapshot(void **state)
{
    (void)state;
    for (size_t k = 0; k < kernel_count; k++) {
        const struct golden *g = &kernels[k];
        const enum tx_arch arch = on_chip(g, TX_BLACKHOLE) ? TX_BLACKHOLE : TX_WORMHOLE;
        struct bench a;
        struct bench b;
        unsigned char *buffer = malloc(tx_snapshot_size());
        unsigned row;
        assert_non_null(buffer);
        open_kernel(&a, g, arch);
        open_kernel(&b, g, arch);
        const uint32_t *words = a.program->section[TX_SECTION_TILE].words;
        const size_t count = a.program->section[TX_SECTION_TILE].count;
        fill(a.machine, g, DENSE_TILES);
        bool accepted;
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(tx_cycle(a.machine, 1, &words[i], &accepted), TX_OK);
            assert_true(accepted);
            if (i % 13 == 5) { /* an eye on a machine that starts in the middle */
                assert_int_equal(tx_snapshot(a.machine, buffer, tx_snapshot_size()), TX_OK);
                assert_int_equal(tx_restore(b.machine, buffer, tx_snapshot_size()), TX_OK);
                assert_int_equal(tx_restore(a.machine, buffer, tx_snapshot_size()), TX_OK);
            } else if (i > 5) {
                assert_int_equal(tx_cycle(b.machine, 1, &words[i], &accepted), TX_OK);
            }
        }
        assert_int_equal(tx_run(a.machine, 1, NULL, 0), TX_OK);
        assert_int_equal(tx_run(b.machine, 1, NULL, 0), TX_OK);
        assert_int_equal(dst_differs(a.machine, b.machine, &row), 0);
        bench_close(&b);
        open_kernel(&b, g, arch);
        fill(b.machine, g, DENSE_TILES);
        run_words(&b, NULL, g->name);
        assert_int_equal(dst_differs(a.machine, b.machine, &row), 0);
        bench_close(&a);
        bench_close(&b);
        free(buffer);
    }
}

/* No kernel leaves anything behind: eight more SFPNOP run nothing. */
static void test_nothing_left(void **state)
{
    (void)state;
    for (size_t k = 0; k < kernel_count; k++) {
        const enum tx_arch arch = on_chip(&kernels[k], TX_BLACKHOLE) ? TX_BLACKHOLE : TX_WORMHOLE;
        static const uint32_t nops[8] = {0x8F000000u, 0x8F000000u, 0x8F000000u, 0x8F000000u,
                                         0x8F000000u, 0x8F000000u, 0x8F000000u, 0x8F000000u};
        struct bench b;
        open_kernel(&b, &kernels[k], arch);
        fill(b.machine, &kernels[k], 0);
        run_words(&b, NULL, kernels[k].name);
        b.log->count = 0;
        assert_int_equal(tx_run(b.machine, 1, nops, 8), TX_OK);
        assert_int_equal(b.log->count, 8);
        bench_close(&b);
    }
}

int main(void)
{
    static const struct CMUnitTest rules[] = {
        cmocka_unit_test(test_delay_cycles),
        cmocka_unit_test(test_delay_instructions),
        cmocka_unit_test(test_delay_other_thread),
        cmocka_unit_test(test_delay_joint),
        cmocka_unit_test(test_forget),
        cmocka_unit_test(test_forget_always),
        cmocka_unit_test(test_bad_selects),
        cmocka_unit_test(test_dropped),
        cmocka_unit_test(test_l16_and_order),
        cmocka_unit_test(test_stores),
        cmocka_unit_test(test_routing),
        cmocka_unit_test(test_live_mask),
        cmocka_unit_test(test_backdoor),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_drain),
        cmocka_unit_test(test_ports),
        cmocka_unit_test(test_visibility),
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_pauses),
        cmocka_unit_test(test_reciprocal_pause),
        cmocka_unit_test(test_snapshot),
        cmocka_unit_test(test_nothing_left),
    };
    struct CMUnitTest all[128];
    size_t count = 0;
    parse_golden(kernels, &kernel_count, sizeof kernels / sizeof kernels[0]);
    for (size_t i = 0; i < kernel_count; i++) {
        const struct CMUnitTest test = {kernels[i].name, kernel_test, NULL, NULL, &kernels[i]};
        all[count++] = test;
    }
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        all[count++] = rules[i];
    }
    coverage_open("macro");
    const int failed = _cmocka_run_group_tests("macro", all, count, NULL, NULL);
    return !coverage_close() || failed != 0;
}
