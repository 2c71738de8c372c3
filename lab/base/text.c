/* SPDX-License-Identifier: Apache-2.0 */
/* Small helpers for text: the last part of a path, the nearest of several names, numbers. */
#include <tensix-lab/base.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *txl_basename(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static size_t least3(size_t a, size_t b, size_t c)
{
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

/*
 * Returns the number of edits between two words of up to 47 letters; swapping two neighbouring
 * letters counts as one.
 */
static size_t distance(const char *a, const char *b)
{
    enum { MOST = 48 };
    size_t la = strlen(a);
    size_t lb = strlen(b);
    if (la >= MOST || lb >= MOST) {
        return MOST;
    }
    size_t rows[3][MOST];
    for (size_t j = 0; j <= lb; j++) {
        rows[0][j] = j;
    }
    for (size_t i = 1; i <= la; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i - 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= lb; j++) {
            size_t change = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = least3(above[j] + 1, row[j - 1] + 1, change);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                size_t swapped = rows[(i - 2) % 3][j - 2] + 1;
                row[j] = swapped < row[j] ? swapped : row[j];
            }
        }
    }
    return rows[la % 3][lb];
}

const char *txl_nearest(const char *word, const char *const *names, size_t count)
{
    const char *best = NULL;
    size_t least = 1 + strlen(word) / 3;
    for (size_t i = 0; i < count; i++) {
        size_t d = distance(word, names[i]);
        if (d <= least && (best == NULL || d < least)) {
            best = names[i];
            least = d;
        }
    }
    return best;
}

bool txl_number(const char *text, int64_t low, int64_t high, int64_t *value)
{
    if (text[0] == '\0' || strchr(" \t\n\v\f\r", text[0]) != NULL) {
        return false;
    }
    char *end = NULL;
    errno = 0;
    long long number = strtoll(text, &end, 0);
    if (errno != 0 || *end != '\0' || number < low || number > high) {
        return false;
    }
    *value = number;
    return true;
}
