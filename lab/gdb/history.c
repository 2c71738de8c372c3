/* SPDX-License-Identifier: Apache-2.0 */
#include "gdb/history.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { CHANGES_MOST = 1 << 20, DATA_MOST = 1 << 26, POINTS_LEAST = 4, POINTS_MOST = 64 };

/* ---- checkpoints ---- */

static void drop(struct history *h, unsigned index)
{
    free(h->points[index].bytes);
    h->count--;
    memmove(&h->points[index], &h->points[index + 1], (h->count - index) * sizeof h->points[0]);
}

/* How far apart checkpoints may be that are so many cycles away. */
static uint64_t spacing(uint64_t away)
{
    return away / 2 > HISTORY_SPACING ? away / 2 : HISTORY_SPACING;
}

/* Those that lie closer together than a moment at that distance needs go; the first one stays. */
static void thin(struct history *h, uint64_t now)
{
    for (unsigned i = 1; i + 1 < h->count;) {
        const uint64_t gap = h->points[i + 1].cycle - h->points[i - 1].cycle;
        const uint64_t end = h->points[i + 1].cycle;
        if (gap <= spacing(now > end ? now - end : 0)) {
            drop(h, i);
        } else {
            i++;
        }
    }
    while (h->count > h->most) {
        unsigned least = 1;
        double best = 1e300;
        for (unsigned i = 1; i + 1 < h->count; i++) {
            const double gap = (double)(h->points[i + 1].cycle - h->points[i - 1].cycle);
            const double away = (double)(now > h->points[i].cycle ? now - h->points[i].cycle : 0);
            if (gap / (away + 1) < best) {
                best = gap / (away + 1);
                least = i;
            }
        }
        drop(h, least);
    }
}

/* Where there is no memory for it there is one checkpoint less. */
static bool add(struct history *h)
{
    const uint64_t now = tx_tensix_cycles(h->tile);
    unsigned at = h->count;
    while (at > 0 && h->points[at - 1].cycle >= now) {
        at--;
        if (h->points[at].cycle == now) {
            return true;
        }
    }
    void *bytes = malloc(h->checkpoint_size);
    if (bytes == NULL || tx_tensix_checkpoint(h->tile, bytes, h->checkpoint_size) != TX_OK) {
        free(bytes);
        return false;
    }
    memmove(&h->points[at + 1], &h->points[at], (h->count - at) * sizeof h->points[0]);
    h->points[at] = (struct checkpoint){now, bytes};
    h->count++;
    return true;
}

int history_open(struct txl_error *err, struct history *h, tx_tensix *tile, uint64_t budget)
{
    memset(h, 0, sizeof *h);
    h->tile = tile;
    h->checkpoint_size = tx_tensix_checkpoint_size(tile);
    const uint64_t most = budget / h->checkpoint_size;
    h->most = most < POINTS_LEAST  ? POINTS_LEAST
              : most > POINTS_MOST ? POINTS_MOST
                                   : (unsigned)most;
    h->points = zeroed(err, h->most + 1, sizeof h->points[0]);
    if (h->points == NULL || !add(h)) {
        history_free(h);
        return no_memory(err);
    }
    return TXL_CONTINUE;
}

void history_free(struct history *h)
{
    while (h->count > 0) {
        drop(h, h->count - 1);
    }
    free(h->points);
    free(h->changes);
    free(h->data);
    memset(h, 0, sizeof *h);
}

/* ---- changes ---- */

static bool words_of(const struct change *c, const uint8_t *bytes, uint32_t words[64])
{
    const size_t count = c->size / 4;
    if (c->size % 4 != 0 || count > 64) {
        return false;
    }
    if (count != 0) {
        memcpy(words, bytes, c->size);
    }
    return true;
}

static bool apply(tx_tensix *tile, const struct change *c, const uint8_t *bytes)
{
    uint32_t words[64] = {0};
    if (c->kind != CHANGE_MEMORY && !words_of(c, bytes, words)) {
        return false;
    }
    switch (c->kind) {
    case CHANGE_MEMORY:
        return tx_core_poke(tile, c->core, c->where, bytes, c->size) == c->size;
    case CHANGE_HOST:
        return tx_tensix_write(tile, c->where, bytes, c->size) == TX_OK;
    case CHANGE_REGISTER:
        return tx_core_write(tile, c->core, c->where, words[0]) == TX_OK;
    case CHANGE_CSR:
        return tx_core_csr_write(tile, c->core, c->where, words[0]) == TX_OK;
    case CHANGE_FILE:
        return tx_write(tx_tensix_machine(tile), (enum tx_file)c->where, c->index, words,
                        c->size / 4) == TX_OK;
    case CHANGE_WAKE:
        return tx_core_wake(tile, c->core) == TX_OK;
    case CHANGE_FREEZE:
        tx_tensix_freeze(tile, c->where);
        return true;
    case CHANGE_SPLIT:
        return tx_tensix_split(tile, words, c->size / 4) == TX_OK;
    }
    return false;
}

