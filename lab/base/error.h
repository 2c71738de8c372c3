/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room "base": what every other room stands on: errors as values, JSON, progress, output files that
 * exist only when they are whole, quoting, libraries that are loaded when they are needed. It may
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

/* Only inside the libraries and the command: a step is done, the work goes on. */
enum { TXL_CONTINUE = -1 };

#endif
