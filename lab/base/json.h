/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Helpers for JSON. jansson parses it; these functions read hex strings in it. Writing:
 * tensix-lab/json.h, and base/json_put.h for what is too long to be a value.
 */
#ifndef LAB_JSON_H
#define LAB_JSON_H

#include "base/error.h"

#include <tensix-lab/json.h>

/* Returns the value as indented text and frees the value; NULL without memory. */
char *json_text(txl_json *value);

/* Parses exactly count values of digits hex digits each; returns false for anything else. */
bool jx_parse_hex(const char *text, size_t length, uint32_t *values, size_t count, unsigned digits);

#endif
