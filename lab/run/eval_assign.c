/* SPDX-License-Identifier: Apache-2.0 */
/* Applies the NAME=VALUE settings of eval to a machine. */
#include "run/eval.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Parses a value. 0x..: a bit pattern; i: and u: two's complement and unsigned integers; sm: sign
 * and magnitude; f: or no prefix: a real number as FP32.
 */
static bool parse_value(const char *text, uint32_t *value)
{
    int64_t number = 0;
    if (strncmp(text, "i:", 2) == 0) {
        bool good = txl_number(text + 2, INT32_MIN, UINT32_MAX, &number);
        *value = (uint32_t)number;
        return good;
    }
    if (strncmp(text, "u:", 2) == 0) {
        bool good = txl_number(text + 2, 0, UINT32_MAX, &number);
        *value = (uint32_t)number;
        return good;
    }
    if (strncmp(text, "sm:", 3) == 0) {
        bool minus = text[3] == '-';
        bool good = txl_number(text + 3, -INT32_MAX, INT32_MAX, &number);
        *value = (minus ? 0x80000000U : 0U) | (uint32_t)(number < 0 ? -number : number);
        return good;
    }
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        bool good = strpbrk(text, ".pP") == NULL && txl_number(text, 0, UINT32_MAX, &number);
        *value = (uint32_t)number;
        if (good) {
            return true;
        }
    }
    const char *real = strncmp(text, "f:", 2) == 0 ? text + 2 : text;
    char *end = NULL;
    if (real[0] == '\0' || strchr(" \t\n\v\f\r", real[0]) != NULL) {
        return false;
    }
    float number32 = strtof(real, &end);
    memcpy(value, &number32, sizeof *value);
    return *end == '\0';
}

/*
 * Parses a value or a list with commas, which is repeated to fill all of `most` entries. integer:
 * the register does not hold floats, so 5 means the integer.
 */
static bool parse_list(const char *text, uint32_t *values, unsigned most, bool integer)
{
    char copy[1024];
    if (strlen(text) >= sizeof copy) {
        return false;
    }
    snprintf(copy, sizeof copy, "%s", text);
    unsigned count = 0;
    char *rest = copy;
    char *item;
    while ((item = strsep(&rest, ",")) != NULL) {
        int64_t number = 0;
        if (count == most) {
            return false;
        }
        if (integer && txl_number(item, INT32_MIN, UINT32_MAX, &number)) {
            values[count] = (uint32_t)number;
        } else if (!parse_value(item, &values[count])) {
            return false;
        }
        count++;
    }
    for (unsigned i = count; i < most; i++) {
        values[i] = values[i - count];
    }
    return true;
}

/* Returns the number after a prefix, as in L12 or gpr7; -1 where there is none. */
static int numbered(const char *name, const char *prefix, unsigned most)
{
    size_t length = strlen(prefix);
    int64_t number = 0;
    if (strncasecmp(name, prefix, length) != 0 || name[length] < '0' || name[length] > '9' ||
        !txl_number(name + length, 0, most, &number)) {
        return -1;
    }
    return (int)number;
}

static int set_config(struct txl_error *err, tx_machine *m, unsigned thread, const char *name,
                      const char *text)
{
    int64_t number = 0;
    if (tx_config_field_find(tx_machine_arch(m), name) == NULL) {
        return txl_fail(err,
                        "'%s' is neither L0..L16, LaneFlags, UseLaneFlags, PRNG, GPR0..GPR63, "
                        "Dst0..Dst1023 nor a configuration field",
                        name);
    }
    if (!txl_number(text, INT32_MIN, UINT32_MAX, &number) ||
        tx_config_set(m, thread, name, (uint32_t)number) != TX_OK) {
        return txl_fail(err, "%s: '%s' does not fit into the field", name, text);
    }
    return TXL_CONTINUE;
}

int eval_assign(struct txl_error *err, tx_machine *m, unsigned thread, const char *assignment)
{
    char name[64];
    const char *equals = strchr(assignment, '=');
    if (equals == NULL) {
        return txl_fail(err, "'%.40s' is not NAME=VALUE", assignment);
    }
    const char *text = equals + 1;
    if ((size_t)(equals - assignment) >= sizeof name) {
        return txl_fail(err, "'%.40s...' is no register", assignment);
    }
    snprintf(name, sizeof name, "%.*s", (int)(equals - assignment), assignment);
    uint32_t values[TX_LANES];
    enum tx_status status = TX_EINVAL;
    int lreg = numbered(name, "L", TX_LREGS - 1);
    int gpr = numbered(name, "GPR", TX_GPRS - 1);
    int row = numbered(name, "Dst", TX_DST_ROWS - 1);
    bool flags = strcasecmp(name, "LaneFlags") == 0 || strcmp(name, "lane_flags") == 0;
    bool use = strcasecmp(name, "UseLaneFlags") == 0 || strcmp(name, "use_lane_flags") == 0;
    bool prng = strcasecmp(name, "PRNG") == 0;
    if (lreg < 0 && gpr < 0 && row < 0 && !flags && !use && !prng) {
        return set_config(err, m, thread, name, text);
    }
    unsigned most = lreg >= 0 ? TX_LANES : row >= 0 ? TX_DST_WIDTH : 1;
    if (!parse_list(text, values, most, gpr >= 0 || flags || use || prng)) {
        return txl_fail(err,
                        "%s: '%s' is not a value (1.5, 0x3fc00000, i:-5, u:5, sm:-5) or a "
                        "list of at most %u",
                        name, text, most);
    }
    if (lreg >= 0) {
        status = tx_write(m, TX_FILE_LREG, (unsigned)lreg, values, TX_LANES);
    } else if (gpr >= 0) {
        status = tx_write(m, TX_FILE_GPR, (unsigned)gpr + TX_GPRS * thread, values, 1);
    } else if (row >= 0) {
        for (unsigned i = 0; i < TX_DST_WIDTH; i++) {
            if (values[i] > UINT16_MAX) {
                return txl_fail(err, "%s: cells have 16 bits, as in 0x3f80", name);
            }
        }
        status = tx_write(m, TX_FILE_DST, (unsigned)row, values, TX_DST_WIDTH);
    } else if (prng) {
        tx_prng_seed(m, values[0]);
        status = TX_OK;
    } else {
        status = tx_write(m, flags ? TX_FILE_LANE_FLAGS : TX_FILE_USE_LANE_FLAGS, 0, values, 1);
    }
    if (status != TX_OK) {
        return txl_fail(err, "%s cannot be written", name);
    }
    return TXL_CONTINUE;
}
