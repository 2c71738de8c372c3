/* SPDX-License-Identifier: Apache-2.0 */
/* Small questions about texts that people write. */
#ifndef LAB_BASE_TEXT_H
#define LAB_BASE_TEXT_H

#include "base/error.h"

/* Whole number with 0x, decimal or sign; false where it is none or outside low..high. */
bool txl_number(const char *text, int64_t low, int64_t high, int64_t *value);
/* The nearest of count names, or NULL where none is near. */
const char *txl_nearest(const char *word, const char *const *names, size_t count);
/* What stands behind the last slash. */
const char *txl_basename(const char *path);

#endif
