/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks whether a pair of accesses is one of the idioms in idioms.def, or one of the doubts in
 * doubts.def.
 */
#include <string.h>

#include "race/race.h"

enum side {
    SIDE_GATE,
    SIDE_MATRIX,
    SIDE_VECTOR,
    SIDE_PACK,
    SIDE_UNPACK,
    SIDE_SCALAR,
    SIDE_EXPONENT,
    SIDE_CORE,
    SIDE_STORE,
    SIDE_LOAD,
    SIDE_ANY
};
enum who {
    WHO_SAME,
    WHO_BEHIND1,
    WHO_BEHIND3,
    WHO_LAST3,
    WHO_OTHER,
    WHO_PAIRED,
    WHO_ISSUED,
    WHO_ISSUED3,
    WHO_FAR,
    WHO_PUSHED_FAR,
    WHO_RELEASED
};

enum { EXECUTED = 24 }; /* instructions, see FAR, PUSHED_FAR and RELEASED */

struct idiom {
    struct txl_race_idiom text;
    uint8_t archs, shared, first, first_insn, second, second_insn, who;
    const char *fields;
    bool open; /* of a doubt */
};

#define WH (1u << TX_WORMHOLE)
#define BH (1u << TX_BLACKHOLE)
#define BOTH (WH | BH)
#define TX_SHARED_ANY TX_SHARED_COUNT
#define ROW(id, chips, state, fields, first, insn, second, second_insn, who, open, text, evidence) \
    {{id, text, evidence, 0},                                                                      \
     chips,                                                                                        \
     TX_SHARED_##state,                                                                            \
     SIDE_##first,                                                                                 \
     TX_INSN_##insn,                                                                               \
     SIDE_##second,                                                                                \
     TX_INSN_##second_insn,                                                                        \
     WHO_##who,                                                                                    \
     fields,                                                                                       \
     open},
#define IDIOM(id, chips, state, fields, first, insn, second, second_insn, who, text, evidence) \
    ROW(id, chips, state, fields, first, insn, second, second_insn, who, false, text, evidence)
static const struct idiom idioms[] = {
#include "race/idioms.def"
};
enum { OPEN = true, FAILS = false };
#define DOUBT(id, class, chips, state, fields, first, insn, second, second_insn, who, text, \
              evidence)                                                                     \
    ROW(id, chips, state, fields, first, insn, second, second_insn, who, class, text, evidence)
static const struct idiom doubts[] = {
#include "race/doubts.def"
};

size_t race_idiom_count(void)
{
    return sizeof idioms / sizeof idioms[0];
}

const struct txl_race_idiom *txl_race_idiom_known(size_t index)
{
    return index < race_idiom_count() ? &idioms[index].text : NULL;
}

