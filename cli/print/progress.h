/* SPDX-License-Identifier: Apache-2.0 */
/* A bar with rate and remaining time on stderr, on a terminal and for work that takes a while. */
#ifndef CLI_PRINT_PROGRESS_H
#define CLI_PRINT_PROGRESS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct cli;

struct progress {
    bool wanted, shown;
    double start, last;
    uint64_t total;
    const char *unit;
};

void progress_start(struct progress *progress, bool wanted, uint64_t total, const char *unit);
/* A txl_progress that draws: user is a struct progress that has been started. */
bool progress_call(void *user, uint64_t done, uint64_t total);
void progress_end(struct progress *progress); /* removes the bar */
/* A handler of SIGINT for work that ends in an orderly way where progress_interrupted is not 0. */
extern volatile sig_atomic_t progress_interrupted;
void progress_on_interrupt(int number);
/*
 * Prepares a bar for work of the lab library, except with --json. The result and progress_call go
 * into its options. unit: what is counted, such as "tiles".
 */
void *cli_progress(const struct cli *cli, struct progress *progress, bool wanted, const char *unit);

#endif
