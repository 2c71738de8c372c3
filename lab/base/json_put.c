/* SPDX-License-Identifier: Apache-2.0 */
/* Writes JSON to a stream as it comes. */
#include "base/json_put.h"

#include <string.h>

#include "base/quote.h"

/* Writes what stands before a value. */
static void put_before(struct json_put *j, const char *key)
{
    if (j->some) {
        fputs(j->spaced ? ", " : ",", j->stream);
    }
    if (key != NULL) {
        putc('"', j->stream);
        fputs(key, j->stream);
        fputs(j->spaced ? "\": " : "\":", j->stream);
    }
    j->some = true;
}

void json_put_open(struct json_put *j, const char *key, char bracket)
{
    put_before(j, key);
    putc(bracket, j->stream);
    j->some = false;
}

void json_put_close(struct json_put *j, char bracket)
{
    putc(bracket, j->stream);
    j->some = true;
}

void json_put_break(struct json_put *j)
{
    fputs(j->some ? ",\n" : "\n", j->stream);
    j->some = false;
}

void json_put_end_line(struct json_put *j)
{
    putc('\n', j->stream);
    j->some = false;
}

void json_put_text(struct json_put *j, const char *key, const char *text)
{
    json_put_part(j, key, text, strlen(text));
}

void json_put_part(struct json_put *j, const char *key, const char *text, size_t length)
{
    put_before(j, key);
    quote_json(j->stream, text, length);
}

void json_put_uint(struct json_put *j, const char *key, uint64_t value)
{
    put_before(j, key);
    fprintf(j->stream, "%llu", (unsigned long long)value);
}

void json_put_int(struct json_put *j, const char *key, int64_t value)
{
    put_before(j, key);
    fprintf(j->stream, "%lld", (long long)value);
}

void json_put_bool(struct json_put *j, const char *key, bool value)
{
    put_before(j, key);
    fputs(value ? "true" : "false", j->stream);
}

void json_put_word(struct json_put *j, const char *key, uint32_t value)
{
    put_before(j, key);
    fprintf(j->stream, "\"0x%08x\"", value);
}

void json_put_bare(struct json_put *j, const char *key, uint32_t value)
{
    json_put_hex(j, key, &value, 1, 8);
}

static void put_digits(FILE *stream, const uint32_t *values, size_t count, unsigned digits)
{
    for (size_t i = 0; i < count; i++) {
        for (unsigned d = digits; d > 0; d--) {
            putc("0123456789abcdef"[values[i] >> 4 * (d - 1) & 15u], stream);
        }
    }
}

void json_put_hex(struct json_put *j, const char *key, const uint32_t *values, size_t count,
                  unsigned digits)
{
    put_before(j, key);
    putc('"', j->stream);
    put_digits(j->stream, values, count, digits);
    putc('"', j->stream);
}

void json_put_runs(struct json_put *j, const char *key, const uint32_t *values, size_t count,
                   unsigned digits)
{
    put_before(j, key);
    putc('"', j->stream);
    for (size_t i = 0; i < count;) {
        size_t end = i + 1;
        while (end < count && values[end] == values[i]) {
            end++;
        }
        fputs(i == 0 ? "" : " ", j->stream);
        put_digits(j->stream, &values[i], 1, digits);
        if (end - i > 1) {
            fprintf(j->stream, "*%zu", end - i);
        }
        i = end;
    }
    putc('"', j->stream);
}
