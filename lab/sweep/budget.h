/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An accuracy budget in the form of tt-metal's sfpu_accuracy_budget.yaml: for each operation
 * entries with a key (in, out, approx, dest, arch; what is not there matches everything) and
 * max_ulp, in steps between values of the format, or metric: tolerance. The entry that names most
 * decides.
 */
#ifndef LAB_BUDGET_H
#define LAB_BUDGET_H

#include "base/error.h"

#include <tensix-lab/sweep.h>

enum { BUDGET_KEYS = 5, BUDGET_WORD = 24 };

extern const char *const budget_keys[BUDGET_KEYS];

struct budget_entry {
    char op[64];
    char key[BUDGET_KEYS][BUDGET_WORD]; /* "" matches everything */
    bool tolerance, floored;            /* floored: it has a near_zero_atol */
    uint64_t max_ulp, nonfinite;
    unsigned line;
};

struct budget {
    char *path; /* its own copy */
    struct budget_entry *entries;
    size_t count;
};

struct txl_budget {
    struct budget budget;
};

enum { BUDGET_MESSAGE = 160 };
/* False: message says why, and *line where, from 1 on. What is not understood is refused. */
bool budget_parse(const char *text, size_t length, struct budget *budget, unsigned *line,
                  char message[BUDGET_MESSAGE]);
void budget_free(struct budget *budget);
/*
 * key: "" is a dimension that the sweep does not have, which only an entry without it matches.
 * NULL: no entry, or, with a second one in *other, two that name as much.
 */
const struct budget_entry *budget_find(const struct budget *budget, const char *op,
                                       const char *const key[BUDGET_KEYS],
                                       const struct budget_entry **other);

#endif
