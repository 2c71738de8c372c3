/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole tiles: random programs of all three threads in the assembler, with the macros of
 * examples/tiles/tile.inc, so that data go from L1 through unpackers, Matrix and Vector Unit and
 * packers back to L1, handed over by banks and semaphore 1. A word is the seed of a step: one face
 * through the Matrix Unit, a few rows of Dst through the Vector Unit, or Dst through the packers.
 * Compared are L1, all registers and configuration. In one program of four the words behind the
 * set-up are instructions of cores T0 to T2 of a whole tile.
 */
#ifndef TESTS_COSIM_TILE_H
#define TESTS_COSIM_TILE_H

#include "cosim/pack.h"
#include "cosim/words.h"

#include <stdarg.h>

#include <tensix/asm.h>
#include <tensix/tile.h>

enum {
    TILE_STEPS = 12,
    TILE_TEXT = 1 << 16,
    TILE_A = 0x4000, /* where the tiles of both operands are, and those that are packed */
    TILE_B = 0x8000,
    TILE_TO = 0x10000,
    TILE_OUT = 0x1000,
    TILE_OUTS = 4,
    TILE_ONES = 3, /* a face of the second operand */
    TILE_LIMIT = 1000000,
    TILE_CORES = 4,       /* of so many programs, one runs on cores */
    TILE_CODE = 0x20000,  /* their programs */
    TILE_APART = 0x10000, /* from one to the next */
    TILE_STAY = 0x6F      /* a jump to itself */
};

/* A way of data: in L1, in Src, width of Dst, what packers read and write. */
struct tile_way {
    const char *in, *src, *from, *to;
    bool wide;
};
static const struct tile_way tile_ways[] = {
    {"BF16", "BF16", "BF16", "BF16", false},  {"BF16", "BF16", "BF16", "BFP8", false},
    {"BF16", "BF16", "BF16", "FP32", false},  {"BF16", "BF16", "BF16", "BF16", true},
    {"BF16", "BF16", "FP32", "FP32", true},   {"BF16", "BF16", "FP32", "BFP8", true},
    {"FP16", "FP16", "FP16", "FP16", false},  {"FP16", "FP16", "FP16", "FP32", false},
    {"FP32", "TF32", "FP32", "FP32", true},   {"FP32", "BF16", "BF16", "BF16", false},
    {"BFP8", "BFP8", "BF16", "BFP8", false},  {"BFP8", "BFP8", "BF16", "BF16", false},
    {"INT8", "INT8", "INT32", "INT32", true},
};
enum { TILE_WAYS = sizeof tile_ways / sizeof *tile_ways };

struct tiles {
    char *include; /* tile.inc */
    char text[TILE_TEXT];
    size_t length;
    char step[3][TILE_TEXT / 4]; /* what the steps put into the threads' .tile */
    size_t used[3];
    const struct tile_way *way;
    bool products;   /* of matrices, and pools; otherwise element by element */
    bool adds, relu; /* the packers, to L1; leaving out what is below zero */
    unsigned packed;
    struct tx_program *program;
    uint32_t *words[3];
    uint32_t count[3], init[3];
    tx_tensix *tile;
    bool by_cores;
    uint32_t code[TILE_TEXT / 4];
    void *between;
};

static bool tile_integers(const struct tile_way *w)
{
    return w->in[0] == 'I';
}

static void tile_say(struct tiles *t, unsigned thread, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(t->step[thread] + t->used[thread],
                            sizeof t->step[thread] - t->used[thread], format, args);
    va_end(args);
    t->used[thread] += (size_t)n;
    if (t->used[thread] >= sizeof t->step[thread]) {
        cosim_fail("a program of tiles is too long");
    }
}

/* ---- steps ---- */

/*
 * A face of each operand; the Matrix Unit gives both banks back with its last word. The maximum of
 * columns takes the face of ones.
 */
