/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Delays that the host asks for (tx_chip_delay) to explore other legal orders of the same programs:
 * a request that leaves, arrives or is answered later, a core that stands still. What must stay in
 * its order does: requests of one interface that would leave behind a delayed one, and those that
 * would arrive behind it on one channel, wait with it (N5, N6 of spec/order-chip.md).
 */
#include "chip/chip.h"

#include <stdlib.h>
#include <string.h>

enum { ANYWHERE = UINT32_MAX };

/* ---- texts ---- */

static bool take_number(const char **at, uint64_t most, uint64_t *value)
{
    const char *from = *at;
    *value = 0;
    for (; **at >= '0' && **at <= '9'; ++*at) {
        *value = 10 * *value + (uint64_t)(**at - '0');
        if (*value > most) {
            return false;
        }
    }
    return *at != from;
}

static bool take_text(const char **at, const char *text)
{
    const size_t n = strlen(text);
    const bool there = strncmp(*at, text, n) == 0;
    *at += there ? n : 0;
    return there;
}

/* An endpoint by its coordinates on NoC 0: "X,Y". */
static bool take_endpoint(const tx_chip *chip, const char **at, uint32_t *index)
{
    uint64_t x;
    uint64_t y;
    if (!take_number(at, chip->width - 1, &x) || !take_text(at, ",") ||
        !take_number(at, chip->height - 1, &y)) {
        return false;
    }
    *index = (uint32_t)(x + y * chip->width);
    return true;
}

/* Behind "X,Y/": "n0/K>src", "n0/K>dst", "n0/K>dst(X,Y)", "n0/K>ack". */
static bool take_request(const tx_chip *chip, const char **at, struct chip_delay *d)
{
    static const struct {
        const char *text;
        uint8_t kind;
    } steps[] = {
        {">src", CHIP_DELAY_SOURCE}, {">dst", CHIP_DELAY_TARGET}, {">ack", CHIP_DELAY_ANSWER}};
    uint64_t noc;
    if (!take_text(at, "n") || !take_number(at, 1, &noc) || !take_text(at, "/") ||
        !take_number(at, UINT32_MAX, &d->number)) {
        return false;
    }
    d->noc = (uint8_t)noc;
    d->receiver = ANYWHERE;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        if (take_text(at, steps[i].text)) {
            d->kind = steps[i].kind;
            return !take_text(at, "(") ||
                   (d->kind == CHIP_DELAY_TARGET && take_endpoint(chip, at, &d->receiver) &&
                    take_text(at, ")"));
        }
    }
    return false;
}

/* Behind "X,Y/": "b@CYCLE". */
static bool take_core(const char **at, struct chip_delay *d)
{
    const char *sign = strchr(*at, '@');
    char name[8];
    enum tx_core core;
    if (sign == NULL || sign == *at || (size_t)(sign - *at) >= sizeof name) {
        return false;
    }
    memcpy(name, *at, (size_t)(sign - *at));
    name[sign - *at] = '\0';
    *at = sign + 1;
    if (tx_core_parse(name, &core) != TX_OK || !take_number(at, UINT64_MAX / 16, &d->number)) {
        return false;
    }
    d->kind = CHIP_DELAY_CORE;
    d->core = (uint8_t)core;
    return true;
}

static bool parse(const tx_chip *chip, const char *text, struct chip_delay *d)
{
    const char *at = text;
    *d = (struct chip_delay){.cycles = 0};
    if (!take_endpoint(chip, &at, &d->index) || !take_text(&at, "/")) {
        return false;
    }
    const char *request = at;
    if (!take_request(chip, &at, d)) {
        at = request;
        if (!take_core(&at, d)) {
            return false;
        }
    }
    return take_text(&at, "+") && take_number(&at, CHIP_DELAY_MOST, &d->cycles) && *at == '\0';
}

/* ---- the list ---- */

/* Tells a tile which of its cores stand still, and when. */
static enum tx_status give_tile(tx_chip *chip, uint32_t index)
{
    struct tx_delay list[CHIP_DELAYS];
    size_t count = 0;
    for (unsigned i = 0; i < chip->delay_count; i++) {
        const struct chip_delay *d = &chip->delay[i];
        if (d->kind == CHIP_DELAY_CORE && d->index == index) {
            list[count++] = (struct tx_delay){.thread = (uint8_t)(TX_ORDER_CORE + d->core),
                                              .cycles = (uint32_t)d->cycles,
                                              .index = d->number};
        }
    }
    return tx_order_delays(tx_tensix_machine(chip->at[index].tensix), list, count);
}

