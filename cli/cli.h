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

enum {
    CLI_OK = TXL_OK,
    CLI_NEGATIVE = TXL_NEGATIVE, /* the answer is no: a check failed, or strict mode stopped */
    CLI_INPUT = TXL_INPUT,       /* the command line or an input was refused */
    CLI_CONTINUE = -1            /* the options are parsed, and the command goes on */
};

/* Version of the form of what --json prints: docs/cli.md says what raises it. */
enum { CLI_JSON_SCHEMA = 1 };

struct cli {
    const char *command; /* the subcommand, such as "run" */
    bool json;
    bool caret; /* show the source line under an error even where standard error is no terminal */
    bool helped;
    bool failed;            /* an error has been printed */
    struct txl_error error; /* from the lab library; cli_report prints it */
    const struct argp *argp;
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

enum {
    CLI_KEY_JSON = 0x1001,
    CLI_KEY_START,
    CLI_KEY_ARCH, /* up to CLI_KEY_HEX: see struct cli_machine */
    CLI_KEY_SET,
    CLI_KEY_RULE,
    CLI_KEY_L1,
    CLI_KEY_L1_OUT,
    CLI_KEY_SEED,
    CLI_KEY_THREAD,
    CLI_KEY_MAX_CYCLES,
    CLI_KEY_STRICT,
    CLI_KEY_HEX,
    CLI_KEY_ELF, /* up to CLI_KEY_SOURCES: see struct cli_tile */
    CLI_KEY_POKE,
    CLI_KEY_UNTIL,
    CLI_KEY_BOOT,
    CLI_KEY_UNTIMED,
    CLI_KEY_SOURCES,
    CLI_KEY_IN = 'i',
    CLI_KEY_FIRST = 0x1100 /* keys that only one command has start here */
};

#define CLI_COMMON_OPTIONS                                                                  \
    {"json", CLI_KEY_JSON, NULL, 0, "Results and errors as one JSON object on stdout", 90}, \
    {                                                                                       \
        "help", 'h', NULL, 0, "Give this help", 91                                          \
    }

/* --start, for commands that run kernels; cli_start parses its argument. */
#define CLI_START_OPTION(group)                                                                  \
    {                                                                                            \
        "start", CLI_KEY_START, "vendor|reset", 0,                                               \
            "State before .init: as tt-llk's start code leaves it, or as at power on; default: " \
            "the kernel's .start, else reset",                                                   \
            group                                                                                \
    }

/* What configures a machine before the kernel: cli_machine_option takes these. */
#define CLI_SET_OPTIONS(group)                                                                     \
    {"set", CLI_KEY_SET, "FIELD=VALUE", 0, "Configuration by the vendor's field name; may repeat", \
     group},                                                                                       \
    {                                                                                              \
        "rule", CLI_KEY_RULE, "NAME=VALUE", 0,                                                     \
            "Another reading of the sources (tensix isa lists them); may repeat", group            \
    }

/* How a kernel runs, likewise. */
#define CLI_KERNEL_OPTIONS(group)                                                                  \
    {"thread",                                                                                     \
     CLI_KEY_THREAD,                                                                               \
     "N",                                                                                          \
     0,                                                                                            \
     "Issuing Tensix thread: 0, 1, 2 or unpack, math, pack; default 1",                            \
     group},                                                                                       \
        {"max-cycles",                                                                             \
         CLI_KEY_MAX_CYCLES,                                                                       \
         "N",                                                                                      \
         0,                                                                                        \
         "End .init or a tile that takes more cycles (default 100000000, 0: no limit)",            \
         group},                                                                                   \
        {"hex", CLI_KEY_HEX, NULL, 0, "KERNEL is a list of hex words (as .hex files are)", group}, \
        CLI_SET_OPTIONS(group)

/* What commands that search take: the kernel's chip and formats, and where the result goes. */
#define CLI_SEARCH_OPTIONS(key_arch, key_dst)                                                  \
    {"arch", key_arch, "CHIP", 0, "bh or wh in any spelling; default: the kernel's .arch", 1}, \
        {"out", 'o', "OUT.s", 0, "Where the kernel goes to; default: it is not written", 1},   \
    {                                                                                          \
        "dst", key_dst, "FORMAT", 0, "Format of the inputs, as for sweep; default: .dst", 1    \
    }

/* The two options for files in L1, for the table and the parser of a command. */
#define CLI_L1_OPTIONS(key_in, key_out, group)                                                    \
    {"l1",                                                                                        \
     key_in,                                                                                      \
     "ADDRESS=FILE",                                                                              \
     0,                                                                                           \
     "Put a file into L1 first, at a multiple of 16 bytes: X.npy:FORMAT, tiles of 32x32 in that " \
     "format (with :rows row by row, with :sm integers as sign and magnitude), or the bytes of "  \
     "another file; may repeat",                                                                  \
     group},                                                                                      \
    {                                                                                             \
        "l1-out", key_out, "ADDRESS:FORMAT:SHAPE=FILE", 0,                                        \
            "Write what L1 holds in the end: Y.npy of numbers, or bytes; FORMAT and :rows, :sm "  \
            "as "                                                                                 \
            "for --l1; may repeat",                                                               \
            group                                                                                 \
    }

/* The arguments of an option that may repeat; cli_add refuses more than `most`. */
struct cli_list {
    const char *text[64];
    unsigned count;
};
int cli_add(struct cli *cli, struct cli_list *list, unsigned most, const char *option,
            const char *text);
/* Applies the NAME=VALUE arguments of --rule. Returns 0, or CLI_INPUT after printing why. */
int cli_rules(struct cli *cli, const struct cli_list *rules, struct tx_settings *settings);

/*
 * Parses the command line. Options are checked against the table first, so that a wrong one gives a
 * single line. Returns CLI_CONTINUE or the exit code. The parser sees input as state->input.
 */
int cli_parse(struct cli *cli, const struct argp *argp, int argc, char **argv, void *input);
/* For the default branch of a command's parser: handles the options that all commands have. */
error_t cli_common(struct cli *cli, int key);

/* For the branches of a command's parser. They return 0, or CLI_INPUT after printing why. */
int cli_arch(struct cli *cli, const char *text, enum tx_arch *arch);
int cli_dst(struct cli *cli, const char *option, const char *text, enum tx_dst_format *format);
int cli_start(struct cli *cli, const char *text, enum tx_start *start);
int cli_unsigned(struct cli *cli, const char *option, const char *text, uint64_t high,
                 uint64_t *value);
/* The only argument of a command; what: its name in messages, such as "kernel". */
int cli_only(struct cli *cli, const char *what, const char *text, const char **only);
/* The thread of --thread, by number or name. */
int cli_thread(struct cli *cli, const char *text, unsigned *thread);
/* Finds the folder of tensix/ckernel_ops.h: beside the command (a build), or one up (installed). */
bool cli_headers(char include[512]);
/* -I DIR and -D NAME, passed to a compiler unchanged. */
enum { CLI_FLAGS = 64 };
error_t cli_flag(struct cli *cli, const char **flags, unsigned *count, int key, const char *value);
void cli_tell(void *user, const char *text); /* prints to stderr */
/* What run, trace, eval and other commands are told about the machine and the kernel on it. */
enum { CLI_INPUTS = 16, CLI_L1_FILES = 32 };
struct cli_machine {
    struct {
        const char *path[TX_THREADS];
        unsigned count;
    } kernels;
    struct cli_list ins, sets, rules, l1_in, l1_out;
    enum tx_arch arch;
    enum tx_start start;
    bool hex, strict;
    uint64_t max_cycles;
    struct tx_settings settings; /* valid after cli_machine_settle */
    struct tx_kernel_options kernel;
};
void cli_machine_default(struct cli_machine *machine);
/* For the default branch of their parsers, instead of cli_common. */
error_t cli_machine_option(struct cli *cli, int key, const char *arg, struct cli_machine *machine);
/* The settings for a chip; load also reads the kernels. CLI_CONTINUE or an exit code. */
int cli_machine_settle(struct cli *cli, struct cli_machine *machine, enum tx_arch arch);
int cli_machine_load(struct cli *cli, struct cli_machine *machine, struct tx_program **program);
/* Loads the kernel of a command that takes one file; NULL: none was given. */
int cli_kernel(struct cli *cli, const char *file, enum tx_arch arch, struct tx_program **program);
/* Fills in the options of tensix race from those of the machine. */
void cli_race_options(const struct cli_machine *machine, struct txl_race_options *how);
/* The programs of a tile's cores, for the commands that run them. */
enum { CLI_TILE_WORDS = 64 };
struct cli_tile {
    struct txl_tensix_options how;
    struct txl_tensix_program programs[TX_CORES];
    struct txl_tensix_word pokes[CLI_TILE_WORDS], until[CLI_TILE_WORDS];
    struct txl_tensix_late late[CLI_TILE_WORDS];
    struct cli_list l1, l1_out, sources;
};
/* For commands that show sources; cli_tile_option takes it. */
#define CLI_SOURCES_OPTION(group)                                                                  \
    {                                                                                              \
        "sources", CLI_KEY_SOURCES, "DIR", 0,                                                      \
            "Show sources that lie beneath this folder, too; others must lie beneath the working " \
            "directory or beside the programs; may repeat",                                        \
            group                                                                                  \
    }
#define CLI_TILE_OPTIONS(group)                                                                   \
    {"elf",                                                                                       \
     CLI_KEY_ELF,                                                                                 \
     "CORE=FILE",                                                                                 \
     0,                                                                                           \
     "Program of a core, b t0 t1 t2 nc (or brisc, unpack ...): an ELF file, else an image for "   \
     "its "                                                                                       \
     "default start address; may repeat",                                                         \
     group},                                                                                      \
        {"poke",                                                                                  \
         CLI_KEY_POKE,                                                                            \
         "ADDRESS=VALUE[@CYCLE]",                                                                 \
         0,                                                                                       \
         "Store a word before the cores start, or in that cycle; may repeat",                     \
         group},                                                                                  \
        {"boot",                                                                                  \
         CLI_KEY_BOOT,                                                                            \
         "b",                                                                                     \
         0,                                                                                       \
         "Start core B only, with the start addresses of T0 to T2 where tt-llk's firmware looks " \
         "for them; default: every core that has a program starts",                               \
         group},                                                                                  \
        {"until",                                                                                 \
         CLI_KEY_UNTIL,                                                                           \
         "ADDRESS=VALUE",                                                                         \
         0,                                                                                       \
         "End when the word has the value; of several, all of them. Default: when every core "    \
         "rests",                                                                                 \
         group},                                                                                  \
    {                                                                                             \
        "untimed", CLI_KEY_UNTIMED, NULL, 0, "No time: cores and threads take turns", group       \
    }
/*
 * Parses these options and those for chip, files in L1 and limits. Returns 0, CLI_INPUT after
 * printing why, or ARGP_ERR_UNKNOWN.
 */
error_t cli_tile_option(struct cli *cli, int key, const char *arg, struct cli_tile *tile);
/* Completes tile->how once all options are parsed. machine: the machine's options, or NULL. */
void cli_tile_settle(struct cli_tile *tile, const struct cli_machine *machine);
/* Set members that several option structs of the lab library share; o points to one. */
#define CLI_GIVE_L1(o, m)                                                                        \
    ((o)->scratch = cli_scratch(), (o)->settings = &(m)->settings, (o)->l1_in = (m)->l1_in.text, \
     (o)->l1_in_count = (m)->l1_in.count, (o)->l1_out = (m)->l1_out.text,                        \
     (o)->l1_out_count = (m)->l1_out.count)
#define CLI_GIVE_MACHINE(o, m)                                                        \
    (CLI_GIVE_L1(o, m), (o)->name = (m)->kernels.path[0], (o)->kernel = &(m)->kernel, \
     (o)->kernel_size = sizeof(m)->kernel, (o)->sets = (m)->sets.text,                \
     (o)->set_count = (m)->sets.count, (o)->inputs = (m)->ins.text,                   \
     (o)->input_count = (m)->ins.count)
/* The option that compares races with a file of known ones. */
#define CLI_KNOWN_OPTION(key, group)                                                        \
    {                                                                                       \
        "known", key, "FILE", 0,                                                            \
            "Races that FILE has are known and do not fail; where FILE is not there it is " \
            "written and "                                                                  \
            "gets all races of this run",                                                   \
            group                                                                           \
    }

/* Prints and frees a report of the lab library. CLI_OK; CLI_INPUT for NULL: out of memory. */
int cli_put(struct cli *cli, char *text);
/* The same for a JSON value, which is freed. */
int cli_json(struct cli *cli, txl_json *root);
/* Prints a report and behind it that of races; with --json that is its member "races". */
int cli_put_races(struct cli *cli, char *text, const txl_race *race, bool evidence);
/* Ends the command: prints the error, checks that stdout took everything. Returns the code. */
int cli_finish(struct cli *cli, int code);

int cmd_run(struct cli *cli, int argc, char **argv);
int cmd_bench(struct cli *cli, int argc, char **argv);
int cmd_asm(struct cli *cli, int argc, char **argv);
int cmd_convert(struct cli *cli, int argc, char **argv);
int cmd_diff(struct cli *cli, int argc, char **argv);
int cmd_dis(struct cli *cli, int argc, char **argv);
int cmd_card(struct cli *cli, int argc, char **argv);
int cmd_check(struct cli *cli, int argc, char **argv);
int cmd_chip(struct cli *cli, int argc, char **argv);
int cmd_eval(struct cli *cli, int argc, char **argv);
int cmd_lint(struct cli *cli, int argc, char **argv);
int cmd_lsp(struct cli *cli, int argc, char **argv);
int cmd_debug(struct cli *cli, int argc, char **argv);
int cmd_expand(struct cli *cli, int argc, char **argv);
int cmd_fit(struct cli *cli, int argc, char **argv);
int cmd_schedule(struct cli *cli, int argc, char **argv);
int cmd_opt(struct cli *cli, int argc, char **argv);
int cmd_explain(struct cli *cli, int argc, char **argv);
int cmd_isa(struct cli *cli, int argc, char **argv);
int cmd_map(struct cli *cli, int argc, char **argv);
int cmd_compare(struct cli *cli, int argc, char **argv);
int cmd_race(struct cli *cli, int argc, char **argv);
int cmd_order(struct cli *cli, int argc, char **argv);
/* Whether the arguments of race name programs on tiles: X,Y/CORE=FILE. */
bool cli_is_order(int argc, char **argv);
int cmd_record(struct cli *cli, int argc, char **argv);
int cmd_cc(struct cli *cli, int argc, char **argv);
int cmd_silicon(struct cli *cli, int argc, char **argv);
int cmd_sweep(struct cli *cli, int argc, char **argv);
int tile_run(struct cli *cli, int argc, char **argv);
int cmd_tile(struct cli *cli, int argc, char **argv);
int cmd_trace(struct cli *cli, int argc, char **argv);

#endif
