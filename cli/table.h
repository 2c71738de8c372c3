/* SPDX-License-Identifier: Apache-2.0 */
/* What commands.def says, as C: a struct for each command, and the rows of which all else is made.
 */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include <tensix-internal/bench.h>
#include <tensix-lab/chip.h>
#include <tensix-lab/compare.h>
#include <tensix-lab/data.h>
#include <tensix-lab/debug.h>
#include <tensix-lab/dis.h>
#include <tensix-lab/eval.h>
#include <tensix-lab/expand.h>
#include <tensix-lab/fit.h>
#include <tensix-lab/form.h>
#include <tensix-lab/front.h>
#include <tensix-lab/lint.h>
#include <tensix-lab/lsp.h>
#include <tensix-lab/opt.h>
#include <tensix-lab/order.h>
#include <tensix-lab/run.h>
#include <tensix-lab/schedule.h>
#include <tensix-lab/silicon.h>
#include <tensix-lab/sweep.h>
#include <tensix-lab/trace.h>
#include <tensix-lab/vectors.h>

#include "card/run.h"
#include "print/progress.h"

struct cli;
struct cli_option;

/* Words in their order; the pointer behind the last is NULL. They live as long as the command. */
struct cli_list {
    const char **text;
    unsigned count;
};

enum {
    CLI_ANY = 0x7fffffff,
    CLI_REST = 0x7ffffffe, /* see commands.def */
    CLI_OPTIONS = 64,      /* rows of a command */
    CLI_INPUTS = 16,
    CLI_L1_FILES = 32,
    CLI_TILE_WORDS = 64,
    CLI_ELEMENTS = 64,
    CLI_FLAGS = 64,
    CLI_HEAD = 64,
    CLI_JOBS = 64,
    CLI_PLOTS = 4
};

/* Members that several commands hold. */
struct cli_programs {
    struct txl_tensix_program of[TX_CORES];
    struct txl_tensix_word pokes[CLI_TILE_WORDS], until[CLI_TILE_WORDS];
    struct txl_tensix_late late[CLI_TILE_WORDS];
};
struct cli_flags {
    const char *text[CLI_FLAGS]; /* -I DIR and -D NAME, passed to a compiler unchanged */
    unsigned count;
};
/* With this every command's struct begins. */
struct cli_head {
    struct cli_list words;
    struct cli *cli;
};
struct cli_span {
    unsigned first, last;
};

#define TYPE_FLAG bool
#define TYPE_TEXT const char *
#define TYPE_MAYBE const char *
#define TYPE_NUMBER(most) uint64_t
#define TYPE_RANGE(least, usual, most) uint64_t
#define TYPE_REAL double
#define TYPE_LIST(most) struct cli_list
#define TYPE_CHOICE unsigned
#define TYPE_PICK unsigned
#define TYPE_SPAN(most) struct cli_span
#define TYPE_ARCH enum tx_arch
#define TYPE_DST enum tx_dst_format
#define TYPE_START enum tx_start
#define TYPE_THREAD unsigned
#define TYPE_ENGINE enum txl_engine
#define TYPE_FORMAT enum tx_format
#define TYPE_TILE struct tx_tile

#define SHARED(name) struct name##_args {
#define COMMAND(name, ...)     \
    struct name##_args {       \
        struct cli_list words; \
        struct cli *cli;
#define LAB(name, type, member) type member;
#define HOLDS(name, type, ...) type __VA_ARGS__;
#define OPTION(name, option, kind, ...) TYPE_##kind option;
#define END(name) \
    }             \
    ;
#include "commands.def"

/* The commands, and the functions that read an option of one command. */
#define COMMAND(name, ...) int cmd_##name(struct cli *cli, struct name##_args *args);
#define CALLS(name, option, function, ...) \
    int function(struct cli *cli, void *args, const struct cli_option *option, const char *text);
#include "commands.def"

enum cli_kind {
    CLI_FLAG,
    CLI_TEXT,
    CLI_MAYBE,
    CLI_NUMBER,
    CLI_REAL,
    CLI_LIST,
    CLI_LISTS,
    CLI_CHOICE,
    CLI_PICK,
    CLI_SPAN,
    CLI_ARCH,
    CLI_DST,
    CLI_START,
    CLI_THREAD,
    CLI_ENGINE,
    CLI_FORMAT,
    CLI_TILE,
    CLI_CALL,
    CLI_SIZE,   /* no option: a member that begins with its size */
    CLI_BEFORE, /* no option: a function to be called first */
    CLI_ALIAS
};

struct cli_option {
    const char *name, *argument, *text;
    int letter, group;
    enum cli_kind kind;
    uint64_t least, usual, most;
    size_t place, size, count; /* of the member; of a list's count */
    int (*call)(struct cli *cli, void *args, const struct cli_option *option, const char *text);
    void (*before)(void *member);
    const struct cli_option *shared; /* the row of a set, whose struct is at place */
};

/* A command line of cli/examples.def and what it ends with; where: a document to read on, or NULL.
 */
struct cli_example {
    const char *command, *line, *where;
};
extern const struct cli_example cli_examples[];
extern const unsigned cli_example_count;

struct cli_command {
    const char *name; /* with a blank, or the first of two words */
    const char *arguments, *text, *help, *what;
    unsigned least, most;
    int (*run)(struct cli *cli, void *args); /* NULL: of a family */
    size_t size;
    const struct cli_option *options;
    unsigned count;
};

extern const struct cli_command cli_commands[];
extern const unsigned cli_command_count;
/* Finds a command by its name; NULL: there is none. */
const struct cli_command *cli_find(const char *name);

#endif
