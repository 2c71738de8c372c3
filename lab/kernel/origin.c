/* SPDX-License-Identifier: Apache-2.0 */
/* Follows the words of a thread through the Replay and MOP Expanders to find their places. */
#include "kernel/origin.h"

#include <stdlib.h>

#include "base/memory.h"

enum { MOP_MOST = 1 << 17 };

/* ---- the words of a MOP ---- */

static uint32_t field(const struct origin *o, uint32_t word, enum tx_fld fld)
{
    struct tx_decoded d;
    return tx_decode(o->arch, word, &d) == TX_OK && d.row != NULL ? tx_row_field(d.row, fld, word)
                                                                  : 0;
}

/* Keeps the first MOP_MOST words that a MOP is expanded to. */
static void expand(struct origin *o, struct origin_thread *s, const uint32_t cfg[9], uint32_t word)
{
    size_t count;
    s->mop_count = s->mop_next = 0;
    if (tx_mop_expand(o->arch, word, cfg, s->mop_mask, s->mop_words, s->mop_room, &count) !=
        TX_OK) {
        return;
    }
    count = count < MOP_MOST ? count : MOP_MOST;
    if (count > s->mop_room) {
        if (!LIST_ROOM(s->mop_words, 0, s->mop_room, count)) {
            o->failed = true;
            return;
        }
        (void)tx_mop_expand(o->arch, word, cfg, s->mop_mask, s->mop_words, count, &count);
        count = count < MOP_MOST ? count : MOP_MOST;
    }
    s->mop_count = count;
}

/* ---- following the stream ---- */

static uint32_t record(struct origin_thread *s, uint32_t place, uint32_t word)
{
    if (s->recording != 0) {
        s->slot[s->record % ORIGIN_SLOTS] = place;
        s->slot_word[s->record++ % ORIGIN_SLOTS] = word;
        s->recording--;
    }
    return place;
}

/*
 * Takes the next word from the current MOP or else from what was given, and its place. Returns
 * false where there is none.
 */
static bool origin_take(struct origin *o, unsigned thread, struct origin_thread *s, uint32_t *word,
                        uint32_t *place)
{
    if (s->mop_next < s->mop_count) {
        *word = s->mop_words[s->mop_next++];
        *place = s->mop;
        return true;
    }
    return o->next(o->user, thread, word, place);
}

static void follow_replay(struct origin *o, unsigned thread, struct origin_thread *s, uint32_t word)
{
    const unsigned first = field(o, word, TX_FLD_INDEX);
    const unsigned given = field(o, word, TX_FLD_COUNT);
    const unsigned count = given == 0 ? ORIGIN_SLOTS : given;
    const bool load = field(o, word, TX_FLD_LOAD) != 0;
    const bool execute = field(o, word, TX_FLD_EXEC) != 0;
    if (!load) {
        s->play = first;
        s->left = count;
    } else if (execute) {
        s->record = first;
        s->recording = count;
    }
    for (unsigned i = 0; load && !execute && i < count; i++) {
        const unsigned slot = (first + i) % ORIGIN_SLOTS;
        if (!origin_take(o, thread, s, &s->slot_word[slot], &s->slot[slot])) {
            return;
        }
    }
}

uint32_t origin_of(struct origin *o, struct origin_thread *s, unsigned thread, uint32_t word)
{
    uint32_t cfg[9];
    uint32_t head;
    uint32_t place = ORIGIN_NONE;
    for (;;) {
        if (s->left != 0) {
            const unsigned slot = s->play++ % ORIGIN_SLOTS;
            s->left--;
            if (s->slot_word[slot] == word) {
                return s->slot[slot];
            }
            continue;
        }
        if (!origin_take(o, thread, s, &head, &place)) {
            return place; /* not a word that was given: the place is unknown */
        }
        const enum tx_insn_id insn = tx_insn_id_of(o->arch, head);
        if (insn == TX_INSN_REPLAY) {
            follow_replay(o, thread, s, head);
        } else if (insn == TX_INSN_MOP && s->mop_next >= s->mop_count) {
            s->mop = place;
            o->mop(o->user, thread, cfg);
            expand(o, s, cfg, head);
        } else if (insn == TX_INSN_MOPCFG) {
            s->mop_mask = field(o, head, TX_FLD_IMM);
        } else if (head == word) {
            return record(s, place, word);
        }
    }
}

void origin_free(struct origin_thread *s)
{
    free(s->mop_words);
    s->mop_words = NULL;
    s->mop_count = s->mop_next = s->mop_room = 0;
}