static void step_faces(struct cosim *c, struct tiles *t)
{
    struct bridge_rng *r = &c->random;
    const unsigned row = 16 * draw_below(r, 4);
    const bool copies = draw_one_in(r, 4);
    const bool pools = !copies && t->products && draw_one_in(r, 4);
    const bool largest = pools && draw_one_in(r, 2);
    tile_say(t, 0, "face_a %u\nface_b %u\n%s\nunpack_a 0\n", draw_below(r, 4),
             largest ? TILE_ONES : draw_below(r, 4),
             !largest && draw_one_in(r, 8) ? "zero_b" : "unpack_b 0");
    if (copies) {
        tile_say(t, 1, "ttmova2d 0, 0, 3, 2, %u\nttmova2d 0, 8, 3, 2, %u\n", row, row + 8);
        tile_say(t, 1, "ttsetrwc 3, 0, 0, 0, 0, 15\n");
        return;
    }
    if (pools) {
        tile_say(t, 1, "%s\n%s 3, 1, 0, 0, %u\n", draw_one_in(r, 2) ? "tttrnspsrcb" : "",
                 largest ? "ttgmpool" : "ttgapool", row);
        return;
    }
    static const char *const names[] = {"ttelwadd", "ttelwsub", "ttelwmul", "ttmvmul"};
    const unsigned which = t->products ? 3 : draw_below(r, 3);
    const unsigned phases = which >= 2 ? 1 + draw_below(r, 4) : 1;
    char operands[16];
    snprintf(operands, sizeof operands, which == 3 ? "0" : "0, %u", draw_below(r, 4));
    for (unsigned i = 1; i <= phases; i++) {
        const bool last = i == phases;
        tile_say(t, 1, "%s 0, %s, 0, %u\n%s %d, %s, %d, %u\n", names[which], operands, row,
                 names[which], last ? 3 : 0, operands, last ? 2 : 1, row + 8);
    }
}

/* Rows of Dst through the Vector Unit, which waits for the Matrix Unit, and it for that. */
static void step_vector(struct cosim *c, struct tiles *t)
{
    struct bridge_rng *r = &c->random;
    static const char *const words[] = {"sfpabs L0, L1, 1", "sfpmad L1, L0, L0, L10, 0",
                                        "sfpmov L1, L0, 1", "sfpmad L1, L0, L11, L0, 0",
                                        "sfpsetsgn L0, L1, 0, 1"};
    const char *way = t->way->wide                                     ? "3"
                      : t->way->src[0] == 'F' && t->way->src[1] == 'P' ? "1"
                                                                       : "2";
    tile_say(t, 1, "ttstallwait p_stall::STALL_SFPU, p_stall::MATH\n");
    for (unsigned i = 1 + draw_below(r, 4); i > 0; i--) {
        const unsigned row = 2 * draw_below(r, 32);
        tile_say(
            t, 1,
            "sfpload L0, %u, %s, 3\nsfpmov L1, L0, 0\n%s\nsfpnop\nsfpnop\nsfpstore L1, %u, %s, 3\n",
            row, way, words[draw_below(r, 5)], draw_one_in(r, 2) ? row : 2 * draw_below(r, 32),
            way);
    }
    tile_say(t, 1, "ttstallwait p_stall::STALL_MATH, p_stall::WAIT_SFPU\n");
}

/* Dst to L1. The Matrix and the Vector Unit wait until it has been read. */
static void step_pack(struct cosim *c, struct tiles *t)
{
    struct bridge_rng *r = &c->random;
    tile_say(t, 1,
             "dst_full p_stall::MATH | p_stall::WAIT_SFPU\n"
             "ttsemwait p_stall::STALL_MATH | p_stall::STALL_SFPU | p_stall::STALL_SYNC, "
             "p_stall::SEMAPHORE_1, p_stall::STALL_ON_MAX\n%s\n",
             draw_one_in(r, 2) ? "clear_dst" : "");
    tile_say(t, 2, "pack_begin\npack_next 0, 0x%x\npack_tile\npack_end\n",
             TILE_TO + TILE_OUT * (t->packed++ % TILE_OUTS));
}

/* ---- the program ---- */

