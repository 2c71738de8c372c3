/* SPDX-License-Identifier: Apache-2.0 */
/* An end by a signal: what must not stay behind. */
#ifndef CLI_ENDING_H
#define CLI_ENDING_H

/*
 * SIGINT, SIGTERM and SIGHUP end the command with one line, by the signal itself, so that a shell
 * sees it; SIGPIPE without one. Those that the caller ignores (nohup) stay ignored.
 */
void ending_watch(void);

#endif
