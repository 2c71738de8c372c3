/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The public face of room reference. Expectations are IEEE 754's and the definition of an ULP in
 * tensix-lab/reference.h, worked out by hand.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <mpfr.h>

#include <tensix-lab/reference.h>

static void test_numbers(void **state)
{
    char text[48];
    (void)state;
    assert_true(txl_word_number(TX_DST_FORMAT_FP32, 0x40490fdb, false) == (double)3.14159274F);
    assert_true(txl_word_number(TX_DST_FORMAT_INT16, 0xffff8000, false) == -32768.0);
    assert_true(txl_word_number(TX_DST_FORMAT_UINT32, 0xffffffff, false) == 4294967295.0);
    /* 2^-15 is a denormal of FP16, none of FP32. */
    assert_true(txl_word_number(TX_DST_FORMAT_FP16, 0xb8000000, true) == 0.0);
    assert_true(signbit(txl_word_number(TX_DST_FORMAT_FP16, 0xb8000000, true)));
    assert_true(txl_word_number(TX_DST_FORMAT_FP32, 0xb8000000, true) == -0x1p-15);
    assert_int_equal(txl_number_word(TX_DST_FORMAT_FP32, 1.5), 0x3fc00000);
    assert_int_equal(txl_number_word(TX_DST_FORMAT_INT32, -2.0), 0xfffffffe);
    assert_string_equal(txl_number_text(TX_DST_FORMAT_FP32, 0x3dcccccd, text, sizeof text), "0.1");
    assert_string_equal(txl_number_text(TX_DST_FORMAT_FP32, 0x7fc00000, text, sizeof text), "nan");
    assert_string_equal(txl_number_text(TX_DST_FORMAT_INT8, 0xffffff81, text, sizeof text), "-127");
    assert_string_equal(txl_number_text(TX_DST_FORMAT_FP32, 0x3dcccccd, text, 3), "0.");
    for (int i = TX_DST_FORMAT_FP32; i < TX_DST_FORMAT_COUNT; i++) {
        const char *name = tx_dst_format_name((enum tx_dst_format)i);
        assert_int_equal(txl_number_is_integer((enum tx_dst_format)i), strstr(name, "int") != NULL);
    }
}

static void test_ulp(void **state)
{
    (void)state;
    /* 1 and the number above: 2^-23 of FP32, 2^-7 of BF16. */
    assert_true(txl_ulp(TX_DST_FORMAT_FP32, 0x3f800000, 0x3f800001) == 1.0);
    assert_true(txl_ulp(TX_DST_FORMAT_BF16, 0x3f800000, 0x3f810000) == 1.0);
    assert_true(txl_ulp(TX_DST_FORMAT_FP16, 0x3f800000, 0x3f802000) == 1.0);
    /* Below 1 the numbers are twice as close: half a unit of 1, one of themselves. */
    assert_true(txl_ulp(TX_DST_FORMAT_FP32, 0x3f800000, 0x3f7fffff) == 0.5);
    assert_true(txl_ulp(TX_DST_FORMAT_FP32, 0x3f7fffff, 0x3f800000) == 1.0);
    /* A denormal is zero, and zero and the least normal number are neighbours. */
    assert_true(txl_ulp(TX_DST_FORMAT_FP32, 0, 0x00800000) == 1.0);
    assert_true(txl_ulp(TX_DST_FORMAT_FP32, 0x00800000, 0) == 1.0);
    assert_true(txl_ulp(TX_DST_FORMAT_BF16, 0x80000000, 0x80800000) == 1.0);
    assert_true(txl_ulp(TX_DST_FORMAT_FP16, 0x38800000, 0) == 1.0);
    assert_true(txl_ulp(TX_DST_FORMAT_FP32, 0x00800000, 0x80800001) == 3.0);
    /* One binade above the least normal number units are twice as large: 2^23 + 1 halves. */
    assert_true(txl_ulp(TX_DST_FORMAT_FP32, 0x01000000, 0) == 0x1p22 + 0.5);
    assert_true(txl_ulp(TX_DST_FORMAT_FP32, 0x3f800000, 0) == 0x1p23);
    assert_true(txl_ulp(TX_DST_FORMAT_FP32, 0x80000000, 0x007fffff) == 0.0);
    assert_true(txl_ulp(TX_DST_FORMAT_FP32, 0x7fc00000, 0xffc00001) == 0.0);
    assert_true(isinf(txl_ulp(TX_DST_FORMAT_FP32, 0x7f800000, 0xff800000)));
    assert_true(isinf(txl_ulp(TX_DST_FORMAT_FP32, 0x3f800000, 0x7fc00000)));
    assert_true(txl_ulp(TX_DST_FORMAT_INT32, 5, 0xfffffffe) == 7.0);
}

static void test_names(void **state)
{
    bool exp_is_there = false;
    size_t count = 0;
    (void)state;
    for (const char *name; (name = txl_reference_name(count)) != NULL; count++) {
        exp_is_there = exp_is_there || strcmp(name, "exp") == 0;
    }
    assert_true(exp_is_there && count > 40);
    assert_int_equal(txl_reference_inputs("exp"), 1);
    assert_int_equal(txl_reference_inputs("where"), 3);
    assert_int_equal(txl_reference_inputs("exq"), 0);
}

static void test_words(void **state)
{
    static const uint32_t x[] = {0x00000000, 0x3f800000, 0xc2d00000, 0x42c80000, 0x7fc00000};
    const uint32_t *const inputs[] = {x};
    enum { COUNT = sizeof x / sizeof x[0] };
    uint32_t expected[COUNT];
    uint8_t below[COUNT];
    struct txl_error err = {0};
    txl_reference *reference = (txl_reference *)&err;
    (void)state;
    assert_int_equal(
        txl_reference_open(&err, "exq", TX_DST_FORMAT_FP32, TX_DST_FORMAT_FP32, &reference),
        TXL_INPUT);
    assert_null(reference);
    assert_string_equal(err.message, "no function 'exq'; did you mean 'exp'? A FILE.py that "
                                     "defines reference(x) serves, too");
    txl_error_clear(&err);
    assert_int_equal(
        txl_reference_open(&err, "exp", TX_DST_FORMAT_UNSET, TX_DST_FORMAT_BF16, &reference),
        TXL_OK);
    txl_reference_words(reference, inputs, COUNT, expected, below);
    assert_int_equal(expected[0], 0x3f800000); /* 1 */
    assert_int_equal(expected[1], 0x402e0000); /* 2.71875 */
    assert_int_equal(expected[2], 0);          /* exp(-104) is below 2^-149 */
    assert_int_equal(expected[3], 0x7f800000); /* exp(100) */
    assert_int_equal(expected[4] & 0x7f800000, 0x7f800000);
    assert_int_not_equal(expected[4] & 0x007fffff, 0);
    assert_true(below[2] == 1 && below[0] == 0 && below[3] == 0);
    txl_reference_words(reference, inputs, COUNT, expected, NULL);
    assert_int_equal(expected[1], 0x402e0000);
    assert_int_equal(mpfr_get_emax(), 777); /* the caller's, see main */
    txl_reference_close(reference);
    txl_reference_close(NULL);
}

int main(void)
{
    mpfr_set_emax(777);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_ulp),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests_name("reference", tests, NULL, NULL);
}
