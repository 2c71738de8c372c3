/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a signal that ends the command does: removes unfinished files, says one line, and dies of
 * it.
 */
#include "ending.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include <tensix-lab/base.h>

static void ending_end(int number)
{
    static const char text[] = "tensix: interrupted\n";
    txl_abandon();
    if (number != SIGPIPE) {
        (void)!write(STDERR_FILENO, text, sizeof text - 1);
    }
    signal(number, SIG_DFL);
    raise(number);
}

void ending_watch(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = ending_end};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        sigaddset(&action.sa_mask, numbers[i]); /* handle one signal at a time */
    }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction now;
        if (sigaction(numbers[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN) {
            (void)sigaction(numbers[i], &action, NULL);
        }
    }
    /* Even when the caller ignores it: a reader that goes away ends the command. */
    (void)sigaction(SIGPIPE, &action, NULL);
}
