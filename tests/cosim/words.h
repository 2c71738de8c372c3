/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Classes whose words are the coprocessor's, on a machine of ours and the other side's tile. A
 * program begins with the block's state (of BLOCK programs), to which its own is added. Words are
 * drawn one after the other: what the other side refuses is left out, and counted by its reason;
 * where it would have to wait, the program ends, and ours must wait there, too.
 */
#ifndef TESTS_COSIM_WORDS_H
#define TESTS_COSIM_WORDS_H

#include "cosim/engine.h"

enum { BLOCK = 256 };

/* ---- state of both sides ---- */

static const char *file_name(enum tx_file file)
{
    for (unsigned i = 0; i < SIDE_FILES; i++) {
        if (side_files[i].file == file) {
            return side_files[i].name;
        }
    }
    return "file";
}

static bool put_both(struct cosim *c, enum tx_file file, unsigned index, const uint32_t *v,
                     size_t count)
{
    if (tx_write(c->m, file, index, v, count) != TX_OK) {
        return false;
    }
    if (!c->other->put(file, index, v)) {
        const char *why = c->other->refusal();
        snprintf(c->refused_text, sizeof c->refused_text, "state: %s %u%s%s", file_name(file),
                 index, why != NULL ? ": " : "", why != NULL ? why : "");
        c->refused = c->refused_text;
    }
    return true;
}

/* L1 of the program, from a seed of its own: some bytes are zeros or ones. */
static inline void fill_l1(struct cosim *c)
{
    struct bridge_rng *r = &c->random;
    for (uint32_t i = 0; i < c->kind->l1; i += 4) {
        const uint32_t x = bridge_u32(r);
        const uint32_t v = (x & 0xFu) == 0 ? 0 : (x & 0xFu) == 1 ? bridge_value(r) : x;
        memcpy(c->l1 + i, &v, 4);
    }
    memcpy(c->other->l1(), c->l1, c->kind->l1);
}

/* Of the class's thread, or of bank 0; a field that the chip does not have stays out. */
static void put_field(struct cosim *c, const char *name, uint32_t value)
{
    const struct tx_config_field *f = tx_config_field_find(c->arch, name);
    if (f == NULL) {
        return;
    }
    const enum tx_file file = f->thread ? TX_FILE_THREAD_CONFIG : TX_FILE_CONFIG;
    const unsigned index = f->word + (f->thread ? 128 * c->kind->thread : 0);
    const uint32_t mask = f->width == 32 ? ~0u : (1u << f->width) - 1;
    uint32_t word = 0;
    (void)tx_read(c->m, file, index, &word, 1);
    const uint32_t old = word;
    word = (word & ~(mask << f->lsb)) | (value & mask) << f->lsb;
    if (word != old) { /* the other side refuses some words whatever is written */
        (void)put_both(c, file, index, &word, 1);
    }
}

static void begin_block(struct cosim *c, uint64_t block)
{
    c->random.s = cosim_mix(c->seed, block);
    tx_reset(c->m);
    c->other->open();
    c->kind->block(c);
    (void)tx_snapshot(c->m, c->here, c->here_size);
    c->other->save(c->there);
    c->block = block;
    c->has_block = true;
}

/* Both sides, ours on machine m, get the state with which program `number` begins. */
static void begin(struct cosim *c, tx_machine *m, uint64_t number)
{
    c->m = m;
    if (!c->has_block || c->block != number / BLOCK) {
        begin_block(c, number / BLOCK);
    }
    (void)tx_restore(m, c->here, c->here_size);
    tx_findings_clear(m);
    c->other->restore(c->there);
    c->random.s = cosim_mix(c->seed ^ UINT64_C(0x5DEECE66D), number);
    c->refused = NULL;
    c->kind->setup(c);
    c->other->save(c->start);
    if (c->changed != NULL) {
        c->changed(c);
    }
}

/* ---- one program ---- */

static bool run_other(struct cosim *c, const uint32_t *words, unsigned count)
{
    return c->other->run(c->kind->thread, words, count) == count;
}

/* Draws words that the other side executes; it has executed them afterwards. */
static void draw_program(struct cosim *c)
{
    c->count = 0;
    c->waits = false;
    for (unsigned i = 0; i < c->kind->words && !c->waits; i++) {
        const uint32_t word = c->kind->word(c);
        if (run_other(c, &word, 1)) {
            c->words[c->count++] = word;
        } else if (c->other->refusal() == NULL && c->kind->queues) {
            break;
        } else if (c->other->refusal() == NULL) {
            c->words[c->count++] = word;
            c->waits = true;
        } else {
            count_refusal(c, c->other->refusal());
            c->other->restore(c->start);
            memcpy(c->other->l1(), c->l1, c->kind->l1); /* ours has not run yet */
            (void)run_other(c, c->words, c->count);
        }
    }
}

static bool l1_differs(struct cosim *c, struct side_place *place)
{
    const uint8_t *there = c->other->l1();
    if (memcmp(c->l1, there, c->kind->l1) == 0) {
        return false;
    }
    uint32_t at = 0;
    while (c->l1[at] == there[at]) {
        at++;
    }
    *place = (struct side_place){NULL, at, 0, c->l1[at], there[at]};
    return true;
}

static bool sides_agree(struct cosim *c, struct difference *d)
{
    char text[120];
    if (!sides_differ(c->m, c->other, c->kind->files & ~c->unseen, c->kind->subset, &d->place) &&
        !l1_differs(c, &d->place)) {
        return true;
    }
    snprintf(d->text, sizeof d->text, "%s", side_place_text(&d->place, text));
    return false;
}

