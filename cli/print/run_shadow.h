/* SPDX-License-Identifier: Apache-2.0 */
/* run --shadow: one tile in exact arithmetic beside the emulator; prints. */
#ifndef CLI_PRINT_RUN_SHADOW_H
#define CLI_PRINT_RUN_SHADOW_H

#include "cli.h"

#include "run/run.h"

struct run_shadow {
    bool wanted;
    uint64_t elements[RUN_SETS]; /* of the array */
    unsigned count;              /* 0: the worst of the tile */
    uint64_t tile, worst;
};
int run_shadow(struct run_job *job, const struct run_shadow *how);

#endif
