/* SPDX-License-Identifier: Apache-2.0 */
/*
 * txl_check: reads lines of vectors and checks them in batches, with results in the order of the
 * lines.
 */
#include <tensix/facts.h>
#include <tensix-lab/json.h>
#include <tensix-lab/vectors.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/memory.h"
#include "base/json.h"
#include "base/options.h"
#include "base/pool.h"
#include "engine/compile.h"
#include "vectors/check.h"

enum { BATCH = 128, JOBS = 64, LEVELS = 4 };

static const size_t longest_line = (size_t)64 << 20;

struct item {
    char *line;
    size_t length;
    unsigned number;
    bool passed;
    const char *reason; /* why the fast engine could not compute it */
    char name[VEC_NAME];
    struct txl_error err; /* why it has not passed */
};

struct checker {
    struct txl_check open; /* the first member, which the caller receives */
    struct txl_error *err;
    struct txl_check_options how;
    /* Levels of this CPU on which the vectors run a second time. */
    struct check_engine levels[LEVELS];
    bool collecting; /* only collecting the steps to be compiled; no results */
    struct txl_check_failure *failures;
    size_t failure_room;
    uint64_t done;
    struct item items[BATCH];
    unsigned count;
    struct check_machines machines[JOBS];
};

/* ---- one vector ---- */

/* Runs on the reference engine, or on every level of another one. */
static bool run_levels(const struct checker *c, struct check_machines *machines,
                       const struct vector *vector, struct item *item)
{
    const char *reason = NULL;
    bool passed = true;
    if (c->how.engine == TXL_ENGINE_REFERENCE) {
        return check_run(machines, vector, NULL, &reason, &item->err);
    }
    for (unsigned i = 0; (passed || c->collecting) && i < c->open.levels; i++) {
        passed = check_run(machines, vector, &c->levels[i], &reason, &item->err);
    }
    item->reason = reason;
    return passed;
}

static void run_item(const struct checker *c, struct item *item, struct check_machines *machines)
{
    struct vector *vector = NULL;
    if (check_is_chip(item->line, item->length)) {
        item->passed =
            check_chip(&machines->chips, item->line, item->length, item->name, &item->err);
        return;
    }
    if (!vector_parse(item->line, item->length, &vector, &item->err)) {
        vector_name(item->line, item->length, item->name);
        item->passed = false;
        return;
    }
    snprintf(item->name, sizeof item->name, "%s", vector->name);
    if (c->how.strict_version && !vector->has_format) {
        item->passed = fail_false(&item->err, "format is missing");
    } else {
        item->passed = run_levels(c, machines, vector, item);
    }
    vector_free(vector);
}

static void checker_work(struct pool *pool, void *user, unsigned worker)
{
    struct checker *c = user;
    uint64_t i = 0;
    while (pool_take(pool, &i)) {
        run_item(c, &c->items[i], &c->machines[worker]);
    }
}

/* ---- a batch ---- */

/* Adds a failure to the result, with copies of its texts. */
static int keep_failure(struct checker *c, const char *file, const struct item *item)
{
    if (!LIST_ROOM(c->failures, c->open.failed, c->failure_room, 1)) {
        return no_memory(c->err);
    }
    const size_t sizes[3] = {strlen(file) + 1, strlen(item->name) + 1,
                             strlen(item->err.message) + 1};
    char *texts = malloc(sizes[0] + sizes[1] + sizes[2]);
    if (texts == NULL) {
        return no_memory(c->err);
    }
    struct txl_check_failure *f = &c->failures[c->open.failed++];
    *f = (struct txl_check_failure){.file = texts,
                                    .line = item->number,
                                    .name = texts + sizes[0],
                                    .message = texts + sizes[0] + sizes[1]};
    memcpy(texts, file, sizes[0]);
    memcpy(texts + sizes[0], item->name, sizes[1]);
    memcpy(texts + sizes[0] + sizes[1], item->err.message, sizes[2]);
    if (c->how.failure != NULL) {
        c->how.failure(c->how.failure_user, f);
    }
    return TXL_CONTINUE;
}

