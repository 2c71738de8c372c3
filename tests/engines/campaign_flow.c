/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random programs on the reference engine and on every level of the fast one: words of all modelled
 * vector instructions but SFPCONFIG, nine in ten inside their contract, over random and special
 * tiles, in the five Dst formats, some with 32 equal passes over the tile, some with what compilers
 * write, a quarter with SFPLOADMACRO over random templates and sequences. COUNT is executions of
 * vector instructions a level; programs the fast engine refuses do not count. campaign_flow ARCH
 * COUNT [SEED]
 */
#include <tensix/tensix.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TILES = 3, BODY = 40, TEXT = 1 << 17 };

static uint64_t state;
static uint64_t refused, programs, failed, loops;

static uint32_t next(void)
{
    state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t x = state;
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)((x ^ (x >> 31)) >> 16);
}

static bool is_memory(uint32_t opcode)
{
    return opcode == 0x70 || opcode == 0x72 || opcode == 0x93;
}

/* Loads and stores without address modifier; pass moves them on. */
static uint32_t random_word(enum tx_arch arch, bool macros)
{
    if (macros && next() % 3 == 0) { /* bit 0 is one of the destination's */
        return 0x93000000u | (next() & 0xFF0000u) | (next() & 63u) * 2 | (next() & 1u);
    }
    for (;;) {
        const uint32_t opcode = 0x70 + next() % 0x2A;
        uint32_t w = opcode << 24 | (next() & 0xFFFFFFu);
        struct tx_decoded d;
        if (opcode == 0x91 || opcode == 0x93) {
            continue;
        }
        if (is_memory(opcode)) {
            w = (w & ~0xFFFFu) | (next() & 63u) * 2;
        } else if (opcode == 0x87 || opcode == 0x88 || opcode == 0x8A) {
            w = next() % 3 == 0 ? w & ~0xFFFu : w; /* the stack is only eight deep */
        }
        if (tx_decode(arch, w, &d) == TX_OK && d.row != NULL && (d.canonical || next() % 10 == 0)) {
            return w;
        }
    }
}

/*
 * What compilers of kernels write, over random words: an if with its else, both halves of a
 * register, a register that a shifted word names.
 */
static void place_idioms(uint32_t *body, unsigned count)
{
    enum { PUSHC = 0x87000000, POPC = 0x88000000, SETCC = 0x7B000000, COMPC = 0x8B000000 };
    enum { LOADI = 0x71000000, SHFT2_IMM = 0x94000076, SHFT2_LREG = 0x94000075, MAD = 0x84000004 };
    const uint32_t r = next();
    const unsigned third = count / 3;
    if (r % 2 == 0 && third > 1) {
        body[0] = PUSHC;
        body[1] = SETCC | (next() & 7u) << 8 | (next() % 2) * 4 | (next() % 2) * 2;
        body[third] = COMPC;
        body[2 * third] = POPC;
    }
    if (r % 3 == 0) {
        const unsigned at = next() % (count - 1);
        body[at] = LOADI | (next() & 7u) << 20 | 8u << 16 | (next() & 0xFFFFu);
        body[at + 1] = (body[at] & 0xFFF00000u) | 10u << 16 | (next() & 0xFFFFu);
    }
    if (r % 5 == 0) { /* L7, then SFPMAD from the register it names, to it in some */
        const unsigned at = next() % (count - 1);
        const uint32_t amount =
            next() % 4 == 0 ? next() & 0xFFFu : (0u - (28 + next() % 4)) & 0xFFFu;
        body[at] = r % 7 != 0 ? SHFT2_IMM | amount << 12 : SHFT2_LREG | (next() & 0x77u) << 8;
        body[at + 1] = MAD | (next() & 0x777u) << 8 | (next() & 7u) << 4 | (next() % 2) * 8;
    }
}

/* For one of the sub-units Simple, MAD, Round and Store, or, now and then, for any. */
static uint32_t template_word(enum tx_arch arch, unsigned unit)
{
    static const uint8_t simple[] = {0x77, 0x79, 0x7B, 0x7C, 0x7D, 0x80,
                                     0x89, 0x8A, 0x8D, 0x90, 0x92};
    static const uint8_t mad[] = {0x73, 0x74, 0x75, 0x84, 0x85, 0x86, 0x95};
    const uint32_t x = next();
    const uint32_t opcode = unit == 0   ? simple[x % sizeof simple]
                            : unit == 1 ? mad[x % sizeof mad]
                            : unit == 2 ? (x & 1u) != 0 ? 0x8E : 0x94
                                        : 0x72;
    if (next() % 8 == 0) {
        return random_word(arch, false);
    }
    return opcode << 24 | (next() & (unit == 3 ? 0xFF0000u : 0xFFFFFFu));
}

