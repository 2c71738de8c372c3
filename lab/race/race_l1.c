/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Happens-before through words of L1: a core that has waited for a word knows all that its writer
 * knew. The writer's clocks are stored once for all words that it writes while nothing but its own
 * two counts changes, so that memory grows with the number of words written, not with the length of
 * the run.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "race/race.h"

enum { WORDS = 1024 }; /* per page */

/*
 * A writer's clocks without its own counts, shared by users: words and the writer's "last" entry.
 */
struct knowledge {
    struct race_clock clock;
    uint32_t users, next; /* next: index + 1 of the next free entry */
};

struct flag {
    uint32_t knowledge; /* index + 1; 0: never written */
    uint32_t clock[2];
    uint8_t actor[2];
};

struct race_flags {
    struct knowledge *list;
    size_t room;
    uint32_t count, free;  /* free: index + 1 of the first free entry */
    uint32_t last[ACTORS]; /* index + 1 of each writer's latest entry */
    uint32_t page_count;
    struct flag *pages[];
};

struct race_flags *race_flags_open(struct txl_race *r)
{
    const uint32_t pages = tx_l1_size(r->arch) / 4 / WORDS + 1;
    struct race_flags *f = zeroed(r->err, 1, sizeof *f + pages * sizeof f->pages[0]);
    if (f != NULL) {
        f->page_count = pages;
    }
    return f;
}

void race_flags_close(struct race_flags *f)
{
    if (f != NULL) {
        for (uint32_t i = 0; i < f->page_count; i++) {
            free(f->pages[i]);
        }
        free(f->list);
        free(f);
    }
}

static void let_go(struct race_flags *f, uint32_t knowledge)
{
    if (knowledge != 0 && --f->list[knowledge - 1].users == 0) {
        f->list[knowledge - 1].next = f->free;
        f->free = knowledge;
    }
}

/* Returns index + 1 of a new entry without users; 0 without memory. */
static uint32_t take_new(struct race_flags *f)
{
    if (f->free != 0) {
        const uint32_t taken = f->free;
        f->free = f->list[taken - 1].next;
        return taken;
    }
    if (!LIST_ROOM(f->list, f->count, f->room, 1)) {
        return 0;
    }
    return ++f->count;
}

/* Returns the entry for what the writer knows, usually the same as for its last write. */
static uint32_t knowledge_of(struct race_flags *f, const struct race_clock *known, unsigned actor,
                             unsigned other)
{
    struct race_clock clock = *known;
    const uint32_t last = f->last[actor];
    clock.at[actor] = clock.at[other] = 0;
    if (last != 0 && memcmp(&f->list[last - 1].clock, &clock, sizeof clock) == 0) {
        return last;
    }
    const uint32_t taken = take_new(f);
    if (taken != 0) {
        f->list[taken - 1] = (struct knowledge){.clock = clock, .users = 1};
        let_go(f, last);
        f->last[actor] = taken;
    }
    return taken;
}

static struct flag *flag_at(struct race_flags *f, uint32_t word, bool make)
{
    const uint32_t page = word / WORDS;
    if (page >= f->page_count) {
        return NULL;
    }
    if (f->pages[page] == NULL && make) {
        f->pages[page] = calloc(WORDS, sizeof *f->pages[page]);
    }
    return f->pages[page] != NULL ? &f->pages[page][word % WORDS] : NULL;
}

void race_flag_set(struct txl_race *r, uint32_t address, uint32_t size,
                   const struct race_clock *known, unsigned actor, unsigned other)
{
    struct race_flags *f = r->flags;
    const uint32_t knowledge = knowledge_of(f, known, actor, other);
    const uint32_t end = size != 0 ? (address + size - 1) / 4 + 1 : address / 4;
    for (uint32_t word = address / 4; word < end && knowledge != 0; word++) {
        struct flag *flag = flag_at(f, word, true);
        if (flag == NULL) {
            r->failed = r->failed || word / WORDS < f->page_count;
            return;
        }
        f->list[knowledge - 1].users++;
        let_go(f, flag->knowledge);
        *flag = (struct flag){.knowledge = knowledge,
                              .clock = {known->at[actor], known->at[other]},
                              .actor = {(uint8_t)actor, (uint8_t)other}};
    }
    r->failed = r->failed || knowledge == 0;
}

void race_flag_join(struct txl_race *r, uint32_t address, uint32_t size, struct race_clock *to)
{
    for (uint32_t word = address / 4; word <= (address + size - 1) / 4; word++) {
        const struct flag *flag = flag_at(r->flags, word, false);
        if (flag == NULL || flag->knowledge == 0) {
            continue;
        }
        race_join(to, &r->flags->list[flag->knowledge - 1].clock);
        for (unsigned i = 0; i < 2; i++) {
            uint32_t *at = &to->at[flag->actor[i]];
            *at = *at > flag->clock[i] ? *at : flag->clock[i];
        }
    }
}
