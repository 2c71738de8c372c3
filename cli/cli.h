/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every subcommand shares: exit codes, one-line errors in text or JSON, option parsing, and
 * the loading of programs. Commands use the library's public headers only.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#define _GNU_SOURCE 1

#include <argp.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <tensix/tensix.h>

enum {
    CLI_OK = 0,
    CLI_NEGATIVE = 1, /* the answer is no: a check failed, strict mode stopped */
    CLI_INPUT = 2,    /* the command line or an input was refused */
    CLI_CONTINUE = -1 /* options are parsed: go on */
};

struct cli {
    const char *command; /* "run" */
    bool json;
    bool caret; /* show the source line under an error even when not on a terminal */
    bool helped;
    bool failed; /* an error has been printed */
    const struct argp *argp;
};

/* Where in a file an error stands; 0 where there is no line or column. */
struct cli_where {
    const char *file;
    unsigned line, column, length;
    const char *source; /* the line itself, or NULL */
};

/* Both print one line (or one JSON object on stdout) and return CLI_INPUT. */
int cli_fail(struct cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));
int cli_fail_at(struct cli *cli, const struct cli_where *where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A negative answer with its own exit code, same shape. */
int cli_refuse(struct cli *cli, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

enum {
    CLI_KEY_JSON = 0x1001,
    CLI_KEY_HELP,
    CLI_KEY_START,
    CLI_KEY_FIRST = 0x1100 /* keys of the commands start here */
};

#define CLI_COMMON_OPTIONS                                                                  \
    {"json", CLI_KEY_JSON, NULL, 0, "Results and errors as one JSON object on stdout", 90}, \
    {                                                                                       \
        "help", 'h', NULL, 0, "Give this help", 91                                          \
    }

/* --start, for commands that run kernels; cli_start takes its argument. */
#define CLI_START_OPTION(group)                                                                  \
    {                                                                                            \
        "start", CLI_KEY_START, "vendor|reset", 0,                                               \
            "State before .init: as tt-llk's start code leaves it, or as at power on; default: " \
            "the kernel's .start, else reset",                                                   \
            group                                                                                \
    }

/*
 * Options are checked against the table first, so that a wrong one is answered by one line. Returns
 * CLI_CONTINUE, or the exit code. input is what the parser sees as state->input.
 */
int cli_parse(struct cli *cli, const struct argp *argp, int argc, char **argv, void *input);
/* For the default branch of a command's parser. */
error_t cli_common(struct cli *cli, int key);

/*
 * For the branches of a command's parser: 0, or CLI_INPUT after printing why. cli_arch leaves
 * TX_ARCH_NONE where the word names no modelled chip.
 */
int cli_arch(struct cli *cli, const char *text, enum tx_arch *arch);
int cli_dst(struct cli *cli, const char *option, const char *text, enum tx_dst_format *format);
int cli_start(struct cli *cli, const char *text, enum tx_start *start);
/* "int32 (two's complement)", "fp32". */
const char *cli_dst_text(enum tx_dst_format format, char text[80]);
/*
 * The state that its kernel begins in; behind the name of a Dst format: ", start vendor", or
 * nothing for the state at power on.
 */
const char *cli_start_name(const struct tx_program *program);
const char *cli_start_text(const struct tx_program *program);
/* dst and out as the kernel will have them, where the command line has left them open. */
void cli_formats(const struct tx_program *program, struct tx_kernel_options *options);
int cli_unsigned(struct cli *cli, const char *option, const char *text, uint64_t high,
                 uint64_t *value);
/* The one argument of a command; what: "kernel". */
int cli_only(struct cli *cli, const char *what, const char *text, const char **only);
/* Whole number with 0x, decimal or sign; false where it is none or outside low..high. */
/* --thread by number or name. 0, or CLI_INPUT after printing why. */
int cli_thread(struct cli *cli, const char *text, unsigned *thread);
bool cli_number(const char *text, int64_t low, int64_t high, int64_t *value);

/* The nearest of count names, or NULL where none is near. */
const char *cli_nearest(const char *word, const char *const *names, size_t count);

/* Whole file ("-": stdin) in memory with a zero behind it. NULL: printed. */
char *cli_read_file(struct cli *cli, const char *path, size_t *length);
/* Whole or not at all. CLI_OK, or CLI_INPUT (printed). */
int cli_write_file(struct cli *cli, const char *path, const void *data, size_t size);

struct cli_load {
    enum tx_arch arch; /* TX_ARCH_NONE: the text must say it */
    bool hex, ttinsn;
    bool threads;        /* a program with .thread is welcome */
    bool empty;          /* so is one without any instruction */
    enum tx_start start; /* TX_START_UNSET: what the text says */
};

/* Reads and assembles; printed and CLI_INPUT on failure. A name that ends in .hex is a hex list. */
int cli_load_program(struct cli *cli, const char *path, const struct cli_load *how,
                     struct tx_program **out);
/*
 * The same, words checked, for up to three files: several are the programs of threads 0, 1, 2.
 */
struct cli_files {
    const char *path[TX_THREADS];
    unsigned count;
};
int cli_load_kernel(struct cli *cli, const struct cli_files *files, const struct cli_load *how,
                    struct tx_program **out);
error_t cli_add_file(struct cli *cli, const char *path, struct cli_files *files);
/* Why the machine does not go on: the waits of all threads, one after another. */
const char *cli_stuck_text(const tx_machine *machine, enum tx_status status, char *text,
                           size_t size);
/* File and line of a word: those of .loc, else path and the line of the text (0: not known). */
struct cli_where cli_where_word(const char *path, const struct tx_program *program,
                                unsigned section, size_t index);
/*
 * "relu.cpp:12" of a word that the machine names: text, or NULL where no .loc or more than one
 * place has such a word. program may be NULL.
 */
const char *cli_source_of(const struct tx_program *program, uint32_t word, char text[256]);
/* Refuses words that the program's chip does not have, naming file and line. */
int cli_check_words(struct cli *cli, const char *path, const struct tx_program *program);

/* "blackhole": exits quietly on a broken pipe, checks that stdout took everything. */
int cli_finish(struct cli *cli, int code);

const char *cli_basename(const char *path);
const char *cli_unit_name(unsigned unit);

int cmd_run(struct cli *cli, int argc, char **argv);
int cmd_bench(struct cli *cli, int argc, char **argv);
int cmd_asm(struct cli *cli, int argc, char **argv);
int cmd_convert(struct cli *cli, int argc, char **argv);
int cmd_diff(struct cli *cli, int argc, char **argv);
int cmd_dis(struct cli *cli, int argc, char **argv);
int cmd_check(struct cli *cli, int argc, char **argv);
int cmd_eval(struct cli *cli, int argc, char **argv);
int cmd_explain(struct cli *cli, int argc, char **argv);
int cmd_isa(struct cli *cli, int argc, char **argv);
int cmd_map(struct cli *cli, int argc, char **argv);
int cmd_compare(struct cli *cli, int argc, char **argv);
int cmd_record(struct cli *cli, int argc, char **argv);
int cmd_sweep(struct cli *cli, int argc, char **argv);
int cmd_tile(struct cli *cli, int argc, char **argv);
int cmd_trace(struct cli *cli, int argc, char **argv);

#endif
