/* SPDX-License-Identifier: Apache-2.0 */
#include "order/memo.h"

#include <stdlib.h>

enum { DECODED_BITS = 12, SLOT_BITS = 10, SLOTS = 1 << SLOT_BITS, WAYS = 2, SEEN = 160 };
enum own { NOT_ASKED, ELSEWHERE, OWN };

/* An instruction that a search has read. */
struct seen {
    uint32_t pc, word;
    uint8_t own;
};
struct entry {
    unsigned count;
    struct seen seen[SEEN];
    struct order_code code;
};
struct order_memo {
    struct tx_core_decoded decoded[1u << DECODED_BITS]; /* by what their words hash to */
    bool on;                                            /* a search is under way */
    struct entry now; /* of that search; more than SEEN instructions are not kept */
    struct entry entry[SLOTS][WAYS];
    uint8_t next[SLOTS]; /* way to be filled next */
};

struct order_memo *order_memo_new(void)
{
    return calloc(1, sizeof(struct order_memo));
}

static uint32_t slot_of(uint32_t word, unsigned bits)
{
    return (word * 2654435761u) >> (32 - bits);
}

static uint32_t word_at(const struct txl_order *o, uint32_t core, uint32_t pc)
{
    const tx_tensix *tile = o->tile[core / ORDER_CORES].tile;
    return tile != NULL ? tx_core_word(tile, (enum tx_core)(core % ORDER_CORES), pc) : 0;
}

static const struct tx_core_decoded *decoded(const struct txl_order *o, uint32_t word)
{
    struct tx_core_decoded *d = &o->memo->decoded[slot_of(word, DECODED_BITS)];
    if (d->word != word || d->arch != o->arch) {
        tx_core_decode(o->arch, word, d);
    }
    return d;
}

static struct seen *seen_at(struct order_memo *m, uint32_t pc)
{
    for (unsigned i = 0; i < m->now.count && i < SEEN; i++) {
        if (m->now.seen[i].pc == pc) {
            return &m->now.seen[i];
        }
    }
    return NULL;
}

bool order_fetch(const struct txl_order *o, uint32_t core, uint32_t pc, struct tx_core_decoded *d)
{
    const uint32_t word = word_at(o, core, pc);
    struct order_memo *m = o->memo;
    if (m != NULL && m->on && seen_at(m, pc) == NULL) {
        if (m->now.count < SEEN) {
            m->now.seen[m->now.count] = (struct seen){pc, word, NOT_ASKED};
        }
        m->now.count++;
    }
    if (m == NULL || word == 0) { /* 0 is no instruction */
        tx_core_decode(o->arch, word, d);
    } else {
        *d = *decoded(o, word);
    }
    return word != 0;
}

void order_memo_begin(const struct txl_order *o)
{
    o->memo->on = true;
    o->memo->now.count = 0;
}

void order_memo_own(const struct txl_order *o, uint32_t pc, bool own)
{
    struct seen *s = o->memo->on ? seen_at(o->memo, pc) : NULL;
    if (s != NULL) {
        s->own = own ? OWN : ELSEWHERE;
    }
}

static bool holds(const struct txl_order *o, uint32_t core, const struct entry *e)
{
    for (unsigned i = 0; i < e->count; i++) {
        const struct seen *s = &e->seen[i];
        if (word_at(o, core, s->pc) != s->word) {
            return false;
        }
        if (s->own != NOT_ASKED &&
            order_loop_own(o, core, decoded(o, s->word)) != (s->own == OWN)) {
            return false;
        }
    }
    return e->count != 0;
}

void order_memo_keep(const struct txl_order *o, const struct order_code *code)
{
    struct order_memo *m = o->memo;
    m->on = false;
    if (m->now.count <= SEEN) {
        const uint32_t slot = slot_of(code->pc, SLOT_BITS);
        struct entry *e = &m->entry[slot][m->next[slot]];
        m->next[slot] = (uint8_t)((m->next[slot] + 1) % WAYS);
        *e = m->now;
        e->code = *code;
    }
}

bool order_memo_find(const struct txl_order *o, const struct order_core *core, uint32_t pc,
                     struct order_code *code)
{
    for (unsigned way = 0; way < WAYS; way++) {
        const struct entry *e = &o->memo->entry[slot_of(pc, SLOT_BITS)][way];
        if (e->code.pc == pc && holds(o, core->number, e)) {
            const uint32_t epoch = code->epoch;
            *code = e->code;
            code->epoch = epoch;
            return true;
        }
    }
    return false;
}
