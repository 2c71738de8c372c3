/* SPDX-License-Identifier: Apache-2.0 */
/* The public face of a machine: life, registers, snapshots, threads, findings, faults, limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <tensix/tensix.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static tx_machine *open_machine(enum tx_arch arch, enum tx_mode mode)
{
    struct tx_settings s;
    tx_machine *m = NULL;
    tx_settings_default(&s, arch);
    s.mode = mode;
    assert_int_equal(tx_open(&s, &m), TX_OK);
    return m;
}

static void run_text(tx_machine *m, const char *text)
{
    const struct tx_asm_options options = {.arch = tx_machine_arch(m)};
    struct tx_program *p;
    struct tx_diag diag;
    assert_int_equal(tx_assemble(text, strlen(text), &options, &p, &diag), TX_OK);
    assert_int_equal(
        tx_run(m, 1, tx_program_words(p, TX_SECTION_TILE), tx_program_count(p, TX_SECTION_TILE)),
        TX_OK);
    tx_program_free(p);
}

static void test_names(void **state)
{
    static const char *const bh[] = {"bh", "BH", "blackhole", "BlackholeA0", "tt-bh", "BLACKHOLE"};
    static const char *const wh[] = {"wh", "wormhole_b0", "WormholeB0", "WORMHOLE_B0",
                                     "tt-wh-tensix"};
    enum tx_arch arch;
    (void)state;
    for (size_t i = 0; i < sizeof bh / sizeof bh[0]; i++) {
        assert_int_equal(tx_arch_parse(bh[i], &arch), TX_OK);
        assert_int_equal(arch, TX_BLACKHOLE);
    }
    for (size_t i = 0; i < sizeof wh / sizeof wh[0]; i++) {
        assert_int_equal(tx_arch_parse(wh[i], &arch), TX_OK);
        assert_int_equal(arch, TX_WORMHOLE);
    }
    assert_int_equal(tx_arch_parse("quasar", &arch), TX_EUNSUPPORTED);
    assert_int_equal(tx_arch_parse("", &arch), TX_ENOENT);
    assert_int_equal(tx_arch_parse("bhx", &arch), TX_ENOENT);
    for (unsigned i = 1; i < TX_CATEGORY_COUNT; i++) {
        enum tx_category c;
        assert_int_equal(tx_category_parse(tx_category_name((enum tx_category)i), &c), TX_OK);
        assert_int_equal(c, i);
    }
}

/* Numbers and names of the three threads (tensix/tensix.h), and what is neither. */
static void test_threads(void **state)
{
    static const char *const texts[][3] = {
        {"0", "unpack", "Unpack"}, {"1", "math", "MATH"}, {"2", "pack", "pa-ck"}};
    static const char *const none[] = {"3", "4", "", "00", "packs", "-1"};
    unsigned thread;
    (void)state;
    for (unsigned i = 0; i < 9; i++) {
        thread = 9;
        assert_int_equal(tx_thread_parse(texts[i / 3][i % 3], &thread), TX_OK);
        assert_int_equal(thread, i / 3);
        assert_string_equal(tx_thread_name(i / 3), texts[i / 3][1]);
    }
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        thread = 9;
        assert_int_equal(tx_thread_parse(none[i], &thread), TX_ENOENT);
        assert_int_equal(thread, 9);
    }
    assert_string_equal(tx_thread_name(3), "?");
}

static void test_open_refuses(void **state)
{
    struct tx_settings s;
    tx_machine *m;
    (void)state;
    tx_settings_default(&s, TX_ARCH_NONE);
    assert_int_equal(tx_open(&s, &m), TX_EINVAL);
    assert_null(m);
    tx_settings_default(&s, TX_BLACKHOLE);
    s.size--;
    assert_int_equal(tx_open(&s, &m), TX_EINVAL);
    tx_settings_default(&s, TX_BLACKHOLE);
    assert_int_equal(tx_settings_rule(&s, "prng-result=new"), TX_OK);
    assert_int_equal(tx_settings_rule(&s, "prng-result=odd"), TX_EINVAL);
    assert_int_equal(tx_settings_rule(&s, "prng-result"), TX_EINVAL);
    assert_int_equal(tx_settings_rule(&s, "nothing=new"), TX_ENOENT);
    tx_close(NULL);
}

