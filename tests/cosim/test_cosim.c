/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The co-simulation without another simulator: words are legal, all behaviours are drawn, programs
 * shrink, and of a second machine of ours in the other one's place, which has planted faults,
 * another reading or refuses words, exactly that is told. test_classes.c has what are no words.
 */
#include "cosim/fake.h"

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
        if (fake_shrunk(&c, i, &d)) {
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
        if (!fake_shrunk(&c, i, &d)) {
            continue;
        }
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

/* An explained word hides no fault of another one in the same program. */
static void test_behind(void **state)
{
    static const struct known known[] = {{"X-1", 3, "SFPABS", NULL, "planted"}, {.id = NULL}};
    static struct cosim c;
    static struct kind kind;
    uint64_t told[2];
    uint64_t both = 0;
    (void)state;
    kind = vector_class;
    kind.known = known;
    for (unsigned with = 0; with < 2; with++) {
        fake_begin(&c, TX_BLACKHOLE, &kind, NULL);
        fake.faulty = with != 0 ? TX_INSN_SFPABS : 0;
        fake.also = TX_INSN_SFPAND;
        for (uint64_t i = 0; i < 100; i++) {
            const uint64_t explained = c.known_count != 0 ? c.known[0].count : 0;
            const bool good = cosim_program(&c, i);
            both += !good && c.known_count != 0 && c.known[0].count != explained;
        }
        told[with] = c.unexplained;
        fake_end(&c);
    }
    assert_true(told[0] > 10);
    assert_true(told[1] >= told[0]); /* without the explained words more of a fault may show */
    assert_true(both > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words), cmocka_unit_test(test_shrink),
        cmocka_unit_test(test_equal), cmocka_unit_test(test_units),
        cmocka_unit_test(test_bytes), cmocka_unit_test(test_product),
        cmocka_unit_test(test_fault), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_waits), cmocka_unit_test(test_reading),
        cmocka_unit_test(test_known), cmocka_unit_test(test_behind),
    };
    return cmocka_run_group_tests_name("cosim", tests, NULL, NULL);
}
