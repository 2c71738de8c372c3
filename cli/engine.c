/* SPDX-License-Identifier: Apache-2.0 */
#include "engine.h"

#include "compile.h"

#include <string.h>

int engine_parse(struct cli *cli, const char *text, enum engine *engine)
{
    static const char *const names[] = {[ENGINE_AUTO] = "auto",
                                        [ENGINE_COMPILED] = "compiled",
                                        [ENGINE_FAST] = "fast",
                                        [ENGINE_REFERENCE] = "reference"};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(text, names[i]) == 0) {
            *engine = (enum engine)i;
            return 0;
        }
    }
    return cli_fail(cli, "--engine: '%s' is none of auto, compiled, fast, reference", text);
}

/* Vector instructions from which compiling pays, about a second, and looking whether it was done.
 */
static const uint64_t worth_compiling = UINT64_C(4000000000);
static const uint64_t worth_looking = UINT64_C(100000000);

static bool compiled(enum engine engine, uint64_t tiles, tx_fast *fast, char *message, size_t size)
{
    const uint64_t each = tx_fast_instructions(fast);
    const uint64_t work = each != 0 && tiles > UINT64_MAX / each ? UINT64_MAX : tiles * each;
    char why[300] = "";
    if (engine == ENGINE_AUTO && work >= worth_looking) {
        (void)compile_kernel(fast, work < worth_compiling, why, sizeof why);
    }
    if (engine != ENGINE_COMPILED || compile_kernel(fast, false, why, sizeof why)) {
        return true;
    }
    snprintf(message, size, "--engine compiled: %s", why);
    return false;
}

bool engine_fast(enum engine engine, const tx_kernel *kernel, uint64_t tiles,
                 const char *only_reference, tx_fast **fast, char *message, size_t size)
{
    const char *name = engine == ENGINE_COMPILED ? "compiled" : "fast";
    const char *reason = NULL;
    enum tx_status status = TX_EUNSUPPORTED;
    *fast = NULL;
    if (engine == ENGINE_REFERENCE) {
        return true;
    }
    if (only_reference == NULL) {
        status = tx_fast_open(kernel, NULL, fast, &reason);
    }
    if (status == TX_OK && !compiled(engine, tiles, *fast, message, size)) {
        tx_fast_close(*fast);
        *fast = NULL;
        return false;
    }
    /* A kernel that stops does so in the reference engine too, which tells where. */
    if (status == TX_OK || status == TX_FAULT || status == TX_EDEADLOCK ||
        (engine == ENGINE_AUTO && status == TX_EUNSUPPORTED)) {
        return true;
    }
    if (status != TX_EUNSUPPORTED) {
        snprintf(message, size, "%s", tx_status_text(status));
    } else if (only_reference != NULL) {
        snprintf(message, size, "--engine %s: %s needs the reference engine", name, only_reference);
    } else {
        snprintf(message, size, "--engine %s: %s", name, reason);
    }
    return false;
}
