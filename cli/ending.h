/* SPDX-License-Identifier: Apache-2.0 */
/* Ends the command on a signal without leaving temporary files behind. */
#ifndef CLI_ENDING_H
#define CLI_ENDING_H

/*
 * SIGINT, SIGTERM and SIGHUP end the command with one line and then by the signal itself, so that a
 * shell sees it; SIGPIPE ends it without a line. Signals that the caller ignores (nohup) stay
 * ignored.
 */
void ending_watch(void);

#endif
