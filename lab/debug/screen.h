/* SPDX-License-Identifier: Apache-2.0 */
/* A screen: what is written on it, and how a part of it is laid out. */
#ifndef LAB_DEBUG_SCREEN_H
#define LAB_DEBUG_SCREEN_H

#include "debug/command.h"

enum { LOG_LINES = 2000, HISTORY_LINES = 200, INPUT = 300 };

struct txl_debug_screen {
    struct txl_debug *d;
    /* Answers, the oldest first. */
    struct log_line {
        char *text;
        unsigned char look;
    } log[LOG_LINES];
    unsigned log_count, scroll; /* scroll: lines below what is seen */
    char *history[HISTORY_LINES];
    unsigned history_count, history_at;
    char input[INPUT + 1];
    unsigned length, cursor;
    size_t completion; /* which one Tab shows next */
    char stem[INPUT + 1];
    char pane[INPUT + 1]; /* the command whose answer stands on the right */
    /* What was drawn last, and in how many lines; NULL: it is to be asked for again. */
    char *source, *pipeline;
    const char *source_title;
    unsigned source_lines, pipeline_lines;
    unsigned pane_width;
    char *seen, *before; /* that answer now, and before the last command */
};

/* A rectangle of the screen that is being drawn. */
struct area {
    char *text;
    unsigned char *looks;
    unsigned columns; /* of the screen */
    unsigned top, left, height, width;
};

/* Words into a row of an area, cut at its end; look: of all of it. */
void area_put(const struct area *area, unsigned row, unsigned column, const char *text,
              size_t length, enum txl_debug_look look);
void area_title(const struct area *area, const char *title);
/* Something has been done: what was drawn is of the past. */
void screen_stale(struct txl_debug_screen *s);
/* The pane has another width: its answer is asked for once more. */
void screen_resized(struct txl_debug_screen *s, unsigned width);
/* The answer of a command, for free(); NULL: it has none. */
char *screen_ask(struct txl_debug *d, const char *command);

#endif
