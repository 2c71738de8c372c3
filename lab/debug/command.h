/* SPDX-License-Identifier: Apache-2.0 */
/* Commands: how they are taken apart, and what they answer with. */
#ifndef LAB_DEBUG_COMMAND_H
#define LAB_DEBUG_COMMAND_H

#include "debug/target.h"

enum { WORDS = 12, LINE = 400 };

struct answer {
    struct txl_debug *d;
    FILE *out;      /* for people */
    txl_json *json; /* an object */
    /* The line: the command's name as it is in full, and what was written behind it. */
    const char *name;
    const char *word[WORDS];
    unsigned count;
    enum reading reading;
};

/* Whether words were expected that are not there, or the other way: TXL_CONTINUE, TXL_INPUT. */
int words_between(const struct answer *a, unsigned least, unsigned most);
/* The index-th word as a number; other: where there is none. */
int word_number(const struct answer *a, unsigned index, uint64_t most, uint64_t other,
                uint64_t *value);

/* Each does a command: TXL_OK, TXL_INPUT with d->err, TXL_CANCELLED. */
typedef int command_work(struct answer *a);
struct command {
    const char *name, *alias; /* alias: what gdb's users write, or NULL */
    const char *arguments, *text;
    command_work *work;
};
extern const struct command command_list[];
const struct command *command_find(const char *word, unsigned *matches);

/* command_go.c */
command_work command_step, command_next, command_back, command_continue, command_run,
    command_reverse, command_goto;
/* Where it stands: the line below every way, and the same in JSON. */
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
