/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A chip as bytes: a header with the settings, the chip's own state, the tiles that are not as they
 * were after power-up, DRAM pages, and what is under way. Blocks are written without their pages of
 * zeros. A snapshot that was damaged may give a wrong state, but never one that leads outside.
 */
#include "chip/chip.h"
#include "state/l1.h"

#include <stdlib.h>
#include <string.h>

enum {
    PAGE = 4096,
    /* Raised whenever bytes mean something else. 2: what the networks keep about a virtual channel
     * that is let go; snapshots of version 1 were refused by their sum only. */
    VERSION = 2,
};

struct header {
    uint32_t magic, version;
    uint64_t tile_bytes, eth_bytes, port_bytes;
    struct tx_chip_settings settings;
};

/* Writes to memory, or only counts; or reads. */
struct stream {
    uint8_t *to;
    const uint8_t *from;
    size_t room, used;
    bool failed;
    bool fresh; /* what is read into is all zeros */
};

/* Copies bytes in the direction of the stream. */
static void pass(struct stream *s, void *bytes, size_t size)
{
    const bool fits = s->used <= s->room && size <= s->room - s->used;
    if ((s->to != NULL || s->from != NULL) && !fits) {
        s->failed = true;
    } else if (s->to != NULL) {
        memcpy(s->to + s->used, bytes, size);
    } else if (s->from != NULL) {
        memcpy(bytes, s->from + s->used, size);
    }
    s->used += size;
}

static bool reading(const struct stream *s)
{
    return s->from != NULL;
}

static bool is_zero(const uint8_t *bytes, size_t size)
{
    return size == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0);
}

/* Takes a page of a block over. Memory that has it already stays untouched and takes no room. */
static void take_page(struct stream *s, uint8_t *bytes, size_t size)
{
    const bool fits = s->used <= s->room && size <= s->room - s->used;
    if (fits && memcmp(bytes, s->from + s->used, size) == 0) {
        s->used += size;
    } else {
        pass(s, bytes, size);
    }
}

/* Copies a block in pages; one byte for each says whether it is there. */
static void pass_block(struct stream *s, uint8_t *bytes, size_t size)
{
    for (size_t at = 0; at < size && !s->failed; at += PAGE) {
        const size_t n = size - at < PAGE ? size - at : PAGE;
        uint8_t there = !reading(s) && !is_zero(bytes + at, n);
        pass(s, &there, 1);
        if (there != 0 && reading(s)) {
            take_page(s, bytes + at, n);
        } else if (there != 0) {
            pass(s, bytes + at, n);
        } else if (reading(s) && !s->failed && !s->fresh && !is_zero(bytes + at, n)) {
            memset(bytes + at, 0, n);
        }
    }
}

/* ---- parts ---- */

static bool pass_tensix(struct stream *s, tx_chip *chip, struct chip_endpoint *e)
{
    struct tx_machine *m = e->tensix->m;
    const size_t size = tile_snapshot_size(e->tensix);
    uint8_t *bytes = malloc(size);
    enum tx_status status = bytes == NULL ? TX_ENOMEM : TX_OK;
    if (status == TX_OK && !reading(s)) {
        status = tx_tensix_snapshot(e->tensix, bytes, size);
    }
    if (status == TX_OK) {
        s->fresh = e->touched == 0;
        pass_block(s, m->own_l1, l1_own_size(m));
        s->fresh = false;
        pass_block(s, bytes, size);
    }
    if (status == TX_OK && reading(s) && !s->failed) {
        status = tx_tensix_restore(e->tensix, bytes, size);
        tile_doze_reset(e->tensix);
    }
    (void)chip;
    free(bytes);
    return status == TX_OK;
}

static void pass_eth(struct stream *s, struct chip_eth *e)
{
    const struct noc_niu niu[2] = {e->s.niu[0], e->s.niu[1]};
    pass_block(s, (uint8_t *)&e->s, sizeof e->s);
    pass_block(s, e->l1, e->l1_size + e->l1_size / 8u);
    for (unsigned c = 0; c < e->cores; c++) {
        pass(s, &e->core[c].s, sizeof e->core[c].s);
        if (reading(s)) {
            riscv_restored(&e->core[c]);
        }
    }
    for (unsigned noc = 0; noc < 2; noc++) {
        noc_identify(&e->s.niu[noc], &niu[noc]);
    }
}

/* Returns whether a request may be executed. */
static bool is_request(const tx_chip *chip, const struct noc_request *r)
{
    return r->noc < 2 && r->initiator < NOC_INITIATORS && r->from < NOC_NOWHERE &&
           noc_on_grid(chip->arch, r->from) && r->packets != 0 && r->packets <= NOC_MOST_PACKETS &&
           r->host == 0;
}

