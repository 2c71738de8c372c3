/* SPDX-License-Identifier: Apache-2.0 */
/* Reads hex strings in JSON and turns JSON values into text. */
#include "base/json.h"

char *json_text(txl_json *value)
{
    char *text = txl_json_indented(value);
    txl_json_free(value);
    return text;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    if (c >= 'A' && c <= 'F') {
        return c - 'A' + 10;
    }
    return -1;
}

bool jx_parse_hex(const char *text, size_t length, uint32_t *values, size_t count, unsigned digits)
{
    if (length != count * digits) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t value = 0;
        for (unsigned d = 0; d < digits; d++) {
            int digit = hex_digit(text[i * digits + d]);
            if (digit < 0) {
                return false;
            }
            value = value << 4 | (uint32_t)digit;
        }
        values[i] = value;
    }
    return true;
}
