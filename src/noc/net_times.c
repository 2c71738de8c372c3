/* SPDX-License-Identifier: Apache-2.0 */
/* The times of the networks: their names, their defaults, and what else they may be. */
#include "isa/chip.h"
#include "noc/net.h"

static const struct {
    const char *name;
    uint32_t value[2], least, most;
} times[NET_TIMES] = {
#define NOC_TIME(ID, name, wh, bh, least, most, what, why) {name, {wh, bh}, least, most},
#include "isa/noc_times.def"
};

/* How far tiles may run apart is made for the least of these. */
enum {
#define NOC_TIME(ID, name, wh, bh, least, most, what, why) LEAST_##ID = (least),
#include "isa/noc_times.def"
};
_Static_assert(2 * LEAST_NIU + LEAST_HOP >= 16 * NET_TICKS &&
                   LEAST_SERVE + LEAST_END >= 16 * NET_TICKS,
               "CHIP_WINDOW");

const char *net_time_name(enum net_time which)
{
    return which < NET_TIMES ? times[which].name : NULL;
}

uint32_t net_time_default(enum tx_arch arch, enum net_time which)
{
    return times[which].value[chip_column(arch)];
}

uint32_t net_time_scale(enum net_time which)
{
    return which == NET_VC_DEPTH || which == NET_VC_CHOICE ? 1 : NET_TICKS;
}

/* When a request fires is what tiles themselves go by, so that it stays. */
bool net_time_may(enum tx_arch arch, enum net_time which, uint32_t value)
{
    return value == net_time_default(arch, which) ||
           (which != NET_FIRE && times[which].most != 0 && value >= times[which].least &&
            value <= times[which].most);
}