static void tile_text(struct cosim *c, const uint32_t *words, unsigned count)
{
    static const char *const threads[] = {"unpack", "math", "pack"};
    struct tiles *t = c->own;
    const struct tile_way *w = t->way;
    memset(t->used, 0, sizeof t->used);
    t->packed = 0;
    for (unsigned i = 0; i < count; i++) {
        c->random.s = cosim_mix(words[i], 0x74696C65);
        const unsigned kind = draw_below(&c->random, 8);
        (kind < 5 ? step_faces : kind < 6 ? step_vector : step_pack)(c, t);
    }
    char init[3][2048];
    snprintf(init[0], sizeof init[0], "a_from 0x%x, %s, %s\nb_from 0x%x, %s, %s\n", TILE_A, w->in,
             w->src, TILE_B, w->in, w->src);
    snprintf(init[1], sizeof init[1],
             "operands %s, %s\n%s\n%s\n"
             ".setcfg ADDR_MOD_AB_SEC0_SrcAIncr, %u, ADDR_MOD_AB_SEC0_SrcBIncr, 8\n"
             ".setcfg ADDR_MOD_AB_SEC1_SrcAClear, %u, ADDR_MOD_AB_SEC1_SrcBClear, 1\n"
             ".setcfg ADDR_MOD_AB_SEC2_SrcAClear, %u, ADDR_MOD_AB_SEC2_SrcBClear, 1\n"
             ".setcfg ADDR_MOD_DST_SEC1_FidelityIncr, 1\n"
             ".setcfg ADDR_MOD_DST_SEC2_FidelityClear, 1\n",
             w->src, w->src, w->wide ? "wide_dst" : "",
             tile_integers(w) ? ".setcfg ALU_ACC_CTRL_INT8_math_enabled, 1" : "",
             t->products ? 0u : 8u, !t->products, !t->products);
    snprintf(init[2], sizeof init[2],
             "l1_to 0x%x, %s, %s, %d\n%s\n.setcfg STACC_RELU_ApplyRelu, %d\n", TILE_TO, w->from,
             w->to, w->wide, t->adds ? "l1_accumulate" : "", t->relu);
    t->length = (size_t)snprintf(t->text, sizeof t->text, "%s\n", t->include);
    for (unsigned i = 0; i < 3; i++) {
        t->length += (size_t)snprintf(t->text + t->length, sizeof t->text - t->length,
                                      ".thread %s\n.init\n%s\n.tile\n%s\n%s\n", threads[i], init[i],
                                      i == 0   ? "unpack_begin"
                                      : i == 1 ? "clear_dst"
                                               : "",
                                      t->used[i] > 0 ? t->step[i] : "");
        if (t->length >= sizeof t->text) {
            cosim_fail("a program of tiles is too long");
        }
    }
}

static void tile_words(struct cosim *c, const uint32_t *words, unsigned count)
{
    const struct tx_asm_options how = {.arch = c->arch, .force_arch = true};
    struct tiles *t = c->own;
    struct tx_diag diag;
    tile_text(c, words, count);
    tx_program_free(t->program);
    t->program = NULL;
    if (tx_assemble(t->text, t->length, &how, &t->program, &diag) != TX_OK) {
        fprintf(stderr, "%s\nline %u\n", t->text + strlen(t->include), diag.line);
        cosim_fail(diag.message);
    }
    memset(t->count, 0, sizeof t->count);
    for (unsigned section = TX_SECTION_INIT; section < TX_SECTIONS; section++) {
        const uint32_t *from = tx_program_words(t->program, section);
        const uint8_t *thread = tx_program_threads(t->program, section);
        for (size_t i = 0; i < tx_program_count(t->program, section); i++) {
            if (t->count[thread[i]] == TILE_TEXT / 4) {
                cosim_fail("a program of tiles is too long");
            }
            t->words[thread[i]][t->count[thread[i]]++] = from[i];
        }
        if (section == TX_SECTION_INIT) {
            memcpy(t->init, t->count, sizeof t->init);
        }
    }
}

/* The program of a core pushes the words of its thread. Returns how many instructions it has. */
static uint32_t tile_code(struct tiles *t, unsigned thread)
{
    uint32_t n = 0;
    for (uint32_t i = t->init[thread]; i < t->count[thread]; i++) {
        t->code[n++] = t->words[thread][i] << 2 | t->words[thread][i] >> 30;
    }
    t->code[n++] = TILE_STAY;
    return n;
}

static uint32_t tile_pc(unsigned thread)
{
    return TILE_CODE + TILE_APART * thread;
}

