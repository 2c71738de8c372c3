/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows as tt-metal's noc_latencies.yaml and other tables have them (spec/noc-open.tsv,
 * spec/figures-open.tsv), of both chips and all kinds: what is predicted lies near what cards have
 * measured. Rows that cannot be built say so; what is no row is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <tensix-lab/silicon.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char rows[] =
    "# cycles\n"
    "id\tchip\tmemory\tmechanism\tpattern\tmasters\tsubordinates\tper_dest\tsame_axis\tstateful\t"
    "loopback\tnoc\tc64\tc128\tc256\tc512\tc1024\tc2048\tc4096\tc8192\tc16384\tc32768\tc65536\n"
    "n727\twh\tl1\tunicast\tone_from_one\t0,0 1x1\t1,1 1x1\t16\t0\t0\t0\t1\t587\t\t\t603\t"
    "\t1460\t\t"
    "4883\t\t\t\n"
    "n726\twh\tl1\tunicast\tone_from_one\t0,0 1x1\t1,1 1x1\t4\t0\t0\t0\t1\t359\t\t\t\t\t\t"
    "\t1439\t\t"
    "\t\n"
    "n317\tbh\tl1\tunicast\tone_from_one\t0,0 1x1\t0,1 1x1\t16\t1\t0\t0\t1\t724\t\t\t\t\t7"
    "77\t1319\t"
    "2363\t\t\t\n"
    "n062\tbh\tdram-sharded\tunicast\tone_from_one\t0,0 1x1\town bank\t16\t0\t0\t0\t0\t810"
    "\t818\t\t"
    "\t\t1242\t\t3410\t\t\t\n"
    "n492\twh\tdram-sharded\tunicast\tone_from_one\t0,0 1x1\town bank\t16\t0\t0\t0\t0\t721"
    "\t\t\t\t\t"
    "1914\t\t6249\t\t\t\n";

static txl_silicon *opened(const char *text)
{
    const struct txl_silicon_options how = {.size = sizeof how};
    struct txl_error err = {.status = TXL_OK};
    txl_silicon *s = NULL;
    assert_int_equal(txl_silicon_open(&err, "rows", text, strlen(text), &how, &s), TXL_OK);
    return s;
}

static void test_rows(void **state)
{
    (void)state;
    txl_silicon *s = opened(rows);
    size_t count = 0;
    double sum = 0;
    const struct txl_silicon_value *v = txl_silicon_values(s, &count);
    assert_int_equal(count, 17);
    for (size_t i = 0; i < count; i++) {
        const double off = fabs(v[i].predicted / v[i].measured - 1);
        assert_null(v[i].why);
        if (!(off < 0.09)) {
            print_error("%s, %u bytes: %.1f, cards %.1f\n", v[i].id, v[i].bytes, v[i].predicted,
                        v[i].measured);
            fail();
        }
        sum += off;
    }
    assert_true(sum / (double)count < 0.04);
    char *text = txl_silicon_text(s);
    char *json = txl_silicon_json(s);
    assert_non_null(strstr(text, "wh l1 unicast, one master"));
    assert_non_null(strstr(text, "Inferred"));
    assert_non_null(strstr(json, "\"percentile_90\""));
    free(text);
    free(json);
    txl_silicon_close(s);
}

/*
 * Masters that write to each other end together on cards: the oldest request is first. With turns
 * by port these would be 25 % too slow and 33 % too fast.
 */
static void test_many_masters(void **state)
{
    static const char many[] =
        "n284\tbh\tl1\tunicast\tall_to_all\t0,0 2x2\t0,0 2x2\t256\t1\t0\t0\t0\t\t\t\t\t\t\t"
        "192742\t\t\t\t\n"
        "n691\twh\tl1\tunicast\tall_to_all\t0,0 5x5\t0,0 5x5\t4\t1\t0\t0\t0\t\t\t\t\t\t41730\t"
        "\t\t\t\t\n";
    (void)state;
    txl_silicon *s = opened(many);
    size_t count = 0;
    const struct txl_silicon_value *v = txl_silicon_values(s, &count);
    assert_int_equal(count, 2);
    for (size_t i = 0; i < count; i++) {
        if (!(fabs(v[i].predicted / v[i].measured - 1) < 0.18)) {
            print_error("%s, %u bytes: %.1f, cards %.1f\n", v[i].id, v[i].bytes, v[i].predicted,
                        v[i].measured);
            fail();
        }
    }
    txl_silicon_close(s);
}

