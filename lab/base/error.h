/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "base": what every other room builds on: errors as values, JSON, progress, output files that
 * appear only when they are whole, quoting, libraries that are loaded when they are needed. It may
 * use the public headers of libtensix and libc.
 */
#ifndef LAB_BASE_ERROR_H
#define LAB_BASE_ERROR_H

#define _GNU_SOURCE 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include <tensix-lab/base.h>
#include <tensix/tensix.h>

/* Used only inside the libraries and the command, where functions return "step done, continue". */
enum { TXL_CONTINUE = -1 };

/*
 * Fills in *err as txl_fail does and returns false, so that a function which answers whether it
 * could can end with it.
 */
bool fail_false(struct txl_error *err, const char *format, ...) TXL_PRINTF(2, 3);
/* Tells the error, which is of this file, where it is from. Returns its status. */
int fail_in(struct txl_error *err, const char *path);

#endif
