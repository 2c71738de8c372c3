/* SPDX-License-Identifier: Apache-2.0 */
#include <tensix/facts.h>

#include "kernel/words.h"

#include <string.h>

static const char *past(const char *p, const char *end, const char *blanks)
{
    while (p < end && *p != '\0' && strchr(blanks, *p) != NULL) {
        p++;
    }
    return p;
}

bool words_only(const char *text, size_t length)
{
    const char *const end = text + length;
    size_t words = 0;
    for (const char *p = text; p < end;) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        stop = stop != NULL ? stop : end;
        const char *const word = past(p, stop, " \t");
        p = past(word, stop, "0123456789abcdefABCDEF");
        if (p != word && p - word != 8) {
            return false;
        }
        words += p != word;
        p = past(p, stop, " \t\r");
        if (p < stop && *p != '#' && !(stop - p >= 2 && p[0] == '/' && p[1] == '/')) {
            return false;
        }
        p = stop + 1;
    }
    return words > 0;
}

int words_head(struct txl_error *err, const struct txl_where *at, const char *text, size_t length,
               enum tx_arch *arch, bool *rotated)
{
    for (enum tx_arch k = TX_ARCH_FIRST; k <= TX_ARCH_LAST; k++) {
        for (unsigned turned = 0; turned < 2; turned++) {
            char head[80];
            const int size = snprintf(head, sizeof head, "# %s%s", tx_arch_name(k),
                                      turned != 0 ? ", rotated (.ttinsn)" : "");
            if ((size_t)size > length || memcmp(text, head, (size_t)size) != 0) {
                continue;
            }
            const char *rest = past(text + size, text + length, "\r");
            if (rest < text + length && *rest != '\n' && *rest != '\0') {
                continue;
            }
            if (*arch != TX_ARCH_NONE && *arch != k) {
                return txl_fail_at(err, at, "the words are of %s, --arch is %s", tx_arch_name(k),
                                   tx_arch_name(*arch));
            }
            if (*rotated && turned == 0) {
                return txl_fail_at(err, at, "the words are not rotated, as --ttinsn says");
            }
            *arch = k;
            *rotated = turned != 0;
        }
    }
    return TXL_CONTINUE;
}
