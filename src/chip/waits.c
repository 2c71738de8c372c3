/* SPDX-License-Identifier: Apache-2.0 */
/* Who waits for what, as far as it can be told from the state of the chip. */
#include "chip/chip.h"

#include "base/sized.h"
#include "state/l1.h"

#include <stdio.h>
#include <string.h>

#include <tensix/threads.h>

enum { OVERLAY_BASE = REGION_BASE_OVERLAY, NIU_BASE = REGION_BASE_NIU };

struct list {
    tx_chip *chip;
    struct tx_chip_wait *to;
    size_t room, each;
    uint32_t count;
    uint32_t blame[2]; /* the wait of the present tile's interface that others may wait for */
};

static struct tx_chip_wait new_wait(const struct chip_endpoint *e, enum tx_chip_wait_kind kind)
{
    const struct tx_chip_wait w = {.kind = kind,
                                   .tile = e->index,
                                   .who = TX_CHIP_UNKNOWN,
                                   .noc = TX_CHIP_UNKNOWN,
                                   .on = TX_CHIP_UNKNOWN,
                                   .next = TX_CHIP_UNKNOWN};
    return w;
}

/* Writes how software names a tile. */
static void tile_text(const struct chip_endpoint *e, char *text, size_t size)
{
    const uint32_t at = noc_config_get(e->chip->arch, e->niu[0], CONFIG_LOGICAL, 0);
    (void)snprintf(text, size, "%s (%u, %u)", tx_chip_kind_name((enum tx_chip_kind)e->kind),
                   at & 63u, at >> 6 & 63u);
}

/* Returns the place of the wait in the list. */
static uint32_t waits_put(struct list *l, struct tx_chip_wait *w, const char *what)
{
    char tile[48];
    tile_text(&l->chip->at[w->tile], tile, sizeof tile);
    (void)snprintf(w->text, sizeof w->text, "%s %s", tile, what);
    if (l->count < l->room) {
        sized_give((char *)l->to + l->count * l->each, l->each, w, sizeof *w);
    }
    return l->count++;
}

/* ---- requests ---- */

static void request_text(const tx_chip *chip, const struct noc_request *r, char *text, size_t size)
{
    static const char *const kinds[4] = {"a read", "an atomic", "a write", "a write"};
    const uint32_t at = noc_goes_to(r);
    const uint64_t address = at == r->target_at ? r->target : r->back;
    (void)snprintf(text, size, "NoC %u, initiator %u: %s of %llx at raw (%u, %u)", r->noc,
                   r->initiator, kinds[NOC_FLAG(r, KIND)], (unsigned long long)address, at & 63u,
                   at >> 6 & 63u);
    (void)chip;
}

static uint32_t put_request(struct list *l, const struct chip_endpoint *e,
                            const struct noc_request *r, enum tx_chip_wait_kind kind,
                            const char *why)
{
    struct tx_chip_wait w = new_wait(e, kind);
    const uint32_t at = noc_goes_to(r);
    const struct chip_endpoint *to =
        chip_at(l->chip, noc_mirrored(l->chip->arch, r->noc, at & 0xFFFu));
    char what[96];
    char text[160];
    w.noc = r->noc;
    w.who = r->who < TX_CORES ? r->who : TX_CHIP_UNKNOWN;
    w.on = to == NULL ? TX_CHIP_UNKNOWN : to->index;
    w.address = at == r->target_at ? r->target : r->back;
    w.next = kind == TX_CHIP_WAIT_LINK ? l->blame[r->noc] : TX_CHIP_UNKNOWN;
    request_text(l->chip, r, what, sizeof what);
    (void)snprintf(text, sizeof text, "%s %s", what, why);
    return waits_put(l, &w, text);
}

static void put_open(struct list *l, const struct chip_endpoint *e, unsigned noc)
{
    const struct noc_niu *niu = e->niu[noc];
    struct tx_chip_wait w = new_wait(e, TX_CHIP_WAIT_OPEN);
    const struct chip_endpoint *to =
        chip_at(l->chip, noc_mirrored(l->chip->arch, noc, niu->link_at & 0xFFFu));
    char text[128];
    w.noc = noc;
    w.on = to == NULL ? TX_CHIP_UNKNOWN : to->index;
    (void)snprintf(text, sizeof text,
                   "NoC %u: a linked transaction to raw (%u, %u) was begun and never ended", noc,
                   niu->link_at & 63u, niu->link_at >> 6 & 63u);
    l->blame[noc] = waits_put(l, &w, text);
}

