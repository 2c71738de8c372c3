/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

json_t *jx_text(const char *text)
{
    if (text == NULL) {
        return json_null();
    }
    json_t *value = json_string(text);
    if (value != NULL) {
        return value;
    }
    char *copy = strdup(text);
    if (copy == NULL) {
        return json_null();
    }
    for (char *p = copy; *p != '\0'; p++) {
        if ((unsigned char)*p >= 0x80) {
            *p = '?';
        }
    }
    value = json_string(copy);
    free(copy);
    return value != NULL ? value : json_null();
}

void jx_set_text(json_t *object, const char *key, const char *text)
{
    json_object_set_new(object, key, jx_text(text));
}

void jx_set_int(json_t *object, const char *key, uint64_t value)
{
    json_object_set_new(object, key, json_integer((json_int_t)value));
}

void jx_set_real(json_t *object, const char *key, double value)
{
    json_object_set_new(object, key, isfinite(value) ? json_real(value) : json_null());
}

void jx_set_bool(json_t *object, const char *key, bool value)
{
    json_object_set_new(object, key, json_boolean(value));
}

void jx_set_hex(json_t *object, const char *key, uint32_t value)
{
    char text[16];
    snprintf(text, sizeof text, "0x%08x", value);
    jx_set_text(object, key, text);
}

json_t *jx_hex_array(const uint32_t *values, size_t count, unsigned digits)
{
    char *text = malloc(count * digits + 1);
    if (text == NULL) {
        return json_null();
    }
    for (size_t i = 0; i < count; i++) {
        for (unsigned d = 0; d < digits; d++) {
            unsigned shift = 4U * (digits - 1U - d);
            text[i * digits + d] = "0123456789abcdef"[(values[i] >> shift) & 15U];
        }
    }
    text[count * digits] = '\0';
    json_t *value = json_string(text);
    free(text);
    return value;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    if (c >= 'A' && c <= 'F') {
        return c - 'A' + 10;
    }
    return -1;
}

bool jx_parse_hex(const char *text, size_t length, uint32_t *values, size_t count, unsigned digits)
{
    if (length != count * digits) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t value = 0;
        for (unsigned d = 0; d < digits; d++) {
            int digit = hex_digit(text[i * digits + d]);
            if (digit < 0) {
                return false;
            }
            value = value << 4 | (uint32_t)digit;
        }
        values[i] = value;
    }
    return true;
}

json_t *jx_archs(unsigned set)
{
    json_t *list = json_array();
    for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
        if ((set >> arch & 1U) != 0) {
            json_array_append_new(list, json_string(tx_arch_name(arch)));
        }
    }
    return list;
}

json_t *jx_finding(const struct tx_finding *finding, uint64_t count)
{
    json_t *object = json_object();
    jx_set_text(object, "category", tx_category_name(finding->category));
    jx_set_text(object, "rule", finding->rule);
    jx_set_text(object, "message", finding->message);
    jx_set_text(object, "arch", tx_arch_name(finding->arch));
    jx_set_int(object, "thread", finding->thread);
    jx_set_int(object, "cycle", finding->cycle);
    jx_set_int(object, "index", finding->index);
    jx_set_hex(object, "word", finding->word);
    char text[128];
    if (tx_disassemble(finding->arch, finding->word, TX_DIS_NORMAL, text, sizeof text) == TX_OK) {
        jx_set_text(object, "text", text);
    }
    jx_set_hex(object, "lanes", finding->lanes);
    jx_set_int(object, "count", count);
    return object;
}

/* Made before it is printed: where memory ends nothing has been said yet, see guard.h. */
static void print(FILE *stream, const json_t *root, size_t flags)
{
    char *text =
        json_dumps(root, flags | JSON_ENSURE_ASCII | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(17));
    fputs(text != NULL ? text : "", stream);
    fputc('\n', stream);
    free(text);
}

void jx_print(FILE *stream, const json_t *root)
{
    print(stream, root, JSON_INDENT(2));
}

void jx_print_line(FILE *stream, const json_t *root)
{
    print(stream, root, JSON_COMPACT);
}
