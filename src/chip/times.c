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

/* ---- what if ---- */

static const enum net_time of_noc[] = {NET_FLIT,    NET_READ_FLIT,   NET_ACK,
                                       NET_RESERVE, NET_RESERVE_HOP, NET_ATOMIC};
static const enum net_time of_dram[] = {NET_DRAM_READ,      NET_DRAM_WRITE, NET_DRAM_READ_KIB,
                                        NET_DRAM_WRITE_KIB, NET_DRAM_SMALL, NET_DRAM_EVERY};

/* A part of a way has to last a window together with the others. */
static uint32_t fill_up(uint32_t least, uint32_t others)
{
    return least > others ? least - others : 0;
}

static void pace_ways(uint32_t *time, enum tx_pace pace)
{
    const uint32_t window = (uint32_t)CHIP_WINDOW * NET_TICKS;
    const uint32_t part = pace == TX_PACE_HALF ? 2 : UINT32_MAX;
    const uint32_t niu = time[NET_NIU] / part;
    const uint32_t serve = time[NET_SERVE] / part;
    time[NET_HOP] /= part;
    time[NET_END] /= part;
    const uint32_t least = fill_up(window, time[NET_HOP]) / 2;
    const uint32_t rest = fill_up(window, time[NET_END]);
    time[NET_NIU] = niu > least ? niu : least;
    time[NET_SERVE] = serve > rest ? serve : rest;
}

enum tx_status tx_chip_pace(tx_chip *chip, enum tx_chip_paced what, enum tx_pace pace)
{
    const bool noc = what == TX_CHIP_PACED_NOC;
    const enum net_time *list = noc ? of_noc : of_dram;
    const size_t count = noc ? sizeof of_noc / sizeof *of_noc : sizeof of_dram / sizeof *of_dram;
    if ((unsigned)what >= TX_CHIP_PACED_COUNT || (unsigned)pace > TX_PACE_NONE) {
        return TX_EINVAL;
    }
    if (!chip->timed) {
        return TX_EUNSUPPORTED;
    }
    if (pace == TX_PACE_REAL) {
        return TX_OK;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t *time = &chip->net->time[list[i]];
        *time = pace == TX_PACE_HALF ? *time / 2 : 0;
    }
    if (noc) {
        pace_ways(chip->net->time, pace);
    }
    return TX_OK;
}
