/* SPDX-License-Identifier: Apache-2.0 */
/* Names of the states that a kernel may start from (.start). */
#include <tensix/asm.h>

#include <string.h>

static const char *const names[] = {
    [TX_START_UNSET] = "unset", [TX_START_RESET] = "reset", [TX_START_VENDOR] = "vendor"};

const char *tx_start_name(enum tx_start start)
{
    return names[(unsigned)start <= TX_START_VENDOR ? start : TX_START_UNSET];
}

enum tx_status tx_start_parse(const char *text, enum tx_start *start)
{
    if (text == NULL || start == NULL) {
        return TX_EINVAL;
    }
    for (unsigned i = TX_START_RESET; i <= TX_START_VENDOR; i++) {
        if (strcmp(text, names[i]) == 0) {
            *start = (enum tx_start)i;
            return TX_OK;
        }
    }
    return TX_ENOENT;
}
