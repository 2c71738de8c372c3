/* SPDX-License-Identifier: Apache-2.0 */
/* Records what tiles of a chip do, and what their requests and stores did, for one profile. */
#include <tensix/facts.h>

#include "base/memory.h"
#include "chiprun/profiled.h"

#include <stdlib.h>
#include <string.h>

static void note_store(struct chiprun_part *part, const struct chiprun_stored *s)
{
    if (LIST_ONE(part->stored, part->stored_count, part->stored_room, part->in->failed)) {
        part->stored[part->stored_count++] = *s;
    }
}

/* ---- L1 ---- */

static void l1(void *user, const struct tx_order *t)
{
    struct chiprun_part *part = user;
    if (t->thread < TX_ORDER_CORE || t->thread >= TX_ORDER_CORE + TX_CORES || !part->p->on) {
        return;
    }
    const unsigned core = t->thread - TX_ORDER_CORE;
    const bool own = t->shared == TX_SHARED_L1 && t->mask <= TX_ORDER_L1_ATOMIC;
    if (own && t->kind == TX_ORDER_READ) {
        profile_load(part->p, core, t->word, t->index);
    } else if (own && t->kind == TX_ORDER_WRITE) {
        profile_store(part->p, core);
        note_store(part, &(struct chiprun_stored){.cycle = part->p->cycle,
                                                  .address = t->index,
                                                  .bytes = t->count,
                                                  .moved = CHIPRUN_NONE,
                                                  .lane = LANE_CORE + core});
    } else if (t->kind == TX_ORDER_PUSH) {
        profile_store(part->p, core);
    }
}

/* ---- registers and requests ---- */

/* STOREREG does not say which thread: packers push pages, unpackers pop them. */
static unsigned lane_of(const struct chiprun_profile *c, const struct tx_chip_order *o)
{
    const enum tx_arch arch = c->arch;
    const uint32_t offset = (uint32_t)(o->address - circular_counters(arch, 0)) %
                            tx_arch_fact(arch, TX_FACT_STREAM_BYTES);
    if (o->core < TX_CORES) {
        return LANE_CORE + o->core;
    }
    return LANE_THREAD + (offset == tx_arch_fact(arch, TX_FACT_STREAM_DEST_START) ? 0 : 2);
}

static void begin_move(struct chiprun_profile *c, const struct tx_chip_order *o)
{
    const struct tx_chip_transfer *t = o->transfer;
    if (!LIST_ONE(c->moved, c->moved_count, c->moved_room, c->failed) ||
        t->from >= CHIPRUN_PLACES || t->to >= CHIPRUN_PLACES) {
        return;
    }
    if (!t->many && c->part_of[t->from] == 0 && c->part_of[t->to] == 0) {
        return; /* of others */
    }
    const bool writes = t->kind == 2;
    c->moved[c->moved_count] = (struct chiprun_moved){.go = o->cycle - c->first,
                                                      .address = writes ? t->back : t->target,
                                                      .source = writes ? t->target : t->back,
                                                      .length = (uint32_t)t->length,
                                                      .from = t->from,
                                                      .to = t->to,
                                                      .sequence = t->sequence,
                                                      .receivers = o->receiver_count,
                                                      .before = c->last[t->from][t->noc],
                                                      .noc = t->noc,
                                                      .core = t->core,
                                                      .kind = t->kind,
                                                      .channel = t->channel,
                                                      .dram = c->place[t->to].kind == TX_CHIP_DRAM,
                                                      .many = t->many,
                                                      .linked = t->linked,
                                                      .posted = !t->answered};
    struct chiprun_moved *m = &c->moved[c->moved_count];
    for (uint32_t i = 0; i < o->receiver_count && t->many; i++) {
        const uint8_t x = (uint8_t)(o->receivers[i] % c->width);
        const uint8_t y = (uint8_t)(o->receivers[i] / c->width);
        m->box[0] = i == 0 || x < m->box[0] ? x : m->box[0];
        m->box[1] = i == 0 || y < m->box[1] ? y : m->box[1];
        m->box[2] = x > m->box[2] ? x : m->box[2];
        m->box[3] = y > m->box[3] ? y : m->box[3];
    }
    c->last[t->from][t->noc] = (uint32_t)c->moved_count++;
}

static void go_on(struct chiprun_profile *c, const struct tx_chip_order *o)
{
    const struct tx_chip_transfer *t = o->transfer;
    const uint64_t cycle = o->cycle - c->first;
    uint32_t i = t->from < CHIPRUN_PLACES ? c->last[t->from][t->noc] : CHIPRUN_NONE;
    while (i != CHIPRUN_NONE && c->moved[i].sequence != t->sequence) {
        i = c->moved[i].before;
    }
    if (i == CHIPRUN_NONE) {
        return;
    }
    struct chiprun_moved *m = &c->moved[i];
    if (o->kind == TX_CHIP_ORDER_LEAVE) {
        m->leave = m->leave == 0 ? cycle : m->leave;
    } else if (o->kind == TX_CHIP_ORDER_ANSWER) {
        m->answer = cycle > m->answer ? cycle : m->answer;
    } else {
        m->act = cycle > m->act ? cycle : m->act;
        if (t->kind != 0 && o->index < CHIPRUN_PLACES && c->part_of[o->index] != 0) {
            note_store(
                &c->part[c->part_of[o->index] - 1],
                &(struct chiprun_stored){.cycle = cycle,
                                         .address = (uint32_t)(t->kind == 2 ? t->back : t->target),
                                         .bytes = (uint32_t)t->length,
                                         .moved = i});
        }
    }
}

