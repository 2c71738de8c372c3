/* SPDX-License-Identifier: Apache-2.0 */
/* tensix check: files of vectors, several lines at a time, answers in the files' order. */
#include "cli.h"

#include "vectors/check.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "engine/compile.h"
#include "engine/engine.h"
#include "base/json.h"
#include "base/progress.h"

enum {
    KEY_ENGINE = CLI_KEY_FIRST,
    KEY_STRICT_VERSION,
    KEY_RECORD,
    KEY_ARCH,
    KEY_INITIAL,
    KEY_THREAD
};

enum { BATCH = 128, REASONS = 16, JOBS = 64, LEVELS = 4 };

static const size_t longest_line = (size_t)64 << 20;

struct item {
    char *line;
    size_t length;
    unsigned number;
    bool passed;
    const char *reason; /* why the fast engine left it to the reference engine */
    char name[VEC_NAME];
    char message[VEC_MESSAGE];
};

struct check {
    struct cli *cli;
    struct check_record record;
    bool recording, strict_version, quiet;
    enum txl_engine engine;
    struct check_engine levels[LEVELS]; /* of this CPU; what the vectors run on again */
    unsigned level_count;
    bool collecting; /* steps that will be compiled; nothing is told */
    unsigned jobs;
    uint64_t passed, failed, compiled; /* compiled: steps */
    struct {
        const char *reason;
        uint64_t count;
    } left[REASONS];  /* to the reference engine */
    json_t *failures; /* --json */
    struct item items[BATCH];
    unsigned count, next;
    pthread_mutex_t mutex;
    struct check_machines machines[JOBS];
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

static error_t parse_value(struct check *c, int key, char *arg)
{
    uint64_t number = 0;
    int result = 0;
    switch (key) {
    case KEY_ENGINE:
        if (strcmp(arg, "auto") != 0) {
            result = txl_engine_parse(&c->cli->error, arg, &c->engine);
        } else { /* a user of check wants to know which one it was */
            result = cli_fail(c->cli, "--engine: 'auto' is none of compiled, fast, reference");
        }
        break;
    case KEY_ARCH:
        result = cli_arch(c->cli, arg, &c->record.arch);
        break;
    case 'j':
        result = cli_unsigned(c->cli, "--jobs", arg, JOBS, &number);
        c->jobs = (unsigned)number;
        break;
    case KEY_THREAD:
        result = cli_thread(c->cli, arg, &c->record.thread);
        break;
    default:
        return cli_common(c->cli, key);
    }
    return result;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct check *c = state->input;
    switch (key) {
    case 'q':
        c->quiet = true;
        return 0;
    case KEY_STRICT_VERSION:
        c->strict_version = true;
        return 0;
    case KEY_RECORD:
        c->recording = true;
        return 0;
    case KEY_INITIAL:
        c->record.initial = arg;
        return 0;
    case 'o':
        c->record.out = arg;
        return 0;
    case ARGP_KEY_ARGS:
        c->record.files = state->argv + state->next;
        c->record.count = (unsigned)(state->argc - state->next);
        return 0;
    default:
        return parse_value(c, key, arg);
    }
}

/* On the reference engine, or on every level of another one. */
static bool run_levels(const struct check *c, struct check_machines *machines,
                       const struct vector *vector, struct item *item)
{
    const char *reason = NULL;
    bool passed = true;
    if (c->engine == TXL_ENGINE_REFERENCE) {
        return check_run(machines, vector, NULL, &reason, item->message);
    }
    for (unsigned i = 0; (passed || c->collecting) && i < c->level_count; i++) {
        passed = check_run(machines, vector, &c->levels[i], &reason, item->message);
    }
    item->reason = reason;
    return passed;
}

static void run_item(struct check *c, struct item *item, struct check_machines *machines)
{
    struct vector *vector = NULL;
    if (!vector_parse(item->line, item->length, &vector, item->message)) {
        vector_name(item->line, item->length, item->name);
        item->passed = false;
        return;
    }
    snprintf(item->name, sizeof item->name, "%s", vector->name);
    if (c->strict_version && !vector->has_format) {
        snprintf(item->message, sizeof item->message, "format is missing");
        item->passed = false;
    } else {
        item->passed = run_levels(c, machines, vector, item);
    }
    vector_free(vector);
}

struct job {
    struct check *check;
    unsigned number;
    pthread_t thread;
};

static void *work(void *argument)
{
    struct job *job = argument;
    struct check *c = job->check;
    for (;;) {
        pthread_mutex_lock(&c->mutex);
        unsigned i = c->next < c->count ? c->next++ : c->count;
        pthread_mutex_unlock(&c->mutex);
        if (i == c->count) {
            return NULL;
        }
        run_item(c, &c->items[i], &c->machines[job->number]);
    }
}

static void report(struct check *c, const char *file, const struct item *item)
{
    for (unsigned i = 0; item->reason != NULL && i < REASONS; i++) {
        if (c->left[i].reason == NULL || strcmp(c->left[i].reason, item->reason) == 0) {
            c->left[i].reason = item->reason;
            c->left[i].count++;
            break;
        }
    }
    if (item->passed) {
        c->passed++;
        return;
    }
    c->failed++;
    if (c->cli->json) {
        json_t *object = json_object();
        jx_set_text(object, "file", file);
        jx_set_int(object, "line", item->number);
        jx_set_text(object, "name", item->name);
        jx_set_text(object, "message", item->message);
        json_array_append_new(c->failures, object);
    } else if (!c->quiet) {
        printf("%s:%u: %s%s%s\n", file, item->number, item->name, item->name[0] != '\0' ? ": " : "",
               item->message);
    }
}

static void run_batch(struct check *c, const char *file)
{
    struct job jobs[JOBS];
    unsigned started = 0;
    c->next = 0;
    for (unsigned i = 1; i < c->jobs && i < c->count && !c->collecting; i++) {
        jobs[i] = (struct job){.check = c, .number = i};
        if (pthread_create(&jobs[i].thread, NULL, work, &jobs[i]) != 0) {
            break;
        }
        started = i;
    }
    jobs[0] = (struct job){.check = c, .number = 0};
    work(&jobs[0]);
    for (unsigned i = 1; i <= started; i++) {
        pthread_join(jobs[i].thread, NULL);
    }
    for (unsigned i = 0; i < c->count; i++) {
        if (!c->collecting) {
            report(c, file, &c->items[i]);
        }
        free(c->items[i].line);
        c->items[i].line = NULL;
    }
    c->count = 0;
}

/* One line without its end; NULL at the end of the file or on an error (*error set). */
static char *read_line(gzFile file, size_t *length, const char **error)
{
    size_t room = 4096;
    size_t used = 0;
    char *line = malloc(room);
    *error = NULL;
    while (line != NULL) {
        if (gzgets(file, line + used, (int)(room - used)) == NULL) {
            break;
        }
        used += strlen(line + used);
        if (used > 0 && line[used - 1] == '\n') {
            break;
        }
        if (used + 1 < room) {
            break; /* the end of the file, or a zero byte: the parser will refuse that */
        }
        room *= 2;
        char *larger = room > longest_line ? NULL : realloc(line, room);
        if (larger == NULL) {
            *error = "a line is longer than 64 MiB";
            free(line);
            return NULL;
        }
        line = larger;
    }
    int number = Z_OK;
    const char *text = gzerror(file, &number);
    if (number != Z_OK && number != Z_STREAM_END) {
        *error = number == Z_ERRNO ? strerror(errno) : text;
        used = 0;
    }
    if (line == NULL || used == 0) {
        free(line);
        *error = line == NULL ? "out of memory" : *error;
        return NULL;
    }
    *length = used;
    return line;
}

static bool blank(const char *line, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (strchr(" \t\r\n", line[i]) == NULL || line[i] == '\0') {
            return false;
        }
    }
    return true;
}

