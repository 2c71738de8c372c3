/* SPDX-License-Identifier: Apache-2.0 */
/* Checks whether a pair of accesses is one of the idioms in idioms.def. */
#include <string.h>

#include "race/race.h"

enum side { SIDE_GATE, SIDE_MATRIX, SIDE_VECTOR, SIDE_PACK, SIDE_UNPACK, SIDE_CORE, SIDE_ANY };
enum who { WHO_SAME, WHO_OTHER, WHO_ISSUED };

struct idiom {
    struct txl_race_idiom text;
    uint8_t archs, shared, first, second, who;
    const char *fields;
};

#define WH (1u << TX_WORMHOLE)
#define BH (1u << TX_BLACKHOLE)
#define BOTH (WH | BH)
#define IDIOM(id, chips, state, fields, first, second, who, text, evidence) \
    {{id, text, evidence, 0},                                               \
     chips,                                                                 \
     TX_SHARED_##state,                                                     \
     SIDE_##first,                                                          \
     SIDE_##second,                                                         \
     WHO_##who,                                                             \
     fields},
static const struct idiom idioms[] = {
#include "race/idioms.def"
};

size_t race_idiom_count(void)
{
    return sizeof idioms / sizeof idioms[0];
}

const struct txl_race_idiom *txl_race_idiom_known(size_t index)
{
    return index < race_idiom_count() ? &idioms[index].text : NULL;
}

static bool fits_side(enum side side, const struct race_access *a)
{
    switch (race_kind(a->actor)) {
    case ACTOR_MATRIX:
        return side == SIDE_MATRIX || side == SIDE_ANY;
    case ACTOR_VECTOR:
        return side == SIDE_VECTOR || side == SIDE_ANY;
    case ACTOR_PACK:
        return side == SIDE_PACK || side == SIDE_ANY;
    case ACTOR_UNPACK0:
    case ACTOR_UNPACK1:
        return side == SIDE_UNPACK || side == SIDE_ANY;
    case ACTOR_STORE_CONFIG:
        return side == SIDE_CORE || side == SIDE_ANY;
    case ACTOR_GATE:
    case ACTOR_CONFIG:
        return side == SIDE_GATE || side == SIDE_ANY;
    default:
        return side == SIDE_ANY;
    }
}

static bool begins_with_one(const char *name, const char *beginnings)
{
    while (*beginnings != '\0') {
        const size_t n = strcspn(beginnings, " ");
        if (strncmp(name, beginnings, n) == 0) {
            return true;
        }
        beginnings += n + strspn(beginnings + n, " ");
    }
    return false;
}

/* Tells whether the fields whose names begin as the idiom states cover all bits in mask. */
static bool fits_fields(const struct txl_race *r, const struct idiom *i, enum tx_shared shared,
                        unsigned index, uint32_t mask)
{
    const bool thread = shared == TX_SHARED_THREAD_CONFIG;
    const unsigned word = index % (thread ? 128u : 256u);
    const struct tx_config_field *f;
    if (i->fields[0] == '\0') {
        return true;
    }
    for (size_t k = 0; mask != 0 && (f = tx_config_field_at(r->arch, k)) != NULL; k++) {
        if (f->thread == thread && f->word == word && begins_with_one(f->name, i->fields)) {
            mask &= ~((f->width >= 32 ? 0xFFFFFFFFu : (1u << f->width) - 1u) << f->lsb);
        }
    }
    return mask == 0;
}

static bool fits_who(enum who who, const struct race_access *first,
                     const struct race_access *second, const struct race_clock *known)
{
    switch (who) {
    case WHO_SAME:
        return first->thread == second->thread;
    case WHO_ISSUED:
        return first->thread < TX_THREADS &&
               known->at[race_actor(first->thread, ACTOR_GATE)] >= first->gate;
    default:
        return true;
    }
}

int race_idiom(const struct txl_race *r, enum tx_shared shared, unsigned index, uint32_t mask,
               const struct race_access *first, const struct race_access *second,
               const struct race_clock *known)
{
    enum { BETWEEN = 3 };
    for (size_t k = 0; k < race_idiom_count(); k++) {
        const struct idiom *i = &idioms[k];
        if ((i->archs >> r->arch & 1u) != 0 && i->shared == shared &&
            fits_who((enum who)i->who, first, second, known) &&
            fits_side((enum side)i->first, first) && fits_side((enum side)i->second, second) &&
            fits_fields(r, i, shared, index, mask) &&
            (shared != TX_SHARED_SRC ||
             (mask == RACE_OWNER && (first->paired || second->paired))) &&
            (i->first != SIDE_MATRIX || i->second != SIDE_VECTOR ||
             second->sequence - first->sequence > BETWEEN)) {
            return (int)k;
        }
    }
    return -1;
}

const struct txl_race_idiom *txl_race_idiom_at(const txl_race *race, size_t index)
{
    for (size_t k = 0; k < race_idiom_count(); k++) {
        if (race->idioms[k].count != 0 && index-- == 0) {
            return &race->idioms[k];
        }
    }
    return NULL;
}
