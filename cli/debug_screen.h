/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_DEBUG_SCREEN_H
#define CLI_DEBUG_SCREEN_H

#include "cli.h"

#include <tensix-lab/debug.h>

/* Shows the screen until the user leaves it. CLI_CONTINUE: there is no suitable terminal. */
int debug_screen(struct cli *cli, txl_debug *debug);
/* For struct txl_debug_options: Ctrl-C on that screen ends a command. */
bool debug_goes_on(void *user, uint64_t done, uint64_t total);

#endif
