/* SPDX-License-Identifier: Apache-2.0 */
/* Follows the words of a thread through the Replay and MOP Expanders to find their places. */
#include "kernel/origin.h"

#include <stdlib.h>

enum { MOP_MOST = 1 << 17 };

/* ---- the words of a MOP ---- */

static uint32_t field(const struct origin *o, uint32_t word, enum tx_fld fld)
{
    struct tx_decoded d;
    return tx_decode(o->arch, word, &d) == TX_OK && d.row != NULL ? tx_row_field(d.row, fld, word)
                                                                  : 0;
}

static void put_word(struct origin *o, struct origin_thread *s, uint32_t word)
{
    if (s->mop_count == s->mop_room && s->mop_room < MOP_MOST) {
        const size_t room = s->mop_room == 0 ? 256 : 2 * s->mop_room;
        uint32_t *more = realloc(s->mop_words, room * sizeof *more);
        if (more == NULL) {
            o->failed = true;
            return;
        }
        s->mop_words = more;
        s->mop_room = room;
    }
    if (s->mop_count < s->mop_room) {
        s->mop_words[s->mop_count++] = word;
    }
}

static void put_unless_nop(struct origin *o, struct origin_thread *s, uint32_t word)
{
    if (tx_insn_id_of(o->arch, word) != TX_INSN_NOP) {
        put_word(o, s, word);
    }
}

static void expand_loops(struct origin *o, struct origin_thread *s, const uint32_t cfg[9],
                         uint32_t word)
{
    /* Blackhole's counts have ten bits (tt-llk 36b092e assembly.yaml), Wormhole's seven. */
    const uint32_t most = o->arch == TX_BLACKHOLE ? 1023 : 127;
    const unsigned outer =
        field(o, word, TX_FLD_OUTER) != 0 ? field(o, word, TX_FLD_OUTER) : cfg[0] & most;
    const bool turns = tx_insn_id_of(o->arch, cfg[6]) != TX_INSN_NOP;
    unsigned inner =
        field(o, word, TX_FLD_INNER) != 0 ? field(o, word, TX_FLD_INNER) : cfg[1] & most;
    inner *= turns ? 2 : 1;
    for (unsigned j = 0; j < outer; j++) {
        put_unless_nop(o, s, cfg[2]);
        for (unsigned i = 0; i < inner; i++) {
            const bool last = i + 1 == inner;
            put_word(o, s, last ? cfg[j + 1 == outer ? 7 : 8] : cfg[turns && i % 2 != 0 ? 6 : 5]);
        }
        if (tx_insn_id_of(o->arch, cfg[3]) != TX_INSN_NOP) {
            put_word(o, s, cfg[3]);
            put_unless_nop(o, s, cfg[4]);
        }
    }
}

static void expand_mask(struct origin *o, struct origin_thread *s, const uint32_t cfg[9],
                        uint32_t word)
{
    uint32_t mask = s->mop_mask << 16 | field(o, word, TX_FLD_IMM);
    for (unsigned n = field(o, word, TX_FLD_COUNT) + 1; n != 0; n--, mask >>= 1) {
        const bool skip = (mask & 1u) != 0;
        put_word(o, s, skip ? cfg[7] : cfg[3]);
        for (unsigned i = 4; i < 7 && !skip && (cfg[1] & 2u) != 0; i++) {
            put_word(o, s, cfg[i]);
        }
        if ((cfg[1] & 1u) != 0) {
            put_word(o, s, skip ? cfg[8] : cfg[2]);
        }
    }
}

static void expand(struct origin *o, struct origin_thread *s, const uint32_t cfg[9], uint32_t word)
{
    struct tx_decoded d;
    s->mop_count = s->mop_next = 0;
    if (tx_decode(o->arch, word, &d) != TX_OK || d.row == NULL) {
        return;
    }
    if (d.row->number == TX_ROW_MOP_ZMASK) {
        expand_mask(o, s, cfg, word);
    } else {
        expand_loops(o, s, cfg, word);
    }
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
static bool take(struct origin *o, unsigned thread, struct origin_thread *s, uint32_t *word,
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
        if (!take(o, thread, s, &s->slot_word[slot], &s->slot[slot])) {
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
        if (!take(o, thread, s, &head, &place)) {
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
