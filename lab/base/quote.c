/* SPDX-License-Identifier: Apache-2.0 */
#include "base/quote.h"

#include <string.h>

#include <tensix-lab/base.h>

static bool is_control(unsigned char c)
{
    return c < 0x20 || c == 0x7f;
}

/* The length of a character that a terminal obeys, or 0: C1 is C2 80 .. C2 9F in UTF-8. */
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
        fputc('\'', stream); /* spreadsheets take what follows as text */
    }
    one_line(stream, text, "\"");
    if (quoted) {
        fputc('"', stream);
    }
}
