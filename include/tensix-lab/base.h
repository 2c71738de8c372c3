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
 * The type of all progress functions. The library calls it in the thread that called the library:
 * once before the work begins (with done 0), about twenty times a second while it lasts, and once
 * when it ends. done and total count what the function that takes it says: tiles, inputs, vectors.
 * Return false to cancel: the function then ends soon, leaves no incomplete file behind and returns
 * TXL_CANCELLED.
 */
typedef bool (*txl_progress)(void *user, uint64_t done, uint64_t total);

/*
 * Removes the temporary files and folders of all functions that are running now, and kills the
 * compilers that they started. It is meant for a signal handler that ends the process, and for
 * nothing else: it is async-signal-safe, but the functions that it interrupts must not continue.
 * Functions that return clean up by themselves, whichever way they return.
 */
TXL_API void txl_abandon(void);

/* ---- whole files ---- */

/*
 * Reads a whole file ("-": standard input) into memory, up to 256 MiB. A zero byte that *length
 * does not count follows the data. The caller frees the result; NULL means failure, and err says
 * why.
 */
TXL_API char *txl_read_file(struct txl_error *err, const char *path, size_t *length);
/*
 * Writes a whole file through a temporary one, so that no incomplete file is ever visible under the
 * name. Returns TXL_OK or TXL_INPUT.
 */
TXL_API int txl_write_file(struct txl_error *err, const char *path, const void *data, size_t size);

/* ---- words that people write ---- */

/*
 * Parses a whole number: decimal or with 0x, with or without a sign. Returns false where the text
 * is no number or the number lies outside low..high.
 */
TXL_API bool txl_number(const char *text, int64_t low, int64_t high, int64_t *value);
/*
 * Finds the nearest of count names for a message such as "did you mean ...". Returns NULL where
 * none is near.
 */
TXL_API const char *txl_nearest(const char *word, const char *const *names, size_t count);
/* Returns the part of a path behind its last slash. */
TXL_API const char *txl_basename(const char *path);

/*
 * Tells whether a text has characters that move a terminal's cursor or end its line, UTF-8's C1 set
 * included.
 */
TXL_API bool txl_has_controls(const char *text);
/* Replaces those characters by '?', in place. */
TXL_API void txl_mask_controls(char *text);

#ifdef __cplusplus
}
#endif

#endif