/* A byte for each sub-unit: nothing, a template, or the word that was placed there, and when. */
static uint32_t sequence_word(void)
{
    uint32_t word = 0;
    for (unsigned unit = 0; unit < 4; unit++) {
        static const uint8_t select[4] = {4, 5, 6, 3};
        const uint32_t x = next();
        word |= (((x & 3u) != 0 ? select[unit] : x >> 2 & 7u) | (x >> 8 & 0xF8u)) << 8 * unit;
    }
    return word;
}

static char *macro_setup(enum tx_arch arch, char *to)
{
    for (unsigned i = 0; i < 9; i++) {
        const uint32_t word = i < 4   ? template_word(arch, i)
                              : i < 8 ? sequence_word()
                                      : next() & (next() % 2 == 0 ? 0xFFu : 0xFFFu);
        to += sprintf(to, ".loadi L0, 0x%08X\nsfpconfig %u, 0, 0\n", (unsigned)word, i);
    }
    return to;
}

static void random_program(enum tx_arch arch, char *text)
{
    static const char *const formats[] = {"fp32", "bf16", "fp16", "int32", "int8"};
    const bool passes = next() % 2 == 0;
    const bool macros = next() % 4 == 0;
    const unsigned count = 5 + next() % (BODY - 5);
    char *to = text;
    to += sprintf(to, ".dst %s\n.inputs 2\n.init\n", formats[next() % 5]);
    to = macros ? macro_setup(arch, to) : to;
    for (unsigned reg = 0; reg < 8; reg++) {
        to += sprintf(to, ".loadi L%u, 0x%08X\n", reg, (unsigned)next());
    }
    if (next() % 8 != 0) { /* else results for L12..L15 would become macro templates */
        to += sprintf(to, "sfpconfig 15, %s, 1\n", next() % 4 == 0 ? "14" : "2");
    }
    to += sprintf(to, ".tile\n");
    uint32_t body[BODY];
    for (unsigned i = 0; i < count; i++) {
        body[i] = random_word(arch, macros);
    }
    place_idioms(body, count);
    for (unsigned pass = 0; pass < (passes ? 32 : 2); pass++) {
        for (unsigned reg = 0; passes && reg < 8; reg++) {
            to += sprintf(to, "sfploadi L%u, 0x%04X, 0\n", reg, 0x3F00u + 37 * reg);
        }
        if (passes) { /* flags begin anew, too; the stack must be left as it was found */
            to += sprintf(to, "sfpencc 3, 10\nsfpload L0, %u, 7, 0\nsfpload L1, %u, 7, 0\n",
                          2 * pass, 64 + 2 * pass);
        }
        for (unsigned i = 0; i < count; i++) {
            uint32_t w = body[i];
            if (is_memory(w >> 24)) {
                w = passes ? (w & ~0xFFFEu) | ((w & 64u) + 2 * pass) : w;
            }
            to += sprintf(to, ".word 0x%08X\n", (unsigned)w);
        }
        if (passes) {
            to += sprintf(to, "sfpstore L%u, %u, 7, 0\n", (unsigned)(body[0] & 3u), 2 * pass);
        }
    }
    loops += passes;
}

static void fill(uint32_t *values, size_t count)
{
    static const uint32_t special[] = {0,          0x80000000, 0x3F800000, 0xBF800000, 0x7F800000,
                                       0xFF800000, 0x7FC00000, 0xFF800001, 0x00000001, 0x807FFFFF,
                                       0x00800000, 0x7F7FFFFF, 0x0000007F, 0xFFFFFF80};
    for (size_t i = 0; i < count; i++) {
        const uint32_t r = next();
        values[i] = i % 3 == 0   ? r
                    : i % 3 == 1 ? special[r % (sizeof special / sizeof special[0])]
                                 : (r & 0x807FFFFFu) | (119u + (next() & 15u)) << 23;
    }
}