/* Reset values of ruling R4. */
static void test_reset(void **state)
{
    static const uint32_t constants[7] = {0x3F56594Bu, 0,           0x3F800000u, 0xBF800000u,
                                          0x3B000000u, 0xBF2CC4C7u, 0xBEB08FF9u};
    (void)state;
    for (int arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        tx_machine *m = open_machine((enum tx_arch)arch, TX_MODE_SILICON);
        uint32_t v[32];
        for (unsigned reg = 0; reg < TX_LREGS; reg++) {
            assert_int_equal(tx_read(m, TX_FILE_LREG, reg, v, 32), TX_OK);
            for (unsigned lane = 0; lane < 32; lane++) {
                const uint32_t want = reg >= 8 && reg <= 14 ? constants[reg - 8]
                                      : reg == 15           ? 2 * lane
                                                            : 0;
                assert_int_equal(v[lane], want);
            }
        }
        assert_int_equal(tx_read(m, TX_FILE_USE_LANE_FLAGS, 0, v, 1), TX_OK);
        assert_int_equal(v[0], 0);
        assert_int_equal(tx_read(m, TX_FILE_DST_VALID, 1023, v, 1), TX_OK);
        assert_int_equal(v[0], 1);
        assert_int_equal(tx_read(m, TX_FILE_DST_KNOWN, 0, v, 1), TX_OK);
        assert_int_equal(v[0], 0);
        tx_close(m);
    }
}

/* Every file: all indices read back what was written, one index and one value more are refused. */
static void test_files(void **state)
{
    static const struct {
        enum tx_file file;
        unsigned rows;
        size_t n;
        uint32_t value;
    } files[] = {
        {TX_FILE_LREG, 17, 32, 0xDEADBEEFu},
        {TX_FILE_LANE_FLAGS, 1, 1, 0x12345678u},
        {TX_FILE_USE_LANE_FLAGS, 1, 1, 0x87654321u},
        {TX_FILE_FLAG_STACK, 8, 2, 0xAAAA5555u},
        {TX_FILE_STACK_DEPTH, 1, 32, 9},
        {TX_FILE_PRNG, 1, 32, 0xFFFFFFFFu},
        {TX_FILE_LANE_CONFIG, 1, 8, 0x3FFFFu},
        {TX_FILE_MACRO_TEMPLATE, 4, 32, 0x84000000u},
        {TX_FILE_MACRO_SEQUENCE, 4, 32, 0xFFFFFFFFu},
        {TX_FILE_MACRO_MISC, 1, 32, 0xFFFu},
        {TX_FILE_DST, 1024, 16, 0xFFFFu},
        {TX_FILE_DST_VALID, 1024, 1, 0},
        {TX_FILE_DST_KNOWN, 1024, 1, 0x0F0Fu},
        {TX_FILE_RWC, 3, TX_RWC_COUNT, 1},
        {TX_FILE_CONFIG, 512, 1, 0xFFFFFFFFu},
        {TX_FILE_THREAD_CONFIG, 384, 1, 0xFFFFu},
        {TX_FILE_GPR, 192, 1, 0xFFFFFFFFu},
        {TX_FILE_SHIFT_LATCH, 1, 32, 7},
        {TX_FILE_REPLAY, 96, 1, 0x8F000000u},
        {TX_FILE_SEMAPHORE, 8, 2, 15},
        {TX_FILE_MUTEX, 8, 1, 3},
        {TX_FILE_MOP, 27, 1, 0x84000000u},
        {TX_FILE_MOP_MASK, 3, 1, 0xFFFFu},
        {TX_FILE_SRC_BANK, 2, 4, 1},
        {TX_FILE_SRC, 256, 16, 0x7FFFFu},
        {TX_FILE_SRC_FORMAT, 2, 2, 15},
        {TX_FILE_ADC, 9, 16, 0xFF},
    };
    tx_machine *m = open_machine(TX_BLACKHOLE, TX_MODE_SILICON);
    (void)state;
    assert_int_equal(sizeof files / sizeof files[0], TX_FILE_COUNT);
    for (size_t f = 0; f < TX_FILE_COUNT; f++) {
        uint32_t in[33];
        uint32_t out[33];
        for (size_t i = 0; i < 33; i++) {
            in[i] = files[f].value;
        }
        for (unsigned i = 0; i < files[f].rows; i++) {
            const bool constant = files[f].file == TX_FILE_LREG && ((i >= 8 && i <= 10) || i == 15);
            assert_int_equal(tx_write(m, files[f].file, i, in, files[f].n),
                             constant ? TX_EINVAL : TX_OK);
            assert_int_equal(tx_read(m, files[f].file, i, out, files[f].n), TX_OK);
            if (!constant) {
                assert_memory_equal(in, out, files[f].n * sizeof in[0]);
            }
        }
        assert_int_equal(tx_read(m, files[f].file, files[f].rows, out, files[f].n), TX_EINVAL);
        assert_int_equal(tx_read(m, files[f].file, 0, out, files[f].n + 1), TX_EINVAL);
        assert_int_equal(tx_write(m, files[f].file, 0, in, files[f].n - 1), TX_EINVAL);
        assert_int_equal(tx_read(m, files[f].file, 0, NULL, files[f].n), TX_EINVAL);
    }
    uint32_t big = 0x10000u;
    assert_int_equal(tx_write(m, TX_FILE_THREAD_CONFIG, 0, &big, 1), TX_EINVAL);
    assert_int_equal(tx_write(m, TX_FILE_COUNT, 0, &big, 1), TX_EINVAL);
    tx_close(m);
}

