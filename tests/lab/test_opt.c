/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tensix-lab/opt.h: random rows, straight and predicated. What opt makes of them, their
 * instructions in another order, and selections in place of their conditions give the results of
 * the kernel on random data, on the reference engine, on the fast one with each vector level of
 * this CPU, and compiled. And the proof refuses a wrong order, a wrong constant, a wrong condition
 * and a wrong selection.
 */
#include <tensix-lab/engine.h>
#include <tensix-lab/opt.h>
#include <tensix/fast.h>

#include "opt/opt.h"
#include "random_rows.h"
#include "schedule/schedule.h"

static unsigned count = 6;
static uint64_t begin = 1;
static unsigned every; /* one kernel in so many is compiled; 0: none */
static txl_compiler *compiler;

struct counts {
    unsigned shorter, reordered, orders, fast, compiled, selections, selected;
};

static void same_run(tx_fast *fast, const char *engine, uint64_t seed,
                     uint32_t expected[TILES][TX_TILE_ELEMENTS], const char *text)
{
    static uint32_t in[2][TILES][TX_TILE_ELEMENTS], out[TILES][TX_TILE_ELEMENTS];
    const uint32_t *const inputs[] = {in[0][0], in[1][0]};
    tx_fast_worker *worker = NULL;
    assert_int_equal(tx_fast_worker_open(fast, &worker), TX_OK);
    random_data(seed, in);
    assert_int_equal(tx_fast_run(worker, 0, TILES, inputs, out[0]), TX_OK);
    if (memcmp(out, expected, sizeof out) != 0) {
        fail_msg("other results on %s:\n%s", engine, text);
    }
    tx_fast_worker_close(worker);
}

/* All levels of the fast engine give these results, too, and so does compiled code now and then. */
static void same_fast(struct counts *c, const struct tx_program *program, uint64_t seed,
                      uint32_t expected[TILES][TX_TILE_ELEMENTS], const char *text)
{
    struct tx_kernel_options options;
    struct tx_settings settings;
    tx_kernel *kernel = NULL;
    tx_fast *fast = NULL;
    tx_settings_default(&settings, tx_program_arch(program));
    tx_kernel_options_default(&options);
    assert_int_equal(tx_kernel_open(&settings, program, &options, &kernel), TX_OK);
    assert_int_equal(tx_kernel_start(kernel), TX_OK);
    for (size_t i = 0; tx_fast_level(i) != NULL; i++) {
        const enum tx_status status = tx_fast_open(kernel, tx_fast_level(i), &fast, NULL);
        if (status == TX_EUNSUPPORTED) {
            break;
        }
        assert_int_equal(status, TX_OK);
        same_run(fast, tx_fast_level(i), seed, expected, text);
        c->fast += i == 0;
        if (i == 0 && every != 0 && c->fast % every == 0) {
            assert_int_equal(txl_compile(NULL, compiler, fast), TXL_OK);
            same_run(fast, "compiled", seed, expected, text);
            c->compiled++;
        }
        tx_fast_close(fast);
    }
    tx_kernel_close(kernel);
}

static void check(struct counts *c, const struct maker *m, enum tx_arch arch, const char *text,
                  uint32_t before[TILES][TX_TILE_ELEMENTS])
{
    static uint32_t after[TILES][TX_TILE_ELEMENTS];
    struct tx_program *program = program_of(arch, text);
    results(program, m->random, after);
    if (memcmp(before, after, sizeof after) != 0) {
        fail_msg("other results:\n%s\n%s", m->text, text);
    }
    same_fast(c, program, m->random, before, text);
    tx_program_free(program);
}

/* Returns the kernel with its instructions in another order, for free; NULL: it is refused. */
static char *reordered(const struct tx_program *program, struct sched_reordered *made,
                       struct sched_why *why)
{
    struct tx_kernel_options options;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    tx_kernel_options_default(&options);
    const bool good = sched_reorder(out, program, &options, made, why);
    (void)fclose(out);
    assert_false(why->memory);
    if (!good) {
        free(text);
        return NULL;
    }
    return text;
}

