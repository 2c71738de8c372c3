/* SPDX-License-Identifier: Apache-2.0 */
/* The state columns of a data file: items like L4[0-7]={1,2} into an image. See README.md. */
#ifndef TESTS_INSN_LINE_H
#define TESTS_INSN_LINE_H

#include "insn/image.h"
#include "oracle_num.h"

#include <ctype.h>
#include <stdlib.h>

/* A set of elements of an image, in order. */
struct line_cells {
    uint16_t at[IMAGE_WORDS];
    uint8_t lane[IMAGE_WORDS];
    size_t count;
};

static inline bool line_number(const char **p, int base, uint32_t *value)
{
    char *end;
    const unsigned long long v = strtoull(*p, &end, base);
    if (end == *p || v > 0xFFFFFFFFu || !isxdigit((unsigned char)**p)) {
        return false;
    }
    *value = (uint32_t)v;
    *p = end;
    return true;
}

/* N or N-M, decimal. */
static inline bool line_range(const char **p, uint32_t limit, uint32_t *first, uint32_t *last)
{
    if (!line_number(p, 10, first)) {
        return false;
    }
    *last = *first;
    if (**p == '-') {
        (*p)++;
        if (!line_number(p, 10, last)) {
            return false;
        }
    }
    return *first <= *last && *last < limit;
}

static inline bool line_rwc(const char **p, uint32_t *index)
{
    static const char *const names[TX_RWC_COUNT] = {
        "DST]", "DST_CR]", "SRCA]", "SRCA_CR]", "SRCB]", "SRCB_CR]", "FID]", "SP]", "BIAS]"};
    for (uint32_t i = 0; i < TX_RWC_COUNT; i++) {
        if (strncmp(*p, names[i], strlen(names[i])) == 0) {
            *index = i;
            *p += strlen(names[i]) - 1;
            return true;
        }
    }
    return false;
}

/* The inside of [...]: marks the selected values. */
static inline bool line_select(const char **p, const struct image_file *file, bool chosen[32])
{
    memset(chosen, 0, 32 * sizeof chosen[0]);
    for (;;) {
        uint32_t first;
        uint32_t last;
        if (strncmp(*p, "even", 4) == 0 || strncmp(*p, "odd", 3) == 0) {
            const unsigned odd = **p == 'o';
            for (unsigned i = odd; i < file->values; i += 2) {
                chosen[i] = true;
            }
            *p += odd ? 3 : 4;
        } else if (file->file == TX_FILE_RWC && line_rwc(p, &first)) {
            chosen[first] = true;
        } else if (line_range(p, file->values, &first, &last)) {
            for (uint32_t i = first; i <= last; i++) {
                chosen[i] = true;
            }
        } else {
            return false;
        }
        if (**p == ']') {
            (*p)++;
            return true;
        }
        if (*(*p)++ != ',') {
            return false;
        }
    }
}

/* NAME, NAMErow, NAMErow-row, each with or without [values]. */
static inline bool line_cells(const char **p, struct line_cells *cells)
{
    for (unsigned f = 0; f < IMAGE_FILES; f++) {
        const struct image_file *file = &image_files[f];
        const char *q = *p + strlen(file->name);
        if (strncmp(*p, file->name, strlen(file->name)) != 0 || isalpha((unsigned char)*q)) {
            continue;
        }
        uint32_t first = 0;
        uint32_t last = 0;
        bool chosen[32];
        memset(chosen, 1, sizeof chosen);
        if (file->rows > 1 && !line_range(&q, file->rows, &first, &last)) {
            return false;
        }
        if (*q == '[') {
            q++;
            if (!line_select(&q, file, chosen)) {
                return false;
            }
        }
        cells->count = 0;
        for (uint32_t row = first; row <= last; row++) {
            for (unsigned i = 0; i < file->values; i++) {
                if (chosen[i]) {
                    cells->at[cells->count] =
                        (uint16_t)(image_base(f) + (size_t)row * file->values + i);
                    cells->lane[cells->count++] = (uint8_t)i;
                }
            }
        }
        *p = q;
        return true;
    }
    return false;
}

/* {a,b,...}: repeated over the cells. */
static inline bool line_list(const char **p, const struct line_cells *to, struct image *image)
{
    uint32_t list[64];
    size_t count = 0;
    do {
        (*p)++;
        if (count == 64 || !line_number(p, 16, &list[count++])) {
            return false;
        }
    } while (**p == ',');
    for (size_t i = 0; i < to->count; i++) {
        image->v[to->at[i]] = list[i % count];
    }
    return *(*p)++ == '}';
}

/* $CELLS, with :lo or :hi for a 16-bit half; repeated over the cells. */
static inline bool line_copy(const char **p, const struct line_cells *to, struct image *image,
                             const struct image *before)
{
    static struct line_cells from;
    (*p)++;
    if (!line_cells(p, &from)) {
        return false;
    }
    unsigned shift = 0;
    uint32_t mask = 0xFFFFFFFFu;
    if (**p == ':') {
        shift = strncmp(*p, ":hi", 3) == 0 ? 16 : 0;
        mask = 0xFFFFu;
        *p += 3;
    }
    for (size_t i = 0; i < to->count; i++) {
        image->v[to->at[i]] = before->v[from.at[i % from.count]] >> shift & mask;
    }
    return true;
}

/* One item of a state column. before: where $ and step look. */
static inline bool line_assign(const char *item, struct image *image, const struct image *before)
{
    static struct line_cells to;
    const char *p = item;
    uint32_t value = 0;
    if (!line_cells(&p, &to) || *p++ != '=') {
        return false;
    }
    if (*p == '{') {
        return line_list(&p, &to, image) && *p == '\0';
    }
    if (*p == '$') {
        return line_copy(&p, &to, image, before) && *p == '\0';
    }
    if (strcmp(p, "step") == 0) {
        for (size_t i = 0; i < to.count; i++) {
            image->v[to.at[i]] = orc_prng_step(before->v[to.at[i]]);
        }
        return true;
    }
    if (strncmp(p, "seed:", 5) == 0) {
        uint32_t lanes[32];
        p += 5;
        if (!line_number(&p, 16, &value) || *p != '\0') {
            return false;
        }
        orc_prng_seed(value, lanes);
        for (size_t i = 0; i < to.count; i++) {
            image->v[to.at[i]] = lanes[to.lane[i]];
        }
        return true;
    }
    const bool counted = *p == '#';
    p += counted;
    if (!line_number(&p, 16, &value) || *p != '\0') {
        return false;
    }
    for (size_t i = 0; i < to.count; i++) {
        image->v[to.at[i]] = value + (counted ? to.lane[i] : 0u);
    }
    return true;
}

#endif
