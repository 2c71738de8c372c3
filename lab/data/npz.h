/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NumPy's .npz: a zip archive of .npy files. libzip reads and writes it; a build without libzip
 * reports that. Nothing here prints.
 */
#ifndef LAB_NPZ_H
#define LAB_NPZ_H

#define _GNU_SOURCE 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "data/npy.h"
#include "base/outfile.h"

/* Where the archive is: in a file, or in memory. */
struct npz_from {
    const char *path;
    const void *bytes;
    size_t size;
};

/* Receives the bytes of the array in order; take returns false to stop. */
struct npz_take {
    bool (*take)(void *user, const void *data, size_t size);
    void *user;
};

/*
 * Reads one array out of the archive. member: its name without .npy; NULL: the only one. False:
 * err says why.
 */
bool npz_extract(const struct npz_from *from, const char *member, const struct npz_take *take,
                 struct txl_error *err);
/*
 * Writes an archive of one array, stored without compression as numpy.savez does; the same input
 * gives the same bytes. array: its .npy file, of size bytes from the beginning; it is closed.
 */
bool npz_write(struct outfile *file, const char *member, FILE *array, uint64_t size,
               struct txl_error *err);
/* Returns whether libzip is available. False: err says why. */
bool npz_able(struct txl_error *err);

#endif