/* The state of the machine after the set-up goes into a whole tile, whose cores do the rest. */
static enum tx_status tile_by_cores(struct cosim *c)
{
    struct tiles *t = c->own;
    tx_tensix_reset(t->tile);
    enum tx_status status = tx_snapshot(c->m, t->between, c->here_size);
    c->m = tx_tensix_machine(t->tile);
    if (status != TX_OK || tx_restore(c->m, t->between, c->here_size) != TX_OK ||
        tx_tensix_write(t->tile, 0, c->l1, c->kind->l1) != TX_OK) {
        cosim_fail("a tile");
    }
    for (unsigned i = 0; i < 3; i++) {
        const uint32_t n = tile_code(t, i);
        (void)tx_tensix_write(t->tile, tile_pc(i), t->code, 4 * n);
    }
    for (unsigned i = 0; i < 3; i++) {
        (void)tx_tensix_start(t->tile, (enum tx_core)(TX_CORE_T0 + i), tile_pc(i));
    }
    status = tx_tensix_run(t->tile, TILE_LIMIT);
    (void)tx_tensix_read(t->tile, 0, c->l1, c->kind->l1);
    return status;
}

/* Ours: initial words of all threads first, then the others. */
static enum tx_status tile_here(struct cosim *c)
{
    struct tiles *t = c->own;
    struct tx_stream s[TX_THREADS];
    for (unsigned i = 0; i < 3; i++) {
        s[i] = (struct tx_stream){t->words[i], t->init[i]};
    }
    const enum tx_status status = tx_run_threads(c->m, s, TILE_LIMIT);
    if (status == TX_OK && t->by_cores) {
        return tile_by_cores(c);
    }
    for (unsigned i = 0; i < 3; i++) {
        s[i] = (struct tx_stream){t->words[i] + t->init[i], t->count[i] - t->init[i]};
    }
    return status != TX_OK ? status : tx_run_threads(c->m, s, TILE_LIMIT);
}

/*
 * Writes of single bytes of configuration that the other side refuses because it cannot read that
 * register: it gets the register from outside. False: the word is another one.
 */
static bool byte_put(struct cosim *c, uint32_t word, uint32_t registers[256])
{
    const char *reg = strstr(c->other->refusal(), "tensix_cfg_rd32: reg=");
    const uint32_t byte = (word >> 24) - TX_INSN_RMWCIB0;
    const uint32_t at = word & 0xFFu;
    if (byte >= 4 || reg == NULL || strtoul(strchr(reg, '=') + 1, NULL, 10) != at) {
        return false;
    }
    const uint32_t mask = (word >> 16 & 0xFFu) << 8 * byte;
    registers[at] = (registers[at] & ~mask) | ((word >> 8 & 0xFFu) << 8 * byte & mask);
    return c->other->put(TX_FILE_CONFIG, at, &registers[at]);
}

/* The words of these threads, from the first one on; done: how many of each. */
static bool tile_run(struct cosim *c, const uint32_t *const words[3], const uint32_t count[3])
{
    uint32_t registers[256] = {0};
    uint32_t from[3] = {0};
    for (;;) {
        const uint32_t *at[3];
        uint32_t left[3];
        uint32_t done[3];
        bool more = false;
        for (unsigned i = 0; i < 3; i++) {
            at[i] = words[i] + from[i];
            left[i] = count[i] - from[i];
        }
        c->other->threads(at, left, done);
        for (unsigned i = 0; i < 3; i++) {
            from[i] += done[i];
        }
        if (memcmp(from, count, sizeof from) == 0) {
            return true;
        }
        const char *why = c->other->refusal();
        for (unsigned i = 0; why != NULL && i < 3 && !more; i++) {
            if (from[i] < count[i] && byte_put(c, words[i][from[i]], registers)) {
                from[i]++;
                more = true;
            }
        }
        if (!more) {
            return false;
        }
    }
}

/* The other side; false: it refuses a word, or waits for ever. */
static bool tile_there(struct cosim *c)
{
    struct tiles *t = c->own;
    const uint32_t *at[3];
    uint32_t left[3];
    for (unsigned i = 0; i < 3; i++) {
        at[i] = t->words[i] + t->init[i];
        left[i] = t->count[i] - t->init[i];
    }
    if (!tile_run(c, (const uint32_t *const *)t->words, t->init)) {
        return false;
    }
    if (!t->by_cores) {
        return tile_run(c, at, left);
    }
    uint32_t pc[3];
    uint32_t until[3];
    for (unsigned i = 0; i < 3; i++) {
        const uint32_t n = tile_code(t, i);
        pc[i] = tile_pc(i);
        until[i] = pc[i] + 4 * (n - 1);
        memcpy(c->other->l1() + pc[i], t->code, 4 * n);
    }
    return c->other->cores(pc, until);
}

