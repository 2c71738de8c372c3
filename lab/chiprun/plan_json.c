/* SPDX-License-Identifier: Apache-2.0 */
/* Reads members of a program's file; an error names file and member. */
#include "chiprun/plan.h"

#include <stdarg.h>
#include <string.h>

int plan_wrong(const struct plan_at *at, const char *format, ...)
{
    const struct txl_where where = {.file = at->file};
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return txl_fail_at(at->err, at->file != NULL ? &where : NULL, "%s%s%s", at->path,
                       at->path[0] != '\0' ? ": " : "", text);
}

struct plan_at plan_member(const struct plan_at *at, const char *key)
{
    struct plan_at out = {.err = at->err, .file = at->file};
    snprintf(out.path, sizeof out.path, "%.100s%s%.50s", at->path, at->path[0] != '\0' ? "." : "",
             key);
    return out;
}

struct plan_at plan_element(const struct plan_at *at, size_t index)
{
    struct plan_at out = {.err = at->err, .file = at->file};
    snprintf(out.path, sizeof out.path, "%.140s[%u]", at->path, (unsigned)index);
    return out;
}

int plan_known(const struct plan_at *at, const json_t *object, const char *const *names)
{
    const char *key;
    json_t *value;
    size_t count = 0;
    while (names[count] != NULL) {
        count++;
    }
    if (!json_is_object(object)) {
        return plan_wrong(at, "is no object");
    }
    json_object_foreach((json_t *)object, key, value)
    {
        bool found = false;
        for (size_t i = 0; i < count; i++) {
            found = found || strcmp(names[i], key) == 0;
        }
        if (!found) {
            const char *near = txl_nearest(key, names, count);
            return plan_wrong(at, "there is no member '%.40s'%s%s%s", key,
                              near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                              near != NULL ? "'?" : "");
        }
    }
    return TXL_CONTINUE;
}

int plan_number(const struct plan_at *at, const json_t *object, const char *key, uint64_t low,
                uint64_t high, uint64_t *value)
{
    const json_t *member = json_object_get(object, key);
    const struct plan_at here = plan_member(at, key);
    if (member == NULL) {
        return TXL_CONTINUE;
    }
    const json_int_t number = json_integer_value(member);
    if (!json_is_integer(member) || number < 0 || (uint64_t)number < low ||
        (uint64_t)number > high) {
        return plan_wrong(&here, "is no whole number from %llu to %llu", (unsigned long long)low,
                          (unsigned long long)high);
    }
    *value = (uint64_t)number;
    return TXL_CONTINUE;
}

int plan_text(const struct plan_at *at, const json_t *object, const char *key, char *text,
              size_t size)
{
    const json_t *member = json_object_get(object, key);
    const struct plan_at here = plan_member(at, key);
    if (member == NULL) {
        return TXL_CONTINUE;
    }
    const char *chars = json_string_value(member);
    if (chars == NULL || strlen(chars) != json_string_length(member) || chars[0] == '\0' ||
        strlen(chars) >= size || txl_has_controls(chars)) {
        return plan_wrong(&here, "is no text of 1 to %zu characters", size - 1);
    }
    strcpy(text, chars);
    return TXL_CONTINUE;
}

int plan_format(const struct plan_at *at, const json_t *object, const char *key,
                enum tx_format *format, bool *given)
{
    char text[32] = "";
    const struct plan_at here = plan_member(at, key);
    const int result = plan_text(at, object, key, text, sizeof text);
    if (result == TXL_CONTINUE && text[0] != '\0') {
        *given = true;
        if (tx_format_parse(text, format) != TX_OK) {
            return plan_wrong(&here, "'%s' is no format, or an ambiguous name of one", text);
        }
    }
    return result;
}

/* One range: "2,1", or "0,0-3,3". */
static int one_range(const struct plan_at *at, const char *text, const txl_chip *chip,
                     bool on[CHIPRUN_TILES])
{
    unsigned x0;
    unsigned y0;
    unsigned x1;
    unsigned y1;
    int end = 0;
    int got = 0;
    if (text != NULL && strlen(text) < 24) {
        got = sscanf(text, "%3u,%3u%n-%3u,%3u%n", &x0, &y0, &end, &x1, &y1, &end);
    }
    if ((got != 2 && got != 4) || text[end] != '\0') {
        return plan_wrong(at, "is no range of tiles such as \"0,0\" or \"0,0-3,3\"");
    }
    x1 = got == 2 ? x0 : x1;
    y1 = got == 2 ? y0 : y1;
    if (x1 < x0 || y1 < y0 || x1 >= chip->columns || y1 >= chip->rows) {
        return plan_wrong(at, "'%s' is no range of tiles of a grid of %u columns and %u rows", text,
                          chip->columns, chip->rows);
    }
    for (unsigned y = y0; y <= y1; y++) {
        for (unsigned x = x0; x <= x1; x++) {
            on[y * chip->columns + x] = true;
        }
    }
    return TXL_CONTINUE;
}

int plan_tiles(const struct plan_at *at, const json_t *value, const txl_chip *chip,
               bool on[CHIPRUN_TILES])
{
    int result = TXL_CONTINUE;
    if (value == NULL) {
        memset(on, true, chip->columns * chip->rows);
        return TXL_CONTINUE;
    }
    if (!json_is_array(value)) {
        return one_range(at, json_string_value(value), chip, on);
    }
    if (json_array_size(value) == 0) {
        return plan_wrong(at, "is an empty list");
    }
    for (size_t i = 0; i < json_array_size(value) && result == TXL_CONTINUE; i++) {
        const struct plan_at here = plan_element(at, i);
        result = one_range(&here, json_string_value(json_array_get(value, i)), chip, on);
    }
    return result;
}
