/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a vector's state for unpackers and packers: L1, and address counters. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "vectors/vector_state.h"

static bool parse_address(const char *text, uint32_t *address)
{
    const size_t length = strlen(text);
    *address = 0;
    for (size_t i = 0; i < length; i++) {
        const char *digits = "0123456789abcdef";
        const char *at = strchr(digits, text[i] >= 'A' && text[i] <= 'F' ? text[i] + 32 : text[i]);
        if (at == NULL) {
            return false;
        }
        *address = *address * 16 + (uint32_t)(at - digits);
    }
    return length > 0 && length <= 8;
}

static bool parse_bytes(json_t *value, struct vec_l1 *l1)
{
    const char *text = json_string_value(value);
    const size_t digits = json_string_length(value);
    if (!json_is_string(value) || digits % 2 != 0 || digits == 0 ||
        digits / 2 > tx_l1_size(TX_BLACKHOLE)) {
        return false;
    }
    uint32_t *values = calloc(digits / 2, sizeof *values);
    l1->bytes = malloc(digits / 2);
    l1->size = (uint32_t)(digits / 2);
    const bool good =
        values != NULL && l1->bytes != NULL && jx_parse_hex(text, digits, values, digits / 2, 2);
    for (size_t i = 0; good && i < l1->size; i++) {
        l1->bytes[i] = (uint8_t)values[i];
    }
    free(values);
    return good;
}

static int by_address(const void *a, const void *b)
{
    const struct vec_l1 *x = a;
    const struct vec_l1 *y = b;
    return x->address < y->address ? -1 : x->address > y->address;
}

bool vector_take_l1(const struct vector_take *t, json_t *value)
{
    struct vec_state *s = t->state;
    if (!json_is_object(value)) {
        return fail_false(t->err, "%s: l1 is not an object", t->what);
    }
    s->l1 = calloc(json_object_size(value) + 1, sizeof *s->l1);
    if (s->l1 == NULL) {
        return fail_false(t->err, "out of memory");
    }
    const char *key;
    json_t *bytes;
    json_object_foreach(value, key, bytes)
    {
        struct vec_l1 *l1 = &s->l1[s->l1_count++];
        if (!parse_address(key, &l1->address) || !parse_bytes(bytes, l1)) {
            return fail_false(t->err,
                              "%s: l1 '%.20s' is not a hexadecimal address with "
                              "hexadecimal bytes",
                              t->what, key);
        }
        if (l1->address > tx_l1_size(TX_BLACKHOLE) - l1->size) {
            return fail_false(t->err, "%s: l1 '%.20s' reaches beyond L1", t->what, key);
        }
    }
    qsort(s->l1, s->l1_count, sizeof *s->l1, by_address);
    for (size_t i = 1; i < s->l1_count; i++) {
        if (s->l1[i].address - s->l1[i - 1].address < s->l1[i - 1].size) {
            return fail_false(t->err, "%s: l1 names byte %x twice", t->what,
                              (unsigned)s->l1[i].address);
        }
    }
    return true;
}

/* A channel is eight numbers: X, Y, Z, W and their carriage-return copies. */
static bool take_channel(const struct vector_take *t, json_t *list, unsigned set, unsigned channel)
{
    if (json_array_size(list) != 8) {
        return fail_false(t->err, "%s: a channel of adc is not a list of eight numbers", t->what);
    }
    for (unsigned i = 0; i < 8; i++) {
        json_t *number = json_array_get(list, i);
        const json_int_t value = json_integer_value(number);
        if (!json_is_integer(number) || value < 0 || value > 0x3FFFF) {
            return fail_false(t->err, "%s: adc: a number is not within 18 bits", t->what);
        }
        t->state->adc[set][8 * channel + i] = (uint32_t)value;
    }
    t->state->adcs |= 1U << (2 * set + channel);
    return true;
}

/* Reads {"ch0": [...], "ch1": [...]}, or a list of the two. */
static bool take_unit(const struct vector_take *t, json_t *value, unsigned set)
{
    if (json_is_array(value) && json_array_size(value) == 2) {
        return take_channel(t, json_array_get(value, 0), set, 0) &&
               take_channel(t, json_array_get(value, 1), set, 1);
    }
    const char *key;
    json_t *list;
    json_object_foreach(value, key, list)
    {
        if (strcmp(key, "ch0") != 0 && strcmp(key, "ch1") != 0) {
            return fail_false(t->err, "%s: adc: '%.20s' is no channel", t->what, key);
        }
        if (!take_channel(t, list, set, key[2] == '1')) {
            return false;
        }
    }
    return json_is_object(value) ||
           fail_false(t->err, "%s: adc of a unit is not two channels", t->what);
}

bool vector_take_adc(const struct vector_take *t, json_t *value)
{
    static const char *const units[] = {"unp0", "unp1", "pack", "p"};
    const char *thread;
    const char *unit;
    json_t *sets;
    json_t *set;
    if (!json_is_object(value)) {
        return fail_false(t->err, "%s: adc is not an object", t->what);
    }
    json_object_foreach(value, thread, sets)
    {
        if (thread[0] < '0' || thread[0] > '2' || thread[1] != '\0' || !json_is_object(sets)) {
            return fail_false(t->err, "%s: adc: '%.20s' is no thread", t->what, thread);
        }
        json_object_foreach(sets, unit, set)
        {
            unsigned i = 0;
            while (i < 4 && strcmp(unit, units[i]) != 0) {
                i++;
            }
            if (i == 4) {
                return fail_false(t->err, "%s: adc: '%.20s' is none of unp0, unp1, pack", t->what,
                                  unit);
            }
            const unsigned index = (i < 2 ? i : 2) + 3 * (unsigned)(thread[0] - '0');
            if (!take_unit(t, set, index)) {
                return false;
            }
        }
    }
    return true;
}

bool vector_take_src_fill(const struct vector_take *t, json_t *value)
{
    static const char *const names[2] = {"a", "b"};
    for (unsigned src = 0; src < 2; src++) {
        json_t *cell = json_object_get(value, names[src]);
        if (json_object_size(value) != 2 || !json_is_string(cell) ||
            !jx_parse_hex(json_string_value(cell), json_string_length(cell),
                          &t->state->src_fill[src], 1, 5) ||
            t->state->src_fill[src] > 0x7FFFF) {
            return fail_false(t->err, "%s: src_fill is not two cells of 19 bits, a and b", t->what);
        }
    }
    return true;
}

/* Reads {"valid": {"a": [b0, b1], "b": ...}, "unpack": [A, B], "matrix": [A, B]}. */
bool vector_take_src_state(const struct vector_take *t, json_t *value)
{
    static const char *const names[2] = {"matrix", "unpack"};
    struct vec_state *s = t->state;
    bool good = json_object_size(value) == 3;
    for (unsigned src = 0; src < 2 && good; src++) {
        json_t *valid = json_object_get(json_object_get(value, "valid"), src == 0 ? "a" : "b");
        for (unsigned i = 0; i < 2; i++) {
            json_t *pointer = json_array_get(json_object_get(value, names[i]), src);
            json_t *owner = json_array_get(valid, i);
            good = good && json_is_integer(pointer) && json_is_integer(owner) &&
                   (json_integer_value(pointer) | 1) == 1 && (json_integer_value(owner) | 1) == 1;
            s->src_bank[src][i] = (uint32_t)json_integer_value(pointer);
            s->src_valid[src][i] = (uint32_t)json_integer_value(owner);
        }
    }
    return good || fail_false(t->err,
                              "%s: src_state is not valid {a, b}, unpack and matrix, each two "
                              "of 0 and 1",
                              t->what);
}
