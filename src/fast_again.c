/* SPDX-License-Identifier: Apache-2.0 */
/* What a machine executed, computed again by the fast engine. */
#include <tensix/fast.h>

#include "fast/level.h"
#include "fast/schedule.h"

#include <stdlib.h>

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
    machine->on_exec_user = &a->recording;
    return TX_OK;
}

enum tx_status tx_fast_again_end(tx_fast_again *a, const char *level, const char **reason)
{
    const struct fast_level *found = fast_level_named(level);
    struct tx_state *final = malloc(sizeof *final);
    struct fast_schedule schedule = {.reason = NULL};
    enum tx_status status = found == NULL ? TX_ENOENT : final == NULL ? TX_ENOMEM : TX_OK;
    *reason = NULL;
    a->machine->on_exec = NULL;
    a->machine->on_exec_user = NULL;
    if (status == TX_OK) {
        *final = a->machine->state;
        const struct fast_task task = {.machine = a->machine, .start = &a->start, .final = final};
        const uint64_t old = fast_arithmetic_begin();
        const bool good = fast_schedule(&task, found, &a->recording, &schedule);
        fast_arithmetic_end(old);
        *reason = schedule.reason;
        status = !good ? TX_ENOMEM : schedule.reason != NULL ? TX_EUNSUPPORTED : TX_OK;
        flow_close(&schedule.flow);
    }
    if (status == TX_OK) {
        a->machine->state = *final;
    }
    free(a->recording.list);
    free(final);
    free(a);
    return status;
}
