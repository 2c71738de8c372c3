/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON values that remember when memory ran out. (jansson, with which we parse JSON, silently drops
 * a member for which there is no memory.)
 */
#include <tensix-lab/json.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum kind { KIND_PLAIN, KIND_TEXT, KIND_ARRAY, KIND_OBJECT };

struct txl_json {
    enum kind kind;
    bool failed;   /* something that belongs here is missing */
    char *key;     /* for members of an object */
    uint32_t hash; /* of the key: others are passed by without a look at them */
    char *text;    /* PLAIN: as written; TEXT: UTF-8 */
    txl_json *first, *last, *next;
    size_t count;
};

static txl_json *make(enum kind kind, const char *text)
{
    txl_json *value = calloc(1, sizeof *value);
    if (value != NULL) {
        value->kind = kind;
        value->text = text != NULL ? strdup(text) : NULL;
    }
    if (value != NULL && text != NULL && value->text == NULL) {
        free(value);
        return NULL;
    }
    return value;
}

txl_json *txl_json_object(void)
{
    return make(KIND_OBJECT, NULL);
}

txl_json *txl_json_array(void)
{
    return make(KIND_ARRAY, NULL);
}

txl_json *txl_json_null(void)
{
    return make(KIND_PLAIN, "null");
}

txl_json *txl_json_bool(bool value)
{
    return make(KIND_PLAIN, value ? "true" : "false");
}

txl_json *txl_json_int(int64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)value);
    return make(KIND_PLAIN, text);
}

/*
 * Writes a decimal point or an exponent, so that readers take it for a real number; 1e20, not
 * 1e+20.
 */
txl_json *txl_json_real(double value)
{
    if (!isfinite(value)) {
        return txl_json_null();
    }
    char text[48];
    snprintf(text, sizeof text - 2, "%.17g", value);
    char *comma = strchr(text, ','); /* some locales use a comma */
    if (comma != NULL) {
        *comma = '.';
    }
    char *exponent = strchr(text, 'e');
    if (exponent == NULL && strchr(text, '.') == NULL) {
        strcat(text, ".0");
    } else if (exponent != NULL) {
        char *to = exponent + 1;
        const char *from = to + (*to == '+' || *to == '-' ? 1 : 0);
        to += *to == '-' ? 1 : 0;
        from += strspn(from, "0");
        memmove(to, from, strlen(from) + 1);
    }
    return make(KIND_PLAIN, text);
}

/*
 * Returns the length of the UTF-8 character that begins here and its code point; 0 where none
 * begins.
 */
static size_t character(const unsigned char *s, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t length = s[0] < 0x80 ? 1 : s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    *code = length == 1 ? s[0] : s[0] & (0x7fu >> length);
    if (length != 1 && (s[0] < 0xc0 || s[0] >= 0xf8)) {
        return 0;
    }
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xc0u) != 0x80) {
            return 0;
        }
        *code = *code << 6 | (s[i] & 0x3fu);
    }
    const bool surrogate = *code >= 0xd800 && *code < 0xe000;
    return *code >= least[length] && *code < 0x110000 && !surrogate ? length : 0;
}

txl_json *txl_json_string(const char *text)
{
    if (text == NULL) {
        return txl_json_null();
    }
    txl_json *value = make(KIND_TEXT, text);
    bool good = true;
    uint32_t code = 0;
    for (const unsigned char *s = (const unsigned char *)text; *s != '\0' && good;) {
        const size_t length = character(s, &code);
        good = length != 0;
        s += length;
    }
    for (char *s = value != NULL && !good ? value->text : NULL; s != NULL && *s != '\0'; s++) {
        *s = (unsigned char)*s >= 0x80 ? '?' : *s;
    }
    return value;
}

txl_json *txl_json_hex(const uint32_t *values, size_t count, unsigned digits)
{
    char *text = malloc(count * digits + 1);
    if (text == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        for (unsigned d = 0; d < digits; d++) {
            const unsigned shift = 4U * (digits - 1U - d);
            text[i * digits + d] = "0123456789abcdef"[(values[i] >> shift) & 15U];
        }
    }
    text[count * digits] = '\0';
    txl_json *value = make(KIND_TEXT, NULL);
    if (value == NULL) {
        free(text);
        return NULL;
    }
    value->text = text;
    return value;
}

void txl_json_free(txl_json *value)
{
    if (value == NULL) {
        return;
    }
    for (txl_json *one = value->first, *next; one != NULL; one = next) {
        next = one->next;
        txl_json_free(one);
    }
    free(value->key);
    free(value->text);
    free(value);
}

static void attach(txl_json *to, txl_json *value)
{
    *(to->first == NULL ? &to->first : &to->last->next) = value;
    to->last = value;
    to->count++;
}

static uint32_t hash_of(const char *key)
{
    uint32_t hash = 2166136261u;
    for (; *key != '\0'; key++) {
        hash = (hash ^ (unsigned char)*key) * 16777619u;
    }
    return hash;
}

static txl_json **value_find(txl_json *object, const char *key)
{
    const uint32_t hash = hash_of(key);
    txl_json **at = &object->first;
    while (*at != NULL && ((*at)->hash != hash || strcmp((*at)->key, key) != 0)) {
        at = &(*at)->next;
    }
    return at;
}

/* Puts a new value in the place of an old one. */
static void replace(txl_json *object, txl_json **at, txl_json *value)
{
    txl_json *old = *at;
    value->next = old->next;
    *at = value;
    object->last = object->last == old ? value : object->last;
    txl_json_free(old);
}

