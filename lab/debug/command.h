/* SPDX-License-Identifier: Apache-2.0 */
/* The commands: how their lines are parsed, and what they answer. */
#ifndef LAB_DEBUG_COMMAND_H
#define LAB_DEBUG_COMMAND_H

#include "debug/target.h"

enum { WORDS = 12, LINE = 400 };

struct answer {
    struct txl_debug *d;
    FILE *out;      /* the answer for people */
    txl_json *json; /* an object */
    /* The command's full name, and the words that follow it. */
    const char *name;
    const char *word[WORDS];
    unsigned count;
    enum reading reading;
};

/* Checks the number of words: TXL_CONTINUE, or TXL_INPUT where there are too few or too many. */
int words_between(const struct answer *a, unsigned least, unsigned most);
/*
 * Parses the index-th word as a number of at most most; without such a word *value becomes other.
 */
int word_number(const struct answer *a, unsigned index, uint64_t most, uint64_t other,
                uint64_t *value);

/* Executes a command. Returns TXL_OK, TXL_INPUT with a message in d->err, or TXL_CANCELLED. */
typedef int command_work(struct answer *a);
struct command {
    const char *name, *alias; /* alias: gdb's name for it, or NULL */
    const char *arguments, *text;
    command_work *work;
};
extern const struct command command_list[];
const struct command *command_find(const char *word, unsigned *matches);

/* command_go.c */
command_work command_step, command_next, command_back, command_continue, command_run,
    command_reverse, command_goto, command_races;
/* Reports the current position, as text and JSON; every command that moves ends with it. */
void command_where(struct answer *a, const struct stop_at *at);
command_work command_status;

/* command_points.c */
command_work command_break, command_watch, command_delete, command_enable, command_points;

/* command_show.c */
command_work command_print, command_registers, command_flags, command_stacks, command_rwc,
    command_gpr, command_cfg, command_findings, command_threads, command_select;
/* command_data.c */
command_work command_dst, command_src, command_l1, command_macro;
/* command_code.c */
command_work command_list_source, command_disasm, command_pipeline;
/* why.c */
command_work command_why;
/* command.c */
command_work command_help, command_quit, command_info;

#endif