/* Many small reads of a bank take 17 cycles each on cards, whatever their size. */
static void test_small_reads(void **state)
{
    static const char many[] =
        "n008\tbh\tdram-interleaved\tunicast\tall_from_all\t0,0 11x10\tall banks\t64\t0\t0\t0\t1\t"
        "14891\t\t15888\n"
        "n479\twh\tdram-sharded\tunicast\tall_from_all\t0,0 8x7\town bank\t256\t0\t0\t0\t1\t"
        "20066\n";
    (void)state;
    txl_silicon *s = opened(many);
    size_t count = 0;
    const struct txl_silicon_value *v = txl_silicon_values(s, &count);
    assert_int_equal(count, 3);
    for (size_t i = 0; i < count; i++) {
        if (!(fabs(v[i].predicted / v[i].measured - 1) < 0.15)) {
            print_error("%s, %u bytes: %.1f, cards %.1f\n", v[i].id, v[i].bytes, v[i].predicted,
                        v[i].measured);
            fail();
        }
    }
    txl_silicon_close(s);
}

/* What is not built says why, beside rows that are. */
static void test_reasons(void **state)
{
    (void)state;
    txl_silicon *s = opened("f076\tnoc\twh\tread, small, idle chip, other row and column\tlatency\t"
                            "270\tcycles\ttt-npe\n"
                            "f900\top\twh\tsomething else\tlatency\t27\tcycles\tnowhere\n"
                            "exp\tbh p150\tkernel\tbf16\tBODY\t839\tsource\n"
                            "n1\txx\tl1\tunicast\tone_to_one\t0,0 1x1\t1,1 1x1\t1\t0\t0\t0"
                            "\t0\t5\n"
                            "n2\twh\tl1\tunicast\tone_to_one\t0,0 1x1\t40,1 1x1\t1\t0\t0\t"
                            "0\t0\t5\n");
    size_t count = 0;
    const struct txl_silicon_value *v = txl_silicon_values(s, &count);
    assert_int_equal(count, 5);
    assert_null(v[0].why);
    assert_true(fabs(v[0].predicted / 270 - 1) < 0.08);
    for (size_t i = 1; i < count; i++) {
        assert_non_null(v[i].why);
    }
    txl_silicon_close(s);
}

/* Single figures whose program is known, within 15 %: isa DRAMTile, tt-npe, tt-metal's bounds. */
static void test_figures(void **state)
{
    (void)state;
    txl_silicon *s = opened(
        "f1\tdram-bw\twh\t12 tiles, randomly chosen, each 1 MiB read, 1 channel, VC dynamic, "
        "noc 1, 1000 MHz, 12 GT/s\taggregate\t22.3\tGB/s\tisa\n"
        "f2\tdram-bw\twh\t12 tiles, randomly chosen, each 1 MiB write, 1 channel, VC dynamic, "
        "noc 0, 1000 MHz, 12 GT/s\taggregate\t7.6\tGB/s\tisa\n"
        "f3\tdram-bw\twh\t12 tiles, carefully chosen, each 1 MiB read, 12 channels, VC static, "
        "noc 0, 1000 MHz, 12 GT/s\taggregate\t265.5\tGB/s\tisa\n"
        "f4\tnoc\tbh\tOne from One Directed Ideal, reader\tbandwidth\t59\tB/cycle\tx\n"
        "f5\tnoc\twh\tOne to All Multicast Directed Ideal, writer\tb\t14\tB/cycle\tx\n"
        "n560\twh\tl1\tlinked\tone_to_column\t1,0 1x1\t0,0 1x7\t1\t1\t0\t0\t0\t\t\t\t\t\t"
        "\t\t\t\t\t4661\n"
        "f6\tnoc\twh\trouter to router\tlatency\t9\tcycles\tisa\n"
        "f15\tnoc\twh\tNIU to router\tlatency\t5\tcycles\tisa\n"
        "f7\tnoc\tbh\tone master, 128-byte transfers back to back\tb\t6.0\tB/cycle\tx\n"
        "f8\tl1\twh\tmover L1 to L1\trate\t93.1\tbits/cycle each way\tisa L1\n"
        "f9\tl1\tbh\tmover memset L1\trate\t128\tbits/cycle\tisa L1\n"
        "f10\tl1\twh\tRISC-V stores to L1\tone per\t5\tcycles\tisa L1\n"
        "f11\tl1\tbh\tRISC-V dependent loads from L1\tone per\t8\tcycles\tisa L1\n"
        "f12\tl1\twh\tRISC-V loads from L1\trate\t18.3\tbits/cycle\tisa L1\n"
        "f13\tl1\twh\tpacker\t128-bit writes per cycle\t1\t-\tisa L1\n"
        "f14\tl1\twh\tThCon 128-bit stores to L1\tone per\t3\tcycles\tisa L1\n"
        "f15\tl1\twh\tNoC, each\t128-bit reads and writes per cycle\t2\t-\tisa L1\n");
    size_t count = 0;
    const struct txl_silicon_value *v = txl_silicon_values(s, &count);
    assert_int_equal(count, 17);
    for (size_t i = 0; i < count; i++) {
        assert_null(v[i].why);
        if (!(fabs(v[i].predicted / v[i].measured - 1) < 0.15)) {
            print_error("%s: %.2f, measured %.2f\n", v[i].id, v[i].predicted, v[i].measured);
            fail();
        }
    }
    txl_silicon_close(s);
}