static int run_file(struct check *c, const char *path)
{
    struct txl_where where = {.file = path};
    gzFile file = strcmp(path, "-") == 0 ? gzdopen(dup(STDIN_FILENO), "rb") : gzopen(path, "rbe");
    if (file == NULL) {
        return cli_fail_at(c->cli, &where, "%s", strerror(errno != 0 ? errno : ENOMEM));
    }
    gzbuffer(file, 1 << 18);
    const char *error = NULL;
    unsigned number = 0;
    for (;;) {
        size_t length = 0;
        char *line = read_line(file, &length, &error);
        if (line == NULL) {
            break;
        }
        number++;
        if (blank(line, length)) {
            free(line);
            continue;
        }
        c->items[c->count++] = (struct item){.line = line, .length = length, .number = number};
        if (c->count == BATCH) {
            run_batch(c, path);
        }
    }
    run_batch(c, path);
    int result = CLI_CONTINUE;
    if (error != NULL) {
        where.line = number + 1;
        result = cli_fail_at(c->cli, &where, "%s", error);
    }
    gzclose(file);
    return result;
}

static json_t *left_json(const struct check *c)
{
    json_t *list = json_object();
    for (unsigned i = 0; i < REASONS && c->left[i].reason != NULL; i++) {
        jx_set_int(list, c->left[i].reason, c->left[i].count);
    }
    return list;
}

static int each_file(struct check *c)
{
    int result = CLI_CONTINUE;
    for (unsigned i = 0; i < c->record.count && result == CLI_CONTINUE; i++) {
        result = run_file(c, c->record.files[i]);
    }
    return result;
}

/* ---- compiled ---- */

