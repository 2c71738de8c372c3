/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds results as JSON. A value is created, put into an object or an array, and finally written
 * as text. Callers need not check for errors on the way: without memory a value is NULL, the
 * container it is put into remembers the failure, and writing the text fails. A container owns the
 * values put into it.
 */
#ifndef TENSIX_LAB_JSON_H
#define TENSIX_LAB_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tensix-lab/error.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct txl_json txl_json;

/* Constructors; they return NULL without memory. */
TXL_API txl_json *txl_json_object(void);
TXL_API txl_json *txl_json_array(void);
TXL_API txl_json *txl_json_null(void);
TXL_API txl_json *txl_json_bool(bool value);
TXL_API txl_json *txl_json_int(int64_t value);
TXL_API txl_json *txl_json_real(double value); /* null where it is not finite */
/* NULL gives JSON null. In a text that is not UTF-8 every byte from 0x80 on becomes '?'. */
TXL_API txl_json *txl_json_string(const char *text);
/* One string with count values of digits hex digits each (1 to 8). */
TXL_API txl_json *txl_json_hex(const uint32_t *values, size_t count, unsigned digits);

/* Frees a value with everything in it; NULL is fine. Not for values owned by a container. */
TXL_API void txl_json_free(txl_json *value);

/*
 * Put value into a container, which owns it from then on; it is freed at once where the container
 * is NULL or has failed. Setting a key that exists replaces its value and keeps its position.
 */
TXL_API void txl_json_set(txl_json *object, const char *key, txl_json *value);
TXL_API void txl_json_append(txl_json *array, txl_json *value);
/* Moves all members of from to object and frees from. */
TXL_API void txl_json_merge(txl_json *object, txl_json *from);

/* Shorthands that create the value and set it. */
TXL_API void txl_json_set_text(txl_json *object, const char *key, const char *text);
TXL_API void txl_json_set_int(txl_json *object, const char *key, uint64_t value); /* below 2^63 */
TXL_API void txl_json_set_real(txl_json *object, const char *key, double value);
TXL_API void txl_json_set_bool(txl_json *object, const char *key, bool value);
/* As text, like "0x0000beef". */
TXL_API void txl_json_set_word(txl_json *object, const char *key, uint32_t value);

/* Number of elements or members; 0 for other values and for NULL. */
TXL_API size_t txl_json_count(const txl_json *value);
/*
 * Returns an element or member, and its key in *key (NULL for an element; key may be NULL). NULL
 * past the end.
 */
TXL_API const txl_json *txl_json_at(const txl_json *value, size_t index, const char **key);
/* Returns the characters of a string; NULL for other values. */
TXL_API const char *txl_json_chars(const txl_json *value);

/*
 * Write the value as ASCII text, members in the order in which they were set: on one line without
 * spaces, or indented by two. The text is zero-terminated without a final line end, and the caller
 * frees it. NULL where memory was short, now or while the value was built.
 */
TXL_API char *txl_json_line(const txl_json *value);
TXL_API char *txl_json_indented(const txl_json *value);

#ifdef __cplusplus
}
#endif

#endif