void txl_json_set(txl_json *object, const char *key, txl_json *value)
{
    char *copy = object != NULL && value != NULL ? strdup(key) : NULL;
    if (copy == NULL) {
        if (object != NULL) {
            object->failed = true;
        }
        txl_json_free(value);
        return;
    }
    value->key = copy;
    value->hash = hash_of(key);
    txl_json **at = value_find(object, key);
    if (*at != NULL) {
        replace(object, at, value);
    } else {
        attach(object, value);
    }
}

void txl_json_append(txl_json *array, txl_json *value)
{
    if (array != NULL && value != NULL) {
        attach(array, value);
        return;
    }
    if (array != NULL) {
        array->failed = true;
    }
    txl_json_free(value);
}

void txl_json_merge(txl_json *object, txl_json *from)
{
    if (object == NULL || from == NULL) {
        if (object != NULL) {
            object->failed = true;
        }
        txl_json_free(from);
        return;
    }
    object->failed |= from->failed;
    for (txl_json *one = from->first, *next; one != NULL; one = next) {
        next = one->next;
        one->next = NULL;
        txl_json **at = value_find(object, one->key);
        if (*at != NULL) {
            replace(object, at, one);
        } else {
            attach(object, one);
        }
    }
    from->first = NULL;
    txl_json_free(from);
}

void txl_json_set_text(txl_json *object, const char *key, const char *text)
{
    txl_json_set(object, key, txl_json_string(text));
}

void txl_json_set_int(txl_json *object, const char *key, uint64_t value)
{
    txl_json_set(object, key, txl_json_int((int64_t)value));
}

void txl_json_set_real(txl_json *object, const char *key, double value)
{
    txl_json_set(object, key, txl_json_real(value));
}

void txl_json_set_bool(txl_json *object, const char *key, bool value)
{
    txl_json_set(object, key, txl_json_bool(value));
}

void txl_json_set_word(txl_json *object, const char *key, uint32_t value)
{
    char text[16];
    snprintf(text, sizeof text, "0x%08x", value);
    txl_json_set_text(object, key, text);
}

size_t txl_json_count(const txl_json *value)
{
    return value != NULL ? value->count : 0;
}

const txl_json *txl_json_at(const txl_json *value, size_t index, const char **key)
{
    const txl_json *one = value != NULL ? value->first : NULL;
    for (; one != NULL && index != 0; index--) {
        one = one->next;
    }
    if (one != NULL && key != NULL) {
        *key = one->key;
    }
    return one;
}

const char *txl_json_chars(const txl_json *value)
{
    return value != NULL && value->kind == KIND_TEXT ? value->text : NULL;
}

static void write_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (const unsigned char *s = (const unsigned char *)text; *s != '\0';) {
        uint32_t code = 0;
        const size_t length = character(s, &code);
        static const char plain[] = "\"\\\b\f\n\r\t";
        static const char letter[] = "\"\\bfnrt";
        const char *escape = code < 0x80 ? strchr(plain, (int)code) : NULL;
        if (escape != NULL) {
            fprintf(out, "\\%c", letter[escape - plain]);
        } else if (code >= 0x20 && code < 0x80) {
            fputc((int)code, out);
        } else if (code < 0x10000) {
            fprintf(out, "\\u%04X", code);
        } else {
            fprintf(out, "\\u%04X\\u%04X", 0xd7c0 + (code >> 10), 0xdc00 + (code & 0x3ff));
        }
        s += length != 0 ? length : 1;
    }
    fputc('"', out);
}

static void line_end(FILE *out, int depth)
{
    if (depth >= 0) {
        fprintf(out, "\n%*s", 2 * depth, "");
    }
}

/* depth -1: everything on one line. */
static void write_value(FILE *out, const txl_json *value, int depth)
{
    if (value->kind == KIND_PLAIN) {
        fputs(value->text, out);
        return;
    }
    if (value->kind == KIND_TEXT) {
        write_text(out, value->text);
        return;
    }
    const bool object = value->kind == KIND_OBJECT;
    const int inner = depth >= 0 ? depth + 1 : -1;
    fputc(object ? '{' : '[', out);
    for (const txl_json *one = value->first; one != NULL; one = one->next) {
        line_end(out, inner);
        if (object) {
            write_text(out, one->key);
            fputs(depth >= 0 ? ": " : ":", out);
        }
        write_value(out, one, inner);
        if (one->next != NULL) {
            fputc(',', out);
        }
    }
    if (value->first != NULL) {
        line_end(out, depth);
    }
    fputc(object ? '}' : ']', out);
}

static bool is_whole(const txl_json *value)
{
    bool whole = value != NULL && !value->failed;
    for (const txl_json *one = whole ? value->first : NULL; one != NULL && whole; one = one->next) {
        whole = is_whole(one);
    }
    return whole;
}

static char *whole_text(const txl_json *value, int depth)
{
    struct memory_text text;
    if (!is_whole(value) || memory_text_open(NULL, &text) != TXL_CONTINUE) {
        return NULL;
    }
    write_value(text.stream, value, depth);
    return memory_text_close(NULL, &text) == TXL_CONTINUE ? text.text : NULL;
}

char *txl_json_line(const txl_json *value)
{
    return whole_text(value, -1);
}

char *txl_json_indented(const txl_json *value)
{
    return whole_text(value, 0);
}
