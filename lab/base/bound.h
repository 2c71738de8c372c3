/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A number of cycles with the reasons why it is only a lower bound (tx_bounds): every report words
 * them by these functions.
 */
#ifndef LAB_BASE_BOUND_H
#define LAB_BASE_BOUND_H

#include <tensix-lab/json.h>
#include <tensix/machine.h>

#include <stdio.h>

#include "base/json_put.h"

/* Returns "at least ", or "" for a number that is exact. */
static inline const char *bound_prefix(uint32_t bounds)
{
    return bounds != 0 ? "at least " : "";
}

/* Prints the reasons as a line of a report; nothing for a number that is exact. */
void bound_print(FILE *out, uint32_t bounds);
/* Sets at_least, and the list of reasons as at_least_because. */
void bound_json(txl_json *root, uint32_t bounds);
/* Writes the list of reasons. */
void bound_put(struct json_put *j, const char *key, uint32_t bounds);

#endif