static void test_config_names(void **state)
{
    tx_machine *m = open_machine(TX_WORMHOLE, TX_MODE_SILICON);
    uint32_t v;
    (void)state;
    assert_int_equal(tx_config_set(m, 1, "DEST_TARGET_REG_CFG_MATH_Offset", 64), TX_OK);
    assert_int_equal(tx_config_get(m, 1, "DEST_TARGET_REG_CFG_MATH_Offset_RMW", &v), TX_OK);
    assert_int_equal(v, 64);
    assert_int_equal(tx_config_get(m, 0, "DEST_TARGET_REG_CFG_MATH_Offset", &v), TX_OK);
    assert_int_equal(v, 0); /* each thread has its own */
    assert_int_equal(tx_config_set(m, 1, "SFPU_DEST_FMT_Enable", 1), TX_ENOENT); /* Blackhole's */
    assert_int_equal(tx_config_set(m, 1, "CFG_STATE_ID_StateID", 2), TX_EINVAL);
    assert_int_equal(tx_config_set(m, 3, "CFG_STATE_ID_StateID", 0), TX_EINVAL);
    assert_int_equal(tx_config_set(m, 1, "PRNG_SEED_Seed_Val", 0), TX_OK);
    uint32_t prng[32];
    assert_int_equal(tx_read(m, TX_FILE_PRNG, 0, prng, 32), TX_OK);
    assert_int_equal(prng[31], 0x02233355u); /* wormhole.md section 6 */
    assert_int_equal(prng[0], 0xC5CF309Eu);
    tx_close(m);
}

static void test_snapshot(void **state)
{
    tx_machine *m = open_machine(TX_BLACKHOLE, TX_MODE_SILICON);
    tx_machine *other = open_machine(TX_WORMHOLE, TX_MODE_SILICON);
    const size_t size = tx_snapshot_size(NULL);
    unsigned char *a = malloc(size);
    unsigned char *b = malloc(size);
    uint32_t l0[32];
    uint32_t again[32];
    bool accepted;
    (void)state;
    assert_non_null(a);
    assert_non_null(b);
    run_text(m, "sfploadi L1, 0x3FC0, 0\n sfploadi L2, 0x4000, 0\n");
    /* In the middle of a two-cycle instruction. */
    const uint32_t mul = 0x86012900u; /* sfpmul L0, L1, L2 */
    assert_int_equal(tx_cycle(m, 1, &mul, &accepted), TX_OK);
    assert_true(accepted);
    assert_int_equal(tx_snapshot(m, a, size), TX_OK);
    assert_int_equal(tx_run(m, 1, NULL, 0), TX_OK);
    assert_int_equal(tx_read(m, TX_FILE_LREG, 0, l0, 32), TX_OK);
    assert_int_equal(l0[5], 0x40400000u);
    assert_int_equal(tx_restore(m, a, size), TX_OK);
    assert_int_equal(tx_read(m, TX_FILE_LREG, 0, again, 32), TX_OK);
    assert_int_equal(again[5], 0); /* not written yet */
    assert_int_equal(tx_cycle(m, 1, NULL, &accepted), TX_OK);
    assert_int_equal(tx_read(m, TX_FILE_LREG, 0, again, 32), TX_OK);
    assert_memory_equal(l0, again, sizeof l0);
    assert_int_equal(tx_snapshot(m, b, size - 1), TX_EINVAL);
    assert_int_equal(tx_restore(m, a, size - 1), TX_EINVAL);
    assert_int_equal(tx_restore(other, a, size), TX_EINVAL);
    a[0] ^= 1;
    assert_int_equal(tx_restore(m, a, size), TX_EINVAL);
    free(a);
    free(b);
    tx_close(m);
    tx_close(other);
}