static void one(struct counts *c, enum tx_arch arch, struct maker *m, bool plain)
{
    static uint32_t before[TILES][TX_TILE_ELEMENTS];
    const struct txl_opt_options how = {
        .size = sizeof how, .nodes = 100, .seconds = 1, .domain = "bf16xbf16", .sample = 64};
    struct txl_opt_result r = {.size = sizeof r};
    struct sched_reordered made;
    struct sched_why why = {.text = ""};
    txl_opt *opt = NULL;
    random_kernel(m, plain);
    struct tx_program *given = program_of(arch, m->text);
    results(given, m->random, before);
    assert_int_equal(txl_opt_find(NULL, given, &how, &opt), TXL_OK);
    txl_opt_result(opt, &r);
    c->shorter += r.kept == NULL;
    c->selected += r.selected;
    c->reordered += r.reordered;
    check(c, m, arch, txl_opt_text(opt), before);
    char *text = reordered(given, &made, &why);
    if (text != NULL) {
        check(c, m, arch, text, before);
        c->orders++;
    }
    free(text);
    unsigned selections = 0;
    assert_int_equal(opt_select(NULL, given, &text, &selections), TXL_CONTINUE);
    if (selections != 0) {
        check(c, m, arch, text, before);
        c->selections++;
    }
    free(text);
    txl_opt_close(opt);
    tx_program_free(given);
}

static void rows(enum tx_arch arch, uint64_t seed)
{
    struct maker m = {.random = seed};
    struct counts c = {0};
    for (unsigned i = 0; i < count; i++) {
        one(&c, arch, &m, i % 2 == 0);
    }
    printf("%u rows on %s: %u shorter, %u of them by order, %u by selections; %u orders; %u with "
           "selections; %u runs of each fast engine, %u of compiled code\n",
           count, tx_arch_name(arch), c.shorter, c.reordered, c.selected, c.orders, c.selections,
           c.fast, c.compiled);
    assert_true(c.orders == count && 2 * c.shorter >= count && c.fast >= count);
}

static void test_blackhole(void **state)
{
    (void)state;
    rows(TX_BLACKHOLE, begin * 0x9E3779B97F4A7C15);
}

static void test_wormhole(void **state)
{
    (void)state;
    rows(TX_WORMHOLE, begin * 0xC2B2AE3D27D4EB4F);
}

/* x / 4 where x is negative, else 3 x + 1 / 3, and each constant is loaded in each row. */
static const char planted[] =
    ".dst fp32\n.inputs 1\n.start vendor\n.init\nsfpencc 3, 10\nsfpnop\n.tile\nI = 0\n.rept 8\n"
    "sfpload L0, I, 3, 3\nsfploadi L1, 0x4040, 0\nsfploadi L2, 0x3EAA, 8\n"
    "sfploadi L2, 0xAAAB, 10\nsfpmad L3, L0, L1, L2, 0\nsfpnop\nsfppushc 0\n"
    "sfpsetcc L0, 0, 0\nsfploadi L1, 0x3E80, 0\nsfpmul L3, L0, L1, 0\nsfpnop\nsfppopc 0\n"
    "sfpstore L3, I, 3, 3\nI = I + 2\n.endr\n";

/* What the proof says of the text, with one place changed; changes of NULL: as it is. */
static int proved(const struct tx_program *given, const struct sched_reordered *made,
                  const char *text, const char *from, const char *to, struct sched_why *why)
{
    struct sched_proof proof = {.straight = given,
                                .domain = "fp32",
                                .cycles = made->cycles,
                                .around = made->around,
                                .sample = 1024};
    char changed[TEXT];
    const char *at = from != NULL ? strstr(text, from) : text;
    assert_non_null(at);
    (void)snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text,
                   to != NULL ? to : "", at + (from != NULL ? strlen(from) : 0));
    *why = (struct sched_why){.text = ""};
    tx_kernel_options_default(&proof.kernel);
    return sched_prove(NULL, &proof, changed, strlen(changed), why);
}

static void test_planted(void **state)
{
    (void)state;
    /* an order that reads too early, a constant that is another one, a condition turned round */
    static const char *const change[][2] = {
        {"    sfppushc 0\n    sfpsetcc L0,0x000,0\n", "    sfpsetcc L0,0x000,0\n    sfppushc 0\n"},
        {"0x3eaaaaab", "0x3eaaaaac"},
        {"sfpsetcc L0,0x000,0", "sfpsetcc L0,0x000,4"},
    };
    struct tx_program *given = program_of(TX_BLACKHOLE, planted);
    struct sched_reordered made;
    struct sched_why why = {.text = ""};
    char *text = reordered(given, &made, &why);
    assert_non_null(text);
    /* seven instructions a row are left, and none waits for what SFPMAD and SFPMUL make */
    assert_int_equal(made.blocks, 8);
    assert_int_equal(made.cycles, 8 * 7);
    assert_int_equal(proved(given, &made, text, NULL, NULL, &why), TXL_OK);
    for (unsigned i = 0; i < sizeof change / sizeof change[0]; i++) {
        assert_int_equal(proved(given, &made, text, change[i][0], change[i][1], &why),
                         TXL_NEGATIVE);
        assert_non_null(strstr(why.text, "the schedule gives other results"));
    }
    free(text);
    tx_program_free(given);
}

/* ---- selections in place of conditions ---- */