static void compare(tx_kernel *kernel, const char *level, const uint32_t *const *inputs,
                    const uint32_t *want, const char *text)
{
    static uint32_t got[TILES * TX_TILE_ELEMENTS];
    tx_fast *fast;
    tx_fast_worker *worker;
    const char *reason = "";
    const enum tx_status status = tx_fast_open(kernel, level, &fast, &reason);
    if (status == TX_EUNSUPPORTED) {
        refused++;
        return;
    }
    if (status != TX_OK || tx_fast_worker_open(fast, &worker) != TX_OK ||
        tx_fast_run(worker, 9, TILES, inputs, got) != TX_OK) {
        fprintf(stderr, "%s: status %d\n%s", level, (int)status, text);
        exit(2);
    }
    for (size_t i = 0; i < TILES * TX_TILE_ELEMENTS; i++) {
        if (got[i] != want[i]) {
            fprintf(stderr,
                    "%s: tile %zu element %zu: reference %08" PRIX32 ", fast %08" PRIX32 "\n%s",
                    level, i / TX_TILE_ELEMENTS, i % TX_TILE_ELEMENTS, want[i], got[i],
                    failed == 0 ? text : "");
            failed++;
            break;
        }
    }
    tx_fast_worker_close(worker);
    tx_fast_close(fast);
}

/* Executions of vector instructions; 0: the program is of no use. */
static uint64_t one(enum tx_arch arch)
{
    static char text[TEXT];
    static uint32_t in[2][TILES * TX_TILE_ELEMENTS];
    static uint32_t want[TILES * TX_TILE_ELEMENTS];
    const uint32_t *const inputs[2] = {in[0], in[1]};
    struct tx_settings settings;
    struct tx_kernel_options options;
    struct tx_program *program;
    struct tx_diag diag;
    tx_kernel *kernel;
    tx_fast *probe;
    const char *reason;
    const struct tx_asm_options how = {.arch = arch};
    uint64_t executions = 0;
    random_program(arch, text);
    tx_settings_default(&settings, arch);
    settings.mode = TX_MODE_SILICON;
    tx_kernel_options_default(&options);
    options.seed = 5;
    if (tx_assemble(text, strlen(text), &how, &program, &diag) != TX_OK ||
        tx_kernel_open(&settings, program, &options, &kernel) != TX_OK ||
        tx_kernel_start(kernel) != TX_OK) {
        fprintf(stderr, "%u: %s\n%s", diag.line, diag.message, text);
        exit(2);
    }
    if (tx_fast_open(kernel, "base", &probe, &reason) == TX_OK) {
        const uint64_t each = tx_fast_instructions(probe);
        tx_fast_close(probe);
        fill(in[0], TILES * TX_TILE_ELEMENTS);
        fill(in[1], TILES * TX_TILE_ELEMENTS);
        bool good = true;
        for (unsigned tile = 0; tile < TILES && good; tile++) {
            const size_t at = (size_t)tile * TX_TILE_ELEMENTS;
            const uint32_t *const tiles[2] = {in[0] + at, in[1] + at};
            good = tx_kernel_tile(kernel, 9 + tile, tiles, want + at) == TX_OK;
        }
        for (size_t i = 0; good && tx_fast_level(i) != NULL; i++) {
            compare(kernel, tx_fast_level(i), inputs, want, text);
        }
        executions = good ? each * TILES : 0;
        programs += good;
    } else {
        refused++;
        if (getenv("WHY") != NULL) {
            printf("%s\n", reason);
        }
    }
    tx_kernel_close(kernel);
    tx_program_free(program);
    return executions;
}

int main(int argc, char **argv)
{
    enum tx_arch arch;
    uint64_t done = 0;
    if (argc < 3 || tx_arch_parse(argv[1], &arch) != TX_OK) {
        fprintf(stderr, "usage: campaign_flow ARCH COUNT [SEED]\n");
        return 2;
    }
    const uint64_t count = strtoull(argv[2], NULL, 0);
    state = argc > 3 ? strtoull(argv[3], NULL, 0) : 1;
    while (done < count && failed < 10) {
        done += one(arch);
    }
    printf("%" PRIu64 " executions in %" PRIu64 " programs, %" PRIu64 " refused\n", done, programs,
           refused);
    printf("%" PRIu64 " passed, %" PRIu64 " failed\n", programs - failed, failed);
    return failed == 0 ? 0 : 1;
}
