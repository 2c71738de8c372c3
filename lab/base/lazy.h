/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads libraries that only few commands need at their first use: loading them with all their
 * dependencies at start-up takes longer than most commands run. CMake finds their file names.
 */
#ifndef LAB_LAZY_H
#define LAB_LAZY_H

#include "base/error.h"

/*
 * Fills table, which must consist of count function pointers, with the functions of these names. A
 * filled table stays filled for the whole process, and further calls are cheap: threads call this
 * each time before they use the table. False: err says why.
 */
bool lazy_open(const char *library, const char *const *names, size_t count, void *table,
               struct txl_error *err);

#endif