static void pass_lost(struct stream *s, const tx_chip *chip, struct chip_endpoint *e)
{
    pass(s, &e->lost_count, sizeof e->lost_count);
    if (e->lost_count > CHIP_LOST) {
        e->lost_count = 0;
        s->failed = true;
    }
    pass(s, e->lost, e->lost_count * sizeof e->lost[0]);
    for (uint32_t i = 0; i < e->lost_count && reading(s); i++) {
        s->failed = s->failed || !is_request(chip, &e->lost[i]);
    }
}

static bool pass_tiles(struct stream *s, tx_chip *chip)
{
    bool good = true;
    for (uint32_t i = 0; i < chip->count && good && !s->failed; i++) {
        struct chip_endpoint *e = &chip->at[i];
        uint8_t touched = e->touched;
        pass(s, &touched, 1);
        if (touched == 0 && reading(s) && e->touched) {
            chip_reset_tile(chip, e);
        } else if (touched != 0 && e->tensix != NULL) {
            good = pass_tensix(s, chip, e);
        } else if (touched != 0 && e->eth != NULL) {
            pass_eth(s, e->eth);
        }
        if (e->tensix == NULL && e->eth == NULL) {
            const struct noc_niu niu[2] = {*e->niu[0], *e->niu[1]};
            for (unsigned noc = 0; noc < 2; noc++) {
                pass(s, e->niu[noc], sizeof *e->niu[noc]);
                noc_identify(e->niu[noc], &niu[noc]);
            }
        }
        e->touched = touched != 0;
        pass_lost(s, chip, e);
    }
    return good;
}

static bool pass_dram(struct stream *s, struct dram_bank *bank)
{
    uint32_t pages = bank->pages;
    uint32_t next = 0;
    pass(s, &pages, sizeof pages);
    if (reading(s)) {
        dram_clear(bank);
    }
    for (uint32_t i = 0; i < pages && !s->failed; i++) {
        while (!reading(s) && bank->page[next] == NULL) {
            next++;
        }
        uint32_t at = next++;
        pass(s, &at, sizeof at);
        if (s->failed || at >= bank->size / DRAM_PAGE) {
            s->failed = true;
            return true;
        }
        if (bank->page[at] == NULL) {
            bank->page[at] = calloc(1, sizeof **bank->page);
            if (bank->page[at] == NULL) {
                return false;
            }
            bank->pages++;
        }
        pass_block(s, (uint8_t *)bank->page[at], sizeof **bank->page);
    }
    return true;
}

static bool is_port(const tx_chip *chip, const struct chip_port *port, unsigned noc)
{
    bool good = true;
    for (unsigned i = 0; i < NOC_INITIATORS && good; i++) {
        good = port->slots[i] <= PORT_QUEUE;
        for (unsigned k = 0; k < port->slots[i] && good; k++) {
            const unsigned slot = port->slot[i][k];
            good = slot < PORT_QUEUE && is_request(chip, &port->queue[slot]) &&
                   port->queue[slot].noc == noc && port->queue[slot].initiator == i &&
                   (k != 0 || port->next[i] < port->queue[slot].packets);
        }
        good = good && (port->slots[i] != 0 || port->asks[i] == 0);
    }
    return good;
}

static void pass_port(struct stream *s, tx_chip *chip, uint32_t index, unsigned noc)
{
    struct chip_port *port = &chip->ports[index][noc];
    pass_block(s, (uint8_t *)port, sizeof *port);
    bool good = is_port(chip, port, noc);
    for (unsigned i = 0; i < PORT_PACKETS && good && !s->failed; i++) {
        const struct chip_packet *packet = &port->packet[i];
        if (packet->away != 0 || packet->release > chip->s.cycle) {
            good = is_request(chip, &packet->p) && packet->p.length <= NOC_PACKET_BYTES;
            pass_block(s, chip_packet_data(&chip->at[index], noc, i), NOC_PACKET_BYTES);
        }
    }
    s->failed = s->failed || !good;
}

/* The networks, with a sum over their bytes: what is damaged there could lead anywhere. */
static bool pass_net(struct stream *s, struct net *net)
{
    uint64_t sum = reading(s) ? 0 : net_sum(net);
    struct net_part part[NET_PARTS];
    uint32_t size[3] = {net->packets, net->events, 0};
    for (unsigned i = 0; i < NET_PORTS; i++) {
        size[2] += net->tree[i] != NULL;
    }
    pass(s, size, sizeof size);
    pass(s, &sum, sizeof sum);
    if (reading(s) && (s->failed || !net_make(net, size[0], size[1]))) {
        s->failed = true;
        return true;
    }
    net_parts(net, part);
    for (unsigned i = 0; i < NET_PARTS; i++) {
        pass_block(s, part[i].bytes, part[i].size);
    }
    uint32_t port = 0;
    for (uint32_t i = 0; i < size[2] && !s->failed; i++, port++) {
        while (!reading(s) && net->tree[port] == NULL) {
            port++;
        }
        pass(s, &port, sizeof port);
        struct net_tree *tree = port < NET_PORTS ? net_tree_at(net, port) : NULL;
        s->failed = s->failed || tree == NULL;
        if (!s->failed) {
            pass_block(s, (uint8_t *)tree, sizeof *tree);
        }
    }
    s->failed = s->failed || (reading(s) && (sum != net_sum(net) || !net_valid(net)));
    if (s->failed && reading(s)) {
        net_clear(net);
    }
    return !net->failed;
}