/*
 * Bounds of tt-metal's tests of data movement (data_movement test_bounds.yaml) and tt-npe's rate of
 * a worker, within 4 %: near enough to tell a write from a read, and L1 from DRAM.
 */
static void test_ideals(void **state)
{
    (void)state;
    txl_silicon *s =
        opened("f085\tnoc\twh\tendpoint worker\tb\t28.1\tB/cycle\tx\n"
               "f090\tnoc\twh\tOne to One Directed Ideal, writer\tb\t30\tB/cycle\tx\n"
               "f093\tnoc\tbh\tOne from One Directed Ideal, reader\tb\t59\tB/cycle\tx\n"
               "f094\tnoc\twh\tOne to All Unicast Directed Ideal, writer\tb\t31\tB/cycle\tx\n"
               "f095\tnoc\tbh\tOne to All Unicast Directed Ideal, writer\tb\t62\tB/cycle\tx\n"
               "f100\tnoc\twh\tOne from All Directed Ideal, reader\tb\t30\tB/cycle\tx\n"
               "f109\tnoc\tbh\tL1 Interleaved Page Directed Ideal, writer\tb\t62\tB/cycle\tx\n"
               "f112\tnoc\twh\tOne Packet Write Directed Ideal, writer\tb\t30\tB/cycle\tx\n"
               "f113\tnoc\tbh\tOne Packet Write Directed Ideal, writer\tb\t61\tB/cycle\tx\n"
               "f114\tnoc\twh\tDRAM Directed Ideal, reader\tb\t22\tB/cycle\tx\n"
               "f119\tnoc\tbh\tLoopback Directed Ideal, writer\tb\t60\tB/cycle\tx\n");
    size_t count = 0;
    const struct txl_silicon_value *v = txl_silicon_values(s, &count);
    assert_int_equal(count, 11);
    for (size_t i = 0; i < count; i++) {
        assert_null(v[i].why);
        if (!(fabs(v[i].predicted / v[i].measured - 1) < 0.04)) {
            print_error("%s: %.2f, measured %.2f\n", v[i].id, v[i].predicted, v[i].measured);
            fail();
        }
    }
    /* One transaction is one packet there: the two tests are one program. */
    assert_string_equal(v[1].id, "f090");
    assert_string_equal(v[7].id, "f112");
    assert_true(v[1].predicted == v[7].predicted);
    txl_silicon_close(s);
}

static void test_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"", "# nothing\n", "a\tb\n", "\x01\n"};
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct txl_error err = {.status = TXL_OK};
        txl_silicon *s = NULL;
        assert_int_equal(txl_silicon_open(&err, "bad", bad[i], strlen(bad[i]), NULL, &s),
                         TXL_INPUT);
        assert_null(s);
        txl_error_clear(&err);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),        cmocka_unit_test(test_many_masters),
        cmocka_unit_test(test_small_reads), cmocka_unit_test(test_reasons),
        cmocka_unit_test(test_figures),     cmocka_unit_test(test_refused),
        cmocka_unit_test(test_ideals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
