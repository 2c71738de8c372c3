/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The co-simulation without another simulator: words are legal, all behaviours are drawn, programs
 * shrink, and of a second machine of ours in the other one's place, which has planted faults,
 * another reading or refuses words, exactly that is told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "cosim/riscv.h"
#include "cosim/scalar.h"
#include "cosim/unpack.h"

/* ---- a machine of ours in the place of another simulator ---- */

static struct {
    tx_machine *m;
    const char *chip;
    uint8_t l1[1536 * 1024];
    uint32_t faulty, refused; /* instructions; 0: none */
    const char *reason;
    void *before;
    bool waits; /* at a STALLWAIT-like word: the faulty one */
} fake;

static void fake_open(void)
{
    tx_reset(fake.m);
}

static size_t fake_size(void)
{
    return tx_snapshot_size(NULL);
}

static void fake_save(void *state)
{
    assert_int_equal(tx_snapshot(fake.m, state, fake_size()), TX_OK);
}

static void fake_restore(const void *state)
{
    assert_int_equal(tx_restore(fake.m, state, fake_size()), TX_OK);
}

static uint32_t fake_run(uint32_t thread, const uint32_t *words, uint32_t count)
{
    fake.reason = NULL;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t insn = words[i] >> 24;
        if (insn == fake.refused || (insn == fake.faulty && fake.waits)) {
            fake.reason = fake.waits ? NULL : "unsupported: value=12";
            return i;
        }
        const uint32_t gap = 4;
        fake_save(fake.before);
        const enum tx_status status = tx_run_gaps(fake.m, thread, &words[i], 1, &gap);
        if (status == TX_FAULT) {
            fake.reason = tx_fault(fake.m)->message;
        }
        if (status != TX_OK) { /* or it waits, and has begun to in an unpacker */
            fake_restore(fake.before);
            return i;
        }
        if (insn == fake.faulty) {
            uint32_t lanes[32];
            assert_int_equal(tx_read(fake.m, TX_FILE_LREG, 5, lanes, 32), TX_OK);
            lanes[7] ^= 4u;
            assert_int_equal(tx_write(fake.m, TX_FILE_LREG, 5, lanes, 32), TX_OK);
        }
    }
    return count;
}

static const char *fake_refusal(void)
{
    return fake.reason;
}

static const struct side_file *file_of(unsigned file)
{
    for (unsigned i = 0; i < SIDE_FILES; i++) {
        if (side_files[i].file == file) {
            return &side_files[i];
        }
    }
    return NULL;
}

static bool fake_put(unsigned file, unsigned index, const uint32_t *v)
{
    return tx_write(fake.m, (enum tx_file)file, index, v, file_of(file)->values) == TX_OK;
}

static bool fake_get(unsigned file, unsigned index, uint32_t *v)
{
    return tx_read(fake.m, (enum tx_file)file, index, v, file_of(file)->values) == TX_OK;
}

static uint8_t *fake_l1(void)
{
    return fake.l1;
}

enum { MUL = 0x02000033, MUL_MASK = 0xFE00707F };

/* A core of ours, which takes each MUL for a NOP if the fault is MUL. */
static bool fake_core(uint32_t pc, uint32_t until, uint64_t most)
{
    static struct riscv core;
    for (uint32_t at = pc; fake.faulty == MUL && at < until; at += 4) {
        uint32_t word;
        memcpy(&word, fake.l1 + at, 4);
        word = (word & MUL_MASK) == MUL ? 0x13 : word;
        memcpy(fake.l1 + at, &word, 4);
    }
    riscv_close(&core);
    riscv_open(&core, TX_BLACKHOLE, RISCV_T1);
    core.env.l1 = fake.l1;
    core.env.l1_size = RISCV_L1_MAX;
    riscv_release(&core, pc, false);
    riscv_run(&core, most);
    const bool there = core.s.phase == RISCV_PAUSED && core.s.x[17] == 64;
    riscv_close(&core);
    return there;
}

static const struct beside fake_side = {"bh",         fake_open,    fake_run, fake_core,
                                        fake_refusal, fake_put,     fake_get, fake_size,
                                        fake_save,    fake_restore, fake_l1};

