/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any text as JSON, each line a document: what the reader (jansson) takes is made again value by
 * value, and what that is written as, on one line and indented, reads as the same. Strings are also
 * read as the hex digits of vectors: what is good is written as it stood there.
 */
#include "base/json.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition) {
        abort();
    }
}

/* The text in so many numbers of so many digits as there may be. */
static void hex(const char *text, size_t length)
{
    enum { MOST = 64 };
    uint32_t values[MOST];
    for (unsigned digits = 1; digits <= 8; digits++) {
        const size_t count = length / digits;
        if (count == 0 || count > MOST || !jx_parse_hex(text, length, values, count, digits)) {
            continue;
        }
        txl_json *again = txl_json_hex(values, count, digits);
        require(count * digits == length && strcasecmp(txl_json_chars(again), text) == 0);
        txl_json_free(again);
    }
}

static txl_json *made(const json_t *value)
{
    const char *key;
    const json_t *member;
    size_t index;
    txl_json *all;
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        all = txl_json_object();
        json_object_foreach((json_t *)value, key, member)
        {
            txl_json_set(all, key, made(member));
        }
        require(txl_json_count(all) == json_object_size(value));
        return all;
    case JSON_ARRAY:
        all = txl_json_array();
        json_array_foreach(value, index, member)
        {
            txl_json_append(all, made(member));
        }
        require(txl_json_count(all) == json_array_size(value));
        return all;
    case JSON_STRING:
        hex(json_string_value(value), json_string_length(value));
        return txl_json_string(json_string_value(value));
    case JSON_INTEGER:
        return txl_json_int(json_integer_value(value));
    case JSON_REAL:
        return txl_json_real(json_real_value(value));
    case JSON_TRUE:
    case JSON_FALSE:
        return txl_json_bool(json_is_true(value));
    default:
        return txl_json_null();
    }
}

/* A real number may come back as an integer, and the other way round. */
static bool same(const json_t *a, const json_t *b)
{
    const char *key;
    const json_t *member;
    size_t index;
    if (json_is_number(a)) {
        return json_is_integer(a) && json_is_integer(b)
                   ? json_integer_value(a) == json_integer_value(b)
                   : json_is_number(b) && json_number_value(a) == json_number_value(b);
    }
    if (json_is_object(a) && json_is_object(b) && json_object_size(a) == json_object_size(b)) {
        json_object_foreach((json_t *)a, key, member)
        {
            const json_t *other = json_object_get(b, key);
            if (other == NULL || !same(member, other)) {
                return false;
            }
        }
        return true;
    }
    if (json_is_array(a) && json_is_array(b) && json_array_size(a) == json_array_size(b)) {
        json_array_foreach(a, index, member)
        {
            if (!same(member, json_array_get(b, index))) {
                return false;
            }
        }
        return true;
    }
    return json_equal(a, b);
}

static void back(const json_t *value, char *text)
{
    require(text != NULL);
    json_t *again = json_loads(text, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, NULL);
    require(again != NULL && same(value, again));
    json_decref(again);
    free(text);
}

static void document(const char *text, size_t length)
{
    json_error_t error;
    json_t *value = json_loadb(text, length, JSON_DECODE_ANY, &error);
    if (value == NULL) {
        return;
    }
    txl_json *json = made(value);
    char *line = txl_json_line(json);
    require(line != NULL && strpbrk(line, "\n\r\t") == NULL);
    back(value, line);
    back(value, txl_json_indented(json));
    txl_json_free(json);
    json_decref(value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    while (size > 0) {
        const char *end = memchr(text, '\n', size);
        const size_t length = end != NULL ? (size_t)(end - text) : size;
        document(text, length);
        text += length + (end != NULL);
        size -= length + (end != NULL);
    }
    return 0;
}
