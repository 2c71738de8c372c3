/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How functions of the lab library say that something went wrong: they return a status and fill in
 * the struct txl_error that the caller gave them. Nothing is printed.
 */
#ifndef TENSIX_LAB_ERROR_H
#define TENSIX_LAB_ERROR_H

#include <stdarg.h>

#if defined(TXL_BUILDING_SHARED) && defined(__GNUC__)
#define TXL_API __attribute__((visibility("default")))
#else
#define TXL_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum txl_status {
    TXL_OK = 0,
    TXL_NEGATIVE = 1, /* the work was done and the answer is no: a check failed, a kernel stopped */
    TXL_INPUT = 2,    /* the input was refused, or memory or a file was not available */
    TXL_CANCELLED = 3 /* the caller's progress function asked to stop */
};

/*
 * What went wrong and where. All texts are zero-terminated and cut to their size. message is one
 * line without the file's name. file is empty where no file is involved; line and column are 0
 * where unknown; source is the line itself, or empty. option is the field of the options that is
 * wrong or missing, as "domain", or the feature that was asked for, as "plot", or empty; the
 * message does not name it. Does not grow: a program may keep it by value.
 */
struct txl_error {
    int status; /* one of enum txl_status; TXL_OK: there is no error in it */
    unsigned line, column, length;
    char message[992];
    char option[32];
    char file[512];
    char source[256];
};

/* The place of an error in a file; line and column are 0 where unknown. */
struct txl_where {
    const char *file;
    unsigned line, column, length;
    const char *source; /* the line itself, or NULL */
};

#ifdef __GNUC__
#define TXL_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define TXL_PRINTF(text, first)
#endif

/*
 * These functions fill in *err (which may be NULL) and return the status, TXL_INPUT unless one is
 * given. Only the first error is kept, so that failures that follow from it do not hide it. Control
 * characters from inputs become question marks, so that the message is one line on every terminal.
 */
TXL_API int txl_fail(struct txl_error *err, const char *format, ...) TXL_PRINTF(2, 3);
TXL_API int txl_fail_at(struct txl_error *err, const struct txl_where *where, const char *format,
                        ...) TXL_PRINTF(3, 4);
TXL_API int txl_refuse(struct txl_error *err, int status, const char *format, ...) TXL_PRINTF(3, 4);
/* where may be NULL. */
TXL_API int txl_fail_option(struct txl_error *err, const struct txl_where *where,
                            const char *option, const char *format, ...) TXL_PRINTF(4, 5);
TXL_API int txl_fail_va(struct txl_error *err, const struct txl_where *where, int status,
                        const char *format, va_list args);

/* Clears the error, so that *err can take another. */
TXL_API void txl_error_clear(struct txl_error *err);
/*
 * Returns the error as {"error": {"command", "message", "file", "line", "column", "length",
 * "source", "exit"}}, without fields that are not known; exit is the status. The caller frees it;
 * NULL without memory.
 */
TXL_API char *txl_error_json(const struct txl_error *err, const char *command);

#ifdef __cplusplus
}
#endif

#endif
