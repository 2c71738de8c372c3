/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NumPy's .npz: a zip archive of .npy files. Reading and writing is libzip's; a build without it
 * says so. Nothing here prints.
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

/* Where the archive is: a file, or size bytes. */
struct npz_from {
    const char *path;
    const void *bytes;
    size_t size;
};

/* Gets the array's bytes in order; false stops. */
struct npz_take {
    bool (*take)(void *user, const void *data, size_t size);
    void *user;
};

/*
 * One array out of the archive: member is its name without .npy, NULL where there is only one.
 * False: *message says why.
 */
bool npz_extract(const struct npz_from *from, const char *member, const struct npz_take *take,
                 char message[NPY_MESSAGE]);
/*
 * An archive of one array, stored without compression as numpy.savez does, the same bytes for the
 * same input. array: its .npy file of size bytes from the beginning. Closes array.
 */
bool npz_write(struct outfile *file, const char *member, FILE *array, uint64_t size,
               char message[NPY_MESSAGE]);
/* False, with the message, in a build without libzip. */
bool npz_able(char message[NPY_MESSAGE]);

#endif