static void pass_inbox(struct stream *s, tx_chip *chip, struct chip_endpoint *agent)
{
    struct chip_events *in = &agent->inbox;
    pass(s, &in->count, sizeof in->count);
    if (in->count > in->room) {
        in->count = 0;
        s->failed = true;
    }
    pass(s, in->list, in->count * sizeof *in->list);
    for (uint32_t i = 0; i < in->count && reading(s) && !s->failed; i++) {
        const struct chip_event *e = &in->list[i];
        s->failed = e->stage > STAGE_LEAVE || e->noc > 1 || e->entry >= PORT_PACKETS ||
                    e->slot > PORT_QUEUE || e->origin >= chip->count || e->from >= chip->count ||
                    e->at >= chip->count || chip->at[e->at].agent != agent ||
                    e->due < chip->s.cycle;
        if (!s->failed) {
            const struct chip_packet *p = &chip->ports[e->from][e->noc].packet[e->entry];
            s->failed = !is_request(chip, &p->p) || p->p.length > NOC_PACKET_BYTES;
        }
    }
    if (s->failed) {
        in->count = 0;
    }
}

static bool pass_all(struct stream *s, tx_chip *chip)
{
    struct header own = {.magic = 0x50494843,
                         .version = VERSION,
                         .tile_bytes = sizeof(struct tile_state),
                         .eth_bytes = sizeof(struct eth_state),
                         .port_bytes = sizeof(struct chip_port),
                         .settings = chip->settings};
    struct header h = own;
    pass(s, &h, sizeof h);
    if (s->failed || memcmp(&h, &own, sizeof h) != 0) {
        s->failed = true;
        return true;
    }
    pass(s, &chip->s, sizeof chip->s);
    bool good = pass_tiles(s, chip);
    for (unsigned i = 0; i < chip->banks && good && !s->failed; i++) {
        good = pass_dram(s, &chip->bank[i]);
    }
    for (uint32_t i = 0; i < chip->count && chip->timed && !s->failed; i++) {
        pass_port(s, chip, i, 0);
        pass_port(s, chip, i, 1);
    }
    for (uint32_t i = 0; i < chip->agents && chip->timed && !s->failed; i++) {
        pass_inbox(s, chip, &chip->at[chip->agent[i]]);
    }
    if (chip->timed && good && !s->failed) {
        good = pass_net(s, chip->net);
    }
    pass(s, &chip->queue, sizeof chip->queue);
    return good;
}

/* ---- the public face ---- */

/* Brings every tile that sleeps to the present; those that nothing has reached stay as they are. */
static void catch_up(tx_chip *chip)
{
    for (uint32_t i = 0; i < chip->count; i++) {
        if (chip->at[i].touched) {
            chip_wake(chip, &chip->at[i]);
        }
    }
}

size_t tx_chip_snapshot_size(tx_chip *chip)
{
    struct stream s = {.room = 0};
    catch_up(chip);
    return pass_all(&s, chip) ? s.used : 0;
}

enum tx_status tx_chip_snapshot(tx_chip *chip, void *buffer, size_t size)
{
    struct stream s = {.to = buffer, .room = size};
    if (buffer == NULL) {
        return TX_EINVAL;
    }
    catch_up(chip);
    if (!pass_all(&s, chip)) {
        return TX_ENOMEM;
    }
    return s.failed || s.used != size ? TX_EINVAL : TX_OK;
}

enum tx_status tx_chip_restore(tx_chip *chip, const void *buffer, size_t size)
{
    struct stream s = {.from = buffer, .room = size};
    if (buffer == NULL) {
        return TX_EINVAL;
    }
    const bool good = pass_all(&s, chip);
    struct noc_queue *q = &chip->queue;
    q->acts = 0;
    q->head %= NOC_QUEUE;
    for (uint32_t i = 0; i < q->count && i < NOC_QUEUE; i++) {
        s.failed = s.failed || !is_request(chip, &q->list[(q->head + i) % NOC_QUEUE]);
    }
    s.failed = s.failed || q->count > NOC_QUEUE || s.used != size;
    if (!good || s.failed) {
        tx_chip_reset(chip); /* part of it may have been taken over */
        return good ? TX_EINVAL : TX_ENOMEM;
    }
    for (uint32_t i = 0; i < chip->count; i++) {
        const struct chip_endpoint *e = &chip->at[i];
        chip->awake[i] = e->touched && (e->tensix != NULL || e->eth != NULL);
        chip->stirs[i] = chip->awake[i] != 0 || e->inbox.count != 0;
    }
    return TX_OK;
}
