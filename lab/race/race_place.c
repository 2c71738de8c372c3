/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the source line of a word that passes a gate. Words pass in program order, except for those
 * that the Replay and MOP Expanders generate; this file repeats what the expanders do. Words of a
 * MOP have the MOP's place, replayed words that of their recording.
 */
#include <stdlib.h>
#include <string.h>

#include "race/race.h"

enum { SLOTS = 32, MOP_MOST = 1 << 17 };

static uint8_t thread_of(const struct txl_race *r, unsigned section, size_t i)
{
    const uint8_t thread = tx_program_threads(r->program, section)[i];
    return thread == TX_THREADS ? (uint8_t)r->options.thread : thread;
}

/* ---- places ---- */

static bool same_place(const struct txl_race *r, const struct race_place *a,
                       const struct race_place *b)
{
    return a->thread == b->thread && a->section == b->section && a->file == b->file &&
           a->line == b->line && tx_insn_id_of(r->arch, a->word) == tx_insn_id_of(r->arch, b->word);
}

/*
 * Returns the place of a line, instruction and thread, so that all words of a .rept loop share one.
 */
static uint32_t place_for(struct txl_race *r, uint32_t *table, size_t size,
                          const struct race_place *p)
{
    const uint32_t parts[] = {p->line, p->file, p->thread, p->section,
                              (uint32_t)tx_insn_id_of(r->arch, p->word)};
    uint64_t key = 0;
    for (unsigned i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        key = (key + parts[i]) * UINT64_C(0x100000001B3);
    }
    size_t at = key % size;
    while (table[at] != 0) {
        if (same_place(r, &r->places[table[at] - 1], p)) {
            return table[at] - 1;
        }
        at = (at + 1) % size;
    }
    r->places[r->place_count] = *p;
    table[at] = (uint32_t)++r->place_count;
    return (uint32_t)r->place_count - 1;
}

static int read_section(struct txl_race *r, unsigned section, uint32_t *table, size_t size)
{
    const size_t count = tx_program_count(r->program, section);
    for (unsigned t = 0; t < TX_THREADS; t++) {
        struct race_stream *stream = &r->stream[section][t];
        stream->at = zeroed(r->err, count + 1, sizeof *stream->at);
        stream->words = zeroed(r->err, count + 1, sizeof *stream->words);
        if (stream->at == NULL || stream->words == NULL) {
            return TXL_INPUT;
        }
        stream->mop = NOWHERE;
    }
    for (size_t i = 0; i < count; i++) {
        const struct race_place p = {.thread = thread_of(r, section, i),
                                     .section = (uint8_t)section,
                                     .file = tx_program_files(r->program, section)[i],
                                     .line = tx_program_lines(r->program, section)[i],
                                     .word = tx_program_words(r->program, section)[i]};
        struct race_stream *stream = &r->stream[section][p.thread];
        stream->words[stream->count] = p.word;
        stream->at[stream->count++] = place_for(r, table, size, &p);
    }
    return TXL_CONTINUE;
}

int race_places_open(struct txl_race *r)
{
    size_t total = 1;
    for (unsigned s = 0; s < TX_SECTIONS; s++) {
        total += tx_program_count(r->program, s);
    }
    r->places = zeroed(r->err, total, sizeof *r->places);
    uint32_t *table = zeroed(r->err, 2 * total, sizeof *table);
    int result = r->places != NULL && table != NULL ? TXL_CONTINUE : TXL_INPUT;
    for (unsigned s = 0; result == TXL_CONTINUE && s < TX_SECTIONS; s++) {
        result = read_section(r, s, table, 2 * total);
    }
    free(table);
    return result;
}

void race_places_close(struct txl_race *r)
{
    for (unsigned s = 0; s < TX_SECTIONS; s++) {
        for (unsigned t = 0; t < TX_THREADS; t++) {
            free(r->stream[s][t].at);
            free(r->stream[s][t].words);
            free(r->stream[s][t].mop_words);
        }
    }
    free(r->places);
}

