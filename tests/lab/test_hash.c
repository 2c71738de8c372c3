/* SPDX-License-Identifier: Apache-2.0 */
/* The hash table: each key has its own number, whatever bytes and length it has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lab/base/hash.h"

enum { KEYS = 20000 };

/* The i-th key: its number, then i % 7 zero bytes, so that some begin others. */
static size_t key_of(uint32_t i, unsigned char key[16])
{
    const uint32_t number = i / 7;
    memset(key, 0, 16);
    memcpy(key, &number, sizeof number);
    return sizeof number + i % 7;
}

static void test_numbers(void **state)
{
    struct hash t = {NULL};
    unsigned char key[16];
    (void)state;
    assert_int_equal(hash_find(&t, "", 0), 0);
    for (uint32_t i = 0; i < KEYS; i++) {
        const size_t size = key_of(i, key);
        uint32_t *number = hash_at(&t, key, size);
        assert_non_null(number);
        assert_int_equal(*number, 0);
        *number = i + 1;
    }
    for (uint32_t i = 0; i < KEYS; i++) {
        const size_t size = key_of(i, key);
        assert_int_equal(hash_find(&t, key, size), i + 1);
        assert_int_equal(*hash_at(&t, key, size), i + 1);
    }
    const size_t size = key_of(KEYS, key);
    assert_int_equal(hash_find(&t, key, size), 0);
    hash_free(&t);
    assert_int_equal(hash_find(&t, key, size), 0);
    assert_int_equal(*hash_at(&t, key, size), 0); /* begins anew */
    hash_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
