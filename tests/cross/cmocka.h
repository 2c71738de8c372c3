/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What tests/engines and tests/fmt use of cmocka, for processors that apt has no cmocka for. A
 * failure ends the program.
 */
#ifndef CROSS_CMOCKA_H
#define CROSS_CMOCKA_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
    const char *name;
    void (*run)(void **state);
};

#define cmocka_unit_test(function) \
    {                              \
#function, function        \
    }

#define fail_msg(...)                                   \
    do {                                                \
        fprintf(stderr, "%s:%d: ", __FILE__, __LINE__); \
        fprintf(stderr, __VA_ARGS__);                   \
        fputc('\n', stderr);                            \
        exit(1);                                        \
    } while (0)

#define assert_true(condition)                        \
    do {                                              \
        if (!(condition)) {                           \
            fail_msg("%s does not hold", #condition); \
        }                                             \
    } while (0)

#define assert_false(condition) assert_true(!(condition))
#define assert_non_null(pointer) assert_true((pointer) != NULL)
#define assert_null(pointer) assert_true((pointer) == NULL)
#define assert_int_equal(a, b) assert_true((a) == (b))
#define assert_memory_equal(a, b, size) assert_true(memcmp(a, b, size) == 0)
#define assert_string_equal(a, b) assert_true(strcmp((a), (b)) == 0)

#define cmocka_run_group_tests(tests, setup, teardown) \
    cross_run(tests, sizeof(tests) / sizeof(tests)[0])

static inline int cross_run(const struct CMUnitTest *tests, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        void *state = NULL;
        tests[i].run(&state);
        printf("%s: passed\n", tests[i].name);
    }
    return 0;
}

#endif
