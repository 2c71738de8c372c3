/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a screen, and how parts of it are laid out. */
#ifndef LAB_DEBUG_SCREEN_H
#define LAB_DEBUG_SCREEN_H

#include "debug/command.h"

enum { LOG_LINES = 2000, HISTORY_LINES = 200, INPUT = 300 };

struct txl_debug_screen {
    struct txl_debug *d;
    /* Lines of answers, the oldest first. */
    struct log_line {
        char *text;
        unsigned char look;
    } log[LOG_LINES];
    unsigned log_count, scroll; /* scroll: number of lines below the visible part */
    char *history[HISTORY_LINES];
    unsigned history_count, history_at;
    char input[INPUT + 1];
    unsigned length, cursor;
    size_t completion; /* index of the completion that the next Tab shows */
    char stem[INPUT + 1];
    char pane[INPUT + 1]; /* the command whose answer the right pane shows */
    /* What was drawn last, and for how many lines; NULL: it must be asked for again. */
    char *source, *pipeline;
    const char *source_title;
    unsigned source_lines, pipeline_lines;
    unsigned pane_width;
    char *seen, *before; /* the pane's answer now, and before the last command */
};

/* A rectangle of the screen being drawn. */
struct area {
    char *text;
    unsigned char *looks;
    unsigned columns; /* of the whole screen */
    unsigned top, left, height, width;
};

/* Writes text into a row of an area, cut at its edge, with one look. */
void area_put(const struct area *area, unsigned row, unsigned column, const char *text,
              size_t length, enum txl_debug_look look);
void area_title(const struct area *area, const char *title);
/* Discards what was drawn, after a command has changed something. */
void screen_stale(struct txl_debug_screen *s);
/* Asks for the pane's answer again, for its new width. */
void screen_resized(struct txl_debug_screen *s, unsigned width);
/* Returns the answer of a command, which the caller frees; NULL: it has none. */
char *screen_ask(struct txl_debug *d, const char *command);

#endif