void chiprun_record_heard(void *user, const struct tx_chip_order *o)
{
    struct chiprun_profile *c = user;
    struct chiprun_part *part = o->index < CHIPRUN_PLACES && c->part_of[o->index] != 0
                                    ? &c->part[c->part_of[o->index] - 1]
                                    : NULL;
    switch ((enum tx_chip_order_kind)o->kind) {
    case TX_CHIP_ORDER_LOAD:
        if (part != NULL && o->core < TX_CORES) {
            profile_load(part->p, o->core, o->pc, (uint32_t)o->address);
        }
        return;
    case TX_CHIP_ORDER_STORE:
        if (part != NULL) {
            if (o->core < TX_CORES) {
                profile_store(part->p, o->core);
            }
            note_store(part, &(struct chiprun_stored){.cycle = part->p->cycle,
                                                      .address = (uint32_t)o->address,
                                                      .bytes = o->bytes != 0 ? o->bytes : 4,
                                                      .moved = CHIPRUN_NONE,
                                                      .lane = lane_of(c, o)});
        }
        return;
    case TX_CHIP_ORDER_GO:
        begin_move(c, o);
        return;
    default:
        go_on(c, o);
        return;
    }
}

/* ---- begin and end ---- */

/* ---- open and close ---- */

static void take_flits(struct chiprun_profile *c)
{
    for (uint32_t i = 0; i < c->width * c->height && i < CHIPRUN_PLACES; i++) {
        for (unsigned k = 0; k < 8; k++) {
            uint64_t *flits = &c->flits[i][k / 4][k % 4];
            *flits = tx_chip_link_flits(c->on, i, k / 4, (enum tx_chip_link)(k % 4)) - *flits;
        }
    }
}

struct chiprun_profile *chiprun_record_open(struct txl_error *err, tx_chip *on)
{
    struct chiprun_profile *c = zeroed(err, 1, sizeof *c);
    if (c == NULL) {
        return NULL;
    }
    c->on = on;
    c->arch = tx_chip_arch(on);
    c->beyond = (struct profile_beyond){c, chiprun_made};
    c->first = tx_chip_cycles(on);
    tx_chip_grid(on, &c->width, &c->height);
    for (uint32_t i = 0; i < c->width * c->height && i < CHIPRUN_PLACES; i++) {
        (void)tx_chip_tile_at(on, i, &c->place[i]);
        c->cores += c->place[i].kind == TX_CHIP_TENSIX && !c->place[i].off;
        c->last[i][0] = c->last[i][1] = CHIPRUN_NONE;
    }
    take_flits(c);
    return c;
}

int chiprun_record_tile(struct txl_error *err, struct chiprun_profile *c, size_t index,
                        unsigned column, unsigned row)
{
    struct chiprun_part *part = &c->part[c->parts];
    char place[16];
    tx_tensix *tile = tx_chip_tensix(c->on, index);
    if (c->parts == CHIPRUN_TILES || index >= CHIPRUN_PLACES || tile == NULL) {
        return txl_fail(err, "no Tensix tile is there");
    }
    *part = (struct chiprun_part){.in = c, .index = index, .column = column, .row = row};
    part->p = profile_open(err);
    if (part->p == NULL) {
        return TXL_INPUT;
    }
    const struct tx_chip_observer seen = {.struct_size = sizeof seen,
                                          .jumps = 1,
                                          .sink = {profile_event, part->p},
                                          .cycle = profile_reached,
                                          .user = part->p};
    if (tx_chip_observe(c->on, index, &seen) != TX_OK) {
        profile_close(part->p);
        return txl_fail(err, "a run without time has no profile");
    }
    snprintf(place, sizeof place, "%u,%u", column, row);
    profile_among(part->p, place, c->first);
    profile_attach(part->p, tx_tensix_machine(tile), tile);
    profile_rests(part->p, tx_chip_cycles(c->on) - c->first, "not launched yet");
    c->part_of[index] = (uint16_t)++c->parts;
    tx_order_listen(tx_tensix_machine(tile), &(struct tx_order_sink){l1, part});
    return TXL_CONTINUE;
}

void chiprun_record_deaf(struct chiprun_part *part)
{
    tx_order_listen(tx_tensix_machine(tx_chip_tensix(part->in->on, part->index)), NULL);
    (void)tx_chip_observe(part->in->on, part->index, NULL);
}

int chiprun_record_join(struct txl_error *err, struct chiprun_profile *c, uint64_t cycles,
                        uint32_t bounds)
{
    int result = c->failed ? no_memory(err) : TXL_CONTINUE;
    txl_profile **parts = result == TXL_CONTINUE ? zeroed(err, c->parts + 1u, sizeof *parts) : NULL;
    take_flits(c);
    for (unsigned i = 0; i < c->parts && parts != NULL && result == TXL_CONTINUE; i++) {
        parts[i] = c->part[i].p;
        parts[i]->whole = parts[i];
        profile_cut(parts[i], cycles);
        result = profile_finish(err, parts[i], cycles, bounds);
    }
    if (parts == NULL || result != TXL_CONTINUE) {
        free(parts);
        return TXL_INPUT;
    }
    c->whole = profile_join(err, parts, c->parts, &c->beyond, cycles, bounds);
    return c->whole != NULL ? TXL_CONTINUE : TXL_INPUT;
}

void chiprun_record_close(struct chiprun_profile *c)
{
    for (unsigned i = 0; c != NULL && i < c->parts; i++) {
        free(c->part[i].stored);
        if (c->whole == NULL) {
            profile_close(c->part[i].p);
        }
    }
    if (c != NULL) {
        profile_close(c->whole);
        free(c->moved);
        free(c->before);
    }
    free(c);
}