enum tx_status tx_chip_delay(tx_chip *chip, const char *text)
{
    struct chip_delay d;
    enum tx_status status = TX_OK;
    if (!chip->timed) {
        return TX_ENOENT;
    }
    if (text == NULL) {
        chip->delay_count = 0;
        for (uint32_t i = 0; i < chip->tensix_count && status == TX_OK; i++) {
            status = give_tile(chip, chip->tensix[i]);
        }
        return status;
    }
    if (!parse(chip, text, &d) || chip->delay_count == CHIP_DELAYS ||
        (d.kind == CHIP_DELAY_CORE && chip->at[d.index].tensix == NULL)) {
        return TX_EINVAL;
    }
    chip->delay[chip->delay_count++] = d;
    return d.kind == CHIP_DELAY_CORE ? give_tile(chip, d.index) : TX_OK;
}

void delays_reset(tx_chip *chip)
{
    for (unsigned i = 0; i < chip->delay_count; i++) {
        chip->delay[i].until = 0;
    }
}

/* ---- what they do ---- */

uint64_t delays_leave(tx_chip *chip, uint32_t index, const struct noc_request *r)
{
    uint64_t until = 0;
    for (unsigned i = 0; i < chip->delay_count; i++) {
        struct chip_delay *d = &chip->delay[i];
        if (d->kind != CHIP_DELAY_SOURCE || d->index != index || d->noc != r->noc ||
            r->sequence < d->number) {
            continue;
        }
        if (r->sequence == d->number) {
            d->until = r->cycle + d->cycles;
        }
        until = d->until > until ? d->until : until;
    }
    return until;
}

/*
 * Whether a packet may not arrive before the one that is delayed (N6). DRAM may do a write before a
 * read that has come earlier (N14).
 */
static bool follows(const struct chip_delay *d, const struct noc_request *p, uint32_t to, bool dram)
{
    if (dram && d->reads && NOC_FLAG(p, KIND) != NOC_READ) {
        return false;
    }
    const bool fixed = NOC_FLAG(p, STATIC) != 0 || p->linked != 0;
    return d->until != 0 && d->fixed && fixed && p->sequence > d->number && d->to == to &&
           d->channel == (NOC_FLAG(p, STATIC) != 0 ? NOC_FLAG(p, CHANNEL) : (uint32_t)ANYWHERE);
}

uint64_t delays_arrive(tx_chip *chip, uint32_t index, const struct noc_request *p, uint32_t to,
                       uint64_t at)
{
    uint64_t until = at;
    for (unsigned i = 0; i < chip->delay_count; i++) {
        struct chip_delay *d = &chip->delay[i];
        if (d->kind != CHIP_DELAY_TARGET || d->index != index || d->noc != p->noc ||
            (d->receiver != (uint32_t)ANYWHERE && d->receiver != to)) {
            continue;
        }
        if (p->sequence == d->number) {
            const uint64_t late = at + d->cycles;
            d->fixed = NOC_FLAG(p, STATIC) != 0 || p->linked != 0;
            d->channel = NOC_FLAG(p, STATIC) != 0 ? NOC_FLAG(p, CHANNEL) : (uint32_t)ANYWHERE;
            d->to = to;
            d->reads = NOC_FLAG(p, KIND) == NOC_READ;
            d->until = late > d->until ? late : d->until;
            until = late > until ? late : until;
        } else if (follows(d, p, to, chip->at[to].kind == TX_CHIP_DRAM)) {
            until = d->until > until ? d->until : until;
        }
    }
    return until - at;
}

uint64_t delays_answer(const tx_chip *chip, uint32_t index, const struct noc_request *p)
{
    uint64_t late = 0;
    for (unsigned i = 0; i < chip->delay_count; i++) {
        const struct chip_delay *d = &chip->delay[i];
        if (d->kind == CHIP_DELAY_ANSWER && d->index == index && d->noc == p->noc &&
            d->number == p->sequence) {
            late += d->cycles;
        }
    }
    return late;
}

uint64_t delays_latest(const tx_chip *chip)
{
    uint64_t most = 0;
    for (unsigned i = 0; i < chip->delay_count; i++) {
        most += 2 * chip->delay[i].cycles;
    }
    return most;
}
