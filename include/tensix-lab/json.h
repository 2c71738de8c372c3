/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Results as JSON. A value is made, put into an object or an array, and written as text in the end.
 * Nothing needs to be checked on the way: where memory ends a value is NULL, what it was put into
 * remembers that, and the text is not made. A value belongs to what it was put into.
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

/* All of them: NULL without memory. */
TXL_API txl_json *txl_json_object(void);
TXL_API txl_json *txl_json_array(void);
TXL_API txl_json *txl_json_null(void);
TXL_API txl_json *txl_json_bool(bool value);
TXL_API txl_json *txl_json_int(int64_t value);
TXL_API txl_json *txl_json_real(double value); /* null where it is not finite */
/* null for NULL; in a text that is not UTF-8 all bytes from 0x80 on become '?'. */
TXL_API txl_json *txl_json_string(const char *text);
/* count values of digits hex digits each, 1 to 8, in one string. */
TXL_API txl_json *txl_json_hex(const uint32_t *values, size_t count, unsigned digits);

/* Frees the value with all that is in it; NULL is fine. Not for what was put somewhere. */
TXL_API void txl_json_free(txl_json *value);

/*
 * value is the object's or the array's from here on, also where that is NULL or has failed, which
 * frees it. A key that is there already gets the new value in its old place.
 */
TXL_API void txl_json_set(txl_json *object, const char *key, txl_json *value);
TXL_API void txl_json_append(txl_json *array, txl_json *value);
/* All members of from become members of object; from is freed. */
TXL_API void txl_json_merge(txl_json *object, txl_json *from);

/* The same with the value made on the way. */
TXL_API void txl_json_set_text(txl_json *object, const char *key, const char *text);
TXL_API void txl_json_set_int(txl_json *object, const char *key, uint64_t value); /* below 2^63 */
TXL_API void txl_json_set_real(txl_json *object, const char *key, double value);
TXL_API void txl_json_set_bool(txl_json *object, const char *key, bool value);
/* "0x0000beef" */
TXL_API void txl_json_set_word(txl_json *object, const char *key, uint32_t value);

/* Elements or members. 0 for what is neither, and for NULL. */
TXL_API size_t txl_json_count(const txl_json *value);
/* One of them, and its key (of an element NULL; key itself may be NULL); NULL past the end. */
TXL_API const txl_json *txl_json_at(const txl_json *value, size_t index, const char **key);
/* The characters of a string; NULL for what is none. */
TXL_API const char *txl_json_chars(const txl_json *value);

/*
 * The value as text in ASCII, members in the order in which they were put: on one line without
 * spaces, or indented by two. Ends in a zero byte and without a line end; free() it. NULL where
 * memory ended, now or while the value was made.
 */
TXL_API char *txl_json_line(const txl_json *value);
TXL_API char *txl_json_indented(const txl_json *value);

#ifdef __cplusplus
}
#endif

#endif
