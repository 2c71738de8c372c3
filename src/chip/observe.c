/* SPDX-License-Identifier: Apache-2.0 */
/* Who is told what tiles do in each cycle, and what has gone over links. */
#include "chip/chip.h"

enum tx_status tx_chip_observe(tx_chip *chip, size_t index, const struct tx_chip_observer *observer)
{
    const struct tx_chip_observer none = {.struct_size = sizeof none};
    const struct tx_chip_observer *o = observer != NULL ? observer : &none;
    if (index >= chip->count || chip->at[index].tensix == NULL) {
        return TX_ENOENT;
    }
    if (o->struct_size < sizeof *o || o->jumps > 1) {
        return TX_EINVAL;
    }
    if (!chip->timed) {
        return TX_EUNSUPPORTED;
    }
    tx_tensix *tile = tx_chip_tensix(chip, index);
    tile->m->settings.sink = o->sink;
    tile->jumps = o->jumps != 0;
    tile->stands = 0; /* the new sink has not been told yet what its gates hold */
    chip->observer[index] = (struct chip_observer){o->cycle, o->user, o->jumps != 0};
    return TX_OK;
}

uint64_t tx_chip_link_flits(const tx_chip *chip, size_t index, unsigned noc, enum tx_chip_link link)
{
    static const enum net_direction directions[] = {NET_IN, NET_OUT, NET_X, NET_Y};
    if (chip->net == NULL || index >= chip->count || noc > 1 ||
        (unsigned)link >= sizeof directions / sizeof directions[0]) {
        return 0;
    }
    return chip->net->flits[net_link(chip->net, noc, (uint32_t)index, directions[link])];
}