/* Leaves bytes of this value where functions that are called next have their own. */
static void leave(int value)
{
    volatile unsigned char below[1 << 14];
    for (size_t i = 0; i < sizeof below; i++) {
        below[i] = (unsigned char)value;
    }
}

/*
 * Every byte of a snapshot comes from what the machine has done: the stack of the program may have
 * held anything. Words of configuration come through a unit that keeps them for two cycles.
 */
static void test_snapshot_bytes(void **state)
{
    const size_t size = tx_snapshot_size(NULL);
    (void)state;
    for (int arch = 0; arch < 2; arch++) {
        unsigned char *image[2];
        for (int i = 0; i < 2; i++) {
            tx_machine *m = open_machine(arch == 0 ? TX_BLACKHOLE : TX_WORMHOLE, TX_MODE_SILICON);
            leave(i == 0 ? 0x55 : 0xAA);
            run_text(m, "ttsetdmareg 0,17,0,8\n ttwrcfg 4,0,1\n ttwrcfg 8,1,12\n"
                        "ttrmwcib1 0x0F,0xAB,1\n ttnop\n ttnop\n ttrdcfg 12,1\n ttnop\n"
                        "sfploadi L1,0x3FC0,0\n sfpmul L0,L1,L1,0\n sfpnop\n sfpstore L0,0,3,3\n");
            image[i] = malloc(size);
            assert_non_null(image[i]);
            assert_int_equal(tx_snapshot(m, image[i], size), TX_OK);
            tx_close(m);
        }
        for (size_t i = 0; i < size; i++) {
            if (image[0][i] != image[1][i]) {
                fail_msg("byte %zu of a snapshot is %u, and %u", i, image[0][i], image[1][i]);
            }
        }
        free(image[0]);
        free(image[1]);
    }
}

static void *many(void *arg)
{
    tx_machine *m = arg;
    for (unsigned i = 0; i < 200; i++) {
        run_text(m, "sfpmov L1,L0,8\n sfpmov L2,L9,8\n sfpmad L3,L2,L1,L3,0\n sfpnop\n"
                    "sfpstore L3,0,3,7\n ttincrwc 0,2,0,0\n");
    }
    return NULL;
}

/* Two machines in two threads end where one alone ends. */
static void test_two_threads(void **state)
{
    tx_machine *m[3];
    pthread_t thread[2];
    const size_t size = tx_snapshot_size(NULL);
    unsigned char *image[3];
    (void)state;
    for (int i = 0; i < 3; i++) {
        m[i] = open_machine(TX_BLACKHOLE, TX_MODE_SILICON);
        tx_prng_seed(m[i], 42);
        image[i] = malloc(size);
        assert_non_null(image[i]);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_create(&thread[i], NULL, many, m[i]), 0);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(thread[i], NULL);
    }
    many(m[2]);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(tx_snapshot(m[i], image[i], size), TX_OK);
        assert_memory_equal(image[0], image[i], size);
        tx_close(m[i]);
    }
    for (int i = 0; i < 3; i++) {
        free(image[i]);
    }
}

static void test_faults(void **state)
{
    tx_machine *m = open_machine(TX_WORMHOLE, TX_MODE_SILICON);
    const uint32_t arecip = 0x99000010u;
    const uint32_t mop = 0x01000000u;
    const uint32_t packer = 0x41000000u; /* compression, by configuration all zero */
    const uint32_t nothing = 0xFF000000u;
    const uint32_t nop = 0x8F000000u;
    (void)state;
    assert_null(tx_fault(m));
    assert_int_equal(tx_run(m, 1, &arecip, 1), TX_FAULT);
    assert_int_equal(tx_fault(m)->category, TX_UNDEFINED_BEHAVIOR);
    assert_non_null(strstr(tx_fault(m)->message, "sfparecip"));
    assert_int_equal(tx_run(m, 1, &nop, 1), TX_FAULT); /* stopped stays stopped */
    tx_findings_clear(m);
    assert_int_equal(tx_run(m, 1, &nop, 1), TX_FAULT);
    tx_reset(m);
    assert_null(tx_fault(m));
    assert_int_equal(tx_run(m, 1, &nop, 1), TX_OK);
    assert_int_equal(tx_run(m, 1, &mop, 1), TX_FAULT); /* of MopCfg's zero words */
    assert_int_equal(tx_fault(m)->category, TX_UNDEFINED_BEHAVIOR);
    tx_reset(m);
    assert_int_equal(tx_run(m, 1, &packer, 1), TX_FAULT);
    assert_int_equal(tx_fault(m)->category, TX_UNSUPPORTED);
    tx_reset(m);
    assert_int_equal(tx_run(m, 1, &nothing, 1), TX_FAULT);
    assert_int_equal(tx_fault(m)->category, TX_UNDEFINED_BEHAVIOR);
    assert_int_equal(tx_run(m, 3, &nop, 1), TX_EINVAL);
    tx_close(m);
}