/* Ours runs these words from the program's state, and both are compared. False: they differ. */
static bool same(struct cosim *c, const uint32_t *words, unsigned count, bool waits,
                 struct difference *d)
{
    *d = (struct difference){.count = 0};
    for (unsigned i = 0; i < count; i++) {
        const bool last = waits && i + 1 == count;
        const enum tx_status status =
            tx_run_gaps(c->m, c->kind->thread, &words[i], 1, &c->kind->gap);
        if (status != (last ? TX_EDEADLOCK : TX_OK)) {
            d->stops = true;
            d->count = i + 1;
            snprintf(d->text, sizeof d->text, "%s",
                     last                     ? "the other side waits, ours does not"
                     : status == TX_EDEADLOCK ? "ours waits, the other side does not"
                     : tx_fault(c->m) != NULL ? tx_fault(c->m)->message
                                              : tx_status_text(status));
            return false;
        }
    }
    d->count = count;
    return sides_agree(c, d);
}

/* The same words on both sides from the beginning. */
static bool words_again(struct cosim *c, unsigned reading, uint64_t number, const uint32_t *words,
                        unsigned count, struct difference *d)
{
    begin(c, c->with[reading], number);
    const unsigned done = (unsigned)c->other->run(c->kind->thread, words, count);
    if (c->other->refusal() != NULL) {
        return true; /* without some of its words it is another program */
    }
    const bool waits = done < count && !c->kind->queues;
    return same(c, words, waits ? done + 1 : done, waits, d);
}

static bool words_first(struct cosim *c, uint64_t number, struct difference *d)
{
    begin(c, c->with[0], number);
    if (c->refused != NULL) {
        return true;
    }
    draw_program(c);
    return same(c, c->words, c->count, c->waits, d);
}

static void words_name(struct cosim *c, uint32_t word, char name[32])
{
    struct tx_decoded d;
    name[0] = '\0';
    if (tx_decode(c->arch, word, &d) == TX_OK && d.insn != NULL) {
        snprintf(name, 32, "%s", d.insn->macro);
    }
}

static void words_text(struct cosim *c, uint32_t word, char text[200])
{
    (void)tx_disassemble(c->arch, word, TX_DIS_NORMAL, text, 200);
}

/* Has an evidence entry been relied on, since the machine was opened? */
static inline bool has_note(const struct cosim *c, const char *id)
{
    const struct tx_evidence *e;
    for (size_t i = 0; (e = tx_evidence_at(i)) != NULL; i++) {
        if (strcmp(e->id, id) == 0) {
            return tx_note_count(c->m, i) != 0;
        }
    }
    return false;
}

/* Has the last word of the program a finding with that rule? */
static inline bool told_of_last(const struct cosim *c, const struct difference *d, const char *rule)
{
    for (size_t i = 0; i < tx_finding_count(c->m); i++) {
        const struct tx_finding *f = tx_finding_at(c->m, i);
        if (strcmp(f->rule, rule) == 0 && f->word == d->words[d->count - 1]) {
            return true;
        }
    }
    return false;
}

/*
 * A cause is tried: with ours changed so, nothing but these files differs any more. The machine is
 * then as it was before.
 */
static inline bool gone_when(struct cosim *c, const struct difference *d,
                             void (*changed)(struct cosim *c), uint64_t unseen)
{
    struct difference other;
    c->unseen = unseen;
    c->changed = changed;
    const bool gone = words_again(c, 0, c->number, d->words, d->count, &other);
    c->changed = NULL;
    c->unseen = 0;
    (void)words_again(c, 0, c->number, d->words, d->count, &other);
    return gone;
}

/* ---- opening ---- */

static tx_machine *open_with(struct cosim *c, const char *const *rules, unsigned count)
{
    struct tx_settings settings;
    struct tx_host host;
    tx_machine *m;
    tx_settings_default(&settings, c->arch);
    for (unsigned i = 0; i < count; i++) {
        if (tx_settings_rule(&settings, rules[i]) != TX_OK) {
            cosim_fail(rules[i]);
        }
    }
    tx_host_default(&host);
    host.l1 = c->l1;
    host.l1_size = c->l1_size;
    if (tx_open(&settings, &m) != TX_OK || tx_host_set(m, &host) != TX_OK) {
        cosim_fail("no machine");
    }
    return m;
}

static void words_open(struct cosim *c)
{
    const char *const *rules = c->kind->rules[c->arch == TX_BLACKHOLE];
    while (c->rules < RULES && rules[c->rules] != NULL) {
        c->rules++;
    }
    c->l1_size = tx_l1_size(c->arch);
    c->l1 = calloc(1, c->l1_size);
    c->with[0] = open_with(c, rules, c->rules);
    c->with[1] = open_with(c, rules, 0);
    for (unsigned i = 0; i < c->rules; i++) {
        c->with[2 + i] = open_with(c, rules + i, 1);
    }
    c->here_size = tx_snapshot_size(NULL);
    c->here = malloc(c->here_size);
    c->there = malloc(c->other->state_size());
    c->start = malloc(c->other->state_size());
    if (c->l1 == NULL || c->here == NULL || c->there == NULL || c->start == NULL) {
        cosim_fail("no memory");
    }
    c->m = c->with[0];
    if (c->kind->takes != NULL) {
        draw_collect(&c->forms, c->arch, c->kind->takes);
    }
}

static void words_close(struct cosim *c)
{
    for (unsigned i = 0; i < 2 + c->rules; i++) {
        tx_close(c->with[i]);
    }
    free(c->l1);
    free(c->here);
    free(c->there);
    free(c->start);
}

static const struct steps words_steps = {words_open,  words_close, words_first,
                                         words_again, words_name,  words_text};

#endif