static void fake_begin(struct cosim *c, enum tx_arch arch, const struct kind *kind,
                       const char *rule)
{
    struct tx_settings settings;
    tx_settings_default(&settings, arch);
    if (rule != NULL) {
        assert_int_equal(tx_settings_rule(&settings, rule), TX_OK);
    }
    memset(&fake, 0, sizeof fake);
    struct tx_host host;
    tx_host_default(&host);
    host.l1 = fake.l1;
    host.l1_size = tx_l1_size(arch);
    assert_int_equal(tx_open(&settings, &fake.m), TX_OK);
    fake.before = malloc(fake_size());
    assert_non_null(fake.before);
    assert_int_equal(tx_host_set(fake.m, &host), TX_OK);
    cosim_open(c, kind, &fake_side, arch, 7);
    c->out = fopen("/dev/null", "w");
    assert_non_null(c->out);
}

static void fake_end(struct cosim *c)
{
    fclose(c->out);
    cosim_close(c);
    tx_close(fake.m);
    free(fake.before);
}

/* ---- words ---- */

static bool takes_all(const struct tx_row *row)
{
    (void)row;
    return true;
}

static void test_words(void **state)
{
    static struct draw_forms forms;
    struct bridge_rng r = {1};
    (void)state;
    for (int a = TX_WORMHOLE; a <= TX_BLACKHOLE; a++) {
        const enum tx_arch arch = (enum tx_arch)a;
        forms.count = 0;
        draw_collect(&forms, arch, takes_all);
        assert_true(forms.count > 150);
        for (unsigned i = 0; i < forms.count; i++) {
            uint32_t ones = 0;
            for (unsigned k = 0; k < 600; k++) {
                const uint32_t word = draw_word(&r, &forms.form[i]);
                struct tx_decoded d;
                assert_int_equal(tx_decode(arch, word, &d), TX_OK);
                if (d.row != forms.form[i].row || !d.canonical || d.other != 0) {
                    fail_msg("%s: %08x is no legal word of %s", tx_arch_short(arch), (unsigned)word,
                             forms.form[i].row->id);
                }
                ones |= word;
            }
            /* Registers of SFPMAD: VA at bit 16, VB at 12, VC at 8, VD at 4 (isa SFPMAD). */
            if (forms.form[i].row->insn == TX_INSN_SFPMAD) {
                assert_int_equal(ones & 0xFFFF0u, 0xFFFF0u);
            }
        }
    }
}

/* ---- shrinking ---- */

/* Shown by a 3 that stands anywhere behind a 9. */
static bool nine_three(void *user, const uint32_t *words, unsigned count)
{
    bool nine = false;
    ++*(unsigned *)user;
    for (unsigned i = 0; i < count; i++) {
        if (words[i] == 3 && nine) {
            return true;
        }
        nine = nine || words[i] == 9;
    }
    return false;
}

static void test_shrink(void **state)
{
    (void)state;
    for (unsigned count = 2; count <= 64; count++) {
        uint32_t words[64];
        unsigned tried = 0;
        for (unsigned i = 0; i < count; i++) {
            words[i] = i == count / 3 ? 9 : i == count - 1 - count / 4 ? 3 : 100 + i;
        }
        assert_int_equal(shrink(words, count, nine_three, &tried), 2);
        assert_int_equal(words[0], 9);
        assert_int_equal(words[1], 3);
        assert_true(tried < 200);
    }
}

/* ---- whole runs ---- */

static void test_equal(void **state)
{
    static struct cosim c;
    (void)state;
    for (int a = TX_WORMHOLE; a <= TX_BLACKHOLE; a++) {
        fake_begin(&c, (enum tx_arch)a, &vector_class, NULL);
        for (uint64_t i = 0; i < 40; i++) {
            assert_true(cosim_program(&c, i));
        }
        assert_int_equal(c.programs, 40);
        assert_int_equal(c.executed, 40 * vector_class.words);
        assert_int_equal(c.differ + c.refusals + c.waiting + c.skipped, 0);
        fake_end(&c);
    }
}