/* Starts a section. The replay buffer and the upper half of the MOP mask carry over. */
void race_section(struct txl_race *r, unsigned section)
{
    for (unsigned t = 0; section != r->section && t < TX_THREADS; t++) {
        const struct race_stream *from = &r->stream[r->section][t];
        struct race_stream *to = &r->stream[section][t];
        memcpy(to->slot, from->slot, sizeof to->slot);
        memcpy(to->slot_word, from->slot_word, sizeof to->slot_word);
        to->mop_mask = from->mop_mask;
    }
    r->section = section;
}

/* ---- the words of a MOP ---- */

static uint32_t field(const struct txl_race *r, uint32_t word, enum tx_fld fld)
{
    struct tx_decoded d;
    return tx_decode(r->arch, word, &d) == TX_OK && d.row != NULL ? tx_row_field(d.row, fld, word)
                                                                  : 0;
}

static void put_word(struct txl_race *r, struct race_stream *s, uint32_t word)
{
    if (s->mop_count == s->mop_room && s->mop_room < MOP_MOST) {
        const size_t room = s->mop_room == 0 ? 256 : 2 * s->mop_room;
        uint32_t *more = realloc(s->mop_words, room * sizeof *more);
        if (more == NULL) {
            r->failed = true;
            return;
        }
        s->mop_words = more;
        s->mop_room = room;
    }
    if (s->mop_count < s->mop_room) {
        s->mop_words[s->mop_count++] = word;
    }
}

static void put_unless_nop(struct txl_race *r, struct race_stream *s, uint32_t word)
{
    if (tx_insn_id_of(r->arch, word) != TX_INSN_NOP) {
        put_word(r, s, word);
    }
}

static void expand_loops(struct txl_race *r, struct race_stream *s, const uint32_t cfg[9],
                         uint32_t word)
{
    const unsigned outer =
        field(r, word, TX_FLD_OUTER) != 0 ? field(r, word, TX_FLD_OUTER) : cfg[0] & 127u;
    const bool turns = tx_insn_id_of(r->arch, cfg[6]) != TX_INSN_NOP;
    unsigned inner =
        field(r, word, TX_FLD_INNER) != 0 ? field(r, word, TX_FLD_INNER) : cfg[1] & 127u;
    inner *= turns ? 2 : 1;
    for (unsigned j = 0; j < outer; j++) {
        put_unless_nop(r, s, cfg[2]);
        for (unsigned i = 0; i < inner; i++) {
            const bool last = i + 1 == inner;
            put_word(r, s, last ? cfg[j + 1 == outer ? 7 : 8] : cfg[turns && i % 2 != 0 ? 6 : 5]);
        }
        if (tx_insn_id_of(r->arch, cfg[3]) != TX_INSN_NOP) {
            put_word(r, s, cfg[3]);
            put_unless_nop(r, s, cfg[4]);
        }
    }
}

static void expand_mask(struct txl_race *r, struct race_stream *s, const uint32_t cfg[9],
                        uint32_t word)
{
    uint32_t mask = s->mop_mask << 16 | field(r, word, TX_FLD_IMM);
    for (unsigned n = field(r, word, TX_FLD_COUNT) + 1; n != 0; n--, mask >>= 1) {
        const bool skip = (mask & 1u) != 0;
        put_word(r, s, skip ? cfg[7] : cfg[3]);
        for (unsigned i = 4; i < 7 && !skip && (cfg[1] & 2u) != 0; i++) {
            put_word(r, s, cfg[i]);
        }
        if ((cfg[1] & 1u) != 0) {
            put_word(r, s, skip ? cfg[8] : cfg[2]);
        }
    }
}

void race_expand(struct txl_race *r, struct race_stream *s, const uint32_t cfg[9], uint32_t word)
{
    struct tx_decoded d;
    s->mop_count = s->mop_next = 0;
    if (tx_decode(r->arch, word, &d) != TX_OK || d.row == NULL) {
        return;
    }
    if (d.row->number == TX_ROW_MOP_ZMASK) {
        expand_mask(r, s, cfg, word);
    } else {
        expand_loops(r, s, cfg, word);
    }
}