static int report(struct checker *c, const char *file, const struct item *item)
{
    enum { REASONS = sizeof c->open.left / sizeof c->open.left[0] };
    for (unsigned i = 0; item->reason != NULL && i < REASONS; i++) {
        struct txl_check_left *left = &c->open.left[i];
        if (left->reason == NULL || strcmp(left->reason, item->reason) == 0) {
            left->reason = item->reason;
            left->count++;
            break;
        }
    }
    if (item->passed) {
        c->open.passed++;
        return TXL_CONTINUE;
    }
    return keep_failure(c, file, item);
}

static bool wanted(const struct checker *c)
{
    return c->how.progress == NULL || c->how.progress(c->how.progress_user, c->done, 0);
}

static int run_batch(struct checker *c, const char *file)
{
    /* Steps are collected in one list, so only one thread may do it. */
    const struct pool_how how = {.threads = c->collecting ? 1 : c->how.jobs,
                                 .pieces = c->count,
                                 .work = checker_work,
                                 .user = c};
    int result =
        wanted(c) ? pool_run(c->err, &how) : txl_refuse(c->err, TXL_CANCELLED, "cancelled");
    c->done += c->collecting ? 0 : c->count;
    for (unsigned i = 0; i < c->count; i++) {
        if (!c->collecting && result == TXL_CONTINUE) {
            result = report(c, file, &c->items[i]);
        }
        free(c->items[i].line);
        c->items[i].line = NULL;
    }
    c->count = 0;
    return result;
}

/* ---- lines ---- */

/* Lines from a file or from memory. */
struct source {
    const char *name;
    gzFile file;
    const char *text; /* the rest of it */
    size_t length;
};

