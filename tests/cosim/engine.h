/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random programs on our machine and on another simulator's tile, from the same state, and what
 * both leave compared. A program is known by its class, a seed and a number. It begins with the
 * block's state (of BLOCK programs), to which its own is added. Words are drawn one after the
 * other: what the other side refuses is left out, and counted by its reason; where it would have to
 * wait, the program ends, and ours must wait there, too.
 *
 * Ours runs with the readings that the other side is known to follow (kind.rules), and each
 * SAMPLED-th program with the default ones as well: a difference that is gone with one of the
 * readings has that reading as its reason. What differs with all of them is shrunk, and is either a
 * line of known.def or not explained.
 */
#ifndef TESTS_COSIM_ENGINE_H
#define TESTS_COSIM_ENGINE_H

#include "bench/beside/sides.h"
#include "cosim/draw.h"
#include "cosim/shrink.h"

#include <inttypes.h>

enum { BLOCK = 256, SAMPLED = 16, RULES = 12, REASONS = 512, WORDS_MOST = 64 };

struct cosim;

/* A difference as it is left after shrinking. */
struct difference {
    uint32_t words[WORDS_MOST];
    unsigned count;
    const struct tx_decoded *last; /* the last word */
    struct side_place place;
    char text[240];
    bool stops; /* ours stops where the other one goes on, or only one of them waits */
};

struct known {
    const char *id; /* of isa/evidence.def, or a name */
    unsigned chips;
    const char *mnemonics; /* of the last word, blank separated */
    bool (*holds)(struct cosim *c, const struct difference *d); /* NULL: always */
    const char *why;
};

struct kind {
    const char *name;
    uint64_t files;  /* that are compared */
    uint64_t subset; /* of those: where the other side may have fewer bits set */
    unsigned thread, words;
    uint32_t gap; /* cycles before each word of ours, so that nothing is read too early */
    bool queues;  /* ours takes a word before it waits: programs end without it */
    uint32_t l1;  /* so many bytes of L1 are the program's, and compared */
    const char *rules[2][RULES];             /* of Wormhole, of Blackhole */
    bool (*takes)(const struct tx_row *row); /* behaviours from which words are drawn */
    void (*block)(struct cosim *c);          /* state of all programs of a block */
    void (*setup)(struct cosim *c);          /* state of one program */
    uint32_t (*word)(struct cosim *c);
    const struct known *known; /* until one without an id */
};

struct reason {
    char text[112];
    uint64_t count;
};

struct cosim {
    enum tx_arch arch;
    const struct beside *other;
    const struct kind *kind;
    struct draw_forms forms;
    struct bridge_rng random;
    uint64_t seed;
    /* With all readings of the class, with none, with each one alone. */
    tx_machine *m, *with[2 + RULES];
    unsigned rules;
    uint8_t *l1; /* ours, of all these machines */
    uint32_t l1_size;
    void *here, *there, *start; /* the block's state, and that of the program */
    size_t here_size;
    uint64_t block;
    bool has_block;
    uint32_t words[WORDS_MOST];
    unsigned count;
    uint32_t choice; /* a class's, made by setup for all words of the program */
    bool strided;
    bool waits;          /* the last word is one for which the other side waits */
    const char *refused; /* the state, by the other side */
    char refused_text[160];
    /* ---- what came of it ---- */
    uint64_t programs, executed, refusals, waiting, differ, unexplained, skipped;
    uint64_t sampled, by_rule[RULES + 1]; /* the last one: by none of them alone */
    struct reason reasons[REASONS];
    struct reason known[64];
    unsigned reason_count, known_count, shown;
    FILE *out;
};

static void cosim_fail(const char *text)
{
    fprintf(stderr, "cosim: %s\n", text);
    exit(2);
}

/* ---- counting by text ---- */

static void count_text(struct reason *list, unsigned *count, unsigned most, const char *text)
{
    unsigned i = 0;
    while (i < *count && strncmp(list[i].text, text, sizeof list[i].text - 1) != 0) {
        i++;
    }
    if (i == *count && i < most) {
        snprintf(list[i].text, sizeof list[i].text, "%s", text);
        (*count)++;
    }
    if (i < *count) {
        list[i].count++;
    }
}

