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
    TXL_INPUT = 2,    /* an input was refused, or memory or a file could not be had */
    TXL_CANCELLED = 3 /* the caller's progress function asked for the end */
};

/*
 * What went wrong, and where: all texts end in a zero byte and are cut to their size. The message
 * is one line without the file's name. file is empty where no file is to blame, line and column are
 * 0 where they are not known, source is the line itself or empty. option is the member of the
 * options that is to blame or missing, as "domain", or what was asked for, as "plot", or empty; the
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

/* Where in a file an error stands; 0 where there is no line or column. */
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
 * All of them fill in *err (which may be NULL) and return the status, which is TXL_INPUT where
 * none is given. The first error stays; what fails because of it does not hide it. Control
 * characters of inputs become question marks, so that one line stays one line on every terminal.
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

/* Forgets what is in it. */
TXL_API void txl_error_clear(struct txl_error *err);
/*
 * {"error": {"command", "message", "file", "line", "column", "length", "source", "exit"}} without
 * what is not known; exit is the status. free() it; NULL without memory.
 */
TXL_API char *txl_error_json(const struct txl_error *err, const char *command);

#ifdef __cplusplus
}
#endif

#endif