/* Units whose words may wait for a bank, and the packers, on both sides alike. */
static void test_units(void **state)
{
    static const struct kind *const classes[] = {&matrix_class, &pack_class, &unpack_class,
                                                 &scalar_class};
    static struct cosim c;
    static struct kind kind;
    uint64_t waiting = 0;
    (void)state;
    for (unsigned i = 0; i < 8; i++) {
        kind = *classes[i / 2];
        kind.rules[0][0] = kind.rules[1][0] = NULL;
        fake_begin(&c, i % 2 == 0 ? TX_WORMHOLE : TX_BLACKHOLE, &kind, NULL);
        for (uint64_t k = 0; k < 100; k++) {
            assert_true(cosim_program(&c, k));
        }
        waiting += c.waiting;
        assert_int_equal(c.programs, 100);
        assert_int_equal(c.differ + c.skipped, 0);
        assert_true(c.executed > 300);
        fake_end(&c);
    }
    assert_true(waiting > 5);
}

/* Bytes that streams still hold at the end are in L1 by one reading, not by the other. */
static void test_bytes(void **state)
{
    static struct cosim c;
    static struct kind kind;
    uint64_t bytes = 0;
    (void)state;
    kind = pack_class;
    kind.rules[1][0] = NULL;
    kind.known = NULL;
    fake_begin(&c, TX_BLACKHOLE, &kind, "pack-tail=at-once");
    for (uint64_t i = 0; i < 400; i++) {
        struct difference d;
        if (!cosim_program(&c, i)) {
            begin(&c, c.with[0], i);
            draw_program(&c);
            shrink_difference(&c, i, &d);
            bytes += d.place.file == NULL;
            assert_int_equal(d.words[d.count - 1] >> 24, 0x41); /* PACR */
        }
    }
    assert_true(bytes > 5);
    fake_end(&c);
}

/* A reading of the other side that shows in products is found, and the word that shows it. */
static void test_product(void **state)
{
    static struct cosim c;
    static struct kind kind;
    uint64_t differ = 0;
    (void)state;
    kind = matrix_class;
    kind.rules[1][0] = NULL;
    kind.known = NULL;
    fake_begin(&c, TX_BLACKHOLE, &kind, "src-truncate=both");
    for (uint64_t i = 0; i < 60; i++) {
        differ += !cosim_program(&c, i);
    }
    assert_true(differ > 10);
    fake_end(&c);
}

/* The only instruction with a fault is what is left of the program. */
static void test_fault(void **state)
{
    static struct cosim c;
    struct difference d;
    unsigned found = 0;
    (void)state;
    fake_begin(&c, TX_BLACKHOLE, &vector_class, NULL);
    fake.faulty = TX_INSN_SFPABS;
    for (uint64_t i = 0; i < 60; i++) {
        if (cosim_program(&c, i)) {
            continue;
        }
        begin(&c, c.with[0], i);
        draw_program(&c);
        shrink_difference(&c, i, &d);
        assert_int_equal(d.count, 1);
        assert_int_equal(d.words[0] >> 24, TX_INSN_SFPABS);
        assert_int_equal(d.place.file->file, TX_FILE_LREG);
        assert_int_equal(d.place.index, 5);
        assert_int_equal(d.place.value, 7);
        assert_int_equal(d.place.here ^ d.place.there, 4);
        found++;
    }
    assert_true(found > 5);
    assert_int_equal(c.unexplained, found);
    fake_end(&c);
}

/* A word that is refused is left out, all of it, and its reason is counted without the number. */
static void test_refused(void **state)
{
    static struct cosim c;
    (void)state;
    fake_begin(&c, TX_BLACKHOLE, &vector_class, NULL);
    fake.refused = TX_INSN_SFPABS;
    for (uint64_t i = 0; i < 60; i++) {
        assert_true(cosim_program(&c, i));
        for (unsigned k = 0; k < c.count; k++) {
            assert_int_not_equal(c.words[k] >> 24, TX_INSN_SFPABS);
        }
    }
    assert_true(c.refusals > 5);
    assert_int_equal(c.executed + c.refusals, 60 * vector_class.words);
    assert_int_equal(c.reason_count, 1);
    assert_string_equal(c.reasons[0].text, "unsupported: value=#");
    fake_end(&c);
}