/* silicon records and goes on, strict stops before the instruction writes anything. */
static void test_modes(void **state)
{
    const uint32_t words[2] = {0x7103000Fu, 0x8F000000u}; /* SFPLOADI Mod0 3 */
    uint32_t v[32];
    tx_machine *m = open_machine(TX_BLACKHOLE, TX_MODE_SILICON);
    (void)state;
    assert_int_equal(tx_run(m, 1, words, 2), TX_OK);
    assert_int_equal(tx_run(m, 1, words, 2), TX_OK);
    assert_int_equal(tx_finding_count(m), 1);
    const struct tx_finding *f = tx_finding_at(m, 0);
    assert_int_equal(f->category, TX_UNDEFINED_BEHAVIOR);
    assert_int_equal(f->word, words[0]);
    assert_int_equal(f->count, 2);
    assert_null(tx_finding_at(m, 1));
    assert_int_equal(tx_read(m, TX_FILE_LREG, 0, v, 32), TX_OK);
    assert_int_equal(v[3], 0xF);
    tx_close(m);
    m = open_machine(TX_BLACKHOLE, TX_MODE_STRICT);
    assert_int_equal(tx_run(m, 1, words, 2), TX_FAULT);
    assert_int_equal(tx_fault(m)->category, TX_UNDEFINED_BEHAVIOR);
    assert_int_equal(tx_fault(m)->index, 0);
    assert_int_equal(tx_read(m, TX_FILE_LREG, 0, v, 32), TX_OK);
    assert_int_equal(v[3], 0);
    tx_close(m);
}

static void count_event(void *user, const struct tx_event *event)
{
    unsigned *counts = user;
    counts[event->kind]++;
}

static void test_sink(void **state)
{
    unsigned counts[TX_EVENT_COMPUTE + 1] = {0};
    struct tx_settings s;
    tx_machine *m;
    (void)state;
    tx_settings_default(&s, TX_BLACKHOLE);
    s.sink.event = count_event;
    s.sink.user = counts;
    assert_int_equal(tx_open(&s, &m), TX_OK);
    run_text(m, "sfploadi L1, 0x3FC0, 0\n sfpmul L2,L1,L1,0\n sfpstore L2,0,3,7\n sfpencc 3,10\n");
    assert_int_equal(counts[TX_EVENT_ISSUE], 4);
    assert_int_equal(counts[TX_EVENT_STALL], 1); /* the store waits for the product */
    assert_int_equal(counts[TX_EVENT_WRITE_LREG], 2);
    assert_int_equal(counts[TX_EVENT_WRITE_DST], 8); /* four rows, two halves */
    assert_int_equal(counts[TX_EVENT_WRITE_FLAGS], 1);
    assert_int_equal(counts[TX_EVENT_COMPUTE], 4);
    assert_int_equal(counts[TX_EVENT_FINDING] + counts[TX_EVENT_FAULT], 0);
    tx_close(m);
}

/* The last execution on each sub-unit, and what it wrote. */
struct computed {
    struct tx_operands operands[TX_UNIT_COUNT];
    uint32_t lanes[TX_UNIT_COUNT], found[TX_UNIT_COUNT][2], wrote[TX_UNIT_COUNT];
    uint64_t start[TX_UNIT_COUNT], writer[TX_UNIT_COUNT];
    uint16_t address[TX_UNIT_COUNT];
    unsigned scheduled;
};

static void on_compute(void *user, const struct tx_event *event)
{
    struct computed *c = user;
    const unsigned unit = event->unit;
    if (event->kind == TX_EVENT_COMPUTE) {
        c->operands[unit] = *event->operands;
        c->lanes[unit] = event->lanes;
        c->found[unit][0] = event->values[TX_LANES * 1 + 5]; /* L1, L2 of lane 5 */
        c->found[unit][1] = event->values[TX_LANES * 2 + 5];
        c->start[unit] = event->start;
        c->address[unit] = event->address;
        c->scheduled += event->scheduled;
    } else if (event->kind == TX_EVENT_WRITE_LREG) {
        c->writer[unit] = event->start;
        c->wrote[unit] = event->values[5];
    }
}

