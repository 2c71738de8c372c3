/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Helpers for JSON. jansson parses it; these functions read hex strings in it. Writing:
 * tensix-lab/json.h, and base/json_put.h for what is too long to be a value.
 */
#ifndef LAB_JSON_H
#define LAB_JSON_H

#include "base/error.h"

#include <tensix-lab/json.h>

/*
 * JSON_MEMBERS(object, from, a, b): sets "a" to from->a and "b" to from->b, as text, bool, real or
 * integer, as the member's type is; at most twelve.
 */
#define JSON_SET(object, key, value) \
    _Generic((value), char *: txl_json_set_text, const char *: txl_json_set_text, \
             bool: txl_json_set_bool, float: txl_json_set_real, double: txl_json_set_real, \
             default: txl_json_set_int)(object, key, value)
#define JSON_1(o, p, m) JSON_SET(o, #m, (p)->m)
#define JSON_2(o, p, m, ...) JSON_1(o, p, m), JSON_1(o, p, __VA_ARGS__)
#define JSON_3(o, p, m, ...) JSON_1(o, p, m), JSON_2(o, p, __VA_ARGS__)
#define JSON_4(o, p, m, ...) JSON_1(o, p, m), JSON_3(o, p, __VA_ARGS__)
#define JSON_5(o, p, m, ...) JSON_1(o, p, m), JSON_4(o, p, __VA_ARGS__)
#define JSON_6(o, p, m, ...) JSON_1(o, p, m), JSON_5(o, p, __VA_ARGS__)
#define JSON_7(o, p, m, ...) JSON_1(o, p, m), JSON_6(o, p, __VA_ARGS__)
#define JSON_8(o, p, m, ...) JSON_1(o, p, m), JSON_7(o, p, __VA_ARGS__)
#define JSON_9(o, p, m, ...) JSON_1(o, p, m), JSON_8(o, p, __VA_ARGS__)
#define JSON_10(o, p, m, ...) JSON_1(o, p, m), JSON_9(o, p, __VA_ARGS__)
#define JSON_11(o, p, m, ...) JSON_1(o, p, m), JSON_10(o, p, __VA_ARGS__)
#define JSON_12(o, p, m, ...) JSON_1(o, p, m), JSON_11(o, p, __VA_ARGS__)
#define JSON_NTH(a, b, c, d, e, f, g, h, i, j, k, l, is, ...) is
#define JSON_MEMBERS(object, from, ...)                                                      \
    JSON_NTH(__VA_ARGS__, JSON_12, JSON_11, JSON_10, JSON_9, JSON_8, JSON_7, JSON_6, JSON_5, \
             JSON_4, JSON_3, JSON_2, JSON_1, )                                               \
    (object, from, __VA_ARGS__)

/* Returns the value as indented text and frees the value; NULL without memory. */
char *json_text(txl_json *value);

/* Parses exactly count values of digits hex digits each; returns false for anything else. */
bool jx_parse_hex(const char *text, size_t length, uint32_t *values, size_t count, unsigned digits);

#endif
