/* SPDX-License-Identifier: Apache-2.0 */
/* Recomputing by the fast engine what a machine has executed, to compare the two. */
#include <tensix-internal/fast_steps.h>

#include "fast/level.h"
#include "fast/schedule.h"
#include "fast/source.h"
#include "fast/steps.h"

#include <stdlib.h>
#include <string.h>

struct tx_fast_again {
    tx_machine *machine;
    struct tx_state start;
    struct fast_recording recording;
};

enum tx_status tx_fast_again_begin(tx_machine *machine, tx_fast_again **out)
{
    tx_fast_again *a = calloc(1, sizeof *a);
    *out = a;
    if (a == NULL) {
        return TX_ENOMEM;
    }
    a->machine = machine;
    a->start = machine->state;
    machine->on_exec = fast_record;
    machine->on_change = fast_record_change;
    machine->on_user = &a->recording;
    return TX_OK;
}

static enum tx_status fast_again_end(tx_fast_again *a, const struct fast_level *level,
                                     tx_fast_steps *steps, const char **reason)
{
    struct tx_state *final = malloc(sizeof *final);
    struct fast_schedule schedule = {.reason = NULL};
    enum tx_status status = level == NULL ? TX_ENOENT : final == NULL ? TX_ENOMEM : TX_OK;
    *reason = NULL;
    a->machine->on_exec = NULL;
    a->machine->on_change = NULL;
    a->machine->on_user = NULL;
    if (status == TX_OK) {
        *final = a->machine->state;
        const struct fast_task task = {
            .machine = a->machine, .start = &a->start, .final = final, .steps = steps};
        const uint64_t old = fast_arithmetic_begin();
        const bool good = fast_schedule(&task, level, &a->recording, &schedule);
        fast_arithmetic_end(old);
        *reason = schedule.reason;
        status = !good ? TX_ENOMEM : schedule.reason != NULL ? TX_EUNSUPPORTED : TX_OK;
        dag_close(&schedule.dag);
    }
    if (status == TX_OK) {
        a->machine->state = *final;
    }
    free(a->recording.list);
    free(final);
    free(a);
    return status;
}

enum tx_status tx_fast_again_end(tx_fast_again *a, const char *level, const char **reason)
{
    return fast_again_end(a, fast_level_named(level), NULL, reason);
}

/* ---- compiled steps ---- */

enum tx_status tx_fast_steps_open(const tx_machine *machine, const char *level, tx_fast_steps **out)
{
    const struct fast_level *found = fast_level_named(level);
    const struct fast_rules rules = fast_rules_of(machine);
    *out = NULL;
    if (found == NULL) {
        return TX_ENOENT;
    }
    tx_fast_steps *steps = calloc(1, sizeof *steps);
    if (steps == NULL || !dag_open(&steps->set, found, &rules)) {
        tx_fast_steps_close(steps);
        return TX_ENOMEM;
    }
    *out = steps;
    return TX_OK;
}

void tx_fast_steps_close(tx_fast_steps *steps)
{
    if (steps != NULL) {
        dag_close(&steps->set);
        free(steps->code);
        free(steps);
    }
}

size_t tx_fast_steps_count(const tx_fast_steps *steps)
{
    return steps->set.count - 1;
}

const char *tx_fast_steps_options(const tx_fast_steps *steps)
{
    return steps->set.level->options;
}

static bool have(const tx_fast_steps *steps, size_t first, size_t count)
{
    const size_t all = tx_fast_steps_count(steps);
    return first <= all && count <= all - first;
}

enum tx_status tx_fast_steps_source(const tx_fast_steps *steps, size_t first, size_t count,
                                    tx_fast_put *put, void *user)
{
    if (!have(steps, first, count)) {
        return TX_EINVAL;
    }
    fast_source_steps(&steps->set, first + 1, count, put, user);
    return TX_OK;
}

enum tx_status tx_fast_steps_use(tx_fast_steps *steps, size_t first, size_t count,
                                 tx_fast_code *const *table)
{
    if (!have(steps, first, count)) {
        return TX_EINVAL;
    }
    if (steps->code == NULL) {
        steps->code = calloc(steps->set.count, sizeof *steps->code);
    }
    if (steps->code == NULL) {
        return TX_ENOMEM;
    }
    if (count != 0) {
        memcpy(steps->code + 1 + first, table, count * sizeof *table);
    }
    return TX_OK;
}

enum tx_status tx_fast_again_end_steps(tx_fast_again *a, tx_fast_steps *steps, const char **reason)
{
    const struct fast_rules rules = fast_rules_of(a->machine);
    if (memcmp(&rules, &steps->set.rules, sizeof rules) != 0) {
        (void)fast_again_end(a, NULL, NULL, reason);
        return TX_EINVAL;
    }
    return fast_again_end(a, steps->set.level, steps, reason);
}
