/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the source line of a word that passes a gate, with kernel/origin.h: the words of a program
 * come in their order, those of a tile in the order in which its cores push them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/hash.h"
#include "race/race.h"

static uint8_t thread_of(const struct txl_race *r, unsigned section, size_t i)
{
    const uint8_t thread = tx_program_threads(r->program, section)[i];
    return thread == TX_THREADS ? (uint8_t)r->options.thread : thread;
}

/* ---- places ---- */

/*
 * Returns the place of a line, instruction and thread, so that all words of a .rept loop share one.
 */
static uint32_t place_for(struct txl_race *r, struct hash *numbers, const struct race_place *p)
{
    const uint32_t key[] = {p->line, p->file, p->thread, p->section,
                            (uint32_t)tx_insn_id_of(r->arch, p->word)};
    uint32_t *const number = hash_at(numbers, key, sizeof key);
    if (number == NULL) {
        return NOWHERE;
    }
    if (*number == 0) {
        r->places[r->place_count] = *p;
        *number = (uint32_t)++r->place_count;
    }
    return *number - 1;
}

static int read_section(struct txl_race *r, unsigned section, struct hash *numbers)
{
    const size_t count = tx_program_count(r->program, section);
    for (unsigned t = 0; t < TX_THREADS; t++) {
        struct race_stream *stream = &r->stream[section][t];
        stream->at = zeroed(r->err, count + 1, sizeof *stream->at);
        stream->words = zeroed(r->err, count + 1, sizeof *stream->words);
        if (stream->at == NULL || stream->words == NULL) {
            return TXL_INPUT;
        }
        stream->origin.mop = NOWHERE;
    }
    for (size_t i = 0; i < count; i++) {
        const struct race_place p = {.thread = thread_of(r, section, i),
                                     .section = (uint8_t)section,
                                     .file = tx_program_files(r->program, section)[i],
                                     .line = tx_program_lines(r->program, section)[i],
                                     .word = tx_program_words(r->program, section)[i]};
        struct race_stream *stream = &r->stream[section][p.thread];
        stream->words[stream->count] = p.word;
        stream->at[stream->count] = place_for(r, numbers, &p);
        if (stream->at[stream->count++] == NOWHERE) {
            return no_memory(r->err);
        }
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
    struct hash numbers = {NULL};
    int result = r->places != NULL ? TXL_CONTINUE : TXL_INPUT;
    for (unsigned s = 0; result == TXL_CONTINUE && s < TX_SECTIONS; s++) {
        result = read_section(r, s, &numbers);
    }
    hash_free(&numbers);
    return result;
}

void race_places_close(struct txl_race *r)
{
    for (unsigned s = 0; s < TX_SECTIONS; s++) {
        for (unsigned t = 0; t < TX_THREADS; t++) {
            free(r->stream[s][t].at);
            free(r->stream[s][t].words);
            origin_free(&r->stream[s][t].origin);
        }
    }
    free(r->places);
}

/* Starts a section. The replay buffer and the upper half of the MOP mask carry over. */
void race_section(struct txl_race *r, unsigned section)
{
    for (unsigned t = 0; section != r->section && t < TX_THREADS; t++) {
        const struct origin_thread *from = &r->stream[r->section][t].origin;
        struct origin_thread *to = &r->stream[section][t].origin;
        memcpy(to->slot, from->slot, sizeof to->slot);
        memcpy(to->slot_word, from->slot_word, sizeof to->slot_word);
        to->mop_mask = from->mop_mask;
    }
    r->section = section;
}

/* ---- following the stream ---- */

static bool next_word(void *user, unsigned thread, uint32_t *word, uint32_t *place)
{
    struct txl_race *r = user;
    struct race_stream *s = &r->stream[r->section][thread];
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

/*
 * Reads the MopCfg: in a tile as the core has stored it, otherwise from the program's .mop for this
 * thread or for the kernel's thread.
 */
static void mop_config(void *user, unsigned thread, uint32_t cfg[9])
{
    const struct txl_race *r = user;
    if (r->tile != NULL) {
        memcpy(cfg, race_tile_mop(r, thread), 9 * sizeof *cfg);
        return;
    }
    for (unsigned i = 0; i < 9; i++) {
        cfg[i] = 0;
        for (unsigned k = 0; k < 2; k++) {
            const unsigned of = k == 0 ? thread : TX_THREADS;
            const bool given = (of != TX_THREADS || thread == r->options.thread) &&
                               (tx_program_mop_given(r->program, of) >> i & 1u) != 0;
            cfg[i] = given ? tx_program_mop(r->program, of)[i] : cfg[i];
        }
    }
}

uint32_t race_place_of(struct txl_race *r, unsigned thread, uint32_t word)
{
    struct origin origin = {.arch = r->arch, .next = next_word, .mop = mop_config, .user = r};
    const uint32_t place = origin_of(&origin, &r->stream[r->section][thread].origin, thread, word);
    r->failed = r->failed || origin.failed;
    return place;
}
