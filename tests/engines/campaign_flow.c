/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random programs on the reference engine and on every level of the fast one: words of all modelled
 * vector instructions, of SFPCONFIG those for constants, nine in ten inside their contract, over
 * random and special tiles, in the five Dst formats, some with 32 equal passes over the tile, some
 * with what compilers write, a quarter with SFPLOADMACRO over random templates and sequences, half
 * of them by other rules, and a third with writes to counters and to every configuration field that
 * anything reads, seeds among them. COUNT is executions of vector instructions a level; programs
 * the fast engine refuses do not count. With COMPILE, one program in so many is compiled too, with
 * $TENSIX_CACHE. campaign_flow ARCH COUNT [SEED [COMPILE]]
 */
#include <tensix/tensix.h>

#include <tensix-lab/engine.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TILES = 3, BODY = 40, TEXT = 1 << 19, ITEM = 400 };

static uint64_t state;
static uint64_t refused, programs, failed, compiled, compile_every;
static txl_compiler *compiler;

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

/* What a program is drawn to have. */
struct kind {
    bool passes, macros, changes;
};

/* ---- configuration ---- */

/* Fields that something reads, in the vendor's names; # is one of the eight sections. */
static const struct field {
    const char *name;
    uint32_t step, limit; /* values: multiples, below the limit */
} fields[] = {
    {"PRNG_SEED_Seed_Val", 1, 0},
    {"CFG_STATE_ID_StateID", 1, 2},
    {"STATE_RESET_EN", 1, 2},
    {"DEST_TARGET_REG_CFG_MATH_Offset", 4, 128},
    {"DEST_REGW_BASE_Base", 1, 128},
    {"DEST_SP_BASE_Base", 1, 128},
    {"SFPU_STACK_Incr", 1, 16},
    {"SFPU_DEST_FMT_Enable", 1, 2},
    {"SFPU_DEST_FMT_Base", 1, 16},
    {"ALU_ACC_CTRL_SFPU_Fp32_enabled", 1, 2},
    {"ALU_FORMAT_SPEC_REG_SrcB_override", 1, 2},
    {"ALU_FORMAT_SPEC_REG_SrcB_val", 1, 16},
    {"ALU_FORMAT_SPEC_REG1_SrcB", 1, 16},
    {"DEST_ACCESS_CFG_remap_addrs", 1, 2},
    {"DEST_ACCESS_CFG_swizzle_32b", 1, 2},
    {"ADDR_MOD_SET_Base", 1, 2},
    {"ADDR_MOD_AB_SEC#_SrcAIncr", 1, 64},
    {"ADDR_MOD_AB_SEC#_SrcACR", 1, 2},
    {"ADDR_MOD_AB_SEC#_SrcBIncr", 1, 64},
    {"ADDR_MOD_AB_SEC#_SrcBClear", 1, 2},
    {"ADDR_MOD_DST_SEC#_DestIncr", 1, 32},
    {"ADDR_MOD_DST_SEC#_DestCR", 1, 2},
    {"ADDR_MOD_DST_SEC#_DestClear", 1, 2},
    {"ADDR_MOD_DST_SEC#_DestCToCR", 1, 2},
    {"ADDR_MOD_BIAS_SEC#_BiasIncr", 1, 16},
    {"ADDR_MOD_BIAS_SEC#_BiasClear", 1, 2},
    {"CLR_DVALID_SrcA_Disable", 1, 2},
    {"SCRATCH_SEC0_val", 1, 0},
};

static const struct tx_config_field *field_of(enum tx_arch arch, const struct field *f)
{
    char name[64];
    snprintf(name, sizeof name, "%s", f->name);
    char *section = strchr(name, '#');
    if (section != NULL) {
        *section = (char)('0' + next() % 8);
    }
    return tx_config_field_find(arch, name);
}

/* The field alone, by bytes or by SETC16; or its word out of a register, or of four. */
static void write_field(enum tx_arch arch, const struct field *f, char *to)
{
    const struct tx_config_field *at = field_of(arch, f);
    const uint32_t value = f->limit == 0 ? next() : next() % f->limit / f->step * f->step;
    if (at == NULL) {
        return; /* the other chip's */
    }
    const uint32_t word = value << at->lsb;
    if (at->thread) {
        sprintf(to, "ttsetc16 %u, %u\n", at->word, (unsigned)(word & 0xFFFFu));
    } else if (next() % 3 != 0) {
        sprintf(to, ".setcfg %s, %u\n", at->name, (unsigned)value);
    } else {
        const unsigned reg = next() % 16;
        const unsigned wide = next() % 4 == 0;
        sprintf(to, ".word 0x%08X\n.word 0x%08X\nttwrcfg %u, %u, %u\nttnop\n",
                (unsigned)(0x45000000u | (word & 0xFFFFu) << 8 | 2 * reg),
                (unsigned)(0x45000000u | (word >> 16) << 8 | (2 * reg + 1)), reg, wide, at->word);
    }
}

