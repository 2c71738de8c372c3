/* SPDX-License-Identifier: Apache-2.0 */
/* tensix check: runs vectors, or records them. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tensix-lab/vectors.h>

#include "print/progress.h"

enum {
    KEY_ENGINE = CLI_KEY_FIRST,
    KEY_STRICT_VERSION,
    KEY_RECORD,
    KEY_ARCH,
    KEY_INITIAL,
    KEY_THREAD
};

enum { JOBS = 64 };

struct check_args {
    struct cli *cli;
    struct txl_check_options check;
    struct txl_vectors_options record;
    const char *out; /* NULL: standard output */
    const char *const *files;
    unsigned count;
    bool recording, quiet;
};

static const struct argp_option options[] = {
    {"engine", KEY_ENGINE, "NAME", 0,
     "Which engine runs the vectors: reference (default), or fast or compiled, on all levels of "
     "this "
     "CPU",
     1},
    {"jobs", 'j', "N", 0, "Vectors at a time, default: all processors", 1},
    {"quiet", 'q', NULL, 0, "Print the last line only", 1},
    {"strict-version", KEY_STRICT_VERSION, NULL, 0, "Refuse vectors without \"format\": 1", 1},
    {"record", KEY_RECORD, NULL, 0, "FILES are programs: run them and write vectors", 2},
    {"arch", KEY_ARCH, "CHIP", 0, "--record: chip, default: the program's .arch", 2},
    {"thread", KEY_THREAD, "N", 0,
     "--record: issuing thread, 0 to 2 or unpack, math, pack; default 1", 2},
    {"initial", KEY_INITIAL, "STATE.json", 0, "--record: state before, default: reset", 2},
    {"out", 'o', "V.jsonl", 0, "--record: where to, default: standard output", 2},
    CLI_COMMON_OPTIONS,
    {0}};

static const char doc[] =
    "Runs conformance vectors (.jsonl, plain or gzip) and tells the first difference of each "
    "that fails. The last line is 'N passed, N failed'.\vA vector is a JSON object on a line: "
    "name, arch, program (or programs), initial, final, cycles, issue_cycles, fault. It runs in "
    "silicon mode, or in strict mode where it has a fault. A line that cannot be understood "
    "counts as failed. The exit status is 0 only if none failed.";

static error_t parse_value(struct check_args *a, int key, char *arg)
{
    uint64_t number = 0;
    int result = 0;
    switch (key) {
    case KEY_ENGINE:
        if (strcmp(arg, "auto") != 0) {
            return txl_engine_parse(&a->cli->error, arg, &a->check.engine);
        }
        /* Users of check want to know which engine it was. */
        return cli_fail(a->cli, "--engine: 'auto' is none of compiled, fast, reference");
    case KEY_ARCH:
        return cli_arch(a->cli, arg, &a->record.arch);
    case 'j':
        result = cli_unsigned(a->cli, "--jobs", arg, JOBS, &number);
        a->check.jobs = (unsigned)number;
        return result;
    case KEY_THREAD:
        return cli_thread(a->cli, arg, &a->record.thread);
    default:
        return cli_common(a->cli, key);
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct check_args *a = state->input;
    switch (key) {
    case 'q':
        a->quiet = true;
        return 0;
    case KEY_STRICT_VERSION:
        a->check.strict_version = true;
        return 0;
    case KEY_RECORD:
        a->recording = true;
        return 0;
    case KEY_INITIAL:
        a->record.initial = arg;
        return 0;
    case 'o':
        a->out = arg;
        return 0;
    case ARGP_KEY_ARGS:
        a->files = (const char *const *)(state->argv + state->next);
        a->count = (unsigned)(state->argc - state->next);
        return 0;
    default:
        return parse_value(a, key, arg);
    }
}

static void print_failure(void *user, const struct txl_check_failure *f)
{
    const struct check_args *a = user;
    if (!a->cli->json && !a->quiet) {
        printf("%s:%u: %s%s%s\n", f->file, f->line, f->name, f->name[0] != '\0' ? ": " : "",
               f->message);
    }
}

static void print_result(const struct check_args *a, const struct txl_check *done)
{
    const size_t most = sizeof done->left / sizeof done->left[0];
    for (size_t i = 0; i < most && done->left[i].reason != NULL && !a->quiet; i++) {
        printf("left to the reference engine: %llu, because %s\n",
               (unsigned long long)done->left[i].count, done->left[i].reason);
    }
    if (a->check.engine == TXL_ENGINE_COMPILED && !a->quiet) {
        printf("compiled: %llu steps, on %u levels\n", (unsigned long long)done->compiled_steps,
               done->levels);
    }
    printf("%llu passed, %llu failed\n", (unsigned long long)done->passed,
           (unsigned long long)done->failed);
}

static int run_vectors(struct check_args *a)
{
    struct progress bar;
    struct txl_check *done = NULL;
    if (a->check.jobs == 0) {
        const long online = sysconf(_SC_NPROCESSORS_ONLN);
        a->check.jobs = online < 1 ? 1 : online > JOBS ? JOBS : (unsigned)online;
    }
    if (a->check.engine == TXL_ENGINE_COMPILED) {
        a->check.compiler = cli_compiler(a->cli);
    }
    progress_start(&bar, !a->quiet, 1, "steps");
    a->check.compile_progress = bar.wanted ? progress_call : NULL;
    a->check.compile_user = &bar;
    a->check.failure = print_failure;
    a->check.failure_user = a;
    int result = txl_check_files(&a->cli->error, a->files, a->count, &a->check, &done);
    progress_end(&bar);
    if (result == TXL_OK) {
        result = done->failed == 0 ? CLI_OK : CLI_NEGATIVE;
        if (!a->cli->json) {
            print_result(a, done);
        } else if (cli_put(a->cli, txl_check_json(done)) != CLI_OK) {
            result = CLI_INPUT;
        }
    }
    txl_check_free(done);
    return result;
}

static int record(struct check_args *a)
{
    char *text = NULL;
    size_t length = 0;
    int result = txl_vectors_record(&a->cli->error, a->files, a->count, &a->record, &text, &length);
    if (result == TXL_OK && a->out != NULL) {
        result = txl_write_file(&a->cli->error, a->out, text, length);
    } else if (result == TXL_OK) {
        fwrite(text, 1, length, stdout);
    }
    free(text);
    return result;
}

int cmd_check(struct cli *cli, int argc, char **argv)
{
    struct check_args a = {.cli = cli,
                           .check = {.size = sizeof a.check, .engine = TXL_ENGINE_REFERENCE},
                           .record = {.size = sizeof a.record, .thread = 1}};
    static const struct argp argp = {options, parse, "FILES...", doc, NULL, NULL, NULL};
    int result = cli_parse(cli, &argp, argc, argv, &a);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (a.count == 0) {
        return cli_fail(cli, "no files given; see 'tensix check --help'");
    }
    if (a.recording) {
        return record(&a);
    }
    if (a.out != NULL || a.record.initial != NULL) {
        return cli_fail(cli, "--out and --initial belong to --record");
    }
    return run_vectors(&a);
}
