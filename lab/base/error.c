/* SPDX-License-Identifier: Apache-2.0 */
/* Fills in error values, with a message and its place, and turns them into JSON. */
#include "base/error.h"

#include <string.h>

#include <tensix-lab/base.h>
#include <tensix-lab/json.h>

#include "base/json.h"

/* Line ends before two blanks are those of a table's rows; all else is a line. */
static void mask_message(char *message)
{
    for (char *end; (end = strstr(message, "\n  ")) != NULL; message = end + 1) {
        *end = '\0';
        txl_mask_controls(message);
        *end = '\n';
    }
    txl_mask_controls(message);
}

int txl_fail_va(struct txl_error *err, const struct txl_where *where, int status,
                const char *format, va_list args)
{
    if (err == NULL || err->status != TXL_OK) {
        return status;
    }
    txl_error_clear(err);
    err->status = status;
    vsnprintf(err->message, sizeof err->message, format, args);
    mask_message(err->message);
    if (where != NULL) {
        snprintf(err->file, sizeof err->file, "%s", where->file);
        txl_mask_controls(err->file);
        err->line = where->line;
        err->column = where->column;
        err->length = where->length;
        snprintf(err->source, sizeof err->source, "%s", where->source != NULL ? where->source : "");
    }
    return status;
}

int txl_fail(struct txl_error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    txl_fail_va(err, NULL, TXL_INPUT, format, args);
    va_end(args);
    return TXL_INPUT;
}

int txl_refuse(struct txl_error *err, int status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    txl_fail_va(err, NULL, status, format, args);
    va_end(args);
    return status;
}

bool fail_false(struct txl_error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    txl_fail_va(err, NULL, TXL_INPUT, format, args);
    va_end(args);
    return false;
}

int fail_in(struct txl_error *err, const char *path)
{
    if (err != NULL && err->file[0] == '\0') {
        snprintf(err->file, sizeof err->file, "%s", path);
        txl_mask_controls(err->file);
    }
    return err != NULL ? err->status : TXL_INPUT;
}

int txl_fail_at(struct txl_error *err, const struct txl_where *where, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    txl_fail_va(err, where, TXL_INPUT, format, args);
    va_end(args);
    return TXL_INPUT;
}

int txl_fail_option(struct txl_error *err, const struct txl_where *where, const char *option,
                    const char *format, ...)
{
    va_list args;
    const bool first = err != NULL && err->status == TXL_OK;
    va_start(args, format);
    txl_fail_va(err, where, TXL_INPUT, format, args);
    va_end(args);
    if (first) {
        snprintf(err->option, sizeof err->option, "%s", option);
    }
    return TXL_INPUT;
}

void txl_error_clear(struct txl_error *err)
{
    *err = (struct txl_error){.status = TXL_OK};
}

char *txl_error_json(const struct txl_error *err, const char *command)
{
    txl_json *error = txl_json_object();
    txl_json_set_text(error, "command", command);
    txl_json_set_text(error, "message", err->message);
    if (err->file[0] != '\0') {
        txl_json_set_text(error, "file", err->file);
    }
    if (err->line != 0) {
        txl_json_set_int(error, "line", err->line);
    }
    if (err->column != 0) {
        JSON_MEMBERS(error, err, column, length);
    }
    if (err->source[0] != '\0') {
        txl_json_set_text(error, "source", err->source);
    }
    txl_json_set_int(error, "exit", (unsigned)err->status);
    txl_json *root = txl_json_object();
    txl_json_set(root, "error", error);
    return json_text(root);
}
