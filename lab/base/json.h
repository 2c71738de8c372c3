/* SPDX-License-Identifier: Apache-2.0 */
/* Small helpers over jansson: setting members that may be absent, hex text, printing. */
#ifndef LAB_JSON_H
#define LAB_JSON_H

#define _GNU_SOURCE 1

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <tensix/tensix.h>

/* Text that is not UTF-8 has its high bytes replaced; NULL becomes null. */
json_t *jx_text(const char *text);
void jx_set_text(json_t *object, const char *key, const char *text);
void jx_set_int(json_t *object, const char *key, uint64_t value);
void jx_set_real(json_t *object, const char *key, double value); /* null where not finite */
void jx_set_bool(json_t *object, const char *key, bool value);
void jx_set_hex(json_t *object, const char *key, uint32_t value);
/* count values of digits hex digits each in one string */
json_t *jx_hex_array(const uint32_t *values, size_t count, unsigned digits);
/* Exactly count values of digits hex digits each; false otherwise. */
bool jx_parse_hex(const char *text, size_t length, uint32_t *values, size_t count, unsigned digits);
json_t *jx_archs(unsigned set); /* ["wormhole_b0", "blackhole"] */
json_t *jx_finding(const struct tx_finding *finding, uint64_t count);
/* Indented, keys in the order set, end of line. */
void jx_print(FILE *stream, const json_t *root);
/* On one line. */
void jx_print_line(FILE *stream, const json_t *root);

#endif