static bool tile_agree(struct cosim *c, struct difference *d)
{
    *d = (struct difference){.count = 0};
    const enum tx_status status = tile_here(c);
    if (status != TX_OK) {
        d->stops = true;
        if (tx_fault(c->m) != NULL) {
            snprintf(d->text, sizeof d->text, "%s", tx_fault(c->m)->message);
        } else if (!tx_wait_text(c->m, 1, d->text, sizeof d->text)) {
            snprintf(d->text, sizeof d->text, "%s", tx_status_text(status));
        }
        return false;
    }
    return sides_agree(c, d);
}

/* Four bytes at a place of L1 with the exponents e and f, or with ones. */
static uint32_t tile_datum(const struct tile_way *w, uint32_t at, uint32_t v, uint32_t e,
                           uint32_t f)
{
    const bool fp32 = w->in[0] == 'F' && w->in[2] == '3';
    const uint32_t face = fp32 ? 1024 : 512;
    const bool one = at - TILE_B >= TILE_ONES * face && at - TILE_B < (TILE_ONES + 1) * face;
    if (tile_integers(w)) {
        return v;
    }
    if (fp32) {
        return one ? 0x3F800000 : (v & 0x807FFFFFu) | e << 23;
    }
    if (w->in[0] == 'F') {
        return one ? 0x3C003C00 : (v & 0x83FF83FFu) | e << 10 | f << 26;
    }
    if (w->in[1] == 'F' && w->in[2] == '1') {
        return one ? 0x3F803F80 : (v & 0x807F807Fu) | e << 7 | f << 23;
    }
    return (at & 0x3FFFu) < 64 ? e * 0x00010001u + f * 0x01000100u : v; /* exponents lie first */
}

/* Every program has its way of data, and what lies in L1 fits it. */
static void tile_setup(struct cosim *c)
{
    struct tiles *t = c->own;
    struct bridge_rng *r = &c->random;
    t->way = &tile_ways[draw_below(r, TILE_WAYS)];
    t->products = draw_one_in(r, 2);
    t->adds = t->way->to[1] != 'F' || t->way->to[2] != 'P' ? draw_one_in(r, 3) : false;
    t->relu = draw_one_in(r, 4);
    fill_l1(c);
    const unsigned middle = t->way->in[2] == '1' && t->way->in[0] == 'F' ? 15 : 127;
    const unsigned spread = 1u << draw_below(r, middle == 15 ? 4 : 6);
    for (uint32_t at = TILE_A; at < TILE_B + 0x4000; at += 4) {
        const uint32_t e = middle + draw_below(r, spread) - spread / 2;
        const uint32_t f = middle + draw_below(r, spread) - spread / 2;
        const uint32_t word = tile_datum(t->way, at, bridge_u32(r), e, f);
        memcpy(c->l1 + at, &word, 4);
    }
    memcpy(c->other->l1(), c->l1, c->kind->l1);
}

static bool tile_again(struct cosim *c, unsigned reading, uint64_t number, const uint32_t *words,
                       unsigned count, struct difference *d)
{
    begin(c, c->with[reading], number);
    tile_words(c, words, count);
    ((struct tiles *)c->own)->by_cores = reading == 0 && number % TILE_CORES == 1;
    return !tile_there(c) || tile_agree(c, d);
}

/* The other side has the state of the program, and runs these steps. */
static bool tile_tried(struct cosim *c, uint64_t number, unsigned count)
{
    begin(c, c->with[0], number);
    tile_words(c, c->words, count);
    ((struct tiles *)c->own)->by_cores = number % TILE_CORES == 1;
    return tile_there(c);
}

