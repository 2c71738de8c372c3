/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of a bank: pages come with the first write, and a clear takes all of them away. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "dram/dram.h"

static void test_clear(void **state)
{
    (void)state;
    const uint64_t last = 7 * (uint64_t)DRAM_PAGE;
    const uint64_t at[3] = {0, 3 * (uint64_t)DRAM_PAGE - 2, last + DRAM_PAGE - 4};
    const uint8_t bytes[4] = {1, 2, 3, 4};
    struct dram_bank bank;
    assert_true(dram_open(&bank, 8 * (uint64_t)DRAM_PAGE));
    for (unsigned i = 0; i < 3; i++) {
        assert_true(dram_unwritten(&bank, at[i], 4));
        assert_true(dram_write(&bank, at[i], bytes, 4));
        assert_false(dram_unwritten(&bank, at[i], 4));
    }
    assert_int_equal(bank.pages, 4); /* the second one lies across an edge */
    dram_clear(&bank);
    assert_int_equal(bank.pages, 0);
    for (unsigned i = 0; i < 3; i++) {
        uint8_t now[4] = {9, 9, 9, 9};
        dram_read(&bank, at[i], now, 4);
        assert_int_equal(now[0] | now[1] | now[2] | now[3], 0);
        assert_true(dram_unwritten(&bank, at[i], 4));
    }
    dram_close(&bank);
}

/* What is written, and no byte beside it, counts as written; across the edge of a page as well. */
static void test_written(void **state)
{
    (void)state;
    static const uint8_t bytes[24];
    struct dram_bank bank;
    assert_true(dram_open(&bank, 4 * (uint64_t)DRAM_PAGE));
    for (unsigned offset = 0; offset < 32; offset++) {
        for (unsigned size = 1; size <= sizeof bytes; size++) {
            const uint64_t from = 2 * (uint64_t)DRAM_PAGE - 16;
            dram_clear(&bank);
            assert_true(dram_write(&bank, from + offset, bytes, size));
            for (uint64_t i = 0; i < 64; i++) {
                const bool in = i >= offset && i < offset + size;
                if (dram_unwritten(&bank, from + i, 1) == in) {
                    fail_msg("%u bytes at %u: byte %u", size, offset, (unsigned)i);
                }
            }
            assert_false(dram_unwritten(&bank, from + offset, size));
            assert_true(dram_unwritten(&bank, from + offset, size + 1));
            assert_true(dram_unwritten(&bank, from + offset - 1, size + 1));
        }
    }
    dram_close(&bank);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_clear),
                                       cmocka_unit_test(test_written)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
