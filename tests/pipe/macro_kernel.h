/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of examples/kernels/macro, their published schedules and their plain counterparts. */
#ifndef TESTS_PIPE_MACRO_KERNEL_H
#define TESTS_PIPE_MACRO_KERNEL_H

#include "source_text.h"
#include "macro_log.h"

/* Beside all numbers of BF16 as the first input; the campaign macro-kernels has more. */
static unsigned random_tiles = 100;

/* ---- kernels ---- */

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
    char *text = source_text("tests/pipe/macro_golden.txt", NULL);
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
    assert_int_equal(tx_dst_load_tile(m, input, TX_DST_FORMAT_FP32, values), TX_OK);
}

/* Something everywhere. */
static void fill_all(tx_machine *m, unsigned tile)
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
}

static void fill_inputs(tx_machine *m, const struct golden *g, unsigned tile)
{
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

/* The whole of Dst: something everywhere, and the inputs. */
static void fill(tx_machine *m, const struct golden *g, unsigned tile)
{
    fill_all(m, tile);
    fill_inputs(m, g, tile);
}

static void run_words(struct bench *b, const uint32_t *gaps, const char *what)
{
    const unsigned s = TX_SECTION_TILE;
    b->log->count = 0;
    if (tx_run_gaps(b->machine, 1, tx_program_words(b->program, s), tx_program_count(b->program, s),
                    gaps) != TX_OK) {
        const struct tx_finding *f = tx_fault(b->machine);
        fail_msg("%s: cycle %u: %s", what, (unsigned)f->cycle, f->message);
    }
    for (size_t i = 0; i < tx_finding_count(b->machine); i++) {
        const struct tx_finding *f = tx_finding_at(b->machine, i);
        if (strcmp(f->rule, "T-12") != 0) {
            fail_msg("%s: cycle %u: %s", what, (unsigned)f->cycle, f->message);
        }
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
    char *all = source_text("tests/pipe/macro_plain.txt", NULL);
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
    char *text = source_text(file, NULL);
    /* Its 16-bit data come back two cycles after they are stored: T-12, and nothing else. */
    const bool unproven = strcmp(g->name, "recip_bf16") == 0;
    bench_open(b, arch, unproven ? TX_MODE_SILICON : TX_MODE_STRICT, text, g->name);
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
    assert_int_equal(tx_program_count(b.program, TX_SECTION_TILE), g->slots);
    for (unsigned tile = 0; tile < DENSE_TILES + random_tiles; tile++) {
        unsigned row = 0;
        if (tile % 64 == 0) {
            fill_all(b.machine, tile);
            fill_all(plain.machine, tile);
        }
        fill_inputs(b.machine, g, tile);
        fill_inputs(plain.machine, g, tile);
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

#endif