/* Something that is no vector instruction. */
static void random_change(enum tx_arch arch, char *to)
{
    static const uint8_t counters[] = {0x37, 0x38, 0x37, 0x38};
    const uint32_t r = next();
    *to = '\0';
    if (r % 8 < 4) {
        write_field(arch, &fields[next() % (sizeof fields / sizeof fields[0])], to);
    } else if (r % 8 == 4) { /* a seed, and a draw */
        write_field(arch, &fields[0], to);
        sprintf(to + strlen(to), "sfpmov L%u,L9,8\n", (unsigned)(next() & 7u));
    } else if (r % 8 == 5) { /* SETRWC, INCRWC; banks of Src stay */
        sprintf(to, ".word 0x%08X\n",
                (unsigned)((uint32_t)counters[r >> 3 & 3u] << 24 | (next() & 0x3CFFFFu)));
    } else if (r % 8 == 6) { /* semaphores */
        sprintf(to, "%s\n", r % 16 < 8 ? "ttseminit 2,1,4" : "ttsempost 4");
    } else if (arch == TX_BLACKHOLE) { /* the seed out of itself and a scratch word */
        sprintf(to, "ttcfgshiftmask %u, %u, %u, %u, 0, 186\nttnop\n", next() % 2, next() % 8,
                next() % 32, next() % 32);
    }
}

/* ---- words ---- */

/* Loads and stores without address modifier; pass moves them on. */
static uint32_t random_word(enum tx_arch arch, bool macros)
{
    if (next() % 200 == 0) { /* a constant, out of L0 or its default */
        return 0x91000000u | (11 + next() % 4) << 4 | (next() & 1u);
    }
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

/* Where changes are written, loads and stores take any address modifier. */
static uint32_t place_word(enum tx_arch arch, struct kind kind, uint32_t w, unsigned pass)
{
    if (!is_memory(w >> 24)) {
        return w;
    }
    w = kind.passes ? (w & ~0xFFFEu) | ((w & 64u) + 2 * pass) : w;
    return kind.changes ? w | (next() & (arch == TX_BLACKHOLE ? 0xE000u : 0xC000u)) : w;
}

static void random_program(enum tx_arch arch, char *text)
{
    static const char *const formats[] = {"fp32", "bf16", "fp16", "int32", "int8"};
    static char changes[BODY][ITEM];
    const struct kind kind = {next() % 2 == 0, next() % 4 == 0, next() % 3 == 0};
    const bool passes = kind.passes;
    const bool macros = kind.macros;
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
        changes[i][0] = '\0';
        if (kind.changes && next() % 4 == 0) {
            random_change(arch, changes[i]);
        }
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
            to += sprintf(to, "%s.word 0x%08X\n", changes[i],
                          (unsigned)place_word(arch, kind, body[i], pass));
        }
        if (passes) {
            to += sprintf(to, "sfpstore L%u, %u, 7, 0\n", (unsigned)(body[0] & 3u), 2 * pass);
        }
    }
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

/* A program, the rules it runs by, and what came of it. */
struct trial {
    struct tx_settings settings;
    struct tx_kernel_options options;
    uint64_t first; /* tile */
    tx_kernel *kernel;
    uint32_t in[2][TILES * TX_TILE_ELEMENTS];
    uint32_t want[TILES * TX_TILE_ELEMENTS];
    char text[TEXT];
};

/* Half of the programs run by some rules' other values. */
static void random_rules(struct tx_settings *settings)
{
    const struct tx_rule *rule;
    const bool others = next() % 2 == 0;
    for (size_t i = 0; others && (rule = tx_rule_at(i)) != NULL; i++) {
        const unsigned values = rule->values[2] == NULL ? 2 : 3;
        settings->rules[i] = (uint8_t)(next() % 4 == 0 ? next() % values : 0);
    }
}

static void complain(const struct trial *t, const char *engine, const char *what)
{
    const struct tx_rule *rule;
    fprintf(stderr, "%s: %s\n", engine, what);
    if (failed++ != 0) {
        return;
    }
    fputs(t->text, stderr);
    fprintf(stderr, "# seed %u", (unsigned)t->options.seed);
    for (size_t i = 0; (rule = tx_rule_at(i)) != NULL; i++) {
        if (t->settings.rules[i] != 0) {
            fprintf(stderr, ", %s=%s", rule->name, rule->values[t->settings.rules[i]]);
        }
    }
    fprintf(stderr, "\n");
}

