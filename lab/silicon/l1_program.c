/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs of figures about L1, each with one user of it: how many accesses it makes in a cycle. A
 * program runs twice, the second time with twice as many, so that its beginning and end cancel out.
 */
#include <tensix/facts.h>

#include "silicon/code.h"
#include "silicon/silicon.h"

#include <tensix-lab/kernel.h>

#include <tensix/tensix.h>

#include <stdio.h>
#include <string.h>

enum {
    CODE = 0x1000,
    RESULT = 0x10000, /* two times, and 1 when it is over */
    DATA = 0x20000,
    TARGET = 0x60000,
    UNROLLED = 64,
    STEP = 64 /* so that no store is merged with the one before, and each is in another bank */
};

/* ---- a core ---- */

/* Accesses of core B: so many rounds of a loop of 64. */
static void core_words(struct code *c, enum silicon_l1 kind, unsigned rounds)
{
    li(c, S0, DATA);
    li(c, S1, tx_arch_fact(c->arch, TX_FACT_TILE_WALL_CLOCK_L));
    li(c, S2, rounds);
    addi(c, A0, S0, 0);
    lw(c, S4, S1, 0);
    const unsigned loop = c->count;
    for (unsigned i = 0; i < UNROLLED; i++) {
        const int at = (int)(i % 16 * STEP);
        if (kind == SILICON_L1_STORES) {
            sw(c, X0, S0, at);
        } else if (kind == SILICON_L1_CHASE) {
            lw(c, A0, A0, 0);
        } else {
            lw(c, (unsigned[]){A1, A2, A3, A4}[i % 4], S0, at);
        }
    }
    addi(c, S2, S2, -1);
    branch(c, 1, S2, X0, loop);
    fence(c);
    lw(c, S5, S1, 0);
    li(c, A0, RESULT);
    sw(c, S4, A0, 0);
    sw(c, S5, A0, 4);
    addi(c, T0, X0, 1);
    sw(c, T0, A0, 8);
    put(c, tx_core_encode(TX_CORE_INSN_JAL, 0, 0, 0, 0)); /* stays here */
}

static int run_core(struct txl_error *err, enum tx_arch arch, enum silicon_l1 kind, unsigned rounds,
                    double *cycles)
{
    enum { LIMIT = 100000, BIT = 256 };
    struct tx_tensix_settings s;
    struct code c = {.arch = arch};
    tx_tensix *tile = NULL;
    const uint32_t link = DATA; /* a pointer to itself */
    uint32_t words[3] = {0, 0, 0};
    tx_tensix_settings_default(&s, arch);
    core_words(&c, kind, rounds);
    bool good = tx_tensix_open(&s, &tile) == TX_OK &&
                tx_tensix_write(tile, CODE, c.word, 4 * (size_t)c.count) == TX_OK &&
                tx_tensix_write(tile, RESULT, words, sizeof words) == TX_OK &&
                tx_tensix_write(tile, DATA, &link, sizeof link) == TX_OK;
    for (unsigned i = 1; i < 16 && good; i++) {
        good = tx_tensix_write(tile, DATA + STEP * i, &link, sizeof link) == TX_OK;
    }
    good = good && tx_tensix_start(tile, TX_CORE_B, CODE) == TX_OK;
    while (good && words[2] == 0 && tx_tensix_cycles(tile) < LIMIT) {
        good = tx_tensix_cycle(tile, BIT) == TX_OK &&
               tx_tensix_read(tile, RESULT, words, sizeof words) == TX_OK;
    }
    tx_tensix_close(tile);
    *cycles = words[1] - words[0];
    return good && words[2] != 0 ? TXL_OK : txl_fail(err, "the core does not come to its end");
}

/* ---- a unit ---- */

struct setting {
    const char *name;
    uint32_t value;
};

enum { L1_UNIT = 16, BF16 = 5, PACKED = 256 * 2 / L1_UNIT, COPY = 3 };

static const struct setting no_settings[1];
static const struct setting copies[] = {{"THCON_SEC0_REG6_Source_address", DATA / L1_UNIT},
                                        {"THCON_SEC0_REG6_Destination_address", TARGET / L1_UNIT},
                                        {"THCON_SEC0_REG6_Transfer_direction", COPY},
                                        {NULL, 0}};
static const struct setting clears[] = {{"THCON_SEC0_REG6_Destination_address", TARGET / L1_UNIT},
                                        {"THCON_SEC0_REG6_Transfer_direction", 0},
                                        {NULL, 0}};
static const struct setting packs[] = {
    {"THCON_SEC0_REG1_Disable_zero_compress", 1},
    {"THCON_SEC0_REG1_In_data_format", BF16},
    {"THCON_SEC0_REG1_Out_data_format", BF16},
    {"THCON_SEC0_REG1_L1_Dest_addr", 0x80000000u | (TARGET / L1_UNIT - 1)},
    {"ALU_FORMAT_SPEC_REG2_Dstacc", BF16},
    {"PCK_EDGE_OFFSET_SEC0_mask", 0xFFFF},
    {"PACK_COUNTERS_SEC0_pack_reads_per_xy_plane", 16},
    {"PCK0_ADDR_CTRL_XY_REG_0_Ystride", 32},
    {"PCK0_ADDR_CTRL_ZW_REG_0_Zstride", 512},
    {"PCK0_ADDR_CTRL_ZW_REG_0_Wstride", 2048},
    {NULL, 0}};

