/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An accuracy budget in the form of tt-metal's sfpu_accuracy_budget.yaml: for each operation,
 * entries with a key (in, out, approx, dest, arch; a missing part matches everything) and max_ulp,
 * counted in steps between values of the format, or metric: tolerance. Of all entries that match,
 * the one with the most parts in its key applies.
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
    bool limited;                       /* it has an atol or rtol */
    double atol, rtol;
    uint64_t max_ulp, nonfinite;
    unsigned line;
};

struct budget {
    char *path; /* owned by the budget */
    struct budget_entry *entries;
    size_t count;
};

struct txl_budget {
    struct budget budget;
};

/*
 * Parses a budget. Returns false, with an error in budget->path and its line, for anything that is
 * not understood.
 */
bool budget_parse(const char *text, size_t length, struct budget *budget, struct txl_error *err);
void budget_free(struct budget *budget);
/*
 * Finds the entry for an operation. A key part of "" is a dimension that the sweep does not have;
 * only entries without that part match. Returns NULL where there is no entry, or where two are
 * equally specific: *other is then one of them, else NULL.
 */
const struct budget_entry *budget_find(const struct budget *budget, const char *op,
                                       const char *const key[BUDGET_KEYS],
                                       const struct budget_entry **other);

#endif