/* Everything is forgotten; the past begins now. */
static void begin_now(struct history *h)
{
    h->change_count = h->next = 0;
    h->data_size = 0;
    while (h->count > 1) {
        drop(h, h->count - 1);
    }
    (void)tx_tensix_checkpoint(h->tile, h->points[0].bytes, h->checkpoint_size);
    h->points[0].cycle = tx_tensix_cycles(h->tile);
}

static bool grow(void **array, size_t *room, size_t need, size_t most, size_t element)
{
    if (need <= *room) {
        return true;
    }
    size_t larger = *room == 0 ? 64 : 2 * *room;
    larger = larger < need ? need : larger;
    void *now = need <= most ? realloc(*array, larger * element) : NULL;
    if (now == NULL) {
        return false;
    }
    *array = now;
    *room = larger;
    return true;
}

bool history_change(struct history *h, const struct change *change, const void *bytes)
{
    void *changes = h->changes;
    void *data = h->data;
    uint32_t size = change->size;
    history_cut(h);
    if (change->kind == CHANGE_MEMORY) { /* what was stored before it came to an end stays */
        size = (uint32_t)tx_core_poke(h->tile, change->core, change->where, bytes, size);
    }
    if (change->kind == CHANGE_MEMORY ? size == 0 : !apply(h->tile, change, bytes)) {
        return false;
    }
    const bool fits =
        grow(&changes, &h->change_room, h->change_count + 1, CHANGES_MOST, sizeof h->changes[0]) &&
        grow(&data, &h->data_room, h->data_size + size, DATA_MOST, 1);
    h->changes = changes;
    h->data = data;
    if (!fits) {
        begin_now(h);
        return size == change->size;
    }
    struct change *c = &h->changes[h->change_count++];
    *c = *change;
    c->cycle = tx_tensix_cycles(h->tile);
    c->at = h->data_size;
    c->size = size;
    if (size != 0) {
        memcpy(h->data + h->data_size, bytes, size);
    }
    h->data_size += size;
    h->next = h->change_count;
    return size == change->size;
}

bool history_has(const struct history *h, enum change_kind kind)
{
    const uint64_t now = tx_tensix_cycles(h->tile);
    for (size_t i = h->change_count; i-- > 0 && h->changes[i].cycle >= now;) {
        if (h->changes[i].cycle == now && h->changes[i].kind == kind) {
            return true;
        }
    }
    return false;
}

/* Those of the cycle that the tile has reached. */
static void changes_of(struct history *h)
{
    const uint64_t now = tx_tensix_cycles(h->tile);
    for (; h->next < h->change_count && h->changes[h->next].cycle <= now; h->next++) {
        const struct change *c = &h->changes[h->next];
        (void)apply(h->tile, c, c->size != 0 ? h->data + c->at : NULL);
    }
}

/* ---- time ---- */

uint64_t history_begin(const struct history *h)
{
    return h->points[0].cycle;
}

uint64_t history_before(const struct history *h, uint64_t cycle)
{
    unsigned at = h->count;
    while (at > 1 && h->points[at - 1].cycle >= cycle) {
        at--;
    }
    return h->points[at - 1].cycle;
}

void history_cut(struct history *h)
{
    const uint64_t now = tx_tensix_cycles(h->tile);
    while (h->count > 1 && h->points[h->count - 1].cycle > now) {
        drop(h, h->count - 1);
    }
    while (h->change_count > 0 && h->changes[h->change_count - 1].cycle > now) {
        h->change_count--;
        h->data_size = h->changes[h->change_count].at;
    }
    h->next = h->change_count;
}

void history_went(struct history *h)
{
    const uint64_t now = tx_tensix_cycles(h->tile);
    if (now - h->points[h->count - 1].cycle >= HISTORY_SPACING) {
        (void)add(h);
        thin(h, now);
    }
}

/* A checkpoint may be older or younger than changes of its own cycle: it has those before it. */
void history_back(struct history *h, uint64_t checkpoint)
{
    for (unsigned i = 0; i < h->count; i++) {
        if (h->points[i].cycle == checkpoint) {
            (void)tx_tensix_rollback(h->tile, h->points[i].bytes, h->checkpoint_size);
        }
    }
    h->next = 0;
    while (h->next < h->change_count && h->changes[h->next].cycle < checkpoint) {
        h->next++;
    }
    changes_of(h);
}

void history_again(struct history *h, uint64_t target)
{
    (void)tx_tensix_cycle(h->tile, 1);
    const uint64_t now = tx_tensix_cycles(h->tile);
    const uint64_t last = history_before(h, now + 1);
    if (now < target && now - last >= spacing(target - now)) {
        (void)add(h);
        thin(h, target);
    }
    changes_of(h);
}