/* What a unit executes: its settings, words before and, so many times, words that access L1. */
struct unit_program {
    const struct setting *settings;
    const char *first, *each;
    unsigned accesses; /* of each; 0: as many as the setting of the mover says */
};

static const struct unit_program *program_of(enum tx_arch arch, enum silicon_l1 kind)
{
    static const char twice[] = "ttxmov 0, 0\nttxmov 0, 0\n"; /* the second waits for the first */
    static const struct unit_program mover[2] = {{copies, "", twice, 0}, {clears, "", twice, 0}};
    static const struct unit_program pack = {
        packs, "ttsetadcxx 4, 255, 0\nttsetadcxy 4, 0, 0, 0, 0, 11\nttsetadczw 4, 0, 0, 0, 0, 15\n",
        "TTI_PACR(0, 0, 1, 0, 0, 0, 1)\n", PACKED};
    static const struct unit_program store = {no_settings, "", "ttstoreind 1, 0, 0, 8, 0, 8, 8\n",
                                              1};
    switch (kind) {
    case SILICON_L1_COPY:
        return &mover[0];
    case SILICON_L1_CLEAR:
        return &mover[1];
    case SILICON_L1_PACK: /* which packer a word names is Wormhole's */
        return tx_arch_fact(arch, TX_FACT_PACKERS) > 1 ? &pack : NULL;
    case SILICON_L1_SCALAR:
        return &store;
    default:
        return NULL;
    }
}

static int run_words(struct txl_error *err, tx_machine *m, const struct unit_program *p,
                     enum tx_arch arch, unsigned count)
{
    const struct txl_kernel_options how = {.size = sizeof how, .arch = arch};
    struct tx_program *program = NULL;
    char text[512];
    const int length = snprintf(text, sizeof text, "%s.rept %u\n%s.endr\n", p->first,
                                p->accesses == 0 ? 1 : count, p->each);
    int result = txl_kernel_assemble(err, "figure", text, (size_t)length, &how, &program);
    if (result == TXL_OK) {
        const enum tx_status status = tx_run(m, p == program_of(arch, SILICON_L1_PACK) ? 2 : 0,
                                             tx_program_words(program, TX_SECTION_TILE),
                                             tx_program_count(program, TX_SECTION_TILE));
        result = status == TX_OK ? TXL_OK : txl_fail(err, "the words do not run");
    }
    tx_program_free(program);
    return result;
}

static int run_unit(struct txl_error *err, enum tx_arch arch, enum silicon_l1 kind, unsigned count,
                    double *cycles)
{
    const struct unit_program *p = program_of(arch, kind);
    struct tx_tensix_settings s;
    tx_tensix *tile = NULL;
    tx_tensix_settings_default(&s, arch);
    if (p == NULL || tx_tensix_open(&s, &tile) != TX_OK) {
        return txl_fail(err, "no program for this chip");
    }
    tx_machine *m = tx_tensix_machine(tile);
    const unsigned thread = kind == SILICON_L1_PACK ? 2 : 0;
    bool good = true;
    for (const struct setting *i = p->settings; i->name != NULL && good; i++) {
        good = tx_config_set(m, thread, i->name, i->value) == TX_OK;
    }
    if (p->accesses == 0) {
        good = good && tx_config_set(m, thread, "THCON_SEC0_REG6_Buffer_size", count) == TX_OK;
    }
    const int result = good ? run_words(err, m, p, arch, count) : txl_fail(err, "no such setting");
    *cycles = (double)tx_machine_counters(m).cycles;
    tx_tensix_close(tile);
    return result;
}

int silicon_l1_run(struct txl_error *err, enum tx_arch arch, enum silicon_l1 kind, double *rate)
{
    enum { ROUNDS = 8, WORDS = 256 };
    const bool core =
        kind == SILICON_L1_STORES || kind == SILICON_L1_CHASE || kind == SILICON_L1_LOADS;
    const unsigned count = core ? ROUNDS : WORDS;
    double cycles[2] = {0, 0};
    int result = TXL_OK;
    for (unsigned i = 0; i < 2 && result == TXL_OK; i++) {
        result = core ? run_core(err, arch, kind, count << i, &cycles[i])
                      : run_unit(err, arch, kind, count << i, &cycles[i]);
    }
    if (result == TXL_OK) {
        const struct unit_program *p = core ? NULL : program_of(arch, kind);
        const unsigned accesses = core ? UNROLLED : p->accesses == 0 ? 1 : p->accesses;
        *rate = (double)count * accesses / (cycles[1] - cycles[0]);
    }
    return result;
}
