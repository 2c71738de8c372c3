/* SPDX-License-Identifier: Apache-2.0 */
/* Says where the cores of a tile and its threads are when a run has not ended by itself. */
#include "tile/tile_parts.h"

#include <stdio.h>

#include "base/waits.h"

/* "main+0x84, trisc.cpp:99"; NULL: neither is known. */
static const char *core_place(const struct txl_tensix_core *core, char text[256])
{
    snprintf(text, 256, "%s%s%s", core->function != NULL ? core->function : "",
             core->function != NULL && core->source != NULL ? ", " : "",
             core->source != NULL ? core->source : "");
    return text[0] != '\0' ? text : NULL;
}

void tile_stuck_text(const struct txl_tensix *t, enum tx_status status, char *line, size_t size)
{
    char text[256];
    char said[256];
    const tx_machine *m = tx_tensix_machine(t->tile);
    int n = snprintf(line, size, "%s after %s%llu cycles",
                     status == TX_EDEADLOCK ? "deadlock"
                     : status == TX_OK      ? "stopped"
                                            : "not done",
                     bound_prefix(t->result.bounds), (unsigned long long)t->result.cycles);
    struct waits waits = {.count = 0};
    for (unsigned c = 0; c < TX_CORES && n < (int)size; c++) {
        const char *place = core_place(&t->core[c], said);
        if (status == TX_EDEADLOCK) {
            waits_core(&waits, t->tile, (enum tx_core)c, "", place, NULL);
        } else if (tx_tensix_wait_text(t->tile, (enum tx_core)c, text, sizeof text)) {
            n += snprintf(line + n, size - (size_t)n, "; %s%s%s", text, place != NULL ? " in " : "",
                          place != NULL ? place : "");
        }
    }
    for (unsigned i = 0; i < TX_THREADS && n < (int)size; i++) {
        if (status == TX_EDEADLOCK) {
            waits_thread(&waits, m, i, "");
        } else if (tx_wait_text(m, i, text, sizeof text)) {
            n += snprintf(line + n, size - (size_t)n, "; coprocessor: %s", text);
        }
    }
    waits_append(&waits, line, size);
}
