/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as an accuracy budget: it is refused with a reason, or its rows can be found. */
#include "sweep/budget.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct budget budget = {.path = strdup("x")};
    struct txl_error err = {.status = TXL_OK};
    bool good = budget_parse((const char *)data, size, &budget, &err);
    if (good ? budget.count == 0 || err.status != TXL_OK : err.message[0] == '\0') {
        abort();
    }
    for (size_t i = 0; good && i < budget.count; i++) {
        const struct budget_entry *entry = &budget.entries[i];
        const struct budget_entry *other = NULL;
        const char *key[BUDGET_KEYS];
        for (unsigned k = 0; k < BUDGET_KEYS; k++) {
            key[k] = entry->key[k];
        }
        /* Its own key finds it, or one that says the same in other letters. */
        const struct budget_entry *found = budget_find(&budget, entry->op, key, &other);
        if (found != entry && other == NULL && strcasecmp(found->op, entry->op) != 0) {
            abort();
        }
    }
    budget_free(&budget);
    return 0;
}