/* Only the other side waits. */
static void test_waits(void **state)
{
    static struct cosim c;
    unsigned told = 0;
    (void)state;
    fake_begin(&c, TX_BLACKHOLE, &vector_class, NULL);
    fake.faulty = TX_INSN_SFPABS;
    fake.waits = true;
    for (uint64_t i = 0; i < 60; i++) {
        told += !cosim_program(&c, i);
    }
    assert_true(told > 5);
    assert_int_equal(c.waiting, told);
    fake_end(&c);
}

/* Another reading on the other side, with and without the class's knowing it. */
static void test_reading(void **state)
{
    static struct cosim c;
    static struct kind kind;
    uint64_t differ = 0;
    (void)state;
    for (unsigned knows = 0; knows < 2; knows++) {
        kind = vector_class;
        kind.rules[1][0] = "swap-stall=overlap"; /* of time only */
        kind.rules[1][1] = knows != 0 ? "store-fp32=keep" : NULL;
        fake_begin(&c, TX_BLACKHOLE, &kind, "store-fp32=keep");
        for (uint64_t i = 0; i < 2000; i++) {
            (void)cosim_program(&c, i);
        }
        assert_int_equal(c.by_rule[0], 0);
        assert_int_equal(c.by_rule[RULES], 0);
        if (knows == 0) {
            differ = c.differ;
        } else {
            assert_int_equal(c.differ, 0);
            assert_true(c.by_rule[1] > 0);
        }
        fake_end(&c);
    }
    assert_true(differ > 5);
}

/* Programs of cores are equal; with a faulty instruction all others of a program are left out. */
static void test_cores(void **state)
{
    static struct cosim c;
    static struct cores k;
    (void)state;
    for (unsigned faulty = 0; faulty < 2; faulty++) {
        unsigned found = 0;
        memset(&k, 0, sizeof k);
        fake_begin(&c, TX_BLACKHOLE, &vector_class, NULL);
        fake.faulty = faulty != 0 ? MUL : 0;
        for (uint64_t i = 0; i < 24; i++) {
            if (i % 4 == 0 && i > 0) {
                continue; /* long ones take long to shrink */
            }
            const uint64_t before = k.differ;
            unsigned muls = 0;
            unsigned others = 0;
            core_program(&k, &c, i);
            for (unsigned w = CORE_SET; k.differ != before && w + CORE_TAIL < k.program.count;
                 w++) {
                const uint32_t word = k.program.words[w];
                muls += (word & MUL_MASK) == MUL;
                others += word != 0x13 && (word & MUL_MASK) != MUL;
            }
            if (k.differ != before) {
                assert_int_equal(muls, 1);
                assert_in_range(others, 0, 34); /* the loop, and what stores the registers */
                found++;
            }
        }
        assert_int_equal(k.refused, 0);
        assert_true(k.executed > 1000);
        assert_true(faulty != 0 ? found > 2 : found == 0);
        riscv_close(&k.core);
        fake_end(&c);
    }
}

/* What is known of an instruction explains its difference, and no other one's. */
static void test_known(void **state)
{
    static const struct known known[] = {{"X-1", 3, "SFPABS SFPNOT", NULL, "planted"},
                                         {.id = NULL}};
    static struct cosim c;
    static struct kind kind;
    (void)state;
    kind = vector_class;
    kind.known = known;
    for (unsigned other = 0; other < 2; other++) {
        fake_begin(&c, TX_BLACKHOLE, &kind, NULL);
        fake.faulty = other != 0 ? TX_INSN_SFPAND : TX_INSN_SFPABS;
        for (uint64_t i = 0; i < 60; i++) {
            (void)cosim_program(&c, i);
        }
        assert_true(c.differ > 5);
        assert_int_equal(c.unexplained, other != 0 ? c.differ : 0);
        assert_int_equal(c.known_count, other != 0 ? 0 : 1);
        fake_end(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words), cmocka_unit_test(test_shrink),
        cmocka_unit_test(test_equal), cmocka_unit_test(test_units),
        cmocka_unit_test(test_bytes), cmocka_unit_test(test_product),
        cmocka_unit_test(test_fault), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_waits), cmocka_unit_test(test_reading),
        cmocka_unit_test(test_cores), cmocka_unit_test(test_known),
    };
    return cmocka_run_group_tests_name("cosim", tests, NULL, NULL);
}
