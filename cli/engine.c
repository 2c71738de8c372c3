/* SPDX-License-Identifier: Apache-2.0 */
#include "engine.h"

#include <string.h>

int engine_parse(struct cli *cli, const char *text, enum engine *engine)
{
    static const char *const names[] = {
        [ENGINE_AUTO] = "auto", [ENGINE_FAST] = "fast", [ENGINE_REFERENCE] = "reference"};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(text, names[i]) == 0) {
            *engine = (enum engine)i;
            return 0;
        }
    }
    return cli_fail(cli, "--engine: '%s' is none of auto, fast, reference", text);
}

bool engine_fast(enum engine engine, const tx_kernel *kernel, const char *only_reference,
                 tx_fast **fast, char *message, size_t size)
{
    const char *reason = NULL;
    enum tx_status status = TX_EUNSUPPORTED;
    *fast = NULL;
    if (engine == ENGINE_REFERENCE) {
        return true;
    }
    if (only_reference == NULL) {
        status = tx_fast_open(kernel, NULL, fast, &reason);
    }
    /* A kernel that stops does so in the reference engine too, which tells where. */
    if (status == TX_OK || status == TX_FAULT || status == TX_EDEADLOCK ||
        (engine == ENGINE_AUTO && status == TX_EUNSUPPORTED)) {
        return true;
    }
    if (status != TX_EUNSUPPORTED) {
        snprintf(message, size, "%s", tx_status_text(status));
    } else if (only_reference != NULL) {
        snprintf(message, size, "--engine fast: %s needs the reference engine", only_reference);
    } else {
        snprintf(message, size, "--engine fast: %s", reason);
    }
    return false;
}
