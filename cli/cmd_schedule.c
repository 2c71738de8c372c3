/* SPDX-License-Identifier: Apache-2.0 */
/* tensix schedule: a kernel's rows pipelined with SFPLOADMACRO; tensix opt: expand before it. */
#include "cli.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <tensix-lab/opt.h>
#include <tensix-lab/schedule.h>

#include "print/progress.h"

enum {
    KEY_ARCH = CLI_KEY_FIRST,
    KEY_DST,
    KEY_OUT_DST,
    KEY_II,
    KEY_TIME,
    KEY_NODES,
    KEY_RESERVE,
    KEY_HEADER,
    KEY_DOMAIN,
    KEY_SAMPLE,
    KEY_NO_PROGRESS
};

struct schedule_args {
    struct cli *cli;
    const char *file, *out, *header;
    enum tx_arch arch;
    struct txl_schedule_options how;
    struct progress bar;
    bool no_progress;
};

#define SEARCH_OPTIONS                                                                           \
    CLI_SEARCH_OPTIONS(KEY_ARCH, KEY_DST),                                                       \
        {"out-dst",                                                                              \
         KEY_OUT_DST,                                                                            \
         "FORMAT",                                                                               \
         0,                                                                                      \
         "Compare results read from Dst as this; default: .out, else --dst",                     \
         1},                                                                                     \
        {"nodes", KEY_NODES, "N", 0, "Give up an II after N steps of the search", 2},            \
        {"domain",                                                                               \
         KEY_DOMAIN,                                                                             \
         "DOMAIN",                                                                               \
         0,                                                                                      \
         "Inputs of the proof, as for sweep; default: bf16, of two inputs 65536 pairs of it",    \
         3},                                                                                     \
        {"sample", KEY_SAMPLE, "N", 0, "Check N inputs drawn from the domain; default: all", 3}, \
        {"no-progress", KEY_NO_PROGRESS, NULL, 0, "No progress bar on a terminal", 3},           \
        CLI_COMMON_OPTIONS

static const struct argp_option options[] = {
    SEARCH_OPTIONS,
    {"ii", KEY_II, "N", 0, "A row every N cycles, 1 to 32; default: the smallest number", 2},
    {"time", KEY_TIME, "SECONDS", 0, "End the search, with the best so far", 2},
    {"reserve", KEY_RESERVE, "WHAT", 0,
     "Not to be used: registers L0 to L7, templates t0 to t3 and sequences s0 to s3 with all "
     "before them, and dst for anything but results, separated by commas",
     2},
    {0}};

static const struct argp_option opt_options[] = {
    SEARCH_OPTIONS,
    {"header", KEY_HEADER, "OUT.h", 0,
     "The kernel as functions of TTI_ macros, too, in the vendor's style", 1},
    {"time", KEY_TIME, "SECONDS", 0, "End the search, with the best so far; default: 30, 0: none",
     2},
    {0}};

static const char opt_doc[] =
    "Makes a kernel shorter: what its SFPLOADMACROs schedule is written out, and its rows are read "
    "from what they compute and scheduled anew.\vThe result has no findings that KERNEL does not "
    "have and is compared with KERNEL over the domain. Where nothing shorter is found, or the rows "
    "cannot be scheduled, the kernel stays as it is, with the reason.";

static const char doc[] =
    "Finds how SFPLOADMACRO can run a straight-line kernel with a new row every few cycles: "
    "templates, sequences, delays, registers, order of issue.\vThe smallest distance of two rows "
    "is called optimal where it is the bound of the resources or every smaller one was refuted. "
    "What is found is run: it has no findings, takes the cycles it should and computes what KERNEL "
    "does. Rows that cannot be scheduled are refused with the reason and exit status 1. Ctrl-C "
    "ends the search with the best so far.";

static volatile sig_atomic_t interrupted;

static void on_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

static bool watch(void *user, uint64_t done, uint64_t total)
{
    struct schedule_args *a = user;
    if (total != 0 && !a->bar.shown) {
        progress_start(&a->bar, !a->no_progress, total, "inputs");
    }
    return interrupted == 0 && (total == 0 || progress_call(&a->bar, done, total));
}

static int reserve(struct schedule_args *a, const char *text)
{
    for (const char *at = text; *at != '\0'; at += *at == ',') {
        if (strncmp(at, "dst", 3) == 0 && (at[3] == ',' || at[3] == '\0')) {
            a->how.keep_dst = 1;
            at += 3;
            continue;
        }
        const char kind = *at++;
        const unsigned number = (unsigned)(*at - '0');
        const unsigned most = kind == 'L' || kind == 'l' ? 7 : 3;
        if (strchr("LlTtSs", kind) == NULL || number > most || (at[1] != ',' && at[1] != '\0')) {
            return cli_fail(a->cli, "--reserve takes L0..L7, t0..t3, s0..s3 and dst: %s", text);
        }
        at++;
        if (most == 7) {
            a->how.registers |= 1U << number;
        } else {
            unsigned *first = kind == 't' || kind == 'T' ? &a->how.templates : &a->how.sequences;
            *first = number + 1 > *first ? number + 1 : *first;
        }
    }
    return 0;
}