const struct txl_race_idiom *txl_race_doubt_known(size_t index)
{
    return index < sizeof doubts / sizeof doubts[0] ? &doubts[index].text : NULL;
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
    case ACTOR_MEMORY:
        return side == SIDE_SCALAR || side == SIDE_ANY;
    case ACTOR_EXPONENT:
        return side == SIDE_EXPONENT;
    case ACTOR_STORE_CONFIG:
        return side == SIDE_CORE || side == SIDE_STORE || side == SIDE_ANY;
    case ACTOR_CORE:
        return side == SIDE_LOAD || side == SIDE_ANY;
    case ACTOR_STORE_GPR:
    case ACTOR_STORE_DST:
        return side == SIDE_STORE || side == SIDE_ANY;
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

static uint32_t field(const struct txl_race *r, const struct race_access *a, enum tx_fld name)
{
    struct tx_decoded d;
    const bool known = tx_decode(r->arch, a->word, &d) == TX_OK && d.row != NULL;
    return known ? tx_row_field(d.row, name, a->word) : 0;
}

/* Tells whether WRCFG writes a word with a field whose name begins as the idiom states. */
static bool writes_field(const struct txl_race *r, const struct idiom *i,
                         const struct race_access *wrcfg)
{
    const uint32_t word = field(r, wrcfg, TX_FLD_INDEX);
    const struct tx_config_field *f;
    for (size_t k = 0; (f = tx_config_field_at(r->arch, k)) != NULL; k++) {
        if (!f->thread && f->word == word && begins_with_one(f->name, i->fields)) {
            return true;
        }
    }
    return false;
}

/* Tells whether the names of all fields that have bits in mask begin as the idiom states. */
static bool fits_fields(const struct txl_race *r, const struct idiom *i, enum tx_shared shared,
                        unsigned index, uint32_t mask)
{
    const bool thread = shared == TX_SHARED_THREAD_CONFIG;
    const unsigned word = index % (thread ? 128u : 256u);
    const struct tx_config_field *f;
    bool one = false;
    if (i->fields[0] == '\0') {
        return true;
    }
    for (size_t k = 0; (f = tx_config_field_at(r->arch, k)) != NULL; k++) {
        const uint32_t bits = (f->width >= 32 ? 0xFFFFFFFFu : (1u << f->width) - 1u) << f->lsb;
        if (f->thread == thread && f->word == word && (bits & mask) != 0) {
            if (!begins_with_one(f->name, i->fields)) {
                return false;
            }
            one = true;
        }
    }
    return one; /* bits of no field do not count */
}

/* Tells whether the core that pushed the second has stored the first long before. */
static bool far_behind(const struct race_access *first, const struct race_access *second)
{
    return first->thread >= TX_ORDER_CORE && second->thread < TX_THREADS &&
           second->by == first->thread - TX_ORDER_CORE && second->pushed >= first->gate &&
           second->executed - first->executed >= EXECUTED;
}

/* Tells whether the core that loads has pushed the first long before. */
static bool far_pushed(const struct race_access *first, const struct race_access *second)
{
    return first->thread < TX_THREADS && second->thread == TX_ORDER_CORE + first->by &&
           second->executed - first->executed >= EXECUTED;
}

enum { MACRO = 12 }; /* the last part of a macro begins at most so many cycles later */

static unsigned more_behind(const struct idiom *i, const struct race_access *first)
{
    const bool macro = first->insn == TX_INSN_SFPLOADMACRO && i->first_insn == TX_INSN_NONE;
    return macro ? MACRO : 0;
}

/* Tells whether so many instructions of the thread are between the two. */
static bool behind(const struct idiom *i, const struct race_access *first,
                   const struct race_access *second, unsigned count)
{
    return first->thread == second->thread &&
           second->sequence > first->sequence + count + more_behind(i, first);
}

/* Tells whether the second knows that the first has passed, and so many more of its thread. */
static bool told(const struct idiom *i, const struct race_access *first,
                 const struct race_clock *known, unsigned count)
{
    return first->thread < TX_THREADS &&
           known->at[race_actor(first->thread, ACTOR_GATE)] >=
               first->gate + count + (count != 0 ? more_behind(i, first) : 0);
}

static bool fits_who(const struct txl_race *r, const struct idiom *i, uint32_t mask,
                     const struct race_access *first, const struct race_access *second,
                     const struct race_clock *known)
{
    switch ((enum who)i->who) {
    case WHO_SAME:
        return first->thread == second->thread;
    case WHO_BEHIND1:
        return behind(i, first, second, 1);
    case WHO_BEHIND3:
        return behind(i, first, second, 3);
    case WHO_LAST3:
        return field(r, first, TX_FLD_LAST) != 0 && behind(i, first, second, 3);
    case WHO_PAIRED:
        return mask == RACE_OWNER && (first->paired || second->paired);
    case WHO_ISSUED:
        return told(i, first, known, 0);
    case WHO_ISSUED3:
        return first->thread != second->thread && told(i, first, known, 3);
    case WHO_FAR:
        return r->tile != NULL && far_behind(first, second);
    case WHO_PUSHED_FAR:
        return r->tile != NULL && far_pushed(first, second);
    case WHO_RELEASED:
        return first->loose == NOWHERE && race_tile_released(r, first, second, EXECUTED);
    default:
        return true;
    }
}

static bool fits(const struct txl_race *r, const struct idiom *i, enum tx_shared shared,
                 unsigned index, uint32_t mask, const struct race_access *first,
                 const struct race_access *second, const struct race_clock *known)
{
    return (i->archs >> r->arch & 1u) != 0 && (i->shared == shared || i->shared == TX_SHARED_ANY) &&
           (i->first_insn == TX_INSN_NONE || i->first_insn == first->insn) &&
           (i->second_insn == TX_INSN_NONE || i->second_insn == second->insn) &&
           fits_side((enum side)i->first, first) && fits_side((enum side)i->second, second) &&
           fits_who(r, i, mask, first, second, known) &&
           (shared == TX_SHARED_GPR && i->fields[0] != '\0'
                ? writes_field(r, i, second)
                : fits_fields(r, i, shared, index, mask));
}

int race_idiom(const struct txl_race *r, enum tx_shared shared, unsigned index, uint32_t mask,
               const struct race_access *first, const struct race_access *second,
               const struct race_clock *known)
{
    for (size_t k = 0; k < race_idiom_count(); k++) {
        if (fits(r, &idioms[k], shared, index, mask, first, second, known)) {
            return (int)k;
        }
    }
    return -1;
}

const struct txl_race_idiom *race_doubt(const struct txl_race *r, enum tx_shared shared,
                                        unsigned index, uint32_t mask,
                                        const struct race_access *first,
                                        const struct race_access *second,
                                        const struct race_clock *known, bool *open)
{
    *open = false;
    for (size_t k = 0; k < sizeof doubts / sizeof doubts[0]; k++) {
        if (fits(r, &doubts[k], shared, index, mask, first, second, known)) {
            *open = doubts[k].open;
            return &doubts[k].text;
        }
    }
    return NULL;
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
