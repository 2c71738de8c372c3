/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What all headers of the lab library share: errors as values (error.h), progress and cancel, and
 * what a program does before it ends without ceremony.
 *
 * Options are structs whose first field is size; the caller writes
 * struct txl_x_options o = {.size = sizeof o, ...}, and every field that is left out is zero, its
 * default. A program that was built against an older header passes a smaller struct: what it lacks
 * has its default. A larger one is refused unless what this library does not know is zero.
 */
#ifndef TENSIX_LAB_BASE_H
#define TENSIX_LAB_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tensix-lab/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Called in the thread that called the library: once before the work begins (done 0), about twenty
 * times a second while it lasts, and once when it ends. done and total count what the function says
 * that it counts: tiles, inputs, vectors. False cancels: the function ends soon, leaves no file
 * that is not whole and returns TXL_CANCELLED.
 */
typedef bool (*txl_progress)(void *user, uint64_t done, uint64_t total);

/*
 * Removes what functions that are running now have not made whole: temporary files and folders, and
 * the compilers that they started. For a signal handler that ends the process, and only for that:
 * it is async-signal-safe, and the functions it interrupts must not go on. Without it they leave
 * nothing behind either, whichever way they return.
 */
TXL_API void txl_abandon(void);

/* ---- whole files ---- */

/*
 * The whole file ("-": standard input) in memory, up to 256 MiB, with a zero byte behind it that
 * *length does not count; free() it. NULL: err says why.
 */
TXL_API char *txl_read_file(struct txl_error *err, const char *path, size_t *length);
/* A file that is there whole or not at all. TXL_OK or TXL_INPUT. */
TXL_API int txl_write_file(struct txl_error *err, const char *path, const void *data, size_t size);

/* ---- words that people write ---- */

/* Whole number with 0x, decimal or sign; false where it is none or outside low..high. */
TXL_API bool txl_number(const char *text, int64_t low, int64_t high, int64_t *value);
/* The nearest of count names ("did you mean"), or NULL where none is near. */
TXL_API const char *txl_nearest(const char *word, const char *const *names, size_t count);
/* What stands behind the last slash. */
TXL_API const char *txl_basename(const char *path);

/* Characters that move a terminal's cursor or end its line, those of UTF-8's C1 set among them. */
TXL_API bool txl_has_controls(const char *text);
/* They become '?', in place. */
TXL_API void txl_mask_controls(char *text);

#ifdef __cplusplus
}
#endif

#endif
