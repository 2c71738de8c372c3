/* SPDX-License-Identifier: Apache-2.0 */
/* run --shadow: one tile in exact arithmetic beside the emulator; prints. */
#ifndef CLI_PRINT_RUN_SHADOW_H
#define CLI_PRINT_RUN_SHADOW_H

#include "cli.h"

#include <tensix-lab/run.h>

enum { RUN_ELEMENTS = 64 };

struct run_shadow {
    bool wanted;
    uint64_t elements[RUN_ELEMENTS]; /* of the array */
    unsigned count;                  /* 0: the worst of the tile */
    uint64_t tile, worst;
    const char *kernel; /* as it was given */
};
/* CLI_OK, or what went wrong, in cli->error. */
int run_shadow(struct cli *cli, const struct tx_program *program, txl_run *run,
               const struct run_shadow *how);

#endif