static void put_interface(struct list *l, const struct chip_endpoint *e, unsigned noc)
{
    const struct noc_niu *niu = e->niu[noc];
    if (niu->link_open != 0) {
        put_open(l, e, noc);
    }
    for (unsigned i = 0; i < niu->held_count; i++) {
        (void)put_request(l, e, &niu->held[i], TX_CHIP_WAIT_LINK, "waits for the end of a link");
    }
    for (unsigned i = 0; i < e->lost_count; i++) {
        const struct noc_request *r = &e->lost[i];
        if (r->noc == noc) {
            l->blame[noc] = put_request(l, e, r, TX_CHIP_WAIT_ANSWER,
                                        NOC_FLAG(r, MANY) != 0 && NOC_FLAG(r, KIND) != NOC_READ
                                            ? "reaches no tile, so that no acknowledgement comes"
                                            : "is never answered");
        }
    }
}

/* ---- cores ---- */

/* Names what is at an address that a core reads, and says whose answers change it. */
static void word_text(const struct list *l, struct tx_chip_wait *w, char *text, size_t size)
{
    const enum tx_arch arch = l->chip->arch;
    const uint32_t address = (uint32_t)w->address;
    const uint32_t in_niu = address - NIU_BASE;
    const uint32_t in_overlay = address - OVERLAY_BASE;
    const char *stream = noc_stream_name(arch, in_overlay);
    char name[64];
    if (in_niu < 2 * NIU_BLOCK) {
        w->noc = in_niu / NIU_BLOCK;
        w->next = l->blame[w->noc];
        noc_register_text(arch, in_niu % NIU_BLOCK, name, sizeof name);
        (void)snprintf(text, size, "NoC %u, %s", w->noc, name);
    } else if (in_overlay < 4 * OVERLAY_WORDS && stream != NULL) {
        (void)snprintf(text, size, "stream %u, %s", in_overlay / NOC_STREAM_BYTES, stream);
    } else {
        (void)snprintf(text, size, "%s", address < l1_size(arch) ? "L1" : "register");
    }
}

static void put_polls(struct list *l, const struct chip_endpoint *e, unsigned core,
                      const struct tile_polls *polls)
{
    for (unsigned i = 0; i < polls->count; i++) {
        struct tx_chip_wait w = new_wait(e, TX_CHIP_WAIT_WORD);
        char word[96];
        char text[176];
        w.who = core;
        w.pc = e->tensix->core[core].s.pc;
        w.address = polls->address[i];
        w.value = polls->value[i];
        word_text(l, &w, word, sizeof word);
        (void)snprintf(text, sizeof text,
                       "core %s at %08x reads %08x again and again (%s), it is %x",
                       tx_core_name((enum tx_core)core), (unsigned)w.pc, (unsigned)w.address, word,
                       (unsigned)w.value);
        (void)waits_put(l, &w, text);
    }
}

static void put_core(struct list *l, const struct chip_endpoint *e, unsigned core)
{
    const struct riscv_state *s = &e->tensix->core[core].s;
    const bool hung = s->phase == RISCV_HUNG;
    struct tile_polls polls;
    if (!hung && tile_core_rests(e->tensix, core)) {
        return;
    }
    if (!hung && tile_polled(e->tensix, core, &polls)) {
        put_polls(l, e, core, &polls);
        return;
    }
    struct tx_chip_wait w = new_wait(e, TX_CHIP_WAIT_CORE);
    char text[128];
    w.who = core;
    w.pc = s->pc;
    w.address = s->at;
    (void)snprintf(text, sizeof text, "core %s at %08x waits for %s (%08x)",
                   tx_core_name((enum tx_core)core), (unsigned)s->pc,
                   hung ? "a load that nothing answers"
                        : riscv_wait_text((enum tx_core_wait)s->wait),
                   (unsigned)s->at);
    (void)waits_put(l, &w, text);
}

static void put_tile(struct list *l, const struct chip_endpoint *e)
{
    char text[128];
    for (unsigned t = 0; t < TX_THREADS; t++) {
        if (tx_wait_text(e->tensix->m, t, text, sizeof text)) {
            struct tx_chip_wait w = new_wait(e, TX_CHIP_WAIT_THREAD);
            w.who = t;
            (void)waits_put(l, &w, text);
        }
    }
    if (l->chip->awake[e->index] == 0 || tile_stuck(e->tensix)) {
        for (unsigned c = 0; c < TX_CORES; c++) {
            put_core(l, e, c);
        }
    }
}

size_t tx_chip_waits_sized(tx_chip *chip, struct tx_chip_wait *list, size_t room, size_t size)
{
    struct list l = {.chip = chip, .to = list, .room = list != NULL ? room : 0, .each = size};
    for (uint32_t i = 0; i < chip->count; i++) {
        const struct chip_endpoint *e = &chip->at[i];
        for (unsigned noc = 0; noc < 2; noc++) {
            l.blame[noc] = TX_CHIP_UNKNOWN;
            put_interface(&l, e, noc);
        }
        if (e->tensix != NULL) {
            put_tile(&l, e);
        }
    }
    return l.count;
}
