/* SPDX-License-Identifier: Apache-2.0 */
/* JSON that is written as it comes, read back by jansson, and its exact text in both spacings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "lab/base/json_put.h"

static void put_all(struct json_put *j)
{
    static const uint32_t values[] = {0x3f80, 0x3f80, 0x3f80, 1, 0xbf80};
    json_put_open(j, NULL, '{');
    json_put_open(j, "empty", '[');
    json_put_close(j, ']');
    json_put_text(j, "text", "a\"b\\c<\n\xff\xc3\xa9");
    json_put_part(j, "part", "abcdef", 3);
    json_put_open(j, "list", '[');
    json_put_uint(j, NULL, UINT64_MAX);
    json_put_int(j, NULL, INT64_MIN);
    json_put_open(j, NULL, '{');
    json_put_close(j, '}');
    json_put_bool(j, NULL, true);
    json_put_break(j);
    json_put_bool(j, NULL, false);
    json_put_close(j, ']');
    json_put_break(j);
    json_put_word(j, "word", 0xbeef);
    json_put_bare(j, "bare", 0xdeadbeef);
    json_put_hex(j, "hex", values, 5, 4);
    json_put_runs(j, "runs", values, 5, 4);
    json_put_close(j, '}');
    json_put_end_line(j);
}

static char *text_of(bool spaced)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    struct json_put j = {.stream = stream, .spaced = spaced};
    assert_non_null(stream);
    put_all(&j);
    json_put_open(&j, NULL, '['); /* the next line owes nothing to the one before */
    json_put_close(&j, ']');
    assert_int_equal(fclose(stream), 0);
    return text;
}

static void test_text(void **state)
{
    (void)state;
    char *text = text_of(false);
    assert_string_equal(text,
                        "{\"empty\":[],\"text\":\"a\\\"b\\\\c\\u003c\\u000a?\xc3\xa9\","
                        "\"part\":\"abc\",\"list\":[18446744073709551615,-9223372036854775808,{},"
                        "true,\nfalse],\n\"word\":\"0x0000beef\",\"bare\":\"deadbeef\","
                        "\"hex\":\"3f803f803f800001bf80\",\"runs\":\"3f80*3 0001 bf80\"}\n[]");
    free(text);
    text = text_of(true);
    assert_non_null(strstr(text, "{\"empty\": [], \"text\": \"a"));
    assert_non_null(strstr(text, "{}, true,\nfalse],\n\"word\": \"0x0000beef\", \"bare\""));
    free(text);
}

static void test_read_back(void **state)
{
    (void)state;
    for (int spaced = 0; spaced < 2; spaced++) {
        char *text = text_of(spaced);
        char *end = strstr(text, "}\n[]");
        assert_non_null(end);
        char *big = strstr(text, "18446744073709551615"); /* more than jansson's integers hold */
        assert_non_null(big);
        memcpy(big, "                   5", 20);
        end[1] = '\0';
        json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
        assert_non_null(root);
        assert_int_equal(json_object_size(root), 8);
        assert_string_equal(json_string_value(json_object_get(root, "text")),
                            "a\"b\\c<\n?\xc3\xa9");
        json_t *list = json_object_get(root, "list");
        assert_int_equal(json_array_size(list), 5);
        assert_true(json_integer_value(json_array_get(list, 1)) == INT64_MIN);
        assert_true(json_is_true(json_array_get(list, 3)));
        assert_true(json_is_false(json_array_get(list, 4)));
        json_decref(root);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_text),
                                       cmocka_unit_test(test_read_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
