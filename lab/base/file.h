/* SPDX-License-Identifier: Apache-2.0 */
/* Whole files. */
#ifndef LAB_BASE_FILE_H
#define LAB_BASE_FILE_H

#include "base/error.h"

/* Whole file ("-": stdin) in memory with a zero behind it. NULL: err says why. */
char *txl_read_file(struct txl_error *err, const char *path, size_t *length);
/* Whole or not at all. TXL_OK, or TXL_INPUT. */
int txl_write_file(struct txl_error *err, const char *path, const void *data, size_t size);

#endif
