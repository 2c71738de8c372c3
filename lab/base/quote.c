/* SPDX-License-Identifier: Apache-2.0 */
/* Quotes names for the kinds of files that other programs read. */
#include "base/quote.h"

#include <string.h>

#include <tensix-lab/base.h>

static bool is_control(unsigned char c)
{
    return c < 0x20 || c == 0x7f;
}

/*
 * Returns the length of a control character at the start of text, or 0. UTF-8 encodes C1 as C2 80
 * .. C2 9F.
 */
static size_t control_at(const char *text)
{
    const unsigned char first = (unsigned char)text[0];
    if (first == 0xc2) {
        const unsigned char second = (unsigned char)text[1];
        return second >= 0x80 && second < 0xa0 ? 2 : 0;
    }
    return is_control(first) ? 1 : 0;
}

bool txl_has_controls(const char *text)
{
    for (; *text != '\0'; text++) {
        if (control_at(text) != 0) {
            return true;
        }
    }
    return false;
}

void txl_mask_controls(char *text)
{
    while (*text != '\0') {
        const size_t length = control_at(text);
        memset(text, '?', length);
        text += length != 0 ? length : 1;
    }
}

static void one_line(FILE *stream, const char *text, const char *doubled)
{
    for (; *text != '\0'; text++) {
        const size_t length = control_at(text);
        if (length != 0) {
            fputc('?', stream);
            text += length - 1;
            continue;
        }
        if (strchr(doubled, *text) != NULL) {
            fputc(*text, stream);
        }
        fputc(*text, stream);
    }
}

void quote_gnuplot(FILE *stream, const char *text)
{
    fputc('\'', stream);
    one_line(stream, text, "'");
    fputc('\'', stream);
}

void quote_comment(FILE *stream, const char *text)
{
    one_line(stream, text, "");
}

void quote_csv(FILE *stream, const char *text)
{
    const bool formula = text[0] != '\0' && strchr("=+-@", text[0]) != NULL;
    const bool quoted = txl_has_controls(text) || formula || strpbrk(text, ",;\"") != NULL;
    if (quoted) {
        fputc('"', stream);
    }
    if (formula) {
        fputc('\'', stream); /* makes spreadsheets take what follows as text */
    }
    one_line(stream, text, "\"");
    if (quoted) {
        fputc('"', stream);
    }
}

/* Returns the length of the UTF-8 character that begins here; 0 where none does. */
static size_t character(const unsigned char *c, size_t length)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t size = c[0] < 0xc0 ? 0 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : c[0] < 0xf8 ? 4 : 0;
    if (size == 0 || size > length) {
        return 0;
    }
    uint32_t point = c[0] & (0x7fU >> size);
    for (size_t i = 1; i < size; i++) {
        if ((c[i] & 0xc0) != 0x80) {
            return 0;
        }
        point = point << 6 | (c[i] & 0x3f);
    }
    const bool surrogate = point >= 0xd800 && point < 0xe000;
    return point < least[size] || point > 0x10ffff || surrogate ? 0 : size;
}

/* Whether a string of JSON may contain this character as it is, in a page, too. */
static bool is_plain(unsigned char c)
{
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&';
}

void quote_json(FILE *stream, const char *text, size_t length)
{
    const unsigned char *const c = (const unsigned char *)text;
    putc('"', stream);
    for (size_t i = 0; i < length; i++) {
        size_t plain = 0;
        while (i + plain < length && is_plain(c[i + plain])) {
            plain++;
        }
        if (plain != 0) {
            fwrite(text + i, 1, plain, stream);
            i += plain - 1;
        } else if (c[i] == '"' || c[i] == '\\') {
            fprintf(stream, "\\%c", c[i]);
        } else if (c[i] < 0x80) {
            fprintf(stream, "\\u%04x", c[i]);
        } else {
            const size_t size = character(&c[i], length - i);
            fwrite(size != 0 ? text + i : "?", 1, size != 0 ? size : 1, stream);
            i += size != 0 ? size - 1 : 0;
        }
    }
    putc('"', stream);
}
