/* SPDX-License-Identifier: Apache-2.0 */
/* Times of the networks by name. */
#include "chip/chip.h"

#include <string.h>

const char *tx_chip_time_name(size_t index)
{
    return index < NET_TIMES ? net_time_name((enum net_time)index) : NULL;
}

uint32_t tx_chip_time(const tx_chip *chip, size_t index)
{
    if (index >= NET_TIMES || chip->net == NULL) {
        return 0;
    }
    return chip->net->time[index] * (NET_TICKS / net_time_scale((enum net_time)index));
}

/* Reads digits and up to three decimals, in thousandths. */
static bool read_value(const char *text, uint32_t *value)
{
    enum { MOST = 1000000, DECIMALS = 3 };
    uint32_t whole = 0;
    unsigned decimals = 0;
    bool point = false;
    const char *at = text;
    for (; (*at >= '0' && *at <= '9') || (*at == '.' && !point); at++) {
        if (*at == '.') {
            point = true;
            continue;
        }
        if (whole > MOST || (point && decimals == DECIMALS)) {
            return false;
        }
        whole = 10 * whole + (uint32_t)(*at - '0');
        decimals += point;
    }
    for (; decimals < DECIMALS && whole <= MOST * NET_TICKS / 10; decimals++) {
        whole *= 10;
    }
    *value = whole;
    return at != text && *at == '\0' && decimals == DECIMALS;
}

enum tx_status tx_chip_set_time(tx_chip *chip, const char *assignment)
{
    const char *equals = strchr(assignment, '=');
    const size_t length = equals == NULL ? strlen(assignment) : (size_t)(equals - assignment);
    for (unsigned i = 0; i < NET_TIMES && chip->net != NULL && chip->timed; i++) {
        const char *name = net_time_name((enum net_time)i);
        const uint32_t unit = NET_TICKS / net_time_scale((enum net_time)i);
        uint32_t value = 0;
        if (strlen(name) != length || strncmp(name, assignment, length) != 0) {
            continue;
        }
        if (equals == NULL || !read_value(equals + 1, &value) || value % unit != 0 ||
            !net_time_may(chip->arch, (enum net_time)i, value / unit)) {
            return TX_EINVAL;
        }
        chip->net->time[i] = value / unit;
        return TX_OK;
    }
    return TX_ENOENT;
}