static int open_steps(struct check *c)
{
    for (unsigned i = 0; i < c->level_count; i++) {
        for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
            const tx_machine *m = check_machine(&c->machines[0], arch, TX_MODE_SILICON);
            struct check_engine *e = &c->levels[i];
            if (m == NULL || tx_fast_steps_open(m, e->level, &e->steps[arch]) != TX_OK) {
                return cli_fail(c->cli, "out of memory");
            }
        }
    }
    return CLI_CONTINUE;
}

/* Once through the vectors for what they need, which the compiler then makes. */
static int compile_all(struct check *c)
{
    for (unsigned i = 0; i < c->record.count; i++) {
        if (strcmp(c->record.files[i], "-") == 0) {
            return cli_fail(c->cli, "--engine compiled reads vectors twice: name a file, not '-'");
        }
    }
    int result = open_steps(c);
    c->collecting = true;
    result = result == CLI_CONTINUE ? each_file(c) : result;
    c->collecting = false;
    for (unsigned i = 0; i < c->level_count && result == CLI_CONTINUE; i++) {
        for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
            tx_fast_steps *steps = c->levels[i].steps[arch];
            struct progress bar;
            struct txl_error why = {.status = TXL_OK};
            progress_start(&bar, !c->quiet, tx_fast_steps_count(steps), "steps");
            const int compiled = compile_steps(&why, cli_compiler(c->cli), steps, c->jobs,
                                               bar.wanted ? progress_call : NULL, &bar);
            progress_end(&bar);
            if (compiled != CLI_CONTINUE) {
                return cli_fail(c->cli, "--engine compiled: %s", why.message);
            }
            c->compiled += tx_fast_steps_count(steps);
        }
    }
    return result;
}

static void print_result(const struct check *c)
{
    if (c->cli->json) {
        json_t *root = json_object();
        jx_set_int(root, "passed", c->passed);
        jx_set_int(root, "failed", c->failed);
        json_object_set(root, "failures", c->failures);
        if (c->engine != TXL_ENGINE_REFERENCE) {
            json_object_set_new(root, "left_to_reference", left_json(c));
        }
        if (c->engine == TXL_ENGINE_COMPILED) {
            jx_set_int(root, "compiled_steps", c->compiled);
        }
        jx_print(stdout, root);
        json_decref(root);
        return;
    }
    for (unsigned i = 0; i < REASONS && c->left[i].reason != NULL && !c->quiet; i++) {
        printf("left to the reference engine: %llu, because %s\n",
               (unsigned long long)c->left[i].count, c->left[i].reason);
    }
    if (c->engine == TXL_ENGINE_COMPILED && !c->quiet) {
        printf("compiled: %llu steps, on %u levels\n", (unsigned long long)c->compiled,
               c->level_count);
    }
    printf("%llu passed, %llu failed\n", (unsigned long long)c->passed,
           (unsigned long long)c->failed);
}

static int run_files(struct check *c)
{
    int result = CLI_CONTINUE;
    c->failures = json_array();
    pthread_mutex_init(&c->mutex, NULL);
    while (c->level_count < LEVELS && tx_fast_level(c->level_count) != NULL) {
        c->levels[c->level_count].level = tx_fast_level(c->level_count);
        c->level_count++;
    }
    if (c->engine == TXL_ENGINE_COMPILED) {
        result = compile_all(c);
    }
    result = result == CLI_CONTINUE ? each_file(c) : result;
    pthread_mutex_destroy(&c->mutex);
    for (unsigned i = 0; i < JOBS; i++) {
        check_machines_close(&c->machines[i]);
    }
    for (unsigned i = 0; i < c->level_count; i++) {
        tx_fast_steps_close(c->levels[i].steps[TX_WORMHOLE]);
        tx_fast_steps_close(c->levels[i].steps[TX_BLACKHOLE]);
    }
    if (result == CLI_CONTINUE) {
        result = c->failed == 0 ? CLI_OK : CLI_NEGATIVE;
        print_result(c);
    }
    json_decref(c->failures);
    return result;
}

int cmd_check(struct cli *cli, int argc, char **argv)
{
    static struct check check;
    check.cli = cli;
    check.record.thread = 1;
    check.engine = TXL_ENGINE_REFERENCE;
    static const struct argp argp = {options, parse, "FILES...", doc, NULL, NULL, NULL};
    int result = cli_parse(cli, &argp, argc, argv, &check);
    if (result != CLI_CONTINUE) {
        return result;
    }
    if (check.record.count == 0) {
        return cli_fail(cli, "no files given; see 'tensix check --help'");
    }
    if (check.recording) {
        return check_record_all(&cli->error, &check.record);
    }
    if (check.record.out != NULL || check.record.initial != NULL) {
        return cli_fail(cli, "--out and --initial belong to --record");
    }
    if (check.jobs == 0) {
        long online = sysconf(_SC_NPROCESSORS_ONLN);
        check.jobs = online < 1 ? 1 : online > JOBS ? JOBS : (unsigned)online;
    }
    return run_files(&check);
}