static void compare(struct trial *t, tx_fast *fast, const char *engine)
{
    static uint32_t got[TILES * TX_TILE_ELEMENTS];
    const uint32_t *const inputs[2] = {t->in[0], t->in[1]};
    tx_fast_worker *worker;
    if (tx_fast_worker_open(fast, &worker) != TX_OK ||
        tx_fast_run(worker, t->first, TILES, inputs, got) != TX_OK) {
        complain(t, engine, "it does not run");
    }
    tx_fast_worker_close(worker);
    for (size_t i = 0; i < TILES * TX_TILE_ELEMENTS; i++) {
        if (got[i] != t->want[i]) {
            char what[128];
            snprintf(what, sizeof what,
                     "tile %zu element %zu: reference %08" PRIX32 ", fast %08" PRIX32,
                     i / TX_TILE_ELEMENTS, i % TX_TILE_ELEMENTS, t->want[i], got[i]);
            complain(t, engine, what);
            return;
        }
    }
}

/* One level, and its compiled code now and then. */
static void compare_level(struct trial *t, const char *level, bool best)
{
    tx_fast *fast;
    const char *reason = "";
    struct txl_error why = {.status = TXL_OK};
    if (tx_fast_open(t->kernel, level, &fast, &reason) != TX_OK) {
        complain(t, level, reason);
        return;
    }
    compare(t, fast, level);
    if (best && compile_every != 0 && programs % compile_every == 0) {
        if (txl_compile(&why, compiler, fast) == TXL_OK) {
            compare(t, fast, "compiled");
            compiled++;
        } else {
            complain(t, "compiled", why.message);
        }
    }
    tx_fast_close(fast);
}

/* Executions of vector instructions; 0: the program is of no use. */
static uint64_t run(struct trial *t)
{
    tx_fast *probe;
    const char *reason;
    if (tx_fast_open(t->kernel, "base", &probe, &reason) != TX_OK) {
        refused++;
        if (strstr(reason, "please report") != NULL) {
            complain(t, "base", reason);
        }
        if (getenv("WHY") != NULL) {
            printf("%s\n", reason);
        }
        return 0;
    }
    const uint64_t each = tx_fast_instructions(probe);
    tx_fast_close(probe);
    fill(t->in[0], TILES * TX_TILE_ELEMENTS);
    fill(t->in[1], TILES * TX_TILE_ELEMENTS);
    for (unsigned tile = 0; tile < TILES; tile++) {
        const size_t at = (size_t)tile * TX_TILE_ELEMENTS;
        const uint32_t *const tiles[2] = {t->in[0] + at, t->in[1] + at};
        if (tx_kernel_tile(t->kernel, t->first + tile, tiles, t->want + at) != TX_OK) {
            return 0;
        }
    }
    for (size_t i = 0; tx_fast_level(i) != NULL; i++) {
        compare_level(t, tx_fast_level(i), i == 0);
    }
    programs++;
    return each * TILES;
}

static uint64_t one(enum tx_arch arch)
{
    static struct trial t;
    struct tx_program *program;
    struct tx_diag diag;
    const struct tx_asm_options how = {.arch = arch};
    random_program(arch, t.text);
    tx_settings_default(&t.settings, arch);
    random_rules(&t.settings);
    tx_kernel_options_default(&t.options);
    t.options.seed = next();
    t.options.thread = next() % TX_THREADS;
    t.first = next() % 4;
    if (tx_assemble(t.text, strlen(t.text), &how, &program, &diag) != TX_OK ||
        tx_kernel_open(&t.settings, program, &t.options, &t.kernel) != TX_OK ||
        tx_kernel_start(t.kernel) != TX_OK) {
        fprintf(stderr, "%u: %s\n%s", diag.line, diag.message, t.text);
        exit(2);
    }
    const uint64_t executions = run(&t);
    tx_kernel_close(t.kernel);
    tx_program_free(program);
    return executions;
}

int main(int argc, char **argv)
{
    enum tx_arch arch;
    uint64_t done = 0;
    if (argc < 3 || tx_arch_parse(argv[1], &arch) != TX_OK) {
        fprintf(stderr, "usage: campaign_flow ARCH COUNT [SEED [COMPILE]]\n");
        return 2;
    }
    const uint64_t count = strtoull(argv[2], NULL, 0);
    state = argc > 3 ? strtoull(argv[3], NULL, 0) : 1;
    compile_every = argc > 4 ? strtoull(argv[4], NULL, 0) : 0;
    const struct txl_compiler_options options = {.size = sizeof options,
                                                 .cache = getenv("TENSIX_CACHE"),
                                                 .command = getenv("CC"),
                                                 .path = getenv("PATH")};
    if (txl_compiler_open(NULL, &options, &compiler) != TXL_OK) {
        return 2;
    }
    while (done < count && failed < 10) {
        done += one(arch);
    }
    printf("%" PRIu64 " executions in %" PRIu64 " programs, %" PRIu64 " of them compiled, %" PRIu64
           " refused; %" PRIu64 " failed\n",
           done, programs, compiled, refused, failed);
    txl_compiler_close(compiler);
    return failed == 0 ? 0 : 1;
}