/* A step that the other side refuses is left out: the last of the shortest beginning with it. */
static bool tile_first(struct cosim *c, uint64_t number, struct difference *d)
{
    struct bridge_rng seeds = {cosim_mix(c->seed ^ 0x74696C, number)};
    for (c->count = 0; c->count < TILE_STEPS; c->count++) {
        c->words[c->count] = bridge_u32(&seeds);
    }
    while (!tile_tried(c, number, c->count)) {
        unsigned least = 0;
        while (tile_tried(c, number, least)) {
            least++;
        }
        const char *why = c->other->refusal() != NULL ? c->other->refusal() : "it would wait";
        if (least == 0) {
            snprintf(c->refused_text, sizeof c->refused_text, "%s", why);
            c->refused = c->refused_text;
            return true;
        }
        count_refusal(c, why);
        memmove(&c->words[least - 1], &c->words[least], (c->count - least) * sizeof *c->words);
        c->count--;
    }
    return tile_agree(c, d);
}

/* What a step puts into the threads, in one line. */
static void tile_step_text(struct cosim *c, uint32_t word, char text[200])
{
    struct tiles *t = c->own;
    tile_text(c, &word, 1);
    size_t n = (size_t)snprintf(text, 200, "%s to %s%s:", t->way->in, t->way->to,
                                t->way->wide ? ", wide" : "");
    for (unsigned i = 0; i < 3; i++) {
        for (size_t k = 0; k < t->used[i] && n < 198; k++) {
            const char letter = t->step[i][k];
            text[n++] = letter == '\n' ? ';' : letter;
        }
    }
    text[n] = '\0';
}

static void tile_name(struct cosim *c, uint32_t word, char name[32])
{
    (void)c;
    (void)word;
    snprintf(name, 32, "step");
}

static void tile_open(struct cosim *c)
{
    struct tiles *t = calloc(1, sizeof *t);
    FILE *f = fopen(TX_SOURCE_DIR "/examples/tiles/tile.inc", "r");
    words_open(c);
    if (t == NULL || f == NULL || (t->include = calloc(1, TILE_TEXT / 2)) == NULL) {
        cosim_fail("examples/tiles/tile.inc");
    }
    (void)!fread(t->include, 1, TILE_TEXT / 2 - 1, f);
    fclose(f);
    for (unsigned i = 0; i < 3; i++) {
        t->words[i] = malloc(TILE_TEXT);
    }
    struct tx_tensix_settings settings;
    tx_tensix_settings_default(&settings, c->arch);
    for (unsigned i = 0; i < c->rules; i++) {
        (void)tx_settings_rule(&settings.machine, c->kind->rules[c->arch == TX_BLACKHOLE][i]);
    }
    t->between = malloc(c->here_size);
    if (tx_tensix_open(&settings, &t->tile) != TX_OK || t->between == NULL) {
        cosim_fail("no tile");
    }
    c->own = t;
}

static void tile_close(struct cosim *c)
{
    struct tiles *t = c->own;
    for (unsigned i = 0; i < 3; i++) {
        free(t->words[i]);
    }
    tx_program_free(t->program);
    tx_tensix_close(t->tile);
    free(t->between);
    free(t->include);
    free(t);
    words_close(c);
}

static const struct known tile_known[] = {{.id = NULL}};

static const struct steps tile_steps = {tile_open,  tile_close, tile_first,
                                        tile_again, tile_name,  tile_step_text};
static const struct kind tile_class = {
    .name = "tile",
    .unit = "steps",
    .steps = &tile_steps,
    .files = SIDE(TX_FILE_GPR) | SIDE(TX_FILE_SEMAPHORE) | SIDE(TX_FILE_CONFIG) |
             SIDE(TX_FILE_ADC) | SIDE(TX_FILE_RWC) | SIDE(TX_FILE_DST) | SIDE(TX_FILE_DST_VALID) |
             SIDE(TX_FILE_SRC) | SIDE(TX_FILE_SRC_BANK) | SIDE(TX_FILE_SRC_FORMAT) |
             SIDE(TX_FILE_LREG),
    .subset = SIDE(TX_FILE_CONFIG), /* R18 */
    .l1 = TILE_TO + TILE_OUT * TILE_OUTS,
    .rules = {{"mov-low-valid=high", "pack-tail=at-once", "pack-yzw-width=32"},
              {"src-truncate=both", "mov-low-valid=high", "implied-unowned=recorded",
               "matrix-dst-rows=plain", "mov-fp32=format", "pack-tail=at-once", "pack-yzw-width=32",
               "pack-zw-width=8", "pack-tile-row=datum"}},
    .block = pack_block,
    .setup = tile_setup,
    .known = tile_known};

#endif
