/* SPDX-License-Identifier: Apache-2.0 */
/* Reading JSON is jansson's; hex text in it is read here. Writing: tensix-lab/json.h. */
#ifndef LAB_JSON_H
#define LAB_JSON_H

#include "base/error.h"

#include <tensix-lab/json.h>

/* The value as text, indented, and the value freed; NULL without memory. */
char *json_text(txl_json *value);

/* Exactly count values of digits hex digits each; false otherwise. */
bool jx_parse_hex(const char *text, size_t length, uint32_t *values, size_t count, unsigned digits);

#endif
