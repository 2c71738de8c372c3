/* SPDX-License-Identifier: Apache-2.0 */
/* Follows what the cores of a tile push, to know the source line of each word and core. */
#include "trace/trace_lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/hash.h"
#include "kernel/origin.h"
#include "tile/tile_program.h"
#include "trace/trace_source.h"

#include <tensix/order.h>

enum { WORDS = 256, RECENT = 256, MOP_WORDS = 9 };

/* An instruction of a core's program. */
struct place {
    enum tx_core core;
    uint32_t pc, word; /* what is pushed, or the instruction itself */
    bool pushes;
    unsigned count;
    unsigned files[TILE_CALLS], lines[TILE_CALLS]; /* from the outermost call to its own line */
};

struct trace_lines {
    txl_tensix *tile;
    enum tx_arch arch;
    struct place *places;
    size_t count, room;
    struct hash numbers; /* of places, from 1 on, by core and pc */
    const char **files;
    size_t file_count, file_room;
    struct origin origin;
    struct origin_thread threads[TX_THREADS];
    struct pushed {
        uint32_t word, place, mop[MOP_WORDS];
    } words[TX_THREADS][WORDS], last[TX_THREADS];
    unsigned first[TX_THREADS], held[TX_THREADS];
    uint64_t taken[TX_THREADS], seen[TX_THREADS]; /* number of pushes before first, and before the
                                                     next word that an expander will take */
    uint32_t mop[TX_THREADS][MOP_WORDS];
    struct {
        bool there;
        uint32_t word;
        unsigned place;
    } waiting[TX_THREADS]; /* at the gate */
    struct {
        uint64_t number;
        unsigned place;
    } recent[TX_THREADS][RECENT];
    bool failed;
};

/* ---- places ---- */

static unsigned file_of(struct trace_lines *l, const char *name)
{
    for (size_t i = 0; i < l->file_count; i++) {
        if (strcmp(l->files[i], name) == 0) {
            return (unsigned)i;
        }
    }
    if (!LIST_ONE(l->files, l->file_count, l->file_room, l->failed)) {
        return 0;
    }
    l->files[l->file_count] = name;
    return (unsigned)l->file_count++;
}

static unsigned trace_lines_place_of(struct trace_lines *l, enum tx_core core, uint32_t pc,
                                     uint32_t word, bool pushes)
{
    struct tile_place lines[TILE_CALLS];
    struct tile_program *program = tile_program_of(l->tile, core);
    if (l->failed || program == NULL || !program->has_lines) {
        return 0;
    }
    const uint32_t key[] = {core, pc};
    uint32_t *const number = hash_at(&l->numbers, key, sizeof key);
    if (number == NULL || !LIST_ONE(l->places, l->count, l->room, l->failed)) {
        l->failed = true;
        return 0;
    }
    if (*number == 0) {
        struct place *p = &l->places[l->count++];
        *number = (uint32_t)l->count;
        *p = (struct place){.core = core, .pc = pc};
        p->count = tile_places(program, pc, lines, TILE_CALLS);
        for (unsigned i = 0; i < p->count; i++) {
            p->files[i] = file_of(l, lines[p->count - 1 - i].file);
            p->lines[i] = lines[p->count - 1 - i].line;
        }
    }
    struct place *p = &l->places[*number - 1];
    if (pushes || !p->pushes) {
        p->word = word;
        p->pushes = pushes;
    }
    return p->count != 0 ? *number : 0;
}

/* ---- words ---- */

static void pushed(struct trace_lines *l, enum tx_core core, const struct tx_order *o)
{
    const unsigned thread = o->index % TX_THREADS;
    struct pushed *p = &l->words[thread][(l->first[thread] + l->held[thread]) % WORDS];
    if (l->held[thread] == WORDS) {
        l->first[thread] = (l->first[thread] + 1) % WORDS;
        l->taken[thread]++;
    } else {
        l->held[thread]++;
    }
    p->word = o->mask;
    p->place = trace_lines_place_of(l, core, o->word, o->mask, true);
    memcpy(p->mop, l->mop[thread], sizeof p->mop);
}

