/* SPDX-License-Identifier: Apache-2.0 */
/* Writes JSON to a stream as it comes. */
#include "base/json_put.h"

#include <string.h>

#include "base/quote.h"

/*
 * A trace of a million instructions has some hundred million letters: calls of a stream for each of
 * them took two thirds of its time, so that pieces are put together first.
 */
enum { PIECE = 512 };
struct piece {
    char text[PIECE];
    size_t size;
};

static void add(struct piece *p, const char *text, size_t size)
{
    memcpy(p->text + p->size, text, size);
    p->size += size;
}

static void flush(struct piece *p, FILE *stream)
{
    (void)fwrite(p->text, 1, p->size, stream);
    p->size = 0;
}

/* Starts a piece with what stands before a value. */
static void add_before(struct piece *p, struct json_put *j, const char *key)
{
    const size_t length = key != NULL ? strlen(key) : 0;
    p->size = 0;
    if (j->some) {
        add(p, ", ", j->spaced ? 2 : 1);
    }
    if (key != NULL) {
        add(p, "\"", 1);
        if (length > PIECE / 4) {
            flush(p, j->stream);
            (void)fwrite(key, 1, length, j->stream);
        } else {
            add(p, key, length);
        }
        add(p, "\": ", j->spaced ? 3 : 2);
    }
    j->some = true;
}

static void put_before(struct json_put *j, const char *key)
{
    struct piece p;
    add_before(&p, j, key);
    flush(&p, j->stream);
}

static void add_decimal(struct piece *p, uint64_t value)
{
    char digits[20];
    size_t from = sizeof digits;
    do {
        digits[--from] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    add(p, digits + from, sizeof digits - from);
}

static void add_digits(struct piece *p, uint32_t value, unsigned digits)
{
    for (unsigned d = digits; d > 0; d--) {
        p->text[p->size++] = "0123456789abcdef"[value >> 4 * (d - 1) & 15u];
    }
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
    struct piece p;
    add_before(&p, j, key);
    add_decimal(&p, value);
    flush(&p, j->stream);
}

void json_put_int(struct json_put *j, const char *key, int64_t value)
{
    struct piece p;
    add_before(&p, j, key);
    if (value < 0) {
        add(&p, "-", 1);
    }
    add_decimal(&p, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
    flush(&p, j->stream);
}

void json_put_bool(struct json_put *j, const char *key, bool value)
{
    put_before(j, key);
    fputs(value ? "true" : "false", j->stream);
}

void json_put_word(struct json_put *j, const char *key, uint32_t value)
{
    struct piece p;
    add_before(&p, j, key);
    add(&p, "\"0x", 3);
    add_digits(&p, value, 8);
    add(&p, "\"", 1);
    flush(&p, j->stream);
}

void json_put_bare(struct json_put *j, const char *key, uint32_t value)
{
    json_put_hex(j, key, &value, 1, 8);
}

void json_put_hex(struct json_put *j, const char *key, const uint32_t *values, size_t count,
                  unsigned digits)
{
    struct piece p;
    add_before(&p, j, key);
    add(&p, "\"", 1);
    for (size_t i = 0; i < count; i++) {
        if (p.size > PIECE - 16) {
            flush(&p, j->stream);
        }
        add_digits(&p, values[i], digits);
    }
    add(&p, "\"", 1);
    flush(&p, j->stream);
}

void json_put_runs(struct json_put *j, const char *key, const uint32_t *values, size_t count,
                   unsigned digits)
{
    struct piece p;
    add_before(&p, j, key);
    add(&p, "\"", 1);
    for (size_t i = 0; i < count;) {
        size_t end = i + 1;
        while (end < count && values[end] == values[i]) {
            end++;
        }
        if (p.size > PIECE - 64) {
            flush(&p, j->stream);
        }
        add(&p, " ", i == 0 ? 0 : 1);
        add_digits(&p, values[i], digits);
        if (end - i > 1) {
            add(&p, "*", 1);
            add_decimal(&p, end - i);
        }
        i = end;
    }
    add(&p, "\"", 1);
    flush(&p, j->stream);
}