/* Numbers in it do not make another reason of it. */
static void count_refusal(struct cosim *c, const char *text)
{
    char plain[sizeof c->reasons[0].text];
    size_t n = 0;
    for (const char *p = text; *p != '\0' && n < sizeof plain - 2; p++) {
        const bool digit = *p >= '0' && *p <= '9';
        const bool hex = n > 1 && plain[n - 1] == '#' && ((*p >= 'a' && *p <= 'f') || *p == 'x');
        const bool value = digit && n > 0 && strchr("=-# [", plain[n - 1]) != NULL;
        if (value || (hex && digit == false) || (digit && n > 0 && plain[n - 1] == '#')) {
            if (plain[n - 1] != '#') {
                plain[n++] = '#';
            }
        } else {
            plain[n++] = *p;
        }
    }
    plain[n] = '\0';
    count_text(c->reasons, &c->reason_count, REASONS, plain);
    c->refusals++;
}

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

static uint64_t cosim_mix(uint64_t a, uint64_t b)
{
    struct bridge_rng r = {a * UINT64_C(0x9E3779B97F4A7C15) + b};
    (void)bridge_u32(&r);
    return r.s ^ (uint64_t)bridge_u32(&r) << 32;
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
    if (sides_differ(c->m, c->other, c->kind->files, c->kind->subset, &d->place) ||
        l1_differs(c, &d->place)) {
        d->count = count;
        char text[120];
        snprintf(d->text, sizeof d->text, "%s", side_place_text(&d->place, text));
        return false;
    }
    return true;
}

/* The same words on both sides from the beginning. */
static bool again(struct cosim *c, tx_machine *m, uint64_t number, const uint32_t *words,
                  unsigned count, struct difference *d)
{
    begin(c, m, number);
    const unsigned done = (unsigned)c->other->run(c->kind->thread, words, count);
    if (c->other->refusal() != NULL) {
        return true; /* without some of its words it is another program */
    }
    const bool waits = done < count && !c->kind->queues;
    return same(c, words, waits ? done + 1 : done, waits, d);
}

struct sought {
    struct cosim *c;
    uint64_t number;
};

static bool still_differs(void *user, const uint32_t *words, unsigned count)
{
    const struct sought *s = user;
    struct difference d;
    return !again(s->c, s->c->with[0], s->number, words, count, &d);
}

static void shrink_difference(struct cosim *c, uint64_t number, struct difference *d)
{
    struct sought s = {c, number};
    uint32_t words[WORDS_MOST];
    unsigned count = c->count;
    memcpy(words, c->words, sizeof words);
    count = shrink(words, count, still_differs, &s);
    (void)again(c, c->with[0], number, words, count, d);
    memcpy(d->words, words, sizeof words);
    d->count = count;
}

static bool names_mnemonic(const char *list, const char *name)
{
    const size_t n = strlen(name);
    for (const char *p = list; (p = strstr(p, name)) != NULL; p += n) {
        if ((p == list || p[-1] == ' ') && (p[n] == ' ' || p[n] == '\0')) {
            return true;
        }
    }
    return false;
}

static const struct known *explain(struct cosim *c, const struct difference *d)
{
    const unsigned chip = c->arch == TX_BLACKHOLE ? 2 : 1;
    const struct known *k = c->kind->known;
    for (; k != NULL && k->id != NULL; k++) {
        if ((k->chips & chip) != 0 && d->last->insn != NULL &&
            names_mnemonic(k->mnemonics, d->last->insn->macro) &&
            (k->holds == NULL || k->holds(c, d))) {
            return k;
        }
    }
    return NULL;
}

