/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps checkpoints and changes of the past and restores earlier moments from them. */
#include "past/past.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { CHANGES_MOST = 1 << 20, DATA_MOST = 1 << 26, POINTS_LEAST = 4, POINTS_MOST = 64 };

/* ---- checkpoints ---- */

static void drop(struct history *h, unsigned index)
{
    if (h->of.drop != NULL) {
        h->of.drop(h->of.user, h->points[index].bytes);
    }
    free(h->points[index].bytes);
    h->count--;
    memmove(&h->points[index], &h->points[index + 1], (h->count - index) * sizeof h->points[0]);
}

/* Returns the distance that is allowed between checkpoints that lie so many steps back. */
static uint64_t spacing(const struct history *h, uint64_t away)
{
    return away / 2 > h->spacing ? away / 2 : h->spacing;
}

static uint64_t time_of(const struct history *h)
{
    return h->of.now(h->of.user);
}

/*
 * Drops checkpoints that lie closer together than their distance from now requires; the first one
 * is kept.
 */
static void thin(struct history *h, uint64_t now)
{
    for (unsigned i = 1; i + 1 < h->count;) {
        const uint64_t gap = h->points[i + 1].time - h->points[i - 1].time;
        const uint64_t end = h->points[i + 1].time;
        if (gap <= spacing(h, now > end ? now - end : 0)) {
            drop(h, i);
        } else {
            i++;
        }
    }
    while (h->count > h->most) {
        unsigned least = 1;
        double best = 1e300;
        for (unsigned i = 1; i + 1 < h->count; i++) {
            const double gap = (double)(h->points[i + 1].time - h->points[i - 1].time);
            const double away = (double)(now > h->points[i].time ? now - h->points[i].time : 0);
            if (gap / (away + 1) < best) {
                best = gap / (away + 1);
                least = i;
            }
        }
        drop(h, least);
    }
}

/* Adds a checkpoint. Without memory there is simply one less. */
static bool past_add(struct history *h)
{
    const uint64_t now = time_of(h);
    unsigned at = h->count;
    while (at > 0 && h->points[at - 1].time >= now) {
        at--;
        if (h->points[at].time == now) {
            return true;
        }
    }
    void *bytes = calloc(1, h->of.size);
    if (bytes == NULL || !h->of.save(h->of.user, bytes)) {
        free(bytes);
        return false;
    }
    memmove(&h->points[at + 1], &h->points[at], (h->count - at) * sizeof h->points[0]);
    h->points[at] = (struct checkpoint){now, bytes};
    h->count++;
    return true;
}

int history_open(struct txl_error *err, struct history *h, const struct past_of *of,
                 uint64_t spacing_of, uint64_t budget)
{
    memset(h, 0, sizeof *h);
    h->of = *of;
    h->spacing = spacing_of;
    const uint64_t most = budget / (of->size + of->beside);
    h->most = most < POINTS_LEAST  ? POINTS_LEAST
              : most > POINTS_MOST ? POINTS_MOST
                                   : (unsigned)most;
    h->points = zeroed(err, h->most + 1, sizeof h->points[0]);
    if (h->points == NULL || !past_add(h)) {
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

/* Forgets everything: the past begins now. */
static void begin_now(struct history *h)
{
    h->change_count = h->next = 0;
    h->data_size = 0;
    while (h->count > 1) {
        drop(h, h->count - 1);
    }
    if (h->of.drop != NULL) {
        h->of.drop(h->of.user, h->points[0].bytes);
    }
    (void)h->of.save(h->of.user, h->points[0].bytes);
    h->points[0].time = time_of(h);
}

bool history_change(struct history *h, const struct change *change, const void *bytes)
{
    uint32_t size = change->size;
    history_cut(h);
    const bool whole = h->of.change(h->of.user, change, bytes, &size);
    if (!whole && size == 0) {
        return false;
    }
    const bool fits = h->change_count < CHANGES_MOST && h->data_size + size <= DATA_MOST &&
                      LIST_ROOM(h->changes, h->change_count, h->change_room, 1) &&
                      LIST_ROOM(h->data, h->data_size, h->data_room, size);
    if (!fits) {
        begin_now(h);
        return whole;
    }
    struct change *c = &h->changes[h->change_count++];
    *c = *change;
    c->time = time_of(h);
    c->at = h->data_size;
    c->size = size;
    if (size != 0) {
        memcpy(h->data + h->data_size, bytes, size);
    }
    h->data_size += size;
    h->next = h->change_count;
    return whole;
}

bool history_has(const struct history *h, int kind)
{
    const uint64_t now = time_of(h);
    for (size_t i = h->change_count; i-- > 0 && h->changes[i].time >= now;) {
        if (h->changes[i].time == now && h->changes[i].kind == kind) {
            return true;
        }
    }
    return false;
}

/* Repeats the changes of the current time. */
static void changes_of(struct history *h)
{
    const uint64_t now = time_of(h);
    for (; h->next < h->change_count && h->changes[h->next].time <= now; h->next++) {
        const struct change *c = &h->changes[h->next];
        uint32_t done = c->size;
        (void)h->of.change(h->of.user, c, c->size != 0 ? h->data + c->at : NULL, &done);
    }
}

/* ---- time ---- */

uint64_t history_begin(const struct history *h)
{
    return h->points[0].time;
}

uint64_t history_before(const struct history *h, uint64_t time)
{
    unsigned at = h->count;
    while (at > 1 && h->points[at - 1].time >= time) {
        at--;
    }
    return h->points[at - 1].time;
}

void history_cut(struct history *h)
{
    const uint64_t now = time_of(h);
    while (h->count > 1 && h->points[h->count - 1].time > now) {
        drop(h, h->count - 1);
    }
    while (h->change_count > 0 && h->changes[h->change_count - 1].time > now) {
        h->change_count--;
        h->data_size = h->changes[h->change_count].at;
    }
    h->next = h->change_count;
}

void history_went(struct history *h)
{
    const uint64_t now = time_of(h);
    if (now - history_before(h, now + 1) >= h->spacing) {
        (void)past_add(h);
        thin(h, now);
    }
}

/*
 * A checkpoint of the same time as a change may have been saved before or after it; it contains the
 * changes before its time, and all of its own time are done again.
 */
void history_back(struct history *h, uint64_t checkpoint)
{
    for (unsigned i = 0; i < h->count; i++) {
        if (h->points[i].time == checkpoint) {
            h->of.load(h->of.user, h->points[i].bytes);
        }
    }
    h->next = 0;
    while (h->next < h->change_count && h->changes[h->next].time < checkpoint) {
        h->next++;
    }
    changes_of(h);
}

void history_again(struct history *h, uint64_t target)
{
    h->of.step(h->of.user);
    const uint64_t now = time_of(h);
    const uint64_t last = history_before(h, now + 1);
    if (now < target && now - last >= spacing(h, target - now)) {
        (void)past_add(h);
        thin(h, target);
    }
    changes_of(h);
}
