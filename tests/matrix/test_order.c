/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which rows of Src a listener hears that the Matrix Unit reads. The counts are those of the ISA
 * documentation's models: a product takes sixteen rows of SrcA and the rows of SrcB that it has
 * rows of Dst, an elementwise instruction the rows of Dst of both; a broadcast row of SrcB is one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <tensix/order.h>
#include <tensix/tensix.h>

#include <stdio.h>
#include <string.h>

struct heard {
    unsigned reads[2]; /* rows of SrcA and of SrcB */
    unsigned first[2];
};

static void hear(void *user, const struct tx_order *order)
{
    struct heard *h = user;
    if (order->kind == TX_ORDER_READ && order->shared == TX_SHARED_SRC) {
        const unsigned src = order->index / 128 & 1u;
        const unsigned row = order->index % 64;
        h->first[src] = h->reads[src] == 0 || row < h->first[src] ? row : h->first[src];
        h->reads[src] += order->count;
    }
}

static const struct {
    const char *text;
    unsigned rows[2], first[2];
} lines[] = {
    {"ttsetdvalid 3\nttmvmul 0,0,0,0", {16, 8}, {0, 0}},
    {"ttsetdvalid 3\nttelwadd 0,0,0,0,0", {8, 8}, {0, 0}},
    {"ttsetdvalid 3\nttelwmul 0,0,0,0,0", {8, 8}, {0, 0}},
    {"ttsetdvalid 3\nttelwadd 0,0,2,0,0", {8, 1}, {0, 0}}, /* one row of SrcB */
    /* where the counters of rows are */
    {"ttsetdvalid 3\nttsetrwc 0,0,0,8,8,3\nttelwadd 0,0,0,0,0", {8, 8}, {8, 8}},
    {"ttsetdvalid 3\nttsetrwc 0,0,0,9,0,3\nttelwadd 0,0,2,0,0", {8, 1}, {0, 9}},
    {"ttsetdvalid 3\nttsetrwc 0,0,0,8,0,3\nttmvmul 0,0,0,0", {16, 8}, {0, 8}},
};

static void test_rows(void **state)
{
    (void)state;
    for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
            const struct tx_asm_options options = {.arch = arch};
            struct tx_settings settings;
            struct tx_diag diag = {.message = ""};
            struct heard h = {{0}, {0}};
            tx_program *program = NULL;
            tx_machine *m = NULL;
            print_message("%s: %s\n", tx_arch_name(arch), lines[i].text);
            if (tx_assemble(lines[i].text, strlen(lines[i].text), &options, &program, &diag) !=
                TX_OK) {
                fail_msg("%s", diag.message);
            }
            tx_settings_default(&settings, arch);
            assert_int_equal(tx_open(&settings, &m), TX_OK);
            tx_order_listen(m, &(struct tx_order_sink){hear, &h});
            assert_int_equal(tx_run(m, 1, tx_program_words(program, TX_SECTION_TILE),
                                    tx_program_count(program, TX_SECTION_TILE)),
                             TX_OK);
            for (unsigned src = 0; src < 2; src++) {
                assert_int_equal(h.reads[src], lines[i].rows[src]);
                assert_int_equal(h.first[src], lines[i].first[src]);
            }
            tx_close(m);
            tx_program_free(program);
        }
    }
}

/*
 * ELWADD of rows that nobody has unpacked. In 32-bit Dst a row is two physical ones, the second
 * eight behind the first (docs/spec/formats-and-scalar-unit.md C.3), and neither is known
 * afterwards.
 */
static void test_unknown(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        const enum tx_arch arch = i % 2 == 0 ? TX_WORMHOLE : TX_BLACKHOLE;
        const bool wide = i / 2 != 0;
        static const char text[] = "ttsetdvalid 3\nttelwadd 0,0,0,0,0\n.rept 13\nttnop\n.endr\n"
                                   "sfpload L0,0,0,0\nsfpnop\nsfpstore L0,64,0,0\n.rept 9\n"
                                   "ttnop\n.endr\n";
        const struct tx_asm_options options = {.arch = arch};
        struct tx_settings settings;
        tx_program *program = NULL;
        tx_machine *m = NULL;
        uint32_t known = 0xFFFF;
        tx_settings_default(&settings, arch);
        assert_int_equal(tx_open(&settings, &m), TX_OK);
        assert_int_equal(tx_config_set(m, 0, "ALU_ACC_CTRL_Fp32_enabled", wide), TX_OK);
        assert_int_equal(tx_config_set(m, 0, "ALU_ACC_CTRL_SFPU_Fp32_enabled", wide), TX_OK);
        for (unsigned row = 0; row < 1024; row++) {
            assert_int_equal(tx_write(m, TX_FILE_DST_KNOWN, row, &known, 1), TX_OK);
        }
        assert_int_equal(tx_assemble(text, strlen(text), &options, &program, NULL), TX_OK);
        assert_int_equal(tx_run(m, 0, tx_program_words(program, TX_SECTION_TILE),
                                tx_program_count(program, TX_SECTION_TILE)),
                         TX_OK);
        for (unsigned row = 0; row < 1024; row++) {
            assert_int_equal(tx_read(m, TX_FILE_DST_KNOWN, row, &known, 1), TX_OK);
            const bool copied = row % 8 < 4 && (wide ? row / 16 == 128 / 16 : row / 8 == 64 / 8);
            assert_int_equal(known, copied ? 0xAAAAu : row < (wide ? 16u : 8u) ? 0 : 0xFFFFu);
        }
        tx_close(m);
        tx_program_free(program);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_unknown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
