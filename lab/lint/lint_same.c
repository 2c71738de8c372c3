/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Marks entries that say the same about another word: a hazard between the same two lines of the
 * source, or the same sentence. A table by what they have in common finds them in linear time.
 */
#include "base/memory.h"
#include "base/hash.h"
#include "lint/lint.h"

#include <stdlib.h>
#include <string.h>

static bool is_hazard(const struct txl_lint_finding *f)
{
    return f->finding->category == TX_HAZARD;
}

/*
 * What two entries that say the same have in common: numbers, then perhaps a text. A place is three
 * of the numbers: its line in the source, which .rept and recorded loops repeat, or its word.
 */
enum { KEY_NUMBERS = 10 };
struct key {
    uint64_t *number; /* as many as there is room for, and behind them the text */
    size_t count, room;
    bool failed;
};

/* Begins a key that may end with this text. */
static void key_begin(struct key *k, const char *text)
{
    const size_t more = KEY_NUMBERS + strlen(text) / sizeof *k->number + 1;
    k->count = 0;
    k->failed = !LIST_ROOM(k->number, 0, k->room, more) || k->failed;
}

static void key_add(struct key *k, uint64_t number)
{
    if (!k->failed) {
        k->number[k->count++] = number;
    }
}

static void key_add_place(struct key *k, const struct txl_lint_place *p)
{
    const bool line = p->known && p->line != 0;
    key_add(k, line ? UINT64_C(2) << 32 | p->line : p->known ? 1 : 0);
    key_add(k, line ? (uintptr_t)p->source : p->known ? p->word : 0);
    key_add(k, line ? p->section : 0);
}

/* Returns the number of the key with this text behind it, 0 for a new one; NULL without memory. */
static uint32_t *key_number(struct hash *t, const struct key *k, const char *text)
{
    if (k->failed) {
        return NULL;
    }
    const size_t length = strlen(text);
    memcpy(k->number + k->count, text, length);
    return hash_at(t, k->number, k->count * sizeof *k->number + length);
}

/* The numbers of a finding: by its lines, and but for hazards by its sentence. */
static unsigned finding_numbers(struct hash *t, struct key *k, const struct txl_lint_finding *f,
                                uint32_t *numbers[2])
{
    const char *const texts[] = {"", f->finding->message};
    const unsigned kinds = is_hazard(f) ? 1 : 2;
    for (unsigned kind = 0; kind < kinds; kind++) {
        key_begin(k, texts[kind]);
        key_add(k, kind);
        key_add(k, f->finding->category);
        key_add(k, (uintptr_t)f->finding->rule);
        key_add(k, f->sfpnop_missing);
        if (kind == 0) {
            key_add_place(k, &f->place);
            key_add_place(k, &f->producer);
        }
        numbers[kind] = key_number(t, k, texts[kind]);
        k->failed = k->failed || numbers[kind] == NULL;
    }
    return kinds;
}

static bool same_findings(struct txl_lint_finding *list, size_t count)
{
    struct hash t = {NULL};
    struct key k = {.number = NULL};
    for (uint32_t i = 0; i < count && !k.failed; i++) {
        uint32_t *numbers[2];
        const unsigned kinds = finding_numbers(&t, &k, &list[i], numbers);
        uint32_t first = 0; /* the number of an entry plus 1 */
        for (unsigned kind = 0; kind < kinds && !k.failed; kind++) {
            first = first != 0 ? first : *numbers[kind];
        }
        if (first != 0) {
            list[first - 1].more++;
            list[i].repeated = true;
        }
        for (unsigned kind = 0; kind < kinds && !k.failed; kind++) {
            *numbers[kind] = *numbers[kind] != 0 ? *numbers[kind] : first != 0 ? first : i + 1;
        }
    }
    hash_free(&t);
    free(k.number);
    return !k.failed;
}

static bool same_nops(struct txl_lint_nop *list, size_t count)
{
    struct hash t = {NULL};
    struct key k = {.number = NULL};
    for (uint32_t i = 0; i < count && !k.failed; i++) {
        struct txl_lint_nop *x = &list[i];
        key_begin(&k, x->text);
        key_add(&k, x->cycles != 0);
        key_add(&k, (uintptr_t)x->rule);
        key_add_place(&k, &x->place);
        uint32_t *const number = key_number(&t, &k, x->text);
        if (number == NULL) {
            k.failed = true;
        } else if (*number != 0) {
            list[*number - 1].more++;
            x->repeated = true;
        } else {
            *number = i + 1;
        }
    }
    hash_free(&t);
    free(k.number);
    return !k.failed;
}

bool lint_same(struct txl_lint_finding *findings, size_t finding_count, struct txl_lint_nop *nops,
               size_t nop_count)
{
    return same_findings(findings, finding_count) && same_nops(nops, nop_count);
}