static void show(struct cosim *c, uint64_t number, const struct difference *d)
{
    fprintf(c->out, "%s %s:%" PRIu64 " (seed %" PRIu64 "): %s\n", tx_arch_short(c->arch),
            c->kind->name, number, c->seed, d->text);
    for (unsigned i = 0; i < d->count; i++) {
        char text[200] = "";
        (void)tx_disassemble(c->arch, d->words[i], TX_DIS_NORMAL, text, sizeof text);
        fprintf(c->out, "    %08x  %s\n", (unsigned)d->words[i], text);
    }
    for (size_t i = 0; i < tx_finding_count(c->m); i++) {
        const struct tx_finding *f = tx_finding_at(c->m, i);
        fprintf(c->out, "    %s: %s\n", f->rule, f->message);
    }
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

/* Has a finding of this program the rule? */
static inline bool has_finding(const struct cosim *c, const char *rule)
{
    for (size_t i = 0; i < tx_finding_count(c->m); i++) {
        if (strcmp(tx_finding_at(c->m, i)->rule, rule) == 0) {
            return true;
        }
    }
    return false;
}

enum { SHOWN_MOST = 20 };

static void judge(struct cosim *c, uint64_t number)
{
    struct difference d;
    struct tx_decoded last = {.insn = NULL};
    shrink_difference(c, number, &d);
    if (d.count > 0) {
        (void)tx_decode(c->arch, d.words[d.count - 1], &last);
    }
    d.last = &last;
    c->differ++;
    const struct known *k = explain(c, &d);
    if (k != NULL) {
        count_text(c->known, &c->known_count, 64, k->id);
        return;
    }
    c->unexplained++;
    if (c->shown++ < SHOWN_MOST) {
        show(c, number, &d);
    }
}

/* Which reading the default ones differ by. */
static void sample(struct cosim *c, uint64_t number)
{
    struct difference d;
    c->sampled++;
    if (again(c, c->with[1], number, c->words, c->count, &d)) {
        return;
    }
    for (unsigned i = 0; i < c->rules; i++) {
        if (again(c, c->with[2 + i], number, c->words, c->count, &d)) {
            c->by_rule[i]++;
            return;
        }
    }
    c->by_rule[RULES]++;
}

/* Runs a program; false: it differs and nothing explains it. */
static bool cosim_program(struct cosim *c, uint64_t number)
{
    const uint64_t before = c->unexplained;
    struct difference d;
    begin(c, c->with[0], number);
    if (c->refused != NULL) {
        c->skipped++;
        count_refusal(c, c->refused);
        c->refusals--;
        return true;
    }
    draw_program(c);
    c->programs++;
    c->executed += c->count;
    c->waiting += c->waits;
    const bool equal = same(c, c->words, c->count, c->waits, &d);
    if (!equal) {
        judge(c, number);
    } else if (c->rules != 0 && number % SAMPLED == 0) {
        sample(c, number);
    }
    return c->unexplained == before;
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

static void cosim_open(struct cosim *c, const struct kind *kind, const struct beside *other,
                       enum tx_arch arch, uint64_t seed)
{
    const char *const *rules = kind->rules[arch == TX_BLACKHOLE];
    *c = (struct cosim){.arch = arch, .other = other, .kind = kind, .seed = seed, .out = stdout};
    while (c->rules < RULES && rules[c->rules] != NULL) {
        c->rules++;
    }
    c->l1_size = tx_l1_size(arch);
    c->l1 = calloc(1, c->l1_size);
    c->with[0] = open_with(c, rules, c->rules);
    c->with[1] = open_with(c, rules, 0);
    for (unsigned i = 0; i < c->rules; i++) {
        c->with[2 + i] = open_with(c, rules + i, 1);
    }
    c->here_size = tx_snapshot_size(NULL);
    c->here = malloc(c->here_size);
    c->there = malloc(other->state_size());
    c->start = malloc(other->state_size());
    if (c->l1 == NULL || c->here == NULL || c->there == NULL || c->start == NULL) {
        cosim_fail("no memory");
    }
    c->m = c->with[0];
    draw_collect(&c->forms, arch, kind->takes);
}

static void cosim_close(struct cosim *c)
{
    for (unsigned i = 0; i < 2 + c->rules; i++) {
        tx_close(c->with[i]);
    }
    free(c->l1);
    free(c->here);
    free(c->there);
    free(c->start);
}

#endif
