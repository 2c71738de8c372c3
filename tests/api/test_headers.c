/* SPDX-License-Identifier: Apache-2.0 */
/* What the public headers promise by themselves. Each one alone: see cmake/tests.cmake. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <tensix/tensix.h>

_Static_assert(TX_LANES == 4 * TX_COLUMNS, "an LReg has four rows of columns");
_Static_assert(TX_TILE_ELEMENTS == 32 * 32, "a tile is 32x32");
_Static_assert(TX_OK == 0 && TX_NONE == 0 && TX_ARCH_NONE == 0, "zero means nothing happened");
_Static_assert(TX_TILE_ELEMENTS % TX_DST_WIDTH == 0, "a tile fills whole Dst rows");

static void version_string_agrees_with_its_numbers(void **state)
{
    (void)state;
    char text[40];
    snprintf(text, sizeof text, "%d.%d.%d", TX_VERSION_MAJOR, TX_VERSION_MINOR, TX_VERSION_PATCH);
    assert_string_equal(text, TX_VERSION_STRING);
}

/* A zeroed event must not look like a real category or chip to a sink. */
static void zeroed_records_say_nothing(void **state)
{
    (void)state;
    static const struct tx_finding finding;
    static const struct tx_decoded decoded;
    assert_int_equal(finding.category, TX_NONE);
    assert_int_equal(finding.arch, TX_ARCH_NONE);
    assert_null(decoded.insn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_string_agrees_with_its_numbers),
        cmocka_unit_test(zeroed_records_say_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