/*
 * Expands with the MopCfg from the program's .mop, for this thread or for the thread of the kernel.
 */
static void expand(struct txl_race *r, struct race_stream *s, unsigned thread, uint32_t word)
{
    uint32_t cfg[9] = {0};
    if (r->tile != NULL) {
        race_expand(r, s, race_tile_mop(r, thread), word);
        return;
    }
    for (unsigned i = 0; i < 9; i++) {
        for (unsigned k = 0; k < 2; k++) {
            const unsigned of = k == 0 ? thread : TX_THREADS;
            const bool given = (of != TX_THREADS || thread == r->options.thread) &&
                               (tx_program_mop_given(r->program, of) >> i & 1u) != 0;
            cfg[i] = given ? tx_program_mop(r->program, of)[i] : cfg[i];
        }
    }
    race_expand(r, s, cfg, word);
}

/* ---- following the stream ---- */

static uint32_t record(struct race_stream *s, uint32_t place, uint32_t word)
{
    if (s->recording != 0) {
        s->slot[s->record % SLOTS] = place;
        s->slot_word[s->record++ % SLOTS] = word;
        s->recording--;
    }
    return place;
}

/*
 * Takes the next word from the current MOP or else from the stream, and its place. Returns false
 * where there is none.
 */
static bool take(struct txl_race *r, unsigned thread, struct race_stream *s, uint32_t *word,
                 uint32_t *place)
{
    if (s->mop_next < s->mop_count) {
        *word = s->mop_words[s->mop_next++];
        *place = s->mop;
        return true;
    }
    if (r->tile != NULL) {
        return race_tile_take(r, thread, word, place);
    }
    if (s->next == s->count) {
        return false;
    }
    *word = s->words[s->next];
    *place = s->at[s->next++];
    return true;
}

static void follow_replay(struct txl_race *r, unsigned thread, struct race_stream *s, uint32_t word)
{
    const unsigned first = field(r, word, TX_FLD_INDEX);
    const unsigned given = field(r, word, TX_FLD_COUNT);
    const unsigned count = given == 0 ? SLOTS : given;
    const bool load = field(r, word, TX_FLD_LOAD) != 0;
    const bool execute = field(r, word, TX_FLD_EXEC) != 0;
    if (!load) {
        s->play = first;
        s->left = count;
    } else if (execute) {
        s->record = first;
        s->recording = count;
    }
    for (unsigned i = 0; load && !execute && i < count; i++) {
        const unsigned slot = (first + i) % SLOTS;
        if (!take(r, thread, s, &s->slot_word[slot], &s->slot[slot])) {
            return;
        }
    }
}

uint32_t race_place_of(struct txl_race *r, unsigned thread, uint32_t word)
{
    struct race_stream *s = &r->stream[r->section][thread];
    uint32_t head;
    uint32_t place = NOWHERE;
    for (;;) {
        if (s->left != 0) {
            const unsigned slot = s->play++ % SLOTS;
            s->left--;
            if (s->slot_word[slot] == word) {
                return s->slot[slot];
            }
            continue;
        }
        if (!take(r, thread, s, &head, &place)) {
            return place; /* the stream does not match the program: the place is unknown */
        }
        const enum tx_insn_id insn = tx_insn_id_of(r->arch, head);
        if (insn == TX_INSN_REPLAY) {
            follow_replay(r, thread, s, head);
        } else if (insn == TX_INSN_MOP && s->mop_next >= s->mop_count) {
            s->mop = place;
            expand(r, s, thread, head);
        } else if (insn == TX_INSN_MOPCFG) {
            s->mop_mask = field(r, head, TX_FLD_IMM);
        } else if (head == word) {
            return record(s, place, word);
        }
    }
}
