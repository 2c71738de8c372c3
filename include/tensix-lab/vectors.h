/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conformance vectors: programs with the machine's state before and after, one JSON object per line
 * (docs/cli.md, "tensix check"). They can be run on any engine, and recorded from programs.
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

/* A vector that failed, or a line that could not be parsed. Does not grow. */
struct txl_check_failure {
    const char *file;
    unsigned line;
    const char *name;    /* empty where it could not be read */
    const char *message; /* the first difference */
};

struct txl_check_options {
    size_t size;
    /*
     * Auto runs the reference engine. Fast and compiled run on every vector level of this CPU in
     * addition to the reference engine, which alone runs what they do not support.
     */
    enum txl_engine engine;
    txl_compiler *compiler; /* of the compiled engine */
    unsigned jobs;          /* number of vectors run in parallel, up to 64; 0: one */
    bool strict_version;    /* refuse vectors without "format": 1 */
    /* Receives each failure, in the order of the files, as soon as it is known; or NULL. */
    void (*failure)(void *user, const struct txl_check_failure *failure);
    void *failure_user;
    txl_progress progress; /* counts vectors; total is 0, as it is unknown */
    void *progress_user;
    txl_progress compile_progress; /* counts the steps that are compiled first */
    void *compile_user;
};

/* Result of a check. Later versions may append fields. */
struct txl_check {
    uint64_t passed, failed;
    uint64_t compiled_steps;
    unsigned levels;                          /* vector levels of this CPU that were used */
    const struct txl_check_failure *failures; /* array of length failed */
    struct txl_check_left {                   /* does not grow */
        const char *reason;
        uint64_t count;
        /*
         * vectors that only the reference engine ran, by reason; ends with reason NULL or with the
         * array
         */
    } left[16];
};

/*
 * Runs files of vectors, plain or gzip; "-" is standard input. Returns TXL_OK (with or without
 * failures); TXL_INPUT where a file could not be read, has no vector in it, or the engine is not
 * available; or TXL_CANCELLED. *result is NULL unless TXL_OK is returned.
 */
TXL_API int txl_check_files(struct txl_error *err, const char *const *paths, size_t count,
                            const struct txl_check_options *options, struct txl_check **result);
/* The same for lines in memory; failures name no file. */
TXL_API int txl_check_text(struct txl_error *err, const char *text, size_t length,
                           const struct txl_check_options *options, struct txl_check **result);
TXL_API void txl_check_free(struct txl_check *check);
/* Returns passed, failed and failures as JSON; the caller frees it. NULL without memory. */
TXL_API char *txl_check_json(const struct txl_check *check);

struct txl_vectors_options {
    size_t size;
    enum tx_arch arch; /* NONE: as the programs' .arch states */
    unsigned thread;   /* the thread that issues, 0 to 2 */
    /* file with a JSON object of the initial state; NULL: the state after reset */
    const char *initial;
};

/*
 * Runs each program and writes its vector, and a second one in strict mode where that mode stops
 * the program. *text has lines of JSON, *length bytes and a final zero byte; the caller frees it.
 */
TXL_API int txl_vectors_record(struct txl_error *err, const char *const *programs, size_t count,
                               const struct txl_vectors_options *options, char **text,
                               size_t *length);

#ifdef __cplusplus
}
#endif

#endif
