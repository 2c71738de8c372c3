/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Marks entries that say the same about another word: a hazard between the same two lines of the
 * source, or the same sentence. A hash of what they have in common finds them in linear time.
 */
#include "lint/lint.h"

#include <stdlib.h>
#include <string.h>

static bool is_hazard(const struct txl_lint_finding *f)
{
    return f->finding->category == TX_HAZARD;
}

/* Returns whether both are the same line of the source, which .rept and recorded loops repeat. */
static bool same_line(const struct txl_lint_place *a, const struct txl_lint_place *b)
{
    if (!a->known || !b->known) {
        return a->known == b->known;
    }
    return a->line != 0 ? a->line == b->line && a->source == b->source && a->section == b->section
                        : a->word == b->word && b->line == 0;
}

static bool finding_alike(const struct txl_lint_finding *a, const struct txl_lint_finding *b)
{
    if (a->finding->category != b->finding->category || a->finding->rule != b->finding->rule ||
        a->sfpnop_missing != b->sfpnop_missing) {
        return false;
    }
    return (same_line(&a->place, &b->place) && same_line(&a->producer, &b->producer)) ||
           (!is_hazard(a) && strcmp(a->finding->message, b->finding->message) == 0);
}

static bool nop_alike(const struct txl_lint_nop *a, const struct txl_lint_nop *b)
{
    return (a->cycles != 0) == (b->cycles != 0) && a->rule == b->rule &&
           same_line(&a->place, &b->place) && strcmp(a->text, b->text) == 0;
}

static uint64_t mix(uint64_t key, uint64_t value)
{
    return (key ^ value) * UINT64_C(0x9E3779B97F4A7C15) ^ key >> 29;
}

static uint64_t mix_text(uint64_t key, const char *text)
{
    for (; *text != '\0'; text++) {
        key = mix(key, (unsigned char)*text);
    }
    return key;
}

static uint64_t mix_line(uint64_t key, const struct txl_lint_place *p)
{
    if (!p->known) {
        return mix(key, 0);
    }
    return p->line != 0 ? mix(mix(mix(key, p->line), (uintptr_t)p->source), p->section)
                        : mix(key, UINT64_C(1) << 32 | p->word);
}

/* A hash table of entries by key. */
struct table {
    uint32_t *slot; /* 0: empty, otherwise the index of an entry plus 1 */
    size_t mask;
};

static bool table_open(struct table *t, size_t count)
{
    t->mask = 15;
    while (t->mask < 4 * count) {
        t->mask = 2 * t->mask + 1;
    }
    t->slot = calloc(t->mask + 1, sizeof *t->slot);
    return t->slot != NULL;
}

static bool same_findings(struct txl_lint_finding *list, size_t count)
{
    struct table t;
    if (!table_open(&t, count)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct txl_lint_finding *x = &list[i];
        const uint64_t key =
            mix(mix(x->finding->category, (uintptr_t)x->finding->rule), x->sfpnop_missing);
        const uint64_t keys[] = {mix_line(mix_line(key, &x->place), &x->producer),
                                 mix_text(~key, x->finding->message)};
        uint32_t *slots[2];
        uint32_t first = 0;
        const unsigned kinds = is_hazard(x) ? 1 : 2;
        for (unsigned k = 0; k < kinds; k++) {
            size_t at = (size_t)(keys[k] ^ keys[k] >> 32) & t.mask;
            while (t.slot[at] != 0 && !finding_alike(&list[t.slot[at] - 1], x)) {
                at = (at + 1) & t.mask;
            }
            slots[k] = &t.slot[at];
            first = first != 0 ? first : t.slot[at];
        }
        if (first != 0) {
            list[first - 1].more++;
            x->repeated = true;
        }
        for (unsigned k = 0; k < kinds; k++) {
            *slots[k] = *slots[k] != 0 ? *slots[k] : first != 0 ? first : i + 1;
        }
    }
    free(t.slot);
    return true;
}

static bool same_nops(struct txl_lint_nop *list, size_t count)
{
    struct table t;
    if (!table_open(&t, count)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct txl_lint_nop *x = &list[i];
        const uint64_t key =
            mix_line(mix_text(mix(x->cycles != 0, (uintptr_t)x->rule), x->text), &x->place);
        size_t at = (size_t)(key ^ key >> 32) & t.mask;
        while (t.slot[at] != 0 && !nop_alike(&list[t.slot[at] - 1], x)) {
            at = (at + 1) & t.mask;
        }
        if (t.slot[at] != 0) {
            list[t.slot[at] - 1].more++;
            x->repeated = true;
        } else {
            t.slot[at] = i + 1;
        }
    }
    free(t.slot);
    return true;
}

bool lint_same(struct txl_lint_finding *findings, size_t finding_count, struct txl_lint_nop *nops,
               size_t nop_count)
{
    return same_findings(findings, finding_count) && same_nops(nops, nop_count);
}
