/* SPDX-License-Identifier: Apache-2.0 */
/* Drops words of a program as long as what is sought stays. */
#ifndef TESTS_COSIM_SHRINK_H
#define TESTS_COSIM_SHRINK_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { SHRINK_MOST = 512 };

/*
 * Halves, quarters ... and at last single words are left out, from the end on, until none can be.
 * Returns how many are left. shows: tells whether these words still show it.
 */
static inline unsigned shrink(uint32_t *words, unsigned count,
                              bool (*shows)(void *user, const uint32_t *words, unsigned count),
                              void *user)
{
    uint32_t trial[SHRINK_MOST];
    unsigned size = count > 1 ? count / 2 : 1;
    bool again;
    do {
        again = false;
        for (unsigned end = count; end >= size && end > 0; end -= end > size ? size : end) {
            const unsigned from = end - size;
            memcpy(trial, words, from * sizeof *words);
            memcpy(trial + from, words + end, (count - end) * sizeof *words);
            if (shows(user, trial, count - size)) {
                count -= size;
                memcpy(words, trial, count * sizeof *words);
                again = true;
            }
        }
        again = again || size > 1;
        size = size > 1 ? size / 2 : 1;
    } while (again);
    return count;
}

#endif