static void hear(void *user, const struct tx_order *o)
{
    struct trace_lines *l = user;
    if (o->thread < TX_ORDER_CORE || o->thread >= TX_ORDER_CORE + TX_CORES) {
        return;
    }
    if (o->kind == TX_ORDER_PUSH) {
        pushed(l, (enum tx_core)(o->thread - TX_ORDER_CORE), o);
    } else if (o->kind == TX_ORDER_WRITE && o->shared == TX_SHARED_MOP) {
        l->mop[o->index / MOP_WORDS % TX_THREADS][o->index % MOP_WORDS] = o->mask;
    }
}

static bool next_word(void *user, unsigned thread, uint32_t *word, uint32_t *place)
{
    struct trace_lines *l = user;
    if (l->held[thread] == 0) {
        return false;
    }
    l->last[thread] = l->words[thread][l->first[thread]];
    l->first[thread] = (l->first[thread] + 1) % WORDS;
    l->held[thread]--;
    l->taken[thread]++;
    *word = l->last[thread].word;
    *place = l->last[thread].place;
    return true;
}

static void mop_config(void *user, unsigned thread, uint32_t cfg[9])
{
    const struct trace_lines *l = user;
    memcpy(cfg, l->last[thread].mop, sizeof l->last[thread].mop);
}

/* Returns the place of a word that waits at the gate or passes it. */
static unsigned at_gate(struct trace_lines *l, unsigned thread, uint32_t word, bool goes)
{
    if (!l->waiting[thread].there || l->waiting[thread].word != word) {
        const uint32_t place = origin_of(&l->origin, &l->threads[thread], thread, word);
        l->waiting[thread].place = place != ORIGIN_NONE ? place : 0;
        l->waiting[thread].word = word;
    }
    l->waiting[thread].there = !goes;
    return l->waiting[thread].place;
}

static bool expands(const struct trace_lines *l, uint32_t word)
{
    const struct tx_insn *insn = tx_insn_of(l->arch, word);
    return insn != NULL && insn->unit == TX_UNIT_FRONT && insn->opcode != TX_INSN_NOP;
}

/*
 * Returns the place of a word that an expander takes, ahead of the gate: that of the next pushed
 * word of this kind. A word that is not the same was generated by a MOP, and has no place.
 */
static unsigned at_expander(struct trace_lines *l, unsigned thread, uint32_t word)
{
    uint64_t at = l->seen[thread] > l->taken[thread] ? l->seen[thread] : l->taken[thread];
    for (; at < l->taken[thread] + l->held[thread]; at++) {
        const struct pushed *p =
            &l->words[thread][(l->first[thread] + (at - l->taken[thread])) % WORDS];
        if (expands(l, p->word)) {
            l->seen[thread] = p->word == word ? at + 1 : l->seen[thread];
            return p->word == word ? p->place : 0;
        }
    }
    return 0;
}

unsigned trace_lines_word(struct collect *trace, const struct tx_event *event, enum trace_kind kind)
{
    struct trace_lines *l = trace->lines;
    const unsigned thread = event->thread;
    if (l == NULL || thread >= TX_THREADS) {
        return 0;
    }
    if (kind != TRACE_ISSUE && kind != TRACE_STALL) {
        const size_t slot = event->number % RECENT;
        return l->recent[thread][slot].number == event->number ? l->recent[thread][slot].place : 0;
    }
    const unsigned place = expands(l, event->word)
                               ? at_expander(l, thread, event->word)
                               : at_gate(l, thread, event->word, kind == TRACE_ISSUE);
    if (kind == TRACE_ISSUE) {
        l->recent[thread][event->number % RECENT].number = event->number;
        l->recent[thread][event->number % RECENT].place = place;
    }
    trace->failed = trace->failed || l->failed || l->origin.failed;
    return place;
}

unsigned trace_lines_core(struct collect *trace, enum tx_core core, uint32_t pc, uint32_t word)
{
    return trace->lines != NULL ? trace_lines_place_of(trace->lines, core, pc, word, false) : 0;
}

/* ---- from beginning to end ---- */

bool trace_lines_open(struct collect *trace, txl_tensix *tile)
{
    struct trace_lines *l = calloc(1, sizeof *l);
    if (l == NULL) {
        return false;
    }
    l->tile = tile;
    l->arch = trace->meta.arch;
    l->origin = (struct origin){.arch = l->arch, .next = next_word, .mop = mop_config, .user = l};
    for (unsigned t = 0; t < TX_THREADS; t++) {
        l->threads[t].mop = ORIGIN_NONE;
        for (unsigned i = 0; i < RECENT; i++) {
            l->recent[t][i].number = UINT64_MAX;
        }
    }
    trace->lines = l;
    trace->meta.lines = l;
    tx_order_listen(tx_tensix_machine(txl_tensix_tile(tile)), &(struct tx_order_sink){hear, l});
    return true;
}

