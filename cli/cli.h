/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What all subcommands share: exit codes, one-line errors in text or JSON, the parsing of options,
 * and the loading of programs. Commands use only the library's public headers.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#define _GNU_SOURCE 1

#include <argp.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <tensix-lab/base.h>
#include <tensix-lab/engine.h>
#include <tensix-lab/kernel.h>
#include <tensix-lab/json.h>
#include <tensix-lab/race.h>
#include <tensix-lab/tile.h>
#include <tensix/tensix.h>

#include "table.h"

enum {
    CLI_OK = TXL_OK,
    CLI_NEGATIVE = TXL_NEGATIVE, /* the answer is no: a check failed, or strict mode stopped */
    CLI_INPUT = TXL_INPUT,       /* the command line or an input was refused */
    CLI_CONTINUE = -1            /* the options are parsed, and the command goes on */
};

/* Version of the form of what --json prints: docs/cli.md says what raises it. */
enum { CLI_JSON_SCHEMA = 1 };

struct parse;
struct cli {
    const char *command; /* the subcommand, such as "run" */
    bool json;
    bool caret; /* show the source line under an error even where standard error is no terminal */
    bool helped;
    bool failed;            /* an error has been printed */
    struct txl_error error; /* from the lab library; cli_report prints it */
    struct parse *parsed;   /* the line, while its command runs */
    const char **pool;      /* of the words of lists */
    size_t room;            /* words that a list has room for */
    bool given[CLI_OPTIONS];
    unsigned counts[CLI_OPTIONS];
    txl_compiler *compiler; /* see cli_compiler */
};

/* Returns the compiler, opened at the first call. NULL: cli->error says why there is none. */
txl_compiler *cli_compiler(struct cli *cli);
/* Returns the folder for temporary files that the environment names, or NULL. */
const char *cli_scratch(void);
/* Returns false when the text names no engine. */
bool cli_engine(const char *text, enum txl_engine *engine);

/*
 * Prints the error that the lab library has put into cli->error, if any, and clears it. Returns
 * code, or the error's own code where code is CLI_OK. Every command ends with this.
 */
int cli_report(struct cli *cli, int code);
/*
 * GMP and MPFR, on which the references are built, abort without memory. After this call the
 * command ends there with one line (json: one object) and status 2, and leaves no incomplete
 * output.
 */
void cli_memory(bool json);
/* Both print the error in one line (or one JSON object on stdout) and return CLI_INPUT. */
int cli_fail(struct cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));
int cli_fail_at(struct cli *cli, const struct txl_where *where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same for a negative answer with an exit code of its own. */
int cli_refuse(struct cli *cli, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Applies the NAME=VALUE arguments of --rule. Returns 0, or CLI_INPUT after printing why. */
int cli_rules(struct cli *cli, const struct cli_list *rules, struct tx_settings *settings);

/*
 * Parses the command line, where argv[0] is the command's last word, and runs the command. Returns
 * the exit code.
 */
int cli_run(struct cli *cli, const struct cli_command *command, int argc, char **argv);
/* Whether the option stood on the command line, and the first of a list that did, or NULL. */
bool cli_given(const struct cli *cli, const char *name);
const char *cli_first_given(const struct cli *cli, const char *const *names);

/* Parse a value. They return 0, or CLI_INPUT after printing why. */
int cli_arch(struct cli *cli, const char *text, enum tx_arch *arch);
int cli_dst(struct cli *cli, const char *option, const char *text, enum tx_dst_format *format);
int cli_unsigned(struct cli *cli, const char *option, const char *text, uint64_t high,
                 uint64_t *value);
/* Finds the folder of tensix/ckernel_ops.h: beside the command (a build), or one up (installed). */
bool cli_headers(char include[512]);
void cli_tell(void *user, const char *text); /* prints to stderr */
void cli_machine_default(struct machine_args *machine);
/* The settings for a chip; load also reads the kernels. CLI_CONTINUE or an exit code. */
int cli_machine_settle(struct cli *cli, struct machine_args *machine, enum tx_arch arch);
int cli_machine_load(struct cli *cli, struct machine_args *machine, const struct cli_list *kernels,
                     struct tx_program **program);
/* Loads the kernel of a command that takes one file. */
int cli_kernel(struct cli *cli, const char *file, enum tx_arch arch, struct tx_program **program);
/* Fills in the options of tensix race from those of the machine. */
void cli_race_options(const struct machine_args *machine, const char *name,
                      struct txl_race_options *how);
/* Completes cores->how once all options are parsed. machine: the machine's options, or NULL. */
void cli_cores_settle(struct cores_args *cores, const struct machine_args *machine);
/* Serves gdb at a tile, at the place that --gdb names. */
int cli_gdb(struct cli *cli, txl_tensix *tile, const char *where);
/* Takes commands for a debugger from options, a screen or standard input. */
int cli_talk(struct cli *cli, const struct talk_args *a, txl_debug *debug);
/* Refuses words and options that are a kernel's. CLI_CONTINUE or an exit code. */
int cli_cores_only(struct cli *cli, const struct cli_list *words, const char *const *of_kernels);
/* Completes the options of a file of tiles; format: the option that states one. */
void cli_tensor_settle(struct cli *cli, struct tensor_args *tensor, const char *format, bool tiles);
/* Set members that several option structs of the lab library share; o points to one. */
#define CLI_GIVE_L1(o, m)                                                                     \
    ((o)->scratch = cli_scratch(), (o)->settings = &(m)->settings, (o)->l1_in = (m)->l1.text, \
     (o)->l1_in_count = (m)->l1.count, (o)->l1_out = (m)->l1_out.text,                        \
     (o)->l1_out_count = (m)->l1_out.count)
#define CLI_GIVE_MACHINE(o, m, words)                                            \
    (CLI_GIVE_L1(o, m), (o)->name = (words).text[0], (o)->kernel = &(m)->kernel, \
     (o)->kernel_size = sizeof(m)->kernel, (o)->sets = (m)->set.text,            \
     (o)->set_count = (m)->set.count, (o)->inputs = (m)->in.text,                \
     (o)->input_count = (m)->in.count)
/* Prints and frees a report of the lab library. CLI_OK; CLI_INPUT for NULL: out of memory. */
int cli_put(struct cli *cli, char *text);
/* The same for a JSON value, which is freed. */
int cli_json(struct cli *cli, txl_json *root);
/* Prints a report and behind it that of races; with --json that is its member "races". */
int cli_put_races(struct cli *cli, char *text, const txl_race *race, bool evidence);
/* Ends the command: prints the error, checks that stdout took everything. Returns the code. */
int cli_finish(struct cli *cli, int code);

/* Whether the words of race name programs on tiles: X,Y/CORE=FILE. */
bool cli_is_order(int argc, char **argv);
/* cmd_order.c, for --races: refuses options that are for it where it is not given */
struct order_args;
int cli_order_unasked(struct cli *cli, const struct order_args *args, bool races);
/* Makes a file that TENSIX_ORDER can name; path: room for PATH_MAX bytes. */
int cli_order_file(struct cli *cli, char *path);
/* Reads what processes have reported there, and removes it. NULL: an error, or nobody has watched.
 */
txl_order *cli_order_read(struct cli *cli, const char *path);

#endif
