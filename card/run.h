/* SPDX-License-Identifier: Apache-2.0 */
/* run.c: a command with an emulated card, for the command `tensix card`. */
#ifndef TENSIX_CARD_RUN_H
#define TENSIX_CARD_RUN_H

#include "tree.h"

struct card_result {
    int status; /* as a shell gives it: 128 and the signal's number where a signal ended it */
    unsigned count;
    char **lines;           /* what the chips have found */
    unsigned reports, lost; /* lost: processes that were killed before they could report */
    char **report;          /* as JSON, one for each chip of each process; with options->report */
    double seconds;
    char text[256]; /* why it could not be run */
};
/* Returns false where the command was not started. */
bool card_run(const struct card_options *options, char **command, struct card_result *done);
void card_result_free(struct card_result *done);

#endif