/* Operands are seen as they were found, also where the result replaces one of them. */
static void test_compute(void **state)
{
    struct computed c = {.scheduled = 0};
    struct tx_settings s;
    tx_machine *m;
    (void)state;
    tx_settings_default(&s, TX_BLACKHOLE);
    s.sink.event = on_compute;
    s.sink.user = &c;
    assert_int_equal(tx_open(&s, &m), TX_OK);
    run_text(m, "sfploadi L1, 0x3FC0, 0\n sfploadi L2, 0x4000, 0\n sfpencc 3,10\n"
                "sfpmov L3,L15,0\n sfpiadd L3,L3,-8,1\n" /* flags: lanes 0 to 15 hold 2i < 8 */
                "sfpmul L2,L1,L2,0\n sfpencc 3,10\n sfpstore L2,6,3,7\n");
    const unsigned mad = TX_UNIT_MAD;
    assert_int_equal(c.found[mad][0], 0x3FC00000);
    assert_int_equal(c.found[mad][1], 0x40000000);
    assert_int_equal(c.wrote[mad], 0x40000000); /* lane 5 is off: 2 * 5 >= 8 */
    assert_int_equal(c.operands[mad].va, 1);
    assert_int_equal(c.operands[mad].vb, 2);
    assert_int_equal(c.operands[mad].vd, 2);
    assert_int_equal(c.lanes[mad] & 0xFF, 0x0F);
    assert_int_equal(c.writer[mad], c.start[mad]);
    assert_int_equal(c.address[TX_UNIT_STORE], 6);
    assert_int_equal(c.lanes[TX_UNIT_STORE], 0xFFFFFFFF);
    assert_int_equal(c.scheduled, 0);
    /* Macro 0: template 0, an SFPMUL of L1 and the loaded register, at once. */
    run_text(m, "sfpmul L12,L1,L0,0\n sfploadi L0,0x8400,10\n sfpconfig 4,0,0\n sfpconfig 8,0,1\n"
                "sfpnop\n sfploadmacro 0,L3,0,3,7\n sfpnop\n sfpnop\n sfpnop\n");
    assert_int_equal(c.scheduled, 1);
    assert_int_equal(c.operands[mad].vd, 3);
    assert_int_equal(c.operands[mad].vb, 3);
    tx_close(m);
}

/* Goes on so many times. */
static bool go_on(void *user)
{
    unsigned *left = user;
    return (*left)-- != 0;
}

/* Runs that would take long end when the caller says so, and the machine is well afterwards. */
static void test_watch(void **state)
{
    enum { WORDS = 1 << 20 };
    static uint32_t words[WORDS];
    struct tx_settings s;
    tx_machine *m;
    unsigned left = 2;
    (void)state;
    for (size_t i = 0; i < WORDS; i++) {
        words[i] = 0x8F000000U; /* sfpnop */
    }
    tx_settings_default(&s, TX_BLACKHOLE);
    s.watch = (struct tx_watch){go_on, &left};
    assert_int_equal(tx_open(&s, &m), TX_OK);
    assert_int_equal(tx_run(m, 1, words, WORDS), TX_ELIMIT);
    assert_int_equal(tx_machine_counters(m).instructions, 3 * TX_WATCH_CYCLES);
    left = WORDS;
    assert_int_equal(tx_run(m, 1, words, WORDS), TX_OK); /* it is well */
    assert_int_equal(tx_machine_counters(m).instructions, 3 * TX_WATCH_CYCLES + WORDS);
    left = 1;
    const struct tx_stream streams[TX_THREADS] = {{words, WORDS}, {words, WORDS}};
    assert_int_equal(tx_run_threads(m, streams, UINT64_MAX), TX_ELIMIT);
    left = 0;
    assert_int_equal(tx_step(m, UINT64_MAX), TX_ELIMIT);
    tx_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_open_refuses), cmocka_unit_test(test_reset),
        cmocka_unit_test(test_files),        cmocka_unit_test(test_config_names),
        cmocka_unit_test(test_snapshot),     cmocka_unit_test(test_snapshot_bytes),
        cmocka_unit_test(test_two_threads),  cmocka_unit_test(test_faults),
        cmocka_unit_test(test_modes),        cmocka_unit_test(test_sink),
        cmocka_unit_test(test_compute),      cmocka_unit_test(test_watch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
