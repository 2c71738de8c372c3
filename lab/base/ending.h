/* SPDX-License-Identifier: Apache-2.0 */
/* An end without ceremony, by a signal or for want of memory: what must not stay behind. */
#ifndef CLI_ENDING_H
#define CLI_ENDING_H

/*
 * SIGINT, SIGTERM and SIGHUP end the command with one line, by the signal itself, so that a shell
 * sees it; SIGPIPE without one. Those that the caller ignores (nohup) stay ignored.
 */
void ending_watch(void);
/* What else is to be cleaned; called in a signal handler. NULL: nothing. */
void ending_hook(void (*hook)(void));
/* Removes what is not whole, and calls the hook. */
void ending_clean(void);

#endif
