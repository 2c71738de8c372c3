/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes JSON to a stream as it comes, for what is too long to be a value (tensix-lab/json.h):
 * commas, colons and quotes are the writer's. In an object every value has a key, in an array it is
 * NULL. Keys are plain names; texts may be anything, and also stand in a page (quote_json).
 */
#ifndef LAB_JSON_PUT_H
#define LAB_JSON_PUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct json_put {
    FILE *stream;
    bool spaced; /* with a space after each comma and colon */
    bool some;   /* the object or array that is open has something in it */
};

/* Begins an object ('{') or an array ('['). */
void json_put_open(struct json_put *j, const char *key, char bracket);
/* Ends what is open with '}' or ']'. */
void json_put_close(struct json_put *j, char bracket);
/* The next value begins on a line of its own. */
void json_put_break(struct json_put *j);
/* Ends a line that is a whole value. */
void json_put_end_line(struct json_put *j);

void json_put_text(struct json_put *j, const char *key, const char *text);
void json_put_part(struct json_put *j, const char *key, const char *text, size_t length);
void json_put_uint(struct json_put *j, const char *key, uint64_t value);
void json_put_int(struct json_put *j, const char *key, int64_t value);
void json_put_bool(struct json_put *j, const char *key, bool value);
/* A text like "0x0000beef", or of one that has no 0x. */
void json_put_word(struct json_put *j, const char *key, uint32_t value);
void json_put_bare(struct json_put *j, const char *key, uint32_t value);
/* A text with count values of digits hex digits each. */
void json_put_hex(struct json_put *j, const char *key, const uint32_t *values, size_t count,
                  unsigned digits);
/* The same with runs of equal values as one: "3f800000*31 bf800000". */
void json_put_runs(struct json_put *j, const char *key, const uint32_t *values, size_t count,
                   unsigned digits);

#endif