/* Returns one line without its end, or NULL at the end of the file or on an error (*error set). */
static char *file_line(gzFile file, size_t *length, const char **error)
{
    size_t room = 4096;
    size_t used = 0;
    char *line = malloc(room);
    while (line != NULL) {
        const z_off_t begin = gztell(file);
        if (gzgets(file, line + used, (int)(room - used)) == NULL) {
            break;
        }
        used +=
            (size_t)(gztell(file) - begin); /* a zero byte ends nothing: the parser refuses it */
        if (used > 0 && line[used - 1] == '\n') {
            break;
        }
        if (used + 1 < room) {
            break; /* the end of the file */
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

static char *text_line(struct source *s, size_t *length, const char **error)
{
    if (s->length == 0) {
        return NULL;
    }
    const char *end = memchr(s->text, '\n', s->length);
    *length = end != NULL ? (size_t)(end - s->text) + 1 : s->length;
    char *line = malloc(*length + 1);
    if (line == NULL) {
        *error = "out of memory";
        return NULL;
    }
    memcpy(line, s->text, *length);
    line[*length] = '\0';
    s->text += *length;
    s->length -= *length;
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

/* Refuses a file whose first line is no JSON object: it holds something else than vectors. */
static int refuse_other(struct checker *c, const struct source *s, const char *line, size_t length,
                        unsigned number)
{
    const size_t from = strspn(line, " \t");
    if (s->file == NULL || (from < length && line[from] == '{')) {
        return TXL_CONTINUE;
    }
    const struct txl_where where = {.file = s->name, .line = number};
    return txl_fail_at(c->err, &where,
                       "this is no file of vectors: its first line is not a JSON object");
}

static int run_lines(struct checker *c, struct source *s)
{
    const char *error = NULL;
    unsigned number = 0;
    bool any = false;
    int result = TXL_CONTINUE;
    while (result == TXL_CONTINUE) {
        size_t length = 0;
        char *line =
            s->file != NULL ? file_line(s->file, &length, &error) : text_line(s, &length, &error);
        if (line == NULL) {
            break;
        }
        number++;
        if (blank(line, length)) {
            free(line);
            continue;
        }
        result = any ? result : refuse_other(c, s, line, length, number);
        if (result != TXL_CONTINUE) {
            free(line);
            break;
        }
        any = true;
        c->items[c->count++] = (struct item){.line = line, .length = length, .number = number};
        if (c->count == BATCH) {
            result = run_batch(c, s->name);
        }
    }
    if (result == TXL_CONTINUE) {
        result = run_batch(c, s->name);
    }
    if (error != NULL && result == TXL_CONTINUE) {
        const struct txl_where where = {.file = s->name, .line = number + 1};
        result = txl_fail_at(c->err, &where, "%s", error);
    } else if (!any && s->file != NULL && result == TXL_CONTINUE) {
        const struct txl_where where = {.file = s->name};
        result = txl_fail_at(c->err, &where, "there is no vector in it");
    }
    return result;
}

static int run_file(struct checker *c, const char *path)
{
    const struct txl_where where = {.file = path};
    struct source s = {.name = path};
    errno = 0;
    s.file = strcmp(path, "-") == 0 ? gzdopen(dup(STDIN_FILENO), "rb") : gzopen(path, "rbe");
    if (s.file == NULL) {
        return txl_fail_at(c->err, &where, "%s", strerror(errno != 0 ? errno : ENOMEM));
    }
    gzbuffer(s.file, 1 << 18);
    const int result = run_lines(c, &s);
    gzclose(s.file);
    return result;
}

/* What is to be checked: files, or one text. */
struct what {
    const char *const *paths;
    size_t count;
    const char *text;
    size_t length;
};

static int run_all(struct checker *c, const struct what *what)
{
    int result = TXL_CONTINUE;
    if (what->text != NULL) {
        struct source s = {.name = "", .text = what->text, .length = what->length};
        result = run_lines(c, &s);
    }
    for (size_t i = 0; i < what->count && result == TXL_CONTINUE; i++) {
        result = run_file(c, what->paths[i]);
    }
    return result;
}

/* ---- compiled ---- */

static int open_steps(struct checker *c)
{
    for (unsigned i = 0; i < c->open.levels; i++) {
        for (enum tx_arch arch = TX_ARCH_FIRST; arch <= TX_ARCH_LAST; arch++) {
            const tx_machine *m = check_machine(&c->machines[0], arch, TX_MODE_SILICON);
            struct check_engine *e = &c->levels[i];
            if (m == NULL || tx_fast_steps_open(m, e->level, &e->steps[arch]) != TX_OK) {
                return no_memory(c->err);
            }
        }
    }
    return TXL_CONTINUE;
}

/* Progress over all levels and chips together, as the caller sees it. */
struct steps {
    const struct txl_check_options *how;
    uint64_t before, total;
};

static bool steps_progress(void *user, uint64_t done, uint64_t total)
{
    const struct steps *s = user;
    (void)total;
    return s->how->compile_progress(s->how->compile_user, s->before + done, s->total);
}

static int compile_steps_of(struct checker *c, tx_fast_steps *list, struct steps *steps)
{
    struct txl_error why = {.status = TXL_OK};
    const int result =
        compile_steps(&why, c->how.compiler, list, c->how.jobs,
                      c->how.compile_progress != NULL ? steps_progress : NULL, steps);
    steps->before += tx_fast_steps_count(list);
    return result == TXL_CONTINUE
               ? TXL_CONTINUE
               : txl_refuse(c->err, result, "the engine compiled: %s", why.message);
}

/* Runs all vectors once to find the steps that they need, and compiles these. */
static int compile_all(struct checker *c, const struct what *what)
{
    for (size_t i = 0; i < what->count; i++) {
        if (strcmp(what->paths[i], "-") == 0) {
            return txl_fail_option(c->err, NULL, "engine",
                                   "compiled reads vectors twice, which standard input is not");
        }
    }
    int result = open_steps(c);
    c->collecting = true;
    result = result == TXL_CONTINUE ? run_all(c, what) : result;
    c->collecting = false;
    struct steps steps = {.how = &c->how};
    for (unsigned i = 0; i < c->open.levels && result == TXL_CONTINUE; i++) {
        steps.total += tx_fast_steps_count(c->levels[i].steps[TX_WORMHOLE]);
        steps.total += tx_fast_steps_count(c->levels[i].steps[TX_BLACKHOLE]);
    }
    for (unsigned i = 0; i < c->open.levels && result == TXL_CONTINUE; i++) {
        for (enum tx_arch arch = TX_ARCH_FIRST; arch <= TX_ARCH_LAST; arch++) {
            tx_fast_steps *list = c->levels[i].steps[arch];
            result = result == TXL_CONTINUE ? compile_steps_of(c, list, &steps) : result;
        }
    }
    c->open.compiled_steps = steps.total;
    return result;
}

/* ---- the whole check ---- */

static int checker_settle(struct checker *c, const struct txl_check_options *options)
{
    const int result = options_take(c->err, &c->how, sizeof c->how, options);
    if (c->how.engine == TXL_ENGINE_AUTO) {
        c->how.engine = TXL_ENGINE_REFERENCE;
    }
    c->how.jobs = c->how.jobs == 0 ? 1 : c->how.jobs;
    if (result == TXL_CONTINUE && c->how.jobs > JOBS) {
        return txl_fail(c->err, "at most %d vectors are run at a time", JOBS);
    }
    if (result == TXL_CONTINUE && c->how.engine == TXL_ENGINE_COMPILED && c->how.compiler == NULL) {
        return txl_fail_option(c->err, NULL, "engine", "compiled needs a compiler");
    }
    while (c->open.levels < LEVELS && tx_fast_level(c->open.levels) != NULL) {
        c->levels[c->open.levels].level = tx_fast_level(c->open.levels);
        c->open.levels++;
    }
    return result;
}

static void close_engines(struct checker *c)
{
    for (unsigned i = 0; i < JOBS; i++) {
        check_machines_close(&c->machines[i]);
    }
    for (unsigned i = 0; i < c->open.levels; i++) {
        tx_fast_steps_close(c->levels[i].steps[TX_WORMHOLE]);
        tx_fast_steps_close(c->levels[i].steps[TX_BLACKHOLE]);
    }
}

static int check(struct txl_error *err, const struct what *what,
                 const struct txl_check_options *options, struct txl_check **out)
{
    *out = NULL;
    struct checker *c = zeroed(err, 1, sizeof *c);
    if (c == NULL) {
        return TXL_INPUT;
    }
    c->err = err;
    int result = checker_settle(c, options);
    if (result == TXL_CONTINUE && c->how.engine == TXL_ENGINE_COMPILED) {
        result = compile_all(c, what);
    }
    result = result == TXL_CONTINUE ? run_all(c, what) : result;
    if (result == TXL_CONTINUE) {
        (void)wanted(c); /* at the end it is too late to cancel */
    }
    close_engines(c);
    c->open.failures = c->failures;
    if (result != TXL_CONTINUE) {
        txl_check_free(&c->open);
        return result;
    }
    *out = &c->open;
    return TXL_OK;
}

int txl_check_files(struct txl_error *err, const char *const *paths, size_t count,
                    const struct txl_check_options *options, struct txl_check **result)
{
    const struct what what = {.paths = paths, .count = count};
    return check(err, &what, options, result);
}

int txl_check_text(struct txl_error *err, const char *text, size_t length,
                   const struct txl_check_options *options, struct txl_check **result)
{
    const struct what what = {.text = text, .length = length};
    return check(err, &what, options, result);
}

void txl_check_free(struct txl_check *check)
{
    struct checker *c = (struct checker *)check; /* the first member of struct checker */
    for (uint64_t i = 0; c != NULL && i < c->open.failed; i++) {
        free((void *)(uintptr_t)c->failures[i].file); /* the other texts are in the same memory */
    }
    if (c != NULL) {
        free(c->failures);
        free(c);
    }
}

char *txl_check_json(const struct txl_check *check)
{
    const struct checker *c = (const struct checker *)check;
    txl_json *root = txl_json_object();
    txl_json *failures = txl_json_array();
    JSON_MEMBERS(root, check, passed, failed);
    for (uint64_t i = 0; i < check->failed; i++) {
        txl_json *object = txl_json_object();
        JSON_MEMBERS(object, &check->failures[i], file, line, name, message);
        txl_json_append(failures, object);
    }
    txl_json_set(root, "failures", failures);
    if (c->how.engine != TXL_ENGINE_REFERENCE) {
        txl_json *left = txl_json_object();
        const size_t most = sizeof check->left / sizeof check->left[0];
        for (size_t i = 0; i < most && check->left[i].reason != NULL; i++) {
            txl_json_set_int(left, check->left[i].reason, check->left[i].count);
        }
        txl_json_set(root, "left_to_reference", left);
    }
    if (c->how.engine == TXL_ENGINE_COMPILED) {
        txl_json_set_int(root, "compiled_steps", check->compiled_steps);
    }
    return json_text(root);
}
