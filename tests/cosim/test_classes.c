/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The classes of the co-simulation that are no words of the coprocessor: cores, NoC requests and
 * whole tiles, on a second core, chip or machine of ours with planted faults and refusals.
 */
#include "cosim/fake.h"

/* Programs of cores are equal; with a faulty instruction all others of a program are left out. */
static void test_cores(void **state)
{
    static const struct {
        const struct kind *kind;
        uint32_t faulty;
    } cases[] = {{&riscv_class, 0},
                 {&riscv_class, MUL},
                 {&float_class, 0},
                 {&float_class, FADD},
                 {&vector_core_class, 0}};
    static struct cosim c;
    struct difference d;
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned found = 0;
        fake_begin(&c, TX_BLACKHOLE, cases[i].kind, NULL);
        fake.faulty = cases[i].faulty;
        for (uint64_t number = 1; number < 24; number++) {
            if (cases[i].kind == &riscv_class && number % 4 == 0) {
                continue; /* long ones take long to shrink */
            }
            if (fake_shrunk(&c, number, &d)) {
                const struct cores *k = c.own;
                unsigned others = 0;
                for (unsigned w = 0; w < d.count; w++) {
                    k->make(&c, &d.words[w], 1);
                    others += !is_faulty(k->last);
                }
                assert_int_equal(d.count - others, 1);
                /* The loop, and what stores the registers. */
                assert_in_range(others, 0, cases[i].kind == &riscv_class ? 34 : 2);
                found++;
            }
        }
        assert_int_equal(c.skipped, 0);
        assert_int_equal(c.refusals, 0);
        assert_true(c.executed > 400);
        assert_true(cases[i].faulty != 0 ? found > 2 : found == 0);
        fake_end(&c);
    }
}

/* An instruction that stops the other side's core is left out, and only that one. */
static void test_core_refused(void **state)
{
    static struct cosim c;
    (void)state;
    fake_begin(&c, TX_BLACKHOLE, &float_class, NULL);
    fake.refused = FADD;
    for (uint64_t number = 0; number < 24; number++) {
        assert_true(cosim_program(&c, number));
        for (unsigned i = 0; i < c.count; i++) {
            float_make(&c, &c.words[i], 1);
            assert_int_not_equal(((struct cores *)c.own)->last & FADD_MASK, FADD);
        }
    }
    assert_true(c.refusals > 10);
    assert_int_equal(c.executed + c.refusals, 24 * FLOAT_WORDS);
    assert_int_equal(c.reason_count, 1);
    fake_end(&c);
}

/* Requests on two chips of ours are equal; one that is executed twice is what is left. */
static void test_requests(void **state)
{
    static struct cosim c;
    struct difference d;
    (void)state;
    for (unsigned faulty = 0; faulty < 2; faulty++) {
        struct tx_chip_settings settings;
        uint64_t forms[6] = {0};
        unsigned found = 0;
        (void)tx_chip_settings_default(&settings, "p150");
        settings.policy = TX_CHIP_PROMPT;
        settings.bad_dram = 1u << 2;
        fake_begin(&c, TX_BLACKHOLE, &noc_class, NULL);
        assert_int_equal(tx_chip_open(&settings, &fake.chip_there), TX_OK);
        fake.faulty = faulty;
        fake.refused = 1;
        for (uint64_t i = 0; i < 40; i++) {
            if (fake_shrunk(&c, i, &d)) {
                assert_int_equal(d.count, 1);
                assert_int_equal(noc_draw(&c, d.words[0]).form, FORM_ATOMIC);
                found++;
            }
            for (unsigned k = 0; k < c.count; k++) {
                forms[noc_draw(&c, c.words[k]).form]++;
            }
        }
        for (unsigned k = 0; k < 6; k++) {
            assert_true(k == FORM_MANY ? forms[k] == 0 : forms[k] > 10);
        }
        assert_true(c.refusals > 10);
        assert_int_equal(c.reason_count, 1);
        assert_true(faulty != 0 ? found > 10 : found == 0);
        tx_chip_close(fake.chip_there);
        fake_end(&c);
    }
}

/* Whole tiles are equal; of one with a faulty instruction a step with it and one that shows it
 * stay. */
static void test_tiles(void **state)
{
    static struct cosim c;
    static struct kind kind;
    struct difference d;
    (void)state;
    kind = tile_class;
    for (unsigned i = 0; i < 6; i++) {
        const enum tx_arch arch = i % 2 == 0 ? TX_WORMHOLE : TX_BLACKHOLE;
        unsigned found = 0;
        unsigned packs = 0;
        unsigned on_cores = 0;
        kind.rules[0][0] = kind.rules[1][0] = NULL;
        fake_begin(&c, arch, &kind, NULL);
        fake.faulty = i / 2 == 1 ? TX_INSN_ELWSUB : 0;
        fake.refused = i / 2 == 2 ? TX_INSN_SFPLOAD : 0;
        for (uint64_t number = 0; number < 40; number++) {
            if (fake_shrunk(&c, number, &d)) {
                assert_in_range(d.count, 1, 3);
                char text[200];
                unsigned with = 0;
                for (unsigned k = 0; k < d.count; k++) {
                    tile_step_text(&c, d.words[k], text);
                    with += strstr(text, "elwsub") != NULL;
                }
                assert_int_equal(with, 1);
                on_cores += number % TILE_CORES == 1;
                found++;
            }
            for (unsigned k = 0; k < c.count; k++) {
                char text[200];
                tile_step_text(&c, c.words[k], text);
                assert_true(fake.refused == 0 || strstr(text, "sfpload") == NULL);
                packs += strstr(text, "pack_tile") != NULL || strstr(text, "dst_full") != NULL;
            }
        }
        assert_true(packs > 40);
        assert_int_equal(c.skipped, 0);
        assert_true(fake.refused != 0 ? c.refusals > 10 : c.refusals == 0);
        assert_true(fake.faulty != 0 ? found > 5 && on_cores > 0 : found == 0);
        fake_end(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cores),
        cmocka_unit_test(test_core_refused),
        cmocka_unit_test(test_requests),
        cmocka_unit_test(test_tiles),
    };
    return cmocka_run_group_tests_name("classes", tests, NULL, NULL);
}
