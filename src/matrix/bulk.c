/* SPDX-License-Identifier: Apache-2.0 */
/* The levels of matrix/bulk.h that this CPU can execute. */
#include "matrix/bulk.h"

#include "base/check.h"

#include <stddef.h>
#include <string.h>

const struct matrix_level *matrix_level(unsigned index)
{
    const struct matrix_level *levels[4] = {NULL, NULL, NULL, NULL};
    unsigned count = 0;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512cd")) {
        levels[count++] = &matrix_avx512;
    }
    if (__builtin_cpu_supports("avx2")) {
        levels[count++] = &matrix_avx2;
    }
#endif
    levels[count++] = &matrix_scalar;
    return levels[index < count ? index : 3];
}

#if defined(TX_CHECK)
/* Each other level computes the same block from the same rows, into rows of its own. */
void bulk_compute(const struct matrix_level *level, const struct bulk *b)
{
    uint16_t now[BULK_ROWS][2][16], old[BULK_ROWS][2][16];
    CHECK(b->rows != 0 && b->rows <= BULK_ROWS, "a block has one to eight rows");
    for (unsigned i = 0; i < b->rows; i++) {
        for (unsigned half = 0; half < 2; half++) {
            if (b->old[i][half] != NULL) {
                memcpy(old[i][half], b->old[i][half], sizeof old[i][half]);
            }
        }
    }
    level->block(b);
    for (unsigned other = 0; matrix_level(other) != NULL; other++) {
        struct bulk copy = *b;
        copy.memo = NULL;
        for (unsigned i = 0; i < b->rows; i++) {
            for (unsigned half = 0; half < 2; half++) {
                copy.old[i][half] = b->old[i][half] != NULL ? old[i][half] : NULL;
                copy.now[i][half] = b->now[i][half] != NULL ? now[i][half] : NULL;
            }
        }
        matrix_level(other)->block(&copy);
        for (unsigned i = 0; i < b->rows; i++) {
            CHECK(memcmp(b->now[i][0], now[i][0], sizeof now[i][0]) == 0,
                  "every level of the CPU computes the same block");
            CHECK(b->now[i][1] == NULL || memcmp(b->now[i][1], now[i][1], sizeof now[i][1]) == 0,
                  "every level of the CPU computes the same low halves");
        }
    }
}

void bulk_moves(const struct matrix_level *level, const struct bulk_move *v, uint16_t *to)
{
    level->move(v, to);
    for (unsigned other = 0; matrix_level(other) != NULL; other++) {
        uint16_t row[16];
        matrix_level(other)->move(v, row);
        CHECK(memcmp(row, to, sizeof row) == 0, "every level of the CPU moves a row alike");
    }
}

#endif