#define CONDITION(row)                                                                  \
    ".dst fp32\n.inputs 1\n.start vendor\n.init\nsfpencc 3, 10\nsfpnop\n.tile\nI = 0\n" \
    ".rept 32\nsfpload L0, I, 3, 3\n" row "sfpstore L0, I, 3, 3\nI = I + 2\n.endr\n"

static const struct {
    const char *text;
    const char *selection; /* on Blackhole; NULL: the condition stays */
    unsigned straight;     /* cycles of a tile of the selection, as it stands */
    unsigned row, row_wh;  /* cycles of a scheduled row */
    const char *wrong;     /* another selection */
} conditions[] = {
    {CONDITION("sfpsetcc L0, 0, 0\nsfploadi L0, 0, 0\nsfpencc 3, 10\n"), "sfpswap L0,L9,9", 128, 2,
     2, "sfpswap L0,L9,1"},
    {CONDITION("sfppushc 0\nsfpsetcc L0, 0, 0\nsfpmov L0, L0, 1\nsfppopc 0\n"),
     "sfpsetsgn L0,L0,0,1", 96, 1, 1, "sfpsetsgn L0,L0,1,1"},
    {CONDITION("sfpsetcc L0, 0, 4\nsfpmov L0, L0, 1\nsfpencc 3, 10\n"), "sfpsetsgn L0,L0,1,1", 96,
     1, 1, "sfpsetsgn L0,L0,0,1"},
    {CONDITION("sfpmul L1, L0, L0, 0\nsfpnop\nsfpsetcc L0, 0, 4\nsfploadi L1, 0, 0\n"
               "sfpencc 3, 10\nsfpmov L0, L1, 0\n"),
     "sfpshft L6,L0,-31,7", 224, 2, 3, "sfpshft L6,L0,-30,7"},
    /* of another register, a constant that is not 0, and under other flags: as they stand */
    {CONDITION("sfpsetcc L0, 0, 0\nsfploadi L0, 0x3f80, 0\nsfpencc 3, 10\n"), NULL, 0, 0, 0, NULL},
    {CONDITION("sfpsetcc L0, 0, 2\nsfpsetcc L0, 0, 0\nsfpmov L0, L0, 1\nsfpencc 3, 10\n"), NULL, 0,
     0, 0, NULL},
};

static void scheduled(size_t i, enum tx_arch arch)
{
    const struct txl_opt_options how = {.size = sizeof how, .seconds = 4, .domain = "bf16"};
    struct txl_opt_result r = {.size = sizeof r};
    struct tx_program *given = program_of(arch, conditions[i].text);
    txl_opt *opt = NULL;
    assert_int_equal(txl_opt_find(NULL, given, &how, &opt), TXL_OK);
    txl_opt_result(opt, &r);
    const bool blackhole = arch == TX_BLACKHOLE;
    assert_int_equal(r.ii, blackhole ? conditions[i].row : conditions[i].row_wh);
    assert_int_equal(r.selected, blackhole || conditions[i].row_wh == conditions[i].row);
    txl_opt_close(opt);
    tx_program_free(given);
}

static void test_selections(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
        struct tx_program *given = program_of(TX_BLACKHOLE, conditions[i].text);
        struct sched_reordered made = {.cycles = conditions[i].straight};
        struct sched_why why;
        unsigned selections = 0;
        char *text = NULL;
        assert_int_equal(opt_select(NULL, given, &text, &selections), TXL_CONTINUE);
        assert_int_equal(selections, conditions[i].selection != NULL ? 32 : 0);
        if (selections != 0) {
            const char *right = conditions[i].selection;
            assert_non_null(strstr(text, right));
            assert_int_equal(proved(given, &made, text, NULL, NULL, &why), TXL_OK);
            assert_int_equal(proved(given, &made, text, right, conditions[i].wrong, &why),
                             TXL_NEGATIVE);
            assert_non_null(strstr(why.text, "other results"));
            scheduled(i, TX_BLACKHOLE);
            scheduled(i, TX_WORMHOLE);
        }
        free(text);
        tx_program_free(given);
    }
}

/* test_opt [COUNT [SEED [EVERY CACHE]]] */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blackhole),
        cmocka_unit_test(test_wormhole),
        cmocka_unit_test(test_planted),
        cmocka_unit_test(test_selections),
    };
    count = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : count;
    begin = argc > 2 ? strtoull(argv[2], NULL, 10) : begin;
    if (argc > 4) {
        const struct txl_compiler_options how = {
            .size = sizeof how, .cache = argv[4], .make_parent = true};
        every = (unsigned)strtoul(argv[3], NULL, 10);
        if (txl_compiler_open(NULL, &how, &compiler) != TXL_OK) {
            return 2;
        }
    }
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    txl_compiler_close(compiler);
    return failed;
}