void trace_lines_free(struct collect *trace)
{
    struct trace_lines *l = trace->lines;
    if (l == NULL) {
        return;
    }
    for (unsigned t = 0; t < TX_THREADS; t++) {
        origin_free(&l->threads[t]);
    }
    free(l->places);
    hash_free(&l->numbers);
    free(l->files);
    free(l);
    trace->lines = NULL;
    trace->meta.lines = NULL;
}

/* ---- the text ---- */

struct used {
    unsigned line, others;
    const struct place *place; /* an instruction of it, one that pushes where there is one */
};

static int by_line(const void *a, const void *b)
{
    const struct used *x = a;
    const struct used *y = b;
    return x->line != y->line                     ? (x->line < y->line ? -1 : 1)
           : x->place->pushes != y->place->pushes ? (x->place->pushes ? -1 : 1)
           : x->place->pc != y->place->pc         ? (x->place->pc < y->place->pc ? -1 : 1)
                                                  : 0;
}

static void put_file(struct json_put *j, const char *text, size_t size, const struct used *used,
                     size_t count)
{
    unsigned *lines = malloc((count + 1) * sizeof *lines);
    for (size_t i = 0; lines != NULL && i < count; i++) {
        lines[i] = used[i].line;
    }
    source_put_around(j, text, size, lines, lines != NULL ? count : 0);
    free(lines);
}

/* Lists the lines of a file that some place has, in order, each once. */
static struct used *lines_of(const struct trace_lines *l, unsigned file, size_t *count)
{
    struct used *list = malloc((l->count * TILE_CALLS + 1) * sizeof *list);
    size_t n = 0;
    *count = 0;
    for (size_t i = 0; list != NULL && i < l->count; i++) {
        const struct place *p = &l->places[i];
        for (unsigned k = 0; k < p->count; k++) {
            if (p->files[k] == file) {
                list[n++] = (struct used){.line = p->lines[k], .place = p};
            }
        }
    }
    if (n != 0) {
        qsort(list, n, sizeof *list, by_line);
    }
    for (size_t i = 0; i < n; i++) {
        if (*count != 0 && list[*count - 1].line == list[i].line) {
            list[*count - 1].others++;
        } else {
            list[(*count)++] = list[i];
        }
    }
    return list;
}

/* Writes, for a file that cannot be read, one instruction of each line and the number of others. */
static void put_instructions(struct json_put *j, enum tx_arch arch, const struct used *used,
                             size_t count)
{
    char text[192];
    for (size_t i = 0; i < count; i++) {
        const struct place *p = used[i].place;
        if (p->pushes) {
            (void)tx_disassemble(arch, p->word, TX_DIS_NORMAL, text, 160);
        } else {
            tx_core_text(arch, p->word, p->pc, text, 160);
        }
        source_put_words(j, used[i].line, text, sizeof text, used[i].others);
    }
}

void trace_lines_put(struct json_put *j, const struct trace_lines *l)
{
    const struct tile_roots roots = tile_roots_of(l->tile);
    json_put_open(j, "source", '[');
    for (unsigned file = 0; file < l->file_count; file++) {
        size_t count = 0;
        size_t size = 0;
        struct used *used = lines_of(l, file, &count);
        char *text = used != NULL ? tile_source_text(&roots, l->files[file], &size) : NULL;
        json_put_break(j);
        source_put_head(j, l->files[file]);
        if (text != NULL) {
            put_file(j, text, size, used, count);
        } else {
            put_instructions(j, l->arch, used, count);
        }
        source_put_end(j);
        free(text);
        free(used);
    }
    json_put_close(j, ']');
    json_put_break(j);
    json_put_open(j, "places", '[');
    for (size_t i = 0; i < l->count; i++) {
        const struct place *p = &l->places[i];
        json_put_open(j, NULL, '[');
        for (unsigned k = 0; k < p->count; k++) {
            json_put_open(j, NULL, '[');
            json_put_uint(j, NULL, p->files[k]);
            json_put_uint(j, NULL, p->lines[k]);
            json_put_close(j, ']');
        }
        json_put_close(j, ']');
    }
    json_put_close(j, ']');
}
