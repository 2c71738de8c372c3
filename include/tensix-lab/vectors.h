/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conformance vectors: programs with the machine's state before and after, one JSON object a line
 * (docs/cli.md, "tensix check"). Running them on any engine, and recording them from programs.
 *
 *     static const char *const files[] = {"blackhole.jsonl.gz"};
 *     struct txl_check *done;
 *     if (txl_check_files(&err, files, 1, NULL, &done) == TXL_OK) { ... done->failed ... }
 *     txl_check_free(done);
 */
#ifndef TENSIX_LAB_VECTORS_H
#define TENSIX_LAB_VECTORS_H

#include <tensix/tensix.h>

#include <tensix-lab/base.h>
#include <tensix-lab/engine.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A vector that failed, or a line that could not be understood. Does not grow. */
struct txl_check_failure {
    const char *file;
    unsigned line;
    const char *name;    /* empty where even that could not be read */
    const char *message; /* the first difference */
};

struct txl_check_options {
    size_t size;
    /*
     * Auto: the reference engine. Fast and compiled: on every level of this CPU, beside the
     * reference engine, which runs alone what they do not do.
     */
    enum txl_engine engine;
    txl_compiler *compiler; /* of the compiled engine */
    unsigned jobs;          /* vectors at a time, up to 64; 0: one */
    bool strict_version;    /* "format": 1 must be there */
    /* Each failure as soon as its turn comes, in the order of the files; or NULL. */
    void (*failure)(void *user, const struct txl_check_failure *failure);
    void *failure_user;
    txl_progress progress; /* counts vectors; total is 0: not known */
    void *progress_user;
    txl_progress compile_progress; /* counts the steps that are compiled first */
    void *compile_user;
};

/* May get more fields at its end. */
struct txl_check {
    uint64_t passed, failed;
    uint64_t compiled_steps;
    unsigned levels;                          /* of this CPU */
    const struct txl_check_failure *failures; /* failed of them */
    struct txl_check_left {                   /* does not grow */
        const char *reason;
        uint64_t count;
    } left[16]; /* what the reference engine ran alone; ends in a reason NULL or with the array */
};

/*
 * Files of lines, plain or gzip; "-" is standard input. TXL_OK (failures or none), TXL_INPUT: a
 * file could not be read, or the engine cannot be had; TXL_CANCELLED. *result is NULL then.
 */
TXL_API int txl_check_files(struct txl_error *err, const char *const *paths, size_t count,
                            const struct txl_check_options *options, struct txl_check **result);
/* The same for lines in memory; failures name no file. */
TXL_API int txl_check_text(struct txl_error *err, const char *text, size_t length,
                           const struct txl_check_options *options, struct txl_check **result);
TXL_API void txl_check_free(struct txl_check *check);
/* passed, failed and failures as an object in JSON; free() it. NULL without memory. */
TXL_API char *txl_check_json(const struct txl_check *check);

struct txl_vectors_options {
    size_t size;
    enum tx_arch arch;   /* NONE: the programs' .arch */
    unsigned thread;     /* that issues; 0 to 2 */
    const char *initial; /* file with a state object; NULL: as after reset */
};

/*
 * Runs each program and writes its vector, and that of strict mode where this stops: lines of JSON,
 * length bytes with a zero behind them, for free().
 */
TXL_API int txl_vectors_record(struct txl_error *err, const char *const *programs, size_t count,
                               const struct txl_vectors_options *options, char **text,
                               size_t *length);

#ifdef __cplusplus
}
#endif

#endif
