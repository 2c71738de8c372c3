/* SPDX-License-Identifier: Apache-2.0 */
/* Names of formats and conversions, and that the tables are complete. Source: C.1. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <tensix/formats.h>

static void spellings(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int format;
    } v[] = {{"Float32", 0},
             {"float32", 0},
             {"fp32", 0},
             {"FP32", 0},
             {"Float16", 1},
             {"fp16", 1},
             {"half", 1},
             {"Float16_a", 1},
             {"Bfp8", 2},
             {"BFP8a", 2},
             {"bfp8_a", 2},
             {"Bfp4", 3},
             {"Tf32", 4},
             {"tf32", 4},
             {"Float16_b", 5},
             {"bfloat16", 5},
             {"bf16", 5},
             {"BF16", 5},
             {"Bfp8_b", 6},
             {"bfp8_b", 6},
             {"BFP8", 6},
             {"bfloat8_b", 6},
             {"BFLOAT8_B", 6},
             {"Bfp4_b", 7},
             {"bfloat4_b", 7},
             {"Int32", 8},
             {"int32", 8},
             {"Int16", 9},
             {"Lf8", 10},
             {"Fp8_e5m2", 10},
             {"float8_e5m2", 10},
             {"Bfp2", 11},
             {"Int8", 14},
             {"Bfp2_b", 15},
             {"UInt32", 24},
             {"uint32", 24},
             {"UInt16", 25},
             {"Fp8_e4m3", 26},
             {"fp8_e4m3", 26},
             {"UInt8", 30},
             {"float8_e4m3fn", 26},
             {"u8", 30},
             {"DataFormat::Bfp4_b", 7},
             {"DataFormat::Bfp8", 2}};
    for (size_t i = 0; i < sizeof v / sizeof v[0]; i++) {
        enum tx_format format = TX_FORMAT_LIMIT;
        if (tx_format_parse(v[i].text, &format) != TX_OK || (int)format != v[i].format) {
            fail_msg("%s: %d", v[i].text, (int)format);
        }
    }
    static const char *const unclear[] = {"bfp8", "bFP8", "bfp4", "bfp2", "fp8", "FP8"};
    static const char *const unknown[] = {
        "", "float64", "int64", "mxfp4", "12", "bfp8_bb", "a name that is longer than any format"};
    enum tx_format format;
    for (size_t i = 0; i < sizeof unclear / sizeof unclear[0]; i++) {
        assert_int_equal(tx_format_parse(unclear[i], &format), TX_EPARSE);
    }
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        assert_int_equal(tx_format_parse(unknown[i], &format), TX_ENOENT);
    }
    assert_int_equal(tx_format_parse(NULL, &format), TX_EINVAL);
}

static void properties(void **state)
{
    (void)state;
    unsigned count = 0;
    for (int i = -1; i <= TX_FORMAT_LIMIT; i++) {
        const enum tx_format format = (enum tx_format)i;
        const struct tx_format_info *info = tx_format_info(format);
        enum tx_format again;
        if (info == NULL) {
            assert_string_equal(tx_format_name(format), "?");
            continue;
        }
        count++;
        assert_int_equal(tx_format_parse(info->name, &again), TX_OK);
        assert_int_equal(again, format);
        assert_int_equal(tx_format_parse(info->software_name, &again), TX_OK);
        assert_int_equal(again, format);
        /* The low two bits of the code give the width (C.1). */
        static const uint8_t width[] = {32, 16, 8, 0};
        const unsigned expected = width[i & 3];
        assert_true(expected != 0 ? info->bits == expected : info->bits < 8);
        assert_int_equal(info->integer, info->exponent_bits == 0);
    }
    assert_int_equal(count, 18);
    assert_null(tx_format_info((enum tx_format)12));
    assert_null(tx_format_info((enum tx_format)13));
}

static void conversion_table(void **state)
{
    (void)state;
    for (int i = 0; i < TX_CONVERSION_COUNT; i++) {
        const struct tx_conversion_info *info = tx_conversion_info((enum tx_conversion)i);
        enum tx_conversion again;
        assert_non_null(info);
        assert_non_null(info->name);
        assert_true(info->rule[0] != '\0' && info->evidence[0] != '\0');
        assert_true(info->in_bits >= 8 && info->in_bits <= 32);
        assert_true(info->out_bits >= 8 && info->out_bits <= 32);
        assert_int_equal(tx_conversion_parse(info->name, &again), TX_OK);
        assert_int_equal(again, i); /* no name stands twice */
    }
    enum tx_conversion none;
    assert_null(tx_conversion_info(TX_CONVERSION_COUNT));
    assert_int_equal(tx_conversion_parse("unpack.fp32", &none), TX_ENOENT);
    assert_int_equal(tx_conversion_parse(NULL, &none), TX_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spellings),
        cmocka_unit_test(properties),
        cmocka_unit_test(conversion_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
