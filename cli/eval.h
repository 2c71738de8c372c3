/* SPDX-License-Identifier: Apache-2.0 */
/* tensix eval: registers before and after, and every reading of what changed. */
#ifndef CLI_EVAL_H
#define CLI_EVAL_H

#include "cli.h"

enum { EVAL_CONFIG = 2048, EVAL_MOST = 1024 * 16 };

/* Everything eval can show, read from a machine. */
struct eval_state {
    uint32_t *values[TX_FILE_COUNT]; /* index * width + i */
    unsigned count[TX_FILE_COUNT];   /* indices that could be read */
    uint32_t config[EVAL_CONFIG];    /* by index of tx_config_field_at */
    size_t config_count;
};

enum eval_lanes { EVAL_CHANGED = -1, EVAL_ALL = -2 };

bool eval_state_read(struct eval_state *state, const tx_machine *machine, unsigned thread);
void eval_state_free(struct eval_state *state);

/* NAME=VALUE onto the machine; printed and CLI_INPUT where it means nothing. */
int eval_assign(struct cli *cli, tx_machine *machine, unsigned thread, const char *assignment);

/* lanes: EVAL_CHANGED, EVAL_ALL or a lane. */
void eval_print(const struct eval_state *before, const struct eval_state *after, enum tx_arch arch,
                unsigned thread, int lanes);
json_t *eval_json(const struct eval_state *before, const struct eval_state *after,
                  enum tx_arch arch, unsigned thread);

#endif