static int number(struct schedule_args *a, int key, const char *text)
{
    uint64_t ii = 0;
    switch (key) {
    case KEY_II:
        if (cli_unsigned(a->cli, "--ii", text, TXL_SCHEDULE_MOST, &ii) != 0) {
            return CLI_INPUT;
        }
        a->how.ii = (unsigned)ii;
        return ii != 0 ? 0 : cli_fail(a->cli, "--ii 0: rows cannot start at once");
    case KEY_TIME:
        return cli_unsigned(a->cli, "--time", text, 1000000, &a->how.seconds);
    case KEY_NODES:
        return cli_unsigned(a->cli, "--nodes", text, INT64_MAX, &a->how.nodes);
    default:
        return cli_unsigned(a->cli, "--sample", text, UINT32_MAX, &a->how.sample);
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct schedule_args *a = state->input;
    switch (key) {
    case KEY_ARCH:
        return cli_arch(a->cli, arg, &a->arch);
    case KEY_DST:
        return cli_dst(a->cli, "--dst", arg, &a->how.dst);
    case KEY_OUT_DST:
        return cli_dst(a->cli, "--out-dst", arg, &a->how.out);
    case 'o':
        a->out = arg;
        return 0;
    case KEY_II:
    case KEY_TIME:
    case KEY_NODES:
    case KEY_SAMPLE:
        return number(a, key, arg);
    case KEY_RESERVE:
        return reserve(a, arg);
    case KEY_HEADER:
        a->header = arg;
        return 0;
    case KEY_DOMAIN:
        a->how.domain = arg;
        return 0;
    case KEY_NO_PROGRESS:
        a->no_progress = true;
        return 0;
    case ARGP_KEY_ARG:
        return cli_only(a->cli, "kernel", arg, &a->file);
    default:
        return cli_common(a->cli, key);
    }
}

static int write_text(struct schedule_args *a, const char *path, const char *text)
{
    return path != NULL ? txl_write_file(&a->cli->error, path, text, strlen(text)) : CLI_OK;
}

static int run_schedule(struct schedule_args *a, const struct tx_program *program)
{
    struct txl_error *err = &a->cli->error;
    txl_schedule *made = NULL;
    int result = txl_schedule_find(err, program, &a->how, &made);
    progress_end(&a->bar);
    if (result == CLI_OK) {
        result = write_text(a, a->out, txl_schedule_text(made));
    }
    if (result == CLI_OK) {
        result = a->cli->json ? cli_json(a->cli, txl_schedule_json(err, made))
                              : cli_put(a->cli, txl_schedule_report(made));
    }
    txl_schedule_close(made);
    return result;
}

static int run_opt(struct schedule_args *a, const struct tx_program *program)
{
    const struct txl_opt_options how = {.size = sizeof how,
                                        .name = a->file,
                                        .dst = a->how.dst,
                                        .out = a->how.out,
                                        .seconds = a->how.seconds,
                                        .nodes = a->how.nodes,
                                        .domain = a->how.domain,
                                        .sample = a->how.sample,
                                        .progress = watch,
                                        .user = a};
    struct txl_error *err = &a->cli->error;
    txl_opt *made = NULL;
    int result = txl_opt_find(err, program, &how, &made);
    progress_end(&a->bar);
    char *header = result == CLI_OK && a->header != NULL ? txl_opt_header(err, made) : NULL;
    if (result == CLI_OK && a->header != NULL) {
        result = header != NULL ? write_text(a, a->header, header) : err->status;
    }
    free(header);
    if (result == CLI_OK) {
        result = write_text(a, a->out, txl_opt_text(made));
    }
    if (result == CLI_OK) {
        result = a->cli->json ? cli_json(a->cli, txl_opt_json(err, made))
                              : cli_put(a->cli, txl_opt_report(made));
    }
    txl_opt_close(made);
    return result;
}

static int command(struct schedule_args *a, const struct argp *argp, int argc, char **argv,
                   int (*run)(struct schedule_args *a, const struct tx_program *program))
{
    struct tx_program *program = NULL;
    int result = cli_parse(a->cli, argp, argc, argv, a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    a->how.name = a->file;
    a->how.progress = watch;
    a->how.user = a;
    void (*const before)(int) = signal(SIGINT, on_interrupt);
    result = cli_kernel(a->cli, a->file, a->arch, &program);
    if (result == CLI_OK) {
        result = run(a, program);
    }
    (void)signal(SIGINT, before);
    if (result == TXL_CANCELLED) {
        (void)raise(SIGINT); /* there is no result yet: end as any other command */
    }
    tx_program_free(program);
    return result;
}

int cmd_schedule(struct cli *cli, int argc, char **argv)
{
    struct schedule_args a = {.cli = cli, .how = {.size = sizeof a.how}};
    static const struct argp argp = {options, parse, "KERNEL", doc, NULL, NULL, NULL};
    return command(&a, &argp, argc, argv, run_schedule);
}

int cmd_opt(struct cli *cli, int argc, char **argv)
{
    struct schedule_args a = {.cli = cli, .how = {.size = sizeof a.how, .seconds = 30}};
    static const struct argp argp = {opt_options, parse, "KERNEL", opt_doc, NULL, NULL, NULL};
    return command(&a, &argp, argc, argv, run_opt);
}
