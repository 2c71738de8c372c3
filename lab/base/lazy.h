/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Libraries that few commands need are opened when one of them does: to load them at the start,
 * with all that they depend on, takes longer than most commands run. CMake finds the names.
 */
#ifndef LAB_LAZY_H
#define LAB_LAZY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Functions of these names into the table, which holds as many pointers to functions and nothing
 * else. What is filled stays, and is the same for the whole process. Threads call it each time,
 * before they use the table. False: *message says why.
 */
bool lazy_open(const char *library, const char *const *names, size_t count, void *table,
               char *message, size_t size);

#endif
